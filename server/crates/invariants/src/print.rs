//! How constraints read: Daikon's default format, with Java's names.

use crate::look::Look;
use crate::order::Relation;
use crate::rule::Rule;
use crate::term::Term;
use crate::value::{Kind, Text, Value};
use std::fmt::Write;

impl Rule {
    /// The constraint as a reader sees it.
    pub fn text(&self, terms: &[&Term]) -> String {
        match (self, terms) {
            (Rule::OneOf(values), [x]) => one_of(&x.name, x, values, x.rep.sequence),
            (Rule::ElementsOneOf(values), [x]) => {
                one_of(&format!("{} elements", x.name), x, values, false)
            }
            (Rule::NonZero, [x]) => format!("{} != {}", x.name, zero(x)),
            (Rule::ElementsNonZero, [x]) => format!("{} elements != {}", x.name, zero(x)),
            (Rule::Bound(relation, bound), [x]) => {
                format!("{} {} {}", x.name, relation.symbol(), value(bound, x))
            }
            (Rule::ElementsBound(relation, bound), [x]) => {
                format!(
                    "{} elements {} {}",
                    x.name,
                    relation.symbol(),
                    value(bound, x)
                )
            }
            (Rule::PowerOfTwo, [x]) => format!("{} is a power of 2", x.name),
            (Rule::Sorted(Relation::Equal), [x]) => format!("{} elements are equal", x.name),
            (Rule::Sorted(relation), [x]) => format!("{} sorted by {}", x.name, relation.symbol()),
            (Rule::Compare(relation), [x, y]) => {
                format!("{} {} {}", x.name, relation.symbol(), y.name)
            }
            (Rule::Linear(factors) | Rule::PairwiseLinear(factors), terms) => {
                linear(factors, terms)
            }
            (Rule::Divides { swapped } | Rule::PairwiseDivides { swapped }, [x, y]) => {
                let (x, y) = if *swapped { (y, x) } else { (x, y) };
                format!("{} % {} == 0", x.name, y.name)
            }
            (Rule::Square { swapped } | Rule::PairwiseSquare { swapped }, [x, y]) => {
                let (x, y) = if *swapped { (y, x) } else { (x, y) };
                format!("{} == {}**2", x.name, y.name)
            }
            (Rule::ElementsCompare(relation), [x, y]) => {
                format!("{} elements {} {}", x.name, relation.symbol(), y.name)
            }
            (Rule::Member, [x, y]) => format!("{} in {}", y.name, x.name),
            (Rule::Pairwise(relation), [x, y]) => {
                format!("{} {} {} (elementwise)", x.name, relation.symbol(), y.name)
            }
            (Rule::Lexical(Relation::Equal), [x, y]) => format!("{} == {}", x.name, y.name),
            (Rule::Lexical(relation), [x, y]) => {
                let how = if x.traits.unordered {
                    ""
                } else {
                    " (lexically)"
                };
                format!("{} {} {}{how}", x.name, relation.symbol(), y.name)
            }
            (Rule::Reverse, [x, y]) => format!("{} is the reverse of {}", x.name, y.name),
            _ => String::new(),
        }
    }
}

fn zero(term: &Term) -> &'static str {
    match (term.rep.kind, term.look) {
        (Kind::Reference | Kind::Text, _) => "null",
        (Kind::Int, Look::Char) => r"'\u0000'",
        _ => "0",
    }
}

fn one_of(subject: &str, term: &Term, values: &[Value], whole: bool) -> String {
    if term.rep.kind == Kind::Reference
        && let [one] = values
        && let Some(text) = reference(subject, one)
    {
        return text;
    }
    let is_number = term.rep.kind == Kind::Double;
    // As Java writes what is too large for an `int`.
    let shown = |v: &Value| match v {
        Value::Int(n) if term.rep.kind == Kind::Int && i32::try_from(*n).is_err() => {
            format!("{n}L")
        }
        _ => value(v, term),
    };
    let shown: Vec<String> = values.iter().map(shown).collect();
    match shown.as_slice() {
        [one] if !whole && term.is_type && one != "null" => {
            format!("{subject} == {}.class", one.trim_matches('"'))
        }
        [one] if is_number && one == "NaN" => format!("{subject} == Double.NaN"),
        [one] => format!("{subject} == {one}"),
        several => format!("{subject} one of {{ {} }}", several.join(", ")),
    }
}

/// Numbers of references mean nothing to a reader.
fn reference(subject: &str, value: &Value) -> Option<String> {
    match value {
        Value::Int(0) => None,
        Value::Ints(all) if **all == [0] => None,
        Value::Int(_) => Some(format!("{subject} has only one value")),
        Value::Ints(all) if !all.is_empty() => {
            let nulls = all.iter().filter(|v| **v == 0).count();
            let how = match nulls {
                0 => "contains no nulls and ",
                n if n == all.len() => "contains only nulls and ",
                _ => "",
            };
            Some(format!(
                "{subject} {how}has only one value, of length {}",
                all.len()
            ))
        }
        _ => None,
    }
}

/// A value as it reads in a constraint.
pub(crate) fn value(value: &Value, term: &Term) -> String {
    let int = |v: i64| match (term.rep.kind, term.look.int(v)) {
        (Kind::Boolean, _) => (v != 0).to_string(),
        (Kind::Reference, _) if v == 0 => "null".to_owned(),
        (Kind::Int, Some(literal)) => literal,
        _ => v.to_string(),
    };
    match value {
        Value::Missing => "nonsensical".to_owned(),
        Value::Int(v) => int(*v),
        Value::Double(v) => double(*v),
        Value::Text(Some(text)) => match term.bare(text) {
            Some(name) => name.to_owned(),
            None => format!("\"{}\"", escaped(text)),
        },
        Value::Text(None) => "null".to_owned(),
        Value::Ints(all) => list(all.iter().map(|v| int(*v))),
        Value::Doubles(all) => list(all.iter().map(|v| double(*v))),
        Value::Texts(all) => list(all.iter().map(bare)),
    }
}

fn bare(text: &Text) -> String {
    text.as_deref().unwrap_or("null").to_owned()
}

fn list(all: impl Iterator<Item = String>) -> String {
    format!("[{}]", all.collect::<Vec<_>>().join(", "))
}

/// As a trace writes it between quotes.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            c => out.push(c),
        }
    }
    out
}

/// As `Double.toString` has it: the shortest digits that read back equal, with an exponent far from 1.
pub fn double(v: f64) -> String {
    if v.is_nan() {
        return "NaN".to_owned();
    }
    if v.is_infinite() {
        return if v > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let size = v.abs();
    if size == 0.0 || (1e-3..1e7).contains(&size) {
        return format!("{v:?}");
    }
    let text = format!("{v:e}");
    match text.split_once('e') {
        Some((digits, exponent)) if digits.contains('.') => format!("{digits}E{exponent}"),
        Some((digits, exponent)) => format!("{digits}.0E{exponent}"),
        None => text,
    }
}

/// `2 * x - y + 1 == 0`: no factor of 1, no term of 0.
fn linear(factors: &[f64], terms: &[&Term]) -> String {
    let mut out = String::new();
    let names = terms.iter().map(|t| Some(t.name.as_str()));
    for (factor, name) in factors.iter().zip(names.chain([None])) {
        if *factor == 0.0 {
            continue;
        }
        let sign = match (*factor < 0.0, out.is_empty()) {
            (true, true) => "- ",
            (false, true) => "",
            (true, false) => " - ",
            (false, false) => " + ",
        };
        let size = factor.abs();
        let _ = match name {
            Some(name) if size == 1.0 => write!(out, "{sign}{name}"),
            Some(name) => write!(out, "{sign}{} * {name}", number(size)),
            None => write!(out, "{sign}{}", number(size)),
        };
    }
    out + " == 0"
}

fn number(v: f64) -> String {
    if v.fract() == 0.0 && v.abs() < 1e15 {
        format!("{v:.0}")
    } else {
        double(v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floating_point_numbers_read_as_in_java() {
        let table = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.001, "0.001"),
            (0.000_999, "9.99E-4"),
            (1e7, "1.0E7"),
            (9_999_999.0, "9999999.0"),
            (1.5e300, "1.5E300"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
            (100.0, "100.0"),
        ];
        for (v, text) in table {
            assert_eq!(double(v), text);
        }
    }
}
