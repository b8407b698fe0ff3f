//! Whether what runs behind all tests of a class looks at what one of them did.
//!
//! A tear-down comes to the objects of a test by fields, if the test uses any, and to what the test left behind by naming a
//! class that the test names, too. One that does neither checks none of the test's values: all tests of commons-lang end by
//! asking whether a registry is empty that few of them know.
//!
//! Which field of which is not asked, since one may hold another. Nor is an assertion told from what else a tear-down does:
//! one that closes a field and asserts of something else is taken to look at the field.

use super::Checking;
use super::oracles::type_name;
use flow::{CallId, Callee, ExprId, ExprKind};
use oracle::is_assertion;
use program::{BodyId, CallTarget, MethodId, NameTarget, Program, TypeId};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

/// Bodies beyond which nothing is followed: then nobody can say.
const MAX_BODIES: usize = 200;

/// What some code names, with what it runs of the test's own class and of other code of tests.
#[derive(Default)]
struct Named {
    /// Simple names of classes: those it asks something, and those of which it makes objects.
    classes: FxHashSet<SmolStr>,
    /// It uses a field of the test's class, or hands the test itself on.
    has_fields: bool,
    /// Nobody can say.
    is_unknown: bool,
}

/// True unless a tear-down looks at nothing that a test had in its hands. `family` are the test's class, those above it and
/// those around.
pub(super) fn looks_at(
    checking: &Checking<'_>,
    family: &[TypeId],
    test: BodyId,
    tear_down: MethodId,
) -> bool {
    let program = checking.workspace.program();
    let (Some(decl), Some(body)) = (
        program.method_decl(tear_down),
        program.method_body(tear_down),
    ) else {
        return true;
    };
    if !decl.params.is_empty() {
        return true;
    }
    let behind = named(checking, family, body);
    let own = named(checking, family, test);
    behind.is_unknown
        || behind.has_fields && (own.has_fields || own.is_unknown)
        || !behind.classes.is_disjoint(&own.classes)
}

fn named(checking: &Checking<'_>, family: &[TypeId], root: BodyId) -> Named {
    let mut out = Named::default();
    let mut seen: FxHashSet<BodyId> = FxHashSet::from_iter([root]);
    let mut work = vec![root];
    while let Some(id) = work.pop() {
        let next = named_in(checking, family, id, &mut out);
        work.extend(next.into_iter().filter(|b| seen.insert(*b)));
        out.is_unknown |= seen.len() > MAX_BODIES;
        if seen.len() > MAX_BODIES {
            break;
        }
    }
    out
}

/// Adds what a body names; the bodies that it runs.
fn named_in(
    checking: &Checking<'_>,
    family: &[TypeId],
    id: BodyId,
    out: &mut Named,
) -> Vec<BodyId> {
    let workspace = checking.workspace;
    let program = workspace.program();
    let (Some(decl), Some(resolved)) = (program.body(id), workspace.resolved(id)) else {
        out.is_unknown = true;
        return Vec::new();
    };
    let body = &*decl.body;
    let is_own = family.contains(&program.body_owner(id));
    // What a class within the body does with the test is not followed.
    out.is_unknown |= !program.body_classes(id).is_empty();
    for (at, expr) in (0u32..).zip(&body.exprs) {
        let name = match expr.kind {
            ExprKind::Name(name) | ExprKind::Field { name, .. } => body.name(name),
            ExprKind::This | ExprKind::Super | ExprKind::Qualified { .. } => {
                out.has_fields |= is_own;
                continue;
            }
            _ => continue,
        };
        let is_alone = matches!(expr.kind, ExprKind::Name(_));
        match resolved.name(ExprId(at)) {
            Some(NameTarget::Field(field)) => {
                let owner = program.field_owner(field);
                match family.contains(&owner) {
                    true => out.has_fields = true,
                    false => _ = out.classes.insert(simple_name(program, owner)),
                }
            }
            Some(NameTarget::Type(_)) => _ = out.classes.insert(name.clone()),
            Some(NameTarget::LibraryField | NameTarget::Unknown) | None => {
                out.is_unknown |= is_alone;
            }
            Some(NameTarget::Captured { .. } | NameTarget::Package | NameTarget::ArrayLength) => {}
        }
    }
    let mut next = Vec::new();
    for (at, call) in body.calls.iter().enumerate() {
        if let Callee::New { ty, .. } = call.callee {
            out.classes
                .insert(SmolStr::new(type_name(&body.types[ty.ix()])));
        }
        match resolved.calls.get(at) {
            Some(CallTarget::Workspace(method)) => {
                runs(program, family, *method, out, &mut next);
            }
            // On what it is called is looked at by itself.
            Some(CallTarget::Library | CallTarget::Unknown) | None => {
                let id = CallId(u32::try_from(at).unwrap_or(u32::MAX));
                let is_alone = matches!(call.callee, Callee::Method { receiver: None, .. });
                out.is_unknown |= is_alone && !is_assertion(body, id, &decl.assertions);
            }
        }
    }
    next
}

/// Adds what a call of the workspace names, and what it runs of code of tests.
fn runs(
    program: &Program,
    family: &[TypeId],
    method: MethodId,
    out: &mut Named,
    next: &mut Vec<BodyId>,
) {
    let owner = program.method_owner(method);
    let is_own = family.contains(&owner);
    if !is_own {
        out.classes.insert(simple_name(program, owner));
    }
    let is_of_tests = |m: &MethodId| program.method_file(*m).is_some_and(|f| program.is_test(f));
    if !is_own && !is_of_tests(&method) {
        return;
    }
    let overriders = program.overriders(method);
    let own = overriders
        .iter()
        .copied()
        .filter(|m| family.contains(&program.method_owner(*m)));
    let bodies = std::iter::once(method).chain(own);
    let before = next.len();
    next.extend(bodies.filter_map(|m| program.method_body(m)));
    out.is_unknown |= next.len() == before && !program.is_implicit(method);
}

fn simple_name(program: &Program, class: TypeId) -> SmolStr {
    let name = program.type_name(class);
    SmolStr::new(name.rsplit(['.', '$']).next().unwrap_or(name))
}
