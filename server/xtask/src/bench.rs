//! `cargo xtask bench`: times and memory on a real project, as ratios to a bare parse of the same files.
//!
//! A ratio travels between machines, an absolute time does not; so every time stands beside the anchor of the same run:
//! a tree-sitter parse of all files on as many threads, nothing kept. Each sample of the anchor, of the cold start and of
//! `telltale observe` is a process of its own, and they take turns, so that a machine that others use too treats them
//! alike. Processor time is printed beside wall time: it shows what a busy machine hides.

mod builds;
mod edits;
mod evidence;
mod follow;
mod growth;
pub(crate) mod load;
mod part;
mod phases;
mod runs;
mod server;
mod stress;
mod suspects;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Result, subjects};
use part::{Part, Sample};

/// What is measured unless told otherwise: 1,601 files, 14.7 MB with its tests.
const SUBJECT: &str = "commons-math3";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Fewer runs, fewer edits, three modules instead of ten
    #[arg(long)]
    quick: bool,
    /// Twenty thousand edits of the language server, too
    #[arg(long)]
    full: bool,
    /// Only rows whose name contains this; `runs`, what recording costs, and `follow`, how soon values follow what is saved, are
    /// measured for their names alone
    #[arg(long)]
    only: Option<String>,
    /// The subject to measure on [default: commons-math3; for `runs` three of them]
    #[arg(long)]
    subject: Option<String>,
    /// A project in which `telltale record` was run: measure what judging its generated assertions costs, and nothing else; with
    /// `--only server` what the language server costs with what was recorded, beside one without
    #[arg(long, value_name = "DIR")]
    recorded: Option<PathBuf>,
    /// Measure in this process and print plain figures (what the command starts for each sample)
    #[arg(long, hide = true, value_enum, requires = "folder")]
    part: Option<Part>,
    #[arg(long, hide = true)]
    folder: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if let (Some(part), Some(folder)) = (arguments.part, &arguments.folder) {
        return part::measure(part, folder, arguments.quick);
    }
    if cfg!(debug_assertions) {
        return again_in_release();
    }
    if let Some(recorded) = &arguments.recorded {
        if arguments.only.as_deref() == Some("server") {
            return evidence::measure(&telltale()?, recorded, arguments.quick);
        }
        return part::measure(Part::Suspects, recorded, arguments.quick);
    }
    let telltale = telltale()?;
    if arguments.only.as_deref() == Some(runs::NAME) {
        return runs::measure(&telltale, arguments.subject.as_deref(), arguments.quick);
    }
    if arguments.only.as_deref() == Some(follow::NAME) {
        return follow::measure(&telltale, arguments.quick);
    }
    let subject = arguments.subject.as_deref().unwrap_or(SUBJECT);
    let folder = subjects::one(subject)?;
    let bench = Bench {
        quick: arguments.quick,
        full: arguments.full,
        only: arguments.only.clone(),
        telltale,
    };
    println!(
        "{subject}, {} threads",
        std::thread::available_parallelism().map_or(1, usize::from)
    );
    bench.start(&folder)?;
    bench.in_process(&folder)?;
    if bench.wants("server") {
        server::measure(&bench.telltale, &folder, bench.quick, bench.full)?;
    }
    bench.growth(&folder)
}

/// Times of an unoptimised build say nothing.
pub(crate) fn again_in_release() -> Result<()> {
    let mut command = crate::cargo();
    command.args(["run", "--quiet", "--release", "--package", "xtask", "--"]);
    command.args(std::env::args_os().skip(1));
    finished(&mut command)
}

pub(crate) fn finished(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .map_err(|error| format!("cannot start {command:?}: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err("it failed".to_owned())
    }
}

/// The release binary, beside this one; built now so that it is never an old one.
fn telltale() -> Result<PathBuf> {
    let own = std::env::current_exe().map_err(|error| format!("cannot find myself: {error}"))?;
    let binary = own.with_file_name(format!("telltale{}", std::env::consts::EXE_SUFFIX));
    // Set by those who keep the binary up to date themselves.
    if std::env::var_os("TELLTALE_BENCH_NO_BUILD").is_none() {
        finished(crate::cargo().args(["build", "--quiet", "--release", "--package", "telltale"]))?;
    }
    if binary.is_file() {
        Ok(binary)
    } else {
        Err(format!("there is no {}", binary.display()))
    }
}

struct Bench {
    quick: bool,
    full: bool,
    only: Option<String>,
    telltale: PathBuf,
}

impl Bench {
    fn wants(&self, row: &str) -> bool {
        self.only.as_deref().is_none_or(|only| row.contains(only))
    }

    /// A part in a process of its own.
    fn part(&self, part: Part, folder: &Path) -> Result<Sample> {
        let own =
            std::env::current_exe().map_err(|error| format!("cannot find myself: {error}"))?;
        let mut command = Command::new(own);
        command.args(["bench", "--part", part.name(), "--folder"]);
        command.arg(folder);
        if self.quick {
            command.arg("--quick");
        }
        Sample::of(&mut command)
    }

    /// `telltale observe` on a whole folder, from start to end of the process.
    fn observe(&self, folder: &Path) -> Result<Sample> {
        let mut command = Command::new(&self.telltale);
        command.args(["observe", "--quiet", "--format", "json"]);
        command.arg(folder);
        Sample::of(&mut command)
    }

    /// The anchor, the cold start and the command in turn.
    fn start(&self, folder: &Path) -> Result<()> {
        if !self.wants("start") {
            return Ok(());
        }
        let runs = if self.quick { 3 } else { 9 };
        let (mut bare, mut ready, mut observe) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..runs {
            bare.push(self.part(Part::Bare, folder)?);
            ready.push(self.part(Part::Ready, folder)?);
            observe.push(self.observe(folder)?);
        }
        let figure =
            |samples: &[Sample], key: &str| median(samples.iter().map(|s| s.figure(key)).collect());
        let (bare_wall, bare_cpu) = (figure(&bare, "ms"), figure(&bare, "cpu_ms"));
        println!(
            "bare parse: {} files, {:.1} MB, {bare_wall:.0} ms, {bare_cpu:.0} ms of processor (median of {runs})",
            figure(&bare, "files"),
            figure(&bare, "bytes") / 1e6
        );
        let ratio = |samples: &[Sample], key: &str| {
            let pairs = samples.iter().zip(&bare);
            median(pairs.map(|(a, b)| a.figure(key) / b.figure(key)).collect())
        };
        for (name, samples, limit, aim) in [
            ("start: ready", &ready, 2.0, 1.5),
            ("start: observe", &observe, 3.0, 2.0),
        ] {
            let (wall, cpu) = (ratio(samples, "ms"), ratio(samples, "cpu_ms"));
            println!(
                "{name}: {:.0} ms = {wall:.2} x bare parse (at most {limit} x, aim {aim} x); processor {:.0} ms = {cpu:.2} x; peak memory {:.0} MB (at most 200, aim 120)",
                figure(samples, "ms"),
                figure(samples, "cpu_ms"),
                figure(samples, "peak_kb") / 1024.0
            );
        }
        for key in ready[0].keys().filter(|k| k.starts_with("part ")) {
            println!("  {}: {:.0} ms", &key[5..], figure(&ready, key));
        }
        for key in ready[0].keys().filter(|k| k.starts_with("memory: ")) {
            println!("  {key}: {:.0}", figure(&ready, key));
        }
        Ok(())
    }

    fn in_process(&self, folder: &Path) -> Result<()> {
        for part in [
            Part::Typing,
            Part::Phases,
            Part::Declarations,
            Part::Bulk,
            Part::Reach,
            Part::Stress,
            Part::Builds,
        ] {
            if self.wants(part.name()) {
                self.part(part, folder)?.print(part.name());
            }
        }
        Ok(())
    }

    /// Ten times the modules may cost ten times as much.
    fn growth(&self, folder: &Path) -> Result<()> {
        if !self.wants("growth") {
            return Ok(());
        }
        let copies = if self.quick { 3 } else { 10 };
        let once = growth::modules(folder, 1, true)?;
        let names = growth::modules(folder, copies, true)?;
        let same = growth::modules(folder, copies, false)?;
        let measure = |root: &Path| -> Result<(f64, f64, f64)> {
            let samples = (0..3)
                .map(|_| self.part(Part::Ready, root))
                .collect::<Result<Vec<_>>>()?;
            let of = |key: &str| median(samples.iter().map(|s| s.figure(key)).collect());
            Ok((of("ms"), of("cpu_ms"), of("peak_kb")))
        };
        let one = measure(once.path())?;
        for (name, root) in [("renamed packages", &names), ("same names", &same)] {
            let many = measure(root.path())?;
            let per = |a: f64, b: f64| a / b / copies as f64;
            println!(
                "growth: {copies} modules, {name}: ready {:.0} ms, {:.0} MB; a module costs {:.2} x the time ({:.2} x the processor) and {:.2} x the memory of one alone (at most 1.2)",
                many.0,
                many.2 / 1024.0,
                per(many.0, one.0),
                per(many.1, one.1),
                per(many.2, one.2)
            );
        }
        Ok(())
    }
}

/// The middle value; of none 0.
fn median(values: Vec<f64>) -> f64 {
    percentile(values, 50)
}

/// The smallest value that at least `percent` % of all reach at most.
fn percentile(mut values: Vec<f64>, percent: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (values.len() * percent).div_ceil(100).max(1) - 1;
    values.get(at).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_were_measured() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![]), 0.0);
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!(percentile(hundred.clone(), 95), 95.0);
        assert_eq!(percentile(hundred, 100), 100.0);
        assert_eq!(percentile(vec![7.0], 95), 7.0);
    }
}
