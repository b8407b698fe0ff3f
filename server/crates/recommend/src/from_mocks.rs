//! What production code has from a mock: the mock itself, and what it answers. That is what the test told it.

use calls::{RapidTypes, Unit, Workspace};
use chains::Candidate;
use flow::{Body, Callee, ExprId, ExprKind};
use program::{CallTarget, ResolvedBody};

/// True for a definition that holds a mock, or what one answers, with nothing done to it.
pub(crate) fn is_from_mock(
    workspace: &Workspace,
    reach: &RapidTypes<'_>,
    unit: &Unit,
    c: &Candidate,
) -> bool {
    let program = workspace.program();
    let (Some(decl), Some(resolved)) = (program.body(unit.body), workspace.resolved(unit.body))
    else {
        return false;
    };
    let ty = match (c.value, c.local) {
        (Some(value), _) => Some(resolved.ty(value)),
        (None, Some(local)) => resolved.locals.get(local.ix()).copied(),
        (None, None) => None,
    };
    let class = ty.and_then(|ty| program.class_of(ty));
    if class.is_some_and(|class| reach.is_mocked(class)) {
        return true;
    }
    let of_mock = |call: ExprId| {
        let mut sites = unit.chains.calls.iter();
        let site = sites.find(|s| s.expr == call && s.call.is_some());
        site.map(|s| reach.is_answered_by_mock(unit.body, s))
    };
    let body = &*decl.body;
    let value = match c.def.map(|d| &body.defs[d.ix()]) {
        Some(def) => match body.list(def.sources) {
            [only] if !def.compound => Some(*only),
            _ => None,
        },
        None => c.value,
    };
    value.is_some_and(|value| is_answer(body, resolved, value, &of_mock))
}

/// True for what a mock answers, and for what a library unwraps of that: `find(id).orElse(null)`. `of_mock`: whether a mock
/// answers a call of a method that is known here.
fn is_answer(
    body: &Body,
    resolved: &ResolvedBody,
    mut e: ExprId,
    of_mock: &dyn Fn(ExprId) -> Option<bool>,
) -> bool {
    loop {
        match body.expr(e).kind {
            ExprKind::Cast { operand, .. } => e = operand,
            ExprKind::Call(c) => {
                if let Some(of_mock) = of_mock(e) {
                    return of_mock;
                }
                let call = &body.calls[c.ix()];
                let is_plain = |a: &ExprId| matches!(body.expr(*a).kind, ExprKind::Literal(_));
                match (call.callee, resolved.calls.get(c.ix())) {
                    (
                        Callee::Method {
                            receiver: Some(of), ..
                        },
                        Some(CallTarget::Library),
                    ) if body.list(call.args).iter().all(is_plain) => e = of,
                    _ => return false,
                }
            }
            _ => return false,
        }
    }
}
