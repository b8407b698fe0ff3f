//! What something else than the code under test decides.

use super::worth::{is_worth, is_worth_with};

#[test]
fn what_the_network_or_another_program_says_is_not_told() {
    let main = |by: &str| {
        format!(
            "package p; import java.net.*; public class Account {{
            public String text(String of) throws Exception {{ String t = \"n\" + of + {by}; return t; }} }}"
        )
    };
    let body = "String t = new Account().text(\"a\"); assertNotNull(t);";
    let of = |by: &str| is_worth(&main(by), body, "t") == Some(true);
    assert!(of("of.length()"));
    assert!(!of("new URL(of).openStream().read()"));
    assert!(!of("new ProcessBuilder(of).start()"));
    // Whether it went well, one may ask.
    let main = main("new ProcessBuilder(of).start()").replace("String text", "boolean text");
    let main = main.replace("String t = \"n\" + of +", "boolean t = null !=");
    assert_eq!(
        is_worth(&main, &body.replace("String t", "Boolean t"), "t"),
        Some(true)
    );
}

#[test]
fn what_a_branch_of_the_test_gives_is_not_told() {
    let main = "package p; public class Account { private int n = 3; public static boolean REST;
        public List<String> texts() { List<String> out = new ArrayList<>(); for (int i = 0; i < n * 2; i++) { String t = \"n\" + i; out.add(t); } return out; } }";
    let of = |around: &str| {
        let body = "Account a = new Account(); @ List<String> all = a.texts(); assertEquals(4, all.size()); #";
        let (before, behind) = around.split_once('|').unwrap();
        let body = body.replace('@', before).replace('#', behind);
        is_worth(main, &body, "all") == Some(true)
    };
    assert!(of("|"));
    assert!(of("{|}"));
    assert!(!of("if (Account.REST) {|}"));
}

#[test]
fn a_call_that_is_given_extremes_only_has_to_bear_them() {
    let main = "package p; public class Account { private int n = 3;
        public int add(double by) { int m = n * 2 + (int) by; return m; } }";
    let of = |by: &str| {
        let call = format!("a.add({by})");
        is_worth(main, &format!("Account a = new Account(); {call};"), &call) == Some(true)
    };
    assert!(of("3"));
    assert!(!of("Double.MAX_VALUE"));
    assert!(!of("Double.NaN"));
}

#[test]
fn of_an_argument_in_which_there_is_nothing_come_no_parts() {
    let main = "package p; public class Account {
        public Part read(Order order) { int m = order.getN() * 2; return new Part(m); } }
        class Order { private int n; public int getN() { return n; } public void setN(int n) { this.n = n; } }
        class Part { private final int m; Part(int m) { this.m = m * 2; } public int getM() { return m; } }";
    let of = |before: &str| {
        let body = format!(
            "Order o = new Order(); {before} Part p = new Account().read(o); assertNotNull(p);"
        );
        is_worth(main, &body, "p.getM()") == Some(true)
    };
    assert!(of("o.setN(3);"));
    assert!(!of(""));
}

#[test]
fn how_many_there_are_about_or_in_masses_is_not_written_down() {
    let main = "package p; public class Account { private int n = 3;
        public List<String> texts() { List<String> out = new ArrayList<>(); for (int i = 0; i < n * 2; i++) { String t = \"n\" + i; out.add(t); } return out; } }";
    let of = |asserted: &str| {
        let body = format!("List<String> all = new Account().texts(); {asserted}");
        is_worth(main, &body, "all") == Some(true)
    };
    assert!(of("assertEquals(5, all.size());"));
    assert!(!of("assertEquals(6, all.size());"));
    assert!(of("assertTrue(all.size() > 0);"));
    assert!(!of("assertTrue(all.size() >= 4);"));
    assert!(!of("assertEquals(1_739, all.size());"));
    assert!(of("assertThat(all).hasSize(5);"));
    assert!(!of("assertThat(all).hasSizeGreaterThan(4);"));
}

/// What is compared under another name is so under its own.
#[test]
fn a_copy_that_is_compared_is_what_it_is_of() {
    let main = "package p; public class Account { private int n = 3; public String text() { String m = \"n\" + n * 2; return m; } }";
    let of = |asserted: &str| {
        let body = format!("String n = new Account().text(); assertNotNull(n); {asserted}");
        is_worth(main, &body, "n") == Some(true)
    };
    assert!(of(""));
    assert!(of("String m = n; System.out.println(m);"));
    assert!(!of("String m = n; assertEquals(\"n6\", m);"));
    assert!(!of("Object m = (Object) n; assertEquals(\"n6\", m);"));
}

/// What a build says of itself is another one next time.
#[test]
fn the_number_of_a_build_is_not_told() {
    let asks = |key: &str| {
        let main = format!(
            "package p; import java.util.Properties; public class Account {{ static Properties all = new Properties(); \
            public String text() {{ String s = \"b\" + all.getProperty(\"{key}\"); return s; }} }}"
        );
        let body = "String got = new Account().text(); assertNotNull(got);";
        is_worth(&main, body, "got") == Some(true)
    };
    assert!(asks("label"));
    assert!(!asks("git.commit.id"));
    assert!(!asks("own.version"));
    let of = |query: &str| {
        let main = format!(
            "package p; public class Account {{ private int n = 3; public String {query}() {{ String s = \"b\" + n * 2; return s; }} }}"
        );
        let body = format!("String {query} = new Account().{query}(); assertNotNull({query});");
        is_worth(&main, &body, query) == Some(true)
    };
    assert!(of("label"));
    assert!(of("buildLine"));
    assert!(!of("buildNumber"));
    assert!(!of("gitRevision"));
    assert!(!of("signedText"));
}

#[test]
fn what_was_there_before_is_not_told() {
    let main = "package p; public class Account { private int n = 3;
        public List<String> texts() { List<String> out = new ArrayList<>(); for (int i = 0; i < n * 2; i++) { String t = \"n\" + i; out.add(t); } return out; } }";
    let of = |name: &str| {
        let body =
            format!("List<String> {name} = new Account().texts(); assertEquals(5, {name}.size());");
        is_worth(main, &body, name) == Some(true)
    };
    assert!(of("all"));
    assert!(!of("before"));
    assert!(!of("oldTexts"));
}

#[test]
fn who_asks_for_many_parts_whether_they_are_there_wants_no_more() {
    let parts = |n: usize| (0..n).map(move |i| i.to_string());
    let main = format!(
        "package p; public class Account {{ private int n = 3; public Part part() {{ return new Part(n * 2); }} }}
        class Part {{ private final int m; Part(int m) {{ this.m = m * 2; }} {} }}",
        parts(5).map(|i| format!("public String get{i}() {{ String t = \"{i}\" + m; return t; }} ")).collect::<String>()
    )
    .replace("get0", "getA").replace("get1", "getB").replace("get2", "getC").replace("get3", "getD").replace("get4", "getE");
    let of = |names: &str| {
        let asserted: String = names
            .chars()
            .map(|c| format!("assertNotNull(p.get{c}());"))
            .collect();
        let body = format!("Part p = new Account().part(); {asserted}");
        is_worth(&main, &body, "p.getA()") == Some(true)
    };
    assert!(of("AB"));
    assert!(!of("ABCDE"));
}

#[test]
fn whoever_checks_nothing_checks_no_flag_first() {
    let main = "package p; public class Account { private int n = 3;
        public Part part() { Part made = new Part(n * 2); return made; } }
        class Part { private final int m; Part(int m) { this.m = m * 2; } public boolean isLarge() { return m > 7; } public int getM() { return m; } }";
    let body = "Part p = new Account().part();";
    assert_eq!(is_worth(main, body, "p.getM()"), Some(true));
    assert_ne!(is_worth(main, body, "p.isLarge()"), Some(true));
}

#[test]
fn a_test_that_assumes_something_of_the_machine_is_left_alone() {
    let main = "package p; public class Account { private int n = 3;
        public String text() { String t = \"n\" + n * 2; return t; } }";
    let of = |members: &str, before: &str| {
        let body = format!("{before} String t = new Account().text(); assertNotNull(t);");
        is_worth_with(main, members, &body, "t") == Some(true)
    };
    assert!(of("", ""));
    assert!(!of("", "assumeTrue(Host.is());"));
    assert!(!of(
        "@BeforeEach void up() { Assume.assumeTrue(Host.is()); }",
        ""
    ));
}

#[test]
fn a_call_whose_code_only_throws_runs_elsewhere() {
    let main = |body: &str| {
        format!(
            "package p; public class Account {{ public int peek() {{ {body} }}
            public int twice() {{ int m = peek() * 2; return m; }} }}"
        )
    };
    let of = |body: &str| {
        let text = "Account a = new Account(); a.peek();";
        is_worth(&main(body), text, "a.peek()") == Some(true)
    };
    assert!(of("int n = 3; int m = n * 2; return m;"));
    assert!(!of("throw new UnsupportedOperationException();"));
}

#[test]
fn what_is_handed_back_is_the_tests_own() {
    let main = |gives: &str| {
        format!(
            "package p; public class Account {{
            @SuppressWarnings(\"unchecked\") public static List<String> as(Object of) {{ {gives} }} }}"
        )
    };
    let of = |gives: &str| {
        let body = "List<String> own = List.of(\"a\"); List<String> all = Account.as(own); assertNotNull(all);";
        is_worth(&main(gives), body, "all") == Some(true)
    };
    assert!(of(
        "List<String> out = new ArrayList<>(); String t = \"n\" + of; out.add(t); return out;"
    ));
    assert!(!of("return (List<String>) of;"));
}

#[test]
fn what_a_loop_emptied_has_nothing_left() {
    let main = "package p; public class Account { private int n = 3;
        public boolean isEmpty() { return n == 0; } public int pop() { n = n - 1; return n * 2; } public int top() { int m = n * 2; return m; } }";
    let of = |before: &str| {
        let body = format!("Account a = new Account(); {before} a.top();");
        is_worth(main, &body, "a.top()") == Some(true)
    };
    assert!(of("while (a.pop() > 1) { a.pop(); }"));
    assert!(!of("while (!a.isEmpty()) { a.pop(); }"));
    let left = "Account a = new Account(); while (!a.isEmpty()) { a.pop(); }";
    assert_ne!(is_worth(main, left, "a.top()"), Some(true));
}

#[test]
fn the_number_by_which_a_store_keeps_an_object_is_its_own() {
    let main = |gives: &str| {
        format!(
            "package p; public class Account {{ private Store store = Db.make(Store.class);
            public Long keep(String of) {{ Row row = new Row(of); Row saved = store.save(row); Long n = 3L + of.length(); return {gives}; }} }}
            interface Store {{ Row save(Row row); }}
            class Row {{ private Long id; private String of; Row(String of) {{ this.of = of; }} public Long getId() {{ return id; }} }}"
        )
    };
    let body = "Long kept = new Account().keep(\"a\"); assertNotNull(kept);";
    let of = |gives: &str| is_worth(&main(gives), body, "kept") == Some(true);
    assert!(of("n"));
    assert!(!of("saved.getId()"));
}
