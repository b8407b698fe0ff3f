//! *Not this one*: what each width hides, and what it leaves.

use super::{ACCOUNT, all_hints, all_lenses, analysis};
use crate::Analysis;
use crate::action::{Effect, actions, in_words};
use crate::dismissed::{Dismissed, Entry, stale};
use std::sync::Arc;
use testkit::Fixture;
use text::Span;

/// Two classes of tests, of which three tests are told of the same.
fn tests() -> String {
    format!(
        "{ACCOUNT}//- /src/test/java/AccountTest.java
class AccountTest {{
    @Test void dep$0osits() {{
        Account account = new Account(\"Ann\");
        account.deposit(200);
    }}
    @Test void again() {{
        Account account = new Account(\"Bob\");
        account.deposit(300);
    }}
}}
//- /src/test/java/OtherTest.java
class OtherTest {{
    @Test void elsewhere() {{
        Account account = new Account(\"Cid\");
        account.deposit(400);
    }}
}}
"
    )
}

const NEXT: &str = "next: account.getBalance()";

/// What stands above the tests.
fn lenses(analysis: &Analysis) -> Vec<String> {
    let files = [
        "src/test/java/AccountTest.java",
        "src/test/java/OtherTest.java",
    ];
    let files = files.iter().filter_map(|f| analysis.program().file(f));
    files
        .flat_map(|f| all_lenses(analysis, f))
        .map(|l| l.1)
        .collect()
}

/// What *Not this one* would add at the cursor.
pub(super) fn offered(fixture: &Fixture, analysis: &Analysis) -> Vec<(String, Entry)> {
    let (file, offset) = fixture.cursor.expect("a cursor");
    let id = analysis.program().file(&fixture.files[file].path);
    let at = Span::new(offset as u32, offset as u32);
    let found = actions(analysis, id.expect("it was given"), at).into_iter();
    found
        .filter_map(|a| match a.effect {
            Effect::Dismiss(entry) => Some((a.title, entry)),
            _ => None,
        })
        .collect()
}

pub(super) fn without(analysis: &Analysis, entries: &[Entry]) -> Analysis {
    let dismissed: Dismissed = entries.iter().cloned().collect();
    analysis.with_dismissed(Arc::new(dismissed))
}

#[test]
fn what_a_lens_names_is_dismissed_in_three_widths() {
    let fixture = Fixture::parse(&tests());
    let all = analysis(&fixture);
    assert_eq!(lenses(&all), [NEXT; 3]);
    let offered = offered(&fixture, &all);
    let titles: Vec<&str> = offered.iter().map(|o| o.0.as_str()).collect();
    assert_eq!(
        titles,
        [
            "Not this one: account.getBalance() in this test",
            "Not this one: Account.getBalance() in this class",
            "Not this one: Account.getBalance() in this project",
        ]
    );
    let left = |at: usize| lenses(&without(&all, &[offered[at].1.clone()]));
    let in_class: Vec<String> = left(1);
    assert_eq!(left(0).iter().filter(|l| *l == NEXT).count(), 2);
    assert_eq!(in_class.iter().filter(|l| *l == NEXT).count(), 1);
    assert!(!left(2).contains(&NEXT.to_owned()));
    // Undone, it is there again.
    let hidden = without(&all, &[offered[2].1.clone()]);
    assert_eq!(lenses(&without(&hidden, &[])), [NEXT; 3]);
}

#[test]
fn a_type_that_nobody_knows_is_not_named() {
    assert_eq!(in_words(("?", "isRight(..)")), "isRight(..)");
    assert_eq!(in_words(("?", "")), "a value itself");
    assert_eq!(in_words(("Box", "open()")), "Box.open()");
    assert_eq!(in_words(("Box", "")), "a Box itself");
}

#[test]
fn a_dismissed_value_is_on_no_list_and_no_action_asserts_it() {
    let fixture = Fixture::parse(&tests());
    let all = analysis(&fixture);
    let (_, entry) = offered(&fixture, &all).remove(0);
    let less = without(&all, &[entry]);
    assert!(offered(&fixture, &less).is_empty());
    let (file, offset) = fixture.cursor.expect("a cursor");
    let id = less.program().file(&fixture.files[file].path);
    let at = Span::new(offset as u32, offset as u32);
    let titles = actions(&less, id.expect("it was given"), at);
    assert!(
        titles
            .iter()
            .all(|a| a.title != "Assert account.getBalance()")
    );
}

#[test]
fn entries_survive_moved_lines() {
    let fixture = Fixture::parse(&tests());
    let (_, entry) = offered(&fixture, &analysis(&fixture)).remove(0);
    let moved = tests().replace(
        "class AccountTest {",
        "\n// new\n\nclass AccountTest {\n    int a;\n",
    );
    let later = analysis(&Fixture::parse(&moved));
    assert_eq!(lenses(&later), [NEXT; 3]);
    let less = lenses(&without(&later, &[entry]));
    assert_eq!(less.iter().filter(|l| *l == NEXT).count(), 2);
}

#[test]
fn what_is_dismissed_again_and_again_goes_quiet() {
    let fixture = Fixture::parse(&tests());
    let all = analysis(&fixture);
    let here = offered(&fixture, &all).remove(0).1;
    let in_test = |name: &str| Entry {
        within: Some(name.to_owned()),
        ..here.clone()
    };
    let two = [in_test("A#a()"), in_test("B#b()")];
    assert_eq!(lenses(&without(&all, &two)), [NEXT; 3]);
    let three = [in_test("A#a()"), in_test("B#b()"), in_test("C#c()")];
    assert!(!lenses(&without(&all, &three)).contains(&NEXT.to_owned()));
}

#[test]
fn a_kind_is_never_all_numbers_of_a_project() {
    let fixture = Fixture::parse(
        "//- /src/main/java/A.java
class A { static int twice(int n) { int m = n * 2; return m; } }
//- /src/test/java/ATest.java
class ATest { @Test void twi$0ce() { int a = A.twice(3); } }
",
    );
    let titles = offered(&fixture, &analysis(&fixture));
    let titles: Vec<&str> = titles.iter().map(|o| o.0.as_str()).collect();
    assert_eq!(titles, ["Not this one: a in this test"]);
}

#[test]
fn a_hint_is_dismissed_where_it_stands() {
    let text = "//- /src/main/java/Price.java
class Price {
    static final int RATE = 19;
    int of(int net, int count) {
        int gross = net * co$0unt + net * RATE / 100;
        return gross;
    }
}
";
    let fixture = Fixture::parse(text);
    let all = analysis(&fixture);
    let file = all.program().file("src/main/java/Price.java").expect("it");
    assert_eq!(all_hints(&all, file).len(), 1);
    let offered = offered(&fixture, &all);
    let titles: Vec<&str> = offered.iter().map(|o| o.0.as_str()).collect();
    assert_eq!(
        titles,
        [
            "Not this one: gross",
            "Not this one: any gross in this class",
            "Not this one: any gross in this project",
        ]
    );
    for (_, entry) in offered {
        assert_eq!(all_hints(&without(&all, &[entry]), file), []);
    }
    let other = Entry {
        of: Some("Price#other()".to_owned()),
        variable: Some("gross".to_owned()),
        ..Entry::default()
    };
    assert_eq!(all_hints(&without(&all, &[other]), file).len(), 1);
}

#[test]
fn where_nothing_is_named_nothing_is_to_be_dismissed() {
    for text in [
        "//- /src/test/java/T.java\nclass T { @Test void t$0() { int a = 1; } }",
        "//- /src/main/java/M.java\nclass M { int f(int a) { int b = a$0; return b; } }",
        "//- /src/main/java/M.java\nclass M$0 { }",
    ] {
        let fixture = Fixture::parse(text);
        assert_eq!(offered(&fixture, &analysis(&fixture)), [], "{text}");
    }
}

#[test]
fn an_entry_is_stale_when_what_it_names_is_gone() {
    let fixture = Fixture::parse(&tests());
    let all = analysis(&fixture);
    let why = |entry: &Entry| stale(all.program(), entry);
    let here = offered(&fixture, &all).remove(0).1;
    assert_eq!(why(&here), None);
    let other = Entry {
        value: Some("bill.total()".to_owned()),
        ..here.clone()
    };
    assert_eq!(
        why(&other).as_deref(),
        Some("AccountTest#deposits() has no bill")
    );
    let gone = Entry {
        within: Some("AccountTest#withdraws()".to_owned()),
        ..here.clone()
    };
    assert_eq!(
        why(&gone).as_deref(),
        Some("there is no AccountTest#withdraws()")
    );
    let of = Entry {
        of: Some("Bill".to_owned()),
        variable: Some("x".to_owned()),
        ..Entry::default()
    };
    assert_eq!(why(&of).as_deref(), Some("there is no class Bill"));
}

/// What was dismissed takes no place of what is left, in either list.
#[test]
fn a_short_list_has_what_was_not_dismissed() {
    let fixture = Fixture::parse(
        "//- /src/main/java/Stats.java
public class Stats {
    private int sum; private int odd; private int secret; private int other;
    public void add(int n) {
        int twice = n * 2;
        sum = sum + twice; odd = odd + n % 2;
        secret = secret + n % 5; other = other + n % 7;
    }
    public int getSum() { return sum; }
    public int getOdd() { return odd; }
}
//- /src/test/java/StatsTest.java
class StatsTest { @Test void adds() { Stats stats = new Stats(); stats.add(3); } }
",
    );
    let all = analysis(&fixture);
    let test = all.workspace().suite().tests()[0];
    let first = all.offered(test);
    let (read, inside) = (&first.readable[0], &first.inside[0]);
    let entries = [
        Entry {
            ty: Some(read.asked.ty.to_string()),
            query: Some(read.asked.query.to_string()),
            ..Entry::default()
        },
        Entry {
            of: Some(inside.key.0.clone()),
            variable: Some(inside.key.1.clone()),
            ..Entry::default()
        },
    ];
    let less = without(&all, &entries);
    let lists = |top: usize| -> [Vec<String>; 2] {
        let settings = observe::Settings {
            top,
            ..*less.settings()
        };
        let o = less.with_settings(settings).offered(test);
        let readable = o.readable.iter().map(|r| r.expression.clone());
        let inside = o.inside.iter().map(|i| i.name.clone());
        [readable.collect(), inside.collect()]
    };
    let long = lists(10);
    let dismissed = [&read.expression, &inside.name];
    for (list, dismissed) in long.iter().zip(dismissed) {
        assert!(!list.is_empty() && !list.contains(dismissed), "{list:?}");
    }
    for top in 1..=2 {
        for (short, long) in lists(top).iter().zip(&long) {
            assert_eq!(short[..], long[..top.min(long.len())]);
        }
    }
}
