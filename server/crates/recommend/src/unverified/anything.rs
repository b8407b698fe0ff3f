//! What code under test makes and gives to a mock, where the tests let it be anything: `when(accounts.save(any()))…`.
//!
//! Such a test says that the call is made, or needs its answer, and would pass whatever is in the account. Of what readers
//! found missing in tests of which nothing was said, half was this (`docs/evaluation-trust.md`).
//!
//! Only what the code under test makes on the way counts, an object with something in it or a text that it puts together;
//! and only where no test of the class looks at the argument, so that it is told above the first of them.

use super::outermost;
use crate::observation_points::in_lambda;
use calls::Workspace;
use flow::{BinaryOp, Body, CallId, Callee, ExprId, ExprKind, LocalId, Target};
use oracle::TestRun;
use oracle::frameworks::any;
use program::{BodyId, CallTarget, MethodId, Program, ResolvedBody, Ty, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

/// Matchers of Mockito that every argument passes, but for null.
const ANYTHING: &[&str] = &["isA", "notNull", "isNotNull", "nullable"];
/// How the others begin: `anyString()`.
const ANY: &str = "any";

/// Matchers that look at a part of what they are given.
const LOOKS: &[&str] = &["argThat", "assertArg"];

/// What a verification has where it says that a call is not made.
const NOT_MADE: &[&str] = &["never", "times", "atMost", "calls"];

/// The end of a chain that makes an object.
const BUILD: &str = "build";

/// Calls that put a text together.
const FORMATS: &[&str] = &["format", "formatted", "concat", "join"];

/// How many calls deep it is looked for who makes an object.
const DEEP: usize = 3;

/// The calls of mocks of which the tests of a class let arguments be anything.
#[derive(Debug, Default)]
pub(super) struct Anything {
    /// By the name of the call: which arguments no test of the class looks at.
    unlooked: FxHashMap<SmolStr, Vec<usize>>,
    /// What the test at hand asks for, or tells to answer.
    own: FxHashSet<SmolStr>,
    /// What it asks for: then it is made.
    asked: FxHashSet<SmolStr>,
}

impl Anything {
    /// `code`: the bodies of the test's code.
    pub(super) fn new(program: &Program, class: TypeId, code: &[BodyId]) -> Anything {
        let mut out = Anything::default();
        let mut looked: FxHashSet<SmolStr> = FxHashSet::default();
        let own: FxHashSet<BodyId> = code.iter().copied().collect();
        let around = outermost(program, class);
        let (file, _) = match program.type_place(around) {
            Some(place) => place,
            None => return out,
        };
        let of_file = program.bodies_of_file(file).iter().copied();
        let beyond = code
            .iter()
            .copied()
            .filter(|b| program.body_file(*b) != Some(file));
        for id in of_file.chain(beyond) {
            let Some(decl) = program.body(id) else {
                continue;
            };
            let body = &*decl.body;
            for (c, call) in body.calls.iter().enumerate() {
                let Callee::Method {
                    receiver: Some(_),
                    name,
                } = call.callee
                else {
                    continue;
                };
                let (name, args) = (body.name(name), body.list(call.args));
                let of_mock = of_mock(body, CallId(c as u32));
                if of_mock == OfMock::Not || args.is_empty() {
                    // Somebody else has such a method, too, or asks the mock itself.
                    looked.insert(name.clone());
                    continue;
                }
                let free: Vec<usize> = args
                    .iter()
                    .enumerate()
                    .filter(|(_, e)| is_anything(body, **e))
                    .map(|(at, _)| at)
                    .collect();
                let is_looked_at = args.iter().any(|e| looks(body, *e));
                if free.is_empty() || is_looked_at || of_mock == OfMock::Answered {
                    looked.insert(name.clone());
                    continue;
                }
                out.unlooked
                    .entry(name.clone())
                    .and_modify(|all| all.retain(|at| free.contains(at)))
                    .or_insert(free);
                if own.contains(&id) {
                    match of_mock {
                        OfMock::NotMade => {
                            looked.insert(name.clone());
                        }
                        OfMock::Asked => {
                            out.asked.insert(name.clone());
                            out.own.insert(name.clone());
                        }
                        _ => {
                            out.own.insert(name.clone());
                        }
                    }
                }
            }
        }
        out.unlooked
            .retain(|name, at| !at.is_empty() && !looked.contains(name));
        out.own.retain(|name| out.unlooked.contains_key(name));
        out
    }

    /// The arguments of a call that nobody looks at.
    pub(super) fn of(&self, name: &str) -> &[usize] {
        match self.own.contains(name) {
            true => self.unlooked.get(name).map_or(&[], Vec::as_slice),
            false => &[],
        }
    }

    /// True if the test itself asks whether a call is made.
    pub(super) fn is_asked(&self, name: &str) -> bool {
        self.asked.contains(name)
    }
}

/// What a test does with a call of a mock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OfMock {
    /// It is no such call.
    Not,
    /// It says what it gives: `when(accounts.save(any())).thenReturn(account)`.
    Told,
    /// Code of the test answers, which may look at what it is given.
    Answered,
    /// `verify(accounts).save(any())`
    Asked,
    /// `verify(accounts, never()).save(any())`
    NotMade,
}

fn of_mock(body: &Body, call: CallId) -> OfMock {
    let named = |e: ExprId| match body.expr(e).kind {
        ExprKind::Call(c) => Some((c, body.called(c))),
        _ => None,
    };
    let counts = |c: CallId| {
        let args = body.list(body.calls[c.ix()].args).iter();
        let mut counting = args.filter_map(|a| named(*a));
        counting.any(|(_, name)| NOT_MADE.contains(&name))
    };
    let Some((on, _)) = body.calls[call.ix()].callee.on() else {
        return OfMock::Not;
    };
    // `verify(accounts).save(…)`, `doReturn(a).when(accounts).save(…)`
    if let Some((of, name)) = named(on) {
        if any(name, |row| row.asks) {
            return match counts(of) {
                true => OfMock::NotMade,
                false => OfMock::Asked,
            };
        }
        if any(name, |row| row.tells) {
            let before = body.calls[of.ix()]
                .callee
                .on()
                .and_then(|(on, _)| named(on));
            return match before.is_some_and(|(_, name)| is_answer(name)) {
                true => OfMock::Answered,
                false => OfMock::Told,
            };
        }
    }
    // `when(accounts.save(…))`
    let own = body.calls[call.ix()].expr;
    let telling = body.calls.iter().find(|c| {
        let is_telling = body.method_name(c).is_some_and(|n| any(n, |row| row.tells));
        is_telling && body.list(c.args) == [own]
    });
    let Some(telling) = telling else {
        return OfMock::Not;
    };
    let answers = body.calls.iter().any(|c| {
        let is_behind = c.callee.on().is_some_and(|(on, _)| on == telling.expr);
        is_behind && body.method_name(c).is_some_and(|n| is_answer(n))
    });
    match answers {
        true => OfMock::Answered,
        false => OfMock::Told,
    }
}

/// True for a word of Mockito behind which code answers: `thenAnswer`, `then`, `will`.
fn is_answer(name: &str) -> bool {
    name.ends_with("Answer") || ["then", "will", "answer"].contains(&name)
}

fn is_anything(body: &Body, mut e: ExprId) -> bool {
    while let ExprKind::Cast { operand, .. } = body.expr(e).kind {
        e = operand;
    }
    match body.expr(e).kind {
        ExprKind::Call(c) => {
            let name = body.called(c);
            name.starts_with(ANY) || ANYTHING.contains(&name)
        }
        _ => false,
    }
}

/// True for a matcher that looks at what it is given, or keeps it to be looked at: who has one has chosen.
fn looks(body: &Body, e: ExprId) -> bool {
    match body.expr(e).kind {
        ExprKind::Call(c) => {
            let name = body.called(c);
            LOOKS.contains(&name) || any(name, |row| row.captures)
        }
        _ => false,
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
            } => resolved.ty(e) == program.string_type(),
            ExprKind::Call(c) => {
                let call = &body.calls[c.ix()];
                if matches!(call.callee, Callee::New { .. }) {
                    return call.args.len > 0 && is_new(program, body, resolved, e);
                }
                let name = body.called(c);
                if name == BUILD && call.args.len == 0 {
                    return is_chain_with_arguments(body, c);
                }
                if FORMATS.contains(&name) && resolved.ty(e) == program.string_type() {
                    return true;
                }
                match resolved.calls.get(c.ix()) {
                    Some(CallTarget::Workspace(m)) => left > 0 && self.gives_made(*m, left - 1),
                    _ => false,
                }
            }
            _ => false,
        }
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

/// True if no test that stands before this one in its class calls what it calls.
pub(super) fn is_first(workspace: &Workspace, run: TestRun, code: &[BodyId]) -> bool {
    let program = workspace.program();
    let acts = |body: BodyId| -> FxHashSet<MethodId> {
        let Some((decl, chains)) = program.body(body).zip(workspace.chains(body)) else {
            return FxHashSet::default();
        };
        let calls = chains.calls.iter();
        // What stands in a lambda is mostly expected to throw.
        let calls = calls.filter(|s| !in_lambda(&decl.body, s.expr));
        let targets = calls.map(|s| s.target).filter(|m| {
            !program.is_constructor(*m) && !program.is_test_type(program.method_owner(*m))
        });
        targets.collect()
    };
    let Some(own) = program.method_body(run.test) else {
        return false;
    };
    let of_own = acts(own);
    let start = program.body(own).map(|d| d.start);
    let methods = program
        .methods_of_type(program.method_owner(run.test))
        .iter();
    let mut before = methods
        .filter_map(|m| program.method_body(*m))
        .filter(|b| !code.contains(b) && program.body(*b).map(|d| d.start) < start);
    !before.any(|b| acts(b).iter().any(|m| of_own.contains(m)))
}
