//! Likely invariants: what held at a program point in every sample that was seen.
//!
//! Samples go in, constraints come out: `x != null`, `count <= size(data[])-1`, `this.state one of { 1, 2 }`. What is looked for, when
//! it is believed and what need not be said are those of Daikon, so that its traces and its users' habits serve here too. A
//! constraint can be asked about other samples: does it hold, is it broken, or is a value missing?
//!
//! [`value`] and [`point`] are the records, [`term`] what is derived from them. [`Learner`] sees the samples of one point; [`study`]
//! knows all points of a trace and how they hang together; [`trace`] reads and writes files of Daikon's format, version 2.
//!
//! Left out on purpose: implications between constraints, and invariants over linked lists.

pub mod claim;
pub mod confidence;
pub mod constraint;
mod declared;
pub mod family;
mod learner;
pub mod look;
mod obvious;
pub mod options;
pub mod order;
mod pair;
pub mod point;
mod print;
mod report;
mod reporting;
pub mod rule;
mod sample;
pub mod study;
pub mod term;
pub mod trace;
mod triples;
mod unary;
pub mod value;
mod whole;

pub use claim::Claim;
pub use constraint::{Constraint, Fate};
pub use family::Family;
pub use learner::Learner;
pub use look::Look;
pub use options::Options;
pub use point::{Point, PointKind, Variable};
pub use print::double;
pub use rule::{Rule, Verdict};
pub use value::{Kind, Rep, Value};
