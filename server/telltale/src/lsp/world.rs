//! What the server knows: folders, open documents, settings. One writer at a time, in the order of the wire; readers
//! take a [`Snapshot`].
//!
//! [`documents`] and [`folders`] are what the client tells, [`readings`] what is to be read of it, which [`indexing`] does in the
//! background, step by step; [`folder`] is what comes of it.

mod documents;
mod due;
mod folder;
mod folders;
mod indexing;
mod layout;
mod read;
mod readings;
#[cfg(test)]
mod tests;
mod times;

pub(crate) use documents::Document;
pub(crate) use folder::Folder;

use super::client::Outbox;
use super::convert::{self, Coding};
use super::pool::Pools;
use super::recordings::Recordings;
use super::settings::overlay;
use super::wide_folders;
use due::Due;
use ide::Analysis;
use ide::survivors::Survivors;
use program::FileId;
use project::{Config, Dismissals};
use readings::Reader;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc;
use tower_lsp::ls_types as lsp;

/// The user trusts the folders from now on: of clients that said at first that they are not trusted.
pub(crate) const TRUSTED: &str = "telltale/trusted";

/// What a request may read: immutable, and cheap to take.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    // Grows by being copied while a snapshot holds it.
    #[allow(clippy::rc_buffer)]
    folders: Arc<Vec<Folder>>,
    documents: Arc<BTreeMap<PathBuf, Document>>,
    /// What no test notices, as far as somebody asked.
    survivors: Arc<BTreeMap<PathBuf, Survivors>>,
    pub(crate) coding: Coding,
}

/// A file as a request means it.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) analysis: Arc<Analysis>,
    pub(crate) file: FileId,
    pub(crate) settings: Arc<Config>,
    pub(crate) root: PathBuf,
    /// What users said *Not this one* of.
    pub(crate) dismissals: Arc<Dismissals>,
    /// How the client counts in this file.
    pub(crate) coding: Coding,
    /// How many files of the folder could not be read.
    pub(crate) skipped: usize,
}

#[derive(Debug)]
struct World {
    snapshot: Snapshot,
    /// What the client sent under `telltale`.
    from_client: Value,
    /// Mistakes in settings that the user was told of, by the folder whose file they are in; none for the client's.
    reported: BTreeMap<Option<PathBuf>, BTreeSet<String>>,
    /// What is to be said of folders that are not read.
    left_out: Vec<String>,
    /// Of each folder that is read as a whole, by its number.
    readers: BTreeMap<u64, Reader>,
    shut_down: bool,
    /// The connection is gone: nothing is read any more.
    closed: bool,
}

/// The world, shared by the door, the backend and the background.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    world: Arc<Mutex<World>>,
    pub(crate) outbox: Outbox,
    pub(crate) pools: Pools,
    ids: Arc<AtomicU64>,
    /// The client takes snippets in edits.
    snippets: Arc<AtomicBool>,
    /// How many bytes of documents' texts were made and not counted.
    texts_made: Arc<AtomicUsize>,
    /// What is being recorded.
    pub(crate) recordings: Arc<Recordings>,
    /// Who is to have the client's settings. One is on its way, and one waits.
    settings: mpsc::Sender<Shared>,
    /// Whose open files are to be looked at again. One waits.
    stale: mpsc::Sender<Shared>,
}

impl Snapshot {
    /// The folder and file of a document, with its analysis: computed here if nobody has asked for this state yet. None
    /// for what is no Java file on disk, lies outside every folder, or waits for a full text.
    pub(crate) fn find(&self, uri: &lsp::Uri) -> Option<Found> {
        let path = convert::path_of(uri)?;
        if self.documents.get(&path).is_some_and(|d| d.waits) {
            return None;
        }
        let folder = home_of(&self.folders, &path)?;
        let analysis = Arc::clone(folder.revision.analysis());
        let file = analysis.program().file(&relative(&folder.root, &path)?)?;
        Some(Found {
            analysis,
            file,
            settings: Arc::clone(&folder.settings),
            root: folder.root.clone(),
            dismissals: Arc::clone(&folder.dismissals),
            coding: self.coding_in(&path),
            skipped: folder.skipped(),
        })
    }

    /// How the client counts in a file: with the byte order mark, where it shows us one.
    pub(crate) fn coding_in(&self, path: &Path) -> Coding {
        let document = self.documents.get(path);
        Coding {
            ahead: document.map_or(0, |d| convert::ahead(&d.text, self.coding.encoding)),
            ..self.coding
        }
    }

    /// The innermost folder that holds a path.
    pub(crate) fn home(&self, path: &Path) -> Option<&Folder> {
        home_of(&self.folders, path)
    }

    /// The folders.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &Folder> {
        self.folders.iter()
    }

    /// The open documents, by path.
    pub(crate) fn open_documents(&self) -> impl Iterator<Item = (&PathBuf, &Document)> {
        self.documents.iter()
    }

    /// What no test notices in a folder, as far as somebody asked.
    pub(super) fn survivors(&self, root: &Path) -> Option<&Survivors> {
        self.survivors.get(root)
    }

    /// The version of a document, if it is open.
    pub(crate) fn version(&self, path: &Path) -> Option<i32> {
        self.documents.get(path).map(|d| d.version)
    }

    /// The URI of a file: as the client spelled it where it is open.
    pub(crate) fn uri_of(&self, path: &Path) -> Option<lsp::Uri> {
        match self.documents.get(path) {
            Some(document) => Some(document.uri.clone()),
            None => lsp::Uri::from_file_path(path),
        }
    }
}

/// The innermost folder that holds a path: the one that answers for it.
fn home_of<'a>(folders: &'a [Folder], path: &Path) -> Option<&'a Folder> {
    folders
        .iter()
        .filter(|f| f.holds(path))
        .max_by_key(|f| f.root.as_os_str().len())
}

/// A path below a root as the program names it.
pub(crate) fn relative(root: &Path, path: &Path) -> Option<String> {
    let inside = path.strip_prefix(root).ok()?;
    let parts: Option<Vec<&str>> = inside.iter().map(|p| p.to_str()).collect();
    Some(parts?.join("/"))
}

impl Shared {
    /// A world without folders; what may be found in its open files is looked for by who is told by `stale`.
    pub(crate) fn new(outbox: Outbox, pools: Pools, stale: mpsc::Sender<Shared>) -> Shared {
        let (settings, asked) = mpsc::channel(1);
        outbox.run(ask_for_settings(outbox.clone(), asked));
        Shared {
            world: Arc::new(Mutex::new(World {
                snapshot: Snapshot {
                    folders: Arc::default(),
                    documents: Arc::default(),
                    survivors: Arc::default(),
                    coding: Coding::default(),
                },
                from_client: Value::Null,
                left_out: Vec::new(),
                reported: BTreeMap::new(),
                readers: BTreeMap::new(),
                shut_down: false,
                closed: false,
            })),
            outbox,
            pools,
            ids: Arc::default(),
            snippets: Arc::default(),
            texts_made: Arc::default(),
            recordings: Arc::default(),
            settings,
            stale,
        }
    }

    /// What `initialize` says of snippets. Before [`Shared::begin`].
    pub(crate) fn declare_snippets(&self, takes: bool) {
        self.snippets.store(takes, Ordering::Release);
    }

    fn lock(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        self.lock().snapshot.clone()
    }

    pub(crate) fn shut_down(&self) {
        self.lock().shut_down = true;
    }

    /// The connection is gone: readings that are under way end at their next step. True if the client had asked for it.
    pub(crate) fn close(&self) -> bool {
        let mut world = self.lock();
        world.closed = true;
        world.shut_down
    }

    /// What `initialize` said.
    pub(crate) fn begin(&self, coding: Coding, roots: Vec<PathBuf>, options: Value) {
        let mut world = self.lock();
        world.snapshot.coding = coding;
        world.snapshot.coding.client.snippets =
            coding.client.document_changes && self.snippets.load(Ordering::Acquire);
        world.from_client = options;
        for root in roots {
            match wide_folders::left_out(&root) {
                Some(why) => world.left_out.push(why),
                None => self.add_folder(&mut world, root, true),
            }
        }
    }

    /// Reads all folders again.
    pub(crate) fn reindex(&self) {
        let mut world = self.lock();
        let all: Vec<u64> = world.readers.keys().copied().collect();
        for id in all {
            self.ask_anew(&mut world, id);
        }
    }

    /// Reads all folders that were not read yet.
    pub(crate) fn index(&self) {
        let mut world = self.lock();
        for why in std::mem::take(&mut world.left_out) {
            self.outbox.warn(why);
        }
        let all: Vec<u64> = world.readers.keys().copied().collect();
        if all.is_empty() {
            self.tell_status(&world);
        }
        for id in all {
            self.ask(&mut world, id, Due::whole());
        }
        let (_, problems) = overlay(&Config::default(), &world.from_client);
        drop(world);
        self.report(None, problems.into_iter().collect());
    }

    /// Says what is wrong with settings, each mistake once while it is there.
    pub(crate) fn report(&self, folder: Option<&Path>, problems: BTreeSet<String>) {
        let mut world = self.lock();
        let key = folder.map(Path::to_path_buf);
        let before = world.reported.insert(key, problems.clone());
        drop(world);
        let before = before.unwrap_or_default();
        for new in problems.difference(&before) {
            self.outbox.warn(new.clone());
        }
    }

    /// A configuration with what the client says over it.
    pub(crate) fn over(&self, config: &Config) -> Config {
        overlay(config, &self.lock().from_client).0
    }

    /// A folder as it is now.
    pub(crate) fn folder(&self, id: u64) -> Option<Folder> {
        let world = self.lock();
        let mut folders = world.snapshot.folders.iter();
        folders.find(|f| f.id == id).cloned()
    }

    fn next_id(&self) -> u64 {
        self.ids.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// What is shown may be old.
    pub(crate) fn refresh(&self) {
        self.outbox.refresh();
        self.look_again();
    }

    /// What is found in open files may be something else now.
    fn look_again(&self) {
        // One that waits looks for this as well.
        let _ = self.stale.try_send(self.clone());
    }

    /// Asks for the client's settings where it has them to give.
    pub(crate) fn configuration_changed(&self) {
        if !self.outbox.configures() {
            return;
        }
        // One that waits asks for what is new here as well.
        let _ = self.settings.try_send(self.clone());
    }

    /// A notification that changes the world. Neither parses nor waits.
    pub(crate) fn apply(&self, method: &str, params: Value) {
        let done = match method {
            "textDocument/didOpen" => read(params).map(|p| self.open(p)),
            "textDocument/didChange" => read(params).map(|p| self.change(p)),
            "textDocument/didClose" => read(params).map(|p| self.close_document(p)),
            "textDocument/didSave" => read(params).map(|p| self.saved(&p)),
            "workspace/didChangeConfiguration" => read(params).map(|p| self.configure_pushed(p)),
            "workspace/didChangeWatchedFiles" => read(params).map(|p| self.watched(p)),
            "workspace/didChangeWorkspaceFolders" => read(params).map(|p| self.folders_changed(p)),
            TRUSTED => {
                self.lock().snapshot.coding.client.untrusted = false;
                self.outbox.refresh();
                Ok(())
            }
            "window/workDoneProgress/cancel" => {
                let token = params.get("token").and_then(Value::as_str);
                if !token.is_some_and(|token| self.outbox.cancel(token)) {
                    self.cancel_indexing();
                }
                Ok(())
            }
            _ => {
                // As a bug would: while it changes the world.
                let _world = self.lock();
                #[allow(clippy::panic)]
                {
                    panic!("{method} does nothing")
                }
            }
        };
        if let Err(e) = done {
            tracing::warn!("{method}: {e}");
        }
        self.look_again();
    }
}

/// Asks for the client's settings whenever a world is to have them.
async fn ask_for_settings(outbox: Outbox, mut asked: mpsc::Receiver<Shared>) {
    while let Some(world) = asked.recv().await {
        if let Some(settings) = outbox.settings().await {
            world.configure(settings);
        }
    }
}

impl World {
    fn folders(&mut self) -> &mut Vec<Folder> {
        Arc::make_mut(&mut self.snapshot.folders)
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, serde_json::Error> {
    serde_json::from_value(params)
}
