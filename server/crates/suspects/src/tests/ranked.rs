//! In which order assertions are looked at.

use super::{conjugates, examined, ranked, usual};
use crate::{Options, Step, by_weight, counting, weight};

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
        let own = found.violations().enumerate();
        own.filter(move |(_, v)| v.test == test)
            .map(|(i, _)| i)
            .collect::<Vec<_>>()
    };
    assert!(
        found
            .violations()
            .all(|v| v.repute().times == if v.test == 1 { 2 } else { 1 })
    );
    let reach = |assertion: usize, violations: Vec<usize>| {
        let all = violations.into_iter();
        all.map(move |violation| (assertion, violation, 1))
    };
    let paper = Options {
        without: vec![Step::Weights],
        ..Options::default()
    };
    // Two assertions of the strange real numbers, one of the great one, and one that nothing reaches.
    let mut reached: Vec<_> = reach(4, of(2)).collect();
    reached.extend(reach(2, of(1)));
    reached.extend(reach(1, of(1)));
    let ranked = ranked(&found, &reached, &paper);
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

/// By the weights one strange value counts once, by the paper's sum all that it breaks.
#[test]
fn what_is_first_in_either_order_is_among_the_first() {
    let manual = [conjugates(&usual(), 0b1111)];
    let generated = [
        conjugates(&[(3.0, 0.0)], 0b1111),
        conjugates(&[(3.0, 0.0)], 0b0111),
    ];
    let found = examined(&manual, &generated, &Options::default());
    let of = |test: usize, assertion: usize, most: usize| {
        let own = found.violations().enumerate();
        let own = own.filter(move |(_, v)| v.test == test).take(most);
        own.map(move |(violation, _)| (assertion, violation, 1))
    };
    // One violation of what is most similar; all of what is less; one of these.
    let reached = of(0, 0, 1).chain(of(1, 1, 9)).chain(of(1, 2, 1));
    let reached: Vec<_> = reached.collect();
    let order = |without: &[Step]| -> Vec<(usize, f64)> {
        let options = Options {
            without: without.to_vec(),
            ..Options::default()
        };
        let all = ranked(&found, &reached, &options);
        all.iter().map(|s| (s.assertion, s.rank)).collect()
    };
    assert_eq!(order(&[Step::Fused]), [(0, 1.0), (1, 2.5), (2, 2.5)]);
    assert_eq!(order(&[Step::Weights]), [(1, 1.0), (0, 2.5), (2, 2.5)]);
    // 1 / 1 + 1 / 2.5 of both, 1 / 2.5 + 1 / 2.5 of the last.
    assert_eq!(order(&[]), [(0, 1.5), (1, 1.5), (2, 3.0)]);
}

/// What is told of one violation is what the ranking adds up.
#[test]
fn an_assertion_that_one_violation_reaches_has_its_weight() {
    let manual = [conjugates(&usual(), 0b1111)];
    let generated = [
        conjugates(&[(3.0, 0.0), (4.0, 0.0)], 0b1111),
        conjugates(&[(3.0, 0.0)], 0b0111),
    ];
    let steps: [&[Step]; 6] = [
        &[],
        &[Step::Weights],
        &[Step::Credible, Step::Rare],
        &[Step::Own],
        &[Step::Similar],
        &[Step::Rare, Step::Own, Step::Similar],
    ];
    for (without, with) in steps
        .into_iter()
        .zip([vec![], vec![Step::Distance]].into_iter().cycle())
    {
        let options = Options {
            without: without.to_vec(),
            with,
            ..Options::default()
        };
        let found = examined(&manual, &generated, &options);
        let reached: Vec<_> = (0..found.len()).map(|v| (v, v, 2)).collect();
        let all = ranked(&found, &reached, &options);
        assert!(all.len() > 4);
        for suspect in all {
            let violation = found.violation(suspect.assertion).expect("its own");
            let own = weight(violation, 2, &options);
            assert!((suspect.score - own).abs() < 1e-12, "{options:?}");
        }
    }
}

/// With the distance a near one is before a far one that weighs as much; without weights all count, with them one of each place.
#[test]
fn what_weighs_most_is_first_of_what_speaks_against_an_assertion() {
    let manual = [conjugates(&usual(), 1)];
    let generated = [conjugates(&[(3.0, 0.0), (4.0, 0.0)], 1)];
    let found = examined(&manual, &generated, &Options::default());
    let count = found.len();
    assert!(count > 2 && count.is_multiple_of(2));
    // What the first call breaks comes from far.
    let far = |violation: usize| if violation < count / 2 { 3 } else { 1 };
    let steps = |violation: usize| far(violation) as usize;
    let reached = (0..count).map(|violation| (0, violation, far(violation)));
    let reached: Vec<_> = reached.collect();
    let order = |options: &Options| {
        let ranked = ranked(&found, &reached, options);
        let order = by_weight(&found, &ranked[0], steps, options);
        let counted = counting(&found, &order, options).len();
        assert_eq!(order.len(), count);
        (order, counted)
    };
    let distance = Options {
        with: vec![Step::Distance],
        ..Options::default()
    };
    let (near, far) = (order(&distance).0, order(&Options::default()).0);
    assert!(near[0] >= count / 2, "{near:?}");
    assert!(far[0] < count / 2, "{far:?}");
    let paper = Options {
        without: vec![Step::Weights],
        ..Options::default()
    };
    assert_eq!(order(&paper).1, count);
    assert_eq!(order(&Options::default()).1, 1);
}

#[test]
fn further_evidence_takes_nothing_away() {
    let manual = [conjugates(&usual(), 0b1111)];
    let generated = [conjugates(&[(3.0, 0.0), (100.0, -1.0), (0.0, 7.0)], 0b1111)];
    let found = examined(&manual, &generated, &Options::default());
    let all: Vec<usize> = (0..found.violations().count()).collect();
    let of = |violations: &[usize]| {
        let reached: Vec<_> = violations.iter().map(|v| (0, *v, 1)).collect();
        let ranked = ranked(&found, &reached, &Options::default());
        ranked
            .first()
            .map(|s| (s.score, s.by_left_out))
            .unwrap_or_default()
    };
    let mut crossed = 0;
    for &a in &all {
        for &b in all.iter().filter(|b| **b != a) {
            let (one, other, both) = (of(&[a]), of(&[b]), of(&[a.min(b), a.max(b)]));
            let least = |f: fn((f64, f64)) -> f64| f(one).max(f(other)) - 1e-12;
            assert!(
                both.0 >= least(|s| s.0) && both.1 >= least(|s| s.1),
                "{one:?} {other:?} {both:?}"
            );
            crossed += usize::from(one.0 > other.0 && one.1 < other.1);
        }
    }
    assert!(
        crossed > 0,
        "what weighs more has less left of it by left-out tests"
    );
}
