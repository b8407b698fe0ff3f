//! The class path that Gradle's files describe: lock files where there are any, else what the scripts and the version
//! catalog name, completed by the poms in Gradle's cache; of several versions the highest counts, as for Gradle.
//!
//! Scripts are not run, so what plugins and loops add is not known.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::awaited::{Awaited, jars_below};
use super::maven::highest::{Artifacts, Request};
use super::report::{Processor, Tool, Unread};
use super::repository::{self, Gav, Repository};
use super::union::{Library, ModulePath, PathEntry};
use super::{Environment, Search};
use crate::gradle_libraries::{SPRING_BOOT, spring_boot};
use crate::maven::expand;
use crate::module::{Module, Notation, Role};
use crate::paths;
use crate::read::read_build_file;

/// Adds what the Gradle builds among `builds` say to `search`; folders that have a pom are Maven's.
pub(super) fn search(
    root: &Path,
    builds: &[String],
    java_version: Option<&str>,
    environment: &Environment,
    search: &mut Search,
) {
    let modules = crate::gradle::modules(root, builds, &mut Vec::new());
    let has_pom: FxHashSet<&str> = builds
        .iter()
        .filter(|path| paths::name(path) == "pom.xml")
        .filter_map(|path| paths::parent(path))
        .collect();
    let modules: Vec<&Module> = modules
        .iter()
        .filter(|module| !has_pom.contains(module.dir.as_str()))
        .collect();
    if modules.is_empty() {
        return;
    }
    let mut repositories = Vec::new();
    if let Some(home) = environment.gradle() {
        let cache = home.join("caches/modules-2/files-2.1");
        search.report.repositories.push(cache.clone());
        repositories.push(Repository::Gradle(cache));
    }
    // `mavenLocal()`, and a cache that was made from it.
    let options = repository::options(root);
    if let Some(local) = repository::local_repository(environment, &options) {
        repositories.push(Repository::Maven(local));
    }
    let mut awaited = Missed::new(repositories.clone());
    let mut artifacts = Artifacts::new(root, java_version, repositories);
    let scope = Scope::new(root, &modules);
    for module in &modules {
        let wanted = Wanted::of(module, &scope, search);
        let mut entries = match locked(root, &module.dir) {
            Some(locked) => locked
                .into_iter()
                .filter_map(|(gav, is_test)| artifacts.entry(&gav, "", is_test, Tool::Gradle))
                .collect(),
            None => {
                // A lock file has all of it, however it is written.
                search.report.unread.extend(unread(module, &scope));
                artifacts.highest(&wanted.platforms, &wanted.requests, Tool::Gradle)
            }
        };
        for bill in &wanted.platforms {
            awaited.add(bill, ".pom", search);
        }
        for entry in &entries {
            awaited.add_jar(&entry.library, search);
        }
        for (path, is_test) in wanted.files {
            entries.push(file(path, is_test, Tool::Gradle));
        }
        search.modules.push(ModulePath {
            dir: module.dir.clone(),
            entries,
        });
    }
    search.work.entries += artifacts.expanded();
    search.work.edges += artifacts.followed;
}

/// What a module asks for in words that are not understood, or by names that stand for nothing.
fn unread(module: &Module, scope: &Scope<'_>) -> Vec<Unread> {
    let stands = |name: &String| !scope.named(&module.dir, name).is_empty();
    let asks = module.asks.iter();
    asks.filter(|a| a.names.is_empty() || !a.names.iter().all(stands))
        .map(|a| Unread {
            script: a.script.clone(),
            text: a.text.clone(),
        })
        .collect()
}

/// What modules ask for and no repository has, each once.
struct Missed {
    repositories: Vec<Repository>,
    known: FxHashSet<(Gav, String)>,
}

impl Missed {
    fn new(repositories: Vec<Repository>) -> Missed {
        Missed {
            repositories,
            known: FxHashSet::default(),
        }
    }

    fn add(&mut self, gav: &Gav, suffix: &str, search: &mut Search) {
        if self.known.insert((gav.clone(), suffix.to_owned())) {
            let awaited = Awaited::artifact(&self.repositories, gav, suffix);
            search.awaited.extend(awaited);
        }
    }

    fn add_jar(&mut self, library: &Library, search: &mut Search) {
        let mut parts = library.name.split(':');
        if library.path.is_none()
            && !library.version.is_empty()
            && let (Some(group), Some(artifact)) = (parts.next(), parts.next())
        {
            let classifier = parts.next().map(|c| format!("-{c}"));
            let suffix = format!("{}.jar", classifier.unwrap_or_default());
            self.add(
                &Gav::new(group, artifact, &library.version),
                &suffix,
                search,
            );
        }
    }
}

/// A jar that a build file names by its path.
pub(super) fn file(path: PathBuf, is_test: bool, tool: Tool) -> PathEntry {
    PathEntry {
        library: Arc::new(Library {
            name: path.to_string_lossy().into_owned(),
            version: String::new(),
            reason: "does not exist".to_owned(),
            expected: Some(path.clone()),
            path: Some(path).filter(|path| path.exists()),
            tool,
            lacks_pom: false,
        }),
        is_test,
        depth: 1,
        is_guessed: false,
    }
}

/// What a module's script asks for, variables replaced.
#[derive(Default)]
struct Wanted {
    requests: Vec<Request>,
    platforms: Vec<Gav>,
    files: Vec<(PathBuf, bool)>,
}

impl Wanted {
    fn of(module: &Module, scope: &Scope<'_>, search: &mut Search) -> Wanted {
        let mut wanted = Wanted::default();
        for library in &module.libraries {
            let is_test = paths::is_test_like(&library.from);
            let coordinates = match &library.notation {
                Notation::Coordinates(text) => vec![scope.expand(&module.dir, text)],
                Notation::Name(name) => scope.named(&module.dir, name),
                Notation::File(text) => {
                    wanted
                        .files
                        .extend(scope.path(&module.dir, text).map(|path| (path, is_test)));
                    continue;
                }
                Notation::Folder(text) => {
                    let Some(folder) = scope.path(&module.dir, text) else {
                        continue;
                    };
                    search.awaited.push(Awaited::jars(&folder, 0));
                    let jars = jars_below(&folder, 0);
                    wanted
                        .files
                        .extend(jars.into_iter().map(|jar| (jar, is_test)));
                    continue;
                }
            };
            for text in coordinates {
                let text = text.split('@').next().unwrap_or_default();
                let mut parts = text.split(':').map(str::to_owned);
                let (Some(group), Some(artifact)) = (parts.next(), parts.next()) else {
                    continue;
                };
                let version = parts.next().unwrap_or_default();
                let gav = Gav {
                    group,
                    artifact,
                    // `1.2!!` is strictly that.
                    version: version.trim_end_matches("!!").to_owned(),
                };
                match library.role {
                    Role::Platform => wanted.platforms.push(gav),
                    Role::Processor => {
                        if gav.group != "org.projectlombok" {
                            search.report.processors.push(Processor {
                                name: format!("{}:{}", gav.group, gav.artifact),
                                module: module.dir.clone(),
                            });
                        }
                    }
                    Role::Classes => wanted.requests.push(Request {
                        gav,
                        classifier: parts.next().unwrap_or_default(),
                        is_test,
                    }),
                }
            }
        }
        wanted
    }
}

/// What names in scripts stand for. The user's own `gradle.properties` are not asked, though they would win: they hold
/// passwords more often than versions, and what a project's files name ends in messages.
struct Scope<'m> {
    root: &'m Path,
    /// By folder: `gradle.properties` and the variables of the script there.
    variables: FxHashMap<&'m str, BTreeMap<String, String>>,
    /// By the folder of the settings: what the catalog's aliases stand for.
    catalogs: FxHashMap<String, Catalog>,
}

#[derive(Default)]
struct Catalog {
    /// `commons.lang3` → coordinates.
    libraries: BTreeMap<String, String>,
    /// Plugins that bring a bill of materials along, with its coordinates.
    plugins: BTreeMap<String, String>,
    versions: BTreeMap<String, String>,
    bundles: BTreeMap<String, Vec<String>>,
}

impl<'m> Scope<'m> {
    fn new(root: &'m Path, modules: &[&'m Module]) -> Scope<'m> {
        let mut scope = Scope {
            root,
            variables: FxHashMap::default(),
            catalogs: FxHashMap::default(),
        };
        for module in modules {
            let dir = root.join(&module.dir);
            let mut variables = properties(&dir.join("gradle.properties"));
            for (name, value) in &module.variables {
                variables.entry(name.clone()).or_insert(value.clone());
            }
            scope.variables.insert(&module.dir, variables);
            if let Some(catalog) = Catalog::read(&dir.join("gradle/libs.versions.toml")) {
                scope.catalogs.insert(module.dir.clone(), catalog);
            }
        }
        scope
    }

    fn around(dir: &str) -> impl Iterator<Item = &str> {
        std::iter::successors(Some(dir), |dir| paths::parent(dir))
    }

    fn variable(&self, dir: &str, name: &str) -> Option<String> {
        let bare = ["rootProject.", "project.", "ext.", "extra.", "properties."];
        let mut name = name;
        while let Some(rest) = bare.iter().find_map(|prefix| name.strip_prefix(prefix)) {
            name = rest;
        }
        name = name.trim_end_matches(".get()");
        if let Some(version) = name.strip_prefix("libs.versions.") {
            return Scope::around(dir)
                .find_map(|dir| self.catalogs.get(dir)?.versions.get(version).cloned());
        }
        Scope::around(dir).find_map(|dir| self.variables.get(dir)?.get(name).cloned())
    }

    /// `text` with `${name}` and `$name` replaced.
    fn expand(&self, dir: &str, text: &str) -> String {
        let mut braced = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            braced.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            if rest.starts_with('{') {
                braced.push('$');
                continue;
            }
            let end = rest
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(rest.len());
            braced.push_str(&format!("${{{}}}", &rest[..end]));
            rest = &rest[end..];
        }
        braced.push_str(rest);
        expand(&braced, |name| self.variable(dir, name))
    }

    /// The coordinates that a dotted name stands for.
    fn named(&self, dir: &str, name: &str) -> Vec<String> {
        if let Some(text) = self.variable(dir, name) {
            return vec![self.expand(dir, &text)];
        }
        let Some(alias) = name.strip_prefix("libs.") else {
            return Vec::new();
        };
        for dir in Scope::around(dir) {
            let Some(catalog) = self.catalogs.get(dir) else {
                continue;
            };
            if let Some(plugin) = alias.strip_prefix("plugins.") {
                return catalog.plugins.get(plugin).cloned().into_iter().collect();
            }
            if let Some(bundle) = alias.strip_prefix("bundles.") {
                let aliases = catalog.bundles.get(bundle).into_iter().flatten();
                return aliases
                    .filter_map(|alias| catalog.libraries.get(alias).cloned())
                    .collect();
            }
            return catalog.libraries.get(alias).cloned().into_iter().collect();
        }
        Vec::new()
    }

    fn path(&self, dir: &str, text: &str) -> Option<PathBuf> {
        let text = crate::gradle::expand(text, dir)?;
        match paths::join(self.root, dir, &text) {
            Some(path) => Some(self.root.join(path)),
            None => paths::elsewhere(&text),
        }
    }
}

impl Catalog {
    fn read(file: &Path) -> Option<Catalog> {
        let text = read_build_file(file).ok()?;
        let document: toml_edit::DocumentMut = text.parse().ok()?;
        let table = |name: &str| document.get(name).and_then(toml_edit::Item::as_table_like);
        let dotted = |alias: &str| alias.replace(['-', '_'], ".");
        let text_of = |item: &toml_edit::Item| item.as_str().map(str::to_owned);
        // `{ strictly = "1", prefer = … }`: any of them is a version that the cache may have.
        let rich = |item: &toml_edit::Item| {
            let table = item.as_table_like()?;
            ["strictly", "require", "prefer"]
                .iter()
                .find_map(|name| table.get(name).and_then(text_of))
        };
        let versions: BTreeMap<&str, String> = table("versions")
            .into_iter()
            .flat_map(|versions| versions.iter())
            .filter_map(|(name, item)| Some((name, text_of(item).or_else(|| rich(item))?)))
            .collect();
        let mut catalog = Catalog::default();
        let version_of = |item: &toml_edit::Item| {
            let by_name = item
                .as_table_like()
                .and_then(|version| version.get("ref")?.as_str());
            match by_name {
                Some(name) => versions.get(name).cloned(),
                None => text_of(item).or_else(|| rich(item)),
            }
        };
        for (name, version) in &versions {
            catalog.versions.insert(dotted(name), version.clone());
        }
        for (alias, item) in table("plugins").into_iter().flat_map(|all| all.iter()) {
            let (id, version) = match (item.as_str(), item.as_table_like()) {
                (Some(text), _) => match text.split_once(':') {
                    Some((id, version)) => (Some(id), Some(version.to_owned())),
                    None => (None, None),
                },
                (None, Some(table)) => (
                    table.get("id").and_then(toml_edit::Item::as_str),
                    table.get("version").and_then(version_of),
                ),
                _ => (None, None),
            };
            if let (Some(SPRING_BOOT), Some(version)) = (id, version) {
                catalog.plugins.insert(dotted(alias), spring_boot(&version));
            }
        }
        for (alias, item) in table("libraries").into_iter().flat_map(|all| all.iter()) {
            let coordinates = match (item.as_str(), item.as_table_like()) {
                (Some(text), _) => text.to_owned(),
                (None, Some(table)) => {
                    let part = |name: &str| table.get(name).and_then(text_of);
                    let module = part("module")
                        .or_else(|| Some(format!("{}:{}", part("group")?, part("name")?)));
                    let Some(module) = module else { continue };
                    let version = table.get("version").and_then(version_of);
                    version.map_or(module.clone(), |version| format!("{module}:{version}"))
                }
                _ => continue,
            };
            catalog.libraries.insert(dotted(alias), coordinates);
        }
        for (name, item) in table("bundles").into_iter().flat_map(|all| all.iter()) {
            let aliases = item.as_array().into_iter().flat_map(|all| all.iter());
            let aliases = aliases.filter_map(toml_edit::Value::as_str).map(dotted);
            catalog.bundles.insert(dotted(name), aliases.collect());
        }
        Some(catalog)
    }
}

/// `name=value` lines.
fn properties(file: &Path) -> BTreeMap<String, String> {
    let text = read_build_file(file).unwrap_or_default();
    text.lines()
        .map(str::trim)
        .filter(|line| !line.starts_with(['#', '!']))
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
        .collect()
}

/// What the lock files of a module say, and whether only tests see it; `None` if there are none.
fn locked(root: &Path, dir: &str) -> Option<Vec<(Gav, bool)>> {
    let dir = root.join(dir);
    let mut files = vec![(dir.join("gradle.lockfile"), None)];
    // Until Gradle 6 a file a configuration.
    if let Ok(listing) = std::fs::read_dir(dir.join("gradle/dependency-locks")) {
        for entry in listing.flatten() {
            let path = entry.path();
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            if let Some(stem) = stem.filter(|_| path.extension().is_some_and(|e| e == "lockfile")) {
                files.push((path.clone(), Some(stem.to_owned())));
            }
        }
    }
    files.sort();
    let mut found: BTreeMap<Gav, bool> = BTreeMap::new();
    let mut any = false;
    for (file, own) in files {
        let Ok(text) = read_build_file(&file) else {
            continue;
        };
        any = true;
        for line in text.lines().map(str::trim) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (coordinates, configurations) = match (line.split_once('='), &own) {
                (_, Some(own)) => (line.split('=').next().unwrap_or(line), own.as_str()),
                (Some((coordinates, configurations)), None) => (coordinates, configurations),
                (None, None) => continue,
            };
            let is_path = |name: &&str| {
                let lower = name.to_ascii_lowercase();
                lower.ends_with("classpath") && !lower.contains("processor")
            };
            let paths: Vec<&str> = configurations.split(',').filter(is_path).collect();
            let mut parts = coordinates.split(':');
            if let (Some(group), Some(artifact), Some(version), false) =
                (parts.next(), parts.next(), parts.next(), paths.is_empty())
            {
                let only_tests = paths
                    .iter()
                    .all(|name| name.to_ascii_lowercase().contains("test"));
                let known = found
                    .entry(Gav::new(group, artifact, version))
                    .or_insert(true);
                *known &= only_tests;
            }
        }
    }
    any.then(|| found.into_iter().collect())
}
