//! `telltale man`: one manual page with every command on it.

use crate::args::Args;
use crate::failure::Failure;
use clap::CommandFactory;
use clap_mangen::Man;
use std::io::Write;

pub(crate) fn run() -> Result<(), Failure> {
    let mut page = Vec::new();
    let mut all = Args::command();
    all.build();
    Man::new(all.clone()).render(&mut page)?;
    for command in all.get_subcommands().filter(|c| !c.is_hide_set()) {
        let name = command.get_name();
        if name == "help" {
            continue;
        }
        writeln!(page, ".SH TELLTALE {}", name.to_uppercase())?;
        let man = Man::new(command.clone());
        man.render_synopsis_section(&mut page)?;
        man.render_description_section(&mut page)?;
        man.render_options_section(&mut page)?;
    }
    std::io::stdout().write_all(&page)?;
    Ok(())
}
