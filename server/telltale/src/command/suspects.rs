//! `telltale suspects`: which assertions of generated tests are probably wrong.

use crate::args::{Beyond, CheckFormat, Further, Place, Suspects};
use crate::command::check::{fails, findings, sarif_of};
use crate::dismissed;
use crate::failure::Failure;
use crate::load::{Loaded, load};
use crate::record::facts;
use crate::report::explain::{self, Explained};
use crate::report::suspects::{About, Asked, Report, json, text};
use crate::scope;
use crate::screen::{show_json, show_text};
use crate::shown::placed;
use ide::Analysis;
use ide::answers::{What, within};
use ide::suspects::{
    Assertion, Judged, Opinion, classes, judge_with, loudness, of_tests, opinion_of,
};
use program::{MethodId, TypeId};
use std::collections::BTreeSet;
use std::sync::Arc;
use suspects::{Options, Step};

/// True if something is marked at or above `--fail-on`.
pub(crate) fn run(args: &Suspects) -> Result<bool, Failure> {
    if args.explain.is_some() && args.format == CheckFormat::Sarif {
        return Err(Failure::usage(
            "SARIF lists findings and explains none",
            "give --explain with --format text or json",
        ));
    }
    let place = args.place();
    let loaded = load(&place)?;
    let facts = facts(&loaded.layout.root).map_err(Failure::Run)?;
    let analysis = Analysis::new(loaded.workspace.clone(), true, loaded.settings());
    let analysis = analysis
        .with_dismissed(dismissed::known(&loaded.dismissals))
        .with_facts(Arc::new(facts));
    let mut options = Options::default();
    options.learning.limit = args.confidence;
    options.similarity = (args.similarity > 0.0).then_some(args.similarity);
    options.without = args.without.iter().copied().map(step).collect();
    options.with = args.with.iter().copied().map(further).collect();
    if let Some(id) = &args.explain {
        let explained = explained(&loaded, &analysis, &options, id)?;
        match args.format == CheckFormat::Json {
            true => show_json(&explain::json(&explained))?,
            false => show_text(|out| explain::text(out, &explained))?,
        }
        return Ok(false);
    }
    let asked = asked(&place, &loaded, &analysis)?;
    let report = Report::new(&loaded, &analysis, asked, &options);
    let found = findings(&loaded, &analysis, report.marked(args.top));
    let is_failure = fails(args.fail_on, &found);
    match args.format {
        CheckFormat::Text => show_text(|out| text(out, &report, args.top))?,
        CheckFormat::Json => show_json(&json(&report))?,
        CheckFormat::Sarif => show_json(&sarif_of(&loaded, found))?,
    }
    Ok(is_failure)
}

/// What the arguments name: of a path the classes whose generated tests, or whose code, are below it. Of a class with code elsewhere
/// the tests below the path alone: those of another module are somebody else's to read.
fn asked(place: &Place, loaded: &Loaded, analysis: &Analysis) -> Result<Asked, Failure> {
    let program = analysis.program();
    let all = classes(analysis);
    let in_order = |name: String, mut about: Vec<About>| {
        about.sort_by_key(|about| program.type_name(about.class).clone());
        Asked { name, about }
    };
    if place.test.is_none() && place.class.is_none() {
        let covers = |path: Option<&Arc<str>>| path.is_some_and(|p| loaded.covers(p));
        let code = |class| program.type_place(class).map(|(file, _)| file);
        let is_here = |test| covers(program.method_file(test).and_then(|f| program.path(f)));
        let here = all.iter().filter_map(|(&class, tests)| {
            let has_code = covers(code(class).and_then(|f| program.path(f)));
            let has_tests = tests.iter().any(|t| is_here(*t));
            (has_code || has_tests)
                .then(|| About::some(class, tests, |test| has_code || is_here(test)))
        });
        return Ok(in_order(loaded.inside.clone(), here.collect()));
    }
    let scope = scope::find(place, loaded).map_err(|e| with_choices(e, analysis))?;
    if let What::Class(outer) = scope.what {
        let inside = all.keys().filter(|c| within(program, **c, outer));
        let inside = inside.map(|&class| About { class, only: None });
        let about: Vec<About> = inside.collect();
        if !about.is_empty() {
            return Ok(in_order(scope.name, about));
        }
    }
    let wants = |test: MethodId| match &scope.what {
        What::Class(outer) => within(program, program.method_owner(test), *outer),
        What::Tests(runs) => runs.iter().any(|run| run.test == test),
        _ => false,
    };
    let about = all
        .iter()
        .filter(|(_, own)| own.iter().any(|t| wants(*t)))
        .map(|(&class, own)| About::some(class, own, wants));
    let about: Vec<About> = about.collect();
    match about.is_empty() {
        true => Err(nothing_generated(analysis, &scope.name)),
        false => Ok(in_order(scope.name, about)),
    }
}

/// The names that can be asked for: of classes under test with generated tests, and of classes of these.
fn names(analysis: &Analysis) -> Vec<String> {
    let program = analysis.program();
    let all = classes(analysis);
    let generated = all.values().flatten().map(|t| program.method_owner(*t));
    let both = all.keys().copied().chain(generated);
    let names: BTreeSet<String> = both.map(|c| program.type_name(c).to_string()).collect();
    names.into_iter().collect()
}

/// What is wrong with a name, and where nothing is like it what there is.
fn with_choices(failure: Failure, analysis: &Analysis) -> Failure {
    match failure {
        Failure::Use {
            message,
            help: Some(help),
        } if help.starts_with("give Class") => {
            let names = names(analysis);
            let choices = (!names.is_empty()).then(|| format!("give one of {}", few(&names)));
            Failure::usage(message, choices.unwrap_or(help))
        }
        other => other,
    }
}

/// A name is there, and no generated test has it or is about it.
fn nothing_generated(analysis: &Analysis, name: &str) -> Failure {
    let names = names(analysis);
    let help = match names.is_empty() {
        true => "no test here says that a tool wrote it; `tests.generated` in telltale.toml names those that do not say so".to_owned(),
        false => format!("give one of {}", few(&names)),
    };
    Failure::usage(
        format!("{name} is no generated test, and none is about it"),
        help,
    )
}

/// `src/test/java/own/Complex_ESTest.java:29:9`
fn parts(id: &str) -> Option<(&str, u32, Option<u32>)> {
    let number = |text: &str| text.parse::<u32>().ok().filter(|n| *n > 0);
    let (before, last) = id.rsplit_once(':')?;
    let last = number(last)?;
    Some(match before.rsplit_once(':') {
        Some((path, line)) if number(line).is_some() => (path, number(line)?, Some(last)),
        _ => (before, last, None),
    })
}

/// What is known of the assertion that an id names.
fn explained<'a>(
    loaded: &Loaded,
    analysis: &'a Analysis,
    options: &'a Options,
    id: &str,
) -> Result<Explained<'a>, Failure> {
    let Some((path, line, column)) = parts(id) else {
        return Err(Failure::usage(
            format!("{id} names no place"),
            "give FILE:LINE as `telltale suspects` prints it, such as src/test/java/own/A_ESTest.java:29",
        ));
    };
    let program = analysis.program();
    let path = path.replace('\\', "/");
    let ending = format!("/{}", path.trim_start_matches("./"));
    let is_meant = |test: MethodId| {
        let own = program.method_file(test).and_then(|f| program.path(f));
        own.is_some_and(|p| format!("/{p}").ends_with(&ending))
    };
    let all = of_tests(analysis, &is_meant);
    let on_line = |a: &Assertion| {
        let (_, start, end) = placed(program, a);
        (start.0..=end.0).contains(&line)
    };
    let here = |a: &Assertion| match column {
        None => true,
        Some(column) => {
            let (_, start, end) = placed(program, a);
            (start..=end).contains(&(line, column))
        }
    };
    let mut own: Vec<_> = all.iter().filter(|(a, _)| on_line(a) && here(a)).collect();
    // Of those that only reach over the line none is meant where one begins there.
    if own.len() > 1 {
        let starts = |a: &Assertion| placed(program, a).1.0 == line;
        if own.iter().any(|(a, _)| starts(a)) {
            own.retain(|(a, _)| starts(a));
        }
    }
    let (assertion, about) = match own[..] {
        [one] => one,
        [] => {
            let lines: Vec<String> = all
                .iter()
                .map(|(a, _)| placed(program, a).1.0.to_string())
                .collect();
            let help = match lines.is_empty() {
                true => {
                    "give a file of generated tests, as `telltale suspects` prints it".to_owned()
                }
                false => format!(
                    "the file has assertions of tests on these lines: {}; those of helpers are not judged",
                    few(&lines)
                ),
            };
            return Err(Failure::usage(
                format!("{id} is no assertion of a generated test"),
                help,
            ));
        }
        _ => {
            let places: Vec<String> = own.iter().map(|(a, _)| shown(analysis, a)).collect();
            return Err(Failure::usage(
                format!("{id} names {} assertions", places.len()),
                format!("give one of {}", few(&places)),
            ));
        }
    };
    let mut judged: Vec<(TypeId, Judged, Opinion)> = Vec::new();
    for class in about {
        let own = judge_with(analysis, *class, options);
        let opinion = opinion_of(analysis, &own, assertion);
        judged.push((*class, own, opinion));
    }
    judged.sort_by_key(|(_, judged, opinion)| loudness(judged, *opinion));
    let first = judged.into_iter().next();
    let (class, judged, opinion) =
        first.ok_or_else(|| Failure::Run(format!("{id} is about no class")))?;
    Ok(Explained {
        root: loaded.layout.root.to_string_lossy().into_owned(),
        analysis,
        options,
        class,
        assertion: assertion.clone(),
        judged,
        opinion,
    })
}

fn shown(analysis: &Analysis, assertion: &Assertion) -> String {
    let (path, (line, column), _) = placed(analysis.program(), assertion);
    format!("{path}:{line}:{column}")
}

/// The first of a list, for a sentence.
fn few(all: &[String]) -> String {
    const NAMED: usize = 12;
    let more = if all.len() > NAMED { ", …" } else { "" };
    let first = &all[..all.len().min(NAMED)];
    format!("{}{more}", first.join(", "))
}

fn step(of: Beyond) -> Step {
    match of {
        Beyond::Alike => Step::Alike,
        Beyond::Callers => Step::Callers,
        Beyond::Fields => Step::Fields,
        Beyond::Flow => Step::Flow,
        Beyond::Inputs => Step::Inputs,
        Beyond::LeftOut => Step::LeftOut,
        Beyond::Overloads => Step::Overloads,
        Beyond::Weights => Step::Weights,
        Beyond::Credible => Step::Credible,
        Beyond::Rare => Step::Rare,
        Beyond::Own => Step::Own,
        Beyond::Similar => Step::Similar,
        Beyond::Fused => Step::Fused,
    }
}

fn further(of: Further) -> Step {
    match of {
        Further::Distance => Step::Distance,
        Further::Objects => Step::Objects,
    }
}
