//! JUnit 4.

use super::{Form, Framework, NONE, home};
use crate::TestKind;

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
    homes: &[home("org.junit.Assert", Form::JUnit4)],
    own: Some("org.junit.Assert"),
    fails_on: &["Assert"],
    throws: &["assertThrows"],
    ..NONE
};
