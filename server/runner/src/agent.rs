//! The agent's jar, which this binary carries.

use std::fmt;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};

/// The jar, or nothing if there was no JDK or no Maven where this binary was built.
pub const AGENT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/telltale-agent.jar"));

/// Why there is no jar to give to a JVM.
#[derive(Debug)]
pub enum NoAgent {
    /// The binary was built without it.
    NotBuilt,
    /// It could not be written to this path.
    NotWritten(PathBuf, io::Error),
}

impl fmt::Display for NoAgent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotBuilt => out.write_str(
                "this Telltale was built without its agent; install a JDK (9 or newer) and Maven, and build it again",
            ),
            Self::NotWritten(path, error) => {
                write!(out, "cannot write the agent to {}: {error}", path.display())
            }
        }
    }
}

impl std::error::Error for NoAgent {}

/// Writes the jar into `folder`, unless it is there, and tells its path. Its name says its content, and it appears
/// whole: a JVM that runs with it and another Telltale that writes it never see a part.
///
/// # Errors
/// If this binary has no agent, or the folder cannot be written.
pub fn agent_jar(folder: &Path) -> Result<PathBuf, NoAgent> {
    write_whole(folder, AGENT)
}

fn write_whole(folder: &Path, jar: &[u8]) -> Result<PathBuf, NoAgent> {
    if jar.is_empty() {
        return Err(NoAgent::NotBuilt);
    }
    let mut hasher = DefaultHasher::new();
    hasher.write(jar);
    let name = format!("telltale-agent-{:016x}.jar", hasher.finish());
    let path = folder.join(&name);
    if fs::metadata(&path).is_ok_and(|it| it.len() == jar.len() as u64) {
        return Ok(path);
    }
    let temporary = folder.join(format!("{name}.{}", std::process::id()));
    let written = fs::create_dir_all(folder)
        .and_then(|()| fs::write(&temporary, jar))
        .and_then(|()| fs::rename(&temporary, &path));
    match written {
        Ok(()) => Ok(path),
        Err(error) => {
            // What is half written helps nobody; if it cannot be removed either, the first error says why.
            let _ = fs::remove_file(&temporary);
            Err(NoAgent::NotWritten(path, error))
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn folder(name: &str) -> PathBuf {
        let name = format!("telltale-agent-jar-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn the_jar_is_written_whole_and_once() {
        let folder = folder("once");
        let path = write_whole(&folder, b"a jar").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"a jar");
        assert_eq!(write_whole(&folder, b"a jar").unwrap(), path);
        // A writer that died left a part of it.
        fs::write(&path, b"a").unwrap();
        assert_eq!(write_whole(&folder, b"a jar").unwrap(), path);
        assert_eq!(fs::read(&path).unwrap(), b"a jar");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn another_jar_has_another_name() {
        let folder = folder("names");
        let one = write_whole(&folder, b"a jar").unwrap();
        assert_ne!(write_whole(&folder, b"b jar").unwrap(), one);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_missing_jar_says_what_to_install() {
        let folder = folder("missing");
        let problem = write_whole(&folder, b"").unwrap_err().to_string();
        assert!(problem.contains("install a JDK"), "{problem}");
        assert!(!folder.exists());
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let folder = folder("file");
        fs::write(&folder, "a file").unwrap();
        let problem = write_whole(&folder.join("in"), b"a jar").unwrap_err();
        assert!(problem.to_string().contains("telltale-agent-"), "{problem}");
        fs::remove_file(&folder).unwrap();
    }
}
