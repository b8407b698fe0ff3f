//! Features on fixtures: what stands where, and where nothing does.

#![allow(clippy::expect_used)]

mod cancelled;
mod captors;
mod checked;
mod checked_by;
mod checked_libraries;
mod dismissed;
mod folder;
mod inner;
mod inserted;
mod once;
mod open;
mod recorded;
mod requests;
mod rules;
mod survivors;
mod suspects;
mod unstable;
mod weakest;

use crate::action::{Effect, actions};
use crate::answers::Ground;
use crate::hint::hints;
use crate::hover::hover;
use crate::lens::lenses;
use crate::title::title;
use crate::{Analysis, Revision};
use calls::Workspace;
use observe::Settings;
use program::{Change, FileId, FileInput, Program, SourceSetId, SourceSetInput};
use std::sync::Arc;
use testkit::{Fixture, Mark, check_marks};
use text::Span;

/// What answers go out from that no folder on a disk has.
fn ground(analysis: &Analysis) -> Ground<'_> {
    Ground {
        analysis,
        root: String::new(),
        files: 0,
        files_skipped: 0,
    }
}

fn is_test(path: &str) -> bool {
    path.contains("src/test/")
}

pub(crate) fn analysis(fixture: &Fixture) -> Analysis {
    let sets = SourceSetInput::code_and_tests();
    let files = fixture.files.iter().map(|f| FileInput {
        path: f.path.as_str().into(),
        source_set: SourceSetId(u32::from(is_test(&f.path))),
        text: f.text.as_str().into(),
    });
    let workspace = Workspace::new(Program::build(sets, files.collect()));
    Analysis::new(workspace, true, Settings::default())
}

/// Checks what `feature` finds in each file against the marks.
#[track_caller]
fn check(text: &str, feature: impl Fn(&Analysis, FileId) -> Vec<(Span, String)>) {
    let fixture = Fixture::parse(text);
    let analysis = analysis(&fixture);
    let mut found: Vec<(usize, Mark)> = Vec::new();
    for (i, file) in fixture.files.iter().enumerate() {
        let id = analysis.program().file(&file.path).expect("it was given");
        for (span, words) in feature(&analysis, id) {
            found.push((i, file.mark(span, words)));
        }
    }
    check_marks(&fixture, found);
}

fn all_lenses(analysis: &Analysis, file: FileId) -> Vec<(Span, String)> {
    lenses(analysis, file)
        .into_iter()
        .filter_map(|l| Some((l.span, title(analysis, l.on)?.text)))
        .collect()
}

fn lenses_of_tests(analysis: &Analysis, file: FileId) -> Vec<(Span, String)> {
    match analysis.program().is_test(file) {
        true => all_lenses(analysis, file),
        false => Vec::new(),
    }
}

#[test]
fn what_a_compact_constructor_is_given_stands_at_its_name() {
    let text = "package own;\npublic record Range(int from, int to) {\n    public Range {\n        \
                if (from > to) { int swap = from; from = to; to = swap; }\n    }\n}\n";
    let program = Program::build(
        vec![SourceSetInput::default()],
        vec![FileInput {
            path: "src/main/java/own/Range.java".into(),
            source_set: SourceSetId(0),
            text: text.into(),
        }],
    );
    let analysis = Analysis::new(Workspace::new(program), true, Settings::default());
    let file = analysis.program().files()[0];
    let name = text.find("Range {").expect("a name") as u32;
    for (at, label) in all_hints(&analysis, file) {
        let before = text.get(..at.end as usize).expect("at a character");
        let is_behind = before.ends_with(|c: char| c.is_alphanumeric() || c == '}' || c == ';');
        assert!(
            is_behind && at.end >= name + "Range".len() as u32,
            "{label} at {at:?}"
        );
    }
}

fn all_hints(analysis: &Analysis, file: FileId) -> Vec<(Span, String)> {
    hints(analysis, file, Span::new(0, u32::MAX), true)
        .into_iter()
        .map(|h| (Span::new(h.offset - 1, h.offset), h.label))
        .collect()
}

const ACCOUNT: &str = "//- /src/main/java/Account.java
class Account {
    private int balance;
    private final String owner;
    Account(String owner) { this.owner = owner; }
    void deposit(int amount) {
        int fee = amount / 100;
        int rest = amount - fee;
        balance = balance + rest;
    }
    int getBalance() { return balance; }
    String getOwner() { return owner; }
}
";

#[test]
fn a_test_that_reads_nothing_is_told_what_it_could_read() {
    let text = format!(
        "{ACCOUNT}//- /src/test/java/AccountTest.java
class AccountTest {{
    @Test void deposits() {{
        //     ^^^^^^^^ next: account.getBalance()
        Account account = new Account(\"Ann\");
        account.deposit(200);
    }}
    void helper() {{ }}
}}
"
    );
    check(&text, lenses_of_tests);
}

#[test]
fn what_an_assertion_reads_is_not_named_again_nor_what_the_test_put_in() {
    let text = format!(
        "{ACCOUNT}//- /src/test/java/AccountTest.java
class AccountTest {{
    @Test void deposits() {{
        Account account = new Account(\"Ann\");
        account.deposit(200);
        assertEquals(198, account.getBalance());
    }}
}}
"
    );
    check(&text, lenses_of_tests);
}

#[test]
fn methods_count_the_tests_that_call_them_and_not_those_that_may() {
    check(
        "//- /src/main/java/Shapes.java
interface Shape { int area(); }
class Square implements Shape {
    int side;
    public int area() { return side * side; }
    //         ^^^^ 2 tests call this
}
class Circle implements Shape {
    int radius;
    public int area() { return 3 * radius * radius; }
    int unused() { return radius; }
}
//- /src/test/java/ShapesTest.java
class ShapesTest {
    @Test void direct() { new Square().area(); }
    @Test void throughOwnClass() { help(); help(); }
    private void help() { new Square().area(); }
    @Test void throughTheInterface() { any(null); }
    private void any(Shape shape) { shape.area(); }
}
",
        |a, f| {
            let on_methods = all_lenses(a, f).into_iter();
            on_methods.filter(|_| !a.program().is_test(f)).collect()
        },
    );
}

#[test]
fn hints_stand_behind_what_tells_and_nowhere_else() {
    check(
        "//- /src/main/java/Price.java
class Price {
    static final int RATE = 19;
    int of(int net, int count) {
        for (int i = 0; i < count; i++) { }
        int gross = net * count + net * RATE / 100;
        //                                       ^ ◂ observe (1st of 6)
        return gross;
    }
    int getNothing() { return 0; }
}
//- /src/test/java/PriceTest.java
class PriceTest {
    int x = 1;
}
",
        all_hints,
    );
}

#[test]
fn loggers_and_counters_are_quiet_and_their_namesakes_are_not() {
    let fixture = Fixture::parse(
        "//- /src/main/java/Price.java
class Price {
    int of(int net, int count) {
        org.slf4j.Logger audit = pick(net, count);
        for (int i = 0; i < count; i++) { audit.info(net); }
        if (net > 3) { int i = net * count; net = net + i; }
        double log = Math.log(net) * count;
        return (int) log;
    }
    org.slf4j.Logger pick(int a, int b) { return null; }
}
",
    );
    let analysis = analysis(&fixture);
    let file = analysis.program().file(&fixture.files[0].path);
    let ranking = analysis.ranking(file.expect("it was given"));
    let is_quiet = |name: &str| -> Vec<bool> {
        let named = ranking.selected.iter().filter(|s| s.name == name);
        named.map(|s| s.is_quiet).collect()
    };
    assert_eq!(is_quiet("audit"), [true]);
    assert_eq!(is_quiet("log"), [false]);
    assert!(is_quiet("i").contains(&false));
}

#[test]
fn editors_without_lenses_see_them_behind_the_name() {
    let text = format!(
        "{ACCOUNT}//- /src/test/java/AccountTest.java
class AccountTest {{
    @Test void deposits() {{
        //              ^ ◂ next: account.getBalance()
        Account account = new Account(\"Ann\");
        account.deposit(200);
    }}
}}
"
    );
    check(&text, |a, f| {
        let mut found = all_hints(a, f);
        found.retain(|_| a.program().is_test(f));
        found
    });
}

#[track_caller]
fn hover_at_cursor(text: &str) -> Option<String> {
    let fixture = Fixture::parse(text);
    let analysis = analysis(&fixture);
    let (file, offset) = fixture.cursor.expect("a cursor");
    let id = analysis.program().file(&fixture.files[file].path)?;
    hover(&analysis, id, offset as u32).map(|h| h.plain)
}

#[test]
fn a_hover_says_rank_and_reason_at_definition_and_use() {
    for text in [
        "class A { int f(int a, int b) { int s$0um = a + b; return sum; } }",
        "class A { int f(int a, int b) { int sum = a + b; return sum$0; } }",
    ] {
        let said = hover_at_cursor(text).expect("a hover");
        assert!(said.contains("sum is worth a check: 1st of 3"), "{said}");
        assert!(
            said.contains("reveal a wrong parameter a or parameter b"),
            "{said}"
        );
    }
}

#[test]
fn a_hover_says_how_the_value_can_be_checked() {
    let code = "//- /src/main/java/A.java
class A {
    private int kept;
    int all;
    int f(int a) { int sum = a + 1; return sum; }
    int g(int a) { kept = a + 1; all = kept * 2; return a; }
    void h(int a) { int unused = a + 1; }
}
//- /src/test/java/ATest.java
class ATest { @Test void t() { int it = new A().f(1); new A().g(2); } }
";
    for (at, how) in [
        ("int su$0m =", "Internal: a local variable"),
        ("ke$0pt = a", "Internal: no other class can read the field"),
        (
            "al$0l = kept",
            "Assertable now where the test has the object",
        ),
        ("int unu$0sed", "Does not propagate: nothing uses it"),
    ] {
        let said = hover_at_cursor(&code.replace(&at.replace("$0", ""), at));
        assert!(
            said.as_ref().is_some_and(|s| s.contains(how)),
            "{at} {said:?}"
        );
    }
}

#[test]
fn a_hover_says_by_which_way_where_values_count_that_come_from_farther() {
    let fixture = Fixture::parse(
        "class A { int f(int a) { int b = a + 1; int c = b * 2; int d$0 = c - 3; return d; } }",
    );
    let direct = analysis(&fixture);
    let (file, offset) = fixture.cursor.expect("a cursor");
    let id = direct.program().file(&fixture.files[file].path);
    let said = |analysis: &Analysis| {
        id.and_then(|id| hover(analysis, id, offset as u32))
            .map(|h| h.plain)
            .unwrap_or_default()
    };
    assert!(
        !said(&direct).contains("Flows through"),
        "{}",
        said(&direct)
    );
    let farther = direct.with_settings(Settings {
        lambda: 1.0,
        ..*direct.settings()
    });
    assert!(
        said(&farther).contains("Flows through a → b → c → d."),
        "{}",
        said(&farther)
    );
}

#[test]
fn hovers_are_silent_on_everything_else() {
    for text in [
        "cla$0ss A { int f(int a) { int sum = a + 1; return sum; } }",
        "class A$0 { int f(int a) { int sum = a + 1; return sum; } }",
        "class A { in$0t f(int a) { int sum = a + 1; return sum; } }",
        "class A { int f(int a) { int sum = a + 12$03; return sum; } }",
        "class A { /* su$0m */ int f(int a) { int sum = a + 1; return sum; } }",
        "class A { String f(int a) { int sum = a + 1; return \"su$0m\"; } }",
        "class A { int f(int n) { int s = 0; for (int $0i = 0; i < n; i++) { s += i; } return s; } }",
        "class A { int f(int n) { int s = 0; for (int i = 0; i < n; i++) { s += $0i; } return s; } }",
        "class A { int f(int[] a) { int s = 0; for (int $0x : a) { s += x; } return s; } }",
        "class A { int f(int $0a) { int sum = a + 1; return sum; } }",
        "//- /src/test/java/T.java\nclass T { @Test void t() { int su$0m = 1; } }",
        "$0",
    ] {
        assert_eq!(hover_at_cursor(text), None, "{text}");
    }
}

/// The actions at the cursor, with the file as each leaves it.
fn actions_at_cursor(text: &str) -> Vec<(String, Option<String>)> {
    let fixture = Fixture::parse(text);
    let analysis = analysis(&fixture);
    let (file, offset) = fixture.cursor.expect("a cursor");
    let file = &fixture.files[file];
    let id = analysis.program().file(&file.path).expect("it was given");
    let at = Span::new(offset as u32, offset as u32);
    actions(&analysis, id, at)
        .into_iter()
        .map(|a| {
            let after = match a.effect {
                Effect::Assert { change, .. } => {
                    let (edit, _) = change.main().expect("an edit");
                    // What an expectation holds as it stands has none.
                    let hole = change.placeholder.clone();
                    assert!(hole.is_none_or(|h| !edit.text[h].is_empty()));
                    text::apply_disjoint(&file.text, &change.edits[0].1)
                }
                _ => None,
            };
            (a.title, after)
        })
        .collect()
}

#[test]
fn a_dropped_result_is_asserted_where_the_call_stands() {
    let found = actions_at_cursor(
        "//- /src/main/java/Stock.java
class Stock {
    private int left;
    int take(int n) { left -= n; int rest = left * 2; return rest; }
}
//- /src/test/java/StockTest.java
import static org.junit.jupiter.api.Assertions.assertEquals;
class StockTest {
    @Test void other() { assertEquals(1, 1); }
    @Test void ta$0kes() {
        Stock stock = new Stock();
        stock.take(
            3);
    }
}
",
    );
    let (title, after) = found.first().expect("an action");
    assert_eq!(title, "Assert stock.take( 3)");
    let after = after.as_ref().expect("an edit");
    let expected = "assertEquals(Integer.MIN_VALUE, stock.take( 3));\n    }\n";
    assert!(after.contains(expected), "{after}");
    assert_eq!(after.matches("take(").count(), 1, "{after}");
}

#[test]
fn a_hover_is_of_the_variable_not_of_its_name() {
    let code = "//- /src/main/java/Shop.java
class Shop {
    int sum;
    int pay(int price, boolean twice) {
        if (twice) {
            int part = price * 2;
            sum = part + price;
            return sum;
        }
        for (int part : new int[] { 7 }) { log(part); }
        return price;
    }
    static void log(int x) { }
}
class Till {
    int sum;
    int count() { return sum; }
}
";
    let said = |at: &str| {
        let told = hover_at_cursor(&code.replace(&at.replace("$0", ""), at));
        told.and_then(|t| t.lines().next().map(str::to_owned))
    };
    let (part, sum) = (said("int pa$0rt = price"), said("s$0um = part"));
    assert!(part.is_some_and(|t| t.starts_with("part is worth a check: ")));
    assert!(sum.is_some_and(|t| t.starts_with("sum is worth a check: ")));
    assert_eq!(said("count() { return su$0m"), None, "another field");
    assert_eq!(
        said("log(pa$0rt)"),
        None,
        "another local, which covers nothing"
    );
}

#[test]
fn a_test_that_is_content_with_running_is_offered_no_assertion() {
    let titles = |name: &str, more: &str| {
        let found = actions_at_cursor(&format!(
            "{ACCOUNT}//- /src/test/java/AccountTest.java
class AccountTest {{
    @Test void {name}() {{
        Account account = new Account(\"Ann\");
        ac$0count.deposit(200);
        {more}
    }}
    private static void look(Account account) {{ if (account == null) throw new AssertionError(); }}
}}
"
        ));
        let asserts = found.into_iter().filter(|(t, _)| t.starts_with("Assert "));
        asserts.map(|(t, _)| t).collect::<Vec<_>>()
    };
    assert_eq!(titles("deposits", ""), ["Assert account.getBalance()"]);
    assert_eq!(titles("depositDoesNotThrow", ""), [""; 0]);
    assert_eq!(titles("deposits", "look(account);"), [""; 0]);
}

#[test]
fn an_assertion_stands_where_its_variables_are_in_scope() {
    let found = actions_at_cursor(&format!(
        "{ACCOUNT}//- /src/test/java/AccountTest.java
import static org.junit.jupiter.api.Assertions.assertEquals;
class AccountTest {{
    static class Lock implements AutoCloseable {{ public void close() {{ }} }}
    private static Lock lock() {{ return new Lock(); }}
    @Test void other() {{ assertEquals(1, 1); }}
    @Test void dep$0osits() throws Exception {{
        try (Lock lock = lock()) {{
            Account account = new Account(\"Ann\");
            account.deposit(200); // at once
        }}
    }}
}}
"
    ));
    let (title, after) = found.first().expect("an action");
    assert_eq!(title, "Assert account.getBalance()");
    let after = after.as_ref().expect("an edit");
    let expected = "account.deposit(200); // at once
            assertEquals(Integer.MIN_VALUE, account.getBalance());
        }
    }
";
    assert!(after.contains(expected), "{after}");
}

#[test]
fn an_assertion_stands_where_it_is_reached() {
    for (body, expected) in [
        // A resource.
        (
            "try (Account account = new Account(\"{\")) { // }
            account.deposit(200);
        }
        System.out.println();",
            "            account.deposit(200);
            assertEquals(Integer.MIN_VALUE, account.getBalance());
        }
        System.out.println();",
        ),
        (
            "Account account = new Account(\"Ann\");
        try {
            account.deposit(200);
        } finally { System.out.println(); }",
            "finally { System.out.println(); }
        assertEquals(Integer.MIN_VALUE, account.getBalance());
    }",
        ),
        (
            "Account account = new Account(\"Ann\");
        account.deposit(200);
        return;",
            "        account.deposit(200);
        assertEquals(Integer.MIN_VALUE, account.getBalance());
        return;",
        ),
    ] {
        let found = actions_at_cursor(&format!(
            "{ACCOUNT}//- /src/test/java/AccountTest.java
import static org.junit.jupiter.api.Assertions.assertEquals;
class AccountTest {{
    @Test void other() {{ assertEquals(1, 1); }}
    @Test void dep$0osits() throws Exception {{
        {body}
    }}
}}
"
        ));
        let (title, after) = found.first().expect("an action");
        assert_eq!(title, "Assert account.getBalance()", "{body}");
        let after = after.as_ref().expect("an edit");
        assert!(after.contains(expected), "{after}");
    }
}

#[test]
fn a_test_calls_what_its_fixture_calls() {
    check(
        "//- /src/main/java/Stock.java
class Stock {
    Stock() { }
//  ^^^^^ 2 tests call this
    int left() { return 1; }
}
//- /src/test/java/StockTest.java
class StockTest {
    private Stock stock;
    @BeforeEach void setUp() { stock = new Stock(); }
    @Test void one() { int a = 1; }
    @Test void two() { int a = 2; }
}
",
        |a, f| {
            let on_methods = all_lenses(a, f).into_iter();
            on_methods.filter(|_| !a.program().is_test(f)).collect()
        },
    );
}

#[test]
fn outside_tests_nothing_is_offered() {
    for text in [
        "//- /src/test/java/T.java\nclass T { void hel$0per() { } @Test void t() { } }",
        "//- /src/test/java/T.java\nclass T$0 { @Test void t() { } }",
        "//- /src/main/java/M.java\nclass M { int f(int a) { int b = a$0; return b; } }",
    ] {
        assert!(actions_at_cursor(text).is_empty(), "{text}");
    }
}

#[test]
fn a_revision_is_computed_when_it_is_asked_and_once() {
    let fixture = Fixture::parse("//- /src/main/java/A.java\nclass A { }\n");
    let first = Revision::of(Arc::new(analysis(&fixture)));
    let change = |text: &str| Change {
        path: "src/main/java/A.java".into(),
        source_set: SourceSetId(0),
        text: Some(text.into()),
    };
    let second = first.after([change("class A { int x; }")]);
    let third = second.after([change("class A { int x = 1; }")]);
    assert_eq!(
        third.text("src/main/java/A.java").as_deref(),
        Some("class A { int x = 1; }")
    );
    assert_eq!(third.text("B.java"), None);
    let counters = |r: &Revision| r.analysis().program().counters().summarised;
    assert_eq!(
        counters(&third) - counters(&first),
        1,
        "the second was never asked for"
    );
    assert!(Arc::ptr_eq(third.analysis(), third.analysis()));
    let other = third.with_settings(Settings {
        top: 3,
        ..Settings::default()
    });
    assert_eq!(other.analysis().settings().top, 3);
    assert_eq!(
        other.text("src/main/java/A.java").as_deref(),
        Some("class A { int x = 1; }")
    );
}

/// What code writes into an object that the test made is listed, and no lens names it.
#[test]
fn what_is_written_into_is_named_by_no_lens() {
    let file = |made: &str| {
        format!(
            "//- /src/main/java/own/Printer.java
package own;
public class Printer {{
    private final String text;
    public Printer(String text) {{ this.text = text; }}
    public void into(java.io.Writer out) throws java.io.IOException {{ out.write(text.trim()); }}
    public String whole() {{ String whole = text.trim() + 1; return whole; }}
}}
//- /src/test/java/own/PrinterTest.java
package own;
import java.io.*;
import org.junit.jupiter.api.Test;
class PrinterTest {{
{made}
}}
"
        )
    };
    let written = "    @Test void writes() throws IOException {
        StringWriter out = new StringWriter();
        new Printer(\" a\").into(out);
    }
    @Test void gives() {
        //     ^^^^^ next: whole
        String whole = new Printer(\" a\").whole();
    }";
    check(&file(written), lenses_of_tests);
}
