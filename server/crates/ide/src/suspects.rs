//! Which assertions of generated tests are probably wrong: what runs told, judged for a class under test, in editor words.
//!
//! [`Judged`] is all that is known of one class: each number can be followed from a sample of a call to the rank of an
//! assertion. It is made of what is fresh alone: a test whose code is not what ran neither teaches nor is judged.

mod ask;
mod by_hand;
mod explain;
pub mod flow;
mod judge;
mod place;
mod ways;
mod words;

pub use ask::{Inquiry, inquire};
pub use by_hand::ByHand;
pub use explain::{Counts, Step, of_tests, opinion_of, sides, steps};
pub use judge::{judge_with, learn, left_out};
pub use place::keep_places;
pub use ways::Ways;
pub(crate) use words::first_of;
pub use words::{called, grouped, meaning, opinion, why, why_of, within};

use self::flow::TestFlow;
use crate::analysis::{Analysis, Part, Place, Question};
use calls::{class_under_test, under_test};
use evidence::Called;
use oracle::TestKind;
use program::{FileId, MethodId, Program, SourceSetId, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;
use suspects::{Examined, Options, Suspect, Violation, by_weight};
use text::Span;

/// How many suspects of a class are marked although chance may have made them.
pub(crate) const TOP: usize = 5;

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
    /// How the steps were done.
    options: Options,
    /// All assertions of the generated tests that were recorded, by path and position.
    pub assertions: Vec<Assertion>,
    /// Those that something strange reaches, the most suspicious first; positions in `assertions`.
    pub suspects: Vec<Suspect>,
    /// On which way a violation reaches an assertion, in words.
    pub ways: Ways,
    /// Those that any violation reaches, whatever had run: what plain anomaly detection would flag.
    pub flagged: Vec<usize>,
    /// What was learnt, and what was broken. Its tests are positions in `manual` and `generated`.
    pub examined: Arc<Examined>,
    /// The hand-written tests that taught, in the order in which they were heard of; such as were edited since are among them.
    pub manual: Vec<MethodId>,
    /// Those of them of which was learnt.
    pub teaching: FxHashSet<MethodId>,
    /// The generated tests that were judged.
    pub generated: Vec<MethodId>,
    /// From where each of these calls.
    pub places: Vec<Arc<[evidence::Place]>>,
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

    /// True if what speaks against an assertion is hardly chance, and it would be marked for its score as well: that a call was
    /// given what nobody ever gave is no chance either, and weighs little.
    pub fn is_sure(&self, suspect: &Suspect) -> bool {
        suspect.is_worth_a_look(false) && self.is_hardly_chance(suspect)
    }

    /// True if some of what speaks against an assertion is hardly chance.
    pub fn is_hardly_chance(&self, suspect: &Suspect) -> bool {
        let mut all = suspect.violations.iter().filter_map(|v| self.violation(*v));
        all.any(|v| v.is_sure())
    }

    /// True if an assertion is worth the look of somebody who did not ask.
    pub fn is_worth_a_look(&self, suspect: &Suspect) -> bool {
        // Most need no look at what speaks against them.
        suspect.is_worth_a_look(false)
            || suspect.is_worth_a_look(true) && self.is_hardly_chance(suspect)
    }

    /// What speaks against an assertion, that which weighs most first: positions of violations.
    pub fn against(&self, suspect: &Suspect) -> Vec<usize> {
        let way = |violation| self.ways.get(suspect.assertion, violation);
        let steps = |violation| way(violation).map_or(1, |way| way.len());
        by_weight(&self.examined, suspect, steps, &self.options)
    }

    /// What speaks most against an assertion.
    pub(crate) fn first_of(&self, suspect: &Suspect) -> Option<Violation<'_>> {
        self.violation(self.first_among(&self.against(suspect))?)
    }

    /// The first of what speaks against an assertion that is hardly chance, or else the first.
    fn first_among(&self, all: &[usize]) -> Option<usize> {
        let is_sure = |at: &&usize| self.violation(**at).is_some_and(|v| v.is_sure());
        all.iter().find(is_sure).or(all.first()).copied()
    }

    /// The line of a generated test from which the call was made that broke something, as it stands today.
    pub(crate) fn called_at(&self, program: &Program, violation: Violation<'_>) -> Option<Place> {
        let place = self.places.get(violation.test)?;
        let place = place.get(violation.from? as usize)?;
        place::spot(program, *self.generated.get(violation.test)?, place)
    }

    /// A violation by its position.
    pub fn violation(&self, at: usize) -> Option<Violation<'_>> {
        self.examined.violation(at)
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
    let all = classes.into_iter().map(|class| {
        let judged = analysis.judged(class);
        let opinion = opinion_of(analysis, &judged, &assertion);
        (judged, opinion)
    });
    let (judged, opinion) = all.min_by_key(|(judged, opinion)| loudness(judged, *opinion))?;
    Some((assertion, judged, opinion))
}

/// The assertion at an offset that stands in another method of generated tests, a helper: nobody judges it.
pub(crate) fn unjudged(analysis: &Analysis, file: FileId, offset: u32) -> Option<Span> {
    let program = analysis.program();
    let suite = analysis.workspace().suite();
    let mut bodies = program.bodies_of_file(file).iter().copied();
    bodies.find_map(|id| {
        let method = program.body_method(id)?;
        let is_around = program.method_decl(method)?.span.contains(offset);
        let is_helper = suite.kind(method) != Some(TestKind::Test);
        let is_generated = || program.generated(program.method_owner(method)).is_some();
        if !is_around || !is_helper || !is_generated() {
            return None;
        }
        let decl = program.body(id)?;
        let body = &decl.body;
        let all = oracle::assertions(body, &decl.assertions);
        let mut spans = all.iter().map(|a| {
            let (from, to) = (body.expr(a.expr).start, body.expr(a.end(body)).end);
            Span::new(decl.start + from, decl.start + to)
        });
        spans.find(|s| s.contains(offset))
    })
}

/// What orders the classes that a test may be about by what they say of one of its assertions: that which says most is the least, and
/// told.
pub fn loudness(judged: &Judged, opinion: Opinion) -> (bool, bool, u32) {
    let Opinion::Suspect(at) = opinion else {
        return (true, true, u32::MAX);
    };
    judged
        .suspects
        .get(at)
        .map_or((true, true, u32::MAX), |suspect| {
            (
                !judged.is_sure(suspect),
                !judged.is_worth_a_look(suspect),
                first_of(judged, suspect),
            )
        })
}

/// The classes under test that have generated tests, with these, by name.
pub fn classes(analysis: &Analysis) -> Arc<BTreeMap<TypeId, Vec<MethodId>>> {
    analysis.ask(Generated)
}

/// The generated tests by the class under test that they are about.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Generated;

impl Question for Generated {
    type Answer = BTreeMap<TypeId, Vec<MethodId>>;
    const RESTS_ON: &'static [Part] = &[];

    fn answer(&self, analysis: &Analysis) -> Self::Answer {
        generated(analysis)
    }
}

fn generated(analysis: &Analysis) -> BTreeMap<TypeId, Vec<MethodId>> {
    let mut out: BTreeMap<TypeId, Vec<MethodId>> = BTreeMap::new();
    let (program, workspace) = (analysis.program(), analysis.workspace());
    // None of a class that somebody wrote.
    let mut about: FxHashMap<TypeId, Option<Vec<TypeId>>> = FxHashMap::default();
    for &test in workspace.suite().tests() {
        let owner = program.method_owner(test);
        let classes = about.entry(owner).or_insert_with(|| {
            let is_generated = program.generated(owner).is_some();
            is_generated.then(|| under_test(workspace, owner))
        });
        for class in classes.iter().flatten() {
            out.entry(*class).or_default().push(test);
        }
    }
    out
}

/// Who may teach what is usual of a class.
#[derive(Debug, Default)]
struct Teachers {
    /// All hand-written tests.
    manual: Arc<FxHashSet<MethodId>>,
    /// Those of classes that are named after it.
    own: FxHashSet<MethodId>,
}

/// Who may teach what is usual of a class.
#[derive(Clone, PartialEq, Eq, Hash)]
struct TeachersOf(TypeId);

impl Question for TeachersOf {
    type Answer = Teachers;
    const RESTS_ON: &'static [Part] = &[];
    const IS_OF_DECLARATIONS: bool = true;

    fn answer(&self, analysis: &Analysis) -> Teachers {
        teachers(analysis, self.0)
    }
}

/// The hand-written tests: whatever class is judged, they are the same.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Manual;

impl Question for Manual {
    type Answer = FxHashSet<MethodId>;
    const RESTS_ON: &'static [Part] = &[];
    const IS_OF_DECLARATIONS: bool = true;

    fn answer(&self, analysis: &Analysis) -> FxHashSet<MethodId> {
        let program = analysis.program();
        of_owners(analysis, |owner| program.generated(owner).is_none())
    }
}

fn teachers(analysis: &Analysis, class: TypeId) -> Teachers {
    let program = analysis.program();
    // A generated test teaches nothing, about whatever it is.
    let is_own = |owner| {
        program.generated(owner).is_none() && class_under_test(program, owner) == Some(class)
    };
    Teachers {
        manual: analysis.ask(Manual),
        own: of_owners(analysis, is_own),
    }
}

/// The tests of some classes.
fn of_owners(analysis: &Analysis, wants: impl Fn(TypeId) -> bool) -> FxHashSet<MethodId> {
    let program = analysis.program();
    let mut known: FxHashMap<TypeId, bool> = FxHashMap::default();
    let tests = analysis.workspace().suite().tests().iter();
    let own = tests.filter(|test| {
        let owner = program.method_owner(**test);
        *known.entry(owner).or_insert_with(|| wants(owner))
    });
    own.copied().collect()
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
        called.types()?.join(",")
    );
    let exact = own.iter().find(|m| program.method_name(**m) == whole);
    exact.or(own.first().filter(|_| own.len() == 1)).copied()
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
