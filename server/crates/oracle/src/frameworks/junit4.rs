//! JUnit 4.

use super::{Form, Framework, NONE, Plain, Tests, Tolerance, Words, form, hamcrest, home};
use crate::kind::TestKind;

pub(super) static FORM: Form = Form {
    hands_on: Some(hamcrest::ASSERT),
    ..form(
        "JUnit 4",
        Words::Plain(Plain {
            is_exact: false,
            arrays: Some("assertArrayEquals"),
            tolerance_in_arrays: Tolerance::Needed,
            iterables: None,
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
    homes: &[home("org.junit.Assert", &FORM)],
    tests: Some(Tests {
        assertions: "org.junit.Assert",
        annotation: Some("org.junit.Test"),
        is_open: false,
    }),
    fails_on: &["Assert"],
    throws: &["assertThrows"],
    ..NONE
};
