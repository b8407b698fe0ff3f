//! What the build's own run of the tests tells those who run them again: where, on what class path, and which of them run
//! which code. It is kept, and the build does not run again while nothing changed that its run rests on.
//!
//! `.telltale/mutants/` has a file for each question to the build ([`super::kept`]), and `made/` in it what JVMs of our own
//! and the compiler made of that: it goes with the same ground ([`Ground::made`]).
//! What was changed since is seen by [`project::prints`] and [`project::class_prints`], by content. Of a command of the
//! user nobody knows on what it rests, so nothing is kept of it.

use super::kept::{Shelf, bound, file_name, hash, read, write};
use super::session::Session;
use super::{Ends, Listener, Request, RunFolder, agent, as_read, covered, only, wanted, woven};
use crate::failure::Failure;
use ide::Analysis;
use project::{Prints, class_prints, prints};
use runner::Tool;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use text::LineSet;

/// The folder of what is kept, in Telltale's own.
const FOLDER: &str = "mutants";

/// In it, what was made of what is kept.
const MADE: &str = "made";

/// How many files are kept; the oldest goes first.
const MOST: usize = 64;

/// How the names of variables begin that say what Java runs, and how.
const VARIABLES: [&str; 11] = [
    "JAVA",
    "_JAVA_OPTIONS",
    "JDK_",
    "CLASSPATH",
    "M2_",
    "MAVEN_",
    "GRADLE_",
    "ORG_GRADLE_PROJECT_",
    "LANG",
    "LC_",
    "TZ",
];

/// What the run told, as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Run {
    /// On which Java.
    pub(crate) java: String,
    /// How many invocations of tests ran, and how many failed.
    pub(crate) tests: [usize; 2],
    /// By test class: the lines that its tests ran, by class.
    pub(crate) ran: BTreeMap<SmolStr, Vec<Lines>>,
    /// All test classes.
    pub(crate) classes: BTreeSet<SmolStr>,
    /// Nobody knows of all tests which lines they ran.
    pub(crate) is_unsure: bool,
    /// Files that do not compile, and why.
    pub(crate) left_out: Vec<(String, String)>,
    /// Tests that end their JVM.
    pub(crate) ends: Vec<Ends>,
    /// Working directory and class path of the JVMs that ran tests.
    class_paths: Vec<(PathBuf, Vec<PathBuf>)>,
}

/// Lines of a class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Lines {
    /// By its binary name, with `/`.
    pub(crate) class: SmolStr,
    /// In order.
    pub(crate) lines: Vec<u32>,
}

/// A run, and on what it rests.
#[derive(Serialize, Deserialize)]
struct Entry {
    /// The question in full: two may have one hash.
    asked: String,
    files: Prints,
    classes: Prints,
    run: Run,
}

impl Entry {
    /// What was made of this, below the folder of what is kept.
    fn shelf(&self, folder: &Path, is_fresh: bool) -> Option<Shelf> {
        let all = serde_json::to_string(&(&self.asked, &self.files, &self.classes)).ok()?;
        let folder = folder.join(MADE);
        // A repository may bring it as a link that leads elsewhere.
        (!folder.is_symlink()).then(|| Shelf::new(folder, hash(all.as_bytes()), is_fresh))
    }
}

/// See the module's description.
pub(crate) struct Ground {
    folder: RunFolder,
    /// The agent.
    pub(crate) jar: PathBuf,
    /// What ran them.
    pub(crate) tool: &'static str,
    /// What it told.
    pub(crate) run: Run,
    /// What was made of it, if that may be kept.
    shelf: Option<Shelf>,
    /// On what it rests.
    rests: Option<(PathBuf, Entry)>,
}

impl Ground {
    /// A thing that hangs on this ground and its name alone, as an earlier call made it; else it is made now.
    ///
    /// # Errors
    /// Those of `make`.
    pub(crate) fn made<T: Serialize + for<'a> Deserialize<'a>>(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        if let Some(made) = self.get(name) {
            return Ok(made);
        }
        let made = make()?;
        self.put(name, &made);
        Ok(made)
    }

    /// A thing that an earlier call made.
    pub(crate) fn get<T: for<'a> Deserialize<'a>>(&self, name: &str) -> Option<T> {
        self.shelf.as_ref()?.get(name)
    }

    /// Has a thing ready to be kept for later calls.
    pub(crate) fn put(&self, name: &str, made: &impl Serialize) {
        if let Some(shelf) = &self.shelf {
            shelf.put(name, made);
        }
    }

    /// Keeps what was made, unless something changed meanwhile of which it may be made.
    pub(crate) fn keep(&self) {
        let (Some(shelf), Some((root, entry))) = (&self.shelf, &self.rests) else {
            return;
        };
        let is_same = || {
            let files = without(prints(root)?, &outputs(root, &entry.run));
            let classes = class_prints(class_path(&entry.run), &files)?;
            Some(files == entry.files && classes == entry.classes)
        };
        if shelf.has_more() && is_same() == Some(true) {
            shelf.keep();
        }
    }

    /// A folder that goes with this.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The JVM of the tests that are nearest to a file, as a number.
    pub(crate) fn nearest(&self, file: &Path) -> Option<usize> {
        woven::class_path_of(&self.run.class_paths, file)
    }

    /// Where that ran, and what it could load.
    pub(crate) fn place(&self, number: usize) -> (&Path, &[PathBuf]) {
        let (directory, class_path) = &self.run.class_paths[number];
        (directory, class_path)
    }
}

/// Runs the tests once, as they are, and tells which of them run which lines of the workspace; or has that from an earlier
/// call if nothing changed since. `is_fresh`: they run in any case.
///
/// # Errors
/// If nothing ran.
pub(crate) fn ground(
    analysis: &Analysis,
    request: &Request<'_>,
    is_fresh: bool,
    listener: &dyn Listener,
) -> Result<Ground, Failure> {
    let own = project::own_folder(request.root).map_err(|e| Failure::Run(e.to_string()))?;
    let jar = agent(&own)?;
    let folder = RunFolder::new(&own)?;
    let kept = asked(analysis, request, &jar).map(|asked| (own.join(FOLDER), asked));
    // A repository may bring it as a link that leads elsewhere.
    let kept = kept.filter(|(shelf, _)| !shelf.is_symlink());
    listener.step("Looking what changed");
    let before = kept.as_ref().and_then(|_| prints(request.root));
    let mut what = "Running the tests".to_owned();
    if let Some(((shelf, asked), files)) = kept.as_ref().zip(before.as_ref()).filter(|_| !is_fresh)
    {
        let found = find(request.root, shelf, asked, files);
        match found {
            Found::Same(entry) => {
                as_read(analysis.program(), request.root)?;
                return Ok(Ground {
                    folder,
                    jar,
                    tool: request.tool.name(),
                    run: entry.run.clone(),
                    shelf: entry.shelf(shelf, is_fresh),
                    rests: Some((request.root.to_path_buf(), *entry)),
                });
            }
            Found::Changed(path) => what = format!("Running the tests, since {path} changed"),
            Found::None => {}
        }
    }
    let mut session = Session::new(analysis, request, listener, jar.clone(), folder.path(), own);
    let plain = session.run_plain(&what, &covered(analysis.program()))?;
    wanted(listener)?;
    as_read(analysis.program(), request.root)?;
    let mut ran: BTreeMap<SmolStr, BTreeMap<SmolStr, LineSet>> = BTreeMap::new();
    for ((class, ..), lines) in &plain.coverage.tests {
        let own = ran.entry(class.clone()).or_default();
        lines
            .iter()
            .for_each(|(class, lines)| own.entry(class.clone()).or_default().extend(lines));
    }
    let lines = |(class, lines): (SmolStr, LineSet)| Lines {
        class,
        lines: lines.iter().collect(),
    };
    let ran = ran.into_iter();
    let run = Run {
        java: plain.java.clone(),
        tests: [plain.outcomes.len(), plain.failed()],
        ran: ran
            .map(|(test, own)| (test, own.into_iter().map(lines).collect()))
            .collect(),
        classes: plain.outcomes.keys().map(|t| t.0.clone()).collect(),
        is_unsure: plain.coverage.lost > 0,
        left_out: session.left_out.clone().into_iter().collect(),
        ends: session.ends(),
        class_paths: plain.class_paths.clone(),
    };
    let mut ground = Ground {
        folder,
        jar,
        tool: request.tool.name(),
        run,
        shelf: None,
        rests: None,
    };
    if let Some(((shelf, asked), before)) = kept.zip(before) {
        // What cannot be kept is made again by the next call.
        let kept = entry(request.root, asked, before, &ground.run).and_then(|entry| {
            let file = shelf.join(file_name(&entry.asked));
            write(&file, &entry).map_err(|e| e.to_string())?;
            Ok(entry)
        });
        match kept {
            Ok(entry) => {
                bound(&shelf, MOST);
                ground.shelf = entry.shelf(&shelf, is_fresh);
                ground.rests = Some((request.root.to_path_buf(), entry));
            }
            Err(why) => listener.line(&format!("Telltale keeps nothing of this run: {why}")),
        }
    }
    Ok(ground)
}

/// All that says what the build is asked; nothing for a command, of which nobody knows on what it rests.
fn asked(analysis: &Analysis, request: &Request<'_>, jar: &Path) -> Option<String> {
    let program = match &request.tool {
        Tool::Maven(program) | Tool::Gradle(program) => program,
        Tool::Command(_) => return None,
    };
    let mut out = vec![
        env!("CARGO_PKG_VERSION").to_owned(),
        own_binary(),
        jar.to_string_lossy().into_owned(),
        request.tool.name().to_owned(),
        on_path(program),
        on_path(Path::new("java")),
        own_java(),
        format!("{:?}", request.timeout),
    ];
    out.extend(variables());
    if !request.is_all {
        let tests = only(analysis.program(), request.tests).into_iter();
        out.extend(tests.map(|t| format!("{}#{}", t.class, t.method.unwrap_or_default())));
    }
    Some(out.join("\n"))
}

/// This program: a newer one may ask otherwise.
fn own_binary() -> String {
    let own = std::env::current_exe().and_then(std::fs::metadata);
    own.map_or(String::new(), |o| {
        format!("{} {:?}", o.len(), o.modified().ok())
    })
}

/// Where the path leads to, and what stands there.
fn on_path(program: &Path) -> String {
    let all = std::env::var_os("PATH").unwrap_or_default();
    let mut all = std::env::split_paths(&all).map(|folder| folder.join(program));
    let found = all.find(|file| file.is_file());
    format!("{} {}", program.display(), led_to(found))
}

/// The Java of `JAVA_HOME`, which may be a link, and may be updated in its place.
fn own_java() -> String {
    let home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    led_to(home.map(|home| home.join("release")))
}

fn led_to(file: Option<PathBuf>) -> String {
    let file = file.and_then(|file| std::fs::canonicalize(file).ok());
    let data = file.as_ref().and_then(|file| file.metadata().ok());
    let data = data.map(|data| (data.len(), data.modified().ok()));
    format!("{file:?} {data:?}")
}

/// With the hash of what they say: it may be a secret.
fn variables() -> Vec<String> {
    let all = std::env::vars_os().filter_map(|(name, is)| Some((name.into_string().ok()?, is)));
    let own = all.filter(|(name, _)| VARIABLES.iter().any(|v| name.starts_with(v)));
    let hashed = |(name, is): (String, std::ffi::OsString)| {
        format!("{name} {:016x}", hash(is.as_encoded_bytes()))
    };
    let mut out: Vec<String> = own.map(hashed).collect();
    out.sort();
    out
}

enum Found {
    Same(Box<Entry>),
    /// A file that is another one.
    Changed(String),
    None,
}

fn find(root: &Path, shelf: &Path, asked: &str, files: &Prints) -> Found {
    let entry = read::<Entry>(&shelf.join(file_name(asked))).filter(|e| e.asked == asked);
    let Some(entry) = entry else {
        return Found::None;
    };
    let files = without(files.clone(), &outputs(root, &entry.run));
    if let Some(path) = first_other(&entry.files, &files) {
        return Found::Changed(path);
    }
    match class_prints(class_path(&entry.run), &files) {
        Some(now) if now == entry.classes => Found::Same(Box::new(entry)),
        Some(now) => Found::Changed(first_other(&entry.classes, &now).unwrap_or_default()),
        None => Found::None,
    }
}

/// The first path at which two differ.
fn first_other(one: &Prints, other: &Prints) -> Option<String> {
    let all = one.keys().chain(other.keys());
    let others = all.filter(|p| one.get(*p) != other.get(*p));
    others.min().cloned()
}

/// A run with what it rests on.
///
/// # Errors
/// Why it is not to be kept, as a sentence goes on.
fn entry(root: &Path, asked: String, before: Prints, run: &Run) -> Result<Entry, String> {
    // What depends on how much the machine had to do may not come again.
    if let Some(one) = run.ends.iter().find(|e| e.why != "exit") {
        return Err(format!("{} {}", one.test, one.words));
    }
    // Classes that another build makes are made of sources that are not seen.
    let real = std::fs::canonicalize(root).map_err(|e| e.to_string())?;
    let own = |folder: &PathBuf| std::fs::canonicalize(folder).is_ok_and(|f| f.starts_with(&real));
    let places = run.class_paths.iter().map(|(place, _)| place);
    let folders = class_path(run).filter(|path| path.is_dir());
    if let Some(foreign) = places.chain(folders).find(|folder| !own(folder)) {
        return Err(format!("{} is outside of the root", foreign.display()));
    }
    let outputs = outputs(root, run);
    let files = without(before, &outputs);
    let unreadable = || "not all of the files can be read".to_owned();
    let classes = class_prints(class_path(run), &files).ok_or_else(unreadable)?;
    let now = without(prints(root).ok_or_else(unreadable)?, &outputs);
    match first_other(&files, &now) {
        Some(path) => Err(format!("{path} changed while the tests ran")),
        None => Ok(Entry {
            asked,
            files,
            classes,
            run: run.clone(),
        }),
    }
}

fn class_path(run: &Run) -> impl Iterator<Item = &PathBuf> {
    run.class_paths.iter().flat_map(|(_, paths)| paths)
}

/// The folders into which the build compiles, from the root, with a slash at the end.
fn outputs(root: &Path, run: &Run) -> Vec<String> {
    let real = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_path_buf());
    let below = |path: &PathBuf| {
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        let path = path.strip_prefix(&real).ok()?.to_str()?;
        (!path.is_empty()).then(|| format!("{}/", path.replace('\\', "/")))
    };
    let folders = class_path(run).filter(|p| !p.is_file());
    folders.filter_map(below).collect()
}

/// Without the class files in these folders; one that stands elsewhere is read by a test.
fn without(mut files: Prints, outputs: &[String]) -> Prints {
    files.retain(|path, _| {
        let is_class = path.ends_with(".class");
        !is_class || !outputs.iter().any(|o| path.starts_with(o.as_str()))
    });
    files
}

/// Forgets all that is kept of builds' runs for mutants.
///
/// # Errors
/// If it cannot be removed.
pub(crate) fn forget(root: &Path) -> Result<(), Failure> {
    let folder = root.join(project::OWN_FOLDER).join(FOLDER);
    let is_ours = folder.is_dir() && !root.join(project::OWN_FOLDER).is_symlink();
    match is_ours.then(|| std::fs::remove_dir_all(&folder)) {
        Some(Err(e)) => Err(Failure::Run(format!("{}: {e}", folder.display()))),
        _ => Ok(()),
    }
}
