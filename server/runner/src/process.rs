//! Commands with all that they start: told what they print line by line, and ended together, at the latest with this process.

use process_wrap::std::{ChildWrapper, CommandWrap};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// Longer lines are cut: a test may print gigabytes without a line end.
const LINE: u64 = 4096;

/// How many lines may wait; a command that prints faster than they are taken waits with them.
const WAITING: usize = 1024;

/// How often somebody is asked whether to go on.
const TICK: Duration = Duration::from_millis(50);

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself.
    Exit(ExitStatus),
    /// It was not wanted any more.
    Cancelled,
    /// It took too long.
    TimedOut,
}

/// What a run of a command is bounded by.
pub struct Bounds<'a> {
    /// False once it is not wanted any more.
    pub wanted: &'a dyn Fn() -> bool,
    /// How long it may take.
    pub timeout: Option<Duration>,
    /// Asked for now and then while it runs.
    pub tick: &'a mut dyn FnMut(),
}

/// Runs a command to its end, with nothing on its standard input. Its processes form a group, which is ended as a whole.
///
/// # Errors
/// If it cannot be started.
pub fn run(
    command: Command,
    bounds: Bounds<'_>,
    line: &mut dyn FnMut(&str),
) -> std::io::Result<Ended> {
    Started::new(command, Stdio::null())?.watch(bounds, line)
}

/// A command that runs, with all that it starts: a group, which is ended as a whole, at the latest with this.
#[derive(Debug)]
pub struct Started {
    child: Box<dyn ChildWrapper>,
    lines: Receiver<String>,
    _guard: Guard,
}

impl Started {
    /// Starts it. What it prints is read from then on.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn new(command: Command, input: Stdio) -> std::io::Result<Started> {
        let mut command = command;
        command
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut wrap = CommandWrap::from(command);
        #[cfg(unix)]
        wrap.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        wrap.wrap(process_wrap::std::JobObject);
        let mut child = wrap.spawn()?;
        let guard = Guard::of(child.id());
        let (send, lines) = sync_channel(WAITING);
        if let Some(out) = child.stdout().take() {
            read(out, send.clone());
        }
        if let Some(err) = child.stderr().take() {
            read(err, send);
        }
        Ok(Started {
            child,
            lines,
            _guard: guard,
        })
    }

    /// True if it has said this line by now. What it says before is nobody's.
    pub fn has_said(&self, line: &str) -> bool {
        self.lines.try_iter().any(|said| said == line)
    }

    /// Its number in the system.
    pub fn number(&self) -> u32 {
        self.child.id()
    }

    /// True while it runs.
    pub fn runs(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Writes a line to its standard input, which then is at its end.
    ///
    /// # Errors
    /// If it reads none.
    pub fn tell(&mut self, line: &str) -> std::io::Result<()> {
        let input = self.child.stdin().take();
        let mut input = input.ok_or(std::io::ErrorKind::BrokenPipe)?;
        input.write_all(format!("{line}\n").as_bytes())
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// If the system does not tell how it ends.
    pub fn watch(
        mut self,
        bounds: Bounds<'_>,
        line: &mut dyn FnMut(&str),
    ) -> std::io::Result<Ended> {
        let begun = Instant::now();
        let mut open = true;
        let mut exit: Option<(ExitStatus, Instant)> = None;
        let mut asked = begun;
        // What ended its output is about to end.
        let mut nap = Duration::from_millis(1);
        loop {
            match open {
                true => match self.lines.recv_timeout(TICK) {
                    Ok(text) => line(&text),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => open = false,
                },
                false if exit.is_none() => {
                    std::thread::sleep(nap);
                    nap = (nap * 2).min(TICK);
                }
                false => {}
            }
            // Not for each line of a command that prints many.
            if open && asked.elapsed() < TICK {
                continue;
            }
            asked = Instant::now();
            (bounds.tick)();
            if exit.is_none() {
                let ended = self.child.try_wait()?;
                exit = ended.map(|status| (status, Instant::now()));
            }
            // What it left running may hold its output open: that is not waited for.
            if let Some((status, at)) = exit
                && (!open || at.elapsed() > Duration::from_secs(2))
            {
                return Ok(Ended::Exit(status));
            }
            if !(bounds.wanted)() {
                return Ok(Ended::Cancelled);
            }
            if bounds.timeout.is_some_and(|t| begun.elapsed() > t) {
                return Ok(Ended::TimedOut);
            }
        }
    }
}

/// Ends the group; one that is gone already is no matter.
impl Drop for Started {
    fn drop(&mut self) {
        drop(self.child.start_kill());
        drop(self.child.wait());
    }
}

/// Ends the group when this process is gone without a word, killed or crashed: a shell that waits for the end of its input,
/// which the system closes then. Windows does that itself with the jobs that a process leaves.
#[derive(Debug)]
struct Guard(Option<Child>);

impl Guard {
    /// Where there is no shell nothing guards: that is no reason not to run.
    fn of(group: u32) -> Guard {
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            let mut shell = Command::new("/bin/sh");
            shell
                .args(["-c", "read -r done || kill -s KILL -- \"-$0\""])
                .arg(group.to_string())
                .current_dir("/")
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                // What ends this process by its group does not end the guard.
                .process_group(0);
            Guard(shell.spawn().ok())
        }
        #[cfg(not(unix))]
        {
            let _ = group;
            Guard(None)
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let Some(mut shell) = self.0.take() else {
            return;
        };
        if let Some(mut input) = shell.stdin.take() {
            drop(input.write_all(b"done\n"));
        }
        drop(shell.wait());
    }
}

/// Ends the JVMs of a run that are in nobody's group: Gradle starts them from its daemon, which outlives the command and
/// lets a test run on. They are those that wrote a segment (`PID-…seg`) into the run's folder, and that are still asked for
/// that folder by their command line: a number may be another process's by now. Elsewhere than on Unix nothing is ended.
pub fn end_writers(folder: &Path) {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut pids: Vec<u32> = files
        .filter_map(|file| {
            let name = file.file_name();
            let name = name.to_str()?.strip_suffix(".seg")?;
            name.split_once('-')?.0.parse().ok()
        })
        .collect();
    pids.sort_unstable();
    pids.dedup();
    let own = std::process::id();
    for pid in pids.into_iter().filter(|p| *p > 1 && *p != own) {
        if cfg!(unix) && is_of(pid, folder) {
            // Built into every shell; not every machine has the program.
            let mut shell = Command::new("/bin/sh");
            shell.args(["-c", &format!("kill -s KILL {pid}")]);
            drop(shell.stderr(Stdio::null()).status());
        }
    }
}

/// True if a process's command line names a folder.
fn is_of(pid: u32, folder: &Path) -> bool {
    let told = std::fs::read(format!("/proc/{pid}/cmdline")).or_else(|_| {
        let mut ps = Command::new("ps");
        ps.args(["-ww", "-o", "args=", "-p", &pid.to_string()]);
        let ps = ps.stdin(Stdio::null()).stderr(Stdio::null()).output();
        ps.map(|ps| ps.stdout)
    });
    told.is_ok_and(|told| String::from_utf8_lossy(&told).contains(&*folder.to_string_lossy()))
}

fn read(from: impl Read + Send + 'static, to: SyncSender<String>) {
    std::thread::spawn(move || {
        let mut from = BufReader::new(from);
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            match from.by_ref().take(LINE).read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            let text = String::from_utf8_lossy(&bytes);
            if to.send(text.trim_end().to_owned()).is_err() {
                return;
            }
        }
    });
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn shell(script: &str) -> Started {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        Started::new(command, Stdio::piped()).unwrap()
    }

    fn watched(started: Started) -> (Ended, Vec<String>) {
        let mut lines = Vec::new();
        let bounds = Bounds {
            wanted: &|| true,
            timeout: Some(Duration::from_secs(60)),
            tick: &mut || {},
        };
        let ended = started
            .watch(bounds, &mut |line| lines.push(line.to_owned()))
            .unwrap();
        (ended, lines)
    }

    #[test]
    fn what_waits_is_told_one_line_and_watched_to_its_end() {
        let mut waits =
            shell("echo before; echo ready; read -r line; echo \"got $line\"; cat; echo end");
        let begun = Instant::now();
        while !waits.has_said("ready") {
            assert!(waits.runs() && begun.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(5));
        }
        waits.tell("a folder").unwrap();
        let (ended, lines) = watched(waits);
        assert!(matches!(ended, Ended::Exit(status) if status.success()));
        assert_eq!(lines, ["got a folder", "end"]);
    }

    #[test]
    fn what_does_not_wait_is_known() {
        let mut over = shell("echo other");
        let begun = Instant::now();
        while over.runs() && begun.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(!over.runs() && !over.has_said("ready"));
    }
}
