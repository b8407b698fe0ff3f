//! Values that a test cannot get wrong: a field that nothing which it runs sets, and a method that always gives the same.
//!
//! Strangers called them silly (`docs/evaluation-trust.md`): a getter is offered since some code sets its field, which this
//! test does not run.

use super::fields;
use calls::{Unit, Workspace};
use flow::{Body, Callable, ExprId, ExprKind};
use observe::{Assembled, Node, Reads};
use program::FieldId;
use rustc_hash::FxHashSet;

/// The fields of a graph, by how they are set.
pub(super) struct Defaults {
    /// Set by what the tests are likely to run, to more than a constant of a constructor or an initialiser.
    set: FxHashSet<FieldId>,
    /// Set to such a constant.
    constant: FxHashSet<FieldId>,
}

impl Defaults {
    /// `is_likely`: whether the tests are likely to run the definition of a vertex.
    pub(super) fn new(
        workspace: &Workspace,
        graph: &Assembled,
        units: &[Unit],
        is_likely: impl Fn(usize) -> bool,
    ) -> Defaults {
        let program = workspace.program();
        let mut out = Defaults {
            set: FxHashSet::default(),
            constant: FxHashSet::default(),
        };
        for (at, node) in graph.nodes.iter().enumerate() {
            let Node::Real { unit, candidate } = *node else {
                continue;
            };
            let unit = &units[unit.ix()];
            let candidate = &unit.chains.candidates[candidate as usize];
            let Some(field) = candidate.field.filter(|_| is_likely(at)) else {
                continue;
            };
            let method = program.body_method(unit.body);
            let makes = method.is_none_or(|m| program.is_constructor(m));
            let body = program.body(unit.body).map(|d| &d.body);
            let is_constant = makes
                && candidate.def.zip(body).is_some_and(|(def, body)| {
                    let def = &body.defs[def.ix()];
                    let mut sources = body.list(def.sources).iter();
                    !def.compound && sources.all(|s| is_constant(body, *s))
                });
            match is_constant {
                true => out.constant.insert(field),
                false => out.set.insert(field),
            };
        }
        out
    }

    /// True if what is read is such a value, as far as bodies tell.
    pub(super) fn has(&self, workspace: &Workspace, reads: &Reads) -> bool {
        match fields::shown_by(workspace, reads) {
            Some(shown) => {
                shown.iter().all(|f| !self.set.contains(f))
                    && shown.iter().any(|f| self.constant.contains(f))
            }
            None => matches!(reads, Reads::Method(m) if always_gives_the_same(workspace, *m)),
        }
    }
}

/// True if a method has one body, and that returns one constant and nothing else, or now and then `null`: that it is there
/// says all then.
pub(crate) fn always_gives_the_same(workspace: &Workspace, method: program::MethodId) -> bool {
    let program = workspace.program();
    let targets = workspace.call_graph().targets_of(method);
    let [id] = targets.bodies()[..] else {
        return false;
    };
    let Some(decl) = program.body(id) else {
        return false;
    };
    let body = &decl.body;
    let own = body.returns.iter();
    let own = own.filter(|r| r.callable == Callable::Member);
    let mut work: Vec<Option<ExprId>> = own.map(|r| r.value).collect();
    let mut given: Vec<&str> = Vec::new();
    while let Some(value) = work.pop() {
        let Some(value) = value else { return false };
        let at = body.expr(value);
        match at.kind {
            ExprKind::Conditional { operands } => {
                work.extend(body.list(operands).iter().skip(1).map(|e| Some(*e)));
            }
            _ if is_constant(body, value) => {
                given.push(program.body_text(id, at.start, at.end));
            }
            _ => return false,
        }
    }
    given.sort_unstable();
    given.dedup();
    given.len() == 1 || given.len() == 2 && given.contains(&"null")
}

/// `0`, `-1`, `null`, `"x"`
fn is_constant(body: &Body, e: ExprId) -> bool {
    match body.expr(e).kind {
        ExprKind::Literal(_) => true,
        ExprKind::Unary { operand, .. } => matches!(body.expr(operand).kind, ExprKind::Literal(_)),
        _ => false,
    }
}
