//! `cargo xtask evaluate recorded`: do the assertions that a recording finishes compile, and do they pass?
//!
//! A copy of a project is recorded. Then the finished assertions are inserted as the action writes them, one of each test
//! at a time, the project is compiled, and its tests run twice. What fails is counted by the kind of its value.

use calls::Workspace;
use observe::Settings;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use ide::Analysis;
use ide::SourceChange;
use ide::action::{Effect, actions_of};
use program::{FileId, MethodId};
use text::Edit;

use crate::bench::load;
use crate::{Result, subjects};

/// How many of the assertions of one test are tried, each in a round of its own.
const ROUNDS: usize = 3;

/// How often what did not compile is taken out.
const TRIES: usize = 8;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A Maven project that builds
    #[arg(value_name = "DIR")]
    project: PathBuf,
    /// The telltale to record with (default: built here)
    #[arg(long, value_name = "FILE")]
    telltale: Option<PathBuf>,
    /// Fail if one does not compile or pass
    #[arg(long)]
    check: bool,
    /// Keep the copy, and say where it is
    #[arg(long)]
    keep: bool,
}

/// An assertion that was inserted.
struct Inserted {
    test: MethodId,
    file: FileId,
    title: String,
    change: SourceChange,
    kind: &'static str,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let copy = tempfile::tempdir().map_err(|e| e.to_string())?;
    let root = copy.path().join("project");
    subjects::copied(&arguments.project, &root)?;
    let cargo = || Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let mut command = arguments.telltale.as_ref().map_or_else(cargo, Command::new);
    if arguments.telltale.is_none() {
        command.args(["run", "-q", "-p", "telltale", "--"]);
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
    }
    let status = command.arg("record").arg(&root).status();
    let status = status.map_err(|e| format!("telltale: {e}"))?;
    if !status.success() {
        return Err("nothing was recorded".to_owned());
    }
    let store = project::Store::open_existing(&root).map_err(|e| e.to_string())?;
    let facts = store.ok_or("nothing was kept")?.facts();
    let facts = Arc::new(facts.map_err(|e| e.to_string())?);
    let workspace = Workspace::new(load::texts(&root)?.program());
    let analysis = Analysis::new(workspace, true, Settings::default()).with_facts(facts);
    let mut counts: BTreeMap<&'static str, [usize; 3]> = BTreeMap::new();
    let mut bad = Vec::new();
    for round in 0..ROUNDS {
        let all = of_round(&analysis, round);
        if all.is_empty() {
            break;
        }
        eprintln!("round {}: {} assertions", round + 1, all.len());
        let wrong = tried(&analysis, &root, &all, &mut bad)?;
        for (at, inserted) in all.iter().enumerate() {
            let row = counts.entry(inserted.kind).or_default();
            row[0] += 1;
            match wrong.get(&at) {
                Some(Wrong::Refused) => row[1] += 1,
                Some(Wrong::Failed) => row[2] += 1,
                None => {}
            }
        }
    }
    println!("| kind of value | assertions | do not compile | do not pass |");
    println!("| --- | --- | --- | --- |");
    let mut sum = [0; 3];
    for (kind, row) in &counts {
        println!("| {kind} | {} | {} | {} |", row[0], row[1], row[2]);
        (0..3).for_each(|n| sum[n] += row[n]);
    }
    println!("| all | {} | {} | {} |", sum[0], sum[1], sum[2]);
    for line in &bad {
        println!("{line}");
    }
    if arguments.keep {
        println!("{}", copy.keep().display());
    }
    match arguments.check && (sum[1] > 0 || sum[2] > 0) {
        true => Err("some are wrong".to_owned()),
        false => Ok(()),
    }
}

/// What is wrong with an assertion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrong {
    Refused,
    Failed,
}

/// The finished assertion of each test that stands at a place of its list.
fn of_round(analysis: &Analysis, nth: usize) -> Vec<Inserted> {
    let program = analysis.program();
    let mut out = Vec::new();
    for &test in analysis.workspace().suite().tests() {
        let (Some(file), Some(told)) = (program.method_file(test), analysis.fresh(test)) else {
            continue;
        };
        if !told.passed {
            continue;
        }
        let finished = actions_of(analysis, file, test)
            .into_iter()
            .filter_map(|a| {
                let Effect::Assert {
                    change,
                    is_finished: true,
                } = a.effect
                else {
                    return None;
                };
                Some((a.title, change))
            });
        let Some((title, change)) = finished.into_iter().nth(nth) else {
            continue;
        };
        let of = |(query, seen): (&_, &evidence::Observed)| {
            title
                .starts_with(&format!("Assert {query} is "))
                .then(|| seen.stable().map(kind))
                .flatten()
        };
        let kind = told.queries.iter().find_map(of).unwrap_or("?");
        out.push(Inserted {
            test,
            file,
            title,
            change,
            kind,
        });
    }
    out
}

fn kind(value: &evidence::Value) -> &'static str {
    use evidence::Value::*;
    match value.unboxed() {
        Null => "null",
        Bool(_) => "truth value",
        Byte(_) | Short(_) | Int(_) | Long(_) => "whole number",
        Char(_) => "character",
        Float(_) | Double(_) => "floating-point number",
        Text(_) | Chars { .. } => "text",
        Enum { .. } => "enum",
        Object { .. } => "record",
        Array { .. } => "array",
        Collection { .. } => "collection",
        Map { .. } => "map",
        Printed { .. } => "value class of the library",
        Optional { .. } => "optional",
        Holder { .. } => "holder",
        _ => "other",
    }
}

/// Inserts, compiles and runs; gives by position what is wrong.
fn tried(
    analysis: &Analysis,
    root: &Path,
    all: &[Inserted],
    bad: &mut Vec<String>,
) -> Result<BTreeMap<usize, Wrong>> {
    let program = analysis.program();
    let mut wrong = BTreeMap::new();
    let mut compiles = false;
    for _ in 0..TRIES {
        let lines = write(analysis, root, all, &wrong)?;
        let said = maven(root, &["test-compile"])?;
        let errors = said.lines().filter_map(error);
        let errors: BTreeMap<(String, u32), String> = errors.collect();
        if errors.is_empty() {
            compiles = true;
            break;
        }
        let before = wrong.len();
        for ((file, line), message) in &errors {
            let near = lines.iter().filter(|(_, (path, at))| {
                file.ends_with(&**path) && (*line >= *at && *line <= *at + 1)
            });
            for (at, _) in near {
                if wrong.insert(*at, Wrong::Refused).is_none() {
                    bad.push(format!(
                        "does not compile: {}: {message}",
                        words(program, &all[*at])
                    ));
                }
            }
        }
        if wrong.len() == before {
            let first = errors.iter().next();
            return Err(format!("does not compile for another reason: {first:?}"));
        }
    }
    if !compiles {
        return Err("does not compile however often what is wrong is taken out".to_owned());
    }
    for _ in 0..2 {
        maven(root, &["test", "-Dmaven.test.failure.ignore=true", "-fae"])?;
        let failed = failed(root);
        for (at, inserted) in all.iter().enumerate() {
            let name = program.method_name(inserted.test);
            let name = name.split('(').next().unwrap_or_default();
            if failed.contains(name) && !wrong.contains_key(&at) {
                wrong.insert(at, Wrong::Failed);
                bad.push(format!("does not pass: {}", words(program, inserted)));
            }
        }
    }
    for inserted in all {
        restore(analysis, root, inserted.file)?;
    }
    Ok(wrong)
}

fn words(program: &program::Program, inserted: &Inserted) -> String {
    let text = inserted.change.main().map_or("", |(e, _)| e.text.trim());
    format!(
        "{}: {}: {text}",
        program.method_name(inserted.test),
        inserted.title
    )
}

fn restore(analysis: &Analysis, root: &Path, file: FileId) -> Result<()> {
    let program = analysis.program();
    if let (Some(path), Some(text)) = (program.path(file), program.text(file)) {
        std::fs::write(root.join(&**path), &**text).map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// Writes the files with their assertions; gives by position the file and line of each.
fn write(
    analysis: &Analysis,
    root: &Path,
    all: &[Inserted],
    wrong: &BTreeMap<usize, Wrong>,
) -> Result<BTreeMap<usize, (String, u32)>> {
    let program = analysis.program();
    let mut by_file: BTreeMap<FileId, Vec<usize>> = BTreeMap::new();
    for (at, inserted) in all.iter().enumerate() {
        by_file.entry(inserted.file).or_default().push(at);
    }
    let mut lines = BTreeMap::new();
    for (file, here) in by_file {
        let (Some(path), Some(text)) = (program.path(file), program.text(file)) else {
            continue;
        };
        let mut edits: Vec<(&Edit, Option<usize>)> = Vec::new();
        for at in here {
            if wrong.contains_key(&at) {
                continue;
            }
            let Some((assertion, imports)) = all[at].change.main() else {
                continue;
            };
            for import in imports {
                if !edits.iter().any(|(e, _)| *e == import) {
                    edits.push((import, None));
                }
            }
            edits.push((assertion, Some(at)));
        }
        edits.sort_by_key(|(e, _)| e.span);
        let (mut out, mut from) = (String::new(), 0);
        for (edit, at) in edits {
            out.push_str(&text[from..edit.span.start as usize]);
            if let Some(at) = at {
                let line = out.matches('\n').count() as u32 + 1;
                lines.insert(at, (path.to_string(), line));
            }
            out.push_str(&edit.text);
            from = edit.span.end as usize;
        }
        out.push_str(&text[from..]);
        std::fs::write(root.join(&**path), out).map_err(|e| e.to_string())?;
    }
    Ok(lines)
}

/// `[ERROR] /a/B.java:[12,3] message`
fn error(line: &str) -> Option<((String, u32), String)> {
    let rest = line.strip_prefix("[ERROR] ")?;
    let (file, rest) = rest.split_once(":[")?;
    let (place, message) = rest.split_once("] ")?;
    let line = place.split(',').next()?.parse().ok()?;
    file.ends_with(".java")
        .then(|| ((file.to_owned(), line), message.to_owned()))
}

/// The tests that the reports of the last run call failed: `pkg.Class#method`.
fn failed(root: &Path) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() && name != "src" {
                open.push(path);
            } else if name.starts_with("TEST-") && name.ends_with(".xml") {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                for case in text.split("<testcase ").skip(1) {
                    let case = case.split("</testcase>").next().unwrap_or(case);
                    let part = |key: &str| {
                        let (_, rest) = case.split_once(&format!("{key}=\""))?;
                        rest.split('"').next().map(str::to_owned)
                    };
                    if (case.contains("<failure") || case.contains("<error"))
                        && let (Some(class), Some(method)) =
                            (part("classname"), part(" name").or_else(|| part("name")))
                    {
                        let method = method.split(['(', '[', '{']).next().unwrap_or_default();
                        out.insert(format!("{class}#{}", method.trim()));
                    }
                }
            }
        }
    }
    out
}

fn maven(root: &Path, goals: &[&str]) -> Result<String> {
    let mut command = Command::new("mvn");
    command.args([
        "-B",
        "-ntp",
        "-Drat.skip",
        "-Dcheckstyle.skip",
        "-Dstyle.color=never",
    ]);
    let output = command.args(goals).current_dir(root).output();
    let output = output.map_err(|e| format!("mvn: {e}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
