//! From a module's effective pom to the artifacts of its test class path: breadth first, the nearest wins, the first
//! of equally near ones; exclusions, optional and scopes as Maven 3 has them.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::effective::{Effective, Poms, Source, key};
use super::repository::{Gav, Repository};
use super::version;
use crate::maven::Artifact;

/// More artifacts than this has no project; a graph that grows beyond it goes round in circles.
const MOST: usize = 20_000;

/// An artifact of a class path.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    pub(super) gav: Gav,
    pub(super) classifier: Option<String>,
    /// What follows the version in the file's name: `.jar`, `-tests.jar`.
    pub(super) suffix: String,
    /// True if only tests see it.
    pub(super) is_test: bool,
    /// 1 for what the pom itself names.
    pub(super) depth: usize,
    /// The file, if the pom names it (scope `system`).
    pub(super) system_path: Option<String>,
    /// A module of the workspace: its sources are read, its dependencies count.
    pub(super) in_workspace: bool,
    /// False for poms and archives that hold no classes.
    pub(super) has_classes: bool,
    /// The pom is not there, so what it depends on is not known.
    pub(super) lacks_pom: bool,
}

/// Group and artifact pairs that are left out below a dependency.
type Exclusions = Rc<Vec<(String, String)>>;

struct Node {
    artifact: Artifact,
    exclusions: Exclusions,
    is_test: bool,
    depth: usize,
    /// Position in the result of who depends on it.
    parent: Option<usize>,
}

/// The artifacts that the module at `index` sees when its tests are compiled, in the order of Maven's class path.
pub(super) fn resolve(poms: &mut Poms<'_>, index: usize) -> Vec<Resolved> {
    let Some(root) = poms.effective(&Source::Workspace(index), 0) else {
        return Vec::new();
    };
    let mut queue: VecDeque<Node> = VecDeque::new();
    for dependency in &root.dependencies {
        if dependency.scope.as_deref() == Some("import") {
            continue;
        }
        queue.push_back(Node {
            is_test: dependency.scope.as_deref() == Some("test"),
            exclusions: Rc::new(dependency.exclusions.clone()),
            artifact: dependency.clone(),
            depth: 1,
            parent: None,
        });
    }
    let mut found: Vec<(Resolved, Option<usize>)> = Vec::new();
    let mut known: FxHashMap<(String, String, String), usize> = FxHashMap::default();
    while let Some(node) = queue.pop_front() {
        if found.len() >= MOST {
            break;
        }
        let Some((mut resolved, source)) = locate(poms, &node) else {
            continue;
        };
        let conflict = (
            resolved.gav.group.clone(),
            resolved.gav.artifact.clone(),
            resolved.suffix.clone(),
        );
        if let Some(&winner) = known.get(&conflict) {
            // What main code sees as well is no library of tests alone.
            found[winner].0.is_test &= node.is_test;
            continue;
        }
        let effective = match &source {
            Some(source) => poms.effective(source, 0),
            None => None,
        };
        resolved.lacks_pom = source.is_some() && effective.is_none();
        known.insert(conflict, found.len());
        let parent = found.len();
        found.push((resolved, node.parent));
        if let Some(effective) = effective {
            expand(&node, parent, &effective, &root, &mut queue);
        }
    }
    preorder(found)
}

/// The artifact that a dependency comes to, and where its pom is.
fn locate(poms: &mut Poms<'_>, node: &Node) -> Option<(Resolved, Option<Source>)> {
    let dependency = &node.artifact;
    let mut gav = Gav::new(
        &dependency.group,
        &dependency.artifact,
        dependency.version.as_deref().unwrap_or(""),
    );
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
        is_test: node.is_test,
        depth: node.depth,
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

/// Queues what a node's pom depends on, as far as those who depend on the node see it.
fn expand(
    node: &Node,
    parent: usize,
    effective: &Effective,
    root: &Effective,
    queue: &mut VecDeque<Node>,
) {
    for dependency in &effective.dependencies {
        if matches!(
            dependency.scope.as_deref(),
            Some("test" | "provided" | "system" | "import")
        ) || dependency.optional.as_deref() == Some("true")
            || is_excluded(&node.exclusions, dependency)
        {
            continue;
        }
        let mut artifact = dependency.clone();
        let mut more = dependency.exclusions.clone();
        if let Some(managed) = root.managed.get(&artifact) {
            if managed.version.is_some() {
                artifact.version.clone_from(&managed.version);
            }
            more.extend(managed.exclusions.iter().cloned());
        }
        let exclusions = if more.is_empty() {
            Rc::clone(&node.exclusions)
        } else {
            more.extend(node.exclusions.iter().cloned());
            more.sort();
            more.dedup();
            Rc::new(more)
        };
        queue.push_back(Node {
            artifact,
            exclusions,
            is_test: node.is_test,
            depth: node.depth + 1,
            parent: Some(parent),
        });
    }
}

fn is_excluded(exclusions: &[(String, String)], artifact: &Artifact) -> bool {
    let (group, name, ..) = key(artifact);
    exclusions
        .iter()
        .any(|(g, a)| (g == "*" || *g == group) && (a == "*" || *a == name))
}

/// Each artifact before what it brought along.
fn preorder(found: Vec<(Resolved, Option<usize>)>) -> Vec<Resolved> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); found.len()];
    let mut open: Vec<usize> = Vec::new();
    for (index, (_, parent)) in found.iter().enumerate() {
        match parent {
            Some(parent) => children[*parent].push(index),
            None => open.push(index),
        }
    }
    open.reverse();
    let mut order = Vec::with_capacity(found.len());
    while let Some(index) = open.pop() {
        order.push(index);
        open.extend(children[index].iter().rev());
    }
    let mut found: Vec<Option<Resolved>> = found.into_iter().map(|(r, _)| Some(r)).collect();
    order
        .into_iter()
        .filter_map(|index| found[index].take())
        .collect()
}
