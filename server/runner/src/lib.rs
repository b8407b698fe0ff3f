//! Runs a project's tests with the agent: the only crate that starts processes.

mod agent;

pub use agent::{AGENT, NoAgent, agent_jar};
