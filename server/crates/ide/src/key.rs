//! Of which code something was recorded: the tokens of all bodies that a test reaches. White space and comments are no
//! tokens, so that a file which was formatted keeps what is known of it.

use crate::analysis::Analysis;
use crate::code::Code;
use evidence::Key;
use program::{BodyId, MethodId};

/// The key of a test.
///
/// What libraries, resources and build files say is not part of it.
pub(crate) fn key(analysis: &Analysis, test: MethodId) -> Key {
    let mut out = Hash::default();
    let mut bodies: Vec<(String, u64)> = analysis
        .offered(test)
        .bodies()
        .iter()
        .filter_map(|b| Some((analysis.program().body_name(*b)?, body(analysis, *b)?)))
        .collect();
    // Numbers of bodies depend on what else was read.
    bodies.sort_unstable();
    for (name, tokens) in bodies {
        out.bytes(name.as_bytes());
        out.end();
        out.bytes(&tokens.to_le_bytes());
    }
    out.value()
}

fn body(analysis: &Analysis, id: BodyId) -> Option<u64> {
    let program = analysis.program();
    let decl = program.body(id)?;
    analysis
        .tokens(decl.hash, || {
            let method = program.body_method(id).and_then(|m| program.method_decl(m));
            let file = program.body_file(id).and_then(|f| program.text(f));
            match (method, file) {
                (Some(method), Some(text)) => {
                    tokens(text, method.span.start as usize, method.span.end as usize)
                }
                // Initialisers stand in pieces.
                _ => decl.hash,
            }
        })
        .into()
}

/// The hash of the tokens of a stretch of Java.
fn tokens(text: &str, from: usize, to: usize) -> u64 {
    let mut out = Hash::default();
    let mut before = (from, Token::Single);
    let mut code = Code::new(text, from, to);
    while let Some((at, byte)) = code.next() {
        let token = Token::of(byte);
        // What is one word, or one operator, stands together.
        if before != (at, token) || token == Token::Single {
            out.end();
        }
        out.bytes(&text.as_bytes()[at..code.after()]);
        before = (code.after(), token);
    }
    out.end();
    out.value()
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
struct Hash(u64);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    /// Says where something ends: no text of Java has this byte.
    fn end(&mut self) {
        self.bytes(&[0xff]);
    }

    fn value(&self) -> u64 {
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
}
