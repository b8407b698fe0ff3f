//! The steps, on calls written by hand.

mod again;
mod believed;
mod looks;
mod ranked;
mod steps;
mod traced;

use crate::{
    Answer, Asked, Domain, Examined, InTest, Moment, Options, Reached, Sort, Spot, Step, Strange,
    Suspect, Teacher, ask, examine, left_out, rank, seen,
};
use evidence::{Call, Called, Calls, JavaString, Profile, Return, Value};
use invariants::{Family, Fate};
use std::collections::BTreeMap;

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

/// Tests of the class itself.
fn own(all: &[Calls]) -> Vec<Teacher<'_>> {
    let teacher = |calls| Teacher {
        calls,
        is_own: true,
    };
    all.iter().map(teacher).collect()
}

fn examined(manual: &[Calls], generated: &[Calls], options: &Options) -> Examined {
    let manual = own(manual);
    let generated: Vec<&Calls> = generated.iter().collect();
    examine(&manual, &generated, &|_| true, options)
}

fn said(of: &Examined) -> Vec<(usize, String)> {
    let text = |v: crate::Violation<'_>| (v.test, v.broken.constraint.text.clone());
    of.violations().filter(|v| v.is_kept).map(text).collect()
}

/// Ranks assertions that are reached so: assertion, violation among all, steps. What reaches one is of one test.
fn ranked(found: &Examined, reached: &[(usize, usize, u32)], options: &Options) -> Vec<Suspect> {
    let mut by: BTreeMap<usize, Vec<Reached>> = BTreeMap::new();
    for &(assertion, violation, steps) in reached {
        let test = found.test_of(violation).expect("it is there");
        let violation = violation - found.of_test(test).start;
        by.entry(test).or_default().push(Reached {
            assertion: u32::try_from(assertion).expect("few"),
            violation: u32::try_from(violation).expect("few"),
            steps,
        });
    }
    by.values_mut().for_each(|own| own.sort());
    let all = by.iter().map(|(test, reached)| InTest {
        test: *test,
        first: 0,
        reached,
    });
    rank(found, &all.collect::<Vec<_>>(), options)
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
            .violations()
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
            vec![Spot {
                of: Strange::Return,
                field: Some("imaginary".into()),
            }],
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
        Some(vec![Spot {
            of: Strange::Entry,
            field: None,
        }])
    );
}

#[test]
fn what_runs_other_code_is_no_evidence() {
    let manual = [conjugates(&usual(), 0b1111)];
    let generated = [conjugates(&[(3.0, 0.0)], 0b11_0011)];
    let found = examined(&manual, &generated, &Options::default());
    // 2 of 6 places.
    assert!(found.violations().all(|v| {
        !v.is_kept
            && v.nearest == Some(0)
            && v.similarity.is_some_and(|s| (s - 2.0 / 6.0).abs() < 1e-9)
    }));
    assert!(!found.is_empty());
    let plain = Options {
        similarity: None,
        ..Options::default()
    };
    assert!(!said(&examined(&manual, &generated, &plain)).is_empty());
}

#[test]
fn who_taught_is_named_the_most_similar_first() {
    let named = |manual: &[Calls], named: &[usize], nearest: usize| {
        let generated = [conjugates(&[(3.0, 0.0)], 0b111)];
        let found = examined(manual, &generated, &Options::default());
        assert!(!found.is_empty());
        for violation in found.violations() {
            assert_eq!(*violation.taught_by, *named);
            assert_eq!(violation.nearest, Some(nearest));
        }
    };
    // 3 of 3, 3 of 4 and 2 of 3 places, and so on.
    let ran = [0b1, 0b1111, 0b11, 0b111, 0b1111_1111];
    let all: Vec<Calls> = ran.iter().map(|r| conjugates(&usual(), *r)).collect();
    named(&all, &[3, 1, 2], 3);
    // The nearest of two calls with no number: it taught nothing.
    let nothing = conjugates(&[(f64::NAN, f64::NAN)], 0b111);
    named(&[conjugates(&usual(), 0b1), nothing], &[0], 1);
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
        examined(one(manual), one(generated), &options).len()
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
fn numbers_that_were_seen_are_no_set_that_was_meant() {
    // Four tests that give one real part only, and one that gives another.
    let credible = |seen: f64, other: f64| {
        let manual: Vec<Calls> = (1..=4)
            .map(|test| {
                let numbers: Vec<(f64, f64)> =
                    (1..=15).map(|i| (seen, f64::from(i * test))).collect();
                conjugates(&numbers, 1)
            })
            .collect();
        let of = examined(
            &manual,
            &[conjugates(&[(other, 3.0)], 1)],
            &Options::default(),
        );
        let only = of.violations().find(|v| {
            matches!(v.broken.constraint.family, invariants::Family::OneOf)
                && v.broken.constraint.text.contains("real")
        });
        only.map_or(f64::NAN, |v| v.broken.credible)
    };
    assert!(credible(1.0, 2.0) > 0.5);
    assert!(credible(0.1589, 2.0) <= 0.1);
    assert!(credible(14.0, 2.0) <= 0.1);
}

#[test]
fn what_a_left_out_test_breaks_was_chance() {
    let non_zero = |last: &[(f64, f64)]| {
        let mut manual = vec![conjugates(&usual(), 1); 3];
        manual.push(conjugates(last, 1));
        let tallies = left_out(&own(&manual), &|_| true, &Options::default());
        let sort = Sort {
            family: Family::NonZero,
            of: Domain::Fraction,
        };
        let of = tallies.iter().filter(|((own, _), _)| *own == sort);
        of.fold((0.0, 0.0), |(asked, broken), (_, tally)| {
            (asked + tally.asked, broken + tally.broken)
        })
    };
    // Each of the four is asked when the call begins and when it ends.
    assert_eq!(non_zero(&usual()), (8.0, 0.0));
    // Who is taught by the one that saw 0 learns nothing of it.
    assert_eq!(non_zero(&[(3.0, 0.0)]), (2.0, 2.0));
}

#[test]
fn what_tests_break_of_each_other_is_less_credible() {
    // Of each class one constraint is broken: that the imaginary part is not 0. In the second other tests break that the real one
    // is positive.
    let credible = |reals: [f64; 6], options: &Options| {
        let of = |real: &f64| {
            let sign = |b: f64| if b.abs() > 1.5 { 1.0 } else { -1.0 };
            let numbers = usual().into_iter();
            let numbers = numbers.map(|(a, b)| (real * sign(b) * (1.0 + a), b));
            conjugates(&numbers.collect::<Vec<_>>(), 1)
        };
        let manual: Vec<Calls> = reals.iter().map(of).collect();
        let found = examined(&manual, &[conjugates(&[(3.0, 0.0)], 1)], options);
        let of = found.violations();
        let mut of = of.filter(|v| v.broken.constraint.text == "return.imaginary != 0");
        let hazard = of.next().and_then(|v| v.repute().hazard);
        hazard.map(crate::chance::credibility)
    };
    let (steady, loose) = ([1.0; 6], [1.0, 0.0, 2.0, 3.0, 4.0, 5.0]);
    let options = Options::default();
    let (kept, broken) = (credible(steady, &options), credible(loose, &options));
    let (Some(kept), Some(broken)) = (kept, broken) else {
        panic!("left-out tests are asked");
    };
    assert!(kept > 0.5 && broken < kept / 2.0, "{kept} {broken}");
    let without = Options {
        without: vec![Step::LeftOut],
        ..Options::default()
    };
    assert_eq!(credible(steady, &without), None);
}

#[test]
fn numbers_of_objects_teach_nothing() {
    let manual = [conjugates(&usual(), 1)];
    let found = examined(&manual, &[], &Options::default());
    let all: Vec<&str> = found
        .learnt
        .iter()
        .flat_map(|l| l.believed.iter())
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

/// A test that calls a method of two numbers; what it gave comes last.
fn gives(descriptor: &str, calls: &[(f64, f64, f64)], ran: u8) -> Calls {
    let call = |&(a, b, result): &(f64, f64, f64)| Call {
        method: 0,
        from: Some(12),
        before: vec![Value::Absent, double(a), double(b)],
        end: Some(Return {
            profile: Some(0),
            after: vec![Value::Absent, double(a), double(b)],
            result: double(result),
        }),
        is_unstable: false,
    };
    Calls {
        methods: vec![Called {
            class: "own.Maths".into(),
            name: "max".into(),
            descriptor: descriptor.into(),
            parameters: vec!["a".into(), "b".into()],
        }],
        places: Vec::new(),
        profiles: vec![Profile(vec![("own.Maths".into(), vec![ran])])],
        calls: calls.iter().map(call).collect(),
    }
}

fn greatest() -> Vec<(f64, f64, f64)> {
    let pairs = (0..60).map(|i| (f64::from(i * 7 % 23), f64::from(i * 5 % 19)));
    pairs.map(|(a, b)| (a, b, a.max(b))).collect()
}

#[test]
fn overloads_teach_how_a_result_is_related_to_what_was_given() {
    let manual: Vec<Calls> = (0..20)
        .map(|_| gives("(DD)D", &greatest(), 0b0011))
        .collect();
    // Far beyond all values of the other, in code that no hand-written test runs.
    let generated = [
        gives("(FF)F", &[(900.0, 800.0, 900.0)], 0b1100),
        gives("(FF)F", &[(800.0, 900.0, 800.0)], 0b1100),
    ];
    let found = examined(&manual, &generated, &Options::default());
    let said = said(&found);
    assert!(said.contains(&(1, "b <= return".to_owned())), "{said:?}");
    assert!(said.iter().all(|(test, _)| *test == 1), "{said:?}");
    let of: Vec<_> = found.violations().map(|v| v.broken.clone()).collect();
    assert!(of.iter().all(|b| b.method.descriptor == "(FF)F"));
    assert!(
        of.iter()
            .all(|b| b.overload.as_ref().is_some_and(|o| o.descriptor == "(DD)D"))
    );
    assert!(
        found.violations().all(|v| !v.is_sure()),
        "worth a look at most"
    );
    let paper = Options {
        without: vec![Step::Overloads],
        ..Options::default()
    };
    assert!(examined(&manual, &generated, &paper).is_empty());
}

#[test]
fn a_method_that_tests_call_is_not_taught_by_its_overloads() {
    let mut manual = [
        gives("(DD)D", &greatest(), 1),
        gives("(FF)F", &[(1.0, 2.0, 1.0)], 1),
    ];
    let generated = [gives("(FF)F", &[(1.0, 2.0, 1.0)], 1)];
    assert_eq!(
        said(&examined(&manual, &generated, &Options::default())),
        []
    );
    // Nor by one that takes more.
    manual[1].calls.clear();
    for call in &mut manual[0].calls {
        call.before.push(double(0.5));
    }
    assert_eq!(
        said(&examined(&manual, &generated, &Options::default())),
        []
    );
}

/// A real and an imaginary part.
type Number = (f64, f64);

/// A test that asks whether numbers are equal; `equal` says what it was told.
fn compares(pairs: &[(Number, Number)], equal: impl Fn(f64, f64) -> bool) -> Calls {
    let call = |&(a, b): &((f64, f64), (f64, f64))| {
        let both = vec![complex(a.0, a.1), complex(b.0, b.1)];
        Call {
            method: 0,
            from: Some(12),
            before: both.clone(),
            end: Some(Return {
                profile: Some(0),
                after: both,
                result: Value::Bool(equal(a.0, b.0) && equal(a.1, b.1)),
            }),
            is_unstable: false,
        }
    };
    Calls {
        methods: vec![Called {
            class: "own.Complex".into(),
            name: "equals".into(),
            descriptor: "(Ljava/lang/Object;)Z".into(),
            parameters: vec!["other".into()],
        }],
        places: Vec::new(),
        profiles: vec![Profile(vec![("own.Complex".into(), vec![1])])],
        calls: pairs.iter().map(call).collect(),
    }
}

#[test]
fn whether_two_objects_hold_the_same_is_a_value() {
    let bits = |a: f64, b: f64| a.to_bits() == b.to_bits();
    let pair = |i: i32| {
        let a = (f64::from(i % 5), f64::from(i % 7 + 1));
        let b = (
            f64::from(i % 3 * i % 5),
            if i % 2 == 0 { a.1 } else { f64::from(i % 4) },
        );
        (a, if i % 4 == 0 { a } else { b })
    };
    let usual: Vec<_> = (0..40).map(pair).collect();
    let manual = [compares(&usual, bits)];
    let generated = [
        compares(&[((2.0, 3.0), (2.0, 3.0)), ((2.0, 3.0), (2.0, 4.0))], bits),
        compares(&[((2.0, 0.0), (2.0, -0.0))], bits),
        compares(&[((2.0, f64::NAN), (2.0, f64::NAN))], bits),
    ];
    let told = |options: &Options| {
        let all = said(&examined(&manual, &generated, options)).into_iter();
        all.filter(|(_, text)| text.contains("alike"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        told(&Options::default()),
        [(1, "return == alike(this, other)".to_owned())]
    );
    let paper = Options {
        without: vec![Step::Alike],
        ..Options::default()
    };
    assert_eq!(told(&paper), []);
}

#[test]
fn that_objects_are_equal_by_a_key_says_little() {
    let bits = |a: f64, b: f64| a.to_bits() == b.to_bits();
    let usual: Vec<_> = (0..40)
        .map(|i| ((f64::from(i % 5), 1.0), (f64::from(i % 4), 1.0)))
        .collect();
    let manual = [compares(&usual, bits)];
    let done = |pair, equal: fn(f64, f64) -> bool| {
        let found = examined(&manual, &[compares(&[pair], equal)], &Options::default());
        let is_it =
            |v: &crate::Violation<'_>| v.broken.constraint.text == "return == alike(this, other)";
        let violation = found.violations().find(is_it);
        violation.map(|v| v.factors(&Options::default()).done)
    };
    // Equal though the second parts differ, and not equal though all is the same.
    let (by_key, never) = (|_, _| true, |_, _| false);
    assert_eq!(done(((2.0, 1.0), (2.0, 3.0)), by_key), Some(0.1));
    assert_eq!(done(((2.0, 1.0), (2.0, 1.0)), never), Some(1.0));
}

#[test]
fn all_tests_teach_what_the_own_ones_hardly_call() {
    let (few, usual) = (conjugates(&[(1.0, 0.0)], 1), conjugates(&usual(), 1));
    let generated = [conjugates(&[(3.0, 0.0)], 1)];
    let with = |own: &[&Calls], others: &[&Calls], options: &Options| {
        let all = own.iter().map(|calls| (calls, true));
        let all = all.chain(others.iter().map(|calls| (calls, false)));
        let all: Vec<Teacher<'_>> = all
            .map(|(calls, is_own)| Teacher { calls, is_own })
            .collect();
        let found = examine(&all, &[&generated[0]], &|_| true, options);
        let all = said(&found).into_iter();
        all.map(|(_, text)| text)
            .any(|text| text == "return.imaginary != 0")
    };
    let options = Options::default();
    let paper = Options {
        without: vec![Step::Callers],
        ..Options::default()
    };
    let other = conjugates(&[(3.0, 1.0), (1.0, 2.0)], 1);
    assert!(with(&[], &[&usual], &options));
    assert!(with(&[&other], &[&usual], &options));
    assert!(!with(&[&other], &[&usual], &paper));
    // Two of its own tests are left alone with it.
    assert!(!with(&[&few, &few], &[&usual], &options));
}

/// What is answered of a claim, at the entry and at the exit.
fn answers(manual: &[Calls], claim: &str) -> [Asked; 2] {
    let method = &manual[0].methods[0];
    let both = ask(&own(manual), method, claim, &Options::default());
    both.try_into().expect("two moments")
}

#[test]
fn what_is_believed_is_told_with_its_teachers() {
    let manual = [conjugates(&usual()[..20], 1), conjugates(&usual()[20..], 1)];
    // As it is written, in the words of a sentence, and with other blanks.
    for claim in [
        "return.imaginary != 0",
        "result.imaginary != 0",
        " return.imaginary  !=  0 ",
    ] {
        let [entry, exit] = answers(&manual, claim);
        assert!(
            matches!(entry.answer, Answer::NotUnderstood(_)),
            "{entry:?}"
        );
        let Answer::Told(constraint) = &exit.answer else {
            panic!("{claim}: {exit:?}")
        };
        assert_eq!(constraint.text, "return.imaginary != 0");
        assert_eq!(
            (exit.moment, exit.samples, exit.held),
            (Moment::Exit, 60, 60)
        );
        assert_eq!(exit.taught_by, [(0, 20), (1, 40)]);
        assert!(!exit.like.contains(&constraint.text), "{:?}", exit.like);
        assert!(exit.variables.contains(&"this.real".to_owned()));
    }
    // Whichever side comes first.
    let [entry, _] = answers(&manual, "7 > this.real");
    assert!(
        matches!(entry.answer, Answer::NotUnderstood(_)),
        "a value is no variable"
    );
    let turned = [
        "this.imaginary != return.imaginary",
        "return.imaginary != this.imaginary",
    ];
    for claim in turned {
        let [_, exit] = answers(&manual, claim);
        assert!(matches!(exit.answer, Answer::Told(_)), "{claim}: {exit:?}");
    }
}

#[test]
fn what_is_not_believed_says_why() {
    let manual = [conjugates(&usual()[..5], 1), conjugates(&usual()[5..], 1)];
    let [entry, _] = answers(&manual, "this.real < 6");
    let Answer::Broken { by, after } = &entry.answer else {
        panic!("{entry:?}")
    };
    // The seventh number is the first whose real part is 6.
    assert_eq!((by.test, by.call, *after), (1, 1, 6));
    assert_eq!(by.values, [("this.real".to_owned(), "6.0".to_owned())]);
    assert_eq!((entry.held, entry.broken, entry.missing), (52, 8, 0));
    assert!(
        entry.like.contains(&"this.real >= 0.0".to_owned()),
        "{entry:?}"
    );
    let [entry, _] = answers(&manual, "this.real != 2.5");
    assert_eq!(entry.answer, Answer::NotLookedFor);
    assert_eq!(entry.held, 60);

    // A bound that is nearer says it, and what is said of an equal value.
    let left = |claim: &str, moment: usize| match &answers(&manual, claim)[moment].answer {
        Answer::Left(by, Fate::Obvious(said)) => (by.text.clone(), said.clone()),
        other => panic!("{claim}: {other:?}"),
    };
    let least = "this.real >= 0.0".to_owned();
    assert_eq!(left("this.real > -3", 0), (least.clone(), least.clone()));
    assert_eq!(left("this.real >= -1", 0), (least.clone(), least));
    assert_eq!(left("this.real < 100", 0).1, "this.real <= 6.0");
    assert_eq!(left("this.real != 100", 0).1, "this.real <= 6.0");
    assert_eq!(
        left("return.real > -3", 1).1,
        "this.real >= 0.0 and this.real == return.real"
    );

    // Too few samples.
    let few = [conjugates(&[(1.0, 2.0), (3.0, -1.0)], 1)];
    let [entry, _] = answers(&few, "this.imaginary != 0");
    let Answer::Left(constraint, _) = &entry.answer else {
        panic!("{entry:?}")
    };
    assert!(constraint.confidence < 0.99, "{constraint:?}");
    // What was given is judged when the call begins; at the end it says nothing of the call.
    let [entry, exit] = answers(&manual, "this.imaginary == orig(this.imaginary)");
    assert!(matches!(entry.answer, Answer::NotUnderstood(_)));
    assert!(
        matches!(exit.answer, Answer::Told(_) | Answer::Idle(_)),
        "{exit:?}"
    );
    let mut other = manual[0].methods[0].clone();
    other.name = "abs".into();
    assert_eq!(
        ask(&own(&manual), &other, "return > 0", &Options::default()),
        []
    );
}

#[test]
fn the_samples_of_both_sides_are_those_that_taught_and_were_judged() {
    let manual = [conjugates(&usual(), 0b1111)];
    let generated = [
        conjugates(&[(3.0, 2.0)], 0b1111),
        conjugates(&[(3.0, 0.0), (1.0, f64::NAN)], 0b1111),
    ];
    let found = examined(&manual, &generated, &Options::default());
    let is = |v: &crate::Violation<'_>| v.broken.constraint.text == "return.imaginary != 0";
    let violation = found.violations().find(is).expect("it is broken");
    let by: Vec<&Calls> = generated.iter().collect();
    let sides = seen(&own(&manual), &by, &violation.broken, &Options::default());
    assert_eq!(sides.manual.len(), 60);
    assert!(
        sides
            .manual
            .iter()
            .all(|s| s.verdict == invariants::Verdict::Holds)
    );
    let of = |s: &crate::Seen| {
        (
            s.test,
            s.call,
            s.verdict,
            s.values().collect::<Vec<_>>(),
            s.numbers(),
        )
    };
    use invariants::Verdict::{Broken, Holds, Missing};
    let value = |v: &str| vec![v.to_owned()];
    assert_eq!(
        sides.generated.iter().map(of).collect::<Vec<_>>(),
        [
            (0, 0, Holds, value("-2.0"), Some(vec![-2.0])),
            (1, 0, Broken, value("-0.0"), Some(vec![-0.0])),
            (1, 1, Missing, value("missing"), None),
        ]
    );
}

/// Readers made of texts; their position is said to be what it is.
fn reads(texts: &[(&str, i32)]) -> Calls {
    let text = |text: &str| Value::Text(JavaString::of(text));
    let call = |&(input, position): &(&str, i32)| Call {
        method: 0,
        from: Some(12),
        before: vec![Value::Absent, text(input)],
        end: Some(Return {
            profile: Some(0),
            after: vec![
                Value::Object {
                    class: "own.Reader".into(),
                    is_record: false,
                    identity: 7,
                    fields: vec![
                        ("length".into(), Value::Int(input.len() as i32)),
                        ("position".into(), Value::Int(position)),
                    ],
                },
                text(input),
            ],
            result: Value::Absent,
        }),
        is_unstable: false,
    };
    Calls {
        methods: vec![Called {
            class: "own.Reader".into(),
            name: "<init>".into(),
            descriptor: "(Ljava/lang/String;)V".into(),
            parameters: vec!["input".into()],
        }],
        places: Vec::new(),
        profiles: vec![Profile(vec![("own.Reader".into(), vec![1])])],
        calls: texts.iter().map(call).collect(),
    }
}

#[test]
fn what_a_call_made_of_unusual_values_says_little() {
    let long = "a text of some length that is read";
    let manual: Vec<Calls> = (3..34).map(|n| reads(&[(&long[..n], 0)])).collect();
    // Nobody reads an empty text; and one that is usual, which ends up elsewhere.
    let generated = [reads(&[("", 0)]), reads(&[("usual", 5)])];
    let said = |options: &Options| {
        let found = examined(&manual, &generated, options);
        let mut out: Vec<_> = found
            .violations()
            .map(|v| {
                (
                    v.test,
                    v.factors(options).done < 1.0,
                    v.unusual.as_deref().map(str::to_owned),
                )
            })
            .collect();
        out.sort();
        out.dedup();
        out
    };
    let empty = "input = \"\", usual is 3 to 33 characters".to_owned();
    assert_eq!(
        said(&Options::default()),
        [(0, true, Some(empty)), (1, false, None)]
    );
    let without = Options {
        without: vec![Step::Inputs],
        ..Options::default()
    };
    assert_eq!(said(&without), [(0, false, None), (1, false, None)]);
}

#[test]
fn how_long_a_constant_is_called_is_nothing_unusual() {
    let of = |name: &str, position: i32| {
        let mut calls = reads(&[("", position)]);
        let level = Value::Enum {
            class: "own.Level".into(),
            name: name.into(),
        };
        let call = &mut calls.calls[0];
        call.before[1] = level.clone();
        call.end.as_mut().expect("it returned").after[1] = level;
        calls
    };
    let manual: Vec<Calls> = (0..31).map(|n| of(["LOW", "MID"][n % 2], 0)).collect();
    let found = examined(&manual, &[of("HIGHEST", 5)], &Options::default());
    assert!(!found.is_empty());
    let all = found.violations();
    assert!(all.clone().all(|v| v.unusual.is_none()), "{found:#?}");
}
