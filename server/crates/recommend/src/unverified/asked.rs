//! What tests say of calls of mocks, by the names of these.

use flow::{Callee, ExprId, ExprKind};
use oracle::frameworks::{ALL, any, tells_or_asks};
use program::{BodyId, MethodId, Program, TypeId};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

/// True for a test in whose file something can be asked of mocks.
pub(super) fn is_asking(program: &Program, test: MethodId) -> bool {
    let file = program.method_file(test);
    let summary = file.and_then(|file| program.summary(file));
    summary.is_some_and(|s| {
        let mut asks = ALL.iter().filter(|row| !row.asks.is_empty());
        asks.any(|row| s.imports.iter().any(|i| row.has(i)))
    })
}

/// The names of what code of a test calls on objects; none if it asks for all that mocks were told.
pub(super) fn names_called(program: &Program, code: &[BodyId]) -> Option<FxHashSet<SmolStr>> {
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
pub(super) fn outermost(program: &Program, class: TypeId) -> TypeId {
    let around = std::iter::successors(Some(class), |c| program.enclosing_type(*c));
    around.last().unwrap_or(class)
}

/// The names of what tests of a class verify, or tell to answer: where one is about a call, it is beside the point of the others,
/// and Mockito may insist that what is told to answer is called.
pub(super) fn asked_beside(program: &Program, class: TypeId) -> FxHashSet<SmolStr> {
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
        for call in &body.calls {
            let Some((_, Some(on), name)) = named(call.expr) else {
                continue;
            };
            let Some((told, _, asks)) = named(on) else {
                continue;
            };
            // `verify(mailer).send(…)`, `doNothing().when(mailer).send(…)`.
            if tells_or_asks(asks) {
                out.insert(name.clone());
            }
            // `when(mailer.send(…)).thenReturn(…)`.
            if any(asks, |row| row.tells) {
                let args = body.list(body.calls[told.ix()].args).iter();
                let told = args.filter_map(|a| named(*a));
                out.extend(told.map(|n| n.2.clone()));
            }
        }
    }
    out
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
