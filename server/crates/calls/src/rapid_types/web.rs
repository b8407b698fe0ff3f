//! What runs because a test sends a request, and what does not because a mock stands in its place.

use super::{MAX_DEPTH, RapidTypes, Run};
use crate::Workspace;
use chains::{CallSite, Sent};
use flow::{Callee, TypeRef};
use program::{BodyId, Member, Modifiers, Program, TypeDeclKind, TypeId};
use rustc_hash::FxHashSet;

/// The annotations of fields for whose type the context has a mock.
const BEANS: &[&str] = &["MockBean", "MockitoBean"];

/// The types in whose place a mock stands when tests of these classes run: by a field of theirs, or of a class above or
/// around. A mock that a test hands on itself counts for what Spring makes objects of, and for interfaces.
pub(super) fn mocked(workspace: &Workspace, classes: &[TypeId]) -> FxHashSet<TypeId> {
    let program = workspace.program();
    let mut out = FxHashSet::default();
    for &class in classes {
        let around = std::iter::successors(Some(class), |c| program.enclosing_type(*c));
        for of in around.take(MAX_DEPTH) {
            let above = std::iter::successors(Some(of), |c| program.superclass(*c));
            for class in above.take(MAX_DEPTH) {
                of_class(program, class, &mut out);
            }
        }
    }
    out
}

fn of_class(program: &Program, class: TypeId, out: &mut FxHashSet<TypeId>) {
    for &field in program.fields_of_type(class) {
        let Some(decl) = program.field_decl(field) else {
            continue;
        };
        let is = |names: &[&str]| decl.annotations.iter().any(|a| names.contains(&a.as_str()));
        if !is(BEANS) && !is(&["Mock"]) {
            continue;
        }
        let TypeRef::Named(segments) = &decl.ty else {
            continue;
        };
        let name: Vec<&str> = segments.iter().map(|s| s.name.as_str()).collect();
        let Some(ty) = crate::handlers::type_named(program, class, &name.join(".")) else {
            continue;
        };
        let stands_alone = || {
            program.type_decl(ty).is_some_and(|d| {
                let mut own = d.annotations.iter();
                d.kind == TypeDeclKind::Interface
                    || own.any(|a| crate::handlers::COMPONENTS.contains(&a.as_str()))
            })
        };
        if is(BEANS) || stands_alone() {
            out.insert(ty);
        }
    }
}

impl RapidTypes<'_> {
    /// True if production code makes a call on an object for which a mock stands.
    pub(super) fn is_mocked(&self, caller: BodyId, site: &CallSite) -> bool {
        if self.mocked.is_empty() || !site.dispatches {
            return false;
        }
        let program = self.workspace.program();
        if program.is_test_type(program.body_owner(caller))
            || program.method_has(site.target, Modifiers::STATIC)
        {
            return false;
        }
        let on = || {
            let body = &program.body(caller)?.body;
            let Callee::Method { receiver, .. } = body.calls[site.call?.ix()].callee else {
                return None;
            };
            program.class_of(self.workspace.resolved(caller)?.ty(receiver?))
        };
        on().is_some_and(|on| self.mocked.contains(&on))
    }

    /// The bodies that a request runs: what Spring makes the controller with, what it asks of it before each request, and
    /// the method that answers.
    pub(super) fn answering(&self, body: BodyId, sent: &Sent) -> Vec<BodyId> {
        let program = self.workspace.program();
        let own = [program.body_owner(body)];
        let classes = match self.classes.is_empty() {
            true => &own[..],
            false => &self.classes,
        };
        let mut out = Vec::new();
        for &class in classes {
            let Some(Ok(handler)) = self.workspace.answer(class, body, sent.call) else {
                continue;
            };
            out.extend(program.method_body(handler.method));
            out.extend(self.constructs(handler.controller));
            for &method in program.methods_of_type(handler.controller) {
                let decl = program.method_decl(method);
                let fills = |d: &program::MethodDecl| {
                    d.told.iter().any(|t| t.annotation == "ModelAttribute")
                        && !d.told.iter().any(|t| t.annotation.ends_with("Mapping"))
                };
                if program.is_constructor(method) || decl.is_some_and(fills) {
                    out.extend(program.method_body(method));
                }
            }
            out.extend(program.body_of(handler.controller, Member::Clinit));
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    /// A request is sent.
    pub(super) fn send(&mut self, body: BodyId, sent: &Sent, run: Run) {
        let bodies = self.answering(body, sent);
        if bodies.is_empty() {
            return;
        }
        if !self.has_components {
            self.has_components = true;
            let workspace = self.workspace;
            for &class in workspace.handlers().components() {
                self.make(class);
            }
        }
        self.work.extend(bodies.into_iter().map(|body| (body, run)));
    }
}
