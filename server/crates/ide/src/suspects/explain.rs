//! One assertion from samples to its score: what is added up, what is left out and why, and the samples of both sides.

use super::{Assertion, Judged, Opinion, TeachersOf, assertions, classes, place};
use crate::analysis::Analysis;
use evidence::Calls;
use program::{MethodId, TypeId};
use std::collections::BTreeMap;
use std::sync::Arc;
use suspects::{Options, Sides, Teacher, counting, seen};

/// Something strange that reaches an assertion.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Among the violations of the class.
    pub violation: usize,
    /// The line of the test's file, from 1, from which was called; none where that is not known.
    pub line: Option<u32>,
    /// How it reaches the assertion, in words.
    pub way: Arc<[String]>,
    /// Whether it counts.
    pub counts: Counts,
}

/// Whether something that reaches an assertion adds to its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// It does.
    Yes,
    /// What had run is not what hand-written tests run: the filter took it out.
    Unlike,
    /// Something else from the same place of the test weighs more: one strange value breaks much.
    Less,
    /// Somebody accepted an assertion that it reaches, too: the constraint is none.
    Refuted,
}

/// All that reaches an assertion of a class: first what counts, in the order of its weight.
pub fn steps(analysis: &Analysis, judged: &Judged, assertion: usize) -> Vec<Step> {
    let suspect = judged.suspects.iter().find(|s| s.assertion == assertion);
    let counted = suspect.map_or_else(Vec::new, |s| judged.against(s));
    let counting = counting(&judged.examined, &counted, &judged.options);
    let reaching = judged.ways.to(assertion);
    let others: Vec<usize> = reaching.filter(|v| !counted.contains(v)).collect();
    let test = judged.assertions.get(assertion).map(|a| a.test);
    let calls = test.and_then(|t| calls(analysis, t));
    let one = |violation: &usize| {
        let own = judged.violation(*violation)?;
        let from = || {
            let calls = calls.as_ref()?;
            let at = calls.calls.get(own.call)?.from?;
            place::line(analysis, test?, calls.places.get(at as usize)?)
        };
        Some(Step {
            violation: *violation,
            line: from(),
            way: judged.ways.get(assertion, *violation)?.clone(),
            counts: match () {
                () if counting.contains(violation) => Counts::Yes,
                () if counted.contains(violation) => Counts::Less,
                () if !own.is_kept => Counts::Unlike,
                () => Counts::Refuted,
            },
        })
    };
    counted.iter().chain(&others).filter_map(one).collect()
}

/// What hand-written and generated tests saw of what a violation broke, call by call, judged as the class was. It costs what reading
/// all calls of the class costs.
pub fn sides(analysis: &Analysis, judged: &Judged, violation: usize, options: &Options) -> Sides {
    let (Some(violation), Some(class)) = (judged.violation(violation), judged.class) else {
        return Sides::default();
    };
    let of = |test: &MethodId| calls(analysis, *test).unwrap_or_default();
    let teachers = analysis.ask(TeachersOf(class));
    let teaches = |test: &MethodId| judged.teaching.contains(test);
    // Who does not teach keeps its position.
    let manual = judged.manual.iter();
    let manual = manual.map(|test| {
        if teaches(test) {
            of(test)
        } else {
            Calls::default()
        }
    });
    let manual: Vec<Calls> = manual.collect();
    let generated: Vec<Calls> = judged.generated.iter().map(of).collect();
    let manual: Vec<Teacher<'_>> = judged
        .manual
        .iter()
        .zip(&manual)
        .map(|(test, calls)| Teacher {
            calls,
            is_own: teaches(test) && teachers.own.contains(test),
        })
        .collect();
    let generated: Vec<&Calls> = generated.iter().collect();
    seen(&manual, &generated, &violation.broken, options)
}

fn calls(analysis: &Analysis, test: MethodId) -> Option<Calls> {
    analysis.recorded(test)?.calls.as_ref()?.calls()
}

/// The assertions of those generated tests that are wanted, by file and position; each with the classes that its test is about.
pub fn of_tests(
    analysis: &Analysis,
    wants: &dyn Fn(MethodId) -> bool,
) -> Vec<(Assertion, Vec<TypeId>)> {
    let mut about: BTreeMap<MethodId, Vec<TypeId>> = BTreeMap::new();
    for (class, tests) in classes(analysis).iter() {
        for test in tests.iter().filter(|t| wants(**t)) {
            about.entry(*test).or_default().push(*class);
        }
    }
    let of = |(test, classes): (MethodId, Vec<TypeId>)| {
        let own = assertions(analysis, test).into_iter();
        own.map(move |a| (a, classes.clone()))
    };
    let mut out: Vec<_> = about.into_iter().flat_map(of).collect();
    out.sort_by_key(|(a, _)| (a.file, a.span.start, a.span.end));
    out
}

/// What is known of an assertion in what was judged of a class that it is about.
pub fn opinion_of(analysis: &Analysis, judged: &Judged, assertion: &Assertion) -> Opinion {
    let known = judged.assertions.iter().position(|a| a == assertion);
    let suspect = known.and_then(|k| judged.suspects.iter().position(|s| s.assertion == k));
    match (known, suspect) {
        (_, Some(suspect)) => Opinion::Suspect(suspect),
        (Some(_), None) if judged.teaching.is_empty() => Opinion::Untaught,
        (Some(_), None) => Opinion::Safe,
        (None, _) => match analysis.recorded(assertion.test) {
            Some(told) if told.key != analysis.key(assertion.test) => Opinion::Stale,
            _ => Opinion::Unknown,
        },
    }
}
