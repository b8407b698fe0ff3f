//! Which definitions of production code *compute* their value, rather than pass on what they were given.
//!
//! A test that set `name` itself learns nothing from `getName()`: on the way from the test's literal to the getter the
//! value was only copied. It learns something where an operator, a condition, a change of state or a call of a library
//! made a value of others. Objects that are made, elements that are fetched and parameters that are kept are passed on.

use calls::{Unit, Workspace};
use chains::Candidate;
use flow::{Body, Callee, ExprId, ExprKind, Literal, VariableKind};
use observe::{Assembled, EdgeKind, Node};
use program::{
    CallTarget, FieldId, Modifiers, NameTarget, Program, ResolvedBody, Ty, TypeDeclKind, TypeId,
};
use smol_str::SmolStr;

/// What a definition does to get its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    /// Passes on what it was given.
    Passed,
    /// Computes it.
    Computed,
    /// Computes it of what is another in every run: the time, chance, an identity.
    Unstable,
}

/// How the vertices of a graph are made that stand for definitions of production code, each told once; others are passed
/// on.
pub(super) struct Makers<'a> {
    workspace: &'a Workspace,
    graph: &'a Assembled,
    units: &'a [Unit],
    told: Vec<Option<Made>>,
}

impl<'a> Makers<'a> {
    pub(super) fn new(
        workspace: &'a Workspace,
        graph: &'a Assembled,
        units: &'a [Unit],
    ) -> Makers<'a> {
        Makers {
            workspace,
            graph,
            units,
            told: vec![None; graph.nodes.len()],
        }
    }

    /// How a vertex is made.
    pub(super) fn of(&mut self, v: u32) -> Made {
        if let Some(made) = self.told[v as usize] {
            return made;
        }
        let made = self.tell(v).unwrap_or(Made::Passed);
        self.told[v as usize] = Some(made);
        made
    }

    /// The definition of production code that a vertex stands for.
    fn definition(&self, v: u32) -> Option<(&'a Unit, &'a Candidate)> {
        let Node::Real { unit, candidate } = self.graph.nodes[v as usize] else {
            return None;
        };
        let program = self.workspace.program();
        let unit = &self.units[unit.ix()];
        let production = program
            .body_file(unit.body)
            .is_some_and(|f| !program.is_test(f));
        production.then(|| (unit, &unit.chains.candidates[candidate as usize]))
    }

    fn tell(&self, v: u32) -> Option<Made> {
        let program = self.workspace.program();
        let (unit, c) = self.definition(v)?;
        let decl = program.body(unit.body)?;
        let resolved = self.workspace.resolved(unit.body)?;
        if c.kind == VariableKind::Parameter {
            // Production code that computes an argument.
            let computes = self.graph.psg.outgoing(v).any(|e| {
                e.kind == EdgeKind::Argument && !e.copy && self.definition(e.to).is_some()
            });
            return computes.then_some(Made::Computed);
        }
        // What initialises fields gives them their defaults.
        let method = program.body_method(unit.body)?;
        let makes = program.is_constructor(method);
        if makes && !of_arguments(&decl.body, c) {
            return None;
        }
        Some(of_candidate(program, &decl.body, resolved, c, makes))
    }
}

/// True if a definition uses a local or a parameter.
fn of_arguments(body: &Body, c: &Candidate) -> bool {
    let Some(d) = c.def else {
        return true;
    };
    let mut work: Vec<ExprId> = body.list(body.defs[d.ix()].sources).to_vec();
    let mut left = 200;
    while let Some(e) = work.pop() {
        left -= 1;
        if left == 0 || matches!(body.expr(e).kind, ExprKind::Local(_)) {
            return true;
        }
        body.operands_of(e, &mut work);
    }
    false
}

/// True if a definition of production code computes its value of a local or a parameter, or by steps, and the same in every
/// run.
pub(crate) fn computes_of_given(workspace: &Workspace, unit: &Unit, c: &Candidate) -> bool {
    let program = workspace.program();
    let (Some(decl), Some(resolved)) = (program.body(unit.body), workspace.resolved(unit.body))
    else {
        return false;
    };
    let by_steps = c.def.is_some_and(|d| decl.body.defs[d.ix()].compound);
    (by_steps || of_arguments(&decl.body, c))
        && of_candidate(program, &decl.body, resolved, c, true) == Made::Computed
}

/// True if a method's returned values say that it decided something: constants of several kinds, or a computed value.
pub(super) fn decides(workspace: &Workspace, body_id: program::BodyId) -> bool {
    let program = workspace.program();
    let (Some(decl), Some(resolved)) = (program.body(body_id), workspace.resolved(body_id)) else {
        return false;
    };
    let body = &*decl.body;
    let own = body
        .returns
        .iter()
        .filter(|r| r.callable == flow::Callable::Member);
    let values: Vec<ExprId> = own.filter_map(|r| r.value).collect();
    let literals = values
        .iter()
        .filter(|v| matches!(body.expr(**v).kind, ExprKind::Literal(_)))
        .count();
    values.len() > 1 && literals > 0
        || values
            .iter()
            .any(|&v| of_value(program, body, resolved, v, false) == Made::Computed)
}

/// `in_making`: the code of a constructor or an initialiser, where constants are defaults.
fn of_candidate(
    program: &Program,
    body: &Body,
    resolved: &ResolvedBody,
    c: &Candidate,
    in_making: bool,
) -> Made {
    match c.kind {
        VariableKind::Loop
        | VariableKind::Catch
        | VariableKind::Resource
        | VariableKind::Pattern
        | VariableKind::LambdaParameter => return Made::Passed,
        _ => {}
    }
    let Some(d) = c.def else {
        return c.value.map_or(Made::Passed, |v| {
            of_value(program, body, resolved, v, false)
        });
    };
    let def = &body.defs[d.ix()];
    // What is counted over all objects depends on which tests ran before.
    if def.compound && c.field.is_some_and(|f| is_shared(program, f)) {
        return Made::Unstable;
    }
    let state = c.field.is_some() && !in_making;
    let sources = body.list(def.sources).iter();
    let of_sources = sources
        .map(|&s| of_value(program, body, resolved, s, state))
        .fold(Made::Passed, worse);
    match of_sources {
        Made::Passed if def.compound => Made::Computed,
        made => made,
    }
}

fn worse(a: Made, b: Made) -> Made {
    match (a, b) {
        (Made::Unstable, _) | (_, Made::Unstable) => Made::Unstable,
        (Made::Computed, _) | (_, Made::Computed) => Made::Computed,
        _ => Made::Passed,
    }
}

/// `state`: a constant counts, since giving it to a field changes the state of an object.
fn of_value(
    program: &Program,
    body: &Body,
    resolved: &ResolvedBody,
    e: ExprId,
    state: bool,
) -> Made {
    let mut out = Made::Passed;
    let mut work = vec![(e, true)];
    let mut left = 200;
    while let Some((e, top)) = work.pop() {
        left -= 1;
        if left == 0 {
            break;
        }
        let mut inner = Vec::new();
        let made = match body.expr(e).kind {
            ExprKind::Binary { .. }
            | ExprKind::Unary { .. }
            | ExprKind::ShortCircuit { .. }
            | ExprKind::InstanceOf { .. }
            | ExprKind::Conditional { .. }
            | ExprKind::Switch { .. } => {
                body.operands_of(e, &mut inner);
                Made::Computed
            }
            ExprKind::Cast { operand, .. } => {
                work.push((operand, top));
                Made::Passed
            }
            ExprKind::Literal(l) if top && state && l != Literal::Null => Made::Computed,
            ExprKind::Name(_) | ExprKind::Field { .. } if top && state => match resolved.name(e) {
                Some(NameTarget::Field(f)) => {
                    let constant = program.field_decl(f).is_some_and(|d| {
                        d.enum_constant
                            || d.modifiers.has(Modifiers::STATIC)
                                && d.modifiers.has(Modifiers::FINAL)
                    });
                    if constant {
                        Made::Computed
                    } else {
                        Made::Passed
                    }
                }
                _ => Made::Passed,
            },
            ExprKind::Call(c) => {
                body.operands_of(e, &mut inner);
                of_call(program, body, resolved, c, e)
            }
            _ => Made::Passed,
        };
        out = worse(out, made);
        work.extend(inner.into_iter().map(|e| (e, false)));
    }
    out
}

fn of_call(
    program: &Program,
    body: &Body,
    resolved: &ResolvedBody,
    c: flow::CallId,
    e: ExprId,
) -> Made {
    if matches!(resolved.calls.get(c.ix()), Some(CallTarget::Workspace(_))) {
        // What it computes stands in its own body.
        return Made::Passed;
    }
    if is_unstable_call(program, body, resolved, c, e, |_, _| false) {
        return Made::Unstable;
    }
    let is_new = matches!(body.calls[c.ix()].callee, Callee::New { .. });
    match !is_new && is_value(program, resolved.ty(e)) {
        true => Made::Computed,
        false => Made::Passed,
    }
}

/// True for a call of a library whose value differs from run to run, or that is one of `others` by its class and name.
pub(super) fn is_unstable_call(
    program: &Program,
    body: &Body,
    resolved: &ResolvedBody,
    c: flow::CallId,
    e: ExprId,
    others: impl Fn(&str, &str) -> bool,
) -> bool {
    let call = &body.calls[c.ix()];
    match call.callee {
        Callee::New { .. } => {
            let class = program.display_type(resolved.ty(e));
            call.args.len == 0 && models::is_made_varying(&class)
        }
        Callee::Method { receiver, name } => {
            let name = body.name(name).as_str();
            let class = match resolved.library_method(e) {
                Some(m) => program.type_name(program.method_owner(m)).to_string(),
                None => receiver.map_or_else(String::new, |r| match body.expr(r).kind {
                    ExprKind::Name(n) | ExprKind::Field { name: n, .. } => body.name(n).to_string(),
                    _ => program.display_type(resolved.ty(r)).to_string(),
                }),
            };
            models::varies_by_run(&class, name)
                || counts_shared(program, body, resolved, receiver, name)
                || others(&class, name)
        }
        _ => false,
    }
}

/// True for a call that draws a number.
pub(super) fn draws(program: &Program, body: &Body, resolved: &ResolvedBody, e: ExprId) -> bool {
    let ExprKind::Call(c) = body.expr(e).kind else {
        return false;
    };
    let Callee::Method { name, .. } = body.calls[c.ix()].callee else {
        return false;
    };
    let name = body.name(name).as_str();
    models::draws(name) && is_unstable_call(program, body, resolved, c, e, |_, _| false)
}

/// True for a static field that is no constant.
fn is_shared(program: &Program, field: FieldId) -> bool {
    program
        .field_decl(field)
        .is_some_and(|d| d.modifiers.has(Modifiers::STATIC) && !d.modifiers.has(Modifiers::FINAL))
}

/// True for `COUNTER.incrementAndGet()` of a static field.
fn counts_shared(
    program: &Program,
    body: &Body,
    resolved: &ResolvedBody,
    receiver: Option<ExprId>,
    name: &str,
) -> bool {
    let counter = receiver.filter(|_| models::counts_on(name));
    let field = counter.and_then(|r| match (&body.expr(r).kind, resolved.name(r)) {
        (ExprKind::Name(_) | ExprKind::Field { .. }, Some(NameTarget::Field(f))) => {
            program.field_decl(f)
        }
        _ => None,
    });
    field.is_some_and(|d| d.modifiers.has(Modifiers::STATIC))
}

/// True for types whose values are compared as such: primitives, boxes, texts, numbers, points in time, constants.
pub(super) fn is_value(program: &Program, ty: Ty) -> bool {
    if ty.is_primitive() {
        return true;
    }
    if let Some(name) = program.library_class_of(ty) {
        return models::is_value(name);
    }
    program.class_of(ty).is_some_and(|class| {
        program
            .type_decl(class)
            .is_some_and(|d| d.kind == TypeDeclKind::Enum)
    })
}

/// True for the type of an object that holds the text which is written into it.
pub(crate) fn is_text_holder(program: &Program, ty: Ty) -> bool {
    let class = program.library_class_of(ty);
    class.is_some_and(|name| models::is_text_holder(name))
}

/// True for a text.
pub(crate) fn is_text(program: &Program, ty: Ty) -> bool {
    let class = program.library_class_of(ty);
    class.is_some_and(|name| name == "java.lang.String")
}

/// True for arrays, lists, sets and maps: compared whole, by their parts.
pub(super) fn is_compound(program: &Program, ty: Ty) -> bool {
    let text = program.type_text(ty);
    let name = text.split('<').next().unwrap_or_default();
    text.ends_with("[]") || program.library_class_of(ty).is_some() && models::is_compound(name)
}

/// True for arrays, lists and sets of values, as people write them down; nobody writes bytes.
pub(super) fn holds_values(program: &Program, ty: Ty) -> bool {
    let holds = program
        .element_of(ty)
        .or_else(|| program.first_argument(ty));
    is_compound(program, ty) && holds.is_some_and(|e| e != Ty::BYTE && is_value(program, e))
}

/// True for arrays, lists, sets and maps of objects that are compared by identity alone, as far as their classes tell.
pub(super) fn holds_identities(program: &Program, ty: Ty) -> bool {
    let arguments = program.arguments(ty).iter().copied();
    let mut holds = program.element_of(ty).into_iter().chain(arguments);
    is_compound(program, ty) && holds.any(|e| is_identity(program, e))
}

/// True for a class of the workspace whose objects are the same only as themselves, and for what the JDK has that says
/// nothing of itself: keys, threads, streams.
pub(super) fn is_identity(program: &Program, ty: Ty) -> bool {
    match program.class_of(ty) {
        Some(class) => is_silent(program, class, ("equals", 1)),
        None => tells_nothing(program, ty),
    }
}

/// True for what the JDK has that says nothing of itself: keys, threads, streams.
pub(super) fn tells_nothing(program: &Program, ty: Ty) -> bool {
    let class = program.library_class_of(ty);
    class.is_some_and(|name| models::is_opaque(name))
}

/// True for an object whose text may be its address: one of any class, or of a class of the workspace that says nothing of it.
pub(super) fn has_no_text(program: &Program, ty: Ty) -> bool {
    let of_any = program.library_class_of(ty);
    of_any.is_some_and(|name| name == "java.lang.Object")
        || program
            .class_of(ty)
            .is_some_and(|class| is_silent(program, class, ("toString", 0)))
}

/// True for a class that declares no such method, nor does one above it that is known.
fn is_silent(program: &Program, class: TypeId, of: (&str, usize)) -> bool {
    let above = program.supertypes(class);
    let is_own = |name: &SmolStr| above.iter().any(|c| program.type_name(*c) == name);
    let names = program.supertype_names(class);
    // What another library's class above says of equality nobody knows here.
    let is_known = names
        .iter()
        .all(|n| is_own(n) || models::says_nothing_of_equality(n));
    is_known && above.iter().chain([&class]).all(|c| !says(program, *c, of))
}

/// True for a class that declares such a method, or of which the language does.
fn says(program: &Program, class: TypeId, (name, params): (&str, usize)) -> bool {
    let mut methods = program.methods_of_type(class).iter();
    let declares = methods.any(|m| {
        let decl = program.method_decl(*m);
        decl.is_some_and(|d| d.name == name && d.params.len() == params)
    });
    let kind = program.type_decl(class).map(|d| d.kind);
    declares || matches!(kind, Some(TypeDeclKind::Enum | TypeDeclKind::Record))
}
