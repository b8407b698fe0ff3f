//! The code of a text of Java, without what is no code, for those who need no tree.

/// The bytes of code: no space, no comment, of a literal the first quote, of a character outside ASCII the first byte.
pub(crate) struct Code<'a> {
    text: &'a str,
    at: usize,
    end: usize,
}

impl Code<'_> {
    pub(crate) fn new(text: &str, at: usize, end: usize) -> Code<'_> {
        Code {
            text,
            at,
            end: end.min(text.len()),
        }
    }

    /// Behind what was given last: a byte, or a whole literal.
    pub(crate) fn after(&self) -> usize {
        self.at
    }

    /// Behind the first `mark` that no backslash escapes.
    fn behind(&self, from: usize, mark: &str) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = from;
        while at < self.end {
            if bytes[at] == b'\\' {
                at += 2;
            } else if bytes[at..].starts_with(mark.as_bytes()) {
                return at + mark.len();
            } else {
                at += 1;
            }
        }
        self.end
    }
}

impl Iterator for Code<'_> {
    type Item = (usize, u8);

    fn next(&mut self) -> Option<(usize, u8)> {
        let bytes = self.text.as_bytes();
        let find = |from: usize, mark: &[u8]| {
            let found = bytes.get(from..self.end)?;
            let at = found.windows(mark.len()).position(|w| w == mark)?;
            Some(from + at + mark.len())
        };
        while self.at < self.end {
            let at = self.at;
            let rest = &bytes[at..self.end];
            if rest.starts_with(b"//") {
                self.at = find(at, b"\n").unwrap_or(self.end);
            } else if rest.starts_with(b"/*") {
                self.at = find(at + 2, b"*/").unwrap_or(self.end);
            } else if rest.starts_with(b"\"\"\"") {
                self.at = self.behind(at + 3, "\"\"\"");
                return Some((at, b'"'));
            } else if rest[0] == b'"' || rest[0] == b'\'' {
                let mark = if rest[0] == b'"' { "\"" } else { "'" };
                self.at = self.behind(at + 1, mark);
                return Some((at, b'"'));
            } else {
                self.at += 1;
                if !rest[0].is_ascii_whitespace() && self.text.is_char_boundary(at) {
                    return Some((at, rest[0]));
                }
            }
        }
        None
    }
}

/// Where the comments begin that stand directly above an offset.
pub(crate) fn comments_above(text: &str, at: usize) -> usize {
    let line_of = |at: usize| text[..at].rfind('\n').map_or(0, |n| n + 1);
    let mut start = line_of(at.min(text.len()));
    let mut in_block = false;
    while start > 0 {
        let before = line_of(start - 1);
        let line = text[before..start].trim();
        if line.ends_with("*/") && !line.starts_with("/*") {
            in_block = true;
        } else if in_block {
            in_block = !line.starts_with("/*");
        } else if !line.starts_with("//") && !line.starts_with("/*") {
            break;
        }
        start = before;
    }
    start
}
