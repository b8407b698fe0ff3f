//! Learn from hand-written tests what is usual of each method, at the start and at the end of its calls.

use crate::believed::Believed;
use crate::chance::Chances;
use crate::distinct::Distinct;
use crate::held::{Held, held, held_at};
use crate::left_out::Point;
use crate::options::{Moment, Options, Step, Teacher};
use crate::profile::Nearness;
use crate::samples::{Sampled, Samples, by_method, taught};
use crate::shape::Shape;
use crate::sort::Tallies;
use crate::usual::Usual;
use evidence::{Called, Calls};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What hand-written tests taught: a generated test that changes changes nothing of it.
#[derive(Clone, Debug, Default)]
pub struct Lessons {
    /// Overloads of what no test calls first; by method, entry first.
    pub(crate) all: Vec<Lesson>,
    /// By method: the tests that taught, by their positions, and what they say.
    studies: BTreeMap<Called, (Vec<usize>, Arc<Study>)>,
}

impl Lessons {
    /// What was learnt of a method, and the tests that taught it, by their positions.
    pub fn study(&self, method: &Called) -> Option<(&[usize], &Arc<Study>)> {
        let (tests, study) = self.studies.get(method)?;
        Some((tests, study))
    }

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
    pub(crate) shape: Shape,
    pub(crate) samples: u64,
    pub(crate) believed: Vec<Arc<Believed>>,
    /// An overload taught it.
    pub(crate) is_of_overload: bool,
    /// It was learnt of the receiver, whatever was called.
    is_of_objects: bool,
    /// What had run when it was taught.
    pub(crate) near: Arc<Nearness>,
    /// What the calls were given that taught it; none where that is not looked at.
    pub(crate) usual: Option<Arc<Usual>>,
}

/// What the tests that call a method say of it, whatever is known of other methods.
#[derive(Clone, Debug)]
pub struct Study {
    /// What left-out tests break, where they are asked.
    tallies: Tallies,
    /// Entry first.
    points: Vec<(Moment, Shape, Vec<Held>)>,
    samples: u64,
    near: Arc<Nearness>,
    usual: Option<Arc<Usual>>,
}

impl Study {
    fn of(method: &Called, teachers: &[Sampled<'_>], options: &Options, poll: &dyn Fn()) -> Study {
        let moments = [Moment::Entry, Moment::Exit];
        let moments = moments.map(|moment| Samples::of(method, moment, teachers));
        let mut points = Vec::with_capacity(moments.len());
        let mut tallies = Tallies::new();
        for samples in &moments {
            let (shape, held) = match options.has(Step::LeftOut) {
                true => Point::new(samples, options, poll).held(&mut tallies),
                false => held(samples, &samples.all(), options, poll),
            };
            points.push((samples.moment, shape, held));
        }
        let usual = || Arc::new(Usual::new(&moments[0], options));
        Study {
            tallies,
            points,
            samples: teachers.len() as u64,
            near: Arc::new(Nearness::new(teachers)),
            usual: options.has(Step::Inputs).then(usual),
        }
    }

    fn lessons<'s>(
        &'s self,
        method: &'s Called,
        chances: Option<&'s Chances>,
    ) -> impl Iterator<Item = Lesson> + 's {
        self.points.iter().map(move |(moment, shape, held)| Lesson {
            usual: self.usual.clone(),
            near: Arc::clone(&self.near),
            ..Lesson::new(method, *moment, shape.clone(), held, self.samples, chances)
        })
    }
}

/// What was learnt of a method of these tests before, by their positions among all that teach.
pub type Known<'k> = &'k (dyn Fn(&Called, &[usize]) -> Option<Arc<Study>> + Sync);

/// Nothing was learnt before.
pub fn nothing(_: &Called, _: &[usize]) -> Option<Arc<Study>> {
    None
}

/// Learns from the hand-written tests' calls of the methods that are wanted. Of those that the generated tests alone call
/// overloads teach. Learning takes long: what is `known` is not learnt again, and `poll` is called at each step, and may unwind.
pub fn learn(
    manual: &[Teacher<'_>],
    generated: &[&Calls],
    wants: &dyn Fn(&Called) -> bool,
    options: &Options,
    known: Known<'_>,
    poll: &(dyn Fn() + Sync),
) -> Lessons {
    let taught = taught(manual, wants, options);
    let all: Vec<(&Called, &Vec<Sampled<'_>>)> = taught.iter().map(|(m, t)| (*m, t)).collect();
    let study = |(method, teachers): &(&Called, &Vec<Sampled<'_>>)| {
        let mut tests: Vec<usize> = teachers.iter().map(|s| s.test).collect();
        tests.dedup();
        let new = || Arc::new(Study::of(method, teachers, options, &|| poll()));
        let study = known(method, &tests).unwrap_or_else(new);
        ((*method).clone(), (tests, study))
    };
    // One method may cost as much as hundreds: each is taken by whoever is free.
    let studies: BTreeMap<Called, (Vec<usize>, Arc<Study>)> = all
        .par_iter()
        .with_max_len(1)
        .map(study)
        .collect::<Vec<_>>()
        .into_iter()
        .collect();
    let chances = options.has(Step::LeftOut).then(|| {
        let mut tallies = Tallies::new();
        for (sort, tally) in studies.values().flat_map(|(_, study)| &study.tallies) {
            tallies.entry(*sort).or_default().add(*tally);
        }
        Chances::of(&tallies)
    });
    let chances = chances.as_ref();
    let mut out = Lessons::default();
    if options.has(Step::Overloads) {
        for (method, others) in by_method(generated, wants) {
            if taught.contains_key(method) {
                continue;
            }
            let Some((overload, teachers)) = overloads(method, &others, &taught) else {
                continue;
            };
            let own = Samples::of(method, Moment::Exit, &teachers);
            let (shape, held) = held(&own, &own.all(), options, poll);
            let samples = teachers.len() as u64;
            let mut lesson = Lesson::new(method, Moment::Exit, shape, &held, samples, chances);
            lesson.near = Arc::new(Nearness::new(&teachers));
            lesson.keep_what_is_related(overload);
            out.all.push(lesson);
        }
    }
    for (method, (_, study)) in &studies {
        out.all.extend(study.lessons(method, chances));
    }
    if options.has(Step::Objects) {
        let asked = by_method(generated, wants);
        let asked: Vec<&Called> = asked.keys().copied().collect();
        let of_objects = objects(&taught, &asked, &out, chances, options, poll);
        out.all.extend(of_objects);
    }
    out.studies = studies;
    out
}

/// What holds of the objects of a class whenever any of its methods returns, for each method that is asked.
fn objects(
    taught: &BTreeMap<&Called, Vec<Sampled<'_>>>,
    asked: &[&Called],
    known: &Lessons,
    chances: Option<&Chances>,
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
        let held = held_at(&shape, Moment::Exit, &distinct, &all, options, poll);
        let near = Arc::new(Nearness::new(&samples));
        let own = asked.iter().filter(|m| *m.class == *class);
        out.extend(own.map(|method| {
            let at = |l: &&Lesson| l.method == **method && l.moment == Moment::Exit;
            let at_exit = known.all.iter().find(at);
            let is_known = |text: &str| {
                let mut all = at_exit.iter().flat_map(|l| &l.believed);
                all.any(|b| b.constraint.text == text)
            };
            let new = held.iter().filter(|h| !is_known(&h.constraint.text));
            let of = |h: &Held| h.believed(method, Moment::Exit, chances);
            Lesson {
                believed: new.map(of).collect(),
                is_of_objects: true,
                near: at_exit.map_or(&near, |l| &l.near).clone(),
                usual: at_exit.and_then(|l| l.usual.clone()),
                ..Lesson::new(
                    method,
                    Moment::Exit,
                    shape.clone(),
                    &[],
                    samples.len() as u64,
                    chances,
                )
            }
        }));
    }
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

impl Lesson {
    /// What held at a point, as it is believed; what had run is not known yet.
    fn new(
        method: &Called,
        moment: Moment,
        shape: Shape,
        held: &[Held],
        samples: u64,
        chances: Option<&Chances>,
    ) -> Lesson {
        let believed = held.iter().map(|h| h.believed(method, moment, chances));
        Lesson {
            method: method.clone(),
            moment,
            samples,
            believed: believed.collect(),
            is_of_overload: false,
            is_of_objects: false,
            near: Arc::default(),
            usual: None,
            shape,
        }
    }

    /// Of what an overload teaches only how what is returned is related to what is given: its values are others.
    fn keep_what_is_related(&mut self, overload: &Called) {
        self.is_of_overload = true;
        self.believed.retain(|b| b.is_related);
        for believed in &mut self.believed {
            let believed = Arc::make_mut(believed);
            believed.overload = Some(overload.clone());
        }
    }
}
