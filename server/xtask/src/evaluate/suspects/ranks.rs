//! What `telltale suspects` says of a version, beside what running its assertions said.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use text::{Encoding, LineIndex};

use super::labels::{Assertion, Label};
use super::suites::Suites;
use super::version::bounded;
use crate::Result;
use crate::evaluate::build::output;

/// The contract that is read.
const SCHEMA: &str = "telltale.suspects/1";

/// How long a recording may take.
const LONGEST: Duration = Duration::from_secs(5400);

/// How many are shown to a reviewer.
const TOP: f64 = 5.0;
const SHOWN: usize = 5;

/// Where an assertion begins: a path from the folder of the version, line and column from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    path: String,
    line: u32,
    column: u32,
}

/// How much stands behind the ranks of a class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Assertions, as telltale counts: a call that expects an exception is one to it.
    pub(super) assertions: usize,
    /// Generated tests that were judged, hand-written ones that taught, and tests of both of which nothing is known.
    pub(super) generated: usize,
    pub(super) manual: usize,
    pub(super) unknown: usize,
    /// Entries and exits of methods at which something was learnt, and how much.
    pub(super) points: usize,
    pub(super) constraints: usize,
    /// What breaks a constraint, and what of that the filter kept.
    pub(super) violations: usize,
    pub(super) kept: usize,
}

/// A suspicious assertion.
#[derive(Clone, Debug)]
struct Suspect {
    place: Place,
    rank: f64,
    /// The ranks of which that is made, or else the same.
    by_score: f64,
    by_uniqueness: f64,
    /// It is worth a mark in an editor, if it is among the first, or is told whatever its rank.
    is_worth_a_mark: bool,
    is_told: bool,
}

impl Suspect {
    fn of(row: &Value) -> Option<Suspect> {
        let rank = row["rank"].as_f64()?;
        Some(Suspect {
            place: place(row)?,
            rank,
            by_score: row["rank_by_score"].as_f64().unwrap_or(rank),
            by_uniqueness: row["rank_by_uniqueness"].as_f64().unwrap_or(rank),
            is_worth_a_mark: row["worth"] == true,
            is_told: row["told"] == true,
        })
    }
}

/// What is said of a class under test.
#[derive(Debug, Default)]
pub(super) struct Said {
    class: String,
    /// The best first.
    suspects: Vec<Suspect>,
    /// What any violation reaches, unfiltered.
    flagged: Vec<Place>,
    counts: Counts,
}

impl Said {
    /// What is said of a class.
    fn of<'s>(all: &'s [Said], class: &str) -> Option<&'s Said> {
        all.iter().find(|s| s.class == class)
    }
}

/// Records a version.
pub(super) fn record(telltale: &Path, folder: &Path) -> Result<()> {
    let mut record = Command::new(telltale);
    record.arg("record").arg(folder);
    let patience = LONGEST.as_secs().to_string();
    record.args(["--run-timeout", &patience]);
    // It ends what it started by itself; ours is the longer patience.
    let longest = LONGEST + Duration::from_secs(60);
    if !bounded(record, longest, &mut |line| eprintln!("record: {line}"))? {
        return Err("nothing was recorded".to_owned());
    }
    Ok(())
}

/// The suspicious assertions of a version that is recorded, as they are found with such options.
pub(super) fn asked(telltale: &Path, folder: &Path, options: &[&str]) -> Result<Vec<Said>> {
    let mut suspects = Command::new(telltale);
    suspects.arg("suspects").arg(folder).args(options);
    read(&output(suspects.args(["--format", "json"]))?)
}

/// What is said of a version if a step is done in another way, for what was lost there.
#[derive(Debug, Default)]
pub(super) struct Otherwise {
    /// With whatever held in all calls, however few.
    pub(super) justified: Vec<Said>,
    /// As if a strange value reached all that stands behind it.
    pub(super) followed: Vec<Said>,
}

impl Otherwise {
    /// Asks a version that is recorded.
    pub(super) fn asked(telltale: &Path, folder: &Path) -> Result<Otherwise> {
        Ok(Otherwise {
            justified: asked(telltale, folder, &["--confidence", "0"])?,
            followed: asked(telltale, folder, &["--without", "flow"])?,
        })
    }
}

fn read(json: &str) -> Result<Vec<Said>> {
    let json: Value = serde_json::from_str(json).map_err(|e| format!("no JSON: {e}"))?;
    if json["schema"] != SCHEMA {
        return Err(format!("the schema is {}, not {SCHEMA}", json["schema"]));
    }
    let rows = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let said = |class: &Value| {
        let suspects = rows(&class["suspects"]);
        let flagged = rows(&class["flagged"]);
        let mut suspects: Vec<Suspect> = suspects.iter().filter_map(Suspect::of).collect();
        suspects.sort_by(|a, b| a.rank.total_cmp(&b.rank));
        Said {
            class: class["class"].as_str().unwrap_or_default().to_owned(),
            suspects,
            flagged: flagged.iter().filter_map(place).collect(),
            counts: counts(class),
        }
    };
    Ok(rows(&json["classes"]).iter().map(said).collect())
}

fn counts(class: &Value) -> Counts {
    let number = |key: &str| {
        let number = class[key].as_u64().and_then(|n| usize::try_from(n).ok());
        number.unwrap_or(0)
    };
    Counts {
        assertions: number("assertions"),
        generated: number("generated_tests"),
        manual: number("manual_tests"),
        unknown: number("unknown_tests"),
        points: number("points"),
        constraints: number("constraints"),
        violations: number("violations"),
        kept: number("violations_kept"),
    }
}

fn place(row: &Value) -> Option<Place> {
    let number = |key: &str| u32::try_from(row[key].as_u64()?).ok();
    Some(Place {
        path: row["path"].as_str()?.replace('\\', "/"),
        line: number("line")?,
        column: number("column").unwrap_or(1),
    })
}

/// The assertions of a class under test, by the lines on which they stand.
struct Known {
    by_line: BTreeMap<(String, u32), Vec<(u32, Label)>>,
}

impl Known {
    fn of(class: &str, folder: &Path, suites: &Suites, assertions: &[Assertion]) -> Known {
        let mut by_line: BTreeMap<(String, u32), Vec<(u32, Label)>> = BTreeMap::new();
        for (at, suite) in suites.all.iter().enumerate() {
            if suite.class != class {
                continue;
            }
            let index = LineIndex::new(&suite.unit.text);
            let path = suite
                .unit
                .path
                .strip_prefix(folder)
                .unwrap_or(&suite.unit.path);
            let path = path.to_string_lossy().replace('\\', "/");
            for assertion in assertions.iter().filter(|a| a.suite == at) {
                let start = index.position(assertion.start, Encoding::Utf16);
                let of_line = by_line.entry((path.clone(), start.line + 1)).or_default();
                of_line.push((start.column + 1, assertion.label));
            }
        }
        Known { by_line }
    }

    /// The assertion at a place, by its column, with its label: of several on a line the last that begins there or before.
    fn at(&self, place: &Place) -> Option<(u32, Label)> {
        let of_line = self.by_line.get(&(place.path.clone(), place.line))?;
        let before = of_line
            .iter()
            .rev()
            .find(|(column, _)| *column <= place.column);
        before.or_else(|| of_line.first()).copied()
    }

    fn label(&self, place: &Place) -> Option<Label> {
        self.at(place).map(|(_, label)| label)
    }

    /// The wrong assertions at places.
    fn wrong_at<'p>(&self, places: impl Iterator<Item = &'p Place>) -> BTreeSet<Place> {
        let wrong = places.filter_map(|place| match self.at(place)? {
            (column, Label::Wrong) => Some(Place {
                column,
                ..place.clone()
            }),
            _ => None,
        });
        wrong.collect()
    }

    /// All that are wrong.
    fn wrong(&self) -> impl Iterator<Item = Place> {
        let all = self.by_line.iter();
        all.flat_map(|((path, line), of_line)| {
            let wrong = of_line.iter().filter(|(_, label)| *label == Label::Wrong);
            wrong.map(|(column, _)| Place {
                path: path.clone(),
                line: *line,
                column: *column,
            })
        })
    }
}

/// How a class under test with wrong assertions fares.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fared {
    pub(super) class: String,
    pub(super) assertions: usize,
    pub(super) wrong: usize,
    /// How many have a rank, and how many of those are wrong.
    pub(super) ranked: usize,
    pub(super) ranked_wrong: usize,
    /// The best rank of a wrong one: equals share the mean of theirs.
    pub(super) first: Option<f64>,
    /// Where a reader meets the first wrong one, if equals come in a random order: the expected place.
    pub(super) met: Option<f64>,
    /// The same in the order of the score alone, and of the paper's sum.
    pub(super) met_by_score: Option<f64>,
    pub(super) met_by_uniqueness: Option<f64>,
    /// What plain anomaly detection flags, and how many of those are wrong.
    pub(super) flagged: usize,
    pub(super) flagged_wrong: usize,
    /// How far wrong assertions came, with how many.
    pub(super) stages: BTreeMap<Stage, usize>,
    pub(super) counts: Counts,
    /// Suspects of which no assertion of ours is known: their places do not agree.
    pub(super) unknown: usize,
}

/// How far a wrong assertion came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// Among the first five.
    Shown,
    /// It has a rank, others are before it.
    Outranked,
    /// A violation reaches it, of which no hand-written test ran what was run.
    Filtered,
    /// Its test breaks something before it, but no way was found from there.
    NoWay,
    /// What reaches it breaks only what too few calls taught.
    Unjustified,
    /// Nothing was learnt that it breaks.
    Untaught,
}

impl Fared {
    pub(super) fn is_hit(&self) -> bool {
        self.first.is_some_and(|rank| rank <= TOP)
    }

    /// Whether a reader of five is to meet a wrong one.
    pub(super) fn is_met(&self) -> bool {
        self.met.is_some_and(|place| place <= TOP)
    }

    /// Of all assertions, how many are inspected up to the first wrong one.
    #[allow(clippy::cast_precision_loss)]
    pub(super) fn inspected(&self) -> Option<f64> {
        Some(self.met? / self.assertions as f64)
    }
}

/// The expected rank of the first wrong one among `all` in a random order.
#[allow(clippy::cast_precision_loss)]
pub(super) fn by_chance(all: usize, wrong: usize) -> Option<f64> {
    (wrong > 0).then(|| (all + 1) as f64 / (wrong + 1) as f64)
}

/// Joins what is said of a class with the labels of its assertions.
pub(super) fn fared(
    class: &str,
    folder: &Path,
    suites: &Suites,
    assertions: &[Assertion],
    said: &[Said],
    otherwise: &Otherwise,
) -> Fared {
    let known = Known::of(class, folder, suites, assertions);
    let nothing = Said::default();
    let of = |all| Said::of(all, class).unwrap_or(&nothing);
    let flagged = |all| known.wrong_at(of(all).flagged.iter());
    let (justified, followed) = (flagged(&otherwise.justified), flagged(&otherwise.followed));
    let (reached, said) = (flagged(said), of(said));
    let is_wrong = |place: &Place| known.label(place) == Some(Label::Wrong);
    let among = |ranks: &dyn Fn(f64) -> bool| {
        let own = said.suspects.iter().filter(|s| ranks(s.rank));
        known.wrong_at(own.map(|s| &s.place))
    };
    let (ranked, shown) = (among(&|_| true), among(&|rank| rank <= TOP));
    let mut stages: BTreeMap<Stage, usize> = BTreeMap::new();
    for wrong in known.wrong() {
        let is_in = |all: &BTreeSet<Place>| all.contains(&wrong);
        let stage = match () {
            () if is_in(&shown) => Stage::Shown,
            () if is_in(&ranked) => Stage::Outranked,
            () if is_in(&reached) => Stage::Filtered,
            () if is_in(&followed) => Stage::NoWay,
            () if is_in(&justified) => Stage::Unjustified,
            () => Stage::Untaught,
        };
        *stages.entry(stage).or_default() += 1;
    }
    let first = said.suspects.iter().position(|s| is_wrong(&s.place));
    let met = |rank: fn(&Suspect) -> f64| {
        let all = &said.suspects;
        let wrong = all.iter().filter(|s| is_wrong(&s.place)).map(rank);
        let first = wrong.min_by(f64::total_cmp)?;
        let is_like = |s: &&Suspect| (rank(s) - first).abs() < 1e-9;
        let before = all.iter().filter(|s| rank(s) < first && !is_like(s));
        let equals = || all.iter().filter(is_like);
        let wrong = equals().filter(|s| is_wrong(&s.place)).count();
        #[allow(clippy::cast_precision_loss)]
        Some(before.count() as f64 + by_chance(equals().count(), wrong)?)
    };
    Fared {
        class: class.to_owned(),
        assertions: known.by_line.values().map(Vec::len).sum(),
        wrong: known.wrong().count(),
        ranked: said.suspects.len(),
        ranked_wrong: ranked.len(),
        first: first.map(|first| said.suspects[first].rank),
        met: met(|s| s.rank),
        met_by_score: met(|s| s.by_score),
        met_by_uniqueness: met(|s| s.by_uniqueness),
        flagged: said.flagged.len(),
        flagged_wrong: reached.len(),
        stages,
        counts: said.counts,
        unknown: said
            .suspects
            .iter()
            .filter(|s| known.label(&s.place).is_none())
            .count(),
    }
}

/// Suspects on a version without the bug: all of them are false alarms.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Alarms {
    /// How many have a rank of five or better. Equals share the mean of their ranks, so many equals have none.
    pub(super) by_rank: usize,
    /// How many an editor marks.
    pub(super) marked: usize,
    /// How many of these are warnings.
    pub(super) warned: usize,
}

pub(super) fn alarms(class: &str, said: &[Said]) -> Alarms {
    let of = said.iter().filter(|s| s.class == class);
    let all: Vec<&Suspect> = of.flat_map(|s| &s.suspects).collect();
    let is_marked = |nth: usize, s: &Suspect| s.is_told || (nth < SHOWN && s.is_worth_a_mark);
    Alarms {
        by_rank: all.iter().filter(|s| s.rank <= TOP).count(),
        marked: (0..all.len())
            .filter(|nth| is_marked(*nth, all[*nth]))
            .count(),
        warned: all.iter().filter(|s| s.is_told).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::suspects::compile::Unit;
    use crate::evaluate::suspects::suites::Suite;
    use crate::evaluate::suspects::weave::statements;

    const TEST: &str = "class B_1_ESTest {\n  @Test void a() {\n    assertTrue(x); assertTrue(y);\n    assertTrue(z);\n  }\n}\n";

    fn suites() -> (Suites, Vec<Assertion>) {
        let unit = Unit {
            path: "/v/src/a/B_1_ESTest.java".into(),
            text: TEST.to_owned(),
        };
        let suite = Suite {
            name: "a.B_1_ESTest".to_owned(),
            class: "a.B".to_owned(),
            unit,
        };
        let labels = [Label::Right, Label::Wrong, Label::Wrong];
        let all = statements(TEST).into_iter().zip(labels);
        let all = all.map(|(statement, label)| Assertion {
            suite: 0,
            start: statement.span.start,
            end: statement.span.end,
            label,
            holds: false,
        });
        let suites = Suites {
            all: vec![suite],
            ..Suites::default()
        };
        (suites, all.collect())
    }

    fn of(json: &str, otherwise: &Otherwise) -> Fared {
        let (suites, assertions) = suites();
        let said = read(json).expect("it is read");
        let folder = Path::new("/v");
        fared("a.B", folder, &suites, &assertions, &said, otherwise)
    }

    fn flagged(line: u32, column: u32) -> Vec<Said> {
        let json = format!(
            r#"{{"schema":"telltale.suspects/1","classes":[{{"class":"a.B","suspects":[],
            "flagged":[{{"path":"src/a/B_1_ESTest.java","line":{line},"column":{column}}}]}}]}}"#
        );
        read(&json).expect("it is read")
    }

    #[test]
    fn ranks_are_joined_by_place() {
        let fared = of(
            r#"{"schema":"telltale.suspects/1","classes":[{"class":"a.B","assertions":4,"manual_tests":7,"violations":9,"violations_kept":2,"suspects":[
            {"rank":1.0,"rank_by_score":2.0,"rank_by_uniqueness":2.5,"path":"src/a/B_1_ESTest.java","line":3,"column":5},
            {"rank":2.5,"rank_by_score":1.0,"rank_by_uniqueness":2.5,"path":"src/a/B_1_ESTest.java","line":3,"column":20},
            {"rank":2.5,"rank_by_score":3.0,"rank_by_uniqueness":1.0,"path":"src/a/Other.java","line":3,"column":20}],
            "flagged":[{"path":"src/a/B_1_ESTest.java","line":4,"column":5},{"path":"src/a/B_1_ESTest.java","line":3,"column":5},
            {"path":"src/a/B_1_ESTest.java","line":3,"column":20}]}]}"#,
            &Otherwise::default(),
        );
        assert_eq!((fared.assertions, fared.wrong), (3, 2));
        assert_eq!((fared.ranked, fared.ranked_wrong, fared.unknown), (3, 1, 1));
        assert_eq!((fared.first, fared.met), (Some(2.5), Some(2.5)));
        let others = (fared.met_by_score, fared.met_by_uniqueness);
        assert_eq!(others, (Some(1.0), Some(2.5)));
        let counts = Counts {
            assertions: 4,
            manual: 7,
            violations: 9,
            kept: 2,
            ..Counts::default()
        };
        assert_eq!(fared.counts, counts);
        assert!(fared.is_hit());
        assert_eq!((fared.flagged, fared.flagged_wrong), (3, 2));
        let stages = [(Stage::Shown, 1), (Stage::Filtered, 1)];
        assert_eq!(fared.stages, BTreeMap::from(stages));
    }

    #[test]
    fn a_class_of_which_nothing_is_said_has_no_rank() {
        let otherwise = Otherwise::default();
        let fared = of(
            r#"{"schema":"telltale.suspects/1","classes":[]}"#,
            &otherwise,
        );
        assert_eq!(fared.stages, BTreeMap::from([(Stage::Untaught, 2)]));
        assert_eq!(
            (fared.first, fared.is_hit(), fared.inspected()),
            (None, false, None)
        );
        assert!(read(r#"{"schema":"telltale.check/1"}"#).is_err());
        assert!(read("error").is_err());
    }

    #[test]
    fn what_no_violation_reaches_was_lost_somewhere() {
        let nothing = r#"{"schema":"telltale.suspects/1","classes":[]}"#;
        let otherwise = Otherwise {
            justified: flagged(3, 20),
            followed: flagged(4, 5),
        };
        let stages = [(Stage::NoWay, 1), (Stage::Unjustified, 1)];
        assert_eq!(of(nothing, &otherwise).stages, BTreeMap::from(stages));
    }

    #[test]
    fn the_first_of_a_random_order() {
        assert_eq!(by_chance(9, 1), Some(5.0));
        assert_eq!(by_chance(9, 9), Some(1.0));
        assert_eq!(by_chance(9, 0), None);
    }

    #[test]
    fn alarms_are_those_of_the_top() {
        let said = read(
            r#"{"schema":"telltale.suspects/1","classes":[{"class":"a.B","suspects":[
            {"rank":5.0,"score":0.9,"worth":true,"path":"p","line":1},{"rank":6.0,"score":0.1,"path":"p","line":2},
            {"rank":7.0,"score":0.1,"told":true,"path":"p","line":3}]}]}"#,
        );
        let said = said.expect("it is read");
        let expected = Alarms {
            by_rank: 1,
            marked: 2,
            warned: 1,
        };
        assert_eq!(alarms("a.B", &said), expected);
        assert_eq!(alarms("a.C", &said), Alarms::default());
    }
}
