//! What an expression, or a definition, was in a test.

use crate::value::Value;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

/// What one expression was in one test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Observed {
    /// Different values in the order of their first appearance, over all turns and invocations.
    pub values: Vec<Value>,
    /// How often it was looked at; at least, where [`Observed::is_least`] says so.
    pub count: u64,
    /// There were more values than were kept.
    pub cut: bool,
    /// Another run gave other values; they stand here.
    pub differs: Option<Vec<Value>>,
    /// It was asked in one run only, so that nobody knows whether it is the same again.
    pub once: bool,
}

impl Observed {
    /// Beyond so many times in a test the recorder does not look (`Hot.java`).
    const LOOKED_AT: u64 = 1 << 16;

    /// True if it may have been looked at more often than [`Observed::count`] says.
    pub fn is_least(&self) -> bool {
        self.cut && self.count >= Self::LOOKED_AT
    }

    /// The value, if it was one and the same whenever it was looked at, in two runs.
    pub fn stable(&self) -> Option<&Value> {
        match self.values.as_slice() {
            [one] if !self.cut && self.differs.is_none() && !self.once => Some(one),
            _ => None,
        }
    }

    /// Forgets of each value what is not shown.
    pub fn outline(&mut self) {
        let others = self.differs.iter_mut().flatten();
        self.values
            .iter_mut()
            .chain(others)
            .for_each(Value::outline);
    }

    /// True if it threw, at least once.
    pub fn throws(&self) -> bool {
        self.values.iter().any(|v| matches!(v, Value::Threw(_)))
    }

    /// True if another run gave something else.
    pub fn is_unstable(&self) -> bool {
        self.differs.is_some()
    }

    /// False of what differs from run to run or throws, which is nothing to assert.
    pub fn holds(&self) -> bool {
        !self.is_unstable() && !self.throws()
    }

    /// True if both saw the same.
    pub fn same(&self, other: &Observed) -> bool {
        let mut pairs = self.values.iter().zip(&other.values);
        self.count == other.count
            && self.cut == other.cut
            && self.values.len() == other.values.len()
            && pairs.all(|(a, b)| a.same(b))
    }
}

/// A definition: the variable and which of its definitions in the order of their positions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Seen {
    /// Its name; in the code under test behind that of the member: `pkg.Class#method(int) name`.
    pub variable: SmolStr,
    /// From 0.
    pub nth: u32,
}
