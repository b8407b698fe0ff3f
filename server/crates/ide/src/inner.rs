//! Inner oracles: a value inside the code under test is checked for one test, by an edit of both files.

use crate::analysis::{Analysis, Place};
use crate::words::method_words;
use flow::{Callable, VariableKind};
use inner::{Definition, Found, GUARD, Switch};
pub use inner::{Refusal, Side, Turn};
use observe::assemble::Links as _;
use observe::chains::{Returned, Source};
use observe::workspace::Workspace;
use program::{BodyId, FileId, MethodId, Program};
use std::sync::Arc;
use syntax::SourceFile;
use text::{Edit, Span};

/// A candidate: a value that a body defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot {
    /// The body.
    pub body: BodyId,
    /// Its position among the body's candidates.
    pub candidate: u32,
}

/// What is checked of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// Nothing yet: the test fails and tells what the value was.
    Tell,
    /// It equals an expression.
    Equal(String),
    /// A floating-point number is as near to another as a third says.
    Near(String, String),
    /// A condition holds, which may use the variable.
    That(String),
    /// The place runs.
    Ran,
    /// The place does not run.
    Never,
}

/// A change of several files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceChange {
    /// What changes in files that are there, by position; disjoint.
    pub edits: Vec<(FileId, Vec<Edit>)>,
    /// Files that are made, by path from the root, with their text.
    pub made: Vec<(String, String)>,
    /// Files that go.
    pub gone: Vec<FileId>,
}

/// How a value of the code under test can be checked in a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Check {
    /// The test's own call gives it.
    Returned,
    /// By an inner oracle: it is a local variable of the code under test.
    Local,
    /// By an inner oracle: it is a parameter.
    Parameter,
    /// By an inner oracle: it is a field that no other class can read.
    HiddenField,
    /// By an inner oracle or through the field.
    Field,
    /// By an inner oracle: the test does not call what returns it.
    Within,
    /// By an inner oracle: nothing uses it behind its definition, so that nothing else can show that it is wrong.
    Unused,
}

impl Check {
    /// The stable name, for scripts.
    pub fn name(self) -> &'static str {
        match self {
            Check::Returned => "assertable",
            Check::Field => "assertable-field",
            Check::Local => "internal-local",
            Check::Parameter => "internal-parameter",
            Check::HiddenField => "internal-field",
            Check::Within => "internal-return",
            Check::Unused => "does-not-propagate",
        }
    }
}

/// How a value can be checked in a test.
pub fn check(workspace: &Workspace, test: MethodId, spot: Spot) -> Option<Check> {
    let program = workspace.program();
    let chains = workspace.chains(spot.body)?;
    let candidate = chains.candidates.get(spot.candidate as usize)?;
    let hidden = |f: program::FieldId| {
        let is_private = |m: program::Modifiers| m.has(program::Modifiers::PRIVATE);
        program
            .field_decl(f)
            .is_none_or(|d| is_private(d.modifiers))
            && !has_accessor(workspace, f)
    };
    Some(match candidate.kind {
        VariableKind::Return => {
            let own = program.method_body(test).and_then(|b| workspace.chains(b));
            let calls = own.map_or(&[][..], |c| &c.calls);
            let is_called = calls.iter().any(|site| {
                let bodies = workspace.dispatch(site.target, site.dispatches);
                site.gives_value && bodies.contains(&spot.body)
            });
            match is_called && candidate.callable == Callable::Member {
                true => Check::Returned,
                false => Check::Within,
            }
        }
        VariableKind::Field => match candidate.field {
            Some(f) if hidden(f) => Check::HiddenField,
            _ => Check::Field,
        },
        VariableKind::Parameter | VariableKind::LambdaParameter => Check::Parameter,
        _ if is_unused(program, spot.body, &candidate.variable) => Check::Unused,
        _ => Check::Local,
    })
}

/// True if a method that others can call does nothing but give a field.
fn has_accessor(workspace: &Workspace, field: program::FieldId) -> bool {
    let program = workspace.program();
    let methods = program.methods_of_type(program.field_owner(field)).iter();
    let mut open = methods.filter(|m| !program.method_has(**m, program::Modifiers::PRIVATE));
    open.any(|&m| {
        let chains = program.method_body(m).and_then(|b| workspace.chains(b));
        let gives = |r: &Returned| match r.used.source {
            Source::Field { field: own, .. } => own == field,
            _ => false,
        };
        workspace.accessed(m, true).contains(&field)
            || chains.is_some_and(|c| c.candidates.is_empty() && c.returns.iter().any(gives))
    })
}

/// True if a local occurs in its body only where it is defined.
fn is_unused(program: &Program, body: BodyId, name: &str) -> bool {
    let Some(decl) = program.body(body) else {
        return false;
    };
    let reads = decl.body.exprs.iter().any(|e| match e.kind {
        flow::ExprKind::Local(l) => decl.body.locals[l.ix()].name == name,
        _ => false,
    });
    // Compound assignments read it without saying so.
    let steps = decl.body.defs.iter().any(|d| d.compound);
    !reads && !steps
}

/// All values of the code under test that a test runs, in order of path and position.
pub fn candidates(analysis: &Analysis, test: MethodId) -> Vec<Spot> {
    let workspace = analysis.workspace();
    let program = analysis.program();
    let bodies = workspace.called_by(&[workspace.own_run(test)]);
    let mut out = Vec::new();
    for unit in workspace.units_of(&bodies) {
        let in_tests = program
            .body_file(unit.body)
            .is_none_or(|f| program.is_test(f));
        if !in_tests {
            let all = 0..unit.chains.candidates.len() as u32;
            out.extend(all.map(|candidate| Spot {
                body: unit.body,
                candidate,
            }));
        }
    }
    out
}

/// The candidate at a place.
pub fn spot_at(analysis: &Analysis, place: Place) -> Option<Spot> {
    let program = analysis.program();
    let bodies = program.bodies_of_file(place.file).iter();
    let mut found = bodies.filter_map(|&body| {
        let start = program.body(body)?.start;
        let chains = analysis.workspace().chains(body)?;
        let candidate = chains
            .candidates
            .iter()
            .position(|c| Span::new(start + c.start, start + c.end) == place.span)?;
        Some(Spot {
            body,
            candidate: candidate as u32,
        })
    });
    found.next()
}

/// The candidate that stands at a range: the innermost, of those the one defined first.
pub fn spot_around(analysis: &Analysis, file: FileId, range: Span) -> Option<Spot> {
    let program = analysis.program();
    let mut best: Option<(u32, Spot)> = None;
    for &body in program.bodies_of_file(file) {
        let (Some(decl), Some(chains)) = (program.body(body), analysis.workspace().chains(body))
        else {
            continue;
        };
        for (candidate, c) in chains.candidates.iter().enumerate() {
            let span = Span::new(decl.start + c.start, decl.start + c.end);
            if span.covers(range) && best.is_none_or(|(len, _)| span.len() < len) {
                let candidate = candidate as u32;
                best = Some((span.len(), Spot { body, candidate }));
            }
        }
    }
    best.map(|(_, spot)| spot)
}

/// What a candidate is called: `neg`, or `the value of compare`.
pub fn called(analysis: &Analysis, spot: Spot) -> String {
    let chains = analysis.workspace().chains(spot.body);
    let candidate = chains.and_then(|c| c.candidates.get(spot.candidate as usize));
    match candidate {
        Some(c) if c.kind != VariableKind::Return => c.variable.to_string(),
        _ => format!("the value of {}", method_of(analysis.program(), spot.body)),
    }
}

/// `compare`
fn method_of(program: &Program, body: BodyId) -> String {
    let method = method_words(&program.body_name(body).unwrap_or_default());
    method.rsplit('.').next().unwrap_or(&method).to_owned()
}

/// Where a candidate stands.
pub fn place_of(analysis: &Analysis, spot: Spot) -> Option<Place> {
    let program = analysis.program();
    let candidate = analysis.workspace().chains(spot.body)?;
    let candidate = candidate.candidates.get(spot.candidate as usize)?;
    let start = program.body(spot.body)?.start;
    Some(Place {
        file: program.body_file(spot.body)?,
        span: Span::new(start + candidate.start, start + candidate.end),
    })
}

/// How many tests one is asked to choose from.
const OFFERED: usize = 3;

/// How many tests of a class's own test class are looked at.
const LOOKED_AT: usize = 40;

/// Tests that run a body, at most three: those that call its method, those of its class's own test class first; where
/// none does, those of that test class that come to it by way of others.
pub fn tests_of(analysis: &Analysis, body: BodyId) -> Vec<MethodId> {
    let (workspace, program) = (analysis.workspace(), analysis.program());
    let class = outermost(program, program.body_owner(body));
    let class = program.type_decl(class).map_or("", |d| d.name.as_str());
    let is_own = |test: &MethodId| {
        let owner = outermost(program, program.method_owner(*test));
        let name = program.type_decl(owner).map_or("", |d| d.name.as_str());
        name.starts_with(class) || name.strip_prefix("Test").is_some_and(|n| n == class)
    };
    let mut out = match program.body_method(body) {
        Some(method) => analysis.tests_calling(method),
        None => Vec::new(),
    };
    out.sort_by_key(|t| !is_own(t));
    if out.is_empty() {
        let own = workspace.suite().tests().iter().filter(|t| is_own(t));
        let runs = |t: &&MethodId| {
            let bodies = workspace.called_by(&[workspace.own_run(**t)]);
            bodies.contains(body)
        };
        out.extend(own.take(LOOKED_AT).filter(runs).take(OFFERED));
    }
    out.truncate(OFFERED);
    out
}

fn outermost(program: &Program, class: program::TypeId) -> program::TypeId {
    let around = std::iter::successors(Some(class), |t| program.enclosing_type(*t));
    around.take(100).last().unwrap_or(class)
}

/// True for what code computes; false for what it only passes on, as a setter does, which says nothing of the code.
pub fn is_computed(analysis: &Analysis, spot: Spot) -> bool {
    let chains = analysis.workspace().chains(spot.body);
    let uses = chains.map_or(&[][..], |c| &c.chains);
    let mut own = uses.iter().filter(|c| c.from == spot.candidate).peekable();
    own.peek().is_none() || own.any(|c| !c.used.copy)
}

/// True if a value has a place where it can be checked; says nothing of the test.
pub fn has_place(analysis: &Analysis, spot: Spot) -> bool {
    let program = analysis.program();
    let file = program.body_file(spot.body);
    let source = file.and_then(|f| parsed(program, f).ok());
    source.is_some_and(|s| !is_generated(s.text()) && placed(analysis, spot, &s).is_ok())
}

fn placed(analysis: &Analysis, spot: Spot, source: &SourceFile) -> Result<inner::Place, Refusal> {
    let own = analysis.program().body(spot.body);
    let own = own.ok_or(Refusal::NotFound)?;
    let chains = analysis.workspace().chains(spot.body);
    let candidate = chains
        .and_then(|c| c.candidates.get(spot.candidate as usize))
        .ok_or(Refusal::NotFound)?;
    let definition = Definition {
        span: Span::new(own.start + candidate.start, own.start + candidate.end),
        variable: candidate.variable.to_string(),
        kind: candidate.kind,
    };
    inner::place(source, &definition)
}

/// The change that checks a value in a test.
///
/// # Errors
/// A [`Refusal`] says why there is none.
pub fn insertion(
    analysis: &Analysis,
    test: MethodId,
    spot: Spot,
    what: &What,
    turn: Option<Turn>,
) -> Result<SourceChange, Refusal> {
    let program = analysis.program();
    let code = program.body_file(spot.body).ok_or(Refusal::NotFound)?;
    let test_file = program.method_file(test).ok_or(Refusal::NotFound)?;
    if program.is_test(code) {
        return Err(Refusal::TestCode);
    }
    let (source, test_source) = (parsed(program, code)?, parsed(program, test_file)?);
    if is_generated(source.text()) {
        return Err(Refusal::Generated);
    }
    let made = class_file(program, code)?;
    let class = class_seen_from(program, code, test_file);
    let place = placed(analysis, spot, &source)?;
    let name = match name(analysis, test, spot, &source, &place) {
        Name::New(name) => name,
        Name::Taken => return Err(Refusal::CheckedAlready),
    };
    let id = inner::literal(&name);
    if matches!(what, What::That(_) | What::Ran | What::Never) && !place.takes_statements() {
        return Err(Refusal::NoStatement);
    }
    let call = |value: &str| match what {
        What::Tell => format!("{GUARD}.tell({id}, {value})"),
        What::Equal(e) => format!("{GUARD}.equal({id}, {e}, {value})"),
        What::Near(e, t) => format!("{GUARD}.equal({id}, {e}, {value}, {t})"),
        What::That(c) => {
            format!("if ({GUARD}.isOn({id})) {GUARD}.that({id}, {c}, {value})")
        }
        What::Ran => format!("{GUARD}.ran({id})"),
        What::Never => format!("{GUARD}.never({id})"),
    };
    let in_code = place.edits(&source, &call);
    let decl = program.method_decl(test).ok_or(Refusal::NotFound)?;
    let calls = calls(analysis, test, spot.body)?;
    let switch = Switch {
        turn: match what {
            What::Never => Turn::Never,
            What::Ran => Turn::Every,
            // A value that is defined turn by turn is another in each.
            _ if place.in_loop => turn.unwrap_or(Turn::Last),
            _ => turn.unwrap_or_default(),
        },
        ..Switch::new(&name, &class)
    };
    let in_test = inner::switch_on_with(&test_source, decl.span, &calls, &switch)?;
    Ok(SourceChange {
        edits: vec![(code, in_code), (test_file, joined(in_test))],
        made: made.into_iter().collect(),
        gone: Vec::new(),
    })
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

fn name(
    analysis: &Analysis,
    test: MethodId,
    spot: Spot,
    source: &SourceFile,
    place: &inner::Place,
) -> Name {
    let program = analysis.program();
    let chains = analysis.workspace().chains(spot.body);
    let candidate = chains.and_then(|c| c.candidates.get(spot.candidate as usize));
    let what = match candidate {
        Some(c) if c.kind != VariableKind::Return => c.variable.to_string(),
        _ => format!("{}()", method_of(program, spot.body)),
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

/// The calls of a test that lead to a body, in bytes of its file; none if only the test as a whole is known to.
fn calls(analysis: &Analysis, test: MethodId, target: BodyId) -> Result<Vec<Span>, Refusal> {
    let workspace = analysis.workspace();
    let program = analysis.program();
    let own = program.method_body(test).ok_or(Refusal::NotFound)?;
    let start = program.body(own).ok_or(Refusal::NotFound)?.start;
    let body = &program.body(own).ok_or(Refusal::NotFound)?.body;
    let chains = workspace.chains(own).ok_or(Refusal::NotFound)?;
    let mut out = Vec::new();
    for site in &chains.calls {
        let bodies = workspace.dispatch(site.target, site.dispatches);
        let leads = bodies.contains(&target) || workspace.reached(&bodies).contains(target);
        if leads {
            let e = body.exprs[site.expr.ix()];
            out.push(Span::new(start + e.start, start + e.end));
        }
    }
    match out.is_empty() && !workspace.reached(&[own]).contains(target) {
        true => Err(Refusal::RunsInSetUp),
        false => Ok(out),
    }
}

/// An inner oracle, or one side of one, somewhere in the workspace.
#[derive(Clone, Debug)]
pub struct Oracle {
    /// The file.
    pub file: FileId,
    /// What stands there.
    pub found: Found,
}

/// All inner oracles of the workspace, in order of path and position.
pub fn oracles(analysis: &Analysis) -> Vec<Oracle> {
    let program = analysis.program();
    let mut out = Vec::new();
    for &file in program.files() {
        if stands_in(program, file)
            && let Some(text) = program.text(file)
        {
            let source = SourceFile::parse(Arc::clone(text));
            let found = inner::found(&source).into_iter();
            out.extend(found.map(|found| Oracle { file, found }));
        }
    }
    out
}

/// The inner oracles at a range of a file, each with the place of its other side: the smallest around the range.
pub(crate) fn oracles_at(
    analysis: &Analysis,
    file: FileId,
    range: Span,
) -> Vec<(Found, Option<Place>)> {
    let program = analysis.program();
    if !stands_in(program, file) {
        return Vec::new();
    }
    let all = oracles(analysis);
    let own = all.iter().filter(|o| o.file == file);
    let here = own.filter(|o| o.found.span.covers(range));
    here.map(|o| {
        let is_other =
            |other: &&Oracle| other.found.name == o.found.name && other.found.side != o.found.side;
        let other = all.iter().find(is_other).map(|other| Place {
            file: other.file,
            span: other.found.span,
        });
        (o.found.clone(), other)
    })
    .collect()
}

/// The change that removes the oracles of some names: both sides, and the class that nothing needs any more.
pub fn removal(analysis: &Analysis, names: &[String]) -> SourceChange {
    let program = analysis.program();
    let all = oracles(analysis);
    let goes = |o: &&Oracle| names.contains(&o.found.name);
    let mut out = SourceChange::default();
    let mut files: Vec<FileId> = all.iter().filter(goes).map(|o| o.file).collect();
    files.dedup();
    for file in files {
        let Some(text) = program.text(file) else {
            continue;
        };
        let mut edits = Vec::new();
        // One after the other: what one leaves is where the next stands.
        let mut source = SourceFile::parse(Arc::clone(text));
        loop {
            let next = inner::found(&source)
                .into_iter()
                .rfind(|f| names.contains(&f.name));
            let Some(next) = next else { break };
            let out = match next.side {
                Side::Code => inner::taken_out(&source, &next),
                Side::Test => inner::switch_off(&source, &next.name).unwrap_or_default(),
            };
            let Some(text) = text::apply_disjoint(source.text(), &out).filter(|_| !out.is_empty())
            else {
                break;
            };
            source = SourceFile::parse(Arc::from(text));
        }
        edits.extend(difference(text, source.text()));
        if !edits.is_empty() {
            out.edits.push((file, edits));
        }
    }
    for &file in program.files().iter().filter(|f| is_ours(program, **f)) {
        let set = program.source_set(file);
        let package = package_of(program, file);
        let needs = |o: &&Oracle| {
            o.found.side == Side::Code
                && program.source_set(o.file) == set
                && package_of(program, o.file) == package
        };
        let mut own = all.iter().filter(needs).peekable();
        if own.peek().is_some() && own.all(|o| goes(&o)) {
            out.gone.push(file);
        }
    }
    out
}

/// One edit that makes one text of another: of what differs, the part between what both begin and end with.
fn difference(was: &str, is: &str) -> Option<Edit> {
    if was == is {
        return None;
    }
    let same = |a: &mut dyn Iterator<Item = (char, char)>| -> usize {
        a.take_while(|(a, b)| a == b)
            .map(|(a, _)| a.len_utf8())
            .sum()
    };
    let head = same(&mut was.chars().zip(is.chars()));
    let tail = same(&mut was[head..].chars().rev().zip(is[head..].chars().rev()));
    let span = Span::new(head as u32, (was.len() - tail) as u32);
    Some(Edit::new(span, &is[head..is.len() - tail]))
}

fn package_of(program: &Program, file: FileId) -> &str {
    program.summary(file).map_or("", |s| s.package.as_str())
}

/// The class that is written beside the code under test; none if it is there.
fn class_file(program: &Program, code: FileId) -> Result<Option<(String, String)>, Refusal> {
    let path = program.path(code).ok_or(Refusal::NotFound)?;
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let own = match folder {
        "" => format!("{GUARD}.java"),
        _ => format!("{folder}/{GUARD}.java"),
    };
    match program.file(&own) {
        Some(file) if is_ours(program, file) => Ok(None),
        Some(_) => Err(Refusal::NameTaken),
        None => Ok(Some((own, inner::guard_class(package_of(program, code))))),
    }
}

/// How a test names the class that stands beside the code under test.
fn class_seen_from(program: &Program, code: FileId, test: FileId) -> String {
    let package = package_of(program, code);
    match package == package_of(program, test) {
        true => GUARD.to_owned(),
        false => format!("{package}.{GUARD}"),
    }
}

/// True for a file that may have inner oracles.
pub(crate) fn stands_in(program: &Program, file: FileId) -> bool {
    let text = program.text(file);
    text.is_some_and(|t| t.contains(GUARD)) && !is_ours(program, file)
}

/// True for a class that we wrote.
fn is_ours(program: &Program, file: FileId) -> bool {
    let path = program.path(file).map_or("", |p| &**p);
    let name = path.rsplit('/').next().unwrap_or(path);
    let text = program.text(file).map_or("", |t| &**t);
    inner::is_guard_class(name.strip_suffix(".java").unwrap_or(name), text)
}

/// True for code that a tool writes anew: what is inserted would be lost.
fn is_generated(text: &str) -> bool {
    let head: String = text.lines().take(60).collect::<Vec<_>>().join("\n");
    // `@GeneratedValue` is of a column in a database.
    let is_whole = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let mut marks = head.split("@Generated").skip(1);
    marks.any(is_whole)
        || head.contains("annotation.Generated(")
        || head.to_lowercase().contains("do not edit")
}

fn parsed(program: &Program, file: FileId) -> Result<SourceFile, Refusal> {
    let text = program.text(file).ok_or(Refusal::NotFound)?;
    let source = SourceFile::parse(Arc::clone(text));
    match source.has_errors() {
        true => Err(Refusal::SyntaxError),
        false => Ok(source),
    }
}
