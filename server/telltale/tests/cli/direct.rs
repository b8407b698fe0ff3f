//! `telltale record --test`: a second recording does without the build, where what the build told still holds.

use crate::record::{cannot_record, facts};
use crate::schemas::{meets, schema};
use crate::support::{Project, repository, telltale};

/// What a recording of one test says runs it.
fn tool(project: &Project, test: &str, more: &[&str]) -> String {
    let mut arguments = vec!["record", "-q", "--format", "json", "--test", test];
    arguments.extend(more);
    let ran = telltale(project.path(), &arguments);
    assert_eq!(ran.code, 0, "{ran:?}");
    let answer = ran.json();
    assert_eq!(
        answer["left_out"].as_array().map(Vec::len),
        Some(0),
        "{answer:#}"
    );
    answer["run"]["tool"].as_str().expect("a tool").to_owned()
}

/// What was recorded of the price at the test's end.
fn open(project: &Project) -> Option<String> {
    let facts = facts(project.path());
    let test = facts.of("demo.OrderBookTest#takesTheBestPriceFirst()")?;
    let open = test.queries.get("book.open()")?.stable()?;
    Some(open.short())
}

fn edit(project: &Project, path: &str, from: &str, to: &str) {
    let file = project.path().join(path);
    let text = std::fs::read_to_string(&file).expect("it is there");
    assert!(text.contains(from), "{path}: {from}");
    project.write(path, text.replace(from, to).as_bytes());
}

const OWN: &str = "a JVM of our own";
const BOOK: &str = "src/main/java/demo/OrderBook.java";
const TEST: &str = "src/test/java/demo/OrderBookTest.java";

#[test]
fn a_second_recording_of_a_test_does_without_the_build_until_more_than_bodies_changed() {
    if cannot_record() {
        return;
    }
    let project = Project::of("demo");
    let test = "OrderBookTest#takesTheBestPriceFirst";
    assert_eq!(tool(&project, test, &[]), "Maven");
    assert_eq!(open(&project).as_deref(), Some("1"));
    assert_eq!(tool(&project, test, &[]), OWN);
    assert_eq!(open(&project).as_deref(), Some("1"));

    // Another body of the code, another test, and both in files that the build never saw compiled.
    edit(
        &project,
        BOOK,
        "public int open() {",
        "public int open() {\n        if (arrivals > 0) {\n            return 70 + arrivals;\n        }",
    );
    assert_eq!(tool(&project, test, &[]), OWN);
    assert_eq!(open(&project).as_deref(), Some("72"));
    edit(
        &project,
        TEST,
        "new Order(3, Side.BUY, 101, 8)",
        "new Order(3, Side.BUY, 90, 8)",
    );
    let fresh = "package demo;\nimport org.junit.jupiter.api.Test;\nclass FreshTest {\n    @Test void counts() {\n        OrderBook book = new OrderBook();\n        int open = book.open();\n    }\n}\n";
    project.write("src/test/java/demo/FreshTest.java", fresh.as_bytes());
    assert_eq!(tool(&project, test, &[]), OWN);
    assert_eq!(open(&project).as_deref(), Some("73"));
    assert_eq!(tool(&project, "FreshTest", &[]), OWN);

    // A constant is compiled into other classes, so they would have to be compiled anew.
    edit(
        &project,
        BOOK,
        "private int arrivals;",
        "static final int MOST = 3;\n    private int arrivals;",
    );
    assert_eq!(tool(&project, test, &[]), "Maven");
    assert_eq!(tool(&project, test, &[]), OWN);

    // Only the build knows whether a test that fails here fails there.
    edit(
        &project,
        TEST,
        "book.open();",
        "book.open();\n        assertTrue(book.open() < 0);",
    );
    assert_eq!(tool(&project, test, &[]), "Maven");
    edit(&project, TEST, "assertTrue(book.open() < 0);", "");
    edit(
        &project,
        "pom.xml",
        "</project>",
        "<!-- changed -->\n</project>",
    );
    assert_eq!(tool(&project, test, &[]), "Maven");
    assert_eq!(tool(&project, test, &[]), OWN);
    assert_eq!(tool(&project, test, &["--fresh"]), "Maven");
}

/// An edit makes stale what it reaches, and that alone runs again.
#[test]
fn an_engine_that_only_the_build_brings_runs_the_tests_without_it() {
    if cannot_record() {
        return;
    }
    let project = Project::of("demo");
    edit(
        &project,
        "pom.xml",
        "<artifactId>junit-jupiter</artifactId>",
        "<artifactId>junit-jupiter-params</artifactId>",
    );
    let test = "OrderBookTest#takesTheBestPriceFirst";
    assert_eq!(tool(&project, test, &[]), "Maven");
    assert_eq!(tool(&project, test, &[]), OWN);
    let judged = telltale(project.path(), &["mutants", "-q", BOOK, "--test", test]);
    assert_eq!(judged.code, 0, "{judged:?}");
    assert!(judged.stdout.contains(" killed"), "{judged:?}");
}

#[test]
fn what_an_edit_made_stale_is_recorded_again_and_nothing_else() {
    if cannot_record() {
        return;
    }
    let project = Project::of("demo");
    let stale = |more: &[&str]| {
        let arguments = ["record", "-q", "--stale", "--format", "json"];
        let ran = telltale(project.path(), &[&arguments[..], more].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
        ran.json()
    };
    let fresh = |more: &[&str]| {
        let answer = stale(more);
        meets(&schema("fresh"), &answer, "record --stale");
        answer["tests"].as_u64().expect("a number")
    };
    assert_eq!(fresh(&[]), 0);
    let nothing = project.run(&["record", "-q", "--stale"]).stdout;
    assert!(
        nothing.starts_with("nothing is stale: nothing is kept"),
        "{nothing}"
    );
    assert!(!project.path().join(".telltale/evidence.db").exists());

    let all = "OrderBookTest";
    assert_eq!(tool(&project, all, &[]), "Maven");
    tool(&project, "StatsTest#longestRun", &[]);
    let kept = facts(project.path()).len() as u64;
    assert_eq!(fresh(&[]), kept);
    let text = project.run(&["record", "-q", "--stale"]).stdout;
    let said = format!("nothing is stale: what is kept of {kept} tests is of this code\n");
    assert_eq!(text, said);

    // One test, and behind it the code that several tests run.
    edit(
        &project,
        TEST,
        "new Order(3, Side.BUY, 101, 8)",
        "new Order(3, Side.BUY, 101, 9)",
    );
    // A new one was never recorded.
    let new = "package demo;\nimport org.junit.jupiter.api.Test;\nclass NewTest { @Test void is() { int n = 1; } }\n";
    project.write("src/test/java/demo/NewTest.java", new.as_bytes());
    assert_eq!(fresh(&["--test", "StatsTest"]), 1);
    let one = stale(&[]);
    meets(&schema("record"), &one, "record --stale");
    assert_eq!(one["run"]["tests"], 1, "{one:#}");
    assert_eq!(one["run"]["tool"], OWN);
    assert_eq!(fresh(&[]), kept);
    edit(
        &project,
        BOOK,
        "public int open() {",
        "public int open() {\n        int less = 0;",
    );
    let before = doctor(&project);
    let more = stale(&[])["run"]["tests"].as_u64();
    assert!(before > 1 && before < kept, "{before} of {kept}");
    assert_eq!(more, Some(before));
    assert_eq!((fresh(&[]), doctor(&project)), (kept, 0));
}

/// How many tests are stale.
fn doctor(project: &Project) -> u64 {
    let told = project.run(&["doctor", "-q", "--format", "json"]).json();
    told["recorded"]["stale"].as_u64().expect("a number")
}

/// What the build gives the JVMs of tests, and how many it starts, is its own: with it a test runs in one of ours, too.
#[test]
fn options_of_the_build_and_its_forks_are_kept() {
    if cannot_record() {
        return;
    }
    let pom = repository().join("tests/demo/pom.xml");
    let pom = std::fs::read_to_string(pom).expect("it is there");
    let version = "<version>3.5.4</version>";
    assert_eq!(pom.matches(version).count(), 1, "that of surefire");
    let own = format!(
        "{version}<configuration><argLine>-Dmode=fast -Xmx160m</argLine><forkCount>2</forkCount><reuseForks>false</reuseForks></configuration>"
    );
    let test = |name: &str| {
        format!(
            "package fork;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;
class {name}Test {{
    @Test void runs() throws Exception {{
        String mode = System.getProperty(\"mode\");
        assertEquals(\"fast\", mode);
        long most = Runtime.getRuntime().maxMemory() >> 20;
        assertTrue(most <= 160, mode);
        new java.io.File(\"target/jvm-\" + ProcessHandle.current().pid()).createNewFile();
        Fork fork = new Fork();
        fork.set(mode);
        assertNotNull(fork.mode());
    }}
}}
"
        )
    };
    let fork = "package fork;
class Fork {
    private String mode;
    void set(String mode) { this.mode = mode + \"er\"; }
    String mode() { return mode; }
}
";
    let names = ["One", "Two", "Three"];
    let project = Project::new(&[
        ("pom.xml", &pom.replace(version, &own)),
        ("src/main/java/fork/Fork.java", fork),
    ]);
    for name in names {
        let path = format!("src/test/java/fork/{name}Test.java");
        project.write(&path, test(name).as_bytes());
    }
    let jvms = || {
        let all = std::fs::read_dir(project.path().join("target")).expect("it is there");
        let names = all.map(|e| e.expect("an entry").file_name());
        names
            .filter(|n| n.to_string_lossy().starts_with("jvm-"))
            .count()
    };
    let all_passed = || {
        let facts = facts(project.path());
        assert_eq!(facts.len(), 3);
        for name in names {
            let told = facts
                .of(&format!("fork.{name}Test#runs()"))
                .expect("it ran");
            assert!(told.passed, "{told:?}");
            let mode = told.queries.get("fork.mode()").and_then(|o| o.stable());
            assert_eq!(
                mode.map(|m| m.short()).as_deref(),
                Some("\"faster\""),
                "{told:?}"
            );
        }
    };
    let ran = telltale(project.path(), &["record", "-q", "--format", "json"]).json();
    assert_eq!(
        (&ran["run"]["tests"], &ran["run"]["failed"]),
        (&3.into(), &0.into())
    );
    assert_eq!(ran["lost"], serde_json::json!([]));
    assert_eq!(jvms(), 12, "of each class one, in four runs");
    all_passed();
    assert_eq!(tool(&project, "TwoTest", &[]), OWN);
    assert_eq!(jvms(), 15, "three runs at once");
    all_passed();
}

/// What `--release` hides of a newer JDK is not there for copies, for what changed, and for mutants either: `java.lang.Record`
/// came with 16.
#[test]
fn what_the_build_hides_of_its_jdk_is_hidden_from_copies_too() {
    if cannot_record() {
        return;
    }
    let build = std::fs::read_to_string(repository().join("tests/demo/pom.xml"));
    let build = build.expect("it is there");
    let released = |n: u8| format!("<maven.compiler.release>{n}</maven.compiler.release>");
    assert!(build.contains(&released(17)));
    let build = build.replace(&released(17), &released(8));
    let code = "package own;\npublic class Record {\n    private int sum;\n    public void add(int more) {\n        sum += more * 2;\n    }\n    public int sum() {\n        return sum;\n    }\n}\n";
    let test = "package p;\nimport own.*;\nimport org.junit.jupiter.api.Test;\nclass RecordTest {\n    @Test void adds() {\n        Record record = new Record();\n        record.add(3);\n    }\n}\n";
    let project = Project::new(&[
        ("pom.xml", &build),
        ("src/main/java/own/Record.java", code),
        ("src/test/java/p/RecordTest.java", test),
    ]);
    let sum = || {
        let facts = facts(project.path());
        let test = facts.of("p.RecordTest#adds()")?;
        Some(test.queries.get("record.sum()")?.stable()?.short())
    };
    assert_eq!(tool(&project, "RecordTest", &[]), "Maven");
    assert_eq!(sum().as_deref(), Some("6"));
    edit(
        &project,
        "src/test/java/p/RecordTest.java",
        "add(3)",
        "add(4)",
    );
    assert_eq!(tool(&project, "RecordTest", &[]), OWN);
    assert_eq!(sum().as_deref(), Some("8"));

    let arguments = [
        "mutants",
        "src/main/java/own/Record.java",
        "-q",
        "--format",
        "json",
    ];
    let answer = telltale(project.path(), &arguments).json();
    let cure = &answer["survivors"][0]["cure"];
    assert_eq!(cure["expression"], "record.sum()", "{answer:#}");
}
