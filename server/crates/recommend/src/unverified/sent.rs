//! What requests of a test hand to the methods that answer them.

use calls::Workspace;
use flow::{Body, ExprId, ExprKind, Target};
use program::{BodyId, Program, ResolvedBody, Ty, TypeId};

/// The bodies of the methods that answer the requests of a test of `class`. `code`: the bodies of its code.
pub(super) fn answering(workspace: &Workspace, class: TypeId, code: &[BodyId]) -> Vec<BodyId> {
    let program = workspace.program();
    let mut out = Vec::new();
    for &id in code {
        let sent = workspace.chains(id).map(|c| &c.sent[..]);
        for sent in sent.unwrap_or_default() {
            let handler = workspace.answer(class, id, sent.call);
            let method = handler.and_then(Result::ok).map(|h| h.method);
            out.extend(method.and_then(|m| program.method_body(m)));
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// True for a parameter of a method that answers requests which the framework reads from these: a value, or an object of the
/// project's own. What it only lends (`Model`, `Principal`) is none.
pub(super) fn is_read_from_request(
    program: &Program,
    body: &Body,
    resolved: &ResolvedBody,
    e: ExprId,
) -> bool {
    let ExprKind::Local(local) = body.expr(e).kind else {
        return false;
    };
    let ty = resolved.ty(e);
    let is_value = || {
        let class = program.library_class_of(ty);
        class.is_some_and(|c| c.starts_with("java.lang.") || c == "java.util.UUID")
    };
    let is_own = || {
        program
            .class_of(ty)
            .is_some_and(|c| !program.is_test_type(c))
    };
    let mut defs = body.defs.iter();
    body.params.contains(&local)
        && !defs.any(|d| d.target == Target::Local(local) && d.sources.len > 0)
        && ty != Ty::UNKNOWN
        && (ty.is_primitive() || is_value() || is_own())
}
