//! Calls: which class is searched, which of its methods is meant, and what the call gives (JLS 15.9, 15.12).

use super::infer::Bindings;
use super::members::{Function, Functional, Overload};
use super::overload::{Argument, Choice};
use super::{CallTarget, Qualifier, Resolver, poly};
use crate::ids::{Symbol, TypeId};
use crate::types::{Ty, TyKind};
use flow::{CallId, Callee, ExprId, ExprKind, TypeRef};
use smallvec::SmallVec;

/// The outcome of one search.
enum Found<'a> {
    Method(Overload<'a>),
    /// One of several methods of libraries that give the same; which one is not known.
    Same(Overload<'a>),
    Target(CallTarget),
}

/// What a call was found to mean.
struct Searched<'a> {
    found: Found<'a>,
    /// The type after `new`.
    created: Ty,
    /// The class whose type arguments must be inferred.
    class: Option<TypeId>,
}

impl<'a> Resolver<'a, '_, '_> {
    pub(super) fn call(&mut self, id: CallId) -> Ty {
        let call = &self.body.calls[id.ix()];
        let operands = self.body.list(call.args);
        let mut args: Vec<Argument<'a>> = operands.iter().map(|&a| self.argument(a)).collect();
        self.ambiguous = false;
        let mut searched = self.search(id, &args);
        if self.ambiguous && operands.iter().any(|&o| self.poly_calls.has(o)) {
            // What such an argument gives by itself, as far as its own arguments say it, decides.
            for &operand in operands {
                self.resume(operand, Ty::UNKNOWN);
            }
            args = operands.iter().map(|&a| self.argument(a)).collect();
            searched = self.search(id, &args);
        }
        let Searched {
            found,
            created,
            class,
        } = searched;
        match call.callee {
            Callee::Method { receiver, name } => {
                let name = self.symbols[name.ix()];
                // An array's clone gives the same array.
                if name == self.data.known.clone
                    && args.is_empty()
                    && let Some(array) = receiver
                        .map(|r| self.type_of(r))
                        .filter(|&t| self.data.ids.element(t).is_some())
                {
                    self.calls[id.ix()] = CallTarget::Library;
                    let object = self.data.header(self.data.known.object);
                    let clone = object.and_then(|o| o.methods_named(name).first());
                    let expr = call.expr;
                    self.library_methods.extend(clone.map(|m| (expr, m.id)));
                    return array;
                }
                let ty = self.finish_call(id, found, operands, &args, class);
                // `Class<? extends |T|>` of an expression of type `T` (JLS 4.3.2).
                if name == self.data.known.get_class && args.is_empty() {
                    let site = receiver.map_or_else(|| self.this(), |r| self.site_of(r));
                    return match (self.data.erase(site), self.data.ids.as_class(ty)) {
                        (Ty::UNKNOWN, _) => ty,
                        (of, Some((class, _))) if class == self.data.known.class => {
                            self.data.ids.class(class, &[of])
                        }
                        _ => ty,
                    };
                }
                ty
            }
            Callee::New { class: body, .. } => {
                let ret = self.finish_call(id, found, operands, &args, class);
                if let Some(anonymous) = body.and_then(|c| self.file.body_classes[self.at][c.ix()])
                {
                    return self.data.ids.class(anonymous, &[]);
                }
                if class.is_some() { ret } else { created }
            }
            Callee::EnumConstant { class: body } => {
                self.finish_call(id, found, operands, &args, None);
                let of_body = body.and_then(|c| self.file.body_classes[self.at][c.ix()]);
                of_body.map_or_else(|| self.this(), |c| self.data.ids.class(c, &[]))
            }
            _ => self.finish_call(id, found, operands, &args, class),
        }
    }

    fn search(&mut self, id: CallId, args: &[Argument<'a>]) -> Searched<'a> {
        let call = &self.body.calls[id.ix()];
        self.look.written = self.written_arguments(id);
        let mut created = Ty::UNKNOWN;
        let (found, class) = match call.callee {
            Callee::Method { receiver, name } => {
                let name = self.symbols[name.ix()];
                let found = match receiver {
                    Some(receiver) => self.call_on(receiver, name, args),
                    None => self.call_unqualified(name, args),
                };
                (found, None)
            }
            Callee::New { ty, outer, .. } => {
                created = self.created(ty, outer);
                self.construct(created, args, outer.is_none())
            }
            Callee::ThisConstructor => (self.construct(self.this(), args, true).0, None),
            Callee::SuperConstructor { outer } => {
                let superclass = self.superclass();
                (self.construct(superclass, args, outer.is_none()).0, None)
            }
            Callee::EnumConstant { .. } => (self.construct(self.this(), args, false).0, None),
        };
        self.look.written.clear();
        Searched {
            found,
            created,
            class,
        }
    }

    /// The type arguments that a call writes for its method.
    fn written_arguments(&mut self, id: CallId) -> Vec<Ty> {
        match self.body.type_args.binary_search_by_key(&id, |t| t.0) {
            Ok(at) => {
                let written = self.body.type_args[at].1.iter();
                written.map(|&t| self.body_type(t)).collect()
            }
            Err(_) => Vec::new(),
        }
    }

    /// The type after `new`.
    fn created(&mut self, ty: flow::TypeRefId, outer: Option<ExprId>) -> Ty {
        // `outer.new Inner()`: the name is that of a member of the outer instance's class.
        if let Some(outer) = outer
            && let TypeRef::Named(segments) = &self.body.types[ty.ix()]
            && let Some((def, _)) = self.data.ids.as_class(self.type_of(outer))
        {
            return self.look.segments(segments, Some(def));
        }
        self.body_type(ty)
    }

    fn argument(&mut self, e: ExprId) -> Argument<'a> {
        match self.kind(e) {
            ExprKind::Lambda(lambda) => self.lambda_argument(lambda),
            ExprKind::MethodRef { .. } => self.reference_argument(e),
            ExprKind::Conditional { operands } | ExprKind::Switch { operands } => {
                let function = self.body.list(operands).iter().skip(1).any(|&o| {
                    matches!(
                        self.kind(o),
                        ExprKind::Lambda(_) | ExprKind::MethodRef { .. }
                    )
                });
                if function {
                    Argument::Function
                } else {
                    Argument::Value(self.type_of(e))
                }
            }
            _ if self.poly_calls.is_free(e) => Argument::Value(self.data.ids.ty(TyKind::Any)),
            _ => Argument::Value(self.type_of(e)),
        }
    }

    /// The methods of that name that a value of type `site` has.
    pub(super) fn overloads(&mut self, site: Ty, name: Symbol) -> Vec<Overload<'a>> {
        let mut out = Vec::new();
        for site in self.look.sites(site) {
            let site = self.look.captured(site);
            self.look.methods(site, name, &mut out);
        }
        out
    }

    /// The constructors of a class.
    pub(super) fn constructors(&mut self, def: TypeId, site: Ty) -> Vec<Overload<'a>> {
        let data = self.data;
        self.look.note_type(def);
        if let Some(key) = data.key(def) {
            self.look.looked_up.insert(data.constructor_key(key));
        }
        let Some(header) = data.header(def) else {
            return Vec::new();
        };
        let all = header.methods_named(data.known.init);
        all.iter()
            .map(|signature| Overload::new(signature, site))
            .collect()
    }

    /// The constructor that `new ty(args)` calls, and the class if its type arguments must be inferred.
    /// `implicit`: the outer instance, if there is one, is what is around this place.
    fn construct(
        &mut self,
        ty: Ty,
        args: &[Argument<'a>],
        implicit: bool,
    ) -> (Found<'a>, Option<TypeId>) {
        let data = self.data;
        let Some((def, type_args)) = data.ids.as_class(ty) else {
            return (Found::Target(CallTarget::Unknown), None);
        };
        let infer = type_args.is_empty() && data.type_param_count(def) > 0;
        let mut overloads = self.constructors(def, ty);
        overloads.iter_mut().for_each(|c| c.implicit = implicit);
        // Without type arguments, applicability goes by the erasure.
        let found = match self.look.choose(&overloads, args) {
            Choice::One(mut found) => {
                if infer {
                    found.site = data.this_type(def);
                }
                Found::Method(found)
            }
            // `new Interface() {…}` calls the constructor of Object.
            _ if data.is_interface(def) => {
                let object = self.constructors(data.known.object, data.object());
                match object.first() {
                    Some(&constructor) => Found::Method(constructor),
                    None => Found::Target(CallTarget::Library),
                }
            }
            other => {
                self.ambiguous = matches!(other, Choice::Several);
                Found::Target(if data.ids.is_library(def) {
                    CallTarget::Library
                } else {
                    CallTarget::Unknown
                })
            }
        };
        (found, infer.then_some(def))
    }

    fn call_on(&mut self, receiver: ExprId, name: Symbol, args: &[Argument<'a>]) -> Found<'a> {
        let site = match self.qualifiers.get(&receiver) {
            Some(Qualifier::Type(ty)) => *ty,
            Some(Qualifier::Package(_)) => {
                self.look.looked_up.insert(name);
                return Found::Target(CallTarget::Unknown);
            }
            None => self.site_of(receiver),
        };
        let overloads = self.overloads(site, name);
        match self.look.choose(&overloads, args) {
            Choice::One(found) => Found::Method(found),
            Choice::Several => self.several(&overloads, args),
            Choice::None => Found::Target(self.undeclared(site)),
        }
    }

    /// A target for what no declared method of `site` explains.
    fn undeclared(&mut self, site: Ty) -> CallTarget {
        for site in self.look.sites(site) {
            let Some((def, _)) = self.data.ids.as_class(site) else {
                continue;
            };
            if self.data.ids.is_library(def) || self.look.closure(def).opaque {
                return CallTarget::Library;
            }
        }
        CallTarget::Unknown
    }

    /// Several methods fit: if all are a library's, so is the target; a common result is known all the same.
    fn several(&mut self, overloads: &[Overload<'a>], args: &[Argument<'a>]) -> Found<'a> {
        self.ambiguous = true;
        if overloads.iter().any(|c| self.in_workspace(*c).is_some()) {
            return Found::Target(CallTarget::Unknown);
        }
        let mut same = overloads
            .iter()
            .filter(|c| c.signature.params.len() == args.len());
        let first = same.next();
        match first {
            Some(first)
                if first.signature.type_params.is_empty()
                    && same.all(|c| {
                        c.signature.ret == first.signature.ret && c.site == first.site
                    }) =>
            {
                Found::Same(*first)
            }
            _ => Found::Target(CallTarget::Library),
        }
    }

    /// A call by simple name: the innermost class around that has a method that fits, then static imports.
    fn call_unqualified(&mut self, name: Symbol, args: &[Argument<'a>]) -> Found<'a> {
        let data = self.data;
        let mut opaque = false;
        for frame in self.look.frames.clone() {
            let site = data.this_type(frame.def);
            let mut overloads = self.overloads(site, name);
            overloads.iter_mut().for_each(|c| c.implicit = true);
            match self.look.choose(&overloads, args) {
                Choice::One(found) => return Found::Method(found),
                Choice::Several => return self.several(&overloads, args),
                Choice::None => opaque |= self.look.closure(frame.def).opaque,
            }
        }
        self.look.note_imports();
        for on_demand in [false, true] {
            let mut overloads: Vec<Overload<'a>> = Vec::new();
            let mut unknown_class = false;
            for class in self.look.scope.static_imports(name, on_demand) {
                let site = data.ids.class(class, &[]);
                unknown_class |=
                    self.look.closure(class).opaque || data.ids.is_library(class) && !on_demand;
                let mut found = Vec::new();
                self.look.methods(site, name, &mut found);
                found.retain(|c| {
                    c.signature
                        .modifiers
                        .has(crate::declarations::Modifiers::STATIC)
                });
                overloads.extend(found);
            }
            match self.look.choose(&overloads, args) {
                Choice::One(found) => return Found::Method(found),
                Choice::Several => return self.several(&overloads, args),
                Choice::None if unknown_class => return Found::Target(CallTarget::Library),
                Choice::None => {}
            }
        }
        Found::Target(if opaque {
            CallTarget::Library
        } else {
            CallTarget::Unknown
        })
    }

    /// Notes the target, gives lambda arguments their types, and computes the type of the call.
    fn finish_call(
        &mut self,
        id: CallId,
        found: Found<'a>,
        operands: &[ExprId],
        args: &[Argument<'a>],
        class: Option<TypeId>,
    ) -> Ty {
        let expr = self.body.calls[id.ix()].expr;
        let found = match found {
            Found::Method(found) => {
                self.calls[id.ix()] = match self.in_workspace(found) {
                    Some(method) => CallTarget::Workspace(method),
                    None => {
                        self.library_methods.push((expr, found.signature.id));
                        CallTarget::Library
                    }
                };
                found
            }
            Found::Same(found) => {
                self.calls[id.ix()] = CallTarget::Library;
                found
            }
            Found::Target(target) => {
                self.calls[id.ix()] = target;
                for &operand in operands {
                    self.expect(operand, Ty::UNKNOWN);
                }
                return Ty::UNKNOWN;
            }
        };
        let mut bindings = self.look.bindings(&found, class);
        bindings.write(&self.written_arguments(id));
        for (at, &arg) in args.iter().enumerate() {
            if let Argument::Value(ty) = arg
                && !self.poly_calls.has(operands[at])
            {
                let formal = self.formal(&found, args, at);
                self.look.learn(&mut bindings, formal, ty);
            }
        }
        self.learn_from_functions(&found, operands, args, &mut bindings);
        if self.must_wait(expr, &found, args, &bindings, class) {
            let ty = self.result(expr, &found, &bindings, class);
            let (declared, _) = self.declared_result(&found, class);
            let free = bindings.is_open(self.data.ids.kind(declared))
                && (0..args.len()).all(|at| {
                    matches!(args[at], Argument::Value(_)) && !self.poly_calls.has(operands[at])
                        || {
                            let formal = self.formal(&found, args, at);
                            !self.mentions(formal, declared)
                        }
                });
            let call = poly::Call {
                id,
                found,
                bindings,
                args: args.to_vec(),
                class,
                free,
            };
            self.poly_calls.put(expr, call);
            return ty;
        }
        self.complete(id, &found, bindings, args, class)
    }

    /// The type of the parameter that takes the argument `at`.
    pub(super) fn formal(&mut self, found: &Overload<'a>, args: &[Argument<'a>], at: usize) -> Ty {
        let signature = found.signature;
        let last = signature.params.len().saturating_sub(1);
        let declared = signature.params.get(at.min(last)).copied();
        let ty = self
            .look
            .member_ty(declared.unwrap_or(Ty::UNKNOWN), found.site);
        let ty = if found.implicit {
            self.look.inherited(ty)
        } else {
            ty
        };
        if !signature.varargs || at < last {
            return ty;
        }
        // An array, or null, given for the varargs parameter itself is not an element of it.
        let whole = args.len() == last + 1
            && matches!(args[last], Argument::Value(a) if a == Ty::NULL
                || matches!(self.data.ids.kind(a), TyKind::Array(_) | TyKind::Any));
        if whole {
            ty
        } else {
            self.data.ids.element(ty).unwrap_or(Ty::UNKNOWN)
        }
    }

    /// A lambda that writes the types of its parameters, and an exact method reference, say what they take before any
    /// other is asked.
    fn learn_from_functions(
        &mut self,
        found: &Overload<'a>,
        operands: &[ExprId],
        args: &[Argument<'a>],
        bindings: &mut Bindings,
    ) {
        for (at, &operand) in operands.iter().enumerate() {
            let lambda = match (self.kind(operand), args[at]) {
                (ExprKind::Lambda(lambda), _) => Some(lambda),
                (_, Argument::Reference { exact: Some(_), .. }) => None,
                _ => continue,
            };
            let formal = self.formal(found, args, at);
            let formal = self.data.ids.lower(formal);
            if let Some(lambda) = lambda {
                let locals = &self.lambda_record(lambda).params;
                if locals.is_empty() || !locals.iter().all(|&l| self.is_explicit(l)) {
                    continue;
                }
                if let Functional::Yes(f) = self.look.functional(formal) {
                    for (&local, &formal) in locals.iter().zip(&f.params) {
                        let written = self.body_type(self.body.locals[local.ix()].ty);
                        self.look.learn(bindings, formal, written);
                    }
                }
            } else if let Argument::Reference {
                exact: Some(exact), ..
            } = args[at]
                && let Functional::Yes(f) = self.look.functional(formal)
            {
                let mut takes: Vec<Ty> = exact.receiver.into_iter().collect();
                for &param in &exact.method.signature.params {
                    takes.push(self.look.member_ty(param, exact.method.site));
                }
                for (&formal, &ty) in f.params.iter().zip(&takes) {
                    let ty = self.look.without_foreign_variables(ty);
                    self.look.learn_target(bindings, formal, ty);
                }
            }
        }
    }

    /// Gives the arguments the types that the method asks for, and computes the type of the call.
    pub(super) fn complete(
        &mut self,
        id: CallId,
        found: &Overload<'a>,
        mut bindings: Bindings,
        args: &[Argument<'a>],
        class: Option<TypeId>,
    ) -> Ty {
        let operands = self.body.list(self.body.calls[id.ix()].args);
        // Lambdas, method references, and calls that wait.
        let mut functions: SmallVec<[(usize, Ty, Functional); 4]> = SmallVec::new();
        for (at, &operand) in operands.iter().enumerate() {
            let formal = self.formal(found, args, at);
            if matches!(args[at], Argument::Value(_)) && !self.poly_calls.has(operand) {
                let asked = self.look.apply(&bindings, formal);
                self.expect(operand, asked);
                continue;
            }
            let formal = self.data.ids.lower(formal);
            functions.push((at, formal, Functional::Unknown));
        }
        let waits = |f: &(usize, Ty, Functional)| matches!(args[f.0], Argument::Value(_));
        for function in functions.iter_mut().filter(|f| !waits(f)) {
            // `<L> void add(Class<L> of, L listener)`: what another argument says is the function's type.
            let formal = match self.data.ids.kind(function.1) {
                TyKind::MethodVar { .. } | TyKind::ClassVar { .. } => {
                    self.look.apply(&bindings, function.1)
                }
                _ => function.1,
            };
            function.2 = self.look.functional(formal);
        }
        // First those that take only what is known already (JLS 18.5.2.2): what they give is what others take.
        while !functions.is_empty() {
            let takes_known = |f: &(usize, Ty, Functional)| match &f.2 {
                _ if waits(f) => !self.is_open(f.1, &bindings),
                Functional::Yes(function) => {
                    !function.params.iter().any(|&p| self.is_open(p, &bindings))
                }
                _ => true,
            };
            let next = functions
                .iter()
                .position(takes_known)
                .or_else(|| functions.iter().position(waits))
                .unwrap_or(0);
            let (at, formal, declared) = functions.remove(next);
            let operand = operands[at];
            if matches!(args[at], Argument::Value(_)) {
                let asked = self.look.apply(&bindings, formal);
                self.expect(operand, asked);
                let ty = self.type_of(operand);
                self.look.learn(&mut bindings, formal, ty);
                continue;
            }
            let function = match &declared {
                Functional::Yes(f) => Some(Function {
                    params: f
                        .params
                        .iter()
                        .map(|&p| self.look.apply_or_bound(&bindings, p))
                        .collect(),
                    ret: self.look.apply(&bindings, f.ret),
                }),
                _ => None,
            };
            let ret = match self.kind(operand) {
                ExprKind::Lambda(lambda) => self.read_lambda(lambda, function.as_ref()),
                ExprKind::MethodRef { .. } => self.reference(operand, function.as_ref()),
                _ => {
                    let formal = self.look.apply(&bindings, formal);
                    self.expect(operand, formal);
                    Ty::UNKNOWN
                }
            };
            if let Functional::Yes(f) = declared
                && ret != Ty::VOID
            {
                self.look.learn(&mut bindings, f.ret, ret);
            }
        }
        let expr = self.body.calls[id.ix()].expr;
        self.result(expr, found, &bindings, class)
    }

    /// What the method returns, as it declares it, and the instance of its class that says so.
    pub(super) fn declared_result(&self, found: &Overload<'a>, class: Option<TypeId>) -> (Ty, Ty) {
        match (class, found.returns) {
            (Some(def), _) => (self.data.this_type(def), found.site),
            (None, Some((signature, site))) => (signature.ret, site),
            (None, None) => (found.signature.ret, found.site),
        }
    }

    /// The type of a call with what is known so far.
    fn result(
        &mut self,
        expr: ExprId,
        found: &Overload<'a>,
        bindings: &Bindings,
        class: Option<TypeId>,
    ) -> Ty {
        let (declared, site) = self.declared_result(found, class);
        let mut ret = self.look.read_ty(declared, site);
        if found.implicit {
            ret = self.look.inherited(ret);
        }
        // Where nothing around asks for more, what no argument says is what it is bound by.
        let ret = if self.is_asked(expr) {
            self.look.apply(bindings, ret)
        } else {
            self.look.apply_or_bound(bindings, ret)
        };
        let ret = self.look.without_foreign_variables(ret);
        let ret = self.data.ids.upper(ret);
        if ret == Ty::UNKNOWN && bindings.is_open(self.data.ids.kind(declared)) {
            // `<T extends Shape> T find()`: what no argument mentions is its bound, unless the context asks for more.
            let params = &found.signature.params;
            if !params.iter().any(|&p| self.mentions(p, declared)) {
                let bound = self.data.erase(declared);
                self.standalone.insert(expr, bound);
            }
        }
        ret
    }

    fn mentions(&self, ty: Ty, variable: Ty) -> bool {
        let wanted = self.data.ids.kind(variable);
        let mut found = false;
        self.data.ids.replace(ty, &mut |var| {
            found |= var == wanted;
            None
        });
        found
    }
}
