//! `pseudo-tested`: all of a method can be left out, and no test fails.
//!
//! Mutants tell it when a user asks for them. It stands in the editor's session ([`crate::survivors`]); no look at a file finds it.

use super::{Level, Rule};

pub const RULE: Rule = Rule {
    name: "pseudo-tested",
    level: Level::Hint,
    title: "All of a method can be left out, and no test fails.",
    check: None,
};
