//! The JDK's compiler in a JVM that is kept for the next question: of a small file its start takes the most time.

use crate::jdk::tool_of;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The main class.
const MAIN: &str = "dev.telltale.agent.Compiler";

/// How the line begins that ends an answer; its status follows.
const DONE: &str = "telltale-done ";

/// How often somebody is asked whether to go on.
const TICK: Duration = Duration::from_millis(50);

/// One compiler, started when it is first asked. It ends with this, with the process, or when it was not asked for five
/// minutes; then the next question starts another.
#[derive(Debug, Default)]
pub struct Warm(Mutex<Option<Running>>);

#[derive(Debug)]
struct Running {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    /// What started it.
    java: PathBuf,
}

impl Warm {
    /// Compiles by the compiler of a JDK, or of the environment's, by a list of arguments, and tells what the compiler says, line by line. True if it did all. Nothing where this
    /// cannot be asked now: it works, cannot be started, or was ended.
    pub(crate) fn compile(
        &self,
        jdk: Option<&Path>,
        jar: &Path,
        list: &Path,
        wanted: &dyn Fn() -> bool,
        line: &mut dyn FnMut(&str),
    ) -> Option<bool> {
        let mut kept = match self.0.try_lock() {
            Ok(kept) => kept,
            Err(std::sync::TryLockError::Poisoned(kept)) => kept.into_inner(),
            Err(std::sync::TryLockError::WouldBlock) => return None,
        };
        let java = tool_of(jdk, "java");
        let is_there = |running: &mut Running| {
            running.java == java && matches!(running.child.try_wait(), Ok(None))
        };
        let mut running = match kept.take().map(|mut r| (is_there(&mut r), r)) {
            Some((true, running)) => running,
            _ => Running::start(java, jar)?,
        };
        let status = running.ask(list, wanted, line)?;
        *kept = Some(running);
        Some(status)
    }

    /// Ends it.
    pub fn end(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

impl Running {
    fn start(java: PathBuf, jar: &Path) -> Option<Running> {
        let mut command = Command::new(&java);
        command.args([
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Duser.language=en",
        ]);
        command.arg("-cp").arg(jar).arg(MAIN);
        // Its messages are read.
        command.env_remove("JAVA_TOOL_OPTIONS");
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        // What ends an editor's server by its group closes the input of this, which then ends.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().ok()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return None;
        };
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Some(Running {
            child,
            input,
            lines,
            java,
        })
    }

    /// The answer to one question; nothing if there is none, or it is not wanted any more: then this is not to be asked again.
    fn ask(
        &mut self,
        list: &Path,
        wanted: &dyn Fn() -> bool,
        line: &mut dyn FnMut(&str),
    ) -> Option<bool> {
        writeln!(self.input, "{}", list.display()).ok()?;
        self.input.flush().ok()?;
        while wanted() {
            match self.lines.recv_timeout(TICK) {
                Ok(said) => match said.strip_prefix(DONE) {
                    Some(status) => return Some(status == "0"),
                    None => line(&said),
                },
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        None
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
