//! Google's Truth.

use super::{Entries, Fluent, Form, Framework, NONE, Near, Says, Words, form, home};

static FORM: Form = form(
    "Truth",
    Words::Fluent(&Fluent {
        has_many: false,
        equal: "isEqualTo(",
        is_true: "isTrue",
        is_false: "isFalse",
        is_null: "isNull",
        empty: "isEmpty",
        not_empty: "isNotEmpty",
        size: "hasSize(",
        ordered: "containsExactly(",
        in_order: Some(".inOrder()"),
        not_a_number: None,
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
    links: &[
        ("isEqualTo", Says::Equal),
        ("isSameInstanceAs", Says::Same),
        ("isNotEqualTo", Says::NotEqual),
        ("isNull", Says::Null),
        ("isNotNull", Says::NotNull),
        ("isTrue", Says::True),
        ("isFalse", Says::False),
        ("isInstanceOf", Says::Class),
        ("hasSize", Says::Size),
        ("isEmpty", Says::Empty),
        ("isNotEmpty", Says::NotEmpty),
        ("isPresent", Says::Present),
        ("named", Says::Nothing),
    ],
    ..NONE
};
