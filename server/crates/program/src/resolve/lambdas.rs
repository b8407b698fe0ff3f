//! Lambdas and method references: they wait for the type that their context gives them.

use super::members::{Function, Functional, Overload};
use super::overload::{Argument, Choice, Exact};
use super::{Qualifier, Resolver};
use crate::ids::MethodId;
use crate::types::Ty;
use crate::types::relations::Holds;
use flow::{Body, Callable, ExprId, ExprKind, LambdaId, TypeRef};
use rustc_hash::FxHashMap;

/// Which lambdas wait.
pub(super) struct Lambdas {
    /// By first expression, those around others first.
    order: Vec<LambdaId>,
    done: Vec<bool>,
    /// What the value of each lambda must be.
    returns: Vec<Ty>,
    /// Those whose bodies were read before it is known what their values must be, with what was left.
    begun: FxHashMap<LambdaId, Unread>,
    /// Method references that wait.
    references: Vec<ExprId>,
}

impl Lambdas {
    pub(super) fn new(body: &Body) -> Lambdas {
        let mut order: Vec<LambdaId> = (0..body.lambdas.len() as u32).map(LambdaId).collect();
        order.sort_unstable_by_key(|l| {
            let record = &body.lambdas[l.ix()];
            (record.first, std::cmp::Reverse(record.expr))
        });
        let count = order.len();
        Lambdas {
            order,
            done: vec![false; count],
            returns: vec![Ty::UNKNOWN; count],
            begun: FxHashMap::default(),
            references: Vec::new(),
        }
    }
}

/// What [`Resolver::run`] left.
pub(super) struct Unread {
    first: ExprId,
    end: ExprId,
    lambdas: Vec<LambdaId>,
}

/// Lambdas in lambdas, beyond which they are read without context.
const MAX_DEPTH: u32 = 400;

impl<'a> Resolver<'a, '_, '_> {
    /// Reads the expressions `first..end`, leaving lambdas to what consumes them. [`Self::settle`] must follow.
    pub(super) fn run(&mut self, first: u32, end: u32) -> Unread {
        let mut inner = Vec::new();
        let mut at = first;
        let mut next = self
            .lambdas
            .order
            .partition_point(|l| self.lambda_record(*l).first.0 < first);
        while at < end {
            // The outermost lambda that begins here and ends before the end.
            while let Some(&lambda) = self.lambdas.order.get(next) {
                let record = self.lambda_record(lambda);
                if record.first.0 < at || record.first.0 == at && record.expr.0 >= end {
                    next += 1;
                    continue;
                }
                if record.first.0 == at {
                    inner.push(lambda);
                    at = record.expr.0;
                }
                break;
            }
            self.expression(ExprId(at));
            at += 1;
        }
        Unread {
            first: ExprId(first),
            end: ExprId(end),
            lambdas: inner,
        }
    }

    /// Reads what nothing consumed.
    pub(super) fn settle(&mut self, unread: Unread) {
        self.resume_all(unread.first, unread.end);
        for lambda in unread.lambdas {
            self.read_lambda(lambda, None);
        }
        let within = |r: &ExprId| (unread.first.0..unread.end.0).contains(&r.0);
        while let Some(at) = self.lambdas.references.iter().rposition(within) {
            let reference = self.lambdas.references[at];
            self.reference(reference, None);
        }
    }

    /// Reads a lambda's parameters and body, with what its context says; gives the type of its value.
    pub(super) fn read_lambda(&mut self, id: LambdaId, function: Option<&Function>) -> Ty {
        let record = self.lambda_record(id);
        if !std::mem::replace(&mut self.lambdas.done[id.ix()], true) {
            if let Some(function) = function {
                for (&local, &ty) in record.params.iter().zip(&function.params) {
                    let written = self.body.locals[local.ix()].ty;
                    if self.body.types[written.ix()] != TypeRef::Inferred {
                        continue;
                    }
                    let ty = self.look.without_foreign_variables(self.data.ids.upper(ty));
                    self.locals[local.ix()] = ty;
                }
                self.lambdas.returns[id.ix()] = function.ret;
            }
            self.depth += 1;
            if self.depth < MAX_DEPTH {
                stacker::maybe_grow(128 * 1024, 1024 * 1024, || {
                    let unread = match self.lambdas.begun.remove(&id) {
                        Some(unread) => unread,
                        None => self.run(record.first.0, record.expr.0),
                    };
                    if let Some(value) = record.value {
                        self.expect(value, function.map_or(Ty::UNKNOWN, |f| f.ret));
                    }
                    self.settle(unread);
                });
            }
            self.depth -= 1;
        }
        if let Some(value) = record.value {
            return self.type_of(value);
        }
        let mut out = None;
        for r in &self.body.returns {
            if r.callable != Callable::Lambda(id) {
                continue;
            }
            let Some(value) = r.value else { continue };
            let ty = self.type_of(value);
            out = match out {
                None => Some(ty),
                Some(known) if known == ty || ty == Ty::NULL => Some(known),
                Some(Ty::NULL) => Some(ty),
                Some(known) if self.look.is_subtype(ty, known) == Holds::Yes => Some(known),
                Some(known) if self.look.is_subtype(known, ty) == Holds::Yes => Some(ty),
                Some(known) => Some(self.look.common_supertype(known, ty)),
            };
        }
        out.unwrap_or(Ty::VOID)
    }

    /// Gives the lambdas and method references that `e` may be the type that its context asks for.
    pub(super) fn expect(&mut self, e: ExprId, ty: Ty) {
        let mut work = vec![e];
        while let Some(e) = work.pop() {
            self.resume(e, ty);
            match self.kind(e) {
                ExprKind::Lambda(lambda) => {
                    let function = self.function(ty);
                    self.read_lambda(lambda, function.as_ref());
                }
                ExprKind::MethodRef { .. } => {
                    let function = self.function(ty);
                    self.reference(e, function.as_ref());
                }
                ExprKind::Conditional { operands } | ExprKind::Switch { operands } => {
                    work.extend(self.body.list(operands).iter().skip(1).rev());
                }
                _ => {}
            }
        }
    }

    pub(super) fn function(&mut self, ty: Ty) -> Option<Function> {
        match self.look.functional(ty) {
            Functional::Yes(function) => Some(function),
            _ => None,
        }
    }

    /// What the callable around a `return` must give.
    pub(super) fn expected_return(&mut self, callable: Callable) -> Ty {
        match callable {
            Callable::Lambda(lambda) => self.lambdas.returns[lambda.ix()],
            Callable::Member => {
                let frame = self.frame();
                let Some(method) = frame.method else {
                    return Ty::UNKNOWN;
                };
                let id = self.file.methods[frame.index as usize][method as usize];
                self.look.signature(id).map_or(Ty::UNKNOWN, |s| s.ret)
            }
        }
    }

    /// Reads the body of a lambda whose parameters' types are written, if it is an expression: what it gives does not
    /// depend on what the lambda must be. Once only, so nested ones cost no more.
    fn begin_lambda(&mut self, id: LambdaId) -> Ty {
        let record = self.lambda_record(id);
        let Some(value) = record.value else {
            return Ty::UNKNOWN;
        };
        if !record.params.iter().all(|&l| self.is_explicit(l)) {
            return Ty::UNKNOWN;
        }
        if !self.lambdas.done[id.ix()]
            && !self.lambdas.begun.contains_key(&id)
            && self.depth + 1 < MAX_DEPTH
        {
            self.depth += 1;
            let now = self.now;
            let unread = stacker::maybe_grow(128 * 1024, 1024 * 1024, || {
                self.run(record.first.0, record.expr.0)
            });
            self.now = now;
            self.depth -= 1;
            self.lambdas.begun.insert(id, unread);
        }
        self.type_of(value)
    }

    /// What is known of a lambda as an argument.
    pub(super) fn lambda_argument(&mut self, id: LambdaId) -> Argument<'a> {
        let record = self.lambda_record(id);
        let params = record.params.len();
        if let Some(value) = record.value {
            let statement = matches!(self.kind(value), ExprKind::Call(_) | ExprKind::Define(_));
            let gives = self.begin_lambda(id);
            return Argument::Lambda {
                params,
                value: gives != Ty::VOID,
                void: statement,
                gives,
            };
        }
        let returns = || {
            self.body
                .returns
                .iter()
                .filter(|r| r.callable == Callable::Lambda(id))
        };
        let gives = returns().any(|r| r.value.is_some());
        let plain = returns().any(|r| r.value.is_none());
        // A body that only throws or never ends can be both.
        let ends_by_throw = || {
            let last = ExprId(record.expr.0.saturating_sub(1));
            last >= record.first && matches!(self.kind(last), ExprKind::Throw { .. })
        };
        Argument::Lambda {
            params,
            value: gives || !plain && ends_by_throw(),
            void: !gives,
            gives: Ty::UNKNOWN,
        }
    }

    /// What is known of a method reference as an argument: how many arguments it can take (JLS 15.12.2.1, potentially
    /// compatible), and the method if there is only one.
    pub(super) fn reference_argument(&mut self, e: ExprId) -> Argument<'a> {
        use crate::declarations::Modifiers;
        let ExprKind::MethodRef {
            qualifier,
            name,
            ty,
        } = self.kind(e)
        else {
            return Argument::Function;
        };
        let name = self.symbols[name.ix()];
        let of_type = self.type_before(qualifier, ty);
        let overloads = match of_type {
            Some(ty) if name == self.data.known.new => match self.data.ids.as_class(ty) {
                Some((def, _)) => self.constructors(def, ty),
                // The length of an array.
                None => {
                    return Argument::Reference {
                        arities: 1 << 1,
                        exact: None,
                    };
                }
            },
            Some(ty) => self.overloads(ty, name),
            None => {
                let site = self.site_of(qualifier);
                self.overloads(site, name)
            }
        };
        if overloads.is_empty() {
            return Argument::Reference {
                arities: u32::MAX,
                exact: None,
            };
        }
        let is_new = name == self.data.known.new;
        let exact = match (overloads.as_slice(), of_type) {
            (&[only], of_type)
                if !only.signature.varargs && only.signature.type_params.is_empty() =>
            {
                let is_static = only.signature.modifiers.has(Modifiers::STATIC);
                // Of a raw type the arguments are inferred.
                let raw =
                    of_type
                        .and_then(|t| self.data.ids.as_class(t))
                        .is_some_and(|(d, args)| {
                            args.is_empty() && self.data.type_param_count(d) > 0 && !is_static
                        });
                (!raw).then_some(Exact {
                    method: only,
                    receiver: of_type.filter(|_| !is_static && !is_new),
                    is_new,
                })
            }
            _ => None,
        };
        let mut out = 0u32;
        for c in overloads {
            let count = c.signature.params.len().min(30);
            let receiver = of_type.is_some()
                && name != self.data.known.new
                && !c.signature.modifiers.has(Modifiers::STATIC);
            out |= match (c.signature.varargs, receiver) {
                (true, _) => u32::MAX << count.saturating_sub(1),
                (false, true) => 1 << (count + 1),
                (false, false) => 1 << count,
            };
        }
        Argument::Reference {
            arities: out,
            exact,
        }
    }

    pub(super) fn wait(&mut self, reference: ExprId) {
        self.lambdas.references.push(reference);
    }

    /// The type that stands before the `::` of a reference, if one does.
    fn type_before(&mut self, qualifier: ExprId, ty: Option<flow::TypeRefId>) -> Option<Ty> {
        match (
            ty.map(|t| self.body_type(t)),
            self.qualifiers.get(&qualifier),
        ) {
            (Some(ty), _) => Some(ty),
            (None, Some(Qualifier::Type(ty))) => Some(*ty),
            _ => None,
        }
    }

    /// Finds the method that a reference means; gives the type of what it returns.
    pub(super) fn reference(&mut self, e: ExprId, function: Option<&Function>) -> Ty {
        if let Some(at) = self.lambdas.references.iter().rposition(|&r| r == e) {
            self.lambdas.references.remove(at);
        } else {
            return Ty::UNKNOWN;
        }
        let ExprKind::MethodRef {
            qualifier,
            name,
            ty,
        } = self.kind(e)
        else {
            return Ty::UNKNOWN;
        };
        let name = self.symbols[name.ix()];
        let of_type = self.type_before(qualifier, ty);
        let (found, ret) = if name == self.data.known.new {
            match of_type {
                Some(ty) => self.constructor_reference(ty, function),
                None => (None, Ty::UNKNOWN),
            }
        } else {
            let site = of_type.unwrap_or_else(|| self.site_of(qualifier));
            self.method_reference(site, name, of_type.is_some(), function)
        };
        let target = found.and_then(|found| self.in_workspace(found));
        self.references.push((e, target));
        if let Some(found) = found.filter(|_| target.is_none()) {
            self.library_methods.push((e, found.signature.id));
        }
        ret
    }

    fn constructor_reference(
        &mut self,
        ty: Ty,
        function: Option<&Function>,
    ) -> (Option<Overload<'a>>, Ty) {
        let Some((def, _)) = self.data.ids.as_class(ty) else {
            return (None, ty);
        };
        let generic = self.data.type_param_count(def) > 0
            && self.data.ids.as_class(ty).is_some_and(|c| c.1.is_empty());
        let overloads = self.constructors(
            def,
            if generic {
                self.data.ids.class(def, &[])
            } else {
                ty
            },
        );
        let Some(mut found) = self.choose_for(&overloads, function, None) else {
            return (None, if generic { Ty::UNKNOWN } else { ty });
        };
        let target = Some(found);
        if !generic {
            return (target, ty);
        }
        // `Pair::new`: the type arguments follow from what the constructor is given.
        found.site = self.data.this_type(def);
        let mut bindings = self.look.bindings(&found, Some(def));
        if let Some(function) = function {
            for (&param, &arg) in found.signature.params.iter().zip(&function.params) {
                self.look.learn(&mut bindings, param, arg);
            }
        }
        let ret = self.look.apply(&bindings, found.site);
        (target, ret)
    }

    fn method_reference(
        &mut self,
        site: Ty,
        name: crate::ids::Symbol,
        of_type: bool,
        function: Option<&Function>,
    ) -> (Option<Overload<'a>>, Ty) {
        let mut site = site;
        // `Type::method` with a raw type: the first parameter says which instance.
        if of_type
            && let (Some((def, [])), Some(function)) = (self.data.ids.as_class(site), function)
            && self.data.type_param_count(def) > 0
            && let Some(&first) = function.params.first()
            && let Some(instance) = self.look.as_super(first, def)
        {
            site = instance;
        }
        let overloads = self.overloads(site, name);
        let Some(found) = self.choose_for(&overloads, function, of_type.then_some(site)) else {
            return (None, Ty::UNKNOWN);
        };
        let mut bindings = self.look.bindings(&found, None);
        if let Some(function) = function {
            let skip =
                usize::from(of_type && function.params.len() == found.signature.params.len() + 1);
            for (&param, &arg) in found.signature.params.iter().zip(&function.params[skip..]) {
                let param = self.look.member_ty(param, found.site);
                self.look.learn(&mut bindings, param, arg);
            }
        }
        let ret = self.look.read_ty(found.signature.ret, found.site);
        let ret = self.look.apply(&bindings, ret);
        (Some(found), self.data.ids.upper(ret))
    }

    /// The overload that takes the function's parameters; of a type's reference the first may be the receiver.
    fn choose_for(
        &mut self,
        overloads: &[Overload<'a>],
        function: Option<&Function>,
        of_type: Option<Ty>,
    ) -> Option<Overload<'a>> {
        use crate::declarations::Modifiers;
        let Some(function) = function else {
            return match overloads {
                [only] => Some(*only),
                _ => None,
            };
        };
        let args: Vec<Argument> = function
            .params
            .iter()
            .map(|&p| Argument::Value(p))
            .collect();
        let Some(site) = of_type else {
            return match self.look.choose(overloads, &args) {
                Choice::One(found) => Some(found),
                _ => None,
            };
        };
        let of_kind = |want: bool| -> Vec<Overload<'a>> {
            overloads
                .iter()
                .copied()
                .filter(|c| c.signature.modifiers.has(Modifiers::STATIC) == want)
                .collect()
        };
        let by_static = self.look.choose(&of_kind(true), &args);
        // The receiver is the first parameter only if that is of the type.
        let receiver = match function.params.first() {
            Some(&first) => self.look.is_subtype(first, site),
            None => Holds::No,
        };
        let by_receiver = match receiver {
            Holds::No => Choice::None,
            _ => self.look.choose(&of_kind(false), &args[1..]),
        };
        match (by_static, by_receiver) {
            (Choice::One(found), Choice::None) | (Choice::None, Choice::One(found)) => Some(found),
            _ => None,
        }
    }

    pub(super) fn in_workspace(&self, overload: Overload<'a>) -> Option<MethodId> {
        let owner = self.data.ids.methods.get(overload.signature.id.0).owner;
        (!self.data.ids.is_library(owner)).then_some(overload.signature.id)
    }
}
