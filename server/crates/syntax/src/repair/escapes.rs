//! `\uXXXX` outside literals. Java translates these escapes before it looks for tokens (JLS §3.3), so they may stand
//! for a letter of a keyword, a bracket, the end of a `//` comment or the quote that ends a string. Inside literals
//! the grammar reads them itself, unless they end the literal or have more than one `u`.

use std::borrow::Cow;

use super::scan::is_word;

/// One character after translation.
#[derive(Clone, Copy)]
struct Unit {
    /// Its value: a UTF-16 unit if escaped, a byte otherwise.
    value: u32,
    /// Its bytes in the text; more than one if it is escaped.
    len: usize,
}

impl Unit {
    fn escaped(self) -> bool {
        self.len > 1
    }
    fn is(self, byte: u8) -> bool {
        self.value == u32::from(byte)
    }
    fn is_word(self) -> bool {
        u8::try_from(self.value).map_or(true, is_word)
    }
}

/// The escape at the start of `rest`: its value and its bytes.
fn escape(rest: &[u8]) -> Option<(u32, usize)> {
    let [b'\\', b'u', ..] = rest else { return None };
    let marks = rest[1..].iter().take_while(|&&byte| byte == b'u').count();
    let digits = rest.get(1 + marks..5 + marks)?;
    let mut value = 0;
    for &digit in digits {
        value = value * 16 + char::from(digit).to_digit(16)?;
    }
    Some((value, 5 + marks))
}

/// The copy with the escapes outside literals translated; `None` if there are none. One search for `\u` on a text
/// without any; linear otherwise.
pub(super) fn outside_literals(source: &[u8]) -> Option<Vec<u8>> {
    memchr::memmem::find(source, b"\\u")?;
    let mut walk = Walk {
        source,
        copy: source.to_vec(),
        at: 0,
    };
    walk.code();
    (walk.copy != source).then_some(walk.copy)
}

struct Walk<'s> {
    source: &'s [u8],
    copy: Vec<u8>,
    at: usize,
}

/// Where a character stands in the bytes of its escape; the others become spaces.
#[derive(Clone, Copy)]
enum Side {
    First,
    Last,
}

impl Walk<'_> {
    fn unit_at(&self, at: usize) -> Option<Unit> {
        let rest = self.source.get(at..)?;
        let byte = *rest.first()?;
        if byte == b'\\'
            && let Some((value, len)) = escape(rest)
            // A backslash after an odd number of backslashes starts no escape (JLS §3.3).
            && self.source[..at].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 0
        {
            return Some(Unit { value, len });
        }
        Some(Unit {
            value: u32::from(byte),
            len: 1,
        })
    }
    fn unit(&self) -> Option<Unit> {
        self.unit_at(self.at)
    }

    /// Writes `byte` for the unit at `at`, if it is escaped.
    fn put(&mut self, at: usize, unit: Unit, byte: u8, side: Side) {
        if unit.escaped() {
            let bytes = &mut self.copy[at..at + unit.len];
            bytes.fill(b' ');
            match side {
                Side::First => bytes[0] = byte,
                Side::Last => bytes[unit.len - 1] = byte,
            }
        }
    }

    fn code(&mut self) {
        while let Some(unit) = self.unit() {
            let at = self.at;
            let next = self.unit_at(at + unit.len);
            if unit.is(b'/')
                && let Some(second) = next.filter(|next| next.is(b'/') || next.is(b'*'))
            {
                self.put(at, unit, b'/', Side::Last);
                self.put(at + unit.len, second, second.value as u8, Side::First);
                self.at = at + unit.len + second.len;
                if second.is(b'/') {
                    self.line_comment()
                } else {
                    self.block_comment()
                }
            } else if unit.is(b'"') || unit.is(b'\'') {
                self.put(at, unit, unit.value as u8, Side::Last);
                self.at = at + unit.len;
                let block = self.source[at..].starts_with(b"\"\"\"");
                if block {
                    self.at = at + 3;
                }
                self.literal(unit.value as u8, block);
            } else if unit.is_word() {
                self.word();
            } else {
                if unit.escaped() {
                    let byte = unit.value as u8;
                    let joins = next.is_some_and(|next| {
                        !next.escaped()
                            && next.value < 0x80
                            && b"=<>&|+-:".contains(&(next.value as u8))
                    });
                    let side = if joins && b"+-*/%<>=!&|^:".contains(&byte) {
                        Side::Last
                    } else {
                        Side::First
                    };
                    self.put(at, unit, byte, side);
                }
                self.at = at + unit.len;
            }
        }
    }

    fn line_comment(&mut self) {
        while let Some(unit) = self.unit() {
            if unit.is(b'\n') || unit.is(b'\r') {
                self.put(self.at, unit, b'\n', Side::First);
                return;
            }
            self.at += unit.len;
        }
    }

    fn block_comment(&mut self) {
        while let Some(unit) = self.unit() {
            let (star, slash) = (self.at, self.at + unit.len);
            self.at = slash;
            if unit.is(b'*')
                && let Some(second) = self.unit().filter(|second| second.is(b'/'))
            {
                self.put(star, unit, b'*', Side::Last);
                self.put(slash, second, b'/', Side::First);
                self.at = slash + second.len;
                return;
            }
        }
    }

    /// A literal, from past its opening quote to past its closing one.
    fn literal(&mut self, quote: u8, block: bool) {
        while let Some(unit) = self.unit() {
            let at = self.at;
            self.at += unit.len;
            if unit.is(b'\\') {
                self.put(at, unit, b'\\', Side::Last);
                if let Some(second) = self.unit() {
                    if second.value < 0x80 {
                        self.put(self.at, second, second.value as u8, Side::First);
                    }
                    self.at += second.len;
                }
            } else if unit.is(quote) && !block {
                self.put(at, unit, quote, Side::First);
                return;
            } else if block && self.source[at..].starts_with(b"\"\"\"") {
                self.at = at + 3;
                return;
            } else if !block && !unit.escaped() && (unit.is(b'\n') || unit.is(b'\r')) {
                return;
            } else if unit.len > 6 && quote == b'"' {
                // The grammar knows one `u` only.
                let spare = unit.len - 6;
                self.copy[at..at + spare].fill(b'u');
                self.copy[at + spare..at + spare + 2].copy_from_slice(b"\\u");
            }
        }
    }

    /// A word or number. With an escape in it, a keyword is written out; any other word only keeps its extent, for
    /// its text is read from the original.
    fn word(&mut self) {
        let start = self.at;
        let mut escaped = false;
        let mut plain = String::new();
        while let Some(unit) = self.unit().filter(|unit| unit.is_word()) {
            escaped |= unit.escaped();
            if unit.value < 0x80 {
                plain.push(char::from(unit.value as u8));
            } else {
                // No keyword and no number has it: any letter outside ASCII keeps the word from being one.
                plain.push('é');
            }
            self.at += unit.len;
        }
        if !escaped {
            return;
        }
        let bytes = &mut self.copy[start..self.at];
        if is_keyword(&plain) || plain.starts_with(|c: char| c.is_ascii_digit()) {
            bytes.fill(b' ');
            bytes[..plain.len()].copy_from_slice(plain.as_bytes());
        } else {
            for byte in bytes.iter_mut().filter(|byte| **byte == b'\\') {
                *byte = b'_';
            }
        }
    }
}

/// Words that the grammar must see as they are.
fn is_keyword(word: &str) -> bool {
    const KEYWORDS: &[&str] = &[
        "abstract",
        "assert",
        "boolean",
        "break",
        "byte",
        "case",
        "catch",
        "char",
        "class",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "exports",
        "extends",
        "false",
        "final",
        "finally",
        "float",
        "for",
        "if",
        "implements",
        "import",
        "instanceof",
        "int",
        "interface",
        "long",
        "module",
        "native",
        "new",
        "null",
        "open",
        "opens",
        "package",
        "permits",
        "private",
        "protected",
        "provides",
        "public",
        "record",
        "requires",
        "return",
        "sealed",
        "short",
        "static",
        "strictfp",
        "super",
        "switch",
        "synchronized",
        "this",
        "throw",
        "throws",
        "to",
        "transient",
        "transitive",
        "true",
        "try",
        "uses",
        "void",
        "volatile",
        "when",
        "while",
        "with",
        "yield",
    ];
    KEYWORDS.binary_search(&word).is_ok()
}

/// `text` with its escapes translated; borrowed if it has none.
pub(crate) fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut units: Vec<u16> = Vec::with_capacity(text.len());
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if let Some((value, len)) = escape(&text.as_bytes()[at..]) {
            units.push(value as u16);
            at += len;
            continue;
        }
        out.extend(
            char::decode_utf16(units.drain(..)).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)),
        );
        out.push(c);
        at += c.len_utf8();
    }
    out.extend(
        char::decode_utf16(units.drain(..)).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)),
    );
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repaired(source: &str) -> String {
        let copy =
            outside_literals(source.as_bytes()).unwrap_or_else(|| source.as_bytes().to_vec());
        assert_eq!(copy.len(), source.len());
        String::from_utf8(copy).expect("the copy is text")
    }

    #[test]
    fn keywords_are_written_out_and_names_keep_their_extent() {
        assert_eq!(
            repaired(r"cl\u0061ss \u0041b \u007b}"),
            "class      _u0041b {     }"
        );
        assert_eq!(repaired(r"x = \u0031\u0032;"), "x = 12          ;");
        assert_eq!(repaired(r"x \u002b= 1"), "x      += 1");
    }

    #[test]
    fn comments_end_where_java_ends_them() {
        assert_eq!(repaired(r"// a \u000a int x;"), "// a \n      int x;");
        assert_eq!(
            repaired(r"/* \u002a\u002f int x;"),
            "/*      */      int x;"
        );
        assert_eq!(repaired(r"\u002f/ a"), "     // a");
    }

    #[test]
    fn literals_keep_their_escapes_unless_they_end_there() {
        for same in [r#""\u0041" '\u0027x'"#, r#""\\u0022""#, r#""\"\u0041""#] {
            let copy = repaired(same);
            assert_eq!(
                copy.matches('"').count(),
                same.matches('"').count(),
                "{copy}"
            );
        }
        assert_eq!(repaired(r#""a\u0022 + b"#), r#""a"      + b"#);
        assert_eq!(repaired(r#""\u005c"" + b"#), r#""     \"" + b"#);
        assert_eq!(repaired(r#""\uu0041""#), r#""u\u0041""#);
    }

    #[test]
    fn names_are_translated() {
        assert_eq!(decode(r"\u0061b\uuu0063"), "abc");
        assert_eq!(decode(r"\ud835\udcb3"), "𝒳");
        assert_eq!(decode(r"\ud835x\u"), "\u{fffd}x\\u");
        assert!(matches!(decode("abc"), Cow::Borrowed(_)));
    }

    #[test]
    fn the_keywords_are_sorted() {
        for word in [
            "abstract",
            "yield",
            "to",
            "int",
            "module",
            "opens",
            "transitive",
        ] {
            assert!(is_keyword(word), "{word}");
        }
    }
}
