//! A workspace's own queries for tests and assertions: `.telltale/queries/java/tests.scm` and `assertions.scm`.

use crate::error::ProjectError;
use crate::read::read_own;
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
    let one = |name: &str| read_own(&root.join(QUERIES).join(name));
    Ok(UserQueries {
        tests: one("tests.scm")?,
        assertions: one("assertions.scm")?,
    })
}
