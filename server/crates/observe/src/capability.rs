//! Fault-observing capability, FOC (SODS, `docs/method.md` §1.5): how likely a wrong value of `j` shows in a candidate `i`.
//!
//! `FOC(i,i) = 1`; one path from `i` to `j` along edges `from → to` weighs `λ^s · Π P` with `s` inner vertices, and
//! `FOC(i,j) = min(1, sum over all paths)`. In the paper's example, at λ = 1, `o5 → o9 → o8 → o3 → o1` weighs
//! `1 · 1 · 1/8 · 1`, and `FOC(o5) = 1 + 1 + 1 + 1 + 1/8 + 1/8 + 1/8 = 4.375`.
//!
//! The paper's Floyd variant is O(n³). The uncut graph is acyclic, so one row is one pass in topological order over what `i`
//! reaches; an n × n matrix is never built. The sum is clamped once at the end, not at inner vertices.
//!
//! Edges that are cut (§1.2) count as paths of their own for λ = 0, where only direct edges count, and not at all for λ > 0.

use crate::{EdgeRef, Psg};
use calls::Cancellation;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

/// What a path is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FocOptions {
    /// How far substitution carries over a further edge, in [0, 1]; clamped, NaN counts as 0. The paper's best is 0.
    pub lambda: f64,
    /// Copies cost no λ (§1.8): a path weighs `λ^max(0, k - 1) · Π P`, where `k` is the number of its edges that are not
    /// copies. Without copies this is the paper's `λ^s`. At λ = 0 (`0^0 = 1`) a path may then have any number of copies and
    /// one other edge.
    pub copies_free: bool,
    /// What [`Capability`] leaves out: a candidate whose sum of paths, before clamping, lies below `epsilon` is left out of
    /// a row, and what would be reached through it. 0 leaves out nothing.
    pub epsilon: f64,
}

impl Default for FocOptions {
    /// The paper's ranking: λ = 0, exact.
    fn default() -> Self {
        FocOptions {
            lambda: 0.0,
            copies_free: false,
            epsilon: 0.0,
        }
    }
}

/// What one candidate can observe.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// `(j, FOC(i,j))` with `0 < FOC(i,j) ≤ 1`, ascending by `j`; `(i, 1.0)` is among them.
    pub entries: Vec<(u32, f64)>,
    /// `Σ_j FOC(i,j)` is too small by at most this much, because of [`FocOptions::epsilon`]. 0 if nothing was left out.
    pub error_bound: f64,
}

impl Row {
    /// `FOC(i) = Σ_j FOC(i,j)`.
    pub fn total(&self) -> f64 {
        self.entries.iter().map(|&(_, foc)| foc).sum()
    }
}

/// The fault-observing capability of the candidates of one graph, row by row on demand.
#[derive(Clone, Debug)]
pub struct Capability<'g> {
    psg: &'g Psg,
    lambda: f64,
    copies_free: bool,
    epsilon: f64,
    /// By vertex: an upper bound of what all paths that go on from it add to a row, given that their edges so far were
    /// all copies (index 0), or not (index 1). Only filled if something may be left out.
    onward: [Vec<f64>; 2],
    /// Whether the rows are still wanted; always where nobody says.
    cancellation: Option<&'g Cancellation>,
}

/// The sums of the paths that arrive at a vertex: over paths of copies only, and over the others.
///
/// Without `copies_free` no edge counts as a copy, and the first is used for the start alone.
#[derive(Clone, Copy, Debug, Default)]
struct Arrived {
    copied: f64,
    used: f64,
}

/// Space for computing rows, to be used for many of them. Empty between two rows.
#[derive(Debug)]
struct Scratch {
    arrived: Vec<Arrived>,
    seen: Vec<bool>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Scratch {
    fn new(psg: &Psg) -> Scratch {
        let count = psg.vertex_count() as usize;
        Scratch {
            arrived: vec![Arrived::default(); count],
            seen: vec![false; count],
            queue: BinaryHeap::new(),
        }
    }
}

impl<'g> Capability<'g> {
    /// O(V + E) if `epsilon > 0`, else O(1).
    pub(crate) fn new(psg: &'g Psg, options: FocOptions) -> Capability<'g> {
        let lambda = options.lambda;
        let mut capability = Capability {
            psg,
            lambda: if lambda > 0.0 { lambda.min(1.0) } else { 0.0 },
            copies_free: options.copies_free,
            epsilon: options.epsilon.max(0.0),
            onward: [Vec::new(), Vec::new()],
            cancellation: None,
        };
        if capability.epsilon > 0.0 {
            capability.bound_onward();
        }
        capability
    }

    /// The same, as long as its rows are wanted: each is a step.
    #[must_use]
    pub fn under(self, cancellation: &'g Cancellation) -> Capability<'g> {
        Capability {
            cancellation: Some(cancellation),
            ..self
        }
    }

    pub(crate) fn poll(&self) {
        self.cancellation.iter().for_each(|c| c.poll());
    }

    /// The graph that it is computed on.
    pub fn psg(&self) -> &'g Psg {
        self.psg
    }

    /// λ, clamped.
    pub fn lambda(&self) -> f64 {
        self.lambda
    }

    pub(crate) fn is_copy(&self, edge: EdgeRef) -> bool {
        self.copies_free && edge.copy
    }

    /// Whether only the edge list counts: λ = 0, and copies are like other edges.
    pub(crate) fn is_direct(&self) -> bool {
        self.lambda == 0.0 && !self.copies_free
    }

    /// What candidate `i` can observe. O(r log r + edges of the r candidates that it reaches), and O(V) for the space.
    /// Empty for a candidate that does not exist.
    pub fn row(&self, i: u32) -> Row {
        if i >= self.psg.vertex_count() {
            return Row::default();
        }
        if self.is_direct() {
            return self.direct_row(i);
        }
        self.row_in(i, usize::MAX, &mut Scratch::new(self.psg))
    }

    /// The rows of some candidates; cheaper than one by one, since they share their space.
    pub fn rows(&self, of: &[u32]) -> Vec<Row> {
        if self.is_direct() {
            return of.iter().map(|&i| self.row(i)).collect();
        }
        let mut scratch = Scratch::new(self.psg);
        of.iter()
            .map(|&i| {
                if i < self.psg.vertex_count() {
                    self.row_in(i, usize::MAX, &mut scratch)
                } else {
                    Row::default()
                }
            })
            .collect()
    }

    /// λ = 0: the edge list.
    fn direct_row(&self, i: u32) -> Row {
        self.poll();
        let mut row = Row::default();
        for edge in self.psg.outgoing(i) {
            if edge.probability >= self.epsilon {
                row.entries.push((edge.to, edge.probability));
            } else {
                row.error_bound += edge.probability;
            }
        }
        let at = row.entries.partition_point(|&(j, _)| j < i);
        row.entries.insert(at, (i, 1.0));
        row
    }

    /// One pass in topological order, so that all paths to a vertex are summed before it hands its sum on. Goes on from at
    /// most `most` vertices.
    fn row_in(&self, i: u32, most: usize, scratch: &mut Scratch) -> Row {
        self.poll();
        let Scratch {
            arrived,
            seen,
            queue,
        } = scratch;
        let mut row = Row::default();
        arrived[i as usize] = Arrived {
            copied: 1.0,
            used: 0.0,
        };
        seen[i as usize] = true;
        queue.push(Reverse((self.psg.topological(i), i)));
        while let Some(Reverse((_, vertex))) = queue.pop() {
            let sums = std::mem::take(&mut arrived[vertex as usize]);
            seen[vertex as usize] = false;
            let sum = sums.copied + sums.used;
            if vertex != i && (sum < self.epsilon || row.entries.len() >= most) {
                // What is left out here: each path that arrived, with all ways on. Infinite bounds (sums of very many
                // paths) are met by the clamp below.
                for (sum, onward) in [sums.copied, sums.used].into_iter().zip(&self.onward) {
                    if sum > 0.0 {
                        row.error_bound += sum
                            * onward
                                .get(vertex as usize)
                                .copied()
                                .unwrap_or(f64::INFINITY);
                    }
                }
                continue;
            }
            row.entries.push((vertex, sum.min(1.0)));
            for edge in self.psg.outgoing(vertex) {
                if edge.cut {
                    continue;
                }
                let next = self.step(sums, edge);
                if next.copied == 0.0 && next.used == 0.0 {
                    continue;
                }
                let there = &mut arrived[edge.to as usize];
                there.copied += next.copied;
                there.used += next.used;
                if !std::mem::replace(&mut seen[edge.to as usize], true) {
                    queue.push(Reverse((self.psg.topological(edge.to), edge.to)));
                }
            }
        }
        row.entries.sort_unstable_by_key(|&(j, _)| j);
        if self.lambda == 0.0 {
            self.add_direct_cut_edges(i, &mut row);
        }
        // No more than the whole of the candidates that are missing or not yet whole can be missing.
        row.error_bound = row.error_bound.min(f64::from(self.psg.vertex_count()));
        row
    }

    /// At λ = 0 a cut edge is a path of its own.
    fn add_direct_cut_edges(&self, i: u32, row: &mut Row) {
        for edge in self.psg.outgoing(i).filter(|edge| edge.cut) {
            match row.entries.binary_search_by_key(&edge.to, |&(j, _)| j) {
                Ok(at) => {
                    let foc = &mut row.entries[at].1;
                    *foc = (*foc + edge.probability).min(1.0);
                }
                Err(at) if edge.probability >= self.epsilon => {
                    row.entries.insert(at, (edge.to, edge.probability));
                }
                Err(_) => row.error_bound += edge.probability,
            }
        }
    }

    /// The sums that one edge hands on.
    fn step(&self, sums: Arrived, edge: EdgeRef) -> Arrived {
        let probability = edge.probability;
        if self.is_copy(edge) {
            Arrived {
                copied: sums.copied * probability,
                used: sums.used * probability,
            }
        } else {
            // `0 · ∞` would be no number; at λ = 0 nothing goes on.
            let further = if self.lambda > 0.0 {
                self.lambda * sums.used
            } else {
                0.0
            };
            Arrived {
                copied: 0.0,
                used: (sums.copied + further) * probability,
            }
        }
    }

    /// One pass against the topological order.
    fn bound_onward(&mut self) {
        let count = self.psg.vertex_count();
        let mut order: Vec<u32> = (0..count).collect();
        order.sort_unstable_by_key(|&vertex| Reverse(self.psg.topological(vertex)));
        let [mut copied, mut used] = [vec![1.0; count as usize], vec![1.0; count as usize]];
        for vertex in order {
            let (mut after_copies, mut after_use) = (1.0, 1.0);
            for edge in self.psg.outgoing(vertex).filter(|edge| !edge.cut) {
                let to = edge.to as usize;
                if self.is_copy(edge) {
                    after_copies += edge.probability * copied[to];
                    after_use += edge.probability * used[to];
                } else {
                    after_copies += edge.probability * used[to];
                    if self.lambda > 0.0 {
                        after_use += self.lambda * edge.probability * used[to];
                    }
                }
            }
            copied[vertex as usize] = after_copies;
            used[vertex as usize] = after_use;
        }
        self.onward = [copied, used];
    }

    /// All rows at once, as selection needs them.
    ///
    /// At most `max_entries` pairs are kept (but at least each candidate's own): if the exact table is larger, `epsilon` is
    /// raised to 10⁻⁹, 10⁻⁸, … 1; if even that does not do, each row keeps its share of `max_entries`, what is next to its
    /// candidate in topological order. [`CapabilityTable::epsilon`] and [`CapabilityTable::error_bound`] tell what it cost.
    /// Rows are computed in parallel; the result does not depend on the number of threads.
    pub fn table(&self, max_entries: usize) -> CapabilityTable {
        if let Some(table) = self.table_within(max_entries, usize::MAX) {
            return table;
        }
        let mut coarser = self.clone();
        for exponent in (0..=9).rev() {
            coarser.epsilon = 10_f64.powi(-exponent);
            if coarser.epsilon <= self.epsilon {
                continue;
            }
            if coarser.onward[0].is_empty() {
                coarser.bound_onward();
            }
            if let Some(table) = coarser.table_within(max_entries, usize::MAX) {
                return table;
            }
        }
        if coarser.onward[0].is_empty() {
            coarser.bound_onward();
        }
        let share = (max_entries / self.psg.vertex_count().max(1) as usize).max(1);
        coarser
            .table_within(usize::MAX, share)
            .unwrap_or_else(CapabilityTable::empty)
    }

    /// `None` if there are more entries than `max_entries`.
    fn table_within(&self, max_entries: usize, most: usize) -> Option<CapabilityTable> {
        /// So many rows are held as rows before they are packed.
        const BATCH: u32 = 4096;

        let count = self.psg.vertex_count();
        let max_entries = max_entries.max(count as usize);
        // The entries of all rows so far. The order in which threads add up does not matter: either all rows fit and all
        // are computed, or the sum passes the limit at some row, the rest are left empty, and the table is given up.
        let entries = AtomicUsize::new(0);
        let mut table = CapabilityTable::empty();
        table.epsilon = self.epsilon;
        for first in (0..count).step_by(BATCH as usize) {
            let rows: Vec<Row> = (first..count.min(first.saturating_add(BATCH)))
                .into_par_iter()
                .map_init(
                    || None,
                    |scratch: &mut Option<Scratch>, i| {
                        if entries.load(Relaxed) > max_entries {
                            return Row::default();
                        }
                        let row = if self.is_direct() {
                            let mut row = self.direct_row(i);
                            keep_first(i, most, &mut row);
                            row
                        } else {
                            let scratch = scratch.get_or_insert_with(|| Scratch::new(self.psg));
                            self.row_in(i, most, scratch)
                        };
                        entries.fetch_add(row.entries.len(), Relaxed);
                        row
                    },
                )
                .collect();
            if entries.load(Relaxed) > max_entries {
                return None;
            }
            for row in rows {
                table.columns.extend(row.entries.iter().map(|&(j, _)| j));
                table.values.extend(row.entries.iter().map(|&(_, foc)| foc));
                table.row_starts.push(table.columns.len());
                table.error_bound = table.error_bound.max(row.error_bound);
            }
        }
        table.transpose();
        Some(table)
    }
}

/// Cuts a row of direct edges down to `most` entries: its own, then the first.
fn keep_first(i: u32, most: usize, row: &mut Row) {
    if row.entries.len() <= most {
        return;
    }
    let mut room = most.saturating_sub(1);
    let mut lost = 0.0;
    row.entries.retain(|&(j, foc)| {
        let keep = j == i || room > 0;
        if !keep {
            lost += foc;
        } else if j != i {
            room -= 1;
        }
        keep
    });
    row.error_bound += lost;
}

/// The pairs `(i, j)` with `FOC(i,j) > 0`, by row and by column. 20 to 28 bytes a pair.
#[derive(Clone, Debug, PartialEq)]
pub struct CapabilityTable {
    /// Row `i` is `columns[row_starts[i]..row_starts[i + 1]]`, ascending.
    row_starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    /// Column `j` is `column_rows[column_starts[j]..column_starts[j + 1]]`, ascending by row.
    column_starts: Vec<usize>,
    column_rows: Vec<u32>,
    /// Where in `values` the pair stands.
    column_slots: Vec<usize>,
    epsilon: f64,
    error_bound: f64,
}

impl CapabilityTable {
    fn empty() -> CapabilityTable {
        CapabilityTable {
            row_starts: vec![0],
            columns: Vec::new(),
            values: Vec::new(),
            column_starts: vec![0],
            column_rows: Vec::new(),
            column_slots: Vec::new(),
            epsilon: 0.0,
            error_bound: 0.0,
        }
    }

    fn transpose(&mut self) {
        let count = self.row_starts.len() - 1;
        let mut starts = vec![0; count + 1];
        for &column in &self.columns {
            starts[column as usize + 1] += 1;
        }
        for index in 0..count {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        self.column_rows = vec![0; self.columns.len()];
        self.column_slots = vec![0; self.columns.len()];
        for row in 0..count {
            for slot in self.row_starts[row]..self.row_starts[row + 1] {
                let place = &mut next[self.columns[slot] as usize];
                self.column_rows[*place] = row as u32;
                self.column_slots[*place] = slot;
                *place += 1;
            }
        }
        self.column_starts = starts;
    }

    /// The number of candidates.
    pub fn vertex_count(&self) -> u32 {
        (self.row_starts.len() - 1) as u32
    }

    /// The number of pairs.
    #[cfg(test)]
    pub(crate) fn entry_count(&self) -> usize {
        self.columns.len()
    }

    /// What `i` can observe: `(j, FOC(i,j))`, ascending by `j`. Empty for a candidate that does not exist.
    pub fn row(&self, i: u32) -> impl ExactSizeIterator<Item = (u32, f64)> + '_ {
        self.row_slots(i)
            .map(|slot| (self.columns[slot], self.values[slot]))
    }

    /// Who can observe `j`: `(i, FOC(i,j))`, ascending by `i`. Empty for a candidate that does not exist.
    pub fn column(&self, j: u32) -> impl ExactSizeIterator<Item = (u32, f64)> + '_ {
        self.column_places(j).map(|place| {
            (
                self.column_rows[place],
                self.values[self.column_slots[place]],
            )
        })
    }

    /// `FOC(i,j)`, 0 if `i` cannot observe `j`.
    pub fn foc(&self, i: u32, j: u32) -> f64 {
        self.slot(i, j).map_or(0.0, |slot| self.values[slot])
    }

    /// `FOC(i) = Σ_j FOC(i,j)`.
    pub fn total(&self, i: u32) -> f64 {
        self.row(i).map(|(_, foc)| foc).sum()
    }

    /// The smallest sum of paths that was kept; 0 if all were.
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// No `FOC(i)` is too small by more than this. 0 if the table is exact.
    pub fn error_bound(&self) -> f64 {
        self.error_bound
    }

    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The places in [`CapabilityTable::values`] of a row.
    pub(crate) fn row_slots(&self, i: u32) -> std::ops::Range<usize> {
        bounds(&self.row_starts, i)
    }

    pub(crate) fn slot_column(&self, slot: usize) -> u32 {
        self.columns[slot]
    }

    /// The rows of a column with the places of the pairs in [`CapabilityTable::values`], ascending by row.
    pub(crate) fn column_slots(&self, j: u32) -> impl Iterator<Item = (u32, usize)> + '_ {
        self.column_places(j)
            .map(|place| (self.column_rows[place], self.column_slots[place]))
    }

    pub(crate) fn slot(&self, i: u32, j: u32) -> Option<usize> {
        let slots = self.row_slots(i);
        let start = slots.start;
        let offset = self.columns[slots].binary_search(&j).ok()?;
        Some(start + offset)
    }

    fn column_places(&self, j: u32) -> std::ops::Range<usize> {
        bounds(&self.column_starts, j)
    }
}

fn bounds(starts: &[usize], vertex: u32) -> std::ops::Range<usize> {
    match starts.get(vertex as usize..) {
        Some([start, end, ..]) => *start..*end,
        _ => 0..0,
    }
}

#[cfg(test)]
mod tests;
