//! The odds that a value tells a fault which its test runs and misses: a logistic model over [`features`].
//!
//! `ln(p / (1 - p)) = Σ coefficient · feature`. The coefficients stand in `coefficients.rs`, as `cargo xtask evaluate
//! faults --fit` wrote them; `docs/evaluation-faults.md` says of which projects, and how it does on others.
//!
//! [`features`]: super::features

use super::coefficients::COEFFICIENTS;
use super::features::Features;

/// The feature that changes while values are chosen: what those before tell is told.
const GAIN: &str = "gain";

/// The coefficient of what a value tells that nothing tells yet. It does not fall with it.
pub(crate) fn of_gain() -> f64 {
    let own = COEFFICIENTS.iter().find(|(name, _)| *name == GAIN);
    own.map_or(0.0, |(_, c)| c.max(0.0))
}

/// The odds but for that.
pub(crate) fn odds_without_gain(features: &Features) -> f64 {
    let terms = COEFFICIENTS.iter().zip(features);
    let rest = terms.filter(|((name, _), _)| *name != GAIN);
    rest.map(|((_, c), f)| c * f).sum::<f64>().exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::FEATURES;

    /// Coefficients go by position: a feature that is moved would take another one's.
    #[test]
    fn each_feature_has_its_own_coefficient() {
        let features = FEATURES.iter().map(|(name, _)| *name);
        let coefficients = COEFFICIENTS.iter().map(|(name, _)| *name);
        assert_eq!(
            features.collect::<Vec<_>>(),
            coefficients.collect::<Vec<_>>()
        );
        assert!(FEATURES.iter().any(|(name, _)| *name == GAIN));
    }
}
