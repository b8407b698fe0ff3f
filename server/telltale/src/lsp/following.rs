//! Values follow the code: once a file is saved, the tests of open files that were recorded and are of other code now are recorded
//! again. Only where the user's own settings say so and tests of the folder were recorded on request before, without the build, and never in the way of a run that somebody asked for.

use super::convert;
use super::recording::{Job, Requested, recorded};
use super::recordings::{Recordings, Saved};
use super::world::{Folder, Shared, Snapshot, relative};
use crate::record::Way;
use calls::Cancellation;
use program::MethodId;
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tower_lsp::ls_types as lsp;

/// How many tests are recorded again; of more the first, by name.
const MOST: usize = 40;

/// How long the reading of a folder is waited for before it is looked at what is stale, and how often that is asked.
const READ: Duration = Duration::from_secs(30);
const GLANCE: Duration = Duration::from_millis(2);

/// A file was saved, as the notification says.
pub(super) fn saved(world: &Shared, params: Value) {
    let params = serde_json::from_value::<lsp::DidSaveTextDocumentParams>(params).ok();
    let Some(path) = params.and_then(|p| convert::path_of(&p.text_document.uri)) else {
        return;
    };
    let snapshot = world.snapshot();
    let Some(folder) = snapshot.home(&path).filter(|f| f.whole) else {
        return;
    };
    if !folder.settings.record.on_save {
        return;
    }
    let recordings = &world.recordings;
    if !recordings.were_asked_in(&folder.root) {
        return;
    }
    let mut saved = lock(recordings);
    saved.root = Some(folder.root.clone());
    let begins = !saved.is_seen_to && !saved.is_over;
    saved.is_seen_to = true;
    drop(saved);
    // What runs for an earlier one tells of code that is not there any more.
    recordings.cancel_following();
    if begins {
        let world = world.clone();
        let thread = std::thread::Builder::new().name("following".to_owned());
        let begun = thread.spawn(move || {
            // A bug here must not be the end of it.
            if catch_unwind(AssertUnwindSafe(|| see_to(&world))).is_err() {
                tracing::error!("what was saved was not recorded again");
                lock(&world.recordings).is_seen_to = false;
            }
        });
        if let Err(e) = begun {
            tracing::warn!("no thread can be started: {e}");
            lock(recordings).is_seen_to = false;
        }
    }
}

fn lock(recordings: &Recordings) -> std::sync::MutexGuard<'_, Saved> {
    let saved = &recordings.saved;
    saved.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Until nothing is left that was saved.
fn see_to(world: &Shared) {
    loop {
        let mut saved = lock(&world.recordings);
        let next = saved.root.take().filter(|_| !saved.is_over);
        let Some(root) = next else {
            saved.is_seen_to = false;
            return;
        };
        drop(saved);
        // What was recorded just before may not be read yet: of nothing that is kept, nothing would be stale.
        let begun = Instant::now();
        while !world.is_read(&root) && begun.elapsed() < READ {
            std::thread::sleep(GLANCE);
        }
        let snapshot = world.snapshot();
        let mut folders = snapshot.folders();
        if let Some(folder) = folders.find(|f| f.root == root) {
            follow(world, &snapshot, folder);
        }
    }
}

/// Records again, and waits for it.
fn follow(world: &Shared, snapshot: &Snapshot, folder: &Folder) {
    let tests = stale(snapshot, folder);
    if tests.is_empty() {
        return;
    }
    let count = tests.len();
    let asked = Requested {
        analysis: folder.revision.analysis().under(&Cancellation::default()),
        root: folder.root.clone(),
        tests,
        is_all: false,
        way: Way::WithoutBuild,
        timeout: folder.settings.record.limit(),
        room: folder.settings.record.bytes(),
        follows: true,
    };
    let job = Job {
        title: "Telltale: recording again what was saved",
        command: "telltale record -- COMMAND",
        is_empty: false,
        follows: true,
    };
    let (done, answer) = oneshot::channel();
    let own = world.clone();
    let compiler = world.recordings.compiler();
    let work = move |tool, editor| {
        let (result, answer) = recorded(&own, &asked, tool, &compiler, editor);
        // Nobody asked for it, so nobody is told: what was recorded is seen, and the log has the rest.
        match result {
            Ok(report) => tracing::info!("{count} tests recorded again, {} values", report.values),
            Err(failure) => tracing::info!("{count} tests not recorded again: {failure}"),
        }
        answer
    };
    let begun = world
        .recordings
        .begin(world, snapshot, &folder.root, &job, done, work);
    match begun {
        Ok(()) => drop(answer.blocking_recv()),
        Err(why) => tracing::info!("{count} tests not recorded again: {why}"),
    }
}

/// The tests of open files of which something is kept that was recorded with other code.
fn stale(snapshot: &Snapshot, folder: &Folder) -> Vec<MethodId> {
    let analysis = Arc::clone(folder.revision.analysis());
    let program = analysis.program();
    let open = snapshot.open_documents();
    let open = open.filter_map(|(path, _)| program.file(&relative(&folder.root, path)?));
    let open: Vec<program::FileId> = open.collect();
    let tests = analysis.workspace().suite().tests().iter().copied();
    let mut out: Vec<MethodId> = tests
        .filter(|t| program.method_file(*t).is_some_and(|f| open.contains(&f)))
        .filter(|t| analysis.recorded(*t).is_some() && analysis.fresh(*t).is_none())
        .collect();
    out.sort_by_cached_key(|t| program.method_name(*t));
    out.truncate(MOST);
    out
}
