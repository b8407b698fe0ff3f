//! The substitution graph of a scope with its answer drawn in: what was chosen, what the tests read already, and for
//! every other candidate in words where a wrong value of it would show.
//!
//! A drawing holds so many nodes and no more (`observe::svg`). Which go first is decided here: what was chosen, what is
//! read, then what the chosen values tell on, the surest first.

use super::observe::{Answer, Ground};
use crate::failure::Failure;
use crate::report::candidates::{CandidateJson, Describer, readable_method};
use crate::report::json::{ObserveJson, RankedJson, StandsForJson};
use crate::report::text::{name, shorten};
use crate::scope::Scope;
use observe::layout::{DrawGraph, DrawNode, draw_psg};
use rustc_hash::{FxHashMap, FxHashSet};

/// How much of a source line a tooltip shows, in characters.
const SOURCE: usize = 120;

/// The graph to draw of a scope, the nodes that matter most first if there are more than `most`.
pub(crate) fn picture(
    ground: &Ground<'_>,
    scope: Scope,
    most: usize,
) -> Result<DrawGraph, Failure> {
    let answer = Answer::new(ground, scope, None, false)?;
    let describer = answer.describer(ground.workspace);
    let chosen = Chosen::of(&answer.json);
    let read: FxHashSet<u32> = answer.json.read.iter().flatten().map(|c| c.id).collect();
    // Of the queries that a test could make, those that were chosen or are made.
    let shown: Vec<CandidateJson> = describer
        .all()
        .into_iter()
        .filter(|c| c.kind != "query" || chosen.picks.contains_key(&c.id) || read.contains(&c.id))
        .collect();
    let shown = match shown.len() > most {
        true => by_weight(shown, &chosen, &read),
        false => shown,
    };
    let number: FxHashMap<u32, u32> = shown.iter().map(|c| c.id).zip(0..).collect();
    let nodes: Vec<DrawNode> = shown
        .iter()
        .map(|c| draw_node(c, &chosen, &read, &describer))
        .collect();

    // The whole graph is described first: its edges name their ends in words.
    let all = (0..answer.graph.psg.vertex_count()).map(|v| match number.get(&v) {
        Some(&n) => nodes[n as usize].clone(),
        None => DrawNode::default(),
    });
    let whole = draw_psg(&answer.graph.psg, all.collect());
    let edges = whole
        .edges
        .into_iter()
        .filter_map(|mut edge| {
            edge.from = *number.get(&edge.from)?;
            edge.to = *number.get(&edge.to)?;
            Some(edge)
        })
        .collect();
    Ok(DrawGraph { nodes, edges })
}

/// What was chosen, by vertex, and the place where each other vertex shows best.
struct Chosen<'a> {
    picks: FxHashMap<u32, (&'static str, &'a RankedJson)>,
    shows: FxHashMap<u32, (&'a RankedJson, &'a StandsForJson)>,
}

impl<'a> Chosen<'a> {
    fn of(json: &'a ObserveJson) -> Chosen<'a> {
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
}

/// The candidates, those first that the reader came for; ties by position.
fn by_weight(
    shown: Vec<CandidateJson>,
    chosen: &Chosen<'_>,
    read: &FxHashSet<u32>,
) -> Vec<CandidateJson> {
    let weight = |c: &CandidateJson| match chosen.picks.get(&c.id) {
        Some(_) => 3.0,
        None if read.contains(&c.id) => 2.0,
        None => chosen.shows.get(&c.id).map_or(0.0, |(_, told)| told.foc),
    };
    let mut weighed: Vec<(f64, CandidateJson)> =
        shown.into_iter().map(|c| (weight(&c), c)).collect();
    weighed.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.id.cmp(&b.1.id)));
    weighed.into_iter().map(|(_, c)| c).collect()
}

fn draw_node(
    c: &CandidateJson,
    chosen: &Chosen<'_>,
    read: &FxHashSet<u32>,
    describer: &Describer<'_>,
) -> DrawNode {
    let mut class = c.role.to_owned();
    let mut title = format!("{} · {} {}:{}", name(c), c.kind, c.path, c.line);
    let mut label = match c.kind {
        "return" => "return".to_owned(),
        _ => c.variable.clone(),
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
    DrawNode {
        label_lines: vec![label, format!("{}:{}", readable_method(&c.method), c.line)],
        class,
        title,
        link: (!c.path.is_empty()).then(|| format!("{}#L{}", encoded(&c.path), c.line)),
    }
}

/// Where a wrong value shows: `Shows in book.open() (1st) by way of price → ask.`
fn shows(place: &RankedJson, told: &StandsForJson, describer: &Describer<'_>) -> String {
    let mut steps: Vec<String> = Vec::new();
    for &id in told.via.iter().rev() {
        let step = name(&describer.describe(id));
        // A value that is handed on keeps its name.
        if steps.last() != Some(&step) {
            steps.push(step);
        }
    }
    let way = match steps.len() > 2 {
        true => format!(" by way of {}", steps.join(" → ")),
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

/// `1st`
fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
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
    fn places_are_counted_as_people_do() {
        let said: Vec<String> = [1, 2, 3, 4, 11, 12, 13, 21, 102, 111].map(ordinal).to_vec();
        let expected = [
            "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th",
        ];
        assert_eq!(said, expected);
    }
}
