//! What is to be read of a folder.

use std::collections::BTreeSet;
use std::path::PathBuf;

/// See the module's description.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Due {
    /// Everything.
    pub(crate) whole: bool,
    /// Which files there are, and in which source sets.
    pub(crate) layout: bool,
    /// All files of which nobody says when they change.
    pub(crate) times: bool,
    /// What users said *Not this one* of.
    pub(crate) dismissed: bool,
    /// What runs told.
    pub(crate) recorded: bool,
    /// Whether libraries are as they were.
    pub(crate) libraries: bool,
    /// These files, which were told.
    pub(crate) files: BTreeSet<PathBuf>,
    /// The texts of these, whatever else was told with them: a reading of the whole folder was to read them and failed.
    pub(crate) again: BTreeSet<PathBuf>,
}

impl Due {
    pub(crate) fn whole() -> Due {
        Due {
            whole: true,
            ..Due::default()
        }
    }

    pub(crate) fn file(path: PathBuf) -> Due {
        Due {
            files: BTreeSet::from([path]),
            ..Due::default()
        }
    }

    pub(crate) fn is_nothing(&self) -> bool {
        *self == Due::default()
    }

    /// This as well.
    pub(super) fn add(&mut self, more: Due) {
        self.whole |= more.whole;
        self.layout |= more.layout;
        self.times |= more.times;
        self.dismissed |= more.dismissed;
        self.recorded |= more.recorded;
        self.libraries |= more.libraries;
        self.files.extend(more.files);
        self.again.extend(more.again);
    }
}

/// What to read next.
#[derive(Debug)]
pub(crate) enum Task {
    Whole {
        generation: u64,
        root: PathBuf,
        /// Files that were told before; they are due again if this reading fails.
        files: BTreeSet<PathBuf>,
    },
    Part(Due),
}
