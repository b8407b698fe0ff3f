//! `telltale record` by Maven, with frameworks and test plugins that projects have and ours has not.

use crate::record::{cannot_record, facts};
use crate::support::{Project, repository, telltale};
use serde_json::{Value, json};
use std::path::Path;

const CODE: &str = "package old;
public class Counter {
    private int n;
    public int next() { return ++n; }
    public int seen() { return n; }
}
";

/// A project with another framework, or another surefire.
fn project(dependency: &str, surefire: &str, test: &str) -> Project {
    let pom = repository().join("tests/demo/pom.xml");
    let mut pom = std::fs::read_to_string(pom).expect("it is there");
    let jupiter = "<groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>5.13.4</version>";
    for (from, to) in [
        (jupiter, dependency),
        ("<version>3.5.4</version>", surefire),
    ] {
        assert_eq!(pom.matches(from).count(), 1, "{from}");
        pom = pom.replace(from, to);
    }
    Project::new(&[
        ("pom.xml", &pom),
        ("src/main/java/old/Counter.java", CODE),
        ("src/test/java/old/CounterTest.java", test),
    ])
}

fn dependency(group: &str, artifact: &str, version: &str) -> String {
    format!(
        "<groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>"
    )
}

/// Its test counts and checks nothing, so what it could read is asked, and is 2.
fn is_kept(root: &Path) {
    let facts = facts(root);
    let counts = facts.of("old.CounterTest#testCounts()").expect("it ran");
    assert!(counts.passed, "{counts:?}");
    let seen = counts.queries.get("counter.seen()");
    let seen = seen.and_then(|o| o.stable()).map(|v| v.short());
    assert_eq!(seen.as_deref(), Some("2"), "{counts:?}");
    let mut variables = counts.variables.all().into_iter();
    let first = variables.find(|(seen, _)| seen.variable == "first");
    let first = first.and_then(|(_, own)| own.stable().map(|v| v.short()));
    assert_eq!(first.as_deref(), Some("1"));
}

/// Records that test alone: of the build only the run of the tests as they are.
fn records_one(project: &Project, tool: &str) -> Value {
    let test = "CounterTest#testCounts";
    let arguments = ["record", "-q", "--format", "json", "--test", test];
    let answer = telltale(project.path(), &arguments).json();
    assert_eq!(answer["run"]["tool"], tool, "{answer:#}");
    assert_eq!(answer["run"]["tests"], 1, "{answer:#}");
    assert_eq!(answer["run"]["failed"], 0, "{answer:#}");
    is_kept(project.path());
    answer
}

/// Records both, all by the build.
fn records_all(project: &Project) {
    let root = project.path();
    let answer = telltale(root, &["record", "-q", "--format", "json"]).json();
    assert_eq!(answer["run"]["tool"], "Maven", "{answer:#}");
    assert_eq!(answer["run"]["tests"], 2, "{answer:#}");
    let failures = &answer["failures"];
    let fails = "old.CounterTest#testFails";
    assert_eq!(failures[0]["test"], fails, "{answer:#}");
    assert_eq!(failures.as_array().map(Vec::len), Some(1), "{answer:#}");
    for name in ["unstable", "ended", "disturbed", "shifted", "lost"] {
        assert_eq!(answer[name], json!([]), "{name}: {answer:#}");
    }
    is_kept(root);
    let facts = facts(root);
    let fails = facts.of("old.CounterTest#testFails()").expect("it ran");
    assert!(!fails.passed, "{fails:?}");
}

/// Two tests, each with an annotation before it.
fn tests(head: &str, annotation: &str) -> String {
    format!(
        "package old;
{head} {{
    {annotation} public void testCounts() {{
        Counter counter = new Counter();
        int first = counter.next();
        counter.next();
    }}
    {annotation} public void testFails() {{
        int last = new Counter().next();
        throw new IllegalStateException(\"no \" + last);
    }}
}}
"
    )
}

/// The note that the build's own plugin did not run them.
fn says_newer(answer: &Value) -> bool {
    let note = "The build's own test plugin found no tests; a newer one ran them. Name its version in the build.";
    let mut notes = answer["notes"].as_array().expect("notes").iter();
    notes.any(|said| said == note)
}

const NEW: &str = "<version>3.5.4</version>";
const OWN: &str = "a JVM of our own";

#[test]
fn tests_of_junit_3_are_recorded() {
    if cannot_record() {
        return;
    }
    let head = "public class CounterTest extends junit.framework.TestCase";
    let junit = dependency("junit", "junit", "3.8.2");
    records_all(&project(&junit, NEW, &tests(head, "")));
}

#[test]
fn tests_of_junit_4_are_recorded() {
    if cannot_record() {
        return;
    }
    let junit = dependency("junit", "junit", "4.13.2");
    let tests = tests("public class CounterTest", "@org.junit.Test");
    let project = project(&junit, NEW, &tests);
    records_all(&project);
    records_one(&project, OWN);
}

#[test]
fn tests_of_testng_are_recorded() {
    if cannot_record() {
        return;
    }
    let testng = dependency("org.testng", "testng", "7.12.0");
    let tests = tests("public class CounterTest", "@org.testng.annotations.Test");
    let project = project(&testng, NEW, &tests);
    records_all(&project);
    records_one(&project, OWN);
}

/// What Maven 3.8 takes where a pom names no surefire finds no test of Jupiter, and calls that a success; nor does the first that
/// knows it, of a newer Jupiter.
#[test]
fn tests_that_an_old_surefire_does_not_find_are_recorded_by_a_newer_one() {
    if cannot_record() {
        return;
    }
    let jupiter = dependency("org.junit.jupiter", "junit-jupiter", "5.13.4");
    let tests = tests("public class CounterTest", "@org.junit.jupiter.api.Test");
    let unnamed = "";
    for surefire in [unnamed, "<version>2.22.2</version>"] {
        let answer = records_one(&project(&jupiter, surefire, &tests), "Maven");
        assert!(says_newer(&answer), "{answer:#}");
    }
}

/// That runs an older Jupiter by itself.
#[test]
fn the_first_surefire_that_knows_jupiter_records_its_tests() {
    if cannot_record() {
        return;
    }
    let jupiter = dependency("org.junit.jupiter", "junit-jupiter", "5.8.2");
    let tests = tests("public class CounterTest", "@org.junit.jupiter.api.Test");
    let answer = records_one(
        &project(&jupiter, "<version>2.22.2</version>", &tests),
        "Maven",
    );
    assert!(!says_newer(&answer), "{answer:#}");
}
