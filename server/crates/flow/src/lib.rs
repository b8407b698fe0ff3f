//! One method: its expressions in evaluation order, scopes, control flow, reaching definitions, definition-use chains.
//!
//! [`lower_member`] reads the nodes of one member into a [`Body`]; [`Flow`] computes from a body which definitions
//! reach which uses and how likely one block runs given another (`docs/method.md` §1.2-1.3). Nothing here knows another
//! file: what a name means is given by the caller.

mod body;
mod lower;
mod reaching;
#[cfg(test)]
mod tests;
mod types;

pub use body::*;
pub use lower::{Piece, lower_added, lower_initialisers, lower_member};
pub use reaching::{DefinitionSet, Flow, Options, Reaching, VariableKey};
pub use types::{lower_type, with_dimensions};
