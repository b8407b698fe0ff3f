//! Steps that are taken only where somebody asks for them, and weights that are left out alone.

use super::{conjugates, examined, ranked, said, usual};
use crate::{Examined, Options, Step};
use evidence::{Calls, Value};

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
