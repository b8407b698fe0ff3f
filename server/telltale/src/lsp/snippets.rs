//! Edits whose text is a snippet, where the part of an assertion that is to be filled in is selected.

use std::ops::Range;
use tower_lsp::ls_types as lsp;

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
    }
}
