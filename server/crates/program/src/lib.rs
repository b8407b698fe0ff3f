//! Many files: declarations, what names mean, hierarchy, and what an edit changes.
//!
//! `summarise` reads one file alone. [`Program`] holds all files of a workspace at one moment: every name in every
//! body is resolved. [`Program::with_changes`] gives the next moment and shares what stayed: a body is resolved again
//! only if it says something else, or if it looked up a name whose meaning may have changed.
//!
//! To be read in this order: `declarations` (records of a file), `ids` (names as numbers), `types`, `snapshot` (all
//! tables), `lookup` (type names in scope), `headers` (supertypes and signatures), `resolve` (bodies), `hierarchy`,
//! `build` and `changes`, `program` (the interface). They use each other, as types, members and names do in Java.

mod build;
mod changes;
mod classes;
mod declarations;
mod facts;
mod generated;
mod header;
mod headers;
mod hierarchy;
mod ids;
mod lookup;
mod names;
mod occurrences;
mod program;
mod resolve;
mod snapshot;
mod summarise;
mod table;
mod types;
mod unwritten;
mod user_queries;

pub use classes::{ClassRecord, ClassSource, MemberRecord};
pub use declarations::*;
pub use generated::{GeneratedPaths, Generator};
pub use ids::{BodyId, FieldId, FileId, Member, MethodId, SourceSetId, Symbol, TypeId};
pub use occurrences::{Occurrence, OccurrenceKind};
pub use program::{Change, Counters, FileInput, Program, ProgramInput, SourceSetInput};
pub use resolve::{CallTarget, NameTarget, ResolvedBody, ResolvedCounts};
pub use summarise::DEEPEST_TYPE;
pub use syntax::{Queries, QueryFile, TestMarkKind};
pub use table::Table;
pub use types::Ty;
pub use unwritten::{Asked, Unwritten};
