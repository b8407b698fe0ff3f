//! `missed-fail`: a test that passes where nothing is thrown.
//!
//! `try { cart.add(null); } catch (CartException e) { assertEquals("no item", e.getMessage()); }` asserts what is thrown, and
//! that nothing is it does not notice. So-called rotten green tests of the kind *missed fail* (Delplanque et al. 2019).

use super::{Finding, Fix, Ground, Level, Place, Related, Rule};
use crate::checking::missed_fail;
use program::FileId;

pub(super) const RULE: Rule = Rule {
    name: "missed-fail",
    level: Level::Warning,
    title: "A test passes where nothing is thrown.",
    check: Some(check),
};

fn check(ground: &Ground<'_>, file: FileId) -> Vec<Finding> {
    let program = ground.analysis.program();
    let found = ground.tests(file).filter_map(|test| {
        let caught = missed_fail(&ground.checking, &ground.options.smoke, file, test)?;
        let decl = program.method_decl(test)?;
        let what = match caught.class.as_str() {
            "" => "nothing",
            class => &format!("no {class}"),
        };
        let message = format!(
            "{} passes if {what} is thrown: all that it checks stands in its catch",
            decl.name
        );
        let mut finding = Finding::new(&RULE, decl.name_span, message, Some(test), String::new());
        finding.related.push(Related {
            place: Place {
                file,
                span: caught.span,
            },
            message: "checked only here".to_owned(),
        });
        finding.fix = caught.end.map(|at| Fix::Fail {
            at,
            class: caught.class.clone(),
        });
        Some(finding)
    });
    found.collect()
}
