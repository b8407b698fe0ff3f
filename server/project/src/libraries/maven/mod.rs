//! The class path that poms describe, from the poms under the root and those in the local repository alone.

mod effective;
mod graph;
pub(super) mod highest;
mod managed;
mod model;
mod properties;

use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::awaited::Awaited;
use super::report::{Missing, Processor, Tool};
use super::repository::{self, Gav, Repository};
use super::union::{Library, ModulePath, PathEntry};
use super::version::feature_release;
use super::{Environment, Search};
use crate::maven::Artifact;
use crate::paths;
use effective::{Poms, Source};
use graph::{Graph, Resolved};
use model::Machine;

/// Adds what the poms among `builds` say to `search`.
pub(super) fn search(
    root: &Path,
    builds: &[String],
    java_version: Option<&str>,
    environment: &Environment,
    search: &mut Search,
) {
    if !builds.iter().any(|path| paths::name(path) == "pom.xml") {
        return;
    }
    let options = repository::options(root);
    let mut repositories = Vec::new();
    if let Some(local) = repository::local_repository(environment, &options) {
        search.report.repositories.push(local.clone());
        repositories.push(Repository::Maven(local));
    }
    let machine = Machine {
        java_version,
        properties: &options,
    };
    let mut poms = Poms::new(root, machine, builds, repositories);
    let mut graph = Graph::default();
    let mut libraries: FxHashMap<usize, Option<Arc<Library>>> = FxHashMap::default();
    for index in 0..poms.own.len() {
        let dir = poms.own[index].dir.clone();
        if let Some(effective) = poms.effective(&Source::Workspace(index), 0) {
            let release = effective.release.as_deref();
            search.release(release.map_or(0, feature_release));
            let others = |p: &&Artifact| p.group != "org.projectlombok";
            for processor in effective.processors.iter().filter(others) {
                search.report.processors.push(Processor {
                    name: format!("{}:{}", processor.group, processor.artifact),
                    module: dir.clone(),
                });
            }
        }
        let mut entries = Vec::new();
        for seen in graph.resolve(&mut poms, index) {
            let artifact = graph.artifact(seen.place);
            let library = match artifact.system_path {
                // As the module that asks for it means it.
                Some(_) => library(artifact, root, &dir, &poms.repositories).map(Arc::new),
                None => libraries
                    .entry(seen.place)
                    .or_insert_with(|| {
                        library(artifact, root, &dir, &poms.repositories).map(Arc::new)
                    })
                    .clone(),
            };
            entries.extend(library.map(|library| PathEntry {
                library,
                is_test: seen.is_test,
                depth: seen.depth,
                is_guessed: false,
            }));
        }
        search.modules.push(ModulePath { dir, entries });
    }
    search.work.entries += poms.expanded;
    search.work.edges += graph.followed;
    for (gav, who) in &poms.missing {
        let awaited = Awaited::artifact(&poms.repositories, gav, ".pom");
        search.awaited.extend(awaited);
        search.report.missing.push(Missing {
            coordinates: format!("{}:pom:{}", name(gav), gav.version),
            wanted_by: who.clone(),
            tool: Tool::Maven,
            reason: "this parent or bill of materials is not in the local repository, so what it says about versions is not known".to_owned(),
        });
    }
}

/// Why an artifact without a known version has none.
fn unknown(gav: &Gav) -> &'static str {
    let of_environment = |part: &String| part.contains("${env.");
    if [&gav.group, &gav.artifact, &gav.version]
        .into_iter()
        .any(of_environment)
    {
        "a variable of the environment names it, and the values of these are not looked at"
    } else {
        "no version is known: what would tell it is missing, too"
    }
}

fn name(gav: &Gav) -> String {
    format!("{}:{}", gav.group, gav.artifact)
}

/// What an artifact is as a part of a class path; `None` for modules of the workspace and what has no classes.
fn library(
    artifact: &Resolved,
    root: &Path,
    dir: &str,
    repositories: &[Repository],
) -> Option<Library> {
    // A pom that is missing may stand for a whole set of libraries.
    if artifact.in_workspace || !artifact.has_classes && !artifact.lacks_pom {
        return None;
    }
    let gav = &artifact.gav;
    let is_open = |part: &String| part.contains("${");
    let is_known = !gav.version.is_empty()
        && ![&gav.group, &gav.artifact, &gav.version]
            .into_iter()
            .any(is_open);
    let (path, reason) = if let Some(file) = &artifact.system_path {
        if paths::is_remote(file) {
            let reason = "its path leads to another machine, where nothing is looked at";
            return Some(Library::missing(
                name(gav),
                &gav.version,
                reason,
                Tool::Maven,
            ));
        }
        let file = root.join(dir).join(file);
        let reason = format!("{} does not exist", file.display());
        (Some(file).filter(|file| file.is_file()), reason)
    } else if !is_known {
        (None, unknown(gav).to_owned())
    } else if artifact.has_classes {
        let found = repositories
            .iter()
            .find_map(|repository| repository.file(gav, &artifact.suffix));
        (found, "not in the local repository".to_owned())
    } else {
        (None, "its pom is not in the local repository".to_owned())
    };
    Some(Library {
        name: match &artifact.classifier {
            Some(classifier) => format!("{}:{classifier}", name(gav)),
            None => name(gav),
        },
        version: gav.version.clone(),
        expected: repositories
            .iter()
            .find_map(|repository| repository.expected(gav, &artifact.suffix))
            .filter(|_| is_known && artifact.has_classes && artifact.system_path.is_none()),
        path,
        reason,
        tool: Tool::Maven,
        lacks_pom: artifact.lacks_pom && is_known,
    })
}
