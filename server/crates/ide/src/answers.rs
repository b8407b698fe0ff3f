//! Answers to a question about a scope, as the contracts have them, whoever asks: the command line and the server print
//! them.

mod candidates;
mod folder;
mod graph;
mod hiding;
mod kinds;
mod named;
mod observe;
mod reasons;
mod requests;
mod scope;
mod weakest;

pub use candidates::{CheckedValues, CoveredValue, Described, Describer, NearestTest, RankedValue};
pub use graph::{CalledMethod, Calls, Graph, GraphEdge, calls, graph};
pub use kinds::{CandidateKind, Role, ScopeKind};
pub use named::{Named, Unnamed, find};
pub use observe::{
    Answer, Counts, FpName, Ground, LeftOut, List, Observe, OpenArgument, Parameters,
    UnverifiedCall,
};
pub use reasons::{because, name};
pub use requests::{ExpectedValue, HiddenCode};
pub use scope::{Scope, What, all_tests, files_below, within};
pub use weakest::{WeakAssertion, WeakEdit, WeakTest, WeakValue, Weakest, WeakestCounts, tests_of};

use serde::Serialize;

/// What an answer is about.
#[derive(Debug, Serialize)]
pub struct ScopeName {
    pub kind: ScopeKind,
    pub name: String,
}
