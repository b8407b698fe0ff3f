//! A workspace's own queries for tests and assertions: `.telltale/queries/java/tests.scm` and `assertions.scm`.

use crate::error::ProjectError;
use std::io::ErrorKind;
use std::path::Path;

/// Where they lie, under the root.
pub const QUERIES: &str = ".telltale/queries/java";

/// The texts of those that are there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserQueries {
    /// `tests.scm`.
    pub tests: Option<String>,
    /// `assertions.scm`.
    pub assertions: Option<String>,
}

impl UserQueries {
    /// True if the workspace has none.
    pub fn is_empty(&self) -> bool {
        self.tests.is_none() && self.assertions.is_none()
    }
}

/// Reads the queries of the workspace at `root`. Errors: a file that is there and cannot be read, or is no UTF-8.
pub fn load_queries(root: &Path) -> Result<UserQueries, ProjectError> {
    let one = |name: &str| {
        let path = root.join(QUERIES).join(name);
        match std::fs::read(&path) {
            Ok(bytes) => String::from_utf8(bytes)
                .map(Some)
                .map_err(|_| ProjectError::NotUtf8(path)),
            Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                Ok(None)
            }
            Err(e) => Err(ProjectError::from_io(&path, e)),
        }
    };
    Ok(UserQueries {
        tests: one("tests.scm")?,
        assertions: one("assertions.scm")?,
    })
}
