//! Edits of a text: a span replaced by other text.

use crate::Span;

/// The bytes of `span` are replaced by `text`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What goes away; empty for an insertion.
    pub span: Span,
    /// What comes in its place; empty for a deletion.
    pub text: String,
}

impl Edit {
    /// `span` replaced by `text`.
    pub fn new(span: Span, text: impl Into<String>) -> Edit {
        Edit {
            span,
            text: text.into(),
        }
    }
}

/// Applies `edit` in place. False, with the text unchanged, if its span is no range of whole characters of the text.
pub fn apply_one(text: &mut String, edit: &Edit) -> bool {
    let valid = text.get(edit.span.range()).is_some();
    if valid {
        text.replace_range(edit.span.range(), &edit.text);
    }
    valid
}

/// Applies `edits` one after the other, each to the result of the ones before it, as LSP orders the changes of one
/// notification. `None` if one does not fit its text. Cost: the length of the text for each edit.
pub fn apply(text: &str, edits: &[Edit]) -> Option<String> {
    let mut text = text.to_owned();
    edits
        .iter()
        .all(|edit| apply_one(&mut text, edit))
        .then_some(text)
}

/// Applies `edits` all at once, each span in `text` itself, in any order, as LSP orders the edits of one code action.
/// Insertions at one place keep their order and stand before a replacement that starts there. `None` if two spans
/// overlap or one does not fit. Cost: the length of the result, and sorting the edits.
pub fn apply_disjoint(text: &str, edits: &[Edit]) -> Option<String> {
    let mut order: Vec<&Edit> = edits.iter().collect();
    order.sort_by_key(|edit| edit.span);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for edit in order {
        let span = edit.span.range();
        text.get(span.clone())?;
        out.push_str(text.get(done..span.start)?);
        out.push_str(&edit.text);
        done = span.end;
    }
    out.push_str(text.get(done..)?);
    Some(out)
}
