//! `telltale.why/1`, and lines for people: what became of something that somebody expects of a method.

use crate::screen::{BOLD, DIM, NAME, PLAIN};
use crate::words::plural;
use ide::Analysis;
use ide::suspects::Inquiry;
use invariants::Fate;
use program::MethodId;
use serde_json::{Value, json};
use std::io::Write;
use suspects::{Answer, Asked, Moment, Options};

/// What was asked, and what there is to say.
pub(crate) struct Report<'a> {
    pub(crate) root: String,
    pub(crate) analysis: &'a Analysis,
    pub(crate) method: MethodId,
    pub(crate) claim: &'a str,
    pub(crate) options: &'a Options,
    pub(crate) inquiry: Inquiry,
}

impl Report<'_> {
    fn name(&self) -> String {
        self.analysis.program().method_name(self.method)
    }

    fn test(&self, at: usize) -> Option<String> {
        let test = self.inquiry.manual.get(at)?;
        Some(self.analysis.program().method_name(*test))
    }
}

/// A paragraph a moment.
pub(crate) fn text(out: &mut impl Write, report: &Report<'_>) -> std::io::Result<()> {
    writeln!(out, "{BOLD}{}: {}{PLAIN}", report.name(), report.claim)?;
    if report.inquiry.asked.is_empty() {
        return writeln!(out, "{}", untaught(report));
    }
    // What is asked of the result cannot be asked when a method begins: that needs no word if it can be when it returns.
    let is_understood = |asked: &&Asked| !matches!(asked.answer, Answer::NotUnderstood(_));
    let is_any = report.inquiry.asked.iter().any(|a| is_understood(&a));
    let asked = report.inquiry.asked.iter();
    for asked in asked.filter(|a| !is_any || is_understood(a)) {
        let when = match asked.moment {
            Moment::Entry => "when it begins:",
            Moment::Exit => "when it returns:",
        };
        let (_, says) = answer(report, asked);
        writeln!(out, "{NAME}{when:<16}{PLAIN} {says}")?;
        let mut row =
            |name: &str, text: &str| writeln!(out, "{:<16} {DIM}{name:<9}{PLAIN} {text}", "");
        if matches!(asked.answer, Answer::Told(_)) {
            for (i, (test, calls)) in asked.taught_by.iter().enumerate() {
                let calls = plural(*calls as usize, "call", "calls");
                let test = report.test(*test).unwrap_or_default();
                let name = if i == 0 { "taught by" } else { "" };
                row(name, &format!("{test} ({calls})"))?;
            }
            continue;
        }
        for (i, like) in asked.like.iter().enumerate() {
            row(if i == 0 { "believed" } else { "" }, like)?;
        }
    }
    Ok(())
}

/// How many methods are named that one without a body is overridden by.
const OVERRIDING: usize = 4;

fn untaught(report: &Report<'_>) -> String {
    let program = report.analysis.program();
    // What the language adds, as the accessors of a record, runs without a body of ours.
    let is_added = program
        .method_decl(report.method)
        .is_some_and(|m| m.implicit);
    if program.method_body(report.method).is_none() && !is_added {
        let graph = report.analysis.workspace().call_graph();
        let targets = graph.targets_of(report.method);
        let methods = targets.bodies().iter();
        let names: Vec<String> = methods
            .filter_map(|b| {
                Some(format!(
                    "'{}'",
                    program.method_name(program.body_method(*b)?)
                ))
            })
            .take(OVERRIDING)
            .collect();
        return match names.is_empty() {
            true => "It has no code, and nothing here overrides it.".to_owned(),
            false => format!(
                "It has no code; what is called is what overrides it: ask for {}.",
                names.join(", ")
            ),
        };
    }
    match report.inquiry.stale {
        0 => "No call of it by a hand-written test is kept. `telltale record` keeps them, of classes that have generated tests (tests.generated in telltale.toml names such as are not known to be).".to_owned(),
        n => format!(
            "{} recorded with other code, and nothing newer: `telltale record` runs them.",
            match n {
                1 => "The hand-written test that calls it was".to_owned(),
                n => format!("The {n} hand-written tests that call it were"),
            }
        ),
    }
}

/// What became of it: a word for scripts, a sentence for people.
fn answer(report: &Report<'_>, asked: &Asked) -> (&'static str, String) {
    let calls = |n: u64| plural(n as usize, "call", "calls");
    let limit = report.options.learning.limit;
    let held = format!(
        "it held in {} of {}",
        calls(asked.held),
        plural(
            asked.taught_by.len(),
            "hand-written test",
            "hand-written tests"
        ),
    );
    match &asked.answer {
        Answer::NotUnderstood(said) => ("unknown", format!("cannot be asked: {said}")),
        Answer::Told(c) => (
            "told",
            format!(
                "believed: {held}, confidence {:.4}, needed {limit:.4}",
                c.confidence
            ),
        ),
        Answer::Idle(c) => (
            "idle",
            format!(
                "{held}, confidence {:.4}; generated tests are not judged by it, for breaking it would tell nothing of the call",
                c.confidence
            ),
        ),
        Answer::Left(_, fate) => match fate {
            Fate::Unjustified { has, needs } => (
                "unjustified",
                format!(
                    "not believed: {held}, but that may be chance: confidence {has:.4}, needed {needs:.4}"
                ),
            ),
            Fate::Obvious(why) => ("obvious", format!("{held}; it need not be said: {why}")),
            Fate::OnlyConstants => (
                "constants",
                format!("{held}; all of its values are constant, and these are believed"),
            ),
            Fate::Above(above) => ("above", format!("{held}; {above} tells it")),
            Fate::Parameter => (
                "parameter",
                format!("{held}; the caller does not see what became of the parameter"),
            ),
            Fate::Reported => ("told", held),
        },
        Answer::Broken { by, after } => {
            let values: Vec<String> = by
                .values
                .iter()
                .map(|(n, v)| format!("{n} = {v}"))
                .collect();
            let test = report.test(by.test).unwrap_or_default();
            let line = report.inquiry.line(report.analysis, by);
            let line = line.map_or_else(String::new, |l| format!(" (line {l})"));
            let times = match asked.broken {
                1 => "the only one to".to_owned(),
                n => format!("the first of {} to", calls(n)),
            };
            (
                "broken",
                format!(
                    "broken by a call in {test}{line}, {times}: there {}; it held in {} before, in {} of {} in all",
                    values.join(", "),
                    calls(*after),
                    asked.held,
                    asked.samples,
                ),
            )
        }
        Answer::NotLookedFor => (
            "unlooked",
            format!(
                "{held}; no constraint of this form is learnt, or an equal value stands for it"
            ),
        ),
        Answer::Missing => (
            "missing",
            format!("a value is missing in all of {}", calls(asked.samples)),
        ),
    }
}

/// `telltale.why/1`.
pub(crate) fn json(report: &Report<'_>) -> Value {
    let points: Vec<Value> = report
        .inquiry
        .asked
        .iter()
        .map(|a| point(report, a))
        .collect();
    json!({
        "schema": "telltale.why/1",
        "root": report.root,
        "method": report.name(),
        "claim": report.claim,
        "limit": report.options.learning.limit,
        "manual_tests": report.inquiry.manual.len(),
        "stale_tests": report.inquiry.stale,
        "points": points,
    })
}

fn point(report: &Report<'_>, asked: &Asked) -> Value {
    let (word, says) = answer(report, asked);
    let taught = asked
        .taught_by
        .iter()
        .filter_map(|(test, calls)| Some(json!({ "test": report.test(*test)?, "calls": calls })));
    let taught: Vec<Value> = taught.collect();
    let mut out = json!({
        "moment": match asked.moment {
            Moment::Entry => "entry",
            Moment::Exit => "exit",
        },
        "answer": word,
        "message": says,
        "samples": asked.samples,
        "held": asked.held,
        "missing": asked.missing,
        "broken": asked.broken,
        "held_in": taught,
        "variables": asked.variables,
        "believed": asked.like,
    });
    match &asked.answer {
        Answer::Told(c) | Answer::Idle(c) | Answer::Left(c, _) => {
            out["constraint"] = json!(c.text);
            out["family"] = json!(c.family.row().name);
            out["confidence"] = json!(c.confidence);
        }
        Answer::Broken { by, .. } => {
            let values: Vec<Value> = by
                .values
                .iter()
                .map(|(name, value)| json!({ "name": name, "value": value }))
                .collect();
            out["broken_by"] = json!({
                "test": report.test(by.test),
                "line": report.inquiry.line(report.analysis, by),
                "values": values,
            });
        }
        Answer::NotUnderstood(_) | Answer::NotLookedFor | Answer::Missing => {}
    }
    out
}
