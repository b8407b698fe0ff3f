//! How likely it is that a constraint holds by chance, and which violations are told without being asked for.
//!
//! Thousands of relations are tried at the methods of a class, and some hold in any dozen of calls. The calls of one test are
//! no independent witnesses (a loop counts up, a helper always makes the same object); tests are.

use crate::examine::{Examined, Moment, Violation};
use invariants::{Constraint, Family, Rule, Value, order::Relation};

/// How probable it may be that any one of the constraints of a class is chance, where it is told unasked.
const CHANCE: f64 = 0.01;

/// In which part of the calls of generated tests a constraint may be broken that is told unasked: what many break is no exception.
const SHARE: f64 = 0.1;

/// Bounds that mean something: no sign, at least one, …
const NATURAL: &[f64] = &[-1.0, 0.0, 1.0, 2.0];

/// How many constraints about where samples happened to end mean nothing, for one that does, however many saw it hold.
const ENDED: f64 = 9.0;

/// True for a number that is not whole: `0.15899719167999918`.
fn is_fraction(value: &Value) -> bool {
    matches!(value, Value::Double(v) if v.fract() != 0.0 && v.is_finite())
}

/// The probability that a constraint that is chance holds in one more test; none where samples only happened to end.
fn in_one_more(constraint: &Constraint, is_of_truth: bool) -> Option<f64> {
    match &constraint.rule {
        // A bound that nobody would name is where the samples happened to end.
        Rule::Bound(_, bound) | Rule::ElementsBound(_, bound) => {
            let is_natural = bound.number().is_some_and(|b| NATURAL.contains(&b));
            return is_natural.then_some(0.5);
        }
        // Of fractions, those that were seen are no set that somebody had in mind.
        Rule::OneOf(all) | Rule::ElementsOneOf(all) if all.iter().any(is_fraction) => return None,
        // As the rule of succession has it: the more values were seen, the sooner comes another.
        Rule::OneOf(all) | Rule::ElementsOneOf(all) => {
            #[allow(clippy::cast_precision_loss)]
            let values = all.len() as f64;
            return Some(values / (values + 1.0));
        }
        // Two values are hardly ever the same, and 0 is a multiple of all.
        Rule::Compare(Relation::NotEqual) | Rule::Divides { .. } | Rule::PairwiseDivides { .. } => {
            return Some(0.9);
        }
        _ => {}
    }
    Some(match constraint.family {
        // There are two of them.
        _ if is_of_truth => 0.5,
        Family::Equal | Family::Linear | Family::Plane | Family::PairwiseLinear => 0.1,
        // Few numbers are 0, some references are null.
        Family::NonZero | Family::ElementsNonZero => 0.8,
        _ => 0.5,
    })
}

/// How many of so many constraints, which are of truth values or not, hold by chance before so many witnesses; all that are about
/// where samples happened to end.
fn by_chance(constraint: &Constraint, is_of_truth: bool, witnesses: usize, tried: u64) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    let tried = tried.max(1) as f64;
    let witnesses = i32::try_from(witnesses).unwrap_or(i32::MAX);
    in_one_more(constraint, is_of_truth).map_or(ENDED, |each| each.powi(witnesses)) * tried
}

/// How credible a constraint is that held before so many witnesses, in (0, 1): of so many that were tried at its point, of which
/// one is taken to be meant.
pub(crate) fn credible(
    constraint: &Constraint,
    is_of_truth: bool,
    witnesses: usize,
    tried: u64,
) -> f64 {
    1.0 / (1.0 + by_chance(constraint, is_of_truth, witnesses, tried))
}

/// True if a violation is worth a warning: what a call gave contradicts what was hardly chance.
pub(crate) fn is_sure(violation: &Violation, examined: &Examined) -> bool {
    let broken = &violation.broken;
    let is_named = matches!(
        broken.constraint.family,
        Family::Equal
            | Family::Linear
            | Family::Plane
            | Family::NonZero
            | Family::ElementsNonZero
            | Family::Compare
            | Family::ElementsCompare
            | Family::Pairwise
            | Family::Sorted
            | Family::LowerBound
            | Family::UpperBound
            | Family::ElementsLowerBound
            | Family::ElementsUpperBound
    );
    let witnesses = broken.witnesses.min(broken.taught_by.len());
    let any = by_chance(
        &broken.constraint,
        broken.is_of_truth(),
        witnesses,
        examined.tried,
    );
    is_named
        && any <= CHANCE
        && violation.is_kept
        // Overloads may mean something else after all.
        && broken.overload.is_none()
        && broken.moment == Moment::Exit
        && f64::from(violation.times) <= (SHARE * f64::from(violation.judged)).max(1.0)
}
