//! From what the runs of a recording told to what is kept.

use super::TestName;
use super::seen::{OfTests, Outcome, Seen};
use evidence::{Calls, Definitions, Observed, Slots, Slotted, Told, Value};
use ide::Analysis;
use ide::weave::{About, Slot};
use program::{FileId, MethodId};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::collections::{BTreeMap, BTreeSet};

/// What is kept of tests.
pub(super) struct Kept {
    pub(super) told: Vec<(SmolStr, Told)>,
    pub(super) values: usize,
    pub(super) disturbed: Vec<String>,
    pub(super) shifted: Vec<String>,
}

/// The runs of a recording.
pub(super) struct Runs<'a> {
    /// The tests as they are.
    pub(super) plain: &'a Seen,
    /// What was looked at, and nothing asked.
    pub(super) first: &'a Seen,
    /// Tests were asked what they could read.
    pub(super) second: &'a Seen,
    /// Once more, of some tests at least.
    pub(super) third: Option<&'a Seen>,
}

/// What is known of a test until all is.
#[derive(Default)]
struct Own {
    told: Told,
    variables: BTreeMap<evidence::Seen, Observed>,
    /// It ends otherwise where somebody looks.
    disturbed: bool,
    /// Something is another value where tests are asked.
    shifted: bool,
}

/// How the tests ended in a run in which a slot was seen.
fn outcome(seen: &OfTests, run: &Seen) -> Option<Outcome> {
    let of = seen.tests.iter().filter_map(|t| run.outcomes.get(t));
    of.copied().reduce(|all, one| match (all, one) {
        (Outcome::Failed, _) | (_, Outcome::Failed) => Outcome::Failed,
        (Outcome::Neither, _) => Outcome::Neither,
        (_, one) => one,
    })
}

/// Of which tests a third run is to tell: in whose files one was asked for something, or one is otherwise in the second run than
/// in the first. None if nothing was asked, and all if these are most.
pub(super) fn again(
    analysis: &Analysis,
    asked: &[MethodId],
    slots: &[Slot],
    runs: [&Seen; 3],
) -> Vec<MethodId> {
    let program = analysis.program();
    let [plain, first, second] = runs;
    let mut files: BTreeSet<FileId> = BTreeSet::new();
    let mut is_asked = false;
    for slot in slots {
        let (a, b) = (
            first.slots.get(&slot.number),
            second.slots.get(&slot.number),
        );
        let (Some(test), Some(b)) = (slot.test, b) else {
            continue;
        };
        let passed = |run: &Seen| outcome(b, run) == Some(Outcome::Passed);
        let is_other = joined(a.map(|own| &own.seen), Some(&b.seen)).is_unstable()
            || passed(plain) && !passed(second);
        is_asked |= a.is_none();
        if a.is_none() || is_other {
            files.extend(program.method_file(test));
        }
    }
    let is_there = |test: &&MethodId| {
        let file = program.method_file(**test);
        file.is_some_and(|file| files.contains(&file))
    };
    let again: Vec<MethodId> = asked.iter().filter(is_there).copied().collect();
    match (is_asked, again.len() * 4 >= asked.len() * 3) {
        (false, _) => Vec::new(),
        (true, true) => asked.to_vec(),
        (true, false) => again,
    }
}

/// Joins the plain run and those that looked.
pub(super) fn tests(
    analysis: &Analysis,
    asked: &[MethodId],
    slots: &[Slot],
    inside: &[Slot],
    runs: &Runs<'_>,
) -> Kept {
    let &Runs {
        plain,
        first,
        second,
        third,
    } = runs;
    let mut kept: BTreeMap<MethodId, Own> = BTreeMap::new();
    let mut values = 0;
    for slot in slots {
        let (a, b) = (
            first.slots.get(&slot.number),
            second.slots.get(&slot.number),
        );
        let c = third.and_then(|third| third.slots.get(&slot.number));
        let Some(seen) = a.or(b).or(c) else {
            continue;
        };
        let was = outcome(seen, plain).unwrap_or(Outcome::Passed);
        let is = outcome(seen, first).unwrap_or(Outcome::Passed);
        let asked = outcome(seen, second).unwrap_or(Outcome::Passed);
        let again = third.and_then(|third| outcome(seen, third));
        let Some(test) = slot.test else { continue };
        let own = kept_of(&mut kept, analysis, test);
        own.told.passed &= [was, is, asked] == [Outcome::Passed; 3];
        // A test that fails of itself now and then says nothing of who looks at it.
        own.disturbed |= was == Outcome::Passed
            && asked == Outcome::Failed
            && (is == Outcome::Failed || again == Some(Outcome::Failed));
        let views = [a, b, c].map(|run| Some(&run?.seen));
        let is_shifted = shifted(views);
        own.shifted |= is_shifted;
        values += usize::from(!is_shifted);
        let is_query = matches!(slot.about, About::Query(_));
        let mut observed = among(views, is_query);
        if observed.is_unstable() {
            observed.outline();
        }
        match &slot.about {
            About::Query(q) => drop(own.told.queries.insert(q.clone(), observed)),
            About::Variable(_) if is_shifted => {}
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
        let asked = within(second, &names);
        let again = third.map(|third| within(third, &names)).unwrap_or_default();
        let mut is_shifted = false;
        let observed = ran.iter().filter_map(|(slot, own)| {
            let views = [Some(own), asked.get(slot), again.get(slot)];
            if shifted(views) {
                is_shifted = true;
                return None;
            }
            let mut observed = among(views, false);
            observed.outline();
            Some(((*places.get(slot)?).clone(), observed))
        });
        let observed = observed.collect();
        let own = kept_of(&mut kept, analysis, test);
        own.shifted |= is_shifted;
        let told = &mut own.told;
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
            let fails = |run: &Seen| run.outcomes.get(**name) == Some(&Outcome::Failed);
            passed(plain) && passed(first) && !third.is_some_and(fails)
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
    let (mut disturbed, mut shifted) = (Vec::new(), Vec::new());
    for (test, mut own) in kept {
        let name = program.method_name(test);
        if own.disturbed || own.shifted {
            own.told.queries.clear();
        }
        match (own.disturbed, own.shifted) {
            (true, _) => disturbed.push(name.clone()),
            (false, true) => shifted.push(name.clone()),
            (false, false) => {}
        }
        own.told.variables = Definitions::pack(&own.variables).unwrap_or_default();
        told.push((SmolStr::new(name), own.told));
    }
    told.sort_by(|a, b| a.0.cmp(&b.0));
    disturbed.sort();
    shifted.sort();
    Kept {
        told,
        values,
        disturbed,
        shifted,
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

/// True for what is the same in both runs that ask, and something else in the one that does not.
fn shifted(views: [Option<&Slotted>; 3]) -> bool {
    let [Some(unasked), Some(asked), Some(again)] = views else {
        return false;
    };
    let is_other = |a, b| joined(Some(a), Some(b)).is_unstable();
    is_other(unasked, asked) && !is_other(asked, again)
}

/// What the runs saw of one expression, of which the first asks for nothing and the last is not of all tests. What only asking
/// tells, of a query, is what both that ask have told.
fn among(views: [Option<&Slotted>; 3], is_query: bool) -> Observed {
    let [unasked, asked, again] = views;
    if unasked.is_none() && is_query {
        return joined(again, asked);
    }
    let observed = joined(unasked, asked);
    match again {
        Some(_) if !observed.is_unstable() => {
            let other = joined(unasked.or(asked), again);
            Observed {
                differs: other.differs,
                ..observed
            }
        }
        _ => observed,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn slotted(values: &[i32]) -> Slotted {
        Slotted {
            count: values.len() as u64,
            values: values.iter().map(|n| Value::Int(*n)).collect(),
            cut: false,
        }
    }

    /// What each run saw, by turns: values that are kept, those of another run, whether one run alone saw it.
    fn all(views: [&[i32]; 3], is_query: bool) -> (bool, Vec<i32>, Option<Vec<i32>>, bool) {
        let own = views.map(|v| (!v.is_empty()).then(|| slotted(v)));
        let views = [own[0].as_ref(), own[1].as_ref(), own[2].as_ref()];
        let observed = among(views, is_query);
        let numbers = |values: Vec<Value>| -> Vec<i32> {
            let number = |v: Value| match v {
                Value::Int(n) => n,
                _ => -1,
            };
            values.into_iter().map(number).collect()
        };
        let differs = observed.differs.map(numbers);
        (
            shifted(views),
            numbers(observed.values),
            differs,
            observed.once,
        )
    }

    #[test]
    fn what_asking_changed_is_told_apart_from_what_differs_from_run_to_run() {
        let definition = |views| all(views, false);
        assert_eq!(
            definition([&[1], &[1], &[1]]),
            (false, vec![1], None, false)
        );
        assert_eq!(definition([&[1], &[1], &[]]), (false, vec![1], None, false));
        assert_eq!(
            definition([&[1], &[2], &[]]),
            (false, vec![1], Some(vec![2]), false)
        );
        assert!(definition([&[0], &[3], &[3]]).0);
        assert_eq!(
            definition([&[1], &[2], &[3]]),
            (false, vec![1], Some(vec![2]), false)
        );
        // Of another zone, and of a run of a part of the tests.
        assert_eq!(
            definition([&[1], &[2], &[1]]),
            (false, vec![1], Some(vec![2]), false)
        );
        assert_eq!(
            definition([&[1], &[1], &[2]]),
            (false, vec![1], Some(vec![2]), false)
        );
    }

    #[test]
    fn a_query_is_what_both_runs_that_ask_saw() {
        let query = |views| all(views, true);
        assert_eq!(query([&[], &[4], &[4]]), (false, vec![4], None, false));
        assert_eq!(
            query([&[], &[4], &[5]]),
            (false, vec![5], Some(vec![4]), false)
        );
        assert_eq!(query([&[], &[4], &[]]), (false, vec![4], None, true));
        // One that the test asks itself and drops is no other than a definition.
        assert_eq!(query([&[4], &[4], &[]]), (false, vec![4], None, false));
    }
}
