//! What assertions say no more of than that it is there: that it is not null, that it is present, how many it has.
//!
//! Such a test knows which value it is about, and leaves open what it is.

use super::Scene;
use super::forms::tells_apart;
use flow::{BinaryOp, Body, Callee, ExprId, ExprKind, UnaryOp};
use oracle::frameworks::{Says, link, matcher, says};
use oracle::{Assertion, Path, Reader, Root};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

/// Queries of how much there is.
pub(crate) const COUNTS: &[&str] = &[".size()", ".length", ".length()", ".count()", ".isEmpty()"];
const PRESENT: &str = ".isPresent()";

/// See the module's description.
#[derive(Debug, Default)]
pub(super) struct Barely {
    /// By path, as it is written: where.
    of: FxHashMap<(Root, SmolStr), Vec<u32>>,
    /// The assertions that say no more.
    assertions: FxHashSet<ExprId>,
    /// Those that say only how many a local has: `assertThat(rows).hasSize(2)`.
    counting: FxHashSet<ExprId>,
    /// By such a local: where.
    counted: FxHashMap<Root, Vec<u32>>,
}

impl Barely {
    /// Of the visible assertions of a scene.
    pub(super) fn new(scene: &Scene<'_>) -> Barely {
        let mut out = Barely::default();
        let (reader, hold_out) = (&scene.reader, &scene.hold_out);
        for a in &scene.chains.assertions {
            if !hold_out.is_before(a.expr) || hold_out.hides(a.expr) {
                continue;
            }
            let Some(paths) = there(reader, a) else {
                if let Some(locals) = counted(reader, a) {
                    out.counting.insert(a.expr);
                    for (e, path) in locals {
                        out.counted.entry(path.root).or_default().push(e.0);
                    }
                }
                continue;
            };
            out.assertions.insert(a.expr);
            for (e, path) in paths {
                let places = out.of.entry((path.root, path.text)).or_default();
                places.push(e.0);
            }
        }
        out
    }

    /// True for an assertion that says no more.
    pub(super) fn has(&self, assertion: &Assertion) -> bool {
        self.assertions.contains(&assertion.expr)
    }

    /// True for an assertion that says only how many a local has.
    pub(super) fn counts(&self, assertion: ExprId) -> bool {
        self.counting.contains(&assertion)
    }

    /// Where assertions say how many a local has, and no more.
    pub(super) fn counted(&self, root: &Root) -> &[u32] {
        self.counted.get(root).map_or(&[], Vec::as_slice)
    }

    /// Where assertions say it of a path.
    pub(super) fn places(&self, root: &Root, text: &SmolStr) -> &[u32] {
        let of = self.of.get(&(root.clone(), text.clone()));
        of.map_or(&[], Vec::as_slice)
    }

    /// True if it is said of a path by the expression at hand.
    pub(super) fn is_of(&self, path: &Path, e: ExprId) -> bool {
        self.places(&path.root, &path.text).contains(&e.0)
    }
}

/// The locals of which a fluent assertion says how many they have, if it says no more.
fn counted(reader: &Reader<'_>, assertion: &Assertion) -> Option<Vec<(ExprId, Path)>> {
    let (says_empty, negates) = emptiness(reader, assertion);
    if says_empty != negates || !says_there(reader.body, assertion) {
        return None;
    }
    let reading = reader.reading(assertion);
    let are_locals = reading.paths.iter().all(|(_, p)| p.depth == 0);
    let is_all = reading.calls.is_empty() && !reading.other && !reading.paths.is_empty();
    (is_all && are_locals).then_some(reading.paths)
}

/// True for an assertion by links or a matcher that says that something is there, or how many, and no more.
fn says_there(body: &Body, assertion: &Assertion) -> bool {
    if assertion.chained.is_empty() {
        return matches_there(body, assertion);
    }
    let mut links = assertion.chained.iter().map(|c| link(body.called(*c)));
    let is_there = |says: Option<Says>| says.is_some_and(Says::is_of_size);
    links.clone().any(is_there) && links.all(|l| is_there(l) || l == Some(Says::Nothing))
}

/// `assertThat(rows, hasSize(2))`, `is(not(empty()))`
fn matches_there(body: &Body, assertion: &Assertion) -> bool {
    let args = assertion.call.map(|c| body.list(body.calls[c.ix()].args));
    let Some([_, .., last]) = args else {
        return false;
    };
    let mut e = *last;
    let mut negates = false;
    while let ExprKind::Call(c) = body.expr(e).kind {
        let Callee::Method { name, .. } = body.calls[c.ix()].callee else {
            return false;
        };
        match (matcher(body.name(name)), body.list(body.calls[c.ix()].args)) {
            (Some(Says::Is), [inner]) => e = *inner,
            (Some(Says::Not), [inner]) => (e, negates) = (*inner, !negates),
            (says, [_]) => return says == Some(Says::Size) && !negates,
            (says, []) => return says == Some(Says::Empty) && negates,
            _ => return false,
        }
    }
    false
}

/// True for an assertion that compares with how many there were: that nothing came or went.
pub(super) fn compares_with_before(body: &Body, assertion: &Assertion) -> bool {
    let span = body.expr(assertion.end(body));
    let start = body.expr(assertion.expr).start;
    let within = |e: &&flow::Expr| start <= e.start && e.end <= span.end;
    body.exprs.iter().filter(within).any(|expr| {
        let ExprKind::Local(local) = expr.kind else {
            return false;
        };
        let Some(mut init) = body.locals[local.ix()].init else {
            return false;
        };
        while let ExprKind::Cast { operand, .. } = body.expr(init).kind {
            init = operand;
        }
        match body.expr(init).kind {
            ExprKind::Call(c) => match body.calls[c.ix()].callee {
                Callee::Method { name, .. } => {
                    matches!(body.name(name).as_str(), "size" | "count" | "length")
                }
                _ => false,
            },
            _ => false,
        }
    })
}

/// The paths of which an assertion says that they are there, if it says no more.
fn there(reader: &Reader<'_>, assertion: &Assertion) -> Option<Vec<(ExprId, Path)>> {
    let body = reader.body;
    let reading = reader.reading(assertion);
    if reader.is_weak(assertion) {
        return (!tells_apart(body, assertion)).then_some(reading.paths);
    }
    if !reading.calls.is_empty() || reading.other || reading.paths.is_empty() {
        return None;
    }
    // How many a local has says that it was looked at; what is left of that, others know (`cared.rs`).
    let is_part = |path: &Path| path.depth > 0;
    let (says_empty, negates) = emptiness(reader, assertion);
    if says_empty != negates {
        return None;
    }
    if says_there(body, assertion) {
        let all_parts = reading.paths.iter().all(|(_, p)| is_part(p));
        return all_parts.then_some(reading.paths);
    }
    // `assertEquals(1, shop.items().size())`: of the items.
    let counted = |(e, path): &(ExprId, Path)| {
        let mut queries = COUNTS.iter().chain([&PRESENT]);
        queries.find(|q| path.text.ends_with(**q))?;
        let of = match body.expr(*e).kind {
            ExprKind::Call(c) => match body.calls[c.ix()].callee {
                Callee::Method { receiver, .. } => receiver?,
                _ => return None,
            },
            ExprKind::Field { object, .. } => object,
            _ => return None,
        };
        reader.path(of).filter(is_part).map(|p| (of, p))
    };
    reading.paths.iter().map(counted).collect()
}

/// True for an assertion that something is empty, or nought.
pub(super) fn says_empty(reader: &Reader<'_>, assertion: &Assertion) -> bool {
    emptiness(reader, assertion) == (true, false)
}

/// Whether an assertion says that something is empty, or nought, and whether it turns what it says around.
fn emptiness(reader: &Reader<'_>, assertion: &Assertion) -> (bool, bool) {
    let body = reader.body;
    let span = body.expr(assertion.end(body));
    let is_nought = |e: ExprId| {
        let at = body.expr(e);
        matches!(at.kind, ExprKind::Literal(_))
            && reader.program.body_text(reader.id, at.start, at.end) == "0"
    };
    let within = |e: &&flow::Expr| span.start <= e.start && e.end <= span.end;
    let (mut is_empty, mut negates) = (false, false);
    for expr in body.exprs.iter().filter(within) {
        match expr.kind {
            ExprKind::Call(c) => {
                let call = &body.calls[c.ix()];
                let Callee::Method { name, .. } = call.callee else {
                    continue;
                };
                let mut args = body.list(call.args).iter();
                match says(body.name(name)) {
                    Some(Says::Empty | Says::Zero) => is_empty = true,
                    Some(Says::Equal | Says::Same | Says::Size | Says::Is) => {
                        is_empty |= args.any(|a| is_nought(*a));
                    }
                    Some(Says::False | Says::Not) => negates = true,
                    _ => {}
                }
            }
            ExprKind::Binary { op, left, right } => {
                is_empty |= op == BinaryOp::Eq && (is_nought(left) || is_nought(right));
            }
            ExprKind::Unary { op, .. } => negates |= op == UnaryOp::Not,
            // `assertThat(found.isPresent(), is(false))`.
            ExprKind::Literal(_) => {
                negates |= reader.program.body_text(reader.id, expr.start, expr.end) == "false";
            }
            _ => {}
        }
    }
    (is_empty, negates)
}
