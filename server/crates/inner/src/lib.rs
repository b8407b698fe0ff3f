//! Inner oracles in guard form: a line in the code under test that checks an internal value, and the test that
//! switches it on.
//!
//! ```java
//! InnerOracle.equal("StatsTest.mixedSigns: neg", 2, neg);                          // in the code under test
//! try (InnerOracle inner = InnerOracle.on("StatsTest.mixedSigns: neg")) { … }      // in the test
//! ```
//!
//! All of it is edits of a parsed text: [`switch`] for the test, [`guard_class`] for the file that both need. How a guard
//! looks and why is `docs/decisions/inner-oracle-guards.md`. What cannot be done is a [`Refusal`], by name.

mod expression;
mod found;
mod place;
mod refusal;
pub mod switch;
mod tree;

pub use expression::is_expression;
pub use found::{Found, Side, checks_at, found, taken_out};
pub use place::{Definition, Form, Insert, Nest, Place, place};
pub use refusal::Refusal;
pub use switch::{Switch, Turn, Words, switch_off, switch_on};

/// The simple name of the class that guards call.
pub const GUARD: &str = "InnerOracle";

/// The text of `InnerOracle.java` for `package`; empty for the unnamed package. Lines end with LF.
pub fn guard_class(package: &str) -> String {
    let body = include_str!("../../../agent/guard/InnerOracle.java");
    match package {
        "" => body.to_owned(),
        _ => format!("package {package};\n\n{body}"),
    }
}

/// True for the class that guards call, by its file's name and text: it is read like a library, whose insides are nobody's
/// code under test.
pub fn is_guard_class(name: &str, text: &str) -> bool {
    name == GUARD && text.contains("Written by Telltale.")
}
