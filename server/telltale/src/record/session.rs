//! The runs of one recording: each by the build tool with the agent, and again without the tests that end their JVM.

use super::broken::{self, Broken};
use super::how::How;
use super::instead::Instead;
use super::modules;
use super::pace::Pace;
use super::seen::{Cut, Seen, Segments, Why};
use super::standby::{CHANGED, Needs, Set};
use super::{Ends, Listener, Request, only, unwritten};
use crate::failure::Failure;
use crate::words::plural;
use ide::Analysis;
use program::{FileId, MethodId, Program};
use project::OWN_FOLDER;
use runner::javac::Problem;
use runner::process::{Bounds, Ended, Started};
use runner::{Agent, Asked, Only, Tool, Warm, javac, process};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many lines of a build that failed are shown.
const LAST_LINES: usize = 25;

/// How many of these are the first that name errors, which may be far above.
const FIRST_ERRORS: usize = 3;

/// How often the tests run again because one of them ended its JVM.
pub(super) const ROUNDS: usize = 8;

/// The folder for what threads did in tests that took too long, in Telltale's own.
const THREADS: &str = "threads";

/// How often they run again because a query was not answered.
const QUERIES: usize = 16;

/// What JVMs that ran at once told: the first, and of the other two, in order, each that ended by itself.
pub(super) type AtOnce = (Seen, [Option<Seen>; 2]);

/// See the module's description.
pub(super) struct Session<'a> {
    program: &'a Program,
    pub(super) request: &'a Request<'a>,
    pub(super) listener: &'a (dyn Listener + Sync),
    pub(super) jar: PathBuf,
    /// The folder of the recording.
    pub(super) folder: &'a Path,
    /// Telltale's folder of the root.
    pub(super) own: PathBuf,
    /// What runs the tests.
    pub(super) tool: Tool,
    runs: AtomicU32,
    /// The build has a plugin for tests of the integration, which are to run.
    pub(super) integration: bool,
    /// The build's own plugin finds no test.
    pub(super) forced: bool,
    /// The build tool whose command it is gives the agent to no JVM.
    by_environment: bool,
    /// The modules of the tests, where only these need be built.
    modules: Vec<String>,
    /// The first slot of the code under test.
    pub(super) inside: u32,
    only: Vec<Only>,
    /// All tests that there are.
    known: Vec<Only>,
    /// How many test methods there are.
    all: usize,
    /// Those that end their JVM, in the order in which that was seen.
    cut: Vec<Cut>,
    /// Slots of queries that are not asked, since that did not end.
    pub(super) endless: BTreeSet<u32>,
    /// Files that tools wrote and that do not compile.
    broken: BTreeSet<FileId>,
    /// What is compiled in the place of such files, where that can be.
    pub(super) instead: Instead,
    /// Path and reason of what does not compile.
    pub(super) left_out: BTreeMap<String, String>,
    /// There were more of them than are left out.
    pub(super) is_cut_short: bool,
    /// A run was repeated, since tests were missing in it.
    ran_again: bool,
    /// What JVMs of our own run, where some may wait for it.
    needs: Option<Needs>,
    /// Those that do.
    waiting: Mutex<Option<Set>>,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        analysis: &'a Analysis,
        request: &'a Request<'a>,
        listener: &'a (dyn Listener + Sync),
        jar: PathBuf,
        folder: &'a Path,
        own: PathBuf,
    ) -> Session<'a> {
        // What an earlier recording left there is of other tests.
        drop(std::fs::remove_dir_all(own.join(THREADS)));
        let program = analysis.program();
        Session {
            program,
            request,
            listener,
            jar,
            folder,
            own,
            tool: request.tool.clone(),
            runs: AtomicU32::new(0),
            integration: request.integration
                && matches!(request.tool, Tool::Maven(_))
                && project::has_failsafe(request.root),
            forced: false,
            by_environment: false,
            modules: match (&request.tool, request.is_all) {
                (Tool::Maven(_), false) => modules::of(program, request.root, request.tests),
                _ => Vec::new(),
            },
            inside: u32::MAX,
            only: match request.is_all {
                true => Vec::new(),
                false => only(program, request.tests),
            },
            known: only(program, analysis.workspace().suite().tests()),
            all: request.tests.len(),
            cut: Vec::new(),
            endless: BTreeSet::new(),
            broken: BTreeSet::new(),
            instead: Instead::new(folder),
            left_out: BTreeMap::new(),
            is_cut_short: false,
            ran_again: false,
            needs: None,
            waiting: Mutex::new(None),
        }
    }

    /// Takes the JVMs that wait for this, or has them come up.
    pub(super) fn prepared(&mut self, needs: Needs) {
        if let Some(standby) = self.request.standby {
            self.waiting = Mutex::new(standby.take(&self.own, &needs));
            self.needs = Some(needs);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Option<Set>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where the classes are to be that were changed since the build.
    pub(super) fn changed(&self) -> PathBuf {
        let own = || self.folder.join(CHANGED);
        self.waiting().as_ref().map_or_else(own, Set::changed)
    }

    /// Has JVMs come up for the next recording, if this one was by some of our own.
    pub(super) fn stand_by(&self) {
        if let (Some(standby), Some(needs), Tool::Direct(_)) =
            (self.request.standby, &self.needs, &self.tool)
        {
            standby.prepare(&self.own, needs);
        }
    }

    /// Where the first run writes which classes it needs, if nobody knows that.
    fn loaded(&self, folder: &Path, how: How) -> Option<PathBuf> {
        let needs = self.needs.as_ref().filter(|_| how.covers)?;
        let standby = self.request.standby?;
        standby.lacks(needs).then(|| folder.join("loaded"))
    }

    /// A JVM that waited, and now runs the tests.
    fn told(&self, agent: &Agent<'_>, only: &[Only]) -> Option<Started> {
        if !matches!(self.tool, Tool::Direct(_)) {
            return None;
        }
        let mut jvm = self.waiting().as_mut()?.next(agent.is_varied)?;
        let told = runner::tell(&mut jvm, agent.folder, only);
        told.is_ok().then_some(jvm)
    }

    /// What waited told nothing of any test: the others are not asked, and none come up any more.
    fn give_up_waiting(&self) {
        if let Some(set) = self.waiting().as_mut() {
            set.give_up();
        }
        if let Some(standby) = self.request.standby {
            standby.give_up();
        }
    }

    /// The tests as they are, with a plan that does no more than count lines.
    pub(super) fn run_plain(&mut self, what: &str, plan: &str) -> Result<Seen, Failure> {
        let (mut seen, mut last) = self.try_run(what, plan, How::PLAIN)?;
        while self.leave_out_broken(&seen)? {
            (seen, last) = self.try_run(what, plan, How::PLAIN)?;
        }
        // Some builds work only as a whole.
        if seen.outcomes.is_empty() && self.cut.is_empty() && !self.modules.is_empty() {
            self.modules.clear();
            (seen, last) = self.try_run(what, plan, How::PLAIN)?;
        }
        // Such as a build that runs tests in its own JVM.
        if seen.jvms == 0 && self.tool.builds_by().is_some() {
            self.by_environment = true;
            (seen, last) = self.try_run(what, plan, How::PLAIN)?;
        }
        let is_maven = matches!(self.tool, Tool::Maven(_));
        if seen.outcomes.is_empty() && self.cut.is_empty() && is_maven {
            self.forced = true;
            (seen, last) = self.try_run(what, plan, How::PLAIN)?;
        }
        let methods: BTreeSet<_> = seen.outcomes.keys().map(|t| (&t.0, &t.1)).collect();
        self.all = methods.len();
        match seen.ran() {
            0 => Err(Failure::Run(self.nothing_ran(&seen, &last))),
            _ => Ok(seen),
        }
    }

    /// Leaves out what tools wrote and does not compile, or has it compiled without what it lacks. True if there was more of it.
    fn leave_out_broken(&mut self, seen: &Seen) -> Result<bool, Failure> {
        let (program, root) = (self.program, self.request.root);
        let broken = Broken::of(program, root, &seen.problems, self.instead.written());
        if broken.is_empty() {
            return Ok(false);
        }
        let nothing_ran = seen.outcomes.is_empty();
        let leaves_out = self.tool.leaves_out();
        if nothing_ran && (broken.is_written() || !leaves_out) {
            return Err(broken.failure(program, root));
        }
        for (path, why) in broken.written(root) {
            self.left_out.entry(path).or_insert(why);
        }
        let mut is_more = false;
        for (file, problem) in &broken.generated {
            let is_first = !self.broken.contains(file) && !self.instead.has(*file);
            let text = program.text(*file).filter(|_| leaves_out && is_first);
            if text.is_some_and(|text| self.instead.add(*file, text)) {
                is_more = true;
                continue;
            }
            self.instead.remove(*file);
            is_more |= leaves_out & self.broken.insert(*file);
            let path = broken::path(program, *file);
            self.left_out
                .entry(path)
                .or_insert_with(|| broken::why(problem));
        }
        if is_more && self.compiled(self.request.tests).is_empty() || nothing_ran && !is_more {
            return Err(broken.failure(program, root));
        }
        self.instead
            .write(program, root)
            .map_err(|e| unwritten(&e))?;
        Ok(is_more)
    }

    /// What is asked to compile before the JDK's own program is.
    pub(super) fn compiler(&self) -> Option<(&Path, &Warm)> {
        Some((&self.jar, self.request.compiler?))
    }

    /// Those of these tests that are compiled.
    pub(super) fn compiled(&self, tests: &[MethodId]) -> Vec<MethodId> {
        let program = self.program;
        let is_left = |test: &MethodId| {
            let name = program.method_decl(*test).map_or("", |m| &m.name);
            let file = program.method_file(*test);
            file.is_none_or(|f| !self.broken.contains(&f) && !self.instead.lacks(f, name))
        };
        tests.iter().copied().filter(is_left).collect()
    }

    /// How many test methods there are; once they ran, how many ran.
    pub(super) fn tests(&self) -> usize {
        self.all
    }

    /// How many generated files do not compile.
    pub(super) fn broken(&self) -> usize {
        self.broken.len()
    }

    /// All runs of a recording by JVMs of our own at once: the first tells lines, too, and stands for the tests as they are. Of
    /// the other two what no JVM ended early. Nothing where the first is not what the build would have told for sure: then why,
    /// as a clause.
    pub(super) fn run_by(
        &mut self,
        tool: Tool,
        covered: &str,
        looked: &str,
    ) -> Result<Result<AtOnce, String>, Failure> {
        let build = std::mem::replace(&mut self.tool, tool);
        let own = &*self;
        let first = How {
            covers: true,
            ..How::LOOKING
        };
        let plan = format!("{covered}{looked}");
        let run = |plan: &str, how: How| -> Result<Seen, Failure> {
            Ok(own.run_once(how.what, plan, how)?.0)
        };
        let (seen, others) = std::thread::scope(|scope| {
            let others = [How::VARIED, How::AGAIN].map(|how| scope.spawn(move || run(looked, how)));
            let seen = run(&plan, first);
            let join = |other: std::thread::ScopedJoinHandle<'_, Result<Seen, Failure>>| {
                other
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            (seen, others.map(join))
        });
        let seen = seen?;
        let first = self.only.iter().find(|one| !seen.has_passed(one));
        let why = match first {
            Some(Only { class, method }) => {
                let method = method.as_deref().unwrap_or_default();
                format!("{class}#{method} did not pass without it")
            }
            None if !seen.cut.is_empty() => "the JVM ended early without it".to_owned(),
            None if seen.ran() == 0 => "all of it was skipped".to_owned(),
            None => {
                let methods: BTreeSet<_> = seen.outcomes.keys().map(|t| (&t.0, &t.1)).collect();
                self.all = methods.len();
                let mut whole = [None, None];
                for (to, other) in whole.iter_mut().zip(others) {
                    let other = other?;
                    let has_ended = self.learns(&other) || other.lacks(&seen, &self.cut);
                    *to = (!has_ended).then_some(other);
                }
                return Ok(Ok((seen, whole)));
            }
        };
        self.tool = build;
        Ok(Err(why))
    }

    /// Notes which tests and queries ended a JVM. True if there was such a one.
    fn learns(&mut self, seen: &Seen) -> bool {
        for cut in &seen.cut {
            let is_known = |c: &Cut| (&c.class, &c.method) == (&cut.class, &cut.method);
            if !self.cut.iter().any(is_known) {
                self.cut.push(cut.clone());
            }
        }
        self.endless.extend(&seen.endless);
        !seen.cut.is_empty() || !seen.endless.is_empty()
    }

    /// True if one of the tests that are asked for is run by the build's plugin for tests of the integration.
    pub(super) fn asks_integration(&self) -> bool {
        self.integration && self.only.iter().any(Only::is_integration)
    }

    /// True if all that was asked for ran and passed, and nothing was left out or stood in for something else.
    pub(super) fn is_as_ever(&self, plain: &Seen) -> bool {
        let mut only = self.only.iter();
        let is_whole = self.cut.is_empty() && self.broken.is_empty();
        is_whole
            && self.instead.roots().is_empty()
            && !self.asks_integration()
            && only.all(|one| plain.has_passed(one))
    }

    /// What to say of tests that are named as those of the integration, where a build of Maven ran others and none of them.
    pub(super) fn aside(&self, seen: &Seen) -> Option<String> {
        let asked = only(self.program, &self.compiled(self.request.tests));
        let aside: BTreeSet<&Only> = asked.iter().filter(|one| one.is_integration()).collect();
        let has_run = |class: &str| aside.iter().any(|one| one.class == class);
        let some_ran = seen.outcomes.keys().any(|t| has_run(&t.0));
        if aside.is_empty() || some_ran || !matches!(self.tool, Tool::Maven(_)) {
            return None;
        }
        let tests = plural(
            aside.len(),
            "test of the integration (*IT) did",
            "tests of the integration (*IT) did",
        );
        Some(format!(
            "{tests} not run, since the build does not. If it does by a profile: telltale record -- mvn verify -P PROFILE"
        ))
    }

    fn nothing_ran(&self, seen: &Seen, last: &[String]) -> String {
        let ends: Vec<String> = self.ends().iter().map(Ends::line).collect();
        if !ends.is_empty() {
            return format!("no other test ran; {}", ends.join("; "));
        }
        if seen.skipped() > 0 {
            let tests = plural(seen.skipped(), "test was", "tests were");
            return format!("{} ran no test: {tests} skipped", self.tool.name());
        }
        let why = match (&self.tool, seen.jvms) {
            (Tool::Command(_), 0) => {
                "no JVM was started with the agent; does the command remove JAVA_TOOL_OPTIONS?"
            }
            (_, 0) => "no JVM for tests was started: does the build compile, and has it tests?",
            _ => "the JVM of the tests ran none: does the build name an engine for them?",
        };
        let lines = last.join("\n  ");
        format!(
            "{} ran no test: {why}\nIt ended with:\n  {lines}",
            self.tool.name()
        )
    }

    pub(super) fn run(&mut self, plan: &str, how: How) -> Result<Seen, Failure> {
        Ok(self.try_run(how.what, plan, how)?.0)
    }

    /// The same, and once more in a recording where a JVM was ended by somebody else, between two tests or before the first: what
    /// is not there would count as what one run alone saw.
    pub(super) fn run_whole(
        &mut self,
        plan: &str,
        how: How,
        plain: &Seen,
    ) -> Result<Seen, Failure> {
        let seen = self.run(plan, how)?;
        let is_part = !self.is_cut_short && seen.lacks(plain, &self.cut);
        match is_part && !self.ran_again {
            true => {
                self.ran_again = true;
                self.run(plan, how)
            }
            false => Ok(seen),
        }
    }

    /// The same of some of the tests, where the tool can be told which; else of all.
    pub(super) fn run_some(
        &mut self,
        plan: &str,
        how: How,
        tests: &[MethodId],
    ) -> Result<Seen, Failure> {
        if self.integration {
            return self.run(plan, how);
        }
        let only = std::mem::replace(&mut self.only, only(self.program, tests));
        let all = std::mem::replace(&mut self.all, tests.len());
        let seen = self.run(plan, how);
        (self.only, self.all) = (only, all);
        seen
    }

    /// Runs the tests until neither a test nor a query ends the JVM, each time without those that did.
    fn try_run(
        &mut self,
        what: &str,
        plan: &str,
        how: How,
    ) -> Result<(Seen, Vec<String>), Failure> {
        let mut rounds = 0;
        loop {
            let is_empty = !self.only.is_empty() && self.left().is_empty();
            if is_empty {
                return Ok((Seen::default(), Vec::new()));
            }
            let (seen, last) = self.run_once(what, plan, how)?;
            let known = (self.cut.len(), self.endless.len());
            self.learns(&seen);
            rounds += usize::from(self.cut.len() > known.0);
            // One that ends it again though it is left out would do so for ever.
            let is_over = (self.cut.len(), self.endless.len()) == known;
            if is_over || rounds > ROUNDS || self.endless.len() > QUERIES {
                let is_cut = !seen.cut.is_empty() || !seen.endless.is_empty();
                self.is_cut_short |= is_cut;
                return Ok((seen, last));
            }
        }
    }

    /// Those that were asked for and do not end their JVM.
    fn left(&self) -> Vec<Only> {
        let is_cut = |one: &&Only| {
            let mut all = self.cut.iter();
            all.any(|cut| *one.class == *cut.class && one.method.as_deref() == Some(&*cut.method))
        };
        self.only.iter().filter(|o| !is_cut(o)).cloned().collect()
    }

    /// The lines of a plan that leave queries out, and tests: in the class that runs them and in that which declares them.
    fn skips(&self) -> String {
        let mute = |slot: &u32| format!("mute\t{slot}\n");
        let mutes: String = self.endless.iter().map(mute).collect();
        let program = self.program;
        let mut classes: BTreeSet<(String, &str)> = BTreeSet::new();
        for cut in &self.cut {
            classes.insert((cut.class.replace('.', "/"), &cut.method));
            for &test in self.request.tests {
                let is_named = program
                    .method_decl(test)
                    .is_some_and(|m| m.name == cut.method);
                let owner = program.method_owner(test);
                let mut below = program.subtypes(owner).iter();
                if is_named && below.any(|t| *program.type_name(*t) == cut.class) {
                    let class = program.type_name(owner).replace('.', "/");
                    classes.insert((class, &cut.method));
                }
            }
        }
        let line = |(class, method): (String, &str)| format!("skip\t{class}\t{method}\n");
        mutes + &classes.into_iter().map(line).collect::<String>()
    }

    /// Puts what its threads did into a file that outlives the run.
    fn keep_threads(&self, cut: &mut Cut) {
        let Why::Slow(Some(from)) = &cut.why else {
            return;
        };
        let folder = self.own.join(THREADS);
        let file = folder.join(format!("{}.{}.txt", cut.class, cut.method));
        let copied = std::fs::create_dir_all(&folder).and_then(|()| std::fs::copy(from, &file));
        cut.why = Why::Slow(copied.is_ok().then_some(file));
    }

    /// The tests that are left out, as the report has them.
    pub(super) fn ends(&self) -> Vec<Ends> {
        let seconds = self.request.timeout.map_or(0, |t| t.as_secs());
        let of = |cut: &Cut| {
            let (why, words) = match &cut.why {
                Why::Slow(_) => ("slow", format!("took longer than {seconds} s")),
                Why::Exit(who) => (
                    "exit",
                    format!("ended its JVM by System.exit, called at {who}"),
                ),
                Why::Memory => ("memory", "ran out of memory".to_owned()),
                Why::Gone => ("gone", "ended its JVM".to_owned()),
            };
            let threads = match &cut.why {
                Why::Slow(Some(file)) => file.file_name(),
                _ => None,
            };
            Ends {
                test: format!("{}#{}", cut.class, cut.method),
                why: why.into(),
                words,
                threads: threads
                    .map(|name| format!("{OWN_FOLDER}/{THREADS}/{}", name.to_string_lossy())),
            }
        };
        self.cut.iter().map(of).collect()
    }

    /// What to say where more end their JVM than are left out.
    pub(super) fn cut_short(&self) -> String {
        let what = match self.endless.len() > QUERIES {
            true => format!("More than {QUERIES} queries do not end"),
            false => format!("More than {ROUNDS} tests end their JVM"),
        };
        format!("{what}; of the tests behind them nothing is known.")
    }

    fn run_once(&self, step: &str, plan: &str, how: How) -> Result<(Seen, Vec<String>), Failure> {
        let what = match (self.cut.len(), self.endless.len()) {
            (0, 0) => step.to_owned(),
            (0, n) => format!("{step} without {n} that nothing answers"),
            (n, _) => format!("{step} without {n} that end their JVM"),
        };
        self.listener.step(&what);
        let number = self.runs.fetch_add(1, Ordering::Relaxed);
        let folder = self.folder.join(number.to_string());
        let limit = match self.request.timeout {
            Some(limit) => format!("limit\ttestmillis\t{}\n", limit.as_millis()),
            None => String::new(),
        };
        let asks = how.asks.limit();
        let skips = self.skips();
        let wrote = std::fs::create_dir_all(&folder).and_then(|()| {
            std::fs::write(
                folder.join("plan"),
                format!("telltale-plan\t1\n{limit}{asks}{skips}{plan}"),
            )
        });
        wrote
            .and_then(|()| room(&folder))
            .map_err(|e| unwritten(&e))?;
        let agent = Agent {
            jar: &self.jar,
            folder: &folder,
            is_varied: how.is_varied,
        };
        let tool = &self.tool;
        let path = |file: &FileId| {
            let path = self.request.root.join(&**self.program.path(*file)?);
            std::fs::canonicalize(path).ok()
        };
        let loaded = self.loaded(&folder, how);
        let left_out = self.broken.iter().copied().chain(self.instead.files());
        let left_out: Vec<PathBuf> = left_out.filter_map(|f| path(&f)).collect();
        let asked = Asked {
            only: &by_class(&self.left(), &self.known),
            modules: &self.modules,
            integration: self.integration,
            forced: self.forced,
            by_environment: self.by_environment,
            left_out: &left_out,
            instead: self.instead.roots(),
            jdk: self.request.jdk,
            loaded: loaded.as_deref(),
        };
        let mut last: Vec<String> = Vec::new();
        let mut segments = Segments::new(&folder, self.inside).covering(how.covers);
        let mut pace = Pace::default();
        let listener = self.listener;
        let bounds = Bounds {
            wanted: &|| listener.wanted(),
            timeout: self.request.run_timeout,
            tick: &mut || {
                segments.poll();
                pace.tell(&what, self.all, &segments, listener);
            },
        };
        let mut problems: Vec<Problem> = Vec::new();
        let told = self.told(&agent, asked.only);
        let has_waited = told.is_some();
        let started = match told {
            Some(jvm) => Ok(jvm),
            None => {
                let command = tool.tests(self.request.root, &agent, &asked);
                Started::new(command.map_err(|e| unwritten(&e))?, Stdio::null())
            }
        };
        let ended = started.and_then(|jvm| {
            jvm.watch(bounds, &mut |line| {
                listener.line(line);
                // Maven says it twice.
                let is_known = |p: &Problem| {
                    let mut places = problems.iter().map(|q| (&q.file, q.line));
                    places.any(|place| place == (&p.file, p.line))
                };
                let problem = javac::passed_on(line).filter(|p| !is_known(p));
                problems.extend(problem);
                javac::name_symbol(&mut problems, line);
                keep(&mut last, line);
            })
        });
        if matches!(ended, Ok(Ended::Cancelled | Ended::TimedOut)) {
            process::end_writers(&folder);
        }
        let seen = match ended {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Err(Failure::usage(
                format!("{} is not there", tool.name()),
                "install it, or name the command that runs the tests behind `--`",
            )),
            Err(e) => Err(Failure::Run(format!("{} cannot be run: {e}", tool.name()))),
            Ok(Ended::Cancelled) => Err(super::cancelled()),
            Ok(Ended::TimedOut) => Err(Failure::Run(format!(
                "{} took longer than --run-timeout; nothing was changed",
                tool.name()
            ))),
            Ok(Ended::Exit(_)) => segments.finish(),
        };
        let mut seen = seen?;
        seen.problems = problems;
        // What tests told is not all there: nobody knows what they would have told.
        if let Some(why) = &seen.unwritten {
            let why = std::io::Error::new(std::io::ErrorKind::StorageFull, why.clone());
            return Err(unwritten(&why));
        }
        if !seen.cut.is_empty() {
            // A JVM that cannot write looks like one that was killed.
            room(&folder).map_err(|e| unwritten(&e))?;
        }
        seen.cut.iter_mut().for_each(|cut| self.keep_threads(cut));
        if let (Some(list), Some(needs), Some(standby)) =
            (&loaded, &self.needs, self.request.standby)
            && let Ok(names) = std::fs::read_to_string(list)
        {
            standby.loaded(needs.clone(), names);
        }
        // It is read, and the next run writes as much.
        drop(std::fs::remove_dir_all(&folder));
        if has_waited && seen.outcomes.is_empty() && seen.cut.is_empty() {
            self.give_up_waiting();
            return self.run_once(step, plan, how);
        }
        Ok((seen, last))
    }
}

/// Keeps the last lines that a build printed, and of those before them the first that names errors.
fn keep(last: &mut Vec<String>, line: &str) {
    // Some builds colour what they print whatever they are told; tests may print gigabytes.
    let line = match line.contains('\u{1b}') {
        true => anstream::adapter::strip_str(line).to_string(),
        false => line.to_owned(),
    };
    if line.trim().is_empty() {
        return;
    }
    let names = |line: &String| {
        let line = line.trim_start_matches('[').trim_start();
        let starts = |word: &str| {
            line.get(..word.len())
                .is_some_and(|w| w.eq_ignore_ascii_case(word))
        };
        ["error", "failure", "exception", "unable to", "unrecognized"]
            .iter()
            .any(|word| starts(word))
    };
    if last.len() == LAST_LINES {
        let pinned = last
            .iter()
            .take(FIRST_ERRORS)
            .take_while(|l| names(l))
            .count();
        last.remove(pinned);
    }
    last.push(line);
}

impl Ends {
    /// It took longer than a test may.
    pub(crate) fn is_slow(&self) -> bool {
        self.why == "slow"
    }

    /// As a sentence.
    pub(crate) fn line(&self) -> String {
        let threads = match &self.threads {
            Some(file) => format!("; {file} says what its threads did"),
            None => String::new(),
        };
        format!("{} {}{threads}", self.test, self.words)
    }
}

/// How much room a run needs at least, in bytes.
const ROOM: usize = 1 << 18;

/// Refuses where what tests tell would find no room.
fn room(folder: &Path) -> std::io::Result<()> {
    let file = folder.join("room");
    let wrote = std::fs::write(&file, vec![0; ROOM]);
    std::fs::remove_file(&file).and(wrote)
}

/// Tests as the build tool is told them: a class all of whose tests are asked for, and all of the classes in it, by its name
/// alone, since a command line has an end.
fn by_class(asked: &[Only], known: &[Only]) -> Vec<Only> {
    let asked: BTreeSet<&Only> = asked.iter().collect();
    let mut partly: BTreeSet<&str> = BTreeSet::new();
    for lacking in known.iter().filter(|one| !asked.contains(one)) {
        let class = lacking.class.as_str();
        partly.insert(class);
        partly.extend(class.match_indices('$').map(|(at, _)| &class[..at]));
    }
    let name = |one: &Only| Only {
        class: one.class.clone(),
        method: one
            .method
            .clone()
            .filter(|_| partly.contains(one.class.as_str())),
    };
    let named: BTreeSet<Only> = asked.into_iter().map(name).collect();
    named.into_iter().collect()
}

#[cfg(test)]
mod tests;
