//! The figures: recall by subject, by rival and by switch, and the kinds of misses.

use super::misses::Why;
use super::{Case, Outcome};
use std::collections::BTreeMap;

/// The places at which recall is told.
pub(super) const PLACES: [usize; 4] = [1, 3, 5, 10];

/// How often what was read stood among the first k.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Score {
    of: f64,
    hits: [f64; PLACES.len()],
}

impl Score {
    pub(super) fn of(place: Option<usize>) -> Score {
        let hit = |k: usize| f64::from(u8::from(place.is_some_and(|p| p < k)));
        Score {
            of: 1.0,
            hits: PLACES.map(hit),
        }
    }

    pub(super) fn plus(self, other: Score) -> Score {
        let mut hits = self.hits;
        for (hit, more) in hits.iter_mut().zip(other.hits) {
            *hit += more;
        }
        Score {
            of: self.of + other.of,
            hits,
        }
    }

    fn sum(scores: impl Iterator<Item = Score>) -> Score {
        scores.fold(Score::default(), Score::plus)
    }

    fn cells(self) -> String {
        let percent = |hit: f64| format!("{:5.1}", 100.0 * hit / self.of.max(1.0));
        self.hits.map(percent).join(" | ")
    }
}

/// One row of figures of a subject.
struct Row {
    subject: String,
    what: &'static str,
    score: Score,
}

#[derive(Default)]
pub(super) struct Tally {
    /// Subject, cases, those on values, answerable, tests.
    counts: Vec<(String, usize, usize, usize, usize)>,
    rows: Vec<Row>,
    switches: Vec<(&'static str, bool, Score)>,
    misses: BTreeMap<Why, BTreeMap<String, usize>>,
    /// Seconds of each question.
    seconds: Vec<f64>,
}

impl Tally {
    pub(super) fn subject(&mut self, name: &str, cases: &[Case], outcomes: &[Outcome]) {
        let values = cases.iter().filter(|c| c.kind.is_observation()).count();
        let answerable = outcomes.iter().filter(|o| o.answerable).count();
        let mut tests: Vec<_> = cases.iter().map(|c| c.test).collect();
        tests.dedup();
        self.counts.push((
            name.to_owned(),
            cases.len(),
            values,
            answerable,
            tests.len(),
        ));
        type Place = fn(&Outcome) -> Score;
        let rows: [(&'static str, Place); 6] = [
            ("readable list", |o| Score::of(o.place)),
            ("habits of other files only", |o| Score::of(o.strict)),
            ("last variables", |o| Score::of(o.lasts)),
            ("returned values", |o| Score::of(o.returned)),
            ("random order", |o| Score {
                of: 1.0,
                hits: o.random,
            }),
            ("the paper's ranking", |o| Score::of(o.paper)),
        ];
        for (what, of) in rows {
            self.rows.push(Row {
                subject: name.to_owned(),
                what,
                score: Score::sum(outcomes.iter().map(of)),
            });
        }
        self.rows.push(Row {
            subject: name.to_owned(),
            what: "readable, of the answerable",
            score: Score::sum(
                outcomes
                    .iter()
                    .filter(|o| o.answerable)
                    .map(|o| Score::of(o.place)),
            ),
        });
        for why in outcomes.iter().filter_map(|o| o.miss) {
            *self
                .misses
                .entry(why)
                .or_default()
                .entry(name.to_owned())
                .or_default() += 1;
        }
        self.seconds
            .extend(outcomes.iter().map(|o| o.answer.seconds));
    }

    pub(super) fn switch(&mut self, name: &'static str, default: bool, score: Score) {
        match self.switches.iter_mut().find(|s| s.0 == name) {
            Some(row) => row.2 = row.2.plus(score),
            None => self.switches.push((name, default, score)),
        }
    }

    pub(super) fn print(mut self) {
        println!("| subject | tests | cases | read a value without arguments | answerable |");
        println!("| --- | --: | --: | --: | --: |");
        for (name, cases, values, answerable, tests) in &self.counts {
            println!("| {name} | {tests} | {cases} | {values} | {answerable} |");
        }
        println!(
            "\nRecall in per cent of all cases (of the answerable in the last row of each).\n"
        );
        println!("| subject | | at 1 | at 3 | at 5 | at 10 |");
        println!("| --- | --- | --: | --: | --: | --: |");
        for row in &self.rows {
            println!("| {} | {} | {} |", row.subject, row.what, row.score.cells());
        }
        self.print_lost();
        if !self.switches.is_empty() {
            let all = self.rows.iter().filter(|r| r.what == "readable list");
            let base = Score::sum(all.map(|r| r.score));
            println!("\n| switch | | at 1 | at 3 | at 5 | at 10 |");
            println!("| --- | --- | --: | --: | --: | --: |");
            println!("| (as it is) | | {} |", base.cells());
            for (name, default, score) in &self.switches {
                let turned = if *default { "off" } else { "on" };
                println!("| {name} | {turned} | {} |", score.cells());
            }
        }
        println!("\n| missed at 10, why | {} |", self.names().join(" | "));
        println!("| --- |{}", " --: |".repeat(self.counts.len()));
        for (why, of) in &self.misses {
            let cells: Vec<String> = self
                .names()
                .iter()
                .map(|name| of.get(*name).copied().unwrap_or(0).to_string())
                .collect();
            println!("| {} | {} |", why.text(), cells.join(" | "));
        }
        self.seconds.sort_by(f64::total_cmp);
        let at = |q: f64| {
            let last = self.seconds.len().saturating_sub(1);
            self.seconds.get((q * last as f64) as usize).copied()
        };
        if let (Some(median), Some(high), Some(most)) = (at(0.5), at(0.95), at(1.0)) {
            println!(
                "\nOne question: median {:.1} ms, p95 {:.1} ms, most {:.1} ms.",
                median * 1e3,
                high * 1e3,
                most * 1e3
            );
        }
    }

    fn names(&self) -> Vec<&str> {
        self.counts.iter().map(|c| c.0.as_str()).collect()
    }

    /// Where a rival is as good or better.
    fn print_lost(&self) {
        let mut lost = Vec::new();
        for row in &self.rows {
            let ours = |what: &str| {
                let of = |r: &&Row| r.subject == row.subject && r.what == what;
                self.rows.iter().find(of).map(|r| r.score)
            };
            let rival = matches!(
                row.what,
                "last variables" | "returned values" | "random order" | "the paper's ranking"
            );
            for what in ["readable list", "habits of other files only"] {
                let Some(own) = ours(what).filter(|_| rival) else {
                    continue;
                };
                for (k, place) in PLACES.iter().enumerate().take(3) {
                    if row.score.hits[k] >= own.hits[k] {
                        lost.push(format!(
                            "{}: {} is not beaten at {place} by {what}",
                            row.subject, row.what
                        ));
                    }
                }
            }
        }
        if lost.is_empty() {
            println!("\nEvery rival is beaten at 1, 3 and 5 on every subject.");
        } else {
            println!("\n{}", lost.join("\n"));
        }
    }
}
