//! Google's Truth.

use super::{Form, Framework, NONE, home};

pub(super) const ROW: Framework = Framework {
    name: "Truth",
    packages: &["com.google.common.truth."],
    homes: &[home("com.google.common.truth.Truth", Form::Truth)],
    ..NONE
};
