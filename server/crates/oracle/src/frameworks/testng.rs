//! TestNG.

use super::{Form, Framework, NONE, home};
use crate::TestKind;

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
    homes: &[
        home("org.testng.Assert", Form::TestNg),
        // For those who come from JUnit.
        home("org.testng.AssertJUnit", Form::JUnit3),
    ],
    own: Some("org.testng.Assert"),
    fails_on: &["Assert"],
    throws: &["assertThrows", "expectThrows"],
    ..NONE
};
