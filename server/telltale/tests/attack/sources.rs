//! Java that nobody writes: as deep, as long or as wide as a file may be.
//!
//! One function a shape, which takes how often; what a shape costs is near linear in that, or cut at a bound.

use crate::support::Project;
use crate::survives;
use std::fmt::Write as _;

/// `n` parts, each made of its number.
fn parts(n: usize, part: impl Fn(usize) -> String) -> String {
    (0..n).fold(String::new(), |mut all, at| {
        all.push_str(&part(at));
        all
    })
}

/// A class with a method whose body is `body`.
fn method(body: &str) -> String {
    format!("class A {{ A f; int m(int p) {{ {body} return p; }} }}")
}

/// `n` times `open`, then `inner`, then `n` times `close`.
fn nested(n: usize, open: &str, inner: &str, close: &str) -> String {
    let mut text = open.repeat(n);
    text.push_str(inner);
    text.push_str(&close.repeat(n));
    text
}

#[track_caller]
fn read(java: &str) -> String {
    // So that there is something to observe in any case.
    let sane = "class Sane { int f(int p) { int q = p; return q; } }";
    let project = Project::new(&[("A.java", java), ("Sane.java", sane)]);
    let ran = survives(&project, &["observe"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let said = ran.stdout.lines().next().unwrap_or_default();
    assert!(said.starts_with("What to observe"), "{said}");
    ran.stderr
}

/// Types within types: beyond the bound they are left out, and that is said.
#[test]
fn types_within_types() {
    const N: usize = 20_000;
    for java in [
        parts(N, |at| format!("class C{at} {{ int f = 1; ")) + &"}".repeat(N),
        parts(N, |at| format!("interface C{at} {{ ")) + &"}".repeat(N),
        method(&(parts(N, |at| format!("class C{at} {{ void m() {{ ")) + &"} }".repeat(N))),
        method(&format!(
            "Object o = {};",
            nested(N, "new Object() { Object f = ", "null", "; }")
        )),
        method(&format!(
            "Object o = {};",
            nested(N, "new Object() { Object m() { return ", "null", "; } }")
        )),
        nested(N, "enum E { A { ", "", "} }"),
    ] {
        let said = read(&java);
        assert!(
            said.contains("A.java: types nested deeper than 64 are left out"),
            "{said}"
        );
    }
}

/// As deep as the bound nothing is left out.
#[test]
fn types_within_types_up_to_the_bound() {
    let open = parts(65, |at| {
        format!("class C{at} {{ int m(int p) {{ int q{at} = p; return q{at}; }} ")
    });
    let java = open + &"}".repeat(65);
    let project = Project::new(&[("A.java", &java)]);
    let ran = survives(&project, &["graph", "--quiet", "--format", "json"]);
    assert_eq!(ran.stderr, "");
    let graph = ran.json();
    let mut nodes = graph["nodes"].as_array().expect("nodes").iter();
    assert!(nodes.any(|node| node["variable"] == "q64"));
}

#[test]
fn chains_and_circles_of_supertypes() {
    const N: usize = 20_000;
    let class = |at: usize, above: usize| {
        format!("class C{at} extends C{above} {{ int m() {{ return f; }} }}\n")
    };
    let interface =
        |at: usize, above: usize| format!("interface C{at} extends C{above} {{ void m{at}(); }}\n");
    for java in [
        parts(N, |at| class(at, at + 1)),
        parts(N, |at| class(at, (at + 1) % N)),
        // A quarter shows the same as well.
        parts(N / 4, |at| interface(at, at + 1)),
        parts(N / 4, |at| {
            format!("class C{at}<T> extends C{}<C{at}<T>> {{ T f; }}\n", at + 1)
        }),
        parts(N / 4, |at| {
            format!("class C{at}<T> extends C{}<P<T, T>> {{ T f; }}\n", at + 1)
        }) + "class P<X, Y> { }",
    ] {
        read(&java);
    }
    // One type with very many above it, and very many below that.
    let wide = parts(2_000, |at| format!("I{at}, "));
    read(&format!(
        "class A implements {wide} Last {{ }} {} {}",
        parts(2_000, |at| format!("interface I{at} {{ }} ")),
        parts(2_000, |at| format!(
            "class B{at} extends A {{ void m() {{ x(); }} }} "
        )),
    ));
}

/// A long chain of supertypes that is no attack, and a name at its other end.
#[test]
fn a_chain_up_to_the_bound_is_followed() {
    let java = parts(60, |at| format!("class C{at} extends C{} {{ }}\n", at + 1))
        + "class C60 { int g(int p) { int q = p; return q; } }\n\
           class U { int m(C0 c) { int r = c.g(1); return r; } }";
    let project = Project::new(&[("A.java", &java)]);
    let answer = survives(&project, &["observe", "--format", "json"]).json();
    assert_eq!(answer["counts"]["calls_unresolved"], 0);
}

#[test]
fn comments_and_literals_without_end() {
    const N: usize = 20_000;
    for java in [
        format!("/** {} */ class A {{ }}", "{@code ".repeat(N)),
        format!("class A {{ /** {}", "{@code ".repeat(N)),
        format!("class A {{ {} }}", "{@code ".repeat(N)),
        format!("/** {} */ class A {{ }}", "{@link A#m(\n * ".repeat(N)),
        method(&"/* ".repeat(N)),
        method(&"\"\n".repeat(N)),
        method(&"\"\"\"\n".repeat(N + 1)),
        method(&"\\u0061".repeat(N)),
        method(&format!("\\{}0061;", "u".repeat(N))),
    ] {
        read(&java);
    }
}

#[test]
fn expressions_within_expressions() {
    const N: usize = 20_000;
    for expression in [
        nested(N, "(", "p", ")"),
        nested(N, "-", "p", ""),
        nested(N, "(int) ", "p", ""),
        nested(N, "f = ", "f", ""),
        nested(N, "() -> ", "p", ""),
        nested(N, "x -> { return ", "p", "; }"),
        nested(N, "m(", "p", ")"),
        nested(N, "p > 0 ? 1 : ", "0", ""),
        nested(N, "switch (p) { default -> ", "1", "; }"),
        nested(N, "{", "1", "}"),
        format!("f{}", ".f".repeat(N)),
        format!("f{}", ".g()".repeat(N)),
        format!("f{}", "[p]".repeat(N)),
        format!("new int{}", "[p]".repeat(N)),
        format!("A{}", "::m".repeat(N)),
        format!("p{}", " + p".repeat(50_000)),
        format!("\"\"{}", " + \"b\" + p".repeat(50_000)),
        format!("p > 0{}", " && p > 0 || p > 1".repeat(N)),
    ] {
        read(&method(&format!("Object o = {expression};")));
    }
    read(&format!("@X({}) class A {{ }}", nested(N, "@X(", "1", ")")));
    read(&method(&format!(
        "if (f instanceof {}) p++;",
        nested(N, "R(", "var x", ")")
    )));
}

/// A chain of calls that are all known.
#[test]
fn calls_behind_calls() {
    let calls = ".g()".repeat(65_000);
    read(&format!(
        "class A {{ A g() {{ return this; }} void m(A a) {{ A b = a{calls}; }} }}"
    ));
    let calls = nested(5_000, "id(", "p", ")");
    read(&format!(
        "class A {{ <T> T id(T t) {{ return t; }} int m(int p) {{ int q = {calls}; return q; }} }}"
    ));
}

#[test]
fn statements_within_statements() {
    const N: usize = 10_000;
    for statement in [
        nested(N, "{", "p++;", "}"),
        nested(N, "if (p > 0) ", "p++;", ""),
        nested(N, "while (p > 0) ", "p++;", ""),
        nested(N, "try { ", "p++;", " } finally { p--; }"),
        nested(N, "switch (p) { case 1: ", "p++;", "}"),
        parts(N, |at| format!("if (p == {at}) p = {at}; else ")) + "p++;",
        parts(N, |at| format!("l{at}: ")) + "p++;",
    ] {
        read(&method(&statement));
    }
    // Never closed.
    for open in [
        "{",
        "(",
        "[",
        "a<",
        "@",
        "if (",
        "new A() {",
        "x -> {",
        "case",
    ] {
        read(&method(&open.repeat(N)));
    }
}

#[test]
fn long_methods() {
    const N: usize = 20_000;
    for body in [
        parts(50_000, |at| format!("int v{at} = p; ")),
        parts(N, |at| format!("int v{} = v{at} + 1; ", at + 1)),
        "int v = 0; ".to_owned() + &"v = v + p; ".repeat(N),
        "int v = 0; ".to_owned() + &"if (v > p) v = v + p; ".repeat(N),
        format!(
            "while (p > 0) {{ {} }}",
            "if (p > 1) break; if (p > 2) continue; ".repeat(N)
        ),
        "if (p > 1) return p; ".repeat(N),
        format!(
            "switch (p) {{ {} }}",
            parts(N, |at| format!("case {at}: p = p + {at}; "))
        ),
        "try { p++; } ".to_owned() + &parts(N, |at| format!("catch (E{at} e) {{ p--; }} ")),
        // Each class sees all that stands before it.
        parts(5_000, |at| {
            format!(
                "int v{at} = p; Object o{at} = new Object() {{ int g() {{ return v{at}; }} }}; "
            )
        }),
        parts(5_000, |at| format!("class L{at} {{ }} ")),
        parts(1_000, |at| {
            format!("var v{} = new P<>(v{at}, v{at}); ", at + 1)
        }),
    ] {
        read(&method(&body));
    }
}

#[test]
fn types_of_any_size() {
    const N: usize = 20_000;
    for member in [
        format!("{} f;", nested(N, "A<", "A", ">")),
        format!("{} f;", nested(N, "A<? extends ", "A", ">")),
        format!("int{} f;", "[]".repeat(60_000)),
        format!("a{} f;", ".a".repeat(N)),
        format!("int[] f = {{ {} }};", "1, ".repeat(N)),
        format!(
            "<T extends {} E> int m(T p) {{ return 1; }}",
            parts(N, |at| format!("E{at} & "))
        ),
        format!(
            "int m() throws {} E {{ return 1; }}",
            parts(N, |at| format!("E{at}, "))
        ),
        format!(
            "int m({} int p) {{ return p; }}",
            parts(N, |at| format!("int p{at}, "))
        ),
        format!("{} int m(int p) {{ return p; }}", "@X ".repeat(N)),
    ] {
        read(&format!("class A {{ {member} }}"));
    }
    read(&format!("package a{}; class A {{ }}", ".a".repeat(N)));
    read(&format!(
        "class A<{} L> {{ L f; }}",
        parts(N, |at| format!("T{at} extends T{}, ", at + 1))
    ));
}

#[test]
fn wide_types() {
    const N: usize = 20_000;
    let class = |members: String| format!("class A {{ {members} }}");
    for java in [
        class(parts(N, |at| {
            format!("int m{at}(int p) {{ int q = m{}(p); return q; }} ", at + 1)
        })),
        class(parts(N, |at| {
            format!(
                "int m{at}(int p) {{ int q = m{}(p); return q; }} ",
                (at + 1) % N
            )
        })),
        class(parts(N, |at| {
            format!("int f{at} = f{}; ", at.saturating_sub(1))
        })),
        class(parts(N, |at| format!("class C{at} {{ C{} g; }} ", N - at))),
        parts(N, |at| format!("class C{at} {{ C{} g; }} ", N - at)),
        "class C { int m(int p) { return m(p); } } ".repeat(N),
        format!("enum A {{ {} }}", parts(N, |at| format!("C{at}, "))),
        format!(
            "enum A {{ {} }}",
            parts(5_000, |at| format!("C{at} {{ int m() {{ return 1; }} }}, "))
        ),
        format!(
            "record A({} int p) {{ }}",
            parts(N, |at| format!("int p{at}, "))
        ),
    ] {
        read(&java);
    }
}

/// Each call asks each method of its name.
#[test]
fn overloads() {
    let methods = |n, call: &str| {
        parts(n, |at| {
            format!("class T{at} {{ }} int m(T{at} p) {{ return {call}; }} ")
        })
    };
    read(&format!("class A {{ {} }}", methods(5_000, "m(p)")));
    read(&format!("class A {{ {} }}", methods(200, "m(p)")));
    read(&format!(
        "class A {{ {} }}",
        "int m(int p) { return m(p); } ".repeat(5_000)
    ));
}

/// Each name asks each import that may give it.
#[test]
fn imports() {
    const N: usize = 2_000;
    let uses = parts(N, |at| format!("C{at} f{at}; "));
    let calls = parts(N, |at| format!("g{at}() + "));
    for import in [
        |at: usize| format!("import a.b.C{at}; "),
        |at: usize| format!("import a{at}.*; "),
        |at: usize| format!("import static a.C{at}.*; "),
        |at: usize| format!("import static a.C{at}.g{at}; "),
    ] {
        let imports = parts(N, import);
        read(&format!(
            "{imports} class A {{ {uses} int m(int p) {{ int q = {calls} p; return q; }} }}"
        ));
    }
}

/// Words and marks in any order.
#[test]
fn nonsense() {
    const WORDS: &[&str] = &[
        "class ", "{", "}", "(", ")", "int ", "x", "=", ";", "<", ">", "\"", "\n", "if", "else ",
        "->", "@", "new ", "?", ":", "[", "]", "case ", "switch", "record ", "'", "/*", "*/",
        "\\u",
    ];
    for seed in 1..5u64 {
        let mut state = seed;
        let mut java = String::new();
        for _ in 0..20_000 {
            // Knuth's generator: the same words everywhere.
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let _ = write!(java, "{}", WORDS[(state >> 33) as usize % WORDS.len()]);
        }
        read(&java);
    }
}
