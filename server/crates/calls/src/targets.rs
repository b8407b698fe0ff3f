//! Where a call may go, by the class hierarchy: the one place that all others ask. What runs of it, [rapid type
//! analysis](crate::RapidTypes) says.

use crate::Workspace;
use chains::{Asking, CallSite};
use program::{BodyId, FieldId, MethodId, Modifiers, TypeId};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Where the calls of a workspace may go. A view: costs nothing to make or to copy.
#[derive(Clone, Copy, Debug)]
pub struct CallGraph<'a> {
    workspace: &'a Workspace,
}

/// What a call may run.
#[derive(Clone, Debug)]
pub struct Targets<'a> {
    graph: CallGraph<'a>,
    method: MethodId,
    dispatches: bool,
    bodies: Arc<[BodyId]>,
}

impl Workspace {
    /// Where calls may go.
    pub fn call_graph(&self) -> CallGraph<'_> {
        CallGraph { workspace: self }
    }
}

impl<'a> CallGraph<'a> {
    /// What a call may run.
    pub fn targets(self, site: &CallSite) -> Targets<'a> {
        self.declared(site.target, site.dispatches)
    }

    /// What a call of `method` would run, whatever object it is called on.
    pub fn targets_of(self, method: MethodId) -> Targets<'a> {
        self.declared(method, true)
    }

    /// The bodies whose value that of an asking is, in a fixed order; empty where no code here answers.
    pub fn answers(self, asking: &Asking) -> Vec<BodyId> {
        let program = self.workspace.program();
        let mut bodies = program.unwritten(asking.on, asking.asked).values.clone();
        let place = |b: &BodyId| {
            let file = program.body_file(*b);
            let path = file.and_then(|f| program.path(f)).cloned();
            (path, program.body(*b).map(|decl| decl.start))
        };
        bodies.sort_by_cached_key(place);
        bodies
    }

    /// What `roots` may run by the calls that are `followed`, themselves first, each body once: no more than `most`.
    pub fn below(
        self,
        roots: impl IntoIterator<Item = BodyId>,
        most: usize,
        followed: impl Fn(&CallSite) -> bool,
    ) -> Vec<BodyId> {
        let mut work: Vec<BodyId> = roots.into_iter().collect();
        let mut seen: FxHashSet<BodyId> = FxHashSet::default();
        let mut out = Vec::new();
        while let Some(body) = work.pop() {
            if out.len() >= most || !seen.insert(body) {
                continue;
            }
            out.push(body);
            for site in self.sites(body).iter().filter(|site| followed(site)) {
                let next = self.targets(site);
                work.extend(next.bodies().iter().filter(|b| !seen.contains(b)));
            }
        }
        out
    }

    /// The calls of a body.
    pub fn sites(self, body: BodyId) -> &'a [CallSite] {
        self.workspace.chains(body).map_or(&[], |c| &c.calls)
    }

    pub(crate) fn declared(self, method: MethodId, dispatches: bool) -> Targets<'a> {
        let program = self.workspace.program();
        Targets {
            graph: self,
            method,
            dispatches,
            bodies: match dispatches {
                true => Arc::clone(program.dispatch(method)),
                false => program.method_body(method).into_iter().collect(),
            },
        }
    }
}

impl Targets<'_> {
    /// The bodies, in a fixed order.
    pub fn bodies(&self) -> &Arc<[BodyId]> {
        &self.bodies
    }

    /// The components that the call reads where it runs an accessor that the language added to a record, in a fixed
    /// order.
    pub fn components(&self) -> Arc<[FieldId]> {
        let program = self.graph.workspace.program();
        let Some(decl) = program.method_decl(self.method) else {
            return Arc::from([]);
        };
        if !decl.params.is_empty() || decl.modifiers.has(Modifiers::STATIC) {
            return Arc::from([]);
        }
        let owner = program.method_owner(self.method);
        let below = match self.dispatches {
            true => program.subtypes(owner),
            false => &[],
        };
        let classes = std::iter::once(&owner).chain(below);
        let component = |class: &TypeId| self.graph.component(*class, &decl.name);
        classes.filter_map(component).collect()
    }

    /// True if no code here says what the call does. A default constructor and an enum's `values` have none and need
    /// none.
    pub fn is_black_box(&self) -> bool {
        let program = self.graph.workspace.program();
        self.bodies.is_empty() && self.components().is_empty() && !program.is_implicit(self.method)
    }
}

impl CallGraph<'_> {
    /// The component of a record that an accessor without code reads.
    fn component(self, class: TypeId, name: &str) -> Option<FieldId> {
        let program = self.workspace.program();
        let component = program.fields_of_type(class).iter().copied().find(|f| {
            program
                .field_decl(*f)
                .is_some_and(|f| f.implicit && f.name == name)
        })?;
        let methods = program.methods_of_type(class).iter();
        let mut methods = methods.filter_map(|m| program.method_decl(*m));
        methods
            .any(|m| m.implicit && m.name == name && m.params.is_empty())
            .then_some(component)
    }
}
