//! What mocks answer, what a field begins with, and calls that are made for mocks.

use super::*;

const SHOP: &str = "
package p;
public class Account {
    private final Store store;
    private int retries = 3 * Store.FACTOR;
    private java.util.List<String> names = java.util.List.of();
    public int state;
    public Account(Store store) { this.store = store; }
    public int total(int by) {
        Row row = store.find(by);
        Row same = store.perhaps(by).orElse(null);
        int price = row.price() * by;
        state = price + retries;
        return state > 7 ? 1 : 2;
    }
    public static int rated(int by) { return by * 2; }
}
class Store {
    static final int FACTOR = 2;
    Row find(int by) { Row found = new Row(); int read = by + 1; found.price = read; return found; }
    java.util.Optional<Row> perhaps(int by) { return java.util.Optional.of(find(by)); }
}
class Row { int price; int price() { return price; } }
";

const MOCKED: &str = "Store store = mock(Store.class); \
    when(store.find(2)).thenReturn(new Row()); Account a = new Account(store); a.total(2);";

#[test]
fn what_a_mock_answers_is_the_tests_own() {
    let inside = with_main(SHOP, "", MOCKED).inside();
    assert!(inside.iter().any(|v| v == "price"), "{inside:?}");
    for own in ["row", "same", "store", "read", "found"] {
        assert!(!inside.iter().any(|v| v == own), "{own}: {inside:?}");
    }
    let made = MOCKED.replace("new Account(store)", "new Account(new Store())");
    let inside = with_main(SHOP, "", &made).inside();
    for own in ["row", "read"] {
        assert!(inside.iter().any(|v| v == own), "{own}: {inside:?}");
    }
}

#[test]
fn what_a_field_begins_with_is_known() {
    for defaults in [
        "",
        "static int own() { return 1; } private int own = own();",
    ] {
        let main = SHOP.replace(
            "public int state;",
            &format!("public int state; {defaults}"),
        );
        let inside = with_main(&main, "", MOCKED).inside();
        for own in ["retries", "names", "own"] {
            assert!(!inside.iter().any(|v| v == own), "{own}: {inside:?}");
        }
    }
}

#[test]
fn calls_that_a_mock_is_asked_by_are_not_dropped() {
    let verified = |asked: &str| {
        let body = format!("{MOCKED} {asked} Account.rated(2);");
        with_main(SHOP, "", &body).offers("Account.rated(2)")
    };
    assert!(verified(""));
    assert!(!verified("verifyStatic(Account.class);"));
    assert!(verified("verifyStatic(Account.class); Account.rated(3);"));
}

#[test]
fn what_is_put_away_in_the_end_is_not_wanted() {
    let rated = |body: &str| {
        let case = case(SHOP, "rated", "", body);
        let offer = case.offer(&Switches::default());
        let at = offer.observations.iter();
        let mut at = at.filter(|(_, o)| o.expression == "Account.rated(2)");
        let (vertex, _) = at.next().unwrap();
        offer.judged[vertex].is_ok()
    };
    assert!(rated("new Account(new Store()); Account.rated(2);"));
    assert!(!rated(
        "try { new Account(new Store()); } finally { Account.rated(2); }"
    ));
}

#[test]
fn what_a_list_of_one_thing_has_is_not_asked_of_another() {
    let main = "package p; public class Account { \
        public List<Row> rows() { List<Row> all = new ArrayList<>(); all.add(new Row()); return all; } \
        public List<String> names() { List<String> all = new ArrayList<>(); all.add(\"a\"); return all; } }
        class Row { private int price = 4; int price() { return price * 2; } }";
    let members = "@Test void rows() { List<Row> rows = new Account().rows(); assertEquals(8, rows.iterator().next().price()); }";
    let asked = |body: &str| {
        let case = with_members_last(main, members, body);
        case.iter()
            .any(|e| e.ends_with(".iterator().next().price()"))
    };
    assert!(asked("List<Row> all = new Account().rows();"));
    assert!(!asked("List<String> all = new Account().names();"));
}

/// What can be read in the last test of the class.
fn with_members_last(main: &str, members: &str, body: &str) -> Vec<String> {
    let case = with_main(main, members, body);
    let last = *case.workspace.suite().tests().last().unwrap();
    let run = case.workspace.own_run(last);
    let settings = Settings {
        top: 100,
        ..Settings::default()
    };
    let offer = offer(
        &case.workspace,
        &case.known,
        &[run],
        &settings,
        &Switches::default(),
    );
    let all = offer.readable.iter();
    all.map(|r| offer.observations[&r.vertex].expression.to_string())
        .collect()
}

/// A value that goes into what is asserted shows there, unless less of it does.
#[test]
fn what_goes_whole_into_what_is_asserted_is_not_inside() {
    let main = "package p; public class Account { \
        public String label(String of) { String cut = of.trim(); String joined = cut + 1; return joined; } \
        public boolean isLong(String of) { String kept = of.trim(); return kept.length() > 3; } \
        public int half(int of) { int doubled = of * 4; int halved = doubled / 8; return halved; } }";
    let inside = |body: &str| with_main(main, "", body).inside();
    let has = |body: &str, name: &str| inside(body).iter().any(|v| v == name);
    let asserted = inside("assertEquals(\"a1\", new Account().label(\" a\"));");
    assert!(asserted.is_empty(), "{asserted:?}");
    let barely = inside("assertNotNull(new Account().label(\" a\"));");
    assert!(!barely.is_empty(), "{barely:?}");
    // A division says less, and so does a question.
    let halved = "assertEquals(2, new Account().half(4));";
    assert!(has(halved, "doubled"), "{:?}", inside(halved));
    let asked = "assertTrue(new Account().isLong(\" abcd\"));";
    assert!(has(asked, "kept"), "{:?}", inside(asked));
}

/// What code under test only passes on from a mock is the test's own.
#[test]
fn what_is_nothing_but_a_mocks_answers_is_the_tests_own() {
    let main = |body: &str| {
        format!(
            "package p; import java.util.*; import java.util.stream.*; public class Account {{
            private final Store store; public Account(Store store) {{ this.store = store; }}
            public String one(int id) {{ String found = store.one(id); if (found == null) {{ throw new IllegalStateException(); }} return found; }}
            public List<String> found(List<Integer> ids) {{ {body} }} }}
            interface Store {{ List<String> all(Set<Integer> of); String one(int id); }}"
        )
    };
    let test = "Store store = mock(Store.class); when(store.all(any())).thenReturn(List.of(\"a\")); \
        when(store.one(anyInt())).thenReturn(\"a\", \"b\"); \
        List<String> got = new Account(store).found(List.of(1, 2)); assertEquals(2, got.size());";
    for (body, expected) in [
        (
            "Set<Integer> own = new HashSet<>(ids); return store.all(own);",
            false,
        ),
        (
            "return !ids.isEmpty() ? store.all(new HashSet<>(ids)) : Collections.emptyList();",
            false,
        ),
        (
            "List<String> kept = store.all(new HashSet<>(ids)); return kept;",
            false,
        ),
        (
            "return ids.stream().map(id -> store.one(id)).collect(Collectors.toList());",
            false,
        ),
        (
            "return ids.stream().distinct().map(id -> one(id)).collect(Collectors.toList());",
            false,
        ),
        (
            "return store.all(null).stream().map(String.class::cast).collect(Collectors.toList());",
            false,
        ),
        (
            "return ids.stream().map(store::one).map(String.class::cast).collect(Collectors.toList());",
            false,
        ),
        (
            "List<String> kept; if (ids.isEmpty()) { kept = store.all(null); } else { kept = store.all(new HashSet<>(ids)); } return kept;",
            false,
        ),
        // It does something with them.
        (
            "String both = store.one(1) + store.one(2); return List.of(both, both + 1);",
            true,
        ),
    ] {
        let found = super::worth::is_worth(&main(body), test, "got");
        assert_eq!(found == Some(true), expected, "{body}");
    }
}

/// `Store store = mock();` mocks what holds it.
#[test]
fn a_mock_is_of_the_type_that_holds_it() {
    let mocked = MOCKED.replace("mock(Store.class)", "mock()");
    let inside = with_main(SHOP, "", &mocked).inside();
    for own in ["row", "same", "store", "read", "found"] {
        assert!(!inside.iter().any(|v| v == own), "{own}: {inside:?}");
    }
    let of_field = mocked.replace("Store store = mock(); ", "");
    let inside = with_main(SHOP, "Store store = mock();", &of_field).inside();
    for own in ["row", "same", "store", "read", "found"] {
        assert!(!inside.iter().any(|v| v == own), "{own}: {inside:?}");
    }
}

/// Nor is it worth an assertion where the test drops it.
#[test]
fn what_a_test_drops_of_a_mocks_answers_is_its_own() {
    let main = |gives: &str| {
        format!(
            "package p; public class Account {{ private final Store store; public Account(Store store) {{ this.store = store; }}
            public String all() {{ {gives} }} }}
            interface Store {{ String one(); }}"
        )
    };
    let test = "Store store = mock(Store.class); Account a = new Account(store); a.all();";
    let worth = |gives: &str| super::worth::is_worth(&main(gives), test, "a.all()") == Some(true);
    assert!(!worth("return store.one();"));
    assert!(worth(
        "String one = store.one() + 1; return List.of(one, one + 2);"
    ));
}

/// Nor where the mock is of a library that is not here: its type is known by its name alone.
#[test]
fn what_a_mock_of_a_library_answers_is_its_own() {
    let main = |gives: &str| {
        format!(
            "package p; import org.lib.Store; public class Account {{ private final Store store; private final org.lib.Other other;
            public Account(Store store, org.lib.Other other) {{ this.store = store; this.other = other; }}
            public String all() {{ {gives} }} }}"
        )
    };
    let worth = |gives: &str| {
        let members = "@Mock org.lib.Store store; org.lib.Other other;";
        let test = "Account a = new Account(store, other); a.all();";
        super::worth::is_worth_with(&main(gives), members, test, "a.all()") == Some(true)
    };
    assert!(!worth("return (String) store.wrap(1, \"x\");"));
    assert!(!worth(
        "Store of = Stores.first(); return (String) of.wrap(1, \"x\");"
    ));
    assert!(worth(
        "org.lib.Other of = Others.first(); return (String) of.wrap(1, \"x\");"
    ));
    assert!(worth("return other.wrap(1, \"x\") + \"y\" + store.size();"));
    assert!(worth("return (String) other.wrap(1, \"x\");"));
}
