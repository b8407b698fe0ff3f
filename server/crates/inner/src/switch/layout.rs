//! Lines, indents and the texts in which both mean nothing.

use syntax::SourceFile;
use text::Span;

/// A file as lines: where they start, and which of them belong to a comment or a text block.
pub(super) struct Layout<'t> {
    pub(super) text: &'t str,
    /// Comments and string literals inside the part that is looked at, in order, disjoint.
    opaque: Vec<Opaque>,
}

struct Opaque {
    span: Span,
    comment: bool,
}

impl<'t> Layout<'t> {
    /// Of what `span` covers.
    pub(super) fn new(file: &'t SourceFile, span: Span) -> Layout<'t> {
        let mut opaque = Vec::new();
        let mut cursor = file.tree().walk();
        loop {
            let node = cursor.node();
            let own = Span::new(node.start_byte() as u32, node.end_byte() as u32);
            let comment = matches!(node.kind(), "line_comment" | "block_comment");
            if comment || node.kind() == "string_literal" {
                opaque.push(Opaque { span: own, comment });
            } else if own.start < span.end && span.start < own.end && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return Layout {
                        text: file.text(),
                        opaque,
                    };
                }
            }
        }
    }

    /// The start of the line that holds `at`.
    pub(super) fn line_start(&self, at: u32) -> u32 {
        let before = &self.text.as_bytes()[..at as usize];
        let end = before.iter().rposition(|&b| b == b'\n' || b == b'\r');
        end.map_or(0, |end| end as u32 + 1)
    }

    /// The blanks with which the line of `at` begins.
    pub(super) fn indent(&self, at: u32) -> &'t str {
        blanks(&self.text[self.line_start(at) as usize..])
    }

    /// True if only blanks stand before `at` on its line.
    pub(super) fn starts_line(&self, at: u32) -> bool {
        self.line_start(at) as usize + self.indent(at).len() == at as usize
    }

    /// The line end after `at` if only blanks and comments stand between, all of them on this line.
    pub(super) fn rest_of_line(&self, at: u32) -> Option<Span> {
        let mut at = at as usize;
        loop {
            at += blanks(&self.text[at..]).len();
            let next = self
                .opaque
                .partition_point(|it| (it.span.start as usize) < at);
            let here = self.opaque.get(next);
            let is_comment = |it: &&Opaque| it.comment && it.span.start as usize == at;
            let Some(comment) = here.filter(is_comment) else {
                break;
            };
            if self.text[comment.span.range()].contains(['\n', '\r']) {
                return None;
            }
            at = comment.span.end as usize;
        }
        let end = line_end(&self.text[at..])?;
        Some(Span::new(at as u32, (at + end) as u32))
    }

    /// The starts of the lines inside `span` that have an indent: no blank ones, and none inside a text.
    pub(super) fn indented_lines(&self, span: Span) -> Vec<u32> {
        let mut out = Vec::new();
        let mut at = span.start;
        while at < span.end {
            let rest = &self.text[at as usize..];
            let content = &rest[blanks(rest).len()..];
            let blank = content.is_empty() || content.starts_with(['\n', '\r']);
            let before = self.opaque.partition_point(|it| it.span.start < at);
            let inside = self.opaque[..before]
                .last()
                .is_some_and(|it| at < it.span.end);
            if !blank && !inside {
                out.push(at);
            }
            let Some(end) = rest.find(['\n', '\r']) else {
                break;
            };
            at += (end + line_end(&rest[end..]).unwrap_or(1)) as u32;
        }
        out
    }
}

/// The spaces and tabs at the start of `text`.
pub(super) fn blanks(text: &str) -> &str {
    let end = text.find(|c: char| !matches!(c, ' ' | '\t' | '\u{c}'));
    &text[..end.unwrap_or(text.len())]
}

/// The length of the line end with which `text` begins.
fn line_end(text: &str) -> Option<usize> {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => Some(2),
        [b'\r' | b'\n', ..] => Some(1),
        _ => None,
    }
}
