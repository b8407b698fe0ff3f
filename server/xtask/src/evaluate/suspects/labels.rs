//! Which generated assertions are wrong: those that hold on the buggy version and do not on the fixed one, twice each.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::compile::{Unit, by_test};
use super::pom::PROPERTIES;
use super::suites::Suites;
use super::version::{Version, Which, bounded};
use super::weave::{statements, weave};
use crate::Result;
use crate::evaluate::build::failed;

/// How long the tests of one generated class may run.
const PATIENCE: Duration = Duration::from_secs(240);

/// An assertion of a generated test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Assertion {
    /// Which of [`Suites::all`] it stands in.
    pub(super) suite: usize,
    /// In the suite's text, in bytes.
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) label: Label,
    /// Holds in both runs of the fixed version.
    pub(super) holds: bool,
}

/// What running an assertion said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Label {
    /// Holds on the buggy version, not on the fixed one.
    Wrong,
    /// Holds on both.
    Right,
    /// Does not hold on the version that it was generated for; without EvoSuite, some do not.
    Fails,
    /// Two runs of one version differ.
    Unsteady,
    /// Not run to its end in one of the versions: the test ended before, or does not compile there.
    Unreached,
}

/// What one run said of an assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ran {
    Not,
    Held,
    Broke,
}

/// Two runs of each version make a label.
fn label(buggy: [Ran; 2], fixed: [Ran; 2]) -> Label {
    match (buggy, fixed) {
        ([Ran::Broke, Ran::Broke], _) => Label::Fails,
        ([a, b], [c, d]) if a != b || c != d => Label::Unsteady,
        ([Ran::Held, _], [Ran::Broke, _]) => Label::Wrong,
        ([Ran::Held, _], [Ran::Held, _]) => Label::Right,
        _ => Label::Unreached,
    }
}

/// Labels all assertions of the suites. `work` is a folder to compile and run in.
pub(super) fn of(
    suites: &Suites,
    versions: &[(Which, &Version)],
    work: &Path,
) -> Result<Vec<Assertion>> {
    let mut all: Vec<Assertion> = Vec::new();
    let mut woven: Vec<Unit> = Vec::new();
    let sources = work.join("woven");
    for (at, suite) in suites.all.iter().enumerate() {
        let text = &suite.unit.text;
        let found = statements(text);
        let new = weave(text, &found, all.len()).ok_or("assertions stand in each other")?;
        woven.push(Unit {
            path: sources.join(format!("{}.java", suite.name.replace('.', "/"))),
            text: new,
        });
        all.extend(found.into_iter().map(|statement| Assertion {
            suite: at,
            start: statement.span.start,
            end: statement.span.end,
            label: Label::Unreached,
            holds: false,
        }));
    }
    let mut ran = [[const { Vec::new() }; 2], [const { Vec::new() }; 2]];
    for (which, version) in versions {
        let classes = work.join(match which {
            Which::Buggy => "buggy",
            Which::Fixed => "fixed",
        });
        let mut path = vec![classes.join("told")];
        path.extend(version.class_path.iter().cloned());
        told(&path)?;
        let mut units = woven.clone();
        for ((file, test), why) in by_test(&mut units, &path, &classes.join("woven"))? {
            eprintln!("{which:?}: {}#{test} {why}", file.display());
        }
        path.insert(0, classes.join("woven"));
        for round in &mut ran[*which as usize] {
            let mut states = vec![Ran::Not; all.len()];
            for suite in &suites.all {
                run(&suite.name, &path, work, &mut states)?;
            }
            *round = states;
        }
    }
    let [buggy, fixed] = ran;
    for (at, assertion) in all.iter_mut().enumerate() {
        let of =
            |runs: &[Vec<Ran>; 2]| [0, 1].map(|n| runs[n].get(at).copied().unwrap_or(Ran::Not));
        assertion.holds = of(&fixed) == [Ran::Held; 2];
        assertion.label = label(of(&buggy), of(&fixed));
    }
    Ok(all)
}

/// Compiles what the assertions tell into the first folder of a class path.
fn told(path: &[PathBuf]) -> Result<()> {
    let file = crate::root().join("server/xtask/src/evaluate/suspects/Labels.java");
    let sources = runner::javac::Sources {
        files: &[file],
        class_path: path,
        out: &path[0],
        like: None,
        release: None,
        warm: None,
        jdk: None,
    };
    match runner::javac::compile(&sources, &|| true).map_err(|e| format!("javac: {e}"))? {
        runner::javac::Compiled::Done => Ok(()),
        other => Err(format!("Labels.java: {other:?}")),
    }
}

/// Runs one class in a virtual machine of its own.
fn run(class: &str, path: &[PathBuf], work: &Path, states: &mut [Ran]) -> Result<()> {
    let answers = work.join("answers");
    drop(fs::remove_file(&answers));
    // Generated tests open files by chance.
    let place = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut command = Command::new(runner::jdk::tool("java"));
    command.current_dir(place.path());
    command.env_remove("JAVA_TOOL_OPTIONS");
    command
        .args(PROPERTIES)
        .args(["-ea", "-Xmx1g", "-XX:+UseSerialGC", "-cp"]);
    command.arg(std::env::join_paths(path).map_err(|e| e.to_string())?);
    command
        .arg("telltale.labels.Labels")
        .arg(&answers)
        .arg(class);
    bounded(command, PATIENCE, &mut |line| eprintln!("{class}: {line}"))?;
    let text = fs::read_to_string(&answers).map_err(|e| failed("read", &answers, &e))?;
    read(&text, states);
    if !text.lines().any(|line| line.starts_with('=')) {
        eprintln!("{class} did not run to its end");
    }
    Ok(())
}

/// One that ever broke is broken: a loop runs it many times.
fn read(text: &str, states: &mut [Ran]) {
    for line in text.lines() {
        let mut words = line.split(' ');
        let (what, id) = (
            words.next(),
            words.next().and_then(|id| id.parse::<usize>().ok()),
        );
        let Some(state) = id.and_then(|id| states.get_mut(id)) else {
            continue;
        };
        match what {
            Some("-") => *state = Ran::Broke,
            Some("+") if *state == Ran::Not => *state = Ran::Held,
            _ => {}
        }
    }
}

/// How many there are of each label.
pub(super) fn counts(all: &[Assertion]) -> BTreeMap<Label, usize> {
    let mut out = BTreeMap::new();
    for assertion in all {
        *out.entry(assertion.label).or_default() += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_equal_labels_count() {
        use Ran::{Broke, Held, Not};
        assert_eq!(label([Held, Held], [Broke, Broke]), Label::Wrong);
        assert_eq!(label([Held, Held], [Held, Held]), Label::Right);
        assert_eq!(label([Held, Held], [Broke, Held]), Label::Unsteady);
        assert_eq!(label([Held, Broke], [Broke, Broke]), Label::Unsteady);
        assert_eq!(label([Broke, Broke], [Held, Held]), Label::Fails);
        assert_eq!(label([Held, Held], [Not, Not]), Label::Unreached);
        assert_eq!(label([Not, Not], [Not, Not]), Label::Unreached);
    }

    #[test]
    fn answers_are_read_up_to_where_they_end() {
        let mut states = [Ran::Not; 4];
        read(
            "+ 0\n+ 1\n- 1 java.lang.AssertionError: expected 1\n! a.B#c why\n- 2 x\n+ 2\n+ 99\n= 3\n+",
            &mut states,
        );
        assert_eq!(states, [Ran::Held, Ran::Broke, Ran::Broke, Ran::Not]);
    }
}
