//! The picture of a graph has the answer in it.

use crate::support::{Project, demo, telltale};

/// The groups of the nodes, each with the link around it.
fn nodes(svg: &str) -> Vec<&str> {
    svg.split("<a href=")
        .skip(1)
        .map(|part| part.split("</a>").next().unwrap_or(part))
        .collect()
}

/// The name of the node of a number.
fn name_of<'a>(nodes: &[&'a str], number: &str) -> &'a str {
    let mark = format!("data-node=\"{number}\"");
    let node = nodes.iter().find(|n| n.contains(&mark));
    let name = node.and_then(|n| n.split("class=\"name\"").nth(1)?.split(['>', '<']).nth(1));
    name.expect("a name")
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
        best.starts_with("\"src/test/java/demo/OrderBookTest.java#L25\">"),
        "{best}"
    );
    let asserting = "OrderBookTest#keepsWhatDoesNotCross";
    let other = telltale(&demo(), &["graph", "--test", asserting, "--format", "svg"]).stdout;
    let read = other.matches(" observed").count();
    assert!(read >= 3, "what the assertions read already: {read}");
    assert!(with("flows through price → ") >= 1, "the way in words");
    // Where a wrong value of the parameter `arrival` shows, from node to node.
    let arrival = nodes.iter().find(|n| n.contains(">arrival<"));
    let way = arrival.and_then(|n| n.split("data-way=\"").nth(1)?.split('"').next());
    let way: Vec<&str> = way
        .expect("a way")
        .split(' ')
        .map(|at| name_of(&nodes, at))
        .collect();
    assert_eq!(
        way,
        ["arrival", "5. arrival", "bids", "return", "1. book.open()"]
    );
    // A query that nobody chose and no assertion makes is not drawn.
    assert!(!svg.contains("buy.hashCode()"), "{svg}");
}

#[test]
fn values_that_stand_alone_are_left_out_and_counted() {
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
    // Of the four that count as chosen, some are of the noise: all of them tell on one value.
    let drawn = nodes(&svg).len();
    assert!(drawn < 20, "{drawn}");
    let alone = format!("{} more stand alone", 405 - drawn);
    assert!(svg.contains(&alone), "{drawn}: {svg}");
    for name in ["left", "right", "both"] {
        assert!(svg.contains(&format!("{name}<")), "{name} is drawn");
    }
    assert!(!svg.contains("showing"), "nothing else is cut");
}

#[test]
fn of_many_edges_each_value_keeps_its_surest_way() {
    // Every value of `wide` is used by forty others.
    let sums: String = (0..40)
        .map(|i| format!("        int s{i} = a * b + c - d + {i};\n"))
        .collect();
    let all: Vec<String> = (0..40).map(|i| format!("s{i}")).collect();
    let text = format!(
        "class A {{\n    int wide(int x) {{\n        int a = x + 1;\n        int b = x + 2;\n        \
         int c = x + 3;\n        int d = x + 4;\n{sums}        int total = {};\n        \
         return total;\n    }}\n    int other(int y) {{ int z = y + 1; return z; }}\n}}\n",
        all.join(" + ")
    );
    let project = Project::new(&[("A.java", &text)]);
    let svg = project.run(&["graph", "--format", "svg"]).stdout;
    let leaving: Vec<&str> = svg
        .split("data-from=\"")
        .skip(1)
        .filter_map(|part| part.split('"').next())
        .collect();
    let mut once = leaving.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(leaving.len(), once.len(), "one way of each: {svg}");
    assert!(svg.contains("each with its surest way ("), "{svg}");
    let dot = project.run(&["graph", "--format", "dot"]).stdout;
    assert!(
        dot.matches("->").count() > 200,
        "other formats have all of them"
    );
}
