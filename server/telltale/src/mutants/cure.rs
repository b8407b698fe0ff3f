//! The value that would have told a mutant that survived: some tests that run it run again, with calls that tell values.
//!
//! Values that a test could read come first, as the lists offer them; the assertion is written with the value of the plain
//! run, and only where the value with the mutant would have made another one. Next come values that differ and that no
//! short assertion is written on, then values within the code.

use super::mocked::mocked;
use super::{Group, Survey, test_of};
use crate::failure::Failure;
use evidence::Value;
use ide::action::insertion;
use ide::weave::{About, Slot, points};
use ide::{Analysis, PlacedEdit, Readable, SourceChange, cut, method_words};
use mutants::{Baseline, Judged, Known, Listed};
use program::MethodId;
use runner::judge::{Tests, Work};
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use text::{Encoding, LineIndex};
use verdicts::{NotWoven, Numbered, Shown, Workshop};

/// How many tests are asked of a mutant.
const TESTS: usize = 12;

/// Of how many tests of a mutant that tell values are looked at.
const SHOWN: usize = 6;

/// A mutant that survived, and tests that run it.
pub(super) struct Asked<'a> {
    mutant: u32,
    tests: Vec<&'a Known>,
}

impl<'a> Asked<'a> {
    /// Of many tests those that run little else of the code: such a test is about what it runs.
    pub(super) fn new(mutant: u32, baseline: &'a Baseline, tests: &[u32]) -> Asked<'a> {
        let of = |t: &u32| &baseline.tests[*t as usize];
        let mut tests: Vec<&Known> = tests.iter().map(of).collect();
        tests.sort_by(|a, b| (a.reached.len(), &a.id).cmp(&(b.reached.len(), &b.id)));
        tests.truncate(TESTS);
        Asked { mutant, tests }
    }
}

/// What would have told. Its order has no meaning, but each has one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Remedy {
    /// A value that a test could read.
    Read(Box<Cure>),
    /// A value within the code.
    Inside(Box<Within>),
    /// A mock takes the call that was left out: how a test would look at it, and which.
    Mocked { call: String, test: String },
    /// No value that was looked at.
    None,
}

/// A value within the code that only the code can read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Within {
    /// `neg in Stats.compare`.
    pub(crate) name: String,
    /// Its file and line, from 1, where these are known.
    pub(crate) place: Option<(String, u32)>,
    /// A test that runs it.
    pub(crate) test: String,
}

/// A value that a test could read and does not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cure {
    /// `pkg.ClassTest#method()`.
    pub(crate) test: String,
    /// Its file.
    pub(crate) path: String,
    /// Where the assertion goes, from 1.
    pub(crate) line: u32,
    /// What to read.
    pub(crate) expression: String,
    /// What it is.
    pub(crate) was: String,
    /// What it is with the mutant.
    pub(crate) with_mutant: String,
    /// The finished assertion.
    pub(crate) assertion: Option<String>,
    /// What puts it there, with its imports.
    pub(crate) edits: Vec<PlacedEdit>,
    /// The test's own list names it.
    pub(crate) is_offered: bool,
    /// It is an object whose fields differ.
    pub(crate) is_object: bool,
}

/// A test with what it told of a mutant.
struct Teller {
    /// Its number in the baseline.
    number: u32,
    test: MethodId,
    /// What differed.
    slots: Vec<u32>,
}

/// The remedy of each mutant that survived, in their order.
pub(super) fn remedies(
    group: &Group<'_>,
    java: &Path,
    folder: &Path,
    listed: &Listed,
    asked: &[Asked<'_>],
    out: &mut Survey,
) -> Result<Vec<Remedy>, Failure> {
    let none = || asked.iter().map(|_| Remedy::None).collect::<Vec<_>>();
    let analysis = group.analysis;
    let by_name = verdicts::by_name(analysis.program(), analysis.workspace().suite().tests());
    let tests = || asked.iter().flat_map(|a| a.tests.iter().copied());
    let methods: BTreeSet<MethodId> = tests().filter_map(|t| test_of(&by_name, t)).collect();
    let methods: Vec<MethodId> = methods.into_iter().collect();
    let numbered = verdicts::numbered(analysis, &methods);
    let own = folder.join("told");
    std::fs::create_dir_all(&own).map_err(|e| crate::record::unwritten(&e))?;
    let name = format!(
        "woven {} {}{}",
        group.number,
        listed.plan(),
        names(analysis, &numbered)
    );
    let woven = match group.ground.get::<Woven>(&name) {
        Some(woven) => woven,
        None => {
            let woven = woven(group, java, &own, listed, &numbered)?;
            if woven.not.is_none() {
                group.ground.put(&name, &woven);
            }
            woven
        }
    };
    let why = "it did not compile with calls that tell values";
    let left_out = woven.left_out.iter();
    out.left_out
        .extend(left_out.map(|f| (f.replace('\\', "/"), why.to_owned())));
    if let Some(why) = &woven.not {
        out.notes.push(format!("no values were looked at: {why}"));
        return Ok(none());
    }
    let swaps = woven
        .put(&own.join("swapped"))
        .map_err(|e| crate::record::unwritten(&e))?;
    let judge = group.judge(java, &own, &swaps);
    // In an order that does not hang on which mutants survived first.
    let of_id: BTreeMap<&str, &Known> = tests().map(|t| (&*t.id, t)).collect();
    let known: Vec<&Known> = of_id.into_values().collect();
    let run = |baseline: &Baseline| -> Result<Ran, Failure> {
        let all = (0u32..).zip(&baseline.tests);
        let number: HashMap<&str, u32> = all.map(|(n, t)| (&*t.id, n)).collect();
        let runs = |asked: &Asked<'_>| -> Vec<u32> {
            let own = asked.tests.iter();
            let own = own.filter_map(|t| number.get(&*t.id).copied());
            let is_run = |n: &u32| {
                let test = &baseline.tests[*n as usize];
                test.is_stable && test.reached.contains(&asked.mutant)
            };
            own.filter(is_run).collect()
        };
        let work = asked.iter().map(|a| Work {
            mutant: a.mutant,
            tests: runs(a),
        });
        let work: Vec<Work> = work.filter(|w| !w.tests.is_empty()).collect();
        if work.is_empty() {
            return Ok(Ran::default());
        }
        let what = "Asking what those tell that survived";
        let (judged, segments) = group.told_of(what, work.len(), &|_| {}, |told| {
            judge.show(listed, baseline, &work, told)
        })?;
        Ok(Ran { judged, segments })
    };
    let tests = Tests::Known(&known);
    let ids: Vec<&str> = known.iter().map(|t| &*t.id).collect();
    let name = format!("{} {name}", ids.join(" "));
    let (baseline, ran) = group.on_baseline(&name, &judge, listed, tests, run)?;
    let mut told: BTreeMap<u32, Vec<Teller>> = BTreeMap::new();
    for one in &ran.judged {
        for pair in one.pairs.iter().filter(|p| !p.killed && !p.told.is_empty()) {
            if let Some(test) = test_of(&by_name, &baseline.tests[pair.test as usize]) {
                told.entry(one.mutant).or_default().push(Teller {
                    number: pair.test,
                    test,
                    slots: pair.told.clone(),
                });
            }
        }
    }
    for tellers in told.values_mut() {
        tellers.truncate(SHOWN);
    }
    let shown = verdicts::shown(&ran.segments, baseline.tests.len())
        .map_err(|e| Failure::Run(format!("what tests showed cannot be read: {e}")))?;
    let slots = numbered.tests().chain(numbered.inside());
    let find = Finder {
        analysis,
        slots: slots.map(|s| (s.number, s)).collect(),
        values: methods
            .iter()
            .map(|t| (*t, readable(analysis, *t)))
            .collect(),
        shown,
    };
    let told = |a: &Asked<'_>| told.get(&a.mutant).map_or(&[][..], |t| t);
    let remedy = |a: &Asked<'_>| match find.remedy(a.mutant, told(a)) {
        Remedy::Read(cure) => Remedy::Read(cure),
        other => {
            let own = a.tests.iter().filter_map(|t| test_of(&by_name, t));
            let mutant = &listed.mutants[a.mutant as usize - 1];
            match mocked(analysis, mutant, &own.collect::<Vec<_>>()) {
                Some((call, test)) => Remedy::Mocked {
                    call,
                    test: analysis.program().method_name(test),
                },
                None => other,
            }
        }
    };
    Ok(asked.iter().map(remedy).collect())
}

/// What was judged, and where the values are.
#[derive(Default)]
struct Ran {
    judged: Vec<Judged>,
    segments: Vec<PathBuf>,
}

impl Borrow<Vec<Judged>> for Ran {
    fn borrow(&self) -> &Vec<Judged> {
        &self.judged
    }
}

/// Tests and code with calls that tell values, as they are kept.
#[derive(Default, Serialize, Deserialize)]
struct Woven {
    /// By name, class files.
    classes: Vec<(String, Vec<u8>)>,
    /// Files that could not be woven.
    left_out: Vec<String>,
    /// Why there are none.
    not: Option<String>,
}

impl Woven {
    /// Writes the classes, and gives the lines of a plan that put them in place.
    fn put(&self, folder: &Path) -> std::io::Result<String> {
        std::fs::create_dir_all(folder)?;
        let mut swaps = String::new();
        for (n, (name, bytes)) in self.classes.iter().enumerate() {
            let file = folder.join(format!("{n}.class"));
            std::fs::write(&file, bytes)?;
            swaps.push_str(&format!("swap\t{name}\t{}\n", file.display()));
        }
        Ok(swaps)
    }
}

/// What is asked, a line a slot: classes that were woven with other numbers are others.
fn names(analysis: &Analysis, numbered: &Numbered) -> String {
    let mut out = String::new();
    for slot in numbered.tests().chain(numbered.inside()) {
        let (what, name) = match &slot.about {
            About::Query(asked_as) => ("query", &**asked_as),
            About::Variable(seen) => ("variable", &*seen.variable),
        };
        let test = slot.test.map(|t| analysis.program().method_name(t));
        let test = test.unwrap_or_default();
        out.push_str(&format!("{} {test} {what} {name}\n", slot.number));
    }
    out
}

/// Compiles them, and looks whether the code has the mutants that it has otherwise.
fn woven(
    group: &Group<'_>,
    java: &Path,
    own: &Path,
    listed: &Listed,
    numbered: &Numbered,
) -> Result<Woven, Failure> {
    let what = "Compiling the tests with calls that tell values";
    group.listener.step(what);
    let workshop = Workshop {
        class_path: &group.ground.place(group.number).class_path,
        jar: &group.ground.jar,
        folder: own,
        release: project::release,
        wanted: &|| group.wanted(),
    };
    let woven = verdicts::woven(group.analysis, numbered, &workshop);
    if !group.wanted() {
        return Err(crate::record::cancelled());
    }
    let mut out = Woven::default();
    let woven = match woven {
        Ok(woven) => woven,
        Err(NotWoven::NoCompiler(e)) => {
            return Err(Failure::usage(
                format!("the JDK's compiler cannot be run: {e}"),
                "install a JDK and set JAVA_HOME to it, or put its javac on the path",
            ));
        }
        Err(NotWoven::Io(_, e)) => return Err(crate::record::unwritten(&e)),
        Err(why @ NotWoven::Failed(_)) => {
            out.not = Some(why.to_string());
            return Ok(out);
        }
    };
    out.left_out = woven.left_out;
    let judge = group.judge(java, own, &woven.swaps);
    let of: BTreeSet<&str> = listed.mutants.iter().map(|m| &*m.class).collect();
    let names: Vec<String> = of.iter().map(|c| (*c).to_owned()).collect();
    let mut again = group.listed(&judge, &names)?;
    again.retain(&|class| of.contains(class));
    // What is woven into the code has no mutants, so that all numbers stay.
    if again.mutants != listed.mutants {
        let why =
            "the code that was compiled to look at values has other mutants than that of the build";
        out.not = Some(why.to_owned());
        return Ok(out);
    }
    for line in woven.swaps.lines() {
        if let [_, name, file] = line.split('\t').collect::<Vec<_>>()[..] {
            let bytes = std::fs::read(file).map_err(|e| crate::record::unwritten(&e))?;
            out.classes.push((name.to_owned(), bytes));
        }
    }
    Ok(out)
}

/// What a test could read.
struct Values {
    /// First what its list offers and nothing speaks against, then the rest.
    all: Vec<Readable>,
    /// How many are offered.
    offered: usize,
}

fn readable(analysis: &Analysis, test: MethodId) -> Values {
    let offered = analysis.offered(test);
    let mut all: Vec<Readable> = offered.to_assert(analysis, test).cloned().collect();
    let offered = all.len();
    for value in points(analysis, test) {
        // How an object looks as text may hang on where it lies in memory, and how long that is says nothing.
        let asked = value.expression.as_str();
        if asked.contains(".toString().") || asked.ends_with(".hashCode()") {
            continue;
        }
        if all.iter().all(|r| r.expression != value.expression) {
            all.push(value);
        }
    }
    Values { all, offered }
}

struct Finder<'a> {
    analysis: &'a Analysis,
    slots: HashMap<u32, &'a Slot>,
    values: BTreeMap<MethodId, Values>,
    shown: Shown,
}

impl Finder<'_> {
    fn remedy(&self, mutant: u32, told: &[Teller]) -> Remedy {
        // What lists offer first, then test by test.
        let mut values: Vec<(bool, usize, usize, u32)> = Vec::new();
        let mut inside: Option<Box<Within>> = None;
        for (nth, teller) in told.iter().enumerate() {
            for slot in &teller.slots {
                let Some(of) = self.slots.get(slot) else {
                    continue;
                };
                match (&of.about, of.test) {
                    (About::Query(asked_as), Some(own)) if own == teller.test => {
                        let Some(list) = self.values.get(&own) else {
                            continue;
                        };
                        let mut all = list.all.iter();
                        if let Some(place) = all.position(|r| r.asked_as == *asked_as) {
                            values.push((place >= list.offered, nth, place, *slot));
                        }
                    }
                    (About::Variable(seen), None) => {
                        inside = inside.or_else(|| {
                            Some(Box::new(Within {
                                name: inside_words(&seen.variable),
                                place: of.place.and_then(|p| self.analysis.path_and_line(p)),
                                test: self.analysis.program().method_name(teller.test),
                            }))
                        });
                    }
                    _ => {}
                }
            }
        }
        values.sort_unstable();
        let mut unfinished: Option<Cure> = None;
        for (is_rest, nth, place, slot) in values {
            let teller = &told[nth];
            let value = &self.values[&teller.test].all[place];
            match self.cure(mutant, teller, slot, value, !is_rest) {
                Some(cure) if cure.assertion.is_some() => return Remedy::Read(Box::new(cure)),
                Some(cure) => unfinished = unfinished.or(Some(cure)),
                None => {}
            }
        }
        let inside = inside.map(Remedy::Inside);
        match (unfinished, inside) {
            // The fields of an object are nothing that a test reads.
            (Some(cure), Some(inside)) if cure.is_object => inside,
            (Some(cure), _) => Remedy::Read(Box::new(cure)),
            (None, inside) => inside.unwrap_or(Remedy::None),
        }
    }

    /// A value that differs, with the assertion on it if one holds without the mutant and not with it.
    fn cure(
        &self,
        mutant: u32,
        teller: &Teller,
        slot: u32,
        value: &Readable,
        is_offered: bool,
    ) -> Option<Cure> {
        let (program, test) = (self.analysis.program(), teller.test);
        let file = program.method_file(test)?;
        let was = self.shown.get(&(0, teller.number, slot))?;
        let is = self.shown.get(&(mutant, teller.number, slot))?;
        let written = |seen: &Value| {
            let (change, is_finished) = insertion(self.analysis, file, test, value, Some(seen))?;
            Some(change).filter(|_| is_finished)
        };
        // Where it is another one turn by turn, or throws, no assertion says what it is.
        let plain = was.only().filter(|v| !matches!(v, Value::Threw(_)));
        let change = plain.and_then(written);
        // One that would hold with the mutant, too, tells nothing; one that throws with it does.
        let tells = |change: &SourceChange| match is.only() {
            Some(Value::Threw(_)) => true,
            Some(with) => {
                let other = written(with).as_ref().map(SourceChange::main_text);
                other != Some(change.main_text())
            }
            None => false,
        };
        let change = change.filter(tells);
        let lines = LineIndex::new(program.text(file)?);
        let place = change.as_ref().and_then(SourceChange::main);
        let at = place.map_or(value.span.start, |(main, _)| main.span.start);
        let said = apart(&was.all, &is.all);
        Some(Cure {
            test: program.method_name(test),
            path: program.path(file)?.to_string(),
            line: lines.position(at, Encoding::Utf8).line + 1,
            expression: value.expression.clone(),
            was: said.0,
            with_mutant: said.1,
            assertion: change.as_ref().map(SourceChange::main_text),
            edits: change.map_or(Vec::new(), |c| c.placed(file, &lines)),
            is_offered,
            is_object: matches!(
                was.all.first(),
                Some(Value::Object {
                    is_record: false,
                    ..
                })
            ),
        })
    }
}

/// Values as people read them.
fn words(all: &[Value]) -> String {
    let mut out: Vec<String> = all.iter().take(3).map(Value::short).collect();
    if all.len() > 3 {
        out.push("…".to_owned());
    }
    cut(out.join(", "))
}

/// What was and what would be, as people read them: where both begin alike, the first part that differs.
fn apart(was: &[Value], is: &[Value]) -> (String, String) {
    let (one, other) = (words(was), words(is));
    if one != other {
        return (one, other);
    }
    let differing = was.iter().zip(is).find_map(|(a, b)| part(a, b, 0));
    differing.map_or((one, other), |(path, a, b)| {
        (format!("{path} = {a}"), format!("{path} = {b}"))
    })
}

/// How deep a part is looked for.
const DEEP: u32 = 8;

/// The way to the first part in which two values of a kind differ, and that part of both.
fn part(was: &Value, is: &Value, depth: u32) -> Option<(String, String, String)> {
    if depth > DEEP {
        return None;
    }
    let (was, is) = (was.unboxed(), is.unboxed());
    let within = match (was, is) {
        (Value::Object { fields, .. }, Value::Object { fields: others, .. }) => {
            let mut both = fields.iter().zip(others);
            both.find_map(|((name, a), (_, b))| {
                let (path, a, b) = part(a, b, depth + 1)?;
                Some((format!(".{name}{path}"), a, b))
            })
        }
        (
            Value::Array { elements, .. },
            Value::Array {
                elements: others, ..
            },
        )
        | (
            Value::Collection { elements, .. },
            Value::Collection {
                elements: others, ..
            },
        ) => {
            let mut both = elements.iter().zip(others).enumerate();
            both.find_map(|(at, (a, b))| {
                let (path, a, b) = part(a, b, depth + 1)?;
                Some((format!("[{at}]{path}"), a, b))
            })
        }
        _ => None,
    };
    let whole = || {
        let (a, b) = (was.short(), is.short());
        (a != b).then(|| (String::new(), cut(a), cut(b)))
    };
    within.or_else(whole)
}

/// `neg in Stats.compare` of `demo.Stats#compare(java.util.List) neg`.
fn inside_words(seen: &str) -> String {
    let named = seen.rsplit_once(' ');
    match named.filter(|(_, name)| !name.contains([')', '#'])) {
        Some((method, name)) => format!("{name} in {}", method_words(method)),
        None => format!("what {} returns", method_words(seen)),
    }
}

/// That a value within the code tells. What a method returns comes to whoever calls it; other values only code can read.
pub(crate) fn inside_tells(within: &Within) -> String {
    let (name, test) = (&within.name, method_words(&within.test));
    let place = within.place.as_ref();
    let place = place.map_or_else(String::new, |(path, line)| format!(" ({path}:{line})"));
    match name.starts_with("what ") && name.ends_with(" returns") {
        true => {
            format!("none of the values at hand in a test tells; {name}{place} does, in {test}")
        }
        false => format!(
            "no value that a test could read tells; {name}{place} does, which only the code can read, in {test}"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_inside_are_named_as_the_lists_name_them() {
        let named = inside_words("demo.Stats#compare(java.util.List) neg");
        assert_eq!(named, "neg in Stats.compare");
        let returned = inside_words("demo.Stats#compare(java.util.List)");
        assert_eq!(returned, "what Stats.compare returns");
    }

    #[test]
    fn of_values_that_begin_alike_the_part_that_differs_is_said() {
        let state = |depth: i32, next: &[i32]| Value::Object {
            class: "own.State".into(),
            is_record: false,
            identity: depth as u64,
            fields: vec![
                (
                    "name".into(),
                    Value::Text(evidence::JavaString::of(&"x".repeat(80))),
                ),
                (
                    "next".into(),
                    Value::Array {
                        class: "int[]".into(),
                        length: next.len() as u64,
                        elements: next.iter().map(|n| Value::Int(*n)).collect(),
                    },
                ),
            ],
        };
        let said = apart(&[state(1, &[1, 2])], &[state(2, &[1, 3])]);
        assert_eq!(said, (".next[1] = 2".to_owned(), ".next[1] = 3".to_owned()));
        let said = apart(&[Value::Int(1)], &[Value::Int(2)]);
        assert_eq!(said, ("1".to_owned(), "2".to_owned()));
    }

    #[test]
    fn long_values_are_cut() {
        assert_eq!(words(&[Value::Int(3), Value::Int(4)]), "3, 4");
        let many: Vec<Value> = (0..9).map(Value::Int).collect();
        assert_eq!(words(&many), "0, 1, 2, …");
    }
}
