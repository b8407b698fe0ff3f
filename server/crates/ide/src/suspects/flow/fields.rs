//! Which fields of its object a query may show.

use crate::analysis::Analysis;
use flow::{Body, Callee, ExprId, ExprKind};
use program::{BodyId, CallTarget, MethodId, NameTarget};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use std::cell::RefCell;

/// How many bodies of a query are read; what runs more may show anything.
const BODIES: usize = 40;

/// By query: the names of the fields that the code which it may run mentions, of whichever object; nothing where some of it is
/// not known, or the object goes where nobody follows it.
#[derive(Default)]
pub(super) struct Shown {
    known: RefCell<FxHashMap<MethodId, Option<FxHashSet<SmolStr>>>>,
}

impl Shown {
    /// True if what the method gives may depend on that field of its object. Cost: the first time linear in the code that it may
    /// run, as far as that is read.
    pub(super) fn shows(&self, analysis: &Analysis, method: MethodId, field: &str) -> bool {
        let mut known = self.known.borrow_mut();
        let of = known
            .entry(method)
            .or_insert_with(|| fields(analysis, method));
        of.as_ref().is_none_or(|names| names.contains(field))
    }
}

/// What the code mentions that a query may run; nothing where that is not known.
fn fields(analysis: &Analysis, method: MethodId) -> Option<FxHashSet<SmolStr>> {
    let program = analysis.program();
    let graph = analysis.workspace().call_graph();
    let mut names: FxHashSet<SmolStr> = FxHashSet::default();
    let mut seen: FxHashSet<BodyId> = FxHashSet::default();
    let mut work = vec![method];
    let mut asked: FxHashSet<MethodId> = FxHashSet::default();
    while let Some(method) = work.pop() {
        if !asked.insert(method) {
            continue;
        }
        let targets = graph.targets_of(method);
        if targets.bodies().is_empty() && targets.components().is_empty() {
            // A constructor that nobody wrote sets what its class says.
            if program.is_constructor(method) {
                continue;
            }
            return None;
        }
        let components = targets.components();
        let declared = components.iter().filter_map(|f| program.field_decl(*f));
        names.extend(declared.map(|f| f.name.clone()));
        for &body in targets.bodies().iter() {
            if seen.insert(body) {
                read(analysis, body, &mut names, &mut work)?;
            }
        }
        if seen.len() > BODIES {
            return None;
        }
    }
    Some(names)
}

/// Adds what a body mentions and calls; nothing if its object goes where nobody follows it.
fn read(
    analysis: &Analysis,
    id: BodyId,
    names: &mut FxHashSet<SmolStr>,
    calls: &mut Vec<MethodId>,
) -> Option<()> {
    let program = analysis.program();
    let resolved = analysis.workspace().resolved(id)?;
    let body: &Body = &program.body(id)?.body;
    let mut operands = Vec::new();
    for (at, expr) in body.exprs.iter().enumerate() {
        let e = ExprId(at as u32);
        if let Some(NameTarget::Field(field)) = resolved.name(e) {
            names.extend(program.field_decl(field).map(|f| f.name.clone()));
        }
        // Objects of its own may be asked by anybody.
        if matches!(expr.kind, ExprKind::Class(_)) {
            return None;
        }
        operands.clear();
        body.operands_of(e, &mut operands);
        let followed = match expr.kind {
            ExprKind::Field { object, .. } => Some(object),
            ExprKind::Call(call) => match body.calls[call.ix()].callee {
                Callee::Method { receiver, .. } => receiver,
                _ => None,
            },
            _ => None,
        };
        let is_own = |e: &ExprId| {
            matches!(
                body.expr(*e).kind,
                ExprKind::This | ExprKind::Super | ExprKind::Qualified { .. }
            )
        };
        if operands.iter().any(|o| is_own(o) && followed != Some(*o)) {
            return None;
        }
        if let ExprKind::Call(call) = expr.kind {
            match resolved.calls.get(call.ix()) {
                Some(CallTarget::Workspace(target)) => calls.push(*target),
                // A method of a class above that is not there.
                _ => match body.calls[call.ix()].callee {
                    Callee::Method { receiver, .. } if receiver.is_none_or(|r| is_own(&r)) => {
                        return None;
                    }
                    _ => {}
                },
            }
        }
    }
    Some(())
}
