//! What is written as a trace is read as what was recorded.

use super::*;
use crate::write_trace;
use invariants::study::Study;
use invariants::trace::{Declarations, Reader};
use invariants::{PointKind, Value as Flat};
use std::collections::BTreeMap;

/// Each sample as it is read back: its point, its number, its values by name.
fn read(bytes: &[u8]) -> Vec<(String, Option<i64>, BTreeMap<String, Flat>)> {
    let mut declared = Declarations::default();
    let mut reader = Reader::new(bytes);
    let mut out = Vec::new();
    while let Some(sample) = reader.next(&mut declared).expect("a trace") {
        let point = &declared.points()[sample.point];
        let names = point.variables.iter().map(|v| v.name.clone());
        let values = names.zip(sample.values.iter().cloned());
        out.push((point.name.clone(), sample.nonce, values.collect()));
    }
    assert_eq!(reader.cut(), None);
    for point in declared.points() {
        let known = |name: &String| point.variables.iter().any(|v| v.name == *name);
        let mut hangs = point.variables.iter().filter_map(|v| v.enclosing.as_ref());
        assert!(hangs.all(known), "{point:?}");
    }
    out
}

fn written(tests: &[Calls]) -> (u64, Vec<u8>) {
    let tests: Vec<&Calls> = tests.iter().collect();
    let mut out = Vec::new();
    let count = write_trace(&tests, &mut out).expect("written");
    (count, out)
}

#[test]
fn a_trace_holds_what_calls_were_given_and_gave() {
    let mut calls = conjugates(&[(1.5, 2.0), (-0.0, f64::NAN)], 1);
    calls.calls.push(Call {
        is_unstable: true,
        ..calls.calls[0].clone()
    });
    calls.calls.push(Call {
        end: None,
        ..calls.calls[0].clone()
    });
    let (count, bytes) = written(&[calls]);
    assert_eq!(count, 2);
    let all = read(&bytes);
    let places: Vec<(&str, Option<i64>)> = all.iter().map(|s| (s.0.as_str(), s.1)).collect();
    let (enter, exit) = (
        "own.Complex.conjugate():::ENTER",
        "own.Complex.conjugate():::EXIT0",
    );
    assert_eq!(
        places,
        [
            (enter, Some(0)),
            (exit, Some(0)),
            (enter, Some(1)),
            (exit, Some(1))
        ]
    );
    let number = |at: usize, name: &str| match all[at].2.get(name) {
        Some(Flat::Double(v)) => v.to_string(),
        other => format!("{other:?}"),
    };
    assert_eq!(number(0, "this.real"), "1.5");
    assert_eq!(number(1, "return.imaginary"), "-2");
    assert_eq!(number(1, "this.imaginary"), "2");
    assert_eq!(number(2, "this.real"), "-0");
    // What is not a number is missing.
    assert_eq!(number(3, "return.imaginary"), "Some(Missing)");
    // What held before is in the entry's sample, and what we made up in none.
    assert!(
        !all[1]
            .2
            .keys()
            .any(|k| k.contains("orig(") || k.contains("alike("))
    );
}

#[test]
fn what_is_learnt_of_a_trace_is_what_its_calls_say() {
    let numbers: Vec<(f64, f64)> = (1..40).map(|i| (f64::from(i % 5), f64::from(i))).collect();
    let (_, bytes) = written(&[conjugates(&numbers, 1)]);
    let mut declared = Declarations::default();
    let mut study = Study::new(invariants::Options::default());
    let mut reader = Reader::new(&bytes[..]);
    while let Some(sample) = reader.next(&mut declared).expect("a trace") {
        study.declare(declared.points());
        let point = &declared.points()[sample.point];
        study.see(&point.name, sample.nonce, sample.values);
    }
    assert_eq!((study.unmatched(), study.unfinished()), (0, 0));
    let learnt = study.learnt();
    let exit = learnt
        .iter()
        .find(|l| l.kind == PointKind::Exit)
        .expect("an exit");
    assert_eq!(
        (exit.point.as_str(), exit.samples),
        ("own.Complex.conjugate():::EXIT", 39)
    );
    let texts: Vec<&str> = exit.constraints.iter().map(|c| c.text.as_str()).collect();
    assert!(texts.contains(&"this.real == return.real"), "{texts:?}");
    let sum = "this.imaginary + return.imaginary == 0";
    assert!(texts.contains(&sum), "{texts:?}");
}

#[test]
fn objects_of_two_tests_are_not_one() {
    // In each test the first object has the same number.
    let twice = conjugates(&[(1.0, 2.0), (1.0, 2.0)], 1);
    let (_, bytes) = written(&[twice, conjugates(&[(1.0, 2.0)], 1)]);
    let of = |sample: &BTreeMap<String, Flat>, name: &str| match sample.get(name) {
        Some(Flat::Int(number)) => *number,
        other => panic!("{other:?}"),
    };
    let all = read(&bytes);
    let numbers: Vec<i64> = all.iter().map(|s| of(&s.2, "this")).collect();
    assert_eq!(numbers, [1, 1, 1, 1, 2, 2]);
    // What was one object in a call is one.
    assert_eq!(of(&all[5].2, "return"), 2);
}
