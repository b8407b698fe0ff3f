//! AssertJ, also in its words for behaviour.

use super::{
    Arrays, Contrary, Entries, Fluent, Form, Framework, Home, NONE, Near, Observed, Optionals,
    Says, Subject, Words, form, home,
};

const ASSERTIONS: &str = "org.assertj.core.api.Assertions";

static FORM: Form = form(
    "AssertJ",
    Words::Fluent(&Fluent {
        has_many: true,
        equal: "isEqualTo(",
        is_true: "isTrue",
        is_false: "isFalse",
        is_null: "isNull",
        empty: "isEmpty",
        not_empty: "isNotEmpty",
        size: "hasSize(",
        ordered: "containsExactly(",
        in_order: None,
        not_a_number: Some("isNaN"),
        length: "hasSize(",
        unordered: "containsExactlyInAnyOrder(",
        seen_unordered: Some("containsExactlyInAnyOrder("),
        entries: Entries::Made("containsOnly(", "entry"),
        arrays: Some(Arrays {
            elements: "containsExactly(",
            size: "hasSize(",
            nested: "isDeepEqualTo(",
        }),
        optionals: Some(Optionals {
            present: "isPresent",
            absent: "isNotPresent",
            holds: "contains(",
            holds_number: "hasValue(",
        }),
        near: Near::Behind("isCloseTo(", ASSERTIONS, "within"),
        contraries: CONTRARIES,
    }),
);

/// Whether both are there was asked of the classes of 3.24 and 3.27, with the same parameters. `isNotEqualTo` compares a number of any
/// length with a text that `isEqualTo` reads; durations, optionals, arrays and paths have but one of some.
const CONTRARIES: &[Contrary] = &[
    pair("isEqualTo", "isNotEqualTo", Subject::Alike),
    pair("isSameAs", "isNotSameAs", Subject::Any),
    pair("isNull", "isNotNull", Subject::Any),
    pair("isTrue", "isFalse", Subject::Any),
    pair("isEmpty", "isNotEmpty", Subject::Any),
    pair("isPresent", "isNotPresent", Subject::Any),
    pair("isBlank", "isNotBlank", Subject::Any),
    pair("isNaN", "isNotNaN", Subject::Any),
    pair("isZero", "isNotZero", Subject::Number),
    pair("isPositive", "isNotPositive", Subject::Number),
    pair("isNegative", "isNotNegative", Subject::Number),
    pair("isInstanceOf", "isNotInstanceOf", Subject::Any),
    pair(
        "isExactlyInstanceOf",
        "isNotExactlyInstanceOf",
        Subject::Any,
    ),
    pair("isIn", "isNotIn", Subject::Any),
    pair(
        "isEqualByComparingTo",
        "isNotEqualByComparingTo",
        Subject::Any,
    ),
    pair(
        "isEqualToIgnoringCase",
        "isNotEqualToIgnoringCase",
        Subject::Any,
    ),
    pair("hasSameClassAs", "doesNotHaveSameClassAs", Subject::Any),
    pair(
        "hasSameHashCodeAs",
        "doesNotHaveSameHashCodeAs",
        Subject::Any,
    ),
    pair("hasToString", "doesNotHaveToString", Subject::Any),
    pair("startsWith", "doesNotStartWith", Subject::Text),
    pair("endsWith", "doesNotEndWith", Subject::Text),
    pair("matches", "doesNotMatch", Subject::Text),
    pair("containsPattern", "doesNotContainPattern", Subject::Any),
    pair(
        "containsIgnoringCase",
        "doesNotContainIgnoringCase",
        Subject::Any,
    ),
    pair("contains", "doesNotContain", Subject::Elements),
    pair("containsNull", "doesNotContainNull", Subject::Any),
    pair("containsKey", "doesNotContainKey", Subject::Any),
    pair("containsValue", "doesNotContainValue", Subject::Any),
    Contrary {
        most: 2,
        ..pair("containsEntry", "doesNotContainEntry", Subject::Any)
    },
    pair("exists", "doesNotExist", Subject::Any),
];

const fn pair(one: &'static str, other: &'static str, of: Subject) -> Contrary {
    Contrary {
        both: [one, other],
        of,
        most: 1,
    }
}

const fn for_some_types(class: &'static str) -> Home {
    Home {
        inserts: ASSERTIONS,
        ..home(class, &FORM)
    }
}

pub(super) const ROW: Framework = Framework {
    name: "AssertJ",
    packages: &["org.assertj."],
    homes: &[
        home(ASSERTIONS, &FORM),
        for_some_types("org.assertj.core.api.AssertionsForClassTypes"),
        for_some_types("org.assertj.core.api.AssertionsForInterfaceTypes"),
        // Test classes implement it.
        home("org.assertj.core.api.WithAssertions", &FORM),
        Home {
            that: "then",
            ..home("org.assertj.core.api.BDDAssertions", &FORM)
        },
    ],
    asserts: &[("then", Observed::That, Says::Other)],
    links: &[
        ("isEqualTo", Says::Equal),
        ("isCloseTo", Says::Near),
        ("isSameAs", Says::Same),
        ("isNotEqualTo", Says::NotEqual),
        ("isNotSameAs", Says::NotSame),
        ("isNull", Says::Null),
        ("isNotNull", Says::NotNull),
        ("isTrue", Says::True),
        ("isFalse", Says::False),
        ("isInstanceOf", Says::Class),
        ("isInstanceOfAny", Says::Class),
        ("isExactlyInstanceOf", Says::Class),
        ("hasSize", Says::Size),
        ("hasSizeGreaterThan", Says::More),
        ("isEmpty", Says::Empty),
        ("isNotEmpty", Says::NotEmpty),
        ("isNotBlank", Says::NotEmpty),
        ("isPresent", Says::Present),
        ("isZero", Says::Zero),
        ("as", Says::Nothing),
        ("describedAs", Says::Nothing),
        ("withFailMessage", Says::Nothing),
        ("overridingErrorMessage", Says::Nothing),
    ],
    // `hasFieldOrProperty` says of no value what it is.
    parts: &[
        ("hasFieldOrPropertyWithValue", 1),
        ("extracting", usize::MAX),
        ("returns", usize::MAX),
        ("satisfies", usize::MAX),
    ],
    gives_parts: &["extracting"],
    behaves_on: &["BDDAssertions", "BDDSoftAssertions", "softly"],
    fails: &[
        "fail",
        "failBecauseExceptionWasNotThrown",
        "shouldHaveThrown",
    ],
    fails_on: &["Assertions", "Fail"],
    throws: &[
        "assertThatThrownBy",
        "catchThrowable",
        "catchThrowableOfType",
        "catchException",
        "isThrownBy",
        "thenThrownBy",
    ],
    reflects: &[
        "ecursive",
        "ieldByField",
        "extract",
        "Extracting",
        "hasField",
        "hasNoNullFields",
        "hasAllNullFields",
        "hasOnlyFields",
        "returns",
    ],
    ..NONE
};
