//! Which generated assertions are probably wrong: the method of ZoomIn.
//!
//! What a generated test asserts is what the code did, right or wrong. Hand-written tests teach what is usual: of the values that
//! methods were given and gave, [`invariants`] are learnt. A generated test whose calls break one of them, although it runs what a
//! hand-written test runs too, has seen something strange; an assertion that this reaches is suspicious, the more so the less often
//! generated tests break the constraint.
//!
//! The steps are separate: [`examine()`] learns, detects and filters, and keeps every number; [`rank()`] adds up what reaches an
//! assertion. What reaches it is for others to say: a constraint knows no source. [`seen()`] shows the samples behind a constraint, side
//! by side; [`ask()`] says what became of a constraint that somebody expected.

mod alike;
mod ask;
mod believed;
mod breach;
mod chance;
mod digest;
mod distinct;
mod flatten;
mod held;
mod learn;
mod left_out;
mod options;
mod plain;
mod profile;
mod rank;
mod samples;
mod seen;
mod shape;
mod sort;
#[cfg(test)]
mod tests;
mod together;
mod trace;
mod usual;
mod witness;
mod words;

pub use ask::{Answer, Asked, Sample, as_result, ask};
pub use believed::{Believed, Spot, Strange};
pub use breach::{Breach, Broken, Renewal, Stands, broken};
pub use digest::Digest;
pub use learn::{Heard, Lessons, Read, learn, learn_anew};
pub use left_out::left_out;
pub use options::{Moment, Options, Step, Teacher};
pub use rank::{InTest, Reached, Suspect, by_weight, closeness, counting, rank, weight};
pub use seen::{Seen, Sides, seen};
pub use sort::{Domain, Sort, Tallies, Tally};
pub use together::{Examined, Factors, Learnt, Repute, Violation, examine, together};
pub use trace::write_trace;
