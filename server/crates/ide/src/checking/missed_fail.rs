//! Tests that check something only where an exception is caught: without one they pass.

use super::oracles::type_name;
use super::unchecked::unchecked_but;
use super::{Behind, Checking, Unchecked};
use crate::code::without_comments;
use flow::{Body, CallId, ExprId, ExprKind, Literal, LocalId, VariableKind};
use oracle::frameworks::{Says, any, says};
use oracle::is_assertion;
use program::{FileId, MethodId};
use text::Span;

/// What ends a statement's way.
const JUMPS: &[&str] = &["return", "throw", "break", "continue", "yield"];

/// Of what `fail` throws.
const ERRORS: &[&str] = &["Throwable", "Error", "AssertionError"];

/// Where a test catches what it checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caught {
    /// The class of the exception, as it is written; empty if there are several.
    pub(crate) class: String,
    /// From `catch` to the end of its block.
    pub(crate) span: Span,
    /// The closing brace of its `try`, if that is reached and a `fail` there is not caught as well, in bytes of the file.
    pub(crate) end: Option<u32>,
}

/// The first `catch` of a test in which it asserts something of what was caught, if it checks nothing where nothing is
/// thrown, and is not content with that; `smoke` are names of tests that are.
pub(crate) fn missed_fail(
    checking: &Checking<'_>,
    smoke: &[String],
    file: FileId,
    test: MethodId,
) -> Option<Caught> {
    let program = checking.workspace.program();
    let decl = program.body(program.method_body(test)?)?;
    let body = &*decl.body;
    let caught = caught(body);
    let (local, span) = *caught
        .iter()
        .find(|(local, span)| asserts(body, *local, *span, &decl.assertions))?;
    let but: Vec<Span> = caught.iter().map(|c| c.1).collect();
    let how = unchecked_but(checking, smoke, file, test, Behind::All, &but)?;
    (how == Unchecked::Runs).then(|| Caught {
        class: type_name(&body.types[body.locals[local.ix()].ty.ix()]).to_owned(),
        span: Span {
            start: decl.start + span.start,
            end: decl.start + span.end,
        },
        end: end_of_try(text_of(checking, file, decl.start), &caught, span.start)
            .map(|at| decl.start + at),
    })
}

/// The text of a file from some place on.
fn text_of<'a>(checking: &Checking<'a>, file: FileId, from: u32) -> &'a str {
    let text = checking.workspace.program().text(file);
    text.and_then(|t| t.get(from as usize..)).unwrap_or("")
}

/// The closing brace of the `try` whose `catch` starts at a place; none where a comment stands between, where its last
/// statement goes elsewhere, or where what fails is caught.
fn end_of_try(text: &str, caught: &[(LocalId, Span)], mut catch: u32) -> Option<u32> {
    loop {
        let head = text.get(catch as usize..)?.split(')').next()?;
        let mut words = head.split(|c: char| !c.is_alphanumeric());
        if words.any(|word| ERRORS.contains(&word)) {
            return None;
        }
        let before = text.get(..catch as usize)?.trim_end();
        let end = before.len() as u32;
        match caught.iter().find(|(_, span)| span.end == end) {
            Some((_, other)) => catch = other.start,
            None => {
                let code = without_comments(before.strip_suffix('}')?);
                let last = code.trim_end().trim_end_matches(';');
                let statement = last.rsplit([';', '{', '}']).next()?.trim_start();
                let word = statement.split(|c: char| !c.is_alphanumeric()).next()?;
                return (!JUMPS.contains(&word)).then_some(end - 1);
            }
        }
    }
}

/// What a body itself catches, and in which part of it.
fn caught(body: &Body) -> Vec<(LocalId, Span)> {
    let locals = (0..body.locals.len() as u32).map(LocalId);
    let all = locals.filter(|l| body.locals[l.ix()].kind == VariableKind::Catch);
    let all = all.filter_map(|local| {
        let scope = body.scope_of(local)?;
        // What comes round again may end by what is caught alone.
        let is_around = |c: &&flow::Call| {
            let at = body.expr(c.expr).start;
            scope.head <= at && at < scope.end
        };
        let mut within = body.calls.iter().filter(is_around);
        if within.any(|c| body.loop_around(c.expr).is_some()) {
            return None;
        }
        let span = Span {
            start: scope.head,
            end: scope.end,
        };
        let is_around = |l: &flow::Lambda| {
            let lambda = body.expr(l.expr);
            lambda.start <= span.start && span.end <= lambda.end
        };
        (!body.lambdas.iter().any(is_around)).then_some((local, span))
    });
    all.collect()
}

/// True for an assertion by whose name nothing may be caught: it fails, or says that there is nothing.
fn denies(name: &str) -> bool {
    any(name, |row| row.fails) || matches!(says(name), Some(Says::Null | Says::False))
}

/// True if something is asserted of what was caught, other than that it should not have been.
fn asserts(body: &Body, local: LocalId, span: Span, assertions: &[u32]) -> bool {
    let within = |e: &flow::Expr, start: u32, end: u32| start <= e.start && e.end <= end;
    (0..body.calls.len() as u32).map(CallId).any(|c| {
        let at = body.expr(body.calls[c.ix()].expr);
        let (start, end) = (at.start, at.end);
        let mut inside = body.exprs.iter().filter(|e| within(e, start, end));
        let is_no = |e: &ExprId| {
            let kind = body.expr(*e).kind;
            matches!(kind, ExprKind::Literal(Literal::False | Literal::Null))
        };
        within(at, span.start, span.end)
            && is_assertion(body, c, assertions)
            && !denies(body.called(c))
            && !body.list(body.calls[c.ix()].args).iter().any(is_no)
            && inside.any(|e| e.kind == ExprKind::Local(local))
    })
}
