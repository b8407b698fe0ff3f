//! What is known of a folder's tests, for those who show it.

use crate::Key;
use crate::calls::Packed;
use crate::inside::Inside;
use crate::ran::Ran;
use crate::value::Value;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use std::sync::Arc;

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

    /// True if both saw the same.
    pub fn same(&self, other: &Observed) -> bool {
        let mut pairs = self.values.iter().zip(&other.values);
        self.count == other.count
            && self.cut == other.cut
            && self.values.len() == other.values.len()
            && pairs.all(|(a, b)| a.same(b))
    }
}

/// What was recorded of one test.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Of which code: what it runs.
    pub key: Key,
    /// Of which code what it could read is: what that runs, too.
    pub asked: Key,
    /// When, in seconds since 1970.
    pub at: i64,
    /// False if it failed: what it did is shown and nobody learns from it.
    pub passed: bool,
    /// What it failed with where time zone, locale and order of hashes were others, and only there.
    pub varied: Option<String>,
    /// What it could read at its end, by the expression.
    pub queries: FxHashMap<SmolStr, Observed>,
    /// What its variables were, by [`Seen`].
    pub variables: FxHashMap<Seen, Observed>,
    /// What was defined within the code under test while it ran, by [`Seen`].
    pub inside: Inside,
    /// What it called of the code under test, where that was asked for.
    pub calls: Option<Packed>,
}

/// A definition: the variable and which of its definitions in the order of their positions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Seen {
    /// Its name; in the code under test behind that of the member: `pkg.Class#method(int) name`.
    pub variable: SmolStr,
    /// From 0.
    pub nth: u32,
}

/// What is known of a folder's tests, by their name: `pkg.Class#method(int)`.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    tests: FxHashMap<SmolStr, Arc<Told>>,
    ran: Arc<Ran>,
}

impl Facts {
    /// Adds what was recorded of a test, in place of what was known.
    pub fn insert(&mut self, test: impl Into<SmolStr>, told: Told) {
        self.tests.insert(test.into(), Arc::new(told));
    }

    /// What was recorded of a test, fresh or not.
    pub fn of(&self, test: &str) -> Option<&Arc<Told>> {
        self.tests.get(test)
    }

    /// All tests something is known of, in no order.
    pub fn tests(&self) -> impl Iterator<Item = (&SmolStr, &Arc<Told>)> {
        self.tests.iter()
    }

    /// Which lines ran.
    pub fn ran(&self) -> &Arc<Ran> {
        &self.ran
    }

    /// The same with what ran.
    #[must_use]
    pub fn with_ran(self, ran: Ran) -> Facts {
        Facts {
            ran: Arc::new(ran),
            ..self
        }
    }

    /// How many tests something is known of.
    pub fn len(&self) -> usize {
        self.tests.len()
    }

    /// True if nothing is known.
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }
}
