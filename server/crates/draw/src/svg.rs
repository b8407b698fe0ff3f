//! A graph as one self-contained SVG text: no script, no font and nothing else from outside.
//!
//! Colours are CSS variables with a light and a dark set (`prefers-color-scheme`); inside VS Code's web views the editor's
//! theme decides, and its own colours are taken. Each rule names its colour twice, once plainly for viewers that do not know
//! variables. Titles are tooltips. Classes with a look of their own: nodes `picked` (proposed), `readable` (proposed, and the
//! test can assert it), `observed` (asserted already),
//! `test` (the test's own), `faint`; edges `cut` (closes a cycle: dashed), `copy` (thin), `field` and `library` (dotted),
//! `faint`. Other classes are written too, for style sheets around the drawing; for scripts around it, nodes bear their number
//! and those on the way that their title speaks of, edges the numbers of their ends. Nodes with a link are reached by the keyboard, so such a drawing is no mere image to readers
//! who hear it.
//!
//! A drawing of thousands of nodes helps nobody: [`SvgOptions`] caps it, and the drawing says so.

use std::fmt::Write;

use text::grouped;

use crate::layout::{self, Layout, Place, Route, metrics};
use crate::{DrawEdge, DrawGraph, DrawNode};

/// What is drawn at most.
#[derive(Clone, Debug, PartialEq)]
pub struct SvgOptions {
    /// The first so many nodes are drawn, and the edges between them.
    pub most_nodes: usize,
    /// And the first so many of these edges.
    pub most_edges: usize,
    /// What the nodes are called in the note, in the plural.
    pub noun: String,
    /// The name of the drawing, for readers who hear it; may be empty.
    pub title: String,
    /// What is said below the drawing besides what is cut; may be empty.
    pub note: String,
}

impl Default for SvgOptions {
    fn default() -> Self {
        SvgOptions {
            most_nodes: 300,
            most_edges: 900,
            noun: "candidates".to_owned(),
            title: String::new(),
            note: String::new(),
        }
    }
}

/// Draws a graph. The same text for the same graph.
pub fn svg(graph: &DrawGraph, options: &SvgOptions) -> String {
    let (shown, note) = cap(graph, options);
    let layout = layout::place(&shown);
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_svg(&mut out, &shown, &layout, &options.title, note.as_deref());
    out
}

/// What is drawn, and what is said if that is not all.
fn cap(graph: &DrawGraph, options: &SvgOptions) -> (DrawGraph, Option<String>) {
    let count = graph.nodes.len().min(options.most_nodes);
    let exists = |limit: usize| {
        move |edge: &&DrawEdge| (edge.from as usize) < limit && (edge.to as usize) < limit
    };
    let edges: Vec<_> = graph
        .edges
        .iter()
        .filter(exists(count))
        .take(options.most_edges)
        .cloned()
        .collect();
    let all_edges = graph.edges.iter().filter(exists(graph.nodes.len())).count();
    let mut parts = Vec::new();
    if count < graph.nodes.len() {
        parts.push(format!(
            "{} of {} {}",
            grouped(count as u64),
            grouped(graph.nodes.len() as u64),
            options.noun
        ));
    }
    if edges.len() < all_edges {
        parts.push(format!(
            "{} of {} edges",
            grouped(edges.len() as u64),
            grouped(all_edges as u64)
        ));
    }
    let cut = (!parts.is_empty()).then(|| format!("showing {}", parts.join(" and ")));
    let said = Some(options.note.clone()).filter(|note| !note.is_empty());
    let notes: Vec<String> = [said, cut].into_iter().flatten().collect();
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    let shown = DrawGraph {
        nodes: graph.nodes[..count].to_vec(),
        edges,
    };
    (shown, note)
}

macro_rules! light {
    () => {
        "--fg:var(--vscode-editor-foreground,#1f2328);--dim:var(--vscode-descriptionForeground,#59636e);\
--bg:var(--vscode-editor-background,#ffffff);--box:#f6f8fa;--line:#8c959f;--edge:#6e7781;--pick:#0969da;\
--pick-box:#ddf4ff;--best:#0969da;--seen:#1a7f37;--seen-box:#dafbe1;--test:#8250df;--test-box:#fbefff"
    };
}

macro_rules! dark {
    () => {
        "--fg:var(--vscode-editor-foreground,#e6edf3);--dim:var(--vscode-descriptionForeground,#9198a1);\
--bg:var(--vscode-editor-background,#0d1117);--box:#161b22;--line:#6e7681;--edge:#8b949e;--pick:#4493f8;\
--pick-box:#0c2d6b;--best:#1f6feb;--seen:#3fb950;--seen-box:#033a16;--test:#ab7df8;--test-box:#271052"
    };
}

/// An editor's theme need not be that of the system: its classes come after the media query.
const COLOURS: &str = concat!(
    ".telltale-graph{",
    light!(),
    "}\n@media (prefers-color-scheme:dark){.telltale-graph{",
    dark!(),
    "}}\n.vscode-light .telltale-graph{",
    light!(),
    "}\n.vscode-dark .telltale-graph,.vscode-high-contrast .telltale-graph{",
    dark!(),
    "}\n.vscode-high-contrast-light .telltale-graph{",
    light!(),
    "}\n"
);

const STYLE: &str = "\
.telltale-graph text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}
.telltale-graph .paper{fill:#ffffff;fill:var(--bg)}
.telltale-graph .box{fill:#f6f8fa;fill:var(--box);stroke:#8c959f;stroke:var(--line);stroke-width:1}
.telltale-graph .name{font-size:12px;fill:#1f2328;fill:var(--fg)}
.telltale-graph .detail,.telltale-graph .note{font-size:10px;fill:#59636e;fill:var(--dim)}
.telltale-graph .line{fill:none;stroke:#6e7781;stroke:var(--edge);stroke-width:1.3}
.telltale-graph .head{fill:#6e7781;fill:var(--edge);stroke:none}
.telltale-graph .label{font-size:9.5px;fill:#59636e;fill:var(--dim);stroke:#ffffff;stroke:var(--bg);stroke-width:4px;\
paint-order:stroke;stroke-linejoin:round}
.telltale-graph .test .box{fill:#fbefff;fill:var(--test-box);stroke:#8250df;stroke:var(--test)}
.telltale-graph .observed .box{fill:#dafbe1;fill:var(--seen-box);stroke:#1a7f37;stroke:var(--seen)}
.telltale-graph .picked .box{fill:#ddf4ff;fill:var(--pick-box);stroke:#0969da;stroke:var(--pick);stroke-width:2}
.telltale-graph .readable .box{fill:#0969da;fill:var(--best)}
.telltale-graph .readable .name,.telltale-graph .readable .detail{fill:#ffffff}
.telltale-graph .picked .name{font-weight:bold}
.telltale-graph .faint{opacity:.45}
.telltale-graph .edge.copy .line{stroke-width:.8}
.telltale-graph .edge.field .line,.telltale-graph .edge.library .line{stroke-dasharray:1.5 3;stroke-linecap:round}
.telltale-graph .edge.cut .line{stroke-dasharray:6 4}
.telltale-graph .edge:hover .line{stroke:#0969da;stroke:var(--pick);stroke-width:2.4}
.telltale-graph .edge:hover .head{fill:#0969da;fill:var(--pick)}
.telltale-graph .node:hover .box,.telltale-graph a:focus .box{stroke-width:2}
.telltale-graph a:focus-visible .box{stroke:#0969da;stroke:var(--pick);stroke-width:3}
";

fn write_svg(
    out: &mut String,
    graph: &DrawGraph,
    layout: &Layout,
    title: &str,
    note: Option<&str>,
) -> std::fmt::Result {
    const NOTE_HEIGHT: f64 = 20.0;

    let note_width = note.map_or(0.0, |note| {
        layout::columns(note) as f64 * metrics::DETAIL_WIDTH + 2.0 * metrics::MARGIN
    });
    let width = layout.width.max(note_width).ceil();
    let height = (layout.height + if note.is_some() { NOTE_HEIGHT } else { 0.0 }).ceil();
    let role = match graph.nodes.iter().any(|node| node.link.is_some()) {
        true => "group",
        false => "img",
    };
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"telltale-graph\" role=\"{role}\" \
         viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">"
    )?;
    if !title.is_empty() {
        writeln!(out, "<title>{}</title>", escape(title))?;
    }
    writeln!(out, "<style>\n{COLOURS}{STYLE}</style>")?;
    writeln!(
        out,
        "<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>"
    )?;

    // Edges first, so that boxes lie above them; labels last, so that no line crosses them.
    let mut labels = String::new();
    for (edge, route) in graph.edges.iter().zip(&layout.routes) {
        let route = match route {
            Some(route) => route,
            None if edge.from == edge.to => {
                if let Some(place) = layout.nodes.get(edge.from as usize) {
                    write_loop(out, place, edge)?;
                }
                continue;
            }
            None => continue,
        };
        open_edge(out, edge)?;
        write_route(out, route)?;
        writeln!(out, "</g>")?;
        if !edge.label.is_empty() {
            let (x, y) = label_place(route);
            writeln!(
                labels,
                "<text class=\"label\" text-anchor=\"middle\" x=\"{}\" y=\"{}\">{}</text>",
                Number(x),
                Number(y + 3.0),
                escape(&layout::clip(&edge.label))
            )?;
        }
    }
    for (number, (node, place)) in graph.nodes.iter().zip(&layout.nodes).enumerate() {
        write_node(out, number, node, place)?;
    }
    out.push_str(&labels);
    if let Some(note) = note {
        writeln!(
            out,
            "<text class=\"note\" x=\"{}\" y=\"{}\">{}</text>",
            Number(metrics::MARGIN),
            Number(height - 10.0),
            escape(note)
        )?;
    }
    writeln!(out, "</svg>")
}

fn open_edge(out: &mut String, edge: &DrawEdge) -> std::fmt::Result {
    let ends = format!("data-from=\"{}\" data-to=\"{}\"", edge.from, edge.to);
    open_group(out, "edge", &edge.class, &ends, &edge.title)
}

/// `data` are attributes as they are written.
fn open_group(
    out: &mut String,
    kind: &str,
    class: &str,
    data: &str,
    title: &str,
) -> std::fmt::Result {
    write!(out, "<g class=\"{kind}{}\" {data}>", class_names(class))?;
    if !title.is_empty() {
        write!(out, "<title>{}</title>", escape(title))?;
    }
    Ok(())
}

fn write_node(out: &mut String, number: usize, node: &DrawNode, place: &Place) -> std::fmt::Result {
    let link = node.link.as_deref().filter(|link| is_safe(link));
    if let Some(link) = link {
        write!(out, "<a href=\"{}\">", escape(link))?;
    }
    let mut data = format!("data-node=\"{number}\"");
    if !node.way.is_empty() {
        let way: Vec<String> = node.way.iter().map(u32::to_string).collect();
        let _ = write!(data, " data-way=\"{}\"", way.join(" "));
    }
    open_group(out, "node", &node.class, &data, &node.title)?;
    write!(
        out,
        "<rect class=\"box\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"5\"/>",
        Number(place.x),
        Number(place.y),
        Number(place.width),
        Number(place.height)
    )?;
    let mut y = place.y + metrics::PADDING - 2.0;
    for (index, line) in node.label_lines.iter().enumerate() {
        let (class, baseline, height) = if index == 0 {
            ("name", 12.0, metrics::NAME_HEIGHT)
        } else {
            ("detail", 9.5, metrics::DETAIL_HEIGHT)
        };
        write!(
            out,
            "<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>",
            Number(place.x + metrics::PADDING),
            Number(y + baseline),
            escape(&layout::clip(line))
        )?;
        y += height;
    }
    out.push_str("</g>");
    if link.is_some() {
        out.push_str("</a>");
    }
    out.push('\n');
    Ok(())
}

/// The length of an arrow's head.
const HEAD: f64 = 7.0;

fn write_route(out: &mut String, route: &Route) -> std::fmt::Result {
    let direction = if route.backwards { -1.0 } else { 1.0 };
    let (mut x, mut y) = route.start;
    write!(out, "<path class=\"line\" d=\"M{} {}", Number(x), Number(y))?;
    let end = (route.end.0 - direction * (HEAD - 1.0), route.end.1);
    for &(left, right, at) in &route.stretches {
        let (near, far) = if route.backwards {
            (right, left)
        } else {
            (left, right)
        };
        write_curve(out, (x, y), (near, at))?;
        if near != far {
            write!(out, "H{}", Number(far))?;
        }
        (x, y) = (far, at);
    }
    write_curve(out, (x, y), end)?;
    write!(out, "\"/>")?;
    write_head(out, route.end, direction)
}

/// Leaves and arrives horizontally.
fn write_curve(out: &mut String, from: (f64, f64), to: (f64, f64)) -> std::fmt::Result {
    let middle = (from.0 + to.0) / 2.0;
    write!(
        out,
        "C{} {} {} {} {} {}",
        Number(middle),
        Number(from.1),
        Number(middle),
        Number(to.1),
        Number(to.0),
        Number(to.1)
    )
}

fn write_head(out: &mut String, tip: (f64, f64), direction: f64) -> std::fmt::Result {
    write!(
        out,
        "<path class=\"head\" d=\"M{} {}l{} -3.2v6.4z\"/>",
        Number(tip.0),
        Number(tip.1),
        Number(-direction * HEAD)
    )
}

/// An edge from a node to itself: over its upper right corner.
fn write_loop(out: &mut String, place: &Place, edge: &DrawEdge) -> std::fmt::Result {
    let (right, top) = (place.x + place.width, place.y);
    open_edge(out, edge)?;
    write!(
        out,
        "<path class=\"line\" d=\"M{} {}C{} {} {} {} {} {}\"/>",
        Number(right - 14.0),
        Number(top),
        Number(right - 14.0),
        Number(top - 16.0),
        Number(right + 18.0),
        Number(top - 4.0),
        Number(right + HEAD - 1.0),
        Number(top + 8.0),
    )?;
    write_head(out, (right, top + 8.0), -1.0)?;
    writeln!(out, "</g>")
}

/// The middle of the first curve.
fn label_place(route: &Route) -> (f64, f64) {
    let next = match route.stretches.first() {
        Some(&(left, right, y)) => (if route.backwards { right } else { left }, y),
        None => route.end,
    };
    (
        (route.start.0 + next.0) / 2.0,
        (route.start.1 + next.1) / 2.0,
    )
}

/// A coordinate to one tenth.
struct Number(f64);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // `-0` would be another text for the same place.
        let tenths = (self.0 * 10.0).round() / 10.0 + 0.0;
        write!(f, "{tenths}")
    }
}

/// Class names, each after a blank; what is no plain name is left out.
fn class_names(classes: &str) -> String {
    let plain = |name: &&str| {
        name.chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
    };
    let mut names = String::new();
    for name in classes.split_whitespace().filter(plain) {
        names.push(' ');
        names.push_str(name);
    }
    names
}

/// Whether a link may be followed: a relative one, or one of a known scheme; never `javascript:` and its like.
pub(crate) fn is_safe(link: &str) -> bool {
    const SCHEMES: [&str; 6] = ["http", "https", "file", "vscode", "command", "jdt"];

    let scheme = link
        .find([':', '/', '?', '#'])
        .filter(|&end| link[end..].starts_with(':'))
        .map(|end| &link[..end]);
    match scheme {
        Some(scheme) => SCHEMES
            .iter()
            .any(|known| scheme.eq_ignore_ascii_case(known)),
        None => !link.is_empty(),
    }
}

/// Text for an element or a quoted attribute; what XML does not allow at all becomes a blank.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' => escaped.push('\n'),
            '\u{fffe}' | '\u{ffff}' => escaped.push(' '),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
