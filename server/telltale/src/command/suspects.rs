//! `telltale suspects`: which assertions of generated tests are probably wrong.

use crate::args::{Format, Suspects};
use crate::command::observe::defaults;
use crate::dismissed;
use crate::failure::Failure;
use crate::load::{Loaded, load};
use crate::record::facts;
use crate::report::suspects::{Report, json, text};
use crate::screen::{Notation, Screen};
use ide::Analysis;
use ide::suspects::classes;
use program::TypeId;
use std::io::Write;
use std::sync::Arc;
use suspects::Options;

pub(crate) fn run(args: &Suspects) -> Result<(), Failure> {
    let loaded = load(&args.place)?;
    let facts = facts(&loaded.layout.root).map_err(Failure::Run)?;
    let analysis = Analysis::new(loaded.workspace.clone(), true, defaults(&loaded));
    let analysis = analysis
        .with_dismissed(dismissed::known(&loaded.dismissals))
        .with_facts(Arc::new(facts));
    let asked = asked(&loaded, &analysis);
    let mut options = Options::default();
    options.learning.limit = args.confidence;
    options.similarity = (args.similarity > 0.0).then_some(args.similarity);
    let report = Report::new(&loaded, &analysis, &asked, &options);
    let notation = match args.format {
        Format::Text => Notation::Text,
        Format::Json => Notation::Json,
    };
    let out = std::io::BufWriter::new(anstream::stdout().lock());
    let mut out = Screen::new(out, notation);
    match args.format {
        Format::Text => text(&mut out, &report, args.top)?,
        Format::Json => {
            serde_json::to_writer_pretty(&mut out, &json(&report))?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(())
}

/// The classes whose generated tests, or whose code, are below PATH.
fn asked(loaded: &Loaded, analysis: &Analysis) -> Vec<TypeId> {
    let program = analysis.program();
    let covers = |path: Option<&Arc<str>>| path.is_some_and(|p| loaded.covers(p));
    let all = classes(analysis);
    let here = all.iter().filter(|(class, tests)| {
        let place = program.type_place(**class);
        covers(place.and_then(|(file, _)| program.path(file)))
            || tests
                .iter()
                .any(|t| covers(program.method_file(*t).and_then(|f| program.path(f))))
    });
    let mut classes: Vec<TypeId> = here.map(|(class, _)| *class).collect();
    classes.sort_by_key(|c| program.type_name(*c).clone());
    classes
}
