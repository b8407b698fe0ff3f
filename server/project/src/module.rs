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
