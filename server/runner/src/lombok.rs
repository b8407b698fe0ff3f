//! Lombok for sources that need it where the tests' class path has none: builds give it to the compiler alone.

use std::path::{Path, PathBuf};

/// True for a jar of it.
pub(crate) fn is_lombok(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with("lombok"))
}

/// The newest one in the caches in which jars of the class path lie, if one of the files imports it.
pub(crate) fn beside(files: &[PathBuf], class_path: &[PathBuf]) -> Option<PathBuf> {
    let imports = |file: &PathBuf| {
        let text = std::fs::read(file).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        text.lines()
            .any(|l| l.trim_start().starts_with("import lombok."))
    };
    if !files.iter().any(imports) {
        return None;
    }
    let mut caches: Vec<PathBuf> = class_path.iter().filter_map(|jar| cache(jar)).collect();
    caches.sort();
    caches.dedup();
    let mut found: Vec<(Vec<u32>, PathBuf)> = Vec::new();
    for cache in caches {
        for version in entries(&cache) {
            let name = version.file_name().and_then(|n| n.to_str());
            let Some(name) = name.filter(|n| n.starts_with(|c: char| c.is_ascii_digit())) else {
                continue;
            };
            let jar = format!("lombok-{name}.jar");
            // Gradle has a folder between, named by a hash.
            let inside = entries(&version)
                .into_iter()
                .map(|folder| folder.join(&jar));
            let mut all = std::iter::once(version.join(&jar)).chain(inside);
            if let Some(jar) = all.find(|jar| jar.is_file()) {
                let numbers = name.split(['.', '-']).map_while(|n| n.parse().ok());
                found.push((numbers.collect(), jar));
            }
        }
    }
    found.into_iter().max().map(|(_, jar)| jar)
}

/// Where Maven's repository or Gradle's cache that a jar lies in has Lombok.
fn cache(jar: &Path) -> Option<PathBuf> {
    let of_gradle = jar
        .ancestors()
        .nth(5)
        .filter(|at| at.ends_with("files-2.1"));
    if let Some(files) = of_gradle {
        return Some(files.join("org.projectlombok/lombok"));
    }
    let repository = jar.ancestors().find(|at| at.ends_with(".m2/repository"))?;
    Some(repository.join("org/projectlombok/lombok"))
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut out: Vec<PathBuf> = all.map(|entry| entry.path()).collect();
    out.sort();
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_newest_one_beside_the_jars_is_taken_where_a_file_asks_for_it() {
        let home = tempfile::tempdir().unwrap();
        let make = |path: &str, text: &str| {
            let file = home.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, text).unwrap();
            file
        };
        let plain = make("src/A.java", "class A { } // import lombok.Data;\n");
        let asks = make("src/B.java", "package b;\n  import lombok.Data;\n");
        let gradle = ".gradle/caches/modules-2/files-2.1";
        let junit = make(&format!("{gradle}/junit/junit/4.13/abc/junit-4.13.jar"), "");
        let lombok = format!("{gradle}/org.projectlombok/lombok");
        make(&format!("{lombok}/1.18.4/abc/lombok-1.18.4.jar"), "");
        make(
            &format!("{lombok}/1.18.30/aaa/lombok-1.18.30-sources.jar"),
            "",
        );
        let newest = make(&format!("{lombok}/1.18.30/def/lombok-1.18.30.jar"), "");
        make(&format!("{lombok}/1.18.40/abc/lombok-1.18.40.pom"), "");
        let path = [junit];
        assert_eq!(beside(std::slice::from_ref(&plain), &path), None);
        assert_eq!(beside(&[plain, asks.clone()], &path), Some(newest));
        let maven = make(".m2/repository/a/a/1/a-1.jar", "");
        assert_eq!(
            beside(std::slice::from_ref(&asks), std::slice::from_ref(&maven)),
            None
        );
        let jar = "org/projectlombok/lombok/1.16.2/lombok-1.16.2.jar";
        let jar = make(&format!(".m2/repository/{jar}"), "");
        assert_eq!(beside(std::slice::from_ref(&asks), &[maven]), Some(jar));
        assert_eq!(beside(&[asks], &[home.path().join("classes")]), None);
    }
}
