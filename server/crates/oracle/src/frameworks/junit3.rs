//! JUnit 3: tests by name in classes below `TestCase`, which inherit the assertions.

use super::{Form, Framework, NONE, Observed, home};

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
        home("junit.framework.Assert", Form::JUnit3),
        home("junit.framework.TestCase", Form::JUnit3),
    ],
    own: Some("junit.framework.Assert"),
    asserts: ASSERTS,
    fails: &["fail"],
    fails_on: &["Assert", "TestCase"],
    ..NONE
};
