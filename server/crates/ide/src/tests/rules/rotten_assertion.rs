//! `rotten-assertion`: what never runs, and what may.

use super::super::check;
use super::{found, telling, told};
use crate::rules::Options;

const RULE: &str = "rotten-assertion";

fn shelf(members: &str) -> String {
    telling(&format!(
        "Shelf.Log log = mock(Shelf.Log.class);\nShelf shelf = new Shelf(log);\n{members}"
    ))
    .replace(
        "import org.junit.jupiter.api.*;",
        "import org.junit.jupiter.api.*; import static org.mockito.Mockito.*;",
    )
}

/// The same for JUnit 4.
fn old(members: &str) -> String {
    shelf(members).replace(
        "import static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.*;",
        "import static org.junit.Assert.*;\nimport org.junit.*;\nimport org.junit.rules.*;",
    )
}

#[test]
fn what_stands_behind_what_must_throw_is_told() {
    let text = old(
        "    @Test(expected = ShelfException.class) public void none() {
        shelf.put(null, 1);
        verify(log, never()).put(any());
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^^ rotten-assertion verify(log, never()).put(any()) never runs (nor does the next): the test passes only if a ShelfException is thrown before it
        assertEquals(0, shelf.open());
    }
",
    );
    check(&text, found);
    let text = shelf(
        "    @Test void none() {
        assertThrows(IllegalStateException.class, () -> {
            shelf.put(null, 1);
            assertEquals(0, shelf.open);
          //^^^^^^^^^^^^^^^^^^^^^^^^^^^ rotten-assertion assertEquals(0, shelf.open) never runs: assertThrows passes only if an IllegalStateException is thrown before it
        });
    }
",
    );
    check(&text, found);
    for (how, members) in [
        (
            "a rule",
            "@Rule public ExpectedException thrown = ExpectedException.none();
            @Test public void t() { thrown.expect(ShelfException.class); shelf.put(null, 1); verifyNoInteractions(log); }",
        ),
        (
            "another library",
            "@Test public void t() { assertThatThrownBy(() -> { shelf.put(null, 1); assertEquals(0, shelf.open); }).isInstanceOf(ShelfException.class); }",
        ),
        (
            "the class before",
            "@Test public void t() { assertThatExceptionOfType(ShelfException.class).isThrownBy(() -> { shelf.put(null, 1); assertEquals(0, shelf.open); }); }",
        ),
        (
            "a value that was kept",
            "@Test(expected = ArithmeticException.class) public void t() { int left = shelf.left(); assertEquals(1, left); }",
        ),
        (
            "a part of it",
            "@Test(expected = IllegalArgumentException.class) public void t() { java.util.List<String> all = java.util.List.of(); cart.add(null); assertTrue(all.isEmpty()); }",
        ),
    ] {
        assert_eq!(told(RULE, &old(members), &Options::default()), ["t"], "{how}");
    }
}

#[test]
fn what_may_run_is_left_alone() {
    for (how, members) in [
        (
            "it is what throws",
            "@Test(expected = ArithmeticException.class) public void t() { shelf.put(\"a\", 1); assertEquals(1, shelf.left()); }",
        ),
        (
            "nothing else could throw",
            "@Test(expected = ShelfException.class) public void t() { assertEquals(1, shelf.open()); }",
        ),
        (
            "it says that nobody comes here",
            "@Test(expected = ShelfException.class) public void t() { shelf.put(null, 1); fail(\"none\"); }",
        ),
        (
            "in other words",
            "@Test(expected = ShelfException.class) public void t() { shelf.put(null, 1); assertTrue(\"none\", false); }",
        ),
        (
            "something behind it throws",
            "@Test(expected = ShelfException.class) public void t() { shelf.put(\"a\", 1); verify(log).put(\"a\"); shelf.put(null, 1); }",
        ),
        (
            "the assertion is to fail",
            "@Test(expected = AssertionError.class) public void t() { shelf.put(\"a\", 1); verify(log).put(\"b\"); }",
        ),
        (
            "it runs at last",
            "@Test(expected = ShelfException.class) public void t() { try { shelf.put(null, 1); } finally { verifyNoInteractions(log); } }",
        ),
        (
            "a loop",
            "@Test(expected = ShelfException.class) public void t() { for (int i = 0; ; i++) { shelf.put(\"a\", i); verify(log, times(i)).put(\"a\"); } }",
        ),
        (
            "a helper",
            "@Test(expected = ShelfException.class) public void t() { shelf.put(null, 1); assertNone(); } void assertNone() { verifyNoInteractions(log); }",
        ),
        (
            "before the rule is told",
            "@Rule public ExpectedException thrown = ExpectedException.none();
            @Test public void t() { shelf.put(\"a\", 1); verify(log).put(\"a\"); thrown.expect(ShelfException.class); shelf.put(null, 1); }",
        ),
        (
            "it may be what throws, as no class is named",
            "@Test public void t() { assertThatThrownBy(() -> { shelf.put(\"a\", 1); assertEquals(1, shelf.open); }).isNotNull(); }",
        ),
        (
            "it is what throws",
            "@Test public void t() { assertThatThrownBy(() -> { shelf.put(\"a\", 1); assertEquals(1, shelf.open); }).isInstanceOf(AssertionError.class); }",
        ),
        (
            "a rule wants it to",
            "@Rule public ExpectedException thrown = ExpectedException.none();
            @Test public void t() { thrown.expect(AssertionError.class); shelf.put(\"a\", 1); verifyNoInteractions(log); }",
        ),
        (
            "nothing may be thrown",
            "@Test public void t() { assertThatNoException().isThrownBy(() -> { shelf.put(\"a\", 1); assertEquals(0, shelf.open); }); }",
        ),
        (
            "nothing must throw",
            "@Test public void t() { shelf.put(\"a\", 1); verify(log).put(\"a\"); }",
        ),
        (
            "another lambda",
            "@Test(expected = ShelfException.class) public void t() { cart.each(i -> { cart.add(i); assertEquals(0, shelf.open); }); shelf.put(null, 1); }",
        ),
    ] {
        let told = told(RULE, &old(members), &Options::default());
        assert!(told.is_empty(), "{how}: {told:?}");
    }
}
