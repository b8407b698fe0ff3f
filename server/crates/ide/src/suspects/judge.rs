//! From what runs told of the tests about a class to its suspects: who teaches and who is judged, what was taught, what
//! that finds broken, and which assertions it reaches.

use super::flow::{Born, TestFlow};
use super::{
    Assertion, Judged, assertions, classes, method_of, place, said, source_sets, teachers,
};
use crate::analysis::{Analysis, Part, Question, Store};
use dashmap::DashMap;
use evidence::{Called, Calls, Key};
use program::{MethodId, TypeId};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};
use suspects::{
    Broken, Examined, Lessons, Options, Reached, Step, Strange, Tallies, Teacher, broken, learn,
    rank, together,
};

/// What is known of the generated assertions of a class under test.
#[derive(Clone, PartialEq, Eq, Hash)]
struct JudgedOf(TypeId);

impl Question for JudgedOf {
    type Answer = Judged;
    const RESTS_ON: &'static [Part] = &[Part::Settings, Part::Dismissed, Part::Facts];

    fn answer(&self, analysis: &Analysis) -> Judged {
        judge_with(analysis, self.0, &Options::default())
    }
}

impl Analysis {
    /// What is known of the generated assertions of a class under test.
    pub fn judged(&self, class: TypeId) -> Arc<Judged> {
        self.ask(JudgedOf(class))
    }
}

/// What came of a class last, with a hash of what it was computed of.
struct Last<V>(DashMap<TypeId, (u64, Arc<V>)>);

impl<V> Default for Last<V> {
    fn default() -> Last<V> {
        Last(DashMap::new())
    }
}

impl<V: Send + Sync + 'static> Store for Last<V> {
    const RESTS_ON: &'static [Part] = &[];
}

impl<V> Last<V> {
    /// What came last, if it was computed of the same, else what is computed now.
    fn get_or(&self, class: TypeId, of: u64, compute: impl FnOnce() -> V) -> Arc<V> {
        if let Some(known) = self.0.get(&class)
            && known.0 == of
        {
            return Arc::clone(&known.1);
        }
        let own = Arc::new(compute());
        self.0.insert(class, (of, Arc::clone(&own)));
        own
    }

    /// What came last, of whatever.
    fn get(&self, class: TypeId) -> Option<Arc<V>> {
        Some(Arc::clone(&self.0.get(&class)?.1))
    }
}

/// Judges the generated assertions of a class, the steps done in some other way than they are for everybody.
pub fn judge_with(analysis: &Analysis, class: TypeId, options: &Options) -> Judged {
    let all = classes(analysis);
    let Some(generated) = all.get(&class) else {
        return Judged::default();
    };
    let case = Case::new(analysis, class, generated, options);
    let taught = case.taught();
    let made = case.examined(&taught);
    let mut out = Judged {
        class: Some(class),
        examined: Arc::clone(&made.examined),
        manual: taught.manual.clone(),
        generated: made.generated.iter().map(|(test, _)| *test).collect(),
        unknown: case.unknown + taught.unreadable + made.unreadable,
        stale: case.stale,
        failed: case.failed,
        ..Judged::default()
    };
    let mut reached = reached(analysis, &made, options, &mut out);
    leave_what_is_accepted(analysis, &out, &mut reached);
    out.suspects = rank(&out.examined.violations, &reached, options);
    out.flagged = reached.iter().map(|r| r.assertion).collect();
    out.flagged.sort_unstable();
    out.flagged.dedup();
    out
}

/// What the hand-written tests of a class break of what the others of them teach.
pub fn left_out(analysis: &Analysis, class: TypeId, options: &Options) -> Tallies {
    let case = Case::new(analysis, class, &[], options);
    let (all, _) = case.teaching();
    suspects::left_out(&case.teachers(&all), &case.wanted(), options)
}

/// The tests about a class, by what is known of their runs.
struct Case<'a> {
    analysis: &'a Analysis,
    class: TypeId,
    options: &'a Options,
    /// The class's own hand-written tests.
    own: FxHashSet<MethodId>,
    /// Hand-written tests that passed as they stand.
    by_hand: Vec<MethodId>,
    /// Generated ones that did.
    judged: Vec<MethodId>,
    /// Generated ones that were recorded, with whatever code.
    recorded: Vec<MethodId>,
    unknown: usize,
    stale: usize,
    failed: usize,
}

impl<'a> Case<'a> {
    fn new(
        analysis: &'a Analysis,
        class: TypeId,
        generated: &[MethodId],
        options: &'a Options,
    ) -> Case<'a> {
        let generated: FxHashSet<MethodId> = generated.iter().copied().collect();
        let (teachers, own) = teachers(analysis, class);
        let mut out = Case {
            analysis,
            class,
            options,
            own,
            by_hand: Vec::new(),
            judged: Vec::new(),
            recorded: Vec::new(),
            unknown: 0,
            stale: 0,
            failed: 0,
        };
        for &test in analysis.workspace().suite().tests() {
            let is_generated = generated.contains(&test);
            if !is_generated && !teachers.contains(&test) {
                continue;
            }
            let told = analysis.recorded(test).filter(|t| t.calls.is_some());
            if is_generated && told.is_some() {
                out.recorded.push(test);
            }
            let is_about = usize::from(is_generated || out.own.contains(&test));
            match told {
                None => out.unknown += usize::from(is_generated),
                Some(told) if told.key != analysis.key(test) => {
                    out.unknown += is_about;
                    out.stale += is_about;
                }
                Some(told) if told.passed && is_generated => out.judged.push(test),
                Some(told) if told.passed => out.by_hand.push(test),
                Some(_) => out.failed += is_about,
            }
        }
        out
    }

    /// What a test called when it was recorded, if that can be read.
    fn calls(&self, test: MethodId) -> Option<Calls> {
        self.analysis.workspace().poll();
        self.analysis.recorded(test)?.calls.as_ref()?.calls()
    }

    /// Which methods are learnt of: those of the class, and of those within it.
    fn wanted(&self) -> impl Fn(&Called) -> bool + Sync + use<> {
        let own = self.analysis.program().type_name(self.class).to_string();
        let inner = format!("{own}$");
        move |m| *m.class == *own || m.class.starts_with(&inner)
    }

    /// A hash of what some tests told.
    fn identity<'t>(&self, tests: impl Iterator<Item = &'t MethodId>) -> u64 {
        let mut hasher = FxHasher::default();
        format!("{:?}", self.options).hash(&mut hasher);
        for test in tests {
            let told = self.analysis.recorded(*test);
            (test, told.map(|t| (t.key, t.at))).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// The hand-written tests that call the class, with what they called; and how many of its own cannot be read.
    fn teaching(&self) -> (Vec<(MethodId, Calls)>, usize) {
        let wants = self.wanted();
        let all = self.by_hand.par_iter().map(|t| (*t, self.calls(*t)));
        let all: Vec<(MethodId, Option<Calls>)> = all.collect();
        let is_unreadable =
            |(test, calls): &&(MethodId, Option<Calls>)| calls.is_none() && self.own.contains(test);
        let unreadable = all.iter().filter(is_unreadable).count();
        let about = |calls: &Calls| calls.methods.iter().any(&wants);
        let all = all.into_iter().filter_map(|(t, calls)| Some((t, calls?)));
        (all.filter(|(_, calls)| about(calls)).collect(), unreadable)
    }

    fn teachers<'c>(&self, all: &'c [(MethodId, Calls)]) -> Vec<Teacher<'c>> {
        let teacher = |(test, calls): &'c (MethodId, Calls)| Teacher {
            calls,
            is_own: self.own.contains(test),
        };
        all.iter().map(teacher).collect()
    }

    fn taught(&self) -> Arc<Taught> {
        let key = self.identity(self.by_hand.iter().chain(&self.recorded));
        let last: Arc<Last<Taught>> = self.analysis.lasting();
        last.get_or(self.class, key, || {
            let (all, unreadable) = self.teaching();
            let asked = self.recorded.par_iter().filter_map(|t| self.calls(*t));
            let asked: Vec<Calls> = asked.collect();
            let asked: Vec<&Calls> = asked.iter().collect();
            let poll = || self.analysis.workspace().poll();
            let (teachers, wants) = (self.teachers(&all), self.wanted());
            let manual: Vec<MethodId> = all.iter().map(|(test, _)| *test).collect();
            // Of most methods the same tests teach as before one of all was recorded again.
            let each: Vec<u64> = manual
                .iter()
                .map(|t| self.identity([t].into_iter()))
                .collect();
            let last = last.get(self.class);
            let known = |method: &Called, tests: &[usize]| {
                let last = last.as_ref()?;
                let (before, study) = last.lessons.study(method)?;
                let is_same = |t: &usize| last.each.get(*t) == each.get(*t);
                (before == tests && tests.iter().all(is_same)).then(|| Arc::clone(study))
            };
            Taught {
                lessons: learn(&teachers, &asked, &wants, self.options, &known, &poll),
                manual,
                each,
                unreadable,
                broke: DashMap::new(),
            }
        })
    }

    fn examined(&self, taught: &Taught) -> Arc<Examination> {
        // What was taught is among what it was computed of.
        let all = self.by_hand.iter().chain(&self.recorded);
        let key = self.identity(all.chain(&self.judged));
        let last: Arc<Last<Examination>> = self.analysis.lasting();
        last.get_or(self.class, key, || {
            let wants = self.wanted();
            let one = |test: &MethodId| Some((*test, self.broke(taught, *test, &wants)?));
            let all: Vec<Option<(MethodId, Arc<Broke>)>> =
                self.judged.par_iter().map(one).collect();
            // Nothing is known of what cannot be read.
            let unreadable = all.iter().filter(|read| read.is_none()).count();
            let all: Vec<(MethodId, Arc<Broke>)> = all.into_iter().flatten().collect();
            let broken = all.iter().map(|(_, broke)| &broke.broken);
            Examination {
                examined: Arc::new(together(&taught.lessons, broken)),
                generated: all,
                unreadable,
            }
        })
    }

    /// What a generated test breaks of what was taught.
    fn broke(
        &self,
        taught: &Taught,
        test: MethodId,
        wants: &dyn Fn(&Called) -> bool,
    ) -> Option<Arc<Broke>> {
        let told = self.analysis.recorded(test)?;
        let as_told = (told.key, told.at);
        if let Some(known) = taught.broke.get(&test)
            && known.0 == as_told
        {
            return Some(Arc::clone(&known.1));
        }
        let calls = self.calls(test)?;
        let broken = broken(&taught.lessons, &calls, wants, self.options);
        let lines = broken.violations().iter().map(|v| {
            let place = calls.calls.get(v.call)?.from?;
            let place = calls.places.get(place as usize)?;
            place::line(self.analysis, test, place)
        });
        let own = Arc::new(Broke {
            lines: lines.collect(),
            places: calls.places.clone().into(),
            broken,
            ways: OnceLock::new(),
        });
        taught.broke.insert(test, (as_told, Arc::clone(&own)));
        Some(own)
    }
}

/// Which assertions what was broken reaches; the assertions and the ways there are added to `out`.
fn reached(
    analysis: &Analysis,
    made: &Examination,
    options: &Options,
    out: &mut Judged,
) -> Vec<Reached> {
    let seen = made.generated.par_iter().map(|(test, broke)| {
        let ways = || match options.has(Step::Flow) {
            true => ways(analysis, *test, broke),
            false => ways_to_all(analysis, *test, broke),
        };
        (assertions(analysis, *test), broke.ways.get_or_init(ways))
    });
    let seen: Vec<(Vec<Assertion>, &Vec<Way>)> = seen.collect();
    let mut reached = Vec::new();
    let mut violations = 0;
    for ((assertions, ways), (_, broke)) in seen.into_iter().zip(&made.generated) {
        for way in ways {
            let one = Reached {
                assertion: out.assertions.len() + way.nth,
                violation: violations + way.violation,
                steps: way.words.len(),
            };
            out.ways
                .insert((one.assertion, one.violation), Arc::clone(&way.words));
            reached.push(one);
        }
        out.assertions.extend(assertions);
        out.places.push(Arc::clone(&broke.places));
        violations += broke.lines.len();
    }
    reached.sort_unstable_by_key(|r| (r.violation, r.assertion));
    reached
}

/// Who accepts an assertion says that what reached it is usual: what it broke is no constraint.
fn leave_what_is_accepted(analysis: &Analysis, judged: &Judged, reached: &mut Vec<Reached>) {
    let (program, dismissed) = (analysis.program(), analysis.dismissed());
    if dismissed.is_empty() {
        return;
    }
    let accepts = |a: &Assertion| dismissed.accepts(program, a.test, &said(program, a));
    let accepted: Vec<bool> = judged.assertions.iter().map(accepts).collect();
    let broken = |r: &Reached| Arc::as_ptr(&judged.examined.violations[r.violation].broken);
    let by = reached.iter().filter(|r| accepted[r.assertion]);
    let refuted: FxHashSet<_> = by.map(broken).collect();
    reached.retain(|r| !refuted.contains(&broken(r)));
}

/// What hand-written tests taught of a class: kept as long as they are what was recorded, whatever becomes of generated ones.
#[derive(Debug)]
struct Taught {
    lessons: Lessons,
    manual: Vec<MethodId>,
    /// A hash of what each of them told, and of how it was learnt.
    each: Vec<u64>,
    /// Of the class's own tests, those whose calls cannot be read.
    unreadable: usize,
    /// What generated tests break of it, with the code and the time of their recording.
    broke: DashMap<MethodId, ((Key, i64), Arc<Broke>)>,
}

/// What a generated test breaks: the same as long as its code is.
#[derive(Debug)]
struct Broke {
    broken: Broken,
    /// From which line of the test each violation was born, as they were when that was looked at.
    lines: Vec<Option<u32>>,
    /// From where the test calls.
    places: Arc<[evidence::Place]>,
    /// Of the same code the ways are the same, wherever it stands.
    ways: OnceLock<Vec<Way>>,
}

/// What examining a class gave: kept as long as the same tests with the same code were recorded.
#[derive(Debug)]
struct Examination {
    examined: Arc<Examined>,
    generated: Vec<(MethodId, Arc<Broke>)>,
    /// Tests whose calls cannot be read.
    unreadable: usize,
}

/// A violation reaches an assertion of its test.
#[derive(Debug)]
struct Way {
    /// Which violation of the test.
    violation: usize,
    /// Which assertion.
    nth: usize,
    words: Arc<[String]>,
}

/// Which assertions of a test what it breaks reaches.
fn ways(analysis: &Analysis, test: MethodId, broke: &Broke) -> Vec<Way> {
    let program = analysis.program();
    let sets = source_sets(program);
    // Many constraints are broken by one value: its way is looked for once.
    let mut births: BTreeMap<(u32, MethodId, &[Strange]), Vec<usize>> = BTreeMap::new();
    let mut methods: FxHashMap<&Called, Option<MethodId>> = FxHashMap::default();
    let violations = broke.broken.violations().iter();
    for (i, (violation, line)) in violations.zip(&broke.lines).enumerate() {
        let called = &violation.broken.method;
        let method = *methods
            .entry(called)
            .or_insert_with(|| method_of(program, &sets, called));
        if let (Some(line), Some(method)) = (*line, method) {
            let key = (line, method, violation.strange());
            births.entry(key).or_default().push(i);
        }
    }
    let mut out = Vec::new();
    if births.is_empty() {
        return out;
    }
    let Some(flow) = TestFlow::new(analysis, test) else {
        return out;
    };
    for ((line, method, strange), violations) in births {
        let born = Born {
            line,
            method,
            strange: strange.to_vec(),
        };
        for (nth, way) in flow.reached(&born).into_iter().enumerate() {
            let Some(steps) = way else { continue };
            let words: Vec<String> = steps.into_iter().map(|s| s.words).collect();
            let words: Arc<[String]> = words.into();
            out.extend(violations.iter().map(|v| Way {
                violation: *v,
                nth,
                words: Arc::clone(&words),
            }));
        }
    }
    out.sort_by_key(|w| (w.violation, w.nth));
    out
}

/// What would be reached if whatever stands behind a strange call were: each assertion of the test from its line on.
fn ways_to_all(analysis: &Analysis, test: MethodId, broke: &Broke) -> Vec<Way> {
    let Some(flow) = TestFlow::new(analysis, test) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for (nth, assertion) in flow.assertions().iter().enumerate() {
        let lines = broke.lines.iter().enumerate();
        let before = lines.filter(|(_, line)| line.is_none_or(|line| line <= assertion.line));
        for (violation, _) in before {
            let called = &broke.broken.violations()[violation].broken.method.name;
            out.push(Way {
                violation,
                nth,
                words: Arc::from([format!("{called}() ran before it")]),
            });
        }
    }
    out
}
