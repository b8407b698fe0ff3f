//! JUnit 3: tests by name in classes below `TestCase`, which inherit the assertions.

use super::{Form, Framework, NONE, Observed, Plain, Says, Tests, Tolerance, Words, form, home};

pub(super) static FORM: Form = Form {
    lacks: &["assertNotEquals", "assertArrayEquals"],
    ..form("JUnit 3", Words::Plain(PLAIN))
};

/// How the names of tests begin that no annotation marks.
pub const TEST_BEGINS: &str = "test";

/// The words that JUnit 4, Jupiter and TestNG have too.
pub(super) const PLAIN: Plain = Plain {
    equal: "assertEquals",
    is_true: "assertTrue",
    is_false: "assertFalse",
    is_null: "assertNull",
    is_exact: false,
    arrays: None,
    tolerance_in_arrays: Tolerance::Refused,
    iterables: None,
    compares_in_order: false,
};

/// Likewise: the assertions, of which two are [lacking](Form::lacks) here.
pub(super) const ASSERTS: &[(&str, Observed, Says)] = &[
    ("assertTrue", Observed::One, Says::True),
    ("assertFalse", Observed::One, Says::False),
    ("assertNull", Observed::One, Says::Null),
    ("assertNotNull", Observed::OneWeakly, Says::NotNull),
    ("assertEquals", Observed::Compared, Says::Equal),
    ("assertNotEquals", Observed::ComparedWeakly, Says::NotEqual),
    ("assertSame", Observed::Compared, Says::Same),
    ("assertNotSame", Observed::ComparedWeakly, Says::NotSame),
    ("assertArrayEquals", Observed::Compared, Says::Elements),
];

pub(super) const ROW: Framework = Framework {
    name: "JUnit 3",
    packages: &["junit."],
    runs: &["runTest", "runBare"],
    homes: &[
        home("junit.framework.Assert", &FORM),
        home("junit.framework.TestCase", &FORM),
    ],
    tests: Some(Tests {
        assertions: "junit.framework.Assert",
        annotation: None,
        is_open: false,
        has_arguments: false,
        extends: Some("junit.framework.TestCase"),
    }),
    asserts: ASSERTS,
    fails: &["fail"],
    fails_on: &["Assert", "TestCase"],
    ..NONE
};
