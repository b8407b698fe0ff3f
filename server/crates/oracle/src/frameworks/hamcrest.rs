//! Hamcrest, whose matchers JUnit 4 takes too.

use super::{Form, Framework, NONE, Observed, home};

pub(super) const ROW: Framework = Framework {
    name: "Hamcrest",
    packages: &["org.hamcrest."],
    homes: &[home("org.hamcrest.MatcherAssert", Form::Hamcrest)],
    asserts: &[("assertThat", Observed::That)],
    ..NONE
};
