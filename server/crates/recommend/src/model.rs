//! How probable it is that a value tells a fault which its test runs and misses: a logistic model over [`features`].
//!
//! `ln(p / (1 - p)) = Σ coefficient · feature`. The coefficients stand in `coefficients.rs`, as `cargo xtask evaluate faults --fit`
//! wrote them; `docs/evaluation-faults.md` says of which projects, and how it does on others.
//!
//! [`features`]: super::features

use super::coefficients::COEFFICIENTS;
use super::features::{FEATURES, Features};

/// The feature that changes while values are chosen: what those before tell is told.
pub(crate) const GAIN: &str = "gain";

/// ln(p / (1 - p)).
fn log_odds(features: &Features) -> f64 {
    let terms = COEFFICIENTS.iter().zip(features);
    terms.map(|((_, c), f)| c * f).sum()
}

/// In (0, 1).
pub fn probability(features: &Features) -> f64 {
    1.0 / (1.0 + (-log_odds(features)).exp())
}

/// The coefficient of what a value tells that nothing tells yet. It does not fall with it.
pub(crate) fn of_gain() -> f64 {
    let own = COEFFICIENTS.iter().find(|(name, _)| *name == GAIN);
    own.map_or(0.0, |(_, c)| c.max(0.0))
}

/// The odds but for that.
pub(crate) fn odds_without_gain(features: &Features) -> f64 {
    let own = FEATURES.iter().position(|(name, _)| *name == GAIN);
    let mut rest = *features;
    if let Some(own) = own {
        rest[own] = 0.0;
    }
    log_odds(&rest).exp()
}
