//! Which methods are *queries*: they give a value and change nothing that anyone else can see; and how often the
//! suite's assertions ask them ([`Habits`]).
//!
//! A method is pure if neither it nor anything that it may call writes a field, an array that it did not make, or calls
//! outside code that is not known to be pure. A cycle of calls is pure if nothing in it says otherwise. What a body does
//! itself is kept beside its chains, so snapshots share it; what it may do through its callees is found when it is asked,
//! by a walk along the calls that ends at the first that changes something, and remembered for this state.

use crate::assemble::Links;
use crate::library::{self, of_call};
use crate::offer::{Habits, QueryTarget};
use crate::workspace::Workspace;
use flow::{CallId, Callee, ExprKind, Target};
use program::{
    BodyId, CallTarget, MethodId, Modifiers, NameTarget, Program, ResolvedBody, Ty, TypeId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, format_smolstr};
use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

/// The pure methods of one state of a workspace: ask about no other.
#[derive(Debug)]
pub struct Purity {
    /// Whether a body may change something.
    impure: Found<BodyId>,
    /// Whether a body may change the object of its parameter, counted from 0.
    changes: Found<(BodyId, u32)>,
    habits: Arc<Habits>,
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
    /// Reads what the suite asserts; the rest is found when it is asked.
    pub fn new(workspace: &Workspace) -> Purity {
        Purity::with(Arc::new(Habits::new(workspace)))
    }

    /// That of `next`, if this is that of `before`. Equal to a new one; costs what differs between the two, and a look at
    /// each file.
    #[must_use]
    pub fn update(&self, before: &Workspace, next: &Workspace) -> Purity {
        let habits = Habits::update(&self.habits, before, next);
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
                habits,
                answers: Arc::clone(&self.answers),
            };
        }
        Purity::with(habits)
    }

    /// True if this is known to answer as `earlier` did, to everything that `earlier` was asked before this was made of
    /// it by [`Purity::update`]: whatever rests on those answers still stands as far as they go.
    pub fn answers_as(&self, earlier: &Purity) -> bool {
        Arc::ptr_eq(&self.answers, &earlier.answers) && self.habits.same(&earlier.habits)
    }

    fn with(habits: Arc<Habits>) -> Purity {
        Purity {
            impure: Found::default(),
            changes: Found::default(),
            habits,
            answers: Arc::default(),
        }
    }

    fn is_impure(&self, workspace: &Workspace, body: BodyId) -> bool {
        let program = workspace.program();
        self.impure.reaches(
            body,
            |b| workspace.effects(b).is_none_or(|e| e.impure),
            |b, out| {
                let calls = workspace.chains(b).map(|c| c.calls.as_slice());
                for site in calls.unwrap_or_default() {
                    // Making an object changes only what is new.
                    if !program.is_constructor(site.target) {
                        out.extend(workspace.dispatch(site.target, site.dispatches).iter());
                    }
                }
            },
        )
    }

    /// True if `body` may change the object of its parameter.
    fn changes(&self, workspace: &Workspace, body: BodyId, param: u32) -> bool {
        let goal = |(b, p): (BodyId, u32)| {
            let Some(effects) = workspace.effects(b) else {
                return false;
            };
            // An object is changed by a call of an impure method on it, too.
            let calls = effects.passed.iter();
            let mut calls = calls.filter(|c| c.param == p && c.at.is_none());
            effects.changed >> p & 1 == 1
                || calls.any(|c| {
                    let callees = workspace.dispatch(c.target, true);
                    callees.iter().any(|&b| self.is_impure(workspace, b))
                })
        };
        self.changes.reaches((body, param), goal, |(b, p), out| {
            let passed = workspace.effects(b).map(|e| &*e.passed);
            for c in passed.unwrap_or_default().iter().filter(|c| c.param == p) {
                if let Some(at) = c.at {
                    let callees = workspace.dispatch(c.target, true);
                    out.extend(callees.iter().map(|&callee| (callee, at)));
                }
            }
        })
    }

    /// True if a call of `method` may change the object that it is given as the argument `at`.
    pub fn changes_argument(&self, workspace: &Workspace, method: MethodId, at: usize) -> bool {
        let bodies = workspace.dispatch(method, true);
        bodies
            .iter()
            .any(|&b| self.changes(workspace, b, at.min(31) as u32))
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
                let bodies = workspace.dispatch(target, true);
                let is_own = !program.is_constructor(target)
                    && !program.method_has(target, Modifiers::STATIC);
                let changed =
                    (0..args.len()).filter(|at| self.changes_argument(workspace, target, *at));
                Touched {
                    receiver: is_own && bodies.iter().any(|&b| self.is_impure(workspace, b)),
                    arguments: changed.fold(0, |all, at| all | bit(at)),
                }
            }
            _ => {
                let does = library::behaviour(program, body, resolved, call);
                let receiver = match record.callee {
                    Callee::Method { receiver, .. } => receiver,
                    _ => None,
                };
                let changes =
                    |r| does.changes_receiver() && !library::is_immutable(program, resolved.ty(r));
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
            e = library::object(program, body, resolved, e, true);
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

    /// What the assertions of the suite ask.
    pub fn habits(&self) -> &Habits {
        &self.habits
    }

    /// True if no body that a call of `method` may run changes anything, and there is one.
    pub fn is_pure(&self, workspace: &Workspace, method: MethodId) -> bool {
        let bodies = workspace.dispatch(method, true);
        !bodies.is_empty() && bodies.iter().all(|&b| !self.is_impure(workspace, b))
    }

    /// The queries of a class as a class in `here` can call them: text, what is read, type of the value; nearest class
    /// first, then in order of the text, at most `most`. Those that `also` names count whatever they do.
    pub fn queries(
        &self,
        workspace: &Workspace,
        class: TypeId,
        here: TypeId,
        most: usize,
        also: &dyn Fn(&str) -> bool,
    ) -> Vec<(SmolStr, QueryTarget, Ty)> {
        let program = workspace.program();
        let mut out: Vec<(SmolStr, QueryTarget, Ty)> = Vec::new();
        let mut seen: FxHashSet<SmolStr> = FxHashSet::default();
        for class in std::iter::once(class).chain(program.supertypes(class)) {
            for &m in program.methods_of_type(class) {
                let Some(decl) = program.method_decl(m) else {
                    continue;
                };
                if !decl.params.is_empty()
                    || decl.modifiers.has(Modifiers::STATIC)
                    || program.is_constructor(m)
                    || !program.returns_value(m)
                    || !program.accessible(class, decl.modifiers, here)
                    || program.is_test_type(class)
                {
                    continue;
                }
                let text = format_smolstr!("{}()", decl.name);
                if seen.contains(&text) || !(self.is_pure(workspace, m) || also(&text)) {
                    continue;
                }
                seen.insert(text.clone());
                out.push((text, QueryTarget::Method(m), program.return_type(m)));
            }
            for &f in program.fields_of_type(class) {
                let Some(decl) = program.field_decl(f) else {
                    continue;
                };
                if decl.modifiers.has(Modifiers::STATIC) || !decl.modifiers.has(Modifiers::PUBLIC) {
                    continue;
                }
                if seen.insert(decl.name.clone()) {
                    out.push((
                        decl.name.clone(),
                        QueryTarget::Field(f),
                        program.field_type(f),
                    ));
                }
            }
            if out.len() >= most {
                break;
            }
        }
        out.truncate(most);
        out
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

/// What a body changes, as far as it can be told without its callees.
#[derive(Debug)]
pub(crate) struct Effects {
    impure: bool,
    /// The parameters whose objects it changes itself, one bit each, the first the lowest.
    changed: u32,
    passed: Box<[Passed]>,
}

/// A call that is given a parameter of the body around it.
#[derive(Debug)]
struct Passed {
    target: MethodId,
    param: u32,
    /// As which argument; as the receiver if none.
    at: Option<u32>,
}

impl Effects {
    /// Those of a body with its resolution; nothing else goes into them.
    pub(crate) fn of(program: &Program, body: &flow::Body, resolved: &ResolvedBody) -> Effects {
        let impure = is_impure_itself(program, body, resolved);
        let (mut changed, mut passed) = (0, Vec::new());
        if !body.params.is_empty() {
            changed = passes(program, body, resolved, &mut passed);
        }
        Effects {
            impure,
            changed,
            passed: passed.into(),
        }
    }
}

/// The parameters whose objects a body changes itself, as bits; its calls that are given parameters go to `passed`.
fn passes(
    program: &Program,
    body: &flow::Body,
    resolved: &ResolvedBody,
    passed: &mut Vec<Passed>,
) -> u32 {
    let mut changed = 0;
    let param = |mut e: flow::ExprId| {
        for _ in 0..20 {
            e = library::object(program, body, resolved, e, true);
            match body.expr(e).kind {
                ExprKind::Local(l) => {
                    let at = body.params.iter().position(|p| *p == l);
                    return at.filter(|at| *at < 32).map(|at| at as u32);
                }
                ExprKind::Field { object, .. } => e = object,
                ExprKind::Index { array, .. } => e = array,
                _ => return None,
            }
        }
        None
    };
    for def in &body.defs {
        let object = match def.target {
            Target::Element(array) => param(array),
            Target::Place(place) => match body.expr(place).kind {
                ExprKind::Field { object, .. } => param(object),
                _ => None,
            },
            _ => None,
        };
        if let Some(param) = object {
            changed |= 1 << param;
        }
    }
    for (i, call) in body.calls.iter().enumerate() {
        let receiver = match call.callee {
            Callee::Method { receiver, .. } => receiver,
            _ => None,
        };
        match resolved.calls.get(i) {
            Some(CallTarget::Workspace(target)) => {
                if let Some(param) = receiver.and_then(param) {
                    passed.push(Passed {
                        target: *target,
                        param,
                        at: None,
                    });
                }
                for (at, &a) in body.list(call.args).iter().enumerate().take(32) {
                    if let Some(param) = param(a) {
                        passed.push(Passed {
                            target: *target,
                            param,
                            at: Some(at as u32),
                        });
                    }
                }
            }
            _ => {
                let does = library::behaviour(program, body, resolved, CallId(i as u32));
                if does.changes_receiver()
                    && let Some(param) = receiver.and_then(param)
                {
                    changed |= 1 << param;
                }
                if does.changes.is_empty() {
                    continue;
                }
                for (at, &a) in body.list(call.args).iter().enumerate() {
                    if does.changes.has(at)
                        && let Some(param) = param(a)
                    {
                        changed |= 1 << param;
                    }
                }
            }
        }
    }
    changed
}

fn is_impure_itself(program: &Program, body: &flow::Body, resolved: &ResolvedBody) -> bool {
    // An object that a local holds and that was made here, or one that is made where it is used.
    let made = |e: flow::ExprId, views: bool| {
        let e = library::object(program, body, resolved, e, views);
        let made = match body.expr(e).kind {
            ExprKind::Local(l) => match body.locals[l.ix()].init {
                Some(init) => library::object(program, body, resolved, init, views),
                None => return false,
            },
            _ => e,
        };
        match body.expr(made).kind {
            ExprKind::NewArray { .. } => true,
            ExprKind::Call(c) => match body.calls[c.ix()].callee {
                Callee::New { .. } => true,
                Callee::Method { .. } => of_call(program, body, resolved, c)
                    .is_some_and(|does| does.is_new() || does.is_view()),
                _ => false,
            },
            _ => false,
        }
    };
    let fresh = |e| made(e, true);
    for def in &body.defs {
        let writes = match def.target {
            Target::Local(_) => false,
            Target::OwnField(_) => true,
            Target::Element(array) => !fresh(array),
            Target::Place(place) => match body.expr(place).kind {
                ExprKind::Field { object, .. } => !fresh(object),
                _ => true,
            },
        };
        if writes {
            return true;
        }
    }
    for (i, call) in body.calls.iter().enumerate() {
        let Callee::Method { receiver, .. } = call.callee else {
            continue;
        };
        let Some(does) = of_call(program, body, resolved, CallId(i as u32)) else {
            continue;
        };
        // What an iterator changes as it goes is its own place: of one that was asked for here nobody else knows.
        let asked_here = |e: flow::ExprId| {
            matches!(body.expr(e).kind, ExprKind::Local(l) if !body.params.contains(&l)
                && body.locals[l.ix()].init.is_some_and(|i| matches!(body.expr(i).kind, ExprKind::Call(_))))
        };
        let on_new = receiver.is_some_and(|r| match does.advances() {
            true => asked_here(r) || made(r, false),
            false => fresh(r),
        });
        let mut args = body.list(call.args).iter().enumerate();
        if (does.changes_receiver() || does.is_outside()) && !on_new
            || !does.changes.is_empty() && args.any(|(at, &a)| does.changes.has(at) && !fresh(a))
        {
            return true;
        }
    }
    false
}
