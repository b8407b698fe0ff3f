//! Open documents: opened, changed, saved, closed. An editor's text wins over the disk until it is closed.

use super::due::Due;
use super::{Shared, Snapshot, World, home_of, read, relative};
use crate::lsp::convert::{self, Coding};
use program::Change;
use project::FILE_LIMIT;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use text::{Draft, Position};
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
    /// What comes back when it is closed without saving, until that was read again.
    pub(super) on_disk: Option<Arc<str>>,
}

impl Document {
    /// True if there is more of it than is analysed, as of a file on disk.
    pub(super) fn is_oversized(&self) -> bool {
        self.text.len() as u64 > FILE_LIMIT
    }

    /// What the analysis sees of it.
    pub(super) fn shown(&self) -> Option<Arc<str>> {
        (!self.is_oversized()).then(|| Arc::clone(&self.text))
    }
}

impl Shared {
    pub(super) fn open(&self, params: lsp::DidOpenTextDocumentParams) {
        let opened = params.text_document;
        let Some(path) = convert::path_of(&opened.uri) else {
            return;
        };
        let mut world = self.lock();
        if home_of(&world.snapshot.folders, &path).is_none()
            && let Some(around) = path.parent()
        {
            // A lone file: read alone, whatever lies around it.
            self.add_folder(&mut world, around.to_path_buf(), false);
        }
        let before = world.snapshot.documents.get(&path);
        let on_disk = match before {
            Some(open) => open.on_disk.clone(),
            None => on_disk(&world.snapshot, &path),
        };
        let was_oversized = before.is_some_and(Document::is_oversized);
        let document = Document {
            uri: opened.uri,
            text: Arc::from(opened.text),
            version: opened.version,
            waits: false,
            on_disk,
        };
        let oversized = document.is_oversized() && !was_oversized;
        Arc::make_mut(&mut world.snapshot.documents).insert(path.clone(), document);
        place(&mut world.snapshot, &path, None);
        drop(world);
        if oversized {
            self.say_oversized(&path);
        }
    }

    /// How many bytes of texts were made by edits since this was asked the last time.
    pub(crate) fn texts_made(&self) -> usize {
        self.texts_made.swap(0, Ordering::Relaxed)
    }

    /// What the client told of a document did not come through: no answers until it sends a full text.
    pub(crate) fn misses(&self, uri: Value, why: &str) {
        let Ok(uri) = read::<lsp::Uri>(uri) else {
            return;
        };
        let Some(path) = convert::path_of(&uri) else {
            return;
        };
        let mut world = self.lock();
        let on_disk = on_disk(&world.snapshot, &path);
        let documents = Arc::make_mut(&mut world.snapshot.documents);
        let document = documents.entry(path.clone()).or_insert(Document {
            uri,
            text: Arc::from(""),
            version: i32::MIN,
            waits: true,
            on_disk,
        });
        document.waits = true;
        drop(world);
        self.outbox.warn(format!(
            "{}: {why}; nothing is shown there until the editor sends the whole text (close and open the file)",
            path.display()
        ));
    }

    pub(super) fn change(&self, params: lsp::DidChangeTextDocumentParams) {
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
        match edited(document, params.content_changes, stale, coding) {
            Ok(text) => {
                self.texts_made.fetch_add(text.len(), Ordering::Relaxed);
                let was_oversized = document.is_oversized();
                document.text = text;
                document.version = version;
                document.waits = false;
                let oversized = document.is_oversized() && !was_oversized;
                place(&mut world.snapshot, &path, None);
                drop(world);
                if oversized {
                    self.say_oversized(&path);
                }
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

    fn say_oversized(&self, path: &Path) {
        self.outbox.warn(format!(
            "{}: more than {} MB are too many to analyse; nothing is shown there",
            path.display(),
            FILE_LIMIT as f64 / 1e6
        ));
    }

    pub(super) fn close_document(&self, params: lsp::DidCloseTextDocumentParams) {
        let Some(path) = convert::path_of(&params.text_document.uri) else {
            return;
        };
        let mut world = self.lock();
        let documents = Arc::make_mut(&mut world.snapshot.documents);
        let Some(closed) = documents.remove(&path) else {
            return;
        };
        let home = home_of(&world.snapshot.folders, &path);
        if let Some((id, false)) = home.map(|f| (f.id, f.whole)) {
            leave(&mut world, id);
            return;
        }
        place(&mut world.snapshot, &path, closed.on_disk);
        // What the editor last said of the disk may be wrong.
        self.ask_around(&mut world, &path, || Due::file(path.clone()));
    }

    pub(super) fn saved(&self, params: &lsp::DidSaveTextDocumentParams) {
        let Some(path) = convert::path_of(&params.text_document.uri) else {
            return;
        };
        let mut world = self.lock();
        if let Some(d) = Arc::make_mut(&mut world.snapshot.documents).get_mut(&path) {
            d.on_disk = Some(Arc::clone(&d.text));
        }
        // Jars lie where no client watches. Who saves goes on working, so that is when they are looked at; and all
        // files, where the client watches none.
        let due = Due {
            libraries: true,
            times: !self.outbox.watches(),
            ..Due::default()
        };
        self.ask_around(&mut world, &path, || due.clone());
    }

    /// Has something read in every folder that is read and holds a path.
    fn ask_around(&self, world: &mut World, path: &Path, due: impl Fn() -> Due) {
        let folders = world.snapshot.folders.iter();
        let around = folders.filter(|f| f.whole && f.holds(path));
        let around: Vec<u64> = around.map(|f| f.id).collect();
        for id in around {
            self.ask(world, id, due());
        }
    }
}

/// The text of a document after the changes of one notification, or why they do not fit.
fn edited(
    document: &Document,
    changes: Vec<lsp::TextDocumentContentChangeEvent>,
    stale: bool,
    coding: Coding,
) -> Result<Arc<str>, &'static str> {
    // A full text mends everything, so what came before the last one does not matter.
    let from = changes.iter().rposition(|c| c.range.is_none());
    if from.is_none() {
        if document.waits {
            return Err("it waits for a full text");
        }
        if stale {
            return Err("the version of an edit is not newer than the document's");
        }
    }
    // A column past the end of its line means the end, as the protocol has it; a line past the end of the text means that
    // end, as its reference implementation has it.
    let mut draft = Draft::new(match from {
        Some(at) => &changes[at].text,
        None => &document.text,
    });
    let position = |p: lsp::Position| Position::new(p.line, p.character);
    for change in &changes[from.map_or(0, |at| at + 1)..] {
        let Some(range) = change.range else { continue };
        let (start, end) = (position(range.start), position(range.end));
        if !draft.replace(start, end, coding.encoding, &change.text) {
            return Err("an edit ends before it starts");
        }
    }
    Ok(Arc::from(String::from(draft)))
}

/// What a file says while it is not open: the same in every folder that has it.
fn on_disk(snapshot: &Snapshot, path: &Path) -> Option<Arc<str>> {
    let mut folders = snapshot.folders.iter().filter(|f| f.whole && f.holds(path));
    folders.find_map(|folder| {
        let inside = relative(&folder.root, path)?;
        let is_here = folder.sets.contains_key(inside.as_str());
        is_here.then(|| folder.revision.text(&inside)).flatten()
    })
}

/// Tells every folder that holds a file what it says now: the document, or `on_disk` where none is open.
fn place(snapshot: &mut Snapshot, path: &Path, on_disk: Option<Arc<str>>) {
    let home = home_of(&snapshot.folders, path).map(|f| f.id);
    let document = snapshot.documents.get(path);
    for folder in Arc::make_mut(&mut snapshot.folders) {
        if folder.holds(path)
            && let Some(inside) = relative(&folder.root, path)
        {
            let is_home = Some(folder.id) == home;
            let text = folder.says(&inside, document, is_home, on_disk.clone());
            folder.set(&inside, text);
        }
    }
}

/// Makes a lone folder anew from its open documents, and forgets it with the last: of what was closed nothing stays.
fn leave(world: &mut World, id: u64) {
    let Snapshot {
        folders, documents, ..
    } = &mut world.snapshot;
    let folders = Arc::make_mut(folders);
    let Some(at) = folders.iter().position(|f| f.id == id) else {
        return;
    };
    let root = folders[at].root.clone();
    // The documents of one folder stand behind it.
    let open = documents.range(root.clone()..);
    let open = open.take_while(|(path, _)| path.starts_with(&root));
    let mut open = open.filter(|(path, _)| folders[at].holds(path)).peekable();
    if open.peek().is_none() {
        drop(open);
        folders.remove(at);
        return;
    }
    let changes: Vec<Change> = open
        .filter(|(_, document)| !document.waits)
        .filter_map(|(path, document)| {
            let inside = relative(&root, path)?;
            Some(folders[at].change(&inside, Some(document.shown()?)))
        })
        .collect();
    folders[at].start_again(changes);
}

/// Gives each open document to the folders that hold it now, lone ones to folders of their own.
pub(super) fn settle(shared: &Shared, world: &mut World) {
    let documents = Arc::clone(&world.snapshot.documents);
    let mut roots: Vec<PathBuf> = Vec::new();
    for path in documents.keys() {
        let whole = world
            .snapshot
            .folders
            .iter()
            .any(|f| f.whole && f.holds(path));
        if !whole && let Some(around) = path.parent() {
            roots.push(around.to_path_buf());
        }
    }
    roots.dedup();
    Arc::make_mut(&mut world.snapshot.folders).retain(|f| f.whole || roots.contains(&f.root));
    for root in roots {
        shared.add_folder(world, root, false);
    }
    for (path, document) in documents.iter().filter(|(_, d)| !d.waits) {
        place(&mut world.snapshot, path, document.on_disk.clone());
    }
}
