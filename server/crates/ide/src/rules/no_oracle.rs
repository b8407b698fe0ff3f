//! `no-oracle`: a test that checks nothing.
//!
//! Such a test passes whatever the code computes, as long as nothing is thrown. All that the test runs in code of tests is
//! followed; what only must not throw can say so ([`crate::checking`]).

use super::{Finding, Ground, Level, Rule};
use crate::checking::{Behind, Unchecked, unchecked};
use program::FileId;

pub(super) const RULE: Rule = Rule {
    name: "no-oracle",
    level: Level::Warning,
    title: "A test checks nothing.",
    check: Some(check),
};

fn check(ground: &Ground<'_>, file: FileId) -> Vec<Finding> {
    let program = ground.analysis.program();
    let found = ground.tests(file).filter_map(|test| {
        let how = unchecked(
            &ground.checking,
            &ground.options.smoke,
            file,
            test,
            Behind::All,
        )?;
        let decl = program.method_decl(test)?;
        let message = match how {
            Unchecked::Empty => format!("{} is empty: it checks nothing", decl.name),
            Unchecked::Runs => format!(
                "{} checks nothing: it fails only if something is thrown",
                decl.name
            ),
        };
        Some(Finding::new(
            &RULE,
            decl.name_span,
            message,
            Some(test),
            String::new(),
        ))
    });
    found.collect()
}
