//! What is looked for and what is shown.

use crate::confidence::LIMIT;
use crate::family::Family;

/// How constraints are learnt and chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// From which confidence on a constraint is believed, in [0, 1].
    pub limit: f64,
    /// Bounds outside of this range say nothing to a reader; who checks values wants them all.
    pub bounds: Option<(i64, i64)>,
    /// Leave out what holds of a point above, and what is said of a parameter that the caller no longer sees.
    pub for_readers: bool,
    /// Look at single elements of sequences of floating-point numbers, too, which Daikon does not: with each number that may be an
    /// index they are the most of a point's terms.
    pub elements_of_doubles: bool,
    /// The families that are left out.
    pub without: Vec<Family>,
}

impl Default for Options {
    /// What a reader wants to see.
    fn default() -> Options {
        Options {
            limit: LIMIT,
            bounds: Some((-1, 2)),
            for_readers: true,
            elements_of_doubles: false,
            without: Vec::new(),
        }
    }
}

impl Options {
    /// What is checked against other samples: every bound, and every point by itself.
    pub fn for_checking() -> Options {
        Options {
            bounds: None,
            for_readers: false,
            ..Options::default()
        }
    }

    /// True if such constraints are looked for.
    pub(crate) fn wants(&self, family: Family) -> bool {
        family.row().default && !self.without.contains(&family)
    }
}
