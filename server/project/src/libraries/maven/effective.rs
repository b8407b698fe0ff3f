//! Effective poms: parents inherited, profiles applied, properties replaced, dependency management with its imported
//! bills of materials in force, as Maven's model builder does it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::managed::{Entry, Keys, LevelEntries, Managed, SharedLevels};
use super::model::{Machine, Model};
use super::properties::{Level, Lineage, Properties};
use crate::libraries::repository::{Gav, Repository};
use crate::libraries::version;
use crate::maven::Artifact;
use crate::paths;
use crate::read::read_build_file;

/// More parents than this are a loop that coordinates hide.
const DEEPEST: usize = 64;

/// A pom ready for use.
#[derive(Debug, Default)]
pub(super) struct Effective {
    pub(super) gav: Option<Gav>,
    /// Its own dependencies, with what dependency management says of them.
    pub(super) dependencies: Vec<Entry>,
    pub(super) managed: Managed,
    /// The annotation processors that the compiler plugin is told.
    pub(super) processors: Vec<Artifact>,
    /// The release of Java that it is compiled for, as written.
    pub(super) release: Option<String>,
    pub(super) relocation: Option<Gav>,
    /// It is of packaging `pom`: there is no jar.
    pub(super) is_pom: bool,
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
    pub(super) own: Vec<Own>,
    by_path: FxHashMap<String, usize>,
    /// By group and artifact.
    by_name: FxHashMap<(String, String), usize>,
    pub(super) repositories: Vec<Repository>,
    models: FxHashMap<Gav, Option<Arc<Model>>>,
    effective: FxHashMap<Source, Option<Arc<Effective>>>,
    pub(super) keys: Keys,
    shared: SharedLevels,
    /// How many dependencies and managed entries had their properties replaced.
    pub(super) expanded: usize,
    /// Poms that are parents or bills of materials and not there, with who names them.
    pub(super) missing: Vec<(Gav, String)>,
    missed: FxHashSet<Gav>,
}

impl<'m> Poms<'m> {
    pub(super) fn new(
        root: &'m Path,
        machine: Machine<'m>,
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
            own,
            by_path,
            by_name: FxHashMap::default(),
            repositories,
            models: FxHashMap::default(),
            effective: FxHashMap::default(),
            keys: Keys::default(),
            shared: SharedLevels::default(),
            expanded: 0,
            missing: Vec::new(),
            missed: FxHashSet::default(),
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
        let mut lineage = Lineage::new(
            first,
            at.map(|index| self.root.join(&self.own[index].dir)),
            &self.machine,
        );
        let mut seen: FxHashSet<Source> = FxHashSet::from_iter([source.clone()]);
        while lineage.levels.len() < DEEPEST {
            let last = lineage.levels.last();
            let Some(parent) = last.and_then(|level| level.model.parent.clone()) else {
                break;
            };
            let mut version = parent.version.clone().unwrap_or_default();
            if version.contains("${") {
                version = Properties::of(&lineage, &self.machine).expand(&version);
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
                Some(model) => lineage.push(model, &self.machine),
                None => {
                    self.miss(gav, &who);
                    break;
                }
            }
        }
        Some(lineage)
    }

    fn miss(&mut self, gav: Gav, who: &str) {
        if self.missed.insert(gav.clone()) {
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
        let properties = Properties::of(&lineage, &self.machine);
        let own = &lineage.levels.first()?.model;
        let gav = properties.gav();
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
        for section in lineage.levels.iter().flat_map(Level::sections) {
            let processors = section.processors.iter();
            effective
                .processors
                .extend(processors.map(|processor| properties.artifact(processor)));
            if effective.release.is_none() {
                let release = section.release.as_deref();
                effective.release = release.map(|text| properties.expand(text));
            }
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
        let mut levels: Vec<Arc<LevelEntries>> = Vec::with_capacity(lineage.levels.len());
        let tails = lineage.tails(&mut self.shared);
        for (depth, tail) in tails.iter().enumerate() {
            let known = self.shared.get(depth, &tails, &properties);
            let level = known.unwrap_or_else(|| {
                let level = LevelEntries::of(depth, &tails, &properties, &mut self.keys);
                self.expanded += level.count();
                let level = Arc::new(level);
                self.shared.put(*tail, &level);
                level
            });
            levels.push(level);
        }
        effective.managed = self.management(&levels, &gav, depth);
        let mut seen = FxHashSet::default();
        for entry in levels.iter().flat_map(|level| &level.dependencies) {
            // A pom that is cut off may end within a dependency.
            let artifact = &entry.artifact;
            let is_named = !artifact.group.is_empty() && !artifact.artifact.is_empty();
            if !is_named || !seen.insert(entry.key) {
                continue;
            }
            let mut entry = entry.clone();
            if let Some(managed) = effective.managed.get(entry.key) {
                manage(&mut entry.artifact, &managed.artifact);
            }
            effective.dependencies.push(entry);
        }
        effective.gav = Some(gav);
        Some(effective)
    }

    /// What `levels` (nearest first) manage, then what the bills of materials among them do.
    fn management(&mut self, levels: &[Arc<LevelEntries>], who: &Gav, depth: usize) -> Managed {
        const DEEPEST_IMPORT: usize = 24;
        let imports: Vec<Gav> = levels
            .iter()
            .flat_map(|level| level.imports.iter().cloned())
            .collect();
        let mut managed = Managed::default();
        for level in levels {
            managed.push(&level.managed);
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
                Some(bill) => managed.push(bill.managed.whole()),
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
fn manage(dependency: &mut Arc<Artifact>, managed: &Artifact) {
    let dependency = Arc::make_mut(dependency);
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
