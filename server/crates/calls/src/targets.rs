//! Where a call may go, by the class hierarchy: the one place that all others ask. What runs of it, [rapid type
//! analysis](crate::RapidTypes) says.

use crate::Workspace;
use flow::ClassId;
use program::{Asked, BodyId, FieldId, MethodId, Modifiers, Ty, TypeId};
use std::sync::Arc;

impl Workspace {
    /// The bodies that a call of `target` may run, in a fixed order; empty if it is a black box.
    pub fn dispatch(&self, target: MethodId, dispatches: bool) -> Arc<[BodyId]> {
        let program = self.program();
        if !dispatches
            || program.is_constructor(target)
            || program.method_has(target, Modifiers::STATIC)
        {
            return program.method_body(target).into_iter().collect();
        }
        Arc::clone(program.dispatch(target))
    }

    /// True if the target has no body of its own and needs none (a default constructor, an enum's `values`): not a
    /// black box, though nothing of it runs here.
    pub fn is_bodiless(&self, target: MethodId) -> bool {
        self.program().is_implicit(target)
    }

    /// The components that the call reads where it runs an accessor that the language added to a record, in a fixed
    /// order.
    pub fn accessed(&self, target: MethodId, dispatches: bool) -> Arc<[FieldId]> {
        let program = self.program();
        let Some(decl) = program.method_decl(target) else {
            return Arc::from([]);
        };
        if !decl.params.is_empty() || decl.modifiers.has(Modifiers::STATIC) {
            return Arc::from([]);
        }
        let owner = program.method_owner(target);
        let below = if dispatches {
            program.subtypes(owner)
        } else {
            &[]
        };
        let mut fields = Vec::new();
        for &class in std::iter::once(&owner).chain(below) {
            fields.extend(self.component(class, &decl.name));
        }
        fields.into()
    }

    /// The bodies whose value that of an asking is, in a fixed order; empty where no code here answers.
    pub fn values(&self, on: Ty, asked: Asked) -> Vec<BodyId> {
        let mut bodies = self.program().unwritten(on, asked).values.clone();
        let place = |b: &BodyId| {
            let file = self.program().body_file(*b);
            let path = file.and_then(|f| self.program().path(f)).cloned();
            (path, self.program().body(*b).map(|decl| decl.start))
        };
        bodies.sort_by_cached_key(place);
        bodies
    }

    /// For a body in a local or anonymous class: the body around it and the class there.
    pub fn enclosing(&self, body: BodyId) -> Option<(BodyId, ClassId)> {
        let mut at = self.program().body_owner(body);
        // A member class of a local class stands in that class's body too.
        loop {
            if let Some(found) = self.program().enclosing_body(at) {
                return Some(found);
            }
            at = self.program().enclosing_type(at)?;
        }
    }

    /// The component of a record that an accessor without code reads.
    fn component(&self, class: TypeId, name: &str) -> Option<FieldId> {
        let program = self.program();
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
