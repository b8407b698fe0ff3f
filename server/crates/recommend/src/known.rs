//! What is known of a workspace that no single test tells.

use crate::Statistics;
use calls::Workspace;
use effects::Purity;
use std::sync::Arc;

/// What calls change, and what the suite's assertions ask.
#[derive(Debug)]
pub struct Known {
    purity: Purity,
    statistics: Arc<Statistics>,
}

impl Known {
    /// Reads what the suite asserts; the rest is found when it is asked.
    pub fn new(workspace: &Workspace) -> Known {
        Known {
            purity: Purity::default(),
            statistics: Arc::new(Statistics::new(workspace)),
        }
    }

    /// That of `next`, if this is that of `before`. Equal to a new one; costs what differs between the two, and a look at
    /// each file.
    #[must_use]
    pub fn update(&self, before: &Workspace, next: &Workspace) -> Known {
        Known {
            purity: self.purity.update(before, next),
            statistics: Statistics::update(&self.statistics, before, next),
        }
    }

    /// True if this is known to answer as `earlier` did, to everything that `earlier` was asked before this was made of
    /// it by [`Known::update`]: whatever rests on those answers still stands as far as they go.
    pub fn answers_as(&self, earlier: &Known) -> bool {
        self.purity.answers_as(&earlier.purity) && self.statistics.same(&earlier.statistics)
    }

    /// Which methods change what.
    pub fn purity(&self) -> &Purity {
        &self.purity
    }

    /// What the assertions of the suite ask.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}
