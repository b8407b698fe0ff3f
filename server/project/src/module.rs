//! What the build files say, in the terms that Maven, Gradle and Eclipse share.

/// A folder with a build of its own, or a part of one.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Module {
    /// Relative to the root.
    pub(crate) dir: String,
    /// Source sets with the roots that the build files name; further roots come by convention.
    pub(crate) sets: Vec<Declared>,
    pub(crate) dependencies: Vec<Dependency>,
    /// Folders of generated sources, and whether they are those of tests only.
    pub(crate) generated: Vec<Generated>,
    pub(crate) uses_lombok: bool,
    /// What its build file names that makes sources, each once.
    pub(crate) generators: Vec<&'static str>,
    /// The libraries that its build file names.
    pub(crate) libraries: Vec<Library>,
    /// What its build files ask for by names that are said elsewhere, or in words that nobody here reads.
    pub(crate) asks: Vec<Asked>,
    /// What its build file gives names to, as written: versions mostly.
    pub(crate) variables: Vec<(String, String)>,
}

/// A library that a build file names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Library {
    /// The source set that sees it.
    pub(crate) from: String,
    pub(crate) notation: Notation,
    pub(crate) role: Role,
}

/// A dependency that is read only if its names stand for something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Asked {
    /// The build file, relative to the root.
    pub(crate) script: String,
    /// As it is written, on one line: `implementation(library.foo)`.
    pub(crate) text: String,
    /// `library.foo`; none if nothing of it was understood.
    pub(crate) names: Vec<String>,
}

/// How a build file names a library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Notation {
    /// `group:name:version`, perhaps with variables, or without a version.
    Coordinates(String),
    /// A name for something that is said elsewhere: `libs.junit.jupiter`.
    Name(String),
    /// A jar or a folder of classes, as written.
    File(String),
    /// A folder of jars, as written.
    Folder(String),
}

/// What a library is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Its classes are seen.
    Classes,
    /// It tells versions of others.
    Platform,
    /// It makes sources.
    Processor,
}

/// A source set of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Declared {
    /// `main`, `test`, `testFixtures`…
    pub(crate) name: String,
    /// Relative to the root.
    pub(crate) roots: Vec<String>,
}

/// Source set `from` of a module sees source set `on` of the module at `module`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Dependency {
    pub(crate) from: String,
    pub(crate) module: String,
    pub(crate) on: String,
    /// True if whoever sees `from` sees `on`, too.
    pub(crate) exported: bool,
}

/// A folder into which a build generates sources.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Generated {
    pub(crate) folder: String,
    /// The source set that they belong to; `None` if the path below tells
    /// (`build/generated/sources/antlr/java/main`).
    pub(crate) set: Option<String>,
}

impl Module {
    pub(crate) fn new(dir: &str) -> Module {
        Module {
            dir: dir.to_owned(),
            ..Module::default()
        }
    }

    pub(crate) fn add_generator(&mut self, generator: &'static str) {
        if !self.generators.contains(&generator) {
            self.generators.push(generator);
        }
    }

    /// The source set `name`, made if there is none yet.
    pub(crate) fn set(&mut self, name: &str) -> &mut Declared {
        let index = self
            .sets
            .iter()
            .position(|set| set.name == name)
            .unwrap_or_else(|| {
                self.sets.push(Declared {
                    name: name.to_owned(),
                    roots: Vec::new(),
                });
                self.sets.len() - 1
            });
        &mut self.sets[index]
    }
}

impl Declared {
    pub(crate) fn add_root(&mut self, root: String) {
        if !self.roots.contains(&root) {
            self.roots.push(root);
        }
    }
}
