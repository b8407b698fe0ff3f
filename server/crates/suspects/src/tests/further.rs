//! The steps that are not taken unless somebody asks for them.

use super::{answers, conjugates, double, examined, own, ranked, reads, said, usual};
use crate::{Answer, Examined, Options, Sort, Step, left_out};
use evidence::{Calls, JavaString, Value};
use invariants::Fate;

fn with(step: Step) -> Options {
    Options {
        with: vec![step],
        ..Options::default()
    }
}

/// The same calls of another method of the class.
fn of_method(name: &str, mut calls: Calls) -> Calls {
    calls.methods[0].name = name.into();
    calls
}

#[test]
fn what_holds_of_objects_is_asked_of_each_method() {
    // One method is called often; of the other nothing can be learnt from a single call.
    let manual = [
        conjugates(&usual(), 1),
        of_method("negate", conjugates(&[(3.0, 2.0)], 1)),
    ];
    let generated = [
        of_method("negate", conjugates(&[(3.0, 2.0)], 1)),
        // It leaves its receiver as no method does.
        of_method("negate", conjugates(&[(3.0, 2.0)], 1)),
    ];
    let mut generated = generated;
    let end = generated[1].calls[0].end.as_mut().expect("it returned");
    let Value::Object { fields, .. } = &mut end.after[0] else {
        panic!("an object");
    };
    fields[1].1 = Value::Double(0f64.to_bits());
    let broken = |options: &Options| {
        let found = examined(&manual, &generated, options);
        assert!(said(&found).iter().all(|(test, _)| *test == 1));
        said(&found)
            .iter()
            .any(|(_, text)| text == "this.imaginary != 0")
    };
    assert!(!broken(&Options::default()));
    assert!(broken(&with(Step::Objects)));
    let found = examined(&manual, &generated, &with(Step::Objects));
    let all = found.violations();
    let of = all.filter(|v| v.broken.constraint.text == "this.imaginary != 0");
    let names: Vec<String> = of.map(|v| v.broken.method.name.to_string()).collect();
    assert_eq!(names, ["negate"], "the method that was called is named");
    // What the method's own calls teach is not said twice.
    let again = examined(
        &manual,
        &[conjugates(&[(3.0, 0.0)], 1)],
        &with(Step::Objects),
    );
    let times = |of: &Examined| {
        said(of)
            .iter()
            .filter(|(_, t)| t == "this.imaginary != 0")
            .count()
    };
    assert_eq!(times(&again), 1);
}

#[test]
fn the_further_a_value_goes_the_less_it_counts() {
    let found = examined(
        &[conjugates(&usual(), 1)],
        &[conjugates(&[(3.0, 0.0)], 1)],
        &Options::default(),
    );
    let ways = [(0, 3), (1, 1), (1, 4)];
    let of = |violation| ways.map(|(assertion, steps)| (assertion, violation, steps));
    let reached: Vec<_> = (0..found.len()).flat_map(of).collect();
    let scores = |options: &Options| {
        let ranked = ranked(&found, &reached, options);
        let of = |a: usize| ranked.iter().find(|s| s.assertion == a).map(|s| s.score);
        [of(0), of(1)].map(|score| score.expect("it is ranked"))
    };
    let [far, near] = scores(&Options::default());
    assert!(far > 0.0 && (far - near).abs() < 1e-12);
    // Of two ways the shorter one counts.
    let [less, same] = scores(&with(Step::Distance));
    assert!((same - near).abs() < 1e-12, "{same} {near}");
    assert!(less < 0.9 * far, "{less} {far}");
}

#[test]
fn each_weight_is_left_out_alone() {
    let manual = [conjugates(&usual(), 0b1111)];
    // Strange in two of three calls, with code that is alike by three parts of four.
    let generated = [
        conjugates(&[(3.0, 0.0), (4.0, 0.0)], 0b0111),
        conjugates(&[(3.0, 1.0)], 0b0111),
    ];
    let found = examined(&manual, &generated, &Options::default());
    let of = |without: &[Step]| {
        let options = Options {
            without: without.to_vec(),
            ..Options::default()
        };
        let all = found.violations();
        all.map(|v| v.factors(&options)).collect::<Vec<_>>()
    };
    let whole = of(&[]);
    assert!(
        whole
            .iter()
            .any(|f| f.credible < 1.0 && f.rare < 1.0 && f.done < 1.0)
    );
    assert!(whole.iter().all(|f| f.similar < 1.0));
    for (step, own) in [
        (Step::Credible, 0),
        (Step::Rare, 1),
        (Step::Own, 2),
        (Step::Similar, 3),
    ] {
        for (before, after) in whole.iter().zip(of(&[step])) {
            let list = |f: &crate::Factors| [f.credible, f.rare, f.done, f.similar];
            let mut expected = list(before);
            expected[own] = 1.0;
            assert_eq!(list(&after), expected);
        }
    }
}

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
        let mut calls = super::reads(&[(given, 0)]);
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
