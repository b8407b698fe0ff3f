//! Positions in a text: byte spans, lines, and columns in UTF-8, UTF-16 and UTF-32; edits.

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
}
