//! What a command prints: the same facts for scripts (`json`) and for people (`text`).

pub(crate) mod check;
pub(crate) mod checked;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod json;
pub(crate) mod mutants;
pub(crate) mod suspects;
pub(crate) mod text;
pub(crate) mod weakest;
pub(crate) mod why;
