//! Calls of mocks that no test asks for.

use super::*;

const SHOP: &str = "
package p;
public class Account {
    private final Mailer mailer; private final Audit audit;
    public Account(Mailer mailer, Audit audit) { this.mailer = mailer; this.audit = audit; }
    public int bill(int amount, String to) { notify(to); return amount * 2; }
    private void notify(String to) { mailer.send(to); if (to.isEmpty()) { audit.empty(to); } mailer.flush(); }
    public void each(java.util.List<String> all) { all.forEach(to -> mailer.send(to)); }
    public void loop(java.util.List<String> all) { for (String to : all) { mailer.send(to); } }
    public void tried(String to) { try { to.trim(); notify(to); } catch (RuntimeException e) { to.length(); } }
    public long next() { long next = mailer.next(); return next * 2; }
    public void drop() { mailer.next(); }
    public void twice(String to) { mailer.send(to); mailer.send(to.trim()); mailer.flush(); }
    public int checked(int n, String to) { if (n < 0) { throw new IllegalArgumentException(); } mailer.send(to); return n; }
    public int early(int n, String to) { if (n < 0) { return 0; } mailer.send(to); return n; }
    public void send(String to) { mailer.send(to); }
    public void clean() { audit.clear(); mailer.flush(); }
    public void both(Other other) { other.close(); }
    public void fill(Other other) { other.setName(\"n\"); other.close(); }
    public void measured(MailMetrics metrics) { metrics.sent(); }
    public void started(Mailer m) { new Started(m).run(); }
    public void later(java.util.List<Runnable> all) { all.add(this::fresh); }
    private void fresh() { mailer.flush(); }
}
interface Mailer { void send(String to); void flush(); long next(); }
interface Audit { void empty(String to); void clear(); }
interface MailMetrics { void sent(); }
class Started { private final Mailer m; Started(Mailer m) { this.m = m; m.flush(); } void run() { m.send(\"a\"); } }
class Other { void close() { } void setName(String n) { } }
";

const MEMBERS: &str = "@Mock Mailer mailer; @Mock Audit audit;";

/// What is sure, and what is not, of the calls that a test does not ask for.
fn left(members: &str, body: &str) -> [Vec<String>; 2] {
    left_in(false, members, body)
}

fn left_in(is_strict: bool, members: &str, body: &str) -> [Vec<String>; 2] {
    let imports = "import org.mockito.Mock; import static org.mockito.Mockito.*;";
    let test = format!(
        "package p; import org.junit.jupiter.api.Test; {imports}\n\
         import static org.junit.jupiter.api.Assertions.*;\n\
         class AccountTest {{ @Test void works() {{ {body} }}\n {members} }}"
    );
    let case = of_files(SHOP, &test);
    let found = case.unverified_in(is_strict);
    let of = |sure: bool| {
        let all = found.iter().filter(|u| u.is_sure == sure);
        all.map(|u| u.expression.to_string()).collect()
    };
    [of(true), of(false)]
}

/// Who verifies a call that is made twice has to say how often; and that an object is put back, nobody wants to be told.
#[test]
fn a_call_at_two_places_and_housekeeping_are_not_sure() {
    let [sure, other] = left(MEMBERS, "new Account(mailer, audit).twice(\"a\");");
    assert_eq!(sure, ["verify(mailer).flush()"]);
    assert_eq!(other, ["verify(mailer).send(…)"]);
    let [sure, other] = left(MEMBERS, "new Account(mailer, audit).clean();");
    assert_eq!(sure, ["verify(mailer).flush()"]);
    assert_eq!(other, ["verify(audit).clear()"]);
}

/// Of what another test of the class tells to answer, that test sees that it is called.
#[test]
fn what_another_test_tells_to_answer_is_not_sure() {
    let body = "new Account(mailer, audit).bill(2, \"a\");";
    for told in [
        "doNothing().when(mailer).send(any());",
        "doAnswer(i -> null).when(mailer).send(any());",
        "lenient().doNothing().when(mailer).send(\"b\");",
    ] {
        let members = format!("{MEMBERS} @Test void other() {{ {told} }}");
        let [sure, other] = left(&members, body);
        assert_eq!(sure, ["verify(mailer).flush()"], "{told}");
        assert_eq!(other[0], "verify(mailer).send(…)", "{told}");
    }
    let members = format!("{MEMBERS} @Test void other() {{ when(mailer.next()).thenReturn(2L); }}");
    let [sure, other] = left(&members, "new Account(mailer, audit).drop();");
    assert!(sure.is_empty());
    assert_eq!(other, ["verify(mailer).next()"]);
    assert_eq!(
        left(MEMBERS, "new Account(mailer, audit).drop();")[0],
        other
    );
}

/// Who tells a mock to do nothing would not see the call go.
#[test]
fn what_the_test_tells_to_do_nothing_is_sure_unless_mockito_insists() {
    let body = "doNothing().when(mailer).send(any()); new Account(mailer, audit).bill(2, \"\");";
    let both = ["verify(mailer).send(…)", "verify(mailer).flush()"];
    let flush = ["verify(mailer).flush()"];
    assert_eq!(left(MEMBERS, body)[0], both);
    assert_eq!(left_in(true, MEMBERS, body)[0], flush);
    let given = body.replace("doNothing().when(", "willDoNothing().given(");
    assert_eq!(left(MEMBERS, &given)[0], both);
    // One that throws or answers says what comes of it.
    let throws = body.replace("doNothing()", "doAnswer(i -> null)");
    assert_eq!(left(MEMBERS, &throws)[0], flush);
    let verified = format!("{MEMBERS} @Test void other() {{ verify(mailer).send(\"x\"); }}");
    assert_eq!(left(&verified, body)[0], flush);
    // It hangs on a branch, or on how long a list is.
    let branch = "doNothing().when(audit).empty(any()); new Account(mailer, audit).bill(2, \"\");";
    assert_eq!(left(MEMBERS, branch)[0], both);
    let each = "doNothing().when(mailer).send(any()); new Account(mailer, audit).loop(all);";
    assert!(left(MEMBERS, each)[0].is_empty());
}

/// What all tests of a class share has taken the calls of others.
#[test]
fn a_mock_that_tests_share_is_not_told() {
    let body = "new Account(mailer, audit).clean();";
    assert_eq!(left(MEMBERS, body)[0], ["verify(mailer).flush()"]);
    for shared in [
        "@Mock static Mailer mailer; @Mock Audit audit;",
        "static Mailer mailer; @Mock Audit audit; @org.junit.jupiter.api.BeforeAll static void all() { mailer = mock(Mailer.class); }",
    ] {
        let [sure, _] = left(shared, body);
        assert!(sure.is_empty(), "{shared}: {sure:?}");
    }
}

#[test]
fn who_is_given_a_method_may_never_call_it() {
    let body = "new Account(mailer, audit).later(new java.util.ArrayList<>());";
    let [sure, other] = left(MEMBERS, body);
    assert!(sure.is_empty(), "{sure:?}");
    assert_eq!(other, ["verify(mailer).flush()"]);
}

/// Whose mock a static method gives, whoever put it there knows; and what is private above, a test cannot name.
#[test]
fn which_mock_is_told_has_to_be_known_and_named() {
    let main = SHOP.replace(
        "public long next()",
        "public static Mailer common() { return null; } public void all() { common().flush(); } public long next()",
    );
    let of = |members: &str, above: &str| {
        let test = format!(
            "package p; import org.junit.jupiter.api.Test; import org.mockito.Mock; import static org.mockito.Mockito.*;\n\
             class AccountTest extends Base {{ @Test void works() {{ Object used = mailer; new Account(mailer(), audit).all(); }}\n {members} }}\n\
             class Base {{ {above} Mailer mailer() {{ return null; }} }}"
        );
        let found = of_files(&main, &test).unverified();
        found
            .into_iter()
            .map(|u| (u.expression.to_string(), u.is_sure))
            .collect::<Vec<_>>()
    };
    let flush = || "verify(mailer).flush()".to_owned();
    assert_eq!(
        of("@Mock Mailer mailer; Audit audit;", ""),
        [(flush(), false)]
    );
    // Nor by way of a local.
    let by_local = main.replace("common().flush();", "Mailer of = common(); of.flush();");
    let left = |main: &str| {
        let test = "package p; import org.junit.jupiter.api.Test; import org.mockito.Mock; import static org.mockito.Mockito.*;\n\
             class AccountTest { @Mock Mailer mailer; @Test void works() { new Account(mailer, null).all(); } }";
        of_files(main, test).unverified()[0].is_sure
    };
    assert!(!left(&by_local));
    assert!(left(&by_local.replace("= common()", "= mailer")));
    assert_eq!(
        of("Audit audit;", "@Mock Mailer mailer;"),
        [(flush(), false)]
    );
    assert!(of("Audit audit;", "@Mock private Mailer mailer;").is_empty());
}

#[test]
fn where_code_may_be_put_away_nothing_is_sure() {
    for spies in [
        "Account own = spy(new Account(mailer, audit)); assertEquals(6, own.bill(3, \"x\"));",
        "mockStatic(Other.class); new Account(mailer, audit).bill(3, \"x\");",
    ] {
        let [sure, other] = left(MEMBERS, spies);
        assert!(sure.is_empty(), "{sure:?}");
        assert_eq!(other.len(), 3, "{spies}: {other:?}");
    }
}

#[test]
fn what_another_test_of_the_class_asks_for_is_beside_the_point() {
    let members = format!(
        "{MEMBERS} @Test void sends() {{ new Account(mailer, audit).bill(1, \"y\"); verify(mailer, times(1)).send(\"y\"); }}"
    );
    let [sure, other] = left(&members, BILLED);
    assert_eq!(sure, ["verify(mailer).flush()"]);
    assert_eq!(other, ["verify(mailer).send(…)", "verify(audit).empty(…)"]);
}

#[test]
fn what_another_test_of_the_class_has_throw_is_beside_the_point() {
    for told in [
        "doThrow(new RuntimeException()).when(mailer).send(\"y\");",
        "willThrow(new RuntimeException()).given(mailer).send(\"y\");",
        "when(mailer.send(\"y\")).thenThrow(new RuntimeException());",
    ] {
        let members = format!("{MEMBERS} @Test void fails() {{ {told} }}");
        let [sure, other] = left(&members, BILLED);
        assert_eq!(sure, ["verify(mailer).flush()"], "{told}");
        assert_eq!(other, ["verify(mailer).send(…)", "verify(audit).empty(…)"]);
    }
}

#[test]
fn what_is_put_into_a_mock_of_an_object_is_not_sure() {
    let body = "Other other = mock(Other.class); new Account(mailer, audit).fill(other);";
    let [sure, other] = left(MEMBERS, body);
    assert_eq!(sure, ["verify(other).close()"]);
    assert_eq!(other, ["verify(other).setName(…)"]);
}

#[test]
fn what_measures_and_what_each_object_tells_when_it_is_made_is_not_sure() {
    let members = format!("{MEMBERS} @Mock MailMetrics metrics;");
    let [sure, other] = left(&members, "new Account(mailer, audit).measured(metrics);");
    assert!(sure.is_empty(), "{sure:?}");
    assert_eq!(other, ["verify(metrics).sent()"]);
    let [sure, other] = left(MEMBERS, "new Account(mailer, audit).started(mailer);");
    assert_eq!(sure, ["verify(mailer).send(…)"]);
    assert_eq!(other, ["verify(mailer).flush()"]);
}

const BILLED: &str = "assertEquals(6, new Account(mailer, audit).bill(3, \"x\"));";

#[test]
fn calls_that_are_always_made_are_sure() {
    let [sure, other] = left(MEMBERS, BILLED);
    assert_eq!(sure, ["verify(mailer).send(…)", "verify(mailer).flush()"]);
    assert_eq!(other, ["verify(audit).empty(…)"], "in a branch");
    let own = "Mailer mails = mock(Mailer.class); Audit audit = mock(Audit.class); \
        assertEquals(6, new Account(mails, audit).bill(3, \"x\"));";
    assert_eq!(left("", own)[0][0], "verify(mails).send(…)");
    let [sure, other] = left(
        MEMBERS,
        "new Account(mailer, audit).each(java.util.List.of());",
    );
    assert!(sure.is_empty(), "{sure:?}");
    assert_eq!(other, ["verify(mailer).send(…)"], "of each element");
    let [sure, other] = left(MEMBERS, "new Account(mailer, audit).tried(\"x\");");
    assert!(sure.is_empty(), "something before may throw: {sure:?}");
    assert_eq!(other.len(), 3);
}

#[test]
fn what_is_asked_for_in_any_form_is_not_left() {
    for asked in [
        "verify(mailer).send(\"x\");",
        "verify(mailer, never()).send(any());",
        "then(mailer).should().send(any());",
        "doNothing().when(mailer).send(any());",
        "inOrder(mailer).verify(mailer).send(\"x\");",
        "look(mailer);",
    ] {
        let members = format!("{MEMBERS} void look(Mailer m) {{ verify(m).send(\"x\"); }}");
        let [sure, other] = left(&members, &format!("{BILLED} {asked}"));
        assert_eq!(sure, ["verify(mailer).flush()"], "{asked}");
        assert_eq!(other, ["verify(audit).empty(…)"], "{asked}");
    }
    for all in [
        "verifyNoMoreInteractions(mailer);",
        "verifyNoInteractions(audit);",
        "verify(mailer);",
        "then(audit).shouldHaveNoInteractions();",
    ] {
        let left = left(MEMBERS, &format!("{BILLED} {all}"));
        assert_eq!(left, [const { Vec::<String>::new() }; 2], "{all}");
    }
}

#[test]
fn calls_for_a_value_and_objects_with_code_are_none() {
    let quiet = |members: &str, body: &str| {
        let left = left(members, body);
        assert_eq!(left, [const { Vec::<String>::new() }; 2], "{body}");
    };
    quiet(MEMBERS, "new Account(mailer, audit).next();");
    quiet(MEMBERS, "new Account(mailer, audit).both(new Other());");
    // Which of two is meant nobody knows.
    let two = "@Mock Mailer mailer; @Mock Mailer other; @Mock Audit audit;";
    assert!(left(two, BILLED)[0].is_empty());
    let dropped = left(MEMBERS, "new Account(mailer, audit).drop();");
    assert_eq!(dropped[0], ["verify(mailer).next()"]);
}

#[test]
fn nothing_is_left_where_something_is_thrown() {
    let thrown = format!("{BILLED} assertThrows(RuntimeException.class, () -> look());");
    let left = left(MEMBERS, &thrown);
    assert_eq!(left, [const { Vec::<String>::new() }; 2]);
}

/// `verify` means once: what is made in a loop, by two calls or by itself is asked for otherwise.
#[test]
fn what_is_called_more_than_once_is_not_sure() {
    let sure = |body: &str| left(MEMBERS, body)[0].clone();
    assert!(!sure(BILLED).is_empty());
    let twice = format!("{BILLED} {BILLED}");
    assert!(sure(&twice).is_empty());
    let looped = format!("for (int i = 0; i < 3; i++) {{ {BILLED} }}");
    assert!(sure(&looped).is_empty());
}

/// The code may have been given another object of the mock's class.
#[test]
fn where_an_object_of_the_class_is_made_nothing_is_sure() {
    let own = "static class Own implements Mailer { public void send(String s) { } public void flush() { } }";
    let made = format!("new Own(); {BILLED}");
    let sure = |body: &str| left(&format!("{MEMBERS} {own}"), body)[0].clone();
    assert!(!sure(BILLED).is_empty());
    assert!(sure(&made).is_empty());
}

/// A mock that is only told and asked, and that no library puts anywhere, takes no call.
#[test]
fn a_mock_that_nobody_is_given_is_not_told() {
    let body = "when(mailer.next()).thenReturn(1L); a.bill(2, \"a\");";
    for (members, told) in [
        ("@Mock Mailer mailer; Account a;", false),
        ("@Mock Mailer mailer; @Autowired Account a;", false),
        ("@Mock Mailer mailer; @InjectMocks Account a;", true),
        ("@MockBean Mailer mailer; @Autowired Account a;", true),
        (
            "@Mock Mailer mailer; Account a = new Account(mailer, null);",
            true,
        ),
        (
            "@Mock Mailer mailer; Account a; @org.junit.jupiter.api.BeforeEach void all() { Mailer used = mailer; a = new Account(used, null); }",
            true,
        ),
    ] {
        let [sure, _] = left(members, body);
        assert_eq!(!sure.is_empty(), told, "{members}: {sure:?}");
    }
}

/// A test that passes has met no `throw`.
#[test]
fn a_branch_that_throws_leads_past_nothing() {
    let [sure, _] = left(MEMBERS, "new Account(mailer, audit).checked(1, \"a\");");
    assert_eq!(sure, ["verify(mailer).send(…)"]);
    let [sure, other] = left(MEMBERS, "new Account(mailer, audit).early(1, \"a\");");
    assert!(sure.is_empty());
    assert_eq!(other, ["verify(mailer).send(…)"]);
}

/// What the code under test and its mock have a method of one name for is asked of the former.
#[test]
fn a_call_of_the_same_name_on_another_object_asks_nothing() {
    let [sure, _] = left(MEMBERS, "new Account(mailer, audit).send(\"a\");");
    assert_eq!(sure, ["verify(mailer).send(…)"]);
    let asked = "new Account(mailer, audit).send(\"a\"); verify(mailer).send(\"a\");";
    assert!(left(MEMBERS, asked)[0].is_empty());
    // Whose it is has to be known.
    let unknown = "new Account(mailer, audit).send(\"a\"); it().send(\"a\");";
    assert!(
        left(
            &format!("{MEMBERS} Unknown it() {{ return null; }}"),
            unknown
        )[0]
        .is_empty()
    );
}

/// Where nobody puts in what the code surely asks, it throws.
#[test]
fn a_test_whose_object_lacks_a_part_is_told_nothing() {
    let body = "a.checked(1, \"a\");";
    let lacking = SHOP.replace(
        "throw new IllegalArgumentException(); } mailer.send(to);",
        "throw new IllegalArgumentException(); } audit.empty(to); mailer.send(to);",
    );
    let of = |shop: &str, members: &str| {
        let test = format!(
            "package p; import org.junit.jupiter.api.Test; import org.mockito.*; import static org.mockito.Mockito.*;\n\
             class AccountTest {{ @Test void works() {{ {body} }}\n {members} }}"
        );
        of_files(shop, &test).unverified_in(false).len()
    };
    let mailer = "@Mock Mailer mailer; @InjectMocks Account a;";
    assert_eq!(of(SHOP, mailer), 1);
    assert_eq!(of(&lacking, mailer), 0);
    assert_eq!(of(&lacking, &format!("{mailer} @Mock Audit audit;")), 2);
    // The test makes one itself, or puts the whole together.
    let own = "class Own implements Audit { public void empty(String s) { } } Own own = new Own();";
    assert_eq!(of(&lacking, &format!("{mailer} {own}")), 1);
    let alone = "@Mock Mailer mailer; Account a = new Account(mailer, null);";
    assert_eq!(of(&lacking, alone), 1);
}

/// What javac would not take runs nothing.
#[test]
fn a_test_of_an_older_state_of_the_code_is_told_nothing() {
    let body = "new Account(mailer, audit).checked(1, \"a\");";
    assert!(!left(MEMBERS, body)[0].is_empty());
    // What a mock gives may be one itself.
    let given = format!("when(it()).thenReturn(mailer); {body}");
    assert!(!left(&format!("{MEMBERS} Mailer it() {{ return null; }}"), &given)[0].is_empty());
    // Of a library's class nobody knows here what it has.
    let library = format!("{MEMBERS} @Mock javax.mail.Transport transport;");
    let asked = format!("{body} verify(transport).gone();");
    assert!(!left(&library, &asked)[0].is_empty());
    for stale in [
        "new Account(mailer).checked(1, \"a\");",
        "new Account(mailer, audit).checked(1, \"a\"); verify(audit).gone();",
        "when(audit.gone()).thenReturn(1); new Account(mailer, audit).checked(1, \"a\"); verify(audit).gone(2);",
    ] {
        assert_eq!(
            left(MEMBERS, stale),
            [const { Vec::<String>::new() }; 2],
            "{stale}"
        );
    }
}
