//! What a test runs whatever its branches do, and once.

use super::MOST;
use super::mocks::Mocks;
use crate::observation_points::in_lambda;
use calls::{RapidTypes, Unit, Workspace};
use flow::{Body, ExprId, VariableKind};
use program::{BodyId, FieldId, Modifiers, NameTarget};
use rustc_hash::{FxHashMap, FxHashSet};

/// The bodies of code under test that run from `roots` on, such as a test, whatever their branches do: each is called where its caller always comes by,
/// and nothing else can answer the call. Where an exception is caught, what stands behind that which throws it does not run
/// (`may_throw`); without a `catch` on the way up it would end the test.
pub(super) fn surely_run(
    workspace: &Workspace,
    rapid_types: &RapidTypes<'_>,
    roots: Vec<BodyId>,
    units: &[Unit],
    may_throw: bool,
) -> FxHashSet<BodyId> {
    let program = workspace.program();
    let known: FxHashSet<BodyId> = units.iter().map(|u| u.body).collect();
    let mut out: FxHashSet<BodyId> = FxHashSet::default();
    let mut work = roots;
    while let Some(id) = work.pop() {
        let (Some(decl), Some(chains)) = (program.body(id), workspace.chains(id)) else {
            continue;
        };
        let mut locals = decl.body.locals.iter();
        let catches = locals.any(|l| l.kind == VariableKind::Catch);
        if catches && may_throw || !out.insert(id) || out.len() > MOST {
            continue;
        }
        let ways = decl.body.ways();
        for site in &chains.calls {
            // Who is given a method reference may call it, or not.
            let is_always = site.call.is_some()
                && (site.entry >= 1.0 - 1e-9
                    || ways.all_lead_through(decl.body.block_of(site.expr)))
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

/// True if a test that passes would come by a call on what nobody put into an object that a library of mocks fills: there is no mock of
/// its class, and nothing makes one. Such a test does not pass today.
pub(super) fn lacks_a_part(
    workspace: &Workspace,
    rapid_types: &RapidTypes<'_>,
    mocks: &Mocks,
    sure: &FxHashSet<BodyId>,
) -> bool {
    let program = workspace.program();
    let is_lacking = |field: FieldId| {
        let decl = program.field_decl(field);
        let class = program.class_of(program.field_type(field));
        mocks.fills(program.field_owner(field))
            && decl.is_some_and(|d| {
                let is_given = d.span.end > d.name_span.end;
                !is_given && !d.modifiers.has(Modifiers::STATIC)
            })
            && class.is_some_and(|c| {
                !program.is_test_type(c)
                    && !mocks.may_be(program, c)
                    && !rapid_types.is_mocked(c)
                    && !rapid_types.is_made(c)
            })
    };
    sure.iter().any(|id| {
        let (Some(decl), Some(resolved)) = (program.body(*id), workspace.resolved(*id)) else {
            return false;
        };
        let body = &*decl.body;
        let ways = body.ways();
        body.calls.iter().any(|call| {
            let on = call.callee.on().map(|(on, _)| on);
            let field = on.and_then(|on| match resolved.name(on) {
                Some(NameTarget::Field(field)) => Some(field),
                _ => None,
            });
            let is_always =
                !in_lambda(body, call.expr) && ways.all_lead_through(body.block_of(call.expr));
            is_always && field.is_some_and(is_lacking)
        })
    })
}

/// By body: from where it is called, and whether in a loop.
pub(super) fn entered(
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
pub(super) fn is_entered_once(
    entered: &FxHashMap<BodyId, Vec<(BodyId, bool)>>,
    body: BodyId,
) -> bool {
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

/// True for an expression that is evaluated whenever its body comes to an end.
pub(super) fn is_always(unit: &Unit, body: &Body, e: ExprId) -> bool {
    let block = body.block_of(e);
    let certain = |entry: f64| entry >= 1.0 - 1e-9;
    let candidates = unit.chains.candidates.iter();
    let mut beside = candidates.filter(|c| c.block == block);
    let mut calls = unit.chains.calls.iter();
    let mut calls = calls.by_ref().filter(|s| body.block_of(s.expr) == block);
    !in_lambda(body, e)
        && (body.ways().all_lead_through(block)
            || beside.any(|c| certain(c.entry))
            || calls.any(|s| certain(s.entry)))
}
