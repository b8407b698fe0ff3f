//! `telltale completions SHELL`.

use crate::args::Args;
use crate::failure::Failure;
use clap::CommandFactory;
use std::io::Write;

pub(crate) fn run(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "telltale", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(())
}
