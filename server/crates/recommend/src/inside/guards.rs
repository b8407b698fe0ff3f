//! Code that runs whenever its method gets beyond its guards.

use chains::Candidate;
use flow::{BlockId, Body, Callable, ExprId, Target, VariableKind};

/// True for a definition that no branch of its method passes by: nothing behind it is likelier to run. An early return is a
/// guard, and whoever asks has a test that gets further; of two arms that both leave either is taken for the one behind the
/// guard. A loop over what there is takes a turn, and what such a loop adds up it adds in one of its turns, unless that is when
/// something fails; whether a `while` takes one depends on what it waits for. What a lambda does runs when somebody calls it.
pub(super) fn runs_beyond_guards(body: &Body, candidate: &Candidate) -> bool {
    let def = candidate.def.map(|d| &body.defs[d.ix()]);
    let Some(at) = def.map(|d| d.expr).or(candidate.value) else {
        return false;
    };
    if candidate.callable != Callable::Member {
        return false;
    }
    let end = match body.loop_around(at) {
        None => body.exprs.len() as u32,
        Some(around) if !is_counted(body, around) => return false,
        Some(_) if def.is_some_and(|d| d.compound) => {
            return reached_by_steps(body)[body.block_of(at).ix()];
        }
        Some((_, end)) => end,
    };
    !is_passed_by(body, body.block_of(at), end)
}

/// True if the method may end before it comes to a definition, or may not take the turn that makes it.
pub(super) fn is_guarded(body: &Body, candidate: &Candidate) -> bool {
    let def = candidate.def.map(|d| &body.defs[d.ix()]);
    let Some(at) = def.map(|d| d.expr).or(candidate.value) else {
        return true;
    };
    let mut probabilities = Vec::new();
    body.probabilities(
        BlockId(0),
        &[body.block_of(at)],
        &mut probabilities,
        &mut Vec::new(),
    );
    body.loop_around(at).is_some() || probabilities[0] < 1.0 - SAME
}

/// True for an expression that runs whenever its method gets beyond its guards, or in each turn of a loop.
pub(super) fn is_beyond(body: &Body, at: ExprId) -> bool {
    let end = body.loop_around(at).map(|(_, end)| end);
    let end = end.unwrap_or(body.exprs.len() as u32);
    !is_passed_by(body, body.block_of(at), end)
}

/// True if a block behind this one, up to an expression, is likelier to run.
fn is_passed_by(body: &Body, own: BlockId, end: u32) -> bool {
    let is_asked = |b: &BlockId| *b == own || *b > own && body.blocks[b.ix()].first < end;
    let blocks = (0..body.blocks.len() as u32).map(BlockId);
    let asked: Vec<BlockId> = blocks.filter(is_asked).collect();
    let mut probabilities = Vec::new();
    body.probabilities(BlockId(0), &asked, &mut probabilities, &mut Vec::new());
    probabilities
        .iter()
        .any(|later| *later > probabilities[0] + SAME)
}

/// Probabilities this near are the same.
const SAME: f64 = 1e-9;

/// By block whether it is come to from the entry, step by step, and never by an exception. Dominators, as reaching definitions
/// have them, count the ways that exceptions take.
pub(super) fn reached_by_steps(body: &Body) -> Vec<bool> {
    let mut out = vec![false; body.blocks.len()];
    for at in 0..body.blocks.len() {
        let mut before = body.blocks[at].preds.iter();
        out[at] = at == 0 || before.any(|(p, probability)| out[p.ix()] && *probability > 0.0);
    }
    out
}

/// True for a loop over the elements of something, or one that counts.
fn is_counted(body: &Body, (first, end): (u32, u32)) -> bool {
    let here = body
        .defs
        .iter()
        .filter(|d| (first..end).contains(&d.expr.0));
    let mut steps = here.filter(|d| match d.target {
        Target::Local(local) => d.kind == VariableKind::Loop || body.locals[local.ix()].counter,
        _ => false,
    });
    steps.next().is_some()
}
