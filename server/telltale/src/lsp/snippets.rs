//! Edits whose text is a snippet, where the part of an assertion that is to be filled in is selected.

use serde_json::{Map, Value, json};
use std::ops::Range;
use tower_lsp::ls_types as lsp;

/// Marks an edit whose text is a snippet until it goes out: the types of the protocol that we use know none. What it is
/// annotated with follows.
const SNIPPET: &str = "telltale: a snippet ";

/// The annotation of an edit whose text is a snippet, until it goes out.
pub(super) fn annotated(annotation: Option<&str>) -> String {
    format!("{SNIPPET}{}", annotation.unwrap_or_default())
}

/// Editors indent the further lines of a snippet as the line where it starts; ours are indented already. At the start of
/// a line that adds nothing.
pub(super) fn starts_where_it_is_not_moved(range: lsp::Range, text: &str) -> bool {
    range.start.character == 0 || !text.contains('\n')
}

/// The text of an edit in the grammar of snippets: the cursor goes to what is to be filled in, then behind the assertion.
pub(super) fn snippet(text: &str, at: Range<usize>) -> Option<String> {
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
            Value::Object(fields) => match annotation_of_snippet(fields) {
                Some(annotation) => {
                    let text = fields.remove("newText");
                    fields.remove("annotationId");
                    if !annotation.is_empty() {
                        fields.insert("annotationId".to_owned(), annotation.into());
                    }
                    fields.insert(
                        "snippet".to_owned(),
                        json!({ "kind": "snippet", "value": text }),
                    );
                }
                None => open.extend(fields.values_mut()),
            },
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    value
}

/// What an edit is annotated with if its text is a snippet; nothing is empty.
fn annotation_of_snippet(edit: &Map<String, Value>) -> Option<String> {
    let id = edit.get("annotationId")?.as_str()?;
    id.strip_prefix(SNIPPET).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_selects_what_is_to_be_filled_in() {
        let text = "    assertEquals(\"?\", a.map(\"${x}\\n\"));\n";
        let at = text.find('?').expect("it is there");
        assert_eq!(
            snippet(text, at..at + 1).as_deref(),
            Some("    assertEquals(\"${1:?}\", a.map(\"\\${x\\}\\\\n\"));$0\n")
        );
        assert_eq!(
            outgoing(
                json!([{ "edits": [{ "newText": "$0", "annotationId": annotated(None) }, { "newText": "b" }] }])
            ),
            json!([{ "edits": [{ "snippet": { "kind": "snippet", "value": "$0" } }, { "newText": "b" }] }])
        );
        assert_eq!(
            outgoing(json!({ "newText": "$0", "annotationId": annotated(Some("why")) })),
            json!({ "annotationId": "why", "snippet": { "kind": "snippet", "value": "$0" } })
        );
    }
}
