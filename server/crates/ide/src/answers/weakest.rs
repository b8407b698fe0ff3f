//! The tests of a scope that would gain most by one assertion, each with that assertion: `telltale.weakest/1`.
//!
//! Of each test the first value of its readable list is looked at that looks worth an assertion and that no doubt concerns. A
//! test without such a value is only counted: what is not sure says nothing. The assertion is the one that the light bulb
//! writes ([`crate::action`]).

use super::observe::covered;
use super::{Ground, Scope, ScopeName, What, all_tests, files_below, within};
use crate::action::insertion;
use crate::offers::Readable;
use crate::{Analysis, PlacedEdit, SourceChange};
use evidence::Value;
use oracle::TestRun;
use program::FileId;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use text::Encoding;

/// The answer.
#[derive(Debug, Serialize)]
pub struct Weakest {
    pub schema: &'static str,
    pub root: String,
    pub scope: ScopeName,
    /// How many were asked for.
    pub most: usize,
    pub counts: WeakestCounts,
    /// By gain, the largest first; equals by path and line.
    pub tests: Vec<WeakTest>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct WeakestCounts {
    /// How many tests the scope has.
    pub tests: usize,
    /// How many of them have a value that no doubt concerns.
    pub with_value: usize,
}

/// A test, and what it could assert.
#[derive(Debug, Serialize)]
pub struct WeakTest {
    pub rank: usize,
    /// `pkg.Class#method()`.
    pub test: String,
    pub path: String,
    pub line: u32,
    pub column: u32,
    /// What the value adds to what the assertions read.
    pub gain: f64,
    pub value: WeakValue,
    pub assertion: WeakAssertion,
}

#[derive(Debug, Serialize)]
pub struct WeakValue {
    pub expression: String,
    #[serde(rename = "type")]
    pub ty: String,
    /// What it covers, in words.
    pub because: String,
    /// What it was, in words, if that was recorded of today's code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct WeakAssertion {
    pub text: String,
    /// It has the recorded value. Otherwise a placeholder stands for what the value should be.
    pub finished: bool,
    /// Where it goes.
    pub line: u32,
    /// What puts it there, with its imports.
    pub edits: Vec<WeakEdit>,
}

/// A change of the test's file; lines and columns from 1, columns in UTF-16.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WeakEdit {
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    pub text: String,
}

/// What is kept of a test until it is known whether it is listed.
struct Found {
    run: TestRun,
    file: FileId,
    /// Of the test's name, from 0.
    at: text::Position,
    value: Readable,
    seen: Option<Value>,
    change: SourceChange,
    is_finished: bool,
}

impl Weakest {
    /// The `most` tests of a scope that would gain most. `step` is told how many tests were looked at, of how many, from any
    /// thread. Costs an offer for each test that may have a sure value.
    pub fn new(
        ground: &Ground<'_>,
        scope: &Scope,
        most: usize,
        step: &(dyn Fn(usize, usize) + Sync),
    ) -> Weakest {
        let analysis = ground.analysis;
        let tests = tests_of(analysis, scope);
        // Computed in parallel themselves: no part of what follows waits for them.
        analysis.known();
        let done = AtomicUsize::new(0);
        let looked = |run: &TestRun| {
            let found = find(analysis, *run);
            step(done.fetch_add(1, Relaxed) + 1, tests.len());
            found
        };
        let mut found: Vec<Found> = tests.par_iter().filter_map(looked).collect();
        let program = analysis.program();
        let place = |f: &Found| (program.path(f.file).cloned(), f.at);
        found.sort_by(|a, b| {
            let gains = b.value.gain.total_cmp(&a.value.gain);
            gains.then_with(|| place(a).cmp(&place(b)))
        });
        let counts = WeakestCounts {
            tests: tests.len(),
            with_value: found.len(),
        };
        found.truncate(most);
        let told = found.into_par_iter().enumerate();
        Weakest {
            schema: "telltale.weakest/1",
            root: ground.root.clone(),
            scope: ScopeName {
                kind: scope.kind,
                name: scope.name.clone(),
            },
            most,
            counts,
            tests: told.map(|(i, f)| f.told(analysis, i + 1)).collect(),
        }
    }
}

/// The tests of a scope: those that are asked about, or whose code lies in it.
pub fn tests_of(analysis: &Analysis, scope: &Scope) -> Vec<TestRun> {
    let (workspace, program) = (analysis.workspace(), analysis.program());
    let mut tests = match &scope.what {
        What::Tests(tests) => tests.clone(),
        What::Path { prefix, .. } => {
            let files: BTreeSet<FileId> = files_below(program, prefix).collect();
            let mut all = all_tests(workspace);
            let is_there = |run: &TestRun| {
                let file = program.method_file(run.test);
                file.is_some_and(|f| files.contains(&f))
            };
            all.retain(is_there);
            all
        }
        What::Class(class) => {
            let mut all = all_tests(workspace);
            all.retain(|run| within(program, program.method_owner(run.test), *class));
            all
        }
        What::Method(method) => {
            let mut all = all_tests(workspace);
            all.retain(|run| run.test == *method);
            all
        }
    };
    // Several classes may inherit one.
    let mut known = rustc_hash::FxHashSet::default();
    tests.retain(|run| known.insert(run.test));
    tests
}

/// The first value of a test's list that looks worth an assertion and that no doubt concerns, that did not differ from run to
/// run or throw, and that an assertion can be written on.
fn find(analysis: &Analysis, run: TestRun) -> Option<Found> {
    let (program, test) = (analysis.program(), run.test);
    let file = program.method_file(test)?;
    let offered = analysis.offer_if_sure(test)?;
    let told = analysis.answered(test);
    let worth = offered.to_assert(analysis, test);
    let mut sure = worth.filter(|r| r.doubt.is_none());
    sure.find_map(|value| {
        let observed = told
            .as_ref()
            .and_then(|told| told.queries.get(&value.asked_as));
        if observed.is_some_and(|o| !o.holds()) {
            return None;
        }
        let seen = observed.and_then(|o| o.stable());
        let (change, is_finished) = insertion(analysis, file, test, value, seen)?;
        let name = program.method_decl(test)?.name_span;
        Some(Found {
            run,
            file,
            at: analysis.lines(file).position(name.start, Encoding::Utf16),
            value: value.clone(),
            seen: seen.filter(|_| is_finished).cloned(),
            change,
            is_finished,
        })
    })
}

impl Found {
    fn told(self, analysis: &Analysis, rank: usize) -> WeakTest {
        let program = analysis.program();
        let lines = analysis.lines(self.file);
        let edits = self.change.placed(self.file, &lines);
        let edits: Vec<WeakEdit> = edits.into_iter().map(WeakEdit::from).collect();
        WeakTest {
            rank,
            test: program.method_name(self.run.test),
            path: program.path(self.file).map_or("", |p| p).to_owned(),
            line: self.at.line + 1,
            column: self.at.column + 1,
            gain: self.value.gain,
            assertion: WeakAssertion {
                text: self.change.main_text(),
                finished: self.is_finished,
                line: edits.last().map_or(self.at.line + 1, |main| main.line),
                edits,
            },
            value: WeakValue {
                because: covered(analysis, self.run.test, &self.value),
                expression: self.value.expression,
                ty: self.value.ty,
                recorded: self.seen.map(|seen| crate::words::cut(seen.short())),
            },
        }
    }
}

impl From<PlacedEdit> for WeakEdit {
    fn from(edit: PlacedEdit) -> WeakEdit {
        WeakEdit {
            line: edit.start.0,
            column: edit.start.1,
            end_line: edit.end.0,
            end_column: edit.end.1,
            text: edit.text,
        }
    }
}
