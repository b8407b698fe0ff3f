//! `survived`: no test notices that a line does something else.
//!
//! Mutants tell it when a user asks for them. It stands in the editor's session ([`crate::survivors`]); no look at a file finds it.

use super::{Level, Rule};

pub const RULE: Rule = Rule {
    name: "survived",
    level: Level::Hint,
    title: "No test notices that a line does something else.",
    check: None,
};
