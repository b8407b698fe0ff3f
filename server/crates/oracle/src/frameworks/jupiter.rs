//! JUnit Jupiter, of JUnit 5 and later.

use super::{
    Form, Framework, NONE, Observed, Plain, Says, Tests, Tolerance, Words, form, home, junit3,
};
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
            ..junit3::PLAIN
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
    for_each: &["ParameterizedTest"],
    gives_tests: &["TestFactory"],
    runs_classes: &[
        "EngineTestKit",
        "selectClass(",
        "selectMethod(",
        "LauncherFactory",
    ],
    runs_around: &["ExtendWith"],
    off: &["Disabled"],
    somewhere: &[
        "EnabledIfEnvironmentVariable",
        "EnabledIfSystemProperty",
        "EnabledOnOs",
    ],
    assumes: &["assumeFalse", "assumeNotNull", "assumeThat", "assumeTrue"],
    rules: &["RegisterExtension"],
    apart: &["assertTimeoutPreemptively"],
    homes: &[home("org.junit.jupiter.api.Assertions", &FORM)],
    tests: Some(Tests {
        assertions: "org.junit.jupiter.api.Assertions",
        annotation: Some("org.junit.jupiter.api.Test"),
        is_open: true,
        has_arguments: false,
        extends: None,
    }),
    asserts: &[
        ("assertThrows", Observed::Nothing, Says::Other),
        ("assertThrowsExactly", Observed::Nothing, Says::Other),
        ("assertDoesNotThrow", Observed::Nothing, Says::Other),
        ("assertAll", Observed::Nothing, Says::Other),
        ("assertTimeout", Observed::Nothing, Says::Other),
        ("assertTimeoutPreemptively", Observed::Nothing, Says::Other),
        ("assertInstanceOf", Observed::SecondWeakly, Says::Class),
        ("assertIterableEquals", Observed::Compared, Says::Elements),
        ("assertLinesMatch", Observed::Compared, Says::Elements),
    ],
    fails_on: &["Assertions"],
    throws: &["assertThrows", "assertThrowsExactly"],
    ..NONE
};
