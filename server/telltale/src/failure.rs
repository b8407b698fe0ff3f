//! Why a command did not do what it was asked: a sentence and what to do, never a stack trace.

use std::fmt;
use std::io;
use std::process::ExitCode;

/// What went wrong.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The user asked for something that cannot be: exit 2.
    Use {
        /// What was wrong.
        message: String,
        /// What to do about it.
        help: Option<String>,
    },
    /// The run failed for a reason outside of it: exit 3.
    Run(String),
    /// Who reads the output went away: nothing to say, and no failure of ours.
    ClosedPipe,
}

impl Failure {
    pub(crate) fn usage(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Use {
            message: message.into(),
            help: Some(help.into()),
        }
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Use { .. } => 2,
            Failure::Run(_) => 3,
            Failure::ClosedPipe => 0,
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Use { message, .. } | Failure::Run(message) => f.write_str(message),
            Failure::ClosedPipe => f.write_str("the output was closed"),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Failure {
        if e.kind() == io::ErrorKind::BrokenPipe {
            Failure::ClosedPipe
        } else {
            Failure::Run(format!("cannot write the result: {e}"))
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(e: serde_json::Error) -> Failure {
        Failure::from(io::Error::from(e))
    }
}

impl From<project::ProjectError> for Failure {
    fn from(e: project::ProjectError) -> Failure {
        match e {
            project::ProjectError::Unreadable { .. } => Failure::Run(e.to_string()),
            _ => Failure::Use {
                message: e.to_string(),
                help: None,
            },
        }
    }
}
