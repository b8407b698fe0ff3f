//! Edits whose text is a snippet, where the part of an assertion that is to be filled in is selected.

use serde_json::{Value, json};
use std::ops::Range;
use tower_lsp::ls_types as lsp;

/// Marks an edit whose text is a snippet until it goes out: the types of the protocol that we use know none.
pub(super) const SNIPPET: &str = "telltale: a snippet";

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
                json!([{ "edits": [{ "newText": "$0", "annotationId": SNIPPET }, { "newText": "b" }] }])
            ),
            json!([{ "edits": [{ "snippet": { "kind": "snippet", "value": "$0" } }, { "newText": "b" }] }])
        );
    }
}
