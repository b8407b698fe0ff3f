//! What was counted of each project, the bounds, and both as text or JSON.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use super::cause::Cause;

/// Counts of one project, or of several.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    pub(super) tests: usize,
    /// Tests with a lens.
    pub(super) lenses: usize,
    /// … that names a value that the test could read.
    pub(super) values: usize,
    /// Tests with an action that changes the file.
    pub(super) actions: usize,
    /// Values that lenses name, by cause; a value may have several.
    pub(super) of_lenses: BTreeMap<Cause, usize>,
    /// … with any cause at all.
    pub(super) doubtful: usize,
    /// The same of what first actions assert.
    pub(super) of_actions: BTreeMap<Cause, usize>,
    /// First actions that were compiled.
    pub(super) compiled: usize,
    /// First values inside: all, those of tests whose class is named after one, and those that lie in it.
    pub(super) inside: usize,
    pub(super) inside_named: usize,
    pub(super) inside_about: usize,
    /// First values inside of tests that were run, and those whose lines ran.
    pub(super) inside_run_of: usize,
    pub(super) inside_run: usize,
    /// Per test class, how often each first value inside stands in a list.
    pub(super) inside_texts: BTreeMap<String, HashMap<String, usize>>,
    /// The same of lenses.
    pub(super) inside_lenses: BTreeMap<String, HashMap<String, usize>>,
    /// Tests whose shorter lists were compared with the longer, and those where one is no prefix.
    pub(super) lists: usize,
    pub(super) no_prefix: usize,
    /// Tests whose lens, list, action and JSON were compared, and those where two disagree.
    pub(super) compared: usize,
    pub(super) disagree: usize,
}

/// A test class says something about its texts if it has so many.
const ENOUGH: usize = 8;

impl Counts {
    pub(super) fn add(&mut self, other: &Counts) {
        self.tests += other.tests;
        self.lenses += other.lenses;
        self.values += other.values;
        self.actions += other.actions;
        self.doubtful += other.doubtful;
        self.compiled += other.compiled;
        self.inside += other.inside;
        self.inside_named += other.inside_named;
        self.inside_about += other.inside_about;
        self.inside_run_of += other.inside_run_of;
        self.inside_run += other.inside_run;
        self.lists += other.lists;
        self.no_prefix += other.no_prefix;
        self.compared += other.compared;
        self.disagree += other.disagree;
        for (to, from) in [
            (&mut self.of_lenses, &other.of_lenses),
            (&mut self.of_actions, &other.of_actions),
        ] {
            for (cause, count) in from {
                *to.entry(*cause).or_default() += count;
            }
        }
        self.inside_texts.extend(
            other
                .inside_texts
                .iter()
                .map(|(k, v)| (k.clone(), v.clone())),
        );
        self.inside_lenses.extend(
            other
                .inside_lenses
                .iter()
                .map(|(k, v)| (k.clone(), v.clone())),
        );
    }

    fn of(&self, causes: &[Cause]) -> usize {
        causes.iter().filter_map(|c| self.of_lenses.get(c)).sum()
    }
}

/// Of the texts in classes with enough of them: how many are the most frequent of their class, of how many.
fn most_frequent(classes: &BTreeMap<String, HashMap<String, usize>>) -> (usize, usize) {
    let mut out = (0, 0);
    for texts in classes.values() {
        let all: usize = texts.values().sum();
        if all >= ENOUGH {
            out.0 += texts.values().copied().max().unwrap_or(0);
            out.1 += all;
        }
    }
    out
}

fn of_suite(classes: &BTreeMap<String, HashMap<String, usize>>) -> (usize, usize) {
    let mut all: HashMap<&str, usize> = HashMap::new();
    for (text, count) in classes.values().flatten() {
        *all.entry(text).or_default() += count;
    }
    (all.values().copied().max().unwrap_or(0), all.values().sum())
}

/// A row of the table: a part of a whole, with the bound to reach and the aim, in per cent.
struct Row {
    name: String,
    part: fn(&Counts) -> (usize, usize),
    /// At most; at least if `rises`.
    reach: Option<f64>,
    aim: Option<f64>,
    rises: bool,
}

impl Row {
    fn at_most(name: &str, part: fn(&Counts) -> (usize, usize), reach: f64, aim: f64) -> Row {
        Row {
            name: name.to_owned(),
            part,
            reach: Some(reach),
            aim: Some(aim),
            rises: false,
        }
    }

    fn at_least(name: &str, part: fn(&Counts) -> (usize, usize), reach: f64, aim: f64) -> Row {
        Row {
            rises: true,
            ..Row::at_most(name, part, reach, aim)
        }
    }

    fn told(name: &str, part: fn(&Counts) -> (usize, usize)) -> Row {
        Row {
            reach: None,
            aim: None,
            ..Row::at_most(name, part, 0.0, 0.0)
        }
    }

    fn breaks(&self, counts: &Counts) -> bool {
        let (part, of) = (self.part)(counts);
        let percent = percent(part, of);
        of > 0
            && self.reach.is_some_and(|reach| match self.rises {
                true => percent < reach,
                false => percent > reach,
            })
    }
}

fn rows() -> Vec<Row> {
    vec![
        Row::told("tests with a lens that names a value", |c| {
            (c.values, c.tests)
        }),
        Row::at_most(
            "asserted already (all forms)",
            |c| {
                let all = [
                    Cause::Asserted,
                    Cause::AssertedUntouched,
                    Cause::AssertedWhole,
                    Cause::AssertedForm,
                    Cause::AssertedText,
                ];
                (c.of(&all), c.values)
            },
            0.3,
            0.0,
        ),
        Row::at_least(
            "first actions that compile",
            |c| {
                let bad = [Cause::Missing, Cause::NotCompiled];
                let bad: usize = bad.iter().filter_map(|b| c.of_actions.get(b)).sum();
                (c.compiled - bad, c.compiled)
            },
            99.8,
            100.0,
        ),
        Row::at_most(
            "bare objects, isEmpty, toString, getClass, hashCode",
            |c| (c.of(&[Cause::Bare, Cause::Noise]), c.values),
            3.0,
            1.0,
        ),
        Row::at_most(
            "put in by the test itself",
            |c| (c.of(&[Cause::PutIn, Cause::PutInGiven]), c.values),
            2.0,
            0.5,
        ),
        Row::at_most(
            "asking changes something",
            |c| (c.of(&[Cause::Changes]), c.values),
            0.3,
            0.0,
        ),
        Row::at_most(
            "must throw",
            |c| (c.of(&[Cause::MustThrow]), c.values),
            0.3,
            0.0,
        ),
        Row::at_most(
            "stand-ins, stubbed answers, fixtures",
            |c| {
                (
                    c.of(&[Cause::Mock, Cause::Stubbed, Cause::Fixture]),
                    c.values,
                )
            },
            2.0,
            0.5,
        ),
        Row::at_most(
            "most frequent *inside* of a class (lists, classes with ≥ 8)",
            |c| most_frequent(&c.inside_texts),
            25.0,
            15.0,
        ),
        Row::at_most(
            "… of lenses",
            |c| most_frequent(&c.inside_lenses),
            25.0,
            15.0,
        ),
        Row::told("most frequent *inside* of the suite (lists)", |c| {
            of_suite(&c.inside_texts)
        }),
        Row::at_least(
            "*inside* in the class under test",
            |c| (c.inside_about, c.inside_named),
            80.0,
            95.0,
        ),
        Row::at_least(
            "*inside* that the test runs",
            |c| (c.inside_run, c.inside_run_of),
            80.0,
            95.0,
        ),
        Row::at_most(
            "a shorter list that is no prefix",
            |c| (c.no_prefix, c.lists),
            0.0,
            0.0,
        ),
        Row::at_most(
            "lens, list, action and JSON that disagree",
            |c| (c.disagree, c.compared),
            0.0,
            0.0,
        ),
        Row::told(
            "lenses with a value against which the machine has something",
            |c| (c.doubtful, c.values),
        ),
    ]
}

fn percent(part: usize, of: usize) -> f64 {
    100.0 * part as f64 / of.max(1) as f64
}

/// One line a measure, one column a project.
pub(super) fn print(projects: &[(String, Counts)]) {
    let mut all = Counts::default();
    projects.iter().for_each(|(_, counts)| all.add(counts));
    let names: Vec<&str> = projects.iter().map(|p| p.0.as_str()).collect();
    println!(
        "| in per cent | all | reach | aim | {} |",
        names.join(" | ")
    );
    println!("| --- | --: | --: | --: |{}", " --: |".repeat(names.len()));
    let cells = |value: &dyn Fn(&Counts) -> String| -> String {
        let each: Vec<String> = projects.iter().map(|(_, c)| value(c)).collect();
        each.join(" | ")
    };
    for row in rows() {
        let cell = |c: &Counts| {
            let (part, of) = (row.part)(c);
            match of {
                0 => "–".to_owned(),
                _ => format!("{:.1}", percent(part, of)),
            }
        };
        let bound = |b: Option<f64>| b.map_or(String::new(), |b| format!("{b}"));
        println!(
            "| {} | {} | {} | {} | {} |",
            row.name,
            cell(&all),
            bound(row.reach),
            bound(row.aim),
            cells(&cell)
        );
    }
    println!();
    println!("| how many | all | {} |", names.join(" | "));
    println!("| --- | --: |{}", " --: |".repeat(names.len()));
    let count = |name: &str, of: &dyn Fn(&Counts) -> usize| {
        println!(
            "| {name} | {} | {} |",
            of(&all),
            cells(&|c| of(c).to_string())
        );
    };
    count("tests", &|c| c.tests);
    count("lenses", &|c| c.lenses);
    count("lenses that name a value", &|c| c.values);
    count("first actions", &|c| c.actions);
    count("first actions compiled", &|c| c.compiled);
    for cause in Cause::ALL {
        let of = |c: &Counts| match cause {
            Cause::Missing | Cause::NotCompiled => c.of_actions.get(&cause).copied().unwrap_or(0),
            _ => c.of_lenses.get(&cause).copied().unwrap_or(0),
        };
        count(&format!("… {}", cause.text()), &of);
    }
}

pub(super) fn to_json(projects: &[(String, Counts)]) -> Value {
    let mut all = Counts::default();
    projects.iter().for_each(|(_, counts)| all.add(counts));
    let one = |counts: &Counts| -> Value {
        let measures: serde_json::Map<String, Value> = rows()
            .iter()
            .map(|row| {
                let (part, of) = (row.part)(counts);
                let value = json!({ "part": part, "of": of, "percent": percent(part, of), "reach": row.reach, "aim": row.aim });
                (row.name.clone(), value)
            })
            .collect();
        let causes = |of: &BTreeMap<Cause, usize>| -> serde_json::Map<String, Value> {
            of.iter()
                .map(|(c, n)| (c.text().to_owned(), json!(n)))
                .collect()
        };
        json!({
            "tests": counts.tests,
            "lenses": counts.lenses,
            "values": counts.values,
            "actions": counts.actions,
            "measures": measures,
            "lens_causes": causes(&counts.of_lenses),
            "action_causes": causes(&counts.of_actions),
        })
    };
    let each: serde_json::Map<String, Value> = projects
        .iter()
        .map(|(name, c)| (name.clone(), one(c)))
        .collect();
    json!({ "all": one(&all), "projects": each })
}

/// What is beyond its bound, in words.
pub(super) fn broken(projects: &[(String, Counts)]) -> Vec<String> {
    let mut all = Counts::default();
    projects.iter().for_each(|(_, counts)| all.add(counts));
    let beyond = rows().into_iter().filter(|row| row.breaks(&all));
    beyond
        .map(|row| {
            let (part, of) = (row.part)(&all);
            let reach = row.reach.unwrap_or_default();
            format!("{}: {:.1} %, bound {reach} %", row.name, percent(part, of))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_broken_from_its_own_side() {
        let mut counts = Counts {
            values: 1000,
            compiled: 1000,
            ..Counts::default()
        };
        let name = |counts: &Counts| broken(&[("a".to_owned(), counts.clone())]);
        assert!(name(&counts).is_empty());
        counts.of_lenses.insert(Cause::Asserted, 4);
        assert_eq!(
            name(&counts),
            ["asserted already (all forms): 0.4 %, bound 0.3 %"]
        );
        counts.of_lenses.clear();
        counts.of_actions.insert(Cause::Missing, 3);
        assert_eq!(
            name(&counts),
            ["first actions that compile: 99.7 %, bound 99.8 %"]
        );
    }

    #[test]
    fn the_most_frequent_text_counts_in_classes_with_enough() {
        let texts = |counts: &[usize]| {
            let each = counts.iter().enumerate();
            each.map(|(i, n)| (i.to_string(), *n))
                .collect::<HashMap<_, _>>()
        };
        let classes = BTreeMap::from([
            ("A".to_owned(), texts(&[6, 2])),
            ("B".to_owned(), texts(&[5, 2])),
        ]);
        assert_eq!(most_frequent(&classes), (6, 8));
        assert_eq!(of_suite(&classes), (11, 15));
    }
}
