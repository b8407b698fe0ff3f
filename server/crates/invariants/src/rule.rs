//! What a constraint says, without the variables: it can be written, and asked about values.

use crate::confidence::nearly;
use crate::order::{self, Relation, Seen};
use crate::value::{Kind, Value};
use crate::whole;

/// What a constraint says of its one, two or three terms.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// The value is one of these, in order.
    OneOf(Vec<Value>),
    /// Each element is one of these, in order.
    ElementsOneOf(Vec<Value>),
    /// The value is not 0 and not null.
    NonZero,
    /// No element is 0 or null.
    ElementsNonZero,
    /// The value stands in the relation to the number.
    Bound(Relation, Value),
    /// Each element stands in the relation to the number.
    ElementsBound(Relation, Value),
    /// 1, 2, 4, 8, …
    PowerOfTwo,
    /// Each element stands in the relation to the one behind it.
    Sorted(Relation),
    /// The first stands in the relation to the second.
    Compare(Relation),
    /// `a * x + b * y + c == 0`.
    Linear(Vec<f64>),
    /// The first is a multiple of the second; the other way round if swapped.
    Divides { swapped: bool },
    /// The first is the square of the second; the other way round if swapped.
    Square { swapped: bool },
    /// Each element of the first stands in the relation to the second.
    ElementsCompare(Relation),
    /// The second is an element of the first.
    Member,
    /// Elements at equal places stand in the relation, and the lengths are equal.
    Pairwise(Relation),
    /// The sequences stand in the relation, as words in a dictionary do.
    Lexical(Relation),
    /// Elements at equal places are on a line.
    PairwiseLinear(Vec<f64>),
    /// Elements at equal places divide each other.
    PairwiseDivides { swapped: bool },
    /// Elements at equal places are squares.
    PairwiseSquare { swapped: bool },
    /// The one is the other from its end.
    Reverse,
}

/// Whether a constraint holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Holds,
    /// It does not.
    Broken,
    /// A value that it speaks of is missing: nothing is violated.
    Missing,
}

impl Rule {
    /// True if it holds for the values, which are as many and of the kinds that the rule speaks of; false for any others.
    pub fn holds(&self, values: &[Value]) -> bool {
        match (self, values) {
            (Rule::OneOf(all), [v]) => is_among(all, v),
            (Rule::ElementsOneOf(all), [v]) => every(v, |element| is_among(all, element)),
            (Rule::NonZero, [v]) => is_non_zero(v),
            (Rule::ElementsNonZero, [v]) => every(v, is_non_zero),
            (Rule::Bound(relation, bound), [v]) => is_bounded(v, *relation, bound),
            (Rule::ElementsBound(relation, bound), [v]) => {
                every(v, |element| is_bounded(element, *relation, bound))
            }
            (Rule::PowerOfTwo, [v]) => is_power_of_two(v),
            (Rule::Sorted(relation), [v]) => sorted(v).is_some_and(|seen| relation.covers(seen)),
            (Rule::Compare(relation), [a, b]) => {
                compared(a, b).is_some_and(|seen| relation.covers(seen))
            }
            (Rule::Linear(factors), values) => {
                let numbers: Option<Vec<f64>> = values.iter().map(Value::number).collect();
                numbers.is_some_and(|numbers| is_on(factors, &numbers))
            }
            (Rule::Divides { swapped }, [a, b]) => divides(a, b, *swapped),
            (Rule::Square { swapped }, [a, b]) => squares(a, b, *swapped),
            (Rule::ElementsCompare(relation), [all, v]) => every(all, |element| {
                compared(element, v).is_some_and(|seen| relation.covers(seen))
            }),
            (Rule::Member, [all, v]) => is_member(all, v),
            (Rule::Pairwise(relation), [a, b]) => {
                pairwise(a, b).is_some_and(|seen| relation.covers(seen))
            }
            (Rule::Lexical(relation), [a, b]) => {
                compared(a, b).is_some_and(|seen| relation.covers(seen))
            }
            (Rule::PairwiseLinear(factors), [a, b]) => {
                each_pair(a, b, |a, b| match (a.number(), b.number()) {
                    (Some(a), Some(b)) => is_on(factors, &[a, b]),
                    _ => false,
                })
            }
            (Rule::PairwiseDivides { swapped }, [a, b]) => {
                each_pair(a, b, |a, b| divides(a, b, *swapped))
            }
            (Rule::PairwiseSquare { swapped }, [a, b]) => {
                each_pair(a, b, |a, b| squares(a, b, *swapped))
            }
            (Rule::Reverse, [a, b]) => is_reverse(a, b),
            _ => false,
        }
    }
}

/// True if the value is one of these, or nearly so.
pub(crate) fn is_among(values: &[Value], value: &Value) -> bool {
    values.iter().any(|one| match (one, value) {
        (Value::Double(a), Value::Double(b)) => nearly(*a, *b),
        _ => one.is_same(value),
    })
}

fn every(sequence: &Value, holds: impl Fn(&Value) -> bool) -> bool {
    match sequence.length() {
        Some(length) => (0..length).all(|i| sequence.element(i).is_some_and(|e| holds(&e))),
        None => false,
    }
}

fn each_pair(a: &Value, b: &Value, holds: impl Fn(&Value, &Value) -> bool) -> bool {
    match (a.length(), b.length()) {
        (Some(n), Some(m)) if n == m => (0..n).all(|i| match (a.element(i), b.element(i)) {
            (Some(a), Some(b)) => holds(&a, &b),
            _ => false,
        }),
        _ => false,
    }
}

pub(crate) fn is_non_zero(value: &Value) -> bool {
    match value {
        Value::Int(v) => *v != 0,
        Value::Double(v) => *v != 0.0,
        Value::Text(v) => v.is_some(),
        _ => false,
    }
}

fn is_bounded(value: &Value, relation: Relation, bound: &Value) -> bool {
    match (value, bound) {
        (Value::Int(v), Value::Int(b)) => relation.covers(Seen::of(v.cmp(b))),
        _ => match (value.number(), bound.number()) {
            (Some(v), Some(b)) => v
                .partial_cmp(&b)
                .is_some_and(|o| relation.covers(Seen::of(o))),
            // Nobody learns it of texts and lists; a claim may say it.
            _ => compared(value, bound).is_some_and(|seen| relation.covers(seen)),
        },
    }
}

pub(crate) fn is_power_of_two(value: &Value) -> bool {
    match value {
        Value::Int(v) => *v > 0 && v & (v - 1) == 0,
        Value::Double(v) => {
            let bits = v.to_bits();
            // Exactly one significant digit in base 2, and no part behind the point.
            *v >= 1.0 && v.is_finite() && bits & ((1 << 52) - 1) == 0
        }
        _ => false,
    }
}

pub(crate) fn sorted(value: &Value) -> Option<Seen> {
    Some(match value {
        Value::Ints(all) => order::adjacent(all, |a, b| Seen::of(a.cmp(b))),
        Value::Doubles(all) => order::adjacent(all, |a, b| order::doubles(*a, *b)),
        Value::Texts(all) => order::adjacent(all, order::texts),
        _ => return None,
    })
}

/// How two values of one kind stand to each other.
#[inline]
pub(crate) fn compared(a: &Value, b: &Value) -> Option<Seen> {
    // Most are whole numbers.
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(Seen::of(a.cmp(b))),
        _ => compared_others(a, b),
    }
}

fn compared_others(a: &Value, b: &Value) -> Option<Seen> {
    Some(match (a, b) {
        (Value::Double(a), Value::Double(b)) => order::doubles(*a, *b),
        (Value::Text(a), Value::Text(b)) => order::texts(a, b),
        (Value::Ints(a), Value::Ints(b)) => order::lexical(a, b, |a, b| Seen::of(a.cmp(b))),
        (Value::Doubles(a), Value::Doubles(b)) => {
            order::lexical(a, b, |a, b| order::doubles(*a, *b))
        }
        (Value::Texts(a), Value::Texts(b)) => order::lexical(a, b, order::texts),
        _ => return None,
    })
}

pub(crate) fn pairwise(a: &Value, b: &Value) -> Option<Seen> {
    match (a, b) {
        (Value::Ints(a), Value::Ints(b)) => order::pairwise(a, b, |a, b| Seen::of(a.cmp(b))),
        (Value::Doubles(a), Value::Doubles(b)) => {
            order::pairwise(a, b, |a, b| order::doubles(*a, *b))
        }
        (Value::Texts(a), Value::Texts(b)) => order::pairwise(a, b, order::texts),
        _ => None,
    }
}

/// How the elements stand to the value.
pub(crate) fn elements(all: &Value, one: &Value) -> Option<Seen> {
    let mut seen = Seen::NONE;
    match (all, one) {
        (Value::Ints(all), Value::Int(one)) => {
            all.iter().for_each(|v| seen.add(Seen::of(v.cmp(one))));
        }
        (Value::Doubles(all), Value::Double(one)) => {
            all.iter().for_each(|v| seen.add(order::doubles(*v, *one)));
        }
        (Value::Texts(all), Value::Text(one)) => {
            all.iter().for_each(|v| seen.add(order::texts(v, one)));
        }
        _ => return None,
    }
    Some(seen)
}

pub(crate) fn is_member(all: &Value, one: &Value) -> bool {
    match (all, one) {
        (Value::Ints(all), Value::Int(one)) => all.contains(one),
        (Value::Doubles(all), Value::Double(one)) => all.iter().any(|v| nearly(*v, *one)),
        (Value::Texts(all), Value::Text(one)) => all.contains(one),
        _ => false,
    }
}

pub(crate) fn is_reverse(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Ints(a), Value::Ints(b)) => a.iter().eq(b.iter().rev()),
        (Value::Doubles(a), Value::Doubles(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter().rev()).all(|(a, b)| nearly(*a, *b))
        }
        _ => false,
    }
}

pub(crate) fn divides(a: &Value, b: &Value, swapped: bool) -> bool {
    let (x, y) = if swapped { (b, a) } else { (a, b) };
    match (x, y) {
        // The smallest number divided by -1 overflows; it is a multiple all the same.
        (Value::Int(x), Value::Int(y)) => *y != 0 && x.checked_rem(*y).unwrap_or(0) == 0,
        (Value::Double(x), Value::Double(y)) => *y != 0.0 && x % y == 0.0,
        _ => false,
    }
}

pub(crate) fn squares(a: &Value, b: &Value, swapped: bool) -> bool {
    let (x, y) = if swapped { (b, a) } else { (a, b) };
    match (x, y) {
        (Value::Int(x), Value::Int(y)) => y.wrapping_mul(*y) == *x,
        (Value::Double(x), Value::Double(y)) => nearly(*x, y * y),
        _ => false,
    }
}

/// True if the point is on the line or the plane: exactly where all numbers are whole, else nearly, seen from each axis.
pub(crate) fn is_on(factors: &[f64], point: &[f64]) -> bool {
    if let Some(is_on) = whole::is_on(factors, point) {
        return is_on;
    }
    let Some((rest, factors)) = factors.split_last() else {
        return false;
    };
    if factors.len() != point.len() {
        return false;
    }
    (0..point.len()).all(|axis| {
        let others: f64 = (0..point.len())
            .filter(|i| *i != axis)
            .map(|i| factors[i] * point[i])
            .sum();
        nearly_on(-(others + rest) / factors[axis], point[axis], others + rest)
    })
}

/// As [`nearly`], but what cancels out to 0 up to rounding is 0.
fn nearly_on(computed: f64, value: f64, size: f64) -> bool {
    nearly(computed, value) || value == 0.0 && computed.abs() <= f64::EPSILON * size.abs()
}

/// True for what can be ordered.
pub(crate) fn is_ordered(kind: Kind) -> bool {
    !matches!(kind, Kind::Boolean | Kind::Reference)
}
