//! AssertJ, also in its words for behaviour.

use super::{Form, Framework, Home, NONE, home};

const ASSERTIONS: &str = "org.assertj.core.api.Assertions";

const fn for_some_types(class: &'static str) -> Home {
    Home {
        inserts: ASSERTIONS,
        ..home(class, Form::AssertJ)
    }
}

pub(super) const ROW: Framework = Framework {
    name: "AssertJ",
    packages: &["org.assertj."],
    homes: &[
        home(ASSERTIONS, Form::AssertJ),
        for_some_types("org.assertj.core.api.AssertionsForClassTypes"),
        for_some_types("org.assertj.core.api.AssertionsForInterfaceTypes"),
        // Test classes implement it.
        home("org.assertj.core.api.WithAssertions", Form::AssertJ),
        Home {
            that: "then",
            ..home("org.assertj.core.api.BDDAssertions", Form::AssertJ)
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
    ..NONE
};
