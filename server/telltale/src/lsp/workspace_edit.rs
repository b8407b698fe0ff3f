//! Edits of a workspace and code actions as they go out. Those of the library that knows the protocol have no snippets.

use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use tower_lsp::ls_types as lsp;

/// What changes: in documents alone, or step by step.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WorkspaceEdit {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) changes: Option<BTreeMap<String, Vec<TextEdit>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) document_changes: Option<Vec<Step>>,
    /// By the name that edits have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) change_annotations: Option<BTreeMap<String, lsp::ChangeAnnotation>>,
}

/// Of a file, or of a document's text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Step {
    File(lsp::ResourceOp),
    Document(DocumentEdit),
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DocumentEdit {
    pub(super) text_document: lsp::OptionalVersionedTextDocumentIdentifier,
    pub(super) edits: Vec<TextEdit>,
}

/// An edit of a text, which may say what it is for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextEdit {
    pub(super) range: lsp::Range,
    #[serde(flatten)]
    pub(super) new: New,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) annotation_id: Option<String>,
}

/// What stands there then.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum New {
    #[serde(rename = "newText")]
    Text(String),
    Snippet(Snippet),
}

/// A text with places to be filled in.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "snippet")]
pub(super) struct Snippet {
    pub(super) value: String,
}

/// What stands behind the light bulb.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CodeAction {
    pub(super) title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<lsp::CodeActionKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) diagnostics: Option<Vec<lsp::Diagnostic>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) edit: Option<WorkspaceEdit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) command: Option<lsp::Command>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) is_preferred: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) disabled: Option<lsp::CodeActionDisabled>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) data: Option<Value>,
}

/// An action that the client has, with the edit that it stands for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Resolved {
    #[serde(flatten)]
    pub(super) action: lsp::CodeAction,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) edit: Option<WorkspaceEdit>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_edit_has_a_text_or_a_snippet_and_may_say_what_it_is_for() {
        let range =
            json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
        let written = |new: New, annotation: Option<&str>| {
            let edit = TextEdit {
                range: lsp::Range::default(),
                new,
                annotation_id: annotation.map(str::to_owned),
            };
            serde_json::to_value(edit).ok()
        };
        assert_eq!(
            written(New::Text("b".to_owned()), None),
            Some(json!({ "range": range, "newText": "b" }))
        );
        let value = "$0".to_owned();
        assert_eq!(
            written(New::Snippet(Snippet { value }), Some("why")),
            Some(json!({
                "range": range,
                "snippet": { "kind": "snippet", "value": "$0" },
                "annotationId": "why",
            }))
        );
    }
}
