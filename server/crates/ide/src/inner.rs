//! Inner oracles: a value inside the code under test is checked for one test, by an edit of both files.

mod candidate;
mod checkability;
mod files;
mod insertion;
mod oracles;
mod recorded;

pub use candidate::{
    CandidateId, called, candidate_around, candidate_at, candidates, is_computed, place_of,
    tests_of,
};
pub(crate) use checkability::is_within_reach;
pub use checkability::{Check, check, read};
pub use inner::{Refusal, Side, Turn};
pub use insertion::{has_place, insertion};
pub use oracles::{Oracle, oracles, removal};
pub use recorded::seen_inside;

pub(crate) use candidate::{OFFERED, is_of_own_test_class, may_name};
pub(crate) use files::{is_generated, package_of, parsed, stands_in};
pub(crate) use insertion::{carrier, placed};
pub(crate) use oracles::{oracles_at, oracles_in};

use serde::{Deserialize, Serialize};

/// What is checked of a value; as data, what an editor keeps of an action.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum What {
    /// What it was in a recorded run of the test and its code; where none is known nothing yet: the test fails and tells
    /// what the value was.
    #[default]
    Tell,
    /// It equals an expression.
    Equal(String),
    /// A floating-point number is as near to another as a third says.
    Near(String, String),
    /// A condition holds, which may use the variable.
    That(String),
    /// The place runs.
    Ran,
    /// The place does not run.
    Never,
}
