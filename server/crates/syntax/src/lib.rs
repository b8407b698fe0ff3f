//! One Java file: parsing (whole, incremental, repaired), queries, and the flat nodes that lowering reads.

pub mod kind;
pub mod nodes;

pub use kind::{Field, Kind};
pub use nodes::{NodeId, Nodes};

/// The grammar.
pub fn language() -> tree_sitter::Language {
    tree_sitter_java::LANGUAGE.into()
}

use std::sync::Arc;

/// A text and its tree, always together.
#[derive(Clone, Debug)]
pub struct SourceFile {
    text: Arc<str>,
    tree: tree_sitter::Tree,
}

impl SourceFile {
    /// Parses `text` whole. Never fails: what the grammar cannot read becomes error nodes.
    pub fn parse(text: Arc<str>) -> SourceFile {
        let mut parser = tree_sitter::Parser::new();
        let _ = parser.set_language(&language());
        let tree = parser.parse(text.as_bytes(), None).expect("a language is set and nothing cancels");
        SourceFile { text, tree }
    }
    /// The text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }
    /// The flat nodes, with names from the original text.
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes::new(&self.tree, &self.text)
    }
}
