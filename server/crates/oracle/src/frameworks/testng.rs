//! TestNG.

use super::{Form, Framework, NONE, Plain, Tests, Words, form, home, junit3};
use crate::kind::TestKind;

static FORM: Form = Form {
    is_message_last: true,
    is_actual_first: true,
    ..form(
        "TestNG",
        Words::Plain(Plain {
            arrays: Some("assertEquals"),
            compares_in_order: true,
            ..junit3::PLAIN
        }),
    )
};

pub(super) const ROW: Framework = Framework {
    name: "TestNG",
    packages: &["org.testng."],
    annotations: &[
        ("Test", TestKind::Test),
        ("BeforeMethod", TestKind::SetUp),
        ("BeforeClass", TestKind::SetUp),
        ("BeforeTest", TestKind::SetUp),
        ("BeforeSuite", TestKind::SetUp),
        ("BeforeGroups", TestKind::SetUp),
        ("AfterMethod", TestKind::TearDown),
        ("AfterClass", TestKind::TearDown),
        ("AfterTest", TestKind::TearDown),
        ("AfterSuite", TestKind::TearDown),
        ("AfterGroups", TestKind::TearDown),
    ],
    giving: &["DataProvider"],
    runs_around: &["Listeners"],
    off_by: &["enabled=false"],
    throws_by: &["expectedExceptions"],
    homes: &[
        home("org.testng.Assert", &FORM),
        // For those who come from JUnit.
        home("org.testng.AssertJUnit", &junit3::FORM),
    ],
    tests: Some(Tests {
        assertions: "org.testng.Assert",
        annotation: Some("org.testng.annotations.Test"),
        is_open: false,
        has_arguments: true,
        extends: None,
    }),
    fails_on: &["Assert"],
    throws: &["assertThrows", "expectThrows"],
    ..NONE
};
