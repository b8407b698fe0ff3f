//! Puts finished assertions into the tests of a copy, as the action writes them, and sees whether they compile and pass.

use std::collections::BTreeMap;
use std::path::Path;

use evidence::Told;
use ide::action::{Effect, actions_of, insertion};
use ide::{Analysis, Readable, SourceChange};
use program::{FileId, MethodId};
use text::Edit;

use super::TRIES;
use super::build::Build;
use crate::Result;
use crate::evaluate::chance::Chance;

/// An assertion that was inserted.
pub(in crate::evaluate) struct Inserted {
    pub(in crate::evaluate) test: MethodId,
    pub(in crate::evaluate) file: FileId,
    title: String,
    change: SourceChange,
    pub(in crate::evaluate) kind: &'static str,
}

/// What is wrong with an assertion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::evaluate) enum Wrong {
    Refused,
    Failed,
}

/// The finished assertion of each test that stands at a place of its list.
pub(in crate::evaluate) fn listed(analysis: &Analysis, nth: usize) -> Vec<Inserted> {
    let mut nth_of = |told: &Told, file, test| {
        let mut finished = actions_of(analysis, file, test)
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
        let (title, change) = finished.nth(nth)?;
        let of = |r: &Readable| {
            let seen = told.queries.get(&r.asked_as)?;
            title
                .starts_with(&format!("Assert {} is ", r.expression))
                .then(|| seen.stable().map(kind))
                .flatten()
        };
        let offered = analysis.offered(test);
        let kind = offered.readable.iter().find_map(of).unwrap_or("?");
        Some((title, change, kind))
    };
    of_each(analysis, &mut nth_of)
}

/// A drawn one of all finished assertions that could be written into each test, whether or not its list shows it.
pub(in crate::evaluate) fn drawn(analysis: &Analysis, seed: u64) -> Vec<Inserted> {
    let mut chance = Chance::new(seed);
    let mut finished = |told: &Told, file, test| {
        let offered = analysis.offered(test);
        let all = offered.readable.iter().filter_map(|r| {
            let seen = told.queries.get(&r.asked_as)?;
            let value = seen.stable().filter(|_| !seen.throws())?;
            let (change, is_finished) = insertion(analysis, file, test, r, Some(value))?;
            is_finished.then(|| (format!("Assert {}", r.expression), change, kind(value)))
        });
        let mut all: Vec<_> = all.collect();
        let at = chance.draw(1, all.len()).pop()?;
        Some(all.swap_remove(at))
    };
    of_each(analysis, &mut finished)
}

/// A title, what it inserts, and the kind of its value.
type Found = (String, SourceChange, &'static str);

/// What is found of each test that passed when it was recorded.
fn of_each(
    analysis: &Analysis,
    find: &mut dyn FnMut(&Told, FileId, MethodId) -> Option<Found>,
) -> Vec<Inserted> {
    let program = analysis.program();
    let mut out = Vec::new();
    for &test in analysis.workspace().suite().tests() {
        let (Some(file), Some(told)) = (program.method_file(test), analysis.fresh(test)) else {
            continue;
        };
        if !told.passed {
            continue;
        }
        if let Some((title, change, kind)) = find(&told, file, test) {
            out.push(Inserted {
                test,
                file,
                title,
                change,
                kind,
            });
        }
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

/// Inserts, compiles and runs; gives by position what is wrong. The others stay in the files.
pub(in crate::evaluate) fn put(
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
    write(analysis, root, all, &wrong)?;
    Ok(wrong)
}

/// The names under which reports may have a test, `pkg.Class#method`: that of its class, and of those that inherit it.
pub(in crate::evaluate) fn reported_as(program: &program::Program, test: MethodId) -> Vec<String> {
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

/// Writes a file as it was read.
pub(in crate::evaluate) fn restore(analysis: &Analysis, root: &Path, file: FileId) -> Result<()> {
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
