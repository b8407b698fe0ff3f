//! `cargo xtask evaluate inner`: does an inner oracle do what it says, in real code?
//!
//! For each value of the code under test that a test is said to run, one of these tests is drawn, and the edit is asked
//! for: it is offered, or refused by name. Of those that are offered some are drawn, and each is compiled and run four
//! times in a copy of the project (`inner/Once.java`): as it is inserted, which must fail and tell the value; with the
//! value filled in as the failure says, which must pass; with another value, which must fail; and removed, which must
//! leave the files that were there.

mod assertable;
mod once;
mod told;

use calls::Workspace;
use observe::Settings;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::PathBuf;

use ide::Analysis;
use ide::SourceChange;
use ide::inner::{CandidateId, Refusal, Turn, What, candidates, insertion, removal};
use program::{Change, FileId, MethodId, Modifiers};
use text::apply_disjoint;

use super::TESTED;
use super::chance::Chance;
use super::libraries::{class_path_of, classpath, java};
use crate::bench::load;
use crate::{Result, subjects};
use once::{Job, Project, Ran};
use told::Told;

/// Small enough to be run in minutes.
const DEFAULT: [&str; 3] = ["commons-csv", "commons-cli", "commons-codec"];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only this subject (may be repeated)
    #[arg(long = "subject", value_name = "NAME", default_values_t = DEFAULT.map(str::to_owned))]
    subjects: Vec<String>,
    /// A project of your own instead of the subjects; of one with modules each is compiled for itself
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// A file with the class path of its libraries (default: what Maven says)
    #[arg(long, value_name = "FILE", requires = "project")]
    class_path: Option<PathBuf>,
    /// Compile so many assertions on what is said to be assertable now
    #[arg(long, value_name = "N", default_value_t = 0)]
    assertable: usize,
    /// Only tests in whose name this occurs
    #[arg(long, value_name = "TEXT", default_value = "")]
    test: String,
    /// How many are run of each project; 0 to count only
    #[arg(long, default_value_t = 100)]
    picks: usize,
    /// What decides which are drawn
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print each that is drawn, with what came of it
    #[arg(long)]
    list: bool,
    /// The `java` to run with (default: of JAVA_HOME, else the one on the path)
    #[arg(long, value_name = "FILE")]
    java: Option<PathBuf>,
    /// Fail if one that was drawn does not do what it says
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let java = arguments.java.clone().unwrap_or_else(java);
    let mut wrong = 0;
    let projects = match &arguments.project {
        Some(folder) => {
            let libraries = match &arguments.class_path {
                Some(file) => fs::read_to_string(file)
                    .map_err(|e| format!("cannot read {}: {e}", file.display()))?,
                None => class_path_of(folder)?,
            };
            vec![(folder.display().to_string(), folder.clone(), libraries)]
        }
        None => subjects_of(&arguments.subjects)?,
    };
    for (name, root, libraries) in projects {
        let texts = load::texts(&root)?;
        let workspace = Workspace::new(texts.program());
        let analysis = Analysis::new(workspace, true, Settings::default());
        let mut chance = Chance::new(arguments.seed);
        let offers = Offers::of(&analysis, &arguments.test, &mut chance);
        offers.print(&name);
        if arguments.picks == 0 && arguments.assertable == 0 {
            continue;
        }
        eprintln!("compiling {name}");
        let mut project = Project::new(&root, &libraries, &java)?;
        if arguments.assertable > 0 {
            let seed = arguments.seed;
            wrong += assertable::check(&name, &analysis, &mut project, arguments.assertable, seed)?;
        }
        if arguments.picks > 0 {
            let picks = offers.picks(&analysis, &project, arguments.picks, &mut chance);
            let outcomes = judge(&analysis, &mut project, &picks)?;
            wrong += print(&name, &analysis, &picks, &outcomes, arguments.list);
        }
    }
    match arguments.check && wrong > 0 {
        true => Err(format!("{wrong} do not do what they say")),
        false => Ok(()),
    }
}

fn subjects_of(names: &[String]) -> Result<Vec<(String, PathBuf, String)>> {
    let mut out = Vec::new();
    for name in names {
        if !TESTED.contains(&name.as_str()) {
            let all = TESTED.join(", ");
            return Err(format!("no tests of {name}; there are {all}"));
        }
        let root = subjects::one(name)?;
        let libraries = classpath(name, &root)?;
        out.push((name.clone(), root, libraries));
    }
    Ok(out)
}

/// A value, and a test that is said to run its definition.
#[derive(Clone, Copy, Debug)]
struct Pick {
    test: MethodId,
    id: CandidateId,
}

/// How many tests are tried, where the first cannot switch anything on for this value.
const TRIES: usize = 8;

/// True if another test may be able to check the value.
fn is_of_the_test(refusal: Refusal) -> bool {
    matches!(
        refusal,
        Refusal::NotSeen
            | Refusal::RunsInSetUp
            | Refusal::TestGone
            | Refusal::NoTestBody
            | Refusal::CallElsewhere
            | Refusal::PackageHidden
    )
}

/// What is said of every value that a test is said to run.
#[derive(Default)]
struct Offers {
    offered: Vec<Pick>,
    refused: BTreeMap<Refusal, usize>,
}

impl Offers {
    fn of(analysis: &Analysis, among: &str, chance: &mut Chance) -> Offers {
        let mut tests: BTreeMap<CandidateId, Vec<MethodId>> = BTreeMap::new();
        let tests_in_all = analysis.workspace().suite().tests().iter();
        let is_meant = |test: &&MethodId| analysis.program().method_name(**test).contains(among);
        for &test in tests_in_all.filter(is_meant) {
            for id in candidates(analysis, test) {
                tests.entry(id).or_default().push(test);
            }
        }
        let mut out = Offers::default();
        for (id, tests) in tests {
            let mut refused = None;
            for test in chance
                .draw(TRIES, tests.len())
                .into_iter()
                .map(|at| tests[at])
            {
                match insertion(analysis, test, id, &What::Tell, None) {
                    Ok(_) => {
                        out.offered.push(Pick { test, id });
                        refused = None;
                        break;
                    }
                    Err(refusal) => refused = Some(refusal),
                }
                if refused.is_some_and(|refusal| !is_of_the_test(refusal)) {
                    break;
                }
            }
            if let Some(refusal) = refused {
                *out.refused.entry(refusal).or_default() += 1;
            }
        }
        out
    }

    fn print(&self, name: &str) {
        let refused: usize = self.refused.values().sum();
        let all = self.offered.len() + refused;
        println!(
            "{name}: {all} values run in tests, {} offered ({:.1} %)",
            self.offered.len(),
            100.0 * self.offered.len() as f64 / all.max(1) as f64
        );
        let mut kinds: Vec<_> = self.refused.iter().collect();
        kinds.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
        for (refusal, times) in kinds {
            println!("  {times:6} refused: {}", refusal.name());
        }
    }

    /// Some of those that are offered. Tests of abstract classes are run by others, under names of theirs.
    fn picks(
        &self,
        analysis: &Analysis,
        project: &Project,
        count: usize,
        chance: &mut Chance,
    ) -> Vec<Pick> {
        let program = analysis.program();
        let has = |file: Option<FileId>| {
            let path = file.and_then(|f| program.path(f));
            path.is_some_and(|p| project.has(p))
        };
        let can_run = |pick: &&Pick| {
            let decl = program.type_decl(program.method_owner(pick.test));
            decl.is_some_and(|d| !d.modifiers.has(Modifiers::ABSTRACT))
                && has(program.method_file(pick.test))
                && has(program.body_file(pick.id.body))
        };
        let all: Vec<Pick> = self.offered.iter().filter(can_run).copied().collect();
        let drawn = chance.draw(count, all.len());
        drawn.into_iter().map(|at| all[at]).collect()
    }
}

/// What came of one that was drawn.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// It told, passed with the value, failed with another, and was removed to the byte.
    Right,
    /// The test does not run the place, and said so. What is reached *may* run.
    NeverRan,
    /// The test fails or cannot be run as it is; what is inserted compiles.
    TestFails(String),
    /// The value is another each time that the test runs.
    Differs,
    /// The test has parameters, and the value is not the same for all.
    ByParameters,
    /// It does not compile; with the step.
    Broken(&'static str, String),
    /// It did not do what it should; with the step.
    Wrong(&'static str, String),
}

impl Outcome {
    fn words(&self) -> String {
        match self {
            Outcome::Right => "right in all four runs".to_owned(),
            Outcome::NeverRan => "the test does not run the place, and says so".to_owned(),
            Outcome::TestFails(_) => "it compiles, but the test fails as it is".to_owned(),
            Outcome::Differs => "the value is another each time".to_owned(),
            Outcome::ByParameters => "the value depends on the test's parameters".to_owned(),
            Outcome::Broken(step, _) => format!("DOES NOT COMPILE ({step})"),
            Outcome::Wrong(step, _) => format!("WRONG ({step})"),
        }
    }

    fn is_wrong(&self) -> bool {
        matches!(self, Outcome::Broken(..) | Outcome::Wrong(..))
    }
}

/// A pick on its way through the runs.
struct Case {
    pick: Pick,
    test: (String, String),
    path: String,
    change: SourceChange,
    /// What the test says as it is, if it does not pass.
    fails: Option<String>,
    told: Option<Told>,
    outcome: Option<Outcome>,
}

impl Case {
    fn job(&self, files: Vec<(String, String)>) -> Job {
        Job {
            test: self.test.clone(),
            path: self.path.clone(),
            files,
        }
    }
}

fn judge(analysis: &Analysis, project: &mut Project, picks: &[Pick]) -> Result<Vec<Outcome>> {
    let program = analysis.program();
    let mut cases: Vec<Case> = Vec::new();
    for pick in picks {
        let change = insertion(analysis, pick.test, pick.id, &What::Tell, None);
        let name = program.method_name(pick.test);
        let (class, method) = name.split_once('#').unwrap_or((&name, ""));
        let method = method.split('(').next().unwrap_or(method);
        cases.push(Case {
            pick: *pick,
            test: (class.to_owned(), method.to_owned()),
            path: path_of(analysis, pick.test),
            change: change.map_err(|refusal| refusal.to_string())?,
            fails: None,
            told: None,
            outcome: None,
        });
    }
    eprintln!("{} tests as they are", cases.len());
    step(
        project,
        &mut cases,
        &|case| vec![case.job(Vec::new())],
        &|case, ran| {
            case.fails = (ran[0] != Ran::Passed).then(|| format!("{:?}", ran[0]));
        },
    )?;
    eprintln!("with the value to be told");
    let tells = |case: &Case| vec![case.job(files(analysis, &case.change))];
    step(project, &mut cases, &tells, &|case, ran| {
        case.outcome = match &ran[0] {
            Ran::Broken(said) => Some(Outcome::Broken("tell", said.clone())),
            // It says nothing of what runs, but what is inserted has to compile.
            _ if case.fails.is_some() => case.fails.take().map(Outcome::TestFails),
            Ran::Failed(said) => match Told::read(said) {
                Some(told) if told.by_parameters => Some(Outcome::ByParameters),
                Some(told) => {
                    case.told = Some(told);
                    None
                }
                None if said.contains("the place never ran") => Some(Outcome::NeverRan),
                None => Some(Outcome::Wrong("tell", said.clone())),
            },
            other => Some(Outcome::Wrong("tell", format!("{other:?}"))),
        };
    })?;
    // Where several values were told, the first turn is checked.
    for case in cases.iter_mut().filter(|c| c.outcome.is_none()) {
        if case.told.as_ref().is_some_and(|told| told.several) {
            let first = Some(Turn::First);
            let change = insertion(analysis, case.pick.test, case.pick.id, &What::Tell, first);
            case.change = change.map_err(|refusal| refusal.to_string())?;
        }
        if let Err(problem) = removed(analysis, &case.change) {
            case.outcome = Some(Outcome::Wrong("remove", problem));
        }
    }
    eprintln!("with the value, and with another");
    let with = |case: &Case| {
        let Some(told) = &case.told else {
            return Vec::new();
        };
        let files = |call: &str| {
            let mut files = files(analysis, &case.change);
            for (_, text) in &mut files {
                *text = text.replacen(&told.tell, call, 1);
            }
            files
        };
        vec![
            case.job(files(&told.call)),
            case.job(files(&told.other)),
            case.job(self::files(analysis, &case.change)),
        ]
    };
    step(project, &mut cases, &with, &|case, ran| {
        case.outcome = Some(match ran {
            [Ran::Broken(said), ..] => Outcome::Broken("with the value", said.clone()),
            [_, Ran::Broken(said), _] => Outcome::Broken("with another value", said.clone()),
            [Ran::Passed, Ran::Failed(_), _] => Outcome::Right,
            [Ran::Passed, other, _] => Outcome::Wrong("with another value", format!("{other:?}")),
            [Ran::Failed(_), _, Ran::Failed(again)] if Told::read(again) != case.told => {
                Outcome::Differs
            }
            [other, ..] => Outcome::Wrong("with the value", format!("{other:?}")),
            [] => Outcome::Wrong("with the value", String::new()),
        });
    })?;
    let outcomes = cases.into_iter().map(|c| c.outcome);
    Ok(outcomes
        .map(|o| o.unwrap_or(Outcome::Wrong("no outcome", String::new())))
        .collect())
}

/// The file of a test, from the root.
fn path_of(analysis: &Analysis, test: MethodId) -> String {
    let program = analysis.program();
    let path = program.method_file(test).and_then(|f| program.path(f));
    path.map(ToString::to_string).unwrap_or_default()
}

/// Runs the jobs of all cases that have no outcome yet.
fn step(
    project: &mut Project,
    cases: &mut [Case],
    jobs: &dyn Fn(&Case) -> Vec<Job>,
    read: &dyn Fn(&mut Case, &[Ran]),
) -> Result<()> {
    let open = |case: &&Case| case.outcome.is_none();
    let of_cases: Vec<Vec<Job>> = cases.iter().filter(open).map(jobs).collect();
    let counts: Vec<usize> = of_cases.iter().map(Vec::len).collect();
    let all: Vec<Job> = of_cases.into_iter().flatten().collect();
    let ran = project.run(&all)?;
    let mut rest = ran.as_slice();
    let open = cases.iter_mut().filter(|case| case.outcome.is_none());
    for (case, count) in open.zip(counts) {
        let (own, others) = rest.split_at(count);
        rest = others;
        read(case, own);
    }
    Ok(())
}

/// The files that a change writes, by path.
pub(super) fn files(analysis: &Analysis, change: &SourceChange) -> Vec<(String, String)> {
    let program = analysis.program();
    let mut out = change.made.clone();
    for (file, edits) in &change.edits {
        let path = program.path(*file).map_or("", |p| p);
        let text = program.text(*file).map_or("", |t| t);
        out.push((
            path.to_owned(),
            apply_disjoint(text, edits).unwrap_or_default(),
        ));
    }
    out
}

/// Whether removing gives what was there before.
fn removed(analysis: &Analysis, change: &SourceChange) -> std::result::Result<(), String> {
    let program = analysis.program();
    let code = change.edits.first().map(|(file, _)| *file);
    let set = code.and_then(|file| program.source_set(file));
    let changes = files(analysis, change).into_iter().map(|(path, text)| {
        let own = program
            .file(&path)
            .and_then(|file| program.source_set(file));
        Some(Change {
            source_set: own.or(set)?,
            path: path.into(),
            text: Some(text.into()),
        })
    });
    let after = analysis.after(changes.flatten().collect());
    let names: Vec<String> = ide::inner::oracles(&after)
        .into_iter()
        .map(|oracle| oracle.found.name)
        .collect();
    let back = removal(&after, &names);
    let mut texts: HashMap<String, String> = files(&after, &back).into_iter().collect();
    for (file, _) in &change.edits {
        let path = program.path(*file).map_or("", |p| p);
        let text = texts.remove(path);
        if text.as_deref() != program.text(*file).map(|t| &**t) {
            return Err(format!("{path} is not as it was"));
        }
    }
    if !texts.is_empty() || back.gone.len() != change.made.len() {
        return Err("other files than those that were changed".to_owned());
    }
    Ok(())
}

/// Prints what came of the picks; how many do not do what they say.
fn print(
    name: &str,
    analysis: &Analysis,
    picks: &[Pick],
    outcomes: &[Outcome],
    list: bool,
) -> usize {
    let program = analysis.program();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for outcome in outcomes {
        *counts.entry(outcome.words()).or_default() += 1;
    }
    println!("{name}: {} drawn", outcomes.len());
    for (words, times) in counts {
        println!("  {times:6} {words}");
    }
    for (pick, outcome) in picks.iter().zip(outcomes) {
        if list || outcome.is_wrong() {
            let chains = analysis.workspace().chains(pick.id.body);
            let candidate = chains.and_then(|c| c.candidates.get(pick.id.index as usize));
            println!(
                "{}\t{}\t{}\t{outcome:?}",
                program.method_name(pick.test),
                program.body_name(pick.id.body).unwrap_or_default(),
                candidate.map_or("", |c| c.variable.as_str()),
            );
        }
    }
    outcomes.iter().filter(|o| o.is_wrong()).count()
}
