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
        for (how, likely_first, own_class_first) in [
            ("by gain alone", false, false),
            ("likeliest first", true, false),
            ("class under test first", true, true),
        ] {
            let switches = Switches {
                likely_first,
                own_class_first,
                ..Switches::default()
            };
            println!(
                "| {name} | {how} | {} |",
                Tally::of(&subject, &switches).row()
            );
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
}

impl Tally {
    fn of(subject: &Subject, switches: &Switches) -> Tally {
        let program = subject.workspace.program();
        let tests = subject.workspace.suite().tests();
        let first: Vec<Option<(String, Option<bool>)>> = tests
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
                let (name, owner) = first(&subject.workspace, &offer)?;
                let about = class_under_test(program, program.method_owner(test)).map(|class| {
                    let around = std::iter::successors(Some(owner), |t| program.enclosing_type(*t));
                    around.take(100).any(|t| t == class)
                });
                Some((name, about))
            })
            .collect();
        let mut tally = Tally::default();
        for (name, about) in first.into_iter().flatten() {
            tally.told += 1;
            tally.named += usize::from(about.is_some());
            tally.about += usize::from(about == Some(true));
            *tally.values.entry(name).or_default() += 1;
        }
        tally
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

/// The first value inside: what it is, where, and the class in which it lies.
fn first(workspace: &Workspace, offer: &Offer) -> Option<(String, TypeId)> {
    let program = workspace.program();
    let Node::Real { unit, candidate } = offer.graph.nodes[offer.inside.first()?.vertex as usize]
    else {
        return None;
    };
    let unit = &offer.units[unit.ix()];
    let name = program.body_name(unit.body)?;
    Some((format!("{name} {candidate}"), program.body_owner(unit.body)))
}
