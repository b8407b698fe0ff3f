//! Compiling files as a part of the named module that they are of.

use super::Sources;
use crate::jdk::tool_of;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the compiler is told beside; nothing where the classes that the build made of the files are of no named module, or its name
/// is not known.
pub(super) fn options(sources: &Sources<'_>) -> Option<Vec<OsString>> {
    let like = sources.like?;
    let is_module =
        |folder: &&PathBuf| like.starts_with(folder) && folder.join("module-info.class").is_file();
    let folder = sources.class_path.iter().find(is_module)?;
    let name = name_of(sources.jdk, folder)?;
    let roots: BTreeSet<PathBuf> = sources.files.iter().filter_map(|f| root_of(f)).collect();
    let mut patch = OsString::from(format!("{name}="));
    patch.push(std::env::join_paths(roots).ok()?);
    let path = std::env::join_paths(sources.class_path).ok()?;
    Some(vec![
        "--module-path".into(),
        path,
        "--patch-module".into(),
        patch,
        "--add-reads".into(),
        format!("{name}=ALL-UNNAMED").into(),
    ])
}

/// The name of the module that a folder holds: what the JDK says of it.
fn name_of(jdk: Option<&Path>, folder: &Path) -> Option<String> {
    let mut command = Command::new(tool_of(jdk, "java"));
    command
        .arg("--module-path")
        .arg(folder)
        .arg("--list-modules");
    let said = command.env_remove("JAVA_TOOL_OPTIONS").output().ok()?;
    named(&String::from_utf8_lossy(&said.stdout))
}

/// `own.module file:///classes/` of lines such as `java.base@17.0.1`.
fn named(listed: &str) -> Option<String> {
    let own = listed.lines().find(|line| line.contains(" file:"))?;
    let name = own.split([' ', '@']).next()?;
    Some(name.to_owned())
}

/// The folder in which the packages of a source begin.
fn root_of(file: &Path) -> Option<PathBuf> {
    let text = std::fs::read_to_string(file).ok()?;
    let package = text.lines().find_map(|line| {
        let name = line.trim_start().strip_prefix("package ")?;
        name.split(';').next()
    });
    let depth = package.map_or(0, |name| name.trim().split('.').count());
    file.parent()?.ancestors().nth(depth).map(Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_jdk_s_words_name_the_module() {
        let listed = "java.base@17.0.1\njava.xml@17.0.1\nown.part file:///a%20b/classes/\n";
        assert_eq!(named(listed).as_deref(), Some("own.part"));
        let versioned = "own.part@1.2 file:///classes/\n";
        assert_eq!(named(versioned).as_deref(), Some("own.part"));
        assert_eq!(named("java.base@17.0.1\n"), None);
    }

    #[test]
    fn packages_begin_where_the_source_says() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("src/own/part/A.java");
        std::fs::create_dir_all(file.parent().expect("it has one")).expect("a folder");
        std::fs::write(
            &file,
            "// package other;\n package own.part ;\nclass A {}\n",
        )
        .expect("written");
        assert_eq!(root_of(&file), Some(folder.path().join("src")));
    }
}
