//! Runs a project's tests with the agent, and keeps what they did.
//!
//! First the tests run as they are: that tells how they end, and what they could load. Then they run as [`ide::weave`] writes
//! them, and the code under test with them, each compiled beside the build's own classes and put in their place as they are
//! loaded. Once nothing is asked that the tests do not ask themselves; then they are asked what they could read, and those
//! that were once more. What was the same in two runs is a value; what was not differs from run to run. And what is the same
//! in those that ask, and something else in the one that does not, is what asking changed: nothing that is kept.

mod broken;
mod direct;
mod ground;
mod how;
mod instead;
mod kept;
mod modules;
mod pace;
mod ran;
mod rests;
mod seen;
mod session;
mod standby;
mod told;
mod woven;

use crate::failure::Failure;
use crate::words::plural;
use evidence::{Facts, Ran, Told};
pub(crate) use ground::{Ground, Lines, ground};
use how::How;
use ide::Analysis;
use ide::weave::{About, Slot};
use program::{MethodId, Modifiers, Program};
use project::libraries::ClassPath;
use project::{OWN_FOLDER, Run, Store};
use runner::{Only, Tool, Warm};
use rustc_hash::FxHashMap;
use seen::{Outcome, Seen};
use serde::{Deserialize, Serialize};
use session::Session;
use smol_str::SmolStr;
pub(crate) use standby::Standby;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use woven::Asked;

/// How many elements of a sequence are looked at where classes are asked: of a cut one nothing is learnt.
const ELEMENTS: usize = 64;

/// How many bytes of values in calls all tests share, as the agent writes them.
const CALLS: u64 = 1 << 30;

/// A test's share of it is at least this, and at most the other: what one test tells beyond teaches little.
const LEAST_SHARE: u64 = 1 << 15;
const MOST_SHARE: u64 = 1 << 21;

/// How many bytes a JVM writes where calls are sampled: the shares and what stands around the values.
const SEGMENT: u64 = 1 << 32;

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
    /// What may run them.
    pub(crate) way: Way,
    /// Tests that the build runs as those of the integration are to run, too.
    pub(crate) integration: bool,
    /// The JDK that builds, compiles and runs them, in place of the environment's.
    pub(crate) jdk: Option<&'a Path>,
    /// A compiler that is kept from one recording to the next.
    pub(crate) compiler: Option<&'a Warm>,
    /// Where JVMs wait for the next recording.
    pub(crate) standby: Option<&'a Arc<Standby>>,
    /// How long one test may take.
    pub(crate) timeout: Option<Duration>,
    /// How long one run may take.
    pub(crate) run_timeout: Option<Duration>,
    /// How much room what is kept of runs may take, in bytes.
    pub(crate) room: u64,
    /// The libraries, where the project is read again if the build fetches some, or writes sources.
    pub(crate) libraries: Option<&'a ClassPath>,
}

/// What may run the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// A JVM of our own where that does the same; else the build.
    Quickest,
    /// The build, though it may have told before how it runs them.
    Build,
    /// A JVM of our own, or nothing.
    WithoutBuild,
}

impl Way {
    /// That of a command with `--fresh` or without.
    pub(crate) fn of_command(is_fresh: bool) -> Way {
        match is_fresh {
            true => Way::Build,
            false => Way::Quickest,
        }
    }
}

/// Who waits for it.
pub(crate) trait Listener {
    /// False once it is not wanted any more.
    fn wanted(&self) -> bool;
    /// What is being done.
    fn step(&self, what: &str);
    /// How far a run of the tests is.
    fn tests(&self, at: &At<'_>);
    /// A line that a build printed.
    fn line(&self, line: &str);
}

/// How far a run of the tests is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At<'a> {
    /// What is being done.
    pub(crate) what: &'a str,
    /// How many tests have ended.
    pub(crate) ended: usize,
    /// How many there are, as far as is known.
    pub(crate) all: usize,
    /// A test that runs, as `Class#method`, and for how long it does.
    pub(crate) running: Option<(&'a str, Duration)>,
    /// How long the rest takes, if it goes on like that.
    pub(crate) left: Option<Duration>,
}

impl At<'_> {
    /// `Recording: 17 of 120, a.BookTest#opens for 12 s`
    pub(crate) fn line(&self) -> String {
        let running = match self.running {
            Some((test, since)) if since.as_secs() > 0 => {
                format!(", {test} for {} s", since.as_secs())
            }
            Some((test, _)) => format!(", {test}"),
            None => String::new(),
        };
        format!("{}: {} of {}{running}", self.what, self.ended, self.all)
    }

    /// The same for somebody who waits: `…, 40 s left`.
    pub(crate) fn line_with_rest(&self) -> String {
        let left = self.left.map(|left| format!(", {} left", about(left)));
        self.line() + &left.unwrap_or_default()
    }
}

/// A time as people say it.
fn about(time: Duration) -> String {
    match time.as_secs() {
        n @ 0..=90 => format!("{n} s"),
        n => format!("{} min", n.div_ceil(60)),
    }
}

/// A test that ends the JVM in which it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ends {
    /// `pkg.Class#method`
    pub(crate) test: String,
    /// Why, in a word.
    pub(crate) why: Cow<'static, str>,
    /// The same as a sentence goes on behind the test's name.
    pub(crate) words: String,
    /// A file of the root that says what the threads did.
    pub(crate) threads: Option<String>,
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// The run, as it is kept.
    pub(crate) run: Run,
    /// How many tests the build skipped beside those that ran.
    pub(crate) skipped: usize,
    /// The tests that failed in it, and with what.
    pub(crate) failures: Vec<(String, String)>,
    /// Tests of which something was recorded.
    pub(crate) tests: Vec<(SmolStr, Told)>,
    /// How many slots told something.
    pub(crate) values: usize,
    /// Files that could not be compiled, at all or with calls in them, and why.
    pub(crate) left_out: Vec<(String, String)>,
    /// How many values could not be asked for.
    pub(crate) refused: usize,
    /// Tests that were left out because they end their JVM.
    pub(crate) ends: Vec<Ends>,
    /// Tests that end otherwise when they are looked at; nothing is kept of what they could read.
    pub(crate) disturbed: Vec<String>,
    /// Tests in which something is another value where tests are asked what they could read; of these the same holds.
    pub(crate) shifted: Vec<String>,
    /// Test and expression of what was not answered, and is not asked.
    pub(crate) unanswered: Vec<(String, SmolStr)>,
    /// What the agent could not record, and how often.
    pub(crate) lost: Vec<(String, u64)>,
    /// What else is worth a line.
    pub(crate) notes: Vec<String>,
}

/// Records. Nothing comes of it if the build fetched libraries, or wrote sources, that the analysis does not know: what would be
/// kept would be of other calls than those that the next reading of the project finds.
///
/// # Errors
/// If nothing ran, or what ran cannot be kept. Then nothing changes.
pub(crate) fn record(
    analysis: &Analysis,
    request: &Request<'_>,
    listener: &(dyn Listener + Sync),
) -> Result<Option<Report>, Failure> {
    let root = request.root;
    let own = project::own_folder(root).map_err(|e| Failure::Run(e.to_string()))?;
    let jar = agent(&own)?;
    let folder = RunFolder::new(&own)?;
    let mut session = Session::new(analysis, request, listener, jar, folder.path(), own);
    let mut report = Report::default();
    report.run.at = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_secs() as i64);

    let reads_again = request.libraries.is_some();
    let built = reads_again.then(|| project::built_sources(root));
    let first = direct::first_run(analysis, &mut session, &covered(analysis.program()))?;
    let (plain, looked) = (first.plain, first.looked);
    session.tool.name().clone_into(&mut report.run.tool);
    let is_more = |before| !project::built_sources(root).is_subset(&before);
    if request.libraries.is_some_and(ClassPath::is_stale) || built.is_some_and(is_more) {
        return Ok(None);
    }
    report.run.java = plain.java.clone();
    report.run.tests = plain.ran() as u32;
    report.skipped = plain.skipped();
    report.run.failed = plain.failed() as u32;
    report.failures = plain.failures();
    if session.forced {
        report.notes.push(
            "The build's own test plugin found no tests; a newer one ran them. Name its version in the build."
                .to_owned(),
        );
    }

    report.notes.extend(elsewhere(request.jdk, &plain));
    report.notes.extend(session.aside(&plain));

    if session.broken() > 0 {
        report.notes.push(format!(
            "{} not compile with this code; the others ran without.",
            plural(
                session.broken(),
                "generated file does",
                "generated files do"
            )
        ));
    }

    report.notes.extend(session.instead.note());

    wanted(listener)?;
    as_read(analysis.program(), root)?;
    let tests = session.compiled(request.tests);
    let Looking {
        asked,
        first,
        second,
        third,
    } = match looked {
        Some(looked) => asked_again(analysis, &tests, &mut session, (&plain, None), looked)?,
        None => match direct::behind(analysis, &mut session, &plain)? {
            Some(direct::First {
                plain: first,
                looked: Some(looked),
            }) => asked_again(
                analysis,
                &tests,
                &mut session,
                (&plain, Some(first)),
                looked,
            )?,
            _ => look(analysis, &tests, &mut session, &plain, &mut report.notes)?,
        },
    };
    let first = first.as_ref().unwrap_or(&plain);
    let Asked {
        own,
        shared,
        inside,
        left_out,
        refused,
        ..
    } = asked;
    report.left_out.extend(session.left_out.clone());
    report.left_out.extend(left_out);
    report.refused = refused;
    report.unanswered = unanswered(analysis.program(), &own, &session.endless);
    for seen in [first, &second].into_iter().chain(&third) {
        report.lost.extend(seen.lost.iter().cloned());
    }
    if plain.coverage.lost > 0 {
        let lost = (seen::OVERLAPPED.to_owned(), plain.coverage.lost);
        report.lost.push(lost);
    }
    report.lost.sort();
    report.lost.dedup_by(|a, b| {
        let same = a.0 == b.0;
        b.1 += if same { a.1 } else { 0 };
        same
    });
    report.ends = session.ends();
    if session.is_cut_short {
        report.notes.push(session.cut_short());
    }
    let runs = told::Runs {
        plain: &plain,
        first,
        second: &second,
        third: third.as_ref(),
    };
    let inside = [shared, inside.slots].concat();
    let told = told::tests(analysis, &tests, &own, &inside, &runs);
    report.values = told.values;
    report.disturbed = told.disturbed;
    report.shifted = told.shifted;
    report.tests = told.told;
    let ran = ran::ran(analysis, &session.compiled(request.tests), &plain.coverage)?;

    wanted(listener)?;
    as_read(analysis.program(), root)?;
    listener.step("Saving");
    crate::pages::write(&project::own_folder(root).map_err(|e| Failure::Run(e.to_string()))?)
        .map_err(|e| unwritten(&e))?;
    let forgotten = save(analysis, request, &report, &ran)?;
    session.stand_by();
    if forgotten > 0 {
        report.notes.push(format!(
            "{} forgotten, since more than {} MB would be kept (record.room).",
            plural(
                forgotten,
                "test that was recorded earlier is",
                "tests that were recorded earlier are"
            ),
            request.room / 1_000_000
        ));
    }
    Ok(Some(report))
}

/// What the runs told that look at the tests.
struct Looking {
    asked: Asked,
    /// What nobody asked; none where the run of the tests as they are told it.
    first: Option<Seen>,
    /// The same, and what tests could read.
    second: Seen,
    /// What tests could read once more, where they were asked for something.
    third: Option<Seen>,
}

/// The lines of a plan that look at all that is asked for.
fn looked(analysis: &Analysis, session: &Session<'_>, asked: &Asked) -> String {
    let sampled = sampled(&classes(analysis), session.tests());
    format!("{}{sampled}{}", asked.plan, asked.inside.plan)
}

/// Looks, by the tool that ran the tests as they are: first without asking for anything, then at what tests could read.
fn look(
    analysis: &Analysis,
    tests: &[MethodId],
    session: &mut Session<'_>,
    plain: &Seen,
    notes: &mut Vec<String>,
) -> Result<Looking, Failure> {
    session.listener.step("Compiling the tests");
    let mut asked = woven::compile(analysis, tests, session, &plain.places)?;
    session.inside = asked.first_inside;
    let mut plan = looked(analysis, session, &asked);
    let mut first = session.run_whole(&plan, How::LOOKING, plain)?;
    // A class that the build changes behind the compiler may not be what its source says.
    if !asked.inside.plan.is_empty() && plain.lost_by(&first) > 0 {
        let inside = std::mem::take(&mut asked.inside);
        let own = looked(analysis, session, &asked);
        let without = session.run(&own, How::LOOKING)?;
        if plain.lost_by(&without) < plain.lost_by(&first) {
            notes.push(
                "Tests fail when values within the code under test are looked at; that is left out."
                    .to_owned(),
            );
            (first, plan) = (without, own);
        } else {
            asked.inside = inside;
        }
    }
    let second = session.run_whole(&plan, How::VARIED, plain)?;
    let again = told::again(analysis, tests, &asked.own, [plain, &first, &second]);
    let third = match again.is_empty() {
        true => None,
        false => Some(session.run_some(&plan, How::AGAIN, &again)?),
    };
    Ok(Looking {
        asked,
        first: Some(first),
        second,
        third,
    })
}

/// Where JVMs of our own looked at once, what of it ended early runs again.
fn asked_again(
    analysis: &Analysis,
    tests: &[MethodId],
    session: &mut Session<'_>,
    (plain, first): (&Seen, Option<Seen>),
    told: direct::Looked,
) -> Result<Looking, Failure> {
    let direct::Looked { asked, others } = told;
    let plan = looked(analysis, session, &asked);
    let [second, third] = others;
    let second = match second {
        Some(second) => second,
        None => session.run(&plan, How::VARIED)?,
    };
    let unasked = first.as_ref().unwrap_or(plain);
    let again = told::again(analysis, tests, &asked.own, [plain, unasked, &second]);
    let third = match third {
        None if !again.is_empty() => Some(session.run(&plan, How::AGAIN)?),
        third => third,
    };
    Ok(Looking {
        asked,
        first,
        second,
        third,
    })
}

/// Test and expression of the queries that did not end.
fn unanswered(
    program: &Program,
    slots: &[Slot],
    endless: &BTreeSet<u32>,
) -> Vec<(String, SmolStr)> {
    let own = slots.iter().filter(|slot| endless.contains(&slot.number));
    let named = own.filter_map(|slot| match (&slot.about, slot.test) {
        (About::Query(query), Some(test)) => Some((program.method_name(test), query.clone())),
        _ => None,
    });
    named.collect()
}

/// What to say where tests did not run on the JDK that was named, since the build has a say in that, too.
fn elsewhere(jdk: Option<&Path>, plain: &Seen) -> Option<String> {
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let named = real(jdk?);
    let mut homes = plain.places.iter().map(|place| place.java_home());
    // Up to Java 8 it is a folder in that of the JDK.
    let other = homes.find(|home| !real(home).starts_with(&named))?;
    Some(format!(
        "Tests ran on the Java in {}, not on that of --jdk: the build chooses it by itself, as by a toolchain.",
        other.display()
    ))
}

/// The agent, in Telltale's own folder of a root.
fn agent(own: &Path) -> Result<PathBuf, Failure> {
    runner::agent_jar(own).map_err(|e| match e {
        runner::NoAgent::NotWritten(_, e) => unwritten(&e),
        runner::NoAgent::NotBuilt => Failure::Run(e.to_string()),
    })
}

/// The build fetches libraries each time that it runs.
pub(crate) fn libraries_came() -> Failure {
    Failure::Run(
        "the build fetched other libraries while the tests ran; nothing was kept, record again"
            .to_owned(),
    )
}

/// Refuses to go on if nobody waits for it any more.
fn wanted(listener: &dyn Listener) -> Result<(), Failure> {
    match listener.wanted() {
        true => Ok(()),
        false => Err(cancelled()),
    }
}

/// What a recording needs could not be written.
pub(crate) fn unwritten(e: &std::io::Error) -> Failure {
    let help = match e.kind() {
        std::io::ErrorKind::StorageFull
        | std::io::ErrorKind::QuotaExceeded
        | std::io::ErrorKind::FileTooLarge => "; make room and record again",
        _ => "",
    };
    Failure::Run(format!(
        "{OWN_FOLDER} cannot be written: {e}; nothing was changed{help}"
    ))
}

pub(crate) fn cancelled() -> Failure {
    Failure::Run("cancelled; nothing was changed".to_owned())
}

/// Refuses to go on where a source file does not say on disk what was read of it: what runs is not what the analysis knows.
fn as_read(program: &Program, root: &Path) -> Result<(), Failure> {
    let is_other = |file: &&program::FileId| {
        let path = program.path(**file).map(|p| root.join(&**p));
        let on_disk = path.and_then(|p| project::read_source(&p, project::FILE_LIMIT).ok());
        let known = program.text(**file).map(|t| text::without_bom(t));
        let on_disk = on_disk.as_ref().map(|t| text::without_bom(t));
        on_disk != known && !is_written_anew(program, **file, root, known, on_disk)
    };
    let Some(file) = program.files().iter().find(is_other) else {
        return Ok(());
    };
    let path = program.path(*file).map_or("", |p| p);
    Err(Failure::Run(format!(
        "{path} was changed while the tests ran, so nobody knows of which code they tell; nothing was kept, record again"
    )))
}

/// True for what the build wrote again, as it does with a date in it.
fn is_written_anew(
    program: &Program,
    file: program::FileId,
    root: &Path,
    before: Option<&str>,
    now: Option<&str>,
) -> bool {
    let is_built = program
        .path(file)
        .is_some_and(|p| project::is_built(root, p));
    let both = before.zip(now).filter(|_| is_built);
    both.is_some_and(|(before, now)| ide::is_written_the_same(before, now))
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

/// The lines of a plan that ask which lines of the workspace run.
fn covered(program: &Program) -> String {
    let types = program
        .files()
        .iter()
        .flat_map(|f| program.types_of_file(*f));
    let top = types
        .filter(|t| program.enclosing_type(**t).is_none() && program.enclosing_body(**t).is_none());
    let mut names: Vec<String> = top
        .map(|t| program.type_name(*t).replace('.', "/"))
        .collect();
    names.sort();
    names.dedup();
    names
        .iter()
        .map(|name| format!("cover\t{name}\ncover\t{name}$*\n"))
        .collect()
}

/// The lines of a plan that ask what classes, and those in them, are given and give, with a share for each of so many tests.
fn sampled(classes: &[String], tests: usize) -> String {
    let mut plan = String::new();
    for class in classes {
        let class = class.replace('.', "/");
        for name in [class.clone(), format!("{class}$*")] {
            plan.push_str(&format!("cover\t{name}\nsample\t{name}\n"));
        }
    }
    match plan.is_empty() {
        true => plan,
        false => {
            let share = (CALLS / tests.max(1) as u64).clamp(LEAST_SHARE, MOST_SHARE);
            format!(
                "limit\telements\t{ELEMENTS}\nlimit\tshare\t{share}\nlimit\tbytes\t{SEGMENT}\n{plan}"
            )
        }
    }
}

/// Keeps it. How many tests had to be forgotten for that.
fn save(
    analysis: &Analysis,
    request: &Request<'_>,
    report: &Report,
    ran: &Ran,
) -> Result<usize, Failure> {
    let refused = |e: project::StoreError| Failure::Run(e.to_string());
    let mut store = Store::open(request.root).map_err(refused)?;
    store
        .save_with(&report.run, &report.tests, ran, request.is_all)
        .map_err(refused)?;
    if request.is_all {
        let suite = analysis.workspace().suite().tests().iter();
        let there: FxHashMap<String, ()> = suite
            .map(|t| (analysis.program().method_name(*t), ()))
            .collect();
        store
            .retain(&|name| there.contains_key(name))
            .map_err(refused)?;
    }
    store.bound(request.room).map_err(refused)
}

/// Forgets all that is kept of builds.
///
/// # Errors
/// If it cannot be removed.
pub(crate) fn forget(root: &Path) -> Result<(), Failure> {
    ground::forget(root)?;
    direct::forget(root)
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

/// The folder of a recording, for plans and segments, which goes when it is done.
struct RunFolder {
    folder: tempfile::TempDir,
    /// Held as long as this process lives, so that others see whether it does.
    _lock: Option<File>,
}

/// The file in it that is locked.
const LOCK: &str = "lock";

impl RunFolder {
    /// Build tools take options apart at blanks, so where its path would have one it stands elsewhere.
    fn new(own: &Path) -> Result<RunFolder, Failure> {
        forget_killed_runs(own);
        let mut builder = tempfile::Builder::new();
        builder.prefix("run-");
        let has_blank = own.to_string_lossy().contains(char::is_whitespace);
        let made = match has_blank {
            true => builder.tempdir(),
            false => builder.tempdir_in(own),
        };
        let folder = made.map_err(|e| unwritten(&e))?;
        let lock = File::create(folder.path().join(LOCK)).ok();
        let lock = lock.filter(|file| file.lock().is_ok());
        Ok(RunFolder {
            folder,
            _lock: lock,
        })
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// How old a folder of a run is that nobody uses any more, where locks do not tell.
const OLD: Duration = Duration::from_secs(2 * 24 * 3600);

/// Takes away what recordings left that were killed.
fn forget_killed_runs(own: &Path) {
    for entry in std::fs::read_dir(own).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_run = entry.file_name().to_string_lossy().starts_with("run-");
        if !is_run || path.is_symlink() {
            continue;
        }
        let age = entry.metadata().and_then(|m| m.modified()).ok();
        let age = age.and_then(|at| at.elapsed().ok());
        let lock = File::open(path.join(LOCK)).ok();
        let is_over = match lock {
            Some(lock) => lock.try_lock().is_ok(),
            None => age.is_some_and(|age| age > OLD),
        };
        if is_over {
            drop(std::fs::remove_dir_all(path));
        }
    }
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
type Outcomes = BTreeMap<TestName, Outcome>;

/// A test as its framework names it: class, method, and which run of it.
type TestName = (SmolStr, SmolStr, SmolStr);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far_a_run_is_stands_in_a_line() {
        let at = At {
            what: "Recording",
            ended: 17,
            all: 120,
            running: Some(("BookTest#opens", Duration::from_millis(12_400))),
            left: None,
        };
        let line = "Recording: 17 of 120, BookTest#opens for 12 s";
        assert_eq!(at.line(), line);
        let (running, at) = (Some(("BookTest#opens", Duration::ZERO)), at);
        let line = "Recording: 17 of 120, BookTest#opens";
        assert_eq!(At { running, ..at }.line(), line);
        assert_eq!(At { running, ..at }.line_with_rest(), line);
        let left = Some(Duration::from_secs(200));
        let with_rest = At {
            running,
            left,
            ..at
        }
        .line_with_rest();
        assert_eq!(with_rest, format!("{line}, 4 min left"));
        let line = "Recording: 17 of 120";
        assert_eq!(
            At {
                running: None,
                ..at
            }
            .line(),
            line
        );
    }
}
