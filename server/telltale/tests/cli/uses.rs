//! `telltale debug uses`: what is compared with a compiler, to the column.

use crate::support::Project;
use serde_json::Value;

const JAVA: &str = "class A {
    int f;
    A() { this(1); }
    A(int x) { f = x; }
    int m(int[] a) {
        A o = new A(a.length);
        java.util.function.Function<A, Integer> g = A::size;
        String s = A.class.getName();
        return o.size() + this.f;
    }
    int size() { return f; }
    enum E { ONE, TWO(2); E() { } E(int i) { } }
}
class B extends A { B() { super(2); } /* \u{1F600} */ int n = size(); }
";

/// One line a use: place, kind, name and target; `?` for a target outside of the workspace.
fn uses(project: &Project, arguments: &[&str]) -> Vec<String> {
    let ran = project.run(&[&["debug", "uses"], arguments].concat());
    assert_eq!(ran.stderr, "");
    let line = |line: &str| {
        let u: Value = serde_json::from_str(line).expect("each line is JSON");
        let text = |key: &str| u[key].as_str().unwrap_or("?").to_owned();
        let target = match u["in_workspace"] == true {
            true => text("target"),
            false => "?".to_owned(),
        };
        let (path, line, column) = (text("path"), &u["line"], &u["column"]);
        let (kind, name) = (text("kind"), text("name"));
        format!("{path}:{line}:{column} {kind} {name} {target}")
    };
    ran.stdout.lines().map(line).collect()
}

/// Neither `this`, `super`, `.class` nor an array's `length` is a use; columns are those of simple names. An enum constant
/// makes an object where its own name stands.
#[test]
fn each_use_has_its_place_and_target() {
    let project = Project::new(&[("A.java", JAVA)]);
    assert_eq!(
        uses(&project, &[]),
        [
            "A.java:3:11 call this A#<init>(int)",
            "A.java:4:16 field f A#f",
            "A.java:6:15 new A A#<init>(int)",
            "A.java:7:56 reference size A#size()",
            "A.java:8:28 call getName ?",
            "A.java:9:18 call size A#size()",
            "A.java:9:32 field f A#f",
            "A.java:11:25 field f A#f",
            "A.java:12:14 new E A$E#<init>()",
            "A.java:12:19 new E A$E#<init>(int)",
            "A.java:14:27 call super A#<init>(int)",
            "A.java:14:56 call size A#size()",
        ]
    );
}

#[test]
fn a_path_narrows_it() {
    let project = Project::new(&[
        ("pom.xml", "<project/>"),
        ("src/main/java/A.java", "class A { int a = 1; int b = a; }"),
        (
            "src/main/java/p/B.java",
            "package p; class B { int c = 1; int d = c; }",
        ),
    ]);
    let all = [
        "src/main/java/A.java:1:30 field a A#a",
        "src/main/java/p/B.java:1:41 field c p.B#c",
    ];
    assert_eq!(uses(&project, &[]), all);
    assert_eq!(uses(&project, &["src/main/java/p"]), all[1..]);
    assert_eq!(uses(&project, &["src/main/java/A.java"]), all[..1]);
}
