//! Maven: the modules, source folders and dependencies between modules that the poms declare.
//!
//! Every pom under the root is a module, reached by `<modules>` or not. Profiles count as active:
//! a folder too many does no harm, one too few loses code. Parents outside the root (in the local
//! repository) are not read.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::generators;
use crate::layout::LayoutWarning;
use crate::module::{Dependency, Generated, Module};
use crate::paths;
use crate::read::read_build_file;
use crate::xml::{Node, Tree};

/// One pom, as written: properties are not yet replaced.
#[derive(Default)]
struct Pom {
    /// The file, relative to the root.
    path: String,
    dir: String,
    group: Option<String>,
    artifact: String,
    version: Option<String>,
    parent: Option<Parent>,
    modules: Vec<String>,
    properties: BTreeMap<String, String>,
    source_dir: Option<String>,
    test_dir: Option<String>,
    build_dir: Option<String>,
    added_sources: Vec<String>,
    added_tests: Vec<String>,
    dependencies: Vec<Artifact>,
    managed: Vec<Artifact>,
    /// Of packaging `pom`.
    is_parent: bool,
    mentions_lombok: bool,
    generators: Vec<&'static str>,
}

/// The `<parent>` of a pom.
#[derive(Clone, Debug)]
pub(crate) struct Parent {
    pub(crate) group: String,
    pub(crate) artifact: String,
    pub(crate) version: Option<String>,
    /// `None` if it was said to be elsewhere (`<relativePath/>`).
    pub(crate) path: Option<String>,
}

/// A `<dependency>`, as written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Artifact {
    pub(crate) group: String,
    pub(crate) artifact: String,
    pub(crate) version: Option<String>,
    pub(crate) kind: Option<String>,
    pub(crate) classifier: Option<String>,
    pub(crate) scope: Option<String>,
    /// `None` if nothing is said, so that dependency management may say it.
    pub(crate) optional: Option<String>,
    /// Group and artifact, `*` for all.
    pub(crate) exclusions: Vec<(String, String)>,
    /// Of scope `system`: the file.
    pub(crate) system_path: Option<String>,
}

/// The modules of all poms among `builds` and of those that they list.
pub(crate) fn modules(
    root: &Path,
    builds: &[String],
    warnings: &mut Vec<LayoutWarning>,
) -> Vec<Module> {
    let poms = read(root, builds, warnings);
    let reactor = Reactor::new(root, &poms);
    (0..poms.len())
        .map(|index| reactor.module(index, warnings))
        .collect()
}

/// True for a template of an archetype: what it names (`@project.version@`) is nothing yet.
fn is_template(path: &str) -> bool {
    path.split('/').any(|part| part == "archetype-resources")
}

/// Reads the poms that the walk found and then, level by level, those that only `<modules>` names.
fn read(root: &Path, builds: &[String], warnings: &mut Vec<LayoutWarning>) -> Vec<Pom> {
    let mut poms: Vec<Pom> = Vec::new();
    let mut known: FxHashSet<String> = FxHashSet::default();
    let mut next: Vec<String> = builds
        .iter()
        .filter(|path| paths::name(path) == "pom.xml" && !is_template(path))
        .cloned()
        .collect();
    while !next.is_empty() {
        known.extend(next.iter().cloned());
        let level: Vec<(Pom, Option<LayoutWarning>)> =
            next.par_iter().map(|path| read_pom(root, path)).collect();
        next.clear();
        for (pom, warning) in level {
            warnings.extend(warning);
            for module in &pom.modules {
                let path = paths::join(root, &pom.dir, module).map(|path| {
                    if path.ends_with(".xml") {
                        path
                    } else {
                        paths::child(&path, "pom.xml")
                    }
                });
                let Some(path) =
                    path.filter(|path| !module.contains("${") && !known.contains(path))
                else {
                    continue;
                };
                if root.join(&path).is_file() {
                    known.insert(path.clone());
                    next.push(path);
                } else {
                    warnings.push(LayoutWarning {
                        path: pom.path.clone(),
                        line: None,
                        message: format!("module {module} does not exist"),
                    });
                }
            }
            poms.push(pom);
        }
    }
    // Of several poms in one folder `pom.xml` speaks for it, else the first.
    poms.sort_by_key(|pom| {
        (
            pom.dir.clone(),
            paths::name(&pom.path) != "pom.xml",
            pom.path.clone(),
        )
    });
    poms.dedup_by(|later, first| later.dir == first.dir);
    poms
}

fn read_pom(root: &Path, path: &str) -> (Pom, Option<LayoutWarning>) {
    let dir = paths::parent(path).unwrap_or_default().to_owned();
    let mut pom = Pom {
        path: path.to_owned(),
        dir,
        ..Pom::default()
    };
    let warn = |line, message: String| LayoutWarning {
        path: path.to_owned(),
        line,
        message,
    };
    let text = match read_build_file(&root.join(path)) {
        Ok(text) => text,
        Err(why) => return (pom, Some(warn(None, format!("not read: {why}")))),
    };
    pom.mentions_lombok = text.contains("lombok");
    let tree = Tree::parse(&text);
    let warning = tree.problem.as_ref().map(|(line, message)| {
        warn(
            Some(*line),
            format!("not well-formed XML, the rest is taken by convention: {message}"),
        )
    });
    match tree.root("project") {
        Some(project) => pom.fill(project),
        None if warning.is_none() => {
            return (pom, Some(warn(Some(1), "no <project> element".to_owned())));
        }
        None => {}
    }
    (pom, warning)
}

impl Pom {
    fn fill(&mut self, project: Node<'_>) {
        let own = |name| project.text_of(name).map(str::to_owned);
        self.group = own("groupId");
        self.artifact = own("artifactId").unwrap_or_default();
        self.version = own("version");
        self.parent = project.child("parent").map(parent);
        self.is_parent = project.text_of("packaging") == Some("pom");
        self.section(project);
        for profile in project
            .child("profiles")
            .into_iter()
            .flat_map(|p| p.children("profile"))
        {
            self.section(profile);
        }
    }

    /// What a project and a profile may both say; what came first stays.
    fn section(&mut self, section: Node<'_>) {
        for (list, item) in [("modules", "module"), ("subprojects", "subproject")] {
            let listed = section
                .children(list)
                .flat_map(|modules| modules.children(item));
            self.modules
                .extend(listed.map(|module| module.text().to_owned()));
        }
        for property in section
            .child("properties")
            .into_iter()
            .flat_map(Node::elements)
        {
            let value = property.text().to_owned();
            self.properties
                .entry(property.name().to_owned())
                .or_insert(value);
        }
        let dependencies = artifacts(section);
        let names = dependencies.iter().map(|dependency| &dependency.artifact);
        self.generators
            .extend(names.filter_map(|name| generators::named(name)));
        self.dependencies.extend(dependencies);
        if let Some(management) = section.child("dependencyManagement") {
            self.managed.extend(artifacts(management));
        }
        let Some(build) = section.child("build") else {
            return;
        };
        let first = |slot: &mut Option<String>, name| {
            if slot.is_none() {
                *slot = build.text_of(name).map(str::to_owned);
            }
        };
        first(&mut self.source_dir, "sourceDirectory");
        first(&mut self.test_dir, "testSourceDirectory");
        first(&mut self.build_dir, "directory");
        // Maven 4: `<sources><source><scope>test</scope><directory>…`.
        for source in build
            .children("sources")
            .flat_map(|sources| sources.children("source"))
        {
            let Some(folder) = source.text_of("directory") else {
                continue;
            };
            if source.text_of("lang").is_none_or(|lang| lang == "java") {
                match source.text_of("scope") {
                    Some("test") => self.added_tests.push(folder.to_owned()),
                    _ => self.added_sources.push(folder.to_owned()),
                }
            }
        }
        for plugin in build
            .children("plugins")
            .flat_map(|plugins| plugins.children("plugin"))
        {
            let name = plugin.text_of("artifactId").unwrap_or_default();
            if name == "build-helper-maven-plugin" {
                self.build_helper(plugin);
            }
            self.generators.extend(generators::named(name));
            if name == "maven-compiler-plugin" {
                let processors = plugin
                    .children("configuration")
                    .flat_map(|at| at.children("annotationProcessorPaths"))
                    .flat_map(Node::elements);
                let names = processors.filter_map(|path| path.text_of("artifactId"));
                self.generators.extend(names.filter_map(generators::named));
            }
        }
    }

    fn build_helper(&mut self, plugin: Node<'_>) {
        for execution in plugin
            .children("executions")
            .flat_map(|e| e.children("execution"))
        {
            let goals: Vec<&str> = execution
                .children("goals")
                .flat_map(|g| g.children("goal"))
                .map(Node::text)
                .collect();
            let into = if goals.contains(&"add-source") {
                &mut self.added_sources
            } else if goals.contains(&"add-test-source") {
                &mut self.added_tests
            } else {
                continue;
            };
            for at in [execution, plugin] {
                let sources = at.at(&["configuration", "sources"]);
                let folders = sources.into_iter().flat_map(Node::elements).map(Node::text);
                into.extend(folders.map(str::to_owned));
            }
        }
    }
}

/// A `<parent>`.
pub(crate) fn parent(node: Node<'_>) -> Parent {
    Parent {
        group: node.text_of("groupId").unwrap_or_default().to_owned(),
        artifact: node.text_of("artifactId").unwrap_or_default().to_owned(),
        version: node.text_of("version").map(str::to_owned),
        path: match node.child("relativePath") {
            None => Some("../pom.xml".to_owned()),
            Some(path) => Some(path.text().to_owned()).filter(|path| !path.is_empty()),
        },
    }
}

/// What the `<dependencies>` directly in `node` list.
pub(crate) fn artifacts(node: Node<'_>) -> Vec<Artifact> {
    node.children("dependencies")
        .flat_map(|d| d.children("dependency"))
        .map(artifact)
        .collect()
}

/// A `<dependency>`, or what has the same elements.
pub(crate) fn artifact(node: Node<'_>) -> Artifact {
    let own = |name| node.text_of(name).map(str::to_owned);
    let exclusion = |node: Node<'_>| {
        let own = |name| node.text_of(name).unwrap_or("*").to_owned();
        (own("groupId"), own("artifactId"))
    };
    let exclusions = node
        .children("exclusions")
        .flat_map(|all| all.children("exclusion"));
    Artifact {
        group: own("groupId").unwrap_or_default(),
        artifact: own("artifactId").unwrap_or_default(),
        version: own("version"),
        kind: own("type"),
        classifier: own("classifier"),
        scope: own("scope"),
        optional: own("optional"),
        exclusions: exclusions.map(exclusion).collect(),
        system_path: own("systemPath"),
    }
}

/// `text` with each `${name}` replaced by what `value` gives for it, and again in what came of that; what it does not
/// know stays. Properties that name each other end after some rounds, those that grow at some length.
pub(crate) fn expand(text: &str, value: impl Fn(&str) -> Option<String>) -> String {
    const ROUNDS: usize = 16;
    const LONGEST: usize = 4096;
    let mut text = text.to_owned();
    for _ in 0..ROUNDS {
        if !text.contains("${") {
            break;
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text.as_str();
        let mut changed = false;
        while let Some(start) = rest.find("${") {
            let Some(len) = rest[start..].find('}') else {
                break;
            };
            out.push_str(&rest[..start]);
            match value(&rest[start + 2..start + len]) {
                Some(value) if out.len() + value.len() <= LONGEST => {
                    out.push_str(&value);
                    changed = true;
                }
                _ => out.push_str(&rest[start..=start + len]),
            }
            rest = &rest[start + len + 1..];
        }
        out.push_str(rest);
        text = out;
        if !changed || text.len() > LONGEST {
            break;
        }
    }
    text
}

/// The artifact, kind and classifier of a managed entry.
type Rest<'p> = (&'p str, Option<&'p str>, Option<&'p str>);

/// Group and artifact, properties replaced, then kind and classifier.
type Expanded<'p> = (String, String, Option<&'p str>, Option<&'p str>);

/// What a pom manages, to be found by what tells artifacts apart.
struct Management<'p> {
    /// By group as written, entries whose artifact is written without properties.
    plain: FxHashMap<&'p str, FxHashMap<Rest<'p>, &'p Artifact>>,
    /// Those whose artifact is written with properties.
    open: Vec<&'p Artifact>,
}

/// The same as one module means it.
struct Opened<'p> {
    /// Groups that are written with properties: what they come to, and as written.
    groups: Vec<(String, &'p str)>,
    entries: FxHashMap<Expanded<'p>, &'p Artifact>,
}

impl<'p> Management<'p> {
    fn of(pom: &'p Pom) -> Management<'p> {
        let mut management = Management {
            plain: FxHashMap::default(),
            open: Vec::new(),
        };
        for entry in &pom.managed {
            if entry.scope.as_deref() == Some("import") {
                continue;
            }
            if entry.artifact.contains("${") {
                management.open.push(entry);
                continue;
            }
            let of_group = management.plain.entry(&entry.group).or_default();
            let rest = (
                entry.artifact.as_str(),
                entry.kind.as_deref(),
                entry.classifier.as_deref(),
            );
            of_group.entry(rest).or_insert(entry);
        }
        management
    }

    fn open(&self, expand: impl Fn(&str) -> String) -> Opened<'p> {
        let mut groups: Vec<(String, &'p str)> = self
            .plain
            .keys()
            .filter(|group| group.contains("${"))
            .map(|group| (expand(group), *group))
            .collect();
        groups.sort_unstable();
        let mut entries = FxHashMap::default();
        for entry in &self.open {
            let (kind, classifier) = (entry.kind.as_deref(), entry.classifier.as_deref());
            let key = (
                expand(&entry.group),
                expand(&entry.artifact),
                kind,
                classifier,
            );
            entries.entry(key).or_insert(*entry);
        }
        Opened { groups, entries }
    }
}

/// Takes one link out of each circle of poms that are each other's parents.
fn open_circles(parents: &mut [Option<usize>]) {
    // By pom: from which start it was reached first.
    let mut reached: Vec<usize> = vec![usize::MAX; parents.len()];
    for start in 0..parents.len() {
        let mut at = start;
        reached[start] = reached[start].min(start);
        while let Some(parent) = parents[at].filter(|_| reached[at] == start) {
            match reached[parent] {
                known if known == start => {
                    parents[at] = None;
                }
                usize::MAX => {
                    reached[parent] = start;
                    at = parent;
                }
                _ => break,
            }
        }
    }
}

/// All poms, and what they are to each other.
struct Reactor<'p> {
    root: &'p Path,
    poms: &'p [Pom],
    /// The parent of each pom under the root.
    parents: Vec<Option<usize>>,
    /// What each pom manages.
    management: Vec<Management<'p>>,
    by_coordinates: FxHashMap<(String, String), usize>,
}

impl<'p> Reactor<'p> {
    fn new(root: &'p Path, poms: &'p [Pom]) -> Reactor<'p> {
        let by_path: FxHashMap<&str, usize> = poms
            .iter()
            .enumerate()
            .map(|(index, pom)| (pom.path.as_str(), index))
            .collect();
        let mut by_artifact: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (index, pom) in poms.iter().enumerate() {
            by_artifact.entry(&pom.artifact).or_default().push(index);
        }
        let parent_of = |index: usize| -> Option<usize> {
            let pom = &poms[index];
            let parent = pom.parent.as_ref()?;
            let beside = parent.path.as_ref().and_then(|path| {
                let path = paths::join(root, &pom.dir, path)?;
                let file = by_path.get(path.as_str());
                file.or_else(|| by_path.get(paths::child(&path, "pom.xml").as_str()))
                    .copied()
            });
            beside
                .filter(|&at| poms[at].artifact == parent.artifact)
                .or_else(|| {
                    let candidates = by_artifact.get(parent.artifact.as_str())?;
                    let same_group = |at: &&usize| {
                        let other = &poms[**at];
                        let inherited = other.parent.as_ref().map(|parent| &parent.group);
                        other.group.as_ref().or(inherited) == Some(&parent.group)
                    };
                    candidates.iter().find(same_group).copied()
                })
        };
        let mut parents: Vec<Option<usize>> = (0..poms.len()).map(parent_of).collect();
        open_circles(&mut parents);
        let mut reactor = Reactor {
            root,
            poms,
            parents,
            management: poms.iter().map(Management::of).collect(),
            by_coordinates: FxHashMap::default(),
        };
        // A demo below `src/test/resources` may repeat the coordinates of a real module.
        let mut order: Vec<usize> = (0..poms.len()).collect();
        order.sort_by_key(|&index| {
            let dir = &poms[index].dir;
            (paths::lies_in_tests(dir), dir.split('/').count(), dir)
        });
        for index in order {
            let group = reactor.group(index);
            let artifact = reactor.expand(index, &poms[index].artifact);
            reactor
                .by_coordinates
                .entry((group, artifact))
                .or_insert(index);
        }
        reactor
    }

    /// The pom and its parents under the root, nearest first.
    fn lineage(&self, index: usize) -> impl Iterator<Item = usize> {
        /// More parents have no project; what they say is not inherited.
        const DEEPEST: usize = 64;
        std::iter::successors(Some(index), |&at| self.parents[at]).take(DEEPEST)
    }

    fn group(&self, index: usize) -> String {
        let pom = &self.poms[index];
        let group = pom
            .group
            .as_ref()
            .or(pom.parent.as_ref().map(|parent| &parent.group));
        self.expand(index, group.map_or("", String::as_str))
    }

    /// The value of `${name}` for the pom at `index`. Folders come out relative to the pom's, or
    /// with a leading `//` relative to the root.
    fn property(&self, index: usize, name: &str) -> Option<String> {
        let pom = &self.poms[index];
        let parent = pom.parent.as_ref();
        let bare = name
            .strip_prefix("project.")
            .or(name.strip_prefix("pom."))
            .unwrap_or(name);
        let nearest = |get: fn(&Pom) -> Option<&String>| {
            self.lineage(index)
                .find_map(|at| get(&self.poms[at]))
                .cloned()
        };
        match (bare, name != bare) {
            ("basedir", _) => return Some(".".to_owned()),
            ("groupId", true) => {
                return pom
                    .group
                    .clone()
                    .or(parent.map(|parent| parent.group.clone()));
            }
            ("artifactId", true) => return Some(pom.artifact.clone()),
            ("version", true) => {
                return pom
                    .version
                    .clone()
                    .or(parent.and_then(|parent| parent.version.clone()));
            }
            ("parent.groupId", true) => return parent.map(|parent| parent.group.clone()),
            ("parent.artifactId", true) => return parent.map(|parent| parent.artifact.clone()),
            ("parent.version", true) => return parent.and_then(|parent| parent.version.clone()),
            ("parent.basedir", true) => {
                let parent = self.parents[index]?;
                return Some(format!("//{}", self.poms[parent].dir));
            }
            ("build.directory", true) => {
                return nearest(|pom| pom.build_dir.as_ref()).or(Some("target".to_owned()));
            }
            ("build.sourceDirectory", true) => {
                return nearest(|pom| pom.source_dir.as_ref()).or(Some("src/main/java".to_owned()));
            }
            ("build.testSourceDirectory", true) => {
                return nearest(|pom| pom.test_dir.as_ref()).or(Some("src/test/java".to_owned()));
            }
            ("maven.multiModuleProjectDirectory" | "session.executionRootDirectory", false) => {
                return Some("//".to_owned());
            }
            _ => {}
        }
        self.lineage(index)
            .find_map(|at| self.poms[at].properties.get(name).cloned())
    }

    /// `text` with its properties replaced; those that nothing under the root defines stay.
    fn expand(&self, index: usize, text: &str) -> String {
        expand(text, |name| self.property(index, name))
    }

    fn module(&self, index: usize, warnings: &mut Vec<LayoutWarning>) -> Module {
        let pom = &self.poms[index];
        let line: Vec<usize> = self.lineage(index).collect();
        let mut module = Module::new(&pom.dir);
        module.uses_lombok = line.iter().any(|&at| self.poms[at].mentions_lombok);
        // A parent of modules alone compiles nothing.
        if !pom.is_parent {
            for generator in line.iter().flat_map(|&at| &self.poms[at].generators) {
                module.add_generator(generator);
            }
        }
        let mut folder = |text: &str, from: usize| {
            let text = self.expand(index, text);
            let joined = if text.contains("${") {
                None
            } else {
                paths::join(self.root, &pom.dir, &text)
            };
            // What a parent says is told once, at the parent.
            if joined.is_none() && from == index {
                warnings.push(LayoutWarning {
                    path: pom.path.clone(),
                    line: None,
                    message: format!("folder {text} is not known from the files alone"),
                });
            }
            joined
        };
        let mut nearest = |get: fn(&Pom) -> Option<&String>, default: &str| {
            let said = line.iter().find_map(|&at| Some((at, get(&self.poms[at])?)));
            let (from, text) = said.map_or((index, default), |(at, text)| (at, text.as_str()));
            folder(text, from)
        };
        // A source folder that cannot be told is left to convention.
        let main = nearest(|pom| pom.source_dir.as_ref(), "src/main/java");
        let test = nearest(|pom| pom.test_dir.as_ref(), "src/test/java");
        let build = nearest(|pom| pom.build_dir.as_ref(), "target")
            .unwrap_or_else(|| paths::child(&pom.dir, "target"));
        for (name, first) in [("main", main), ("test", test)] {
            let conventional = paths::child(&pom.dir, &format!("src/{name}/java"));
            module.set(name).add_root(first.unwrap_or(conventional));
            for &at in &line {
                let pom = &self.poms[at];
                let added = if name == "main" {
                    &pom.added_sources
                } else {
                    &pom.added_tests
                };
                for root in added.iter().filter_map(|text| folder(text, at)) {
                    // What is generated is found below the output folder, with its true roots.
                    if paths::below(&root, &build).is_none() {
                        module.set(name).add_root(root);
                    }
                }
            }
        }
        for (name, set) in [
            ("generated-sources", "main"),
            ("generated-test-sources", "test"),
        ] {
            module.generated.push(Generated {
                folder: paths::child(&build, name),
                set: Some(set.to_owned()),
            });
        }
        let declared = line.iter().flat_map(|&at| &self.poms[at].dependencies);
        let opened = OnceCell::new();
        module.dependencies = declared
            .filter_map(|artifact| self.dependency(index, artifact, &opened))
            .collect();
        module
    }

    /// The dependency on another module that `artifact`, written in the pom at `index` or in one of
    /// its parents, stands for.
    fn dependency(
        &self,
        index: usize,
        artifact: &Artifact,
        opened: &OnceCell<Vec<Opened<'p>>>,
    ) -> Option<Dependency> {
        let group = self.expand(index, &artifact.group);
        let name = self.expand(index, &artifact.artifact);
        let target = *self.by_coordinates.get(&(group.clone(), name.clone()))?;
        let managed = || {
            let opened = opened.get_or_init(|| {
                let levels = self.lineage(index).map(|at| &self.management[at]);
                levels
                    .map(|level| level.open(|text| self.expand(index, text)))
                    .collect()
            });
            let (kind, classifier) = (artifact.kind.as_deref(), artifact.classifier.as_deref());
            let mut levels = self
                .lineage(index)
                .map(|at| &self.management[at])
                .zip(opened);
            levels.find_map(|(level, opened)| {
                let rest = (name.as_str(), kind, classifier);
                let written = |group: &str| level.plain.get(group)?.get(&rest).copied();
                let mut groups = opened
                    .groups
                    .iter()
                    .filter(|(group_of, _)| *group_of == group);
                written(&group)
                    .or_else(|| groups.find_map(|(_, as_written)| written(as_written)))
                    .or_else(|| {
                        let key = (group.clone(), name.clone(), kind, classifier);
                        opened.entries.get(&key).copied()
                    })
            })
        };
        let scope = artifact.scope.clone().or_else(|| managed()?.scope.clone());
        let scope = self.expand(index, scope.as_deref().unwrap_or("compile"));
        let of_tests = artifact.kind.as_deref() == Some("test-jar")
            || artifact.classifier.as_deref() == Some("tests");
        let of_fixtures = artifact.classifier.as_deref() == Some("test-fixtures");
        Some(Dependency {
            from: if scope == "test" { "test" } else { "main" }.to_owned(),
            module: self.poms[target].dir.clone(),
            on: if of_tests {
                "test"
            } else if of_fixtures {
                "testFixtures"
            } else {
                "main"
            }
            .to_owned(),
            exported: matches!(scope.as_str(), "compile" | "runtime")
                && artifact.optional.as_deref() != Some("true"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::is_template;

    #[test]
    fn an_archetype_s_pom_is_a_template() {
        for (path, is) in [
            ("pom.xml", false),
            ("src/test/resources/projects/one/pom.xml", false),
            (
                "archetype/src/main/resources/archetype-resources/pom.xml",
                true,
            ),
        ] {
            assert_eq!(is_template(path), is, "{path}");
        }
    }
}
