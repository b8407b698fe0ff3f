//! Hamcrest, whose matchers JUnit 4 takes too.

use super::{Form, Framework, Matchers, NONE, Observed, Words, form, home};

pub(super) const ASSERT: &str = "org.hamcrest.MatcherAssert";

static FORM: Form = form(
    "Hamcrest",
    Words::Matchers(Matchers {
        all: "org.hamcrest.Matchers",
        few: "org.hamcrest.CoreMatchers",
    }),
);

pub(super) const ROW: Framework = Framework {
    name: "Hamcrest",
    packages: &["org.hamcrest."],
    homes: &[home(ASSERT, &FORM)],
    asserts: &[("assertThat", Observed::That)],
    reflects: &[
        "hasProperty",
        "samePropert",
        "sameBean",
        "sameValues",
        "hasToString",
    ],
    ..NONE
};
