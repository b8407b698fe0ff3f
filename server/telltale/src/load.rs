//! From a path to a workspace: root, configuration, source sets, texts, program, chains; with progress on stderr.

use crate::args::Place;
use crate::dismissed;
use crate::failure::Failure;
use crate::record::At;
use crate::screen::{self, PLAIN, WARNING};
use crate::words::plural;
use calls::Workspace;
use indicatif::{ProgressBar, ProgressStyle};
use observe::{Fp, Settings};
use program::{FileInput, Program, ProgramInput, Queries, QueryFile, SourceSetId, SourceSetInput};
use project::libraries::{self, Environment, Libraries};
use project::{Config, Dismissals, Layout, QUERIES, UserQueries};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// A project that was read.
pub(crate) struct Loaded {
    pub(crate) config: Config,
    pub(crate) layout: Layout,
    pub(crate) libraries: Libraries,
    pub(crate) workspace: Workspace,
    /// What users said *Not this one* of.
    pub(crate) dismissals: Dismissals,
    /// PATH relative to the root with `/`; empty for the root itself.
    pub(crate) inside: String,
    /// True if PATH is a file.
    pub(crate) is_file: bool,
}

impl Loaded {
    /// The settings of the project.
    pub(crate) fn settings(&self) -> Settings {
        let config = &self.config.observe;
        Settings {
            lambda: config.lambda,
            lambda_readable: config.lambda_readable,
            fp: match config.fp {
                project::Fp::Differentiated => Fp::Differentiated,
                project::Fp::Uniform(c) => Fp::Constant(c),
            },
            top: config.top,
            ..Settings::default()
        }
    }

    /// True for a file of PATH: PATH itself, or one below it.
    pub(crate) fn covers(&self, path: &str) -> bool {
        match path.strip_prefix(self.inside.as_str()) {
            Some(rest) => self.inside.is_empty() || rest.is_empty() || rest.starts_with('/'),
            None => false,
        }
    }
}

/// Reads the whole root of a place.
pub(crate) fn load(place: &Place) -> Result<Loaded, Failure> {
    let progress = Progress::new(place.quiet);
    let path = absolute(&place.path)?;
    let is_file = path.is_file();
    if is_file && path.extension().is_none_or(|e| e != "java") {
        return Err(Failure::usage(
            format!("{} is no Java file", place.path.display()),
            "give a project, a folder, or a file whose name ends in .java",
        ));
    }
    let root = project::find_root(&path, place.root.as_deref())?;
    let (config, problems) = project::load_config(&root)?;
    for p in &problems {
        // Most messages name their key.
        let key = match p.key.as_str() {
            key if key.is_empty() || p.message.contains(key) => String::new(),
            key => format!("{key}: "),
        };
        say(&format!(
            "telltale.toml:{}:{}: {key}{}",
            p.line, p.column, p.message
        ));
    }
    let (dismissals, said) = dismissed::load(&root);
    said.iter().for_each(|problem| say(problem));
    let Opened {
        layout,
        libraries,
        program,
        read,
    } = open(&root, &config, &|what| progress.step(&what.to_string()))?;
    for w in &layout.warnings {
        let line = w.line.map_or(String::new(), |l| format!(":{l}"));
        say(&format!("{}{line}: {}", w.path, w.message));
    }
    say_skipped(&layout.skipped);
    for left_out in left_out(&program) {
        say(&left_out);
    }
    if read == 0 {
        return Err(Failure::usage(
            format!("no Java file under {}", root.display()),
            "give the folder of a Java project, or a .java file",
        ));
    }
    progress.step("linking");
    let workspace = Workspace::new(program);
    progress.done();
    let inside = relative(&path, &root);
    Ok(Loaded {
        config,
        layout,
        libraries,
        workspace,
        dismissals,
        inside,
        is_file,
    })
}

/// A root whose files were read and parsed.
pub(crate) struct Opened {
    pub(crate) layout: Layout,
    /// The JDK and the class path.
    pub(crate) libraries: Libraries,
    pub(crate) program: Program,
    /// How many files could be read.
    pub(crate) read: usize,
}

/// What is being done, for those who wait.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// Files are looked for and read.
    Reading,
    /// So many files were parsed, of all that there are; told now and then.
    Analysing { done: usize, total: usize },
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Step::Reading => f.write_str("reading"),
            Step::Analysing { done: 0, total } => write!(f, "analysing {total} files"),
            Step::Analysing { done, total } => write!(f, "analysing {done} of {total} files"),
        }
    }
}

/// Reads and parses all Java files of a root, with the workspace's own queries. Says nothing of what was skipped: that is
/// in the layout.
pub(crate) fn open(
    root: &Path,
    config: &Config,
    step: &(dyn Fn(Step) + Sync),
) -> Result<Opened, Failure> {
    step(Step::Reading);
    let laid_out = lay_out(root, config)?;
    let texts = laid_out.read(&|| true);
    let opened = texts.and_then(|texts| texts.parse(config, step, &|| true));
    opened.ok_or_else(|| Failure::Run("the reading was given up".to_owned()))
}

/// A root of which is known what there is to read.
pub(crate) struct LaidOut {
    pub(crate) layout: Layout,
    /// The workspace's own, as written and compiled.
    queries: (UserQueries, Option<Queries>),
}

/// Looks for the files of a root.
pub(crate) fn lay_out(root: &Path, config: &Config) -> Result<LaidOut, Failure> {
    Ok(LaidOut {
        queries: own_queries(root)?,
        layout: project::discover(root, config)?,
    })
}

impl LaidOut {
    /// Reads the files; nothing once they are not wanted any more.
    pub(crate) fn read(mut self, wanted: &(dyn Fn() -> bool + Sync)) -> Option<Texts> {
        let texts = project::read_all_while(&mut self.layout, wanted)?;
        Some(Texts {
            laid_out: self,
            texts,
        })
    }
}

/// The texts of a root's files, by position in its layout.
pub(crate) struct Texts {
    laid_out: LaidOut,
    texts: Vec<(usize, Arc<str>)>,
}

impl Texts {
    /// The workspace's own queries, as written.
    pub(crate) fn queries(&self) -> &UserQueries {
        &self.laid_out.queries.0
    }

    /// The files that could not be read.
    pub(crate) fn unread(&self) -> impl Iterator<Item = &str> {
        let mut read = self.texts.iter().map(|(at, _)| *at).peekable();
        let files = self.laid_out.layout.files.iter().enumerate();
        files.filter_map(move |(at, file)| match read.next_if_eq(&at) {
            Some(_) => None,
            None => Some(file.path.as_str()),
        })
    }

    /// Finds the libraries and parses; nothing once that is not wanted any more.
    pub(crate) fn parse(
        self,
        config: &Config,
        step: &(dyn Fn(Step) + Sync),
        wanted: &(dyn Fn() -> bool + Sync),
    ) -> Option<Opened> {
        let Texts { laid_out, texts } = self;
        let LaidOut { layout, queries } = laid_out;
        let read = texts.len();
        let total = layout.files.len();
        step(Step::Analysing { done: 0, total });
        let sets = layout
            .source_sets
            .iter()
            .map(|s| SourceSetInput {
                is_test: s.is_test,
                visible: s.visible.iter().map(|&i| SourceSetId(i as u32)).collect(),
            })
            .collect();
        let files = texts
            .into_iter()
            .map(|(i, text)| {
                let file = &layout.files[i];
                FileInput {
                    path: Arc::from(file.path.as_str()),
                    source_set: SourceSetId(file.source_set as u32),
                    text: without_bom(text),
                }
            })
            .collect();
        let libraries = libraries::find(&layout, config, &Environment::of_process());
        let input = ProgramInput {
            source_sets: sets,
            files,
            queries: queries.1.map(Arc::new),
            generated: project::generated(&layout.root, config),
            classes: Some(libraries.classes.clone()),
        };
        let parsed = AtomicUsize::new(0);
        let program = Program::build_while(input, &|| {
            let done = parsed.fetch_add(1, Ordering::Relaxed) + 1;
            // Twenty times in all, however many there are.
            if done * 20 / total.max(1) != (done - 1) * 20 / total.max(1) {
                step(Step::Analysing { done, total });
            }
            wanted()
        });
        let program = program?;
        for left_out in left_out(&program) {
            tracing::warn!("{left_out}");
        }
        Some(Opened {
            layout,
            libraries,
            program,
            read,
        })
    }
}

/// What of the files that were read is left out, a line a file, as far as files are named.
fn left_out(program: &Program) -> Vec<String> {
    let too_deep = program.too_deep().take(SKIPPED_NAMED);
    let too_deep = too_deep.map(|path| format!("{path}: {TOO_DEEP}"));
    let cut = program.queries_cut().take(SKIPPED_NAMED);
    let cut = cut.map(|path| format!("{path}: {QUERIES_CUT}"));
    too_deep.chain(cut).collect()
}

/// What goes beyond a bound in a folder, a line for each bound, with some of the files.
pub(crate) fn beyond(layout: &Layout, program: &Program) -> Vec<String> {
    let named = |files: Vec<&str>, what: &str| {
        let count = plural(files.len(), "file", "files");
        let more = match files.len() > SKIPPED_NAMED {
            true => ", …",
            false => "",
        };
        let first = files[..files.len().min(SKIPPED_NAMED)].join(", ");
        (!files.is_empty()).then(|| format!("{what} ({count}: {first}{more})"))
    };
    let oversized = layout.skipped.oversized.iter().map(|f| f.path.as_str());
    let size = format!(
        "more than {} MB are not read",
        project::FILE_LIMIT as f64 / 1e6
    );
    let builds = layout.warnings.iter().filter(|w| w.is_beyond_bound());
    let builds = builds.map(|w| format!("{}: {}", w.path, w.message));
    [
        named(oversized.collect(), &size),
        named(program.too_deep().collect(), TOO_DEEP),
        named(program.queries_cut().collect(), QUERIES_CUT),
    ]
    .into_iter()
    .flatten()
    .chain(builds.take(SKIPPED_NAMED))
    .collect()
}

/// The workspace's own queries, as written and compiled; none if it has none.
fn own_queries(root: &Path) -> Result<(UserQueries, Option<Queries>), Failure> {
    let texts = project::load_queries(root)?;
    if texts.is_empty() {
        return Ok((texts, None));
    }
    Queries::with_user(texts.tests.as_deref(), texts.assertions.as_deref())
        .map(|compiled| (texts, Some(compiled)))
        .map_err(|e| {
            let name = match e.file {
                QueryFile::Tests => "tests.scm",
                _ => "assertions.scm",
            };
            Failure::usage(
                format!(
                    "{QUERIES}/{name}:{}:{}: {}",
                    e.line + 1,
                    e.column + 1,
                    e.message
                ),
                "write a tree-sitter query for Java with the captures of the built-in one, or remove the file",
            )
        })
}

fn without_bom(text: Arc<str>) -> Arc<str> {
    match text.strip_prefix('\u{feff}') {
        Some(rest) => Arc::from(rest),
        None => text,
    }
}

fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    dunce::canonicalize(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => Failure::usage(
            format!("{} does not exist", path.display()),
            "give a project, a folder or a .java file that is there",
        ),
        _ => Failure::Run(format!("{}: {e}", path.display())),
    })
}

fn relative(path: &Path, root: &Path) -> String {
    let root = dunce::canonicalize(root).unwrap_or_else(|_| root.to_path_buf());
    let inside = path.strip_prefix(&root).unwrap_or(Path::new(""));
    inside
        .iter()
        .map(|p| p.to_string_lossy())
        .collect::<Vec<_>>()
        .join("/")
}

fn say(message: &str) {
    screen::say(format_args!("{WARNING}warning:{PLAIN} {message}"));
}

/// What is said of a file whose types are nested too deep.
const QUERIES_CUT: &str =
    "the queries of .telltale/queries take too much: there may be more to find";
const TOO_DEEP: &str = "types nested deeper than 64 are left out";
const _: () = assert!(program::DEEPEST_TYPE == 64, "TOO_DEEP says so");

/// How many skipped files are named; a tree of old sources may have thousands.
const SKIPPED_NAMED: usize = 5;

fn say_skipped(skipped: &project::Skipped) {
    let all = [&skipped.unreadable, &skipped.not_utf8, &skipped.oversized];
    let all: Vec<&project::SkippedFile> = all.into_iter().flatten().collect();
    for file in all.iter().take(SKIPPED_NAMED) {
        say(&format!("{} is left out: {}", file.path, file.reason));
    }
    if let Some(more @ 1..) = all.len().checked_sub(SKIPPED_NAMED) {
        say(&format!("{more} more files are left out"));
    }
}

/// A spinner on a terminal; elsewhere nothing until it takes long, then a plain line now and then.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    lines: Option<Lines>,
}

/// After how long a run that shows no spinner says what it is at, each time.
const LONG: Duration = Duration::from_secs(5);

impl Progress {
    pub(crate) fn new(quiet: bool) -> Progress {
        if quiet {
            return Progress {
                bar: None,
                lines: None,
            };
        }
        if !std::io::stderr().is_terminal() {
            let lines = Lines::start(LONG, |line| screen::say(format_args!("{line}")));
            return Progress {
                bar: None,
                lines: Some(lines),
            };
        }
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        Progress {
            bar: Some(bar),
            lines: None,
        }
    }

    pub(crate) fn step(&self, what: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(what.to_owned());
        }
        if let Some(lines) = &self.lines {
            let _ = lines.step.send(what.to_owned());
        }
    }

    /// How far a run is. How long the rest takes is for somebody who waits at a terminal.
    pub(crate) fn tests(&self, at: &At<'_>) {
        self.step(&match self.bar.is_some() {
            true => at.line_with_rest(),
            false => at.line(),
        });
    }

    /// A line that stays, for somebody who waits at a terminal.
    pub(crate) fn found(&self, line: std::fmt::Arguments<'_>) {
        if let Some(bar) = &self.bar {
            bar.suspend(|| screen::say(line));
        }
    }

    pub(crate) fn done(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Says what a run is at whenever some time has passed, until it is dropped.
struct Lines {
    step: Sender<String>,
}

impl Lines {
    fn start(every: Duration, mut say: impl FnMut(String) + Send + 'static) -> Lines {
        let (step, steps) = std::sync::mpsc::channel::<String>();
        std::thread::spawn(move || {
            let start = Instant::now();
            let mut next = every;
            let mut at = String::from("starting");
            loop {
                match steps.recv_timeout(next.saturating_sub(start.elapsed())) {
                    Ok(what) => at = what,
                    Err(RecvTimeoutError::Timeout) => {
                        say(format!("telltale: {at}, {} s", start.elapsed().as_secs()));
                        next += every;
                    }
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        });
        Lines { step }
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use std::time::Duration;

    #[test]
    fn a_long_run_says_what_it_is_at_until_it_is_done() {
        let (send, said) = std::sync::mpsc::channel();
        let lines = Lines::start(Duration::from_millis(1), move |line| {
            let _ = send.send(line);
        });
        lines.step.send("reading".to_owned()).expect("it listens");
        let mut said = said.iter();
        assert!(said.any(|line| line.starts_with("telltale: reading, ")));
        drop(lines);
        assert!(said.count() < 1_000_000, "it ends");
    }
}
