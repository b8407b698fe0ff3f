//! The documented cases of single invariants, restated: after each sample what is left of one family, or that it is gone.
//! Of the families that are on unless asked otherwise; those that Daikon has off (moduli, common parts of sequences, sequences
//! within others, no duplicates) are not there.

use crate::support::{holding, ints, learner, point, texts};
use invariants::{Family, Options, Value};

/// Samples and what the family says after each; an empty text where nothing is left.
fn follow(variables: &[&str], family: Family, samples: &[(&[Value], &str)]) {
    let point = point(variables);
    let without = Family::ALL
        .iter()
        .copied()
        .filter(|f| *f != family && *f != Family::Equal);
    let options = Options {
        without: without.collect(),
        ..Options::for_checking()
    };
    let mut learner = invariants::Learner::new(&point, options);
    for (i, (sample, text)) in samples.iter().enumerate() {
        learner.see(sample, 1);
        let plain = u32::try_from(variables.len()).expect("few");
        let all = learner.all().into_iter();
        let left: Vec<String> = all
            .filter(|(c, _)| c.terms.iter().all(|t| *t < plain))
            .map(|(c, _)| c.text)
            .collect();
        let expected: Vec<&str> = text.split(" && ").filter(|t| !t.is_empty()).collect();
        assert_eq!(left, expected, "after sample {i}");
    }
}

fn int(v: i64) -> Vec<Value> {
    vec![Value::Int(v)]
}

#[test]
fn lower_bound() {
    let steps = [
        (-10, -10),
        (-8, -10),
        (0, -10),
        (-12, -12),
        (-100, -100),
        (-50, -100),
        (-8, -100),
    ];
    let samples: Vec<(Vec<Value>, String)> = steps
        .iter()
        .map(|(v, b)| (int(*v), format!("a >= {b}")))
        .collect();
    let samples: Vec<(&[Value], &str)> = samples
        .iter()
        .map(|(s, t)| (s.as_slice(), t.as_str()))
        .collect();
    follow(&["a: int"], Family::LowerBound, &samples);
}

#[test]
fn non_zero() {
    let samples: Vec<Vec<Value>> = [1, 2, 54, -12, -15, 0, 7].into_iter().map(int).collect();
    let texts = ["a != 0", "a != 0", "a != 0", "a != 0", "a != 0", "", ""];
    let all: Vec<(&[Value], &str)> = samples.iter().map(Vec::as_slice).zip(texts).collect();
    follow(&["a: int"], Family::NonZero, &all);
}

#[test]
fn one_of_numbers() {
    let samples: Vec<Vec<Value>> = [12, 12, 12, 15, 12, 12, 15, 15, 17, 17, 1, 2, 12]
        .into_iter()
        .map(int)
        .collect();
    let two = "a one of { 12, 15 }";
    let three = "a one of { 12, 15, 17 }";
    let texts = [
        "a == 12", "a == 12", "a == 12", two, two, two, two, two, three, three, "", "", "",
    ];
    let all: Vec<(&[Value], &str)> = samples.iter().map(Vec::as_slice).zip(texts).collect();
    follow(&["a: int"], Family::OneOf, &all);
}

#[test]
fn one_of_strings() {
    let words = ["hi", "hi", "hi", "bye", "bye", "cwcc", "goto", "hi"];
    let samples: Vec<Vec<Value>> = words.iter().map(|w| vec![Value::text(w)]).collect();
    let texts = [
        "a == \"hi\"",
        "a == \"hi\"",
        "a == \"hi\"",
        "a one of { \"bye\", \"hi\" }",
        "a one of { \"bye\", \"hi\" }",
        "a one of { \"bye\", \"cwcc\", \"hi\" }",
        "",
        "",
    ];
    let all: Vec<(&[Value], &str)> = samples.iter().map(Vec::as_slice).zip(texts).collect();
    follow(&["a: String"], Family::OneOf, &all);
}

/// Cases of one sequence.
fn follow_sequence(kind: &str, family: Family, samples: &[(Value, &str)]) {
    let samples: Vec<(Vec<Value>, &str)> =
        samples.iter().map(|(v, t)| (vec![v.clone()], *t)).collect();
    let all: Vec<(&[Value], &str)> = samples.iter().map(|(s, t)| (s.as_slice(), *t)).collect();
    follow(&[&format!("a: {kind}[]")], family, &all);
}

#[test]
fn bounds_of_elements() {
    follow_sequence(
        "int",
        Family::ElementsLowerBound,
        &[
            (ints(&[3, 14, 54, 19]), "a[] elements >= 3"),
            (ints(&[14, 54, 2, 17]), "a[] elements >= 2"),
            (ints(&[54, 19]), "a[] elements >= 2"),
            (ints(&[1]), "a[] elements >= 1"),
            (ints(&[-13, 534]), "a[] elements >= -13"),
        ],
    );
}

#[test]
fn elements_that_are_not_zero() {
    let text = "a[] elements != 0";
    follow_sequence(
        "int",
        Family::ElementsNonZero,
        &[
            (ints(&[3, 14, 54, 19]), text),
            (ints(&[14, 54, 2, 17]), text),
            (ints(&[54, 19]), text),
            (ints(&[0]), ""),
            (ints(&[-13, 534]), ""),
        ],
    );
}

#[test]
fn elements_one_of() {
    follow_sequence(
        "int",
        Family::ElementsOneOf,
        &[
            (ints(&[25, 26]), "a[] elements one of { 25, 26 }"),
            (ints(&[25]), "a[] elements one of { 25, 26 }"),
            (ints(&[-19]), "a[] elements one of { -19, 25, 26 }"),
            (
                ints(&[26, -19, 25, 25, -19, 26]),
                "a[] elements one of { -19, 25, 26 }",
            ),
            (ints(&[-19, 0, 16]), ""),
        ],
    );
    follow_sequence(
        "String",
        Family::ElementsOneOf,
        &[
            (texts(&["hi", "hi"]), "a[] elements == \"hi\""),
            (
                texts(&["bye", "bye"]),
                "a[] elements one of { \"bye\", \"hi\" }",
            ),
            (
                texts(&["hi", "bye"]),
                "a[] elements one of { \"bye\", \"hi\" }",
            ),
            (
                texts(&["java"]),
                "a[] elements one of { \"bye\", \"hi\", \"java\" }",
            ),
            (texts(&["zero"]), ""),
        ],
    );
}

#[test]
fn equal_elements() {
    follow_sequence(
        "int",
        Family::Sorted,
        &[
            (ints(&[1, 1, 1, 1]), "a[] elements are equal"),
            (ints(&[-5, -5, -5]), "a[] elements are equal"),
            (ints(&[0]), "a[] elements are equal"),
            (ints(&[5, -5]), "a[] sorted by >="),
            (ints(&[5, 6]), ""),
        ],
    );
}

#[test]
fn one_of_sequences() {
    let first = "a[] == [3, 14, 54, -19]";
    follow_sequence(
        "int",
        Family::OneOf,
        &[
            (ints(&[3, 14, 54, -19]), first),
            (ints(&[3, 14, 54, -19]), first),
            (
                ints(&[3, 14, -19, 54]),
                "a[] one of { [3, 14, -19, 54], [3, 14, 54, -19] }",
            ),
            (
                ints(&[3]),
                "a[] one of { [3], [3, 14, -19, 54], [3, 14, 54, -19] }",
            ),
            (ints(&[0]), ""),
        ],
    );
    follow_sequence(
        "String",
        Family::OneOf,
        &[
            (texts(&["hi", "bye"]), "a[] == [hi, bye]"),
            (texts(&["bye", "hi"]), "a[] one of { [bye, hi], [hi, bye] }"),
            (texts(&["bye", "bye"]), ""),
            (texts(&["zero"]), ""),
        ],
    );
}

/// Cases of two variables.
fn follow_two(kinds: [&str; 2], family: Family, samples: &[(Value, Value, &str)]) {
    let samples: Vec<(Vec<Value>, &str)> = samples
        .iter()
        .map(|(a, b, t)| (vec![a.clone(), b.clone()], *t))
        .collect();
    let all: Vec<(&[Value], &str)> = samples.iter().map(|(s, t)| (s.as_slice(), *t)).collect();
    let [a, b] = kinds.map(|kind| kind.to_owned());
    follow(&[&format!("a: {a}"), &format!("b: {b}")], family, &all);
}

#[test]
fn equal_values() {
    let i = Value::Int;
    follow_two(
        ["int", "int"],
        Family::Equal,
        &[
            (i(1), i(1), "a == b"),
            (i(2), i(2), "a == b"),
            (i(7), i(7), "a == b"),
            (i(9), i(-9), ""),
            (i(1), i(1), ""),
        ],
    );
    let t = Value::text;
    follow_two(
        ["String", "String"],
        Family::Equal,
        &[
            (t("hi"), t("hi"), "a == b"),
            (t("bye"), t("bye"), "a == b"),
            (t("oh"), t("no"), ""),
        ],
    );
    follow_two(
        ["int[]", "int[]"],
        Family::Equal,
        &[
            (ints(&[1, 2, 3]), ints(&[1, 2, 3]), "a[] == b[]"),
            (ints(&[14, 15, -10]), ints(&[15, -10, 14]), ""),
        ],
    );
}

#[test]
fn lines() {
    let points = [
        (3, 5, ""),
        (9, 17, ""),
        (-1, -3, ""),
        (-100, -201, "2 * a - b - 1 == 0"),
        (13, 25, "2 * a - b - 1 == 0"),
        (0, -1, "2 * a - b - 1 == 0"),
        (12, 24, ""),
    ];
    let samples = points.map(|(a, b, t)| (Value::Int(a), Value::Int(b), t));
    follow_two(["int", "int"], Family::Linear, &samples);
}

#[test]
fn members() {
    let i = Value::Int;
    follow_two(
        ["int[]", "int"],
        Family::Member,
        &[
            (ints(&[1, 13, 7]), i(1), "b in a[]"),
            (ints(&[12, 9, 11]), i(9), "b in a[]"),
            (ints(&[43, -93, -1]), i(-93), "b in a[]"),
            (ints(&[-2, 12]), i(0), ""),
            (ints(&[13, 11, 43, 1]), i(13), ""),
        ],
    );
    follow_two(
        ["String[]", "String"],
        Family::Member,
        &[
            (
                texts(&["hi", "bye", "", "q"]),
                Value::text("bye"),
                "b in a[]",
            ),
            (texts(&["", "no"]), Value::text(""), "b in a[]"),
            (texts(&["one"]), Value::text("nope"), ""),
        ],
    );
}

#[test]
fn elements_against_a_value() {
    let i = Value::Int;
    follow_two(
        ["int[]", "int"],
        Family::ElementsCompare,
        &[
            (ints(&[3, 3, 3, 3]), i(3), "a[] elements == b"),
            (ints(&[-4, -4, -4]), i(-4), "a[] elements == b"),
            (ints(&[5]), i(5), "a[] elements == b"),
            (ints(&[-3, -1, -3]), i(-3), "a[] elements >= b"),
            (ints(&[-4, -1]), i(-3), ""),
        ],
    );
}

#[test]
fn elementwise() {
    follow_two(
        ["int[]", "int[]"],
        Family::Pairwise,
        &[
            (
                ints(&[1, 2, 3]),
                ints(&[1, 2, 4]),
                "a[] <= b[] (elementwise)",
            ),
            (
                ints(&[10, -1, 6]),
                ints(&[10, -1, 6]),
                "a[] <= b[] (elementwise)",
            ),
            (ints(&[-3, 7, -9]), ints(&[-3, 6, -9]), ""),
        ],
    );
    // What differs in length has no pairs.
    follow_two(
        ["int[]", "int[]"],
        Family::Pairwise,
        &[
            (ints(&[1]), ints(&[2]), "a[] < b[] (elementwise)"),
            (ints(&[1]), ints(&[2, 3]), ""),
        ],
    );
}

#[test]
fn reverse() {
    let text = "a[] is the reverse of b[]";
    follow_two(
        ["int[]", "int[]"],
        Family::Reverse,
        &[
            (ints(&[1, 5, -9]), ints(&[-9, 5, 1]), text),
            (ints(&[3]), ints(&[3]), text),
            (ints(&[17, 18]), ints(&[17, 18]), ""),
        ],
    );
}

/// What one sample is enough for, and what six and twelve are needed for.
#[test]
fn samples_that_are_needed() {
    let point = point(&["x: int", "y: int", "r: Object"]);
    let mut learner = learner(&point);
    for i in 0..12i64 {
        learner.see(
            &[
                Value::Int(i * i),
                Value::Int(i * i + 1 + i % 3),
                Value::Int(100 + i),
            ],
            1,
        );
        let told = crate::support::told(&learner);
        assert_eq!(told.contains(&"x < y".to_owned()), i >= 6, "{i}: {told:?}");
        assert_eq!(
            told.contains(&"r != null".to_owned()),
            i >= 11,
            "{i}: {told:?}"
        );
    }
    assert!(!holding(&learner).iter().any(|t| t.contains("x == y")));
}
