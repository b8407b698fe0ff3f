//! `cargo xtask evaluate recorded`: do the assertions that a recording finishes compile, and do they pass?
//!
//! A copy of a project is recorded. Then the finished assertions are inserted as the action writes them, one of each test
//! at a time, the project is compiled, and its tests run twice. What fails is counted by the kind of its value. With
//! `--printed`, values of variables and observation points are printed by statements and compared with what was recorded. With
//! `--bare` the tests lose their own assertions first, so that the lists offer what people checked: lists are quiet above tests
//! that check something.

pub(super) mod bare;
pub(super) mod build;
pub(super) mod insert;
pub(super) mod place;
mod printed;

use std::collections::BTreeMap;

use crate::Result;
use insert::Wrong;
use place::Place;

/// How often what did not compile is taken out.
const TRIES: usize = 8;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Place,
    /// Print so many values of variables besides, half of them in tests, and so many observation points
    #[arg(long, value_name = "N", default_value_t = 0)]
    printed: usize,
    /// The seed by which these are drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Take the assertions out of the tests first
    #[arg(long)]
    bare: bool,
    /// How many of the assertions of one test are tried, each in a round of its own
    #[arg(long, value_name = "N", default_value_t = 3)]
    rounds: usize,
    /// Fail if one does not compile or pass
    #[arg(long)]
    check: bool,
    /// Keep the copy, and say where it is
    #[arg(long)]
    keep: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let copy = tempfile::tempdir().map_err(|e| e.to_string())?;
    let root = copy.path().join("project");
    let build = arguments.place.copied(&root)?;
    if arguments.bare {
        let bare = bare::bare(&build)?;
        println!("{bare}");
    }
    let analysis = arguments.place.recorded(&build)?;
    if arguments.printed > 0 {
        let printed = printed::printed(&analysis, &build, arguments.printed, arguments.seed)?;
        let (own, inside) = (printed.own, printed.inside);
        println!(
            "{own} values of variables of tests and {inside} of the code under test were printed; {} are others",
            printed.others.len()
        );
        for line in &printed.others {
            println!("{line}");
        }
        let points = &printed.points;
        println!(
            "{} observation points were printed; {} are what was recorded, {} are others",
            printed.asked,
            points.equal,
            points.others.len()
        );
        for line in &points.others {
            println!("{line}");
        }
        for (why, count) in &points.not {
            println!("not compared: {count}: {why}");
        }
    }
    let mut counts: BTreeMap<&'static str, [usize; 3]> = BTreeMap::new();
    let mut bad = Vec::new();
    for round in 0..arguments.rounds {
        let all = insert::listed(&analysis, round);
        if all.is_empty() {
            break;
        }
        eprintln!("round {}: {} assertions", round + 1, all.len());
        let wrong = insert::put(&analysis, &build, &all, &mut bad)?;
        for inserted in &all {
            insert::restore(&analysis, build.root, inserted.file)?;
        }
        for (at, inserted) in all.iter().enumerate() {
            let row = counts.entry(inserted.kind).or_default();
            row[0] += 1;
            match wrong.get(&at) {
                Some(Wrong::Refused) => row[1] += 1,
                Some(Wrong::Failed) => row[2] += 1,
                None => {}
            }
        }
    }
    println!("| kind of value | assertions | do not compile | do not run, or pass |");
    println!("| --- | --- | --- | --- |");
    let mut sum = [0; 3];
    for (kind, row) in &counts {
        println!("| {kind} | {} | {} | {} |", row[0], row[1], row[2]);
        (0..3).for_each(|n| sum[n] += row[n]);
    }
    println!("| all | {} | {} | {} |", sum[0], sum[1], sum[2]);
    for line in &bad {
        println!("{line}");
    }
    if arguments.keep {
        println!("{}", copy.keep().display());
    }
    match arguments.check && (sum[1] > 0 || sum[2] > 0) {
        true => Err("some are wrong".to_owned()),
        false => Ok(()),
    }
}
