//! The root of the project that a path belongs to.

use std::path::{Component, Path, PathBuf};

use crate::ProjectError;

/// Files that make a folder the root of a build, or of a part of one.
const BUILD_FILES: &[&str] = &[
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
];

/// The root of the project around `path`: the nearest ancestor (itself included) with
/// `telltale.toml`, else the outermost folder with a build file on the way up, else the nearest
/// with `.git`, else `path` itself (the folder of a file). `explicit` overrides all of it, but must
/// be a folder around `path`.
///
/// The result is absolute. Fails if `path` or `explicit` does not exist.
pub fn find_root(path: &Path, explicit: Option<&Path>) -> Result<PathBuf, ProjectError> {
    let path = absolute(path)?;
    let metadata = std::fs::metadata(&path).map_err(|e| ProjectError::from_io(&path, e))?;
    if let Some(root) = explicit {
        let root = absolute(root)?;
        let is_dir = std::fs::metadata(&root)
            .map_err(|e| ProjectError::from_io(&root, e))?
            .is_dir();
        if !is_dir {
            return Err(ProjectError::NotAFolder(root));
        }
        if !path.starts_with(&root) && !canonical_starts_with(&path, &root) {
            return Err(ProjectError::OutsideRoot { path, root });
        }
        return Ok(root);
    }
    let start = match path.parent() {
        Some(folder) if !metadata.is_dir() => folder.to_path_buf(),
        _ => path,
    };
    let holding = |names: &'static [&'static str]| {
        start
            .ancestors()
            .filter(move |dir| names.iter().any(|name| dir.join(name).is_file()))
    };
    if let Some(dir) = holding(&["telltale.toml"]).next() {
        return Ok(dir.to_path_buf());
    }
    if let Some(dir) = holding(BUILD_FILES).last() {
        return Ok(dir.to_path_buf());
    }
    // `.git` is a file in a work tree or a submodule.
    if let Some(dir) = start.ancestors().find(|dir| dir.join(".git").exists()) {
        return Ok(dir.to_path_buf());
    }
    Ok(start)
}

/// True if a folder says of itself that it is a project of Java, by `telltale.toml` or a build file.
pub fn is_project(folder: &Path) -> bool {
    let mut files = BUILD_FILES.iter().chain(&["telltale.toml"]);
    files.any(|name| folder.join(name).is_file())
}

/// `path` made absolute. Links are resolved only where `..` makes that necessary, so that the
/// result is spelled as the user and the editor spell it.
fn absolute(path: &Path) -> Result<PathBuf, ProjectError> {
    let fail = |e| ProjectError::from_io(path, e);
    // The empty path is what `Path::parent` leaves of a bare file name.
    let path = if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    };
    if path.components().any(|c| c == Component::ParentDir) {
        return dunce::canonicalize(path).map_err(fail);
    }
    std::path::absolute(path).map_err(fail)
}

fn canonical_starts_with(path: &Path, root: &Path) -> bool {
    match (dunce::canonicalize(path), dunce::canonicalize(root)) {
        (Ok(path), Ok(root)) => path.starts_with(root),
        _ => false,
    }
}
