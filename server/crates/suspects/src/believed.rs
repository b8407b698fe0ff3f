//! What is believed of a method, and what may be strange where it is broken.

use crate::chance::Luck;
use crate::options::Moment;
use evidence::Called;
use invariants::{Constraint, Kind};
use smallvec::SmallVec;
use smol_str::SmolStr;

/// What may be strange where a constraint is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strange {
    /// What was given to the call: the result is strange, too.
    Entry,
    /// What it returned.
    Return,
    /// What its receiver is now.
    Receiver,
    /// What its parameter, from 0, holds now.
    Parameter(usize),
}

/// What may be strange, and of it what.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// Of what.
    pub of: Strange,
    /// Of an object the field that is, by its name; none for all that it is.
    pub field: Option<SmolStr>,
}

/// A constraint that is believed of a method.
#[derive(Clone, Debug)]
pub struct Believed {
    /// Of which method.
    pub method: Called,
    /// When.
    pub moment: Moment,
    /// What it says.
    pub constraint: Constraint,
    /// The overload of which it was seen to hold, if no hand-written test calls the method itself.
    pub overload: Option<Called>,
    /// The hand-written tests in which it was seen to hold, and in how many calls; positions in the list of them, in
    /// its order.
    pub taught_by: Vec<(usize, u32)>,
    /// How many of the calls in which it held say something for themselves.
    pub witnesses: usize,
    /// How credible it is that it is no chance, in (0, 1).
    pub credible: f64,
    pub(crate) luck: Luck,
    pub(crate) strange: Vec<Spot>,
    /// It is about what was returned and about something else.
    pub(crate) is_related: bool,
    /// It is about whether two objects hold the same.
    pub(crate) is_of_alike: bool,
    pub(crate) terms: Vec<(String, Kind)>,
}

impl Believed {
    /// What it says.
    pub(crate) fn said(&self) -> Said<'_> {
        (&self.constraint, &self.terms)
    }
}

/// A constraint and its terms, by their names.
pub(crate) type Said<'a> = (&'a Constraint, &'a [(String, Kind)]);

/// True if both say the same of what goes by the same names. How that reads may differ: what is a constant in the calls of one method
/// may be now a constant and now another text in those of all.
pub(crate) fn say_the_same((a, of_a): Said<'_>, (b, of_b): Said<'_>) -> bool {
    let is_of_value = || of_a.len() == 1 && of_a == of_b && a.rule == b.rule;
    // What is a constant's name in one may be that of a parameter in the other.
    let is_as_written = || a.text == b.text && names(of_a) == names(of_b);
    is_as_written() || is_of_value()
}

/// What terms are called, in whatever order they stand.
fn names(of: &[(String, Kind)]) -> SmallVec<[&str; 3]> {
    let mut all: SmallVec<[&str; 3]> = of.iter().map(|(name, _)| name.as_str()).collect();
    all.sort_unstable();
    all
}
