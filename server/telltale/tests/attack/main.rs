//! Projects of somebody who means harm: what is opened may be odd, deep or long, and neither ends the program, holds it up, nor
//! takes more memory than its size explains.
//!
//! Each run has five minutes and 4 GB of addresses; what it takes is a small part of both, and before its mend it was more.
// Tests read and write files, and say what they skip.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::print_stderr
)]

mod editor;
#[cfg(unix)]
mod files;
#[allow(dead_code)]
#[path = "../common/folder.rs"]
mod folder;
#[allow(dead_code)]
#[path = "../lsp/peer.rs"]
mod peer;
mod queries;
mod settings;
mod sources;
#[allow(dead_code)]
#[path = "../cli/support.rs"]
mod support;
mod terminal;

use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use support::{Project, Ran};

/// Many times what any run here takes.
const PATIENCE: Duration = Duration::from_secs(300);

/// Addresses of a run, in kB, where the system can bound them. Threads and the allocator reserve one of these four GB.
const MEMORY: &str = "4000000";

/// Runs the binary in the project, and fails unless it ends in time by itself.
#[track_caller]
fn survives(project: &Project, arguments: &[&str]) -> Ran {
    let mut command = if cfg!(target_os = "linux") {
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -v \"$0\" && exec \"$@\"", MEMORY]);
        shell.arg(env!("CARGO_BIN_EXE_telltale"));
        shell
    } else {
        support::binary()
    };
    let mut child = command
        .args(arguments)
        .current_dir(project.path())
        // What is on this machine is no part of the attack.
        .env("HOME", project.path())
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let stdout = all(child.stdout.take().expect("a pipe"));
    let stderr = all(child.stderr.take().expect("a pipe"));
    let Ok(stdout) = stdout.recv_timeout(PATIENCE) else {
        child.kill().expect("it can be ended");
        child.wait().expect("it ends");
        panic!("{arguments:?} goes on and on");
    };
    let stderr = stderr.recv_timeout(PATIENCE).expect("it ended");
    let status = child.wait().expect("it ended");
    let Some(code) = status.code() else {
        panic!("{arguments:?} was ended by {status}: {stderr}");
    };
    Ran {
        code,
        stdout,
        stderr,
    }
}

/// What comes out of a pipe until it is closed.
fn all(mut pipe: impl Read + Send + 'static) -> mpsc::Receiver<String> {
    let (send, all) = mpsc::channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        if pipe.read_to_string(&mut text).is_ok() {
            // Who waits may have lost patience.
            let _ = send.send(text);
        }
    });
    all
}
