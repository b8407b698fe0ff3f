//! One parallel walk over the root: Java files, build files, and what could not be looked at.
//!
//! `.gitignore` files hold with and without a repository; links are not followed, so a loop of
//! links is no danger and no file is read twice. They do not hold in `src/main/java` and its kind
//! beside a build file: the build compiles what is there, and what Git tracks it does not ignore
//! (`elasticsearch/`, meant for data, is a package, too). Hidden folders, `node_modules` and the outputs of
//! builds are left out. The folders that often hold outputs are told from packages of the same name
//! (`org/x/build`) by their surroundings and contents.

use std::collections::VecDeque;
use std::fs::FileType;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Sender};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rayon::Scope;
use rustc_hash::FxHashSet;

use crate::ignored::{self, Rules};
use crate::layout::{LayoutWarning, SkippedFile};
use crate::{infer, paths};

/// Names of folders into which builds write.
pub(crate) const OUTPUTS: &[&str] = &["target", "build", "out", "bin"];

/// Files that make the folder beside them an output of a build.
const BUILD_SIBLINGS: &[&str] = &[
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "build.xml",
    ".classpath",
    ".project",
];

/// Folders below which `build`, `out`… are packages, unless a build file stands beside them.
const SOURCE_FOLDERS: &[&str] = &["src", "java", "source", "sources", "test", "tests"];

/// Languages whose classes Java code uses as its own, and how their files end. Scripts of builds (`.gradle.kts`) are none.
pub(crate) const LANGUAGES: [(&str, &str); 3] = [
    ("Kotlin", ".kt"),
    ("Groovy", ".groovy"),
    ("Scala", ".scala"),
];

/// What the walk found; all paths are relative to the root and sorted bytewise.
#[derive(Default)]
pub(crate) struct Walked {
    /// Regular files named `*.java`.
    pub(crate) java: Vec<String>,
    /// `pom.xml`, `*.gradle`, `*.gradle.kts`, `build.xml`, `.classpath`.
    pub(crate) builds: Vec<String>,
    /// How many files of each of [`LANGUAGES`] there are.
    pub(crate) languages: [usize; LANGUAGES.len()],
    /// What could not be looked into.
    pub(crate) unreadable: Vec<SkippedFile>,
    /// Java files whose names are no UTF-8.
    pub(crate) not_utf8: Vec<SkippedFile>,
    /// `.gitignore` files that do not count.
    pub(crate) warnings: Vec<LayoutWarning>,
    folders: FxHashSet<String>,
}

enum Found {
    Java(String),
    Build(String),
    /// Index in [`LANGUAGES`].
    Language(usize),
    Folder(String),
    Unreadable(SkippedFile),
    NotUtf8(SkippedFile),
    Warning(LayoutWarning),
}

/// Walks `root`, leaving out what `excludes` matches.
pub(crate) fn walk(root: &Path, excludes: &Gitignore) -> Walked {
    let mut walked = Walked::default();
    run(root, root, excludes, true, &mut walked);
    recover_packages(root, excludes, &mut walked);
    walked.finish();
    walked
}

/// The Java files under `folder` (relative), `.gitignore` or not: generated sources are nearly
/// always ignored there.
pub(crate) fn walk_generated(root: &Path, folder: &str, excludes: &Gitignore) -> Vec<String> {
    let mut walked = Walked::default();
    run(root, &root.join(folder), excludes, false, &mut walked);
    walked.finish();
    walked.java
}

/// The matcher of `sources.exclude`; patterns that do not parse are left out (the configuration
/// reports them).
pub(crate) fn excludes(root: &Path, patterns: &[String]) -> Gitignore {
    let mut builder = GitignoreBuilder::new(root);
    for pattern in patterns {
        // A bad pattern was reported at its line when the configuration was read.
        let _ = builder.add_line(None, pattern);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

impl Walked {
    fn finish(&mut self) {
        self.java.sort_unstable();
        self.java.dedup();
        self.builds.sort_unstable();
        self.unreadable.sort();
        self.not_utf8.sort();
    }

    fn add(&mut self, found: Found) {
        match found {
            Found::Java(path) => self.java.push(path),
            Found::Build(path) => self.builds.push(path),
            Found::Language(language) => self.languages[language] += 1,
            Found::Unreadable(file) => self.unreadable.push(file),
            Found::NotUtf8(file) => self.not_utf8.push(file),
            Found::Warning(warning) => self.warnings.push(warning),
            Found::Folder(path) => {
                self.folders.insert(path);
            }
        }
    }
}

/// Walks one folder, in parallel: a task a folder, so that depth costs no stack.
fn run(root: &Path, start: &Path, excludes: &Gitignore, git: bool, into: &mut Walked) {
    let (sender, receiver) = mpsc::channel();
    let rules = git.then(|| rules_above(root, &sender));
    let walk = Walk {
        root,
        excludes,
        git,
        sender,
    };
    rayon::scope(|scope| walk.folder(scope, start.to_path_buf(), rules.as_ref()));
    drop(walk);
    for found in receiver {
        into.add(found);
    }
}

/// What all tasks of one walk share.
struct Walk<'w> {
    root: &'w Path,
    excludes: &'w Gitignore,
    /// `.gitignore` files hold, and outputs are left out; false for generated sources, which lie inside of one.
    git: bool,
    sender: Sender<Found>,
}

impl Walk<'_> {
    /// `above`: the rules of the folders above; none where none hold.
    fn folder<'s>(&'s self, scope: &Scope<'s>, folder: PathBuf, above: Option<&Rules>) {
        let listing = match std::fs::read_dir(&folder) {
            Ok(listing) => listing,
            Err(e) => return self.unreadable(&folder, &e),
        };
        let above = above.filter(|_| !is_source_root(&folder));
        let rules = above.map(|above| rules_with(above, self.root, &folder, &self.sender));
        for entry in listing {
            let (entry, kind) = match entry.and_then(|entry| Ok((entry.file_type()?, entry))) {
                Ok((kind, entry)) => (entry, kind),
                Err(e) => {
                    self.unreadable(&folder, &e);
                    continue;
                }
            };
            let path = entry.path();
            let is_dir = kind.is_dir();
            let is_ignored = || rules.as_ref().is_some_and(|r| r.ignores(&path, is_dir));
            if !self.is_wanted(&path, is_dir) || is_ignored() {
                continue;
            }
            if let Some(found) = classify(self.root, &path, kind) {
                self.found(found);
            }
            if is_dir {
                let rules = rules.clone();
                scope.spawn(move |scope| self.folder(scope, path, rules.as_ref()));
            }
        }
    }

    fn found(&self, found: Found) {
        // The receiver outlives the walk, so this cannot fail.
        let _ = self.sender.send(found);
    }

    fn unreadable(&self, folder: &Path, e: &io::Error) {
        self.found(Found::Unreadable(SkippedFile {
            path: shown(self.root, folder),
            reason: e.to_string(),
        }));
    }

    fn is_wanted(&self, path: &Path, is_dir: bool) -> bool {
        if !self.excludes.is_empty() && self.excludes.matched(path, is_dir).is_ignore() {
            return false;
        }
        if !is_dir {
            return true;
        }
        match path.file_name().and_then(|name| name.to_str()) {
            Some("node_modules") => false,
            Some(name) if name.starts_with('.') => false,
            Some(name) if OUTPUTS.contains(&name) => !(self.git && is_output(self.root, path)),
            _ => true,
        }
    }
}

fn classify(root: &Path, path: &Path, kind: FileType) -> Option<Found> {
    if kind.is_dir() {
        return paths::relative(root, path).map(Found::Folder);
    }
    if !kind.is_file() {
        return None;
    }
    let name = path.file_name()?;
    if name.as_encoded_bytes().ends_with(b".java") {
        return Some(match paths::relative(root, path) {
            Some(path) => Found::Java(path),
            None => Found::NotUtf8(SkippedFile {
                path: shown(root, path),
                reason: "the name is not UTF-8; rename the file".to_owned(),
            }),
        });
    }
    let mut languages = LANGUAGES.iter();
    let bytes = name.as_encoded_bytes();
    if let Some(language) = languages.position(|(_, end)| bytes.ends_with(end.as_bytes())) {
        return Some(Found::Language(language));
    }
    if name.to_str().is_some_and(is_build_file) {
        paths::relative(root, path).map(Found::Build)
    } else {
        None
    }
}

/// True if a file of this name says how a folder is built.
pub fn is_build_file(name: &str) -> bool {
    matches!(name, "pom.xml" | "build.xml" | ".classpath")
        || name.ends_with(".gradle")
        || name.ends_with(".gradle.kts")
}

/// `path` relative to `root`, for messages.
fn shown(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    path.to_string_lossy().into_owned()
}

/// The rules of `rules` and `folder` together. Where the folder's do not count, the others still do.
fn rules_with(rules: &Rules, root: &Path, folder: &Path, sender: &Sender<Found>) -> Rules {
    rules.with(folder).unwrap_or_else(|why| {
        // The receiver outlives the walk, so this cannot fail.
        let path = folder.join(ignored::NAME);
        let _ = sender.send(Found::Warning(LayoutWarning {
            path: paths::relative(root, &path).unwrap_or_else(|| shown(root, &path)),
            line: None,
            message: format!("it does not count: {why}"),
        }));
        rules.clone()
    })
}

/// What the `.gitignore` files above `root` say of what is in it: they count if it lies inside a repository that does not
/// ignore it altogether. Whoever opens an ignored folder wants to see it.
fn rules_above(root: &Path, sender: &Sender<Found>) -> Rules {
    let Some(top) = root.ancestors().find(|dir| dir.join(".git").exists()) else {
        return Rules::default();
    };
    let mut above: Vec<&Path> = root
        .ancestors()
        .skip(1)
        .take_while(|dir| dir.starts_with(top))
        .collect();
    above.reverse();
    let rules = above.into_iter().fold(Rules::default(), |rules, dir| {
        rules_with(&rules, root, dir, sender)
    });
    if rules.ignores_below(root) {
        Rules::default()
    } else {
        rules
    }
}

/// True for `src/main/java` and its kind, where a build says so.
fn is_source_root(folder: &Path) -> bool {
    let named =
        |dir: Option<&Path>, name: &str| dir.and_then(Path::file_name).is_some_and(|n| n == name);
    let up = |by: usize| folder.ancestors().nth(by);
    let module = up(3).filter(|_| named(up(0), "java") && named(up(2), "src"));
    module.is_some_and(|module| BUILD_SIBLINGS.iter().any(|b| module.join(b).is_file()))
}

/// True if the folder `path`, which is named like one, is an output of a build.
pub(crate) fn is_output(root: &Path, path: &Path) -> bool {
    let Some(parent) = path.parent() else {
        return false;
    };
    let beside_build = BUILD_SIBLINGS
        .iter()
        .any(|name| parent.join(name).is_file());
    let in_sources = parent.strip_prefix(root).is_ok_and(|rel| {
        rel.iter().any(|part| {
            part.to_str()
                .is_some_and(|part| SOURCE_FOLDERS.contains(&part))
        })
    });
    if in_sources && !beside_build {
        return false;
    }
    !holds_package(path)
}

/// True if `folder` is itself a package or a parent of one: Java files stand in it, or below it
/// with packages that name it.
fn holds_package(folder: &Path) -> bool {
    /// An output of any size is told by its first folders.
    const MOST_FOLDERS: usize = 64;
    let Some(name) = folder.file_name().and_then(|name| name.to_str()) else {
        return false;
    };
    let mut queue = VecDeque::from([(folder.to_path_buf(), name.to_owned())]);
    let mut seen = 0;
    while let Some((dir, expected)) = queue.pop_front() {
        seen += 1;
        if seen > MOST_FOLDERS {
            return false;
        }
        let Ok(entries) = std::fs::read_dir(&dir) else {
            continue;
        };
        let mut entries: Vec<_> = entries.flatten().collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        let mut looked = false;
        for entry in entries {
            let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else {
                continue;
            };
            if kind.is_dir() {
                queue.push_back((entry.path(), format!("{expected}.{name}")));
            } else if kind.is_file() && name.ends_with(".java") && !looked {
                looked = true;
                let package = infer::package_of(&entry.path())
                    .unwrap_or_default()
                    .join(".");
                let named = package == expected || package.ends_with(&format!(".{expected}"));
                if named || dir == folder {
                    return true;
                }
            }
        }
    }
    false
}

/// Brings back packages named like outputs that a `.gitignore` hides: `build/` in it is meant for
/// the output, and git itself goes on tracking `src/main/java/org/x/build/Foo.java`.
fn recover_packages(root: &Path, excludes: &Gitignore, walked: &mut Walked) {
    let mut parents: FxHashSet<&str> = FxHashSet::default();
    for file in &walked.java {
        let mut dir = paths::parent(file);
        while let Some(at) = dir {
            if !parents.insert(at) {
                break;
            }
            dir = paths::parent(at);
        }
    }
    let mut parents: Vec<&str> = parents
        .into_iter()
        .filter(|dir| dir.split('/').any(|part| SOURCE_FOLDERS.contains(&part)))
        .collect();
    parents.sort_unstable();
    let mut hidden: Vec<PathBuf> = Vec::new();
    for dir in parents {
        for name in OUTPUTS {
            if walked.folders.contains(&paths::child(dir, name)) {
                continue;
            }
            let path = root.join(dir).join(name);
            let is_folder = path.symlink_metadata().is_ok_and(|m| m.is_dir());
            if is_folder
                && !excludes
                    .matched_path_or_any_parents(&path, true)
                    .is_ignore()
                && holds_package(&path)
            {
                hidden.push(path);
            }
        }
    }
    for path in hidden {
        run(root, &path, excludes, false, walked);
    }
}
