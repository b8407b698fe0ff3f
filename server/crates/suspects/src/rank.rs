//! From violations that reach assertions to a ranking of the assertions.

use crate::breach::Brief;
use crate::options::{Options, Step};
use crate::together::{Examined, Violation, Weights};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;

/// A violation reaches an assertion of its test: both are positions among those of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reached {
    /// The assertion.
    pub assertion: u32,
    /// The violation, in [`crate::Broken::violations`].
    pub violation: u32,
    /// How many steps its value goes to there; one where the assertion reads it itself.
    pub steps: u32,
}

/// What reaches the assertions of a test.
#[derive(Clone, Copy, Debug)]
pub struct InTest<'r> {
    /// The test, in the list of generated ones.
    pub test: usize,
    /// Where its assertions begin among all.
    pub first: usize,
    /// In order. Of several ways from a violation to an assertion the shortest counts.
    pub reached: &'r [Reached],
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
    /// What reaches it, in order; [`by_weight`] has what weighs most first.
    pub violations: Vec<usize>,
}

impl Suspect {
    /// From which score on a mark is read by somebody who did not ask.
    const WORTH: f64 = 0.4;
    /// How much of it must be left if constraints are as credible as left-out tests say.
    const WORTH_BY_LEFT_OUT: f64 = 0.2;

    /// The same of what is hardly chance, if it scores so much: of a class with few tests left-out tests cannot say more.
    const WORTH_IF_SURE: (f64, f64) = (0.8, 0.1);

    /// True if it is worth the look of somebody who did not ask; `is_sure`: some of what reaches it is hardly chance.
    pub fn is_worth_a_look(&self, is_sure: bool) -> bool {
        self.score >= Self::WORTH && self.by_left_out >= self.least_by_left_out(is_sure)
    }

    /// How much of it must be left as left-out tests have it, for a mark.
    pub fn least_by_left_out(&self, is_sure: bool) -> f64 {
        let (score, least) = Self::WORTH_IF_SURE;
        match is_sure && self.score >= score {
            true => least,
            false => Self::WORTH_BY_LEFT_OUT,
        }
    }
}

/// Ranks the assertions that violations reach, the most suspicious first. Violations that the filter took out count for nothing.
///
/// Two orders are fused: by the score, and by the paper's sum of uniqueness, which often see different faults first. By the sum of
/// reciprocal ranks (Cormack, Clarke and Buettcher, SIGIR 2009, with 0 for their constant) what is first in either is among the
/// first two or three.
pub fn rank(examined: &Examined, reached: &[InTest<'_>], options: &Options) -> Vec<Suspect> {
    let has_weights = options.has(Step::Weights);
    let weigher = Weigher::new(examined, Weights::of_all(examined, options), options);
    let one = |firsts: &mut Firsts, (own, of): (&InTest<'_>, &[Reached])| {
        let from = examined.of_test(own.test).start;
        let mut violations = Vec::with_capacity(of.len());
        let mut unique = 0.0;
        firsts.clear();
        for weighed in weigher.kept(own.test, of.iter().copied()) {
            violations.push(from + weighed.violation as usize);
            unique += weighed.unique;
            firsts.see(weighed);
        }
        if violations.is_empty() {
            return None;
        }
        let firsts = firsts.in_order();
        let score = match has_weights {
            true => noisy_or(firsts.iter().map(|w| w.weight)),
            false => unique,
        };
        let suspect = Suspect {
            assertion: own.first + of[0].assertion as usize,
            score,
            // It is what is left of the score.
            by_left_out: noisy_or(firsts.iter().map(|w| w.by_left_out)).min(score),
            rank: 0.0,
            by_score: 0.0,
            by_uniqueness: 0.0,
            violations,
        };
        Some((suspect, unique))
    };
    let of_test = |own: &InTest<'_>| {
        debug_assert!(own.reached.is_sorted(), "the shortest way first");
        let mut firsts = Firsts::default();
        let all = own.reached.chunk_by(|a, b| a.assertion == b.assertion);
        all.filter_map(|of| one(&mut firsts, (own, of)))
            .collect::<Vec<_>>()
    };
    let all: Vec<_> = reached.par_iter().map(of_test).collect();
    let mut all: Vec<(Suspect, f64)> = all.into_iter().flatten().collect();
    all.sort_by_key(|(suspect, _)| suspect.assertion);
    let (mut out, unique): (Vec<Suspect>, Vec<f64>) = all.into_iter().unzip();
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
#[derive(Clone, Copy)]
struct Weighed {
    /// Its position in its test.
    violation: u32,
    /// From where in the test it comes.
    place: u32,
    weight: f64,
    by_left_out: f64,
    unique: f64,
    /// Of equals first what a call gave, and what says it with the fewest values.
    plain: (bool, usize, u32),
}

impl Weighed {
    /// What weighs most first.
    fn order(&self, other: &Weighed) -> Ordering {
        let order = other.weight.total_cmp(&self.weight);
        order.then_with(|| self.plain.cmp(&other.plain))
    }
}

/// One strange value breaks much, also in the calls within a call: of each place what weighs most, and the most that left-out
/// tests leave of any.
#[derive(Default)]
struct Firsts {
    /// By place, where it stands in the list.
    at: FxHashMap<u32, usize>,
    all: Vec<Weighed>,
}

impl Firsts {
    /// For another assertion.
    fn clear(&mut self) {
        self.at.clear();
        self.all.clear();
    }

    /// Before they are put in order.
    fn see(&mut self, own: Weighed) {
        let next = self.all.len();
        let at = *self.at.entry(own.place).or_insert(next);
        match self.all.get_mut(at) {
            None => self.all.push(own),
            Some(first) => {
                // Further evidence takes nothing away: what left-out tests leave most of need not be what weighs most.
                let by_left_out = first.by_left_out.max(own.by_left_out);
                if own.order(first).is_lt() {
                    *first = own;
                }
                first.by_left_out = by_left_out;
            }
        }
    }

    /// What weighs most first.
    fn in_order(&mut self) -> &[Weighed] {
        self.all.sort_unstable_by(Weighed::order);
        &self.all
    }
}

/// Says what violations weigh at assertions.
struct Weigher<'e> {
    examined: &'e Examined,
    weights: Weights<'e>,
    has_weights: bool,
    has_distance: bool,
}

impl<'e> Weigher<'e> {
    fn new(examined: &'e Examined, weights: Weights<'e>, options: &Options) -> Weigher<'e> {
        Weigher {
            examined,
            weights,
            has_weights: options.has(Step::Weights),
            has_distance: options.has(Step::Distance),
        }
    }

    /// What reaches an assertion of a test and is kept, with what it weighs there; of each violation the shortest way alone.
    fn kept(
        &self,
        test: usize,
        reached: impl Iterator<Item = Reached>,
    ) -> impl Iterator<Item = Weighed> {
        let briefs = self.examined.briefs(test);
        let mut last = None;
        reached.filter_map(move |r| {
            if last.replace(r.violation) == Some(r.violation) {
                return None;
            }
            let brief = briefs.get(r.violation as usize)?;
            brief.is_kept.then(|| self.weighed(brief, r))
        })
    }

    fn weighed(&self, brief: &Brief, reached: Reached) -> Weighed {
        let own = self.weights.of(brief);
        let closeness = match self.has_distance {
            true => left_after(reached.steps as usize),
            false => 1.0,
        };
        let unique = own.unique * closeness;
        let (is_entry, terms) = own.plain;
        Weighed {
            violation: reached.violation,
            place: brief.place,
            weight: match self.has_weights {
                true => own.weight * closeness,
                false => unique,
            },
            by_left_out: own.by_left_out * closeness,
            unique,
            plain: (is_entry, terms, reached.violation),
        }
    }
}

/// How probable it is that any of what has such probabilities means something.
fn noisy_or(all: impl Iterator<Item = f64>) -> f64 {
    1.0 - all.map(|each| 1.0 - each).product::<f64>()
}

/// How much a violation weighs in a ranking that was made so, whose value goes so many steps to the assertion.
pub fn weight(violation: Violation<'_>, steps: usize, options: &Options) -> f64 {
    let own = match options.has(Step::Weights) {
        true => violation.factors(options).product(),
        false => violation.uniqueness(),
    };
    own * closeness(steps, options)
}

/// What is left of a weight at each further step.
const EACH_STEP: f64 = 0.8;

/// What is left of a weight after so many steps, in (0, 1].
pub fn closeness(steps: usize, options: &Options) -> f64 {
    match options.has(Step::Distance) {
        true => left_after(steps),
        false => 1.0,
    }
}

fn left_after(steps: usize) -> f64 {
    let further = i32::try_from(steps.saturating_sub(1)).unwrap_or(i32::MAX);
    EACH_STEP.powi(further)
}

/// What reaches a suspect, that which weighs most first; `steps` says how many steps the value of each goes to there.
pub fn by_weight(
    examined: &Examined,
    suspect: &Suspect,
    steps: impl Fn(usize) -> usize,
    options: &Options,
) -> Vec<usize> {
    let Some(test) = suspect
        .violations
        .first()
        .and_then(|v| examined.test_of(*v))
    else {
        return Vec::new();
    };
    let from = examined.of_test(test).start;
    let reached = suspect.violations.iter().map(|v| Reached {
        assertion: 0,
        violation: (v - from) as u32,
        steps: u32::try_from(steps(*v)).unwrap_or(u32::MAX),
    });
    let weigher = Weigher::new(examined, Weights::of_few(examined, options), options);
    let mut own: Vec<Weighed> = weigher.kept(test, reached).collect();
    own.sort_unstable_by(Weighed::order);
    own.into_iter()
        .map(|w| from + w.violation as usize)
        .collect()
}

/// Those of what reaches a suspect, as [`by_weight`] has it, that its score is made of: of each place the first, or in the paper's
/// way all.
pub fn counting(examined: &Examined, by_weight: &[usize], options: &Options) -> Vec<usize> {
    let mut seen = FxHashSet::default();
    let mut is_first = |at: &usize| {
        let own = examined.violation(*at);
        own.is_some_and(|v| seen.insert((v.test, v.from)))
    };
    let all = by_weight.iter().copied();
    match options.has(Step::Weights) {
        true => all.filter(|v| is_first(v)).collect(),
        false => all.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hardly_chance_passes_at_half_the_bar() {
        let suspect = |score, by_left_out| Suspect {
            assertion: 0,
            score,
            by_left_out,
            rank: 1.0,
            by_score: 1.0,
            by_uniqueness: 1.0,
            violations: Vec::new(),
        };
        for (score, by_left_out, plain, sure) in [
            (0.9, 0.25, true, true),
            (0.9, 0.15, false, true),
            (0.9, 0.05, false, false),
            // It has to weigh, too.
            (0.7, 0.15, false, false),
            (0.5, 0.25, true, true),
            (0.3, 0.25, false, false),
        ] {
            let of = suspect(score, by_left_out);
            let both = (of.is_worth_a_look(false), of.is_worth_a_look(true));
            assert_eq!(both, (plain, sure), "{score} {by_left_out}");
        }
    }
}
