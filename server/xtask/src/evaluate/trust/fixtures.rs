//! The two small projects of `tests/trust`: what their tests are told, and what the judge has against it.
//!
//! A mark stands below the name of each test that is told something: the lens, and in brackets what is against the value
//! that it names. A test without a mark is told nothing. What is wrong today is marked as it is, under a `FIXME` that says
//! what right is.

use calls::Workspace;
use observe::Settings;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use ide::Analysis;
use program::{FileInput, Program, SourceSetId, SourceSetInput};
use testkit::{Fixture, Mark, check_marks};

use super::said::said;
use super::{Listed, count};

/// The Java files of a project of `tests/trust`, as one fixture.
fn fixture(name: &str) -> Fixture {
    let root = crate::root().join("tests/trust").join(name);
    let mut files: Vec<_> = ignore::Walk::new(&root)
        .map(|entry| entry.expect("a readable folder").into_path())
        .filter(|path| path.extension().is_some_and(|e| e == "java"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no Java file in {}", root.display());
    let mut text = String::new();
    for path in files {
        let _ = writeln!(text, "//- /{}", relative(&path, &root));
        text.push_str(&fs::read_to_string(&path).expect("a readable file"));
    }
    Fixture::parse(&text)
}

fn relative(path: &Path, root: &Path) -> String {
    let inner = path.strip_prefix(root).expect("below the root");
    let parts: Vec<_> = inner.iter().map(|p| p.to_string_lossy()).collect();
    parts.join("/")
}

/// Without libraries: what is said may not depend on what is installed.
fn analysis(fixture: &Fixture) -> Analysis {
    let sets = SourceSetInput::code_and_tests();
    let files = fixture.files.iter().map(|f| FileInput {
        path: f.path.as_str().into(),
        source_set: SourceSetId(u32::from(f.path.contains("src/test/"))),
        text: f.text.as_str().into(),
    });
    let workspace = Workspace::new(Program::build(sets, files.collect()));
    Analysis::new(workspace, true, Settings::default())
}

fn check(name: &str) {
    let fixture = fixture(name);
    let analysis = analysis(&fixture);
    let said = said(&analysis);
    let (_, listed) = count(&analysis, &said);
    let program = analysis.program();
    let mut found: Vec<(usize, Mark)> = Vec::new();
    for (at, s) in said.iter().enumerate() {
        let Some(lens) = &s.lens else { continue };
        let path = program.path(s.file).expect("its path");
        let file = fixture
            .files
            .iter()
            .position(|f| *f.path == **path)
            .expect("it was given");
        let against = listed
            .iter()
            .find(|l| l.at == at)
            .map_or_else(String::new, brackets);
        let span = program.method_decl(s.test).expect("a test").name_span;
        let mark = fixture.files[file].mark(span, format!("{lens}{against}"));
        found.push((file, mark));
    }
    check_marks(&fixture, found);
}

fn brackets(listed: &Listed) -> String {
    let causes: Vec<&str> = listed.causes.iter().map(|c| c.text()).collect();
    match causes.is_empty() {
        true => String::new(),
        false => format!(" [{}]", causes.join("; ")),
    }
}

#[test]
fn an_application_is_told_what_its_marks_say() {
    check("app");
}

#[test]
fn a_library_is_told_what_its_marks_say() {
    check("lib");
}
