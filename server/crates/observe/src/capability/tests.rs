#![allow(clippy::unwrap_used)]

use crate::{Edge, EdgeKind};
use proptest::prelude::*;

use super::*;
use crate::psg::tests::{factorial, graphs, in_many_methods, in_one_method, local, options, uses};

fn totals(psg: &Psg, options: FocOptions) -> Vec<f64> {
    let capability = Capability::new(psg, options);
    (0..psg.vertex_count())
        .map(|i| capability.row(i).total())
        .collect()
}

/// `FOC(i, ·)` by writing out every path.
fn enumerate(psg: &Psg, i: u32, options: FocOptions) -> Vec<f64> {
    let mut foc = vec![0.0; psg.vertex_count() as usize];
    let mut open = vec![(i, 1.0, 0_i32)];
    while let Some((vertex, product, counted)) = open.pop() {
        foc[vertex as usize] += options.lambda.powi((counted - 1).max(0)) * product;
        for edge in psg.outgoing(vertex) {
            let counts = i32::from(!(options.copies_free && edge.copy));
            // At λ = 0 a cut edge is a whole path.
            if !edge.cut {
                open.push((edge.to, product * edge.probability, counted + counts));
            } else if options.lambda == 0.0 && vertex == i {
                foc[edge.to as usize] += edge.probability;
            }
        }
    }
    foc.into_iter().map(|foc| foc.min(1.0)).collect()
}

#[test]
fn the_factorial_at_lambda_0() {
    assert_eq!(
        totals(&factorial(), FocOptions::default()),
        [1.0, 1.0, 2.0, 1.0, 2.0, 1.125, 1.125, 1.125, 3.0]
    );
}

#[test]
fn the_factorial_at_lambda_1() {
    let psg = factorial();
    assert_eq!(
        totals(&psg, options(1.0, false)),
        [1.0, 1.0, 2.0, 1.0, 4.375, 1.25, 1.125, 1.25, 3.375]
    );
    let row = Capability::new(&psg, options(1.0, false)).row(4);
    assert_eq!(
        row.entries,
        [
            (0, 0.125),
            (1, 0.125),
            (2, 0.125),
            (4, 1.0),
            (6, 1.0),
            (7, 1.0),
            (8, 1.0)
        ]
    );
    assert_eq!(row.error_bound, 0.0);
}

#[test]
fn the_factorial_at_lambda_one_half_loses_by_the_inner_vertices() {
    let row = Capability::new(&factorial(), options(0.5, false)).row(4);
    // o5 → o9 → o8 → o3 → o1 has three inner vertices, o5 → o9 → o8 one.
    assert_eq!(
        row.entries,
        [
            (0, 0.125 * 0.125),
            (1, 0.125 * 0.25),
            (2, 0.125 * 0.25),
            (4, 1.0),
            (6, 0.5),
            (7, 0.5),
            (8, 1.0)
        ]
    );
}

/// `o5 → o9` is a copy, so `o5` observes at λ = 0 what `o9` does directly; `o9 → o8 → o3` has one use and one copy.
#[test]
fn copies_cost_no_lambda() {
    let row = Capability::new(&factorial(), options(0.0, true)).row(4);
    assert_eq!(
        row.entries,
        [
            (0, 0.125),
            (1, 0.125),
            (2, 0.125),
            (4, 1.0),
            (6, 1.0),
            (7, 1.0),
            (8, 1.0)
        ]
    );
    // Two uses are one too many: o6 → o3 → o1 is use and copy, and reached; nothing lies behind o1.
    let chain = |copies: [bool; 3]| {
        let vertices = in_one_method(4);
        let edges = copies.into_iter().zip(1..).map(|(copy, from)| Edge {
            from,
            to: from - 1,
            kind: EdgeKind::Local,
            probability: 1.0,
            copy,
        });
        let psg = Psg::new(&vertices, edges);
        totals(&psg, options(0.0, true))[3]
    };
    assert_eq!(chain([true, true, true]), 4.0);
    assert_eq!(chain([true, false, true]), 4.0);
    assert_eq!(chain([true, false, false]), 2.0);
    assert_eq!(chain([false, true, false]), 3.0);
}

#[test]
fn direct_substitution_counts_cut_edges_and_paths_do_not() {
    let vertices = in_many_methods(2);
    let field = |from, to| uses(from, to, EdgeKind::Field, 0.5);
    let psg = Psg::new(&vertices, [field(0, 1), field(1, 0)]);
    assert_eq!(totals(&psg, options(0.0, false)), [1.5, 1.5]);
    assert_eq!(totals(&psg, options(0.0, true)), [1.5, 1.5]);
    assert_eq!(totals(&psg, options(1.0, false)), [1.0, 1.5]);
}

#[test]
fn many_paths_are_clamped_at_the_end_only() {
    // o3 reaches o0 over o1 and over o2, each way 3/4: the sum of 3/2 counts as 1. Behind it, o0's own half counts 3/4.
    let vertices = in_one_method(5);
    let edge = local;
    let psg = Psg::new(
        &vertices,
        [
            edge(4, 3, 1.0),
            edge(4, 2, 1.0),
            edge(3, 1, 0.75),
            edge(2, 1, 0.75),
            edge(1, 0, 0.5),
        ],
    );
    let row = Capability::new(&psg, options(1.0, false)).row(4);
    assert_eq!(
        row.entries,
        [(0, 0.75), (1, 1.0), (2, 1.0), (3, 1.0), (4, 1.0)]
    );
}

#[test]
fn sums_of_more_paths_than_numbers_count_as_one() {
    // 2,000 diamonds in a row: 2^2000 paths.
    let count = 3 * 2_000 + 1;
    let vertices = in_one_method(count);
    let edges = (0..2_000).flat_map(|diamond| {
        let low = 3 * diamond;
        [(1, 0), (2, 0), (3, 1), (3, 2)].map(|(from, to)| local(low + from, low + to, 1.0))
    });
    let psg = Psg::new(&vertices, edges);
    for lambda in [1.0, 0.9] {
        for epsilon in [0.0, 1e-6] {
            let capability = Capability::new(
                &psg,
                FocOptions {
                    lambda,
                    copies_free: false,
                    epsilon,
                },
            );
            let row = capability.row(count - 1);
            assert_eq!(row.total(), f64::from(count));
        }
    }
}

#[test]
fn a_row_of_no_candidate_is_empty_and_options_are_clamped() {
    let psg = factorial();
    let capability = Capability::new(&psg, options(7.0, false));
    assert_eq!(capability.lambda(), 1.0);
    assert_eq!(capability.row(9), Row::default());
    assert_eq!(capability.row(4).total(), 4.375);
    assert_eq!(
        Capability::new(&psg, options(f64::NAN, false)).lambda(),
        0.0
    );
    assert_eq!(Capability::new(&psg, options(-1.0, false)).lambda(), 0.0);
    let empty = Psg::new(&[], []);
    let table = Capability::new(&empty, options(1.0, true)).table(0);
    assert_eq!((table.vertex_count(), table.entry_count()), (0, 0));
}

/// All candidates of a chain observe all before them: n²/2 pairs, and no probability to go by. The table keeps to its limit
/// and says what it lost.
#[test]
fn a_table_that_is_too_large_is_made_smaller_and_says_so() {
    let count = 2_000;
    let vertices = in_one_method(count);
    let chain = |probability| {
        Psg::new(
            &vertices,
            (1..count).map(|from| local(from, from - 1, probability)),
        )
    };
    let limit = 20_000;

    let halves = chain(0.5);
    let table = Capability::new(&halves, options(1.0, false)).table(limit);
    assert!(table.entry_count() <= limit);
    // 2^-9 is the last power above 10^-3, and ten pairs a row fit.
    assert_eq!(table.epsilon(), 1e-3);
    let lost = 2.0 - table.total(count - 1);
    assert!(lost > 0.0 && lost <= table.error_bound() && table.error_bound() < 0.002);

    let ones = chain(1.0);
    let table = Capability::new(&ones, options(1.0, false)).table(limit);
    assert!(table.entry_count() <= limit);
    assert_eq!(table.total(count - 1), 10.0);
    assert_eq!(table.error_bound(), f64::from(count - 10));

    // At λ = 0 the edges themselves may be too many.
    let table = Capability::new(&ones, options(0.0, false)).table(5);
    assert_eq!(table.entry_count(), count as usize);
    assert_eq!(table.error_bound(), 1.0);
}

proptest! {
    #[test]
    fn a_row_sums_over_all_paths(
        (vertices, edges) in graphs(12, true),
        lambda in prop::sample::select(vec![0.0, 0.25, 0.7, 1.0]),
        copies_free in any::<bool>(),
    ) {
        let psg = Psg::new(&vertices, edges);
        let options = options(lambda, copies_free);
        let capability = Capability::new(&psg, options);
        for i in 0..psg.vertex_count() {
            let expected = enumerate(&psg, i, options);
            let row = capability.row(i);
            let mut found = vec![0.0; expected.len()];
            for &(j, foc) in &row.entries {
                prop_assert!(foc > 0.0);
                found[j as usize] = foc;
            }
            prop_assert!(row.entries.is_sorted_by_key(|&(j, _)| j));
            for (expected, found) in expected.iter().zip(&found) {
                prop_assert!((expected - found).abs() < 1e-9, "{expected} is not {found}");
            }
        }
    }

    #[test]
    fn what_epsilon_leaves_out_is_within_the_bound(
        (vertices, edges) in graphs(12, true),
        lambda in prop::sample::select(vec![0.0, 0.25, 0.7, 1.0]),
        copies_free in any::<bool>(),
        epsilon in prop::sample::select(vec![0.01, 0.1, 0.3, 1.0]),
    ) {
        let psg = Psg::new(&vertices, edges);
        let exact = options(lambda, copies_free);
        let capability = Capability::new(&psg, exact);
        let pruned = Capability::new(&psg, FocOptions { epsilon, ..exact });
        for i in 0..psg.vertex_count() {
            let (whole, part) = (capability.row(i), pruned.row(i));
            let lost = whole.total() - part.total();
            prop_assert!(lost > -1e-9);
            prop_assert!(lost <= part.error_bound + 1e-9, "{lost} > {}", part.error_bound);
            if part.error_bound == 0.0 {
                prop_assert_eq!(&whole, &part);
            }
        }
    }

    #[test]
    fn the_table_has_the_rows_both_ways(
        (vertices, edges) in graphs(12, true),
        lambda in prop::sample::select(vec![0.0, 0.5, 1.0]),
        copies_free in any::<bool>(),
    ) {
        let psg = Psg::new(&vertices, edges);
        let capability = Capability::new(&psg, options(lambda, copies_free));
        let table = capability.table(usize::MAX);
        prop_assert_eq!((table.epsilon(), table.error_bound()), (0.0, 0.0));
        let mut pairs = Vec::new();
        for i in 0..psg.vertex_count() {
            let row = capability.row(i).entries;
            prop_assert!(table.row(i).eq(row.iter().copied()));
            for (j, foc) in row {
                prop_assert_eq!(table.foc(i, j), foc);
                pairs.push((j, i, foc));
            }
        }
        pairs.sort_by_key(|&(j, i, _)| (j, i));
        let columns = (0..psg.vertex_count())
            .flat_map(|j| table.column(j).map(move |(i, foc)| (j, i, foc)));
        prop_assert!(columns.eq(pairs));
    }

    #[test]
    fn observing_grows_with_lambda((vertices, edges) in graphs(12, true)) {
        let psg = Psg::new(&vertices, edges);
        // From λ > 0 on, for the cut edges count at 0.
        let mut last = vec![0.0; vertices.len()];
        for lambda in [0.1, 0.5, 1.0] {
            let now = totals(&psg, options(lambda, false));
            let free = totals(&psg, options(lambda, true));
            for v in 0..vertices.len() {
                prop_assert!(now[v] + 1e-9 >= last[v]);
                prop_assert!(free[v] + 1e-9 >= now[v]);
            }
            last = now;
        }
    }
}
