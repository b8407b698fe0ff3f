//! Written by `cargo xtask evaluate faults --fit`: the coefficients of [`super::model`], in the order of the features.

use super::features::FEATURES;

/// Name and coefficient.
pub(crate) const COEFFICIENTS: [(&str, f64); FEATURES.len()] = [
    ("always", -3.3827),
    ("used_later", -0.2190),
    ("asked_of_it", -1.7340),
    ("object_asked", -0.7044),
    ("deep", -0.2718),
    ("whole", -0.9941),
    ("text_of_object", 2.4060),
    ("dropped", 1.0062),
    ("of_class", 0.9990),
    ("truth", 0.1293),
    ("number", 0.7280),
    ("text", -0.3161),
    ("many", -1.0043),
    ("gain", 0.5038),
    ("unknown", 0.5669),
    ("asserted", -0.5902),
    ("changes", 1.0657),
    ("untouched", -1.5549),
    ("passed", -0.8998),
    ("bare", -1.1327),
];
