//! Which assertions of generated tests are probably wrong: what runs told, judged for a class under test, in editor words.
//!
//! [`Judged`] is all that is known of one class: each number can be followed from a sample of a call to the rank of an
//! assertion. It is made of what is fresh alone: a test whose code is not what ran neither teaches nor is judged.

mod ask;
mod explain;
pub mod flow;
mod place;
mod words;

pub use ask::{Inquiry, inquire};
pub use explain::{Counts, Step, of_tests, opinion_of, sides, steps};
pub use place::keep_places;
pub use words::{first_of, opinion, why, within};

use self::flow::{Born, TestFlow};
use crate::analysis::Analysis;
use calls::{class_under_test, under_test};
use dashmap::DashMap;
use evidence::{Called, Calls, Key};
use program::{FileId, MethodId, Program, SourceSetId, TypeId};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};
use suspects::{
    Broken, Examined, Lessons, Options, Reached, Strange, Suspect, Teacher, Violation, broken,
    learn, rank, together,
};
use text::Span;

/// How many suspects of a class are marked although chance may have made them.
pub const TOP: usize = 5;

/// From which score on: a mark is read by somebody who did not ask.
pub const WORTH: f64 = 0.4;

/// An assertion of a generated test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// In which test.
    pub test: MethodId,
    /// Where it stands.
    pub file: FileId,
    /// With all that is chained to it.
    pub span: Span,
    /// The value that it is about: what a mark underlines.
    pub condition: Span,
}

/// What is known of the generated assertions of a class under test.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// The class under test.
    pub class: Option<TypeId>,
    /// All assertions of the generated tests that were recorded, by path and position.
    pub assertions: Vec<Assertion>,
    /// Those that something strange reaches, the most suspicious first; positions in `assertions`.
    pub suspects: Vec<Suspect>,
    /// On which way a violation reaches an assertion, in words: by assertion and violation.
    pub ways: FxHashMap<(usize, usize), Arc<[String]>>,
    /// Those that any violation reaches, whatever had run: what plain anomaly detection would flag.
    pub flagged: Vec<usize>,
    /// What was learnt, and what was broken. Its tests are positions in `manual` and `generated`.
    pub examined: Arc<Examined>,
    /// The hand-written tests that taught.
    pub manual: Vec<MethodId>,
    /// The generated tests that were judged.
    pub generated: Vec<MethodId>,
    /// Tests about the class of which nothing fresh is known, hand-written and generated ones.
    pub unknown: usize,
    /// Of these, tests that were recorded with other code.
    pub stale: usize,
    /// Tests about the class that failed when they were recorded.
    pub failed: usize,
}

impl Judged {
    /// The suspects that are probably wrong: what speaks against them is hardly chance.
    pub fn told(&self) -> impl Iterator<Item = &Suspect> {
        self.suspects.iter().filter(|s| self.is_sure(s))
    }

    /// True if what speaks against an assertion is hardly chance.
    pub fn is_sure(&self, suspect: &Suspect) -> bool {
        let mut all = suspect.violations.iter().filter_map(|v| self.violation(*v));
        all.any(|v| v.is_sure)
    }

    /// What speaks most against an assertion.
    pub fn first_of<'j>(&'j self, suspect: &Suspect) -> Option<&'j Violation> {
        let all = || suspect.violations.iter().filter_map(|v| self.violation(*v));
        all().find(|v| v.is_sure).or_else(|| all().next())
    }

    /// A violation by its position.
    pub fn violation(&self, at: usize) -> Option<&Violation> {
        self.examined.violations.get(at)
    }
}

/// What is known of one assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// It is a suspect: its position among them.
    Suspect(usize),
    /// Nothing strange reaches it.
    Safe,
    /// No hand-written test says what is usual.
    Untaught,
    /// Its test was recorded with other code.
    Stale,
    /// Its test was not recorded, or failed.
    Unknown,
}

/// The generated assertion at an offset, and what is known of it.
pub fn at(
    analysis: &Analysis,
    file: FileId,
    offset: u32,
) -> Option<(Assertion, Arc<Judged>, Opinion)> {
    let program = analysis.program();
    let around = |test: MethodId| {
        let decl = program.method_decl(test);
        program.method_file(test) == Some(file) && decl.is_some_and(|d| d.span.contains(offset))
    };
    let mut all = of_tests(analysis, &around).into_iter();
    let (assertion, classes) = all.find(|(a, _)| a.span.contains(offset))?;
    let mut untold = None;
    for class in classes {
        let judged = analysis.judged(class);
        let opinion = opinion_of(analysis, &judged, &assertion);
        if matches!(opinion, Opinion::Suspect(_)) {
            return Some((assertion, judged, opinion));
        }
        untold.get_or_insert((judged, opinion));
    }
    untold.map(|(judged, opinion)| (assertion, judged, opinion))
}

/// The classes under test that have generated tests, with these, by name.
pub fn classes(analysis: &Analysis) -> Arc<BTreeMap<TypeId, Vec<MethodId>>> {
    analysis.generated()
}

/// The generated tests by the class under test that they are about.
pub(crate) fn generated(analysis: &Analysis) -> BTreeMap<TypeId, Vec<MethodId>> {
    let mut out: BTreeMap<TypeId, Vec<MethodId>> = BTreeMap::new();
    let (program, workspace) = (analysis.program(), analysis.workspace());
    let mut about: FxHashMap<TypeId, Vec<TypeId>> = FxHashMap::default();
    for &test in workspace.suite().tests() {
        let owner = program.method_owner(test);
        if program.generated(owner).is_none() {
            continue;
        }
        let classes = about
            .entry(owner)
            .or_insert_with(|| under_test(workspace, owner));
        for class in classes {
            out.entry(*class).or_default().push(test);
        }
    }
    out
}

/// Judges the generated assertions of a class.
pub(crate) fn judge(analysis: &Analysis, class: TypeId) -> Judged {
    judge_with(analysis, class, &Options::default())
}

/// Judges the generated assertions of a class, the steps done in some other way than they are for everybody.
pub fn judge_with(analysis: &Analysis, class: TypeId, options: &Options) -> Judged {
    let program = analysis.program();
    let all = analysis.generated();
    let Some(generated) = all.get(&class) else {
        return Judged::default();
    };
    let generated: FxHashSet<MethodId> = generated.iter().copied().collect();
    let mut out = Judged {
        class: Some(class),
        ..Judged::default()
    };
    let own = program.type_name(class).as_str();
    let inner = format!("{own}$");
    let wants = |m: &Called| m.class == own || m.class.starts_with(&inner);
    let mut known: Vec<(MethodId, bool)> = Vec::new();
    let mut recorded: Vec<MethodId> = Vec::new();
    let (teachers, own) = teachers(analysis, class);
    for &test in analysis.workspace().suite().tests() {
        let is_generated = generated.contains(&test);
        if !is_generated && !teachers.contains(&test) {
            continue;
        }
        let told = analysis.recorded(test).filter(|t| t.calls.is_some());
        if is_generated && told.is_some() {
            recorded.push(test);
        }
        match told {
            None => out.unknown += usize::from(is_generated),
            Some(told) if told.key != analysis.key(test) => {
                let is_about = is_generated || own.contains(&test);
                out.unknown += usize::from(is_about);
                out.stale += usize::from(is_about);
            }
            Some(told) if told.passed => known.push((test, is_generated)),
            Some(_) => out.failed += usize::from(is_generated || own.contains(&test)),
        }
    }
    let by_hand: Vec<MethodId> = of(&known, false);
    let judged: Vec<MethodId> = of(&known, true);
    let decoded = |test: &MethodId| {
        let packed = analysis.recorded(*test)?.calls.as_ref()?;
        packed.calls()
    };
    let key = identity(analysis, by_hand.iter().chain(&recorded), options);
    let taught = analysis.taught(class, key, || {
        let all = by_hand.par_iter().map(|t| (*t, decoded(t)));
        let all: Vec<(MethodId, Option<Calls>)> = all.collect();
        let is_unreadable =
            |(test, calls): &&(MethodId, Option<Calls>)| calls.is_none() && own.contains(test);
        let unreadable = all.iter().filter(is_unreadable).count();
        let about = |calls: &Calls| calls.methods.iter().any(wants);
        let all = all.into_iter().filter_map(|(t, calls)| Some((t, calls?)));
        let all: Vec<(MethodId, Calls)> = all.filter(|(_, calls)| about(calls)).collect();
        let teachers = all.iter().map(|(test, calls)| Teacher {
            calls,
            is_own: own.contains(test),
        });
        let teachers: Vec<Teacher<'_>> = teachers.collect();
        let asked: Vec<Calls> = recorded.par_iter().filter_map(decoded).collect();
        let asked: Vec<&Calls> = asked.iter().collect();
        Taught {
            lessons: learn(&teachers, &asked, &wants, options),
            manual: all.iter().map(|(test, _)| *test).collect(),
            unreadable,
            broke: DashMap::new(),
        }
    });
    // What was taught is among what it was computed of.
    let all = by_hand.iter().chain(&recorded).chain(&judged);
    let key = identity(analysis, all, options);
    let made = analysis.examined(class, key, || {
        let one = |test: &MethodId| {
            let told = analysis.recorded(*test)?;
            let as_told = (told.key, told.at);
            if let Some(known) = taught.broke.get(test)
                && known.0 == as_told
            {
                return Some((*test, Arc::clone(&known.1)));
            }
            let calls = decoded(test)?;
            let broken = broken(&taught.lessons, &calls, &wants, options);
            let lines = broken.violations().iter().map(|v| {
                let place = calls.calls.get(v.call)?.from?;
                place::line(program, *test, calls.places.get(place as usize)?)
            });
            let own = Arc::new(Broke {
                lines: lines.collect(),
                broken,
                ways: OnceLock::new(),
            });
            taught.broke.insert(*test, (as_told, Arc::clone(&own)));
            Some((*test, own))
        };
        let all: Vec<Option<(MethodId, Arc<Broke>)>> = judged.par_iter().map(one).collect();
        // Nothing is known of what cannot be read.
        let unreadable = all.iter().filter(|read| read.is_none()).count();
        let all: Vec<(MethodId, Arc<Broke>)> = all.into_iter().flatten().collect();
        let broken = all.iter().map(|(_, broke)| &broke.broken);
        Examination {
            examined: Arc::new(together(&taught.lessons, broken)),
            generated: all,
            unreadable,
        }
    });
    out.unknown += taught.unreadable + made.unreadable;
    out.examined = Arc::clone(&made.examined);
    out.manual = taught.manual.clone();
    out.generated = made.generated.iter().map(|(test, _)| *test).collect();
    let seen = made.generated.par_iter().map(|(test, broke)| {
        let ways = || ways(analysis, *test, broke);
        (assertions(analysis, *test), broke.ways.get_or_init(ways))
    });
    let seen: Vec<(Vec<Assertion>, &Vec<Way>)> = seen.collect();
    let mut reached = Vec::new();
    let mut violations = 0;
    for ((assertions, ways), (_, broke)) in seen.into_iter().zip(&made.generated) {
        for way in ways {
            let one = Reached {
                assertion: out.assertions.len() + way.nth,
                violation: violations + way.violation,
            };
            out.ways
                .insert((one.assertion, one.violation), Arc::clone(&way.words));
            reached.push(one);
        }
        out.assertions.extend(assertions);
        violations += broke.lines.len();
    }
    reached.sort_unstable_by_key(|r| (r.violation, r.assertion));
    // Who accepts an assertion says that what reached it is usual: what it broke is no constraint.
    let text = |a: &Assertion| said(program, a);
    let accepted: FxHashSet<usize> = (0..out.assertions.len())
        .filter(|a| {
            let own = &out.assertions[*a];
            let dismissed = analysis.dismissed();
            !dismissed.is_empty() && dismissed.accepts(program, own.test, &text(own))
        })
        .collect();
    if !accepted.is_empty() {
        let broken = |r: &Reached| Arc::as_ptr(&out.examined.violations[r.violation].broken);
        let by = reached.iter().filter(|r| accepted.contains(&r.assertion));
        let refuted: FxHashSet<_> = by.map(broken).collect();
        reached.retain(|r| !refuted.contains(&broken(r)));
    }
    out.suspects = rank(&out.examined.violations, &reached, options);
    out.flagged = reached.iter().map(|r| r.assertion).collect();
    out.flagged.sort_unstable();
    out.flagged.dedup();
    out
}

/// The hand-written tests, all of which may teach what is usual of a class, and those of classes that are named after it.
fn teachers(analysis: &Analysis, class: TypeId) -> (FxHashSet<MethodId>, FxHashSet<MethodId>) {
    let program = analysis.program();
    let suite = analysis.workspace().suite().tests().iter().copied();
    // A generated test teaches nothing, about whatever it is.
    let by_hand = |t: &MethodId| program.generated(program.method_owner(*t)).is_none();
    let manual: FxHashSet<MethodId> = suite.filter(by_hand).collect();
    let is_own = |t: &MethodId| class_under_test(program, program.method_owner(*t)) == Some(class);
    let own = manual.iter().copied().filter(is_own).collect();
    (manual, own)
}

/// What hand-written tests taught of a class: kept as long as they are what was recorded, whatever becomes of generated ones.
#[derive(Debug)]
pub(crate) struct Taught {
    lessons: Lessons,
    manual: Vec<MethodId>,
    /// Of the class's own tests, those whose calls cannot be read.
    unreadable: usize,
    /// What generated tests break of it, with the code and the time of their recording.
    broke: DashMap<MethodId, ((Key, i64), Arc<Broke>)>,
}

/// What a generated test breaks: the same as long as its code is.
#[derive(Debug)]
struct Broke {
    broken: Broken,
    /// From which line of the test each violation was born.
    lines: Vec<Option<u32>>,
    /// Of the same code the ways are the same, wherever it stands.
    ways: OnceLock<Vec<Way>>,
}

/// What examining a class gave: kept as long as the same tests with the same code were recorded.
#[derive(Debug)]
pub(crate) struct Examination {
    examined: Arc<Examined>,
    generated: Vec<(MethodId, Arc<Broke>)>,
    /// Tests whose calls cannot be read.
    unreadable: usize,
}

/// A violation reaches an assertion of its test.
#[derive(Debug)]
struct Way {
    /// Which violation of the test.
    violation: usize,
    /// Which assertion.
    nth: usize,
    words: Arc<[String]>,
}

/// Which assertions of a test what it breaks reaches.
fn ways(analysis: &Analysis, test: MethodId, broke: &Broke) -> Vec<Way> {
    let program = analysis.program();
    let sets = source_sets(program);
    // Many constraints are broken by one value: its way is looked for once.
    let mut births: BTreeMap<(u32, MethodId, &[Strange]), Vec<usize>> = BTreeMap::new();
    let mut methods: FxHashMap<&Called, Option<MethodId>> = FxHashMap::default();
    let violations = broke.broken.violations().iter();
    for (i, (violation, line)) in violations.zip(&broke.lines).enumerate() {
        let called = &violation.broken.method;
        let method = *methods
            .entry(called)
            .or_insert_with(|| method_of(program, &sets, called));
        if let (Some(line), Some(method)) = (*line, method) {
            let key = (line, method, violation.strange());
            births.entry(key).or_default().push(i);
        }
    }
    let mut out = Vec::new();
    if births.is_empty() {
        return out;
    }
    let Some(flow) = TestFlow::new(analysis, test) else {
        return out;
    };
    for ((line, method, strange), violations) in births {
        let born = Born {
            line,
            method,
            strange: strange.to_vec(),
        };
        for (nth, way) in flow.reached(&born, None).into_iter().enumerate() {
            let Some(steps) = way else { continue };
            let words: Vec<String> = steps.into_iter().map(|s| s.words).collect();
            let words: Arc<[String]> = words.into();
            out.extend(violations.iter().map(|v| Way {
                violation: *v,
                nth,
                words: Arc::clone(&words),
            }));
        }
    }
    out.sort_by_key(|w| (w.violation, w.nth));
    out
}

/// The source sets that have files, in order.
fn source_sets(program: &Program) -> Vec<SourceSetId> {
    let sets = program.files().iter();
    let mut sets: Vec<_> = sets.filter_map(|f| program.source_set(*f)).collect();
    sets.sort_unstable();
    sets.dedup();
    sets
}

/// The method of the workspace that was called.
fn method_of(program: &Program, sets: &[SourceSetId], called: &Called) -> Option<MethodId> {
    let mut types = sets
        .iter()
        .filter_map(|s| program.find_type(*s, &called.class));
    let owner = types.next()?;
    let named = |m: &&MethodId| {
        program
            .method_decl(**m)
            .is_some_and(|d| match d.name.as_str() {
                "<init>" => called.name == "<init>",
                name => called.name == name,
            })
    };
    let own: Vec<MethodId> = program
        .methods_of_type(owner)
        .iter()
        .filter(named)
        .copied()
        .collect();
    let whole = format!(
        "{}#{}({})",
        called.class,
        called.name,
        types_of(&called.descriptor)?
    );
    let exact = own.iter().find(|m| program.method_name(**m) == whole);
    exact.or(own.first().filter(|_| own.len() == 1)).copied()
}

/// The parameters of a descriptor as names have them: `int,java.lang.String[]`.
fn types_of(descriptor: &str) -> Option<String> {
    let (mut rest, _) = descriptor.strip_prefix('(')?.split_once(')')?;
    let mut out = Vec::new();
    while !rest.is_empty() {
        let element = rest.trim_start_matches('[');
        let dimensions = rest.len() - element.len();
        let (name, next) = match element.strip_prefix('L') {
            Some(class) => {
                let (class, next) = class.split_once(';')?;
                (class.replace('/', "."), next)
            }
            None => {
                let name = match element.chars().next()? {
                    'Z' => "boolean",
                    'B' => "byte",
                    'S' => "short",
                    'C' => "char",
                    'I' => "int",
                    'J' => "long",
                    'F' => "float",
                    'D' => "double",
                    _ => return None,
                };
                (name.to_owned(), &element[1..])
            }
        };
        out.push(name + &"[]".repeat(dimensions));
        rest = next;
    }
    Some(out.join(","))
}

fn identity<'t>(
    analysis: &Analysis,
    tests: impl Iterator<Item = &'t MethodId>,
    options: &Options,
) -> u64 {
    let mut hasher = FxHasher::default();
    format!("{options:?}").hash(&mut hasher);
    for test in tests {
        let told = analysis.recorded(*test);
        (test, told.map(|t| (t.key, t.at))).hash(&mut hasher);
    }
    hasher.finish()
}

/// Of known tests those that are generated, or that are not.
fn of(known: &[(MethodId, bool)], generated: bool) -> Vec<MethodId> {
    let own = known.iter().filter(|(_, is)| *is == generated);
    own.map(|(test, _)| *test).collect()
}

/// An assertion's text without blanks: the same however it is formatted.
pub fn said(program: &Program, assertion: &Assertion) -> String {
    let text = program.text(assertion.file).map_or("", |t| t);
    let span = assertion.span;
    let own = text.get(span.start as usize..span.end as usize);
    own.unwrap_or("").split_whitespace().collect()
}

/// The assertions of a test, in order.
fn assertions(analysis: &Analysis, test: MethodId) -> Vec<Assertion> {
    let program = analysis.program();
    let (Some(flow), Some(file)) = (TestFlow::new(analysis, test), program.method_file(test))
    else {
        return Vec::new();
    };
    let text = program.text(file).map_or("", |t| t);
    let one = |a: &flow::Asserted| {
        // Without what ends the statement.
        let statement = text.get(a.statement.start as usize..a.statement.end as usize);
        let bare = statement.map_or(a.statement.len(), |s| {
            s.trim_end_matches(|c: char| c == ';' || c.is_whitespace())
                .len() as u32
        });
        Assertion {
            test,
            file,
            span: Span::new(a.statement.start, a.statement.start + bare),
            condition: a.condition,
        }
    };
    flow.assertions().iter().map(one).collect()
}
