//! A parsed file as one flat array in preorder: 20 bytes a node, no pointers, no comments, no punctuation.
//!
//! tree-sitter's own `child(i)` walks siblings from the first and `parent` from the root; lowering asks for both all
//! the time. One cursor pass copies the tree here, and the tree can then be dropped. Built iteratively: depth is
//! bounded by memory, not by the stack.

use std::borrow::Cow;

use crate::kind::{Field, Kind};
use text::Span;

/// A position in [`Nodes`]: the preorder index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct NodeId(pub u32);

#[derive(Clone, Copy, Debug)]
struct Flat {
    kind: Kind,
    field: Field,
    missing: bool,
    start: u32,
    end: u32,
    /// One past the last descendant.
    close: u32,
}

impl Flat {
    fn text<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start as usize..self.end as usize)
            .unwrap_or("")
    }
}

/// Turns each statement around an invocation of `calls` (increasing) into an explicit constructor invocation, by
/// dropping the invocation: its children become the statement's.
fn without(mut flat: Vec<Flat>, calls: &[u32]) -> Vec<Flat> {
    for &call in calls {
        // The expression statement stands directly before the invocation.
        flat[call as usize - 1].kind = Kind::ExplicitConstructorInvocation;
    }
    let mut kept = Vec::with_capacity(flat.len());
    for (at, row) in flat.into_iter().enumerate() {
        if calls.binary_search(&(at as u32)).is_err() {
            let dropped = calls.partition_point(|&call| call < row.close) as u32;
            kept.push(Flat {
                close: row.close - dropped,
                ..row
            });
        }
    }
    kept
}

/// The nodes of one file in preorder. Names and literals are read from the *original* text, also where a repaired
/// copy was parsed (the two have the same length).
#[derive(Debug)]
pub struct Nodes<'t> {
    text: &'t str,
    flat: Vec<Flat>,
}

impl<'t> Nodes<'t> {
    /// Copies `tree`; `text` is the original text of the file. Cost: linear in the number of nodes.
    ///
    /// Three forms come out under their proper kinds although the grammar reads them otherwise: a field of a compact
    /// source file (a local variable of the program, to the grammar), the `default` of `case null, default` (an
    /// identifier), and a constructor call after other statements (repaired to a call of a method).
    pub fn new(tree: &tree_sitter::Tree, text: &'t str) -> Nodes<'t> {
        let mut flat: Vec<Flat> = Vec::with_capacity(text.len() / 4);
        let mut open: Vec<u32> = Vec::new();
        let mut cursor = tree.walk();
        let mut late_calls: Vec<u32> = Vec::new();
        loop {
            let node = cursor.node();
            let kind = Kind::of(&node);
            let keep = kind != Kind::Other || open.is_empty();
            let mut descend = false;
            if keep {
                let at = flat.len() as u32;
                let parent = open
                    .last()
                    .map_or(Kind::Other, |&parent| flat[parent as usize].kind);
                let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
                let mut row = Flat {
                    kind,
                    field: Field::of(cursor.field_id()),
                    missing: start == end && node.is_missing(),
                    start,
                    end,
                    close: at + 1,
                };
                match (parent, kind) {
                    (Kind::Program, Kind::LocalVariableDeclaration) => {
                        row.kind = Kind::FieldDeclaration
                    }
                    (Kind::SwitchLabel, Kind::Identifier) if row.text(text) == "default" => {
                        row.kind = Kind::KwDefault;
                    }
                    (Kind::MethodInvocation, Kind::Identifier) if row.field == Field::Name => {
                        // No identifier has the text of a keyword, unless a repair made it one.
                        let call = match row.text(text) {
                            "super" => Kind::Super,
                            "this" => Kind::This,
                            _ => Kind::Identifier,
                        };
                        if call != Kind::Identifier
                            && let [.., statement, invocation] = open[..]
                            && invocation == statement + 1
                            && flat[statement as usize].kind == Kind::ExpressionStatement
                        {
                            row.kind = call;
                            row.field = Field::Constructor;
                            late_calls.push(invocation);
                        }
                    }
                    _ => {}
                }
                flat.push(row);
                descend = !kind.is_leaf() && cursor.goto_first_child();
                if descend {
                    open.push(at);
                }
            }
            if descend {
                continue;
            }
            loop {
                if cursor.goto_next_sibling() {
                    break;
                }
                let Some(parent) = open.pop() else {
                    if !late_calls.is_empty() {
                        late_calls.sort_unstable();
                        late_calls.dedup();
                        flat = without(flat, &late_calls);
                    }
                    return Nodes { text, flat };
                };
                flat[parent as usize].close = flat.len() as u32;
                cursor.goto_parent();
            }
        }
    }

    /// The root (`program`).
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }
    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.flat.len()
    }
    /// Never: there is always a root.
    pub fn is_empty(&self) -> bool {
        self.flat.is_empty()
    }
    /// The whole text.
    pub fn source(&self) -> &'t str {
        self.text
    }
    /// What the node is.
    pub fn kind(&self, n: NodeId) -> Kind {
        self.flat[n.0 as usize].kind
    }
    /// Its role in its parent.
    pub fn field(&self, n: NodeId) -> Field {
        self.flat[n.0 as usize].field
    }
    /// Its bytes in the file.
    pub fn span(&self, n: NodeId) -> Span {
        let f = &self.flat[n.0 as usize];
        Span::new(f.start, f.end)
    }
    /// True for a node that the parser inserted (it has no text).
    pub fn is_missing(&self, n: NodeId) -> bool {
        self.flat[n.0 as usize].missing
    }
    /// Its original text.
    pub fn text(&self, n: NodeId) -> &'t str {
        let f = &self.flat[n.0 as usize];
        self.text
            .get(f.start as usize..f.end as usize)
            .unwrap_or("")
    }
    /// Its text as Java reads it: Unicode escapes are translated. Use it for names; literals are translated with their
    /// other escapes, by who evaluates them.
    pub fn name(&self, n: NodeId) -> Cow<'t, str> {
        crate::repair::decode(self.text(n))
    }
    /// One past its last descendant: `n.0 + 1..close(n)` are the descendants in preorder.
    pub fn close(&self, n: NodeId) -> u32 {
        self.flat[n.0 as usize].close
    }
    /// Its children in order (kept nodes only: no comments, no punctuation).
    pub fn children(&self, n: NodeId) -> Children<'_> {
        Children {
            flat: &self.flat,
            next: n.0 + 1,
            end: self.close(n),
        }
    }
    /// The first child under `field`.
    pub fn child(&self, n: NodeId, field: Field) -> Option<NodeId> {
        self.children(n).find(|&c| self.field(c) == field)
    }
    /// The first child of `kind`.
    pub fn child_of(&self, n: NodeId, kind: Kind) -> Option<NodeId> {
        self.children(n).find(|&c| self.kind(c) == kind)
    }
}

/// Iterator over the children of a node.
#[derive(Clone)]
pub struct Children<'a> {
    flat: &'a [Flat],
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = NodeId;
    fn next(&mut self) -> Option<NodeId> {
        if self.next >= self.end {
            return None;
        }
        let at = self.next;
        self.next = self.flat[at as usize].close;
        Some(NodeId(at))
    }
}
