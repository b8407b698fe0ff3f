//! What a body runs without naming it: what Java calls itself, what a call of a library's declaration comes to, and what
//! libraries are given and may call.
//!
//! Everything here rests on the body's own resolution and on what libraries declare; which bodies that is in the end is
//! asked of the program ([`Program::unwritten`]), for it changes with declarations elsewhere.

use super::Asking;
use flow::{BinaryOp, Body, CallId, Callable, Callee, ExprId, ExprKind, Target, VariableKind};
use program::{Asked, BodyId, CallTarget, MethodId, Program, ResolvedBody, Ty};

struct Finder<'a> {
    program: &'a Program,
    id: BodyId,
    body: &'a Body,
    resolved: &'a ResolvedBody,
    to_string: Option<MethodId>,
    /// By lambda: what it returns.
    returned: Vec<Vec<ExprId>>,
    out: Vec<Asking>,
}

/// In order of evaluation; probabilities are left to the caller.
pub(crate) fn askings(
    program: &Program,
    id: BodyId,
    body: &Body,
    resolved: &ResolvedBody,
) -> Vec<Asking> {
    let value_of = |lambda: &flow::Lambda| lambda.value.into_iter().collect();
    let mut returned: Vec<Vec<ExprId>> = body.lambdas.iter().map(value_of).collect();
    for r in &body.returns {
        if let Callable::Lambda(lambda) = r.callable {
            returned[lambda.ix()].extend(r.value);
        }
    }
    let mut finder = Finder {
        program,
        id,
        body,
        resolved,
        to_string: program.library_member("java.lang.Object", "toString", 0),
        returned,
        out: Vec::new(),
    };
    for at in 0..body.exprs.len() {
        finder.expression(ExprId(at as u32));
    }
    let close = program.library_member("java.lang.AutoCloseable", "close", 0);
    for &resource in &body.resources {
        if let Some(close) = close {
            let before = finder.out.len();
            finder.push(resource, resolved.ty(resource), Asked::Method(close), true);
            for asking in &mut finder.out[before..] {
                asking.closes = true;
            }
        }
    }
    let mut out = finder.out;
    out.sort_by_key(|a| a.expr);
    out
}

impl Finder<'_> {
    fn expression(&mut self, e: ExprId) {
        let body = self.body;
        match body.expr(e).kind {
            ExprKind::Define(d) => {
                let def = &body.defs[d.ix()];
                let sources = body.list(def.sources);
                if def.kind == VariableKind::Loop
                    && let Some(&iterable) = sources.first()
                {
                    self.value(e, iterable, Asked::Iteration);
                } else if def.compound && self.is_text(self.type_of_target(def.target, e)) {
                    for &added in sources {
                        self.text_of(e, added);
                    }
                }
            }
            ExprKind::Binary {
                op: BinaryOp::Add,
                left,
                right,
            } if self.is_text(self.resolved.ty(e)) => {
                self.text_of(e, left);
                self.text_of(e, right);
            }
            ExprKind::Call(c) => self.call(c),
            ExprKind::MethodRef { qualifier, .. } => {
                if let Some(method) = self.resolved.library_method(e) {
                    let on = match self.resolved.ty(qualifier) {
                        Ty::UNKNOWN => self.program.own_type(self.program.method_owner(method)),
                        on => on,
                    };
                    self.push(e, on, Asked::Method(method), true);
                }
            }
            _ => {}
        }
    }

    fn type_of_target(&self, target: Target, e: ExprId) -> Ty {
        match target {
            Target::Local(l) => self.resolved.locals.get(l.ix()).copied(),
            Target::Place(p) => Some(self.resolved.ty(p)),
            Target::Element(_) | Target::OwnField(_) => Some(self.resolved.ty(e)),
        }
        .unwrap_or(Ty::UNKNOWN)
    }

    fn is_text(&self, ty: Ty) -> bool {
        let class = self.program.library_class_of(ty);
        class.is_some_and(|c| c == "java.lang.String")
    }

    /// An operand of a concatenation.
    fn text_of(&mut self, whole: ExprId, operand: ExprId) {
        if let Some(to_string) = self.to_string {
            self.value(whole, operand, Asked::Method(to_string));
        }
    }

    fn call(&mut self, id: CallId) {
        let body = self.body;
        let call = &body.calls[id.ix()];
        if matches!(
            self.resolved.calls.get(id.ix()),
            Some(CallTarget::Workspace(_))
        ) {
            return;
        }
        let Some(method) = self.resolved.library_method(call.expr) else {
            return;
        };
        let owner = self.program.method_owner(method);
        match call.callee {
            Callee::Method { receiver, .. } if !self.program.is_static(method) => {
                let is_super = receiver.is_some_and(|r| {
                    matches!(
                        body.expr(r).kind,
                        ExprKind::Super | ExprKind::Qualified { is_super: true, .. }
                    )
                });
                let on = match receiver {
                    Some(r) if !is_super => self.resolved.ty(r),
                    _ => self.this(),
                };
                match is_super {
                    true => self.push(call.expr, on, Asked::Any(owner), false),
                    false => self.push(call.expr, on, Asked::Method(method), true),
                }
            }
            // What a library's constructor calls of the new object is what its class here overrides.
            Callee::SuperConstructor { .. } => {
                self.push(call.expr, self.this(), Asked::Any(owner), false);
            }
            Callee::New { class: Some(c), .. } => {
                let classes = self.program.body_classes(self.id);
                if let Some(class) = classes.get(c.ix()).copied().flatten() {
                    let on = self.program.own_type(class);
                    self.push(call.expr, on, Asked::Any(owner), false);
                }
            }
            _ => {}
        }
        self.arguments(id, method);
    }

    fn arguments(&mut self, id: CallId, method: MethodId) {
        let (body, program) = (self.body, self.program);
        let call = &body.calls[id.ix()];
        let Some((params, varargs)) = program.parameters(method) else {
            return;
        };
        let args = body.list(call.args);
        for (at, &arg) in args.iter().enumerate() {
            let last = params.len().saturating_sub(1);
            let Some(&formal) = params.get(at.min(last)) else {
                break;
            };
            let given = self.resolved.ty(arg);
            let spread = varargs && at >= last;
            let is_whole = at == last && args.len() == params.len();
            let formal = match program.element_of(formal) {
                Some(element) if spread && !(is_whole && program.element_of(given).is_some()) => {
                    element
                }
                _ => formal,
            };
            if let ExprKind::Lambda(lambda) = body.expr(arg).kind {
                // What a function gives a library has is an object like others.
                for value in std::mem::take(&mut self.returned[lambda.ix()]) {
                    self.given(call.expr, self.resolved.ty(value), None);
                }
                continue;
            }
            self.given(call.expr, given, Some(formal));
        }
    }

    /// An object of one type is given as another; as any object where that is not known.
    fn given(&mut self, at: ExprId, given: Ty, formal: Option<Ty>) {
        let program = self.program;
        let (mut given, mut formal) = (given, formal);
        while let Some(element) = program.element_of(given) {
            given = element;
            formal = formal.and_then(|f| program.element_of(f));
        }
        let through = match formal {
            Some(formal) => program.erased_class(formal),
            None => Some(program.object_type()),
        };
        if let Some(through) = through {
            self.push(at, given, Asked::Any(through), false);
        }
    }

    fn this(&self) -> Ty {
        self.program.own_type(self.program.body_owner(self.id))
    }

    /// The value of `at` comes of that of what Java asks an object.
    fn value(&mut self, at: ExprId, object: ExprId, asked: Asked) {
        let before = self.out.len();
        self.push(at, self.resolved.ty(object), asked, true);
        for asking in &mut self.out[before..] {
            asking.gives_value = asking.is_sure;
        }
    }

    fn push(&mut self, expr: ExprId, on: Ty, asked: Asked, is_sure: bool) {
        if !self.program.can_be_here(on) {
            return;
        }
        // What is declared as a library's is its own more often than not.
        let is_sure = is_sure && self.program.class_of(on).is_some();
        self.out.push(Asking {
            expr,
            on,
            asked,
            is_sure,
            gives_value: false,
            closes: false,
            entry: 0.0,
        });
    }
}
