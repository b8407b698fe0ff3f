//! The project's own tasks, run as `cargo xtask COMMAND`.
//!
//! A command is one file with a `run` and one variant of [`Command`]. What a script may want to read goes to stdout, all
//! else to stderr. A command that fails says why in one sentence and ends with 1.

// This is a command-line tool: its streams are its interface.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod bench;
mod check;
mod clients;
mod dist;
mod editors;
mod evaluate;
mod fuzz;
mod install;
mod maven;
mod subjects;
mod test;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

/// A sentence for the person who ran the command.
type Result<T> = std::result::Result<T, String>;

/// Tasks around the project: subjects, tests, invariants of the source.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Fetch the real projects that tests run on, and print where each lies
    Subjects(subjects::Arguments),
    /// Fetch what the tests need, then run `cargo test` on the workspace
    Test(test::Arguments),
    /// Drive the language server by real clients, installed in the user's cache folder
    Clients(clients::Arguments),
    /// Try the editors' parts in the editors themselves
    Editors(editors::Arguments),
    /// Make the archive and the extension that are given to users
    Dist(dist::Arguments),
    /// Put an editor's part where the editor looks for it
    Install(install::Arguments),
    /// Measure times and memory on a real project, as ratios to a bare parse
    Bench(bench::Arguments),
    /// Feed what parses input from outside by libFuzzer
    Fuzz(fuzz::Arguments),
    /// Measure how right the analysis is on real projects
    Evaluate(evaluate::Arguments),
    /// Check what holds for the source as a whole: layers, licences, places, the map
    Check(check::Arguments),
}

/// What `bench` measures in this process shall cost what it costs in the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        None => Arguments::command()
            .print_help()
            .map_err(|error| error.to_string()),
        Some(Command::Subjects(arguments)) => subjects::run(&arguments),
        Some(Command::Test(arguments)) => test::run(&arguments),
        Some(Command::Clients(arguments)) => clients::run(&arguments),
        Some(Command::Editors(arguments)) => editors::run(&arguments),
        Some(Command::Dist(arguments)) => dist::run(&arguments),
        Some(Command::Install(arguments)) => install::run(&arguments),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Fuzz(arguments)) => fuzz::run(&arguments),
        Some(Command::Evaluate(arguments)) => evaluate::run(&arguments),
        Some(Command::Check(arguments)) => check::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The repository's root. Cargo says at run time where this package lies; the path from the build serves a binary that
/// is started by hand.
fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    package
        .ancestors()
        .nth(2)
        .map_or(package.clone(), Path::to_path_buf)
}

/// The cargo that runs us.
fn cargo() -> std::process::Command {
    let mut command =
        std::process::Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}
