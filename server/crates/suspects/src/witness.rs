//! Which of the samples in which a constraint held speak for it.

use crate::shape::Shape;
use invariants::{Constraint, Kind, Learner, Rule, Value};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Values, told apart to the bit.
type Words = SmallVec<[u64; 8]>;

/// What must differ of a row.
fn key(constraint: &Constraint, apart: &[usize], row: &[Value]) -> Words {
    let mut out = Words::new();
    match apart.is_empty() {
        true => {
            for source in &constraint.sources {
                let value = source.value(row).unwrap_or(Value::Missing);
                write(&value, &mut out);
            }
        }
        false => apart.iter().for_each(|v| write(&row[*v], &mut out)),
    }
    out
}

/// Each kind begins with a word of its own, and what has a length with that.
fn write(value: &Value, out: &mut Words) {
    let bits = |v: f64| if v.is_nan() { f64::NAN } else { v }.to_bits();
    let text = |text: &Option<Arc<str>>| match text {
        None => vec![u64::MAX],
        Some(text) => {
            let bytes = text.as_bytes();
            let word = |of: &[u8]| of.iter().fold(0, |word, b| word << 8 | u64::from(*b));
            let words = bytes.chunks(8).map(word);
            std::iter::once(bytes.len() as u64).chain(words).collect()
        }
    };
    match value {
        Value::Missing => out.push(0),
        Value::Int(v) => out.extend([1, v.cast_unsigned()]),
        Value::Double(v) => out.extend([2, bits(*v)]),
        Value::Text(v) => {
            out.push(3);
            out.extend(text(v));
        }
        Value::Ints(all) => {
            out.extend([4, all.len() as u64]);
            out.extend(all.iter().map(|v| v.cast_unsigned()));
        }
        Value::Doubles(all) => {
            out.extend([5, all.len() as u64]);
            out.extend(all.iter().map(|v| bits(*v)));
        }
        Value::Texts(all) => {
            out.extend([6, all.len() as u64]);
            all.iter().for_each(|v| out.extend(text(v)));
        }
    }
}

/// Which of the calls in which a constraint held are witnesses: calls with the same values say the same, and those of one test
/// are hardly independent.
pub(crate) struct Witnesses<'c> {
    constraint: &'c Constraint,
    /// What must differ: the values that the constraint speaks of. A constraint of truth values, which are few, has a witness in
    /// each other sample.
    apart: Vec<usize>,
    /// All of them are truth values.
    is_of_truth: bool,
    /// In how many of these the first was true.
    truths: usize,
    /// It says which values there are: that the same come again is what speaks for it.
    counts_tests: bool,
    seen: FxHashSet<Words>,
    by: BTreeMap<usize, usize>,
}

impl<'c> Witnesses<'c> {
    /// How many of the calls of one test count.
    const OF_ONE_TEST: usize = 2;

    pub(crate) fn new(
        constraint: &'c Constraint,
        learner: &Learner,
        shape: &Shape,
    ) -> Witnesses<'c> {
        let rep = |t: &u32| learner.terms()[*t as usize].rep;
        let is_truth = |t: &u32| rep(t).kind == Kind::Boolean && !rep(t).sequence;
        let is_value = |v: &usize| shape.point.variables[*v].rep.kind != Kind::Reference;
        let is_of_truth = constraint.terms.iter().all(is_truth);
        let apart = match is_of_truth {
            true => (0..shape.about.len()).filter(is_value).collect(),
            false => Vec::new(),
        };
        Witnesses {
            constraint,
            apart,
            is_of_truth,
            truths: 0,
            counts_tests: matches!(constraint.rule, Rule::OneOf(_) | Rule::ElementsOneOf(_)),
            seen: FxHashSet::default(),
            by: BTreeMap::new(),
        }
    }

    pub(crate) fn saw(&mut self, test: usize, row: &[Value]) {
        let of_test = self.by.entry(test).or_default();
        let most = if self.counts_tests {
            1
        } else {
            Self::OF_ONE_TEST
        };
        if *of_test >= most {
            return;
        }
        if self.counts_tests || self.seen.insert(key(self.constraint, &self.apart, row)) {
            *of_test += 1;
            let first = self.constraint.sources.first();
            let first = first.and_then(|source| source.value(row));
            self.truths += usize::from(first == Some(Value::Int(1)));
        }
    }

    /// In how many of them the first value was true, if the constraint speaks of truth values alone.
    pub(crate) fn truths(&self) -> Option<usize> {
        self.is_of_truth.then_some(self.truths)
    }

    pub(crate) fn count(&self) -> usize {
        self.by.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value() -> impl Strategy<Value = Value> {
        let number = || prop::sample::select(vec![0.0, -0.0, 1.0, f64::NAN]);
        let text = || prop::option::of("[ab]{0,9}".prop_map(|t: String| Arc::<str>::from(t)));
        prop_oneof![
            Just(Value::Missing),
            (-2..3_i64).prop_map(Value::Int),
            number().prop_map(Value::Double),
            text().prop_map(Value::Text),
            prop::collection::vec(-1..2_i64, 0..3).prop_map(|v| Value::Ints(v.into())),
            prop::collection::vec(number(), 0..3).prop_map(|v| Value::Doubles(v.into())),
            prop::collection::vec(text(), 0..3).prop_map(|v| Value::Texts(v.into())),
        ]
    }

    proptest! {
        #[test]
        fn rows_are_told_apart_as_they_are_written(a in prop::collection::vec(value(), 0..4), b in prop::collection::vec(value(), 0..4)) {
            let words = |row: &[Value]| {
                let mut out = Words::new();
                row.iter().for_each(|v| write(v, &mut out));
                out
            };
            prop_assert_eq!(words(&a) == words(&b), format!("{a:?}") == format!("{b:?}"));
        }
    }
}
