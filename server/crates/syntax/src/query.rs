//! What tree-sitter queries find in a file: tests and assertions.
//!
//! The queries stand in `queries/java/*.scm` and are compiled once; a user's queries run after the built-in ones and
//! use the same capture names. Predicates read the original text also where the tree is that of a repaired copy.
//! What a user's query may be and what it may take is bounded ([`bounds`], [`Allowance`]): it may be somebody else's.
//! A query walks the whole tree, so without a user's query a search for a few words decides first whether the file can
//! match at all; a production file pays for that search only.

mod bounds;

use smol_str::SmolStr;
use std::cell::Cell;
use std::ops::ControlFlow;
use text::Span;
use tree_sitter::{
    Node, Query, QueryCursor, QueryCursorOptions, QueryCursorState, StreamingIterator,
};

use crate::SourceFile;

const TESTS: &str = include_str!("../../../../queries/java/tests.scm");
const ASSERTIONS: &str = include_str!("../../../../queries/java/assertions.scm");

/// Words of which a file in which something is captured by the built-in `tests.scm` has at least one.
const TEST_WORDS: &[&str] = &[
    "@Test",
    "@ParameterizedTest",
    "@RepeatedTest",
    "@CartesianTest",
    "@RetryingTest",
    "@Theory",
    "@Nested",
    "@Before",
    "@After",
    "@RunWith",
    "@ExtendWith",
    "@org.",
    "TestCase",
    " test",
    "setUp",
    "tearDown",
];
/// The same for `assertions.scm`.
const ASSERTION_WORDS: &[&str] = &["assert", "fail", "verify", "shouldHaveThrown"];
/// Which query file is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueryFile {
    /// `tests.scm`, or the user's query for tests.
    Tests,
    /// `assertions.scm`, or the user's query for assertions.
    Assertions,
}

/// Why a query does not compile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryError {
    /// The query.
    pub file: QueryFile,
    /// 0-based line in it.
    pub line: u32,
    /// 0-based byte column in the line.
    pub column: u32,
    /// What is wrong, in tree-sitter's words.
    pub message: String,
}

impl std::fmt::Display for QueryError {
    /// `tests query, 3:14: Invalid node type "metod"`: 1-based, as people read them.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let file = match self.file {
            QueryFile::Tests => "tests",
            QueryFile::Assertions => "assertions",
        };
        write!(
            f,
            "{file} query, {}:{}: {}",
            self.line + 1,
            self.column + 1,
            self.message
        )
    }
}

impl std::error::Error for QueryError {}

/// What a test query found a declaration to be. The order is the precedence among several captures of one declaration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TestMarkKind {
    /// Runs before a test or before all.
    SetUp,
    /// Runs after a test or after all.
    TearDown,
    /// `@ParameterizedTest`.
    Parameterized,
    /// `@RepeatedTest`.
    Repeated,
    /// `@TestFactory`.
    Factory,
    /// `@TestTemplate`.
    Template,
    /// A test.
    Test,
    /// `public void testX()` in a class with a superclass of which only the hierarchy says if it is a JUnit 3 test
    /// case.
    Candidate,
    /// A class with `@Nested`.
    Nested,
    /// A class that holds a test, or says of itself that it is a test class.
    TestClass,
}

impl TestMarkKind {
    /// True for a method that a test framework runs as test.
    pub fn is_test(self) -> bool {
        use TestMarkKind::{Factory, Parameterized, Repeated, Template, Test};
        matches!(self, Test | Parameterized | Repeated | Factory | Template)
    }
}

/// A test, a method around tests, or a class of tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TestCapture {
    /// What it is.
    pub kind: TestMarkKind,
    /// The declaration, from its modifiers on.
    pub span: Span,
    /// The declared name.
    pub name: Span,
}

/// A statement or call that decides whether a test passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AssertionCapture {
    /// The assert statement, or the call with the calls chained to it: all of `assertThat(x).isEqualTo(y)`.
    pub span: Span,
    /// `assert`, or the name of the called method.
    pub name: SmolStr,
    /// The condition of the statement, or the parenthesised arguments of the named call.
    pub args: Span,
}

/// What a user's query found in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found<T> {
    /// As the built-in ones would give it.
    pub captures: Vec<T>,
    /// The query takes too much on this file, and there may be more to find.
    pub is_cut: bool,
}

/// The compiled queries. Compile once and share: it costs milliseconds.
#[derive(Debug)]
pub struct Queries {
    tests: Vec<Compiled>,
    assertions: Vec<Compiled>,
}

#[derive(Debug)]
struct Compiled {
    query: Query,
    /// A workspace's own: what it may take is bounded.
    bounded: bool,
    /// It has `?`, `*`, `+` or alternatives, so that one match begins in several ways.
    has_choices: bool,
}

impl Queries {
    /// The queries of `queries/java`.
    pub fn builtin() -> Queries {
        Queries::with_user(None, None).expect("the built-in queries compile, which a test checks")
    }

    /// The built-in queries and a user's in addition, with the capture names of `tests.scm` and `assertions.scm`.
    pub fn with_user(tests: Option<&str>, assertions: Option<&str>) -> Result<Queries, QueryError> {
        let all = |file, builtin, user: Option<&str>| {
            let builtin = compile(file, builtin, false);
            let user = user.map(|text| compile(file, text, true));
            [Some(builtin), user]
                .into_iter()
                .flatten()
                .collect::<Result<Vec<_>, _>>()
        };
        Ok(Queries {
            tests: all(QueryFile::Tests, TESTS, tests)?,
            assertions: all(QueryFile::Assertions, ASSERTIONS, assertions)?,
        })
    }

    /// The tests of `file` and what belongs to them, by place; one capture a declaration.
    pub fn tests(&self, file: &SourceFile) -> Vec<TestCapture> {
        let builtin_only = self.tests.len() == 1;
        if builtin_only && !has_word(file, TEST_WORDS) {
            return Vec::new();
        }
        tests(&self.tests, file).captures
    }

    /// What only the user's query for tests finds.
    pub fn user_tests(&self, file: &SourceFile) -> Found<TestCapture> {
        tests(&self.tests[1..], file)
    }

    /// The assertions of `file`, by place. One inside the arguments of another is a capture of its own.
    pub fn assertions(&self, file: &SourceFile) -> Vec<AssertionCapture> {
        let builtin_only = self.assertions.len() == 1;
        if builtin_only && !has_word(file, ASSERTION_WORDS) {
            return Vec::new();
        }
        assertions(&self.assertions, file).captures
    }

    /// What only the user's query for assertions finds.
    pub fn user_assertions(&self, file: &SourceFile) -> Found<AssertionCapture> {
        assertions(&self.assertions[1..], file)
    }
}

fn tests(queries: &[Compiled], file: &SourceFile) -> Found<TestCapture> {
    let mut is_cut = false;
    let mut captures: Vec<TestCapture> = Vec::new();
    let mut classes: Vec<TestCapture> = Vec::new();
    for query in queries {
        is_cut |= !run(query, file, |nodes| {
            for (capture, node) in nodes {
                let kind = match *capture {
                    "setup" => TestMarkKind::SetUp,
                    "teardown" => TestMarkKind::TearDown,
                    "test.parameterized" => TestMarkKind::Parameterized,
                    "test.repeated" => TestMarkKind::Repeated,
                    "test.factory" => TestMarkKind::Factory,
                    "test.template" => TestMarkKind::Template,
                    "test" => TestMarkKind::Test,
                    "test.candidate" => TestMarkKind::Candidate,
                    "class.nested" => TestMarkKind::Nested,
                    "class.test" | "class" => TestMarkKind::TestClass,
                    _ => continue,
                };
                let name = named(nodes, "name")
                    .or_else(|| node.child_by_field_name("name"))
                    .unwrap_or(*node);
                let captured = TestCapture {
                    kind,
                    span: span(*node),
                    name: span(name),
                };
                if *capture == "class" {
                    classes.push(captured)
                } else {
                    captures.push(captured)
                }
            }
        });
    }
    classes.sort_by_key(outer_first);
    classes.dedup();
    for at in 0..captures.len() {
        if captures[at].kind.is_test()
            && let Some(class) = innermost(&classes, captures[at].span)
        {
            captures.push(class);
        }
    }
    captures.sort_by_key(|captured| (outer_first(captured), captured.kind));
    captures.dedup_by_key(|captured| captured.span);
    Found { captures, is_cut }
}

fn assertions(queries: &[Compiled], file: &SourceFile) -> Found<AssertionCapture> {
    let mut is_cut = false;
    let mut captures = Vec::new();
    for query in queries {
        is_cut |= !run(query, file, |nodes| {
            let Some(node) = named(nodes, "assertion") else {
                return;
            };
            let name = named(nodes, "assertion.name").map_or("", |name| text(file, name));
            let args = named(nodes, "assertion.args").unwrap_or(node);
            let args = span(args);
            captures.push(AssertionCapture {
                span: chain(node),
                name: SmolStr::new(name),
                args,
            });
        });
    }
    captures.sort_by(|a, b| {
        (a.span.start, a.args, a.span.end).cmp(&(b.span.start, b.args, b.span.end))
    });
    captures.dedup_by(|later, earlier| later.args == earlier.args);
    Found { captures, is_cut }
}

fn compile(file: QueryFile, text: &str, bounded: bool) -> Result<Compiled, QueryError> {
    let checked = match bounded {
        true => bounds::check(text),
        false => Ok(false),
    };
    let has_choices = checked.map_err(|(at, message)| {
        let before = &text.as_bytes()[..at];
        let start = before
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |newline| newline + 1);
        QueryError {
            file,
            line: before.iter().filter(|&&b| b == b'\n').count() as u32,
            column: (at - start) as u32,
            message,
        }
    })?;
    let query = Query::new(&crate::language(), text).map_err(|error| QueryError {
        file,
        line: error.row as u32,
        column: error.column as u32,
        message: without_place(&error.to_string()),
    })?;
    Ok(Compiled {
        query,
        bounded,
        has_choices,
    })
}

/// Tree-sitter's words, less the place that they begin with: it stands in the error.
fn without_place(message: &str) -> String {
    match message.split_once(". ") {
        Some((place, rest)) if place.starts_with("Query error at") => rest.to_owned(),
        _ => message.to_owned(),
    }
}

/// How much a workspace's query may take on one file, by what it does and not by the clock: the same on every machine.
struct Allowance {
    /// How many matches may have begun and not ended at one moment; a query may be written so that there is one for each set
    /// of nodes. Beyond it those that began first are forgotten.
    started: u32,
    /// How many times a thousand steps may be made. Entering or leaving a node is a step, and another one for each match
    /// that has begun. The built-in queries make two for a byte of a usual file, and eleven of an odd one.
    steps: usize,
    /// How many bytes of text predicates may be given, with some for each text.
    text: usize,
}

impl Allowance {
    fn of(compiled: &Compiled, file: &SourceFile) -> Allowance {
        let bytes = file.text().len();
        let patterns = compiled.query.pattern_count().min(12);
        match compiled.bounded {
            true => Allowance {
                started: if compiled.has_choices { 32 } else { 128 },
                steps: 200 + bytes * (16 + 4 * patterns) / 1_000,
                text: (1 << 20) + 64 * bytes,
            },
            false => Allowance {
                started: u32::MAX,
                steps: usize::MAX,
                text: usize::MAX,
            },
        }
    }
}

/// What a text costs besides its bytes.
const A_TEXT: usize = 16;

/// Calls `found` with the captures of each match whose predicates hold on the original text. False if the query takes more
/// than it may: there may be other matches.
fn run<'f>(
    compiled: &Compiled,
    file: &'f SourceFile,
    mut found: impl FnMut(&[(&str, Node<'f>)]),
) -> bool {
    let query = &compiled.query;
    let names = query.capture_names();
    let allowed = Allowance::of(compiled, file);
    let (mut steps, given, is_over) = (0, Cell::new(0), Cell::new(false));
    let mut go_on = |_: &QueryCursorState| {
        steps += 1;
        is_over.set(is_over.get() || steps > allowed.steps);
        match is_over.get() {
            false => ControlFlow::Continue(()),
            true => ControlFlow::Break(()),
        }
    };
    let text = file.text().as_bytes();
    let given_to_predicates = |node: Node<'_>| {
        let asked = &text[node.byte_range()];
        given.set(given.get() + asked.len() + A_TEXT);
        is_over.set(is_over.get() || given.get() > allowed.text);
        std::iter::once(if is_over.get() { &[][..] } else { asked })
    };
    let mut cursor = QueryCursor::new();
    cursor.set_match_limit(allowed.started);
    let options = QueryCursorOptions::new().progress_callback(&mut go_on);
    let root = file.tree().root_node();
    let mut matches = cursor.matches_with_options(query, root, given_to_predicates, options);
    let mut captures = Vec::new();
    while let Some(one) = matches.next()
        && !is_over.get()
    {
        captures.clear();
        captures.extend(
            one.captures()
                .iter()
                .map(|capture| (names[capture.index as usize], capture.node)),
        );
        found(&captures);
    }
    drop(matches);
    !is_over.get() && !cursor.did_exceed_match_limit()
}

fn named<'t>(captures: &[(&str, Node<'t>)], name: &str) -> Option<Node<'t>> {
    captures
        .iter()
        .find(|capture| capture.0 == name)
        .map(|capture| capture.1)
}

fn span(node: Node<'_>) -> Span {
    Span::new(node.start_byte() as u32, node.end_byte() as u32)
}

fn text<'f>(file: &'f SourceFile, node: Node<'_>) -> &'f str {
    file.text().get(node.byte_range()).unwrap_or("")
}

/// By start; of two with one start the outer one first.
fn outer_first(captured: &TestCapture) -> (u32, std::cmp::Reverse<u32>) {
    (captured.span.start, std::cmp::Reverse(captured.span.end))
}

/// The smallest of `classes` (outer first) around `inner`.
fn innermost(classes: &[TestCapture], inner: Span) -> Option<TestCapture> {
    let before = classes.partition_point(|class| class.span.start <= inner.start);
    classes[..before]
        .iter()
        .rev()
        .find(|class| class.span.covers(inner))
        .copied()
}

/// The span of the longest chain of calls and accesses that starts with the call `node`.
fn chain(node: Node<'_>) -> Span {
    let mut end = node;
    while let Some(parent) = end.parent() {
        let object = parent.child_by_field_name("object");
        if !matches!(parent.kind(), "method_invocation" | "field_access") || object != Some(end) {
            break;
        }
        end = parent;
    }
    Span::new(node.start_byte() as u32, end.end_byte() as u32)
}

fn has_word(file: &SourceFile, words: &[&str]) -> bool {
    words
        .iter()
        .any(|word| memchr::memmem::find(file.text().as_bytes(), word.as_bytes()).is_some())
}
