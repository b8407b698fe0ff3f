//! AssertJ, also in its words for behaviour.

use super::{
    Arrays, Entries, Fluent, Form, Framework, Home, NONE, Near, Optionals, Words, form, home,
};

const ASSERTIONS: &str = "org.assertj.core.api.Assertions";

static FORM: Form = form(
    "AssertJ",
    Words::Fluent(&Fluent {
        has_many: true,
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
    }),
);

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
