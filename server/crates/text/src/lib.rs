//! Positions in a text: byte spans, lines, and columns in UTF-8, UTF-16 and UTF-32; edits; numbers for people,
//! literals for Java.
//!
//! Everything inside the analysis is a byte offset ([`Span`]); a line and a column exist only where a client or a
//! person reads them. The conversion is [`LineIndex`], built once a text, and [`Draft`] while a text is edited.

mod draft;
mod edit;
mod line_index;
mod line_set;
mod literal;
mod number;

pub use draft::Draft;
pub use edit::{Edit, apply, apply_disjoint, apply_one};
pub use line_index::{Encoding, LineIndex, Position};
pub use line_set::LineSet;
pub use literal::java_literal;
pub use number::grouped;

/// A half-open range of byte offsets in one text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// `start..end`.
    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }
    /// Bytes covered.
    pub fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }
    /// True if no byte is covered.
    pub fn is_empty(self) -> bool {
        self.end <= self.start
    }
    /// True if `offset` lies in it.
    pub fn contains(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }
    /// True if every byte of `other` lies in it.
    pub fn covers(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
    /// The bytes as a range to index a text with.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// `text` without the byte order mark at its start.
///
/// Editors strip the mark before they show or send a text, [`LineIndex`] counts it as the character that it is; so
/// who reads a file from disk strips it here, and columns agree with the editor's.
pub fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
