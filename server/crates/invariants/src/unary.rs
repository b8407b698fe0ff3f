//! What is remembered of one variable: all families of arity 1, as long as they live.

use crate::confidence::{after, once};
use crate::family::bound::{self, End, Extremes};
use crate::family::one_of::OneOf;
use crate::family::{Found, non_zero};
use crate::order::{Relation, Seen};
use crate::rule::{self, Rule, is_power_of_two};
use crate::term::Term;
use crate::value::{Kind, Rep, Value};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Beyond this number nobody asks how many different values there were: 0.9 to this power is below 0.01.
pub(crate) const DISTINCT: usize = 44;

/// The smallest and largest numbers, of a variable or of a sequence's elements.
#[derive(Clone, Debug)]
enum Ends {
    None,
    Ints(Box<Extremes<i64>>),
    Doubles(Box<Extremes<f64>>),
}

/// One variable's past.
#[derive(Clone, Debug)]
pub(crate) struct Unary {
    rep: Rep,
    /// Samples in which it was there.
    pub(crate) samples: u64,
    /// Hashes of the different values, up to [`DISTINCT`].
    distinct: Vec<u64>,
    one_of: OneOf,
    non_zero: bool,
    power_of_two: bool,
    ends: Ends,
    elements: Option<Elements>,
}

/// A sequence's past.
#[derive(Clone, Debug)]
struct Elements {
    count: u64,
    one_of: OneOf,
    non_zero: bool,
    sorted: Seen,
}

impl Unary {
    pub(crate) fn new(term: &Term) -> Unary {
        let kind = term.rep.kind;
        Unary {
            rep: term.rep,
            samples: 0,
            distinct: Vec::new(),
            one_of: OneOf::new(term.rep, term.is_type),
            non_zero: can_be_zero(term),
            power_of_two: term.rep.is_number(),
            ends: match kind {
                Kind::Int => Ends::Ints(Box::new(Extremes::new())),
                Kind::Double => Ends::Doubles(Box::new(Extremes::new())),
                _ => Ends::None,
            },
            elements: term.rep.sequence.then(|| Elements {
                count: 0,
                one_of: OneOf::elements(kind, term.is_type),
                non_zero: can_be_zero(term),
                sorted: Seen::NONE,
            }),
        }
    }

    /// How many different values there were, up to [`DISTINCT`].
    pub(crate) fn distinct(&self) -> usize {
        self.distinct.len()
    }

    pub(crate) fn see(&mut self, value: &Value, times: u64) {
        self.samples += times;
        if self.distinct.len() < DISTINCT {
            let key = key(value);
            if !self.distinct.contains(&key) {
                self.distinct.push(key);
            }
        }
        self.one_of.see(value);
        if let Some(elements) = &mut self.elements {
            elements.see(value, times);
        } else {
            self.non_zero = self.non_zero && rule::is_non_zero(value);
            self.power_of_two = self.power_of_two && is_power_of_two(value);
        }
        match (&mut self.ends, value) {
            (Ends::Ints(ends), Value::Int(v)) => ends.see(*v, times),
            (Ends::Doubles(ends), Value::Double(v)) => ends.see(*v, times),
            (Ends::Ints(ends), Value::Ints(all)) => all.iter().for_each(|v| ends.see(*v, times)),
            (Ends::Doubles(ends), Value::Doubles(all)) => {
                all.iter().for_each(|v| ends.see(*v, times));
            }
            _ => {}
        }
    }

    /// Everything that no sample contradicts.
    pub(crate) fn found(&self) -> Vec<Found> {
        let mut found = Vec::new();
        if self.samples == 0 {
            return found;
        }
        if let Some(values) = self.one_of.values() {
            found.push(Found::new(Rule::OneOf(values), self.one_of.confidence()));
        }
        match &self.elements {
            None => {
                if self.non_zero {
                    found.push(Found::new(Rule::NonZero, self.non_zero_confidence()));
                }
                self.bounds(&mut found, Rule::Bound);
                if self.power_of_two {
                    found.push(Found::new(Rule::PowerOfTwo, once(self.samples)));
                }
            }
            Some(elements) if elements.count > 0 => {
                if let Some(values) = elements.one_of.values() {
                    let confidence = elements.one_of.confidence();
                    found.push(Found::new(Rule::ElementsOneOf(values), confidence));
                }
                if elements.non_zero {
                    found.push(Found::new(
                        Rule::ElementsNonZero,
                        self.non_zero_confidence(),
                    ));
                }
                self.bounds(&mut found, Rule::ElementsBound);
                if let Some(relation) = elements.sorted.strongest() {
                    let confidence = match relation {
                        Relation::Equal => once(self.samples),
                        _ => after(self.samples, 0.5),
                    };
                    let is_told = match relation {
                        Relation::NotEqual => false,
                        Relation::Equal => self.rep.kind != Kind::Text,
                        _ => self.rep.kind.is_number(),
                    };
                    if is_told {
                        found.push(Found::new(Rule::Sorted(relation), confidence));
                    }
                }
            }
            Some(_) => {}
        }
        found
    }

    fn non_zero_confidence(&self) -> f64 {
        #[allow(clippy::cast_precision_loss)]
        let ends = match &self.ends {
            Ends::None => return non_zero::of_references(self.samples),
            Ends::Ints(ends) => (
                ends.least().map(|v| v as f64),
                ends.most().map(|v| v as f64),
            ),
            Ends::Doubles(ends) => (ends.least(), ends.most()),
        };
        match ends {
            (Some(least), Some(most)) if self.elements.is_some() => {
                non_zero::of_elements(self.samples, least, most)
            }
            (Some(least), Some(most)) => non_zero::of_numbers(self.samples, least, most),
            _ => 0.0,
        }
    }

    fn bounds(&self, found: &mut Vec<Found>, rule: impl Fn(Relation, Value) -> Rule) {
        // Of a sequence each element counts.
        let enough = self.elements.as_ref().map_or(self.samples, |e| e.count);
        let mut push = |relation, bound, confidence| {
            found.push(Found {
                rule: rule(relation, bound),
                confidence,
                enough: bound::enough(enough),
            });
        };
        let n = self.samples;
        match &self.ends {
            Ends::None => {}
            Ends::Ints(ends) => {
                if let (Some(least), Some(most)) = (ends.least(), ends.most()) {
                    let c = |end| bound::confidence(ends, end, n);
                    push(Relation::GreaterEqual, Value::Int(least), c(End::Least));
                    push(Relation::LessEqual, Value::Int(most), c(End::Most));
                }
            }
            Ends::Doubles(ends) => {
                if let (Some(least), Some(most)) = (ends.least(), ends.most()) {
                    let c = |end| bound::confidence(ends, end, n);
                    push(Relation::GreaterEqual, Value::Double(least), c(End::Least));
                    push(Relation::LessEqual, Value::Double(most), c(End::Most));
                }
            }
        }
    }
}

impl Elements {
    fn see(&mut self, sequence: &Value, times: u64) {
        self.count += sequence.length().unwrap_or(0) as u64 * times;
        if !self.sorted.is_spent()
            && let Some(seen) = rule::sorted(sequence)
        {
            self.sorted.add(seen);
        }
        if !self.one_of.is_alive() && !self.non_zero {
            return;
        }
        for i in 0..sequence.length().unwrap_or(0) {
            let Some(element) = sequence.element(i) else {
                break;
            };
            self.one_of.see(&element);
            self.non_zero = self.non_zero && rule::is_non_zero(&element);
            if !self.one_of.is_alive() && !self.non_zero {
                break;
            }
        }
    }
}

/// Of a string that has a reference beside it, that one says whether it is null.
fn can_be_zero(term: &Term) -> bool {
    match term.rep.kind {
        Kind::Boolean => false,
        Kind::Text => term.traits.alone,
        Kind::Int | Kind::Double | Kind::Reference => true,
    }
}

fn key(value: &Value) -> u64 {
    let bits = |v: f64| {
        if v == 0.0 {
            0
        } else if v.is_nan() {
            1
        } else {
            v.to_bits()
        }
    };
    let mut hasher = FxHasher::default();
    match value {
        Value::Missing => {}
        Value::Int(v) => return v.cast_unsigned(),
        Value::Double(v) => return bits(*v),
        Value::Text(v) => v.hash(&mut hasher),
        Value::Ints(all) => all.hash(&mut hasher),
        Value::Doubles(all) => all.iter().for_each(|v| bits(*v).hash(&mut hasher)),
        Value::Texts(all) => all.hash(&mut hasher),
    }
    hasher.finish()
}
