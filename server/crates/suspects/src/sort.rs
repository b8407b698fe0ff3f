//! Sorts of constraints that chance makes in the same way, and what is counted of each.

use invariants::order::Relation;
use invariants::{Constraint, Family, Kind, Rule, Value};
use std::collections::BTreeMap;

/// Bounds that mean something: no sign, at least one, …
const NATURAL: &[f64] = &[-1.0, 0.0, 1.0, 2.0];

/// Constraints that chance makes in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sort {
    /// What they say.
    pub family: Family,
    /// What they say it of.
    pub of: Domain,
}

/// What constraints speak of, as far as chance cares; the least various first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Domain {
    /// Truth values, of which there are two.
    Truth,
    /// References.
    Reference,
    /// Whole numbers, and sizes.
    Whole,
    /// Texts.
    Text,
    /// Numbers with fractions.
    Fraction,
    /// Numbers, of which it says that they are not the same, or that one is a multiple of the other.
    Apart,
    /// A number that nobody would name, texts in the order of a dictionary, or that are not the same: where the samples ended.
    Ended,
}

impl From<Kind> for Domain {
    fn from(kind: Kind) -> Domain {
        match kind {
            Kind::Boolean => Domain::Truth,
            Kind::Int => Domain::Whole,
            Kind::Reference => Domain::Reference,
            Kind::Double => Domain::Fraction,
            Kind::Text => Domain::Text,
        }
    }
}

impl Sort {
    /// The sort of a constraint whose terms are of these kinds.
    pub(crate) fn of(constraint: &Constraint, kinds: impl Iterator<Item = Kind> + Clone) -> Sort {
        let is_text = kinds.clone().any(|kind| kind == Kind::Text);
        let of = match &constraint.rule {
            rule if is_where_samples_ended(rule) => Domain::Ended,
            // What stands before what in a dictionary is no more than where the samples lay, and that two texts are not the same
            // is what any two are.
            Rule::Compare(r) | Rule::ElementsCompare(r) | Rule::Pairwise(r) | Rule::Lexical(r)
                if is_text && (r.is_order() || *r == Relation::NotEqual) =>
            {
                Domain::Ended
            }
            Rule::Compare(Relation::NotEqual)
            | Rule::Divides { .. }
            | Rule::PairwiseDivides { .. } => Domain::Apart,
            // Of several the most various.
            _ => kinds.map(Domain::from).max().unwrap_or(Domain::Whole),
        };
        let family = match constraint.rule {
            Rule::Compare(Relation::Equal) => Family::Equal,
            _ => constraint.family,
        };
        Sort { family, of }
    }
}

/// What left-out tests did of a sort of constraints with so many witnesses. What one test does at one point is one observation,
/// of however many constraints it was asked: they are not independent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Observations.
    pub asked: f64,
    /// Of these, the share that broke a constraint.
    pub broken: f64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Tally) {
        self.asked += other.asked;
        self.broken += other.broken;
    }
}

/// By sort and number of witnesses.
pub type Tallies = BTreeMap<(Sort, usize), Tally>;

/// True for a constraint about where the samples happened to end: a bound that nobody would name, or floating-point numbers that were
/// seen, which are no set that somebody had in mind unless all of them are such bounds.
fn is_where_samples_ended(rule: &Rule) -> bool {
    // `0.15899719167999918`, `14.0`
    let is_any = |v: &Value| matches!(v, Value::Double(v) if v.is_finite() && !NATURAL.contains(v));
    match rule {
        Rule::Bound(_, bound) | Rule::ElementsBound(_, bound) => {
            !bound.number().is_some_and(|b| NATURAL.contains(&b))
        }
        Rule::OneOf(all) | Rule::ElementsOneOf(all) => all.iter().any(is_any),
        _ => false,
    }
}
