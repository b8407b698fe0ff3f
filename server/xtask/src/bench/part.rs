//! One sample: a process that measures one thing and prints figures, and the process that reads them.
//!
//! A line of figures is `name<TAB>number`; any other line is for people.

use calls::{Technique, Workspace};
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use program::FileInput;
use rayon::prelude::*;
use tree_sitter::Parser;

use super::load::{texts, timed};
use super::{builds, edits, phases, stress, suspects};
use crate::Result;

/// How many lines are shown of what a process said that failed.
const LAST_LINES: usize = 20;

/// What one process measures.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Part {
    /// The anchor.
    Bare,
    /// From the folder to a workspace that answers anything.
    Ready,
    /// Keystrokes inside bodies.
    Typing,
    /// Where a keystroke in an open file goes.
    Phases,
    /// Edits of declarations.
    Declarations,
    /// Five hundred files at once.
    Bulk,
    /// What every test of the project reaches.
    Reach,
    /// Generated giants.
    Stress,
    /// Generated builds.
    Builds,
    /// Judging generated assertions, where runs were recorded.
    Suspects,
}

impl Part {
    pub(super) fn name(self) -> &'static str {
        match self {
            Part::Bare => "bare",
            Part::Ready => "ready",
            Part::Typing => "typing",
            Part::Phases => "phases",
            Part::Declarations => "declarations",
            Part::Bulk => "bulk",
            Part::Reach => "reach",
            Part::Stress => "stress",
            Part::Builds => "builds",
            Part::Suspects => "suspects",
        }
    }
}

/// Measures and prints.
pub(super) fn measure(part: Part, folder: &Path, quick: bool) -> Result<()> {
    match part {
        Part::Bare => bare(folder),
        Part::Ready => ready(folder),
        Part::Typing => edits::typing(folder, quick),
        Part::Phases => phases::measure(folder, quick),
        Part::Declarations => edits::declarations(folder, quick),
        Part::Bulk => edits::bulk(folder),
        Part::Reach => reach(folder),
        Part::Stress => {
            stress::measure();
            Ok(())
        }
        Part::Builds => builds::measure(quick),
        Part::Suspects => suspects::measure(folder, quick),
    }
}

pub(super) fn figure(name: &str, value: f64) {
    println!("{name}\t{value}");
}

fn bare(folder: &Path) -> Result<()> {
    let texts = texts(folder)?;
    figure("files", texts.files.len() as f64);
    let bytes: usize = texts.files.iter().map(|f| f.text.len()).sum();
    figure("bytes", bytes as f64);
    let before = processor_ms("self", 13);
    let ((), ms) = timed(|| {
        texts.files.par_iter().for_each_init(parser, parse);
    });
    figure("ms", ms);
    figure("cpu_ms", processor_ms("self", 13) - before);
    Ok(())
}

fn parser() -> Parser {
    let mut parser = Parser::new();
    parser
        .set_language(&syntax::language())
        .expect("the grammar has the version that the library reads");
    parser
}

fn parse(parser: &mut Parser, file: &FileInput) {
    std::hint::black_box(parser.parse(file.text.as_bytes(), None));
}

fn ready(folder: &Path) -> Result<()> {
    let before = processor_ms("self", 13);
    let start = Instant::now();
    let (texts, read) = timed(|| texts(folder));
    let texts = texts?;
    let held = |name: &str| figure(name, status_kb("self", "VmRSS:") / 1024.0);
    held("memory: texts, MB");
    let (program, build) = timed(|| texts.program());
    held("memory: and declarations and names, MB");
    let (workspace, chains) = timed(|| Workspace::new(program));
    held("memory: and chains and tests, MB");
    figure("ms", start.elapsed().as_secs_f64() * 1e3);
    figure("cpu_ms", processor_ms("self", 13) - before);
    figure("part read", read);
    figure("part declarations and names", build);
    figure("part chains and tests", chains);
    figure("peak_kb", status_kb("self", "VmHWM:"));
    std::hint::black_box(workspace.counters());
    // The system takes the memory back faster than we can give it.
    std::mem::forget(workspace);
    Ok(())
}

fn reach(folder: &Path) -> Result<()> {
    let texts = texts(folder)?;
    let workspace = Workspace::new(texts.program());
    let tests = workspace.suite().tests();
    let (bodies, ms) = timed(|| {
        let reached = |test: &_| {
            workspace
                .reached_by(&[workspace.own_run(*test)], Technique::RapidTypes)
                .len()
        };
        tests.par_iter().map(reached).sum::<usize>()
    });
    println!(
        "{} tests reach {} bodies each in the mean: {ms:.0} ms for all",
        tests.len(),
        bodies / tests.len().max(1)
    );
    Ok(())
}

/// What a process said and cost.
pub(super) struct Sample {
    figures: Vec<(String, f64)>,
    lines: Vec<String>,
}

impl Sample {
    /// Runs a command to its end. Its wall time, processor time and peak memory are figures, unless it prints them itself.
    pub(super) fn of(command: &mut Command) -> Result<Sample> {
        let before = processor_ms("self", 15);
        let start = Instant::now();
        let mut child = command
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start {command:?}: {error}"))?;
        let mut stdout = child.stdout.take().ok_or("no output")?;
        let reader = std::thread::spawn(move || {
            let mut text = String::new();
            stdout.read_to_string(&mut text).map(|_| text)
        });
        let id = child.id().to_string();
        let mut peak: f64 = 0.0;
        let status = loop {
            // The high-water mark goes away with the process, and it only rises: the last look is nearly the peak.
            peak = peak.max(status_kb(&id, "VmHWM:"));
            let done = child
                .try_wait()
                .map_err(|error| format!("cannot wait: {error}"))?;
            if let Some(status) = done {
                break status;
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        let ms = start.elapsed().as_secs_f64() * 1e3;
        let text = match reader.join() {
            Ok(Ok(text)) => text,
            _ => return Err(format!("{command:?} printed no text")),
        };
        if !status.success() {
            let lines: Vec<&str> = text.lines().collect();
            let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
            return Err(format!("{command:?} failed\n{}", last.join("\n")));
        }
        let mut sample = Sample {
            figures: Vec::new(),
            lines: Vec::new(),
        };
        for line in text.lines() {
            let number = line.split_once('\t');
            match number.and_then(|(k, v)| Some((k.to_owned(), v.parse().ok()?))) {
                Some(figure) => sample.figures.push(figure),
                None => sample.lines.push(line.to_owned()),
            }
        }
        let cpu = processor_ms("self", 15) - before;
        for (name, value) in [("ms", ms), ("cpu_ms", cpu), ("peak_kb", peak)] {
            if !sample.keys().any(|k| k == name) {
                sample.figures.push((name.to_owned(), value));
            }
        }
        Ok(sample)
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.figures.iter().map(|f| f.0.as_str())
    }

    /// A figure by name; 0 if it is not there.
    pub(super) fn figure(&self, name: &str) -> f64 {
        let found = self.figures.iter().find(|f| f.0 == name);
        found.map_or(0.0, |f| f.1)
    }

    /// Prints what it said to people.
    pub(super) fn print(&self, name: &str) {
        for line in &self.lines {
            println!("{name}: {line}");
        }
    }
}

/// Milliseconds of processor time of a process: the fields `first` and the one after it (0-based) of its `stat`: 13 for
/// its own, 15 for that of the children it waited for. In steps of 10 ms; 0 where there is no such file.
fn processor_ms(process: &str, first: usize) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The command's name may hold blanks; it ends with the last parenthesis and is field 1.
    let rest = stat.rsplit_once(')').map_or("", |s| s.1);
    let fields = rest.split_whitespace().skip(first - 2).take(2);
    fields.filter_map(|f| f.parse::<f64>().ok()).sum::<f64>() * 10.0
}

/// A line of a process's status in kB; 0 where there is none.
pub(super) fn status_kb(process: &str, name: &str) -> f64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|l| l.split_whitespace().next()?.parse().ok())
        .unwrap_or_default()
}
