#![allow(clippy::unwrap_used)]

use calls::UnitId;
use proptest::prelude::*;

use super::*;
use crate::FocOptions;

/// Candidates of one method, in order.
pub(crate) fn in_one_method(count: u32) -> Vec<Vertex> {
    let vertex = |postorder| Vertex {
        unit: UnitId(0),
        postorder,
    };
    (0..count).map(vertex).collect()
}

/// Candidates of methods of their own.
pub(crate) fn in_many_methods(count: u32) -> Vec<Vertex> {
    let vertex = |unit| Vertex {
        unit: UnitId(unit),
        postorder: 0,
    };
    (0..count).map(vertex).collect()
}

/// An edge by which a value is used, not copied.
pub(crate) fn uses(from: u32, to: u32, kind: EdgeKind, probability: f64) -> Edge {
    Edge {
        from,
        to,
        kind,
        probability,
        copy: false,
    }
}

/// A use within a method.
pub(crate) fn local(from: u32, to: u32, probability: f64) -> Edge {
    uses(from, to, EdgeKind::Local, probability)
}

pub(crate) fn options(lambda: f64, copies_free: bool) -> FocOptions {
    FocOptions {
        lambda,
        copies_free,
        epsilon: 0.0,
    }
}

/// The paper's example (§1.4): `o1` is vertex 0, `o9` vertex 8.
pub(crate) fn factorial() -> Psg {
    let vertices = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|vertex| Vertex {
        unit: UnitId((vertex >= 6).into()),
        postorder: vertex,
    });
    let edge = |from: u32, to: u32, kind, probability, copy| Edge {
        from: from - 1,
        to: to - 1,
        kind,
        probability,
        copy,
    };
    Psg::new(
        &vertices,
        [
            edge(3, 1, EdgeKind::Local, 1.0, true),
            edge(7, 2, EdgeKind::Argument, 0.125, true),
            edge(6, 3, EdgeKind::Local, 0.125, false),
            edge(8, 3, EdgeKind::Argument, 0.125, true),
            edge(9, 7, EdgeKind::Local, 1.0, false),
            edge(9, 8, EdgeKind::Local, 1.0, false),
            edge(5, 9, EdgeKind::Return, 1.0, true),
        ],
    )
}

const KINDS: [EdgeKind; 7] = [
    EdgeKind::Local,
    EdgeKind::Array,
    EdgeKind::Library,
    EdgeKind::Argument,
    EdgeKind::Return,
    EdgeKind::Field,
    EdgeKind::Capture,
];

/// Vertices in up to three methods, in order; edges of any kind. With `lawful`, edges that are never cut lead from a later to
/// an earlier candidate of one method, as those of a loop-free body do.
pub(crate) fn graphs(most: u32, lawful: bool) -> impl Strategy<Value = (Vec<Vertex>, Vec<Edge>)> {
    (1..=most).prop_flat_map(move |count| {
        let vertices =
            prop::collection::vec((0..3_u32, 0..4_u32), count as usize).prop_map(|mut vertices| {
                vertices.sort_by_key(|vertex| vertex.0);
                vertices
                    .into_iter()
                    .map(|(unit, postorder)| Vertex {
                        unit: UnitId(unit),
                        postorder,
                    })
                    .collect::<Vec<_>>()
            });
        let edges = prop::collection::vec(
            (0..count, 0..count, 0..7_usize, 0..=8_u32, any::<bool>()),
            0..=3 * count as usize,
        );
        (vertices, edges).prop_map(move |(vertices, edges)| {
            let key = |v: u32| (vertices[v as usize], v);
            let edges = edges
                .into_iter()
                .map(|(from, to, kind, eighths, copy)| Edge {
                    from,
                    to,
                    kind: KINDS[kind],
                    probability: f64::from(eighths) / 8.0,
                    copy,
                })
                .map(|edge| {
                    let ((a, _), (b, _)) = (key(edge.from), key(edge.to));
                    let stays = a.unit == b.unit && !edge.kind.is_between_methods();
                    if lawful && stays && (a.postorder, edge.from) < (b.postorder, edge.to) {
                        Edge {
                            from: edge.to,
                            to: edge.from,
                            ..edge
                        }
                    } else {
                        edge
                    }
                })
                .collect::<Vec<_>>();
            (vertices, edges)
        })
    })
}

fn is_acyclic(psg: &Psg) -> bool {
    psg.edges()
        .filter(|edge| !edge.cut)
        .all(|edge| psg.topological(edge.from) < psg.topological(edge.to))
        && {
            let mut places: Vec<u32> = (0..psg.vertex_count())
                .map(|v| psg.topological(v))
                .collect();
            places.sort_unstable();
            places.into_iter().eq(0..psg.vertex_count())
        }
}

/// Which vertices reach which, by closure.
fn reaches(psg: &Psg) -> Vec<Vec<bool>> {
    let count = psg.vertex_count() as usize;
    let mut reaches = vec![vec![false; count]; count];
    for edge in psg.edges() {
        reaches[edge.from as usize][edge.to as usize] = true;
    }
    for k in 0..count {
        for i in 0..count {
            for j in 0..count {
                reaches[i][j] |= reaches[i][k] && reaches[k][j];
            }
        }
    }
    reaches
}

#[test]
fn the_factorial_has_its_seven_chains_and_nothing_is_cut() {
    let psg = factorial();
    let chains: Vec<(u32, u32, f64)> = psg
        .edges()
        .map(|edge| (edge.from + 1, edge.to + 1, edge.probability))
        .collect();
    assert_eq!(
        chains,
        [
            (3, 1, 1.0),
            (5, 9, 1.0),
            (6, 3, 0.125),
            (7, 2, 0.125),
            (8, 3, 0.125),
            (9, 7, 1.0),
            (9, 8, 1.0)
        ]
    );
    assert_eq!(psg.cut_edges(), 0);
    let into_o3: Vec<u32> = psg.incoming(2).map(|edge| edge.from + 1).collect();
    assert_eq!(into_o3, [6, 8]);
    assert_eq!(psg.unit(8), Some(UnitId(1)));
    assert_eq!(psg.unit(9), None);
    assert_eq!(psg.outgoing(u32::MAX).len(), 0);
    assert_eq!(psg.incoming(9).len(), 0);
}

#[test]
fn parallel_edges_are_one_and_what_is_no_edge_is_dropped() {
    let vertices = in_one_method(2);
    let edge = |from, to, kind, probability, copy| Edge {
        from,
        to,
        kind,
        probability,
        copy,
    };
    let psg = Psg::new(
        &vertices,
        [
            edge(1, 0, EdgeKind::Field, 0.75, true),
            edge(1, 0, EdgeKind::Local, 0.5, false),
            edge(1, 1, EdgeKind::Local, 1.0, false),
            edge(0, 1, EdgeKind::Local, 0.0, false),
            edge(0, 1, EdgeKind::Local, f64::NAN, false),
            edge(0, 1, EdgeKind::Local, -1.0, false),
            edge(0, 2, EdgeKind::Local, 1.0, false),
            edge(7, 0, EdgeKind::Local, 1.0, false),
        ],
    );
    assert_eq!(psg.edge_count(), 1);
    let edge = psg.find_edge(1, 0).unwrap();
    assert_eq!(
        (edge.kind, edge.probability, edge.copy),
        (EdgeKind::Local, 0.75, false)
    );
    assert_eq!(psg.find_edge(0, 1), None);

    let over = Edge {
        from: 1,
        to: 0,
        kind: EdgeKind::Local,
        probability: 7.0,
        copy: true,
    };
    assert_eq!(
        Psg::new(&vertices, [over]).edge(0).unwrap().probability,
        1.0
    );
    assert_eq!(Psg::new(&[], [over]).edge_count(), 0);
}

/// `inc() { n = n + 1; }` beside `dec() { n = n - 1; }`: each uses what the other defined. Only the edge from the later to the
/// earlier candidate remains.
#[test]
fn a_cycle_through_a_field_is_cut_to_one_direction() {
    let vertices = in_many_methods(2);
    let field = |from, to| uses(from, to, EdgeKind::Field, 0.5);
    let psg = Psg::new(&vertices, [field(0, 1), field(1, 0)]);
    assert_eq!(psg.cut_edges(), 1);
    assert!(psg.find_edge(0, 1).unwrap().cut);
    assert!(!psg.find_edge(1, 0).unwrap().cut);
}

/// `int f(int n) { return n == 0 ? 0 : (r = f(m = n - 1)); }`: `n` takes `m`, `m` uses `n`, all in one method. The edge to the
/// actual leads from an earlier to a later candidate and goes, the local one stays.
#[test]
fn a_recursion_is_cut_at_its_arguments() {
    let vertices = in_one_method(2);
    let edge = |from, to, kind| uses(from, to, kind, 1.0);
    let psg = Psg::new(
        &vertices,
        [edge(0, 1, EdgeKind::Argument), edge(1, 0, EdgeKind::Local)],
    );
    assert!(psg.find_edge(0, 1).unwrap().cut);
    assert!(!psg.find_edge(1, 0).unwrap().cut);
}

/// `x = (y = a) + y`: one statement, so one place in the reverse postorder, and `x` stands before `y` in the text. The local
/// edge stays, and an edge between calls that leads the other way is cut.
#[test]
fn local_edges_decide_where_the_postorder_does_not() {
    let vertices = [Vertex {
        unit: UnitId(0),
        postorder: 3,
    }; 2];
    let edge = |from, to, kind| uses(from, to, kind, 1.0);
    let psg = Psg::new(
        &vertices,
        [edge(0, 1, EdgeKind::Local), edge(1, 0, EdgeKind::Field)],
    );
    assert!(!psg.find_edge(0, 1).unwrap().cut);
    assert!(psg.find_edge(1, 0).unwrap().cut);
}

/// A chain that deep would overflow the stack of a recursive search.
#[test]
fn depth_costs_no_stack() {
    let count = 200_000;
    let vertices = in_many_methods(count);
    let psg = Psg::new(
        &vertices,
        (0..count).map(|from| Edge {
            from,
            to: (from + 1) % count,
            kind: EdgeKind::Argument,
            probability: 1.0,
            copy: true,
        }),
    );
    // A ring in which all edges but the closing one lead from an earlier to a later candidate.
    assert_eq!(psg.cut_edges(), count - 1);
    assert!(is_acyclic(&psg));
}

proptest! {
    #[test]
    fn cutting_follows_the_rule((vertices, edges) in graphs(10, true)) {
        let psg = Psg::new(&vertices, edges);
        prop_assert!(is_acyclic(&psg));
        let reaches = reaches(&psg);
        let key = |v: u32| (vertices[v as usize].unit, vertices[v as usize].postorder, v);
        let mut cut = 0;
        for edge in psg.edges() {
            let between = edge.kind.is_between_methods()
                || vertices[edge.from as usize].unit != vertices[edge.to as usize].unit;
            let on_a_cycle = reaches[edge.to as usize][edge.from as usize];
            prop_assert_eq!(edge.cut, between && on_a_cycle && key(edge.from) < key(edge.to));
            cut += u32::from(edge.cut);
        }
        prop_assert_eq!(psg.cut_edges(), cut);
    }

    #[test]
    fn any_input_gives_an_acyclic_graph((vertices, edges) in graphs(10, false)) {
        let psg = Psg::new(&vertices, edges);
        prop_assert!(is_acyclic(&psg));
    }

    #[test]
    fn the_order_of_edges_does_not_matter(
        ((vertices, edges), shuffled) in graphs(10, true).prop_flat_map(|(vertices, edges)| {
            let shuffled = Just(edges.clone()).prop_shuffle();
            (Just((vertices, edges)), shuffled)
        })
    ) {
        let (one, other) = (Psg::new(&vertices, edges), Psg::new(&vertices, shuffled));
        prop_assert!(one.edges().eq(other.edges()));
        prop_assert_eq!(one.topological, other.topological);
    }
}
