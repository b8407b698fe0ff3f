//! Whether two objects of one class hold the same: what `equals`, `compareTo` and their like are about.
//!
//! No relation between two variables says it: that two numbers are equal is that their real *and* their imaginary parts are.

use crate::plain::single;
use evidence::Value;
use invariants::Value as Flat;

/// True if two objects of one class, or two arrays, hold the same; none of other values, and where that is not known: of what
/// is cut off, of what nobody looked into, of what is not a number.
pub(crate) fn alike(a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Object { .. }, Value::Object { .. })
        | (Value::Array { .. }, Value::Array { .. }) => hold_the_same(a, b),
        _ => None,
    }
}

fn hold_the_same(a: &Value, b: &Value) -> Option<bool> {
    match (a.unboxed(), b.unboxed()) {
        (
            Value::Object {
                class: of, fields, ..
            },
            Value::Object {
                class: of_other,
                fields: others,
                ..
            },
        ) => {
            let is_like = of == of_other && fields.len() == others.len();
            let pairs = fields.iter().zip(others);
            let each = pairs.map(|((name, a), (other, b))| match name == other {
                true => hold_the_same(a, b),
                false => None,
            });
            is_like.then(|| all(each)).flatten()
        }
        (
            Value::Array {
                length, elements, ..
            },
            Value::Array {
                length: other,
                elements: others,
                ..
            },
        ) if length == other => {
            let is_whole = elements.len() as u64 == *length && others.len() as u64 == *length;
            let pairs = elements.iter().zip(others);
            let cut = (!is_whole).then_some(None);
            all(pairs.map(|(a, b)| hold_the_same(a, b)).chain(cut))
        }
        (Value::Array { .. }, Value::Array { .. }) => Some(false),
        (Value::Opaque { identity: a, .. }, Value::Opaque { identity: b, .. }) => {
            (a == b).then_some(true)
        }
        (Value::Null, Value::Null) => Some(true),
        (a, b) => match (single(a)?, single(b)?) {
            ((_, Flat::Missing), _) | (_, (_, Flat::Missing)) => None,
            ((of, a), (of_other, b)) => (of == of_other).then_some(a == b),
        },
    }
}

/// One part that is not the same decides, whatever is not known of others.
fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = Some(true);
    for part in parts {
        match part {
            Some(false) => return Some(false),
            Some(true) => {}
            None => known = None,
        }
    }
    known
}
