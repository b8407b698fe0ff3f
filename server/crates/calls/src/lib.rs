//! What calls what: all bodies of a program with their chains ([`Workspace`]), where a call may go, where the run of a test
//! begins, what running it may run and how likely.
//!
//! [`CallGraph::targets`] says where a call may go, by the class hierarchy. [`RapidTypes`] follows these targets and keeps those
//! of which an object may be there; who asks what runs chooses by [`Technique`] whether it does.

mod bodies;
mod cancellation;
mod entry_points;
mod handlers;
mod mocks;
mod rapid_types;
mod targets;
mod under_test;
mod web;
mod workspace;

pub use bodies::{Bodies, Ran};
pub use cancellation::{Cancellation, Cancelled};
pub use handlers::{Handler, type_named};
pub use rapid_types::{ExecutionProbability, RapidTypes, Technique};
pub use targets::{CallGraph, Targets};
pub use under_test::{class_under_test, under_test};
pub use web::Unanswered;
pub use workspace::{Counters, Unit, UnitId, Workspace};
