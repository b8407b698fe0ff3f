//! Where a graph's nodes and edges go: layers from left to right, edges between them.
//!
//! The layering (network simplex), the order within layers (barycentres) and the coordinates (Brandes and Köpf) are those of
//! `rust-sugiyama`. It was chosen over `layout-rs`, which also routes and draws, but compares all pairs of each layer for
//! crossings: 300 nodes took it 1 s with 400 edges, 7 s with 600 and minutes with 1,500, against 0.01 to 0.1 s here; its
//! styles are fixed colours, where a drawing for light and dark themes needs classes. What `rust-sugiyama` does not tell is
//! where long edges run, so the first pass gives the layers only, and a second one places long edges too, as thin vertices of
//! each layer that they pass.
//!
//! The layout is a function of the graph alone. Labels are measured by their number of characters, as in a monospaced font.

use rust_sugiyama::configure::Config;
use rustc_hash::FxHashSet;

use crate::{DrawEdge, DrawGraph, DrawNode};

/// Type sizes and distances, in pixels.
pub(crate) mod metrics {
    /// The width of a character of the name, at 12 px.
    pub(crate) const NAME_WIDTH: f64 = 7.25;
    /// The width of a character of the lines below it, at 10 px.
    pub(crate) const DETAIL_WIDTH: f64 = 6.05;
    pub(crate) const NAME_HEIGHT: f64 = 16.0;
    pub(crate) const DETAIL_HEIGHT: f64 = 13.0;
    pub(crate) const PADDING: f64 = 9.0;
    /// The longest line, in characters; longer ones end in "…".
    pub(crate) const LINE: usize = 48;
    /// Between the boxes of one layer.
    pub(crate) const GAP: f64 = 12.0;
    /// Between layers, at least.
    pub(crate) const LAYER_GAP: f64 = 44.0;
    /// Between connected parts.
    pub(crate) const PART_GAP: f64 = 28.0;
    /// Parts stand beside each other up to this width, if none is wider.
    pub(crate) const WIDTH: f64 = 1200.0;
    pub(crate) const MARGIN: f64 = 16.0;
    /// Between the ends of edges at one side of a box, at most.
    pub(crate) const PORT: f64 = 9.0;
}

/// Where a node is drawn: the upper left corner and the size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Place {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// How an edge runs: from a start over horizontal stretches to an end.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Route {
    pub(crate) start: (f64, f64),
    /// `(left, right, y)`, in the order of the edge; the edge passes from left to right unless it leads backwards.
    pub(crate) stretches: Vec<(f64, f64, f64)>,
    pub(crate) end: (f64, f64),
    /// The edge leads from right to left.
    pub(crate) backwards: bool,
}

/// The drawing's geometry. Nodes and edges are in the order of the graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Layout {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) nodes: Vec<Place>,
    /// `None` for an edge whose ends do not exist.
    pub(crate) routes: Vec<Option<Route>>,
}

/// The thin vertices for long edges are so many at most; what does not fit runs straight. Bounds time, and the depth of the
/// placing library's recursion.
const MOST_BENDS: usize = 1_500;

/// An edge in the direction of the layers.
#[derive(Clone, Debug)]
struct Span {
    left: u32,
    right: u32,
    backwards: bool,
    /// The thin vertices between, from left to right.
    bends: Vec<u32>,
}

/// Places a graph. Meant for some hundred nodes: the caller caps.
pub(crate) fn place(graph: &DrawGraph) -> Layout {
    let count = graph.nodes.len();
    if count == 0 {
        return Layout {
            width: 2.0 * metrics::MARGIN,
            height: 2.0 * metrics::MARGIN,
            ..Layout::default()
        };
    }
    let mut spans = orient(graph);
    let layers = assign_layers(count, &spans);
    let bend_layers = add_bends(&layers, &mut spans);
    let layers: Vec<u32> = layers.into_iter().chain(bend_layers).collect();

    let sizes: Vec<(f64, f64)> = graph.nodes.iter().map(box_size).collect();
    let parts = order_in_layers(&layers, &sizes, &spans);
    let gaps = layer_gaps(graph, &layers, &spans);
    arrange(&layers, &sizes, &spans, &parts, gaps)
}

/// The size of a node's box.
fn box_size(node: &DrawNode) -> (f64, f64) {
    let (mut width, mut height) = (24.0_f64, 2.0 * metrics::PADDING - 4.0);
    for (index, line) in node.label_lines.iter().enumerate() {
        let columns = columns(&clip(line)) as f64;
        if index == 0 {
            width = width.max(columns * metrics::NAME_WIDTH);
            height += metrics::NAME_HEIGHT;
        } else {
            width = width.max(columns * metrics::DETAIL_WIDTH);
            height += metrics::DETAIL_HEIGHT;
        }
    }
    if node.label_lines.is_empty() {
        height += metrics::NAME_HEIGHT;
    }
    (width + 2.0 * metrics::PADDING, height)
}

/// The line as it is drawn: control characters are blanks, and what is too long ends in "…".
pub(crate) fn clip(line: &str) -> String {
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    if line.chars().count() <= metrics::LINE {
        return line.chars().map(shown).collect();
    }
    let kept = line.chars().take(metrics::LINE - 1).map(shown);
    kept.chain(['…']).collect()
}

/// The width of a text in characters of a monospaced font; East Asian ones are two wide.
pub(crate) fn columns(text: &str) -> usize {
    text.chars()
        .map(|c| {
            let wide = matches!(c,
                '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}'
                | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}'
                | '\u{ffe0}'..='\u{ffe6}' | '\u{1f300}'..='\u{1faff}' | '\u{20000}'..='\u{3fffd}');
            1 + usize::from(wide)
        })
        .sum()
}

/// Turns edges round so that no cycle is left: first those that may lead against the flow, then those that close a cycle in a
/// depth-first walk. One span for each edge; an edge of a node to itself or without ends has `left == right`.
fn orient(graph: &DrawGraph) -> Vec<Span> {
    let count = graph.nodes.len();
    let drawn = |edge: &DrawEdge| {
        edge.from != edge.to && (edge.from as usize) < count && (edge.to as usize) < count
    };
    let mut leaving = vec![Vec::new(); count];
    for edge in &graph.edges {
        if drawn(edge) && !edge.against_flow {
            leaving[edge.from as usize].push(edge.to);
        }
    }
    // The reverse of the order in which the walk leaves the nodes is topological but for the edges that close a cycle.
    let mut left = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    let mut walk: Vec<(u32, usize)> = Vec::new();
    for root in 0..count as u32 {
        if std::mem::replace(&mut seen[root as usize], true) {
            continue;
        }
        walk.push((root, 0));
        while let Some((node, next)) = walk.last_mut() {
            match leaving[*node as usize].get(*next) {
                Some(&to) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[to as usize], true) {
                        walk.push((to, 0));
                    }
                }
                None => {
                    left.push(*node);
                    walk.pop();
                }
            }
        }
    }
    let mut order = vec![0; count];
    for (index, node) in left.into_iter().rev().enumerate() {
        order[node as usize] = index;
    }
    graph
        .edges
        .iter()
        .map(|edge| {
            if !drawn(edge) {
                return Span {
                    left: 0,
                    right: 0,
                    backwards: false,
                    bends: Vec::new(),
                };
            }
            let backwards = order[edge.from as usize] > order[edge.to as usize];
            let (left, right) = if backwards {
                (edge.to, edge.from)
            } else {
                (edge.from, edge.to)
            };
            Span {
                left,
                right,
                backwards,
                bends: Vec::new(),
            }
        })
        .collect()
}

fn config(spacing: f64) -> Config {
    Config {
        vertex_spacing: spacing,
        ..Config::default()
    }
}

/// The layer of each node, from 0 in each connected part.
fn assign_layers(count: usize, spans: &[Span]) -> Vec<u32> {
    let vertices: Vec<(u32, (f64, f64))> = (0..count as u32).map(|v| (v, (1.0, 1.0))).collect();
    let mut seen = FxHashSet::default();
    let edges: Vec<(u32, u32)> = spans
        .iter()
        .map(|span| (span.left, span.right))
        .filter(|&(left, right)| left != right && seen.insert((left, right)))
        .collect();
    let ranking = Config {
        transpose: false,
        ..config(1.0)
    };
    let mut layers = vec![0; count];
    for (placed, _, _) in rust_sugiyama::from_vertices_and_edges(&vertices, &edges, &ranking) {
        let mut heights: Vec<f64> = placed.iter().map(|&(_, (_, y))| y).collect();
        heights.sort_unstable_by(f64::total_cmp);
        heights.dedup();
        for (vertex, (_, y)) in placed {
            if let Some(layer) = layers.get_mut(vertex) {
                *layer = heights.partition_point(|&height| height < y) as u32;
            }
        }
    }
    layers
}

/// Gives long edges a vertex for each layer that they pass; the layers of these vertices.
fn add_bends(layers: &[u32], spans: &mut [Span]) -> Vec<u32> {
    let length = |span: &Span| {
        layers[span.right as usize].saturating_sub(layers[span.left as usize]) as usize
    };
    let mut by_length: Vec<usize> = (0..spans.len()).collect();
    by_length.sort_by_key(|&index| length(&spans[index]));
    let mut bend_layers = Vec::new();
    for index in by_length {
        let bends = length(&spans[index]).saturating_sub(1);
        if bend_layers.len() + bends > MOST_BENDS {
            break;
        }
        let first = layers[spans[index].left as usize] + 1;
        for layer in (first..).take(bends) {
            let vertex = layers.len() + bend_layers.len();
            spans[index].bends.push(vertex as u32);
            bend_layers.push(layer);
        }
    }
    bend_layers
}

/// For each part of the graph that hangs together, its vertices and their middles across the layers.
fn order_in_layers(layers: &[u32], sizes: &[(f64, f64)], spans: &[Span]) -> Vec<Vec<(usize, f64)>> {
    const BEND_HEIGHT: f64 = 2.0;

    // The library's layers lie below each other, ours side by side: its widths are our heights.
    let vertices: Vec<(u32, (f64, f64))> = (0..layers.len())
        .map(|vertex| {
            let height = sizes.get(vertex).map_or(BEND_HEIGHT, |&(_, height)| height);
            (vertex as u32, (height, 1.0))
        })
        .collect();
    let mut seen = FxHashSet::default();
    let mut edges = Vec::new();
    for span in spans {
        let mut last = span.left;
        for &next in span.bends.iter().chain([&span.right]) {
            let next_layer = layers[last as usize] + 1;
            if layers[next as usize] == next_layer && seen.insert((last, next)) {
                edges.push((last, next));
            }
            last = next;
        }
    }
    let placed = rust_sugiyama::from_vertices_and_edges(&vertices, &edges, &config(metrics::GAP));
    let mut parts: Vec<Vec<(usize, f64)>> = placed
        .into_iter()
        .map(|(placed, _, _)| {
            let mut part: Vec<(usize, f64)> = placed
                .into_iter()
                .map(|(vertex, (across, _))| (vertex, across))
                .collect();
            part.sort_unstable_by_key(|&(vertex, _)| vertex);
            part
        })
        .collect();
    // The largest first; nodes without edges come last, in their order.
    parts.sort_by_key(|part| {
        (
            std::cmp::Reverse(part.len()),
            part.first().map(|first| first.0),
        )
    });
    parts
}

/// How far apart layers stand: room for labels, and for many edges to be told apart.
fn layer_gaps(graph: &DrawGraph, layers: &[u32], spans: &[Span]) -> Vec<f64> {
    let most = layers.iter().max().map_or(0, |&layer| layer as usize);
    let mut labels = vec![0; most + 1];
    let mut edges = vec![0_u32; most + 1];
    for (span, edge) in spans.iter().zip(&graph.edges) {
        if span.left == span.right {
            continue;
        }
        let first = layers[span.left as usize] as usize;
        let last = layers[span.right as usize] as usize;
        for passing in edges.iter_mut().take(last).skip(first) {
            *passing += 1;
        }
        labels[first] = labels[first].max(columns(&clip(&edge.label)));
    }
    labels
        .into_iter()
        .zip(edges)
        .map(|(label, edges)| {
            let many = (f64::from(edges) * 1.5).min(100.0);
            metrics::LAYER_GAP + label as f64 * metrics::DETAIL_WIDTH + many
        })
        .collect()
}

/// Sets the parts beside and below each other, and draws the edges between their vertices.
fn arrange(
    layers: &[u32],
    sizes: &[(f64, f64)],
    spans: &[Span],
    parts: &[Vec<(usize, f64)>],
    gaps: Vec<f64>,
) -> Layout {
    let size = |vertex: usize| sizes.get(vertex).copied().unwrap_or((0.0, 0.0));

    let mut boxes = vec![Place::default(); layers.len()];
    let mut extents = Vec::with_capacity(parts.len());
    for part in parts {
        let in_part = || part.iter().map(|&(vertex, _)| layers[vertex] as usize);
        let (first, last) = (in_part().min().unwrap_or(0), in_part().max().unwrap_or(0));
        let mut widths = vec![0.0_f64; last - first + 1];
        for &(vertex, _) in part {
            let width = &mut widths[layers[vertex] as usize - first];
            *width = width.max(size(vertex).0);
        }
        let mut lefts = Vec::with_capacity(widths.len());
        let mut x = 0.0;
        for (index, width) in widths.iter().enumerate() {
            lefts.push(x);
            x += width;
            if index + 1 < widths.len() {
                x += gaps[first + index];
            }
        }
        let top = part
            .iter()
            .map(|&(vertex, middle)| middle - size(vertex).1 / 2.0)
            .fold(f64::INFINITY, f64::min);
        let mut bottom = 0.0_f64;
        for &(vertex, middle) in part {
            let layer = layers[vertex] as usize - first;
            let (width, height) = size(vertex);
            // A long edge passes the whole layer; a box stands in its middle.
            let (x, width) = match sizes.get(vertex) {
                Some(_) => (lefts[layer] + (widths[layer] - width) / 2.0, width),
                None => (lefts[layer], widths[layer]),
            };
            let y = middle - height / 2.0 - top;
            boxes[vertex] = Place {
                x,
                y,
                width,
                height,
            };
            bottom = bottom.max(y + height);
        }
        extents.push((x, bottom));
    }

    // Shelves: parts side by side while they fit, then a new line.
    let limit = extents
        .iter()
        .fold(metrics::WIDTH, |most, &(width, _)| most.max(width));
    let (mut x, mut y, mut shelf, mut right) = (0.0, 0.0, 0.0_f64, 0.0_f64);
    for (part, &(width, height)) in parts.iter().zip(&extents) {
        if x > 0.0 && x + width > limit {
            (x, y, shelf) = (0.0, y + shelf + metrics::PART_GAP, 0.0);
        }
        for &(vertex, _) in part {
            boxes[vertex].x += x + metrics::MARGIN;
            boxes[vertex].y += y + metrics::MARGIN;
        }
        x += width + metrics::PART_GAP;
        shelf = shelf.max(height);
        right = right.max(x - metrics::PART_GAP);
    }
    let routes = route(sizes.len(), spans, &boxes);
    boxes.truncate(sizes.len());
    Layout {
        width: right + 2.0 * metrics::MARGIN,
        height: y + shelf + 2.0 * metrics::MARGIN,
        nodes: boxes,
        routes,
    }
}

/// The edges' ways. At each side of a box the edges' ends are spread, in the order of where they come from.
fn route(count: usize, spans: &[Span], boxes: &[Place]) -> Vec<Option<Route>> {
    let middle = |vertex: u32| {
        let place = &boxes[vertex as usize];
        place.y + place.height / 2.0
    };
    let drawn = |span: &Span| span.left != span.right;
    let mut at_right: Vec<Vec<(f64, usize)>> = vec![Vec::new(); count];
    let mut at_left: Vec<Vec<(f64, usize)>> = vec![Vec::new(); count];
    for (index, span) in spans.iter().enumerate().filter(|(_, span)| drawn(span)) {
        let first = span.bends.first().unwrap_or(&span.right);
        let last = span.bends.last().unwrap_or(&span.left);
        at_right[span.left as usize].push((middle(*first), index));
        at_left[span.right as usize].push((middle(*last), index));
    }
    let mut starts = vec![0.0; spans.len()];
    let mut ends = vec![0.0; spans.len()];
    for (sides, ports) in [(at_right, &mut starts), (at_left, &mut ends)] {
        for (vertex, mut side) in sides.into_iter().enumerate() {
            side.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let room = boxes[vertex].height - metrics::PADDING;
            let step = metrics::PORT.min(room / side.len() as f64);
            let top = middle(vertex as u32) - step * (side.len().saturating_sub(1)) as f64 / 2.0;
            for (place, (_, index)) in side.into_iter().enumerate() {
                ports[index] = top + step * place as f64;
            }
        }
    }
    spans
        .iter()
        .enumerate()
        .map(|(index, span)| {
            if !drawn(span) {
                return None;
            }
            let (left, right) = (&boxes[span.left as usize], &boxes[span.right as usize]);
            let mut route = Route {
                start: (left.x + left.width, starts[index]),
                stretches: span
                    .bends
                    .iter()
                    .map(|&bend| {
                        let place = &boxes[bend as usize];
                        (place.x, place.x + place.width, place.y)
                    })
                    .collect(),
                end: (right.x, ends[index]),
                backwards: span.backwards,
            };
            if span.backwards {
                std::mem::swap(&mut route.start, &mut route.end);
                route.stretches.reverse();
            }
            Some(route)
        })
        .collect()
}

#[cfg(test)]
pub(crate) mod tests;
