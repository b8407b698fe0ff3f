//! The libraries of a project: its JDK and its class path, found from files alone, and the classes in them.
//!
//! [`find`] is the entry. It looks for the JDK ([`jdk`]) and for the class path that `telltale.toml` names, or else
//! that the build files tell ([`maven`], [`gradle`], [`folders`]); one class path for the whole
//! workspace comes of it ([`union`]), behind one [`ClassPath`] that reads classes when they are asked for
//! ([`classpath`] over [`image`], [`jar`], [`folder`], [`classfile`]). No command is run.

mod awaited;
pub(crate) mod classfile;
mod classpath;
mod declared;
mod environment;
mod files;
mod folder;
mod folders;
mod gradle;
mod image;
mod jar;
mod jdk;
mod maven;
mod report;
mod repository;
mod union;
mod version;

pub use classpath::{ClassPath, Problem};
pub use declared::declared;
pub use environment::Environment;
pub use jdk::{Jdk, JdkFrom, JdkLibrary, PassedOver};
pub use report::{Conflict, Entry, LibraryReport, Missing, Processor, Tool, Work};

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::{Config, Layout};
use awaited::{Awaited, jars_below};
use union::ModulePath;

/// The libraries of a project.
#[derive(Clone, Debug)]
pub struct Libraries {
    /// Their classes.
    pub classes: Arc<ClassPath>,
    /// What they are, and what is missing.
    pub report: LibraryReport,
}

/// What was found so far.
#[derive(Default)]
struct Search {
    report: LibraryReport,
    modules: Vec<ModulePath>,
    work: Work,
    /// What would change the result if it came.
    awaited: Vec<Awaited>,
    /// The highest release that a module is compiled for; 0 if none says so.
    release: u16,
}

impl Search {
    fn release(&mut self, release: u16) {
        self.release = self.release.max(release);
    }
}

/// Finds the libraries of the project with that layout. Reads build files, poms of the local repository and the tables
/// of the JDK's image; jars are opened when a class is asked for.
pub fn find(layout: &Layout, config: &Config, environment: &Environment) -> Libraries {
    let root = layout.root.as_path();
    let mut search = Search::default();
    let (jdk, passed_over) = jdk::find(root, config, environment);
    search.report.passed_over = passed_over;
    let java_version = jdk.as_ref().and_then(|(jdk, _, _)| jdk.version.clone());
    // Clients that send every key send empty ones for what is not set.
    match config
        .java
        .classpath
        .as_ref()
        .filter(|paths| !paths.is_empty())
    {
        Some(paths) => configured(root, paths, environment, &mut search),
        None => {
            let (builds, java) = (&layout.builds, java_version.as_deref());
            maven::search(root, builds, java, environment, &mut search);
            gradle::search(root, builds, java, environment, &mut search);
            folders::search(root, builds, environment, &mut search);
        }
    }
    let Search {
        mut report,
        modules,
        work,
        mut awaited,
        release,
    } = search;
    report.work = work;
    awaited.extend(
        union::unite(modules, &mut report)
            .into_iter()
            .map(Awaited::File),
    );
    let newest = jdk.as_ref().map_or(0, |(jdk, _, _)| jdk.release);
    report.release = match (newest, release) {
        // Without a JDK and without a word in the build files: as a current one would.
        (0, 0) => 25,
        (0, release) | (release, 0) => release,
        (newest, release) => newest.min(release),
    };
    report.processors.sort();
    report.processors.dedup();
    report.unread.sort();
    report.unread.dedup();
    report.problems.sort();
    report.problems.dedup();
    let platform = jdk.map(|(jdk, file, platform)| {
        report.jdk = Some(jdk);
        (file, platform)
    });
    let entries: Vec<PathBuf> = report.entries.iter().map(|e| e.path.clone()).collect();
    Libraries {
        classes: Arc::new(ClassPath::new(platform, entries, awaited, report.release)),
        report,
    }
}

/// The class path that the configuration names; `lib/*` is every jar of a folder, as for `java -cp`.
fn configured(root: &Path, paths: &[String], environment: &Environment, search: &mut Search) {
    let report = &mut search.report;
    let mut known: FxHashSet<PathBuf> = FxHashSet::default();
    for text in paths {
        let (folder, all) = match text.strip_suffix('*') {
            Some(folder) => (folder, true),
            None => (text.as_str(), false),
        };
        let path = root.join(environment.expand_home(folder));
        let found = if all {
            search.awaited.push(Awaited::jars(&path, 0));
            jars_below(&path, 0)
        } else {
            vec![path.clone()]
        };
        let is_there = path.exists();
        if !is_there && !all {
            search.awaited.push(Awaited::File(path.clone()));
        }
        if !is_there || found.is_empty() {
            let reason = if is_there {
                "no jar is in it"
            } else {
                "does not exist"
            };
            report.missing.push(Missing {
                coordinates: text.clone(),
                reason: reason.to_owned(),
                wanted_by: "telltale.toml".to_owned(),
                tool: Tool::Configuration,
            });
            continue;
        }
        for path in found {
            if known.insert(path.clone()) {
                report.entries.push(Entry {
                    path,
                    coordinates: None,
                    tool: Tool::Configuration,
                    is_test: false,
                    is_guessed: false,
                });
            }
        }
    }
}
