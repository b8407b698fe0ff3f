//! What is drawn by chance, and the same again for the same seed.

/// A generator whose numbers a seed decides (SplitMix64).
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// `count` different numbers below `of`.
    pub(super) fn draw(&mut self, count: usize, of: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..of).collect();
        let mut out = Vec::new();
        while out.len() < count && !all.is_empty() {
            let at = (self.next() % all.len() as u64) as usize;
            out.push(all.swap_remove(at));
        }
        out
    }
}
