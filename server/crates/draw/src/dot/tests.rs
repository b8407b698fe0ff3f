use expect_test::expect;

use super::*;
use crate::layout::tests::factorial_drawing;
use crate::{DrawEdge, DrawNode};

#[test]
fn the_factorial_as_dot() {
    expect![[r#"
        digraph "factorial" {
          rankdir=LR;
          node [shape=box, style=rounded, fontname="monospace", fontsize=11];
          edge [fontname="monospace", fontsize=9];
          n0 [label="o1 n\nfactorial:3", tooltip="n at factorial:3"];
          n1 [label="o2 factorial\nfactorial:4", tooltip="factorial at factorial:4"];
          n2 [label="o3 i\nfactorial:5", class="picked", tooltip="i at factorial:5", penwidth=2];
          n3 [label="o4 factorial\nfactorial:8", tooltip="factorial at factorial:8"];
          n4 [label="o5 factorial\nfactorial:10", tooltip="factorial at factorial:10"];
          n5 [label="o6 i\nfactorial:11", tooltip="i at factorial:11"];
          n6 [label="o7 num1\nmultiply:15", tooltip="num1 at multiply:15"];
          n7 [label="o8 num2\nmultiply:15", tooltip="num2 at multiply:15"];
          n8 [label="o9 result\nmultiply:17", class="picked", tooltip="result at multiply:17", penwidth=2];
          n0 -> n2 [label="", class="local copy", tooltip="o3 i covers o1 n (P = 1, local, copy)"];
          n8 -> n4 [label="", class="return copy", tooltip="o5 factorial covers o9 result (P = 1, return, copy)"];
          n2 -> n5 [label="1/8", class="local", tooltip="o6 i covers o3 i (P = 1/8, local)"];
          n1 -> n6 [label="1/8", class="argument copy", tooltip="o7 num1 covers o2 factorial (P = 1/8, argument, copy)"];
          n2 -> n7 [label="1/8", class="argument copy", tooltip="o8 num2 covers o3 i (P = 1/8, argument, copy)"];
          n6 -> n8 [label="", class="local", tooltip="o9 result covers o7 num1 (P = 1, local)"];
          n7 -> n8 [label="", class="local", tooltip="o9 result covers o8 num2 (P = 1, local)"];
        }
    "#]].assert_eq(&dot(&factorial_drawing(), "factorial"));
}

#[test]
fn what_could_be_read_as_dot_is_quoted() {
    let graph = DrawGraph {
        nodes: vec![DrawNode {
            label_lines: vec!["\"a\\N\"\t".to_owned(), "];}".to_owned()],
            link: Some("file:///A.java#L3".to_owned()),
            ..DrawNode::default()
        }],
        edges: vec![
            DrawEdge {
                class: "cut".to_owned(),
                against_flow: true,
                ..DrawEdge::default()
            },
            DrawEdge {
                to: 1,
                ..DrawEdge::default()
            },
        ],
    };
    expect![[r#"
        digraph "a \"b\"" {
          rankdir=LR;
          node [shape=box, style=rounded, fontname="monospace", fontsize=11];
          edge [fontname="monospace", fontsize=9];
          n0 [label="\"a\\N\" \n];}", URL="file:///A.java#L3"];
          n0 -> n0 [label="", class="cut", style=dashed, constraint=false];
        }
    "#]]
    .assert_eq(&dot(&graph, "a \"b\""));
}
