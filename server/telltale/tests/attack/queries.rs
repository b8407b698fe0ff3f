//! Queries of a workspace, which a library in C compiles.

use crate::support::Project;
use crate::survives;

const JAVA: (&str, &str) = (
    "A.java",
    "class A { int f(int p) { int q = p; return q; } }",
);

fn refused(query: &str, says: &str) {
    let project = Project::new(&[JAVA, (".telltale/queries/java/tests.scm", query)]);
    let ran = survives(&project, &["observe"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains(says), "{says}: {}", ran.stderr);
}

#[test]
fn nesting_has_a_bound() {
    for open in ["(", "(block ", "name: ", "((_) ."] {
        refused(&open.repeat(30_000 / open.len()), "nested deeper than 64");
    }
    for open in ["[", "(["] {
        refused(&open.repeat(30_000 / open.len()), "more than 16 choices");
    }
    refused(
        &format!("{}(_){}", "(".repeat(5_000), ")".repeat(5_000)),
        "tests.scm:1:65: nested",
    );
}

#[test]
fn length_has_a_bound() {
    refused(
        &"(_) @a\n".repeat(100_000),
        "700000 bytes are too many, at most 32000 are read",
    );
}

/// What is not refused is cut where it takes too much, and the file is named.
#[test]
fn what_takes_too_much_is_cut() {
    refused(&"(_) @a\n".repeat(200), "more than 128 patterns");
    refused(
        "(block [(_) @a (_)? @a]+)",
        "tests.scm:1:24: what is repeated may not be captured, nor hold a capture, ?, * or +",
    );
    let query = "(_ (_) @a (_) @a) @b\n".repeat(128);
    let java = format!(
        "class A {{ void m(int p) {{ {} }} }}",
        "p++; ".repeat(2_000)
    );
    let project = Project::new(&[
        ("A.java", &java),
        (".telltale/queries/java/tests.scm", &query),
    ]);
    let ran = survives(&project, &["observe"]);
    assert_eq!(ran.code, 0);
    let says = "A.java: the queries of .telltale/queries take too much: there may be more to find";
    assert!(ran.stderr.contains(says), "{}", ran.stderr);
}
