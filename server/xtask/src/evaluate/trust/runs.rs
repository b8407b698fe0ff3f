//! Which lines run in each test: JaCoCo is asked, on the projects of the panel that are marked with `runs`.
//!
//! What came out lies beside the clone as `DIR/NAME.ran` and is used until somebody deletes it: it takes minutes and does
//! not change.

use std::collections::{HashMap, HashSet};
use std::fs;

use ide::Place;
use program::{MethodId, Program};

use super::panel::Clone;
use crate::Result;

/// The lines that ran, by test (`pkg.Class#method`) and file (`pkg/File.java`).
#[derive(Debug, Default)]
pub(super) struct Runs(HashMap<String, HashMap<String, HashSet<usize>>>);

impl Runs {
    /// What ran in a project's tests.
    pub(super) fn of(clone: &Clone) -> Result<Option<Runs>> {
        let file = &clone.ran;
        if !clone.project.runs || !file.is_file() {
            return Ok(None);
        }
        let text = fs::read_to_string(file)
            .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        Ok(Some(Runs::read(&text)))
    }

    fn read(text: &str) -> Runs {
        let mut runs = Runs::default();
        for line in text.lines() {
            if let [test, file, lines] = line.split('\t').collect::<Vec<_>>()[..]
                && test != "#"
            {
                let files = runs.0.entry(test.to_owned()).or_default();
                let lines = lines.split(',').filter_map(|n| n.parse::<usize>().ok());
                files.entry(file.to_owned()).or_default().extend(lines);
            }
        }
        runs
    }

    /// True if a line of a place ran in a test; nothing of a test that was not run.
    pub(super) fn has(&self, program: &Program, test: MethodId, place: Place) -> Option<bool> {
        let class = program.type_name(program.method_owner(test));
        let name = &program.method_decl(test)?.name;
        let files = self.0.get(&format!("{class}#{name}"))?;
        let path = program.path(place.file)?;
        let text = program.text(place.file)?;
        let line = |at: u32| {
            text.get(..at as usize)
                .map_or(0, |t| t.matches('\n').count() + 1)
        };
        let (first, last) = (line(place.span.start), line(place.span.end));
        let mut of_file = files
            .iter()
            .filter(|(file, _)| path.ends_with(file.as_str()));
        Some(of_file.any(|(_, lines)| (first..=last).any(|l| lines.contains(&l))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::{FileInput, SourceSetId, SourceSetInput};
    use text::Span;

    #[test]
    fn a_place_ran_if_one_of_its_lines_did() {
        let text = "package a;\nclass T {\n  void m() {\n    int x = 1;\n  }\n}\n";
        let file = FileInput {
            path: "src/main/java/a/T.java".into(),
            source_set: SourceSetId(0),
            text: text.into(),
        };
        let program = Program::build(vec![SourceSetInput::default()], vec![file]);
        let set = SourceSetId(0);
        let test = program.find_method(set, "a.T#m()").expect("a method");
        let place = |what: &str| Place {
            file: program.file("src/main/java/a/T.java").expect("a file"),
            span: Span::new(
                text.find(what).expect("there") as u32,
                text.find(what).expect("there") as u32 + 1,
            ),
        };
        let runs = Runs::read("#\t1\t0\na.T#m\ta/T.java\t4,5\n");
        assert_eq!(runs.has(&program, test, place("int")), Some(true));
        assert_eq!(runs.has(&program, test, place("class")), Some(false));
        assert_eq!(Runs::read("").has(&program, test, place("int")), None);
    }
}
