//! A text and its tree.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

use tree_sitter::{Parser, Tree};

use crate::{Nodes, repair};

thread_local! {
    /// A parser costs more to make than a small file to parse, and cannot be shared between threads.
    static PARSER: RefCell<Parser> = RefCell::new(new_parser());
}

fn new_parser() -> Parser {
    let mut parser = Parser::new();
    parser
        .set_language(&crate::language())
        .expect("the grammar has the version that the library reads");
    parser
}

fn parse(source: &[u8]) -> Tree {
    let parse = |parser: &mut Parser| parser.parse(source, None);
    let tree = PARSER.try_with(|parser| {
        parser
            .try_borrow_mut()
            .ok()
            .and_then(|mut parser| parse(&mut parser))
    });
    // The thread's parser is gone only while the thread ends.
    let tree = tree.ok().flatten().or_else(|| parse(&mut new_parser()));
    tree.expect("a language is set and nothing cancels")
}

/// A text and its tree, always together.
#[derive(Clone, Debug)]
pub struct SourceFile {
    text: Arc<str>,
    tree: Tree,
    errors: u32,
    repaired: bool,
}

impl SourceFile {
    /// Parses `text` whole, about 15 MB/s. Never fails: what the grammar cannot read becomes error nodes. A file with
    /// errors is parsed again if a form of [`repair::REPAIRS`] occurs in it, and again if a statement looks unfinished.
    pub fn parse(text: Arc<str>) -> SourceFile {
        let mut source = Cow::Borrowed(text.as_bytes());
        if let Some(copy) = repair::before(&text) {
            source = Cow::Owned(copy);
        }
        let mut repaired = matches!(source, Cow::Owned(_));
        let mut tree = parse(&source);
        let mut errors = count_errors(&tree);
        for repair in [repair::on_error, repair::unfinished] {
            if errors > 0
                && let Some(copy) = repair(&source)
            {
                let next = parse(&copy);
                let fewer = count_errors(&next);
                if fewer < errors {
                    (tree, errors, repaired) = (next, fewer, true);
                    source = Cow::Owned(copy);
                }
            }
        }
        SourceFile {
            text,
            tree,
            errors,
            repaired,
        }
    }

    /// The text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }
    /// The tree; of a repaired file it is the tree of a copy of the same length.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }
    /// The flat nodes, with names from the original text.
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes::new(&self.tree, &self.text)
    }
    /// True if some of the text could not be read, also after repairs.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }
    /// Errors and missing tokens in the tree.
    pub fn error_count(&self) -> u32 {
        self.errors
    }
    /// True if the tree is that of a repaired copy.
    pub fn is_repaired(&self) -> bool {
        self.repaired
    }
}

/// Errors and missing tokens; visits only what contains one. Iterative.
fn count_errors(tree: &Tree) -> u32 {
    if !tree.root_node().has_error() {
        return 0;
    }
    let mut cursor = tree.walk();
    let mut errors = 0;
    loop {
        let node = cursor.node();
        errors += u32::from(node.is_error() || node.is_missing());
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return errors;
            }
        }
    }
}
