//! The tokens of a Java text, as far as the repairs need them: words, numbers, literals and single punctuation bytes,
//! with each bracket's partner. No comments. Never fails: what is no Java becomes punctuation.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tok {
    /// An identifier or keyword.
    Word,
    Number,
    /// A string, text block or character literal.
    Literal,
    /// One byte of an operator or separator.
    Punct(u8),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) tok: Tok,
    pub(super) start: usize,
    pub(super) end: usize,
    /// For an opening or closing bracket with a partner: the partner's index.
    partner: Option<u32>,
}

/// How many tokens a search for the end of a form looks at. No form of real Java is longer; without a bound a broken
/// text of nested openings would be searched from each of them to its end.
pub(super) const REACH: usize = 1_000;

/// The tokens of `source`.
pub(super) struct Tokens<'s> {
    source: &'s [u8],
    tokens: Vec<Token>,
}

/// True for a byte of an identifier. Every byte outside ASCII counts: in valid Java it stands nowhere else.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

impl<'s> Tokens<'s> {
    pub(super) fn of(source: &'s [u8]) -> Tokens<'s> {
        let mut tokens: Vec<Token> = Vec::with_capacity(source.len() / 5);
        let mut open: Vec<u32> = Vec::new();
        let mut at = 0;
        while at < source.len() {
            let start = at;
            let byte = source[at];
            let rest = &source[at..];
            let tok = match byte {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => {
                    at += 1;
                    continue;
                }
                b'/' if rest.starts_with(b"//") => {
                    at += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
                    continue;
                }
                b'/' if rest.starts_with(b"/*") => {
                    at += memchr::memmem::find(&rest[2..], b"*/").map_or(rest.len(), |end| end + 4);
                    continue;
                }
                b'"' | b'\'' => {
                    at += literal(rest);
                    Tok::Literal
                }
                b'0'..=b'9' => {
                    at += number(rest);
                    Tok::Number
                }
                b'.' if rest.get(1).is_some_and(u8::is_ascii_digit) => {
                    at += number(rest);
                    Tok::Number
                }
                _ if is_word(byte) => {
                    at += rest
                        .iter()
                        .position(|&byte| !is_word(byte))
                        .unwrap_or(rest.len());
                    Tok::Word
                }
                _ => {
                    at += 1;
                    Tok::Punct(byte)
                }
            };
            let index = tokens.len() as u32;
            let mut partner = None;
            match byte {
                b'(' | b'[' | b'{' => open.push(index),
                b')' | b']' | b'}' => {
                    let wanted = if byte == b')' { b'(' } else { byte - 2 };
                    if let Some(&top) = open.last()
                        && tokens[top as usize].tok == Tok::Punct(wanted)
                    {
                        open.pop();
                        tokens[top as usize].partner = Some(index);
                        partner = Some(top);
                    }
                }
                _ => {}
            }
            tokens.push(Token {
                tok,
                start,
                end: at,
                partner,
            });
        }
        Tokens { source, tokens }
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }
    pub(super) fn get(&self, at: usize) -> Option<Token> {
        self.tokens.get(at).copied()
    }
    pub(super) fn text(&self, at: usize) -> &'s [u8] {
        self.get(at)
            .map_or(b"", |token| &self.source[token.start..token.end])
    }
    pub(super) fn is_word(&self, at: usize) -> bool {
        self.get(at).is_some_and(|token| token.tok == Tok::Word)
    }
    pub(super) fn is_number(&self, at: usize) -> bool {
        self.get(at).is_some_and(|token| token.tok == Tok::Number)
    }
    pub(super) fn word(&self, at: usize, word: &str) -> bool {
        self.is_word(at) && self.text(at) == word.as_bytes()
    }
    pub(super) fn punct(&self, at: usize, byte: u8) -> bool {
        self.get(at)
            .is_some_and(|token| token.tok == Tok::Punct(byte))
    }
    /// True if the tokens from `at` on are the bytes of `operator`, without a gap, and it is no prefix of a longer run
    /// that the caller cares about.
    pub(super) fn operator(&self, at: usize, operator: &[u8]) -> bool {
        let Some(first) = self.get(at) else {
            return false;
        };
        operator.iter().enumerate().all(|(i, &byte)| {
            self.get(at + i).is_some_and(|token| {
                token.tok == Tok::Punct(byte) && token.start == first.start + i
            })
        })
    }
    /// The index of a bracket's partner.
    pub(super) fn partner(&self, at: usize) -> Option<usize> {
        self.get(at)?.partner.map(|partner| partner as usize)
    }

    /// Past the annotation that starts at `at`; `None` if none does.
    pub(super) fn annotation(&self, at: usize) -> Option<usize> {
        if !self.punct(at, b'@') || !self.is_word(at + 1) || self.word(at + 1, "interface") {
            return None;
        }
        let mut end = at + 2;
        while self.punct(end, b'.') && self.is_word(end + 1) {
            end += 2;
        }
        if self.punct(end, b'(') {
            return self.partner(end).map(|close| close + 1);
        }
        Some(end)
    }

    /// Past the type arguments that open at `at`; `None` if it is no `<`, or nothing like type arguments follows.
    pub(super) fn type_arguments(&self, at: usize) -> Option<usize> {
        if !self.punct(at, b'<') {
            return None;
        }
        let mut depth = 0usize;
        let mut next = at;
        while let Some(token) = self.get(next).filter(|_| next < at + REACH) {
            match token.tok {
                Tok::Punct(b'<') => depth += 1,
                Tok::Punct(b'>') => depth -= 1,
                Tok::Punct(b'@') => {
                    next = self.annotation(next)?;
                    continue;
                }
                Tok::Punct(b',' | b'.' | b'?' | b'&' | b'[' | b']') | Tok::Word => {}
                _ => return None,
            }
            next += 1;
            if depth == 0 {
                return Some(next);
            }
        }
        None
    }

    /// Past the type that starts at `at` (`a.b.C<D>.E @A [] []`); `None` if no word stands there.
    pub(super) fn type_end(&self, at: usize) -> Option<usize> {
        let mut next = at;
        loop {
            while let Some(end) = self.annotation(next) {
                next = end;
            }
            if !self.is_word(next) {
                return None;
            }
            next += 1;
            next = self.type_arguments(next).unwrap_or(next);
            if !self.punct(next, b'.') {
                break;
            }
            next += 1;
        }
        loop {
            let mut bracket = next;
            while let Some(end) = self.annotation(bracket) {
                bracket = end;
            }
            if !self.punct(bracket, b'[') || !self.punct(bracket + 1, b']') {
                return Some(next);
            }
            next = bracket + 2;
        }
    }

    /// Replaces the bytes from token `from` up to token `to` (exclusive) by spaces. Line ends stay.
    pub(super) fn blank(&self, from: usize, to: usize, copy: &mut [u8]) {
        let (Some(first), Some(last)) = (
            self.get(from),
            to.checked_sub(1).and_then(|to| self.get(to)),
        ) else {
            return;
        };
        for byte in copy.get_mut(first.start..last.end).unwrap_or_default() {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
}

/// Bytes of the string, text block or character literal at the start of `rest`. An unterminated one ends with its line,
/// an unterminated text block with the text.
fn literal(rest: &[u8]) -> usize {
    let quote = rest[0];
    let block = rest.starts_with(b"\"\"\"");
    let mut at = if block { 3 } else { 1 };
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 1,
            b'\n' | b'\r' if !block => return at,
            byte if byte == quote && !block => return at + 1,
            b'"' if block && rest[at..].starts_with(b"\"\"\"") => return at + 3,
            _ => {}
        }
        at += 1;
    }
    rest.len()
}

/// Bytes of the number at the start of `rest`.
fn number(rest: &[u8]) -> usize {
    let hex = rest.len() > 1 && rest[0] == b'0' && (rest[1] | 0x20) == b'x';
    let mut at = 1;
    while at < rest.len() {
        let byte = rest[at];
        let exponent = if hex { b'p' } else { b'e' };
        let signed = matches!(byte, b'+' | b'-') && (rest[at - 1] | 0x20) == exponent;
        // `1.f()` is no Java, `1..2` neither: a dot after a digit belongs to the number.
        if !(byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.' || signed) {
            break;
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        let tokens = Tokens::of(source.as_bytes());
        (0..tokens.len())
            .map(|at| String::from_utf8_lossy(tokens.text(at)).into_owned())
            .collect()
    }

    #[test]
    fn literals_comments_and_numbers() {
        assert_eq!(
            texts(
                "a /* \" */ \"b\\\"//\" 'c' // x\n0x1p-3f+.5e+1 \"\"\"\n \"q\" \\\"\"\" \"\"\"->"
            ),
            [
                "a",
                "\"b\\\"//\"",
                "'c'",
                "0x1p-3f",
                "+",
                ".5e+1",
                "\"\"\"\n \"q\" \\\"\"\" \"\"\"",
                "-",
                ">"
            ]
        );
    }

    #[test]
    fn unterminated_forms_end() {
        for source in [
            "\"a", "'", "/* a", "//", "\"\"\" a", "\"a\\", "0x", "0", "(", ")", "([)]", "@", "é",
        ] {
            Tokens::of(source.as_bytes());
        }
    }

    #[test]
    fn types_and_brackets() {
        let tokens = Tokens::of(b"a.b.C<D<? extends E>, F[]>.@G(1) H @I [] [] x (y)");
        let end = tokens.type_end(0).expect("a type");
        assert_eq!(tokens.text(end), b"x");
        assert_eq!(tokens.partner(end + 1), Some(end + 3));
        assert_eq!(Tokens::of(b"< 1").type_arguments(0), None);
    }
}
