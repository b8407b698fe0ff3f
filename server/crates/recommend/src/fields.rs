//! Which fields of its object a query shows: what an assertion reads of an object says also what other queries make of the
//! same fields.

use calls::Workspace;
use chains::Source;
use observe::Reads;
use program::{FieldId, MethodId};
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
