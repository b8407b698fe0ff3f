//! The JDK that compiles and runs.

use std::path::PathBuf;

/// A program of the JDK that `JAVA_HOME` names, else the one on the path.
pub fn tool(name: &str) -> PathBuf {
    let home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    let program = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    match home.map(|h| h.join("bin").join(&program)) {
        Some(own) if own.is_file() => own,
        _ => program.into(),
    }
}
