//! One method: its expressions in evaluation order, scopes, control flow, reaching definitions, definition-use chains.

pub mod body;
pub use body::*;
