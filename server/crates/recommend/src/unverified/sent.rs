//! What a test hands to the methods that it calls, or that answer its requests, and these hand on.

use crate::observation_points::in_lambda;
use crate::web::{ExpectedAnswer, expected_answer};
use calls::Workspace;
use flow::{Body, ExprId, ExprKind, Target};
use oracle::TestRun;
use program::{BodyId, Program, ResolvedBody, Ty, TypeId};

/// The bodies of the methods that answer the requests of a test of `class`. `code`: the bodies of its code.
pub(super) fn answering(workspace: &Workspace, class: TypeId, code: &[BodyId]) -> Vec<BodyId> {
    let program = workspace.program();
    let mut out = Vec::new();
    for &id in code {
        let sent = workspace.chains(id).map(|c| &c.sent[..]);
        for sent in sent.unwrap_or_default() {
            let handler = workspace.answer(class, id, sent.call);
            let handler = handler
                .and_then(Result::ok)
                .map(|h| (h.controller, h.method));
            let handler = handler.filter(|h| {
                expected_answer(workspace, id, sent.call, *h) != ExpectedAnswer::Refused
            });
            out.extend(handler.and_then(|(_, m)| program.method_body(m)));
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// The bodies of the methods that surely answer a request of a test, and one only: its own body sends it whatever its branches do
/// and expects that all goes well. `code`: the bodies of its code.
pub(super) fn surely_answering(
    workspace: &Workspace,
    run: TestRun,
    code: &[BodyId],
) -> Vec<BodyId> {
    let program = workspace.program();
    let own = program.method_body(run.test);
    let mut sure = Vec::new();
    let mut all = Vec::new();
    for &id in code {
        let (Some(decl), Some(chains)) = (program.body(id), workspace.chains(id)) else {
            continue;
        };
        let body = &*decl.body;
        for sent in &chains.sent {
            let handler = workspace.answer(run.class, id, sent.call);
            let Some(Ok(handler)) = handler else {
                continue;
            };
            let Some(answers) = program.method_body(handler.method) else {
                continue;
            };
            let is_sure = own == Some(id)
                && sent.entry >= 1.0 - 1e-9
                && !in_lambda(body, sent.expr)
                && body.loop_around(sent.expr).is_none()
                && expected_answer(
                    workspace,
                    id,
                    sent.call,
                    (handler.controller, handler.method),
                ) == ExpectedAnswer::Success;
            all.push(answers);
            if is_sure {
                sure.push(answers);
            }
        }
    }
    sure.retain(|body| all.iter().filter(|b| *b == body).count() == 1);
    sure
}

/// True for a parameter of a method that answers requests which the framework reads from these: a value, or an object of the
/// project's own. What it only lends (`Model`, `Principal`) is none.
pub(super) fn is_read_from_request(
    program: &Program,
    body: &Body,
    resolved: &ResolvedBody,
    e: ExprId,
) -> bool {
    let of = parameter(body, e).map(|at| body.params[at]);
    of.is_some_and(|of| is_of_project(program, resolved.locals[of.ix()]))
        && is_of_project(program, resolved.ty(e))
}

/// True for a parameter that a test's own body gives a value or an object of the project's own, in the one call that it has of
/// this method.
pub(super) fn is_given_by_test(
    workspace: &Workspace,
    test: BodyId,
    method: BodyId,
    e: ExprId,
    is_mocked: &dyn Fn(TypeId) -> bool,
) -> bool {
    let program = workspace.program();
    let (Some(decl), Some(resolved)) = (program.body(method), workspace.resolved(method)) else {
        return false;
    };
    let Some(at) = parameter(&decl.body, e) else {
        return false;
    };
    let types = [resolved.ty(e), resolved.locals[decl.body.params[at].ix()]];
    let (Some(own), Some(given)) = (program.body(test), workspace.resolved(test)) else {
        return false;
    };
    let graph = workspace.call_graph();
    let sites = graph.sites(test);
    let mut calls = sites
        .iter()
        .filter(|s| graph.targets(s).bodies()[..] == [method]);
    let (Some(only), None) = (calls.next(), calls.next()) else {
        return false;
    };
    let args = only
        .call
        .map(|c| own.body.list(own.body.calls[c.ix()].args));
    let arg = args.and_then(|args| args.get(at));
    let is_null =
        |e: ExprId| program.body_text(test, own.body.expr(e).start, own.body.expr(e).end) == "null";
    let is_mock = |ty: Ty| program.class_of(ty).is_some_and(is_mocked);
    types
        .iter()
        .all(|ty| is_of_project(program, *ty) && !is_mock(*ty))
        && arg.is_some_and(|e| !is_null(*e) && given.ty(*e) != Ty::UNKNOWN)
}

/// How many calls of a chain are followed to what it begins with.
const DEEP: usize = 3;

/// Which parameter of its body an expression names, or reads a part of, that nothing is written to.
fn parameter(body: &Body, mut e: ExprId) -> Option<usize> {
    for _ in 0..DEEP {
        match body.expr(e).kind {
            ExprKind::Call(c) if body.calls[c.ix()].args.len == 0 => {
                e = body.calls[c.ix()].callee.on()?.0;
            }
            _ => break,
        }
    }
    let ExprKind::Local(local) = body.expr(e).kind else {
        return None;
    };
    let mut defs = body.defs.iter();
    let is_written = defs.any(|d| d.target == Target::Local(local) && d.sources.len > 0);
    let at = body.params.iter().position(|p| *p == local);
    at.filter(|_| !is_written)
}

/// True for a value, and for an object of the project's own.
fn is_of_project(program: &Program, ty: Ty) -> bool {
    let is_value = || {
        let class = program.library_class_of(ty);
        class.is_some_and(|c| c.starts_with("java.lang.") || c == "java.util.UUID")
    };
    let is_own = || {
        program
            .class_of(ty)
            .is_some_and(|c| !program.is_test_type(c))
    };
    ty != Ty::UNKNOWN && (ty.is_primitive() || is_value() || is_own())
}
