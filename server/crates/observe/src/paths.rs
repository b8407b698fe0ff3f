//! Why a candidate is worth observing: the path over which `i` stands in for `j` most probably.
//!
//! FOC sums over all paths (§1.5); the heaviest one is what a reader can follow. For `o5` and `o1` of the paper's example
//! that is `o5 → o9 → o8 → o3 → o1`.

use crate::{Capability, EdgeRef};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

/// One path of the substitution graph.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Path {
    /// The inner vertices in order, without the two ends: empty for a direct edge and for a candidate itself.
    pub(crate) via: Vec<u32>,
    /// The numbers of the edges in order, one more than `via`; empty for a candidate itself.
    pub(crate) edges: Vec<u32>,
    /// `FOC(path)`, in (0, 1].
    pub(crate) weight: f64,
}

/// The best way so far to a vertex, given whether an edge that is not a copy was used.
#[derive(Clone, Copy, Debug)]
struct Best {
    weight: f64,
    length: u32,
    /// The last edge, and the state it came from; `None` at the start.
    last: Option<(EdgeRef, usize)>,
}

impl Best {
    /// Heavier first, then shorter, then from the earlier candidate.
    fn beats(&self, other: &Best) -> bool {
        let before = |best: &Best| best.last.map(|(edge, state)| (edge.from, state));
        self.weight > other.weight
            || (self.weight == other.weight
                && (self.length, before(self)) < (other.length, before(other)))
    }
}

/// No edge so far, or copies only.
const COPIED: usize = 0;
/// At least one edge that is not a copy.
const USED: usize = 1;

/// The heaviest of the paths that `FOC(i,j)` sums over; `None` if `i` cannot observe `j`. Of equally heavy ones the shorter,
/// then the one through the earlier candidates. O(r log r + edges) for the r candidates between the two.
pub(crate) fn best_path(capability: &Capability<'_>, i: u32, j: u32) -> Option<Path> {
    let psg = capability.psg();
    if i >= psg.vertex_count() || j >= psg.vertex_count() {
        return None;
    }
    if i == j {
        return Some(Path {
            via: Vec::new(),
            edges: Vec::new(),
            weight: 1.0,
        });
    }
    let lambda = capability.lambda();
    // At λ = 0 a cut edge counts as a path of its own.
    let direct = psg
        .find_edge(i, j)
        .filter(|edge| !edge.cut || lambda == 0.0)
        .map(|edge| Path {
            via: Vec::new(),
            edges: vec![edge.id],
            weight: edge.probability,
        });
    let walked = if capability.is_direct() {
        None
    } else {
        walk(capability, i, j)
    };
    match (direct, walked) {
        (Some(direct), Some(walked)) if walked.weight > direct.weight => Some(walked),
        (Some(direct), _) => Some(direct),
        (None, walked) => walked,
    }
}

fn walk(capability: &Capability<'_>, i: u32, j: u32) -> Option<Path> {
    let psg = capability.psg();
    let lambda = capability.lambda();
    let last_place = psg.topological(j);
    let mut best: FxHashMap<u32, [Option<Best>; 2]> = FxHashMap::default();
    let mut queue = BinaryHeap::new();
    let start = Best {
        weight: 1.0,
        length: 0,
        last: None,
    };
    best.insert(i, [Some(start), None]);
    queue.push(Reverse((psg.topological(i), i)));
    while let Some(Reverse((_, vertex))) = queue.pop() {
        if vertex == j {
            break;
        }
        let here = best.get(&vertex).copied().unwrap_or_default();
        for edge in psg.outgoing(vertex) {
            let place = psg.topological(edge.to);
            if edge.cut || place > last_place {
                continue;
            }
            for (state, from) in here.iter().enumerate() {
                let Some(from) = from else { continue };
                let copy = capability.is_copy(edge);
                let factor = if copy || state == COPIED { 1.0 } else { lambda };
                let candidate = Best {
                    weight: from.weight * factor * edge.probability,
                    length: from.length + 1,
                    last: Some((edge, state)),
                };
                if candidate.weight == 0.0 {
                    continue;
                }
                let there = best.entry(edge.to).or_insert_with(|| {
                    queue.push(Reverse((place, edge.to)));
                    [None, None]
                });
                let there = &mut there[if copy { state } else { USED }];
                if there.is_none_or(|there| candidate.beats(&there)) {
                    *there = Some(candidate);
                }
            }
        }
    }

    let arrived = best.get(&j)?;
    let mut state = match arrived {
        [Some(copied), Some(used)] if used.beats(copied) => USED,
        [Some(_), _] => COPIED,
        [None, Some(_)] => USED,
        [None, None] => return None,
    };
    let weight = arrived[state]?.weight;
    let (mut via, mut edges) = (Vec::new(), Vec::new());
    let mut vertex = j;
    while let Some((edge, before)) = best.get(&vertex)?[state]?.last {
        edges.push(edge.id);
        if edge.from != i {
            via.push(edge.from);
        }
        (vertex, state) = (edge.from, before);
    }
    via.reverse();
    edges.reverse();
    Some(Path { via, edges, weight })
}

#[cfg(test)]
mod tests;
