//! Recording: what the tests of a subject cost with the agent, beside the same run without it.
//!
//! A copy of the subject is recorded by `telltale record`, through a `mvnw` of ours, which keeps what the recording wove and the
//! plans of its runs. By these the tests then run again, in turn with runs of the same command without the agent, so that a
//! machine that others use too treats them alike. What Maven costs without tests is measured as well: on a small suite it is most
//! of a run, and the agent does not touch it.
//!
//! The plan for calls of all methods is that of the recording, and for each class of the code under test the lines that a
//! recording writes for those that generated tests are about. `telltale record` of a project without generated tests asks for
//! no calls, so this run is the agent's part of it alone: nobody reads what it writes.
//!
//! Needs a Unix shell and `mvn`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use runner::{Agent, Asked, Tool};

use super::median;
use super::part::Sample;
use crate::{Result, subjects};

/// What the command calls it.
pub(super) const NAME: &str = "runs";

/// The subjects that are measured unless one is named.
const SUBJECTS: [&str; 3] = ["commons-csv", "commons-math3", "commons-collections4"];

/// A subject, and what its build is told so that it runs on a JDK of today.
const OPTIONS: [(&str, &[&str]); 2] = [
    // Its pom asks for Java 5, which nobody compiles for any more, and looks up what that had.
    (
        "commons-math3",
        &[
            "-Dmaven.compiler.source=8",
            "-Dmaven.compiler.target=8",
            "-Danimal.sniffer.skip=true",
        ],
    ),
    // Version 4.1.0, of which its parent speaks, fails on a JDK from 16 on.
    ("commons-collections4", &["-Dcommons.felix.version=5.1.9"]),
];

/// How many tests are named that end otherwise.
const NAMED: usize = 10;

/// What `telltale record` gives all samples of calls together, a test at least and at most, and a JVM (`record.rs`), in bytes.
const CALLS: usize = 1 << 30;
const LEAST_SHARE: usize = 1 << 15;
const MOST_SHARE: usize = 1 << 21;
const SEGMENT: u64 = 1 << 32;

/// How many elements of a sequence it looks at where calls are sampled.
const ELEMENTS: usize = 64;

/// What a run of Maven is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// To compile, and to run no test.
    Idle,
    /// The tests as they are.
    Plain,
    /// With a mark for each line that runs.
    Lines,
    /// With all that the lenses need.
    Values,
    /// With samples of the calls of all methods as well.
    Calls,
}

impl Kind {
    const ALL: [Kind; 5] = [
        Kind::Idle,
        Kind::Plain,
        Kind::Lines,
        Kind::Values,
        Kind::Calls,
    ];

    /// Those with the agent.
    const WATCHED: [Kind; 3] = [Kind::Lines, Kind::Values, Kind::Calls];

    fn words(self) -> &'static str {
        match self {
            Kind::Idle => "Maven without tests",
            Kind::Plain => "plain run",
            Kind::Lines => "lines only",
            Kind::Values => "all that the lenses need",
            Kind::Calls => "and samples of all methods",
        }
    }

    /// How many times a plain run it may cost, and should.
    fn limits(self) -> &'static str {
        match self {
            Kind::Values => " (at most 1.6 x, aim 1.3 x)",
            Kind::Calls => " (at most 4 x, aim 2 x)",
            _ => "",
        }
    }

    /// The name of the folder of its plan.
    fn folder(self) -> &'static str {
        match self {
            Kind::Idle => "idle",
            Kind::Plain => "plain",
            Kind::Lines => "lines",
            Kind::Values => "values",
            Kind::Calls => "calls",
        }
    }
}

/// Measures and prints.
pub(super) fn measure(telltale: &Path, subject: Option<&str>, quick: bool) -> Result<()> {
    match subject {
        Some(name) => measure_one(telltale, name, quick),
        None => SUBJECTS
            .iter()
            .try_for_each(|name| measure_one(telltale, name, quick)),
    }
}

fn measure_one(telltale: &Path, name: &str, quick: bool) -> Result<()> {
    let place = tempfile::Builder::new()
        .prefix("telltale-bench-")
        .tempdir()
        .map_err(|e| format!("cannot make a folder: {e}"))?;
    let bench = Bench {
        root: place.path().join(name),
        kept: place.path().join("kept"),
    };
    subjects::copied(&subjects::one(name)?, &bench.root)?;
    let make = |folder: &Path| fs::create_dir_all(folder).map_err(|e| failed("make", folder, &e));
    make(&bench.kept)?;
    let options = OPTIONS.iter().find(|(of, _)| *of == name);
    bench.write_wrapper(options.map_or(&[], |(_, options)| options))?;

    // Fetches and compiles what there is, and fills the caches.
    let (_, plain) = bench.run(Kind::Plain)?;
    let tests: usize = plain.values().map(Vec::len).sum();
    println!("{name}: {tests} tests");
    let whole = bench.record(telltale)?;
    bench.write_plans(tests)?;

    let mut outcomes: BTreeMap<Kind, Vec<Outcomes>> = BTreeMap::new();
    outcomes.entry(Kind::Plain).or_default().push(plain);
    let mut samples: BTreeMap<Kind, Vec<Sample>> = BTreeMap::new();
    let rounds = if quick { 1 } else { 3 };
    for _ in 0..rounds {
        for kind in Kind::ALL {
            let (sample, ended) = bench.run(kind)?;
            samples.entry(kind).or_default().push(sample);
            outcomes.entry(kind).or_default().push(ended);
        }
    }
    print_costs(&samples, rounds);
    whole.print(&samples[&Kind::Plain]);
    for kind in Kind::WATCHED {
        println!(
            "  {}: the agent wrote {:.1} MB",
            kind.words(),
            bench.segments(kind) as f64 / 1e6
        );
    }
    print_outcomes(&outcomes);
    bench.print_store()
}

/// What each kind of run costs against the plain ones beside it.
fn print_costs(samples: &BTreeMap<Kind, Vec<Sample>>, rounds: usize) {
    let of = |kind: Kind, key: &str| -> Vec<f64> {
        samples[&kind].iter().map(|s| s.figure(key)).collect()
    };
    for kind in Kind::ALL {
        let (wall, cpu) = (median(of(kind, "ms")), median(of(kind, "cpu_ms")));
        let all = format!(
            "  {}: {:.1} s, {:.1} s of processor",
            kind.words(),
            wall / 1e3,
            cpu / 1e3
        );
        if !Kind::WATCHED.contains(&kind) {
            println!("{all} (median of {rounds})");
            continue;
        }
        let ratio = |key: &str, without_maven: bool| {
            let idle = match without_maven {
                true => median(of(Kind::Idle, key)),
                false => 0.0,
            };
            let pairs = of(kind, key).into_iter().zip(of(Kind::Plain, key));
            median(pairs.map(|(a, b)| (a - idle) / (b - idle)).collect())
        };
        println!(
            "{all} = {:.2} x, processor {:.2} x{}; without what Maven costs {:.2} x, processor {:.2} x",
            ratio("ms", false),
            ratio("cpu_ms", false),
            kind.limits(),
            ratio("ms", true),
            ratio("cpu_ms", true),
        );
    }
}

/// What `telltale record` cost as a whole.
struct Whole {
    sample: Sample,
    /// Milliseconds of processor time of its runs of Maven.
    maven: Vec<f64>,
}

impl Whole {
    fn print(&self, plain: &[Sample]) {
        let of = |key: &str| {
            let plain = median(plain.iter().map(|s| s.figure(key)).collect());
            (
                self.sample.figure(key) / 1e3,
                self.sample.figure(key) / plain,
            )
        };
        let ((wall, walls), (cpu, cpus)) = (of("ms"), of("cpu_ms"));
        let runs: Vec<String> = self
            .maven
            .iter()
            .map(|ms| format!("{:.1}", ms / 1e3))
            .collect();
        println!(
            "  telltale record: {wall:.1} s = {walls:.2} x, {cpu:.1} s of processor = {cpus:.2} x; its runs {} s, itself {:.1} s; peak memory {:.0} MB",
            runs.join(", "),
            cpu - self.maven.iter().sum::<f64>() / 1e3,
            self.sample.figure("peak_kb") / 1024.0
        );
    }
}

/// A copy of a subject, and what is kept of its recording.
struct Bench {
    root: PathBuf,
    kept: PathBuf,
}

impl Bench {
    /// Stands before Maven. Of a run with the agent it keeps the plan under the run's number, what was woven, and what it cost.
    fn write_wrapper(&self, options: &[&str]) -> Result<()> {
        let kept = self.kept.display();
        let options = options.join(" ");
        let script = format!(
            r#"#!/bin/sh
for option; do
  case $option in
  -Dmaven.surefire.debug=*)
    run=${{option#*.jar=}}
    run=${{run%% *}}
    ;;
  esac
done
case $run in
*/.telltale/run-*)
  number=${{run##*/}}
  mkdir "{kept}/$number"
  cp "$run/plan" "{kept}/$number"
  for woven in "${{run%/*}}"/*-[0-9]*; do
    if [ -d "$woven" ] && ! [ -d "{kept}/${{woven##*/}}" ]; then cp -R "$woven" "{kept}"; fi
  done
  ;;
esac
mvn {options} "$@"
status=$?
if [ -n "$number" ]; then times >"{kept}/$number/times"; fi
exit $status
"#
        );
        let file = self.root.join("mvnw");
        fs::write(&file, script).map_err(|e| failed("write", &file, &e))?;
        executable(&file).map_err(|e| failed("write", &file, &e))
    }

    /// One run of Maven: its cost, and how the tests ended.
    fn run(&self, kind: Kind) -> Result<(Sample, Outcomes)> {
        let reports = self.root.join("target/surefire-reports");
        if reports.exists() {
            fs::remove_dir_all(&reports).map_err(|e| failed("remove", &reports, &e))?;
        }
        let folder = self.kept.join(kind.folder());
        for segment in segments(&folder) {
            fs::remove_file(&segment).map_err(|e| failed("remove", &segment, &e))?;
        }
        let sample = Sample::of(&mut self.command(kind, &folder)?)?;
        let ended = outcomes(&reports)?;
        match kind == Kind::Idle || !ended.is_empty() {
            true => Ok((sample, ended)),
            false => Err(format!("{}: no test ran", kind.words())),
        }
    }

    /// The command of a recording; without the agent where the plan would be empty.
    fn command(&self, kind: Kind, folder: &Path) -> Result<Command> {
        let tool = Tool::find(&self.root).ok_or("no build")?;
        let jar = runner::agent_jar(&self.kept).map_err(|e| e.to_string())?;
        let agent = Agent {
            jar: &jar,
            folder,
            is_varied: false,
        };
        let with_agent = tool.tests(&self.root, &agent, &Asked::default());
        let with_agent = with_agent.map_err(|e| format!("cannot ask Maven: {e}"))?;
        if Kind::WATCHED.contains(&kind) {
            return Ok(with_agent);
        }
        let mut command = Command::new(with_agent.get_program());
        let is_agent =
            |a: &&std::ffi::OsStr| a.to_string_lossy().starts_with("-Dmaven.surefire.debug=");
        command.args(with_agent.get_args().filter(|a| !is_agent(a)));
        if kind == Kind::Idle {
            command.arg("-DskipTests");
        }
        command.current_dir(&self.root);
        Ok(command)
    }

    /// Records the copy, and says what the command says.
    fn record(&self, telltale: &Path) -> Result<Whole> {
        let mut command = Command::new(telltale);
        command.args(["record", "--quiet"]).arg(&self.root);
        let sample = Sample::of(&mut command)?;
        sample.print("  telltale record");
        let maven = self.numbers().into_iter().map(|number| {
            let file = self.kept.join(number.to_string()).join("times");
            let text = fs::read_to_string(&file).unwrap_or_default();
            // Behind the shell's own stand those of what it ran.
            let children = text.lines().nth(1).unwrap_or_default();
            children.split_whitespace().filter_map(milliseconds).sum()
        });
        Ok(Whole {
            sample,
            maven: maven.collect(),
        })
    }

    /// The numbers of the recording's runs, in order.
    fn numbers(&self) -> BTreeSet<u32> {
        let entries = fs::read_dir(&self.kept).into_iter().flatten().flatten();
        entries
            .filter_map(|e| e.file_name().to_str()?.parse().ok())
            .collect()
    }

    /// The plans of our runs, made of those of the recording: its first run asks for lines, its last is the one that holds.
    fn write_plans(&self, tests: usize) -> Result<()> {
        let numbers = self.numbers();
        let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else {
            return Err("telltale record ran nothing by our mvnw".to_owned());
        };
        let plan = |number: &u32| {
            let file = self.kept.join(number.to_string()).join("plan");
            fs::read_to_string(&file).map_err(|e| failed("read", &file, &e))
        };
        let (lines, values) = (plan(first)?, plan(last)?);
        if !values.contains("\nswap\t") {
            return Err("telltale record wove nothing".to_owned());
        }
        let calls = format!("{values}{}", sampled(&classes(&self.root)?, tests));
        for (kind, plan) in [
            (Kind::Lines, lines),
            (Kind::Values, values),
            (Kind::Calls, calls),
        ] {
            let folder = self.kept.join(kind.folder());
            let file = folder.join("plan");
            let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&file, plan));
            written.map_err(|e| failed("write", &file, &e))?;
        }
        Ok(())
    }

    /// How many bytes the last run of a kind wrote.
    fn segments(&self, kind: Kind) -> u64 {
        let files = segments(&self.kept.join(kind.folder()));
        files
            .iter()
            .filter_map(|f| Some(fs::metadata(f).ok()?.len()))
            .sum()
    }

    /// What is kept of the recording.
    fn print_store(&self) -> Result<()> {
        let store = project::Store::open_existing(&self.root).map_err(|e| e.to_string())?;
        let store = store.ok_or("nothing was kept")?;
        let facts = store.facts().map_err(|e| e.to_string())?;
        let told = || facts.tests().map(|(_, told)| told);
        let values = told()
            .filter(|t| !(t.queries.is_empty() && t.variables.is_empty() && t.inside.is_empty()));
        println!(
            "  store: {:.1} MB (at most 200, aim 50); values of {} test methods, of {} what they could read and do not",
            store.size() as f64 / 1e6,
            values.count(),
            told().filter(|t| !t.queries.is_empty()).count()
        );
        Ok(())
    }
}

/// What a folder of a run has of segments.
fn segments(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.map(|e| e.path());
    files
        .filter(|f| f.extension().is_some_and(|x| x == "seg"))
        .collect()
}

/// The outermost classes of the code under test as the build compiled them, by binary names with slashes.
fn classes(root: &Path) -> Result<Vec<String>> {
    let classes = root.join("target/classes");
    let mut out = Vec::new();
    for entry in ignore::WalkBuilder::new(&classes)
        .standard_filters(false)
        .build()
    {
        let entry = entry.map_err(|e| format!("cannot read {}: {e}", classes.display()))?;
        let inside = entry.path().strip_prefix(&classes).unwrap_or(entry.path());
        let name = inside.to_string_lossy().replace('\\', "/");
        match name.strip_suffix(".class") {
            Some(name) if !name.contains('$') => out.push(name.to_owned()),
            _ => {}
        }
    }
    out.sort();
    match out.is_empty() {
        false => Ok(out),
        true => Err("the build compiled nothing".to_owned()),
    }
}

/// The lines of a plan that sample all calls of classes and those in them, as a recording of so many tests writes them.
fn sampled(classes: &[String], tests: usize) -> String {
    let share = (CALLS / tests.max(1)).clamp(LEAST_SHARE, MOST_SHARE);
    let limits =
        format!("limit\telements\t{ELEMENTS}\nlimit\tshare\t{share}\nlimit\tbytes\t{SEGMENT}\n");
    let of = |class: &String| {
        format!("cover\t{class}\nsample\t{class}\ncover\t{class}$*\nsample\t{class}$*\n")
    };
    limits + &classes.iter().map(of).collect::<String>()
}

/// A time as the shell's `times` prints it, `2m3.45s`, in milliseconds.
fn milliseconds(text: &str) -> Option<f64> {
    let (minutes, seconds) = text.strip_suffix('s')?.split_once('m')?;
    let (minutes, seconds): (f64, f64) = (minutes.parse().ok()?, seconds.parse().ok()?);
    Some((minutes * 60.0 + seconds) * 1e3)
}

#[cfg(unix)]
fn executable(file: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn executable(_: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Passed,
    Failed,
    Error,
    Skipped,
}

/// By `Class#name`: how those ended that are called so, in order of their outcome. Invocations of one test may share a name.
type Outcomes = BTreeMap<String, Vec<Outcome>>;

/// How the tests ended of which surefire wrote reports.
fn outcomes(reports: &Path) -> Result<Outcomes> {
    let mut out = Outcomes::new();
    for entry in fs::read_dir(reports).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("TEST-") && name.ends_with(".xml") {
            let path = entry.path();
            let text = fs::read_to_string(&path).map_err(|e| failed("read", &path, &e))?;
            read_report(&text, &mut out).map_err(|e| format!("{name}: {e}"))?;
        }
    }
    out.values_mut().for_each(|all| all.sort());
    Ok(out)
}

/// Adds the tests of one report.
fn read_report(text: &str, out: &mut Outcomes) -> std::result::Result<(), quick_xml::Error> {
    let mut reader = Reader::from_str(text);
    let mut open: Option<(String, Outcome)> = None;
    let mut add = |(name, outcome): (String, Outcome)| out.entry(name).or_default().push(outcome);
    loop {
        match reader.read_event()? {
            Event::Start(tag) if tag.name().as_ref() == "testcase" => {
                open = Some((name(&tag), Outcome::Passed));
            }
            Event::Empty(tag) if tag.name().as_ref() == "testcase" => {
                add((name(&tag), Outcome::Passed));
            }
            Event::End(tag) if tag.name().as_ref() == "testcase" => {
                open.take().into_iter().for_each(&mut add);
            }
            Event::Start(tag) | Event::Empty(tag) => {
                let ended = match tag.name().as_ref() {
                    "failure" => Outcome::Failed,
                    "error" => Outcome::Error,
                    "skipped" => Outcome::Skipped,
                    _ => continue,
                };
                if let Some((_, outcome)) = &mut open {
                    *outcome = ended;
                }
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// `Class#name` of a test in a report.
fn name(tag: &BytesStart<'_>) -> String {
    let value = |key: &str| {
        let found = tag.try_get_attribute(key).ok().flatten();
        found.map_or(String::new(), |a| a.value.into_owned())
    };
    format!("{}#{}", value("classname"), value("name"))
}

/// The names of tests that ended in one way and in another, or in one run only.
fn differing(one: &Outcomes, other: &Outcomes) -> BTreeSet<String> {
    let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    let differ = names.into_iter().filter(|n| one.get(*n) != other.get(*n));
    differ.cloned().collect()
}

/// Says which tests end otherwise with the agent, and which do so without.
fn print_outcomes(outcomes: &BTreeMap<Kind, Vec<Outcomes>>) {
    let plain = &outcomes[&Kind::Plain];
    let Some((first, again)) = plain.split_first() else {
        return;
    };
    let flaky: BTreeSet<String> = again.iter().flat_map(|run| differing(first, run)).collect();
    println!(
        "  without the agent {} tests end otherwise from run to run (of {} runs){}",
        flaky.len(),
        plain.len(),
        listed(flaky.iter().cloned())
    );
    for kind in Kind::WATCHED {
        let runs = &outcomes[&kind];
        let all = runs.iter().flat_map(|run| differing(first, run));
        let changed: BTreeSet<String> = all.filter(|name| !flaky.contains(name)).collect();
        let lines = changed.iter().map(|name| {
            let of = |run: &Outcomes| format!("{:?}", run.get(name).map_or(&[][..], |all| all));
            let ended: Vec<String> = runs.iter().map(of).collect();
            format!("{name}: {}, then {}", of(first), ended.join(", "))
        });
        println!(
            "  {}: {} tests end otherwise, in any of {} runs (at most 0){}",
            kind.words(),
            changed.len(),
            runs.len(),
            listed(lines)
        );
    }
}

/// The first of some lines, each below the other.
fn listed(lines: impl Iterator<Item = String>) -> String {
    lines
        .take(NAMED)
        .map(|line| format!("\n    {line}"))
        .collect()
}

fn failed(what: &str, path: &Path, error: &std::io::Error) -> String {
    format!("cannot {what} {}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As surefire writes it, with a test of each outcome and one of two invocations.
    const REPORT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="a.BookTest" time="0.1" tests="6" errors="1" skipped="1" failures="1">
  <properties><property name="error" value="no test"/></properties>
  <testcase name="opens" classname="a.BookTest" time="0.01"/>
  <testcase name="prints" classname="a.BookTest" time="0.01">
    <system-out><![CDATA[<failure/> </testcase>]]></system-out>
  </testcase>
  <testcase name="sells" classname="a.BookTest" time="0.01">
    <failure message="1 &lt; 2" type="java.lang.AssertionError"><![CDATA[at a.B]]></failure>
    <system-err>an error</system-err>
  </testcase>
  <testcase name="buys" classname="a.BookTest" time="0.01"><error type="java.lang.Error">x</error></testcase>
  <testcase name="waits" classname="a.BookTest" time="0"><skipped message="not today"/></testcase>
  <testcase name="trades" classname="a.BookTest" time="0"><failure type="E"/></testcase>
  <testcase name="trades" classname="a.BookTest" time="0"/>
</testsuite>"#;

    fn read(report: &str) -> Outcomes {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("TEST-a.BookTest.xml");
        fs::write(file, report).expect("written");
        fs::write(folder.path().join("a.BookTest.txt"), "no report").expect("written");
        outcomes(folder.path()).expect("a report")
    }

    #[test]
    fn a_report_says_how_each_test_ended() {
        let ended = read(REPORT);
        let of = |name: &str| ended[&format!("a.BookTest#{name}")].clone();
        assert_eq!(ended.len(), 6);
        assert_eq!(of("opens"), [Outcome::Passed]);
        assert_eq!(of("prints"), [Outcome::Passed]);
        assert_eq!(of("sells"), [Outcome::Failed]);
        assert_eq!(of("buys"), [Outcome::Error]);
        assert_eq!(of("waits"), [Outcome::Skipped]);
        assert_eq!(of("trades"), [Outcome::Passed, Outcome::Failed]);
    }

    #[test]
    fn tests_differ_by_their_outcome_and_by_not_being_there() {
        let plain = read(REPORT);
        assert_eq!(differing(&plain, &read(REPORT)), BTreeSet::new());
        let other = REPORT
            .replace(r#"<error type="java.lang.Error">x</error>"#, "")
            .replace(r#"name="opens""#, r#"name="opened""#)
            .replace(r#"<failure type="E"/>"#, "");
        let names = ["buys", "opened", "opens", "trades"];
        let names = names.map(|name| format!("a.BookTest#{name}"));
        assert_eq!(differing(&plain, &read(&other)), names.into());
    }

    #[test]
    fn a_broken_report_is_an_error() {
        read_report("<testsuite><testcase></a>", &mut Outcomes::new()).expect_err("not XML");
    }

    #[test]
    fn times_of_a_shell_are_read() {
        assert_eq!(milliseconds("0m1.25s"), Some(1250.0));
        assert_eq!(milliseconds("2m0.500000s"), Some(120_500.0));
        assert_eq!(milliseconds("1.25"), None);
    }

    #[test]
    fn all_methods_of_a_class_and_of_those_in_it_are_sampled() {
        let plan = sampled(&["a/Book".to_owned()], 2048);
        let lines: Vec<&str> = plan.lines().collect();
        assert!(lines.contains(&"limit\tshare\t524288"), "{plan}");
        assert!(lines.contains(&"sample\ta/Book"), "{plan}");
        assert!(lines.contains(&"sample\ta/Book$*"), "{plan}");
    }
}
