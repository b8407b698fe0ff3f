//! Learn from hand-written tests, detect in generated ones, filter by what both ran.

use crate::believed::{Believed, Strange};
use crate::chance::credibility;
use crate::flatten::ALIKE;
use crate::learn::{Lesson, Lessons, learn};
use crate::options::{Moment, Options, Step, Teacher};
use crate::samples::{Sampled, by_method};
use crate::words::words;
use evidence::{Called, Calls, Profile};
use invariants::order::Relation;
use invariants::{Family, Rule, Value, Verdict};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::Arc;

/// What a strange value counts that a call was given, or that it made of one, beside one that it made of what is usual.
const UP_TO_ITS_TEST: f64 = 0.1;

/// What it counts if it breaks how a result is related to what was given.
const MAY_BE_MEANT: f64 = 0.5;

/// How probable it may be that any one of the constraints of a class is chance, where it is told unasked.
const CHANCE: f64 = 0.01;

/// In which part of the calls of generated tests a constraint may be broken that is told unasked: what many break is no exception.
const SHARE: f64 = 0.1;

/// How many of the tests that taught a constraint are named to who sees it broken.
const NAMED: usize = 3;

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

/// A call of a generated test broke a constraint: what is to be said of it whatever other tests do.
#[derive(Clone, Debug)]
pub struct Breach {
    /// The call, in its list of calls.
    pub call: usize,
    /// From where in the test it was called, among [`Calls::places`].
    pub from: Option<u32>,
    /// What was broken.
    pub broken: Arc<Believed>,
    /// The lesson, among all, and which of its constraints was broken.
    number: (usize, usize),
    /// What the constraint's terms were here.
    held: Arc<[Value]>,
    /// What had run when the call returned.
    profile: Option<Arc<Profile>>,
    /// The greatest similarity of what had run to what a hand-written test had run when it called the method.
    pub similarity: Option<f64>,
    /// That test, in the list of hand-written ones.
    pub nearest: Option<usize>,
    /// The tests that taught the constraint, the most similar first; three at most.
    pub taught_by: Arc<[usize]>,
    /// True if it is similar enough: what ran is what hand-written tests run, too.
    pub is_kept: bool,
    /// What the call was given was strange already.
    pub is_given_strange: bool,
    /// A value that the call was given beyond what hand-written tests give, in words.
    pub unusual: Option<Arc<str>>,
}

/// A breach among those of all generated tests of a class.
#[derive(Clone, Debug)]
pub struct Violation {
    breach: Arc<Breach>,
    /// The test, in the list of generated ones.
    pub test: usize,
    /// How probable it is that a right test breaks a constraint like it, in (0, 1), as left-out tests say; none where that was
    /// not asked.
    pub hazard: Option<f64>,
    /// How often generated tests break the constraint.
    pub times: u32,
    /// In how many of their calls it could be asked.
    pub judged: u32,
    /// True if it is hardly chance: worth telling who did not ask.
    pub is_sure: bool,
}

impl Deref for Violation {
    type Target = Breach;

    fn deref(&self) -> &Breach {
        &self.breach
    }
}

impl Violation {
    /// How much it tells: 1 if nothing else breaks the constraint.
    pub fn uniqueness(&self) -> f64 {
        1.0 / f64::from(self.times.max(1))
    }

    /// How much it tells, past the paper, in [0, 1): much if the constraint is credible, if few of the calls break it that could,
    /// if what had run is what hand-written tests run, and if it is about what a call did with what is usual. What a call is
    /// given is up to its test: that it is unusual says little, and nor does an unusual result of it (Pacheco and Ernst's Eclat
    /// tells faults from wrong use by the same).
    pub(crate) fn weight(&self, options: &Options) -> f64 {
        let f = self.factors(options);
        f.credible * f.rare * f.done * f.similar
    }

    /// The same with what left-out tests say of how credible the constraint is, where they were asked.
    pub(crate) fn weight_by_left_out(&self, options: &Options) -> f64 {
        let f = self.factors(options);
        self.hazard.map_or(f.credible, credibility) * f.rare * f.done * f.similar
    }

    /// What its weight is made of; 1 for what is not asked.
    pub fn factors(&self, options: &Options) -> Factors {
        let (times, judged) = (f64::from(self.times), f64::from(self.judged));
        let asked = |step, factor| if options.has(step) { factor } else { 1.0 };
        let done = match (self.broken.moment, self.is_given_strange) {
            _ if self.tells_a_key() || self.was_trimmed() => UP_TO_ITS_TEST,
            (Moment::Exit, false) => 1.0,
            // How they are related may hold of what is strange, too.
            (Moment::Exit, true) if self.broken.is_related => MAY_BE_MEANT,
            _ => UP_TO_ITS_TEST,
        };
        // What runs in an overload is other code.
        let similar = match self.broken.overload {
            Some(_) => 1.0,
            None => self.similarity.unwrap_or(0.0).powi(2),
        };
        // The share of calls that keep it, one of each kind added: few calls say little.
        let rare = ((judged - times).max(0.0) + 1.0) / (judged + 2.0);
        Factors {
            credible: asked(Step::Credible, self.broken.credible),
            rare: asked(Step::Rare, rare),
            done: asked(Step::Own, done),
            similar: asked(Step::Similar, similar),
        }
    }
}

impl Breach {
    /// Two objects that do not hold the same were equal: what makes them so is a part of what they hold, a key, and hand-written tests
    /// had nothing else to tell them apart by. That two are not which hold the same is another matter.
    fn tells_a_key(&self) -> bool {
        if !self.broken.is_of_alike
            || !matches!(
                self.broken.constraint.family,
                Family::Compare | Family::Equal
            )
        {
            return false;
        }
        let terms = || self.broken.terms.iter().zip(self.held.iter());
        let is_alike = |name: &str| name.starts_with(ALIKE);
        terms().any(|((name, _), value)| is_alike(name) && *value == Value::Int(0))
            && terms().any(|((name, _), value)| !is_alike(name) && *value == Value::Int(1))
    }

    /// Two texts were equal in all calls of hand-written tests, and differ in white space alone here: much code trims what it is
    /// given, and few tests give it what can be trimmed.
    fn was_trimmed(&self) -> bool {
        let is_equality = matches!(
            self.broken.constraint.rule,
            Rule::Compare(Relation::Equal) | Rule::Lexical(Relation::Equal)
        );
        let solid = |text: &str| text.split_whitespace().collect::<String>();
        match &*self.held {
            [Value::Text(Some(a)), Value::Text(Some(b))] if is_equality => solid(a) == solid(b),
            _ => false,
        }
    }

    /// What the constraint's terms were here: their names, and their values in words.
    pub fn values(&self) -> impl Iterator<Item = (&str, String)> {
        let terms = self.broken.terms.iter().zip(self.held.iter());
        terms.map(|((name, kind), value)| (name.as_str(), words(value, *kind)))
    }

    /// Says how much what had run is what had run when the lesson was taught.
    fn compare(&mut self, lesson: &Lesson, order: &[(f64, &[usize])], options: &Options) {
        self.taught_by = named(&self.broken, order).into();
        let nearest = order.first();
        self.similarity = nearest.map(|(similarity, _)| *similarity);
        self.nearest = nearest.and_then(|(_, tests)| tests.first().copied());
        // What runs is not what its overload runs.
        self.is_kept = match options.similarity {
            Some(least) if !lesson.is_of_overload => self.similarity.is_some_and(|s| s >= least),
            _ => true,
        };
    }

    /// What may be strange.
    pub fn strange(&self) -> &[Strange] {
        &self.broken.strange
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
    pub learnt: Vec<Learnt>,
    /// By test, in the order of its calls.
    pub violations: Vec<Violation>,
    /// About how many constraints were tried: each variable of a point with each other.
    pub tried: u64,
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
    together(lessons, all.iter())
}

/// What one generated test breaks of what was learnt, whatever others do.
#[derive(Clone, Debug, Default)]
pub struct Broken {
    violations: Vec<Arc<Breach>>,
    /// By lesson, for each of its constraints: in how many calls it could be asked, and how many broke it.
    counts: Vec<(usize, Vec<(u32, u32)>)>,
}

impl Broken {
    /// In the order of its calls.
    pub fn violations(&self) -> &[Arc<Breach>] {
        &self.violations
    }
}

/// What was learnt before and what was learnt since: what tests broke need not be looked up again where nothing else was learnt.
pub struct Renewal<'l> {
    before: &'l Lessons,
    now: &'l Lessons,
    options: &'l Options,
}

impl<'l> Renewal<'l> {
    /// None if something is learnt of other methods than before. Both with the same options.
    pub fn new(before: &'l Lessons, now: &'l Lessons, options: &'l Options) -> Option<Renewal<'l>> {
        let mut both = before.all.iter().zip(&now.all);
        let are_same = both.all(|(before, now)| before.is_about_the_same(now));
        (before.all.len() == now.all.len() && are_same).then_some(Renewal {
            before,
            now,
            options,
        })
    }

    /// What a test broke before as it breaks it now, but of the methods of which something else was learnt.
    pub fn of<'b>(&self, broken: &'b Broken) -> Stands<'b> {
        let both = |at: usize| (&self.before.all[at], &self.now.all[at]);
        let is_other = |(at, _): &&(usize, Vec<_>)| {
            let (before, now) = both(*at);
            !Arc::ptr_eq(&before.believed, &now.believed)
        };
        let others = broken.counts.iter().filter(is_other);
        let others: BTreeSet<Called> = others.map(|(at, _)| both(*at).1.method.clone()).collect();
        let mut out = Cow::Borrowed(broken);
        if !others.is_empty() {
            let out = out.to_mut();
            let stands = |lesson: usize| !others.contains(&both(lesson).1.method);
            out.violations.retain(|v| stands(v.number.0));
            out.counts.retain(|(lesson, _)| stands(*lesson));
        }
        // Of what one call breaks of a lesson it is the same.
        let mut orders = FxHashMap::default();
        for at in 0..out.violations.len() {
            let breach = &out.violations[at];
            let lesson = breach.number.0;
            let (before, now) = both(lesson);
            if Arc::ptr_eq(&before.near, &now.near) {
                continue;
            }
            let profile = breach.profile.clone();
            let order = orders
                .entry((lesson, profile.as_ref().map(Arc::as_ptr)))
                .or_insert_with(|| profile.map_or_else(Vec::new, |p| now.near.order(&p)));
            let breach = Arc::make_mut(&mut out.to_mut().violations[at]);
            breach.compare(now, order, self.options);
        }
        Stands {
            broken: out,
            others,
        }
    }
}

/// What a test broke that it breaks still.
pub struct Stands<'b> {
    /// Without what its calls of the others break.
    pub broken: Cow<'b, Broken>,
    /// The methods that it calls of which something else was learnt.
    pub others: BTreeSet<Called>,
}

impl Broken {
    /// With what the calls of other methods break of what was learnt.
    pub fn with(
        &self,
        lessons: &Lessons,
        calls: &Calls,
        others: &BTreeSet<Called>,
        options: &Options,
    ) -> Broken {
        let mut out = broken(lessons, calls, &|m| others.contains(m), options);
        out.violations.extend(self.violations.iter().cloned());
        out.counts.extend(self.counts.iter().cloned());
        // A call is of one method.
        out.violations.sort_by_key(|v| v.call);
        out.counts.sort_by_key(|(lesson, _)| *lesson);
        out
    }
}

/// Looks what one generated test breaks of what was learnt.
pub fn broken(
    lessons: &Lessons,
    calls: &Calls,
    wants: &dyn Fn(&Called) -> bool,
    options: &Options,
) -> Broken {
    let asked = by_method([(0, calls)], wants);
    let mut counts = Vec::new();
    let mut all: Vec<Breach> = Vec::new();
    let mut shared = FxHashMap::default();
    for (at, lesson) in lessons.all.iter().enumerate() {
        if let Some(others) = asked.get(&lesson.method) {
            let own = broken_of(lesson, at, others, options, &mut shared, &mut all);
            counts.push((at, own));
        }
    }
    all.sort_by_key(|v| (v.call, v.broken.moment));
    // What was so already when the call began is said once.
    let mut from = 0;
    let mut is_twin = vec![false; all.len()];
    let mut is_given_strange = Vec::with_capacity(all.len());
    for of_call in all.chunk_by(|a, b| a.call == b.call) {
        let (entries, exits) =
            of_call.split_at(of_call.partition_point(|v| v.broken.moment == Moment::Entry));
        is_given_strange.extend(of_call.iter().map(|_| !entries.is_empty()));
        for (at, exit) in exits.iter().enumerate() {
            is_twin[from + entries.len() + at] = entries.iter().any(|entry| {
                entry.broken.constraint.text == exit.broken.constraint.text
                    && entry.held == exit.held
            });
        }
        from += of_call.len();
    }
    for (violation, is_strange) in all.iter_mut().zip(is_given_strange) {
        violation.is_given_strange |= is_strange;
    }
    let all = all.into_iter().zip(is_twin);
    let all = all.filter(|(_, is_twin)| !is_twin);
    Broken {
        violations: all.map(|(breach, _)| Arc::new(breach)).collect(),
        counts,
    }
}

/// What all generated tests break together, each at its place in the list.
pub fn together<'b>(lessons: &Lessons, tests: impl Iterator<Item = &'b Broken>) -> Examined {
    let learnt = lessons.all.iter().map(|lesson| Learnt {
        method: lesson.method.clone(),
        moment: lesson.moment,
        samples: lesson.samples,
        believed: Arc::clone(&lesson.believed),
    });
    let mut out = Examined {
        tried: lessons.tried(),
        learnt: learnt.collect(),
        violations: Vec::new(),
    };
    let none = |lesson: &Lesson| vec![(0, 0); lesson.believed.len()];
    let mut counts: Vec<Vec<(u32, u32)>> = lessons.all.iter().map(none).collect();
    for (test, broken) in tests.enumerate() {
        for (lesson, own) in &broken.counts {
            for (sum, (judged, times)) in counts[*lesson].iter_mut().zip(own) {
                *sum = (sum.0 + judged, sum.1 + times);
            }
        }
        let own = broken.violations.iter().map(|breach| Violation {
            breach: Arc::clone(breach),
            test,
            hazard: None,
            times: 0,
            judged: 0,
            is_sure: false,
        });
        out.violations.extend(own);
    }
    // What a constraint is, it is wherever it is broken.
    let mut known: FxHashMap<(usize, usize), (Option<f64>, bool)> = FxHashMap::default();
    for violation in &mut out.violations {
        let (lesson, at) = violation.number;
        (violation.judged, violation.times) = counts[lesson][at];
        let (hazard, is_telling) = *known.entry((lesson, at)).or_insert_with(|| {
            let luck = violation.broken.luck;
            let chances = lessons.chances.as_ref();
            let hazard = chances.map(|c| c.hazard(luck.sort, luck.witnesses));
            (hazard, is_telling(violation, out.tried))
        });
        violation.hazard = hazard;
        violation.is_sure = is_telling && violation.is_kept;
    }
    out
}

/// True if breaking a constraint is worth a warning: what a call gave contradicts what was hardly chance.
fn is_telling(violation: &Violation, tried: u64) -> bool {
    let broken = &violation.broken;
    let is_named = matches!(
        broken.constraint.family,
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
    let witnesses = broken.witnesses.min(broken.taught_by.len());
    let any = broken.luck.by_chance(&broken.constraint, witnesses, tried);
    is_named
        && any <= CHANCE
        // Overloads may mean something else after all.
        && broken.overload.is_none()
        && broken.moment == Moment::Exit
        && f64::from(violation.times) <= (SHARE * f64::from(violation.judged)).max(1.0)
}

/// Who taught a constraint, the most similar first; whose profile is not known comes last.
fn named(believed: &Believed, order: &[(f64, &[usize])]) -> Vec<usize> {
    let own = &believed.taught_by;
    let is_own = |test: &usize| own.binary_search_by_key(test, |(own, _)| *own).is_ok();
    let near = order.iter().flat_map(|(_, tests)| tests.iter().copied());
    let all = own.iter().map(|(test, _)| *test);
    let mut out: Vec<usize> = Vec::with_capacity(NAMED);
    for test in near.filter(is_own).chain(all) {
        if out.len() == NAMED {
            break;
        }
        if !out.contains(&test) {
            out.push(test);
        }
    }
    out
}

/// What a test's calls break of a lesson, which stands at this place among all; and for each of its constraints in how many calls it
/// could be asked, and how many broke it.
fn broken_of<'c>(
    lesson: &Lesson,
    place: usize,
    calls: &[Sampled<'c>],
    options: &Options,
    shared: &mut FxHashMap<*const Profile, Arc<Profile>>,
    out: &mut Vec<Breach>,
) -> Vec<(u32, u32)> {
    let mut counts = vec![(0, 0); lesson.believed.len()];
    // Many calls run the same.
    let mut orders = FxHashMap::default();
    for sampled in calls {
        let parameters = &lesson.method.parameters;
        let row = lesson.shape.row(sampled.call, lesson.moment, parameters);
        // Asked for where something is broken.
        let mut unusual: Option<Option<Arc<str>>> = None;
        for (at, believed) in lesson.believed.iter().enumerate() {
            let verdict = believed.constraint.judge(&row);
            counts[at].0 += u32::from(verdict != Verdict::Missing);
            if verdict != Verdict::Broken {
                continue;
            }
            counts[at].1 += 1;
            let profile = sampled.profile;
            let near = || profile.map_or_else(Vec::new, |p| lesson.near.order(p));
            let order: &Vec<(f64, &[usize])> = orders
                .entry(profile.map(std::ptr::from_ref))
                .or_insert_with(near);
            let beyond = || {
                let usual = lesson.usual.as_ref()?;
                Some(usual.beyond(sampled.call, &lesson.method)?.into())
            };
            let unusual = unusual.get_or_insert_with(beyond);
            let sources = believed.constraint.sources.iter();
            let held = sources.map(|s| s.value(&row).unwrap_or(Value::Missing));
            let profile = profile.map(|p| {
                let own = shared.entry(std::ptr::from_ref(p));
                Arc::clone(own.or_insert_with(|| Arc::new(p.clone())))
            });
            let mut breach = Breach {
                call: sampled.at,
                from: sampled.call.from,
                held: held.collect(),
                broken: Arc::clone(believed),
                number: (place, at),
                profile,
                similarity: None,
                nearest: None,
                taught_by: Arc::default(),
                is_kept: true,
                is_given_strange: unusual.is_some(),
                unusual: unusual.clone(),
            };
            breach.compare(lesson, order, options);
            out.push(breach);
        }
    }
    counts
}
