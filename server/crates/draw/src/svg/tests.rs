#![allow(clippy::unwrap_used)]

use expect_test::expect;

use super::*;
use crate::layout::tests::{factorial_drawing, random_graph};
use crate::{DrawEdge, DrawNode};

fn body(svg: &str) -> &str {
    svg.split_once("</style>\n").unwrap().1
}

#[test]
fn the_factorial_as_svg() {
    let text = svg(&factorial_drawing(), &SvgOptions::default());
    expect![[r#"
        <rect class="paper" width="840" height="185"/>
        <g class="edge local copy" data-from="0" data-to="2"><title>o3 i covers o1 n (P = 1, local, copy)</title><path class="line" d="M100.6 65C125.4 65 125.4 65 150.3 65"/><path class="head" d="M156.3 65l-7 -3.2v6.4z"/></g>
        <g class="edge return copy" data-from="8" data-to="4"><title>o5 factorial covers o9 result (P = 1, return, copy)</title><path class="line" d="M539.9 92.5C559.6 92.5 559.6 92.5 579.4 92.5"/><path class="head" d="M585.4 92.5l-7 -3.2v6.4z"/></g>
        <g class="edge local" data-from="2" data-to="5"><title>o6 i covers o3 i (P = 1/8, local)</title><path class="line" d="M240.8 69.5C276.3 69.5 276.3 92.5 311.7 92.5"/><path class="head" d="M317.7 92.5l-7 -3.2v6.4z"/></g>
        <g class="edge argument copy" data-from="1" data-to="6"><title>o7 num1 covers o2 factorial (P = 1/8, argument, copy)</title><path class="line" d="M251.1 147.5C282.9 147.5 282.9 147.5 314.7 147.5"/><path class="head" d="M320.7 147.5l-7 -3.2v6.4z"/></g>
        <g class="edge argument copy" data-from="2" data-to="7"><title>o8 num2 covers o3 i (P = 1/8, argument, copy)</title><path class="line" d="M240.8 60.5C277.8 60.5 277.8 37.5 314.7 37.5"/><path class="head" d="M320.7 37.5l-7 -3.2v6.4z"/></g>
        <g class="edge local" data-from="6" data-to="8"><title>o9 result covers o7 num1 (P = 1, local)</title><path class="line" d="M405.3 147.5C427.3 147.5 427.3 97 449.3 97"/><path class="head" d="M455.3 97l-7 -3.2v6.4z"/></g>
        <g class="edge local" data-from="7" data-to="8"><title>o9 result covers o8 num2 (P = 1, local)</title><path class="line" d="M405.3 37.5C427.3 37.5 427.3 88 449.3 88"/><path class="head" d="M455.3 88l-7 -3.2v6.4z"/></g>
        <g class="node" data-node="0"><title>n at factorial:3</title><rect class="box" x="16" y="43.5" width="84.6" height="43" rx="5"/><text class="name" x="25" y="62.5">o1 n</text><text class="detail" x="25" y="76">factorial:3</text></g>
        <g class="node" data-node="1"><title>factorial at factorial:4</title><rect class="box" x="146.1" y="126" width="105" height="43" rx="5"/><text class="name" x="155.1" y="145">o2 factorial</text><text class="detail" x="155.1" y="158.5">factorial:4</text></g>
        <g class="node picked" data-node="2"><title>i at factorial:5</title><rect class="box" x="156.3" y="43.5" width="84.6" height="43" rx="5"/><text class="name" x="165.3" y="62.5">o3 i</text><text class="detail" x="165.3" y="76">factorial:5</text></g>
        <g class="node" data-node="3"><title>factorial at factorial:8</title><rect class="box" x="718.4" y="16" width="105" height="43" rx="5"/><text class="name" x="727.4" y="35">o4 factorial</text><text class="detail" x="727.4" y="48.5">factorial:8</text></g>
        <g class="node" data-node="4"><title>factorial at factorial:10</title><rect class="box" x="585.4" y="71" width="105" height="43" rx="5"/><text class="name" x="594.4" y="90">o5 factorial</text><text class="detail" x="594.4" y="103.5">factorial:10</text></g>
        <g class="node" data-node="5"><title>i at factorial:11</title><rect class="box" x="317.7" y="71" width="90.6" height="43" rx="5"/><text class="name" x="326.7" y="90">o6 i</text><text class="detail" x="326.7" y="103.5">factorial:11</text></g>
        <g class="node" data-node="6"><title>num1 at multiply:15</title><rect class="box" x="320.7" y="126" width="84.6" height="43" rx="5"/><text class="name" x="329.7" y="145">o7 num1</text><text class="detail" x="329.7" y="158.5">multiply:15</text></g>
        <g class="node" data-node="7"><title>num2 at multiply:15</title><rect class="box" x="320.7" y="16" width="84.6" height="43" rx="5"/><text class="name" x="329.7" y="35">o8 num2</text><text class="detail" x="329.7" y="48.5">multiply:15</text></g>
        <g class="node picked" data-node="8"><title>result at multiply:17</title><rect class="box" x="455.3" y="71" width="84.6" height="43" rx="5"/><text class="name" x="464.3" y="90">o9 result</text><text class="detail" x="464.3" y="103.5">multiply:17</text></g>
        <text class="label" text-anchor="middle" x="279.3" y="84">1/8</text>
        <text class="label" text-anchor="middle" x="285.9" y="150.5">1/8</text>
        <text class="label" text-anchor="middle" x="280.8" y="52">1/8</text>
        </svg>
    "#]].assert_eq(body(&text));
}

#[test]
fn what_could_be_read_as_markup_is_escaped() {
    let graph = DrawGraph {
        nodes: vec![
            DrawNode {
                label_lines: vec!["List<String> & \"x\"\u{1b}".to_owned()],
                class: "picked x\"onload=alert(1) a-b".to_owned(),
                title: "</title><script>".to_owned(),
                link: Some("https://example.org/?a=1&b=\"".to_owned()),
                ..DrawNode::default()
            },
            DrawNode {
                link: Some("JavaScript:alert(1)".to_owned()),
                ..DrawNode::default()
            },
        ],
        edges: vec![DrawEdge {
            label: "<1/2>".to_owned(),
            to: 1,
            title: "'".to_owned(),
            ..DrawEdge::default()
        }],
    };
    let options = SvgOptions {
        title: "a < b".to_owned(),
        ..SvgOptions::default()
    };
    let text = svg(&graph, &options);
    assert!(text.contains("<title>a &lt; b</title>"));
    expect![[r#"
        <rect class="paper" width="306" height="62"/>
        <g class="edge" data-from="0" data-to="1"><title>&#39;</title><path class="line" d="M171.8 31C206.6 31 206.6 31 241.5 31"/><path class="head" d="M247.5 31l-7 -3.2v6.4z"/></g>
        <a href="https://example.org/?a=1&amp;b=&quot;"><g class="node picked a-b" data-node="0"><title>&lt;/title&gt;&lt;script&gt;</title><rect class="box" x="16" y="16" width="155.8" height="30" rx="5"/><text class="name" x="25" y="35">List&lt;String&gt; &amp; &quot;x&quot; </text></g></a>
        <g class="node" data-node="1"><rect class="box" x="247.5" y="16" width="42" height="30" rx="5"/></g>
        <text class="label" text-anchor="middle" x="209.6" y="34">&lt;1/2&gt;</text>
        </svg>
    "#]].assert_eq(body(&text));
}

#[test]
fn links_that_run_code_are_no_links() {
    for safe in [
        "https://a/b",
        "A.java#L3",
        "#n1",
        "/a:b",
        "?q=a:b",
        "command:telltale.open",
        "FILE:///A",
    ] {
        assert!(is_safe(safe), "{safe}");
    }
    for unsafe_link in [
        "javascript:alert(1)",
        " javascript:x",
        "data:text/html,x",
        "java\nscript:x",
        "",
    ] {
        assert!(!is_safe(unsafe_link), "{unsafe_link}");
    }
}

#[test]
fn a_drawing_that_is_not_all_says_so() {
    let graph = random_graph(1_200, 1_500, 5, 3);
    let text = svg(&graph, &SvgOptions::default());
    assert_eq!(text.matches("<g class=\"node").count(), 300);
    let inner = graph
        .edges
        .iter()
        .filter(|e| e.from < 300 && e.to < 300)
        .count();
    assert_eq!(text.matches("<g class=\"edge").count(), inner);
    assert!(text.contains(&format!(
        ">showing 300 of 1,200 candidates and {inner} of 1,500 edges</text>"
    )));

    let options = SvgOptions {
        most_edges: 10,
        most_nodes: 1_200,
        noun: "methods".to_owned(),
        ..SvgOptions::default()
    };
    let mut small = random_graph(20, 30, 5, 3);
    assert!(svg(&small, &options).contains(">showing 10 of 30 edges</text>"));
    small.edges.truncate(10);
    assert!(!svg(&small, &options).contains("showing"));
    let none = svg(&DrawGraph::default(), &options);
    assert!(none.contains("viewBox=\"0 0 32 32\""));
}

#[test]
fn numbers_are_short_and_have_one_zero() {
    let texts = [0.0, -0.01, 1.25, 12.0, 1_234.56].map(|number| Number(number).to_string());
    assert_eq!(texts, ["0", "0", "1.3", "12", "1234.6"]);
}
