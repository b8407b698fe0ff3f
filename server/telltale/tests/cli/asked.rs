//! `telltale record` and what it asks of tests: a query that does not end, or that changes something, costs itself.

use crate::record::{cannot_record, facts};
use crate::schemas::{meets, schema};
use crate::support::{Project, repository, telltale};
use serde_json::json;

/// A Maven project of a class and its tests.
fn project(class: &str, code: &str, tests: &str) -> Project {
    let build = repository().join("tests/demo/pom.xml");
    let build = std::fs::read_to_string(build).expect("it is there");
    Project::new(&[
        ("pom.xml", &build),
        (&format!("src/main/java/wild/{class}.java"), code),
        (&format!("src/test/java/wild/{class}Test.java"), tests),
    ])
}

/// A class of which each query changes something: who asks a sequence for its length changes nothing, but here a proxy counts.
pub(crate) fn tape(more: &str) -> String {
    format!(
        "package wild;
import java.lang.reflect.Proxy;
class Tape {{
    private static int asked;
    private int longest;
    private final CharSequence end = (CharSequence) Proxy.newProxyInstance(
        Tape.class.getClassLoader(), new Class<?>[] {{CharSequence.class}}, (proxy, method, given) -> {{ asked++; return 2; }});
    void write(String text) {{
        for (String line : text.split(\",\")) {{
            if (line.length() > longest) {{
                longest = line.length();
            }}
        }}
    }}
    int width() {{ return longest + end.length(); }}
    {more}
}}
"
    )
}

/// What a test does not ask may wait for what the test never does.
#[test]
fn a_query_that_does_not_end_is_named_and_its_test_keeps_its_values() {
    if cannot_record() {
        return;
    }
    let project = project(
        "Pipe",
        "package wild;
class Pipe {
    private int sum;
    private boolean stop;
    void put(int n) { sum += n; }
    void close() { stop = true; }
    int total() {
        int turns = 0;
        while (sum > 3 && !stop) { turns++; }
        return sum;
    }
}
",
        "package wild;
import org.junit.jupiter.api.*;
class PipeTest {
    @Test void fills() { Pipe pipe = new Pipe(); int first = 2; pipe.put(first); pipe.put(4); }
    @Test void drips() { Pipe pipe = new Pipe(); int first = 2; pipe.put(first); }
}
",
    );
    let root = project.path();
    let kept = || {
        let facts = facts(root);
        let of = |name: &str| facts.of(name).expect("it ran").clone();
        let (fills, drips) = (of("wild.PipeTest#fills()"), of("wild.PipeTest#drips()"));
        assert!(fills.passed && drips.passed, "{fills:?} {drips:?}");
        let mut variables = fills.variables.all().into_iter();
        let first = variables.find(|(seen, _)| seen.variable == "first");
        let first = first.and_then(|(_, own)| own.stable().map(|v| v.short()));
        assert_eq!(first.as_deref(), Some("2"));
        assert!(!fills.queries.contains_key("pipe.total()"), "{fills:?}");
        let total = drips.queries.get("pipe.total()").and_then(|o| o.stable());
        assert_eq!(total.map(|v| v.short()).as_deref(), Some("2"), "{drips:?}");
    };
    let answer = telltale(root, &["record", "-q", "--format", "json"]).json();
    meets(&schema("record"), &answer, "record");
    let unanswered = json!([{ "test": "wild.PipeTest#fills()", "expression": "pipe.total()" }]);
    assert_eq!(answer["unanswered"], unanswered, "{answer:#}");
    assert_eq!(answer["ended"], json!([]), "{answer:#}");
    kept();
    // In a JVM of our own, and where a test may not take so long: it is the query that does.
    let arguments = ["record", "-q", "--test", "PipeTest", "--timeout", "2"];
    let text = telltale(root, &arguments).stdout;
    assert!(
        text.starts_with("2 tests ran by a JVM of our own"),
        "{text}"
    );
    let said = "1 query did not end and is not asked\n  pipe.total() in wild.PipeTest#fills()\n";
    assert!(text.contains(said), "{text}");
    assert!(!text.contains("ends its JVM"), "{text}");
    kept();
}

/// Nothing in the source says that a query changes anything, and no test fails for it; but another test's values are others.
#[test]
fn what_is_another_value_since_tests_are_asked_is_named_and_not_kept() {
    if cannot_record() {
        return;
    }
    let project = project(
        "Tape",
        &tape("static int count() { return asked; }"),
        "package wild;
import org.junit.jupiter.api.*;
@TestMethodOrder(MethodOrderer.MethodName.class)
class TapeTest {
    @Test void a() { Tape tape = new Tape(); tape.write(\"a,bcd,e\"); }
    @Test void b() { int count = Tape.count(); int other = 1; long now = System.nanoTime(); new Tape().write(\"\" + count + other + now); }
}
",
    );
    // What one query changes only another one sees: it depends on which is asked first.
    project.write(
        "src/main/java/wild/Reel.java",
        b"package wild;
import java.lang.reflect.Proxy;
class Reel {
    private int longest;
    private int turns;
    private final CharSequence end = (CharSequence) Proxy.newProxyInstance(
        Reel.class.getClassLoader(), new Class<?>[] {CharSequence.class}, (proxy, method, given) -> { turns++; return 2; });
    void write(String text) {
        for (String line : text.split(\",\")) {
            if (line.length() > longest) {
                longest = line.length();
                turns += 10;
            }
        }
    }
    int width() { return longest + end.length(); }
    int turns() { return turns; }
}
",
    );
    project.write(
        "src/test/java/wild/ReelTest.java",
        b"package wild;
import org.junit.jupiter.api.*;
class ReelTest {
    @Test void a() { Reel reel = new Reel(); reel.write(\"a,bcd,e\"); }
}
",
    );
    let root = project.path();
    let kept = || {
        let facts = facts(root);
        let reel = facts.of("wild.ReelTest#a()").expect("it ran");
        let stable = |query: &str| reel.queries.get(query).map(|o| o.stable().is_some());
        assert_eq!(stable("reel.width()"), Some(true), "{reel:?}");
        assert_eq!(stable("reel.turns()"), Some(false), "{reel:?}");
        let a = facts.of("wild.TapeTest#a()").expect("it ran");
        let width = a.queries.get("tape.width()").and_then(|o| o.stable());
        assert_eq!(width.map(|v| v.short()).as_deref(), Some("5"), "{a:?}");
        let b = facts.of("wild.TapeTest#b()").expect("it ran");
        let told = b.variables.all().into_iter();
        let told = told.map(|(seen, own)| (seen.variable.to_string(), own.is_unstable()));
        let mut told: Vec<(String, bool)> = told.collect();
        told.sort();
        let wanted = [("now".to_owned(), true), ("other".to_owned(), false)];
        assert_eq!(told, wanted, "{b:?}");
        assert!(b.queries.is_empty(), "{b:?}");
    };
    let answer = telltale(root, &["record", "-q", "--format", "json"]).json();
    meets(&schema("record"), &answer, "record");
    assert_eq!(
        answer["shifted"],
        json!(["wild.TapeTest#b()"]),
        "{answer:#}"
    );
    assert_eq!(answer["disturbed"], json!([]), "{answer:#}");
    let unstable = json!([
        { "test": "wild.ReelTest#a()", "expression": "reel.turns()" },
        { "test": "wild.TapeTest#b()", "expression": "now" },
    ]);
    assert_eq!(answer["unstable"], unstable, "{answer:#}");
    kept();
    let text = telltale(root, &["record", "-q", "--test", "TapeTest"]).stdout;
    assert!(
        text.starts_with("2 tests ran by a JVM of our own"),
        "{text}"
    );
    let said = "1 test has another value when what tests could read is asked for; that is left out\n  wild.TapeTest#b()\n";
    assert!(text.contains(said), "{text}");
    kept();
}
