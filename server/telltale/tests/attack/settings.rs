//! `telltale.toml`.

use crate::support::Project;
use crate::survives;

const JAVA: (&str, &str) = (
    "A.java",
    "class A { int f(int p) { int q = p; return q; } }",
);

/// Each is looked for among the known keys, and its place among the lines: of a hundred.
#[test]
fn a_hundred_thousand_unknown_keys() {
    let mut text = String::from("observe.top = 1\n");
    for key in 0..100_000 {
        text.push_str(&format!("k{key}=1\n"));
    }
    let project = Project::new(&[JAVA, ("telltale.toml", &text)]);
    let ran = survives(&project, &["observe", "--quiet", "--format", "json"]);
    assert_eq!(ran.stderr.lines().count(), 101, "{}", ran.stderr);
    assert!(
        ran.stderr
            .contains("telltale.toml:2:1: there is no key k0\n")
    );
    assert!(
        ran.stderr
            .ends_with("telltale.toml:102:1: 99900 more mistakes are not listed\n")
    );
    assert_eq!(ran.json()["parameters"]["top"], 1, "what is right counts");
}

#[test]
fn patterns_and_nesting() {
    let list = "\"[\", ".repeat(100_000);
    for text in [
        format!("sources.exclude = [{list}]"),
        format!("sources.exclude = [{}]", "\"a*b\", ".repeat(100_000)),
        format!("java.classpath = [{}]", "\"x\", ".repeat(100_000)),
        format!("x = {}1{}", "[".repeat(400_000), "]".repeat(400_000)),
        format!("{}x = 1", "a.".repeat(400_000)),
        format!("[{}x]", "a.".repeat(400_000)),
        "[[a]]\n".repeat(100_000),
        "x = \"".repeat(100_000),
    ] {
        let project = Project::new(&[JAVA, ("telltale.toml", &text)]);
        let ran = survives(&project, &["observe"]);
        assert_eq!(ran.code, 0, "{}: {ran:?}", &text[..20]);
    }
}
