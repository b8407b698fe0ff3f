//! Hashes of the tokens of a stretch of Java. White space and comments are no tokens: what was formatted anew has the hash that it
//! had. They are kept in files: the same on every machine and in every version.

use crate::code::Code;

/// The hash of the tokens of a stretch of Java.
pub(crate) fn tokens(text: &str, from: usize, to: usize) -> u64 {
    let none = Hash::default().ended();
    stretches(text, from, to).last().map_or(none, |last| last.1)
}

/// The hashes of the tokens of all stretches of Java that begin at `from`: where each ends, up to `to`, and its hash. A word that
/// goes on has one for each byte.
pub(crate) fn stretches(text: &str, from: usize, to: usize) -> impl Iterator<Item = (usize, u64)> {
    let mut out = Hash::default();
    let mut before = (from, Token::Single);
    let mut code = Code::new(text, from, to);
    std::iter::from_fn(move || {
        let (at, byte) = code.next()?;
        let token = Token::of(byte);
        // What is one word, or one operator, stands together.
        if before != (at, token) || token == Token::Single {
            out.end();
        }
        out.bytes(&text.as_bytes()[at..code.after()]);
        before = (code.after(), token);
        Some((code.after(), out.ended()))
    })
}

/// What a byte may be a part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Word,
    Operator,
    /// A bracket, a separator or a literal.
    Single,
}

impl Token {
    fn of(byte: u8) -> Token {
        match byte {
            b'_' | b'$' => Token::Word,
            _ if byte.is_ascii_alphanumeric() || !byte.is_ascii() => Token::Word,
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b';' | b',' | b'"' | b'.' | b'@' => {
                Token::Single
            }
            _ => Token::Operator,
        }
    }
}

/// FNV-1a: the same on every machine and in every version.
#[derive(Clone, Copy)]
pub(crate) struct Hash(u64);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    /// Says where something ends: no text of Java has this byte.
    pub(crate) fn end(&mut self) {
        self.bytes(&[0xff]);
    }

    fn ended(mut self) -> u64 {
        self.end();
        self.value()
    }

    pub(crate) fn value(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> u64 {
        tokens(text, 0, text.len())
    }

    #[test]
    fn what_is_no_token_does_not_count() {
        let one = of("int a = f(b, \"x y\"); // c");
        assert_eq!(one, of("int  a=f( b ,\n\t\"x y\" ) ; /* d */"));
        for other in [
            "inta = f(b, \"x y\");",
            "int a = f(b, \"x  y\");",
            "int a = f(b \"x y\");",
            "int a == f(b, \"x y\");",
        ] {
            assert_ne!(one, of(other), "{other}");
        }
        assert_ne!(of("a++ + b"), of("a + ++b"));
        assert_ne!(of("a - -b"), of("a --b"));
    }

    #[test]
    fn a_stretch_has_the_hash_of_its_text() {
        let text = "a = f(b /* c */, \"x y\"); g(ab);";
        let all: Vec<(usize, u64)> = stretches(text, 0, text.len()).collect();
        for (end, hash) in &all {
            assert_eq!(*hash, of(&text[..*end]), "{}", &text[..*end]);
        }
        assert!(all.iter().any(|(end, _)| text[..*end].ends_with("g(ab)")));
    }
}
