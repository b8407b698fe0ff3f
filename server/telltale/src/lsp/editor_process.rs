//! The end of the editor that started this process. Mostly the closed input says it; an editor that was killed may leave
//! its end of a pipe to another of its children.

use std::time::Duration;
use tokio::sync::mpsc::Sender;

/// How often one looks.
const OFTEN: Duration = Duration::from_secs(1);

/// How long the server may take to end by itself.
const LAST: Duration = Duration::from_secs(10);

/// Says it to `gone` when the process of this number is, on a thread of its own: whatever else stands still, this does
/// not. Does nothing for a process that cannot be seen, and ends with who listens.
pub(crate) fn watch(parent: u32, gone: Sender<()>) {
    let Some(editor) = Process::seen(parent) else {
        return;
    };
    let watch = move || {
        while editor.lives() {
            if gone.is_closed() {
                return;
            }
            std::thread::sleep(OFTEN);
        }
        tracing::warn!("the editor is gone");
        let _ = gone.try_send(());
        std::thread::sleep(LAST);
        if !gone.is_closed() {
            std::process::exit(1);
        }
    };
    let thread = std::thread::Builder::new().name("parent".to_owned());
    if let Err(error) = thread.spawn(watch) {
        tracing::warn!("that the editor ends will not be seen: {error}");
    }
}

/// A process that was there.
struct Process {
    number: u32,
    /// How it is known again.
    by: Sign,
}

enum Sign {
    /// When it was started: another process may get its number.
    Started(String),
    /// That it is our parent: when it ends, we get another.
    #[cfg(unix)]
    Parent,
}

impl Process {
    fn seen(number: u32) -> Option<Process> {
        let by = match started(number) {
            Some(started) => Sign::Started(started),
            #[cfg(unix)]
            None if std::os::unix::process::parent_id() == number => Sign::Parent,
            None => return None,
        };
        Some(Process { number, by })
    }

    fn lives(&self) -> bool {
        match &self.by {
            Sign::Started(before) => started(self.number).as_ref() == Some(before),
            #[cfg(unix)]
            Sign::Parent => std::os::unix::process::parent_id() == self.number,
        }
    }
}

/// When a process started, as Linux counts; nothing of one that has ended and waits to be buried, and nothing where
/// processes are no files.
fn started(process: u32) -> Option<String> {
    let words = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program may contain anything.
    let mut fields = words.get(words.rfind(')')? + 1..)?.split_whitespace();
    match fields.next()? {
        "Z" | "X" => None,
        _ => fields.nth(18).map(str::to_owned),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_process_lives_until_it_ends_though_nobody_waits_for_it() {
        let mut child = Command::new("sleep").arg("600").spawn().expect("it starts");
        let process = Process::seen(child.id()).expect("it is there");
        assert!(process.lives());
        child.kill().expect("it runs");
        // Killed is not ended: the system takes its time.
        while process.lives() {
            std::thread::yield_now();
        }
        assert!(
            Process::seen(child.id()).is_none(),
            "it has its number still"
        );
        child.wait().expect("it is buried");
        assert!(!process.lives());
    }

    #[test]
    fn the_number_of_no_process_is_not_watched() {
        assert!(Process::seen(u32::MAX).is_none());
    }
}
