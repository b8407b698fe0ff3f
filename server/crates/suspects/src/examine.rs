//! Learn from hand-written tests, detect in generated ones, filter by what both ran.

use crate::chance::{credible, is_sure};
use crate::flatten::{About, At, Root, Shape};
use crate::profile::jaccard;
use evidence::{Call, Called, Calls, Profile};
use invariants::term::Source;
use invariants::{Constraint, Fate, Kind, Learner, Rule, Value, Verdict};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How the steps are done.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// How similar what had run must be to what a hand-written test had run, in [0, 1]; none for no filter.
    pub similarity: Option<f64>,
    /// How a constraint is learnt and believed.
    pub learning: invariants::Options,
    /// The steps beyond the paper that are left out.
    pub without: Vec<Step>,
}

/// What is done beyond the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Whether two objects hold the same is a variable, too.
    Alike,
    /// Of a method that the class's own tests hardly call all tests teach that call it.
    Callers,
    /// Of a method that no test calls its overloads teach how what it returns is related to what it is given.
    Overloads,
    /// What one call broke counts once: by how credible the constraint is, and how rarely calls break it.
    Weights,
}

/// A hand-written test.
#[derive(Clone, Copy, Debug)]
pub struct Teacher<'a> {
    /// What it called.
    pub calls: &'a Calls,
    /// It is a test of the class itself.
    pub is_own: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            similarity: Some(0.75),
            learning: invariants::Options::for_checking(),
            without: Vec::new(),
        }
    }
}

impl Options {
    /// True if a step is taken.
    pub(crate) fn has(&self, step: Step) -> bool {
        !self.without.contains(&step)
    }
}

/// What a strange value counts that a call was given, or that it made of one, beside one that it made of what is usual.
const UP_TO_ITS_TEST: f64 = 0.1;

/// What it counts if it breaks how a result is related to what was given.
const MAY_BE_MEANT: f64 = 0.5;

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

/// When in a call something was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// When it began.
    Entry,
    /// When it returned.
    Exit,
}

/// What may be strange where a constraint is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strange {
    /// What was given to the call: the result is strange, too.
    Entry,
    /// What it returned.
    Return,
    /// What its receiver is now.
    Receiver,
    /// What its parameter, from 0, holds now.
    Parameter(usize),
}

/// A constraint that is believed of a method.
#[derive(Clone, Debug)]
pub struct Believed {
    /// Of which method.
    pub method: Called,
    /// When.
    pub moment: Moment,
    /// What it says.
    pub constraint: Constraint,
    /// The overload of which it was seen to hold, if no hand-written test calls the method itself.
    pub overload: Option<Called>,
    /// The hand-written tests in which it was seen to hold, and in how many calls; positions in the list of them.
    pub taught_by: Vec<(usize, u32)>,
    /// How many of the calls in which it held say something for themselves.
    pub witnesses: usize,
    /// How credible it is that it is no chance, in (0, 1).
    pub credible: f64,
    strange: Vec<Strange>,
    /// It is about what was returned and about something else.
    is_related: bool,
    pub(crate) terms: Vec<(String, Kind)>,
}

impl Believed {
    /// True if it speaks of truth values alone.
    pub(crate) fn is_of_truth(&self) -> bool {
        self.terms.iter().all(|(_, kind)| *kind == Kind::Boolean)
    }
}

/// A generated test broke a constraint.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The test, in the list of generated ones.
    pub test: usize,
    /// The call, in its list of calls.
    pub call: usize,
    /// From where in the test it was called, among [`Calls::places`].
    pub from: Option<u32>,
    /// What was broken.
    pub broken: Arc<Believed>,
    /// What the constraint's terms were here.
    held: Vec<Value>,
    /// The greatest similarity of what had run to what a hand-written test had run when it called the method.
    pub similarity: Option<f64>,
    /// That test, in the list of hand-written ones.
    pub nearest: Option<usize>,
    /// True if it is similar enough: what ran is what hand-written tests run, too.
    pub is_kept: bool,
    /// How often generated tests break the constraint.
    pub times: u32,
    /// In how many of their calls it could be asked.
    pub judged: u32,
    /// What the call was given was strange already.
    pub is_given_strange: bool,
    /// True if it is hardly chance: worth telling who did not ask.
    pub is_sure: bool,
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
    pub fn weight(&self) -> f64 {
        let f = self.factors();
        f.credible * f.rare * f.done * f.similar
    }

    /// What its weight is made of.
    pub fn factors(&self) -> Factors {
        let (times, judged) = (f64::from(self.times), f64::from(self.judged));
        Factors {
            credible: self.broken.credible,
            // The share of calls that keep it, one of each kind added: few calls say little.
            rare: ((judged - times).max(0.0) + 1.0) / (judged + 2.0),
            done: match (self.broken.moment, self.is_given_strange) {
                (Moment::Exit, false) => 1.0,
                // How they are related may hold of what is strange, too.
                (Moment::Exit, true) if self.broken.is_related => MAY_BE_MEANT,
                _ => UP_TO_ITS_TEST,
            },
            // What runs in an overload is other code.
            similar: match self.broken.overload {
                Some(_) => 1.0,
                None => self.similarity.unwrap_or(0.0).powi(2),
            },
        }
    }

    /// What the constraint's terms were here: their names, and their values in words.
    pub fn values(&self) -> impl Iterator<Item = (&str, String)> {
        let terms = self.broken.terms.iter().zip(&self.held);
        terms.map(|((name, kind), value)| (name.as_str(), words(value, *kind)))
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
    pub believed: Vec<Arc<Believed>>,
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

/// A call of a method with where it is from.
#[derive(Clone, Copy)]
pub(crate) struct Sampled<'a> {
    pub(crate) test: usize,
    pub(crate) at: usize,
    pub(crate) call: &'a Call,
    profile: Option<&'a Profile>,
}

/// Calls by method. What another run saw otherwise, and what did not return, is left out.
pub(crate) fn by_method<'a>(
    tests: &[&'a Calls],
    wants: &dyn Fn(&Called) -> bool,
) -> BTreeMap<&'a Called, Vec<Sampled<'a>>> {
    let mut out: BTreeMap<&Called, Vec<Sampled<'_>>> = BTreeMap::new();
    for (test, calls) in tests.iter().copied().enumerate() {
        let wanted: Vec<bool> = calls.methods.iter().map(wants).collect();
        for (at, call) in calls.calls.iter().enumerate() {
            let (Some(method), Some(end)) = (calls.methods.get(call.method as usize), &call.end)
            else {
                continue;
            };
            if call.is_unstable || !wanted[call.method as usize] {
                continue;
            }
            let profile = end.profile.and_then(|p| calls.profiles.get(p as usize));
            out.entry(method).or_default().push(Sampled {
                test,
                at,
                call,
                profile,
            });
        }
    }
    out
}

/// How many of a class's own tests must call a method to be left alone with it.
const OWN_TESTS: usize = 2;

/// Who teaches what is usual of each method: the class's own tests, whose calls say what it is for; of a method that these
/// hardly call, all.
pub(crate) fn taught<'a>(
    manual: &[Teacher<'a>],
    wants: &dyn Fn(&Called) -> bool,
    options: &Options,
) -> BTreeMap<&'a Called, Vec<Sampled<'a>>> {
    let calls: Vec<&Calls> = manual.iter().map(|t| t.calls).collect();
    let has_own = manual.iter().any(|t| t.is_own);
    let mut out = by_method(&calls, wants);
    let is_own = |s: &Sampled<'_>| manual[s.test].is_own;
    for teachers in out.values_mut() {
        let own: FxHashSet<usize> = teachers
            .iter()
            .filter(|s| is_own(s))
            .map(|s| s.test)
            .collect();
        let least = match options.has(Step::Callers) {
            true => OWN_TESTS,
            false => 0,
        };
        if has_own && own.len() >= least {
            teachers.retain(is_own);
        }
    }
    out.retain(|_, teachers| !teachers.is_empty());
    out
}

/// What the overloads of a method were seen to do, if no test calls it itself.
fn overloads<'a>(
    method: &Called,
    asked: &[Sampled<'_>],
    taught: &BTreeMap<&'a Called, Vec<Sampled<'a>>>,
) -> Option<(&'a Called, Vec<Sampled<'a>>)> {
    let width = asked.first()?.call.before.len();
    let is_static =
        |s: &Sampled<'_>| matches!(s.call.before.first(), Some(evidence::Value::Absent));
    let is_like = |s: &Sampled<'_>| {
        s.call.before.len() == width && is_static(s) == asked.first().is_some_and(is_static)
    };
    let others = taught.iter().filter(|(other, teachers)| {
        let is_overload = other.class == method.class && other.name == method.name;
        is_overload && other.name != "<init>" && teachers.iter().all(is_like)
    });
    // The one that is called most: two would be asked to agree.
    others
        .max_by_key(|(_, teachers)| teachers.len())
        .map(|(other, teachers)| (*other, teachers.clone()))
}

/// Learns from the hand-written tests' calls of the methods that are wanted, and looks what the generated tests break.
pub fn examine(
    manual: &[Teacher<'_>],
    generated: &[&Calls],
    wants: &dyn Fn(&Called) -> bool,
    options: &Options,
) -> Examined {
    let taught = taught(manual, wants, options);
    let asked = by_method(generated, wants);
    let mut out = Examined::default();
    for (method, others) in &asked {
        if taught.contains_key(method) || !options.has(Step::Overloads) {
            continue;
        }
        let Some((overload, teachers)) = overloads(method, others, &taught) else {
            continue;
        };
        let mut point = Taught::new(method, (At::Exit, Moment::Exit), &teachers, options);
        point.keep_what_is_related(overload);
        // What it runs is not what its overload runs.
        let options = Options {
            similarity: None,
            ..options.clone()
        };
        point.detect(
            others,
            &Nearness::new(&teachers),
            &options,
            &mut out.violations,
        );
        let variables = point.shape.about.len() as u64;
        out.tried += variables * (variables + 1) / 2;
        out.learnt.push(Learnt {
            method: (*method).clone(),
            moment: Moment::Exit,
            samples: teachers.len() as u64,
            believed: point.believed,
        });
    }
    for (method, teachers) in &taught {
        let none = Vec::new();
        let others = asked.get(method).unwrap_or(&none);
        let near = Nearness::new(teachers);
        for (at, moment) in [(At::Entry, Moment::Entry), (At::Exit, Moment::Exit)] {
            let point = Taught::new(method, (at, moment), teachers, options);
            point.detect(others, &near, options, &mut out.violations);
            let variables = point.shape.about.len() as u64;
            out.tried += variables * (variables + 1) / 2;
            out.learnt.push(Learnt {
                method: (*method).clone(),
                moment,
                samples: teachers.len() as u64,
                believed: point.believed,
            });
        }
    }
    out.violations
        .sort_by_key(|v| (v.test, v.call, v.broken.moment));
    // What was so already when the call began is said once.
    let mut from = 0;
    let mut is_twin = vec![false; out.violations.len()];
    let mut is_given_strange = Vec::with_capacity(out.violations.len());
    for of_call in out
        .violations
        .chunk_by(|a, b| (a.test, a.call) == (b.test, b.call))
    {
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
    for (violation, is_strange) in out.violations.iter_mut().zip(is_given_strange) {
        violation.is_given_strange = is_strange;
    }
    let mut is_twin = is_twin.into_iter();
    out.violations.retain(|_| is_twin.next() != Some(true));
    let sure: Vec<bool> = out.violations.iter().map(|v| is_sure(v, &out)).collect();
    for (violation, is_sure) in out.violations.iter_mut().zip(sure) {
        violation.is_sure = is_sure;
    }
    out
}

/// What is believed at one point.
struct Taught<'a> {
    method: &'a Called,
    at: At,
    shape: Shape,
    believed: Vec<Arc<Believed>>,
}

impl<'a> Taught<'a> {
    fn new(
        method: &'a Called,
        (at, moment): (At, Moment),
        teachers: &[Sampled<'_>],
        options: &Options,
    ) -> Taught<'a> {
        let name = format!("{}.{}", method.class, method.name);
        let calls = || teachers.iter().map(|s| s.call);
        let shape = Shape::of(
            &name,
            at,
            &method.parameters,
            options.has(Step::Alike),
            calls(),
        );
        let mut learner = Learner::new(&shape.point, options.learning.clone());
        let rows: Vec<Vec<Value>> = calls()
            .map(|call| shape.row(call, at, &method.parameters))
            .collect();
        rows.iter().for_each(|row| learner.see(row, 1));
        let mut believed = Vec::new();
        for (constraint, fate) in learner.all() {
            let own: Vec<u32> = variables(&constraint);
            let about: Vec<About> = own.iter().map(|v| shape.about[*v as usize]).collect();
            if fate != Fate::Reported || !is_worth(&constraint, &learner, at, &about) {
                continue;
            }
            let mut by: BTreeMap<usize, u32> = BTreeMap::new();
            let mut seen: Witnesses<'_> = Witnesses::new(&constraint, &learner, &shape);
            for (sampled, row) in teachers.iter().zip(&rows) {
                if constraint.judge(row) == Verdict::Holds {
                    *by.entry(sampled.test).or_default() += 1;
                    seen.saw(sampled.test, row);
                }
            }
            let witnesses = seen.count();
            let tried = tried(&constraint, &learner);
            let terms = constraint.terms.iter().map(|t| {
                let term = &learner.terms()[*t as usize];
                (term.name.clone(), term.rep.kind)
            });
            believed.push(Arc::new(Believed {
                method: method.clone(),
                moment,
                overload: None,
                is_related: about.iter().any(|a| a.root == Root::Return)
                    && about.iter().any(|a| a.root != Root::Return),
                strange: strange(at, &about),
                terms: terms.collect(),
                credible: credible(&constraint, seen.is_of_truth, witnesses, tried),
                witnesses,
                taught_by: by.into_iter().collect(),
                constraint,
            }));
        }
        Taught {
            method,
            at,
            shape,
            believed,
        }
    }

    /// Of what an overload teaches only how what is returned is related to what is given: its values are others.
    fn keep_what_is_related(&mut self, overload: &Called) {
        self.believed.retain(|b| b.is_related);
        for believed in &mut self.believed {
            let believed = Arc::make_mut(believed);
            believed.overload = Some(overload.clone());
        }
    }

    fn detect(
        &self,
        others: &[Sampled<'_>],
        near: &Nearness<'_>,
        options: &Options,
        out: &mut Vec<Violation>,
    ) {
        let from = out.len();
        let mut times: Vec<u32> = vec![0; self.believed.len()];
        let mut judged = times.clone();
        let mut which = Vec::new();
        for sampled in others {
            let row = self
                .shape
                .row(sampled.call, self.at, &self.method.parameters);
            let mut broken: Vec<usize> = Vec::new();
            for (i, believed) in self.believed.iter().enumerate() {
                let verdict = believed.constraint.judge(&row);
                judged[i] += u32::from(verdict != Verdict::Missing);
                broken.extend((verdict == Verdict::Broken).then_some(i));
            }
            if broken.is_empty() {
                continue;
            }
            let nearest = sampled.profile.and_then(|p| near.of(p));
            for i in broken {
                times[i] += 1;
                which.push(i);
                let believed = &self.believed[i];
                let sources = believed.constraint.sources.iter();
                let held = sources.map(|s| s.value(&row).unwrap_or(Value::Missing));
                let similarity = nearest.map(|(similarity, _)| similarity);
                out.push(Violation {
                    test: sampled.test,
                    call: sampled.at,
                    from: sampled.call.from,
                    held: held.collect(),
                    broken: Arc::clone(believed),
                    similarity,
                    nearest: nearest.map(|(_, test)| test),
                    is_kept: options
                        .similarity
                        .is_none_or(|least| similarity.is_some_and(|s| s >= least)),
                    times: 0,
                    judged: 0,
                    is_given_strange: false,
                    is_sure: false,
                });
            }
        }
        for (violation, i) in out[from..].iter_mut().zip(which) {
            violation.times = times[i];
            violation.judged = judged[i];
        }
    }
}

/// The point's variables that a constraint speaks of.
pub(crate) fn variables(constraint: &Constraint) -> Vec<u32> {
    of_sources(&constraint.sources)
}

/// The variables that values come from.
pub(crate) fn of_sources(sources: &[Source]) -> Vec<u32> {
    let mut out = Vec::new();
    for source in sources {
        match *source {
            Source::Plain(i) => out.push(i),
            Source::Size { sequence, .. } => out.push(sequence),
            Source::Element {
                sequence, index, ..
            } => out.extend([sequence, index]),
        }
    }
    out
}

/// Which of the calls in which a constraint held are witnesses: calls with the same values say the same, and those of one test
/// are hardly independent.
struct Witnesses<'c> {
    constraint: &'c Constraint,
    /// What must differ: the values that the constraint speaks of. A constraint of truth values, which are few, has a witness in
    /// each other sample.
    apart: Vec<usize>,
    /// All of them are truth values.
    is_of_truth: bool,
    /// It says which values there are: that the same come again is what speaks for it.
    counts_tests: bool,
    seen: FxHashSet<String>,
    by: BTreeMap<usize, usize>,
}

impl<'c> Witnesses<'c> {
    /// How many of the calls of one test count.
    const OF_ONE_TEST: usize = 2;

    fn new(constraint: &'c Constraint, learner: &Learner, shape: &Shape) -> Witnesses<'c> {
        let is_truth = |t: &u32| learner.terms()[*t as usize].rep.kind == Kind::Boolean;
        let is_value = |v: &usize| shape.point.variables[*v].rep.kind != Kind::Reference;
        let is_of_truth = constraint.terms.iter().all(is_truth);
        let apart = match is_of_truth {
            true => (0..shape.about.len()).filter(is_value).collect(),
            false => Vec::new(),
        };
        Witnesses {
            constraint,
            apart,
            is_of_truth,
            counts_tests: matches!(constraint.rule, Rule::OneOf(_) | Rule::ElementsOneOf(_)),
            seen: FxHashSet::default(),
            by: BTreeMap::new(),
        }
    }

    fn saw(&mut self, test: usize, row: &[Value]) {
        let of_test = self.by.entry(test).or_default();
        let most = if self.counts_tests {
            1
        } else {
            Self::OF_ONE_TEST
        };
        if *of_test >= most {
            return;
        }
        let values = match self.apart.is_empty() {
            true => {
                let sources = self.constraint.sources.iter();
                format!("{:?}", sources.map(|s| s.value(row)).collect::<Vec<_>>())
            }
            false => format!(
                "{:?}",
                self.apart.iter().map(|v| &row[*v]).collect::<Vec<_>>()
            ),
        };
        if self.counts_tests || self.seen.insert(values) {
            *of_test += 1;
        }
    }

    fn count(&self) -> usize {
        self.by.values().sum()
    }
}

/// How many like it were tried at its point: as many terms of its kinds can be taken together.
fn tried(constraint: &Constraint, learner: &Learner) -> u64 {
    let rep = |t: &u32| learner.terms()[*t as usize].rep;
    let like = |t: &u32| learner.terms().iter().filter(|o| o.rep == rep(t)).count() as u64;
    let each = constraint.terms.iter().zip(0..);
    let taken: u64 = each
        .map(|(t, before)| like(t).saturating_sub(before).max(1))
        .product();
    // In whatever order; of numbers it is asked whether one is less, equal, or greater.
    let orders = [1, 1, 2, 6][constraint.terms.len().min(3)];
    let is_number = |t: &u32| matches!(rep(t).kind, Kind::Int | Kind::Double);
    let relations = match constraint.rule {
        Rule::Compare(_) if constraint.terms.iter().all(is_number) => 3,
        _ => 1,
    };
    taken * relations / orders
}

/// Whether breaking it would tell something of this call.
pub(crate) fn is_worth(
    constraint: &Constraint,
    learner: &Learner,
    at: At,
    about: &[About],
) -> bool {
    // What was given is asked about at the entry.
    if at == At::Exit && about.iter().all(|a| a.is_given) {
        return false;
    }
    // Numbers of objects mean nothing, except that of `null`.
    let is_reference = |t: &u32| learner.terms()[*t as usize].rep.kind == Kind::Reference;
    let numbers = constraint.terms.iter().any(is_reference);
    let is_null = |v: &Value| match v {
        Value::Int(0) => true,
        Value::Ints(all) => all.iter().all(|v| *v == 0),
        _ => false,
    };
    let is_endless = |v: &Value| v.number().is_some_and(f64::is_infinite);
    match &constraint.rule {
        // Every number keeps it; what breaks it is none.
        Rule::Bound(_, bound) | Rule::ElementsBound(_, bound) if is_endless(bound) => false,
        Rule::OneOf(all) | Rule::ElementsOneOf(all) if numbers => all.iter().all(is_null),
        _ => true,
    }
}

fn strange(at: At, about: &[About]) -> Vec<Strange> {
    if at == At::Entry {
        return vec![Strange::Entry];
    }
    let of = |a: &About| match a.root {
        Root::This => Strange::Receiver,
        Root::Parameter(i) => Strange::Parameter(i),
        Root::Return => Strange::Return,
    };
    let mut out: Vec<Strange> = about.iter().filter(|a| !a.is_given).map(of).collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// What hand-written tests had run when they called a method: each different profile once.
struct Nearness<'a> {
    profiles: Vec<(&'a Profile, usize)>,
}

impl<'a> Nearness<'a> {
    fn new(teachers: &[Sampled<'a>]) -> Nearness<'a> {
        let mut seen: FxHashSet<&Profile> = FxHashSet::default();
        let of = |s: &Sampled<'a>| Some((s.profile?, s.test));
        let all = teachers.iter().filter_map(of);
        Nearness {
            profiles: all.filter(|(p, _)| seen.insert(p)).collect(),
        }
    }

    /// The greatest similarity, and the first test that has it.
    fn of(&self, profile: &Profile) -> Option<(f64, usize)> {
        let all = self.profiles.iter();
        let all = all.map(|(p, test)| (jaccard(profile, p), *test));
        all.reduce(|best, one| if one.0 > best.0 { one } else { best })
    }
}

/// A value as a reader would write it.
pub(crate) fn words(value: &Value, kind: Kind) -> String {
    let many = |all: Vec<String>| {
        const SHOWN: usize = 8;
        let more = if all.len() > SHOWN { ", …" } else { "" };
        let first: Vec<String> = all.into_iter().take(SHOWN).collect();
        format!("[{}{more}]", first.join(", "))
    };
    let int = |v: &i64| match (kind, v) {
        (Kind::Boolean, v) => (*v != 0).to_string(),
        (Kind::Reference, 0) => "null".to_owned(),
        (Kind::Reference, _) => "an object".to_owned(),
        (_, v) => v.to_string(),
    };
    let text = |t: &Option<Arc<str>>| match t {
        Some(text) => format!("{text:?}"),
        None => "null".to_owned(),
    };
    match value {
        Value::Missing => "missing".to_owned(),
        Value::Int(v) => int(v),
        Value::Double(v) => format!("{v:?}"),
        Value::Text(t) => text(t),
        Value::Ints(all) => many(all.iter().map(int).collect()),
        Value::Doubles(all) => many(all.iter().map(|v| format!("{v:?}")).collect()),
        Value::Texts(all) => many(all.iter().map(text).collect()),
    }
}
