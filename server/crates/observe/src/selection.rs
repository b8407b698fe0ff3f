//! Which candidates to observe (SODS, `docs/method.md` §1.6): again and again the one that observes most of what is not
//! observed yet.
//!
//! In the paper's example, at λ = 0, `o9` (3.0, for `o7`, `o8` and itself) comes first. Then `o5`, which observes `o9` and
//! itself, is worth 1.0 only, and `o3` (2.0, for `o1` and itself) comes next.
//!
//! `FOC(k)` never grows while others are selected, so a heap of old values, renewed when they come to the top, finds the
//! maximum; a test scans all candidates as the paper's loop does, and gets exactly the same picks.

mod rows;

pub use rows::{Choice, Choosable, Order, choose, rest};

use crate::CapabilityTable;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// How far a statement counts as observed (`fp`) once a candidate that observes it is selected.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Fp {
    /// The default, "d": `fp[i] := min(1, fp[i] + FOC(k,i))`, from 0.
    #[default]
    Differentiated,
    /// A constant in [0, 1] for all; 1 is optimistic: whatever is touched needs no further observation.
    Constant(f64),
}

/// What to select.
#[derive(Clone, Copy)]
pub struct SelectOptions<'a> {
    /// How many candidates at most; `m` of the paper, 10 by default.
    pub most: usize,
    /// What adds less is not picked; 0, as in the paper's loop, by default.
    pub least: f64,
    pub fp: Fp,
    /// Who may be chosen. All candidates are stood in for, whoever may be chosen.
    pub eligible: &'a dyn Fn(u32) -> bool,
    /// Who of the chosen counts among the `most`: others are chosen as they come, and take no place.
    pub counts: &'a dyn Fn(u32) -> bool,
    /// What counts as selected first, in this order: what the assertions of a test read already. It need not be eligible,
    /// and is not among the picks.
    pub preselected: &'a [u32],
    /// How much it is worth to observe candidate `j`, at least 0; 1 for each if `None`, and for those past the end:
    /// `FOC(i) = Σ_j w_j · FOC(i,j)`.
    pub weights: Option<&'a [f64]>,
    /// By what a candidate's `FOC` is multiplied where candidates are compared, at least 0; 1 for each if `None`, and for
    /// those past the end. What a pick is said to observe does not depend on it.
    pub preference: Option<&'a [f64]>,
}

impl Default for SelectOptions<'_> {
    fn default() -> Self {
        SelectOptions {
            most: 10,
            least: 0.0,
            fp: Fp::Differentiated,
            eligible: &|_| true,
            counts: &|_| true,
            preselected: &[],
            weights: None,
            preference: None,
        }
    }
}

/// A selected candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pick {
    pub vertex: u32,
    /// `FOC(vertex)` before anything was selected.
    pub foc: f64,
    /// `FOC(vertex)` when it was selected: what it adds to those before it. May be 0, as in the paper's loop; a caller that
    /// offers only what adds something stops there, since gains never grow.
    pub gain: f64,
}

/// The picks in order of selection. Ties go to the smaller vertex number, the earlier position.
///
/// Costs O(V + pairs) to begin with; each selection then touches the pairs `(s, i)` of the `i` that the selected one observes.
pub fn select(table: &CapabilityTable, options: &SelectOptions<'_>) -> Vec<Pick> {
    let mut state = State::new(table, options);
    for &vertex in options.preselected {
        state.preselect(vertex, State::observe);
    }
    let mut heap: BinaryHeap<(Value, Reverse<u32>)> = (0..table.vertex_count())
        .filter(|&vertex| !state.selected[vertex as usize])
        .map(|vertex| (Value(state.score(vertex)), Reverse(vertex)))
        .collect();
    let mut picks = Vec::new();
    let mut counted = 0;
    while counted < options.most {
        let Some((Value(old), Reverse(vertex))) = heap.pop() else {
            break;
        };
        let now = state.score(vertex);
        if now < old {
            heap.push((Value(now), Reverse(vertex)));
            continue;
        }
        // Gains never grow: it will not add more later.
        if state.foc[vertex as usize] < options.least {
            continue;
        }
        // Asked of the few that come this far, since it may cost more than all else.
        if !(options.eligible)(vertex) {
            continue;
        }
        counted += usize::from((options.counts)(vertex));
        picks.push(state.pick(vertex));
        state.observe(vertex);
    }
    picks
}

/// What changes while candidates are selected.
struct State<'a> {
    table: &'a CapabilityTable,
    fp_rule: Fp,
    weights: Option<&'a [f64]>,
    preference: Option<&'a [f64]>,
    /// `FOC(s,i)` as it is now, in the table's places.
    pairs: Vec<f64>,
    /// `FOC(s)` as it is now.
    foc: Vec<f64>,
    /// `FOC(s)` before anything was selected.
    initial: Vec<f64>,
    fp: Vec<f64>,
    selected: Vec<bool>,
}

impl<'a> State<'a> {
    fn new(table: &'a CapabilityTable, options: &SelectOptions<'a>) -> State<'a> {
        let count = table.vertex_count();
        let weights = options.weights;
        let initial: Vec<f64> = (0..count)
            .map(|s| table.row(s).map(|(i, foc)| weight(weights, i) * foc).sum())
            .collect();
        State {
            table,
            fp_rule: match options.fp {
                Fp::Differentiated => Fp::Differentiated,
                Fp::Constant(fp) if fp > 0.0 => Fp::Constant(fp.min(1.0)),
                Fp::Constant(_) => Fp::Constant(0.0),
            },
            weights,
            preference: options.preference,
            pairs: table.values().to_vec(),
            foc: initial.clone(),
            initial,
            fp: vec![0.0; count as usize],
            selected: vec![false; count as usize],
        }
    }

    fn preselect(&mut self, vertex: u32, observe: fn(&mut Self, u32)) {
        if let Some(selected @ false) = self.selected.get_mut(vertex as usize) {
            *selected = true;
            observe(self, vertex);
        }
    }

    fn score(&self, vertex: u32) -> f64 {
        self.foc[vertex as usize] * weight(self.preference, vertex)
    }

    fn pick(&mut self, vertex: u32) -> Pick {
        self.selected[vertex as usize] = true;
        Pick {
            vertex,
            foc: self.initial[vertex as usize],
            gain: self.foc[vertex as usize],
        }
    }

    /// `k` is selected: what it observes is partly observed now. The pairs of `k` itself stay as they are meanwhile, since
    /// only those of unselected candidates change.
    fn observe(&mut self, k: u32) {
        let table = self.table;
        for slot in table.row_slots(k) {
            if let Some((i, fp)) = self.raise_fp(slot) {
                for (s, pair) in table.column_slots(i) {
                    self.lower(s, i, pair, fp);
                }
            }
        }
    }

    /// The statement at a place of the selected row and its new `fp`; `None` if the row does not observe it any more.
    fn raise_fp(&mut self, slot: usize) -> Option<(u32, f64)> {
        let observed = self.pairs[slot];
        if observed <= 0.0 {
            return None;
        }
        let i = self.table.slot_column(slot);
        let fp = &mut self.fp[i as usize];
        *fp = match self.fp_rule {
            Fp::Differentiated => (*fp + observed).min(1.0),
            Fp::Constant(constant) => constant,
        };
        Some((i, *fp))
    }

    fn lower(&mut self, s: u32, i: u32, pair: usize, fp: f64) {
        /// What rounding leaves of a candidate that is wholly observed must not decide a tie.
        const ROUNDING: f64 = 1e-12;

        if self.selected[s as usize] || self.pairs[pair] <= 0.0 {
            return;
        }
        let foc = &mut self.foc[s as usize];
        *foc -= weight(self.weights, i) * self.pairs[pair] * fp;
        if *foc < ROUNDING {
            *foc = 0.0;
        }
        self.pairs[pair] *= 1.0 - fp;
    }
}

/// A weight is at least 0; infinite ones would leave no number when they are subtracted.
fn weight(weights: Option<&[f64]>, vertex: u32) -> f64 {
    const LARGEST: f64 = 1e100;

    match weights.and_then(|weights| weights.get(vertex as usize)) {
        Some(&weight) if weight > 0.0 => weight.min(LARGEST),
        Some(_) => 0.0,
        None => 1.0,
    }
}

/// A value without NaN, ordered.
#[derive(Clone, Copy, PartialEq)]
struct Value(f64);

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

#[cfg(test)]
mod tests;
