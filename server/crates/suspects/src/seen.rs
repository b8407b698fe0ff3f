//! The samples behind a constraint, side by side: what hand-written tests saw of its terms, and what generated tests saw.
//!
//! Nobody keeps the rows of a point: they are made again of the calls, in the way in which they were made when the constraint was
//! learnt, for the one constraint that somebody asks about.

use crate::believed::Believed;
use crate::options::{Options, Teacher};
use crate::samples::{Sampled, by_method, shape, taught};
use crate::words::words;
use evidence::{Called, Calls};
use invariants::{Kind, Look, Value, Verdict};

/// What the terms of a constraint were in one call.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The test, in the list that it is of.
    pub test: usize,
    /// The call, in its list of calls.
    pub call: usize,
    /// What the constraint says of it.
    pub verdict: Verdict,
    held: Vec<((Value, Look), Kind)>,
}

impl Seen {
    /// The terms' values in words, in the constraint's order.
    pub fn values(&self) -> impl Iterator<Item = String> {
        let held = self.held.iter();
        held.map(|((value, look), kind)| words(value, *kind, *look))
    }

    /// The terms' values, if all are finite numbers.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        let number = |((value, _), kind): &((Value, Look), Kind)| match kind {
            Kind::Int | Kind::Double => value.number().filter(|v| v.is_finite()),
            Kind::Boolean | Kind::Text | Kind::Reference => None,
        };
        self.held.iter().map(number).collect()
    }
}

/// What was seen of a constraint's terms.
#[derive(Clone, Debug, Default)]
pub struct Sides {
    /// In calls of hand-written tests.
    pub manual: Vec<Seen>,
    /// In calls of generated tests.
    pub generated: Vec<Seen>,
}

/// What was seen of a constraint's terms, in the calls of which it was learnt and of those that were judged by it. The lists are those
/// that [`crate::examine()`] was given.
pub fn seen(
    manual: &[Teacher<'_>],
    generated: &[&Calls],
    believed: &Believed,
    options: &Options,
) -> Sides {
    let method = &believed.method;
    // Of a method that no test calls an overload taught.
    let teacher = believed.overload.as_ref().unwrap_or(method);
    let mut taught = taught(manual, &|m: &Called| m == teacher, options);
    let generated = generated.iter().copied().enumerate();
    let mut asked = by_method(generated, &|m: &Called| m == method);
    let taught = taught.remove(teacher).unwrap_or_default();
    let asked = asked.remove(method).unwrap_or_default();
    let shape = shape(method, believed.moment, &taught, options);
    let one = |sampled: &Sampled<'_>| {
        let row = shape.row(sampled.call, believed.moment, &method.parameters);
        let sources = believed.constraint.sources.iter();
        let held = sources.map(|s| row.at(*s));
        let kinds = believed.terms.iter().map(|(_, kind)| *kind);
        Seen {
            test: sampled.test,
            call: sampled.at,
            verdict: believed.constraint.judge(&row.values),
            held: held.zip(kinds).collect(),
        }
    };
    Sides {
        manual: taught.iter().map(one).collect(),
        generated: asked.iter().map(one).collect(),
    }
}
