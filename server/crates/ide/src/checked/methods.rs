//! Which tests run a method of the code under test, and which check it.
//!
//! Whether any does is asked of each method of a file after each keystroke, so it is answered by what was kept and by keys of tests
//! alone. Which of them check it takes a slice of each, and is answered where somebody asks for that.

use super::{KeptToday, LineTests, MOST_SLICES, MarkedIn, PlacesToday, Unchecked, UncheckedToday};
use crate::analysis::{Analysis, Part, Question};
use evidence::{Key, PackedLines};
use program::{FileId, MethodId};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use slices::FileLines;
use smol_str::SmolStr;
use std::sync::Arc;
use text::LineSet;

/// Which tests ran which members when they were recorded, with the code of that time: by member, in the order of the suite.
#[derive(Debug, Default)]
struct Runners(FxHashMap<SmolStr, Vec<(MethodId, Key)>>);

/// Which tests ran which members.
#[derive(Clone, PartialEq, Eq, Hash)]
struct RunnersKept;

impl Question for RunnersKept {
    type Answer = Runners;
    const RESTS_ON: &'static [Part] = &[Part::Facts];
    const IS_OF_DECLARATIONS: bool = true;

    fn answer(&self, analysis: &Analysis) -> Runners {
        let (program, ran) = (analysis.program(), analysis.facts().ran());
        let suite = analysis.workspace().suite().tests();
        let told: Vec<Option<(Key, Vec<SmolStr>)>> = suite
            .par_iter()
            .map(|test| {
                let by = ran.tests.get(&*program.method_name(*test))?;
                let lines = by.lines.lines()?.into_iter();
                Some((by.key, lines.map(|(member, _)| member).collect()))
            })
            .collect();
        let mut out = Runners::default();
        for (test, told) in suite.iter().zip(told) {
            let Some((key, members)) = told else { continue };
            for member in members {
                out.0.entry(member).or_default().push((*test, key));
            }
        }
        out
    }
}

/// The tests that ran a method with today's code, and those that ran it with other code, in the order of the suite.
fn runners(analysis: &Analysis, method: MethodId) -> (Vec<MethodId>, Vec<MethodId>) {
    let kept = analysis.ask(RunnersKept);
    let name = analysis.program().method_name(method);
    let own = kept.0.get(&*name).map_or(&[][..], |own| own);
    let (fresh, stale): (Vec<_>, Vec<_>) = own
        .iter()
        .partition(|(test, key)| *key == analysis.key(*test));
    let tests = |of: Vec<(MethodId, Key)>| of.into_iter().map(|(test, _)| test).collect();
    (tests(fresh), tests(stale))
}

/// True if it is known what a test ran, with today's code.
pub(crate) fn is_ran(analysis: &Analysis, test: MethodId) -> bool {
    let ran = &analysis.facts().ran().tests;
    !ran.is_empty()
        && ran
            .get(&*analysis.program().method_name(test))
            .is_some_and(|by| by.key == analysis.key(test))
}

/// The tests that ran a method when they were recorded with today's code, in order.
pub(crate) fn ran_by(analysis: &Analysis, method: MethodId) -> Vec<MethodId> {
    if analysis.facts().ran().tests.is_empty() {
        return Vec::new();
    }
    let (mut fresh, _) = runners(analysis, method);
    fresh.sort_unstable();
    fresh
}

/// True if a test that was recorded with today's code runs a method of the code under test.
pub(crate) fn is_run(analysis: &Analysis, method: MethodId) -> bool {
    if analysis.facts().ran().tests.is_empty() {
        return false;
    }
    let kept = analysis.ask(RunnersKept);
    let name = analysis.program().method_name(method);
    let own = kept.0.get(&*name).map_or(&[][..], |own| own);
    own.iter().any(|(test, key)| *key == analysis.key(*test))
}

/// The method that a line, from 1, is in; the innermost one.
pub(crate) fn method_at(analysis: &Analysis, file: FileId, line: u32) -> Option<MethodId> {
    let program = analysis.program();
    let places = analysis.ask(PlacesToday);
    let member = places.member_at(file, line)?;
    let types = program.types_of_file(file).iter();
    let mut methods = types.flat_map(|t| program.methods_of_type(*t)).copied();
    methods.find(|m| program.method_name(*m) == **member)
}

/// True if a line is known to have code: its class was loaded while tests ran.
pub(crate) fn has_code(analysis: &Analysis, file: FileId, line: u32) -> bool {
    let kept = analysis.ask(KeptToday);
    kept.code_of(file).is_some_and(|own| own.contains(line))
}

/// True if a line ran in nobody's name.
pub(crate) fn ran_outside(analysis: &Analysis, file: FileId, line: u32) -> bool {
    let kept = analysis.ask(KeptToday);
    kept.nobodys_of(file).is_some_and(|own| own.contains(line))
}

fn has(lines: &FileLines, file: FileId, line: u32) -> bool {
    lines.get(&file).is_some_and(|own| own.contains(line))
}

/// How many tests ran a method, or one of its lines if there is one, when its code or theirs was another.
pub fn stale_tests(analysis: &Analysis, method: MethodId, line: Option<u32>) -> usize {
    let (_, stale) = runners(analysis, method);
    let Some(line) = line else {
        return stale.len();
    };
    let (program, ran) = (analysis.program(), analysis.facts().ran());
    let (kept, file) = (analysis.ask(KeptToday), program.method_file(method));
    let runs_it = |lines: &PackedLines| {
        let own = kept.today(lines);
        file.is_some_and(|file| has(&own, file, line))
    };
    let is_of_line = |test: &MethodId| {
        let by = ran.tests.get(&*program.method_name(*test));
        by.is_some_and(|by| runs_it(&by.lines))
    };
    stale.par_iter().filter(|test| is_of_line(test)).count()
}

/// What tests do with a method of the code under test: who runs a line of it, and who checks at least one; none where no test that
/// was recorded with today's code runs it.
pub(crate) fn tests_of_method(analysis: &Analysis, method: MethodId) -> Option<LineTests> {
    let program = analysis.program();
    let file = program.method_file(method)?;
    if analysis.facts().ran().tests.is_empty() || program.is_test(file) {
        return None;
    }
    let (run_by, _) = runners(analysis, method);
    if run_by.is_empty() {
        return None;
    }
    let lines = lines_of(analysis, method, file);
    let ran = analysis.ran_today();
    let looked_at = run_by.len().min(MOST_SLICES);
    // Both are in the order of the suite.
    let mut all = ran.tests.iter();
    let own: Vec<(MethodId, &FileLines)> = run_by[..looked_at]
        .iter()
        .filter_map(|test| Some((*test, &all.find(|(other, _)| other == test)?.1)))
        .collect();
    let checks: Vec<bool> = own
        .par_iter()
        .map(|(test, own)| {
            let own = own.get(&file);
            let runs = |line: &u32| own.is_some_and(|own| own.contains(*line));
            let checked = analysis.ask_beside_others(MarkedIn(file, *test));
            let mut checked = checked.iter().filter(runs);
            checked.any(|line| lines.contains(line))
        })
        .collect();
    let checked_by = own.iter().zip(checks).filter(|(_, checks)| *checks);
    Some(LineTests {
        checked_by: checked_by.map(|((test, _), _)| *test).collect(),
        run_by,
        looked_at,
    })
}

/// The lines of a method, without those of methods inside of it and of those on which nothing could be looked at.
fn lines_of(analysis: &Analysis, method: MethodId, file: FileId) -> LineSet {
    let name = analysis.program().method_name(method);
    let judged = analysis.slices().judged(file);
    let places = analysis.ask(PlacesToday);
    let own = places.lines_of(&name);
    own.filter(|line| judged.contains(*line)).collect()
}

/// True if it is known that nobody checks a line: of small suites alone, for it takes the slices of all tests.
pub fn is_unchecked(analysis: &Analysis, file: FileId, line: u32) -> bool {
    let unchecked = unchecked(analysis);
    unchecked.is_some_and(|all| has(&all.0, file, line))
}

/// The same of all lines of a method that ran with today's code. False where none did.
pub(crate) fn is_unchecked_method(analysis: &Analysis, method: MethodId) -> bool {
    let known = || {
        let file = analysis.program().method_file(method)?;
        let unchecked = unchecked(analysis)?;
        let unchecked = unchecked.0.get(&file)?;
        let ran = analysis.ran_today();
        let own = lines_of(analysis, method, file);
        let mut own = own
            .iter()
            .filter(|line| has(&ran.all, file, *line))
            .peekable();
        Some(own.peek().is_some() && own.all(|line| unchecked.contains(line)))
    };
    known().unwrap_or_default()
}

fn unchecked(analysis: &Analysis) -> Option<Arc<Unchecked>> {
    let ran = analysis.facts().ran();
    (ran.lost == 0 && ran.tests.len() <= MOST_SLICES).then(|| analysis.ask(UncheckedToday))
}
