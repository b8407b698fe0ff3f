//! The `telltale` binary; everything it does is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    telltale::run(std::env::args_os())
}
