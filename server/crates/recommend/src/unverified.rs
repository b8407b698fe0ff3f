//! What the code under test tells mocks, and the test asks nobody about: `verify(mailer).send(…)`.
//!
//! Such a call is an observation point like a value that can be read. Of many of them nobody wants to know (a metric, a
//! second repository), and whether a call is made at all may hang on a branch; so no lens names one that the tests do not ask
//! for. They are listed apart, those that are surely made first, and where there are any nobody is told that nothing is left.
//!
//! They are found for who asks for them: an offer, which lenses ask for, does not. Lenses do where the tests' own bodies say
//! that a mock may be given what nobody looks at ([`may_leave_open`]).
//!
//! Only calls count that are made for what they do: nothing reads what they give. And only mocks that a test of Mockito has
//! by one name each, of which it never says the name of the called method, nor that there was nothing more. Where it says it,
//! what such a call is given may be left open (`anything.rs`).

mod anything;

pub use self::anything::may_leave_open;
use self::anything::{Acts, Anything, is_made};
use crate::Known;
use crate::observation_points::{Scene, in_lambda, one_line};
use calls::{Ran, RapidTypes, Technique, Unit, Workspace};
use flow::{Body, CallId, Callee, DefId, ExprId, ExprKind, Target, VariableKind};
use oracle::TestRun;
use oracle::frameworks::{ALL, any};
use oracle::mocks::{asked, is_bare_mock_field, makes_bare_mock};
use program::{
    BodyId, CallTarget, FieldDecl, Modifiers, NameTarget, Program, ResolvedBody, Ty, TypeId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, format_smolstr};

/// Parts of the names of classes that only measure.
const MEASURES: &[&str] = &["Metric", "Meter", "Gauge", "Telemetry", "Statistics"];

/// How many bodies are followed that are sure to run.
const MOST: usize = 1_000;

/// A call of a mock that its test does not ask for, or of which it lets an argument be anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unverified {
    /// How it is asked for: `verify(mailer).send(…)`.
    pub expression: SmolStr,
    /// What is called: `mailer.send`.
    pub call: SmolStr,
    /// What the call is given that may be anything. `None`: nobody asks for the call.
    pub argument: Option<Given>,
    /// It is made whenever the test comes to its end.
    pub is_sure: bool,
    /// The body of the code under test that makes it.
    pub body: BodyId,
    /// Where, in its file.
    pub start: u32,
}

/// What a call of a mock is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// As the code under test has it, in one line: `account`.
    pub text: SmolStr,
    /// The binary name of its class, if that is known and takes no arguments.
    pub class: Option<SmolStr>,
    /// That class, where its code is here.
    pub declared: Option<TypeId>,
    /// The call is given nothing else, and declares no exception that a test would have to declare, too.
    pub is_plain: bool,
}

impl Given {
    fn new(
        program: &Program,
        unit: &Unit,
        body: &Body,
        ty: Ty,
        e: ExprId,
        is_plain: bool,
    ) -> Given {
        let at = body.expr(e);
        let declared = program.class_of(ty);
        let class = declared.map(|class| program.type_name(class));
        let class = class.or_else(|| program.library_class_of(ty)).cloned();
        Given {
            text: one_line(program.body_text(unit.body, at.start, at.end)),
            class: class.filter(|_| program.first_argument(ty).is_none()),
            declared,
            is_plain,
        }
    }
}

/// Those of a test: what is sure first, then by position. With `ran` only what ran is followed. Costs about what finding the
/// code does that the test runs, for tests that ask mocks, and next to nothing for others.
pub fn unverified(
    workspace: &Workspace,
    known: &Known,
    run: TestRun,
    ran: Option<&Ran<'_>>,
) -> Vec<Unverified> {
    let program = workspace.program();
    let code = workspace.test_code(run);
    let summary = program
        .method_file(run.test)
        .and_then(|file| program.summary(file));
    let asks = ALL.iter().filter(|row| !row.asks.is_empty());
    let is_asking = summary.is_some_and(|s| {
        let mut asks = asks.clone();
        asks.any(|row| s.imports.iter().any(|i| row.has(i)))
    });
    let (true, Some(called)) = (is_asking, names_called(program, &code)) else {
        return Vec::new();
    };
    let body = program.method_body(run.test);
    let scene = body.and_then(|body| Scene::new(workspace, known.purity(), body, None));
    // Behind what is thrown nothing is called, nor where nothing runs.
    let is_run =
        |s: &Scene<'_>| !s.expects_exception() && !s.is_told_to_throw() && !s.is_disabled();
    let Some(scene) = scene.filter(is_run) else {
        return Vec::new();
    };
    let followed = |body: BodyId, e: ExprId| ran.is_none_or(|ran| ran(body, Some(e)));
    let mut rapid_types = RapidTypes::new(workspace, Technique::RapidTypes, &[run], &followed);
    rapid_types.run(workspace.test_roots(run));
    if !rapid_types.has_mocks() {
        return Vec::new();
    }
    let mut units = workspace.units_of(rapid_types.called());
    units.retain(|u| {
        program
            .body_file(u.body)
            .is_some_and(|f| !program.is_test(f))
    });
    let mocks = mocks(workspace, run, &code);
    let asked_beside = asked_beside(program, run.class);
    let is_spied = spies(program, run.class, &code);
    let mut sure = match is_spied {
        true => FxHashSet::default(),
        false => surely_run(workspace, &rapid_types, scene.id, &units),
    };
    let anything = match is_spied {
        true => Anything::default(),
        false => Anything::new(program, run.class, &code),
    };
    // `verify(mailer).send(…)` means once.
    let all = units.iter().map(|u| u.body).chain(code.iter().copied());
    let entered = entered(workspace, all);
    sure.retain(|body| is_entered_once(&entered, *body));
    let mut out: Vec<Unverified> = Vec::new();
    // By what is called: where an argument of it may be anything.
    let mut open: FxHashMap<(SmolStr, TypeId), Vec<(&Unit, CallId)>> = FxHashMap::default();
    for unit in &units {
        let (Some(decl), Some(resolved)) = (program.body(unit.body), workspace.resolved(unit.body))
        else {
            continue;
        };
        let body = &*decl.body;
        for (c, call) in body.calls.iter().enumerate() {
            let Some((on, name)) = call.callee.on() else {
                continue;
            };
            let gives_nothing = match resolved.calls.get(c) {
                Some(CallTarget::Workspace(m)) => !program.returns_value(*m),
                _ => false,
            };
            let name = body.name(name);
            let class = program.class_of(resolved.ty(on));
            let Some(class) = class.filter(|c| rapid_types.is_mocked(*c)) else {
                continue;
            };
            if !anything.of(name, call.args.len as usize).is_empty() {
                let places = open.entry((name.clone(), class)).or_default();
                places.push((unit, CallId(c as u32)));
            }
            if called.contains(name) || !call.dropped && !gives_nothing {
                continue;
            }
            let Some(mock) = the_only(program, &mocks, class) else {
                continue;
            };
            out.push(Unverified {
                expression: asked(mock, name, call.args.len > 0),
                call: format_smolstr!("{mock}.{name}"),
                argument: None,
                is_sure: !asked_beside.contains(name)
                    && !is_setter(name, body.list(call.args).len())
                    && sure.contains(&unit.body)
                    && is_always(unit, body, call.expr)
                    && body.loop_around(call.expr).is_none()
                    && !rapid_types.is_made(class)
                    && !is_of_static(program, body, resolved, on)
                    && !is_by_the_way(program, unit.body, class),
                body: unit.body,
                start: decl.start + call.name_start,
            });
        }
    }
    let acts = (!open.is_empty()).then(|| Acts::new(workspace, program.method_owner(run.test)));
    let is_first = acts.is_some_and(|acts| acts.is_first(scene.id, &code));
    for ((name, class), places) in open.into_iter().filter(|_| is_first) {
        let ([(unit, c)], Some(mock)) = (&places[..], the_only(program, &mocks, class)) else {
            continue;
        };
        let Some(decl) = program.body(unit.body) else {
            continue;
        };
        let body = &*decl.body;
        let call = &body.calls[c.ix()];
        let is_run = || {
            sure.contains(&unit.body)
                && is_always(unit, body, call.expr)
                && body.loop_around(call.expr).is_none()
        };
        if rapid_types.is_made(class)
            || is_by_the_way(program, unit.body, class)
            || !(anything.is_asked(&name) || is_run())
        {
            continue;
        }
        let args = body.list(call.args);
        let free = anything
            .of(&name, args.len())
            .iter()
            .filter_map(|at| args.get(*at));
        let is_mocked = |class: TypeId| rapid_types.is_mocked(class);
        let made = free.filter(|e| is_made(workspace, &is_mocked, unit.body, **e));
        let Some(resolved) = workspace.resolved(unit.body) else {
            continue;
        };
        let throws = match resolved.calls.get(c.ix()) {
            Some(CallTarget::Workspace(m)) => program
                .method_decl(*m)
                .is_some_and(|d| !d.throws.is_empty()),
            _ => false,
        };
        let is_plain = args.len() == 1 && !throws;
        out.extend(made.map(|e| {
            let ty = resolved.ty(*e);
            Unverified {
                expression: asked(mock, &name, true),
                call: format_smolstr!("{mock}.{name}"),
                argument: Some(Given::new(program, unit, body, ty, *e, is_plain)),
                is_sure: true,
                body: unit.body,
                start: decl.start + call.name_start,
            }
        }));
    }
    let place = |u: &Unverified| (program.body_file(u.body), u.start);
    out.sort_by_key(|u| (!u.is_sure, place(u)));
    let mut seen: FxHashSet<SmolStr> = FxHashSet::default();
    out.retain(|u| seen.insert(u.call.clone()));
    out
}

/// True for what a static method gives: which object that is, whoever put it there says.
fn is_of_static(program: &Program, body: &Body, resolved: &ResolvedBody, on: ExprId) -> bool {
    match body.expr(on).kind {
        ExprKind::Call(c) => match resolved.calls.get(c.ix()) {
            Some(CallTarget::Workspace(m)) => program.method_has(*m, Modifiers::STATIC),
            _ => false,
        },
        _ => false,
    }
}

/// True for what an object tells when it is made, which each test makes, and for what is told to somebody who only measures.
fn is_by_the_way(program: &Program, body: BodyId, class: TypeId) -> bool {
    let is_making = program
        .body_method(body)
        .is_none_or(|m| program.is_constructor(m));
    let measures = |d: &program::TypeDecl| {
        let name = d.name.as_str();
        MEASURES.iter().any(|m| name.contains(m))
    };
    is_making || program.type_decl(class).is_some_and(measures)
}

/// The names of what code of a test calls on objects; none if it asks for all that mocks were told.
fn names_called(program: &Program, code: &[BodyId]) -> Option<FxHashSet<SmolStr>> {
    let mut out = FxHashSet::default();
    for decl in code.iter().filter_map(|b| program.body(*b)) {
        let body = &*decl.body;
        for call in &body.calls {
            let Callee::Method { receiver, name } = call.callee else {
                continue;
            };
            let name = body.name(name);
            let asks = any(name, |row| row.asks);
            // EasyMock's `verify(mailer)` asks for all that was expected.
            let asks_for_all = match asks {
                true => call.dropped && any(name, |row| row.verifies),
                false => any(name, |row| row.verifies) || name.starts_with("shouldHaveNo"),
            };
            if asks_for_all {
                return None;
            }
            if receiver.is_some() {
                out.insert(name.clone());
            }
        }
        let named = body.exprs.iter().filter_map(|e| match e.kind {
            ExprKind::MethodRef { name, .. } => Some(body.name(name).clone()),
            _ => None,
        });
        out.extend(named);
    }
    Some(out)
}

/// The class around all that are around a class.
fn outermost(program: &Program, class: TypeId) -> TypeId {
    let around = std::iter::successors(Some(class), |c| program.enclosing_type(*c));
    around.last().unwrap_or(class)
}

/// The names of what tests of a class verify, or have throw: where one is about a call, it is beside the point of the others.
fn asked_beside(program: &Program, class: TypeId) -> FxHashSet<SmolStr> {
    let mut out = FxHashSet::default();
    // With the classes around it, and those in these.
    let within = program
        .type_place(outermost(program, class))
        .map(|(file, _)| program.types_of_file(file));
    let methods = within
        .unwrap_or_default()
        .iter()
        .flat_map(|c| program.methods_of_type(*c));
    let bodies = methods.filter_map(|m| program.body(program.method_body(*m)?));
    for decl in bodies {
        let body = &*decl.body;
        let named = |e: ExprId| match body.expr(e).kind {
            ExprKind::Call(c) => match body.calls[c.ix()].callee {
                Callee::Method { receiver, name } => Some((c, receiver, body.name(name))),
                _ => None,
            },
            _ => None,
        };
        let throws = |e: ExprId| named(e).is_some_and(|n| any(n.2, |row| row.throwing));
        for call in &body.calls {
            let Some((_, Some(on), name)) = named(call.expr) else {
                continue;
            };
            let Some((told, before, asks)) = named(on) else {
                continue;
            };
            // `verify(mailer).send(…)`, `doThrow(e).when(mailer).send(…)`.
            if any(asks, |row| row.asks) || before.is_some_and(throws) {
                out.insert(name.clone());
            }
            // `when(mailer.send(…)).thenThrow(e)`.
            if any(name, |row| row.throwing) {
                let args = body.list(body.calls[told.ix()].args).iter();
                let told = args.filter_map(|a| named(*a));
                out.extend(told.map(|n| n.2.clone()));
            }
        }
    }
    out
}

/// True for a call that puts a value into an object: a mock of one is no service.
fn is_setter(name: &str, args: usize) -> bool {
    let behind = name.strip_prefix("set");
    args == 1 && behind.is_some_and(|rest| rest.starts_with(char::is_uppercase))
}

/// True for a test some of whose code under test may be put away: by a spy, of a class, of its constructors.
fn spies(program: &Program, class: TypeId, code: &[BodyId]) -> bool {
    let is_spy = |name: &SmolStr| any(name, |row| row.spies);
    let around = std::iter::successors(Some(class), |c| program.enclosing_type(*c)).take(100);
    let mut fields = around.flat_map(|c| program.fields_of_type(c));
    let mut bodies = code.iter().filter_map(|b| program.body(*b));
    fields.any(|f| {
        let decl = program.field_decl(*f);
        decl.is_some_and(|d| d.annotations.iter().any(is_spy))
    }) || bodies.any(|b| b.body.names.iter().any(is_spy))
}

/// The mocks that a test can name, with their classes.
fn mocks(workspace: &Workspace, run: TestRun, code: &[BodyId]) -> Vec<(SmolStr, TypeId)> {
    let program = workspace.program();
    let mut out: Vec<(SmolStr, TypeId)> = Vec::new();
    let mut add = |name: &SmolStr, ty| {
        let mock = program.class_of(ty).map(|class| (name.clone(), class));
        out.extend(mock.filter(|m| !out.contains(m)));
    };
    let around = std::iter::successors(Some(run.class), |c| program.enclosing_type(*c)).take(100);
    let around: Vec<TypeId> = around.collect();
    let above = around.iter().flat_map(|c| program.supertypes(*c));
    let all = around.iter().copied().chain(above);
    for field in all.flat_map(|c| program.fields_of_type(c)) {
        // What is private above, nobody can name here.
        let is_named = |d: &&FieldDecl| {
            !d.modifiers.has(Modifiers::PRIVATE) || around.contains(&program.field_owner(*field))
        };
        let decl = program.field_decl(*field).filter(|d| is_bare_mock_field(d));
        if let Some(decl) = decl.filter(is_named) {
            add(&decl.name, program.field_type(*field));
        }
    }
    let own = program.method_body(run.test);
    for &id in code {
        let (Some(decl), Some(resolved)) = (program.body(id), workspace.resolved(id)) else {
            continue;
        };
        let body = &*decl.body;
        for (d, def) in body.defs.iter().enumerate() {
            let is_mock = |e: &ExprId| match body.expr(*e).kind {
                ExprKind::Call(c) => makes_bare_mock(body, &body.calls[c.ix()]),
                _ => false,
            };
            if !body.list(def.sources).iter().any(is_mock) {
                continue;
            }
            let field = match def.target {
                Target::Local(local) => {
                    let ty = resolved.locals.get(local.ix()).filter(|_| own == Some(id));
                    if let Some(ty) = ty {
                        add(&body.locals[local.ix()].name, *ty);
                    }
                    None
                }
                Target::OwnField(_) => resolved.own_field(DefId(d as u32)),
                Target::Place(p) => match resolved.name(p) {
                    Some(NameTarget::Field(field)) => Some(field),
                    _ => None,
                },
                Target::Element(_) => None,
            };
            let field = field.and_then(|f| Some((program.field_decl(f)?, program.field_type(f))));
            if let Some((decl, ty)) = field {
                add(&decl.name, ty);
            }
        }
    }
    out
}

/// The name of the only mock that may be an object of a class.
fn the_only<'m>(program: &Program, mocks: &'m [(SmolStr, TypeId)], of: TypeId) -> Option<&'m str> {
    let is_above = |a: TypeId, b: TypeId| a == b || program.supertypes(b).contains(&a);
    let fits = |m: &&(SmolStr, TypeId)| is_above(of, m.1) || is_above(m.1, of);
    let mut all = mocks.iter().filter(fits);
    let first = all.next()?;
    all.next().is_none().then_some(first.0.as_str())
}

/// The bodies of code under test that a test runs whatever its branches do: each is called where its caller always comes by,
/// and nothing else can answer the call. Where an exception is caught, what stands behind that which throws it does not run;
/// without a `catch` on the way up it would end the test.
fn surely_run(
    workspace: &Workspace,
    rapid_types: &RapidTypes<'_>,
    test: BodyId,
    units: &[Unit],
) -> FxHashSet<BodyId> {
    let program = workspace.program();
    let known: FxHashSet<BodyId> = units.iter().map(|u| u.body).collect();
    let mut out: FxHashSet<BodyId> = FxHashSet::default();
    let mut work = vec![test];
    while let Some(id) = work.pop() {
        let (Some(decl), Some(chains)) = (program.body(id), workspace.chains(id)) else {
            continue;
        };
        let mut locals = decl.body.locals.iter();
        let catches = locals.any(|l| l.kind == VariableKind::Catch);
        if catches || !out.insert(id) || out.len() > MOST {
            continue;
        }
        for site in &chains.calls {
            // Who is given a method reference may call it, or not.
            let is_always = site.call.is_some()
                && site.entry >= 1.0 - 1e-9
                && !in_lambda(&decl.body, site.expr);
            if !is_always || rapid_types.is_answered_by_mock(id, site) {
                continue;
            }
            let targets = workspace.call_graph().targets(site);
            if let [only] = targets.bodies()[..]
                && known.contains(&only)
            {
                work.push(only);
            }
        }
    }
    out
}

/// By body: from where it is called, and whether in a loop.
fn entered(
    workspace: &Workspace,
    code: impl Iterator<Item = BodyId>,
) -> FxHashMap<BodyId, Vec<(BodyId, bool)>> {
    let mut out: FxHashMap<BodyId, Vec<(BodyId, bool)>> = FxHashMap::default();
    let graph = workspace.call_graph();
    let mut seen: FxHashSet<BodyId> = FxHashSet::default();
    for id in code.filter(|id| seen.insert(*id)) {
        let Some(decl) = workspace.program().body(id) else {
            continue;
        };
        for site in graph.sites(id).iter() {
            let is_in_loop = decl.body.loop_around(site.expr).is_some();
            for target in graph.targets(site).bodies().iter() {
                out.entry(*target).or_default().push((id, is_in_loop));
            }
        }
    }
    out
}

/// True for a body that one call alone leads to, all the way up.
fn is_entered_once(entered: &FxHashMap<BodyId, Vec<(BodyId, bool)>>, body: BodyId) -> bool {
    let mut at = body;
    // What calls itself is called twice.
    for _ in 0..MOST {
        match entered.get(&at).map(Vec::as_slice) {
            None => return true,
            Some([(from, false)]) => at = *from,
            Some(_) => return false,
        }
    }
    false
}

/// True for an expression that is evaluated whenever its body is, as far as what stands beside it tells.
fn is_always(unit: &Unit, body: &Body, e: ExprId) -> bool {
    let block = body.block_of(e);
    let certain = |entry: f64| entry >= 1.0 - 1e-9;
    let candidates = unit.chains.candidates.iter();
    let mut beside = candidates.filter(|c| c.block == block);
    let mut calls = unit.chains.calls.iter();
    let mut calls = calls.by_ref().filter(|s| body.block_of(s.expr) == block);
    !in_lambda(body, e)
        && (block == body.block_of(ExprId(0))
            || beside.any(|c| certain(c.entry))
            || calls.any(|s| certain(s.entry)))
}
