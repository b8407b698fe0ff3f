//! `telltale inner`: a diff first, both files at once, and the way back to the byte.

use crate::folder::files;
use crate::support::{Project, telltale};

const CODE: &str = "package own;\r\n\r\nclass Stats {\r\n    private int seen;\r\n    int compare(int[] list) {\r\n        int neg = 0;\r\n        for (int x : list) {\r\n            if (x < 0) neg++;\r\n        }\r\n        return neg > 1 ? -1 : 1;\r\n    }\r\n}\r\n";

const TEST: &str = "package own;\nimport org.junit.jupiter.api.Test;\nclass StatsTest {\n    @Test void mixedSigns() {\n        new Stats().compare(new int[] {-1, 2, 3});\n    }\n}\n";

fn project(code: &str) -> Project {
    Project::new(&[
        ("pom.xml", "<project></project>"),
        ("src/main/java/own/Stats.java", code),
        ("src/test/java/own/StatsTest.java", TEST),
    ])
}

const ADD: &[&str] = &["inner", "add", "--test", "StatsTest#mixedSigns"];

fn add<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [ADD, more].concat()
}

#[test]
fn a_diff_first_then_both_files_and_the_way_back() {
    let marked = format!("\u{feff}{CODE}");
    let project = project(&marked);
    let root = project.path();
    let before = files(root);
    let shown = telltale(root, &add(&["--variable", "neg"]));
    assert_eq!(shown.code, 0, "{shown:?}");
    for line in [
        "--- a/src/main/java/own/Stats.java\n",
        "+        InnerOracle.tell(\"StatsTest.mixedSigns: neg\", neg);\n",
        "+        try (InnerOracle inner = InnerOracle.on(\"StatsTest.mixedSigns: neg\")) {\n",
        "new file src/main/java/own/InnerOracle.java: ",
    ] {
        assert!(shown.stdout.contains(line), "{line}\n{}", shown.stdout);
    }
    assert!(shown.stderr.contains("--write"), "{}", shown.stderr);
    assert_eq!(files(root), before, "nothing is written unasked");

    let more = [
        "--at",
        "src/main/java/own/Stats.java:8",
        "--expect",
        "1",
        "--write",
    ];
    let written = telltale(root, &add(&more));
    assert_eq!(written.code, 0, "{written:?}");
    assert_eq!(written.stdout, "");
    assert!(
        written
            .stderr
            .contains("changed src/main/java/own/Stats.java")
    );
    let code =
        String::from_utf8(files(root)["src/main/java/own/Stats.java"].clone()).expect("text");
    assert!(code.starts_with('\u{feff}'), "the mark stays");
    assert!(code.contains("        }\r\n        InnerOracle.equal(\"StatsTest.mixedSigns: neg\", 1, neg);\r\n        return"));

    // It ships until it is removed, which a build can refuse.
    let check = |more: &[&str]| telltale(root, &[&["check", "-q"], more].concat());
    let said = check(&["--rule", "inner-oracle", "--fail-on", "hint"]);
    assert_eq!(said.code, 1, "{said:?}");
    let line = "src/main/java/own/Stats.java:10:9: hint: StatsTest.mixedSigns: neg ships with this code until it is removed [inner-oracle]\n";
    assert!(said.stdout.starts_with(line), "{said:?}");
    assert_eq!(check(&["--rule", "inner-oracle"]).code, 0);

    let again = telltale(root, &add(&more));
    again.mistake(&["checks the value already", "checked-already"]);
    let list = telltale(root, &["inner", "list", "--format", "json"]).json();
    let one = &list["oracles"][0];
    assert_eq!(one["name"], "StatsTest.mixedSigns: neg");
    assert_eq!(one["code"][0]["line"], 10);
    assert_eq!(one["code"][0]["expected"], "1");
    let list = telltale(root, &["inner", "list"]);
    assert!(
        list.stdout
            .contains("  equal 1  src/main/java/own/Stats.java:10:9\n"),
        "{list:?}"
    );

    let unknown = telltale(root, &["inner", "remove", "nobody"]);
    unknown.mistake(&["no inner oracle nobody", "StatsTest.mixedSigns: neg"]);
    let gone = telltale(root, &["inner", "remove", "--all", "--write", "-q"]);
    assert_eq!((gone.code, gone.stderr.as_str()), (0, ""), "{gone:?}");
    assert_eq!(files(root), before);
    let said = check(&["--rule", "inner-oracle", "--fail-on", "hint"]);
    assert_eq!(
        (said.code, said.stdout.contains("inner-oracle]")),
        (0, false)
    );
}

#[test]
fn what_is_wrong_is_said_and_nothing_is_written() {
    let project = project(CODE);
    let root = project.path();
    let before = files(root);
    let at = "src/main/java/own/Stats.java";
    for (more, says) in [
        (vec![], vec!["--test Class#method"]),
        (
            vec!["--test", "StatsTest#mixedSigns", "--at", "Stats.java"],
            vec!["names no place", "FILE:LINE"],
        ),
        (
            vec![
                "--test",
                "StatsTest#mixedSigns",
                "--at",
                "src/main/java/own/Stats.java:1",
            ],
            vec!["nothing is defined"],
        ),
        (
            vec!["--test", "StatsTest#mixedSigns", "--variable", "nobody"],
            vec!["no such value"],
        ),
        (
            vec!["--test", "StatsTest#mixedSigns", "--turn", "0"],
            vec!["every, first, last"],
        ),
        (
            vec!["--test", "StatsTest#mixedSigns", "--tolerance", "1"],
            vec!["--expect"],
        ),
    ] {
        let arguments = [&["inner", "add"][..], &more].concat();
        telltale(root, &arguments).mistake(&says);
    }
    let returned = format!("{at}:10");
    let never = telltale(root, &add(&["--at", &returned, "--never"]));
    never.mistake(&["no-statement"]);
    assert_eq!(files(root), before);
}

/// A file whose bytes are not those of its text would be damaged.
#[test]
fn a_file_in_another_encoding_stays_as_it_is() {
    let project = project(CODE);
    let root = project.path();
    let path = root.join("src/main/java/own/Stats.java");
    let mut bytes = CODE.as_bytes().to_vec();
    bytes.extend(b"// na\xefve\n");
    std::fs::write(&path, &bytes).expect("written");
    let before = files(root);
    let ran = telltale(root, &add(&["--variable", "neg", "--write"]));
    assert_ne!(ran.code, 0, "{ran:?}");
    assert_eq!(files(root), before);
}

/// Not half of it: if one of the files must not be written, none is.
#[test]
fn a_file_that_must_not_be_written_is_told_and_nothing_changes() {
    for locked in [
        "src/test/java/own/StatsTest.java",
        "src/main/java/own/Stats.java",
    ] {
        let project = project(CODE);
        let root = project.path();
        let before = files(root);
        let path = root.join(locked);
        let mut permissions = std::fs::metadata(&path).expect("there").permissions();
        permissions.set_readonly(true);
        std::fs::set_permissions(&path, permissions.clone()).expect("locked");
        let ran = telltale(root, &add(&["--variable", "neg", "--write"]));
        assert_eq!(ran.code, 3, "{ran:?}");
        assert!(
            ran.stderr.contains(&format!("cannot write {locked}")),
            "{}",
            ran.stderr
        );
        assert_eq!(files(root), before);
    }
}

/// What is broken elsewhere is nobody's matter; in the file itself it is refused.
#[test]
fn a_syntax_error_elsewhere_does_no_harm() {
    let project = project(CODE);
    let root = project.path();
    let broken = root.join("src/main/java/own/Broken.java");
    std::fs::write(&broken, "package own; class Broken { void f( { }").expect("written");
    let shown = telltale(root, &add(&["--variable", "neg"]));
    assert_eq!(shown.code, 0, "{shown:?}");
    let own = root.join("src/main/java/own/Stats.java");
    let text = CODE.replace("private int seen;", "private int seen = (;");
    std::fs::write(&own, text).expect("written");
    let at = ["--at", "src/main/java/own/Stats.java:8"];
    telltale(root, &add(&at)).mistake(&["syntax-error"]);
}

#[test]
fn the_guide_has_every_refusal() {
    let guide = crate::support::repository().join("docs/user/inner.md");
    let guide = std::fs::read_to_string(guide).expect("a page");
    for refusal in ide::inner::Refusal::ALL {
        let row = format!("| `{}` | {} |\n", refusal.name(), refusal.sentence());
        assert!(guide.contains(&row), "{row}");
    }
}

/// The project with a method before `compare`, which the test calls first.
fn project_with(method: &str, call: &str) -> Project {
    let code = CODE.replacen("int compare(", &format!("{method}\r\n    int compare("), 1);
    let project = project(&code);
    let calls = format!("new Stats().{call};\n        new Stats().compare(");
    let test = TEST.replace("new Stats().compare(", &calls);
    project.write("src/test/java/own/StatsTest.java", test.as_bytes());
    project
}

/// A name that several methods have is that of the value which tells most; where the others are is said.
#[test]
fn of_several_values_of_a_name_one_is_taken_and_the_others_are_named() {
    let lowest = "int lowest(int[] list) {\r\n        int neg = 0;\r\n        for (int x : list) {\r\n            if (x < neg) neg = x;\r\n        }\r\n        return neg > -9 ? 0 : 1;\r\n    }";
    let project = project_with(lowest, "lowest(new int[] {4})");
    let shown = project.run(&add(&["--variable", "neg"]));
    let said = &shown.stderr;
    for says in ["neg is that of ", "there is one at "] {
        let says = format!("{says}src/main/java/own/Stats.java:");
        assert!(said.contains(&says), "{says}\n{said}");
    }
    let quiet = project.run(&add(&["--variable", "neg", "--quiet"]));
    assert!(!quiet.stderr.contains("there is one"), "{}", quiet.stderr);
}

/// What a failure says to write instead takes the words behind the colon for the value.
#[test]
fn a_field_that_a_parameter_hides_is_named_by_way_of_its_object() {
    let named = "int named(int seen) {\r\n        this.seen = this.seen + seen * 2;\r\n        return 0;\r\n    }";
    let project = project_with(named, "named(4)");
    let shown = project.run(&add(&["--at", "src/main/java/own/Stats.java:6"]));
    let call = "+        InnerOracle.tell(\"StatsTest.mixedSigns: this.seen\", this.seen);\n";
    assert!(shown.stdout.contains(call), "{shown:?}");
}

/// Of its own accord nothing that does not look worth a check is taken.
#[test]
fn without_a_name_only_what_looks_worth_a_check_is_taken() {
    let shown = project(CODE).run(ADD);
    let call = "InnerOracle.tell(\"StatsTest.mixedSigns: neg\", neg);";
    assert!(shown.stdout.contains(call), "{shown:?}");
    let plain = CODE.replace("neg > 1 ? -1 : 1", "neg");
    let refused = project(&plain).run(ADD);
    refused.mistake(&[
        "the test runs no value that looks worth a check",
        "help: name one by --variable or --at FILE:LINE",
    ]);
}
