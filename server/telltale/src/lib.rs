//! `telltale`: the command line. One file a command under [`command`], what people and scripts read under [`report`].

mod args;
mod command;
mod dismissed;
mod failure;
mod load;
pub mod lsp;
mod mutants;
mod pages;
mod record;
mod report;
mod rules;
mod scope;
mod screen;
mod shown;
mod trace;
mod whole;
mod words;

use clap::Parser;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the command line given, the program's name first. Exit codes as in the contracts: 0 done, 1 findings, 2 wrong
/// use, 3 the run itself failed.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args = match args::Args::try_parse_from(args) {
        Ok(args) => args,
        Err(e) => {
            // Help and version go to stdout with 0, mistakes to stderr with 2. A closed pipe is no failure. An argument that
            // is quoted may be the name of a file, as the shell expanded it.
            let plain = e.render().to_string();
            if plain.contains(screen::is_hidden) {
                screen::say(format_args!("{}", plain.trim_end()));
            } else {
                let _ = e.print();
            }
            return ExitCode::from(if e.use_stderr() { 2 } else { 0 });
        }
    };
    let done = match &args.command {
        args::Command::Lsp(a) => {
            return lsp::run(&lsp::Options {
                log: a.log.clone(),
                test_commands: false,
            });
        }
        args::Command::Observe(a) => match a.weakest {
            Some(most) => command::weakest::run(a, most),
            None => command::observe::run(a),
        },
        args::Command::Checked(a) => command::checked::run(a),
        args::Command::Check(a) => match command::check::run(a) {
            Ok(false) => Ok(()),
            Ok(true) => return ExitCode::from(1),
            Err(failure) => Err(failure),
        },
        args::Command::Graph(a) => command::graph::run(a),
        args::Command::Inner(a) => command::inner::run(a),
        args::Command::Invariants(a) => command::invariants::run(a),
        args::Command::Record(a) => command::record::run(a),
        args::Command::Mutants(a) => match command::mutants::run(a) {
            Ok(false) => Ok(()),
            Ok(true) => return ExitCode::from(1),
            Err(failure) => Err(failure),
        },
        args::Command::Suspects(a) => match command::suspects::run(a) {
            Ok(false) => Ok(()),
            Ok(true) => return ExitCode::from(1),
            Err(failure) => Err(failure),
        },
        args::Command::Why(a) => command::why::run(a),
        args::Command::Doctor(a) => command::doctor::run(a),
        args::Command::Debug(a) => command::debug::run(a),
        args::Command::Man => command::man::run(),
        args::Command::Completions { shell } => command::completions::run(*shell),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report();
            failure.exit_code()
        }
    }
}
