//! From segments to what is kept.

use super::{Outcomes, TestName};
use crate::failure::Failure;
use evidence::segment::{self, End, Event, Moment, Status};
use evidence::{Call, Called, Calls, Observed, Profile, Return, Told, Value};
use ide::Analysis;
use ide::weave::{About, Slot};
use program::MethodId;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// How many different values are kept of one expression in one test, over all its turns.
const KEPT: usize = 8;

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
    /// Working directory and class path of the JVMs that ran tests.
    pub(super) class_paths: Vec<(PathBuf, Vec<PathBuf>)>,
    pub(super) outcomes: Outcomes,
    pub(super) slots: FxHashMap<u32, Slotted>,
    /// What slots of the code under test saw, test by test.
    pub(super) inside: FxHashMap<TestName, BTreeMap<u32, Slotted>>,
    /// What tests called of the code under test.
    pub(super) calls: BTreeMap<TestName, Calls>,
    pub(super) lost: Vec<(String, u64)>,
}

/// What a slot saw in one run, over all tests that ran it; of the code under test in one.
#[derive(Clone, Debug, Default)]
pub(super) struct Slotted {
    count: u64,
    values: Vec<Value>,
    cut: bool,
    /// The tests, as the framework names them.
    tests: FxHashSet<TestName>,
}

impl Seen {
    pub(super) fn failed(&self) -> usize {
        let failed = |o: &&Outcome| **o == Outcome::Failed;
        self.outcomes.values().filter(failed).count()
    }

    /// How many tests passed that do not in another run.
    pub(super) fn lost_by(&self, other: &Seen) -> usize {
        let passed = self.outcomes.iter().filter(|o| *o.1 == Outcome::Passed);
        let is_lost = |name: &TestName| other.outcomes.get(name) != Some(&Outcome::Passed);
        passed.filter(|(name, _)| is_lost(name)).count()
    }
}

impl Slotted {
    fn add(&mut self, count: u64, values: Vec<Value>, cut: bool) {
        self.count += count;
        self.cut |= cut;
        for value in values {
            if self.values.iter().any(|v| v.same(&value)) {
                continue;
            }
            match self.values.len() < KEPT {
                true => self.values.push(value),
                false => self.cut = true,
            }
        }
    }
}

/// Reads the segments of a run, in the order of their names. Slots from `inside` on stand in the code under test.
pub(super) fn read(folder: &Path, inside: u32) -> Result<Seen, Failure> {
    let refused = |e: std::io::Error| Failure::Run(format!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(refused)?
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|x| x == "seg"))
        .collect();
    files.sort();
    let mut seen = Seen::default();
    for file in files {
        let bytes = std::fs::read(&file).map_err(refused)?;
        let mut jvm = Jvm {
            inside,
            ..Jvm::default()
        };
        let end = segment::read(&bytes, &mut |event| jvm.see(&mut seen, event));
        match end {
            Ok(End::Whole) => {}
            Ok(End::Torn(bytes)) => seen.lost.push((
                "a JVM was ended while it wrote".to_owned(),
                u64::try_from(bytes).unwrap_or(0).min(1),
            )),
            Err(e) => {
                return Err(Failure::Run(format!("{}: {e}", file.display())));
            }
        }
        jvm.done(&mut seen);
        seen.jvms += 1;
        if jvm.ran
            && let Some(path) = jvm.class_path
            && !seen.class_paths.contains(&path)
        {
            seen.class_paths.push(path);
        }
    }
    Ok(seen)
}

/// What is known of one JVM while its segment is read.
#[derive(Default)]
struct Jvm {
    /// The first slot of the code under test.
    inside: u32,
    class_path: Option<(PathBuf, Vec<PathBuf>)>,
    tests: FxHashMap<u64, TestName>,
    ran: bool,
    methods: FxHashMap<u64, Called>,
    profiles: FxHashMap<u64, Profile>,
    /// By test.
    calls: BTreeMap<u64, Gathered>,
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
    fn see(&mut self, seen: &mut Seen, event: Event) {
        match event {
            Event::Jvm {
                version,
                class_path,
                directory,
            } => {
                let entries = std::env::split_paths(&class_path).collect();
                // Told again once tests begin: launchers put the real one in place first.
                self.class_path = Some((directory.into(), entries));
                seen.java = version.to_string();
            }
            Event::Test(id, test) => {
                let which = match test.invocation.is_empty() {
                    true => test.parameters,
                    false => test.invocation,
                };
                self.tests.insert(id, (test.class, test.method, which));
            }
            Event::Ended { test, status, .. } => {
                let Some(name) = self.tests.get(&test) else {
                    return;
                };
                if name.1.is_empty() {
                    return;
                }
                self.ran = true;
                let outcome = match status {
                    Status::Passed => Outcome::Passed,
                    Status::Failed => Outcome::Failed,
                    _ => Outcome::Neither,
                };
                let known = seen.outcomes.entry(name.clone()).or_insert(outcome);
                if outcome == Outcome::Failed {
                    *known = outcome;
                }
            }
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
                let test = self.tests.get(&test);
                if slot < self.inside {
                    let own = seen.slots.entry(slot).or_default();
                    own.add(count, values, cut);
                    own.tests.extend(test.cloned());
                } else if let Some(test) = test {
                    let of_test = seen.inside.entry(test.clone()).or_default();
                    of_test.entry(slot).or_default().add(count, values, cut);
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
            Event::Slow { .. } => seen.lost.push(("a query that took too long".to_owned(), 1)),
            Event::Lost { reason, count } => seen.lost.push((reason, count)),
            _ => {}
        }
    }
}

impl Jvm {
    fn sample(
        &mut self,
        test: u64,
        method: u64,
        (nonce, moment, line): (u64, Moment, Option<u32>),
        profile: u64,
        mut values: Vec<Value>,
    ) {
        let Some(called) = self.methods.get(&method) else {
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

    /// Hands over what was gathered by test.
    fn done(&mut self, seen: &mut Seen) {
        for (test, gathered) in std::mem::take(&mut self.calls) {
            if let Some(name) = self.tests.get(&test) {
                seen.calls
                    .entry(name.clone())
                    .or_default()
                    .append(gathered.calls);
            }
        }
    }
}

/// What is kept of tests.
pub(super) struct Kept {
    pub(super) told: Vec<(SmolStr, Told)>,
    pub(super) values: usize,
    pub(super) disturbed: Vec<String>,
}

/// Joins the plain run and the two that looked.
pub(super) fn tests(
    analysis: &Analysis,
    asked: &[MethodId],
    slots: &[Slot],
    inside: &[Slot],
    runs: [&Seen; 3],
) -> Kept {
    let [plain, first, second] = runs;
    let mut kept: BTreeMap<MethodId, (Told, bool)> = BTreeMap::new();
    let mut values = 0;
    for slot in slots {
        let (a, b) = (
            first.slots.get(&slot.number),
            second.slots.get(&slot.number),
        );
        let Some(seen) = a.or(b) else {
            continue;
        };
        let outcome = |run: &Seen| {
            let of = seen.tests.iter().filter_map(|t| run.outcomes.get(t));
            of.fold(Outcome::Passed, |all, one| match (all, one) {
                (Outcome::Failed, _) | (_, Outcome::Failed) => Outcome::Failed,
                (Outcome::Neither, _) => Outcome::Neither,
                (_, one) => *one,
            })
        };
        let (was, is, again) = (outcome(plain), outcome(first), outcome(second));
        let Some(test) = slot.test else { continue };
        let (told, disturbed) = kept.entry(test).or_insert_with(|| {
            let told = Told {
                key: analysis.key(test),
                asked: analysis.asked(test),
                passed: true,
                ..Told::default()
            };
            (told, false)
        });
        told.passed &= [was, is, again] == [Outcome::Passed; 3];
        // A test that fails of itself now and then says nothing of who looks at it.
        *disturbed |= was == Outcome::Passed && is == Outcome::Failed && again == Outcome::Failed;
        values += 1;
        let observed = joined(a, b);
        match &slot.about {
            About::Query(expression) => drop(told.queries.insert(expression.clone(), observed)),
            About::Variable(seen) => drop(told.variables.insert(seen.clone(), observed)),
        }
    }
    let places: BTreeMap<u32, &evidence::Seen> = inside.iter().filter_map(place).collect();
    for (test, names) in framework_names(analysis, asked, first.outcomes.keys()) {
        let ran: BTreeSet<u32> = names
            .iter()
            .filter_map(|name| first.inside.get(*name))
            .flat_map(|slots| slots.keys().copied())
            .collect();
        if ran.is_empty() {
            continue;
        }
        let passed = [plain, first, second].iter().all(|run| {
            let outcome = |name: &&TestName| run.outcomes.get(*name) == Some(&Outcome::Passed);
            names.iter().all(outcome)
        });
        let (told, _) = kept.entry(test).or_insert_with(|| {
            let told = Told {
                key: analysis.key(test),
                asked: analysis.asked(test),
                passed,
                ..Told::default()
            };
            (told, false)
        });
        told.passed &= passed;
        for slot in ran {
            let [a, b] = [first, second].map(|run| within(run, &names, slot));
            if let Some(seen) = places.get(&slot) {
                told.inside
                    .insert((*seen).clone(), joined(a.as_ref(), b.as_ref()));
            }
        }
    }
    for (test, names) in framework_names(analysis, asked, first.calls.keys()) {
        let mut all: Option<Calls> = None;
        let mut passed = true;
        for name in names {
            let Some(of) = first.calls.get(name) else {
                continue;
            };
            let outcome = |run: &Seen| run.outcomes.get(name) == Some(&Outcome::Passed);
            passed &= outcome(plain) && outcome(first) && outcome(second);
            let mut own = of.clone();
            own.compare(second.calls.get(name).unwrap_or(&Calls::default()));
            match &mut all {
                Some(all) => all.append(own),
                None => all = Some(own),
            }
        }
        let Some(mut all) = all.filter(|c| !c.calls.is_empty()) else {
            continue;
        };
        ide::suspects::keep_places(analysis.program(), test, &mut all);
        let (told, _) = kept.entry(test).or_insert_with(|| {
            let told = Told {
                key: analysis.key(test),
                asked: analysis.asked(test),
                passed,
                ..Told::default()
            };
            (told, false)
        });
        told.passed &= passed;
        told.calls = all.pack().ok();
    }
    let program = analysis.program();
    let mut told = Vec::with_capacity(kept.len());
    let mut disturbed = Vec::new();
    for (test, (mut own, is_disturbed)) in kept {
        let name = program.method_name(test);
        if is_disturbed {
            own.queries.clear();
            disturbed.push(name.clone());
        }
        told.push((SmolStr::new(name), own));
    }
    told.sort_by(|a, b| a.0.cmp(&b.0));
    disturbed.sort();
    Kept {
        told,
        values,
        disturbed,
    }
}

/// What a slot of the code under test tells of.
fn place(slot: &Slot) -> Option<(u32, &evidence::Seen)> {
    match &slot.about {
        About::Variable(seen) => Some((slot.number, seen)),
        About::Query(_) => None,
    }
}

/// What a slot of the code under test saw in all invocations of a test.
fn within(run: &Seen, names: &[&TestName], slot: u32) -> Option<Slotted> {
    let mut all: Option<Slotted> = None;
    let mut is_in_each = true;
    for name in names {
        let own = run.inside.get(*name).and_then(|slots| slots.get(&slot));
        is_in_each &= own.is_some();
        match (&mut all, own) {
            (Some(all), Some(own)) => all.add(own.count, own.values.clone(), own.cut),
            (None, Some(own)) => all = Some(own.clone()),
            (_, None) => {}
        }
    }
    // In an invocation that does not come by there is no such value.
    all.map(|own| Slotted {
        cut: own.cut || !is_in_each,
        ..own
    })
}

/// The names under which frameworks told of each test, in order. Of methods with one name in one class nobody says which it was.
fn framework_names<'a>(
    analysis: &Analysis,
    asked: &[MethodId],
    told: impl Iterator<Item = &'a TestName>,
) -> Vec<(MethodId, Vec<&'a TestName>)> {
    let program = analysis.program();
    let mut of: FxHashMap<(&str, &str), Vec<&TestName>> = FxHashMap::default();
    for name in told {
        of.entry((&name.0, &name.1)).or_default().push(name);
    }
    let mut out = Vec::new();
    let mut count: FxHashMap<(SmolStr, SmolStr), u32> = FxHashMap::default();
    let names: Vec<(MethodId, Vec<(SmolStr, SmolStr)>)> = asked
        .iter()
        .map(|&test| {
            let owner = program.method_owner(test);
            let method = program.method_decl(test).map_or("", |m| &m.name);
            let below = program.subtypes(owner).iter().copied();
            let classes = std::iter::once(owner).chain(below);
            let own = classes.map(|c| (program.type_name(c).clone(), SmolStr::new(method)));
            (test, own.collect())
        })
        .collect();
    for name in names.iter().flat_map(|(_, own)| own) {
        *count.entry(name.clone()).or_default() += 1;
    }
    for (test, own) in names {
        let mut found: Vec<&TestName> = Vec::new();
        for (class, method) in own {
            if count.get(&(class.clone(), method.clone())) == Some(&1) {
                found.extend(of.get(&(&*class, &*method)).into_iter().flatten());
            }
        }
        found.sort();
        out.push((test, found));
    }
    out
}

/// What two runs saw of one expression.
fn joined(a: Option<&Slotted>, b: Option<&Slotted>) -> Observed {
    let both = a.is_some() && b.is_some();
    let (Some(own), other) = (a.or(b), b) else {
        return Observed {
            values: Vec::new(),
            count: 0,
            cut: false,
            differs: None,
            once: true,
        };
    };
    let is_in = |v: &Value, all: &[Value]| all.iter().any(|o| o.same(v));
    let differs = other.filter(|other| {
        both && !(own.values.iter().all(|v| is_in(v, &other.values))
            && other.values.iter().all(|v| is_in(v, &own.values)))
    });
    Observed {
        values: own.values.clone(),
        count: own.count,
        cut: own.cut,
        differs: differs.map(|other| other.values.clone()),
        once: !both,
    }
}
