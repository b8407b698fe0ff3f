//! Switching on and off in every test of real Java: the demo's, and those of the subjects under `TELLTALE_SUBJECTS`, as
//! they are, with tabs, and with CRLF. Off again is the same bytes, and what is on can be parsed.
// Tests may read files and say what they skip.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::disallowed_types,
    clippy::print_stderr
)]

use std::path::{Path, PathBuf};

use inner::{Refusal, Switch, Words, switch_off, switch_on};
use syntax::{Kind, NodeId, Queries, SourceFile};
use text::{Span, apply_disjoint};

/// Two with many tests in several styles; all of them would take minutes.
const SUBJECTS: [&str; 2] = ["commons-csv", "commons-cli"];

fn java_files(root: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "java") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The first, the middle and the last call of a test, each alone; the first and the last; and none.
fn choices(file: &SourceFile, test: Span) -> Vec<Vec<Span>> {
    let nodes = file.nodes();
    let calls: Vec<Span> = (0..nodes.len() as u32)
        .map(NodeId)
        .filter(|&n| nodes.kind(n) == Kind::MethodInvocation && test.covers(nodes.span(n)))
        .map(|n| nodes.span(n))
        .collect();
    let mut out = vec![vec![]];
    if let (Some(&first), Some(&last)) = (calls.first(), calls.last()) {
        let middle = calls[calls.len() / 2];
        out.extend([vec![first], vec![middle], vec![last], vec![first, last]]);
    }
    out
}

#[derive(Default, Debug)]
struct Count {
    tests: usize,
    on: usize,
    refused: Vec<(PathBuf, Refusal)>,
}

fn check(path: &Path, text: &str, queries: &Queries, count: &mut Count) {
    let file = SourceFile::parse(text.into());
    let switch = Switch {
        words: Words {
            apart: &["assertTimeoutPreemptively"],
            throws_by: &["expected"],
            told_to_throw: &["expect", "expectMessage", "expectCause"],
        },
        ..Switch::new("T.t: x", "InnerOracle")
    };
    for test in queries.tests(&file).iter().filter(|t| t.kind.is_test()) {
        count.tests += 1;
        // Another choice for the next test, and for the next form of this one.
        let choices = choices(&file, test.span);
        for calls in choices.iter().skip(count.tests % choices.len()).take(1) {
            let edits = match switch_on(&file, test.span, calls, &switch) {
                Ok(edits) => edits,
                Err(refusal) => {
                    count.refused.push((path.to_owned(), refusal));
                    continue;
                }
            };
            count.on += 1;
            let with = apply_disjoint(text, &edits).unwrap();
            let on = SourceFile::parse(with.as_str().into());
            let place = || format!("{}\n{with}", path.display());
            assert!(on.error_count() <= file.error_count(), "{}", place());
            let off = switch_off(&on, "T.t: x").unwrap();
            assert!(
                apply_disjoint(&with, &off).unwrap() == text,
                "not the same again: {}",
                place()
            );
        }
    }
}

fn check_all(root: &Path) -> Count {
    let queries = Queries::builtin();
    let mut count = Count::default();
    for path in java_files(root) {
        let bytes = std::fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
        if !text.contains("est") {
            continue;
        }
        check(&path, &text, &queries, &mut count);
        check(&path, &text.replace("    ", "\t"), &queries, &mut count);
        check(&path, &text.replace('\n', "\r\n"), &queries, &mut count);
    }
    count
}

#[test]
fn every_test_of_the_demo() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/demo/src/test");
    let count = check_all(&demo);
    assert!(count.tests > 75 && count.refused.is_empty(), "{count:?}");
}

#[test]
fn every_test_of_some_subjects() {
    let Some(root) = std::env::var_os("TELLTALE_SUBJECTS") else {
        eprintln!("skipped: TELLTALE_SUBJECTS is not set; no real test was switched on");
        return;
    };
    for subject in SUBJECTS {
        let count = check_all(&Path::new(&root).join(subject).join("src/test"));
        assert!(count.tests > 1000, "{subject}: {count:?}");
        // Empty bodies, and calls in lambdas of annotations or in anonymous classes do not count.
        let refused = |r: &(PathBuf, Refusal)| r.1 != Refusal::NoTestBody;
        let others: Vec<_> = count.refused.iter().filter(|r| refused(r)).collect();
        assert!(others.is_empty(), "{subject}: {others:?}");
        eprintln!("{subject}: {} tests, {} times on", count.tests, count.on);
    }
}
