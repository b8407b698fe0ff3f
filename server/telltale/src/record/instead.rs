//! Generated tests that do not compile for want of the tool that wrote them, and what is compiled in their place.

use ide::plain::{Plain, plain};
use program::{FileId, Program};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder of all of it, in that of a recording.
const FOLDER: &str = "plain";

/// A folder below a root of sources that no package is called like: a build tool that is told not to compile `a/B.java` looks
/// at all its roots.
const BELOW: &str = "telltale-plain";

/// See the module's description.
pub(super) struct Instead {
    folder: PathBuf,
    all: BTreeMap<FileId, Plain>,
    /// By the path of what is compiled.
    written: BTreeMap<PathBuf, FileId>,
    /// By the folder of the files: the root of sources that stands for it.
    roots: Vec<(PathBuf, PathBuf)>,
}

impl Instead {
    /// Nothing yet, in a recording's folder.
    pub(super) fn new(folder: &Path) -> Instead {
        Instead {
            folder: folder.join(FOLDER),
            all: BTreeMap::new(),
            written: BTreeMap::new(),
            roots: Vec::new(),
        }
    }

    /// Has a file compiled without its tool; false if there is nothing of it in the file.
    pub(super) fn add(&mut self, file: FileId, text: &str) -> bool {
        let plain = plain(text);
        plain.is_some_and(|plain| self.all.insert(file, plain).is_none())
    }

    pub(super) fn remove(&mut self, file: FileId) {
        self.all.remove(&file);
    }

    pub(super) fn has(&self, file: FileId) -> bool {
        self.all.contains_key(&file)
    }

    /// True if a test of a file went with its tool.
    pub(super) fn lacks(&self, file: FileId, test: &str) -> bool {
        let plain = self.all.get(&file);
        plain.is_some_and(|plain| plain.gone.contains_key(test))
    }

    /// The files that are not compiled as they are.
    pub(super) fn files(&self) -> impl Iterator<Item = FileId> {
        self.all.keys().copied()
    }

    /// What is compiled, by its path, and of which file that is.
    pub(super) fn written(&self) -> &BTreeMap<PathBuf, FileId> {
        &self.written
    }

    /// Folders of files, and the roots of sources that stand for them.
    pub(super) fn roots(&self) -> &[(PathBuf, PathBuf)] {
        &self.roots
    }

    /// How a text of a file is compiled that may have calls in it.
    pub(super) fn as_compiled(&self, file: FileId, text: String) -> String {
        match self.has(file) {
            true => plain(&text).map_or(text, |plain| plain.text),
            false => text,
        }
    }

    /// Writes it.
    pub(super) fn write(&mut self, program: &Program, root: &Path) -> std::io::Result<()> {
        if self.folder.exists() {
            std::fs::remove_dir_all(&self.folder)?;
        }
        self.written.clear();
        self.roots.clear();
        // Scaffolding is there for its tool alone.
        for (file, plain) in self.all.iter().filter(|(_, plain)| plain.tests > 0) {
            let Some(path) = program.path(*file).map(|p| root.join(&**p)) else {
                continue;
            };
            let (Some(own), Some(name)) = (path.parent(), path.file_name()) else {
                continue;
            };
            let own = std::fs::canonicalize(own)?;
            let known = self.roots.iter().position(|(folder, _)| *folder == own);
            let at = known.unwrap_or(self.roots.len());
            let new = self.folder.join(at.to_string());
            if known.is_none() {
                std::fs::create_dir_all(new.join(BELOW))?;
                self.roots.push((own, new.clone()));
            }
            let to = new.join(BELOW).join(name);
            std::fs::write(&to, &plain.text)?;
            self.written.insert(to, *file);
        }
        Ok(())
    }

    /// What there is to say of it, once.
    pub(super) fn note(&self) -> Option<String> {
        let files = self.written.len();
        let gone: usize = self.all.values().map(|plain| plain.gone.len()).sum();
        let ran = match files {
            0 => return None,
            1 => Cow::from("1 file of EvoSuite ran"),
            n => format!("{n} files of EvoSuite ran").into(),
        };
        let left = match gone {
            0 => Cow::from(""),
            1 => "; 1 test needs them and was left out".into(),
            n => format!("; {n} tests need them and were left out").into(),
        };
        Some(format!(
            "{ran} as plain JUnit, since EvoSuite's own classes are not on the class path{left}."
        ))
    }
}
