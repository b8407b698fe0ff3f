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
        // What an assertion compares is compared, whatever its `equals` looks at.
        (
            &by_owner,
            &format!("{made} assertEquals(new Account(\"x\"), a);"),
            "a.getBalance()",
            Some(false),
        ),
        (
            super::MAIN,
            &format!("{made} Account b = a; assertSame(b, a);"),
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
        // That it is there, or of which class, says nothing that was not known.
        (
            &carries,
            &format!("{made} {THROWN} assertNotNull(e);"),
            "e.getAmount()",
            Some(true),
        ),
        (
            &carries,
            &format!("{made} {THROWN} assertTrue(e instanceof Account.BadAmount);"),
            "e.getAmount()",
            Some(true),
        ),
        (
            &carries,
            &format!("{made} {THROWN} assertThat(e).isInstanceOf(Account.BadAmount.class);"),
            "e.getAmount()",
            Some(true),
        ),
        (
            &carries,
            &format!("{made} {THROWN} assertNotNull(e); {asserts_message}"),
            "e.getMessage()",
            Some(true),
        ),
        (
            &carries,
            &format!("{made} {THROWN} assertNotNull(e); assertEquals(1, e.getAmount());"),
            "e.getMessage()",
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

/// What a library throws through the code says what that library says.
#[test]
fn a_message_that_a_library_writes_is_not_worth_an_assertion() {
    let main = |throws: &str| {
        format!(
            "package p; public class Account {{ private final org.lib.Parser parser = new org.lib.Parser(); \
            public int read(String s) {{ {throws} int n = parser.next(s); return n * 2; }} }}"
        )
    };
    let kept =
        "org.lib.Broken e = assertThrows(org.lib.Broken.class, () -> new Account().read(\"x\"));";
    let body = format!(
        "{kept} assertNotNull(e); }} @Test void other() {{ {kept} assertEquals(\"m\", e.getMessage());"
    );
    let is_told = |throws: &str| is_worth(&main(throws), &body, "e.getMessage()") == Some(true);
    assert!(!is_told(""));
    assert!(is_told(
        "if (s == null) { throw new org.lib.Broken(\"no \" + s); }"
    ));
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
        (&closing, there.clone(), "a.isClosed()", false),
        (&paying, there.clone(), "a.getPaid()", true),
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

/// Of many parts what the file asks and the test is named after, where it checks nothing.
#[test]
fn what_looks_worth_an_assertion_depends_on_what_the_test_is_about() {
    let many = super::MAIN.replace(
        "public int hashCode()",
        "public int getA() { return balance + 1; } public int getB() { return balance + 2; } public int getC() { return balance + 3; } public int hashCode()",
    );
    let acts = "Account a = Account.of(\"x\");";
    let other = "@Test void other() { Account a = Account.of(\"y\"); assertEquals(2, a.getB());";
    let beside = format!("{acts} }} {other}");
    let of = |name: &str, query: &str| {
        let o = super::case(&many, name, "", &beside).offer(&Switches::default());
        let mut worth = o.readable.iter().filter(|r| o.is_worth(r.vertex));
        worth.any(|r| o.observations[&r.vertex].expression == query)
    };
    assert!(of("showsB", "a.getB()"));
    // Another test asks it, and this one is about nothing that it says.
    assert!(!of("works", "a.getB()"));
    for query in ["a.getA()", "a.getC()"] {
        assert!(!of("showsB", query), "{query}");
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
        ("assertNotNull(a);", "a.getBalance()", Some(Worth::Usual)),
        (
            "assertNotNull(a); assertEquals(1, 1);",
            "a.getBalance()",
            Some(Worth::Usual),
        ),
        // Of a list that is told nobody is told how long it is.
        ("List<String> n = a.names();", "n", Some(Worth::Told)),
        (
            "List<String> n = a.names();",
            "n.size()",
            Some(Worth::Usual),
        ),
        // It was given to somebody who is not known.
        (
            "List<String> n = a.names(); System.out.println(n);",
            "n",
            None,
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
            Some(Worth::Usual),
        ),
        ("a.plus(1);", "a.plus(1)", Some(Worth::Told)),
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

/// An account of which a test sees the owner and the balance, and no more that is worth a look.
fn one_left() -> String {
    let more = "public boolean isOpen() { return balance > 0; }";
    super::MAIN
        .replace(more, "")
        .replace("public int limit = 3;", "")
        .replace("this.owner = owner;", "this.owner = owner.toUpperCase();")
}

/// Whether it looks worth an assertion, or is at least usual.
pub(super) fn is_worth(main: &str, body: &str, what: &str) -> Option<bool> {
    is_worth_with(main, "", body, what)
}

/// The same of the first test of a class with other members before it.
pub(super) fn is_worth_with(main: &str, members: &str, body: &str, what: &str) -> Option<bool> {
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
