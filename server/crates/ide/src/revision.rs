//! A folder's state after the edits that have arrived, computed when it is first asked for.
//!
//! An edit makes a new revision and computes nothing. A revision holds the last state that was computed before it and
//! the texts that differ since, so ten thousand edits that nobody asks about cost ten thousand small maps and one
//! computation, and no chain of revisions is ever walked or dropped.

use crate::analysis::Analysis;
use crate::dismissed::Dismissed;
use evidence::Facts;
use observe::Settings;
use program::{Change, SourceSetId};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// See the module's description.
#[derive(Debug)]
pub struct Revision {
    base: Arc<Analysis>,
    /// By path: source set and text, or nothing for a file that is gone.
    pending: BTreeMap<Arc<str>, (SourceSetId, Option<Arc<str>>)>,
    settings: Settings,
    dismissed: Arc<Dismissed>,
    facts: Arc<Facts>,
    analysis: OnceLock<Arc<Analysis>>,
}

impl Revision {
    /// A state that is there.
    pub fn of(analysis: Arc<Analysis>) -> Revision {
        Revision {
            base: Arc::clone(&analysis),
            pending: BTreeMap::new(),
            settings: *analysis.settings(),
            dismissed: Arc::clone(analysis.dismissed()),
            facts: Arc::clone(analysis.facts()),
            analysis: OnceLock::from(analysis),
        }
    }

    /// The revision after changes. Computes nothing.
    #[must_use]
    pub fn after(&self, changes: impl IntoIterator<Item = Change>) -> Revision {
        let (base, mut pending) = self.start();
        pending.extend(
            changes
                .into_iter()
                .map(|c| (c.path, (c.source_set, c.text))),
        );
        Revision {
            base,
            pending,
            settings: self.settings,
            dismissed: Arc::clone(&self.dismissed),
            facts: Arc::clone(&self.facts),
            analysis: OnceLock::new(),
        }
    }

    /// The same under other settings. Computes nothing.
    #[must_use]
    pub fn with_settings(&self, settings: Settings) -> Revision {
        let (base, pending) = self.start();
        Revision {
            base,
            pending,
            settings,
            dismissed: Arc::clone(&self.dismissed),
            facts: Arc::clone(&self.facts),
            analysis: OnceLock::new(),
        }
    }

    /// The same where users said *Not this one* of these. Computes nothing.
    #[must_use]
    pub fn with_dismissed(&self, dismissed: Arc<Dismissed>) -> Revision {
        Revision {
            dismissed,
            ..self.with_settings(self.settings)
        }
    }

    /// The same with what runs told. Computes nothing.
    #[must_use]
    pub fn with_facts(&self, facts: Arc<Facts>) -> Revision {
        Revision {
            facts,
            ..self.with_settings(self.settings)
        }
    }

    #[allow(clippy::type_complexity)]
    fn start(
        &self,
    ) -> (
        Arc<Analysis>,
        BTreeMap<Arc<str>, (SourceSetId, Option<Arc<str>>)>,
    ) {
        match self.analysis.get() {
            Some(analysis) => (Arc::clone(analysis), BTreeMap::new()),
            None => (Arc::clone(&self.base), self.pending.clone()),
        }
    }

    /// The state. Whoever asks first computes it; others wait for that.
    pub fn analysis(&self) -> &Arc<Analysis> {
        self.analysis.get_or_init(|| {
            let changes: Vec<Change> = self
                .pending
                .iter()
                .map(|(path, (set, text))| Change {
                    path: Arc::clone(path),
                    source_set: *set,
                    text: text.clone(),
                })
                .collect();
            let mut state = Arc::clone(&self.base);
            if !changes.is_empty() {
                state = Arc::new(state.after(changes));
            }
            if *state.settings() != self.settings {
                state = Arc::new(state.with_settings(self.settings));
            }
            if *state.dismissed() != self.dismissed {
                state = Arc::new(state.with_dismissed(Arc::clone(&self.dismissed)));
            }
            if !Arc::ptr_eq(state.facts(), &self.facts) {
                state = Arc::new(state.with_facts(Arc::clone(&self.facts)));
            }
            state
        })
    }

    /// What a file says, by its path. Computes nothing.
    pub fn text(&self, path: &str) -> Option<Arc<str>> {
        match self.pending.get(path) {
            Some((_, text)) => text.clone(),
            None => {
                let program = self.base.program();
                program.text(program.file(path)?).cloned()
            }
        }
    }
}
