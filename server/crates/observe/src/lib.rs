//! What a test should observe: the probabilistic substitution graph and the ranking over it.
//!
//! Nothing here reads files or the clock, and results do not depend on hash order or threads.

pub mod assemble;
pub mod assertions;
pub mod capability;
pub mod chains;
mod library;
pub mod offer;
pub mod paths;
pub mod psg;
pub mod purity;
pub mod quiet;
pub mod rank;
pub mod reach;
pub mod selection;
pub mod suite;
pub mod workspace;
