//! `telltale observe --weakest`: the tests that would gain most by one assertion.

use super::observe::{analysis, ground, settings};
use crate::args::{Format, Observe};
use crate::failure::Failure;
use crate::load::{Progress, load};
use crate::record::facts;
use crate::report::weakest;
use crate::scope;
use crate::screen::{show_json, show_text};
use ide::answers::{Weakest, tests_of};
use std::sync::Arc;

pub(crate) fn run(args: &Observe, most: usize) -> Result<(), Failure> {
    let loaded = load(&args.place)?;
    let scope = scope::find(&args.place, &loaded)?;
    let facts = facts(&loaded.layout.root).map_err(Failure::Run)?;
    let analysis = analysis(&loaded, settings(args, &loaded)).with_facts(Arc::new(facts));
    if tests_of(&analysis, &scope).is_empty() {
        let place = match scope.name.as_str() {
            "" => "this project",
            name => name,
        };
        return Err(Failure::usage(
            format!("there is no test in {place}"),
            "name tests by --test CLASS or --test all, or give a folder of tests",
        ));
    }
    let progress = Progress::new(args.place.quiet);
    progress.step("looking at what tests assert");
    let weakest = Weakest::new(&ground(&loaded, &analysis), &scope, most, &|done, total| {
        // A hundred times in all, however many there are.
        if done * 100 / total != (done - 1) * 100 / total {
            progress.step(&format!("looking at {done} of {total} tests"));
        }
    });
    progress.done();
    match args.format {
        Format::Json => show_json(&weakest),
        Format::Text => show_text(|out| weakest::print(out, &weakest)),
    }
}
