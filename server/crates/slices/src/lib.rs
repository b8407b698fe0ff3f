//! What an assertion rests on: the lines from which a value may come that a test looks at, of those that ran in it.
//!
//! A slice is static, backward, and joined with what ran (checked coverage: Schuler and Zeller, "Assessing Oracle Quality with
//! Checked Coverage", ICST 2011, who slice a trace). Where it is not sure it goes on: a line outside of a test's slice is one from which
//! nothing that the test looks at comes, a line inside of it is one from which it may. `docs/method.md` says what it follows.
//!
//! [`Graph`] knows where in the workspace something is written, called and thrown, once for a state; [`Graph::slice`] is a walk.

mod controls;
mod executed;
mod graph;
mod libraries;
mod walk;
mod watched;

pub use executed::{Executed, FileLines};
pub use graph::Graph;
pub use walk::{Slice, What};
