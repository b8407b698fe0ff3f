//! `missed-message`: which texts it tells, and which are what they seem.

use super::super::check;
use super::{found, mended, telling, told};
use crate::rules::Options;

const RULE: &str = "missed-message";

fn shelf(members: &str) -> String {
    telling(&format!("Shelf shelf = new Shelf(null);\n{members}"))
}

#[test]
fn a_message_that_nobody_compares_is_told() {
    let text = shelf(
        "    @Test void none() {
        assertThrows(ShelfException.class, () -> shelf.put(null, 1), \"No item was given\");
                                                                   //^^^^^^^^^^^^^^^^^^^ missed-message \"No item was given\" is compared with nothing: assertThrows takes it for the message of its own failure
    }
",
    );
    check(&text, found);
    for text in [
        "No item was given",
        "No place 12 for a",
        "Nobody reaches place 9.",
        "The shelf is full",
        // Not to the letter.
        "No item given",
        "no item was given!",
    ] {
        let test = format!(
            "@Test void t() {{ assertThrows(ShelfException.class, () -> shelf.put(null, 1), \"{text}\"); }}"
        );
        assert_eq!(
            told(RULE, &shelf(&test), &Options::default()),
            ["t"],
            "{text}"
        );
    }
}

#[test]
fn what_is_said_where_nothing_is_thrown_is_left_alone() {
    for (how, test) in [
        (
            "its own message",
            "assertThrows(ShelfException.class, () -> shelf.put(null, 1), \"null must not be accepted\");",
        ),
        (
            "an end of what is said",
            "assertThrows(ShelfException.class, () -> shelf.put(null, 1), \"given\");",
        ),
        (
            "the exception is taken",
            "var e = assertThrows(ShelfException.class, () -> shelf.put(null, 1), \"No item was given\"); assertEquals(\"No\", e.getMessage());",
        ),
        (
            "its message is read",
            "assertThrows(ShelfException.class, () -> shelf.put(null, 1), \"No item was given\").getMessage();",
        ),
        (
            "no text",
            "assertThrows(ShelfException.class, () -> shelf.put(null, 1));",
        ),
        (
            "code that does not run here",
            "assertThrows(RuntimeException.class, () -> cart.add(null), \"No item was given\");",
        ),
        (
            "nothing is to be thrown",
            "assertDoesNotThrow(() -> shelf.put(null, 1), \"No item was given\");",
        ),
    ] {
        let told = told(
            RULE,
            &shelf(&format!("@Test void t() {{ {test} }}")),
            &Options::default(),
        );
        assert!(told.is_empty(), "{how}: {told:?}");
    }
}

#[test]
fn it_is_compared() {
    let test = "    @Test void none() {
        assertThrows(
            ShelfException.class,
            () -> shelf.put(null, 1),
            \"No item was given\");
    }";
    let (title, text) = mended(RULE, &shelf(test)).expect("a change");
    assert_eq!(title, "Compare it with the message of what is thrown");
    let expected = "        assertEquals(\"No item was given\", assertThrows(
            ShelfException.class,
            () -> shelf.put(null, 1)).getMessage());";
    assert!(text.contains(expected), "{text}");
    assert!(told(RULE, &shelf(expected), &Options::default()).is_empty());
    // JUnit 4 has the message first.
    let old = shelf(
        "@Test void none() { Assert.assertThrows(\"No item was given\", ShelfException.class, () -> shelf.put(null, 1)); }",
    )
    .replace(
        "import static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.*;",
        "import org.junit.Assert;\nimport org.junit.Test;",
    );
    assert_eq!(told(RULE, &old, &Options::default()), ["none"]);
    let text = mended(RULE, &old).expect("a change").1;
    assert!(
        text.contains("Assert.assertEquals(\"No item was given\", Assert.assertThrows(ShelfException.class, () -> shelf.put(null, 1)).getMessage());"),
        "{text}"
    );
}
