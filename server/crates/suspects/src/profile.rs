//! How much of what two calls had run is the same.

use evidence::Profile;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// |p ∩ q| / |p ∪ q|; 1 for two profiles without any place.
pub(crate) fn jaccard(p: &Profile, q: &Profile) -> f64 {
    let (mut both, mut any) = (0u32, 0u32);
    for (class, own) in &p.0 {
        let other = q.0.iter().find(|(c, _)| c == class);
        let other = other.map_or(&[][..], |(_, bits)| bits.as_slice());
        for i in 0..own.len().max(other.len()) {
            let at = |all: &[u8]| all.get(i).copied().unwrap_or(0);
            both += (at(own) & at(other)).count_ones();
            any += (at(own) | at(other)).count_ones();
        }
    }
    for (class, other) in &q.0 {
        if !p.0.iter().any(|(c, _)| c == class) {
            any += other.iter().map(|b| b.count_ones()).sum::<u32>();
        }
    }
    match any {
        0 => 1.0,
        _ => f64::from(both) / f64::from(any),
    }
}

/// What hand-written tests had run when they called a method: each different profile once, with the tests that had run it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Nearness {
    profiles: Vec<(Arc<Profile>, Vec<usize>)>,
}

impl Nearness {
    /// Of what tests had run, in their order.
    pub(crate) fn of<'a>(all: impl Iterator<Item = (usize, &'a Arc<Profile>)>) -> Nearness {
        let mut numbers: FxHashMap<&Profile, usize> = FxHashMap::default();
        let mut profiles: Vec<(Arc<Profile>, Vec<usize>)> = Vec::new();
        for (test, profile) in all {
            let at = *numbers.entry(profile).or_insert_with(|| {
                profiles.push((Arc::clone(profile), Vec::new()));
                profiles.len() - 1
            });
            let tests = &mut profiles[at].1;
            if tests.last() != Some(&test) {
                tests.push(test);
            }
        }
        Nearness { profiles }
    }

    /// How similar each of them is, and who had run it: the most similar first, of equals the first that was seen.
    pub(crate) fn order(&self, profile: &Profile) -> Vec<(f64, &[usize])> {
        let all = self.profiles.iter();
        let all = all.map(|(p, tests)| (jaccard(profile, p), tests.as_slice()));
        let mut all: Vec<(f64, &[usize])> = all.collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn profile(classes: &[(&str, &[u8])]) -> Profile {
        let all = classes.iter().map(|(c, b)| ((*c).into(), b.to_vec()));
        Profile(all.collect())
    }

    #[test]
    fn places_of_all_classes_count() {
        let p = profile(&[("a.C", &[0b0111]), ("a.D", &[1])]);
        let q = profile(&[("a.C", &[0b0011, 1]), ("a.E", &[1])]);
        // Both: 2. Any: 3 + 1 + 1 + 1.
        assert!((jaccard(&p, &q) - 2.0 / 6.0).abs() < 1e-12);
        assert!((jaccard(&p, &p) - 1.0).abs() < 1e-12);
        assert!(jaccard(&p, &profile(&[("a.F", &[1])])).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn it_is_the_same_from_both_sides(p in prop::collection::vec(any::<u8>(), 0..5), q in prop::collection::vec(any::<u8>(), 0..5)) {
            let (p, q) = (profile(&[("a.C", &p)]), profile(&[("a.C", &q), ("a.D", &[3])]));
            prop_assert!((jaccard(&p, &q) - jaccard(&q, &p)).abs() < 1e-12);
        }
    }
}
