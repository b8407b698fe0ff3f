//! What runs because a test sends a request, and what does not because a mock stands in its place.

use super::{RapidTypes, Run};
use crate::mocks::Answered;
use crate::web::is_without_context;
use chains::{CallSite, Sent};
use flow::{ExprId, ExprKind};
use oracle::mocks::{is_bare_mock_field, is_of_mock};
use oracle::web::prepares_model;
use program::{BodyId, Member, Modifiers, NameTarget, Program, ResolvedBody, TypeId};

/// True for a field that holds a mock.
fn is_mock(program: &Program, resolved: &ResolvedBody, object: ExprId) -> bool {
    match resolved.name(object) {
        Some(NameTarget::Field(field)) => program.field_decl(field).is_some_and(is_bare_mock_field),
        _ => false,
    }
}

impl RapidTypes<'_> {
    /// What answers a call: code, or a mock in the place of an object.
    pub(super) fn answered(&self, caller: BodyId, site: &CallSite) -> Answered {
        if self.mocks.is_empty() || !site.dispatches {
            return Answered::Code;
        }
        let program = self.workspace.program();
        if program.method_has(site.target, Modifiers::STATIC) {
            return Answered::Code;
        }
        let is_test_code = program.is_test_type(program.body_owner(caller));
        let told = || {
            let body = &program.body(caller)?.body;
            let resolved = self.workspace.resolved(caller)?;
            let (receiver, call) = match (site.call, body.expr(site.expr).kind) {
                (Some(c), _) => {
                    let call = &body.calls[c.ix()];
                    (call.callee.on()?.0, Some(call))
                }
                // `mapper::row`, of an object; of `Row::name` the class is the declaring one.
                (None, ExprKind::MethodRef { qualifier, .. }) => (qualifier, None),
                (None, _) => return None,
            };
            let is_of_mock = call.is_some_and(|call| is_of_mock(body, call));
            if is_test_code && (is_of_mock || is_mock(program, resolved, receiver)) {
                return Some(Answered::Mock);
            }
            // An object whose code runs is none.
            if body.expr(receiver).kind == ExprKind::This {
                return None;
            }
            let on = program.class_of(resolved.ty(receiver));
            let on = match call {
                Some(_) => on?,
                None => on.unwrap_or_else(|| program.method_owner(site.target)),
            };
            Some(self.mocks.answer(on, is_test_code))
        };
        told().unwrap_or(Answered::Code)
    }

    /// False if no object is known to be a mock.
    pub fn has_mocks(&self) -> bool {
        !self.mocks.is_empty()
    }

    /// True for a call in code that runs of which, of all that was reached by now, only a mock gives the value.
    pub fn is_answered_by_mock(&self, caller: BodyId, site: &CallSite) -> bool {
        match self.answered(caller, site) {
            Answered::Code => false,
            Answered::Mock => true,
            Answered::MockOrMade => {
                let targets = self.workspace.call_graph().targets(site);
                !targets.bodies().iter().any(|b| self.seen.contains(*b))
            }
        }
    }

    /// True if code that was reached by now makes an object that may be of a type.
    pub fn is_made(&self, of: TypeId) -> bool {
        let program = self.workspace.program();
        let mut made = self.made.iter();
        made.any(|t| *t == of || program.supertypes(*t).contains(&of))
    }

    /// True for a type of which, of all that was reached by now, there are mocks alone.
    pub fn is_mocked(&self, of: TypeId) -> bool {
        match self.mocks.answer(of, false) {
            Answered::Code => false,
            Answered::Mock => true,
            Answered::MockOrMade => !self.made.contains(&of),
        }
    }

    /// The bodies that a request runs: what Spring makes the controller with, what it asks of it before each request, and
    /// the method that answers.
    pub(super) fn answering(&self, body: BodyId, sent: &Sent) -> Vec<BodyId> {
        let program = self.workspace.program();
        let mut out = Vec::new();
        for class in self.classes_of(body) {
            let Some(Ok(handler)) = self.workspace.answer(class, body, sent.call) else {
                continue;
            };
            out.extend(program.method_body(handler.method));
            out.extend(self.constructs(handler.controller));
            for &method in program.methods_of_type(handler.controller) {
                let decl = program.method_decl(method);
                let is_asked = decl.is_some_and(|d| prepares_model(&d.told));
                if program.is_constructor(method) || is_asked {
                    out.extend(program.method_body(method));
                }
            }
            out.extend(program.body_of(handler.controller, Member::Clinit));
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The classes whose tests run a body.
    fn classes_of(&self, body: BodyId) -> Vec<TypeId> {
        match self.classes.is_empty() {
            true => vec![self.workspace.program().body_owner(body)],
            false => self.classes.clone(),
        }
    }

    /// A request is sent.
    pub(super) fn send(&mut self, body: BodyId, sent: &Sent, run: Run) {
        let bodies = self.answering(body, sent);
        if bodies.is_empty() {
            return;
        }
        let workspace = self.workspace;
        let mut classes = self.classes_of(body).into_iter();
        if !self.has_components && !classes.all(|c| is_without_context(workspace, c)) {
            self.has_components = true;
            for &class in workspace.handlers().components() {
                self.make(class);
            }
        }
        self.work.extend(bodies.into_iter().map(|body| (body, run)));
    }
}
