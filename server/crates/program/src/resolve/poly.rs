//! Poly expressions, which wait: what the lambdas among their arguments take, or what they give, follows from what the context of the
//! call asks for, as in `collect(toList())`, `stream.collect(toMap(p -> p.id(), p -> p))` or `Comparator<P> c = comparing(p -> p.id())` (JLS 15.12, 18.5.2).
//!
//! Such a call is put aside after its other arguments were read, and only if something that consumes it will say what
//! it must be: a call that takes it as an argument, a declaration, an assignment, a `return`, a cast, a lambda.

use super::Resolver;
use super::infer::Bindings;
use super::members::{Functional, Overload};
use super::overload::Argument;
use crate::ids::TypeId;
use crate::types::Ty;
use flow::{Body, CallId, ExprId, ExprKind, LocalId, Target, TypeRef, VariableKind};
use rustc_hash::FxHashMap;

/// A call put aside.
pub(super) struct Call<'a> {
    pub(super) id: CallId,
    pub(super) found: Overload<'a>,
    pub(super) bindings: Bindings,
    pub(super) args: Vec<Argument<'a>>,
    pub(super) class: Option<TypeId>,
    /// It gives a type parameter of which nothing is said: whatever is asked for.
    pub(super) free: bool,
}

/// See the module's description.
#[derive(Default)]
pub(super) struct PolyCalls<'a> {
    /// By expression, once someone wanted to know.
    asked: Option<Box<[Asked]>>,
    calls: FxHashMap<ExprId, Call<'a>>,
}

/// What consumes an expression and will say what it must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    No,
    /// A declaration, an assignment, a `return`, a cast, a lambda.
    ByTarget,
    ByCall,
}

/// What consumes which expression; linear.
fn asked(body: &Body) -> Box<[Asked]> {
    let mut out = vec![Asked::No; body.exprs.len()];
    for def in &body.defs {
        use VariableKind::*;
        let inferred = matches!(def.target, Target::Local(l)
            if body.types[body.locals[l.ix()].ty.ix()] == TypeRef::Inferred);
        if matches!(def.kind, Local | Field | Array | Resource)
            && !inferred
            && let Some(value) = body.list(def.sources).first()
        {
            out[value.ix()] = Asked::ByTarget;
        }
    }
    let returned = body.returns.iter().filter_map(|r| r.value);
    for e in returned.chain(body.lambdas.iter().filter_map(|l| l.value)) {
        out[e.ix()] = Asked::ByTarget;
    }
    for e in &body.exprs {
        if let ExprKind::Cast { operand, .. } = e.kind {
            out[operand.ix()] = Asked::ByTarget;
        }
    }
    for call in &body.calls {
        for arg in body.list(call.args) {
            out[arg.ix()] = Asked::ByCall;
        }
    }
    // Operands stand before what they are operands of.
    for at in (0..body.exprs.len()).rev() {
        if let ExprKind::Conditional { operands } | ExprKind::Switch { operands } =
            body.exprs[at].kind
            && out[at] != Asked::No
        {
            for value in body.list(operands).iter().skip(1) {
                out[value.ix()] = Asked::ByTarget;
            }
        }
    }
    out.into()
}

impl<'a> PolyCalls<'a> {
    fn asked(&mut self, body: &Body, e: ExprId) -> Asked {
        let all = self.asked.get_or_insert_with(|| asked(body));
        all.get(e.ix()).copied().unwrap_or(Asked::No)
    }
    /// True if the call `e` waits and may give whatever is asked for.
    pub(super) fn is_free(&self, e: ExprId) -> bool {
        !self.calls.is_empty() && self.calls.get(&e).is_some_and(|c| c.free)
    }
    pub(super) fn has(&self, e: ExprId) -> bool {
        !self.calls.is_empty() && self.calls.contains_key(&e)
    }
    pub(super) fn put(&mut self, e: ExprId, call: Call<'a>) {
        self.calls.insert(e, call);
    }
}

impl<'a> Resolver<'a, '_, '_> {
    /// True if a lambda writes the type of that parameter.
    pub(super) fn is_explicit(&self, local: LocalId) -> bool {
        self.body.types[self.body.locals[local.ix()].ty.ix()] != TypeRef::Inferred
    }

    /// True if some argument takes what no other argument says, or the result is what no argument says, and the context
    /// will say it.
    pub(super) fn must_wait(
        &mut self,
        expr: ExprId,
        found: &Overload<'a>,
        args: &[Argument<'a>],
        bindings: &Bindings,
        class: Option<TypeId>,
    ) -> bool {
        if !bindings.any_open() {
            return false;
        }
        let (declared, _) = self.declared_result(found, class);
        let result = self.is_open(declared, bindings);
        let function = result
            || args.iter().any(|a| {
                !matches!(
                    a,
                    Argument::Value(_) | Argument::Reference { exact: Some(_), .. }
                )
            });
        if !function {
            return false;
        }
        match self.poly_calls.asked(self.body, expr) {
            Asked::No => false,
            Asked::ByCall if result => true,
            _ => self.function_waits(expr, found, args, bindings),
        }
    }

    fn function_waits(
        &mut self,
        expr: ExprId,
        found: &Overload<'a>,
        args: &[Argument<'a>],
        bindings: &Bindings,
    ) -> bool {
        let ExprKind::Call(call) = self.kind(expr) else {
            return false;
        };
        let operands = self.body.list(self.body.calls[call.ix()].args);
        (0..operands.len()).any(|at| {
            let function = match (self.kind(operands[at]), args[at]) {
                (ExprKind::Lambda(lambda), _) => {
                    let params = &self.lambda_record(lambda).params;
                    if params.is_empty() || params.iter().all(|&l| self.is_explicit(l)) {
                        return false;
                    }
                    true
                }
                (_, Argument::Reference { exact: None, .. }) => true,
                _ if self.poly_calls.has(operands[at]) => false,
                _ => return false,
            };
            let formal = self.formal(found, args, at);
            if !function {
                return self.is_open(formal, bindings);
            }
            let formal = self.data.ids.lower(formal);
            if bindings.is_open(self.data.ids.kind(formal)) {
                return true;
            }
            match self.look.functional(formal) {
                Functional::Yes(f) => f.params.iter().any(|&p| self.is_open(p, bindings)),
                _ => false,
            }
        })
    }

    /// True if what consumes an expression says what it must be.
    pub(super) fn is_asked(&mut self, e: ExprId) -> bool {
        self.poly_calls.asked(self.body, e) != Asked::No
    }

    /// True if the type mentions a type parameter of which nothing is known yet.
    pub(super) fn is_open(&self, ty: Ty, bindings: &Bindings) -> bool {
        let mut open = false;
        self.data.ids.replace(ty, &mut |var| {
            open |= bindings.is_open(var);
            None
        });
        open
    }

    /// Finishes the call `e`, if it waits, with the type that its context asks for.
    pub(super) fn resume(&mut self, e: ExprId, target: Ty) {
        if self.poly_calls.calls.is_empty() {
            return;
        }
        let Some(mut call) = self.poly_calls.calls.remove(&e) else {
            return;
        };
        let (declared, site) = self.declared_result(&call.found, call.class);
        let mut ret = self.look.member_ty(declared, site);
        if call.found.implicit {
            ret = self.look.inherited(ret);
        }
        self.look.learn_target(&mut call.bindings, ret, target);
        let ty = stacker::maybe_grow(128 * 1024, 1024 * 1024, || {
            self.complete(call.id, &call.found, call.bindings, &call.args, call.class)
        });
        self.types[e.ix()] = ty;
    }

    /// Finishes the calls from `first` up to `end` that nothing asked for.
    pub(super) fn resume_all(&mut self, first: ExprId, end: ExprId) {
        if self.poly_calls.calls.is_empty() {
            return;
        }
        #[allow(clippy::iter_over_hash_type, reason = "sorted at once")]
        let mut left: Vec<ExprId> = self
            .poly_calls
            .calls
            .keys()
            .copied()
            .filter(|e| (first.0..end.0).contains(&e.0))
            .collect();
        // Those around others first.
        left.sort_unstable_by_key(|e| std::cmp::Reverse(e.0));
        for e in left {
            self.resume(e, Ty::UNKNOWN);
        }
    }
}
