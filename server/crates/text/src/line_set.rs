//! Sets of lines of a file: a bit each.

use fixedbitset::FixedBitSet;
use std::sync::Arc;

/// A set of lines, counted from 1. Copies share their lines until one is changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineSet {
    bits: Arc<FixedBitSet>,
}

impl LineSet {
    /// Adds a line. False if it was there.
    pub fn insert(&mut self, line: u32) -> bool {
        let bits = Arc::make_mut(&mut self.bits);
        bits.grow(line as usize + 1);
        !bits.put(line as usize)
    }

    /// Adds all of another.
    pub fn extend(&mut self, other: &LineSet) {
        Arc::make_mut(&mut self.bits).union_with(&other.bits);
    }

    /// True if it is in the set.
    pub fn contains(&self, line: u32) -> bool {
        self.bits.contains(line as usize)
    }

    /// True if one of these lines is in the set, both ends included. Costs the lines between.
    pub fn meets(&self, first: u32, last: u32) -> bool {
        (first..=last).any(|line| self.contains(line))
    }

    /// The lines, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.bits.ones().map(|line| line as u32)
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.bits.count_ones(..)
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.bits.is_clear()
    }
}

impl FromIterator<u32> for LineSet {
    fn from_iter<T: IntoIterator<Item = u32>>(lines: T) -> LineSet {
        let mut out = LineSet::default();
        for line in lines {
            out.insert(line);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out_in_order() {
        let mut set: LineSet = [64, 1, 500, 63].into_iter().collect();
        assert!(!set.insert(63));
        assert_eq!(set.iter().collect::<Vec<_>>(), [1, 63, 64, 500]);
        assert_eq!((set.len(), set.is_empty()), (4, false));
        assert!(set.contains(500) && !set.contains(501) && !set.contains(9_999));
        assert!(set.meets(2, 63) && !set.meets(2, 62));
        let mut other = LineSet::default();
        assert!(other.is_empty());
        other.extend(&set);
        assert_eq!(other, set);
    }
}
