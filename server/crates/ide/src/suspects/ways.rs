//! Where what generated tests break comes from, and which assertions it reaches on which way.

use super::flow::{Born, TestFlow};
use super::{Assertion, assertions, method_of, place, source_sets};
use crate::analysis::Analysis;
use evidence::Called;
use program::MethodId;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use suspects::{Breach, Broken, InTest, Options, Reached, Spot, Step};

/// On which way violations reach assertions, in words: of a class, test by test.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    by: Vec<OfTest>,
}

#[derive(Clone, Debug)]
struct OfTest {
    /// The positions of the test's first assertion and of its first violation among all.
    first: (usize, usize),
    ways: Arc<Gone>,
}

impl Ways {
    /// Adds those of the next test, whose first assertion and violation have these positions.
    pub(super) fn add(&mut self, assertion: usize, violation: usize, ways: Arc<Gone>) {
        let first = (assertion, violation);
        self.by.push(OfTest { first, ways });
    }

    /// What reaches what, test by test.
    pub(super) fn reached(&self) -> Vec<InTest<'_>> {
        let all = self.by.iter().enumerate().map(|(test, own)| InTest {
            test,
            first: own.first.0,
            reached: &own.ways.reached,
        });
        all.collect()
    }

    /// The way from a violation to an assertion.
    pub fn get(&self, assertion: usize, violation: usize) -> Option<&Arc<[String]>> {
        let ((first, broken), own) = self.of(assertion)?;
        let at = (assertion - first, violation.checked_sub(broken)?);
        let key = |r: &Reached| (r.assertion as usize, r.violation as usize);
        let found = own.reached.binary_search_by_key(&at, key);
        own.words.get(found.ok()?)
    }

    /// The violations that reach an assertion.
    pub fn to(&self, assertion: usize) -> impl Iterator<Item = usize> {
        let own = self.of(assertion).into_iter();
        own.flat_map(move |((first, broken), own)| {
            let nth = assertion - first;
            let all = &own.reached;
            let from = all.partition_point(|r| (r.assertion as usize) < nth);
            let own = all[from..].iter();
            let own = own.take_while(move |r| r.assertion as usize == nth);
            own.map(move |r| broken + r.violation as usize)
        })
    }

    /// What reaches the assertions of the test that has this one, and the positions from which it counts.
    fn of(&self, assertion: usize) -> Option<((usize, usize), &Gone)> {
        let test = self.by.partition_point(|t| t.first.0 <= assertion);
        let own = self.by.get(test.checked_sub(1)?)?;
        Some((own.first, &own.ways))
    }
}

/// Where what a generated test breaks comes from, and where it goes: the same as long as the same is broken.
#[derive(Debug)]
pub(super) struct Whence {
    /// From where the test calls.
    pub(super) places: Arc<[evidence::Place]>,
    /// Of the same code the ways are the same, wherever it stands.
    ways: OnceLock<Arc<Gone>>,
    /// What was found out for it, whatever is broken.
    pub(super) known: Arc<Known>,
    /// The test's assertions, as they stand in this text.
    assertions: Mutex<Option<InText>>,
}

impl Whence {
    pub(super) fn new(places: &[evidence::Place], known: Arc<Known>) -> Whence {
        Whence {
            places: places.into(),
            ways: OnceLock::new(),
            known,
            assertions: Mutex::default(),
        }
    }

    /// Which assertions of the test what it breaks reaches: assertion by assertion.
    pub(super) fn ways(
        &self,
        analysis: &Analysis,
        test: MethodId,
        broken: &Broken,
        options: &Options,
    ) -> Arc<Gone> {
        let ways = || {
            let ways = match options.has(Step::Flow) {
                true => self.by_flow(analysis, test, broken, options.has(Step::Fields)),
                false => self.to_all(analysis, test, broken),
            };
            Arc::new(Gone::of(ways))
        };
        Arc::clone(self.ways.get_or_init(ways))
    }

    /// The assertions of the test. Of the same code in the same text they are where they were.
    pub(super) fn assertions(&self, analysis: &Analysis, test: MethodId) -> Arc<[Assertion]> {
        let program = analysis.program();
        let text = program
            .method_file(test)
            .and_then(|file| program.text(file));
        let lock = || {
            self.assertions
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let known = lock().clone();
        if let (Some((of, own)), Some(text)) = (known, text)
            && Arc::ptr_eq(&of, text)
        {
            return own;
        }
        // Nobody waits for what takes long.
        let own: Arc<[Assertion]> = assertions(analysis, test).into();
        *lock() = text.map(|text| (Arc::clone(text), Arc::clone(&own)));
        own
    }

    /// What values reach by flow: of a field, if fields count, those that read it.
    fn by_flow(
        &self,
        analysis: &Analysis,
        test: MethodId,
        broken: &Broken,
        fields_count: bool,
    ) -> Vec<Found> {
        let program = analysis.program();
        let sets = source_sets(program);
        // Many constraints are broken by one value: its way is looked for once.
        let mut births: BTreeMap<(u32, Birth), Vec<usize>> = BTreeMap::new();
        let mut methods: FxHashMap<&Called, Option<MethodId>> = FxHashMap::default();
        let lines = self.lines(analysis, test, broken);
        let violations = broken.violations().iter();
        for (i, (violation, line)) in violations.zip(&lines).enumerate() {
            let called = &violation.broken.method;
            let method = *methods
                .entry(called)
                .or_insert_with(|| method_of(program, &sets, called));
            if let (Some(line), Some(method)) = (*line, method) {
                let birth = (violation.from, method, spots(violation, fields_count));
                births.entry((line, birth)).or_default().push(i);
            }
        }
        let mut flow: Option<Option<TestFlow<'_>>> = None;
        let mut out = Vec::new();
        for ((line, birth), violations) in births {
            let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
            let known = lock().get(&birth).map(Arc::clone);
            let known = known.or_else(|| {
                let flow = flow.get_or_insert_with(|| TestFlow::new(analysis, test));
                let all = flow.as_ref()?.reached(&Born {
                    line,
                    method: birth.1,
                    strange: birth.2.to_vec(),
                });
                let all = all.into_iter().enumerate().filter_map(|(nth, way)| {
                    let words = way?.into_iter().map(|s| s.words);
                    Some((nth, words.collect()))
                });
                let all: Arc<[Way]> = all.collect();
                lock().insert(birth, Arc::clone(&all));
                Some(all)
            });
            for (nth, words) in known.iter().flat_map(|all| all.iter()) {
                let of = |v: &usize| (*nth, *v, Arc::clone(words));
                out.extend(violations.iter().map(of));
            }
        }
        out
    }

    /// From which line of the test each of its violations is born, as it stands now.
    fn lines(&self, analysis: &Analysis, test: MethodId, broken: &Broken) -> Vec<Option<u32>> {
        let places = &self.places;
        let line = |place| place::line(analysis, test, place);
        let by_place: Vec<Option<u32>> = places.iter().map(line).collect();
        let violations = broken.violations().iter();
        let of = |v: &Breach| *by_place.get(v.from? as usize)?;
        violations.map(of).collect()
    }

    /// What would be reached if whatever stands behind a strange call were: each assertion of the test from its line on.
    fn to_all(&self, analysis: &Analysis, test: MethodId, broken: &Broken) -> Vec<Found> {
        let Some(flow) = TestFlow::new(analysis, test) else {
            return Vec::new();
        };
        let mut out = Vec::new();
        let all = self.lines(analysis, test, broken);
        for (nth, assertion) in flow.assertions().iter().enumerate() {
            let lines = all.iter().enumerate();
            let before = lines.filter(|(_, line)| line.is_none_or(|line| line <= assertion.line));
            for (violation, _) in before {
                let called = &broken.violations()[violation].broken.method.name;
                let words = Arc::from([format!("{called}() ran before it")]);
                out.push((nth, violation, words));
            }
        }
        out
    }
}

/// A file's text, and the assertions of a test in it.
type InText = (Arc<str>, Arc<[Assertion]>);

/// Where values of one recording of a test go.
pub(super) type Known = Mutex<FxHashMap<Birth, Arc<[Way]>>>;

/// What a violation says is strange.
fn spots(of: &Breach, fields_count: bool) -> Box<[Spot]> {
    match fields_count {
        true => of.strange().into(),
        false => {
            let whole = |s: &Spot| Spot {
                of: s.of,
                field: None,
            };
            let mut all: Vec<Spot> = of.strange().iter().map(whole).collect();
            all.dedup();
            all.into()
        }
    }
}

/// What may be strange of a call, and from where the call comes, among the places of the recording.
type Birth = (Option<u32>, MethodId, Box<[Spot]>);

/// The assertion that is reached, and the way in words.
type Way = (usize, Arc<[String]>);

/// An assertion of a test, a violation that reaches it, and the way in words.
type Found = (usize, usize, Arc<[String]>);

/// What reaches the assertions of a test, assertion by assertion, and each on which way, in words.
#[derive(Debug, Default)]
pub(super) struct Gone {
    reached: Vec<Reached>,
    words: Vec<Arc<[String]>>,
}

impl Gone {
    fn of(mut all: Vec<Found>) -> Gone {
        all.sort_by_key(|(nth, violation, words)| (*nth, *violation, words.len()));
        // The shortest way counts.
        all.dedup_by_key(|(nth, violation, _)| (*nth, *violation));
        let reached = |(nth, violation, words): &Found| Reached {
            assertion: *nth as u32,
            violation: *violation as u32,
            steps: u32::try_from(words.len()).unwrap_or(u32::MAX),
        };
        Gone {
            reached: all.iter().map(reached).collect(),
            words: all.into_iter().map(|(_, _, words)| words).collect(),
        }
    }
}
