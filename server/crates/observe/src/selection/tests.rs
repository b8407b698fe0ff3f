#![allow(clippy::unwrap_used)]

use crate::{Capability, Edge, EdgeKind, Psg, Vertex};
use calls::UnitId;
use proptest::prelude::*;

use super::*;
use crate::psg::tests::{factorial, graphs, options};

/// The paper's loop to the letter: each round scans all candidates, and each observed statement all unselected ones.
///
/// O(V · m) scans with a search for each pair.
fn select_plain(table: &CapabilityTable, options: &SelectOptions<'_>) -> Vec<Pick> {
    let mut state = State::new(table, options);
    for &vertex in options.preselected {
        state.preselect(vertex, State::observe_plain);
    }
    let mut picks = Vec::new();
    let mut counted = 0;
    while counted < options.most {
        let mut best: Option<u32> = None;
        for vertex in 0..table.vertex_count() {
            if state.selected[vertex as usize] || !(options.eligible)(vertex) {
                continue;
            }
            if best.is_none_or(|best| state.score(vertex) > state.score(best)) {
                best = Some(vertex);
            }
        }
        let Some(vertex) = best else { break };
        counted += usize::from((options.counts)(vertex));
        picks.push(state.pick(vertex));
        state.observe_plain(vertex);
    }
    picks
}

impl State<'_> {
    fn observe_plain(&mut self, k: u32) {
        let table = self.table;
        for slot in table.row_slots(k) {
            if let Some((i, fp)) = self.raise_fp(slot) {
                for s in 0..table.vertex_count() {
                    if let Some(pair) = table.slot(s, i) {
                        self.lower(s, i, pair, fp);
                    }
                }
            }
        }
    }
}

fn table(psg: &Psg, lambda: f64) -> CapabilityTable {
    Capability::new(psg, options(lambda, false)).table(usize::MAX)
}

/// `(number in the paper, FOC before anything was selected, gain)`.
fn picks(lambda: f64, options: SelectOptions<'_>) -> Vec<(u32, f64, f64)> {
    let table = table(&factorial(), lambda);
    let picks = select(&table, &options);
    assert_eq!(picks, select_plain(&table, &options));
    picks
        .into_iter()
        .map(|pick| (pick.vertex + 1, pick.foc, pick.gain))
        .collect()
}

#[test]
fn what_does_not_count_takes_no_place() {
    // The first of the list below.
    let found = picks(
        0.0,
        SelectOptions {
            most: 2,
            counts: &|vertex| vertex + 1 != 9,
            ..SelectOptions::default()
        },
    );
    assert_eq!(found, [(9, 3.0, 3.0), (3, 2.0, 2.0), (2, 1.0, 1.0)]);
}

#[test]
fn the_factorial_at_lambda_0() {
    assert_eq!(
        picks(0.0, SelectOptions::default()),
        [
            (9, 3.0, 3.0),
            (3, 2.0, 2.0),
            (2, 1.0, 1.0),
            (4, 1.0, 1.0),
            (5, 2.0, 1.0),
            (6, 1.125, 1.0),
            (1, 1.0, 0.0),
            (7, 1.125, 0.0),
            (8, 1.125, 0.0),
        ]
    );
}

/// After `o5`, `fp` is 1 for `o5`, `o7`, `o8`, `o9` and 1/8 for `o1`, `o2`, `o3`. `o3` then observes 7/8 of itself and 7/8 of
/// `o1`, and with 1/8 + 7/8 both are wholly observed.
#[test]
fn the_factorial_at_lambda_1() {
    assert_eq!(
        picks(1.0, SelectOptions::default()),
        [
            (5, 4.375, 4.375),
            (3, 2.0, 1.75),
            (4, 1.0, 1.0),
            (6, 1.25, 1.0),
            (2, 1.0, 0.875),
            (1, 1.0, 0.0),
            (7, 1.125, 0.0),
            (8, 1.25, 0.0),
            (9, 3.375, 0.0),
        ]
    );
}

/// With the optimistic constant, whatever is touched is done with: after `o5` nothing is left of `o1` to `o3`.
#[test]
fn the_factorial_with_a_constant() {
    let options = SelectOptions {
        fp: Fp::Constant(1.0),
        most: 4,
        ..SelectOptions::default()
    };
    assert_eq!(
        picks(1.0, options),
        [
            (5, 4.375, 4.375),
            (4, 1.0, 1.0),
            (6, 1.25, 1.0),
            (1, 1.0, 0.0)
        ]
    );
    // With 0 nothing is ever observed: the order is that of FOC alone.
    let options = SelectOptions {
        fp: Fp::Constant(0.0),
        most: 3,
        ..SelectOptions::default()
    };
    assert_eq!(
        picks(1.0, options),
        [(5, 4.375, 4.375), (9, 3.375, 3.375), (3, 2.0, 2.0)]
    );
}

/// Row by row, as for few that may be chosen, the selection is the same.
#[test]
fn rows_are_selected_as_a_table_is() {
    for lambda in [0.0, 1.0] {
        let table = table(&factorial(), lambda);
        let row = |vertex| Choosable {
            vertex,
            row: table.row(vertex).collect(),
        };
        let all: Vec<Choosable> = (0..table.vertex_count()).map(row).collect();
        let weights = vec![1.0; all.len()];
        let rule = Fp::Differentiated;
        let chosen = choose(
            &all,
            &[],
            &weights,
            rule,
            all.len(),
            &|_, _| true,
            &[&|_, gain| gain],
        );
        let chosen: Vec<(u32, f64, f64)> = chosen
            .iter()
            .map(|c| (all[c.candidate].vertex + 1, c.foc, c.gain))
            .collect();
        assert_eq!(chosen, picks(lambda, SelectOptions::default()));
    }
}

#[test]
fn a_shorter_choice_is_the_beginning_of_a_longer_one() {
    // Twelve that add nothing are asked sooner than the six that do, of which each observes another vertex.
    let silent = (0..12).map(|vertex| Choosable {
        vertex,
        row: Vec::new(),
    });
    let telling = (12..18).map(|vertex| Choosable {
        vertex,
        row: vec![(vertex, 1.0)],
    });
    let all: Vec<Choosable> = silent.chain(telling).collect();
    let chosen = |most| -> Vec<u32> {
        let rule = Fp::Differentiated;
        let order = |at: usize, gain: f64| (gain + 0.3) * if at < 12 { 100.0 } else { 1.0 };
        let all_of = choose(
            &all,
            &[],
            &[1.0; 18],
            rule,
            most,
            &|_, gain| gain >= 0.5,
            &[&order],
        );
        let telling = all_of.iter().filter(|c| c.gain >= 0.5);
        telling.map(|c| all[c.candidate].vertex).collect()
    };
    assert_eq!(chosen(10), [12, 13, 14, 15, 16, 17]);
    for most in 0..6 {
        assert_eq!(chosen(most), chosen(10)[..most]);
    }
}

/// Those that count are chosen by each order in turn; what one of them puts last in the other comes second.
#[test]
fn orders_are_asked_in_turn() {
    let of = |vertex: u32| Choosable {
        vertex,
        row: if vertex == 1 {
            Vec::new()
        } else {
            vec![(vertex, 1.0)]
        },
    };
    let all: Vec<Choosable> = (0..6).map(of).collect();
    let rising: Order<'_> = &|at, _| 10.0 - at as f64;
    let falling: Order<'_> = &|at, gain| gain * at as f64;
    let chosen = |orders: &[Order<'_>]| -> Vec<usize> {
        let all = choose(
            &all,
            &[],
            &[1.0; 6],
            Fp::Differentiated,
            4,
            &|_, gain| gain >= 0.5,
            orders,
        );
        all.iter().map(|c| c.candidate).collect()
    };
    assert_eq!(chosen(&[rising]), [0, 1, 2, 3, 4]);
    // The one that adds nothing takes no turn.
    assert_eq!(chosen(&[rising, falling]), [0, 5, 1, 2, 4]);
    assert!(chosen(&[]).is_empty());
}

#[test]
fn what_may_not_be_chosen_is_still_stood_in_for() {
    let options = SelectOptions {
        eligible: &|vertex| vertex + 1 != 9,
        most: 2,
        ..SelectOptions::default()
    };
    assert_eq!(picks(0.0, options), [(3, 2.0, 2.0), (5, 2.0, 2.0)]);
    let options = SelectOptions {
        eligible: &|_| false,
        ..SelectOptions::default()
    };
    assert_eq!(picks(0.0, options), []);
}

#[test]
fn what_is_observed_already_is_not_picked_and_lowers_the_rest() {
    // o9 is asserted; 99 does not exist, and a candidate counts once.
    let options = SelectOptions {
        eligible: &|vertex| vertex + 1 != 9,
        preselected: &[8, 99, 8],
        most: 3,
        ..SelectOptions::default()
    };
    assert_eq!(
        picks(0.0, options),
        [(3, 2.0, 2.0), (2, 1.0, 1.0), (4, 1.0, 1.0)]
    );
}

#[test]
fn weights_say_what_is_worth_observing() {
    let weights = [1.0, 16.0, 1.0, 1.0, f64::NAN, -3.0];
    let options = SelectOptions {
        weights: Some(&weights),
        most: 3,
        ..SelectOptions::default()
    };
    // o5 and o6 themselves count nothing: what is not a weight counts as 0. o7 sees 1/8 of o2.
    assert_eq!(
        picks(0.0, options),
        [(2, 16.0, 16.0), (9, 3.0, 3.0), (3, 2.0, 2.0)]
    );
}

#[test]
fn a_large_sparse_graph_is_ranked() {
    let count: u32 = 200_000;
    let vertices: Vec<Vertex> = (0..count)
        .map(|vertex| Vertex {
            unit: UnitId(vertex / 20),
            postorder: vertex % 20,
        })
        .collect();
    // A multiplicative congruential sequence, so that the graph is the same in each run.
    let mut random = 1_u64;
    let mut next = |below: u32| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((random >> 33) % u64::from(below)) as u32
    };
    let edges: Vec<Edge> = (0..500_000)
        .map(|_| {
            let (from, to) = (next(count), next(count));
            Edge {
                from,
                to,
                kind: EdgeKind::Field,
                probability: f64::from(1 + next(8)) / 8.0,
                copy: false,
            }
        })
        .collect();
    let psg = Psg::new(&vertices, edges);
    let table = table(&psg, 0.0);
    let options = SelectOptions {
        most: 1_000,
        ..SelectOptions::default()
    };
    let picks = select(&table, &options);
    assert_eq!(picks.len(), 1_000);
    assert!(picks.is_sorted_by(|a, b| a.gain >= b.gain));
    let best = (0..count).map(|v| table.total(v)).fold(0.0, f64::max);
    assert_eq!(picks[0].gain, best);
}

proptest! {
    #[test]
    fn the_heap_finds_what_the_plain_loop_finds(
        (vertices, edges) in graphs(12, true),
        lambda in prop::sample::select(vec![0.0, 0.3, 1.0]),
        constant in prop::option::of(0.0..=1.0),
        may_not in 0..12_u32,
        preselected in prop::collection::vec(0..14_u32, 0..3),
        weights in prop::option::of(prop::collection::vec(0.0..2.0, 12)),
        preference in prop::option::of(prop::collection::vec(0.0..2.0, 12)),
        most in 0..14_usize,
    ) {
        let psg = Psg::new(&vertices, edges);
        let table = table(&psg, lambda);
        let options = SelectOptions {
            most,
            least: 0.0,
            fp: constant.map_or(Fp::Differentiated, Fp::Constant),
            eligible: &|vertex| vertex != may_not,
            counts: &|_| true,
            preselected: &preselected,
            weights: weights.as_deref(),
            preference: preference.as_deref(),
        };
        let picks = select(&table, &options);
        prop_assert_eq!(&picks, &select_plain(&table, &options));
        let score = |pick: &Pick| {
            let liked = preference.as_deref().and_then(|p| p.get(pick.vertex as usize));
            pick.gain * liked.copied().unwrap_or(1.0)
        };

        // What is picked is new each time, allowed, and adds ever less.
        let mut seen = preselected.clone();
        for pick in &picks {
            prop_assert!(pick.vertex != may_not && !seen.contains(&pick.vertex));
            prop_assert!(0.0 <= pick.gain && pick.gain <= pick.foc);
            seen.push(pick.vertex);
        }
        prop_assert!(picks.is_sorted_by(|a, b| score(a) >= score(b)));
        let free = (0..psg.vertex_count())
            .filter(|v| *v != may_not && !preselected.contains(v))
            .count();
        prop_assert_eq!(picks.len(), free.min(most));
    }

    #[test]
    fn the_order_of_edges_does_not_matter(
        ((vertices, edges), shuffled) in graphs(12, true).prop_flat_map(|(vertices, edges)| {
            let shuffled = Just(edges.clone()).prop_shuffle();
            (Just((vertices, edges)), shuffled)
        }),
        lambda in prop::sample::select(vec![0.0, 0.3, 1.0]),
    ) {
        let pick = |edges| {
            let psg = Psg::new(&vertices, edges);
            select(&table(&psg, lambda), &SelectOptions::default())
        };
        prop_assert_eq!(pick(edges), pick(shuffled));
    }

    /// Differentiated selection never counts a statement as observed more than once: the gains of all candidates add up to
    /// no more than the number of statements.
    #[test]
    fn all_gains_together_are_at_most_all_statements((vertices, edges) in graphs(12, true)) {
        let psg = Psg::new(&vertices, edges);
        let options = SelectOptions {
            most: usize::MAX,
            ..SelectOptions::default()
        };
        for lambda in [0.0, 1.0] {
            let gains: f64 = select(&table(&psg, lambda), &options)
                .iter()
                .map(|pick| pick.gain)
                .sum();
            prop_assert!(gains <= f64::from(psg.vertex_count()) + 1e-9);
        }
    }
}
