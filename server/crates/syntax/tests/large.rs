//! Deep and large input: parsing, flat nodes and queries in a thread with a 512 KB stack.

use std::sync::Arc;

use syntax::{Queries, SourceFile};

fn in_small_stack(text: String, check: impl FnOnce(&SourceFile) + Send + 'static) {
    let run = move || {
        let file = SourceFile::parse(Arc::from(text));
        let nodes = file.nodes();
        let mut seen = 0;
        let mut open = vec![nodes.root()];
        while let Some(n) = open.pop() {
            seen += 1;
            open.extend(nodes.children(n));
        }
        assert_eq!(seen, nodes.len());
        let queries = Queries::with_user(
            Some("(method_declaration) @test"),
            Some("(binary_expression) @assertion"),
        )
        .expect("the queries compile");
        queries.tests(&file);
        Queries::builtin().assertions(&file);
        let mut text = file.text().to_string();
        text.insert_str(text.floor_char_boundary(text.len() / 2), "{(\"");
        SourceFile::parse(Arc::from(text));
        check(&file);
    };
    std::thread::Builder::new()
        .stack_size(512 * 1024)
        .spawn(run)
        .expect("a thread")
        .join()
        .expect("no overflow");
}

#[test]
fn a_concatenation_of_5000_terms() {
    let terms = (0..5_000)
        .map(|i| format!("\"t{i}\""))
        .collect::<Vec<_>>()
        .join(" + ");
    in_small_stack(
        format!("class A {{ @Test void f() {{ assertEquals({terms}); }} }}"),
        |file| {
            assert!(!file.has_errors());
            let queries = Queries::builtin();
            assert_eq!(queries.assertions(file).len(), 1);
            assert_eq!(queries.tests(file).len(), 2);
        },
    );
}

#[test]
fn parentheses_4000_deep() {
    let text = format!(
        "class A {{ int x = {}1{}; }}",
        "(".repeat(4_000),
        ")".repeat(4_000)
    );
    in_small_stack(text, |file| assert!(!file.has_errors()));
}

#[test]
fn blocks_4000_deep() {
    let text = format!(
        "class A {{ void f() {}{} }}",
        "{".repeat(4_000),
        "}".repeat(4_000)
    );
    in_small_stack(text, |file| assert!(!file.has_errors()));
}

#[test]
fn calls_chained_and_nested_2000_deep() {
    let nested = format!("{}x{}", "assertThat(".repeat(2_000), ")".repeat(2_000));
    let chained = format!("assertThat(x){}", ".is(y)".repeat(2_000));
    in_small_stack(
        format!("class A {{ void f() {{ {nested}; {chained}; }} }}"),
        |file| {
            let found = Queries::builtin().assertions(file);
            assert_eq!(found.len(), 2_001);
            assert!(found.last().is_some_and(|a| a.span.len() > 12_000));
        },
    );
}

#[test]
fn unclosed_openings_in_numbers() {
    for piece in [
        "(",
        "{",
        "[",
        "<",
        "@A(",
        "case ",
        "import module ",
        "\\u0028",
        "a.b(",
        "if (",
        "\"\"\"",
    ] {
        let text = format!("class A {{ int x = 0_1; {}", piece.repeat(2_000));
        in_small_stack(text, |_| {});
    }
}

#[test]
fn floods_of_openings_cost_no_more_than_their_length() {
    // Each took minutes or gigabytes at one time: nested angles in the parser, nested labels in the repairs.
    for piece in [
        "a<",
        "case a(",
        "case a<",
        "x instanceof a(",
        ">super(",
        "@A(",
        "@A.B<",
        "a.b<c,",
        "case A.B(final int x,",
    ] {
        in_small_stack(
            format!("class A {{ int x = 0_1; {}", piece.repeat(6_000)),
            |file| assert!(file.has_errors()),
        );
    }
}

#[test]
fn ten_megabytes() {
    let member =
        "    /** Adds. */ int add(int a, int b) { int c = a + b; return c * f(a, \"s\"); }\n";
    let text = format!(
        "class A {{\n{}}}\n",
        member.repeat(10_000_000 / member.len())
    );
    in_small_stack(text, |file| {
        assert!(!file.has_errors());
    });
}
