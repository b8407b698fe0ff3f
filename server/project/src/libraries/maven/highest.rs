//! Artifacts by Gradle's rule: of several versions the highest, whoever asks for it.
//!
//! Names and versions are numbers, what a pom depends on is read once, and what platforms tell is shared by the modules
//! that have the same ones.

use std::collections::VecDeque;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::effective::{Poms, Source};
use super::graph::{Exclusions, MOST, is_excluded, is_passed_on};
use super::managed::Entry;
use super::model::Machine;
use crate::libraries::report::Tool;
use crate::libraries::repository::{Gav, Repository};
use crate::libraries::union::{Library, PathEntry};
use crate::libraries::version;

/// An artifact that a script asks for.
#[derive(Clone, Debug)]
pub(in crate::libraries) struct Request {
    /// Without a version if a platform tells it.
    pub(in crate::libraries) gav: Gav,
    /// Empty for none.
    pub(in crate::libraries) classifier: String,
    /// True if only tests see it.
    pub(in crate::libraries) is_test: bool,
}

/// Group and artifact, as a number.
type Name = usize;
/// A version, as a number; 0 is none.
type Version = usize;

/// Artifacts of repositories by Gradle's rule.
pub(in crate::libraries) struct Artifacts<'m> {
    poms: Poms<'m>,
    names: Numbers<(String, String)>,
    versions: Numbers<String>,
    /// True if the second version is higher than the first.
    higher: FxHashMap<(Version, Version), bool>,
    /// What ranges of versions come to.
    ranges: FxHashMap<(Name, Version), Version>,
    links: FxHashMap<(Name, Version), Rc<[Link]>>,
    platforms: FxHashMap<Vec<Gav>, Rc<FxHashMap<Name, Version>>>,
    libraries: FxHashMap<(Name, Version, String), Option<Arc<Library>>>,
    /// How many dependencies were followed so far.
    pub(in crate::libraries) followed: usize,
}

/// Values as numbers.
struct Numbers<T> {
    numbers: FxHashMap<T, usize>,
    values: Vec<T>,
}

impl<T: Clone + Eq + std::hash::Hash> Numbers<T> {
    fn new() -> Numbers<T> {
        Numbers {
            numbers: FxHashMap::default(),
            values: Vec::new(),
        }
    }

    fn of(&mut self, value: T) -> usize {
        if let Some(&known) = self.numbers.get(&value) {
            return known;
        }
        self.values.push(value.clone());
        self.numbers.insert(value, self.values.len() - 1);
        self.values.len() - 1
    }
}

/// A dependency that a pom passes on.
struct Link {
    name: Name,
    version: Version,
    entry: Entry,
}

/// The versions that were chosen for one module.
struct Chosen {
    platforms: Rc<FxHashMap<Name, Version>>,
    own: FxHashMap<Name, Version>,
}

impl Chosen {
    fn of(&self, name: Name) -> Version {
        let own = self.own.get(&name).or_else(|| self.platforms.get(&name));
        own.copied().unwrap_or(0)
    }
}

/// Something that a module gets.
struct Node {
    name: Name,
    version: Version,
    classifier: String,
    is_test: bool,
}

impl<'m> Artifacts<'m> {
    pub(in crate::libraries) fn new(
        root: &'m Path,
        java_version: Option<&'m str>,
        repositories: Vec<Repository>,
    ) -> Artifacts<'m> {
        let machine = Machine {
            java_version,
            properties: &[],
        };
        let mut versions = Numbers::new();
        versions.of(String::new());
        Artifacts {
            poms: Poms::new(root, machine, &[], repositories),
            names: Numbers::new(),
            versions,
            higher: FxHashMap::default(),
            ranges: FxHashMap::default(),
            links: FxHashMap::default(),
            platforms: FxHashMap::default(),
            libraries: FxHashMap::default(),
            followed: 0,
        }
    }

    /// How many managed entries and dependencies of poms were read so far.
    pub(in crate::libraries) fn expanded(&self) -> usize {
        self.poms.expanded
    }

    fn name(&mut self, gav: &Gav) -> Name {
        let name = (gav.group.clone(), gav.artifact.clone());
        self.names.of(name)
    }

    fn gav(&self, name: Name, version: Version) -> Gav {
        let (group, artifact) = &self.names.values[name];
        Gav::new(group, artifact, &self.versions.values[version])
    }

    /// The file of one artifact that a build file names in that version, or why there is none.
    pub(in crate::libraries) fn entry(
        &mut self,
        gav: &Gav,
        classifier: &str,
        is_test: bool,
        tool: Tool,
    ) -> Option<PathEntry> {
        let name = self.name(gav);
        let version = self.versions.of(gav.version.clone());
        let key = (name, version, classifier.to_owned());
        let library = match self.libraries.get(&key) {
            Some(known) => known.clone(),
            None => {
                let library = self.library(gav, classifier, tool).map(Arc::new);
                self.libraries.insert(key, library.clone());
                library
            }
        };
        Some(PathEntry {
            library: library?,
            is_test,
            depth: 1,
            is_guessed: false,
        })
    }

    fn library(&mut self, gav: &Gav, classifier: &str, tool: Tool) -> Option<Library> {
        let pom = self.poms.effective(&Source::Repository(gav.clone()), 0);
        let dash = if classifier.is_empty() { "" } else { "-" };
        let suffix = format!("{dash}{classifier}.jar");
        let mut files = self.poms.repositories.iter();
        let path = files.find_map(|repository| repository.file(gav, &suffix));
        // A bill of materials has no jar, and nothing says so but its pom.
        if path.is_none() && pom.as_ref().is_some_and(|pom| pom.is_pom) {
            return None;
        }
        let mut name = format!("{}:{}", gav.group, gav.artifact);
        if !classifier.is_empty() {
            name = format!("{name}:{classifier}");
        }
        let is_known = !gav.version.is_empty() && !gav.version.contains('$');
        Some(Library {
            name,
            version: gav.version.clone(),
            expected: None,
            reason: if is_known {
                "not in Gradle's cache".to_owned()
            } else {
                "the build files do not tell its version plainly".to_owned()
            },
            lacks_pom: path.is_some() && pom.is_none(),
            path,
            tool,
        })
    }

    /// Chooses `version` if it is higher than what was chosen so far; true if it is.
    fn raise(&mut self, chosen: &mut Chosen, name: Name, version: Version) -> bool {
        let known = chosen.of(name);
        if version == known || version == 0 {
            return false;
        }
        let versions = &self.versions.values;
        let is_higher = known == 0
            || *self
                .higher
                .entry((known, version))
                .or_insert_with(|| version::compare(&versions[version], &versions[known]).is_gt());
        if is_higher {
            chosen.own.insert(name, version);
        }
        is_higher
    }

    /// The versions that `platforms` tell.
    fn told(&mut self, platforms: &[Gav]) -> Rc<FxHashMap<Name, Version>> {
        if let Some(told) = self.platforms.get(platforms) {
            return Rc::clone(told);
        }
        let mut chosen = Chosen {
            platforms: Rc::default(),
            own: FxHashMap::default(),
        };
        let mut bills = Vec::new();
        for platform in platforms {
            let source = Source::Repository(platform.clone());
            match self.poms.effective(&source, 0).filter(|pom| pom.is_pom) {
                Some(bill) => bills.push(bill),
                // What stands among constraints is a library itself.
                None => {
                    let name = self.name(platform);
                    let version = self.versions.of(platform.version.clone());
                    self.raise(&mut chosen, name, version);
                }
            }
        }
        for bill in &bills {
            for entry in bill.managed.iter() {
                let name = self.names.of((entry.group.clone(), entry.artifact.clone()));
                let version = self.versions.of(entry.version.clone().unwrap_or_default());
                self.raise(&mut chosen, name, version);
            }
        }
        let told = Rc::new(chosen.own);
        self.platforms.insert(platforms.to_vec(), Rc::clone(&told));
        told
    }

    /// The version that a range comes to; other versions stay.
    fn within_range(&mut self, name: Name, version: Version) -> Version {
        if !version::is_range(&self.versions.values[version]) {
            return version;
        }
        if let Some(&known) = self.ranges.get(&(name, version)) {
            return known;
        }
        let gav = self.gav(name, version);
        let mut repositories = self.poms.repositories.iter();
        let newest = repositories
            .find_map(|repository| repository.newest(&gav.group, &gav.artifact, &gav.version));
        let newest = self.versions.of(newest.unwrap_or_default());
        self.ranges.insert((name, version), newest);
        newest
    }

    fn links(&mut self, name: Name, version: Version) -> Rc<[Link]> {
        if let Some(links) = self.links.get(&(name, version)) {
            return Rc::clone(links);
        }
        let source = Source::Repository(self.gav(name, version));
        let pom = self.poms.effective(&source, 0);
        let passed_on = pom.iter().flat_map(|pom| &pom.dependencies);
        let mut links = Vec::new();
        for entry in passed_on.filter(|entry| is_passed_on(&entry.artifact)) {
            let artifact = &entry.artifact;
            let name = (artifact.group.clone(), artifact.artifact.clone());
            links.push(Link {
                name: self.names.of(name),
                version: self
                    .versions
                    .of(artifact.version.clone().unwrap_or_default()),
                entry: entry.clone(),
            });
        }
        let links: Rc<[Link]> = links.into();
        self.links.insert((name, version), Rc::clone(&links));
        links
    }

    /// All that `requests` bring along, `platforms` telling versions.
    pub(in crate::libraries) fn highest(
        &mut self,
        platforms: &[Gav],
        requests: &[Request],
        tool: Tool,
    ) -> Vec<PathEntry> {
        /// Each round raises a version; so many rounds need chains that no build has.
        const ROUNDS: usize = 12;
        let mut chosen = Chosen {
            platforms: self.told(platforms),
            own: FxHashMap::default(),
        };
        let mut order: Vec<Node> = Vec::new();
        for _ in 0..ROUNDS {
            order.clear();
            if !self.round(&mut chosen, requests, &mut order) {
                break;
            }
        }
        // What a script or its platforms name in the version that comes out; the rest follows from poms, while Gradle
        // may have read metadata of its own.
        let told: FxHashSet<(Name, Version)> = requests
            .iter()
            .map(|request| {
                let name = self.name(&request.gav);
                let version = self.versions.of(request.gav.version.clone());
                (
                    name,
                    if version == 0 {
                        chosen.of(name)
                    } else {
                        version
                    },
                )
            })
            .collect();
        let entry = |node: &Node| {
            let gav = self.gav(node.name, node.version);
            let entry = self.entry(&gav, &node.classifier, node.is_test, tool)?;
            Some(PathEntry {
                is_guessed: !told.contains(&(node.name, node.version)),
                ..entry
            })
        };
        order.iter().filter_map(entry).collect()
    }

    /// Goes through all that is brought along in the versions chosen so far; true if that raised one.
    fn round(&mut self, chosen: &mut Chosen, requests: &[Request], order: &mut Vec<Node>) -> bool {
        let mut changed = false;
        let mut known: FxHashMap<(Name, String), usize> = FxHashMap::default();
        let mut queue: VecDeque<(Node, Exclusions)> = VecDeque::new();
        for request in requests {
            let node = Node {
                name: self.name(&request.gav),
                version: self.versions.of(request.gav.version.clone()),
                classifier: request.classifier.clone(),
                is_test: request.is_test,
            };
            queue.push_back((node, Exclusions::default()));
        }
        while let Some((mut node, exclusions)) = queue.pop_front() {
            node.version = self.within_range(node.name, node.version);
            changed |= self.raise(chosen, node.name, node.version);
            if let version @ 1.. = chosen.of(node.name) {
                node.version = version;
            }
            let key = (node.name, node.classifier.clone());
            if let Some(&index) = known.get(&key) {
                order[index].is_test &= node.is_test;
                continue;
            }
            if order.len() >= MOST {
                break;
            }
            known.insert(key, order.len());
            let links = self.links(node.name, node.version);
            self.followed += links.len();
            for link in links.iter() {
                let dependency = &link.entry.artifact;
                if is_excluded(&exclusions, dependency) {
                    continue;
                }
                let exclusions = if dependency.exclusions.is_empty() {
                    Rc::clone(&exclusions)
                } else {
                    let mut more = dependency.exclusions.clone();
                    more.extend(exclusions.iter().cloned());
                    more.sort();
                    more.dedup();
                    Rc::new(more)
                };
                let next = Node {
                    name: link.name,
                    version: link.version,
                    classifier: dependency.classifier.clone().unwrap_or_default(),
                    is_test: node.is_test,
                };
                queue.push_back((next, exclusions));
            }
            order.push(node);
        }
        changed
    }
}
