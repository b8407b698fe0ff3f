//! Hamcrest, whose matchers JUnit 4 takes too.

use super::{Form, Framework, Matchers, NONE, Observed, Says, Words, form, home};

pub(super) const ASSERT: &str = "org.hamcrest.MatcherAssert";

static FORM: Form = form(
    "Hamcrest",
    Words::Matchers(Matchers {
        equal: "equalTo",
        is: "is",
        null: "nullValue",
        size: "hasSize",
        ordered: "contains",
        unordered: "containsInAnyOrder",
        package: "org.hamcrest.",
        all: "org.hamcrest.Matchers",
        few: "org.hamcrest.CoreMatchers",
    }),
);

pub(super) const ROW: Framework = Framework {
    name: "Hamcrest",
    packages: &["org.hamcrest."],
    homes: &[home(ASSERT, &FORM)],
    asserts: &[("assertThat", Observed::That, Says::Other)],
    matchers: &[
        ("is", Says::Is),
        ("not", Says::Not),
        ("equalTo", Says::Equal),
        ("equalToObject", Says::Equal),
        ("closeTo", Says::Near),
        ("sameInstance", Says::Same),
        ("theInstance", Says::Same),
        ("nullValue", Says::Null),
        ("notNullValue", Says::NotNull),
        ("hasSize", Says::Size),
        ("iterableWithSize", Says::Size),
        ("arrayWithSize", Says::Size),
        ("aMapWithSize", Says::Size),
        ("empty", Says::Empty),
        ("emptyIterable", Says::Empty),
        ("emptyArray", Says::Empty),
        ("anEmptyMap", Says::Empty),
    ],
    reflects: &[
        "hasProperty",
        "samePropert",
        "sameBean",
        "sameValues",
        "hasToString",
    ],
    ..NONE
};
