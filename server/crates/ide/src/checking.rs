//! Does a test check anything? All that it runs in code of tests is followed.
//!
//! It is asked of what is written alone: the rule `no-oracle` says so of a test, and a lens names a value only there.

mod oracles;
mod promises;
mod smoke;
mod unchecked;

pub(crate) use unchecked::{Unchecked, unchecked};

use calls::Workspace;
use dashmap::DashMap;
use oracles::Facts;
use program::{BodyId, MethodId, SourceSetId};
use std::sync::Arc;

/// What is known of bodies so far. To be shared by all tests that are looked at.
pub(crate) struct Checking<'a> {
    workspace: &'a Workspace,
    facts: DashMap<BodyId, Arc<Facts>>,
    /// Which source sets hold helpers of tests though they are no tests.
    support: DashMap<SourceSetId, bool>,
}

/// True for a test that checks nothing, and is not content with that.
pub(crate) fn checks_nothing(workspace: &Workspace, test: MethodId) -> bool {
    Checking::new(workspace).finds_nothing_in(test)
}

impl<'a> Checking<'a> {
    /// The same, with what is known of other tests.
    pub(crate) fn finds_nothing_in(&self, test: MethodId) -> bool {
        let file = self.workspace.program().method_file(test);
        file.is_some_and(|file| unchecked(self, &[], file, test).is_some())
    }

    /// Nothing known yet.
    pub(crate) fn new(workspace: &'a Workspace) -> Checking<'a> {
        Checking {
            workspace,
            facts: DashMap::new(),
            support: DashMap::new(),
        }
    }
}
