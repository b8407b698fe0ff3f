//! Input from outside against the parsers of it, steered by coverage: `cargo xtask fuzz`.
//!
//! One binary has every target; `TELLTALE_FUZZ_TARGET` says which one runs. A panic anywhere, even one that the server
//! would survive, an overflow of the stack, memory or time without bound, and an answer that is not the one of a plain
//! model end the run; the input stays behind as a file. What an input is for each target stands at its function.

#![no_main]

mod targets;

use std::sync::OnceLock;

use targets::Target;

static TARGET: OnceLock<Target> = OnceLock::new();

libfuzzer_sys::fuzz_target!(
    init: {
        let name = std::env::var("TELLTALE_FUZZ_TARGET").unwrap_or_default();
        let target = targets::ALL.iter().find(|(known, _)| *known == name);
        let known: Vec<&str> = targets::ALL.iter().map(|(known, _)| *known).collect();
        let (_, target) = target.unwrap_or_else(|| {
            panic!("TELLTALE_FUZZ_TARGET names none of {}", known.join(", "))
        });
        TARGET.get_or_init(|| *target);
        targets::small_stacks();
    },
    |data: &[u8]| {
        if let Some(target) = TARGET.get() {
            target(data);
        }
    }
);
