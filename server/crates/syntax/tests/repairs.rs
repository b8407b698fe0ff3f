//! One fixture a row of the table of repairs: javac accepts it, the grammar alone does not read it, the file is read.
// Tests may read files, start javac and say what they skip.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::disallowed_types,
    clippy::print_stderr
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use syntax::repair::REPAIRS;
use syntax::{Field, Kind, NodeId, Nodes, SourceFile};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

fn java_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "java")
        })
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} has no fixture", folder.display());
    files
}

fn read(row: &str) -> SourceFile {
    let path = &java_files(&fixtures().join(row))[0];
    SourceFile::parse(Arc::from(std::fs::read_to_string(path).unwrap()))
}

/// The nodes of `kind`, by their text.
fn texts<'t>(nodes: &Nodes<'t>, kind: Kind) -> Vec<&'t str> {
    all(nodes, kind).map(|n| nodes.text(n)).collect()
}

fn all(nodes: &Nodes<'_>, kind: Kind) -> impl Iterator<Item = NodeId> {
    (0..nodes.len() as u32)
        .map(NodeId)
        .filter(move |&n| nodes.kind(n) == kind)
}

/// The names of what `kind` declares.
fn names(nodes: &Nodes<'_>, kind: Kind) -> Vec<String> {
    all(nodes, kind)
        .map(|n| {
            nodes
                .name(nodes.child(n, Field::Name).unwrap())
                .into_owned()
        })
        .collect()
}

#[test]
fn every_row_has_a_fixture_and_every_fixture_a_row() {
    let mut folders: Vec<String> = std::fs::read_dir(fixtures())
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    folders.sort();
    let mut rows: Vec<&str> = REPAIRS.iter().map(|row| row.id).collect();
    rows.sort_unstable();
    assert_eq!(folders, rows);
}

#[test]
fn every_row_is_told_to_the_user() {
    let page = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/user/java-support.md"),
    )
    .unwrap();
    for row in REPAIRS {
        assert!(
            page.contains(&format!("`{}`", row.id)),
            "{} is not in java-support.md",
            row.id
        );
        assert!(
            page.contains(row.lost),
            "what {} loses is not in java-support.md: {}",
            row.id,
            row.lost
        );
    }
}

#[test]
fn every_fixture_is_read_without_an_error() {
    for row in REPAIRS {
        for path in java_files(&fixtures().join(row.id)) {
            let text = std::fs::read_to_string(&path).unwrap();
            let file = SourceFile::parse(Arc::from(text));
            assert_eq!(file.error_count(), 0, "{}", path.display());
            assert_eq!(file.is_repaired(), !row.in_nodes(), "{}", path.display());
        }
    }
}

#[test]
fn the_grammar_alone_fails_on_every_row_that_repairs_after_an_error() {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&syntax::language()).unwrap();
    for row in REPAIRS.iter().filter(|row| row.after_error()) {
        for path in java_files(&fixtures().join(row.id)) {
            let tree = parser.parse(std::fs::read(&path).unwrap(), None).unwrap();
            assert!(
                tree.root_node().has_error(),
                "{} needs no repair any more",
                path.display()
            );
        }
    }
}

/// A JDK 25, from `JAVA25_HOME` or where Linux distributions put one.
fn javac() -> Option<PathBuf> {
    let mut homes: Vec<PathBuf> = std::fs::read_dir("/usr/lib/jvm")
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|home| home.to_string_lossy().contains("25"))
        .collect();
    homes.sort();
    homes.splice(0..0, std::env::var_os("JAVA25_HOME").map(PathBuf::from));
    homes
        .into_iter()
        .map(|home| home.join("bin/javac"))
        .find(|javac| javac.exists())
}

#[test]
fn javac_accepts_every_fixture() {
    let Some(javac) = javac() else {
        eprintln!(
            "skipped: no JDK 25 (set JAVA25_HOME); the fixtures of the repairs were not compiled"
        );
        return;
    };
    // Of this checkout alone: another may run the same test, and a container has the same numbers of processes.
    let out =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("repairs-{}", std::process::id()));
    for row in REPAIRS {
        std::fs::create_dir_all(&out).unwrap();
        let compiled = Command::new(&javac)
            .args(["-nowarn", "-proc:none", "-encoding", "UTF-8", "-d"])
            .arg(&out)
            .args(java_files(&fixtures().join(row.id)))
            .output()
            .unwrap();
        std::fs::remove_dir_all(&out).unwrap();
        assert!(
            compiled.status.success(),
            "{}: {}",
            row.id,
            String::from_utf8_lossy(&compiled.stderr)
        );
    }
}

#[test]
fn escapes_are_read_as_java_reads_them() {
    let file = read("unicode_escape");
    let nodes = file.nodes();
    assert_eq!(names(&nodes, Kind::ClassDeclaration), ["Escapes"]);
    assert_eq!(
        names(&nodes, Kind::VariableDeclarator),
        [
            "abc", "été", "next", "last", "open", "escaped", "many", "plain", "quote"
        ]
    );
    assert_eq!(texts(&nodes, Kind::PlusEq).len(), 1);
    assert_eq!(all(&nodes, Kind::ReturnStatement).count(), 1);
}

#[test]
fn a_comment_ends_at_a_lone_cr() {
    let file = read("lone_cr");
    let nodes = file.nodes();
    assert_eq!(names(&nodes, Kind::VariableDeclarator), ["x"]);
    assert_eq!(names(&nodes, Kind::MethodDeclaration), ["get"]);
}

#[test]
fn values_come_from_the_original() {
    let file = read("nul");
    assert!(texts(&file.nodes(), Kind::StringLiteral).contains(&"\"a\0b\""));
    let file = read("number");
    let nodes = file.nodes();
    assert!(texts(&nodes, Kind::OctalIntegerLiteral).contains(&"0_17"));
    assert!(texts(&nodes, Kind::DecimalFloatingPointLiteral).contains(&"09f"));
    assert!(texts(&nodes, Kind::HexFloatingPointLiteral).contains(&"0x1p03"));
    let file = read("identifier_characters");
    assert_eq!(
        names(&file.nodes(), Kind::VariableDeclarator),
        ["price€", "£y", "‿z", "s"]
    );
}

#[test]
fn parameters_stay_variable() {
    let file = read("annotated_varargs");
    let nodes = file.nodes();
    assert_eq!(all(&nodes, Kind::SpreadParameter).count(), 2);
    assert_eq!(names(&nodes, Kind::VariableDeclarator), ["rest", "rest"]);
}

#[test]
fn a_parenthesized_target_is_assigned() {
    let file = read("parenthesized_target");
    let nodes = file.nodes();
    let targets: Vec<&str> = all(&nodes, Kind::AssignmentExpression)
        .map(|n| nodes.text(nodes.child(n, Field::Left).unwrap()))
        .collect();
    assert_eq!(targets, ["x", "a[0]", "this.x", "y", "x", "x", "x"]);
}

#[test]
fn patterns_bind_their_variables() {
    let file = read("final_annotated_pattern");
    let nodes = file.nodes();
    let bound: Vec<&str> = all(&nodes, Kind::TypePattern)
        .chain(all(&nodes, Kind::RecordPatternComponent))
        .map(|n| nodes.text(n))
        .collect();
    assert_eq!(
        bound,
        [
            "String t",
            "Integer i",
            "int x",
            "String s",
            "int x",
            "String s"
        ]
    );
    let tested: Vec<&str> = all(&nodes, Kind::InstanceofExpression)
        .filter_map(|n| nodes.child(n, Field::Name))
        .map(|n| nodes.text(n))
        .collect();
    assert_eq!(tested, ["t", "i"]);

    let file = read("variable_named_when");
    assert_eq!(
        texts(&file.nodes(), Kind::TypePattern),
        ["String when", "Integer when"]
    );

    let file = read("qualified_record_pattern");
    let nodes = file.nodes();
    let records: Vec<&str> = all(&nodes, Kind::RecordPattern)
        .map(|n| nodes.text(nodes.children(n).next().unwrap()))
        .collect();
    assert_eq!(
        records,
        [
            "Shape.Circle",
            "Shapes . Shape.Pair<?>",
            "Shape.Circle",
            "Shape.Circle",
            "Shape.Pair<?>",
            "Shape.Circle",
            "Shapes.Shape.Circle"
        ]
    );
}

#[test]
fn labels_of_a_switch() {
    let file = read("case_null_default");
    let nodes = file.nodes();
    let defaults = all(&nodes, Kind::SwitchLabel)
        .filter(|&n| nodes.child_of(n, Kind::KwDefault).is_some())
        .count();
    assert_eq!(defaults, 2);
    assert!(!texts(&nodes, Kind::Identifier).contains(&"default"));

    let file = read("several_patterns");
    let nodes = file.nodes();
    assert_eq!(all(&nodes, Kind::SwitchRule).count(), 3);
    assert_eq!(all(&nodes, Kind::Guard).count(), 1);
    assert_eq!(texts(&nodes, Kind::Pattern), ["A _", "A(_)", "C()", "A _"]);
}

#[test]
fn a_module_is_imported() {
    let file = read("import_module");
    let nodes = file.nodes();
    let modules: Vec<Option<&str>> = all(&nodes, Kind::ImportDeclaration)
        .filter_map(|import| nodes.child_of(import, Kind::ScopedIdentifier))
        .map(|name| nodes.text(name).strip_prefix("module "))
        .map(|module| module.map(str::trim_start))
        .collect();
    assert_eq!(modules, [Some("java.base"), Some("java.logging"), None]);
}

#[test]
fn constructor_calls_have_one_shape_wherever_they_stand() {
    let file = read("statements_before_super");
    let nodes = file.nodes();
    let calls: Vec<String> = all(&nodes, Kind::ExplicitConstructorInvocation)
        .map(|n| {
            let constructor = nodes.child(n, Field::Constructor).unwrap();
            let arguments = nodes.child(n, Field::Arguments).unwrap();
            let object = nodes
                .child(n, Field::Object)
                .map_or("", |object| nodes.text(object));
            let (kind, text) = (nodes.kind(constructor), nodes.text(constructor));
            format!(
                "{object} {kind:?} {text} {}",
                nodes.children(arguments).count()
            )
        })
        .collect();
    assert_eq!(
        calls,
        [
            " Super super 1",
            " This this 1",
            " This this 2",
            " Super super 1",
            "outer Super super 0"
        ]
    );
    // Dropping the invocation keeps the tree whole: each node's children tile its descendants.
    for at in 0..nodes.len() as u32 {
        let n = NodeId(at);
        let last = nodes
            .children(n)
            .last()
            .map_or(at + 1, |child| nodes.close(child));
        assert_eq!(last, nodes.close(n));
    }
    let statements: Vec<Kind> = all(&nodes, Kind::ConstructorBody)
        .flat_map(|n| {
            nodes
                .children(n)
                .map(|child| nodes.kind(child))
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(statements.len(), 4 + 2 + 2 + 2 + 2, "{statements:?}");
}

#[test]
fn fields_of_a_compact_source_file_are_fields() {
    let file = read("compact_source_field");
    let nodes = file.nodes();
    assert_eq!(all(&nodes, Kind::FieldDeclaration).count(), 3);
    assert_eq!(
        texts(&nodes, Kind::LocalVariableDeclaration),
        ["int local = LIMIT;"]
    );
}

#[test]
fn a_repair_that_does_not_help_is_not_kept() {
    let text = "class A { void f() { int x = ; foo(; } int y = 0_1 0_2 ~ }";
    let file = SourceFile::parse(Arc::from(text));
    assert!(file.has_errors());
    let clean = SourceFile::parse(Arc::from(
        "class A { String s = \"\\u0041\"; // \\u0020\r\n}",
    ));
    assert!(!clean.is_repaired());
}
