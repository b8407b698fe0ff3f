//! What is believed of texts, flags, boxes and orders, and how points of many variables are left out.

use super::{answers, conjugates, double, examined, own, reads, said};
use crate::{Answer, Options, Sort, left_out};
use evidence::{Calls, JavaString, Value};
use invariants::Fate;

/// A point of many variables and samples leaves one part of five out: what left-out tests do is told of a fifth of them.
#[test]
fn a_costly_point_leaves_one_part_out() {
    let asked = |fields: usize| {
        let made = |test: usize, nth: usize| {
            let field = |at: usize| {
                let value = (test * 7 + nth * 3 + at) % 37;
                (format!("f{at:02}").into(), double(value as f64))
            };
            Value::Object {
                class: "own.Wide".into(),
                is_record: false,
                identity: 7,
                fields: (0..fields).map(field).collect(),
            }
        };
        let test = |test: usize| {
            let mut calls = conjugates(&[(0.0, 1.0); 6], 1);
            for (nth, call) in calls.calls.iter_mut().enumerate() {
                call.before = vec![made(test, nth)];
                if let Some(end) = &mut call.end {
                    end.after = vec![made(test, nth)];
                    end.result = Value::Absent;
                }
            }
            calls
        };
        let manual: Vec<Calls> = (0..10).map(test).collect();
        let tallies = left_out(&own(&manual), &|_| true, &Options::default());
        // A test at a point is one observation of each sort that was asked.
        let most =
            tallies
                .into_iter()
                .fold(Vec::new(), |mut all: Vec<(Sort, f64)>, ((sort, _), t)| {
                    match all.iter_mut().find(|(s, _)| *s == sort) {
                        Some(own) => own.1 += t.asked,
                        None => all.push((sort, t.asked)),
                    }
                    all
                });
        most.iter().map(|(_, asked)| *asked).fold(0.0, f64::max)
    };
    // Two moments, ten tests: all are left out once, and of the wide one those of one part.
    assert!((asked(3) - 20.0).abs() < 1e-9, "{}", asked(3));
    assert!((asked(60) - 4.0).abs() < 1e-9, "{}", asked(60));
}

/// Calls of a static method of such parameters, which are given these values and left as they are.
fn given(parameters: &[&str], count: usize, values: impl Fn(usize) -> Vec<Value>) -> Calls {
    let mut calls = conjugates(&vec![(0.0, 1.0); count], 1);
    calls.methods[0].parameters = parameters.iter().map(|p| (*p).into()).collect();
    for (nth, call) in calls.calls.iter_mut().enumerate() {
        call.before = [vec![Value::Absent], values(nth)].concat();
        let end = call.end.as_mut().expect("it returned");
        (end.after, end.result) = (call.before.clone(), Value::Absent);
    }
    calls
}

#[test]
fn where_a_text_stands_in_a_dictionary_is_where_samples_lay_and_of_a_name_nothing() {
    // `open("x17", mode)`: how credible an order between the two is.
    let orders = |mode: fn(&str) -> Value| {
        let test = |test: usize| {
            given(&["path", "mode"], 6, |nth| {
                let path = Value::Text(JavaString::of(&format!("x{}", test * 6 + nth)));
                vec![path, mode(["A", "B", "C"][nth % 3])]
            })
        };
        let manual: Vec<Calls> = (0..3).map(test).collect();
        let found = examined(&manual, &[], &Options::default());
        let mut all = found.learnt.iter().flat_map(|l| l.believed.iter());
        let order = all.find(|b| b.constraint.text == "path > mode");
        order.map(|b| b.credible)
    };
    let of_text = orders(|name| Value::Text(JavaString::of(name)));
    assert!(of_text.is_some_and(|c| c <= 0.1), "{of_text:?}");
    let constant = |name: &str| Value::Enum {
        class: "own.Mode".into(),
        name: name.into(),
    };
    assert_eq!(orders(constant), None);
}

/// `metaphone(text)` gives another text than it was given, as a rule: so does anything.
#[test]
fn that_two_texts_are_not_the_same_is_where_samples_lay() {
    let test = |test: usize| {
        given(&["path", "mode"], 20, |nth| {
            let sides = ["a", "z"].map(|side| format!("{side}{}", test * 20 + nth));
            let sides = sides.map(|side| Value::Text(JavaString::of(&side)));
            match nth % 2 {
                0 => sides.into(),
                _ => sides.into_iter().rev().collect(),
            }
        })
    };
    let manual: Vec<Calls> = (0..10).map(test).collect();
    let found = examined(&manual, &[], &Options::default());
    let mut all = found.learnt.iter().flat_map(|l| l.believed.iter());
    let apart = all.find(|b| b.constraint.text == "path != mode");
    assert!(apart.is_some_and(|b| b.credible <= 0.1), "{apart:?}");
}

/// That two sequences of truth values are the same is no agreement of two flags.
#[test]
fn sequences_of_truth_values_are_no_single_ones() {
    let test = |test: usize| {
        let mut calls = given(&["flags"], 2, |nth| {
            let bits = 2 * test + nth;
            let elements = (0..4).map(|at| Value::Bool(bits >> at & 1 == 1));
            vec![Value::Array {
                class: "boolean[]".into(),
                length: 4,
                elements: elements.collect(),
            }]
        });
        for call in &mut calls.calls {
            let end = call.end.as_mut().expect("it returned");
            end.result = end.after[1].clone();
        }
        calls
    };
    let manual: Vec<Calls> = (0..8).map(test).collect();
    let found = examined(&manual, &[], &Options::default());
    let mut all = found.learnt.iter().flat_map(|l| l.believed.iter());
    let same = all.find(|b| b.constraint.text == "flags[] == return[]");
    assert!(same.is_some_and(|b| b.credible > 0.99), "{same:?}");
}

#[test]
fn what_was_trimmed_is_up_to_its_test() {
    // `m(String)` gives back what it is given, without what `trim()` cuts.
    let gives = |given: &str, back: &str| {
        let mut calls = reads(&[(given, 0)]);
        let end = calls.calls[0].end.as_mut().expect("it returned");
        end.result = Value::Text(JavaString::of(back));
        calls
    };
    let manual: Vec<Calls> = (0..20)
        .map(|n| format!("text {n}"))
        .map(|t| gives(&t, &t))
        .collect();
    let generated = [
        gives("text 8 ", "text 8"),
        gives("text 8", "text"),
        // So does `trim()` cut all below a blank, at the ends.
        gives("text 9\0", "text 9"),
        gives("te\0xt 8", "text 8"),
    ];
    let found = examined(&manual, &generated, &Options::default());
    let related = found
        .violations()
        .filter(|v| v.broken.constraint.text == "input == return");
    let done: Vec<(usize, f64)> = related
        .map(|v| (v.test, v.factors(&Options::default()).done))
        .collect();
    assert_eq!(done, [(0, 0.1), (1, 1.0), (2, 0.1), (3, 1.0)]);
}

/// A box in a result: nothing, or a number.
fn boxed(counts: &[Option<i32>]) -> Calls {
    let mut calls = reads(&counts.iter().map(|_| ("x", 0)).collect::<Vec<_>>());
    for (call, count) in calls.calls.iter_mut().zip(counts) {
        call.end.as_mut().expect("it returned").result = match count {
            Some(count) => Value::Boxed(Box::new(Value::Int(*count))),
            None => Value::Null,
        };
    }
    calls
}

#[test]
fn a_box_that_is_not_there_is_strange() {
    let manual: Vec<Calls> = (0..31).map(|n| boxed(&[Some(n % 5)])).collect();
    let generated = [boxed(&[Some(3)]), boxed(&[None])];
    let found = examined(&manual, &generated, &Options::default());
    assert_eq!(said(&found), [(1, "return != null".to_owned())]);
    // Where hand-written tests saw none, too, it is none.
    let manual: Vec<Calls> = (0..31)
        .map(|n| boxed(&[(n % 7 > 0).then_some(n % 5)]))
        .collect();
    let found = examined(&manual, &generated, &Options::default());
    assert_eq!(said(&found), []);
    // Daikon's format has one variable of a name.
    let mut out = Vec::new();
    crate::write_trace(&manual.iter().collect::<Vec<_>>(), &mut out).expect("it is kept");
    let text = String::from_utf8(out).expect("UTF-8");
    assert_eq!(text.matches("variable return\n").count(), 1, "{text}");
}

#[test]
fn an_order_says_what_is_weaker_from_either_side() {
    let ordered = [conjugates(
        &[
            (1.0, 5.0),
            (2.0, 6.0),
            (3.0, 7.0),
            (1.0, 4.0),
            (2.0, 9.0),
            (0.0, 3.0),
        ]
        .repeat(9),
        1,
    )];
    let by_order = |claim: &str| match &answers(&ordered, claim)[0].answer {
        Answer::Left(by, Fate::Obvious(_)) => by.text.clone(),
        other => format!("{other:?}"),
    };
    for claim in [
        "this.real <= this.imaginary",
        "this.real != this.imaginary",
        "this.imaginary >= this.real",
        "this.imaginary != this.real",
    ] {
        assert_eq!(by_order(claim), "this.real < this.imaginary", "{claim}");
    }
}
