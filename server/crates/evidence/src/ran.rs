//! Which lines ran, by test: as places in the code of members, so that what moves the lines of a file, or formats it anew, does
//! not move them. Lines outside of methods (initialisers of classes and fields) are not among them.

use crate::{Key, packed};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::sync::Arc;

/// What packed lines begin with: others are read as none.
const FORMAT: &[u8] = b"lines1";

/// Lines of members: by `pkg.Class#method(int)`, in order, how many characters of the member's code stand before each line, in order.
pub type Lines = Vec<(SmolStr, Vec<u32>)>;

/// Lines as they are kept.
#[derive(Clone, PartialEq, Eq)]
pub struct PackedLines(Arc<[u8]>);

impl std::fmt::Debug for PackedLines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

impl PackedLines {
    /// Packs lines.
    ///
    /// # Errors
    /// If they cannot be written, which none are known to.
    pub fn pack(lines: &Lines) -> std::io::Result<PackedLines> {
        // Within a member lines follow each other closely: steps are small numbers.
        let steps = |at: &[u32]| {
            let before = std::iter::once(0).chain(at.iter().copied());
            let steps = at
                .iter()
                .zip(before)
                .map(|(at, before)| at.wrapping_sub(before));
            steps.collect::<Vec<u32>>()
        };
        let stepped: Vec<(&str, Vec<u32>)> = lines
            .iter()
            .map(|(m, at)| (m.as_str(), steps(at)))
            .collect();
        Ok(PackedLines(packed::pack(FORMAT, &stepped)?.into()))
    }

    /// What [`PackedLines::bytes`] gave.
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> PackedLines {
        PackedLines(bytes.into())
    }

    /// For a file.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The lines; none if the bytes are not those of [`PackedLines::pack`].
    pub fn lines(&self) -> Option<Lines> {
        let mut lines: Lines = packed::unpack(FORMAT, &self.0)?;
        for (_, at) in &mut lines {
            let mut before = 0u32;
            for step in at {
                before = before.wrapping_add(*step);
                *step = before;
            }
        }
        Some(lines)
    }
}

/// What ran in one test.
#[derive(Clone, Debug)]
pub struct RanBy {
    /// Of which code: what the test runs.
    pub key: Key,
    /// Which lines.
    pub lines: PackedLines,
}

/// What ran, of a whole folder.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    /// By test, under its name as in [`crate::Facts`].
    pub tests: FxHashMap<SmolStr, RanBy>,
    /// What ran in no test, or in one that is not known by its name: a run each.
    pub nobodys: Vec<PackedLines>,
    /// The lines that have code, by member; none of a member that nothing ran.
    pub code: FxHashMap<SmolStr, PackedLines>,
    /// How many tests ran of which nobody knows what they ran: they ran at the same time as others.
    pub lost: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked_and_nothing_else_is() {
        let lines: Lines = vec![
            ("a.B#m(int)".into(), vec![0, 3, 3, 900_000]),
            ("a.B#n()".into(), Vec::new()),
        ];
        let packed = PackedLines::pack(&lines).expect("packed");
        assert_eq!(packed.lines().expect("unpacked"), lines);
        let bytes = packed.bytes();
        for cut in 0..bytes.len() {
            assert!(PackedLines::new(&bytes[..cut]).lines().is_none(), "{cut}");
        }
    }
}
