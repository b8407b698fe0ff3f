//! What a test has chosen, or does itself, though it says little of it.

use super::worth::{is_worth, is_worth_with};

const MAIN: &str = "package p; import java.util.stream.Stream; public class Account {
    private final Store store; public Account(Store store) { this.store = store; }
    public List<Row> all() { List<Row> out = new ArrayList<>(); out.addAll(store.page(1)); out.addAll(store.page(2)); return out; }
    public List<Row> some() { Stream<Row> rows = store.page(1).stream(); return rows.filter(r -> r.n() > 3).toList(); }
    public List<Row> there() { Stream<Row> rows = store.page(1).stream(); return rows.filter(Objects::nonNull).toList(); }
    public List<Row> made() { return store.page(1).stream().map(r -> new Row(r.n() * 2)).toList(); }
    public List<Cell> cells() { return store.page(1).stream().map(r -> new Cell(r.n() * 2)).toList(); }
    public Stream<Row> flow() { return store.page(1).stream().peek(r -> r.n()); }
    public List<Cell> mapped(Mapper mapper) { return store.page(1).stream().map(mapper::twice).peek(r -> r.n()).toList(); }
    public List<far.Away> away() { return store.away().stream().peek(r -> r.n()).toList(); }
    public List<far.Away> madeAway() { return store.page(1).stream().map(r -> { int m = r.n() * 2; return new far.Away(m); }).toList(); }
    public List<Cell> modelled() { List<Cell> out = new ArrayList<>(); for (Row r : store.page(1)) { Cell made = Model.map(r.n() * 2, Cell.class); out.add(made); } return out; }
    public List<String> texts() { List<String> out = new ArrayList<>(); for (Row r : store.page(1)) { String t = \"n\" + r.n(); out.add(t); } return out; }
    public boolean has(String text) { return texts().contains(text); }
    public int rows() { int n = store.page(1).size() * 3; return n; }
    public Row check(Row row) { if (row.n() < 0) throw new IllegalArgumentException(); int m = row.n() * 2; return new Row(m); }
    public String fetch(String url) { return fetch(url, 3); }
    public String fetch(String url, int times) { return open(url); }
    protected String open(String url) { String opened = url + store.page(1).size(); return opened; }
    public String twice(String url) { String both = open(url) + open(url); return both; } }
interface Store { List<Row> page(int n); List<far.Away> away(); }
class Mapper { Cell twice(Row r) { int m = r.n() * 2; return new Cell(m); } }
record Row(int n) {}
record Cell(int n) {}";

const MOCKED: &str = "Store store = mock(Store.class); when(store.page(1)).thenReturn(List.of(new Row(1))); \
    Account a = new Account(store);";

#[test]
fn what_passes_through_from_a_stub_is_known() {
    let of_type = |ty: &str, call: &str| {
        let body = format!("{MOCKED} List<{ty}> all = a.{call}(); assertEquals(1, all.size());");
        is_worth(MAIN, &body, "all") == Some(true)
    };
    let of = |call: &str| of_type("Row", call);
    assert!(!of("all"));
    assert!(of("some"), "chosen among them");
    assert!(!of("there"), "all that there are");
    assert!(of_type("Cell", "cells"), "made of them");
    assert!(!of("made"), "of the class that the mock answers with");
    assert!(!of("flow().toList"), "by a chain of a library");
    let there = |ty: &str, call: &str| {
        let asserted = "assertNotNull(all); assertEquals(1, all.size());";
        let body = format!("{MOCKED} List<{ty}> all = a.{call}(); {asserted}");
        is_worth(MAIN, &body, "all") == Some(true)
    };
    assert!(!there("Row", "all"));
    assert!(there("Cell", "cells"));
    assert!(!there("Row", "flow().toList"), "by a chain of a library");
    // What the test makes where there are mocks is theirs, however it gets into one; what it compares with is not.
    let held = |before: &str, after: &str| {
        let body = format!(
            "{before} Store store = mock(Store.class); Account a = new Account(store); \
             List<Row> all = a.made(); assertEquals(1, all.size()); {after}"
        );
        is_worth(MAIN, &body, "all") == Some(true)
    };
    assert!(held("", ""));
    assert!(!held("Row row = new Row(3); given(row);", ""));
    assert!(held("", "assertNotEquals(new Row(3), a);"));
    let mapped = |mapper: &str| {
        let body = format!(
            "Mapper mapper = {mapper}; {MOCKED} List<Cell> all = a.mapped(mapper); \
             assertNotNull(all); assertEquals(1, all.size());"
        );
        is_worth(MAIN, &body, "all") == Some(true)
    };
    assert!(!mapped("mock(Mapper.class)"));
    assert!(mapped("new Mapper()"));
    // Of a class that is not here, too.
    let far = |call: &str| {
        let body =
            format!("{MOCKED} List<far.Away> all = a.{call}(); assertEquals(1, all.size());");
        is_worth(MAIN, &body, "all") == Some(true)
    };
    assert!(!far("away"));
    assert!(far("madeAway"));
    assert!(of_type("Cell", "modelled"), "a library makes them");
    let texts = format!("{MOCKED} List<String> all = a.texts(); assertEquals(1, all.size());");
    assert_eq!(is_worth(MAIN, &texts, "all"), Some(true));
    // Texts that are only handed on are known where lists of them are told.
    let main = MAIN.replace(
        "List<far.Away> away(); }",
        "List<far.Away> away(); List<String> names(); }",
    );
    let main = main.replace(
        "public int rows()",
        "public List<String> names() { List<String> out = new ArrayList<>(); out.addAll(store.names()); return out; } public int rows()",
    );
    let names = |told: &str| {
        let body =
            format!("{MOCKED} {told} List<String> all = a.names(); assertEquals(1, all.size());");
        is_worth(&main, &body, "all") == Some(true)
    };
    assert!(names(""));
    assert!(!names("when(store.names()).thenReturn(List.of(\"a\"));"));
}

#[test]
fn a_number_that_is_compared_with_another_is_the_point() {
    let of = |asserted: &str| {
        let body = format!("{MOCKED} List<String> all = a.texts(); {asserted}");
        is_worth(MAIN, &body, "all") == Some(true)
    };
    assert!(!of("int n = a.rows(); assertEquals(n, all.size());"));
    assert!(!of(
        "Integer n = a.rows(); assertEquals(all.size(), n.intValue());"
    ));
    assert!(of(
        "List<String> own = List.of(\"a\"); assertEquals(own.size(), all.size());"
    ));
    assert!(of("int n = 1; assertThat(all).hasSize(n);"));
}

#[test]
fn who_asks_whether_it_has_just_these_needs_no_list() {
    let of = |asserted: &str| {
        let body = format!(
            "{MOCKED} List<String> all = a.texts(); assertEquals(1, all.size()); {asserted}"
        );
        is_worth(MAIN, &body, "all") == Some(true)
    };
    assert!(!of("assertTrue(a.has(\"n1\"));"));
    assert!(of("assertEquals(3, a.rows());"));
}

#[test]
fn what_a_class_of_the_test_gives_back_is_its_own() {
    let members = "static class Fixed extends Account { Fixed(Store s) { super(s); } \
        @Override protected String open(String url) { return \"fixed\"; } }";
    let of = |class: &str, call: &str| {
        let body = format!(
            "Store store = mock(Store.class); {class} a = new {class}(store); a.{call}(\"u\");"
        );
        let what = format!("a.{call}(\"u\")");
        is_worth_with(MAIN, members, &body, &what) == Some(true)
    };
    assert!(of("Account", "fetch"));
    assert!(!of("Fixed", "fetch"));
    let held = "Store store = mock(Store.class); Account a = new Fixed(store); a.fetch(\"u\");";
    assert_ne!(
        is_worth_with(MAIN, members, held, "a.fetch(\"u\")"),
        Some(true)
    );
    assert!(
        of("Fixed", "twice"),
        "code under test makes something of it"
    );
    // A class without a name, in a local or in a field that is set up.
    let own =
        "new Account(null) { @Override protected String open(String url) { return \"fixed\"; } };";
    let is_told = |members: &str, body: &str| {
        is_worth_with(MAIN, members, body, "a.fetch(\"u\")") == Some(true)
    };
    assert!(!is_told("", &format!("Account a = {own} a.fetch(\"u\");")));
    let set_up = |made: &str| format!("Account a; @BeforeEach void make() {{ a = {made} }}");
    assert!(!is_told(&set_up(own), "a.fetch(\"u\");"));
    assert!(is_told(&set_up("new Account(null);"), "a.fetch(\"u\");"));
}

#[test]
fn a_check_that_passes_beside_one_that_throws_is_the_point() {
    let made = "Account a = new Account(null); a.check(new Row(1));";
    let refuses = "} @Test void refuses() { assertThrows(IllegalArgumentException.class, \
        () -> new Account(null).check(new Row(-1)));";
    let of = |body: &str| is_worth(MAIN, body, "a.check(new Row(1))");
    assert_eq!(of(made), Some(true));
    assert_ne!(of(&format!("{made} {refuses}")), Some(true));
    let other = refuses.replace("check(new Row(-1))", "fetch(null)");
    assert_eq!(of(&format!("{made} {other}")), Some(true));
}

#[test]
fn what_tells_nothing_of_itself_is_not_compared() {
    let main = "package p; import javax.net.ssl.*; public class Account { private int n = 3;
        public KeyManager[] keys() { KeyManager[] out = new KeyManager[n * 2]; return out; }
        public String[] names() { String[] out = new String[n * 2]; return out; } }";
    let of = |class: &str, call: &str| {
        let body =
            format!("javax.net.ssl.{class}[] all = new Account().{call}(); assertNotNull(all);");
        is_worth(main, &body.replace("javax.net.ssl.String", "String"), "all") == Some(true)
    };
    assert!(!of("KeyManager", "keys"));
    assert!(of("String", "names"));
    let main = "package p; import javax.net.ssl.*; public class Account { private int n = 3;
        public List<KeyManager> keys() { List<KeyManager> out = new ArrayList<>(n * 2); return out; }
        public List<String> names() { List<String> out = new ArrayList<>(n * 2); return out; } }";
    let counted = |class: &str, call: &str| {
        let body = format!(
            "List<{class}> all = new Account().{call}(); assertNotNull(all); assertEquals(1, all.size());"
        );
        is_worth(main, &body, "all") == Some(true)
    };
    assert!(!counted("javax.net.ssl.KeyManager", "keys"));
    let drawn = main.replace("List<String> names", "List<java.util.UUID> names");
    let body = "List<java.util.UUID> all = new Account().names(); assertNotNull(all); assertEquals(1, all.size());";
    assert_ne!(is_worth(&drawn, body, "all"), Some(true));
    assert!(counted("String", "names"));
}

#[test]
fn an_object_that_a_builder_was_given_is_the_tests_own() {
    let main = |gives: &str, back: &str| {
        format!(
            "package p; public class Account {{ private Part part;
            public {gives} into(String text) {{ this.part = new Part(text); {back} }}
            public Part getPart() {{ return part; }} }}
            class Part {{ private final String text; Part(String text) {{ this.text = text; }} }}"
        )
    };
    let body = "Account a = new Account(); a.into(\"x\");";
    let of = |main: &str| is_worth(main, body, "a.getPart()");
    assert_eq!(of(&main("void", "")), Some(true));
    assert_ne!(of(&main("Account", "return this;")), Some(true));
}

#[test]
fn what_is_beside_the_point_by_its_form_is_not_told() {
    let main = "package p; public class Account { private int n = 3; private static int s;
        public byte[] bytes() { byte[] out = new byte[n * 2]; return out; }
        public int[] ints() { int[] out = new int[n * 2]; return out; }
        @Override public String toString() { String t = \"n\" + n * 2; return t; }
        public String text() { String t = \"n\" + n * 2; return t; }
        public Part part() { Part made = new Part(n * 2); return made; }
        public int add(int by) { n = n * 2 + by; return n * 2; }
        public void drop() { n = 0; }
        public int getN() { return n * 2; }
        public String next() { String id = \"n\" + n * 2; return id; } }
        class Part { private int m; Part(int m) { this.m = m * 2; } public int getM() { return m; } }";
    let told = |body: &str, what: &str| is_worth(main, body, what) == Some(true);
    let made = "Account a = new Account();";
    // Nobody counts bytes.
    let ints = format!("{made} int[] all = a.ints(); assertNotNull(all);");
    assert!(told(&ints, "all"));
    let bytes = format!("{made} byte[] all = a.bytes(); assertNotNull(all);");
    assert!(!told(&bytes, "all.length") && !told(&bytes, "all"));
    // A text for people.
    let text = |call: &str| format!("{made} String t = a.{call}(); assertNotNull(t);");
    assert!(told(&text("text"), "t"));
    assert!(!told(&text("toString"), "t"));
    // What an id is, nobody foresees.
    let id = |name: &str| format!("{made} String {name} = a.next(); assertNotNull({name});");
    assert!(told(&id("label"), "label"));
    assert!(!told(&id("uuid"), "uuid"));
    // The test is about the class.
    let part = |asserted: &str| format!("{made} Part p = a.part(); {asserted}");
    assert!(told(&part("assertNotNull(p);"), "p.getM()"));
    assert!(!told(
        &part("assertThat(p).isInstanceOf(Part.class);"),
        "p.getM()"
    ));
    assert!(!told(&part("assertTrue(p instanceof Part);"), "p.getM()"));
    // What comes before the last act sets up.
    assert!(told(&format!("{made} a.add(3);"), "a.add(3)"));
    assert!(!told(&format!("{made} a.add(3); a.drop();"), "a.add(3)"));
    // A query that is only called.
    let main = "package p; public class Account { private static int s;
        public static int getS() { int t = s * 2 + 1; return t; }
        public static int sum() { int t = s * 2 + 1; return t; }
        public int add(int by) { s = s * 2 + by; return s * 2; } }";
    let called = |what: &str| {
        let body = format!("{made} assertEquals(3, a.add(1)); Account.{what}();");
        is_worth(main, &body, &format!("Account.{what}()")) == Some(true)
    };
    assert!(called("sum"));
    assert!(!called("getS"));
}

#[test]
fn who_asks_for_single_ones_needs_no_list() {
    let main = "package p; public class Account {
        public List<String> links() { String a = \"a\" + hashCode() % 1; List<String> out = new ArrayList<>(); out.add(a); return out; }
        public String links(String of) { return of + 1; } }";
    let made =
        "Account a = new Account(); List<String> all = a.links(); assertEquals(1, all.size());";
    assert_eq!(is_worth(main, made, "all"), Some(true));
    let single = format!("{made} assertEquals(\"b1\", a.links(\"b\"));");
    assert_ne!(is_worth(main, &single, "all"), Some(true));
}

#[test]
fn an_empty_text_in_the_place_of_an_answer_is_none() {
    let main = |none: &str, given: &str| {
        format!(
            "package p; public class Account {{ private final Store store; public Account(Store store) {{ this.store = store; }}
            public String text(int n) {{ if (n < 0) {{ return {none}; }} {given} }} }}
            interface Store {{ String text(int n); }}"
        )
    };
    let body = "Store store = mock(Store.class); when(store.text(1)).thenReturn(\"a\"); \
        Account a = new Account(store); String text = a.text(1); assertFalse(text.isEmpty());";
    let of = |none: &str, given: &str| is_worth(&main(none, given), body, "text") == Some(true);
    let answer = "return store.text(n);";
    assert!(!of("\"\"", answer));
    assert!(!of("\"none\"", answer), "nothing is seen to go into it");
    assert!(of("\"\"", "String t = \"n\" + store.text(n); return t;"));
}

#[test]
fn nobody_counts_bytes() {
    let main = |kind: &str| {
        format!(
            "package p; public class Account {{ private int n = 3;
            public {kind}[] give(int by) {{ {kind}[] out = new {kind}[by * n]; \
            for (int i = 0; i < by; i++) {{ out[i] = ({kind}) (i * n); }} return out; }} }}"
        )
    };
    let body = |kind: &str| {
        format!("Account a = new Account(); {kind}[] all = a.give(2); assertThat(all).isNotNull();")
    };
    let of = |kind: &str, what: &str| is_worth(&main(kind), &body(kind), what) == Some(true);
    assert!(of("int", "all"));
    assert!(!of("byte", "all") && !of("byte", "all.length"));
}

#[test]
fn elements_into_which_nobody_put_anything_look_the_same() {
    let of = |answer: &str, before: &str| {
        let main = MAIN.replace("record Row(int n) {}", "class Row { int n; int n() { return n; } void setN(int n) { this.n = n; } Row() {} Row(int n) { this.n = n; } }");
        let body = format!(
            "Store store = mock(Store.class); {before} when(store.page(1)).thenReturn({answer}); \
             Account a = new Account(store); List<Cell> all = a.cells(); assertEquals(1, all.size());"
        );
        is_worth(&main, &body, "all") == Some(true)
    };
    assert!(of("List.of(new Row(3))", ""));
    assert!(!of("List.of(new Row())", ""));
    assert!(!of("List.of(row)", "Row row = new Row();"));
    assert!(of("List.of(row)", "Row row = new Row(); row.setN(3);"));
    assert!(of("List.of(new Row(), row)", "Row row = new Row(3);"));
}

#[test]
fn how_things_stood_before_the_act_is_asked_again_after_it() {
    let main = "package p; public class Account { private int n = 3;
        public List<String> texts() { List<String> out = new ArrayList<>(); for (int i = 0; i < n * 2; i++) { String t = \"n\" + i; out.add(t); } return out; }
        public void drop(int by) { n = n - by; } }";
    let of = |then: &str| {
        let body = format!(
            "Account a = new Account(); List<String> all = a.texts(); assertEquals(4, all.size()); {then}"
        );
        is_worth(main, &body, "all") == Some(true)
    };
    assert!(of(""));
    assert!(of("a.drop(1);"));
    let asked = "List<String> left = a.texts(); assertEquals(4, left.size());";
    assert!(!of(&format!("a.drop(1); {asked}")));
}

#[test]
fn what_a_store_cuts_without_an_order_nobody_knows() {
    let main = |by: &str| {
        format!(
        "package p; public class Account {{ private final far.Away away = new far.Away();
        public List<String> texts() {{ far.Query q = away.ask(); q{by}; List<String> out = new ArrayList<>(); for (String s : q.all()) {{ String t = \"n\" + s; out.add(t); }} return out; }} }}"
    )
    };
    let body = "List<String> all = new Account().texts(); assertEquals(5, all.size());";
    let of = |by: &str| is_worth(&main(by), body, "all") == Some(true);
    assert!(of(".where(3)"));
    assert!(!of(".setMaxResults(6)"));
    assert!(of(".setMaxResults(6).orderBy(\"n\")"));
}

#[test]
fn the_text_of_an_exception_is_not_written_down() {
    let main = "package p; public class Account { private int n = 3;
        public String text(Object of) { String t = \"n\" + of + n * 2; return t; } }";
    let of = |arg: &str| {
        let body = format!("String t = new Account().text({arg}); assertNotNull(t);");
        is_worth(main, &body, "t") == Some(true)
    };
    assert!(of("\"a\""));
    assert!(!of("new IllegalStateException(\"a\")"));
}

#[test]
fn code_that_stands_in_the_test_is_not_asked_for_what_it_gives() {
    let main = "package p; public interface Account { List<String> read(String text); }
        class Stored implements Account { private int n = 3;
        public List<String> read(String text) { List<String> out = new ArrayList<>(); for (int i = 0; i < n * 2; i++) { String t = text + i; out.add(t); } return out; } }";
    let members =
        "Account own() { return t -> List.of(t); } Account theirs() { return new Stored(); }";
    let of = |account: &str| {
        let body = format!(
            "Account a = {account}; List<String> all = a.read(\"x\"); assertEquals(1, all.size());"
        );
        is_worth_with(main, members, &body, "all") == Some(true)
    };
    assert!(of("new Stored()"));
    assert!(!of("t -> List.of(t)"));
    let called = |by: &str| {
        let body = format!("List<String> all = {by}().read(\"x\"); assertEquals(1, all.size());");
        is_worth_with(main, members, &body, "all") == Some(true)
    };
    assert!(called("theirs"));
    assert!(!called("own"));
}

#[test]
fn what_every_kind_has_says_nothing_of_which_kind_it_is() {
    let main = |kinds: usize| {
        let kind = |i: usize| {
            format!("class Kind{i} extends Account {{ Kind{i}(int n) {{ super(n); }} }}")
        };
        let kinds: String = (0..kinds).map(kind).collect();
        format!(
            "package p; public abstract class Account {{ private final int n; Account(int n) {{ this.n = n * 2; }}
            public int getN() {{ return n; }}
            public static Account read(int n) {{ if (n > 3) return new Kind1(n); return new Kind0(n); }} }} {kinds}"
        )
    };
    let body = "Account a = Account.read(3);";
    let of = |kinds: usize| is_worth(&main(kinds), body, "a.getN()") == Some(true);
    assert!(of(2));
    assert!(!of(5));
}

#[test]
fn what_is_counted_time_after_time_is_counted_for_that() {
    let main = "package p; public class Account { private int n = 3;
        public List<String> texts(int by) { List<String> out = new ArrayList<>(); for (int i = 0; i < n * by; i++) { String t = \"n\" + i; out.add(t); } return out; } }";
    let of = |counts: &[usize]| {
        let asserted = |n: &usize| format!("all = a.texts({n}); assertEquals({n}, all.size());");
        let asserted: String = counts.iter().map(asserted).collect();
        let body = format!("Account a = new Account(); List<String> all; {asserted}");
        is_worth(main, &body, "all") == Some(true)
    };
    assert!(of(&[5]));
    assert!(of(&[0, 0, 5]));
    assert!(!of(&[3, 4, 5]));
}

#[test]
fn as_many_as_a_loop_puts_in_are_not_written_down() {
    let of = |fill: &str| {
        let body = format!(
            "{MOCKED} List<String> own = new ArrayList<>(); {fill} List<String> all = a.texts(); assertEquals(own.size(), all.size());"
        );
        is_worth(MAIN, &body, "all") == Some(true)
    };
    assert!(of("own.add(\"a\");"));
    assert!(!of(
        "for (int i = 0; i < 1000; i++) { own.add(\"a\" + i); }"
    ));
}

#[test]
fn a_cast_says_which_class() {
    let main = "package p; public class Account { private int n = 3;
        public Object part() { Part made = new Part(n * 2); return made; }
        public Part known() { Part made = new Part(n * 2); return made; } }
        class Part { private int m; Part(int m) { this.m = m * 2; } public int getM() { return m; } }";
    let of = |given: &str| {
        let body = format!("Account a = new Account(); Part p = {given}; assertNotNull(p);");
        is_worth(main, &body, "p.getM()") == Some(true)
    };
    assert!(of("a.known()"));
    assert!(!of("(Part) a.part()"));
}

/// What stands in what a local is given that is named so is what the test expects.
#[test]
fn what_goes_into_what_is_expected_is_no_result() {
    let main = "package p; public class Account { public static String shown(int n) { return \"n\" + n * 2; } }";
    let of = |named: &str| {
        let body = format!(
            "String text = Account.shown(3); String {named} = \"<\" + text + \">\"; assertNotNull(text); assertEquals(\"x\", {named});"
        );
        super::worth::is_worth(main, &body, "text") == Some(true)
    };
    let told = "String text = Account.shown(3); assertNotNull(text);";
    assert_eq!(super::worth::is_worth(main, told, "text"), Some(true));
    assert!(!of("expectedText"));
}
