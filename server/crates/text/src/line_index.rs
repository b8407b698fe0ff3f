//! Byte offsets to lines and columns and back.
//!
//! A line ends at LF, CRLF or a lone CR; the next line starts after it. A tab is one column, a byte order mark one
//! character. The index keeps where lines start and, for each character outside ASCII, how many units the text up to
//! it saves in UTF-16 and UTF-32 against UTF-8; so a file of ASCII costs four bytes a line, and every conversion is a
//! binary search, also in a single line of 10 MB. Example: in `"é𝒳x"` the `x` stands at byte 6, which is column 6 in
//! UTF-8, 3 in UTF-16 (the `𝒳` is a surrogate pair) and 2 in UTF-32.

/// The unit in which a column counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units: what LSP clients use unless they negotiate another.
    #[default]
    Utf16,
    /// Characters (Unicode scalar values).
    Utf32,
}

/// A place between two characters; both numbers are 0-based.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Default)]
pub struct Position {
    /// Lines above.
    pub line: u32,
    /// Units of an [`Encoding`] to the left, in the line.
    pub column: u32,
}

impl Position {
    /// `line`:`column`, 0-based.
    pub fn new(line: u32, column: u32) -> Position {
        Position { line, column }
    }
}

/// A character outside ASCII, with what the text up to and including it saves against UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wide {
    /// One past its last byte.
    end: u32,
    /// Bytes minus UTF-16 units, from the start of the text to `end`.
    saved16: u32,
    /// Bytes minus characters, from the start of the text to `end`.
    saved32: u32,
}

impl Wide {
    fn saved(&self, encoding: Encoding) -> u32 {
        match encoding {
            Encoding::Utf8 => 0,
            Encoding::Utf16 => self.saved16,
            Encoding::Utf32 => self.saved32,
        }
    }
}

/// One line: its content is `start..content`, its line end `content..end`.
#[derive(Clone, Copy, Debug)]
struct Line {
    start: u32,
    content: u32,
}

/// Where the lines of one text start and how wide its characters are. Does not hold the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    /// First byte of each line; never empty, the first is 0.
    starts: Vec<u32>,
    /// True if no line end of the text is a lone CR or CRLF (then a line end is one byte).
    only_lf: bool,
    /// For texts with CR: bytes of the line end of each line but the last.
    ends: Vec<u8>,
    wide: Vec<Wide>,
    len: u32,
}

impl LineIndex {
    /// Reads `text` once. Linear, several GB/s on ASCII. Of a text over 4 GiB the first 4 GiB are indexed.
    pub fn new(text: &str) -> LineIndex {
        let bytes = text.as_bytes();
        let bytes = &bytes[..bytes.len().min(u32::MAX as usize)];
        let mut starts = Vec::with_capacity(bytes.len() / 32 + 1);
        starts.push(0);
        let only_lf = memchr::memchr(b'\r', bytes).is_none();
        let mut ends = Vec::new();
        if only_lf {
            starts.extend(memchr::memchr_iter(b'\n', bytes).map(|at| at as u32 + 1));
        } else {
            let mut after_crlf = usize::MAX;
            for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
                if at == after_crlf {
                    continue;
                }
                let crlf = bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n');
                if crlf {
                    after_crlf = at + 1;
                }
                let width = 1 + u8::from(crlf);
                starts.push(at as u32 + u32::from(width));
                ends.push(width);
            }
        }
        LineIndex {
            starts,
            only_lf,
            ends,
            wide: wide(bytes),
            len: bytes.len() as u32,
        }
    }

    /// Bytes of the text.
    pub fn len(&self) -> u32 {
        self.len
    }
    /// True for an empty text.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// Lines of the text: one more than its line ends.
    pub fn line_count(&self) -> u32 {
        self.starts.len() as u32
    }
    /// The content of `line` without its line end; `None` past the last line.
    pub fn line(&self, line: u32) -> Option<crate::Span> {
        self.bounds(line)
            .map(|line| crate::Span::new(line.start, line.content))
    }

    /// The position of `offset`, clamped: past the text it is its end, inside a character the character's start,
    /// between CR and LF the end of the line's content.
    pub fn position(&self, offset: u32, encoding: Encoding) -> Position {
        let line = self.line_of(offset.min(self.len));
        let Some(bounds) = self.bounds(line) else {
            return Position::default();
        };
        let offset = self.floor(offset.min(bounds.content));
        Position {
            line,
            column: self.width(bounds.start, offset, encoding),
        }
    }

    /// The byte offset of `position`, clamped as LSP wants it: past a line's content it is the content's end, past
    /// the last line the text's end, inside a character the character's start.
    pub fn offset(&self, position: Position, encoding: Encoding) -> u32 {
        let Some(line) = self.bounds(position.line) else {
            return self.len;
        };
        self.find(line, position.column, encoding).0
    }

    /// The byte offset of `position`; `None` if it is past the last line, past its line's content, or inside a
    /// character.
    pub fn try_offset(&self, position: Position, encoding: Encoding) -> Option<u32> {
        let line = self.bounds(position.line)?;
        let (offset, exact) = self.find(line, position.column, encoding);
        exact.then_some(offset)
    }

    /// The line on which `offset` (at most the text's length) lies.
    fn line_of(&self, offset: u32) -> u32 {
        (self.starts.partition_point(|&start| start <= offset).max(1) - 1) as u32
    }

    fn bounds(&self, line: u32) -> Option<Line> {
        let at = line as usize;
        let start = *self.starts.get(at)?;
        let content = match self.starts.get(at + 1) {
            None => self.len,
            Some(next) if self.only_lf => next - 1,
            Some(next) => next - u32::from(self.ends.get(at).copied().unwrap_or(1)),
        };
        Some(Line { start, content })
    }

    /// The first wide character that ends after `offset`.
    fn wide_after(&self, offset: u32) -> usize {
        self.wide.partition_point(|wide| wide.end <= offset)
    }

    /// Units saved in the text before `offset`, a character's start.
    fn saved(&self, offset: u32, encoding: Encoding) -> u32 {
        match self.wide_after(offset).checked_sub(1) {
            Some(at) => self.wide[at].saved(encoding),
            None => 0,
        }
    }

    fn bytes_of(&self, at: usize) -> u32 {
        let before = at
            .checked_sub(1)
            .map_or(0, |before| self.wide[before].saved32);
        self.wide[at].saved32 - before + 1
    }

    /// The start of the character in which `offset` lies, or `offset`.
    fn floor(&self, offset: u32) -> u32 {
        let at = self.wide_after(offset);
        match self.wide.get(at) {
            Some(wide) => offset.min(wide.end - self.bytes_of(at)),
            None => offset,
        }
    }

    fn width(&self, start: u32, offset: u32, encoding: Encoding) -> u32 {
        if encoding == Encoding::Utf8 || self.wide.is_empty() {
            return offset - start;
        }
        (offset - start) - (self.saved(offset, encoding) - self.saved(start, encoding))
    }

    /// The offset `column` units into `line`, and whether a character starts (or the content ends) exactly there.
    fn find(&self, line: Line, column: u32, encoding: Encoding) -> (u32, bool) {
        let whole = line.content - line.start;
        let first = self.wide_after(line.start);
        let base = first
            .checked_sub(1)
            .map_or(0, |at| self.wide[at].saved(encoding));
        let past = self.wide_after(line.content);
        // Wide characters of the line that end at or before the column: what they save is known.
        let units = |wide: &Wide| (wide.end - line.start) - (wide.saved(encoding) - base);
        let passed = self.wide[first..past].partition_point(|wide| units(wide) <= column);
        let saved = if passed == 0 {
            0
        } else {
            self.wide[first + passed - 1].saved(encoding) - base
        };
        let at = u64::from(column) + u64::from(saved);
        if at > u64::from(whole) {
            return (line.content, false);
        }
        let offset = line.start + at as u32;
        if first + passed < past {
            let next = first + passed;
            let start = self.wide[next].end - self.bytes_of(next);
            if offset > start {
                return (start, false);
            }
        }
        (offset, true)
    }
}

/// The characters of `bytes` (valid UTF-8) outside ASCII. ASCII is skipped in blocks.
fn wide(bytes: &[u8]) -> Vec<Wide> {
    let mut found = Vec::new();
    let (mut saved16, mut saved32) = (0u32, 0u32);
    let mut at = 0;
    while at < bytes.len() {
        if let Some(block) = bytes.get(at..at + 64)
            && block.is_ascii()
        {
            at += 64;
            continue;
        }
        let lead = bytes[at];
        // Bytes and UTF-16 units of the character, from the lead byte (RFC 3629).
        let (len, units) = match lead {
            0x00..=0x7f => {
                at += 1;
                continue;
            }
            0xf0.. => (4, 2),
            0xe0.. => (3, 1),
            _ => (2, 1),
        };
        saved16 += len - units;
        saved32 += len - 1;
        at += len as usize;
        found.push(Wide {
            end: at as u32,
            saved16,
            saved32,
        });
    }
    found
}
