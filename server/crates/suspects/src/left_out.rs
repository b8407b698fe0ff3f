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
use crate::held::{Held, held};
use crate::options::{Moment, Options, Teacher};
use crate::samples::{Samples, taught};
use crate::shape::Shape;
use crate::sort::{Sort, Tallies};
use evidence::Called;
use invariants::{Value, Verdict};
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
            tally(&samples, options, &|| (), &mut out);
        }
    }
    out
}

/// The same of the calls of one method at one moment.
pub(crate) fn tally(
    samples: &Samples<'_, '_>,
    options: &Options,
    poll: &dyn Fn(),
    out: &mut Tallies,
) {
    let tests: BTreeSet<usize> = samples.calls.iter().map(|s| s.test).collect();
    let parts = PARTS.min(tests.len());
    if parts < 2 {
        return;
    }
    let part: BTreeMap<usize, usize> = tests.iter().copied().zip((0..parts).cycle()).collect();
    let all = samples.all();
    let variables = samples.shape(&all, options).about.len();
    let asked = match variables * variables * all.samples.len() > COSTLY {
        true => 1,
        false => parts,
    };
    // Not the same part at each point.
    let first = samples.method.name.len() % parts;
    for left in (first..first + asked).map(|at| at % parts) {
        let others = samples.of_tests(&|test| part[&test] != left);
        let (shape, all) = held(samples, &others, options, poll);
        let own = samples.of_tests(&|test| part[&test] == left);
        observe(&all, &shape, samples, &own, out);
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
        let sort = Sort::of(&one.constraint, one.kinds());
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
            observed.push((one.witnesses, is_broken));
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
