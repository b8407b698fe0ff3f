//! What the server knows: folders, open documents, settings. One writer at a time, in the order of the wire; readers
//! take a [`Snapshot`].

use super::client::Outbox;
use super::convert::{self, Coding};
use super::indexing;
use super::pool::Pools;
use ide::{Analysis, Revision};
use observe::rank::Settings;
use observe::workspace::Workspace;
use program::{Change, FileId, Program, SourceSetId, SourceSetInput};
use project::libraries::ClassPath;
use project::{Config, ConfigValue};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
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
    sets: Arc<BTreeMap<Arc<str>, SourceSetId>>,
    /// Of `telltale.toml`.
    config: Arc<Config>,
    /// Of the configuration with what the client says over it.
    pub(crate) settings: Arc<Config>,
    /// Counts readings of the folder; the result of an older one is dropped.
    generation: u64,
    /// How many files could not be read.
    skipped: usize,
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
    /// How many files of the folder could not be read.
    pub(crate) skipped: usize,
}

#[derive(Debug)]
struct World {
    snapshot: Snapshot,
    /// What the client sent under `telltale`.
    from_client: Value,
    shut_down: bool,
}

/// The world, shared by the door, the backend and the background.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    world: Arc<Mutex<World>>,
    pub(crate) outbox: Outbox,
    pub(crate) pools: Pools,
    generations: Arc<AtomicU64>,
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
            skipped: folder.skipped,
        })
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
                shut_down: false,
            })),
            outbox,
            pools,
            generations: Arc::default(),
        }
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
        world.snapshot.coding = coding;
        world.from_client = options;
        for root in roots {
            self.add_folder(&mut world, root, true);
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
        let world = self.lock();
        for folder in world.snapshot.folders.iter().filter(|f| f.whole) {
            indexing::start(self, folder.root.clone(), folder.generation);
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
            config,
            settings,
            generation: self.next_generation(),
            skipped: 0,
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
        folder.sets = Arc::new(read.sets);
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
        drop(world);
        for p in problems {
            self.outbox.warn(p);
        }
        true
    }

    /// Files that changed on disk, with their new texts.
    pub(crate) fn disk(&self, root: &Path, texts: Vec<(PathBuf, Option<Arc<str>>)>) {
        let mut world = self.lock();
        let documents = Arc::make_mut(&mut world.snapshot.documents);
        let mut changed = Vec::new();
        for (path, text) in texts {
            match documents.get_mut(&path) {
                Some(open) => open.on_disk = text,
                None => changed.push((path, text)),
            }
        }
        let folders = Arc::make_mut(&mut world.snapshot.folders);
        if let Some(folder) = folders.iter_mut().find(|f| f.root == root) {
            let changes: Vec<Change> = changed
                .into_iter()
                .filter_map(|(path, text)| folder.change(&path, text))
                .collect();
            folder.revision = Arc::new(folder.revision.after(changes));
        }
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
            _ => Ok(()),
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
            self.look_at_libraries(folder.root.clone(), classes);
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

    fn reindex_folder(&self, root: &Path) {
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
    }

    fn cancel_indexing(&self) {
        let mut world = self.lock();
        let folders = Arc::make_mut(&mut world.snapshot.folders);
        for folder in folders.iter_mut() {
            folder.generation = self.next_generation();
        }
    }

    fn configure_pushed(&self, params: lsp::DidChangeConfigurationParams) {
        let own = match params.settings.get("telltale") {
            Some(own) => own.clone(),
            None => params.settings,
        };
        if own.is_object() {
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
        let mut problems = Vec::new();
        let mut read_differently = Vec::new();
        for folder in Arc::make_mut(&mut world.snapshot.folders) {
            let (settings, mut wrong) = overlay(&folder.config, &from_client);
            problems.append(&mut wrong);
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
        problems.sort();
        problems.dedup();
        for p in problems {
            self.outbox.warn(p);
        }
    }
}

impl Folder {
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

/// The configuration with the client's keys over it, and what is wrong with those.
fn overlay(config: &Config, from_client: &Value) -> (Config, Vec<String>) {
    let mut out = config.clone();
    let mut problems = Vec::new();
    let mut open = vec![(String::new(), from_client)];
    while let Some((prefix, value)) = open.pop() {
        let Value::Object(keys) = value else { continue };
        for (name, value) in keys {
            let full = match prefix.is_empty() {
                true => name.clone(),
                false => format!("{prefix}.{name}"),
            };
            let known = project::config::KEYS.iter().any(|k| k.name == full);
            if value.is_object() && !known {
                open.push((full, value));
                continue;
            }
            if value.is_null() {
                continue;
            }
            if let Err(message) = out.set(&full, &plain(value)) {
                problems.push(format!("telltale.{full}: {message}"));
            }
        }
    }
    (out, problems)
}

fn plain(value: &Value) -> ConfigValue {
    match value {
        Value::Bool(b) => ConfigValue::Switch(*b),
        Value::String(s) => ConfigValue::Text(s.clone()),
        Value::Number(n) => match n.as_i64() {
            Some(i) => ConfigValue::Integer(i),
            None => ConfigValue::Number(n.as_f64().unwrap_or(f64::NAN)),
        },
        Value::Array(items) => ConfigValue::List(items.iter().map(plain).collect()),
        Value::Object(_) => ConfigValue::Other("an object"),
        Value::Null => ConfigValue::Other("nothing"),
    }
}
