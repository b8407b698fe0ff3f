//! `rotten-assertion`: an assertion that does not run where its test passes.
//!
//! `@Test(expected = CartException.class) void t() { cart.add(null); verify(log, never()).added(any()); }` passes only if what
//! stands before `verify` throws. So-called rotten green tests (Delplanque et al. 2019): an assertion is there, and nothing
//! is asserted.

use super::self_check::only_reads;
use super::{Finding, Ground, Level, Rule};
use crate::checking::is_disabled;
use crate::code::without_comments;
use crate::words::cut;
use flow::{Body, CallId, Callee, ExprId, ExprKind};
use oracle::frameworks::{any, matcher};
use oracle::promises::{must_not_throw, must_throw};
use oracle::{Reader, TestKind, is_assertion};
use program::{BodyId, CallTarget, FileId, Program};
use text::Span;

pub(super) const RULE: Rule = Rule {
    name: "rotten-assertion",
    level: Level::Warning,
    title: "An assertion does not run where its test passes.",
    check: Some(check),
};

/// Parts of the names of what an assertion itself throws.
const OF_ASSERTIONS: &[&str] = &[
    "Error",
    "Throwable",
    "Failure",
    "Assert",
    "Mock",
    "Invo",
    "Wanted",
    "Verif",
    "Comparison",
];

/// What leads elsewhere where something is thrown.
const CATCHES: &[&str] = &["try", "catch", "finally"];

/// Calls of the JDK that put together what is expected.
const MAKES: &[&str] = &[
    "of",
    "asList",
    "emptyList",
    "emptyMap",
    "emptySet",
    "singletonList",
    "singleton",
];

/// Calls of libraries that only read.
const READS: &[&str] = &[
    "size",
    "length",
    "isEmpty",
    "isPresent",
    "getMessage",
    "toString",
];

fn check(ground: &Ground<'_>, file: FileId) -> Vec<Finding> {
    if !ground.checking.has_tests_or_helpers(file) {
        return Vec::new();
    }
    let program = ground.analysis.program();
    let bodies = program.bodies_of_file(file).iter();
    bodies.flat_map(|id| in_body(ground, file, *id)).collect()
}

/// A part of a body behind which something must be thrown.
struct Part {
    /// The lambda that it is, if it is not the body itself.
    lambda: Option<usize>,
    /// Where it begins.
    from: ExprId,
    /// What passes only then.
    who: String,
    /// What is thrown, as it is written; empty where that is not said.
    class: String,
}

fn in_body(ground: &Ground<'_>, file: FileId, id: BodyId) -> Vec<Finding> {
    let program = ground.analysis.program();
    let (Some(reader), Some(decl)) = (Reader::new(program, id), program.body(id)) else {
        return Vec::new();
    };
    let method = program.body_method(id);
    let suite = ground.analysis.workspace().suite();
    let is_test = method.is_some_and(|m| suite.kind(m) == Some(TestKind::Test));
    let read = Read {
        program,
        reader,
        body: reader.body,
        assertions: &decl.assertions,
    };
    let parts = read.parts(is_test);
    if parts.is_empty() || method.is_some_and(|m| is_disabled(program, file, m)) {
        return Vec::new();
    }
    let found = parts.into_iter().filter_map(|part| {
        let calls = read.rotten(&part)?;
        let first = read.statement(*calls.first()?);
        let more = match calls.len() - 1 {
            0 => String::new(),
            1 => " (nor does the next)".to_owned(),
            n => format!(" (nor do the next {n})"),
        };
        let what = match part.class.as_str() {
            "" => "something",
            class => &format!("{} {class}", article(class)),
        };
        let source = program.body_text(id, first.start, first.end);
        let words = source.split_whitespace().collect::<Vec<_>>();
        let message = format!(
            "{} never runs{more}: {} passes only if {what} is thrown before it",
            cut(words.join(" ")),
            part.who
        );
        let mut finding = Finding::new(
            &RULE,
            Span::new(decl.start + first.start, decl.start + first.end),
            message,
            method,
            words.join(""),
        );
        // What was asserted of a value before it had to throw is mostly a rest.
        if !calls.iter().any(|c| read.asks(*c)) {
            finding.fainter = Some(Level::Info);
        }
        Some(finding)
    });
    found.collect()
}

fn article(class: &str) -> &'static str {
    match class.starts_with(['A', 'E', 'I', 'O', 'U']) {
        true => "an",
        false => "a",
    }
}

struct Read<'a> {
    program: &'a Program,
    reader: Reader<'a>,
    body: &'a Body,
    assertions: &'a [u32],
}

impl Read<'_> {
    fn parts(&self, is_test: bool) -> Vec<Part> {
        let mut out = Vec::new();
        if is_test && let Some(from) = self.reader.throws_behind() {
            let class = self.reader.told_to_throw();
            // What a rule is told stands up to there.
            let class = match &class {
                Some(class) => class,
                None => self.class_in(|e| e <= from).unwrap_or(""),
            };
            out.push(Part {
                lambda: None,
                from,
                who: "the test".to_owned(),
                class: simple(class).to_owned(),
            });
        }
        for (c, call) in self.body.calls.iter().enumerate() {
            let call_id = CallId(c as u32);
            let name = self.body.called(call_id);
            if !must_throw(name) {
                continue;
            }
            let mut chain = self.chain(call_id).into_iter();
            if chain.any(|c| must_not_throw(self.body.called(c))) {
                continue;
            }
            // An assertion within throws, too: the class has to say that this is not meant.
            let args = self.body.list(call.args);
            let behind = self.chained_to(call.expr);
            let is_told = |e: ExprId| args.contains(&e) || behind.contains(&e);
            let Some(class) = self.class_in(is_told) else {
                continue;
            };
            let lambdas = self.body.lambdas.iter().enumerate();
            let given = lambdas.filter(|(_, l)| l.value.is_none() && args.contains(&l.expr));
            out.extend(given.map(|(at, l)| Part {
                lambda: Some(at),
                from: l.first,
                who: name.to_owned(),
                class: simple(class).to_owned(),
            }));
        }
        out.retain(|part| !OF_ASSERTIONS.iter().any(|of| part.class.contains(of)));
        out
    }

    /// The first class that is named among some expressions.
    fn class_in(&self, among: impl Fn(ExprId) -> bool) -> Option<&str> {
        let all = (0..self.body.exprs.len() as u32).map(ExprId);
        let is_class = |e: &ExprId| matches!(self.body.expr(*e).kind, ExprKind::ClassLiteral(_));
        let mut classes = all.filter(is_class).filter(|e| among(*e));
        classes.next().map(|e| self.source(e))
    }

    /// The arguments of the calls that are chained to one, and of those that it is chained to.
    fn chained_to(&self, call: ExprId) -> Vec<ExprId> {
        let body = self.body;
        let all = (0..body.calls.len() as u32).map(CallId);
        let of_chain = all.filter(|c| {
            let mut chain = self.chain(*c).into_iter();
            chain.any(|c| body.calls[c.ix()].expr == call)
        });
        let before = body.calls.iter().position(|c| c.expr == call);
        let before = before.map(|c| self.chain(CallId(c as u32)));
        let chain = of_chain.chain(before.unwrap_or_default());
        chain
            .flat_map(|c| body.list(body.calls[c.ix()].args).to_vec())
            .collect()
    }

    /// The statements at the end of a part that only assert, and that nothing runs in a test that passes.
    fn rotten(&self, part: &Part) -> Option<Vec<CallId>> {
        let body = self.body;
        let end = match part.lambda {
            Some(at) => body.lambdas[at].expr,
            None => ExprId(body.exprs.len() as u32),
        };
        let own = |e: ExprId| part.from <= e && e < end && self.lambda_around(e) == part.lambda;
        let all = (0..body.calls.len() as u32).map(CallId);
        let all = all.filter(|c| own(body.calls[c.ix()].expr));
        let mut statements: Vec<CallId> = all.filter(|c| body.calls[c.ix()].dropped).collect();
        statements.sort_by_key(|c| self.statement(*c).start);
        let asserting = statements.iter().rev().take_while(|c| self.asserts(**c));
        let mut rotten: Vec<CallId> = asserting.copied().collect();
        rotten.reverse();
        let first = self.statement(*rotten.first()?);
        let whole = match part.lambda {
            Some(at) => self.span(body.lambdas[at].expr),
            None => Span::new(0, body.exprs.iter().map(|e| e.end).max().unwrap_or(0)),
        };
        let text = without_comments(
            self.program
                .body_text(self.reader.id, whole.start, whole.end),
        );
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        let is_caught = words.any(|word| CATCHES.contains(&word));
        let is_within = |at: u32| {
            let mut spans = rotten.iter().map(|c| self.statement(*c));
            spans.any(|s| s.start <= at && at < s.end)
        };
        // Something else may throw behind it.
        let goes_on = body.exprs.iter().enumerate().any(|(at, e)| {
            let acts = matches!(e.kind, ExprKind::Call(_) | ExprKind::Throw { .. });
            let at = ExprId(at as u32);
            acts && part.from <= at && at < end && e.start >= first.start && !is_within(e.start)
        });
        let is_looped = rotten
            .iter()
            .any(|c| body.loop_around(body.calls[c.ix()].expr).is_some());
        let acts = (0..body.calls.len() as u32).map(CallId).any(|c| {
            let call = &body.calls[c.ix()];
            own(call.expr) && self.span(call.expr).end <= first.start && self.acts(c)
        });
        (acts && !is_caught && !goes_on && !is_looped).then_some(rotten)
    }

    /// The innermost lambda around an expression.
    fn lambda_around(&self, e: ExprId) -> Option<usize> {
        let lambdas = self.body.lambdas.iter().enumerate();
        let around = lambdas.filter(|(_, l)| l.first <= e && e < l.expr);
        around
            .min_by_key(|(_, l)| l.expr.0 - l.first.0)
            .map(|(at, _)| at)
    }

    fn span(&self, e: ExprId) -> Span {
        let e = self.body.expr(e);
        Span::new(e.start, e.end)
    }

    fn source(&self, e: ExprId) -> &str {
        let span = self.span(e);
        self.program.body_text(self.reader.id, span.start, span.end)
    }

    fn statement(&self, call: CallId) -> Span {
        self.span(self.body.calls[call.ix()].expr)
    }

    /// The calls of a chain, the last first.
    fn chain(&self, call: CallId) -> Vec<CallId> {
        let mut out = vec![call];
        let mut at = call;
        while let Some((on, _)) = self.body.calls[at.ix()].callee.on()
            && let ExprKind::Call(next) = self.body.expr(on).kind
        {
            out.push(next);
            at = next;
        }
        out
    }

    /// True for a statement that asks how a mock was used.
    fn asks(&self, statement: CallId) -> bool {
        let chain = self.chain(statement);
        let named = |c: &CallId| self.body.called(*c);
        chain.iter().any(|c| any(named(c), |row| row.asks))
            || matches!(chain[..], [only] if any(named(&only), |row| row.verifies))
    }

    /// True for a statement that asserts something and does nothing else: what it reads cannot throw.
    fn asserts(&self, statement: CallId) -> bool {
        let chain = self.chain(statement);
        let named = |c: &CallId| self.body.called(*c);
        // Of the project's own nobody knows what it does.
        let is_own = |c: &CallId| {
            let target = self.reader.resolved.calls.get(c.ix());
            matches!(target, Some(CallTarget::Workspace(_)))
        };
        let Some(begins) = chain.last() else {
            return false;
        };
        if is_own(begins) || chain.iter().any(|c| any(named(c), |row| row.fails)) {
            return false;
        }
        if self.asks(statement) {
            return true;
        }
        let calls = chain
            .iter()
            .any(|c| is_assertion(self.body, *c, self.assertions));
        let args = || {
            chain
                .iter()
                .flat_map(|c| self.body.list(self.body.calls[c.ix()].args))
        };
        let is_constant = |e: &ExprId| matches!(self.body.expr(*e).kind, ExprKind::Literal(_));
        let span = self.statement(statement);
        let mut within = (0..self.body.calls.len() as u32).map(CallId).filter(|c| {
            let at = self.statement(*c);
            span.start <= at.start && at.end <= span.end && !chain.contains(c)
        });
        // `assertTrue(false)` says that nobody comes here; what must throw is no assertion of something.
        calls
            && !chain.iter().any(|c| must_throw(named(c)))
            && args().any(|e| !is_constant(e))
            && within.all(|c| self.only_reads(c))
    }

    /// True for a call that gives something and throws nothing.
    fn only_reads(&self, call: CallId) -> bool {
        let name = self.body.called(call);
        match self.reader.resolved.calls.get(call.ix()) {
            Some(CallTarget::Workspace(method)) => only_reads(self.program, *method),
            _ => match self.body.calls[call.ix()].callee {
                Callee::New { .. } => false,
                _ => READS.contains(&name) || MAKES.contains(&name) || matcher(name).is_some(),
            },
        }
    }

    /// True for a call that may be what throws: none that speaks with mocks or asserts.
    fn acts(&self, call: CallId) -> bool {
        let name = self.body.called(call);
        let is_new = matches!(self.body.calls[call.ix()].callee, Callee::New { .. });
        let is_mocking = any(name, |row| row.tells)
            || any(name, |row| row.asks)
            || any(name, |row| row.returns)
            || any(name, |row| row.throwing)
            || any(name, |row| row.makes_bare);
        is_new || !name.is_empty() && !is_mocking && !is_assertion(self.body, call, self.assertions)
    }
}

/// `CartException` of `shop.CartException.class`.
fn simple(class: &str) -> &str {
    let class = class.strip_suffix(".class").unwrap_or(class);
    let name = class.rsplit('.').next().unwrap_or(class);
    match name
        .chars()
        .all(|c| c.is_alphanumeric() || c == '_' || c == '$')
    {
        true => name,
        false => "",
    }
}
