//! JUnit 4.

use super::{Form, Framework, NONE, Plain, Tests, Tolerance, Words, form, hamcrest, home, junit3};
use crate::kind::TestKind;

pub(super) static FORM: Form = Form {
    hands_on: Some(hamcrest::ASSERT),
    ..form(
        "JUnit 4",
        Words::Plain(Plain {
            arrays: Some("assertArrayEquals"),
            tolerance_in_arrays: Tolerance::Needed,
            ..junit3::PLAIN
        }),
    )
};

pub(super) const ROW: Framework = Framework {
    name: "JUnit 4",
    packages: &["org.junit."],
    annotations: &[
        ("Test", TestKind::Test),
        ("Theory", TestKind::Test),
        ("Before", TestKind::SetUp),
        ("BeforeClass", TestKind::SetUp),
        ("After", TestKind::TearDown),
        ("AfterClass", TestKind::TearDown),
    ],
    giving: &["Parameters", "DataPoints", "DataPoint"],
    giving_class: &["Parameters"],
    runs_classes: &["JUnitCore"],
    runs_with: &["RunWith"],
    off: &["Ignore"],
    throws_by: &["expected"],
    rules: &["Rule", "ClassRule"],
    throwing_rules: &["ExpectedException"],
    told_to_throw: &["expect", "expectMessage", "expectCause"],
    homes: &[home("org.junit.Assert", &FORM)],
    tests: Some(Tests {
        assertions: "org.junit.Assert",
        annotation: Some("org.junit.Test"),
        is_open: false,
        has_arguments: false,
        extends: None,
    }),
    fails_on: &["Assert"],
    throws: &["assertThrows"],
    ..NONE
};
