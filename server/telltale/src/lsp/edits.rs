//! Changes of documents in the form that the client takes: `changes`, `documentChanges`, or with snippets.

use super::convert::{self, Coding};
use super::snippets::{annotated, snippet, starts_where_it_is_not_moved};
use super::world::{Found, Snapshot};
use crate::dismissed;
use ide::SourceChange;
use ide::dismissed::Entry;
use project::DISMISSED;
use text::{Edit, LineIndex};
use tower_lsp::ls_types as lsp;

/// What a change of several files is for, as the client shows it.
const LABELLED: &str = "telltale";

/// A change as the client takes it, with what it is for if that is to be shown.
///
/// # Errors
/// If the client cannot do it, in words.
pub(crate) fn of(
    found: &Found,
    snapshot: &Snapshot,
    change: &SourceChange,
    label: Option<&str>,
) -> Result<lsp::WorkspaceEdit, String> {
    let program = found.analysis.program();
    let coding = snapshot.coding;
    let file_gone = || "A file of this change is not there any more.".to_owned();
    let label = label.filter(|_| coding.client.annotates);
    let annotation = label.map(|_| LABELLED.to_owned());
    let mut steps = Vec::new();
    for (path, content) in &change.made {
        let uri = lsp::Uri::from_file_path(found.root.join(path)).ok_or_else(file_gone)?;
        steps.push(made(&uri, None, annotation.clone()));
        let text = lsp::TextEdit::new(lsp::Range::default(), content.clone());
        steps.push(edited(uri, None, vec![one(text, annotation.clone())]));
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
        let plain = |e: &Edit| lsp::TextEdit::new(range(e), e.text.clone());
        let mut edits: Vec<_> = own
            .iter()
            .map(|e| one(plain(e), annotation.clone()))
            .collect();
        if let Some(at) = placeholder.take()
            && let (Some(edit), Some(last)) = (own.last(), edits.last_mut())
            && starts_where_it_is_not_moved(range(edit), &edit.text)
            && let Some(text) = snippet(&edit.text, at)
        {
            let text = lsp::TextEdit::new(range(edit), text);
            *last = one(text, Some(annotated(annotation.as_deref())));
        }
        let uri = snapshot.uri_of(&path).ok_or_else(file_gone)?;
        steps.push(edited(uri, snapshot.version(&path), edits));
    }
    for file in change.gone.iter().filter(|_| coding.client.deletes_files) {
        let path = program.path(*file).ok_or_else(file_gone)?;
        let uri = snapshot.uri_of(&found.root.join(&**path));
        steps.push(lsp::DocumentChangeOperation::Op(lsp::ResourceOp::Delete(
            lsp::DeleteFile {
                uri: uri.ok_or_else(file_gone)?,
                options: None,
                annotation_id: annotation.clone(),
            },
        )));
    }
    let edit = whole(coding, steps).ok_or("This editor lets nobody make files, and an inner oracle needs a class beside the code: `telltale inner add` writes it.")?;
    let labels = label
        .filter(|_| edit.document_changes.is_some())
        .map(|label| {
            let label = lsp::ChangeAnnotation {
                label: label.to_owned(),
                // What is to be confirmed is shown without its ticks: agreeing would do nothing, or half of it.
                needs_confirmation: Some(false),
                description: None,
            };
            [(LABELLED.to_owned(), label)].into_iter().collect()
        });
    Ok(lsp::WorkspaceEdit {
        change_annotations: labels,
        ..edit
    })
}

/// *Not this one* as an edit of the file that remembers it; none where it would have to be made and the client makes no
/// files: see `dismissing`.
pub(crate) fn dismissal(found: &Found, entry: Entry) -> Option<lsp::WorkspaceEdit> {
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
) -> Option<lsp::WorkspaceEdit> {
    // Somebody may have made it since.
    let options = lsp::CreateFileOptions {
        overwrite: None,
        ignore_if_exists: Some(true),
    };
    let make = (!is_there).then(|| made(&uri, Some(options), None));
    let edit = edited(uri, None, vec![lsp::OneOf::Left(edit)]);
    whole(coding, make.into_iter().chain([edit]).collect())
}

fn made(
    uri: &lsp::Uri,
    options: Option<lsp::CreateFileOptions>,
    annotation_id: Option<String>,
) -> lsp::DocumentChangeOperation {
    lsp::DocumentChangeOperation::Op(lsp::ResourceOp::Create(lsp::CreateFile {
        uri: uri.clone(),
        options,
        annotation_id,
    }))
}

type OneEdit = lsp::OneOf<lsp::TextEdit, lsp::AnnotatedTextEdit>;

fn one(text_edit: lsp::TextEdit, annotation: Option<String>) -> OneEdit {
    match annotation {
        Some(annotation_id) => lsp::OneOf::Right(lsp::AnnotatedTextEdit {
            text_edit,
            annotation_id,
        }),
        None => lsp::OneOf::Left(text_edit),
    }
}

fn edited(
    uri: lsp::Uri,
    version: Option<i32>,
    edits: Vec<OneEdit>,
) -> lsp::DocumentChangeOperation {
    lsp::DocumentChangeOperation::Edit(lsp::TextDocumentEdit {
        text_document: lsp::OptionalVersionedTextDocumentIdentifier { uri, version },
        edits,
    })
}

/// The steps of a change in the form that the client takes; none if it cannot make the files that they make.
#[allow(clippy::mutable_key_type)]
fn whole(coding: Coding, steps: Vec<lsp::DocumentChangeOperation>) -> Option<lsp::WorkspaceEdit> {
    use lsp::DocumentChangeOperation::{Edit, Op};
    let makes = |s: &_| matches!(s, Op(lsp::ResourceOp::Create(_)));
    if !coding.client.creates_files && steps.iter().any(makes) {
        return None;
    }
    if coding.client.document_changes {
        return Some(lsp::WorkspaceEdit {
            document_changes: Some(lsp::DocumentChanges::Operations(steps)),
            ..Default::default()
        });
    }
    let plain = |edit: OneEdit| match edit {
        lsp::OneOf::Left(edit) => edit,
        lsp::OneOf::Right(annotated) => annotated.text_edit,
    };
    let edits = steps.into_iter().filter_map(|step| match step {
        Edit(own) => Some((
            own.text_document.uri,
            own.edits.into_iter().map(plain).collect(),
        )),
        Op(_) => None,
    });
    Some(lsp::WorkspaceEdit {
        changes: Some(edits.collect()),
        ..Default::default()
    })
}
