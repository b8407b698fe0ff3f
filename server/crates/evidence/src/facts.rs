//! What is known of a folder's tests, for those who show it.

use crate::Key;
use crate::calls::Packed;
use crate::definitions::{Definitions, hash};
use crate::observed::{Observed, Seen};
use crate::ran::Ran;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::sync::{Arc, OnceLock};

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
    /// What its variables were.
    pub variables: Definitions,
    /// What was defined within the code under test while it ran.
    pub inside: Definitions,
    /// What it called of the code under test, where that was asked for.
    pub calls: Option<Packed>,
}

/// What is known of a folder's tests, by their name: `pkg.Class#method(int)`.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    tests: FxHashMap<SmolStr, Arc<Told>>,
    ran: Arc<Ran>,
    /// By the hash of a name of the code under test, the tests that may know what it was, in order.
    inside: OnceLock<FxHashMap<u32, Vec<SmolStr>>>,
}

impl Facts {
    /// Adds what was recorded of a test, in place of what was known.
    pub fn insert(&mut self, test: impl Into<SmolStr>, told: Told) {
        self.tests.insert(test.into(), Arc::new(told));
        self.inside.take();
    }

    /// What was recorded of a test, fresh or not.
    pub fn of(&self, test: &str) -> Option<&Arc<Told>> {
        self.tests.get(test)
    }

    /// All tests something is known of, in no order.
    pub fn tests(&self) -> impl Iterator<Item = (&SmolStr, &Arc<Told>)> {
        self.tests.iter()
    }

    /// The tests that may know what a definition of the code under test was, by name. The first question looks at all tests.
    pub fn tests_knowing(&self, seen: &Seen) -> &[SmolStr] {
        let inside = self.inside.get_or_init(|| {
            let mut out: FxHashMap<u32, Vec<SmolStr>> = FxHashMap::default();
            let mut all: Vec<(&SmolStr, &Arc<Told>)> = self.tests.iter().collect();
            all.sort_unstable_by_key(|(name, _)| *name);
            for (name, told) in all {
                for hash in told.inside.names() {
                    out.entry(*hash).or_default().push(name.clone());
                }
            }
            out
        });
        inside.get(&hash(seen)).map_or(&[], Vec::as_slice)
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
