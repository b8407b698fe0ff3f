//! The `telltale` binary; everything it does is in the library.

use std::process::ExitCode;

/// Analysis is millions of small allocations on all cores (docs/performance.md). The grammar's C code uses it too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    telltale::run(std::env::args_os())
}
