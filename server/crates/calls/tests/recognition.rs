//! Tests and assertions are told twice: by the queries of `queries/java` on a syntax tree, and by name on the records of
//! the program. Both must say the same, here on written cases and on every test of the subjects under
//! `TELLTALE_SUBJECTS`.
// Tests may read files and say what they skip.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::print_stderr,
    clippy::unwrap_used
)]

use calls::Workspace;
use oracle::{TestKind, is_assertion};
use program::{FileInput, Program, ProgramInput, SourceSetId, SourceSetInput};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use syntax::{Queries, SourceFile, TestMarkKind};

fn program(files: Vec<(String, Arc<str>)>, queries: Option<Queries>) -> Program {
    let sets = vec![SourceSetInput {
        is_test: true,
        visible: Vec::new(),
    }];
    let files = files
        .into_iter()
        .map(|(path, text)| FileInput {
            path: path.into(),
            source_set: SourceSetId(0),
            text,
        })
        .collect();
    Program::build_with(ProgramInput {
        source_sets: sets,
        files,
        queries: queries.map(Arc::new),
        ..ProgramInput::default()
    })
}

/// Where the calls of a file that assert end, and where what `assert` statements check begins, by the records of its bodies.
fn native_assertions(program: &Program, file: program::FileId) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    for &id in program.bodies_of_file(file) {
        let decl = program.body(id).unwrap();
        for c in 0..decl.body.calls.len() as u32 {
            if is_assertion(&decl.body, flow::CallId(c), &decl.assertions) {
                let e = decl.body.calls[c as usize].expr;
                found.insert(decl.start + decl.body.expr(e).end);
            }
        }
        for &condition in &decl.body.asserts {
            found.insert(decl.start + decl.body.expr(condition).start);
        }
    }
    found
}

/// The tests, set-ups and tear-downs of a file by the place of their names.
fn native_tests(workspace: &Workspace, file: program::FileId) -> BTreeMap<u32, TestKind> {
    let program = workspace.program();
    let summary = program.summary(file).unwrap();
    let mut found = BTreeMap::new();
    for (t, &owner) in program.types_of_file(file).iter().enumerate() {
        for (m, &id) in program.methods_of_type(owner).iter().enumerate() {
            if let Some(kind) = workspace.suite().kind(id) {
                found.insert(summary.types[t].methods[m].name_span.start, kind);
            }
        }
    }
    found
}

/// What the two ways say differently of a file.
fn differences(workspace: &Workspace, queries: &Queries, path: &str) -> Vec<String> {
    let program = workspace.program();
    let id = program.file(path).unwrap();
    let file = SourceFile::parse(program.text(id).unwrap().clone());
    let mut out = Vec::new();
    let mut tell = |what: &str, at: u32| {
        let text = file.text();
        let line = text[..at as usize].matches('\n').count() + 1;
        out.push(format!("{path}:{line}: {what}"));
    };
    let marked: BTreeSet<u32> = queries
        .assertions(&file)
        .iter()
        .map(|a| {
            let args = &file.text()[a.args.start as usize..a.args.end as usize];
            if a.name == "assert" && a.span.end > a.args.end {
                let inside = args.trim_start_matches(|c: char| c == '(' || c.is_whitespace());
                a.args.end - inside.len() as u32
            } else {
                a.args.end
            }
        })
        .collect();
    let native = native_assertions(program, id);
    for &at in marked.difference(&native) {
        tell("an assertion of the query only", at);
    }
    for &at in native.difference(&marked) {
        tell("an assertion of the records only", at);
    }
    let native = native_tests(workspace, id);
    let mut seen = BTreeSet::new();
    for mark in queries.tests(&file) {
        let (at, found) = (mark.name.start, native.get(&mark.name.start));
        seen.insert(at);
        // Only the hierarchy knows what stands below a test case: candidates and methods by name may be less.
        let same = match mark.kind {
            TestMarkKind::Nested | TestMarkKind::TestClass => continue,
            TestMarkKind::Candidate => found.is_none_or(|k| *k == TestKind::Test),
            TestMarkKind::SetUp => {
                found == Some(&TestKind::SetUp) || found.is_none() && named(&file, at, "setUp")
            }
            TestMarkKind::TearDown => {
                found == Some(&TestKind::TearDown)
                    || found.is_none() && named(&file, at, "tearDown")
            }
            _ => found == Some(&TestKind::Test),
        };
        if !same {
            tell(
                &format!("{:?} by the query, {found:?} by the records", mark.kind),
                at,
            );
        }
    }
    for (&at, kind) in &native {
        if !seen.contains(&at) {
            tell(&format!("{kind:?} by the records only"), at);
        }
    }
    out
}

fn named(file: &SourceFile, at: u32, name: &str) -> bool {
    file.text()[at as usize..].starts_with(name)
}

fn java_files(root: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
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

#[test]
fn both_ways_agree_on_every_test_of_the_subjects() {
    let Some(root) = std::env::var_os("TELLTALE_SUBJECTS").map(PathBuf::from) else {
        eprintln!("skipped: TELLTALE_SUBJECTS is not set");
        return;
    };
    let queries = Queries::builtin();
    let mut wrong = Vec::new();
    let (mut tests, mut assertions) = (0, 0);
    for subject in std::fs::read_dir(&root).unwrap().flatten() {
        let folder = subject.path().join("src/test/java");
        let files: Vec<(String, Arc<str>)> = java_files(&folder)
            .iter()
            .filter_map(|path| {
                let text = std::fs::read_to_string(path).ok()?;
                Some((path.to_string_lossy().into_owned(), Arc::from(text)))
            })
            .collect();
        let paths: Vec<String> = files.iter().map(|f| f.0.clone()).collect();
        let workspace = Workspace::new(program(files, None));
        tests += workspace.suite().tests().len();
        for path in &paths {
            let id = workspace.program().file(path).unwrap();
            assertions += native_assertions(workspace.program(), id).len();
            wrong.extend(differences(&workspace, &queries, path));
        }
    }
    eprintln!("{tests} tests, {assertions} assertions");
    assert!(
        tests > 5_000 && assertions > 20_000,
        "the subjects have more"
    );
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(40)].join("\n")
    );
}

#[test]
fn both_ways_agree_on_written_cases() {
    let text = r#"
import static org.junit.Assert.*;
class Plain {
    @org.junit.Test public void one() { assertEquals(1, 1); fail("x"); asserts(); assertion(1); assert_that(2); }
    @ParameterizedTest void two(int a) { Assertions.assertTrue(a > 0); logger.fail(a); this.fail(a); TestCase.fail(); }
    @RepeatedTest(3) void three() { verify(m).get(); Mockito.verify(m, times(1)).get(); signature.verify(b); inOrder2.verify(m); }
    @TestFactory Object four() { return () -> assertNull(null); }
    @TestTemplate void five() { assertThat(x).isEqualTo(assert2(3)); }
    @Test void behaves() { then(x).isEqualTo(3); BDDAssertions.then(a.b()).as("it").isNull(); softly.then(x).isNull(); }
    @Test void others() { then(mock).should().run(); BDDMockito.then(mock).shouldHaveNoInteractions(); then(x); promise.then(x).get(); given().then().body(x); then(a, b).get(); }
    @CartesianTest void six() { new Object() { void f() { assertSame(this, this); } }; }
    @RetryingTest(2) void seven() { }
    @Theory public void eight() { org.junit.Assert.fail(); }
    @BeforeEach void a() { } @AfterAll static void b() { } @BeforeGroups void c() { } @AfterGroups void d() { }
    void assertSorted(int[] a) { assert a != null : "none"; assert (a.length > 0); assert(true); }
    public void testNothing() { }
}
class Old extends junit.framework.TestCase {
    protected void setUp() { } protected void tearDown() { }
    public void testIt() { assertTrue(true); } void testNot() { } public void testArg(int x) { } public int testInt() { return 1; }
}
class Older extends Old { public void testMore() { } }
@Test public class All { public void one() { } public int two() { return 1; } void three() { } private void four() { } public static void five() { } }
"#;
    let workspace = Workspace::new(program(vec![("T.java".into(), text.into())], None));
    let queries = Queries::builtin();
    assert_eq!(
        differences(&workspace, &queries, "T.java"),
        Vec::<String>::new()
    );
    let id = workspace.program().file("T.java").unwrap();
    assert_eq!(native_assertions(workspace.program(), id).len(), 21);
    let tests = native_tests(&workspace, id);
    assert_eq!(tests.values().filter(|k| **k == TestKind::Test).count(), 13);
    assert_eq!(tests.len(), 19);
}

#[test]
fn annotations_of_the_workspace_that_are_made_of_a_frameworks_are_known() {
    let files = [
        ("Slow.java", "@Test @Tag(\"slow\") @interface Slow { }"),
        ("Slower.java", "@Slow @interface Slower { }"),
        ("Prepared.java", "@BeforeEach @interface Prepared { }"),
        ("Marked.java", "@Tag(\"slow\") @interface Marked { }"),
        (
            "CartTest.java",
            "class CartTest { @Slow void a() { } @Slower void b() { } @Marked void c() { } @Prepared void d() { } @Slowest void e() { } }",
        ),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), Arc::from(text)));
    let workspace = Workspace::new(program(files.to_vec(), None));
    let id = workspace.program().file("CartTest.java").unwrap();
    let kinds: Vec<TestKind> = native_tests(&workspace, id).into_values().collect();
    assert_eq!(kinds, [TestKind::Test, TestKind::Test, TestKind::SetUp]);
}

#[test]
fn a_users_queries_add_tests_and_assertions() {
    let text = r#"
class Cart {
    int total;
    @Check void adds() { must(total, 3); other(total); }
    @Prepare void before() { }
    void other(int x) { }
}
"#;
    let queries = Queries::with_user(
        Some(
            r#"(method_declaration (modifiers (_ name: (_) @a)) name: (identifier) @name (#eq? @a "Check")) @test
               (method_declaration (modifiers (_ name: (_) @a)) name: (identifier) @name (#eq? @a "Prepare")) @setup"#,
        ),
        Some(r#"(method_invocation name: (identifier) @assertion.name arguments: (argument_list) @assertion.args
                (#eq? @assertion.name "must")) @assertion"#),
    )
    .unwrap();
    let workspace = Workspace::new(program(
        vec![("Cart.java".into(), text.into())],
        Some(queries),
    ));
    let id = workspace.program().file("Cart.java").unwrap();
    let kinds: Vec<TestKind> = native_tests(&workspace, id).into_values().collect();
    assert_eq!(kinds, [TestKind::Test, TestKind::SetUp]);
    let test = workspace.suite().tests()[0];
    let chains = workspace
        .chains(workspace.program().method_body(test).unwrap())
        .unwrap();
    assert_eq!(chains.assertions.len(), 1);
    assert_eq!(chains.reads[0].len(), 1, "it reads `total`");

    // An edit that takes the mark away takes the test and the assertion away.
    let text: Arc<str> = text
        .replace("@Check", "@Later")
        .replace("must(", "most(")
        .into();
    let later = workspace.with_program(workspace.program().with_changes(vec![program::Change {
        path: "Cart.java".into(),
        source_set: SourceSetId(0),
        text: Some(text),
    }]));
    assert!(later.suite().tests().is_empty());
    let id = later.program().file("Cart.java").unwrap();
    assert_eq!(native_assertions(later.program(), id).len(), 0);
}
