//! What judging generated assertions costs, in a project that was recorded: learning, judging a class, and a keystroke in a generated test.

use super::load::{recorded, timed};
use super::percentile;
use crate::Result;
use evidence::{Calls, Facts, Told};
use ide::Analysis;
use ide::rules::{self, Ground, Rule};
use ide::suspects::classes;
use program::{Change, FileId, MethodId, TypeId};
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;
use suspects::{Options, Teacher, learn};

/// Hand-written tests that are recorded again.
const AGAIN: usize = 9;

/// Keystrokes in generated tests.
const KEYSTROKES: usize = 60;

pub(super) fn measure(folder: &Path, quick: bool) -> Result<()> {
    let (analysis, read) = recorded(folder)?;
    let known = analysis.facts().len();
    println!("store: {known} tests read in {read:.0} ms");
    analysis.prepare();
    all_classes(&analysis);
    let tests = analysis.workspace().suite().tests().to_vec();
    let ((), keys) = timed(|| {
        for test in &tests {
            analysis.key(*test);
        }
    });
    println!(
        "freshness: of {} tests in {keys:.0} ms, once after a start",
        tests.len()
    );
    let all = classes(&analysis);
    for (class, tests) in all.iter() {
        let (_, learning) = timed(|| ide::suspects::learn(&analysis, *class));
        let (judged, first) = timed(|| analysis.judged(*class));
        println!(
            "{}: {} generated tests judged of {}, {} hand-written ones, {} constraints broken, {} assertions of which {} are suspects: learnt and judged in {:.0} ms, {:.0} for 100 tests (at most 500, aim 100); until all was learnt and broken {learning:.0}",
            analysis.program().type_name(*class),
            judged.generated.len(),
            tests.len(),
            judged.teaching.len(),
            judged.examined.len(),
            judged.assertions.len(),
            judged.suspects.len(),
            learning + first,
            per_hundred(learning + first, judged.generated.len()),
        );
    }
    for (class, _) in all.iter() {
        again(&analysis, *class);
        typing(&analysis, *class, quick);
    }
    Ok(())
}

/// What is usual of every method that hand-written tests call.
fn all_classes(analysis: &Analysis) {
    let (program, facts) = (analysis.program(), analysis.facts());
    let manual = |test: &MethodId| {
        let owner = program.method_owner(*test);
        program.generated(owner).is_none()
    };
    let tests = analysis.workspace().suite().tests();
    let (calls, reading) = timed(|| {
        let told = tests.par_iter().filter(|t| manual(t));
        let told = told.filter_map(|t| facts.of(&program.method_name(*t)));
        let calls = told.filter_map(|t| t.calls.as_ref()?.calls());
        calls.collect::<Vec<Calls>>()
    });
    let (constraints, learning) = timed(|| {
        let teachers = calls.iter().map(|calls| Teacher {
            calls,
            is_own: false,
        });
        let teachers: Vec<Teacher<'_>> = teachers.collect();
        let (options, poll) = (Options::default(), || ());
        learn(&teachers, &[], &|_| true, &options, &poll).believed()
    });
    let samples: usize = calls.iter().map(|c| c.calls.len()).sum();
    println!(
        "learning: all classes, {} hand-written tests, {samples} calls, {constraints} constraints: {:.0} ms, of which reading {reading:.0} (at most 60,000, aim 15,000)",
        calls.len(),
        reading + learning,
    );
}

/// How a hand-written test was recorded again.
#[derive(Clone, Copy, PartialEq)]
enum Again {
    SameCalls,
    OneCallLess,
    /// It was edited, so that nobody learns of it until it is recorded.
    Edited,
    /// And then recorded, with one call less.
    Recorded,
}

impl Again {
    const ALL: [(Again, &'static str); 4] = [
        (Again::SameCalls, "was recorded again with the same calls"),
        (Again::OneCallLess, "was recorded again with one call less"),
        (Again::Edited, "was edited"),
        (
            Again::Recorded,
            "was recorded after that with one call less",
        ),
    ];

    fn told(self, told: Told) -> Told {
        let has_less = matches!(self, Again::OneCallLess | Again::Recorded);
        let calls = match has_less {
            false => told.calls,
            true => told.calls.and_then(|calls| {
                let mut calls = calls.calls()?;
                calls.calls.pop();
                calls.pack().ok()
            }),
        };
        Told {
            at: told.at + 1,
            key: match self {
                Again::Edited => told.key.wrapping_add(1),
                Again::Recorded => told.key.wrapping_sub(1),
                Again::SameCalls | Again::OneCallLess => told.key,
            },
            calls,
            ..told
        }
    }
}

/// What it costs to judge a class anew after one of its tests was recorded again. Of tests that are spread over all, one after the
/// other.
fn again(analysis: &Analysis, class: TypeId) {
    let judged = analysis.judged(class);
    let step = (judged.teaching.len() / AGAIN).max(1);
    let mut next = analysis.after(Vec::new());
    let mut times = vec![(Vec::new(), Vec::new()); Again::ALL.len()];
    for test in judged.manual.iter().step_by(step).take(AGAIN) {
        for ((learning, both), (again, _)) in times.iter_mut().zip(Again::ALL) {
            let name = next.program().method_name(*test);
            let mut facts = Facts::clone(next.facts());
            let Some(told) = facts.of(&name).map(|told| Told::clone(told)) else {
                continue;
            };
            facts.insert(name, again.told(told));
            next = next.with_facts(Arc::new(facts));
            let ((), learnt) = timed(|| ide::suspects::learn(&next, class));
            let (_, judged) = timed(|| next.judged(class));
            learning.push(learnt);
            both.push(learnt + judged);
        }
    }
    for ((learning, both), (_, what)) in times.into_iter().zip(Again::ALL) {
        if learning.is_empty() {
            continue;
        }
        println!(
            "{}: after one of its {} hand-written tests {what}: learnt p50 {:.0} ms, most {:.0} ms (at most 300, aim 50), learnt and its {} generated tests judged p50 {:.0} ms, most {:.0} ms; {} times",
            analysis.program().type_name(class),
            judged.teaching.len(),
            percentile(learning.clone(), 50),
            percentile(learning.clone(), 100),
            judged.generated.len(),
            percentile(both.clone(), 50),
            percentile(both.clone(), 100),
            learning.len(),
        );
    }
}

/// Of how long it took for so many tests.
#[allow(clippy::cast_precision_loss)]
fn per_hundred(ms: f64, tests: usize) -> f64 {
    ms * 100.0 / tests.max(1) as f64
}

/// What the diagnostics of a file cost after a keystroke in one of its generated tests.
fn typing(analysis: &Analysis, class: TypeId, quick: bool) {
    let judged = analysis.judged(class);
    let program = analysis.program();
    let each = if quick { KEYSTROKES / 4 } else { KEYSTROKES };
    let step = (judged.assertions.len() / each).max(1);
    // What was learnt of other facts stands where these had been learnt: nobody's keystroke goes back to older facts. And what the
    // first edit after a start settles is settled by the second.
    let analysis = &analysis.after(Vec::new());
    if let Some(assertion) = judged.assertions.first() {
        diagnostics(analysis, assertion.file);
    }
    let mut times = Vec::new();
    for assertion in judged.assertions.iter().step_by(step).take(each) {
        let file = assertion.file;
        let (Some(path), Some(set), Some(text)) = (
            program.path(file),
            program.source_set(file),
            program.text(file),
        ) else {
            continue;
        };
        let end = assertion.span.end as usize;
        let Some((before, after)) = text.split_at_checked(end) else {
            continue;
        };
        let change = |text: String| Change {
            path: Arc::clone(path),
            source_set: set,
            text: Some(Arc::from(text)),
        };
        // A blank changes nothing, another statement ends what is known of the test.
        let typed = format!("{before} ; int typed = 1{after}");
        let (_, ms) = timed(|| {
            let next = analysis.after(vec![change(typed)]);
            diagnostics(&next, file);
        });
        times.push(ms);
    }
    if times.is_empty() {
        return;
    }
    println!(
        "{}: keystroke in a generated test to its file's diagnostics: p50 {:.1} ms, p95 {:.1} ms, most {:.1} ms; {} times (at most 20)",
        program.type_name(class),
        percentile(times.clone(), 50),
        percentile(times.clone(), 95),
        percentile(times.clone(), 100),
        times.len()
    );
}

fn diagnostics(analysis: &Analysis, file: FileId) {
    let options = rules::Options::default();
    let ground = Ground::new(analysis, &options);
    let is_own = |rule: &Rule| rule.name == "suspicious-assertion";
    std::hint::black_box(ground.findings(file, &is_own));
}
