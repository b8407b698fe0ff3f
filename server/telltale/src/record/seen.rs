//! What one run of the tests told, read from its segments while they are written.
//!
//! Of what is not needed before the run is over nothing is held as it was read: the calls of a test, and what it did to the code
//! under test, are packed when it ends.

use super::{Outcomes, TestName};
use crate::failure::Failure;
use evidence::segment::{End, Event, Fate, Moment, Status, Stream};
use evidence::{Call, Called, Calls, Deflated, Packed, Profile, Return, Slots, Slotted, Value};
use runner::javac::Problem;
use runner::{Only, Place};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Instant;
use text::LineSet;

/// What the agent says behind the last block that found room.
const UNWRITTEN: &str = "the file could not be written: ";

/// What the agent says of tests of which nobody knows what they ran.
pub(super) const OVERLAPPED: &str = "coverage of tests that ran at the same time";

/// How much is kept of what a test failed with, in characters.
const MESSAGE: usize = 400;

/// How much of a segment is read at once.
const PIECE: u64 = 1 << 16;

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    Failed,
    /// Aborted, skipped, or cut off.
    Neither,
}

/// What one run told.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) java: String,
    /// How many JVMs wrote something.
    pub(super) jvms: usize,
    /// Where JVMs ran tests, and how.
    pub(super) places: Vec<Place>,
    pub(super) outcomes: Outcomes,
    /// What tests failed with.
    pub(super) failures: BTreeMap<TestName, String>,
    /// What slots of tests saw.
    pub(super) slots: BTreeMap<u32, OfTests>,
    /// What slots of the code under test saw, test by test, in each JVM that ran it.
    pub(super) inside: BTreeMap<TestName, Vec<Deflated<Slots>>>,
    /// What tests called of the code under test, in each JVM that ran them.
    pub(super) calls: BTreeMap<TestName, Vec<Packed>>,
    /// Which lines tests ran, where that was asked for.
    pub(super) coverage: Coverage,
    /// Tests whose JVM ended while they ran.
    pub(super) cut: Vec<Cut>,
    /// Slots of queries that were not answered, each of which ended a JVM.
    pub(super) endless: BTreeSet<u32>,
    /// What the build's compiler said.
    pub(super) problems: Vec<Problem>,
    /// Why a JVM could not write all that there was.
    pub(super) unwritten: Option<String>,
    pub(super) lost: Vec<(String, u64)>,
}

/// Which lines ran, by class.
pub(super) type ClassLines = FxHashMap<SmolStr, LineSet>;

/// Which lines ran.
#[derive(Debug, Default)]
pub(super) struct Coverage {
    /// By test, all of its invocations together.
    pub(super) tests: BTreeMap<TestName, ClassLines>,
    /// Outside of tests.
    pub(super) outside: ClassLines,
    /// The lines that have code, of classes that were loaded.
    pub(super) code: ClassLines,
    /// Tests that ran at the same time as others.
    pub(super) lost: u64,
}

impl Coverage {
    fn add(&mut self, other: Coverage) {
        let join = |own: &mut ClassLines, other: ClassLines| {
            let more = other.into_iter();
            more.for_each(|(class, lines)| own.entry(class).or_default().extend(&lines));
        };
        for (test, lines) in other.tests {
            join(self.tests.entry(test).or_default(), lines);
        }
        join(&mut self.outside, other.outside);
        join(&mut self.code, other.code);
        self.lost += other.lost;
    }
}

/// A test whose JVM ended while it ran.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cut {
    pub(super) class: SmolStr,
    pub(super) method: SmolStr,
    pub(super) why: Why,
}

/// Why a JVM ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Why {
    /// The test took too long. What the threads did is in this file, if it could be written.
    Slow(Option<PathBuf>),
    /// Somebody called `System.exit`.
    Exit(String),
    /// Memory ran out.
    Memory,
    /// Nobody said.
    Gone,
}

/// What a slot of a test saw in one run, over all tests that ran it.
#[derive(Clone, Debug, Default)]
pub(super) struct OfTests {
    pub(super) seen: Slotted,
    /// The tests, as the framework names them.
    pub(super) tests: FxHashSet<TestName>,
}

impl Seen {
    /// The tests that failed, and with what, in order of their names.
    pub(super) fn failures(&self) -> Vec<(String, String)> {
        let failed = self.outcomes.iter();
        let failed = failed.filter(|(_, outcome)| **outcome == Outcome::Failed);
        let mut out: Vec<(String, String)> = failed
            .map(|(name, _)| {
                let (class, method, which) = name;
                let which = match which.is_empty() || **which == **method {
                    true => String::new(),
                    false => format!(" {which}"),
                };
                let said = self.failures.get(name).cloned().unwrap_or_default();
                (format!("{class}#{method}{which}"), said)
            })
            .collect();
        out.sort();
        out
    }

    pub(super) fn failed(&self) -> usize {
        self.ended(Outcome::Failed)
    }

    /// The classes of tests that failed and ran nothing of the code: the set-up of the class may have failed. A class may come
    /// several times.
    pub(super) fn unable(&self) -> impl Iterator<Item = &SmolStr> {
        let failed = self.outcomes.iter().filter(|o| *o.1 == Outcome::Failed);
        let ran: FxHashSet<(&SmolStr, &SmolStr)> =
            self.coverage.tests.keys().map(|t| (&t.0, &t.1)).collect();
        let none = failed.filter(move |((class, method, _), _)| !ran.contains(&(class, method)));
        none.map(|((class, ..), _)| class)
    }

    /// How many ran to their end: not those that were skipped.
    pub(super) fn ran(&self) -> usize {
        self.outcomes.len() - self.skipped()
    }

    /// How many were skipped, or gave up.
    pub(super) fn skipped(&self) -> usize {
        self.ended(Outcome::Neither)
    }

    fn ended(&self, so: Outcome) -> usize {
        self.outcomes.values().filter(|o| **o == so).count()
    }

    /// True if a test ran, or was skipped, and none of its invocations failed.
    pub(super) fn has_passed(&self, test: &Only) -> bool {
        let is_it = |name: &TestName| {
            let is_named = |method: &String| *method == *name.1;
            name.0 == *test.class && test.method.as_ref().is_none_or(is_named)
        };
        let mut own = self
            .outcomes
            .iter()
            .filter(|(name, _)| is_it(name))
            .peekable();
        own.peek().is_some() && own.all(|(_, outcome)| *outcome != Outcome::Failed)
    }

    /// How many tests passed that do not in another run.
    pub(super) fn lost_by(&self, other: &Seen) -> usize {
        let passed = self.outcomes.iter().filter(|o| *o.1 == Outcome::Passed);
        let is_lost = |name: &TestName| other.outcomes.get(name) != Some(&Outcome::Passed);
        passed.filter(|(name, _)| is_lost(name)).count()
    }

    /// True if a test that is not left out ended in another run and in none of its invocations here: somebody else ended its JVM
    /// before it began.
    pub(super) fn lacks(&self, other: &Seen, left_out: &[Cut]) -> bool {
        let own: BTreeSet<_> = self.outcomes.keys().map(|t| (&t.0, &t.1)).collect();
        let is_left_out = |t: &TestName| {
            let mut all = left_out.iter();
            all.any(|cut| (&cut.class, &cut.method) == (&t.0, &t.1))
        };
        let mut others = other.outcomes.keys();
        others.any(|t| !own.contains(&(&t.0, &t.1)) && !is_left_out(t))
    }

    /// The calls of a test, as one would have seen them who held them all.
    pub(super) fn calls_of(&self, test: &TestName) -> Option<Calls> {
        let mut all = self.calls.get(test)?.iter().filter_map(Packed::calls);
        let mut first = all.next()?;
        all.for_each(|more| first.append(more));
        Some(first)
    }

    /// What slots of the code under test saw in a test, in all JVMs together.
    pub(super) fn slots_of(&self, test: &TestName) -> Slots {
        let mut all = Slots::new();
        for packed in self.inside.get(test).into_iter().flatten() {
            for (slot, more) in packed.inflate() {
                all.entry(slot).or_default().add(more);
            }
        }
        all
    }

    /// Adds what another JVM told.
    fn add(&mut self, other: Seen) {
        if !other.java.is_empty() {
            self.java = other.java;
        }
        self.jvms += 1;
        for place in other.places {
            if !self.places.iter().any(|p| p.is_like(&place)) {
                self.places.push(place);
            }
        }
        for (name, outcome) in other.outcomes {
            let known = self.outcomes.entry(name).or_insert(outcome);
            if outcome == Outcome::Failed {
                *known = outcome;
            }
        }
        self.failures.extend(other.failures);
        for (slot, more) in other.slots {
            let own = self.slots.entry(slot).or_default();
            own.seen.add(more.seen);
            own.tests.extend(more.tests);
        }
        for (test, slots) in other.inside {
            self.inside.entry(test).or_default().extend(slots);
        }
        for (test, calls) in other.calls {
            self.calls.entry(test).or_default().extend(calls);
        }
        self.coverage.add(other.coverage);
        self.cut.extend(other.cut);
        self.endless.extend(other.endless);
        self.unwritten = self.unwritten.take().or(other.unwritten);
        self.lost.extend(other.lost);
    }
}

/// The segments of a run, each read as far as it is written.
pub(super) struct Segments<'a> {
    folder: &'a Path,
    /// The first slot of the code under test.
    inside: u32,
    /// Lines are read.
    covers: bool,
    /// In the order of the files' names, in which they are put together.
    jvms: BTreeMap<PathBuf, Jvm>,
    broken: Option<Failure>,
}

impl<'a> Segments<'a> {
    /// Slots from `inside` on stand in the code under test.
    pub(super) fn new(folder: &'a Path, inside: u32) -> Segments<'a> {
        Segments {
            folder,
            inside,
            covers: false,
            jvms: BTreeMap::new(),
            broken: None,
        }
    }

    /// The same, and lines are read.
    pub(super) fn covering(self, covers: bool) -> Segments<'a> {
        Segments { covers, ..self }
    }

    /// Reads what was written since the last time.
    pub(super) fn poll(&mut self) {
        if self.broken.is_none() {
            self.broken = self.try_poll().err();
        }
    }

    fn try_poll(&mut self) -> Result<(), Failure> {
        let refused = |path: &Path, e: &dyn std::fmt::Display| {
            Failure::Run(format!("{}: {e}", path.display()))
        };
        let entries = std::fs::read_dir(self.folder).map_err(|e| refused(self.folder, &e))?;
        for file in entries.filter_map(|e| Some(e.ok()?.path())) {
            if file.extension().is_none_or(|x| x != "seg") {
                continue;
            }
            let jvm = self.jvms.entry(file.clone()).or_insert_with(|| Jvm {
                inside: self.inside,
                covers: self.covers,
                ..Jvm::default()
            });
            let size = std::fs::metadata(&file).map_or(0, |m| m.len());
            if size > jvm.read {
                jvm.read_on(&file).map_err(|e| refused(&file, &e))?;
            }
        }
        Ok(())
    }

    /// How many test methods have ended.
    pub(super) fn ended(&self) -> usize {
        self.jvms.values().map(|jvm| jvm.ended.len()).sum()
    }

    /// A test that runs now, the one that began first, and since when.
    pub(super) fn running(&self) -> Option<(&TestName, Instant)> {
        let all = self.jvms.values().flat_map(|jvm| {
            let open = jvm.open.iter();
            open.filter_map(|o| Some((jvm.tests.get(&o.test)?, o.since)))
        });
        all.min_by_key(|(_, since)| *since)
    }

    /// All that the run told, once it is over.
    ///
    /// # Errors
    /// If a segment cannot be read, or is none.
    pub(super) fn finish(mut self) -> Result<Seen, Failure> {
        self.poll();
        if let Some(broken) = self.broken {
            return Err(broken);
        }
        let mut seen = Seen::default();
        for (_, jvm) in self.jvms {
            seen.add(jvm.done(self.folder));
        }
        seen.cut.sort();
        seen.cut.dedup();
        Ok(seen)
    }
}

/// What is known of one JVM while its segment is read.
#[derive(Default)]
struct Jvm {
    /// The first slot of the code under test.
    inside: u32,
    covers: bool,
    /// By class: the line of each probe.
    probes: FxHashMap<SmolStr, Vec<u32>>,
    stream: Stream,
    /// How many bytes of the file were read.
    read: u64,
    own: Seen,
    place: Option<Place>,
    tests: FxHashMap<u64, TestName>,
    /// Class and method of the tests that ended.
    ended: FxHashSet<(SmolStr, SmolStr)>,
    /// The tests that run, and at last those that ran when the JVM ended.
    open: Vec<Open>,
    fates: BTreeMap<u64, (Fate, String)>,
    methods: FxHashMap<u64, Called>,
    profiles: FxHashMap<u64, Profile>,
    /// By test, until it ends.
    calls: BTreeMap<u64, Gathered>,
    slots: BTreeMap<u64, Slots>,
}

/// A test that began.
struct Open {
    test: u64,
    thread: u64,
    since: Instant,
}

/// The calls of a test while a segment is read.
#[derive(Default)]
struct Gathered {
    calls: Calls,
    /// Positions of what has numbers in the segment.
    methods: FxHashMap<u64, u32>,
    profiles: FxHashMap<u64, u32>,
    begun: FxHashMap<u64, usize>,
}

impl Jvm {
    fn read_on(&mut self, file: &Path) -> Result<(), Box<dyn std::error::Error>> {
        let mut from = std::fs::File::open(file)?;
        from.seek(SeekFrom::Start(self.read))?;
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let n = from.by_ref().take(PIECE).read_to_end(&mut bytes)?;
            if n == 0 {
                return Ok(());
            }
            self.read += n as u64;
            let mut stream = std::mem::take(&mut self.stream);
            let told = stream.push(&bytes, &mut |event| self.see(event));
            self.stream = stream;
            told?;
        }
    }

    fn see(&mut self, event: Event) {
        match event {
            Event::Jvm {
                version,
                class_path,
                directory,
                java,
                arguments,
                properties,
            } => {
                let entries = std::env::split_paths(&class_path).collect();
                let told = runner::Told {
                    java: java.into(),
                    arguments,
                    properties,
                };
                // Told again once tests begin: launchers put the real class path in place first.
                let place = Place::new(directory.into(), entries, &told);
                self.place = Some(place);
                self.own.java = version.to_string();
            }
            Event::Test(id, test) => {
                let which = match test.invocation.is_empty() {
                    true => test.parameters,
                    false => test.invocation,
                };
                self.tests.insert(id, (test.class, test.method, which));
            }
            Event::Started { test, thread } => {
                // A framework that does not tell of an end has gone on to the next test.
                self.open.retain(|open| open.thread != thread);
                self.open.push(Open {
                    test,
                    thread,
                    since: Instant::now(),
                });
            }
            Event::Fate { test, fate, about } => {
                self.fates.entry(test).or_insert((fate, about));
            }
            Event::Ended {
                test,
                status,
                failure,
                ..
            } => self.end(test, status, failure),
            Event::Slot {
                slot,
                test,
                count,
                values,
                cut,
                ..
            } => {
                let Ok(slot) = u32::try_from(slot) else {
                    return;
                };
                let seen = Slotted { count, values, cut };
                let name = self.tests.get(&test);
                if slot < self.inside {
                    let own = self.own.slots.entry(slot).or_default();
                    own.seen.add(seen);
                    own.tests.extend(name.cloned());
                } else if name.is_some() {
                    let of_test = self.slots.entry(test).or_default();
                    of_test.entry(slot).or_default().add(seen);
                }
            }
            Event::Method {
                id,
                class,
                name,
                descriptor,
                parameters,
                ..
            } => {
                let method = Called {
                    class,
                    name,
                    descriptor,
                    parameters,
                };
                self.methods.insert(id, method);
            }
            Event::Profile(id, profile) => drop(self.profiles.insert(id, Profile(profile))),
            Event::Sample {
                method,
                test,
                nonce,
                moment,
                line,
                profile,
                values,
            } => self.sample(test, method, (nonce, moment, line), profile, values),
            Event::Probes(class, probes) if self.covers => {
                let lines: Vec<u32> = probes.iter().map(|p| p.0).collect();
                let code = self.own.coverage.code.entry(class.clone()).or_default();
                code.extend(&lines.iter().copied().collect());
                self.probes.insert(class, lines);
            }
            Event::Coverage { test, class, bits } if self.covers => self.ran(test, class, &bits),
            Event::Slow { .. } => self.lost("a query that took too long", 1),
            Event::Lost { reason, count } if self.covers && reason == OVERLAPPED => {
                self.own.coverage.lost += count;
            }
            // Nobody asked for it in this run.
            Event::Lost { reason, .. } if reason == OVERLAPPED => {}
            Event::Lost { reason, count } => match reason.strip_prefix(UNWRITTEN) {
                Some(why) => self.own.unwritten = Some(why.to_owned()),
                None => self.own.lost.push((reason, count)),
            },
            _ => {}
        }
    }

    /// A test ran lines of a class; the test 0 is what runs outside of tests.
    fn ran(&mut self, test: u64, class: SmolStr, bits: &[u8]) {
        let Some(lines) = self.probes.get(&class) else {
            return;
        };
        let is_set = |at: usize| bits.get(at / 8).is_some_and(|b| b >> (at % 8) & 1 == 1);
        let ran = lines.iter().enumerate().filter(|(at, _)| is_set(*at));
        let ran = ran.map(|(_, line)| *line);
        let coverage = &mut self.own.coverage;
        let of_test = match self.tests.get(&test) {
            Some((of, method, _)) => {
                // Its invocations are one test to whoever reads it.
                let name = (of.clone(), method.clone(), SmolStr::default());
                coverage.tests.entry(name).or_default()
            }
            None => &mut coverage.outside,
        };
        of_test.entry(class).or_default().extend(&ran.collect());
    }

    fn lost(&mut self, reason: &str, count: u64) {
        self.own.lost.push((reason.to_owned(), count));
    }

    fn end(&mut self, test: u64, status: Status, failure: Option<(SmolStr, String)>) {
        // Nobody but the JVM's end says that it is not known.
        if status != Status::Unknown {
            self.open.retain(|open| open.test != test);
        }
        self.pack(test);
        if self.open.is_empty() {
            // Each is of one test.
            self.profiles.clear();
        }
        let Some(name) = self.tests.get(&test).filter(|name| !name.1.is_empty()) else {
            return;
        };
        self.ended.insert((name.0.clone(), name.1.clone()));
        let outcome = match status {
            Status::Passed => Outcome::Passed,
            Status::Failed => Outcome::Failed,
            _ => Outcome::Neither,
        };
        let known = self.own.outcomes.entry(name.clone()).or_insert(outcome);
        if outcome == Outcome::Failed {
            *known = outcome;
        }
        if let Some((class, message)) = failure {
            let class = class.rsplit(['.', '$']).next().unwrap_or(&class);
            let message: String = message.chars().take(MESSAGE).collect();
            let said = match message.is_empty() {
                true => class.to_owned(),
                false => format!("{class}: {message}"),
            };
            self.own.failures.insert(name.clone(), said);
        }
    }

    fn sample(
        &mut self,
        test: u64,
        method: u64,
        (nonce, moment, line): (u64, Moment, Option<u32>),
        profile: u64,
        mut values: Vec<Value>,
    ) {
        // What runs outside of tests is nobody's.
        let (Some(called), true) = (self.methods.get(&method), self.tests.contains_key(&test))
        else {
            return;
        };
        let own = self.calls.entry(test).or_default();
        if moment == Moment::Entry {
            let next = own.calls.methods.len() as u32;
            let method = *own.methods.entry(method).or_insert(next);
            if method == next {
                own.calls.methods.push(called.clone());
            }
            own.begun.insert(nonce, own.calls.calls.len());
            own.calls.calls.push(Call {
                method,
                from: line,
                before: values,
                end: None,
                is_unstable: false,
            });
            return;
        }
        let (Moment::Return, Some(at)) = (moment, own.begun.remove(&nonce)) else {
            return;
        };
        let profile = self.profiles.get(&profile).map(|known| {
            let next = own.calls.profiles.len() as u32;
            let at = *own.profiles.entry(profile).or_insert(next);
            if at == next {
                own.calls.profiles.push(known.clone());
            }
            at
        });
        if let (Some(call), Some(result)) = (own.calls.calls.get_mut(at), values.pop()) {
            call.end = Some(Return {
                profile,
                after: values,
                result,
            });
        }
    }

    /// A test is over: what it told need not be held as it is.
    fn pack(&mut self, test: u64) {
        let (gathered, slots) = (self.calls.remove(&test), self.slots.remove(&test));
        let Some(name) = self.tests.get(&test) else {
            return;
        };
        if let Some(Ok(packed)) = gathered.map(|own| own.calls.pack()) {
            let of_test = self.own.calls.entry(name.clone()).or_default();
            of_test.push(packed);
        }
        if let Some(Ok(packed)) = slots.as_ref().map(Deflated::new) {
            let of_test = self.own.inside.entry(name.clone()).or_default();
            of_test.push(packed);
        }
    }

    /// What it told, once it is over. Files that it wrote are in the folder.
    fn done(mut self, folder: &Path) -> Seen {
        let left: Vec<u64> = self
            .calls
            .keys()
            .chain(self.slots.keys())
            .copied()
            .collect();
        left.into_iter().for_each(|test| self.pack(test));
        if let End::Torn(bytes) = self.stream.end() {
            let bytes = u64::try_from(bytes).unwrap_or(0).min(1);
            self.lost("a JVM was ended while it wrote", bytes);
        }
        let endless = self.fates.values().filter(|of| of.0 == Fate::Query);
        let endless: BTreeSet<u32> = endless.filter_map(|of| of.1.parse().ok()).collect();
        let is_told = self.open.iter().any(|o| self.fates.contains_key(&o.test));
        // What a test is asked and does not answer is none of its doing, nor of those that ran beside it.
        let open = self.open.iter().filter(|_| endless.is_empty());
        for open in open {
            let fate = self.fates.get(&open.test);
            let name = self.tests.get(&open.test).filter(|n| !n.1.is_empty());
            // Where one is known to have ended it, the others ran beside that.
            if let (Some((class, method, _)), true) = (name, fate.is_some() || !is_told) {
                self.own.cut.push(Cut {
                    class: class.clone(),
                    method: method.clone(),
                    why: match fate {
                        Some((Fate::Slow, dump)) => {
                            Why::Slow((!dump.is_empty()).then(|| folder.join(dump)))
                        }
                        Some((Fate::Exit, who)) => Why::Exit(who.clone()),
                        Some((Fate::Memory, _)) => Why::Memory,
                        Some((Fate::Query, _)) | None => Why::Gone,
                    },
                });
            }
        }
        self.own.endless = endless;
        if !self.own.outcomes.is_empty() {
            self.own.places.extend(self.place);
        }
        self.own
    }
}

#[cfg(test)]
mod tests;
