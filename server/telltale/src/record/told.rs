//! From what three runs told to what is kept.

use super::TestName;
use super::seen::{Outcome, Seen};
use evidence::{Calls, Definitions, Observed, Slots, Slotted, Told, Value};
use ide::Analysis;
use ide::weave::{About, Slot};
use program::MethodId;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::collections::BTreeMap;

/// What is kept of tests.
pub(super) struct Kept {
    pub(super) told: Vec<(SmolStr, Told)>,
    pub(super) values: usize,
    pub(super) disturbed: Vec<String>,
}

/// What is known of a test until all is.
#[derive(Default)]
struct Own {
    told: Told,
    variables: BTreeMap<evidence::Seen, Observed>,
    /// It ends otherwise where somebody looks.
    disturbed: bool,
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
    let mut kept: BTreeMap<MethodId, Own> = BTreeMap::new();
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
        let own = kept_of(&mut kept, analysis, test);
        own.told.passed &= [was, is, again] == [Outcome::Passed; 3];
        // A test that fails of itself now and then says nothing of who looks at it.
        own.disturbed |=
            was == Outcome::Passed && is == Outcome::Failed && again == Outcome::Failed;
        values += 1;
        let mut observed = joined(a.map(|own| &own.seen), b.map(|own| &own.seen));
        if observed.is_unstable() {
            observed.outline();
        }
        match &slot.about {
            About::Query(q) => drop(own.told.queries.insert(q.clone(), observed)),
            About::Variable(seen) => drop(own.variables.insert(seen.clone(), observed)),
        }
    }
    let places: BTreeMap<u32, &evidence::Seen> = inside.iter().filter_map(place).collect();
    for (test, names) in framework_names(analysis, asked, first.outcomes.keys()) {
        let ran = within(first, &names);
        if ran.is_empty() {
            continue;
        }
        let passed = [plain, first, second].iter().all(|run| {
            let outcome = |name: &&TestName| run.outcomes.get(*name) == Some(&Outcome::Passed);
            names.iter().all(outcome)
        });
        let again = within(second, &names);
        let observed = ran.iter().filter_map(|(slot, own)| {
            let mut observed = joined(Some(own), again.get(slot));
            observed.outline();
            Some(((*places.get(slot)?).clone(), observed))
        });
        let observed = observed.collect();
        let told = &mut kept_of(&mut kept, analysis, test).told;
        told.passed &= passed;
        told.inside = Definitions::pack(&observed).unwrap_or_default();
    }
    for (test, names) in framework_names(analysis, asked, first.calls.keys()) {
        let mut all: Option<Calls> = None;
        let mut passed = true;
        for name in names {
            let Some(mut own) = first.calls_of(name) else {
                continue;
            };
            let outcome = |run: &Seen| run.outcomes.get(name) == Some(&Outcome::Passed);
            passed &= outcome(plain) && outcome(first) && outcome(second);
            own.compare(&second.calls_of(name).unwrap_or_default());
            match &mut all {
                Some(all) => all.append(own),
                None => all = Some(own),
            }
        }
        let Some(mut all) = all.filter(|c| !c.calls.is_empty()) else {
            continue;
        };
        ide::suspects::keep_places(analysis.program(), test, &mut all);
        let told = &mut kept_of(&mut kept, analysis, test).told;
        told.passed &= passed;
        told.calls = all.pack().ok();
    }
    let failed = second.failures.keys();
    for (test, names) in framework_names(analysis, asked, failed) {
        let is_only = |name: &&&TestName| {
            let passed = |run: &Seen| run.outcomes.get(**name) == Some(&Outcome::Passed);
            passed(plain) && passed(first)
        };
        let first = names.iter().find(is_only);
        let message = first.and_then(|name| second.failures.get(*name));
        if let Some(message) = message {
            let told = &mut kept_of(&mut kept, analysis, test).told;
            told.passed = false;
            told.varied = Some(message.clone());
        }
    }
    let program = analysis.program();
    let mut told = Vec::with_capacity(kept.len());
    let mut disturbed = Vec::new();
    for (test, mut own) in kept {
        let name = program.method_name(test);
        if own.disturbed {
            own.told.queries.clear();
            disturbed.push(name.clone());
        }
        own.told.variables = Definitions::pack(&own.variables).unwrap_or_default();
        told.push((SmolStr::new(name), own.told));
    }
    told.sort_by(|a, b| a.0.cmp(&b.0));
    disturbed.sort();
    Kept {
        told,
        values,
        disturbed,
    }
}

/// What is known of a test. Until something fails it passed.
fn kept_of<'k>(
    kept: &'k mut BTreeMap<MethodId, Own>,
    analysis: &Analysis,
    test: MethodId,
) -> &'k mut Own {
    kept.entry(test).or_insert_with(|| {
        let told = Told {
            key: analysis.key(test),
            asked: analysis.asked(test),
            passed: true,
            ..Told::default()
        };
        Own {
            told,
            ..Own::default()
        }
    })
}

/// What a slot of the code under test tells of.
fn place(slot: &Slot) -> Option<(u32, &evidence::Seen)> {
    match &slot.about {
        About::Variable(seen) => Some((slot.number, seen)),
        About::Query(_) => None,
    }
}

/// What slots of the code under test saw in all invocations of a test.
fn within(run: &Seen, names: &[&TestName]) -> Slots {
    let mut all: BTreeMap<u32, (Slotted, usize)> = BTreeMap::new();
    for name in names {
        for (slot, own) in run.slots_of(name) {
            let (seen, invocations) = all.entry(slot).or_default();
            seen.add(own);
            *invocations += 1;
        }
    }
    let of_all = |(slot, (mut seen, invocations)): (u32, (Slotted, usize))| {
        // In an invocation that does not come by there is no such value.
        seen.cut |= invocations < names.len();
        (slot, seen)
    };
    all.into_iter().map(of_all).collect()
}

/// The names under which frameworks told of each test, in order. Of methods with one name in one class nobody says which it was.
pub(super) fn framework_names<'a>(
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
