//! What mocks are given, and the tests of a class let be anything.

use super::*;

const SHOP: &str = "
package p;
public class Account {
    private final Orders orders; private String shop;
    public Account(Orders orders) { this.orders = orders; }
    public long plain(String of) { Order order = new Order(of, 2); return orders.save(order).id(); }
    public void filled(String of) { Order order = new Order(); order.setOf(of); orders.save(order); }
    public void empty(String of) { orders.save(new Order()); }
    public void built(String of) { orders.save(Order.builder().of(of).build()); }
    public void mapped(String of) { orders.save(toOrder(of)); }
    private Order toOrder(String of) { return new Order(of, 3); }
    public void chained(String of) { orders.save(new Order().of(of).twice()); }
    public void begun(String of) { orders.save(base().twice()); }
    private Order base() { return new Order().of(shop); }
    public void unfilled(String of) { orders.save(new Order().twice()); }
    public void given(Order order) { orders.save(order); }
    public void either(Order order) { if (order == null) { order = new Order(\"d\", 1); } orders.save(order); }
    public void bare() { orders.save(Order.builder().build()); }
    public void sold(String of) { orders.sell(new Order(of, 1), \"by \" + of); }
    public Order back(String of) { Order order = new Order(of, 2); orders.save(order); return order; }
    public void text(String of) { orders.find(\"of:\" + of, 2); }
    public void branch(String of) { if (of.isEmpty()) { orders.save(new Order(of, 2)); } }
    public void tried(String of) { try { orders.save(new Order(of, 4)); } catch (RuntimeException e) { shop = of; } }
    public void twice(String of) { orders.save(new Order(of, 1)); orders.save(new Order(of, 2)); }
    public void both(String of) { Order order = new Order(of, 1); orders.save(order); orders.check(order, 1); }
    public void timed() { java.time.Instant at = java.time.Instant.now(); orders.since(new Since(at)); }
    public void sinceThen(java.time.Instant at) { orders.since(new Since(at)); }
    public void task(String of) { orders.later(new Task(of)); }
    public void shown(String of) { orders.later(new Shown(of)); }
    private static class Hidden implements Runnable { int n; Hidden(String of) { n = of.length(); } public void run() { } }
    public void hidden(String of) { orders.later(new Hidden(of)); }
    public void warned(String of) { orders.warn(\"no \" + of); }
    public void fixed() { orders.find(\"of:\" + shop, 2); }
    public void wrapped(Makers makers) { orders.save(new Order(makers.name())); }
    public void guarded(String of) { if (orders.isOpen(new Order(of, 1))) { orders.sell(null, of); } }
    public void key(Order order) { orders.find(order.key()); }
    public Order save(Order order) { if (order == null) { throw new IllegalArgumentException(); } return orders.save(order); }
    public void found(String key) { orders.find(key); }
    public void since(java.time.Instant at) { orders.from(at); }
    public void named(Makers makers) { orders.find(makers.name()); }
    public void other(Makers makers) { orders.save(makers.make(2)); }
}
interface Orders { Order save(Order order); void sell(Order order, String by); Order find(String key, int n); Order find(String key); void check(Order order, int n); boolean isOpen(Order order); void since(Since since); void later(Runnable task); void warn(String text); void from(java.time.Instant at); }
record Since(java.time.Instant at) { }
class Task implements Runnable { private final String of; Task(String of) { this.of = of; } public void run() { of.trim(); } }
class Shown extends Task { Shown(String of) { super(of); } String of() { return \"s\"; } }
class Makers { String name() { return null; } Order make(int n) { return new Order(\"m\", n); } }
class Order {
    private String of; private int n;
    Order() { } Order(String of) { this.of = of; } Order(String of, int n) { this.of = of; this.n = n; }
    Order of(String of) { this.of = of; return this; } Order twice() { n *= 2; return this; }
    void setOf(String of) { this.of = of; } long id() { return n; } String key() { return of; }
    static Builder builder() { return new Builder(); }
    static class Builder { private String of; Builder of(String of) { this.of = of; return this; } Order build() { return new Order(of, 0); } }
}
";

const ACCOUNT: &str = "Account a = new Account(orders);";

/// What is open in the first test of a class, with `more` members.
fn open(body: &str, more: &str) -> Vec<String> {
    open_in(false, body, more)
}

/// `is_strict`: who tells a mock what nobody calls, fails.
fn open_in(is_strict: bool, body: &str, more: &str) -> Vec<String> {
    let test = format!(
        "package p; import org.junit.jupiter.api.Test; import org.mockito.*; import static org.mockito.Mockito.*;\n\
         import static org.mockito.ArgumentMatchers.*; import static org.junit.jupiter.api.Assertions.*;\n\
         class AccountTest {{ @Mock Orders orders; @Mock Makers makers;\n @Test void works() {{ {ACCOUNT} {body} }}\n {more} }}"
    );
    let case = of_files(SHOP, &test);
    let all = case.unverified_in(is_strict);
    let open = all
        .iter()
        .filter_map(|u| Some(format!("{} of {}", u.argument.as_ref()?.text, u.expression)));
    open.collect()
}

const TOLD: &str = "when(orders.save(any())).thenReturn(new Order(\"x\", 1));";

#[test]
fn what_the_code_makes_and_nobody_looks_at_is_told() {
    for (body, told) in [
        (
            format!("{TOLD} assertEquals(1, a.plain(\"y\"));"),
            "order of verify(orders).save(…)",
        ),
        (
            "a.filled(\"y\"); verify(orders, times(1)).save(any(Order.class));".to_owned(),
            "order of verify(orders).save(…)",
        ),
        (
            "a.built(\"y\"); verify(orders, atLeastOnce()).save(isA(Order.class));".to_owned(),
            "Order.builder().of(of).build() of verify(orders).save(…)",
        ),
        (
            "a.mapped(\"y\"); then(orders).should().save(any());".to_owned(),
            "toOrder(of) of verify(orders).save(…)",
        ),
        (
            "doReturn(null).when(orders).find(anyString(), eq(2)); a.text(\"y\");".to_owned(),
            "\"of:\" + of of verify(orders).find(…)",
        ),
        (
            "a.chained(\"y\"); verify(orders).save(any());".to_owned(),
            "new Order().of(of).twice() of verify(orders).save(…)",
        ),
        (
            "a.begun(\"y\"); verify(orders).save(any());".to_owned(),
            "base().twice() of verify(orders).save(…)",
        ),
        // Where the test asks for it, it is made.
        (
            "a.branch(\"\"); verify(orders).save(any());".to_owned(),
            "new Order(of, 2) of verify(orders).save(…)",
        ),
        // Where the test itself tells it what to answer, nothing is thrown on the way.
        (
            "when(orders.save(any())).thenReturn(null); a.tried(\"y\");".to_owned(),
            "new Order(of, 4) of verify(orders).save(…)",
        ),
    ] {
        assert_eq!(open(&body, ""), [told], "{body}");
    }
    // A branch may lead past it, unless Mockito insists.
    let branch = "when(orders.save(any())).thenReturn(null); a.branch(\"y\");";
    assert!(open(branch, "").is_empty());
    assert_eq!(open_in(true, branch, "").len(), 1);
    // What a set-up tells it, it tells for all tests.
    let set_up = "@org.junit.jupiter.api.BeforeEach void all() { when(orders.save(any())).thenReturn(null); }";
    assert!(open("a.branch(\"y\");", set_up).is_empty());
    assert!(open("a.tried(\"y\");", set_up).is_empty());
    assert_eq!(open("a.filled(\"y\");", set_up).len(), 1);
}

/// What the test gives in its one call, and what can be read of it, is to arrive.
#[test]
fn what_the_test_gives_and_the_code_hands_on_is_told() {
    let order = "new Order(\"y\", 2)";
    for (body, told) in [
        (
            format!("a.given({order}); verify(orders).save(any());"),
            "order of verify(orders).save(…)",
        ),
        (
            format!("a.key({order}); verify(orders).find(anyString());"),
            "order.key() of verify(orders).find(…)",
        ),
        // The class that is tested has such a method as well.
        (
            format!("{TOLD} a.save({order});"),
            "order of verify(orders).save(…)",
        ),
        (
            "when(orders.find(any())).thenReturn(null); a.found(\"y\");".to_owned(),
            "key of verify(orders).find(…)",
        ),
    ] {
        assert_eq!(open(&body, ""), [told], "{body}");
    }
    for body in [
        "a.given(null); verify(orders).save(any());",
        "a.given(new Order(\"y\", 2)); a.given(new Order(\"z\", 2)); verify(orders, times(2)).save(any());",
        "a.since(java.time.Instant.EPOCH); verify(orders).from(any());",
        "a.named(makers); verify(orders).find(anyString());",
        "a.found(\"y\"); verify(orders).find(\"y\");",
    ] {
        assert!(open(body, "").is_empty(), "{body}");
    }
}

#[test]
fn what_is_made_without_anything_or_given_back_is_not_told() {
    for body in [
        "a.empty(\"y\"); verify(orders).save(any());",
        "a.bare(); verify(orders).save(any());",
        "a.unfilled(\"y\"); verify(orders).save(any());",
        "a.either(null); verify(orders).save(any());",
        "a.back(\"y\"); verify(orders).save(any());",
        // Which of them, nobody knows.
        "a.twice(\"y\"); verify(orders, atLeastOnce()).save(any());",
        // A mock makes it.
        "when(makers.make(anyInt())).thenReturn(new Order()); a.other(makers); verify(orders).save(any());",
        // It is another call of the name.
        "verify(orders).find(anyString()); a.text(\"y\");",
        // It may not be made at all.
        "a.branch(\"y\"); verify(orders, never()).save(any());",
        "when(orders.save(any())).thenReturn(null); a.filled(\"y\"); verify(orders, atMost(2)).save(any());",
        "a.branch(\"y\"); verify(orders, times(0)).save(any());",
        "a.text(\"y\"); verify(orders).find(\"of:y\", 2);",
    ] {
        assert!(open(body, "").is_empty(), "{body}");
    }
}

#[test]
fn who_looks_at_it_anywhere_in_the_class_has_chosen() {
    let body = "a.filled(\"y\"); verify(orders).save(any());";
    assert_eq!(open(body, "").len(), 1);
    for more in [
        "@Test void other() { verify(orders).save(new Order(\"y\", 1)); }",
        "@Captor ArgumentCaptor<Order> kept; @Test void other() { verify(orders).save(kept.capture()); }",
        "@Test void other() { verify(orders).save(argThat(o -> o.id() == 1)); }",
        "@Test void other() { when(orders.save(any())).thenAnswer(i -> i.getArgument(0)); }",
        "@Test void other() { doAnswer(i -> i.getArgument(0)).when(orders).save(any()); }",
        "@Nested class Inner { @Test void other() { verify(orders).save(eq(null)); } }",
    ] {
        assert!(open(body, more).is_empty(), "{more}");
    }
    // Nor is one argument wanted where another is looked at.
    let sold = "a.sold(\"y\"); verify(orders).sell(any(), anyString());";
    assert_eq!(open(sold, "").len(), 1);
    let kept = "@Captor ArgumentCaptor<Order> kept; @Test void other() { verify(orders).sell(kept.capture(), anyString()); }";
    assert!(open(sold, kept).is_empty());
    // Who says it of a call that is not made looks at nothing.
    let never = "@Test void other() { verify(orders, never()).save(any()); }";
    assert_eq!(open(body, never).len(), 1);
}

/// One test of a class is told, not each of forty.
#[test]
fn only_the_first_test_that_calls_it_is_told() {
    let told_by = |first: &str| {
        let test = format!(
            "package p; import org.junit.jupiter.api.Test; import org.mockito.*; import static org.mockito.Mockito.*;\n\
             class AccountTest {{ @Mock Orders orders;\n\
             @Test void early() {{ {ACCOUNT} {first} }}\n\
             @Test void late() {{ {ACCOUNT} a.filled(\"y\"); verify(orders).save(any()); }} }}"
        );
        let case = of_files(SHOP, &test);
        let workspace = &case.workspace;
        let of = |at: usize| {
            let run = workspace.own_run(workspace.suite().tests()[at]);
            let said = crate::SaidOfMocks::new(workspace, run.class, false);
            crate::unverified(workspace, &case.known, run, &said, None)
                .calls
                .iter()
                .filter(|u| u.argument.is_some())
                .count()
        };
        [of(0), of(1)]
    };
    let told = |act: &str| told_by(&format!("{act} verify(orders).save(any());"));
    assert_eq!(told("a.filled(\"z\");"), [1, 0]);
    assert_eq!(told("a.given(null);"), [0, 1]);
    // Which throws.
    let throws = "assertThrows(Exception.class, () -> a.filled(null));";
    assert_eq!(told(throws)[1], 1);
    // Which says nothing of the mock.
    assert_eq!(told_by("a.filled(\"z\");"), [0, 1]);
}

#[test]
fn what_is_seen_elsewhere_and_what_only_wraps_is_not_told() {
    // The same object is looked at where another call is given it.
    let both = "a.both(\"y\"); verify(orders).save(any());";
    let told = ["order of verify(orders).save(…)"];
    assert_eq!(open(both, ""), told);
    assert_eq!(
        open(&format!("{both} verify(orders).check(any(), eq(1));"), ""),
        told
    );
    assert!(
        open(
            &format!("{both} verify(orders).check(argThat(o -> o.id() == 1), anyInt());"),
            ""
        )
        .is_empty()
    );
    // A text of what is only configured.
    assert_eq!(
        open(
            "a.text(\"y\"); verify(orders).find(anyString(), eq(2));",
            ""
        )
        .len(),
        1
    );
    assert!(open("a.fixed(); verify(orders).find(anyString(), eq(2));", "").is_empty());
    // What a mock answered, in another object.
    assert!(open("a.wrapped(makers); verify(orders).save(any());", "").is_empty());
    // What lets the code go on, but for who asks whether it is called.
    assert!(
        open(
            "when(orders.isOpen(any())).thenReturn(true); a.guarded(\"y\");",
            ""
        )
        .is_empty()
    );
    assert_eq!(
        open("a.guarded(\"y\"); verify(orders).isOpen(any());", "").len(),
        1
    );
}

#[test]
fn what_nobody_can_look_at_is_not_told() {
    // The time alone, and the test's own time.
    assert!(open("a.timed(); verify(orders).since(any());", "").is_empty());
    assert_eq!(
        open("a.sinceThen(null); verify(orders).since(any());", "").len(),
        1
    );
    // An object that shows nothing.
    assert!(open("a.task(\"y\"); verify(orders).later(any());", "").is_empty());
    assert_eq!(
        open("a.shown(\"y\"); verify(orders).later(any());", "").len(),
        1
    );
    assert!(open("a.hidden(\"y\"); verify(orders).later(any());", "").is_empty());
    // What is only written down.
    assert!(open("a.warned(\"y\"); verify(orders).warn(anyString());", "").is_empty());
}

/// `items.save(any())` says nothing of `orders.save(order)`.
#[test]
fn a_call_of_that_name_on_another_mock_is_another() {
    let members = "interface Items { Object save(Object it); } @Mock Items items;";
    let told = "when(items.save(any())).thenReturn(null); a.filled(\"y\");";
    assert!(open(told, members).is_empty());
    assert!(open_in(true, told, members).is_empty());
    let asked = "a.filled(\"y\"); verify(items).save(any());";
    assert!(open(asked, members).is_empty());
    let both = "a.filled(\"y\"); verify(items, never()).save(null); verify(orders).save(any());";
    assert!(open(both, members).is_empty());
}
