//! The calls of tests by method: what is learnt from, and what is judged.

use crate::distinct::{Distinct, Grouped};
use crate::options::{Moment, Options, Step, Teacher};
use crate::shape::Shape;
use evidence::{Call, Called, Calls, Profile};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// A call of a method with where it is from.
#[derive(Clone, Copy)]
pub(crate) struct Sampled<'a> {
    pub(crate) test: usize,
    pub(crate) at: usize,
    pub(crate) call: &'a Call,
    pub(crate) profile: Option<&'a Profile>,
}

/// Calls by method. What another run saw otherwise, and what did not return, is left out.
pub(crate) fn by_method<'a>(
    tests: impl IntoIterator<Item = (usize, &'a Calls)>,
    wants: &dyn Fn(&Called) -> bool,
) -> BTreeMap<&'a Called, Vec<Sampled<'a>>> {
    let mut out: BTreeMap<&Called, Vec<Sampled<'_>>> = BTreeMap::new();
    for (test, calls) in tests {
        let wanted: Vec<bool> = calls.methods.iter().map(wants).collect();
        for (at, call) in calls.calls.iter().enumerate() {
            let (Some(method), Some(end)) = (calls.methods.get(call.method as usize), &call.end)
            else {
                continue;
            };
            if call.is_unstable || !wanted[call.method as usize] {
                continue;
            }
            let profile = end.profile.and_then(|p| calls.profiles.get(p as usize));
            out.entry(method).or_default().push(Sampled {
                test,
                at,
                call,
                profile,
            });
        }
    }
    out
}

/// How many of a class's own tests must call a method to be left alone with it.
const OWN_TESTS: usize = 2;

/// The class's own tests say what it is for: of a method that so many of them call they alone teach what is usual. Of one that
/// they hardly call all tests teach.
pub(crate) fn is_left_to(own_tests: usize, options: &Options) -> bool {
    let least = match options.has(Step::Callers) {
        true => OWN_TESTS,
        false => 0,
    };
    own_tests >= least
}

/// The calls that teach what is usual of each method.
pub(crate) fn taught<'a>(
    manual: &[Teacher<'a>],
    wants: &dyn Fn(&Called) -> bool,
    options: &Options,
) -> BTreeMap<&'a Called, Vec<Sampled<'a>>> {
    let calls = manual.iter().map(|t| t.calls).enumerate();
    let has_own = manual.iter().any(|t| t.is_own);
    let mut out = by_method(calls, wants);
    let is_own = |s: &Sampled<'_>| manual[s.test].is_own;
    for teachers in out.values_mut() {
        let own: FxHashSet<usize> = teachers
            .iter()
            .filter(|s| is_own(s))
            .map(|s| s.test)
            .collect();
        if has_own && is_left_to(own.len(), options) {
            teachers.retain(is_own);
        }
    }
    out.retain(|_, teachers| !teachers.is_empty());
    out
}

/// What can be spoken of at a moment of a method's calls, as these samples of it have it.
pub(crate) fn shape(
    method: &Called,
    at: Moment,
    samples: &[Sampled<'_>],
    options: &Options,
) -> Shape {
    let samples = Samples::of(method, at, samples);
    samples.shape(&samples.all(), options)
}

/// The calls of a method at one moment, from which it is learnt.
pub(crate) struct Samples<'s, 'a> {
    pub(crate) method: &'s Called,
    pub(crate) moment: Moment,
    pub(crate) calls: &'s [Sampled<'a>],
    pub(crate) distinct: Distinct,
}

impl<'s, 'a> Samples<'s, 'a> {
    pub(crate) fn of(
        method: &'s Called,
        moment: Moment,
        calls: &'s [Sampled<'a>],
    ) -> Samples<'s, 'a> {
        Samples {
            distinct: Distinct::of(moment, &method.parameters, calls.iter().map(|s| s.call)),
            method,
            moment,
            calls,
        }
    }

    /// All calls.
    pub(crate) fn all(&self) -> Grouped {
        self.of_tests(&|_| true)
    }

    /// The calls of some tests.
    pub(crate) fn of_tests(&self, is_wanted: &dyn Fn(usize) -> bool) -> Grouped {
        let tests = self.calls.iter().map(|s| s.test).enumerate();
        self.distinct
            .grouped(tests.filter(|(_, test)| is_wanted(*test)))
    }

    /// What can be spoken of, as some of the calls have it.
    pub(crate) fn shape(&self, of: &Grouped, options: &Options) -> Shape {
        Shape::of(
            &format!("{}.{}", self.method.class, self.method.name),
            self.moment,
            options.has(Step::Alike),
            &self.distinct,
            of.numbers(),
        )
    }
}
