//! One folder at one moment: its program, and the layout that it was read with.

use super::documents::Document;
use super::read::{Part, Read};
use super::relative;
use crate::dismissed;
use crate::lsp::convert;
use crate::lsp::settings::overlay;
use crate::lsp::status::Reading;
use calls::Workspace;
use ide::{Analysis, Revision};
use program::{Change, Program, SourceSetId, SourceSetInput};
use project::libraries::ClassPath;
use project::{Config, Dismissals, SourceSet, UserQueries};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// See the module's description.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    /// No other folder has it, not even one of the same root that came later.
    pub(crate) id: u64,
    pub(crate) root: PathBuf,
    pub(crate) revision: Arc<Revision>,
    /// The files that it has on disk, by path: their source sets.
    pub(crate) sets: Arc<BTreeMap<Arc<str>, SourceSetId>>,
    /// Those of them whose text cannot be read.
    pub(super) unread: Arc<BTreeSet<Arc<str>>>,
    /// How many more could not be looked at.
    pub(super) unseen: usize,
    /// What of it goes beyond a bound, as the last reading of all had it.
    pub(super) beyond: Arc<[String]>,
    pub(crate) source_sets: Arc<[SourceSet]>,
    /// Its build files, by path.
    pub(crate) builds: Arc<[String]>,
    /// Its own queries.
    pub(crate) queries: Arc<UserQueries>,
    /// Of `telltale.toml`.
    pub(crate) config: Arc<Config>,
    /// Of the configuration with what the client says over it.
    pub(crate) settings: Arc<Config>,
    /// What users said *Not this one* of.
    pub(crate) dismissals: Arc<Dismissals>,
    /// How far it is read.
    pub(crate) reading: Reading,
    /// The JDK and the libraries, once it was read.
    pub(crate) classes: Option<Arc<ClassPath>>,
    /// False for lone files: nothing around them is read.
    pub(crate) whole: bool,
}

impl Folder {
    /// A folder that holds nothing yet.
    pub(super) fn new(id: u64, root: PathBuf, whole: bool, from_client: &Value) -> Folder {
        let config = Arc::new(Config::default());
        let settings = Arc::new(overlay(&config, from_client).0);
        Folder {
            id,
            root,
            revision: Arc::new(empty(whole, &settings)),
            sets: Arc::default(),
            unread: Arc::default(),
            unseen: 0,
            beyond: Arc::from([]),
            source_sets: Arc::from([]),
            builds: Arc::from([]),
            queries: Arc::default(),
            config,
            settings,
            dismissals: Arc::default(),
            reading: Reading::Waiting,
            classes: None,
            whole,
        }
    }

    /// Forgets all files but these. What was closed one after another would else stay in the tables of the program.
    pub(super) fn start_again(&mut self, files: Vec<Change>) {
        self.revision = Arc::new(empty(self.whole, &self.settings).after(files));
    }

    /// True if a file at this path would be one of the folder's.
    pub(super) fn holds(&self, path: &Path) -> bool {
        match self.whole {
            true => path.starts_with(&self.root),
            false => path.parent() == Some(&*self.root),
        }
    }

    /// How many files were left out.
    pub(super) fn skipped(&self) -> usize {
        self.unread.len() + self.unseen
    }

    /// How many files could be read, of all that there are.
    pub(super) fn counts(&self) -> (usize, usize) {
        let total = self.sets.len();
        (total.saturating_sub(self.unread.len()), total)
    }

    /// All is read that is to be read.
    pub(super) fn done(&self) -> Reading {
        let (indexed, total) = self.counts();
        Reading::Done {
            indexed,
            total,
            is_cut: !self.beyond.is_empty(),
        }
    }

    /// The state after a reading that failed: what was there before stays.
    pub(super) fn failed(&self, why: &str, is_wanted: bool) -> Reading {
        let (indexed, total) = self.counts();
        Reading::Failed {
            indexed,
            total,
            why: why.to_owned(),
            is_wanted,
        }
    }

    /// What a file says here: an open document wins over the disk; one that the layout leaves out is here while it is
    /// open, and in the innermost folder alone.
    pub(super) fn says(
        &self,
        path: &str,
        document: Option<&Document>,
        is_home: bool,
        on_disk: Option<Arc<str>>,
    ) -> Option<Arc<str>> {
        let is_here = self.sets.contains_key(path);
        match document {
            Some(open) if is_here || is_home => open.shown(),
            None if is_here => on_disk,
            _ => None,
        }
    }

    /// A change of a file, in its source set.
    pub(super) fn change(&self, path: &str, text: Option<Arc<str>>) -> Change {
        let source_set = match self.sets.get(path) {
            Some(&set) => set,
            None => guessed_set(path, &self.sets),
        };
        Change {
            path: Arc::from(path),
            source_set,
            text: text.map(|t| match text::without_bom(&t) {
                plain if plain.len() == t.len() => t,
                plain => Arc::from(plain),
            }),
        }
    }

    /// Takes over what a file says.
    pub(super) fn set(&mut self, path: &str, text: Option<Arc<str>>) {
        if text.is_some() || self.revision.text(path).is_some() {
            let change = self.change(path, text);
            self.revision = Arc::new(self.revision.after([change]));
        }
    }

    /// Takes over what was read of the whole folder. `open` are the open documents in it, each with whether this is its
    /// innermost folder.
    pub(super) fn replace(
        &mut self,
        read: Read,
        settings: Config,
        open: &[(String, &Document, bool)],
    ) {
        let analysis = read.analysis.with_settings(convert::settings(&settings));
        let analysis = analysis.with_dismissed(dismissed::known(&read.dismissals));
        let analysis = analysis.with_facts(read.facts);
        self.dismissals = Arc::new(read.dismissals);
        self.sets = Arc::new(read.sets);
        self.unread = Arc::new(read.unread);
        self.unseen = read.unseen;
        self.beyond = Arc::from(read.beyond);
        self.source_sets = Arc::from(read.source_sets);
        self.builds = Arc::from(read.builds);
        self.queries = Arc::new(read.queries);
        self.classes = Some(read.classes);
        self.config = Arc::new(read.config);
        self.settings = Arc::new(settings);
        let read = Revision::of(Arc::new(analysis));
        let changes: Vec<Change> = open
            .iter()
            .filter(|(path, document, is_home)| {
                !document.waits && (*is_home || self.sets.contains_key(path.as_str()))
            })
            .map(|(path, document, _)| self.change(path, document.shown()))
            .collect();
        self.revision = Arc::new(match changes.is_empty() {
            true => read,
            false => read.after(changes),
        });
    }

    /// Takes over what was read of some files. True if the program says something else now.
    pub(super) fn renew(&mut self, part: Part, open: &BTreeMap<String, (&Document, bool)>) -> bool {
        let before = Arc::clone(&self.sets);
        let mut unread = BTreeSet::clone(&self.unread);
        let mut touched: BTreeMap<Arc<str>, Option<Arc<str>>> = BTreeMap::new();
        if let Some(layout) = part.layout {
            let gone = before.keys().filter(|p| !layout.sets.contains_key(*p));
            touched.extend(gone.map(|path| (Arc::clone(path), None)));
            unread.retain(|path| layout.sets.contains_key(path));
            self.sets = Arc::new(layout.sets);
            self.unseen = layout.unseen;
            // The source sets of these are guessed from their neighbours.
            let guessed = open
                .iter()
                .filter(|(path, (_, is_home))| *is_home && !self.sets.contains_key(path.as_str()));
            touched.extend(guessed.map(|(path, _)| (Arc::from(path.as_str()), None)));
        }
        for (path, text) in part.texts {
            if self.sets.contains_key(&path) {
                match text {
                    Some(_) => unread.remove(&path),
                    None => unread.insert(Arc::clone(&path)),
                };
                touched.insert(path, text);
            }
        }
        self.unread = Arc::new(unread);
        let changes: Vec<Change> = touched
            .into_iter()
            .filter_map(|(path, on_disk)| {
                let (document, is_home) = match open.get(&*path) {
                    Some((document, is_home)) => (Some(*document), *is_home),
                    None => (None, false),
                };
                if document.is_some_and(|d| d.waits) {
                    return None;
                }
                let change = self.change(&path, self.says(&path, document, is_home, on_disk));
                let moved = before.get(&path) != self.sets.get(&path);
                let known = self.revision.text(&path);
                let guessed = document.is_some() && !self.sets.contains_key(&path);
                let news = moved || guessed || known != change.text;
                (news && (known.is_some() || change.text.is_some())).then_some(change)
            })
            .collect();
        if changes.is_empty() {
            return false;
        }
        self.revision = Arc::new(self.revision.after(changes));
        true
    }
}

/// A program without files: before a folder was read, main, and tests that see it.
fn empty(whole: bool, settings: &Config) -> Revision {
    let workspace = Workspace::new(Program::build(SourceSetInput::code_and_tests(), Vec::new()));
    let analysis = Analysis::new(workspace, !whole, convert::settings(settings));
    Revision::of(Arc::new(analysis))
}

/// The source set of a file that was not there when the folder was read: that of its neighbours, the nearest first.
fn guessed_set(path: &str, sets: &BTreeMap<Arc<str>, SourceSetId>) -> SourceSetId {
    let mut folder = path;
    while let Some((up, _)) = folder.rsplit_once('/') {
        folder = up;
        let prefix = format!("{folder}/");
        let mut near = sets.range(Arc::<str>::from(prefix.as_str())..);
        if let Some((found, &set)) = near.next()
            && found.starts_with(&prefix)
        {
            return set;
        }
    }
    let is_test = format!("/{path}").contains("/test/");
    SourceSetId(u32::from(is_test && sets.is_empty()))
}

/// The open documents that a folder holds, by their paths in it, each with whether it is their innermost folder.
pub(super) fn open_in<'d>(
    folders: &[Folder],
    folder: &Folder,
    documents: &'d BTreeMap<PathBuf, Document>,
) -> Vec<(String, &'d Document, bool)> {
    documents
        .iter()
        .filter(|(path, _)| folder.holds(path))
        .filter_map(|(path, document)| {
            let is_home = super::home_of(folders, path).is_some_and(|f| f.id == folder.id);
            Some((relative(&folder.root, path)?, document, is_home))
        })
        .collect()
}
