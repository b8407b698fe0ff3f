//! Tests and what they assert: which methods are tests and what runs around them, which calls are assertions, and what an
//! assertion reads.

mod arguments;
mod assertions;
mod reading;
mod suite;

pub use arguments::arguments;
pub use assertions::{Assertion, assertions, is_assertion, observes};
pub use reading::{Path, Reader, Reading, is_message_last};
pub use suite::{Suite, TestKind, TestRun};
