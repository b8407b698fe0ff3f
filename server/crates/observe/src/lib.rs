//! What a test should observe: the probabilistic substitution graph and the ranking over it.
//!
//! Nothing here reads files or the clock, and results do not depend on hash order or threads.

pub mod capability;
pub mod paths;
pub mod psg;
pub mod selection;
