//! Sets of bodies.

use program::BodyId;

/// A set of bodies: a bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bodies {
    bits: Vec<u64>,
    len: usize,
}

impl Bodies {
    /// False if it was in the set already.
    pub(crate) fn insert(&mut self, body: BodyId) -> bool {
        let (word, bit) = (body.ix() / 64, 1 << (body.ix() % 64));
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        let is_new = self.bits[word] & bit == 0;
        self.bits[word] |= bit;
        self.len += usize::from(is_new);
        is_new
    }
    /// True if it is in the set.
    pub fn contains(&self, body: BodyId) -> bool {
        let word = self.bits.get(body.ix() / 64);
        word.is_some_and(|w| w >> (body.ix() % 64) & 1 == 1)
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
        self.bits.iter().enumerate().flat_map(|(at, &word)| {
            let rest = |w: &u64| Some(w & (w - 1)).filter(|w| *w != 0);
            let words = std::iter::successors(Some(word).filter(|w| *w != 0), rest);
            words.map(move |w| BodyId(at as u32 * 64 + w.trailing_zeros()))
        })
    }
}
