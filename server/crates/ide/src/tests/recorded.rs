//! What runs told: in the lens, the actions and the hover, as long as the code is what ran, and not a moment longer.

mod finished;

use super::{Fixture, all_hints, analysis};
use crate::Analysis;
use crate::action::{Effect, actions_of};
use crate::answers::{Answer, Described, Ground, Observe, Scope, ScopeKind, What};
use crate::hover::hover;
use crate::inner::{candidate_at, seen_inside};
use crate::lens::{On, lenses};
use crate::title::title;
use crate::weave::{About, weave};
use evidence::{Definitions, Facts, JavaString, Observed, Order, Seen, Told, Value};
use program::MethodId;
use std::collections::BTreeMap;
use std::sync::Arc;

const BOX: &str = "//- /src/main/java/own/Box.java
package own;
public class Box {
    public enum Color { RED }
    public record Pair(int a, String b) { }
    public record Order(java.util.List<String> a, java.util.Set<Integer> b, java.util.Map<String, Integer> c,
        java.util.Optional<String> d, double e) { }
    private TYPE value;
    private int fills;
    public void fill(TYPE it) { fills++; value = fills > 1 ? it : null; }
    public TYPE value() { return value; }
}
//- /src/test/java/own/BoxTest.java
package own;

IMPORTSclass BoxTest {
    @Test void other() { OTHER }
    @Test void fills() {
        Box box = new Box();
        int n = 1 + 2;
        box.fill(made());
    }
    static TYPE made() { return null; }
}
";

fn once(value: Value) -> Observed {
    Observed {
        values: vec![value],
        count: 1,
        cut: false,
        differs: None,
        once: false,
    }
}

/// An analysis of the fixture in which `box.value()` was recorded, and its test.
fn recorded(ty: &str, imports: &str, other: &str, observed: Observed) -> (Analysis, MethodId) {
    let text = BOX
        .replace("TYPE", ty)
        .replace("IMPORTS", imports)
        .replace("OTHER", other);
    let analysis = analysis(&Fixture::parse(&text));
    let test = the_test(&analysis);
    let mut told = Told {
        key: analysis.key(test),
        asked: analysis.asked(test),
        passed: true,
        ..Told::default()
    };
    told.queries.insert("box.value()".into(), observed);
    let seen = Seen {
        variable: "n".into(),
        nth: 0,
    };
    let variables = BTreeMap::from([(seen, once(Value::Int(3)))]);
    told.variables = Definitions::pack(&variables).expect("packed");
    // What a lens said before is not said again.
    let before = title(&analysis, On::Test(test)).map(|t| t.text);
    assert!(before.is_none_or(|b| !b.contains(" = ")));
    let mut facts = Facts::default();
    facts.insert("own.BoxTest#fills()", told);
    (analysis.with_facts(Arc::new(facts)), test)
}

fn the_test(analysis: &Analysis) -> MethodId {
    let tests = analysis.workspace().suite().tests().iter();
    let mut tests = tests.filter(|t| analysis.program().method_name(**t) == "own.BoxTest#fills()");
    *tests.next().expect("it is there")
}

/// Title and text of the assertion on `box.value()`.
fn assertion(ty: &str, imports: &str, other: &str, value: Value) -> Option<(String, String)> {
    let (analysis, test) = recorded(ty, imports, other, once(value));
    let file = analysis.program().method_file(test).expect("its file");
    let all = actions_of(&analysis, file, test).into_iter();
    let mut inserted = all.filter_map(|a| match a.effect {
        Effect::Assert { change, .. } if a.title.starts_with("Assert box.value()") => {
            Some((a.title, change.main()?.0.text.trim().to_owned()))
        }
        _ => None,
    });
    inserted.next()
}

const JUPITER: &str = "import static org.junit.jupiter.api.Assertions.*;\n";
const JUNIT4: &str = "import static org.junit.Assert.*;\n";
const ASSERTJ: &str = "import static org.assertj.core.api.Assertions.*;\n";
const EQUALS: &str = "assertEquals(1, 1);";
const THAT: &str = "assertThat(1).isEqualTo(1);";

fn text(text: &str) -> Value {
    Value::Text(JavaString::of(text))
}

fn list(kind: Order, elements: Vec<Value>) -> Value {
    Value::Collection {
        class: "java.util.ArrayList".into(),
        kind,
        size: elements.len() as u64,
        elements,
    }
}

#[test]
fn a_lens_says_the_value_while_the_code_is_what_ran() {
    let (analysis, test) = recorded("int", JUPITER, EQUALS, once(Value::Int(3)));
    let says = |analysis: &Analysis| title(analysis, On::Test(test)).map(|t| t.text);
    let said = says(&analysis).expect("a lens");
    assert!(said.starts_with("next: box.value() = 3"), "{said}");
    let change = |path: &str, from: &str, to: &str| {
        let program = analysis.program();
        let file = program.file(path).expect("it is there");
        let text = program.text(file).expect("its text").replace(from, to);
        analysis.after(vec![program::Change {
            path: path.into(),
            source_set: program.source_set(file).expect("its set"),
            text: Some(text.into()),
        }])
    };
    let code = "src/main/java/own/Box.java";
    let formatted = change(
        code,
        "fills++; value",
        "fills++;  /* again */\n        value",
    );
    assert_eq!(
        says(&formatted).as_ref(),
        Some(&said),
        "white space is no code"
    );
    let edited = change(code, "fills > 1", "fills > 2");
    let stale = says(&edited).expect("still a lens");
    assert!(
        stale.starts_with("next: box.value()") && !stale.contains('3'),
        "{stale}"
    );
    assert!(edited.fresh(test).is_none() && edited.recorded(test).is_some());
}

#[test]
fn what_differs_from_run_to_run_or_throws_is_not_named() {
    let mut unstable = once(Value::Int(3));
    unstable.differs = Some(vec![Value::Int(4)]);
    let thrown = Value::Throwable {
        class: "java.lang.IllegalStateException".into(),
        message: None,
    };
    let threw = once(Value::Threw(Box::new(thrown)));
    for (observed, why) in [(unstable, "unstable"), (threw, "throws")] {
        let (analysis, test) = recorded("int", JUPITER, EQUALS, observed);
        let said = title(&analysis, On::Test(test)).map(|t| t.text);
        assert!(!said.unwrap_or_default().contains("box.value()"));
        let file = analysis.program().method_file(test).expect("its file");
        let actions = actions_of(&analysis, file, test);
        assert!(
            actions
                .iter()
                .all(|a| !a.title.starts_with("Assert box.value()"))
        );
        // A list that is asked for says why it is not there.
        let answer = listed(&analysis, test);
        let readable = answer.readable.expect("the list");
        let value = |c: &Described| c.expression.as_deref() == Some("box.value()");
        assert!(readable.iter().all(|r| !value(&r.candidate)));
        assert!(readable.iter().map(|r| r.rank).eq(1..=readable.len()));
        let out = answer.left_out.iter();
        let out: Vec<_> = out.map(|l| (l.list, value(&l.candidate), l.why)).collect();
        assert_eq!(out, [("readable", true, why)]);
    }
    let (analysis, test) = recorded("int", JUPITER, EQUALS, once(Value::Int(3)));
    let answer = listed(&analysis, test);
    let first = &answer.readable.expect("the list")[0];
    assert_eq!(first.recorded.as_deref(), Some("3"));
    assert!(answer.left_out.is_empty());
}

#[test]
fn what_differs_within_the_code_is_not_listed() {
    let (analysis, test) = recorded("int", JUPITER, EQUALS, once(Value::Int(3)));
    let inside = |analysis: &Analysis| {
        let of = listed(analysis, test).inside.expect("the list");
        let all = of.into_iter().map(|r| r.candidate.variable);
        all.collect::<Vec<_>>()
    };
    let before = inside(&analysis);
    let first = analysis.offered(test).inside.first().cloned();
    let first = first.expect("something is inside");
    let id = candidate_at(&analysis, first.place).expect("a definition");
    let seen = seen_inside(&analysis, id).expect("its name");
    let tests = analysis.workspace().suite().tests().to_vec();
    let sibling = *tests.iter().find(|t| **t != test).expect("another");
    let told_with = |differs: Option<Vec<Value>>, is_same_elsewhere: bool| {
        let value = Observed {
            differs,
            ..once(Value::Int(3))
        };
        let told = Told {
            key: analysis.key(test),
            passed: true,
            inside: Definitions::pack(&BTreeMap::from([(seen.clone(), value)])).expect("packed"),
            ..Told::default()
        };
        let same = BTreeMap::from([(seen.clone(), once(Value::Int(3)))]);
        let elsewhere = Told {
            key: analysis.key(sibling),
            passed: true,
            inside: Definitions::pack(&same).expect("packed"),
            ..Told::default()
        };
        let mut facts = Facts::default();
        facts.insert("own.BoxTest#fills()", told);
        if is_same_elsewhere {
            facts.insert("own.BoxTest#other()", elsewhere);
        }
        analysis.with_facts(Arc::new(facts))
    };
    let run = |analysis: &Analysis| {
        let offered = analysis.offered(test);
        offered.inside_run(analysis, test).count()
    };
    let same = told_with(None, false);
    assert_eq!((inside(&same), run(&same)), (before.clone(), before.len()));
    let differs = || Some(vec![Value::Int(4)]);
    let other = told_with(differs(), false);
    assert_eq!(
        (&inside(&other)[..], run(&other)),
        (&before[1..], before.len() - 1)
    );
    let out = listed(&other, test).left_out;
    let out: Vec<_> = out
        .iter()
        .map(|l| (l.list, &*l.candidate.variable, l.why))
        .collect();
    assert_eq!(out, [("inside", &*before[0], "unstable")]);
    // Of several tests it may be asserted in one that has it.
    let left_out = |is_same_elsewhere| {
        let analysis = told_with(differs(), is_same_elsewhere);
        listed_of(&analysis, &[test, sibling]).left_out.len()
    };
    assert_eq!([false, true].map(left_out), [1, 0]);
}

/// The lists of a test.
fn listed(analysis: &Analysis, test: MethodId) -> Observe {
    listed_of(analysis, &[test])
}

/// Those of several.
fn listed_of(analysis: &Analysis, tests: &[MethodId]) -> Observe {
    let ground = Ground {
        analysis,
        root: "/".to_owned(),
        files: 2,
        files_skipped: 0,
    };
    let runs = tests.iter().map(|t| analysis.workspace().own_run(*t));
    let scope = Scope {
        kind: ScopeKind::Test,
        name: String::new(),
        what: What::Tests(runs.collect()),
    };
    Answer::new(&ground, scope, None, false).json
}

#[test]
fn the_hover_on_a_variable_says_what_it_held() {
    let (analysis, test) = recorded("int", JUPITER, EQUALS, once(Value::Int(3)));
    let program = analysis.program();
    let file = program.method_file(test).expect("its file");
    let text = program.text(file).expect("its text");
    let at = |what: &str| text.find(what).expect("it occurs") as u32;
    let shown = hover(&analysis, file, at("n = 1")).expect("a hover").plain;
    assert_eq!(shown, "n was 3\nSet once in a run. The same in two runs.");
    assert!(
        hover(&analysis, file, at("box = new")).is_none(),
        "nothing is known of it"
    );

    // Where a loop told more than the recorder looks at.
    let mut told = Told {
        key: analysis.key(test),
        passed: true,
        ..Told::default()
    };
    let seen = Seen {
        variable: "n".into(),
        nth: 0,
    };
    let many = Observed {
        count: 65_536,
        cut: true,
        ..once(Value::Int(3))
    };
    let object = Value::Object {
        class: "own.Box".into(),
        is_record: false,
        identity: 1,
        fields: vec![("fills".into(), Value::Int(0))],
    };
    let of_box = Seen {
        variable: "box".into(),
        nth: 0,
    };
    let all = BTreeMap::from([(seen, many), (of_box, once(object))]);
    told.variables = Definitions::pack(&all).expect("packed");
    let mut facts = Facts::default();
    facts.insert("own.BoxTest#fills()", told);
    let analysis = analysis.with_facts(Arc::new(facts));
    let shown = hover(&analysis, file, at("n = 1")).expect("a hover").plain;
    assert_eq!(
        shown,
        "n was 3\nand more\nSet at least 65536 times in a run. The same in two runs."
    );
    // An object may be another by the line that is looked at.
    let shown = |what: &str| hover(&analysis, file, at(what)).expect("a hover").plain;
    let set = "box was Box { fills = 0 }\nSet once in a run. The same in two runs.";
    assert_eq!(shown("box = new"), set);
    let since = shown("box.");
    assert!(since.starts_with(set), "{since}");
    assert!(
        since.ends_with("what was called on it since may have changed it."),
        "{since}"
    );
}

/// Else what one object was would be shown, and asserted, of another.
#[test]
fn values_that_are_written_alike_are_kept_apart() {
    let text = "//- /src/main/java/own/Box.java
package own;
public class Box implements AutoCloseable {
    private int n;
    public int fill(int it) { n += it; return n; }
    public int value() { return n; }
    public void close() { }
}
//- /src/test/java/own/BoxTest.java
package own;
class BoxTest {
    @Test void fills() {
        try (Box box = new Box()) { box.fill(1); }
        try (Box box = new Box()) { box.fill(2); box.fill(2); }
        try (Box last = new Box()) { last.fill(3); }
    }
}
";
    let analysis = analysis(&Fixture::parse(text));
    let test = the_test(&analysis);
    let mut all: Vec<_> = crate::weave::points(&analysis, test)
        .into_iter()
        .map(|r| r.asked_as)
        .filter(|asked_as| asked_as.contains('.'))
        .collect();
    all.sort();
    let expected = [
        "box.fill(1) (box 1)",
        "box.fill(2) (box 2) (call 1)",
        "box.fill(2) (box 2) (call 2)",
        "box.value() (box 1)",
        "box.value() (box 2)",
        "last.fill(3)",
        "last.value()",
    ];
    assert_eq!(all, expected);
}

#[test]
fn weaving_adds_no_line_and_asks_where_the_assertion_would_stand() {
    let (analysis, test) = recorded("int", JUPITER, EQUALS, once(Value::Int(3)));
    let program = analysis.program();
    let file = program.method_file(test).expect("its file");
    let text = program.text(file).expect("its text");
    let woven = weave(&analysis, file, &[test], 7, &|_| false).expect("calls");
    assert_eq!(woven.text.lines().count(), text.lines().count());
    let query = woven
        .slots
        .iter()
        .find(|s| s.about == About::Query("box.value()".into()));
    let number = query.expect("the query").number;
    let line = woven
        .text
        .lines()
        .find(|l| l.contains("See.query"))
        .expect("the call");
    assert!(
        line.contains(&format!("See.query({number}, box.value());")),
        "{line}"
    );
    assert!(line.trim_end().ends_with('}'), "before the brace: {line}");
    let line = woven
        .text
        .lines()
        .find(|l| l.contains("int n ="))
        .expect("the variable");
    assert_eq!(line.trim(), "int n = 1 + 2; dev_telltale.See.see(8, n);");
    let none = weave(&analysis, file, &[test], 7, &|s| s.number != number).expect("one call");
    assert_eq!(
        none.text.matches("dev_telltale").count(),
        3,
        "wants, query, threw"
    );
    assert_eq!(none.slots, woven.slots, "numbers stay");
}

#[test]
fn all_code_that_a_test_comes_by_is_of_its_key() {
    const FILES: &str = "//- /src/main/java/own/Limits.java
package own;
public interface Limits { int MOST = 20; }
//- /src/main/java/own/Base.java
package own;
public class Base { protected int start = 31; }
//- /src/main/java/own/Stock.java
package own;
public class Stock extends Base {
    static final int STEP = 42;
    private int left = 53;
    { left += 64; }
    public int take(int n) { left -= n * STEP; return Math.min(left + start, Limits.MOST); }
}
//- /src/test/java/own/StockTest.java
package own;

import static org.junit.jupiter.api.Assertions.*;
class StockTest {
    private int amount = 75;
    @BeforeEach void set() { amount += 86; }
    @Test void takes() {
        Stock stock = new Stock();
        int got = stock.take(amount);
        assertEquals(1, 1);
    }
}
";
    let key = |text: &str| {
        let analysis = analysis(&Fixture::parse(text));
        let test = *analysis.workspace().suite().tests().first().expect("one");
        analysis.key(test)
    };
    let before = key(FILES);
    assert_eq!(before, key(FILES));
    for number in ["20", "31", "42", "53", "64", "75", "86"] {
        let other = FILES.replace(&format!("{number};"), "97;");
        assert_ne!(other, FILES, "{number} is there");
        assert_ne!(key(&other), before, "{number} is of the key");
    }
}

/// Two tests; what the second asserts is a habit that makes other values of the first worth reading.
const TWO: &str = "\
//- /src/main/java/own/Stock.java
package own;
public class Stock implements Comparable<Stock> {
    private int left = 20;
    public void take(int n) { left -= n; }
    public int left() { return left; }
    public int half() { return left / 2; }
    public int compareTo(Stock other) { return Integer.compare(left, other.left); }
}
//- /src/test/java/own/StockTest.java
package own;

import static org.junit.jupiter.api.Assertions.*;
import java.util.*;
class StockTest {
    @Test void takes() {
        Stock stock = new Stock();
        stock.take(3);
        List<Stock> all = new ArrayList<>(List.of(stock, new Stock()));
        Collections.sort(all);
        assertEquals(17, all.get(0).left());
    }
    @Test void halves() {
        Stock stock = new Stock();
        stock.take(3);
        assertEquals(17, stock.left());
    }
}
";

fn edited(analysis: &Analysis, path: &str, from: &str, to: &str) -> Analysis {
    let program = analysis.program();
    let mut files = program.files().iter();
    let is_it = |f: &&program::FileId| program.path(**f).is_some_and(|p| p.ends_with(path));
    let file = *files.find(is_it).expect("it is there");
    let text = program.text(file).expect("its text");
    assert!(text.contains(from), "{from}");
    analysis.after(vec![program::Change {
        path: Arc::clone(program.path(file).expect("its path")),
        source_set: program.source_set(file).expect("its source set"),
        text: Some(text.replace(from, to).into()),
    }])
}

#[test]
fn a_recording_is_of_what_its_test_runs_whatever_other_tests_assert() {
    let analysis = analysis(&Fixture::parse(TWO));
    // By name: another program numbers its methods in another way.
    let keys = |analysis: &Analysis| {
        let of = |name: &str| {
            let mut tests = analysis.workspace().suite().tests().iter();
            let is_it = |t: &&MethodId| analysis.program().method_name(**t).ends_with(name);
            let test = *tests.find(is_it).expect("it is there");
            (analysis.key(test), analysis.asked(test))
        };
        ["#takes()", "#halves()"].map(of)
    };
    let before = keys(&analysis);
    for (path, from, to, changed) in [
        // What one test asserts is no code of the other.
        (
            "StockTest.java",
            "assertEquals(17, stock.left());",
            "assertEquals(8, stock.half());",
            [false, true],
        ),
        // A library calls it.
        (
            "Stock.java",
            "Integer.compare(left, other.left)",
            "Integer.compare(other.left, left)",
            [true, false],
        ),
        // A literal means the same and says something else.
        ("Stock.java", "left = 20", "left = 21", [true, true]),
        ("Stock.java", "left -= n", "left -= n + 1", [true, true]),
        (
            "Stock.java",
            "left -= n;",
            "left  -=  n; /* so */",
            [false, false],
        ),
    ] {
        let edited = edited(&analysis, path, from, to);
        let after = keys(&edited);
        let is_other = |at: usize| before[at].0 != after[at].0;
        assert_eq!([is_other(0), is_other(1)], changed, "{to}");
        // As from scratch.
        let scratch = super::analysis(&Fixture::parse(&TWO.replace(from, to)));
        assert_eq!(after, keys(&scratch), "{to}");
    }
    // What it could read is asked by nobody yet: that code is of the values, not of the test.
    let edited = edited(&analysis, "Stock.java", "left / 2", "left / 3");
    let after = keys(&edited);
    assert_eq!((before[0].0, before[1].0), (after[0].0, after[1].0));
}

/// Three tests that run one method, with what they are to have told of its local `sum`.
fn of_inside(values: [Observed; 3]) -> Analysis {
    let text = "//- /src/main/java/own/Till.java
package own;
public class Till {
    private int sold;
    public int sell(int price, int pieces) {
        int sum = price * pieces;
        int less = sum > 100 ? sum / 10 : 0;
        sold = sold + sum - less;
        return sold;
    }
}
//- /src/test/java/own/TillTest.java
package own;
class TillTest {
    @Test void one() { new Till().sell(1, 1); }
    @Test void two() { new Till().sell(2, 1); }
    @Test void three() { new Till().sell(3, 1); }
}
";
    let analysis = analysis(&Fixture::parse(text));
    let program = analysis.program();
    let mut facts = Facts::default();
    let tests = analysis.workspace().suite().tests().iter();
    for (&test, observed) in tests.zip(values) {
        let seen = Seen {
            variable: "own.Till#sell(int,int) sum".into(),
            nth: 0,
        };
        let told = Told {
            key: analysis.key(test),
            passed: true,
            inside: Definitions::pack(&BTreeMap::from([(seen, observed)])).expect("packed"),
            ..Told::default()
        };
        facts.insert(program.method_name(test), told);
    }
    analysis.with_facts(Arc::new(facts))
}

#[test]
fn a_definition_says_what_it_was_in_the_tests_that_ran() {
    let unstable = Observed {
        differs: Some(vec![Value::Int(4)]),
        ..once(Value::Int(3))
    };
    let analysis = of_inside([once(Value::Int(1)), once(Value::Int(2)), unstable]);
    let program = analysis.program();
    let file = program
        .file("src/main/java/own/Till.java")
        .expect("it is there");
    let text = program.text(file).expect("its text").to_string();
    let at = |what: &str| text.find(what).expect("it occurs") as u32;
    let shown = |analysis: &Analysis, what: &str| hover(analysis, file, at(what));
    let of_sum = shown(&analysis, "sum = price").expect("a hover");
    assert!(
        of_sum.plain.starts_with(
            "sum was here\nTillTest.one: 1\nTillTest.three: 3 (another run gave 4)\nTillTest.two: 2\n"
        ),
        "{}",
        of_sum.plain
    );
    assert!(of_sum.markdown.contains("\n| `TillTest.one` | `1` |\n"));
    assert_eq!(&text[of_sum.span.range()], "sum");
    // Of another variable nothing is known, nor before the definition.
    let of_less = shown(&analysis, "less = sum").map(|h| h.plain);
    assert!(of_less.is_none_or(|plain| !plain.contains("was here")));
    let labels = |analysis: &Analysis| -> Vec<String> {
        let hints = all_hints(analysis, file).into_iter();
        hints.map(|(_, label)| label).collect()
    };
    assert_eq!(
        labels(&analysis),
        ["◂ observe (1st of 5) = 1, 3, … (3 values)"]
    );

    // One edit later they are values of older code: the hover says so, and the hint nothing.
    let path = "src/main/java/own/Till.java";
    let edited = edited(&analysis, path, "price * pieces", "price * pieces * 2");
    assert!(labels(&edited).iter().all(|l| !l.contains('=')));
    let of_sum = shown(&edited, "sum = price").expect("a hover").plain;
    assert!(
        of_sum.contains("TillTest.one: 1 (of older code)"),
        "{of_sum}"
    );
}

#[test]
fn a_class_of_whose_tests_nothing_is_known_says_that_it_can_be() {
    let titles = |analysis: &Analysis, path: &str| -> Vec<String> {
        let file = analysis.program().file(path).expect("it is there");
        let all = lenses(analysis, file).into_iter();
        let all = all.filter(|l| matches!(l.on, On::Recorded(_)));
        all.filter_map(|l| Some(title(analysis, l.on)?.text))
            .collect()
    };
    let (tests, code) = (
        "src/test/java/own/TillTest.java",
        "src/main/java/own/Till.java",
    );
    let known = of_inside([1, 2, 3].map(|n| once(Value::Int(n))));
    assert!(titles(&known, tests).is_empty(), "it is known");
    assert!(titles(&known, code).is_empty());
    let edited = edited(&known, code, "price * pieces", "price * pieces * 2");
    assert_eq!(titles(&edited, tests), ["▷ record again"]);
    // Of another class something is known, of this one nothing.
    let mut facts = Facts::default();
    facts.insert("own.OtherTest#works()", Told::default());
    let other = known.with_facts(Arc::new(facts));
    assert_eq!(titles(&other, tests), ["▷ record"]);
    // Nobody ever recorded anything.
    let none = known.with_facts(Arc::new(Facts::default()));
    assert!(titles(&none, tests).is_empty());
}
