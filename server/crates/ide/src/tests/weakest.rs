//! Which tests would gain most by one assertion, and which stay out of that list.

use super::{ACCOUNT, Fixture, analysis, ground};
use crate::Analysis;
use crate::action::{Effect, actions_of};
use crate::answers::{Scope, ScopeKind, WeakTest, Weakest, What, all_tests};
use evidence::{Facts, Observed, Told, Value};
use program::MethodId;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::Mutex;

/// Beside those that check nothing one that checks what there is, one of a getter that gives what the test put in, and one whose
/// object no code under test had in its hands.
const TESTS: &str = "//- /src/main/java/Till.java
class Till {
    private int sum;
    private int sold;
    void sell(int price, int count) {
        int all = price * count;
        int tax = all / 5;
        int total = all + tax;
        sum = sum + total;
        sold = sold + count;
    }
    int sum() { return sum; }
}
//- /src/test/java/TillTest.java
import static org.junit.jupiter.api.Assertions.*;
class TillTest {
    @Test void sells() {
        Till till = new Till();
        till.sell(3, 4);
    }
    @Test void sellsAndChecks() {
        Till till = new Till();
        till.sell(3, 4);
        assertEquals(14, till.sum());
    }
}
//- /src/test/java/AccountTest.java
import static org.junit.jupiter.api.Assertions.*;
class AccountTest {
    @Test void deposits() {
        Account account = new Account(\"Ann\");
        account.deposit(200);
    }
    @Test void depositsAgain() {
        Account account = new Account(\"Bob\");
        account.deposit(200);
    }
    @Test void waits() {
        StringBuilder words = new StringBuilder();
        words.append(\"no code under test\");
    }
}
";

fn fixture() -> Analysis {
    analysis(&Fixture::parse(&format!("{ACCOUNT}{TESTS}")))
}

fn whole(analysis: &Analysis) -> Scope {
    Scope {
        kind: ScopeKind::Suite,
        name: "all".to_owned(),
        what: What::Tests(all_tests(analysis.workspace())),
    }
}

fn weakest(analysis: &Analysis, scope: &Scope, most: usize) -> Weakest {
    let ground = ground(analysis);
    Weakest::new(&ground, scope, most, &|_, _| ())
}

/// `TillTest#sells():2 assertEquals(…);` of each, in order.
fn said(weakest: &Weakest) -> Vec<String> {
    let one = |t: &WeakTest| {
        let finished = if t.assertion.finished { "" } else { " ?" };
        format!("{}:{} {}{finished}", t.test, t.line, t.assertion.text)
    };
    weakest.tests.iter().map(one).collect()
}

const DEPOSITS: &str =
    "AccountTest#deposits():3 assertEquals(Integer.MIN_VALUE, account.getBalance()); ?";
const AGAIN: &str =
    "AccountTest#depositsAgain():7 assertEquals(Integer.MIN_VALUE, account.getBalance()); ?";
const SELLS: &str = "TillTest#sells():3 assertEquals(Integer.MIN_VALUE, till.sum()); ?";

#[test]
fn the_largest_gain_stands_first_and_equals_by_position() {
    let analysis = fixture();
    let all = weakest(&analysis, &whole(&analysis), 100);
    assert_eq!(said(&all), [SELLS, DEPOSITS, AGAIN]);
    assert_eq!((all.counts.tests, all.counts.with_value), (5, 3));
    let gains: Vec<f64> = all.tests.iter().map(|t| t.gain).collect();
    assert!(
        gains[0] > gains[1] && gains[1].to_bits() == gains[2].to_bits(),
        "{gains:?}"
    );
    // What is left out is counted.
    let first = weakest(&analysis, &whole(&analysis), 1);
    assert_eq!(said(&first), [SELLS]);
    assert_eq!(first.counts.with_value, 3);
    let why = &first.tests[0].value.because;
    assert!(why.starts_with("would reveal a wrong "), "{why}");
}

#[test]
fn it_is_the_value_the_gain_and_the_edit_that_an_editor_offers() {
    let analysis = fixture();
    let program = analysis.program();
    for weak in weakest(&analysis, &whole(&analysis), 100).tests {
        let file = program.file(&weak.path).expect("its file");
        let tests = analysis.workspace().suite().tests().iter();
        let named = |t: &&MethodId| program.method_name(**t) == weak.test;
        let test = *tests
            .copied()
            .collect::<Vec<_>>()
            .iter()
            .find(named)
            .expect("it");
        let offered = analysis.offered(test);
        let first = offered.readable.iter().find(|r| r.doubt.is_none());
        let first = first.expect("a value");
        assert_eq!(weak.value.expression, first.expression);
        assert_eq!(weak.gain.to_bits(), first.gain.to_bits());
        let title = format!("Assert {}", first.expression);
        let all = actions_of(&analysis, file, test);
        let change = all.iter().find_map(|a| match &a.effect {
            Effect::Assert { change, .. } if a.title == title => Some(change),
            _ => None,
        });
        let change = change.expect("an action");
        let texts = change.edits.iter().flat_map(|(_, edits)| edits);
        let texts: Vec<&str> = texts.map(|e| e.text.as_str()).collect();
        let own: Vec<&str> = weak
            .assertion
            .edits
            .iter()
            .map(|e| e.text.as_str())
            .collect();
        assert_eq!(own, texts);
    }
}

#[test]
fn a_scope_has_the_tests_that_lie_in_it() {
    let analysis = fixture();
    let path = |prefix: &str| Scope {
        kind: ScopeKind::Folder,
        name: prefix.to_owned(),
        what: What::Path {
            prefix: prefix.to_owned(),
            tests: true,
        },
    };
    let said = |scope: &Scope| said(&weakest(&analysis, scope, 100));
    assert_eq!(said(&path("")), [SELLS, DEPOSITS, AGAIN]);
    assert_eq!(said(&path("src/test/java")), [SELLS, DEPOSITS, AGAIN]);
    assert_eq!(said(&path("src/test/java/TillTest.java")), [SELLS]);
    let none = weakest(&analysis, &path("src/main"), 100);
    assert_eq!((none.counts.tests, none.tests.len()), (0, 0));
    // A test that is asked about twice is one.
    let mut twice = all_tests(analysis.workspace());
    twice.extend(all_tests(analysis.workspace()));
    let twice = Scope {
        kind: ScopeKind::Suite,
        name: "all".to_owned(),
        what: What::Tests(twice),
    };
    assert_eq!(weakest(&analysis, &twice, 100).counts.tests, 5);
}

#[test]
fn the_answer_does_not_hang_on_threads_and_each_test_is_told_of() {
    let once = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| {
            let analysis = fixture();
            let steps = Mutex::new(BTreeSet::new());
            let ground = ground(&analysis);
            let answer = Weakest::new(&ground, &whole(&analysis), 2, &|done, total| {
                steps.lock().expect("no panic").insert((done, total));
            });
            let steps = steps.into_inner().expect("no panic");
            assert_eq!(steps, (1..=5).map(|n| (n, 5)).collect());
            format!("{answer:?}")
        })
    };
    let one = once(1);
    assert_eq!(one, once(4));
    assert_eq!(one, once(4));
}

fn observed(values: Vec<Value>) -> Observed {
    Observed {
        count: values.len() as u64,
        values,
        cut: false,
        differs: None,
        once: false,
    }
}

/// The fixture in which `till.sum()` was recorded in `sells`.
fn recorded(sum: Observed) -> Analysis {
    let analysis = fixture();
    let program = analysis.program();
    let mut tests = analysis.workspace().suite().tests().iter();
    let is_it = |t: &&MethodId| program.method_name(**t) == "TillTest#sells()";
    let test = *tests.find(is_it).expect("it is there");
    let mut told = Told {
        key: analysis.key(test),
        asked: analysis.asked(test),
        passed: true,
        ..Told::default()
    };
    told.queries.insert("till.sum()".into(), sum);
    let mut facts = Facts::default();
    facts.insert("TillTest#sells()", told);
    analysis.with_facts(Arc::new(facts))
}

#[test]
fn what_was_recorded_stands_in_the_assertion_as_long_as_it_is_fresh() {
    let analysis = recorded(observed(vec![Value::Int(14)]));
    let first = weakest(&analysis, &whole(&analysis), 1);
    assert_eq!(
        said(&first),
        ["TillTest#sells():3 assertEquals(14, till.sum());"]
    );
    assert_eq!(first.tests[0].value.recorded.as_deref(), Some("14"));
    // Other code: what was recorded is not told of it.
    let program = analysis.program();
    let file = program.file("src/main/java/Till.java").expect("it");
    let text = program.text(file).expect("text").replace("/ 5", "/ 4");
    let changed = analysis.after(vec![program::Change {
        path: "src/main/java/Till.java".into(),
        source_set: program::SourceSetId(0),
        text: Some(text.into()),
    }]);
    let first = weakest(&changed, &whole(&changed), 1);
    assert_eq!(said(&first), [SELLS]);
    assert_eq!(first.tests[0].value.recorded, None);
}

#[test]
fn what_differs_from_run_to_run_or_throws_is_not_offered() {
    let mut unstable = observed(vec![Value::Int(14)]);
    unstable.differs = Some(vec![Value::Int(15)]);
    let threw = observed(vec![Value::Threw(Box::new(Value::Null))]);
    for sum in [unstable, threw] {
        let analysis = recorded(sum);
        let all = weakest(&analysis, &whole(&analysis), 100);
        assert_eq!(said(&all), [DEPOSITS, AGAIN]);
        assert_eq!(all.counts.with_value, 2);
    }
}

#[test]
fn a_question_about_all_tests_ends_when_nobody_wants_it_any_more() {
    let ask = |analysis: &Analysis| format!("{:?}", weakest(analysis, &whole(analysis), 100));
    let steps = super::cancelled::ends_early(&fixture, &ask);
    assert!(steps > 20, "{steps}");
}

#[test]
fn a_test_all_of_whose_values_are_doubted_is_only_counted() {
    let text = "//- /src/main/java/Till.java
class Till {
    private int sum;
    private String name;
    void sell(int price, int count) {
        int all = price * count;
        int tax = all / 5;
        sum = sum + all + tax;
    }
    void name(String it) { name = it; }
    String name() { return name; }
    int sum() { return sum; }
}
//- /src/test/java/TillTest.java
import static org.junit.jupiter.api.Assertions.*;
class TillTest {
    @Test void names() {
        Till till = new Till();
        till.sell(3, 4);
        till.name(\"north\");
    }
}
";
    let analysis = analysis(&Fixture::parse(text));
    let test = analysis.workspace().suite().tests()[0];
    // What the test alone says leaves it open.
    assert!(analysis.hope(test).may_be_sure);
    let offered = analysis.offered(test);
    let doubts = offered.readable.iter().map(|r| r.doubt.map(|d| d.name()));
    assert_eq!(doubts.collect::<Vec<_>>(), [Some("aside"), Some("passed")]);
    let all = weakest(&analysis, &whole(&analysis), 100);
    assert_eq!(said(&all), Vec::<String>::new());
    assert_eq!((all.counts.tests, all.counts.with_value), (1, 0));
}

/// As in commons-lang: all tests end by asking whether a registry is empty that few of them know.
const BEHIND: &str = "//- /src/main/java/Till.java
class Till {
    private int sum;
    void sell(int price, int count) {
        int all = price * count;
        int tax = all / 5;
        int total = all + tax;
        sum = sum + total;
    }
    int sum() { return sum; }
}
//- /src/main/java/Registry.java
class Registry {
    static int entries;
    static java.util.Map<Object, Object> all() { return null; }
    static void add(Object o) { entries++; }
}
//- /src/test/java/Base.java
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.AfterEach;
class Base {
    Till shared = new Till();
    static Till last;
    java.util.List<String> log = new java.util.ArrayList<>();
    StringBuilder words = new StringBuilder();
    BEHIND
    void none() {
        java.util.Map<Object, Object> all = Registry.all();
        assertNull(all, \"Expected null, actual: \" + all);
    }
    static class Holder { static int held; }
    static class Sums { static void check(Base base) { assertEquals(0, base.shared.sum()); } }
    static class Peers { static void check(Object base) { assertNotNull(base); } }
    boolean isWell() { return shared.sum() == 0; }
}
//- /src/test/java/TillTest.java
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
class TillTest extends Base {
    @Test void sells() {
        Till till = new Till();
        till.sell(3, 4);
        MORE
    }
}
";

#[test]
fn what_all_tests_end_with_silences_those_that_it_is_about() {
    let none = "@AfterEach void after() { none(); }";
    let is = |what: &str| format!("@AfterEach void after() {{ {what} }}");
    for (behind, more, is_told) in [
        ("", "", true),
        (none, "", true),
        (&is("assertEquals(0, Registry.entries);"), "", true),
        (
            &is("assertNotNull(System.getProperty(\"user.dir\"));"),
            "",
            true,
        ),
        (none, "Registry.add(till);", false),
        (none, "registers(till);", false),
        (&is("assertEquals(0, shared.sum());"), "", false),
        (&is("assertEquals(0, last.sum());"), "", false),
        (&is("assertEquals(0, new Till().sum());"), "", false),
        (
            &is("assertEquals(0, Holder.held);"),
            "Holder.held = 1;",
            false,
        ),
        (&is("assertTrue(log.isEmpty());"), "", true),
        (&is("assertTrue(log.isEmpty());"), "words.append(1);", false),
        (&is("assertTrue(log.isEmpty());"), "log = null;", false),
        (&is("assertTrue(log.isEmpty());"), "int n = unseen;", false),
        (&is("assertNull(unheardOf());"), "", false),
        (&is("Sums.check(this);"), "", false),
        (&is("Peers.check(this);"), "words.append(1);", false),
        (&is("assertTrue(isWell());"), "", false),
        (
            "@AfterEach void after(TestInfo info) { assertNotNull(info); }",
            "",
            false,
        ),
        // What asserts itself has chosen what.
        (none, "assertEquals(0, 0);", false),
    ] {
        let more = format!("{more} }} static void registers(Object o) {{ Registry.add(o);");
        let text = BEHIND.replace("BEHIND", behind).replace("MORE", &more);
        let analysis = analysis(&Fixture::parse(&text));
        let all = weakest(&analysis, &whole(&analysis), 100);
        assert_eq!(!all.tests.is_empty(), is_told, "{behind} {more}");
    }
}
