//! Which values are sure, and why others are not.

use super::*;

/// Why the list of a test is not sure of a value; `Some(None)` if it is sure, `None` if it does not have it.
fn doubt_of(case: &Case, what: &str) -> Option<Option<Doubt>> {
    let last = *case.workspace.suite().tests().last().unwrap();
    let settings = Settings {
        top: 100,
        ..Settings::default()
    };
    let runs = [case.workspace.own_run(last)];
    let o = offer(
        &case.workspace,
        &case.known,
        &runs,
        &settings,
        &Switches::default(),
    );
    let found = |r: &&Ranked| o.observations[&r.vertex].expression == what;
    let found = o.readable.iter().find(found)?;
    Some(o.doubt(found.vertex))
}

#[test]
fn what_code_under_test_computed_is_sure() {
    let sure = Some(None);
    assert_eq!(doubt_of(&after_deposit(""), "a.getBalance()"), sure);
    let kept = |then: &str| test(&format!("int r = Account.of(\"x\").deposit(3); {then}"));
    assert_eq!(doubt_of(&kept(""), "r"), sure, "kept and never read");
    assert_eq!(
        doubt_of(&kept("assertEquals(1, 1);"), "r"),
        Some(Some(Doubt::Aside)),
        "the test has chosen what to check"
    );
}

#[test]
fn of_a_test_that_checks_nothing_what_its_last_act_wrote_is_sure() {
    let (sure, aside) = (Some(None), Some(Some(Doubt::Aside)));
    let balance = |body: &str| doubt_of(&test(body), "a.getBalance()");
    assert_eq!(balance(DEPOSIT), sure);
    let other = "Account.of(\"b\").settle(new int[] {1});";
    assert_eq!(balance(&format!("{DEPOSIT} {other}")), aside, "it goes on");
    let run = "new Thread(new Runnable() { public void run() { assertEquals(1, 1); } }).start();";
    for check in [
        "assertEquals(1, 1);",
        "verify(bank).told();",
        "check();",
        run,
    ] {
        let helper = "void check() { assertNotNull(this); }";
        let case = with_members(helper, &format!("{check} {DEPOSIT}"));
        assert_ne!(doubt_of(&case, "a.getBalance()"), sure, "{check}");
    }
    // What is written beside many others is not what the call is about; a number that is given out is not foreseen.
    let main = |writes: &str, name: &str| {
        let main = MAIN.replace("public int next()", &format!("{writes} public int next()"));
        let main = main.replace("getBalance()", name);
        let body = "Account a = new Account(\"x\"); a.fill(3);";
        doubt_of(&with_main(&main, "", body), &format!("a.{name}"))
    };
    let few = "private int p; public void fill(int x) { balance = balance + x * 2; p = x; }";
    let many = "private int p, q, r; \
        public void fill(int x) { balance = balance + x * 2; p = x; q = x; r = x; }";
    assert_eq!(main(few, "getBalance()"), sure);
    assert_eq!(main(many, "getBalance()"), aside);
    assert_eq!(main(few, "getPort()"), aside);
}

#[test]
fn what_a_mock_is_told_to_throw_has_the_tests_own_message() {
    let caught =
        "Account.BadAmount e = assertThrows(Account.BadAmount.class, () -> a.deposit(-1));";
    let message = |members: &str, told: &str| {
        let body = format!("Account a = new Account(\"x\"); {told} {caught}");
        let main = MAIN.replace(
            "int code = amount + 1;",
            "super(\"no \" + amount); int code = amount + 1;",
        );
        doubt_of(&with_main(&main, members, &body), "e.getMessage()")
    };
    let asked = format!(
        "@Test void says() {{ Account a = new Account(\"x\"); {caught} assertEquals(\"no\", e.getMessage()); }}"
    );
    assert_eq!(message(&asked, ""), Some(None));
    let aside = Some(Some(Doubt::Aside));
    assert_eq!(message("", ""), aside, "nobody here asks for a message");
    let told = "doThrow(new Account.BadAmount(3)).when(log).write();";
    assert_eq!(message(&asked, told), aside);
    let stubbed = "expect(log.read()).andThrow(new Account.BadAmount(3)); replay(log);";
    assert_eq!(message(&asked, stubbed), aside);
    let answered = "expect(log.read()).andReturn(3); replay(log);";
    assert_eq!(message(&asked, answered), Some(None));
}

#[test]
fn a_flag_by_which_an_asserted_query_decides_is_covered() {
    let main = MAIN.replace(
        "public int next()",
        "public String state() { return isOpen() ? \"open\" : owner; } public int next()",
    );
    let flag = |asserted: &str| {
        let body = format!("{DEPOSIT} {asserted}");
        doubt_of(&with_main(&main, "", &body), "a.isOpen()")
    };
    assert_eq!(flag(""), Some(None));
    assert_eq!(
        flag("assertEquals(\"open\", a.state());"),
        Some(Some(Doubt::Covered))
    );
}

/// What the test made is its own until code under test changes it.
#[test]
fn what_code_changes_is_no_longer_the_tests_own() {
    let body = "Account a = new Account(\"x\"); a.deposit(3); int[] own = new int[] {1, 2}; a.settle(own); assertEquals(1, 1);";
    let doubt = doubt_of(&with_main(MAIN, "", body), "own");
    let doubt = doubt.expect("it is listed");
    assert_ne!(doubt, Some(Doubt::Untouched));
}

/// An identity nobody writes down, whatever it is made of.
#[test]
fn an_identity_is_no_value_to_assert() {
    let doubt = |ty: &str, made: &str| {
        let own = format!(
            "private {ty} tag; public {ty} getTag() {{ return tag; }} \
             public void keep(String k) {{ int twice = balance * 2; tag = {made}; balance = twice; }} \
             public int hashCode()"
        );
        let main = MAIN.replace("public int hashCode()", &own);
        let body = "Account a = new Account(\"x\"); a.keep(\"y\"); assertNotNull(a.getTag());";
        doubt_of(&with_main(&main, "", body), "a.getTag()").flatten()
    };
    assert_eq!(doubt("String", "k + twice"), Some(Doubt::Aside));
    let made = "java.util.UUID.nameUUIDFromBytes((k + twice).getBytes())";
    assert_eq!(doubt("java.util.UUID", made), Some(Doubt::Unstable));
}

/// Who says of a part that it is there has looked at it.
#[test]
fn of_a_part_that_is_said_to_be_there_nothing_is_sure() {
    let main = MAIN.replace(
        "public int hashCode()",
        "private String tag; public String getTag() { return tag; } \
         public void keep(String k) { int twice = balance * 2; tag = k + twice; balance = balance + 1; } \
         public int hashCode()",
    );
    let body = "Account a = new Account(\"x\"); a.keep(\"y\"); assertNotNull(a.getTag());";
    let doubt = doubt_of(&with_main(&main, "", body), "a.getTag()");
    assert_eq!(doubt, Some(Some(Doubt::Aside)));
}

#[test]
fn what_is_not_sure_says_why() {
    let doubts = |body: &str, what: &str| doubt_of(&after_deposit(body), what).flatten();
    assert_eq!(doubts("", "a.getOwner()"), Some(Doubt::Untouched));
    assert_eq!(doubts("", "a.getBoss()"), Some(Doubt::Bare));
    assert_eq!(doubts("", "a.getOwner().length()"), Some(Doubt::Little));
    assert_eq!(doubts("", "a.getCached()"), Some(Doubt::Changes));
    assert_eq!(
        doubts("assertEquals(1, 1);", "a.getBalance()"),
        Some(Doubt::Aside),
        "the test asserts something else"
    );
    assert_eq!(
        doubts("assertEquals(6, a.getBalance());", "a.isOpen()"),
        Some(Doubt::Covered)
    );
    let unwanted = test("int unused = Account.of(\"x\").deposit(3);");
    assert_eq!(doubt_of(&unwanted, "unused").flatten(), Some(Doubt::Little));
    let input = after_deposit(
        "Account.of(\"b\").settle(new int[] {a.plus(1)}); Bank.take(a); assertEquals(1, 1);",
    );
    assert_ne!(doubt_of(&input, "a.getBalance()"), Some(None));
}

#[test]
fn what_is_beside_the_point_is_not_sure() {
    let doubts = |body: &str, what: &str| doubt_of(&after_deposit(body), what).flatten();
    let other = "Account b = Account.of(\"y\"); b.deposit(1);";
    assert_eq!(
        doubts(&format!("{other} assertNotEquals(a, b);"), "a.getBalance()"),
        Some(Doubt::Asserted),
        "told apart as wholes"
    );
    // A value that is dropped by custom, and one that a mock is asked about.
    let next = test("Account a = Account.of(\"x\"); a.next();");
    assert_eq!(doubt_of(&next, "a.next()").flatten(), Some(Doubt::Aside));
    let kept = test("Account.of(\"x\").deposit(3);");
    assert_eq!(doubt_of(&kept, "Account.of(\"x\").deposit(3)"), Some(None));
    for looks in [
        "verify(bank).told();",
        "when().get().then().statusCode(200);",
    ] {
        let verified = test(&format!("Account.of(\"x\").deposit(3); {looks}"));
        let doubt = doubt_of(&verified, "Account.of(\"x\").deposit(3)");
        assert_eq!(doubt.flatten(), Some(Doubt::Aside), "{looks}");
    }
    // Dropped, and read by the same words elsewhere.
    let twice = test("Account a = Account.of(\"x\"); a.isOpen(); boolean open = a.isOpen();");
    assert_eq!(doubt_of(&twice, "a.isOpen()"), Some(Some(Doubt::Asserted)));
    let waits = "assertEquals(\"x\", a.getOwner()); await().until(a::getBalance);";
    assert_eq!(doubts(waits, "a.getBalance()"), Some(Doubt::Asserted));
    // A test that does not run.
    for (before, behind) in [
        ("@Test @Disabled(\"later\")", ""),
        ("@Test(groups = \"slow\", enabled=false)", ""),
        ("@Nested @Disabled class Off { @Test", "}"),
        ("@Test @EnabledOnOs(OS.WINDOWS)", ""),
    ] {
        let off = format!(
            "{before} void off() {{ Account a = new Account(\"x\"); a.deposit(3); }} {behind}"
        );
        let disabled = with_members(&off, DEPOSIT);
        let sure_of = |name: &str| {
            let program = disabled.workspace.program();
            let mut tests = disabled.workspace.suite().tests().iter();
            let is_it = |t: &&program::MethodId| program.method_decl(**t).unwrap().name == name;
            let run = disabled.workspace.own_run(*tests.find(is_it).unwrap());
            let settings = Settings::default();
            let switches = Switches::default();
            let o = offer(
                &disabled.workspace,
                &disabled.known,
                &[run],
                &settings,
                &switches,
            );
            o.readable.iter().any(|r| o.doubt(r.vertex).is_none())
        };
        let both = [sure_of("off"), sure_of("works")];
        assert_eq!(both, [false, true], "{before}");
    }
    // What is asserted of an object is of the object that it was.
    let again = "assertEquals(\"x\", a.getOwner()); a = Account.of(\"z\"); assertEquals(1, 1);";
    assert_ne!(
        doubt_of(&after_deposit(again), "a.getBalance()"),
        Some(None)
    );
}

#[test]
fn a_call_that_is_made_for_its_effect_is_not_sure() {
    let deposit = "Account.of(\"x\").deposit(3)";
    let doubt = |case: &Case, what: &str| doubt_of(case, what).flatten();
    let timed = test(&format!("for (int i = 0; i < 9; i++) {{ {deposit}; }}"));
    assert_eq!(doubt(&timed, deposit), Some(Doubt::Aside));
    // What it did is what the test looks at, even if it is named after the call.
    let looked_at = |name: &str, then: &str| {
        let body =
            format!("int[] parts = {{1}}; Account a = Account.of(\"x\"); a.sum(parts); {then}");
        doubt_of(&named(name, "", &body), "a.sum(parts)")
    };
    let (sure, aside) = (Some(None), Some(Some(Doubt::Aside)));
    for name in ["works", "sumOfParts"] {
        assert_eq!(looked_at(name, ""), sure);
        assert_eq!(looked_at(name, "assertEquals(1, 1);"), aside);
        assert_eq!(looked_at(name, "assertEquals(4, a.getBalance());"), aside);
    }
    // A helper, in whatever folder the class stands from which the test inherits it.
    let main = format!(
        "{MAIN} class Base {{ int cleans(int n) {{ int left = n * 2; return left + 1; }} }}"
    );
    let mut base = case_of(
        &main,
        "AccountTest extends Base",
        "cleansUp",
        "",
        "cleans(3);",
    );
    assert_eq!(doubt_of(&base, "cleans(3)").flatten(), Some(Doubt::Aside));
    base = case_of(
        &main,
        "AccountTest",
        "cleansUp",
        "",
        "new Base().cleans(3);",
    );
    assert_eq!(doubt_of(&base, "new Base().cleans(3)"), sure);
    // Another test asserts it.
    let sibling = format!("@Test void returns() {{ assertEquals(10, {deposit}); }}");
    let sibling = with_members(&sibling, &format!("{deposit};"));
    assert_eq!(doubt(&sibling, deposit), Some(Doubt::Aside));
}

#[test]
fn what_a_loop_hands_to_its_next_turn_was_read() {
    let turn = |reads: &str| {
        let body = format!(
            "int now = 1; for (int i = 0; i < 2; i++) {{ now = Account.of(\"x\").deposit({reads}); }}"
        );
        doubt_of(&test(&body), "now")
    };
    assert_eq!(turn("3"), Some(None));
    assert_eq!(turn("now"), Some(Some(Doubt::Aside)));
}

#[test]
fn what_is_empty_has_nothing_to_look_at() {
    let main = MAIN.replace(
        "public int next()",
        "public java.util.List<Integer> parts(int of) { \
         if (of * balance > 3) { return java.util.List.of(1, 2); } return null; } public int next()",
    );
    let custom = "@Test void whole() { java.util.List<Integer> it = Account.of(\"x\").parts(1); \
         assertEquals(java.util.List.of(1, 2), it); }";
    let size = |of: usize| {
        let body = format!(
            "java.util.List<Integer> all = Account.of(\"x\").parts({of}); assertEquals({of}, all.size());"
        );
        doubt_of(&with_main(&main, custom, &body), "all")
    };
    assert_eq!([size(2), size(0)], [Some(None), Some(Some(Doubt::Aside))]);
    let shown = |assertion: &str| {
        let body = format!("java.util.List<Integer> all = Account.of(\"x\").parts(3); {assertion}");
        doubt_of(&with_main(&main, custom, &body), "all")
    };
    for empty in [
        "assertThat(all.size()).isZero();",
        "assertThat(all.size()).isEqualTo(0);",
        "assertTrue(all.isEmpty());",
        "assertTrue(all.size() == 0);",
    ] {
        assert_eq!(shown(empty), Some(Some(Doubt::Aside)), "{empty}");
    }
    // Nothing is said to be empty, or what is not looked at is.
    for other in [
        "assertNotEquals(0, all.size());",
        "assertThat(all.size()).isNotEqualTo(0);",
        "assertEquals(4, all.size());",
        "assertEquals(2, all.size(), \"of (0)\");",
    ] {
        assert_eq!(shown(other), Some(None), "{other}");
    }
}

#[test]
fn what_counts_over_all_objects_is_unstable() {
    let ids = "public class Ids { private static int last; private int id;
        public static Ids make() { Ids i = new Ids(); i.renew(); return i; }
        public void renew() { last++; id = last * 2; }
        public int getId() { return id; } }";
    let main = format!("{MAIN}\n{}", ids.replace("public class", "class"));
    let case = with_main(&main, "", "Ids i = Ids.make(); i.renew();");
    assert_eq!(doubt_of(&case, "i.getId()"), Some(Some(Doubt::Unstable)));
}

#[test]
fn what_the_test_does_not_mention_is_not_offered() {
    let case = with_members("Account fixture = new Account(\"f\");", DEPOSIT);
    assert_eq!(doubt_of(&case, "fixture.getBalance()"), None);
    assert_eq!(doubt_of(&case, "a.getBalance()"), Some(None));
    let used = format!("{DEPOSIT} fixture.deposit(2);");
    let case = with_members("Account fixture = new Account(\"f\");", &used);
    assert!(doubt_of(&case, "fixture.getBalance()").is_some());
}

#[test]
fn a_mock_and_what_it_answers_is_not_listed() {
    for mock in [
        "@Mock Account m;",
        "@MockitoBean Account m;",
        "Account m = mock(Account.class);",
        "Account m; @org.junit.jupiter.api.BeforeEach void setUp() { m = Mockito.mock(Account.class); }",
    ] {
        let case = with_members(mock, "m.deposit(3); Account of = m.add(1); of.deposit(1);");
        let readable = case.readable();
        assert!(
            !readable
                .iter()
                .any(|e| e.starts_with("m.") || e.starts_with("of.")),
            "{mock} {readable:?}"
        );
    }
    let told = after_deposit("when(bank.find()).thenReturn(a); bank.run();");
    assert_eq!(doubt_of(&told, "a.getBalance()"), None);
}

#[test]
fn what_must_throw_is_not_listed() {
    let body = "Account a = new Account(\"x\"); assertThrows(RuntimeException.class, () -> a.deposit(-1));";
    assert_eq!(doubt_of(&test(body), "a.getBalance()"), None);
}

#[test]
fn what_another_form_asserts_is_not_sure() {
    for form in [
        "assertEquals(\"6\", String.valueOf(a.getBalance()));",
        "then(a.getBalance()).isEqualTo(6);",
        "assertAll(() -> assertEquals(6, a.getBalance()));",
        "assertThat(a).usingRecursiveComparison().isEqualTo(new Account(\"y\"));",
        "assertThat(a).extracting(Account::getBalance).isEqualTo(6);",
        "assertEquals(\"Account\", a.toString());",
        "assertTrue(a.equals(Account.of(\"x\")));",
        "check(a);",
        "int now = a.getBalance(); assertEquals(6, now);",
    ] {
        let case = with_members(
            "void check(Account it) { assertEquals(6, it.getBalance()); }",
            &format!("{DEPOSIT} {form}"),
        );
        // What is asserted in its own words is not listed.
        let doubt = doubt_of(&case, "a.getBalance()");
        assert!(
            matches!(doubt, None | Some(Some(Doubt::Asserted))),
            "{form} {doubt:?}"
        );
    }
    // It changes afterwards.
    let again = after_deposit("then(a.getBalance()).isEqualTo(6); a.deposit(2);");
    assert!(doubt_of(&again, "a.getBalance()").is_some());
}

#[test]
fn what_an_assertion_reads_by_its_name_is_not_listed() {
    for form in [
        "assertThat(a).hasFieldOrPropertyWithValue(\"balance\", 6);",
        "assertThat(a).extracting(\"balance\").isEqualTo(6);",
        "assertThat(a).extracting(\"limit\", \"balance\").containsExactly(3, 6);",
        "assertThat(a).extracting(Account::getBalance).isEqualTo(6);",
        "assertThat(a).extracting(it -> it.getBalance()).isEqualTo(6);",
        "assertThat(a).returns(6, from(Account::getBalance));",
        "assertThat(a).satisfies(it -> { assertThat(it.getBalance()).isEqualTo(6); });",
    ] {
        let case = after_deposit(form);
        assert_eq!(doubt_of(&case, "a.getBalance()"), None, "{form}");
        assert!(doubt_of(&case, "a.isOpen()").is_some(), "{form}");
    }
    // It is another one behind the assertion, or nobody says what it is, or it is a part of a part.
    for form in [
        "assertThat(a).hasFieldOrPropertyWithValue(\"balance\", 6); a.deposit(2);",
        "assertThat(a).hasFieldOrProperty(\"balance\");",
        "assertThat(a).extracting(\"boss\").extracting(\"balance\").isEqualTo(6);",
    ] {
        let case = after_deposit(form);
        assert!(doubt_of(&case, "a.getBalance()").is_some(), "{form}");
    }
}

#[test]
fn the_time_is_no_value_to_assert() {
    let main = "package p; public class Account { private long at; private int n; \
        public void tick() { at = System.nanoTime() + 1; n = n + 1; } \
        public long getAt() { return at; } public int getN() { return n; } }";
    let case = with_main(main, "", "Account c = new Account(); c.tick();");
    assert_eq!(doubt_of(&case, "c.getAt()"), Some(Some(Doubt::Unstable)));
    assert_eq!(doubt_of(&case, "c.getN()"), Some(None));
}

#[test]
fn what_java_calls_is_the_test_s_and_what_a_library_may_call_is_not() {
    let classes = "static class Bag implements Iterable<Integer> { public Iterator<Integer> iterator() { return new Walk(); } }
    static class Walk implements Iterator<Integer> { int at = 1; public boolean hasNext() { return at < 3; }
        public Integer next() { int found = at * 2; found += 1; return found > 3 ? 1 : 2; } }
    static class Key implements Comparable<Key> { int rank = 1;
        public int compareTo(Key o) { int order = rank * 2; order += 1; return order > 3 ? 1 : 2; } }";
    let before = "public static class Rates";
    let main = MAIN.replace(before, &format!("{classes}\n    {before}"));
    let main = main.replace("package p;", "package p; import java.util.*;");
    let body = "new TreeMap<Account.Key, String>().put(new Account.Key(), \"\"); \
                for (int i : new Account.Bag()) { Account.of(\"x\"); }";
    let inside = with_main(&main, "", body).inside();
    assert!(inside.iter().any(|v| v == "found"), "{inside:?}");
    assert!(!inside.iter().any(|v| v == "order"), "{inside:?}");
}

#[test]
fn two_locals_of_one_name_are_two_objects() {
    let second = |first: &str| {
        let body = format!("{{ {first} }} Account a = Account.of(\"x\"); a.deposit(3);");
        doubt_of(&test(&body), "a.getBalance()")
    };
    assert_eq!(second("Account b = Account.of(\"y\");"), Some(None));
    // A mock.
    assert_eq!(second("Account a = mock(Account.class);"), Some(None));
    // Compared whole, handed on, expected to throw.
    let compared = "Account a = Account.of(\"y\"); assertEquals(Account.of(\"y\"), a);";
    assert_ne!(second(compared), Some(Some(Doubt::Asserted)));
    let thrown = "Account a = Account.of(\"y\"); assertThrows(E.class, () -> a.deposit(-1));";
    assert_ne!(second(thrown), Some(Some(Doubt::Throws)));
}

#[test]
fn a_local_is_not_the_field_of_its_name() {
    let offered = |body: &str| {
        let case = with_members("private final Account a = Account.of(\"f\");", body);
        doubt_of(&case, "a.getBalance()")
    };
    // The local is gone: what is offered is the field, of which nothing was asserted.
    let local = "{ Account a = Account.of(\"x\"); a.deposit(1); assertEquals(2, a.getBalance()); }";
    assert!(offered(&format!("this.a.deposit(3); {local}")).is_some());
    // With and without `this` it is one.
    let field = "assertEquals(2, this.a.getBalance());";
    assert_eq!(offered(&format!("a.deposit(3); {field}")), None);
}

#[test]
fn what_a_block_declares_is_gone_behind_it() {
    let has = |body: &str, what: &str| test(body).readable().contains(&what.to_owned());
    let made = "Account a = Account.of(\"x\"); a.deposit(1);";
    assert!(has(&format!("int n = 1; {{ {made} }}"), "a.getBalance()"));
    let after = "Account b = Account.of(\"y\"); b.deposit(1);";
    assert!(!has(&format!("{{ {made} }} {after}"), "a.getBalance()"));
    // A brace in a comment or a text closes nothing.
    let quoted = format!("{made} /* }} */ String s = \"}}\"; {after}");
    assert!(has(&quoted, "a.getBalance()"));
}

/// An object whose state comes by one of several ways.
const RENEWAL: &str = "public int kept; private int last;
    public int renew(int x) { last = x; if (x > 100) { kept = x * 3; } else if (x > 50) { kept = x * 2; } else { kept = told(x); } return kept; }
    int told(int x) { if (x > 10) { return x + 7; } return x - last; }
    public int renewed(int x) { if (x > 9) { kept = x * 3; } else { kept = x - last; } return x * 2; }
    public int getKept() { return kept; }
    public int getAgain() { if (kept > 9) { return kept - 1; } return kept; }
    public int next()";

#[test]
fn what_shows_the_fields_that_are_asserted_is_not_sure() {
    let main = MAIN.replace("public int next()", RENEWAL);
    let again = |body: &str| {
        let body = format!("Account a = new Account(\"x\"); a.renew(3); {body}");
        doubt_of(&with_main(&main, "", &body), "a.getAgain()")
    };
    assert_eq!(again(""), Some(None));
    assert_eq!(
        again("if (a.getOwner() != null) { assertEquals(6, a.getKept()); }"),
        Some(Some(Doubt::Covered))
    );
}

#[test]
fn what_the_asserted_call_returned_is_not_sure_again() {
    let main = MAIN.replace("public int next()", RENEWAL);
    let kept = |body: &str| {
        let body = format!("Account a = new Account(\"x\"); {body}");
        doubt_of(&with_main(&main, "", &body), "a.getKept()")
    };
    assert_eq!(kept("a.renewed(3);"), Some(None));
    let returned = "assertEquals(6, a.renewed(3));";
    assert_eq!(kept(returned), Some(Some(Doubt::Covered)));
}

#[test]
fn what_is_kept_before_the_test_goes_on_is_not_sure() {
    let kept = |after: &str| {
        let body = format!("Account a = Account.of(\"x\"); int r = a.deposit(3); {after}");
        doubt_of(&test(&body), "r")
    };
    assert_eq!(kept(""), Some(None));
    assert_eq!(kept("a.deposit(4);"), Some(Some(Doubt::Aside)));
}

#[test]
fn elements_that_are_looked_at_one_by_one_show_a_list() {
    let main = MAIN.replace(
        "public int next()",
        "public java.util.List<Integer> parts(int of) { \
         if (of * balance > 3) { return java.util.List.of(1, 2); } return null; } public int next()",
    );
    let custom = "@Test void whole() { java.util.List<Integer> it = Account.of(\"x\").parts(1); \
         assertEquals(java.util.List.of(1, 2), it); }";
    let all = |body: &str| {
        let body = format!(
            "java.util.List<Integer> all = Account.of(\"x\").parts(3); assertEquals(2, all.size()); {body}"
        );
        doubt_of(&with_main(&main, custom, &body), "all")
    };
    assert_eq!(all(""), Some(None));
    let first = "int first = all.get(0); assertEquals(1, first);";
    assert_ne!(all(first), Some(None));
}
