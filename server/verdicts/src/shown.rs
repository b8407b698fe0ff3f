//! What values were, with a mutant and without, read of the segments of a run that showed them.

use evidence::segment::{Event, Stream};
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::PathBuf;

/// The values of runs: by mutant (0 for the plain run), test and slot.
pub type Shown = HashMap<(u32, u32, u32), Value>;

/// What a slot saw in one run of a test.
#[derive(Clone, Debug)]
pub struct Value {
    /// Different values, in the order in which they first appeared.
    pub all: Vec<evidence::Value>,
    /// There were more than were kept.
    pub cut: bool,
}

impl Value {
    /// The value, if it was one and the same each time.
    pub fn only(&self) -> Option<&evidence::Value> {
        match self.all.as_slice() {
            [one] if !self.cut => Some(one),
            _ => None,
        }
    }
}

/// Reads segments; `tests` is how many the baseline has, by which the agent numbers runs. What a JVM that ended did not
/// write is not there.
///
/// # Errors
/// If a file cannot be read.
pub fn shown(segments: &[PathBuf], tests: usize) -> io::Result<Shown> {
    let mut out = Shown::new();
    let tests = tests.max(1) as u64;
    for file in segments {
        let bytes = fs::read(file)?;
        let mut stream = Stream::default();
        let mut see = |event: Event| {
            let Event::Slot {
                slot,
                test,
                values,
                cut,
                ..
            } = event
            else {
                return;
            };
            let numbers = (
                u32::try_from(test / tests),
                u32::try_from(test % tests),
                u32::try_from(slot),
            );
            if let (Ok(mutant), Ok(test), Ok(slot)) = numbers {
                out.insert((mutant, test, slot), Value { all: values, cut });
            }
        };
        // What stands before a block that is none counts.
        drop(stream.push(&bytes, &mut see));
    }
    Ok(out)
}
