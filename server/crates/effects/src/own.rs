//! What a body changes itself, whatever its callees do.

use calls::Workspace;
use chains::Chains;
use flow::{Body, CallId, Callee, ExprId, ExprKind, Target};
use program::{BodyId, CallTarget, MethodId, Program, ResolvedBody};
use rustc_hash::FxHashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// The effects of a body, and the chains that it had: they rest on the same.
type Of = (Arc<Chains>, Arc<Effects>);

/// What was found of bodies, each as long as its chains. All states of a workspace share it.
#[derive(Debug, Default)]
pub(crate) struct Kept(RwLock<FxHashMap<BodyId, Of>>);

impl Kept {
    /// The effects of a body; none if it has no chains.
    pub(crate) fn of(&self, workspace: &Workspace, body: BodyId) -> Option<Arc<Effects>> {
        let chains = workspace.chains(body)?;
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, effects)) = known.get(&body)
            && Arc::ptr_eq(of, chains)
        {
            return Some(Arc::clone(effects));
        }
        drop(known);
        let program = workspace.program();
        let (records, resolved) = (&program.body(body)?.body, workspace.resolved(body)?);
        let effects = Arc::new(Effects::of(program, records, resolved));
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(body, (Arc::clone(chains), Arc::clone(&effects)));
        Some(effects)
    }

    /// Forgets bodies that are gone or say something else.
    pub(crate) fn sweep(&self, workspace: &Workspace) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let is_there = |body: &BodyId, of: &Arc<Chains>| {
            let chains = workspace.chains(*body);
            chains.is_some_and(|chains| Arc::ptr_eq(of, chains))
        };
        known.retain(|body, (of, _)| is_there(body, of));
    }
}

/// What a body changes, as far as it can be told without its callees.
#[derive(Debug)]
pub(crate) struct Effects {
    pub(crate) impure: bool,
    /// The parameters whose objects it changes itself, one bit each, the first the lowest.
    pub(crate) changed: u32,
    pub(crate) passed: Box<[Passed]>,
}

/// A call that is given a parameter of the body around it.
#[derive(Debug)]
pub(crate) struct Passed {
    pub(crate) target: MethodId,
    pub(crate) param: u32,
    /// As which argument; as the receiver if none.
    pub(crate) at: Option<u32>,
}

impl Effects {
    /// Those of a body with its resolution; nothing else goes into them.
    fn of(program: &Program, body: &Body, resolved: &ResolvedBody) -> Effects {
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
    body: &Body,
    resolved: &ResolvedBody,
    passed: &mut Vec<Passed>,
) -> u32 {
    let mut changed = 0;
    let param = |mut e: ExprId| {
        for _ in 0..20 {
            e = models::object(program, body, resolved, e, true);
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
                let does = models::behaviour(program, body, resolved, CallId(i as u32));
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

fn is_impure_itself(program: &Program, body: &Body, resolved: &ResolvedBody) -> bool {
    // An object that a local holds and that was made here, or one that is made where it is used.
    let made = |e: ExprId, views: bool| {
        let e = models::object(program, body, resolved, e, views);
        let made = match body.expr(e).kind {
            ExprKind::Local(l) => match body.locals[l.ix()].init {
                Some(init) => models::object(program, body, resolved, init, views),
                None => return false,
            },
            _ => e,
        };
        match body.expr(made).kind {
            ExprKind::NewArray { .. } => true,
            ExprKind::Call(c) => match body.calls[c.ix()].callee {
                Callee::New { .. } => true,
                Callee::Method { .. } => models::of_call(program, body, resolved, c)
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
        let Some(does) = models::of_call(program, body, resolved, CallId(i as u32)) else {
            continue;
        };
        // What an iterator changes as it goes is its own place: of one that was asked for here nobody else knows.
        let asked_here = |e: ExprId| {
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
