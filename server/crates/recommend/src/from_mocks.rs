//! What production code has from a mock: the mock itself, and what it answers. That is what the test told it.

use calls::{RapidTypes, Unit, Workspace};
use chains::{CallSite, Candidate};
use flow::{Body, Call, Callee, ExprId, ExprKind, LocalId, Target};
use oracle::frameworks::any;
use oracle::mocks::is_bare_mock_field;
use oracle::{Reader, Root, TestRun};
use program::{CallTarget, FieldDecl, Program, ResolvedBody, TypeId};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

/// True for a definition that holds a mock, or what one answers, with nothing done to it.
pub(crate) fn is_from_mock(
    workspace: &Workspace,
    rapid_types: &RapidTypes<'_>,
    unit: &Unit,
    c: &Candidate,
) -> bool {
    let program = workspace.program();
    let (Some(decl), Some(resolved)) = (program.body(unit.body), workspace.resolved(unit.body))
    else {
        return false;
    };
    let ty = match (c.value, c.local) {
        (Some(value), _) => Some(resolved.ty(value)),
        (None, Some(local)) => resolved.locals.get(local.ix()).copied(),
        (None, None) => None,
    };
    let class = ty.and_then(|ty| program.class_of(ty));
    if class.is_some_and(|class| rapid_types.is_mocked(class)) {
        return true;
    }
    let of_mock =
        |call: ExprId| site(unit, call).map(|s| rapid_types.is_answered_by_mock(unit.body, s));
    let body = &*decl.body;
    let value = match c.def.map(|d| &body.defs[d.ix()]) {
        Some(def) => match body.list(def.sources) {
            [only] if !def.compound => Some(*only),
            _ => None,
        },
        None => c.value,
    };
    value.is_some_and(|value| is_answer(body, resolved, value, &of_mock))
}

/// The call site that a call is.
fn site(unit: &Unit, call: ExprId) -> Option<&CallSite> {
    let mut sites = unit.chains.calls.iter();
    sites.find(|s| s.expr == call && s.call.is_some())
}

/// True for a value that a body has from a mock as it is, itself or in a local.
pub(crate) fn is_answered(
    workspace: &Workspace,
    rapid_types: &RapidTypes<'_>,
    unit: &Unit,
    e: ExprId,
) -> bool {
    let program = workspace.program();
    let (Some(decl), Some(resolved)) = (program.body(unit.body), workspace.resolved(unit.body))
    else {
        return false;
    };
    let of_mock =
        |call: ExprId| site(unit, call).map(|s| rapid_types.is_answered_by_mock(unit.body, s));
    match decl.body.expr(e).kind {
        ExprKind::Local(local) => {
            let own = unit.chains.candidates.iter();
            let mut own = own.filter(|c| c.local == Some(local)).peekable();
            own.peek().is_some() && own.all(|c| is_from_mock(workspace, rapid_types, unit, c))
        }
        _ => is_answer(&decl.body, resolved, e, &of_mock),
    }
}

/// The simple names of the types of libraries of which fields of tests' classes are mocks.
pub(crate) fn mocked_by_name(program: &Program, runs: &[TestRun]) -> FxHashSet<SmolStr> {
    let mut classes: Vec<TypeId> = runs.iter().map(|r| r.class).collect();
    classes.sort_unstable();
    classes.dedup();
    let above = |c: &TypeId| std::iter::once(*c).chain(program.supertypes(*c));
    let fields = classes.iter().flat_map(above);
    let fields = fields.flat_map(|c| program.fields_of_type(c).iter().copied());
    let of_library = fields.filter(|f| program.class_of(program.field_type(*f)).is_none());
    let mocks = of_library.filter_map(|f| program.field_decl(f));
    let mocks = mocks.filter(|d| is_bare_mock_field(d));
    mocks.map(|d| written(program, d)).collect()
}

/// The simple name of a field's type, as it is written.
fn written(program: &Program, field: &FieldDecl) -> SmolStr {
    let written = program.display_written(&field.ty);
    written.rsplit('.').next().unwrap_or(&written).into()
}

/// A call of a method, and its name.
fn called(body: &Body, e: ExprId) -> Option<(&Call, &str)> {
    let ExprKind::Call(c) = body.expr(e).kind else {
        return None;
    };
    let call = &body.calls[c.ix()];
    body.method_name(call).map(|name| (call, name.as_str()))
}

/// `collect(toList())`, and not `collect(joining(","))`
pub(crate) fn is_listing(body: &Body, call: &Call) -> bool {
    let lists = ["toList", "toSet", "toCollection", "toUnmodifiableList"];
    let args = body.list(call.args).iter();
    let mut by = args.filter_map(|a| called(body, *a));
    by.all(|(_, name)| lists.contains(&name))
}

/// True for what a mock answers, and for what a library unwraps of that: `find(id).orElse(null)`. `of_mock`: whether a mock
/// answers a call of a method that is known here.
fn is_answer(
    body: &Body,
    resolved: &ResolvedBody,
    mut e: ExprId,
    of_mock: &dyn Fn(ExprId) -> Option<bool>,
) -> bool {
    loop {
        match body.expr(e).kind {
            ExprKind::Cast { operand, .. } => e = operand,
            ExprKind::Call(c) => {
                if let Some(of_mock) = of_mock(e) {
                    return of_mock;
                }
                let call = &body.calls[c.ix()];
                let is_plain = |a: &ExprId| matches!(body.expr(*a).kind, ExprKind::Literal(_));
                match (call.callee, resolved.calls.get(c.ix())) {
                    (
                        Callee::Method {
                            receiver: Some(of), ..
                        },
                        Some(CallTarget::Library),
                    ) if body.list(call.args).iter().all(is_plain) => e = of,
                    _ => return false,
                }
            }
            _ => return false,
        }
    }
}

/// True if mocks are told to answer with objects, and nobody put anything into any of them: `List.of(new Row())`.
pub(crate) fn are_told_empty(reader: &Reader<'_>) -> bool {
    let body = reader.body;
    let told = body.calls.iter().filter(|call| {
        let name = body.method_name(call);
        name.is_some_and(|n| any(n, |row| row.returns))
    });
    let mut work: Vec<ExprId> = told.flat_map(|c| body.list(c.args)).copied().collect();
    let mut has_empty = false;
    let mut seen: FxHashSet<LocalId> = FxHashSet::default();
    while let Some(e) = work.pop() {
        match body.expr(e).kind {
            ExprKind::Cast { operand, .. } => work.push(operand),
            ExprKind::Call(c) => {
                let call = &body.calls[c.ix()];
                let is_ours = reader.program.class_of(reader.resolved.ty(e)).is_some();
                match (&call.callee, is_ours) {
                    (Callee::New { .. }, true) if call.args.len == 0 => has_empty = true,
                    // `new PageImpl<>(rows)`, `List.of(row)`
                    (_, false) if call.args.len > 0 => {
                        work.extend_from_slice(body.list(call.args));
                    }
                    _ => return false,
                }
            }
            ExprKind::Local(local) if seen.insert(local) => match body.locals[local.ix()].init {
                Some(init) if !is_filled(reader, local) => work.push(init),
                _ => return false,
            },
            ExprKind::Local(_) | ExprKind::Literal(_) => {}
            _ => return false,
        }
    }
    has_empty
}

/// True if a test asks or tells what a local holds anything, gives it to a call that it makes for what that does, or gives
/// the local another value.
pub(crate) fn is_filled(reader: &Reader<'_>, local: LocalId) -> bool {
    let body = reader.body;
    let is_own = |e: ExprId| {
        let path = reader.path(e);
        path.is_some_and(|p| matches!(p.root, Root::Local(_, l) if l == local))
    };
    let on = body.calls.iter().filter_map(|c| c.callee.on());
    let mut on = on.map(|(on, _)| on);
    let defs = body.defs.iter().filter(|d| match d.target {
        Target::Local(l) => l == local,
        Target::Place(p) | Target::Element(p) => is_own(p),
        Target::OwnField(_) => false,
    });
    // `fill(order);`
    let dropped = body.calls.iter().filter(|call| call.dropped);
    let mut given = dropped.flat_map(|call| body.list(call.args));
    on.any(is_own) || defs.count() > 1 || given.any(|e| is_own(*e))
}
