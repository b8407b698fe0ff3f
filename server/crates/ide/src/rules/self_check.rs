//! `self-check`: an assertion that cannot fail.
//!
//! It compares a value with itself, a constant with what it is, a new object with `null`, or a mock's answer with what the
//! test told it to answer. What calls something twice may well differ, and a test of `equals` may compare an object with
//! itself: of these nothing is said.

mod never_null;

use self::never_null::{DEEP, never_gives_null, only_makes};
use super::{Finding, Fix, Ground, Level, Rule};
use crate::checking::is_nothing_but;
use crate::code::comments_above;
use flow::{Body, CallId, Callee, ExprId, ExprKind, Literal, LocalId, Target, VariableKind};
use oracle::frameworks::{Says, any, assertion as said, link, matcher, says, takes_value};
use oracle::{Assertion, Reader, TestKind};
use program::{BodyId, CallTarget, FieldId, FileId, MethodId, NameTarget, Program, Ty, TypeId};
use smol_str::SmolStr;
use std::borrow::Cow;

pub(super) const RULE: Rule = Rule {
    name: "self-check",
    level: Level::Warning,
    title: "An assertion cannot fail.",
    check: Some(check),
};

/// Words in names of tests and classes that are about comparing.
const ABOUT_EQUALITY: &[&str] = &[
    "equal", "equiv", "hash", "compar", "reflexiv", "identi", "symmetr", "same", "contract",
    "order", "sort", "self",
];

/// Parts of an expression beyond which it is not followed.
const MAX_PARTS: usize = 200;

fn check(ground: &Ground<'_>, file: FileId) -> Vec<Finding> {
    if !ground.checking.has_tests_or_helpers(file) {
        return Vec::new();
    }
    let program = ground.analysis.program();
    // Java's own statement is everybody's.
    let has_tests = ground.checking.has_tests(file);
    let bodies = program.bodies_of_file(file).iter();
    bodies
        .flat_map(|body| in_body(ground, *body, has_tests))
        .collect()
}

fn in_body(ground: &Ground<'_>, id: BodyId, has_tests: bool) -> Vec<Finding> {
    let workspace = ground.analysis.workspace();
    let (Some(reader), Some(chains), Some(decl)) = (
        Reader::new(workspace.program(), id),
        workspace.chains(id),
        workspace.program().body(id),
    ) else {
        return Vec::new();
    };
    if chains.assertions.is_empty() {
        return Vec::new();
    }
    let read = Read {
        program: workspace.program(),
        about_equality: is_about_equality(workspace.program(), id) || compares(reader.body),
        body: reader.body,
        reader,
    };
    let method = method_around(workspace.program(), id);
    let file = workspace.program().body_file(id);
    let text = file.and_then(|f| workspace.program().text(f));
    let text = text.map_or("", |t| &**t);
    let found = chains.assertions.iter().filter_map(|a| {
        let why = (has_tests || a.call.is_some()).then(|| read.never_fails(a))??;
        let e = read.body.expr(a.expr);
        let last = a
            .chained
            .last()
            .map_or(a.expr, |c| read.body.calls[c.ix()].expr);
        let own = text::Span::new(e.start, read.body.expr(last).end);
        if matches!(why, Why::Given(_)) && !is_all_that_is_checked(ground, id, own) {
            return None;
        }
        let at = (decl.start + e.start) as usize;
        let above = text[comments_above(text, at)..at].to_lowercase();
        if matches!(why, Why::Itself(_)) && above.contains("equals") {
            return None;
        }
        let what = read.source(last).into_owned();
        let mut finding = Finding::new(
            &RULE,
            text::Span::new(decl.start + own.start, decl.start + own.end),
            format!("This assertion cannot fail: {}", why.words()),
            method,
            what.split_whitespace().collect::<Vec<_>>().join(""),
        );
        if matches!(why, Why::Given(_)) {
            finding.fainter = Some(Level::Hint);
        }
        if matches!(why, Why::Open(_)) && read.takes_boolean(a) {
            finding.fix = Some(Fix::True(finding.span.end));
        }
        Some(finding)
    });
    found.collect()
}

/// True for a method that only reads a field, whoever answers it.
pub(super) fn only_reads(program: &Program, method: MethodId) -> bool {
    if program.is_implicit(method) {
        let owner = program.type_decl(program.method_owner(method));
        return owner.is_some_and(|t| t.kind == program::TypeDeclKind::Record);
    }
    let answers = program.overriders(method);
    let reads = |m: &MethodId| {
        let body = program.method_body(*m).and_then(|b| program.body(b));
        body.is_some_and(|decl| {
            let plain = |e: &flow::Expr| {
                matches!(
                    e.kind,
                    ExprKind::Name(_)
                        | ExprKind::This
                        | ExprKind::Field { .. }
                        | ExprKind::Return(_)
                )
            };
            decl.body.returns.len() == 1 && decl.body.exprs.iter().all(plain)
        })
    };
    !answers.is_empty() && answers.iter().all(reads)
}

/// True if a test asserts nothing but what stands in a part of its body. There it only says that nothing was thrown, and beside
/// others it may be a first look.
fn is_all_that_is_checked(ground: &Ground<'_>, id: BodyId, part: text::Span) -> bool {
    let program = ground.analysis.program();
    let test = program.body_method(id);
    let is_test =
        |m: &MethodId| ground.analysis.workspace().suite().kind(*m) == Some(TestKind::Test);
    let (Some(test), Some(file)) = (test.filter(is_test), program.body_file(id)) else {
        return false;
    };
    is_nothing_but(&ground.checking, &ground.options.smoke, file, test, part)
}

/// The method whose code a body is, or in which its class stands.
fn method_around(program: &Program, id: BodyId) -> Option<MethodId> {
    let mut at = id;
    for _ in 0..100 {
        match program.body_method(at) {
            Some(m) if program.enclosing_body(program.method_owner(m)).is_none() => {
                return Some(m);
            }
            _ => at = program.enclosing_body(program.body_owner(at))?.0,
        }
    }
    None
}

/// True if the names around say that comparing itself is tested.
fn is_about_equality(program: &Program, id: BodyId) -> bool {
    let method = method_around(program, id).and_then(|m| program.method_decl(m));
    let class = program.type_name(program.body_owner(id));
    let class = class.rsplit('.').next().unwrap_or("");
    let says = |name: &str| {
        let name = name.to_lowercase();
        ABOUT_EQUALITY.iter().any(|w| name.contains(w))
    };
    says(class) || method.is_some_and(|m| says(&m.name))
}

/// True if a body asks for what comparing rests on, or compares with what must differ.
fn compares(body: &Body) -> bool {
    body.calls.iter().any(|c| {
        body.method_name(c).is_some_and(|name| {
            matches!(name.as_str(), "equals" | "hashCode" | "compareTo")
                || says(name) == Some(Says::NotEqual)
        })
    })
}

/// Why an assertion cannot fail.
enum Why {
    Itself(String),
    Constant(String),
    New,
    /// What gives it.
    Given(String),
    Told(String),
    /// The constant, and what stands where the tolerance does.
    Tolerance(String, String),
    /// What takes the value.
    Open(String),
}

impl Why {
    fn words(&self) -> String {
        match self {
            Why::Itself(what) => format!("it compares {what} with itself"),
            Why::Constant(what) => format!("{what} is what it is, whatever the code computes"),
            Why::New => "what was just made is never null".to_owned(),
            Why::Given(name) => {
                format!("{name} never gives null, and the test checks nothing else")
            }
            Why::Tolerance(what, tolerance) => format!(
                "{what} is compared with {what}; the third argument, {tolerance}, is only how far apart they may be"
            ),
            Why::Open(name) => {
                format!("nothing stands behind {name}(…) that says what it should be")
            }
            Why::Told(what) => format!("the test itself told its mock to answer {what}"),
        }
    }
}

struct Read<'a> {
    program: &'a Program,
    body: &'a Body,
    reader: Reader<'a>,
    about_equality: bool,
}

impl Read<'_> {
    fn never_fails(&self, assertion: &Assertion) -> Option<Why> {
        let Some(call) = assertion.call else {
            return self.is_always(assertion.expr, true);
        };
        // A project's own may mean anything.
        if matches!(
            self.reader.resolved.calls.get(call.ix()),
            Some(CallTarget::Workspace(_))
        ) {
            return None;
        }
        let args = self.args(call);
        let name = self.name(call)?;
        if takes_value(name) {
            if self.is_open(call, args, &assertion.chained) {
                return Some(Why::Open(name.to_owned()));
            }
            return match assertion.chained.is_empty() {
                true => self.hamcrest(args),
                false => self.fluent(*args.first()?, &assertion.chained),
            };
        }
        match said(name)? {
            Says::True => self.is_always(*self.only(call, args)?, true),
            Says::False => self.is_always(*self.only(call, args)?, false),
            Says::Null => self.is_null(*self.only(call, args)?),
            Says::NotNull => self.is_new(*self.only(call, args)?),
            says @ (Says::Equal | Says::Same | Says::Elements) => {
                let (a, b) = self.compared(call, args)?;
                let why = self.equal(a, b, says == Says::Same)?;
                match (why, args) {
                    (Why::Constant(what), [first, _, c])
                        if *first == a && self.calls(*c) && !self.is_text(*c) =>
                    {
                        let tolerance = self.source(*c);
                        let words: Vec<&str> = tolerance.split_whitespace().collect();
                        Some(Why::Tolerance(what, words.join(" ")))
                    }
                    (why, _) => Some(why),
                }
            }
            _ => None,
        }
    }

    /// `assertThat(x);`, `assertThat(x).as("it");`: of the value it takes nothing is said. Of a class that is not known here a
    /// method of that name may say it itself.
    fn is_open(&self, call: CallId, args: &[ExprId], chained: &[CallId]) -> bool {
        let says_nothing = |c: &CallId| {
            let name = self.name(*c);
            name.and_then(link) == Some(Says::Nothing)
        };
        let last = chained.last().copied().unwrap_or(call);
        args.len() == 1
            && self.reader.form(call).is_some()
            && self.body.calls[last.ix()].dropped
            && chained.iter().all(says_nothing)
    }

    /// `assertThat(a.equals(b))`
    fn takes_boolean(&self, assertion: &Assertion) -> bool {
        let first = assertion.call.and_then(|c| self.args(c).first());
        first.is_some_and(|e| self.reader.resolved.ty(*e) == Ty::BOOLEAN)
    }

    fn name(&self, call: CallId) -> Option<&str> {
        self.body
            .method_name(&self.body.calls[call.ix()])
            .map(|name| name.as_str())
    }

    fn args(&self, call: CallId) -> &[ExprId] {
        self.body.list(self.body.calls[call.ix()].args)
    }

    fn source(&self, e: ExprId) -> Cow<'_, str> {
        let e = self.body.expr(e);
        Cow::Borrowed(self.program.body_text(self.reader.id, e.start, e.end))
    }

    /// What a message stands before or behind.
    fn only<'e>(&self, call: CallId, args: &'e [ExprId]) -> Option<&'e ExprId> {
        match args {
            [one] => Some(one),
            [first, last] => Some(if self.is_message_last(call)? {
                first
            } else {
                last
            }),
            _ => None,
        }
    }

    /// True if messages stand last in the class that a call is of. None where that cannot be told.
    fn is_message_last(&self, call: CallId) -> Option<bool> {
        self.reader.form(call).map(|f| f.is_message_last)
    }

    /// The two that are compared.
    fn compared(&self, call: CallId, args: &[ExprId]) -> Option<(ExprId, ExprId)> {
        match *args {
            [a, b] => Some((a, b)),
            [a, b, ..] if self.is_message_last(call)? => Some((a, b)),
            [a, b, c] if self.reader.resolved.ty(c).is_numeric() && !self.is_text(a) => {
                Some((a, b))
            }
            [a, b, c] if self.is_text(a) => Some((b, c)),
            [_, b, c, _] => Some((b, c)),
            _ => None,
        }
    }

    fn is_text(&self, e: ExprId) -> bool {
        matches!(self.body.expr(e).kind, ExprKind::Literal(Literal::Str))
            || self
                .program
                .library_class_of(self.reader.resolved.ty(e))
                .is_some_and(|n| n == "java.lang.String")
    }

    /// `assertThat(x, is(x))`.
    fn hamcrest(&self, args: &[ExprId]) -> Option<Why> {
        let (actual, mut at) = match *args {
            [actual, says] | [_, actual, says] => (actual, says),
            _ => return None,
        };
        for _ in 0..4 {
            let ExprKind::Call(call) = self.body.expr(at).kind else {
                return None;
            };
            let args = self.args(call);
            match (matcher(self.name(call)?)?, args) {
                (Says::Is, [inner]) if self.is_matcher(*inner) => at = *inner,
                (Says::Is | Says::Equal, [expected]) => {
                    return self.equal(actual, *expected, false);
                }
                (Says::Same, [expected]) => return self.equal(actual, *expected, true),
                (Says::NotNull, []) => return self.is_new(actual),
                (Says::Null, []) => return self.is_null(actual),
                _ => return None,
            }
        }
        None
    }

    /// `equalTo(…)` within `is(…)`.
    fn is_matcher(&self, e: ExprId) -> bool {
        let ExprKind::Call(call) = self.body.expr(e).kind else {
            return false;
        };
        self.name(call).is_some_and(|name| matcher(name).is_some())
    }

    /// `assertThat(x).isEqualTo(x)`: all that is checked must be so.
    fn fluent(&self, actual: ExprId, chained: &[CallId]) -> Option<Why> {
        let mut why = None;
        for &call in chained {
            let args = self.args(call);
            let never = match (link(self.name(call)?)?, args) {
                (Says::Nothing, _) => continue,
                (Says::Equal, [expected]) => self.equal(actual, *expected, false),
                (Says::Same, [expected]) => self.equal(actual, *expected, true),
                (Says::True, []) => self.is_always(actual, true),
                (Says::False, []) => self.is_always(actual, false),
                (Says::NotNull, []) => self.is_new(actual),
                (Says::Null, []) => self.is_null(actual),
                _ => None,
            };
            why = Some(never?);
        }
        why
    }

    /// A comparison of two expressions that are the same, or of a mock's answer with what it was told.
    fn equal(&self, a: ExprId, b: ExprId, identity: bool) -> Option<Why> {
        let (left, right) = (self.source(a), self.source(b));
        if left == right && self.is_stable(a) {
            return match self.is_literal(a) {
                true => Some(Why::Constant(left.into_owned())),
                // What code gives twice may be meant to be one and the same.
                false if identity && self.calls(a) => None,
                false if self.about_equality && (!self.is_plain(a) || self.calls(a)) => None,
                // An object of the project's own may be there to be compared with itself.
                false if self.is_own_object(a) => None,
                false => Some(Why::Itself(left.into_owned())),
            };
        }
        if identity {
            return None;
        }
        self.told(a, b).or_else(|| self.told(b, a))
    }

    /// A variable of a class of the workspace.
    fn is_own_object(&self, e: ExprId) -> bool {
        let is_variable = matches!(
            self.body.expr(e).kind,
            ExprKind::Local(_) | ExprKind::Name(_)
        );
        let ty = self.reader.resolved.ty(e);
        is_variable && self.program.class_of(ty).is_some()
    }

    /// Nothing that it reads can change between two readings.
    fn is_stable(&self, e: ExprId) -> bool {
        let body = self.body;
        body.every_part(&[e], MAX_PARTS, |e, work| {
            match body.expr(e).kind {
                ExprKind::Literal(_)
                | ExprKind::Local(_)
                | ExprKind::Name(_)
                | ExprKind::Field { .. }
                | ExprKind::This
                | ExprKind::Index { .. }
                | ExprKind::Unary { .. }
                | ExprKind::Binary { .. }
                | ExprKind::Cast { .. }
                | ExprKind::ClassLiteral(_) => body.operands_of(e, work),
                ExprKind::Call(call) if self.is_accessor(call) => body.operands_of(e, work),
                _ => return false,
            }
            true
        })
    }

    /// True if a part of it is a call.
    fn calls(&self, e: ExprId) -> bool {
        !self.body.every_part(&[e], usize::MAX, |e, work| {
            self.body.operands_of(e, work);
            !matches!(self.body.expr(e).kind, ExprKind::Call(_))
        })
    }

    /// A getter of an object that only reads a field, whoever answers it.
    fn is_accessor(&self, call: CallId) -> bool {
        let Some(CallTarget::Workspace(method)) = self.reader.resolved.calls.get(call.ix()) else {
            return false;
        };
        let program = self.program;
        if self.body.calls[call.ix()].args.len > 0
            || program.method_has(*method, program::Modifiers::STATIC)
        {
            return false;
        }
        only_reads(program, *method)
    }

    fn is_literal(&self, e: ExprId) -> bool {
        match self.body.expr(e).kind {
            ExprKind::Literal(_) | ExprKind::ClassLiteral(_) => true,
            ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => {
                matches!(self.body.expr(operand).kind, ExprKind::Literal(_))
            }
            _ => false,
        }
    }

    /// Its `equals` is the language's or the JDK's.
    fn is_plain(&self, e: ExprId) -> bool {
        let ty = self.reader.resolved.ty(e);
        ty.is_numeric() || self.reader.is_immutable(ty)
    }

    /// A condition that is always so.
    fn is_always(&self, e: ExprId, value: bool) -> Option<Why> {
        let wanted = match value {
            true => Literal::True,
            false => Literal::False,
        };
        match self.body.expr(e).kind {
            ExprKind::Literal(l) if l == wanted => Some(Why::Constant(self.source(e).into_owned())),
            ExprKind::Binary { op, left, right } if value => {
                let same = self.source(left) == self.source(right) && self.is_stable(left);
                let holds = matches!(
                    op,
                    flow::BinaryOp::Eq | flow::BinaryOp::Le | flow::BinaryOp::Ge
                );
                // Of floating point this asks whether it is a number.
                let exact = !matches!(
                    self.program
                        .display_type(self.reader.resolved.ty(left))
                        .as_str(),
                    "float" | "double" | "java.lang.Float" | "java.lang.Double" | "?"
                );
                (same && holds && exact && !self.about_equality)
                    .then(|| Why::Itself(self.source(left).into_owned()))
            }
            _ => None,
        }
    }

    fn is_null(&self, e: ExprId) -> Option<Why> {
        let is = self.body.expr(e).kind == ExprKind::Literal(Literal::Null);
        is.then(|| Why::Constant("null".to_owned()))
    }

    /// What is never null: a new object, text, a literal, or a variable that holds only that.
    fn is_new(&self, e: ExprId) -> Option<Why> {
        match self.body.expr(e).kind {
            ExprKind::Literal(Literal::Null) => None,
            ExprKind::Literal(_) => Some(Why::Constant(self.source(e).into_owned())),
            ExprKind::Call(call) => match self.body.calls[call.ix()].callee {
                Callee::New { .. } => Some(Why::New),
                _ => self.is_given(call),
            },
            ExprKind::NewArray { .. } | ExprKind::This => Some(Why::New),
            ExprKind::Local(local) => {
                let value = self.only_value(local)?;
                match self.body.expr(value).kind {
                    ExprKind::Local(_) => None,
                    _ => self.is_new(value),
                }
            }
            _ => None,
        }
    }

    /// What code under test gives, if none of the methods that may answer gives null.
    fn is_given(&self, call: CallId) -> Option<Why> {
        let Some(CallTarget::Workspace(method)) = self.reader.resolved.calls.get(call.ix()) else {
            return None;
        };
        let on = self.body.calls[call.ix()].callee.on();
        let is_stood_in = on.is_some_and(|(on, _)| self.is_mock(on) || self.is_mocked(on));
        let is_tested = !self
            .program
            .is_test_type(self.program.method_owner(*method));
        let never = is_tested
            && !is_stood_in
            && !only_makes(self.program, *method)
            && never_gives_null(self.program, *method, DEEP);
        never.then(|| {
            let class = self.program.type_name(self.program.method_owner(*method));
            let class = class.rsplit(['.', '$']).next().unwrap_or(class);
            Why::Given(format!("{class}.{}", self.name(call).unwrap_or_default()))
        })
    }

    /// True if the test's classes have a mock of the class of an object.
    fn is_mocked(&self, e: ExprId) -> bool {
        let program = self.program;
        let class = program.class_of(self.reader.resolved.ty(e));
        let own = program.body_owner(self.reader.id);
        let around = std::iter::successors(Some(own), |c| program.enclosing_type(*c)).take(100);
        let above = |c: TypeId| std::iter::once(c).chain(program.supertypes(c).to_vec());
        let mut fields = around
            .flat_map(above)
            .flat_map(|c| program.fields_of_type(c));
        let is_mock_of_it = |f: &FieldId| {
            let is_mock = |a: &SmolStr| any(a, |row| row.mocked);
            let decl = program.field_decl(*f);
            decl.is_some_and(|d| d.annotations.iter().any(is_mock))
                && program.class_of(program.field_type(*f)) == class
        };
        class.is_none() || fields.any(is_mock_of_it)
    }

    /// What a local holds all its life.
    fn only_value(&self, local: LocalId) -> Option<ExprId> {
        let body = self.body;
        if body.locals[local.ix()].kind != VariableKind::Local {
            return None;
        }
        let mut defs = body
            .defs
            .iter()
            .filter(|d| d.target == Target::Local(local));
        match (defs.next(), defs.next()) {
            (Some(def), None) if !def.compound => match body.list(def.sources) {
                [value] => Some(*value),
                _ => None,
            },
            _ => None,
        }
    }

    /// `expected` is what a mock of this test was told to answer, and `actual` is that answer.
    fn told(&self, expected: ExprId, actual: ExprId) -> Option<Why> {
        let mut asked = actual;
        if let ExprKind::Local(local) = self.body.expr(asked).kind {
            asked = self.only_value(local)?;
        }
        let ExprKind::Call(call) = self.body.expr(asked).kind else {
            return None;
        };
        let (mock, _) = self.body.calls[call.ix()].callee.on()?;
        if !self.is_mock(mock) || !(self.is_stable(expected) || self.is_literal(expected)) {
            return None;
        }
        let question = self.source(asked);
        // What is answered, each time that the same question is stubbed.
        let mut answers = (0..self.body.calls.len()).filter_map(|at| {
            let stub = CallId(at as u32);
            let name = self.name(stub)?;
            if !any(name, |row| row.returns) {
                return None;
            }
            let (when, _) = self.body.calls[at].callee.on()?;
            let ExprKind::Call(when) = self.body.expr(when).kind else {
                return None;
            };
            let [about] = self.args(when) else {
                return None;
            };
            (any(self.name(when)?, |row| row.tells) && self.source(*about) == question).then(|| {
                match self.is_answered_again(stub) {
                    // `thenReturn(1).thenReturn(2)`: more than one answer.
                    true => &[],
                    false => self.args(stub),
                }
            })
        });
        let (answer, more) = (answers.next()?, answers.next());
        let is_told = matches!(answer, [told] if self.source(*told) == self.source(expected));
        (more.is_none() && is_told).then(|| Why::Told(self.source(expected).into_owned()))
    }

    /// True if another answer is chained to a stub's.
    fn is_answered_again(&self, stub: CallId) -> bool {
        let e = self.body.calls[stub.ix()].expr;
        let is_next = |c: &flow::Call| matches!(c.callee, Callee::Method { receiver, .. } if receiver == Some(e));
        self.body.calls.iter().any(is_next)
    }

    /// A local that is only ever a mock, or a field under `@Mock`.
    fn is_mock(&self, e: ExprId) -> bool {
        match self.body.expr(e).kind {
            ExprKind::Local(local) => self.only_value(local).is_some_and(|value| {
                matches!(self.body.expr(value).kind, ExprKind::Call(c) if self.name(c).is_some_and(|name| any(name, |row| row.mocks)))
            }),
            ExprKind::Name(_) | ExprKind::Field { .. } => match self.reader.resolved.name(e) {
                Some(NameTarget::Field(field)) => {
                    self.program.field_decl(field).is_some_and(|d| {
                        let is = |a: &str| any(a, |row| row.bare);
                        d.annotations.iter().any(|a| is(a.as_str()))
                    })
                }
                _ => false,
            },
            _ => false,
        }
    }
}
