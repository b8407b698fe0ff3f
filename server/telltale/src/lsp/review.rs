//! *Review the assertions of this class*: a test class that no tool signed counts as generated from now on. The editor writes that into
//! `telltale.toml`, where the team sees it; where it can make no files, and that one is not there, the server makes it.

use super::convert;
use super::edits;
use super::workspace_edit::{CodeAction, WorkspaceEdit};
use super::world::Found;
use crate::whole::made;
use oracle::TestKind;
use program::TypeId;
use project::config::{CONFIG, call_generated};
use serde_json::{Value, json};
use std::path::PathBuf;
use text::{LineIndex, Span};
use tower_lsp::ls_types as lsp;

/// Takes `[{ uri }]`.
pub(crate) const REVIEW: &str = "telltale.review";

/// The action on the name of a test class that does not count as generated.
pub(super) fn action(found: &Found, range: Span, uri: &lsp::Uri) -> Option<CodeAction> {
    if !found.coding.client.apply_edit && found.root.join(CONFIG).exists() {
        return None;
    }
    let program = found.analysis.program();
    let mut types = program.types_of_file(found.file).iter().copied();
    let named = |t: &TypeId| {
        let decl = program.type_decl(*t);
        decl.is_some_and(|d| d.enclosing.is_none() && d.name_span.covers(range))
    };
    let class = types.find(named)?;
    if program.generated(class).is_some() || !has_tests(found, class) {
        return None;
    }
    let title = "Review the assertions of this class as generated ones".to_owned();
    Some(CodeAction {
        title: title.clone(),
        kind: Some(lsp::CodeActionKind::REFACTOR),
        command: Some(lsp::Command {
            title,
            command: REVIEW.to_owned(),
            arguments: Some(vec![json!({ "uri": uri })]),
        }),
        ..Default::default()
    })
}

fn has_tests(found: &Found, class: TypeId) -> bool {
    let suite = found.analysis.workspace().suite();
    let mut methods = found.analysis.program().methods_of_type(class).iter();
    methods.any(|m| suite.kind(*m) == Some(TestKind::Test))
}

/// The file of a command's argument.
pub(super) fn uri_of(argument: &Value) -> Option<lsp::Uri> {
    serde_json::from_value(argument.get("uri")?.clone()).ok()
}

/// What was done.
pub(super) enum Done {
    /// `telltale.toml` was made: this file.
    Made(PathBuf),
    /// The change of it for the editor; none where the file counts as generated already.
    Edit(Option<WorkspaceEdit>),
}

/// Has the tests of a file count as generated.
///
/// # Errors
/// Why it cannot be, as a sentence.
pub(super) fn done(found: &Found) -> Result<Done, String> {
    let program = found.analysis.program();
    let types = program.types_of_file(found.file);
    if !types.iter().any(|t| has_tests(found, *t)) {
        return Err("There are no tests in this file.".to_owned());
    }
    if types.iter().any(|t| program.generated(*t).is_some()) {
        return Err("The tests of this file count as generated.".to_owned());
    }
    let path = program.path(found.file).map_or("", |p| p);
    let file = found.root.join(CONFIG);
    let (is_there, text) = match std::fs::read_to_string(&file) {
        Ok(text) => (true, text),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => (false, String::new()),
        Err(e) => return Err(format!("{CONFIG} cannot be read: {e}.")),
    };
    let Some((range, new_text)) = call_generated(&text, path).map_err(|e| format!("{e}."))? else {
        return Ok(Done::Edit(None));
    };
    let client = &found.coding.client;
    let is_for_editor = is_there || client.creates_files && client.apply_edit;
    if !is_for_editor {
        return match made(&found.root, CONFIG, &new_text) {
            Ok(true) => Ok(Done::Made(file)),
            Ok(false) => Err(format!("{CONFIG} is there by now: choose it again.")),
            Err(e) => Err(format!("{CONFIG} cannot be written: {e}.")),
        };
    }
    let of = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let index = LineIndex::new(&text);
    let range = convert::range(
        &index,
        Span::new(of(range.start), of(range.end)),
        found.coding,
    );
    let uri = lsp::Uri::from_file_path(&file).ok_or("The folder has no path.")?;
    let edit = lsp::TextEdit::new(range, new_text);
    let edit = edits::of_settings(found.coding, uri, is_there, edit);
    Ok(Done::Edit(edit))
}
