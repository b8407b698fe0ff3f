//! What calls change: the object that they are called on, what they are given, and what everybody sees.

mod own;
mod purity;

pub use purity::{Purity, Touched};
