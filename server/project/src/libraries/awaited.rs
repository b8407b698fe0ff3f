//! What is not there, or not all there, and would change the class path if it came: a jar that a build file names, an
//! artifact that no repository has, jars in the folders that were looked into. Where a library was removed, this is how
//! it is noticed that it is back.

use std::path::{Path, PathBuf};

use super::repository::{Gav, Repository};

/// See the module's description.
#[derive(Clone, Debug)]
pub(crate) enum Awaited {
    /// A file that was not there.
    File(PathBuf),
    /// A file that a repository did not have; `suffix` is what follows the version.
    Artifact {
        repository: Repository,
        gav: Gav,
        suffix: String,
    },
    /// The jars in a folder, and how deep below it they were looked for.
    Jars {
        folder: PathBuf,
        deepest: usize,
        found: Vec<PathBuf>,
    },
}

impl Awaited {
    /// What is missing in these repositories; nothing if one of them has it.
    pub(crate) fn artifact(
        repositories: &[Repository],
        gav: &Gav,
        suffix: &str,
    ) -> impl Iterator<Item = Awaited> {
        let is_there = repositories.iter().any(|r| r.file(gav, suffix).is_some());
        let missing = if is_there { &[] } else { repositories };
        missing.iter().map(move |repository| Awaited::Artifact {
            repository: repository.clone(),
            gav: gav.clone(),
            suffix: suffix.to_owned(),
        })
    }

    /// The jars that are in a folder now.
    pub(crate) fn jars(folder: &Path, deepest: usize) -> Awaited {
        Awaited::Jars {
            folder: folder.to_path_buf(),
            deepest,
            found: jars_below(folder, deepest),
        }
    }

    /// True if the class path would be another one now.
    pub(crate) fn has_come(&self) -> bool {
        match self {
            Awaited::File(path) => path.exists(),
            Awaited::Artifact {
                repository,
                gav,
                suffix,
            } => repository.file(gav, suffix).is_some(),
            Awaited::Jars {
                folder,
                deepest,
                found,
            } => jars_below(folder, *deepest) != *found,
        }
    }
}

/// The jars in a folder and the folders below it, so deep, sorted.
pub(crate) fn jars_below(folder: &Path, deepest: usize) -> Vec<PathBuf> {
    let is_jar = |path: &Path| {
        let extension = path.extension().and_then(|e| e.to_str());
        extension.is_some_and(|e| e.eq_ignore_ascii_case("jar"))
    };
    let mut jars = Vec::new();
    let mut open = vec![(folder.to_path_buf(), 0)];
    while let Some((at, depth)) = open.pop() {
        let Ok(listing) = std::fs::read_dir(&at) else {
            continue;
        };
        for entry in listing.flatten() {
            let path = entry.path();
            if depth < deepest && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push((path.clone(), depth + 1));
            }
            if is_jar(&path) {
                jars.push(path);
            }
        }
    }
    jars.sort();
    jars
}
