//! What can be chosen where a value is checked: what of it, which time, and in which test. An editor asks for it when
//! somebody wants to choose; unasked, the light bulb offers the best alone.

use super::{Action, Effect};
use crate::analysis::Analysis;
use crate::inner::{
    CandidateId, OFFERED, What, called, candidate_around, carrier, is_generated,
    is_of_own_test_class, may_name, package_of, parsed, placed, tests_of,
};
use crate::words::{method_words, ordinal};
use ::inner::Turn;
use program::{FileId, MethodId, Ty};
use text::Span;

/// How many tests are named at most.
const NAMED: usize = 2_000;

/// What can be chosen for one value.
#[derive(Clone, Debug)]
pub struct Choices {
    /// The value.
    pub id: CandidateId,
    /// `neg`
    pub name: String,
    /// It is passed once for each turn of a loop.
    pub in_loop: bool,
    /// A condition can be checked, and that the place runs or does not.
    pub takes_statements: bool,
    /// A condition to begin with: `neg >= 0`.
    pub condition: String,
    /// The tests that it can be checked in: those that are known to run it, then the others that see it, those of the
    /// class's own test class and of its package first.
    pub tests: Vec<MethodId>,
    /// How many of them are known to run it.
    pub known: usize,
}

/// What can be chosen for the value at a range; none where no value has a place.
pub fn choices(analysis: &Analysis, file: FileId, range: Span) -> Option<Choices> {
    let program = analysis.program();
    let id = candidate_around(analysis, file, range).filter(|_| !program.is_test(file))?;
    let source = parsed(program, file).ok()?;
    if is_generated(source.text()) {
        return None;
    }
    let place = placed(analysis, id, &source).ok()?;
    let mut tests = tests_of(analysis, id.body, NAMED);
    let known = tests.len();
    let mut others: Vec<MethodId> = analysis.workspace().suite().tests().to_vec();
    others.retain(|t| !tests.contains(t) && may_name(program, *t, id.body));
    let package = |t: &MethodId| program.method_file(*t).map(|f| package_of(program, f));
    let here = Some(package_of(program, file));
    others.sort_by_key(|t| {
        let is_own = is_of_own_test_class(program, id.body, *t);
        (!is_own, package(t) != here)
    });
    tests.extend(others);
    tests.truncate(NAMED);
    Some(Choices {
        id,
        name: called(analysis, id),
        in_loop: place.in_loop,
        takes_statements: place.takes_statements(),
        condition: condition(analysis, id, &place.value),
        tests,
        known,
    })
}

/// What may well hold of a value: that it is true, not negative, or not null.
fn condition(analysis: &Analysis, id: CandidateId, value: &str) -> String {
    let workspace = analysis.workspace();
    let candidate = workspace
        .chains(id.body)
        .and_then(|c| c.candidates.get(id.index as usize)?.value);
    let ty = workspace
        .resolved(id.body)
        .zip(candidate)
        .map_or(Ty::UNKNOWN, |(resolved, value)| resolved.ty(value));
    match ty {
        Ty::BOOLEAN => value.to_owned(),
        ty if ty.is_numeric() => format!("{value} >= 0"),
        _ => format!("{value} != null"),
    }
}

/// All ways to check the value at a range in the tests that run it, each as an action: for editors that ask for them by
/// their kind.
pub fn all_actions(analysis: &Analysis, file: FileId, range: Span) -> Vec<Action> {
    let Some(choices) = choices(analysis, file, range) else {
        return Vec::new();
    };
    let (id, name) = (choices.id, &choices.name);
    let mut out = Vec::new();
    let mut places = Vec::new();
    for &test in choices.tests[..choices.known].iter().take(OFFERED) {
        let place = checked_in(analysis, test, id);
        if places.contains(&place) {
            continue;
        }
        let mut add = |title: String, what: What, turn: Option<Turn>| {
            out.push(Action {
                title: format!("{title} in {place}"),
                effect: Effect::Check {
                    test,
                    id,
                    what,
                    turn,
                },
            });
        };
        add(format!("Check {name} here"), What::Tell, None);
        if choices.in_loop {
            let second = Turn::Nth(2);
            for (words, turn) in [
                ("each time".to_owned(), Turn::Every),
                ("the first time".to_owned(), Turn::First),
                (format!("the {} time", ordinal(2)), second),
                ("the last time".to_owned(), Turn::Last),
            ] {
                add(format!("Check {name} here {words}"), What::Tell, Some(turn));
            }
        }
        if choices.takes_statements {
            let condition = &choices.condition;
            let that = What::That(condition.clone());
            add(format!("Check that {condition} here"), that, None);
            add("Check that this place runs".to_owned(), What::Ran, None);
            let never = "Check that this place does not run";
            add(never.to_owned(), What::Never, None);
        }
        places.push(place);
    }
    out
}

/// Where a value is checked, in words: `test StatsTest.mixedSigns`, or the set-up that runs its code.
pub(super) fn checked_in(analysis: &Analysis, test: MethodId, id: CandidateId) -> String {
    let named = |method| method_words(&analysis.program().method_name(method));
    match carrier(analysis, test, id.body) {
        Some(method) if method != test => format!("{}, for all its tests", named(method)),
        _ => format!("test {}", named(test)),
    }
}
