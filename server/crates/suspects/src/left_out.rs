//! How often a test breaks what other tests teach, asked of the hand-written ones: each is left out in turn.
//!
//! A hand-written test that passes is right by assumption. What it breaks of what the others teach was chance, and how often
//! that happens says what a violation of a generated test is worth. It differs from class to class: where every test takes
//! positive numbers, one order between two of them after the other holds, and a test with a negative one breaks them all.
//!
//! A constraint that held before `w` witnesses is broken by the next test with a probability of `s / (m + w)`: what follows if
//! each constraint of a sort has its own probability to hold once more and these are distributed as Beta (the shifted
//! beta-geometric model of Fader and Hardie, "How to project customer retention", Journal of Interactive Marketing 21, 2007).

use crate::distinct::Grouped;
use crate::held::{Held, held_of, see};
use crate::options::{Moment, Options, Teacher};
use crate::samples::{Samples, taught};
use crate::shape::Shape;
use crate::sort::{Sort, Tallies};
use evidence::Called;
use invariants::{Learner, Value, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// Into how many parts the tests that call a method are divided: each part is left out once.
const PARTS: usize = 5;

/// Pairs of variables times samples above which one part alone is left out: each costs as much as learning the point does, and
/// what is asked is how often sorts of constraints break, of which such a point has thousands.
const COSTLY: usize = 1 << 16;

/// Leaves hand-written tests out, and counts what they break of what the others teach of the methods that are wanted.
pub fn left_out(
    manual: &[Teacher<'_>],
    wants: &dyn Fn(&Called) -> bool,
    options: &Options,
) -> Tallies {
    let mut out = Tallies::new();
    for (method, teachers) in &taught(manual, wants, options) {
        for moment in [Moment::Entry, Moment::Exit] {
            let samples = Samples::of(method, moment, teachers);
            let point = Point::new(&samples, options, &|| ());
            point.held(&mut out);
        }
    }
    out
}

/// Calls of one method at one moment, in parts of their tests.
pub(crate) struct Point<'p, 's, 'a> {
    samples: &'p Samples<'s, 'a>,
    options: &'p Options,
    poll: &'p dyn Fn(),
    shape: Shape,
    all: Grouped,
    /// By test, its part.
    part: BTreeMap<usize, usize>,
    parts: usize,
}

impl<'p, 's, 'a> Point<'p, 's, 'a> {
    pub(crate) fn new(
        samples: &'p Samples<'s, 'a>,
        options: &'p Options,
        poll: &'p dyn Fn(),
    ) -> Point<'p, 's, 'a> {
        let tests: BTreeSet<usize> = samples.calls.iter().map(|s| s.test).collect();
        let parts = PARTS.min(tests.len());
        let all = samples.all();
        Point {
            shape: samples.shape(&all, options),
            part: tests.into_iter().zip((0..parts).cycle()).collect(),
            all,
            samples,
            options,
            poll,
            parts,
        }
    }

    /// What held in all calls; what the tests of each part break of what the others teach is counted.
    pub(crate) fn held(self, out: &mut Tallies) -> (Shape, Vec<Held>) {
        let variables = self.shape.about.len();
        let asked = match variables * variables * self.all.samples.len() > COSTLY {
            _ if self.parts < 2 => 0,
            true => 1,
            false => self.parts,
        };
        // Not the same part at each point.
        let first = self.samples.method.name.len() % self.parts.max(1);
        let left: Vec<usize> = (first..first + asked).map(|at| at % self.parts).collect();
        let mut learner = Learner::new(&self.shape.point, self.options.learning.clone());
        self.learn(&mut learner, &|part| !left.contains(&part));
        let learner = self.leave(learner, &left, out);
        let held = self.held_of(&learner, &self.all);
        (self.shape, held)
    }

    /// Asks of each of the parts that a learner has not seen what it breaks of what all others teach. Each half is learnt once for
    /// all parts of the other one: of five parts what 2.6 times learning all costs, and not five times. Gives a learner that has
    /// seen all.
    fn leave(&self, mut learner: Learner, left: &[usize], out: &mut Tallies) -> Learner {
        match left {
            [] => {}
            [part] => {
                let others = self.calls(&|other| other != *part);
                let held = self.held_of(&learner, &others);
                let own = self.calls(&|other| other == *part);
                observe(&held, &self.shape, self.samples, &own, out);
                self.learn(&mut learner, &|other| other == *part);
            }
            _ => {
                let (first, second) = left.split_at(left.len() / 2);
                let mut other = learner.clone();
                self.learn(&mut other, &|part| second.contains(&part));
                self.leave(other, first, out);
                self.learn(&mut learner, &|part| first.contains(&part));
                return self.leave(learner, second, out);
            }
        }
        learner
    }

    fn calls(&self, wants: &dyn Fn(usize) -> bool) -> Grouped {
        self.samples.of_tests(&|test| wants(self.part[&test]))
    }

    fn learn(&self, learner: &mut Learner, wants: &dyn Fn(usize) -> bool) {
        let of = self.calls(wants);
        let rows = self.shape.rows(&self.samples.distinct, of.numbers());
        see(learner, &rows, &of, self.poll);
    }

    fn held_of(&self, learner: &Learner, of: &Grouped) -> Vec<Held> {
        let rows = self.shape.rows(&self.samples.distinct, of.numbers());
        let moment = self.samples.moment;
        held_of(learner, &self.shape, moment, &rows, of, self.poll)
    }
}

/// Counts what calls do of the constraints of one point, test by test.
fn observe(
    all: &[Held],
    shape: &Shape,
    samples: &Samples<'_, '_>,
    own: &Grouped,
    out: &mut Tallies,
) {
    let rows = shape.rows(&samples.distinct, own.numbers());
    let mut by: BTreeMap<(usize, Sort), Vec<(usize, bool)>> = BTreeMap::new();
    for one in all {
        let sort = one.luck.sort;
        let judge = |row: &Vec<Value>| one.constraint.judge(row);
        let verdicts: Vec<Verdict> = rows.iter().map(judge).collect();
        // Broken by any call is broken by the test.
        let mut is_broken: BTreeMap<usize, bool> = BTreeMap::new();
        for (at, test, _) in &own.by_test {
            match verdicts[*at] {
                Verdict::Missing => {}
                Verdict::Holds => *is_broken.entry(*test).or_default() |= false,
                Verdict::Broken => *is_broken.entry(*test).or_default() |= true,
            }
        }
        for (test, is_broken) in is_broken {
            let observed = by.entry((test, sort)).or_default();
            observed.push((one.luck.witnesses, is_broken));
        }
    }
    let by = by.into_iter().map(|((_, sort), all)| (sort, all));
    for (sort, all) in by {
        #[allow(clippy::cast_precision_loss)]
        let each = 1.0 / all.len() as f64;
        for (witnesses, is_broken) in all {
            let tally = out.entry((sort, witnesses)).or_default();
            tally.asked += each;
            tally.broken += if is_broken { each } else { 0.0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::held::held_at;
    use evidence::{Call, Calls, Return, Value as Seen};
    use proptest::prelude::*;

    /// A test that calls `a.C.m(int, double)` with such values.
    fn calls(values: &[(i32, f64)]) -> Calls {
        let call = |&(x, y): &(i32, f64)| {
            let given = vec![
                Seen::Absent,
                Seen::Int(x),
                Seen::Double((y + f64::from(x)).to_bits()),
            ];
            Call {
                method: 0,
                from: None,
                before: given.clone(),
                end: Some(Return {
                    profile: None,
                    after: given,
                    result: Seen::Int(x.max(0)),
                }),
                is_unstable: false,
            }
        };
        Calls {
            methods: vec![Called {
                class: "a.C".into(),
                name: "m".into(),
                descriptor: "(ID)I".into(),
                parameters: vec!["x".into(), "y".into()],
            }],
            places: Vec::new(),
            profiles: Vec::new(),
            calls: values.iter().map(call).collect(),
        }
    }

    /// Each part left out by itself, learnt from nothing.
    fn each(point: &Point<'_, '_, '_>, out: &mut Tallies) {
        for left in 0..point.parts {
            let of = |is_left: bool| point.calls(&|part| (part == left) == is_left);
            let (samples, shape, poll) = (point.samples, &point.shape, || ());
            let held = held_at(
                shape,
                samples.moment,
                &samples.distinct,
                &of(false),
                point.options,
                &poll,
            );
            observe(&held, shape, samples, &of(true), out);
        }
    }

    fn written(all: &Tallies) -> Vec<String> {
        let near = |v: f64| (v * 1e6).round();
        all.iter()
            .map(|(key, t)| format!("{key:?} {} {}", near(t.asked), near(t.broken)))
            .collect()
    }

    proptest! {
        #[test]
        fn by_halves_is_as_one_by_one(tests in prop::collection::vec(prop::collection::vec((-3..9_i32, prop::sample::select(vec![0.0, 0.5, 2.0])), 1..7), 2..9)) {
            let tests: Vec<Calls> = tests.iter().map(|values| calls(values)).collect();
            let teachers: Vec<Teacher<'_>> = tests.iter().map(|calls| Teacher { calls, is_own: true }).collect();
            let options = Options::default();
            for (method, teachers) in &taught(&teachers, &|_| true, &options) {
                for moment in [Moment::Entry, Moment::Exit] {
                    let samples = Samples::of(method, moment, teachers);
                    let (mut one_by_one, mut by_halves) = (Tallies::new(), Tallies::new());
                    let point = Point::new(&samples, &options, &|| ());
                    each(&point, &mut one_by_one);
                    let (_, held) = point.held(&mut by_halves);
                    prop_assert_eq!(written(&by_halves), written(&one_by_one));
                    let (_, plain) = crate::held::held(&samples, &samples.all(), &options, &|| ());
                    let texts = |all: &[Held]| all.iter().map(|h| format!("{h:?}")).collect::<Vec<_>>();
                    prop_assert_eq!(texts(&held), texts(&plain));
                }
            }
        }
    }
}
