//! The JDK that compiles and runs.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A program of the JDK that `JAVA_HOME` names, else the one on the path.
pub fn tool(name: &str) -> PathBuf {
    let home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    match home.map(|home| program(&home, name)) {
        Some(own) if own.is_file() => own,
        _ => file_name(name).into(),
    }
}

/// A program of this JDK, or of the environment's if there is none.
pub(crate) fn tool_of(home: Option<&Path>, name: &str) -> PathBuf {
    home.map_or_else(|| tool(name), |home| program(home, name))
}

/// True if the compiler of this JDK, or of the environment's, takes `--release`: from 9 on, where the JDK is an image of
/// modules.
pub(crate) fn knows_release(home: Option<&Path>) -> bool {
    let javac = tool_of(home, "javac");
    let found = match javac.parent().is_some_and(|p| !p.as_os_str().is_empty()) {
        true => Some(javac),
        false => std::env::var_os("PATH").and_then(|path| {
            let mut all = std::env::split_paths(&path).map(|folder| folder.join(&javac));
            all.find(|file| file.is_file())
        }),
    };
    // What is on the path is often a link to it.
    let found = found.and_then(|file| file.canonicalize().ok());
    let home = found.as_deref().and_then(|file| file.parent()?.parent());
    home.is_some_and(|home| home.join("lib/modules").is_file())
}

/// Where a program of a JDK is.
pub fn program(home: &Path, name: &str) -> PathBuf {
    home.join("bin").join(file_name(name))
}

fn file_name(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

/// Has a command, and what it starts, find this JDK: by `JAVA_HOME` and first on the path.
pub(crate) fn lead(command: &mut Command, home: &Path) {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(home.join("bin")).chain(std::env::split_paths(&path));
    command.env("JAVA_HOME", home);
    // A folder whose name has a separator in it can be on no path.
    if let Ok(path) = std::env::join_paths(all) {
        command.env("PATH", path);
    }
}
