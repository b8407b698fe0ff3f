use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;

use super::*;

/// A checksum of the right form that fits nothing.
const ZEROS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

fn jar(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut jar = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in entries {
        jar.start_file(*name, SimpleFileOptions::default())
            .expect("an entry starts");
        jar.write_all(text.as_bytes()).expect("an entry is written");
    }
    jar.finish().expect("the jar is complete").into_inner()
}

fn files(root: &Path) -> Vec<String> {
    let mut files: Vec<String> = ignore::WalkBuilder::new(root)
        .standard_filters(false)
        .build()
        .map(|entry| entry.expect("a readable folder"))
        .filter(|entry| entry.path().is_file())
        .map(|entry| {
            let path = entry.path().strip_prefix(root).expect("below the root");
            path.to_string_lossy().replace('\\', "/")
        })
        .collect();
    files.sort();
    files
}

/// A cache whose downloads hold the parts of a subject `lib` already.
fn cached(folder: &Path) -> (Cache, Table) {
    let cache = Cache {
        downloads: folder.join("downloads"),
        subjects: folder.join("subjects"),
    };
    fs::create_dir_all(&cache.downloads).expect("a folder");
    let store = |bytes: &[u8]| {
        let checksum = sha256(bytes);
        fs::write(cache.downloads.join(&checksum), bytes).expect("a download");
        checksum
    };
    let pom = store(b"<project/>");
    let sources = store(&jar(&[
        ("META-INF/MANIFEST.MF", ""),
        ("META-INF/LICENSE.txt", ""),
        ("META-INF/maven/g/lib/pom.xml", ""),
        ("META-INF/services/a.Service", "a.A"),
        ("a/A.java", "class A {}"),
        ("a/names.txt", "x"),
    ]));
    let tests = store(&jar(&[
        ("a/ATest.java", ""),
        ("a/Slow.java", ""),
        ("data.csv", ""),
    ]));
    let text = format!(
        "[[subject]]\nname='lib'\ngroup='g'\nversion='1'\npom='{pom}'\nsources='{sources}'\ntest-sources='{tests}'\nomit=['src/test/java/a/Slow.java']"
    );
    (cache, Table::parse(&text).expect("a table"))
}

#[test]
fn a_subject_is_laid_out_as_a_maven_project() {
    let folder = tempfile::tempdir().expect("a folder");
    let (cache, table) = cached(folder.path());
    let subject = &table.subjects[0];
    cache.provide(&[subject]).expect("all parts are there");
    assert_eq!(
        files(&cache.path(subject)),
        [
            "pom.xml",
            "src/main/java/a/A.java",
            "src/main/resources/META-INF/services/a.Service",
            "src/main/resources/a/names.txt",
            "src/test/java/a/ATest.java",
            "src/test/resources/data.csv",
        ]
    );
    let beside = fs::read_dir(&cache.subjects).expect("a folder").count();
    assert_eq!(beside, 1, "the temporary folder is gone");
}

#[test]
fn a_damaged_download_is_not_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let (cache, table) = cached(folder.path());
    let checksum = &table.subjects[0].sources;
    assert!(cache.has(checksum));
    fs::write(cache.downloads.join(checksum), "something else").expect("a file");
    assert!(!cache.has(checksum));
    assert!(!cache.downloads.join(checksum).exists());
}

#[test]
fn an_entry_cannot_leave_the_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = layout::unpack(&jar(&[("../../Evil.java", "")]), "main", folder.path())
        .expect_err("it leads out");
    assert!(error.contains("leads out"), "{error}");
    assert_eq!(files(folder.path()), [] as [&str; 0]);
}

#[test]
fn the_key_follows_versions_and_checksums() {
    let table = |version: &str, checksum: &str| {
        let text = format!(
            "[[subject]]\nname='lib'\ngroup='g'\nversion='{version}'\npom='{checksum}'\nsources='{ZEROS}'"
        );
        Table::parse(&text).expect("a table").key()
    };
    let other = ZEROS.replace('0', "a");
    assert_eq!(table("1", ZEROS), table("1", ZEROS));
    assert_ne!(table("1", ZEROS), table("2", ZEROS));
    assert_ne!(table("1", ZEROS), table("1", &other));
}

#[test]
fn mistakes_in_the_table_are_said() {
    let error = |text: &str| Table::parse(text).expect_err("a mistake");
    assert_eq!(error("x = 1"), "no [[subject]]");
    assert_eq!(
        error("[[subject]]\nname='a'\nsouces='x'"),
        "the subject a has an unknown key souces"
    );
    let text = format!("[[subject]]\nname='a'\ngroup='g'\nversion='1'\npom='{ZEROS}'");
    assert_eq!(error(&text), "the subject a has no sources");
    assert_eq!(
        error(&format!("{text}\nsources='12'")),
        "sources of a is no SHA-256 in lower-case digits"
    );
    let text = format!("{text}\nsources='{ZEROS}'");
    assert_eq!(error(&format!("{text}\n{text}")), "a stands there twice");
    let table = Table::parse(&text).expect("a table");
    let error = table
        .select(&["b".to_owned()])
        .expect_err("no such subject");
    assert_eq!(error, "no subject b; there are a");
}

#[test]
fn the_committed_table_is_fine() {
    let table = Table::read(&crate::root().join("tests/subjects.toml")).expect("a table");
    let with_tests = table
        .subjects
        .iter()
        .filter(|subject| subject.test_sources.is_some());
    assert_eq!((table.subjects.len(), with_tests.count()), (13, 7));
}

#[test]
fn the_cache_folder_is_found() {
    let root = |variables: &[(&str, &str)]| {
        cache_root(|name| {
            let found = variables.iter().find(|(key, _)| *key == name)?;
            Some(PathBuf::from(found.1))
        })
    };
    let home = ("HOME", "/h");
    let xdg = ("XDG_CACHE_HOME", "/x");
    let own = ("TELLTALE_CACHE", "/t");
    assert_eq!(root(&[home, xdg, own]), Ok(PathBuf::from("/t")));
    assert_eq!(root(&[home, xdg]), Ok(PathBuf::from("/x/telltale")));
    assert_eq!(root(&[home]), Ok(PathBuf::from("/h/.cache/telltale")));
    assert_eq!(
        root(&[home, ("XDG_CACHE_HOME", "relative"), ("TELLTALE_CACHE", "")]),
        Ok(PathBuf::from("/h/.cache/telltale"))
    );
    assert!(root(&[]).is_err());
}

#[test]
fn sha256_is_sha256() {
    // FIPS 180-2, appendix B.1.
    assert_eq!(
        sha256(b"abc"),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
}
