//! Files that change behind the editor's back, where the editor does not watch files: looked for at each save, as who
//! saves goes on working.

use super::indexing;
use super::world::{Folder, Shared};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// What is known of files on disk.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outside {
    /// One look is due; more need not be.
    due: Arc<AtomicBool>,
    /// When and how long each file was at the last look.
    stamps: Arc<Mutex<BTreeMap<PathBuf, Stamp>>>,
}

type Stamp = (SystemTime, u64);

/// Looks in the background at what differs on disk, and has that read.
pub(crate) fn look(world: &Shared, root: PathBuf) {
    if world.outside.due.swap(true, Ordering::AcqRel) {
        return;
    }
    let world = world.clone();
    let pools = world.pools.clone();
    pools.background(move || {
        // What is saved from now on may be missed here.
        world.outside.due.store(false, Ordering::Release);
        let snapshot = world.snapshot();
        let Some(folder) = snapshot.folders().iter().find(|f| f.root == root) else {
            return;
        };
        match is_laid_out_as_before(folder) {
            false => world.reindex_folder(&root),
            true => {
                let changed = changed_files(&world, folder);
                if !changed.is_empty() {
                    indexing::read_again(&world, root, changed);
                }
            }
        }
    });
}

/// True if the folder still has the same files in the same source sets, and the same settings. What cannot be read now
/// is left as it is: reading it again would only take away.
fn is_laid_out_as_before(folder: &Folder) -> bool {
    let Ok((config, _)) = project::load_config(&folder.root) else {
        return true;
    };
    if config != *folder.config {
        return false;
    }
    let Ok(layout) = project::discover(&folder.root, &folder.settings) else {
        return true;
    };
    let queries = project::load_queries(&folder.root).unwrap_or_default();
    *layout.source_sets == *folder.source_sets
        && queries == *folder.queries
        && layout.files.len() == folder.sets.len()
        && layout.files.iter().all(|f| {
            let known = folder.sets.get(f.path.as_str());
            known.is_some_and(|set| set.0 as usize == f.source_set)
        })
}

/// The known files that are not as they were when they were last looked at.
fn changed_files(world: &Shared, folder: &Folder) -> Vec<PathBuf> {
    let mut stamps = world
        .outside
        .stamps
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let paths = folder.sets.keys().map(|path| folder.root.join(&**path));
    let mut changed = Vec::new();
    for path in paths {
        let now = stamp(&path);
        let before = match now {
            Some(now) => stamps.insert(path.clone(), now),
            None => stamps.remove(&path),
        };
        // The first time there is nothing to compare with but the texts, which `read_again` compares.
        if before != now || before.is_none() {
            changed.push(path);
        }
    }
    changed
}

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
