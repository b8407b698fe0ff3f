//! `telltale suspects`: of a project that is recorded once, the wrong assertion is the first of forty.
#![allow(clippy::print_stderr)]

use crate::check::sarif;
use crate::record::cannot_record;
use crate::schemas::{meets, schema};
use crate::support::{Project, telltale};
use serde_json::Value;

const GENERATED: &str = "src/test/java/algebra/Complex_ESTest.java";

/// The line, from 1, of the assertion that is wrong.
fn wrong() -> usize {
    let text = std::fs::read_to_string(
        crate::support::repository()
            .join("tests/suspects")
            .join(GENERATED),
    );
    let text = text.expect("its text");
    let test = text.find("// The one that is wrong").expect("it is marked");
    let at = test + text[test..].find("assertFalse").expect("an assertion");
    text[..at].lines().count()
}

#[test]
fn what_was_not_recorded_is_not_ranked_and_says_what_to_do() {
    let project = Project::of("suspects");
    let ran = project.run(&["suspects", "-q"]);
    assert_eq!((ran.code, &*ran.stderr), (0, ""), "{ran:?}");
    assert_eq!(
        ran.stdout,
        "algebra.Complex: its generated tests were not recorded; `telltale record` runs them\n"
    );
    let answer = project.run(&["suspects", "-q", "--format", "json"]).json();
    meets(&schema("suspects"), &answer, "nothing was recorded");
    assert_eq!(answer["classes"][0]["suspects"], serde_json::json!([]));
    assert!(
        !project.path().join(".telltale").exists(),
        "nothing is left"
    );
    let bare = Project::new(&[("A.java", "class A { }\n")]);
    let ran = bare.run(&["suspects", "-q"]);
    assert_eq!(
        (ran.code, &*ran.stdout),
        (0, "There are no generated tests here.\n")
    );
    let ran = bare.run(&["suspects", "--similarity", "2"]);
    assert_eq!(ran.code, 2, "{ran:?}");
}

/// As the paper has it: a real number comes out of `multiply()`, its conjugate out of `conjugate()`, and `equals()` tells them apart.
#[test]
fn the_papers_own_listing_is_first() {
    if cannot_record() {
        return;
    }
    const OURS: &str = "        Complex complex0 = new Complex(7, 0);
        Complex complex1 = complex0.conjugate();
        boolean boolean0 = complex0.equals(complex1);
        assertFalse(boolean0);
";
    const LISTING: &str = "        Complex complex0 = new Complex(0, 1);
        Complex complex1 = complex0.multiply(complex0);
        Complex complex2 = complex1.conjugate();
        assertEquals(-1.0, complex2.getReal(), 0.01);
        assertFalse(complex2.equals(complex1));
        assertEquals(-1.0, complex1.getReal(), 0.01);
";
    let project = Project::of("suspects");
    let path = project.path().join(GENERATED);
    let text = std::fs::read_to_string(&path).expect("its text");
    assert!(text.contains(OURS));
    let text = text.replace(OURS, LISTING);
    let at = text.find("assertFalse(complex2.equals(complex1))");
    let line = text[..at.expect("it is there")].lines().count();
    std::fs::write(path, text).expect("written");
    let ran = project.run(&["record", "-q"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let answer = project.run(&["suspects", "-q", "--format", "json"]).json();
    let suspects = answer["classes"][0]["suspects"].as_array().expect("a list");
    assert_eq!(suspects[0]["line"], line, "{:#}", suspects[0]);
    assert_eq!(suspects[0]["rank"], 1.0);
    let broken = suspects[0]["violations"].as_array().expect("a list");
    let from = |method: &str, way: &str| {
        broken.iter().any(|v| {
            let steps = v["way"].as_array().into_iter().flatten();
            let steps: Vec<&str> = steps.filter_map(Value::as_str).collect();
            let of = v["method"].as_str().unwrap_or_default();
            of.contains(method) && steps.join("; ") == way
        })
    };
    assert!(from("#equals", "equals(complex1) gave what is asserted"));
    let way = "conjugate() gave complex2; equals(complex1) read complex2";
    assert!(from("#conjugate", way), "{broken:#?}");
}

/// Names mean what they mean elsewhere, and one that means nothing here is an error that names what does.
#[test]
fn what_a_name_means_is_said_or_refused() {
    let project = Project::of("suspects");
    let about =
        "algebra.Complex: its generated tests were not recorded; `telltale record` runs them\n";
    for (option, name) in [
        ("--class", "Complex"),
        ("--class", "algebra.Complex"),
        ("--class", "Complex_ESTest"),
        ("--test", "Complex_ESTest"),
        ("--test", "algebra.Complex_ESTest#test01"),
        ("--test", "all"),
    ] {
        let ran = project.run(&["suspects", "-q", option, name]);
        assert_eq!((ran.code, &*ran.stderr), (0, ""), "{name}: {ran:?}");
        assert!(ran.stdout.starts_with(about), "{name}: {ran:?}");
    }
    let choices = "give one of algebra.Complex, algebra.Complex_ESTest";
    for (option, name, says, help) in [
        (
            "--class",
            "Complx",
            "no class is named Complx",
            "did you mean algebra.Complex",
        ),
        (
            "--test",
            "Complex_ESTest#tset01",
            "no test is named Complex_ESTest#tset01",
            "did you mean algebra.Complex_ESTest#test01()",
        ),
        (
            "--class",
            "Qqqqqqqqqq",
            "no class is named Qqqqqqqqqq",
            choices,
        ),
        // Written by hand.
        (
            "--class",
            "ComplexTest",
            "algebra.ComplexTest is no generated test, and none is about it",
            choices,
        ),
        (
            "--test",
            "ComplexTest",
            "algebra.ComplexTest is no generated test, and none is about it",
            choices,
        ),
    ] {
        let ran = project.run(&["suspects", "-q", option, name]);
        assert_eq!((ran.code, &*ran.stdout), (2, ""), "{name}: {ran:?}");
        assert!(ran.stderr.contains(says), "{name}: {ran:?}");
        assert!(ran.stderr.contains(help), "{name}: {ran:?}");
    }
    for wrong in [
        &["--method", "Complex#conjugate"][..],
        &["--class", "Complex", "--test", "Complex_ESTest"],
        &["--class", "Complex", "--explain", "Complex_ESTest.java:29"],
    ] {
        let ran = project.run(&[&["suspects", "-q"], wrong].concat());
        assert_eq!((ran.code, &*ran.stdout), (2, ""), "{wrong:?}: {ran:?}");
    }
    let bare = Project::new(&[("A.java", "class A { }\n")]);
    let ran = bare.run(&["suspects", "-q", "--class", "A"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("`tests.generated`"), "{ran:?}");
}

/// Of the whole class, `all` is what is ranked; a test has a part of it.
fn of_some_tests(project: &Project, all: &[Value]) {
    let of = |named: &[&str]| {
        let ran = project.run(&[&["suspects", "-q", "--format", "json"], named].concat());
        let answer = ran.json();
        meets(&schema("suspects"), &answer, "of a name");
        assert_eq!(answer["classes"].as_array().map(Vec::len), Some(1));
        assert_eq!(answer["classes"][0]["assertions"], 40, "{named:?}");
        let suspects = answer["classes"][0]["suspects"].as_array().cloned();
        suspects.expect("a list")
    };
    for whole in [
        ["--class", "Complex"],
        ["--class", "Complex_ESTest"],
        ["--test", "Complex_ESTest"],
        ["--test", "all"],
    ] {
        assert_eq!(of(&whole), all, "{whole:?}");
    }
    let is_own = |s: &&Value| s["test"] == "algebra.Complex_ESTest#test02()";
    let own: Vec<Value> = all.iter().filter(is_own).cloned().collect();
    assert!((1..all.len()).contains(&own.len()), "{own:#?}");
    assert!(own[0]["rank"].as_f64() > Some(1.0), "{own:#?}");
    assert_eq!(of(&["--test", "Complex_ESTest#test02"]), own);
    // As many of them as are wanted, with the ranks of all.
    let ran = project.run(&[
        "suspects",
        "-q",
        "--top",
        "1000",
        "--test",
        "Complex_ESTest#test02",
    ]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let counts = format!(" assertions, {} ranked", own.len());
    assert!(
        lines[1].starts_with("of algebra.Complex_ESTest#test02(): "),
        "{lines:#?}"
    );
    assert!(lines[1].ends_with(&counts), "{lines:#?}");
    let places = lines.iter().filter(|l| l.starts_with("src/"));
    let lines: Vec<String> = places
        .filter_map(|l| l.split(':').nth(1).map(str::to_owned))
        .collect();
    let wanted: Vec<String> = own.iter().map(|s| s["line"].to_string()).collect();
    assert_eq!(lines, wanted);
    // The marks of one test for code scanning.
    let results = |named: &[&str]| {
        let ran = project.run(&[&["suspects", "-q", "--format", "sarif"], named].concat());
        let results = ran.json()["runs"][0]["results"].as_array().map(Vec::len);
        results.expect("results")
    };
    let (of_all, of_first, of_last) = (
        results(&[]),
        results(&["--test", "Complex_ESTest#test01"]),
        results(&["--test", "Complex_ESTest#test02"]),
    );
    assert_eq!((of_first, of_first + of_last <= of_all), (1, true));
}

#[test]
fn the_wrong_assertion_is_the_first() {
    if cannot_record() {
        return;
    }
    let project = Project::of("suspects");
    let root = project.path();
    let ran = telltale(root, &["record", "-q"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let line = wrong();

    let answer = project.run(&["suspects", "-q", "--format", "json"]).json();
    meets(&schema("suspects"), &answer, "suspects");
    assert_eq!(answer["classes"].as_array().map(Vec::len), Some(1));
    let class = &answer["classes"][0];
    assert_eq!(class["class"], "algebra.Complex");
    assert_eq!(
        (&class["assertions"], &class["unknown_tests"]),
        (&40.into(), &0.into())
    );
    let first = &class["suspects"][0];
    assert_eq!(
        (&first["path"], &first["line"]),
        (&GENERATED.into(), &line.into())
    );
    assert_eq!(
        (&first["rank"], &first["told"]),
        (&Value::from(1.0), &false.into())
    );
    let way = serde_json::json!([
        "conjugate() gave complex1",
        "equals(complex1) read complex1 and gave boolean0"
    ]);
    let violations = first["violations"].as_array().expect("violations");
    assert!(violations.iter().any(|v| v["way"] == way), "{first:#}");
    let again = project.run(&["suspects", "-q", "--format", "json"]).json();
    assert_eq!(again, answer, "the same facts, the same ranking");

    of_some_tests(&project, class["suspects"].as_array().expect("a list"));

    // For people; as many as they want.
    let ranked = class["suspects"].as_array().map_or(0, Vec::len);
    let place = format!("{GENERATED}:{line}:9: worth a look, 1st of 40, score ");
    for (top, shown) in [("0", 0), ("1", 1), ("3", 3), ("1000", ranked)] {
        let text = project.run(&["suspects", "-q", "--top", top]).stdout;
        let places = text.lines().filter(|l| l.starts_with("src/"));
        assert_eq!(places.clone().count(), shown, "{text}");
        assert!(places.take(1).all(|l| l.starts_with(&place)), "{text}");
        assert!(
            text.starts_with("algebra.Complex: 40 assertions of 15 generated tests, beside "),
            "{text}"
        );
    }
    let text = project.run(&["suspects", "-q", "--top", "1"]).stdout;
    assert!(
        text.contains(
            "    equals() gave the result = false here, while this and other held the same; in "
        ),
        "{text}"
    );
    // Without what goes beyond the published method: another reason, and a sum.
    let without = ["alike", "weights"].map(|step| format!("--without={step}"));
    let text = project.run(&["suspects", "-q", "--top", "1", &without[0], &without[1]]);
    assert!(text.stdout.contains("    conjugate() gave "), "{text:?}");
    assert!(!text.stdout.contains("hold the same"), "{text:?}");
    let elsewhere = project.run(&["suspects", "-q", "--root", ".", "pom.xml"]);
    assert!(!elsewhere.stdout.contains(GENERATED), "{elsewhere:?}");

    // For code scanning.
    let check = &[
        "check",
        "-q",
        "--rule",
        "suspicious-assertion",
        "--format",
        "sarif",
    ];
    let ran = telltale(root, check);
    let found: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    meets(&sarif(), &found, "sarif");
    let results = found["runs"][0]["results"].as_array().expect("results");
    let at = |r: &&Value| r["locations"][0]["physicalLocation"]["region"]["startLine"] == line;
    let result = results.iter().find(at).expect("the wrong one");
    assert_eq!(result["ruleId"], "suspicious-assertion");
    let rank = result["rank"].as_f64().expect("a rank");
    assert!((rank - 100.0).abs() < 1e-9, "{result:#}");
    let related = result["relatedLocations"]
        .as_array()
        .expect("who taught it");
    let (call, teachers) = related.split_last().expect("both");
    let of_call = &call["physicalLocation"];
    assert_eq!(of_call["artifactLocation"]["uri"], GENERATED, "{call}");
    assert_eq!(of_call["region"]["startLine"], line - 1, "{call}");
    assert!(!teachers.is_empty());
    for place in teachers {
        let path = &place["physicalLocation"]["artifactLocation"]["uri"];
        assert_eq!(path, "src/test/java/algebra/ComplexTest.java");
        let says = place["message"]["text"].as_str().unwrap_or_default();
        assert!(says.starts_with("taught by ComplexTest."), "{says}");
    }

    // A mark may fail a build; a faint one is no warning.
    for (level, code) in [("hint", 1), ("warning", 0), ("never", 0)] {
        let ran = project.run(&["suspects", "-q", "--fail-on", level]);
        assert_eq!(ran.code, code, "{level}: {ran:?}");
        assert!(ran.stdout.starts_with("algebra.Complex: "), "{ran:?}");
    }
    let unmarked = ["--fail-on", "hint", "--top", "0", "--format", "sarif"];
    let ran = project.run(&[&["suspects", "-q"], &unmarked[..]].concat());
    assert_eq!(ran.code, 0, "{ran:?}");

    // What a team accepted counts here as it does in an editor.
    let accepted = root.join("telltale-dismissed.toml");
    let entry = "[[dismissed]]\nin = \"algebra.Complex_ESTest#test01()\"\nassertion = \"assertFalse(boolean0)\"\n";
    std::fs::write(&accepted, entry).expect("written");
    let without = project.run(&["suspects", "-q", "--format", "json"]).json();
    let of_line = |s: &Value| s["line"] == line;
    let suspects = without["classes"][0]["suspects"].as_array();
    assert!(
        !suspects.expect("a list").iter().any(of_line),
        "{without:#}"
    );
    let ran = telltale(root, check);
    let found: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let results = found["runs"][0]["results"].as_array().expect("results");
    assert!(!results.iter().any(|r| at(&r)), "{found:#}");
    std::fs::remove_file(&accepted).expect("removed");

    // As if whatever stands behind a strange call were reached.
    let all = project.run(&["suspects", "-q", "--without", "flow", "--format", "json"]);
    let all = all.json();
    meets(&schema("suspects"), &all, "without flow");
    let ways = |answer: &Value| {
        let suspects = answer["classes"][0]["suspects"].as_array();
        let suspect = suspects.and_then(|all| all.iter().find(|s| of_line(s)));
        let violations = suspect.and_then(|s| s["violations"].as_array());
        let ways = violations.into_iter().flatten().map(|v| v["way"].clone());
        ways.collect::<Vec<Value>>()
    };
    let before = serde_json::json!(["equals() ran before it"]);
    assert!(ways(&all).contains(&before), "{:?}", ways(&all));
    assert!(!ways(&answer).contains(&before), "{:?}", ways(&answer));

    // Where nobody teaches nothing is ranked, and it says so.
    let manual = root.join("src/test/java/algebra/ComplexTest.java");
    let taught = std::fs::read_to_string(&manual).expect("its text");
    std::fs::remove_file(&manual).expect("removed");
    let ran = project.run(&["suspects", "-q"]);
    assert_eq!(
        ran.stdout,
        "algebra.Complex: 40 assertions of 15 generated tests; no hand-written test says what is usual\n"
    );
    std::fs::write(&manual, taught).expect("written");

    // Of other code nothing is said.
    let code = root.join("src/main/java/algebra/Complex.java");
    let text = std::fs::read_to_string(&code).expect("text");
    let edited = text.replace(
        "new Complex(real, -imaginary)",
        "new Complex(real, 0 - imaginary)",
    );
    assert_ne!(edited, text);
    std::fs::write(&code, edited).expect("written");
    let later = project.run(&["suspects", "-q", "--format", "json"]).json();
    meets(&schema("suspects"), &later, "stale");
    let later = &later["classes"][0];
    assert!(
        !later["suspects"]
            .as_array()
            .expect("a list")
            .iter()
            .any(of_line),
        "{later:#}"
    );
    assert!(later["stale_tests"].as_u64() > Some(0), "{later:#}");
}
