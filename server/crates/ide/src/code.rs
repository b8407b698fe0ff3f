//! The code of a text of Java, without what is no code, for those who need no tree.

use std::borrow::Cow;

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

/// A text without its comments, each of which becomes a space.
pub(crate) fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("//") && !text.contains("/*") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut code = Code::new(text, 0, text.len());
    let mut end = 0;
    while let Some((at, _)) = code.next() {
        let between = &text[end..at];
        match between.trim().is_empty() {
            true => out.push_str(between),
            false => out.push(' '),
        }
        end = code.after();
        // The bytes of a character outside ASCII come one by one.
        while !text.is_char_boundary(end) {
            end += 1;
        }
        out.push_str(&text[at..end]);
    }
    Cow::Owned(out)
}

/// True for two texts of a file that a tool writes which say the same: comments, white space, and what `@Generated` says of when
/// and by what, do not count.
pub fn is_written_the_same(one: &str, other: &str) -> bool {
    let of = |text: &str| -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        let mut code = Code::new(text, 0, text.len());
        while let Some((at, _)) = code.next() {
            out.push((at, code.after()));
        }
        out
    };
    let (own, others) = (of(one), of(other));
    let mut own = without_marks(one, &own);
    let mut others = without_marks(other, &others);
    loop {
        match (own.next(), others.next()) {
            (None, None) => return true,
            (a, b) if a != b => return false,
            _ => {}
        }
    }
}

/// The tokens without the arguments of `@Generated`.
fn without_marks<'a>(text: &'a str, code: &'a [(usize, usize)]) -> impl Iterator<Item = &'a str> {
    const MARK: &str = "Generated(";
    let mut depth = 0usize;
    code.iter().filter_map(move |&(from, to)| {
        let token = &text[from..to];
        let before = text[..to].strip_suffix(MARK);
        let opens = before.is_some_and(|b| b.ends_with(['@', '.']));
        match token {
            "(" if depth > 0 || opens => depth += 1,
            ")" if depth > 0 => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(token)
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_literals_stay() {
        for (text, code) in [
            ("a /* b */ c", "a c"),
            ("a // é b\nc", "a c"),
            ("\"// é\" + 'x' /**/", "\"// é\" + 'x'"),
            ("é(ü) /* x", "é(ü)"),
            ("a / b", "a / b"),
        ] {
            assert_eq!(without_comments(text), code, "{text}");
        }
    }

    #[test]
    fn what_is_written_anew_says_the_same_whenever_it_is() {
        let at = |date: &str, body: &str| {
            format!(
                "// made {date}\npackage a;\n@javax.annotation.Generated(value = \"p\", date = \"{date}\", comments = f(1))\nclass A {{ int n() {{ return {body}; }} }}\n"
            )
        };
        assert!(is_written_the_same(&at("x", "1"), &at("y", "1")));
        assert!(is_written_the_same(&at("x", "1 + 1"), &at("y", "1+1")));
        assert!(!is_written_the_same(&at("x", "1"), &at("x", "2")));
        let other = |argument: &str| at("x", &format!("isGenerated({argument})"));
        assert!(!is_written_the_same(&other("1"), &other("2")));
        assert!(!is_written_the_same(
            "class A { }",
            "class A { } class B { }"
        ));
    }
}
