//! Effective poms: parents inherited, profiles applied, properties replaced, dependency management with its imported
//! bills of materials in force, as Maven's model builder does it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::model::{Machine, Model};
use super::repository::{Gav, Repository};
use super::version;
use crate::maven::{Artifact, expand};
use crate::paths;
use crate::read::read_build_file;

/// More parents than this are a loop that coordinates hide.
const DEEPEST: usize = 64;

/// A pom ready for use.
#[derive(Debug, Default)]
pub(super) struct Effective {
    pub(super) gav: Option<Gav>,
    /// Its own dependencies, with what dependency management says of them.
    pub(super) dependencies: Vec<Artifact>,
    pub(super) managed: Managed,
    /// The annotation processors that the compiler plugin is told.
    pub(super) processors: Vec<Artifact>,
    /// The release of Java that it is compiled for, as written.
    pub(super) release: Option<String>,
    pub(super) relocation: Option<Gav>,
    /// It is of packaging `pom`: there is no jar.
    pub(super) is_pom: bool,
}

/// Dependency management: the first entry of a key counts.
#[derive(Debug, Default)]
pub(super) struct Managed {
    entries: Vec<Artifact>,
    by_key: FxHashMap<Key, usize>,
}

/// What tells two dependencies apart: group, artifact, kind, classifier.
type Key = (String, String, String, String);

pub(super) fn key(artifact: &Artifact) -> Key {
    let kind = artifact.kind.as_deref().unwrap_or("jar");
    let classifier = artifact.classifier.as_deref().unwrap_or("");
    (
        artifact.group.clone(),
        artifact.artifact.clone(),
        kind.to_owned(),
        classifier.to_owned(),
    )
}

impl Managed {
    fn add(&mut self, artifact: Artifact) {
        let next = self.entries.len();
        if *self.by_key.entry(key(&artifact)).or_insert(next) == next {
            self.entries.push(artifact);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Artifact> {
        self.entries.iter()
    }

    pub(super) fn get(&self, artifact: &Artifact) -> Option<&Artifact> {
        self.by_key
            .get(&key(artifact))
            .map(|&index| &self.entries[index])
    }
}

/// A pom of the workspace.
pub(super) struct Own {
    /// The file, relative to the root.
    pub(super) path: String,
    pub(super) dir: String,
    model: Arc<Model>,
}

/// Where a pom is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Source {
    Workspace(usize),
    Repository(Gav),
}

/// All poms that are looked at, each read once.
pub(super) struct Poms<'m> {
    root: &'m Path,
    machine: Machine<'m>,
    variables: &'m [(String, String)],
    pub(super) own: Vec<Own>,
    by_path: FxHashMap<String, usize>,
    /// By group and artifact.
    by_name: FxHashMap<(String, String), usize>,
    pub(super) repositories: Vec<Repository>,
    models: FxHashMap<Gav, Option<Arc<Model>>>,
    effective: FxHashMap<Source, Option<Arc<Effective>>>,
    /// Poms that are parents or bills of materials and not there, with who names them.
    pub(super) missing: Vec<(Gav, String)>,
}

/// A pom with its parents, nearest first.
struct Lineage {
    models: Vec<Arc<Model>>,
    /// The folder of the pom, if it is one of the workspace.
    folder: Option<PathBuf>,
}

impl<'m> Poms<'m> {
    pub(super) fn new(
        root: &'m Path,
        machine: Machine<'m>,
        variables: &'m [(String, String)],
        builds: &[String],
        repositories: Vec<Repository>,
    ) -> Poms<'m> {
        let mut own = Vec::new();
        for path in builds.iter().filter(|path| paths::name(path) == "pom.xml") {
            // The layout has said already what is wrong with the others.
            let model = read_build_file(&root.join(path))
                .ok()
                .and_then(|text| Model::parse(&text));
            if let Some(model) = model {
                own.push(Own {
                    path: path.clone(),
                    dir: paths::parent(path).unwrap_or_default().to_owned(),
                    model: Arc::new(model),
                });
            }
        }
        // A demo among the tests' resources may repeat the coordinates of a real module.
        own.sort_by_key(|own| {
            let depth = own.dir.split('/').filter(|part| !part.is_empty()).count();
            (paths::lies_in_tests(&own.dir), depth, own.dir.clone())
        });
        let by_path = own
            .iter()
            .enumerate()
            .map(|(index, own)| (own.path.clone(), index))
            .collect();
        let mut poms = Poms {
            root,
            machine,
            variables,
            own,
            by_path,
            by_name: FxHashMap::default(),
            repositories,
            models: FxHashMap::default(),
            effective: FxHashMap::default(),
            missing: Vec::new(),
        };
        for index in 0..poms.own.len() {
            let model = &poms.own[index].model;
            let group = model
                .group
                .clone()
                .or_else(|| model.parent.as_ref().map(|parent| parent.group.clone()));
            let name = (group.unwrap_or_default(), model.artifact.clone());
            poms.by_name.entry(name).or_insert(index);
        }
        poms
    }

    /// The pom of the workspace with these coordinates. A version that is asked for and differs means another,
    /// published one.
    pub(super) fn in_workspace(&mut self, gav: &Gav) -> Option<usize> {
        let name = (gav.group.clone(), gav.artifact.clone());
        let index = *self.by_name.get(&name)?;
        let own = self.effective(&Source::Workspace(index), 0)?.gav.clone()?;
        let known = |version: &str| !version.is_empty() && !version.contains("${");
        let differs = known(&own.version) && known(&gav.version) && own.version != gav.version;
        (!differs || version::is_range(&gav.version)).then_some(index)
    }

    fn file(&self, gav: &Gav, suffix: &str) -> Option<PathBuf> {
        self.repositories
            .iter()
            .find_map(|repository| repository.file(gav, suffix))
    }

    fn published(&mut self, gav: &Gav) -> Option<Arc<Model>> {
        if let Some(known) = self.models.get(gav) {
            return known.clone();
        }
        let model = self
            .file(gav, ".pom")
            .and_then(|file| read_build_file(&file).ok())
            .and_then(|text| Model::parse(&text))
            .map(Arc::new);
        self.models.insert(gav.clone(), model.clone());
        model
    }

    fn lineage(&mut self, source: &Source) -> Option<Lineage> {
        let (first, mut at, who) = match source {
            Source::Workspace(index) => {
                let own = self.own.get(*index)?;
                (Arc::clone(&own.model), Some(*index), own.path.clone())
            }
            Source::Repository(gav) => (self.published(gav)?, None, gav.to_string()),
        };
        let mut lineage = Lineage {
            folder: at.map(|index| self.root.join(&self.own[index].dir)),
            models: vec![first],
        };
        let mut seen: FxHashSet<Source> = FxHashSet::from_iter([source.clone()]);
        while lineage.models.len() < DEEPEST {
            let Some(parent) = lineage.models.last().and_then(|model| model.parent.clone()) else {
                break;
            };
            let mut version = parent.version.clone().unwrap_or_default();
            if version.contains("${") {
                // Rare, and costly: properties are gathered over all poms so far.
                version = Properties::of(&lineage, &self.machine, self.variables).expand(&version);
            }
            let gav = Gav::new(&parent.group, &parent.artifact, &version);
            let beside = at.and_then(|index| {
                let path = paths::join(self.root, &self.own[index].dir, parent.path.as_ref()?)?;
                let file = self.by_path.get(&path);
                file.or_else(|| self.by_path.get(&paths::child(&path, "pom.xml")))
                    .copied()
            });
            let named = || {
                let name = (parent.group.clone(), parent.artifact.clone());
                self.by_name.get(&name).copied()
            };
            let own = beside
                .filter(|&index| self.own[index].model.artifact == parent.artifact)
                .or_else(|| at.and_then(|_| named()))
                .filter(|&index| {
                    let own = &self.own[index].model.version;
                    own.as_deref()
                        .is_none_or(|own| own.contains("${") || own == version)
                });
            let next = match own {
                Some(index) => Source::Workspace(index),
                None => Source::Repository(gav.clone()),
            };
            if !seen.insert(next) {
                break;
            }
            let model = match own {
                Some(index) => Some(Arc::clone(&self.own[index].model)),
                None => self.published(&gav),
            };
            at = own;
            match model {
                Some(model) => lineage.models.push(model),
                None => {
                    self.miss(gav, &who);
                    break;
                }
            }
        }
        Some(lineage)
    }

    fn miss(&mut self, gav: Gav, who: &str) {
        if !self.missing.iter().any(|(known, _)| *known == gav) {
            self.missing.push((gav, who.to_owned()));
        }
    }

    /// The effective pom; `None` if it is not there. `depth` counts bills of materials that import each other.
    pub(super) fn effective(&mut self, source: &Source, depth: usize) -> Option<Arc<Effective>> {
        if let Some(known) = self.effective.get(source) {
            return known.clone();
        }
        // Whoever comes here again meanwhile imports itself.
        self.effective.insert(source.clone(), None);
        let effective = self.build(source, depth).map(Arc::new);
        self.effective.insert(source.clone(), effective.clone());
        effective
    }

    fn build(&mut self, source: &Source, depth: usize) -> Option<Effective> {
        let lineage = self.lineage(source)?;
        let properties = Properties::of(&lineage, &self.machine, self.variables);
        let own = lineage.models.first()?;
        let gav = properties.gav(&lineage);
        let mut effective = Effective {
            is_pom: own.packaging.as_deref() == Some("pom"),
            relocation: own.relocation.as_ref().map(|to| {
                let part = |index: usize, own: &str| {
                    let said: &Option<String> = &to[index];
                    said.as_ref()
                        .map_or(own.to_owned(), |text| properties.expand(text))
                };
                Gav {
                    group: part(0, &gav.group),
                    artifact: part(1, &gav.artifact),
                    version: part(2, &gav.version),
                }
            }),
            ..Effective::default()
        };
        let mut dependencies = Vec::new();
        let mut managed = Vec::new();
        for model in &lineage.models {
            let sections = model.active(&self.machine, lineage.folder.as_deref());
            let mut level = (Ordered::default(), Ordered::default());
            for section in sections {
                for dependency in &section.dependencies {
                    level.0.put(properties.artifact(dependency));
                }
                for entry in &section.managed {
                    level.1.put(properties.artifact(entry));
                }
                let processors = section.processors.iter();
                effective
                    .processors
                    .extend(processors.map(|processor| properties.artifact(processor)));
                if effective.release.is_none() {
                    let release = section.release.as_deref();
                    effective.release = release.map(|text| properties.expand(text));
                }
            }
            dependencies.extend(level.0.items);
            managed.extend(level.1.items);
        }
        for name in [
            "maven.compiler.release",
            "maven.compiler.target",
            "maven.compiler.source",
        ] {
            if effective.release.is_none() {
                effective.release = properties.get(name);
            }
        }
        effective.managed = self.management(managed, &gav, depth);
        let mut seen = FxHashSet::default();
        for mut dependency in dependencies {
            // A pom that is cut off may end within a dependency.
            let is_named = !dependency.group.is_empty() && !dependency.artifact.is_empty();
            if !is_named || !seen.insert(key(&dependency)) {
                continue;
            }
            if let Some(managed) = effective.managed.get(&dependency) {
                manage(&mut dependency, managed);
            }
            effective.dependencies.push(dependency);
        }
        effective.gav = Some(gav);
        Some(effective)
    }

    /// What `entries` (nearest first) manage, then what the bills of materials among them do.
    fn management(&mut self, entries: Vec<Artifact>, who: &Gav, depth: usize) -> Managed {
        const DEEPEST_IMPORT: usize = 24;
        let mut managed = Managed::default();
        let mut imports: Vec<Gav> = Vec::new();
        for entry in entries {
            if entry.scope.as_deref() == Some("import") && entry.kind.as_deref() == Some("pom") {
                let version = entry.version.as_deref().unwrap_or("");
                imports.push(Gav::new(&entry.group, &entry.artifact, version));
            } else {
                managed.add(entry);
            }
        }
        if depth >= DEEPEST_IMPORT {
            return managed;
        }
        for gav in imports {
            let source = match self.by_name.get(&(gav.group.clone(), gav.artifact.clone())) {
                Some(&index) => Source::Workspace(index),
                None => Source::Repository(gav.clone()),
            };
            match self.effective(&source, depth + 1) {
                Some(bill) => {
                    for entry in &bill.managed.entries {
                        managed.add(entry.clone());
                    }
                }
                None if self.models.get(&gav).is_some_and(Option::is_none) => {
                    self.miss(gav, &who.to_string());
                }
                None => {}
            }
        }
        managed
    }
}

/// What dependency management adds to a dependency that a pom declares itself.
fn manage(dependency: &mut Artifact, managed: &Artifact) {
    let fill = |own: &mut Option<String>, from: &Option<String>| {
        if own.is_none() {
            own.clone_from(from);
        }
    };
    fill(&mut dependency.version, &managed.version);
    fill(&mut dependency.scope, &managed.scope);
    fill(&mut dependency.optional, &managed.optional);
    fill(&mut dependency.system_path, &managed.system_path);
    if dependency.exclusions.is_empty() {
        dependency.exclusions.clone_from(&managed.exclusions);
    }
}

/// Dependencies of one pom: of two with one key the later one counts, in the place of the first.
#[derive(Default)]
struct Ordered {
    items: Vec<Artifact>,
}

impl Ordered {
    fn put(&mut self, artifact: Artifact) {
        let wanted = key(&artifact);
        match self.items.iter_mut().find(|item| key(item) == wanted) {
            Some(item) => *item = artifact,
            None => self.items.push(artifact),
        }
    }
}

/// The properties of a pom with its parents.
struct Properties<'p> {
    values: FxHashMap<&'p str, &'p str>,
    special: FxHashMap<&'static str, String>,
    variables: &'p [(String, String)],
}

impl<'p> Properties<'p> {
    fn of(
        lineage: &'p Lineage,
        machine: &Machine<'p>,
        variables: &'p [(String, String)],
    ) -> Properties<'p> {
        let mut values: FxHashMap<&str, &str> = FxHashMap::default();
        for model in lineage.models.iter().rev() {
            for section in model.active(machine, lineage.folder.as_deref()) {
                for (name, value) in &section.properties {
                    values.insert(name, value);
                }
            }
        }
        for (name, value) in machine.properties {
            values.insert(name, value);
        }
        let mut special: FxHashMap<&'static str, String> = FxHashMap::default();
        let parent = lineage
            .models
            .first()
            .and_then(|model| model.parent.as_ref());
        let first =
            |own: fn(&Model) -> Option<&String>| lineage.models.first().and_then(|m| own(m));
        let group = first(|m| m.group.as_ref()).or(parent.map(|parent| &parent.group));
        let version = first(|m| m.version.as_ref()).or(parent.and_then(|p| p.version.as_ref()));
        let mut put = |name, value: Option<&String>| {
            if let Some(value) = value {
                special.insert(name, value.clone());
            }
        };
        put("groupId", group);
        put("version", version);
        put("artifactId", first(|m| Some(&m.artifact)));
        put("parent.groupId", parent.map(|parent| &parent.group));
        put("parent.artifactId", parent.map(|parent| &parent.artifact));
        put("parent.version", parent.and_then(|p| p.version.as_ref()));
        if let Some(folder) = &lineage.folder {
            special.insert("basedir", folder.to_string_lossy().into_owned());
        }
        Properties {
            values,
            special,
            variables,
        }
    }

    fn get(&self, name: &str) -> Option<String> {
        let bare = name
            .strip_prefix("project.")
            .or_else(|| name.strip_prefix("pom."));
        if let Some(value) = self.special.get(bare.unwrap_or(name))
            && (bare.is_some() || !self.values.contains_key(name))
        {
            return Some(value.clone());
        }
        if let Some(value) = self.values.get(name) {
            return Some((*value).to_owned());
        }
        let variable = name.strip_prefix("env.")?;
        let found = self.variables.iter().find(|(key, _)| key == variable);
        found.map(|(_, value)| value.clone())
    }

    fn expand(&self, text: &str) -> String {
        expand(text, |name| self.get(name))
    }

    fn artifact(&self, raw: &Artifact) -> Artifact {
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

    fn gav(&self, lineage: &Lineage) -> Gav {
        let artifact = lineage.models.first().map_or("", |model| &model.artifact);
        let part = |name| self.expand(self.special.get(name).map_or("", String::as_str));
        Gav {
            group: part("groupId"),
            artifact: self.expand(artifact),
            version: part("version"),
        }
    }
}
