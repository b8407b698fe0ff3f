//! Changes of documents in the form that the client takes: `changes`, `documentChanges`, or with snippets, where the
//! part of an assertion that is to be filled in is selected.

use super::convert;
use super::world::{Found, Snapshot};
use crate::dismissed;
use ide::action::Insertion;
use ide::dismissed::Entry;
use ide::inner::SourceChange;
use project::DISMISSED;
use serde_json::{Value, json};
use text::LineIndex;
use tower_lsp::ls_types as lsp;

/// Marks an edit whose text is a snippet until it goes out: the types of the protocol that we use know none.
const SNIPPET: &str = "telltale: a snippet";

/// What a change of several files is for, as the client shows it.
const LABELLED: &str = "telltale";

/// An assertion as an edit of its document.
#[allow(clippy::mutable_key_type)]
pub(crate) fn insertion(
    found: &Found,
    index: &LineIndex,
    snapshot: &Snapshot,
    uri: &lsp::Uri,
    insertion: Insertion,
) -> lsp::WorkspaceEdit {
    let coding = found.coding;
    let range = convert::range(index, insertion.edit.span, coding);
    let snippet = match coding.snippets && starts_where_it_is_not_moved(range, &insertion) {
        true => snippet(&insertion),
        false => None,
    };
    let edit = lsp::TextEdit::new(range, insertion.edit.text);
    let imports = insertion
        .imports
        .into_iter()
        .map(|e| lsp::TextEdit::new(convert::range(index, e.span, coding), e.text));
    if !coding.document_changes {
        let edits = imports.chain([edit]).collect();
        return lsp::WorkspaceEdit {
            changes: Some([(uri.clone(), edits)].into_iter().collect()),
            ..Default::default()
        };
    }
    let edit = match snippet {
        Some(new_text) => lsp::OneOf::Right(lsp::AnnotatedTextEdit {
            text_edit: lsp::TextEdit { new_text, ..edit },
            annotation_id: SNIPPET.to_owned(),
        }),
        None => lsp::OneOf::Left(edit),
    };
    let version = convert::path_of(uri).and_then(|p| snapshot.version(&p));
    lsp::WorkspaceEdit {
        document_changes: Some(lsp::DocumentChanges::Edits(vec![lsp::TextDocumentEdit {
            text_document: lsp::OptionalVersionedTextDocumentIdentifier {
                uri: uri.clone(),
                version,
            },
            edits: imports.map(lsp::OneOf::Left).chain([edit]).collect(),
        }])),
        ..Default::default()
    }
}

/// An edit of a document, as it is.
#[allow(clippy::mutable_key_type)]
pub(crate) fn plain(
    found: &Found,
    index: &LineIndex,
    snapshot: &Snapshot,
    uri: &lsp::Uri,
    edit: text::Edit,
) -> lsp::WorkspaceEdit {
    let range = convert::range(index, edit.span, found.coding);
    let edit = lsp::TextEdit::new(range, edit.text);
    if !found.coding.document_changes {
        return lsp::WorkspaceEdit {
            changes: Some([(uri.clone(), vec![edit])].into_iter().collect()),
            ..Default::default()
        };
    }
    let version = convert::path_of(uri).and_then(|p| snapshot.version(&p));
    lsp::WorkspaceEdit {
        document_changes: Some(lsp::DocumentChanges::Edits(vec![lsp::TextDocumentEdit {
            text_document: lsp::OptionalVersionedTextDocumentIdentifier {
                uri: uri.clone(),
                version,
            },
            edits: vec![lsp::OneOf::Left(edit)],
        }])),
        ..Default::default()
    }
}

/// *Not this one* as an edit of the file that remembers it; none where it would have to be made and the client makes no
/// files.
#[allow(clippy::mutable_key_type)]
pub(crate) fn dismissal(found: &Found, entry: Entry) -> Option<lsp::WorkspaceEdit> {
    let (coding, dismissals) = (found.coding, &*found.dismissals);
    let uri = lsp::Uri::from_file_path(found.root.join(DISMISSED))?;
    let at = lsp::Position::new(dismissals.next.unwrap_or(0), 0);
    let text = dismissals.written(&dismissed::dismissal(entry));
    let edit = lsp::TextEdit::new(lsp::Range::new(at, at), text);
    if !coding.document_changes {
        let changes = [(uri, vec![edit])].into_iter().collect();
        return dismissals.next.map(|_| lsp::WorkspaceEdit {
            changes: Some(changes),
            ..Default::default()
        });
    }
    let edits = lsp::DocumentChangeOperation::Edit(lsp::TextDocumentEdit {
        text_document: lsp::OptionalVersionedTextDocumentIdentifier {
            uri: uri.clone(),
            version: None,
        },
        edits: vec![lsp::OneOf::Left(edit)],
    });
    let create = || {
        lsp::DocumentChangeOperation::Op(lsp::ResourceOp::Create(lsp::CreateFile {
            uri,
            // Somebody may have made it since.
            options: Some(lsp::CreateFileOptions {
                overwrite: None,
                ignore_if_exists: Some(true),
            }),
            annotation_id: None,
        }))
    };
    let operations = match dismissals.next {
        Some(_) => vec![edits],
        None if coding.creates_files => vec![create(), edits],
        None => return None,
    };
    Some(lsp::WorkspaceEdit {
        document_changes: Some(lsp::DocumentChanges::Operations(operations)),
        ..Default::default()
    })
}

/// A change of several files.
///
/// # Errors
/// If the client cannot do it, in words.
#[allow(clippy::mutable_key_type)]
pub(crate) fn of_files(
    found: &Found,
    snapshot: &Snapshot,
    change: &SourceChange,
    label: &str,
) -> Result<lsp::WorkspaceEdit, String> {
    let program = found.analysis.program();
    let coding = snapshot.coding;
    let file_gone = || "A file of this change is not there any more.".to_owned();
    let mut edits: Vec<(lsp::Uri, Option<i32>, Vec<lsp::TextEdit>)> = Vec::new();
    for (file, own) in &change.edits {
        let (Some(path), Some(text)) = (program.path(*file), program.text(*file)) else {
            return Err(file_gone());
        };
        let path = found.root.join(&**path);
        let index = LineIndex::new(text);
        let own_coding = snapshot.coding_in(&path);
        let own = own.iter().map(|e| {
            lsp::TextEdit::new(convert::range(&index, e.span, own_coding), e.text.clone())
        });
        let uri = snapshot.uri_of(&path).ok_or_else(file_gone)?;
        edits.push((uri, snapshot.version(&path), own.collect()));
    }
    if !coding.document_changes || (!coding.creates_files && !change.made.is_empty()) {
        if !change.made.is_empty() {
            return Err("This editor lets nobody make files, and an inner oracle needs a class beside the code: `telltale inner add` writes it.".to_owned());
        }
        let edits = edits.into_iter().map(|(uri, _, edits)| (uri, edits));
        return Ok(lsp::WorkspaceEdit {
            changes: Some(edits.collect()),
            ..Default::default()
        });
    }
    let annotation = coding.annotates.then(|| LABELLED.to_owned());
    let one = |edit: lsp::TextEdit| match &annotation {
        Some(id) => lsp::OneOf::Right(lsp::AnnotatedTextEdit {
            text_edit: edit,
            annotation_id: id.clone(),
        }),
        None => lsp::OneOf::Left(edit),
    };
    let text = |uri: lsp::Uri, version: Option<i32>, edits: Vec<lsp::TextEdit>| {
        lsp::DocumentChangeOperation::Edit(lsp::TextDocumentEdit {
            text_document: lsp::OptionalVersionedTextDocumentIdentifier { uri, version },
            edits: edits.into_iter().map(one).collect(),
        })
    };
    let mut operations = Vec::new();
    for (path, content) in &change.made {
        let uri = lsp::Uri::from_file_path(found.root.join(path)).ok_or_else(file_gone)?;
        operations.push(lsp::DocumentChangeOperation::Op(lsp::ResourceOp::Create(
            lsp::CreateFile {
                uri: uri.clone(),
                options: None,
                annotation_id: annotation.clone(),
            },
        )));
        let start = lsp::Range::default();
        operations.push(text(
            uri,
            None,
            vec![lsp::TextEdit::new(start, content.clone())],
        ));
    }
    operations.extend(
        edits
            .into_iter()
            .map(|(uri, version, edits)| text(uri, version, edits)),
    );
    for file in change.gone.iter().filter(|_| coding.deletes_files) {
        let path = program.path(*file).ok_or_else(file_gone)?;
        let uri = snapshot
            .uri_of(&found.root.join(&**path))
            .ok_or_else(file_gone)?;
        operations.push(lsp::DocumentChangeOperation::Op(lsp::ResourceOp::Delete(
            lsp::DeleteFile {
                uri,
                options: None,
                annotation_id: annotation.clone(),
            },
        )));
    }
    let labels = annotation.map(|id| {
        let label = lsp::ChangeAnnotation {
            label: label.to_owned(),
            // What is to be confirmed is shown without its ticks: agreeing would do nothing, or half of it.
            needs_confirmation: Some(false),
            description: None,
        };
        [(id, label)].into_iter().collect()
    });
    Ok(lsp::WorkspaceEdit {
        changes: None,
        document_changes: Some(lsp::DocumentChanges::Operations(operations)),
        change_annotations: labels,
    })
}

/// Editors indent the further lines of a snippet as the line where it starts; ours are indented already. At the start of
/// a line that adds nothing.
fn starts_where_it_is_not_moved(range: lsp::Range, insertion: &Insertion) -> bool {
    range.start.character == 0 || !insertion.edit.text.contains('\n')
}

/// The text of an insertion in the grammar of snippets: the cursor goes to what is to be filled in, then behind the
/// assertion.
fn snippet(insertion: &Insertion) -> Option<String> {
    let text = &insertion.edit.text;
    let at = insertion.placeholder.clone();
    let end = text.trim_end().len();
    Some(format!(
        "{}${{1:{}}}{}$0{}",
        escaped(text.get(..at.start)?),
        escaped(text.get(at.clone())?),
        escaped(text.get(at.end..end)?),
        escaped(text.get(end..)?)
    ))
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '$' | '}' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// An edit of a workspace, or an answer with such edits, as it goes out.
pub(crate) fn outgoing(mut value: Value) -> Value {
    let mut open = vec![&mut value];
    while let Some(next) = open.pop() {
        match next {
            Value::Object(fields) if fields.get("annotationId") == Some(&Value::from(SNIPPET)) => {
                let text = fields.remove("newText");
                fields.remove("annotationId");
                fields.insert(
                    "snippet".to_owned(),
                    json!({ "kind": "snippet", "value": text }),
                );
            }
            Value::Object(fields) => open.extend(fields.values_mut()),
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use text::{Edit, Span};

    #[test]
    fn a_snippet_selects_what_is_to_be_filled_in() {
        let text = "    assertEquals(\"?\", a.map(\"${x}\\n\"));\n";
        let at = text.find('?').expect("it is there");
        let insertion = Insertion {
            edit: Edit::new(Span::new(0, 0), text.to_owned()),
            is_finished: false,
            imports: Vec::new(),
            placeholder: at..at + 1,
        };
        assert_eq!(
            snippet(&insertion).as_deref(),
            Some("    assertEquals(\"${1:?}\", a.map(\"\\${x\\}\\\\n\"));$0\n")
        );
        assert_eq!(
            outgoing(
                json!([{ "edits": [{ "newText": "$0", "annotationId": SNIPPET }, { "newText": "b" }] }])
            ),
            json!([{ "edits": [{ "snippet": { "kind": "snippet", "value": "$0" } }, { "newText": "b" }] }])
        );
    }
}
