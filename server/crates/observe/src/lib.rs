//! What a test should observe, as the paper has it: the probabilistic substitution graph of a scope, which candidate stands
//! in for which, and the ranking over it.
//!
//! Nothing here reads files or the clock, and results do not depend on hash order or threads.

mod assemble;
mod capability;
mod centrality;
mod paths;
mod psg;
mod quiet;
mod rank;
mod selection;

pub use assemble::{Assembled, Node, ObservationPoint, Reads, assemble};
pub(crate) use capability::FocOptions;
pub use capability::{Capability, CapabilityTable, Row};
pub use centrality::{betweenness, page_rank};
pub use psg::{Edge, EdgeKind, EdgeRef, Psg, Vertex};
pub use quiet::{Quiet, is_logger, quiet, quiet_field};
pub use rank::{
    Ranked, Ranking, Settings, StandsFor, Strategy, Wish, capability, places, rank, rank_over,
    table, via,
};
pub use selection::{Choice, Choosable, Fp, Order, Pick, SelectOptions, choose, rest, select};
