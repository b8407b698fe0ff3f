//! Of the mutants that a test runs and does not kill, how many do the first values of each list tell?

use calls::Workspace;
use flow::{Callee, ExprId, ExprKind};
use ide::Analysis;
use ide::inner::{candidate_at, seen_inside};
use ide::weave::{About, Slot};
use mutants::Matrix;
use mutants::question::{Missed, first, greedy, interval, missed, random};
use oracle::Reader;
use program::{CallTarget, MethodId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

use verdicts::{Numbered, by_name};

/// How many values of a list are looked at.
const PLACES: [usize; 3] = [1, 3, 10];

/// The lists of one test, as slots; a value that nobody could ask for tells nothing.
struct Lists {
    /// Name and values in order.
    rows: Vec<(&'static str, Vec<Option<u32>>)>,
    /// All that the test could read.
    points: Vec<Option<u32>>,
    /// All that was asked, inside too.
    all: Vec<u32>,
}

/// By test, how many mutants were told and of how many.
type Clusters = Vec<(f64, f64)>;

/// Asks, and prints a table.
///
/// A value without a number that is the same in each plain run (it does not compile, is not reached, or differs) tells
/// nothing and keeps its place. A test of which nothing could be asked is left out, and counted.
pub(super) fn ask(
    name: &str,
    analysis: &Analysis,
    numbered: &Numbered,
    matrix: &Matrix,
    cases: bool,
) {
    let program = analysis.program();
    let missed = missed(matrix);
    let by_name = by_name(program, analysis.workspace().suite().tests());
    let mut of_test: BTreeMap<MethodId, Vec<&Slot>> = BTreeMap::new();
    for slot in numbered.tests() {
        if let Some(test) = slot.test {
            of_test.entry(test).or_default().push(slot);
        }
    }
    let inside: HashMap<&evidence::Seen, u32> = numbered
        .inside()
        .filter_map(|s| match &s.about {
            About::Variable(seen) => Some((seen, s.number)),
            About::Query(_) => None,
        })
        .collect();
    let mut rows: BTreeMap<(usize, &str), [Clusters; 3]> = BTreeMap::new();
    let (mut pairs, mut unknown, mut told, mut readable) = (0, 0, 0, 0);
    let (mut unasked, mut asked, mut tests) = (0, 0, 0);
    let mut left_out = (0, 0);
    for (test, missed) in &missed {
        let own = &matrix.tests[*test as usize];
        let key = (own.class.to_string(), own.method.to_string());
        let method = match by_name.get(&key).map(Vec::as_slice) {
            Some([method]) => *method,
            _ => {
                unknown += missed.len();
                continue;
            }
        };
        let all = of_test.get(&method).map_or(&[][..], |s| s);
        let has = |slot: &&&Slot| own.slots.binary_search(&slot.number).is_ok();
        let slots: Vec<&Slot> = all.iter().filter(has).copied().collect();
        if slots.is_empty() {
            (left_out.0, left_out.1) = (left_out.0 + 1, left_out.1 + missed.len());
            continue;
        }
        tests += 1;
        let lists = Lists::of(analysis, method, &slots, &inside);
        pairs += missed.len();
        told += missed.iter().filter(|m| !m.told.is_empty()).count();
        let points: BTreeSet<u32> = lists.points.iter().flatten().copied().collect();
        readable += missed
            .iter()
            .filter(|m| !m.told.is_disjoint(&points))
            .count();
        let mut add = |at: usize, name: &'static str, k: usize, share: f64| {
            let of = missed.len() as f64;
            rows.entry((at, name)).or_default()[k].push((share, of));
        };
        for (at, (name, list)) in lists.rows.iter().enumerate() {
            unasked += list.iter().filter(|s| s.is_none()).count();
            asked += list.len();
            for (n, k) in PLACES.into_iter().enumerate() {
                add(at, name, n, first(missed, list, k).told as f64);
            }
        }
        let best: Vec<u32> = points.into_iter().collect();
        for (n, k) in PLACES.into_iter().enumerate() {
            add(
                90,
                "random order of all that the test could read",
                n,
                random(missed, &lists.points, k),
            );
            let list = greedy(missed, &best);
            add(
                95,
                "the best order of all that it could read",
                n,
                first(missed, &list, k).told as f64,
            );
            let list = greedy(missed, &lists.all);
            add(
                96,
                "the best order of all that was asked, inside too",
                n,
                first(missed, &list, k).told as f64,
            );
        }
        if cases {
            print_cases(analysis, method, missed, &lists, &slots, matrix);
        }
    }
    println!(
        "\n{name}: {pairs} times a test runs a mutant and does not kill it, in {tests} tests; some value tells {told} of them ({:.1} %), a value that the test could read {readable} ({:.1} %). {unknown} more in tests whose source is not known by name, {} in {} tests of which nothing could be asked. Of {asked} values of lists {unasked} could not be asked.\n",
        100.0 * f64::from(told as u32) / pairs.max(1) as f64,
        100.0 * f64::from(readable as u32) / pairs.max(1) as f64,
        left_out.1,
        left_out.0,
    );
    println!("| list | first | first three | first ten |");
    println!("| --- | --: | --: | --: |");
    for ((_, list), cells) in &rows {
        let cells: Vec<String> = cells
            .iter()
            .map(|clusters| {
                let i = interval(clusters);
                format!(
                    "{:.1} % ({:.1}-{:.1})",
                    100.0 * i.share,
                    100.0 * i.low,
                    100.0 * i.high
                )
            })
            .collect();
        println!("| {list} | {} |", cells.join(" | "));
    }
}

/// The test with what its first value tells, and the best value that it could read.
fn print_cases(
    analysis: &Analysis,
    test: MethodId,
    missed: &[Missed],
    lists: &Lists,
    slots: &[&Slot],
    matrix: &Matrix,
) {
    let words = |slot: Option<u32>| {
        let slot = slots.iter().find(|s| Some(s.number) == slot);
        match slot.map(|s| &s.about) {
            Some(About::Query(text)) => text.to_string(),
            Some(About::Variable(seen)) => format!("{} {}", seen.variable, seen.nth),
            None => "-".to_owned(),
        }
    };
    let count = |slot: Option<u32>| {
        let told = |m: &&Missed| slot.is_some_and(|s| m.told.contains(&s));
        missed.iter().filter(told).count()
    };
    let own = lists.rows.first().and_then(|r| r.1.first().copied());
    let points: Vec<u32> = lists.points.iter().flatten().copied().collect();
    let best = greedy(missed, &points).first().copied();
    let example = missed.iter().find(|m| {
        best.flatten().is_some_and(|b| m.told.contains(&b))
            && !own.flatten().is_some_and(|o| m.told.contains(&o))
    });
    let example = example.map_or(String::new(), |m| {
        let mutant = &matrix.mutants[m.mutant].1;
        format!(
            "{}#{}:{} {}",
            mutant.class,
            mutant.method,
            mutant.line,
            mutant.operator.name()
        )
    });
    println!(
        "case\t{}\t{}\tfirst\t{}\t{}\tbest\t{}\t{}\t{example}",
        analysis.program().method_name(test),
        missed.len(),
        words(own.flatten()),
        count(own.flatten()),
        words(best.flatten()),
        count(best.flatten()),
    );
}

impl Lists {
    fn of(
        analysis: &Analysis,
        test: MethodId,
        slots: &[&Slot],
        inside: &HashMap<&evidence::Seen, u32>,
    ) -> Lists {
        let mut queries: HashMap<&str, u32> = HashMap::new();
        // By variable, its last definition.
        let mut variables: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
        for slot in slots {
            match &slot.about {
                About::Query(text) => {
                    queries.insert(text, slot.number);
                }
                About::Variable(seen) => {
                    let at = variables.entry(&seen.variable).or_default();
                    *at = (slot.number, slot.number);
                }
            }
        }
        let value = |text: &str| {
            let own = queries.get(text).copied();
            own.or_else(|| variables.get(text).map(|v| v.0))
        };
        let offered = analysis.offered(test);
        let readable: Vec<Option<u32>> = offered
            .readable
            .iter()
            .map(|r| queries.get(&*r.expression).copied())
            .collect();
        let sure = offered.readable.iter().filter(|r| r.doubt.is_none());
        let sure = sure.map(|r| queries.get(&*r.expression).copied());
        let within = offered.inside.iter().map(|i| {
            let seen = seen_inside(analysis, candidate_at(analysis, i.place)?)?;
            inside.get(&seen).copied()
        });
        let mut last: Vec<(&str, u32)> = variables.iter().map(|(n, v)| (*n, v.1)).collect();
        last.sort_by_key(|v| std::cmp::Reverse(v.1));
        let found = analysis.offer(&[analysis.workspace().own_run(test)]);
        let mut points: Vec<Option<u32>> = found
            .points
            .iter()
            .filter_map(|v| found.observations.get(v))
            .map(|o| queries.get(o.expression.as_str()).copied())
            .collect();
        points.retain(Option::is_some);
        points.sort_unstable();
        points.dedup();
        let returned = returned(analysis.workspace(), test);
        let mut all: Vec<u32> = slots.iter().map(|s| s.number).collect();
        all.extend(inside.values().copied());
        all.sort_unstable();
        Lists {
            rows: vec![
                ("readable", readable),
                ("readable, without doubts", sure.collect()),
                ("inside", within.collect()),
                ("last variables", last.iter().map(|v| value(v.0)).collect()),
                (
                    "returned values",
                    returned.iter().map(|t| value(t)).collect(),
                ),
            ],
            points,
            all,
        }
    }
}

/// What the methods return that a test calls, the last first: the variable that keeps the value, else the call.
fn returned(workspace: &Workspace, test: MethodId) -> Vec<String> {
    let program = workspace.program();
    let own = program.method_body(test);
    let (Some(own), Some(reader)) = (own, own.and_then(|b| Reader::new(program, b))) else {
        return Vec::new();
    };
    let body = reader.body;
    let mut kept: HashMap<ExprId, String> = HashMap::new();
    for def in &body.defs {
        if let (flow::Target::Local(l), Some(&value)) = (def.target, body.list(def.sources).first())
        {
            kept.insert(value, body.locals[l.ix()].name.to_string());
        }
    }
    let asserts: BTreeSet<usize> = workspace
        .chains(own)
        .into_iter()
        .flat_map(|c| c.assertions.iter().filter_map(|a| a.call))
        .map(|c| c.ix())
        .collect();
    let mut out: Vec<String> = Vec::new();
    for (i, e) in body.exprs.iter().enumerate().rev() {
        let ExprKind::Call(c) = e.kind else { continue };
        let gives = match reader.resolved.calls.get(c.ix()) {
            Some(CallTarget::Workspace(m)) => program.returns_value(*m),
            _ => true,
        };
        let is_call = matches!(body.calls[c.ix()].callee, Callee::Method { .. });
        if !is_call || !gives || asserts.contains(&c.ix()) {
            continue;
        }
        let text = kept.get(&ExprId(i as u32)).cloned();
        let text = text.unwrap_or_else(|| program.body_text(own, e.start, e.end).to_owned());
        if !out.contains(&text) {
            out.push(text);
        }
    }
    out
}
