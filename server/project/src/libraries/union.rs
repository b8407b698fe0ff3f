//! From the class path of each module to one for the workspace: main code's libraries before those of tests, of each
//! artifact one version, and behind them all the others, for classes that the one does not have.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use super::maven::version;
use super::report::{Conflict, Entry, LibraryReport, Missing, Tool};

/// What a module sees.
pub(super) struct ModulePath {
    /// Its folder, relative to the root.
    pub(super) dir: String,
    pub(super) candidates: Vec<Candidate>,
}

/// An artifact that a module sees.
pub(super) struct Candidate {
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
    pub(super) is_test: bool,
    /// 1 for what the module itself names.
    pub(super) depth: usize,
    pub(super) tool: Tool,
    /// Nothing tells what it depends on.
    pub(super) lacks_pom: bool,
}

impl Candidate {
    fn coordinates(&self) -> String {
        match self.version.as_str() {
            "" if Path::new(&self.name).is_absolute() => self.name.clone(),
            "" => format!("{}:?", self.name),
            version => format!("{}:{version}", self.name),
        }
    }
}

/// Adds the union of `modules` to the report, and gives the files that are awaited.
pub(super) fn unite(mut modules: Vec<ModulePath>, report: &mut LibraryReport) -> Vec<PathBuf> {
    // Nearer to the root first.
    modules.sort_by(|a, b| {
        let depth = |dir: &str| dir.split('/').filter(|part| !part.is_empty()).count();
        (depth(&a.dir), &a.dir).cmp(&(depth(&b.dir), &b.dir))
    });
    let taken = versions(&modules, report);
    let mut awaited = Vec::new();
    let mut known: FxHashSet<(&str, &str)> = FxHashSet::default();
    let mut paths: FxHashSet<PathBuf> = report.entries.iter().map(|e| e.path.clone()).collect();
    // An artifact that main code of any module sees is one of main code.
    let of_main: FxHashSet<&str> = modules
        .iter()
        .flat_map(|module| &module.candidates)
        .filter(|candidate| !candidate.is_test)
        .map(|candidate| candidate.name.as_str())
        .collect();
    for is_test in [false, true] {
        for module in &modules {
            for candidate in &module.candidates {
                let version = taken.get(candidate.name.as_str()).copied();
                if of_main.contains(candidate.name.as_str()) == is_test
                    || version != Some(candidate.version.as_str())
                    || !known.insert((&candidate.name, &candidate.version))
                {
                    continue;
                }
                let missing = |reason: &str| Missing {
                    coordinates: candidate.coordinates(),
                    reason: reason.to_owned(),
                    wanted_by: module.dir.clone(),
                    tool: candidate.tool,
                };
                let Some(path) = &candidate.path else {
                    awaited.extend(candidate.expected.clone());
                    report.missing.push(missing(&candidate.reason));
                    continue;
                };
                if candidate.lacks_pom {
                    let reason =
                        "the jar is there, but not its pom: what it depends on is not known";
                    report.missing.push(missing(reason));
                }
                if paths.insert(path.clone()) {
                    report.entries.push(Entry {
                        path: path.clone(),
                        coordinates: (!candidate.version.is_empty())
                            .then(|| candidate.coordinates()),
                        tool: candidate.tool,
                        is_test,
                    });
                }
            }
        }
    }
    // A version that is not taken may have classes that the taken one lacks, as where a library changed its packages;
    // behind everything else it gives no more than these.
    for candidate in modules.iter().flat_map(|module| &module.candidates) {
        if let Some(path) = &candidate.path
            && taken.get(candidate.name.as_str()) != Some(&candidate.version.as_str())
            && paths.insert(path.clone())
        {
            report.entries.push(Entry {
                path: path.clone(),
                coordinates: Some(candidate.coordinates()),
                tool: candidate.tool,
                is_test: !of_main.contains(candidate.name.as_str()),
            });
        }
    }
    report.missing.sort();
    report.missing.dedup();
    awaited
}

/// Which version of each artifact is taken: the one that most modules have, the newest of several; one that is there
/// before one that is not.
fn versions<'m>(
    modules: &'m [ModulePath],
    report: &mut LibraryReport,
) -> BTreeMap<&'m str, &'m str> {
    struct Version<'m> {
        modules: usize,
        is_there: bool,
        depth: usize,
        first: &'m str,
    }
    let mut all: BTreeMap<&str, BTreeMap<&str, Version<'_>>> = BTreeMap::new();
    for module in modules {
        for candidate in &module.candidates {
            let version = all
                .entry(&candidate.name)
                .or_default()
                .entry(&candidate.version)
                .or_insert(Version {
                    modules: 0,
                    is_there: candidate.path.is_some(),
                    depth: candidate.depth,
                    first: &module.dir,
                });
            version.modules += 1;
            version.depth = version.depth.min(candidate.depth);
        }
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
