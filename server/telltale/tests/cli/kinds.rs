//! `telltale suspects`, where the class under test is abstract and generic with a class within it, an enum, a record, and lies in
//! another module than its tests: each has a fault that a generated test froze.

use crate::record::cannot_record;
use crate::schemas::{meets, schema};
use crate::support::{Project, telltale};

#[test]
fn every_kind_of_class_is_judged() {
    if cannot_record() {
        return;
    }
    let project = Project::of("kinds");
    let ran = telltale(project.path(), &["record", "-q"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let answer = project.run(&["suspects", "-q", "--format", "json"]).json();
    meets(&schema("suspects"), &answer, "kinds");
    // What the language adds runs, and nobody has to override it.
    let untaught = project.run(&["why", "-q", "Level#valueOf", "return != null"]);
    assert!(
        untaught
            .stdout
            .contains("No call of it by a hand-written test"),
        "{untaught:?}"
    );
    let classes = answer["classes"].as_array().expect("classes");
    let first = classes.iter().map(|class| {
        let first = &class["suspects"][0];
        (
            class["class"].as_str().unwrap_or_default(),
            first["path"].as_str().unwrap_or_default(),
            first["line"].as_u64().unwrap_or_default(),
            class["failed_tests"].as_u64().unwrap_or_default(),
        )
    });
    let path = |name: &str| format!("checks/src/test/java/kinds/{name}_ESTest.java");
    let wrong = |name: &str, text: &str| {
        let whole = std::fs::read_to_string(project.path().join(path(name))).expect("its text");
        let line = whole.lines().position(|l| l.trim() == text);
        line.expect("it is there") as u64 + 1
    };
    let [bag, listed, level, span] = ["Bag", "BagListed", "Level", "Span"].map(path);
    // The test that fails on this version is about spans, whatever its name.
    let expected = [
        (
            "kinds.Bag",
            bag.as_str(),
            wrong("Bag", "assertEquals(-1, int0);"),
            0,
        ),
        // The class within it is known by what its tests call: they have no name of its.
        (
            "kinds.Bag$Listed",
            listed.as_str(),
            wrong("BagListed", "assertEquals(-1, int0);"),
            0,
        ),
        (
            "kinds.Level",
            level.as_str(),
            wrong("Level", "assertEquals((-30), int0);"),
            0,
        ),
        (
            "kinds.Span",
            span.as_str(),
            wrong("Span", "assertEquals((-2), int0);"),
            1,
        ),
    ];
    assert_eq!(first.collect::<Vec<_>>(), expected, "{answer:#}");
    let text = project.run(&["suspects", "-q", "--top", "0"]).stdout;
    let said = "kinds.Span: 2 assertions of 2 generated tests, beside 2 hand-written tests: 0 probably wrong, 1 ranked; 1 test left out, failed\n";
    assert!(text.contains(said), "{text}");
    // A constant reads by its name, and is understood so.
    let levels = "this one of { HIGH, LOW, MID }";
    let text = project.run(&["why", "-q", "Level#left", levels]).stdout;
    assert!(text.contains("when it begins:  believed"), "{text}");
    let text = project
        .run(&["why", "-q", "Level#left", "this == LOW"])
        .stdout;
    assert!(text.contains("there this = MID;"), "{text}");
    let wrong = project.run(&["why", "-q", "Level#left", "this == wieght"]);
    assert_eq!(wrong.code, 2, "{wrong:?}");
    assert!(
        wrong.stderr.contains("when it returns there are "),
        "{wrong:?}"
    );
    let text = project.run(&["invariants", "-q", "."]).stdout;
    assert!(text.contains(&format!("\n{levels}\n")), "{text}");
    // With other code nothing is known of the one that ran it; of the others all is.
    let code = "code/src/main/java/kinds/Level.java";
    let text = std::fs::read_to_string(project.path().join(code)).expect("its text");
    let other = text.replace("100 - weight", "101 - weight");
    assert_ne!(other, text);
    project.write(code, other.as_bytes());
    let text = project.run(&["suspects", "-q", "--top", "0"]).stdout;
    assert!(
        text.contains("kinds.Level: its generated tests were not recorded"),
        "{text}"
    );
    assert!(text.contains(said), "{text}");
}

/// About both: its name is none of theirs.
const BOTH: &str = "package kinds;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

public class Sack_ESTest {
    @Test
    public void test0() throws Throwable {
        Bag.Listed<Object> listed0 = new Bag.Listed<Object>();
        listed0.add(\"a\");
        int int0 = listed0.place(\"a\");
        assertEquals(1, int0);
        listed0.remove(\"a\");
    }

    @Test
    public void test1() throws Throwable {
        Bag.Listed<Object> listed0 = new Bag.Listed<Object>();
        listed0.add(\"a\");
        int int1 = listed0.place(\"b\");
        assertEquals(-1, int1);
        listed0.remove(\"a\");
    }
}
";

/// A test that is about a class and one within it is ranked in both, and told of one. Below a path a class with code elsewhere has the
/// tests there alone.
#[test]
fn an_assertion_is_told_once_and_with_a_path_those_below_it() {
    if cannot_record() {
        return;
    }
    let project = Project::of("kinds");
    let tests = "checks/src/test/java/kinds";
    let both = format!("{tests}/Sack_ESTest.java");
    project.write(&both, BOTH.as_bytes());
    let ran = telltale(project.path(), &["record", "-q"]);
    assert_eq!(ran.code, 0, "{ran:?}");

    let place = format!("{both}:22:9: ");
    let answer = project.run(&["suspects", "-q", "--format", "json"]).json();
    let ranked = answer["classes"].as_array().expect("classes").iter();
    let ranked = ranked.filter(|class| {
        let own = class["suspects"].as_array().into_iter().flatten();
        own.filter(|s| s["path"] == *both && s["line"] == 22)
            .count()
            == 1
    });
    let names: Vec<&str> = ranked.filter_map(|c| c["class"].as_str()).collect();
    assert_eq!(names, ["kinds.Bag", "kinds.Bag$Listed"], "{answer:#}");
    let text = project.run(&["suspects", "-q"]).stdout;
    assert_eq!(text.matches(&place).count(), 1, "{text}");
    assert!(text.contains(" told of another class\n"), "{text}");
    let sarif = project.run(&["suspects", "-q", "--format", "sarif"]).json();
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let places = results.iter().map(|r| {
        let of = &r["locations"][0]["physicalLocation"];
        format!("{}{}", of["artifactLocation"]["uri"], of["region"])
    });
    let mut places: Vec<String> = places.collect();
    let all = places.len();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), all, "{places:#?}");

    // Of one file: what it says, with the rank among all.
    let of = |path: &str| project.run(&["suspects", "-q", "--root", ".", path]).stdout;
    let text = of(&format!("{tests}/Bag_ESTest.java"));
    let counts = format!("\nof {tests}/Bag_ESTest.java: 2 assertions, 1 ranked\n");
    assert!(
        text.starts_with("kinds.Bag: ") && text.contains(&counts),
        "{text}"
    );
    assert!(text.contains("Bag_ESTest.java:22:9: "), "{text}");
    assert!(!text.contains("Sack_ESTest"), "{text}");
    let json = project.run(&[
        "suspects",
        "-q",
        "--format",
        "json",
        &format!("{tests}/Bag_ESTest.java"),
    ]);
    let json = json.json();
    let own = json["classes"][0]["suspects"].as_array().expect("a list");
    assert_eq!(own.len(), 1, "{json:#}");
    // One that failed has none, and nobody else's are shown for it.
    let slow = of(&format!("{tests}/Slow_ESTest.java"));
    let counts = format!("\nof {tests}/Slow_ESTest.java: not judged: ");
    assert!(
        slow.starts_with("kinds.Span: ") && slow.contains(&counts),
        "{slow}"
    );
    assert!(!slow.contains("Span_ESTest"), "{slow}");
    // Where the code or all the tests are below the path, all is as without one.
    for path in ["code", "checks", "code/src/main/java/kinds/Bag.java"] {
        let text = of(path);
        assert!(text.contains(&place) && !text.contains("\nof "), "{text}");
    }
}
