//! Sets of bodies.

use fixedbitset::FixedBitSet;
use flow::ExprId;
use program::BodyId;

/// Whether a body ran, or may have, and the code of one of its expressions.
pub type Ran<'a> = dyn Fn(BodyId, Option<ExprId>) -> bool + 'a;

/// A set of bodies: a bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bodies {
    bits: FixedBitSet,
    len: usize,
}

impl Bodies {
    /// False if it was in the set already.
    pub(crate) fn insert(&mut self, body: BodyId) -> bool {
        self.bits.grow(body.ix() + 1);
        let is_new = !self.bits.put(body.ix());
        self.len += usize::from(is_new);
        is_new
    }
    /// True if it is in the set.
    pub fn contains(&self, body: BodyId) -> bool {
        self.bits.contains(body.ix())
    }
    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }
    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// All of them, in no meaningful order.
    pub fn iter(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.bits.ones().map(|at| BodyId(at as u32))
    }
}
