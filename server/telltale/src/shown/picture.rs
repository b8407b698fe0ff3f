//! The substitution graph of a scope with its answer drawn in: what was chosen, what the tests read already, and for
//! every other candidate in words where a wrong value of it would show.
//!
//! A drawing holds so many nodes and no more (`draw::SvgOptions`). Which go first is decided here: what was chosen, what is
//! read, then what these tell on, the surest first. Values that stand alone say nothing of who stands in for whom; they
//! are left out. Where edges are too many for an eye to follow one, each value keeps the way on which a wrong value shows
//! best, and no other. What is left out is said.

use crate::words::shorten;
use calls::Workspace;
use draw::{DrawEdge, DrawGraph, DrawNode, SvgOptions, svg};
use ide::answers::{
    Answer, CandidateKind, CoveredValue, Described, Describer, Observe, RankedValue, name,
};
use ide::{method_words, ordinal};
use observe::Psg;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BinaryHeap;
use text::grouped;

/// How much of a source line a tooltip shows, in characters.
const SOURCE: usize = 120;

/// With more edges than this a drawing has one for each value.
const FOLLOWED: usize = 150;

/// The weight of what is read; what was chosen weighs more, all else less.
const GOAL: f64 = 3.0;

/// A graph to draw, and what is said below it of what is left out.
struct Picture {
    graph: DrawGraph,
    note: String,
}

/// The graph of an answer with every candidate that could be chosen or was.
pub(crate) fn whole(workspace: &Workspace, answer: &Answer) -> DrawGraph {
    Ways::new(workspace, answer).graph
}

/// The same as a drawing of no more than it holds, as SVG.
pub(crate) fn as_svg(workspace: &Workspace, answer: &Answer) -> String {
    let mut options = SvgOptions {
        title: answer.json.scope.name.clone(),
        ..SvgOptions::default()
    };
    let drawn = Ways::new(workspace, answer).picture(options.most_nodes);
    options.note = drawn.note;
    svg(&drawn.graph, &options)
}

/// A graph and what shows where in it; nodes are in order of position.
struct Ways {
    graph: DrawGraph,
    /// By node: how much it matters.
    weight: Vec<f64>,
    /// By edge: how sure a wrong value that takes it shows in something that was chosen or is read.
    sure: Vec<f64>,
}

impl Ways {
    fn new(workspace: &Workspace, answer: &Answer) -> Ways {
        let describer = answer.describer(workspace);
        let chosen = Chosen::of(&answer.json);
        let read: FxHashSet<u32> = answer.json.read.iter().flatten().map(|c| c.id).collect();
        let is_goal = |id: u32| chosen.picks.contains_key(&id) || read.contains(&id);
        // Of the queries that a test could make, those that were chosen or are made.
        let shown: Vec<Described> = describer
            .all()
            .into_iter()
            .filter(|c| c.kind != CandidateKind::Query || is_goal(c.id))
            .collect();
        let psg = &answer.graph().psg;
        let best = best_ways(psg, &is_goal);
        let weight = shown.iter().map(|c| {
            if chosen.picks.contains_key(&c.id) {
                GOAL + 1.0
            } else if read.contains(&c.id) {
                GOAL
            } else {
                let told = chosen.shows.get(&c.id).map(|(_, told)| 1.0 + told.foc);
                told.unwrap_or(best[c.id as usize])
            }
        });
        let scope = &answer.json.scope.name;
        let number: FxHashMap<u32, u32> = shown.iter().map(|c| c.id).zip(0..).collect();
        let nodes: Vec<DrawNode> = shown
            .iter()
            .map(|c| DrawNode {
                way: chosen.way(c.id, &number),
                ..draw_node(c, scope, &chosen, &read, &describer)
            })
            .collect();

        // The whole graph is described first: its edges name their ends in words.
        let all = (0..psg.vertex_count()).map(|v| match number.get(&v) {
            Some(&n) => nodes[n as usize].clone(),
            None => DrawNode::default(),
        });
        let whole = draw_psg(psg, all.collect());
        let mut ways = Ways {
            weight: weight.collect(),
            graph: DrawGraph {
                nodes,
                edges: Vec::new(),
            },
            sure: Vec::new(),
        };
        for (mut edge, known) in whole.edges.into_iter().zip(psg.edges()) {
            if let (Some(&from), Some(&to)) = (number.get(&edge.from), number.get(&edge.to)) {
                (edge.from, edge.to) = (from, to);
                ways.graph.edges.push(edge);
                ways.sure
                    .push(known.probability * best[known.from as usize]);
            }
        }
        ways
    }

    fn picture(&self, most: usize) -> Picture {
        let DrawGraph { nodes, edges } = &self.graph;
        let between = |some: &[u32]| -> Vec<usize> {
            let some: FxHashSet<u32> = some.iter().copied().collect();
            let ends = |e: &usize| some.contains(&edges[*e].from) && some.contains(&edges[*e].to);
            (0..edges.len()).filter(ends).collect()
        };
        let matter = |n: u32| self.weight[n as usize];
        let joined: FxHashSet<u32> = edges.iter().flat_map(|e| [e.from, e.to]).collect();
        let all = nodes.len();
        let mut drawn: Vec<u32> = (0..all as u32)
            .filter(|n| joined.contains(n) || matter(*n) >= GOAL)
            .collect();
        if drawn.is_empty() {
            drawn = (0..all as u32).collect();
        }
        let mut kept = between(&drawn);
        let mut note = match all - drawn.len() {
            0 => String::new(),
            alone => format!("{} more stand alone", grouped(alone as u64)),
        };
        if drawn.len() > most || kept.len() > FOLLOWED {
            if drawn.iter().any(|n| matter(*n) > 0.0) {
                drawn.retain(|n| matter(*n) > 0.0);
            }
            // By position among equals.
            drawn.sort_by(|a, b| matter(*b).total_cmp(&matter(*a)));
            drawn.truncate(most);
            let many = between(&drawn);
            kept = self.surest(&many);
            let (few, of) = (grouped(drawn.len() as u64), grouped(all as u64));
            note = format!(
                "showing {few} of {of} candidates, first those that show in what is proposed or read, \
                 each with its surest way ({} of {} edges)",
                grouped(kept.len() as u64),
                grouped(many.len() as u64),
            );
        }
        let number: FxHashMap<u32, u32> = drawn.iter().copied().zip(0..).collect();
        let renumbered = |e: &usize| DrawEdge {
            from: number[&edges[*e].from],
            to: number[&edges[*e].to],
            ..edges[*e].clone()
        };
        let drawn_node = |n: &u32| {
            let node = &nodes[*n as usize];
            let way: Option<Vec<u32>> = node.way.iter().map(|n| number.get(n).copied()).collect();
            DrawNode {
                way: way.unwrap_or_default(),
                ..node.clone()
            }
        };
        Picture {
            note,
            graph: DrawGraph {
                edges: kept.iter().map(renumbered).collect(),
                nodes: drawn.iter().map(drawn_node).collect(),
            },
        }
    }

    /// Of some edges those on the ways that the nodes' titles speak of; of a node without one, the edge that leads its
    /// value on to where it shows best.
    fn surest(&self, edges: &[usize]) -> Vec<usize> {
        let DrawGraph { nodes, edges: all } = &self.graph;
        let leaving: FxHashSet<u32> = edges.iter().map(|&e| all[e].from).collect();
        let ways = nodes.iter().enumerate();
        let ways = ways.filter(|(n, _)| leaving.contains(&(*n as u32)));
        let steps: FxHashSet<(u32, u32)> = ways
            .flat_map(|(_, node)| node.way.windows(2).map(|step| (step[0], step[1])))
            .collect();
        let mut kept = Vec::new();
        let mut best: FxHashMap<u32, usize> = FxHashMap::default();
        for &e in edges {
            let from = all[e].from;
            if steps.contains(&(from, all[e].to)) {
                kept.push(e);
            } else if nodes[from as usize].way.is_empty() {
                let held = best.entry(from).or_insert(e);
                if self.sure[e] > self.sure[*held] {
                    *held = e;
                }
            }
        }
        kept.extend(best.into_values());
        kept.sort_unstable();
        kept
    }
}

/// The substitution graph as the paper draws it: from the definition to what can stand in for it.
///
/// `nodes` are the candidates in order; with fewer nodes than candidates, the rest is left out. Edges bear their probability,
/// if it is not 1, and the classes `local`, `array`, `library`, `argument`, `return`, `field` or `capture`, and `copy` and
/// `cut` where they are.
fn draw_psg(psg: &Psg, nodes: Vec<DrawNode>) -> DrawGraph {
    let name = |vertex: u32| {
        nodes
            .get(vertex as usize)
            .and_then(|node| node.label_lines.first())
            .map_or("", String::as_str)
    };
    let exists = |vertex: u32| (vertex as usize) < nodes.len();
    let edges = psg
        .edges()
        .filter(|edge| exists(edge.from) && exists(edge.to))
        .map(|edge| {
            let kind = edge.kind.name();
            let probability = probability_text(edge.probability);
            DrawEdge {
                from: edge.to,
                to: edge.from,
                title: format!(
                    "{} covers {} (P = {probability}, {kind}{}{})",
                    name(edge.from),
                    name(edge.to),
                    if edge.copy { ", copy" } else { "" },
                    if edge.cut { ", closes a cycle" } else { "" },
                ),
                label: if edge.probability < 1.0 {
                    probability
                } else {
                    String::new()
                },
                class: format!(
                    "{kind}{}{}",
                    if edge.copy { " copy" } else { "" },
                    if edge.cut { " cut" } else { "" },
                ),
                against_flow: edge.cut,
            }
        })
        .collect();
    DrawGraph { nodes, edges }
}

/// `1/8` where it is such a part, else two digits: `0.67`, `0.0012`.
fn probability_text(probability: f64) -> String {
    let whole = (1.0 / probability).round();
    if whole <= 1024.0 && (whole * probability - 1.0).abs() < 1e-9 {
        return if whole == 1.0 {
            "1".to_owned()
        } else {
            format!("1/{whole}")
        };
    }
    let leading = (-probability.log10()).ceil().clamp(1.0, 12.0) as usize;
    let digits = format!("{probability:.*}", leading + 1);
    digits
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

/// By vertex: how sure a wrong value of it shows in one of the goals, along the one best way; 1 for the goals, 0 where
/// no way leads.
fn best_ways(psg: &Psg, is_goal: &dyn Fn(u32) -> bool) -> Vec<f64> {
    let mut best = vec![0.0; psg.vertex_count() as usize];
    // Probabilities are not negative, so their bits are ordered as they are.
    let mut work: BinaryHeap<(u64, u32)> = BinaryHeap::new();
    for goal in (0..psg.vertex_count()).filter(|v| is_goal(*v)) {
        best[goal as usize] = 1.0;
        work.push((1.0_f64.to_bits(), goal));
    }
    while let Some((bits, at)) = work.pop() {
        let sure = f64::from_bits(bits);
        if sure < best[at as usize] {
            continue;
        }
        for edge in psg.outgoing(at) {
            let way = edge.probability * sure;
            if way > best[edge.to as usize] {
                best[edge.to as usize] = way;
                work.push((way.to_bits(), edge.to));
            }
        }
    }
    best
}

/// What was chosen, by vertex, and the place where each other vertex shows best.
struct Chosen<'a> {
    picks: FxHashMap<u32, (&'static str, &'a RankedValue)>,
    shows: FxHashMap<u32, (&'a RankedValue, &'a CoveredValue)>,
}

impl<'a> Chosen<'a> {
    fn of(json: &'a Observe) -> Chosen<'a> {
        let lists = [
            ("could be asserted", &json.readable),
            ("only a check inside the code can see it", &json.inside),
            ("", &json.ranking),
        ];
        let mut chosen = Chosen {
            picks: FxHashMap::default(),
            shows: FxHashMap::default(),
        };
        for (what, list) in lists {
            for place in list.iter().flatten() {
                chosen
                    .picks
                    .entry(place.candidate.id)
                    .or_insert((what, place));
                for told in &place.stands_for {
                    let best = chosen.shows.entry(told.id).or_insert((place, told));
                    if told.foc > best.1.foc {
                        *best = (place, told);
                    }
                }
            }
        }
        chosen
    }

    /// The nodes on the way from a vertex to where it shows best; none if one of them is not shown.
    fn way(&self, id: u32, number: &FxHashMap<u32, u32>) -> Vec<u32> {
        let told = self
            .shows
            .get(&id)
            .filter(|_| !self.picks.contains_key(&id));
        let way = told.and_then(|(_, told)| {
            let ids = told.via.iter().rev();
            ids.map(|v| number.get(v).copied()).collect()
        });
        way.unwrap_or_default()
    }
}

fn draw_node(
    c: &Described,
    scope: &str,
    chosen: &Chosen<'_>,
    read: &FxHashSet<u32>,
    describer: &Describer<'_>,
) -> DrawNode {
    let mut class = c.role.name().to_owned();
    let mut title = format!("{} · {} {}:{}", name(c), c.kind.name(), c.path, c.line);
    let mut label = match c.kind.is_returned() {
        true => c.kind.name().to_owned(),
        false => c.variable.clone(),
    };
    if read.contains(&c.id) {
        class.push_str(" observed");
        title.push_str("\nThe test reads it already.");
    }
    if let Some((what, place)) = chosen.picks.get(&c.id) {
        class.push_str(match *what {
            "could be asserted" => " picked readable",
            _ => " picked",
        });
        if place.rank == 1 {
            class.push_str(" first");
        }
        label = format!("{}. {label}", place.rank);
        let rank = ordinal(place.rank);
        let colon = if what.is_empty() { "" } else { ": " };
        title.push_str(&format!("\n{rank} to observe{colon}{what}"));
        if !place.because.is_empty() {
            title.push_str(&format!("\nIt {}.", place.because));
        }
    } else if let Some((place, told)) = chosen.shows.get(&c.id) {
        title.push_str(&format!("\n{}", shows(place, told, describer)));
    }
    let line = shorten(&describer.source_line(c), SOURCE);
    if !line.is_empty() {
        title.push_str(&format!("\n{line}"));
    }
    // What the drawing is of need not be said in each of its boxes.
    let place = match c.method == scope {
        true => format!("line {}", c.line),
        false => format!("{}:{}", method_words(&c.method), c.line),
    };
    DrawNode {
        label_lines: vec![label, place],
        class,
        title,
        link: (!c.path.is_empty()).then(|| format!("{}#L{}", encoded(&c.path), c.line)),
        ..DrawNode::default()
    }
}

/// Where a wrong value shows: `A wrong value shows in book.open() (1st), flows through price → ask.`
fn shows(place: &RankedValue, told: &CoveredValue, describer: &Describer<'_>) -> String {
    let mut steps: Vec<String> = Vec::new();
    for &id in told.via.iter().rev() {
        let step = name(&describer.describe(id));
        // A value that is handed on keeps its name.
        if steps.last() != Some(&step) {
            steps.push(step);
        }
    }
    let way = match steps.len() > 2 {
        true => format!("; it flows through {}", steps.join(" → ")),
        false => String::new(),
    };
    let share = match (told.foc * 100.0).round() as u32 {
        100.. => String::new(),
        0 => ", in less than 1 % of cases".to_owned(),
        share => format!(", in about {share} % of cases"),
    };
    let (what, rank) = (name(&place.candidate), ordinal(place.rank));
    format!("A wrong value shows in {what} ({rank}){share}{way}.")
}

/// A path as part of a URL: what is no plain character is written in its bytes.
fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' | b'$' => {
                out.push(byte as char);
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_part_of_a_url() {
        assert_eq!(encoded("src/A$B.java"), "src/A$B.java");
        assert_eq!(encoded("a b/ü#c.java"), "a%20b/%C3%BC%23c.java");
    }

    #[test]
    fn probabilities_read_as_parts() {
        let texts = [
            1.0,
            0.5,
            0.125,
            1.0 / 3.0,
            2.0 / 3.0,
            0.75,
            0.0123,
            1.0 / 48.0,
            1e-7,
        ]
        .map(probability_text);
        assert_eq!(
            texts,
            [
                "1",
                "1/2",
                "1/8",
                "1/3",
                "0.67",
                "0.75",
                "0.012",
                "1/48",
                "0.0000001"
            ]
        );
    }
}
