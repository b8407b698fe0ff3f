//! The change that checks a value in a test: a check in the code under test, and the test that switches it on.

use super::candidate::{may_name, method_of};
use super::files::{Class, class_file, class_seen_from, is_generated, package_of, parsed};
use super::oracles::oracles;
use super::recorded::recorded;
use super::{CandidateId, What};
use crate::analysis::Analysis;
use crate::change::SourceChange;
use crate::words::method_words;
use flow::VariableKind;
use inner::{Definition, GUARD, Refusal, Switch, Turn, Words};
use oracle::TestKind;
use oracle::frameworks::all;
use program::{BodyId, MethodId, Program};
use syntax::SourceFile;
use text::{Edit, Span};

/// True if a value has a place where it can be checked; says nothing of the test.
pub fn has_place(analysis: &Analysis, id: CandidateId) -> bool {
    let program = analysis.program();
    let file = program.body_file(id.body);
    let source = file.and_then(|f| parsed(program, f).ok());
    source.is_some_and(|s| !is_generated(s.text()) && placed(analysis, id, &s).is_ok())
}

pub(crate) fn placed(
    analysis: &Analysis,
    id: CandidateId,
    source: &SourceFile,
) -> Result<inner::Place, Refusal> {
    let own = analysis.program().body(id.body);
    let own = own.ok_or(Refusal::NotFound)?;
    let chains = analysis.workspace().chains(id.body);
    let candidate = chains
        .and_then(|c| c.candidates.get(id.index as usize))
        .ok_or(Refusal::NotFound)?;
    let definition = Definition {
        span: Span::new(own.start + candidate.start, own.start + candidate.end),
        variable: candidate.variable.to_string(),
        kind: candidate.kind,
    };
    inner::place(source, &definition)
}

/// The change that checks a value in a test. [`What::Tell`] is what was recorded of it, where that is known.
///
/// # Errors
/// A [`Refusal`] says why there is none.
pub fn insertion(
    analysis: &Analysis,
    test: MethodId,
    id: CandidateId,
    what: &What,
    turn: Option<Turn>,
) -> Result<SourceChange, Refusal> {
    let program = analysis.program();
    let code = program.body_file(id.body).ok_or(Refusal::NotFound)?;
    let test_file = program.method_file(test).ok_or(Refusal::NotFound)?;
    if program.is_test(code) {
        return Err(Refusal::TestCode);
    }
    if !may_name(program, test, id.body) {
        return Err(Refusal::NotSeen);
    }
    let (source, test_source) = (parsed(program, code)?, parsed(program, test_file)?);
    if is_generated(source.text()) {
        return Err(Refusal::Generated);
    }
    let guard = class_file(program, code)?;
    let class = class_seen_from(program, code, test_file);
    let place = placed(analysis, id, &source)?;
    let (carrier, calls) = switched(analysis, test, id.body)?;
    let name = match name(analysis, carrier, id, &source, &place) {
        Name::New(name) => name,
        Name::Taken => return Err(Refusal::CheckedAlready),
    };
    let known = match what {
        What::Tell if turn.is_none() && carrier == test => recorded(analysis, test, id),
        _ => None,
    };
    let what = known.as_ref().unwrap_or(what);
    let quoted = text::java_literal(&name);
    let written: &[&String] = match what {
        What::Equal(e) | What::That(e) => &[e],
        What::Near(e, t) => &[e, t],
        What::Tell | What::Ran | What::Never => &[],
    };
    if !written.iter().all(|e| inner::is_expression(e)) {
        return Err(Refusal::NoExpression);
    }
    if matches!(what, What::That(_) | What::Ran | What::Never) && !place.takes_statements() {
        return Err(Refusal::NoStatement);
    }
    let call = |value: &str| match what {
        What::Tell => format!("{GUARD}.tell({quoted}, {value})"),
        What::Equal(e) => format!("{GUARD}.equal({quoted}, {e}, {value})"),
        What::Near(e, t) => format!("{GUARD}.equal({quoted}, {e}, {value}, {t})"),
        What::That(c) => {
            format!("if ({GUARD}.isOn({quoted})) {GUARD}.that({quoted}, {c}, {value})")
        }
        What::Ran => format!("{GUARD}.ran({quoted})"),
        What::Never => format!("{GUARD}.never({quoted})"),
    };
    let in_code = place.edits(&source, &call);
    let decl = program.method_decl(carrier).ok_or(Refusal::NotFound)?;
    let switch = Switch {
        turn: match what {
            What::Never => Turn::Never,
            What::Ran => Turn::Every,
            // A value that is defined turn by turn is another in each.
            _ if place.in_loop => turn.unwrap_or(Turn::Last),
            _ => turn.unwrap_or_default(),
        },
        words: Words {
            apart: &all(|row| row.apart).collect::<Vec<_>>(),
            throws_by: &all(|row| row.throws_by).collect::<Vec<_>>(),
            told_to_throw: &all(|row| row.told_to_throw).collect::<Vec<_>>(),
        },
        ..Switch::new(&name, &class)
    };
    let in_test = inner::switch_on(&test_source, decl.span, &calls, &switch)?;
    let mut out = SourceChange {
        edits: vec![(code, in_code), (test_file, joined(in_test))],
        ..SourceChange::default()
    };
    let text = inner::guard_class(package_of(program, code));
    match guard {
        Class::Stands => {}
        Class::Made(path) => out.made.push((path, text)),
        Class::Filled(file) => {
            let all = Span::new(0, program.text(file).map_or(0, |t| t.len()) as u32);
            out.edits.push((file, vec![Edit::new(all, text)]));
        }
    }
    Ok(out)
}

/// Edits that touch, as one: not every editor keeps the order of two at one place.
fn joined(edits: Vec<Edit>) -> Vec<Edit> {
    let mut out: Vec<Edit> = Vec::new();
    for edit in edits {
        match out.last_mut() {
            Some(last) if last.span.end == edit.span.start => {
                last.span.end = edit.span.end;
                last.text.push_str(&edit.text);
            }
            _ => out.push(edit),
        }
    }
    out
}

/// What an oracle is called.
enum Name {
    New(String),
    /// The same test checks this value already.
    Taken,
}

/// True if a local of the body has this name.
fn is_hidden(program: &Program, body: BodyId, variable: &str) -> bool {
    let decl = program.body(body);
    decl.is_some_and(|d| {
        let mut locals = d.body.locals.iter();
        locals.any(|l| l.name == variable)
    })
}

fn name(
    analysis: &Analysis,
    test: MethodId,
    id: CandidateId,
    source: &SourceFile,
    place: &inner::Place,
) -> Name {
    let program = analysis.program();
    let chains = analysis.workspace().chains(id.body);
    let candidate = chains.and_then(|c| c.candidates.get(id.index as usize));
    let what = match candidate {
        Some(c) if c.kind != VariableKind::Return => {
            // A local of the field's name hides it, and what a failure says to write instead names what the name does.
            let own = place.value.strip_prefix("this.");
            let own = own.filter(|_| is_hidden(program, id.body, &c.variable));
            let of_element = own
                .unwrap_or(&place.value)
                .strip_prefix(c.variable.as_str());
            let is_element =
                of_element.is_some_and(|at| at.starts_with('[') && !at.contains(['\n', '"', ':']));
            match is_element || own.is_some() && of_element == Some("") {
                true => place.value.clone(),
                false => c.variable.to_string(),
            }
        }
        _ => format!("{}()", method_of(program, id.body)),
    };
    let base = format!("{}: {what}", method_words(&program.method_name(test)));
    let here = inner::checks_at(source, place);
    let is_base = |n: &str| {
        n.strip_prefix(&base)
            .is_some_and(|rest| rest.trim_start().chars().all(|c| c.is_ascii_digit()))
    };
    if here.iter().any(|n| is_base(n)) {
        return Name::Taken;
    }
    let taken = oracles(analysis);
    let is_free = |name: &String| taken.iter().all(|o| o.found.name != *name);
    let numbered = (2..).map(|n| format!("{base} {n}"));
    let name = std::iter::once(base.clone()).chain(numbered).find(is_free);
    Name::New(name.unwrap_or(base))
}

/// The method that switches on what a test checks of a body: the test itself, or where only its set-up or tear-down runs
/// the body, the first of these that does; then it is checked for all tests that this is for.
///
/// Of a superclass none: it is for tests of other classes, too.
pub(crate) fn carrier(analysis: &Analysis, test: MethodId, body: BodyId) -> Option<MethodId> {
    let (workspace, program) = (analysis.workspace(), analysis.program());
    let kind = |m: &MethodId| workspace.suite().kind(*m);
    let is_fixture = |m: &MethodId| matches!(kind(m), Some(TestKind::SetUp | TestKind::TearDown));
    let runs = |m: &MethodId| {
        let own = program.method_body(*m);
        own.is_some_and(|own| workspace.reached(&[own]).contains(body))
    };
    let in_all = || {
        workspace
            .called_by(&[workspace.own_run(test)])
            .contains(body)
    };
    if runs(&test) || !in_all() {
        return Some(test);
    }
    let class = program.method_owner(test);
    let around = std::iter::successors(Some(class), |t| program.enclosing_type(*t)).take(100);
    let mut methods = around.flat_map(|t| program.methods_of_type(t).iter().copied());
    methods.find(|m| is_fixture(m) && runs(m))
}

/// Where a test's oracle on a value of `target` is switched on: the method, and its calls that lead there, in bytes of its
/// file; none if only the method as a whole is known to, or nobody knows that it does: then somebody chose it.
fn switched(
    analysis: &Analysis,
    test: MethodId,
    target: BodyId,
) -> Result<(MethodId, Vec<Span>), Refusal> {
    let workspace = analysis.workspace();
    let program = analysis.program();
    let calls = |method: MethodId| {
        let own = program.method_body(method)?;
        let decl = program.body(own)?;
        let mut out = Vec::new();
        for site in &workspace.chains(own)?.calls {
            let targets = workspace.call_graph().targets(site);
            let bodies = targets.bodies();
            if bodies.contains(&target) || workspace.reached(bodies).contains(target) {
                let e = decl.body.exprs[site.expr.ix()];
                out.push(Span::new(decl.start + e.start, decl.start + e.end));
            }
        }
        Some(out)
    };
    let own = calls(test).ok_or(Refusal::NotFound)?;
    if !own.is_empty() {
        return Ok((test, own));
    }
    let carrier = carrier(analysis, test, target).ok_or(Refusal::RunsInSetUp)?;
    let calls = match carrier == test {
        true => own,
        false => calls(carrier).ok_or(Refusal::NotFound)?,
    };
    Ok((carrier, calls))
}
