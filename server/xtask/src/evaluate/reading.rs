//! `cargo xtask evaluate reading`: what tests are told first, drawn by chance for people to read, and what they said of it.
//!
//! A reader gets a page (`values.txt`) and writes a word behind each row of a table (`values.tsv`). Tables of readings are
//! kept in `tests/readings.tsv`: facts about code that anybody can fetch, so that a later state can be asked what it still
//! says of them. A reading that a change was tuned on does not judge that change: only a fresh one does.

mod draw;
mod row;

use std::path::{Path, PathBuf};
use std::process::Command;

use calls::Workspace;
use ide::Analysis;
use observe::Settings;
use std::collections::HashMap;

use super::Where;
use super::chance::Chance;
use crate::Result;
use crate::bench::load;
use draw::{Share, Told};
use row::{Kind, Row};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Where,
    /// Of each project so many tests are asked at most, drawn by chance; 0 asks all
    #[arg(long, value_name = "N", default_value_t = 800)]
    most: usize,
    /// So many values of a project at most are given to a reader, from different classes where there are
    #[arg(long, value_name = "N", default_value_t = 5)]
    per: usize,
    /// So many tests of a project at most of which nothing is said
    #[arg(long, value_name = "N", default_value_t = 1)]
    quiet: usize,
    /// Which tests and values are drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write what a reader gets: `values.txt` and `values.tsv`
    #[arg(long, value_name = "FOLDER", conflicts_with = "verdicts")]
    out: Option<PathBuf>,
    /// Only values that a lens names
    #[arg(long, requires = "out")]
    lenses: bool,
    /// What readers said, to be asked of today's code: a table with their words in its last columns
    #[arg(long, value_name = "FILE")]
    verdicts: Option<PathBuf>,
    /// Print each value of `--verdicts` with what becomes of it
    #[arg(long, requires = "verdicts")]
    cases: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match (&arguments.out, &arguments.verdicts) {
        (Some(out), _) => draw(arguments, out),
        (None, Some(file)) => judge(arguments, file),
        (None, None) => {
            Err("say --out FOLDER to draw values, or --verdicts FILE to ask for them again".into())
        }
    }
}

fn draw(arguments: &Arguments, out: &Path) -> Result<()> {
    let mut chance = Chance::new(arguments.seed);
    let share = match arguments.lenses {
        true => Share::lenses(arguments.per),
        false => Share::of_all(arguments.per, arguments.quiet),
    };
    let mut rows = Vec::new();
    println!("| project | tests | asked | with a value | lenses |");
    println!("| --- | --: | --: | --: | --: |");
    for (name, folder) in projects(&arguments.place)? {
        let analysis = analysis(&folder)?;
        let tests = analysis.workspace().suite().tests().len();
        let count = match arguments.most {
            0 => tests,
            most => most.min(tests),
        };
        let asked = chance.draw(count, tests);
        let told = draw::told(&analysis, &asked);
        let has = |test: &Told| test.rows.iter().any(|r| r.kind == Kind::Value);
        let lenses = told.iter().filter(|t| t.rows.iter().any(|r| r.is_lens));
        println!(
            "| {name} | {tests} | {count} | {} | {} |",
            told.iter().filter(|t| has(t)).count(),
            lenses.count(),
        );
        let head = head(&folder);
        for mut row in share.draw(told, &mut chance) {
            row.project = name.clone();
            row.commit = head.clone();
            if row.kind == Kind::Quiet {
                row.why = draw::beside(&analysis, &row);
            }
            rows.push(row);
        }
    }
    std::fs::create_dir_all(out).map_err(|e| format!("cannot create {}: {e}", out.display()))?;
    let write = |name: &str, text: String| {
        let path = out.join(name);
        std::fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
    };
    write("values.tsv", row::to_text(&rows))?;
    write("values.txt", draw::page(&rows))?;
    println!("\n{} values and tests in {}", rows.len(), out.display());
    Ok(())
}

/// What is still said of what was read.
fn judge(arguments: &Arguments, file: &Path) -> Result<()> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let all = row::from_text(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut by_project: HashMap<&str, Vec<&Row>> = HashMap::default();
    for row in &all {
        let name = row.project.rsplit('/').next().unwrap_or_default();
        by_project.entry(name).or_default().push(row);
    }
    let mut asked = Vec::new();
    for (name, folder) in projects(&arguments.place)? {
        let Some(rows) = by_project.get(name.as_str()) else {
            continue;
        };
        let head = head(&folder);
        if let Some(row) = rows.iter().find(|r| r.commit != head) {
            return Err(format!(
                "{name} stands at {head}, and was read at {}: check that out",
                row.commit
            ));
        }
        let analysis = analysis(&folder)?;
        for (row, today) in draw::again(&analysis, rows) {
            if arguments.cases {
                println!(
                    "{name}\t{}\t{}\t{}\t{}",
                    row.test,
                    row.value,
                    row.verdict,
                    today.name()
                );
            }
            asked.push((row, today));
        }
    }
    row::print_table(&asked);
    println!("\n{} of {} rows were asked", asked.len(), all.len());
    Ok(())
}

/// Names and folders; a folder goes by its own name.
fn projects(place: &Where) -> Result<Vec<(String, PathBuf)>> {
    let named = |(name, folder): (String, PathBuf)| {
        let own = folder.file_name().map(|n| n.to_string_lossy().into_owned());
        (own.unwrap_or(name), folder)
    };
    Ok(place.folders()?.into_iter().map(named).collect())
}

fn analysis(folder: &Path) -> Result<Analysis> {
    let workspace = Workspace::new(load::texts(folder)?.program());
    let analysis = Analysis::new(workspace, true, Settings::default());
    analysis.prepare();
    Ok(analysis)
}

/// The commit that stands in a folder; empty without one.
fn head(folder: &Path) -> String {
    let git = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(["rev-parse", "HEAD"])
        .output();
    git.ok()
        .filter(|out| out.status.success())
        .map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned())
        .unwrap_or_default()
}
