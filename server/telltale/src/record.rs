//! Runs a project's tests with the agent, and keeps what they did.
//!
//! First the tests run as they are: that tells how they end, and what they could load. Then they run twice as
//! [`ide::weave`] writes them, and the code under test with them, each compiled beside the build's own classes and put in
//! their place as they are loaded. What was the same in both runs is a value; what was not differs from run to run.

mod told;
mod woven;

use crate::failure::Failure;
use evidence::{Facts, Told};
use ide::Analysis;
use program::{MethodId, Modifiers, Program};
use project::{OWN_FOLDER, Run, Store};
use runner::process::{Bounds, Ended};
use runner::{Agent, Only, Tool, process};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use told::{Outcome, Seen};

/// How many lines of a build that failed are shown.
const LAST_LINES: usize = 25;

/// How many elements of a sequence are looked at where classes are asked: of a cut one nothing is learnt.
const ELEMENTS: usize = 64;

/// What is to be recorded.
pub(crate) struct Request<'a> {
    /// The root of the build.
    pub(crate) root: &'a Path,
    /// What runs the tests.
    pub(crate) tool: Tool,
    /// The tests.
    pub(crate) tests: &'a [MethodId],
    /// True if these are all that there are.
    pub(crate) is_all: bool,
    /// How long one run may take.
    pub(crate) timeout: Option<Duration>,
}

/// Who waits for it.
pub(crate) trait Listener {
    /// False once it is not wanted any more.
    fn wanted(&self) -> bool;
    /// What is being done.
    fn step(&self, what: &str);
    /// A line that a build printed.
    fn line(&self, line: &str);
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// The run, as it is kept.
    pub(crate) run: Run,
    /// Tests of which something was recorded.
    pub(crate) tests: Vec<(SmolStr, Told)>,
    /// How many slots told something.
    pub(crate) values: usize,
    /// Files that could not be compiled with calls in them, and why.
    pub(crate) left_out: Vec<(String, String)>,
    /// How many values could not be asked for.
    pub(crate) refused: usize,
    /// Tests that end otherwise when they are looked at; nothing is kept of what they could read.
    pub(crate) disturbed: Vec<String>,
    /// What the agent could not record, and how often.
    pub(crate) lost: Vec<(String, u64)>,
    /// What else is worth a line.
    pub(crate) notes: Vec<String>,
}

/// Records.
///
/// # Errors
/// If nothing ran, or what ran cannot be kept. Then nothing changes.
pub(crate) fn record(
    analysis: &Analysis,
    request: &Request<'_>,
    listener: &dyn Listener,
) -> Result<Report, Failure> {
    let root = request.root;
    let own = project::own_folder(root).map_err(|e| Failure::Run(e.to_string()))?;
    let jar = runner::agent_jar(&own).map_err(|e| Failure::Run(e.to_string()))?;
    let folder = run_folder(&own)?;
    let mut session = Session {
        request,
        listener,
        jar,
        folder: folder.path(),
        runs: 0,
        forced: false,
        inside: u32::MAX,
        only: match request.is_all {
            true => Vec::new(),
            false => only(analysis.program(), request.tests),
        },
    };
    let mut report = Report::default();
    report.run.at = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_secs() as i64);
    request.tool.name().clone_into(&mut report.run.tool);

    let plain = session.run_plain()?;
    report.run.java = plain.java.clone();
    report.run.tests = plain.outcomes.len() as u32;
    report.run.failed = plain.failed() as u32;
    if session.forced {
        report.notes.push(
            "The build's own test plugin found no tests; a newer one ran them. Name its version in the build."
                .to_owned(),
        );
    }

    as_read(analysis.program(), root)?;
    listener.step("Compiling the tests");
    let woven = woven::compile(analysis, request.tests, &session, &plain)?;
    report.left_out = woven.left_out.clone();
    report.refused = woven.refused;
    let next = woven.slots.iter().map(|s| s.number).max().unwrap_or(0) + 1;
    let mut inside = woven::compile_inside(analysis, request.tests, next, &session, &plain)?;
    report.left_out.append(&mut inside.left_out);
    report.refused += inside.refused;
    session.inside = next;
    let mut plan = woven.plan + &sampled(&classes(analysis));
    let mut first = session.run("Recording", &format!("{plan}{}", inside.plan))?;
    // A class that the build changes behind the compiler may not be what its source says.
    if !inside.plan.is_empty() && plain.lost_by(&first) > 0 {
        let without = session.run("Recording without the code under test", &plan)?;
        if plain.lost_by(&without) < plain.lost_by(&first) {
            report.notes.push(
                "Tests fail when values within the code under test are looked at; that is left out."
                    .to_owned(),
            );
            (first, inside) = (without, woven::Woven::default());
        }
    }
    plan.push_str(&inside.plan);
    let second = session.run("Recording again", &plan)?;
    for seen in [&first, &second] {
        report.lost.extend(seen.lost.iter().cloned());
    }
    report.lost.sort();
    report.lost.dedup_by(|a, b| {
        let same = a.0 == b.0;
        b.1 += if same { a.1 } else { 0 };
        same
    });
    let tests = told::tests(
        analysis,
        request.tests,
        &woven.slots,
        &inside.slots,
        [&plain, &first, &second],
    );
    report.values = tests.values;
    report.disturbed = tests.disturbed;
    report.tests = tests.told;

    as_read(analysis.program(), root)?;
    listener.step("Saving");
    save(analysis, root, request.is_all, &report)?;
    Ok(report)
}

/// Refuses to go on where a source file does not say on disk what was read of it: what runs is not what the analysis knows.
fn as_read(program: &Program, root: &Path) -> Result<(), Failure> {
    let is_other = |file: &&program::FileId| {
        let path = program.path(**file).map(|p| root.join(&**p));
        let on_disk = path.and_then(|p| project::read_source(&p, project::FILE_LIMIT).ok());
        let known = program.text(**file).map(|t| text::without_bom(t));
        on_disk.as_ref().map(|t| text::without_bom(t)) != known
    };
    let Some(file) = program.files().iter().find(is_other) else {
        return Ok(());
    };
    let path = program.path(*file).map_or("", |p| p);
    Err(Failure::Run(format!(
        "{path} was changed while the tests ran, so nobody knows of which code they tell; nothing was kept, record again"
    )))
}

/// The classes that generated tests are about, as binary names.
fn classes(analysis: &Analysis) -> Vec<String> {
    let program = analysis.program();
    let classes = ide::suspects::classes(analysis);
    let names = classes.keys().map(|c| program.type_name(*c).to_string());
    let mut out: Vec<String> = names.collect();
    out.sort();
    out
}

/// The lines of a plan that ask what classes, and those in them, are given and give.
fn sampled(classes: &[String]) -> String {
    let mut plan = String::new();
    for class in classes {
        let class = class.replace('.', "/");
        for name in [class.clone(), format!("{class}$*")] {
            plan.push_str(&format!("cover\t{name}\nsample\t{name}\n"));
        }
    }
    match plan.is_empty() {
        true => plan,
        false => format!("limit\telements\t{ELEMENTS}\n{plan}"),
    }
}

fn save(analysis: &Analysis, root: &Path, is_all: bool, report: &Report) -> Result<(), Failure> {
    let refused = |e: project::StoreError| Failure::Run(e.to_string());
    let mut store = Store::open(root).map_err(refused)?;
    store.save(&report.run, &report.tests).map_err(refused)?;
    if is_all {
        let suite = analysis.workspace().suite().tests().iter();
        let there: FxHashMap<String, ()> = suite
            .map(|t| (analysis.program().method_name(*t), ()))
            .collect();
        store
            .retain(&|name| there.contains_key(name))
            .map_err(refused)?;
    }
    Ok(())
}

/// What is known of a root's tests; nothing where nothing was recorded.
///
/// # Errors
/// A sentence: what is kept cannot be read.
pub(crate) fn facts(root: &Path) -> Result<Facts, String> {
    let store = Store::open_existing(root).map_err(|e| e.to_string())?;
    let facts = store.map(|s| s.facts()).transpose();
    Ok(facts.map_err(|e| e.to_string())?.unwrap_or_default())
}

/// A folder for plan and segments that goes when it is done. Build tools take options apart at blanks, so where its path
/// would have one it stands elsewhere.
fn run_folder(own: &Path) -> Result<tempfile::TempDir, Failure> {
    forget_old_runs(own);
    let mut builder = tempfile::Builder::new();
    builder.prefix("run-");
    let has_blank = own.to_string_lossy().contains(char::is_whitespace);
    let made = match has_blank {
        true => builder.tempdir(),
        false => builder.tempdir_in(own),
    };
    made.map_err(|e| {
        Failure::Run(format!(
            "{OWN_FOLDER}: no folder for the run can be made: {e}"
        ))
    })
}

/// How old a folder of a run is that nobody uses any more.
const OLD: Duration = Duration::from_secs(2 * 24 * 3600);

/// Takes away what recordings left that were killed.
fn forget_old_runs(own: &Path) {
    for entry in std::fs::read_dir(own).into_iter().flatten().flatten() {
        let is_run = entry.file_name().to_string_lossy().starts_with("run-");
        let age = entry.metadata().and_then(|m| m.modified()).ok();
        let age = age.and_then(|at| at.elapsed().ok());
        if is_run && age.is_some_and(|age| age > OLD) && !entry.path().is_symlink() {
            drop(std::fs::remove_dir_all(entry.path()));
        }
    }
}

/// The runs of one recording.
struct Session<'a> {
    request: &'a Request<'a>,
    listener: &'a dyn Listener,
    jar: PathBuf,
    folder: &'a Path,
    runs: u32,
    /// The build's own plugin finds no test.
    forced: bool,
    /// The first slot of the code under test.
    inside: u32,
    only: Vec<Only>,
}

impl Session<'_> {
    /// The tests as they are.
    fn run_plain(&mut self) -> Result<Seen, Failure> {
        let what = "Running the tests";
        let (mut seen, mut last) = self.try_run(what, "")?;
        if seen.outcomes.is_empty() && matches!(self.request.tool, Tool::Maven(_)) {
            self.forced = true;
            (seen, last) = self.try_run(what, "")?;
        }
        match seen.outcomes.is_empty() {
            false => Ok(seen),
            true => Err(Failure::Run(self.nothing_ran(&seen, &last))),
        }
    }

    fn nothing_ran(&self, seen: &Seen, last: &[String]) -> String {
        let why = match (&self.request.tool, seen.jvms) {
            (Tool::Command(_), 0) => {
                "no JVM was started with the agent; does the command remove JAVA_TOOL_OPTIONS?"
            }
            (_, 0) => "no JVM for tests was started: does the build compile, and has it tests?",
            _ => "the JVM of the tests ran none: does the build name an engine for them?",
        };
        let lines = last.join("\n  ");
        format!(
            "{} ran no test: {why}\nIt ended with:\n  {lines}",
            self.request.tool.name()
        )
    }

    fn run(&mut self, what: &str, plan: &str) -> Result<Seen, Failure> {
        Ok(self.try_run(what, plan)?.0)
    }

    fn try_run(&mut self, what: &str, plan: &str) -> Result<(Seen, Vec<String>), Failure> {
        self.listener.step(what);
        self.runs += 1;
        let folder = self.folder.join(self.runs.to_string());
        let wrote = std::fs::create_dir_all(&folder).and_then(|()| {
            std::fs::write(folder.join("plan"), format!("telltale-plan\t1\n{plan}"))
        });
        wrote.map_err(|e| Failure::Run(format!("{}: {e}", folder.display())))?;
        let agent = Agent {
            jar: &self.jar,
            folder: &folder,
        };
        let tool = &self.request.tool;
        let command = tool.tests(self.request.root, &agent, &self.only, self.forced);
        let command = command.map_err(|e| Failure::Run(format!("{}: {e}", folder.display())))?;
        let mut last: Vec<String> = Vec::new();
        let mut shown = 0;
        let (listener, total) = (self.listener, self.request.tests.len());
        let bounds = Bounds {
            wanted: &|| listener.wanted(),
            timeout: self.request.timeout,
            tick: &mut || {
                // Segments grow while tests run.
                let size = written(&folder);
                if size != shown {
                    shown = size;
                    listener.step(&format!("{what} ({total} in all, {} KB)", size / 1024));
                }
            },
        };
        let ended = process::run(command, bounds, &mut |line| {
            listener.line(line);
            if last.len() == LAST_LINES {
                last.remove(0);
            }
            last.push(line.to_owned());
        });
        match ended {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Err(Failure::usage(
                format!("{} is not there", tool.name()),
                "install it, or name the command that runs the tests behind `--`",
            )),
            Err(e) => Err(Failure::Run(format!("{} cannot be run: {e}", tool.name()))),
            Ok(Ended::Cancelled) => Err(Failure::Run("cancelled; nothing was changed".to_owned())),
            Ok(Ended::TimedOut) => Err(Failure::Run(format!(
                "{} took longer than --timeout; nothing was changed",
                tool.name()
            ))),
            Ok(Ended::Exit(_)) => Ok((told::read(&folder, self.inside)?, last)),
        }
    }
}

fn written(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let segments = entries.filter(|e| e.path().extension().is_some_and(|x| x == "seg"));
    segments
        .filter_map(|e| Some(e.metadata().ok()?.len()))
        .sum()
}

/// The tests as build tools take them. What an abstract class declares runs in the classes below it.
fn only(program: &Program, tests: &[MethodId]) -> Vec<Only> {
    let mut out = Vec::new();
    for &test in tests {
        let owner = program.method_owner(test);
        let is_abstract = |t: program::TypeId| {
            let decl = program.type_decl(t);
            decl.is_none_or(|d| {
                d.modifiers.has(Modifiers::ABSTRACT) || d.kind == program::TypeDeclKind::Interface
            })
        };
        let below = program.subtypes(owner).iter().copied();
        let classes = std::iter::once(owner)
            .chain(below)
            .filter(|t| !is_abstract(*t));
        let name = program.method_name(test);
        let method = name.split('#').nth(1).and_then(|m| m.split('(').next());
        out.extend(classes.map(|class| Only {
            class: program.type_name(class).to_string(),
            method: method.map(str::to_owned),
        }));
    }
    out.sort();
    out.dedup();
    out
}

/// How the tests of a run ended, by class and method as the framework names them.
type Outcomes = FxHashMap<TestName, Outcome>;

/// A test as its framework names it: class, method, and which run of it.
type TestName = (SmolStr, SmolStr, SmolStr);
