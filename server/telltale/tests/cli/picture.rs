//! The picture of a graph has the answer in it.

use crate::support::{Project, demo, telltale};

/// The groups of the nodes, each with the link around it.
fn nodes(svg: &str) -> Vec<&str> {
    svg.split("<a href=")
        .skip(1)
        .map(|part| part.split("</a>").next().unwrap_or(part))
        .collect()
}

#[test]
fn what_was_chosen_and_what_is_read_stands_out() {
    let test = "OrderBookTest#takesTheBestPriceFirst";
    let svg = telltale(&demo(), &["graph", "--test", test, "--format", "svg"]).stdout;
    let nodes = nodes(&svg);
    let with = |text: &str| nodes.iter().filter(|n| n.contains(text)).count();
    assert_eq!(with("picked readable first"), 1, "{svg}");
    let best = nodes.iter().find(|n| n.contains("picked readable first"));
    let best = best.expect("one is the best");
    assert!(best.contains(">1. book.open()<"), "{best}");
    assert!(best.contains("1st to observe: could be asserted"), "{best}");
    assert!(
        best.starts_with("\"src/test/java/demo/OrderBookTest.java#L24\">"),
        "{best}"
    );
    assert!(with(" observed") >= 3, "what the assertions read already");
    assert!(with("by way of price → ") >= 1, "the way in words");
    // A query that nobody chose and no assertion makes is not drawn.
    assert!(!svg.contains("buy.hashCode()"), "{svg}");
}

#[test]
fn of_many_those_are_drawn_that_the_answer_is_about() {
    // The value that tells most comes last; before it stand more candidates than a drawing holds.
    let noise: String = (0..400)
        .map(|i| format!("        int a{i} = {i};\n"))
        .collect();
    let text = format!(
        "class A {{\n    void noise() {{\n{noise}    }}\n    \
         int last(int p, int q) {{\n        int left = p + 1;\n        int right = q + 1;\n        \
         int both = left * right;\n        return both;\n    }}\n}}\n"
    );
    let project = Project::new(&[("A.java", &text)]);
    let svg = project.run(&["graph", "--format", "svg"]).stdout;
    assert_eq!(nodes(&svg).len(), 300);
    assert!(svg.contains("showing 300 of "), "what is cut is said");
    for name in ["left", "right", "both"] {
        assert!(svg.contains(&format!("{name}<")), "{name} is drawn");
    }
}
