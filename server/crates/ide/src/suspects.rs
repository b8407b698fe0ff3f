//! Which assertions of generated tests are probably wrong: what runs told, judged for a class under test, in editor words.
//!
//! [`Judged`] is all that is known of one class: each number can be followed from a sample of a call to the rank of an
//! assertion. It is made of what is fresh alone: a test whose code is not what ran neither teaches nor is judged.

pub mod flow;
mod words;

pub use words::{first_of, opinion, why, within};

use crate::analysis::Analysis;
use evidence::{Called, Calls};
use observe::suite::{class_under_test, under_test};
use program::{FileId, MethodId, Program, TypeId};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use suspects::{Examined, Options, Reached, Suspect, Tested, Violation, examine, rank};
use text::Span;

/// How many suspects of a class are shown as warnings.
pub const TOP: usize = 5;

/// An assertion of a generated test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// In which test.
    pub test: MethodId,
    /// Where it stands.
    pub file: FileId,
    /// With all that is chained to it.
    pub span: Span,
}

/// What is known of the generated assertions of a class under test.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// All assertions of the generated tests that were recorded, by path and position.
    pub assertions: Vec<Assertion>,
    /// Those that something strange reaches, the most suspicious first; positions in `assertions`.
    pub suspects: Vec<Suspect>,
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
}

impl Judged {
    /// The suspect that an assertion is.
    pub fn suspect(&self, assertion: usize) -> Option<&Suspect> {
        self.suspects.iter().find(|s| s.assertion == assertion)
    }

    /// The suspects that a reader is told of: those of which there is evidence enough.
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
    let here = |t: &&MethodId| program.method_file(**t) == Some(file);
    let all = classes(analysis);
    let mut untold = None;
    for (class, tests) in all.iter() {
        let own = tests.iter().filter(here);
        let mut found = own.flat_map(|t| assertions(analysis, *t));
        let Some(assertion) = found.find(|a| a.span.contains(offset)) else {
            continue;
        };
        let judged = analysis.judged(*class);
        let known = judged.assertions.iter().position(|a| *a == assertion);
        let suspect = known.and_then(|k| judged.suspects.iter().position(|s| s.assertion == k));
        let opinion = match (known, suspect) {
            (_, Some(suspect)) => return Some((assertion, judged, Opinion::Suspect(suspect))),
            (Some(_), None) if judged.manual.is_empty() => Opinion::Untaught,
            (Some(_), None) => Opinion::Safe,
            (None, _) => match analysis.recorded(assertion.test) {
                Some(told) if told.key != analysis.key(assertion.test) => Opinion::Stale,
                _ => Opinion::Unknown,
            },
        };
        untold.get_or_insert((assertion, judged, opinion));
    }
    untold
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
    let by_machine: FxHashMap<MethodId, ()> = all.values().flatten().map(|t| (*t, ())).collect();
    let mut out = Judged::default();
    let own = program.type_name(class).as_str();
    let inner = format!("{own}$");
    let wants = |m: &Called| m.class == own || m.class.starts_with(&inner);
    let mut known: Vec<(MethodId, bool)> = Vec::new();
    let teachers = teachers(analysis, class, &by_machine);
    for &test in analysis.workspace().suite().tests() {
        let is_generated = generated.contains(&test);
        if !is_generated && !teachers.contains(&test) {
            continue;
        }
        match analysis.recorded(test).filter(|t| t.calls.is_some()) {
            None => out.unknown += usize::from(is_generated),
            Some(told) if told.key != analysis.key(test) => {
                out.unknown += 1;
                out.stale += 1;
            }
            Some(told) if told.passed => known.push((test, is_generated)),
            Some(_) => {}
        }
    }
    let key = identity(analysis, &known, options);
    let made = analysis.examined(class, key, || {
        let mut lists: [Vec<(MethodId, Calls)>; 2] = [Vec::new(), Vec::new()];
        for &(test, is_generated) in &known {
            let packed = analysis.recorded(test).and_then(|t| t.calls.as_ref());
            let calls = packed.and_then(|p| p.calls());
            let about = |calls: &Calls| calls.methods.iter().any(wants);
            if let Some(calls) = calls.filter(|c| is_generated || about(c)) {
                lists[usize::from(is_generated)].push((test, calls));
            }
        }
        let tested = |list: &'_ [(MethodId, Calls)]| -> Vec<String> {
            list.iter().map(|(t, _)| program.method_name(*t)).collect()
        };
        let names = [tested(&lists[0]), tested(&lists[1])];
        let of = |i: usize| -> Vec<Tested<'_>> {
            let all = names[i].iter().zip(&lists[i]);
            all.map(|(name, (_, calls))| Tested { name, calls })
                .collect()
        };
        let examined = examine(&of(0), &of(1), &wants, options);
        let lines = examined.violations.iter().map(|v| {
            let calls = &lists[1][v.test].1.calls;
            calls.get(v.call).and_then(|c| c.from)
        });
        Examination {
            lines: lines.collect(),
            examined: Arc::new(examined),
            manual: lists[0].iter().map(|(t, _)| *t).collect(),
            generated: lists[1].iter().map(|(t, _)| *t).collect(),
        }
    });
    out.examined = Arc::clone(&made.examined);
    out.manual = made.manual.clone();
    out.generated = made.generated.clone();
    let mut of_test: FxHashMap<MethodId, Vec<usize>> = FxHashMap::default();
    for &test in &out.generated {
        for assertion in assertions(analysis, test) {
            of_test.entry(test).or_default().push(out.assertions.len());
            out.assertions.push(assertion);
        }
    }
    let mut reached = Vec::new();
    for (i, (violation, line)) in out.examined.violations.iter().zip(&made.lines).enumerate() {
        let test = out.generated[violation.test];
        let Some(line) = *line else { continue };
        for &assertion in of_test.get(&test).into_iter().flatten() {
            if follows(program, &out.assertions[assertion], line) {
                reached.push(Reached {
                    assertion,
                    violation: i,
                });
            }
        }
    }
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
    out.suspects = rank(&out.examined.violations, &reached);
    out.flagged = reached.iter().map(|r| r.assertion).collect();
    out.flagged.sort_unstable();
    out.flagged.dedup();
    out
}

/// The hand-written tests that teach what is usual of a class: those of the classes that are named after it. Where there are none,
/// all that were seen to call it. What others call on their way says little of what a class is for.
fn teachers(
    analysis: &Analysis,
    class: TypeId,
    by_machine: &FxHashMap<MethodId, ()>,
) -> FxHashSet<MethodId> {
    let program = analysis.program();
    let suite = analysis.workspace().suite().tests().iter().copied();
    let manual: Vec<MethodId> = suite.filter(|t| !by_machine.contains_key(t)).collect();
    let is_own = |t: &MethodId| class_under_test(program, program.method_owner(*t)) == Some(class);
    let own: FxHashSet<MethodId> = manual.iter().copied().filter(is_own).collect();
    match own.is_empty() {
        true => manual.into_iter().collect(),
        false => own,
    }
}

/// What examining a class gave: kept as long as the same tests with the same code were recorded.
#[derive(Debug)]
pub(crate) struct Examination {
    examined: Arc<Examined>,
    /// From which line of its test each violation was born.
    lines: Vec<Option<u32>>,
    manual: Vec<MethodId>,
    generated: Vec<MethodId>,
}

fn identity(analysis: &Analysis, known: &[(MethodId, bool)], options: &Options) -> u64 {
    let mut hasher = FxHasher::default();
    format!("{options:?}").hash(&mut hasher);
    for (test, is_generated) in known {
        let told = analysis.recorded(*test);
        (test, is_generated, told.map(|t| (t.key, t.at))).hash(&mut hasher);
    }
    hasher.finish()
}

fn follows(program: &Program, assertion: &Assertion, line: u32) -> bool {
    let text = program.text(assertion.file).map_or("", |t| t);
    let lines = text::LineIndex::new(text);
    lines
        .position(assertion.span.start, text::Encoding::Utf8)
        .line
        + 1
        >= line
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
    let (program, workspace) = (analysis.program(), analysis.workspace());
    let found = || {
        let id = program.method_body(test)?;
        let (decl, file) = (program.body(id)?, program.body_file(id)?);
        let resolved = workspace.resolved(id)?;
        Some((decl, file, resolved, workspace.chains(id)?))
    };
    let Some((decl, file, _, chains)) = found() else {
        return Vec::new();
    };
    let body = &decl.body;
    let one = |a: &observe::chains::Assertion| {
        let last = a.chained.last();
        let last = last.map_or(a.expr, |c| body.calls[c.ix()].expr);
        Assertion {
            test,
            file,
            span: Span::new(
                decl.start + body.expr(a.expr).start,
                decl.start + body.expr(last).end,
            ),
        }
    };
    chains.assertions.iter().map(one).collect()
}
