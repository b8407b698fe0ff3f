//! JMockit.

use super::{Framework, NONE};

pub(super) const ROW: Framework = Framework {
    name: "JMockit",
    mocked: &["Mocked", "Injectable", "Capturing"],
    ..NONE
};
