//! How values read that were flattened: a `char` is a whole number here and an enum's constant a text, and a reader knows them as Java
//! writes them, `'A'` and `OPEN`.
//!
//! Nothing is learnt of it. Traces of Daikon's front ends do not say it, and there a `char` reads as the number that it is.

use crate::value::{Kind, Rep, Text, Value};
use std::sync::Arc;

/// How a variable's values, or their elements, read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Look {
    /// As what they are here; so do those of a variable that holds now this and now that.
    #[default]
    Plain,
    /// Whole numbers that are UTF-16 code units: `'A'`.
    Char,
    /// Texts that are names of constants: `OPEN`.
    Constant,
}

impl Look {
    /// As traces that we write name it.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Look::Plain => None,
            Look::Char => Some("char"),
            Look::Constant => Some("constant"),
        }
    }

    /// What traces call so.
    pub(crate) fn named(name: &[u8]) -> Option<Look> {
        let all = [Look::Char, Look::Constant];
        all.into_iter()
            .find(|look| look.name().map(str::as_bytes) == Some(name))
    }

    /// A whole number, where it reads otherwise than as one: a literal of Java.
    pub fn int(self, value: i64) -> Option<String> {
        let unit = u16::try_from(value).ok();
        (self == Look::Char).then(|| unit.map(literal)).flatten()
    }

    /// A text, where it reads without quotes. What other languages call a constant need be no name, and `result` is what sentences
    /// call what a method gave.
    pub fn text(self, text: &str) -> Option<&str> {
        (self == Look::Constant && is_name(text) && text != "result").then_some(text)
    }
}

/// A `char` as Java writes it. What cannot be seen, and half of a surrogate pair, is written as a number.
fn literal(unit: u16) -> String {
    let seen = |c: &char| c.escape_debug().count() == 1;
    match char::from_u32(u32::from(unit)) {
        Some('\n') => r"'\n'".to_owned(),
        Some('\r') => r"'\r'".to_owned(),
        Some('\t') => r"'\t'".to_owned(),
        Some('\'') => r"'\''".to_owned(),
        Some('\\') => r"'\\'".to_owned(),
        Some('"') => r#"'"'"#.to_owned(),
        Some(c) if seen(&c) => format!("'{c}'"),
        _ => format!("'\\u{unit:04x}'"),
    }
}

/// The `char` that a literal of Java stands for.
fn unit(literal: &str) -> Option<u16> {
    let inner = literal.strip_prefix('\'')?.strip_suffix('\'')?;
    let Some(escaped) = inner.strip_prefix('\\') else {
        let mut all = inner.chars();
        let c = all.next().filter(|c| *c != '\'')?;
        let is_one = all.next().is_none();
        return is_one.then(|| u16::try_from(u32::from(c)).ok()).flatten();
    };
    let hex = escaped.trim_start_matches('u');
    if hex.len() < escaped.len() {
        let is_whole = hex.len() == 4 && hex.bytes().all(|b| b.is_ascii_hexdigit());
        return is_whole
            .then(|| u16::from_str_radix(hex, 16).ok())
            .flatten();
    }
    Some(match escaped {
        "n" => 10,
        "r" => 13,
        "t" => 9,
        "b" => 8,
        "f" => 12,
        "0" => 0,
        "'" => 39,
        "\"" => 34,
        "\\" => 92,
        _ => return None,
    })
}

/// Words of Java that nothing is named by.
const RESERVED: [&str; 53] = [
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "void",
    "volatile",
    "while",
];

/// True for what Java takes for a name.
fn is_name(text: &str) -> bool {
    let begins = |c: char| c.is_alphabetic() || c == '_' || c == '$';
    text.starts_with(begins)
        && text.chars().all(|c| begins(c) || c.is_alphanumeric())
        && RESERVED.binary_search(&text).is_err()
}

/// A value that is written as it reads. A literal of a `char` is the number that it is wherever that is asked for.
pub(crate) fn read(text: &str, rep: Rep, look: Look) -> Option<Value> {
    match (rep.kind, rep.sequence) {
        (Kind::Int, false) => unit(text).map(|unit| Value::Int(i64::from(unit))),
        (Kind::Text, false) => look.text(text).map(Value::text),
        (Kind::Int, true) => {
            let int = |t: &str| unit(t).map(i64::from).or_else(|| t.parse().ok());
            let all: Option<Arc<[i64]>> = elements(text)?.into_iter().map(int).collect();
            all.map(Value::Ints)
        }
        (Kind::Text, true) => {
            let one = |t: &str| match t {
                "null" => Some(None),
                // No variable stands in a list, and its texts are in no quotes.
                name => (look == Look::Constant && is_name(name)).then(|| Some(Arc::from(name))),
            };
            let all: Option<Arc<[Text]>> = elements(text)?.into_iter().map(one).collect();
            all.map(Value::Texts)
        }
        _ => None,
    }
}

/// `'a'` and `','` of `['a', ',']`.
fn elements(text: &str) -> Option<Vec<&str>> {
    match text.strip_prefix('[')?.strip_suffix(']')?.trim() {
        "" => Some(Vec::new()),
        inner => Some(parts(inner)),
    }
}

/// What stands between commas that are in no quotes and no brackets.
pub(crate) fn parts(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let (mut from, mut depth, mut quote) = (0, 0, None);
    let mut all = text.char_indices();
    while let Some((at, c)) = all.next() {
        match (quote, c) {
            (Some(_), '\\') => _ = all.next(),
            (Some(q), c) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[') => depth += 1,
            (None, ']') => depth -= 1,
            (None, ',') if depth == 0 => {
                out.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    out.push(text[from..].trim());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chars_read_as_java_writes_them() {
        let table = [
            (65, "'A'"),
            (u16::from(b' '), "' '"),
            (u16::from(b'"'), "'\"'"),
            (u16::from(b'\''), r"'\''"),
            (u16::from(b'\\'), r"'\\'"),
            (10, r"'\n'"),
            (9, r"'\t'"),
            (0, r"'\u0000'"),
            (0xe9, "'é'"),
            (0xa0, r"'\u00a0'"),
            // An accent would stand on the quote, and what is not assigned is not seen.
            (0x301, r"'\u0301'"),
            (0x202e, r"'\u202e'"),
            (0xd800, r"'\ud800'"),
            (0xdc00, r"'\udc00'"),
            (0xffff, r"'\uffff'"),
        ];
        for (unit, text) in table {
            assert_eq!(Look::Char.int(i64::from(unit)).as_deref(), Some(text));
        }
        for (look, value) in [(Look::Char, -1), (Look::Char, 0x10000), (Look::Plain, 65)] {
            assert_eq!(look.int(value), None, "{look:?} {value}");
        }
    }

    #[test]
    fn every_char_is_read_back() {
        for expected in 0..=u16::MAX {
            assert_eq!(unit(&literal(expected)), Some(expected));
        }
    }

    #[test]
    fn what_is_no_char() {
        for text in [
            "''",
            "'''",
            "'ab'",
            "'a",
            "A",
            r"'\'",
            r"'\x'",
            r"'\u12'",
            r"'\u+123'",
            "'\u{1f600}'",
        ] {
            assert_eq!(unit(text), None, "{text}");
        }
    }

    #[test]
    fn constants_read_as_names() {
        for name in ["OPEN", "_1", "$", "Größe", "NaN", "nonsensical"] {
            assert_eq!(Look::Constant.text(name), Some(name));
            let value = read(name, Rep::one(Kind::Text), Look::Constant);
            assert_eq!(value, Some(Value::text(name)));
        }
        for text in [
            "",
            "two words",
            "1a",
            "a.b",
            "null",
            "a\"",
            "true",
            "return",
            "this",
            "result",
        ] {
            assert_eq!(Look::Constant.text(text), None, "{text}");
            let value = read(text, Rep::one(Kind::Text), Look::Constant);
            assert_eq!(value, None, "{text}");
        }
        assert!(RESERVED.is_sorted());
        assert_eq!(Look::Plain.text("OPEN"), None);
    }

    #[test]
    fn lists_are_parted_at_their_own_commas() {
        let table: [(&str, &[&str]); 5] = [
            ("1, 2", &["1", "2"]),
            (r"',', '\'', 'a'", &["','", r"'\''", "'a'"]),
            (r#""a, \", b", null"#, &[r#""a, \", b""#, "null"]),
            ("[1, 2], []", &["[1, 2]", "[]"]),
            ("'[', OPEN", &["'['", "OPEN"]),
        ];
        for (text, expected) in table {
            assert_eq!(parts(text), expected, "{text}");
        }
    }
}
