//! What the build's own run of the tests tells those who run them again: where, on what class path, and which of them run
//! which code. It is kept, and the build does not run again while nothing changed that its run rests on.
//!
//! `.telltale/mutants/` has a file for each question to the build ([`super::kept`]), and `made/` in it what JVMs of our own
//! and the compiler made of that: it goes with the same ground ([`Ground::made`]).
//! Of a command of the user nobody knows on what it rests, so nothing is kept of it.

use super::kept::{Shelf, bound, file_name, hash, read, write};
use super::rests::{Rests, environment};
use super::session::Session;
use super::{Ends, Listener, Request, RunFolder, Way, agent, as_read, covered, only, wanted};
use crate::failure::Failure;
use ide::Analysis;
use project::{Prints, prints};
use runner::Place;
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
    /// Of these, those of which a test failed and ran nothing: the set-up of the class may have.
    pub(crate) unable: BTreeSet<SmolStr>,
    /// Nobody knows of all tests which lines they ran.
    pub(crate) is_unsure: bool,
    /// Files that do not compile, and why.
    pub(crate) left_out: Vec<(String, String)>,
    /// Tests that end their JVM.
    pub(crate) ends: Vec<Ends>,
    /// Where JVMs ran tests, and how.
    places: Vec<Place>,
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
    rests: Rests,
    run: Run,
}

impl Entry {
    /// The first file that is another one by now, if one is. Nothing where that cannot be said.
    fn has_changed(&self, root: &Path, now: &Prints) -> Option<Option<String>> {
        let mut files = self.rests.changed_files(root, &self.run.places, now);
        if files.is_empty() {
            files = self.rests.changed_classes(&self.run.places)?;
        }
        Some(files.into_iter().next())
    }

    /// What was made of this, below the folder of what is kept.
    fn shelf(&self, folder: &Path, is_fresh: bool) -> Option<Shelf> {
        let all = serde_json::to_string(&(&self.asked, &self.rests)).ok()?;
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
        let is_same = || entry.has_changed(root, &prints(root)?);
        if shelf.has_more() && is_same() == Some(None) {
            shelf.keep();
        }
    }

    /// A folder that goes with this.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The JVM of the tests that are nearest to a file, as a number.
    pub(crate) fn nearest(&self, file: &Path) -> Option<usize> {
        Place::nearest(&self.run.places, file)
    }

    /// Where that ran, and how.
    pub(crate) fn place(&self, number: usize) -> &Place {
        &self.run.places[number]
    }
}

/// Runs the tests once, as they are, and tells which of them run which lines of the workspace; or has that from an earlier
/// call if nothing changed since.
///
/// # Errors
/// If nothing ran.
pub(crate) fn ground(
    analysis: &Analysis,
    request: &Request<'_>,
    listener: &(dyn Listener + Sync),
) -> Result<Ground, Failure> {
    let own = project::own_folder(request.root).map_err(|e| Failure::Run(e.to_string()))?;
    let jar = agent(&own)?;
    let folder = RunFolder::new(&own)?;
    let is_fresh = request.way == Way::Build;
    let environment = environment(request, &jar);
    let kept = environment.map(|env| (own.join(FOLDER), asked(analysis, request, env)));
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
        tests: [plain.ran(), plain.failed()],
        ran: ran
            .map(|(test, own)| (test, own.into_iter().map(lines).collect()))
            .collect(),
        classes: plain.outcomes.keys().map(|t| t.0.clone()).collect(),
        unable: plain.unable().cloned().collect(),
        is_unsure: plain.coverage.lost > 0,
        left_out: session.left_out.clone().into_iter().collect(),
        ends: session.ends(),
        places: plain.places.clone(),
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
        let run = &ground.run;
        let kept = Rests::of(request.root, before, &run.places, &run.ends).and_then(|rests| {
            let entry = Entry {
                asked,
                rests,
                run: run.clone(),
            };
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

/// All that says what the build is asked.
fn asked(analysis: &Analysis, request: &Request<'_>, mut environment: Vec<String>) -> String {
    environment.push(format!("{:?}", request.timeout));
    if !request.is_all {
        let tests = only(analysis.program(), request.tests).into_iter();
        let names = tests.map(|t| format!("{}#{}", t.class, t.method.unwrap_or_default()));
        environment.extend(names);
    }
    environment.join("\n")
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
    match entry.has_changed(root, files) {
        Some(None) => Found::Same(Box::new(entry)),
        Some(Some(path)) => Found::Changed(path),
        None => Found::None,
    }
}

/// Forgets all that is kept of builds' runs for mutants.
///
/// # Errors
/// If it cannot be removed.
pub(super) fn forget(root: &Path) -> Result<(), Failure> {
    let folder = root.join(project::OWN_FOLDER).join(FOLDER);
    let is_ours = folder.is_dir() && !root.join(project::OWN_FOLDER).is_symlink();
    match is_ours.then(|| std::fs::remove_dir_all(&folder)) {
        Some(Err(e)) => Err(Failure::Run(format!("{}: {e}", folder.display()))),
        _ => Ok(()),
    }
}
