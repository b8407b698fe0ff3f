//! Of the mutants that a test runs and does not kill, how many do the first values of each list tell?

use ide::Analysis;
use ide::weave::{About, Slot};
use mutants::question::{Missed, first, greedy, interval, missed, random};
use mutants::{Fate, Matrix};
use program::MethodId;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use verdicts::by_name;

use super::kept::Values;
use super::lists::{Ground, Lists};
use super::plot::{self, Row};
use super::ran::{OVER, Recorded};
use super::rivals;
use crate::Result;

/// How many values of a list are looked at.
const PLACES: [usize; 3] = [1, 3, 10];

/// The tables of lists: whether an assertion must be written on a value, and what they say.
const TABLES: [(bool, &str); 2] = [
    (false, "What the first values tell"),
    (true, "What assertions on them would notice"),
];

/// A test of which something could be asked.
pub(super) struct Asked {
    pub(super) method: MethodId,
    pub(super) missed: Vec<Missed>,
    pub(super) lists: Lists,
}

/// All tests of a project, and what is left out.
pub(super) struct All<'a> {
    pub(super) analysis: &'a Analysis,
    pub(super) matrix: &'a Matrix,
    pub(super) tests: Vec<Asked>,
    slots: BTreeMap<MethodId, Vec<&'a Slot>>,
    /// Misses in tests whose source is not known by name.
    unknown: usize,
    /// Tests of which nothing could be asked, and their misses.
    left_out: (usize, usize),
    /// Of lists over what ran: tests that were not recorded with this code, and their misses.
    not_recorded: Option<(usize, usize)>,
}

impl<'a> All<'a> {
    /// Makes the lists. With `rivals` those of the paper's settings and of others' techniques, too; with a recording those
    /// over what ran, and only of tests of which that is known.
    ///
    /// A value without a number that is the same in each plain run (it does not compile, is not reached, or differs) tells
    /// nothing and keeps its place. A test of which nothing could be asked is left out, and counted.
    pub(super) fn new(
        analysis: &'a Analysis,
        values: &'a Values,
        matrix: &'a Matrix,
        with_rivals: bool,
        recorded: Option<&Recorded>,
    ) -> All<'a> {
        let program = analysis.program();
        let by_name = by_name(program, analysis.workspace().suite().tests());
        let mut slots: BTreeMap<MethodId, Vec<&Slot>> = BTreeMap::new();
        for slot in &values.tests {
            if let Some(test) = slot.test {
                slots.entry(test).or_default().push(slot);
            }
        }
        let inside = values.inside.iter().filter_map(|s| match &s.about {
            About::Variable(seen) => Some((seen, s.number)),
            About::Query(_) => None,
        });
        let ground = Ground {
            analysis,
            inside: inside.collect(),
        };
        let rivals = with_rivals.then(|| rivals::Rivals::new(&ground));
        let mut out = All {
            analysis,
            matrix,
            tests: Vec::new(),
            slots,
            unknown: 0,
            left_out: (0, 0),
            not_recorded: recorded.map(|_| (0, 0)),
        };
        let mut wanted: Vec<(MethodId, Vec<&Slot>, Vec<Missed>)> = Vec::new();
        for (test, missed) in missed(matrix) {
            let own = &matrix.tests[test as usize];
            let key = (own.class.to_string(), own.method.to_string());
            let Some([method]) = by_name.get(&key).map(Vec::as_slice) else {
                out.unknown += missed.len();
                continue;
            };
            let all = out.slots.get(method).map_or(&[][..], |s| s);
            let has = |slot: &&&Slot| own.slots.binary_search(&slot.number).is_ok();
            let slots: Vec<&Slot> = all.iter().filter(has).copied().collect();
            if slots.is_empty() {
                out.left_out.0 += 1;
                out.left_out.1 += missed.len();
                continue;
            }
            if let (Some(count), Some(recorded)) = (&mut out.not_recorded, recorded)
                && !recorded.knows(*method)
            {
                count.0 += 1;
                count.1 += missed.len();
                continue;
            }
            wanted.push((*method, slots, missed));
        }
        let made = wanted.into_par_iter().map(|(method, slots, missed)| {
            let mut lists = Lists::of(&ground, method, &slots);
            if let Some(recorded) = recorded {
                lists.rows.extend(recorded.rows(&ground, method, &slots));
            }
            if let Some(rivals) = &rivals {
                lists.rows.extend(rivals.rows(&ground, method, &slots));
            }
            Asked {
                method,
                missed,
                lists,
            }
        });
        out.tests = made.collect();
        out
    }

    /// Prints the tables.
    pub(super) fn print(&self, name: &str, cases: bool) {
        let all = || self.tests.iter().flat_map(|t| &t.missed);
        let pairs = all().count();
        let told = all().filter(|m| !m.told.is_empty()).count();
        let by_points = |only: bool| {
            let of = |test: &Asked| {
                let mut points: BTreeSet<u32> =
                    test.lists.points.iter().flatten().copied().collect();
                if only {
                    points.retain(|p| !test.lists.not_assertable.contains(p));
                }
                let tells = |m: &&Missed| !m.told.is_disjoint(&points);
                test.missed.iter().filter(tells).count()
            };
            self.tests.iter().map(of).sum::<usize>()
        };
        let (readable, assertable) = (by_points(false), by_points(true));
        let share = |n: usize| 100.0 * f64::from(n as u32) / pairs.max(1) as f64;
        let lists = self.tests.iter().flat_map(|t| &t.lists.rows);
        let values: Vec<&Option<u32>> = lists.flat_map(|(_, values)| values).collect();
        println!(
            "\n{name}: {pairs} times a test runs a mutant and does not kill it, in {} tests; some value tells {told} of them ({:.1} %), a value that the test could read {readable} ({:.1} %), one that an assertion is written for {assertable} ({:.1} %). {} more in tests whose source is not known by name, {} in {} tests of which nothing could be asked. Of {} values of lists {} could not be asked.\n",
            self.tests.len(),
            share(told),
            share(readable),
            share(assertable),
            self.unknown,
            self.left_out.1,
            self.left_out.0,
            values.len(),
            values.iter().filter(|s| s.is_none()).count(),
        );
        for (only, title) in TABLES {
            println!("{title}:\n");
            print_rows(&self.rows(only));
            println!();
        }
        if let Some((tests, misses)) = self.not_recorded {
            println!(
                "{tests} tests with {misses} misses were not recorded with this code, and are left out of all of it.\n"
            );
            println!("Over what ran, and without, where an assertion is written; in points:\n");
            print_rows(&self.differences());
            println!();
        }
        println!("An assertion on the first value of each test, where one is written:\n");
        self.suite();
        if cases {
            for test in &self.tests {
                self.case(test);
            }
        }
    }

    /// Draws the tables into a folder.
    pub(super) fn plot(&self, name: &str, folder: &Path) -> Result<()> {
        for ((only, title), file) in TABLES.into_iter().zip(["values", "assertions"]) {
            let picture = plot::table(&format!("{name}: {title}"), &self.rows(only));
            plot::write(folder, &format!("{name}-{file}"), &picture)?;
        }
        Ok(())
    }

    /// The first, the first three, the first ten. With `only` an assertion must be written on the value.
    fn rows(&self, only: bool) -> Vec<Row> {
        let mut rows: BTreeMap<(usize, &str), [Clusters; 3]> = BTreeMap::new();
        for test in &self.tests {
            let cannot = |slot: &u32| only && test.lists.not_assertable.contains(slot);
            let missed: Vec<Missed> = test.noticed(only);
            let of = missed.len() as f64;
            let mut add = |at: usize, name: &'static str, k: usize, share: f64| {
                rows.entry((at, name)).or_default()[k].push((share, of));
            };
            let points: Vec<u32> = test.lists.points.iter().flatten().copied().collect();
            let within = points.iter().filter(|p| !cannot(p));
            let within: Vec<u32> = within.copied().collect();
            let drawn: Vec<Option<u32>> = within.iter().copied().map(Some).collect();
            for (n, k) in PLACES.into_iter().enumerate() {
                let told = random(&missed, &drawn, k);
                add(900, "random order of all that the test could read", n, told);
                let best = first(&missed, &greedy(&missed, &within), k).told as f64;
                add(950, "the best order of all that it could read", n, best);
                let best = first(&missed, &greedy(&missed, &test.lists.all), k).told as f64;
                add(
                    960,
                    "the best order of all that was asked, inside too",
                    n,
                    best,
                );
            }
            for half in rivals::halves(&missed, &within, PLACES) {
                for (n, told) in half.told.into_iter().enumerate() {
                    let entry = rows.entry((890, rivals::MAODS)).or_default();
                    entry[n].push((told, half.of));
                }
            }
            for (at, (name, list)) in test.lists.rows.iter().enumerate() {
                let list: Vec<Option<u32>> = list
                    .iter()
                    .filter(|slot| !slot.is_some_and(|s| cannot(&s)))
                    .copied()
                    .collect();
                for (n, k) in PLACES.into_iter().enumerate() {
                    let told = first(&missed, &list, k).told as f64;
                    rows.entry((at, name)).or_default()[n].push((told, of));
                }
            }
        }
        rows.iter().map(row).collect()
    }

    /// By how much each list over what ran notices more than that which it is compared with.
    fn differences(&self) -> Vec<Row> {
        let mut rows: BTreeMap<(usize, &str), [Clusters; 3]> = BTreeMap::new();
        for test in &self.tests {
            let missed = test.noticed(true);
            let can =
                |slot: &&Option<u32>| !slot.is_some_and(|s| test.lists.not_assertable.contains(&s));
            let told = |list: &[Option<u32>], k: usize| {
                let list: Vec<Option<u32>> = list.iter().filter(can).copied().collect();
                first(&missed, &list, k).told as f64
            };
            for (at, (name, over)) in test.lists.rows.iter().enumerate() {
                let Some(name) = name.strip_suffix(OVER) else {
                    continue;
                };
                let without = test.lists.rows.iter().find(|(own, _)| own == name);
                let without = without.map_or(&[][..], |(_, list)| list);
                for (n, k) in PLACES.into_iter().enumerate() {
                    let more = told(over, k) - told(without, k);
                    rows.entry((at, name)).or_default()[n].push((more, missed.len() as f64));
                }
            }
        }
        rows.iter().map(row).collect()
    }

    /// What an assertion on the first value of each test does for the suite.
    fn suite(&self) {
        let survived = |m: &usize| self.matrix.fates[*m] == Fate::Survived;
        let all = (0..self.matrix.fates.len()).filter(survived).count();
        let killed = self.matrix.fates.iter();
        let killed = killed
            .filter(|f| !matches!(f, Fate::Survived | Fate::NotRun))
            .count();
        let mutants = self.matrix.fates.len().max(1) as f64;
        println!(
            "| list | assertions | misses noticed by one | of {all} mutants that survive the suite, noticed | mutation score, {:.1} % before |",
            100.0 * killed as f64 / mutants
        );
        println!("| --- | --: | --: | --: | --: |");
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in self.tests.iter().flat_map(|t| &t.lists.rows) {
            if !names.contains(&&**name) {
                names.push(name);
            }
        }
        let print = |name: &str, pick: &mut dyn FnMut(&Asked) -> Option<u32>| {
            let (mut assertions, mut pairs) = (0, 0);
            let mut found: BTreeSet<usize> = BTreeSet::new();
            for test in &self.tests {
                let Some(slot) = pick(test) else { continue };
                assertions += 1;
                for missed in test.missed.iter().filter(|m| m.told.contains(&slot)) {
                    pairs += 1;
                    found.insert(missed.mutant);
                }
            }
            let noticed = found.into_iter().filter(survived).count();
            println!(
                "| {name} | {assertions} | {:.2} | {noticed} | {:.1} % |",
                f64::from(pairs) / f64::from(assertions.max(1)),
                100.0 * (killed + noticed) as f64 / mutants
            );
        };
        for name in names {
            print(name, &mut |test| {
                let list = &test.lists.rows.iter().find(|(n, _)| n == name)?.1;
                let can = |s: &&u32| !test.lists.not_assertable.contains(s);
                list.iter().flatten().find(can).copied()
            });
        }
        let mut state = 1u64;
        print("one drawn value of all that it could read", &mut |test| {
            let points = test.lists.points.iter().flatten();
            let points: Vec<u32> = points
                .filter(|s| !test.lists.not_assertable.contains(s))
                .copied()
                .collect();
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let at = (state >> 33) as usize % points.len().max(1);
            points.get(at).copied()
        });
        print("the best value that it could read", &mut |test| {
            let missed = test.noticed(true);
            let points: Vec<u32> = test.lists.points.iter().flatten().copied().collect();
            greedy(&missed, &points).first().copied().flatten()
        });
    }

    /// The test with what its first value tells, and the best value that it could read.
    fn case(&self, test: &Asked) {
        let (missed, lists) = (&test.missed, &test.lists);
        let slots = self.slots.get(&test.method).map_or(&[][..], |s| s);
        let words = |slot: Option<u32>| {
            let slot = slots.iter().find(|s| Some(s.number) == slot);
            match slot.map(|s| &s.about) {
                Some(About::Query(text)) => text.to_string(),
                Some(About::Variable(seen)) => format!("{} {}", seen.variable, seen.nth),
                None => "-".to_owned(),
            }
        };
        let count = |slot: Option<u32>| {
            let told = |m: &&Missed| slot.is_some_and(|s| m.told.contains(&s));
            missed.iter().filter(told).count()
        };
        let own = lists.rows.first().and_then(|r| r.1.first().copied());
        let points: Vec<u32> = lists.points.iter().flatten().copied().collect();
        let best = greedy(missed, &points).first().copied();
        let example = missed.iter().find(|m| {
            best.flatten().is_some_and(|b| m.told.contains(&b))
                && !own.flatten().is_some_and(|o| m.told.contains(&o))
        });
        let example = example.map_or(String::new(), |m| {
            let mutant = &self.matrix.mutants[m.mutant].1;
            format!(
                "{}#{}:{} {}",
                mutant.class,
                mutant.method,
                mutant.line,
                mutant.operator.name()
            )
        });
        println!(
            "case\t{}\t{}\tfirst\t{}\t{}\tbest\t{}\t{}\t{example}",
            self.analysis.program().method_name(test.method),
            missed.len(),
            words(own.flatten()),
            count(own.flatten()),
            words(best.flatten()),
            count(best.flatten()),
        );
    }
}

/// By test, how many mutants were told and of how many.
type Clusters = Vec<(f64, f64)>;

/// The name of a list, and what its first, first three and first ten values tell.
fn row(((_, name), cells): (&(usize, &str), &[Clusters; 3])) -> Row {
    Row {
        name: (*name).to_owned(),
        cells: [0, 1, 2].map(|k| interval(&cells[k])),
    }
}

fn print_rows(rows: &[Row]) {
    println!("| list | first | first three | first ten |");
    println!("| --- | --: | --: | --: |");
    for row in rows {
        let cells = row.cells.map(|i| {
            format!(
                "{:.1} % ({:.1}-{:.1})",
                100.0 * i.share,
                100.0 * i.low,
                100.0 * i.high
            )
        });
        println!("| {} | {} |", row.name, cells.join(" | "));
    }
}

impl Asked {
    /// What it misses, told only by values that an assertion is written for, if `only` these count.
    pub(super) fn noticed(&self, only: bool) -> Vec<Missed> {
        let mut missed = self.missed.clone();
        if only {
            for one in &mut missed {
                one.told.retain(|s| !self.lists.not_assertable.contains(s));
            }
        }
        missed
    }
}
