//! What all generated tests of a class break: what one breaks weighs less the more others break it, too.

use crate::believed::Believed;
use crate::breach::{Breach, Brief, Broken, OfLesson, broken};
use crate::chance::{Chances, credibility};
use crate::learn::{Lesson, Lessons, learn};
use crate::options::{Moment, Options, Step, Teacher};
use evidence::{Called, Calls};
use invariants::Family;
use rustc_hash::FxHashMap;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// How probable it may be that any one of the constraints of a class is chance, where it is told unasked.
const CHANCE: f64 = 0.01;

/// In which part of the calls of generated tests a constraint may be broken that is told unasked: what many break is no exception.
const SHARE: f64 = 0.1;

/// What the weight of a violation is the product of, each in [0, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factors {
    /// How credible it is that the constraint is no chance.
    pub credible: f64,
    /// How few of the calls break it that could.
    pub rare: f64,
    /// Whether it is about what a call did with what is usual, or about what it was given.
    pub done: f64,
    /// How much what had run is what hand-written tests run.
    pub similar: f64,
}

impl Factors {
    /// How much a violation tells.
    pub(crate) fn product(&self) -> f64 {
        self.credible * self.rare * self.done * self.similar
    }
}

/// Which of these are asked for.
#[derive(Clone, Copy)]
struct Weighing {
    is_credible: bool,
    is_rare: bool,
    is_own: bool,
    is_similar: bool,
}

impl Weighing {
    fn new(options: &Options) -> Weighing {
        Weighing {
            is_credible: options.has(Step::Credible),
            is_rare: options.has(Step::Rare),
            is_own: options.has(Step::Own),
            is_similar: options.has(Step::Similar),
        }
    }
}

/// What is so of a constraint wherever it is broken.
#[derive(Clone, Debug)]
pub struct Repute {
    /// How probable it is that a right test breaks a constraint like it, in (0, 1), as left-out tests say; none where that was
    /// not asked.
    pub hazard: Option<f64>,
    /// How often generated tests break the constraint.
    pub times: u32,
    /// In how many of their calls it could be asked.
    pub judged: u32,
    /// See [`Factors::credible`].
    credible: f64,
    /// The same as left-out tests have it.
    by_left_out: Option<f64>,
    /// True if it is hardly chance, and about what a call gave.
    may_be_told: bool,
    pub(crate) moment: Moment,
    /// How many values it is about.
    pub(crate) terms: usize,
}

impl Repute {
    /// Of a constraint that nobody was asked about.
    fn of(believed: &Believed, lessons: &Lessons, tried: u64) -> Repute {
        let luck = believed.luck;
        let chances = lessons.chances.as_ref();
        let hazard = chances.map(|c| c.hazard(luck.sort, luck.witnesses));
        Repute {
            hazard,
            times: 0,
            judged: 0,
            credible: believed.credible,
            by_left_out: hazard.map(credibility),
            may_be_told: may_be_told(believed, tried),
            moment: believed.moment,
            terms: believed.constraint.terms.len(),
        }
    }

    /// The share of calls that keep the constraint, one of each kind added: few calls say little.
    fn rare(&self) -> f64 {
        let (times, judged) = (f64::from(self.times), f64::from(self.judged));
        ((judged - times).max(0.0) + 1.0) / (judged + 2.0)
    }

    /// See [`Violation::uniqueness`].
    fn uniqueness(&self) -> f64 {
        1.0 / f64::from(self.times.max(1))
    }

    /// True if breaking it is worth a warning: what a call gave contradicts what was hardly chance, and what many calls break is no
    /// exception.
    fn is_telling(&self) -> bool {
        let most = (SHARE * f64::from(self.judged)).max(1.0);
        self.may_be_told && f64::from(self.times) <= most
    }
}

/// A breach among those of all generated tests of a class.
#[derive(Clone, Copy, Debug)]
pub struct Violation<'e> {
    breach: &'e Breach,
    /// The test, in the list of generated ones.
    pub test: usize,
    repute: &'e Repute,
}

impl Deref for Violation<'_> {
    type Target = Breach;

    fn deref(&self) -> &Breach {
        self.breach
    }
}

impl Violation<'_> {
    /// What is so of the constraint wherever it is broken.
    pub fn repute(&self) -> &Repute {
        self.repute
    }

    /// True if it is hardly chance: worth telling who did not ask.
    pub fn is_sure(&self) -> bool {
        self.is_kept && self.repute.is_telling()
    }

    /// How much it tells: 1 if nothing else breaks the constraint.
    pub fn uniqueness(&self) -> f64 {
        self.repute.uniqueness()
    }

    /// What its weight is made of; 1 for what is not asked.
    pub fn factors(&self, options: &Options) -> Factors {
        let asked = Weighing::new(options);
        let own = |is_asked, factor| if is_asked { factor } else { 1.0 };
        Factors {
            credible: own(asked.is_credible, self.repute.credible),
            rare: own(asked.is_rare, self.repute.rare()),
            done: own(asked.is_own, self.done),
            similar: own(asked.is_similar, self.similar),
        }
    }
}

/// What violations of a constraint weigh, without what is of one of them alone.
#[derive(Clone, Copy)]
struct OfConstraint {
    weight: f64,
    by_left_out: f64,
    unique: f64,
    plain: (bool, usize),
}

impl OfConstraint {
    fn of(repute: &Repute, asked: Weighing) -> OfConstraint {
        let own = |is_asked, factor| if is_asked { factor } else { 1.0 };
        let rare = own(asked.is_rare, repute.rare());
        let credible = own(asked.is_credible, repute.credible);
        OfConstraint {
            weight: credible * rare,
            by_left_out: repute.by_left_out.unwrap_or(credible) * rare,
            unique: repute.uniqueness(),
            plain: (repute.moment == Moment::Entry, repute.terms),
        }
    }
}

/// What violations of the constraints of a class weigh.
pub(crate) struct Weights<'e> {
    examined: &'e Examined,
    asked: Weighing,
    /// By lesson and constraint, where many are asked for.
    standings: Option<Vec<Box<[OfConstraint]>>>,
}

/// What a violation weighs before the way to an assertion is counted.
pub(crate) struct Own {
    pub(crate) weight: f64,
    pub(crate) by_left_out: f64,
    pub(crate) unique: f64,
    /// Of equals first what a call gave, and what says it with the fewest values.
    pub(crate) plain: (bool, usize),
}

impl<'e> Weights<'e> {
    /// For a few violations.
    pub(crate) fn of_few(examined: &'e Examined, options: &Options) -> Weights<'e> {
        Weights {
            examined,
            asked: Weighing::new(options),
            standings: None,
        }
    }

    /// For all of them.
    pub(crate) fn of_all(examined: &'e Examined, options: &Options) -> Weights<'e> {
        let few = Weights::of_few(examined, options);
        let of = |r: &Repute| OfConstraint::of(r, few.asked);
        let of_lesson = |all: &Arc<[Repute]>| all.iter().map(of).collect();
        Weights {
            standings: Some(examined.repute.iter().map(of_lesson).collect()),
            ..few
        }
    }

    fn standing(&self, (lesson, constraint): (u32, u32)) -> OfConstraint {
        let (lesson, constraint) = (lesson as usize, constraint as usize);
        match &self.standings {
            Some(known) => known[lesson][constraint],
            None => OfConstraint::of(&self.examined.repute[lesson][constraint], self.asked),
        }
    }

    /// How much a violation tells, past the paper, in [0, 1): much if the constraint is credible, if few of the calls break it that
    /// could, if what had run is what hand-written tests run, and if it is about what a call did with what is usual. What a call is
    /// given is up to its test: that it is unusual says little, and nor does an unusual result of it (Pacheco and Ernst's Eclat
    /// tells faults from wrong use by the same). And the same with what left-out tests say of how credible the constraint is, where
    /// they were asked; and how unique it is in the paper's way.
    pub(crate) fn of(&self, brief: &Brief) -> Own {
        let standing = self.standing(brief.number);
        let own = |is_asked, factor| if is_asked { factor } else { 1.0 };
        let done = own(self.asked.is_own, brief.done);
        let similar = own(self.asked.is_similar, brief.similar);
        Own {
            weight: standing.weight * done * similar,
            by_left_out: standing.by_left_out * done * similar,
            unique: standing.unique,
            plain: standing.plain,
        }
    }
}

/// What was learnt at a point.
#[derive(Clone, Debug)]
pub struct Learnt {
    /// Of which method.
    pub method: Called,
    /// When.
    pub moment: Moment,
    /// How many samples there were.
    pub samples: u64,
    /// What is believed of it.
    pub believed: Arc<[Arc<Believed>]>,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Examined {
    /// By method, entry first.
    pub learnt: Arc<[Learnt]>,
    /// About how many constraints were tried: each variable of a point with each other.
    pub tried: u64,
    /// What left-out tests said.
    chances: Option<Chances>,
    /// By test.
    broken: Vec<Broken>,
    /// Where the violations of each test begin; at the end how many there are.
    firsts: Vec<usize>,
    /// By lesson and constraint.
    repute: Vec<Arc<[Repute]>>,
}

impl Examined {
    fn of(lessons: &Lessons) -> Examined {
        let learnt = lessons.all.iter().map(|lesson| Learnt {
            method: lesson.method.clone(),
            moment: lesson.moment,
            samples: lesson.samples,
            believed: Arc::clone(&lesson.believed),
        });
        let tried = lessons.tried();
        let repute = |lesson: &Lesson| {
            let all = lesson.believed.iter();
            all.map(|b| Repute::of(b, lessons, tried)).collect()
        };
        Examined {
            learnt: learnt.collect(),
            tried,
            chances: lessons.chances.clone(),
            broken: Vec::new(),
            firsts: vec![0],
            repute: lessons.all.iter().map(repute).collect(),
        }
    }

    /// True if of each constraint of these lessons the same is so: they believe the same, kept from before, as firmly.
    fn is_of(&self, lessons: &Lessons) -> bool {
        let mut both = self.learnt.iter().zip(&lessons.all);
        let are_same = both.all(|(own, lesson)| Arc::ptr_eq(&own.believed, &lesson.believed));
        let is_as_firm = self.chances == lessons.chances && self.tried == lessons.tried();
        are_same && self.learnt.len() == lessons.all.len() && is_as_firm
    }

    /// How many violations there are.
    pub fn len(&self) -> usize {
        self.firsts.last().copied().unwrap_or(0)
    }

    /// True if nothing is broken.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A violation by its position.
    pub fn violation(&self, at: usize) -> Option<Violation<'_>> {
        self.violation_of(self.test_of(at)?, at)
    }

    /// A violation of a test by its position among all.
    fn violation_of(&self, test: usize, at: usize) -> Option<Violation<'_>> {
        let first = *self.firsts.get(test)?;
        let own = self.broken.get(test)?.violations();
        let breach = own.get(at.checked_sub(first)?)?;
        let (lesson, constraint) = breach.number;
        Some(Violation {
            breach,
            test,
            repute: &self.repute[lesson as usize][constraint as usize],
        })
    }

    /// What a ranking asks of the violations of a test.
    pub(crate) fn briefs(&self, test: usize) -> &[Brief] {
        self.broken.get(test).map_or(&[], |broken| &broken.briefs)
    }

    /// The test of a violation, by its position among all.
    pub(crate) fn test_of(&self, at: usize) -> Option<usize> {
        let test = self.firsts.partition_point(|first| *first <= at);
        test.checked_sub(1)
    }

    /// Where the violations of a test stand among all.
    pub fn of_test(&self, test: usize) -> Range<usize> {
        let at = |test: usize| self.firsts.get(test).copied().unwrap_or(self.len());
        at(test)..at(test + 1)
    }

    /// All violations: by test, in the order of its calls.
    pub fn violations(&self) -> impl Iterator<Item = Violation<'_>> + Clone {
        let tests = 0..self.broken.len();
        tests.flat_map(move |test| {
            let own = self.of_test(test);
            own.filter_map(move |at| self.violation_of(test, at))
        })
    }

    /// Counts what a test was asked, and what it broke.
    fn count(&mut self, all: &[OfLesson], count: impl Fn(&mut u32, u32)) {
        for (lesson, own) in all {
            let repute = Arc::make_mut(&mut self.repute[*lesson]);
            for (sum, (judged, times)) in repute.iter_mut().zip(own) {
                count(&mut sum.judged, *judged);
                count(&mut sum.times, *times);
            }
        }
    }
}

/// Learns from the hand-written tests' calls of the methods that are wanted, and looks what the generated tests break.
pub fn examine(
    manual: &[Teacher<'_>],
    generated: &[&Calls],
    wants: &(dyn Fn(&Called) -> bool + Sync),
    options: &Options,
) -> Examined {
    let lessons = learn(manual, generated, wants, options, &|| ());
    detect(&lessons, generated, wants, options)
}

/// Looks what the generated tests break of what was learnt.
fn detect(
    lessons: &Lessons,
    generated: &[&Calls],
    wants: &dyn Fn(&Called) -> bool,
    options: &Options,
) -> Examined {
    let of = |calls: &&Calls| broken(lessons, calls, wants, options);
    let all: Vec<Broken> = generated.iter().map(of).collect();
    let all: Vec<&Broken> = all.iter().collect();
    together(lessons, &all, None)
}

/// What all generated tests break together of what was learnt, each at its place in the list. Where what
/// they broke `before` is of the very same that was learnt, only those that came and went are counted.
pub fn together(lessons: &Lessons, tests: &[&Broken], before: Option<&Examined>) -> Examined {
    let of = |broken: &Broken| Arc::as_ptr(&broken.counts).cast::<OfLesson>();
    let is_near = |before: &&Examined| before.broken.len() / 2 <= tests.len();
    let before = before
        .filter(|before| before.is_of(lessons))
        .filter(is_near);
    let mut out = before.map_or_else(|| Examined::of(lessons), Examined::clone);
    // What is there still is counted already.
    let mut gone: FxHashMap<*const OfLesson, Vec<Broken>> = FxHashMap::default();
    for broken in std::mem::take(&mut out.broken) {
        gone.entry(of(&broken)).or_default().push(broken);
    }
    out.firsts = vec![0];
    for broken in tests {
        let known = gone.get_mut(&of(broken)).and_then(Vec::pop);
        if known.is_none() {
            out.count(&broken.counts, |sum, n| *sum += n);
        }
        out.firsts.push(out.len() + broken.violations.len());
        out.broken.push((*broken).clone());
    }
    for broken in gone.values().flatten() {
        out.count(&broken.counts, |sum, n| *sum -= n);
    }
    out
}

/// True if a constraint is hardly chance, and speaks of what a call gave.
fn may_be_told(believed: &Believed, tried: u64) -> bool {
    let is_named = matches!(
        believed.constraint.family,
        Family::Equal
            | Family::Linear
            | Family::Plane
            | Family::NonZero
            | Family::ElementsNonZero
            | Family::Compare
            | Family::ElementsCompare
            | Family::Pairwise
            | Family::Sorted
            | Family::LowerBound
            | Family::UpperBound
            | Family::ElementsLowerBound
            | Family::ElementsUpperBound
    );
    let witnesses = believed.witnesses.min(believed.taught_by.len());
    let luck = believed.luck;
    let any = || luck.by_chance(&believed.constraint, witnesses, tried);
    // Overloads may mean something else after all.
    let is_its_own = believed.overload.is_none() && believed.moment == Moment::Exit;
    is_named && is_its_own && any() <= CHANCE
}
