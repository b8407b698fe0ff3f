//! What of a list looks worth an assertion, and what stands apart.

use super::*;
use crate::doubt::Worth;

/// A test that keeps what is thrown.
const THROWN: &str =
    "Account.BadAmount e = assertThrows(Account.BadAmount.class, () -> a.deposit(-1));";

/// What looks worth an assertion: of a test that checks nothing nearly all, of one that checks something little.
#[test]
fn what_looks_worth_an_assertion() {
    let worth = |main: &str, body: &str, what: &str| is_worth(main, body, what);
    let one_left = one_left();
    let by_owner = one_left.replace(
        "public int hashCode()",
        "public boolean equals(Object o) { return o instanceof Account && owner.equals(((Account) o).owner); } public int hashCode()",
    );
    let by_conditions = super::MAIN.replace(
        "public int hashCode()",
        "public boolean equals(Object o) { if (!(o instanceof Account)) return false; Account a = (Account) o; if (balance != a.balance) return false; return owner.equals(a.owner); } public int hashCode()",
    );
    let many = super::MAIN.replace(
        "public int hashCode()",
        "public int getA() { return balance + 1; } public int getB() { return balance + 2; } public int getC() { return balance + 3; } public int hashCode()",
    );
    let carries = super::MAIN.replace(
        "this.amount = code * 2; }",
        "this.amount = code * 2; } public int getAmount() { return amount; }",
    );
    let made = "Account a = Account.of(\"x\");";
    let asserts_message =
        format!("}} @Test void other() {{ {made} {THROWN} assertEquals(\"m\", e.getMessage());");
    for (main, body, what, expected) in [
        // It checks nothing.
        (
            super::MAIN,
            "Account a = new Account(\"x\"); a.deposit(3);",
            "a.getBalance()",
            Some(true),
        ),
        // The text of an object, and what says little, nobody wants.
        (super::MAIN, made, "a.getOwner().isEmpty()", Some(false)),
        // The one part left of a result that is only looked at, and of one that goes on.
        (
            &one_left,
            &format!("{made} assertEquals(\"x\", a.getOwner());"),
            "a.getBalance()",
            Some(true),
        ),
        (
            super::MAIN,
            &format!("{made} assertEquals(\"x\", a.getOwner());"),
            "a.getBalance()",
            Some(false),
        ),
        (
            super::MAIN,
            &format!(
                "{made} Account b = Account.of(a.getOwner()); assertEquals(\"x\", b.getOwner());"
            ),
            "a.getBalance()",
            Some(false),
        ),
        // What the last act wrote; and what it did not.
        (
            super::MAIN,
            "Account a = new Account(\"x\"); a.deposit(3); assertEquals(1, 1);",
            "a.getBalance()",
            Some(true),
        ),
        (
            super::MAIN,
            "Account a = new Account(\"x\"); a.deposit(3); assertEquals(1, 1);",
            "a.getOwner()",
            Some(false),
        ),
        // An `equals` that looks at the owner leaves the balance open; identity does not.
        (
            &by_owner,
            &format!("{made} assertEquals(new Account(\"x\"), a);"),
            "a.getBalance()",
            Some(true),
        ),
        (
            &by_owner,
            &format!("{made} assertEquals(new Account(\"x\"), a);"),
            "a.getOwner()",
            Some(false),
        ),
        // What a mock gave is the test's own, whatever `equals` looks at.
        (
            &by_owner,
            &format!(
                "{made} Account b = new Account(\"x\"); when(supplier.get()).thenReturn(b); assertEquals(b, a);"
            ),
            "a.getBalance()",
            Some(false),
        ),
        // Whatever `equals` looks at: the same object has the same parts. One that looks in conditions looks, too.
        (
            &by_owner,
            &format!("{made} Account b = a; assertSame(b, a);"),
            "a.getBalance()",
            Some(false),
        ),
        (
            &by_conditions,
            &format!("{made} assertEquals(new Account(\"x\"), a);"),
            "a.getBalance()",
            Some(false),
        ),
        // What was opened is looked at for what the test chose of it.
        (
            super::MAIN,
            &format!("{made} assertNotNull(a); assertEquals(1, a.getBalance());"),
            "a",
            Some(false),
        ),
        // Of many parts of a result none is worth more than the others.
        (
            &many,
            &format!("{made} assertEquals(\"x\", a.getOwner());"),
            "a.getBalance()",
            Some(false),
        ),
        // Who keeps an exception wants to look at it; who drops it, or only catches it, does not.
        (
            &carries,
            &format!("{made} {THROWN}"),
            "e.getAmount()",
            Some(true),
        ),
        (
            &carries,
            &format!("{made} {THROWN} assertEquals(1, e.getAmount());"),
            "e.getMessage()",
            Some(false),
        ),
        (
            &carries,
            &format!("{made} try {{ a.deposit(-1); fail(); }} catch (Account.BadAmount e) {{ }}"),
            "e.getAmount()",
            Some(false),
        ),
        // A message where the file asserts one; of an empty `catch` none.
        (
            &carries,
            &format!("{made} {THROWN}"),
            "e.getMessage()",
            Some(false),
        ),
        (
            &carries,
            &format!("{made} {THROWN} {asserts_message}"),
            "e.getMessage()",
            Some(true),
        ),
        (
            &carries,
            &format!(
                "{made} try {{ a.deposit(-1); fail(); }} catch (Account.BadAmount e) {{ }} {asserts_message}"
            ),
            "e.getMessage()",
            Some(false),
        ),
        // An assertion has it in the same words, if its name says that asking changes nothing or nobody does.
        (
            super::MAIN,
            &format!("{made} assertEquals(1, a.getCached()); assertEquals(2, a.getBalance());"),
            "a.getCached()",
            None,
        ),
    ] {
        assert_eq!(worth(main, body, what), expected, "{what} of {body}");
    }
}

/// What a test can hardly get wrong, or has chosen not to look at.
#[test]
fn what_leaves_nothing_open_is_not_worth_an_assertion() {
    let more = super::MAIN.replace(
        "public int hashCode()",
        "private boolean closed = false; public boolean isClosed() { return closed; } \
          private int paid = 0; { pay(); } private void pay() { paid = balance + 1; } public int getPaid() { return paid; } \
         public boolean equals(Object o) { return o instanceof Account && owner.equals(((Account) o).owner); } \
         public java.util.List<String> names() { java.util.List<String> out = new java.util.ArrayList<>(); \
         if (balance > 0) { out.add(owner); } return out; } public int hashCode()",
    );
    let kinds = one_left().replace(
        "public int hashCode()",
        "public enum Kind { SMALL(\"s\", 1), BIG(\"b\", 2); private final String label; private final int size; \
         Kind(String l, int s) { label = l; size = s * 3; } public int getSize() { return size; } \
         public boolean equals(String s) { return label.equals(s); } } \
         public Kind kind() { return balance > 3 ? Kind.BIG : Kind.SMALL; } \
         public String toLongString() { return owner + balance; } public int hashCode()",
    );
    let unforeseen = one_left().replace("getBalance()", "getBalanceId()");
    // Of two accounts the `equals` looks at the owner.
    let with = |members: &str| {
        let few = one_left();
        let few = few.replace("public int getBalance() { return balance; }", members);
        few.replace(
            "public int hashCode()",
            "public boolean equals(Object o) { return o instanceof Account && owner.equals(((Account) o).owner); } \
             public int hashCode()",
        )
    };
    let closing =
        with("private boolean closed = false; public boolean isClosed() { return closed; }");
    let paying = with(
        "private int paid = 0; { pay(); } private void pay() { paid = balance + 1; } \
         public int getPaid() { return paid; }",
    );
    let made = "Account a = Account.of(\"x\");";
    let names = format!("{made} List<String> n = a.names(); assertNotNull(n);");
    let equal = format!("{made} assertEquals(new Account(\"x\"), a);");
    let owner = format!("{made} assertEquals(\"x\", a.getOwner());");
    let there = format!("{made} assertNotNull(a);");
    let beside = |body: &str| {
        let other =
            "@Test void other() { Account a = Account.of(\"y\"); assertEquals(1, a.getBalance());";
        format!("{body} }} {other}")
    };
    let one_left = one_left();
    let (main, more) = (one_left.as_str(), more.as_str());
    for (main, body, what, expected) in [
        // A list without elements has no contents.
        (
            more,
            format!("{names} assertEquals(1, n.size());"),
            "n",
            true,
        ),
        (
            more,
            format!("{names} assertEquals(0, n.size());"),
            "n",
            false,
        ),
        (
            more,
            format!("{names} assertTrue(n.isEmpty());"),
            "n",
            false,
        ),
        // It was empty, and is another since.
        (
            more,
            format!(
                "{made} List<String> n = a.names(); assertTrue(n.isEmpty()); n = a.names(); assertNotNull(n); assertEquals(1, n.size());"
            ),
            "n",
            true,
        ),
        // What nothing sets, and what something does.
        (&closing, equal.clone(), "a.isClosed()", false),
        (&paying, equal, "a.getPaid()", true),
        // A text of which a part is asserted is looked at for that.
        (
            main,
            format!("{made} String t = a.getOwner(); assertNotNull(t);"),
            "t",
            true,
        ),
        (
            main,
            format!(
                "{made} String t = a.getOwner(); assertNotNull(t); assertTrue(t.contains(\"x\"));"
            ),
            "t",
            false,
        ),
        // What another value is compared with, by `equals` or as the same object; and `equals` of something else.
        (
            main,
            format!("{made} int n = a.deposit(1); assertEquals(n, a.getBalance());"),
            "n",
            false,
        ),
        (
            main,
            format!("{made} Account b = Account.of(\"y\"); assertTrue(a == b);"),
            "a.getBalance()",
            false,
        ),
        (
            &paying,
            format!("{made} Account b = Account.of(\"y\"); assertEquals(false, a == b);"),
            "a.getPaid()",
            false,
        ),
        (
            &kinds,
            format!("{made} Account.Kind k = a.kind(); assertEquals(Account.Kind.BIG, k);"),
            "k.getSize()",
            false,
        ),
        // Of what is not there nothing can be asked.
        (
            &paying,
            format!("{made} assertNull(a);"),
            "a.getPaid()",
            false,
        ),
        (
            main,
            format!("{made} assertNotNull(a);"),
            "a.getBalance()",
            true,
        ),
        // A text of it, whatever that is called.
        (
            &kinds,
            format!("{made} assertNotNull(a);"),
            "a.toLongString()",
            false,
        ),
        // A result that is dropped by the last act, and by one before it; and one that another test asserts.
        (
            main,
            format!("{made} a.plus(1); assertEquals(\"x\", a.getOwner());"),
            "a.plus(1)",
            true,
        ),
        (
            main,
            format!("{made} a.plus(1); int sum = a.deposit(2); assertEquals(4, sum);"),
            "a.plus(1)",
            false,
        ),
        (
            main,
            format!("{made} a.plus((int) Math.random()); assertEquals(\"x\", a.getOwner());"),
            "a.plus((int) Math.random())",
            false,
        ),
        (
            main,
            format!("{made} a.plus((int) Math.abs(2)); assertEquals(\"x\", a.getOwner());"),
            "a.plus((int) Math.abs(2))",
            true,
        ),
        (
            main,
            format!(
                "{made} a.plus(1); assertEquals(\"x\", a.getOwner()); }} \
                 @Test void other() {{ Account a = Account.of(\"y\"); assertEquals(1, a.plus(1));"
            ),
            "a.plus(1)",
            false,
        ),
        // Nobody can foresee it.
        (
            main,
            format!("{made} String token = a.getOwner(); assertNotNull(token);"),
            "token",
            false,
        ),
        (&unforeseen, owner.clone(), "a.getBalanceId()", false),
        // Another test of the file asserts it, and this one something else of the object, or only that it is there.
        (main, owner.clone(), "a.getBalance()", true),
        (main, beside(&owner), "a.getBalance()", false),
        (main, beside(&there), "a.getBalance()", true),
    ] {
        let found = is_worth(main, &body, what);
        assert_eq!(found == Some(true), expected, "{what} of {body}");
    }
}

/// What annotations say of a test is not read in comments.
#[test]
fn a_comment_tells_nothing_of_a_test() {
    let body = "Account a = new Account(\"x\"); a.deposit(3);";
    let is_worth = |name: &str| {
        let o = super::named(name, "", body).offer(&Switches::default());
        let mut worth = o.readable.iter().filter(|r| o.is_worth(r.vertex));
        worth.any(|r| o.observations[&r.vertex].expression == "a.getBalance()")
    };
    assert!(is_worth("works"));
    assert!(is_worth("/* as expected, enabled=false */ works"));
    let annotated = |with: &str| {
        let name = format!("first() {{ }} @Test({with}) void works");
        let case = super::named(&name, "", body);
        let test = case.workspace.suite().tests()[1];
        let offer = super::offer(
            &case.workspace,
            &case.known,
            &[case.workspace.own_run(test)],
            &Settings::default(),
            &Switches::default(),
        );
        offer.worth.len()
    };
    assert!(annotated("timeout = 3") > 0);
    assert_eq!(
        annotated("timeout = 3, expected = Account.BadAmount.class"),
        0
    );
    assert_eq!(annotated("enabled = false"), 0);
}

/// Of many parts what the file asks, where the test checks nothing; and nothing that an `equals` leaves open in a test of `equals`.
#[test]
fn what_looks_worth_an_assertion_depends_on_what_the_test_is_about() {
    let many = super::MAIN.replace(
        "public int hashCode()",
        "public int getA() { return balance + 1; } public int getB() { return balance + 2; } public int getC() { return balance + 3; } public int hashCode()",
    );
    let acts = "Account a = Account.of(\"x\");";
    let other = "@Test void other() { Account a = Account.of(\"y\"); assertEquals(2, a.getB());";
    let beside = format!("{acts} }} {other}");
    for (query, expected) in [("a.getB()", true), ("a.getA()", false), ("a.getC()", false)] {
        let found = is_worth(&many, &beside, query);
        assert_eq!(found == Some(true), expected, "{query}");
    }
    let one_left = one_left();
    let by_owner = one_left.replace(
        "public int hashCode()",
        "public boolean equals(Object o) { return o instanceof Account && owner.equals(((Account) o).owner); } public int hashCode()",
    );
    let equal = "Account a = Account.of(\"x\"); assertEquals(new Account(\"x\"), a);";
    let own = "Account a = Account.of(\"x\"); assertFine(a); } \
        static void assertFine(Account a) { assertEquals(\"x\", a.getOwner());";
    for (name, body, expected) in [
        ("pays", equal, true),
        ("equality", equal, false),
        ("testEquals", equal, false),
        ("pays", own, false),
    ] {
        let o = super::case(&by_owner, name, "", body).offer(&Switches::default());
        let worth = o.readable.iter().filter(|r| o.is_worth(r.vertex));
        let mut worth = worth.map(|r| o.observations[&r.vertex].expression.as_str());
        assert_eq!(worth.any(|e| e == "a.getBalance()"), expected, "{name}");
    }
}

/// A file that looks at many such objects and never at one part of them has chosen; one that does so once has not.
#[test]
fn a_part_that_siblings_leave_is_not_worth_an_assertion() {
    let one_left = one_left();
    let looks = "Account a = Account.of(\"x\"); assertEquals(\"x\", a.getOwner());";
    let sibling = |name: &str| format!("}} @Test void {name}() {{ {looks} ");
    let worth = |body: &str| is_worth(&one_left, body, "a.getBalance()");
    assert_eq!(worth(looks), Some(true));
    let once = format!("{looks} {}", sibling("one"));
    assert_eq!(worth(&once), Some(true));
    let twice = format!("{once} {}", sibling("two"));
    assert_eq!(worth(&twice), Some(false));
    // Where nothing is asserted of it, nothing was chosen either.
    let silent = format!(
        "Account a = Account.of(\"x\"); {} {}",
        sibling("one"),
        sibling("two")
    );
    assert_eq!(worth(&silent), Some(true));
}

/// Of what a test has besides what it checks, lists tell what it leaves open; parts that people usually assert come before the rest,
/// and are told with it.
#[test]
fn what_is_no_more_than_usual_is_not_told() {
    let one_left = one_left();
    let made = "Account a = Account.of(\"x\");";
    let carries = one_left.replace(
        "this.amount = code * 2; }",
        "this.amount = code * 2; } public int getAmount() { return amount; }",
    );
    let carries = carries.replace(
        "public int hashCode()",
        "public java.util.List<String> names() { java.util.List<String> out = new java.util.ArrayList<>(); \
         if (balance > 0) { out.add(owner); } return out; } public int hashCode()",
    );
    for (body, what, expected) in [
        ("", "a.getBalance()", Some(Worth::Told)),
        (
            "assertEquals(\"x\", a.getOwner());",
            "a.getBalance()",
            Some(Worth::Usual),
        ),
        ("assertNotNull(a);", "a.getBalance()", Some(Worth::Told)),
        (
            "assertNotNull(a); assertEquals(1, 1);",
            "a.getBalance()",
            Some(Worth::Usual),
        ),
        // Of a list that is told nobody is told how long it is.
        (
            "List<String> n = a.names(); System.out.println(n);",
            "n",
            Some(Worth::Told),
        ),
        (
            "List<String> n = a.names(); System.out.println(n);",
            "n.size()",
            Some(Worth::Usual),
        ),
        (THROWN, "e.getAmount()", Some(Worth::Told)),
        (
            "assertNotNull(a.getOwner());",
            "a.getOwner()",
            Some(Worth::Told),
        ),
        (
            "a.deposit(1); assertEquals(1, 1);",
            "a.getBalance()",
            Some(Worth::Usual),
        ),
        (
            "a.plus(1); assertEquals(\"x\", a.getOwner());",
            "a.plus(1)",
            Some(Worth::Told),
        ),
        ("assertEquals(2, a.getBalance());", "a", None),
    ] {
        let case = super::with_main(&carries, "", &format!("{made} {body}"));
        let o = case.offer(&Switches::default());
        let found = |r: &&Ranked| o.observations[&r.vertex].expression == what;
        let found = o.readable.iter().find(found).map(|r| r.vertex);
        let worth = found.and_then(|v| o.worth.get(&v).copied());
        assert_eq!(worth, expected, "{what} of {body}");
        let told = found.map(|v| o.is_worth(v));
        assert_eq!(
            told.unwrap_or_default(),
            expected == Some(Worth::Told),
            "{what} of {body}"
        );
    }
}

/// What tests' own code answers, what is another in each turn of a loop, what goes on, and what is there only by chance.
#[test]
fn what_a_test_does_not_look_at_itself_is_not_worth_an_assertion() {
    let main = one_left().replace(
        "public int hashCode()",
        "public Tag[] names() { Tag[] out = new Tag[1]; if (balance > 0) { out[0] = new Tag(owner); } return out; } \
         public static class Tag { private final String of; Tag(String of) { this.of = of; } public String getOwner() { return of; } \
         public boolean equals(Object o) { return o instanceof Tag && ((Tag) o).of.equals(of); } } \
         public static int count(Tag[] all) { return all.length; } \
         public boolean fill(java.util.List<String> all) { all.add(owner); return balance > 3; } \
         public static int twice(int x) { return x * 2 + made; } static int made = 3; \
         public static boolean set(int x) { made = x; return x > 3; } public static boolean lay(int x) { made = x; return x > 3; } \
         public static int with(java.util.function.IntSupplier f) { return made + f.getAsInt(); } \
         public byte[] raw() { return (owner + balance).getBytes(); } \
         public java.util.List<Tag> friends() { java.util.List<Tag> out = new java.util.ArrayList<>(); \
         if (balance > 0) { out.add(new Tag(owner)); } return out; } \
         public java.util.UUID key(int x) { return java.util.UUID.nameUUIDFromBytes((owner + balance + x).getBytes()); } \
         public String text(int x) { return owner + balance + x; } \
         public int hashCode()",
    );
    let made = "Account a = Account.of(\"x\");";
    let own = "} static class Own extends Account { Own() { super(\"x\"); } public int getBalance() { return 7; } } \
               @Test void other() {";
    let names = format!("{made} Account.Tag[] n = a.names(); assertNotNull(n);");
    for (body, what, expected) in [
        (
            "Own a = new Own(); a.deposit(1);".to_owned() + own,
            "a.getBalance()",
            false,
        ),
        (
            "Account a = new Own(); a.deposit(1);".to_owned() + own,
            "a.getBalance()",
            true,
        ),
        (
            "for (int i = 0; i < 3; i++) { Account a = Account.of(\"x\"); a.deposit(i); }".into(),
            "a.getBalance()",
            false,
        ),
        (names.clone(), "n", true),
        (
            format!("{names} assertEquals(\"x\", n[0].getOwner());"),
            "n",
            false,
        ),
        (
            format!("{names} int c = 0; c = Account.count(n); assertEquals(1, c);"),
            "n",
            false,
        ),
        (
            format!("{made} a.key(1); assertEquals(\"x\", a.getOwner());"),
            "a.key(1)",
            false,
        ),
        (
            format!("{made} a.text(1); assertEquals(\"x\", a.getOwner());"),
            "a.text(1)",
            true,
        ),
        // What puts something in, is given functions, or fills what is looked at; and what a sibling asserts.
        (
            "Account.set(1); assertEquals(1, 1);".into(),
            "Account.set(1)",
            false,
        ),
        (
            "Account.lay(1); assertEquals(1, 1);".into(),
            "Account.lay(1)",
            true,
        ),
        ("Account.set(1);".into(), "Account.set(1)", true),
        (
            "Account.with(() -> 3);".into(),
            "Account.with(() -> 3)",
            false,
        ),
        (
            "IntSupplier f = null; Account.with(f);".into(),
            "Account.with(f)",
            true,
        ),
        (
            format!(
                "{made} List<String> all = new ArrayList<>(); a.fill(all); assertEquals(1, all.size());"
            ),
            "a.fill(all)",
            false,
        ),
        (
            format!(
                "{made} List<String> all = new ArrayList<>(); a.fill(all); assertEquals(\"x\", a.getOwner());"
            ),
            "a.fill(all)",
            true,
        ),
        (
            "Account.twice(1); } @Test void other() { assertEquals(5, Account.twice(1));".into(),
            "Account.twice(1)",
            false,
        ),
        (
            "Account.twice(1); } @Test void other() { assertEquals(7, Account.twice(2));".into(),
            "Account.twice(1)",
            true,
        ),
        // Bytes, and a list through which a loop goes and asserts what is in it.
        (
            format!("{made} byte[] raw = a.raw(); assertNotNull(raw);"),
            "raw",
            false,
        ),
        (
            format!(
                "{made} List<Account.Tag> all = a.friends(); assertNotNull(all); for (Account.Tag one : all) {{ assertNotNull(one.getOwner()); }}"
            ),
            "all",
            true,
        ),
        (
            format!(
                "{made} List<Account.Tag> all = a.friends(); assertNotNull(all); for (Account.Tag one : all) {{ assertEquals(\"x\", one.getOwner()); }}"
            ),
            "all",
            false,
        ),
        // The test is about what came after it, whoever has its code.
        (
            format!(
                "{made} a.plus(1); String t = System.getProperty(\"t\"); assertEquals(\"x\", t);"
            ),
            "a.plus(1)",
            false,
        ),
        (
            format!(
                "{made} String t = System.getProperty(\"t\"); a.plus(1); assertEquals(\"x\", t);"
            ),
            "a.plus(1)",
            true,
        ),
    ] {
        let found = is_worth(&main, &body, what);
        assert_eq!(found == Some(true), expected, "{what} of {body}");
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
         public String user() { if (balance > 3) { return \"user\"; } return balance > 9 ? \"user\" : null; } \
         public String kind() { if (balance > 3) { return \"user\"; } return \"guest\"; } \
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
        (
            format!("{made} List<String> t = a.names(); System.out.println(t);"),
            "t",
            true,
        ),
        (
            format!("{made} List<String> t = a.names(); t.add(\"z\"); System.out.println(t);"),
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

/// An account of which a test sees the owner and the balance, and no more that is worth a look.
fn one_left() -> String {
    let more = "public boolean isOpen() { return balance > 0; }";
    super::MAIN
        .replace(more, "")
        .replace("public int limit = 3;", "")
}

/// Whether it looks worth an assertion, or is at least usual.
fn is_worth(main: &str, body: &str, what: &str) -> Option<bool> {
    is_worth_with(main, "", body, what)
}

/// The same of the first test of a class with other members before it.
fn is_worth_with(main: &str, members: &str, body: &str, what: &str) -> Option<bool> {
    let case = super::with_main(main, members, body);
    let o = case.offer(&Switches::default());
    let found = |r: &&Ranked| o.observations[&r.vertex].expression == what;
    let found = o.readable.iter().find(found);
    found.map(|r| o.worth.contains_key(&r.vertex))
}

/// A value is what it is behind the last call that gave or changed its object.
#[test]
fn a_list_knows_where_an_object_was_touched_last() {
    let body = "Account a = new Account(\"x\"); a.deposit(1); a.deposit(2); a.plus(3);";
    let case = super::with_main(super::MAIN, "", body);
    let o = case.offer(&Switches::default());
    let found = |what: &str| {
        let found = |r: &&Ranked| o.observations[&r.vertex].expression == what;
        o.readable.iter().find(found).map(|r| r.vertex)
    };
    let vertex = found("a.getBalance()").expect("it is offered");
    let program = case.workspace.program();
    let test = program.method_file(case.workspace.suite().tests()[0]);
    let text = program.text(test.expect("its file")).expect("its text");
    let before = &text[..o.touched[&vertex] as usize];
    assert!(before.ends_with("a.deposit(2)"), "{before}");
    let dropped = found("a.plus(3)").expect("it is offered");
    assert!(!o.touched.contains_key(&dropped));
}
