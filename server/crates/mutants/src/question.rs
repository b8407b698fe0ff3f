//! Questions to a matrix: of the mutants that a test runs and does not kill, how many would it have noticed by the first
//! values of a list?

use crate::{Fate, Matrix};
use std::collections::{BTreeMap, BTreeSet};

/// A mutant that a test runs and does not kill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed {
    /// The mutant's place in the matrix.
    pub mutant: usize,
    /// The test.
    pub test: u32,
    /// The slots that tell.
    pub told: BTreeSet<u32>,
}

/// All of them, by test. Mutants at which a JVM ended are left out: what the tests behind that would have made of them
/// is not known.
pub fn missed(matrix: &Matrix) -> BTreeMap<u32, Vec<Missed>> {
    let mut out: BTreeMap<u32, Vec<Missed>> = BTreeMap::new();
    for (mutant, cells) in matrix.pairs.iter().enumerate() {
        if matches!(
            matrix.fates[mutant],
            Fate::TimedOut | Fate::Memory | Fate::Ended
        ) {
            continue;
        }
        for cell in cells.iter().filter(|c| !c.killed) {
            out.entry(cell.test).or_default().push(Missed {
                mutant,
                test: cell.test,
                told: cell.told.iter().copied().collect(),
            });
        }
    }
    out
}

/// How many were told, of how many, in one test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Told.
    pub told: usize,
    /// Of these.
    pub of: usize,
}

/// How many of a test's missed mutants the first `k` values of a list tell. A value without a slot tells nothing.
pub fn first(missed: &[Missed], list: &[Option<u32>], k: usize) -> Share {
    let slots: Vec<u32> = list.iter().take(k).flatten().copied().collect();
    Share {
        told: missed
            .iter()
            .filter(|m| slots.iter().any(|s| m.told.contains(s)))
            .count(),
        of: missed.len(),
    }
}

/// The expected number for a random order of the same values: for each mutant the chance that none of the `k` that are
/// drawn tells it.
pub fn random(missed: &[Missed], list: &[Option<u32>], k: usize) -> f64 {
    let all = list.len();
    let mut sum = 0.0;
    for one in missed {
        let good = list.iter().flatten().filter(|s| one.told.contains(s));
        let good = good.count();
        let mut none = 1.0;
        for drawn in 0..k.min(all) {
            none *= (all - drawn).saturating_sub(good) as f64 / (all - drawn) as f64;
        }
        sum += 1.0 - none;
    }
    sum
}

/// The order of these values in which each tells most of what those before it do not (ties as they come): what no list of
/// them can beat at its first place.
pub fn greedy(missed: &[Missed], from: &[u32]) -> Vec<Option<u32>> {
    let mut left: Vec<&Missed> = missed.iter().collect();
    let mut rest: Vec<u32> = from.to_vec();
    let mut out = Vec::new();
    while !rest.is_empty() {
        let count = |slot: &u32| left.iter().filter(|m| m.told.contains(slot)).count();
        let mut best = (0, 0);
        for (at, slot) in rest.iter().enumerate() {
            let own = count(slot);
            if own > best.1 {
                best = (at, own);
            }
        }
        if best.1 == 0 {
            break;
        }
        let slot = rest.remove(best.0);
        left.retain(|m| !m.told.contains(&slot));
        out.push(Some(slot));
    }
    out
}

/// A share with its interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The share.
    pub share: f64,
    /// From.
    pub low: f64,
    /// To.
    pub high: f64,
}

/// How often a cluster is drawn.
const DRAWS: usize = 2000;

/// The share over clusters, each with how many were told (or are expected to be) and of how many: the clusters are drawn
/// anew 2,000 times, with a seed of its own, and 95 of 100 shares lie within.
pub fn interval(clusters: &[(f64, f64)]) -> Interval {
    let share = |all: &mut dyn Iterator<Item = &(f64, f64)>| {
        let (told, of) = all.fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        if of > 0.0 { told / of } else { 0.0 }
    };
    let mut state = 20_261_123u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let mut drawn: Vec<f64> = (0..if clusters.is_empty() { 0 } else { DRAWS })
        .map(|_| {
            let mut all = (0..clusters.len()).map(|_| &clusters[next() % clusters.len()]);
            share(&mut all)
        })
        .collect();
    drawn.sort_by(f64::total_cmp);
    let at = |part: f64| drawn.get((part * drawn.len() as f64) as usize).copied();
    Interval {
        share: share(&mut clusters.iter()),
        low: at(0.025).unwrap_or(0.0),
        high: at(0.975).unwrap_or(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::tests::matrix;

    fn example() -> Vec<Missed> {
        let own = matrix(
            &[
                &[(0, false, &[1]), (1, true, &[])],
                &[(0, false, &[1, 2])],
                &[(0, false, &[3])],
                &[(0, false, &[])],
                &[(1, false, &[9])],
            ],
            2,
        );
        let all = missed(&own);
        assert_eq!(all[&1].len(), 1);
        all[&0].clone()
    }

    #[test]
    fn the_first_of_a_list_tell() {
        let missed = example();
        let list = [Some(2), None, Some(1), Some(3)];
        let told: Vec<usize> = (0..5).map(|k| first(&missed, &list, k).told).collect();
        assert_eq!(told, [0, 1, 1, 2, 3]);
        assert_eq!(first(&missed, &list, 1).of, 4);
        assert_eq!(greedy(&missed, &[2, 3, 1]), [Some(1), Some(3)]);
    }

    #[test]
    fn a_random_order_is_the_mean_of_all_orders() {
        let missed = example();
        let list = [Some(1), Some(2), Some(3)];
        let orders = [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
        ];
        for k in 0..4 {
            let told = |order: &[usize; 3]| {
                let own: Vec<Option<u32>> = order.iter().map(|i| list[*i]).collect();
                first(&missed, &own, k).told
            };
            let mean = orders.iter().map(told).sum::<usize>() as f64 / 6.0;
            assert!((random(&missed, &list, k) - mean).abs() < 1e-9, "{k}");
        }
    }

    #[test]
    fn an_interval_holds_its_share_and_narrows() {
        let few: Vec<(f64, f64)> = (0..10).map(|i| (f64::from(i % 2), 1.0)).collect();
        let many: Vec<(f64, f64)> = (0..1000).map(|i| (f64::from(i % 2), 1.0)).collect();
        let (few, many) = (interval(&few), interval(&many));
        assert_eq!((few.share, many.share), (0.5, 0.5));
        assert!(few.low < 0.5 && few.high > 0.5);
        assert!(many.high - many.low < 0.07 && few.high - few.low > 0.4);
    }
}
