//! `cargo xtask evaluate recorded`: do the assertions that a recording finishes compile, and do they pass?
//!
//! A copy of a project is recorded. Then the finished assertions are inserted as the action writes them, one of each test
//! at a time, the project is compiled, and its tests run twice. What fails is counted by the kind of its value. With
//! `--printed`, values of variables are printed by statements and compared with what was recorded. With `--bare` the tests lose
//! their own assertions first, so that the lists offer what people checked: lists are quiet above tests that check something.

mod bare;
mod build;
mod printed;

use calls::Workspace;
use observe::Settings;
use std::collections::BTreeMap;
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
use build::Build;

/// How many of the assertions of one test are tried, each in a round of its own.
const ROUNDS: usize = 3;

/// How often what did not compile is taken out.
const TRIES: usize = 8;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A project that Maven or Gradle builds
    #[arg(value_name = "DIR")]
    project: PathBuf,
    /// What Maven is told besides, as `-Danimal.sniffer.skip=true` (may be repeated)
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    option: Vec<String>,
    /// The JDK that runs the build
    #[arg(long, value_name = "HOME")]
    jdk: Option<PathBuf>,
    /// Print so many values of variables besides, half of them in tests
    #[arg(long, value_name = "N", default_value_t = 0)]
    printed: usize,
    /// The seed by which these are drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The telltale to record with (default: built here)
    #[arg(long, value_name = "FILE")]
    telltale: Option<PathBuf>,
    /// Take the assertions out of the tests first
    #[arg(long)]
    bare: bool,
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
    configure(&root, &arguments.option)?;
    let build = Build {
        root: &root,
        jdk: arguments.jdk.as_deref(),
    };
    if arguments.bare {
        let bare = bare::bare(&build)?;
        println!(
            "{} assertions were taken out; {} files do not compile without theirs, and keep them",
            bare.assertions, bare.kept
        );
    }
    build.on_jdk(&mut command);
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
    if arguments.printed > 0 {
        let printed = printed::printed(&analysis, &build, arguments.printed, arguments.seed)?;
        let (own, inside) = (printed.own, printed.inside);
        println!(
            "{own} values of variables of tests and {inside} of the code under test were printed; {} are others",
            printed.others.len()
        );
        for line in &printed.others {
            println!("{line}");
        }
    }
    let mut counts: BTreeMap<&'static str, [usize; 3]> = BTreeMap::new();
    let mut bad = Vec::new();
    for round in 0..ROUNDS {
        let all = of_round(&analysis, round);
        if all.is_empty() {
            break;
        }
        eprintln!("round {}: {} assertions", round + 1, all.len());
        let wrong = tried(&analysis, &build, &all, &mut bad)?;
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
    println!("| kind of value | assertions | do not compile | do not run, or pass |");
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

/// Has each run of Maven take these options.
fn configure(root: &Path, options: &[String]) -> Result<()> {
    if options.is_empty() {
        return Ok(());
    }
    let file = root.join(".mvn/maven.config");
    let known = std::fs::read_to_string(&file).unwrap_or_default();
    let all = known.lines().map(str::to_owned);
    let all: Vec<String> = all.chain(options.iter().cloned()).collect();
    std::fs::create_dir_all(root.join(".mvn")).map_err(|e| e.to_string())?;
    std::fs::write(file, all.join("\n")).map_err(|e| e.to_string())
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
        let offered = analysis.offered(test);
        let of = |r: &ide::Readable| {
            let seen = told.queries.get(&r.asked_as)?;
            title
                .starts_with(&format!("Assert {} is ", r.expression))
                .then(|| seen.stable().map(kind))
                .flatten()
        };
        let kind = offered.readable.iter().find_map(of).unwrap_or("?");
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
    build: &Build<'_>,
    all: &[Inserted],
    bad: &mut Vec<String>,
) -> Result<BTreeMap<usize, Wrong>> {
    let (program, root) = (analysis.program(), build.root);
    let mut wrong = BTreeMap::new();
    let mut compiles = false;
    for _ in 0..TRIES {
        let lines = write(analysis, root, all, &wrong)?;
        let said = build.compile()?;
        let errors = Build::errors(&said);
        if errors.is_empty() {
            compiles = true;
            break;
        }
        let before = wrong.len();
        for error in &errors {
            let near = lines.iter().filter(|(_, (path, at))| {
                error.file.ends_with(path) && (*at..=*at + 1).contains(&error.line)
            });
            for (at, _) in near {
                if wrong.insert(*at, Wrong::Refused).is_none() {
                    bad.push(format!(
                        "does not compile: {}: {}",
                        words(program, &all[*at]),
                        error.message
                    ));
                }
            }
        }
        if wrong.len() == before {
            let first = errors.first();
            return Err(format!("does not compile for another reason: {first:?}"));
        }
    }
    if !compiles {
        return Err("does not compile however often what is wrong is taken out".to_owned());
    }
    for _ in 0..2 {
        build.tests()?;
        let passed = build.passed();
        for (at, inserted) in all.iter().enumerate() {
            if wrong.contains_key(&at) {
                continue;
            }
            let ran: Vec<bool> = reported_as(program, inserted.test)
                .iter()
                .filter_map(|name| passed.get(name).copied())
                .collect();
            let what = match ran.iter().all(|passed| *passed) {
                true if !ran.is_empty() => continue,
                true => "does not run",
                false => "does not pass",
            };
            wrong.insert(at, Wrong::Failed);
            bad.push(format!("{what}: {}", words(program, inserted)));
        }
    }
    for inserted in all {
        restore(analysis, root, inserted.file)?;
    }
    Ok(wrong)
}

/// The names under which reports may have a test, `pkg.Class#method`: that of its class, and of those that inherit it.
fn reported_as(program: &program::Program, test: MethodId) -> Vec<String> {
    let name = program.method_name(test);
    let name = name.split('(').next().unwrap_or_default();
    let method = name.rsplit('#').next().unwrap_or_default();
    let mut classes = vec![program.method_owner(test)];
    let mut at = 0;
    while let Some(&class) = classes.get(at) {
        at += 1;
        for &below in program.subtypes(class) {
            if !classes.contains(&below) {
                classes.push(below);
            }
        }
    }
    let names = classes.iter().map(|c| program.type_name(*c));
    names.map(|class| format!("{class}#{method}")).collect()
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
