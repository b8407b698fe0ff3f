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
    Some(o.doubts.get(&found.vertex).copied())
}

#[test]
fn what_code_under_test_computed_is_sure() {
    let sure = Some(None);
    assert_eq!(doubt_of(&after_deposit(""), "a.getBalance()"), sure);
    let kept = test("int r = Account.of(\"x\").deposit(3); assertEquals(1, 1);");
    assert_eq!(doubt_of(&kept, "r"), sure, "kept and never read");
    let part = after_deposit("assertEquals(\"x\", a.getOwner());");
    assert_eq!(
        doubt_of(&part, "a.getBalance()"),
        sure,
        "another part is asserted"
    );
}

#[test]
fn what_is_not_sure_says_why() {
    let doubts = |body: &str, what: &str| doubt_of(&after_deposit(body), what).flatten();
    assert_eq!(doubts("", "a.getOwner()"), Some(Doubt::Passed));
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
    let verified = test("Account.of(\"x\").deposit(3); verify(bank).told();");
    let doubt = doubt_of(&verified, "Account.of(\"x\").deposit(3)");
    assert_eq!(doubt.flatten(), Some(Doubt::Aside));
    // Dropped, and read by the same words elsewhere.
    let twice = test("Account a = Account.of(\"x\"); a.isOpen(); boolean open = a.isOpen();");
    assert_eq!(doubt_of(&twice, "a.isOpen()"), Some(Some(Doubt::Asserted)));
    let waits = "assertEquals(\"x\", a.getOwner()); await().until(a::getBalance);";
    assert_eq!(doubts(waits, "a.getBalance()"), Some(Doubt::Asserted));
    // A test that does not run.
    let disabled = with_members(
        "@Test @Disabled(\"later\") void off() { Account a = new Account(\"x\"); a.deposit(3); }",
        DEPOSIT,
    );
    let sure_of = |test: usize| {
        let run = disabled
            .workspace
            .own_run(disabled.workspace.suite().tests()[test]);
        let settings = Settings::default();
        let switches = Switches::default();
        let o = offer(
            &disabled.workspace,
            &disabled.known,
            &[run],
            &settings,
            &switches,
        );
        o.readable.iter().any(|r| !o.doubts.contains_key(&r.vertex))
    };
    assert_eq!([sure_of(0), sure_of(1)], [false, true]);
    // What is asserted of an object is of the object that it was.
    let again = "assertEquals(\"x\", a.getOwner()); a = Account.of(\"z\"); assertEquals(1, 1);";
    assert_ne!(
        doubt_of(&after_deposit(again), "a.getBalance()"),
        Some(None)
    );
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
fn what_only_the_test_had_in_its_hands_is_not_sure() {
    let untouched = with_members(
        "Account fixture = new Account(\"f\");",
        "Account a = new Account(\"x\"); a.deposit(3);",
    );
    let doubt = doubt_of(&untouched, "fixture.getBalance()");
    assert_eq!(doubt, Some(Some(Doubt::Untouched)));
    assert_eq!(doubt_of(&untouched, "a.getBalance()"), Some(None));
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
fn the_time_is_no_value_to_assert() {
    let main = "package p; public class Clocked { private long at; private int n; \
        public void tick() { at = System.nanoTime() + 1; n = n + 1; } \
        public long getAt() { return at; } public int getN() { return n; } }";
    let case = with_main(main, "", "Clocked c = new Clocked(); c.tick();");
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
