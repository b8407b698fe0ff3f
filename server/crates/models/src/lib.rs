//! What is known of libraries, whose code is not there: what their methods do to their receivers and arguments, and what
//! people ask of their objects.
//!
//! A new library is new rows: in `behaviour/behaviour.txt`, and in the table of `queries`.

mod behaviour;
mod queries;

pub use behaviour::{Behaviour, behaviour, by_name, is_immutable, object, of_call};
pub use queries::{
    LIBRARY, is_conventional, is_jdk, is_library_name, is_noise, known_query, value_of,
};
