#![allow(clippy::unwrap_used)]

mod anything;
mod chosen;
mod counted;
mod doubts;
mod elsewhere;
mod kept;
mod left_out;
mod likely;
mod mocked;
mod narrowed;
mod passed_through;
mod same;
mod unverified;
mod worth;
mod written;

use super::*;
use crate::{Unverified, hope};
use calls::Workspace;
use observe::Node;
use program::{FileInput, Program, SourceSetId, SourceSetInput};
use std::sync::Arc;

const MAIN: &str = r#"
package p;
public class Account {
    private int balance;
    private int cached;
    private final String owner;
    private final Boss boss = new Boss();
    public int limit = 3;
    private static final int RATE = 2;
    public Account(String owner) { this.owner = owner; }
    public int deposit(int amount) {
        if (amount < 0) throw new BadAmount(amount);
        int step = amount * RATE;
        int sum = 0;
        for (int i = 0; i < step; i++) { sum = sum + i; }
        balance = balance + step;
        boss.told = sum > 10;
        return balance;
    }
    public void settle(int[] parts) { parts[0] = balance; }
    public int sum(int[] parts) { return parts[0] + balance; }
    public int getBalance() { return balance; }
    public String getOwner() { return owner; }
    public boolean isOpen() { return balance > 0; }
    public Boss getBoss() { return boss; }
    public Account add(int x) { balance += x; return this; }
    public int next() { return balance++; }
    public int plus(int x) { return balance + x; }
    public int hashCode() { return balance; }
    public int getCached() { if (cached == 0) { cached = balance; } return cached; }
    private int secret() { return balance; }
    public static Account of(String owner) { Account a = new Account(owner); a.deposit(2); return a; }
    public static class Boss {
        boolean told;
        public boolean wasTold() { return told; }
    }
    public static class Rates {
        static final Account HOUSE = new Account("house");
        static int made = Rates.compute(7);
        static int asked = Rates.twice(3);
        static int compute(int from) { int shifted = from + made; return shifted * 3; }
        static int twice(int x) { int doubled = x + asked; return doubled * 2; }
    }
    public static class BadAmount extends RuntimeException {
        private final int amount;
        public BadAmount(int amount) { int code = amount + 1; this.amount = code * 2; }
    }
}
"#;

struct Case {
    workspace: Workspace,
    known: Known,
}

/// A test class with one test of this body, and members before it.
fn with_members(members: &str, body: &str) -> Case {
    with_main(MAIN, members, body)
}

fn with_main(main: &str, members: &str, body: &str) -> Case {
    case(main, "works", members, body)
}

fn named(name: &str, members: &str, body: &str) -> Case {
    case(MAIN, name, members, body)
}

fn case(main: &str, name: &str, members: &str, body: &str) -> Case {
    case_of(main, "AccountTest", name, members, body)
}

fn case_of(main: &str, class: &str, name: &str, members: &str, body: &str) -> Case {
    let test = format!(
        "package p; import org.junit.jupiter.api.Test; import java.util.*;\n\
         import static org.junit.jupiter.api.Assertions.*;\n\
         class {class} {{ {members}\n @Test void {name}() {{ {body} }} }}"
    );
    of_files(main, &test)
}

fn of_files(main: &str, test: &str) -> Case {
    let sets = SourceSetInput::code_and_tests();
    let file = |path: &str, set, text: &str| FileInput {
        path: Arc::from(path),
        source_set: SourceSetId(set),
        text: Arc::from(text),
    };
    let files = vec![
        file("Account.java", 0, main),
        file("AccountTest.java", 1, test),
    ];
    let workspace = Workspace::new(Program::build(sets, files));
    let known = Known::new(&workspace);
    Case { workspace, known }
}

fn test(body: &str) -> Case {
    with_members("", body)
}

impl Case {
    fn offer(&self, switches: &Switches) -> Offer {
        self.offer_of(100, switches)
    }

    fn offer_of(&self, top: usize, switches: &Switches) -> Offer {
        let settings = Settings {
            top,
            ..Settings::default()
        };
        let test = self.workspace.suite().tests()[0];
        let run = self.workspace.own_run(test);
        let offer = offer(&self.workspace, &self.known, &[run], &settings, switches);
        let hope = hope(&self.workspace, &self.known, test, switches);
        let is_doubted = |r: &Ranked| offer.doubt(r.vertex).is_some();
        assert!(hope.may_be_sure || offer.readable.iter().all(is_doubted));
        offer
    }

    fn unverified(&self) -> Vec<Unverified> {
        self.unverified_in(false)
    }

    /// `is_strict`: who tells a mock what nobody calls, fails.
    fn unverified_in(&self, is_strict: bool) -> Vec<Unverified> {
        let run = self.workspace.own_run(self.workspace.suite().tests()[0]);
        let said = crate::SaidOfMocks::new(&self.workspace, run.class, is_strict);
        crate::unverified(&self.workspace, &self.known, run, &said, None).calls
    }

    fn readable_with(&self, switches: &Switches) -> Vec<String> {
        let offer = self.offer(switches);
        let text = |r: &Ranked| offer.observations[&r.vertex].expression.to_string();
        offer.readable.iter().map(text).collect()
    }

    fn readable(&self) -> Vec<String> {
        self.readable_with(&Switches::default())
    }

    fn inside(&self) -> Vec<String> {
        self.inside_with(&Switches::default())
    }

    fn inside_with(&self, switches: &Switches) -> Vec<String> {
        let offer = self.offer(switches);
        let name = |r: &Ranked| match offer.graph.nodes[r.vertex as usize] {
            Node::Real { unit, candidate } => {
                let c = &offer.units[unit.ix()].chains.candidates[candidate as usize];
                c.variable.to_string()
            }
            Node::Point(_) => unreachable!(),
        };
        offer.inside.iter().map(name).collect()
    }

    fn offers(&self, expression: &str) -> bool {
        self.readable().iter().any(|e| e == expression)
    }
}

const DEPOSIT: &str = "Account a = new Account(\"x\"); a.deposit(3);";

fn after_deposit(more: &str) -> Case {
    test(&format!("{DEPOSIT} {more}"))
}

#[test]
fn queries_and_public_fields_of_objects_at_hand() {
    let case = after_deposit("");
    for query in ["a.getBalance()", "a.isOpen()", "a.getOwner()", "a.limit"] {
        assert!(case.offers(query), "{query}");
    }
}

#[test]
fn a_component_of_a_record_is_a_query_whatever_its_name_and_type() {
    let main = "package p; import java.util.*;
public class Account {
    interface HasParts { List<String> parts(); int[] lengths(); }
    public record Made(Account sum, List<String> parts, int[] lengths, Optional<String> other) implements HasParts {
        public int[] lengths() { changed++; return lengths; }
        static int changed;
    }
    public static Made make(String all) {
        String[] parts = all.split(\",\");
        return new Made(new Account(), List.of(parts), new int[] { parts.length }, Optional.of(all));
    }
}";
    let case = with_main(main, "", "Account.Made made = Account.make(\"x,y\");");
    for query in ["made.sum()", "made.parts()", "made.other()"] {
        assert!(case.offers(query), "{query}: {:?}", case.readable());
    }
    assert!(!case.offers("made.lengths()"), "asking changes something");
    // Of what a record or something else may answer, all is looked at.
    let above = "Account.HasParts made = Account.make(\"x,y\");";
    let case = with_main(main, "", above);
    assert!(case.offers("made.parts()"), "{:?}", case.readable());
    assert!(!case.offers("made.lengths()"));
}

#[test]
fn what_lombok_writes_gives_and_takes_fields() {
    let main = "package p; import lombok.*;
public class Account {
    @Value public static class Made { String label; int count; }
    @Data public static class Open { private String label; private int count; private static int all; }
    @Getter @Builder(toBuilder = true) public static class Built<T> { private final T label; private final int count; @Singular private java.util.List<String> parts; }
    @Builder @Getter public static class Own { String label; int count; public static class OwnBuilder { OwnBuilder label(String l) { label = l + l; return this; } } }
    @Getter @RequiredArgsConstructor public enum Kind { A(\"a\"), B(\"b\"); private final String label; }
    @Value(staticConstructor = \"of\") @With public static class Named { String label; int count; }
    @experimental.SuperBuilder @Getter public static abstract class Above { private final int count; }
    @experimental.SuperBuilder @Getter public static class Below extends Above { private final String label; }
    public Below below(String s) { return Below.builder().count(made + 1).label(s + made).build(); }
    @Builder @With public record Rec(String label, int count) {}
    public Rec rec(String s) { return Rec.builder().label(s + made).build().withCount(made * 2); }
    private int made;
    public Made make(String s, int n) { made++; return new Made(s + made, n * 2); }
    public void fill(Open o, int n) { o.setLabel(\"x\" + made); if (n > 3) { o.setCount(n + made); } }
    public Open open(String s) { Open o = new Open(); o.setLabel(s + made); o.setCount(made + 1); return o; }
    public Built<String> build(String s, int n) { return Built.<String>builder().label(s + made).count(n + made).part(s + n).build(); }
    public Own own(String s) { return Own.builder().label(s + made).count(made + 2).build(); }
    public Kind kind(int n) { return n > made ? Kind.A : Kind.B; }
    public Named named(String s, int n) { return Named.of(s + made, n).withCount(n * 2); }
}";
    let offers = |code: &str, queries: &[&str]| {
        let case = with_main(main, "", &format!("Account a = new Account(); {code}"));
        for query in queries {
            assert!(case.offers(query), "{query}: {:?}", case.readable());
        }
        // Nobody can write a check into it.
        let inside = case.inside();
        let added = inside.iter().any(|v| v == "label" || v == "count");
        assert!(!added, "{code}: {inside:?}");
    };
    offers(
        "Account.Made m = a.make(\"x\", 1);",
        &["m.getLabel()", "m.getCount()"],
    );
    offers(
        "Account.Open o = a.open(\"x\");",
        &["o.getLabel()", "o.getCount()"],
    );
    offers(
        "Account.Open o = new Account.Open(); a.fill(o, 2);",
        &["o.getLabel()", "o.getCount()"],
    );
    offers(
        "Account.Built<String> b = a.build(\"x\", 1);",
        &["b.getLabel()", "b.getCount()", "b.getParts()"],
    );
    offers(
        "Account.Own o = a.own(\"x\");",
        &["o.getLabel()", "o.getCount()"],
    );
    offers(
        "Account.Below b = a.below(\"x\");",
        &["b.getLabel()", "b.getCount()"],
    );
    offers("Account.Rec r = a.rec(\"x\");", &["r.label()", "r.count()"]);
    offers("Account.Kind k = a.kind(1);", &["k.getLabel()"]);
    offers(
        "Account.Named n = a.named(\"x\", 1);",
        &["n.getLabel()", "n.getCount()"],
    );
}

#[test]
fn a_query_of_a_query_but_no_third() {
    let case = after_deposit("");
    assert!(case.offers("a.getBoss().wasTold()"));
    assert!(case.readable().iter().all(|e| e.matches("()").count() < 3));
}

#[test]
fn a_value_that_a_call_gives() {
    assert!(test("Account a = new Account(\"x\"); int r = a.deposit(3);").offers("r"));
    assert!(after_deposit("").offers("a.deposit(3)"), "dropped");
}

#[test]
fn what_is_asserted_is_not_offered_again() {
    let case = after_deposit("assertEquals(6, a.getBalance());");
    assert!(!case.offers("a.getBalance()"));
    assert!(case.offers("a.isOpen()"));
}

#[test]
fn it_is_once_its_object_changed() {
    let case = after_deposit("assertEquals(6, a.getBalance()); a.deposit(1);");
    assert!(case.offers("a.getBalance()"));
    let pure = after_deposit("assertEquals(6, a.getBalance()); a.plus(1);");
    assert!(!pure.offers("a.plus(1).getBalance()"));
}

#[test]
fn a_call_that_changes_nothing_makes_nothing_stale() {
    let case = after_deposit("assertEquals(6, a.getBalance()); int p = a.plus(1);");
    assert!(!case.offers("a.getBalance()"));
}

#[test]
fn a_null_check_is_no_check_of_the_value() {
    let case = after_deposit("String o = a.getOwner(); assertNotNull(o);");
    assert!(case.offers("o"));
    let whole = after_deposit("String o = a.getOwner(); assertEquals(\"x\", o);");
    assert!(!whole.offers("o"));
}

#[test]
fn a_part_of_a_value_is_not_the_value() {
    let case = after_deposit("String o = a.getOwner(); assertTrue(o.startsWith(\"x\"));");
    assert!(case.offers("o"));
}

#[test]
fn what_an_assertion_has_in_the_same_words_is_not_offered_again() {
    let body = format!("{DEPOSIT} assertEquals(6, a.next());");
    let case = with_members("", &format!("{body} assertEquals(7, a.next());"));
    // It moves on, and yet nobody wants to be told what stands there.
    assert!(!case.offers("a.next()"));
    let since = with_members("", &format!("{body} a.deposit(1);"));
    assert!(since.offers("a.next()"), "something changed since");
    assert!(
        with_members("", DEPOSIT)
            .readable()
            .iter()
            .all(|e| e != "a.next()")
    );
}

#[test]
fn literals_and_what_they_answer_are_not_offered() {
    let case = after_deposit(
        "int n = 3; String s = \"text\"; int[] all = {1, 2}; List<String> l = Arrays.asList(\"a\");",
    );
    let readable = case.readable();
    for root in ["n", "s", "s.length()", "all", "all.length", "l", "l.size()"] {
        assert!(!readable.iter().any(|e| e == root), "{root}");
    }
}

#[test]
fn a_literal_that_a_method_changed_is_offered() {
    assert!(after_deposit("int[] parts = {1}; a.settle(parts);").offers("parts"));
    assert!(!after_deposit("int[] parts = {1}; int s = a.sum(parts);").offers("parts"));
}

#[test]
fn a_flag_that_a_branch_sets_is_offered() {
    assert!(after_deposit("boolean hit = false; if (a.isOpen()) { hit = true; }").offers("hit"));
}

#[test]
fn what_left_its_block_cannot_be_read() {
    let case =
        after_deposit("{ Account b = Account.of(\"y\"); b.deposit(1); } int r = a.deposit(1);");
    assert!(case.offers("r"));
    assert!(case.readable().iter().all(|e| !e.starts_with("b.")));
    assert!(
        after_deposit("{ Account b = Account.of(\"y\"); b.deposit(1); }").offers("b.getBalance()")
    );
}

#[test]
fn what_may_have_no_value_at_the_end_cannot_be_read() {
    let reads = |body: &str| {
        let case = after_deposit(body);
        case.readable().iter().any(|e| e == "b.getBalance()")
    };
    assert!(!reads(
        "Account b; for (int i = 0; i < a.deposit(1); i++) { b = Account.of(\"y\"); b.deposit(1); }"
    ));
    assert!(!reads(
        "Account b; if (a.deposit(1) > 2) { b = Account.of(\"y\"); b.deposit(1); }"
    ));
    for sure in [
        "Account b; b = Account.of(\"y\"); b.deposit(1);",
        "Account b = null; if (a.deposit(1) > 2) { b = Account.of(\"y\"); b.deposit(1); }",
        "if (a.deposit(1) > 2) { Account b = a == null ? a : Account.of(\"y\"); b.deposit(1); }",
        "if (a.deposit(1) > 2) { Account b; b = Account.of(\"y\"); b.deposit(1); }",
    ] {
        assert!(reads(sure), "{sure}");
    }
}

#[test]
fn a_bare_new_object_is_not_offered() {
    assert!(!test("Account a = new Account(\"x\");").offers("a"));
}

#[test]
fn noise_is_not_offered() {
    let case = after_deposit("a.add(2); for (int i = 0; i < 3; i++) { a.deposit(i); }");
    let readable = case.readable();
    for silent in [
        "a.hashCode()",
        "a.add(2)",
        "i",
        "a.secret()",
        "a.next()",
        "a.getClass()",
    ] {
        assert!(!readable.iter().any(|e| e == silent), "{silent}");
    }
}

#[test]
fn constants_and_loggers_of_the_test_class_are_not_offered() {
    let members = "static final Account SHARED = Account.of(\"s\"); static final long serialVersionUID = 1; \
                   java.util.logging.Logger log; Account fixture = Account.of(\"f\");";
    let case = with_members(
        members,
        "SHARED.deposit(1); log.info(\"x\"); fixture.deposit(1);",
    );
    let readable = case.readable();
    assert!(readable.iter().any(|e| e == "fixture.getBalance()"));
    for name in ["SHARED", "serialVersionUID", "log"] {
        let is = |e: &String| e == name || e.starts_with(&format!("{name}.get"));
        assert!(!readable.iter().any(is), "{name}");
    }
}

#[test]
fn a_call_with_arguments_is_repeated_when_its_object_changed() {
    let asked = "assertEquals(7, a.plus(1));";
    assert!(after_deposit(&format!("{asked} a.deposit(2);")).offers("a.plus(1)"));
    assert!(!after_deposit(asked).offers("a.plus(1)"));
}

#[test]
fn only_whole_expressions_are_offered() {
    let case = after_deposit("Account b = Account.of(\"y\"); assertEquals(7, a.plus(1));");
    assert!(
        case.readable().iter().all(|e| !e.contains("..")),
        "{:?}",
        case.readable()
    );
}

#[test]
fn what_one_object_is_asked_its_like_is_asked() {
    let case = after_deposit("Account b = Account.of(\"y\"); assertEquals(7, a.plus(1));");
    assert!(case.offers("b.plus(1)"));
}

#[test]
fn inside_is_what_no_point_reads_whole() {
    let inside = after_deposit("assertEquals(6, a.getBalance());").inside();
    assert!(
        inside.iter().any(|v| v == "step" || v == "sum"),
        "{inside:?}"
    );
    for silent in ["amount", "i", "RATE", "code"] {
        assert!(!inside.iter().any(|v| v == silent), "{silent}: {inside:?}");
    }
}

#[test]
fn inside_an_exception_only_where_one_is_expected() {
    let thrown = "try { new Account(\"x\").deposit(-1); fail(); } catch (Account.BadAmount e) { }";
    assert!(test(thrown).inside().iter().any(|v| v == "code"));
    assert!(!after_deposit("").inside().iter().any(|v| v == "code"));
}

#[test]
fn the_object_used_last_comes_first() {
    let case = test(
        "Account a = Account.of(\"x\"); Account b = Account.of(\"y\"); a.deposit(1); b.deposit(1);",
    );
    assert!(
        case.readable()[0].starts_with("b."),
        "{:?}",
        case.readable()
    );
}

#[test]
fn what_the_suite_asks_comes_first() {
    let members = "@Test void a1() { assertEquals(\"x\", Account.of(\"x\").getOwner()); } \
                   @Test void a2() { Account b = Account.of(\"x\"); assertEquals(\"x\", b.getOwner()); }";
    let by_habit = Switches {
        sure_first: false,
        worth_first: false,
        ..Switches::default()
    };
    let place = |case: &Case, what: &str| {
        let offer = case.offer(&by_habit);
        let texts = offer
            .readable
            .iter()
            .map(|r| &offer.observations[&r.vertex].expression);
        texts.into_iter().position(|e| e == what)
    };
    let case = with_members("", DEPOSIT);
    let with = with_members(
        &members.replace("@Test void", "@org.junit.jupiter.api.Test void"),
        DEPOSIT,
    );
    // The tests before it in the class come first in the suite: take the last.
    let last = *with.workspace.suite().tests().last().unwrap();
    let settings = Settings {
        top: 100,
        ..Settings::default()
    };
    let offer = offer(
        &with.workspace,
        &with.known,
        &[with.workspace.own_run(last)],
        &settings,
        &by_habit,
    );
    let texts: Vec<_> = offer
        .readable
        .iter()
        .map(|r| offer.observations[&r.vertex].expression.to_string())
        .collect();
    let now = texts.iter().position(|e| e == "a.getOwner()").unwrap();
    assert!(now < place(&case, "a.getOwner()").unwrap(), "{texts:?}");
}

#[test]
fn hidden_assertions_teach_nothing() {
    // Only the hidden assertion asks `next()`, which changes something: without it nobody would.
    let case = after_deposit("assertEquals(6, a.next()); assertTrue(a.isOpen());");
    let test = case.workspace.suite().tests()[0];
    let body = case.workspace.program().method_body(test).unwrap();
    let call = case.workspace.chains(body).unwrap().assertions[0]
        .call
        .unwrap();
    for learned in [Learned::Suite, Learned::OtherFiles] {
        let hidden = offer_hiding(
            &case.workspace,
            &case.known,
            test,
            &Settings::default(),
            &Switches::default(),
            call,
            learned,
        );
        assert!(hidden.points.iter().all(|p| p.0.expression != "a.next()"));
    }
}

#[test]
fn each_switch_changes_something() {
    let members = "Account fixture = Account.of(\"f\"); Account used = Account.of(\"u\"); \
        Account getOwn() { return fixture; } \
        interface Seen { int getSeen(); } Seen seen; List<String> names = new ArrayList<>();";
    let body = "Account a = new Account(\"x\"); int[] parts = {1}; String text = \"t\"; int kept = a.deposit(3); \
        StringBuilder out = new StringBuilder(); out.append(a.getOwner()); \
        Account b = Account.of(\"y\"); Account bare = new Account(\"z\"); \
        assertEquals(6, a.next()); assertEquals(6, a.getBalance()); assertEquals(7, a.plus(1)); \
        a.deposit(2); a.add(1); a.deposit(4); used.deposit(1); names.add(a.getOwner()); \
        List<Integer> sums = new ArrayList<>(); sums.add(b.deposit(9)); Object first = sums.get(0); \
        assertEquals(1, getOwn().getBalance()); seen.getSeen(); if (kept > 3) { b.deposit(7); } \
        Account.Way w = new Account.One(); w = new Account.Two(); w.go(1); new Account.Direct().run(2);";
    let usually = "@Mock Account mocked; @Test void usual() { Account u = Account.of(\"u\"); String o = u.getOwner(); \
        assertEquals(\"u\", o); assertEquals(\"u\", u.getOwner()); }";
    let asks_mock = format!("{DEPOSIT} mocked.deposit(3);");
    // What lies elsewhere says more than what the class under test has.
    let elsewhere = format!(
        "{MAIN} class Elsewhere {{ boolean go(int x) {{ int a = x * 3; int b = a + x; int c = b + 1; return c > 4; }} }}"
    );
    let cases = [
        with_main(&with_twins(), members, body),
        with_main(
            &elsewhere,
            "",
            "new Account(\"x\").deposit(3); new Elsewhere().go(3);",
        ),
        with_members(usually, &asks_mock),
        with_members(&usually.replace("@Mock Account mocked;", ""), DEPOSIT),
    ];
    let settings = Settings {
        top: 1000,
        ..Settings::default()
    };
    let shown_of = |case: &Case, switches: &Switches| {
        let last = *case.workspace.suite().tests().last().unwrap();
        let o = offer(
            &case.workspace,
            &case.known,
            &[case.workspace.own_run(last)],
            &settings,
            switches,
        );
        let row = |r: &Ranked| {
            let text = o.observations[&r.vertex].expression.to_string();
            (text, format!("{:.9} {:.9}", r.gain, r.foc))
        };
        let inside: Vec<u32> = o.inside.iter().map(|r| r.vertex).collect();
        let readable: Vec<_> = o.readable.iter().map(row).collect();
        (readable, o.shown().count(), inside)
    };
    let shown = |switches: &Switches| cases.each_ref().map(|case| shown_of(case, switches));
    // Two orders in turn may hide what changes one of them.
    let by_habit = Switches {
        telling: false,
        worth_first: false,
        ..Switches::default()
    };
    let usual = shown(&by_habit);
    for (name, _, set) in Switches::ALL {
        let mut other = by_habit;
        let is_on = |s: &Switches| format!("{s:?}").contains(&format!("{name}: true"));
        set(&mut other, !is_on(&by_habit));
        assert_ne!(usual, shown(&other), "{name}");
    }
}

/// What the graph does not follow is shown where values like it tell faults, and only there; what no text of the test compiles with
/// is not.
#[test]
fn what_is_not_followed_is_shown_if_values_like_it_tell() {
    let body = "Account a = new Account(\"x\"); a.deposit(3); a.deposit(4); assertEquals(7, a.getBalance());";
    let case = test(body);
    let last = *case.workspace.suite().tests().last().unwrap();
    let of = |telling: bool| {
        let switches = Switches {
            telling,
            worth_first: false,
            ..Switches::default()
        };
        let runs = [case.workspace.own_run(last)];
        let settings = Settings::default();
        offer(&case.workspace, &case.known, &runs, &settings, &switches)
    };
    let (with, without) = (of(true), of(false));
    assert!(without.shown().all(|r| r.gain >= crate::LEAST_GAIN));
    let more: Vec<&Ranked> = with
        .shown()
        .filter(|r| r.gain < crate::LEAST_GAIN)
        .collect();
    assert!(!more.is_empty());
    for one in &more {
        assert_ne!(with.doubt(one.vertex), Some(Doubt::Untouched));
    }
    // What is best by habit stays first.
    assert_eq!(with.readable[0].vertex, without.readable[0].vertex);
}

#[test]
fn what_a_fluent_assertion_compares_with_is_read() {
    let body = "Account a = new Account(\"x\"); int got = a.deposit(3); int expected = a.plus(0);";
    let case = test(&format!(
        "{body} assertThat(got).as(\"it\").isEqualTo(expected);"
    ));
    assert!(!case.offers("expected") && !case.offers("got"));
    let case = test(&format!("{body} assertThat(got).isGreaterThan(2);"));
    assert!(case.offers("expected") && !case.offers("got"));
    let weak = test(&format!("{body} assertThat(got).isNotNull();"));
    assert!(weak.offers("got"), "nearly every value passes");
}

#[test]
fn an_own_getter_is_an_object_and_an_own_factory_is_not() {
    let members = "Account held = new Account(\"x\");
        Account getHeld() { return held; }
        static Account fresh() { return new Account(\"y\"); }";
    let case = with_members(members, "getHeld().deposit(3); fresh().deposit(2);");
    assert!(case.offers("getHeld().getBalance()"));
    assert!(!case.readable().iter().any(|e| e.starts_with("fresh().get")));
}

#[test]
fn a_field_that_is_written_as_a_constant_is_one() {
    let members = "Account BANK = new Account(\"b\"); Account bank = new Account(\"c\");";
    let case = with_members(members, "bank.deposit(2);");
    assert!(case.offers("bank.getBalance()"));
    assert!(!case.readable().iter().any(|e| e.starts_with("BANK")));
}

#[test]
fn what_only_initialises_a_class_is_no_matter_of_the_test() {
    let inside = |body: &str| test(body).inside();
    let read = inside("int m = Account.Rates.made; int q = m + Account.Rates.asked;");
    assert!(
        !read.iter().any(|v| v == "shifted" || v == "doubled"),
        "{read:?}"
    );
    // Whoever else runs it, and in whatever order: this test calls it.
    for body in [
        "int m = Account.Rates.made; Account.Rates.compute(2);",
        "Account.Rates.compute(2); int m = Account.Rates.made;",
    ] {
        let called = inside(body);
        assert!(called.iter().any(|v| v == "shifted"), "{body}: {called:?}");
        assert!(!called.iter().any(|v| v == "doubled"), "{body}: {called:?}");
    }
}

#[test]
fn the_initialisers_of_the_test_class_are_its_own() {
    let members = "static final int SIX = Account.Rates.compute(1);";
    assert!(
        !with_members(members, "int m = SIX + 1;")
            .inside()
            .is_empty()
    );
}

/// Two methods of the same text: the first in the class is as good as the second, but for how the test comes there.
const TWINS: &str = "interface Way { int go(int x); }
    static class One implements Way { public int go(int x) { int one = x * 2; one += 1; return one > 3 ? 1 : 2; } }
    static class Two implements Way { public int go(int x) { int two = x * 2; two += 1; return two > 3 ? 1 : 2; } }
    static class Direct { int run(int x) { int sure = x * 2; sure += 1; return sure > 3 ? 1 : 2; } }
    static class Perhaps { int run(int x) { if (x > 5) { if (x > 6) { return twin(x); } } return 0; }
        int twin(int x) { int rare = x * 2; rare += 1; return rare > 3 ? 1 : 2; } }";

fn with_twins() -> String {
    let before = "public static class Rates";
    MAIN.replace(before, &format!("{TWINS}\n    {before}"))
}

fn place(inside: &[String], variable: &str) -> usize {
    let at = inside.iter().position(|v| v == variable);
    at.unwrap_or_else(|| panic!("{variable} in {inside:?}"))
}

/// The points of the tests at these places of the class, all in one offer.
fn points_of(case: &Case, tests: &[usize]) -> Vec<String> {
    let all = case.workspace.suite().tests();
    let runs: Vec<_> = tests
        .iter()
        .map(|t| case.workspace.own_run(all[*t]))
        .collect();
    let offer = offer(
        &case.workspace,
        &case.known,
        &runs,
        &Settings::default(),
        &Switches::default(),
    );
    let text = |v: &u32| offer.observations[v].expression.to_string();
    offer.points.iter().map(text).collect()
}

#[test]
fn what_one_test_asks_a_lot_takes_nothing_from_the_next() {
    let many: String = (0..150)
        .map(|i| format!("Account a{i} = Account.of(\"a\"); a{i}.deposit({i}); "))
        .collect();
    let next = "Account z = Account.of(\"z\"); Account y = Account.of(\"y\"); \
                assertEquals(3, z.plus(1)); z.deposit(2); y.deposit(3);";
    let case = test(&format!("{many} }} @Test void next() {{ {next}"));
    let (first, second) = (points_of(&case, &[0]), points_of(&case, &[1]));
    // A bound on the cost of one test.
    assert!((400..800).contains(&first.len()), "{}", first.len());
    for here in ["z.getBalance()", "z.plus(1)", "y.plus(1)"] {
        assert!(second.iter().any(|p| p == here), "{here} in {second:?}");
    }
    let both = points_of(&case, &[0, 1]);
    assert_eq!(both, [first, second].concat());
}

#[test]
fn a_test_that_runs_in_several_classes_is_asked_once() {
    let case = test("Account z = Account.of(\"z\"); z.deposit(2);");
    let once = points_of(&case, &[0]);
    assert_eq!(points_of(&case, &[0, 0]), once);
}
