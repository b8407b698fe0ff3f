//! What a method that answers requests gives, as far as its text says: a view or a redirect by name, a status, what it puts
//! into the model and what the next request will have. One outcome for each way out.

use calls::Workspace;
use flow::{
    BlockId, Body, CallId, Callable, Callee, ExprId, ExprKind, Literal, Target, VariableKind,
};
use oracle::web::{Router, arguments_of, router_of, status};
use program::{BodyId, MethodId, Program, TypeId};

/// How many methods of the controller are followed below one another.
const FOLLOWED: usize = 3;

/// One way out of a method that answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Outcome {
    /// The status, if it is known.
    pub(super) status: Option<u16>,
    /// The view, if its name is a constant.
    pub(super) view: Option<String>,
    /// It redirects: by a name that begins so.
    pub(super) redirects: bool,
    /// What is surely in the model, by name, and surely not null.
    pub(super) model: Vec<String>,
    /// What the next request has, by name, with the text if that is a constant.
    pub(super) flash: Vec<(String, Option<String>)>,
    /// Headers that are surely there, by name, with the text if that is a constant.
    pub(super) headers: Vec<(String, Option<String>)>,
    /// The body, if it is a constant.
    pub(super) content: Option<String>,
    /// What becomes the body.
    pub(super) value: Option<TypeId>,
    /// The body is a list of these.
    pub(super) is_list: bool,
    /// The method makes such an object itself, of constants and of what it was sent, or gives that back.
    pub(super) is_made: bool,
}

/// True if a method above says by JAX-RS what a method answers.
fn is_jax_rs_above(program: &Program, method: MethodId) -> bool {
    let above = program.super_methods(method).into_iter();
    let mut told = above.filter_map(|m| program.method_decl(m));
    told.any(|d| router_of(&d.told) == Some(Router::JaxRs))
}

/// The ways out of a method; none if one of them says nothing.
pub(super) fn outcomes(
    workspace: &Workspace,
    controller: TypeId,
    method: MethodId,
) -> Vec<Outcome> {
    let program = workspace.program();
    let is_body = gives_body(program, controller, method);
    let told = program.method_decl(method).map_or(&[][..], |d| &d.told);
    // What JAX-RS makes of a value is not followed.
    if router_of(told) == Some(Router::JaxRs) || is_jax_rs_above(program, method) {
        return Vec::new();
    }
    let status = told.iter().find(|t| t.annotation == "ResponseStatus");
    let status = match status {
        Some(told) => {
            let arguments = arguments_of(&told.arguments);
            let mut said = arguments
                .iter()
                .filter(|a| matches!(a.name, "value" | "code"));
            match said
                .next()
                .and_then(|a| status::number(a.value.rsplit('.').next()?))
            {
                Some(status) => Some(status),
                None => return Vec::new(),
            }
        }
        None => Some(200),
    };
    let mut out = Vec::new();
    let walk = Walk {
        workspace,
        controller,
        is_body,
        status,
    };
    match walk.ways(method, FOLLOWED, &mut out) {
        Some(()) => out,
        None => Vec::new(),
    }
}

/// True if what a method returns is the body of the answer.
fn gives_body(program: &Program, controller: TypeId, method: MethodId) -> bool {
    let has = |annotations: &[smol_str::SmolStr], name: &str| annotations.iter().any(|a| a == name);
    let of_class = |c: TypeId| {
        let decl = program.type_decl(c);
        decl.is_some_and(|d| {
            // One of the project's own may be made of either.
            has(&d.annotations, "ResponseBody") || !has(&d.annotations, "Controller")
        })
    };
    of_class(controller)
        || program
            .method_decl(method)
            .is_some_and(|d| has(&d.annotations, "ResponseBody"))
}

struct Walk<'a> {
    workspace: &'a Workspace,
    controller: TypeId,
    is_body: bool,
    status: Option<u16>,
}

/// What a return leads to.
enum Given {
    View(Option<String>),
    Own(MethodId),
    Unknown,
}

impl Walk<'_> {
    fn ways(&self, method: MethodId, most: usize, out: &mut Vec<Outcome>) -> Option<()> {
        let program = self.workspace.program();
        let id = program.method_body(method)?;
        let body = &program.body(id)?.body;
        let own = |r: &&flow::Return| r.callable == Callable::Member;
        for r in body.returns.iter().filter(own) {
            let value = r.value?;
            let block = body.block_of(r.expr);
            let (model, flash) = self.put(id, body, block);
            let mut way = Outcome {
                model,
                flash,
                ..Outcome::default()
            };
            if self.is_body {
                self.answered(id, body, value, &mut way);
                out.push(way);
                continue;
            }
            match self.given(id, body, value) {
                Given::View(name) => {
                    let beginning = name.clone().or_else(|| self.beginning(id, body, value));
                    way.redirects = match &beginning {
                        Some(text) => text.starts_with("redirect:"),
                        // It could be either.
                        None => return None,
                    };
                    way.status = match way.redirects {
                        true => Some(302),
                        false => self.status,
                    };
                    way.view = name;
                    out.push(way);
                }
                Given::Own(callee) => {
                    let most = most.checked_sub(1)?;
                    let first = out.len();
                    self.ways(callee, most, out)?;
                    for of in &mut out[first..] {
                        of.model.extend(way.model.iter().cloned());
                        of.flash.extend(way.flash.iter().cloned());
                    }
                }
                Given::Unknown => return None,
            }
        }
        (!out.is_empty()).then_some(())
    }

    /// The view that a value names.
    fn given(&self, id: BodyId, body: &Body, value: ExprId) -> Given {
        let program = self.workspace.program();
        if let Some(name) = self.workspace.text_of(id, value) {
            return Given::View(Some(name));
        }
        match body.expr(value).kind {
            ExprKind::Binary { .. } => Given::View(None),
            // `ModelAndView mav = new ModelAndView("list")`.
            ExprKind::Local(_) => match sources(body, value)[..] {
                [one] => match body.expr(one).kind {
                    ExprKind::Local(_) => Given::Unknown,
                    _ => self.given(id, body, one),
                },
                _ => Given::Unknown,
            },
            ExprKind::Call(call) => {
                let call = &body.calls[call.ix()];
                let args = body.list(call.args);
                match call.callee {
                    Callee::New {
                        ty, class: None, ..
                    } if program
                        .display_written(&body.types[ty.ix()])
                        .ends_with("ModelAndView") =>
                    {
                        let name = args.first().and_then(|a| self.workspace.text_of(id, *a));
                        // Its name may be set later.
                        match name.filter(|_| !names(body, "setViewName")) {
                            Some(name) => Given::View(Some(name)),
                            None => Given::Unknown,
                        }
                    }
                    Callee::Method { .. } => {
                        let target = self.workspace.chains(id).and_then(|c| {
                            let site = c.calls.iter().find(|s| s.expr == call.expr)?;
                            Some(site.target)
                        });
                        match target.filter(|t| program.method_owner(*t) == self.controller) {
                            Some(own) => Given::Own(own),
                            None => Given::Unknown,
                        }
                    }
                    _ => Given::Unknown,
                }
            }
            _ => Given::Unknown,
        }
    }

    /// The first part of a sum, if it is a constant.
    fn beginning(&self, id: BodyId, body: &Body, mut value: ExprId) -> Option<String> {
        while let ExprKind::Binary { left, .. } = body.expr(value).kind {
            value = left;
        }
        self.workspace.text_of(id, value)
    }

    /// What is surely put into the model, and what the next request has, where a block runs.
    fn put(
        &self,
        id: BodyId,
        body: &Body,
        block: BlockId,
    ) -> (Vec<String>, Vec<(String, Option<String>)>) {
        let (mut model, mut flash) = (Vec::new(), Vec::new());
        for (at, call) in body.calls.iter().enumerate() {
            let Some((receiver, name)) = call.callee.on() else {
                continue;
            };
            let own = CallId(at as u32);
            let args = body.list(call.args);
            let is_flash = match body.name(name).as_str() {
                "addFlashAttribute" => true,
                "addAttribute" if !self.is_redirecting(body, receiver) => false,
                "addObject" => false,
                _ => continue,
            };
            let here = body.block_of(body.calls[own.ix()].expr);
            let is_own = |l: &flow::Lambda| (l.first.0..l.expr.0).contains(&call.expr.0);
            if !always_before(body, here, block) || body.lambdas.iter().any(is_own) {
                continue;
            }
            let &[key, value] = args else {
                continue;
            };
            let Some(key) = self.workspace.text_of(id, key) else {
                continue;
            };
            match is_flash {
                true => flash.push((key, self.workspace.text_of(id, value))),
                false if is_something(body, value) => model.push(key),
                false => {}
            }
        }
        (model, flash)
    }

    /// What is added to the attributes of a redirect goes into its address.
    fn is_redirecting(&self, body: &Body, receiver: ExprId) -> bool {
        let ExprKind::Local(local) = body.expr(receiver).kind else {
            return true;
        };
        let ty = &body.types[body.locals[local.ix()].ty.ix()];
        let name = self.workspace.program().display_written(ty);
        !matches!(
            name.rsplit('.').next(),
            Some("Model" | "ModelMap" | "ModelAndView")
        )
    }

    /// What a body is, of a value that becomes one.
    fn answered(&self, id: BodyId, body: &Body, value: ExprId, way: &mut Outcome) {
        let program = self.workspace.program();
        way.status = self.status;
        if let Some(text) = self.workspace.text_of(id, value) {
            way.content = Some(text);
            return;
        }
        let is_entity = |e: ExprId| {
            let ExprKind::Call(call) = body.expr(e).kind else {
                return false;
            };
            let mut at = call;
            loop {
                match body.calls[at.ix()].callee {
                    Callee::Method {
                        receiver: Some(r), ..
                    } => match body.expr(r).kind {
                        ExprKind::Call(before) => at = before,
                        ExprKind::Name(n) => return body.name(n) == "ResponseEntity",
                        _ => return false,
                    },
                    Callee::New { ty, .. } => {
                        let written = program.display_written(&body.types[ty.ix()]);
                        return written.ends_with("ResponseEntity");
                    }
                    _ => return false,
                }
            }
        };
        let declared = program
            .body_method(id)
            .and_then(|m| program.method_decl(m))
            .map(|d| &d.return_ty);
        let (inner, is_list) =
            declared.map_or((None, false), |ty| payload(program, self.controller, ty));
        way.value = inner;
        way.is_list = is_list;
        let resolved = self.workspace.resolved(id);
        let mut made = body.calls.iter().filter(|call| {
            let ty = resolved.map(|r| r.ty(call.expr));
            let is_new = matches!(call.callee, Callee::New { .. });
            is_new && inner.is_some() && ty.and_then(|t| program.class_of(t)) == inner
        });
        // What somebody is asked for may be a mock's.
        let of_known = |call: &flow::Call| body.list(call.args).iter().all(|a| is_known(body, *a));
        way.is_made = is_sent(body, value) || made.any(of_known);
        if declared.is_some_and(carries_entity) {
            way.status = match is_entity(value) {
                true => self.status_of(body, value),
                false => None,
            };
            way.headers = self.headers_of(id, body, value);
        }
    }

    /// The headers that `ResponseEntity.created(…).header("X-Total", "1")` says.
    fn headers_of(&self, id: BodyId, body: &Body, value: ExprId) -> Vec<(String, Option<String>)> {
        let mut out = Vec::new();
        let mut at = value;
        while let ExprKind::Call(call) = body.expr(at).kind {
            let call = &body.calls[call.ix()];
            let Some((receiver, name)) = call.callee.on() else {
                break;
            };
            let args = body.list(call.args);
            match (body.name(name).as_str(), args) {
                ("created" | "location", [_]) => out.push(("Location".to_owned(), None)),
                ("header", &[name, value]) => {
                    let text = |e: ExprId| self.workspace.text_of(id, e);
                    out.extend(text(name).zip(text(value)).map(|(n, v)| (n, Some(v))));
                }
                _ => {}
            }
            at = receiver;
        }
        out.reverse();
        out
    }

    /// The status that `ResponseEntity.created(…)` and its kin say.
    fn status_of(&self, body: &Body, value: ExprId) -> Option<u16> {
        let ExprKind::Call(mut at) = body.expr(value).kind else {
            return None;
        };
        let constant = |e: ExprId| match body.expr(e).kind {
            ExprKind::Name(n) | ExprKind::Field { name: n, .. } => status::number(body.name(n)),
            _ => None,
        };
        loop {
            let call = &body.calls[at.ix()];
            let args = body.list(call.args);
            match call.callee {
                Callee::Method {
                    receiver: Some(r),
                    name,
                } => match body.expr(r).kind {
                    ExprKind::Call(before) => at = before,
                    _ => {
                        return match body.name(name).as_str() {
                            "ok" => Some(200),
                            "created" => Some(201),
                            "accepted" => Some(202),
                            "noContent" => Some(204),
                            "badRequest" => Some(400),
                            "notFound" => Some(404),
                            "unprocessableEntity" => Some(422),
                            "internalServerError" => Some(500),
                            "status" => constant(*args.first()?),
                            _ => None,
                        };
                    }
                },
                Callee::New { .. } => return constant(*args.last()?),
                _ => return None,
            }
        }
    }
}

/// True for a parameter as it is.
fn is_sent(body: &Body, e: ExprId) -> bool {
    match body.expr(e).kind {
        ExprKind::Local(local) => body.locals[local.ix()].kind == VariableKind::Parameter,
        _ => false,
    }
}

/// True for what constants and parameters alone say.
fn is_known(body: &Body, e: ExprId) -> bool {
    let mut work = vec![e];
    while let Some(e) = work.pop() {
        match body.expr(e).kind {
            ExprKind::Literal(_) | ExprKind::Name(_) => {}
            ExprKind::Local(_) if is_sent(body, e) => {}
            ExprKind::Binary { left, right, .. } => work.extend([left, right]),
            ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => work.push(operand),
            _ => return false,
        }
    }
    true
}

/// True for an entity, or what will be one.
fn carries_entity(ty: &flow::TypeRef) -> bool {
    let flow::TypeRef::Named(segments) = ty else {
        return false;
    };
    let last = segments.last();
    last.is_some_and(|last| match (last.name.as_str(), &last.args[..]) {
        ("ResponseEntity", _) => true,
        (_, [one]) => carries_entity(one),
        _ => false,
    })
}

/// The class of the workspace that an answer carries, and whether it carries a list of them.
fn payload(program: &Program, of: TypeId, ty: &flow::TypeRef) -> (Option<TypeId>, bool) {
    let flow::TypeRef::Named(segments) = ty else {
        return (None, false);
    };
    let Some(last) = segments.last() else {
        return (None, false);
    };
    match (last.name.as_str(), &last.args[..]) {
        ("ResponseEntity" | "Mono" | "CompletableFuture", [one]) => payload(program, of, one),
        ("List" | "Collection" | "Set" | "Flux", [one]) => (payload(program, of, one).0, true),
        (_, []) => {
            let name: Vec<&str> = segments.iter().map(|s| s.name.as_str()).collect();
            (calls::type_named(program, of, &name.join(".")), false)
        }
        _ => (None, false),
    }
}

/// What a local is given, wherever that is.
fn sources(body: &Body, e: ExprId) -> Vec<ExprId> {
    let ExprKind::Local(local) = body.expr(e).kind else {
        return Vec::new();
    };
    let of = |d: &&flow::Def| matches!(d.target, Target::Local(l) if l == local);
    body.defs
        .iter()
        .filter(of)
        .flat_map(|d| body.list(d.sources).iter().copied())
        .collect()
}

fn names(body: &Body, name: &str) -> bool {
    body.names.iter().any(|n| n == name)
}

/// True for a value that is not null by what is written.
fn is_something(body: &Body, value: ExprId) -> bool {
    match body.expr(value).kind {
        ExprKind::Literal(l) => l != Literal::Null,
        ExprKind::Binary { .. } | ExprKind::Unary { .. } => true,
        ExprKind::Call(call) => matches!(body.calls[call.ix()].callee, Callee::New { .. }),
        ExprKind::Local(local) => {
            let ty = &body.types[body.locals[local.ix()].ty.ix()];
            if matches!(ty, flow::TypeRef::Primitive(_)) {
                return true;
            }
            let all = sources(body, value);
            all.len() == 1 && all[0] != value && is_something(body, all[0])
        }
        _ => false,
    }
}

/// True if whenever a block runs, `before` ran.
fn always_before(body: &Body, before: BlockId, block: BlockId) -> bool {
    if before == block {
        return true;
    }
    // Without it, the way back to the entry must be cut.
    let mut seen = vec![false; body.blocks.len()];
    let mut work = vec![block];
    while let Some(at) = work.pop() {
        if at == before || std::mem::replace(&mut seen[at.ix()], true) {
            continue;
        }
        let own = &body.blocks[at.ix()];
        if at.0 == 0 {
            return false;
        }
        let jumps = own.entered_from.map(|t| t.first).into_iter();
        let ways: Vec<BlockId> = own.preds.iter().map(|p| p.0).chain(jumps).collect();
        if ways.is_empty() {
            return false;
        }
        work.extend(ways);
    }
    true
}
