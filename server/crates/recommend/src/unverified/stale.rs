//! Code of tests that javac would not take: of what such a test runs nothing is known.

use super::anything::mocked_by;
use super::mocks::Mocks;
use calls::Workspace;
use flow::{Body, Callee, ExprId, ExprKind};
use oracle::Reader;
use oracle::frameworks::{any, tells_or_asks};
use program::{BodyId, CallTarget, MethodDecl, Program, TypeId};

/// True if code of a test makes an object with a number of arguments that no constructor takes, or tells or asks a mock of what
/// its class and those above it, all of which are here, do not have.
pub(super) fn is_stale(workspace: &Workspace, mocks: &Mocks, code: &[BodyId]) -> bool {
    let program = workspace.program();
    code.iter().any(|id| {
        let Some(reader) = Reader::new(program, *id) else {
            return false;
        };
        let (body, resolved) = (reader.body, reader.resolved);
        let is_unknown = |c: usize| {
            let target = resolved.calls.get(c);
            matches!(target, Some(CallTarget::Unknown))
        };
        let mut calls = body.calls.iter().enumerate();
        calls.any(|(c, call)| match call.callee {
            _ if !is_unknown(c) => false,
            Callee::New { .. } => {
                let class = program.class_of(resolved.ty(call.expr));
                class.is_some_and(|c| !takes(program, c, call.args.len as usize))
            }
            Callee::Method {
                receiver: Some(on),
                name,
            } => {
                let name = body.name(name);
                let class = match is_about_mock(body, on) && !tells_or_asks(name) {
                    true => mocked_by(program, &reader, on),
                    false => None,
                };
                let class = class.filter(|c| mocks.may_be(program, *c));
                class.is_some_and(|c| lacks(program, c, name))
            }
            _ => false,
        })
    })
}

/// True for a variable, for `verify(mock)` and for `doReturn(it).when(mock)`: not for `when(mock.call())`, which gives another.
fn is_about_mock(body: &Body, on: ExprId) -> bool {
    match body.expr(on).kind {
        ExprKind::Call(c) => {
            let name = body.called(c);
            let is_said_before = body.calls[c.ix()].callee.on().is_some();
            any(name, |row| row.asks) || is_said_before && any(name, |row| row.tells)
        }
        ExprKind::Local(_) | ExprKind::Name(_) | ExprKind::Field { .. } => true,
        _ => false,
    }
}

/// True if a constructor takes so many arguments, or that is not known.
fn takes(program: &Program, class: TypeId, args: usize) -> bool {
    let methods = program.methods_of_type(class).iter();
    let constructors = methods.filter(|m| program.is_constructor(**m));
    let all: Vec<&MethodDecl> = constructors
        .filter_map(|m| program.method_decl(*m))
        .collect();
    let fits = |d: &&MethodDecl| d.varargs || d.params.len() == args;
    all.is_empty() || all.iter().any(fits)
}

/// True if neither a class nor one above it has a method of a name, and all of them are here.
fn lacks(program: &Program, class: TypeId, name: &str) -> bool {
    let above = program.supertypes(class).to_vec();
    let mut all = std::iter::once(class).chain(above);
    let is_it = |d: &MethodDecl| d.name == name;
    !OF_ALL.contains(&name)
        && all.all(|c| {
            let mut methods = program.methods_of_type(c).iter();
            let is_here = program.type_decl(c).is_some() && !program.has_unseen_supertype(c);
            is_here && !methods.any(|m| program.method_decl(*m).is_some_and(is_it))
        })
}

/// The methods of `Object`.
const OF_ALL: &[&str] = &[
    "equals",
    "hashCode",
    "toString",
    "getClass",
    "notify",
    "notifyAll",
    "wait",
    "clone",
    "finalize",
    "name",
    "ordinal",
    "compareTo",
    "getDeclaringClass",
];
