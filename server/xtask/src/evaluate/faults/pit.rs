//! PIT on the same classes, with the same operators, and where the verdicts differ.

use mutants::{Fate, Matrix, Mutant, Operator};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use super::Session;
use super::outcome::{LEFT_OUT, Outcome};
use crate::evaluate::build::{failed, how};
use crate::maven::{self, Artifact};
use crate::{Result, subjects};

/// What PIT is made of.
const JARS: [(&str, &str, &str); 7] = [
    ("org.pitest", "pitest", "1.30.1"),
    ("org.pitest", "pitest-entry", "1.30.1"),
    ("org.pitest", "pitest-command-line", "1.30.1"),
    ("org.pitest", "pitest-junit5-plugin", "1.2.3"),
    ("org.apache.commons", "commons-text", "1.14.0"),
    ("org.apache.commons", "commons-lang3", "3.18.0"),
    ("net.sf.jopt-simple", "jopt-simple", "4.9"),
];

/// A mutant as both know it: class, method, descriptor, line, operator, and which of these from 0.
type Key = (String, String, String, u32, Operator, u32);

/// What PIT says.
pub(super) struct Theirs {
    /// Its verdicts.
    mutants: BTreeMap<Key, String>,
    /// Seconds with mutants, and tests that it ran in them.
    seconds: f64,
    tests: u64,
}

/// Runs PIT.
pub(super) fn run(session: &Session<'_>, folder: &Path) -> Result<Theirs> {
    let jars = subjects::cache()?.join("pit");
    let artifacts = JARS.map(|(group, name, version)| Artifact {
        group: group.to_owned(),
        name: name.to_owned(),
        version: version.to_owned(),
        classifier: None,
        extension: "jar",
    });
    let mut path: Vec<PathBuf> = maven::fetched(&artifacts, &jars)?;
    path.extend(session.built.path.iter().cloned());
    let path = std::env::join_paths(path).map_err(|e| e.to_string())?;
    let report = folder.join("pit");
    let packages = session.packages()?;
    let operators = Operator::ALL.iter().filter(|row| row.0 != Operator::Body);
    let operators: Vec<&str> = operators.map(|row| row.1).collect();
    let excluded: Vec<String> = LEFT_OUT.iter().map(|l| format!("*{l}")).collect();
    let mut options = vec!["-ea".to_owned()];
    options.extend(how(session.name).arguments.iter().map(|o| (*o).to_owned()));
    let mut command = Command::new(session.java);
    command.current_dir(session.built.work.path());
    command.arg("-cp").arg(&path);
    command.arg("org.pitest.mutationtest.commandline.MutationCoverageReport");
    for (option, value) in [
        ("--reportDir", report.display().to_string()),
        ("--targetClasses", packages.clone()),
        ("--targetTests", packages),
        ("--excludedTestClasses", excluded.join(",")),
        (
            "--mutableCodePaths",
            session.built.main.display().to_string(),
        ),
        ("--sourceDirs", "src/main/java".to_owned()),
        ("--mutators", operators.join(",")),
        ("--threads", session.arguments.drawn.jobs.to_string()),
        ("--outputFormats", "XML".to_owned()),
        ("--timestampedReports", "false".to_owned()),
        ("--jvmArgs", options.join(",")),
    ] {
        command.args([option, &value]);
    }
    eprintln!("{}: PIT", session.name);
    let start = Instant::now();
    let output = command
        .output()
        .map_err(|e| format!("cannot start PIT: {e}"))?;
    let all = start.elapsed().as_secs_f64();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let file = report.join("mutations.xml");
    let text = fs::read_to_string(&file).map_err(|e| {
        let last: Vec<&str> = said.lines().rev().take(5).collect();
        format!("{}\n{}", failed("read", &file, &e), last.join("\n"))
    })?;
    let mutants = read(&text)?;
    Ok(Theirs {
        mutants,
        seconds: took(&said).unwrap_or(all),
        tests: tests(&said),
    })
}

/// `> run mutation analysis : 1 minutes and 2 seconds`
fn took(said: &str) -> Option<f64> {
    let line = said.lines().find(|l| l.contains("run mutation analysis"))?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let before = |unit: &str| {
        let at = words.iter().position(|w| w.starts_with(unit))?;
        words.get(at.checked_sub(1)?)?.parse::<f64>().ok()
    };
    Some(
        before("hour").unwrap_or(0.0) * 3600.0
            + before("minute").unwrap_or(0.0) * 60.0
            + before("second").unwrap_or(0.0),
    )
}

/// `>> Ran 1234 tests (1.3 tests per mutation)`
fn tests(said: &str) -> u64 {
    let line = said.lines().find_map(|l| l.split_once("Ran ").map(|r| r.1));
    let number = line.and_then(|l| l.split_whitespace().next());
    number.and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// The mutants of PIT's report.
fn read(text: &str) -> Result<BTreeMap<Key, String>> {
    let mut raw: BTreeMap<Key, Vec<(u32, String)>> = BTreeMap::new();
    for one in text.split("<mutation ").skip(1) {
        let part = |name: &str| {
            let (_, rest) = one.split_once(&format!("<{name}>"))?;
            let (value, _) = rest.split_once(&format!("</{name}>"))?;
            Some(
                value
                    .replace("&lt;", "<")
                    .replace("&gt;", ">")
                    .replace("&#36;", "$")
                    .replace("&amp;", "&"),
            )
        };
        let status = one
            .split_once("status='")
            .and_then(|(_, r)| r.split('\'').next());
        let index = part("index").and_then(|i| i.parse().ok());
        let (Some(class), Some(method), Some(descriptor), Some(line), Some(mutator), Some(status)) = (
            part("mutatedClass"),
            part("mutatedMethod"),
            part("methodDescription"),
            part("lineNumber"),
            part("mutator"),
            status,
        ) else {
            return Err("PIT's report has another form".to_owned());
        };
        let Some(operator) = operator(&mutator) else {
            return Err(format!("no operator {mutator}"));
        };
        let line = line.parse().unwrap_or(0);
        let key = (class, method, descriptor, line, operator, 0);
        raw.entry(key)
            .or_default()
            .push((index.unwrap_or(0), status.to_owned()));
    }
    let mut out = BTreeMap::new();
    for (key, mut all) in raw {
        all.sort();
        for (at, (_, status)) in (0u32..).zip(all) {
            let mut key = key.clone();
            key.5 = at;
            out.insert(key, status);
        }
    }
    Ok(out)
}

/// PIT's reports name the classes of its operators.
fn operator(mutator: &str) -> Option<Operator> {
    let simple = mutator.rsplit('.').next()?;
    Some(match simple {
        "ConditionalsBoundaryMutator" => Operator::ConditionalsBoundary,
        "NegateConditionalsMutator" => Operator::NegateConditionals,
        "MathMutator" => Operator::Math,
        "IncrementsMutator" => Operator::Increments,
        "InvertNegsMutator" => Operator::InvertNegs,
        "VoidMethodCallMutator" => Operator::VoidMethodCalls,
        "EmptyObjectReturnValsMutator" => Operator::EmptyReturns,
        "BooleanFalseReturnValsMutator" => Operator::FalseReturns,
        "BooleanTrueReturnValsMutator" => Operator::TrueReturns,
        "NullReturnValsMutator" => Operator::NullReturns,
        "PrimitiveReturnsMutator" => Operator::PrimitiveReturns,
        _ => return None,
    })
}

/// The keys of our mutants, in their order. All of the project are given, for which of a line it is.
fn keys(all: &[Mutant]) -> Vec<Key> {
    let mut count: BTreeMap<Key, u32> = BTreeMap::new();
    let mut out = Vec::with_capacity(all.len());
    for mutant in all {
        let mut key = (
            mutant.class.replace('/', "."),
            mutant.method.to_string(),
            mutant.descriptor.to_string(),
            mutant.line,
            mutant.operator,
            0,
        );
        let next = count.entry(key.clone()).or_default();
        let at = *next;
        *next += 1;
        key.5 = at;
        out.push(key);
    }
    out
}

/// Prints how both agree. A line on which the two find different numbers of one operator's mutants is left out: which of
/// them is which is not known.
pub(super) fn compare(name: &str, matrix: &Matrix, outcome: &Outcome, theirs: &Theirs) {
    let keys = keys(&outcome.listed.mutants);
    let place = |k: &Key| (k.0.clone(), k.1.clone(), k.2.clone(), k.3, k.4);
    let mut counts: BTreeMap<_, (u32, u32)> = BTreeMap::new();
    for key in &keys {
        counts.entry(place(key)).or_default().0 += 1;
    }
    for key in theirs.mutants.keys() {
        counts.entry(place(key)).or_default().1 += 1;
    }
    let ambiguous: BTreeSet<_> = counts
        .iter()
        .filter(|(_, (a, b))| *a > 0 && *b > 0 && a != b)
        .map(|(k, _)| k.clone())
        .collect();
    let only = |ours: bool| -> u32 {
        let own = counts
            .values()
            .filter(|(a, b)| if ours { *b == 0 } else { *a == 0 });
        own.map(|(a, b)| a + b).sum()
    };
    println!(
        "\nPIT: {} mutants; {} of ours are on lines where PIT has none of that operator, {} of PIT's where we have none, {} lines have different numbers of both.\n",
        theirs.mutants.len(),
        only(true),
        only(false),
        ambiguous.len()
    );
    let mut agree: BTreeMap<Operator, [usize; 4]> = BTreeMap::new();
    let mut lines = Vec::new();
    for ((number, mutant), fate) in matrix.mutants.iter().zip(&matrix.fates) {
        let key = &keys[*number as usize - 1];
        let Some(status) = theirs
            .mutants
            .get(key)
            .filter(|_| !ambiguous.contains(&place(key)))
        else {
            continue;
        };
        let theirs = matches!(
            &**status,
            "KILLED" | "TIMED_OUT" | "MEMORY_ERROR" | "RUN_ERROR"
        );
        let ours = fate.is_noticed();
        let row = agree.entry(mutant.operator).or_default();
        row[0] += 1;
        row[1] += usize::from(theirs);
        row[2] += usize::from(theirs && ours);
        row[3] += usize::from(theirs == ours);
        if theirs != ours || (*fate == Fate::NotRun) != (status == "NO_COVERAGE") {
            lines.push(format!(
                "{name}\t{status}\t{fate:?}\t{}#{}{}:{}\t{} {}",
                key.0,
                key.1,
                key.2,
                key.3,
                mutant.operator.name(),
                key.5
            ));
        }
    }
    println!("| operator | in common | killed by PIT | and here | same verdict |");
    println!("| --- | --: | --: | --: | --: |");
    let mut sum = [0; 4];
    for (operator, row) in &agree {
        println!(
            "| {} | {} | {} | {} | {} |",
            operator.name(),
            row[0],
            row[1],
            row[2],
            row[3]
        );
        (0..4).for_each(|n| sum[n] += row[n]);
    }
    println!(
        "| all | {} | {} | {} | {} |",
        sum[0], sum[1], sum[2], sum[3]
    );
    println!(
        "\nKilled by PIT and here: {:.2} %. The same verdict: {:.2} %.",
        100.0 * sum[2] as f64 / sum[1].max(1) as f64,
        100.0 * sum[3] as f64 / sum[0].max(1) as f64
    );
    let pairs: usize = outcome.judged.iter().map(|j| j.pairs.len()).sum();
    println!(
        "\n| | mutants | runs of a test with a mutant | s | a second | mutants a second |\n| --- | --: | --: | --: | --: | --: |"
    );
    for (who, mutants, runs, seconds) in [
        (
            "here",
            outcome.judged.len(),
            pairs as u64,
            outcome.seconds[1],
        ),
        ("PIT", theirs.mutants.len(), theirs.tests, theirs.seconds),
    ] {
        println!(
            "| {who} | {mutants} | {runs} | {seconds:.0} | {:.1} | {:.1} |",
            runs as f64 / seconds.max(0.001),
            mutants as f64 / seconds.max(0.001)
        );
    }
    println!();
    for line in lines {
        println!("{line}");
    }
}

impl Session<'_> {
    /// The packages of the code, as PIT takes them.
    fn packages(&self) -> Result<String> {
        let mut out: BTreeSet<String> = BTreeSet::new();
        let folder = &self.built.main;
        for entry in ignore::WalkBuilder::new(folder)
            .standard_filters(false)
            .build()
        {
            let path = entry.map_err(|e| e.to_string())?.into_path();
            if path.extension().is_some_and(|e| e == "class")
                && let Some(package) = path.parent().and_then(|p| p.strip_prefix(folder).ok())
            {
                let package = package.to_string_lossy().replace(['/', '\\'], ".");
                out.insert(format!("{package}.*"));
            }
        }
        Ok(out.into_iter().collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_pit_says_is_read() {
        assert_eq!(
            took("> run mutation analysis : 1 minutes and 2 seconds\n"),
            Some(62.0)
        );
        assert_eq!(took("> run mutation analysis : 41 seconds"), Some(41.0));
        assert_eq!(tests(">> Ran 1234 tests (1.3 tests per mutation)"), 1234);
        let one = |index: u32, status: &str| {
            format!(
                "<mutation detected='true' status='{status}' numberOfTestsRun='1'><sourceFile>A.java</sourceFile><mutatedClass>a.A&#36;B</mutatedClass><mutatedMethod>&lt;init&gt;</mutatedMethod><methodDescription>()V</methodDescription><lineNumber>3</lineNumber><mutator>org.pitest.mutationtest.engine.gregor.mutators.MathMutator</mutator><indexes><index>{index}</index></indexes></mutation>"
            )
        };
        let all = read(&(one(9, "SURVIVED") + &one(4, "KILLED"))).unwrap();
        let key = |at| {
            let text = |t: &str| t.to_owned();
            (
                text("a.A$B"),
                text("<init>"),
                text("()V"),
                3,
                Operator::Math,
                at,
            )
        };
        assert_eq!(all[&key(0)], "KILLED");
        assert_eq!(all[&key(1)], "SURVIVED");
    }
}
