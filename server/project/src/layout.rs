//! What a project consists of: its source sets and their files, as plain data.

use std::path::PathBuf;

/// A project as found on disk. Every Java file under the root that is not left out on purpose is in
/// `files`, and belongs to one source set.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The root, as it was given.
    pub root: PathBuf,
    /// The source sets that have files: by module, main before tests.
    pub source_sets: Vec<SourceSet>,
    /// The Java files, sorted by path bytewise.
    pub files: Vec<SourcePath>,
    /// The build files, relative to the root with `/`, sorted: poms, Gradle scripts, `build.xml`, `.classpath`.
    pub builds: Vec<String>,
    /// What makes sources, by module and name.
    pub generators: Vec<Generator>,
    /// Files of other languages that are compiled together with Java and are not read, by language.
    pub languages: Vec<Language>,
    /// What could not be read.
    pub skipped: Skipped,
    /// What in the build files could not be understood, sorted by path and line.
    pub warnings: Vec<LayoutWarning>,
}

/// Something that makes sources of a module.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Generator {
    /// The folder of the module, relative to the root with `/`.
    pub module: String,
    /// In words: `MapStruct`.
    pub name: &'static str,
    /// True if sources that were generated for the module are on disk, by this generator or another.
    pub is_on_disk: bool,
}

/// Files of a language that is not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Language {
    /// Its name: `Kotlin`.
    pub name: &'static str,
    /// How many files of it there are.
    pub files: usize,
}

/// Files that are compiled together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceSet {
    /// `main`, `core/main`, `core/test`; unique in the layout.
    pub name: String,
    /// True if it exercises the product instead of being it: tests, fixtures, benchmarks.
    pub is_test: bool,
    /// Folders that packages start from, relative to the root with `/`; `""` is the root. Sorted.
    pub roots: Vec<String>,
    /// The source sets whose types it sees after its own, in the order in which a name is looked up.
    pub visible: Vec<usize>,
    /// True if the build file mentions Lombok, so members may exist that no source declares.
    pub uses_lombok: bool,
}

/// One Java file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourcePath {
    /// Relative to the root with `/`.
    pub path: String,
    /// Index in [`Layout::source_sets`].
    pub source_set: usize,
}

/// What could not be read, sorted by path.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// Refused by the operating system; folders, too.
    pub unreadable: Vec<SkippedFile>,
    /// Text (or the name) is not UTF-8.
    pub not_utf8: Vec<SkippedFile>,
    /// Above the limit of size.
    pub oversized: Vec<SkippedFile>,
}

/// A file that could not be read, and why.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SkippedFile {
    /// Relative to the root with `/`.
    pub path: String,
    /// A sentence without a full stop.
    pub reason: String,
}

/// A build file that is not understood; what it should have told is filled in by convention.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LayoutWarning {
    /// Relative to the root with `/`.
    pub path: String,
    /// 1-based.
    pub line: Option<u32>,
    /// A sentence without a full stop.
    pub message: String,
}

impl LayoutWarning {
    /// True if a file is not read because of its size, which all who read files say in the same words.
    pub fn is_beyond_bound(&self) -> bool {
        self.message.contains("bytes are too many")
    }
}

impl Layout {
    /// The source set that a file at `path` (relative, with `/`) would belong to by the known
    /// roots; the deepest root decides. For files that did not exist when the layout was found.
    pub fn source_set_of(&self, path: &str) -> Option<usize> {
        let roots = self.source_sets.iter().enumerate();
        roots
            .flat_map(|(set, source_set)| source_set.roots.iter().map(move |root| (root, set)))
            .filter(|(root, _)| crate::paths::below(path, root).is_some())
            .max_by_key(|(root, set)| (root.len(), std::cmp::Reverse(*set)))
            .map(|(_, set)| set)
    }
}
