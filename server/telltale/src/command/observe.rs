//! `telltale observe`: the ranking of a scope, or the offer for a test.

use crate::args::{CentralityArg, Format, FpArg, Observe, OfferArg, Strategy};
use crate::dismissed;
use crate::failure::Failure;
use crate::load::{Loaded, load};
use crate::record::facts;
use crate::report::text;
use crate::scope;
use crate::screen::{say, show_json, show_text};
use ide::Analysis;
use ide::answers::{Answer, Ground, List, Scope, ScopeKind, What};
use observe::{Fp, Settings};
use oracle::TestRun;
use std::sync::Arc;

pub(crate) fn run(args: &Observe) -> Result<(), Failure> {
    let loaded = load(&args.place)?;
    let scope = scope::find(&args.place, &loaded)?;
    let mut analysis = analysis(&loaded, settings(args, &loaded));
    let offer = args.offer.map(|offer| match offer {
        OfferArg::Readable => List::Readable,
        OfferArg::Inside => List::Inside,
        OfferArg::All => List::All,
    });
    if let Some(list @ (List::Readable | List::Inside)) = offer
        && !matches!(scope.what, What::Tests(_))
    {
        return Err(Failure::usage(
            format!("--offer {} is for a test", list.name()),
            "add --test CLASS#METHOD, or leave --offer out",
        ));
    }
    if args.strategy == Strategy::Dodona && offer.is_some_and(|list| list != List::All) {
        return Err(Failure::usage(
            "--strategy dodona ranks all values of a scope",
            "leave --offer out, or give --offer all",
        ));
    }
    let offer = match args.strategy {
        Strategy::Sods => offer,
        Strategy::Dodona => Some(List::All),
    };
    let is_over_runs = args.use_runs || args.strategy == Strategy::Dodona;
    // Of tests it may be known what their values were.
    if is_over_runs || scope.runs().is_some() {
        match facts(&loaded.layout.root) {
            Ok(facts) => analysis = analysis.with_facts(Arc::new(facts)),
            Err(e) if is_over_runs => return Err(Failure::Run(e)),
            Err(e) => say(format_args!("note: what was recorded cannot be read: {e}")),
        }
    }
    if is_over_runs {
        analysis = over_runs(&analysis, &scope)?;
    }
    let ground = ground(&loaded, &analysis);
    // Who reads a whole project begins with what its code computes; scripts get what they asked for.
    let is_first = args.format == Format::Text
        && offer.is_none()
        && matches!(scope.what, What::Path { .. })
        && scope.kind != ScopeKind::File;
    let answer = match is_first {
        true => first(&ground, scope, args.all_candidates),
        false => Answer::new(&ground, scope, offer, args.all_candidates),
    };
    match args.format {
        Format::Json => show_json(&answer.json),
        Format::Text => {
            let describer = answer.describer(&loaded.workspace);
            let shown = text::Shown {
                verbose: args.verbose,
                doubtful: args.doubtful,
                computed: is_first,
            };
            show_text(|out| text::print(out, &answer.json, &describer, shown))
        }
    }
}

/// What code computes, if it computes anything.
fn first(ground: &Ground<'_>, scope: Scope, all_candidates: bool) -> Answer {
    let computed = Answer::new(ground, scope.clone(), Some(List::Computed), all_candidates);
    match &computed.json.ranking {
        Some(ranking) if ranking.is_empty() => Answer::new(ground, scope, None, all_candidates),
        _ => computed,
    }
}

/// The same over what ran, if that is known of all tests of the scope.
fn over_runs(analysis: &Analysis, scope: &Scope) -> Result<Analysis, Failure> {
    let recorded = analysis.over_runs();
    let runs = scope.runs();
    if recorded.lines_of(runs).is_some() {
        return Ok(recorded);
    }
    let what = match runs {
        None => "no test was recorded with this code".to_owned(),
        Some([_]) => "the test was not recorded with this code".to_owned(),
        Some(all) => {
            let is_known = |run: &&TestRun| recorded.lines_of(Some(&[**run])).is_some();
            let unknown = all.len() - all.iter().filter(is_known).count();
            format!(
                "{unknown} of {} tests were not recorded with this code",
                all.len()
            )
        }
    };
    let record = match (scope.kind, runs) {
        (ScopeKind::Test | ScopeKind::TestClass, Some(_)) => {
            format!("record first: telltale record --test '{}'", scope.name)
        }
        _ => "record first: telltale record".to_owned(),
    };
    Err(Failure::usage(what, record))
}

/// The settings of the command line over those of the project.
pub(super) fn settings(args: &Observe, loaded: &Loaded) -> Settings {
    let own = loaded.settings();
    Settings {
        lambda: args.lambda.unwrap_or(own.lambda),
        lambda_readable: args.lambda.unwrap_or(own.lambda_readable),
        fp: match args.fp {
            Some(FpArg::Differentiated) => Fp::Differentiated,
            Some(FpArg::Constant(c)) => Fp::Constant(c),
            None => own.fp,
        },
        top: args.top.unwrap_or(own.top),
        strategy: match (args.strategy, args.centrality) {
            (Strategy::Sods, _) => observe::Strategy::Sods,
            (Strategy::Dodona, CentralityArg::Pagerank) => observe::Strategy::PageRank,
            (Strategy::Dodona, CentralityArg::Betweenness) => observe::Strategy::Betweenness,
        },
    }
}

/// Nothing computed yet of what was read.
pub(super) fn analysis(loaded: &Loaded, settings: Settings) -> Analysis {
    let analysis = Analysis::new(loaded.workspace.clone(), true, settings);
    analysis.with_dismissed(dismissed::known(&loaded.dismissals))
}

/// What a command that has just read the project asks about.
pub(super) fn ground<'a>(loaded: &Loaded, analysis: &'a Analysis) -> Ground<'a> {
    let skipped = &loaded.layout.skipped;
    Ground {
        analysis,
        root: loaded.layout.root.to_string_lossy().into_owned(),
        files: loaded.layout.files.len(),
        files_skipped: skipped.unreadable.len() + skipped.not_utf8.len() + skipped.oversized.len(),
    }
}
