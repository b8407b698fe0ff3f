//! One file a command.

pub(crate) mod check;
pub(crate) mod checked;
pub(crate) mod completions;
pub(crate) mod debug;
pub(crate) mod doctor;
pub(crate) mod graph;
pub(crate) mod inner;
pub(crate) mod invariants;
pub(crate) mod man;
pub(crate) mod mutants;
pub(crate) mod observe;
pub(crate) mod record;
pub(crate) mod suspects;
pub(crate) mod weakest;
pub(crate) mod why;
