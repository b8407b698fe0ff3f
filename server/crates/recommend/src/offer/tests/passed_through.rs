//! What code under test hands on of what a test told it.

use super::worth::is_worth;

/// A service with a store that is a mock, and what its method does.
fn shop(gives: &str) -> String {
    format!(
        "package p; import java.util.*; import java.util.function.*; public class Account {{
        private final Store store; private final org.lib.Transactions transactions;
        public Account(Store store) {{ this.store = store; this.transactions = new org.lib.Transactions(); }}
        public String all() {{ {gives} }}
        private String first(List<Row> rows) {{ return rows.get(0).name(); }}
        private String same(String text) {{ String kept = text; return kept; }}
        private void check(Row row) {{ if (row == null) {{ throw new IllegalStateException(); }} }}
        private void rename(Row row) {{ row.name = \"other\"; }} }}
        interface Store {{ Row one(); List<Row> rows(); String text(); Optional<String> perhaps(); void keep(Row row); }}
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
        "String text = store.text(); text += \"x\"; return text;",
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
            public Row save(Row row) {{ {gives} }} }}
            interface Store {{ void keep(Row row); }}
            class Row {{ public String name; public boolean equals(Object o) {{ return true; }} public int hashCode() {{ return 1; }} }}"
        )
    };
    let test = "Store store = mock(Store.class); Row own = new Row(); Account a = new Account(store); a.save(own);";
    let is_told = |gives: &str| is_worth(&main(gives), test, "a.save(own)") == Some(true);
    assert!(!is_told("store.keep(row); return row;"));
    assert!(is_told("row.name = \"x\"; store.keep(row); return row;"));
    assert!(is_told("store.keep(row); return new Row();"));
}
