//! How much of what two calls had run is the same.

use crate::samples::Sampled;
use evidence::Profile;
use rustc_hash::FxHashSet;

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

/// What hand-written tests had run when they called a method: each different profile once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nearness {
    profiles: Vec<(Profile, usize)>,
}

impl Nearness {
    pub(crate) fn new<'a>(teachers: &[Sampled<'a>]) -> Nearness {
        let mut seen: FxHashSet<&Profile> = FxHashSet::default();
        let of = |s: &Sampled<'a>| Some((s.profile?, s.test));
        let all = teachers.iter().filter_map(of);
        Nearness {
            profiles: all
                .filter(|(p, _)| seen.insert(p))
                .map(|(p, test)| (p.clone(), test))
                .collect(),
        }
    }

    /// The greatest similarity, and the first test that has it.
    pub(crate) fn of(&self, profile: &Profile) -> Option<(f64, usize)> {
        let all = self.profiles.iter();
        let all = all.map(|(p, test)| (jaccard(profile, p), *test));
        all.reduce(|best, one| if one.0 > best.0 { one } else { best })
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
