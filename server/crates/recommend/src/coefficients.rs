//! Written by `cargo xtask evaluate faults --fit`: the coefficients of [`super::model`], in the order of the features.

use super::features::FEATURES;

/// Name and coefficient.
pub(crate) const COEFFICIENTS: [(&str, f64); FEATURES.len()] = [
    ("always", -2.6630),
    ("used_later", -0.2204),
    ("asked_of_it", -1.7515),
    ("object_asked", -0.7030),
    ("deep", -0.2798),
    ("whole", -1.2397),
    ("text_of_object", 2.3651),
    ("dropped", 0.8907),
    ("of_class", 0.9880),
    ("truth", -0.5710),
    ("number", 0.0213),
    ("text", -0.9829),
    ("many", -1.5987),
    ("gain", 0.4969),
    ("unknown", 0.5538),
    ("asserted", -0.5754),
    ("changes", 1.0417),
    ("untouched", -1.5365),
    ("passed", -0.9201),
    ("bare", -0.9651),
];
