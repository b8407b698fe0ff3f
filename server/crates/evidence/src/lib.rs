//! What runs told: the values that tests saw, what the agent wrote of them, and how long it is believed.
//!
//! The agent writes segments ([`segment`]), whose layout is `docs/evidence.md`. What of them concerns the editor are the
//! [`Facts`] of a folder: for each test what its queries and its variables were, with the [`Key`] of the code that ran.
//! [`Calls`] are what the code under test was given and gave while a test ran.
//! A fact whose key is not that of today's code is stale, and nobody is shown it as fresh.

mod calls;
mod definitions;
mod facts;
mod observed;
mod packed;
mod ran;
pub mod segment;
mod skimmed;
mod slots;
mod value;

pub use calls::{Call, Called, Calls, Packed, Place, Profile, Return};
pub use definitions::Definitions;
pub use facts::{Facts, Told};
pub use observed::{Observed, Seen};
pub use packed::Deflated;
pub use ran::{Lines, PackedLines, Ran, RanBy};
pub use slots::{Slots, Slotted};
pub use value::{JavaString, Order, Value};

/// Says of which code something was recorded: a hash of the tokens of all that a test reaches.
pub type Key = u64;
