#![allow(clippy::unwrap_used)]

use crate::{FocOptions, Psg};
use proptest::prelude::*;

use super::*;
use crate::psg::tests::{factorial, graphs, in_one_method, local, options};

#[test]
fn the_factorial_is_explained() {
    let psg = factorial();
    let capability = Capability::new(&psg, options(1.0, false));
    // o5 → o9 → o8 → o3 → o1
    let path = best_path(&capability, 4, 0).unwrap();
    assert_eq!((path.via, path.weight), (vec![8, 7, 2], 0.125));
    let ends: Vec<(u32, u32)> = path
        .edges
        .iter()
        .map(|&id| psg.edge(id).map(|edge| (edge.from, edge.to)).unwrap())
        .collect();
    assert_eq!(ends, [(4, 8), (8, 7), (7, 2), (2, 0)]);

    let path = best_path(&capability, 4, 8).unwrap();
    assert_eq!((path.via, path.edges.len(), path.weight), (vec![], 1, 1.0));
    let path = best_path(&capability, 4, 4).unwrap();
    assert_eq!((path.via, path.edges, path.weight), (vec![], vec![], 1.0));
    assert_eq!(best_path(&capability, 4, 5), None);
    assert_eq!(best_path(&capability, 0, 4), None);
    assert_eq!(best_path(&capability, 9, 0), None);
    assert_eq!(best_path(&capability, 0, 9), None);
}

#[test]
fn at_lambda_0_only_direct_edges_explain() {
    let psg = factorial();
    let capability = Capability::new(&psg, FocOptions::default());
    assert_eq!(best_path(&capability, 4, 7), None);
    assert_eq!(best_path(&capability, 4, 8).unwrap().via, []);
    // A copy before the one use.
    let capability = Capability::new(&psg, options(0.0, true));
    assert_eq!(best_path(&capability, 4, 7).unwrap().via, [8]);
}

/// A way round of probability 1 explains better than a direct edge of 1/8; of two equal ways the one over the earlier
/// candidate is told.
#[test]
fn the_heaviest_path_is_told() {
    let vertices = in_one_method(4);
    let edge = local;
    let psg = Psg::new(
        &vertices,
        [
            edge(3, 0, 0.125),
            edge(3, 2, 1.0),
            edge(3, 1, 1.0),
            edge(2, 0, 1.0),
            edge(1, 0, 1.0),
        ],
    );
    let via = |lambda| {
        let capability = Capability::new(&psg, options(lambda, false));
        let path = best_path(&capability, 3, 0).unwrap();
        (path.via, path.weight)
    };
    assert_eq!(via(1.0), (vec![1], 1.0));
    assert_eq!(via(0.5), (vec![1], 0.5));
    // Equal weights: the direct edge is the shorter path.
    assert_eq!(via(0.125), (vec![], 0.125));
    assert_eq!(via(0.1), (vec![], 0.125));
}

proptest! {
    #[test]
    fn a_path_explains_each_pair_and_no_other(
        (vertices, edges) in graphs(10, true),
        lambda in prop::sample::select(vec![0.0, 0.3, 1.0]),
        copies_free in any::<bool>(),
    ) {
        let psg = Psg::new(&vertices, edges);
        let capability = Capability::new(&psg, options(lambda, copies_free));
        let table = capability.table(usize::MAX);
        for i in 0..psg.vertex_count() {
            for j in 0..psg.vertex_count() {
                let path = best_path(&capability, i, j);
                prop_assert_eq!(path.is_some(), table.foc(i, j) > 0.0);
                let Some(path) = path else { continue };
                prop_assert!(path.weight <= table.foc(i, j) + 1e-9);

                // The path is one, and weighs what it says.
                let (mut at, mut weight, mut counted) = (i, 1.0, 0);
                for (place, &id) in path.edges.iter().enumerate() {
                    let edge = psg.edge(id).unwrap();
                    prop_assert_eq!(edge.from, at);
                    if place > 0 {
                        prop_assert_eq!(path.via[place - 1], at);
                    }
                    at = edge.to;
                    weight *= edge.probability;
                    counted += i32::from(!(copies_free && edge.copy));
                }
                prop_assert_eq!(at, j);
                prop_assert_eq!(path.via.len(), path.edges.len().saturating_sub(1));
                let weight = lambda.powi((counted - 1).max(0)) * weight;
                prop_assert!((weight - path.weight).abs() < 1e-9);
            }
        }
    }
}
