//! What runs tests from the editor: one at a time, on a thread of its own, with progress and cancel. Nothing runs unless a
//! user asks for it by a command, or says by a setting that it may (see `following`).

use super::client::{Outbox, Progress};
use super::recordings::{Recording, Recordings};
use super::world::{Found, Shared, Snapshot};
use crate::failure::Failure;
use crate::record::{At, Ends, Listener, Report, Request, Way, libraries_came, record};
use crate::words::plural;
use calls::Cancellation;
use ide::Analysis;
use oracle::TestKind;
use program::MethodId;
use runner::{Tool, Warm};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// The command that records a test, the tests of a file or of a folder.
pub(crate) const RECORD: &str = "telltale.record";

impl Recordings {
    /// Starts to record the test of a name, the tests of a file, or where there is neither those of the folder.
    ///
    /// # Errors
    /// Why it cannot be, as a sentence for the user.
    pub(crate) fn start(
        &self,
        world: &Shared,
        snapshot: &Snapshot,
        found: &Found,
        what: Asked,
        done: oneshot::Sender<Value>,
    ) -> Result<(), String> {
        let (tests, is_all) = tests(found, what);
        let title = format!(
            "Telltale: recording {}",
            plural(tests.len(), "test", "tests")
        );
        let job = Job {
            title: &title,
            command: "telltale record -- COMMAND",
            is_empty: tests.is_empty(),
            follows: false,
        };
        let asked = Requested {
            // It outlives the request that starts it.
            analysis: found.analysis.under(&Cancellation::default()),
            root: found.root.clone(),
            tests,
            is_all,
            way: Way::Quickest,
            timeout: found.settings.record.limit(),
            room: found.settings.record.bytes(),
            follows: found.settings.record.on_save,
        };
        let mut known = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(found.root.clone());
        drop(known);
        let own_world = world.clone();
        let compiler = self.compiler();
        let work = move |tool: Tool, editor: Editor| {
            let (result, answer) = recorded(&own_world, &asked, tool, &compiler, editor);
            tell(&own_world.outbox, &result);
            answer
        };
        self.begin(world, snapshot, &found.root, &job, done, work)
    }

    /// Has something run the build of a folder, and answers with what it says, unless something does already, or what is on disk
    /// is not what is open.
    ///
    /// # Errors
    /// Why it cannot be, as a sentence for the user.
    pub(super) fn begin(
        &self,
        world: &Shared,
        snapshot: &Snapshot,
        root: &Path,
        job: &Job<'_>,
        done: oneshot::Sender<Value>,
        work: impl FnOnce(Tool, Editor) -> Value + Send + 'static,
    ) -> Result<(), String> {
        if snapshot.coding.client.untrusted {
            return Err("tests run only in a folder that you trust".to_owned());
        }
        let mut own = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        // Who asks goes first.
        if let Some(following) = own.take_if(|r| r.follows && !job.follows) {
            following.cancelled.store(true, Ordering::SeqCst);
            drop(following.thread.join());
        }
        if own.as_ref().is_some_and(|r| !r.is_over()) {
            return Err("a run of the tests is under way; wait for it, or cancel it".to_owned());
        }
        if let Some(unsaved) = unsaved(snapshot, root) {
            return Err(format!("save {unsaved} first: tests run what is on disk"));
        }
        let tool = Tool::find(root).ok_or_else(|| {
            let command = job.command;
            format!("this folder has no build of Maven or Gradle; run `{command}` in a terminal")
        })?;
        if job.is_empty {
            return Err("there are no tests here".to_owned());
        }
        let cancelled = Arc::new(AtomicBool::new(false));
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let outbox = world.outbox.clone();
        let editor = Editor {
            progress: world.outbox.cancellable(job.title, Arc::clone(&cancelled)),
            cancelled: Arc::clone(&cancelled),
        };
        let thread = std::thread::Builder::new()
            .name("recording".to_owned())
            .spawn(move || {
                let answer = work(tool, editor);
                // Who has the answer may ask for the next.
                over.store(true, Ordering::SeqCst);
                outbox.refresh();
                // Who asked may have gone.
                drop(done.send(answer));
            })
            .map_err(|e| format!("no thread can be started: {e}"))?;
        *own = Some(Recording {
            cancelled,
            is_over,
            follows: job.follows,
            thread,
        });
        // What runs stands in lenses.
        world.outbox.refresh();
        Ok(())
    }
}

/// What is to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// One test.
    Test(MethodId),
    /// The tests of the file in question.
    File,
    /// All tests of the folder.
    Folder,
}

fn tests(found: &Found, what: Asked) -> (Vec<MethodId>, bool) {
    let (program, workspace) = (found.analysis.program(), found.analysis.workspace());
    let all = || workspace.suite().tests().iter().copied();
    match what {
        Asked::Test(test) if workspace.suite().kind(test) == Some(TestKind::Test) => {
            (vec![test], false)
        }
        Asked::Test(_) => (Vec::new(), false),
        Asked::File => {
            let here = all().filter(|t| program.method_file(*t) == Some(found.file));
            (here.collect(), false)
        }
        Asked::Folder => (all().collect(), true),
    }
}

/// A recording that is asked for.
pub(super) struct Requested {
    pub(super) analysis: Analysis,
    pub(super) root: PathBuf,
    pub(super) tests: Vec<MethodId>,
    /// True if these are all that there are.
    pub(super) is_all: bool,
    pub(super) way: Way,
    /// How long one test may take.
    pub(super) timeout: Option<Duration>,
    /// How much room what is kept may take, in bytes.
    pub(super) room: u64,
    /// Values follow what is saved, so that another is to come.
    pub(super) follows: bool,
}

/// Records, and has the folder know it. What came of it, and as an answer.
pub(super) fn recorded(
    world: &Shared,
    asked: &Requested,
    tool: Tool,
    compiler: &Warm,
    editor: Editor,
) -> (Result<Report, Failure>, Value) {
    let request = Request {
        root: &asked.root,
        tool,
        tests: &asked.tests,
        is_all: asked.is_all,
        way: asked.way,
        integration: true,
        jdk: None,
        compiler: Some(compiler),
        standby: asked.follows.then(|| world.recordings.standby()),
        timeout: asked.timeout,
        run_timeout: None,
        room: asked.room,
        // The server reads them by itself; who records again then has all.
        libraries: None,
    };
    let result = record(&asked.analysis, &request, &editor)
        .and_then(|report| report.ok_or_else(libraries_came));
    drop(editor);
    world.recorded(&asked.root);
    let answer = match &result {
        Ok(report) => json!({
            "started": true,
            "tests": report.tests.len(),
            "values": report.values,
            "failed": report.run.failed,
            "tool": report.run.tool,
        }),
        Err(failure) => json!({ "started": true, "error": failure.to_string() }),
    };
    (result, answer)
}

/// An open file of the folder that says something else than the disk.
fn unsaved(snapshot: &Snapshot, root: &Path) -> Option<String> {
    let open = snapshot.open_documents();
    let mut here = open.filter(|(path, _)| path.starts_with(root));
    let (path, _) = here.find(|(path, document)| {
        let on_disk = project::read_source(path, project::FILE_LIMIT).ok();
        on_disk.is_some_and(|text| text::without_bom(&text) != text::without_bom(&document.text))
    })?;
    let name = path.file_name().unwrap_or_default();
    Some(name.to_string_lossy().into_owned())
}

fn tell(outbox: &Outbox, done: &Result<Report, Failure>) {
    match done {
        Ok(report) => {
            // Which they are is for the log: a message is a line.
            for one in &report.ends {
                tracing::warn!("left out: {}", one.line());
            }
            for test in report.disturbed.iter().chain(&report.shifted) {
                tracing::warn!("{test} is left out: it does something else when it is asked");
            }
            for (test, query) in &report.unanswered {
                tracing::warn!("{query} in {test} is not asked: it did not end");
            }
            outbox.inform(over(report));
        }
        Err(failure) => {
            // What the build said last is for the log: a message is a line.
            let said = failure.to_string();
            let (first, rest) = said.split_once('\n').unwrap_or((&said, ""));
            if !rest.is_empty() {
                tracing::warn!("{rest}");
            }
            outbox.warn(format!("Telltale recorded nothing: {first}"));
        }
    }
}

/// What came of a recording, on one line, with how much of what was asked for is missing in it.
fn over(report: &Report) -> String {
    let recorded = plural(report.tests.len(), "test", "tests");
    let values = plural(report.values, "value", "values");
    let mut out = format!("Telltale recorded {values} of {recorded}");
    if report.run.failed > 0 {
        out.push_str(&format!("; {} failed", report.run.failed));
    }
    let (slow, ends): (Vec<&Ends>, Vec<&Ends>) = report.ends.iter().partition(|e| e.is_slow());
    let (slow_one, slow_many) = match slow.first() {
        Some(first) => (
            format!("test that {}", first.words),
            format!("tests that {}", first.words),
        ),
        None => Default::default(),
    };
    let missing: Vec<String> = [
        (slow.len(), &*slow_one, &*slow_many),
        (
            ends.len(),
            "test that ends its JVM",
            "tests that end their JVM",
        ),
        (
            report.disturbed.len(),
            "test that fails when it is asked",
            "tests that fail when they are asked",
        ),
        (
            report.shifted.len(),
            "test that has another value when it is asked",
            "tests that have another value when they are asked",
        ),
        (
            report.unanswered.len(),
            "query that did not end",
            "queries that did not end",
        ),
    ]
    .into_iter()
    .filter(|(n, ..)| *n > 0)
    .map(|(n, one, many)| plural(n, one, many))
    .collect();
    if !missing.is_empty() {
        out.push_str(&format!("; left out: {}", missing.join(", ")));
    }
    out
}

/// What is to run, as far as it is told.
pub(super) struct Job<'a> {
    pub(super) title: &'a str,
    /// What to run in a terminal where there is no build.
    pub(super) command: &'a str,
    /// There are no tests.
    pub(super) is_empty: bool,
    /// Nobody asked for it: it gives way.
    pub(super) follows: bool,
}

/// The editor that waits for it.
pub(super) struct Editor {
    progress: Progress,
    cancelled: Arc<AtomicBool>,
}

impl Listener for Editor {
    fn wanted(&self) -> bool {
        !self.cancelled.load(Ordering::SeqCst)
    }

    fn step(&self, what: &str) {
        self.progress.step(what);
    }

    fn tests(&self, at: &At<'_>) {
        self.progress.step(at.line_with_rest());
    }

    fn line(&self, line: &str) {
        tracing::debug!("{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_in_a_recording_is_said_with_it() {
        let told = || ("p.T#a()".into(), evidence::Told::default());
        let mut report = Report {
            tests: vec![told(), told()],
            values: 12,
            ..Report::default()
        };
        let plain = "Telltale recorded 12 values of 2 tests";
        assert_eq!(over(&report), plain);
        report.shifted = vec!["p.T#b".to_owned()];
        let shifted = "1 test that has another value when it is asked";
        assert_eq!(over(&report), format!("{plain}; left out: {shifted}"));
        report.unanswered = vec![
            ("p.T#a".to_owned(), "pipe.next()".into()),
            ("p.T#a".to_owned(), "pipe.last()".into()),
        ];
        report.run.failed = 3;
        let unanswered = "2 queries that did not end";
        let left_out = format!("{plain}; 3 failed; left out: {shifted}, {unanswered}");
        assert_eq!(over(&report), left_out);
        report.disturbed = vec!["p.T#c".to_owned(), "p.T#d".to_owned()];
        let end = |why: &'static str, words: &str| Ends {
            test: "p.T#e".to_owned(),
            why: why.into(),
            words: words.to_owned(),
            threads: None,
        };
        report.ends = vec![end("slow", "took longer than 120 s"), end("exit", "")];
        assert_eq!(
            over(&report),
            format!(
                "{plain}; 3 failed; left out: 1 test that took longer than 120 s, 1 test that ends its JVM, 2 tests that fail when they are asked, {shifted}, {unanswered}"
            )
        );
    }
}
