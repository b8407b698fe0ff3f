//! `inner-oracle-stale`: one side of an inner oracle without the other.
//!
//! A check that no test switches on never checks; one that is switched on and stands nowhere fails its test. Both sides
//! find each other by their name, in whatever files they stand.

use super::{Finding, Ground, Level, Rule};
use crate::inner::{Side, oracles, stands_in};
use program::FileId;

pub(super) const RULE: Rule = Rule {
    name: "inner-oracle-stale",
    level: Level::Warning,
    title: "One side of an inner oracle is gone.",
    check: Some(check),
};

fn check(ground: &Ground<'_>, file: FileId) -> Vec<Finding> {
    // A folder that is not read yet may have the other side.
    if !ground.analysis.is_complete() || !stands_in(ground.analysis.program(), file) {
        return Vec::new();
    }
    let all = oracles(ground.analysis);
    let own = all.iter().filter(|o| o.file == file);
    let alone = own.filter(|o| {
        let other = |other: &&crate::inner::Oracle| {
            other.found.name == o.found.name && other.found.side != o.found.side
        };
        !all.iter().any(|x| other(&x))
    });
    alone
        .map(|o| {
            let name = &o.found.name;
            let message = match o.found.side {
                Side::Code => format!("No test switches {name} on: it never checks anything"),
                Side::Test => format!("{name} stands nowhere in the code: the test fails"),
            };
            Finding::new(&RULE, o.found.span, message, None, name.clone())
        })
        .collect()
}
