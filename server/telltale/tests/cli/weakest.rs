//! `telltale observe --weakest`: which tests of a scope would gain most, and that each assertion stands where it is said.

use crate::schemas::{meets, refused, schema};
use crate::support::{Project, demo, telltale};
use serde_json::{Value, json};

const TILL: &str = "package p;
public class Till {
    private int sum;
    private int sold;
    public void sell(int price, int count) {
        int all = price * count;
        int tax = all / 5;
        int total = all + tax;
        sum = sum + total;
        sold = sold + count;
    }
    public int sum() { return sum; }
}
";
const TESTS: &str = "package p;
import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.api.Test;
class TillTest {
    @Test void sells() {
        Till till = new Till();
        till.sell(3, 4);
    }
    @Test void sellsAndChecks() {
        Till till = new Till();
        till.sell(3, 4);
        assertEquals(14, till.sum());
    }
}
";

fn project() -> Project {
    Project::new(&[
        ("pom.xml", "<project/>"),
        ("src/main/java/p/Till.java", TILL),
        ("src/test/java/p/TillTest.java", TESTS),
    ])
}

#[track_caller]
fn weakest(project: &Project, arguments: &[&str]) -> Value {
    let all = [&["observe", "--format", "json"], arguments].concat();
    let answer = project.run(&all).json();
    meets(&schema("weakest"), &answer, &arguments.join(" "));
    answer
}

/// The text of a file after the edits of a test's assertion.
fn applied(text: &str, test: &Value) -> String {
    let mut edits: Vec<&Value> = test["assertion"]["edits"]
        .as_array()
        .expect("edits")
        .iter()
        .collect();
    edits.reverse();
    let mut out = text.to_owned();
    let offset = |line: &Value, column: &Value| {
        let number = |v: &Value| v.as_u64().expect("a number") as usize - 1;
        let lines = text.split_inclusive('\n').take(number(line));
        lines.map(str::len).sum::<usize>() + number(column)
    };
    for e in edits {
        let (start, end) = (
            offset(&e["line"], &e["column"]),
            offset(&e["end_line"], &e["end_column"]),
        );
        out.replace_range(start..end, e["text"].as_str().expect("a text"));
    }
    out
}

#[test]
fn a_test_that_checks_nothing_stands_first_with_its_assertion() {
    let project = project();
    let answer = weakest(&project, &["--test", "all", "--weakest", "3"]);
    assert_eq!(answer["scope"], json!({ "kind": "suite", "name": "all" }));
    assert_eq!(answer["most"], 3);
    assert_eq!(answer["counts"], json!({ "tests": 2, "with_value": 1 }));
    let tests = answer["tests"].as_array().expect("tests");
    assert_eq!(tests.len(), 1, "more were asked for than there are");
    let test = &tests[0];
    assert_eq!(test["test"], "p.TillTest#sells()");
    assert_eq!(test["path"], "src/test/java/p/TillTest.java");
    assert_eq!((&test["line"], &test["column"]), (&json!(5), &json!(16)));
    assert_eq!(test["value"]["expression"], "till.sum()");
    assert_eq!(test["assertion"]["finished"], false);
    let assertion = "assertEquals(Integer.MIN_VALUE, till.sum());";
    assert_eq!(test["assertion"]["text"], assertion);
    // The gain is that of the test's own list.
    let own = ["observe", "--format", "json", "--test", "TillTest#sells"];
    let own = project.run(&own).json();
    let of = |r: &&Value| r["candidate"]["expression"] == "till.sum()";
    let own = own["readable"].as_array().expect("a list").iter().find(of);
    assert_eq!(test["gain"], own.expect("the value")["gain"]);
    assert_eq!(test["value"]["because"], own.expect("the value")["because"]);
    // Where it is put in, nothing is left to say.
    let after = applied(TESTS, test);
    assert!(
        after.contains(&format!("sell(3, 4);\n        {assertion}\n    }}\n")),
        "{after}"
    );
    project.write("src/test/java/p/TillTest.java", after.as_bytes());
    let none = weakest(&project, &["--test", "all", "--weakest", "3"]);
    assert_eq!(none["counts"], json!({ "tests": 2, "with_value": 0 }));
    assert_eq!(none["tests"], json!([]));
    let text = project.run(&["observe", "--test", "all", "--weakest", "3"]);
    assert_eq!(text.code, 0, "{}", text.stderr);
    assert_eq!(
        text.stdout,
        "2 tests looked at: none has a value that is sure to be worth an assertion.\n"
    );
}

#[test]
fn a_scope_is_named_as_always() {
    let project = project();
    let kind = |arguments: &[&str]| {
        let all = [arguments, &["--weakest", "3"]].concat();
        let answer = weakest(&project, &all);
        assert_eq!(answer["tests"][0]["test"], "p.TillTest#sells()");
        answer["scope"]["kind"].as_str().expect("a kind").to_owned()
    };
    assert_eq!(kind(&[]), "workspace");
    assert_eq!(kind(&["src/test/java"]), "folder");
    assert_eq!(kind(&["src/test/java/p/TillTest.java"]), "file");
    assert_eq!(kind(&["--test", "TillTest"]), "test-class");
    assert_eq!(kind(&["--test", "TillTest#sells"]), "test");
    assert_eq!(kind(&["--class", "TillTest"]), "class");
    assert_eq!(kind(&["--method", "TillTest#sells"]), "method");
}

#[test]
fn the_text_says_place_assertion_and_how_many_were_looked_at() {
    let text = project().run(&["observe", "--weakest", "3"]);
    assert_eq!(text.code, 0, "{}", text.stderr);
    for says in [
        "Tests that would gain most by one assertion\n",
        "  1  TillTest.sells  gain ",
        "  src/test/java/p/TillTest.java:5\n",
        "       assertEquals(Integer.MIN_VALUE, till.sum());\n",
        "       └ to be filled in; would reveal a wrong ",
        "\n2 tests looked at: 1 has a value that is sure to be worth an assertion.\n",
    ] {
        assert!(text.stdout.contains(says), "{says}\n{}", text.stdout);
    }
}

#[test]
fn mistakes_are_said() {
    let project = project();
    let run = |arguments: &[&str]| project.run(&[&["observe"], arguments].concat());
    for n in ["0", "-1", "some", "1.5"] {
        run(&["--weakest", n]).mistake(&["--weakest <N>", "give a whole number from 1"]);
    }
    run(&["src/main/java", "--weakest", "3"]).mistake(&[
        "there is no test in src/main/java",
        "help: name tests by --test",
    ]);
    run(&["--class", "Till", "--weakest", "3"]).mistake(&["there is no test in p.Till"]);
    run(&["--weakest", "3", "--offer", "inside"]).mistake(&["cannot be used with"]);
    run(&["--weakest", "3", "--all-candidates"]).mistake(&["cannot be used with"]);
    run(&["--weakest", "3", "--verbose"]).mistake(&["cannot be used with"]);
    let bare = Project::new(&[("A.java", "class A { int m(int p) { return p; } }")]);
    bare.run(&["observe", "--weakest", "3"])
        .mistake(&["there is no test in this project"]);
    bare.run(&["observe", "--test", "all", "--weakest", "3"])
        .mistake(&["no test was found in this project"]);
}

#[test]
fn the_answer_is_the_same_each_time() {
    let arguments = ["observe", "--test", "all", "--weakest", "50"];
    let of = |format: &str| telltale(&demo(), &[&arguments[..], &["--format", format]].concat());
    for format in ["text", "json"] {
        let (one, two) = (of(format), of(format));
        assert_eq!(one.code, 0, "{}", one.stderr);
        assert_eq!(one.stdout, two.stdout);
    }
    let answer = of("json").json();
    meets(&schema("weakest"), &answer, "the demo");
    let gains: Vec<f64> = answer["tests"]
        .as_array()
        .expect("tests")
        .iter()
        .filter_map(|t| t["gain"].as_f64())
        .collect();
    assert!(
        !gains.is_empty() && gains.is_sorted_by(|a, b| a >= b),
        "{gains:?}"
    );
}

#[test]
fn broken_answers_are_refused() {
    let good = weakest(&project(), &["--weakest", "3"]);
    refused(
        &schema("weakest"),
        &good,
        &[
            ("another version", &|v| {
                v["schema"] = json!("telltale.weakest/2")
            }),
            ("none asked for", &|v| v["most"] = json!(0)),
            ("an unknown field", &|v| v["extra"] = json!(1)),
            ("an unknown count", &|v| v["counts"]["extra"] = json!(1)),
            ("no gain", &|v| v["tests"][0]["gain"] = json!(0)),
            ("line 0", &|v| v["tests"][0]["line"] = json!(0)),
            ("no edit", &|v| {
                v["tests"][0]["assertion"]["edits"] = json!([])
            }),
            ("no reason", &|v| {
                v["tests"][0]["value"]["because"] = json!("")
            }),
        ],
    );
}
