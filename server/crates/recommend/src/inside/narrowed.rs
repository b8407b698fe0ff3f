//! Numbers and texts of the code under test of which only a part comes out.
//!
//! A value that is returned, kept, thrown or given to other code as it is shows there: whoever reads that sees a wrong one.
//! Of `total` in `return total % 10 == 0`, of `age` in `age >= 18 ? ADULT : CHILD`, comes out one answer of two, or few, and
//! most wrong values give the right one. Testing calls that *failed error propagation* by loss of information (Clark,
//! Hierons 2012). Those are what a check in the code is for. A comparison for equality with another
//! computed value is not among what narrows: where it holds, a wrong value shows.

use super::guards::runs_beyond_guards;
use crate::computed::is_value;
use calls::{Unit, Workspace};
use chains::Candidate;
use flow::{BinaryOp, Body, CallId, Callable, Callee, ExprId, ExprKind, LocalId, Target};
use observe::is_logger;
use program::{BodyId, CallTarget, Modifiers, Program, ResolvedBody, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// How much of a value comes out of the code that computes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Out {
    /// Nothing uses it but what logs it or throws.
    Nothing,
    /// One answer of few.
    Part,
    /// A wrong one shows, as far as anybody looks there; or nobody knows.
    Whole,
}

/// Through how many variables and calls a value is followed.
const STEPS: usize = 40;

/// By expression what uses it.
type Users = Rc<[Option<ExprId>]>;

/// See the module's description.
pub(super) struct Narrowing<'a> {
    workspace: &'a Workspace,
    units: &'a [Unit],
    users: RefCell<FxHashMap<BodyId, Users>>,
}

/// A body with what is known of it.
struct Code<'a> {
    id: BodyId,
    body: &'a Body,
    resolved: &'a ResolvedBody,
    users: Users,
}

/// What was followed so far.
#[derive(Default)]
struct Way {
    locals: FxHashSet<(BodyId, LocalId)>,
    returned: FxHashSet<BodyId>,
}

impl<'a> Narrowing<'a> {
    pub(super) fn new(workspace: &'a Workspace, units: &'a [Unit]) -> Narrowing<'a> {
        Narrowing {
            workspace,
            units,
            users: RefCell::default(),
        }
    }

    /// True for a local variable, or for what a method returns, that is a number or a text of which only a part comes out.
    pub(super) fn concerns(&self, unit: &Unit, candidate: &Candidate) -> bool {
        let runs = |body| runs_beyond_guards(body, candidate);
        let Some(code) = self
            .code(unit.body)
            .filter(|code| calculates(code.body, candidate) && runs(code.body))
        else {
            return false;
        };
        let program = self.workspace.program();
        let mut way = Way::default();
        let (ty, out) = match (candidate.local, candidate.def) {
            (Some(local), Some(def)) if code.body.defs[def.ix()].target == Target::Local(local) => {
                (
                    code.resolved.locals.get(local.ix()).copied(),
                    self.local(&code, local, &mut way),
                )
            }
            (None, None) if candidate.callable == Callable::Member => (
                candidate.value.map(|value| code.resolved.ty(value)),
                self.returned(unit.body, &mut way),
            ),
            _ => return false,
        };
        ty.is_some_and(|ty| is_wide(program, ty)) && out == Out::Part
    }

    fn code(&self, id: BodyId) -> Option<Code<'a>> {
        let body = &*self.workspace.program().body(id)?.body;
        let resolved = self.workspace.resolved(id)?;
        let mut known = self.users.borrow_mut();
        let users = known.entry(id).or_insert_with(|| users(body)).clone();
        Some(Code {
            id,
            body,
            resolved,
            users,
        })
    }

    /// What becomes of all reads of a local.
    fn local(&self, code: &Code<'_>, local: LocalId, way: &mut Way) -> Out {
        if !way.locals.insert((code.id, local)) {
            return Out::Nothing;
        }
        // What code of a class within does with it stands elsewhere.
        let mut classes = code.body.classes.iter();
        if way.locals.len() > STEPS || classes.any(|c| c.visible.contains(&local)) {
            return Out::Whole;
        }
        let mut out = Out::Nothing;
        for (at, e) in (0u32..).zip(&code.body.exprs) {
            if e.kind == ExprKind::Local(local) {
                out = out.max(self.value(code, ExprId(at), way));
            }
        }
        out
    }

    /// What becomes of what a private method returns, where it is called; what others give those who call them can look at.
    fn returned(&self, body: BodyId, way: &mut Way) -> Out {
        if !way.returned.insert(body) {
            return Out::Nothing;
        }
        let program = self.workspace.program();
        let Some(method) = program.body_method(body) else {
            return Out::Whole;
        };
        if !program.method_has(method, Modifiers::PRIVATE) {
            return Out::Whole;
        }
        let file = program.body_file(body);
        let beside = self
            .units
            .iter()
            .filter(|u| program.body_file(u.body) == file);
        let mut out = None;
        for unit in beside {
            for site in unit.chains.calls.iter().filter(|s| s.target == method) {
                let code = site.call.and_then(|_| self.code(unit.body));
                let own = code.map_or(Out::Whole, |code| self.value(&code, site.expr, way));
                out = out.max(Some(own));
            }
        }
        out.unwrap_or(Out::Whole)
    }

    fn text(&self, code: &Code<'_>, e: ExprId) -> &str {
        let of = code.body.expr(e);
        self.workspace
            .program()
            .body_text(code.id, of.start, of.end)
    }

    /// True for a local that begins at nothing and is only counted up.
    fn only_counts(&self, code: &Code<'_>, e: ExprId) -> bool {
        let body = code.body;
        let ExprKind::Local(local) = body.expr(e).kind else {
            return false;
        };
        let name = body.locals[local.ix()].name.as_str();
        let own = |d: &&flow::Def| d.target == Target::Local(local);
        let (steps, others): (Vec<&flow::Def>, Vec<&flow::Def>) =
            body.defs.iter().filter(own).partition(|d| d.compound);
        let counts = |d: &&flow::Def| {
            let step: String = self.text(code, d.expr).split_whitespace().collect();
            let step = step.strip_prefix(name).or(step.strip_suffix(name));
            matches!(step, Some("++" | "+=1"))
        };
        let begins = |d: &&flow::Def| match body.list(d.sources) {
            [one] => self.text(code, *one) == "0",
            _ => false,
        };
        !steps.is_empty() && steps.iter().all(counts) && others.iter().all(begins)
    }

    /// What becomes of the value of an expression.
    fn value(&self, code: &Code<'_>, mut e: ExprId, way: &mut Way) -> Out {
        let body = code.body;
        // What went elsewhere on the way, and what may come out at most. An expression may be thousands deep.
        let (mut out, mut most) = (Out::Nothing, Out::Whole);
        let mut is_rest = false;
        while let Some(user) = code.users[e.ix()] {
            let ends = match body.expr(user).kind {
                ExprKind::Binary { op, left, right } => {
                    let other = if left == e { right } else { left };
                    match op {
                        // So does whether any were counted.
                        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
                            if asks_for_any(op, left == e, self.text(code, other))
                                && self.only_counts(code, e) =>
                        {
                            Some(Out::Nothing)
                        }
                        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                            Some(compared(body, user, &[e, other]))
                        }
                        // Whether there is one says nothing of which.
                        BinaryOp::Eq | BinaryOp::Ne if is_literal(body, other) => match is_rest {
                            true => Some(Out::Part),
                            false => Some(Out::Nothing),
                        },
                        BinaryOp::Eq | BinaryOp::Ne => Some(Out::Whole),
                        // An angle less its turns shows where it comes out, but for the turns.
                        BinaryOp::Rem if left == e => {
                            is_rest = true;
                            None
                        }
                        BinaryOp::Div if left == e && is_whole(code.resolved.ty(user)) => {
                            most = Out::Part;
                            None
                        }
                        _ => None,
                    }
                }
                ExprKind::Unary { .. } | ExprKind::Cast { .. } | ExprKind::Conditional { .. } => {
                    None
                }
                ExprKind::Switch { operands } if body.list(operands).first() != Some(&e) => None,
                ExprKind::Throw { .. } => Some(Out::Nothing),
                ExprKind::Define(d) => match body.defs[d.ix()].target {
                    Target::Local(local) => {
                        out = out.max(self.local(code, local, way));
                        None
                    }
                    _ => Some(Out::Whole),
                },
                ExprKind::Return(at) => match body.returns[at as usize].callable {
                    Callable::Member => Some(self.returned(code.id, way)),
                    Callable::Lambda(_) => Some(Out::Whole),
                },
                ExprKind::Call(call) => self.given(code, call, user, e, way),
                _ => Some(Out::Whole),
            };
            match ends {
                Some(end) => return out.max(end).min(most),
                None => e = user,
            }
        }
        out.min(most)
    }

    /// What becomes of the receiver or an argument `e` of a call; none if it goes on in what the call gives.
    fn given(
        &self,
        code: &Code<'_>,
        call: CallId,
        at: ExprId,
        e: ExprId,
        way: &mut Way,
    ) -> Option<Out> {
        let (body, resolved) = (code.body, code.resolved);
        let program = self.workspace.program();
        let Callee::Method { receiver, name } = body.calls[call.ix()].callee else {
            // Where one is thrown a test sees that.
            let made = program.erased_class(resolved.ty(at));
            let is_thrown = made.is_some_and(|c| {
                let mut names = program.supertype_names(c).into_iter();
                names.any(|n| n == "java.lang.Throwable")
            });
            return Some(if is_thrown { Out::Nothing } else { Out::Whole });
        };
        if receiver.is_some_and(|r| is_logger(program, resolved.ty(r))) {
            return Some(Out::Nothing);
        }
        if let Some(CallTarget::Workspace(method)) = resolved.calls.get(call.ix()) {
            // An inner oracle gives back what it is given.
            let file = program.method_file(*method);
            if file.is_some_and(|f| program.is_guard_class(f)) {
                return None;
            }
            let args = body.list(body.calls[call.ix()].args);
            return Some(self.argument(code, at, args, e, way));
        }
        let (gives, name) = (resolved.ty(at), body.name(name).as_str());
        let is_receiver = receiver == Some(e);
        let is_text = ["format", "valueOf"].contains(&name);
        let makes_text = is_text
            && receiver.is_some_and(
                |r| matches!(body.expr(r).kind, ExprKind::Name(n) if body.name(n) == "String"),
            );
        let is_pure =
            is_receiver || makes_text || is_of_language(program, body, resolved, at, receiver);
        let says_same = ["equals", "equalsIgnoreCase", "contentEquals"];
        let orders = ["compareTo", "compare", "signum"].contains(&name);
        if is_pure && orders {
            let mut values = body.list(body.calls[call.ix()].args).to_vec();
            values.push(e);
            return Some(compared(body, at, &values));
        }
        if !is_pure || says_same.contains(&name) || !is_value(program, gives) {
            Some(Out::Whole)
        } else if gives == Ty::BOOLEAN {
            Some(Out::Part)
        } else {
            None
        }
    }

    /// What becomes of an argument in the methods of the workspace that a call may go to.
    fn argument(
        &self,
        code: &Code<'_>,
        at: ExprId,
        args: &[ExprId],
        e: ExprId,
        way: &mut Way,
    ) -> Out {
        let unit = self.units.iter().find(|u| u.body == code.id);
        let site = unit.and_then(|u| u.chains.calls.iter().find(|s| s.expr == at));
        let (Some(site), Some(nth)) = (site, args.iter().position(|a| *a == e)) else {
            return Out::Whole;
        };
        let targets = self.workspace.call_graph().targets(site);
        let mut out = None;
        for &body in targets.bodies().iter() {
            let chains = self.workspace.chains(body);
            let param = chains.and_then(|c| c.candidates.get(*c.params.get(nth)? as usize));
            let local = param.and_then(|c| c.local);
            let own = match (self.code(body), local) {
                (Some(code), Some(local)) if !code.body.locals[local.ix()].varargs => {
                    self.local(&code, local, way)
                }
                _ => Out::Whole,
            };
            out = out.max(Some(own));
        }
        out.unwrap_or(Out::Whole)
    }
}

/// True for a definition that combines values, by arithmetic or the language's functions, in two steps or more: what is asked
/// of one thing, parsed or looked up is right or wrong elsewhere, and one step (`a - b`) is as plain as what it is made of.
fn calculates(body: &Body, candidate: &Candidate) -> bool {
    let def = candidate.def.map(|d| &body.defs[d.ix()]);
    let mut steps = 0;
    let mut work: Vec<ExprId> = match (def, candidate.value) {
        (Some(def), _) => {
            // What a loop adds up takes as many as its turns.
            let adds_up = grows(body, def) && body.loop_around(def.expr).is_some();
            steps += usize::from(def.compound) + usize::from(adds_up);
            body.list(def.sources).to_vec()
        }
        (None, Some(value)) => vec![value],
        (None, None) => return false,
    };
    while let Some(e) = work.pop() {
        match body.expr(e).kind {
            ExprKind::Binary { op, .. } if op.compares() => continue,
            ExprKind::Binary { .. } => steps += 1,
            ExprKind::Call(c) => match body.calls[c.ix()].callee {
                Callee::Method {
                    receiver: Some(r), ..
                } if matches!(body.expr(r).kind, ExprKind::Name(n) if body.name(n) == "Math") => {
                    steps += 1;
                }
                _ => continue,
            },
            ExprKind::Unary { .. } | ExprKind::Cast { .. } => {}
            _ => continue,
        }
        body.operands_of(e, &mut work);
    }
    steps >= 2
}

/// `x += y`, `x = x + y`
fn grows(body: &Body, def: &flow::Def) -> bool {
    let Target::Local(local) = def.target else {
        return def.compound;
    };
    let is_itself = |e: ExprId, work: &mut Vec<ExprId>| {
        body.operands_of(e, work);
        body.expr(e).kind != ExprKind::Local(local)
    };
    def.compound || !body.every_part(body.list(def.sources), MOST_PARTS, is_itself)
}

/// Parts beyond which an expression is taken to name its variable.
const MOST_PARTS: usize = 50;

/// True for what tells none from some: `n > 0`, `n >= 1`, `0 < n`, and the contrary.
fn asks_for_any(op: BinaryOp, is_left: bool, other: &str) -> bool {
    let op = match (is_left, op) {
        (true, op) => op,
        (false, BinaryOp::Lt) => BinaryOp::Gt,
        (false, BinaryOp::Le) => BinaryOp::Ge,
        (false, BinaryOp::Gt) => BinaryOp::Lt,
        (false, BinaryOp::Ge) => BinaryOp::Le,
        (false, op) => op,
    };
    matches!(
        (op, other),
        (BinaryOp::Gt | BinaryOp::Le, "0") | (BinaryOp::Ge | BinaryOp::Lt, "1")
    )
}

/// What becomes of values that are told to be less or greater: one answer of few. A loop that steps one of them runs as
/// often as they say.
fn compared(body: &Body, at: ExprId, values: &[ExprId]) -> Out {
    match body.loop_around(at).is_some() && values.iter().any(|e| steps(body, *e)) {
        true => Out::Whole,
        false => Out::Part,
    }
}

/// True for an expression of a variable that is stepped.
fn steps(body: &Body, e: ExprId) -> bool {
    let mut work = vec![e];
    while let Some(e) = work.pop() {
        if let ExprKind::Local(local) = body.expr(e).kind {
            let steps = |d: &flow::Def| d.compound && d.target == Target::Local(local);
            if body.locals[local.ix()].counter || body.defs.iter().any(steps) {
                return true;
            }
        }
        body.operands_of(e, &mut work);
    }
    false
}

fn is_whole(ty: Ty) -> bool {
    [Ty::INT, Ty::LONG].contains(&ty)
}

/// By expression what uses it.
fn users(body: &Body) -> Users {
    let mut out = vec![None; body.exprs.len()];
    let mut operands = Vec::new();
    for at in 0..body.exprs.len() as u32 {
        operands.clear();
        body.operands_of(ExprId(at), &mut operands);
        for operand in &operands {
            out[operand.ix()] = Some(ExprId(at));
        }
    }
    out.into()
}

/// True for numbers and texts: of truth values and characters a part is all.
fn is_wide(program: &Program, ty: Ty) -> bool {
    if ty.is_primitive() {
        return [Ty::SHORT, Ty::INT, Ty::LONG, Ty::FLOAT, Ty::DOUBLE].contains(&ty);
    }
    let class = program.library_class_of(ty);
    class.is_some_and(|class| models::is_wide(class))
}

fn is_literal(body: &Body, mut e: ExprId) -> bool {
    while let ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } = body.expr(e).kind {
        e = operand;
    }
    matches!(body.expr(e).kind, ExprKind::Literal(_))
}

/// True for a method of a class that only computes.
fn is_of_language(
    program: &Program,
    body: &Body,
    resolved: &ResolvedBody,
    at: ExprId,
    receiver: Option<ExprId>,
) -> bool {
    let of = match (resolved.library_method(at), receiver) {
        (Some(method), _) => program.type_name(program.method_owner(method)).to_string(),
        (None, Some(r)) => match body.expr(r).kind {
            ExprKind::Name(name) => body.name(name).to_string(),
            _ => program.display_type(resolved.ty(r)).to_string(),
        },
        (None, None) => return false,
    };
    models::only_computes(&of)
}
