//! Which fields of its object a query shows: what an assertion reads of an object says also what other queries make of the
//! same fields.

use calls::Workspace;
use chains::Source;
use flow::{Callee, ExprKind};
use observe::Reads;
use program::{CallTarget, FieldId, MethodId, NameTarget};
use rustc_hash::FxHashSet;

/// How deep calls of a query's own are followed.
const DEEP: u32 = 2;

/// The fields that what is read shows, as far as bodies are there; nothing if it calls what has none.
pub(super) fn shown_by(workspace: &Workspace, reads: &Reads) -> Option<FxHashSet<FieldId>> {
    let mut out = FxHashSet::default();
    match reads {
        Reads::Field(field) => {
            out.insert(*field);
        }
        Reads::Method(method) => add(workspace, *method, DEEP, &mut out)?,
        Reads::Uses(_) => return None,
    }
    (!out.is_empty()).then_some(out)
}

/// The fields that a method, or what it calls of the workspace, names anywhere: what it may look at. None where it hands
/// all of the object to something that is not known.
pub(super) fn named_in(workspace: &Workspace, method: MethodId) -> Option<FxHashSet<FieldId>> {
    let mut out = FxHashSet::default();
    add_named(workspace, method, DEEP, &mut out)?;
    (!out.is_empty()).then_some(out)
}

fn add_named(
    workspace: &Workspace,
    method: MethodId,
    deep: u32,
    out: &mut FxHashSet<FieldId>,
) -> Option<()> {
    let program = workspace.program();
    let targets = workspace.call_graph().targets_of(method);
    if targets.bodies().is_empty() && targets.components().is_empty() {
        return None;
    }
    out.extend(targets.components().iter().copied());
    for &body in targets.bodies().iter() {
        let (decl, resolved) = (program.body(body)?, workspace.resolved(body)?);
        let own = &decl.body;
        out.extend(
            resolved
                .names
                .iter()
                .filter_map(|(_, target)| match target {
                    NameTarget::Field(field) => Some(*field),
                    _ => None,
                }),
        );
        for (at, call) in own.calls.iter().enumerate() {
            let is_super = match call.callee {
                Callee::Method {
                    receiver: Some(r), ..
                } => matches!(own.expr(r).kind, ExprKind::Super),
                _ => false,
            };
            let args = own.list(call.args).iter();
            let gives_all = args
                .clone()
                .any(|a| matches!(own.expr(*a).kind, ExprKind::This));
            // An `equals` of a part looks at that part, whatever is known of it.
            let is_followed = match resolved.calls.get(at) {
                Some(CallTarget::Workspace(m)) if deep > 0 && !is_super => {
                    add_named(workspace, *m, deep - 1, out).is_some()
                }
                _ => false,
            };
            if is_super || gives_all && !is_followed {
                return None;
            }
        }
    }
    Some(())
}

fn add(
    workspace: &Workspace,
    method: MethodId,
    deep: u32,
    out: &mut FxHashSet<FieldId>,
) -> Option<()> {
    let targets = workspace.call_graph().targets_of(method);
    if targets.bodies().is_empty() && targets.components().is_empty() {
        return None;
    }
    out.extend(targets.components().iter().copied());
    for &body in targets.bodies().iter() {
        let chains = workspace.chains(body)?;
        let used = chains.chains.iter().map(|c| &c.used);
        let returned = chains.returns.iter().map(|r| &r.used);
        out.extend(used.chain(returned).filter_map(|u| match u.source {
            Source::Field { field, .. } => Some(field),
            _ => None,
        }));
        for site in &chains.calls {
            if deep == 0 {
                return None;
            }
            add(workspace, site.target, deep - 1, out)?;
        }
    }
    Some(())
}
