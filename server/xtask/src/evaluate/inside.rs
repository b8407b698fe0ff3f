//! `cargo xtask evaluate inside`: is what a test is told to look at inside its own?
//!
//! No developer has written down what to check inside, so there is no right answer to compare with. Two things can be
//! counted. A test class that is named after a class (`StatsTest` after `Stats`) is about that class: how often does the
//! first value inside lie there? And a value that many tests are told of says little about each: how many tests are told
//! of the one that is told most often?

use calls::{Workspace, class_under_test};
use observe::{Node, Settings};
use recommend::{Offer, Switches, offer};
use std::collections::HashMap;

use program::TypeId;
use rayon::prelude::*;

use super::{Subject, Where};
use crate::Result;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Where,
    /// Print each test with the first value that looks worth a check
    #[arg(long)]
    list: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if cfg!(debug_assertions) {
        return crate::bench::again_in_release();
    }
    println!("In per cent of the tests that are told of a value inside.\n");
    println!(
        "| project | | tests | of the class under test | told most often | different values |"
    );
    println!("| --- | --- | --: | --: | --: | --: |");
    for (name, folder) in &arguments.place.folders()? {
        let subject = Subject::load(folder)?;
        for (how, likely_first, own_class_first, only_worth) in [
            ("by gain alone", false, false, false),
            ("likeliest first", true, false, false),
            ("class under test first", true, true, false),
            ("worth a check", true, true, true),
        ] {
            let switches = Switches {
                likely_first,
                own_class_first,
                ..Switches::default()
            };
            let tally = Tally::of(&subject, &switches, only_worth);
            println!("| {name} | {how} | {} |", tally.row());
            if only_worth && arguments.list {
                tally.list();
            }
        }
    }
    Ok(())
}

/// What the tests of a project are told.
#[derive(Default)]
struct Tally {
    /// Tests that are told of a value inside.
    told: usize,
    /// Of these, those whose class is named after one, and those that are told of a value in it.
    named: usize,
    about: usize,
    values: HashMap<String, usize>,
    /// Tests and what they are told of.
    lines: Vec<String>,
}

/// What a test is told of first.
struct First {
    /// A name of its own.
    name: String,
    /// True if it lies in the class that the test's is named after; none if that is after none.
    is_about: Option<bool>,
    /// For people.
    line: String,
}

impl Tally {
    fn of(subject: &Subject, switches: &Switches, only_worth: bool) -> Tally {
        let program = subject.workspace.program();
        let tests = subject.workspace.suite().tests();
        let first: Vec<Option<First>> = tests
            .par_iter()
            .map(|&test| {
                let offer = offer(
                    &subject.workspace,
                    &subject.known,
                    &[subject.workspace.own_run(test)],
                    &Settings {
                        top: 1,
                        ..Settings::default()
                    },
                    switches,
                );
                let vertex = offer.inside.first()?.vertex;
                if only_worth && !offer.inside_worth.contains(&vertex) {
                    return None;
                }
                let (name, owner, words) = first(&subject.workspace, &offer, vertex)?;
                let is_about = class_under_test(program, program.method_owner(test)).map(|class| {
                    let around = std::iter::successors(Some(owner), |t| program.enclosing_type(*t));
                    around.take(100).any(|t| t == class)
                });
                let line = format!("{}: {words}", program.method_name(test));
                Some(First {
                    name,
                    is_about,
                    line,
                })
            })
            .collect();
        let mut tally = Tally::default();
        for first in first.into_iter().flatten() {
            tally.told += 1;
            tally.named += usize::from(first.is_about.is_some());
            tally.about += usize::from(first.is_about == Some(true));
            *tally.values.entry(first.name).or_default() += 1;
            tally.lines.push(first.line);
        }
        tally
    }

    fn list(&self) {
        let mut lines: Vec<&String> = self.lines.iter().collect();
        lines.sort();
        for line in lines {
            println!("- {line}");
        }
    }

    fn row(&self) -> String {
        let percent = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
        format!(
            "{} | {:.1} | {:.1} | {}",
            self.told,
            percent(self.about, self.named),
            percent(self.values.values().copied().max().unwrap_or(0), self.told),
            self.values.len(),
        )
    }
}

/// A value inside: what it is, the class in which it lies, and both for people.
fn first(workspace: &Workspace, offer: &Offer, vertex: u32) -> Option<(String, TypeId, String)> {
    let program = workspace.program();
    let Node::Real { unit, candidate } = offer.graph.nodes[vertex as usize] else {
        return None;
    };
    let unit = &offer.units[unit.ix()];
    let name = program.body_name(unit.body)?;
    let variable = match &*unit.chains.candidates[candidate as usize].variable {
        "" => "what it returns",
        own => own,
    };
    let words = format!("{variable} in {name}");
    Some((
        format!("{name} {candidate}"),
        program.body_owner(unit.body),
        words,
    ))
}
