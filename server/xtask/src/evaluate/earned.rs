//! `cargo xtask evaluate earned`: what does an assertion earn that a recording finishes, once it stands in its test?
//!
//! The mutants of a project are judged by its tests as they are. Then a copy is recorded, one finished assertion goes into each
//! test that has one, as the action writes it, and the same mutants are judged again. So it is with the assertion that stands
//! first in the list, and with one that is drawn of all that the recording finished. With `--bare` the tests lose their own
//! assertions first: how much of what these notice does one notice that the list names?

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ide::Analysis;
use mutants::{Matrix, Mutant};

use super::build::Built;
use super::faults::outcome::{Drawn, Run};
use super::libraries::{class_path_of, java};
use super::recorded::build::Build;
use super::recorded::insert::{self, Inserted};
use super::recorded::{bare, place::Place};
use crate::Result;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    drawn: Drawn,
    /// Take the assertions out of the tests first
    #[arg(long)]
    bare: bool,
    /// Print each mutant that the suite notices only with an assertion more, and what each test notices besides
    #[arg(long)]
    cases: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if cfg!(debug_assertions) {
        return crate::bench::again_in_release();
    }
    let copy = tempfile::tempdir().map_err(|e| e.to_string())?;
    let root = copy.path().join("project");
    let build = arguments.place.copied(&root)?;
    let name = arguments.place.project.file_name().unwrap_or_default();
    let name = name.to_string_lossy();
    let judge = Judging {
        name: &name,
        root: &root,
        libraries: class_path_of(&root)?,
        java: java(),
        drawn: &arguments.drawn,
    };
    let own = judge.judged()?;
    let bare = match arguments.bare {
        true => {
            let said = bare::bare(&build)?;
            println!("{said}");
            Some(judge.judged()?)
        }
        false => None,
    };
    let analysis = arguments.place.recorded(&build)?;
    let first = insert::listed(&analysis, 0);
    let first = judge.with(&analysis, &build, &first)?;
    let drawn = insert::drawn(&analysis, arguments.drawn.seed);
    let drawn = judge.with(&analysis, &build, &drawn)?;
    let before = bare.as_ref().unwrap_or(&own);
    let with = [("the first of the list", &first), ("a drawn one", &drawn)];
    let mut rows = vec![("their own assertions", &own)];
    rows.extend(bare.as_ref().map(|bare| ("none", bare)));
    rows.extend(with);
    if rows.iter().any(|(_, state)| state.mutants != own.mutants) {
        return Err("the mutants of one state are not those of another".to_owned());
    }
    // Of the drawn one it is asked in the same tests, so that both have the same pairs to notice. What a test could expect of
    // the answers to its requests is never drawn.
    let asked: BTreeSet<&String> = match drawn.inserted.is_empty() {
        true => first.inserted.iter().collect(),
        false => first.inserted.intersection(&drawn.inserted).collect(),
    };
    print(&judge, &rows, before, &asked);
    if arguments.cases {
        for (what, state) in with {
            cases(what, before, state);
        }
    }
    Ok(())
}

/// What judges the copy as its tests stand.
struct Judging<'a> {
    name: &'a str,
    root: &'a Path,
    libraries: String,
    java: PathBuf,
    drawn: &'a Drawn,
}

/// What tests noticed, in one state of theirs.
struct State {
    /// Tests into which an assertion went, `pkg.Class#method`.
    inserted: BTreeSet<String>,
    /// Assertions that did not compile or pass.
    wrong: usize,
    /// By number.
    mutants: BTreeMap<u32, Mutant>,
    /// Mutants that the suite notices.
    noticed: BTreeSet<u32>,
    /// Of each stable test the mutants that it ran, and whether it failed.
    pairs: BTreeMap<String, BTreeMap<u32, bool>>,
}

impl Judging<'_> {
    /// The tests as they stand.
    fn judged(&self) -> Result<State> {
        let built = Built::new(self.root, &self.libraries, &self.java)?;
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let run = Run {
            name: self.name,
            built: &built,
            java: &self.java,
            drawn: self.drawn,
        };
        let outcome = run.outcome("", folder.path(), false)?;
        Ok(State::of(&outcome.matrix(self.drawn.seed, 0)))
    }

    /// Inserts what compiles and passes, judges, and takes it out again.
    fn with(&self, analysis: &Analysis, build: &Build<'_>, all: &[Inserted]) -> Result<State> {
        let mut bad = Vec::new();
        let wrong = insert::put(analysis, build, all, &mut bad)?;
        for line in &bad {
            println!("{line}");
        }
        let mut state = self.judged()?;
        let right = (0..all.len()).filter(|at| !wrong.contains_key(at));
        state.inserted = right
            .flat_map(|at| insert::reported_as(analysis.program(), all[at].test))
            .collect();
        state.wrong = wrong.len();
        for inserted in all {
            insert::restore(analysis, build.root, inserted.file)?;
        }
        Ok(state)
    }
}

impl State {
    fn of(matrix: &Matrix) -> State {
        let names: Vec<String> = matrix
            .tests
            .iter()
            .map(|t| format!("{}#{}", t.class, t.method))
            .collect();
        let mut pairs: BTreeMap<String, BTreeMap<u32, bool>> = BTreeMap::new();
        for (own, (number, _)) in matrix.pairs.iter().zip(&matrix.mutants) {
            for cell in own {
                let test = cell.test as usize;
                if matrix.tests[test].is_stable {
                    // Of several invocations of a test one that fails is enough.
                    let own = pairs.entry(names[test].clone()).or_default();
                    *own.entry(*number).or_default() |= cell.killed;
                }
            }
        }
        let fates = matrix.fates.iter().zip(&matrix.mutants);
        State {
            inserted: BTreeSet::new(),
            wrong: 0,
            mutants: matrix.mutants.iter().cloned().collect(),
            noticed: fates
                .filter(|(fate, _)| fate.is_noticed())
                .map(|(_, (number, _))| *number)
                .collect(),
            pairs,
        }
    }

    /// Of some tests, the pairs of a test and a mutant that it runs, and those where it fails.
    fn of_tests<'s>(
        &'s self,
        tests: &'s BTreeSet<&String>,
    ) -> impl Iterator<Item = (&'s String, u32, bool)> {
        let own = tests.iter().filter_map(|t| self.pairs.get_key_value(*t));
        own.flat_map(|(test, mutants)| mutants.iter().map(move |(m, killed)| (test, *m, *killed)))
    }
}

/// A test and a mutant that it runs.
type Pair = (String, u32);

/// What the assertions notice: of the tests that are asked, and of the whole suite; `before` any was inserted.
fn print(judge: &Judging<'_>, rows: &[(&str, &State)], before: &State, asked: &BTreeSet<&String>) {
    let of = |state: &State, killed_only: bool| -> BTreeSet<Pair> {
        let pairs = state.of_tests(asked).filter(|p| p.2 || !killed_only);
        pairs.map(|(test, m, _)| (test.clone(), m)).collect()
    };
    // An assertion may run code that its test did not run: what all rows ran is asked.
    let common = rows.iter().map(|(_, state)| of(state, false));
    let common = common.reduce(|a, b| &a & &b).unwrap_or_default();
    let killed = |state: &State| -> BTreeSet<Pair> { &of(state, true) & &common };
    let (own, before) = (killed(rows[0].1), killed(before));
    let beyond = &own - &before;
    println!(
        "\n{}: {} mutants drawn, seed {}; {} tests asked, {} pairs of such a test and a mutant that it runs\n",
        judge.name,
        rows[0].1.mutants.len(),
        judge.drawn.seed,
        asked.len(),
        common.len()
    );
    println!(
        "| assertions | in tests (do not compile or pass) | pairs noticed | more than before, an assertion | of what their own notice besides | what their own do not | mutants that the suite notices |"
    );
    println!("| --- | --: | --: | --: | --: | --: | --: |");
    for (what, state) in rows {
        let killed = killed(state);
        let in_tests = match state.inserted.is_empty() {
            true => String::new(),
            false => format!("{} ({})", state.inserted.len(), state.wrong),
        };
        let more = (&killed - &before).len() as f64 / asked.len().max(1) as f64;
        let back = (&beyond & &killed).len();
        println!(
            "| {what} | {in_tests} | {} ({}) | {more:.2} | {} | {} | {} |",
            killed.len(),
            share(killed.len(), common.len()),
            share(back, beyond.len()),
            (&killed - &own).len(),
            state.noticed.len()
        );
    }
}

fn share(part: usize, of: usize) -> String {
    match of {
        0 => "none".to_owned(),
        _ => format!("{:.1} %", 100.0 * part as f64 / of as f64),
    }
}

/// What is noticed that was not before, by the suite and by each test.
fn cases(what: &str, before: &State, after: &State) {
    println!("\nWith {what}, the suite notices besides:");
    for number in after.noticed.difference(&before.noticed) {
        if let Some(m) = after.mutants.get(number) {
            println!("- {}#{} line {}: {}", m.class, m.method, m.line, m.what);
        }
    }
    println!("\nAnd each test, of what it ran before without noticing:");
    for test in &after.inserted {
        let (Some(was), Some(is)) = (before.pairs.get(test), after.pairs.get(test)) else {
            continue;
        };
        let missed = was.iter().filter(|(_, killed)| !**killed);
        let missed: Vec<u32> = missed.map(|(m, _)| *m).collect();
        let now = missed.iter().filter(|m| is.get(m) == Some(&true)).count();
        println!("- {test}: {now} of {}", missed.len());
    }
}
