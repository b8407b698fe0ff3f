//! Changes of documents in the form that the client takes: `changes`, `documentChanges`, or with snippets.

use super::convert::{self, Coding};
use super::snippets::{snippet, starts_where_it_is_not_moved};
use super::workspace_edit::{DocumentEdit, New, Snippet, Step, TextEdit, WorkspaceEdit};
use super::world::{Found, Snapshot};
use crate::dismissed;
use ide::SourceChange;
use ide::dismissed::Entry;
use project::DISMISSED;
use text::{Edit, LineIndex};
use tower_lsp::ls_types as lsp;

/// What a change of several files is for, as the client shows it.
const LABELLED: &str = "telltale";

/// A change as the client takes it, with what it is for.
///
/// # Errors
/// If the client cannot do it, in words.
pub(crate) fn of(
    found: &Found,
    snapshot: &Snapshot,
    change: &SourceChange,
) -> Result<WorkspaceEdit, String> {
    let program = found.analysis.program();
    let coding = snapshot.coding;
    let file_gone = || "A file of this change is not there any more.".to_owned();
    let label = change.label.as_ref();
    let label = label.filter(|_| coding.client.annotates);
    let annotation = label.map(|_| LABELLED.to_owned());
    let mut steps = Vec::new();
    for (path, content) in &change.made {
        let uri = lsp::Uri::from_file_path(found.root.join(path)).ok_or_else(file_gone)?;
        steps.push(made(&uri, None, annotation.clone()));
        let text = one(lsp::Range::default(), content.clone(), annotation.clone());
        steps.push(edited(uri, None, vec![text]));
    }
    let mut placeholder = change
        .placeholder
        .clone()
        .filter(|_| coding.client.snippets);
    for (file, own) in &change.edits {
        let (Some(path), Some(text)) = (program.path(*file), program.text(*file)) else {
            return Err(file_gone());
        };
        let path = found.root.join(&**path);
        let index = LineIndex::new(text);
        let own_coding = snapshot.coding_in(&path);
        let range = |edit: &Edit| convert::range(&index, edit.span, own_coding);
        let plain = |e: &Edit| one(range(e), e.text.clone(), annotation.clone());
        let mut edits: Vec<_> = own.iter().map(plain).collect();
        if let Some(at) = placeholder.take()
            && let (Some(edit), Some(last)) = (own.last(), edits.last_mut())
            && starts_where_it_is_not_moved(range(edit), &edit.text)
            && let Some(value) = snippet(&edit.text, at)
        {
            last.new = New::Snippet(Snippet { value });
        }
        let uri = snapshot.uri_of(&path).ok_or_else(file_gone)?;
        steps.push(edited(uri, snapshot.version(&path), edits));
    }
    for file in change.gone.iter().filter(|_| coding.client.deletes_files) {
        let path = program.path(*file).ok_or_else(file_gone)?;
        let uri = snapshot.uri_of(&found.root.join(&**path));
        steps.push(Step::File(lsp::ResourceOp::Delete(lsp::DeleteFile {
            uri: uri.ok_or_else(file_gone)?,
            options: None,
            annotation_id: annotation.clone(),
        })));
    }
    let edit = whole(coding, steps).ok_or("This editor lets nobody make files, and an inner oracle needs a class beside the code: `telltale inner add` writes it.")?;
    let labels = label
        .filter(|_| edit.document_changes.is_some())
        .map(|label| {
            let label = lsp::ChangeAnnotation {
                label: label.clone(),
                // What is to be confirmed is shown without its ticks: agreeing would do nothing, or half of it.
                needs_confirmation: Some(false),
                description: None,
            };
            [(LABELLED.to_owned(), label)].into_iter().collect()
        });
    Ok(WorkspaceEdit {
        change_annotations: labels,
        ..edit
    })
}

/// *Not this one* as an edit of the file that remembers it; none where it would have to be made and the client makes no
/// files: see `dismissing`.
pub(crate) fn dismissal(found: &Found, entry: Entry) -> Option<WorkspaceEdit> {
    let dismissals = &*found.dismissals;
    let uri = lsp::Uri::from_file_path(found.root.join(DISMISSED))?;
    let at = lsp::Position::new(dismissals.next.unwrap_or(0), 0);
    let text = dismissals.written(&dismissed::dismissal(entry));
    let edit = lsp::TextEdit::new(lsp::Range::new(at, at), text);
    of_settings(found.coding, uri, dismissals.next.is_some(), edit)
}

/// An edit of a file beside the sources, which is made if it is not there; none if the client makes no files.
pub(crate) fn of_settings(
    coding: Coding,
    uri: lsp::Uri,
    is_there: bool,
    edit: lsp::TextEdit,
) -> Option<WorkspaceEdit> {
    // Somebody may have made it since.
    let options = lsp::CreateFileOptions {
        overwrite: None,
        ignore_if_exists: Some(true),
    };
    let make = (!is_there).then(|| made(&uri, Some(options), None));
    let edit = edited(uri, None, vec![one(edit.range, edit.new_text, None)]);
    whole(coding, make.into_iter().chain([edit]).collect())
}

fn made(
    uri: &lsp::Uri,
    options: Option<lsp::CreateFileOptions>,
    annotation_id: Option<String>,
) -> Step {
    Step::File(lsp::ResourceOp::Create(lsp::CreateFile {
        uri: uri.clone(),
        options,
        annotation_id,
    }))
}

fn one(range: lsp::Range, text: String, annotation_id: Option<String>) -> TextEdit {
    TextEdit {
        range,
        new: New::Text(text),
        annotation_id,
    }
}

fn edited(uri: lsp::Uri, version: Option<i32>, edits: Vec<TextEdit>) -> Step {
    Step::Document(DocumentEdit {
        text_document: lsp::OptionalVersionedTextDocumentIdentifier { uri, version },
        edits,
    })
}

/// The steps of a change in the form that the client takes; none if it cannot make the files that they make.
fn whole(coding: Coding, steps: Vec<Step>) -> Option<WorkspaceEdit> {
    let makes = |s: &Step| matches!(s, Step::File(lsp::ResourceOp::Create(_)));
    if !coding.client.creates_files && steps.iter().any(makes) {
        return None;
    }
    if coding.client.document_changes {
        return Some(WorkspaceEdit {
            document_changes: Some(steps),
            ..Default::default()
        });
    }
    let edits = steps.into_iter().filter_map(|step| match step {
        Step::Document(own) => Some((own.text_document.uri.to_string(), plain(own.edits))),
        Step::File(_) => None,
    });
    Some(WorkspaceEdit {
        changes: Some(edits.collect()),
        ..Default::default()
    })
}

/// Without what they are for.
fn plain(mut edits: Vec<TextEdit>) -> Vec<TextEdit> {
    for edit in &mut edits {
        edit.annotation_id = None;
    }
    edits
}
