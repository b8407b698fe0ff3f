//! Compiling what is as old as its bugs, or was generated for another class path: what does not compile is left out piece
//! by piece, until the rest does.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use runner::javac::{Compiled, Problem, Sources, compile};

use super::java::{hollowed, line, parse, tests, without};
use crate::Result;
use crate::evaluate::build::failed;

/// The head of a class file of Java 8: tells the compiler which version the sources have.
const OF_JAVA_8: [u8; 8] = [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52];

/// What was left out of files that do not compile as they are.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    /// Whole files, each with the first thing that is wrong.
    pub(super) files: BTreeMap<PathBuf, String>,
    /// Bodies of methods, which only throw now: the file, the method, and what is wrong.
    pub(super) bodies: Vec<(PathBuf, String, String)>,
}

/// Compiles all files but what does not compile: of a body that does not what calls it does, and of a file nothing that uses it.
pub(super) fn by_file(files: &[PathBuf], class_path: &[PathBuf], out: &Path) -> Result<LeftOut> {
    let mut left = LeftOut::default();
    loop {
        let rest: Vec<PathBuf> = files
            .iter()
            .filter(|f| !left.files.contains_key(*f))
            .cloned()
            .collect();
        let problems = problems(&rest, class_path, out)?;
        if problems.is_empty() {
            return Ok(left);
        }
        let mut by_file: BTreeMap<PathBuf, Vec<Problem>> = BTreeMap::new();
        for problem in problems {
            let own = by_file.entry(problem.file.clone()).or_default();
            own.push(problem);
        }
        if by_file.is_empty() {
            return Err("it does not compile, and no file is to blame".to_owned());
        }
        for (file, problems) in by_file {
            let text = fs::read_to_string(&file).map_err(|e| failed("read", &file, &e))?;
            let lines = problems.iter().map(|p| p.line).collect();
            let first = problems[0].message.clone();
            let Some((new, names)) = hollowed(&text, &lines) else {
                left.files.insert(file, first);
                continue;
            };
            fs::write(&file, new).map_err(|e| failed("write", &file, &e))?;
            let bodies = names.into_iter();
            left.bodies
                .extend(bodies.map(|name| (file.clone(), name, first.clone())));
        }
    }
}

/// A file of tests.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
pub(super) struct Unit {
    pub(super) path: PathBuf,
    pub(super) text: String,
}

/// Writes and compiles files of tests. Tests that do not compile are taken out of their texts; they are given, by path and
/// name, with what is wrong. A file that does not compile for another reason is taken out of `units`.
pub(super) fn by_test(
    units: &mut Vec<Unit>,
    class_path: &[PathBuf],
    out: &Path,
) -> Result<BTreeMap<(PathBuf, String), String>> {
    let mut wrong = BTreeMap::new();
    loop {
        for unit in units.iter() {
            let folder = unit.path.parent().unwrap_or(&unit.path);
            fs::create_dir_all(folder).map_err(|e| failed("create", folder, &e))?;
            fs::write(&unit.path, &unit.text).map_err(|e| failed("write", &unit.path, &e))?;
        }
        let files: Vec<PathBuf> = units.iter().map(|unit| unit.path.clone()).collect();
        let problems = problems(&files, class_path, out)?;
        if problems.is_empty() {
            return Ok(wrong);
        }
        let mut by_file: BTreeMap<PathBuf, Vec<Problem>> = BTreeMap::new();
        for problem in problems {
            by_file
                .entry(problem.file.clone())
                .or_default()
                .push(problem);
        }
        let before = (wrong.len(), units.len());
        units.retain_mut(|unit| {
            let Some(problems) = by_file.get(&unit.path) else {
                return true;
            };
            let (names, is_outside) = blamed(&unit.text, problems);
            for (name, message) in &names {
                let key = (unit.path.clone(), name.clone());
                wrong.insert(key, format!("does not compile: {message}"));
            }
            if !names.is_empty() {
                unit.text = without(&unit.text, &names.into_keys().collect());
            } else if is_outside {
                for test in tests(&parse(&unit.text).nodes()) {
                    let message = format!("does not compile: {}", problems[0].message);
                    wrong.insert((unit.path.clone(), test.name), message);
                }
                drop(fs::remove_file(&unit.path));
                return false;
            }
            true
        });
        if before == (wrong.len(), units.len()) {
            return Err("generated tests do not compile, and none is to blame".to_owned());
        }
    }
}

/// The tests in which problems lie, with the first of each, and whether some lie in none.
fn blamed(text: &str, problems: &[Problem]) -> (BTreeMap<String, String>, bool) {
    let file = parse(text);
    let places: Vec<(std::ops::RangeInclusive<u32>, String)> = tests(&file.nodes())
        .into_iter()
        .map(|test| {
            (
                line(text, test.span.start)..=line(text, test.span.end),
                test.name,
            )
        })
        .collect();
    let mut names = BTreeMap::new();
    let mut is_outside = false;
    for problem in problems {
        match places
            .iter()
            .find(|(lines, _)| lines.contains(&problem.line))
        {
            Some((_, name)) => drop(names.entry(name.clone()).or_insert(problem.message.clone())),
            None => is_outside = true,
        }
    }
    (names, is_outside)
}

fn problems(files: &[PathBuf], class_path: &[PathBuf], out: &Path) -> Result<Vec<Problem>> {
    if files.is_empty() {
        return fs::create_dir_all(out)
            .map_err(|e| failed("create", out, &e))
            .map(|()| Vec::new());
    }
    fs::create_dir_all(out).map_err(|e| failed("create", out, &e))?;
    let like = out.with_extension("like");
    fs::write(&like, OF_JAVA_8).map_err(|e| failed("write", &like, &e))?;
    let sources = Sources {
        files,
        class_path,
        out,
        like: Some(&like),
        release: None,
        warm: None,
        jdk: None,
    };
    match compile(&sources, &|| true).map_err(|e| format!("javac: {e}"))? {
        Compiled::Done => Ok(Vec::new()),
        Compiled::Failed(last) => Err(format!("javac: {last}")),
        Compiled::Refused(problems) => {
            let known: BTreeSet<&PathBuf> = files.iter().collect();
            let (own, others): (Vec<Problem>, Vec<Problem>) =
                problems.into_iter().partition(|p| known.contains(&p.file));
            match (own.is_empty(), others.first()) {
                (true, Some(first)) => Err(format!("javac: {}", first.message)),
                _ => Ok(own),
            }
        }
    }
}

#[cfg(test)]
mod tests_of_blame {
    use super::*;

    #[test]
    fn problems_are_of_the_test_around_their_line() {
        let text = "import a.B;\nclass C {\n  @Test\n  void a() {\n    x();\n  }\n  @Test void b() {}\n}\n";
        let problem = |line: u32| Problem {
            file: "C.java".into(),
            line,
            message: format!("at {line}"),
        };
        let (names, is_outside) = blamed(text, &[problem(5), problem(6), problem(7)]);
        let names: Vec<(&str, &str)> = names
            .iter()
            .map(|(n, m)| (n.as_str(), m.as_str()))
            .collect();
        assert_eq!(names, [("a", "at 5"), ("b", "at 7")]);
        assert!(!is_outside);
        let (names, is_outside) = blamed(text, &[problem(1)]);
        assert!(names.is_empty() && is_outside);
    }
}
