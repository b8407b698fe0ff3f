//! `telltale record`: runs the tests and keeps what they did.

use crate::args::{Format, Record};
use crate::failure::Failure;
use crate::load::{Loaded, Progress, load};
use crate::record::{At, Ends, Listener, Report, Request, Way, facts, libraries_came, record};
use crate::scope;
use crate::screen::{DIM, NAME, PLAIN, WARNING, say, show_json, show_text};
use crate::words::plural;
use ide::Analysis;
use ide::answers::What;
use program::MethodId;
use project::Store;
use runner::Tool;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What is said where the build ran once more than the report says.
const FIRST: &str =
    "The build ran first and brought libraries or sources; with them all was read again.";

/// How many tests, files and reasons are named.
const NAMED: usize = 5;

pub(crate) fn run(args: &Record) -> Result<(), Failure> {
    let loaded = load(&args.place)?;
    let root = loaded.layout.root.clone();
    if args.forget {
        let refused = |e: project::StoreError| Failure::Run(e.to_string());
        if let Some(mut store) = Store::open_existing(&root).map_err(refused)? {
            store.forget().map_err(refused)?;
        }
        return crate::record::forget(&root);
    }
    if !args.merge.is_empty() {
        return merge(&root, args);
    }
    let terminal = Terminal::new(args.place.quiet, args.verbose)?;
    let mut came = recorded(args, &loaded, true, &terminal)?;
    if matches!(came, Came::Libraries) {
        came = recorded(args, &load(&args.place)?, false, &terminal)?;
        if let Came::Report(report) = &mut came {
            report.notes.push(FIRST.to_owned());
        }
    }
    let root = root.to_string_lossy();
    match (came, args.format) {
        (Came::Libraries, _) => Err(libraries_came()),
        (Came::Fresh(tests), format) => show_fresh(&root, tests, format),
        (Came::Report(report), Format::Text) => show_text(|out| text(out, &report)),
        (Came::Report(report), Format::Json) => show_json(&as_json(&root, &report)),
    }
}

/// What came of a recording.
enum Came {
    Report(Box<Report>),
    /// Libraries, or sources, of which the project was read without.
    Libraries,
    /// Nothing was to be done: what is kept of so many tests is of this code.
    Fresh(usize),
}

/// Says that nothing ran, since nothing is stale.
fn show_fresh(root: &str, tests: usize, format: Format) -> Result<(), Failure> {
    match format {
        Format::Text => show_text(|out| match tests {
            0 => writeln!(
                out,
                "nothing is stale: nothing is kept; record it first: telltale record"
            ),
            _ => {
                let tests = plural(tests, "test", "tests");
                writeln!(
                    out,
                    "nothing is stale: what is kept of {tests} is of this code"
                )
            }
        }),
        Format::Json => {
            show_json(&json!({ "schema": "telltale.fresh/1", "root": root, "tests": tests }))
        }
    }
}

/// Takes over what was recorded elsewhere.
fn merge(root: &Path, args: &Record) -> Result<(), Failure> {
    let refused = |e: project::StoreError| Failure::Run(e.to_string());
    let mut store = Store::open(root).map_err(refused)?;
    let mut taken = Vec::new();
    for from in &args.merge {
        taken.push((from, store.merge(from).map_err(refused)?));
    }
    match args.format {
        Format::Text => show_text(|out| -> std::io::Result<()> {
            for (from, tests) in &taken {
                let tests = plural(*tests, "test", "tests");
                writeln!(out, "{tests} taken over from {}", from.display())?;
            }
            Ok(())
        }),
        Format::Json => {
            let row = |(from, tests): &(&PathBuf, usize)| json!({ "from": from.display().to_string(), "tests": tests });
            let merged: Vec<_> = taken.iter().map(row).collect();
            show_json(&json!({
                "schema": "telltale.merged/1",
                "root": root.to_string_lossy(),
                "merged": merged,
            }))
        }
    }
}

/// One recording.
fn recorded(
    args: &Record,
    loaded: &Loaded,
    reads_again: bool,
    terminal: &Terminal,
) -> Result<Came, Failure> {
    let root = loaded.layout.root.as_path();
    let analysis = Analysis::new(loaded.workspace.clone(), true, loaded.settings());
    let (mut tests, mut is_all) = tests(args, loaded, &analysis)?;
    if args.stale {
        is_all = false;
        let facts = facts(root).map_err(Failure::Run)?;
        let kept = analysis.with_facts(Arc::new(facts));
        tests.retain(|test| kept.recorded(*test).is_some());
        let fresh = tests.len();
        tests.retain(|test| kept.is_stale(*test));
        if tests.is_empty() {
            return Ok(Came::Fresh(fresh));
        }
    }
    let tool = tool(root, &args.command, "record")?;
    let jdk = args.jdk.as_deref().map(jdk).transpose()?;
    let request = Request {
        root,
        tool,
        tests: &tests,
        is_all,
        way: Way::of_command(args.fresh),
        integration: true,
        jdk: jdk.as_deref(),
        compiler: None,
        standby: None,
        timeout: args.timeout.map(Duration::from_secs),
        room: loaded.config.record.bytes(),
        run_timeout: args.run_timeout.map(Duration::from_secs),
        libraries: reads_again.then_some(&loaded.libraries.classes),
    };
    let report = record(&analysis, &request, terminal);
    terminal.progress.done();
    let came = |report| Came::Report(Box::new(report));
    Ok(report?.map_or(Came::Libraries, came))
}

/// The folder of a JDK, from the root of the file system, since builds run elsewhere.
fn jdk(home: &Path) -> Result<PathBuf, Failure> {
    let home = std::path::absolute(home).unwrap_or_else(|_| home.to_path_buf());
    for name in ["java", "javac"] {
        if !runner::jdk::program(&home, name).is_file() {
            return Err(Failure::usage(
                format!("--jdk: there is no bin/{name} in {}", home.display()),
                "name the folder of a JDK with its compiler: that above its bin, as in JAVA_HOME",
            ));
        }
    }
    Ok(home)
}

/// What runs the tests: the command that was given, else the build tool.
pub(crate) fn tool(
    root: &Path,
    command: &[std::ffi::OsString],
    this: &str,
) -> Result<Tool, Failure> {
    match command.is_empty() {
        false => Ok(Tool::Command(command.to_vec())),
        true => Tool::find(root).ok_or_else(|| {
            Failure::usage(
                format!("{} has no build of Maven or Gradle", root.display()),
                format!("name the command that runs the tests: telltale {this} -- ./run-tests"),
            )
        }),
    }
}

/// What is to run, and whether that is everything.
fn tests(
    args: &Record,
    loaded: &Loaded,
    analysis: &Analysis,
) -> Result<(Vec<MethodId>, bool), Failure> {
    let program = analysis.program();
    let suite = analysis.workspace().suite();
    let is_whole = args.place.test.is_none() && args.shard.is_none() && loaded.inside.is_empty();
    let mut tests: Vec<MethodId> = match args.place.test {
        Some(_) => match scope::find(&args.place, loaded)?.what {
            What::Tests(runs) => runs.iter().map(|r| r.test).collect(),
            _ => Vec::new(),
        },
        None => {
            let path = |t: &MethodId| program.path(program.method_file(*t)?);
            let all = suite.tests().iter().copied();
            all.filter(|t| path(t).is_some_and(|p| loaded.covers(p)))
                .collect()
        }
    };
    tests.sort_unstable();
    tests.dedup();
    if let Some(shard) = args.shard {
        let class = |t: &MethodId| program.type_name(program.method_owner(*t));
        let mut classes: Vec<_> = tests.iter().map(class).collect();
        classes.sort_unstable();
        classes.dedup();
        let is_here = |t: &MethodId| {
            let at = classes.binary_search(&class(t)).unwrap_or_default();
            at % shard.of == shard.part - 1
        };
        tests.retain(is_here);
    }
    match tests.is_empty() {
        false => Ok((tests, is_whole)),
        true => Err(Failure::usage(
            "there are no tests here",
            "give a project or folder with tests, or name one by --test Class#method",
        )),
    }
}

/// Who waits at a terminal.
pub(crate) struct Terminal {
    pub(crate) progress: Progress,
    cancelled: Arc<AtomicBool>,
    verbose: bool,
}

impl Terminal {
    /// Listens for Ctrl-C, once in a process.
    pub(crate) fn new(quiet: bool, verbose: bool) -> Result<Terminal, Failure> {
        let cancelled = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&cancelled);
        let handled = ctrlc::set_handler(move || flag.store(true, Ordering::SeqCst));
        handled.map_err(|e| Failure::Run(format!("Ctrl-C cannot be heard: {e}")))?;
        Ok(Terminal {
            progress: Progress::new(quiet),
            cancelled,
            verbose,
        })
    }
}

impl Listener for Terminal {
    fn wanted(&self) -> bool {
        !self.cancelled.load(Ordering::SeqCst)
    }

    fn step(&self, what: &str) {
        self.progress.step(what);
    }

    fn tests(&self, at: &At<'_>) {
        self.progress.tests(at);
    }

    fn line(&self, line: &str) {
        if self.verbose {
            say(format_args!("{DIM}{line}{PLAIN}"));
        }
    }
}

fn text(out: &mut impl Write, report: &Report) -> std::io::Result<()> {
    let run = &report.run;
    let failed = match run.failed {
        0 => String::new(),
        n => format!(", {n} failed"),
    };
    let skipped = match report.skipped {
        0 => String::new(),
        n => format!(", {n} skipped"),
    };
    writeln!(
        out,
        "{} ran by {} on Java {}{failed}{skipped}",
        plural(run.tests as usize, "test", "tests"),
        run.tool,
        run.java
    )?;
    for (test, message) in report.failures.iter().take(NAMED) {
        let message = match message.lines().next() {
            Some(first) => format!(": {first}"),
            None => String::new(),
        };
        writeln!(out, "  {NAME}{test}{PLAIN}{message}")?;
    }
    more(out, report.failures.len())?;
    let of = plural(report.tests.len(), "test", "tests");
    match report.tests.len() {
        0 => writeln!(
            out,
            "nothing recorded: these tests have no value that could be told"
        )?,
        _ => writeln!(
            out,
            "{} of {of} recorded",
            plural(report.values, "value", "values")
        )?,
    }
    if !report.ends.is_empty() {
        let n = plural(
            report.ends.len(),
            "test ends its JVM and is",
            "tests end their JVM and are",
        );
        writeln!(out, "{WARNING}{n} left out{PLAIN}")?;
        for one in report.ends.iter().map(Ends::line) {
            writeln!(out, "  {one}")?;
        }
    }
    let unstable = unstable(report);
    if !unstable.is_empty() {
        let n = plural(unstable.len(), "value differs", "values differ");
        writeln!(out, "{WARNING}{n} from run to run{PLAIN}")?;
        for (test, what) in unstable.iter().take(NAMED) {
            writeln!(out, "  {NAME}{what}{PLAIN} in {test}")?;
        }
        more(out, unstable.len())?;
    }
    let varied = varied(report);
    if !varied.is_empty() {
        let n = plural(varied.len(), "test fails", "tests fail");
        writeln!(
            out,
            "{WARNING}{n} where time zone, locale and order of hashes are others{PLAIN}"
        )?;
        for (test, message) in varied.iter().take(NAMED) {
            let message = message.lines().next().unwrap_or_default();
            writeln!(out, "  {NAME}{test}{PLAIN}: {message}")?;
        }
        more(out, varied.len())?;
    }
    if !report.disturbed.is_empty() {
        let n = plural(report.disturbed.len(), "test fails", "tests fail");
        writeln!(
            out,
            "{WARNING}{n} when what it could read is asked for; that is left out{PLAIN}"
        )?;
        for test in report.disturbed.iter().take(NAMED) {
            writeln!(out, "  {test}")?;
        }
        more(out, report.disturbed.len())?;
    }
    if !report.shifted.is_empty() {
        let n = plural(report.shifted.len(), "test has", "tests have");
        writeln!(
            out,
            "{WARNING}{n} another value when what tests could read is asked for; that is left out{PLAIN}"
        )?;
        for test in report.shifted.iter().take(NAMED) {
            writeln!(out, "  {test}")?;
        }
        more(out, report.shifted.len())?;
    }
    if !report.unanswered.is_empty() {
        let n = plural(
            report.unanswered.len(),
            "query did not end and is",
            "queries did not end and are",
        );
        writeln!(out, "{WARNING}{n} not asked{PLAIN}")?;
        for (test, what) in report.unanswered.iter().take(NAMED) {
            writeln!(out, "  {NAME}{what}{PLAIN} in {test}")?;
        }
        more(out, report.unanswered.len())?;
    }
    if report.refused > 0 {
        let n = plural(report.refused, "value", "values");
        writeln!(
            out,
            "{DIM}{n} left out, which did not compile where they would be asked for{PLAIN}"
        )?;
    }
    for (file, why) in report.left_out.iter().take(NAMED) {
        writeln!(out, "{DIM}{file} left out: {why}{PLAIN}")?;
    }
    more(out, report.left_out.len())?;
    for (reason, count) in &report.lost {
        writeln!(out, "{DIM}not recorded: {reason} ({count}){PLAIN}")?;
    }
    for note in &report.notes {
        writeln!(out, "{note}")?;
    }
    Ok(())
}

fn more(out: &mut impl Write, all: usize) -> std::io::Result<()> {
    match all.checked_sub(NAMED).filter(|n| *n > 0) {
        Some(more) => writeln!(out, "  and {more} more"),
        None => Ok(()),
    }
}

/// Test and expression of what differs from run to run.
fn unstable(report: &Report) -> Vec<(&str, String)> {
    let mut out = Vec::new();
    for (test, told) in &report.tests {
        let queries = told.queries.iter();
        let queries = queries.filter(|(_, o)| o.is_unstable());
        let mut own: Vec<String> = queries.map(|(q, _)| q.to_string()).collect();
        let variables = told.variables.all().into_iter();
        let variables = variables.filter(|(_, o)| o.is_unstable());
        own.extend(variables.map(|(v, _)| v.variable.to_string()));
        own.sort();
        own.dedup();
        out.extend(own.into_iter().map(|what| (test.as_str(), what)));
    }
    out
}

/// Tests that fail in the second run only, and with what.
fn varied(report: &Report) -> Vec<(&str, &str)> {
    let all = report.tests.iter();
    all.filter_map(|(test, told)| Some((test.as_str(), told.varied.as_deref()?)))
        .collect()
}

fn as_json(root: &str, report: &Report) -> serde_json::Value {
    let unstable = unstable(report);
    let unstable = unstable
        .iter()
        .map(|(t, what)| json!({ "test": t, "expression": what }));
    let run = &report.run;
    json!({
        "schema": "telltale.record/1",
        "root": root,
        "run": { "at": run.at, "tool": run.tool, "java": run.java, "tests": run.tests, "failed": run.failed, "skipped": report.skipped },
        "recorded": { "tests": report.tests.len(), "values": report.values },
        "failures": report.failures.iter().map(|(t, m)| json!({ "test": t, "message": m })).collect::<Vec<_>>(),
        "ended": report.ends.iter().map(ends).collect::<Vec<_>>(),
        "unstable": unstable.collect::<Vec<_>>(),
        "varied": varied(report).iter().map(|(t, m)| json!({ "test": t, "message": m })).collect::<Vec<_>>(),
        "disturbed": report.disturbed,
        "shifted": report.shifted,
        "unanswered": report.unanswered.iter().map(|(t, what)| json!({ "test": t, "expression": what })).collect::<Vec<_>>(),
        "refused": report.refused,
        "left_out": report.left_out.iter().map(|(f, why)| json!({ "path": f, "why": why })).collect::<Vec<_>>(),
        "lost": report.lost.iter().map(|(r, n)| json!({ "reason": r, "count": n })).collect::<Vec<_>>(),
        "notes": report.notes,
    })
}

fn ends(one: &Ends) -> serde_json::Value {
    let mut out = json!({ "test": one.test, "why": one.why, "message": one.line() });
    if let Some(threads) = &one.threads {
        out["threads"] = json!(threads);
    }
    out
}
