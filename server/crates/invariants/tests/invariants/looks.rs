//! Chars and constants of enums read as Java writes them, and what is read can be asked.

use crate::support::{ints, learner, point, texts, told};
use invariants::{Claim, Rule, Value, Verdict};
use proptest::prelude::*;
use std::sync::Arc;

#[test]
fn chars_and_constants_read_as_in_java() {
    let point = point(&[
        "c: char",
        "d: char",
        "n: int",
        "cs: char[]",
        "e: enum",
        "s: String",
        "es: enum[]",
    ]);
    let mut learner = learner(&point);
    for at in 0..80 {
        let which = usize::try_from(at % 2).unwrap_or_default();
        let row = [
            Value::Int([i64::from(b'\''), i64::from(b'A')][which]),
            Value::Int(at % 8 + i64::from(b'a')),
            Value::Int(65),
            ints(&[10, i64::from(b'x')]),
            Value::text(["OPEN", "CLOSED"][which]),
            Value::text("OPEN"),
            texts(&["OPEN", "CLOSED"]),
        ];
        learner.see(&row, 1);
    }
    let all = told(&learner);
    for text in [
        r"c one of { '\'', 'A' }",
        "d >= 'a'",
        "d <= 'h'",
        "n == 65",
        r"cs[] == ['\n', 'x']",
        "e one of { CLOSED, OPEN }",
        "s == \"OPEN\"",
        "es[] == [OPEN, CLOSED]",
    ] {
        assert!(all.iter().any(|t| t == text), "{text}: {all:?}");
    }
}

#[test]
fn what_no_name_is_stands_in_quotes() {
    let point = point(&["e: enum"]);
    let mut learner = learner(&point);
    for name in [Some("two words"), Some("NaN"), None] {
        learner.see(&[Value::Text(name.map(Arc::from))], 5);
    }
    assert_eq!(told(&learner), ["e one of { null, NaN, \"two words\" }"]);
}

#[test]
fn claims_are_understood_in_either_spelling() {
    let point = point(&["c: char", "n: int", "e: enum", "s: String", "cs: char[]"]);
    let sample = [
        Value::Int(44),
        Value::Int(65),
        Value::text("OPEN"),
        Value::text("a, 'b' in c"),
        ints(&[44, 65]),
    ];
    let mut of_point = learner(&point);
    of_point.see(&sample, 1);
    for (text, written, verdict) in [
        ("c == ','", "c == ','", Verdict::Holds),
        ("c == 44", "c == ','", Verdict::Holds),
        (r"c == '\u002c'", "c == ','", Verdict::Holds),
        (
            "c one of { 'a', ',' }",
            "c one of { 'a', ',' }",
            Verdict::Holds,
        ),
        ("c != 0", r"c != '\u0000'", Verdict::Holds),
        (r"c != '\u0000'", r"c != '\u0000'", Verdict::Holds),
        ("c > 'Z'", "c > 'Z'", Verdict::Broken),
        ("n == 'A'", "n == 65", Verdict::Holds),
        (
            "cs[] elements >= ','",
            "cs[] elements >= ','",
            Verdict::Holds,
        ),
        ("cs[] == [',', 'A']", "cs[] == [',', 'A']", Verdict::Holds),
        ("e == OPEN", "e == OPEN", Verdict::Holds),
        ("e == \"OPEN\"", "e == OPEN", Verdict::Holds),
        (
            "e one of { CLOSED, HALF }",
            "e one of { CLOSED, HALF }",
            Verdict::Broken,
        ),
        ("e != null", "e != null", Verdict::Holds),
        (
            "s == \"a, 'b' in c\"",
            "s == \"a, 'b' in c\"",
            Verdict::Holds,
        ),
        (
            "s one of { \"a, 'b' in c\", null }",
            "s one of { \"a, 'b' in c\", null }",
            Verdict::Holds,
        ),
    ] {
        let claim = Claim::parse(&point, text).expect(text);
        assert_eq!(claim.text(of_point.terms()), written, "{text}");
        assert_eq!(claim.judge(&sample), verdict, "{text}");
    }
    // Of a text only quotes say that it is one.
    for text in [
        "s == OPEN",
        "n == A",
        "c == ''",
        "e == two words",
        "e == return",
        "e == this",
        "e == result",
        "e one of { OPEN, return }",
    ] {
        assert!(Claim::parse(&point, text).is_err(), "{text}");
    }
}

#[test]
fn a_name_that_nobody_knows_is_no_constant() {
    let point = point(&["e: enum", "es: enum[]", "CLOSED: enum"]);
    let of = |text: &str| Claim::parse_knowing(&point, text, &|name| name == "OPEN");
    for text in [
        "e == OPEN",
        "e == CLOSED",
        "e == \"HALF\"",
        "e one of { OPEN, HALF }",
        "es[] == [HALF, result]",
        "e != null",
    ] {
        assert!(of(text).is_ok(), "{text}");
    }
    for text in ["e == HALF", "e != HALF", "es[] elements == HALF"] {
        let said = of(text).expect_err(text);
        assert!(said.contains("\"HALF\" is neither a variable"), "{said}");
    }
    // What a variable is called is that variable, and the constant stands in quotes.
    let terms = invariants::term::terms(&point);
    for text in [
        "e == \"CLOSED\"",
        "e == CLOSED",
        "e one of { \"CLOSED\", OPEN }",
    ] {
        let written = of(text).map(|claim| claim.text(&terms));
        assert_eq!(written.as_deref(), Ok(text));
    }
}

fn sample() -> impl Strategy<Value = Vec<Value>> {
    let unit = || {
        prop_oneof![
            3 => prop::sample::select("',\\\" {}[]\nab=<".chars().map(|c| i64::from(u32::from(c))).collect::<Vec<i64>>()),
            1 => any::<u16>().prop_map(i64::from),
        ]
    };
    let name = || prop::sample::select(vec!["OPEN", "CLOSED", "NaN", "L", "_", "$1", "größer"]);
    let units = prop::collection::vec(unit(), 0..3);
    let names = prop::collection::vec(name(), 0..3);
    let one = name().prop_map(Value::text);
    let constant = prop_oneof![4 => one, 1 => Just(Value::Text(None))];
    // One of the constants is called as a variable is.
    (unit(), unit(), constant.clone(), units, names, constant).prop_map(
        |(c, d, e, cs, es, open)| {
            vec![Value::Int(c), Value::Int(d), e, ints(&cs), texts(&es), open]
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// What is printed of values is understood, and means what it was printed of.
    #[test]
    fn what_is_printed_can_be_asked(samples in prop::collection::vec(sample(), 1..12)) {
        let point = point(&[
            "c: char",
            "d: char",
            "e: enum",
            "cs: char[]",
            "es: enum[]",
            "OPEN: enum",
        ]);
        let mut learner = learner(&point);
        samples.iter().for_each(|s| learner.see(s, 3));
        for (constraint, _) in learner.all() {
            let has_value = matches!(
                constraint.rule,
                Rule::OneOf(_)
                    | Rule::ElementsOneOf(_)
                    | Rule::NonZero
                    | Rule::ElementsNonZero
                    | Rule::Bound(..)
                    | Rule::ElementsBound(..)
            );
            if !has_value {
                continue;
            }
            let text = &constraint.text;
            let claim = Claim::parse(&point, text);
            prop_assert!(claim.is_ok(), "{text}: {claim:?}");
            let Ok(claim) = claim else { continue };
            prop_assert_eq!(&claim.text(learner.terms()), text);
            for sample in &samples {
                prop_assert_eq!(claim.judge(sample), constraint.judge(sample), "{} {:?}", text, sample);
            }
        }
    }
}
