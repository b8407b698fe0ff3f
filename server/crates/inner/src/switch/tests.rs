use std::sync::Arc;

use expect_test::{Expect, expect};
use syntax::SourceFile;
use text::{Span, apply_disjoint};

use super::{switch_off, switch_on};
use crate::Refusal;

/// The span of the first method with a body, and the spans of `call()` in it.
fn places(text: &str) -> (Span, Vec<Span>) {
    let start = text.find("@Test").or_else(|| text.find("void")).unwrap() as u32;
    let file = SourceFile::parse(text.into());
    let nodes = file.nodes();
    let method = (0..nodes.len() as u32).map(syntax::NodeId).find(|&n| {
        nodes.kind(n) == syntax::Kind::MethodDeclaration && nodes.span(n).start == start
    });
    let calls = text
        .match_indices("call()")
        .map(|(at, call)| Span::new(at as u32, (at + call.len()) as u32));
    (method.map(|n| nodes.span(n)).unwrap(), calls.collect())
}

fn on(text: &str) -> Result<String, Refusal> {
    let file = SourceFile::parse(Arc::from(text));
    let (test, calls) = places(text);
    let edits = switch_on(&file, test, &calls, "T.t: x", "InnerOracle")?;
    Ok(apply_disjoint(text, &edits).unwrap())
}

/// The text with the oracle on is as expected, and off again it is what it was.
fn check(text: &str, expected: Expect) {
    let with = on(text).unwrap();
    expected.assert_eq(&with);
    let file = SourceFile::parse(with.as_str().into());
    assert_eq!(file.error_count(), 0);
    let edits = switch_off(&file, "T.t: x").unwrap();
    assert_eq!(apply_disjoint(&with, &edits).unwrap(), text);
}

#[test]
fn the_smallest_run_of_statements_that_holds_the_calls() {
    check(
        r#"
class T {
    @Test void t() {
        int a = 1;
        // About the call.
        int b = call();   // trailing

        check(
            b);
        after();
    }
}
"#,
        expect![[r#"

            class T {
                @Test void t() {
                    int a = 1;
                    // About the call.
                    try (InnerOracle inner = InnerOracle.on("T.t: x")) {
                        int b = call();   // trailing

                        check(
                            b);
                    }
                    after();
                }
            }
        "#]],
    );
}

#[test]
fn one_line() {
    check(
        "class T { @Test void t() { call(); } }",
        expect![[
            r#"class T { @Test void t() { try (InnerOracle inner = InnerOracle.on("T.t: x")) { call(); } } }"#
        ]],
    );
}
