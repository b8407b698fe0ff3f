//! Likely invariants from outside: cases restated by hand, properties, traces.

mod cases;
mod looks;
mod properties;
mod study;
mod support;
mod told;
mod traces;
