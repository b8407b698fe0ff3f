//! What a lens says: of a class of which no test's values are known, that they can be; of a test what was found for all tests of its class ([`crate::lens`]); of a class of generated tests how many
//! of its assertions an editor marks; of a method that tests call, how many do and its most telling variable, and how many run and
//! check it.

use crate::analysis::{Analysis, Place};
use crate::checked::{is_unchecked_method, tests_of_method};
use crate::lens::{On, Title};
use crate::rules::{Finding, marked, unmarked};
use crate::suspects;
use oracle::TestKind;
use program::{FileId, MethodId, TypeId};
use recommend::MORE_THAN;

/// What a lens says; nothing where there is nothing to say.
pub fn title(analysis: &Analysis, on: On) -> Option<Title> {
    match on {
        On::Test(test) => {
            let class = analysis.program().method_owner(test);
            analysis.said(class).get(&test).cloned()
        }
        On::Method(method) => method_title(analysis, method),
        On::Generated(class) => generated_title(analysis, class),
        On::Recorded(class) => recorded_title(analysis, class),
        On::Checked(method) => checked_title(analysis, method),
    }
}

/// `run by 12 tests, checked by 3`, of tests that were recorded with today's code.
fn checked_title(analysis: &Analysis, method: MethodId) -> Option<Title> {
    let tests = tests_of_method(analysis, method)?;
    let is_unchecked = tests.checked_by.is_empty() && is_unchecked_method(analysis, method);
    Some(Title {
        text: tests.above(is_unchecked),
        target: None,
        next: None,
        inside: None,
        open: None,
        recorded: None,
    })
}

/// `▷ record` above a class of whose tests nothing is known, or nothing of today's code. Only where tests of its folder were recorded:
/// nobody else asked for it.
fn recorded_title(analysis: &Analysis, class: TypeId) -> Option<Title> {
    let tests = analysis.program().methods_of_type(class).iter().copied();
    let suite = analysis.workspace().suite();
    let tests = tests.filter(|m| suite.kind(*m) == Some(TestKind::Test));
    let mut is_known = false;
    for test in tests {
        if analysis.fresh(test).is_some() {
            return None;
        }
        is_known |= analysis.recorded(test).is_some();
    }
    let text = match is_known {
        true => "▷ record again",
        false => "▷ record",
    };
    Some(Title {
        text: text.to_owned(),
        target: None,
        next: None,
        inside: None,
        open: None,
        recorded: None,
    })
}

/// `2 of 41 assertions look wrong`, if some do: those that an editor marks.
fn generated_title(analysis: &Analysis, class: TypeId) -> Option<Title> {
    let program = analysis.program();
    let file = program.type_place(class)?.0;
    let own = |test: MethodId| program.method_owner(test) == class;
    let mut marked = marked(analysis, file);
    marked.retain(|f| f.method.is_some_and(own));
    let is_warned = |f: &&Finding| f.fainter.is_none();
    let first = marked.iter().find(is_warned).or(marked.first())?;
    Some(Title {
        text: look_wrong(&marked, judged_of(analysis, &own).0),
        target: Some(Place {
            file,
            span: first.span,
        }),
        next: None,
        inside: None,
        open: None,
        recorded: recorded_at(analysis, class),
    })
}

/// The ranked assertions of the generated tests of a file, the most suspicious first.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    /// Those that an editor marks.
    pub marked: Vec<Finding>,
    /// Those that it does not.
    pub others: Vec<Finding>,
    /// What a lens says of the marks, or why nothing is ranked.
    pub said: String,
    /// When the oldest recording was made.
    pub recorded: Option<i64>,
}

/// What has a rank in a file, and what is said of all of it.
pub fn suspects_of(analysis: &Analysis, file: FileId) -> Listed {
    let program = analysis.program();
    let none = |why: &str| Listed {
        said: why.to_owned(),
        ..Listed::default()
    };
    let classes = program.types_of_file(file).iter().copied();
    let generated: Vec<TypeId> = classes
        .filter(|c| program.generated(*c).is_some())
        .collect();
    if generated.is_empty() {
        return none("No test of this file counts as generated");
    }
    let own = |test: MethodId| program.method_file(test) == Some(file);
    let about = suspects::classes(analysis);
    let mut tests = about.values().flatten().filter(|t| own(**t)).peekable();
    if tests.peek().is_none() {
        return none("It is not known which class the tests of this file are about");
    }
    let (all, is_taught) = judged_of(analysis, &own);
    if all == 0 {
        return match tests.any(|t| analysis.recorded(*t).is_some()) {
            true => none("The tests of this file failed, or were recorded with other code"),
            false => none("The tests of this file were not recorded"),
        };
    }
    if !is_taught {
        return none("No hand-written test of the class under test was recorded");
    }
    let marked = marked(analysis, file);
    let said = match marked.len() {
        0 => format!("None of {all} assertions looks wrong"),
        _ => look_wrong(&marked, all),
    };
    let recorded = generated.iter().filter_map(|c| recorded_at(analysis, *c));
    Listed {
        others: unmarked(analysis, file, &marked),
        marked,
        said,
        recorded: recorded.min(),
    }
}

/// How many assertions of some generated tests were judged, and whether hand-written tests taught anything. Of several classes under
/// test each may know of some of the tests.
fn judged_of(analysis: &Analysis, own: &dyn Fn(MethodId) -> bool) -> (usize, bool) {
    let about = suspects::classes(analysis);
    let about = about
        .iter()
        .filter(|(_, tests)| tests.iter().any(|t| own(*t)));
    about.fold((0, false), |(all, is_taught), (class, _)| {
        let judged = analysis.judged(*class);
        let of = judged.assertions.iter().filter(|a| own(a.test)).count();
        (all.max(of), is_taught || !judged.teaching.is_empty())
    })
}

/// How many of `all` assertions are marked. Of a faint mark nobody says that the assertion looks wrong.
fn look_wrong(marked: &[Finding], all: usize) -> String {
    let warned = marked.iter().filter(|f| f.fainter.is_none()).count();
    let faint = marked.len() - warned;
    let looks = if warned == 1 { "looks" } else { "look" };
    match (warned, faint) {
        (0, _) => format!("{faint} of {all} assertions may be wrong"),
        (_, 0) => format!("{warned} of {all} assertions {looks} wrong"),
        _ => format!("{warned} of {all} assertions {looks} wrong, {faint} more may be"),
    }
}

/// When the oldest recording was made of the tests of a class that are as they ran.
fn recorded_at(analysis: &Analysis, class: TypeId) -> Option<i64> {
    let methods = analysis.program().methods_of_type(class).iter();
    methods.filter_map(|m| Some(analysis.fresh(*m)?.at)).min()
}

fn method_title(analysis: &Analysis, method: MethodId) -> Option<Title> {
    let program = analysis.program();
    let tests = *analysis.callers().get(&method)?;
    let file = program.method_file(method)?;
    let body = program.method_body(method)?;
    let ranking = analysis.ranking(file);
    let telling = ranking
        .selected
        .iter()
        .find(|s| s.body == body && !s.is_quiet && s.gain > MORE_THAN);
    let count = match tests {
        1 => "1 test calls this".to_owned(),
        n => format!("{n} tests call this"),
    };
    Some(match telling {
        Some(s) => Title {
            text: format!(
                "{count} · most telling: {}",
                match s.kind {
                    flow::VariableKind::Return => "what it returns",
                    _ => &s.name,
                }
            ),
            target: Some(Place { file, span: s.span }),
            next: None,
            inside: None,
            open: None,
            recorded: None,
        },
        None => Title {
            text: count,
            target: None,
            next: None,
            inside: None,
            open: None,
            recorded: None,
        },
    })
}
