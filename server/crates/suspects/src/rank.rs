//! From violations that reach assertions to a ranking of the assertions.

use crate::examine::{Moment, Violation};
use std::collections::BTreeMap;

/// A violation reaches an assertion: positions in lists of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reached {
    /// The assertion.
    pub assertion: usize,
    /// The violation, in [`crate::Examined::violations`].
    pub violation: usize,
}

/// An assertion that something strange reaches.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspect {
    /// Which.
    pub assertion: usize,
    /// How suspicious: the sum of the uniqueness of what reaches it.
    pub score: f64,
    /// From 1, over all assertions of the class under test; equals share the mean of their ranks.
    pub rank: f64,
    /// What reaches it: the most unique first.
    pub violations: Vec<usize>,
}

/// Ranks the assertions that violations reach, the most suspicious first. Violations that the filter took out count for nothing.
pub fn rank(violations: &[Violation], reached: &[Reached]) -> Vec<Suspect> {
    let mut by: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for one in reached {
        if violations.get(one.violation).is_some_and(|v| v.is_kept) {
            by.entry(one.assertion).or_default().push(one.violation);
        }
    }
    let mut out: Vec<Suspect> = by
        .into_iter()
        .map(|(assertion, mut own)| {
            own.sort_unstable();
            own.dedup();
            let weight = |v: &usize| violations[*v].uniqueness();
            // Of equals first what a call gave, and what says it with the fewest values.
            let plain = |v: &usize| {
                let broken = &violations[*v].broken;
                let is_given = broken.moment == Moment::Entry;
                (is_given, broken.constraint.terms.len(), *v)
            };
            own.sort_by(|a, b| {
                let order = weight(b).total_cmp(&weight(a));
                order.then_with(|| plain(a).cmp(&plain(b)))
            });
            Suspect {
                assertion,
                score: own.iter().map(weight).sum(),
                rank: 0.0,
                violations: own,
            }
        })
        .collect();
    out.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then(a.assertion.cmp(&b.assertion))
    });
    let mut from = 0;
    while from < out.len() {
        let score = out[from].score;
        let like = |s: &&Suspect| (s.score - score).abs() < 1e-9;
        let to = from + out[from..].iter().take_while(like).count();
        // Ranks from + 1 to `to`.
        #[allow(clippy::cast_precision_loss)]
        let mean = (from + 1 + to) as f64 / 2.0;
        out[from..to].iter_mut().for_each(|s| s.rank = mean);
        from = to;
    }
    out
}
