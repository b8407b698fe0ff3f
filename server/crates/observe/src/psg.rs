//! The probabilistic substitution graph of one ranked scope (SODS, `docs/method.md` §1.2-1.3), on plain numbers.
//!
//! A vertex is a candidate, its number is its place in the order by position. An [`Edge`] `from → to` says: `from` uses the
//! value that `to` defined, so `from` can stand in for `to`, with probability `P(from ⇒ to)` that `from`'s statement runs
//! given that `to`'s ran. The paper draws the same edge from `to` to `from`.
//!
//! The graph is stored as two compressed row lists, edges sorted by `(from, to)`, so nothing depends on the order in which
//! edges arrive. The edges that close a cycle between methods are marked *cut*: direct substitution still counts them, paths
//! of two edges and more do not use them. What is not cut is acyclic for any input. Where the edges come from is not known here.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use calls::UnitId;
use petgraph::algo::kosaraju_scc;
use petgraph::visit::NodeFiltered;
use view::View;

/// How the value gets from `to` to `from`.
///
/// The order counts: of parallel edges the first kind stands for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    /// A use of a definition that reaches it within the method.
    Local,
    /// An array's element or an array's earlier definition.
    Array,
    /// Through a call whose body is not in the workspace (a black box).
    Library,
    /// A formal parameter uses the actual.
    Argument,
    /// The receiver of a call's value uses the returned value.
    Return,
    /// A member variable's use takes a definition from another method.
    Field,
    /// A lambda's or local class's body uses a variable of the method around it.
    Capture,
}

impl EdgeKind {
    /// As output writes it.
    pub fn name(self) -> &'static str {
        match self {
            EdgeKind::Local => "local",
            EdgeKind::Array => "array",
            EdgeKind::Library => "library",
            EdgeKind::Argument => "argument",
            EdgeKind::Return => "return",
            EdgeKind::Field => "field",
            EdgeKind::Capture => "capture",
        }
    }

    /// Whether edges of this kind lead from one method to another (or, in a recursion, to another call of the same one).
    pub(crate) fn is_between_methods(self) -> bool {
        matches!(
            self,
            EdgeKind::Argument | EdgeKind::Return | EdgeKind::Field | EdgeKind::Capture
        )
    }
}

/// One candidate, as far as the graph must know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vertex {
    /// The method, numbered by (path, place in the file).
    pub unit: UnitId,
    /// The place of the defining statement in the reverse postorder of its method's loop-free control flow.
    pub postorder: u32,
}

/// One definition-use chain with its weight, as it is handed in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The candidate that can stand in.
    pub from: u32,
    /// The candidate that is stood in for.
    pub to: u32,
    pub kind: EdgeKind,
    /// `P(from ⇒ to)`; clamped into [0, 1], an edge of probability 0 (or NaN) is dropped.
    pub probability: f64,
    /// The value arrives unchanged: `x = y`, actual → formal, returned → receiver.
    pub copy: bool,
}

/// An edge of the built graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeRef {
    /// The edge's number: its place in the order by `(from, to)`.
    pub id: u32,
    pub from: u32,
    pub to: u32,
    pub kind: EdgeKind,
    /// In (0, 1].
    pub probability: f64,
    pub copy: bool,
    /// The edge closes a cycle between methods (§1.2): paths of two edges and more do not use it.
    pub cut: bool,
}

#[derive(Clone, Copy, Debug)]
struct Stored {
    kind: EdgeKind,
    copy: bool,
    cut: bool,
}

/// The probabilistic substitution graph. Immutable once built.
#[derive(Clone, Debug)]
pub struct Psg {
    /// `edges[out_starts[v]..out_starts[v + 1]]` leave `v`.
    out_starts: Vec<u32>,
    targets: Vec<u32>,
    probabilities: Vec<f64>,
    stored: Vec<Stored>,
    /// `incoming[in_starts[v]..in_starts[v + 1]]` are the numbers of the edges that enter `v`, by ascending `from`.
    in_starts: Vec<u32>,
    incoming: Vec<u32>,
    sources: Vec<u32>,
    /// The place of each vertex in a topological order of the uncut edges: `from` before `to`.
    topological: Vec<u32>,
    units: Vec<UnitId>,
}

impl Psg {
    /// Builds the graph: O(V log V + E log E).
    ///
    /// - Of parallel edges one remains, of the largest probability (ours): two uses in one statement do not run more often
    ///   than one. It counts as a copy only if all of them are, and has the first of their kinds, so that one local use is
    ///   enough to keep the pair from being cut. Weights that are *shares* of a whole (two calls of one method in one
    ///   statement, each half of its callers) are to be added by the caller, who knows that they are shares.
    /// - Edges from a vertex to itself, of probability 0, or with an end that does not exist are dropped.
    /// - Cycles are cut as §1.2 says, see `cut_cycles`.
    ///
    /// At most `u32::MAX` vertices and edges are used; what is beyond that is left out.
    pub fn new(vertices: &[Vertex], edges: impl IntoIterator<Item = Edge>) -> Psg {
        let count = vertices.len().min(u32::MAX as usize - 1);
        let vertices = &vertices[..count];
        let edges = merge_parallel(count, edges);

        let out_starts = starts(count, edges.iter().map(|edge| edge.from));
        let in_starts = starts(count, edges.iter().map(|edge| edge.to));
        let mut next = in_starts.clone();
        let mut incoming = vec![0; edges.len()];
        for (id, edge) in edges.iter().enumerate() {
            let slot = &mut next[edge.to as usize];
            incoming[*slot as usize] = id as u32;
            *slot += 1;
        }

        let mut psg = Psg {
            out_starts,
            targets: edges.iter().map(|edge| edge.to).collect(),
            probabilities: edges.iter().map(|edge| edge.probability).collect(),
            stored: edges
                .iter()
                .map(|edge| Stored {
                    kind: edge.kind,
                    copy: edge.copy,
                    cut: false,
                })
                .collect(),
            in_starts,
            incoming,
            sources: edges.iter().map(|edge| edge.from).collect(),
            topological: Vec::new(),
            units: vertices.iter().map(|vertex| vertex.unit).collect(),
        };
        psg.cut_cycles(vertices);
        psg.topological = psg.order_topologically();
        psg
    }

    /// The number of candidates.
    pub fn vertex_count(&self) -> u32 {
        self.units.len() as u32
    }

    /// The number of edges, cut ones included.
    pub fn edge_count(&self) -> u32 {
        self.targets.len() as u32
    }

    /// The method of a vertex; `None` if there is no such vertex.
    pub fn unit(&self, vertex: u32) -> Option<UnitId> {
        self.units.get(vertex as usize).copied()
    }

    /// How many edges are cut.
    #[cfg(test)]
    pub(crate) fn cut_edges(&self) -> u32 {
        self.stored.iter().filter(|edge| edge.cut).count() as u32
    }

    /// The edge of that number.
    pub fn edge(&self, id: u32) -> Option<EdgeRef> {
        let index = id as usize;
        (index < self.stored.len()).then(|| self.at(index))
    }

    /// All edges, ascending by `(from, to)`.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = EdgeRef> + '_ {
        (0..self.targets.len()).map(|index| self.at(index))
    }

    /// What `from` can directly stand in for, cut edges included, ascending by `to`. Empty for a vertex that does not exist.
    pub fn outgoing(&self, from: u32) -> impl ExactSizeIterator<Item = EdgeRef> + '_ {
        range(&self.out_starts, from).map(|index| self.at(index))
    }

    /// Who can directly stand in for `to`, cut edges included, ascending by `from`. Empty for a vertex that does not exist.
    pub(crate) fn incoming(&self, to: u32) -> impl ExactSizeIterator<Item = EdgeRef> + '_ {
        range(&self.in_starts, to).map(|slot| self.at(self.incoming[slot] as usize))
    }

    /// The edge between two vertices, if there is one. O(log of the edges that leave `from`).
    pub(crate) fn find_edge(&self, from: u32, to: u32) -> Option<EdgeRef> {
        let range = range(&self.out_starts, from);
        let start = range.start;
        let offset = self.targets[range].binary_search(&to).ok()?;
        Some(self.at(start + offset))
    }

    /// The place of a vertex in a topological order of the uncut edges; every uncut edge leads from a smaller to a larger
    /// place. The same for any order of the edges handed in.
    pub(crate) fn topological(&self, vertex: u32) -> u32 {
        self.topological[vertex as usize]
    }

    fn at(&self, index: usize) -> EdgeRef {
        let stored = self.stored[index];
        EdgeRef {
            id: index as u32,
            from: self.sources[index],
            to: self.targets[index],
            kind: stored.kind,
            probability: self.probabilities[index],
            copy: stored.copy,
            cut: stored.cut,
        }
    }

    fn is_between_methods(&self, edge: EdgeRef) -> bool {
        edge.kind.is_between_methods()
            || self.units[edge.from as usize] != self.units[edge.to as usize]
    }

    /// Cuts every edge between methods whose two ends lie in one strongly connected component and that does not lead from
    /// a later to an earlier candidate in the order of (path, method, reverse postorder). Local edges are never cut: where
    /// the reverse postorder does not tell (`x = (y = 1) + y` defines two variables in one statement), the order of a method
    /// follows its local edges first.
    fn cut_cycles(&mut self, vertices: &[Vertex]) {
        let component = self.components();
        let within = |edge: &EdgeRef| {
            let from = component[edge.from as usize];
            from != NO_CYCLE && from == component[edge.to as usize]
        };
        if component.iter().all(|&number| number == NO_CYCLE) {
            return;
        }
        let place = self.places(vertices, &component);
        let cut: Vec<u32> = self
            .edges()
            .filter(|edge| within(edge) && place[edge.from as usize] < place[edge.to as usize])
            .map(|edge| edge.id)
            .collect();
        for &id in &cut {
            self.stored[id as usize].cut = true;
        }
    }

    /// The vertices that remain when those that nothing leads to are taken away again and again, and those from which
    /// nothing leads: what lies on cycles, or between two.
    fn core(&self) -> Vec<bool> {
        let count = self.units.len();
        let mut core = vec![true; count];
        for forwards in [true, false] {
            let starts = if forwards {
                &self.in_starts
            } else {
                &self.out_starts
            };
            let mut left: Vec<u32> = starts.windows(2).map(|w| w[1] - w[0]).collect();
            let mut work: Vec<u32> = (0..count as u32)
                .filter(|&v| core[v as usize] && left[v as usize] == 0)
                .collect();
            while let Some(vertex) = work.pop() {
                core[vertex as usize] = false;
                // Nothing leads from the core to what the first pass took away.
                let mut follow = |next: u32| {
                    left[next as usize] -= 1;
                    if left[next as usize] == 0 && core[next as usize] {
                        work.push(next);
                    }
                };
                if forwards {
                    for index in range(&self.out_starts, vertex) {
                        follow(self.targets[index]);
                    }
                } else {
                    for slot in range(&self.in_starts, vertex) {
                        follow(self.sources[self.incoming[slot] as usize]);
                    }
                }
            }
        }
        core
    }

    /// The number of each vertex's strongly connected component; [`NO_CYCLE`] for one that lies on no cycle.
    fn components(&self) -> Vec<u32> {
        // Most graphs have few cycles or none, and petgraph makes a list of each vertex that lies on none.
        let core = self.core();
        let graph = NodeFiltered::from_fn(View(self), |vertex: u32| core[vertex as usize]);
        let mut component = vec![NO_CYCLE; self.units.len()];
        // Kosaraju's algorithm, because petgraph's Tarjan recurses once a vertex of a path. No vertex has an edge to itself.
        let cycles = kosaraju_scc(&graph).into_iter().filter(|c| c.len() > 1);
        for (number, together) in cycles.enumerate() {
            for member in together {
                component[member as usize] = number as u32;
            }
        }
        component
    }

    /// The place of each vertex in the order that cutting follows: by method, in a method by reverse postorder, then by
    /// number; but never a local edge's `from` before its `to`. Only methods with a vertex on a cycle are placed.
    ///
    /// Kahn's algorithm with the wanted order as priority: where the wanted order respects the local edges, it is the result.
    fn places(&self, vertices: &[Vertex], component: &[u32]) -> Vec<u32> {
        let count = vertices.len();
        let key = |vertex: u32| {
            let Vertex { unit, postorder } = vertices[vertex as usize];
            (unit, postorder, vertex)
        };
        let mut units: Vec<UnitId> = (0..count)
            .filter(|&vertex| component[vertex] != NO_CYCLE)
            .map(|vertex| vertices[vertex].unit)
            .collect();
        units.sort_unstable();
        units.dedup();
        let mut by_key: Vec<u32> = (0..count as u32)
            .filter(|&vertex| units.binary_search(&vertices[vertex as usize].unit).is_ok())
            .collect();
        by_key.sort_unstable_by_key(|&vertex| key(vertex));
        let mut waits_for = vec![0_u32; count];
        for &vertex in &by_key {
            let local = self
                .outgoing(vertex)
                .filter(|&e| !self.is_between_methods(e));
            waits_for[vertex as usize] = local.count() as u32;
        }

        // Local edges stay within a method, so methods can be placed one after the other.
        let mut place = vec![u32::MAX; count];
        let mut placed = 0;
        let mut ready = BinaryHeap::new();
        for unit in by_key.chunk_by(|&a, &b| vertices[a as usize].unit == vertices[b as usize].unit)
        {
            let end = placed + unit.len() as u32;
            ready.extend(
                unit.iter()
                    .filter(|&&vertex| waits_for[vertex as usize] == 0)
                    .map(|&vertex| Reverse(key(vertex))),
            );
            let mut stuck = unit.iter();
            while placed < end {
                // A loop-free method has no cycle of local edges. Should one be handed in all the same, its first candidate
                // goes first, and the local edges that then lead forwards are cut like the others.
                let Some(vertex) = ready
                    .pop()
                    .map(|Reverse((_, _, vertex))| vertex)
                    .or_else(|| stuck.next().copied())
                else {
                    break;
                };
                if place[vertex as usize] != u32::MAX {
                    continue;
                }
                place[vertex as usize] = placed;
                placed += 1;
                for edge in self.incoming(vertex) {
                    if !self.is_between_methods(edge) {
                        let waits = &mut waits_for[edge.from as usize];
                        *waits -= 1;
                        if *waits == 0 {
                            ready.push(Reverse(key(edge.from)));
                        }
                    }
                }
            }
            ready.clear();
        }
        place
    }

    fn order_topologically(&self) -> Vec<u32> {
        let count = self.units.len();
        let mut waits_for = vec![0_u32; count];
        for edge in self.edges() {
            if !edge.cut {
                waits_for[edge.to as usize] += 1;
            }
        }
        let mut queue: Vec<u32> = (0..count as u32)
            .filter(|&vertex| waits_for[vertex as usize] == 0)
            .collect();
        let mut topological = vec![0; count];
        let mut next = 0;
        while let Some(&vertex) = queue.get(next) {
            topological[vertex as usize] = next as u32;
            next += 1;
            for edge in self.outgoing(vertex) {
                if !edge.cut {
                    let waits = &mut waits_for[edge.to as usize];
                    *waits -= 1;
                    if *waits == 0 {
                        queue.push(edge.to);
                    }
                }
            }
        }
        debug_assert_eq!(next, count, "the uncut graph has a cycle");
        topological
    }
}

/// The component of what lies on no cycle.
const NO_CYCLE: u32 = u32::MAX;

fn merge_parallel(count: usize, edges: impl IntoIterator<Item = Edge>) -> Vec<Edge> {
    let exists = |vertex: u32| (vertex as usize) < count;
    let mut edges: Vec<Edge> = edges
        .into_iter()
        .filter(|edge| {
            edge.from != edge.to && exists(edge.from) && exists(edge.to) && edge.probability > 0.0
        })
        .take(u32::MAX as usize)
        .map(|edge| Edge {
            probability: edge.probability.min(1.0),
            ..edge
        })
        .collect();
    edges.sort_unstable_by_key(|edge| u64::from(edge.from) << 32 | u64::from(edge.to));
    edges.dedup_by(|later, kept| {
        let parallel = (later.from, later.to) == (kept.from, kept.to);
        if parallel {
            kept.probability = kept.probability.max(later.probability);
            kept.kind = kept.kind.min(later.kind);
            kept.copy &= later.copy;
        }
        parallel
    });
    edges
}

/// Where each vertex's run of edges starts, and the end of the last run.
fn starts(count: usize, ends: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0_u32; count + 1];
    for vertex in ends {
        starts[vertex as usize + 1] += 1;
    }
    for index in 0..count {
        starts[index + 1] += starts[index];
    }
    starts
}

fn range(starts: &[u32], vertex: u32) -> std::ops::Range<usize> {
    match starts.get(vertex as usize..) {
        Some([start, end, ..]) => *start as usize..*end as usize,
        _ => 0..0,
    }
}

mod view;

#[cfg(test)]
pub(crate) mod tests;
