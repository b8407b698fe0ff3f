//! What runs for the editor, one at a time, and what of that is kept.

use crate::record::Standby;
use runner::Warm;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// What runs, if anything does.
#[derive(Debug, Default)]
pub(crate) struct Recordings {
    pub(super) run: Mutex<Option<Recording>>,
    /// Kept between recordings.
    compiler: Arc<Warm>,
    /// Where values follow what is saved.
    standby: Arc<Standby>,
    /// What is to be recorded because it was saved.
    pub(super) saved: Mutex<Saved>,
    /// The folders in which somebody had tests recorded by this server.
    pub(super) asked: Mutex<BTreeSet<PathBuf>>,
}

/// What was saved, and whether somebody sees to it that values follow.
#[derive(Debug, Default)]
pub(super) struct Saved {
    /// The folder in which something was, until a run begins that knows of it.
    pub(super) root: Option<PathBuf>,
    /// There is a thread that will look for it.
    pub(super) is_seen_to: bool,
    /// Nobody waits any more.
    pub(super) is_over: bool,
}

/// A run that was begun.
#[derive(Debug)]
pub(super) struct Recording {
    pub(super) cancelled: Arc<AtomicBool>,
    /// All is done but the answer.
    pub(super) is_over: Arc<AtomicBool>,
    /// Nobody asked for it.
    pub(super) follows: bool,
    pub(super) thread: JoinHandle<()>,
}

impl Recording {
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst) || self.thread.is_finished()
    }
}

impl Recordings {
    /// True where somebody had tests of a folder recorded by this server: only there may more run. What `.telltale` has of an
    /// earlier time may have come with the project.
    pub(super) fn were_asked_in(&self, root: &Path) -> bool {
        let known = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        known.contains(root)
    }

    /// The compiler that is kept.
    pub(super) fn compiler(&self) -> Arc<Warm> {
        Arc::clone(&self.compiler)
    }

    /// The JVMs that wait.
    pub(super) fn standby(&self) -> &Arc<Standby> {
        &self.standby
    }

    /// True while tests run that somebody asked for. Does not wait for who begins a run at this moment.
    pub(crate) fn is_running(&self) -> bool {
        let own = self.run.try_lock();
        let own = own.as_deref().ok().and_then(Option::as_ref);
        own.is_some_and(|r| !r.is_over() && !r.follows)
    }

    /// Ends what runs. True if something was.
    pub(crate) fn cancel(&self) -> bool {
        let own = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        match own.as_ref().filter(|r| !r.is_over()) {
            Some(recording) => {
                recording.cancelled.store(true, Ordering::SeqCst);
                true
            }
            None => false,
        }
    }

    /// Ends what runs unasked. Does not wait: who begins a run at this moment ends it as well.
    pub(super) fn cancel_following(&self) {
        let own = self.run.try_lock();
        let own = own.as_deref().ok().and_then(Option::as_ref);
        if let Some(following) = own.filter(|r| r.follows) {
            following.cancelled.store(true, Ordering::SeqCst);
        }
    }

    /// The editor is gone: what runs for it ends with it.
    pub(crate) fn end(&self) {
        let mut saved = self.saved.lock().unwrap_or_else(PoisonError::into_inner);
        saved.is_over = true;
        drop(saved);
        self.cancel();
        let own = self
            .run
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(recording) = own {
            drop(recording.thread.join());
        }
        self.compiler.end();
        self.standby.end();
    }
}
