//! What one generated test breaks of what hand-written ones taught, filtered by what both ran.

use crate::believed::{Believed, Spot, say_the_same};
use crate::flatten::ALIKE;
use crate::learn::{Lesson, Lessons};
use crate::options::{Moment, Options};
use crate::samples::{Sampled, by_method};
use crate::words::words;
use evidence::{Called, Calls, Profile};
use invariants::order::Relation;
use invariants::{Family, Look, Rule, Value, Verdict};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a strange value counts that a call was given, or that it made of one, beside one that it made of what is usual.
const UP_TO_ITS_TEST: f64 = 0.1;

/// What it counts if it breaks how a result is related to what was given.
const MAY_BE_MEANT: f64 = 0.5;

/// How many of the tests that taught a constraint are named to who sees it broken.
const NAMED: usize = 3;

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
    pub(crate) number: (u32, u32),
    /// What the constraint's terms were here.
    held: Arc<[Value]>,
    /// How these read.
    looks: SmallVec<[Look; 3]>,
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
    /// See [`crate::Factors::done`].
    pub(crate) done: f64,
    /// See [`crate::Factors::similar`].
    pub(crate) similar: f64,
}

impl Breach {
    /// Whether the constraint is about what a call did with what is usual, or about what it was given.
    fn done(&self) -> f64 {
        match (self.broken.moment, self.is_given_strange) {
            _ if self.tells_a_key() || self.was_trimmed() => UP_TO_ITS_TEST,
            (Moment::Exit, false) => 1.0,
            // How they are related may hold of what is strange, too.
            (Moment::Exit, true) if self.broken.is_related => MAY_BE_MEANT,
            _ => UP_TO_ITS_TEST,
        }
    }

    /// How much what had run is what hand-written tests run.
    fn similar(&self) -> f64 {
        match self.broken.overload {
            // What runs in an overload is other code.
            Some(_) => 1.0,
            None => self.similarity.unwrap_or(0.0).powi(2),
        }
    }

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

    /// Two texts were equal in all calls of hand-written tests, and differ here in white space alone, or in what else `trim()` cuts
    /// at their ends, control characters: much code trims what it is given, and few tests give it what can be trimmed.
    fn was_trimmed(&self) -> bool {
        let is_equality = matches!(
            self.broken.constraint.rule,
            Rule::Compare(Relation::Equal) | Rule::Lexical(Relation::Equal)
        );
        let is_cut = |c: char| c <= ' ';
        let solid = |text: &str| {
            text.trim_matches(is_cut)
                .split_whitespace()
                .collect::<String>()
        };
        match &*self.held {
            [Value::Text(Some(a)), Value::Text(Some(b))] if is_equality => solid(a) == solid(b),
            _ => false,
        }
    }

    /// What the constraint's terms were here: their names, and their values in words.
    pub fn values(&self) -> impl Iterator<Item = (&str, String)> {
        let held = self.held.iter().zip(&self.looks);
        let terms = self.broken.terms.iter().zip(held);
        terms.map(|((name, kind), (value, look))| (name.as_str(), words(value, *kind, *look)))
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
        self.similar = self.similar();
    }

    /// What may be strange.
    pub fn strange(&self) -> &[Spot] {
        &self.broken.strange
    }
}

/// What one generated test breaks of what was learnt, whatever others do. A copy shares it.
#[derive(Clone, Debug, Default)]
pub struct Broken {
    pub(crate) violations: Arc<[Breach]>,
    /// Of each of them what a ranking asks.
    pub(crate) briefs: Arc<[Brief]>,
    pub(crate) counts: Arc<[OfLesson]>,
}

/// What a ranking asks of a breach: there are a hundred thousand of them, and all else that is known of one stands in its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Brief {
    /// The lesson, among all, and which of its constraints was broken.
    pub(crate) number: (u32, u32),
    /// From where in the test the call came: a place more than [`Breach::from`] has it, 0 where that is not known.
    pub(crate) place: u32,
    pub(crate) is_kept: bool,
    /// See [`crate::Factors::done`].
    pub(crate) done: f64,
    /// See [`crate::Factors::similar`].
    pub(crate) similar: f64,
}

impl Brief {
    fn of(breach: &Breach) -> Brief {
        Brief {
            number: breach.number,
            place: breach.from.map_or(0, |from| from.saturating_add(1)),
            is_kept: breach.is_kept,
            done: breach.done,
            similar: breach.similar,
        }
    }
}

/// A lesson, and for each of its constraints in how many calls it could be asked, and how many broke it.
pub(crate) type OfLesson = (usize, Vec<(u32, u32)>);

impl Broken {
    fn new(violations: Arc<[Breach]>, counts: Arc<[OfLesson]>) -> Broken {
        Broken {
            briefs: violations.iter().map(Brief::of).collect(),
            violations,
            counts,
        }
    }

    /// In the order of its calls.
    pub fn violations(&self) -> &[Breach] {
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
        let is_other = |(at, _): &&OfLesson| {
            let (before, now) = both(*at);
            !Arc::ptr_eq(&before.believed, &now.believed)
        };
        let others = broken.counts.iter().filter(is_other);
        let others: BTreeSet<Called> = others.map(|(at, _)| both(*at).1.method.clone()).collect();
        let mut out = Cow::Borrowed(broken);
        if !others.is_empty() {
            let stands = |lesson: usize| !others.contains(&both(lesson).1.method);
            let violations = broken.violations.iter();
            let counts = broken.counts.iter();
            let violations = violations.filter(|v| stands(v.number.0 as usize));
            let counts = counts.filter(|(lesson, _)| stands(*lesson));
            let own = Broken::new(violations.cloned().collect(), counts.cloned().collect());
            out = Cow::Owned(own);
        }
        // Of what one call breaks of a lesson it is the same.
        let mut orders = FxHashMap::default();
        for at in 0..out.violations.len() {
            let breach = &out.violations[at];
            let lesson = breach.number.0 as usize;
            let (before, now) = both(lesson);
            if Arc::ptr_eq(&before.near, &now.near) {
                continue;
            }
            let profile = breach.profile.clone();
            let order = orders
                .entry((lesson, profile.as_ref().map(Arc::as_ptr)))
                .or_insert_with(|| profile.map_or_else(Vec::new, |p| now.near.order(&p)));
            let own = out.to_mut();
            let breach = &mut Arc::make_mut(&mut own.violations)[at];
            breach.compare(now, order, self.options);
            Arc::make_mut(&mut own.briefs)[at] = Brief::of(breach);
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
        let own = broken(lessons, calls, &|m| others.contains(m), options);
        let mut violations = [&*own.violations, &*self.violations].concat();
        // A call is of one method.
        violations.sort_by_key(|v| v.call);
        let mut counts = [&*own.counts, &*self.counts].concat();
        counts.sort_by_key(|(lesson, _)| *lesson);
        Broken::new(violations.into(), counts.into())
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
                say_the_same(entry.broken.said(), exit.broken.said()) && entry.held == exit.held
            });
        }
        from += of_call.len();
    }
    for (violation, is_strange) in all.iter_mut().zip(is_given_strange) {
        violation.is_given_strange |= is_strange;
        violation.done = violation.done();
    }
    let all = all.into_iter().zip(is_twin);
    let all = all.filter(|(_, is_twin)| !is_twin);
    Broken::new(all.map(|(breach, _)| breach).collect(), counts.into())
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
            let verdict = believed.constraint.judge(&row.values);
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
            let (held, looks): (Vec<Value>, _) = sources.map(|s| row.at(*s)).unzip();
            let profile = profile.map(|p| {
                let own = shared.entry(std::ptr::from_ref(p));
                Arc::clone(own.or_insert_with(|| Arc::new(p.clone())))
            });
            let mut breach = Breach {
                call: sampled.at,
                from: sampled.call.from,
                held: held.into(),
                looks,
                broken: Arc::clone(believed),
                number: (place as u32, at as u32),
                profile,
                similarity: None,
                nearest: None,
                taught_by: Arc::default(),
                is_kept: true,
                is_given_strange: unusual.is_some(),
                unusual: unusual.clone(),
                // Known when all is that the call broke.
                done: 1.0,
                similar: 1.0,
            };
            breach.compare(lesson, order, options);
            out.push(breach);
        }
    }
    counts
}
