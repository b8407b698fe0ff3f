//! The end of the editor that started this process. Mostly the closed input says it; an editor that was killed may leave
//! its end of a pipe to another of its children.

use std::time::Duration;

/// How often one looks.
const OFTEN: Duration = Duration::from_secs(1);

/// Ends this process when the one of this number is gone. Does nothing where processes are no files, and for a number
/// that no process has.
pub(crate) fn watch(parent: u32) {
    let Some(started) = started(parent) else {
        return;
    };
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(OFTEN).await;
            // Another process may get the number.
            if self::started(parent).as_ref() != Some(&started) {
                tracing::warn!("the editor is gone");
                std::process::exit(1);
            }
        }
    });
}

/// When a process started, as Linux counts; nothing of one that has ended and waits to be buried.
fn started(process: u32) -> Option<String> {
    let words = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program may contain anything.
    let mut fields = words.get(words.rfind(')')? + 1..)?.split_whitespace();
    match fields.next()? {
        "Z" | "X" => None,
        _ => fields.nth(18).map(str::to_owned),
    }
}
