//! `cargo xtask evaluate reach`: which methods run under the tests of a subject, and which of them are said to be reached?
//!
//! `Ran` compiles a subject and runs its tests with JaCoCo's agent (`reach/Ran.java`), which tells the methods that ran,
//! test class by test class. A method that ran and is not among those that the class's tests are said to reach was
//! missed. The other way round says less: what is reached *may* run, for some input.

mod names;
mod ran;

use calls::{Bodies, Technique, Workspace};
use oracle::TestRun;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use program::{BodyId, Program, ProgramInput, TypeId};

use super::TESTED;
use super::libraries::{classes, classpath, java};
use crate::bench::load;
use crate::{Result, subjects};
use names::Names;
use ran::Ran;

/// Those that are small enough to be run in a minute each.
const DEFAULT: [&str; 4] = [
    "commons-csv",
    "commons-cli",
    "commons-codec",
    "commons-validator",
];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only this subject (may be repeated)
    #[arg(long = "subject", value_name = "NAME", default_values_t = DEFAULT.map(str::to_owned))]
    subjects: Vec<String>,
    /// Also print each method that ran and was missed, with how many test classes run it
    #[arg(long)]
    missed: bool,
    /// Run the tests although it is known what they ran
    #[arg(long)]
    again: bool,
    /// The `java` to run them with (default: of JAVA_HOME, else the one on the path)
    #[arg(long, value_name = "FILE")]
    java: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if cfg!(debug_assertions) {
        return crate::bench::again_in_release();
    }
    let java = arguments.java.clone().unwrap_or_else(java);
    let mut rows = Vec::new();
    for name in &arguments.subjects {
        if !TESTED.contains(&name.as_str()) {
            return Err(format!(
                "no tests of {name}; there are {}",
                TESTED.join(", ")
            ));
        }
        let root = subjects::one(name)?;
        let libraries = classpath(name, &root)?;
        let ran = ran::of(name, &root, &libraries, &java, arguments.again)?;
        let texts = load::texts(&root)?;
        let workspace = Workspace::new(Program::build_with(ProgramInput {
            source_sets: texts.sets,
            files: texts.files,
            classes: Some(classes(&java, &root, &libraries)?),
            ..ProgramInput::default()
        }));
        let found = Found::of(&workspace, &ran);
        if arguments.missed {
            found.print_missed(name, &workspace);
        }
        rows.push(found.row(name, &ran));
    }
    println!(
        "| subject | tests | methods that ran | reached | | test class and method | reached | | of the reached ran |"
    );
    println!("| --- | --: | --: | --: | --: | --: | --: | --: | --: |");
    for row in rows {
        println!("{row}");
    }
    Ok(())
}

/// What came of one subject.
#[derive(Default)]
struct Found {
    /// Methods that ran under some test, and those of them that the whole suite reaches.
    ran: usize,
    reached: usize,
    /// The same by test class.
    ran_by_class: usize,
    reached_by_class: usize,
    /// All that is said to be reached, by test class.
    said_by_class: usize,
    /// What the suite as a whole misses.
    missed: Vec<BodyId>,
    /// What test classes miss: how many of them.
    missed_by_class: BTreeMap<String, usize>,
    /// What ran and has no body here.
    unknown: BTreeMap<String, usize>,
}

impl Found {
    fn of(workspace: &Workspace, ran: &Ran) -> Found {
        let program = workspace.program();
        let names = Names::of(program);
        let mut found = Found::default();
        let tests = workspace.suite().tests();
        let all: Vec<TestRun> = tests.iter().map(|t| workspace.own_run(*t)).collect();
        let suite = workspace.reached_by(&all, Technique::RapidTypes);
        let mut seen: HashSet<BodyId> = HashSet::new();
        for (class, methods) in &ran.by_class {
            let reached = match names.class(class) {
                Some(class) => workspace.reached_by(&runs(workspace, class), Technique::RapidTypes),
                None => Bodies::default(),
            };
            found.said_by_class += reached.len();
            for method in methods {
                let Some(body) = names.body(method) else {
                    if names.is_written(method) {
                        *found.unknown.entry(method.to_string()).or_default() += 1;
                    }
                    continue;
                };
                found.ran_by_class += 1;
                if reached.contains(body) {
                    found.reached_by_class += 1;
                } else {
                    let name = program.body_name(body).unwrap_or_default();
                    *found.missed_by_class.entry(name).or_default() += 1;
                }
                if seen.insert(body) {
                    found.ran += 1;
                    match suite.contains(body) {
                        true => found.reached += 1,
                        false => found.missed.push(body),
                    }
                }
            }
        }
        found
    }

    fn print_missed(&self, name: &str, workspace: &Workspace) {
        let program = workspace.program();
        for body in &self.missed {
            println!(
                "{name}\tmissed\t{}",
                program.body_name(*body).unwrap_or_default()
            );
        }
        let mut by_class: Vec<_> = self.missed_by_class.iter().collect();
        by_class.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
        for (method, times) in by_class {
            println!("{name}\tmissed by {times}\t{method}");
        }
        for (method, times) in &self.unknown {
            println!("{name}\tnot here\t{times}\t{method}");
        }
    }

    fn row(&self, name: &str, ran: &Ran) -> String {
        let percent =
            |part: usize, of: usize| format!("{:.2} %", 100.0 * part as f64 / of.max(1) as f64);
        format!(
            "| {name} | {} | {} | {} | {} | {} | {} | {} | {} |",
            ran.tests,
            self.ran,
            self.reached,
            percent(self.reached, self.ran),
            self.ran_by_class,
            self.reached_by_class,
            percent(self.reached_by_class, self.ran_by_class),
            percent(self.reached_by_class, self.said_by_class),
        )
    }
}

/// The tests that a class runs: its own, those that it inherits, and those of the classes in it.
fn runs(workspace: &Workspace, class: TypeId) -> Vec<TestRun> {
    let program = workspace.program();
    let is_own = |owner: TypeId| owner == class || program.supertypes(class).contains(&owner);
    let is_inside = |owner: TypeId| {
        let around = std::iter::successors(Some(owner), |c| program.enclosing_type(*c));
        around.take(100).any(|c| c == class)
    };
    let tests = workspace.suite().tests().iter();
    tests
        .filter_map(|&test| {
            let owner = program.method_owner(test);
            if is_own(owner) {
                return Some(TestRun { test, class });
            }
            is_inside(owner).then(|| workspace.own_run(test))
        })
        .collect()
}
