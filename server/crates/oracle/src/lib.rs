//! Tests and what they assert: which methods are tests and what runs around them, which calls are assertions, and what an
//! assertion reads. What names of libraries mean stands in [`frameworks`], a row each.

mod arguments;
mod assertions;
pub mod frameworks;
mod kind;
pub mod mocks;
pub mod promises;
mod reading;
mod suite;
mod thrown;
pub mod web;

pub use arguments::arguments;
pub use assertions::{Assertion, assertions, is_assertion, last_name, observes};
pub use frameworks::Form;
pub use kind::TestKind;
pub use reading::{Path, Reader, Reading, Root, squeezed};
pub use suite::{Suite, TestRun};
pub use thrown::said_by_annotation;
