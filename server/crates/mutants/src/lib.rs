//! Mutants of the code under test, what tests made of them, and what values told of them.
//!
//! The agent weaves all mutants of a class in at once and runs the tests with one of them on; here is what it says,
//! read ([`judged`]), what is made of the plain runs ([`Baseline`]), and the [`Matrix`] that is kept: per mutant and test
//! whether the test failed, and if not, which observed values were others than in the plain run. Every later question
//! ([`question`]) is asked of the matrix, without new runs.
//!
//! A mutant that a test *runs and does not kill* is *told by* a value if the sequence of its values in that test is another
//! than in the plain run.

mod baseline;
pub mod judged;
mod matrix;
mod operator;
pub mod question;
mod sample;

pub use baseline::{Barred, Baseline, Known};
pub use judged::{Ended, Judged, Listed, Pair, Plain};
pub use matrix::{Fate, Header, Matrix, Measured, Test};
pub use operator::Operator;
pub use sample::{needed, sample};

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

/// One mutant. Its number is its place in the list, from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Mutant {
    /// The class, as class files name it: `pkg/Outer$Inner`.
    pub class: SmolStr,
    /// The method.
    pub method: SmolStr,
    /// Its descriptor.
    pub descriptor: SmolStr,
    /// The line, 0 if not known.
    pub line: u32,
    /// What is done.
    pub operator: Operator,
    /// Which of this operator in the method, from 0.
    pub ordinal: u32,
    /// It returns a constant that the code returns, too. Kept, and counted.
    pub looks_equivalent: bool,
    /// What stands there: the instruction (`if_icmplt`, `iadd`), what is called (`java/util/List.clear`), or by how much
    /// is counted.
    pub what: SmolStr,
}
