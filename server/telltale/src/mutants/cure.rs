//! The value that would have told a mutant that survived: some tests that run it run again, with calls that tell values.
//!
//! Values that a test could read come first, as the lists offer them; the assertion is written with the value of the plain
//! run, and only where the value with the mutant would have made another one. Next come values that differ and that no
//! short assertion is written on, then values within the code.

use super::{Group, Survey, test_of};
use crate::failure::Failure;
use evidence::Value;
use ide::action::insertion;
use ide::weave::{About, Slot, points};
use ide::{Analysis, Readable, SourceChange, method_words};
use mutants::{Baseline, Known, Listed};
use program::{FileId, MethodId};
use runner::judge::Work;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use text::{Encoding, LineIndex};
use verdicts::{NotWoven, Shown, Workshop};

/// How many tests are asked of a mutant.
const TESTS: usize = 12;

/// Of how many tests of a mutant that tell values are looked at.
const SHOWN: usize = 6;

/// How long a value may be that is shown, in characters.
const LONG: usize = 60;

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

/// What would have told.
#[derive(Clone, Debug)]
pub(crate) enum Remedy {
    /// A value that a test could read.
    Read(Box<Cure>),
    /// A value that only code can read: its name, and a test that runs it.
    Inside { name: String, test: String },
    /// No value that was looked at.
    None,
}

/// A value that a test could read and does not.
#[derive(Clone, Debug)]
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
    pub(crate) edits: Vec<Edit>,
    /// The test's own list names it.
    pub(crate) is_offered: bool,
    /// It is an object whose fields differ.
    pub(crate) is_object: bool,
}

/// A change of the file of the test; lines and columns from 1, columns in UTF-16.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    pub(crate) start: (u32, u32),
    pub(crate) end: (u32, u32),
    pub(crate) text: String,
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
    group
        .listener
        .step("Compiling the tests with calls that tell values");
    let tests = || asked.iter().flat_map(|a| a.tests.iter().copied());
    let methods: BTreeSet<MethodId> = tests().filter_map(|t| test_of(&by_name, t)).collect();
    let methods: Vec<MethodId> = methods.into_iter().collect();
    let numbered = verdicts::numbered(analysis, &methods);
    let (_, class_path) = group.ground.place(group.number);
    let own = folder.join("told");
    std::fs::create_dir_all(&own).map_err(|e| crate::record::unwritten(&e))?;
    let workshop = Workshop {
        class_path,
        jar: &group.ground.jar,
        folder: &own,
        wanted: &|| group.wanted(),
    };
    let woven = verdicts::woven(analysis, &numbered, &workshop);
    if !group.wanted() {
        return Err(crate::record::cancelled());
    }
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
            out.notes.push(format!("no values were looked at: {why}"));
            return Ok(none());
        }
    };
    let why = "it did not compile with calls that tell values";
    let left_out = woven.left_out.into_iter();
    out.left_out
        .extend(left_out.map(|f| (f.replace('\\', "/"), why.to_owned())));
    let judge = group.judge(java, &own, &woven.swaps);
    let of: BTreeSet<&str> = listed.mutants.iter().map(|m| &*m.class).collect();
    let names: Vec<String> = of.iter().map(|c| (*c).to_owned()).collect();
    let mut again = group.listed(&judge, &names)?;
    again.retain(&|class| of.contains(class));
    // What is woven into the code has no mutants, so that all numbers stay.
    if again.mutants != listed.mutants {
        let why =
            "the code that was compiled to look at values has other mutants than that of the build";
        out.notes.push(format!("no values were looked at: {why}"));
        return Ok(none());
    }
    let classes: BTreeSet<String> = tests().map(|t| t.class.to_string()).collect();
    let classes: Vec<String> = classes.into_iter().collect();
    let baseline = group.baseline(&judge, &again, &classes)?;
    let all = (0u32..).zip(&baseline.tests);
    let number: HashMap<&str, u32> = all.map(|(n, t)| (&*t.id, n)).collect();
    let runs = |asked: &Asked<'_>| -> Vec<u32> {
        let own = asked
            .tests
            .iter()
            .filter_map(|t| number.get(&*t.id).copied());
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
    let judged = match work.is_empty() {
        true => Vec::new(),
        false => group.run(&judge, &again, &baseline, &work, false)?,
    };
    let mut told: BTreeMap<u32, Vec<Teller>> = BTreeMap::new();
    for one in &judged {
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
    let mut shows: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for (mutant, tellers) in &mut told {
        tellers.truncate(SHOWN);
        for teller in tellers {
            shows.entry(0).or_default().insert(teller.number);
            shows.entry(*mutant).or_default().insert(teller.number);
        }
    }
    let work = shows.into_iter().map(|(mutant, tests)| Work {
        mutant,
        tests: tests.into_iter().collect(),
    });
    let work: Vec<Work> = work.collect();
    let shown = match work.is_empty() {
        true => Shown::new(),
        false => {
            group.listener.step("Reading the values that tell");
            let segments = judge
                .show(&again, &baseline, &work, &|| group.wanted())
                .map_err(|e| super::failure(&e))?;
            verdicts::shown(&segments, baseline.tests.len())
                .map_err(|e| Failure::Run(format!("what tests showed cannot be read: {e}")))?
        }
    };
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
    Ok(asked
        .iter()
        .map(|a| find.remedy(a.mutant, told(a)))
        .collect())
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
    let mut all: Vec<Readable> = offered
        .readable
        .iter()
        .filter(|r| r.doubt.is_none_or(|d| d.is_mild()))
        .cloned()
        .collect();
    let offered = all.len();
    for value in points(analysis, test) {
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
        let mut inside: Option<(String, String)> = None;
        for (nth, teller) in told.iter().enumerate() {
            for slot in &teller.slots {
                let Some(of) = self.slots.get(slot) else {
                    continue;
                };
                match (&of.about, of.test) {
                    (About::Query(expression), Some(own)) if own == teller.test => {
                        let Some(list) = self.values.get(&own) else {
                            continue;
                        };
                        let mut all = list.all.iter();
                        if let Some(place) = all.position(|r| r.expression == **expression) {
                            values.push((place >= list.offered, nth, place, *slot));
                        }
                    }
                    (About::Variable(seen), None) => {
                        let test = || self.analysis.program().method_name(teller.test);
                        inside = inside.or_else(|| Some((inside_words(&seen.variable), test())));
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
        match (unfinished, inside) {
            // The fields of an object are nothing that a test reads.
            (Some(cure), Some((name, test))) if cure.is_object => Remedy::Inside { name, test },
            (Some(cure), _) => Remedy::Read(Box::new(cure)),
            (None, Some((name, test))) => Remedy::Inside { name, test },
            (None, None) => Remedy::None,
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
            Some(with) => written(with).as_ref().map(main_text) != Some(main_text(change)),
            None => false,
        };
        let change = change.filter(tells);
        let lines = LineIndex::new(program.text(file)?);
        let place = change.as_ref().and_then(SourceChange::main);
        let at = place.map_or(value.span.start, |(main, _)| main.span.start);
        Some(Cure {
            test: program.method_name(test),
            path: program.path(file)?.to_string(),
            line: lines.position(at, Encoding::Utf8).line + 1,
            expression: value.expression.clone(),
            was: words(&was.all),
            with_mutant: words(&is.all),
            assertion: change.as_ref().map(main_text),
            edits: change.map_or(Vec::new(), |c| edits(&c, file, &lines)),
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

/// The assertion alone.
fn main_text(change: &SourceChange) -> String {
    let main = change.main().map_or("", |(main, _)| main.text.as_str());
    main.trim().to_owned()
}

fn edits(change: &SourceChange, file: FileId, lines: &LineIndex) -> Vec<Edit> {
    let own = change.edits.iter().filter(|(f, _)| *f == file);
    let place = |at: u32| {
        let p = lines.position(at, Encoding::Utf16);
        (p.line + 1, p.column + 1)
    };
    own.flat_map(|(_, all)| all)
        .map(|edit| Edit {
            start: place(edit.span.start),
            end: place(edit.span.end),
            text: edit.text.clone(),
        })
        .collect()
}

/// Values as people read them.
fn words(all: &[Value]) -> String {
    let mut out: Vec<String> = all.iter().take(3).map(Value::short).collect();
    if all.len() > 3 {
        out.push("…".to_owned());
    }
    let all = out.join(", ");
    match all.char_indices().nth(LONG) {
        Some((at, _)) => format!("{}…", &all[..at]),
        None => all,
    }
}

/// `neg in Stats.compare` of `demo.Stats#compare(java.util.List) neg`.
fn inside_words(seen: &str) -> String {
    let named = seen.rsplit_once(' ');
    match named.filter(|(_, name)| !name.contains([')', '#'])) {
        Some((method, name)) => format!("{name} in {}", method_words(method)),
        None => format!("what {} returns", method_words(seen)),
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
    fn long_values_are_cut() {
        assert_eq!(words(&[Value::Int(3), Value::Int(4)]), "3, 4");
        let many: Vec<Value> = (0..9).map(Value::Int).collect();
        assert_eq!(words(&many), "0, 1, 2, …");
    }
}
