//! A graph as DOT text, for Graphviz and others that read it.
//!
//! Everything is written, in the order of the graph; nothing is left out as in [`svg()`](crate::svg()).

use std::fmt::Write;

use crate::DrawGraph;
use crate::svg::is_safe;

/// The graph as a `digraph` of that name.
pub fn dot(graph: &DrawGraph, name: &str) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_graph(&mut out, graph, name);
    out
}

fn write_graph(out: &mut String, graph: &DrawGraph, name: &str) -> std::fmt::Result {
    writeln!(out, "digraph {} {{", quote(name))?;
    writeln!(out, "  rankdir=LR;")?;
    writeln!(
        out,
        "  node [shape=box, style=rounded, fontname=\"monospace\", fontsize=11];"
    )?;
    writeln!(out, "  edge [fontname=\"monospace\", fontsize=9];")?;
    for (index, node) in graph.nodes.iter().enumerate() {
        write!(
            out,
            "  n{index} [label={}",
            quote(&node.label_lines.join("\n"))
        )?;
        attribute(out, "class", &node.class)?;
        attribute(out, "tooltip", &node.title)?;
        let link = node.link.as_deref().filter(|link| is_safe(link));
        attribute(out, "URL", link.unwrap_or_default())?;
        if has_class(&node.class, "picked") {
            write!(out, ", penwidth=2")?;
        }
        writeln!(out, "];")?;
    }
    let count = graph.nodes.len();
    for edge in &graph.edges {
        if edge.from as usize >= count || edge.to as usize >= count {
            continue;
        }
        write!(
            out,
            "  n{} -> n{} [label={}",
            edge.from,
            edge.to,
            quote(&edge.label)
        )?;
        attribute(out, "class", &edge.class)?;
        attribute(out, "tooltip", &edge.title)?;
        if has_class(&edge.class, "cut") {
            write!(out, ", style=dashed")?;
        }
        if edge.against_flow {
            write!(out, ", constraint=false")?;
        }
        writeln!(out, "];")?;
    }
    writeln!(out, "}}")
}

fn attribute(out: &mut String, name: &str, value: &str) -> std::fmt::Result {
    if value.is_empty() {
        return Ok(());
    }
    write!(out, ", {name}={}", quote(value))
}

pub(crate) fn has_class(classes: &str, class: &str) -> bool {
    classes.split_whitespace().any(|name| name == class)
}

/// A quoted string. A backslash is doubled, because Graphviz reads `\N`, `\l` and others in labels as escapes.
fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests;
