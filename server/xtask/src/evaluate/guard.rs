//! `cargo xtask evaluate guard`: what does a guard cost that is off?
//!
//! JMH, which Maven brings, runs hot loops with and without guards (`server/agent/bench/GuardCost.java`).

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::build::{failed, output};
use super::libraries::java;
use crate::maven::{self, Artifact};
use crate::{Result, subjects};

/// JMH and what it needs.
const JMH: [(&str, &str, &str); 4] = [
    ("org.openjdk.jmh", "jmh-core", "1.37"),
    ("org.openjdk.jmh", "jmh-generator-annprocess", "1.37"),
    ("net.sf.jopt-simple", "jopt-simple", "5.0.4"),
    ("org.apache.commons", "commons-math3", "3.6.1"),
];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many virtual machines each loop is measured in
    #[arg(long, default_value_t = 3)]
    forks: u32,
    /// The `java` to run with (default: of JAVA_HOME, else the one on the path)
    #[arg(long, value_name = "FILE")]
    java: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let java = arguments.java.clone().unwrap_or_else(java);
    let folder = subjects::cache()?.join("jmh");
    let artifacts = JMH.map(|(group, name, version)| Artifact {
        group: group.to_owned(),
        name: name.to_owned(),
        version: version.to_owned(),
        classifier: None,
        extension: "jar",
    });
    let mut path = maven::fetched(&artifacts, &folder)?;
    let work = tempfile::tempdir().map_err(|e| format!("cannot make a folder: {e}"))?;
    let guard = work.path().join("InnerOracle.java");
    fs::write(&guard, ::inner::guard_class("bench")).map_err(|e| failed("write", &guard, &e))?;
    path.push(work.path().to_path_buf());
    let path = std::env::join_paths(path).map_err(|e| e.to_string())?;
    let mut javac =
        Command::new(java.with_file_name(format!("javac{}", std::env::consts::EXE_SUFFIX)));
    javac.arg("-cp").arg(&path).arg("-d").arg(work.path());
    // The generator is a processor, which newer compilers run only if they are told to.
    javac.args([
        "-processor",
        "org.openjdk.jmh.generators.BenchmarkProcessor",
    ]);
    javac.arg(&guard);
    javac.arg(crate::root().join("server/agent/bench/GuardCost.java"));
    output(&mut javac)?;
    let table = work.path().join("result.json");
    let mut jmh = Command::new(&java);
    jmh.current_dir(work.path()).arg("-cp").arg(&path);
    jmh.args("org.openjdk.jmh.Main -foe true -wi 3 -w 500ms -i 10 -r 500ms -f".split(' '));
    jmh.arg(arguments.forks.to_string());
    jmh.args(["-rf", "json", "-rff"]).arg(&table);
    output(&mut jmh)?;
    let text = fs::read_to_string(&table).map_err(|e| failed("read", &table, &e))?;
    let rows: Vec<Value> = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    println!("| loop | ns a turn, best | median |");
    println!("| --- | --: | --: |");
    for row in &rows {
        let name = row["benchmark"].as_str().unwrap_or_default();
        let name = name.rsplit('.').next().unwrap_or(name);
        let (best, median) = best_and_median(row);
        println!("| {name} | {best:.3} | {median:.3} |");
    }
    Ok(())
}

/// Of all iterations. Other work on the machine makes some slower and none faster, so the best says most.
fn best_and_median(row: &Value) -> (f64, f64) {
    let forks = row["primaryMetric"]["rawData"].as_array();
    let iterations = forks.into_iter().flatten().filter_map(Value::as_array);
    let mut all: Vec<f64> = iterations.flatten().filter_map(Value::as_f64).collect();
    all.sort_by(f64::total_cmp);
    let at = |n: usize| all.get(n).copied().unwrap_or(f64::NAN);
    (at(0), at(all.len() / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_of_all_forks() {
        let row = serde_json::json!({"primaryMetric": {"rawData": [[3.0, 2.0], [1.0, 4.0, 5.0]]}});
        assert_eq!(best_and_median(&row), (1.0, 3.0));
    }
}
