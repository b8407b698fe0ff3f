//! Does a test check anything? All that it runs in code of tests is followed.
//!
//! It is asked of what is written alone: the rule `no-oracle` says so of a test, and a lens names a value only there.

mod apart;
mod helpers;
mod missed_fail;
mod oracles;
mod smoke;
mod unchecked;

pub(crate) use helpers::HelpersIn;
pub(crate) use missed_fail::missed_fail;
pub(crate) use unchecked::{
    Behind, Unchecked, fails_on_unused_stubs, is_disabled, is_nothing_but, unchecked,
};

use crate::analysis::Analysis;
use calls::Workspace;
use program::MethodId;

/// What is asked of tests, of one state.
#[derive(Clone, Copy)]
pub(crate) struct Checking<'a> {
    analysis: &'a Analysis,
    workspace: &'a Workspace,
}

impl<'a> Checking<'a> {
    /// What is known of bodies is kept by the state.
    pub(crate) fn new(analysis: &'a Analysis) -> Checking<'a> {
        Checking {
            analysis,
            workspace: analysis.workspace(),
        }
    }

    /// True for a test that checks nothing, and is not content with that.
    pub(crate) fn finds_nothing_in(&self, test: MethodId) -> bool {
        self.finds_nothing(test, Behind::All)
    }

    /// The same, and for one behind which only something is checked that has nothing to do with it: who asks for its list
    /// is told what it could assert itself.
    pub(crate) fn finds_nothing_of(&self, test: MethodId) -> bool {
        self.finds_nothing(test, Behind::Related)
    }

    fn finds_nothing(&self, test: MethodId, behind: Behind) -> bool {
        let file = self.workspace.program().method_file(test);
        file.is_some_and(|file| unchecked(self, &[], file, test, behind).is_some())
    }
}
