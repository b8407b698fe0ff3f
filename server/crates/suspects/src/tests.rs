//! The steps, on calls written by hand.

use crate::{Examined, Options, Reached, Strange, examine, rank};
use evidence::{Call, Called, Calls, Profile, Return, Value};

fn double(v: f64) -> Value {
    Value::Double(v.to_bits())
}

fn complex(real: f64, imaginary: f64) -> Value {
    Value::Object {
        class: "own.Complex".into(),
        is_record: false,
        identity: 7,
        fields: vec![
            ("real".into(), double(real)),
            ("imaginary".into(), double(imaginary)),
        ],
    }
}

/// A test that conjugates numbers; `ran` are the places that it had run by then.
fn conjugates(numbers: &[(f64, f64)], ran: u8) -> Calls {
    let call = |&(real, imaginary): &(f64, f64)| Call {
        method: 0,
        from: Some(12),
        before: vec![complex(real, imaginary)],
        end: Some(Return {
            profile: Some(0),
            after: vec![complex(real, imaginary)],
            result: complex(real, -imaginary),
        }),
        is_unstable: false,
    };
    Calls {
        methods: vec![Called {
            class: "own.Complex".into(),
            name: "conjugate".into(),
            descriptor: "()Lown/Complex;".into(),
            parameters: Vec::new(),
        }],
        places: Vec::new(),
        profiles: vec![Profile(vec![("own.Complex".into(), vec![ran])])],
        calls: numbers.iter().map(call).collect(),
    }
}

/// Numbers none of which is real.
fn usual() -> Vec<(f64, f64)> {
    (0..60)
        .map(|i| {
            (
                f64::from(i % 7),
                f64::from(i % 3 + 1) * [1.0, -1.0][i as usize % 2],
            )
        })
        .collect()
}

fn examined(manual: &[Calls], generated: &[Calls], options: &Options) -> Examined {
    let (manual, generated): (Vec<&Calls>, Vec<&Calls>) =
        (manual.iter().collect(), generated.iter().collect());
    examine(&manual, &generated, &|_| true, options)
}

fn said(of: &Examined) -> Vec<(usize, String)> {
    let text = |v: &crate::Violation| (v.test, v.broken.constraint.text.clone());
    of.violations
        .iter()
        .filter(|v| v.is_kept)
        .map(text)
        .collect()
}

#[test]
fn what_no_hand_written_test_saw_is_strange() {
    let manual = [conjugates(&usual(), 0b1111)];
    let generated = [
        conjugates(&[(3.0, 2.0)], 0b1111),
        conjugates(&[(3.0, 0.0)], 0b1111),
    ];
    let found = examined(&manual, &generated, &Options::default());
    let said = said(&found);
    assert!(said.iter().all(|(test, _)| *test == 1), "{said:?}");
    assert!(
        said.contains(&(1, "return.imaginary != 0".to_owned())),
        "{said:?}"
    );
    assert!(
        said.contains(&(1, "this.imaginary != 0".to_owned())),
        "{said:?}"
    );
    let strange = |text: &str| {
        let of = found
            .violations
            .iter()
            .find(|v| v.broken.constraint.text == text);
        of.map(|v| {
            (
                v.strange().to_vec(),
                v.values()
                    .map(|(n, v)| (n.to_owned(), v))
                    .collect::<Vec<_>>(),
                v.broken.taught_by.clone(),
            )
        })
    };
    assert_eq!(
        strange("return.imaginary != 0"),
        Some((
            vec![Strange::Return],
            vec![("return.imaginary".to_owned(), "-0.0".to_owned())],
            vec![(0, 60)]
        ))
    );
    // Said once: the call did not change its receiver.
    let this = said
        .iter()
        .filter(|(_, text)| text == "this.imaginary != 0");
    assert_eq!(this.count(), 1);
    assert_eq!(
        strange("this.imaginary != 0").map(|s| s.0),
        Some(vec![Strange::Entry])
    );
}

#[test]
fn what_runs_other_code_is_no_evidence() {
    let manual = [conjugates(&usual(), 0b1111)];
    let generated = [conjugates(&[(3.0, 0.0)], 0b11_0011)];
    let found = examined(&manual, &generated, &Options::default());
    // 2 of 6 places.
    assert!(found.violations.iter().all(|v| {
        !v.is_kept
            && v.nearest == Some(0)
            && v.similarity.is_some_and(|s| (s - 2.0 / 6.0).abs() < 1e-9)
    }));
    assert!(!found.violations.is_empty());
    let plain = Options {
        similarity: None,
        ..Options::default()
    };
    assert!(!said(&examined(&manual, &generated, &plain)).is_empty());
}

#[test]
fn what_differs_from_run_to_run_neither_teaches_nor_is_judged() {
    let unstable = |mut calls: Calls| {
        calls.calls.iter_mut().for_each(|c| c.is_unstable = true);
        calls
    };
    let (usual, real) = (conjugates(&usual(), 1), conjugates(&[(3.0, 0.0)], 1));
    let found = |manual: &Calls, generated: &Calls| {
        let options = Options::default();
        let one = std::slice::from_ref;
        examined(one(manual), one(generated), &options)
            .violations
            .len()
    };
    assert_eq!(found(&usual, &unstable(real.clone())), 0);
    assert_eq!(found(&unstable(usual.clone()), &real), 0);
    assert_ne!(found(&usual, &real), 0);
}

#[test]
fn a_value_that_is_missing_breaks_nothing() {
    let manual = [conjugates(&usual(), 1)];
    let mut generated = [conjugates(&[(3.0, 2.0)], 1)];
    for call in &mut generated[0].calls {
        let opaque = Value::Opaque {
            class: "own.Complex".into(),
            identity: 3,
        };
        call.before = vec![opaque.clone()];
        call.end = Some(Return {
            profile: Some(0),
            after: vec![opaque.clone()],
            result: opaque,
        });
    }
    assert_eq!(
        said(&examined(&manual, &generated, &Options::default())),
        []
    );
}

#[test]
fn what_is_broken_often_counts_little_and_equals_share_their_rank() {
    let manual = [conjugates(&usual(), 1)];
    let generated = [
        conjugates(&[(3.0, 2.0)], 1),
        conjugates(&[(3.0, 0.0), (4.0, 0.0)], 1),
        conjugates(&[(100.0, -1.0)], 1),
    ];
    let found = examined(&manual, &generated, &Options::default());
    let of = |test: usize| {
        let own = found.violations.iter().enumerate();
        own.filter(move |(_, v)| v.test == test)
            .map(|(i, _)| i)
            .collect::<Vec<_>>()
    };
    assert!(
        found
            .violations
            .iter()
            .all(|v| v.times == if v.test == 1 { 2 } else { 1 })
    );
    let reach = |assertion: usize, violations: Vec<usize>| {
        violations.into_iter().map(move |violation| Reached {
            assertion,
            violation,
        })
    };
    // Two assertions of the strange real numbers, one of the great one, and one that nothing reaches.
    let mut reached: Vec<Reached> = reach(4, of(2)).collect();
    reached.extend(reach(2, of(1)));
    reached.extend(reach(1, of(1)));
    let ranked = rank(&found.violations, &reached);
    #[allow(clippy::cast_precision_loss)]
    let sum = |test: usize| of(test).len() as f64 / if test == 1 { 2.0 } else { 1.0 };
    let mut expected = vec![(1, sum(1)), (2, sum(1)), (4, sum(2))];
    expected.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let got: Vec<(usize, f64)> = ranked.iter().map(|s| (s.assertion, s.score)).collect();
    assert_eq!(got, expected);
    let rank_of = |a: usize| ranked.iter().find(|s| s.assertion == a).map(|s| s.rank);
    assert_eq!(rank_of(1), rank_of(2));
    assert_eq!(ranked.iter().map(|s| s.rank).sum::<f64>(), 6.0);
}

#[test]
fn numbers_of_objects_teach_nothing() {
    let manual = [conjugates(&usual(), 1)];
    let found = examined(&manual, &[], &Options::default());
    let all: Vec<&str> = found
        .learnt
        .iter()
        .flat_map(|l| &l.believed)
        .map(|b| b.constraint.text.as_str())
        .collect();
    assert!(
        all.iter().all(|text| !text.contains("one value")),
        "{all:?}"
    );
    assert!(
        all.contains(&"return.real == this.real") || all.contains(&"this.real == return.real"),
        "{all:?}"
    );
}
