//! The tables, in Markdown.

use std::fmt::Write as _;

use super::Case;
use super::bug::BugId;
use super::labels::{Label, counts};
use super::ranks::{Alarms, Fared, Stage, by_chance};
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
        "| bug | class | assertions | wrong | ranked, of them wrong | rank of the first | place of the first | by the score alone, by the sum of uniqueness | in the top five, by rank, by place | inspected | random order | flagged without filter, of them wrong | random order of these | false alarms on the fixed version: rank, marked, warned, of assertions |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let (mut bugs, mut hits, mut met, mut holding) = (0, 0, 0, 0);
    let mut alarms = Alarms::default();
    let mut notes = String::new();
    for (id, case) in cases {
        let Some((case, ranked)) = case
            .as_ref()
            .ok()
            .and_then(|c| Some((c, c.ranked.as_ref()?)))
        else {
            continue;
        };
        let ranked = match ranked {
            Ok(ranked) => ranked,
            Err(why) => {
                let _ = writeln!(out, "| {id} | {} |", why.replace('\n', " "));
                continue;
            }
        };
        bugs += 1;
        hits += usize::from(ranked.classes.iter().any(Fared::is_hit));
        met += usize::from(ranked.classes.iter().any(Fared::is_met));
        for fared in &ranked.classes {
            let class = &fared.class;
            let own = ranked.alarms.get(class).copied().unwrap_or_default();
            let own_holding = case.made.holding.get(class).copied().unwrap_or(0);
            alarms.by_rank += own.by_rank;
            alarms.marked += own.marked;
            alarms.warned += own.warned;
            holding += own_holding;
            let yes = |is: bool| if is { "yes" } else { "no" };
            let number = |n: Option<f64>| n.map_or("none".to_owned(), |n| format!("{n:.1}"));
            let share = fared.inspected().map(|s| format!("{:.2} %", s * 100.0));
            let _ = writeln!(
                out,
                "| {id} | {} | {} | {} | {}, {} | {} | {} | {}, {} | {}, {} | {} | {} | {}, {} | {} | {}, {}, {} of {own_holding} |",
                simple(class),
                fared.assertions,
                fared.wrong,
                fared.ranked,
                fared.ranked_wrong,
                number(fared.first),
                number(fared.met),
                number(fared.met_by_score),
                number(fared.met_by_uniqueness),
                yes(fared.is_hit()),
                yes(fared.is_met()),
                share.unwrap_or_else(|| "none".to_owned()),
                number(by_chance(fared.assertions, fared.wrong)),
                fared.flagged,
                fared.flagged_wrong,
                number(by_chance(fared.flagged, fared.flagged_wrong)),
                own.by_rank,
                own.marked,
                own.warned,
            );
            if fared.counts.assertions != fared.assertions {
                let (class, counted) = (simple(class), fared.counts.assertions);
                let _ = writeln!(
                    notes,
                    "- {id}: telltale counts {counted} assertions of {class}"
                );
            }
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
    let rate = |alarms: usize| alarms as f64 * 1000.0 / holding.max(1) as f64;
    let _ = writeln!(
        out,
        "\nA wrong assertion has a rank of five or better in its class for {hits} of {bugs} bugs; for {met} of {bugs} a reader of five is to meet one, equals in a random order. Of 1,000 assertions on the fixed versions {:.1} have such a rank, {:.1} are marked in an editor, and {:.1} are warned of.",
        rate(alarms.by_rank),
        rate(alarms.marked),
        rate(alarms.warned),
    );
    match notes.is_empty() {
        true => out,
        false => format!("{out}\n{notes}"),
    }
}

/// How far the wrong assertions of each class came.
fn stages(cases: &[(&BugId, Result<Case>)]) -> String {
    let mut out = String::from(
        "| bug | class | generated tests judged | hand-written tests that call it | tests without a recording | points | constraints | violations, kept by the filter | wrong assertions | in the top five | outranked | filtered | no way found | not justified | nothing learnt |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for (id, case) in cases {
        let ranked = case
            .as_ref()
            .ok()
            .and_then(|case| case.ranked.as_ref()?.as_ref().ok());
        for fared in ranked.iter().flat_map(|ranked| &ranked.classes) {
            let of = |stage| fared.stages.get(&stage).copied().unwrap_or(0);
            let counts = &fared.counts;
            let _ = writeln!(
                out,
                "| {id} | {} | {} | {} | {} | {} | {} | {}, {} | {} | {} | {} | {} | {} | {} | {} |",
                simple(&fared.class),
                counts.generated,
                counts.manual,
                counts.unknown,
                counts.points,
                counts.constraints,
                counts.violations,
                counts.kept,
                fared.wrong,
                of(Stage::Shown),
                of(Stage::Outranked),
                of(Stage::Filtered),
                of(Stage::NoWay),
                of(Stage::Unjustified),
                of(Stage::Untaught),
            );
        }
    }
    out
}

/// `X` of `pkg.X`.
fn simple(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
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
        let counts = counts(&case.made.assertions);
        let of = |label| counts.get(&label).copied().unwrap_or(0);
        let classes: Vec<&str> = case.bug.modified.iter().map(|c| simple(c)).collect();
        let _ = writeln!(
            out,
            "| {id} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            classes.join(", "),
            case.made.buggy.test_files,
            case.made.buggy.left_out.len(),
            case.made.suites.all.len(),
            case.made.suites.tests,
            case.made.suites.lost(),
            case.made.assertions.len(),
            of(Label::Wrong),
            of(Label::Right),
            of(Label::Fails),
            of(Label::Unsteady),
            of(Label::Unreached),
        );
        for (why, count) in &case.made.suites.gone {
            let _ = writeln!(notes, "- {id}: {count} tests dropped: {why}");
        }
        for file in &case.made.buggy.left_out {
            let _ = writeln!(notes, "- {id}: left out: {file}");
        }
    }
    match notes.is_empty() {
        true => out,
        false => format!("{out}\n{notes}"),
    }
}
