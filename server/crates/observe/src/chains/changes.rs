//! Which objects the calls of a body may change, as far as it can be told without their bodies.
//!
//! A library's method changes what its row says. A method of the workspace changes an argument, or what the object that
//! it is called on keeps, under a [`Condition`] that is looked at when a scope is put together: so the chains of a body
//! rest on nothing but its own resolution.

use super::{ChangedObject, Condition};
use crate::library::{self, behaviour};
use flow::{Body, CallId, Callee, ExprId, ExprKind};
use program::{CallTarget, MethodId, NameTarget, Program, ResolvedBody};

/// How deep objects that keep objects are followed: `new A(new B(new C(out)))`.
const MAX_KEPT: usize = 4;

/// Beyond this many arguments of one call none is looked at: nobody changes them all.
const MAX_ARGUMENTS: usize = 32;

struct Finder<'a> {
    program: &'a Program,
    body: &'a Body,
    resolved: &'a ResolvedBody,
    out: Vec<ChangedObject>,
}

/// The objects that calls of `body` may change, in order of the calls.
pub(crate) fn changed_objects(
    program: &Program,
    body: &Body,
    resolved: &ResolvedBody,
) -> Vec<ChangedObject> {
    let mut finder = Finder {
        program,
        body,
        resolved,
        out: Vec::new(),
    };
    for i in 0..body.calls.len() {
        finder.call(CallId(i as u32));
    }
    let mut out = finder.out;
    out.sort_by_key(|c| body.calls[c.call.ix()].expr);
    out
}

impl Finder<'_> {
    fn call(&mut self, id: CallId) {
        let call = &self.body.calls[id.ix()];
        let args = self.body.list(call.args);
        let receiver = match call.callee {
            Callee::Method { receiver, .. } => receiver,
            _ => None,
        };
        // What takes nothing but constants puts nothing in.
        let is_constant = |e: &ExprId| matches!(self.body.expr(*e).kind, ExprKind::Literal(_));
        if args.iter().all(is_constant) && receiver.is_none() || args.len() > MAX_ARGUMENTS {
            return;
        }
        match self.resolved.calls.get(id.ix()) {
            Some(&CallTarget::Workspace(target)) => {
                for (at, &a) in args.iter().enumerate() {
                    if self.may_change(a) {
                        self.changes(id, a, &[Condition::Changes(target, at as u32)]);
                    }
                }
                if let Some(receiver) = receiver
                    && !args.iter().all(is_constant)
                {
                    self.kept_by(id, receiver, &[Condition::Acts(target)]);
                }
            }
            _ => {
                let does = behaviour(self.program, self.body, self.resolved, id);
                if let Some(receiver) = receiver
                    && does.is_typed()
                    && does.changes_receiver()
                    && !args.iter().all(is_constant)
                {
                    self.changes(id, receiver, &[]);
                    self.kept_by(id, receiver, &[]);
                }
                for (at, &a) in args.iter().enumerate() {
                    if does.changes.has(at) && self.may_change(a) {
                        self.changes(id, a, &[]);
                    }
                }
            }
        }
    }

    /// True for a value whose type is known and that has something to change.
    fn may_change(&self, e: ExprId) -> bool {
        let ty = self.resolved.ty(e);
        ty != program::Ty::UNKNOWN && !library::is_immutable(self.program, ty)
    }

    /// The local or field that holds the object of an expression.
    fn place(&self, e: ExprId) -> Option<ExprId> {
        let e = library::object(self.program, self.body, self.resolved, e, true);
        match self.body.expr(e).kind {
            ExprKind::Local(_) => Some(e),
            ExprKind::Name(_) | ExprKind::Field { .. } => {
                matches!(self.resolved.name(e), Some(NameTarget::Field(_))).then_some(e)
            }
            _ => None,
        }
    }

    fn changes(&mut self, call: CallId, e: ExprId, only_if: &[Condition]) {
        if let Some(object) = self.place(e) {
            self.out.push(ChangedObject {
                call,
                object,
                only_if: only_if.into(),
            });
        }
    }

    /// The objects that the one of `holder` keeps since it was made, as far as the body shows its making.
    fn kept_by(&mut self, call: CallId, holder: ExprId, only_if: &[Condition]) {
        let mut work: Vec<(ExprId, Vec<Condition>)> = vec![(holder, only_if.to_vec())];
        for _ in 0..MAX_KEPT {
            let Some((e, only_if)) = work.pop() else {
                break;
            };
            let e = library::object(self.program, self.body, self.resolved, e, true);
            let made = match self.body.expr(e).kind {
                ExprKind::Local(l) => match self.body.locals[l.ix()].init {
                    Some(init) => {
                        library::object(self.program, self.body, self.resolved, init, true)
                    }
                    None => continue,
                },
                _ => e,
            };
            let ExprKind::Call(c) = self.body.expr(made).kind else {
                continue;
            };
            let maker = &self.body.calls[c.ix()];
            if !matches!(maker.callee, Callee::New { .. }) {
                continue;
            }
            let constructor: Option<MethodId> = match self.resolved.calls.get(c.ix()) {
                Some(&CallTarget::Workspace(m)) => Some(m),
                _ => None,
            };
            let does = library::of_call(self.program, self.body, self.resolved, c);
            let args = self.body.list(maker.args);
            for (at, &a) in args.iter().enumerate().take(MAX_ARGUMENTS) {
                if !self.may_change(a) {
                    continue;
                }
                let mut only_if = only_if.clone();
                match (constructor, does) {
                    (Some(m), _) => only_if.push(Condition::Keeps(m, at as u32)),
                    (None, Some(does)) if does.keeps.has(at) => {}
                    _ => continue,
                }
                self.changes(call, a, &only_if);
                work.push((a, only_if));
            }
        }
    }
}
