//! What stops a project from being opened at all; everything smaller is a warning or a skipped file.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a project could not be opened. The message says what to do about it.
#[derive(Debug)]
pub enum ProjectError {
    /// The path names nothing.
    Missing(PathBuf),
    /// The root names a file.
    NotAFolder(PathBuf),
    /// The path that was asked for does not lie under the root that was asked for.
    OutsideRoot {
        /// What was to be analysed.
        path: PathBuf,
        /// The root that was given.
        root: PathBuf,
    },
    /// The operating system refuses to read it.
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A configuration file that is no UTF-8 text.
    NotUtf8(PathBuf),
}

impl ProjectError {
    /// The error for an operation on `path` that failed with `source`.
    pub(crate) fn from_io(path: &Path, source: io::Error) -> ProjectError {
        match source.kind() {
            io::ErrorKind::NotFound => ProjectError::Missing(path.to_path_buf()),
            io::ErrorKind::NotADirectory => ProjectError::NotAFolder(path.to_path_buf()),
            _ => ProjectError::Unreadable {
                path: path.to_path_buf(),
                source,
            },
        }
    }
}

impl fmt::Display for ProjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProjectError::Missing(path) => {
                write!(
                    f,
                    "{} does not exist; check the spelling of the path",
                    path.display()
                )
            }
            ProjectError::NotAFolder(path) => {
                write!(
                    f,
                    "{} is not a folder; the root must be one",
                    path.display()
                )
            }
            ProjectError::OutsideRoot { path, root } => write!(
                f,
                "{} lies outside the root {}; give a root that contains it, or leave the root out",
                path.display(),
                root.display()
            ),
            ProjectError::Unreadable { path, source } => write!(
                f,
                "{} cannot be read ({source}); check its permissions",
                path.display()
            ),
            ProjectError::NotUtf8(path) => {
                write!(f, "{} is not UTF-8 text; save it as UTF-8", path.display())
            }
        }
    }
}

impl std::error::Error for ProjectError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ProjectError::Unreadable { source, .. } => Some(source),
            _ => None,
        }
    }
}
