//! What captors keep of the calls of mocks.

use super::*;

const SHOP: &str = "
package p;
public class Account {
    private final Mailer mailer;
    public Account(Mailer mailer) { this.mailer = mailer; }
    public void bill(int amount, String to) {
        int tax = amount * 2 + amount % 7;
        mailer.send(to, new Mail(amount + tax, to));
    }
    public void count(int amount) { int doubled = amount * 2 + 1; mailer.count(doubled); }
    public void pass(Mail mail) { mailer.send(\"a\", mail); }
    public void twice(int amount) {
        if (amount > 3) { mailer.count(amount * 2); } else { other(amount); }
    }
    private void other(int amount) { mailer.count(amount * 3); }
    public int sum(int amount) { int doubled = amount * 2 + 1; mailer.count(doubled); return doubled * 3; }
    public void plain(int amount) { mailer.count(amount * 3); }
    public void fixed() { mailer.count(2 * 3); }
    public void spent() { mailer.count(System.nanoTime() - 5); }
    public void now() { mailer.count(System.currentTimeMillis() * 2 + 1); }
    public void asked() { mailer.count(mailer.next()); }
}
interface Mailer { void send(String to, Mail mail); void count(long number); long next(); }
class Mail {
    private final int sum; private final String to;
    Mail(int sum, String to) { this.sum = sum; this.to = to; }
    public int getSum() { return sum; }
    public String getTo() { return to; }
}
";

const MADE: &str = "Mailer mailer = mock(Mailer.class); Account a = new Account(mailer); \
    ArgumentCaptor<Mail> mail = ArgumentCaptor.forClass(Mail.class); \
    ArgumentCaptor<Long> number = ArgumentCaptor.forClass(Long.class);";
const SENT: &str = "a.bill(3, \"x\"); verify(mailer).send(any(), mail.capture());";
const COUNTED: &str = "a.count(3); verify(mailer).count(number.capture());";

fn kept(body: &str) -> Case {
    with_main(SHOP, "", &format!("{MADE} {body}"))
}

/// What a case is sure of.
fn sure(case: &Case) -> Vec<String> {
    let offer = case.offer(&Switches::default());
    let all = offer.readable.iter();
    let all = all.filter(|r| offer.is_worth(r.vertex) && offer.doubt(r.vertex).is_none());
    all.map(|r| offer.observations[&r.vertex].expression.to_string())
        .collect()
}

#[test]
fn a_captor_that_nobody_asks_is_sure() {
    assert_eq!(sure(&kept(COUNTED)), ["number.getValue()"]);
    assert_eq!(sure(&kept(SENT)), ["mail.getValue().getSum()"]);
    // What was only handed on the list may say.
    assert!(kept(SENT).offers("mail.getValue().getTo()"));
}

#[test]
fn what_is_put_together_where_it_is_given_is_no_less_computed() {
    let of = |call: &str| {
        kept(&format!(
            "a.{call}; verify(mailer).count(number.capture());"
        ))
    };
    assert_eq!(sure(&of("plain(3)")), ["number.getValue()"]);
    assert!(sure(&of("fixed()")).is_empty());
    assert!(sure(&of("spent()")).is_empty());
    let case = of("plain(3)");
    let offer = case.offer(&Switches::default());
    let doubts: Vec<_> = offer
        .readable
        .iter()
        .filter_map(|r| offer.doubt(r.vertex))
        .collect();
    assert!(!doubts.contains(&Doubt::Passed), "{doubts:?}");
}

#[test]
fn every_way_to_ask_for_a_call() {
    for asked in [
        "verify(mailer, times(1)).count(number.capture());",
        "verify(mailer, atLeastOnce()).count(number.capture());",
        "Mockito.verify(mailer, timeout(100)).count(number.capture());",
        "InOrder inOrder = inOrder(mailer); inOrder.verify(mailer).count(number.capture());",
        "then(mailer).should().count(number.capture());",
        "BDDMockito.then(mailer).should(times(1)).count(number.capture());",
    ] {
        let case = kept(&format!("a.count(3); {asked}"));
        assert_eq!(sure(&case), ["number.getValue()"], "{asked}");
    }
    let expected = "mailer.count(EasyMock.capture(number)); replay(mailer); a.count(3);";
    assert_eq!(
        sure(&kept(&format!("{expected} verify(mailer);"))),
        ["number.getValue()"]
    );
    assert!(
        sure(&kept(expected)).is_empty(),
        "nobody says that it is called"
    );
}

#[test]
fn where_there_may_be_no_call_there_is_no_value() {
    for asked in [
        "verify(mailer, never()).count(number.capture());",
        "verify(mailer, times(0)).count(number.capture());",
        "verify(mailer, times(2)).count(number.capture());",
        "verify(mailer, atMost(1)).count(number.capture());",
        "verify(mailer, mode).count(number.capture());",
        "then(mailer).should(never()).count(number.capture());",
        "doNothing().when(mailer).count(number.capture());",
    ] {
        let case = kept(&format!("a.count(3); {asked}"));
        assert!(sure(&case).is_empty(), "{asked}");
        assert!(!case.offers("number.getValue()"), "{asked}");
    }
}

#[test]
fn a_captor_that_is_asked_is_left_alone() {
    for asked in [
        "assertEquals(7L, number.getValue());",
        "assertEquals(List.of(7L), number.getAllValues());",
        "long n = number.getValue(); assertEquals(7, n);",
        "look(number);",
        "assertAll(() -> assertEquals(7L, number.getValue()));",
    ] {
        let case = kept(&format!("{COUNTED} {asked}"));
        assert!(sure(&case).is_empty(), "{asked}");
        assert!(!case.offers("number.getValue()"), "{asked}");
    }
}

/// Of an object a list names the other parts, and a lens none.
#[test]
fn parts_that_no_assertion_reads() {
    for asked in [
        "assertEquals(\"x\", mail.getValue().getTo());",
        "Mail sent = mail.getValue(); assertEquals(\"x\", sent.getTo());",
    ] {
        let case = kept(&format!("{SENT} {asked}"));
        assert!(sure(&case).is_empty(), "{asked}");
        let readable = case.readable();
        let has = |end: &str| readable.iter().any(|e| e.ends_with(end));
        assert!(
            has(".getSum()") && !has(".getTo()"),
            "{asked}: {readable:?}"
        );
    }
}

#[test]
fn what_the_test_gave_itself_is_known() {
    let passed = "a.pass(new Mail(3, \"x\")); verify(mailer).send(any(), mail.capture());";
    assert!(sure(&kept(passed)).is_empty());
    let told =
        "when(mailer.next()).thenReturn(3L); a.asked(); verify(mailer).count(number.capture());";
    assert!(!kept(told).offers("number.getValue()"));
}

#[test]
fn what_nobody_can_foresee_is_not_sure() {
    let now = "a.now(); verify(mailer).count(number.capture());";
    assert!(sure(&kept(now)).is_empty());
    let two = "a.twice(3); verify(mailer).count(number.capture());";
    assert!(sure(&kept(two)).is_empty(), "which call it is");
    let thrown = "doThrow(new RuntimeException()).when(mailer).send(any(), any());";
    assert!(sure(&kept(&format!("{thrown} {COUNTED}"))).is_empty());
    let again = format!("{COUNTED} a.count(4); verify(mailer).count(number.capture());");
    assert!(sure(&kept(&again)).is_empty());
}

/// A captor of the class may stand for *any*: here nobody made it for this test.
#[test]
fn a_captor_of_the_class_is_wanted_where_nothing_is_asserted() {
    let of_class = |body: &str| {
        let members = "@Captor ArgumentCaptor<Long> field; @Mock Mailer mailer;";
        let body = format!("Account a = new Account(mailer); {body}");
        sure(&with_main(SHOP, members, &body))
    };
    let counted = "verify(mailer).count(field.capture());";
    assert_eq!(
        of_class(&format!("a.count(3); {counted}")),
        ["field.getValue()"]
    );
    let more = "assertEquals(\"x\", new Mail(1, \"x\").getTo());";
    assert!(of_class(&format!("a.count(3); {counted} {more}")).is_empty());
    // The test made this one.
    assert_eq!(
        sure(&kept(&format!("{COUNTED} {more}"))),
        ["number.getValue()"]
    );
    // What is asserted tells all of it.
    let shown =
        "int sum = a.sum(3); verify(mailer).count(number.capture()); assertEquals(21, sum);";
    assert!(sure(&kept(shown)).is_empty());
}

#[test]
fn what_stands_beside_one_that_is_asked_is_chosen() {
    let both = "ArgumentCaptor<String> to = ArgumentCaptor.forClass(String.class); a.bill(3, \"x\"); \
        verify(mailer).send(to.capture(), mail.capture());";
    assert!(!sure(&kept(both)).is_empty());
    let asked = format!("{both} assertEquals(\"x\", to.getValue());");
    assert!(sure(&kept(&asked)).is_empty());
}
