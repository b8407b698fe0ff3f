//! What the code under test tells mocks, and the test asks nobody about: `verify(mailer).send(…)`.
//!
//! Such a call is an observation point like a value that can be read. Of many of them nobody wants to know (a metric, a
//! second repository), and whether a call is made at all may hang on a branch: lenses name only those that are surely made. They
//! are listed apart, those that are surely made first, and where there are any nobody is told that nothing is left.
//!
//! They are found for who asks for them: an offer, which lenses ask for, does not. Lenses do where a cheap look says that there
//! may be some (`hope.rs`).
//!
//! Only calls count that are made for what they do: nothing reads what they give. And only mocks that a test of Mockito has
//! by one name each, of which it never says the name of the called method (but to tell it to do nothing), nor that there was
//! nothing more. Where it says it, what such a call is given may be left open (`anything.rs`), of a library's mock as well.

mod anything;
mod asked;
mod hope;
mod mocks;
mod sent;
mod stale;
mod sure;

use self::anything::{Acts, Anything, Looks, is_made};
use self::asked::{Beside, is_asking, names_called, outermost, spies, told_nothing};
pub use self::hope::{Tells, may_leave_open, may_tell};
use self::mocks::{Mocks, made_of_libraries};
use self::sent::{answering, is_given_by_test, is_read_from_request, surely_answering};
use self::stale::is_stale;
use self::sure::{entered, is_always, is_entered_once, lacks_a_part, surely_run};
use crate::Known;
use crate::observation_points::{Scene, one_line};
use calls::{Ran, RapidTypes, Technique, Unit, Workspace};
use flow::{Body, CallId, Callee, ExprId, ExprKind, Target, VariableKind};
use oracle::TestRun;
use oracle::mocks::asked;
use program::{
    BodyId, CallTarget, MethodId, Modifiers, Program, ResolvedBody, Ty, TypeDeclKind, TypeId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, format_smolstr};
use std::collections::BTreeMap;

/// Parts of the names of classes that only measure, or write down what happens.
const MEASURES: &[&str] = &[
    "Metric",
    "Meter",
    "Gauge",
    "Telemetry",
    "Statistics",
    "Logger",
];

/// Calls that write down what happens.
const LEVELS: &[&str] = &["trace", "debug", "info", "warn", "warning", "severe"];

/// Calls that put an object back: of these nobody wants to be told.
const HOUSEKEEPING: &[&str] = &["clear", "reset"];

/// How many bodies are followed that are sure to run.
const MOST: usize = 1_000;

/// A call of a mock that its test does not ask for, or of which it lets an argument be anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unverified {
    /// How it is asked for: `verify(mailer).send(…)`.
    pub expression: SmolStr,
    /// What is called: `mailer.send`.
    pub call: SmolStr,
    /// That method, of a library too, if it is known which it is.
    pub method: Option<MethodId>,
    /// How many arguments the call has.
    pub takes: usize,
    /// It may throw what a test would have to declare.
    pub may_throw: bool,
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
    /// Which of the arguments.
    pub at: usize,
    /// The binary name of its class, if that is known and takes no arguments.
    pub class: Option<SmolStr>,
    /// That class, where its code is here.
    pub declared: Option<TypeId>,
}

/// A call in code under test.
#[derive(Clone, Copy)]
struct Place<'a> {
    unit: &'a Unit,
    call: CallId,
    start: u32,
    body: &'a Body,
    resolved: &'a ResolvedBody,
}

impl Place<'_> {
    fn args(&self) -> &[ExprId] {
        self.body.list(self.body.calls[self.call.ix()].args)
    }

    /// What is called, if that is known.
    fn method(&self) -> Option<MethodId> {
        let call = &self.body.calls[self.call.ix()];
        match self.resolved.calls.get(self.call.ix()) {
            Some(CallTarget::Workspace(m)) => Some(*m),
            _ => self.resolved.library_method(call.expr),
        }
    }

    fn gives_boolean(&self, program: &Program) -> bool {
        self.method()
            .is_some_and(|m| program.return_type(m) == Ty::BOOLEAN)
    }

    fn gives_primitive(&self, program: &Program) -> bool {
        self.method()
            .is_none_or(|m| program.return_type(m).is_primitive())
    }

    /// True if it runs whenever the body does, and once.
    fn is_always_once(&self) -> bool {
        let call = &self.body.calls[self.call.ix()];
        is_always(self.unit, self.body, call.expr) && self.body.loop_around(call.expr).is_none()
    }

    /// True for a call that may throw what has to be declared: neither its declaration nor the code around it says otherwise.
    fn may_throw(&self, program: &Program) -> bool {
        if let Some(CallTarget::Workspace(m)) = self.resolved.calls.get(self.call.ix()) {
            let decl = program.method_decl(*m);
            return decl.is_none_or(|d| !d.throws.is_empty());
        }
        let around = program.body_method(self.unit.body);
        let around = around.and_then(|m| program.method_decl(m));
        let mut locals = self.body.locals.iter();
        around.is_none_or(|d| !d.throws.is_empty()) || locals.any(|l| l.kind == VariableKind::Catch)
    }

    fn told(
        &self,
        program: &Program,
        mock: &str,
        argument: Option<Given>,
        is_sure: bool,
    ) -> Unverified {
        let call = &self.body.calls[self.call.ix()];
        let name = self.body.called(self.call);
        Unverified {
            expression: asked(mock, name, call.args.len > 0),
            call: format_smolstr!("{mock}.{name}"),
            method: self.method(),
            takes: self.args().len(),
            may_throw: self.may_throw(program),
            argument,
            is_sure,
            body: self.unit.body,
            start: self.start + call.name_start,
        }
    }

    fn given(&self, program: &Program, at: usize) -> Given {
        let e = self.args()[at];
        let (written, ty) = (self.body.expr(e), self.resolved.ty(e));
        let declared = program.class_of(ty);
        let class = declared.map(|class| program.type_name(class));
        let class = class.or_else(|| program.library_class_of(ty)).cloned();
        Given {
            text: one_line(program.body_text(self.unit.body, written.start, written.end)),
            at,
            class: class.filter(|_| program.first_argument(ty).is_none()),
            declared,
        }
    }
}

/// What the tests of a class say of mocks, all together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaidOfMocks {
    beside: Beside,
    /// A test of the class fails that tells a mock what nobody calls.
    is_strict: bool,
    looks: Looks,
    acts: Acts,
}

impl SaidOfMocks {
    /// `is_strict`: a test of the class fails that tells a mock what nobody calls. Costs looking through the bodies of the file.
    pub fn new(workspace: &Workspace, class: TypeId, is_strict: bool) -> SaidOfMocks {
        let program = workspace.program();
        SaidOfMocks {
            beside: Beside::new(program, class),
            is_strict,
            looks: Looks::new(program, class),
            acts: Acts::new(workspace, class),
        }
    }

    /// True for the name of a call that may be told of a test as one that no test of the class asks for.
    pub fn leaves(&self, program: &Program, test: MethodId, name: &str) -> bool {
        !self.is_asked(name) || self.quiet(program, test).contains(name)
    }

    /// True for the name of a call that some test of the class verifies, or tells to answer, were it with nothing: in that test
    /// somebody saw that it is called.
    fn is_asked(&self, name: &str) -> bool {
        self.beside.asked.contains(name) || self.beside.nothing.contains(name)
    }

    /// The calls of which a test tells a mock to do nothing, without which it would pass as well, and that no test verifies.
    fn quiet(&self, program: &Program, test: MethodId) -> FxHashSet<SmolStr> {
        let mut out = FxHashSet::default();
        if !self.is_strict && !self.beside.nothing.is_empty() {
            out = told_nothing(program, test);
            out.retain(|name| !self.beside.asked.contains(name));
        }
        out
    }
}

/// What a test asks nobody about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnverifiedCalls {
    pub calls: Vec<Unverified>,
    /// The bodies that this rests on, in order, beside what the class says of mocks.
    pub bodies: Vec<BodyId>,
}

/// Those of a test: what is sure first, then by position. `said`: by the tests of its class. With `ran` only what ran is
/// followed. Costs about what finding the code does that the test runs, for tests that ask mocks, and next to nothing for others.
pub fn unverified(
    workspace: &Workspace,
    known: &Known,
    run: TestRun,
    said: &SaidOfMocks,
    ran: Option<&Ran<'_>>,
) -> UnverifiedCalls {
    let code = workspace.test_code(run);
    let mut bodies = code.clone();
    let calls = found(workspace, known, run, (said, &code), ran, &mut bodies);
    bodies.sort_unstable();
    bodies.dedup();
    UnverifiedCalls { calls, bodies }
}

/// `of`: what the class says, and the bodies of the test's code; `bodies`: takes what else is read.
fn found(
    workspace: &Workspace,
    known: &Known,
    run: TestRun,
    of: (&SaidOfMocks, &[BodyId]),
    ran: Option<&Ran<'_>>,
    bodies: &mut Vec<BodyId>,
) -> Vec<Unverified> {
    let program = workspace.program();
    let (said, code) = of;
    let quiet = said.quiet(program, run.test);
    if !is_asking(program, run.test) {
        return Vec::new();
    }
    let mocks = Mocks::new(workspace, run, code);
    if mocks.is_empty() {
        return Vec::new();
    }
    let called = names_called(program, code, &quiet, &mocks);
    let Some(called) = called.filter(|_| !is_stale(workspace, &mocks, code)) else {
        return Vec::new();
    };
    let body = program.method_body(run.test);
    let scene = body.and_then(|body| Scene::new(workspace, known.purity(), body, None));
    // Behind what is thrown nothing is called, nor where nothing runs.
    let is_run =
        |s: &Scene<'_>| !s.expects_exception() && !s.reader.is_told_to_throw() && !s.is_disabled();
    let Some(scene) = scene.filter(is_run) else {
        return Vec::new();
    };
    let followed = |body: BodyId, e: ExprId| ran.is_none_or(|ran| ran(body, Some(e)));
    let mut rapid_types = RapidTypes::new(workspace, Technique::RapidTypes, &[run], &followed);
    rapid_types.run(workspace.test_roots(run));
    let mut units = workspace.units_of(rapid_types.called());
    bodies.extend(units.iter().map(|u| u.body));
    units.retain(|u| {
        program
            .body_file(u.body)
            .is_some_and(|f| !program.is_test(f))
    });
    let made_of_libraries = made_of_libraries(workspace, &units);
    let answered = surely_answering(workspace, run, code);
    let is_spied = spies(program, run.class, code);
    let mut sure = match is_spied {
        true => FxHashSet::default(),
        false => {
            let roots = answered.iter().copied().chain([scene.id]).collect();
            surely_run(workspace, &rapid_types, roots, &units, true)
        }
    };
    if lacks_a_part(workspace, &rapid_types, &mocks, &sure) {
        return Vec::new();
    }
    let anything = match is_spied {
        true => Anything::default(),
        false => Anything::new(program, said.looks.clone(), body, code),
    };
    // `verify(mailer).send(…)` means once.
    let all = units.iter().map(|u| u.body).chain(code.iter().copied());
    let entered = entered(workspace, all);
    sure.retain(|body| is_entered_once(&entered, *body));
    let is_real = |class: TypeId| rapid_types.is_made(class) && !mocks.is_of_context(class);
    let mut out: Vec<Unverified> = Vec::new();
    // By what is called: where an argument of it may be anything.
    let mut open: BTreeMap<(SmolStr, TypeId), Vec<Place<'_>>> = BTreeMap::new();
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
            let name = body.name(name);
            let ty = resolved.ty(on);
            let own = program.class_of(ty);
            let is_mocked = |class: TypeId| match own {
                Some(class) => rapid_types.is_mocked(class),
                None => mocks.is_of_library(&made_of_libraries, class),
            };
            let class = own.or_else(|| program.library_type_of(ty));
            let Some(class) = class.filter(|c| is_mocked(*c)) else {
                continue;
            };
            let place = Place {
                unit,
                call: CallId(c as u32),
                start: decl.start,
                body,
                resolved,
            };
            let is_open = !anything.of(name, call.args.len as usize).is_empty()
                && anything.is_open(program, name, class);
            if is_open && !is_of_static(program, body, resolved, on) {
                open.entry((name.clone(), class)).or_default().push(place);
            }
            let gives_nothing = match resolved.calls.get(c) {
                Some(CallTarget::Workspace(m)) => !program.returns_value(*m),
                _ => false,
            };
            // What a handler asks for is what its answer is made of, and where the mock is told nothing that is nothing.
            let is_for_effect = call.dropped
                || gives_nothing
                || answered.contains(&unit.body) && !place.gives_primitive(program);
            if own.is_none() || called.contains(name) || !is_for_effect {
                continue;
            }
            let Some(mock) = mocks.the_only(program, class) else {
                continue;
            };
            let is_sure = (quiet.contains(name) || !said.is_asked(name))
                && sure.contains(&unit.body)
                && place.is_always_once()
                && !is_setter(name, place.args().len())
                && !HOUSEKEEPING.contains(&name.as_str())
                && !is_real(class)
                && !is_of_static(program, body, resolved, on)
                && !is_by_the_way(program, unit.body, class, name);
            out.push(place.told(program, mock, None, is_sure));
        }
    }
    let answers = match open.is_empty() {
        true => Vec::new(),
        false => answering(workspace, run.class, code),
    };
    // Where the test tells what to answer, it expects no exception on the way, and that its requests are answered.
    let told = match open
        .keys()
        .any(|(name, class)| anything.is_told(program, name, *class))
    {
        true => {
            let roots = answers.iter().copied().chain([scene.id]).collect();
            surely_run(workspace, &rapid_types, roots, &units, false)
        }
        false => FxHashSet::default(),
    };
    for ((name, class), places) in open {
        let ([place], Some(mock)) = (&places[..], mocks.the_only(program, class)) else {
            continue;
        };
        let called = (name.clone(), place.args().len());
        if !said.acts.is_first(&said.looks, scene.id, code, &called) {
            continue;
        }
        // A branch may lead past it, unless Mockito fails a test whose answers nobody asks for.
        let is_run = || {
            let body = &place.unit.body;
            let is_told = anything.is_told(program, &name, class);
            is_told && said.is_strict
                || (sure.contains(body) || is_told && told.contains(body)) && place.is_always_once()
        };
        // What only lets the code go on is somebody else's.
        let is_asked = anything.is_asked(program, &name, class);
        let is_guard = !is_asked && place.gives_boolean(program);
        if is_real(class)
            || is_guard
            || is_by_the_way(program, place.unit.body, class, &name)
            || !(is_asked || is_run())
        {
            continue;
        }
        let args = place.args();
        // Of what there is a mock here, nobody knows that an object is asked.
        let is_mocked = |class: TypeId| {
            rapid_types.is_mocked(class) || mocks.the_only(program, class).is_some()
        };
        let is_made = |at: &&usize| {
            let e = args.get(**at);
            e.is_some_and(|e| {
                let (body, resolved) = (place.body, place.resolved);
                !anything.is_seen_elsewhere(body, *e)
                    && (is_made(workspace, &is_mocked, place.unit.body, *e)
                        || answers.contains(&place.unit.body)
                            && is_read_from_request(program, body, resolved, *e)
                        || is_given_by_test(workspace, scene.id, place.unit.body, *e, &is_mocked))
            })
        };
        let free = anything.of(&name, args.len()).iter().filter(is_made);
        let given = free.map(|at| place.given(program, *at));
        let given = given.filter(|g| {
            g.declared
                .is_none_or(|class| shows_something(program, class))
        });
        out.extend(given.map(|given| place.told(program, mock, Some(given), true)));
    }
    // Who verifies a call that is made at two places has to say which, or how often.
    let mut places: FxHashMap<SmolStr, usize> = FxHashMap::default();
    for u in out.iter().filter(|u| u.argument.is_none()) {
        *places.entry(u.call.clone()).or_default() += 1;
    }
    for u in out.iter_mut().filter(|u| u.argument.is_none()) {
        u.is_sure &= places[&u.call] == 1;
    }
    let place = |u: &Unverified| (program.body_file(u.body), u.start);
    // A captor that keeps what a call is given asks for the call, too.
    out.sort_by_key(|u| (!u.is_sure, place(u), u.argument.is_none()));
    let mut seen: FxHashSet<SmolStr> = FxHashSet::default();
    out.retain(|u| seen.insert(u.call.clone()));
    // An object that is given to two calls is told of the first.
    let mut given: FxHashSet<(BodyId, SmolStr)> = FxHashSet::default();
    out.retain(|u| match &u.argument {
        Some(argument) => given.insert((u.body, argument.text.clone())),
        None => true,
    });
    out
}

/// True for what a static method gives, `new` makes or a builder builds, also by way of a local: which object that is, whoever
/// put it there says, and it is no mock.
fn is_of_static(program: &Program, body: &Body, resolved: &ResolvedBody, on: ExprId) -> bool {
    let is_given = |e: ExprId| match body.expr(e).kind {
        ExprKind::Call(c) => {
            let is_built = matches!(body.calls[c.ix()].callee, Callee::New { .. })
                || anything::BUILD == body.called(c);
            is_built
                || match resolved.calls.get(c.ix()) {
                    Some(CallTarget::Workspace(m)) => program.method_has(*m, Modifiers::STATIC),
                    _ => false,
                }
        }
        _ => false,
    };
    match body.expr(on).kind {
        ExprKind::Local(local) => {
            let defs = body.defs.iter();
            let mut defs = defs.filter(|d| d.target == Target::Local(local));
            defs.any(|d| body.list(d.sources).iter().any(|e| is_given(*e)))
        }
        _ => is_given(on),
    }
}

/// True for what an object tells when it is made, which each test makes, and for what is told to somebody who only measures or
/// writes it down.
fn is_by_the_way(program: &Program, body: BodyId, class: TypeId, call: &str) -> bool {
    let is_making = program
        .body_method(body)
        .is_none_or(|m| program.is_constructor(m));
    let name = program.type_name(class).as_str();
    let name = name.rsplit(['.', '$']).next().unwrap_or(name);
    is_making || LEVELS.contains(&call) || MEASURES.iter().any(|m| name.contains(m))
}

/// True for a call that puts a value into an object: a mock of one is no service.
fn is_setter(name: &str, args: usize) -> bool {
    let behind = name.strip_prefix("set");
    args == 1 && behind.is_some_and(|rest| rest.starts_with(char::is_uppercase))
}

/// True for a class that others can name and of which they can read something: a field, what a method gives that takes nothing, or whether two are equal.
fn shows_something(program: &Program, class: TypeId) -> bool {
    let is_private = |d: &program::TypeDecl| d.modifiers.has(Modifiers::PRIVATE);
    if program.type_decl(class).is_some_and(is_private) {
        return false;
    }
    let above = program.supertypes(class);
    let known: Vec<&SmolStr> = above.iter().map(|c| program.type_name(*c)).collect();
    let of_libraries = program.supertype_names(class).into_iter();
    let mut of_libraries = of_libraries.filter(|name| !known.contains(&name));
    let is_read = |class: TypeId| {
        let methods = program.methods_of_type(class).iter();
        let mut methods = methods.filter_map(|m| Some((*m, program.method_decl(*m)?)));
        let is_hidden = |m: Modifiers| m.has(Modifiers::PRIVATE) || m.has(Modifiers::STATIC);
        let mut fields = program.fields_of_type(class).iter();
        let is_interface = program
            .type_decl(class)
            .is_some_and(|d| d.kind == TypeDeclKind::Interface);
        methods.any(|(m, d)| {
            let gives = d.params.is_empty() && program.returns_value(m);
            !is_hidden(d.modifiers) && (gives || d.name == "equals") && d.name != "hashCode"
        }) || !is_interface
            && fields.any(|f| {
                let decl = program.field_decl(*f);
                decl.is_some_and(|d| !is_hidden(d.modifiers))
            })
    };
    let mut own = [class].into_iter().chain(above.iter().copied());
    own.any(is_read) || of_libraries.any(|name| !name.starts_with("java."))
}
