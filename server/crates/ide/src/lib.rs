//! Features in editor words: what stands above a test or method, beside a definition, under the cursor, behind the light
//! bulb. Positions are byte offsets; how an editor counts and asks is the edge's business.
//!
//! [`Revision`] is a folder's program after some edits, computed when it is first asked; [`Analysis`] is what was
//! computed, with the rankings that lens, hint and hover share. One feature a module, each a function of an analysis.

pub mod action;
mod after;
mod analysis;
pub mod answers;
mod asked_as;
mod asserted;
mod assertion_place;
mod callers;
mod change;
pub mod checked;
pub mod checked_at;
mod checking;
mod code;
pub mod dismissed;
pub mod hint;
pub mod hover;
pub mod inner;
mod key;
pub mod lens;
mod offers;
mod open;
pub mod plain;
mod rankings;
mod requests;
mod revision;
pub mod rules;
pub mod survivors;
pub mod suspects;
pub mod title;
mod tokens;
mod values;
mod variable;
pub mod weave;
mod words;

#[cfg(test)]
mod tests;

pub use analysis::{Analysis, Place};
pub use asked_as::asked_as;
pub use assertion_place::{AssertionPlace, assertion_place};
pub use change::{PlacedEdit, SourceChange};
pub use code::is_written_the_same;
pub use offers::{Inside, Offered, Readable};
pub use rankings::{FileRanking, Selected};
pub use revision::Revision;
pub use words::{cut, method_words, ordinal};
