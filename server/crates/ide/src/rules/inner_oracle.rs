//! `inner-oracle`: the check of an inner oracle in code that ships.
//!
//! A check costs next to nothing while no test switches it on, and yet it is a test's. Whoever builds what ships can refuse
//! it (`telltale check --rule inner-oracle --fail-on hint`); to everybody else it is a faint mark.

use super::{Finding, Ground, Level, Rule};
use crate::inner::{Side, oracles_in};
use program::FileId;

pub(super) const RULE: Rule = Rule {
    name: "inner-oracle",
    level: Level::Hint,
    title: "Code that ships has a check of an inner oracle.",
    check: Some(check),
};

fn check(ground: &Ground<'_>, file: FileId) -> Vec<Finding> {
    let program = ground.analysis.program();
    if program.is_test(file) {
        return Vec::new();
    }
    let all = oracles_in(program, file).into_iter();
    all.filter(|found| found.side == Side::Code)
        .map(|found| {
            let message = format!("{} ships with this code until it is removed", found.name);
            Finding::new(&RULE, found.span, message, None, found.name)
        })
        .collect()
}
