//! JUnit Jupiter, of JUnit 5 and later.

use super::{Form, Framework, NONE, Observed, home};
use crate::TestKind;

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
    homes: &[home("org.junit.jupiter.api.Assertions", Form::Jupiter)],
    own: Some("org.junit.jupiter.api.Assertions"),
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
