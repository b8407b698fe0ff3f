//! The graph as petgraph's algorithms read it, where it lies: nothing is copied.
//!
//! What runs on it and what does not is measured in `docs/decisions/algorithms-on-graphs.md`.

use super::{Psg, range};
use fixedbitset::FixedBitSet;
use petgraph::Direction;
use petgraph::visit::{
    GraphBase, GraphRef, IntoNeighbors, IntoNeighborsDirected, IntoNodeIdentifiers, Visitable,
};
use std::ops::Range;

/// All vertices, with all edges.
#[derive(Clone, Copy)]
pub(super) struct View<'a>(pub(super) &'a Psg);

/// The vertices at the other ends of a vertex's edges.
pub(super) struct Neighbors<'a> {
    psg: &'a Psg,
    direction: Direction,
    at: Range<usize>,
}

impl Iterator for Neighbors<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let at = self.at.next()?;
        Some(match self.direction {
            Direction::Outgoing => self.psg.targets[at],
            Direction::Incoming => self.psg.sources[self.psg.incoming[at] as usize],
        })
    }
}

impl GraphBase for View<'_> {
    type NodeId = u32;
    type EdgeId = u32;
}

impl GraphRef for View<'_> {}

impl<'a> IntoNeighbors for View<'a> {
    type Neighbors = Neighbors<'a>;

    fn neighbors(self, vertex: u32) -> Neighbors<'a> {
        self.neighbors_directed(vertex, Direction::Outgoing)
    }
}

impl<'a> IntoNeighborsDirected for View<'a> {
    type NeighborsDirected = Neighbors<'a>;

    fn neighbors_directed(self, vertex: u32, direction: Direction) -> Neighbors<'a> {
        let starts = match direction {
            Direction::Outgoing => &self.0.out_starts,
            Direction::Incoming => &self.0.in_starts,
        };
        Neighbors {
            psg: self.0,
            direction,
            at: range(starts, vertex),
        }
    }
}

impl IntoNodeIdentifiers for View<'_> {
    type NodeIdentifiers = Range<u32>;

    fn node_identifiers(self) -> Range<u32> {
        0..self.0.vertex_count()
    }
}

impl Visitable for View<'_> {
    type Map = FixedBitSet;

    fn visit_map(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.0.units.len())
    }

    fn reset_map(&self, map: &mut FixedBitSet) {
        map.clear();
    }
}
