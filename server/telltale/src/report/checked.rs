//! `telltale.checked/1`, coverage of checked lines as other tools read it, and lines for people.

use crate::screen::{BOLD, DIM, NAME, PLAIN, WARNING};
use crate::words::plural;
use ide::Analysis;
use ide::checked::{Checked, CheckedFile, CheckedLine, LineTests, TestLines};
use program::{FileId, MethodId, Program};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use text::LineSet;

/// How many tests are named of a line.
const NAMED: usize = 20;

/// What is known of some files.
pub(crate) struct Report<'a> {
    pub(crate) root: String,
    pub(crate) analysis: &'a Analysis,
    pub(crate) checked: &'a Checked,
    pub(crate) files: Vec<&'a CheckedFile>,
}

/// How many lines of each kind.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    run: usize,
    checked: usize,
    unchecked: usize,
}

fn counts<'a>(lines: impl Iterator<Item = &'a CheckedLine>) -> Counts {
    let mut out = Counts::default();
    for line in lines {
        out.run += usize::from(!line.run_by.is_empty());
        out.checked += usize::from(!line.checked_by.is_empty());
        out.unchecked += usize::from(line.is_unchecked);
    }
    out
}

impl Report<'_> {
    fn counts(&self) -> Counts {
        counts(self.files.iter().flat_map(|f| f.lines.values()))
    }

    fn path(&self, file: FileId) -> &str {
        self.analysis.program().path(file).map_or("", |p| p)
    }
}

/// A line of a file as it stands there, without the space around it.
fn source(program: &Program, file: FileId, line: u32) -> &str {
    let text = program.text(file).map_or("", |t| t);
    let lines = text::LineIndex::new(text);
    let span = lines.line(line.saturating_sub(1));
    span.and_then(|s| text.get(s.range())).map_or("", str::trim)
}

pub(crate) fn text(out: &mut impl Write, report: &Report<'_>, top: usize) -> std::io::Result<()> {
    let program = report.analysis.program();
    for file in &report.files {
        let unchecked: Vec<(&u32, &CheckedLine)> =
            file.lines.iter().filter(|(_, l)| l.is_unchecked).collect();
        if unchecked.is_empty() {
            continue;
        }
        let own = counts(file.lines.values());
        let path = report.path(file.file);
        writeln!(
            out,
            "{BOLD}{path}{PLAIN}  {} run, {} checked, {WARNING}{} by nobody{PLAIN}",
            plural(own.run, "line", "lines"),
            own.checked,
            own.unchecked
        )?;
        for (line, known) in unchecked.iter().take(top) {
            let by = plural(known.run_by.len(), "test", "tests");
            writeln!(
                out,
                "  {NAME}{path}:{line}{PLAIN} {DIM}run by {by}{PLAIN}  {}",
                source(program, file.file, **line)
            )?;
        }
        if let Some(more) = unchecked.len().checked_sub(top).filter(|n| *n > 0) {
            writeln!(out, "  and {more} more")?;
        }
    }
    let all = report.counts();
    writeln!(
        out,
        "{} by {}: {} checked, {} by nobody, of {} it cannot be said",
        plural(all.run, "line run", "lines run"),
        plural(report.checked.tests.len(), "test", "tests"),
        all.checked,
        all.unchecked,
        all.run - all.checked - all.unchecked
    )?;
    notes(out, report.checked)
}

fn notes(out: &mut impl Write, checked: &Checked) -> std::io::Result<()> {
    if checked.lost > 0 {
        writeln!(
            out,
            "{WARNING}Tests ran at the same time: nobody knows what each of them ran, so no line is said to be checked by nobody{PLAIN}"
        )?;
    }
    if checked.stale > 0 {
        let n = plural(checked.stale, "test was", "tests were");
        writeln!(
            out,
            "{DIM}{n} recorded with other code, and no line that they ran is listed{PLAIN}"
        )?;
    }
    if checked.unknown > 0 {
        let n = plural(checked.unknown, "test was", "tests were");
        writeln!(out, "{DIM}{n} not recorded{PLAIN}")?;
    }
    Ok(())
}

pub(crate) fn line_text(
    out: &mut impl Write,
    analysis: &Analysis,
    tests: &LineTests,
) -> std::io::Result<()> {
    if tests.run_by.is_empty() {
        return writeln!(
            out,
            "no test that was recorded with this code runs it, or it has no code of a method"
        );
    }
    let beyond = match tests.looked_at < tests.run_by.len() {
        true => format!(" of the first {}", tests.looked_at),
        false => String::new(),
    };
    writeln!(
        out,
        "run by {}, checked by {}{beyond}",
        plural(tests.run_by.len(), "test", "tests"),
        tests.checked_by.len()
    )?;
    let program = analysis.program();
    for test in tests.checked_by.iter().take(NAMED) {
        writeln!(
            out,
            "  {NAME}{}{PLAIN} checks it",
            program.method_name(*test)
        )?;
    }
    let others = tests
        .run_by
        .iter()
        .filter(|t| !tests.checked_by.contains(t));
    for test in others.take(NAMED.saturating_sub(tests.checked_by.len())) {
        writeln!(out, "  {DIM}{}{PLAIN}", program.method_name(*test))?;
    }
    match tests.run_by.len().checked_sub(NAMED).filter(|n| *n > 0) {
        Some(more) => writeln!(out, "  and {more} more"),
        None => Ok(()),
    }
}

pub(crate) fn test_text(
    out: &mut impl Write,
    analysis: &Analysis,
    lines: &TestLines,
) -> std::io::Result<()> {
    let program = analysis.program();
    let none = LineSet::default();
    let (mut run, mut checked) = (0, 0);
    for (file, runs) in &lines.runs {
        let checks = lines.checks.get(file).unwrap_or(&none);
        run += runs.len();
        checked += checks.len();
        let path = program.path(*file).map_or("", |p| p);
        let n = plural(runs.len(), "line", "lines");
        writeln!(
            out,
            "{BOLD}{path}{PLAIN}  {n} run, {} checked",
            checks.len()
        )?;
        let left = runs.iter().filter(|l| !checks.contains(*l));
        let left = ranges(left);
        if !left.is_empty() {
            let left: Vec<String> = left.iter().map(range_text).collect();
            writeln!(out, "  {DIM}not checked: {}{PLAIN}", left.join(", "))?;
        }
    }
    writeln!(
        out,
        "{} run, {checked} checked",
        plural(run, "line", "lines")
    )
}

fn range_text(range: &(u32, u32)) -> String {
    match range {
        (a, b) if a == b => a.to_string(),
        (a, b) => format!("{a}-{b}"),
    }
}

/// Lines that follow each other, as first and last.
fn ranges(lines: impl Iterator<Item = u32>) -> Vec<(u32, u32)> {
    let mut out: Vec<(u32, u32)> = Vec::new();
    for line in lines {
        match out.last_mut() {
            Some(last) if last.1 + 1 == line => last.1 = line,
            _ => out.push((line, line)),
        }
    }
    out
}

pub(crate) fn json(report: &Report<'_>) -> Value {
    let program = report.analysis.program();
    let all = report.counts();
    let file = |file: &&CheckedFile| {
        let own = counts(file.lines.values());
        let lines = file.lines.iter().filter(|(_, l)| !l.run_by.is_empty());
        let lines = lines.map(|(line, l)| {
            json!({ "line": line, "run_by": l.run_by.len(), "checked_by": l.checked_by.len(), "unchecked": l.is_unchecked })
        });
        json!({
            "path": report.path(file.file),
            "run": own.run,
            "checked": own.checked,
            "unchecked": own.unchecked,
            "lines": lines.collect::<Vec<_>>(),
        })
    };
    let tests = report.checked.tests.iter().map(|t| program.method_name(*t));
    json!({
        "schema": "telltale.checked/1",
        "root": report.root,
        "tests": { "recorded": tests.len(), "stale": report.checked.stale, "unknown": report.checked.unknown, "overlapped": report.checked.lost },
        "counts": { "run": all.run, "checked": all.checked, "unchecked": all.unchecked },
        "files": report.files.iter().map(file).collect::<Vec<_>>(),
    })
}

pub(crate) fn line_json(
    root: &str,
    analysis: &Analysis,
    file: FileId,
    line: u32,
    tests: &LineTests,
) -> Value {
    let program = analysis.program();
    let names = |tests: &[MethodId]| {
        tests
            .iter()
            .map(|t| program.method_name(*t))
            .collect::<Vec<_>>()
    };
    json!({
        "schema": "telltale.checked/1",
        "root": root,
        "path": program.path(file).map_or("", |p| p),
        "line": line,
        "run_by": names(&tests.run_by),
        "checked_by": names(&tests.checked_by),
        "looked_at": tests.looked_at,
    })
}

pub(crate) fn test_json(
    root: &str,
    analysis: &Analysis,
    test: MethodId,
    lines: &TestLines,
) -> Value {
    let program = analysis.program();
    let none = LineSet::default();
    let files = lines.runs.iter().map(|(file, runs)| {
        let checks = lines.checks.get(file).unwrap_or(&none);
        let left = runs.iter().filter(|l| !checks.contains(*l));
        json!({
            "path": program.path(*file).map_or("", |p| p),
            "checked": checks.iter().collect::<Vec<_>>(),
            "not_checked": left.collect::<Vec<_>>(),
        })
    });
    json!({
        "schema": "telltale.checked/1",
        "root": root,
        "test": program.method_name(test),
        "files": files.collect::<Vec<_>>(),
    })
}

/// The lines that count in coverage: what ran is covered if a test checks it, and left out if nobody can say; what did not run is
/// not covered.
fn covered(file: &CheckedFile) -> impl Iterator<Item = (u32, usize)> + '_ {
    file.lines.iter().filter_map(|(line, l)| {
        let is_known = l.run_by.is_empty() || l.is_unchecked || !l.checked_by.is_empty();
        is_known.then_some((*line, l.checked_by.len()))
    })
}

/// LCOV's tracefile, as geninfo(1) describes it.
pub(crate) fn lcov(out: &mut impl Write, report: &Report<'_>) -> std::io::Result<()> {
    for file in &report.files {
        writeln!(out, "TN:\nSF:{}", report.path(file.file))?;
        let (mut found, mut hit) = (0, 0);
        for (line, by) in covered(file) {
            writeln!(out, "DA:{line},{by}")?;
            found += 1;
            hit += usize::from(by > 0);
        }
        writeln!(out, "LF:{found}\nLH:{hit}\nend_of_record")?;
    }
    Ok(())
}

/// JaCoCo's XML report, by its `report.dtd` 1.1: a line is one instruction, covered if a test checks it. Several modules are groups.
pub(crate) fn jacoco(out: &mut impl Write, report: &Report<'_>) -> std::io::Result<()> {
    let program = report.analysis.program();
    let mut groups: BTreeMap<String, BTreeMap<String, BTreeMap<String, &CheckedFile>>> =
        BTreeMap::new();
    for file in &report.files {
        let path = report.path(file.file);
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let package = program
            .summary(file.file)
            .map_or(String::new(), |s| s.package.replace('.', "/"));
        let module = folder
            .strip_suffix(package.as_str())
            .unwrap_or(folder)
            .trim_end_matches('/');
        let of_package = groups
            .entry(module.to_owned())
            .or_default()
            .entry(package)
            .or_default();
        of_package.insert(name.to_owned(), *file);
    }
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<!DOCTYPE report PUBLIC \"-//JACOCO//DTD Report 1.1//EN\" \"report.dtd\">"
    )?;
    writeln!(out, "<report name=\"checked by tests\">")?;
    let is_one = groups.len() == 1;
    let mut all = (0, 0);
    for (module, packages) in &groups {
        if !is_one {
            writeln!(out, "<group name=\"{}\">", escaped(module))?;
        }
        let mut of_group = (0, 0);
        for (package, files) in packages {
            writeln!(out, "<package name=\"{}\">", escaped(package))?;
            let mut of_package = (0, 0);
            for (name, file) in files {
                writeln!(out, "<sourcefile name=\"{}\">", escaped(name))?;
                let mut own = (0, 0);
                for (line, by) in covered(file) {
                    let hit = usize::from(by > 0);
                    writeln!(
                        out,
                        "<line nr=\"{line}\" mi=\"{}\" ci=\"{hit}\" mb=\"0\" cb=\"0\"/>",
                        1 - hit
                    )?;
                    own = (own.0 + 1 - hit, own.1 + hit);
                }
                counters(out, own)?;
                writeln!(out, "</sourcefile>")?;
                of_package = (of_package.0 + own.0, of_package.1 + own.1);
            }
            counters(out, of_package)?;
            writeln!(out, "</package>")?;
            of_group = (of_group.0 + of_package.0, of_group.1 + of_package.1);
        }
        if !is_one {
            counters(out, of_group)?;
            writeln!(out, "</group>")?;
        }
        all = (all.0 + of_group.0, all.1 + of_group.1);
    }
    counters(out, all)?;
    writeln!(out, "</report>")
}

fn counters(out: &mut impl Write, (missed, hit): (usize, usize)) -> std::io::Result<()> {
    if missed + hit == 0 {
        return Ok(());
    }
    for kind in ["INSTRUCTION", "LINE"] {
        writeln!(
            out,
            "<counter type=\"{kind}\" missed=\"{missed}\" covered=\"{hit}\"/>"
        )?;
    }
    Ok(())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}
