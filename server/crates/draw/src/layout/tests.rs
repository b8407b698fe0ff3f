#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;

/// The worked example of the method as its graph is drawn.
pub(crate) fn factorial_drawing() -> DrawGraph {
    let names = [
        ("n", "factorial:3"),
        ("factorial", "factorial:4"),
        ("i", "factorial:5"),
        ("factorial", "factorial:8"),
        ("factorial", "factorial:10"),
        ("i", "factorial:11"),
        ("num1", "multiply:15"),
        ("num2", "multiply:15"),
        ("result", "multiply:17"),
    ];
    let nodes = names
        .into_iter()
        .zip(1..)
        .map(|((name, place), number)| DrawNode {
            label_lines: vec![format!("o{number} {name}"), place.to_owned()],
            class: if number == 9 || number == 3 {
                "picked".to_owned()
            } else {
                String::new()
            },
            title: format!("{name} at {place}"),
            ..DrawNode::default()
        })
        .collect();
    let edge = |from, to, label: &str, class: &str, title: &str| DrawEdge {
        from,
        to,
        label: label.to_owned(),
        class: class.to_owned(),
        title: title.to_owned(),
        against_flow: false,
    };
    let edges = vec![
        edge(
            0,
            2,
            "",
            "local copy",
            "o3 i covers o1 n (P = 1, local, copy)",
        ),
        edge(
            8,
            4,
            "",
            "return copy",
            "o5 factorial covers o9 result (P = 1, return, copy)",
        ),
        edge(2, 5, "1/8", "local", "o6 i covers o3 i (P = 1/8, local)"),
        edge(
            1,
            6,
            "1/8",
            "argument copy",
            "o7 num1 covers o2 factorial (P = 1/8, argument, copy)",
        ),
        edge(
            2,
            7,
            "1/8",
            "argument copy",
            "o8 num2 covers o3 i (P = 1/8, argument, copy)",
        ),
        edge(6, 8, "", "local", "o9 result covers o7 num1 (P = 1, local)"),
        edge(7, 8, "", "local", "o9 result covers o8 num2 (P = 1, local)"),
    ];
    DrawGraph { nodes, edges }
}

/// Some sparse and some dense graphs, cycles included, the same in each run.
pub(crate) fn random_graph(nodes: u32, edges: u32, near: u32, mut seed: u64) -> DrawGraph {
    let mut next = |below: u32| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 33) % u64::from(below)) as u32
    };
    DrawGraph {
        nodes: (0..nodes)
            .map(|number| DrawNode {
                label_lines: vec![
                    format!("variable{number}"),
                    format!("Class.method:{number}"),
                ],
                ..DrawNode::default()
            })
            .collect(),
        edges: (0..edges)
            .map(|_| {
                let from = next(nodes);
                let to = (from + 1 + next(near)).min(nodes - 1);
                let back = next(40) == 0;
                DrawEdge {
                    from: if back { to } else { from },
                    to: if back { from } else { to },
                    label: if next(3) == 0 { "1/2" } else { "" }.to_owned(),
                    class: ["local", "field", "argument copy", "return"][next(4) as usize]
                        .to_owned(),
                    ..DrawEdge::default()
                }
            })
            .collect(),
    }
}

fn overlap(a: &Place, b: &Place) -> bool {
    let apart = a.x + a.width <= b.x + 0.01
        || b.x + b.width <= a.x + 0.01
        || a.y + a.height <= b.y + 0.01
        || b.y + b.height <= a.y + 0.01;
    !apart
}

/// No box lies on another or outside, edges start and end at their boxes, and no horizontal stretch crosses a box.
fn check(graph: &DrawGraph, layout: &Layout) {
    assert_eq!(layout.nodes.len(), graph.nodes.len());
    assert_eq!(layout.routes.len(), graph.edges.len());
    for (index, a) in layout.nodes.iter().enumerate() {
        assert!(a.x >= 0.0 && a.x + a.width <= layout.width, "{a:?}");
        assert!(a.y >= 0.0 && a.y + a.height <= layout.height, "{a:?}");
        for b in &layout.nodes[..index] {
            assert!(!overlap(a, b), "{a:?} {b:?}");
        }
    }
    for (edge, route) in graph.edges.iter().zip(&layout.routes) {
        let Some(route) = route else {
            assert_eq!(edge.from, edge.to);
            continue;
        };
        let (from, to) = (
            layout.nodes[edge.from as usize],
            layout.nodes[edge.to as usize],
        );
        let (start, end) = if route.backwards {
            (from.x, to.x + to.width)
        } else {
            (from.x + from.width, to.x)
        };
        assert_eq!((route.start.0, route.end.0), (start, end));
        assert!(from.y <= route.start.1 && route.start.1 <= from.y + from.height);
        assert!(to.y <= route.end.1 && route.end.1 <= to.y + to.height);
        for &(left, right, y) in &route.stretches {
            let line = Place {
                x: left,
                y,
                width: right - left,
                height: 0.0,
            };
            assert!(!layout.nodes.iter().any(|node| overlap(node, &line)));
        }
    }
}

#[test]
fn the_factorial_is_laid_out_from_definitions_to_uses() {
    let graph = factorial_drawing();
    let layout = place(&graph);
    check(&graph, &layout);
    let x = |number: usize| layout.nodes[number - 1].x;
    // o1 → o3 → o8 → o9 → o5
    assert!(x(1) < x(3) && x(3) < x(8) && x(8) < x(9) && x(9) < x(5));
    assert!(layout.routes.iter().flatten().all(|route| !route.backwards));
}

#[test]
fn edges_that_close_a_cycle_lead_backwards() {
    let node = DrawNode::default();
    let edge = |from, to, against_flow| DrawEdge {
        from,
        to,
        against_flow,
        ..DrawEdge::default()
    };
    let mut graph = DrawGraph {
        nodes: vec![node; 3],
        edges: vec![
            edge(0, 1, false),
            edge(1, 2, false),
            edge(2, 0, false),
            edge(1, 1, false),
        ],
    };
    let backwards = |graph: &DrawGraph| -> Vec<Option<bool>> {
        let layout = place(graph);
        check(graph, &layout);
        layout
            .routes
            .iter()
            .map(|r| r.as_ref().map(|r| r.backwards))
            .collect()
    };
    assert_eq!(
        backwards(&graph),
        [Some(false), Some(false), Some(true), None]
    );
    graph.edges[0].against_flow = true;
    assert_eq!(
        backwards(&graph),
        [Some(true), Some(false), Some(false), None]
    );
}

#[test]
fn large_graphs_are_laid_out() {
    for (nodes, edges, near) in [(300, 320, 10), (300, 900, 5), (300, 900, 299), (300, 2, 1)] {
        let graph = random_graph(nodes, edges, near, 1);
        let layout = place(&graph);
        check(&graph, &layout);
        assert_eq!(layout, place(&graph));
    }
    // A chain with edges over all lengths: more bends than are drawn.
    let mut graph = random_graph(300, 0, 1, 1);
    graph.edges = (1..300)
        .flat_map(|to| [(to - 1, to), (to / 2, to)])
        .map(|(from, to)| DrawEdge {
            from,
            to,
            ..DrawEdge::default()
        })
        .collect();
    check(&graph, &place(&graph));
}

#[test]
fn a_star_and_a_complete_graph_are_laid_out() {
    let edge = |(from, to)| DrawEdge {
        from,
        to,
        ..DrawEdge::default()
    };
    let mut graph = random_graph(300, 0, 1, 1);
    graph.edges = (1..300).map(|to| edge((0, to))).collect();
    check(&graph, &place(&graph));
    let mut graph = random_graph(42, 0, 1, 1);
    graph.edges = (0..42)
        .flat_map(|a| (0..42).map(move |b| (a, b)))
        .map(edge)
        .collect();
    check(&graph, &place(&graph));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_graph_is_laid_out(
        nodes in 0..40_u32,
        edges in prop::collection::vec((0..40_u32, 0..40_u32, any::<bool>(), "\\PC{0,5}"), 0..80),
        lines in prop::collection::vec("\\PC{0,70}", 0..4),
    ) {
        let graph = DrawGraph {
            nodes: (0..nodes)
                .map(|number| DrawNode {
                    label_lines: lines[..lines.len().min(number as usize)].to_vec(),
                    ..DrawNode::default()
                })
                .collect(),
            edges: edges
                .into_iter()
                .filter(|&(from, to, ..)| from < nodes && to < nodes)
                .map(|(from, to, against_flow, label)| DrawEdge {
                    from,
                    to,
                    label,
                    against_flow,
                    ..DrawEdge::default()
                })
                .collect(),
        };
        let layout = place(&graph);
        check(&graph, &layout);
        prop_assert_eq!(&layout, &place(&graph));
    }
}
