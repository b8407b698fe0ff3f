//! `telltale mutants`: what no test of a real project notices, and what would have told.

mod kept;

use crate::record::cannot_record;
use crate::schemas::{meets, schema};
#[cfg(target_os = "linux")]
use crate::streams::in_a_terminal;
use crate::support::{Project, binary, ran, repository, telltale};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

const CART: &str = "package shop;\r
\r
import java.util.ArrayList;\r
import java.util.List;\r
\r
/** Prices in €, and what was paid. */\r
public class Cart {\r
    private final List<Integer> prices = new ArrayList<>();\r
    private int looks;\r
    private int log;\r
\r
    public void add(int price) {\r
        if (price > 0) {\r
            prices.add(price);\r
        }\r
        note(price);\r
    }\r
\r
    private void note(int price) {\r
        log = price + 1;\r
    }\r
\r
    public int total() {\r
        int sum = 0;\r
        for (int price : prices) {\r
            sum += price;\r
        }\r
        return sum;\r
    }\r
\r
    public int size() {\r
        return prices.size();\r
    }\r
\r
    public void clear() {\r
        prices.clear();\r
    }\r
\r
    public String nobody(int n) {\r
        return n < 3 ? \"few\" : \"many\";\r
    }\r
\r
    public int cost(int weight) {\r
        int fee = weight * 2;\r
        return Math.min(fee, 5);\r
    }\r
\r
    public Object none() {\r
        return null;\r
    }\r
}\r
";

const TEST: &str = "package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CartTest {
    @Test
    void adds() {
        Cart cart = new Cart();
        cart.add(3);
        cart.add(0);
        assertEquals(3, cart.total());
    }

    @Test
    void clears() {
        Cart cart = new Cart();
        cart.add(2);
        cart.clear();
        cart.none();
    }

    @Test
    void costs() {
        Cart cart = new Cart();
        assertEquals(5, cart.cost(7));
    }

    @Test
    void fails() {
        Cart cart = new Cart();
        assertEquals(1, cart.size());
    }
}
";

fn project() -> Project {
    let build = repository().join("tests/demo/pom.xml");
    let build = std::fs::read_to_string(build).expect("it is there");
    Project::new(&[
        ("pom.xml", &build),
        ("src/main/java/shop/Cart.java", CART),
        ("src/test/java/shop/CartTest.java", TEST),
    ])
}

const CODE: &str = "src/main/java/shop/Cart.java";

fn asked(root: &Path, more: &[&str]) -> Value {
    let arguments = [&["mutants", CODE, "-q", "--format", "json"], more].concat();
    let answer = telltale(root, &arguments).json();
    meets(&schema("mutants"), &answer, &arguments.join(" "));
    let counts = |names: &[&str]| -> u64 {
        let of = |n: &&str| answer["counts"][*n].as_u64().expect("a number");
        names.iter().map(of).sum()
    };
    let parts = [
        "killed",
        "survived",
        "not_run",
        "too_slow",
        "ended",
        "looks_equivalent",
    ];
    assert_eq!(counts(&parts), counts(&["mutants"]), "{answer:#}");
    answer
}

fn list<'a>(answer: &'a Value, name: &str) -> &'a [Value] {
    answer[name].as_array().map_or(&[], Vec::as_slice)
}

/// Line and words.
fn lines(list: &[Value]) -> Vec<String> {
    let line = |s: &Value| format!("{} {}", s["line"], s["message"].as_str().unwrap_or(""));
    list.iter().map(line).collect()
}

/// A text with the edits of a cure.
fn cured(text: &str, cure: &Value) -> String {
    let mut out: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let edits = cure["edits"].as_array().expect("edits");
    for edit in edits.iter().rev() {
        let at = |name: &str| edit[name].as_u64().expect("a number") as usize - 1;
        assert_eq!(
            (at("line"), at("column")),
            (at("end_line"), at("end_column"))
        );
        let new = edit["text"].as_str().expect("a text");
        out[at("line")].insert_str(at("column"), new);
    }
    out.concat()
}

#[test]
fn what_no_test_notices_comes_with_what_would_tell() {
    if cannot_record() {
        return;
    }
    let project = project();
    let root = project.path();
    let all = asked(root, &[]);
    assert_eq!(all["path"], CODE);
    assert_eq!(all["unstable"], json!(["shop.CartTest#fails"]), "{all:#}");
    let why = "org.opentest4j.AssertionFailedError: expected: <1> but was: <0>";
    assert_eq!(all["unstable_why"], json!({ "shop.CartTest#fails": why }));
    let text = telltale(root, &["mutants", CODE, "-q"]).stdout;
    let line = format!("\n    shop.CartTest#fails: {why}\n");
    assert!(text.contains(&line), "{text}");
    // Its body can go, and the test that runs it passes.
    let pseudo = list(&all, "pseudo_tested");
    let clear = pseudo.iter().find(|p| p["method"] == "shop.Cart#clear()");
    let clear = clear.expect("it is pseudo-tested");
    assert_eq!(clear["line"], 35);
    let assertion = &clear["cure"]["assertion"];
    assert_eq!(clear["cure"]["test"], "shop.CartTest#clears()");
    assert!(
        assertion.as_str().is_some_and(|a| a.contains("cart.")),
        "{clear:#}"
    );
    let note = pseudo.iter().find(|p| p["method"] == "shop.Cart#note(int)");
    assert!(note.is_some(), "{all:#}");
    assert_eq!(pseudo.len(), 2, "{all:#}");

    let survivors = list(&all, "survivors");
    assert_eq!(
        lines(survivors),
        [
            "13 `>` became `>=` in `price > 0`",
            "16 the call of `note(price)` was left out",
            "20 `+` became `-`",
            "36 the call of `prices.clear()` was left out",
        ],
        "{all:#}"
    );
    let cure = &survivors[0]["cure"];
    assert_eq!(cure["test"], "shop.CartTest#adds()");
    assert_eq!(cure["assertion"], "assertEquals(1, cart.size());");
    assert_eq!(
        (&cure["value"], &cure["with_mutant"]),
        (&json!("1"), &json!("2"))
    );
    // What only the field of the log shows no test can read.
    assert!(survivors[2].get("cure").is_none(), "{:#}", survivors[2]);
    assert_eq!(survivors[2]["inside"]["name"], "log in Cart.note");
    assert_eq!(
        lines(list(&all, "equivalent")),
        ["49 returned null instead"]
    );
    let not_run = list(&all, "not_run");
    let methods: Vec<&Value> = not_run.iter().map(|m| &m["method"]).collect();
    assert_eq!(
        methods,
        ["shop.Cart#size()", "shop.Cart#nobody(int)"],
        "{all:#}"
    );

    // With the mutant in the code the cured test fails, without it passes.
    let cured = cured(TEST, cure);
    assert!(cured.contains("assertEquals(1, cart.size());"), "{cured}");
    project.write("src/test/java/shop/CartTest.java", cured.as_bytes());
    let healed = asked(root, &["--lines", "13-13"]);
    assert_eq!(healed["lines"], json!([13, 13]));
    assert_eq!(list(&healed, "survivors"), [] as [Value; 0], "{healed:#}");
    assert_eq!(healed["counts"]["killed"], 2);
}

/// Two classes whose set-up fails, of which one would run the cart, and one that has such a class in it.
const PORTS: &str = "package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.*;

class PortTest {
    @BeforeAll static void opens() { throw new IllegalStateException(\"no\\nport\"); }
    @Test void costs() { assertEquals(4, new Cart().cost(2)); }
    @Test void twice() { assertEquals(4, 2 + 2); }
}

class OtherPortTest {
    @BeforeAll static void opens() { throw new IllegalStateException(\"no other port\"); }
    @Test void twice() { assertEquals(4, 2 + 2); }
}

class InnerPortTest {
    @Test void costs() { assertEquals(4, new Cart().cost(2)); }
    @Nested class Inner {
        @BeforeEach void each() { }
        @Test void costs() { assertEquals(4, new Cart().cost(2)); }
    }
    @Nested @TestInstance(TestInstance.Lifecycle.PER_CLASS) class Closed {
        @BeforeAll void opens() { throw new IllegalStateException(\"closed\"); }
        @Test void costs() { assertEquals(4, new Cart().cost(2)); }
    }
}
";

/// No test of such a class begins, so no run says what it would reach. Those that may run what is asked for are named.
#[test]
fn tests_whose_class_cannot_be_set_up_are_named_with_what_it_failed_with() {
    if cannot_record() {
        return;
    }
    let project = project();
    let root = project.path();
    project.write("src/test/java/shop/PortTest.java", PORTS.as_bytes());
    let cost = asked(root, &["--lines", "43-46"]);
    let port = "java.lang.IllegalStateException: no port";
    let closed = "java.lang.IllegalStateException: closed";
    let expected =
        json!({ "shop.PortTest#costs": port, "shop.InnerPortTest$Closed#costs": closed });
    assert_eq!(cost["unstable_why"], expected, "{cost:#}");
    let text = telltale(root, &["mutants", CODE, "--lines", "43-46", "-q"]).stdout;
    let line = format!("\n    shop.PortTest#costs: {port}\n");
    assert!(text.contains(&line), "{text}");
    // What none of them would run.
    let none = asked(root, &["--lines", "48-50"]);
    assert_eq!(list(&none, "unstable"), [] as [Value; 0], "{none:#}");
    // Nor is one named that was not asked for.
    let only = asked(root, &["--lines", "43-46", "--test", "CartTest"]);
    assert_eq!(list(&only, "unstable"), [] as [Value; 0], "{only:#}");
}

#[test]
fn parts_are_the_whole_and_only_what_is_asked_for_is_looked_at() {
    if cannot_record() {
        return;
    }
    let project = project();
    let root = project.path();
    let all = asked(root, &[]);
    let halves = [
        asked(root, &["--shard", "1/2"]),
        asked(root, &["--shard", "2/2"]),
    ];
    assert_eq!(halves[1]["shard"], json!([2, 2]));
    for name in ["pseudo_tested", "survivors", "equivalent", "not_run"] {
        let mut both: Vec<Value> = halves.iter().flat_map(|h| list(h, name)).cloned().collect();
        both.sort_by_key(|s| (s["line"].as_u64(), s["operator"].to_string()));
        let mut whole = list(&all, name).to_vec();
        whole.sort_by_key(|s| (s["line"].as_u64(), s["operator"].to_string()));
        assert_eq!(both, whole, "{name}");
    }
    for (name, count) in all["counts"].as_object().expect("counts") {
        let sum: u64 = halves
            .iter()
            .filter_map(|h| h["counts"][name].as_u64())
            .sum();
        assert_eq!(Some(sum), count.as_u64(), "{name}");
    }
    // What one test would not notice.
    let one = asked(root, &["--test", "CartTest#clears", "--method", "Cart#add"]);
    assert_eq!(one["counts"]["killed"], 0, "{one:#}");
    assert_eq!(one["counts"]["survived"], 3, "{one:#}");
    let text = telltale(
        root,
        &[
            "mutants",
            "--method",
            "Cart#clear",
            "--fail-on",
            "pseudo-tested",
        ],
    );
    assert_eq!(text.code, 1, "{text:?}");
    assert!(
        text.stdout.starts_with("Pseudo-tested: all of the method can be left out, and no test fails\nsrc/main/java/shop/Cart.java:35  Cart.clear  run by 1 test\n"),
        "{}",
        text.stdout
    );
    // Where the assertion goes is said, too.
    let placed = ", before it\n      assertEquals(0, cart.total());\n";
    assert!(text.stdout.contains(placed), "{}", text.stdout);
    assert!(
        text.stdout.ends_with(
            "1 mutant: 0 killed, 1 survived, 0 run by no test, 1 method is pseudo-tested\n"
        ),
        "{}",
        text.stdout
    );
}

/// At a terminal survivors are said as they are found. The answer stays what it is.
#[cfg(target_os = "linux")]
#[test]
fn survivors_are_said_while_the_tests_run() {
    if cannot_record() {
        return;
    }
    let project = project();
    let root = project.path();
    let answer = telltale(root, &["mutants", CODE, "-q"]);
    let in_a_terminal = |more: &str| {
        let command = format!("mutants {CODE} {more} > .git/out");
        project.write(".git/out", b"");
        let said = in_a_terminal(root, &command, true)?;
        let out = std::fs::read_to_string(root.join(".git/out")).expect("text");
        Some((said, out))
    };
    let Some((said, out)) = in_a_terminal("") else {
        return;
    };
    assert_eq!(out, answer.stdout);
    let mut found: Vec<&str> = Vec::new();
    for line in said.lines() {
        found.extend(line.split("survives  ").nth(1).map(str::trim_end));
    }
    found.sort_unstable();
    let survivors = [
        "src/main/java/shop/Cart.java:13  `>` became `>=` in `price > 0`",
        "src/main/java/shop/Cart.java:16  the call of `note(price)` was left out",
        "src/main/java/shop/Cart.java:20  `+` became `-`",
        "src/main/java/shop/Cart.java:36  the call of `prices.clear()` was left out",
    ];
    assert_eq!(found, survivors, "{said}");
    assert!(!said.contains("all of them run again"), "{said}");
    for more in ["--quiet", "--format json"] {
        let said = in_a_terminal(more).map(|(said, _)| said);
        assert!(said.iter().all(|s| !s.contains("survives")), "{said:?}");
    }
    // In the log of a job the answer follows, and all would stand there twice.
    let job = telltale(root, &["mutants", CODE]);
    assert_eq!(job.stdout, answer.stdout);
    assert!(!job.stderr.contains("survives"), "{}", job.stderr);
}

/// A method that no test runs and its lambdas, which are methods of their own in the class file; and two lambdas of a line.
const LAMBDAS: &str = "\r
    public Runnable later(int n) {\r
        Runnable one = () -> add(n + 1), two = () -> add(n * 2);\r
        return n > 4 ? one : two;\r
    }\r
\r
    public int both() {\r
        java.util.function.IntSupplier one = () -> looks + 1, two = () -> looks + 2;\r
        return one.getAsInt() * two.getAsInt();\r
    }\r
}\r
";

#[test]
fn parts_that_are_merged_are_the_whole_to_the_byte() {
    if cannot_record() {
        return;
    }
    let project = project();
    let root = project.path();
    let code = CART.trim_end().strip_suffix('}').expect("a class");
    let code = format!("{code}{LAMBDAS}");
    project.write(CODE, code.as_bytes());
    let test = TEST.replace("cart.none();", "cart.none();\n        cart.both();");
    project.write("src/test/java/shop/CartTest.java", test.as_bytes());
    let run = |more: &[&str]| telltale(root, &[&["mutants", "-q"], more].concat());
    let whole = run(&[CODE, "--format", "json"]);
    let of = |answer: &Value, method: &str| -> Vec<u64> {
        let all = list(answer, "not_run").iter();
        let own = all.filter(|m| m["method"] == method);
        own.filter_map(|m| m["mutants"].as_u64()).collect()
    };
    let later = "shop.Cart#later(int)";
    let mut files = Vec::new();
    let mut of_later = Vec::new();
    for n in 1..=3 {
        let part = run(&[CODE, "--format", "json", "--shard", &format!("{n}/3")]);
        meets(&schema("mutants"), &part.json(), "a part");
        of_later.push(of(&part.json(), later));
        let file = format!("part-{n}.json");
        project.write(&file, part.stdout.as_bytes());
        files.push(file);
    }
    // One method of the source that stands in more than one part.
    let in_parts: Vec<u64> = of_later.concat();
    assert!(in_parts.len() > 1, "{of_later:?}");
    assert_eq!(of(&whole.json(), later), [in_parts.iter().sum::<u64>()]);

    let [one, two, three] = [&files[0], &files[1], &files[2]].map(String::as_str);
    let merged = run(&["--format", "json", "--merge", three, one, two]);
    assert_eq!((merged.code, &merged.stdout), (0, &whole.stdout));
    let text = run(&["--merge", one, two, three, "--fail-on", "survived"]);
    assert_eq!((text.code, text.stdout), (1, run(&[CODE]).stdout));

    let refused = |files: &[&str], why: &str| {
        let ran = run(&[&["--format", "json", "--merge"], files].concat());
        assert_eq!((ran.code, &*ran.stdout), (2, ""), "{ran:?}");
        assert!(ran.stderr.contains(why), "{why}: {}", ran.stderr);
    };
    refused(&[one, three], "of 3 parts these are missing: 2");
    refused(
        &[one, two, three, two],
        "part 2 is there twice: part-2.json and part-2.json",
    );
    refused(&[one, "part-9.json"], "part-9.json cannot be read");
    project.write("whole.json", whole.stdout.as_bytes());
    refused(&["whole.json"], "whole.json is no part: it is of the whole");
    let part = std::fs::read_to_string(root.join(two)).expect("it is there");
    let other = |from: &str, to: &str, why: &str| {
        assert!(part.contains(from), "{from}");
        project.write("other.json", part.replacen(from, to, 1).as_bytes());
        refused(&[one, "other.json", three], why);
    };
    let three_parts = "\"shard\": [\n    2,\n    3\n  ]";
    other(
        three_parts,
        "\"shard\": [2, 4]",
        "part-1.json is one of 3 parts and other.json is one of 4",
    );
    other(
        three_parts,
        "\"shard\": [4, 3]",
        "other.json is no part: there is no part 4 of 3",
    );
    other(
        "mutants/1",
        "mutants/2",
        "its schema is \"telltale.mutants/2\", not \"telltale.mutants/1\"",
    );
    other(
        "\"root\"",
        "\"more\": 1,\n  \"root\"",
        "unknown field `more`",
    );
    other(
        "\"tool\": \"Maven",
        "\"tool\": \"Another",
        "the builds of the parts differ: of part-1.json Maven",
    );
    for cut in [0, 1, part.len() / 2, part.len() - 3] {
        project.write("other.json", &part.as_bytes()[..cut]);
        refused(&[one, "other.json", three], "other.json is no part");
    }
    // Of other options, and of other code.
    let of_a_test = run(&[
        CODE,
        "--format",
        "json",
        "--shard",
        "2/3",
        "--test",
        "CartTest#adds",
    ]);
    project.write("other.json", of_a_test.stdout.as_bytes());
    let no_parts = "part-1.json and other.json are no parts of one whole";
    refused(&[one, "other.json", three], no_parts);
    let code = code.replace("return Math.min(fee, 5);", "return fee < 5 ? fee : 5;");
    project.write(CODE, code.as_bytes());
    let later = run(&[CODE, "--format", "json", "--shard", "2/3"]);
    project.write("other.json", later.stdout.as_bytes());
    refused(&[one, "other.json", three], no_parts);
    // Nothing but how to print goes with it.
    let both = run(&[CODE, "--merge", one, two, three]);
    assert_eq!(both.code, 2, "{both:?}");
}

#[test]
fn what_cannot_be_changed_is_said() {
    let project = project();
    let root = project.path();
    telltale(root, &["mutants"]).mistake(&["nothing says which code", "telltale mutants src/main"]);
    let test = "src/test/java/shop/CartTest.java";
    telltale(root, &["mutants", test]).mistake(&["code of tests"]);
    telltale(root, &["mutants", CODE, "--lines", "9-3"]).mistake(&["such as 10-20"]);
    telltale(root, &["mutants", CODE, "--lines", "3000-3010"]).mistake(&["begins at 3000"]);
    telltale(root, &["mutants", CODE, "--shard", "3/2"]).mistake(&["such as 2/8"]);
    telltale(root, &["mutants", CODE, "--test", "CarTest"]).mistake(&["did you mean"]);
    telltale(
        root,
        &["mutants", "--method", "Cart#add", "--lines", "30-31"],
    )
    .mistake(&["stands in the lines 12-17"]);
}

#[cfg(unix)]
#[test]
fn a_run_that_is_not_wanted_any_more_ends_with_all_that_it_started() {
    if cannot_record() {
        return;
    }
    let project = project();
    let slow = TEST.replace(
        "        cart.clear();",
        "        cart.clear();\n        try { Thread.sleep(3000); } catch (InterruptedException e) { }",
    );
    project.write("src/test/java/shop/CartTest.java", slow.as_bytes());
    let mut command = binary();
    command.current_dir(project.path()).args(["mutants", CODE]);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let folder = project.path().join(".telltale");
    let judging = || {
        let runs = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut runs = runs.filter(|e| e.file_name().to_string_lossy().starts_with("run-"));
        runs.any(|e| e.path().join("mutants-0/plain-0/judged").exists())
    };
    let begun = Instant::now();
    while !judging() {
        assert!(begun.elapsed() < Duration::from_secs(300), "it never began");
        std::thread::sleep(Duration::from_millis(50));
    }
    let ended = Instant::now();
    let id = child.id().to_string();
    assert_eq!(
        ran(std::process::Command::new("kill").args(["-INT", &id])).code,
        0
    );
    let status = child.wait().expect("it ends");
    assert!(
        ended.elapsed() < Duration::from_secs(2),
        "{:?}",
        ended.elapsed()
    );
    assert_eq!(status.code(), Some(3));
    let own = project.path().to_string_lossy().into_owned();
    let left = ran(std::process::Command::new("ps").args(["-eo", "args"]));
    let left: Vec<&str> = left
        .stdout
        .lines()
        .filter(|l| l.contains(&own) && l.contains("java"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    let runs = std::fs::read_dir(&folder).expect("there").flatten();
    let runs = runs.filter(|e| e.file_name().to_string_lossy().starts_with("run-"));
    assert_eq!(runs.count(), 0);
}

/// What compilers write (a record's members), what a logger is told, and a call that only a mock takes.
#[test]
fn what_nobody_wrote_is_left_alone_and_a_mock_is_asked_for_its_call() {
    if cannot_record() {
        return;
    }
    let build = repository().join("tests/demo/pom.xml");
    let build = std::fs::read_to_string(build).expect("it is there");
    let code = "src/main/java/shop/Desk.java";
    let project = Project::new(&[
        ("pom.xml", &build),
        (
            code,
            "package shop;

import java.util.logging.Logger;

public class Desk {
    interface Mailer {
        void send(Sale sale);
    }

    record Sale(String what, int price) {
    }

    private static final Logger LOG = Logger.getLogger(\"desk\");
    private final Mailer mailer;

    Desk(Mailer mailer) {
        this.mailer = mailer;
    }

    Sale sell(String what) {
        Sale sale = new Sale(what, what.length());
        LOG.info(\"sold\");
        mailer.send(sale);
        return sale;
    }
}
",
        ),
        (
            "src/test/java/shop/DeskTest.java",
            "package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class DeskTest {
    @interface Mock {
    }

    @Mock
    private final Desk.Mailer mailer = sale -> {};

    @Test
    void sells() {
        Desk.Sale sale = new Desk(mailer).sell(\"ab\");
        assertEquals(\"Sale[what=ab, price=2]\", sale.toString());
        assertEquals(2, sale.price());
    }
}
",
        ),
    ]);
    let root = project.path();
    let arguments = ["mutants", code, "-q", "--format", "json"];
    let all = telltale(root, &arguments).json();
    meets(&schema("mutants"), &all, "mutants");
    assert_eq!(list(&all, "pseudo_tested").len(), 0, "{all:#}");
    let survivors = list(&all, "survivors");
    assert_eq!(
        lines(survivors),
        ["23 the call of `mailer.send(sale)` was left out"]
    );
    let mocked = json!({ "call": "verify(mailer).send(…)", "test": "shop.DeskTest#sells()" });
    assert_eq!(survivors[0]["mocked"], mocked, "{all:#}");
    let methods = |name: &str| -> Vec<String> {
        let own = list(&all, name).iter();
        own.map(|m| m["method"].to_string()).collect()
    };
    // Nothing of the record's, run or not.
    assert_eq!(methods("not_run"), [] as [String; 0], "{all:#}");
    assert_eq!(all["counts"]["mutants"], 2, "{all:#}");
    let text = telltale(root, &["mutants", code, "-q"]).stdout;
    let said = "    a mock takes the call: verify(mailer).send(…) tells, in DeskTest.sells\n";
    assert!(text.contains(said), "{text}");
}
