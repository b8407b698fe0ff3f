//! The `telltale` binary as its users meet it: contracts, algorithms, mistakes, odd input.
// Tests read and write files, and say what they skip.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::print_stderr
)]

mod asked;
mod check;
mod coverage;
mod determinism;
mod direct;
mod dismissed;
mod doctor;
mod evosuite;
mod explained;
mod factorial;
#[path = "../common/folder.rs"]
mod folder;
mod frameworks;
mod gradle;
mod help;
mod inner;
mod input;
mod integration;
mod invariants;
mod jdk;
mod kinds;
mod mistakes;
mod mocks;
mod mutants;
mod names;
mod picture;
mod ranking;
mod record;
mod schemas;
mod scopes;
mod streams;
mod support;
mod suspects;
mod uses;
mod values;
mod weakest;
mod why;
mod wild;
