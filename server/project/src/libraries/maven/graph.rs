//! From a module's effective pom to the artifacts of its test class path: breadth first, the nearest wins, the first
//! of equally near ones; exclusions, optional and scopes as Maven 3 has them.

use std::collections::VecDeque;
use std::path::Path;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::effective::{Effective, Poms, Source, key};
use super::model::Machine;
use super::repository::{Gav, Repository};
use super::version;
use crate::libraries::report::Tool;
use crate::libraries::union::Candidate;
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
        if !is_passed_on(dependency) || is_excluded(&node.exclusions, dependency) {
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

/// True if those who depend on a pom see this dependency of it.
fn is_passed_on(dependency: &Artifact) -> bool {
    let scope = dependency.scope.as_deref();
    !matches!(scope, Some("test" | "provided" | "system" | "import"))
        && dependency.optional.as_deref() != Some("true")
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

/// Artifacts of repositories by Gradle's rule: of several versions the highest.
pub(in crate::libraries) struct Artifacts<'m> {
    poms: Poms<'m>,
}

impl<'m> Artifacts<'m> {
    pub(in crate::libraries) fn new(
        root: &'m Path,
        java_version: Option<&'m str>,
        variables: &'m [(String, String)],
        repositories: Vec<Repository>,
    ) -> Artifacts<'m> {
        let machine = Machine {
            java_version,
            properties: &[],
        };
        Artifacts {
            poms: Poms::new(root, machine, variables, &[], repositories),
        }
    }

    /// The file of one artifact, or why there is none.
    pub(in crate::libraries) fn candidate(
        &mut self,
        gav: &Gav,
        classifier: &str,
        is_test: bool,
        tool: Tool,
    ) -> Option<Candidate> {
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
        Some(Candidate {
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
            is_test,
            depth: 1,
            tool,
        })
    }

    /// All that `requests` bring along, `platforms` telling versions.
    pub(in crate::libraries) fn highest(
        &mut self,
        platforms: &[Gav],
        requests: &[Request],
        tool: Tool,
    ) -> Vec<Candidate> {
        /// Each round raises a version; so many rounds need chains that no build has.
        const ROUNDS: usize = 12;
        type Name = (String, String);
        let name_of = |gav: &Gav| -> Name { (gav.group.clone(), gav.artifact.clone()) };
        let mut chosen: FxHashMap<Name, String> = FxHashMap::default();
        let raise = |chosen: &mut FxHashMap<Name, String>, name: Name, version: &str| {
            let known = chosen.entry(name).or_default();
            let is_higher = !version.is_empty()
                && (known.is_empty() || version::compare(version, known).is_gt());
            if is_higher {
                version.clone_into(known);
            }
            is_higher
        };
        let mut bills = Vec::new();
        for platform in platforms {
            let source = Source::Repository(platform.clone());
            match self.poms.effective(&source, 0).filter(|pom| pom.is_pom) {
                Some(bill) => bills.push(bill),
                // What stands among constraints is a library itself.
                None => {
                    raise(&mut chosen, name_of(platform), &platform.version);
                }
            }
        }
        for bill in &bills {
            for entry in bill.managed.iter() {
                let name = (entry.group.clone(), entry.artifact.clone());
                raise(&mut chosen, name, entry.version.as_deref().unwrap_or(""));
            }
        }
        let mut order: Vec<Request> = Vec::new();
        for _ in 0..ROUNDS {
            let mut changed = false;
            order.clear();
            let mut known: FxHashMap<(Name, String), usize> = FxHashMap::default();
            let mut queue: VecDeque<(Request, Exclusions)> = requests
                .iter()
                .map(|request| (request.clone(), Exclusions::default()))
                .collect();
            while let Some((mut request, exclusions)) = queue.pop_front() {
                let name = name_of(&request.gav);
                if version::is_range(&request.gav.version) {
                    let mut repositories = self.poms.repositories.iter();
                    let newest = repositories.find_map(|repository| {
                        repository.newest(&name.0, &name.1, &request.gav.version)
                    });
                    request.gav.version = newest.unwrap_or_default();
                }
                changed |= raise(&mut chosen, name.clone(), &request.gav.version);
                if let Some(version) = chosen.get(&name).filter(|version| !version.is_empty()) {
                    request.gav.version.clone_from(version);
                }
                let key = (name, request.classifier.clone());
                if let Some(&index) = known.get(&key) {
                    order[index].is_test &= request.is_test;
                    continue;
                }
                if order.len() >= MOST {
                    break;
                }
                known.insert(key, order.len());
                order.push(request.clone());
                let source = Source::Repository(request.gav.clone());
                let Some(pom) = self.poms.effective(&source, 0) else {
                    continue;
                };
                for dependency in &pom.dependencies {
                    if !is_passed_on(dependency) || is_excluded(&exclusions, dependency) {
                        continue;
                    }
                    let mut more = dependency.exclusions.clone();
                    more.extend(exclusions.iter().cloned());
                    more.sort();
                    more.dedup();
                    let next = Request {
                        gav: Gav::new(
                            &dependency.group,
                            &dependency.artifact,
                            dependency.version.as_deref().unwrap_or(""),
                        ),
                        classifier: dependency.classifier.clone().unwrap_or_default(),
                        is_test: request.is_test,
                    };
                    queue.push_back((next, Rc::new(more)));
                }
            }
            if !changed {
                break;
            }
        }
        order
            .iter()
            .filter_map(|r| self.candidate(&r.gav, &r.classifier, r.is_test, tool))
            .collect()
    }
}
