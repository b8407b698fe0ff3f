//! What code under test makes and gives to a mock, where the tests let it be anything: `when(accounts.save(any()))…`.
//!
//! Such a test says that the call is made, or needs its answer, and would pass whatever is in the account. Of what readers
//! found missing in tests of which nothing was said, half was this (`docs/evaluation-trust.md`).
//!
//! What the code under test makes on the way counts, an object with something in it or a text that it puts together, and what
//! it hands on of what the test or its request gave (`sent.rs`); and only where no test of the class looks at the argument, so
//! that it is told above the first of them.

use super::mocks::is_related;
use super::outermost;
use crate::computed::is_unstable_call;
use crate::observation_points::in_lambda;
use calls::Workspace;
use flow::{BinaryOp, Body, CallId, Callee, ExprId, ExprKind, LocalId, Target};
use oracle::Reader;
use oracle::frameworks::any;
use oracle::mocks::{Mocking, OfMock, is_anything, looks};
use program::{BodyId, CallTarget, MethodId, Program, ResolvedBody, Ty, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

/// The end of a chain that makes an object.
pub(super) const BUILD: &str = "build";

/// Calls that put a text together.
const FORMATS: &[&str] = &["format", "formatted", "concat", "join"];

/// How many calls deep it is looked for who makes an object.
const DEEP: usize = 3;

/// The calls of mocks of which the tests of a class let arguments be anything.
#[derive(Debug, Default)]
pub(super) struct Anything {
    /// By the name of a call that the test at hand asks for, or tells to answer, and how much it is given: which arguments no
    /// test of the class looks at.
    unlooked: FxHashMap<Name, Vec<usize>>,
    /// What the test at hand asks for: then it is made.
    asked: Vec<OnMock>,
    /// What it tells to answer itself.
    told: Vec<OnMock>,
    /// All that it lets be anything.
    open: Vec<OnMock>,
    /// Calls of which the tests of the class look at something.
    looked: FxHashSet<SmolStr>,
}

/// The name of a call, and how many arguments it has.
pub(super) type Name = (SmolStr, usize);

/// A call by its name, and the class of the mock if that is known.
type OnMock = (SmolStr, Option<TypeId>);

/// A call of a mock that a body lets be given anything, and what it does with it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Let {
    name: Name,
    of: OfMock,
    class: Option<TypeId>,
}

/// What the bodies of tests do with calls of mocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Looks {
    /// By the name of a call, and how much it is given: the arguments that may be anything.
    free: FxHashMap<Name, Vec<usize>>,
    /// Calls of which something is looked at, or that are no mock's.
    looked: FxHashSet<SmolStr>,
    /// By body.
    of: FxHashMap<BodyId, Vec<Let>>,
    /// The classes of fields and locals that are made or filled by a library of mocks.
    mocked: FxHashSet<TypeId>,
}

impl Looks {
    /// Of the file of a class.
    pub(super) fn new(program: &Program, class: TypeId) -> Looks {
        let mut out = Looks {
            mocked: mocked_in(program, class),
            ..Looks::default()
        };
        if let Some((file, _)) = program.type_place(outermost(program, class)) {
            for id in program.bodies_of_file(file) {
                out.add(program, *id);
            }
        }
        out
    }

    fn add(&mut self, program: &Program, id: BodyId) {
        let reader = Reader::new(program, id).filter(|_| !self.of.contains_key(&id));
        let Some(reader) = reader else {
            return;
        };
        let body = reader.body;
        let mut mocking = None;
        let mut own = Vec::new();
        for (c, call) in body.calls.iter().enumerate() {
            let Callee::Method {
                receiver: Some(on),
                name,
            } = call.callee
            else {
                continue;
            };
            let (name, args) = (body.name(name), body.list(call.args));
            let free: Vec<usize> = (0..args.len())
                .filter(|at| is_anything(body, args[*at]))
                .collect();
            let mocking = mocking.get_or_insert_with(|| Mocking::new(&reader));
            let of_mock = mocking.of(CallId(c as u32));
            // A class that is tested may well have a method of that name.
            if of_mock == OfMock::Not && self.is_no_mock(program, &reader, on) {
                continue;
            }
            if free.is_empty() || args.iter().any(|e| looks(body, *e)) {
                self.looked.insert(name.clone());
                continue;
            }
            // Somebody else has such a method, too, or an answer may look at what it is given.
            if matches!(of_mock, OfMock::Not | OfMock::Answered) {
                self.looked.insert(name.clone());
                continue;
            }
            let name = (name.clone(), args.len());
            self.free
                .entry(name.clone())
                .and_modify(|all| all.retain(|at| free.contains(at)))
                .or_insert(free);
            own.push(Let {
                name,
                of: of_mock,
                class: mocked_by(program, &reader, on),
            });
        }
        self.of.insert(id, own);
    }

    /// True for a variable or a new object of a class of which the tests have no mock.
    fn is_no_mock(&self, program: &Program, reader: &Reader<'_>, on: ExprId) -> bool {
        let is_plain = match reader.body.expr(on).kind {
            ExprKind::Call(c) => {
                matches!(reader.body.calls[c.ix()].callee, Callee::New { .. })
            }
            ExprKind::Local(_) | ExprKind::Name(_) | ExprKind::Field { .. } => true,
            _ => false,
        };
        let class = program.class_of(reader.resolved.ty(on));
        is_plain
            && class.is_some_and(|class| {
                let mut mocked = self.mocked.iter();
                !program.is_test_type(class) && !mocked.any(|m| is_related(program, *m, class))
            })
    }

    /// True if nobody looks at some argument of a call.
    fn leaves_open(&self, name: &Name) -> bool {
        !self.looked.contains(&name.0) && self.free.get(name).is_some_and(|at| !at.is_empty())
    }

    /// True if some call is left open.
    pub(super) fn leaves_some(&self) -> bool {
        self.free.keys().any(|name| self.leaves_open(name))
    }

    /// What a test leaves open, with which arguments.
    pub(super) fn open_in<'l>(&'l self, code: &'l [BodyId]) -> FxHashMap<&'l Name, &'l [usize]> {
        self.left_open(code)
            .filter_map(|l| Some((&l.name, self.free.get(&l.name)?.as_slice())))
            .collect()
    }

    /// What a test leaves open: the names of the calls that it asks for, or tells to answer, and says of none that it is
    /// not made. `code`: the bodies of its code.
    fn left_open<'l>(&'l self, code: &'l [BodyId]) -> impl Iterator<Item = &'l Let> {
        let all = || code.iter().filter_map(|b| self.of.get(b)).flatten();
        let is_made = move |name: &Name| !all().any(|l| l.name == *name && l.of == OfMock::Counted);
        all().filter(move |l| self.leaves_open(&l.name) && is_made(&l.name))
    }
}

/// The classes of the mocks that the tests of a class have, in fields of it, of those within, around and above it, and in locals.
fn mocked_in(program: &Program, class: TypeId) -> FxHashSet<TypeId> {
    let file = program.type_place(outermost(program, class)).map(|p| p.0);
    let own = file.map_or(&[][..], |file| program.types_of_file(file));
    let above = own.iter().flat_map(|c| program.supertypes(*c).to_vec());
    let all: FxHashSet<TypeId> = own.iter().copied().chain(above).collect();
    let fields = all.iter().flat_map(|c| program.fields_of_type(*c));
    let fields = fields.filter(|f| {
        let annotations = program.field_decl(**f).map(|d| &d.annotations[..]);
        let mut annotations = annotations.unwrap_or_default().iter();
        annotations.any(|a| any(a, |row| row.mocked))
    });
    let mut out: FxHashSet<TypeId> = fields
        .filter_map(|f| program.class_of(program.field_type(*f)))
        .collect();
    let bodies = file.map_or(&[][..], |file| program.bodies_of_file(file));
    for id in bodies {
        let (Some(decl), Some(resolved)) = (program.body(*id), program.resolved(*id)) else {
            continue;
        };
        let body = &*decl.body;
        let made = body.calls.iter().filter(|call| {
            let name = body.method_name(call);
            name.is_some_and(|name| any(name, |row| row.mocks))
        });
        // What is made, and what is said to be made: `mock(Account.class)`, `Account a = mock()`.
        let named = made.flat_map(|call| body.list(call.args)).copied();
        let classes = named.filter_map(|e| match body.expr(e).kind {
            ExprKind::ClassLiteral(_) => program.first_argument(resolved.ty(e)),
            _ => None,
        });
        out.extend(classes.filter_map(|ty| program.class_of(ty)));
        for def in &body.defs {
            let is_mock = |e: &ExprId| match body.expr(*e).kind {
                ExprKind::Call(c) => any(body.called(c), |row| row.mocks),
                _ => false,
            };
            if let Target::Local(local) = def.target
                && body.list(def.sources).iter().any(is_mock)
            {
                out.extend(program.class_of(resolved.locals[local.ix()]));
            }
        }
    }
    out
}

impl Anything {
    /// `looks`: of the file of the test; `test`: its own body; `code`: all bodies of its code.
    pub(super) fn new(
        program: &Program,
        mut looks: Looks,
        test: Option<BodyId>,
        code: &[BodyId],
    ) -> Anything {
        for id in code {
            looks.add(program, *id);
        }
        let open: Vec<Let> = looks.left_open(code).cloned().collect();
        let own: FxHashSet<&Name> = open.iter().map(|l| &l.name).collect();
        looks.free.retain(|name, _| own.contains(name));
        let on_mock = |l: &Let| (l.name.0.clone(), l.class);
        let asked = open.iter().filter(|l| l.of == OfMock::Asked);
        let own = test.and_then(|test| looks.of.get(&test));
        let told = own.into_iter().flatten();
        let told = told.filter(|l| l.of == OfMock::Told);
        Anything {
            asked: asked.map(on_mock).collect(),
            told: told.map(on_mock).collect(),
            open: open.iter().map(on_mock).collect(),
            unlooked: looks.free,
            looked: looks.looked,
        }
    }

    /// True for a local that is given to another call as well, at which tests of the class look.
    pub(super) fn is_seen_elsewhere(&self, body: &Body, e: ExprId) -> bool {
        let ExprKind::Local(local) = body.expr(e).kind else {
            return false;
        };
        body.calls.iter().any(|call| {
            let name = body.method_name(call);
            let is_looked = name.is_some_and(|name| self.looked.contains(name));
            let mut args = body.list(call.args).iter();
            is_looked && args.any(|a| body.expr(*a).kind == ExprKind::Local(local))
        })
    }

    /// The arguments of a call that nobody looks at.
    pub(super) fn of(&self, name: &SmolStr, args: usize) -> &[usize] {
        let open = self.unlooked.get(&(name.clone(), args));
        open.map_or(&[], Vec::as_slice)
    }

    /// True if the test lets a call of a mock of a class be given anything.
    pub(super) fn is_open(&self, program: &Program, name: &str, class: TypeId) -> bool {
        has(program, &self.open, name, class)
    }

    /// True if the test itself asks whether a call of a mock of a class is made.
    pub(super) fn is_asked(&self, program: &Program, name: &str, class: TypeId) -> bool {
        has(program, &self.asked, name, class)
    }

    /// True if the body of the test itself tells such a call what to answer.
    pub(super) fn is_told(&self, program: &Program, name: &str, class: TypeId) -> bool {
        has(program, &self.told, name, class)
    }
}

fn has(program: &Program, all: &[OnMock], name: &str, class: TypeId) -> bool {
    let is_of = |of: &Option<TypeId>| of.is_none_or(|c| is_related(program, c, class));
    all.iter().any(|(n, of)| n == name && is_of(of))
}

/// The class of the mock on which something is called in code of tests: `orders` of `orders.save(…)` and of
/// `verify(orders).save(…)`.
pub(super) fn mocked_by(program: &Program, reader: &Reader<'_>, on: ExprId) -> Option<TypeId> {
    let class = |e: ExprId| {
        let ty = reader.resolved.ty(e);
        program.class_of(ty).or_else(|| program.library_type_of(ty))
    };
    match reader.body.expr(on).kind {
        ExprKind::Call(c) => {
            let args = reader.body.list(reader.body.calls[c.ix()].args);
            args.first().and_then(|e| class(*e))
        }
        _ => class(on),
    }
}

/// True for a value that a body of the code under test makes: an object with something in it, or a text that it puts together. What it
/// gives back as well, others look at.
pub(super) fn is_made(
    workspace: &Workspace,
    is_mocked: &dyn Fn(TypeId) -> bool,
    id: BodyId,
    e: ExprId,
) -> bool {
    let maker = Maker {
        workspace,
        is_mocked,
    };
    let Some(decl) = workspace.program().body(id) else {
        return false;
    };
    let body = &*decl.body;
    let is_given_back = |local: LocalId| {
        let mut returns = body.returns.iter().filter_map(|r| r.value);
        returns.any(|r| body.expr(r).kind == ExprKind::Local(local))
    };
    match body.expr(e).kind {
        ExprKind::Local(local) if is_given_back(local) => false,
        _ => maker.makes(id, e, DEEP),
    }
}

/// Who makes an object.
struct Maker<'a> {
    workspace: &'a Workspace,
    is_mocked: &'a dyn Fn(TypeId) -> bool,
}

impl Maker<'_> {
    /// True if a body makes what an expression of it gives.
    fn makes(&self, id: BodyId, e: ExprId, left: usize) -> bool {
        let program = self.workspace.program();
        let (Some(decl), Some(resolved)) = (program.body(id), self.workspace.resolved(id)) else {
            return false;
        };
        let body = &*decl.body;
        let within = |e: ExprId| left > 0 && self.makes(id, e, left - 1);
        match body.expr(e).kind {
            ExprKind::Cast { operand, .. } => within(operand),
            ExprKind::Local(local) => {
                let defs = body.defs.iter();
                let defs = defs.filter(|d| d.target == Target::Local(local));
                let mut sources = defs.flat_map(|d| body.list(d.sources)).copied();
                let (first, more) = (sources.next(), sources.next());
                let is_filled =
                    |e: ExprId| is_new(program, body, resolved, e) && is_filled(body, local);
                !body.params.contains(&local)
                    && more.is_none()
                    && first.is_some_and(|e| within(e) || is_filled(e))
            }
            ExprKind::Binary {
                op: BinaryOp::Add, ..
            } => resolved.ty(e) == program.string_type() && has_input(body, e),
            ExprKind::Call(c) => {
                let call = &body.calls[c.ix()];
                if matches!(call.callee, Callee::New { .. }) {
                    let mut args = body.list(call.args).iter();
                    let wraps = args.all(|a| self.is_nobodys(body, resolved, *a));
                    return !wraps && is_new(program, body, resolved, e);
                }
                let name = body.called(c);
                if name == BUILD && call.args.len == 0 {
                    return is_chain_with_arguments(body, c);
                }
                let (root, is_filled) = self.begun(body, resolved, c);
                if root != e {
                    let is_filled = is_filled && is_new(program, body, resolved, root);
                    return is_filled || self.makes(id, root, left);
                }
                if FORMATS.contains(&name) && resolved.ty(e) == program.string_type() {
                    return has_input(body, e);
                }
                match resolved.calls.get(c.ix()) {
                    Some(CallTarget::Workspace(m)) => left > 0 && self.gives_made(*m, left - 1),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// True for what a mock answers, and what the clock or chance gives: nobody can say what is to be in there.
    fn is_nobodys(&self, body: &Body, resolved: &ResolvedBody, e: ExprId) -> bool {
        let program = self.workspace.program();
        match body.expr(e).kind {
            ExprKind::Local(local) => {
                let defs = body.defs.iter();
                let defs = defs.filter(|d| d.target == Target::Local(local));
                let mut sources = defs.flat_map(|d| body.list(d.sources)).copied();
                let (first, more) = (sources.next(), sources.next());
                let is_call = |e: &ExprId| matches!(body.expr(*e).kind, ExprKind::Call(_));
                !body.params.contains(&local)
                    && more.is_none()
                    && first.is_some_and(|e| is_call(&e) && self.is_nobodys(body, resolved, e))
            }
            ExprKind::Call(c) => {
                let on = body.calls[c.ix()].callee.on();
                let class = on.and_then(|(on, _)| program.class_of(resolved.ty(on)));
                class.is_some_and(self.is_mocked)
                    || is_unstable_call(program, body, resolved, c, e, |_, _| false)
            }
            _ => false,
        }
    }

    /// With what a chain of calls begins that each give their object back, `new Query().by(name).first()`; and whether one of
    /// them is given something.
    fn begun(&self, body: &Body, resolved: &ResolvedBody, mut c: CallId) -> (ExprId, bool) {
        let mut is_filled = false;
        loop {
            let call = &body.calls[c.ix()];
            let gives_back = match resolved.calls.get(c.ix()) {
                Some(CallTarget::Workspace(m)) => self.gives_itself(*m),
                _ => false,
            };
            let Some((on, _)) = call.callee.on().filter(|_| gives_back) else {
                return (call.expr, is_filled);
            };
            is_filled |= call.args.len > 0;
            match body.expr(on).kind {
                ExprKind::Call(next) => c = next,
                _ => return (on, is_filled),
            }
        }
    }

    /// True for a method whose only body gives back the object that it is called on.
    fn gives_itself(&self, method: MethodId) -> bool {
        let program = self.workspace.program();
        let targets = self.workspace.call_graph().targets_of(method);
        let [only] = targets.bodies()[..] else {
            return false;
        };
        let Some(decl) = program.body(only) else {
            return false;
        };
        let body = &*decl.body;
        let is_this = |e: ExprId| body.expr(e).kind == ExprKind::This;
        !body.returns.is_empty() && body.returns.iter().all(|r| r.value.is_some_and(is_this))
    }

    /// True for a method whose only body makes what it gives.
    fn gives_made(&self, method: MethodId, left: usize) -> bool {
        let program = self.workspace.program();
        if (self.is_mocked)(program.method_owner(method)) {
            return false;
        }
        let targets = self.workspace.call_graph().targets_of(method);
        let [only] = targets.bodies()[..] else {
            return false;
        };
        let returns = program.body(only).map(|d| &d.body.returns[..]);
        let mut returns = returns.unwrap_or_default().iter().filter_map(|r| r.value);
        returns.any(|r| self.makes(only, r, left))
    }
}

/// True for a text with something in it that is no constant and no field: of what only is configured a test has nothing.
fn has_input(body: &Body, e: ExprId) -> bool {
    let whole = body.expr(e);
    let mut within = body
        .exprs
        .iter()
        .filter(|x| x.start >= whole.start && x.end <= whole.end);
    within.any(|x| match x.kind {
        ExprKind::Local(_) => true,
        ExprKind::Call(c) => !FORMATS.contains(&body.called(c)),
        _ => false,
    })
}

/// True for a new object of a class of the workspace, or of a library that is not the JDK.
fn is_new(program: &Program, body: &Body, resolved: &ResolvedBody, e: ExprId) -> bool {
    let ExprKind::Call(c) = body.expr(e).kind else {
        return false;
    };
    let ty = resolved.ty(e);
    let is_known = || match program.class_of(ty) {
        Some(class) => !program.is_test_type(class),
        None => program
            .library_class_of(ty)
            .is_some_and(|c| !models::is_jdk(c)),
    };
    matches!(body.calls[c.ix()].callee, Callee::New { .. }) && ty != Ty::UNKNOWN && is_known()
}

/// True for a local of which calls are given something: `mail.setTo(to)`.
fn is_filled(body: &Body, local: LocalId) -> bool {
    body.calls.iter().any(|call| {
        let on = call.callee.on().map(|(on, _)| body.expr(on).kind);
        call.args.len > 0 && on == Some(ExprKind::Local(local))
    })
}

/// `Mail.builder().to(to).build()`
fn is_chain_with_arguments(body: &Body, mut c: CallId) -> bool {
    loop {
        let call = &body.calls[c.ix()];
        if call.args.len > 0 {
            return true;
        }
        match call.callee.on().map(|(on, _)| body.expr(on).kind) {
            Some(ExprKind::Call(next)) => c = next,
            _ => return false,
        }
    }
}

/// What the bodies of a class's methods themselves call of the code under test, but where they expect that to throw: by
/// position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Acts(Vec<(BodyId, FxHashSet<MethodId>)>);

impl Acts {
    pub(super) fn new(workspace: &Workspace, class: TypeId) -> Acts {
        let program = workspace.program();
        let methods = program.methods_of_type(class).iter();
        let bodies = methods.filter_map(|m| program.method_body(*m));
        let mut out: Vec<_> = bodies
            .filter_map(|id| {
                let (decl, chains) = program.body(id).zip(workspace.chains(id))?;
                let calls = chains.calls.iter();
                let calls = calls.filter(|s| !in_lambda(&decl.body, s.expr));
                let targets = calls.map(|s| s.target).filter(|m| {
                    !program.is_constructor(*m) && !program.is_test_type(program.method_owner(*m))
                });
                Some((decl.start, id, targets.collect()))
            })
            .collect();
        out.sort_by_key(|(start, ..)| *start);
        Acts(out.into_iter().map(|(_, id, acts)| (id, acts)).collect())
    }

    /// True if no test that stands before this one in its class calls what it calls and leaves the same call of a mock open.
    /// `code`: the bodies of its code; what those beside its own say of mocks, they say for all tests.
    pub(super) fn is_first(
        &self,
        looks: &Looks,
        body: BodyId,
        code: &[BodyId],
        name: &Name,
    ) -> bool {
        let Some(own) = self.0.iter().position(|(id, _)| *id == body) else {
            return false;
        };
        let acts = &self.0[own].1;
        let says = |id: &BodyId| {
            let mut all = looks.of.get(id).into_iter().flatten();
            all.any(|l| l.name == *name)
        };
        let is_shared = code.iter().any(|id| *id != body && says(id));
        let mut before = self.0[..own].iter().filter(|(id, _)| !code.contains(id));
        !before.any(|(id, others)| (is_shared || says(id)) && !others.is_disjoint(acts))
    }
}
