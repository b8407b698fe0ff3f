//! Where an object goes that a call is given: the bodies that have it in hand, as their own object or as a parameter.
//!
//! What keeps it somewhere and comes back to it later is not seen.

use calls::Workspace;
use chains::CallSite;
use flow::{Body, Callee, ExprId, ExprKind};
use program::BodyId;
use rustc_hash::FxHashSet;

/// A bound on cost, not on truth: bodies that are looked at.
const MOST: usize = 200;

/// As what a body has an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Slot {
    This,
    /// By its place.
    Parameter(usize),
}

/// The bodies, of those that may `run`, which have an object in hand that a call is made on, or is given: `is_it` says
/// which expressions of the caller's are it.
pub(crate) fn bodies_with(
    workspace: &Workspace,
    caller: &Body,
    site: &CallSite,
    is_it: impl Fn(ExprId) -> bool,
    run: &FxHashSet<BodyId>,
) -> FxHashSet<BodyId> {
    let graph = workspace.call_graph();
    let mut seen: FxHashSet<(BodyId, Slot)> = FxHashSet::default();
    let mut work = handed_on(workspace, caller, site, is_it);
    while let Some((id, slot)) = work.pop() {
        if seen.len() >= MOST || !run.contains(&id) || !seen.insert((id, slot)) {
            continue;
        }
        let Some(decl) = workspace.program().body(id) else {
            continue;
        };
        let body = &*decl.body;
        let is_it = |e: ExprId| is_slot(body, slot, e);
        for site in graph.sites(id) {
            work.extend(handed_on(workspace, body, site, is_it));
        }
    }
    seen.into_iter().map(|(body, _)| body).collect()
}

/// The bodies that a call hands an object on to.
fn handed_on(
    workspace: &Workspace,
    body: &Body,
    site: &CallSite,
    is_it: impl Fn(ExprId) -> bool,
) -> Vec<(BodyId, Slot)> {
    let Some(call) = site.call.map(|c| &body.calls[c.ix()]) else {
        return Vec::new();
    };
    let on = match call.callee {
        // What is called without a receiver is called on the body's own object.
        Callee::Method { receiver, .. } => Some(receiver.unwrap_or(call.expr)),
        _ => None,
    };
    let args = body.list(call.args).iter().enumerate();
    let args = args.filter(|(_, a)| is_it(**a));
    let on = on.filter(|on| is_it(*on)).map(|_| Slot::This);
    let slots: Vec<Slot> = on
        .into_iter()
        .chain(args.map(|(at, _)| Slot::Parameter(at)))
        .collect();
    let targets = workspace.call_graph().targets(site);
    let bodies = targets.bodies().iter();
    bodies
        .flat_map(|body| slots.iter().map(|slot| (*body, *slot)))
        .collect()
}

/// True for an expression of a body that is the object which it has so.
fn is_slot(body: &Body, slot: Slot, e: ExprId) -> bool {
    match (slot, body.expr(e).kind) {
        (_, ExprKind::Cast { operand, .. }) => is_slot(body, slot, operand),
        (Slot::This, ExprKind::This) => true,
        (Slot::This, ExprKind::Call(c)) => matches!(
            body.calls[c.ix()].callee,
            Callee::Method { receiver: None, .. }
        ),
        (Slot::Parameter(at), ExprKind::Local(local)) => body.params.get(at) == Some(&local),
        _ => false,
    }
}
