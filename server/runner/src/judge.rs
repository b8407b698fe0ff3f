//! JVMs of our own that run a project's tests again and again, with its mutants: on the class path that its build gave
//! them, by the main class in the agent's jar.

use crate::process::{Bounds, Ended, run};
use mutants::{Barred, Baseline, Judged, Known, Listed, Plain};
use std::collections::{BTreeSet, VecDeque};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The main class.
const MAIN: &str = "dev.telltale.agent.Judge";

/// How often a mutant is tried again that left something behind, or another before it.
const DIRTY: u32 = 1;

/// How many nanoseconds of tests with mutants are worth a JVM of their own, which takes about as long to start.
const WORTH: u64 = 500_000_000;

/// Of how many mutants a JVM is asked at most.
const MOST: usize = 200;

/// Where and how the tests of a project run.
#[derive(Clone, Debug)]
pub struct Judge<'a> {
    /// The `java` to run.
    pub java: &'a Path,
    /// The agent.
    pub jar: &'a Path,
    /// What the tests may use, with their framework.
    pub class_path: &'a [PathBuf],
    /// The working directory of the tests.
    pub directory: &'a Path,
    /// What their JVM is given beside.
    pub options: &'a [String],
    /// The lines of a plan that put woven classes in place; their files go by whole paths.
    pub swaps: &'a str,
    /// A folder for plans and what is told, one below it for each JVM.
    pub folder: &'a Path,
    /// How many JVMs run at once.
    pub jobs: usize,
    /// Whether methods have a mutant each that leaves all of them out.
    pub bodies: bool,
}

/// What is to be done with a mutant.
#[derive(Clone, Debug)]
pub struct Work {
    /// Its number.
    pub mutant: u32,
    /// The tests, by number, in order.
    pub tests: Vec<u32>,
}

impl Work {
    /// Of these mutants those that tests reach.
    pub fn of(baseline: &Baseline, mutants: &[u32]) -> Vec<Work> {
        let of = |mutant: &u32| Work {
            mutant: *mutant,
            tests: baseline.tests_of(*mutant),
        };
        let all = mutants.iter().map(of);
        all.filter(|w| !w.tests.is_empty()).collect()
    }
}

/// Why nothing was judged.
#[derive(Debug)]
pub enum JudgeError {
    /// A file could not be written or read, or no JVM started.
    Io(io::Error),
    /// It was not wanted any more.
    Cancelled,
    /// The agent said something that nobody knows.
    Line(String),
    /// No JUnit Platform launcher and no JUnit 4 is on the class path.
    NoFramework,
    /// The plain run came to no end: the last test, if one was told.
    Plain(Option<String>),
    /// The same, before a test began: what the JVM said of it.
    Began(String),
}

impl From<io::Error> for JudgeError {
    fn from(error: io::Error) -> JudgeError {
        JudgeError::Io(error)
    }
}

impl std::fmt::Display for JudgeError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            JudgeError::Io(error) => write!(out, "{error}"),
            JudgeError::Cancelled => out.write_str("cancelled"),
            JudgeError::Line(line) => write!(out, "the agent said what nobody knows: {line}"),
            JudgeError::NoFramework => out.write_str(
                "neither the launcher of the JUnit Platform nor JUnit 4 is on the class path of the tests",
            ),
            JudgeError::Plain(Some(test)) => {
                write!(out, "the tests do not come to an end without a mutant: {test}")
            }
            JudgeError::Plain(None) => {
                out.write_str("the JVM of the tests ended before they did, without a mutant")
            }
            JudgeError::Began(said) => write!(
                out,
                "the JVM of the tests ended before one began, without a mutant: {said}"
            ),
        }
    }
}

impl std::error::Error for JudgeError {}

/// Which tests run plain.
#[derive(Clone, Copy, Debug)]
pub enum Tests<'a> {
    /// All of these classes: first all at once, which finds them, then twice one by one.
    Of(&'a [String]),
    /// These, which are known: three times one by one.
    Known(&'a [&'a Known]),
}

impl Tests<'_> {
    /// The agent's file of them, without those that are barred; where only classes are known the plan leaves these out.
    fn lines(self, barred: &Barred) -> String {
        match self {
            Tests::Of(classes) => classes.iter().map(|c| format!("{c}\n")).collect(),
            Tests::Known(tests) => tests
                .iter()
                .filter(|t| !barred.has(&t.id))
                .map(|t| format!("{}\t{}\t{}\t{}\n", t.id, t.class, t.method, t.types))
                .collect(),
        }
    }
}

/// What plain runs saw, and what came to no end in them.
#[derive(Clone, Debug)]
pub struct Plains {
    /// Of each JVM.
    pub all: Vec<Plain>,
    /// What was left out for it.
    pub barred: Barred,
}

impl Plains {
    /// Both joined.
    pub fn baseline(self, listed: &Listed) -> Baseline {
        Baseline::of(&self.all, self.barred, &|m| listed.width(m))
    }
}

/// What JVMs do with mutants.
#[derive(Clone, Copy)]
struct Aim {
    /// The agent's word for it.
    mode: &'static str,
    until_killed: bool,
}

/// A segment behind the number of the JVM that wrote it.
type Written = (usize, PathBuf);

/// How far it is.
pub struct Progress<'a> {
    /// False once it is not wanted any more.
    pub wanted: &'a (dyn Fn() -> bool + Sync),
    /// Told of each mutant that is done, with how many are.
    pub judged: &'a (dyn Fn(&Judged, usize) + Sync),
}

impl Judge<'_> {
    /// The mutants of all classes below some folders.
    ///
    /// # Errors
    /// See [`JudgeError`].
    pub fn list(
        &self,
        classes: &[PathBuf],
        wanted: &dyn Fn() -> bool,
    ) -> Result<Listed, JudgeError> {
        let folder = self.fresh("list", "")?;
        let mut command = Command::new(self.java);
        command.arg("-cp").arg(self.jar).args([MAIN, "list"]);
        command.arg(&folder).args(classes);
        self.run(command, &folder, None, wanted)?;
        let text = std::fs::read_to_string(folder.join("mutants"))?;
        Listed::read(&text).map_err(JudgeError::Line)
    }

    /// Runs tests plain, in as many JVMs as run at once, each in an order of its own. A test that comes to no end or ends its
    /// JVM is left out, and a query that does not end is not asked: the runs begin anew without it.
    ///
    /// # Errors
    /// See [`JudgeError`].
    pub fn plain(
        &self,
        listed: &Listed,
        tests: Tests<'_>,
        wanted: &(dyn Fn() -> bool + Sync),
    ) -> Result<Plains, JudgeError> {
        let mut barred = Barred::default();
        // One JVM cannot tell what is other in each.
        let mut all: Vec<Option<Plain>> = vec![None; self.jobs.max(2)];
        loop {
            let plan = format!("judge\tplain\n{}{}", barred.plan(), listed.plan());
            let lines = tests.lines(&barred);
            let one = |at: usize| -> Result<Plain, JudgeError> {
                let folder = self.fresh(&format!("plain-{at}"), &plan)?;
                std::fs::write(folder.join("classes"), format!("{}\n{lines}", at + 1))?;
                self.run(self.java(&folder), &folder, None, wanted)?;
                let plain = Plain::read(&std::fs::read_to_string(folder.join("judged"))?);
                match plain.no_framework {
                    true => Err(JudgeError::NoFramework),
                    false if plain.is_whole || plain.gone.is_some() => Ok(plain),
                    false => Err(ended(None, &folder)),
                }
            };
            std::thread::scope(|scope| -> Result<(), JudgeError> {
                let left = all.iter_mut().enumerate().filter(|(_, p)| p.is_none());
                let runs = left.map(|(at, place)| (place, scope.spawn(move || one(at))));
                let runs: Vec<_> = runs.collect();
                for (place, run) in runs {
                    *place = Some(run.join().unwrap_or(Err(JudgeError::Plain(None)))?);
                }
                Ok(())
            })?;
            let mut also = barred.clone();
            for place in &mut all {
                let Some(gone) = place.as_ref().and_then(|p| p.gone.clone()) else {
                    continue;
                };
                *place = None;
                if !barred.can_bar(&gone) {
                    return Err(JudgeError::Plain(Some(gone.id).filter(|id| !id.is_empty())));
                }
                also.add(gone);
            }
            barred = also;
            if all.iter().all(Option::is_some) {
                return Ok(Plains {
                    all: all.into_iter().flatten().collect(),
                    barred,
                });
            }
        }
    }

    /// Runs tests with mutants; `until_killed` stops at the first test of a mutant that fails. A mutant at which a JVM
    /// ends keeps what was told of it by then, and another JVM goes on behind it. JVMs run side by side where there is
    /// enough to do for more than one.
    ///
    /// # Errors
    /// See [`JudgeError`].
    pub fn judge(
        &self,
        listed: &Listed,
        baseline: &Baseline,
        work: &[Work],
        until_killed: bool,
        progress: &Progress<'_>,
    ) -> Result<Vec<Judged>, JudgeError> {
        let aim = Aim {
            mode: "mutants",
            until_killed,
        };
        Ok(self.runs(listed, baseline, work, aim, progress)?.0)
    }

    /// The same with all tests of each mutant, and where values tell of one they are written down as a recording writes
    /// them, without the mutant (which is 0) and with it: the segments, of which the later ones count where a mutant is
    /// in two. For the test of a value there stands the mutant's number times that of the baseline's tests, and the
    /// test's number.
    ///
    /// # Errors
    /// See [`JudgeError`].
    pub fn show(
        &self,
        listed: &Listed,
        baseline: &Baseline,
        work: &[Work],
        progress: &Progress<'_>,
    ) -> Result<(Vec<Judged>, Vec<PathBuf>), JudgeError> {
        let aim = Aim {
            mode: "show",
            until_killed: false,
        };
        self.runs(listed, baseline, work, aim, progress)
    }

    fn runs(
        &self,
        listed: &Listed,
        baseline: &Baseline,
        work: &[Work],
        aim: Aim,
        progress: &Progress<'_>,
    ) -> Result<(Vec<Judged>, Vec<PathBuf>), JudgeError> {
        let barred = baseline.barred.plan();
        let plan = format!("judge\t{}\n{barred}{}", aim.mode, listed.plan());
        let units = baseline.lines();
        let queue: Mutex<VecDeque<&[Work]>> =
            Mutex::new(parts(baseline, work, aim, self.jobs.max(1)));
        let workers = self
            .jobs
            .clamp(1, queue.lock().map_or(1, |q| q.len().max(1)));
        let done = AtomicUsize::new(0);
        let runs = AtomicUsize::new(0);
        let next = || queue.lock().ok().and_then(|mut all| all.pop_front());
        let worker = || -> Result<(Vec<Judged>, Vec<Written>), JudgeError> {
            let (mut out, mut segments) = (Vec::new(), Vec::new());
            while let Some(part) = next() {
                let mut left: Vec<(Work, u32)> = part.iter().map(|w| (w.clone(), 0)).collect();
                while !left.is_empty() {
                    let run = runs.fetch_add(1, Ordering::Relaxed);
                    let folder = self.fresh(&format!("{}-{run}", aim.mode), &plan)?;
                    std::fs::write(folder.join("units"), &units)?;
                    std::fs::write(folder.join("work"), lines(&left, aim.until_killed))?;
                    self.run(self.java(&folder), &folder, None, progress.wanted)?;
                    let text = std::fs::read_to_string(folder.join("judged"))?;
                    let judged = mutants::judged::judged(&text);
                    // A JVM that does not even begin would be started for ever.
                    if judged.is_empty() {
                        return Err(ended(None, &folder));
                    }
                    for one in judged {
                        let at = left.iter().position(|w| w.0.mutant == one.mutant);
                        let Some(at) = at else { continue };
                        if one.ended == mutants::Ended::Dirty && left[at].1 < DIRTY {
                            left[at].1 += 1;
                            continue;
                        }
                        left.remove(at);
                        let count = done.fetch_add(1, Ordering::Relaxed) + 1;
                        (progress.judged)(&one, count);
                        out.push(one);
                    }
                    let written = segments_in(&folder)?;
                    match written.is_empty() {
                        true => std::fs::remove_dir_all(&folder)?,
                        false => segments.extend(written.into_iter().map(|path| (run, path))),
                    }
                }
            }
            Ok((out, segments))
        };
        let mut out = Vec::with_capacity(work.len());
        let mut segments = Vec::new();
        std::thread::scope(|scope| -> Result<(), JudgeError> {
            let workers = (0..workers).map(|_| scope.spawn(worker));
            let workers: Vec<_> = workers.collect();
            for one in workers {
                let (judged, written) = one.join().unwrap_or(Err(JudgeError::Plain(None)))?;
                out.extend(judged);
                segments.extend(written);
            }
            Ok(())
        })?;
        out.sort_by_key(|j| j.mutant);
        segments.sort();
        Ok((out, segments.into_iter().map(|(_, path)| path).collect()))
    }

    fn fresh(&self, name: &str, plan: &str) -> io::Result<PathBuf> {
        let folder = self.folder.join(name);
        match std::fs::remove_dir_all(&folder) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
            _ => std::fs::create_dir_all(&folder)?,
        }
        let bodies = if self.bodies { "bodies\n" } else { "" };
        let text = format!("telltale-plan\t1\n{bodies}{}{plan}", self.swaps);
        std::fs::write(folder.join("plan"), text)?;
        Ok(folder)
    }

    fn java(&self, folder: &Path) -> Command {
        let mut agent = OsString::from("-javaagent:");
        agent.push(self.jar);
        agent.push("=");
        agent.push(folder);
        let mut command = Command::new(self.java);
        command.arg(agent);
        // Branches that a mutant takes for the first time would throw away what a second compiler bet on.
        command.args([
            "-XX:-PrintWarnings",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-ea",
        ]);
        let paths = std::iter::once(self.jar).chain(self.class_path.iter().map(PathBuf::as_path));
        let paths = std::env::join_paths(paths).unwrap_or_default();
        command.args(self.options).arg("-cp").arg(paths);
        command.arg(MAIN).arg(folder);
        command.current_dir(self.directory);
        command
    }

    /// What tests print is not kept.
    fn run(
        &self,
        command: Command,
        folder: &Path,
        timeout: Option<Duration>,
        wanted: &dyn Fn() -> bool,
    ) -> Result<(), JudgeError> {
        let mut last: VecDeque<String> = VecDeque::new();
        let bounds = Bounds {
            wanted,
            timeout,
            tick: &mut || {},
        };
        let ended = run(command, bounds, &mut |line| {
            if last.len() == 50 {
                last.pop_front();
            }
            last.push_back(line.to_owned());
        })?;
        let last: Vec<String> = last.into();
        std::fs::write(folder.join("said"), last.join("\n"))?;
        match ended {
            Ended::Cancelled => Err(JudgeError::Cancelled),
            Ended::Exit(_) | Ended::TimedOut => Ok(()),
        }
    }
}

/// One part for each JVM: as many as are worth starting, so that none waits long for another at the end, and a part keeps to
/// few classes.
fn parts<'w>(baseline: &Baseline, work: &'w [Work], aim: Aim, jobs: usize) -> VecDeque<&'w [Work]> {
    let nanos = |test: &u32| baseline.tests.get(*test as usize).map_or(0, |t| t.nanos);
    let all: BTreeSet<u32> = work.iter().flat_map(|w| w.tests.iter().copied()).collect();
    let mut runs: u64 = work.iter().flat_map(|w| &w.tests).map(nanos).sum();
    // Most mutants are killed by one of their first tests.
    runs /= if aim.until_killed { 2 } else { 1 };
    // Each test runs once in each JVM without a mutant.
    let ahead: u64 = all.iter().map(nanos).sum();
    let worth = usize::try_from(runs / WORTH.max(ahead)).unwrap_or(usize::MAX);
    // Of three parts for two at once one would run alone.
    let worth = match worth.clamp(1, jobs * 4) {
        few if few <= jobs => few,
        many => many / jobs * jobs,
    };
    let part = work.len().div_ceil(worth);
    work.chunks(part.clamp(1, MOST)).collect()
}

/// Why the plain run came to no end: its last test, or what the JVM of this folder said.
fn ended(last: Option<String>, folder: &Path) -> JudgeError {
    let said = std::fs::read_to_string(folder.join("said")).unwrap_or_default();
    match (last, cause_in(&said)) {
        (None, Some(cause)) => JudgeError::Began(cause.to_owned()),
        (last, _) => JudgeError::Plain(last),
    }
}

/// The line that tells the cause: the last one of what was thrown, or the last of all.
fn cause_in(said: &str) -> Option<&str> {
    let mut lines = said
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty() && !l.starts_with("at ") && !l.starts_with("..."));
    let thrown = lines
        .clone()
        .rfind(|l| l.starts_with("Caused by:") || l.starts_with("Exception in thread"));
    thrown.or_else(|| lines.next_back())
}

fn segments_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "seg") {
            out.push(path);
        }
    }
    Ok(out)
}

/// The agent's file of work: a line a mutant.
fn lines(work: &[(Work, u32)], until_killed: bool) -> String {
    let mut out = String::new();
    for (one, tried) in work {
        out.push_str(&format!("{}\t-", one.mutant));
        out.push_str(if until_killed { "f" } else { "" });
        out.push_str(if *tried >= DIRTY { "d" } else { "" });
        for test in &one.tests {
            out.push_str(&format!("\t{test}"));
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_work_is_for_one_jvm_and_long_work_for_several() {
        let test = |nanos| Known {
            nanos,
            ..Known::default()
        };
        let baseline = Baseline {
            tests: vec![test(1_000_000), test(400_000_000)],
            ..Baseline::default()
        };
        let work = |tests: &[u32]| -> Vec<Work> {
            let one = |mutant| Work {
                mutant,
                tests: tests.to_vec(),
            };
            (1..=10).map(one).collect()
        };
        let sizes = |work: &[Work]| -> Vec<usize> {
            let aim = Aim {
                mode: "mutants",
                until_killed: false,
            };
            let parts = parts(&baseline, work, aim, 2);
            assert_eq!(parts.iter().map(|p| p.len()).sum::<usize>(), work.len());
            parts.iter().map(|p| p.len()).collect()
        };
        assert_eq!(sizes(&work(&[0])), [10]);
        assert_eq!(sizes(&work(&[0, 1])), [2; 5]);
        assert_eq!(sizes(&work(&[0, 1])[..4]), [2, 2]);
        assert_eq!(sizes(&work(&[1])[..2]), [2]);
        assert_eq!(sizes(&[]), [0; 0]);
    }

    #[test]
    fn why_a_jvm_did_not_begin_is_told() {
        let thrown = "WARNING: x\nException in thread \"main\" java.lang.NoClassDefFoundError: a/B\n\
                      \tat c.D.e(D.java:1)\nCaused by: java.lang.ClassNotFoundException: a.B\n\t... 2 more\n";
        assert_eq!(
            cause_in(thrown),
            Some("Caused by: java.lang.ClassNotFoundException: a.B")
        );
        assert_eq!(cause_in("Error: no memory\nlast\n\n"), Some("last"));
        assert_eq!(cause_in(""), None);
    }

    #[test]
    fn a_mutant_that_is_tried_again_says_so() {
        let work = Work {
            mutant: 7,
            tests: vec![2, 0],
        };
        let all = [(work.clone(), 0), (work, 1)];
        assert_eq!(lines(&all, false), "7\t-\t2\t0\n7\t-d\t2\t0\n");
        assert_eq!(lines(&all, true), "7\t-f\t2\t0\n7\t-fd\t2\t0\n");
    }
}
