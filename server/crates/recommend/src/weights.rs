//! The weights of what a test could read and of what lies inside it, in one table.
//!
//! Elsewhere stand the coefficients of the odds that a value tells a fault, which a fit writes (`coefficients`), and bounds of
//! what is looked at, beside the code that they cut short. Those of the order were found by trial on the subjects of
//! `docs/evaluation-choice.md`, which says what each is worth with its switch turned off; those of doubts by reading the
//! tests of `docs/evaluation-trust.md`.

/// The power of what a value adds, and what adding anything is worth; a value that adds nothing has 1.
pub(crate) const ADDED: f64 = 0.1;
pub(crate) const ADDS: f64 = 2.0;
/// Beyond how many objects that came later no more count.
pub(crate) const LATER: usize = 12;
/// Points of each object that the test used later than this one's.
pub(crate) const USED_BEFORE: f64 = 0.75;
/// Points of each object that the test changed later than this one's.
pub(crate) const CHANGED_BEFORE: f64 = 0.5;
/// The power of how often the suite asks the same of the same type, and of how often of any.
pub(crate) const ASKED: f64 = 0.25;
pub(crate) const ASKED_BY_NAME: f64 = 0.1;
/// The suite asks the same of the same type at all.
pub(crate) const ASKED_AT_ALL: f64 = 2.0;
/// The text of an object, where the suite compares none of its type.
pub(crate) const SELDOM_TEXT: f64 = 0.5;
/// The test asked it of this object before a change; of another object; and anything of this object.
pub(crate) const ASKED_OF_IT: f64 = 12.0;
pub(crate) const ASKED_OF_ANOTHER: f64 = 3.0;
pub(crate) const OBJECT_ASKED: f64 = 2.0;
/// A variable that nothing reads.
pub(crate) const UNUSED: f64 = 3.0;
/// A query of a query.
pub(crate) const DEEP: f64 = 0.05;
/// A call with arguments.
pub(crate) const WITH_ARGUMENTS: f64 = 0.2;
/// An object as a whole.
pub(crate) const WHOLE: f64 = 0.6;
/// What is no number, text or truth value.
pub(crate) const NOT_COMPARABLE: f64 = 0.6;

/// What a value is worth that adds nothing known: side effects and code that is not there are not followed, so it may
/// still be what the test is about.
pub(crate) const SOME: f64 = 0.3;
/// How much sooner a value comes that looks worth an assertion: before the rest.
pub(crate) const WORTH: f64 = 1e6;
/// The same of one that is no more than usual: before the rest, and after those.
pub(crate) const USUAL: f64 = 1e3;
/// How much sooner a value comes that no doubt concerns: before all others.
pub(crate) const SURELY: f64 = 1e9;
/// What adds less is not worth a word.
pub const LEAST_GAIN: f64 = 0.005;

/// What the order of what is asked weighs in that of what tells: only among what tells nothing.
pub(crate) const NEARLY_NONE: f64 = 1e-15;
/// What adds less is shown all the same if the odds are that good that it tells a fault which its test runs and misses: one
/// in twenty.
pub(crate) const LEAST_ODDS: f64 = 1.0 / 19.0;

/// How likely the tests must run a body for what it computes to count; the probability is tempered, as halves multiply along
/// chains of calls.
pub(crate) const LIKELY: f64 = 0.3;
/// The same for what looks worth a check inside.
pub(crate) const SURELY_RUN: f64 = 0.5;
/// How much later a value inside comes that is not of the class that the test is about.
pub(crate) const ELSEWHERE: f64 = 0.6;
/// How much must be computed of what a value tells on, beyond what assertions read.
pub(crate) const COMPUTED: f64 = 0.25;
/// How much of a value may come from what differs from run to run.
pub(crate) const UNSTABLE: f64 = 0.2;

/// How much more a value inside must add to be named beside a readable one, and how much on its own: more than itself and one
/// other. Both chosen, and measured nowhere by themselves.
pub const CLEARLY_MORE: f64 = 1.0;
pub const MORE_THAN: f64 = 2.0;
/// What a method counts that no test comes to, beside one that a test calls: there an assertion needs a test first; and by how
/// much it counts less for each call that lies between it and a test. Chosen, too.
pub const NO_TEST_COMES: f64 = 0.25;
pub const CALL_BETWEEN: f64 = 0.5;
