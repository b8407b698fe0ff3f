//! What a list leaves out: what has no one value, what is known by itself, and what the test only needs.

use super::worth::{is_worth, is_worth_with};

/// What methods and libraries fill an object with is a part of it.
#[test]
fn what_chance_fills_is_not_worth_an_assertion() {
    let main = super::MAIN.replace(
        "public int hashCode()",
        "private final java.util.Random random = new java.security.SecureRandom(); \
         public String plain() { StringBuilder b = new StringBuilder(); fill(b); return b.toString(); } \
         private void fill(StringBuilder into) { into.append(owner + balance); } \
         public String drawn() { StringBuilder b = new StringBuilder(); draw(b); return b.toString(); } \
         private void draw(StringBuilder into) { into.append(owner.charAt(random.nextInt(3))); } \
         public String bytes() { byte[] b = new byte[4]; random.nextBytes(b); return new String(b) + owner; } \
         public int hashCode()",
    );
    for (call, expected) in [("plain", true), ("drawn", false), ("bytes", false)] {
        let body =
            format!("Account a = Account.of(\"x\"); String t = a.{call}(); assertNotNull(t);");
        assert_eq!(
            is_worth(&main, &body, "t") == Some(true),
            expected,
            "{call}"
        );
    }
}

/// What draws lots goes by several names, and what the machine says differs, too.
#[test]
fn what_chance_or_the_machine_gives_is_not_worth_an_assertion() {
    let code = |given: &str| {
        let own = format!("public long rain() {{ {given} }} public int hashCode()");
        super::MAIN.replace("public int hashCode()", &own)
    };
    for (given, expected) in [
        ("return balance * 2 + 1;", true),
        ("return new java.util.SplittableRandom().nextInt(3);", false),
        (
            "java.util.random.RandomGenerator r = null; return r.nextLong();",
            false,
        ),
        ("return Runtime.getRuntime().freeMemory();", false),
        (
            "return java.util.Locale.getDefault().getCountry().length() * 2L + balance;",
            false,
        ),
        (
            "java.lang.management.RuntimeMXBean r = null; return r.getUptime();",
            false,
        ),
    ] {
        let body = "Account a = Account.of(\"x\"); a.rain();";
        let found = is_worth(&code(given), body, "a.rain()");
        assert_eq!(found == Some(true), expected, "{given}");
    }
}

/// A drawn number goes further than anybody follows: into what the test gives to code under test.
#[test]
fn where_code_draws_lots_nothing_is_sure() {
    let code = |drawn: &str| {
        let own = format!(
            "public static Account rain() {{ Account a = new Account(\"r\"); a.deposit({drawn}); return a; }} \
             public int off(Account other) {{ return balance * 3 - other.balance; }} \
             public int hashCode()"
        );
        super::MAIN.replace("public int hashCode()", &own)
    };
    for (drawn, expected) in [
        ("7", true),
        ("new java.util.Random().nextInt(3)", false),
        ("(int) (Math.random() * 6)", false),
    ] {
        let body = "Account a = Account.of(\"x\"); Account b = Account.rain(); a.off(b);";
        let found = is_worth(&code(drawn), body, "a.off(b)");
        assert_eq!(found == Some(true), expected, "{drawn}");
    }
}

/// What is another value for each argument of a test, or each class that extends an abstract one.
#[test]
fn what_others_decide_is_not_worth_an_assertion() {
    let main = super::MAIN.replace(
        "public int hashCode()",
        "public static Account like(Account a) { Account b = new Account(a.owner); b.deposit(a.balance); return b; } \
         public int hashCode()",
    );
    let body = "Account t = Account.like(Account.of(\"x\")); assertNotNull(t);";
    let worth = |members: &str| is_worth_with(&main, members, "", "t.getBalance()") == Some(true);
    assert!(worth(&format!("@Test void each() {{ {body} }}")));
    for members in [
        format!("static abstract class Base {{ @Test void each() {{ {body} }} }}"),
        format!(
            "static class Each {{ @Parameters static List<Object[]> all() {{ return null; }} @Test void each() {{ {body} }} }}"
        ),
        format!(
            "@ParameterizedTest @MethodSource(\"all\") void each(Account of) {{ {} }}",
            body.replace("Account.of(\"x\")", "of")
        ),
    ] {
        assert!(!worth(&members), "{members}");
    }
}

/// What is another value in the next run, on another machine or for other arguments; and what somebody wrote down as a constant.
#[test]
fn what_has_no_one_value_is_not_worth_an_assertion() {
    let main = super::MAIN.replace(
        "public int hashCode()",
        "public String text() { return owner + balance; } public String stamp() { return owner + chance(); } \
         static String chance() { return String.valueOf(System.nanoTime()); } \
         public String home() { String at = System.getProperty(\"user.home\"); return owner + at; } \
         private long seen; public Account see() { seen = System.nanoTime() + balance; return this; } public long getSeen() { return seen; } \
         public String where() { StringBuilder b = new StringBuilder(); \
         b.append(owner).append(new Exception().getStackTrace()[0]); return b.toString(); } \
         public String echo(long x) { return owner + x; } public String ignore(long x) { return owner + balance; } \
         private final java.util.Set<String> keys = new java.util.HashSet<>(); \
         public boolean forget(String key) { keys.add(chance()); return balance > 3 && keys.contains(key); } \
         public static String show(Setting it) { return \"is \" + it; } \
         public record Note(String of) {} public static String tell(Note it) { return \"is \" + it; } \
         public enum Kind { BIG(\"big\"); private final String label; Kind(String label) { this.label = label; } \
         public String label() { return label; } } \
         public static final String NAME = \"n\"; public static final Setting URL = new Setting(\"u\"); \
         public static class Setting { private final String of; Setting(String of) { this.of = of; } public String value() { return of; } } \
         public int hashCode()",
    );
    let made = "Account a = Account.of(\"x\");";
    let kept = |call: &str| format!("{made} String t = {call}; assertNotNull(t);");
    for (body, what, expected) in [
        (kept("a.text()"), "t", true),
        (kept("a.stamp()"), "t", false),
        (kept("a.home()"), "t", false),
        (kept("a.where()"), "t", false),
        // What a call is given counts if the call gives it on.
        (kept("a.echo(3)"), "t", true),
        (kept("a.echo(System.getenv().size())"), "t", false),
        (kept("a.ignore(System.getenv().size())"), "t", true),
        (format!("{made} a.forget(\"k\");"), "a.forget(\"k\")", true),
        (format!("{made} a.stamp();"), "a.stamp()", false),
        (format!("{made} String t = a.home();"), "t", false),
        (format!("{made} String t = a.text();"), "t", true),
        // With all that an object was made of.
        (
            kept("Account.show(new Account.Setting(a.home()))"),
            "t",
            false,
        ),
        (
            kept("Account.show(new Account.Setting(a.text()))"),
            "t",
            true,
        ),
        (kept("Account.tell(new Account.Note(a.home()))"), "t", false),
        (kept("Account.tell(new Account.Note(a.text()))"), "t", true),
        (format!("{made} a.text();"), "a.text()", true),
        // The field that another call set.
        (
            format!("{made} Account b = a.see(); assertEquals(\"x\", b.getOwner());"),
            "b.getSeen()",
            false,
        ),
        (kept("Account.Kind.BIG.label()"), "t", true),
        (kept("Account.URL.value()"), "t", false),
        (kept("Account.NAME"), "t", false),
    ] {
        let found = is_worth(&main, &body, what);
        assert_eq!(found == Some(true), expected, "{what} of {body}");
    }
    for (body, expected) in [
        ("String t = a.echo(x); assertNotNull(t);", false),
        ("String t = a.echo(3); assertNotNull(t);", true),
        (
            "String t = a.echo(injected.hashCode()); assertNotNull(t);",
            true,
        ),
    ] {
        let each = format!("@Test void each(int x, Object injected) {{ {made} {body} }}");
        let found = is_worth_with(&main, &each, "", "t");
        assert_eq!(found == Some(true), expected, "{body}");
    }
}

/// Of objects that are the same only as themselves nobody writes down which they are, but how many.
#[test]
fn of_a_list_of_identities_its_size_is_worth_an_assertion() {
    let friends = "public java.util.List<Friend> friends() { java.util.List<Friend> out = new java.util.ArrayList<>(); \
                   if (balance > 0) { out.add(new Friend(owner)); } return out; } public int hashCode()";
    let with = |friend: &str| {
        let main = super::MAIN.replace("public int hashCode()", friends);
        main.replacen(
            "public static class Boss",
            &format!("{friend} public static class Boss"),
            1,
        )
    };
    let plain =
        "public static class Friend { final String of; Friend(String of) { this.of = of; } }";
    let equal = plain.replace(
        "Friend(String of)",
        "public boolean equals(Object o) { return true; } Friend(String of)",
    );
    let record = "public record Friend(String of) {}";
    let body = "List<Account.Friend> all = Account.of(\"x\").friends(); assertNotNull(all);";
    let unknown = plain.replace("Friend {", "Friend extends java.util.ArrayList<String> {");
    for (friend, whole) in [
        (plain, false),
        (&equal, true),
        (record, true),
        (&unknown, true),
    ] {
        let main = with(friend);
        assert_eq!(
            is_worth(&main, body, "all") == Some(true),
            whole,
            "{friend}"
        );
        assert_eq!(
            is_worth(&main, body, "all.size()") == Some(true),
            !whole,
            "{friend}"
        );
    }
}

/// What puts things away, what tells no more than that it is there, and what the test itself fills or measures.
#[test]
fn what_a_test_only_needs_is_not_worth_an_assertion() {
    let main = super::MAIN.replace(
        "public int hashCode()",
        "static int made; public static boolean drop(int x) { made = x; return x > 3; } \
         public static boolean lay(int x) { made = x; return x > 3; } \
         public static void take(java.util.List<String> all) { made = all.size(); } \
         public static int purge(int x) { made = x; return x * 3; } public static int lift(int x) { made = x; return x * 3; } \
         public String user() { if (balance > 3) { return \"user\"; } return balance > 9 ? \"user\" : null; } \
         public String kind() { if (balance > 3) { return \"user\"; } return \"guest\"; } \
         public boolean after(java.time.Instant at) { return at.toEpochMilli() > balance; } \
         public String pickRandom() { if (balance > 3) { return \"user\"; } return \"guest\"; } \
         public java.util.List<String> names() { java.util.List<String> out = new java.util.ArrayList<>(); out.add(owner + balance); return out; } \
         public java.time.Instant moment() { return java.time.Instant.ofEpochMilli(balance * 3); } public Account self() { return this; } \
         public int hashCode()",
    );
    let made = "Account a = Account.of(\"x\");";
    for (body, what, expected) in [
        (
            "Account.drop(1); assertEquals(1, 1);".into(),
            "Account.drop(1)",
            false,
        ),
        (
            "Account.lay(1); assertEquals(1, 1);".into(),
            "Account.lay(1)",
            true,
        ),
        ("Account.drop(1);".into(), "Account.drop(1)", true),
        (
            "assertEquals(1, 1); Account.purge(1);".into(),
            "Account.purge(1)",
            false,
        ),
        (
            "assertEquals(1, 1); Account.lift(1);".into(),
            "Account.lift(1)",
            true,
        ),
        // Again and again: that none throws.
        (
            "Account.lay(1); Account.lay(2); Account.lay(3); Account.lay(4);".into(),
            "Account.lay(4)",
            true,
        ),
        (
            "Account.lay(1); Account.lay(2); Account.lay(3); Account.lay(4); Account.lay(5);"
                .into(),
            "Account.lay(5)",
            false,
        ),
        // What goes on in a list.
        (
            format!("{made} List<String> t = a.names(); Account.take(new ArrayList<>(t));"),
            "t",
            false,
        ),
        (
            format!("{made} List<String> t = a.names(); Account.take(new ArrayList<>());"),
            "t",
            true,
        ),
        // One call a turn.
        (
            "for (int i = 0; i < 3; i++) { Account.lay(i); }".into(),
            "Account.lay(i)",
            false,
        ),
        (
            format!("{made} String t = a.user(); assertNotNull(t);"),
            "t",
            false,
        ),
        (
            format!("{made} String t = a.kind(); assertNotNull(t);"),
            "t",
            true,
        ),
        // By its name one draws it.
        (
            format!("{made} String t = a.pickRandom(); assertNotNull(t);"),
            "t",
            false,
        ),
        (format!("{made} List<String> t = a.names();"), "t", true),
        (
            format!("{made} List<String> t = a.names(); t.add(\"z\");"),
            "t",
            false,
        ),
        (
            format!(
                "{made} long at = System.nanoTime(); String t = a.kind(); assertNotNull(t); System.out.println(System.nanoTime() - at);"
            ),
            "t",
            false,
        ),
        // What the test hands over is another in the next run.
        (
            format!("{made} a.after(java.time.Instant.now());"),
            "a.after(java.time.Instant.now())",
            false,
        ),
        (
            format!("{made} java.time.Instant at = java.time.Instant.now(); a.after(at);"),
            "a.after(at)",
            false,
        ),
        (
            format!("{made} a.after(java.time.Instant.EPOCH);"),
            "a.after(java.time.Instant.EPOCH)",
            true,
        ),
        (
            format!("{made} Account b = a.self(); assertNotNull(b.moment());"),
            "b.moment()",
            false,
        ),
    ] {
        let found = is_worth(&main, &body, what);
        assert_eq!(found == Some(true), expected, "{what} of {body}");
    }
}

/// Parts of an object that the test made: only what a call filled or moved, and not the twin of another part.
#[test]
fn parts_of_what_a_test_made_are_seldom_worth_an_assertion() {
    let main = super::MAIN.replace(
        "public int hashCode()",
        "private boolean shut; private int turns; public boolean isShut() { return shut; } public boolean isFree() { return !isShut(); } \
         public void shut() { shut = true; } public void reopen() { shut = false; } public void turn() { shut = false; turns++; } public boolean isNew() { return turns == 0 && !shut; } public void spin(int by) { turns = turns + by; } \
         public int getTurns() { return turns; } public void fill(Account other) { other.turns = balance + 3; } \
         public static class Kept { final int twice; public Kept(int x) { int y = x * 2; twice = y + 1; } public int getTwice() { return twice; } } \
         public void both(Account one, Account two) { two.spin(balance); limit = one.turns; } \
         public void pass(Account other) { count((Account) other, balance); } static void count(Object it, int by) { ((Account) it).spin(by); } \
         public void copy(Account other) { Account own = new Account(other.owner); own.turns = other.turns + balance; limit = own.turns; } \
         public void read(Account other) { limit = other.turns + balance; other.limit = 4; } \
         public int hashCode()",
    );
    let made = "Account a = new Account(\"x\");";
    for (body, what, expected) in [
        (made.to_owned(), "a.getTurns()", false),
        (format!("{made} a.spin(2);"), "a.getTurns()", true),
        (format!("{made} a.spin(2);"), "a.getBalance()", false),
        (format!("{made} a.shut();"), "a.isShut()", true),
        (format!("{made} a.shut();"), "a.isFree()", false),
        (format!("{made} a.reopen();"), "a.isShut()", false),
        (format!("{made} a.turn();"), "a.isNew()", true),
        (
            format!("{made} Account b = new Account(\"y\"); a.fill(b);"),
            "b.getTurns()",
            true,
        ),
        // What made it is older than what the test is about.
        (
            "Account.Kept k = new Account.Kept(3);".into(),
            "k.getTwice()",
            false,
        ),
        // Another object of its class is written, and it is only read; and what a call hands it on to writes it.
        (
            format!("{made} Account b = new Account(\"y\"); a.copy(b);"),
            "b.getTurns()",
            false,
        ),
        (
            format!("{made} Account b = new Account(\"y\"); a.pass(b);"),
            "b.getTurns()",
            true,
        ),
        (
            format!("{made} Account b = new Account(\"y\"); a.both(b, Account.of(\"z\"));"),
            "b.getTurns()",
            false,
        ),
        (
            format!("{made} Account b = new Account(\"y\"); a.both(Account.of(\"z\"), b);"),
            "b.getTurns()",
            true,
        ),
        // It only reads what it is given; and what is used after it was given is what the test goes on with.
        (
            format!("{made} Account b = Account.of(\"y\"); a.read(b);"),
            "b.getBalance()",
            false,
        ),
        (
            format!("{made} Account b = new Account(\"y\"); a.fill(b); b.plus(1);"),
            "b.getTurns()",
            false,
        ),
    ] {
        let found = is_worth(&main, &body, what);
        assert_eq!(found == Some(true), expected, "{what} of {body}");
    }
}

/// What another assertion makes something of, or asks its object for; what shows in what a call was given, or what mocks are
/// asked; headers; objects that are the same only as themselves.
#[test]
fn what_shows_elsewhere_is_not_worth_an_assertion() {
    let main = super::MAIN.replace(
        "public int hashCode()",
        "public java.util.Map<String, Integer> cells() { java.util.Map<String, Integer> out = new java.util.HashMap<>(); out.put(owner, balance); return out; } \
         public java.util.Map<String, Integer> getHeaders() { return cells(); } \
         public int cell(String name) { return cells().get(name); } \
         public List<String> names() { return List.of(owner + balance); } \
         public record Note(String of) {} public Note note() { return new Note(owner + balance); } public static class Plain { final String of; Plain(String of) { this.of = of; } } public Plain other() { return new Plain(owner + balance); } \
         public boolean handle(Account other) { return other.balance > balance; } \
         public int hashCode()",
    );
    let made = "Account a = Account.of(\"x\");";
    let two = "Account a = Account.of(\"x\"); Account b = new Account(\"y\");";
    for (body, what, expected) in [
        (
            format!("{made} assertEquals(1, a.cells().size());"),
            "a.cells()",
            true,
        ),
        (
            format!("{made} assertEquals(a.cells().size(), 12_030);"),
            "a.cells()",
            false,
        ),
        (
            format!("{made} assertEquals(1, a.cells().size()); assertEquals(3, a.cell(\"x\"));"),
            "a.cells()",
            false,
        ),
        (format!("{made} a.cells();"), "a.cells()", true),
        (format!("{made} a.getHeaders();"), "a.getHeaders()", false),
        (
            format!(
                "{made} String t = a.cells().toString(); assertNotNull(t); assertEquals(\"y\", a.getOwner());"
            ),
            "t",
            true,
        ),
        (
            format!(
                "{made} String t = a.cells().toString(); assertNotNull(t); assertEquals(t + \"y\", a.getOwner());"
            ),
            "t",
            false,
        ),
        (
            format!(
                "{made} String t = a.cells().toString(); assertNotNull(t); assertThat(new String[] {{ t }}).contains(\"y\");"
            ),
            "t",
            false,
        ),
        (
            format!("{two} a.handle(b); assertEquals(\"x\", a.getOwner());"),
            "a.handle(b)",
            true,
        ),
        (
            format!("{two} a.handle(b); assertEquals(1, b.getBalance());"),
            "a.handle(b)",
            false,
        ),
        (
            format!("{two} a.handle(b); verify(b).getOwner();"),
            "a.handle(b)",
            false,
        ),
        // Whoever asks mocks how they were used has chosen what the call is for; and what a part shows may be a mock's.
        (
            format!("{made} a.cell(\"x\"); verify(other).run();"),
            "a.cell(\"x\")",
            false,
        ),
        (
            format!("{made} assertNotNull(a.cells());"),
            "a.cells()",
            true,
        ),
        (
            format!("{made} Runnable other = mock(Runnable.class); assertNotNull(a.cells());"),
            "a.cells()",
            false,
        ),
        // An object that can be compared with another, and one that cannot.
        (format!("{made} a.note();"), "a.note()", true),
        (format!("{made} a.other();"), "a.other()", false),
    ] {
        let found = is_worth(&main, &body, what);
        assert_eq!(found == Some(true), expected, "{what} of {body}");
    }
}

/// Where the whole test must end with an exception, its last act throws it: what that gives, and what it would have left, nobody
/// ever reads.
#[test]
fn what_must_throw_by_an_annotation_or_a_rule_is_not_listed() {
    let listed = |members: &str, annotation: &str, body: &str| -> Vec<String> {
        let name = format!("first() {{ }} @Test{annotation} void works");
        let case = super::named(&name, members, body);
        let test = case.workspace.suite().tests()[1];
        let run = case.workspace.own_run(test);
        let (settings, switches) = (super::Settings::default(), super::Switches::default());
        let o = super::offer(&case.workspace, &case.known, &[run], &settings, &switches);
        let all = o.readable.iter();
        all.map(|r| o.observations[&r.vertex].expression.to_string())
            .collect()
    };
    let has = |all: &[String], start: &str| all.iter().any(|e| e.starts_with(start));
    let expected = "(expected = Account.BadAmount.class)";
    let rule = "@Rule public ExpectedException thrown = ExpectedException.none();";
    let tells = "thrown.expect(Account.BadAmount.class);";
    let made = "Account a = new Account(\"x\"); Account b = Account.of(\"y\");";
    for act in [
        "a.deposit(-1);",
        "int left = a.deposit(-1);",
        "a.deposit(-1); fail();",
        "System.out.println(a.deposit(-1));",
        "Account.of(\"z\").deposit(2); a.deposit(-1);",
        "int left = a.deposit(-1); assertEquals(3, a.getBalance());",
    ] {
        let told = [
            listed("", expected, &format!("{made} {act}")),
            listed(rule, "", &format!("{made} {tells} {act}")),
            listed(rule, "", &format!("{tells} {made} {act}")),
        ];
        for all in told {
            assert!(!has(&all, "a.") && !has(&all, "left"), "{act} {all:?}");
            // What stands before is read before.
            assert!(has(&all, "b."), "{act} {all:?}");
        }
    }
    // Nothing says that it throws, nothing does behind the rule's word, or something else may.
    let all = listed("", "", &format!("{made} a.deposit(-1);"));
    assert!(has(&all, "a.getBalance()"), "{all:?}");
    let all = listed(rule, "", &format!("{made} a.deposit(1); {tells}"));
    assert!(has(&all, "a.getBalance()"), "{all:?}");
    let later = "a.deposit(1); Integer.parseInt(\"x\");";
    let all = listed("", expected, &format!("{made} {later}"));
    assert!(has(&all, "a.getBalance()"), "{all:?}");
}

/// What a helper of the test gives that only asks the code, a test that checks nothing drops as it would the code's own.
#[test]
fn what_a_helper_asks_of_the_code_is_dropped_with_it() {
    let of =
        |helper: &str, body: &str| is_worth_with(super::MAIN, helper, body, "act()") == Some(true);
    let asks = "private int act() { Account a = new Account(\"x\"); return a.deposit(3); }";
    assert!(of(asks, "act();"));
    assert!(!of(asks, "act(); assertEquals(1, 1);"));
    assert!(!of(
        "private int act() { new Account(\"x\").deposit(3); return 1; }",
        "act();"
    ));
}

/// A test that sees whether something is valid wants it to pass.
#[test]
fn a_test_that_validates_wants_no_value() {
    let of = |name: &str| {
        let case = super::named(name, "", "Account a = Account.of(\"x\"); a.plus(3);");
        let o = case.offer(&super::Switches::default());
        let mut worth = o.readable.iter().filter(|r| o.is_worth(r.vertex));
        worth.any(|r| o.observations[&r.vertex].expression == "a.plus(3)")
    };
    assert!(of("works"));
    assert!(!of("validatesAll"));
}

/// What only goes on into the code is an input; and who asks for the time twice measures it.
#[test]
fn what_is_put_into_the_code_or_measured_is_not_told() {
    let of = |body: &str, what: &str| is_worth(super::MAIN, body, what) == Some(true);
    let made = "Account a = new Account(\"x\"); int left = a.deposit(3);";
    assert!(of(made, "left"));
    assert!(!of(
        &format!("{made} new Account(\"\" + left).add(left);"),
        "left"
    ));
    let clock = "long t = System.currentTimeMillis();";
    assert!(of(&format!("{clock} {made}"), "left"));
    let end = "System.out.println(System.currentTimeMillis() - t);";
    assert!(!of(&format!("{clock} {made} {end}"), "left"));
}

/// What a container's object knows is a store's: who asserts nothing of it only looks at it.
#[test]
fn what_a_store_gives_who_asserts_nothing_only_looks_at() {
    let main = "package p; public class Account { private int n = 3;
        public List<String> texts() { List<String> out = new ArrayList<>(); for (int i = 0; i < n * 2; i++) { String t = \"n\" + i; out.add(t); } return out; } }";
    let of = |annotation: &str, made: &str, asserted: &str| {
        let body = format!(
            "List<String> all = a.texts(); {asserted} }} {annotation} Account a{made}; @Test void other() {{"
        );
        is_worth(main, &body, "all") == Some(true)
    };
    assert!(of("", " = new Account()", ""));
    assert!(!of("@Autowired", "", ""));
    assert!(of("@Autowired", "", "assertEquals(4, all.size());"));
    assert!(!of("@Autowired", "", "assertSame(0, all.size());"));
}

/// A text below which the code draws, or has something encrypted, is another one each time.
#[test]
fn what_is_drawn_or_sealed_below_is_not_told() {
    let main = |by: &str| {
        format!(
            "package p; public class Account {{ private int n = 3; private final Box box = new Box();
            public String text(int k) {{ String made = make(k); return made + n * k; }}
            private String make(int k) {{ StringBuilder out = new StringBuilder(); {by} out.append(n * k); return out.toString(); }} }}
            class Box {{ String encrypt(String s) {{ return s + s; }} String twice(String s) {{ return s + s; }} }}"
        )
    };
    let body = "String t = new Account().text(4); assertNotNull(t);";
    let of = |by: &str| is_worth(&main(by), body, "t") == Some(true);
    assert!(of("out.append(box.twice(\"a\"));"));
    assert!(!of("out.append(box.encrypt(\"a\"));"));
    assert!(!of(
        "java.util.stream.IntStream.generate(() -> java.util.concurrent.ThreadLocalRandom.current().nextInt(9)).forEach(i -> box.twice(\"\" + i));"
    ));
}

/// Who builds an object and drops it asks whether it can be built.
#[test]
fn what_is_built_and_dropped_is_not_told() {
    let main = "package p; public class Account { private int n = 3;
        public int build(int k) { int made = n * k; return made + 1; }
        public int count(int k) { int made = n * k; return made + 1; } }";
    let of = |name: &str| {
        let call = format!("a.{name}(4)");
        is_worth(main, &format!("Account a = new Account(); {call};"), &call) == Some(true)
    };
    assert!(of("count"));
    assert!(!of("build"));
}

/// Who asks an object for its text or its hash, and asserts nothing, asks whether that works.
#[test]
fn a_text_of_an_object_that_nobody_asserts_is_not_told() {
    let main = "package p; public class Account { private int n = 3;
        public String toString() { String made = \"n\" + n; return made + 1; }
        public int hashCode() { int made = n * 31; return made + 1; }
        public String text() { String made = \"n\" + n; return made + 1; } }";
    let of = |given: &str| {
        let body = format!("Account a = new Account(); {given};");
        is_worth(main, &body, "t") == Some(true)
    };
    assert!(of("String t = a.text()"));
    assert!(!of("String t = a.toString()"));
    assert!(!of("int t = a.hashCode()"));
}
