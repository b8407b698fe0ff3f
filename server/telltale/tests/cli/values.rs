//! The finished assertion of every kind of value, in the words of every framework: it compiles, and it passes, twice.
//!
//! `tests/values` has a method for every kind. A test of each is written here, recorded, and given the assertion that the
//! action inserts, whether or not a list would name the value: that is asked elsewhere.

use crate::record::cannot_record;
use crate::support::{Project, telltale};
use calls::Workspace;
use evidence::Seen;
use ide::Analysis;
use ide::action::insertion;
use ide::weave::points;
use observe::Settings;
use program::{FileId, FileInput, Program, ProgramInput, SourceSetId, SourceSetInput};
use project::libraries::{Environment, find};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use text::Edit;

/// A framework: its test class, imports, what another test of the class asserts, and whether its tests say `var`.
const FRAMEWORKS: &[(&str, &str, &str, bool)] = &[
    (
        "Jupiter",
        "import static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.Test;",
        "assertEquals(1, 1);",
        true,
    ),
    (
        "Junit4",
        "import static org.junit.Assert.*;\nimport org.junit.Test;",
        "assertEquals(1, 1);",
        false,
    ),
    (
        "TestNg",
        "import static org.testng.Assert.*;\nimport org.testng.annotations.Test;",
        "assertEquals(1, 1);",
        true,
    ),
    (
        "AssertJ",
        "import static org.assertj.core.api.Assertions.*;\nimport org.junit.jupiter.api.Test;",
        "assertThat(1).isEqualTo(1);",
        false,
    ),
    (
        "Truth",
        "import static com.google.common.truth.Truth.assertThat;\nimport org.junit.jupiter.api.Test;",
        "assertThat(1).isEqualTo(1);",
        true,
    ),
    (
        "Hamcrest",
        "import static org.hamcrest.MatcherAssert.assertThat;\nimport static org.hamcrest.Matchers.*;\n\
         import org.junit.jupiter.api.Test;",
        "assertThat(1, is(1));",
        false,
    ),
];

/// What has no finished assertion in any framework, and why.
const WITHOUT: &[(&str, &str)] = &[("queue", "no queue equals another")];

/// Type and name of each method of `Kinds`.
fn kinds(source: &str) -> Vec<(String, String)> {
    let methods = source.lines().filter_map(|line| {
        let (head, _) = line.strip_prefix("    public ")?.split_once("() {")?;
        let (ty, name) = head.rsplit_once(' ')?;
        Some((ty.to_owned(), name.to_owned()))
    });
    methods.collect()
}

/// A test of each kind.
fn test_class(framework: &(&str, &str, &str, bool), kinds: &[(String, String)]) -> String {
    let (name, imports, other, says_var) = framework;
    let types = "import java.io.*;\nimport java.math.*;\nimport java.net.*;\nimport java.time.*;\nimport java.util.*;\n\
                 import java.util.concurrent.atomic.*;\nimport values.Kinds.*;";
    let types = if *says_var { "" } else { types };
    let mut out = format!(
        "package values;\n\n{imports}\n{types}\n\npublic class {name}Test {{\n    @Test public void counts() {{ {other} }}\n"
    );
    for (ty, kind) in kinds {
        let ty = if *says_var { "var" } else { ty };
        let body = format!("Kinds kinds = new Kinds(3); {ty} value = kinds.{kind}();");
        writeln!(out, "    @Test public void {kind}() {{ {body} }}").expect("written");
    }
    out + "}\n"
}

#[test]
fn the_assertion_of_every_kind_of_value_compiles_and_passes_in_every_framework() {
    if cannot_record() {
        return;
    }
    let project = Project::of("values");
    let root = project.path();
    let source = std::fs::read_to_string(root.join("src/main/java/values/Kinds.java"));
    let kinds = kinds(&source.expect("it is there"));
    assert!(kinds.len() > 90, "{kinds:?}");
    for framework in FRAMEWORKS {
        let path = format!("src/test/java/values/{}Test.java", framework.0);
        project.write(&path, test_class(framework, &kinds).as_bytes());
    }
    let ran = telltale(root, &["record", "-q"]);
    let all = FRAMEWORKS.len() * (kinds.len() + 1);
    assert!(
        ran.code == 0 && ran.stdout.starts_with(&format!("{all} tests ran")),
        "{ran:?}"
    );
    let analysis = recorded(root);
    let unfinished = insert(&analysis, root);
    let mut expected = Vec::new();
    for (kind, _) in WITHOUT {
        expected.extend(
            FRAMEWORKS
                .iter()
                .map(|f| format!("values.{}Test#{kind}()", f.0)),
        );
    }
    expected.sort();
    assert_eq!(unfinished, expected);
    for _ in 0..2 {
        let mut maven = Command::new("mvn");
        maven.args(["-B", "-q", "test", "-Dstyle.color=never"]);
        let output = maven.current_dir(root).output().expect("Maven starts");
        let said = String::from_utf8_lossy(&output.stdout);
        let first: Vec<&str> = said.lines().take(80).collect();
        assert!(output.status.success(), "{}", first.join("\n"));
        // Whoever counts the reports knows that they ran.
        let reports = std::fs::read_dir(root.join("target/surefire-reports"));
        let reports = reports.expect("reports").filter_map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_name()?.to_string_lossy().into_owned();
            (name.starts_with("TEST-") && name.ends_with(".xml")).then_some(path)
        });
        let cases = reports.map(|path| {
            let text = std::fs::read_to_string(path).expect("a report");
            text.matches("<testcase ").count()
        });
        assert_eq!(cases.sum::<usize>(), all);
    }
}

/// The project as it was recorded.
fn recorded(root: &Path) -> Analysis {
    let (config, _) = project::load_config(root).expect("settings");
    let mut layout = project::discover(root, &config).expect("source sets");
    let texts = project::read_all(&mut layout);
    let classes = find(&layout, &config, &Environment::of_process()).classes;
    let seen = |at: &usize| SourceSetId(*at as u32);
    let sets = layout.source_sets.iter().map(|set| SourceSetInput {
        is_test: set.is_test,
        visible: set.visible.iter().map(seen).collect(),
    });
    let files = texts.into_iter().map(|(at, text)| FileInput {
        path: Arc::from(layout.files[at].path.as_str()),
        source_set: SourceSetId(layout.files[at].source_set as u32),
        text,
    });
    let program = Program::build_with(ProgramInput {
        source_sets: sets.collect(),
        files: files.collect(),
        classes: Some(classes),
        ..ProgramInput::default()
    });
    let facts = Arc::new(crate::record::facts(root));
    Analysis::new(Workspace::new(program), true, Settings::default()).with_facts(facts)
}

/// Puts the finished assertion into each test, and gives the tests that have none.
fn insert(analysis: &Analysis, root: &Path) -> Vec<String> {
    let program = analysis.program();
    let mut edits: BTreeMap<FileId, Vec<Edit>> = BTreeMap::new();
    let mut unfinished = Vec::new();
    for &test in analysis.workspace().suite().tests() {
        let name = program.method_name(test);
        if name.ends_with("#counts()") {
            continue;
        }
        let told = analysis.fresh(test).expect("it was recorded");
        assert!(told.passed, "{name}");
        let seen = Seen {
            variable: "value".into(),
            nth: 0,
        };
        let observed = told.variables.get(&seen).expect("its value");
        let value = observed
            .stable()
            .unwrap_or_else(|| panic!("{name}: {observed:?}"));
        let points = points(analysis, test);
        let readable = points.iter().find(|r| r.expression == "value");
        let file = program.method_file(test).expect("its file");
        let of = |r| insertion(analysis, file, test, r, Some(value));
        let Some((change, true)) = readable.and_then(of) else {
            unfinished.push(name);
            continue;
        };
        let own = edits.entry(file).or_default();
        let (_, changed) = change.edits.first().expect("an edit");
        // Several need the same import.
        own.extend(
            changed
                .iter()
                .filter(|e| !own.contains(e))
                .cloned()
                .collect::<Vec<_>>(),
        );
    }
    for (file, mut own) in edits {
        own.sort_by_key(|e| e.span);
        let path = program.path(file).expect("its path");
        let mut out = program.text(file).expect("its text").to_string();
        for edit in own.iter().rev() {
            out.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
        }
        std::fs::write(root.join(&**path), out).expect("a file");
    }
    unfinished.sort();
    unfinished
}
