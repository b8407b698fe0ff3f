//! Gradle: the projects of the settings files, and what the build scripts say plainly about source
//! folders and dependencies between projects.
//!
//! Scripts are scanned, not run. What loops, plugins or variables decide is not seen; folders then
//! follow the conventions (`src/X/java`), which is what most builds do.

use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::generators;
use crate::gradle_libraries::{self, source_set_of};
use crate::layout::LayoutWarning;
use crate::module::{Asked, Dependency, Generated, Module};
use crate::paths;
use crate::read::read_build_file;
use crate::script::{Statement, Token, in_parentheses, statements};

/// The modules of all Gradle builds among `builds`: the projects that settings include, and every
/// other folder with a build script.
pub(crate) fn modules(
    root: &Path,
    builds: &[String],
    warnings: &mut Vec<LayoutWarning>,
) -> Vec<Module> {
    let mut gradle = Gradle {
        root,
        builds: Vec::new(),
        modules: Vec::new(),
        at: FxHashMap::default(),
    };
    for path in builds.iter().filter(|path| is_named(path, "settings")) {
        if let Some(text) = read(root, path, warnings) {
            gradle.settings(paths::parent(path).unwrap_or_default(), &text, warnings);
        }
    }
    // The innermost build that a folder lies in comes first.
    gradle
        .builds
        .sort_by_key(|build| std::cmp::Reverse(build.dir.len()));
    let mut scripts = Vec::new();
    for path in builds {
        let dir = paths::parent(path).unwrap_or_default();
        let known = gradle.at.contains_key(dir);
        let own = is_named(path, "build") || (known && is_named(path, paths::name(dir)));
        if own {
            gradle.module(dir);
            scripts.push((dir.to_owned(), path));
        }
    }
    for (dir, path) in scripts {
        let Some(text) = read(root, path, warnings) else {
            continue;
        };
        let lombok = text.contains("lombok");
        for statement in statements(&text) {
            gradle.statement(&dir, path, &statement, warnings);
        }
        if lombok {
            // A root script configures its subprojects as well.
            for module in gradle
                .modules
                .iter_mut()
                .filter(|m| paths::below(&m.dir, &dir).is_some())
            {
                module.uses_lombok = true;
            }
        }
    }
    gradle.modules
}

/// True for `stem.gradle` and `stem.gradle.kts`.
fn is_named(path: &str, stem: &str) -> bool {
    let rest = paths::name(path).strip_prefix(stem);
    !stem.is_empty() && matches!(rest, Some(".gradle" | ".gradle.kts"))
}

fn read(root: &Path, path: &str, warnings: &mut Vec<LayoutWarning>) -> Option<String> {
    read_build_file(&root.join(path))
        .map_err(|why| {
            let message = format!("not read, conventions are taken instead: {why}");
            warnings.push(LayoutWarning {
                path: path.to_owned(),
                line: None,
                message,
            });
        })
        .ok()
}

/// One settings file: the folder of each project, by its path (`:core:api`).
struct Build {
    dir: String,
    projects: FxHashMap<String, String>,
    /// The folders of the projects.
    folders: FxHashSet<String>,
    /// By the name in a type-safe accessor: `projects.core.api` as `core.api`.
    accessors: FxHashMap<String, String>,
}

struct Gradle<'r> {
    root: &'r Path,
    builds: Vec<Build>,
    modules: Vec<Module>,
    /// Index in `modules`, by folder.
    at: FxHashMap<String, usize>,
}

impl Gradle<'_> {
    fn module(&mut self, dir: &str) -> usize {
        if let Some(&index) = self.at.get(dir) {
            return index;
        }
        let mut module = Module::new(dir);
        for output in [
            "build/generated",
            "build/generated-src",
            "build/generated-sources",
        ] {
            module.generated.push(Generated {
                folder: paths::child(dir, output),
                set: None,
            });
        }
        self.modules.push(module);
        self.at.insert(dir.to_owned(), self.modules.len() - 1);
        self.modules.len() - 1
    }

    fn settings(&mut self, dir: &str, text: &str, warnings: &mut Vec<LayoutWarning>) {
        let statements = statements(text);
        let mut projects: FxHashMap<String, String> = FxHashMap::default();
        projects.insert(":".to_owned(), dir.to_owned());
        let mut order = vec![":".to_owned()];
        for statement in &statements {
            for (at, token) in statement.tokens.iter().enumerate() {
                let flat = token.is_word("includeFlat");
                if !flat && !token.is_word("include") {
                    continue;
                }
                for name in statement.tokens[at..].iter().filter_map(Token::text) {
                    // A name is no path; on Windows this would be one that leads anywhere.
                    if name.contains(['$', '\\']) {
                        continue;
                    }
                    if flat {
                        if let Some(folder) = paths::join(self.root, dir, &format!("../{name}")) {
                            order.push(format!(":{name}"));
                            projects.insert(format!(":{name}"), folder);
                        }
                        continue;
                    }
                    // `:a:b` makes `:a`, too.
                    let (mut path, mut folder) = (String::new(), dir.to_owned());
                    for part in name.split([':', '/']).filter(|part| !part.is_empty()) {
                        path = format!("{path}:{part}");
                        folder = paths::child(&folder, part);
                        if !projects.contains_key(&path) {
                            order.push(path.clone());
                            projects.insert(path.clone(), folder.clone());
                        }
                    }
                }
            }
        }
        for statement in &statements {
            let tokens = &statement.tokens;
            let Some(at) = tokens.iter().position(|token| token.is_word("projectDir")) else {
                continue;
            };
            let (before, after) = tokens.split_at(at);
            if !before.iter().any(|t| t.is_word("project")) || !after.iter().any(|t| t.is_mark('='))
            {
                continue;
            }
            let project = before.iter().find_map(Token::text);
            let folder = after.iter().rev().find_map(Token::text);
            if let (Some(project), Some(folder)) = (project, folder)
                && let Some(folder) =
                    expand(folder, dir).and_then(|f| paths::join(self.root, dir, &f))
            {
                projects.insert(absolute_path(project), folder);
            }
        }
        let mut accessors = FxHashMap::default();
        for path in order {
            let Some(folder) = projects.get(&path) else {
                continue;
            };
            if self.root.join(folder).is_dir() {
                let folder = folder.clone();
                self.module(&folder);
                accessors.insert(accessor(&path), folder);
            } else {
                let at = paths::child(dir, "settings.gradle");
                let kotlin = paths::child(dir, "settings.gradle.kts");
                warnings.push(LayoutWarning {
                    path: if self.root.join(&at).is_file() {
                        at
                    } else {
                        kotlin
                    },
                    line: None,
                    message: format!("project {path} has no folder {folder}"),
                });
            }
        }
        self.builds.push(Build {
            dir: dir.to_owned(),
            folders: projects.values().cloned().collect(),
            projects,
            accessors,
        });
    }

    /// The build that the script in `dir` belongs to.
    fn build_of(&self, dir: &str) -> Option<&Build> {
        let included = |build: &&Build| build.folders.contains(dir);
        let around = |build: &&Build| paths::below(dir, &build.dir).is_some();
        self.builds
            .iter()
            .find(included)
            .or_else(|| self.builds.iter().find(around))
    }

    /// The folder of the project that the script in `dir` calls `path`.
    fn project(&self, dir: &str, path: &str) -> Option<String> {
        let build = self.build_of(dir);
        if let Some(folder) = build.and_then(|build| build.projects.get(&absolute_path(path))) {
            return Some(folder.clone());
        }
        // Included by a loop, or no settings at all: the folder has the project's name.
        let segments = path.trim_start_matches(':').replace(':', "/");
        let base = build.map_or("", |build| build.dir.as_str());
        let folder = paths::child(base, &segments);
        self.at.contains_key(&folder).then_some(folder)
    }

    /// The modules that a statement of the script in `dir` is about: its own, or those that a block
    /// around it names (`project(':a') {`, `subprojects {`).
    fn owners(&mut self, dir: &str, statement: &Statement) -> Vec<usize> {
        for head in &statement.blocks {
            let Some(first) = head.first() else { continue };
            let all = first.is_word("allprojects");
            if first.is_word("project") || first.is_word("configure") {
                let named: Vec<&str> = head
                    .iter()
                    .filter_map(Token::text)
                    .filter(|path| path.starts_with(':'))
                    .collect();
                if !named.is_empty() {
                    let folders: Vec<String> = named
                        .iter()
                        .filter_map(|path| self.project(dir, path))
                        .collect();
                    return folders
                        .iter()
                        .filter_map(|folder| self.at.get(folder).copied())
                        .collect();
                }
            }
            if all || first.is_word("subprojects") || first.is_word("configure") {
                let inside = |module: &Module| {
                    paths::below(&module.dir, dir).is_some_and(|rest| all || !rest.is_empty())
                };
                let all = self.modules.iter().enumerate();
                return all
                    .filter(|(_, module)| inside(module))
                    .map(|(index, _)| index)
                    .collect();
            }
        }
        vec![self.module(dir)]
    }

    fn statement(
        &mut self,
        dir: &str,
        script: &str,
        statement: &Statement,
        warnings: &mut Vec<LayoutWarning>,
    ) {
        let in_dependencies = statement
            .blocks
            .iter()
            .any(|head| head.last().is_some_and(|last| last.is_word("dependencies")));
        let of_the_build = |name| {
            let mut heads = statement.blocks.iter();
            heads.any(|head| head.first().is_some_and(|first| first.is_word(name)))
        };
        let of_the_build = of_the_build("buildscript") || of_the_build("pluginManagement");
        let libraries = gradle_libraries::libraries(statement, in_dependencies && !of_the_build);
        let asked = match in_dependencies && !of_the_build {
            true => gradle_libraries::asked(statement, &libraries),
            false => None,
        };
        if let Some(names) = asked {
            let asked = Asked {
                script: script.to_owned(),
                text: gradle_libraries::written(&statement.tokens),
                names,
            };
            for owner in self.owners(dir, statement) {
                self.modules[owner].asks.push(asked.clone());
            }
        }
        if !libraries.is_empty() {
            for owner in self.owners(dir, statement) {
                self.modules[owner]
                    .libraries
                    .extend(libraries.iter().cloned());
            }
        }
        if of_the_build {
            return;
        }
        if !in_dependencies {
            let variables = gradle_libraries::variables(&statement.tokens, &statement.blocks);
            if !variables.is_empty() {
                let own = self.module(dir);
                self.modules[own].variables.extend(variables);
            }
        }
        let named = statement.tokens.iter().filter_map(Token::text);
        let mut generators: Vec<&'static str> = named.filter_map(generators::named).collect();
        if in_plugins(statement) && statement.tokens.iter().any(|t| t.name() == Some("antlr")) {
            generators.push("ANTLR");
        }
        // `apply false` only tells a version to those that do apply it.
        let is_off = statement
            .tokens
            .windows(2)
            .any(|two| two[0].is_word("apply") && two[1].is_word("false"));
        if !generators.is_empty() && !is_off {
            for owner in self.owners(dir, statement) {
                for generator in &generators {
                    self.modules[owner].add_generator(generator);
                }
            }
        }
        if in_dependencies {
            let found = self.dependencies(dir, &statement.tokens);
            if found.is_empty() {
                return;
            }
            for owner in self.owners(dir, statement) {
                let own = self.modules[owner].dir.clone();
                let others = found
                    .iter()
                    .filter(|d| d.module != own || d.on != d.from)
                    .cloned();
                self.modules[owner].dependencies.extend(others);
            }
        } else if let Some(folders) = SourceFolders::in_statement(statement) {
            for owner in self.owners(dir, statement) {
                let own = self.modules[owner].dir.clone();
                let mut roots = Vec::new();
                for folder in &folders.folders {
                    let known = expand(folder, &own);
                    match known.and_then(|folder| paths::join(self.root, &own, &folder)) {
                        Some(root) if is_output(&root, &own) => {}
                        Some(root) => roots.push(root),
                        None => warnings.push(LayoutWarning {
                            path: script.to_owned(),
                            line: None,
                            message: format!("folder {folder} is not known from the files alone"),
                        }),
                    }
                }
                let set = self.modules[owner].set(&folders.set);
                if folders.replaces && !roots.is_empty() {
                    set.roots.clear();
                } else if set.roots.is_empty() {
                    let conventional = format!("src/{}/java", folders.set);
                    set.add_root(paths::child(&own, &conventional));
                }
                for root in roots {
                    set.add_root(root);
                }
            }
        }
    }

    /// The dependencies on projects that one statement of a `dependencies` block declares.
    fn dependencies(&self, dir: &str, tokens: &[Token]) -> Vec<Dependency> {
        let configuration = match tokens.first() {
            Some(first) if first.is_word("add") => tokens.iter().find_map(Token::text),
            Some(first) => first.name(),
            None => None,
        };
        let Some((from, exported)) = configuration.map(source_set_of) else {
            return Vec::new();
        };
        let mut out = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let follows = |mark| tokens.get(at + 1).is_some_and(|next| next.is_mark(mark));
            let (folder, arguments) = if token.is_word("project") && follows('(') {
                let arguments = in_parentheses(&tokens[at + 1..]);
                let texts = || arguments.iter().filter_map(Token::text);
                let path = texts()
                    .find(|text| text.starts_with(':'))
                    .or_else(|| texts().next());
                (path.and_then(|path| self.project(dir, path)), arguments)
            } else if token.is_word("projects") && follows('.') {
                let words = tokens[at + 1..]
                    .iter()
                    .take_while(|t| !t.is_mark(')') && !t.is_mark('('));
                let words: Vec<&str> = words
                    .filter_map(Token::name)
                    .filter(|word| *word != "dependencyProject")
                    .collect();
                let accessors = self.build_of(dir).map(|build| &build.accessors);
                (
                    accessors.and_then(|all| all.get(&words.join("."))).cloned(),
                    &tokens[..0],
                )
            } else {
                continue;
            };
            let Some(module) = folder else { continue };
            let wraps = at.checked_sub(2).and_then(|before| tokens.get(before));
            let asked = arguments
                .iter()
                .filter_map(Token::text)
                .any(|text| !text.contains(':') && text.to_ascii_lowercase().contains("test"));
            let behind = &tokens[at..];
            let output_of_tests = behind.iter().any(|token| token.is_word("sourceSets"))
                && behind.iter().any(|token| token.name() == Some("test"));
            let on = if wraps.is_some_and(|token| token.is_word("testFixtures")) {
                "testFixtures"
            } else if asked || output_of_tests {
                "test"
            } else {
                "main"
            };
            out.push(Dependency {
                from: from.clone(),
                module,
                on: on.to_owned(),
                exported,
            });
        }
        out
    }
}

/// Source folders that a statement declares for one source set.
struct SourceFolders {
    set: String,
    folders: Vec<String>,
    /// True if the conventional folder no longer counts.
    replaces: bool,
}

impl SourceFolders {
    /// `sourceSets { main { java { srcDirs = ['src'] } } }` in all its spellings.
    fn in_statement(statement: &Statement) -> Option<SourceFolders> {
        /// Words between `sourceSets` and the name of a set.
        const FILLERS: &[&str] = &[
            "named",
            "getByName",
            "create",
            "register",
            "maybeCreate",
            "val",
            "by",
            "the",
            "configure",
        ];
        let is_folder_word =
            |token: &Token| matches!(token.name(), Some("srcDir" | "srcDirs" | "setSrcDirs"));
        let at = statement.tokens.iter().position(is_folder_word)?;
        let head = statement
            .blocks
            .iter()
            .flatten()
            .chain(&statement.tokens[..at]);
        let names: Vec<&str> = head.filter_map(Token::name).collect();
        let sets = names.iter().rposition(|name| *name == "sourceSets")?;
        let below = &names[sets + 1..];
        if below.contains(&"resources") {
            return None;
        }
        let set = below.iter().find(|name| !FILLERS.contains(name))?;
        let behind = &statement.tokens[at + 1..];
        let assigned = behind.first().is_some_and(|token| token.is_mark('='));
        Some(SourceFolders {
            set: (*set).to_owned(),
            folders: behind
                .iter()
                .filter_map(Token::text)
                .map(str::to_owned)
                .collect(),
            replaces: assigned || statement.tokens[at].is_word("setSrcDirs"),
        })
    }
}

/// True in `plugins { … }` and for `apply plugin: …`.
fn in_plugins(statement: &Statement) -> bool {
    let head = statement.blocks.last().and_then(|head| head.first());
    head.is_some_and(|first| first.is_word("plugins"))
        || statement
            .tokens
            .first()
            .is_some_and(|first| first.is_word("apply"))
}

/// True for what a build generates: those files are found with their true roots.
fn is_output(root: &str, module: &str) -> bool {
    paths::below(root, &paths::child(module, "build")).is_some()
}

/// A path with `$projectDir`, `$rootDir` and `$buildDir` replaced; `None` with other variables.
/// A leading `//` is the root of the workspace.
pub(crate) fn expand(text: &str, module: &str) -> Option<String> {
    let mut text = text.to_owned();
    for (names, value) in [
        (
            &["project.projectDir", "projectDir", "settingsDir"][..],
            format!("//{module}"),
        ),
        (
            &["project.rootDir", "rootProject.projectDir", "rootDir"],
            "//".to_owned(),
        ),
        (
            &["project.buildDir", "buildDir"],
            format!("//{}", paths::child(module, "build")),
        ),
    ] {
        for name in names {
            text = text
                .replace(&format!("${{{name}}}"), &value)
                .replace(&format!("${name}"), &value);
        }
    }
    (!text.contains('$')).then_some(text)
}

/// `core` and `:core` are the same project, seen from the root.
fn absolute_path(path: &str) -> String {
    format!(":{}", path.trim_start_matches(':'))
}

/// `:core-api:test_kit` as Kotlin's accessors spell it: `coreApi.testKit`.
fn accessor(path: &str) -> String {
    let segment = |part: &str| {
        let mut words = part.split(['-', '_', '.']);
        let mut out = words.next().unwrap_or_default().to_owned();
        for word in words {
            let mut chars = word.chars();
            out.extend(chars.next().into_iter().flat_map(char::to_uppercase));
            out.push_str(chars.as_str());
        }
        out
    };
    path.split(':')
        .filter(|part| !part.is_empty())
        .map(segment)
        .collect::<Vec<_>>()
        .join(".")
}
