//! JUnit Pioneer, extensions of Jupiter.

use super::{Framework, NONE};
use crate::kind::TestKind;

pub(super) const ROW: Framework = Framework {
    name: "JUnit Pioneer",
    packages: &["org.junitpioneer."],
    annotations: &[
        ("CartesianTest", TestKind::Test),
        ("RetryingTest", TestKind::Test),
    ],
    ..NONE
};
