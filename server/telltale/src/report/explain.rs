//! `telltale.explain/1`: all that the score of one assertion is made of, from samples to the sum.

use crate::report::suspects::{both_orders, place_as_json, summary, violation};
use crate::screen::{BOLD, DIM, NAME, PLAIN};
use crate::shown::placed;
use crate::words::plural;
use ide::Analysis;
use ide::suspects::{Assertion, Counts, Judged, Opinion, Step, opinion, sides, steps, why, within};
use program::{Program, TypeId};
use serde_json::{Value, json};
use std::io::Write;
use suspects::{Moment, Options, Seen, Sides, Violation, closeness, weight};

/// How many different values are shown of what is no number.
const VALUES: usize = 5;

/// What is known of one assertion.
pub(crate) struct Explained<'a> {
    pub(crate) root: String,
    pub(crate) analysis: &'a Analysis,
    pub(crate) options: &'a Options,
    /// The class under test.
    pub(crate) class: TypeId,
    pub(crate) assertion: Assertion,
    pub(crate) judged: Judged,
    pub(crate) opinion: Opinion,
}

impl Explained<'_> {
    fn program(&self) -> &Program {
        self.analysis.program()
    }

    /// What reaches it: first what counts.
    fn steps(&self) -> Vec<Step> {
        let all = self.judged.assertions.iter();
        let at = all.clone().position(|a| *a == self.assertion);
        at.map_or_else(Vec::new, |at| steps(self.analysis, &self.judged, at))
    }

    /// The text of the assertion, in one line.
    fn said(&self) -> String {
        let text = self.program().text(self.assertion.file);
        let own = text.and_then(|t| t.get(self.assertion.span.range()));
        let words: Vec<&str> = own.unwrap_or("").split_whitespace().collect();
        words.join(" ")
    }

    fn manual(&self, test: usize) -> Option<String> {
        let test = self.judged.manual.get(test)?;
        Some(self.program().method_name(*test))
    }
}

/// For people: a paragraph a violation.
pub(crate) fn text(out: &mut impl Write, it: &Explained<'_>) -> std::io::Result<()> {
    let program = it.program();
    let (path, start, _) = placed(program, &it.assertion);
    let class = program.type_name(it.class);
    let test = program.method_name(it.assertion.test);
    writeln!(
        out,
        "{BOLD}{path}:{}:{}{PLAIN}: {}",
        start.0,
        start.1,
        it.said()
    )?;
    writeln!(out, "in {test}")?;
    writeln!(out, "about {class}: {}", summary(&it.judged))?;
    let steps = it.steps();
    match it.opinion {
        Opinion::Suspect(at) => {
            let suspect = &it.judged.suspects[at];
            let judged = &it.judged;
            let chance = match judged.is_hardly_chance(suspect) {
                true => "some of it is hardly chance",
                false => "all of it may be chance",
            };
            let what = match (judged.is_sure(suspect), judged.is_worth_a_look(suspect)) {
                (true, _) => "probably wrong",
                (false, true) => "worth a look",
                (false, false) => "ranked, and not marked",
            };
            let sure = format!("{what}: {chance}");
            let by_left_out = suspect.by_left_out;
            writeln!(
                out,
                "{}{}, score {:.3}: {}; {sure}; {by_left_out:.3} as left-out tests have it",
                within(&it.judged, suspect),
                of_both(it, suspect),
                suspect.score,
                made_of(it, &steps),
            )?;
        }
        other => {
            for line in opinion(program, &it.judged, other) {
                writeln!(out, "{line}")?;
            }
        }
    }
    // The first ones, and all that make the score.
    let is_shown = |(nth, step): &(usize, &Step)| *nth < SHOWN || adds(it, step) >= LEAST;
    let (shown, rest): (Vec<_>, Vec<_>) = steps.iter().enumerate().partition(is_shown);
    for (_, step) in &shown {
        writeln!(out)?;
        paragraph(out, it, step)?;
    }
    match rest.len() {
        0 => Ok(()),
        more => writeln!(
            out,
            "\n{DIM}and {} that add less than {LEAST}: --format json has all{PLAIN}",
            plural(more, "violation", "violations")
        ),
    }
}

/// How many violations are shown whatever they add.
const SHOWN: usize = 5;

/// What adds less to a score is shown as nothing.
const LEAST: f64 = 0.0005;

/// What a violation adds to the score.
fn adds(it: &Explained<'_>, step: &Step) -> f64 {
    match (step.counts, it.judged.violation(step.violation)) {
        (Counts::Yes, Some(v)) => weight(v, step.way.len(), it.options),
        _ => 0.0,
    }
}

/// The ranks of which a rank is made.
fn of_both(it: &Explained<'_>, suspect: &suspects::Suspect) -> String {
    let has = |step| it.options.has(step);
    match has(suspects::Step::Weights) && has(suspects::Step::Fused) {
        true => both_orders(suspect),
        false => String::new(),
    }
}

/// What the score is the sum of, or the contrary of the product.
fn made_of(it: &Explained<'_>, steps: &[Step]) -> String {
    const SHOWN: usize = 6;
    let counted = steps.iter().filter(|s| s.counts == Counts::Yes);
    let weights: Vec<f64> = counted
        .filter_map(|s| {
            let violation = it.judged.violation(s.violation)?;
            Some(weight(violation, s.way.len(), it.options))
        })
        .collect();
    let (has_weights, more) = (
        it.options.has(suspects::Step::Weights),
        weights.len() > SHOWN,
    );
    let first = weights.iter().take(SHOWN);
    match has_weights {
        true => {
            let all: Vec<String> = first.map(|w| format!("(1 - {w:.3})")).collect();
            let more = if more { "…" } else { "" };
            format!("1 - {}{more}", all.join(""))
        }
        false => {
            let all: Vec<String> = first.map(|w| format!("{w:.3}")).collect();
            let more = if more { " + …" } else { "" };
            format!("{}{more}", all.join(" + "))
        }
    }
}

fn paragraph(out: &mut impl Write, it: &Explained<'_>, step: &Step) -> std::io::Result<()> {
    let Some(v) = it.judged.violation(step.violation) else {
        return Ok(());
    };
    let broken = &v.broken;
    let adds = adds(it, step);
    writeln!(out, "{NAME}+ {adds:.3}{PLAIN}  {}", why(v))?;
    let mut row =
        |name: &str, text: String| writeln!(out, "  {DIM}{name:<12}{PLAIN}{}", text.trim_end());
    if let Some(reason) = left_out(step.counts) {
        row("left out", reason.to_owned())?;
    }
    let from = step
        .line
        .map_or_else(String::new, |l| format!(", called from line {l}"));
    let when = match broken.moment {
        Moment::Entry => "when it began",
        Moment::Exit => "when it returned",
    };
    row("call", format!("{}{from}, {when}", method(v)))?;
    row(
        "constraint",
        format!(
            "{} ({}), seen in {}",
            broken.constraint.text,
            broken.constraint.family.row().name,
            plural(broken.constraint.samples as usize, "sample", "samples"),
        ),
    )?;
    row(
        "confidence",
        format!(
            "{:.4}, believed from {:.4}",
            broken.constraint.confidence, it.options.learning.limit
        ),
    )?;
    let teachers = broken.taught_by.iter().filter_map(|(test, calls)| {
        let calls = plural(*calls as usize, "call", "calls");
        Some(format!("{} ({calls})", it.manual(*test)?))
    });
    for (i, teacher) in teachers.enumerate() {
        row(if i == 0 { "taught by" } else { "" }, teacher)?;
    }
    let sides = sides(it.analysis, &it.judged, step.violation, it.options);
    for (i, (name, value)) in v.values().enumerate() {
        row("here", format!("{name} = {value}"))?;
        if let Some(usual) = usual(&sides, i) {
            row("usual", format!("{name}: {usual}"))?;
        }
    }
    let nearest = v.nearest.and_then(|t| it.manual(t));
    let least = match it.options.similarity {
        Some(least) => format!("; counts from {least:.3}"),
        None => String::new(),
    };
    row(
        "similarity",
        match (v.similarity, nearest) {
            (Some(s), Some(test)) => format!("{s:.3} to what {test} had run{least}"),
            _ => format!("not known{least}"),
        },
    )?;
    row(
        "uniqueness",
        format!(
            "{:.3}: generated tests break it {} in {} that could be asked",
            v.uniqueness(),
            match v.repute().times {
                1 => "once".to_owned(),
                n => format!("{n} times"),
            },
            plural(v.repute().judged as usize, "call", "calls"),
        ),
    )?;
    if let Some(unusual) = &v.unusual {
        row("given", unusual.to_string())?;
    }
    let f = v.factors(it.options);
    if let Some(hazard) = v.repute().hazard {
        let percent = 100.0 * hazard;
        row(
            "right tests",
            format!("{percent:.2} % of those that are left out break a constraint like it"),
        )?;
    }
    let near = closeness(step.way.len(), it.options);
    let near = match near < 1.0 {
        true => format!(" × {near:.3} near"),
        false => String::new(),
    };
    row(
        "weight",
        format!(
            "{:.3} = {:.3} credible ({}) × {:.3} rare × {:.3} of the call's own doing × {:.3} similar{near}",
            weight(v, step.way.len(), it.options),
            f.credible,
            plural(broken.witnesses, "witness", "witnesses"),
            f.rare,
            f.done,
            f.similar,
        ),
    )?;
    let chance = if v.is_sure() { "hardly" } else { "may be" };
    row("chance", chance.to_owned())?;
    let way = match step.way.is_empty() {
        true => "the assertion makes the call itself".to_owned(),
        false => step.way.join("; "),
    };
    row("way", way)
}

fn left_out(counts: Counts) -> Option<&'static str> {
    match counts {
        Counts::Yes => None,
        Counts::Unlike => {
            Some("what had run is not similar enough to what a hand-written test had run")
        }
        Counts::Less => Some("something from the same place of the test weighs more"),
        Counts::Refuted => Some("an assertion that it reaches was accepted: it is no constraint"),
    }
}

fn method(v: Violation<'_>) -> String {
    let of = &v.broken.method;
    format!("{}#{}{}", of.class, of.name, of.descriptor)
}

/// What a term was in hand-written tests: how far numbers go, else some of its values.
fn usual(sides: &Sides, term: usize) -> Option<String> {
    let numbers: Option<Vec<f64>> = sides
        .manual
        .iter()
        .map(|seen| seen.numbers()?.get(term).copied())
        .collect();
    let mut values: Vec<String> = Vec::new();
    for seen in &sides.manual {
        let value = seen.values().nth(term)?;
        if !values.contains(&value) {
            values.push(value);
        }
    }
    let of = plural(sides.manual.len(), "call", "calls");
    let different = plural(values.len(), "value", "values");
    Some(match numbers {
        Some(all) if values.len() > VALUES => {
            let words = |at: Option<usize>| sides.manual.get(at?)?.values().nth(term);
            let order = |a: &usize, b: &usize| all[*a].total_cmp(&all[*b]);
            let least = words((0..all.len()).min_by(order))?;
            let most = words((0..all.len()).max_by(order))?;
            format!("{least} to {most}, {different} in {of}")
        }
        _ => {
            let more = if values.len() > VALUES { ", …" } else { "" };
            let first: Vec<String> = values.iter().take(VALUES).cloned().collect();
            format!("{}{more} in {of}", first.join(", "))
        }
    })
}

/// `telltale.explain/1`.
pub(crate) fn json(it: &Explained<'_>) -> Value {
    let program = it.program();
    let mut assertion = place_as_json(program, &it.assertion);
    assertion["text"] = json!(it.said());
    let steps = it.steps();
    let all: Vec<Value> = steps.iter().filter_map(|step| one(it, step)).collect();
    let (kind, suspect) = match it.opinion {
        Opinion::Suspect(at) => ("suspect", it.judged.suspects.get(at)),
        Opinion::Safe => ("safe", None),
        Opinion::Untaught => ("untaught", None),
        Opinion::Stale => ("stale", None),
        Opinion::Unknown => ("unknown", None),
    };
    json!({
        "schema": "telltale.explain/1",
        "root": it.root,
        "class": program.type_name(it.class).as_str(),
        "assertion": assertion,
        "opinion": kind,
        "assertions": it.judged.assertions.len(),
        "generated_tests": it.judged.generated.len(),
        "manual_tests": it.judged.teaching.len(),
        "confidence": it.options.learning.limit,
        "similarity": it.options.similarity,
        "rank": suspect.map(|s| s.rank),
        "score": suspect.map_or(0.0, |s| s.score),
        "by_left_out": suspect.map_or(0.0, |s| s.by_left_out),
        "rank_by_score": suspect.map(|s| s.by_score),
        "rank_by_uniqueness": suspect.map(|s| s.by_uniqueness),
        "told": suspect.is_some_and(|s| it.judged.is_sure(s)),
        "violations": all,
    })
}

fn one(it: &Explained<'_>, step: &Step) -> Option<Value> {
    let v = it.judged.violation(step.violation)?;
    let mut out = violation(it.program(), &it.judged, v);
    out["way"] = json!(&step.way[..]);
    out["line"] = json!(step.line);
    let f = v.factors(it.options);
    out["weight"] = json!(weight(v, step.way.len(), it.options));
    out["witnesses"] = json!(v.broken.witnesses);
    out["hazard"] = json!(v.repute().hazard);
    out["unusual"] = json!(v.unusual.as_deref());
    out["factors"] = json!({
        "credible": f.credible,
        "rare": f.rare,
        "done": f.done,
        "similar": f.similar,
    });
    out["counts"] = json!(match step.counts {
        Counts::Yes => "yes",
        Counts::Less => "less",
        Counts::Unlike => "unlike",
        Counts::Refuted => "refuted",
    });
    let sides = sides(it.analysis, &it.judged, step.violation, it.options);
    let samples = |all: &[Seen], tests: &[program::MethodId]| -> Vec<Value> {
        let sample = |seen: &Seen| {
            let test = tests.get(seen.test)?;
            Some(json!({
                "test": it.program().method_name(*test),
                "values": seen.values().collect::<Vec<_>>(),
                "verdict": match seen.verdict {
                    invariants::Verdict::Holds => "holds",
                    invariants::Verdict::Broken => "broken",
                    invariants::Verdict::Missing => "missing",
                },
            }))
        };
        all.iter().filter_map(sample).collect()
    };
    out["calls"] = json!({
        "manual": samples(&sides.manual, &it.judged.manual),
        "generated": samples(&sides.generated, &it.judged.generated),
    });
    Some(out)
}
