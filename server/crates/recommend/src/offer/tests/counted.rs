//! How many there are, asserted in the words of each framework; and assertions that only begin.

use super::worth::is_worth;

const MAIN: &str = "package p; public class Account { private int last = 3;
public List<String> names(int n) { String cut = \"n\" + n * last; return List.of(cut, cut + 1); }
    public List<String> chosen(List<String> of) { return of.stream().filter(n -> is(n)).toList(); }
    private boolean is(String n) { int long1 = n.length() * last; return long1 > 7; }
    public List<Account> own(List<Account> of) { return of.stream().filter(n -> is(\"\" + n.last)).toList(); }
    public int next(int by) { last = last * by + 1; return last; } }";

/// What is left of a list that is only counted is worth an assertion, whatever the words.
#[test]
fn a_list_that_is_only_counted_is_worth_an_assertion() {
    let made = "List<String> all = new Account().names(2);";
    for asserted in [
        "assertEquals(2, all.size());",
        "assertThat(all).hasSize(2);",
        "assertThat(all).as(\"all\").isNotEmpty().hasSize(2);",
        "assertThat(all.size()).isEqualTo(2);",
        "then(all).hasSize(2);",
        "BDDAssertions.then(all).isNotEmpty();",
        "assertThat(all, hasSize(2));",
        "assertThat(\"all\", all, is(hasSize(2)));",
        "assertThat(all, is(not(empty())));",
        "assertThat(all, not(emptyIterable()));",
        "int two = 2; assertEquals(two, all.size());",
    ] {
        let body = format!("{made} {asserted}");
        assert_eq!(is_worth(MAIN, &body, "all"), Some(true), "{asserted}");
    }
    for asserted in [
        "assertThat(all).hasSize(0);",
        "then(all).containsExactly(\"n0\", \"n3\");",
        "then(all).hasSize(2); then(all.get(0)).isEqualTo(\"n0\");",
        "assertThat(all, hasSize(0));",
        "assertThat(all, is(empty()));",
        "assertThat(all, is(emptyIterable()));",
        "assertThat(all, not(hasSize(2)));",
        "assertThat(all, hasItem(\"n0\"));",
        "assertThat(all, everyItem(hasSize(2)));",
        "int before = new Account().names(1).size(); assertEquals(before, all.size());",
        "int before = new Account().names(1).size(); assertThat(all).hasSize(before);",
        "assertNotNull(all); assertEquals(2, all.size()); int sum = 0; \
         for (String one : all) { sum += one.length(); } assertEquals(4, sum);",
        "assertThat(all).isEmpty();",
        "assertThat(all).hasSize(2).contains(\"n0\");",
        "assertThat(all).hasSize(2); assertEquals(\"n0\", all.get(0));",
        "assertThat(all).hasSize(2); assertThat(all).containsExactly(\"n0\", \"n3\");",
        "assertEquals(2, all.size()); for (String one : all) { assertEquals(\"n0\", one); }",
        "assertThat(all).hasSize(2); for (String one : all) { assertEquals(\"n0\", one); }",
    ] {
        let body = format!("{made} {asserted}");
        assert_ne!(is_worth(MAIN, &body, "all"), Some(true), "{asserted}");
    }
}

/// How many are left of a list says little of which.
#[test]
fn what_is_chosen_of_a_list_is_more_than_how_many() {
    let of = |what: &str, asserted: &str| {
        let body = format!("List<{what}> left = new Account().{asserted}");
        is_worth(MAIN, &body, "left")
    };
    let given = "chosen(List.of(\"a\", \"bcd\"));";
    for counted in [
        "assertEquals(1, left.size());",
        "assertThat(left).hasSize(1);",
        "assertThat(left.size(), is(1));",
    ] {
        assert_eq!(
            of("String", &format!("{given} {counted}")),
            Some(true),
            "{counted}"
        );
    }
    let none = format!("{given} assertEquals(0, left.size());");
    assert_ne!(of("String", &none), Some(true));
    let own = "own(List.of(new Account())); assertEquals(1, left.size());";
    assert_ne!(of("Account", own), Some(true));
}

/// `assertThat(a == b);` asserts nothing.
#[test]
fn the_beginning_of_an_assertion_says_nothing() {
    let worth = |asserted: &str| {
        let body = format!("int n = new Account().next(2); {asserted}");
        is_worth(MAIN, &body, "n") == Some(true)
    };
    assert!(worth("assertThat(n == 7);"));
    assert!(worth("assertThat(n);"));
    assert!(!worth("assertThat(n == 7).isTrue();"));
    assert!(!worth("assertThat(n, is(7));"));
}

/// What code under test kept and gives back: how many there are says little of which.
#[test]
fn a_list_of_what_was_kept_that_is_only_counted_is_worth_an_assertion() {
    let main = "package p; public class Account { private final List<String> kept = new ArrayList<>();
        public void add(String s) { kept.add(s); } public List<String> all() { return new ArrayList<>(kept); } }";
    let made = "Account a = new Account(); a.add(\"x\"); a.add(\"y\"); List<String> all = a.all();";
    for (asserted, expected) in [
        ("assertEquals(2, all.size());", true),
        ("assertThat(all).hasSize(2);", true),
        ("assertTrue(all.isEmpty());", false),
        (
            "assertEquals(2, all.size()); assertTrue(all.contains(\"x\"));",
            false,
        ),
        (
            "assertEquals(2, all.size()); for (String one : all) { assertTrue(one.length() == 1); }",
            false,
        ),
    ] {
        let found = is_worth(main, &format!("{made} {asserted}"), "all");
        assert_eq!(found == Some(true), expected, "{asserted}");
    }
}

/// What somebody may read on a screen nobody checks.
#[test]
fn what_is_printed_is_not_asserted() {
    let made = "int n = new Account().next(2); Account a = new Account(); a.next(3);";
    let main = MAIN.replace(
        "public int next",
        "public int last() { return last; } public int next",
    );
    for (printed, expected) in [
        ("", true),
        ("System.out.println(a.last());", true),
        ("System.out.println(\"last \" + a.last());", true),
        ("System.out.println(Math.abs(a.last()) > 3);", true),
        ("assertEquals(7, a.last());", false),
    ] {
        let found = is_worth(&main, &format!("{made} {printed}"), "a.last()");
        assert_eq!(found == Some(true), expected, "{printed}");
    }
}

/// That there is something says nothing of what it is, in whatever form.
#[test]
fn a_condition_that_something_is_there_says_no_more() {
    let main =
        "package p; public class Account { public String name(int n) { return \"n\" + n * 3; } }";
    for (asserted, expected) in [
        ("assertNotNull(name);", true),
        ("assert name != null;", true),
        ("assertTrue(name != null);", true),
        ("assertTrue(name != null, \"there\");", true),
        ("assertFalse(name == null);", true),
        ("assertTrue(!(name == null));", true),
        ("assertTrue(name == null);", false),
        ("assertFalse(name != null);", false),
        ("assertTrue(name != null && name.equals(\"n6\"));", false),
        ("assertTrue(name != null || name.isEmpty());", false),
        (
            "assert name != null && name.length() == 2 && name.startsWith(\"n\");",
            false,
        ),
    ] {
        let body = format!("String name = new Account().name(2); {asserted}");
        let found = is_worth(main, &body, "name");
        assert_eq!(found == Some(true), expected, "{asserted}");
    }
}

/// What a framework writes the code of, and no mock answers.
#[test]
fn of_a_list_of_an_unseen_query_it_matters_which_where_more_was_stored() {
    let main = "package p; public class Account { public static Store store() { return Db.make(Store.class); } }
        interface Store { void save(String s); void saveAll(List<String> s); List<String> names(int n); List<Row> rows(int n); }
        class Row { int n; }";
    let worth = |body: &str, what: &str| is_worth(main, body, what) == Some(true);
    let of = |stored: &str| {
        let body = format!(
            "Store store = Account.store(); {stored} List<String> all = store.names(2); \
             assertEquals(2, all.size());"
        );
        worth(&body, "all")
    };
    assert!(!of(""));
    let asked = "List<String> all = Account.store().names(2); \
        assertThat(all.size(), new IsEqual<>(all.size()));";
    assert!(!worth(asked, "all"));
    assert!(!of("store.save(\"a\"); store.save(\"b\");"));
    assert!(of(
        "store.save(\"a\"); store.save(\"b\"); store.save(\"c\");"
    ));
    assert!(of("store.saveAll(List.of(\"a\", \"b\", \"c\"));"));
    let made = "Store store = Account.store(); store.save(\"a\"); store.save(\"b\"); \
        store.save(\"c\"); List<String> all = store.names(2);";
    assert!(worth(&format!("{made} assertThat(all).hasSize(2);"), "all"));
    assert!(!worth(
        &format!("{made} assertThat(all).hasSize(2); assertEquals(\"a\", all.get(0));"),
        "all"
    ));
    // The same only as themselves.
    let rows = "List<Row> rows = Account.store().rows(2); assertEquals(2, rows.size());";
    assert!(!worth(rows, "rows"));
    let mocked = "Store store = mock(Store.class); when(store.names(2)).thenReturn(List.of(\"a\", \"b\")); List<String> all = store.names(2); assertEquals(2, all.size());";
    assert!(!worth(mocked, "all"));
}

#[test]
fn a_part_of_what_nobody_sees_is_somebody_elses() {
    let main = "package p; public class Account { public static Store store() { return Db.make(Store.class); }
        public static Row made(int n) { Row row = new Row(); row.n = \"n\" + n * 2; return row; } }
        interface Store { Row row(int n); }
        class Row { String n; public String getN() { return n; } }";
    let of = |given: &str| {
        let body = format!("Row row = {given}; assertNotNull(row.getN());");
        is_worth(main, &body, "row.getN()") == Some(true)
    };
    assert!(of("Account.made(3)"));
    assert!(!of("Account.store().row(3)"));
}

#[test]
fn a_view_that_is_only_counted_shows_nothing_of_what_is_behind_it() {
    let main = "package p; public class Account extends AbstractList<String> { private final List<String> all;
        public Account(List<String> all) { this.all = all; }
        public String get(int i) { return all.get(i); } public int size() { return all.size(); } }";
    let of = |asserted: &str| {
        let body = format!("List<String> all = new Account(far.Away.list()); {asserted}");
        is_worth(main, &body, "all") == Some(true)
    };
    assert!(!of("assertThat(all.size(), new IsEqual<>(all.size()));"));
    assert!(!of("assertEquals(3, all.size());"));
}

/// What the same method gave before the last act says how things stood.
#[test]
fn what_the_same_method_gave_before_is_how_things_stood() {
    let main = "package p; public class Account { private final List<String> kept = new ArrayList<>();
        public void keep(String k) { kept.add(k + kept.size()); }
        public List<String> kept(int from) { List<String> out = new ArrayList<>(); for (String k : kept) { if (k.length() > from) { out.add(k + out.size()); } } return out; } }";
    let of = |again: &str| {
        let body = format!(
            "Account a = new Account(); a.keep(\"x\"); List<String> was = a.kept(0); assertEquals(1, was.size()); \
             a.keep(\"y\"); {again}"
        );
        is_worth(main, &body, "was") == Some(true)
    };
    let again = "List<String> now = a.kept(1); assertEquals(2, now.size());";
    assert!(of("a.keep(\"z\");"));
    assert!(!of(again));
}

/// As many of an enum as there are, are all of them; and a test may say by its name that it counts.
#[test]
fn how_many_there_are_may_be_all_that_there_is() {
    let main = "package p; public class Account { private final List<String> kept = new ArrayList<>();
        public void keep(String k) { kept.add(k + kept.size()); }
        public Set<Kind> kinds() { Set<Kind> out = new HashSet<>(); for (Kind k : Kind.values()) { if (k.name().length() > kept.size()) { out.add(k); } } return out; }
        public List<String> kept() { List<String> out = new ArrayList<>(); for (String k : kept) { out.add(k + out.size()); } return out; }
        public enum Kind { SMALL, BIG, HUGE } }";
    let kinds = |n: &str| {
        let body = format!(
            "Account a = new Account(); a.keep(\"x\"); Set<Account.Kind> got = a.kinds(); assertEquals({n}, got.size());"
        );
        is_worth(main, &body, "got") == Some(true)
    };
    assert!(kinds("2"));
    assert!(!kinds("3"));
    assert!(!kinds("Account.Kind.values().length"));
    let named = |name: &str| {
        let body = "Account a = new Account(); a.keep(\"x\"); List<String> got = a.kept(); assertEquals(1, got.size());";
        let o = super::case(main, name, "", body).offer(&super::Switches::default());
        let mut worth = o.readable.iter().filter(|r| o.is_worth(r.vertex));
        worth.any(|r| o.observations[&r.vertex].expression == "got")
    };
    assert!(named("keeps"));
    assert!(!named("keepsASingleOne"));
    assert!(!named("keepsRandomOnes"), "chance");
}
