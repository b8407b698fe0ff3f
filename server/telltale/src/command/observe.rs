//! `telltale observe`: the ranking of a scope, or the offer for a test.

use crate::args::{Format, FpArg, Observe, OfferArg};
use crate::dismissed;
use crate::failure::Failure;
use crate::load::{Loaded, load};
use crate::report::text;
use crate::scope;
use crate::screen::{show_json, show_text};
use ide::Analysis;
use ide::answers::{Answer, Ground, List, What};
use observe::{Fp, Settings};

pub(crate) fn run(args: &Observe) -> Result<(), Failure> {
    let loaded = load(&args.place)?;
    let scope = scope::find(&args.place, &loaded)?;
    let analysis = analysis(&loaded, settings(args, &loaded));
    let ground = ground(&loaded, &analysis);
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
    let answer = Answer::new(&ground, scope, offer, args.all_candidates);
    match args.format {
        Format::Json => show_json(&answer.json),
        Format::Text => {
            let describer = answer.describer(&loaded.workspace);
            let shown = text::Shown {
                verbose: args.verbose,
                doubtful: args.doubtful,
            };
            show_text(|out| text::print(out, &answer.json, &describer, shown))
        }
    }
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
