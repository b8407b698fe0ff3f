//! How many mutants stand for all, and which.

/// How many of `all` are needed for a share that is right within ± 2 % in 95 of 100 draws, whatever the share
/// (normal approximation, with the correction for a finite population).
pub fn needed(all: usize) -> usize {
    if all == 0 {
        return 0;
    }
    let infinite = 1.96f64.powi(2) * 0.25 / 0.02f64.powi(2);
    let corrected = infinite / (1.0 + (infinite - 1.0) / all as f64);
    (corrected.ceil() as usize).min(all)
}

/// `count` of the numbers from 1 to `all`, in order; the same for the same seed.
pub fn sample(seed: u64, count: usize, all: usize) -> Vec<u32> {
    let mut state = seed;
    let mut next = || {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let mut left: Vec<u32> = (1..=u32::try_from(all).unwrap_or(u32::MAX)).collect();
    let mut out = Vec::with_capacity(count.min(all));
    while out.len() < count && !left.is_empty() {
        let at = (next() % left.len() as u64) as usize;
        out.push(left.swap_remove(at));
    }
    out.sort_unstable();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_per_cent_take_fewer_the_fewer_there_are() {
        assert_eq!(needed(0), 0);
        assert_eq!(needed(10), 10);
        assert_eq!(needed(1000), 707);
        assert_eq!(needed(10_000_000), 2401);
    }

    #[test]
    fn a_seed_draws_the_same_again() {
        assert_eq!(sample(7, 5, 100), sample(7, 5, 100));
        assert_ne!(sample(7, 5, 100), sample(8, 5, 100));
        assert_eq!(sample(7, 9, 4), [1, 2, 3, 4]);
    }
}
