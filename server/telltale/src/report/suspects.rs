//! `telltale.suspects/1`, and lines for people.

use crate::load::Loaded;
use crate::screen::{BOLD, DIM, NAME, PLAIN, WARNING};
use crate::shown::{Placed, placed};
use crate::words::plural;
use ide::Analysis;
use ide::rules::{Finding, suspicious};
use ide::suspects::{
    Assertion, Judged, Opinion, grouped, judge_with, loudness, why, why_of, within,
};
use program::{FileId, MethodId, Program, TypeId};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use suspects::{Moment, Options, Suspect, Violation};

/// What is asked about.
pub(crate) struct Asked {
    /// As who asked named it.
    pub(crate) name: String,
    /// By the name of the class under test.
    pub(crate) about: Vec<About>,
}

/// A class under test.
pub(crate) struct About {
    pub(crate) class: TypeId,
    /// Of its generated tests, where not all are asked for: the assertions of these alone are told, with the ranks that they have
    /// among all of the class.
    pub(crate) only: Option<BTreeSet<MethodId>>,
}

impl About {
    /// Of the generated tests of a class those that somebody wants.
    pub(crate) fn some(class: TypeId, all: &[MethodId], wants: impl Fn(MethodId) -> bool) -> About {
        let own: BTreeSet<MethodId> = all.iter().copied().filter(|t| wants(*t)).collect();
        let is_all = all.iter().all(|t| own.contains(t));
        About {
            class,
            only: (!is_all).then_some(own),
        }
    }

    /// True if the assertions of a test are asked for.
    fn wants(&self, test: MethodId) -> bool {
        let only = self.only.as_ref();
        only.is_none_or(|only| only.contains(&test))
    }
}

/// What is known of the generated assertions of some classes.
pub(crate) struct Report<'a> {
    root: String,
    analysis: &'a Analysis,
    asked: Asked,
    /// In the order of what is asked.
    judged: Vec<Judged>,
}

impl<'a> Report<'a> {
    pub(crate) fn new(
        loaded: &Loaded,
        analysis: &'a Analysis,
        asked: Asked,
        options: &Options,
    ) -> Report<'a> {
        let judged = asked.about.iter();
        let judged = judged
            .map(|about| judge_with(analysis, about.class, options))
            .collect();
        Report {
            root: loaded.layout.root.to_string_lossy().into_owned(),
            analysis,
            asked,
            judged,
        }
    }

    fn classes(&self) -> impl Iterator<Item = (&About, &Judged)> {
        self.asked.about.iter().zip(&self.judged)
    }

    /// What an editor would mark of them, by file: what is probably wrong, and of the first `top` of each class what is worth a look.
    pub(crate) fn marked(&self, top: usize) -> Vec<(FileId, Vec<Finding>)> {
        let wants = |at: usize, a: &Assertion| self.asked.about[at].wants(a.test);
        suspicious(self.analysis, &self.judged, top, &wants)
    }

    fn program(&self) -> &Program {
        self.analysis.program()
    }

    fn place(&self, assertion: &Assertion) -> Placed {
        placed(self.program(), assertion)
    }
}

/// As JSON has it.
pub(crate) fn place_as_json(program: &Program, assertion: &Assertion) -> Value {
    let (path, start, end) = placed(program, assertion);
    json!({
        "path": path,
        "line": start.0,
        "column": start.1,
        "end_line": end.0,
        "end_column": end.1,
        "test": program.method_name(assertion.test),
    })
}

/// The suspects of a class that are asked for, with their positions.
fn wanted<'j>(about: &'j About, judged: &'j Judged) -> impl Iterator<Item = (usize, &'j Suspect)> {
    let all = judged.suspects.iter().enumerate();
    all.filter(|(_, s)| about.wants(judged.assertions[s.assertion].test))
}

/// Of each class the first `top` suspects that are asked for, each with whether it is told of this class: a test may be about several
/// classes, as about one and another within it, and its assertions are told of that which says most of them, as marks are.
fn told<'j>(report: &'j Report<'_>, top: usize) -> Vec<Vec<(&'j Suspect, bool)>> {
    let place = |judged: &Judged, s: &Suspect| {
        let assertion = &judged.assertions[s.assertion];
        (assertion.file, assertion.span)
    };
    let first: Vec<Vec<(usize, &Suspect)>> = report
        .classes()
        .map(|(about, judged)| wanted(about, judged).take(top).collect())
        .collect();
    let mut by: BTreeMap<_, _> = BTreeMap::new();
    for (class, (judged, first)) in report.judged.iter().zip(&first).enumerate() {
        for (at, s) in first {
            let says = (loudness(judged, Opinion::Suspect(*at)), class);
            let of = by.entry(place(judged, s)).or_insert(says);
            *of = says.min(*of);
        }
    }
    let mut out = Vec::with_capacity(first.len());
    for (class, (judged, first)) in report.judged.iter().zip(first).enumerate() {
        let is_own = |s: &Suspect| by.get(&place(judged, s)).is_some_and(|of| of.1 == class);
        out.push(first.into_iter().map(|(_, s)| (s, is_own(s))).collect());
    }
    out
}

/// How many reasons are told of a suspect.
const LISTED: usize = 3;

/// A paragraph a class: the first `top` suspects with what speaks against them.
pub(crate) fn text(out: &mut impl Write, report: &Report<'_>, top: usize) -> std::io::Result<()> {
    if report.judged.is_empty() {
        return writeln!(out, "There are no generated tests here.");
    }
    let told = told(report, top);
    for (i, ((about, judged), first)) in report.classes().zip(&told).enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        let name = report.program().type_name(about.class);
        writeln!(out, "{BOLD}{name}{PLAIN}: {}", summary(judged))?;
        if let Some(only) = &about.only {
            let counts = of_only(only, judged, wanted(about, judged).count());
            writeln!(out, "of {}: {counts}", report.asked.name)?;
        }
        for (suspect, _) in first.iter().filter(|(_, is_own)| *is_own) {
            let (path, start, _) = report.place(&judged.assertions[suspect.assertion]);
            // What an editor marks, and how.
            let says = match judged.is_worth_a_look(suspect) {
                _ if judged.is_sure(suspect) => "probably wrong, ",
                true => "worth a look, ",
                false => "",
            };
            writeln!(
                out,
                "{BOLD}{path}:{}:{}{PLAIN}: {WARNING}{says}{}{PLAIN}{}, score {:.3}",
                start.0,
                start.1,
                within(judged, suspect),
                of_which(suspect),
                suspect.score
            )?;
            let grouped = grouped(judged, &judged.against(suspect));
            for (at, times) in grouped.iter().take(LISTED) {
                let Some(violation) = judged.violation(*at) else {
                    continue;
                };
                writeln!(out, "    {}", why_of(violation, *times))?;
                writeln!(out, "    {DIM}{}{PLAIN}", figures(violation))?;
            }
            let more = grouped.len().saturating_sub(LISTED);
            if more > 0 {
                writeln!(out, "    {NAME}and {more} more{PLAIN}")?;
            }
        }
        let elsewhere = first.iter().filter(|(_, is_own)| !is_own).count();
        if elsewhere > 0 {
            let are = if elsewhere == 1 { "is" } else { "are" };
            let of = first.len();
            writeln!(
                out,
                "{DIM}{elsewhere} of its first {of} {are} told of another class{PLAIN}"
            )?;
        }
    }
    Ok(())
}

/// How many assertions of the tests that are asked for were judged, and how many of them have a rank.
fn of_only(only: &BTreeSet<MethodId>, judged: &Judged, ranked: usize) -> String {
    let is_own = |test: &MethodId| only.contains(test);
    if !judged.generated.iter().any(is_own) {
        return "not judged: not recorded, failed, or recorded with other code".to_owned();
    }
    let all = judged.assertions.iter().filter(|a| is_own(&a.test));
    format!(
        "{}, {ranked} ranked",
        plural(all.count(), "assertion", "assertions")
    )
}

/// The ranks of which a rank is made, where the score alone would give another: else a low score stands unexplained before a high one.
fn of_which(suspect: &Suspect) -> String {
    match (suspect.rank - suspect.by_score).abs() < 1e-9 {
        true => String::new(),
        false => both_orders(suspect),
    }
}

pub(super) fn both_orders(suspect: &Suspect) -> String {
    format!(
        " (by score {}, by uniqueness {})",
        suspect.by_score, suspect.by_uniqueness
    )
}

pub(crate) fn summary(judged: &Judged) -> String {
    let generated = plural(judged.generated.len(), "generated test", "generated tests");
    let manual = plural(
        judged.teaching.len(),
        "hand-written test",
        "hand-written tests",
    );
    let assertions = plural(judged.assertions.len(), "assertion", "assertions");
    let mut out = match (judged.generated.len(), judged.teaching.len()) {
        (0, _) => "its generated tests were not recorded; `telltale record` runs them".to_owned(),
        (_, 0) => format!("{assertions} of {generated}; no hand-written test says what is usual"),
        _ => {
            let sure = judged.told().count();
            format!(
                "{assertions} of {generated}, beside {manual}: {sure} probably wrong, {} ranked",
                judged.suspects.len()
            )
        }
    };
    let unrecorded = match judged.generated.len() {
        // It stands there already.
        0 => 0,
        _ => judged.unknown.saturating_sub(judged.stale),
    };
    for (left_out, why) in [
        (judged.stale, "recorded with other code"),
        (judged.failed, "failed"),
        (unrecorded, "not recorded"),
    ] {
        if left_out > 0 {
            let tests = plural(left_out, "test", "tests");
            out.push_str(&format!("; {tests} left out, {why}"));
        }
    }
    out
}

fn figures(violation: Violation<'_>) -> String {
    let similarity = match violation.similarity {
        Some(s) => format!("what had run is {:.0} % the same", s * 100.0),
        None => "what had run is not known".to_owned(),
    };
    format!(
        "uniqueness {:.3}, confidence {:.3}, {similarity}",
        violation.uniqueness(),
        violation.broken.constraint.confidence
    )
}

/// `telltale.suspects/1`.
pub(crate) fn json(report: &Report<'_>) -> Value {
    let classes: Vec<Value> = report.classes().map(|(a, j)| class(report, a, j)).collect();
    json!({
        "schema": "telltale.suspects/1",
        "root": report.root,
        "classes": classes,
    })
}

fn class(report: &Report<'_>, about: &About, judged: &Judged) -> Value {
    let program = report.program();
    let place = |assertion: &Assertion| place_as_json(program, assertion);
    let suspects: Vec<Value> = wanted(about, judged)
        .map(|(_, s)| {
            let mut out = place(&judged.assertions[s.assertion]);
            let broken = judged.against(s).into_iter().filter_map(|at| {
                let mut out = violation(program, judged, judged.violation(at)?);
                let way = judged.ways.get(s.assertion, at);
                out["way"] = json!(way.map_or(&[][..], |w| &w[..]));
                Some(out)
            });
            let violations: Vec<Value> = broken.collect();
            out["rank"] = json!(s.rank);
            out["rank_by_score"] = json!(s.by_score);
            out["rank_by_uniqueness"] = json!(s.by_uniqueness);
            out["score"] = json!(s.score);
            out["worth"] = json!(judged.is_worth_a_look(s));
            out["told"] = json!(judged.is_sure(s));
            out["violations"] = json!(violations);
            out
        })
        .collect();
    let learnt = &judged.examined.learnt;
    let flagged: Vec<Value> = judged
        .flagged
        .iter()
        .map(|a| &judged.assertions[*a])
        .filter(|a| about.wants(a.test))
        .map(place)
        .collect();
    json!({
        "class": program.type_name(about.class).as_str(),
        "assertions": judged.assertions.len(),
        "generated_tests": judged.generated.len(),
        "manual_tests": judged.teaching.len(),
        "unknown_tests": judged.unknown,
        "stale_tests": judged.stale,
        "failed_tests": judged.failed,
        "points": learnt.len(),
        "constraints": learnt.iter().map(|l| l.believed.len()).sum::<usize>(),
        "violations": judged.examined.len(),
        "violations_kept": judged.examined.violations().filter(|v| v.is_kept).count(),
        "suspects": suspects,
        "flagged": flagged,
    })
}

pub(crate) fn violation(program: &Program, judged: &Judged, v: Violation<'_>) -> Value {
    let broken = &v.broken;
    let test = |at: usize| judged.manual.get(at).map(|t| program.method_name(*t));
    let taught: Vec<Value> = broken
        .taught_by
        .iter()
        .map(|(t, calls)| json!({ "test": test(*t), "calls": calls }))
        .collect();
    let values: Vec<Value> = v
        .values()
        .map(|(name, value)| json!({ "name": name, "value": value }))
        .collect();
    json!({
        "message": why(v),
        "method": format!("{}#{}{}", broken.method.class, broken.method.name, broken.method.descriptor),
        "moment": match broken.moment {
            Moment::Entry => "entry",
            Moment::Exit => "exit",
        },
        "constraint": broken.constraint.text,
        "family": broken.constraint.family.row().name,
        "confidence": broken.constraint.confidence,
        "samples": broken.constraint.samples,
        "taught_by": taught,
        "values": values,
        "uniqueness": v.uniqueness(),
        "times": v.repute().times,
        "judged": v.repute().judged,
        "sure": v.is_sure(),
        "similarity": v.similarity,
        "nearest": v.nearest.and_then(test),
    })
}
