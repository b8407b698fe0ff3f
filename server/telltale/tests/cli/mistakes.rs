//! Each mistake gets a sentence that says what is wrong, and one that says what to do; exit codes as in the contracts.

use crate::support::{Project, demo, telltale};

fn java() -> Project {
    Project::new(&[(
        "src/main/java/p/Stats.java",
        "package p;
public class Stats {
    int mean(int a) { return a / 2; }
    int mean(long a) { return 1; }
    int median(int a) { return a; }
    static class Inner { int x = 1; }
}",
    )])
}

#[track_caller]
fn mistake(arguments: &[&str], says: &[&str]) {
    telltale(&demo(), arguments).mistake(says);
}

#[test]
fn paths() {
    mistake(
        &["observe", "nowhere"],
        &["nowhere does not exist", "help: give a project"],
    );
    mistake(
        &["observe", "../subjects.toml"],
        &["subjects.toml is no Java file", "ends in .java"],
    );
    mistake(
        &["observe", "--root", "nowhere"],
        &["nowhere does not exist", "check the spelling"],
    );
    mistake(
        &["observe", "..", "--root", "."],
        &["lies outside the root", "give a root that contains it"],
    );
    let empty = Project::new(&[("notes.txt", "no code")]);
    empty
        .run(&["observe"])
        .mistake(&["no Java file under", "give the folder of a Java project"]);
    // Java elsewhere in the project does not help a folder without any.
    let project = java();
    project.write("telltale.toml", b"");
    project.write("docs/notes.txt", b"");
    project.run(&["observe", "docs"]).mistake(&[
        "no Java file of the project lies under docs",
        "give a folder",
    ]);
}

#[test]
fn tests_that_are_not_there() {
    mistake(
        &["observe", "--test", "StatTest"],
        &[
            "no test class is named StatTest",
            "did you mean demo.StatsTest?",
        ],
    );
    mistake(
        &["observe", "--test", "StatsTest#longestrum"],
        &[
            "no test is named",
            "did you mean demo.StatsTest#longestRun()?",
        ],
    );
    // Nothing is near: the class's tests are listed.
    mistake(
        &["observe", "--test", "StatsTest#xyz"],
        &[
            "did you mean",
            "demo.StatsTest#meanOfNothing()",
            " or demo.StatsTest#",
        ],
    );
    mistake(
        &["observe", "--test", "Zzz"],
        &["no test class is named Zzz", "Class#method"],
    );
    // What it is about, in another word.
    mistake(
        &["observe", "--test", "OrderTests"],
        &[
            "no test class is named OrderTests",
            "did you mean demo.OrderBookTest?",
        ],
    );
    // A class that is no test.
    mistake(
        &["observe", "--test", "Stats"],
        &["no test class is named Stats", "demo.StatsTest"],
    );
    java()
        .run(&["observe", "--test", "StatsTest"])
        .mistake(&["no test was found in this project", "@Test"]);
}

#[test]
fn what_java_adds_to_records_and_enums_has_no_code() {
    let project = Project::new(&[
        ("pom.xml", "<project/>"),
        (
            "src/main/java/p/Point.java",
            "package p; record Point(int x) { public String toString() { return \"\" + x; } }",
        ),
        ("src/main/java/p/Hue.java", "package p; enum Hue { RED }"),
    ]);
    for method in ["Point#equals", "Point#equals(Object)", "Hue#ordinal"] {
        let run = project.run(&["why", method, "x > 0"]);
        run.mistake(&[method, "what Java adds"]);
    }
    project
        .run(&["why", "Point#equal", "x > 0"])
        .mistake(&["no method is named Point#equal"]);
    // Accessors are recorded, and what somebody wrote has code.
    for method in ["Point#x", "Point#toString"] {
        let run = project.run(&["why", method, "x > 0"]);
        assert!(run.stdout.contains("is kept"), "{}", run.stdout);
    }
}

#[test]
fn classes_and_methods_that_are_not_there() {
    let project = java();
    project
        .run(&["observe", "--class", "Stat"])
        .mistake(&["no class is named Stat", "did you mean p.Stats?"]);
    project
        .run(&["observe", "--method", "Stats#meen"])
        .mistake(&[
            "no method is named Stats#meen",
            "p.Stats#mean(int)",
            "p.Stats#mean(long)",
        ]);
    project
        .run(&["observe", "--method", "mean"])
        .mistake(&["mean names no method", "write Class#method"]);
    // Overloads are to be chosen from, and a choice works as it is printed.
    project
        .run(&["observe", "--method", "Stats#mean"])
        .mistake(&["ambiguous: 2", "p.Stats#mean(int), p.Stats#mean(long)"]);
    let one = project.run(&[
        "observe",
        "--method",
        "p.Stats#mean(long)",
        "--format",
        "json",
    ]);
    assert_eq!(one.json()["scope"]["name"], "p.Stats#mean(long)");
    // So are classes of one name.
    project.write("src/main/java/q/Stats.java", b"package q; class Stats { }");
    project
        .run(&["observe", "--class", "Stats"])
        .mistake(&["Stats is ambiguous: 2", "name one of p.Stats, q.Stats"]);
    let one = project.run(&["observe", "--class", "q.Stats", "--format", "json"]);
    assert_eq!(one.json()["scope"]["name"], "q.Stats");
}

#[test]
fn tests_of_one_name() {
    let test = |package: &str| {
        format!(
            "package {package};
class AT {{
    @org.junit.jupiter.api.Test void runs() {{ int a = 1; }}
}}"
        )
    };
    let project = Project::new(&[
        ("src/test/java/p/AT.java", &test("p")),
        ("src/test/java/q/AT.java", &test("q")),
    ]);
    project
        .run(&["observe", "--test", "AT"])
        .mistake(&["AT is ambiguous: 2", "name one of p.AT, q.AT"]);
    project
        .run(&["observe", "--test", "AT#runs"])
        .mistake(&["ambiguous: 2", "p.AT#runs(), q.AT#runs()"]);
    let one = project.run(&["observe", "--test", "q.AT#runs()", "--format", "json"]);
    assert_eq!(one.json()["scope"]["name"], "q.AT#runs()");
}

#[test]
fn numbers_out_of_range() {
    let number = "give a number from 0 to 1";
    for value in ["2", "-1", "-0.1", "NaN", "x", ""] {
        mistake(&["observe", "--lambda", value], &["--lambda", number]);
    }
    for value in ["1.1", "-1", "x"] {
        mistake(
            &["observe", "--fp", value],
            &["--fp", "give d, or a number from 0 to 1"],
        );
    }
    for value in ["0", "-1", "1.5", "many"] {
        mistake(
            &["observe", "--top", value],
            &["--top", "a whole number from 1"],
        );
    }
}

#[test]
fn options_that_do_not_go_together() {
    mistake(
        &["observe", "--test", "StatsTest", "--class", "Stats"],
        &["--test", "cannot be used with", "--class"],
    );
    mistake(
        &["observe", "--class", "Stats", "--method", "Stats#compare"],
        &["cannot be used with"],
    );
    for offer in ["readable", "inside"] {
        mistake(
            &["observe", "--offer", offer],
            &[
                &format!("--offer {offer} is for a test"),
                "add --test CLASS#METHOD",
            ],
        );
    }
    mistake(
        &["observe", "--strategy", "guess"],
        &["possible values", "sods"],
    );
    mistake(
        &["observe", "--format", "xml"],
        &["possible values: text, json"],
    );
    mistake(
        &["graph", "--format", "text"],
        &["possible values: dot, svg, json"],
    );
    mistake(&["observ"], &["unrecognized subcommand", "observe"]);
    mistake(
        &["observe", "--tset", "X"],
        &["unexpected argument '--tset'", "--test"],
    );
    mistake(&["completions", "nosh"], &["possible values", "bash"]);
    mistake(&[], &["Usage: telltale"]);
}

/// A key that is not there is told at its line and column, and the rest of the file counts.
#[test]
fn configuration() {
    let project = java();
    project.write(
        "telltale.toml",
        b"# ours
[observe]
top = 3
lamda = 0.5
fp = 7

[nonsense]
x = 1
",
    );
    let ran = project.run(&["observe", "--format", "json"]);
    for says in [
        "telltale.toml:4:1: there is no key observe.lamda; did you mean observe.lambda?",
        "telltale.toml:5:6: observe.fp takes",
        "telltale.toml:7:2: there is no key nonsense",
    ] {
        assert!(ran.stderr.contains(says), "{says}\n{}", ran.stderr);
    }
    assert_eq!(ran.stderr.lines().count(), 3, "{}", ran.stderr);
    let answer = ran.json();
    assert_eq!(answer["parameters"]["top"], 3);
    assert_eq!(answer["parameters"]["lambda"], 0.0);
    assert_eq!(answer["parameters"]["fp"], "differentiated");
    // What is no TOML at all is told where it stops being that.
    project.write("telltale.toml", b"[observe]\ntop = \n");
    let ran = project.run(&["observe"]);
    assert!(ran.stderr.contains("telltale.toml:2:"), "{}", ran.stderr);
    assert_eq!(ran.code, 0);
}

/// What cannot be written is no mistake of the command line.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failed_run() {
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("Linux has it");
    let output = crate::support::binary()
        .current_dir(demo())
        .args(["observe", "--format", "json"])
        .stdout(full)
        .output()
        .expect("the binary starts");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("cannot write the result"), "{stderr}");
}

/// Nobody who mistypes sees the program's inside.
#[test]
fn no_mistake_shows_a_panic() {
    let project = java();
    for arguments in [
        &["observe", "--test", "#"][..],
        &["observe", "--test", ""],
        &["observe", "--test", "Stats#"],
        &["observe", "--class", ""],
        &["observe", "--class", "$"],
        &["observe", "--method", "#"],
        &["observe", "--method", "Stats#("],
        &["observe", "--class", "."],
        &["observe", ""],
        &["graph", "--class", "\u{1F600}"],
    ] {
        let ran = project.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {ran:?}");
        assert!(!ran.stderr.contains("panicked"), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.starts_with("error: "), "{arguments:?}: {ran:?}");
    }
}
