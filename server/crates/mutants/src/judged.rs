//! What the agent writes: its list of mutants, its plain runs, and its runs with mutants. Lines of fields between tabs,
//! as `docs/evidence.md` says. A line that is cut, or is none of these, ends what is read: the JVM ended there.

use crate::{Mutant, Operator};
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use std::collections::{BTreeMap, BTreeSet};

/// The mutants of a project, in the order of their classes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// Mutant n stands at n - 1.
    pub mutants: Vec<Mutant>,
    /// Classes, and why how many mutants of them are not there.
    pub lost: Vec<(String, u32, String)>,
}

impl Listed {
    /// Reads the agent's list; a line that it cannot know is an error.
    ///
    /// # Errors
    /// The line.
    pub fn read(text: &str) -> Result<Listed, String> {
        let mut out = Listed::default();
        for line in text.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let read = match fields[..] {
                [
                    "mutant",
                    class,
                    method,
                    descriptor,
                    at,
                    operator,
                    ordinal,
                    equivalent,
                    what,
                ] => mutant(
                    [class, method, descriptor],
                    [at, operator, ordinal, equivalent, what],
                )
                .map(|m| out.mutants.push(m)),
                ["lost", class, count, why] => count
                    .parse()
                    .ok()
                    .map(|count| out.lost.push((class.to_owned(), count, why.to_owned()))),
                _ => None,
            };
            read.ok_or_else(|| line.to_owned())?;
        }
        Ok(out)
    }

    /// Keeps the mutants of some classes, which get other numbers by that.
    pub fn retain(&mut self, keeps: &dyn Fn(&str) -> bool) {
        self.mutants.retain(|m| keeps(&m.class));
        self.lost.retain(|(class, ..)| keeps(class));
    }

    /// How many mutants begin at an instruction whose first this is: they are reached together.
    pub fn width(&self, mutant: u32) -> u32 {
        let own = self.mutants.get((mutant as usize).wrapping_sub(1));
        match own.map(|m| m.operator) {
            Some(Operator::ConditionalsBoundary | Operator::FalseReturns) => 2,
            _ => 1,
        }
    }

    /// The lines of a plan that weave these mutants in: each class with the number of its first, and how many it has.
    pub fn plan(&self) -> String {
        let mut plan = String::new();
        let mut first = 1;
        for class in self.mutants.chunk_by(|a, b| a.class == b.class) {
            plan.push_str(&format!(
                "mutate\t{}\t{first}\t{}\n",
                class[0].class,
                class.len()
            ));
            first += class.len();
        }
        plan
    }
}

fn mutant([class, method, descriptor]: [&str; 3], rest: [&str; 5]) -> Option<Mutant> {
    let [line, operator, ordinal, equivalent, what] = rest;
    Some(Mutant {
        class: SmolStr::new(class),
        method: SmolStr::new(method),
        descriptor: SmolStr::new(descriptor),
        line: line.parse().ok()?,
        operator: Operator::of(operator)?,
        ordinal: ordinal.parse().ok()?,
        looks_equivalent: equivalent == "1",
        what: SmolStr::new(what),
    })
}

/// What a JVM saw that ran all tests plain.
#[derive(Clone, Debug, Default)]
pub struct Plain {
    /// What was reached at all, also by what initialises classes.
    pub early: BTreeSet<u32>,
    /// The tests.
    pub units: Vec<Unit>,
    /// What it says it could not do, and how often.
    pub lost: BTreeMap<String, usize>,
    /// True if it came to its end.
    pub is_whole: bool,
    /// Where the JVM ended before, if that was in a test.
    pub gone: Option<Gone>,
    /// No framework that is known is on the class path.
    pub no_framework: bool,
}

/// Where a JVM ended without a mutant: in a test that took too long or all memory or that ends its JVM.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gone {
    /// The test, as its framework knows it.
    pub id: String,
    /// Its class, binary.
    pub class: SmolStr,
    /// Its method.
    pub method: SmolStr,
    /// The slot of the query that came to no end, if it was one.
    pub query: Option<u32>,
    /// `slow`, `memory`, `exit` or `query`.
    pub why: SmolStr,
}

/// A test with all its invocations, in one JVM.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// As its framework knows it.
    pub id: String,
    /// Its class, binary.
    pub class: SmolStr,
    /// Its method.
    pub method: SmolStr,
    /// Its parameter types, as the framework tells them.
    pub types: SmolStr,
    /// It did not begin as all tests ran, since the set-up of its class failed.
    pub is_unable: bool,
    /// Its runs on its own.
    pub runs: Vec<Ran>,
}

/// One run of a test.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    /// It passed.
    pub passes: bool,
    /// How long it took.
    pub nanos: u64,
    /// How many invocations passed.
    pub passed: u32,
    /// If it did not pass, what was thrown: class and message.
    pub why: Option<String>,
    /// By slot, all its values as one number.
    pub told: BTreeMap<u32, u64>,
    /// The mutants that it reached; of those of one instruction the first.
    pub reached: Vec<u32>,
}

impl Plain {
    /// Reads as far as it goes.
    pub fn read(text: &str) -> Plain {
        let mut out = Plain::default();
        for line in whole(text) {
            if out.line(line).is_none() {
                break;
            }
        }
        out
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let mut fields = line.split('\t');
        match fields.next()? {
            "early" => self.early = numbers(fields)?.into_iter().collect(),
            "unit" => {
                let number: usize = fields.next()?.parse().ok()?;
                if number != self.units.len() {
                    return None;
                }
                self.units.push(Unit {
                    id: fields.next()?.to_owned(),
                    class: SmolStr::new(fields.next()?),
                    method: SmolStr::new(fields.next()?),
                    types: SmolStr::new(fields.next()?),
                    is_unable: false,
                    runs: Vec::new(),
                });
            }
            "unable" => {
                let number: usize = fields.next()?.parse().ok()?;
                self.units.get_mut(number)?.is_unable = true;
            }
            "ran" => {
                let unit = self.unit(&mut fields)?;
                unit.runs.push(Ran {
                    passes: fields.next()? == "1",
                    nanos: fields.next()?.parse().ok()?,
                    passed: fields.next()?.parse().ok()?,
                    ..Ran::default()
                });
            }
            "told" => {
                let unit = self.unit(&mut fields)?;
                let told = fields.map(|field| {
                    let (slot, hash) = field.split_once(':')?;
                    Some((slot.parse().ok()?, u64::from_str_radix(hash, 16).ok()?))
                });
                unit.runs.last_mut()?.told = told.collect::<Option<_>>()?;
            }
            "reach" => {
                let unit = self.unit(&mut fields)?;
                unit.runs.last_mut()?.reached = numbers(fields)?;
            }
            "why" => {
                let unit = self.unit(&mut fields)?;
                unit.runs.last_mut()?.why = Some(fields.next()?.to_owned());
            }
            "lost" => *self.lost.entry(fields.next()?.to_owned()).or_default() += 1,
            "gone" => {
                self.gone = Some(Gone {
                    why: SmolStr::new(fields.nth(2)?),
                    id: fields.next()?.to_owned(),
                    class: SmolStr::new(fields.next()?),
                    method: SmolStr::new(fields.next()?),
                    query: fields.next().and_then(|slot| slot.parse().ok()),
                });
            }
            "none" => self.no_framework = true,
            "done" => self.is_whole = true,
            _ => return None,
        }
        Some(())
    }

    /// The test that a line is about; behind its number stands that of the run.
    fn unit<'a>(&mut self, fields: &mut impl Iterator<Item = &'a str>) -> Option<&mut Unit> {
        let number: usize = fields.next()?.parse().ok()?;
        fields.next()?;
        self.units.get_mut(number)
    }
}

/// The lines that have an end.
fn whole(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive('\n')
        .filter_map(|line| line.strip_suffix('\n'))
}

fn numbers<'a>(fields: impl Iterator<Item = &'a str>) -> Option<Vec<u32>> {
    fields.map(|field| field.parse().ok()).collect()
}

/// What tests made of a mutant, in one JVM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Its number.
    pub mutant: u32,
    /// The tests that ran, in order.
    pub pairs: Vec<Pair>,
    /// How it ended.
    pub ended: Ended,
    /// Tests that failed here without it.
    pub unstable: Vec<u32>,
}

/// A mutant and a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The test's number.
    pub test: u32,
    /// It failed.
    pub killed: bool,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// If it passed, the slots whose values are others.
    pub told: Vec<u32>,
}

/// How the runs with a mutant ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All of them ran that were asked for.
    Whole,
    /// This test took too long.
    Slow(u32),
    /// This test took all memory.
    Memory(u32),
    /// The JVM ended with it, nobody said why.
    Cut,
    /// Tests fail without it since it ran: it left something behind, or another before it.
    Dirty,
}

/// Reads what a JVM said of mutants, as far as it goes.
pub fn judged(text: &str) -> Vec<Judged> {
    let mut out: Vec<Judged> = Vec::new();
    for line in whole(text) {
        if mutant_line(&mut out, line).is_none() {
            break;
        }
    }
    out
}

fn mutant_line(out: &mut Vec<Judged>, line: &str) -> Option<()> {
    let mut fields = line.split('\t');
    let kind = fields.next()?;
    match kind {
        "lost" | "done" => return Some(()),
        "begin" => {
            out.push(Judged {
                mutant: fields.next()?.parse().ok()?,
                pairs: Vec::new(),
                ended: Ended::Cut,
                unstable: Vec::new(),
            });
            return Some(());
        }
        _ => {}
    }
    let last = out.last_mut()?;
    let mutant: u32 = fields.next()?.parse().ok()?;
    if mutant != last.mutant {
        return None;
    }
    let mut number = || fields.next()?.parse::<u32>().ok();
    match kind {
        "lives" | "dies" => {
            let test = number()?;
            let micros = fields.next()?.parse().ok()?;
            last.pairs.push(Pair {
                test,
                killed: kind == "dies",
                micros,
                told: numbers(fields)?,
            });
        }
        "unstable" => last.unstable.push(number()?),
        "gone" => {
            let test = number()?;
            last.ended = match fields.next()? {
                "memory" => Ended::Memory(test),
                _ => Ended::Slow(test),
            };
        }
        "dirty" => last.ended = Ended::Dirty,
        "end" => last.ended = Ended::Whole,
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_class_has_numbers_in_a_row() {
        let mut listed = Listed::read(
            "mutant\ta/A\tm\t()V\t3\tMATH\t0\t0\tiadd\nmutant\ta/A\tm\t()V\t3\tFALSE_RETURNS\t1\t0\t\nlost\ta/B\t7\ttoo large\nmutant\ta/C\tn\t(I)I\t0\tPRIMITIVE_RETURNS\t0\t1\t\n",
        )
        .unwrap();
        assert_eq!(listed.plan(), "mutate\ta/A\t1\t2\nmutate\ta/C\t3\t1\n");
        assert!(listed.mutants[2].looks_equivalent);
        assert_eq!(listed.lost[0].1, 7);
        assert_eq!(
            (listed.width(1), listed.width(2), listed.width(9)),
            (1, 2, 1)
        );
        assert_eq!(listed.mutants[0].what, "iadd");
        listed.retain(&|class| class == "a/C");
        assert_eq!(listed.plan(), "mutate\ta/C\t1\t1\n");
        assert!(listed.lost.is_empty());
        assert!(Listed::read("mutant\ta/A\tm\t()V\t3\tNONE\t0\t0\t\n").is_err());
    }

    #[test]
    fn what_a_plain_run_said_is_read_up_to_its_end() {
        let text = "early\t1\t2\nunit\t0\tid\ta.T\tm\tint\nunable\t0\nran\t0\t2\t1\t500\t3\ntold\t0\t2\t7:ff\nreach\t0\t2\t1\nran\t0\t3\t0\t600\t2\ntold\t0\t3\nreach\t0\t3\nwhy\t0\t3\ta.Bad: no port\ndone\n";
        let plain = Plain::read(text);
        assert!(plain.is_whole);
        assert_eq!(plain.units[0].runs.len(), 2);
        assert_eq!(plain.units[0].runs[0].told[&7], 255);
        assert!(!plain.units[0].runs[1].passes && plain.units[0].is_unable);
        let why = plain.units[0].runs.iter().map(|r| r.why.as_deref());
        assert_eq!(why.collect::<Vec<_>>(), [None, Some("a.Bad: no port")]);
        // A JVM that ended while it wrote.
        for cut in 0..text.len() {
            assert!(!Plain::read(&text[..cut]).is_whole, "{cut}");
        }
    }

    #[test]
    fn mutants_end_as_it_is_said() {
        let all = judged(
            "begin\t4\nlives\t4\t0\t900\t7\t8\ndies\t4\t1\t30\nend\t4\nbegin\t5\ndies\t5\t0\t30\ndirty\t5\nbegin\t6\ngone\t6\t2\tslow\tid\nbegin\t7\nlives\t7\t",
        );
        let ended: Vec<&Ended> = all.iter().map(|j| &j.ended).collect();
        let expected = [&Ended::Whole, &Ended::Dirty, &Ended::Slow(2), &Ended::Cut];
        assert_eq!(ended, expected);
        assert_eq!(all[0].pairs[0].told, [7, 8]);
        assert!(all[0].pairs[1].killed && all[3].pairs.is_empty());
    }
}
