//! What a build of a root rests on, as one hash a file: whoever keeps what a build told sees by it what was changed since.
//!
//! That is every file below the root but what builds and tools write (outputs, hidden folders but `.mvn`, `node_modules`),
//! the user's own queries, the build files in the folders above, and the settings of Maven and Gradle of the user. What a
//! build reads elsewhere is not seen: a parent in a folder beside, what a remote repository has since. Contents are hashed,
//! not times: a file that comes back as it was is the same file.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use rayon::prelude::*;

use crate::queries::QUERIES;
use crate::{regular, walk};

/// How many files are looked at; beyond, nothing is said.
const MOST_FILES: usize = 100_000;

/// Up to how many bytes a file's content is hashed; of a larger one size and time.
const HASHED: u64 = 16_000_000;

/// The names of files that count above a root, too: of builds, and of tools that choose a Java.
const ABOVE: [&str; 9] = [
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "gradle.properties",
    ".java-version",
    ".tool-versions",
    "mise.toml",
];

/// Files of the user, below the home folder, that builds read.
const AT_HOME: [&str; 4] = [
    ".m2/settings.xml",
    ".m2/settings-security.xml",
    ".m2/toolchains.xml",
    ".mavenrc",
];

/// Files of Gradle, below its folder of the user; and a folder of more of them.
const OF_GRADLE: [&str; 3] = ["gradle.properties", "init.gradle", "init.gradle.kts"];
const INIT: &str = "init.d";

/// By path, as it is shown (from the root, or whole), what stands there.
pub type Prints = BTreeMap<String, u64>;

/// What is below a root, and around it. Nothing where that cannot be said: a folder that is a link or cannot be read, a
/// name that is not UTF-8, or very many files.
pub fn prints(root: &Path) -> Option<Prints> {
    let mut files = below(root, &|path| is_input(root, path))?;
    let queries = root.join(QUERIES);
    if queries.is_dir() {
        files.extend(below(&queries, &|_| true)?);
    }
    let maven = |folder: &Path| {
        let own = ["jvm.config", "maven.config", "extensions.xml"];
        own.map(|name| folder.join(".mvn").join(name))
    };
    for folder in root.ancestors().skip(1) {
        files.extend(ABOVE.iter().map(|name| folder.join(name)));
        files.extend(maven(folder));
    }
    if let Some(home) = std::env::home_dir() {
        files.extend(AT_HOME.iter().map(|name| home.join(name)));
    }
    let gradle = std::env::var_os("GRADLE_USER_HOME").map(PathBuf::from);
    if let Some(gradle) = gradle.or_else(|| Some(std::env::home_dir()?.join(".gradle"))) {
        files.extend(OF_GRADLE.iter().map(|name| gradle.join(name)));
        let init = gradle.join(INIT);
        if init.is_dir() {
            files.extend(below(&init, &|_| true)?);
        }
    }
    hashed(root, files)
}

/// What is on a class path: the class files below folders, the copies of `inputs` (which [`prints`] names) that stand
/// there, and the size and time of other files such as jars. What else stands in the folders may be what tests write.
pub fn class_prints<'a>(
    paths: impl IntoIterator<Item = &'a PathBuf>,
    inputs: &Prints,
) -> Option<Prints> {
    let mut by_name: HashMap<&str, Vec<&str>> = HashMap::new();
    for path in inputs.keys() {
        let name = path.rsplit('/').next().unwrap_or(path);
        by_name.entry(name).or_default().push(path);
    }
    // A resource stands in its place as it stood below a folder of resources.
    let is_copy = |folder: &Path, file: &Path| {
        let from = file.strip_prefix(folder).ok().and_then(Path::to_str);
        let from = from.map(|from| from.replace('\\', "/"));
        let name = from.as_deref().and_then(|f| f.rsplit('/').next());
        let of = name.and_then(|name| by_name.get(name)).into_iter();
        of.flatten().any(|input| {
            let before = from.as_deref().and_then(|f| input.strip_suffix(f));
            before.is_some_and(|b| b.is_empty() || b.ends_with('/'))
        })
    };
    let (mut files, mut out) = (Vec::new(), Prints::new());
    for path in paths {
        match std::fs::metadata(path) {
            Ok(data) if data.is_dir() => {
                let is_class = |f: &Path| f.extension().is_some_and(|e| e == "class");
                let all = below(path, &|_| true)?.into_iter();
                files.extend(all.filter(|f| is_class(f) || is_copy(path, f)));
            }
            Ok(data) => {
                out.insert(path.to_str()?.to_owned(), stamp(&data));
            }
            Err(_) => {
                out.insert(path.to_str()?.to_owned(), 0);
            }
        }
    }
    out.extend(hashed(Path::new(""), files)?);
    Some(out)
}

/// What is written by builds and tools is none.
fn is_input(root: &Path, folder: &Path) -> bool {
    match folder.file_name().and_then(|name| name.to_str()) {
        Some("node_modules") => false,
        Some(".mvn") => true,
        Some(name) if name.starts_with('.') => false,
        Some(name) => !(walk::OUTPUTS.contains(&name) && walk::is_output(root, folder)),
        None => true,
    }
}

/// All that is no folder, below a folder.
fn below(folder: &Path, enters: &dyn Fn(&Path) -> bool) -> Option<Vec<PathBuf>> {
    let mut open = vec![folder.to_path_buf()];
    let mut out = Vec::new();
    while let Some(at) = open.pop() {
        for entry in std::fs::read_dir(&at).ok()? {
            let entry = entry.ok()?;
            let (path, kind) = (entry.path(), entry.file_type().ok()?);
            let leads_to_folder = kind.is_symlink() && path.is_dir();
            if (kind.is_dir() || leads_to_folder) && !enters(&path) {
                continue;
            }
            // What is behind it may lie anywhere, and go in a circle.
            if leads_to_folder || out.len() == MOST_FILES {
                return None;
            }
            match kind.is_dir() {
                true => open.push(path),
                false => out.push(path),
            }
        }
    }
    Some(out)
}

fn hashed(root: &Path, files: Vec<PathBuf>) -> Option<Prints> {
    let one = |path: PathBuf| {
        let shown = path.strip_prefix(root).unwrap_or(&path).to_str()?;
        Some((shown.replace('\\', "/"), print(&path)))
    };
    files.into_par_iter().map(one).collect()
}

/// What stands in a file; 0 where there is none.
fn print(path: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    match regular::read(path, HASHED) {
        Ok(bytes) => hasher.write(&bytes),
        Err(regular::Refused::Oversized(_)) => {
            return std::fs::metadata(path).map_or(1, |data| stamp(&data));
        }
        // A pipe or a socket: that it is there.
        Err(regular::Refused::Io(_)) if path.exists() => return 1,
        Err(regular::Refused::Io(_)) => return 0,
    }
    hasher.finish() | 2
}

fn stamp(data: &std::fs::Metadata) -> u64 {
    let at = data.modified().ok();
    let at = at.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let mut hasher = DefaultHasher::new();
    hasher.write_u64(data.len());
    hasher.write_u128(at.map_or(0, |at| at.as_nanos()));
    hasher.finish() | 2
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::disallowed_methods)]
mod tests {
    use super::*;
    use std::fs;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in [
            ("pom.xml", "<project/>"),
            (".mvn/maven.config", "-q"),
            ("src/main/java/a/A.java", "class A {}"),
            ("src/test/resources/a.csv", "1"),
            ("src/main/java/a/target/B.java", "package a.target;"),
            ("target/classes/a/A.class", "class"),
            (".git/HEAD", "x"),
            (".telltale/evidence.db", "x"),
            (".telltale/queries/java/tests.scm", "x"),
        ] {
            let file = folder.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        folder
    }

    #[test]
    fn what_a_build_reads_is_seen_and_what_it_writes_is_not() {
        let folder = folder();
        let root = folder.path();
        let before = prints(root).unwrap();
        let changed = |path: &str, text: &str| {
            let file = root.join(path);
            let old = fs::read(&file).ok();
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, text).unwrap();
            let is_seen = prints(root).unwrap() != before;
            match old {
                Some(old) => fs::write(&file, old).unwrap(),
                None => fs::remove_file(&file).unwrap(),
            }
            assert_eq!(prints(root).unwrap(), before, "{path}");
            is_seen
        };
        for path in [
            "pom.xml",
            ".mvn/maven.config",
            "src/main/java/a/A.java",
            "src/main/java/a/New.java",
            "src/main/java/a/target/B.java",
            "src/test/resources/a.csv",
            "local.properties",
            ".telltale/queries/java/tests.scm",
        ] {
            assert!(changed(path, "other"), "{path}");
        }
        for path in [
            "target/classes/a/A.class",
            "target/surefire-reports/a.txt",
            ".git/HEAD",
            ".telltale/evidence.db",
            "node_modules/a/a.js",
        ] {
            assert!(!changed(path, "other"), "{path}");
        }
    }

    #[test]
    fn classes_are_told_by_what_is_in_them() {
        let folder = folder();
        let classes = [folder.path().join("target/classes"), "no.jar".into()];
        let inputs = prints(folder.path()).unwrap();
        let before = class_prints(&classes, &inputs).unwrap();
        assert_eq!(before["no.jar"], 0);
        let file = classes[0].join("a/A.class");
        fs::write(classes[0].join("a/notes.txt"), "x").unwrap();
        assert_eq!(class_prints(&classes, &inputs).unwrap(), before);
        // The copy of a resource counts, of which another may have made another.
        let copy = classes[0].join("a.csv");
        for text in ["1", "2"] {
            fs::write(&copy, text).unwrap();
            assert_ne!(class_prints(&classes, &inputs).unwrap(), before, "{text}");
        }
        fs::remove_file(&copy).unwrap();
        fs::write(&file, "other").unwrap();
        assert_ne!(class_prints(&classes, &inputs).unwrap(), before);
        fs::write(&file, "class").unwrap();
        assert_eq!(class_prints(&classes, &inputs).unwrap(), before);
        fs::remove_file(&file).unwrap();
        assert_ne!(class_prints(&classes, &inputs).unwrap(), before);
    }

    #[cfg(unix)]
    #[test]
    fn behind_a_link_nothing_is_known() {
        let folder = folder();
        let root = folder.path();
        std::os::unix::fs::symlink(root.join("src"), root.join(".hidden")).unwrap();
        assert!(prints(root).is_some());
        std::os::unix::fs::symlink(root.join("src"), root.join("more")).unwrap();
        assert_eq!(prints(root), None);
    }
}
