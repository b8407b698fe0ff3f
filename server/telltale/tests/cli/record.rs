//! `telltale record`: the tests of a real project run in real JVMs, and what they did is kept.
#![allow(clippy::print_stderr)]

use crate::coverage::is_read_by_others;
use crate::schemas::{meets, schema};
use crate::support::{Project, telltale};
use std::path::{Path, PathBuf};

/// The demo project in a folder of its own.
fn demo() -> Project {
    Project::of("demo")
}

/// True, and said, where nothing can be recorded: no JDK, or no Maven.
pub(crate) fn cannot_record() -> bool {
    let maven = std::process::Command::new("mvn").arg("--version").output();
    let missing = runner::AGENT.is_empty() || maven.is_err();
    if missing {
        eprintln!("skipped: no JDK or no Maven, so no agent");
    }
    missing
}

const CLOCK: &str = "package demo;\nimport org.junit.jupiter.api.Test;\nclass ClockTest {\n    @Test void ticks() {\n        long now = System.nanoTime();\n        StringBuilder words = new StringBuilder();\n        words.append(now > 0);\n    }\n    @org.junit.jupiter.api.Disabled @Test void stops() { }\n}\n";

/// Moves a project into a folder below it.
fn moved_below(root: &Path, name: &str) -> PathBuf {
    let to = root.join(name);
    let all: Vec<_> = std::fs::read_dir(root).expect("a folder").collect();
    std::fs::create_dir(&to).expect("a folder");
    for entry in all {
        let entry = entry.expect("an entry");
        std::fs::rename(entry.path(), to.join(entry.file_name())).expect("it moves");
    }
    to
}

/// Which lines of the demo its tests check.
fn check_lines(root: &Path) {
    let all = telltale(root, &["checked", "-q", "--format", "json"]);
    assert_eq!(all.code, 0, "{all:?}");
    let all = all.json();
    meets(&schema("checked"), &all, "checked");
    let file = |path: &str| {
        let files = all["files"].as_array().expect("files");
        let found = files
            .iter()
            .find(|f| f["path"].as_str().is_some_and(|p| p.ends_with(path)));
        found.cloned().expect("the file")
    };
    let unchecked = |path: &str| -> Vec<u64> {
        let file = file(path);
        let lines = file["lines"].as_array().expect("lines").iter();
        let lines = lines.filter(|l| l["unchecked"] == true);
        lines.filter_map(|l| l["line"].as_u64()).collect()
    };
    // What it adds up is read by nobody, nor how many are open; of a run's length the test asserts nothing.
    assert_eq!(unchecked("demo/OrderBook.java"), [25, 38, 47, 77]);
    assert_eq!(
        unchecked("demo/Stats.java"),
        [53, 54, 55, 56, 57, 58, 59, 61]
    );
    let line = telltale(
        root,
        &[
            "checked",
            "-q",
            "--format",
            "json",
            "--line",
            "demo/OrderBook.java:38",
        ],
    );
    let line = line.json();
    meets(&schema("checked"), &line, "checked --line");
    assert_eq!(line["run_by"].as_array().map(Vec::len), Some(2));
    assert_eq!(line["checked_by"].as_array().map(Vec::len), Some(0));
    let test = telltale(
        root,
        &[
            "checked",
            "-q",
            "--format",
            "json",
            "--test",
            "StatsTest#longestRun",
        ],
    );
    let test = test.json();
    meets(&schema("checked"), &test, "checked --test");
    assert_eq!(
        test["files"][0]["not_checked"].as_array().map(Vec::len),
        Some(8)
    );
    let lcov = telltale(root, &["checked", "-q", "--format", "lcov"]).stdout;
    assert!(
        lcov.contains("SF:src/main/java/demo/OrderBook.java\n"),
        "{lcov}"
    );
    assert!(lcov.contains("\nDA:38,0\n"), "{lcov}");
    let jacoco = telltale(root, &["checked", "-q", "--format", "jacoco"]).stdout;
    assert!(
        jacoco.contains("<package name=\"demo\">\n<sourcefile name=\"Account.java\">"),
        "{jacoco}"
    );
    assert!(
        jacoco.contains("<line nr=\"38\" mi=\"1\" ci=\"0\" mb=\"0\" cb=\"0\"/>"),
        "{jacoco}"
    );
    let read = is_read_by_others(root);
    assert!(read.contains("|demo|OrderBook.java"), "{read:?}");
    let missing = telltale(root, &["checked", "-q", "--line", "Nowhere.java:3"]);
    assert_eq!(missing.code, 2, "{missing:?}");
}

#[test]
fn values_of_real_tests_are_kept_and_what_differs_from_run_to_run_is_named() {
    if cannot_record() {
        return;
    }
    // Paths go through Maven, a shell, JVMs and javac.
    let project = demo();
    project.write("src/test/java/demo/ClockTest.java", CLOCK.as_bytes());
    let root = &*moved_below(project.path(), "eigener Ordner ä");
    let ran = telltale(root, &["record", "-q", "--format", "json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let answer = ran.json();
    meets(&schema("record"), &answer, "record");
    assert_eq!(answer["run"]["tests"], 31, "{answer:#}");
    assert_eq!(answer["run"]["failed"], 0);
    assert_eq!(answer["run"]["skipped"], 1);
    assert_eq!(
        answer["left_out"].as_array().map(Vec::len),
        Some(0),
        "{answer:#}"
    );
    let unstable = serde_json::json!([{ "test": "demo.ClockTest#ticks()", "expression": "now" }]);
    assert_eq!(answer["unstable"], unstable);
    let facts = facts(root);
    let test = facts.of("demo.OrderBookTest#takesTheBestPriceFirst()");
    let open = test.and_then(|t| t.queries.get("book.open()"));
    let open = open.and_then(|o| o.stable()).expect("it was asked");
    assert_eq!(open.short(), "1");
    let evaluates = facts.of("demo.ParserTest#evaluates(java.lang.String,double)");
    let values = evaluates.and_then(|t| t.variables.all().into_values().find(|o| o.count == 4));
    assert_eq!(values.map(|v| v.values.len()), Some(4), "one an invocation");
    check_lines(root);
    // A value within the code under test is what an inner oracle begins with.
    let neg = facts.of("demo.StatsTest#morePositiveThanNegative()");
    let neg = neg.and_then(|t| {
        let mut all = t.inside.all().into_iter();
        all.find(|(seen, _)| seen.variable == "demo.Stats#compare(java.util.List) neg")
    });
    let (_, neg) = neg.expect("it was seen");
    let neg = neg.stable().expect("one value");
    assert_eq!(neg.short(), "1");
    let test = "StatsTest#morePositiveThanNegative";
    let added = telltale(
        root,
        &["inner", "add", "-q", "--test", test, "--variable", "neg"],
    );
    let line = "+        InnerOracle.equal(\"StatsTest.morePositiveThanNegative: neg\", 1, neg);";
    assert!(added.stdout.contains(line), "{added:?}");
    let is = |path: &str| std::fs::read_to_string(root.join(path)).expect("there");
    assert_eq!(is("src/test/java/demo/ClockTest.java"), CLOCK);
    let own = crate::support::demo().join("pom.xml");
    assert_eq!(is("pom.xml"), std::fs::read_to_string(own).expect("there"));
    let left: Vec<String> = std::fs::read_dir(root.join(".telltale"))
        .expect("the folder")
        .map(|e| {
            e.expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .filter(|name| name.starts_with("run-"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    what_is_kept_is_told(root);
    // Nothing ran: what was known stays.
    let kept = self::facts(root).len();
    let skipped = telltale(root, &["record", "-q", "--test", "ClockTest#stops"]);
    let said = "error: Maven ran no test: 1 test was skipped";
    assert!(
        skipped.code == 3 && skipped.stderr.starts_with(said),
        "{skipped:?}"
    );
    assert_eq!(self::facts(root).len(), kept);
    let forgotten = telltale(root, &["record", "--forget"]);
    assert_eq!(forgotten.code, 0, "{forgotten:?}");
    assert!(self::facts(root).is_empty());
}

/// By the doctor: how much, and how much of it is of other code.
fn what_is_kept_is_told(root: &Path) {
    let write = |path: &str, bytes: &[u8]| {
        std::fs::write(root.join(path), bytes).expect("it can be written");
    };
    let told = || {
        let answer = telltale(root, &["doctor", "-q", "--format", "json"]).json();
        meets(&schema("doctor"), &answer, "recorded");
        answer["recorded"].clone()
    };
    // In a terminal, beside what is listed.
    let listed = || {
        let test = "OrderBookTest#takesTheBestPriceFirst";
        telltale(root, &["observe", "--test", test])
    };
    assert!(
        listed().stdout.contains("  1  book.open() = 1  "),
        "{:?}",
        listed()
    );
    let before = told();
    let tests = before["tests"].as_u64().expect("a number");
    assert!(tests > 25, "{before:#}");
    assert_eq!(
        (&before["failed"], &before["stale"]),
        (&0.into(), &0.into())
    );
    assert!(
        before["bytes"].as_u64().is_some_and(|b| b > 10_000),
        "{before:#}"
    );
    let clock = "src/test/java/demo/ClockTest.java";
    let other = CLOCK.replace("now > 0", "now > 1");
    write(clock, other.as_bytes());
    assert_eq!(told()["stale"], 1);
    let text = telltale(root, &["doctor", "-q"]).stdout;
    let line = format!("Recorded    {tests} tests, 1 with other code than there is now · ");
    assert!(text.contains(&line), "{text}");
    assert!(
        text.contains(" KB of 200 MB in .telltale/evidence.db\n"),
        "{text}"
    );
    assert!(text.contains("telltale record    records again"), "{text}");
    write(clock, CLOCK.as_bytes());
    assert_eq!(told(), before);
    // What cannot be read is said, and nothing else breaks.
    let file = root.join(project::EVIDENCE);
    let kept = std::fs::read(&file).expect("it is there");
    write(
        project::EVIDENCE,
        b"no database, and longer than a header of one would be: it is damaged",
    );
    let broken = told();
    assert!(
        broken["problem"]
            .as_str()
            .is_some_and(|p| p.contains("record again")),
        "{broken:#}"
    );
    let text = listed();
    assert!(text.stdout.contains("  1  book.open()  "), "{text:?}");
    assert!(
        text.stderr
            .contains("note: what was recorded cannot be read"),
        "{text:?}"
    );
    write(project::EVIDENCE, &kept);
}

pub(crate) fn facts(root: &Path) -> evidence::Facts {
    let store = project::Store::open_existing(root).expect("it opens");
    store.expect("it is there").facts().expect("it is read")
}

/// Values of one code must never look like those of another.
#[test]
#[cfg(unix)]
fn what_ran_while_a_source_changed_is_not_kept() {
    if cannot_record() {
        return;
    }
    let project = demo();
    let root = project.path();
    let source = "src/main/java/demo/OrderBook.java";
    let script = format!("mvn -q -B test; echo '// more' >> {source}");
    let ran = telltale(root, &["record", "-q", "--", "sh", "-c", &script]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.stderr.contains(source), "{ran:?}");
    assert!(ran.stderr.contains("record again"), "{ran:?}");
    assert!(!root.join(".telltale/evidence.db").exists());
}

/// What the compiler makes of the code under test is not always what runs: some builds change its classes.
#[test]
#[cfg(unix)]
fn classes_that_the_build_changes_behind_the_compiler_are_left_as_they_are() {
    if cannot_record() {
        return;
    }
    let project = demo();
    let root = project.path();
    let stats = "src/main/java/demo/Stats.java";
    let code = std::fs::read_to_string(root.join(stats)).expect("it is there");
    let changed = code.replace("Integer.compare(pos, neg)", "7");
    assert_ne!(code, changed);
    let test = "package demo;\nimport static org.junit.jupiter.api.Assertions.assertEquals;\nimport java.util.List;\nimport org.junit.jupiter.api.Test;\nclass MarkTest { @Test void marks() {\n    int of = Stats.compare(List.of(3, -1));\n    assertEquals(7, of);\n} }\n";
    project.write("changed/Stats.txt", changed.as_bytes());
    project.write("src/test/java/demo/MarkTest.java", test.as_bytes());
    let build = "mvn -q -B test-compile && mkdir -p target/changed && cp changed/Stats.txt target/changed/Stats.java && javac -d target/classes target/changed/Stats.java";
    let mut shell = std::process::Command::new("sh");
    let built = shell.args(["-c", build]).current_dir(root).status();
    let built = built.expect("it starts");
    assert!(built.success());
    let tests = ["mvn", "-q", "-B", "surefire:test", "-Dtest=MarkTest"];
    let ran = telltale(
        root,
        &[&["record", "--test", "MarkTest#marks", "--"], &tests[..]].concat(),
    );
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.contains("that is left out"), "{ran:?}");
    let facts = facts(root);
    let told = facts.of("demo.MarkTest#marks()").expect("it ran");
    assert!(told.passed && told.inside.is_empty());
    let variables = told.variables.all();
    let of = variables.values().find_map(|o| o.stable());
    assert_eq!(of.map(|v| v.short()).as_deref(), Some("7"));
}

#[test]
fn a_command_that_runs_no_test_is_an_error_that_shows_what_it_said() {
    if cannot_record() {
        return;
    }
    let project = demo();
    let ran = telltale(
        project.path(),
        &["record", "-q", "--", "sh", "-c", "echo nothing here"],
    );
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.stderr.contains("ran no test"), "{}", ran.stderr);
    assert!(ran.stderr.contains("nothing here"), "{}", ran.stderr);
    let gone = telltale(project.path(), &["record", "-q", "--", "no-such-program"]);
    assert_eq!(gone.code, 2, "{gone:?}");
    assert!(
        project::Store::open_existing(project.path())
            .expect("no error")
            .is_none()
    );
}

#[test]
fn without_a_build_or_tests_it_says_what_to_do() {
    let test = "class ATest { @org.junit.jupiter.api.Test void a() { int n = 1; } }\n";
    let project = Project::new(&[("ATest.java", test)]);
    let ran = telltale(project.path(), &["record", "-q"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("telltale record -- "), "{}", ran.stderr);
    let project = Project::new(&[
        ("pom.xml", "<project></project>"),
        ("A.java", "class A { }\n"),
    ]);
    let ran = telltale(project.path(), &["record", "-q"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("no tests here"), "{}", ran.stderr);
    assert!(!project.path().join(".telltale").exists());
}

/// A class that EvoSuite wrote for the code as it was before a method of it went, and what it needs.
const LEFT_BEHIND: [(&str, &str); 2] = [
    (
        "src/test/java/demo/Stats_ESTest.java",
        "package demo;\nimport org.junit.jupiter.api.Test;\npublic class Stats_ESTest extends Stats_ESTest_scaffolding {\n    @Test void test0() { int gone = Stats.gone(); }\n}\n",
    ),
    (
        "src/test/java/demo/Stats_ESTest_scaffolding.java",
        "package demo;\npublic class Stats_ESTest_scaffolding { int gone = Stats.gone(); }\n",
    ),
];

#[test]
fn generated_tests_that_do_not_compile_are_left_out_and_written_ones_are_an_error() {
    if cannot_record() {
        return;
    }
    let project = demo();
    let root = project.path();
    let paths = LEFT_BEHIND.map(|(path, text)| {
        project.write(path, text.as_bytes());
        path
    });
    let answer = telltale(root, &["record", "-q", "--format", "json"]).json();
    meets(&schema("record"), &answer, "record");
    assert_eq!(answer["run"]["tests"], 30, "{answer:#}");
    let left = answer["left_out"].as_array().expect("a list");
    let why = |one: &serde_json::Value| (one["path"].clone(), one["why"].clone());
    let expected = |path: &str, line: u32| {
        let why = format!("line {line} does not compile: cannot find symbol: method gone()");
        (path.into(), why.into())
    };
    let left: Vec<_> = left.iter().map(why).collect();
    assert_eq!(left, [expected(paths[0], 4), expected(paths[1], 2)]);
    let note = answer["notes"][0].as_str().expect("a note");
    assert!(
        note.starts_with("2 generated files do not compile"),
        "{note}"
    );
    let kept = facts(root).len();
    assert!(kept > 25, "{kept}");
    // A test that was asked for by name is not left out silently.
    let ran = telltale(root, &["record", "-q", "--test", "Stats_ESTest"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.stderr.contains(paths[0]), "{}", ran.stderr);
    // What somebody wrote is theirs to mend.
    let written = "src/test/java/demo/WrittenTest.java";
    let text = "package demo;\nimport org.junit.jupiter.api.Test;\nclass WrittenTest {\n    @Test void uses() { int n = Stats.gone(); }\n}\n";
    project.write(written, text.as_bytes());
    let ran = telltale(root, &["record", "-q"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    let said = format!(
        "no test ran: {written}, line 4 does not compile: cannot find symbol: method gone()\n"
    );
    assert!(ran.stderr.contains(&said), "{}", ran.stderr);
    assert_eq!(facts(root).len(), kept, "what was known is still known");
}

/// Passes where numbers have a point, as on the machines of this test.
const PLACE: &str = "package demo;\nimport static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.Test;\nclass PlaceTest {\n    @Test void formats() { String text = String.format(\"%.1f\", 1.5); assertEquals(\"1.5\", text); }\n    @Test void measures() { long took = System.nanoTime(); assertTrue(took > 1); }\n    @Test void stays() { int n = 1; assertEquals(1, n); }\n    @Test void starts() { Tape tape = new Tape(); tape.start(); }\n    @Test void runs() { Tape tape = new Tape(); tape.start(); assertTrue(tape.total() >= 0); }\n}\n";

/// Of whose value code alone does not know that it is another one in the next run.
const TAPE: &str = "package demo;\npublic class Tape {\n    private long n;\n    public void start() { n = taken(); }\n    public long total() { return n + 1; }\n    private static long taken() {\n        try { return 2 * (Long) Class.forName(\"java.lang.System\").getMethod(\"nanoTime\").invoke(null); }\n        catch (ReflectiveOperationException e) { return 0; }\n    }\n}\n";

#[test]
fn what_another_time_zone_and_locale_change_is_told() {
    if cannot_record() {
        return;
    }
    let project = demo();
    let path = "src/test/java/demo/PlaceTest.java";
    project.write(path, PLACE.as_bytes());
    project.write("src/main/java/demo/Tape.java", TAPE.as_bytes());
    let root = project.path();
    let listed = || telltale(root, &["observe", "-q", "--test", "PlaceTest#starts"]).stdout;
    let before = listed();
    assert!(before.contains("  1  tape.total()  "), "{before}");
    let arguments = ["record", "-q", "--test", "PlaceTest", "--format", "json"];
    let mut recorder = crate::support::binary();
    let english = [("LC_ALL", "C"), ("LANG", "C")];
    let ran = crate::support::ran(recorder.current_dir(root).args(arguments).envs(english));
    let answer = ran.json();
    meets(&schema("record"), &answer, "record");
    assert_eq!(answer["run"]["failed"], 0, "{answer:#}");
    let varied = answer["varied"].as_array().expect("a list");
    assert_eq!(varied.len(), 1, "{answer:#}");
    assert_eq!(varied[0]["test"], "demo.PlaceTest#formats()");
    let message = varied[0]["message"].as_str().expect("a text");
    assert!(message.contains("<1,5>"), "{message}");
    let stays = facts(root);
    let stays = stays.of("demo.PlaceTest#stays()").expect("it ran");
    assert!(stays.passed && stays.varied.is_none());
    let rule = [
        "check",
        "-q",
        "--rule",
        "unstable-observation",
        "--format",
        "json",
    ];
    let found = telltale(root, &[&rule[..], &[path]].concat());
    assert_eq!(found.code, 1, "{found:?}");
    let found: serde_json::Value = serde_json::from_str(&found.stdout).expect("JSON");
    let place = |f: &serde_json::Value| (f["level"].clone(), f["line"].clone());
    let found: Vec<_> = found["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(place)
        .collect();
    let expected = [("warning", 5), ("warning", 5), ("info", 6), ("info", 9)];
    let expected = expected.map(|(l, n)| (l.into(), n.into()));
    assert_eq!(found, expected);
    let after = listed();
    let why = "left out, since it differs from run to run: tape.total()";
    assert!(
        after.contains(why) && !after.contains("  1  tape.total()"),
        "{after}"
    );
    let args = [
        "observe",
        "-q",
        "--test",
        "PlaceTest#starts",
        "--format",
        "json",
    ];
    let answer = telltale(root, &args).json();
    meets(&schema("observe"), &answer, "observe");
    assert_eq!(answer["left_out"][0]["why"], "unstable", "{answer:#}");
}

const TALLY: &str = "package demo;\npublic class Tally {\n    private int n;\n    public void add(int by) { if (by < 0) {\n int less = -by;\n n -= less;\n } else n += by; }\n    public int total() { return n; }\n}\n";

const FIELDS: &str = "package demo;\nimport org.junit.jupiter.api.*;\nclass FieldsTest {\n    private Tally tally;\n    private int start;\n    @BeforeEach void setUp(TestInfo test) { tally = new Tally(); start = test.getDisplayName().length(); }\n    @Test void adds() { tally.add(start); }\n    @Test void addsMore() { tally.add(start); }\n    @Test void addsToTwo() { { Tally own = new Tally(); own.add(2); } { Tally own = new Tally(); own.add(5); } }\n}\n";

/// What did not run is in no ranking over what ran, and without a recording there is none.
fn over_what_ran(root: &Path) {
    let named = |more: &[&str]| -> Vec<String> {
        let mut arguments = vec!["observe", "-q", "--format", "json", "--offer", "all"];
        arguments.extend(["--all-candidates", "--test", "FieldsTest#adds"]);
        arguments.extend(more);
        let ran = telltale(root, &arguments);
        assert_eq!(ran.code, 0, "{ran:?}");
        let answer = ran.json();
        meets(&schema("observe"), &answer, "observe");
        assert_eq!(answer["over_runs"] == true, !more.is_empty());
        let ranking = answer["ranking"].as_array().expect("a ranking").iter();
        let gains: Vec<f64> = ranking.clone().filter_map(|r| r["gain"].as_f64()).collect();
        assert!(gains.is_sorted_by(|a, b| a >= b), "{gains:?}");
        let names = ranking.filter_map(|r| r["candidate"]["variable"].as_str());
        names.map(str::to_owned).collect()
    };
    let has = |all: &[String], name: &str| all.iter().any(|n| n == name);
    // Nor in what only a check inside the code can see, whatever is asked; where nothing is kept it may be.
    let inside = || -> Vec<String> {
        let test = "FieldsTest#adds";
        let listed = ["observe", "-q", "--format", "json", "--offer", "inside"];
        let ran = telltale(root, &[&listed[..], &["--test", test]].concat());
        let names = ran.json()["inside"].as_array().expect("a list").clone();
        let names = names
            .iter()
            .filter_map(|r| r["candidate"]["variable"].as_str());
        names.map(str::to_owned).collect()
    };
    let (kept, away) = (root.join(project::EVIDENCE), root.join("away.db"));
    std::fs::rename(&kept, &away).expect("it goes");
    assert!(has(&inside(), "less"), "{:?}", inside());
    std::fs::rename(&away, &kept).expect("it comes back");
    assert!(!has(&inside(), "less"), "{:?}", inside());
    let may_run = named(&[]);
    assert!(has(&may_run, "less") && has(&may_run, "n"), "{may_run:?}");
    for more in [
        &["--use-runs"][..],
        &["--strategy", "dodona"],
        &["--strategy", "dodona", "--centrality", "betweenness"],
    ] {
        let ran = named(more);
        assert!(!has(&ran, "less") && has(&ran, "n"), "{more:?}: {ran:?}");
    }
    for more in ["--use-runs", "--strategy=dodona"] {
        let none = telltale(root, &["observe", "-q", more, "--test", "StatsTest"]);
        assert_eq!(none.code, 2, "{none:?}");
        assert!(
            none.stderr.contains("were not recorded with this code"),
            "{none:?}"
        );
        assert!(
            none.stderr
                .contains("telltale record --test 'demo.StatsTest'"),
            "{none:?}"
        );
    }
    let lists = [
        "observe",
        "-q",
        "--strategy",
        "dodona",
        "--offer",
        "inside",
        "--test",
        "FieldsTest#adds",
    ];
    assert_eq!(telltale(root, &lists).code, 2);
}

#[test]
fn what_a_set_up_gives_fields_is_recorded_for_each_test() {
    if cannot_record() {
        return;
    }
    let project = demo();
    project.write("src/main/java/demo/Tally.java", TALLY.as_bytes());
    project.write("src/test/java/demo/FieldsTest.java", FIELDS.as_bytes());
    let root = project.path();
    let ran = telltale(root, &["record", "-q", "--test", "FieldsTest"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let facts = facts(root);
    for (test, length) in [("adds", "6"), ("addsMore", "10")] {
        let told = facts.of(&format!("demo.FieldsTest#{test}()"));
        let told = told.expect("it ran");
        let start = evidence::Seen {
            variable: "demo.FieldsTest#setUp(org.junit.jupiter.api.TestInfo) start".into(),
            nth: 0,
        };
        let start = told.inside.get(&start);
        let start = start.as_ref().and_then(|o| o.stable());
        assert_eq!(
            start.map(|v| v.short()).as_deref(),
            Some(length),
            "{told:?}"
        );
        // What the lens says of a field is what it is in this test.
        let total = told.queries.get("tally.total()").and_then(|o| o.stable());
        assert_eq!(
            total.map(|v| v.short()).as_deref(),
            Some(length),
            "{told:?}"
        );
    }
    over_what_ran(root);
    // Of two objects of one name each is asked for itself.
    let told = facts.of("demo.FieldsTest#addsToTwo()").expect("it ran");
    let of = |asked_as: &str| Some(told.queries.get(asked_as)?.stable()?.short());
    assert_eq!(of("own.total() (own 2)").as_deref(), Some("5"), "{told:?}");
    assert_eq!(of("own.total()"), None, "{told:?}");
}

/// Two machines record a part each, and a third takes over what they tell: it knows what one that records all knows.
#[test]
fn parts_of_a_suite_that_are_recorded_apart_are_one_once_they_are_merged() {
    if cannot_record() {
        return;
    }
    let parts = [demo(), demo()];
    let (mut tests, mut kept) = (0, Vec::new());
    for (n, project) in parts.iter().enumerate() {
        let shard = format!("{}/2", n + 1);
        let ran = telltale(
            project.path(),
            &["record", "-q", "--format", "json", "--shard", &shard],
        );
        assert_eq!(ran.code, 0, "{ran:?}");
        let ran = ran.json();
        let own = ran["run"]["tests"].as_u64().expect("tests");
        assert!((1..30).contains(&own), "{ran:#}");
        tests += own;
        kept.push(ran["recorded"]["tests"].clone());
    }
    assert_eq!(tests, 30);
    let whole = demo();
    let root = whole.path();
    let folder = |n: usize| parts[n].path().join(".telltale").display().to_string();
    let merged = telltale(
        root,
        &[
            "record",
            "--format",
            "json",
            "--merge",
            &folder(0),
            &folder(1),
        ],
    );
    assert_eq!(merged.code, 0, "{merged:?}");
    let merged = merged.json();
    meets(&schema("merged"), &merged, "merged");
    let taken = merged["merged"].as_array().expect("merged").iter();
    let taken: Vec<&serde_json::Value> = taken.map(|m| &m["tests"]).collect();
    assert_eq!(taken, kept.iter().collect::<Vec<_>>(), "{merged:#}");
    let wrong = telltale(root, &["record", "--shard", "3/2"]);
    assert_eq!(wrong.code, 2, "{wrong:?}");
    let nothing = telltale(root, &["record", "--merge", "nowhere"]);
    assert_eq!(nothing.code, 3, "{nothing:?}");
    assert!(
        nothing.stderr.contains("nothing recorded is there"),
        "{nothing:?}"
    );
}

/// Of a build of several modules those are built that run the tests that are asked for, and what these need.
#[test]
fn of_several_modules_only_those_of_the_tests_are_built() {
    if cannot_record() {
        return;
    }
    let demo = std::fs::read_to_string(crate::support::demo().join("pom.xml")).expect("there");
    let listed =
        "<modules><module>core</module><module>app</module><module>other</module></modules>";
    let parent = demo.replace(
        "<version>1.0</version>\n",
        &format!("<version>1.0</version>\n  <packaging>pom</packaging>\n  {listed}\n"),
    );
    let module = |name: &str, needs: &str| {
        format!(
            "<project><modelVersion>4.0.0</modelVersion><parent><groupId>demo</groupId><artifactId>demo</artifactId><version>1.0</version></parent><artifactId>{name}</artifactId>{needs}</project>"
        )
    };
    let on_core = "<dependencies><dependency><groupId>demo</groupId><artifactId>core</artifactId><version>1.0</version></dependency></dependencies>";
    let test = "package app;\nimport org.junit.jupiter.api.*;\nclass DoorTest {\n    @Test void opens() { int n = new core.Lock().turn(2); new core.Lock().turn(n); }\n}\n";
    let project = Project::new(&[
        ("pom.xml", &parent),
        ("core/pom.xml", &module("core", "")),
        ("app/pom.xml", &module("app", on_core)),
        ("other/pom.xml", &module("other", "")),
        (
            "core/src/main/java/core/Lock.java",
            "package core;\npublic class Lock { public int turn(int n) { int twice = n * 2; return twice; } }\n",
        ),
        ("app/src/test/java/app/DoorTest.java", test),
        (
            "other/src/main/java/other/Slow.java",
            "package other;\npublic class Slow {}\n",
        ),
        (
            "other/src/main/java/Bell.java",
            "class Bell {\n    private int n;\n    int rings(int times) {\n        for (int i = 0; i < times; i++) {\n            n++;\n        }\n        return n;\n    }\n    int never() {\n        return 0;\n    }\n}\n",
        ),
        (
            "other/src/test/java/BellTest.java",
            "import static org.junit.jupiter.api.Assertions.assertEquals;\nimport org.junit.jupiter.api.Test;\nclass BellTest {\n    @Test void rings() { assertEquals(2, new Bell().rings(2)); }\n}\n",
        ),
    ]);
    let root = project.path();
    let ran = telltale(root, &["record", "-q", "--test", "DoorTest"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let built = |module: &str| root.join(module).join("target/classes").is_dir();
    assert!(built("core") && !built("other"), "{ran:?}");
    let facts = facts(root);
    let n = facts.of("app.DoorTest#opens()").map(|t| t.variables.all());
    let n = n
        .and_then(|all| all.into_values().next())
        .expect("recorded");
    assert_eq!(n.stable().map(|v| v.short()), Some("4".to_owned()));
    let all = telltale(root, &["record", "-q"]);
    assert_eq!(all.code, 0, "{all:?}");
    assert!(built("other"), "all tests are asked of all modules");
    // A group each; one has a class without a package.
    assert_eq!(
        is_read_by_others(root).into_iter().collect::<Vec<_>>(),
        [
            "core/src/main/java|core|Lock.java",
            "other/src/main/java||Bell.java"
        ]
    );
}

/// A hierarchy that is sealed over packages is one within a module alone: its copies are compiled as parts of that.
#[test]
fn classes_that_a_module_seals_over_packages_are_recorded() {
    if cannot_record() {
        return;
    }
    let demo = std::fs::read_to_string(crate::support::demo().join("pom.xml")).expect("there");
    let project = Project::new(&[
        ("pom.xml", &demo),
        (
            "src/main/java/module-info.java",
            "module own.shapes { exports shape; }\n",
        ),
        (
            "src/main/java/shape/Shape.java",
            "package shape;\npublic abstract sealed class Shape permits shape.round.Disc {\n    public abstract int radius();\n    public int area() {\n        int square = radius() * radius();\n        int area = 3 * square;\n        return area + square / 7;\n    }\n}\n",
        ),
        (
            "src/main/java/shape/round/Disc.java",
            "package shape.round;\npublic final class Disc extends shape.Shape {\n    public int radius() { return 7; }\n}\n",
        ),
        (
            "src/test/java/shape/DiscTest.java",
            "package shape;\nimport static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.Test;\nclass DiscTest {\n    @Test void area() {\n        Shape disc = new shape.round.Disc();\n        assertTrue(disc.area() > 0);\n    }\n}\n",
        ),
    ]);
    let root = project.path();
    let ran = telltale(root, &["record", "-q", "--format", "json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let answer = ran.json();
    assert_eq!(
        answer["left_out"].as_array().map(Vec::len),
        Some(0),
        "{answer:#}"
    );
    let facts = facts(root);
    let test = facts.of("shape.DiscTest#area()").expect("it is kept");
    let inside = test.inside.all();
    let area = inside.iter().find(|(s, _)| s.variable.ends_with(" area"));
    let area = area.and_then(|(_, o)| o.stable()).map(|v| v.short());
    assert_eq!(area, Some("147".to_owned()), "{inside:?}");
}
