//! Sets of lines of a file: a bit each.

/// A set of lines, counted from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineSet {
    words: Vec<u64>,
}

impl LineSet {
    /// Adds a line. False if it was there.
    pub fn insert(&mut self, line: u32) -> bool {
        let (word, bit) = (line as usize / 64, 1 << (line % 64));
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        is_new
    }

    /// Adds all of another.
    pub fn extend(&mut self, other: &LineSet) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (own, other) in self.words.iter_mut().zip(&other.words) {
            *own |= other;
        }
    }

    /// True if it is in the set.
    pub fn contains(&self, line: u32) -> bool {
        let word = self.words.get(line as usize / 64);
        word.is_some_and(|w| w >> (line % 64) & 1 == 1)
    }

    /// True if one of these lines is in the set, both ends included. Costs the words between.
    pub fn meets(&self, first: u32, last: u32) -> bool {
        (first..=last).any(|line| self.contains(line))
    }

    /// The lines, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let words = self.words.iter().zip(0u32..);
        words.flat_map(|(word, at)| {
            let of = (0..64).filter(move |bit| word >> bit & 1 == 1);
            of.map(move |bit| at * 64 + bit)
        })
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|w| *w == 0)
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
