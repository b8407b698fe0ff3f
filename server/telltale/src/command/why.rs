//! `telltale why`: whether tests taught what somebody expects of a method, and if not, why not.

use crate::args::{Format, Place, Why};
use crate::failure::Failure;
use crate::load::load;
use crate::record::facts;
use crate::report::why::{Report, json, text};
use crate::scope;
use crate::screen::{show_json, show_text};
use ide::Analysis;
use ide::answers::What;
use ide::suspects::inquire;
use std::sync::Arc;
use suspects::{Answer, Options};

pub(crate) fn run(args: &Why) -> Result<(), Failure> {
    let mut place = Place::whole(&args.path, args.root.as_deref(), args.quiet);
    place.method = Some(args.method.clone());
    let loaded = load(&place)?;
    let What::Method(method) = scope::find(&place, &loaded)?.what else {
        return Err(Failure::usage(
            format!("{} names no method", args.method),
            "write Class#method, for example Parser#parse",
        ));
    };
    let facts = facts(&loaded.layout.root).map_err(Failure::Run)?;
    let analysis = Analysis::new(loaded.workspace.clone(), true, loaded.settings());
    let analysis = analysis.with_facts(Arc::new(facts));
    let mut options = Options::default();
    options.learning.limit = args.confidence;
    let inquiry = inquire(&analysis, method, &args.claim, &options);
    // What is understood nowhere is a mistake, and what could be said is listed.
    let wrong = |a: &suspects::Asked| match &a.answer {
        Answer::NotUnderstood(said) => Some(said.clone()),
        _ => None,
    };
    let said: Option<Vec<String>> = inquiry.asked.iter().map(wrong).collect();
    if let (Some(said), Some(last)) = (said, inquiry.asked.last()) {
        let why = said.last().cloned().unwrap_or_default();
        // An object and its class have one name.
        let mut variables = last.variables.clone();
        variables.dedup();
        return Err(Failure::usage(
            format!("{:?} is not understood: {why}", args.claim),
            format!("when it returns there are {}", variables.join(", ")),
        ));
    }
    let report = Report {
        root: loaded.layout.root.to_string_lossy().into_owned(),
        analysis: &analysis,
        method,
        claim: &args.claim,
        options: &options,
        inquiry,
    };
    match args.format {
        Format::Text => show_text(|out| text(out, &report)),
        Format::Json => show_json(&json(&report)),
    }
}
