//! One Java file: parsing, with repairs, queries, and the flat nodes that lowering reads.
//!
//! A [`SourceFile`] is a text and its tree, always together and never changed: an edit makes a new one, parsed whole. Parsing never
//! fails; what the grammar cannot read becomes error nodes, and what it should be able to read but cannot is repaired
//! ([`repair`]). The names of nodes come from the original text always.

pub mod kind;
pub mod nodes;
mod parse;
pub mod query;
pub mod repair;

pub use kind::{Field, Kind};
pub use nodes::{NodeId, Nodes};
pub use parse::SourceFile;
pub use query::{
    AssertionCapture, Found, Queries, QueryError, QueryFile, TestCapture, TestMarkKind,
};

/// The grammar.
pub fn language() -> tree_sitter::Language {
    tree_sitter_java::LANGUAGE.into()
}
