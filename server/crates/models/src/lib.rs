//! What is known of libraries, whose code is not there: what their methods do to their receivers and arguments, and what
//! people ask of their objects, what their objects are, and which of their calls give another value in the next run.
//!
//! A new library is new rows: in `behaviour/behaviour.txt`, and in the tables of `carried`, `families`, `queries`, `values` and
//! `varying`.

mod behaviour;
mod carried;
mod families;
mod queries;
mod values;
mod varying;

pub use behaviour::{Behaviour, behaviour, by_name, is_immutable, object, of_call};
pub use carried::{Carried, adds, carried, gives_each, may_change_arguments};
pub use families::{Family, families, family, looks_inside};
pub use queries::{
    LIBRARY, is_conventional, is_jdk, is_library_name, is_noise, is_throwable_name, known_query,
    value_of, value_of_throwable,
};
pub use values::{
    is_compound, is_opaque, is_text_holder, is_value, is_wide, only_computes,
    says_nothing_of_equality,
};
pub use varying::{
    counts_on, draws, goes_out, is_about_time, is_made_varying, is_of_build, is_watch, may_go_out,
    starts_a_program, varies_by_machine, varies_by_run,
};
