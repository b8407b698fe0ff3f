//! The same sources give the same bytes, however many threads there are and in whatever order the files were made.

use crate::support::{Project, binary, demo, ran, repository, subject};
use std::path::{Path, PathBuf};

const COMMANDS: [&[&str]; 8] = [
    &[
        "observe",
        "--format",
        "json",
        "--all-candidates",
        "--top",
        "1000",
    ],
    &["observe", "--lambda", "1"],
    &[
        "observe", "--test", "all", "--format", "json", "--top", "100",
    ],
    &[
        "observe",
        "--test",
        "OrderBookTest#takesTheBestPriceFirst",
        "--format",
        "json",
    ],
    &["graph", "--format", "json"],
    &["graph", "--format", "svg", "--class", "Stats"],
    &["graph", "--kind", "calls", "--format", "dot"],
    &["debug", "uses"],
];

fn output(folder: &Path, arguments: &[&str], threads: &str) -> String {
    let ran = ran(binary()
        .current_dir(folder)
        .args(arguments)
        .env("RAYON_NUM_THREADS", threads));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.len() > 100, "{arguments:?}");
    ran.stdout
}

#[test]
fn threads_change_nothing() {
    for arguments in COMMANDS {
        let one = output(&demo(), arguments, "1");
        for threads in ["2", "8"] {
            assert!(
                output(&demo(), arguments, threads) == one,
                "{arguments:?} differs with {threads} threads"
            );
        }
    }
}

#[test]
fn threads_change_nothing_on_a_real_project() {
    let Some(folder) = subject("commons-csv") else {
        return;
    };
    for arguments in [COMMANDS[0], COMMANDS[4]] {
        let one = output(&folder, arguments, "1");
        assert!(output(&folder, arguments, "8") == one, "{arguments:?}");
    }
}

/// Every file of the demo, with its path.
fn files() -> Vec<(String, Vec<u8>)> {
    let mut out = Vec::new();
    let mut folders: Vec<PathBuf> = vec![demo().join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let relative = path.strip_prefix(demo()).expect("it is inside");
            let name = relative.to_str().expect("UTF-8").replace('\\', "/");
            out.push((name, std::fs::read(&path).expect("a file")));
        }
    }
    out.sort();
    assert!(
        out.len() > 20,
        "the demo is there: {}",
        repository().display()
    );
    out
}

#[test]
fn the_order_of_files_changes_nothing() {
    let made = |files: &mut dyn Iterator<Item = &(String, Vec<u8>)>| {
        let project = Project::new(&[]);
        for (path, bytes) in files {
            project.write(path, bytes);
        }
        project
    };
    let files = files();
    let forwards = made(&mut files.iter());
    let backwards = made(&mut files.iter().rev());
    // Every third first.
    let mixed = made(&mut (0..3).flat_map(|first| files.iter().skip(first).step_by(3)));
    for arguments in COMMANDS {
        let outputs = [&forwards, &backwards, &mixed].map(|p| {
            let root = p.path().canonicalize().expect("it is there");
            output(p.path(), arguments, "2").replace(root.to_str().expect("UTF-8"), "ROOT")
        });
        assert!(
            outputs[0] == outputs[1] && outputs[0] == outputs[2],
            "{arguments:?} depends on the order of the files"
        );
    }
}

/// Twice in one process would hide a random hash seed: each run is a process of its own.
#[test]
fn runs_change_nothing() {
    let arguments = COMMANDS[2];
    let first = output(&demo(), arguments, "2");
    for _ in 0..3 {
        assert!(output(&demo(), arguments, "2") == first);
    }
}
