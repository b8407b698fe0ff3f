//! `telltale check`: what the rules find in a project, for people, scripts and code scanning.

use crate::args::{Check, CheckFormat, FailOn, Place};
use crate::dismissed;
use crate::failure::Failure;
use crate::load::{Loaded, load};
use crate::record::facts;
use crate::report::check::{self, Baseline, Edited, Found, Related, Report};
use crate::rules;
use crate::screen::{show_json, show_text};
use ide::Analysis;
use ide::rules::{ALL, Finding, Ground, Level, Rule, silenced};
use ide::suspects::classes;
use program::{FileId, MethodId};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use text::{Encoding, LineIndex};

/// True if something was found at or above `--fail-on`.
pub(crate) fn run(args: &Check) -> Result<bool, Failure> {
    let known = match &args.baseline {
        Some(file) if !args.update_baseline => check::read_baseline(file)?,
        _ => Baseline::default(),
    };
    let loaded = load(&Place::whole(&args.path, args.root.as_deref(), args.quiet))?;
    let mut report = report(&loaded, &args.rule);
    if args.update_baseline
        && let Some(file) = &args.baseline
    {
        check::write_baseline(file, &report)?;
        let known = report.findings.len();
        crate::screen::say(format_args!(
            "{} lists {}",
            file.display(),
            crate::words::plural(known, "finding", "findings")
        ));
        return Ok(false);
    }
    report.leave_out(&known);
    match args.format {
        CheckFormat::Text => show_text(|out| check::text(out, &report))?,
        CheckFormat::Json => show_json(&check::json(&report))?,
        CheckFormat::Sarif => show_json(&check::sarif(&report))?,
    }
    Ok(fails(args.fail_on, &report.findings))
}

/// True if something was found at or above a level.
pub(crate) fn fails(on: FailOn, found: &[Found]) -> bool {
    on.least()
        .is_some_and(|least| found.iter().any(|f| f.level >= least))
}

/// All that is found below PATH, by path and position.
fn report(loaded: &Loaded, asked: &[String]) -> Report {
    let analysis = Analysis::new(loaded.workspace.clone(), true, loaded.settings());
    let analysis = with_facts(loaded, analysis, asked);
    let options = rules::options(&loaded.config);
    let ground = Ground::new(&analysis, &options);
    let level = |rule: &Rule| match asked.is_empty() {
        true => rules::level(&loaded.config, rule),
        false if !asked.iter().any(|name| name == rule.name) => None,
        false => Some(rules::level(&loaded.config, rule).unwrap_or(rule.level)),
    };
    let program = analysis.program();
    let files: Vec<FileId> = program
        .files()
        .iter()
        .copied()
        .filter(|f| program.path(*f).is_some_and(|p| loaded.covers(p)))
        .collect();
    // Found once, before all files ask for it.
    let suite = analysis.workspace().suite();
    let tests = suite.tests().iter();
    let tests = tests
        .filter(|t| program.method_file(**t).is_some_and(|f| files.contains(&f)))
        .count();
    // Judged in parallel themselves, one class after the other: a file that waits for a part of one could take up another file that
    // asks for the same, and wait for itself.
    let asks_runs = ide::rules::named(ide::rules::SUSPICIOUS).and_then(level);
    if asks_runs.is_some() && !analysis.facts().is_empty() {
        let is_here = |t: &MethodId| program.method_file(*t).is_some_and(|f| files.contains(&f));
        for (class, tests) in classes(&analysis).iter() {
            if tests.iter().any(is_here) {
                analysis.judged(*class);
            }
        }
    }
    let found: Vec<Vec<Found>> = files
        .par_iter()
        .map(|&file| {
            let found = ground.findings(file, &|rule| level(rule).is_some());
            described(&analysis, file, found, &level)
        })
        .collect();
    Report {
        root: loaded.layout.root.to_string_lossy().into_owned(),
        rules: ALL.iter().filter_map(|r| Some((r, level(r)?))).collect(),
        files: files.len(),
        tests,
        known: 0,
        findings: found.into_iter().flatten().collect(),
    }
}

/// Findings that were made in some other way, as this command reports them; the files below PATH only.
pub(crate) fn findings(
    loaded: &Loaded,
    analysis: &Analysis,
    found: Vec<(FileId, Vec<Finding>)>,
) -> Vec<Found> {
    let program = analysis.program();
    let level = |rule: &Rule| Some(rules::level(&loaded.config, rule).unwrap_or(rule.level));
    let mut found = found;
    found.retain(|(file, _)| program.path(*file).is_some_and(|p| loaded.covers(p)));
    found.sort_by_key(|(file, _)| program.path(*file).cloned());
    let one = |(file, found)| described(analysis, file, found, &level);
    found.into_iter().flat_map(one).collect()
}

/// Suspicious assertions for code scanning.
pub(crate) fn sarif_of(loaded: &Loaded, findings: Vec<Found>) -> serde_json::Value {
    let rules = ide::rules::named(ide::rules::SUSPICIOUS).into_iter();
    let level = |rule: &Rule| rules::level(&loaded.config, rule).unwrap_or(rule.level);
    check::sarif(&Report {
        root: loaded.layout.root.to_string_lossy().into_owned(),
        rules: rules.map(|r| (r, level(r))).collect(),
        files: 0,
        tests: 0,
        known: 0,
        findings,
    })
}

/// With what runs told, if a rule that asks for it is on. What cannot be read is said, and the rules without it go on.
fn with_facts(loaded: &Loaded, analysis: Analysis, asked: &[String]) -> Analysis {
    let is_on = |rule: &&str| match asked.is_empty() {
        true => ide::rules::named(rule).is_some_and(|r| rules::level(&loaded.config, r).is_some()),
        false => asked.iter().any(|name| name == rule),
    };
    if !ide::rules::OF_RUNS.iter().any(is_on) {
        return analysis;
    }
    match facts(&loaded.layout.root) {
        Ok(facts) => analysis
            .with_dismissed(dismissed::known(&loaded.dismissals))
            .with_facts(Arc::new(facts)),
        Err(problem) => {
            crate::screen::say(format_args!("{problem}"));
            analysis
        }
    }
}

fn described(
    analysis: &Analysis,
    file: FileId,
    found: Vec<Finding>,
    level: &dyn Fn(&Rule) -> Option<Level>,
) -> Vec<Found> {
    let program = analysis.program();
    let (Some(text), Some(path)) = (program.text(file), program.path(file)) else {
        return Vec::new();
    };
    if found.is_empty() {
        return Vec::new();
    }
    let index = LineIndex::new(text);
    let place = |offset: u32| {
        let at = index.position(offset, Encoding::Utf16);
        (at.line + 1, at.column + 1)
    };
    // How often the same was found before it.
    let mut twins: FxHashMap<(String, String), u32> = FxHashMap::default();
    let mut out = Vec::with_capacity(found.len());
    for finding in found {
        let Some(level) = level(finding.rule).map(|l| finding.level(l)) else {
            continue;
        };
        let related = finding.related.iter().filter_map(|r| {
            let (file, span) = (r.place.file, r.place.span);
            let index = LineIndex::new(program.text(file)?);
            let at = index.position(span.start, Encoding::Utf16);
            Some(Related {
                path: program.path(file)?.to_string(),
                start: (at.line + 1, at.column + 1),
                message: r.message.clone(),
            })
        });
        let method = finding.method.map(|m| program.method_name(m));
        let about = method.clone().unwrap_or_else(|| path.to_string());
        let key = (
            format!("{} {about}", finding.rule.name),
            finding.what.clone(),
        );
        let twin = twins.entry(key.clone()).or_default();
        let fingerprint = check::fingerprint(&[&key.0, &key.1, &twin.to_string()]);
        *twin += 1;
        let change = silenced(analysis, file, &finding);
        let edit = change.as_ref().and_then(|change| Some(change.main()?.0));
        let edit = edit.map(|edit| Edited {
            start: place(edit.span.start),
            end: place(edit.span.end),
            text: edit.text.clone(),
        });
        out.push(Found {
            rule: finding.rule,
            level,
            path: path.to_string(),
            start: place(finding.span.start),
            end: place(finding.span.end),
            related: related.collect(),
            standing: finding.standing,
            message: finding.message,
            method,
            fingerprint,
            silence: edit,
        });
    }
    out
}
