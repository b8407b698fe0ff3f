//! Which methods are *queries*: they give a value and change nothing that anyone else can see.
//!
//! A method is pure if neither it nor anything that it may call writes a field, an array that it did not make, or calls
//! outside code that is not known to be pure. A cycle of calls is pure if nothing in it says otherwise. What a body does
//! itself is kept as long as its chains; what it may do through its callees is found when it is asked, by a walk along the
//! calls that ends at the first that changes something, and remembered for this state.

use crate::own::Kept;
use calls::Workspace;
use flow::{CallId, Callee, ExprKind};
use program::{BodyId, CallTarget, MethodId, Modifiers, NameTarget, Program, ResolvedBody};
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

/// The pure methods of one state of a workspace: ask about no other.
#[derive(Debug, Default)]
pub struct Purity {
    /// Whether a body may change something.
    impure: Found<BodyId>,
    /// Whether a body may change the object of its parameter, counted from 0.
    changes: Found<(BodyId, u32)>,
    /// What each body changes itself.
    own: Arc<Kept>,
    /// The same as long as nothing changes that was ever answered.
    answers: Arc<()>,
}

/// What was found out so far.
#[derive(Debug)]
struct Found<K>(RwLock<FxHashMap<K, bool>>);

impl<K> Default for Found<K> {
    fn default() -> Self {
        Found(RwLock::default())
    }
}

impl<K: Copy + Eq + Hash> Found<K> {
    /// A copy, if nothing in it rests on a body that `changed` names. Of a walk that found nothing all bodies are in it;
    /// of one that found something, those on the path there, and as long as that path is there the answer stands.
    fn kept(&self, changed: impl Fn(K) -> bool) -> Option<Found<K>> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        (!known.keys().any(|k| changed(*k))).then(|| Found(RwLock::new(known.clone())))
    }

    fn get(&self, key: K) -> Option<bool> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        known.get(&key).copied()
    }

    /// True if from `start` something can be reached that is a `goal`, by the steps that `next` gives. If nothing can,
    /// the same holds for all that was seen on the way; if something can, for all on the path there.
    fn reaches(
        &self,
        start: K,
        goal: impl Fn(K) -> bool,
        mut next: impl FnMut(K, &mut Vec<K>),
    ) -> bool {
        if let Some(known) = self.get(start) {
            return known;
        }
        let mut from: FxHashMap<K, Option<K>> = FxHashMap::default();
        from.insert(start, None);
        let mut work = vec![start];
        let mut steps = Vec::new();
        while let Some(at) = work.pop() {
            let known = self.get(at);
            if known.unwrap_or_else(|| goal(at)) {
                let mut found = self.0.write().unwrap_or_else(PoisonError::into_inner);
                let mut on = Some(at);
                while let Some(key) = on {
                    found.insert(key, true);
                    on = from.get(&key).copied().flatten();
                }
                return true;
            }
            if known.is_some() {
                continue;
            }
            steps.clear();
            next(at, &mut steps);
            for &step in &steps {
                from.entry(step).or_insert_with(|| {
                    work.push(step);
                    Some(at)
                });
            }
        }
        let mut found = self.0.write().unwrap_or_else(PoisonError::into_inner);
        found.extend(from.into_keys().map(|key| (key, false)));
        false
    }
}

impl Purity {
    /// That of `next`, if this is that of `before`. Answers as a new one does.
    #[must_use]
    pub fn update(&self, before: &Workspace, next: &Workspace) -> Purity {
        let (was, is) = (before.program(), next.program());
        let mut changed: Vec<BodyId> = is.changed_bodies().to_vec();
        changed.sort_unstable();
        let touches = |b: BodyId| changed.binary_search(&b).is_ok();
        if is.same_declarations(was)
            && is.follows(was)
            && let Some(impure) = self.impure.kept(touches)
            && let Some(changes) = self.changes.kept(|(b, _)| touches(b))
        {
            return Purity {
                impure,
                changes,
                own: Arc::clone(&self.own),
                answers: Arc::clone(&self.answers),
            };
        }
        self.own.sweep(next);
        Purity {
            own: Arc::clone(&self.own),
            ..Purity::default()
        }
    }

    /// True if this is known to answer as `earlier` did, to everything that `earlier` was asked before this was made of
    /// it by [`Purity::update`]: whatever rests on those answers still stands as far as they go.
    pub fn answers_as(&self, earlier: &Purity) -> bool {
        Arc::ptr_eq(&self.answers, &earlier.answers)
    }

    fn is_impure(&self, workspace: &Workspace, body: BodyId) -> bool {
        let program = workspace.program();
        self.impure.reaches(
            body,
            |b| self.own.of(workspace, b).is_none_or(|e| e.impure),
            |b, out| {
                let calls = workspace.chains(b).map(|c| c.calls.as_slice());
                for site in calls.unwrap_or_default() {
                    // Making an object changes only what is new.
                    if !program.is_constructor(site.target) {
                        out.extend(workspace.call_graph().targets(site).bodies().iter());
                    }
                }
            },
        )
    }

    /// True if `body` may change the object of its parameter.
    fn changes(&self, workspace: &Workspace, body: BodyId, param: u32) -> bool {
        let goal = |(b, p): (BodyId, u32)| {
            let Some(effects) = self.own.of(workspace, b) else {
                return false;
            };
            // An object is changed by a call of an impure method on it, too.
            let calls = effects.passed.iter();
            let mut calls = calls.filter(|c| c.param == p && c.at.is_none());
            effects.changed >> p & 1 == 1
                || calls.any(|c| {
                    let callees = workspace.call_graph().targets_of(c.target);
                    callees
                        .bodies()
                        .iter()
                        .any(|&b| self.is_impure(workspace, b))
                })
        };
        self.changes.reaches((body, param), goal, |(b, p), out| {
            let effects = self.own.of(workspace, b);
            let passed = effects.as_ref().map_or(&[][..], |e| &e.passed);
            for c in passed.iter().filter(|c| c.param == p) {
                if let Some(at) = c.at {
                    let callees = workspace.call_graph().targets_of(c.target);
                    out.extend(callees.bodies().iter().map(|&callee| (callee, at)));
                }
            }
        })
    }

    /// True if a call of `method` may change the object that it is given as the argument `at`.
    pub fn changes_argument(&self, workspace: &Workspace, method: MethodId, at: usize) -> bool {
        let targets = workspace.call_graph().targets_of(method);
        let mut bodies = targets.bodies().iter();
        bodies.any(|&b| self.changes(workspace, b, at.min(31) as u32))
    }

    /// Which of the objects that a call works on it may change. What is not known changes nothing, but a receiver of a
    /// library's class that may.
    pub fn touched(
        &self,
        workspace: &Workspace,
        body: &flow::Body,
        resolved: &ResolvedBody,
        call: CallId,
    ) -> Touched {
        let program = workspace.program();
        let record = &body.calls[call.ix()];
        let args = body.list(record.args);
        let bit = |at: usize| 1u32 << at.min(31);
        match resolved.calls.get(call.ix()) {
            Some(&CallTarget::Workspace(target)) => {
                let targets = workspace.call_graph().targets_of(target);
                let mut bodies = targets.bodies().iter();
                let is_own = !program.is_constructor(target)
                    && !program.method_has(target, Modifiers::STATIC);
                let changed =
                    (0..args.len()).filter(|at| self.changes_argument(workspace, target, *at));
                Touched {
                    receiver: is_own && bodies.any(|&b| self.is_impure(workspace, b)),
                    arguments: changed.fold(0, |all, at| all | bit(at)),
                }
            }
            _ => {
                let does = models::behaviour(program, body, resolved, call);
                let receiver = match record.callee {
                    Callee::Method { receiver, .. } => receiver,
                    _ => None,
                };
                let changes =
                    |r| does.changes_receiver() && !models::is_immutable(program, resolved.ty(r));
                let changed = (0..args.len()).filter(|at| does.changes.has(*at));
                Touched {
                    receiver: receiver.is_some_and(changes),
                    arguments: changed.fold(0, |all, at| all | bit(at)),
                }
            }
        }
    }

    /// The expression of the object whose change a change of `e`'s value is: through casts, through calls of a library that
    /// give their receiver, an argument or a view of it, and through queries and fields of an object that holds it.
    pub fn holder(
        &self,
        workspace: &Workspace,
        body: &flow::Body,
        resolved: &ResolvedBody,
        mut e: flow::ExprId,
    ) -> flow::ExprId {
        let program = workspace.program();
        for _ in 0..20 {
            e = models::object(program, body, resolved, e, true);
            e = match body.expr(e).kind {
                ExprKind::Call(c) => {
                    match (body.calls[c.ix()].callee, resolved.calls.get(c.ix())) {
                        (
                            Callee::Method {
                                receiver: Some(receiver),
                                ..
                            },
                            Some(&CallTarget::Workspace(target)),
                        ) if body.calls[c.ix()].args.len == 0
                            && self.is_pure(workspace, target) =>
                        {
                            receiver
                        }
                        _ => return e,
                    }
                }
                ExprKind::Field { object, .. }
                    if matches!(body.expr(object).kind, ExprKind::Local(_))
                        && is_own_field(program, resolved, e) =>
                {
                    object
                }
                ExprKind::Index { array, .. } => array,
                _ => return e,
            };
        }
        e
    }

    /// True if no body that a call of `method` may run changes anything, and there is one, or a record gives a component of its own.
    pub fn is_pure(&self, workspace: &Workspace, method: MethodId) -> bool {
        let targets = workspace.call_graph().targets_of(method);
        let bodies = targets.bodies();
        let is_known = !bodies.is_empty() || !targets.components().is_empty();
        is_known && bodies.iter().all(|&b| !self.is_impure(workspace, b))
    }
}

/// Which of the objects that a call works on it may change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// The receiver.
    pub receiver: bool,
    arguments: u32,
}

impl Touched {
    /// True for an argument, counted from 0.
    pub fn argument(self, at: usize) -> bool {
        self.arguments >> at.min(31) & 1 == 1
    }
}

/// True for a field of the object before it; a static one is nobody's.
fn is_own_field(program: &Program, resolved: &ResolvedBody, e: flow::ExprId) -> bool {
    match resolved.name(e) {
        Some(NameTarget::Field(f)) => program
            .field_decl(f)
            .is_some_and(|f| !f.modifiers.has(Modifiers::STATIC)),
        _ => false,
    }
}
