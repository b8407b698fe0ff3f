//! What is to be read of each folder, and how far that is.
//!
//! Of a folder one thing is read at a time. What is told meanwhile is due and read afterwards, in a reading that begins
//! after it was told: so no text that was read before a change outlives it, and once nothing is due the folder equals
//! the disk. The whole folder is read anew only if more changed than files.

use super::due::{Due, Task};
use super::folder::open_in;
use super::indexing;
use super::read::{Part, Read};
use super::times::Times;
use super::{Shared, World};
use crate::dismissed;
use crate::lsp::settings::overlay;
use crate::lsp::status::{Reading, Status};
use evidence::Facts;
use ide::survivors::Survivors;
use project::Dismissals;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Who reads a folder.
#[derive(Debug, Default)]
pub(super) struct Reader {
    due: Due,
    /// Somebody is at it, and goes on until nothing is due.
    busy: bool,
    /// It is the whole folder that is being read.
    whole: bool,
    /// Counts readings of the whole folder that were begun or given up; the result of an older one is dropped.
    generation: u64,
    /// When its files changed, as far as that was looked at.
    times: Times,
}

impl Shared {
    /// Has something read of a folder that is read as a whole.
    pub(super) fn ask(&self, world: &mut World, folder: u64, due: Due) {
        let Some(reader) = world.readers.get_mut(&folder) else {
            return;
        };
        reader.due.add(due);
        if !(reader.busy || reader.due.is_nothing()) {
            reader.busy = true;
            indexing::start(self, folder);
        }
    }

    /// Has a folder read anew. A reading that is under way is given up: what it found is not wanted any more.
    pub(super) fn ask_anew(&self, world: &mut World, folder: u64) {
        if let Some(reader) = world.readers.get_mut(&folder) {
            reader.generation += 1;
        }
        self.ask(world, folder, Due::whole());
    }

    /// Has more read of a folder. Only in a reading of it.
    pub(crate) fn ask_more(&self, folder: u64, due: Due) {
        let mut world = self.lock();
        if let Some(reader) = world.readers.get_mut(&folder) {
            reader.due.add(due);
        }
    }

    /// What to read next of a folder; nothing once all is read, or if the folder or the client is gone.
    pub(crate) fn next_task(&self, folder: u64) -> Option<Task> {
        let mut world = self.lock();
        if world.closed {
            return None;
        }
        let reader = world.readers.get_mut(&folder)?;
        let due = std::mem::take(&mut reader.due);
        reader.busy = !due.is_nothing();
        reader.whole = due.whole;
        let (busy, whole) = (reader.busy, reader.whole);
        if whole {
            reader.generation += 1;
        }
        let generation = reader.generation;
        let mut folders = world.folders().iter_mut();
        let folder = folders.find(|f| f.id == folder)?;
        let root = folder.root.clone();
        if whole {
            folder.reading = Reading::STARTED;
            self.tell_status(&world);
        } else if !busy && matches!(folder.reading, Reading::Running { .. }) {
            folder.reading = folder.done();
            self.tell_status(&world);
        }
        match (busy, whole) {
            (false, _) => None,
            (true, true) => Some(Task::Whole {
                generation,
                root,
                files: due.files.into_iter().chain(due.again).collect(),
            }),
            (true, false) => Some(Task::Part(due)),
        }
    }

    pub(super) fn tell_status(&self, world: &World) {
        self.outbox.status(world.status());
    }

    /// False once a reading of a whole folder is not wanted any more.
    pub(crate) fn wants(&self, folder: u64, generation: u64) -> bool {
        self.lock().wants(folder, generation)
    }

    /// How far a reading is; of an older one than the newest nothing is told.
    pub(crate) fn is_at(&self, folder: u64, generation: u64, reading: Reading) {
        let mut world = self.lock();
        if !world.wants(folder, generation) {
            return;
        }
        let mut folders = world.folders().iter_mut();
        if let Some(folder) = folders.find(|f| f.id == folder)
            && !reading.is_behind(&folder.reading)
        {
            folder.reading = reading;
            self.tell_status(&world);
        }
    }

    /// A reading of a whole folder failed, or is not wanted any more: what was told before it is still to be read.
    /// True if the user is to be told.
    pub(crate) fn failed(
        &self,
        folder: u64,
        generation: u64,
        files: BTreeSet<PathBuf>,
        why: Option<&str>,
    ) -> bool {
        let mut world = self.lock();
        let is_newest = world.wants(folder, generation);
        let Some(reader) = world.readers.get_mut(&folder) else {
            return false;
        };
        reader.due.again.extend(files);
        let mut folders = world.folders().iter_mut();
        match (folders.find(|f| f.id == folder), why) {
            (Some(folder), Some(why)) if is_newest => {
                folder.reading = folder.failed(why, true);
                self.tell_status(&world);
                true
            }
            _ => false,
        }
    }

    /// A bug ended a reading: what it was to read is lost.
    pub(crate) fn broke(&self, folder: u64, why: &str) {
        let mut world = self.lock();
        if let Some(reader) = world.readers.get_mut(&folder) {
            reader.generation += 1;
            reader.whole = false;
        }
        if let Some(folder) = world.folders().iter_mut().find(|f| f.id == folder) {
            folder.reading = folder.failed(why, true);
            self.tell_status(&world);
        }
    }

    /// The user does not want what is being read.
    pub(super) fn cancel_indexing(&self) {
        let mut world = self.lock();
        let World {
            snapshot, readers, ..
        } = &mut *world;
        for folder in Arc::make_mut(&mut snapshot.folders) {
            if let Some(reader) = readers.get_mut(&folder.id)
                && (reader.whole || reader.due.whole)
            {
                reader.generation += 1;
                reader.due.whole = false;
                let why = "reading was cancelled; the command telltale.reindex starts it again";
                folder.reading = folder.failed(why, false);
            }
        }
        self.tell_status(&world);
    }

    /// The result of reading a whole folder. Open documents win over what is on disk. False if it is not wanted.
    pub(crate) fn whole_read(&self, folder: u64, generation: u64, read: Read) -> bool {
        let mut world = self.lock();
        if !world.wants(folder, generation) {
            return false;
        }
        let World {
            snapshot,
            readers,
            from_client,
            ..
        } = &mut *world;
        let (settings, problems) = overlay(&read.config, from_client);
        let folders = Arc::make_mut(&mut snapshot.folders);
        let Some(at) = folders.iter().position(|f| f.id == folder) else {
            return false;
        };
        if let Some(reader) = readers.get_mut(&folder) {
            reader.times.builds_were(&read.build_times);
            reader.whole = false;
        }
        let root = folders[at].root.clone();
        let documents = Arc::make_mut(&mut snapshot.documents);
        for (path, document) in documents.iter_mut().filter(|(p, _)| p.starts_with(&root)) {
            if let Some(inside) = super::relative(&root, path)
                && read.sets.contains_key(inside.as_str())
            {
                document.on_disk = read.text(&inside);
            }
        }
        let open = open_in(folders, &folders[at], documents);
        let before = Arc::clone(&folders[at].beyond);
        folders[at].replace(read, settings, &open);
        let beyond = Arc::clone(&folders[at].beyond);
        drop(world);
        // Once for a folder, not for each reading.
        if beyond != before && !beyond.is_empty() {
            self.outbox.log(&root, &beyond);
        }
        self.report(None, problems.into_iter().collect());
        true
    }

    /// Files that were read again. True if the folder says something else now.
    pub(crate) fn part_read(&self, folder: u64, part: Part) -> bool {
        let mut world = self.lock();
        let World { snapshot, .. } = &mut *world;
        let documents = Arc::make_mut(&mut snapshot.documents);
        let folders = Arc::make_mut(&mut snapshot.folders);
        let Some(at) = folders.iter().position(|f| f.id == folder) else {
            return false;
        };
        let root = folders[at].root.clone();
        for (inside, text) in &part.texts {
            if let Some(document) = documents.get_mut(&root.join(&**inside)) {
                document.on_disk.clone_from(text);
            }
        }
        let open = open_in(folders, &folders[at], documents);
        let open = open
            .into_iter()
            .map(|(path, d, is_home)| (path, (d, is_home)));
        let open = open.collect();
        let folder = &mut folders[at];
        let changed = folder.renew(part, &open);
        let reading = match folder.reading {
            Reading::Done { .. } => folder.done(),
            ref other => other.clone(),
        };
        if folder.reading != reading {
            folder.reading = reading;
            self.tell_status(&world);
        }
        changed
    }

    /// What users said *Not this one* of was read again.
    pub(crate) fn dismissed_are(&self, folder: u64, dismissals: Dismissals) {
        let mut world = self.lock();
        let mut folders = world.folders().iter_mut();
        if let Some(folder) = folders.find(|f| f.id == folder) {
            let known = dismissed::known(&dismissals);
            folder.revision = Arc::new(folder.revision.with_dismissed(known));
            folder.dismissals = Arc::new(dismissals);
        }
    }

    /// What runs told was read again.
    pub(crate) fn facts_are(&self, folder: u64, facts: Arc<Facts>) {
        let mut world = self.lock();
        let mut folders = world.folders().iter_mut();
        if let Some(folder) = folders.find(|f| f.id == folder) {
            folder.revision = Arc::new(folder.revision.with_facts(facts));
        }
    }

    /// True unless something of the folder at a root is still to be read.
    pub(crate) fn is_read(&self, root: &Path) -> bool {
        let world = self.lock();
        let mut folders = world.snapshot.folders.iter();
        let folder = folders.find(|f| f.root == root);
        let reader = folder.and_then(|f| world.readers.get(&f.id));
        reader.is_none_or(|r| !r.busy)
    }

    /// Tests of the folder at a root were recorded.
    pub(crate) fn recorded(&self, root: &Path) {
        let mut world = self.lock();
        let folders = world.snapshot.folders.iter();
        let found = folders
            .filter(|f| f.whole && f.root == root)
            .map(|f| f.id)
            .next();
        if let Some(folder) = found {
            let due = Due {
                recorded: true,
                ..Due::default()
            };
            self.ask(&mut world, folder, due);
        }
    }

    /// Something was told of what no test notices in the folder at a root.
    pub(crate) fn survive(&self, root: &Path, tell: impl FnOnce(&mut Survivors)) {
        let mut world = self.lock();
        let all = Arc::make_mut(&mut world.snapshot.survivors);
        tell(all.entry(root.to_path_buf()).or_default());
        drop(world);
        self.look_again();
    }

    /// What is known of when the files of a folder changed. Only in a reading of it.
    pub(crate) fn times(&self, folder: u64) -> Times {
        let mut world = self.lock();
        let reader = world.readers.get_mut(&folder);
        reader
            .map(|r| std::mem::take(&mut r.times))
            .unwrap_or_default()
    }

    /// What is known of that now.
    pub(crate) fn times_are(&self, folder: u64, times: Times) {
        let mut world = self.lock();
        if let Some(reader) = world.readers.get_mut(&folder) {
            reader.times = times;
        }
    }
}

impl World {
    fn wants(&self, folder: u64, generation: u64) -> bool {
        let reader = self.readers.get(&folder);
        !self.closed && reader.is_some_and(|r| r.generation == generation)
    }

    /// How far all folders are.
    pub(super) fn status(&self) -> Status {
        let folders = self.snapshot.folders.iter().filter(|f| f.whole);
        Status::of(folders.map(|f| &f.reading))
    }
}
