//! What assertions have in so many words: a net below all that is known of what calls change. Read once a scene, since each
//! of its many points asks.

use super::parts::named_parts;
use crate::observation_points::{Point, Scene};
use flow::{Callee, Expr, ExprId, ExprKind};
use oracle::squeezed;
use oracle::{Assertion, Reader, Root};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// Beginnings of queries that change nothing, by convention.
const ASKS: &[&str] = &[
    "get", "is", "has", "size", "length", "to", "as", "contains", "stream", "iterator", "find",
    "count", "equals", "hash", "keySet", "values", "entrySet",
];

/// See the module's description.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// From the first byte of an assertion to one past its last.
    spans: Vec<(u32, u32)>,
    /// By query without white space: what it goes out from, and where it ends, last.
    queries: FxHashMap<SmolStr, Vec<(Option<Root>, u32)>>,
    /// By object: where a call outside of assertions may change it, last.
    changed: FxHashMap<Root, u32>,
}

impl Said {
    /// Of the visible assertions of a scene. What `says_nothing` of a value has no words here.
    pub(super) fn new(scene: &Scene<'_>, says_nothing: impl Fn(&Assertion) -> bool) -> Said {
        let (reader, hold_out) = (&scene.reader, &scene.hold_out);
        let body = reader.body;
        let visible = |e: ExprId| hold_out.is_before(e) && !hold_out.hides(e);
        let span = |a: &Assertion| {
            let (start, end) = (body.expr(a.expr), body.expr(a.end(body)));
            (start.start.min(end.start), start.end.max(end.end))
        };
        let assertions = scene.chains.assertions.iter();
        let assertions = assertions.filter(|a| visible(a.expr));
        let telling: Vec<(u32, u32)> = assertions
            .clone()
            .filter(|a| !says_nothing(a))
            .map(span)
            .collect();
        let mut out = Said {
            spans: assertions.clone().map(span).collect(),
            ..Said::default()
        };
        for a in assertions.filter(|a| !says_nothing(a) && !reader.is_weak(a)) {
            for (query, root, end) in named_parts(reader, a) {
                out.queries.entry(query).or_default().push((root, end));
            }
        }
        for (i, expr) in body.exprs.iter().enumerate() {
            let e = ExprId(i as u32);
            if out.is_within(expr) {
                let is_query = matches!(expr.kind, ExprKind::Call(_) | ExprKind::Field { .. });
                if is_query && visible(e) && is_within(&telling, expr) {
                    let text = reader.program.body_text(reader.id, expr.start, expr.end);
                    let of = out.queries.entry(squeezed(text)).or_default();
                    of.push((root_of(reader, e), expr.end));
                }
            } else if let ExprKind::Call(c) = expr.kind {
                for root in changed_by(reader, c) {
                    let at = out.changed.entry(root).or_default();
                    *at = expr.start.max(*at);
                }
            }
        }
        out
    }

    /// True for what stands in an assertion.
    pub(super) fn is_within(&self, expr: &Expr) -> bool {
        is_within(&self.spans, expr)
    }

    /// True if an assertion has a point in the same words, and nothing after it may have changed what they say.
    pub(super) fn has(&self, point: &Point) -> bool {
        if point.depth == 0 && !point.dropped {
            return false;
        }
        let of = self.queries.get(&squeezed(&point.observation.expression));
        let of = of.into_iter().flatten();
        let own = of.filter(|(root, _)| root.as_ref().is_none_or(|r| *r == point.root));
        let changed = self.changed.get(&point.root).copied().unwrap_or(0);
        own.map(|(_, end)| *end)
            .max()
            .is_some_and(|end| changed < end)
    }
}

fn is_within(spans: &[(u32, u32)], expr: &Expr) -> bool {
    let mut spans = spans.iter();
    spans.any(|s| s.0 <= expr.start && expr.end <= s.1)
}

/// What an expression, or the object of a call, goes out from.
fn root_of(reader: &Reader<'_>, e: ExprId) -> Option<Root> {
    let body = reader.body;
    let receiver = || match body.expr(e).kind {
        ExprKind::Call(c) => match body.calls[c.ix()].callee {
            Callee::Method { receiver, .. } => reader.path(receiver?),
            _ => None,
        },
        _ => None,
    };
    reader.path(e).or_else(receiver).map(|p| p.root)
}

/// The objects on which a call is made whose name is no query's, or to which they are given.
fn changed_by(reader: &Reader<'_>, c: flow::CallId) -> impl Iterator<Item = Root> {
    let body = reader.body;
    let call = &body.calls[c.ix()];
    let on = match call.callee {
        Callee::Method {
            receiver: Some(r),
            name,
        } => (!super::begins(body.name(name), ASKS)).then_some(r),
        _ => None,
    };
    let all = on.into_iter().chain(body.list(call.args).iter().copied());
    let roots: Vec<Root> = all.filter_map(|e| Some(reader.path(e)?.root)).collect();
    roots.into_iter()
}
