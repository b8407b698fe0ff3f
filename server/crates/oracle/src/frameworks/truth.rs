//! Google's Truth.

use super::{Entries, Fluent, Form, Framework, NONE, Near, Words, form, home};

static FORM: Form = form(
    "Truth",
    Words::Fluent(&Fluent {
        has_many: false,
        length: "hasLength(",
        unordered: "containsExactly(",
        seen_unordered: None,
        entries: Entries::InTurn("containsExactly("),
        arrays: None,
        optionals: None,
        near: Near::Before("isWithin(", ".of("),
        contraries: &[],
    }),
);

pub(super) const ROW: Framework = Framework {
    name: "Truth",
    packages: &["com.google.common.truth."],
    homes: &[home("com.google.common.truth.Truth", &FORM)],
    ..NONE
};
