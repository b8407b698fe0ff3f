//! Candidates of the code under test: which there are, where, and which tests run them.

use super::files::package_of;
use crate::analysis::{Analysis, Place};
use crate::checked;
use crate::words::method_words;
use flow::VariableKind;
use program::{BodyId, FileId, MethodId, Program};
use rustc_hash::FxHashSet;
use text::Span;

/// Names a candidate: a value that a body defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CandidateId {
    /// The body.
    pub body: BodyId,
    /// Its position among the body's candidates.
    pub index: u32,
}

/// All values of the code under test that a test runs, in order of path and position.
pub fn candidates(analysis: &Analysis, test: MethodId) -> Vec<CandidateId> {
    let workspace = analysis.workspace();
    let program = analysis.program();
    let bodies = workspace.called_by(&[workspace.own_run(test)]);
    let mut out = Vec::new();
    for unit in workspace.units_of(&bodies) {
        let in_tests = program
            .body_file(unit.body)
            .is_none_or(|f| program.is_test(f));
        if !in_tests && !program.is_added(unit.body) {
            let all = 0..unit.chains.candidates.len() as u32;
            out.extend(all.map(|index| CandidateId {
                body: unit.body,
                index,
            }));
        }
    }
    out
}

/// The candidate at a place.
pub fn candidate_at(analysis: &Analysis, place: Place) -> Option<CandidateId> {
    let program = analysis.program();
    let bodies = program.bodies_of_file(place.file).iter();
    let written = bodies.filter(|b| !program.is_added(**b));
    let mut found = written.filter_map(|&body| {
        let start = program.body(body)?.start;
        let chains = analysis.workspace().chains(body)?;
        let index = chains
            .candidates
            .iter()
            .position(|c| Span::new(start + c.start, start + c.end) == place.span)?;
        Some(CandidateId {
            body,
            index: index as u32,
        })
    });
    found.next()
}

/// The candidate that stands at a range: the innermost, of those the one defined first.
pub fn candidate_around(analysis: &Analysis, file: FileId, range: Span) -> Option<CandidateId> {
    let program = analysis.program();
    let mut best: Option<(u32, CandidateId)> = None;
    let bodies = program.bodies_of_file(file).iter().copied();
    for body in bodies.filter(|b| !program.is_added(*b)) {
        let (Some(decl), Some(chains)) = (program.body(body), analysis.workspace().chains(body))
        else {
            continue;
        };
        for (index, c) in chains.candidates.iter().enumerate() {
            let span = Span::new(decl.start + c.start, decl.start + c.end);
            if span.covers(range) && best.is_none_or(|(len, _)| span.len() < len) {
                let index = index as u32;
                best = Some((span.len(), CandidateId { body, index }));
            }
        }
    }
    best.map(|(_, id)| id)
}

/// What a candidate is called: `neg`, or `the value of compare`.
pub fn called(analysis: &Analysis, id: CandidateId) -> String {
    let chains = analysis.workspace().chains(id.body);
    let candidate = chains.and_then(|c| c.candidates.get(id.index as usize));
    match candidate {
        Some(c) if c.kind != VariableKind::Return => c.variable.to_string(),
        _ => format!("the value of {}", method_of(analysis.program(), id.body)),
    }
}

/// `compare`
pub(super) fn method_of(program: &Program, body: BodyId) -> String {
    let method = method_words(&program.body_name(body).unwrap_or_default());
    method.rsplit('.').next().unwrap_or(&method).to_owned()
}

/// Where a candidate stands.
pub fn place_of(analysis: &Analysis, id: CandidateId) -> Option<Place> {
    let program = analysis.program();
    let candidate = analysis.workspace().chains(id.body)?;
    let candidate = candidate.candidates.get(id.index as usize)?;
    let start = program.body(id.body)?.start;
    Some(Place {
        file: program.body_file(id.body)?,
        span: Span::new(start + candidate.start, start + candidate.end),
    })
}

/// True if the sources of a test see those of a body: only then the test can name what it switches on. What a call may
/// lead to over an interface lies in other modules, too.
pub(crate) fn may_name(program: &Program, test: MethodId, body: BodyId) -> bool {
    let file = program.body_file(body);
    file.is_some_and(|f| may_name_file(program, test, f))
}

/// True if the sources of a test see those of a file.
pub(super) fn may_name_file(program: &Program, test: MethodId, file: FileId) -> bool {
    let own = program
        .method_file(test)
        .and_then(|f| program.source_set(f));
    let set = program.source_set(file);
    let both = own.zip(set);
    both.is_some_and(|(own, set)| program.is_visible(own, set))
}

/// How many tests one is asked to choose from unasked.
pub(crate) const OFFERED: usize = 3;

/// How many tests are looked at that nobody saw run a body, and that do not call it themselves.
const LOOKED_AT: usize = 40;

/// Tests that run a body, at most `limit`: those that ran it when they were recorded and those that call its method, these first, and
/// before them those of its class's own test class. Where there are none, those that come to it by way of others: of that test class,
/// then of the same package, then all, as far as [`LOOKED_AT`] of them go.
pub fn tests_of(analysis: &Analysis, body: BodyId, limit: usize) -> Vec<MethodId> {
    let (workspace, program) = (analysis.workspace(), analysis.program());
    let is_own = |test: &MethodId| is_of_own_test_class(program, body, *test);
    let (mut out, ran) = match program.body_method(body) {
        Some(method) => (
            analysis.tests_calling(method),
            checked::ran_by(analysis, method),
        ),
        None => Default::default(),
    };
    // What was recorded knows better than the code.
    out.retain(|t| ran.binary_search(t).is_ok() || !checked::is_ran(analysis, *t));
    let calling = out.len();
    let known: FxHashSet<MethodId> = out.iter().copied().collect();
    out.extend(ran.into_iter().filter(|t| !known.contains(t)));
    let calls: FxHashSet<MethodId> = out[..calling].iter().copied().collect();
    out.retain(|t| may_name(program, *t, body));
    out.sort_by_key(|t| (!is_own(t), !calls.contains(t)));
    if out.is_empty() {
        let package = |file: Option<FileId>| file.map(|f| package_of(program, f));
        let home = package(program.body_file(body));
        let is_near = |test: &MethodId| package(program.method_file(*test)) == home;
        let mut near: Vec<MethodId> = workspace.suite().tests().to_vec();
        near.sort_by_key(|t| (!is_own(t), !is_near(t)));
        let runs = |t: &MethodId| {
            let bodies = workspace.called_by(&[workspace.own_run(*t)]);
            !checked::is_ran(analysis, *t) && bodies.contains(body)
        };
        let seeing = near.into_iter().filter(|t| may_name(program, *t, body));
        out.extend(seeing.take(LOOKED_AT).filter(runs).take(limit));
    }
    out.truncate(limit);
    out
}

/// True for a test of `StatsTest` or `TestStats`, of code of `Stats`.
pub(crate) fn is_of_own_test_class(program: &Program, body: BodyId, test: MethodId) -> bool {
    let name = |class: program::TypeId| {
        let class = outermost(program, class);
        program.type_decl(class).map_or("", |d| d.name.as_str())
    };
    let class = name(program.body_owner(body));
    let own = name(program.method_owner(test));
    own.starts_with(class) || own.strip_prefix("Test").is_some_and(|n| n == class)
}

fn outermost(program: &Program, class: program::TypeId) -> program::TypeId {
    let around = std::iter::successors(Some(class), |t| program.enclosing_type(*t));
    around.take(100).last().unwrap_or(class)
}

/// True for what code computes; false for what it only passes on, as a setter does, which says nothing of the code.
pub fn is_computed(analysis: &Analysis, id: CandidateId) -> bool {
    let chains = analysis.workspace().chains(id.body);
    let uses = chains.map_or(&[][..], |c| &c.chains);
    let mut own = uses.iter().filter(|c| c.from == id.index).peekable();
    own.peek().is_none() || own.any(|c| !c.used.copy)
}
