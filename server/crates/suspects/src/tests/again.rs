//! What is not learnt again, and not looked up again, after a test was recorded once more.

use super::{complex, conjugates, usual};
use crate::{Broken, Digest, Heard, Lessons, Options, Renewal, broken, learn_anew, together};
use evidence::{Call, Called, Calls};
use proptest::prelude::*;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The same calls of another method of the class.
fn of_method(name: &str, mut calls: Calls) -> Calls {
    calls.methods[0].name = name.into();
    calls
}

/// The same calls of an overload, which no hand-written test calls.
fn of_overload(mut calls: Calls) -> Calls {
    calls.methods[0].descriptor = "()Lown/Other;".into();
    calls
}

/// What was learnt, to the bit.
fn learnt(of: &Lessons) -> String {
    let all = of.all.iter();
    let all = all.map(|l| (&l.method.name, l.moment, l.samples, &l.believed, &l.near));
    format!("{:?} {:?}", all.collect::<Vec<_>>(), of.chances)
}

/// Lessons of tests, after other lessons; which tests' calls were read for it, and how many steps were taken.
fn learnt_anew(
    manual: &[Calls],
    generated: &[Calls],
    before: &Lessons,
) -> (Lessons, Vec<usize>, usize) {
    let digests = |all: &[Calls]| -> Vec<Digest> {
        let own = all.iter().map(|calls| Digest::of(calls, &|_| true));
        own.collect()
    };
    let (heard, asked) = (digests(manual), digests(generated));
    let is_own = true;
    let heard = heard.iter().map(|digest| Heard { digest, is_own });
    let (heard, asked): (Vec<Heard<'_>>, Vec<&Digest>) = (heard.collect(), asked.iter().collect());
    let (steps, tests) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let poll = || {
        steps.fetch_add(1, Ordering::Relaxed);
    };
    let read = |test: usize, _: &dyn Fn(&Called) -> bool| {
        tests.lock().expect("nobody panics").push(test);
        Some(Cow::Borrowed(&manual[test]))
    };
    let lessons = learn_anew(&heard, &asked, &read, before, &Options::default(), &poll);
    let mut tests = tests.into_inner().expect("nobody panics");
    tests.sort_unstable();
    (lessons, tests, steps.into_inner())
}

#[test]
fn of_a_method_whose_tests_say_the_same_nothing_is_learnt_again() {
    let of = |name: &str| of_method(name, conjugates(&usual(), 1));
    let manual: Vec<Calls> = ["conjugate", "negate"]
        .iter()
        .flat_map(|name| (0..3).map(|_| of(name)))
        .collect();
    let (first, read, whole) = learnt_anew(&manual, &[], &Lessons::default());
    assert_eq!(read, [0, 1, 2, 3, 4, 5]);
    // Recorded again, a test says the same, having run other code.
    let mut again = manual.clone();
    again[5] = of_method("negate", conjugates(&usual(), 0b11));
    let (next, read, steps) = learnt_anew(&again, &[], &first);
    assert!(read.is_empty() && steps == 0, "{read:?} {steps}");
    let (anew, ..) = learnt_anew(&again, &[], &Lessons::default());
    assert_eq!(learnt(&next), learnt(&anew));
    assert_ne!(learnt(&next), learnt(&first));
    // Another recording says what no other did.
    again[5].calls.extend(conjugates(&[(3.0, 0.0)], 1).calls);
    let (last, read, steps) = learnt_anew(&again, &[], &next);
    assert_eq!(read, [3, 4, 5]);
    assert!(steps > 0 && steps * 3 < whole * 2, "{steps} of {whole}");
    let (anew, ..) = learnt_anew(&again, &[], &Lessons::default());
    assert_eq!(learnt(&last), learnt(&anew));
    assert_ne!(learnt(&last), learnt(&next));
    // Who does not teach for a while, and says then what it had said: what was learnt of all is known still.
    let silent = |test: usize| -> Vec<Calls> {
        let mut all = again.clone();
        all[test].calls.clear();
        all
    };
    let (without, ..) = learnt_anew(&silent(4), &[], &last);
    assert_ne!(learnt(&without), learnt(&last));
    let (back, read, steps) = learnt_anew(&again, &[], &without);
    assert!(read.is_empty() && steps == 0, "{read:?} {steps}");
    assert_eq!(learnt(&back), learnt(&last));
}

/// What tests break, each number of it.
fn examined(lessons: &Lessons, tests: &[Broken]) -> String {
    let tests: Vec<&Broken> = tests.iter().collect();
    format!("{:?}", together(lessons, &tests, None))
}

/// What was recorded of a test: which method it calls, with what, and what ran.
type Recorded = (bool, Vec<(u8, u8)>, u8);

/// The calls of two tests in one, in turn.
fn both(a: Calls, b: Calls) -> Calls {
    let (methods, profiles) = (a.methods.len() as u32, a.profiles.len() as u32);
    let later = b.calls.into_iter().map(|mut call| {
        call.method += methods;
        call.from = None;
        let end = call.end.as_mut();
        if let Some(profile) = end.and_then(|end| end.profile.as_mut()) {
            *profile += profiles;
        }
        call
    });
    let mut out = a;
    out.methods.extend(b.methods);
    out.profiles.extend(b.profiles);
    let (first, mut later) = (std::mem::take(&mut out.calls), later);
    for call in first {
        out.calls.push(call);
        out.calls.extend(later.next());
    }
    out.calls.extend(later);
    out
}

fn recorded(most: usize) -> impl Strategy<Value = Recorded> {
    let numbers = prop::collection::vec((0..3u8, 0..3u8), 1..most);
    (any::<bool>(), numbers, 1..4u8)
}

fn calls((negates, numbers, ran): &Recorded) -> Calls {
    let all = numbers.iter();
    let all = all.map(|(real, imaginary)| (f64::from(*real), f64::from(*imaginary)));
    let name = if *negates { "negate" } else { "conjugate" };
    of_method(name, conjugates(&all.collect::<Vec<_>>(), *ran))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_kept_is_what_comes_anew(
        manual in prop::collection::vec(recorded(6), 2..7),
        generated in prop::collection::vec((recorded(3), any::<bool>(), recorded(3)), 1..4),
        edits in prop::collection::vec((any::<prop::sample::Index>(), recorded(6)), 1..4),
    ) {
        let mut manual: Vec<Calls> = manual.iter().map(calls).collect();
        let generated: Vec<Calls> = generated
            .iter()
            .map(|(test, is_overload, other)| match is_overload {
                true => both(of_overload(calls(test)), calls(other)),
                // A method stands once among a test's.
                false if test.0 == other.0 => calls(test),
                false => both(calls(test), calls(other)),
            })
            .collect();
        let options = Options::default();
        let breaks = |lessons: &Lessons, calls: &Calls| broken(lessons, calls, &|_| true, &options);
        let (mut lessons, ..) = learnt_anew(&manual, &generated, &Lessons::default());
        let mut all: Vec<Broken> = generated.iter().map(|c| breaks(&lessons, c)).collect();
        let mut before = together(&lessons, &all.iter().collect::<Vec<_>>(), None);
        for (at, edit) in edits {
            let at = at.index(manual.len());
            manual[at] = calls(&edit);
            let (next, ..) = learnt_anew(&manual, &generated, &lessons);
            let (anew, ..) = learnt_anew(&manual, &generated, &Lessons::default());
            prop_assert_eq!(learnt(&next), learnt(&anew));
            let renewal = Renewal::new(&lessons, &next, &options);
            let one = |(broken, calls): (&Broken, &Calls)| {
                let stands = renewal.as_ref().map(|r| r.of(broken));
                stands.map_or_else(
                    || breaks(&next, calls),
                    |s| s.broken.with(&next, calls, &s.others, &options),
                )
            };
            all = all.iter().zip(&generated).map(one).collect();
            let other: Vec<Broken> = generated.iter().map(|c| breaks(&anew, c)).collect();
            prop_assert_eq!(examined(&next, &all), examined(&anew, &other));
            // What they broke before may be of something else that was learnt.
            before = together(&next, &all.iter().collect::<Vec<_>>(), Some(&before));
            prop_assert_eq!(format!("{before:?}"), examined(&anew, &other));
            lessons = next;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_came_and_went_is_counted_as_if_nothing_had_been(
        generated in prop::collection::vec(recorded(4), 1..8),
        lists in prop::collection::vec(prop::collection::vec(any::<prop::sample::Index>(), 0..8), 1..5),
    ) {
        let negates = of_method("negate", conjugates(&usual(), 1));
        let manual = [conjugates(&usual(), 1), negates.clone(), conjugates(&usual(), 0b11), negates];
        let (lessons, ..) = learnt_anew(&manual, &[], &Lessons::default());
        let all = generated.iter().map(calls);
        let all = all.map(|c| broken(&lessons, &c, &|_| true, &Options::default()));
        let all: Vec<Broken> = all.collect();
        let mut before = together(&lessons, &all.iter().collect::<Vec<_>>(), None);
        for list in lists {
            // One may stand there twice.
            let tests = list.iter().map(|at| at.get(&all));
            let tests: Vec<&Broken> = tests.collect();
            let anew = together(&lessons, &tests, None);
            before = together(&lessons, &tests, Some(&before));
            prop_assert_eq!(format!("{before:?}"), format!("{anew:?}"));
        }
    }
}

#[test]
fn what_a_test_broke_stands_as_long_as_nothing_else_is_learnt() {
    let manual = |ran: u8| vec![conjugates(&usual(), ran), conjugates(&usual(), 0b11)];
    let strange = [conjugates(&[(3.0, 0.0)], 0b11)];
    let (first, ..) = learnt_anew(&manual(0b11), &strange, &Lessons::default());
    let options = Options::default();
    let before = broken(&first, &strange[0], &|_| true, &options);
    let of = |lessons: &Lessons| -> Option<(bool, usize)> {
        let renewal = Renewal::new(&first, lessons, &options)?;
        let stands = renewal.of(&before);
        let is_borrowed = matches!(stands.broken, Cow::Borrowed(_));
        Some((is_borrowed, stands.others.len()))
    };
    let anew = |manual: &[Calls]| learnt_anew(manual, &strange, &first).0;
    assert_eq!(of(&anew(&manual(0b11))), Some((true, 0)));
    // Other code ran: the same is broken, and another test is the nearest.
    assert_eq!(of(&anew(&manual(0b01))), Some((false, 0)));
    let mut other = manual(0b11);
    other[0].calls.truncate(20);
    assert_eq!(of(&anew(&other)), Some((false, 1)));
    let negates = of_method("negate", conjugates(&usual(), 1));
    assert_eq!(of(&anew(&[&manual(0b11)[..], &[negates]].concat())), None);
}

#[test]
fn another_value_anywhere_is_another_recording() {
    let usual = conjugates(&[(0.0, 2.0), (1.0, 3.0)], 1);
    let hash = |calls: &Calls| {
        let digest = Digest::of(calls, &|_| true);
        let mut all = digest.methods().map(|(_, own)| own.values);
        all.next().expect("there is a method")
    };
    let changed = |change: &dyn Fn(&mut Call)| {
        let mut calls = usual.clone();
        change(&mut calls.calls[0]);
        calls
    };
    let other = || complex(0.5, 2.0);
    let all = [
        usual.clone(),
        changed(&|call| call.before[0] = other()),
        changed(&|call| call.end.as_mut().expect("it returned").after[0] = other()),
        changed(&|call| call.end.as_mut().expect("it returned").result = other()),
        changed(&|call| call.before.push(complex(0.0, 2.0))),
        changed(&|call| call.end = None),
        changed(&|call| call.is_unstable = true),
        // Numbers with few bits, in another order.
        conjugates(&[(2.0, 0.0), (1.0, 3.0)], 1),
        conjugates(&[(1.0, 3.0), (0.0, 2.0)], 1),
        conjugates(&[(-0.0, 2.0), (1.0, 3.0)], 1),
    ];
    let hashes: BTreeSet<u64> = all.iter().map(hash).collect();
    // What did not return and what is unstable teach nothing, each.
    assert_eq!(hashes.len(), all.len() - 1);
    let mut ran = usual.clone();
    ran.profiles[0].0[0].1 = vec![9];
    assert_eq!(hash(&ran), hash(&usual));
}

#[test]
fn what_an_overload_taught_is_not_what_the_method_teaches() {
    let own = conjugates(&usual(), 1);
    let generated = [own.clone()];
    let overloads = vec![of_overload(own.clone()); 3];
    let (first, ..) = learnt_anew(&overloads, &generated, &Lessons::default());
    assert!(first.all.iter().any(|l| l.is_of_overload));
    // The tests call the method itself now, with the same values.
    let (next, ..) = learnt_anew(&vec![own; 3], &generated, &first);
    assert!(!next.all.iter().any(|l| l.is_of_overload));
    assert!(next.believed() > first.believed() / 2);
    let is_taught = |l: &crate::learn::Lesson| l.believed.iter().any(|b| b.overload.is_some());
    assert!(!next.all.iter().any(is_taught));
}
