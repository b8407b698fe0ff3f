//! The tables, in Markdown.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::Case;
use super::bug::BugId;
use super::labels::{Label, counts};
use super::ranks::{Fared, by_chance};
use crate::Result;

/// All tables, below the command that printed them.
pub(super) fn all(cases: &[(&BugId, Result<Case>)], with_stages: bool) -> String {
    let bugs: Vec<String> = cases.iter().map(|(id, _)| id.to_string()).collect();
    let is_ranked =
        |(_, case): &(_, Result<Case>)| matches!(case, Ok(case) if case.ranked.is_some());
    let is_ranked = cases.iter().any(is_ranked);
    let telltale = if is_ranked { " --telltale FILE" } else { "" };
    let stage = if with_stages { " --stage" } else { "" };
    let mut out = format!(
        "```sh\ncargo xtask evaluate suspects --defects4j DIR --suites DIR --history DIR --bugs {}{telltale}{stage}\n```\n\n{}",
        bugs.join(","),
        labels(cases)
    );
    if is_ranked {
        let _ = write!(out, "\n{}", ranks(cases));
    }
    if with_stages {
        let _ = write!(out, "\n{}", stages(cases));
    }
    out
}

/// How far down the first wrong assertion of each class stands.
fn ranks(cases: &[(&BugId, Result<Case>)]) -> String {
    let mut out = String::from(
        "| bug | class | assertions | wrong | ranked, of them wrong | rank of the first | in the top five | inspected | random order | flagged without filter, of them wrong | random order of these | alarms on the fixed version, of assertions |\n| --- | --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let (mut bugs, mut hits, mut alarms, mut holding) = (0, 0, 0, 0);
    let mut notes = String::new();
    for (id, case) in cases {
        let Some((case, ranked)) = case
            .as_ref()
            .ok()
            .and_then(|c| Some((c, c.ranked.as_ref()?)))
        else {
            continue;
        };
        bugs += 1;
        hits += usize::from(ranked.classes.iter().any(Fared::is_hit));
        for fared in &ranked.classes {
            let class = &fared.class;
            let of = |counts: &BTreeMap<String, usize>| counts.get(class).copied().unwrap_or(0);
            let (own_alarms, own_holding) = (of(&ranked.alarms), of(&case.holding));
            alarms += own_alarms;
            holding += own_holding;
            let number = |n: Option<f64>| n.map_or("none".to_owned(), |n| format!("{n:.1}"));
            let share = fared.inspected().map(|s| format!("{:.2} %", s * 100.0));
            let _ = writeln!(
                out,
                "| {id} | {} | {} | {} | {}, {} | {} | {} | {} | {} | {}, {} | {} | {own_alarms} of {own_holding} |",
                class.rsplit('.').next().unwrap_or(class),
                fared.assertions,
                fared.wrong,
                fared.ranked,
                fared.ranked_wrong,
                number(fared.first),
                if fared.is_hit() { "yes" } else { "no" },
                share.unwrap_or_else(|| "none".to_owned()),
                number(by_chance(fared.assertions, fared.wrong)),
                fared.flagged,
                fared.flagged_wrong,
                number(by_chance(fared.flagged, fared.flagged_wrong)),
            );
            if fared.unknown > 0 {
                let _ = writeln!(
                    notes,
                    "- {id}: {} suspects stand where no assertion is known",
                    fared.unknown
                );
            }
        }
    }
    #[allow(clippy::cast_precision_loss)]
    let rate = alarms as f64 * 1000.0 / holding.max(1) as f64;
    let _ = writeln!(
        out,
        "\nA wrong assertion stands in the top five of its class for {hits} of {bugs} bugs. On the fixed versions there are {rate:.1} alarms in the top five per 1,000 assertions."
    );
    match notes.is_empty() {
        true => out,
        false => format!("{out}\n{notes}"),
    }
}

/// Where wrong assertions without a rank were lost.
fn stages(cases: &[(&BugId, Result<Case>)]) -> String {
    let mut out = String::from(
        "| bug | class | wrong, without rank | lost at |\n| --- | --- | ---: | --- |\n",
    );
    for (id, case) in cases {
        let ranked = case.as_ref().ok().and_then(|case| case.ranked.as_ref());
        for fared in ranked.iter().flat_map(|ranked| &ranked.classes) {
            let without = fared.wrong - fared.ranked_wrong.min(fared.wrong);
            let lost = fared
                .lost
                .iter()
                .map(|(stage, count)| format!("{stage}: {count}"));
            let lost: Vec<String> = lost.collect();
            let class = fared.class.rsplit('.').next().unwrap_or(&fared.class);
            let _ = writeln!(out, "| {id} | {class} | {without} | {} |", lost.join(", "));
        }
    }
    out
}

/// What each bug's suites are, and what running them said.
fn labels(cases: &[(&BugId, Result<Case>)]) -> String {
    let mut out = String::from(
        "| bug | classes changed | own test files | left out | suites | tests | dropped | assertions | wrong | right | fail already | unsteady | not reached |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let mut notes = String::new();
    for (id, case) in cases {
        let case = match case {
            Ok(case) => case,
            Err(why) => {
                let _ = writeln!(out, "| {id} | {} |", why.replace('\n', " "));
                continue;
            }
        };
        let counts = counts(&case.assertions);
        let of = |label| counts.get(&label).copied().unwrap_or(0);
        let simple = |class: &String| class.rsplit('.').next().unwrap_or(class).to_owned();
        let classes: Vec<String> = case.bug.modified.iter().map(simple).collect();
        let _ = writeln!(
            out,
            "| {id} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            classes.join(", "),
            case.buggy.test_files,
            case.buggy.left_out.len(),
            case.suites.all.len(),
            case.suites.tests,
            case.suites.lost(),
            case.assertions.len(),
            of(Label::Wrong),
            of(Label::Right),
            of(Label::Fails),
            of(Label::Unsteady),
            of(Label::Unreached),
        );
        for (why, count) in &case.suites.gone {
            let _ = writeln!(notes, "- {id}: {count} tests dropped: {why}");
        }
        for file in &case.buggy.left_out {
            let _ = writeln!(notes, "- {id}: left out: {file}");
        }
    }
    match notes.is_empty() {
        true => out,
        false => format!("{out}\n{notes}"),
    }
}
