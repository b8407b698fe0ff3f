//! The language server over its real transport, in this process.
// Tests read and write files, and say what they skip.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::print_stderr
)]

mod bounds;
mod checked;
mod diagnostics;
mod dismissed;
mod documents;
mod features;
#[path = "../common/folder.rs"]
mod folder;
mod hazards;
mod inner_oracles;
mod mutants;
mod opening;
mod peer;
mod process;
mod recording;
mod settings;
mod suspects;
