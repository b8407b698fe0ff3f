//! MockK, of Kotlin, used from Java.

use super::{Framework, NONE};

pub(super) const ROW: Framework = Framework {
    name: "MockK",
    mocked: &["MockK", "RelaxedMockK"],
    mocks: &["mockk"],
    returns: &["returns"],
    ..NONE
};
