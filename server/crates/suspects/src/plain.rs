//! Values without parts.

use evidence::Value;
use invariants::{Kind, Look, Value as Flat};

/// What is not a number stands in no order and on no line: one among the samples would end all that holds of the others.
fn number(value: f64) -> Flat {
    match value.is_nan() {
        true => Flat::Missing,
        false => Flat::Double(value),
    }
}

/// A value without parts.
#[allow(clippy::cast_precision_loss)]
pub(crate) fn single(value: &Value) -> Option<(Kind, Flat)> {
    let text = |t: &evidence::JavaString| match t.text() {
        Some(text) => Flat::text(&text),
        None => Flat::Missing,
    };
    Some(match value {
        Value::Bool(v) => (Kind::Boolean, Flat::Int(i64::from(*v))),
        Value::Byte(v) => (Kind::Int, Flat::Int(i64::from(*v))),
        Value::Short(v) => (Kind::Int, Flat::Int(i64::from(*v))),
        Value::Char(v) => (Kind::Int, Flat::Int(i64::from(*v))),
        Value::Int(v) => (Kind::Int, Flat::Int(i64::from(*v))),
        Value::Long(v) => (Kind::Int, Flat::Int(*v)),
        Value::Float(bits) => (Kind::Double, number(f64::from(f32::from_bits(*bits)))),
        Value::Double(bits) => (Kind::Double, number(f64::from_bits(*bits))),
        Value::Text(t) | Value::Printed { text: t, .. } | Value::Chars { text: t, .. } => {
            (Kind::Text, text(t))
        }
        Value::Enum { name, .. } => (Kind::Text, Flat::text(name)),
        _ => return None,
    })
}

/// How a value reads that [`single`] flattens.
pub(crate) fn look(value: &Value) -> Look {
    match value {
        Value::Char(_) => Look::Char,
        Value::Enum { .. } => Look::Constant,
        _ => Look::Plain,
    }
}
