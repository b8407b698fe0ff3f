//! What `telltale debug uses` prints.

use serde::Serialize;

#[derive(Debug, Serialize)]
pub(crate) struct UseJson<'a> {
    pub(crate) path: &'a str,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) kind: &'a str,
    pub(crate) name: &'a str,
    pub(crate) target: Option<&'a str>,
    pub(crate) in_workspace: bool,
}
