//! `telltale why`, of a project that was recorded.

use crate::schemas::{meets, schema};
use crate::support::Project;
use serde_json::Value;

const CONJUGATE: &str = "Complex#conjugate";

/// What is believed, what is not and why.
pub(crate) fn answers(project: &Project) {
    let ask = |method: &str, claim: &str| -> Value {
        let answer = project
            .run(&["why", "-q", method, claim, "--format", "json"])
            .json();
        meets(&schema("why"), &answer, claim);
        answer
    };
    let told = ask(CONJUGATE, "result.imaginary != 0");
    assert_eq!(told["method"], "algebra.Complex#conjugate()");
    assert_eq!(
        (&told["manual_tests"], &told["stale_tests"]),
        (&3.into(), &0.into())
    );
    let (entry, exit) = (&told["points"][0], &told["points"][1]);
    assert_eq!(
        (&entry["moment"], &entry["answer"]),
        (&"entry".into(), &"unknown".into())
    );
    assert_eq!(
        (&exit["moment"], &exit["answer"]),
        (&"exit".into(), &"told".into())
    );
    assert_eq!((&exit["held"], &exit["samples"]), (&43.into(), &43.into()));
    assert_eq!(
        exit["held_in"][0]["test"],
        "algebra.ComplexTest#conjugatesAbove()"
    );

    let broken = ask("algebra.Complex#conjugate()", "this.imaginary > 0");
    for point in broken["points"].as_array().expect("two") {
        assert_eq!(point["answer"], "broken");
        let by = &point["broken_by"];
        assert_eq!(by["test"], "algebra.ComplexTest#conjugatesBelow()");
        let source = project
            .path()
            .join("src/test/java/algebra/ComplexTest.java");
        let source = std::fs::read_to_string(source).expect("text");
        let line = by["line"]
            .as_u64()
            .and_then(|l| source.lines().nth(l as usize - 1));
        assert!(
            line.is_some_and(|l| l.contains(".conjugate()")),
            "{point:#}"
        );
        assert_eq!(by["values"][0]["name"], "this.imaginary");
        let value = by["values"][0]["value"]
            .as_str()
            .and_then(|v| v.parse::<f64>().ok());
        assert!(value.is_some_and(|v| v <= 0.0), "{point:#}");
    }
    let said = project
        .run(&["why", "-q", CONJUGATE, "this.imaginary > 0"])
        .stdout;
    assert!(
        said.contains("when it returns: broken by a call in algebra.ComplexTest#conjugatesBelow() (line 39), the first of 21 calls to: there this.imaginary = -2.0; "),
        "{said}"
    );
    let doubtful = project.run(&[
        "why",
        "-q",
        CONJUGATE,
        "result.imaginary != 0",
        "--confidence",
        "0.9999",
    ]);
    assert!(
        doubtful
            .stdout
            .contains("but that may be chance: confidence 0.9987, needed 0.9999"),
        "{doubtful:?}"
    );

    let mistake = |method: &str, claim: &str, says: &[&str]| {
        project.run(&["why", "-q", method, claim]).mistake(says);
    };
    mistake(
        CONJUGATE,
        "width > 0",
        &["\"width\" is no variable", "this.imaginary, return"],
    );
    mistake(CONJUGATE, "imaginary", &["not understood"]);
    mistake("Complex#turn", "return > 0", &["no method"]);
    mistake("Complex", "return > 0", &["names no method"]);
}

/// What was recorded with other code teaches nothing, and that is said.
pub(crate) fn is_of_other_code(project: &Project) {
    let ran = project.run(&["why", "-q", CONJUGATE, "return.imaginary != 0"]);
    let says = "The 3 hand-written tests that call it were recorded with other code";
    assert!(ran.stdout.contains(says), "{ran:?}");
}

/// Without a recording there is nothing to say, and that is said.
#[test]
fn what_was_not_recorded_has_no_answer() {
    let project = Project::of("suspects");
    let asked = ["why", "-q", CONJUGATE, "this.imaginary > 0"];
    let ran = project.run(&asked);
    assert_eq!((ran.code, &*ran.stderr), (0, ""), "{ran:?}");
    assert!(
        ran.stdout
            .contains("No call of it by a hand-written test is kept"),
        "{ran:?}"
    );
    let answer = project
        .run(&[&asked[..], &["--format", "json"]].concat())
        .json();
    meets(&schema("why"), &answer, "nothing recorded");
    assert_eq!(answer["points"], serde_json::json!([]));
    assert!(
        !project.path().join(".telltale").exists(),
        "nothing is left"
    );
}

/// A method without code is never called itself.
#[test]
fn what_overrides_a_method_without_code_is_named() {
    let shapes = "package s; interface Shape { int area(); int none(); }
abstract class Square implements Shape { public int area() { return 1; } }
";
    let project = Project::new(&[
        ("pom.xml", "<project><artifactId>s</artifactId></project>"),
        ("src/main/java/s/Shape.java", shapes),
    ]);
    let asked = |method: &str| project.run(&["why", "-q", method, "return > 0"]).stdout;
    let area = asked("Shape#area");
    assert!(area.contains("ask for 's.Square#area()'."), "{area}");
    let none = asked("Shape#none");
    assert!(none.contains("nothing here overrides it"), "{none}");
}
