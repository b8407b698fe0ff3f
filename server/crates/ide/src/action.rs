//! Code actions: assert what a test could read, in the test's own framework; go to what only an inner oracle can check.

mod choices;
mod contrary;
mod corrected;
mod counted;
mod expectation;
mod expected;
mod form;
mod imports;
pub(crate) mod manual;
mod mended;
mod recorded;
mod style;
mod suspicious;
mod verified;

pub use choices::{Choices, all_actions, choices};
pub use mended::mended;
pub use suspicious::{Does, Mend, mends};

use crate::analysis::{Analysis, Place};
use crate::assertion_place::{AssertionPlace, assertion_place};
use crate::change::SourceChange;
use crate::dismissed::{Entry, Width, inside, is_narrow, of_query, of_variable};
use crate::hint::is_hinted;
use crate::inner::{
    CandidateId, Check, OFFERED as TESTS, Turn, What, called, candidate_around, candidate_at,
    check, has_place, may_name, oracles_at, tests_of,
};
use crate::lens::{On, method_around, test_around};
use crate::offers::Readable;
use crate::requests::REQUEST;
use crate::title::title;
use crate::words::{cut, method_words};
use ::inner::Side;
use choices::checked_in;
use counted::counts_again;
use evidence::{Observed, Value};
use expected::Expected;
use expected::Kind;
use flow::VariableKind;
use form::Writer;
use imports::{Imports, newline};
use program::{FileId, MethodId, Program};
use style::Style;
use text::{Edit, Span};

/// How many values are offered at once.
const OFFERED: usize = 3;

/// Something to do.
#[derive(Clone, Debug)]
pub struct Action {
    /// `Assert record.getComment()`.
    pub title: String,
    /// What it does.
    pub effect: Effect,
}

/// What an action does.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Asserts something. Its author has still to fill it in, and until then it fails, unless what is expected was recorded:
    /// then it holds as it stands.
    Assert {
        /// The assertion, behind the imports that it needs.
        change: SourceChange,
        /// It was recorded.
        is_finished: bool,
    },
    /// Shows a place.
    Show(Place),
    /// Remembers that this is not to be told any more.
    Dismiss(Entry),
    /// Checks a value of the code under test in a test, by [`crate::inner::insertion`].
    Check {
        /// The test.
        test: MethodId,
        /// The value.
        id: CandidateId,
        /// What of it.
        what: What,
        /// Which time, if that is said.
        turn: Option<Turn>,
    },
    /// Lets somebody choose what is checked of a value, when, and in which test.
    Choose {
        /// The value.
        id: CandidateId,
        /// Some test is known to run it.
        runs: bool,
    },
    /// Runs a test and keeps what it did.
    Record(MethodId),
    /// Looks for mutants of a method that no test notices.
    Mutate(MethodId),
    /// Removes an inner oracle, by [`crate::inner::removal`].
    Remove(String),
}

/// The actions at a range of a file: those of the test around it, or of the hint there.
pub fn actions(analysis: &Analysis, file: FileId, range: Span) -> Vec<Action> {
    match test_around(analysis, file, range) {
        Some(test) => {
            let mut out = actions_of(analysis, file, test);
            out.extend(of_oracles(analysis, file, range));
            out.extend(recording(analysis, test));
            out.extend(dismissals(analysis, test));
            out
        }
        None => {
            let mut out = of_oracles(analysis, file, range);
            out.extend(checks(analysis, file, range));
            out.extend(hinted(analysis, file, range));
            out.extend(mutating(analysis, file, range));
            out
        }
    }
}

/// What checks the value that is defined at a range, in the tests that run it.
fn checks(analysis: &Analysis, file: FileId, range: Span) -> Vec<Action> {
    let program = analysis.program();
    let id = candidate_around(analysis, file, range).filter(|_| !program.is_test(file));
    let Some(id) = id.filter(|s| has_place(analysis, *s)) else {
        return Vec::new();
    };
    let name = called(analysis, id);
    let tests = tests_of(analysis, id.body, TESTS);
    let mut out: Vec<Action> = Vec::new();
    for &test in &tests {
        let place = checked_in(analysis, test, id);
        let more = match check(analysis.workspace(), Some(test), id) {
            Some(Check::Returned) => ", which can assert it",
            _ => "",
        };
        let title = format!("Check {name} here in {place}{more}");
        // Several tests may share one set-up.
        if out.iter().any(|a| a.title == title) {
            continue;
        }
        out.push(Action {
            title,
            effect: Effect::Check {
                test,
                id,
                what: What::Tell,
                turn: None,
            },
        });
    }
    if analysis.workspace().suite().tests().is_empty() {
        return out;
    }
    let runs = !tests.is_empty();
    out.push(Action {
        title: match runs {
            true => format!("Check {name} here: choose how, and in which test"),
            false => format!("Check {name} here: choose a test"),
        },
        effect: Effect::Choose { id, runs },
    });
    out
}

/// What can be done with the inner oracles at a range.
fn of_oracles(analysis: &Analysis, file: FileId, range: Span) -> Vec<Action> {
    let all = oracles_at(analysis, file, range);
    let mut out = Vec::new();
    for (own, other) in all {
        out.push(Action {
            title: format!("Remove the inner oracle {}", own.name),
            effect: Effect::Remove(own.name),
        });
        if let Some(other) = other {
            let title = match own.side {
                Side::Code => "Go to the test that switches this on",
                Side::Test => "Go to the value that this checks",
            };
            out.push(Action {
                title: title.to_owned(),
                effect: Effect::Show(other),
            });
        }
    }
    out
}

/// What tells the values of a test, where they are not known.
fn recording(analysis: &Analysis, test: MethodId) -> Option<Action> {
    if analysis.fresh(test).is_some() {
        return None;
    }
    let again = match analysis.recorded(test) {
        Some(_) => ", which is not what it was",
        None => "",
    };
    Some(Action {
        title: format!("Record the values of this test{again}"),
        effect: Effect::Record(test),
    })
}

/// What tells which changes of the method no test would notice: where its name is, or something in it is selected. With the cursor
/// in its body somebody looks for what concerns a line.
fn mutating(analysis: &Analysis, file: FileId, range: Span) -> Option<Action> {
    let program = analysis.program();
    if program.is_test(file) || analysis.workspace().suite().tests().is_empty() {
        return None;
    }
    let method = method_around(analysis, file, range)?;
    let head = program.method_decl(method)?;
    if range.start == range.end && range.start > head.name_span.end {
        return None;
    }
    let name = method_words(&program.method_name(method));
    Some(Action {
        title: format!("Look for what no test notices in {name}"),
        effect: Effect::Mutate(method),
    })
}

/// A kind of values by the type that is asked and the query; a type that nobody knows is not named.
pub(crate) fn in_words(asked: (&str, &str)) -> String {
    match asked {
        ("?", "") => "a value itself".to_owned(),
        ("?", query) => query.to_owned(),
        (ty, "") => format!("a {ty} itself"),
        (ty, query) => format!("{ty}.{query}"),
    }
}

/// *Not this one*, for what the lens of a test names.
fn dismissals(analysis: &Analysis, test: MethodId) -> Vec<Action> {
    let (program, offered) = (analysis.program(), analysis.offered(test));
    let Some(title) = title(analysis, On::Test(test)) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    let next = offered
        .readable
        .iter()
        .find(|r| title.next.as_ref() == Some(&r.expression));
    if let Some(r) = next {
        let asked = (r.asked.ty.as_str(), r.asked.query.as_str());
        let kind = in_words(asked);
        let entries = of_query(program, test, &r.expression, asked);
        out.extend(
            entries
                .filter(|(_, e)| is_narrow(e))
                .map(|(width, entry)| match width {
                    Width::Here => dismiss(format!("{} in this test", r.expression), entry),
                    Width::Class => dismiss(format!("{kind} in this class"), entry),
                    Width::Project => dismiss(format!("{kind} in this project"), entry),
                }),
        );
    }
    let requests = analysis.requests(test).unwrap_or_default();
    let expected = requests
        .expectations
        .iter()
        .find(|e| title.next.as_ref() == Some(&e.text()));
    if let Some(e) = expected {
        let text = e.text();
        let entries = of_query(program, test, &text, (REQUEST, &e.query));
        out.extend(entries.map(|(width, entry)| match width {
            Width::Here => dismiss(format!("{} in this test", e.text()), entry),
            Width::Class => dismiss(format!("{} in this class", e.query), entry),
            Width::Project => dismiss(format!("{} in this project", e.query), entry),
        }));
    }
    if let Some(call) = &title.open {
        let mut open = analysis.open(test).into_iter();
        let own = open.find(|o| o.call == *call);
        let entries = own.iter().flat_map(|o| o.dismissals(analysis, test));
        out.extend(entries.map(|(words, entry)| dismiss(words, entry)));
    }
    let within = offered
        .inside
        .iter()
        .find(|i| title.inside.as_ref() == Some(&i.name));
    if let Some(i) = within {
        let entries = inside(program, test, &i.key.0, &i.key.1);
        out.extend(entries.map(|(width, entry)| {
            let place = match width {
                Width::Here => "for this test",
                Width::Class => "for this class",
                Width::Project => "for this project",
            };
            dismiss(format!("{} {place}", i.name), entry)
        }));
    }
    out
}

/// *Not this one*, for a hint at a range.
fn hinted(analysis: &Analysis, file: FileId, range: Span) -> Vec<Action> {
    if analysis.program().is_test(file) {
        return Vec::new();
    }
    let ranking = analysis.ranking(file);
    let found = ranking
        .selected
        .iter()
        .filter(|s| is_hinted(s) && s.span.covers(range));
    let Some(s) = found.min_by_key(|s| s.span.len()) else {
        return Vec::new();
    };
    let entries = of_variable(&s.key.0, &s.key.1);
    let words = |width: Width| match (width, s.kind) {
        (Width::Here, _) => s.name.clone(),
        (Width::Class, VariableKind::Return) => "what methods of this class return".to_owned(),
        (Width::Class, _) => format!("any {} in this class", s.name),
        (Width::Project, VariableKind::Return) => "what methods return".to_owned(),
        (Width::Project, _) => format!("any {} in this project", s.name),
    };
    entries
        .map(|(width, entry)| dismiss(words(width), entry))
        .collect()
}

fn dismiss(what: String, entry: Entry) -> Action {
    Action {
        title: format!("Not this one: {what}"),
        effect: Effect::Dismiss(entry),
    }
}

/// The actions of a test, best first: those that change the file before the one that shows a place.
pub fn actions_of(analysis: &Analysis, file: FileId, test: MethodId) -> Vec<Action> {
    let offered = analysis.offered(test);
    let (mut out, others) = expectations(analysis, file, test);
    let told = analysis.answered(test);
    let observed = |r: &Readable| told.as_ref()?.queries.get(&r.asked_as);
    // What differs from run to run, or throws, is nothing to assert.
    let holds = |r: &&Readable| observed(r).is_none_or(Observed::holds);
    let readable = offered.to_assert(analysis, test).filter(holds);
    for r in readable.take(OFFERED) {
        let seen = observed(r).and_then(|o| o.stable());
        if let Some((change, is_finished)) = insertion(analysis, file, test, r, seen) {
            let is = match seen.filter(|_| is_finished) {
                Some(value) => format!(" is {}", cut(value.short())),
                None => String::new(),
            };
            out.push(Action {
                title: format!("Assert {}{is}", r.expression),
                effect: Effect::Assert {
                    change,
                    is_finished,
                },
            });
        }
    }
    out.extend(others);
    out.extend(verified::verified(analysis, file, test));
    // Who opens the light bulb asks: what looks worth it in the code is offered, recorded or not.
    let within = offered.inside_run(analysis, test).find(|i| i.worth);
    if let Some(i) = within
        && let Some(id) = candidate_at(analysis, i.place)
        && has_place(analysis, id)
        && may_name(analysis.program(), test, id.body)
    {
        out.push(Action {
            title: format!("Check {} in this test", i.name),
            effect: Effect::Check {
                test,
                id,
                what: What::Tell,
                turn: None,
            },
        });
    }
    if let Some(i) = within {
        out.push(Action {
            title: format!("Go to {}, which this test does not see", i.name),
            effect: Effect::Show(i.place),
        });
    }
    out
}

/// What asserts what a test could expect of the answers to its requests: what a lens may name, and the others.
fn expectations(analysis: &Analysis, file: FileId, test: MethodId) -> (Vec<Action>, Vec<Action>) {
    let requests = analysis.requests(test).unwrap_or_default();
    let (mut wanted, mut others) = (Vec::new(), Vec::new());
    for e in requests.expectations.iter().take(OFFERED) {
        if let Some(change) = expectation::expectation(analysis, file, test, e) {
            let action = Action {
                title: format!("Assert {}", e.text()),
                effect: Effect::Assert {
                    change,
                    is_finished: e.placeholder.is_none(),
                },
            };
            match e.wanted {
                Some(_) => wanted.push(action),
                None => others.push(action),
            }
        }
    }
    (wanted, others)
}

/// True for a type as people write it of whose values an assertion says all, once they are known.
pub fn is_said_whole(program: &Program, ty: &str) -> bool {
    Kind::of(program, ty).is_some_and(|kind| kind.is_said_whole())
}

/// All values of a test's list *next* that can be asserted, best first, each as [`actions_of`] asserts the first of them.
pub fn assertions(
    analysis: &Analysis,
    file: FileId,
    test: MethodId,
) -> Vec<(String, SourceChange)> {
    let offered = analysis.offered(test);
    let all = offered.readable.iter();
    all.filter_map(|r| {
        Some((
            r.expression.clone(),
            insertion(analysis, file, test, r, None)?.0,
        ))
    })
    .collect()
}

/// An assertion with the part that is to be filled in, without its semicolon.
type Statement = Expected;

/// An assertion on a value, and whether it is finished: around the call whose result is dropped, which must not run twice,
/// else at the end of the test. Its placeholder has the type and fails until it is filled. `seen` is what the value was.
pub fn insertion(
    analysis: &Analysis,
    file: FileId,
    test: MethodId,
    value: &Readable,
    seen: Option<&Value>,
) -> Option<(SourceChange, bool)> {
    let program = analysis.program();
    let text = program.text(file)?;
    let mut imports = Imports::of(program, file, program.method_owner(test))?;
    let mut writer = Writer {
        program,
        test,
        text,
        style: Style::of(program, file, test),
        imports: &mut imports,
    };
    let finished = seen.and_then(|seen| writer.finished(value, seen));
    let is_finished = finished.is_some();
    let statement = match finished {
        Some(finished) => finished,
        None => {
            // What it would have needed is not needed.
            writer.imports.forget(0);
            writer.statement(value)?
        }
    };
    let own = program.method_decl(test)?.span;
    let own = &text[own.start as usize..own.end as usize];
    if counts_again(own, &value.expression, &statement.text()) {
        return None;
    }
    let mut edits = imports.edits();
    let mut change = |at: Span, lead: &str, tail: &str| {
        let start = lead.len() + statement.before.len();
        let text = format!("{lead}{}{tail}", statement.text());
        edits.push(Edit::new(at, text));
        SourceChange {
            placeholder: Some(start..start + statement.filled.len()),
            ..SourceChange::of(file, std::mem::take(&mut edits))
        }
    };
    let (at, lead, tail) = match assertion_place(analysis, file, test, value)? {
        AssertionPlace::Around => return Some((change(value.span, "", ""), is_finished)),
        AssertionPlace::Before { at, ends } => statement_at(program, test, text, (at, ends)),
    };
    Some((change(at, &lead, &tail), is_finished))
}

/// Where a statement is put, and what stands before and behind it there.
fn statement_at(
    program: &Program,
    test: MethodId,
    text: &str,
    (at, ends): (u32, bool),
) -> (Span, String, String) {
    let (at, newline) = (at as usize, newline(text));
    let line = text[..at].rfind('\n').map_or(0, |n| n + 1);
    let own: String = text[line..at]
        .chars()
        .take_while(|c| c.is_whitespace())
        .collect();
    let is_first = text[line..at].trim().is_empty();
    let (at, lead, tail) = match ends {
        false if is_first => (line, own, format!(";{newline}")),
        false => (at, String::new(), "; ".to_owned()),
        true => {
            let unit = level_of(program, test, text).unwrap_or_else(|| unit_of_indent(text));
            let indent = format!("{own}{unit}");
            match is_first {
                true => (line, indent, format!(";{newline}")),
                // `{ }` on one line is opened.
                false => (at, format!("{newline}{indent}"), format!(";{newline}{own}")),
            }
        }
    };
    (Span::new(at as u32, at as u32), lead, tail)
}

/// How much further than its closing brace a method's first line stands.
fn level_of<'t>(program: &Program, method: MethodId, text: &'t str) -> Option<&'t str> {
    let decl = program.body(program.method_body(method)?)?;
    let block = decl.body.scopes.first()?;
    let block = &text[(decl.start + block.start) as usize..(decl.start + block.end) as usize];
    let first = block.lines().skip(1).find(|l| !l.trim().is_empty())?;
    let last = block.lines().last()?;
    let of = |line: &str| line.len() - line.trim_start().len();
    let (own, closing) = (of(first), of(last));
    let is_further = first.starts_with(&last[..closing]) && own > closing;
    is_further.then(|| &first[closing..own])
}

/// What one level of indent is in this file.
fn unit_of_indent(text: &str) -> &'static str {
    let tabs = text.lines().filter(|l| l.starts_with('\t')).count();
    let spaces = text.lines().filter(|l| l.starts_with("  ")).count();
    if tabs > spaces {
        return "\t";
    }
    let two = text
        .lines()
        .filter(|l| l.starts_with("  ") && !l.starts_with("   "))
        .count();
    if two * 8 > spaces && two > 0 {
        "  "
    } else {
        "    "
    }
}
