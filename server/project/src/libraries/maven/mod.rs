//! The class path that poms describe, from the poms under the root and those in the local repository alone.

mod effective;
pub(super) mod graph;
mod model;
pub(super) mod repository;
pub(super) mod version;

use std::path::Path;

use super::report::{Missing, Processor, Tool};
use super::union::{Candidate, ModulePath};
use super::{Environment, Search};
use crate::maven::Artifact;
use crate::paths;
use effective::{Poms, Source};
use graph::Resolved;
use model::Machine;
use repository::{Gav, Repository};

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
    let mut poms = Poms::new(root, machine, &environment.variables, builds, repositories);
    for index in 0..poms.own.len() {
        let dir = poms.own[index].dir.clone();
        if let Some(effective) = poms.effective(&Source::Workspace(index), 0) {
            let release = effective.release.as_deref();
            search.release(release.map_or(0, super::jdk::feature_release));
            let others = |p: &&Artifact| p.group != "org.projectlombok";
            for processor in effective.processors.iter().filter(others) {
                search.report.processors.push(Processor {
                    name: format!("{}:{}", processor.group, processor.artifact),
                    module: dir.clone(),
                });
            }
        }
        let resolved = graph::resolve(&mut poms, index);
        let candidates = resolved
            .into_iter()
            .filter(|artifact| !artifact.in_workspace)
            .filter_map(|artifact| candidate(&artifact, root, &dir, &poms.repositories))
            .collect();
        search.modules.push(ModulePath { dir, candidates });
    }
    for (gav, who) in &poms.missing {
        search.report.missing.push(Missing {
            coordinates: format!("{}:pom:{}", name(gav), gav.version),
            wanted_by: who.clone(),
            tool: Tool::Maven,
            reason: "this parent or bill of materials is not in the local repository, so what it says about versions is not known".to_owned(),
        });
    }
}

fn name(gav: &Gav) -> String {
    format!("{}:{}", gav.group, gav.artifact)
}

fn candidate(
    artifact: &Resolved,
    root: &Path,
    dir: &str,
    repositories: &[Repository],
) -> Option<Candidate> {
    // A pom that is missing may stand for a whole set of libraries.
    if !artifact.has_classes && !artifact.lacks_pom {
        return None;
    }
    let gav = &artifact.gav;
    let is_known = !gav.version.is_empty() && !gav.version.contains("${");
    let (path, reason) = if let Some(file) = &artifact.system_path {
        let file = root.join(dir).join(file);
        let reason = format!("{} does not exist", file.display());
        (Some(file).filter(|file| file.is_file()), reason)
    } else if !is_known {
        let reason = "no version is known: what would tell it is missing, too";
        (None, reason.to_owned())
    } else if artifact.has_classes {
        let found = repositories
            .iter()
            .find_map(|repository| repository.file(gav, &artifact.suffix));
        (found, "not in the local repository".to_owned())
    } else {
        (None, "its pom is not in the local repository".to_owned())
    };
    Some(Candidate {
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
        is_test: artifact.is_test,
        depth: artifact.depth,
        tool: Tool::Maven,
        lacks_pom: artifact.lacks_pom && is_known,
    })
}
