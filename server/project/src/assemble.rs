//! From what the build files say and what lies on disk to source sets.
//!
//! 1. Each module has the source sets that its build file names, and by convention those whose
//!    files lie in `src/X/java`.
//! 2. A file belongs to the deepest source root around it, unless a module lies in between.
//! 3. Files outside of every root ("strays") are grouped by the roots that their packages imply:
//!    one source set for those that can be compiled together, one each for the others.
//! 4. What a source set sees follows from the sets of its own module, then from the dependencies
//!    between modules, breadth first, as Maven and Gradle order a classpath.

use std::path::Path;

use ignore::gitignore::Gitignore;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::layout::{Generator, Language, Layout, LayoutWarning, Skipped, SourcePath, SourceSet};
use crate::module::Module;
use crate::visibility::{Dependencies, Origin, Set};
use crate::walk::Walked;
use crate::{Config, ProjectError, eclipse, gradle, infer, maven, paths, walk};

/// Folders of a source set that may hold Java files: mixed builds keep them beside the others.
const LANGUAGES: &[&str] = &["java", "kotlin", "groovy", "scala"];

/// Finds the source sets and Java files of the project at `root`, an absolute path, from files
/// alone. Costs one parallel walk, plus the head of one file for each folder that no build file
/// explains.
///
/// Fails only if the root itself cannot be read.
pub fn discover(root: &Path, config: &Config) -> Result<Layout, ProjectError> {
    let metadata = std::fs::metadata(root).map_err(|e| ProjectError::from_io(root, e))?;
    if !metadata.is_dir() {
        return Err(ProjectError::NotAFolder(root.to_path_buf()));
    }
    std::fs::read_dir(root).map_err(|e| ProjectError::from_io(root, e))?;
    let excludes = walk::excludes(root, &config.sources.exclude);
    let walked = walk::walk(root, &excludes);
    Ok(assemble(root, walked, &excludes))
}

fn assemble(root: &Path, walked: Walked, excludes: &Gitignore) -> Layout {
    let mut warnings = walked.warnings;
    let modules = modules(root, &walked.builds, &mut warnings);
    let mut assembly = Assembly::new(root, modules);
    assembly.claim_declared();
    let generated = assembly.claim_generated(&walked.java, excludes);
    let generators = assembly.generators();
    assembly.claim_conventional(&walked.java);
    let placed = assembly.place(walked.java, generated);
    let (source_sets, files) = assembly.finish(placed);
    warnings.sort();
    warnings.dedup();
    Layout {
        root: root.to_path_buf(),
        source_sets,
        files,
        builds: walked.builds,
        generators,
        languages: walk::LANGUAGES
            .iter()
            .zip(walked.languages)
            .filter(|(_, files)| *files > 0)
            .map(|((name, _), files)| Language { name, files })
            .collect(),
        skipped: Skipped {
            unreadable: walked.unreadable,
            not_utf8: walked.not_utf8,
            oversized: Vec::new(),
        },
        warnings,
    }
}

/// The modules of all build tools, sorted by folder. Where two tools build one folder, Maven counts
/// before Gradle before Eclipse: from the most declarative to the least maintained.
fn modules(root: &Path, builds: &[String], warnings: &mut Vec<LayoutWarning>) -> Vec<Module> {
    let mut modules = maven::modules(root, builds, warnings);
    for other in [
        gradle::modules(root, builds, warnings),
        eclipse::modules(root, builds, warnings),
    ] {
        let known: FxHashSet<String> = modules.iter().map(|module| module.dir.clone()).collect();
        modules.extend(
            other
                .into_iter()
                .filter(|module| !known.contains(&module.dir)),
        );
    }
    for module in &mut modules {
        for name in ["main", "test"] {
            module.set(name);
        }
    }
    // An Ant build tells nothing that is not in the packages, but it is a module of its own.
    let known: FxHashSet<String> = modules.iter().map(|module| module.dir.clone()).collect();
    for build in builds
        .iter()
        .filter(|path| paths::name(path) == "build.xml")
    {
        let dir = paths::parent(build).unwrap_or_default();
        if std::iter::successors(Some(dir), |dir| paths::parent(dir))
            .all(|dir| !known.contains(dir))
        {
            modules.push(Module::new(dir));
        }
    }
    if modules.iter().all(|module| !module.dir.is_empty()) {
        modules.push(Module::new(""));
    }
    modules.sort_by(|a, b| a.dir.cmp(&b.dir));
    modules
}

struct Assembly<'r> {
    root: &'r Path,
    modules: Vec<Module>,
    module_at: FxHashMap<String, usize>,
    sets: Vec<Set>,
    /// The declared sets by module and name.
    by_name: FxHashMap<(usize, String), usize>,
    /// The modules that have declared sets.
    declared: FxHashSet<usize>,
    /// The set of each source root.
    roots: FxHashMap<String, usize>,
    /// Sets of which a root belongs to another set, with that set.
    shared: Vec<(usize, usize)>,
    /// The modules of which generated sources were found.
    generated: FxHashSet<usize>,
}

/// A file with its set and its path below the source root.
struct Placed {
    path: String,
    set: usize,
}

impl<'r> Assembly<'r> {
    fn new(root: &'r Path, modules: Vec<Module>) -> Assembly<'r> {
        let module_at = modules
            .iter()
            .enumerate()
            .map(|(index, module)| (module.dir.clone(), index))
            .collect();
        Assembly {
            root,
            modules,
            module_at,
            sets: Vec::new(),
            by_name: FxHashMap::default(),
            declared: FxHashSet::default(),
            roots: FxHashMap::default(),
            shared: Vec::new(),
            generated: FxHashSet::default(),
        }
    }

    /// What makes sources, once it is known of which modules some were found.
    fn generators(&self) -> Vec<Generator> {
        let modules = self.modules.iter().enumerate();
        let mut generators: Vec<Generator> = modules
            .flat_map(|(index, module)| {
                let generators = module.generators.iter();
                generators.map(move |name| Generator {
                    module: module.dir.clone(),
                    name,
                    is_on_disk: self.generated.contains(&index),
                })
            })
            .collect();
        generators.sort();
        generators
    }

    /// The innermost module around `dir`.
    fn module_of(&self, dir: &str) -> usize {
        let around = std::iter::successors(Some(dir), |dir| paths::parent(dir));
        // The root always is a module.
        around
            .filter_map(|dir| self.module_at.get(dir))
            .next()
            .copied()
            .unwrap_or(0)
    }

    /// The source root around `dir` with its set, unless a module lies in between.
    fn root_of<'p>(&self, dir: &'p str) -> Option<(&'p str, usize)> {
        let around = std::iter::successors(Some(dir), |dir| paths::parent(dir));
        for dir in around {
            if let Some(&set) = self.roots.get(dir) {
                return Some((dir, set));
            }
            if self.module_at.contains_key(dir) {
                return None;
            }
        }
        None
    }

    /// The declared set `name` of a module, made if there is none yet.
    fn set(&mut self, module: usize, name: &str) -> usize {
        let known = self.by_name.get(&(module, name.to_owned())).copied();
        known.unwrap_or_else(|| {
            let set = self.add(module, name, paths::is_test_like(name), Origin::Declared);
            self.by_name.insert((module, name.to_owned()), set);
            self.declared.insert(module);
            set
        })
    }

    fn add(&mut self, module: usize, name: &str, is_test: bool, origin: Origin) -> usize {
        self.sets.push(Set {
            module,
            name: name.to_owned(),
            is_test: is_test || paths::lies_in_tests(&self.modules[module].dir),
            roots: Vec::new(),
            origin,
        });
        self.sets.len() - 1
    }

    /// Gives `root` to `set`; if another set has it already, `set` sees that one instead.
    fn claim(&mut self, set: usize, root: String) {
        match self.roots.get(&root) {
            Some(&owner) if owner != set => self.shared.push((set, owner)),
            Some(_) => {}
            None => {
                self.roots.insert(root.clone(), set);
                self.sets[set].roots.push(root);
            }
        }
    }

    fn claim_declared(&mut self) {
        let mut foreign = Vec::new();
        for module in 0..self.modules.len() {
            let declared = std::mem::take(&mut self.modules[module].sets);
            for set in declared {
                let index = self.set(module, &set.name);
                for root in set.roots {
                    // A module's own folders come before those that another one adds.
                    if self.module_of(&root) == module {
                        self.claim(index, root);
                    } else {
                        foreign.push((index, root));
                    }
                }
            }
        }
        for (set, root) in foreign {
            self.claim(set, root);
        }
    }

    /// `src/X/java` of a module with a build file is the source set X.
    fn claim_conventional(&mut self, java: &[String]) {
        for folder in folders(java.iter().map(String::as_str)) {
            let module = self.module_of(folder);
            if !self.is_declared(module) || self.root_of(folder).is_some() {
                continue;
            }
            let dir = &self.modules[module].dir;
            let Some(rest) = paths::below(folder, dir) else {
                continue;
            };
            let mut parts = rest.split('/');
            let (Some("src"), Some(name), Some(language)) =
                (parts.next(), parts.next(), parts.next())
            else {
                continue;
            };
            if LANGUAGES.contains(&language) {
                let root = paths::child(dir, &format!("src/{name}/{language}"));
                let set = self.set(module, name);
                self.claim(set, root);
            }
        }
    }

    /// The Java files that builds generated, sorted, with their roots claimed.
    fn claim_generated(&mut self, java: &[String], excludes: &Gitignore) -> Vec<String> {
        let mut files = Vec::new();
        for module in 0..self.modules.len() {
            for generated in self.modules[module].generated.clone() {
                if !self.root.join(&generated.folder).is_dir() {
                    continue;
                }
                let found = walk::walk_generated(self.root, &generated.folder, excludes);
                if !found.is_empty() {
                    self.generated.insert(module);
                }
                for (folder, inferred) in self.inferred(&found) {
                    let name = generated.set.clone().unwrap_or_else(|| {
                        let below = paths::below(&folder, &generated.folder).unwrap_or_default();
                        let own =
                            |part: &&str| self.by_name.contains_key(&(module, (*part).to_owned()));
                        below.split('/').find(own).unwrap_or("main").to_owned()
                    });
                    let set = self.set(module, &name);
                    self.claim(set, inferred);
                }
                files.extend(
                    found
                        .into_iter()
                        .filter(|file| java.binary_search(file).is_err()),
                );
            }
        }
        files.sort_unstable();
        files.dedup();
        files
    }

    /// The folders of `files` (sorted), each with the source root that the package of its first file
    /// implies.
    fn inferred(&self, files: &[String]) -> Vec<(String, String)> {
        let mut first: Vec<(&str, &str)> = Vec::new();
        for file in files {
            let folder = paths::parent(file).unwrap_or_default();
            let tells = !matches!(paths::name(file), "package-info.java" | "module-info.java");
            match first.last_mut() {
                Some((last, told)) if *last == folder => {
                    if tells && told.is_empty() {
                        *told = file;
                    }
                }
                _ => first.push((folder, if tells { file } else { "" })),
            }
        }
        // A folder's files need not be neighbours: `a/b/X.java` sorts between `a/a.java` and `a/c.java`.
        first.sort_by(|a, b| (a.0, a.1.is_empty(), a.1).cmp(&(b.0, b.1.is_empty(), b.1)));
        first.dedup_by(|later, first| later.0 == first.0);
        first
            .into_par_iter()
            .map(|(folder, file)| {
                let file = if file.is_empty() {
                    paths::child(folder, "package-info.java")
                } else {
                    file.to_owned()
                };
                let package = infer::package_of(&self.root.join(file)).unwrap_or_default();
                (
                    folder.to_owned(),
                    infer::root_of(folder, &package).to_owned(),
                )
            })
            .collect()
    }

    /// Gives every file its source set.
    fn place(&mut self, java: Vec<String>, generated: Vec<String>) -> Vec<Placed> {
        let mut strays: Vec<String> = Vec::new();
        let mut placed = Vec::with_capacity(java.len());
        let mut declared: FxHashSet<(usize, String)> = FxHashSet::default();
        let has_generated = !generated.is_empty();
        for path in java {
            let folder = paths::parent(&path).unwrap_or_default();
            match self.root_of(folder) {
                Some((root, set)) => {
                    if has_generated && let Some(below) = paths::below(&path, root) {
                        declared.insert((set, below.to_owned()));
                    }
                    placed.push(Placed { path, set });
                }
                None => strays.push(path),
            }
        }
        // A generator that rewrites sources (Lombok's, one run for each Android variant) repeats
        // types; those of the source count, then the first.
        for path in generated {
            let folder = paths::parent(&path).unwrap_or_default();
            if let Some((root, set)) = self.root_of(folder)
                && let Some(below) = paths::below(&path, root)
                && declared.insert((set, below.to_owned()))
            {
                placed.push(Placed { path, set });
            }
        }
        self.place_strays(strays, &mut placed);
        placed.sort_by(|a, b| a.path.cmp(&b.path));
        placed
    }

    fn place_strays(&mut self, strays: Vec<String>, placed: &mut Vec<Placed>) {
        let root_of: FxHashMap<String, String> = self.inferred(&strays).into_iter().collect();
        let mut groups: FxHashMap<(usize, &str), Vec<&str>> = FxHashMap::default();
        for path in &strays {
            let folder = paths::parent(path).unwrap_or_default();
            let root = root_of.get(folder).map_or(folder, String::as_str);
            if let Some(&set) = self.roots.get(root) {
                placed.push(Placed {
                    path: path.clone(),
                    set,
                });
            } else {
                groups
                    .entry((self.module_of(folder), root))
                    .or_default()
                    .push(path);
            }
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        // The largest root of a module decides what the others conflict with.
        groups.sort_by_key(|((module, root), files)| {
            (*module, std::cmp::Reverse(files.len()), *root)
        });
        let kinds: Vec<Kind> = groups
            .iter()
            .map(|((module, root), _)| self.kind(*module, root))
            .collect();
        let mut known = self.declared_names(&groups, placed);
        let mut together: FxHashMap<(usize, Kind), usize> = FxHashMap::default();
        for (((module, root), files), kind) in groups.iter().zip(&kinds) {
            let (module, kind) = (*module, *kind);
            let names = files.iter().filter(|file| !is_info(file));
            let names: Vec<&str> = names.filter_map(|file| paths::below(file, root)).collect();
            let known = known.entry((module, kind)).or_default();
            let conflicts = names.iter().any(|name| known.contains(*name));
            if !conflicts {
                known.extend(names.into_iter().map(str::to_owned));
            }
            let path = paths::below(root, &self.modules[module].dir).unwrap_or_default();
            let is_test = matches!(kind, Kind::Test | Kind::TestResource);
            let is_resource = matches!(kind, Kind::Resource | Kind::TestResource);
            let origin = if is_resource {
                Origin::Resource
            } else if conflicts {
                Origin::Separate
            } else {
                Origin::Inferred
            };
            // With a build file each root stands for itself; without one, what fits together is
            // the main code and the tests.
            let plain = !self.is_declared(module);
            let merges = !conflicts && (plain || is_resource);
            let set = match together.get(&(module, kind)) {
                Some(&set) if merges => set,
                _ => {
                    let label = if merges && plain || path.is_empty() {
                        kind.name()
                    } else {
                        path
                    };
                    let set = self.add(module, label, is_test, origin);
                    if merges {
                        together.insert((module, kind), set);
                    }
                    set
                }
            };
            self.sets[set].roots.push((*root).to_owned());
            let files = files.iter();
            placed.extend(files.map(|path| Placed {
                path: (*path).to_owned(),
                set,
            }));
        }
    }

    /// What the source sets of those modules that have `groups` of strays declare: paths below the
    /// source roots.
    fn declared_names(
        &self,
        groups: &[((usize, &str), Vec<&str>)],
        placed: &[Placed],
    ) -> FxHashMap<(usize, Kind), FxHashSet<String>> {
        let concerned: FxHashSet<usize> = groups.iter().map(|((module, _), _)| *module).collect();
        let mut names: FxHashMap<(usize, Kind), FxHashSet<String>> = FxHashMap::default();
        for file in placed {
            let set = &self.sets[file.set];
            if !concerned.contains(&set.module) || is_info(&file.path) {
                continue;
            }
            let kind = if set.is_test { Kind::Test } else { Kind::Main };
            let folder = paths::parent(&file.path).unwrap_or_default();
            if let Some((root, _)) = self.root_of(folder)
                && let Some(name) = paths::below(&file.path, root)
            {
                names
                    .entry((set.module, kind))
                    .or_default()
                    .insert(name.to_owned());
            }
        }
        names
    }

    /// True if a build tool tells the source sets of `module`.
    fn is_declared(&self, module: usize) -> bool {
        self.declared.contains(&module)
    }

    /// True for a root without files that is there for files to come.
    fn is_kept_empty(&self, root: &str, generated: &FxHashSet<&str>) -> bool {
        let mut around = std::iter::successors(Some(root), |dir| paths::parent(dir));
        !around.any(|dir| generated.contains(dir)) && self.root.join(root).is_dir()
    }

    fn kind(&self, module: usize, root: &str) -> Kind {
        let dir = &self.modules[module].dir;
        let path = paths::below(root, dir).unwrap_or_default();
        if holds_resources(path) && paths::has_test_like(path) {
            Kind::TestResource
        } else if holds_resources(path) {
            Kind::Resource
        } else if paths::has_test_like(path) {
            Kind::Test
        } else {
            Kind::Main
        }
    }

    /// The source sets that have files, in their final order, and the files.
    fn finish(self, placed: Vec<Placed>) -> (Vec<SourceSet>, Vec<SourcePath>) {
        let mut has_files = vec![false; self.sets.len()];
        for file in &placed {
            has_files[file.set] = true;
        }
        let folders = folders(placed.iter().map(|file| file.path.as_str()));
        let mut used: FxHashSet<&str> = folders
            .iter()
            .filter_map(|folder| Some(self.root_of(folder)?.0))
            .collect();
        for set in self
            .sets
            .iter()
            .filter(|set| set.origin != Origin::Declared)
        {
            used.extend(set.roots.iter().map(String::as_str));
        }
        let mut order: Vec<usize> = (0..self.sets.len()).filter(|&set| has_files[set]).collect();
        order.sort_by_key(|&index| {
            let set = &self.sets[index];
            (
                set.module,
                set.is_test,
                set.origin as u8,
                set.name != "main",
                &set.name,
                &set.roots,
            )
        });
        let mut position = vec![usize::MAX; self.sets.len()];
        for (at, &set) in order.iter().enumerate() {
            position[set] = at;
        }
        let links = Dependencies::new(&self.modules, &self.sets, &self.shared);
        let generated = self.modules.iter().flat_map(|module| &module.generated);
        let generated: FxHashSet<&str> = generated.map(|g| g.folder.as_str()).collect();
        let mut seen = links.seen_by(&order).into_iter();
        let mut names: FxHashSet<String> = FxHashSet::default();
        let mut last: FxHashMap<String, usize> = FxHashMap::default();
        let mut out = Vec::with_capacity(order.len());
        for &index in &order {
            let set = &self.sets[index];
            let plain = paths::child(&self.modules[set.module].dir, &set.name);
            let mut name = plain.clone();
            while !names.insert(name.clone()) {
                let number = last.entry(plain.clone()).or_insert(1);
                *number += 1;
                name = format!("{plain} ({number})");
            }
            let mut roots = set.roots.clone();
            // An inherited setting names folders that this module does not have, a generator makes
            // some that only repeat others.
            roots.retain(|root| {
                used.contains(root.as_str()) || self.is_kept_empty(root, &generated)
            });
            roots.sort();
            out.push(SourceSet {
                name,
                is_test: set.is_test,
                roots,
                visible: seen
                    .next()
                    .unwrap_or_default()
                    .into_iter()
                    .filter(|&set| has_files[set])
                    .map(|set| position[set])
                    .collect(),
                uses_lombok: self.modules[set.module].uses_lombok,
            });
        }
        let files = placed
            .into_iter()
            .map(|file| SourcePath {
                path: file.path,
                source_set: position[file.set],
            })
            .collect();
        (out, files)
    }
}

/// What a folder outside of all declared roots is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    Main,
    Test,
    Resource,
    TestResource,
}

impl Kind {
    /// The name of a source set of such folders.
    fn name(self) -> &'static str {
        match self {
            Kind::Main => "main",
            Kind::Test => "test",
            Kind::Resource => "resources",
            Kind::TestResource => "test-resources",
        }
    }
}

/// True if the Java files in the folder `path` are data, which nothing compiles:
/// `src/test/resources`, `src/it/resources-broken`, `src/main/archetype-resources`.
fn holds_resources(path: &str) -> bool {
    let mut in_src = false;
    path.split('/').any(|part| {
        let hit = part == "resources"
            || (in_src && (part.starts_with("resources-") || part.ends_with("-resources")));
        in_src |= part == "src";
        hit
    })
}

/// True for files that stand in every package or module and declare no type.
fn is_info(path: &str) -> bool {
    matches!(paths::name(path), "package-info.java" | "module-info.java")
}

/// The folders of paths, sorted, each once.
fn folders<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<&'p str> {
    let mut folders: Vec<&str> = paths
        .map(|path| paths::parent(path).unwrap_or_default())
        .collect();
    folders.sort_unstable();
    folders.dedup();
    folders
}
