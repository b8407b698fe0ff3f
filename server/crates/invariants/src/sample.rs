//! A sample's values by term, beside what was before it.

use crate::value::Value;

/// What is known of a term's value so far.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Past {
    /// It was never there.
    Absent,
    /// It was there in every sample, with one value.
    Constant(Value),
    Varying,
    /// An index was out of bounds: nothing is said of it any more.
    Outside,
}

/// What a term is in a sample, beside the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Now {
    Other,
    /// There, and the same to the bit.
    Same,
    /// Missing in both.
    Missing,
}

impl Now {
    pub(crate) fn of(value: &Value, before: Option<&Value>) -> Now {
        match (value, before) {
            (Value::Missing, Some(Value::Missing)) => Now::Missing,
            (value, Some(before)) if value.is_identical(before) => Now::Same,
            _ => Now::Other,
        }
    }
}

/// A sample's values by term.
pub(crate) struct Row<'a>(pub(crate) Vec<&'a Value>);

impl<'a> Row<'a> {
    #[inline]
    pub(crate) fn get(&self, term: u32) -> &'a Value {
        self.0.get(term as usize).unwrap_or(&&Value::Missing)
    }
}
