//! `cargo xtask evaluate invariants --daikon JAR TRACE…`: the same traces read by Daikon and by `telltale invariants`, compared line by
//! line, without implications; how long each takes, Daikon's start on an empty trace apart.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::libraries::java;
use crate::Result;

/// Daikon splits points by conditions; what it says of a part is no matter here.
const WHOLE: &str = "daikon.split.PptSplitter.disable_splitting=true";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Daikon, a jar with everything it needs
    #[arg(long, value_name = "JAR")]
    daikon: PathBuf,
    /// A telltale of release
    #[arg(long, value_name = "FILE", default_value = "target/release/telltale")]
    telltale: PathBuf,
    /// Traces with their declarations
    #[arg(value_name = "TRACE", required = true)]
    traces: Vec<PathBuf>,
    /// Show every line that only one of them prints
    #[arg(long)]
    lines: bool,
    /// The `java` to run with (default: of JAVA_HOME, else the one on the path)
    #[arg(long, value_name = "FILE")]
    java: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let java = arguments.java.clone().unwrap_or_else(java);
    let work = tempfile::tempdir().map_err(|e| format!("cannot make a folder: {e}"))?;
    let empty = work.path().join("empty.dtrace");
    fs::write(&empty, EMPTY).map_err(|e| format!("cannot write {}: {e}", empty.display()))?;
    let daikon = |trace: &Path| {
        let mut command = Command::new(&java);
        command
            .arg("-cp")
            .arg(&arguments.daikon)
            .arg("daikon.Daikon");
        command.args(["--no_show_progress", "--config_option", WHOLE]);
        // It writes what it found beside itself.
        command
            .arg("-o")
            .arg(work.path().join("out.inv.gz"))
            .arg(trace);
        timed(&mut command)
    };
    let (_, start) = daikon(&empty)?;
    println!(
        "| trace | same | only ours | only Daikon's | precision | recall | ours | Daikon | ratio | without its start |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for trace in &arguments.traces {
        let trace = trace
            .canonicalize()
            .map_err(|e| format!("{}: {e}", trace.display()))?;
        let (theirs, slow) = daikon(&trace)?;
        let mut command = Command::new(&arguments.telltale);
        let (ours, fast) = timed(command.args(["invariants", "-q"]).arg(&trace))?;
        row(
            &trace,
            &points(&theirs),
            &points(&ours),
            [fast, slow, start],
            arguments.lines,
        );
    }
    Ok(())
}

/// One point, one visit.
const EMPTY: &str = "decl-version 2.0\nvar-comparability none\n\nppt p:::POINT\nppt-type point\nvariable x\n  var-kind variable\n  dec-type int\n  rep-type int\n  comparability 1\n\np:::POINT\nx\n1\n1\n\n";

fn timed(command: &mut Command) -> Result<(String, Duration)> {
    let start = Instant::now();
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    let took = start.elapsed();
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?} failed: {said}"));
    }
    Ok((String::from_utf8_lossy(&output.stdout).into_owned(), took))
}

/// The lines of each point. Implications, and the parts of points that they speak of, are left out.
fn points(text: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut points: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut lines = text.lines();
    let mut point = None;
    while let Some(line) = lines.next() {
        if line.starts_with("======") {
            point = lines.next();
        } else if let Some(point) = point.filter(|p| !p.contains(";condition="))
            && !line.trim().is_empty()
            && !line.contains("==>")
            && line != "Exiting Daikon."
        {
            points.entry(point).or_default().insert(line);
        }
    }
    points
}

fn row(
    trace: &Path,
    theirs: &BTreeMap<&str, BTreeSet<&str>>,
    ours: &BTreeMap<&str, BTreeSet<&str>>,
    [fast, slow, start]: [Duration; 3],
    lines: bool,
) {
    let none = BTreeSet::new();
    let (mut same, mut extra, mut missing) = (0usize, 0usize, 0usize);
    let names: BTreeSet<&&str> = theirs.keys().chain(ours.keys()).collect();
    for name in names {
        let (x, y) = (
            theirs.get(*name).unwrap_or(&none),
            ours.get(*name).unwrap_or(&none),
        );
        same += x.intersection(y).count();
        extra += y.difference(x).count();
        missing += x.difference(y).count();
        if lines {
            x.difference(y)
                .for_each(|line| println!("- {name}: {line}"));
            y.difference(x)
                .for_each(|line| println!("+ {name}: {line}"));
        }
    }
    #[allow(clippy::cast_precision_loss)]
    let share = |part: usize, all: usize| part as f64 / all.max(1) as f64;
    let ratio = |slow: Duration| slow.as_secs_f64() / fast.as_secs_f64();
    println!(
        "| {} | {same} | {extra} | {missing} | {:.4} | {:.4} | {:.2} s | {:.2} s | {:.0} | {:.0} |",
        trace.file_stem().unwrap_or_default().to_string_lossy(),
        share(same, same + extra),
        share(same, same + missing),
        fast.as_secs_f64(),
        slow.as_secs_f64(),
        ratio(slow),
        ratio(slow.saturating_sub(start)),
    );
}
