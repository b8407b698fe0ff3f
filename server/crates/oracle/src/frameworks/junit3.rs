//! JUnit 3: tests by name in classes below `TestCase`, which inherit the assertions.

use super::{Form, Framework, NONE, Observed, Plain, Tests, Tolerance, Words, form, home};

pub(super) static FORM: Form = Form {
    lacks: &["assertNotEquals", "assertArrayEquals"],
    ..form(
        "JUnit 3",
        Words::Plain(Plain {
            is_exact: false,
            arrays: None,
            tolerance_in_arrays: Tolerance::Refused,
            iterables: None,
        }),
    )
};

/// What JUnit 4, Jupiter and TestNG have too.
pub(super) const ASSERTS: &[(&str, Observed)] = &[
    ("assertTrue", Observed::One),
    ("assertFalse", Observed::One),
    ("assertNull", Observed::One),
    ("assertNotNull", Observed::OneWeakly),
    ("assertEquals", Observed::Compared),
    ("assertNotEquals", Observed::ComparedWeakly),
    ("assertSame", Observed::Compared),
    ("assertNotSame", Observed::ComparedWeakly),
    ("assertArrayEquals", Observed::Compared),
];

pub(super) const ROW: Framework = Framework {
    name: "JUnit 3",
    packages: &["junit."],
    homes: &[
        home("junit.framework.Assert", &FORM),
        home("junit.framework.TestCase", &FORM),
    ],
    tests: Some(Tests {
        assertions: "junit.framework.Assert",
        annotation: None,
        is_open: false,
    }),
    asserts: ASSERTS,
    fails: &["fail"],
    fails_on: &["Assert", "TestCase"],
    ..NONE
};
