//! `self-check` of what is never null, where a test checks nothing else.

use super::super::analysis;
use super::{found, tests_of, told};
use crate::rules::Options;
use testkit::Fixture;

fn desk(members: &str) -> String {
    tests_of(members).replace(
        "//- /src/main/java/Cart.java",
        "//- /src/main/java/Desk.java
import java.util.*;
interface Seller { String sell(String item); }
class Desk implements Seller {
    private final Map<String, String> sold = new HashMap<>();
    private String last;
    public String sell(String item) { String note = item + \" sold\"; last = note; return note; }
    String last() { return last; }
    String find(String item) { return sold.get(item); }
    Cart cart(boolean old) { if (old) { return fresh(); } Cart cart = new Cart(); cart.add(\"a\"); return cart; }
    private Cart fresh() { return new Cart(); }
    Cart maybe(boolean is) { if (is) { return new Cart(); } return null; }
    Cart either(boolean is) { return is ? new Cart() : null; }
    Cart later() { Cart cart = null; if (last != null) { cart = new Cart(); } return cart; }
    List<String> all() { return sold.values().stream().sorted().toList(); }
    Cart given(Cart cart) { return cart; }
    Optional<Cart> any() { return Optional.of(new Cart()); }
}
//- /src/main/java/Cart.java",
    )
}

#[test]
fn a_test_that_only_asks_whether_something_is_there_is_told() {
    // Marks would say in words that the test is content with it.
    let text = desk(
        "Desk desk = new Desk(); @Test void sells() { String note = desk.sell(\"a\"); assertNotNull(note); }",
    );
    let analysis = analysis(&Fixture::parse(&text));
    let file = analysis
        .program()
        .file("src/test/java/CartTest.java")
        .expect("it was given");
    assert_eq!(
        found(&analysis, file)[0].1,
        "self-check This assertion cannot fail: Desk.sell never gives null, and the test checks nothing else"
    );
    for call in [
        "desk.sell(\"a\")",
        "desk.cart(true)",
        "desk.all()",
        "desk.any()",
        "((Seller) desk).sell(\"a\")",
    ] {
        let test = format!("Desk desk = new Desk(); @Test void t() {{ assertNotNull({call}); }}");
        assert_eq!(
            told("self-check", &desk(&test), &Options::default()),
            ["t"],
            "{call}"
        );
    }
}

#[test]
fn what_may_be_null_or_stands_beside_another_check_is_left_alone() {
    for (how, members) in [
        ("a field", "@Test void t() { assertNotNull(desk.last()); }"),
        (
            "of a map",
            "@Test void t() { assertNotNull(desk.find(\"a\")); }",
        ),
        (
            "a way",
            "@Test void t() { assertNotNull(desk.maybe(true)); }",
        ),
        (
            "a choice",
            "@Test void t() { assertNotNull(desk.either(true)); }",
        ),
        ("a start", "@Test void t() { assertNotNull(desk.later()); }"),
        (
            "what it is given",
            "@Test void t() { assertNotNull(desk.given(cart)); }",
        ),
        (
            "a check beside it",
            "@Test void t() { assertNotNull(desk.cart(true)); assertEquals(1, desk.cart(false).size()); }",
        ),
        (
            "a mock",
            "@Mock Seller seller; @Test void t() { assertNotNull(seller.sell(\"a\")); }",
        ),
        (
            "another mock of its class",
            "@Mock Desk mock; @Test void t() { assertNotNull(desk.cart(true)); }",
        ),
        (
            "an object of the test",
            "Cart made() { return new Cart(); } @Test void t() { assertNotNull(made()); }",
        ),
        (
            "a test that is content with it",
            "@Test void sellsWithoutError() { assertNotNull(desk.cart(true)); }",
        ),
    ] {
        let text = desk(&format!("Desk desk = new Desk();\n{members}"));
        let told = told("self-check", &text, &Options::default());
        assert!(told.is_empty(), "{how}: {told:?}");
    }
    // Somebody else may answer.
    let text = desk("@Test void t(Seller seller) { assertNotNull(seller.sell(\"a\")); }").replace(
        "class Desk implements",
        "class Thief implements Seller { public String sell(String item) { return null; } }\nclass Desk implements",
    );
    assert!(told("self-check", &text, &Options::default()).is_empty());
}
