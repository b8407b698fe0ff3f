//! What the built-in queries find, where they stay silent, and what a user's queries add.

use std::sync::Arc;

use syntax::{Queries, QueryFile, SourceFile};
use text::Span;

fn parse(text: &str) -> SourceFile {
    SourceFile::parse(Arc::from(text))
}

fn at(file: &SourceFile, span: Span) -> &str {
    &file.text()[span.range()]
}

/// `Kind name` of every capture, by place.
fn tests(text: &str) -> Vec<String> {
    let file = parse(text);
    assert!(!file.has_errors(), "{text}");
    Queries::builtin()
        .tests(&file)
        .iter()
        .map(|capture| format!("{:?} {}", capture.kind, at(&file, capture.name)))
        .collect()
}

/// `name: span | args` of every capture.
fn assertions(text: &str) -> Vec<String> {
    let file = parse(&format!("class A {{ void f() {{ {text} }} }}"));
    assert!(!file.has_errors(), "{text}");
    let captures = Queries::builtin().assertions(&file);
    captures
        .iter()
        .map(|capture| {
            format!(
                "{}: {} | {}",
                capture.name,
                at(&file, capture.span),
                at(&file, capture.args)
            )
        })
        .collect()
}

#[test]
fn annotated_tests() {
    let found = tests(
        "import org.junit.jupiter.api.*;
         class StackTest {
           @BeforeAll static void all() {} @BeforeEach void before() {} @AfterEach void after() {} @AfterClass void end() {}
           @Test void plain() {} @Test(timeout = 5) public void timed() {} @org.junit.Test public void qualified() {}
           @ParameterizedTest @ValueSource(ints = {1}) void each(int x) {}
           @RepeatedTest(3) void again() {} @TestFactory Stream<X> made() { return null; } @TestTemplate void t() {}
           @Nested class Inner { @DisplayName(\"x\") @Test void inner() {} }
           void helper() {} @Override public String toString() { return null; } @TestOnly void no() {}
           class Data { void get() {} }
         }
         interface Contract { @Test default void holds() {} }
         class Other { void test() {} }",
    );
    assert_eq!(
        found,
        [
            "TestClass StackTest",
            "SetUp all",
            "SetUp before",
            "TearDown after",
            "TearDown end",
            "Test plain",
            "Test timed",
            "Test qualified",
            "Parameterized each",
            "Repeated again",
            "Factory made",
            "Template t",
            "Nested Inner",
            "Test inner",
            "TestClass Contract",
            "Test holds"
        ]
    );
}

#[test]
fn junit_3_tests() {
    let found = tests(
        "public class ATest extends junit.framework.TestCase {
           protected void setUp() throws Exception {} protected void tearDown() {}
           public void testOne() {} public void test() {}
           void testHidden() {} public void testWith(int x) {} public int testValue() { return 1; }
           public static Test suite() { return null; }
         }
         class BTest extends AbstractMapTestCase<K, V> { public void testTwo() {} }
         class CTest extends AbstractMapTest { public void testThree() {} }
         class Plain { public void testFour() {} void setUp() {} }",
    );
    assert_eq!(
        found,
        [
            "TestClass ATest",
            "SetUp setUp",
            "TearDown tearDown",
            "Test testOne",
            "Test test",
            "TestClass BTest",
            "Test testTwo",
            "Candidate testThree"
        ]
    );
}

#[test]
fn testng_classes() {
    let found = tests(
        "@Test(groups = \"x\") public class NgTest { @BeforeMethod public void b() {} public void a() {} void c() {}
           public int d() { return 1; } }",
    );
    assert_eq!(found, ["TestClass NgTest", "SetUp b", "Test a"]);
}

#[test]
fn production_code_has_no_tests() {
    assert!(
        tests("/** Runs a test; see TestCase. */ class Runner { @Tested void testimony() {} }")
            .is_empty()
    );
}

#[test]
fn every_style_of_assertion() {
    assert_eq!(
        assertions(
            "assert x > 1 : \"no\"; assertEquals(1, x); Assert.assertTrue(b); fail(); Assertions.fail(\"m\");"
        ),
        [
            "assert: assert x > 1 : \"no\"; | x > 1",
            "assertEquals: assertEquals(1, x) | (1, x)",
            "assertTrue: Assert.assertTrue(b) | (b)",
            "fail: fail() | ()",
            "fail: Assertions.fail(\"m\") | (\"m\")"
        ]
    );
    assert_eq!(
        assertions(
            "assertThat(x).isNotNull().isEqualTo(y); assertThat(x, is(y)); assertWithMessage(m).that(x).isNull();"
        ),
        [
            "assertThat: assertThat(x).isNotNull().isEqualTo(y) | (x)",
            "assertThat: assertThat(x, is(y)) | (x, is(y))",
            "assertWithMessage: assertWithMessage(m).that(x).isNull() | (m)"
        ]
    );
    assert_eq!(
        assertions(
            "verify(m, times(1)).get(0); Mockito.verify(m).put(1); inOrder.verify(m).x(); verifyNoMoreInteractions(m);"
        ),
        [
            "verify: verify(m, times(1)).get(0) | (m, times(1))",
            "verify: Mockito.verify(m).put(1) | (m)",
            "verify: inOrder.verify(m).x() | (m)",
            "verifyNoMoreInteractions: verifyNoMoreInteractions(m) | (m)"
        ]
    );
    assert_eq!(
        assertions("assertAll(() -> assertEquals(1, x), () -> assertThrows(E.class, () -> f()));")
            .len(),
        3
    );
    assert_eq!(
        assertions("E e = assertThrows(E.class, () -> { fail(); });").len(),
        2
    );
}

#[test]
fn calls_that_only_look_like_assertions() {
    let silent =
        "signature.verify(bytes); logger.fail(x); assertion(x); asserts.add(1); verifyAddress(x);
        failure(); String assertThat = \"assertTrue(x)\"; // assertTrue(x)\n";
    assert_eq!(assertions(silent), [""; 0]);
}

#[test]
fn predicates_read_the_original_text() {
    // The copy that was parsed has `assert_quals` nowhere and `_u0041bc` for the name.
    let file = parse("class \\u0041bc_ESTest { @Test void f() { (x) = 0_1; assertTrue(x); } }");
    assert!(file.is_repaired() && !file.has_errors());
    let queries = Queries::builtin();
    assert_eq!(queries.assertions(&file).len(), 1);
    assert_eq!(at(&file, queries.tests(&file)[0].name), "\\u0041bc_ESTest");
}

#[test]
fn a_users_queries_add_to_the_built_in_ones() {
    let queries = Queries::with_user(
        Some(
            "(method_declaration (modifiers (marker_annotation name: (identifier) @a)) name: (identifier) @name
               (#eq? @a \"Property\")) @test.parameterized",
        ),
        Some(
            "(method_invocation name: (identifier) @assertion.name arguments: (argument_list) @assertion.args
               (#match? @assertion.name \"^check\")) @assertion",
        ),
    )
    .expect("the queries compile");
    let file = parse(
        "class P { @Property void p() { checkSorted(x); } @Test void t() { assertTrue(x); } }",
    );
    let kinds: Vec<String> = queries
        .tests(&file)
        .iter()
        .map(|capture| format!("{:?}", capture.kind))
        .collect();
    assert_eq!(kinds, ["TestClass", "Parameterized", "Test"]);
    assert_eq!(queries.assertions(&file).len(), 2);
}

#[test]
fn a_wrong_query_says_where() {
    let error = Queries::with_user(None, Some("\n  (metod_invocation) @assertion"))
        .expect_err("no such node");
    assert_eq!(
        (error.file, error.line, error.column),
        (QueryFile::Assertions, 1, 3)
    );
    assert!(
        error.to_string().starts_with("assertions query, 2:4: "),
        "{error}"
    );
    assert!(error.message.contains("metod_invocation"), "{error}");
    let error = Queries::with_user(Some("(method_declaration"), None).expect_err("unclosed");
    assert_eq!(error.file, QueryFile::Tests);
    let error = Queries::with_user(Some("((identifier) @a (#match? @a \"[\"))"), None)
        .expect_err("no regex");
    assert_eq!(error.file, QueryFile::Tests);
}
