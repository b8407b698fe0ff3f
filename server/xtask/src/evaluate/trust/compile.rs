//! Does what the first actions insert compile? javac is asked.
//!
//! Each test file is copied with the insertions of all its tests, and javac reads the copies of one source set against
//! the project's class path. A file that does not compile as it is says nothing and is left out. What javac finds late
//! (an exception that nobody catches) it tells only of code without other errors, so what failed is taken out and the
//! rest is read again.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use program::{FileId, Program, SourceSetId};
use text::{Edit, apply_disjoint};

use super::cause::Cause;
use super::said::{First, Said};
use crate::Result;

/// Enough for what one error hides of another.
const ROUNDS: usize = 4;

/// What came of compiling the first actions of a project's tests.
#[derive(Debug, Default)]
pub(super) struct Compiled {
    /// By position in the list of tests: nothing against it, or what and javac's words.
    pub(super) actions: HashMap<usize, Option<(Cause, String)>>,
    /// Test files with actions, and those that do not compile as they are.
    pub(super) files: usize,
    pub(super) broken: usize,
}

/// An error where javac says that it is.
#[derive(Debug, PartialEq, Eq)]
struct Complaint {
    path: String,
    /// From 1.
    line: usize,
    message: String,
}

/// Compiles the first action of each test.
pub(super) fn compile(program: &Program, said: &[Said], class_path: &str) -> Result<Compiled> {
    let mut of_set: BTreeMap<SourceSetId, BTreeMap<FileId, Vec<usize>>> = BTreeMap::new();
    for (at, s) in said.iter().enumerate() {
        if let (Some(_), Some(set)) = (&s.action, program.source_set(s.file)) {
            of_set
                .entry(set)
                .or_default()
                .entry(s.file)
                .or_default()
                .push(at);
        }
    }
    let mut out = Compiled::default();
    for files in of_set.values() {
        out.files += files.len();
        let folder =
            tempfile::tempdir().map_err(|error| format!("no folder to compile in: {error}"))?;
        let javac = Javac {
            folder: folder.path(),
            class_path,
        };
        let all: Vec<(FileId, &Vec<usize>)> = files.iter().map(|(f, tests)| (*f, tests)).collect();
        for (_, tests) in &all {
            out.actions.extend(tests.iter().map(|at| (*at, None)));
        }
        let first = javac.round(program, said, &all, &out.actions)?;
        // Complaints about other lines may be the file's own: then nothing is known of it.
        let plain: Vec<(FileId, String)> = first
            .elsewhere
            .iter()
            .filter_map(|f| Some((*f, program.text(*f)?.to_string())))
            .collect();
        let complaints = javac.complaints(program, &plain)?;
        let broken: BTreeSet<FileId> = plain
            .iter()
            .map(|(f, _)| *f)
            .filter(|f| {
                let path = javac.path(program, *f).display().to_string();
                complaints.iter().any(|c| c.path == path)
            })
            .collect();
        out.broken += broken.len();
        for (file, tests) in &all {
            if broken.contains(file) {
                tests.iter().for_each(|at| drop(out.actions.remove(at)));
            }
        }
        let mut failed = first.failed;
        for _ in 1..ROUNDS {
            failed.retain(|at, _| out.actions.contains_key(at));
            if failed.is_empty() {
                break;
            }
            let again: BTreeSet<FileId> = failed.keys().map(|at| said[*at].file).collect();
            for (at, message) in failed {
                out.actions.insert(at, Some((cause(&message), message)));
            }
            let files: Vec<_> = all
                .iter()
                .copied()
                .filter(|(f, _)| again.contains(f))
                .collect();
            failed = javac.round(program, said, &files, &out.actions)?.failed;
        }
    }
    Ok(out)
}

fn cause(message: &str) -> Cause {
    let missing = message.starts_with("cannot find symbol")
        && !message.contains("class ")
        // What the inserted line asserts with is there or not; that is another matter.
        && !message.contains("method assert");
    match missing {
        true => Cause::Missing,
        false => Cause::NotCompiled,
    }
}

/// What one reading found.
#[derive(Debug, Default)]
struct Round {
    /// Tests whose insertions are complained of, with javac's words.
    failed: BTreeMap<usize, String>,
    /// Files with complaints about other lines.
    elsewhere: BTreeSet<FileId>,
}

/// Lines from 1 that were inserted, each with the position of its test.
type Lines = Vec<(std::ops::Range<usize>, usize)>;

struct Javac<'a> {
    folder: &'a Path,
    class_path: &'a str,
}

impl Javac<'_> {
    /// Where the copy of a file lies.
    fn path(&self, program: &Program, file: FileId) -> PathBuf {
        self.folder
            .join("src")
            .join(program.path(file).map_or("", |p| p))
    }

    /// What javac complains of when the insertions that stand so far are made.
    fn round(
        &self,
        program: &Program,
        said: &[Said],
        files: &[(FileId, &Vec<usize>)],
        so_far: &HashMap<usize, Option<(Cause, String)>>,
    ) -> Result<Round> {
        let mut texts = Vec::new();
        let mut lines: HashMap<String, (FileId, Lines)> = HashMap::new();
        for (file, tests) in files {
            let Some(text) = program.text(*file) else {
                continue;
            };
            let mut edits: Vec<(Vec<usize>, &Edit)> = Vec::new();
            for at in tests
                .iter()
                .filter(|at| so_far.get(at).is_some_and(Option::is_none))
            {
                let Some(First { edit, imports, .. }) = &said[*at].action else {
                    continue;
                };
                edits.push((vec![*at], edit));
                // An import that several need is there once.
                for import in imports {
                    match edits.iter_mut().find(|(_, known)| *known == import) {
                        Some((of, _)) => of.push(*at),
                        None => edits.push((vec![*at], import)),
                    }
                }
            }
            edits.sort_by_key(|(_, edit)| edit.span);
            let all: Vec<Edit> = edits.iter().map(|(_, edit)| (*edit).clone()).collect();
            let Some(new) = apply_disjoint(text, &all) else {
                continue;
            };
            let path = self.path(program, *file).display().to_string();
            lines.insert(path, (*file, inserted_lines(&new, &edits)));
            texts.push((*file, new));
        }
        let mut out = Round::default();
        for complaint in self.complaints(program, &texts)? {
            let Some((file, lines)) = lines.get(&complaint.path) else {
                continue;
            };
            let mut hit = lines
                .iter()
                .filter(|(lines, _)| lines.contains(&complaint.line))
                .peekable();
            if hit.peek().is_none() {
                out.elsewhere.insert(*file);
            }
            for (_, at) in hit {
                out.failed
                    .entry(*at)
                    .or_insert_with(|| complaint.message.clone());
            }
        }
        Ok(out)
    }

    /// What javac has against files.
    fn complaints(&self, program: &Program, texts: &[(FileId, String)]) -> Result<Vec<Complaint>> {
        let failed = |error: std::io::Error| format!("cannot write what javac reads: {error}");
        let mut names = String::new();
        for (file, text) in texts {
            let path = self.path(program, *file);
            fs::create_dir_all(path.parent().unwrap_or(self.folder)).map_err(failed)?;
            fs::write(&path, text).map_err(failed)?;
            names.push_str(&format!("\"{}\"\n", path.display()));
        }
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let list = self.folder.join("files");
        fs::write(&list, names).map_err(failed)?;
        let javac = std::env::var_os("JAVA_HOME").map_or_else(
            || "javac".into(),
            |home| PathBuf::from(home).join("bin/javac"),
        );
        let mut command = Command::new(javac);
        command
            .args([
                "-J-Duser.language=en",
                "-J-Xmx1g",
                "-encoding",
                "UTF-8",
                "-nowarn",
                "-implicit:none",
            ])
            .args(["-Xmaxerrs", "100000", "-XDshould-stop.ifError=FLOW"])
            .arg("-d")
            .arg(self.folder.join("out"))
            .arg("-cp")
            .arg(self.class_path);
        fs::create_dir_all(self.folder.join("out")).map_err(failed)?;
        // Lombok works as a processor; others would only make files.
        if !self.class_path.contains("lombok") {
            command.arg("-proc:none");
        }
        command.arg(format!("@{}", list.display()));
        let output = command
            .output()
            .map_err(|error| format!("cannot start javac: {error}"))?;
        Ok(parse(&String::from_utf8_lossy(&output.stderr)))
    }
}

/// The lines of each insertion in the new text, from 1.
fn inserted_lines(new: &str, edits: &[(Vec<usize>, &Edit)]) -> Lines {
    let mut shift = 0i64;
    edits
        .iter()
        .flat_map(|(of, edit)| {
            let start = (i64::from(edit.span.start) + shift) as usize;
            shift += edit.text.len() as i64 - i64::from(edit.span.end - edit.span.start);
            let line = |to: usize| new.get(..to).unwrap_or(new).matches('\n').count() + 1;
            let end = start + edit.text.trim_end().len();
            let lead = edit.text.len() - edit.text.trim_start().len();
            let lines = line(start + lead)..line(end) + 1;
            of.iter().map(move |at| (lines.clone(), *at))
        })
        .collect()
}

/// `PATH:LINE: error: MESSAGE`, with javac's further lines where they say which symbol.
fn parse(output: &str) -> Vec<Complaint> {
    let mut out: Vec<Complaint> = Vec::new();
    for line in output.lines() {
        if let Some((place, message)) = line.split_once(": error: ") {
            if let Some((path, number)) = place.rsplit_once(':')
                && let Ok(number) = number.parse()
            {
                out.push(Complaint {
                    path: path.to_owned(),
                    line: number,
                    message: message.to_owned(),
                });
            }
        } else if let (Some(last), Some(symbol)) =
            (out.last_mut(), line.trim().strip_prefix("symbol:"))
        {
            last.message.push_str(&format!(": {}", symbol.trim()));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use text::Span;

    #[test]
    fn complaints_are_read_with_their_symbol() {
        let output = "/a/B.java:12: error: cannot find symbol\n    x.foo();\n     ^\n  symbol:   method foo()\n  location: class X\n/a/B.java:3: error: unreported exception E; must be caught or declared to be thrown\n1 error\n";
        let found = parse(output);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].message, "cannot find symbol: method foo()");
        assert_eq!(found[0].line, 12);
        assert_eq!(cause(&found[0].message), Cause::Missing);
        assert_eq!(cause(&found[1].message), Cause::NotCompiled);
    }

    #[test]
    fn insertions_are_found_again_in_the_new_text() {
        let edits = [
            (7, Edit::new(Span::new(2, 2), "  x;\n")),
            (8, Edit::new(Span::new(4, 4), "y")),
        ];
        let old = "a\nb\nc\n";
        let all: Vec<Edit> = edits.iter().map(|e| e.1.clone()).collect();
        let new = apply_disjoint(old, &all).expect("disjoint");
        assert_eq!(new, "a\n  x;\nb\nyc\n");
        let with: Vec<(Vec<usize>, &Edit)> = edits.iter().map(|e| (vec![e.0], &e.1)).collect();
        assert_eq!(inserted_lines(&new, &with), [(2..3, 7), (4..5, 8)]);
    }
}
