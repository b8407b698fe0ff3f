//! From a module's effective pom to the artifacts of its test class path: breadth first, the nearest wins, the first
//! of equally near ones; exclusions, optional and scopes as Maven 3 has them.

use std::cell::OnceCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::effective::{Effective, Poms, Source};
use super::managed::{Entry, Key};
use crate::libraries::repository::{Gav, Repository};
use crate::libraries::version;
use crate::maven::Artifact;

/// More artifacts than this has no project; a graph that grows beyond it goes round in circles.
pub(super) const MOST: usize = 20_000;

/// So many edges are followed for each module on its own, as Maven does; what they lead to is the same for modules that
/// share it, mostly. Builds beyond that (a thousand modules that each need twenty others) get the rest in one go: what an
/// earlier module brought along is not followed again.
const FOLLOWED_EXACTLY: usize = 32_000_000;

/// An artifact, wherever it stands in class paths.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    pub(super) gav: Gav,
    pub(super) classifier: Option<String>,
    /// What follows the version in the file's name: `.jar`, `-tests.jar`.
    pub(super) suffix: String,
    /// The file, if the pom names it (scope `system`).
    pub(super) system_path: Option<String>,
    /// A module of the workspace: its sources are read, its dependencies count.
    pub(super) in_workspace: bool,
    /// False for poms and archives that hold no classes.
    pub(super) has_classes: bool,
    /// The pom is not there, so what it depends on is not known.
    pub(super) lacks_pom: bool,
}

/// An artifact of a class path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// For [`Graph::artifact`].
    pub(super) place: usize,
    /// True if only tests see it.
    pub(super) is_test: bool,
    /// 1 for what the pom itself names.
    pub(super) depth: usize,
}

/// Group and artifact pairs that are left out below a dependency.
pub(super) type Exclusions = Rc<Vec<(String, String)>>;

/// All artifacts that the poms of a workspace lead to, each located once.
#[derive(Default)]
pub(super) struct Graph {
    places: Vec<Place>,
    /// By key and version; of scope `system` by the file, too.
    by_version: FxHashMap<(Key, String, Option<String>), Option<usize>>,
    /// Group, artifact and the end of the file's name: of those only one is in a class path.
    conflicts: FxHashMap<(String, String, String), usize>,
    /// By number of a conflict: in which round it was met last, and where in what was found.
    met: Vec<(u32, usize)>,
    /// The same by key.
    met_by_key: Vec<(u32, usize)>,
    round: u32,
    /// How many edges were followed so far.
    pub(super) followed: usize,
}

/// An artifact and what its pom passes on.
struct Place {
    artifact: Resolved,
    conflict: usize,
    source: Option<Source>,
    /// What those who depend on it see, once that was asked for.
    links: Option<Rc<[Link]>>,
    /// True once all that it passes on was followed for a module's main code, or for tests.
    followed: [bool; 2],
}

/// A dependency that is passed on.
struct Link {
    entry: Entry,
    /// Where it leads if nothing manages its version.
    place: OnceCell<Option<usize>>,
}

struct Node {
    place: usize,
    exclusions: Exclusions,
    depth: usize,
    /// Position in the result of who depends on it.
    parent: Option<usize>,
    is_test: bool,
}

impl Graph {
    pub(super) fn artifact(&self, place: usize) -> &Resolved {
        &self.places[place].artifact
    }

    /// The artifacts that the module at `index` sees when its tests are compiled, in the order of Maven's class path.
    pub(super) fn resolve(&mut self, poms: &mut Poms<'_>, index: usize) -> Vec<Seen> {
        let Some(root) = poms.effective(&Source::Workspace(index), 0) else {
            return Vec::new();
        };
        self.round += 1;
        let exactly = self.followed < FOLLOWED_EXACTLY;
        let mut found: Vec<Node> = Vec::new();
        for entry in &root.dependencies {
            let dependency = &entry.artifact;
            if dependency.scope.as_deref() == Some("import") {
                continue;
            }
            let version = dependency.version.as_deref().unwrap_or("");
            let Some(place) = self.place(poms, entry, version) else {
                continue;
            };
            let exclusions = Rc::new(dependency.exclusions.clone());
            let is_test = dependency.scope.as_deref() == Some("test");
            self.meet(&mut found, entry.key, place, exclusions, is_test, None);
        }
        let mut at = 0;
        while at < found.len() {
            let node = &found[at];
            let exclusions = Rc::clone(&node.exclusions);
            let (place, is_test) = (node.place, node.is_test);
            if exactly || !self.places[place].followed[usize::from(is_test)] {
                self.follow(poms, &root, &mut found, at, &exclusions);
                if exclusions.is_empty() {
                    // What main code sees, tests see as well.
                    self.places[place].followed[1] = true;
                    self.places[place].followed[0] |= !is_test;
                }
            }
            at += 1;
        }
        preorder(&found)
    }

    /// Queues what the node at `at` passes on.
    fn follow(
        &mut self,
        poms: &mut Poms<'_>,
        root: &Effective,
        found: &mut Vec<Node>,
        at: usize,
        exclusions: &Exclusions,
    ) {
        let (place, is_test) = (found[at].place, found[at].is_test);
        let links = self.links(poms, place);
        self.followed += links.len();
        for link in links.iter() {
            let dependency = &link.entry.artifact;
            if !exclusions.is_empty() && is_excluded(exclusions, dependency) {
                continue;
            }
            if let Some(known) = self.known(link.entry.key) {
                // What main code sees as well is no library of tests alone.
                found[known].is_test &= is_test;
                continue;
            }
            let managed = root.managed.get(link.entry.key);
            let Some(place) = self.managed(poms, managed, link) else {
                continue;
            };
            let managed = managed.map(|managed| &managed.artifact.exclusions);
            let more = managed.into_iter().flatten().chain(&dependency.exclusions);
            let mut more: Vec<(String, String)> = more.cloned().collect();
            let exclusions = if more.is_empty() {
                Rc::clone(exclusions)
            } else {
                more.extend(exclusions.iter().cloned());
                more.sort();
                more.dedup();
                Rc::new(more)
            };
            self.meet(found, link.entry.key, place, exclusions, is_test, Some(at));
        }
    }

    /// Adds a place to what was found, unless another version of it is there already.
    fn meet(
        &mut self,
        found: &mut Vec<Node>,
        key: Key,
        place: usize,
        exclusions: Exclusions,
        is_test: bool,
        parent: Option<usize>,
    ) {
        let met = &mut self.met[self.places[place].conflict];
        let is_known = met.0 == self.round;
        if !is_known && found.len() >= MOST {
            return;
        }
        if !is_known {
            *met = (self.round, found.len());
        }
        let key = key.index();
        if self.met_by_key.len() <= key {
            self.met_by_key.resize(2 * key + 1, (0, 0));
        }
        self.met_by_key[key] = *met;
        if is_known {
            found[met.1].is_test &= is_test;
            return;
        }
        found.push(Node {
            place,
            exclusions,
            depth: parent.map_or(1, |parent| found[parent].depth + 1),
            parent,
            is_test,
        });
    }

    /// What the pom of a place passes on.
    fn links(&mut self, poms: &mut Poms<'_>, place: usize) -> Rc<[Link]> {
        if let Some(links) = &self.places[place].links {
            return Rc::clone(links);
        }
        let source = self.places[place].source.clone();
        let effective = source.and_then(|source| poms.effective(&source, 0));
        let passed_on = effective.iter().flat_map(|pom| &pom.dependencies);
        let links = passed_on
            .filter(|entry| is_passed_on(&entry.artifact))
            .map(|entry| Link {
                entry: entry.clone(),
                place: OnceCell::new(),
            });
        let links: Rc<[Link]> = links.collect();
        self.places[place].links = Some(Rc::clone(&links));
        links
    }

    /// Where in what was found an artifact of this key, or another version of it, is already.
    fn known(&self, key: Key) -> Option<usize> {
        let met = self.met_by_key.get(key.index())?;
        (met.0 == self.round).then_some(met.1)
    }

    /// Where a dependency leads, below a module that manages it so.
    fn managed(
        &mut self,
        poms: &mut Poms<'_>,
        managed: Option<&Entry>,
        link: &Link,
    ) -> Option<usize> {
        if let Some(version) = managed.and_then(|managed| managed.artifact.version.as_deref()) {
            return self.place(poms, &link.entry, version);
        }
        if let Some(place) = link.place.get() {
            return *place;
        }
        let version = link.entry.artifact.version.as_deref().unwrap_or("");
        let place = self.place(poms, &link.entry, version);
        let _ = link.place.set(place);
        place
    }

    /// The place of a dependency in that version.
    fn place(&mut self, poms: &mut Poms<'_>, entry: &Entry, version: &str) -> Option<usize> {
        let dependency = &entry.artifact;
        let is_system = dependency.scope.as_deref() == Some("system");
        let file = is_system.then(|| dependency.system_path.clone().unwrap_or_default());
        let key = (entry.key, version.to_owned(), file);
        if let Some(&known) = self.by_version.get(&key) {
            return known;
        }
        let place = locate(poms, dependency, version).map(|(mut artifact, source)| {
            let effective = source.as_ref().map(|source| poms.effective(source, 0));
            artifact.lacks_pom = effective.is_some_and(|effective| effective.is_none());
            let conflict = (
                artifact.gav.group.clone(),
                artifact.gav.artifact.clone(),
                artifact.suffix.clone(),
            );
            let next = self.conflicts.len();
            let conflict = *self.conflicts.entry(conflict).or_insert(next);
            if conflict == next {
                self.met.push((0, 0));
            }
            self.places.push(Place {
                artifact,
                conflict,
                source,
                links: None,
                followed: [false; 2],
            });
            self.places.len() - 1
        });
        self.by_version.insert(key, place);
        place
    }
}

/// The artifact that a dependency in a version comes to, and where its pom is.
fn locate(
    poms: &mut Poms<'_>,
    dependency: &Artifact,
    version: &str,
) -> Option<(Resolved, Option<Source>)> {
    let mut gav = Gav::new(&dependency.group, &dependency.artifact, version);
    let kind = dependency.kind.as_deref().unwrap_or("jar");
    let classifier = dependency.classifier.clone().filter(|c| !c.is_empty());
    let (extension, implied) = match kind {
        "test-jar" => ("jar", Some("tests")),
        "java-source" => ("jar", Some("sources")),
        "javadoc" => ("jar", Some("javadoc")),
        "ejb-client" => ("jar", Some("client")),
        "jar" | "ejb" | "bundle" | "maven-plugin" | "eclipse-plugin" | "test-fixtures" => {
            ("jar", None)
        }
        other => (other, None),
    };
    let classifier = classifier.or_else(|| implied.map(str::to_owned));
    let dash = classifier
        .as_ref()
        .map_or(String::new(), |c| format!("-{c}"));
    let mut resolved = Resolved {
        suffix: format!("{dash}.{extension}"),
        classifier,
        system_path: None,
        in_workspace: false,
        has_classes: extension == "jar",
        lacks_pom: false,
        gav: gav.clone(),
    };
    if dependency.scope.as_deref() == Some("system") {
        resolved.system_path = Some(dependency.system_path.clone().unwrap_or_default());
        return Some((resolved, None));
    }
    // What was renamed says so in the pom of the old name.
    const HOPS: usize = 8;
    for _ in 0..HOPS {
        if let Some(index) = poms.in_workspace(&gav) {
            resolved.in_workspace = true;
            resolved.gav = gav;
            return Some((resolved, Some(Source::Workspace(index))));
        }
        if version::is_range(&gav.version) {
            let range = gav.version.clone();
            let newest =
                |repository: &Repository| repository.newest(&gav.group, &gav.artifact, &range);
            if let Some(version) = poms.repositories.iter().find_map(newest) {
                gav.version = version;
            }
        }
        let source = Source::Repository(gav.clone());
        let relocation = poms
            .effective(&source, 0)
            .and_then(|effective| effective.relocation.clone());
        match relocation {
            Some(to) if to != gav => gav = to,
            _ => {
                resolved.gav = gav;
                return Some((resolved, Some(source)));
            }
        }
    }
    None
}

/// True if those who depend on a pom see this dependency of it.
pub(super) fn is_passed_on(dependency: &Artifact) -> bool {
    let scope = dependency.scope.as_deref();
    !matches!(scope, Some("test" | "provided" | "system" | "import"))
        && dependency.optional.as_deref() != Some("true")
}

pub(super) fn is_excluded(exclusions: &[(String, String)], artifact: &Artifact) -> bool {
    let (group, name) = (&artifact.group, &artifact.artifact);
    exclusions
        .iter()
        .any(|(g, a)| (g == "*" || g == group) && (a == "*" || a == name))
}

/// Each artifact before what it brought along.
fn preorder(found: &[Node]) -> Vec<Seen> {
    const NONE: usize = usize::MAX;
    // From the last to the first, so that each list of children starts with the first.
    let (mut first, mut next) = (vec![NONE; found.len() + 1], vec![NONE; found.len()]);
    for (index, node) in found.iter().enumerate().rev() {
        let parent = node.parent.unwrap_or(found.len());
        next[index] = std::mem::replace(&mut first[parent], index);
    }
    let mut order = Vec::with_capacity(found.len());
    let mut open = vec![first[found.len()]];
    while let Some(index) = open.pop().filter(|&index| index != NONE) {
        let node = &found[index];
        order.push(Seen {
            place: node.place,
            is_test: node.is_test,
            depth: node.depth,
        });
        open.extend(
            [next[index], first[index]]
                .into_iter()
                .filter(|&at| at != NONE),
        );
    }
    order
}
