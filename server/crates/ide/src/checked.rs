//! Which tests run a line of the code under test, and which check it: a value that they look at may come from it, over what ran
//! in them ([`slices`]).
//!
//! A line is said to be checked by nobody only where that is known: every test that runs it was recorded with today's code,
//! and the slices of all tests, wherever they go, leave it out.

mod methods;
mod places;
mod words;

pub(crate) use methods::{has_code, is_ran, is_run, method_at, ran_by, ran_outside};
pub use methods::{is_unchecked, stale_tests};
pub(crate) use methods::{is_unchecked_method, tests_of_method};
pub use places::Places;

use crate::analysis::{Analysis, Part, Question};
use calls::Ran;
use evidence::{Lines, PackedLines};
use flow::ExprId;
use oracle::TestRun;
use program::{BodyId, FileId, MethodId};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use slices::{Executed, FileLines, Slice, What};
use smol_str::SmolStr;
use std::collections::BTreeMap;
use std::sync::Arc;
use text::LineSet;

/// Which tests run and check the lines of a folder.
#[derive(Debug, Default)]
pub struct Checked {
    /// The tests that were recorded with today's code, in the order of the suite.
    pub tests: Vec<MethodId>,
    /// How many tests were recorded with other code.
    pub stale: usize,
    /// How many were never recorded.
    pub unknown: usize,
    /// How many ran at the same time as others, so that nobody knows what they ran. Then no line is said to be unchecked.
    pub lost: u64,
    /// Files of the code under test of which something ran, by path.
    pub files: Vec<CheckedFile>,
}

/// The lines of one file.
#[derive(Debug)]
pub struct CheckedFile {
    /// Which.
    pub file: FileId,
    /// The lines that have code in methods of classes that were loaded, from 1.
    pub lines: BTreeMap<u32, CheckedLine>,
}

/// What is known of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckedLine {
    /// The tests that run it: positions in [`Checked::tests`], in order.
    pub run_by: Vec<u32>,
    /// Those of them that check it.
    pub checked_by: Vec<u32>,
    /// It ran, and nobody checks it, as far as that can be known.
    pub is_unchecked: bool,
}

/// Where lines are today: linear in the code, and the same whatever runs.
#[derive(Clone, PartialEq, Eq, Hash)]
struct PlacesToday;

impl Question for PlacesToday {
    type Answer = Places;
    const RESTS_ON: &'static [Part] = &[];

    fn answer(&self, analysis: &Analysis) -> Places {
        Places::new(analysis.program())
    }
}

/// Where the lines are today that were kept of runs.
#[derive(Debug)]
struct Kept {
    places: Arc<Places>,
    /// The lines that have code, of the classes that were loaded.
    code: Arc<FileLines>,
    /// What ran in nobody's name.
    nobodys: FileLines,
    /// Of files that were edited since, what is kept of their members.
    edited: FxHashMap<FileId, Arc<KeptOf>>,
}

/// What is kept of the lines of a file's members: those that have code, and those that ran in nobody's name.
#[derive(Debug)]
struct KeptOf {
    code: Lines,
    nobodys: Lines,
}

impl KeptOf {
    /// Unpacks what is kept of the whole program.
    fn new(analysis: &Analysis, places: &Places, file: FileId) -> KeptOf {
        let (program, ran) = (analysis.program(), analysis.facts().ran());
        let types = program.types_of_file(file).iter();
        let methods = types.flat_map(|t| program.methods_of_type(*t));
        let code = methods.filter_map(|m| {
            let (member, packed) = ran.code.get_key_value(&*program.method_name(*m))?;
            Some((member.clone(), packed.lines()?.pop()?.1))
        });
        let nobodys = ran.nobodys.iter().filter_map(PackedLines::lines).flatten();
        KeptOf {
            code: code.collect(),
            nobodys: nobodys
                .filter(|(member, _)| places.file_of(member) == Some(file))
                .collect(),
        }
    }
}

/// Where they are, as far as that is known.
#[derive(Clone, PartialEq, Eq, Hash)]
struct KeptToday;

impl Question for KeptToday {
    type Answer = Kept;
    const RESTS_ON: &'static [Part] = &[Part::Facts];

    fn answer(&self, analysis: &Analysis) -> Kept {
        let ran = analysis.facts().ran();
        let mut out = Kept {
            places: analysis.ask(PlacesToday),
            code: Arc::default(),
            nobodys: FileLines::default(),
            edited: FxHashMap::default(),
        };
        let of = |(member, packed): (&SmolStr, &PackedLines)| {
            Some((member.clone(), packed.lines()?.pop()?.1))
        };
        let code: Lines = ran.code.iter().filter_map(of).collect();
        out.code = Arc::new(out.places.today(&code));
        for lines in &ran.nobodys {
            let own = out.today(lines);
            join(&mut out.nobodys, &own);
        }
        out
    }
}

/// Keeps where lines are for the state after edits within bodies of some files.
pub(crate) fn keep_places(before: &Analysis, next: &Analysis, changed: &[FileId]) {
    let Some(places) = before.answers::<PlacesToday>().get(&PlacesToday) else {
        return;
    };
    let places = Arc::new(places.after(next.program(), changed));
    next.answers().set(PlacesToday, Arc::clone(&places));
    if let Some(kept) = before.answers::<KeptToday>().get(&KeptToday) {
        let kept = kept.after(next, places, changed);
        next.answers().set(KeptToday, Arc::new(kept));
    }
}

impl Kept {
    fn after(&self, next: &Analysis, places: Arc<Places>, changed: &[FileId]) -> Kept {
        let mut edited = self.edited.clone();
        let (mut code, mut nobodys) = (FileLines::clone(&self.code), self.nobodys.clone());
        for &file in changed {
            let own = edited.entry(file);
            let own = own.or_insert_with(|| Arc::new(KeptOf::new(next, &places, file)));
            for (all, kept) in [(&mut code, &own.code), (&mut nobodys, &own.nobodys)] {
                all.remove(&file);
                join(all, &places.today(kept));
            }
        }
        Kept {
            places,
            code: Arc::new(code),
            nobodys,
            edited,
        }
    }

    fn today(&self, packed: &PackedLines) -> FileLines {
        self.places.today(&packed.lines().unwrap_or_default())
    }
}

/// Which lines ran in one test.
#[derive(Clone, Debug)]
pub struct RanLines {
    code: Arc<FileLines>,
    own: FileLines,
}

impl RanLines {
    /// From the lines that have code and those that ran.
    pub fn new(code: Arc<FileLines>, own: FileLines) -> RanLines {
        RanLines { code, own }
    }

    /// Whether any of some lines ran, or may have: of lines that are not known to have code nobody knows.
    pub(crate) fn may_have(&self, file: FileId, first: u32, last: u32) -> bool {
        let meets = |lines: &FileLines| lines.get(&file).is_some_and(|l| l.meets(first, last));
        !meets(&self.code) || meets(&self.own)
    }
}

/// What ran, of today's lines.
#[derive(Debug)]
struct RanToday {
    /// The lines that have code, of the classes that were loaded.
    code: Arc<FileLines>,
    /// By test that is fresh, in the order of the suite.
    tests: Vec<(MethodId, FileLines)>,
    all: FileLines,
    /// What ran in nobody's name, or in a test whose code is another by now.
    others: FileLines,
    /// What ran in nobody's name.
    nobodys: FileLines,
    stale: usize,
    unknown: usize,
    lost: u64,
}

/// Which lines ran, as far as they are known today.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Today;

impl Question for Today {
    type Answer = RanToday;
    const RESTS_ON: &'static [Part] = &[Part::Facts];

    fn answer(&self, analysis: &Analysis) -> RanToday {
        RanToday::new(analysis)
    }
}

impl Analysis {
    fn ran_today(&self) -> Arc<RanToday> {
        self.ask(Today)
    }

    /// The lines that some tests ran, or all that were recorded, and those of set-ups that ran for several. Nothing where one of
    /// them was not recorded with today's code.
    pub fn lines_of(&self, runs: Option<&[TestRun]>) -> Option<FileLines> {
        self.ran_today().of(runs)
    }

    /// The lines that one test ran, and those of set-ups that ran for several; nothing if it was recorded with other code.
    pub(crate) fn ran_in(&self, test: MethodId) -> Option<RanLines> {
        let mut ran = self.ran_itself(test)?;
        join(&mut ran.own, &self.ask(KeptToday).nobodys);
        Some(ran)
    }

    /// The lines that one test ran itself, and its own set-up: not what gave it its arguments, nor what ran once for all.
    pub(crate) fn ran_itself(&self, test: MethodId) -> Option<RanLines> {
        let facts = self.facts();
        let by = facts.ran().tests.get(&*self.program().method_name(test))?;
        if by.key != self.key(test) {
            return None;
        }
        let kept = self.ask(KeptToday);
        let own = kept.today(&by.lines);
        Some(RanLines::new(Arc::clone(&kept.code), own))
    }

    /// Computes something of what ran in some tests, or in all; of what may have run where that is not known.
    pub fn executed<R>(
        &self,
        runs: Option<&[TestRun]>,
        compute: impl FnOnce(Option<&Ran<'_>>) -> R,
    ) -> R {
        let lines = match self.is_over_runs() {
            true => self.lines_of(runs),
            false => None,
        };
        let Some(lines) = lines else {
            return compute(None);
        };
        let today = self.ran_today();
        let executed = Executed::new(self.slices(), &today.code, &lines);
        let program = self.program();
        let ran = |body: BodyId, e: Option<ExprId>| {
            // Nobody looks whether tests' own lines ran.
            let is_test = program.body_file(body).is_none_or(|f| program.is_test(f));
            is_test
                || match e {
                    Some(e) => executed.expr(body, e),
                    None => executed.body(body),
                }
        };
        compute(Some(&ran))
    }
}

fn join(into: &mut FileLines, more: &FileLines) {
    more.iter()
        .for_each(|(file, lines)| into.entry(*file).or_default().extend(lines));
}

impl RanToday {
    fn new(analysis: &Analysis) -> RanToday {
        let program = analysis.program();
        let ran = analysis.facts().ran();
        let kept = analysis.ask(KeptToday);
        let mut out = RanToday {
            code: Arc::clone(&kept.code),
            tests: Vec::new(),
            all: FileLines::default(),
            others: kept.nobodys.clone(),
            nobodys: kept.nobodys.clone(),
            stale: 0,
            unknown: 0,
            lost: ran.lost,
        };
        let suite = analysis.workspace().suite().tests();
        let told: Vec<Option<(bool, FileLines)>> = suite
            .par_iter()
            .map(|test| {
                let by = ran.tests.get(&*program.method_name(*test))?;
                Some((by.key == analysis.key(*test), kept.today(&by.lines)))
            })
            .collect();
        for (test, told) in suite.iter().zip(told) {
            match told {
                Some((true, lines)) => {
                    join(&mut out.all, &lines);
                    out.tests.push((*test, lines));
                }
                Some((false, lines)) => {
                    join(&mut out.others, &lines);
                    out.stale += 1;
                }
                None => out.unknown += 1,
            }
        }
        let others = std::mem::take(&mut out.others);
        join(&mut out.all, &others);
        out.others = others;
        out
    }

    /// See [`Analysis::lines_of`].
    fn of(&self, runs: Option<&[TestRun]>) -> Option<FileLines> {
        let Some(runs) = runs else {
            return (!self.tests.is_empty()).then(|| self.all.clone());
        };
        let mut out = self.nobodys.clone();
        for run in runs {
            let own = self.tests.iter().find(|(test, _)| *test == run.test)?;
            join(&mut out, &own.1);
        }
        Some(out)
    }

    fn slice(&self, analysis: &Analysis, test: MethodId, own: &FileLines) -> Slice {
        let what = What {
            code: &self.code,
            own,
            all: &self.all,
        };
        analysis.slices().slice(analysis.workspace(), test, what)
    }

    /// Where what tests read may come from that they did not write themselves.
    fn left_behind(&self, analysis: &Analysis, slices: &[Slice]) -> FileLines {
        let what = What {
            code: &self.code,
            own: &self.all,
            all: &self.all,
        };
        analysis
            .slices()
            .left_behind(analysis.workspace(), what, slices.iter())
    }
}

impl Checked {
    /// Of all tests that were recorded, on all cores.
    pub fn new(analysis: &Analysis) -> Checked {
        let program = analysis.program();
        let ran = analysis.ran_today();
        analysis.slices();
        analysis.workspace().suite();
        let slices: Vec<Slice> = ran
            .tests
            .par_iter()
            .map(|(test, own)| ran.slice(analysis, *test, own))
            .collect();
        let mut out = Checked {
            tests: ran.tests.iter().map(|t| t.0).collect(),
            stale: ran.stale,
            unknown: ran.unknown,
            lost: ran.lost,
            files: Vec::new(),
        };
        let mut anywhere = ran.left_behind(analysis, &slices);
        slices
            .iter()
            .for_each(|slice| join(&mut anywhere, &slice.lines));
        let none = LineSet::default();
        for &file in program.files() {
            let Some(code) = ran.code.get(&file).filter(|_| !program.is_test(file)) else {
                continue;
            };
            let of =
                |lines: &FileLines, line: u32| lines.get(&file).unwrap_or(&none).contains(line);
            let judged = analysis.slices().judged(file);
            let mut lines: BTreeMap<u32, CheckedLine> = code
                .iter()
                .map(|line| (line, CheckedLine::default()))
                .collect();
            for (at, ((_, own), slice)) in ran.tests.iter().zip(&slices).enumerate() {
                let Some(own) = own.get(&file) else { continue };
                for line in own.iter() {
                    if let Some(known) = lines.get_mut(&line) {
                        known.run_by.push(at as u32);
                        if of(&slice.lines, line) {
                            known.checked_by.push(at as u32);
                        }
                    }
                }
            }
            for (line, known) in &mut lines {
                known.is_unchecked = !known.run_by.is_empty()
                    && judged.contains(*line)
                    && !of(&anywhere, *line)
                    && !of(&ran.others, *line)
                    && ran.lost == 0;
            }
            if lines.values().any(|l| !l.run_by.is_empty()) {
                out.files.push(CheckedFile { file, lines });
            }
        }
        out
    }
}

/// The lines of which it is known that nobody checks them.
#[derive(Debug, Default)]
struct Unchecked(FileLines);

/// Which these are: takes the slices of all tests.
#[derive(Clone, PartialEq, Eq, Hash)]
struct UncheckedToday;

impl Question for UncheckedToday {
    type Answer = Unchecked;
    const RESTS_ON: &'static [Part] = &[Part::Facts];

    fn answer(&self, analysis: &Analysis) -> Unchecked {
        let checked = Checked::new(analysis);
        let own = |file: &CheckedFile| {
            let lines = file.lines.iter().filter(|(_, known)| known.is_unchecked);
            (file.file, lines.map(|(line, _)| *line).collect())
        };
        Unchecked(checked.files.iter().map(own).collect())
    }
}

/// The lines of one file that the slice of a test has: of what a slice is made little is kept.
#[derive(Clone, PartialEq, Eq, Hash)]
struct MarkedIn(FileId, MethodId);

impl Question for MarkedIn {
    type Answer = LineSet;
    const RESTS_ON: &'static [Part] = &[Part::Facts];

    fn answer(&self, analysis: &Analysis) -> LineSet {
        let ran = analysis.ran_today();
        let own = ran.tests.iter().find(|(test, _)| *test == self.1);
        let slice = own.map(|(test, own)| ran.slice(analysis, *test, own));
        let lines = slice.and_then(|mut slice| slice.lines.remove(&self.0));
        lines.unwrap_or_default()
    }
}

/// The tests that run a line, or a line of a method, and those of them that check it, in the order of the suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineTests {
    /// All that run it.
    pub run_by: Vec<MethodId>,
    /// Those of the first 400 that check it.
    pub checked_by: Vec<MethodId>,
    /// How many of them were looked at.
    pub looked_at: usize,
}

/// How many tests are looked at for one line: an answer for a mouse over a line must not take seconds.
const MOST_SLICES: usize = 400;

/// What tests do with a line of the code under test, counted from 1; none where no test that was recorded runs it.
pub fn tests_of_line(analysis: &Analysis, file: FileId, line: u32) -> Option<LineTests> {
    if analysis.facts().ran().tests.is_empty() || analysis.program().is_test(file) {
        return None;
    }
    let ran = analysis.ran_today();
    let runs = |own: &FileLines| own.get(&file).is_some_and(|l| l.contains(line));
    let run_by: Vec<&(MethodId, FileLines)> =
        ran.tests.iter().filter(|(_, own)| runs(own)).collect();
    if run_by.is_empty() || !analysis.slices().judged(file).contains(line) {
        return None;
    }
    analysis.slices();
    let looked_at = run_by.len().min(MOST_SLICES);
    let checks: Vec<bool> = run_by[..looked_at]
        .par_iter()
        .map(|(test, _)| {
            analysis
                .ask_beside_others(MarkedIn(file, *test))
                .contains(line)
        })
        .collect();
    let checked = run_by.iter().zip(checks).filter(|(_, checks)| *checks);
    Some(LineTests {
        checked_by: checked.map(|(t, _)| t.0).collect(),
        run_by: run_by.iter().map(|t| t.0).collect(),
        looked_at,
    })
}

/// What a test runs and checks of the code under test: by file in order of path, lines from 1.
#[derive(Clone, Debug, Default)]
pub struct TestLines {
    /// What it runs.
    pub runs: Vec<(FileId, LineSet)>,
    /// What of that it checks.
    pub checks: FxHashMap<FileId, LineSet>,
}

/// What a test that was recorded with today's code runs and checks.
pub fn lines_of_test(analysis: &Analysis, test: MethodId) -> Option<TestLines> {
    let program = analysis.program();
    let ran = analysis.ran_today();
    let (_, own) = ran.tests.iter().find(|t| t.0 == test)?;
    let slice = ran.slice(analysis, test, own);
    let mut out = TestLines::default();
    for &file in program.files() {
        let Some(lines) = own.get(&file).filter(|_| !program.is_test(file)) else {
            continue;
        };
        let judged = analysis.slices().judged(file);
        let marked = slice.lines.get(&file);
        let runs: LineSet = lines.iter().filter(|l| judged.contains(*l)).collect();
        let checks = runs
            .iter()
            .filter(|l| marked.is_some_and(|m| m.contains(*l)));
        out.checks.insert(file, checks.collect());
        out.runs.push((file, runs));
    }
    Some(out)
}
