//! `telltale checked`: which lines tests run, and which they check.

use crate::args::{Checked as Arguments, CheckedFormat, Place};
use crate::failure::Failure;
use crate::load::{Loaded, Progress, load};
use crate::record::facts;
use crate::report::checked::{
    Report, jacoco, json, lcov, line_json, line_text, test_json, test_text, text,
};
use crate::scope;
use crate::screen::{show_json, show_text};
use ide::Analysis;
use ide::answers::What;
use ide::checked::{Checked, lines_of_test, tests_of_line};
use program::FileId;
use std::sync::Arc;

pub(crate) fn run(args: &Arguments) -> Result<(), Failure> {
    let is_coverage = matches!(args.format, CheckedFormat::Lcov | CheckedFormat::Jacoco);
    if is_coverage && (args.line.is_some() || args.test.is_some()) {
        return Err(Failure::usage(
            "coverage is of all tests and lines",
            "give --line and --test with --format text or json",
        ));
    }
    let mut place = Place::whole(&args.path, args.root.as_deref(), args.quiet);
    place.test.clone_from(&args.test);
    let loaded = load(&place)?;
    let facts = facts(&loaded.layout.root).map_err(Failure::Run)?;
    if facts.ran().tests.is_empty() && facts.ran().lost > 0 {
        return Err(Failure::usage(
            "tests ran at the same time, so nobody knows which lines each of them ran",
            "have the build run them one after the other (JUnit 5: junit.jupiter.execution.parallel.enabled=false), and record them again: telltale record",
        ));
    }
    if facts.ran().tests.is_empty() {
        return Err(Failure::usage(
            "nobody knows yet which lines tests run",
            "record them: telltale record",
        ));
    }
    let analysis = Analysis::new(loaded.workspace.clone(), true, loaded.settings());
    let analysis = analysis.with_facts(Arc::new(facts));
    let root = loaded.layout.root.to_string_lossy().into_owned();
    if let Some(line) = &args.line {
        let (file, line) = line_of(&loaded, line)?;
        let tests = tests_of_line(&analysis, file, line).unwrap_or_default();
        return match args.format {
            CheckedFormat::Json => show_json(&line_json(&root, &analysis, file, line, &tests)),
            _ => show_text(|out| line_text(out, &analysis, &tests)),
        };
    }
    if args.test.is_some() {
        let tests = match scope::find(&place, &loaded)?.what {
            What::Tests(runs) => runs,
            _ => Vec::new(),
        };
        let [run] = tests.as_slice() else {
            return Err(Failure::usage(
                "that is more than one test",
                "name one: Class#method",
            ));
        };
        let Some(lines) = lines_of_test(&analysis, run.test) else {
            return Err(Failure::usage(
                "the test was not recorded with this code",
                "record it: telltale record --test Class#method",
            ));
        };
        return match args.format {
            CheckedFormat::Json => show_json(&test_json(&root, &analysis, run.test, &lines)),
            _ => show_text(|out| test_text(out, &analysis, &lines)),
        };
    }
    let progress = Progress::new(args.quiet);
    progress.step("Following what tests look at");
    let checked = Checked::new(&analysis);
    progress.done();
    let report = Report {
        root,
        analysis: &analysis,
        files: checked
            .files
            .iter()
            .filter(|f| covers(&loaded, f.file))
            .collect(),
        checked: &checked,
    };
    match args.format {
        CheckedFormat::Text => show_text(|out| text(out, &report, args.top)),
        CheckedFormat::Json => show_json(&json(&report)),
        CheckedFormat::Lcov => show_text(|out| lcov(out, &report)),
        CheckedFormat::Jacoco => show_text(|out| jacoco(out, &report)),
    }
}

fn covers(loaded: &Loaded, file: FileId) -> bool {
    let path = loaded.workspace.program().path(file);
    path.is_some_and(|p| loaded.covers(p))
}

/// `src/main/java/own/Stats.java:14`
fn line_of(loaded: &Loaded, place: &str) -> Result<(FileId, u32), Failure> {
    let program = loaded.workspace.program();
    let parts = place.rsplit_once(':');
    let parts =
        parts.and_then(|(path, line)| Some((path, line.parse::<u32>().ok().filter(|n| *n > 0)?)));
    let Some((path, line)) = parts else {
        return Err(Failure::usage(
            format!("{place} names no line"),
            "give FILE:LINE, such as src/main/java/own/Stats.java:14",
        ));
    };
    let path = path.replace('\\', "/");
    let ending = format!("/{}", path.trim_start_matches("./"));
    let is_meant = |file: &&FileId| {
        let own = program.path(**file);
        own.is_some_and(|p| format!("/{p}").ends_with(&ending))
    };
    let found: Vec<FileId> = program.files().iter().filter(is_meant).copied().collect();
    match found.as_slice() {
        [one] => Ok((*one, line)),
        [] => Err(Failure::usage(
            format!("there is no {path} here"),
            "give a path below the root",
        )),
        several => {
            let names = several.iter().take(5).filter_map(|f| program.path(*f));
            let names: Vec<&str> = names.map(|p| &**p).collect();
            Err(Failure::usage(
                format!("{path} names several files"),
                names.join(", "),
            ))
        }
    }
}
