//! What the plain runs say together: which tests are stable, what they reach, how long they may take, and which of their
//! values are the same each time.

use crate::Plain;
use crate::judged::{Gone, Ran};
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use std::collections::{BTreeMap, BTreeSet};

/// Tests by number, from 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// All that ran in each JVM.
    pub tests: Vec<Known>,
    /// Mutants that only what initialises classes reaches: once, for whichever test comes first.
    pub only_early: BTreeSet<u32>,
    /// Tests came to the same in all runs: each passed every time or never, with as many invocations.
    pub is_same_each_time: bool,
    /// What came to no end without a mutant, and is left out.
    #[serde(default)]
    pub barred: Barred,
}

/// What came to no end without a mutant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Barred {
    /// Slots of queries, which nobody asks any more.
    queries: BTreeSet<u32>,
    /// Tests, which run no more.
    tests: Vec<Gone>,
}

impl Barred {
    /// True if something can be left out for which this does not happen again.
    pub fn can_bar(&self, gone: &Gone) -> bool {
        match gone.query {
            Some(query) => !self.queries.contains(&query),
            None => !gone.id.is_empty() && !self.has(&gone.id),
        }
    }

    /// Leaves this out, too.
    pub fn add(&mut self, gone: Gone) {
        match gone.query {
            Some(query) => _ = self.queries.insert(query),
            None if self.can_bar(&gone) => self.tests.push(gone),
            None => {}
        }
    }

    /// True of a test that is left out, by its framework's name.
    pub fn has(&self, id: &str) -> bool {
        self.tests.iter().any(|t| t.id == id)
    }

    /// A sentence each for the tests.
    pub fn sentences(&self) -> impl Iterator<Item = String> {
        self.tests.iter().map(|gone| {
            let Gone {
                class, method, why, ..
            } = gone;
            let does = match &**why {
                "exit" => "ends its JVM",
                "memory" => "takes all memory of its JVM",
                _ => "takes longer than two minutes",
            };
            format!("{class}#{method} {does}, without a mutant")
        })
    }

    /// The lines of a plan that leave all of it out.
    pub fn plan(&self) -> String {
        let mute = self.queries.iter().map(|slot| format!("mute\t{slot}\n"));
        let skip = self.tests.iter().map(|t| {
            let class = t.class.replace('.', "/");
            format!("skip\t{class}\t{}\n", t.method)
        });
        mute.chain(skip).collect()
    }
}

/// What is known of a test.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Known {
    /// As its framework knows it.
    pub id: String,
    /// Its class, binary.
    pub class: SmolStr,
    /// Its method.
    pub method: SmolStr,
    /// Its parameter types, as the framework tells them.
    pub types: SmolStr,
    /// It passed in each run: in order, and after other tests.
    pub is_stable: bool,
    /// If not, why: what it was that it failed with, or what differed.
    #[serde(default)]
    pub why: Option<String>,
    /// It did not begin in any JVM, since the set-up of its class failed there: what it would reach is not known.
    #[serde(default)]
    pub is_unable: bool,
    /// The longest of its runs.
    pub nanos: u64,
    /// How many of its invocations pass.
    pub passed: u32,
    /// Its values that are the same in each run.
    pub told: BTreeMap<u32, u64>,
    /// How many slots are not: they differ from run to run.
    pub unstable: usize,
    /// The mutants that it reaches.
    pub reached: BTreeSet<u32>,
}

/// A test may take so many times its plain run…
const FACTOR: u64 = 3;
/// … and so many milliseconds beyond.
const BEYOND: u64 = 2000;

impl Known {
    /// How many milliseconds it may take with a mutant.
    pub(crate) fn limit_millis(&self) -> u64 {
        self.nanos * FACTOR / 1_000_000 + BEYOND
    }
}

impl Baseline {
    /// Joins plain runs of several JVMs, in which `barred` was left out. `width` says of a mutant that begins an instruction how many that has.
    pub fn of(plains: &[Plain], barred: Barred, width: &dyn Fn(u32) -> u32) -> Baseline {
        let Some((first, rest)) = plains.split_first() else {
            return Baseline::default();
        };
        let all_same = rest.iter().all(|p| p.units.len() == first.units.len());
        let mut out = Baseline {
            is_same_each_time: all_same,
            barred,
            ..Baseline::default()
        };
        let others: Vec<BTreeMap<&str, &crate::judged::Unit>> = rest
            .iter()
            .map(|p| p.units.iter().map(|u| (&*u.id, u)).collect())
            .collect();
        for unit in first.units.iter().filter(|u| !out.barred.has(&u.id)) {
            let also = others.iter().map(|o| o.get(&*unit.id).copied());
            let Some(also) = also.collect::<Option<Vec<_>>>() else {
                out.is_same_each_time = false;
                continue;
            };
            let units: Vec<&crate::judged::Unit> = std::iter::once(unit).chain(also).collect();
            let runs: Vec<&Ran> = units.iter().flat_map(|u| &u.runs).collect();
            let Some((one, more)) = runs.split_first() else {
                continue;
            };
            let came_to = |r: &Ran| (r.passes, r.passed);
            out.is_same_each_time &= more.iter().all(|r| came_to(r) == came_to(one));
            let slots: BTreeSet<u32> = runs.iter().flat_map(|r| r.told.keys().copied()).collect();
            let same = |slot: &u32| more.iter().all(|r| r.told.get(slot) == one.told.get(slot));
            let told: BTreeMap<u32, u64> = slots
                .iter()
                .filter(|s| same(s))
                .filter_map(|s| Some((*s, *one.told.get(s)?)))
                .collect();
            let reached = runs.iter().flat_map(|r| r.reached.iter().copied());
            out.tests.push(Known {
                id: unit.id.clone(),
                class: unit.class.clone(),
                method: unit.method.clone(),
                types: unit.types.clone(),
                is_stable: runs.iter().all(|r| r.passes)
                    && more.iter().all(|r| r.passed == one.passed),
                why: why(&runs),
                is_unable: units.iter().all(|u| u.is_unable) && runs.iter().all(|r| !r.passes),
                nanos: runs.iter().map(|r| r.nanos).max().unwrap_or(0),
                passed: one.passed,
                unstable: slots.len() - told.len(),
                told,
                reached: reached.flat_map(|m| m..m + width(m)).collect(),
            });
        }
        let reached = |m: &u32| out.tests.iter().any(|t| t.reached.contains(m));
        let early = plains.iter().flat_map(|p| p.early.iter().copied());
        let early = early.flat_map(|m| m..m + width(m));
        out.only_early = early.filter(|m| !reached(m)).collect();
        out
    }

    /// The stable tests that reach a mutant, the fastest first.
    pub fn tests_of(&self, mutant: u32) -> Vec<u32> {
        let mut all: Vec<u32> = (0u32..)
            .zip(&self.tests)
            .filter(|(_, t)| t.is_stable && t.reached.contains(&mutant))
            .map(|(n, _)| n)
            .collect();
        all.sort_by_key(|n| (self.tests[*n as usize].nanos, *n));
        all
    }

    /// The agent's file of tests: a line each, with limit, invocations that pass, and values.
    pub fn lines(&self) -> String {
        let mut out = String::new();
        for test in &self.tests {
            out.push_str(&format!(
                "{}\t{}\t{}",
                test.id,
                test.limit_millis(),
                test.passed
            ));
            for (slot, hash) in &test.told {
                out.push_str(&format!("\t{slot}:{hash:x}"));
            }
            out.push('\n');
        }
        out
    }
}

/// Why a test with these runs is not stable.
fn why(runs: &[&Ran]) -> Option<String> {
    let mut failed = runs.iter().filter(|r| !r.passes).peekable();
    if failed.peek().is_none() {
        let passed = || runs.iter().map(|r| r.passed);
        let (least, most) = (passed().min()?, passed().max()?);
        return (least < most)
            .then(|| format!("in one run {least} of its invocations pass, in another {most}"));
    }
    let said = failed.clone().find_map(|r| r.why.as_deref());
    let said = said.unwrap_or("none of its invocations came to its end");
    Some(match failed.count() == runs.len() {
        true => said.to_owned(),
        false => format!("passes in one run, in another not: {said}"),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn plain(tests: &[(&str, bool, &str)]) -> Plain {
        let mut text = "early\t1\t3\t9\n".to_owned();
        for (n, (id, ..)) in tests.iter().enumerate() {
            text.push_str(&format!("unit\t{n}\t{id}\ta.T\tm\t\n"));
        }
        for (n, (_, passes, told)) in tests.iter().enumerate() {
            let passes = u8::from(*passes);
            text.push_str(&format!(
                "ran\t{n}\t2\t{passes}\t1000000\t1\ntold\t{n}\t2{told}\nreach\t{n}\t2\t1\n"
            ));
        }
        Plain::read(&(text + "done\n"))
    }

    #[test]
    fn what_comes_to_no_end_is_left_out() {
        let mut barred = Barred::default();
        fn gone(line: &str) -> Gone {
            Plain::read(line).gone.unwrap()
        }
        let test = || gone("gone\t0\t1\tslow\tb\ta.T$U\tm\n");
        let query = || gone("gone\t0\t0\tquery\ta\ta.T\tn\t7\n");
        for one in [test as fn() -> Gone, query] {
            assert!(barred.can_bar(&one()));
            barred.add(one());
            assert!(!barred.can_bar(&one()));
            barred.add(one());
        }
        // Nobody knows where.
        assert!(!barred.can_bar(&gone("gone\t0\t0\texit\t\t\t\n")));
        assert_eq!(barred.plan(), "mute\t7\nskip\ta/T$U\tm\n");
        assert_eq!(
            barred.sentences().collect::<Vec<_>>(),
            ["a.T$U#m takes longer than two minutes, without a mutant"]
        );
        // One JVM came to its end before the other did not.
        let whole = || plain(&[("a", true, ""), ("b", true, "")]);
        let both = Baseline::of(&[whole(), whole()], barred, &|_| 1);
        let ids: Vec<&str> = both.tests.iter().map(|t| &*t.id).collect();
        assert_eq!(ids, ["a"]);
    }

    #[test]
    fn what_is_left_out_has_its_reason() {
        let why = |runs: &[(bool, u32, Option<&str>)]| {
            let of = |(passes, passed, why): &(bool, u32, Option<&str>)| Ran {
                passes: *passes,
                passed: *passed,
                why: why.map(str::to_owned),
                ..Ran::default()
            };
            let runs: Vec<Ran> = runs.iter().map(of).collect();
            super::why(&runs.iter().collect::<Vec<_>>())
        };
        let bad = (false, 0, Some("a.Bad: no port"));
        assert_eq!(why(&[(true, 1, None), (true, 1, None)]), None);
        assert_eq!(why(&[bad, bad]).unwrap(), "a.Bad: no port");
        assert_eq!(
            why(&[(true, 1, None), bad]).unwrap(),
            "passes in one run, in another not: a.Bad: no port"
        );
        assert_eq!(
            why(&[(true, 3, None), (true, 2, None)]).unwrap(),
            "in one run 2 of its invocations pass, in another 3"
        );
        assert_eq!(
            why(&[(false, 0, None)]).unwrap(),
            "none of its invocations came to its end"
        );
    }

    #[test]
    fn what_differs_between_jvms_is_out() {
        let one = plain(&[("a", true, "\t1:a\t2:b"), ("b", true, ""), ("c", true, "")]);
        let two = plain(&[("b", false, ""), ("a", true, "\t1:a\t2:c\t3:d")]);
        let both = Baseline::of(&[one, two], Barred::default(), &|m| {
            if m == 1 { 2 } else { 1 }
        });
        let ids: Vec<&str> = both.tests.iter().map(|t| &*t.id).collect();
        // The third never ran in the second JVM.
        assert_eq!(ids, ["a", "b"]);
        assert_eq!(both.tests[0].told.keys().collect::<Vec<_>>(), [&1]);
        assert_eq!(both.tests[0].unstable, 2);
        assert!(both.tests[0].is_stable && !both.tests[1].is_stable);
        assert_eq!(both.tests[0].why, None);
        // The third is in one of them only, the second fails in one.
        assert!(!both.is_same_each_time);
        let fails = || plain(&[("a", true, "\t1:a"), ("b", false, "")]);
        let same = Baseline::of(&[fails(), fails()], Barred::default(), &|_| 1);
        assert!(same.is_same_each_time && !same.tests[1].is_stable);
        let passes = plain(&[("b", true, ""), ("a", true, "\t1:a")]);
        assert!(!Baseline::of(&[fails(), passes], Barred::default(), &|_| 1).is_same_each_time);
        assert_eq!(both.tests_of(2), [0]);
        assert_eq!(both.tests_of(3), [] as [u32; 0]);
        assert_eq!(both.only_early.iter().collect::<Vec<_>>(), [&3, &9]);
        assert!(both.lines().starts_with("a\t2003\t1\t1:a\nb\t"));
    }
}
