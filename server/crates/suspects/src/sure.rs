//! Which violations are told without being asked for: those that are hardly chance.
//!
//! A ranking may hold anything that is worth a look. A warning is read by somebody who did not ask, so of each hundred
//! most must be right. Thousands of relations are tried at the methods of a class, and some hold in any dozen of calls.
//! The calls of one test are no independent witnesses (a loop counts up, a helper always makes the same object); tests are.

use crate::examine::{Examined, Moment, Violation};
use invariants::{Family, Rule};

/// How probable it may be that any one of the constraints of a class is chance.
const CHANCE: f64 = 0.01;

/// In which part of the calls of generated tests a constraint may be broken: what many break is no exception.
const SHARE: f64 = 0.1;

/// Bounds that mean something: no sign, at least one, …
const NATURAL: &[f64] = &[-1.0, 0.0, 1.0, 2.0];

/// The probability that a constraint that is chance holds in one more test; none for those that a few values always keep.
fn by_chance(family: Family, rule: &Rule) -> Option<f64> {
    match rule {
        // A bound that nobody would name is where the samples happened to end.
        Rule::Bound(_, bound) | Rule::ElementsBound(_, bound) => {
            let is_natural = bound.number().is_some_and(|b| NATURAL.contains(&b));
            return is_natural.then_some(0.5);
        }
        _ => {}
    }
    match family {
        Family::Equal | Family::Linear | Family::Plane => Some(0.1),
        Family::NonZero | Family::ElementsNonZero => Some(2.0 / 3.0),
        Family::Compare | Family::ElementsCompare | Family::Pairwise | Family::Sorted => Some(0.5),
        _ => None,
    }
}

/// True if a violation is worth a warning: what a call gave contradicts what was hardly chance.
pub(crate) fn is_sure(violation: &Violation, examined: &Examined) -> bool {
    let broken = &violation.broken;
    let Some(each) = by_chance(broken.constraint.family, &broken.constraint.rule) else {
        return false;
    };
    let tests = i32::try_from(broken.taught_by.len()).unwrap_or(i32::MAX);
    #[allow(clippy::cast_precision_loss)]
    let any = each.powi(tests) * examined.tried as f64;
    any <= CHANCE
        && violation.is_kept
        && broken.moment == Moment::Exit
        && f64::from(violation.times) <= (SHARE * f64::from(violation.judged)).max(1.0)
}
