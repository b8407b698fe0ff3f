//! From what runs told of the tests about a class to its suspects: who teaches and who is judged, what was taught, what
//! that finds broken, and which assertions it reaches.

use super::ways::Whence;
use super::{Assertion, Judged, Teachers, TeachersOf, classes, said};
use crate::analysis::{Analysis, Part, Question, Store};
use dashmap::{DashMap, DashSet};
use evidence::{Called, Calls, Key};
use program::{MethodId, TypeId};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use smol_str::SmolStr;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use suspects::{
    Broken, Digest, Examined, Heard, InTest, Lessons, Options, Reached, Renewal, Tallies, Teacher,
    broken, learn_anew, rank, together,
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
        options: options.clone(),
        examined: Arc::clone(&made.examined),
        manual: taught.manual.clone(),
        teaching: taught.teaching.clone(),
        generated: made.generated.iter().map(|(test, _)| *test).collect(),
        unknown: case.unknown + taught.unreadable + made.unreadable,
        stale: case.stale,
        failed: case.failed,
        ..Judged::default()
    };
    find_ways(analysis, &made, options, &mut out);
    let left = without_accepted(analysis, &out);
    let mut reached = out.ways.reached();
    for (own, left) in reached.iter_mut().zip(&left) {
        own.reached = left;
    }
    out.suspects = rank(&out.examined, &reached, options);
    let flagged = reached.iter().flat_map(|own| {
        let all = own.reached.chunk_by(|a, b| a.assertion == b.assertion);
        all.map(|of| own.first + of[0].assertion as usize)
    });
    out.flagged = flagged.collect();
    out
}

/// Learns what is usual of a class: the first half of [`Analysis::judged`], which finds it done. What generated tests break of it is
/// looked up as well, of those whose calls were read for it.
pub fn learn(analysis: &Analysis, class: TypeId) {
    let all = classes(analysis);
    let generated = all.get(&class).map_or(&[][..], |tests| tests);
    let options = Options::default();
    let case = Case::new(analysis, class, generated, &options);
    case.taught();
}

/// What the hand-written tests of a class break of what the others of them teach.
pub fn left_out(analysis: &Analysis, class: TypeId, options: &Options) -> Tallies {
    let case = Case::new(analysis, class, &[], options);
    let all = case.teaching();
    suspects::left_out(&case.teachers(&all), &case.wanted(), options)
}

/// The tests about a class, by what is known of their runs.
struct Case<'a> {
    analysis: &'a Analysis,
    class: TypeId,
    options: &'a Options,
    teachers: Arc<Teachers>,
    /// Hand-written tests that passed as they stand.
    by_hand: Vec<MethodId>,
    /// Generated ones that did.
    judged: Vec<MethodId>,
    /// Generated ones that were recorded, with whatever code.
    recorded: Vec<MethodId>,
    /// Of which code each of all these was recorded, and when.
    stamps: FxHashMap<MethodId, Stamp>,
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
        let teachers = analysis.ask(TeachersOf(class));
        let mut out = Case {
            analysis,
            class,
            options,
            teachers: Arc::clone(&teachers),
            by_hand: Vec::new(),
            judged: Vec::new(),
            recorded: Vec::new(),
            stamps: FxHashMap::default(),
            unknown: 0,
            stale: 0,
            failed: 0,
        };
        let known = |&test: &MethodId| {
            let is_generated = generated.contains(&test);
            let is_asked = is_generated || teachers.manual.contains(&test);
            let told = || analysis.recorded(test).filter(|t| t.calls.is_some());
            is_asked.then(|| (test, is_generated, told()))
        };
        let all = analysis.workspace().suite().tests().par_iter();
        let all: Vec<_> = all.filter_map(known).collect();
        for (test, is_generated, told) in all {
            if let Some(told) = &told {
                out.stamps.insert(test, (told.key, told.at));
            }
            if is_generated && told.is_some() {
                out.recorded.push(test);
            }
            let is_about = usize::from(is_generated || teachers.own.contains(&test));
            match &told {
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

    /// What a test called of some methods when it was recorded, if that can be read.
    fn calls(&self, test: MethodId, wants: &dyn Fn(&Called) -> bool) -> Option<Calls> {
        self.analysis.workspace().poll();
        let told = self.analysis.recorded(test)?;
        told.calls.as_ref()?.calls_of(wants)
    }

    /// Which methods are learnt of: those of the class, and of those within it.
    fn wanted(&self) -> impl Fn(&Called) -> bool + Sync + use<> {
        let wants = self.wanted_class();
        move |m| wants(&m.class)
    }

    fn wanted_class(&self) -> impl Fn(&str) -> bool + Sync + use<> {
        let own = self.analysis.program().type_name(self.class).to_string();
        let inner = format!("{own}$");
        move |class| *class == *own || class.starts_with(&inner)
    }

    /// A hash of what lists of tests told.
    fn identity(&self, lists: &[&[MethodId]]) -> u64 {
        let mut hasher = FxHasher::default();
        format!("{:?}", self.options).hash(&mut hasher);
        for tests in lists {
            // A test that goes from one list to the next is another matter.
            tests.len().hash(&mut hasher);
            for test in *tests {
                (test, self.stamp(*test), self.teachers.own.contains(test)).hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    /// The hand-written tests that call the class, with what they called.
    fn teaching(&self) -> Vec<(MethodId, Calls)> {
        let wants = self.wanted();
        let all = self.by_hand.par_iter();
        let all = all.filter_map(|t| Some((*t, self.calls(*t, &wants)?)));
        all.filter(|(_, calls)| calls.methods.iter().any(&wants))
            .collect()
    }

    fn teachers<'c>(&self, all: &'c [(MethodId, Calls)]) -> Vec<Teacher<'c>> {
        let teacher = |(test, calls): &'c (MethodId, Calls)| Teacher {
            calls,
            is_own: self.teachers.own.contains(test),
        };
        all.iter().map(teacher).collect()
    }

    /// A hash of how it is learnt.
    fn how(&self) -> u64 {
        self.identity(&[])
    }

    /// When and of which code a test was recorded.
    fn stamp(&self, test: MethodId) -> Option<Stamp> {
        self.stamps.get(&test).copied()
    }

    /// Listens to tests: what one called is read if it was recorded since `before`, and kept as it is for who needs it now. Of one
    /// that is known not to call the class nothing is read.
    fn heard(&self, tests: &[MethodId], before: Option<&Taught>) -> Vec<Listened> {
        let wants = self.wanted();
        let callees: Arc<Callees> = self.analysis.lasting();
        let of_others: Arc<Digest> = Arc::default();
        let one = |&test: &MethodId| {
            let stamp = self.stamp(test);
            let known = before.and_then(|b| b.digests.get(&test));
            let known = known.filter(|(of, _)| Some(*of) == stamp);
            let (digest, calls) = match known {
                Some((_, digest)) => (Some(Arc::clone(digest)), None),
                None if callees.is_of_others(test, stamp, &self.wanted_class()) => {
                    (Some(Arc::clone(&of_others)), None)
                }
                None => {
                    let calls = self.calls(test, &wants);
                    if let (Some(calls), Some(stamp)) = (&calls, stamp) {
                        callees.keep(test, stamp, calls);
                    }
                    let digest = calls.as_ref().map(|c| Arc::new(Digest::of(c, &wants)));
                    let is_about = digest.as_ref().is_some_and(|d| d.is_about());
                    (digest, calls.filter(|_| is_about))
                }
            };
            Listened {
                test,
                stamp,
                digest,
                calls,
            }
        };
        tests.par_iter().map(one).collect()
    }

    fn taught(&self) -> Arc<Taught> {
        let key = self.identity(&[&self.by_hand, &self.recorded]);
        let last: Arc<Last<Taught>> = self.analysis.lasting();
        last.get_or(self.class, key, || {
            let how = self.how();
            let before = last.get(self.class).filter(|b| b.how == how);
            self.learnt(how, before.as_deref())
        })
    }

    /// What is learnt, of what was learnt before in the same way.
    fn learnt(&self, how: u64, before: Option<&Taught>) -> Taught {
        let by_hand = self.heard(&self.by_hand, before);
        let asked = self.heard(&self.recorded, before);
        let is_unreadable =
            |l: &&Listened| l.digest.is_none() && self.teachers.own.contains(&l.test);
        let unreadable = by_hand.iter().filter(is_unreadable).count();
        let digests = by_hand.iter().chain(&asked);
        let is_about = |l: &&Listened| l.digest.as_ref().is_some_and(|d| d.is_about());
        let digests = digests.filter(is_about);
        let digests = digests.filter_map(|l| Some((l.test, (l.stamp?, l.digest.clone()?))));
        let digests: FxHashMap<MethodId, (Stamp, Arc<Digest>)> = digests.collect();
        let teaching: FxHashMap<MethodId, &Listened> = by_hand
            .iter()
            .filter(is_about)
            .map(|l| (l.test, l))
            .collect();
        // What was learnt names tests by their positions: a test that was edited is back once it is recorded again, and has its
        // position still. Where most are gone nobody waits for them.
        let known = before.filter(|b| b.manual.len() <= 2 * teaching.len() + ABSENT);
        let mut manual = known.map_or_else(Vec::new, |b| b.manual.clone());
        let is_known: FxHashSet<MethodId> = manual.iter().copied().collect();
        let new = by_hand.iter().filter(is_about).map(|l| l.test);
        manual.extend(new.filter(|test| !is_known.contains(test)));
        let of_nobody = Digest::default();
        let heard = manual.iter().map(|test| {
            let digest = teaching.get(test).and_then(|l| l.digest.as_deref());
            Heard {
                is_own: digest.is_some() && self.teachers.own.contains(test),
                digest: digest.unwrap_or(&of_nobody),
            }
        });
        let heard: Vec<Heard<'_>> = heard.collect();
        let generated = asked.iter().filter_map(|l| l.digest.as_deref());
        let generated: Vec<&Digest> = generated.collect();
        let read = |at: usize, wants: &dyn Fn(&Called) -> bool| {
            let own = teaching.get(&manual[at])?;
            let known = own.calls.as_ref().map(Cow::Borrowed);
            known.or_else(|| self.calls(own.test, wants).map(Cow::Owned))
        };
        let poll = || self.analysis.workspace().poll();
        let nothing = Lessons::default();
        let lessons = known.map_or(&nothing, |b| &b.lessons);
        let lessons = learn_anew(&heard, &generated, &read, lessons, self.options, &poll);
        let broke = DashMap::new();
        let mut left: FxHashMap<MethodId, (Stamp, Left)> = FxHashMap::default();
        let renewal = known.and_then(|b| Renewal::new(&b.lessons, &lessons, self.options));
        for one in known.iter().flat_map(|b| &b.broke) {
            let (test, (stamp, known)) = one.pair();
            if self.stamp(*test) != Some(*stamp) {
                continue;
            }
            let stands = renewal.as_ref().map(|r| r.of(&known.broken));
            let is_whole = stands.as_ref().is_some_and(|s| s.others.is_empty());
            let own = match stands.map(|s| (s.broken, s.others)) {
                Some((Cow::Borrowed(_), _)) => Arc::clone(known),
                Some((Cow::Owned(broken), _)) if is_whole => Arc::new(Broke {
                    broken,
                    whence: Arc::clone(&known.whence),
                }),
                stands => {
                    let own = Left {
                        whence: Arc::clone(&known.whence),
                        stands: stands.map(|(broken, others)| (broken.into_owned(), others)),
                    };
                    left.insert(*test, (*stamp, own));
                    continue;
                }
            };
            broke.insert(*test, (*stamp, own));
        }
        let out = Taught {
            how,
            lessons,
            teaching: teaching.keys().copied().collect(),
            manual,
            digests,
            unreadable,
            left,
            broke,
        };
        // Their calls are at hand.
        let judged: FxHashSet<MethodId> = self.judged.iter().copied().collect();
        let read = asked.par_iter().filter(|l| judged.contains(&l.test));
        read.for_each(|l| {
            if let (Some(calls), Some(stamp)) = (&l.calls, l.stamp) {
                self.broken(&out, l.test, stamp, calls);
            }
        });
        out
    }

    fn examined(&self, taught: &Arc<Taught>) -> Arc<Examination> {
        // Of the very same that was taught: it names tests by their positions there.
        let tests = self.identity(&[&self.by_hand, &self.recorded, &self.judged]);
        let mut key = FxHasher::default();
        (tests, Arc::as_ptr(taught).addr()).hash(&mut key);
        let key = key.finish();
        let last: Arc<Last<Examination>> = self.analysis.lasting();
        last.get_or(self.class, key, || {
            let before = last.get(self.class);
            let before = before.filter(|b| Arc::ptr_eq(&b.taught, taught));
            let one = |test: &MethodId| Some((*test, self.broke(taught, *test)?));
            let all: Vec<Option<(MethodId, Arc<Broke>)>> =
                self.judged.par_iter().map(one).collect();
            // Nothing is known of what cannot be read.
            let unreadable = all.iter().filter(|read| read.is_none()).count();
            let all: Vec<(MethodId, Arc<Broke>)> = all.into_iter().flatten().collect();
            let broken = all.iter().map(|(_, broke)| &broke.broken);
            let broken: Vec<&Broken> = broken.collect();
            let before = before.as_ref().map(|b| &*b.examined);
            Examination {
                taught: Arc::clone(taught),
                examined: Arc::new(together(&taught.lessons, &broken, before)),
                generated: all,
                unreadable,
            }
        })
    }

    /// What a generated test breaks of what was taught.
    fn broke(&self, taught: &Taught, test: MethodId) -> Option<Arc<Broke>> {
        let stamp = self.stamp(test)?;
        if let Some(known) = taught.broke.get(&test)
            && known.0 == stamp
        {
            return Some(Arc::clone(&known.1));
        }
        let left = taught.left.get(&test).filter(|left| left.0 == stamp);
        let stands = left.and_then(|(_, left)| left.stands.as_ref());
        if let Some((stands, others)) = stands {
            let calls = self.calls(test, &|method| others.contains(method))?;
            let broken = stands.with(&taught.lessons, &calls, others, self.options);
            return Some(self.keep(taught, test, stamp, broken, &calls));
        }
        let calls = self.calls(test, &self.wanted())?;
        Some(self.broken(taught, test, stamp, &calls))
    }

    /// What the calls of a generated test break of what was taught, from now on known.
    fn broken(&self, taught: &Taught, test: MethodId, stamp: Stamp, calls: &Calls) -> Arc<Broke> {
        let broken = broken(&taught.lessons, calls, &self.wanted(), self.options);
        self.keep(taught, test, stamp, broken, calls)
    }

    /// What a generated test breaks, from now on known. Where its values go is known already, if its code is the same.
    fn keep(
        &self,
        taught: &Taught,
        test: MethodId,
        stamp: Stamp,
        broken: Broken,
        calls: &Calls,
    ) -> Arc<Broke> {
        let left = taught.left.get(&test).filter(|left| left.0 == stamp);
        let known = left.map(|(_, left)| Arc::clone(&left.whence.known));
        let own = Arc::new(Broke {
            whence: Arc::new(Whence::new(&calls.places, known.unwrap_or_default())),
            broken,
        });
        taught.broke.insert(test, (stamp, Arc::clone(&own)));
        own
    }
}

/// So many hand-written tests of a class may be waited for, however few there are.
const ABSENT: usize = 32;

/// The code of which a test was recorded, and when.
type Stamp = (Key, i64);

/// The classes whose methods tests called when they were recorded: there are as many classes under test as tests, and each asks
/// all of these.
#[derive(Default)]
struct Callees {
    by: DashMap<MethodId, (Stamp, Box<[SmolStr]>)>,
    /// Each name once.
    names: DashSet<SmolStr>,
}

impl Store for Callees {
    const RESTS_ON: &'static [Part] = &[];
}

impl Callees {
    fn keep(&self, test: MethodId, stamp: Stamp, calls: &Calls) {
        let classes: BTreeSet<&SmolStr> = calls.methods.iter().map(|m| &m.class).collect();
        let name = |class: &SmolStr| {
            self.names.insert(class.clone());
            self.names
                .get(class)
                .map_or_else(|| class.clone(), |own| own.clone())
        };
        let classes = classes.into_iter().map(name).collect();
        self.by.insert(test, (stamp, classes));
    }

    /// True if a test is known to call none of the classes that are wanted.
    fn is_of_others(
        &self,
        test: MethodId,
        stamp: Option<Stamp>,
        wants: &dyn Fn(&str) -> bool,
    ) -> bool {
        let known = self.by.get(&test);
        known.is_some_and(|known| {
            let (of, classes) = known.value();
            Some(*of) == stamp && !classes.iter().any(|class| wants(class))
        })
    }
}

/// What there is to learn from a test.
struct Listened {
    test: MethodId,
    stamp: Option<Stamp>,
    /// None if what it called cannot be read.
    digest: Option<Arc<Digest>>,
    /// What it called, if that was read for it.
    calls: Option<Calls>,
}

/// Which assertions what was broken reaches: these, and the ways there, are added to `out`.
fn find_ways(analysis: &Analysis, made: &Examination, options: &Options, out: &mut Judged) {
    // Computed in parallel itself, by whoever asks first.
    analysis.known();
    let seen = made.generated.par_iter().map(|(test, broke)| {
        (
            broke.whence.assertions(analysis, *test),
            broke.whence.ways(analysis, *test, &broke.broken, options),
        )
    });
    let seen: Vec<_> = seen.collect();
    for (test, (assertions, ways)) in seen.into_iter().enumerate() {
        let (first, broken) = (out.assertions.len(), made.examined.of_test(test).start);
        out.assertions.extend(assertions.iter().cloned());
        out.ways.add(first, broken, ways);
        let (_, broke) = &made.generated[test];
        out.places.push(Arc::clone(&broke.whence.places));
    }
}

/// Who accepts an assertion says that what reached it is usual: what it broke is no constraint. What is left of what reaches
/// the assertions of each test; nothing if nothing is accepted.
fn without_accepted(analysis: &Analysis, judged: &Judged) -> Vec<Vec<Reached>> {
    let (program, dismissed) = (analysis.program(), analysis.dismissed());
    if dismissed.is_empty() {
        return Vec::new();
    }
    let accepts = |a: &Assertion| dismissed.accepts(program, a.test, &said(program, a), a.span.end);
    let accepted: Vec<bool> = judged.assertions.iter().map(accepts).collect();
    let reached = judged.ways.reached();
    let broken = |own: &InTest<'_>, r: &Reached| {
        let at = judged.examined.of_test(own.test).start + r.violation as usize;
        Some(Arc::as_ptr(&judged.violation(at)?.broken))
    };
    let refuted: FxHashSet<_> = reached
        .iter()
        .flat_map(|own| {
            let is_accepted = |r: &&Reached| accepted[own.first + r.assertion as usize];
            let by = own.reached.iter().filter(is_accepted);
            by.map(|r| broken(own, r))
        })
        .collect();
    let left = reached.iter().map(|own| {
        let all = own.reached.iter().copied();
        all.filter(|r| !refuted.contains(&broken(own, r))).collect()
    });
    left.collect()
}

/// What hand-written tests taught of a class: kept as long as they are what was recorded, whatever becomes of generated ones.
#[derive(Debug)]
struct Taught {
    /// A hash of how it was learnt.
    how: u64,
    lessons: Lessons,
    /// Those that call the class, or did.
    manual: Vec<MethodId>,
    /// Those of them that teach.
    teaching: FxHashSet<MethodId>,
    /// What tests called of the class, generated ones among them.
    digests: FxHashMap<MethodId, (Stamp, Arc<Digest>)>,
    /// Of the class's own tests, those whose calls cannot be read.
    unreadable: usize,
    /// What is left of generated tests that call methods of which something else was learnt before.
    left: FxHashMap<MethodId, (Stamp, Left)>,
    /// What generated tests break of it.
    broke: DashMap<MethodId, (Stamp, Arc<Broke>)>,
}

/// What a generated test breaks: the same as long as its code is.
#[derive(Debug)]
struct Broke {
    broken: Broken,
    whence: Arc<Whence>,
}

/// What is known of a generated test that calls methods of which something else was learnt since.
#[derive(Debug)]
struct Left {
    whence: Arc<Whence>,
    /// What it broke of other methods, which it breaks still, and the methods that are to be asked anew; none if all are.
    stands: Option<(Broken, BTreeSet<Called>)>,
}

/// What examining a class gave: kept as long as the same tests with the same code were recorded.
#[derive(Debug)]
struct Examination {
    taught: Arc<Taught>,
    examined: Arc<Examined>,
    generated: Vec<(MethodId, Arc<Broke>)>,
    /// Tests whose calls cannot be read.
    unreadable: usize,
}
