//! A text while it is edited: many edits by line and column, each where the ones before it have left the text.
//!
//! An index of the lines is true until the first edit, so that a new one for each makes many edits of a long text
//! quadratic. A rope keeps its lines up to date: an edit costs the logarithm of the text.

use crate::{Encoding, Position};
use ropey::Rope;

/// See the module's description.
#[derive(Clone, Debug)]
pub struct Draft {
    rope: Rope,
}

impl Draft {
    /// Reads `text` once.
    pub fn new(text: &str) -> Draft {
        Draft {
            rope: Rope::from_str(text),
        }
    }

    /// Puts `text` in the place of what stands from `start` to `end`, both clamped as [`LineIndex::offset`] does. False,
    /// with the text unchanged, if `end` stands before `start`.
    ///
    /// [`LineIndex::offset`]: crate::LineIndex::offset
    pub fn replace(
        &mut self,
        start: Position,
        end: Position,
        encoding: Encoding,
        text: &str,
    ) -> bool {
        if end < start {
            return false;
        }
        let (start, end) = (self.char_at(start, encoding), self.char_at(end, encoding));
        self.rope.remove(start..end);
        self.rope.insert(start, text);
        true
    }

    /// The character at a position: past the end of its line that end, past the last line the end of the text.
    fn char_at(&self, at: Position, encoding: Encoding) -> usize {
        let rope = &self.rope;
        let (line, column) = (at.line as usize, at.column as usize);
        if line >= rope.len_lines() {
            return rope.len_chars();
        }
        let start = rope.line_to_char(line);
        let mut end = rope.len_chars();
        if line + 1 < rope.len_lines() {
            end = rope.line_to_char(line + 1) - 1;
            let is_crlf = end > start && rope.char(end) == '\n' && rope.char(end - 1) == '\r';
            end -= usize::from(is_crlf);
        }
        match encoding {
            Encoding::Utf8 => {
                let last = rope.char_to_byte(end);
                rope.byte_to_char((rope.char_to_byte(start) + column).min(last))
            }
            Encoding::Utf16 => {
                let last = rope.char_to_utf16_cu(end);
                rope.utf16_cu_to_char((rope.char_to_utf16_cu(start) + column).min(last))
            }
            Encoding::Utf32 => (start + column).min(end),
        }
    }
}

impl From<Draft> for String {
    fn from(draft: Draft) -> String {
        String::from(draft.rope)
    }
}
