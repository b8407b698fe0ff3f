//! What is offered for a test (`docs/method.md` §1.8): what it could read and does not, and what only an inner oracle can
//! check.
//!
//! Both lists stand over one graph: the production candidates that the test reaches are what is worth observing, the
//! test's own are not. A *readable* value is an observation point of this very test: one of its locals, a value that it
//! drops, or `object.query()` on an object that it holds. An *inside* value is a definition of the code under test that
//! no observation point reads whole. What refines the order or adds to what is offered, and was measured on its own, is a
//! switch of [`Switches`] with its reason there; `doubt`, `implied`, `same_value` and `web` have none.
//!
//! `statistics` says how often a suite asks what, `hold_out` what is hidden when the question is whether a known assertion
//! would have been offered, `timeline` what the test does to its objects, `observation_points` what could be offered,
//! `ground` what both lists rest on; `readable` makes the one, by `priors` (what people ask) and [`observe::choose`] (in
//! which order), `inside` the other. `acts` says which objects code under test had in its hands, `computed` which of its
//! definitions compute a value, `topic` what the test is about, `implied` what it shows already in other words, `doubt`
//! when a list is not sure, `sure` whether it may be. `kept` is what captors have of the calls of mocks, `unverified`
//! which of these nobody asks for. `web` says what a test could expect of the answers to its requests,
//! `same_value` says which queries mean one value, `checked_coverage` what the whole suite reads, and which test is the nearest to some code, `first_look` what of it is told
//! to somebody who does not know a project.

mod acts;
mod checked_coverage;
mod coefficients;
mod computed;
mod defaults;
mod doubt;
mod features;
mod fields;
mod first_look;
mod from_mocks;
mod ground;
mod handed;
mod hold_out;
mod implied;
mod inside;
mod kept;
mod known;
mod model;
mod observation_points;
mod offer;
mod passed_through;
mod priors;
mod provenance;
mod queries;
mod readable;
mod same_value;
mod statistics;
mod sure;
mod switches;
mod timeline;
mod topic;
mod unverified;
pub mod web;
mod weights;

pub use checked_coverage::{CheckedCoverage, Nearest};
pub use doubt::{Cue, Doubt};
pub use features::{FEATURES, Features};
pub use first_look::is_of_first_look;
pub use hold_out::{HoldOut, Learned};
pub use kept::may_keep;
pub use known::Known;
pub use observation_points::Observation;
pub use offer::{Besides, Hidden, Offer, offer, offer_beside, offer_hiding};
pub use statistics::{Ask, Statistics};
pub use sure::{Hope, hope};
pub use switches::Switches;
pub use unverified::{
    Given, SaidOfMocks, Tells, Unverified, UnverifiedCalls, may_leave_open, may_tell, unverified,
};
pub use weights::{CALL_BETWEEN, CLEARLY_MORE, LEAST_GAIN, MORE_THAN, NO_TEST_COMES};
