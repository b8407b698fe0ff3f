//! A local repository of artifacts: Maven's (`~/.m2/repository`) or Gradle's (`~/.gradle/caches`).

use std::fs;
use std::path::{Path, PathBuf};

use super::version;
use crate::libraries::Environment;
use crate::maven::expand;
use crate::paths;
use crate::read::read_build_file;
use crate::xml::Tree;

/// Where an artifact's files are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Repository {
    /// `g/r/o/u/p/artifact/version/artifact-version.jar`.
    Maven(PathBuf),
    /// `group/artifact/version/SHA1/artifact-version.jar`.
    Gradle(PathBuf),
}

/// Group, artifact and version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Gav {
    pub(crate) group: String,
    pub(crate) artifact: String,
    pub(crate) version: String,
}

impl Gav {
    pub(crate) fn new(group: &str, artifact: &str, version: &str) -> Gav {
        Gav {
            group: group.to_owned(),
            artifact: artifact.to_owned(),
            version: version.to_owned(),
        }
    }

    /// False for what would lead out of the repository, or names no file.
    fn is_path(&self) -> bool {
        let fits = |part: &str| {
            !part.is_empty() && part != "." && part != ".." && !part.contains(['/', '\\', '\0'])
        };
        self.group.split('.').all(fits) && fits(&self.artifact) && fits(&self.version)
    }
}

impl std::fmt::Display for Gav {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.group, self.artifact, self.version)
    }
}

impl Repository {
    fn folder(&self, group: &str, artifact: &str) -> PathBuf {
        match self {
            Repository::Maven(root) => {
                let mut path = root.clone();
                path.extend(group.split('.'));
                path.join(artifact)
            }
            Repository::Gradle(root) => root.join(group).join(artifact),
        }
    }

    /// The file of an artifact, if it is there. `suffix` is what follows the version: `.pom`, `-tests.jar`.
    pub(crate) fn file(&self, gav: &Gav, suffix: &str) -> Option<PathBuf> {
        if !gav.is_path() || suffix.contains(['/', '\\', '\0']) {
            return None;
        }
        let folder = self.folder(&gav.group, &gav.artifact).join(&gav.version);
        let name = format!("{}-{}{suffix}", gav.artifact, gav.version);
        match self {
            Repository::Maven(_) => {
                let file = folder.join(&name);
                if file.is_file() {
                    return Some(file);
                }
                snapshot(&folder, gav, suffix)
            }
            Repository::Gradle(_) => {
                let mut found: Vec<PathBuf> = fs::read_dir(folder)
                    .ok()?
                    .flatten()
                    .map(|entry| entry.path().join(&name))
                    .filter(|file| file.is_file())
                    .collect();
                found.sort();
                found.into_iter().next()
            }
        }
    }

    /// Where the file would be, if that can be told; for a Gradle cache it cannot.
    pub(crate) fn expected(&self, gav: &Gav, suffix: &str) -> Option<PathBuf> {
        let Repository::Maven(_) = self else {
            return None;
        };
        let folder = self.folder(&gav.group, &gav.artifact).join(&gav.version);
        let name = format!("{}-{}{suffix}", gav.artifact, gav.version);
        gav.is_path().then(|| folder.join(name))
    }

    /// The newest version in `range` of which there is a pom.
    pub(crate) fn newest(&self, group: &str, artifact: &str, range: &str) -> Option<String> {
        if !Gav::new(group, artifact, "1").is_path() {
            return None;
        }
        let listing = fs::read_dir(self.folder(group, artifact)).ok()?;
        let versions = listing
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok());
        versions
            .filter(|version| version::is_in_range(version, range))
            .filter(|version| {
                self.file(&Gav::new(group, artifact, version), ".pom")
                    .is_some()
            })
            .max_by(|a, b| version::compare(a, b).then_with(|| a.cmp(b)))
    }
}

/// A snapshot that was downloaded has its time in the place of `SNAPSHOT`; the latest counts.
fn snapshot(folder: &Path, gav: &Gav, suffix: &str) -> Option<PathBuf> {
    let base = gav.version.strip_suffix("SNAPSHOT")?;
    let start = format!("{}-{base}", gav.artifact);
    let is_time = |name: &str| {
        let middle = name
            .strip_prefix(&start)
            .and_then(|rest| rest.strip_suffix(suffix));
        middle.is_some_and(|m| {
            m.starts_with(|c: char| c.is_ascii_digit())
                && m.bytes()
                    .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-'))
        })
    };
    let names = fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok());
    let latest = names
        .filter(|name| is_time(name))
        .max_by(|a, b| version::compare(a, b).then_with(|| a.cmp(b)))?;
    Some(folder.join(latest))
}

/// Maven's local repository: what `.mvn/maven.config` says, the user's settings, Maven's own settings, or else
/// `~/.m2/repository`.
pub(crate) fn local_repository(
    environment: &Environment,
    options: &[(String, String)],
) -> Option<PathBuf> {
    let option = options
        .iter()
        .find(|(name, _)| name == "maven.repo.local")
        .map(|(_, value)| value.clone());
    let of_user = environment.below_home(".m2/settings.xml");
    let of_maven = environment
        .maven_home
        .as_ref()
        .map(|home| home.join("conf/settings.xml"));
    let of_project = option.is_some();
    let said = option.or_else(|| {
        [of_user, of_maven]
            .into_iter()
            .flatten()
            .find_map(|file| setting(&file))
    });
    match said {
        Some(path) if of_project && paths::is_remote(&path) => None,
        Some(path) => {
            let home = environment.home.as_ref().and_then(|home| home.to_str());
            let path = expand(&path, |name| match name.strip_prefix("env.") {
                // The user's own settings may name them, a project's files may not.
                Some(_) if of_project => None,
                Some(name) => environment.variable(name).map(str::to_owned),
                None if name == "user.home" => home.map(str::to_owned),
                None => None,
            });
            Some(environment.expand_home(&path))
        }
        None => environment.below_home(".m2/repository"),
    }
}

fn setting(file: &Path) -> Option<String> {
    let text = read_build_file(file).ok()?;
    let tree = Tree::parse(&text);
    tree.root("settings")?
        .text_of("localRepository")
        .map(str::to_owned)
}

/// The `-Dname=value` of `.mvn/maven.config` under `root`.
pub(crate) fn options(root: &Path) -> Vec<(String, String)> {
    let text = read_build_file(&root.join(".mvn/maven.config")).unwrap_or_default();
    text.split_whitespace()
        .filter_map(|word| word.strip_prefix("-D"))
        .map(|word| {
            let (name, value) = word.split_once('=').unwrap_or((word, "true"));
            (name.to_owned(), value.to_owned())
        })
        .collect()
}
