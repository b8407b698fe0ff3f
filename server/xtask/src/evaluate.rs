//! `cargo xtask evaluate WHAT`: how right the analysis is on the subjects. One file an evaluation; the results stand in
//! `docs/`.

mod build;
mod builds;
mod chance;
mod choice;
mod earned;
mod faults;
mod guard;
mod inner;
mod inside;
mod invariants;
mod left_out;
mod libraries;
mod reach;
mod reading;
mod recorded;
mod rules;
mod suspects;
mod told;
mod trust;
mod uses;

use calls::Workspace;
use clap::Subcommand;
use recommend::Known;

use std::path::{Path, PathBuf};

use crate::bench::load;
use crate::{Result, subjects};

/// The subjects whose tests are there.
const TESTED: [&str; 7] = [
    "commons-cli",
    "commons-csv",
    "commons-codec",
    "commons-collections4",
    "commons-validator",
    "commons-lang3",
    "commons-math3",
];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Insert an inner oracle under each test framework and in each kind of build, and run it
    Builds(builds::Arguments),
    /// Hide each assertion of real tests in turn: at which place is what its developer read?
    Choice(choice::Arguments),
    /// Insert the finished assertions into a project's tests and mutate it: how many more mutants do these notice?
    Earned(earned::Arguments),
    /// Mutate subjects: what do their tests miss, and which values would have told?
    Faults(faults::Arguments),
    /// Measure what a guard costs that is off
    Guard(guard::Arguments),
    /// Insert inner oracles into real code, compile and run them: how many are offered, and does each do what it says?
    Inner(inner::Arguments),
    /// What tests are told to look at inside: is it of the class that they test, and is it their own?
    Inside(inside::Arguments),
    /// Read traces with Daikon too: how much do both say, and how long does each take?
    Invariants(invariants::Arguments),
    /// Leave hand-written tests out: how often does one break what the others teach?
    LeftOut(left_out::Arguments),
    /// Run the tests of subjects: which methods run that no test is said to reach?
    Reach(reach::Arguments),
    /// Draw what tests are told first for people to read, or ask again for what they read
    Reading(reading::Arguments),
    /// Record a project and insert the assertions that are finished by it: do they compile and pass?
    Recorded(recorded::Arguments),
    /// Count what the rules find, beside what SonarLint's S2699 would
    Rules(rules::Arguments),
    /// Rank generated assertions on real bugs: how far down is the first wrong one?
    Suspects(suspects::Arguments),
    /// Count what tests of unfamiliar projects are told and should not be
    Trust(trust::Arguments),
    /// Compare what names and calls mean with what javac says
    Uses(uses::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.what {
        What::Builds(arguments) => builds::run(arguments),
        What::Choice(arguments) => choice::run(arguments),
        What::Earned(arguments) => earned::run(arguments),
        What::Faults(arguments) => faults::run(arguments),
        What::Guard(arguments) => guard::run(arguments),
        What::Inner(arguments) => inner::run(arguments),
        What::Inside(arguments) => inside::run(arguments),
        What::Invariants(arguments) => invariants::run(arguments),
        What::LeftOut(arguments) => left_out::run(arguments),
        What::Reach(arguments) => reach::run(arguments),
        What::Reading(arguments) => reading::run(arguments),
        What::Recorded(arguments) => recorded::run(arguments),
        What::Rules(arguments) => rules::run(arguments),
        What::Suspects(arguments) => suspects::run(arguments),
        What::Trust(arguments) => trust::run(arguments),
        What::Uses(arguments) => uses::run(arguments),
    }
}

/// Where to look: the subjects whose tests are there, or folders.
#[derive(clap::Args)]
struct Where {
    /// Only this subject (may be repeated)
    #[arg(long)]
    subject: Vec<String>,
    /// A folder of your own instead of the subjects (may be repeated)
    #[arg(long, conflicts_with = "subject")]
    path: Vec<PathBuf>,
}

impl Where {
    /// Names and folders.
    fn folders(&self) -> Result<Vec<(String, PathBuf)>> {
        if !self.path.is_empty() {
            let named = |path: &PathBuf| (path.display().to_string(), path.clone());
            return Ok(self.path.iter().map(named).collect());
        }
        if let Some(unknown) = self.subject.iter().find(|s| !TESTED.contains(&s.as_str())) {
            let all = TESTED.join(", ");
            return Err(format!("no subject {unknown}; there are {all}"));
        }
        TESTED
            .into_iter()
            .filter(|name| self.subject.is_empty() || self.subject.iter().any(|s| s == name))
            .map(|name| Ok((name.to_owned(), subjects::one(name)?)))
            .collect()
    }
}

/// A project and what is known of it.
struct Subject {
    workspace: Workspace,
    known: Known,
}

impl Subject {
    fn load(folder: &Path) -> Result<Subject> {
        let texts = load::texts(folder)?;
        let workspace = Workspace::new(texts.program());
        let known = Known::new(&workspace);
        Ok(Subject { workspace, known })
    }
}
