//! What the server knows: folders, open documents, settings. One writer at a time, in the order of the wire; readers
//! take a [`Snapshot`].

use super::client::Outbox;
use super::convert::{self, Coding};
use super::outside::{self, Outside};
use super::pool::Pools;
use super::settings::overlay;
use super::status::{Reading, Status};
use super::{indexing, wide};
use ide::{Analysis, Revision};
use observe::rank::Settings;
use observe::workspace::Workspace;
use program::{Change, FileId, Program, SourceSetId, SourceSetInput};
use project::libraries::ClassPath;
use project::{Config, SourceSet, UserQueries};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tower_lsp::ls_types as lsp;

/// A document that an editor has open.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// As the client spelled it.
    pub(crate) uri: lsp::Uri,
    pub(crate) text: Arc<str>,
    pub(crate) version: i32,
    /// An edit did not fit: no answers until the client sends a full text.
    pub(crate) waits: bool,
    /// Before it was opened; what comes back when it is closed without saving.
    on_disk: Option<Arc<str>>,
}

/// One folder, at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    pub(crate) root: PathBuf,
    pub(crate) revision: Arc<Revision>,
    /// Files that the folder has, by path: their source sets.
    pub(crate) sets: Arc<BTreeMap<Arc<str>, SourceSetId>>,
    pub(crate) source_sets: Arc<[SourceSet]>,
    /// The folder's own queries.
    pub(crate) queries: Arc<UserQueries>,
    /// Of `telltale.toml`.
    pub(crate) config: Arc<Config>,
    /// Of the configuration with what the client says over it.
    pub(crate) settings: Arc<Config>,
    /// Counts readings of the folder; the result of an older one is dropped.
    generation: u64,
    /// How many files could not be read.
    skipped: usize,
    /// How far it is read.
    reading: Reading,
    /// The JDK and the libraries, once the folder was read.
    classes: Option<Arc<ClassPath>>,
    /// False for a lone file: nothing around it is read.
    pub(crate) whole: bool,
}

/// What a request may read: immutable, and cheap to take.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    // Grows by being copied while a snapshot holds it.
    #[allow(clippy::rc_buffer)]
    folders: Arc<Vec<Folder>>,
    documents: Arc<BTreeMap<PathBuf, Document>>,
    pub(crate) coding: Coding,
}

/// A file as a request means it.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) analysis: Arc<Analysis>,
    pub(crate) file: FileId,
    pub(crate) settings: Arc<Config>,
    pub(crate) root: PathBuf,
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
    shut_down: bool,
}

/// The world, shared by the door, the backend and the background.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    world: Arc<Mutex<World>>,
    pub(crate) outbox: Outbox,
    pub(crate) pools: Pools,
    pub(crate) outside: Outside,
    generations: Arc<AtomicU64>,
    /// The client takes snippets in edits.
    snippets: Arc<AtomicBool>,
}

impl Snapshot {
    /// The folder and file of a document, with its analysis: computed here if nobody has asked for this state yet. None
    /// for what is no Java file on disk, lies outside every folder, or waits for a full text.
    pub(crate) fn find(&self, uri: &lsp::Uri) -> Option<Found> {
        let path = convert::path_of(uri)?;
        if self.documents.get(&path).is_some_and(|d| d.waits) {
            return None;
        }
        let folder = folder_of(&self.folders, &path)?;
        let analysis = Arc::clone(folder.revision.analysis());
        let file = analysis.program().file(&relative(&folder.root, &path)?)?;
        Some(Found {
            analysis,
            file,
            settings: Arc::clone(&folder.settings),
            root: folder.root.clone(),
            coding: self.coding_in(&path),
            skipped: folder.skipped,
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

    /// The folders.
    pub(crate) fn folders(&self) -> &[Folder] {
        &self.folders
    }
}

/// The innermost folder around a path.
fn folder_of<'a>(folders: &'a [Folder], path: &Path) -> Option<&'a Folder> {
    folders
        .iter()
        .filter(|f| path.starts_with(&f.root))
        .max_by_key(|f| f.root.as_os_str().len())
}

/// A path below a root as the program names it.
pub(crate) fn relative(root: &Path, path: &Path) -> Option<String> {
    let inside = path.strip_prefix(root).ok()?;
    let parts: Option<Vec<&str>> = inside.iter().map(|p| p.to_str()).collect();
    Some(parts?.join("/"))
}

impl Shared {
    pub(crate) fn new(outbox: Outbox, pools: Pools) -> Shared {
        Shared {
            world: Arc::new(Mutex::new(World {
                snapshot: Snapshot {
                    folders: Arc::default(),
                    documents: Arc::default(),
                    coding: Coding::default(),
                },
                from_client: Value::Null,
                left_out: Vec::new(),
                reported: BTreeMap::new(),
                shut_down: false,
            })),
            outbox,
            pools,
            outside: Outside::default(),
            generations: Arc::default(),
            snippets: Arc::default(),
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

    /// The connection is gone. True if the client had asked for that.
    pub(crate) fn close(&self) -> bool {
        // Readings that are under way find another generation and stop.
        self.generations.fetch_add(1_000_000, Ordering::AcqRel);
        self.lock().shut_down
    }

    /// What `initialize` said.
    pub(crate) fn begin(&self, coding: Coding, roots: Vec<PathBuf>, options: Value) {
        let mut world = self.lock();
        world.snapshot.coding = Coding {
            snippets: coding.document_changes && self.snippets.load(Ordering::Acquire),
            ..coding
        };
        world.from_client = options;
        for root in roots {
            match wide::left_out(&root) {
                Some(why) => world.left_out.push(why),
                None => self.add_folder(&mut world, root, true),
            }
        }
    }

    /// Reads all folders again.
    pub(crate) fn reindex(&self) {
        let mut world = self.lock();
        let folders = Arc::make_mut(&mut world.snapshot.folders);
        for folder in folders.iter_mut().filter(|f| f.whole) {
            folder.generation = self.next_generation();
            indexing::start(self, folder.root.clone(), folder.generation);
        }
    }

    /// Reads all folders that were not read yet.
    pub(crate) fn index(&self) {
        let mut world = self.lock();
        for why in std::mem::take(&mut world.left_out) {
            self.outbox.warn(why);
        }
        let mut any = false;
        for folder in world.snapshot.folders.iter().filter(|f| f.whole) {
            any = true;
            indexing::start(self, folder.root.clone(), folder.generation);
        }
        if !any {
            self.tell_status(&world);
        }
        let (_, problems) = overlay(&Config::default(), &world.from_client);
        drop(world);
        self.report(None, problems.into_iter().collect());
    }

    fn tell_status(&self, world: &World) {
        let folders = world.snapshot.folders.iter().filter(|f| f.whole);
        self.outbox.status(Status::of(folders.map(|f| &f.reading)));
    }

    /// How far a reading is; of an older one than the newest nothing is told.
    pub(crate) fn is_at(&self, root: &Path, generation: u64, reading: Reading) {
        let mut world = self.lock();
        let folders = Arc::make_mut(&mut world.snapshot.folders);
        let mut folders = folders.iter_mut();
        if let Some(folder) = folders.find(|f| f.root == root && f.generation == generation)
            && !reading.is_behind(&folder.reading)
        {
            folder.reading = reading;
            self.tell_status(&world);
        }
    }

    /// A reading failed. False if it was not the newest.
    pub(crate) fn failed(&self, root: &Path, generation: u64, why: &str) -> bool {
        let mut world = self.lock();
        let folders = Arc::make_mut(&mut world.snapshot.folders);
        let mut folders = folders.iter_mut();
        match folders.find(|f| f.root == root && f.generation == generation) {
            Some(folder) => {
                folder.reading = folder.failed(why);
                self.tell_status(&world);
                true
            }
            None => false,
        }
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

    /// True while a reading is the newest of its folder.
    pub(crate) fn wants(&self, root: &Path, generation: u64) -> bool {
        let world = self.lock();
        let mut folders = world.snapshot.folders.iter();
        folders.any(|f| f.root == root && f.generation == generation)
    }

    fn next_generation(&self) -> u64 {
        self.generations.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// A folder that holds only its open documents, until it was read.
    fn add_folder(&self, world: &mut World, root: PathBuf, whole: bool) {
        if world.snapshot.folders.iter().any(|f| f.root == root) {
            return;
        }
        let config = Arc::new(Config::default());
        let settings = Arc::new(overlay(&config, &world.from_client).0);
        let workspace = Workspace::new(Program::build(first_sets(), Vec::new()));
        let analysis = Analysis::new(workspace, !whole, convert::settings(&settings));
        let folder = Folder {
            root,
            revision: Arc::new(Revision::of(Arc::new(analysis))),
            sets: Arc::default(),
            source_sets: Arc::from([]),
            queries: Arc::default(),
            config,
            settings,
            generation: self.next_generation(),
            skipped: 0,
            reading: Reading::Waiting,
            classes: None,
            whole,
        };
        Arc::make_mut(&mut world.snapshot.folders).push(folder);
    }

    /// The result of reading a folder. Open documents win over what is on disk.
    pub(crate) fn indexed(&self, root: &Path, generation: u64, read: indexing::Read) -> bool {
        let analysis = Analysis::new(read.workspace, true, Settings::default());
        analysis.prepare();
        let mut world = self.lock();
        let (settings, problems) = overlay(&read.config, &world.from_client);
        let documents = Arc::clone(&world.snapshot.documents);
        let folders = Arc::make_mut(&mut world.snapshot.folders);
        let Some(folder) = folders
            .iter_mut()
            .find(|f| f.root == root && f.generation == generation)
        else {
            return false;
        };
        let analysis = analysis.with_settings(convert::settings(&settings));
        folder.reading = Reading::Done {
            indexed: read.indexed,
            total: read.sets.len(),
        };
        folder.sets = Arc::new(read.sets);
        folder.source_sets = Arc::from(read.source_sets);
        folder.queries = Arc::new(read.queries);
        folder.skipped = read.skipped;
        folder.classes = Some(read.classes);
        folder.config = Arc::new(read.config);
        folder.settings = Arc::new(settings);
        let open = documents
            .iter()
            .filter(|(path, d)| path.starts_with(root) && !d.waits);
        let changes: Vec<Change> = open
            .filter_map(|(path, d)| folder.change(path, Some(Arc::clone(&d.text))))
            .collect();
        let read = Revision::of(Arc::new(analysis));
        folder.revision = Arc::new(match changes.is_empty() {
            true => read,
            false => read.after(changes),
        });
        self.tell_status(&world);
        drop(world);
        self.report(None, problems.into_iter().collect());
        true
    }

    /// Files that were read again. True if one that is not open says something else now.
    pub(crate) fn disk(&self, root: &Path, texts: Vec<(PathBuf, Option<Arc<str>>)>) -> bool {
        let mut world = self.lock();
        let World { snapshot, .. } = &mut *world;
        let mut changed = Vec::new();
        let folder = snapshot.folders.iter().find(|f| f.root == root);
        let folder = folder.map(|f| Arc::clone(&f.revision));
        let documents = Arc::make_mut(&mut snapshot.documents);
        let is_known = |path: &Path, text: &Option<Arc<str>>| {
            let known = folder.as_ref().and_then(|f| f.text(&relative(root, path)?));
            known.as_deref() == text.as_deref().map(text::without_bom)
        };
        for (path, text) in texts {
            match documents.get_mut(&path) {
                Some(open) => open.on_disk = text,
                None if is_known(&path, &text) => {}
                None => changed.push((path, text)),
            }
        }
        let folders = Arc::make_mut(&mut world.snapshot.folders);
        if let Some(folder) = folders.iter_mut().find(|f| f.root == root) {
            let changes: Vec<Change> = changed
                .into_iter()
                .filter_map(|(path, text)| folder.change(&path, text))
                .collect();
            let any = !changes.is_empty();
            folder.revision = Arc::new(folder.revision.after(changes));
            return any;
        }
        false
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
            "window/workDoneProgress/cancel" => {
                self.cancel_indexing();
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
    }

    fn open(&self, params: lsp::DidOpenTextDocumentParams) {
        let opened = params.text_document;
        let Some(path) = convert::path_of(&opened.uri) else {
            return;
        };
        let mut world = self.lock();
        if folder_of(&world.snapshot.folders, &path).is_none() {
            // A lone file: read alone, whatever lies around it.
            let root = path.parent().unwrap_or(&path).to_path_buf();
            self.add_folder(&mut world, root, false);
        }
        let before = known_text(&world.snapshot, &path);
        let documents = Arc::make_mut(&mut world.snapshot.documents);
        let on_disk = match documents.get(&path) {
            Some(open) => open.on_disk.clone(),
            None => before,
        };
        let text: Arc<str> = Arc::from(opened.text);
        documents.insert(
            path.clone(),
            Document {
                uri: opened.uri,
                text: Arc::clone(&text),
                version: opened.version,
                waits: false,
                on_disk,
            },
        );
        set_text(&mut world.snapshot, &path, Some(text));
    }

    fn change(&self, params: lsp::DidChangeTextDocumentParams) {
        let Some(path) = convert::path_of(&params.text_document.uri) else {
            return;
        };
        let mut world = self.lock();
        let coding = world.snapshot.coding;
        let documents = Arc::make_mut(&mut world.snapshot.documents);
        let Some(document) = documents.get_mut(&path) else {
            drop(world);
            self.outbox
                .warn("a document was changed that is not open".to_owned());
            return;
        };
        let version = params.text_document.version;
        let stale = version <= document.version;
        match convert::edited(document, params.content_changes, stale, coding) {
            Ok(text) => {
                document.text = Arc::clone(&text);
                document.version = version;
                document.waits = false;
                set_text(&mut world.snapshot, &path, Some(text));
            }
            Err(why) => {
                let first = !document.waits;
                document.waits = true;
                document.version = document.version.max(version);
                drop(world);
                if first {
                    self.outbox.warn(format!(
                        "{}: {why}; nothing is shown there until the editor sends the whole text (close and open the file)",
                        path.display()
                    ));
                }
            }
        }
    }

    fn close_document(&self, params: lsp::DidCloseTextDocumentParams) {
        let Some(path) = convert::path_of(&params.text_document.uri) else {
            return;
        };
        let mut world = self.lock();
        let documents = Arc::make_mut(&mut world.snapshot.documents);
        let Some(closed) = documents.remove(&path) else {
            return;
        };
        set_text(&mut world.snapshot, &path, closed.on_disk);
        let folder = folder_of(&world.snapshot.folders, &path).map(|f| (f.root.clone(), f.whole));
        drop(world);
        if let Some((root, true)) = folder {
            indexing::read_again(self, root, vec![path]);
        }
    }

    fn saved(&self, params: &lsp::DidSaveTextDocumentParams) {
        let Some(path) = convert::path_of(&params.text_document.uri) else {
            return;
        };
        let mut world = self.lock();
        if let Some(d) = Arc::make_mut(&mut world.snapshot.documents).get_mut(&path) {
            d.on_disk = Some(Arc::clone(&d.text));
        }
        let folder = folder_of(&world.snapshot.folders, &path);
        if let Some(folder) = folder.filter(|folder| folder.whole)
            && let Some(classes) = folder.classes.clone()
        {
            let root = folder.root.clone();
            self.look_at_libraries(root.clone(), classes);
            if !self.outbox.watches() {
                outside::look(self, root);
            }
        }
    }

    /// Jars lie where no client watches. Who saves goes on working, so that is when they are looked at: those that were
    /// replaced, or fetched since, are read with the folder.
    fn look_at_libraries(&self, root: PathBuf, classes: Arc<ClassPath>) {
        let world = self.clone();
        self.pools.background(move || {
            if classes.is_stale() {
                world.reindex_folder(&root);
            }
        });
    }

    fn watched(&self, params: lsp::DidChangeWatchedFilesParams) {
        let paths: Vec<PathBuf> = params
            .changes
            .iter()
            .filter_map(|c| convert::any_path_of(&c.uri))
            .collect();
        let snapshot = self.snapshot();
        for folder in snapshot.folders().iter().filter(|f| f.whole) {
            let inside: Vec<PathBuf> = paths
                .iter()
                .filter(|p| folder_of(snapshot.folders(), p).is_some_and(|f| f.root == folder.root))
                .cloned()
                .collect();
            let is_java = |p: &PathBuf| p.extension().is_some_and(|e| e == "java");
            let known = |p: &PathBuf| {
                relative(&folder.root, p).is_some_and(|r| folder.sets.contains_key(r.as_str()))
            };
            if inside.is_empty() {
                continue;
            }
            // A build file or a new file can change which source sets there are: the folder is read again.
            if inside.iter().all(|p| is_java(p) && known(p)) {
                indexing::read_again(self, folder.root.clone(), inside);
            } else {
                self.reindex_folder(&folder.root);
            }
        }
    }

    pub(crate) fn reindex_folder(&self, root: &Path) {
        let mut world = self.lock();
        let folders = Arc::make_mut(&mut world.snapshot.folders);
        if let Some(folder) = folders.iter_mut().find(|f| f.root == root) {
            folder.generation = self.next_generation();
            indexing::start(self, folder.root.clone(), folder.generation);
        }
    }

    fn folders_changed(&self, params: lsp::DidChangeWorkspaceFoldersParams) {
        let mut world = self.lock();
        for gone in &params.event.removed {
            if let Some(path) = convert::any_path_of(&gone.uri) {
                Arc::make_mut(&mut world.snapshot.folders).retain(|f| f.root != path);
            }
        }
        for new in &params.event.added {
            let Some(root) = convert::any_path_of(&new.uri) else {
                continue;
            };
            if let Some(why) = wide::left_out(&root) {
                self.outbox.warn(why);
                continue;
            }
            // Lone files of this folder are part of it now.
            Arc::make_mut(&mut world.snapshot.folders)
                .retain(|f| f.whole || !f.root.starts_with(&root));
            self.add_folder(&mut world, root.clone(), true);
            let folders = world.snapshot.folders.iter();
            for f in folders.filter(|f| f.root == root) {
                indexing::start(self, f.root.clone(), f.generation);
            }
        }
        // Open documents move to the folder that is theirs now.
        let documents = Arc::clone(&world.snapshot.documents);
        for (path, d) in documents.iter().filter(|(_, d)| !d.waits) {
            if folder_of(&world.snapshot.folders, path).is_none() {
                let root = path.parent().unwrap_or(path).to_path_buf();
                self.add_folder(&mut world, root, false);
            }
            set_text(&mut world.snapshot, path, Some(Arc::clone(&d.text)));
        }
        self.tell_status(&world);
        drop(world);
        self.outbox.refresh();
    }

    fn cancel_indexing(&self) {
        let mut world = self.lock();
        let folders = Arc::make_mut(&mut world.snapshot.folders);
        for folder in folders.iter_mut() {
            if matches!(folder.reading, Reading::Running { .. }) {
                folder.generation = self.next_generation();
                let why = "reading was cancelled; the command telltale.reindex starts it again";
                folder.reading = folder.failed(why);
            }
        }
        self.tell_status(&world);
    }

    fn configure_pushed(&self, params: lsp::DidChangeConfigurationParams) {
        let own = match params.settings.get("telltale") {
            Some(own) => own.clone(),
            None => params.settings,
        };
        // Some say only that something changed, and are asked.
        let says_nothing = own.as_object().is_some_and(serde_json::Map::is_empty);
        if !(own.is_null() || says_nothing && self.outbox.configures()) {
            self.configure(own);
        }
        self.outbox.configuration_changed(self);
    }

    /// Settings of the client: what stands under `telltale`.
    pub(crate) fn configure(&self, settings: Value) {
        let mut world = self.lock();
        if world.from_client == settings {
            return;
        }
        world.from_client = settings;
        let from_client = world.from_client.clone();
        // The same for all folders, and with none.
        let (_, problems) = overlay(&Config::default(), &from_client);
        let mut read_differently = Vec::new();
        for folder in Arc::make_mut(&mut world.snapshot.folders) {
            let (settings, _) = overlay(&folder.config, &from_client);
            let old = &folder.settings;
            if folder.whole && (old.java != settings.java || old.sources != settings.sources) {
                read_differently.push(folder.root.clone());
            }
            let new = convert::settings(&settings);
            folder.revision = Arc::new(folder.revision.with_settings(new));
            folder.settings = Arc::new(settings);
        }
        drop(world);
        for root in read_differently {
            self.reindex_folder(&root);
        }
        self.outbox.refresh();
        self.report(None, problems.into_iter().collect());
    }
}

impl Folder {
    /// The state after a reading that failed: what was there before stays.
    fn failed(&self, why: &str) -> Reading {
        Reading::Failed {
            indexed: self.sets.len().saturating_sub(self.skipped),
            total: self.sets.len(),
            why: why.to_owned(),
        }
    }

    /// A change of a file, in its source set.
    fn change(&self, path: &Path, text: Option<Arc<str>>) -> Option<Change> {
        let path = relative(&self.root, path)?;
        let source_set = match self.sets.get(path.as_str()) {
            Some(&set) => set,
            None => guessed_set(&path, &self.sets),
        };
        Some(Change {
            path: Arc::from(path),
            source_set,
            text: text.map(|t| Arc::from(text::without_bom(&t))),
        })
    }
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

/// Before a folder was read: main, and tests that see it.
fn first_sets() -> Vec<SourceSetInput> {
    vec![
        SourceSetInput {
            name: "main".into(),
            is_test: false,
            sees: Vec::new(),
        },
        SourceSetInput {
            name: "test".into(),
            is_test: true,
            sees: vec![SourceSetId(0)],
        },
    ]
}

/// What a file says while it is not open.
fn known_text(snapshot: &Snapshot, path: &Path) -> Option<Arc<str>> {
    let folder = folder_of(&snapshot.folders, path)?;
    folder.revision.text(&relative(&folder.root, path)?)
}

fn set_text(snapshot: &mut Snapshot, path: &Path, text: Option<Arc<str>>) {
    if path.extension().is_none_or(|e| e != "java") {
        return;
    }
    let folders = Arc::make_mut(&mut snapshot.folders);
    let folder = folders
        .iter_mut()
        .filter(|f| path.starts_with(&f.root))
        .max_by_key(|f| f.root.as_os_str().len());
    if let Some(folder) = folder
        && let Some(change) = folder.change(path, text)
    {
        folder.revision = Arc::new(folder.revision.after([change]));
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, serde_json::Error> {
    serde_json::from_value(params)
}
