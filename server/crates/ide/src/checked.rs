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
use places::{OfMembers, PlacesIn};

use crate::analysis::{Analysis, Part, Question};
use calls::Ran;
use evidence::{Facts, Lines, PackedLines};
use flow::ExprId;
use oracle::TestRun;
use program::{BodyId, FileId, MethodId};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use slices::{Executed, FileLines, Slice, What};
use smol_str::SmolStr;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, OnceLock};
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

/// Where the lines are today that were kept of runs. What is known of an edited file is unpacked when somebody asks: after most
/// keystrokes nobody does.
#[derive(Debug)]
struct Kept {
    places: Arc<Places>,
    facts: Arc<Facts>,
    /// What is kept of what ran in nobody's name, in all runs: little, as most ran the same.
    nobodys: Arc<FxHashMap<FileId, OfMembers>>,
    /// But for files that were edited since.
    first: Arc<LinesToday<FileLines>>,
    edited: FxHashMap<FileId, Edited>,
    /// Both together, once all of it is asked for.
    all: OnceLock<Arc<LinesToday<FileLines>>>,
}

/// Lines of all files, or of one.
#[derive(Debug, Default)]
struct LinesToday<L> {
    /// The lines that have code, of the classes that were loaded.
    code: Arc<L>,
    /// What ran in nobody's name.
    nobodys: L,
}

/// Something of an edited file that is found when somebody asks for it.
type Later<T> = Arc<LazyLock<T, Box<dyn FnOnce() -> T + Send>>>;

fn later<T>(find: impl FnOnce() -> T + Send + 'static) -> Later<T> {
    Arc::new(LazyLock::new(Box::new(find)))
}

/// A file that was edited.
#[derive(Clone, Debug)]
struct Edited {
    /// What is kept of its lines that have code.
    code: Later<OfMembers>,
    today: Later<LinesToday<LineSet>>,
}

impl Edited {
    /// What is `known` of it from before, if anything, does not change with its text.
    fn new(kept: &Kept, places: PlacesIn, known: Option<&Edited>) -> Edited {
        let places = Arc::new(places);
        let anew = || {
            let (facts, places) = (Arc::clone(&kept.facts), Arc::clone(&places));
            later(move || places.members(|name| unpacked(facts.ran().code.get(name)?)))
        };
        let code = known.map_or_else(anew, |known| Arc::clone(&known.code));
        let (own, nobodys) = (Arc::clone(&code), Arc::clone(&kept.nobodys));
        let today = later(move || LinesToday {
            code: Arc::new(places.today(&own).collect()),
            nobodys: nobodys
                .get(&places.file())
                .map(|of| places.today(of).collect())
                .unwrap_or_default(),
        });
        Edited { code, today }
    }
}

/// The lines of a member that have code.
fn unpacked(packed: &PackedLines) -> Option<Vec<u32>> {
    Some(packed.lines()?.pop()?.1)
}

/// Where they are, as far as that is known.
#[derive(Clone, PartialEq, Eq, Hash)]
struct KeptToday;

impl Question for KeptToday {
    type Answer = Kept;
    const RESTS_ON: &'static [Part] = &[Part::Facts];

    fn answer(&self, analysis: &Analysis) -> Kept {
        let (facts, places) = (analysis.facts(), analysis.ask(PlacesToday));
        let of =
            |(member, packed): (&SmolStr, &PackedLines)| Some((member.clone(), unpacked(packed)?));
        let code: Lines = facts.ran().code.iter().filter_map(of).collect();
        let mut nobodys: FxHashMap<SmolStr, LineSet> = FxHashMap::default();
        for lines in facts.ran().nobodys.iter().filter_map(PackedLines::lines) {
            for (member, at) in lines {
                let own = nobodys.entry(member).or_default();
                own.extend(&at.into_iter().collect());
            }
        }
        let nobodys: Lines = nobodys
            .into_iter()
            .map(|(member, at)| (member, at.iter().collect()))
            .collect();
        let nobodys = places.by_file(&nobodys);
        let nobodys_today = nobodys
            .iter()
            .map(|(file, of)| (*file, places.today_in(*file, of).collect()));
        let first = LinesToday {
            code: Arc::new(places.today(&code)),
            nobodys: nobodys_today.collect(),
        };
        Kept {
            places,
            facts: Arc::clone(facts),
            nobodys: Arc::new(nobodys),
            first: Arc::new(first),
            edited: FxHashMap::default(),
            all: OnceLock::new(),
        }
    }
}

/// Keeps where lines are for the state after edits within bodies of some files.
pub(crate) fn keep_places(before: &Analysis, next: &Analysis, changed: &[FileId]) {
    let Some(places) = before.answers::<PlacesToday>().get(&PlacesToday) else {
        return;
    };
    let places = Arc::new(places.after(next.program(), changed));
    next.answers().set(PlacesToday, Arc::clone(&places));
    let kept = before.answers::<KeptToday>().get(&KeptToday);
    // Else members have other numbers.
    if let Some(kept) = kept.filter(|kept| kept.places.has_members_of(&places)) {
        let kept = kept.after(places, changed);
        next.answers().set(KeptToday, Arc::new(kept));
    }
}

impl Kept {
    fn after(&self, places: Arc<Places>, changed: &[FileId]) -> Kept {
        let mut edited = self.edited.clone();
        for &file in changed {
            if let Some(within) = places.within(file) {
                edited.insert(file, Edited::new(self, within, self.edited.get(&file)));
            }
        }
        Kept {
            places,
            facts: Arc::clone(&self.facts),
            nobodys: Arc::clone(&self.nobodys),
            first: Arc::clone(&self.first),
            edited,
            all: OnceLock::new(),
        }
    }

    /// The lines of a file that have code.
    fn code_of(&self, file: FileId) -> Option<&LineSet> {
        match self.edited.get(&file) {
            Some(edited) => Some(&edited.today.code),
            None => self.first.code.get(&file),
        }
    }

    /// The lines of a file that ran in nobody's name.
    fn nobodys_of(&self, file: FileId) -> Option<&LineSet> {
        match self.edited.get(&file) {
            Some(edited) => Some(&edited.today.nobodys),
            None => self.first.nobodys.get(&file),
        }
    }

    /// Both, of all files.
    fn all(&self) -> &LinesToday<FileLines> {
        self.all.get_or_init(|| {
            if self.edited.is_empty() {
                return Arc::clone(&self.first);
            }
            let mut code = FileLines::clone(&self.first.code);
            let mut nobodys = self.first.nobodys.clone();
            let edited = self.edited.iter();
            code.extend(edited.map(|(file, own)| (*file, LineSet::clone(&own.today.code))));
            let edited = self.edited.iter();
            nobodys.extend(edited.map(|(file, own)| (*file, own.today.nobodys.clone())));
            Arc::new(LinesToday {
                code: Arc::new(code),
                nobodys,
            })
        })
    }

    fn today(&self, packed: &PackedLines) -> FileLines {
        self.places.today(&packed.lines().unwrap_or_default())
    }
}

/// Which lines ran in one test.
#[derive(Clone, Debug)]
pub struct RanLines(Own);

#[derive(Clone, Debug)]
enum Own {
    /// Of all files.
    Found {
        code: Arc<FileLines>,
        own: FileLines,
    },
    /// As they are kept: few files are asked for, and where the lines of the test's own are need not be known.
    Kept {
        kept: Arc<Kept>,
        own: FxHashMap<FileId, OfMembers>,
    },
}

impl RanLines {
    /// From the lines that have code and those that ran.
    pub fn new(code: Arc<FileLines>, own: FileLines) -> RanLines {
        RanLines(Own::Found { code, own })
    }

    /// Whether any of some lines ran, or may have: of lines that are not known to have code nobody knows.
    pub(crate) fn may_have(&self, file: FileId, first: u32, last: u32) -> bool {
        let meets = |lines: Option<&LineSet>| lines.is_some_and(|l| l.meets(first, last));
        match &self.0 {
            Own::Found { code, own } => !meets(code.get(&file)) || meets(own.get(&file)),
            Own::Kept { kept, own } => {
                let mut ran = own
                    .get(&file)
                    .into_iter()
                    .flat_map(|of| kept.places.today_in(file, of));
                !meets(kept.code_of(file)) || ran.any(|line| first <= line && line <= last)
            }
        }
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
        let packed = self.kept_of(test)?;
        let kept = self.ask(KeptToday);
        let mut own = kept.today(packed);
        join(&mut own, &kept.all().nobodys);
        Some(RanLines::new(Arc::clone(&kept.all().code), own))
    }

    /// The lines that one test ran itself, and its own set-up: not what gave it its arguments, nor what ran once for all.
    pub(crate) fn ran_itself(&self, test: MethodId) -> Option<RanLines> {
        let lines = self.kept_of(test)?.lines().unwrap_or_default();
        let kept = self.ask(KeptToday);
        let own = kept.places.by_file(&lines);
        Some(RanLines(Own::Kept { kept, own }))
    }

    /// What is kept of the lines that a test ran, of today's code.
    fn kept_of(&self, test: MethodId) -> Option<&PackedLines> {
        let name = self.program().method_name(test);
        let by = self.facts().ran().tests.get(&*name)?;
        (by.key == self.key(test)).then_some(&by.lines)
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
            code: Arc::clone(&kept.all().code),
            tests: Vec::new(),
            all: FileLines::default(),
            others: kept.all().nobodys.clone(),
            nobodys: kept.all().nobodys.clone(),
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
