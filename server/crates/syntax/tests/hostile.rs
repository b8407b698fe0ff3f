//! Queries of a workspace that means harm: what they may be, and that what they may be ends soon.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use syntax::{Queries, QueryFile, SourceFile};

/// Many times what anything here takes; before they were bounded, most of them took for ever.
const PATIENCE: Duration = Duration::from_secs(60);

#[track_caller]
fn in_time<T: Send + 'static>(what: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, result) = channel();
    std::thread::spawn(move || {
        // Who waits may have lost patience.
        let _ = done.send(work());
    });
    match result.recv_timeout(PATIENCE) {
        Ok(result) => result,
        Err(RecvTimeoutError::Timeout) => panic!("{what} goes on and on"),
        Err(RecvTimeoutError::Disconnected) => panic!("{what} panicked"),
    }
}

fn statements(n: usize) -> Arc<str> {
    Arc::from(format!(
        "class A {{ void m(int p) {{ {} }} }}",
        "p++; ".repeat(n)
    ))
}

/// Expressions of calls in calls in calls.
fn nested(n: usize) -> Arc<str> {
    Arc::from(format!(
        "class A {{ int m() {{ return {}1{}; }} }}",
        "m(2, ".repeat(n),
        ")".repeat(n)
    ))
}

/// How many tests and assertions a query finds in a text, and whether it was cut.
#[track_caller]
fn run(query: &str, text: Arc<str>) -> (usize, bool) {
    let (query, name) = (query.to_owned(), query.chars().take(80).collect::<String>());
    in_time(&name.clone(), move || {
        let queries = Queries::with_user(Some(&query), Some(&query));
        let queries = queries.unwrap_or_else(|e| panic!("{name}: {e}"));
        let file = SourceFile::parse(text);
        let (tests, assertions) = (queries.user_tests(&file), queries.user_assertions(&file));
        (
            tests.captures.len() + assertions.captures.len(),
            tests.is_cut || assertions.is_cut,
        )
    })
}

#[test]
fn what_would_not_end_is_refused() {
    for query in [
        "(block [(_) @a (_)? @a]+)",
        "(block ((_)?)+ @test)",
        "(block ([(_)?])+)",
        "(block (_)* @a) @test",
        "(block ((_) ((_) ((_) (_)*)*)*)*)",
    ] {
        let error = Queries::with_user(None, Some(query)).expect_err("refused");
        assert_eq!(error.file, QueryFile::Assertions);
        let says = "what is repeated may not be captured, nor hold a capture, ?, * or +";
        assert_eq!(error.message, says, "{query}");
    }
}

#[test]
fn what_is_allowed_ends() {
    let many = |pattern: &str, n: usize| format!("{pattern}\n").repeat(n);
    let either = |n: usize| format!("[{}]", "(_) ".repeat(n));
    let captured = "(_) @a ".repeat(500);
    let optional = "(_)? @a ".repeat(16);
    let queries = [
        "(block (_) @a (_) @a) @test".to_owned(),
        "(_ (_) @a (_) @a (_) @a) @test".to_owned(),
        format!("(block {captured}) @test"),
        format!("(block {optional}) @test"),
        format!("(block {0}* {0}*) @test", either(7)),
        format!("(block {0}+ {0}+ (_) @a {0}+) @test", either(4)),
        format!("(block {}) @test", "(_)* ".repeat(16)),
        many("(_ (_) @a (_) @a) @test", 128),
        many("(block (_) @a (_) @a (_)) @test", 128),
        many(&format!("(block {})", "_?".repeat(16)), 4),
        many("(block _? _?)", 32),
        many(&format!("(_ {}) @test", "(_)*".repeat(16)), 4),
        many(&format!("(block [{}]*[{0}]+)", "_ ".repeat(7)), 4),
        "[(_) (_)] @test".to_owned(),
    ];
    for query in queries {
        for text in [statements(1_000), nested(500)] {
            run(&query, text);
        }
    }
}

/// Predicates look at the text of what is captured: that of all that encloses a thing, for each thing in it.
#[test]
fn predicates_are_given_a_bounded_text() {
    let mut text = String::from("class A { int x = ");
    for _ in 0..20_000 {
        text.push('(');
    }
    let _ = write!(text, "\"{}\"", "y".repeat(1_000_000));
    for _ in 0..20_000 {
        text.push(')');
    }
    text.push_str("; }");
    let text: Arc<str> = Arc::from(text);
    let matches = "(#match? @test \"q[a-z]*$\")";
    for query in [
        format!("((_) @test {matches})"),
        format!("((_) @test @x (#eq? @test @x) {matches})"),
    ] {
        let (found, is_cut) = run(&query, Arc::clone(&text));
        assert_eq!((found, is_cut), (0, true), "{query}");
    }
    let texts: String = (0..900).map(|n| format!("\"x{n}\" ")).collect();
    run(
        &format!("((_) @test (#any-of? @test {texts}))"),
        statements(20_000),
    );
}

#[test]
fn expressions_compile_in_bounded_memory() {
    // As many of the largest as there can be.
    let large = "((_) @a (#match? @a \"\\\\w{16}{16}\"))\n".repeat(8);
    let wide = format!("((_) @a (#match? @a \"{}\"))\n", "\\\\w".repeat(300)).repeat(32);
    for query in [large, wide] {
        in_time("compiling", move || {
            let _ = Queries::with_user(Some(&query), None);
        });
    }
}

#[test]
fn usual_queries_of_many_patterns_are_not_cut() {
    let pattern = "(method_declaration (modifiers (_ name: (_) @a)) name: (identifier) @name (#eq? @a \"Check\")) @test\n";
    let query = pattern.repeat(12);
    let methods = "    @Check(\"adds\")\n    void m() {\n        a(b(c(d(e(f()))))).g().h().i().j();\n        \
        k();\n        return;\n    }\n\n".repeat(2_000);
    let file = format!("class A {{ {methods} }}");
    let (found, is_cut) = run(&query, Arc::from(file));
    assert_eq!((found, is_cut), (2_000, false));
}
