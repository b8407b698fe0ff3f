//! `cargo xtask editors`: the editors' parts, each in the editor itself.
//!
//! What an editor needs is installed in the user's cache folder, by version and checksum. An editor that cannot be had on
//! this machine is skipped, and that is said; one in which something is wrong fails.

pub(crate) mod settings;

use crate::Result;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write the settings of the VS Code extension from the server's own table, and do nothing else
    #[arg(long)]
    write_settings: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.write_settings {
        return settings::write(&crate::root());
    }
    Ok(())
}
