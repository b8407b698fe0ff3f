//! From violations that reach assertions to a ranking of the assertions.

use crate::examine::Violation;
use crate::options::{Moment, Options, Step};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::cmp::Ordering;

/// A violation reaches an assertion: positions in lists of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reached {
    /// The assertion.
    pub assertion: usize,
    /// The violation, in [`crate::Examined::violations`].
    pub violation: usize,
    /// How many steps its value goes to there; one where the assertion reads it itself.
    pub steps: usize,
}

/// An assertion that something strange reaches.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspect {
    /// Which.
    pub assertion: usize,
    /// How suspicious, in [0, 1): how probable it is that any of what reaches it means something, were the statements from which
    /// it comes independent. In the paper's way the sum of uniqueness.
    pub score: f64,
    /// The score if constraints are as credible as left-out tests say.
    pub by_left_out: f64,
    /// From 1, over all assertions of the class under test; equals share the mean of their ranks.
    pub rank: f64,
    /// What the rank would be by the score alone.
    pub by_score: f64,
    /// What it would be by the paper's sum of uniqueness.
    pub by_uniqueness: f64,
    /// What reaches it: what weighs most first.
    pub violations: Vec<usize>,
}

impl Suspect {
    /// From which score on a mark is read by somebody who did not ask.
    const WORTH: f64 = 0.4;
    /// How much of it must be left if constraints are as credible as left-out tests say.
    const WORTH_BY_LEFT_OUT: f64 = 0.2;

    /// True if it is worth the look of somebody who did not ask.
    pub fn is_worth_a_look(&self) -> bool {
        self.score >= Self::WORTH && !self.is_as_in_right_tests()
    }

    /// True if hand-written tests that are left out break as much of what the others teach.
    pub fn is_as_in_right_tests(&self) -> bool {
        self.by_left_out < Self::WORTH_BY_LEFT_OUT
    }
}

/// Ranks the assertions that violations reach, the most suspicious first. Violations that the filter took out count for nothing.
///
/// Two orders are fused: by the score, and by the paper's sum of uniqueness, which often see different faults first. By the sum of
/// reciprocal ranks (Cormack, Clarke and Buettcher, SIGIR 2009, with 0 for their constant) what is first in either is among the
/// first two or three.
pub fn rank(violations: &[Violation], reached: &[Reached], options: &Options) -> Vec<Suspect> {
    let has_weights = options.has(Step::Weights);
    let is_kept = |r: &&Reached| violations.get(r.violation).is_some_and(|v| v.is_kept);
    let by = reached.iter().filter(is_kept);
    let mut by: Vec<&Reached> = by.collect();
    by.sort_unstable_by_key(|r| (r.assertion, r.violation, r.steps));
    // The shortest way counts.
    by.dedup_by_key(|r| (r.assertion, r.violation));
    let by: Vec<&[&Reached]> = by.chunk_by(|a, b| a.assertion == b.assertion).collect();
    let one = |of: &&[&Reached]| {
        let mut own: Vec<Weighed> = of
            .iter()
            .map(|r| Weighed::of(&violations[r.violation], r, options))
            .collect();
        own.sort_by(Weighed::order);
        let unique = own.iter().map(|w| w.unique).sum();
        let suspect = Suspect {
            assertion: of[0].assertion,
            score: match has_weights {
                true => noisy_or(violations, &own, |w| w.weight),
                false => unique,
            },
            by_left_out: noisy_or(violations, &own, |w| w.by_left_out),
            rank: 0.0,
            by_score: 0.0,
            by_uniqueness: 0.0,
            violations: own.iter().map(|w| w.violation).collect(),
        };
        (suspect, unique)
    };
    let (mut out, unique): (Vec<Suspect>, Vec<f64>) = by.par_iter().map(one).unzip();
    let scores: Vec<f64> = out.iter().map(|s| s.score).collect();
    let (by_score, by_uniqueness) = (ranks(&scores), ranks(&unique));
    let both = by_score.iter().zip(&by_uniqueness);
    let fused: Vec<f64> = both.map(|(a, b)| 1.0 / a + 1.0 / b).collect();
    let rank = match has_weights && options.has(Step::Fused) {
        true => ranks(&fused),
        false => by_score.clone(),
    };
    for (at, suspect) in out.iter_mut().enumerate() {
        suspect.rank = rank[at];
        suspect.by_score = by_score[at];
        suspect.by_uniqueness = by_uniqueness[at];
    }
    // Those of one rank stand in the order of their assertions.
    out.sort_by(|a, b| a.rank.total_cmp(&b.rank));
    out
}

/// The ranks of such values, the greatest first; equals share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
    let mut out = vec![0.0; values.len()];
    let mut from = 0;
    while from < order.len() {
        let first = values[order[from]];
        let like = |at: &&usize| (values[**at] - first).abs() < 1e-9;
        let to = from + order[from..].iter().take_while(like).count();
        // Ranks from + 1 to `to`.
        #[allow(clippy::cast_precision_loss)]
        let mean = (from + 1 + to) as f64 / 2.0;
        for at in &order[from..to] {
            out[*at] = mean;
        }
        from = to;
    }
    out
}

/// A violation that reaches an assertion, with what it weighs there.
struct Weighed {
    violation: usize,
    weight: f64,
    by_left_out: f64,
    unique: f64,
    /// Of equals first what a call gave, and what says it with the fewest values.
    plain: (bool, usize, usize),
}

impl Weighed {
    fn of(violation: &Violation, reached: &Reached, options: &Options) -> Weighed {
        let broken = &violation.broken;
        let is_given = broken.moment == Moment::Entry;
        let closeness = closeness(reached.steps, options);
        Weighed {
            violation: reached.violation,
            weight: weight(violation, reached.steps, options),
            by_left_out: violation.weight_by_left_out(options) * closeness,
            unique: violation.uniqueness() * closeness,
            plain: (is_given, broken.constraint.terms.len(), reached.violation),
        }
    }

    /// What weighs most first.
    fn order(&self, other: &Weighed) -> Ordering {
        let order = other.weight.total_cmp(&self.weight);
        order.then_with(|| self.plain.cmp(&other.plain))
    }
}

/// How probable it is that any of some violations means something, each place of a test by its first.
fn noisy_or(violations: &[Violation], own: &[Weighed], weight: impl Fn(&Weighed) -> f64) -> f64 {
    let mut is_first = firsts_of_places(violations);
    let first = own.iter().filter(|w| is_first(w.violation));
    1.0 - first.map(|w| 1.0 - weight(w)).product::<f64>()
}

/// Tells of violations in order which is the first of its place of a test: one strange value breaks much, also in the calls within
/// a call.
fn firsts_of_places(violations: &[Violation]) -> impl FnMut(usize) -> bool {
    let mut seen = FxHashSet::default();
    move |at| seen.insert((violations[at].test, violations[at].from))
}

/// How much a violation weighs in a ranking that was made so, whose value goes so many steps to the assertion.
pub fn weight(violation: &Violation, steps: usize, options: &Options) -> f64 {
    let own = match options.has(Step::Weights) {
        true => violation.weight(options),
        false => violation.uniqueness(),
    };
    own * closeness(steps, options)
}

/// What is left of a weight at each further step.
const EACH_STEP: f64 = 0.8;

/// What is left of a weight after so many steps, in (0, 1].
pub fn closeness(steps: usize, options: &Options) -> f64 {
    let further = i32::try_from(steps.saturating_sub(1)).unwrap_or(i32::MAX);
    match options.has(Step::Distance) {
        true => EACH_STEP.powi(further),
        false => 1.0,
    }
}

/// Those of a suspect's violations that its score is made of: of each place the first, or in the paper's way all.
pub fn counting(violations: &[Violation], suspect: &Suspect, options: &Options) -> Vec<usize> {
    match options.has(Step::Weights) {
        true => {
            let mut is_first = firsts_of_places(violations);
            let all = suspect.violations.iter().copied();
            all.filter(|v| is_first(*v)).collect()
        }
        false => suspect.violations.clone(),
    }
}
