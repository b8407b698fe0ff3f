//! One sample: a point's name, perhaps the number of the call, and for each variable its name, its value, and whether it was set.

use super::Stop;
use super::line::{Lines, is_blank, named};
use crate::point::Variable;
use crate::value::{Kind, Rep, Text, Value};
use std::io::BufRead;
use std::sync::Arc;

const NONCE: &[u8] = b"this_invocation_nonce";

/// Reads the values behind the point's name.
pub(super) fn read<R: BufRead>(
    lines: &mut Lines<R>,
    variables: &[Variable],
    values: &mut Vec<Value>,
) -> Result<Option<i64>, Stop> {
    values.clear();
    let mut nonce = None;
    match lines.next()? {
        Some(line) if line == NONCE => {
            let number = number(lines.must()?);
            nonce = Some(number.ok_or_else(|| lines.wrong("the number of a call is no number"))?);
        }
        Some(_) => lines.back(),
        None => {}
    }
    for variable in variables {
        if let Some(constant) = &variable.constant {
            values.push(constant.clone());
            continue;
        }
        let name = lines.must()?;
        if name != variable.name.as_bytes() && named(name) != variable.name {
            let name = String::from_utf8_lossy(name)
                .chars()
                .take(200)
                .collect::<String>();
            let message = format!(
                "{name:?} stands where the value of {:?} is declared",
                variable.name
            );
            return Err(lines.wrong(message));
        }
        lines.must()?;
        let value = if lines.is_cut() {
            Value::Missing
        } else {
            let line = lines.at_hand();
            match value(line, variable.rep) {
                Some(value) => value,
                None => {
                    let text = String::from_utf8_lossy(line)
                        .chars()
                        .take(200)
                        .collect::<String>();
                    let message = format!("{text:?} is no value of {:?}", variable.name);
                    return Err(lines.wrong(message));
                }
            }
        };
        match lines.must()? {
            b"0" | b"1" => values.push(value),
            b"2" => values.push(Value::Missing),
            _ => {
                return Err(lines.wrong(format!(
                    "0, 1 or 2 must follow the value of {:?}",
                    variable.name
                )));
            }
        }
    }
    match lines.next()? {
        Some(line) if !is_blank(line) => {
            let name = String::from_utf8_lossy(line)
                .chars()
                .take(200)
                .collect::<String>();
            Err(lines.wrong(format!("{name:?} is no variable that the point declares")))
        }
        _ => Ok(nonce),
    }
}

fn number(line: &[u8]) -> Option<i64> {
    std::str::from_utf8(line).ok()?.trim().parse().ok()
}

/// A value as a trace writes it.
pub(super) fn value(line: &[u8], rep: Rep) -> Option<Value> {
    let line = line.trim_ascii();
    if matches!(line, b"nonsensical" | b"uninit" | b"missing") {
        return Some(Value::Missing);
    }
    if rep.sequence {
        return sequence(line, rep.kind);
    }
    match rep.kind {
        Kind::Text => text(line),
        Kind::Double => double(line).map(Value::Double),
        kind => int(line, kind).map(Value::Int),
    }
}

fn int(line: &[u8], kind: Kind) -> Option<i64> {
    match line {
        b"null" => return (kind == Kind::Reference).then_some(0),
        b"true" => return Some(1),
        b"false" => return Some(0),
        _ => {}
    }
    let text = std::str::from_utf8(line).ok()?;
    // Addresses of 64 bits are written without a sign.
    let address = || text.parse().ok().map(u64::cast_signed);
    text.parse().ok().or_else(address)
}

fn double(line: &[u8]) -> Option<f64> {
    // Rust reads `nan`, `inf` and `infinity` however they are written.
    std::str::from_utf8(line).ok()?.parse().ok()
}

/// What is not UTF-8, such as half of a surrogate pair, is missing: two that are not the same would be, were each replaced.
fn text(line: &[u8]) -> Option<Value> {
    if line == b"null" {
        return Some(Value::Text(None));
    }
    let inner = line.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let text = unescaped(inner).map(|text| Value::Text(Some(text)));
    Some(text.unwrap_or(Value::Missing))
}

fn unescaped(inner: &[u8]) -> Option<Arc<str>> {
    if memchr::memchr(b'\\', inner).is_none() {
        return std::str::from_utf8(inner).ok().map(Arc::from);
    }
    let mut out = Vec::with_capacity(inner.len());
    let mut bytes = inner.iter();
    while let Some(byte) = bytes.next() {
        match (byte, byte == &b'\\') {
            (byte, false) => out.push(*byte),
            (_, true) => match bytes.next() {
                Some(b'n') => out.push(b'\n'),
                Some(b'r') => out.push(b'\r'),
                Some(b't') => out.push(b'\t'),
                Some(other) => out.push(*other),
                None => out.push(b'\\'),
            },
        }
    }
    std::str::from_utf8(&out).ok().map(Arc::from)
}

fn sequence(line: &[u8], kind: Kind) -> Option<Value> {
    if line == b"null" {
        return Some(Value::Missing);
    }
    let mut rest = line.strip_prefix(b"[")?.strip_suffix(b"]")?.trim_ascii();
    match kind {
        Kind::Text => {
            let mut all: Vec<Text> = Vec::new();
            while !rest.is_empty() {
                let (element, behind) = element(rest)?;
                all.push(match text(element) {
                    _ if element == b"nonsensical" => None,
                    Some(Value::Text(text)) => text,
                    Some(_) => return Some(Value::Missing),
                    None => return None,
                });
                rest = behind.trim_ascii_start();
            }
            Some(Value::Texts(all.into()))
        }
        Kind::Double => {
            let mut all = Vec::new();
            for word in words(rest) {
                if word == b"nonsensical" {
                    return Some(Value::Missing);
                }
                all.push(double(word)?);
            }
            Some(Value::Doubles(all.into()))
        }
        kind => {
            let mut all = Vec::new();
            for word in words(rest) {
                if word == b"nonsensical" {
                    return Some(Value::Missing);
                }
                all.push(int(word, kind)?);
            }
            Some(Value::Ints(all.into()))
        }
    }
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace)
        .filter(|w| !w.is_empty())
}

/// The first string (or word) and what comes behind it.
fn element(text: &[u8]) -> Option<(&[u8], &[u8])> {
    if text.first() != Some(&b'"') {
        let end = text
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(text.len());
        return Some(text.split_at(end));
    }
    let mut at = 1;
    loop {
        match text.get(at)? {
            b'\\' => at += 2,
            b'"' => return Some(text.split_at(at + 1)),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_each_kind() {
        let one = |text: &str, kind| value(text.as_bytes(), Rep::one(kind));
        assert_eq!(one("-12", Kind::Int), Some(Value::Int(-12)));
        assert_eq!(one("true", Kind::Boolean), Some(Value::Int(1)));
        assert_eq!(one("null", Kind::Reference), Some(Value::Int(0)));
        let ints = [
            ("+7", Some(7)),
            ("-9223372036854775808", Some(i64::MIN)),
            ("18446744073709551615", Some(-1)),
            ("18446744073709551616", None),
            ("-9223372036854775809", None),
        ];
        for (text, int) in ints {
            assert_eq!(one(text, Kind::Reference), int.map(Value::Int), "{text}");
        }
        assert_eq!(one("1.5E-3", Kind::Double), Some(Value::Double(0.0015)));
        assert!(matches!(one("NaN", Kind::Double), Some(Value::Double(v)) if v.is_nan()));
        assert!(
            matches!(one("-0.0", Kind::Double), Some(Value::Double(v)) if v.is_sign_negative())
        );
        assert_eq!(
            one("-Infinity", Kind::Double),
            Some(Value::Double(f64::NEG_INFINITY))
        );
        assert_eq!(
            one(r#""a\"b\\\n""#, Kind::Text),
            Some(Value::text("a\"b\\\n"))
        );
        assert_eq!(one("null", Kind::Text), Some(Value::Text(None)));
        assert_eq!(one("nonsensical", Kind::Text), Some(Value::Missing));
        let many = |text: &str, kind| value(text.as_bytes(), Rep::many(kind));
        assert_eq!(
            many("[1 -2 3]", Kind::Int),
            Some(Value::Ints([1, -2, 3].into()))
        );
        assert_eq!(many("[]", Kind::Int), Some(Value::Ints([].into())));
        assert_eq!(
            many("[null 7]", Kind::Reference),
            Some(Value::Ints([0, 7].into()))
        );
        assert_eq!(
            many("[ 1.0 2.0 ]", Kind::Double),
            Some(Value::Doubles([1.0, 2.0].into()))
        );
        let texts = [Some(Arc::from("a b")), None, Some(Arc::from("\"]"))];
        assert_eq!(
            many(r#"["a b" null "\"]"]"#, Kind::Text),
            Some(Value::Texts(texts.into()))
        );
    }

    #[test]
    fn what_is_no_value() {
        let one = |text: &str, kind| value(text.as_bytes(), Rep::one(kind));
        for (text, kind) in [
            ("", Kind::Int),
            ("-", Kind::Int),
            ("1.5", Kind::Int),
            ("null", Kind::Int),
            ("a", Kind::Text),
            ("\"", Kind::Text),
            ("x", Kind::Double),
        ] {
            assert_eq!(one(text, kind), None, "{text:?}");
        }
        let many = |text: &str, kind| value(text.as_bytes(), Rep::many(kind));
        for (text, kind) in [
            ("1 2", Kind::Int),
            ("[1 x]", Kind::Int),
            ("[\"a]", Kind::Text),
            ("[", Kind::Double),
            ("[\"\\", Kind::Text),
        ] {
            assert_eq!(many(text, kind), None, "{text:?}");
        }
    }
}
