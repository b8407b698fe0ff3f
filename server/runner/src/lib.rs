//! Runs a project's tests with the agent: the only room that starts processes, build tools, compilers and JVMs, each on
//! a user's word.

mod agent;
pub mod javac;
pub mod judge;
pub mod process;
mod tool;

pub use agent::{AGENT, NoAgent, agent_jar};
pub use tool::{Agent, Asked, Only, Tool};
