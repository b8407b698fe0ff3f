//! What is put into a local or a field, and whether something may change it otherwise.

use super::{Holder, MOST_CHANGING, Part, Walk, given_to_field};
use crate::computed::is_value;
use flow::{Body, Callee, ExprId, ExprKind, Target};
use oracle::frameworks::any;
use program::{BodyId, CallTarget, FieldId, MethodId, NameTarget};

impl Walk<'_> {
    /// What is put into a local; none if something may change it otherwise. Gives what setters gave the field that is asked
    /// for: that is it, whole.
    pub(super) fn filled(
        &self,
        id: BodyId,
        body: &Body,
        holder: Holder,
        part: Part,
        added: &mut Vec<ExprId>,
    ) -> Option<Vec<ExprId>> {
        let program = self.program();
        let resolved = self.of.workspace.resolved(id)?;
        let ty = match holder {
            Holder::Local(local) => resolved.locals.get(local.ix()).copied()?,
            Holder::Field(field) => program.field_type(field),
        };
        // Nobody changes a text.
        let mut set = Vec::new();
        if is_value(program, ty) {
            return Some(set);
        }
        let is_it = |e: ExprId| match holder {
            Holder::Local(local) => body.expr(e).kind == ExprKind::Local(local),
            Holder::Field(field) => resolved.name(e) == Some(NameTarget::Field(field)),
        };
        for def in &body.defs {
            match def.target {
                // The value stands before what it is put into.
                Target::Element(array) if is_it(array) => {
                    added.extend(body.list(def.sources).first());
                }
                Target::Place(place) => {
                    if let ExprKind::Field { object, .. } = body.expr(place).kind
                        && is_it(object)
                    {
                        return None;
                    }
                }
                _ => {}
            }
        }
        for (at, call) in body.calls.iter().enumerate() {
            let on = call.callee.on().filter(|(on, _)| is_it(*on));
            let is_given = body.list(call.args).iter().any(|a| is_it(*a));
            if on.is_none() && !is_given || body.is_in_catch(call.expr) {
                continue;
            }
            match resolved.calls.get(at) {
                // What is made keeps it.
                Some(CallTarget::Workspace(_)) if matches!(call.callee, Callee::New { .. }) => {}
                Some(CallTarget::Workspace(m)) => {
                    let is_of_test = program.is_test_type(program.method_owner(*m));
                    let sites = self.of.workspace.call_graph().sites(id);
                    let mut sites = sites.iter().filter(|s| s.expr == call.expr);
                    let is_mock = sites.any(|s| self.of.rapid_types.is_answered_by_mock(id, s));
                    let given = on.and_then(|_| self.given_to_setter(*m, part));
                    if let Some(given) = given.and_then(|at| body.list(call.args).get(at)) {
                        set.push(*given);
                    } else if !is_mock && !is_of_test && self.may_change(*m, part) {
                        return None;
                    }
                }
                _ => {
                    let Some(name) = body.method_name(call) else {
                        continue;
                    };
                    if on.is_some() && models::adds(name) {
                        // `if (all.isEmpty()) { all.add("none"); }`
                        let is_literal =
                            |e: &ExprId| matches!(body.expr(*e).kind, ExprKind::Literal(_));
                        let is_certain = body.block_of(call.expr) == body.block_of(ExprId(0));
                        let args = body.list(call.args);
                        let is_kept = is_certain || !args.iter().all(is_literal);
                        added.extend(args.last().filter(|_| is_kept));
                    } else if call.dropped
                        && (on.is_some() && !any(name, |row| row.verifies)
                            || models::may_change_arguments(name))
                    {
                        return None;
                    }
                }
            }
        }
        Some(set)
    }

    /// Which parameter of a method the field gets that is asked for, if that is all that the method gives it.
    fn given_to_setter(&self, method: MethodId, part: Part) -> Option<usize> {
        let Part::Field(field) = part else {
            return None;
        };
        let workspace = self.of.workspace;
        let targets = workspace.call_graph().targets_of(method);
        let [id] = targets.bodies()[..] else {
            return None;
        };
        let body = &workspace.program().body(id)?.body;
        let given = given_to_field(body, workspace.resolved(id)?, field)?;
        let [e] = given[..] else {
            return None;
        };
        let ExprKind::Local(local) = body.expr(e).kind else {
            return None;
        };
        body.params.iter().position(|p| *p == local)
    }

    /// True if a call may change what is asked for of an object that it works on.
    fn may_change(&self, method: MethodId, part: Part) -> bool {
        let workspace = self.of.workspace;
        if self.only_reads(method) || self.of.purity.is_pure(workspace, method) {
            return false;
        }
        let Part::Field(field) = part else {
            return true;
        };
        let graph = workspace.call_graph();
        let bodies = graph.targets_of(method).bodies().to_vec();
        let bodies = graph.below(bodies, MOST_CHANGING, |_| true);
        bodies.is_empty() || bodies.len() == MOST_CHANGING || {
            let mut bodies = bodies.iter();
            bodies.any(|id| self.writes(*id, field).unwrap_or(true))
        }
    }

    /// True if a body gives a field another value, or calls something on it that it only calls.
    fn writes(&self, id: BodyId, field: FieldId) -> Option<bool> {
        let body = &self.of.workspace.program().body(id)?.body;
        let resolved = self.of.workspace.resolved(id)?;
        let is_it = |e: ExprId| resolved.name(e) == Some(NameTarget::Field(field));
        let mut defs = body.defs.iter();
        let is_given = defs.any(|d| match d.target {
            Target::Place(e) | Target::Element(e) => is_it(e),
            Target::Local(_) | Target::OwnField(_) => false,
        });
        let mut calls = body.calls.iter().filter(|call| call.dropped);
        Some(is_given || calls.any(|call| call.callee.on().is_some_and(|(on, _)| is_it(on))))
    }

    /// The fields of its object that the code of a query reads.
    pub(super) fn fields_of(&self, query: MethodId) -> Vec<FieldId> {
        let targets = self.of.workspace.call_graph().targets_of(query);
        let mut out: Vec<FieldId> = targets.components().to_vec();
        for id in targets.bodies().iter() {
            if let Some(resolved) = self.of.workspace.resolved(*id) {
                out.extend(resolved.names.iter().filter_map(|(_, n)| match n {
                    NameTarget::Field(field) => Some(*field),
                    _ => None,
                }));
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }
}
