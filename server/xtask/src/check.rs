//! `cargo xtask check`: what holds for the source as a whole and no compiler looks at.
//!
//! One check is one function and one row in [`ALL`]; each says what it looked at, so that a check that looks at nothing
//! is seen.

mod circles;
mod docs;
mod files;
mod layers;
mod licences;
mod metadata;
mod words;

use std::path::Path;

use crate::Result;
use metadata::Metadata;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only these checks (default: all)
    names: Vec<String>,
}

/// What a check looked at, in a few words; or what is wrong, a line each.
type Outcome = std::result::Result<String, Vec<String>>;

/// What checks look at.
struct House<'a> {
    root: &'a Path,
    metadata: Metadata,
    /// Every file that is not ignored, relative to the root, sorted.
    files: Vec<String>,
}

type Check = (&'static str, fn(&House) -> Outcome);

const ALL: &[Check] = &[
    ("layers", layers::rows),
    ("analysis", layers::analysis),
    ("protocol", layers::protocol),
    ("clippy", layers::clippy),
    ("server", layers::server),
    ("circles", circles::circles),
    ("words", words::of_frameworks),
    ("top-level", files::top_level),
    ("portable", files::portable),
    ("hosts", files::hosts),
    ("licences", licences::check),
    ("map", docs::map),
    ("pages", docs::pages),
    ("settings", settings),
    ("dependencies", docs::dependencies),
];

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if let Some(unknown) = arguments
        .names
        .iter()
        .find(|name| !ALL.iter().any(|(known, _)| known == name))
    {
        let known: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
        return Err(format!(
            "no check {unknown}; there are {}",
            known.join(", ")
        ));
    }
    let root = crate::root();
    let house = House {
        root: &root,
        metadata: Metadata::load()?,
        files: files::list(&root)?,
    };
    let mut failed = 0;
    for (name, check) in ALL {
        if !arguments.names.is_empty() && !arguments.names.iter().any(|it| it == name) {
            continue;
        }
        match check(&house) {
            Ok(looked_at) => println!("ok      {name}: {looked_at}"),
            Err(problems) => {
                failed += 1;
                println!("FAILED  {name}");
                for problem in problems {
                    println!("        {problem}");
                }
            }
        }
    }
    match failed {
        0 => Ok(()),
        1 => Err("one check failed".to_owned()),
        _ => Err(format!("{failed} checks failed")),
    }
}

/// The VS Code extension has the settings that the server declares.
fn settings(house: &House) -> Outcome {
    let path = house.root.join(crate::editors::settings::MANIFEST);
    let problems = std::fs::read_to_string(&path)
        .map_err(|error| format!("{}: {error}", path.display()))
        .and_then(|text| crate::editors::settings::differences(&text))
        .unwrap_or_else(|problem| vec![problem]);
    outcome(problems, format!("{} keys", project::config::KEYS.len()))
}

/// All problems, or what was looked at if there are none.
fn outcome(problems: Vec<String>, looked_at: String) -> Outcome {
    if problems.is_empty() {
        Ok(looked_at)
    } else {
        Err(problems)
    }
}
