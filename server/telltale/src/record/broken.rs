//! Files that do not compile: generated tests of other code than there is now would keep all others from running.

use crate::failure::Failure;
use program::{FileId, Program};
use runner::javac::Problem;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// How many files an error names.
const NAMED: usize = 5;

/// What of a build does not compile.
#[derive(Debug, Default)]
pub(super) struct Broken {
    /// Files that a tool wrote, as the build named them, and what is wrong first.
    pub(super) generated: BTreeMap<FileId, Problem>,
    /// All others.
    written: BTreeMap<PathBuf, Problem>,
}

impl Broken {
    /// Sorts what a build said. `instead` says of which files others are compiled in their place.
    pub(super) fn of(
        program: &Program,
        root: &Path,
        problems: &[Problem],
        instead: &BTreeMap<PathBuf, FileId>,
    ) -> Broken {
        let mut known: BTreeMap<PathBuf, FileId> = BTreeMap::new();
        for (path, file) in instead {
            known.insert(real(path), *file);
        }
        for &file in program.files() {
            if let Some(path) = program.path(file).filter(|_| !problems.is_empty()) {
                known.insert(real(&root.join(&**path)), file);
            }
        }
        let mut out = Broken::default();
        for problem in problems {
            let path = real(&root.join(&problem.file));
            match known.get(&path).filter(|f| is_generated(program, **f)) {
                Some(file) => drop(out.generated.entry(*file).or_insert(problem.clone())),
                None => drop(out.written.entry(path).or_insert(problem.clone())),
            }
        }
        out
    }

    /// True if files do not compile that somebody wrote.
    pub(super) fn is_written(&self) -> bool {
        !self.written.is_empty()
    }

    /// True if all compiles.
    pub(super) fn is_empty(&self) -> bool {
        self.generated.is_empty() && self.written.is_empty()
    }

    /// Path from the root and what is wrong first, of those that somebody wrote.
    pub(super) fn written(&self, root: &Path) -> impl Iterator<Item = (String, String)> {
        let root = real(root);
        self.written.values().map(move |problem| {
            let path = real(&root.join(&problem.file));
            let path = path.strip_prefix(&root).unwrap_or(&path);
            (path.to_string_lossy().replace('\\', "/"), why(problem))
        })
    }

    /// That nothing can run.
    pub(super) fn failure(&self, program: &Program, root: &Path) -> Failure {
        let generated = self.generated.iter();
        let generated = generated.map(|(file, problem)| (path(program, *file), why(problem)));
        let lines: Vec<(String, String)> = self.written(root).chain(generated).collect();
        let mut out = String::from("no test ran: ");
        for (n, (path, why)) in lines.iter().enumerate().take(NAMED) {
            out += if n > 0 { "\n  " } else { "" };
            out += &format!("{path}, {why}");
        }
        if let Some(more @ 1..) = lines.len().checked_sub(NAMED) {
            out += &format!("\n  and {more} more");
        }
        Failure::Run(out + "\nMend that, and run this again")
    }
}

/// `line 4 does not compile: cannot find symbol`
pub(super) fn why(problem: &Problem) -> String {
    let (line, message) = (problem.line, &problem.message);
    format!("line {line} does not compile: {message}")
}

/// The path of a file from the root.
pub(super) fn path(program: &Program, file: FileId) -> String {
    program.path(file).map_or("", |p| p).to_owned()
}

/// A file of which a tool wrote all classes, or whose classes only such extend.
fn is_generated(program: &Program, file: FileId) -> bool {
    let is_own = |class: program::TypeId| program.generated(class).is_some();
    let types: BTreeSet<_> = program.types_of_file(file).iter().copied().collect();
    let mut outer = types
        .iter()
        .filter(|t| program.enclosing_type(**t).is_none())
        .peekable();
    outer.peek().is_some()
        && outer.all(|class| {
            let below = program.subtypes(*class);
            is_own(*class) || !below.is_empty() && below.iter().all(|b| is_own(*b))
        })
}

fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}
