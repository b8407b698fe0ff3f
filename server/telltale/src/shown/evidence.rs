//! The evidence against an assertion, to be read beside it: what hand-written tests saw and what this test saw, sample by sample.
//!
//! One [`Page`], as HTML for editors that show pages and as Markdown for all others. Neither has a script or asks for anything.

use super::placed;
use crate::words::plural;
use draw::{Look, Series, escape, plot};
use ide::Analysis;
use ide::hover::escaped as marked;
use ide::suspects::{Assertion, Counts, Judged, Step, meaning, sides, steps, why, within};
use invariants::Verdict;
use program::MethodId;
use std::fmt::Write;
use suspects::{Options, Seen, Sides};

/// How many violations are shown: what a hover tells.
const SHOWN: usize = 6;
/// How many different values of a test are shown.
const VALUES: usize = 8;

/// What speaks against an assertion.
pub(crate) struct Page {
    /// `Complex_ESTest.java:29`
    pub(crate) title: String,
    /// The assertion, in one line.
    said: String,
    /// Rank and score.
    standing: String,
    sections: Vec<Section>,
    /// How many violations are left out.
    more: usize,
}

/// One violation.
struct Section {
    constraint: String,
    why: String,
    way: String,
    /// What the constraint speaks of.
    names: Vec<String>,
    manual: Vec<Row>,
    own: Vec<Row>,
    /// What other generated tests did.
    others: String,
    plot: Option<String>,
}

/// What one test saw.
struct Row {
    test: String,
    calls: usize,
    /// Different ones, each with whether it breaks the constraint.
    values: Vec<(String, bool)>,
    /// There are more.
    is_cut: bool,
}

impl Page {
    /// None where nothing speaks against it.
    pub(crate) fn new(analysis: &Analysis, judged: &Judged, assertion: &Assertion) -> Option<Page> {
        let program = analysis.program();
        let at = judged.assertions.iter().position(|a| a == assertion)?;
        let suspect = judged.suspects.iter().find(|s| s.assertion == at)?;
        let (path, (line, _), _) = placed(program, assertion);
        let file = path.rsplit('/').next().unwrap_or(&path);
        let text = program.text(assertion.file)?;
        let said: Vec<&str> = text
            .get(assertion.span.range())?
            .split_whitespace()
            .collect();
        let options = Options::default();
        let counted = steps(analysis, judged, at).into_iter();
        let is_own = |s: &Step| matches!(s.counts, Counts::Yes | Counts::Less);
        let counted = counted.filter(is_own).take(SHOWN);
        let name = |tests: &[MethodId], at: usize| {
            let name = tests.get(at).map(|t| program.method_name(*t));
            name.unwrap_or_default()
        };
        let sections: Vec<Section> = counted
            .filter_map(|step| {
                let violation = judged.violation(step.violation)?;
                let sides = sides(analysis, judged, step.violation, &options);
                let names: Vec<String> = violation.values().map(|(n, _)| n.to_owned()).collect();
                let (own, others): (Vec<&Seen>, Vec<&Seen>) = sides
                    .generated
                    .iter()
                    .partition(|s| s.test == violation.test);
                let broken = others
                    .iter()
                    .filter(|s| s.verdict == Verdict::Broken)
                    .count();
                Some(Section {
                    constraint: violation.broken.constraint.text.clone(),
                    why: match meaning(violation) {
                        Some(meaning) => format!("{}. {meaning}", why(violation)),
                        None => why(violation),
                    },
                    way: match step.way.is_empty() {
                        true => "the assertion makes the call itself".to_owned(),
                        false => step.way.join("; "),
                    },
                    manual: rows(sides.manual.iter(), &|t| name(&judged.manual, t)),
                    own: rows(own.into_iter(), &|t| name(&judged.generated, t)),
                    others: format!(
                        "Other generated tests: {}, {broken} of them break it",
                        plural(others.len(), "call", "calls")
                    ),
                    plot: drawn(&sides, &names, violation.test),
                    names,
                })
            })
            .collect();
        Some(Page {
            title: format!("{file}:{line}"),
            said: said.join(" "),
            standing: format!("{}, score {:.3}", within(judged, suspect), suspect.score),
            more: suspect.violations.len().saturating_sub(sections.len()),
            sections,
        })
    }

    /// For editors that show texts.
    pub(crate) fn markdown(&self) -> String {
        let mut out = format!(
            "# {}\n\n    {}\n\n{}\n",
            self.title,
            self.said,
            marked(&self.standing)
        );
        for s in &self.sections {
            // Writing to a text does not fail.
            let _ = write!(
                out,
                "\n## {}\n\n{}\n\nIt comes here so: {}.\n\n",
                marked(&s.constraint),
                marked(&s.why),
                marked(&s.way)
            );
            let names = marked(&s.names.join(", "));
            for (who, rows) in [("hand-written tests", &s.manual), ("this test", &s.own)] {
                let _ = write!(out, "| {who} | calls | {names} |\n| --- | ---: | --- |\n");
                for row in rows {
                    let values = row.values.iter().map(|(value, is_broken)| match is_broken {
                        true => format!("**{}**", marked(value)),
                        false => marked(value),
                    });
                    let values: Vec<String> = values.collect();
                    let more = if row.is_cut { ", …" } else { "" };
                    let _ = writeln!(
                        out,
                        "| {} | {} | {}{more} |",
                        marked(&row.test),
                        row.calls,
                        values.join(", ")
                    );
                }
                out.push('\n');
            }
            let _ = writeln!(out, "{}.", s.others);
        }
        match self.more {
            0 => {}
            n => {
                let _ = writeln!(out, "\nAnd {n} more.");
            }
        }
        out
    }

    /// The body of a page.
    pub(crate) fn html(&self) -> String {
        let mut out = format!(
            "<h1>{}</h1>\n<pre>{}</pre>\n<p>{}</p>\n",
            escape(&self.title),
            escape(&self.said),
            escape(&self.standing)
        );
        for s in &self.sections {
            let _ = write!(
                out,
                "<section>\n<h2>{}</h2>\n<p>{}</p>\n<p class=\"way\">It comes here so: {}.</p>\n<div class=\"sides\">\n",
                escape(&s.constraint),
                escape(&s.why),
                escape(&s.way)
            );
            let names = escape(&s.names.join(", "));
            for (who, rows) in [("hand-written tests", &s.manual), ("this test", &s.own)] {
                let _ = write!(
                    out,
                    "<table><thead><tr><th>{who}</th><th>calls</th><th>{names}</th></tr></thead><tbody>"
                );
                for row in rows {
                    let values = row.values.iter().map(|(value, is_broken)| match is_broken {
                        true => format!("<strong>{}</strong>", escape(value)),
                        false => escape(value),
                    });
                    let values: Vec<String> = values.collect();
                    let more = if row.is_cut { ", …" } else { "" };
                    let _ = write!(
                        out,
                        "<tr><td>{}</td><td>{}</td><td>{}{more}</td></tr>",
                        escape(&row.test),
                        row.calls,
                        values.join(", ")
                    );
                }
                out.push_str("</tbody></table>\n");
            }
            out.push_str("</div>\n");
            if let Some(plot) = &s.plot {
                let _ = writeln!(
                    out,
                    "<figure>{plot}<figcaption>hand-written tests pale, other generated tests as rings, this test red</figcaption></figure>"
                );
            }
            let _ = write!(out, "<p>{}.</p>\n</section>\n", escape(&s.others));
        }
        match self.more {
            0 => {}
            n => {
                let _ = writeln!(out, "<p>And {n} more.</p>");
            }
        }
        out
    }
}

/// What is a number in all of its terms, drawn; nothing where this test has no such sample.
fn drawn(sides: &Sides, names: &[String], this: usize) -> Option<String> {
    let numbers = |wants: &dyn Fn(&Seen) -> bool, all: &[Seen]| {
        let own = all.iter().filter(|s| wants(s));
        own.filter_map(Seen::numbers).collect::<Vec<_>>()
    };
    let one = |name: &str, look, points| Series {
        name: name.to_owned(),
        look,
        points,
    };
    let (own, others) = (
        numbers(&|s| s.test == this, &sides.generated),
        numbers(&|s| s.test != this, &sides.generated),
    );
    let usual = numbers(&|_| true, &sides.manual);
    if own.is_empty() || usual.is_empty() {
        return None;
    }
    let series = [
        one("hand-written tests", Look::Pale, usual),
        one("other generated tests", Look::Ring, others),
        one("this test", Look::Strong, own),
    ];
    plot(names, &series)
}

/// A row a test, in the order of the calls.
fn rows<'a>(all: impl Iterator<Item = &'a Seen>, name: &dyn Fn(usize) -> String) -> Vec<Row> {
    let mut out: Vec<(usize, Row)> = Vec::new();
    for seen in all {
        let values: Vec<String> = seen.values().collect();
        let value = (values.join(", "), seen.verdict == Verdict::Broken);
        if out.last().is_none_or(|(test, _)| *test != seen.test) {
            let row = Row {
                test: name(seen.test),
                calls: 0,
                values: Vec::new(),
                is_cut: false,
            };
            out.push((seen.test, row));
        }
        let Some((_, row)) = out.last_mut() else {
            continue;
        };
        row.calls += 1;
        if row.values.contains(&value) {
            continue;
        }
        match row.values.len() < VALUES {
            true => row.values.push(value),
            false => row.is_cut = true,
        }
    }
    out.into_iter().map(|(_, row)| row).collect()
}
