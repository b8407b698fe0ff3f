//! `cargo xtask fuzz`: what parses input from outside, fed by libFuzzer, which follows what the code does with it.
//!
//! The targets stand in `server/fuzz`, a workspace of its own, since its binary has libFuzzer's `main` and everything in
//! it is compiled with coverage counters. That takes no nightly compiler and no clang: the counters are a pass of LLVM's
//! that any `rustc` has. Seeds lie in `tests/fuzz/TARGET`; what a run learns stays below `target/fuzz`, and so does the
//! input that ended one. It becomes a fixture of a test with its mend.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;

/// The targets of `server/fuzz`, with how long an input may be and after how many seconds it counts as never done: by the
/// clock, so enough for a busy machine.
const TARGETS: &[(&str, u32, u32)] = &[
    ("java", 20_000, 60),
    ("queries", 8_000, 20),
    ("frames", 8_000, 60),
    ("documents", 8_000, 60),
    ("classfile", 8_000, 60),
    ("image", 8_000, 60),
    ("jar", 8_000, 60),
    ("maven", 16_000, 60),
    ("gradle", 16_000, 60),
    ("settings", 16_000, 60),
];

/// Resident memory in MB that ends a run; a server with a workspace open needs less than half.
const MEMORY: u32 = 2_048;

const COUNTERS: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    // As libraries expect it of fuzzers.
    "--cfg fuzzing",
];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A minute of each target, instead of an hour of all together
    #[arg(long)]
    quick: bool,
    /// Only these targets
    #[arg(long)]
    target: Vec<String>,
    /// Seconds of each target
    #[arg(long, conflicts_with = "quick")]
    seconds: Option<u64>,
    /// Only build what is fed
    #[arg(long)]
    build: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let known: Vec<&str> = TARGETS.iter().map(|(name, ..)| *name).collect();
    if let Some(unknown) = arguments
        .target
        .iter()
        .find(|name| !known.contains(&name.as_str()))
    {
        return Err(format!(
            "no target {unknown}; there are {}",
            known.join(", ")
        ));
    }
    let wanted: Vec<&(&str, u32, u32)> = TARGETS
        .iter()
        .filter(|(name, ..)| {
            arguments.target.is_empty() || arguments.target.iter().any(|it| it == name)
        })
        .collect();
    let seconds = match (arguments.seconds, arguments.quick) {
        (Some(seconds), _) => seconds,
        (None, true) => 60,
        (None, false) => 3_600 / wanted.len() as u64,
    };
    let kept = crate::root().join("target/fuzz");
    let binary = build(&kept)?;
    if arguments.build {
        return Ok(());
    }
    let mut failed = Vec::new();
    for (name, longest, slowest) in wanted {
        println!("{name}: {seconds} s");
        let limits = [
            format!("-max_total_time={seconds}"),
            format!("-max_len={longest}"),
            format!("-timeout={slowest}"),
            format!("-rss_limit_mb={MEMORY}"),
        ];
        if !feed(&binary, &kept, name, &limits)? {
            failed.push(*name);
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{} ended by what is in {}",
        failed.join(", "),
        kept.join("found").display()
    ))
}

/// Builds the binary with counters everywhere but in build scripts, which only a named target leaves out.
fn build(kept: &Path) -> Result<PathBuf> {
    let host = host()?;
    let folder = crate::root().join("server/fuzz");
    let mut command = crate::cargo();
    command
        .current_dir(&folder)
        .args(["build", "--release", "--target", &host])
        .arg("--target-dir")
        .arg(kept)
        .env("RUSTFLAGS", COUNTERS.join(" "));
    crate::bench::finished(&mut command)?;
    Ok(kept.join(host).join("release/fuzz"))
}

fn host() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .arg("-vV")
        .output()
        .map_err(|error| format!("cannot start rustc: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or_else(|| "rustc does not say what it builds for".to_owned())
}

/// Feeds one target until its time is over; false if something ended it.
fn feed(binary: &Path, kept: &Path, name: &str, limits: &[String]) -> Result<bool> {
    let folder = |kind: &str| -> Result<PathBuf> {
        let folder = kept.join(kind).join(name);
        std::fs::create_dir_all(&folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(folder)
    };
    let (learnt, found) = (folder("corpus")?, folder("found")?);
    let mut command = Command::new(binary);
    command
        .args(limits)
        .args(["-print_final_stats=1", "-verbosity=0"])
        .arg(format!("-artifact_prefix={}/", found.display()))
        .arg(learnt)
        .env("TELLTALE_FUZZ_TARGET", name)
        .current_dir(kept);
    for seeds in seeds(name) {
        command.arg(seeds);
    }
    // Files of builds are written for every input.
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        command.env("TMPDIR", memory);
    }
    let status = command
        .status()
        .map_err(|error| format!("cannot start {}: {error}", binary.display()))?;
    Ok(status.success())
}

/// The folders with what a target starts from.
fn seeds(name: &str) -> Vec<PathBuf> {
    let root = crate::root();
    let mut folders = vec![root.join("tests/fuzz").join(name)];
    if matches!(name, "java" | "documents") {
        folders.push(root.join("tests/demo/src"));
    }
    if name == "queries" {
        folders.push(root.join("queries/java"));
    }
    folders.retain(|folder| folder.is_dir());
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_targets_are_those_of_the_binary() {
        let source = crate::root().join("server/fuzz/src/targets.rs");
        let source = std::fs::read_to_string(source).expect("it is there");
        let named: Vec<&str> = source
            .lines()
            .filter_map(|line| line.trim().strip_prefix("(\"")?.split('"').next())
            .collect();
        let known: Vec<&str> = TARGETS.iter().map(|(name, ..)| *name).collect();
        assert_eq!(named, known);
        for name in known {
            assert!(!seeds(name).is_empty(), "{name} starts from nothing");
        }
    }
}
