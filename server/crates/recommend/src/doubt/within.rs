//! What stands within the assertions of a test, read once a scene: each of its many points asks.

use super::barely::Barely;
use crate::observation_points::Scene;
use flow::{Body, ExprId, ExprKind};
use oracle::frameworks::{Says, says};
use oracle::{Assertion, Root};
use rustc_hash::{FxHashMap, FxHashSet};

/// See the module's description. Only visible assertions count.
#[derive(Debug, Default)]
pub(super) struct Within {
    /// The expressions of the test by their first bytes, with their ends.
    by_start: Vec<(u32, u32, ExprId)>,
    /// Objects of which an assertion asks the class.
    asked_for_class: FxHashSet<Root>,
    /// Objects of which an assertion says that they are there.
    there: FxHashSet<Root>,
    /// By object: how many assertions say of a part that it is there.
    parts_there: FxHashMap<Root, usize>,
}

impl Within {
    /// Of a scene.
    pub(super) fn new(scene: &Scene<'_>, barely: &Barely) -> Within {
        let (reader, hold_out) = (&scene.reader, &scene.hold_out);
        let body = reader.body;
        let all = (0..body.exprs.len() as u32).map(ExprId);
        let mut by_start: Vec<(u32, u32, ExprId)> = all
            .map(|e| (body.expr(e).start, body.expr(e).end, e))
            .collect();
        by_start.sort_unstable();
        let mut out = Within {
            by_start,
            ..Within::default()
        };
        let visible = |a: &&Assertion| hold_out.is_before(a.expr) && !hold_out.hides(a.expr);
        for a in scene.chains.assertions.iter().filter(visible) {
            let asks = asks_class(body, a, &out);
            let is_barely = barely.has(a);
            if !asks && !is_barely {
                continue;
            }
            let paths = out.of(body, a).filter_map(|e| reader.path(e));
            let paths: Vec<oracle::Path> = paths.collect();
            let mut parts: Vec<Root> = Vec::new();
            for path in paths {
                match path.depth {
                    0 => {
                        if asks {
                            out.asked_for_class.insert(path.root.clone());
                        }
                        if is_barely {
                            out.there.insert(path.root);
                        }
                    }
                    _ if is_barely && !parts.contains(&path.root) => parts.push(path.root),
                    _ => {}
                }
            }
            for root in parts {
                *out.parts_there.entry(root).or_default() += 1;
            }
        }
        out
    }

    /// The expressions of an assertion.
    pub(super) fn of(
        &self,
        body: &Body,
        assertion: &Assertion,
    ) -> impl Iterator<Item = ExprId> + use<'_> {
        let start = body.expr(assertion.expr).start;
        let end = body.expr(assertion.end(body)).end;
        let first = self.by_start.partition_point(|e| e.0 < start);
        let behind = self.by_start[first..].iter();
        let begun = behind.take_while(move |e| e.0 < end);
        begun.filter(move |e| e.1 <= end).map(|e| e.2)
    }

    /// True for an object of which an assertion asks the class.
    pub(super) fn asks_class_of(&self, root: &Root) -> bool {
        self.asked_for_class.contains(root)
    }

    /// True for an object of which an assertion says that it is there.
    pub(super) fn is_there(&self, root: &Root) -> bool {
        self.there.contains(root)
    }

    /// How many assertions say of a part of an object that it is there.
    pub(super) fn parts_there(&self, root: &Root) -> usize {
        self.parts_there.get(root).copied().unwrap_or(0)
    }
}

/// `assertThat(all).isInstanceOf(Sorted.class)`, `assertTrue(all instanceof Sorted)`
fn asks_class(body: &Body, a: &Assertion, within: &Within) -> bool {
    let mut words = a.call.iter().chain(&a.chained);
    let says_class = words.any(|c| {
        let name = body.method_name(&body.calls[c.ix()]);
        name.is_some_and(|n| says(n) == Some(Says::Class))
    });
    let is_test = |e: ExprId| matches!(body.expr(e).kind, ExprKind::InstanceOf { .. });
    says_class || within.of(body, a).any(is_test)
}
