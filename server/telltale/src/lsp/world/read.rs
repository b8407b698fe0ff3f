//! What was read of a folder: all of it, or some files.

use super::times::Stamps;
use evidence::Facts;
use ide::Analysis;
use program::SourceSetId;
use project::libraries::ClassPath;
use project::{Config, Dismissals, Layout, SourceSet, UserQueries};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A folder that was read.
pub(crate) struct Read {
    pub(crate) config: Config,
    pub(crate) analysis: Analysis,
    pub(crate) sets: BTreeMap<Arc<str>, SourceSetId>,
    pub(crate) source_sets: Vec<SourceSet>,
    pub(crate) builds: Vec<String>,
    /// When the build files changed.
    pub(crate) build_times: Stamps,
    pub(crate) queries: UserQueries,
    pub(crate) dismissals: Dismissals,
    /// What runs told.
    pub(crate) facts: Arc<Facts>,
    /// The files whose text could not be read.
    pub(crate) unread: BTreeSet<Arc<str>>,
    /// How many more could not be looked at.
    pub(crate) unseen: usize,
    /// What goes beyond a bound, a line each.
    pub(crate) beyond: Vec<String>,
    /// The JDK and the libraries.
    pub(crate) classes: Arc<ClassPath>,
}

impl Read {
    /// What a file says on disk.
    pub(crate) fn text(&self, path: &str) -> Option<Arc<str>> {
        let program = self.analysis.program();
        program.text(program.file(path)?).cloned()
    }
}

/// Files of a folder that were read again.
pub(crate) struct Part {
    /// By path below the root; none for what cannot be read.
    pub(crate) texts: Vec<(Arc<str>, Option<Arc<str>>)>,
    /// Which files there are, if that was looked at.
    pub(crate) layout: Option<Files>,
}

/// Which files a folder has.
pub(crate) struct Files {
    pub(crate) sets: BTreeMap<Arc<str>, SourceSetId>,
    pub(crate) unseen: usize,
}

impl Files {
    pub(crate) fn of(layout: &Layout) -> Files {
        let files = layout.files.iter();
        Files {
            sets: files
                .map(|f| (Arc::from(f.path.as_str()), SourceSetId(f.source_set as u32)))
                .collect(),
            unseen: layout.skipped.unreadable.len() + layout.skipped.not_utf8.len(),
        }
    }
}
