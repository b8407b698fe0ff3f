//! *Show the evidence*: the page about a generated assertion, for editors that show pages as an answer, for all others as a file that
//! is opened.

use super::convert;
use super::world::{Found, Shared};
use crate::shown::evidence::Page;
use ide::suspects::{Opinion, at};
use serde_json::{Value, json};
use std::path::PathBuf;
use text::LineIndex;
use tower_lsp::ls_types as lsp;

/// Takes `[{ uri, position, show? }]`: with `show` the page is opened, too.
pub(crate) const EVIDENCE: &str = "telltale.evidence";

/// The file that is opened. There is one: the next question takes its place.
const FILE: &str = "evidence.md";

/// What a client asks for.
pub(super) struct Asked {
    pub(super) uri: lsp::Uri,
    at: lsp::Position,
    show: bool,
}

impl Asked {
    pub(super) fn of(argument: &Value) -> Option<Asked> {
        Some(Asked {
            uri: serde_json::from_value(argument.get("uri")?.clone()).ok()?,
            at: serde_json::from_value(argument.get("position")?.clone()).ok()?,
            show: argument.get("show").and_then(Value::as_bool) == Some(true),
        })
    }

    /// What runs the command.
    pub(super) fn argument(uri: &lsp::Uri, at: lsp::Position) -> Value {
        json!({ "uri": uri, "position": at, "show": true })
    }

    /// The answer, and what is to be opened.
    pub(super) fn answer(&self, found: &Found, index: &LineIndex) -> Option<(Value, PathBuf)> {
        let offset = convert::offset(index, self.at, found.coding);
        let (assertion, judged, opinion) = at(&found.analysis, found.file, offset)?;
        let Opinion::Suspect(_) = opinion else {
            return None;
        };
        let page = Page::new(&found.analysis, &judged, &assertion)?;
        let answer = json!({
            "title": page.title,
            "markdown": page.markdown(),
            "html": page.html(),
        });
        Some((answer, found.root.clone()))
    }

    /// Opens the page, if that was asked for; an editor that opens nothing is told where it is.
    pub(super) fn show(&self, world: &Shared, answer: Option<(Value, PathBuf)>) -> Option<Value> {
        let Some((answer, root)) = answer else {
            if self.show {
                world
                    .outbox
                    .inform("No violation is known that reaches an assertion here.".to_owned());
            }
            return None;
        };
        if self.show {
            let markdown = answer["markdown"].as_str().unwrap_or_default();
            match write(&root, markdown) {
                Err(problem) => world.outbox.warn(problem),
                Ok(file) => {
                    let uri = lsp::Uri::from_file_path(&file);
                    match uri.filter(|_| world.snapshot().coding.client.show_document) {
                        Some(uri) => world.outbox.show(uri, None),
                        None => world
                            .outbox
                            .inform(format!("The evidence is in {}", file.display())),
                    }
                }
            }
        }
        Some(answer)
    }
}

/// Writes the page where git does not see it.
fn write(root: &std::path::Path, markdown: &str) -> Result<PathBuf, String> {
    let folder = project::own_folder(root).map_err(|e| e.to_string())?;
    let file = folder.join(FILE);
    match std::fs::write(&file, markdown) {
        Ok(()) => Ok(file),
        Err(e) => Err(format!("{} cannot be written: {e}", file.display())),
    }
}
