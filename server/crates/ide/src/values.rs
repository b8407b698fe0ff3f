//! What definitions of the code under test were in the tests that ran.

use crate::analysis::{Analysis, Place};
use crate::inner::{CandidateId, candidate_at, seen_inside};
use evidence::{Observed, Seen, Told};
use program::MethodId;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How many tests are looked into for one answer: each is unpacked.
const LOOKED_INTO: usize = 12;

/// What a definition was in one test.
#[derive(Debug)]
pub(crate) struct InTest {
    pub(crate) test: MethodId,
    pub(crate) observed: Observed,
    /// It is of the code that there is now.
    pub(crate) is_fresh: bool,
    pub(crate) passed: bool,
}

/// What is known of a definition.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Those that are fresh first, then by name; no more than are looked into.
    pub(crate) tests: Vec<InTest>,
    /// How many more tests may know it.
    pub(crate) more: usize,
}

/// The definitions of the code under test that were other values in another run of a test that passed.
#[derive(Debug, Default)]
pub(crate) struct Differing(BTreeSet<Seen>);

impl Differing {
    /// Of today's code; none of a test that was not recorded with it.
    pub(crate) fn of(analysis: &Analysis, test: MethodId) -> Differing {
        let told = analysis.believed(test);
        let Some(told) = told.filter(|told| told.inside.differs()) else {
            return Differing::default();
        };
        let all = told.inside.all().into_iter();
        let differing = all.filter(|(_, observed)| observed.is_unstable());
        Differing(differing.map(|(seen, _)| seen).collect())
    }

    /// Those that differ in each of several tests that is known to have them; of tests in which nothing differs nothing is unpacked.
    pub(crate) fn in_each(told: &[Arc<Told>]) -> Differing {
        let (some, others): (Vec<&Arc<Told>>, _) = told.iter().partition(|t| t.inside.differs());
        let mut out = BTreeSet::new();
        let mut same = BTreeSet::new();
        for told in some {
            for (seen, observed) in told.inside.all() {
                match observed.is_unstable() {
                    true => out.insert(seen),
                    false => same.insert(seen),
                };
            }
        }
        out.retain(|seen| !same.contains(seen) && !others.iter().any(|t| t.inside.may_have(seen)));
        Differing(out)
    }

    /// True if a definition is one of them.
    pub(crate) fn has_it(&self, seen: &Seen) -> bool {
        self.0.contains(seen)
    }

    /// True if the definition at a place is one of them.
    pub(crate) fn has(&self, analysis: &Analysis, place: Place) -> bool {
        let seen = || seen_inside(analysis, candidate_at(analysis, place)?);
        !self.0.is_empty() && seen().is_some_and(|seen| self.has_it(&seen))
    }
}

/// Answers what definitions were, for one request.
pub(crate) struct Values<'a> {
    analysis: &'a Analysis,
    /// The tests of today by name, once one is asked for.
    tests: Option<FxHashMap<String, MethodId>>,
    unpacked: FxHashMap<MethodId, Arc<BTreeMap<Seen, Observed>>>,
    /// So many tests may still be unpacked.
    left: usize,
}

impl<'a> Values<'a> {
    pub(crate) fn new(analysis: &'a Analysis) -> Values<'a> {
        Values {
            analysis,
            tests: None,
            unpacked: FxHashMap::default(),
            left: LOOKED_INTO,
        }
    }

    /// What a definition was. The first question of a request makes a table of all tests; what is unpacked is bounded.
    pub(crate) fn of(&mut self, id: CandidateId) -> Option<Known> {
        let analysis = self.analysis;
        let facts = analysis.facts();
        if facts.is_empty() {
            return None;
        }
        let seen = seen_inside(analysis, id)?;
        let knowing = facts.tests_knowing(&seen);
        if knowing.is_empty() {
            return None;
        }
        let program = analysis.program();
        let tests = self.tests.get_or_insert_with(|| {
            let tests = analysis.workspace().suite().tests().iter();
            let named = tests.map(|t| (program.method_name(*t), *t));
            named.collect()
        });
        let mut out = Known::default();
        let there = knowing.iter().filter_map(|name| tests.get(name.as_str()));
        for test in there.copied() {
            let Some(told) = analysis.recorded(test) else {
                continue;
            };
            if !self.unpacked.contains_key(&test) && self.left == 0 {
                out.more += 1;
                continue;
            }
            let all = self.unpacked.entry(test).or_insert_with(|| {
                self.left -= 1;
                Arc::new(told.inside.all())
            });
            if let Some(observed) = all.get(&seen) {
                out.tests.push(InTest {
                    test,
                    observed: observed.clone(),
                    is_fresh: told.key == analysis.key(test),
                    passed: told.passed,
                });
            }
        }
        out.tests.sort_by_key(|t| !t.is_fresh);
        (!out.tests.is_empty()).then_some(out)
    }
}

impl Known {
    /// What it was over all tests that passed with today's code: each value once, in the order of the tests. None if there is no such
    /// test.
    pub(crate) fn joined(&self) -> Option<Observed> {
        let mut told = self.tests.iter().filter(|t| t.is_fresh && t.passed);
        let mut out = told.next()?.observed.clone();
        for more in told {
            out.count += more.observed.count;
            out.cut |= more.observed.cut;
            for value in &more.observed.values {
                if !out.values.iter().any(|v| v.same(value)) {
                    out.values.push(value.clone());
                }
            }
        }
        out.cut |= self.more > 0;
        Some(out)
    }
}
