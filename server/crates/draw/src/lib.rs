//! A graph as a picture: [`svg()`] for people, [`dot()`] for other tools; numbers as a [`plot()`]. What they stand for is the caller's
//! business.

mod dot;
mod layout;
mod plot;
mod svg;

pub use dot::dot;
pub use plot::{Look, Series, label, plot};
pub use svg::{SvgOptions, escape, svg};

/// A graph as a reader is to see it; edges lead from left to right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawGraph {
    pub nodes: Vec<DrawNode>,
    /// Edges whose ends do not exist are not drawn.
    pub edges: Vec<DrawEdge>,
}

/// A box with some lines of text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawNode {
    /// The first line is the name; the others are drawn smaller.
    pub label_lines: Vec<String>,
    /// Names of classes, separated by spaces; see [`svg()`] for those that have a look of their own.
    pub class: String,
    /// Shown while the pointer rests on the node; may be empty.
    pub title: String,
    /// Where a click leads.
    pub link: Option<String>,
    /// A way that the title speaks of, as indices of [`DrawGraph::nodes`] from this node on; may be empty.
    pub way: Vec<u32>,
}

/// An arrow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawEdge {
    /// An index of [`DrawGraph::nodes`].
    pub from: u32,
    pub to: u32,
    /// May be empty.
    pub label: String,
    pub class: String,
    pub title: String,
    /// The edge may lead from right to left, so that others need not: the edges that are cut (§1.2).
    pub against_flow: bool,
}
