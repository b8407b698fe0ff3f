//! *Which tests check this line*: who runs and checks a line or a method of the code under test, and what a test runs and checks, as a
//! list to go through.

use super::convert;
use super::world::{Found, Snapshot};
use ide::checked::{LineTests, TestLines};
use ide::checked_at::{self, Asked};
use ide::{Place, method_words};
use program::{FileId, MethodId};
use serde_json::{Value, json};
use text::{LineIndex, LineSet, Span};
use tower_lsp::ls_types as lsp;

/// Takes `[{ uri, position | name, show? }]`.
pub(crate) const CHECKED: &str = "telltale.checked";

/// How many places of a test are listed.
const MOST: usize = 2_000;
/// How many tests a message names.
const NAMED: usize = 5;

/// What is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// The line there, or the test there; a byte offset.
    Place(u32),
    /// A method of the code under test, or a test.
    Method(MethodId),
}

/// What is known, or `said` alone, which says why nothing is.
pub(super) fn answer(found: &Found, snapshot: &Snapshot, about: About) -> Value {
    let analysis = &found.analysis;
    let asked = match about {
        About::Place(at) => checked_at::at(analysis, found.file, at),
        About::Method(method) => checked_at::of(analysis, method),
    };
    match asked {
        Asked::Code {
            tests,
            is_unchecked,
            stale,
            said,
        } => json!({
            "said": said,
            "run_by": tests.run_by.len(),
            "checked_by": tests.checked_by.len(),
            "looked_at": tests.looked_at,
            "unchecked": is_unchecked,
            "stale": stale,
            "tests": listed(found, snapshot, &tests),
        }),
        Asked::Test { test, lines, said } => {
            let (mut files, places) = files(found, snapshot, &lines);
            let said = match places.checked_sub(MOST) {
                None | Some(0) => said,
                Some(_) => format!("{said}; the first {MOST} places are listed"),
            };
            files.retain(|file| file["lines"] != json!([]));
            let name = analysis.program().method_name(test);
            json!({ "said": said, "test": name, "files": files })
        }
        Asked::Nothing(said) => json!({ "said": said }),
    }
}

/// The tests that were looked at: those that check it, then those that only run it, each in the order of the suite.
fn listed(found: &Found, snapshot: &Snapshot, tests: &LineTests) -> Vec<Value> {
    let program = found.analysis.program();
    let looked_at = tests.run_by.iter().take(tests.looked_at);
    let mut checks = tests.checked_by.iter().peekable();
    // Both are in the order of the suite.
    let (checking, running): (Vec<MethodId>, Vec<MethodId>) =
        looked_at.partition(|test| checks.next_if(|next| next == test).is_some());
    let one = |test: MethodId, checks: bool| {
        let file = program.method_file(test)?;
        let span = program.method_decl(test)?.name_span;
        let (uri, range) = place(found, snapshot, Place { file, span })?;
        let name = program.method_name(test);
        Some(json!({ "test": name, "checks": checks, "uri": uri, "range": range }))
    };
    let checking = checking.into_iter().filter_map(|t| one(t, true));
    let running = running.into_iter().filter_map(|t| one(t, false));
    checking.chain(running).collect()
}

/// What a test runs, by file in order of path: lines that follow each other and of which the same is known are one place. And how
/// many places there are.
fn files(found: &Found, snapshot: &Snapshot, lines: &TestLines) -> (Vec<Value>, usize) {
    let program = found.analysis.program();
    let none = LineSet::default();
    let mut all: Vec<&(FileId, LineSet)> = lines.runs.iter().collect();
    all.sort_by_key(|(file, _)| program.path(*file));
    let mut places = 0;
    let mut out = Vec::new();
    for (file, runs) in all {
        let (Some(path), Some(text)) = (program.path(*file), program.text(*file)) else {
            continue;
        };
        let Some(uri) = snapshot.uri_of(&found.root.join(&**path)) else {
            continue;
        };
        let checks = lines.checks.get(file).unwrap_or(&none);
        let index = LineIndex::new(text);
        let coding = snapshot.coding_in(&found.root.join(&**path));
        let parts = parts(runs, checks);
        let room = MOST.saturating_sub(places);
        places += parts.len();
        let one = |(first, last, is_checked): &(u32, u32, bool)| {
            let (begin, end) = (index.line(first - 1)?, index.line(last - 1)?);
            let code = text.get(begin.range())?;
            let blank = (code.len() - code.trim_start().len()) as u32;
            let ends = text.get(end.range())?.trim_end().len() as u32;
            let span = Span::new(begin.start + blank, end.start + ends);
            let range = convert::range(&index, span, coding);
            Some(json!({ "range": range, "checked": is_checked, "text": code.trim() }))
        };
        let own = parts.iter().take(room).filter_map(one);
        out.push(json!({
            "uri": uri,
            "path": **path,
            "run": runs.len(),
            "checked": checks.len(),
            "lines": own.collect::<Vec<_>>(),
        }));
    }
    (out, places)
}

/// First and last of lines that follow each other, and whether they are checked.
fn parts(runs: &LineSet, checks: &LineSet) -> Vec<(u32, u32, bool)> {
    let mut out: Vec<(u32, u32, bool)> = Vec::new();
    for line in runs.iter() {
        let is_checked = checks.contains(line);
        match out.last_mut() {
            Some(last) if last.1 + 1 == line && last.2 == is_checked => last.1 = line,
            _ => out.push((line, line, is_checked)),
        }
    }
    out
}

fn place(found: &Found, snapshot: &Snapshot, place: Place) -> Option<(lsp::Uri, lsp::Range)> {
    let program = found.analysis.program();
    let path = found.root.join(&**program.path(place.file)?);
    let coding = snapshot.coding_in(&path);
    let (path, range) = convert::location(program, &found.root, place, coding)?;
    Some((snapshot.uri_of(&path)?, range))
}

/// An answer as a message, for editors that show no list: with the names of a few tests that check it.
pub(super) fn message(answer: &Value) -> String {
    let said = answer["said"].as_str().unwrap_or_default();
    let tests = answer["tests"].as_array().map_or(&[][..], |all| all);
    let checking: Vec<String> = tests
        .iter()
        .filter(|it| it["checks"] == true)
        .filter_map(|it| Some(method_words(it["test"].as_str()?)))
        .collect();
    let named = checking.iter().take(NAMED).cloned();
    let named: Vec<String> = named.collect();
    match checking.len() {
        0 => said.to_owned(),
        n if n > NAMED => format!("{said}: {} and {} more", named.join(", "), n - NAMED),
        _ => format!("{said}: {}", named.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_which_the_same_is_known_are_one_place() {
        let lines = |all: &[u32]| all.iter().copied().collect::<LineSet>();
        assert_eq!(
            parts(&lines(&[1, 2, 3, 5, 6]), &lines(&[2, 3, 5])),
            [(1, 1, false), (2, 3, true), (5, 5, true), (6, 6, false)]
        );
    }

    #[test]
    fn a_message_names_a_few_tests() {
        let tests = |n: usize| {
            let one = |at| json!({ "test": format!("a.BTest#t{at}()"), "checks": true });
            let rest = json!({ "test": "a.BTest#other()", "checks": false });
            let all: Vec<Value> = (0..n).map(one).chain([rest]).collect();
            message(&json!({ "said": "Run by some", "tests": all }))
        };
        assert_eq!(tests(0), "Run by some");
        assert_eq!(tests(1), "Run by some: BTest.t0");
        assert_eq!(
            tests(6),
            "Run by some: BTest.t0, BTest.t1, BTest.t2, BTest.t3, BTest.t4 and 1 more"
        );
        assert_eq!(message(&json!({ "said": "Nobody knows" })), "Nobody knows");
    }
}
