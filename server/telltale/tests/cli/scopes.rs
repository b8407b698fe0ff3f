//! Every scope, every option, and what each takes in.

use crate::support::{Project, demo, telltale};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const STOCK: &str = "package p;
public class Stock {
    private int count;
    public void add(int more) {
        int sum = count + more;
        count = sum;
    }
    public int left() { return count - 1; }
    public int unused(int q) {
        int never = q;
        return never;
    }
    static class Shelf { int height = 2; }
}
";
const HELP: &str = "package p.inner;
public class Log {
    int lines;
    void line(String text) { lines = text.length(); }
}
";
const TEST: &str = "package p;
import org.junit.jupiter.api.*;
class StockTest {
    Stock stock = new Stock();
    @BeforeEach void fill() { stock.add(3); }
    @Test void adds() {
        int more = Integer.parseInt(\"4\");
        stock.add(more);
    }
    @Test void leaves() { Assertions.assertEquals(2, stock.left()); }
    void noTest(int q) { int z = q; }
}
";

fn project() -> Project {
    Project::new(&[
        ("pom.xml", "<project/>"),
        ("src/main/java/p/Stock.java", STOCK),
        ("src/main/java/p/inner/Log.java", HELP),
        ("src/test/java/p/StockTest.java", TEST),
    ])
}

fn observe(project: &Project, arguments: &[&str]) -> Value {
    let all = [
        &[
            "observe",
            "--format",
            "json",
            "--all-candidates",
            "--top",
            "1000",
        ],
        arguments,
    ];
    project.run(&all.concat()).json()
}

/// `variable@line` of all candidates of an answer.
fn names(list: &Value) -> Vec<String> {
    let list = list.as_array().expect("a list").iter();
    list.map(|c| format!("{}@{}", c["variable"].as_str().expect("a name"), c["line"]))
        .collect()
}

fn all_of(list: &Value, key: &str) -> BTreeSet<String> {
    let list = list.as_array().expect("a list").iter();
    list.map(|c| c[key].as_str().expect("a text").to_owned())
        .collect()
}

fn ranked(list: &Value) -> Vec<String> {
    let list = list.as_array().expect("a list").iter();
    list.map(|r| {
        r["candidate"]["variable"]
            .as_str()
            .expect("a name")
            .to_owned()
    })
    .collect()
}

fn scope(answer: &Value) -> (&str, &str) {
    (
        answer["scope"]["kind"].as_str().expect("a kind"),
        answer["scope"]["name"].as_str().expect("a name"),
    )
}

#[test]
fn a_workspace_ranks_production_code() {
    let project = project();
    let answer = observe(&project, &[]);
    assert_eq!(scope(&answer), ("workspace", ""));
    assert_eq!(
        names(&answer["candidates"]),
        [
            "more@4",
            "sum@5",
            "count@6",
            "left@8",
            "q@9",
            "never@10",
            "height@13",
            "text@4",
            "lines@4"
        ]
    );
    assert_eq!(
        all_of(&answer["candidates"], "role"),
        ["production".to_owned()].into()
    );
    assert_eq!(answer["offer"], "all");
    assert_eq!(answer["technique"], "basic");
    assert_eq!(answer["strategy"], "sods");
    assert_eq!(answer["counts"]["files"], 3);
    assert_eq!(answer["counts"]["candidates"], 9);
    assert_eq!(answer["ranking"].as_array().map(Vec::len), Some(9));
    let root = project.path().canonicalize().expect("it is there");
    assert_eq!(answer["root"], root.to_str().expect("UTF-8"));
}

#[test]
fn paths_narrow_the_scope_and_not_what_is_read() {
    let project = project();
    let folder = observe(&project, &["src/main/java/p/inner"]);
    assert_eq!(scope(&folder), ("folder", "src/main/java/p/inner"));
    assert_eq!(names(&folder["candidates"]), ["text@4", "lines@4"]);
    assert_eq!(folder["counts"]["files"], 3, "the whole root is read");
    let file = observe(&project, &["src/main/java/p/inner/Log.java"]);
    assert_eq!(scope(&file), ("file", "src/main/java/p/inner/Log.java"));
    assert_eq!(names(&file["candidates"]), ["text@4", "lines@4"]);
    // `inn` is no folder although names begin so.
    project
        .run(&["observe", "src/main/java/p/inn"])
        .mistake(&["does not exist"]);
    // The same from inside: the root is found on the way up.
    let inside = telltale(
        &project.path().join("src/main/java/p/inner"),
        &["observe", "--format", "json"],
    );
    assert_eq!(scope(&inside.json()), ("folder", "src/main/java/p/inner"));
    // A folder with both ranks the code, one with tests only ranks them.
    let both = observe(&project, &["src"]);
    assert_eq!(
        all_of(&both["candidates"], "role"),
        ["production".to_owned()].into()
    );
    let tests = observe(&project, &["src/test"]);
    assert_eq!(
        all_of(&tests["candidates"], "role"),
        ["test".to_owned()].into()
    );
    assert_eq!(
        names(&tests["candidates"]),
        ["stock@4", "more@7", "q@11", "z@11"]
    );
}

#[test]
fn a_class_takes_its_nested_ones_in() {
    let project = project();
    for name in ["Stock", "p.Stock"] {
        let answer = observe(&project, &["--class", name]);
        assert_eq!(scope(&answer), ("class", "p.Stock"));
        assert_eq!(
            names(&answer["candidates"]),
            [
                "more@4",
                "sum@5",
                "count@6",
                "left@8",
                "q@9",
                "never@10",
                "height@13"
            ]
        );
    }
    for name in [
        "Shelf",
        "Stock.Shelf",
        "Stock$Shelf",
        "p.Stock$Shelf",
        "p.Stock.Shelf",
    ] {
        let answer = observe(&project, &["--class", name]);
        assert_eq!(scope(&answer), ("class", "p.Stock$Shelf"));
        assert_eq!(names(&answer["candidates"]), ["height@13"]);
    }
}

#[test]
fn a_method_takes_its_local_classes_in() {
    let project = Project::new(&[(
        "A.java",
        "class A {
    void m(int p) {
        class L { int f = p; }
        Runnable r = () -> { int q = p; };
        new Object() { int g = 1; };
    }
    void n(int z) { }
    void m(String s) { }
}",
    )]);
    let answer = observe(&project, &["--method", "A#m(int)"]);
    assert_eq!(scope(&answer), ("method", "A#m(int)"));
    assert_eq!(
        names(&answer["candidates"]),
        ["p@2", "f@3", "r@4", "q@4", "g@5"]
    );
    let one = observe(&project, &["--method", "A#n"]);
    assert_eq!(names(&one["candidates"]), ["z@7"]);
}

/// A test's scope is what it reaches: itself, fixtures, constructors, and what they call.
#[test]
fn a_test_reaches_its_fixtures_and_what_it_calls() {
    let project = project();
    let answer = observe(&project, &["--test", "StockTest#adds", "--offer", "all"]);
    assert_eq!(scope(&answer), ("test", "p.StockTest#adds()"));
    assert_eq!(
        names(&answer["candidates"]),
        ["more@4", "sum@5", "count@6", "stock@4", "more@7"]
    );
    assert_eq!(
        all_of(&answer["candidates"], "role"),
        ["production".to_owned(), "test".to_owned()].into()
    );
    assert!(answer.get("readable").is_none() && answer.get("read").is_none());
    // The other test also reaches what it asserts.
    let answer = observe(&project, &["--test", "StockTest#leaves", "--offer", "all"]);
    assert_eq!(
        names(&answer["candidates"]),
        ["more@4", "sum@5", "count@6", "left@8", "stock@4"]
    );
    for name in ["StockTest", "p.StockTest"] {
        let class = observe(&project, &["--test", name, "--offer", "all"]);
        assert_eq!(scope(&class), ("test-class", "p.StockTest"));
        assert_eq!(
            names(&class["candidates"]),
            ["more@4", "sum@5", "count@6", "left@8", "stock@4", "more@7"]
        );
    }
    let suite = observe(&project, &["--test", "all", "--offer", "all"]);
    assert_eq!(scope(&suite), ("suite", "all"));
    assert_eq!(suite["counts"]["candidates"], 6);
}

/// Nested classes, inherited tests, JUnit 3.
#[test]
fn test_classes_of_all_kinds() {
    let project = Project::new(&[
        (
            "src/test/java/OuterTest.java",
            "import org.junit.jupiter.api.*;
class OuterTest {
    @Nested class Inner {
        @Test void b() { int y = 1; }
        @Nested class Deep {
            @Test void c() { int z = 1; }
        }
    }
}
",
        ),
        (
            "src/test/java/BaseTest.java",
            "import org.junit.Test;
abstract class BaseTest {
    @Test public void inherited() { int i = 1; }
}
class DerivedTest extends BaseTest {
    @Test public void own() { int o = 1; }
}
class EmptyTest extends BaseTest { }
",
        ),
        (
            "src/test/java/OldTest.java",
            "public class OldTest extends junit.framework.TestCase {
    public void testOld() { int t = 1; }
    public void helper() { int h = 1; }
}
",
        ),
    ]);
    let all = |test: &str| {
        let answer = observe(&project, &["--test", test, "--offer", "all"]);
        let (kind, name) = scope(&answer);
        (
            format!("{kind} {name}"),
            names(&answer["candidates"]).join(" "),
        )
    };
    let is = |scope: &str, names: &str| (scope.to_owned(), names.to_owned());
    let deep = "OuterTest$Inner$Deep";
    assert_eq!(all("OuterTest"), is("test-class OuterTest", "y@4 z@6"));
    assert_eq!(
        all("OuterTest.Inner"),
        is("test-class OuterTest$Inner", "y@4 z@6")
    );
    assert_eq!(all("Deep"), is(&format!("test-class {deep}"), "z@6"));
    assert_eq!(all("Deep#c"), is(&format!("test {deep}#c()"), "z@6"));
    assert_eq!(all("DerivedTest"), is("test-class DerivedTest", "i@3 o@6"));
    assert_eq!(all("EmptyTest"), is("test-class EmptyTest", "i@3"));
    assert_eq!(
        all("EmptyTest#inherited"),
        is("test BaseTest#inherited()", "i@3")
    );
    assert_eq!(all("OldTest"), is("test-class OldTest", "t@2"));
    project
        .run(&["observe", "--test", "OldTest#helper"])
        .mistake(&["no test is named OldTest#helper", "OldTest#testOld()"]);
}

#[test]
fn a_test_is_offered_what_it_could_read_and_what_it_could_not() {
    let project = project();
    let answer = observe(&project, &["--test", "StockTest#adds"]);
    assert!(answer.get("ranking").is_none());
    assert_eq!(answer["offer"], "readable");
    assert!(answer["inside"].is_array(), "both lists");
    assert_eq!(answer["parameters"]["lambda"], 0.0);
    assert_eq!(answer["parameters"]["lambda_readable"], 1.0);
    let readable = ranked(&answer["readable"]);
    assert_eq!(readable[0], "stock.left()", "{readable:?}");
    let query = &answer["readable"][0]["candidate"];
    assert_eq!(query["kind"], "query");
    assert_eq!(query["expression"], "stock.left()");
    assert_eq!(query["role"], "test");
    assert_eq!(query["path"], "src/test/java/p/StockTest.java");
    // `add` changes the object and `unused` needs an argument: neither is a query.
    assert!(
        readable
            .iter()
            .all(|r| !r.contains("add") && !r.contains("unused")),
        "{readable:?}"
    );
    for place in answer["inside"].as_array().expect("a list") {
        assert_eq!(place["candidate"]["role"], "production");
        assert_ne!(place["candidate"]["kind"], "parameter", "never offered");
    }
    // This one asserts it already.
    let leaves = observe(&project, &["--test", "StockTest#leaves"]);
    let readable = ranked(&leaves["readable"]);
    assert!(
        !readable.contains(&"stock.left()".to_owned()),
        "{readable:?}"
    );
    // What the call in the assertion returns is read, and so is a variable.
    assert_eq!(names(&leaves["read"]), ["left@8"]);
    let stats = telltale(
        &demo(),
        &["observe", "--test", "StatsTest", "--format", "json"],
    );
    let read = names(&stats.json()["read"]);
    assert!(
        ["comparison@26", "comparison@13", "variance@29"]
            .iter()
            .all(|v| read.contains(&(*v).to_owned())),
        "{read:?}"
    );
    // One list at a time.
    let one = observe(
        &project,
        &["--test", "StockTest#adds", "--offer", "readable"],
    );
    assert_eq!(one["readable"], answer["readable"]);
    assert!(one.get("inside").is_none());
    let one = observe(&project, &["--test", "StockTest#adds", "--offer", "inside"]);
    assert_eq!(one["inside"], answer["inside"]);
    assert!(one.get("readable").is_none());
}

#[test]
fn settings_come_from_the_file_and_the_command_line_wins() {
    let project = project();
    let parameters = |arguments: &[&str]| {
        let all = [&["observe", "--format", "json"], arguments].concat();
        project.run(&all).json()["parameters"].clone()
    };
    assert_eq!(
        parameters(&[]),
        json!({ "lambda": 0.0, "fp": "differentiated", "top": 10, "epsilon": 0.0 })
    );
    project.write(
        "telltale.toml",
        b"[observe]\nlambda = 0.25\nlambda_readable = 0.75\nfp = 0.5\ntop = 2\n",
    );
    assert_eq!(
        parameters(&[]),
        json!({ "lambda": 0.25, "fp": 0.5, "top": 2, "epsilon": 0.0 })
    );
    assert_eq!(
        parameters(&["--lambda", "1", "--fp", "d", "--top", "4"]),
        json!({ "lambda": 1.0, "fp": "differentiated", "top": 4, "epsilon": 0.0 })
    );
    assert_eq!(parameters(&["--fp", "1"])["fp"], 1.0);
    let test = parameters(&["--test", "StockTest"]);
    assert_eq!(test["lambda"], 0.25);
    assert_eq!(test["lambda_readable"], 0.75);
    let test = parameters(&["--test", "StockTest", "--lambda", "0.5"]);
    assert_eq!(test["lambda"], 0.5);
    assert_eq!(test["lambda_readable"], 0.5);
}

/// `sum` has the whole of `count`'s first definition and of `more`; with λ also what those stand in for.
#[test]
fn lambda_carries_over_further_steps() {
    let project = Project::new(&[(
        "A.java",
        "class A {
    void m(int a) {
        int b = a + 1;
        int c = b + 1;
        int d = c + 1;
    }
}",
    )]);
    let foc = |lambda: &str| {
        let answer = observe(&project, &["--lambda", lambda]);
        answer["ranking"][0]["foc"].as_f64().expect("a number")
    };
    assert_eq!(foc("0"), 2.0);
    assert_eq!(foc("0.5"), 1.0 + 1.0 + 0.5 + 0.25);
    assert_eq!(foc("1"), 4.0);
}

#[test]
fn top_selects_the_same_ones_first() {
    let all = telltale(&demo(), &["observe", "--format", "json", "--top", "40"]).json();
    let few = telltale(&demo(), &["observe", "--format", "json", "--top", "7"]).json();
    let (all, few) = (&all["ranking"], &few["ranking"]);
    assert_eq!(few.as_array().map(Vec::len), Some(7));
    for i in 0..7 {
        assert_eq!(all[i], few[i]);
    }
}

/// The nearest `telltale.toml` is the root, then the outermost build file; `--root` overrides both.
#[test]
fn roots() {
    let project = Project::new(&[
        (
            "pom.xml",
            "<project><modules><module>core</module></modules></project>",
        ),
        ("core/pom.xml", "<project/>"),
        ("core/src/main/java/A.java", "class A { int a = 1; }"),
        ("other/B.java", "class B { int b = 1; }"),
    ]);
    let root = |arguments: &[&str]| {
        let all = [&["observe", "--format", "json"], arguments].concat();
        let answer = project.run(&all).json();
        let top = project.path().canonicalize().expect("it is there");
        let root = answer["root"].as_str().expect("a root").to_owned();
        let inside = std::path::Path::new(&root)
            .strip_prefix(top)
            .expect("it is inside")
            .to_str()
            .expect("UTF-8")
            .to_owned();
        (
            inside,
            answer["scope"]["kind"].as_str().expect("a kind").to_owned(),
        )
    };
    let is = |root: &str, kind: &str| (root.to_owned(), kind.to_owned());
    assert_eq!(root(&["core"]), is("", "folder"));
    assert_eq!(root(&["core", "--root", "core"]), is("core", "workspace"));
    project.write("core/telltale.toml", b"");
    assert_eq!(root(&["core"]), is("core", "workspace"));
    assert_eq!(root(&["core/src"]), is("core", "folder"));
    assert_eq!(root(&["core/src", "--root", "."]), is("", "folder"));
}

/// Without a build file the repository is the root, without that PATH; a file is looked at among its neighbours.
#[test]
fn roots_without_build_files() {
    let project = Project::new(&[
        ("a/b/A.java", "class A { int a = 1; }"),
        ("a/c/C.java", "class C { int c = 1; }"),
    ]);
    let answer = |path: &str| {
        let answer = project.run(&["observe", "--format", "json", path]).json();
        let counts = answer["counts"].clone();
        (
            answer["scope"]["name"].as_str().expect("a name").to_owned(),
            counts["files"].as_u64(),
            counts["candidates"].as_u64(),
        )
    };
    assert_eq!(answer("a/b"), (String::new(), Some(1), Some(1)));
    project.write(".git/HEAD", b"ref: refs/heads/main\n");
    assert_eq!(answer("a/b"), ("a/b".to_owned(), Some(2), Some(1)));
    assert_eq!(
        answer("a/c/C.java"),
        ("a/c/C.java".to_owned(), Some(2), Some(1))
    );
}

/// Every format draws the same graph.
#[test]
fn drawings_have_all_nodes_and_edges() {
    let scopes: [&[&str]; 3] = [
        &["--class", "Stats"],
        &["--test", "StatsTest"],
        &["--test", "StatsTest", "--kind", "calls"],
    ];
    for scope in scopes {
        let drawn = |format: &str| {
            let all = [&["graph", "--format", format], scope].concat();
            telltale(&demo(), &all)
        };
        let json = drawn("json").json();
        let count = |a: &str, b: &str| {
            let list = json[a].as_array().or_else(|| json[b].as_array());
            list.map(Vec::len).expect("a list")
        };
        let (nodes, edges) = (count("nodes", "methods"), count("edges", "calls"));
        assert!(nodes > 3 && edges > 3, "{scope:?}");
        let dot = drawn("dot").stdout;
        assert!(
            dot.starts_with("digraph ") && dot.trim_end().ends_with('}'),
            "{dot}"
        );
        assert_eq!(dot.lines().filter(|l| l.contains(" -> ")).count(), edges);
        let declared = dot
            .lines()
            .filter(|l| !l.contains(" -> ") && l.contains("[label="));
        assert_eq!(declared.count(), nodes, "{dot}");
        let svg = drawn("svg").stdout;
        assert!(
            svg.contains("<svg ") && svg.trim_end().ends_with("</svg>"),
            "{scope:?}"
        );
    }
}

/// What is ignored or excluded is not read.
#[test]
fn ignored_and_excluded_files_are_left_out() {
    let project = project();
    project.write(".gitignore", b"/generated/\n");
    project.write("generated/G.java", b"class G { int g = 1; }");
    project.write(
        "src/main/java/p/Old.java",
        b"package p; class Old { int o = 1; }",
    );
    let with = observe(&project, &[]);
    assert_eq!(with["counts"]["files"], 4);
    project.write("telltale.toml", b"[sources]\nexclude = [\"**/Old.java\"]\n");
    let without = observe(&project, &[]);
    assert_eq!(without["counts"]["files"], 3);
    assert!(!names(&without["candidates"]).contains(&"o@1".to_owned()));
}

/// Modules may have two classes of one name: the path that is given says which.
#[test]
fn of_two_of_a_name_that_below_the_path_is_meant() {
    let test = |value: &str| {
        format!(
            "package p;\nclass TwinTest {{\n    @org.junit.Test public void works() {{ String {value} = String.valueOf(1); }}\n}}\n"
        )
    };
    let project = Project::new(&[
        (
            "pom.xml",
            "<project><modules><module>a</module><module>b</module></modules></project>",
        ),
        ("a/pom.xml", "<project/>"),
        ("b/pom.xml", "<project/>"),
        ("a/src/test/java/p/TwinTest.java", &test("one")),
        ("b/src/test/java/p/TwinTest.java", &test("other")),
    ]);
    for (folder, own) in [("a", "one"), ("b", "other")] {
        for name in ["p.TwinTest#works", "TwinTest"] {
            let answer = project.run(&[
                "observe",
                folder,
                "--test",
                name,
                "--format",
                "json",
                "--all-candidates",
            ]);
            assert_eq!(answer.code, 0, "{answer:?}");
            let answer = answer.json();
            let candidates = answer["candidates"].as_array().expect("candidates");
            let names = candidates.iter().filter_map(|c| c["variable"].as_str());
            assert_eq!(names.collect::<Vec<_>>(), [own], "{folder} {name}");
        }
    }
    // Without a path nobody knows which.
    for name in ["p.TwinTest#works", "TwinTest"] {
        let answer = project.run(&["observe", "--test", name]);
        assert_eq!(answer.code, 2, "{answer:?}");
        for folder in ["a", "b"] {
            let path = format!("{folder}/src/test/java/p/TwinTest.java");
            assert!(answer.stderr.contains(&path), "{answer:?}");
        }
    }
}

/// A class also has the tests of the classes in it.
#[test]
fn a_test_of_a_nested_class_is_found_by_the_class_around_it() {
    let project = Project::new(&[(
        "src/test/java/p/OuterTest.java",
        "package p;\nimport org.junit.jupiter.api.*;\nclass OuterTest {\n    @Nested class First { @Test void works() { } @Test void both() { } }\n    @Nested class Second { @Test void both() { } }\n}\n",
    )]);
    let of = |name: &str| project.run(&["observe", "--test", name, "--format", "json"]);
    let works = of("OuterTest#works");
    assert_eq!(works.code, 0, "{works:?}");
    assert_eq!(works.json()["scope"]["name"], "p.OuterTest$First#works()");
    let both = of("OuterTest#both");
    assert_eq!(both.code, 2, "{both:?}");
    assert!(both.stderr.contains("p.OuterTest$First#both()"), "{both:?}");
    assert!(
        both.stderr.contains("p.OuterTest$Second#both()"),
        "{both:?}"
    );
}

/// A test of which no code under test is known to run is not done.
#[test]
fn where_no_code_is_seen_to_run_nothing_is_said_to_be_covered() {
    let project = Project::new(&[(
        "src/test/java/ATest.java",
        "import org.junit.jupiter.api.Test;\nclass ATest { @Test void nothing() { } }\n",
    )]);
    let text = project
        .run(&["observe", ".", "--test", "ATest#nothing"])
        .stdout;
    let says = "  Nothing that is known: no code of the project is seen to run in this test.\n";
    assert_eq!(text.matches(says).count(), 2, "{text}");
}

/// Who reads a project begins with what its code computes; a script gets all values, and so does who asks for them.
#[test]
fn a_project_begins_with_what_is_computed() {
    let project = Project::new(&[
        ("pom.xml", "<project/>"),
        (
            "src/main/java/p/Till.java",
            "package p;
class Till {
    private final String owner;
    private int total;
    Till(String owner) { this.owner = owner; }
    void add(int price, int count) {
        int sum = price * count + 1;
        total = total + sum;
    }
    int total() { return total; }
    boolean isFull(int limit) { return total > limit * 2; }
    void read(java.io.Reader in) {
        try { in.read(); } catch (java.io.IOException failure) { System.err.println(failure); }
    }
    @Override public String toString() { return \"till of \" + owner + total; }
}
",
        ),
    ]);
    let text = |arguments: &[&str]| project.run(&[&["observe", "."], arguments].concat()).stdout;
    let named = |text: &str, value: &str| {
        let mut rows = text.lines().filter(|l| l.contains("Till.java:"));
        rows.any(|l| l.contains(&format!("  {value} ")))
    };
    let first = text(&["--top", "30"]);
    for value in ["sum", "return value of Till.isFull"] {
        assert!(named(&first, value), "{value}\n{first}");
    }
    let handed_on = [
        "price",
        "owner",
        "in",
        "failure",
        "return value of Till.toString",
    ];
    for value in handed_on {
        assert!(!named(&first, value), "{value}\n{first}");
    }
    assert!(first.contains("--offer all"), "{first}");
    assert!(first.contains("no test reaches it"), "{first}");
    let all = text(&["--top", "30", "--offer", "all"]);
    assert!(named(&all, "return value of Till.toString"), "{all}");
    let script = ranked(&observe(&project, &[])["ranking"]);
    assert!(script.iter().any(|n| n.starts_with("price")), "{script:?}");
}

/// Of each method the first screen names the test that comes nearest, and JSON says of each value whether assertions read it.
#[test]
fn a_project_begins_with_what_no_assertion_reads() {
    let project = Project::new(&[
        ("pom.xml", "<project/>"),
        (
            "src/main/java/p/Till.java",
            "package p;
class Till {
    int sell(int price) { return price * 2; }
    int drop(int price) { return price + 3; }
}
",
        ),
        (
            "src/test/java/p/TillTest.java",
            "package p;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.*;
class TillTest {
    @Test void sells() { assertEquals(4, new Till().sell(2)); new Till().drop(2); }
}
",
        ),
    ]);
    let text = project.run(&["observe", "."]).stdout;
    assert!(text.contains("no assertion is seen to read"), "{text}");
    assert!(
        text.contains("to assert in TillTest#sells, which calls it"),
        "{text}"
    );
    assert!(!text.contains("Till.sell"), "{text}");
    let json = observe(&project, &[]);
    let rows = json["ranking"].as_array().expect("a ranking");
    let of = |method: &str| {
        let is_it = |r: &&serde_json::Value| {
            let c = &r["candidate"];
            c["kind"] == "return" && c["method"].as_str().is_some_and(|m| m.contains(method))
        };
        rows.iter().find(is_it).expect("it is ranked")
    };
    assert_eq!(of("#drop")["checked"]["this"], false);
    assert_eq!(of("#sell")["checked"]["this"], true);
    assert_eq!(of("#drop")["nearest_test"]["test"], "p.TillTest#sells()");
    assert_eq!(of("#drop")["nearest_test"]["calls"], 1);
}

#[test]
fn a_list_says_why_nobody_may_want_a_value_if_it_says_that_it_does() {
    let project = project();
    let asked = |behind: &str, more: &[&str]| {
        let test = TEST.replace("    void noTest", &format!("    {behind}\n    void noTest"));
        project.write("src/test/java/p/StockTest.java", test.as_bytes());
        let arguments = [&["observe", "--test", "StockTest#adds", "-q"], more];
        project.run(&arguments.concat()).stdout
    };
    let behind = "@AfterEach void after() { Assertions.assertNotNull(stock); }";
    let passed_over = "not sure: the test checks something else, itself or behind it";
    let text = asked(behind, &[]);
    let line = "nobody wants it asserted: stock.left() (--doubtful says why)";
    assert!(text.contains(line), "{text}");
    let text = asked(behind, &["--doubtful"]);
    assert!(text.contains(passed_over), "{text}");

    // What has nothing to do with the test silences no list of it.
    let apart =
        "@AfterEach void after() { Assertions.assertEquals(4, Runtime.version().feature()); }";
    for behind in ["", apart] {
        let text = asked(behind, &["--doubtful"]);
        assert!(text.contains("1  stock.left()"), "{text}");
        assert!(!text.contains(passed_over), "{text}");
        assert!(!asked(behind, &[]).contains("nobody wants"), "{text}");
    }
}
