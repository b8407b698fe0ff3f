//! What is known of a point, with what became of it.

use crate::constraint::{Constraint, Fate};
use crate::family::Family;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What is said, and of which terms.
type Key = (Family, SmallVec<[u32; 3]>);

/// Everything that no sample contradicts, with what became of it, in the order in which it is listed.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub(crate) all: Vec<(Constraint, Fate)>,
    /// Each term's leader: the first of those that are always equal.
    pub(crate) leaders: Vec<u32>,
    /// Which terms the caller does not see, at an exit.
    pub(crate) hidden: Vec<bool>,
    /// Of each leader those that are equal to it.
    pub(crate) members: Vec<SmallVec<[u32; 1]>>,
    /// Positions in `all`.
    pub(crate) index: FxHashMap<Key, SmallVec<[u32; 1]>>,
}

impl Report {
    /// The first constraint of the family over these terms that is believed.
    pub(crate) fn believed(&self, family: Family, terms: &[u32]) -> Option<&Constraint> {
        let (constraint, fate) = self.over(family, terms).next()?;
        (!matches!(fate, Fate::Unjustified { .. })).then_some(constraint)
    }

    /// The constraints of the family over these terms.
    pub(crate) fn over(
        &self,
        family: Family,
        terms: &[u32],
    ) -> impl Iterator<Item = &(Constraint, Fate)> {
        let key = (family, SmallVec::from_slice(terms));
        let found = self.index.get(&key).map_or(&[][..], SmallVec::as_slice);
        found.iter().filter_map(|i| self.all.get(*i as usize))
    }

    pub(crate) fn leader(&self, term: u32) -> u32 {
        self.leaders.get(term as usize).copied().unwrap_or(term)
    }

    /// All terms that are always equal to this one, itself among them.
    pub(crate) fn equals(&self, term: u32) -> impl Iterator<Item = u32> + '_ {
        let leader = self.leader(term) as usize;
        self.members.get(leader).into_iter().flatten().copied()
    }
}
