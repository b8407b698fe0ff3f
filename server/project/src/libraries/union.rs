//! From the class path of each module to one for the workspace: main code's libraries before those of tests, of each
//! artifact one version, and behind them all the others, for classes that the one does not have.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::report::{Conflict, Entry, LibraryReport, Missing, Tool};
use super::version;

/// What a module sees.
pub(super) struct ModulePath {
    /// Its folder, relative to the root.
    pub(super) dir: String,
    pub(super) entries: Vec<PathEntry>,
}

/// An artifact that a module sees.
pub(super) struct PathEntry {
    /// The same for all modules that see it.
    pub(super) library: Arc<Library>,
    pub(super) is_test: bool,
    /// 1 for what the module itself names.
    pub(super) depth: usize,
    /// The build files do not tell that the build tool takes just this.
    pub(super) is_guessed: bool,
}

/// A part of class paths.
pub(super) struct Library {
    /// `group:artifact`, with `:classifier` if it has one; or a path.
    pub(super) name: String,
    /// Empty if it has none or none is known.
    pub(super) version: String,
    /// The file, if it is there.
    pub(super) path: Option<PathBuf>,
    /// Where the file will be once it was fetched.
    pub(super) expected: Option<PathBuf>,
    /// Why it is not there, for the case that it is not.
    pub(super) reason: String,
    pub(super) tool: Tool,
    /// Nothing tells what it depends on.
    pub(super) lacks_pom: bool,
}

impl Library {
    /// One that is not there and not waited for.
    pub(super) fn missing(name: String, version: &str, reason: &str, tool: Tool) -> Library {
        Library {
            name,
            version: version.to_owned(),
            path: None,
            expected: None,
            reason: reason.to_owned(),
            tool,
            lacks_pom: false,
        }
    }

    fn coordinates(&self) -> String {
        match self.version.as_str() {
            "" if Path::new(&self.name).is_absolute() => self.name.clone(),
            "" => format!("{}:?", self.name),
            version => format!("{}:{version}", self.name),
        }
    }
}

/// A library with what the modules that see it say of it.
struct Sighting<'m> {
    library: &'m Library,
    modules: usize,
    depth: usize,
    /// The first module that sees it.
    first: &'m str,
    /// True if no module's main code sees it.
    is_test: bool,
    /// True if no module's build file tells that it is taken.
    is_guessed: bool,
}

/// Every library once, in the order in which modules name them.
fn sightings(modules: &[ModulePath]) -> Vec<Sighting<'_>> {
    let mut found: Vec<Sighting<'_>> = Vec::new();
    let mut places: FxHashMap<usize, usize> = FxHashMap::default();
    for module in modules {
        for entry in &module.entries {
            let next = found.len();
            let address = Arc::as_ptr(&entry.library).addr();
            let place = *places.entry(address).or_insert(next);
            if place == next {
                found.push(Sighting {
                    library: &entry.library,
                    modules: 0,
                    depth: entry.depth,
                    first: &module.dir,
                    is_test: true,
                    is_guessed: true,
                });
            }
            let sighting = &mut found[place];
            sighting.modules += 1;
            sighting.depth = sighting.depth.min(entry.depth);
            sighting.is_test &= entry.is_test;
            sighting.is_guessed &= entry.is_guessed;
        }
    }
    found
}

/// Adds the union of `modules` to the report, and gives the files that are awaited.
pub(super) fn unite(mut modules: Vec<ModulePath>, report: &mut LibraryReport) -> Vec<PathBuf> {
    // Nearer to the root first.
    modules.sort_by(|a, b| {
        let depth = |dir: &str| dir.split('/').filter(|part| !part.is_empty()).count();
        (depth(&a.dir), &a.dir).cmp(&(depth(&b.dir), &b.dir))
    });
    let found = sightings(&modules);
    let taken = versions(&found, report);
    let mut awaited = Vec::new();
    let mut known: FxHashSet<(&str, &str)> = FxHashSet::default();
    let mut paths: FxHashSet<PathBuf> = report.entries.iter().map(|e| e.path.clone()).collect();
    // An artifact that main code of any module sees is one of main code.
    let of_main: FxHashSet<&str> = found
        .iter()
        .filter(|sighting| !sighting.is_test)
        .map(|sighting| sighting.library.name.as_str())
        .collect();
    for is_test in [false, true] {
        for Sighting {
            library,
            first,
            is_guessed,
            ..
        } in &found
        {
            let version = taken.get(library.name.as_str()).copied();
            if of_main.contains(library.name.as_str()) == is_test
                || version != Some(library.version.as_str())
                || !known.insert((&library.name, &library.version))
            {
                continue;
            }
            let missing = |reason: &str| Missing {
                coordinates: library.coordinates(),
                reason: reason.to_owned(),
                wanted_by: (*first).to_owned(),
                tool: library.tool,
            };
            let Some(path) = &library.path else {
                awaited.extend(library.expected.clone());
                report.missing.push(missing(&library.reason));
                continue;
            };
            if library.lacks_pom {
                let reason = "the jar is there, but not its pom: what it depends on is not known";
                report.missing.push(missing(reason));
            }
            if paths.insert(path.clone()) {
                report.entries.push(Entry {
                    path: path.clone(),
                    coordinates: (!library.version.is_empty()).then(|| library.coordinates()),
                    tool: library.tool,
                    is_test,
                    is_guessed: *is_guessed,
                });
            }
        }
    }
    // A version that is not taken may have classes that the taken one lacks, as where a library changed its packages;
    // behind everything else it gives no more than these.
    for Sighting {
        library,
        is_guessed,
        ..
    } in &found
    {
        if let Some(path) = &library.path
            && taken.get(library.name.as_str()) != Some(&library.version.as_str())
            && paths.insert(path.clone())
        {
            report.entries.push(Entry {
                path: path.clone(),
                coordinates: Some(library.coordinates()),
                tool: library.tool,
                is_test: !of_main.contains(library.name.as_str()),
                is_guessed: *is_guessed,
            });
        }
    }
    report.missing.sort();
    report.missing.dedup();
    awaited
}

/// Which version of each artifact is taken: the one that most modules have, the newest of several; one that is there
/// before one that is not.
fn versions<'m>(found: &[Sighting<'m>], report: &mut LibraryReport) -> BTreeMap<&'m str, &'m str> {
    struct Version<'m> {
        modules: usize,
        is_there: bool,
        depth: usize,
        first: &'m str,
    }
    let mut all: BTreeMap<&str, BTreeMap<&str, Version<'_>>> = BTreeMap::new();
    for sighting in found {
        let library = sighting.library;
        let version = all
            .entry(&library.name)
            .or_default()
            .entry(&library.version)
            .or_insert(Version {
                modules: 0,
                is_there: library.path.is_some(),
                depth: sighting.depth,
                first: sighting.first,
            });
        version.modules += sighting.modules;
        version.depth = version.depth.min(sighting.depth);
    }
    let mut taken = BTreeMap::new();
    for (name, versions) in all {
        let best = versions.iter().max_by(|(a, x), (b, y)| {
            (x.is_there, x.modules)
                .cmp(&(y.is_there, y.modules))
                .then_with(|| version::compare(a, b))
                .then_with(|| y.depth.cmp(&x.depth))
                .then(Ordering::Equal)
        });
        let Some((&best, _)) = best else { continue };
        taken.insert(name, best);
        let others: Vec<(String, String)> = versions
            .iter()
            .filter(|(version, _)| **version != best && !version.is_empty())
            .map(|(version, of)| ((*version).to_owned(), of.first.to_owned()))
            .collect();
        if !others.is_empty() {
            report.conflicts.push(Conflict {
                name: name.to_owned(),
                taken: best.to_owned(),
                others,
            });
        }
    }
    taken
}
