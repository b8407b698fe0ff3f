//! Odd, broken and huge files: no panic, what can be read is, and places are counted as editors count.

use crate::support::Project;
use serde_json::Value;

fn graph(project: &Project) -> Value {
    let ran = project.run(&["graph", "--format", "json"]);
    assert_eq!(ran.stderr, "");
    ran.json()
}

/// `variable line:column-end_line:end_column` of each candidate.
fn places(graph: &Value) -> Vec<String> {
    let nodes = graph["nodes"].as_array().expect("nodes").iter();
    nodes
        .map(|n| {
            format!(
                "{} {}:{}-{}:{}",
                n["variable"].as_str().expect("a name"),
                n["line"],
                n["column"],
                n["end_line"],
                n["end_column"]
            )
        })
        .collect()
}

#[track_caller]
fn check(bytes: &[u8], expected: &[&str]) {
    let project = Project::new(&[]);
    project.write("A.java", bytes);
    assert_eq!(places(&graph(&project)), expected);
}

/// 1-based, in UTF-16 code units, a tab is one column, whatever ends the lines.
#[test]
fn places_are_counted_as_editors_do() {
    let expected = ["p 2:13-2:14", "x 3:7-3:12"];
    check(
        b"class A {\n\tvoid m(int p) {\n\t\tint x = p;\n\t}\n}\n",
        &expected,
    );
    check(
        b"class A {\r\n\tvoid m(int p) {\r\n\t\tint x = p;\r\n\t}\r\n}\r\n",
        &expected,
    );
    check(
        b"class A {\r\tvoid m(int p) {\r\t\tint x = p;\r\t}\r}\r",
        &expected,
    );
    // A byte order mark is no column.
    check(
        "\u{feff}class A { int a = 1; }".as_bytes(),
        &["a 1:15-1:20"],
    );
    // Two units for the emoji, one for the accent, one for the Greek letter.
    check(
        "class A { /* \u{1F600} */ int a = 1; /* é */ int λ = a; }".as_bytes(),
        &["a 1:24-1:29", "λ 1:43-1:48"],
    );
    // A statement over several lines.
    check(b"class A { int a =\n  1 +\n  2; }", &["a 1:15-3:4"]);
    // The separators that are not ASCII end no line of Java.
    check(
        "class A { /* \u{2028} \u{85} */ int a = 1; }".as_bytes(),
        &["a 1:25-1:30"],
    );
}

#[test]
fn escapes_are_read_as_what_they_stand_for() {
    check(b"class A { int \\u0061 = 1; }", &["a 1:15-1:25"]);
}

#[test]
fn broken_java_keeps_what_can_be_read() {
    let project = Project::new(&[(
        "A.java",
        "class A {
    void m(int p) {
        int x = p;
        int y = x + ;
        if (x > {
            y = x;
    }
    int after(int q) { return q + 1; }
",
    )]);
    let places = places(&graph(&project));
    for part in ["p 2:", "x 3:", "y 4:", "q 8:"] {
        assert!(
            places.iter().any(|p| p.starts_with(part)),
            "{part}: {places:?}"
        );
    }
}

/// Everything between nothing and a whole file: each cut is answered.
#[test]
fn cut_files_are_answered() {
    let java = include_str!("../../../../tests/demo/src/main/java/demo/OrderBook.java");
    let project = Project::new(&[]);
    let starts: Vec<usize> = (0..java.len())
        .filter(|i| java.is_char_boundary(*i))
        .collect();
    for cut in starts.iter().step_by(97) {
        project.write("OrderBook.java", &java.as_bytes()[..*cut]);
        let ran = project.run(&["observe", "--format", "json", "--lambda", "1"]);
        assert_eq!(ran.code, 0, "cut at {cut}: {}", ran.stderr);
        project.write("OrderBook.java", &java.as_bytes()[*cut..]);
        let ran = project.run(&["observe"]);
        assert_eq!(ran.code, 0, "from {cut}: {}", ran.stderr);
    }
}

#[test]
fn no_java_at_all_is_answered() {
    for bytes in [
        &b""[..],
        b" \n\n",
        b"\0\0\0\0",
        b"\xef\xbb\xbf",
        b"}}}}))))",
        b"((((((((",
        b"#!/bin/sh\necho hello\n",
        b"class",
        b"class A { void m( { } int",
        b"\"unclosed",
        b"/* unclosed",
        b"class A { String s = \"\"\"\n unclosed",
        b"class A { char c = '",
        b"class A { int a = 0x; int b = 1__; int c = \\uZZZZ; }",
    ] {
        let project = Project::new(&[]);
        project.write("A.java", bytes);
        let ran = project.run(&["observe", "--format", "json", "--all-candidates"]);
        assert_eq!(ran.code, 0, "{bytes:?}: {}", ran.stderr);
        assert_eq!(ran.json()["counts"]["files"], 1);
    }
}

/// Generated code nests and goes on as no one writes it.
#[test]
fn deep_and_long_code_is_answered() {
    let mut java = String::from("class A {\n  int m(int p) {\n    int x = ");
    java.push_str(&"(".repeat(4000));
    java.push('p');
    java.push_str(&")".repeat(4000));
    java.push_str(";\n    int y = ");
    java.push_str(&vec!["x"; 5000].join(" + "));
    java.push_str(";\n    ");
    java.push_str(&"{".repeat(4000));
    java.push_str("x = y;");
    java.push_str(&"}".repeat(4000));
    java.push_str("\n    int z = x;\n");
    for i in 0..3000 {
        java.push_str(if i == 0 { "    if" } else { " else if" });
        java.push_str(" (p == 1) { z = p; }");
    }
    java.push_str("\n    StringBuilder b = new StringBuilder()");
    java.push_str(&".append(p)".repeat(3000));
    java.push_str(";\n    return z;\n  }\n}\n");
    let project = Project::new(&[("A.java", &java)]);
    let edges = project.edges(&[]);
    for edge in [
        "x@3 -> p@2 local 1\n",
        "y@4 -> x@3 local 1\n",
        "z@6 -> x@5 local 1\n",
    ] {
        assert!(edges.contains(edge), "{edge}");
    }
    assert!(edges.contains("b@8 -> p@2 library 1\n"));
}

/// What is not UTF-8 or too large is left out, counted and told; the rest is answered.
#[test]
fn files_that_cannot_be_read_are_told() {
    let project = Project::new(&[("src/A.java", "class A { int a = 1; }")]);
    project.write("src/Latin.java", b"class Latin { String s = \"caf\xe9\"; }");
    project.write("src/Huge.java", &vec![b' '; 20_000_000]);
    let ran = project.run(&["observe", "--format", "json", "--all-candidates"]);
    for says in [
        "src/Latin.java is left out: not UTF-8 from byte 29 on; convert it to UTF-8",
        "src/Huge.java is left out: 20000000 bytes are too many",
    ] {
        assert!(ran.stderr.contains(says), "{says}\n{}", ran.stderr);
    }
    let answer = ran.json();
    assert_eq!(answer["counts"]["files_skipped"], 2);
    assert_eq!(answer["counts"]["candidates"], 1);
    let text = project.run(&["observe"]).stdout;
    assert!(text.contains("2 files skipped"), "{text}");
}

/// Many files that cannot be read fill no screen.
#[test]
fn many_files_that_cannot_be_read_are_counted() {
    let project = Project::new(&[("A.java", "class A { int a = 1; }")]);
    for i in 0..12 {
        project.write(&format!("L{i}.java"), b"\xff");
    }
    let ran = project.run(&["observe"]);
    assert_eq!(ran.stderr.lines().count(), 6, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("7 more files are left out"),
        "{}",
        ran.stderr
    );
}

/// A folder that is called like a Java file, and a name with spaces and accents.
#[test]
fn odd_names() {
    let project = Project::new(&[
        ("Folder.java/A.java", "class A { int a = 1; }"),
        ("my code/Élan.java", "class Élan { int é = 1; }"),
    ]);
    let graph = graph(&project);
    let nodes = graph["nodes"].as_array().expect("nodes");
    let names: Vec<String> = nodes
        .iter()
        .map(|n| format!("{} {}", n["path"].as_str().expect("a path"), n["method"]))
        .collect();
    assert_eq!(
        names,
        [
            "Folder.java/A.java \"A#<init>\"",
            "my code/Élan.java \"Élan#<init>\""
        ]
    );
    let one = project.run(&["observe", "my code/Élan.java", "--format", "json"]);
    assert_eq!(one.json()["counts"]["candidates"], 1);
}
