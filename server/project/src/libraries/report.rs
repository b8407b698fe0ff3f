//! What was found of a project's libraries, and what was not: plain data for `telltale doctor` and logs.

use std::path::PathBuf;

use super::jdk::{Jdk, PassedOver};

/// What [`super::find`] found.
#[derive(Clone, Debug, Default)]
pub struct LibraryReport {
    /// The JDK whose library is used.
    pub jdk: Option<Jdk>,
    /// JDKs that come before it and cannot be used.
    pub passed_over: Vec<PassedOver>,
    /// The release of Java for which multi-release jars are read: the JDK's, or what the build compiles for.
    pub release: u16,
    /// Maven's local repository and Gradle's cache, as far as they were looked at.
    pub repositories: Vec<PathBuf>,
    /// The class path in order.
    pub entries: Vec<Entry>,
    /// What the build files ask for and is not there, sorted.
    pub missing: Vec<Missing>,
    /// What Gradle's scripts ask for in words that are not understood, sorted.
    pub unread: Vec<Unread>,
    /// Artifacts of which the modules of the workspace have different versions, sorted.
    pub conflicts: Vec<Conflict>,
    /// Annotation processors other than Lombok, sorted: members that they generate are not seen.
    pub processors: Vec<Processor>,
    /// What else is wrong, a sentence each without a full stop, sorted.
    pub problems: Vec<String>,
    /// What finding it took.
    pub work: Work,
}

/// How much was looked at: it grows with what the build files say, not with a product of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Dependencies and managed entries of poms, properties replaced.
    pub entries: usize,
    /// Edges of the graph of artifacts that were followed.
    pub edges: usize,
}

/// A jar or folder of the class path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it is.
    pub path: PathBuf,
    /// `group:artifact:version`, where a build tool names it.
    pub coordinates: Option<String>,
    /// Who says so.
    pub tool: Tool,
    /// True if only tests see it.
    pub is_test: bool,
    /// True if it is not known that the build tool takes just this: Gradle without a lock file, where the version does
    /// not stand in the build files.
    pub is_guessed: bool,
}

/// Who says that something belongs to the class path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    /// `java.classpath` of the configuration.
    Configuration,
    /// Poms.
    Maven,
    /// Gradle's build scripts and lock files.
    Gradle,
    /// A `.classpath` file.
    Eclipse,
    /// It lies in a folder for libraries.
    Folder,
}

/// Something that is not there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Missing {
    /// `group:artifact:version`, or a path.
    pub coordinates: String,
    /// Why, a sentence without a full stop.
    pub reason: String,
    /// The module (its folder; empty for the root), or the pom, that asks for it.
    pub wanted_by: String,
    /// Whose files ask for it.
    pub tool: Tool,
}

/// A dependency that a script names and nobody here can tell.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unread {
    /// The script, relative to the root.
    pub script: String,
    /// As it is written, on one line.
    pub text: String,
}

/// An artifact of which modules have different versions. One is taken for the whole workspace: that which most modules
/// have, the newest of several. The others stand at the end of the class path, for classes that it does not have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Conflict {
    /// `group:artifact`.
    pub name: String,
    /// The version that is taken.
    pub taken: String,
    /// The others, with one module each that has it.
    pub others: Vec<(String, String)>,
}

/// An annotation processor.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Processor {
    /// `group:artifact`, or the file's name.
    pub name: String,
    /// The folder of a module that uses it.
    pub module: String,
}

impl Tool {
    /// In words: `Maven`.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Configuration => "telltale.toml",
            Tool::Maven => "Maven",
            Tool::Gradle => "Gradle",
            Tool::Eclipse => "Eclipse",
            Tool::Folder => "folder",
        }
    }
}
