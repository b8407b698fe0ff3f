//! What a variable held: a sample is one [`Value`] a variable.
//!
//! Truth values and references are whole numbers (0 is `false` and `null`): the variable's [`Rep`] says what they mean. Strings and
//! sequences are shared, so that a value is 24 bytes and a copy costs no allocation.

use std::sync::Arc;

/// A text, or `null`.
pub type Text = Option<Arc<str>>;

/// One value of one variable at one visit.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// There was none: behind a null reference, outside of an array's bounds.
    Missing,
    /// A whole number, a truth value (0 or 1) or a reference (0 is `null`).
    Int(i64),
    /// A floating-point number.
    Double(f64),
    /// A string.
    Text(Text),
    /// A sequence of what [`Value::Int`] holds.
    Ints(Arc<[i64]>),
    /// A sequence of floating-point numbers.
    Doubles(Arc<[f64]>),
    /// A sequence of strings.
    Texts(Arc<[Text]>),
}

impl Value {
    /// A string that is there.
    pub fn text(text: &str) -> Value {
        Value::Text(Some(Arc::from(text)))
    }

    /// True if there was none.
    #[inline]
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self, Value::Missing)
    }

    /// The whole number that this is.
    pub fn int(&self) -> Option<i64> {
        match self {
            Value::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The number that this is, whole or not.
    #[inline]
    pub fn number(&self) -> Option<f64> {
        match self {
            #[allow(clippy::cast_precision_loss)]
            Value::Int(value) => Some(*value as f64),
            Value::Double(value) => Some(*value),
            _ => None,
        }
    }

    /// How many elements the sequence has.
    pub fn length(&self) -> Option<usize> {
        match self {
            Value::Ints(all) => Some(all.len()),
            Value::Doubles(all) => Some(all.len()),
            Value::Texts(all) => Some(all.len()),
            _ => None,
        }
    }

    /// The element at a place, if the sequence is that long.
    pub fn element(&self, at: usize) -> Option<Value> {
        match self {
            Value::Ints(all) => all.get(at).map(|v| Value::Int(*v)),
            Value::Doubles(all) => all.get(at).map(|v| Value::Double(*v)),
            Value::Texts(all) => all.get(at).map(|v| Value::Text(v.clone())),
            _ => None,
        }
    }

    /// True if nothing tells the two apart, to the bit.
    pub(crate) fn is_identical(&self, other: &Value) -> bool {
        let same = |a: &f64, b: &f64| a.to_bits() == b.to_bits();
        match (self, other) {
            (Value::Double(a), Value::Double(b)) => same(a, b),
            (Value::Doubles(a), Value::Doubles(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(a, b))
            }
            (a, b) => a == b,
        }
    }

    /// True if both are the same value: a number that is not one is itself, and 0.0 is -0.0.
    pub fn is_same(&self, other: &Value) -> bool {
        let same = |a: &f64, b: &f64| a == b || a.is_nan() && b.is_nan();
        match (self, other) {
            (Value::Double(a), Value::Double(b)) => same(a, b),
            (Value::Doubles(a), Value::Doubles(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(a, b))
            }
            (a, b) => a == b,
        }
    }
}

/// What a value is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Int,
    /// A reference: it can be equal to another, or null.
    Reference,
    /// A floating-point number.
    Double,
    /// A string.
    Text,
}

/// How a variable's values are represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rep {
    /// What they, or their elements, are.
    pub kind: Kind,
    /// They are sequences.
    pub sequence: bool,
}

impl Rep {
    /// Single values.
    pub const fn one(kind: Kind) -> Rep {
        Rep {
            kind,
            sequence: false,
        }
    }

    /// Sequences of them.
    pub const fn many(kind: Kind) -> Rep {
        Rep {
            kind,
            sequence: true,
        }
    }

    /// Single whole or floating-point numbers.
    pub fn is_number(self) -> bool {
        !self.sequence && self.kind.is_number()
    }

    /// True if this value can be one of such a variable.
    pub fn takes(self, value: &Value) -> bool {
        match value {
            Value::Missing => true,
            Value::Int(_) => !self.sequence && !matches!(self.kind, Kind::Double | Kind::Text),
            Value::Double(_) => self == Rep::one(Kind::Double),
            Value::Text(_) => self == Rep::one(Kind::Text),
            Value::Ints(_) => self.sequence && !matches!(self.kind, Kind::Double | Kind::Text),
            Value::Doubles(_) => self == Rep::many(Kind::Double),
            Value::Texts(_) => self == Rep::many(Kind::Text),
        }
    }
}

impl Kind {
    /// Whole or floating-point numbers: what can be ordered and calculated with.
    pub fn is_number(self) -> bool {
        matches!(self, Kind::Int | Kind::Double)
    }
}
