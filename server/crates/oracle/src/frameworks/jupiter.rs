//! JUnit Jupiter, of JUnit 5 and later.

use super::{Form, Framework, NONE, Observed, Plain, Tests, Tolerance, Words, form, home};
use crate::kind::TestKind;

static FORM: Form = Form {
    is_message_last: true,
    ..form(
        "JUnit Jupiter",
        Words::Plain(Plain {
            is_exact: true,
            arrays: Some("assertArrayEquals"),
            tolerance_in_arrays: Tolerance::Taken,
            iterables: Some("assertIterableEquals"),
        }),
    )
};

pub(super) const ROW: Framework = Framework {
    name: "JUnit Jupiter",
    packages: &["org.junit.jupiter."],
    annotations: &[
        ("Test", TestKind::Test),
        ("ParameterizedTest", TestKind::Test),
        ("RepeatedTest", TestKind::Test),
        ("TestFactory", TestKind::Test),
        ("TestTemplate", TestKind::Test),
        ("BeforeEach", TestKind::SetUp),
        ("BeforeAll", TestKind::SetUp),
        ("AfterEach", TestKind::TearDown),
        ("AfterAll", TestKind::TearDown),
    ],
    homes: &[home("org.junit.jupiter.api.Assertions", &FORM)],
    tests: Some(Tests {
        assertions: "org.junit.jupiter.api.Assertions",
        annotation: Some("org.junit.jupiter.api.Test"),
        is_open: true,
    }),
    asserts: &[
        ("assertThrows", Observed::Nothing),
        ("assertThrowsExactly", Observed::Nothing),
        ("assertDoesNotThrow", Observed::Nothing),
        ("assertAll", Observed::Nothing),
        ("assertTimeout", Observed::Nothing),
        ("assertTimeoutPreemptively", Observed::Nothing),
        ("assertInstanceOf", Observed::SecondWeakly),
        ("assertIterableEquals", Observed::Compared),
        ("assertLinesMatch", Observed::Compared),
    ],
    fails_on: &["Assertions"],
    throws: &["assertThrows", "assertThrowsExactly"],
    ..NONE
};
