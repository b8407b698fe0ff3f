//! What was learnt: constraints, and what became of those that are not shown.

use crate::family::Family;
use crate::rule::{Rule, Verdict};
use crate::term::{Source, Term};
use crate::value::Value;
use smallvec::SmallVec;

/// A likely invariant: no sample contradicted it.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    pub family: Family,
    pub rule: Rule,
    /// Where the values come from that it speaks of.
    pub sources: SmallVec<[Source; 3]>,
    /// Positions of the terms among [`crate::Learner::terms`].
    pub terms: SmallVec<[u32; 3]>,
    /// As a reader sees it.
    pub text: String,
    /// How sure it is that this is no chance, in [0, 1].
    pub confidence: f64,
    /// How many samples had all of its values.
    pub samples: u64,
}

impl Constraint {
    pub(crate) fn new(
        all: &[Term],
        (family, rule): (Family, Rule),
        terms: &[u32],
        confidence: f64,
        samples: u64,
    ) -> Constraint {
        let these: SmallVec<[&Term; 3]> = terms.iter().map(|i| &all[*i as usize]).collect();
        Constraint {
            family,
            text: rule.text(&these),
            rule,
            sources: these.iter().map(|t| t.source).collect(),
            terms: SmallVec::from_slice(terms),
            confidence,
            samples,
        }
    }

    /// Says whether it holds in a sample of the same point.
    pub fn judge(&self, sample: &[Value]) -> Verdict {
        let mut values: SmallVec<[Value; 3]> = SmallVec::new();
        for source in &self.sources {
            match source.value(sample) {
                Some(value) => values.push(value),
                None => return Verdict::Missing,
            }
        }
        if self.rule.holds(&values) {
            Verdict::Holds
        } else {
            Verdict::Broken
        }
    }
}

/// What became of something that no sample contradicts.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    /// It is shown.
    Reported,
    /// It could be chance: it has this confidence, and needs that one.
    Unjustified { has: f64, needs: f64 },
    /// Something else says it, or says more: the sentence tells what.
    Obvious(String),
    /// All of its variables are constant, and their values are told.
    OnlyConstants,
    /// A point above says it.
    Above(String),
    /// Nobody sees the parameter any more.
    Parameter,
}
