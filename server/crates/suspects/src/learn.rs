//! Learn from hand-written tests what is usual of each method, at the start and at the end of its calls.

use crate::believed::{Believed, say_the_same};
use crate::chance::Chances;
use crate::digest::{Digest, OfMethod};
use crate::distinct::Distinct;
use crate::held::{Held, held, held_at};
use crate::left_out::Point;
use crate::options::{Moment, Options, Step, Teacher};
use crate::profile::Nearness;
use crate::samples::{Sampled, Samples, by_method, is_left_to};
use crate::shape::Shape;
use crate::sort::Tallies;
use crate::usual::Usual;
use evidence::{Called, Calls, Profile};
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What hand-written tests taught: a generated test that changes changes nothing of it.
#[derive(Clone, Debug, Default)]
pub struct Lessons {
    /// Overloads of what no test calls first; by method, entry first.
    pub(crate) all: Vec<Lesson>,
    pub(crate) chances: Option<Chances>,
    learnt: BTreeMap<Called, Known>,
}

impl Lessons {
    /// How many constraints are believed.
    pub fn believed(&self) -> usize {
        self.all.iter().map(|l| l.believed.len()).sum()
    }

    /// About how many constraints were tried: each variable of a point with each other.
    pub(crate) fn tried(&self) -> u64 {
        // What is asked of a class's objects was tried once, however many methods it is asked at.
        let own = self.all.iter().filter(|l| !l.is_of_objects);
        let of = |l: &Lesson| {
            let variables = l.shape.about.len() as u64;
            variables * (variables + 1) / 2
        };
        own.map(of).sum()
    }
}

/// What is believed at one point.
#[derive(Clone, Debug)]
pub(crate) struct Lesson {
    pub(crate) method: Called,
    pub(crate) moment: Moment,
    pub(crate) shape: Arc<Shape>,
    pub(crate) samples: u64,
    /// The very same as long as nothing else was learnt.
    pub(crate) believed: Arc<[Arc<Believed>]>,
    /// An overload taught it.
    pub(crate) is_of_overload: bool,
    /// It was learnt of the receiver, whatever was called.
    is_of_objects: bool,
    /// What had run when it was taught; the very same as long as that is.
    pub(crate) near: Arc<Nearness>,
    /// What the calls were given that taught it; none where that is not looked at.
    pub(crate) usual: Option<Arc<Usual>>,
}

impl Lesson {
    /// True if both are of the same calls.
    pub(crate) fn is_about_the_same(&self, other: &Lesson) -> bool {
        let rest = |l: &Lesson| (l.moment, l.is_of_overload, l.is_of_objects);
        rest(self) == rest(other) && self.method == other.method
    }
}

/// What was learnt of a method.
#[derive(Clone, Debug)]
struct Known {
    /// Last, and before that: a test that is edited does not teach until it is recorded, and then most often says what it had said.
    studies: [Option<Studied>; 2],
    near: Arc<Nearness>,
}

/// What was learnt of whom.
#[derive(Clone, Debug)]
struct Studied {
    /// The overload that taught the method, if no hand-written test calls it itself.
    overload: Option<Called>,
    /// The tests that taught it, by their positions, each with a hash of what its calls saw.
    told: Vec<(usize, u64)>,
    study: Arc<Study>,
}

/// What is believed at a moment, and how its values are read off a call.
type Believes = (Moment, Arc<Shape>, Arc<[Arc<Believed>]>);

/// What the calls of a method say of it, whatever is known of other methods.
#[derive(Debug)]
struct Study {
    /// What left-out tests break, where they are asked.
    tallies: Tallies,
    /// Entry first.
    points: Vec<Believes>,
    samples: u64,
    usual: Option<Arc<Usual>>,
}

impl Study {
    fn of(
        method: &Called,
        teachers: &[Sampled<'_>],
        options: &Options,
        poll: &(dyn Fn() + Sync),
    ) -> Study {
        let samples = |moment| Samples::of(method, moment, teachers);
        let at = |samples: &Samples<'_, '_>| {
            let mut tallies = Tallies::new();
            let (shape, held) = match options.has(Step::LeftOut) {
                true => Point::new(samples, options, poll).held(&mut tallies),
                false => held(samples, &samples.all(), options, poll),
            };
            let believed = held.iter().map(|h| h.believed(method, samples.moment));
            let point = (samples.moment, Arc::new(shape), believed.collect());
            (point, tallies)
        };
        let wants_usual = options.has(Step::Inputs);
        // The end is what takes long: there are twice as many variables.
        let ((entry, usual), exit) = rayon::join(
            || {
                let samples = samples(Moment::Entry);
                let usual = wants_usual.then(|| Arc::new(Usual::new(&samples, options)));
                (at(&samples), usual)
            },
            || at(&samples(Moment::Exit)),
        );
        let ((entry, mut tallies), (exit, more)) = (entry, exit);
        for (sort, tally) in more {
            tallies.entry(sort).or_default().add(tally);
        }
        Study {
            tallies,
            points: vec![entry, exit],
            samples: teachers.len() as u64,
            usual,
        }
    }

    /// Of what an overload teaches only how what is returned is related to what is given: its values are others.
    fn of_overload(
        method: &Called,
        overload: &Called,
        teachers: &[Sampled<'_>],
        options: &Options,
        poll: &dyn Fn(),
    ) -> Study {
        let own = Samples::of(method, Moment::Exit, teachers);
        let (shape, held) = held(&own, &own.all(), options, poll);
        let all = held.iter().map(|h| h.believed(method, Moment::Exit));
        let related = all.filter(|b| b.is_related).map(|mut believed| {
            Arc::make_mut(&mut believed).overload = Some(overload.clone());
            believed
        });
        Study {
            tallies: Tallies::new(),
            points: vec![(Moment::Exit, Arc::new(shape), related.collect())],
            samples: teachers.len() as u64,
            usual: None,
        }
    }
}

/// A hand-written test, by what is known of it without its calls.
#[derive(Clone, Copy, Debug)]
pub struct Heard<'a> {
    /// What it called of the methods that are learnt of.
    pub digest: &'a Digest,
    /// It is a test of the class itself.
    pub is_own: bool,
}

/// Learns from the hand-written tests' calls of the methods that are wanted. Of those that the generated tests alone call
/// overloads teach. Learning takes long: `poll` is called at each step, and may unwind.
pub fn learn(
    manual: &[Teacher<'_>],
    generated: &[&Calls],
    wants: &(dyn Fn(&Called) -> bool + Sync),
    options: &Options,
    poll: &(dyn Fn() + Sync),
) -> Lessons {
    let digests = manual.par_iter().map(|t| Digest::of(t.calls, wants));
    let digests: Vec<Digest> = digests.collect();
    let heard = digests.iter().zip(manual);
    let heard = heard.map(|(digest, teacher)| Heard {
        digest,
        is_own: teacher.is_own,
    });
    let asked = generated.par_iter().map(|calls| Digest::of(calls, wants));
    let asked: Vec<Digest> = asked.collect();
    let read = |test: usize, _: &dyn Fn(&Called) -> bool| Some(Cow::Borrowed(manual[test].calls));
    let (heard, asked): (Vec<Heard<'_>>, Vec<&Digest>) = (heard.collect(), asked.iter().collect());
    learn_anew(&heard, &asked, &read, &Lessons::default(), options, poll)
}

/// Reads what a test called, a test by its position: of the methods that are wanted at least.
pub type Read<'r, 'c> =
    &'r (dyn Fn(usize, &dyn Fn(&Called) -> bool) -> Option<Cow<'c, Calls>> + Sync);

/// As [`learn`], of what was learnt `before` with the same options: what tests said of a method that they say today is not learnt
/// again, and what nobody needs of their calls is not read. A test goes by its position, in `before`, too.
pub fn learn_anew<'c>(
    heard: &[Heard<'_>],
    generated: &[&Digest],
    read: Read<'_, 'c>,
    before: &Lessons,
    options: &Options,
    poll: &(dyn Fn() + Sync),
) -> Lessons {
    let all = tasks(heard, generated, options);
    let known = |task: &Task<'_>| {
        let mut known = before.learnt.get(task.method)?.studies.iter().flatten();
        let of_task = |s: &&Studied| s.overload.as_ref() == task.overload && s.told == task.told;
        known.find(of_task).map(|s| Arc::clone(&s.study))
    };
    let studies: Vec<Option<Arc<Study>>> = all.iter().map(known).collect();
    let new = all.iter().zip(&studies);
    let new = new.filter(|(_, study)| study.is_none()).map(|(t, _)| t);
    let of_objects = options.has(Step::Objects);
    let (mut tests, mut methods) = (BTreeSet::new(), BTreeSet::new());
    for task in all.iter().filter(|_| of_objects).chain(new) {
        tests.extend(task.told.iter().map(|(test, _)| *test));
        methods.insert(task.teacher());
    }
    let tests: Vec<usize> = tests.into_iter().collect();
    let wants = |method: &Called| methods.contains(method);
    let calls = tests.par_iter();
    let calls = calls.filter_map(|test| Some((*test, read(*test, &wants)?)));
    let calls: Vec<(usize, Cow<'_, Calls>)> = calls.collect();
    let calls = calls.iter().map(|(test, calls)| (*test, calls.as_ref()));
    let said = by_method(calls, &wants);
    // One method may cost as much as hundreds: each is taken by whoever is free.
    let study = |(task, known): (&Task<'_>, Option<Arc<Study>>)| {
        let new = || Arc::new(task.study(&said, options, poll));
        known.unwrap_or_else(new)
    };
    let studies = all.par_iter().zip(studies).with_max_len(1).map(study);
    let studies: Vec<Arc<Study>> = studies.collect();
    let mut out = Lessons::default();
    if options.has(Step::LeftOut) {
        let mut tallies = Tallies::new();
        for (sort, tally) in studies.iter().flat_map(|study| &study.tallies) {
            tallies.entry(*sort).or_default().add(*tally);
        }
        out.chances = Some(Chances::of(&tallies));
    }
    for (task, study) in all.iter().zip(studies) {
        let before = before.learnt.get(task.method);
        let near = Arc::new(task.near(heard));
        let known = before.map(|l| &l.near).filter(|known| **known == near);
        let near = known.cloned().unwrap_or(near);
        out.all
            .extend(study.points.iter().map(|(moment, shape, believed)| Lesson {
                method: task.method.clone(),
                moment: *moment,
                shape: Arc::clone(shape),
                samples: study.samples,
                believed: Arc::clone(believed),
                is_of_overload: task.overload.is_some(),
                is_of_objects: false,
                near: Arc::clone(&near),
                usual: study.usual.clone(),
            }));
        let mut earlier = before.iter().flat_map(|l| l.studies.iter().flatten());
        let earlier = earlier.find(|s| !Arc::ptr_eq(&s.study, &study)).cloned();
        let own = Studied {
            overload: task.overload.cloned(),
            told: task.told.clone(),
            study,
        };
        let own = Known {
            studies: [Some(own), earlier],
            near,
        };
        out.learnt.insert(task.method.clone(), own);
    }
    if of_objects {
        let asked = generated.iter().flat_map(|digest| digest.methods());
        let asked: BTreeSet<&Called> = asked.map(|(method, _)| method).collect();
        let of_objects = objects(&said_of(&all, &said), &asked, &out, options, poll);
        out.all.extend(of_objects);
    }
    out
}

/// A method that is learnt of.
struct Task<'a> {
    method: &'a Called,
    /// Its overload that teaches it, if no hand-written test calls the method itself.
    overload: Option<&'a Called>,
    /// The tests that teach, by their positions, each with a hash of what its calls saw.
    told: Vec<(usize, u64)>,
}

impl<'a> Task<'a> {
    fn new(
        method: &'a Called,
        overload: Option<&'a Called>,
        tests: &[usize],
        heard: &[Heard<'_>],
    ) -> Task<'a> {
        let teacher = overload.unwrap_or(method);
        let told = |test: &usize| Some((*test, heard[*test].digest.of_method(teacher)?.values));
        Task {
            method,
            overload,
            told: tests.iter().filter_map(told).collect(),
        }
    }

    /// The method whose calls teach.
    fn teacher(&self) -> &'a Called {
        self.overload.unwrap_or(self.method)
    }

    /// Its calls in the tests that teach.
    fn calls<'c>(&self, said: &BTreeMap<&Called, Vec<Sampled<'c>>>) -> Vec<Sampled<'c>> {
        let all = said.get(self.teacher()).into_iter().flatten();
        let teaches = |s: &&Sampled<'_>| {
            let found = self.told.binary_search_by_key(&s.test, |(test, _)| *test);
            found.is_ok()
        };
        all.filter(teaches).copied().collect()
    }

    fn study(
        &self,
        said: &BTreeMap<&Called, Vec<Sampled<'_>>>,
        options: &Options,
        poll: &(dyn Fn() + Sync),
    ) -> Study {
        let calls = self.calls(said);
        match self.overload {
            Some(overload) => Study::of_overload(self.method, overload, &calls, options, poll),
            None => Study::of(self.method, &calls, options, poll),
        }
    }

    fn near(&self, heard: &[Heard<'_>]) -> Nearness {
        let all = self.told.iter().flat_map(|(test, _)| {
            let own = heard[*test].digest.of_method(self.teacher());
            let profiles = own.map_or(&[][..], |own| &own.profiles);
            profiles.iter().map(|profile| (*test, profile))
        });
        Nearness::of(all)
    }
}

/// What there is to learn: of overloads first, by method.
fn tasks<'a>(heard: &[Heard<'a>], generated: &[&'a Digest], options: &Options) -> Vec<Task<'a>> {
    let has_own = heard.iter().any(|h| h.is_own);
    let mut taught: BTreeMap<&Called, Vec<usize>> = BTreeMap::new();
    for (test, own) in heard.iter().enumerate() {
        for (method, _) in own.digest.methods() {
            taught.entry(method).or_default().push(test);
        }
    }
    for tests in taught.values_mut() {
        let own = tests.iter().filter(|test| heard[**test].is_own).count();
        if has_own && is_left_to(own, options) {
            tests.retain(|test| heard[*test].is_own);
        }
    }
    taught.retain(|_, tests| !tests.is_empty());
    let mut out = Vec::new();
    if options.has(Step::Overloads) {
        let mut asked: BTreeMap<&Called, &OfMethod> = BTreeMap::new();
        for (method, own) in generated.iter().flat_map(|digest| digest.methods()) {
            asked.entry(method).or_insert(own);
        }
        asked.retain(|method, _| !taught.contains_key(method));
        out.extend(asked.into_iter().filter_map(|(method, asked)| {
            let overload = overload(method, asked, &taught, heard)?;
            Some(Task::new(method, Some(overload), &taught[overload], heard))
        }));
    }
    let own = taught
        .iter()
        .map(|(m, tests)| Task::new(m, None, tests, heard));
    out.extend(own);
    out
}

/// The overload of a method that teaches it, if no test calls it itself.
fn overload<'a>(
    method: &Called,
    asked: &OfMethod,
    taught: &BTreeMap<&'a Called, Vec<usize>>,
    heard: &[Heard<'_>],
) -> Option<&'a Called> {
    let calls = |other: &Called, tests: &[usize]| -> Option<usize> {
        let is_overload = other.class == method.class && other.name == method.name;
        if !is_overload || other.name == "<init>" {
            return None;
        }
        let own = tests
            .iter()
            .filter_map(|t| heard[*t].digest.of_method(other));
        let calls = own.map(|own| {
            let is_like = own.given == asked.given && own.is_static == asked.is_static;
            is_like.then_some(own.calls)
        });
        calls.sum()
    };
    let others = taught.iter();
    let others = others.filter_map(|(other, tests)| Some((*other, calls(other, tests)?)));
    // The one that is called most: two would be asked to agree.
    others
        .max_by_key(|(_, calls)| *calls)
        .map(|(other, _)| other)
}

/// The calls that teach, by method.
fn said_of<'a, 'c>(
    all: &[Task<'a>],
    said: &BTreeMap<&Called, Vec<Sampled<'c>>>,
) -> BTreeMap<&'a Called, Vec<Sampled<'c>>> {
    let own = all.iter().filter(|task| task.overload.is_none());
    own.map(|task| (task.method, task.calls(said))).collect()
}

/// What holds of the objects of a class whenever any of its methods returns, for each method that is asked.
fn objects(
    taught: &BTreeMap<&Called, Vec<Sampled<'_>>>,
    asked: &BTreeSet<&Called>,
    known: &Lessons,
    options: &Options,
    poll: &dyn Fn(),
) -> Vec<Lesson> {
    let mut by_class: BTreeMap<&str, Vec<Sampled<'_>>> = BTreeMap::new();
    for (method, samples) in taught {
        by_class.entry(&method.class).or_default().extend(samples);
    }
    let mut out = Vec::new();
    for (class, mut samples) in by_class {
        samples.sort_by_key(|s| (s.test, s.at));
        let distinct = Distinct::of(Moment::Exit, &[], samples.iter().map(|s| s.call));
        let all = distinct.grouped(samples.iter().map(|s| s.test).enumerate());
        let wants_alike = options.has(Step::Alike);
        let shape = Shape::of_receiver(class, wants_alike, &distinct, all.numbers());
        let shape = Arc::new(shape);
        let held = held_at(&shape, Moment::Exit, &distinct, &all, options, poll);
        let profiles = samples.iter();
        let profiles = profiles.filter_map(|s| Some((s.test, Arc::new(s.profile?.clone()))));
        let profiles: Vec<(usize, Arc<Profile>)> = profiles.collect();
        let near = Arc::new(Nearness::of(profiles.iter().map(|(test, p)| (*test, p))));
        let own = asked.iter().filter(|m| *m.class == *class);
        out.extend(own.map(|method| {
            let at = |l: &&Lesson| l.method == **method && l.moment == Moment::Exit;
            let at_exit = known.all.iter().find(at);
            let is_known = |h: &Held| {
                let mut all = at_exit.iter().flat_map(|l| l.believed.iter());
                all.any(|b| say_the_same(b.said(), h.said()))
            };
            let new = held.iter().filter(|h| !is_known(h));
            Lesson {
                method: (*method).clone(),
                moment: Moment::Exit,
                shape: Arc::clone(&shape),
                samples: samples.len() as u64,
                believed: new.map(|h| h.believed(method, Moment::Exit)).collect(),
                is_of_overload: false,
                is_of_objects: true,
                near: at_exit.map_or(&near, |l| &l.near).clone(),
                usual: at_exit.and_then(|l| l.usual.clone()),
            }
        }));
    }
    out
}
