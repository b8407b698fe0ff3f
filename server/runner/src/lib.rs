//! Runs a project's tests with the agent: the only room that starts processes, build tools, compilers and JVMs, each on
//! a user's word.

mod agent;
pub mod javac;
pub mod jdk;
pub mod judge;
mod lombok;
mod place;
pub mod process;
mod tool;
mod warm;

pub use agent::{AGENT, NoAgent, agent_jar};
pub use place::{Place, Told};
pub use tool::{Agent, Asked, Builds, Only, Tool, WAITS, tell, waiting};
pub use warm::Warm;
