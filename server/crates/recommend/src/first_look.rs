//! Which values somebody looks at first who does not know a project: computed ones that can be compared as they are.

use crate::computed::{computes_of_given, holds_values, is_identity, is_value};
use crate::inside::is_reached_by_steps;
use calls::{Unit, Workspace};
use chains::Candidate;
use flow::{Body, Callee, ExprId, ExprKind, LocalId, VariableKind};
use observe::{is_logger, quiet};
use program::{Program, ResolvedBody, Ty};
use rustc_hash::FxHashSet;

/// Methods whose values are asked for by custom.
pub(crate) const CUSTOMARY: &[&str] = &["toString", "hashCode", "equals", "compareTo"];

/// True for a value that code computes of what it was given: a number, a text, several of them, or an object of the project's
/// that a method returns and that has an `equals`. Neither handed on nor printed, caught or logged, nor made only where something fails.
pub fn is_of_first_look(workspace: &Workspace, unit: &Unit, c: &Candidate) -> bool {
    let program = workspace.program();
    let method = program
        .body_method(unit.body)
        .and_then(|m| program.method_decl(m));
    let is_customary = method.is_some_and(|m| CUSTOMARY.contains(&m.name.as_str()));
    let (Some(decl), Some(resolved)) = (program.body(unit.body), workspace.resolved(unit.body))
    else {
        return false;
    };
    let is_logged = |l| is_only_logged(program, &decl.body, resolved, l);
    !is_customary
        && quiet(program, unit.body, c).is_none()
        && is_comparable(program, resolved, c)
        && is_reached_by_steps(&decl.body, c)
        && !c.local.is_some_and(is_logged)
        && computes_of_given(workspace, unit, c)
}

fn is_comparable(program: &Program, resolved: &ResolvedBody, c: &Candidate) -> bool {
    let of_field = || Some(program.field_type(c.field?));
    let of_local = || resolved.locals.get(c.local?.ix()).copied();
    let of_value = || Some(resolved.ty(c.value?));
    let Some(ty) = of_local().or_else(of_field).or_else(of_value) else {
        return false;
    };
    let is_own = || {
        let is_object = program.class_of(ty).is_some() && !is_identity(program, ty);
        is_object && c.kind == VariableKind::Return
    };
    ty != Ty::UNKNOWN
        && (ty.is_primitive() || is_value(program, ty) || holds_values(program, ty) || is_own())
}

/// True for a local that is read for a log and for nothing else.
fn is_only_logged(program: &Program, body: &Body, resolved: &ResolvedBody, local: LocalId) -> bool {
    let mut logged: FxHashSet<ExprId> = FxHashSet::default();
    for call in &body.calls {
        let Callee::Method {
            receiver: Some(on), ..
        } = call.callee
        else {
            continue;
        };
        if is_logger(program, resolved.ty(on)) {
            let mut work: Vec<ExprId> = body.list(call.args).to_vec();
            while let Some(e) = work.pop() {
                if logged.insert(e) {
                    body.operands_of(e, &mut work);
                }
            }
        }
    }
    let exprs = (0u32..).map(ExprId).zip(&body.exprs);
    let mut reads = exprs.filter(|(_, e)| e.kind == ExprKind::Local(local));
    !logged.is_empty() && reads.all(|(at, _)| logged.contains(&at))
}
