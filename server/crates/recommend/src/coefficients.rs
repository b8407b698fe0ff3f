//! Written by `cargo xtask evaluate faults --fit`: the coefficients of [`super::model`], in the order of the features.

use super::features::FEATURES;

/// Name and coefficient.
pub(crate) const COEFFICIENTS: [(&str, f64); FEATURES.len()] = [
    ("always", -2.6849),
    ("used_later", -0.2055),
    ("asked_of_it", -1.7347),
    ("object_asked", -0.7266),
    ("deep", -0.2951),
    ("whole", -1.1936),
    ("text_of_object", 2.5180),
    ("dropped", 0.9055),
    ("of_class", 1.0168),
    ("truth", -0.5671),
    ("number", 0.0325),
    ("text", -1.0650),
    ("many", -1.5658),
    ("gain", 0.4917),
    ("unknown", 0.4932),
    ("asserted", -0.5814),
    ("changes", 1.0065),
    ("untouched", -1.5030),
    ("passed", -0.9473),
    ("bare", -0.9575),
];
