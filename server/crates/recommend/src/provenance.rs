//! Where a value comes from, as far as code of the workspace tells: whether it is another one in the next run or on another
//! machine, and whether it is a constant that somebody wrote down.
//!
//! What tells on faults is asked of the substitution graph; this asks less and follows more. Strangers called an assertion
//! on a token, on the name of the host or on a text with a stack trace silly, however deep the call was hidden that makes
//! it so (`docs/evaluation-trust.md`). A method of the workspace gives what it returns, and of its arguments what it
//! returns of them; a call of a library may give anything that it was given. What is put into an object that a local or a
//! field holds counts as a part of it, in whatever order: too much rather than too little, since in doubt nothing is said.

use crate::computed::is_unstable_call;
use calls::Workspace;
use flow::{Body, CallId, Callable, Callee, DefId, ExprId, ExprKind, LocalId, Target};
use program::{BodyId, CallTarget, FieldId, Modifiers, NameTarget, Program, ResolvedBody};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many expressions are looked at; of a value that is made of more nobody knows whether it varies.
const MOST: usize = 4000;

/// How much of an object is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Of {
    /// A part: what the object was given when it was made counts only where it went into that.
    Part,
    /// All that it was made of.
    Whole,
    /// And of what it was made of all that these objects were: nobody asks for which field.
    Everything,
}

/// The walk from a value to what made it.
struct Walk<'a> {
    workspace: &'a Workspace,
    /// The bodies that a test may run: what others do is not followed.
    run: &'a FxHashSet<BodyId>,
    of: Of,
    work: Vec<(BodyId, ExprId)>,
    seen: FxHashSet<(BodyId, ExprId)>,
    locals: FxHashSet<(BodyId, LocalId)>,
    fields: FxHashSet<FieldId>,
    /// By body: the calls that led there.
    callers: FxHashMap<BodyId, Vec<(BodyId, CallId)>>,
    /// By body: the parameters that what it gives is made of, by their place.
    parameters: FxHashMap<BodyId, Vec<usize>>,
}

/// What is known of where a value comes from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Provenance {
    /// It may be another one in the next run, or on another machine.
    pub(crate) varies: bool,
    /// The parameters of the body itself that are a part of it, by their place.
    pub(crate) parameters: Vec<usize>,
}

/// Where the values of some expressions come from, as far as the bodies tell that a test may `run`; `own` is the test's.
pub(crate) fn provenance(
    workspace: &Workspace,
    run: &FxHashSet<BodyId>,
    own: BodyId,
    of: Of,
    from: impl IntoIterator<Item = (BodyId, ExprId)>,
) -> Provenance {
    let mut walk = Walk {
        workspace,
        run,
        of,
        work: from.into_iter().collect(),
        seen: FxHashSet::default(),
        locals: FxHashSet::default(),
        fields: FxHashSet::default(),
        callers: FxHashMap::default(),
        parameters: FxHashMap::default(),
    };
    let mut out = Provenance::default();
    while let Some((body, e)) = walk.work.pop() {
        if walk.seen.len() == MOST {
            // Nobody knows what the rest is.
            out.varies = true;
            break;
        }
        if walk.seen.insert((body, e)) {
            out.varies |= walk.step(body, e);
        }
    }
    out.parameters = walk.parameters.remove(&own).unwrap_or_default();
    out
}

impl Walk<'_> {
    /// Looks at an expression: true if it varies by itself. What it is made of is looked at next.
    fn step(&mut self, id: BodyId, e: ExprId) -> bool {
        let program = self.workspace.program();
        let (Some(decl), Some(resolved)) = (program.body(id), self.workspace.resolved(id)) else {
            return false;
        };
        let body = &*decl.body;
        match body.expr(e).kind {
            ExprKind::Local(local) => self.local(id, body, local),
            ExprKind::Name(_) | ExprKind::Field { .. } => match resolved.name(e) {
                Some(NameTarget::Field(field)) => {
                    self.field(field);
                    if self.of == Of::Everything {
                        self.operands(id, body, e);
                    }
                }
                Some(NameTarget::Captured {
                    body: around,
                    local,
                }) => {
                    if let Some(decl) = program.body(around) {
                        self.local(around, &decl.body, local);
                    }
                }
                _ => self.operands(id, body, e),
            },
            ExprKind::Call(c) => match resolved.calls.get(c.ix()) {
                Some(CallTarget::Workspace(method)) => {
                    let is_new = matches!(body.calls[c.ix()].callee, Callee::New { .. });
                    if is_new && self.of >= Of::Whole {
                        self.operands(id, body, e);
                    }
                    let targets = self.workspace.call_graph().targets_of(*method);
                    let bodies = targets.bodies().iter();
                    for &target in bodies.filter(|b| self.run.contains(b)) {
                        self.called(target, id, c);
                        if !is_new {
                            self.returned(target);
                        }
                    }
                    for &field in targets.components().iter() {
                        self.field(field);
                    }
                }
                _ if varies_itself(program, (id, body), resolved, c, e) => return true,
                _ => self.operands(id, body, e),
            },
            _ => self.operands(id, body, e),
        }
        false
    }

    fn operands(&mut self, id: BodyId, body: &Body, e: ExprId) {
        let mut inner = Vec::new();
        body.operands_of(e, &mut inner);
        self.work.extend(inner.into_iter().map(|e| (id, e)));
    }

    /// A call of a method: of its arguments those that the method was seen to use.
    fn called(&mut self, method: BodyId, from: BodyId, call: CallId) {
        let callers = self.callers.entry(method).or_default();
        if callers.contains(&(from, call)) {
            return;
        }
        callers.push((from, call));
        for at in self.parameters.get(&method).cloned().unwrap_or_default() {
            self.argument(from, call, at);
        }
    }

    /// A parameter that a method uses: what the calls that led there gave it.
    fn parameter(&mut self, method: BodyId, at: usize) {
        self.parameters.entry(method).or_default().push(at);
        for (from, call) in self.callers.get(&method).cloned().unwrap_or_default() {
            self.argument(from, call, at);
        }
    }

    fn argument(&mut self, from: BodyId, call: CallId, at: usize) {
        if let Some(decl) = self.workspace.program().body(from) {
            let args = decl.body.list(decl.body.calls[call.ix()].args);
            // The last parameter may take the rest.
            let given = args.get(at).or(args.last());
            self.work.extend(given.map(|a| (from, *a)));
        }
    }

    /// What a method gives back.
    fn returned(&mut self, id: BodyId) {
        let Some(decl) = self.workspace.program().body(id) else {
            return;
        };
        let own = decl.body.returns.iter();
        let own = own.filter(|r| r.callable == Callable::Member);
        self.work.extend(own.filter_map(|r| Some((id, r.value?))));
    }

    /// What a local was given: its own values, and what calls on it were.
    fn local(&mut self, id: BodyId, body: &Body, local: LocalId) {
        if !self.locals.insert((id, local)) {
            return;
        }
        if let Some(at) = body.params.iter().position(|p| *p == local) {
            self.parameter(id, at);
        }
        let is_it = |e: ExprId| matches!(body.expr(e).kind, ExprKind::Local(l) if l == local);
        for def in &body.defs {
            let gives = match def.target {
                Target::Local(l) => l == local,
                Target::Element(array) => is_it(array),
                _ => false,
            };
            if gives {
                let sources = body.list(def.sources).iter();
                self.work.extend(sources.map(|s| (id, *s)));
            }
        }
        self.filled(id, body, is_it);
        self.filled_elsewhere(id, body, is_it);
    }

    /// What methods that an object is given to put into it: `fill(buffer)`, `random.nextBytes(buffer)`.
    fn filled_elsewhere(&mut self, id: BodyId, body: &Body, is_it: impl Fn(ExprId) -> bool) {
        let Some(resolved) = self.workspace.resolved(id) else {
            return;
        };
        let program = self.workspace.program();
        for (at, call) in body.calls.iter().enumerate() {
            let mut args = body.list(call.args).iter();
            let Some(nth) = args.position(|a| is_it(*a)) else {
                continue;
            };
            let c = CallId(at as u32);
            match resolved.calls.get(at) {
                Some(CallTarget::Workspace(method)) => {
                    let targets = self.workspace.call_graph().targets_of(*method);
                    for &target in targets.bodies().iter() {
                        let decl = program.body(target).filter(|_| self.run.contains(&target));
                        let own = decl.and_then(|d| Some((d, *d.body.params.get(nth)?)));
                        if let Some((decl, local)) = own {
                            self.called(target, id, c);
                            self.local(target, &decl.body, local);
                        }
                    }
                }
                // It is looked at as what it gives.
                _ if varies_itself(program, (id, body), resolved, c, call.expr) => {
                    self.work.push((id, call.expr));
                }
                _ => {}
            }
        }
    }

    /// What a field was given, wherever its file says so.
    fn field(&mut self, field: FieldId) {
        if !self.fields.insert(field) {
            return;
        }
        let program = self.workspace.program();
        let owner = program.field_owner(field);
        let bodies = program
            .type_place(owner)
            .map(|(file, _)| program.bodies_of_file(file));
        let bodies = bodies.unwrap_or_default().iter();
        for &id in bodies.filter(|b| self.run.contains(b)) {
            let (Some(decl), Some(resolved)) = (program.body(id), self.workspace.resolved(id))
            else {
                continue;
            };
            let body = &*decl.body;
            let is_it =
                |e: ExprId| matches!(resolved.name(e), Some(NameTarget::Field(f)) if f == field);
            for (at, def) in body.defs.iter().enumerate() {
                let gives = match def.target {
                    Target::OwnField(_) => resolved.own_field(DefId(at as u32)) == Some(field),
                    Target::Place(place) | Target::Element(place) => is_it(place),
                    Target::Local(_) => false,
                };
                if gives {
                    let sources = body.list(def.sources).iter();
                    self.work.extend(sources.map(|s| (id, *s)));
                }
            }
            self.filled(id, body, is_it);
        }
    }

    /// What calls on an object were given: `claims.put("jti", id)`, `text.append("a").append(id)`.
    fn filled(&mut self, id: BodyId, body: &Body, is_it: impl Fn(ExprId) -> bool) {
        let receiver = |call: &flow::Call| match call.callee {
            Callee::Method { receiver, .. } => receiver,
            _ => None,
        };
        for call in &body.calls {
            let mut of = receiver(call);
            while let Some(e) = of {
                if is_it(e) {
                    let args = body.list(call.args).iter();
                    self.work.extend(args.map(|a| (id, *a)));
                    break;
                }
                of = match body.expr(e).kind {
                    ExprKind::Call(c) => receiver(&body.calls[c.ix()]),
                    _ => None,
                };
            }
        }
    }
}

/// True for a call of a library whose value is another one in the next run, on another machine, or of the next build.
fn varies_itself(
    program: &Program,
    (id, body): (BodyId, &Body),
    resolved: &ResolvedBody,
    c: CallId,
    e: ExprId,
) -> bool {
    let written = || {
        let at = body.expr(e);
        program.body_text(id, at.start, at.end)
    };
    is_unstable_call(program, body, resolved, c, e, models::varies_by_machine)
        || body.method_name(&body.calls[c.ix()]).is_some_and(|name| {
            let asked = written();
            models::is_of_build(name, asked.rsplit('(').next().unwrap_or(asked))
        })
}

/// True for a value that is a constant of the workspace, or asked of one: `Limits.MOST`, `Config.URL.getValue()`. What an
/// enum's constant says of itself is no such: it was given to its constructor.
pub(crate) fn is_constant(workspace: &Workspace, id: BodyId, e: ExprId) -> bool {
    let program = workspace.program();
    let (Some(decl), Some(resolved)) = (program.body(id), workspace.resolved(id)) else {
        return false;
    };
    let body = &*decl.body;
    let mut at = e;
    loop {
        at = match body.expr(at).kind {
            ExprKind::Cast { operand, .. } => operand,
            ExprKind::Call(c) => match body.calls[c.ix()].callee {
                Callee::Method {
                    receiver: Some(r), ..
                } if body.calls[c.ix()].args.len == 0 => r,
                _ => return false,
            },
            ExprKind::Name(_) | ExprKind::Field { .. } => {
                return match resolved.name(at) {
                    Some(NameTarget::Field(field)) => {
                        let field = program.field_decl(field);
                        field
                            .is_some_and(|f| f.modifiers.has(Modifiers::STATIC) && !f.enum_constant)
                    }
                    _ => false,
                };
            }
            _ => return false,
        };
    }
}
