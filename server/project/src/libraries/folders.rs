//! Jars that lie in folders for libraries, and those that an Eclipse `.classpath` names: for projects that no other
//! build tool explains.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use super::awaited::{Awaited, jars_below};
use super::report::Tool;
use super::repository;
use super::union::{ModulePath, PathEntry};
use super::{Environment, Search, gradle};
use crate::module::Notation;
use crate::paths;

/// Folders that hold jars by convention, at a module's own folder.
const FOLDERS: &[&str] = &[
    "lib",
    "libs",
    "jars",
    "WEB-INF/lib",
    "WebContent/WEB-INF/lib",
];

/// Folders below those of [`FOLDERS`] are looked into, so deep.
const DEEPEST: usize = 3;

/// Adds the jars of Eclipse's files and of folders among the modules that have no pom and no Gradle script.
pub(super) fn search(
    root: &Path,
    builds: &[String],
    environment: &Environment,
    search: &mut Search,
) {
    let explained: FxHashSet<&str> = builds
        .iter()
        .filter(|path| {
            let name = paths::name(path);
            name == "pom.xml" || name.ends_with(".gradle") || name.ends_with(".gradle.kts")
        })
        .filter_map(|path| paths::parent(path))
        .collect();
    for module in crate::eclipse::modules(root, builds, &mut Vec::new()) {
        if explained.contains(module.dir.as_str()) {
            continue;
        }
        let mut entries = Vec::new();
        for library in &module.libraries {
            let Notation::File(text) = &library.notation else {
                continue;
            };
            match eclipse_path(root, &module.dir, text, environment) {
                Some(path) => {
                    let is_test = library.from == "test";
                    entries.push(gradle::file(path, is_test, Tool::Eclipse));
                }
                // Or it starts at the root of the workspace, which files do not tell.
                None => search
                    .awaited
                    .extend(paths::elsewhere(text).map(Awaited::File)),
            }
        }
        search.modules.push(ModulePath {
            dir: module.dir,
            entries,
        });
    }
    let plain = builds
        .iter()
        .filter(|path| matches!(paths::name(path), "build.xml" | ".classpath"))
        .filter_map(|path| paths::parent(path));
    let mut dirs: Vec<&str> = plain.chain([""]).collect();
    dirs.sort_unstable();
    dirs.dedup();
    for dir in dirs.into_iter().filter(|dir| !explained.contains(dir)) {
        let folders = FOLDERS.iter().map(|folder| root.join(dir).join(folder));
        let entries: Vec<PathEntry> = folders
            .flat_map(|folder| {
                search.awaited.push(Awaited::jars(&folder, DEEPEST));
                jars_below(&folder, DEEPEST)
            })
            .filter(|jar| holds_classes(jar))
            .map(|jar| gradle::file(jar, false, Tool::Folder))
            .collect();
        search.modules.push(ModulePath {
            dir: dir.to_owned(),
            entries,
        });
    }
}

/// False for jars of sources and documentation.
fn holds_classes(jar: &Path) -> bool {
    let stem = jar.file_stem().and_then(|stem| stem.to_str());
    stem.is_some_and(|stem| {
        !["-sources", "-src", "-javadoc"]
            .iter()
            .any(|e| stem.ends_with(e))
    })
}

/// The file that an entry means: relative to the module, from the root of the workspace (`/project/…`, not told from
/// files), or from a variable, of which `M2_REPO` is known.
fn eclipse_path(root: &Path, dir: &str, text: &str, environment: &Environment) -> Option<PathBuf> {
    if let Some(rest) = text.strip_prefix("M2_REPO/") {
        let rest = rest.trim_start_matches(['/', '\\']);
        let options = repository::options(root);
        return Some(repository::local_repository(environment, &options)?.join(rest));
    }
    match paths::join(root, dir, text) {
        Some(path) => Some(root.join(path)),
        None => paths::elsewhere(text).filter(|path| path.exists()),
    }
}
