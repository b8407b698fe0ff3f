//! `cargo xtask evaluate WHAT`: how right the analysis is on the subjects. One file an evaluation; the results stand in
//! `docs/`.

mod choice;
mod uses;

use clap::Subcommand;

use crate::Result;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Hide each assertion of real tests in turn: at which place is what its developer read?
    Choice(choice::Arguments),
    /// Compare what names and calls mean with what javac says
    Uses(uses::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.what {
        What::Choice(arguments) => choice::run(arguments),
        What::Uses(arguments) => uses::run(arguments),
    }
}
