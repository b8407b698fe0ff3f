use std::sync::Arc;

use expect_test::{Expect, expect};
use syntax::SourceFile;
use text::{Span, apply_disjoint};

use super::{Switch, Turn, Words, switch_off, switch_on};
use crate::Refusal;

/// Those of JUnit and TestNG.
const WORDS: Words<'_> = Words {
    apart: &["assertTimeoutPreemptively"],
    throws_by: &["expected"],
    told_to_throw: &["expect"],
};

fn every<'a>(id: &'a str, class: &'a str) -> Switch<'a> {
    Switch {
        words: WORDS,
        ..Switch::new(id, class)
    }
}

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
    let edits = switch_on(&file, test, &calls, &every("T.t: x", "InnerOracle"))?;
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

#[test]
fn what_is_declared_inside_and_used_after_comes_along() {
    check(
        r#"
class T {
  @Test
  void t() {
    before();
    int b = call();
    if (!(o instanceof String s)) return;
    class Local {}
    assertEquals(1, b);
    assertEquals(2, s.length());
    new Local();
    after();
  }
}
"#,
        expect![[r#"

            class T {
              @Test
              void t() {
                before();
                try (InnerOracle inner = InnerOracle.on("T.t: x")) {
                  int b = call();
                  if (!(o instanceof String s)) return;
                  class Local {}
                  assertEquals(1, b);
                  assertEquals(2, s.length());
                  new Local();
                }
                after();
              }
            }
        "#]],
    );
}

#[test]
fn from_the_first_call_to_the_last() {
    check(
        "class T {\n\tvoid t() {\n\t\tbefore();\n\t\tcall();\n\t\tbetween();\n\t\tcall();\n\t\tafter();\n\t}\n}\n",
        expect![[r#"
            class T {
            	void t() {
            		before();
            		try (InnerOracle inner = InnerOracle.on("T.t: x")) {
            			call();
            			between();
            			call();
            		}
            		after();
            	}
            }
        "#]],
    );
}

#[test]
fn without_a_call_the_whole_body() {
    check(
        "class T {\n    void t() {\n        a();\n        b();\n    }\n}\n",
        expect![[r#"
            class T {
                void t() {
                    try (InnerOracle inner = InnerOracle.on("T.t: x")) {
                        a();
                        b();
                    }
                }
            }
        "#]],
    );
}

#[test]
fn lines_of_texts_and_comments_and_blank_lines_stay() {
    check(
        "class T {\n    void t() {\n        call(\"\"\"\n          text\n        \"\"\",\n            1); /* a\n        comment */\n        \n\n        // own\n        call();\n    }\n}\n",
        expect![[r#"
            class T {
                void t() {
                    call("""
                      text
                    """,
                        1); /* a
                    comment */
                    

                    // own
                    try (InnerOracle inner = InnerOracle.on("T.t: x")) {
                        call();
                    }
                }
            }
        "#]],
    );
    check(
        "class T {\n    void t() {\n        call();\n        /* a\n       b */\n\n        f(\"\"\"\n          text\n        \"\"\",\n            1); // end\n        call(); /* end */\n    }\n}\n",
        expect![[r#"
            class T {
                void t() {
                    try (InnerOracle inner = InnerOracle.on("T.t: x")) {
                        call();
                        /* a
                   b */

                        f("""
                      text
                    """,
                            1); // end
                        call(); /* end */
                    }
                }
            }
        "#]],
    );
}

#[test]
fn line_ends_are_the_files() {
    let text = "class T {\r\n    void t() {\r\n        call();\r\n    }\r\n}\r\n";
    let with = on(text).unwrap();
    assert_eq!(with.matches('\n').count(), with.matches("\r\n").count());
    assert_eq!(with.matches('\n').count(), 7);
    let lone = text.replace("\r\n", "\r");
    assert_eq!(on(&lone).unwrap(), with.replace("\r\n", "\r"));
}

#[test]
fn statements_that_share_a_line_stay_on_it() {
    check(
        "class T {\n    void t() { a();\n        call(); b(); }\n}\n",
        expect![[r#"
            class T {
                void t() { a();
                    try (InnerOracle inner = InnerOracle.on("T.t: x")) { call(); } b(); }
            }
        "#]],
    );
    check(
        "class T {\n    void t() {\n        a(); call(\n            1); // b\n    }\n}\n"
            .replace("call(\n            1)", "f(call(),\n            1)")
            .as_str(),
        expect![[r#"
            class T {
                void t() {
                    a(); try (InnerOracle inner = InnerOracle.on("T.t: x")) { f(call(),
                        1); } // b
                }
            }
        "#]],
    );
}

#[test]
fn the_name_is_free() {
    check(
        "class T {\n    void t() {\n        inner = inner2.call();\n        call();\n    }\n}\n",
        expect![[r#"
            class T {
                void t() {
                    try (InnerOracle inner3 = InnerOracle.on("T.t: x")) {
                        inner = inner2.call();
                        call();
                    }
                }
            }
        "#]],
    );
}

/// An exception on its way would hide what is found at the end of a `try` with a resource.
#[test]
fn a_test_that_expects_an_exception_closes_in_finally() {
    check(
        "class T {\n    @Test(expected = E.class)\n    public void t() {\n        call();\n    }\n}\n",
        expect![[r#"
            class T {
                @Test(expected = E.class)
                public void t() {
                    InnerOracle inner = InnerOracle.on("T.t: x");
                    try {
                        call();
                    } finally {
                        inner.close();
                    }
                }
            }
        "#]],
    );
    check(
        "class T { @Test(expectedExceptions = E.class) void t() { call(); } }",
        expect![[
            r#"class T { @Test(expectedExceptions = E.class) void t() { InnerOracle inner = InnerOracle.on("T.t: x"); try { call(); } finally { inner.close(); } } }"#
        ]],
    );
    let rule = "class T {\n    @Test void t() {\n        thrown.expect(E.class);\n        call();\n    }\n}\n";
    assert!(on(rule).unwrap().contains("finally"));
    // EasyMock's is no rule.
    let mock =
        "class T {\n    @Test void t() {\n        expect(m.f());\n        call();\n    }\n}\n";
    assert!(!on(mock).unwrap().contains("finally"));
}

#[test]
fn what_is_given_up_in_time_runs_in_another_thread() {
    let text = "class T { @Test void t() { assertTimeoutPreemptively(s, () -> call()); } }";
    assert!(on(text).unwrap().contains("\").inAllThreads()) {"));
    let text = "class T { @Test void t() { call(); assertTimeoutPreemptively(s, () -> f()); } }";
    assert!(!on(text).unwrap().contains("inAllThreads"));
    let text = "class T { @Test void t() { assertTimeout(s, () -> call()); } }";
    assert!(!on(text).unwrap().contains("inAllThreads"));
}

#[test]
fn what_a_test_says_of_an_oracle() {
    let switch = Switch {
        turn: Turn::Nth(3),
        in_all_threads: true,
        ..Switch::new("T.t: \"x\"", "a.b.InnerOracle")
    };
    assert_eq!(
        switch.expression(),
        r#"a.b.InnerOracle.on("T.t: \"x\"").turn(3).inAllThreads()"#
    );
    let text = "class T { @Test void t() { call(); } }";
    for turn in [
        Turn::Every,
        Turn::First,
        Turn::Nth(2),
        Turn::Last,
        Turn::Never,
    ] {
        let switch = Switch { turn, ..switch };
        let file = SourceFile::parse(text.into());
        let (test, calls) = places(text);
        let with = apply_disjoint(text, &switch_on(&file, test, &calls, &switch).unwrap()).unwrap();
        let file = SourceFile::parse(with.as_str().into());
        let edits = switch_off(&file, switch.id).unwrap();
        assert_eq!(apply_disjoint(&with, &edits).unwrap(), text);
    }
}

#[test]
fn several_in_one_test_go_in_any_order() {
    let text = "class T {\n    void t() {\n        call();\n        b();\n    }\n}\n";
    let switch = |text: &str, id: &str| {
        let (test, calls) = places(text);
        let file = SourceFile::parse(text.into());
        let edits = switch_on(&file, test, &calls, &every(id, "InnerOracle")).unwrap();
        apply_disjoint(text, &edits).unwrap()
    };
    let off = |text: &str, id: &str| {
        let edits = switch_off(&SourceFile::parse(text.into()), id).unwrap();
        apply_disjoint(text, &edits).unwrap()
    };
    let both = switch(&switch(text, "T.t: x"), "T.t: y");
    expect![[r#"
        class T {
            void t() {
                try (InnerOracle inner2 = InnerOracle.on("T.t: y")) {
                    try (InnerOracle inner = InnerOracle.on("T.t: x")) {
                        call();
                    }
                }
                b();
            }
        }
    "#]]
    .assert_eq(&both);
    assert_eq!(off(&off(&both, "T.t: x"), "T.t: y"), text);
    assert_eq!(off(&off(&both, "T.t: y"), "T.t: x"), text);
}

/// What somebody wrote in the meantime stays.
#[test]
fn off_after_edits() {
    let off = |text: &str| {
        let file = SourceFile::parse(text.into());
        switch_off(&file, "T.t: x").map(|edits| apply_disjoint(text, &edits).unwrap())
    };
    let on = r#"InnerOracle inner = InnerOracle.on("T.t: x")"#;
    let method = |body: &str| format!("class T {{\n    void t() {{\n{body}    }}\n}}\n");
    // More lines, with an indent of their own.
    let edited = format!(
        "        try ({on}) {{\n            call();\n          less();\n\t\t\ttab();\nnone();\n        }}\n"
    );
    assert_eq!(
        off(&method(&edited)).unwrap(),
        method("        call();\n      less();\n\t\t\ttab();\nnone();\n")
    );
    // A clause.
    let edited = format!(
        "        try ({on}) {{\n            call();\n        }} catch (E e) {{\n        }}\n"
    );
    assert_eq!(
        off(&method(&edited)).unwrap(),
        method("        try {\n            call();\n        } catch (E e) {\n        }\n")
    );
    // Other resources.
    for (before, after) in [
        ("A a = b(); ", ""),
        ("", "; A a = b()"),
        ("", "; A a = b();"),
    ] {
        let text =
            format!("        try ({before}{on}{after}) {{\n            call();\n        }}\n");
        let left = off(&method(&text)).unwrap();
        assert!(left.contains("try (A a = b()"), "{left}");
        assert_eq!(SourceFile::parse(left.as_str().into()).error_count(), 0);
        assert!(!left.contains("InnerOracle"));
    }
    // More in `finally`.
    let edited = format!(
        "        {on};\n        try {{\n            call();\n        }} finally {{\n            inner.close();\n            more();\n        }}\n"
    );
    assert_eq!(
        off(&method(&edited)).unwrap(),
        method(
            "        try {\n            call();\n        } finally {\n            more();\n        }\n"
        )
    );
    // A comment behind a brace.
    let edited = format!("        try ({on}) {{ // why\n            call();\n        }}\n");
    assert!(off(&method(&edited)).unwrap().contains("// why\n"));
    // Of another name, or not ours.
    assert_eq!(
        off(&method("        try (A a = A.on(\"T.t: x\")) {}\n")),
        None
    );
    assert_eq!(
        off(&method(
            "        try (InnerOracle i = InnerOracle.on(\"T.t: y\")) {}\n"
        )),
        None
    );
}

#[test]
fn refusals() {
    let refused = |text: &str| on(text).unwrap_err();
    let broken = SourceFile::parse("class T { void t() { call(); } ) int ( }".into());
    assert!(broken.has_errors());
    assert_eq!(
        switch_on(
            &broken,
            Span::new(10, 30),
            &[],
            &every("T.t: x", "InnerOracle")
        ),
        Err(Refusal::SyntaxError)
    );
    assert_eq!(refused("class T { void t() { } }"), Refusal::NoTestBody);
    assert_eq!(refused("interface T { void t(); }"), Refusal::NoTestBody);
    assert_eq!(
        refused("class T { void t() { a(); } void u() { call(); } }"),
        Refusal::CallElsewhere
    );
    assert_eq!(
        refused(&on("class T { void t() { call(); } }").unwrap()),
        Refusal::AlreadyOn
    );
    let file = SourceFile::parse("class T { int org; void t() { call(); } }".into());
    let (test, calls) = places(file.text());
    assert_eq!(
        switch_on(&file, test, &calls, &every("T.t: x", "org.a.InnerOracle")),
        Err(Refusal::PackageHidden)
    );
    assert_eq!(
        switch_on(
            &file,
            Span::new(0, 5),
            &calls,
            &every("T.t: x", "InnerOracle")
        ),
        Err(Refusal::TestGone)
    );
}
