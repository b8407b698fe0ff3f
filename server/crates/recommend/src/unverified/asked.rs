//! What tests say of calls of mocks, by the names of these.

use super::mocks::Mocks;
use flow::{Body, Callee, ExprId, ExprKind};
use oracle::frameworks::{ALL, any, tells_or_asks};
use oracle::mocks::is_mock_of_context;
use program::{BodyId, MethodId, Program, TypeId};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

/// True for a test in whose file something can be asked of mocks.
pub(super) fn is_asking(program: &Program, test: MethodId) -> bool {
    let file = program.method_file(test);
    let summary = file.and_then(|file| program.summary(file));
    let own = program.method_owner(test);
    let mut fields = program.fields_of_type(own).iter();
    summary.is_some_and(|s| {
        let mut asks = ALL.iter().filter(|row| !row.asks.is_empty());
        asks.any(|row| s.imports.iter().any(|i| row.has(i)))
    }) || fields.any(|f| program.field_decl(*f).is_some_and(is_mock_of_context))
}

/// True for what gives a mock to be told to do nothing: `doNothing().when(mailer)` of `doNothing().when(mailer).send(mail)`.
fn is_told_nothing(body: &Body, on: ExprId) -> bool {
    let called = |e: ExprId| match body.expr(e).kind {
        ExprKind::Call(c) => Some(&body.calls[c.ix()]),
        _ => None,
    };
    let mut at = called(on);
    let begun = std::iter::from_fn(|| {
        let call = at?;
        at = call.callee.on().and_then(|(on, _)| called(on));
        Some(call)
    });
    let mut names = begun.filter_map(|call| body.method_name(call));
    names.any(|name| any(name, |row| row.does_nothing))
}

/// The names of the calls of which a test itself tells mocks to do nothing.
pub(super) fn told_nothing(program: &Program, test: MethodId) -> FxHashSet<SmolStr> {
    let decl = program.method_body(test).and_then(|id| program.body(id));
    let told = decl.into_iter().flat_map(|decl| {
        let body = &*decl.body;
        body.calls.iter().filter_map(|call| {
            let (on, name) = call.callee.on()?;
            is_told_nothing(body, on).then(|| body.name(name).clone())
        })
    });
    told.collect()
}

/// The names of what code of a test calls on objects that may be `mocks`; none if it asks for all that these were told. Where it
/// tells a mock to do nothing at a call of `quiet`, that is none.
pub(super) fn names_called(
    program: &Program,
    code: &[BodyId],
    quiet: &FxHashSet<SmolStr>,
    mocks: &Mocks,
) -> Option<FxHashSet<SmolStr>> {
    let mut out = FxHashSet::default();
    for (id, decl) in code.iter().filter_map(|b| Some((*b, program.body(*b)?))) {
        let body = &*decl.body;
        // Of what is no mock such a method may be called.
        let is_other = |on: ExprId| {
            let ty = program.resolved(id).map(|r| r.ty(on));
            let class = ty.and_then(|ty| program.class_of(ty));
            class.is_some_and(|c| !program.is_test_type(c) && !mocks.may_be(program, c))
        };
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
            let may_be_mock =
                |on: ExprId| !is_other(on) && (!quiet.contains(name) || !is_told_nothing(body, on));
            if receiver.is_some_and(may_be_mock) {
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
pub(super) fn outermost(program: &Program, class: TypeId) -> TypeId {
    let around = std::iter::successors(Some(class), |c| program.enclosing_type(*c));
    around.last().unwrap_or(class)
}

/// What tests of a class say of calls of mocks, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Beside {
    /// They verify them, or tell them to answer: where one is about a call, it is beside the point of the others.
    pub(super) asked: FxHashSet<SmolStr>,
    /// They tell them to do nothing.
    pub(super) nothing: FxHashSet<SmolStr>,
}

impl Beside {
    pub(super) fn new(program: &Program, class: TypeId) -> Beside {
        let mut out = Beside::default();
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
            out.add(&decl.body);
        }
        out
    }

    fn add(&mut self, body: &Body) {
        let named = |e: ExprId| match body.expr(e).kind {
            ExprKind::Call(c) => match body.calls[c.ix()].callee {
                Callee::Method { receiver, name } => Some((c, receiver, body.name(name))),
                _ => None,
            },
            _ => None,
        };
        for call in &body.calls {
            let Some((_, Some(on), name)) = named(call.expr) else {
                continue;
            };
            let Some((told, _, asks)) = named(on) else {
                continue;
            };
            // `verify(mailer).send(…)`, `doReturn(id).when(accounts).save(…)`.
            if tells_or_asks(asks) {
                match is_told_nothing(body, on) {
                    true => self.nothing.insert(name.clone()),
                    false => self.asked.insert(name.clone()),
                };
            }
            // `when(mailer.send(…)).thenReturn(…)`.
            if any(asks, |row| row.tells) {
                let args = body.list(body.calls[told.ix()].args).iter();
                let told = args.filter_map(|a| named(*a));
                self.asked.extend(told.map(|n| n.2.clone()));
            }
        }
    }
}

/// True for a test some of whose code under test may be put away: by a spy, of a class, of its constructors.
pub(super) fn spies(program: &Program, class: TypeId, code: &[BodyId]) -> bool {
    let is_spy = |name: &SmolStr| any(name, |row| row.spies);
    let around = std::iter::successors(Some(class), |c| program.enclosing_type(*c)).take(100);
    let mut fields = around.flat_map(|c| program.fields_of_type(c));
    let mut bodies = code.iter().filter_map(|b| program.body(*b));
    fields.any(|f| {
        let decl = program.field_decl(*f);
        decl.is_some_and(|d| d.annotations.iter().any(is_spy))
    }) || bodies.any(|b| b.body.names.iter().any(is_spy))
}
