//! The only crate that touches files: where a project's root is, how it is configured, which
//! source sets it has, the texts of its Java files, and the classes of its libraries.
//!
//! Everything is found from files alone; no build tool and no other command is ever run. What the
//! build files leave open is filled in by convention, and what convention leaves open by the
//! `package` declarations, so every Java file under the root belongs to some source set.

mod assemble;
mod built;
pub mod config;
mod dismissed;
mod eclipse;
mod error;
mod failsafe;
#[doc(hidden)]
pub mod fuzzing;
mod generated;
mod generators;
mod gradle;
mod gradle_libraries;
mod ignored;
mod infer;
mod layout;
pub mod libraries;
mod maven;
mod module;
mod paths;
mod prints;
mod queries;
mod reactor;
mod read;
mod regular;
mod release;
mod root;
mod script;
mod store;
mod visibility;
mod walk;
mod xml;

pub use assemble::discover;
pub use built::{built_sources, is_built};
pub use config::{Config, ConfigProblem, ConfigValue, Fp, RuleLevel, load_config, parse_config};
pub use dismissed::{DISMISSED, Dismissal, Dismissals, load_dismissed};
pub use error::ProjectError;
pub use failsafe::has_failsafe;
pub use generated::generated;
pub use layout::{
    Generator, Language, Layout, LayoutWarning, Skipped, SkippedFile, SourcePath, SourceSet,
};
pub use prints::{Prints, class_prints, prints};
pub use queries::{QUERIES, UserQueries, load_queries};
pub use reactor::reactor;
pub use read::{FILE_LIMIT, Unread, read_all, read_all_up_to, read_all_while, read_source};
pub use release::release;
pub use root::{find_root, is_project};
pub use store::{EVIDENCE, OWN_FOLDER, Run, Store, StoreError, own_folder};
pub use walk::is_build_file;
