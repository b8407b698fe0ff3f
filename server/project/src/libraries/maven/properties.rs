//! A pom with its parents, and what its properties stand for.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::model::{Machine, Model, Section};
use crate::libraries::repository::Gav;
use crate::maven::{Artifact, expand};

/// A pom with its parents, nearest first.
pub(super) struct Lineage {
    pub(super) levels: Vec<Level>,
    /// The folder of the pom, if it is one of the workspace.
    pub(super) folder: Option<PathBuf>,
}

/// One of the poms of a lineage.
pub(super) struct Level {
    pub(super) model: Arc<Model>,
    /// Its sections that count here.
    pub(super) active: Box<[usize]>,
}

impl Lineage {
    pub(super) fn new(
        first: Arc<Model>,
        folder: Option<PathBuf>,
        machine: &Machine<'_>,
    ) -> Lineage {
        let mut lineage = Lineage {
            levels: Vec::new(),
            folder,
        };
        lineage.push(first, machine);
        lineage
    }

    pub(super) fn push(&mut self, model: Arc<Model>, machine: &Machine<'_>) {
        let active = model.active(machine, self.folder.as_deref()).into();
        self.levels.push(Level { model, active });
    }
}

impl Level {
    /// Its sections that count, each of which overrides those before it.
    pub(super) fn sections(&self) -> impl DoubleEndedIterator<Item = &Section> {
        self.active.iter().map(|&index| self.model.section(index))
    }

    /// The names of the properties that it gives.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let names = self
            .sections()
            .flat_map(|section| section.properties.keys());
        names.map(String::as_str)
    }

    pub(super) fn says(&self, name: &str) -> bool {
        self.sections()
            .any(|section| section.properties.contains_key(name))
    }
}

/// The properties of a pom with its parents, looked up from the nearest on.
pub(super) struct Properties<'p> {
    pub(super) lineage: &'p Lineage,
    /// `-D` of `.mvn/maven.config`, which win.
    given: &'p [(String, String)],
    special: FxHashMap<&'static str, String>,
    /// What was asked for since [`Properties::note`], with the answers.
    asked: RefCell<Option<Asked>>,
}

/// Names of properties with what they stood for.
pub(super) type Asked = FxHashMap<String, Option<String>>;

impl<'p> Properties<'p> {
    pub(super) fn of(lineage: &'p Lineage, machine: &Machine<'p>) -> Properties<'p> {
        let mut special: FxHashMap<&'static str, String> = FxHashMap::default();
        if let Some(own) = lineage.levels.first().map(|level| &level.model) {
            let parent = own.parent.as_ref();
            let group = own.group.as_ref().or(parent.map(|parent| &parent.group));
            let version = own.version.as_ref();
            let version = version.or(parent.and_then(|parent| parent.version.as_ref()));
            for (name, value) in [
                ("groupId", group),
                ("version", version),
                ("artifactId", Some(&own.artifact)),
                ("parent.groupId", parent.map(|parent| &parent.group)),
                ("parent.artifactId", parent.map(|parent| &parent.artifact)),
                ("parent.version", parent.and_then(|p| p.version.as_ref())),
            ] {
                special.extend(value.map(|value| (name, value.clone())));
            }
        }
        if let Some(folder) = &lineage.folder {
            special.insert("basedir", folder.to_string_lossy().into_owned());
        }
        Properties {
            lineage,
            given: machine.properties,
            special,
            asked: RefCell::new(None),
        }
    }

    /// What a property stands for. Variables of the environment (`env.X`) are none: their values are the user's, and what
    /// a project's files name ends in messages.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        let value = self.value(name);
        if let Some(asked) = self.asked.borrow_mut().as_mut()
            && !asked.contains_key(name)
        {
            asked.insert(name.to_owned(), value.clone());
        }
        value
    }

    fn value(&self, name: &str) -> Option<String> {
        let plain = || self.plain(name).map(str::to_owned);
        let bare = name
            .strip_prefix("project.")
            .or_else(|| name.strip_prefix("pom."));
        match (bare, self.special.get(bare.unwrap_or(name))) {
            (Some(_), Some(value)) => Some(value.clone()),
            (None, Some(value)) => plain().or_else(|| Some(value.clone())),
            (_, None) => plain(),
        }
    }

    fn plain(&self, name: &str) -> Option<&str> {
        let given = self.given.iter().rev().find(|(own, _)| own == name);
        let sections = || {
            let levels = self.lineage.levels.iter();
            levels.flat_map(|level| level.sections().rev())
        };
        given
            .map(|(_, value)| value)
            .or_else(|| sections().find_map(|section| section.properties.get(name)))
            .map(String::as_str)
    }

    /// Starts to note what is asked for.
    pub(super) fn note(&self) {
        *self.asked.borrow_mut() = Some(Asked::default());
    }

    /// What was asked for since.
    pub(super) fn noted(&self) -> Asked {
        self.asked.borrow_mut().take().unwrap_or_default()
    }

    pub(super) fn expand(&self, text: &str) -> String {
        expand(text, |name| self.get(name))
    }

    pub(super) fn artifact(&self, raw: &Artifact) -> Artifact {
        let expand = |text: &Option<String>| text.as_ref().map(|text| self.expand(text));
        Artifact {
            group: self.expand(&raw.group),
            artifact: self.expand(&raw.artifact),
            version: expand(&raw.version),
            kind: expand(&raw.kind),
            classifier: expand(&raw.classifier),
            scope: expand(&raw.scope),
            optional: expand(&raw.optional),
            exclusions: raw
                .exclusions
                .iter()
                .map(|(group, artifact)| (self.expand(group), self.expand(artifact)))
                .collect(),
            system_path: expand(&raw.system_path),
        }
    }

    pub(super) fn gav(&self) -> Gav {
        let part = |name| self.expand(self.special.get(name).map_or("", String::as_str));
        Gav {
            group: part("groupId"),
            artifact: part("artifactId"),
            version: part("version"),
        }
    }
}

/// True for what is told of a pom as such, with `project.` before it or without.
pub(super) fn is_special(name: &str) -> bool {
    let bare = name
        .strip_prefix("project.")
        .or_else(|| name.strip_prefix("pom."));
    matches!(
        bare.unwrap_or(name),
        "groupId"
            | "version"
            | "artifactId"
            | "basedir"
            | "parent.groupId"
            | "parent.artifactId"
            | "parent.version"
    )
}
