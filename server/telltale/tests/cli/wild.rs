//! `telltale record` of tests that misbehave: each costs itself, and the rest is recorded.

use crate::record::cannot_record;
use crate::schemas::{meets, schema};
use crate::support::{Project, binary, ran, repository, telltale};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

/// A Maven project of a counter and a test class, whose methods stand between calls of it.
fn project(methods: &[(&str, &str)]) -> Project {
    let build = repository().join("tests/demo/pom.xml");
    let build = std::fs::read_to_string(build).expect("it is there");
    let counter =
        "package wild;\nclass Counter {\n    private int n;\n    int next() { return ++n; }\n}\n";
    let mut test = String::from(
        "package wild;\nimport static org.junit.jupiter.api.Assertions.assertEquals;\nimport org.junit.jupiter.api.*;\n@TestMethodOrder(MethodOrderer.MethodName.class)\nclass WildTest {\n",
    );
    for (name, body) in methods {
        test += &format!(
            "    @Test void {name}() throws Exception {{\n        Counter counter = new Counter();\n        int first = counter.next();\n        {body}\n        counter.next();\n        assertEquals(1, first);\n    }}\n"
        );
    }
    test += "}\n";
    Project::new(&[
        ("pom.xml", &build),
        ("src/main/java/wild/Counter.java", counter),
        ("src/test/java/wild/WildTest.java", &test),
    ])
}

fn recorded(root: &Path) -> Vec<String> {
    let store = project::Store::open_existing(root).expect("it opens");
    let facts = store.map(|s| s.facts().expect("it is read"));
    let facts = facts.unwrap_or_default();
    let mut names: Vec<String> = facts.tests().map(|(name, _)| name.to_string()).collect();
    names.sort();
    names
}

#[test]
fn tests_that_end_their_jvm_are_left_out_and_the_others_are_recorded() {
    if cannot_record() {
        return;
    }
    let project = project(&[
        ("a", ""),
        ("exits", "System.exit(0);"),
        ("halts", "Runtime.getRuntime().halt(0);"),
        ("hangs", "synchronized (this) { wait(); }"),
        ("takesAll", "if (first == 1) throw new OutOfMemoryError();"),
        // What these do to their JVM stays there.
        ("x", "System.out.close(); System.err.close();"),
        (
            "y",
            "System.setProperty(\"user.dir\", \"/nowhere\"); java.util.Locale.setDefault(java.util.Locale.forLanguageTag(\"ar-u-nu-arab\"));",
        ),
        ("z", ""),
    ]);
    let root = project.path();
    let arguments = ["record", "-q", "--timeout", "2", "--format", "json"];
    let answer = telltale(root, &arguments).json();
    meets(&schema("record"), &answer, "record");
    let at = |what: &str| answer["ended"][0][what].clone();
    assert_eq!(at("test"), "wild.WildTest#exits", "{answer:#}");
    let message = at("message");
    let message = message.as_str().expect("a text");
    assert!(
        message.ends_with("System.exit, called at wild.WildTest.exits(WildTest.java:16)"),
        "{message}"
    );
    let all = answer["ended"].as_array().expect("a list");
    let why = |one: &Value| (one["test"].clone(), one["why"].clone());
    let test = |name: &str| json!(format!("wild.WildTest#{name}"));
    assert_eq!(
        all.iter().map(why).collect::<Vec<_>>(),
        [
            (test("exits"), json!("exit")),
            (test("halts"), json!("gone")),
            (test("hangs"), json!("slow")),
            (test("takesAll"), json!("memory")),
        ]
    );
    let threads = all[2]["threads"].as_str().expect("a path");
    let threads = std::fs::read_to_string(root.join(threads)).expect("it is there");
    assert!(
        threads.contains("    at wild.WildTest.hangs(WildTest.java:30)"),
        "{threads}"
    );
    assert_eq!(answer["run"]["tests"], 4);
    assert_eq!(answer["run"]["failed"], 0);
    let names = ["a", "x", "y", "z"].map(|name| format!("wild.WildTest#{name}()"));
    assert_eq!(recorded(root), names);
    // Asked for by itself, there is nothing to record, and that is an error which says why.
    let ran = telltale(root, &["record", "-q", "--test", "WildTest#halts"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(
        ran.stderr.contains("wild.WildTest#halts ended its JVM"),
        "{ran:?}"
    );
    assert_eq!(recorded(root), names);
}

/// A run whose disk is full loses itself, says what to do, and the next one goes on.
#[test]
#[cfg(unix)]
fn a_run_that_finds_no_room_changes_nothing() {
    if cannot_record() {
        return;
    }
    let project = project(&[("a", ""), ("b", "")]);
    let root = project.path();
    let first = telltale(root, &["record", "-q"]);
    assert_eq!(first.code, 0, "{first:?}");
    let before = recorded(root);
    assert_eq!(before.len(), 2);
    // No file may grow beyond 64 KB, which is what a full disk looks like to whoever writes.
    let mut limited = std::process::Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 128; exec \"$0\" record -q"]);
    let limited = ran(limited
        .arg(env!("CARGO_BIN_EXE_telltale"))
        .current_dir(root));
    assert_eq!(limited.code, 3, "{limited:?}");
    assert!(
        limited.stderr.contains("make room and record again"),
        "{limited:?}"
    );
    assert_eq!(recorded(root), before);
    assert_eq!(telltale(root, &["record", "-q"]).code, 0);
}

/// Whoever kills the recorder, the terminal that closes, the system that is short of memory: what it started goes with it.
#[test]
#[cfg(target_os = "linux")]
fn what_a_killed_recorder_started_ends_with_it() {
    let project = project(&[("a", "")]);
    let root = project.path();
    let script = "sleep 600 & echo $! > child.tmp; mv child.tmp child; wait";
    let mut recorder = binary()
        .current_dir(root)
        .args(["record", "-q", "--", "sh", "-c", script])
        .spawn()
        .expect("it starts");
    let child = root.join("child");
    until("a child", || child.exists());
    let child = std::fs::read_to_string(child).expect("it is there");
    let lives = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.trim()));
        stat.is_ok_and(|s| !s.contains(") Z "))
    };
    assert!(lives());
    // With SIGKILL, which nobody can catch.
    recorder.kill().expect("it is there");
    recorder.wait().expect("it ended");
    until("the child's end", || !lives());
    let runs = || {
        let entries = std::fs::read_dir(root.join(".telltale")).expect("a folder");
        let names = entries.map(|e| e.expect("an entry").file_name());
        names
            .filter(|n| n.to_string_lossy().starts_with("run-"))
            .count()
    };
    assert_eq!(runs(), 1, "nobody was left to take it away");
    let next = telltale(root, &["record", "-q", "--", "true"]);
    assert_eq!(next.code, 3, "{next:?}");
    assert_eq!(runs(), 0, "the next recording does");
}

/// Waits for what happens soon; the bound is for a machine where it never does.
#[cfg(target_os = "linux")]
fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
