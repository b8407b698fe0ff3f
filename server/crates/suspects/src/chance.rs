//! How likely it is that a constraint holds by chance.
//!
//! Thousands of relations are tried at the methods of a class, and some hold in any dozen of calls. The calls of one test are
//! no independent witnesses (a loop counts up, a helper always makes the same object); tests are.

use crate::sort::{Domain, Sort, Tallies, Tally};
use invariants::{Constraint, Family, Rule, order::Relation};
use std::collections::BTreeMap;

/// How many constraints about where samples happened to end mean nothing, for one that does, however many saw it hold.
const ENDED: f64 = 9.0;

/// What chance has to do with a constraint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Luck {
    pub(crate) sort: Sort,
    /// How many of the calls in which it held say something for themselves.
    pub(crate) witnesses: usize,
    /// In how many of these its first value was true, if it speaks of truth values alone.
    pub(crate) truths: Option<usize>,
}

impl Luck {
    /// The probability that a constraint that is chance holds in one more test; none where samples only happened to end.
    fn in_one_more(self, constraint: &Constraint) -> Option<f64> {
        match &constraint.rule {
            _ if self.sort.of == Domain::Ended => return None,
            Rule::Bound(..) | Rule::ElementsBound(..) => return Some(0.5),
            // As the rule of succession has it: the more values were seen, the sooner comes another.
            Rule::OneOf(all) | Rule::ElementsOneOf(all) => {
                #[allow(clippy::cast_precision_loss)]
                let values = all.len() as f64;
                return Some(values / (values + 1.0));
            }
            // Two values are hardly ever the same, and 0 is a multiple of all.
            Rule::Compare(Relation::NotEqual)
            | Rule::Divides { .. }
            | Rule::PairwiseDivides { .. } => return Some(0.9),
            _ => {}
        }
        Some(match (constraint.family, self.truths) {
            (_, Some(truths)) => self.by_marginals(truths),
            (Family::Equal | Family::Linear | Family::Plane | Family::PairwiseLinear, _) => 0.1,
            // Few numbers are 0, some references are null.
            (Family::NonZero | Family::ElementsNonZero, _) => 0.8,
            _ => 0.5,
        })
    }

    /// How often two truth values are the same that have nothing to do with each other and are each as often true as these were
    /// (what Cohen's kappa leaves out): that two flags are the same which hardly any test sets says nothing.
    fn by_marginals(self, truths: usize) -> f64 {
        #[allow(clippy::cast_precision_loss)]
        let share = (truths as f64 + 1.0) / (self.witnesses as f64 + 2.0);
        share.powi(2) + (1.0 - share).powi(2)
    }

    /// How many of so many constraints like one hold by chance before as many witnesses; all that are about where samples
    /// happened to end.
    pub(crate) fn by_chance(self, constraint: &Constraint, witnesses: usize, tried: u64) -> f64 {
        #[allow(clippy::cast_precision_loss)]
        let tried = tried.max(1) as f64;
        let witnesses = i32::try_from(witnesses).unwrap_or(i32::MAX);
        let each = self.in_one_more(constraint);
        each.map_or(ENDED, |each| each.powi(witnesses)) * tried
    }

    /// How credible a constraint is, in (0, 1): of so many that were tried at its point, of which one is taken to be meant.
    pub(crate) fn credible(self, constraint: &Constraint, tried: u64) -> f64 {
        1.0 / (1.0 + self.by_chance(constraint, self.witnesses, tried))
    }
}

/// How many right tests break a constraint, for one that breaks it because the code is wrong: of a thousand assertions that tools
/// write for code with a bug, about five freeze the bug.
const WRONG: f64 = 0.005;

/// How often right tests break what others teach, by sort: measured on the tests of the class itself as far as they tell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chances {
    by: BTreeMap<Sort, Hazard>,
}

/// After `w` witnesses the next test breaks a constraint with a probability of `scale / (offset + w)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hazard {
    scale: f64,
    offset: f64,
}

impl Hazard {
    /// What is taken to be so of constraints that mean something as a rule: that two values are the same, that something is
    /// there. Of 4,700 observations on three projects one in 120 broke one (`docs/evaluation-suspects.md`).
    const STEADY: Hazard = Hazard {
        scale: 0.05,
        offset: 2.0,
    };

    /// The same of all others: where samples lie, and how numbers are ordered. Of 2,800 observations one in six broke one.
    const LOOSE: Hazard = Hazard {
        scale: 1.0,
        offset: 3.0,
    };

    /// How many observations these weigh at 2, 4, 8 and 16 witnesses each.
    const WEIGHT: f64 = 2.0;

    fn usual(sort: Sort) -> Hazard {
        let is_steady = match sort.family {
            Family::Equal | Family::NonZero | Family::ElementsNonZero => true,
            Family::OneOf | Family::ElementsOneOf | Family::Member => {
                matches!(sort.of, Domain::Reference | Domain::Text)
            }
            _ => false,
        };
        if is_steady {
            Hazard::STEADY
        } else {
            Hazard::LOOSE
        }
    }

    fn after(self, witnesses: usize) -> f64 {
        #[allow(clippy::cast_precision_loss)]
        let witnesses = witnesses as f64;
        (self.scale / (self.offset + witnesses)).clamp(1e-6, 1.0 - 1e-6)
    }

    /// The most likely one of a grid, after what was seen.
    fn fit(usual: Hazard, seen: &[(usize, Tally)]) -> Hazard {
        let before = [2, 4, 8, 16].map(|w| {
            let broken = usual.after(w) * Hazard::WEIGHT;
            (
                w,
                Tally {
                    asked: Hazard::WEIGHT,
                    broken,
                },
            )
        });
        let likelihood = |hazard: &Hazard| -> f64 {
            let all = before.iter().chain(seen);
            all.map(|(w, tally)| {
                let p = hazard.after(*w);
                tally.broken * p.ln() + (tally.asked - tally.broken) * (1.0 - p).ln()
            })
            .sum()
        };
        let steps = |from: f64, to: f64| {
            let ratio = (to / from).powf(1.0 / 24.0);
            (0..=24).map(move |i| from * ratio.powi(i))
        };
        let grid = steps(0.005, 5.0).flat_map(|scale| {
            // A probability at no witnesses, too.
            steps(0.01, 100.0).map(move |more| Hazard {
                scale,
                offset: scale + more,
            })
        });
        let best = grid.max_by(|a, b| likelihood(a).total_cmp(&likelihood(b)));
        best.unwrap_or(usual)
    }
}

impl Chances {
    pub(crate) fn of(tallies: &Tallies) -> Chances {
        let mut seen: BTreeMap<Sort, Vec<(usize, Tally)>> = BTreeMap::new();
        for ((sort, witnesses), tally) in tallies {
            seen.entry(*sort).or_default().push((*witnesses, *tally));
        }
        let by = seen
            .iter()
            .map(|(sort, all)| (*sort, Hazard::fit(Hazard::usual(*sort), all)));
        Chances { by: by.collect() }
    }

    /// How probable it is that a right test breaks a constraint of this sort that held before so many witnesses.
    pub(crate) fn hazard(&self, sort: Sort, witnesses: usize) -> f64 {
        let fitted = self.by.get(&sort).copied();
        let hazard = fitted.unwrap_or_else(|| Hazard::usual(sort));
        hazard.after(witnesses)
    }
}

/// How credible it is, in (0, 1), that a test breaks a constraint because the code is wrong, if a right one does so with this
/// probability.
pub(crate) fn credibility(hazard: f64) -> f64 {
    1.0 / (1.0 + hazard / WRONG)
}

#[cfg(test)]
mod tests {
    use super::{Hazard, Luck};
    use crate::sort::{Domain, Sort, Tally};
    use invariants::order::Relation;
    use invariants::{Constraint, Family, Rule};

    #[test]
    fn a_hazard_follows_what_was_seen() {
        let seen = |w: usize, asked: f64, broken: f64| (w, Tally { asked, broken });
        let fit = |all: &[(usize, Tally)]| Hazard::fit(Hazard::LOOSE, all);
        // Of much the share is kept, of little what is usual.
        let often = fit(&[seen(4, 200.0, 60.0)]);
        assert!((often.after(4) - 0.3).abs() < 0.05, "{often:?}");
        assert!(fit(&[seen(4, 200.0, 0.0)]).after(4) < 0.01);
        let little = fit(&[seen(4, 1.0, 0.0)]).after(4);
        assert!((little - Hazard::LOOSE.after(4)).abs() < 0.07, "{little}");
        // More witnesses, less hazard; and never certain.
        for of in [often, little_known()] {
            let all: Vec<f64> = (0..50).map(|w| of.after(w)).collect();
            assert!(all.windows(2).all(|w| w[1] <= w[0]));
            assert!(all.iter().all(|p| 0.0 < *p && *p < 1.0));
        }
    }

    fn little_known() -> Hazard {
        Hazard::fit(Hazard::STEADY, &[])
    }

    /// `return == alike(this, other)`
    fn agrees(witnesses: usize, truths: usize) -> f64 {
        let constraint = Constraint {
            family: Family::Compare,
            rule: Rule::Compare(Relation::Equal),
            sources: std::iter::empty().collect(),
            terms: [0, 1].into_iter().collect(),
            text: String::new(),
            confidence: 1.0,
            samples: witnesses as u64,
        };
        let luck = Luck {
            sort: Sort {
                family: Family::Equal,
                of: Domain::Truth,
            },
            witnesses,
            truths: Some(truths),
        };
        luck.credible(&constraint, 100)
    }

    #[test]
    fn that_two_flags_agree_which_hardly_any_test_sets_says_little() {
        assert!(agrees(28, 14) > 0.99, "{}", agrees(28, 14));
        assert!(agrees(28, 1) < 0.4, "{}", agrees(28, 1));
        assert!((agrees(28, 1) - agrees(28, 27)).abs() < 1e-12);
        // Never less by chance than of flags that are set as often as not.
        for truths in 0..=9 {
            assert!(agrees(9, truths) <= 1.0 / (1.0 + 100.0 * 0.5f64.powi(9)) + 1e-12);
        }
    }
}
