//! What holds of all samples, random ones too.

use crate::support::{learner, point};
use invariants::{Learner, Options, Value, Verdict};
use proptest::prelude::*;

const VARIABLES: &[&str] = &[
    "x: int",
    "y: int",
    "z: int",
    "f: double",
    "g: double",
    "b: boolean",
    "r: Object",
    "s: String",
    "a: int[]",
    "c: int[]",
];

fn sample() -> impl Strategy<Value = Vec<Value>> {
    let int = || prop_oneof![5 => (-3i64..4).prop_map(Value::Int), 1 => any::<i64>().prop_map(Value::Int)];
    let double = || prop_oneof![5 => (-3i32..4).prop_map(|v| Value::Double(f64::from(v) / 2.0)), 1 => any::<f64>().prop_map(Value::Double)];
    let sequence = || proptest::collection::vec(-2i64..3, 0..4).prop_map(|v| Value::Ints(v.into()));
    let parts = (
        (int(), int(), int(), double(), double()),
        (0i64..2).prop_map(Value::Int),
        (0i64..3).prop_map(Value::Int),
        prop_oneof![
            Just(Value::Text(None)),
            "[a-c]{0,2}".prop_map(|t| Value::text(&t))
        ],
        sequence(),
        sequence(),
        proptest::collection::vec(0u8..12, 10),
    );
    parts.prop_map(|((x, y, z, f, g), b, r, s, a, c, missing)| {
        let all = [x, y, z, f, g, b, r, s, a, c];
        let mask = |(v, m): (Value, u8)| if m == 0 { Value::Missing } else { v };
        all.into_iter().zip(missing).map(mask).collect()
    })
}

fn texts(learner: &Learner) -> Vec<(String, u64)> {
    let all = learner.all().into_iter();
    let mut all: Vec<(String, u64)> = all.map(|(c, _)| (c.text, c.samples)).collect();
    all.sort();
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Nothing that is said of the samples is broken by one of them.
    #[test]
    fn constraints_hold_of_what_they_were_learnt_from(samples in proptest::collection::vec(sample(), 1..30)) {
        let point = point(VARIABLES);
        let mut learner = learner(&point);
        samples.iter().for_each(|s| learner.see(s, 1));
        for (constraint, _) in learner.all() {
            let mut held = 0;
            for sample in &samples {
                match constraint.judge(sample) {
                    Verdict::Holds => held += 1,
                    Verdict::Missing => {}
                    Verdict::Broken => prop_assert!(false, "{} is broken by {sample:?}", constraint.text),
                }
            }
            prop_assert!(held > 0, "{} was never seen to hold", constraint.text);
        }
    }

    /// What is said does not hang on the order of the samples, where numbers are whole.
    #[test]
    fn order_does_not_matter(samples in proptest::collection::vec(sample(), 1..20)) {
        let point = point(VARIABLES);
        let whole = |s: &Vec<Value>| {
            let mut s = s.clone();
            s[3] = Value::Missing;
            s[4] = Value::Missing;
            s
        };
        let (mut forth, mut back) = (learner(&point), learner(&point));
        samples.iter().for_each(|s| forth.see(&whole(s), 1));
        samples.iter().rev().for_each(|s| back.see(&whole(s), 1));
        prop_assert_eq!(texts(&forth), texts(&back));
    }

    /// Numbers that are equal for a while, or hang on two others, are told the same of whenever they part.
    #[test]
    fn when_equals_part_does_not_matter(
        numbers in proptest::collection::vec((-9i64..10, -9i64..10), 12..40),
        parts in proptest::collection::vec((0usize..4, 0usize..40, -1i64..2, 0usize..40), 5),
        first in 0usize..40,
    ) {
        let names: Vec<String> = (0..7).map(|i| format!("v{i}: int")).collect();
        let point = point(&names.iter().map(String::as_str).collect::<Vec<_>>());
        let row = |(at, &(x, y)): (usize, &(i64, i64))| {
            let of = |&(form, other, by, missing): &(usize, usize, i64, usize)| match form {
                _ if missing == at => Value::Missing,
                0 => Value::Int(x + if other == at { by } else { 0 }),
                1 => Value::Int(x + y + if other <= at { by } else { 0 }),
                2 => Value::Int(2 * x - y),
                _ => Value::Int(if other <= at { y } else { 3 }),
            };
            let own = parts.iter().map(of);
            [Value::Int(x), Value::Int(y)].into_iter().chain(own).collect::<Vec<Value>>()
        };
        let mut rows: Vec<Vec<Value>> = numbers.iter().enumerate().map(row).collect();
        let mut forth = learner(&point);
        rows.iter().for_each(|row| forth.see(row, 1));
        let mut back = learner(&point);
        rows.iter().rev().for_each(|row| back.see(row, 1));
        let first = first % rows.len();
        rows.rotate_left(first);
        let mut turned = learner(&point);
        rows.iter().for_each(|row| turned.see(row, 1));
        prop_assert_eq!(texts(&forth), texts(&back));
        prop_assert_eq!(texts(&forth), texts(&turned));
    }

    /// Three equal samples are one that is seen three times.
    #[test]
    fn times_are_samples(samples in proptest::collection::vec((sample(), 1u64..4), 1..15)) {
        let point = point(VARIABLES);
        let (mut each, mut counted) = (learner(&point), learner(&point));
        for (sample, times) in &samples {
            (0..*times).for_each(|_| each.see(sample, 1));
            counted.see(sample, *times);
        }
        prop_assert_eq!(each.all(), counted.all());
    }
}

/// Memory hangs on the variables, not on the samples: what is watched only gets less once the variables vary.
#[test]
fn what_is_falsified_is_dropped() {
    let names: Vec<String> = (0..40).map(|i| format!("v{i}: int")).collect();
    let point = point(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let mut learner = Learner::new(&point, Options::default());
    let mut state = 1u64;
    let mut most = 0;
    for _ in 0..2_000 {
        let sample: Vec<Value> = (0..40)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                Value::Int((state >> 33).cast_signed() % 100)
            })
            .collect();
        learner.see(&sample, 1);
        most = most.max(learner.watched());
    }
    assert!(most <= 40 * 39 / 2, "{most}");
    // Random numbers are at some time less and at some time greater.
    assert_eq!(learner.watched(), 0);
}
