//! `missed-fail`: what it tells, and where a test fails all the same.

use super::super::{analysis, check};
use super::{found, tests_of, told};
use crate::rules::Options;
use testkit::Fixture;

const RULE: &str = "missed-fail";

#[test]
fn a_test_that_passes_where_nothing_is_thrown_is_told_so() {
    let text = tests_of(
        "    @Test void either() {
    //         ^^^^^^ missed-fail either passes if nothing is thrown: all that it checks stands in its catch
        try { cart.add(null); } catch (IllegalArgumentException | IllegalStateException e) { assertNotNull(e); }
    }
    @Test void done() {
        try { cart.add(null); fail(); } catch (IllegalArgumentException e) { assertNotNull(e); }
    }
",
    );
    check(&text, found);
    // Marks that name an exception would say that a test is content with that none is thrown.
    let text = tests_of(
        "@Test void rejects() { try { cart.add(null); } catch (IllegalArgumentException e) { assertEquals(\"no\", e.getMessage()); } }
        @Test void other() {
            try { cart.validate(); } catch (IllegalStateException e) { assertNotNull(e.getMessage()); }
            try { cart.add(null); } catch (RuntimeException e) { fail(e.getMessage()); }
        }
        // No exception is thrown.
        @Test void said() { try { cart.add(null); } catch (RuntimeException e) { assertNotNull(e); } }",
    );
    assert_eq!(told(RULE, &text, &Options::default()), ["rejects", "other"]);
    let analysis = analysis(&Fixture::parse(&text));
    let file = analysis
        .program()
        .file("src/test/java/CartTest.java")
        .expect("it was given");
    assert_eq!(
        found(&analysis, file)[0].1,
        "missed-fail rejects passes if no IllegalArgumentException is thrown: all that it checks stands in its catch"
    );
}

#[test]
fn a_test_that_fails_all_the_same_is_left_alone() {
    for (how, test) in [
        (
            "an assertion behind it",
            "@Test void t() { try { cart.add(null); } catch (RuntimeException e) { assertNotNull(e); } assertEquals(0, cart.size()); }",
        ),
        (
            "a flag",
            "@Test void t() { boolean thrown = false; try { cart.add(null); } catch (RuntimeException e) { assertNotNull(e); thrown = true; } assertTrue(thrown); }",
        ),
        (
            "an error",
            "@Test void t() { try { cart.add(null); throw new AssertionError(); } catch (RuntimeException e) { assertNotNull(e); } }",
        ),
        (
            "a helper",
            "@Test void t() { try { cart.add(null); none(); } catch (RuntimeException e) { assertNotNull(e); } } void none() { fail(); }",
        ),
        (
            "an assertion in the try",
            "@Test void t() { try { assertEquals(0, cart.size()); } catch (RuntimeException e) { assertNotNull(e); } }",
        ),
        (
            "what must not be caught",
            "@Test void t() { try { cart.add(\"a\"); } catch (RuntimeException e) { fail(e.getMessage()); } }",
        ),
        (
            "what must be null",
            "@Test void t() { try { cart.add(\"a\"); } catch (RuntimeException e) { assertNull(e); assertTrue(false, e.getMessage()); } }",
        ),
        (
            "nothing said of what is caught",
            "@Test void t() { try { cart.add(\"a\"); } catch (RuntimeException e) { assertEquals(0, cart.size()); } }",
        ),
        (
            "a lambda",
            "@Test void t() { cart.each(i -> { try { cart.add(i); } catch (RuntimeException e) { assertNotNull(e); } }); }",
        ),
        (
            "Java's own assertion",
            "@Test void t() { try { cart.add(null); assert false; } catch (RuntimeException e) { assertNotNull(e); } }",
        ),
    ] {
        let told = told(RULE, &tests_of(test), &Options::default());
        assert!(told.is_empty(), "{how}: {told:?}");
    }
    let test = "@Test void mayRefuse() { try { cart.add(null); } catch (RuntimeException e) { assertNotNull(e); } }";
    let smoke = Options {
        smoke: vec!["may*".to_owned()],
    };
    assert_eq!(
        told(RULE, &tests_of(test), &Options::default()),
        ["mayRefuse"]
    );
    assert!(told(RULE, &tests_of(test), &smoke).is_empty());
}
