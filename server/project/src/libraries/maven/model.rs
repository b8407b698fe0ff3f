//! One pom as its dependencies are concerned: as written, its profiles apart.

use std::cmp::Ordering;
use std::path::Path;

use rustc_hash::FxHashMap;

use crate::libraries::version;
use crate::maven::{Artifact, Parent, artifact, artifacts, parent};
use crate::paths;
use crate::xml::{Node, Tree};

/// A pom, properties not yet replaced.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) parent: Option<Parent>,
    pub(super) group: Option<String>,
    pub(super) artifact: String,
    pub(super) version: Option<String>,
    pub(super) packaging: Option<String>,
    pub(super) main: Section,
    pub(super) profiles: Vec<Profile>,
    /// Where the artifact went: group, artifact, version, as far as they changed.
    pub(super) relocation: Option<[Option<String>; 3]>,
}

/// What a project and a profile may both say.
#[derive(Debug, Default)]
pub(super) struct Section {
    pub(super) properties: FxHashMap<String, String>,
    pub(super) dependencies: Vec<Artifact>,
    pub(super) managed: Vec<Artifact>,
    /// `annotationProcessorPaths` of the compiler plugin.
    pub(super) processors: Vec<Artifact>,
    /// `release`, or else `target`, of the compiler plugin.
    pub(super) release: Option<String>,
}

#[derive(Debug)]
pub(super) struct Profile {
    pub(super) by_default: bool,
    pub(super) conditions: Vec<Condition>,
    pub(super) section: Section,
}

/// A part of a profile's `<activation>`; all must hold.
#[derive(Debug)]
pub(super) enum Condition {
    Jdk(String),
    /// Element name (`family`, `name`, `arch`) and value.
    Os(String, String),
    Property(String, Option<String>),
    Exists(String),
    Missing(String),
}

/// What profiles are activated by.
pub(super) struct Machine<'m> {
    /// The version of the JDK, where one was found.
    pub(super) java_version: Option<&'m str>,
    /// `-D` of `.mvn/maven.config`.
    pub(super) properties: &'m [(String, String)],
}

impl Model {
    /// What of the pom in `text` can be read; a broken one gives what stands before the break.
    pub(super) fn parse(text: &str) -> Option<Model> {
        let tree = Tree::parse(text);
        let project = tree.root("project")?;
        let own = |name| project.text_of(name).map(str::to_owned);
        let relocation = project.at(&["distributionManagement", "relocation"]);
        let profiles = project
            .children("profiles")
            .flat_map(|all| all.children("profile"));
        Some(Model {
            parent: project.child("parent").map(parent),
            group: own("groupId"),
            artifact: own("artifactId").unwrap_or_default(),
            version: own("version"),
            packaging: own("packaging"),
            main: Section::parse(project),
            profiles: profiles.map(Profile::parse).collect(),
            relocation: relocation.map(|to| {
                ["groupId", "artifactId", "version"].map(|name| to.text_of(name).map(str::to_owned))
            }),
        })
    }

    /// The sections that count on `machine`, for [`Model::section`]: the project's own, then those of the active
    /// profiles, each of which overrides those before it.
    pub(super) fn active(&self, machine: &Machine<'_>, folder: Option<&Path>) -> Vec<usize> {
        let holds = |profile: &Profile| {
            !profile.conditions.is_empty()
                && profile.conditions.iter().all(|c| c.holds(machine, folder))
        };
        let profiles = |counts: &dyn Fn(&Profile) -> bool| {
            let profiles = self.profiles.iter().enumerate();
            let profiles = profiles.filter(|(_, profile)| counts(profile));
            profiles.map(|(index, _)| index + 1).collect::<Vec<usize>>()
        };
        let mut active = profiles(&holds);
        if active.is_empty() {
            active = profiles(&|profile| profile.by_default);
        }
        active.insert(0, 0);
        active
    }

    /// The project's own section at 0, then those of the profiles.
    pub(super) fn section(&self, index: usize) -> &Section {
        match index.checked_sub(1).and_then(|at| self.profiles.get(at)) {
            Some(profile) => &profile.section,
            None => &self.main,
        }
    }
}

impl Section {
    fn parse(node: Node<'_>) -> Section {
        let properties = node.children("properties").flat_map(Node::elements);
        let mut section = Section {
            properties: properties
                .map(|property| (property.name().to_owned(), property.text().to_owned()))
                .collect(),
            dependencies: artifacts(node),
            managed: node
                .child("dependencyManagement")
                .map(artifacts)
                .unwrap_or_default(),
            ..Section::default()
        };
        let build = node.child("build");
        let managed = node.at(&["build", "pluginManagement"]);
        for plugin in [build, managed]
            .into_iter()
            .flatten()
            .flat_map(|at| at.children("plugins"))
            .flat_map(|all| all.children("plugin"))
            .filter(|plugin| plugin.text_of("artifactId") == Some("maven-compiler-plugin"))
        {
            let executions = plugin
                .children("executions")
                .flat_map(|all| all.children("execution"));
            for configuration in std::iter::once(plugin)
                .chain(executions)
                .filter_map(|at| at.child("configuration"))
            {
                section.processors.extend(
                    configuration
                        .children("annotationProcessorPaths")
                        .flat_map(Node::elements)
                        .map(artifact),
                );
                if section.release.is_none() {
                    let said = |name| configuration.text_of(name).map(str::to_owned);
                    section.release = said("release").or_else(|| said("target"));
                }
            }
        }
        section
    }
}

impl Profile {
    fn parse(node: Node<'_>) -> Profile {
        let activation = node.child("activation");
        let mut profile = Profile {
            by_default: activation.and_then(|a| a.text_of("activeByDefault")) == Some("true"),
            conditions: Vec::new(),
            section: Section::parse(node),
        };
        for part in activation.into_iter().flat_map(Node::elements) {
            let text = |name| part.text_of(name).map(str::to_owned);
            match part.name() {
                "jdk" => profile
                    .conditions
                    .push(Condition::Jdk(part.text().to_owned())),
                "os" => profile.conditions.extend(
                    part.elements()
                        .map(|e| Condition::Os(e.name().to_owned(), e.text().to_owned())),
                ),
                "property" => {
                    let name = text("name").unwrap_or_default();
                    profile
                        .conditions
                        .push(Condition::Property(name, text("value")));
                }
                "file" => {
                    profile
                        .conditions
                        .extend(text("exists").map(Condition::Exists));
                    profile
                        .conditions
                        .extend(text("missing").map(Condition::Missing));
                }
                _ => {}
            }
        }
        profile
    }
}

impl Condition {
    fn holds(&self, machine: &Machine<'_>, folder: Option<&Path>) -> bool {
        match self {
            Condition::Jdk(wanted) => machine
                .java_version
                .is_some_and(|own| is_jdk(own, wanted.trim())),
            Condition::Os(what, wanted) => {
                let (wanted, negated) = negated(wanted);
                is_os(what, &wanted.to_lowercase()) != negated
            }
            Condition::Property(name, value) => {
                let (name, absent) = negated(name);
                let own = machine.properties.iter().find(|(key, _)| key == name);
                match (own, value) {
                    (own, None) => own.is_some() != absent,
                    (own, Some(value)) => {
                        let (value, differs) = negated(value);
                        own.is_some_and(|(_, own)| own == value) != differs
                    }
                }
            }
            Condition::Exists(path) => file(path, folder).is_some_and(|path| path.exists()),
            Condition::Missing(path) => file(path, folder).is_some_and(|path| !path.exists()),
        }
    }
}

fn negated(text: &str) -> (&str, bool) {
    text.strip_prefix('!')
        .map_or((text, false), |rest| (rest, true))
}

/// The file that a condition names, if it can be told without properties.
fn file(path: &str, folder: Option<&Path>) -> Option<std::path::PathBuf> {
    let rest = path
        .strip_prefix("${basedir}")
        .or(path.strip_prefix("${project.basedir}"))
        .map_or(path, |rest| rest.trim_start_matches(['/', '\\']));
    let is_known = !rest.contains("${") && !paths::is_remote(rest);
    is_known.then_some(folder?.join(rest))
}

/// `1.8`, `!1.8`, `[11,17)`: a version of a JDK as a profile names it.
fn is_jdk(own: &str, wanted: &str) -> bool {
    if let (wanted, true) = negated(wanted) {
        return !is_jdk(own, wanted);
    }
    if version::is_range(wanted) {
        // `(,17]` means every 17.
        return version::is_in_range(own, wanted)
            || version::compare(own, wanted).is_eq()
            || wanted.ends_with(']')
                && wanted[1..wanted.len() - 1]
                    .rsplit(',')
                    .next()
                    .is_some_and(|high| !high.is_empty() && starts_with(own, high.trim()));
    }
    starts_with(own, wanted)
}

fn starts_with(own: &str, wanted: &str) -> bool {
    match version::compare(own, wanted) {
        Ordering::Equal => true,
        _ => own
            .strip_prefix(wanted)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit())),
    }
}

fn is_os(what: &str, wanted: &str) -> bool {
    let os = std::env::consts::OS;
    match what {
        "family" => match wanted {
            "windows" | "mac" => {
                (wanted == "mac" && os == "macos") || (wanted == "windows" && os == "windows")
            }
            "unix" => cfg!(unix),
            _ => false,
        },
        "name" => match os {
            "macos" => wanted == "mac os x",
            "windows" => wanted.starts_with("windows"),
            _ => wanted == os,
        },
        "arch" => match std::env::consts::ARCH {
            "x86_64" => matches!(wanted, "amd64" | "x86_64"),
            arch => wanted == arch,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_jdk;

    #[test]
    fn jdks_of_profiles() {
        for (wanted, holds) in [
            ("17", true),
            ("1.8", false),
            ("!1.8", true),
            ("[11,)", true),
            ("[11,17)", false),
            ("(,17]", true),
            ("[18,)", false),
            ("1", false),
        ] {
            assert_eq!(is_jdk("17.0.15", wanted), holds, "{wanted}");
        }
        assert!(is_jdk("1.8.0_402", "1.8"));
    }
}
