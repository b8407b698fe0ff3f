//! What code under test hands on of what a test told it.

use super::worth::is_worth;

/// A service with a store that is a mock, and what its method does.
fn shop(gives: &str) -> String {
    format!(
        "package p; import java.util.*; import java.util.function.*; import java.util.stream.*; public class Account {{
        private final Store store; private final org.lib.Transactions transactions;
        public Account(Store store) {{ this.store = store; this.transactions = new org.lib.Transactions(); }}
        public String all() {{ {gives} }}
        private String first(List<Row> rows) {{ return rows.get(0).name(); }}
        private String same(String text) {{ String kept = text; return kept; }}
        private void check(Row row) {{ if (row == null) {{ throw new IllegalStateException(); }} }}
        private int seen; private void audit(String text) {{ seen = seen + 1; }}
        private void rename(Row row) {{ row.name = \"other\"; }} }}
        interface Store {{ Row one(); List<String> names(); List<Row> rows(); String text(); Optional<String> perhaps(); void keep(Row row); }}
        class Row {{ String name; String name() {{ return name; }} String loud() {{ return name + \"!\"; }} }}"
    )
}

fn is_told(gives: &str) -> bool {
    let test = "Store store = mock(Store.class); Account a = new Account(store); a.all();";
    is_worth(&shop(gives), test, "a.all()") == Some(true)
}

#[test]
fn an_answer_is_followed_through_what_only_carries_it() {
    for gives in [
        "return same(store.text());",
        "return store.one().name();",
        "Row row = store.one(); check(row); store.keep(row); return row.name();",
        "return first(store.rows());",
        "List<Row> all = new ArrayList<>(); all.addAll(store.rows()); return first(all);",
        "List<Row> all = new ArrayList<>(); for (Row row : store.rows()) { all.add(row); } return first(all);",
        "return transactions.execute(status -> store.text());",
        "return transactions.execute(status -> { String text = store.text(); return text; });",
        "return store.perhaps().map(text -> same(text)).orElse(\"\");",
        "return store.perhaps().map(this::same).orElseThrow(() -> new IllegalStateException(\"no\"));",
        "return store.perhaps().orElseGet(() -> store.text());",
        "return Optional.ofNullable(store.text()).orElse(null);",
        "return first(store.rows().stream().map(row -> row).collect(Collectors.toList()));",
        "String text = store.text(); audit(text); return text;",
        "List<String> all = store.names(); try { check(null); } catch (RuntimeException e) { all.add(\"no \" + e); } return all.get(0);",
        "List<String> all = store.names(); if (all.isEmpty()) { all.add(\"none\"); } return all.get(0);",
        "String text = null; try { text = store.text(); } catch (RuntimeException e) { text = \"no \" + e; } return text;",
        "try { return store.text(); } catch (RuntimeException e) { return \"none\"; }",
        "String text; switch (store.rows().size()) { case 0: text = store.text(); break; default: text = null; } return text;",
    ] {
        assert!(!is_told(gives), "{gives}");
    }
}

#[test]
fn what_code_makes_changes_or_chooses_is_no_answer() {
    for gives in [
        "return same(store.text()) + \"x\";",
        "return store.one().loud();",
        "Row row = store.one(); rename(row); return row.name();",
        "Row row = store.one(); row.name = \"other\"; return row.name();",
        "List<Row> all = store.rows(); Collections.sort(all, Comparator.comparing(Row::name)); return first(all);",
        "List<Row> all = store.rows(); all.removeIf(row -> row.name() == null); return first(all);",
        "return store.rows().stream().filter(row -> row.loud() != null).findFirst().get().name();",
        "return transactions.execute(status -> store.text() + status);",
        "return store.perhaps().map(text -> text + 1).orElse(\"\");",
        "return store.perhaps().orElse(\"none\");",
        "List<String> all = store.names(); all.add(\"none\"); return all.get(0);",
        "String text = store.text(); text += \"x\"; return text;",
        "String one = same(store.one().loud()); String two = same(store.text()); return store.rows().isEmpty() ? one : two;",
        "String one = same(store.text()); String two = same(store.one().loud()); return store.rows().isEmpty() ? one : two;",
    ] {
        assert!(is_told(gives), "{gives}");
    }
}

/// What the test gave comes back as it was, but for what the code under test did with it.
#[test]
fn an_argument_that_comes_back_is_the_tests_own() {
    let main = |gives: &str| {
        format!(
            "package p; public class Account {{ private final Store store; public Account(Store store) {{ this.store = store; }}
            private void rename(Row row) {{ row.name = \"x\"; }}
            public Row save(Row row) {{ {gives} }} }}
            interface Store {{ void keep(Row row); }}
            class Row {{ public String name; public boolean equals(Object o) {{ return true; }} public int hashCode() {{ return 1; }} }}"
        )
    };
    let test = "Store store = mock(Store.class); Row own = new Row(); Account a = new Account(store); a.save(own);";
    let is_told = |gives: &str| is_worth(&main(gives), test, "a.save(own)") == Some(true);
    assert!(!is_told("store.keep(row); return row;"));
    assert!(is_told("row.name = \"x\"; store.keep(row); return row;"));
    assert!(is_told("rename(row); return row;"));
    assert!(is_told("store.keep(row); return new Row();"));
}

/// What a constructor keeps of its arguments, and a getter gives back.
#[test]
fn a_field_that_the_test_gave_is_its_own() {
    let main = |gives: &str, gets: &str| {
        format!(
            "package p; import java.util.*; public class Account {{
            private final String name; private final List<String> all; private Row row;
            private Account(String name, List<String> all) {{ {gives} this.row = new Row(name); }}
            public Account(String name) {{ this(name, new ArrayList<>()); }}
            public static Account of(String name, List<String> all) {{ Account made = new Account(name, all); return made; }}
            public String getName() {{ {gets} }}
            public List<String> getAll() {{ return all; }}
            public Row getRow() {{ return row; }}
            public String joined() {{ return String.join(\",\", all) + Labels.of(all); }}
            public void clear() {{ all.clear(); }} }}
            class Labels {{ static int asked; static int of(List<String> all) {{ asked++; return all.size(); }} }}
            record Row(String text) {{ }}"
        )
    };
    let keeps = "this.name = name.trim(); this.all = new ArrayList<>(all);";
    let is_told = |gives: &str, gets: &str, test: &str, value: &str| {
        is_worth(&main(gives, gets), test, value) == Some(true)
    };
    let name = "return this.name;";
    let made = "Account a = Account.of(\"x\", List.of(\"a\", \"b\")); assertNotNull(a.getName());";
    let counted =
        "Account a = Account.of(\"x\", List.of(\"a\", \"b\")); assertEquals(2, a.getAll().size());";
    let plain = "Account a = new Account(\"x\"); assertNotNull(a.getName());";
    let given = "List<String> own = List.of(\"a\", \"b\"); Account a = Account.of(\"x\", own); \
        List<String> got = a.getAll(); assertEquals(2, got.size());";
    assert!(!is_told(keeps, name, made, "a.getName()"));
    assert!(!is_told(keeps, name, plain, "a.getName()"));
    assert!(!is_told(keeps, name, counted, "a.getAll()"));
    assert!(!is_told(keeps, name, given, "got"));
    let joined = format!("{counted} assertEquals(\"a,b2\", a.joined());");
    assert!(!is_told(keeps, name, &joined, "a.getAll()"));
    // Something puts other elements into it.
    let cleared = given.replace("List<String> got", "a.clear(); List<String> got");
    assert!(is_told(keeps, name, &cleared, "got"));
    // The constructor, or the getter, does something with it.
    let loud = "this.name = name + \"!\"; this.all = all.subList(0, 1);";
    assert!(is_told(loud, name, made, "a.getName()"));
    assert!(is_told(loud, name, given, "got"));
    assert!(is_told(keeps, "return name + row;", made, "a.getName()"));
}

/// The same of lists that the test puts together, and of a factory that takes them.
#[test]
fn lists_that_the_test_puts_together_are_its_own() {
    let main = "package p; import java.util.*; public class Account {
        private final Collection<String> errors; private final Collection<String> warnings;
        public static Account errors(Collection<String> errors) { return new Account(errors, List.of()); }
        public static Account errors(String... errors) { return new Account(Arrays.asList(errors), List.of()); }
        private Account(Collection<String> errors, Collection<String> warnings) { this.errors = errors; this.warnings = warnings; }
        public Collection<String> getErrors() { return errors; }
        public String combined() { return combine(errors); }
        private String combine(Collection<String> all) { return org.lib.Strings.join(all, \", \"); } }";
    let counted = |made: &str| {
        let test = format!(
            "{made} assertEquals(2, e.getErrors().size()); assertEquals(\"a, b\", e.combined());"
        );
        let members = "static final String A = \"a\"; private String b = \"b\";";
        super::worth::is_worth_with(main, members, &test, "e.getErrors()") == Some(true)
    };
    assert!(!counted(
        "List<String> all = List.of(A, \"b\"); Account e = Account.errors(all);"
    ));
    assert!(!counted("Account e = Account.errors(List.of(A, b));"));
    assert!(!counted("Account e = Account.errors(\"a\", b);"));
}

/// Of a builder that is written out, too.
#[test]
fn what_a_builder_is_given_is_the_tests_own() {
    let main = |sets: &str| {
        format!(
            "package p; public class Account {{ private final String name; private final int age;
            private Account(Builder builder) {{ this.name = builder.name; this.age = builder.age * 2; }}
            public static Builder builder() {{ return new Builder(); }}
            public String name() {{ return name; }} public int age() {{ return age; }}
            public static class Builder {{ private String name = \"\"; private int age;
            public Builder name(String name) {{ {sets} return this; }}
            public Builder age(int age) {{ this.age = age; return this; }}
            public Account build() {{ return new Account(this); }} }} }}"
        )
    };
    let test = "Account a = Account.builder().name(\"x\").age(3).build(); assertNotNull(a.name());";
    let is_told = |sets: &str| is_worth(&main(sets), test, "a.name()") == Some(true);
    assert!(!is_told("this.name = name;"));
    assert!(is_told("this.name = name + \"!\";"));
    // What only checks, by its name, gives back what it is given.
    let checks = "this.name = validateName(name); return this; } static String validateName(String n) { \
        return n + \"!\"; } Builder self() {";
    assert!(!is_told(checks));
    assert!(is_told(&checks.replace("validateName", "spelled")));
    // What the test puts together itself is its own, too.
    let joined = test.replace("\"x\"", "\"x\" + 1");
    assert_ne!(
        is_worth(&main("this.name = name;"), &joined, "a.name()"),
        Some(true)
    );
}

/// Which of two arguments comes back, the code under test decides.
#[test]
fn what_is_chosen_among_arguments_is_the_codes() {
    let main = |gives: &str| {
        format!(
            "package p; public class Account {{ public static String of(String a, String b) {{ {gives} }} }}"
        )
    };
    let test = "String got = Account.of(\"x\", \"y\"); assertNotNull(got);";
    let is_told = |gives: &str| is_worth(&main(gives), test, "got") == Some(true);
    assert!(!is_told("return a == null ? null : a;"));
    for chosen in [
        "return a.compareTo(b) > 0 ? a : b;",
        "if (a.compareTo(b) > 0) { return a; } return b;",
        "String out = a; if (a.compareTo(b) < 0) { out = b; } return out;",
    ] {
        assert!(is_told(chosen), "{chosen}");
    }
}

/// What a function of the test gives where the code runs it, and what a class of the test does in the place of the code's.
#[test]
fn what_the_tests_own_code_gives_is_its_own() {
    let main =
        "package p; import java.util.function.*; public class Account { private final Store store;
        public Account(Store store) { this.store = store; }
        public static <T> T timed(Supplier<T> action) { T got = action.get(); return got; }
        public String text() { String text = store.text(); return text; } }
        interface Store { String text(); }";
    let is_told = |members: &str, test: &str, value: &str| {
        super::worth::is_worth_with(main, members, test, value) == Some(true)
    };
    let timed = |function: &str| {
        is_told(
            "",
            &format!("String got = Account.timed(() -> {function}); assertNotNull(got);"),
            "got",
        )
    };
    assert!(!timed("\"x\""));
    let fake =
        "static class Fake implements Store { int n; public String text() { return \"a\" + n; } }";
    let test = "String got = new Account(new Fake()).text(); assertNotNull(got);";
    assert!(!is_told(fake, test, "got"));
}

/// A mock of a class of the code answers for each element, whether somebody told it what or not.
#[test]
fn what_a_mock_makes_of_each_element_is_its_answer() {
    let main = "package p; import java.util.*; public class Account { private final Store store; private final Mapper mapper;
        public Account(Store store, Mapper mapper) { this.store = store; this.mapper = mapper; }
        public List<Cell> all(Integer n) { List<Row> rows = store.rows(); rows = some(rows, n); if (n == null) { rows.forEach(row -> row.seen().clear()); } \
            return rows.stream().map(mapper::cell).toList(); }
        private List<Row> some(List<Row> rows, Integer n) { if (n == null) { return rows; } return rows.stream().filter(r -> r.n() == n).toList(); } }
        interface Store { List<Row> rows(); }
        class Mapper { private int k = 2; public Cell cell(Row row) { int m = row.n() * k; return new Cell(m); } }
        class Row { private int n; private List<String> seen; Row(int n) { this.n = n; } int n() { return n; } List<String> seen() { return seen; } }
        record Cell(int m) {}";
    let is_told = |mapper: &str| {
        let body = format!(
            "Store store = mock(Store.class); when(store.rows()).thenReturn(List.of(new Row(1), new Row(2))); \
            Account a = new Account(store, {mapper}); var all = a.all(1); assertEquals(1, all.size());"
        );
        is_worth(main, &body, "all") == Some(true)
    };
    assert!(is_told("new Mapper()"));
    assert!(!is_told("mock(Mapper.class)"));
}

/// What a setter was given, its getter gives back: of a local, and of what the class of the test holds.
#[test]
fn what_is_set_and_asked_is_the_tests_own() {
    let main = |sets: &str| {
        format!(
            "package p; public class Account {{ private String name = \"n\"; private int age; \
            public void rename(String name) {{ {sets} }} public void setAge(int age) {{ this.age = age * 2; }} \
            public String getName() {{ return name; }} }}"
        )
    };
    let is_told = |sets: &str, members: &str, made: &str| {
        let body = format!(
            "{made} a.rename(\"x\"); a.setAge(3); String got = a.getName(); assertNotNull(got);"
        );
        super::worth::is_worth_with(&main(sets), members, &body, "got") == Some(true)
    };
    let (held, made) = ("Account a = new Account();", "Account a = new Account();");
    for (members, made) in [("", made), (held, "")] {
        assert!(!is_told("this.name = name;", members, made), "{members}");
        assert!(
            is_told("this.name = name + \"!\";", members, made),
            "{members}"
        );
    }
}
