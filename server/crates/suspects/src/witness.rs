//! Which of the samples in which a constraint held speak for it.

use crate::shape::Shape;
use invariants::{Constraint, Kind, Learner, Rule, Value};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Which of the calls in which a constraint held are witnesses: calls with the same values say the same, and those of one test
/// are hardly independent.
pub(crate) struct Witnesses<'c> {
    constraint: &'c Constraint,
    /// What must differ: the values that the constraint speaks of. A constraint of truth values, which are few, has a witness in
    /// each other sample.
    apart: Vec<usize>,
    /// All of them are truth values.
    pub(crate) is_of_truth: bool,
    /// It says which values there are: that the same come again is what speaks for it.
    counts_tests: bool,
    seen: FxHashSet<String>,
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
        let is_truth = |t: &u32| learner.terms()[*t as usize].rep.kind == Kind::Boolean;
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
        let values = match self.apart.is_empty() {
            true => {
                let sources = self.constraint.sources.iter();
                format!("{:?}", sources.map(|s| s.value(row)).collect::<Vec<_>>())
            }
            false => format!(
                "{:?}",
                self.apart.iter().map(|v| &row[*v]).collect::<Vec<_>>()
            ),
        };
        if self.counts_tests || self.seen.insert(values) {
            *of_test += 1;
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.by.values().sum()
    }
}
