//! Assertions that tell whether they hold, one by one: a failing one does not hide what comes after it.
//!
//! `assertTrue(b);` becomes `try { assertTrue(b); Labels.held(7); } catch (Throwable t) { Labels.broke(7, t); }`, in one
//! line, so that what the compiler says still points at the test.

use syntax::Field;
use text::{Edit, Span};

use super::java::{below, called, edited, parse, tests};

/// The class that is told; see `Labels.java`.
const TOLD: &str = "telltale.labels.Labels";

/// A name that no test has.
const CAUGHT: &str = "telltale$why";

/// A statement that asserts a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    /// The test's name.
    pub(super) test: String,
    /// In the text before weaving, with its semicolon.
    pub(super) span: Span,
}

/// The assertions of a file's tests, in order. What says that an exception was expected is none.
pub(super) fn statements(text: &str) -> Vec<Statement> {
    let file = parse(text);
    let nodes = file.nodes();
    let mut out = Vec::new();
    for test in tests(&nodes) {
        for n in below(&nodes, test.node) {
            let Some((call, name)) = called(&nodes, n) else {
                continue;
            };
            let object = nodes.child(call, Field::Object).map(|o| nodes.text(o));
            let is_own = object.is_none_or(|o| o.ends_with("Assert") || o.ends_with("TestCase"));
            let what = name.strip_prefix("assert");
            if is_own && what.is_some_and(|w| w.starts_with(char::is_uppercase)) {
                out.push(Statement {
                    test: test.name.clone(),
                    span: nodes.span(n),
                });
            }
        }
    }
    out
}

/// Weaves the statements of a text, which are numbered from `first`.
pub(super) fn weave(text: &str, statements: &[Statement], first: usize) -> Option<String> {
    let edits = statements.iter().enumerate().flat_map(|(at, statement)| {
        let id = first + at;
        let Span { start, end } = statement.span;
        [
            Edit::new(Span::new(start, start), "try { "),
            Edit::new(
                Span::new(end, end),
                format!(
                    " {TOLD}.held({id}); }} catch (Throwable {CAUGHT}) {{ {TOLD}.broke({id}, {CAUGHT}); }}"
                ),
            ),
        ]
    });
    edited(text, edits.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: &str = "class A {\n  @Test public void a() throws Throwable {\n    boolean b = x(); assertTrue(b);\n    if (b) Assert.assertEquals(1,\n      y());\n    try { z(); fail(\"Expecting exception: E\"); } catch (E e) { assertNull(e.x()); }\n    thing.assertDone(); assertion();\n  }\n  void helper() { assertTrue(false); }\n}\n";

    #[test]
    fn assertions_of_tests_are_found() {
        let found = statements(TEST);
        let text = |s: &Statement| &TEST[s.span.range()];
        let texts: Vec<&str> = found.iter().map(text).collect();
        let expected = [
            "assertTrue(b);",
            "Assert.assertEquals(1,\n      y());",
            "assertNull(e.x());",
        ];
        assert_eq!(texts, expected);
        assert!(found.iter().all(|s| s.test == "a"));
    }

    #[test]
    fn each_tells_by_its_number_in_the_same_line() {
        let found = statements(TEST);
        let woven = weave(TEST, &found, 40).expect("they do not meet");
        assert_eq!(woven.lines().count(), TEST.lines().count());
        let line = woven.lines().nth(2).expect("a line");
        assert_eq!(
            line,
            "    boolean b = x(); try { assertTrue(b); telltale.labels.Labels.held(40); } catch (Throwable telltale$why) { telltale.labels.Labels.broke(40, telltale$why); }"
        );
        assert_eq!(woven.matches("Labels.held(4").count(), 3);
        assert!(!parse(&woven).has_errors(), "{woven}");
        // Unwoven statements stay in place.
        assert!(
            woven.contains("fail(\"Expecting exception: E\"); } catch (E e) { try { assertNull")
        );
    }

    #[test]
    fn a_file_without_tests_stays_as_it_is() {
        let text = "class A { void helper() { assertTrue(false); } }";
        assert!(statements(text).is_empty());
        assert_eq!(weave(text, &[], 0).as_deref(), Some(text));
    }
}
