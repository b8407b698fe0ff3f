//! Where the log goes: a file if one is named; warnings to stderr in any case. Standard output belongs to the protocol.
//!
//! Whoever logs never waits and never fails: a line goes into a queue with a bound, and a thread of each place writes it.
//! Standard error is a pipe in every editor, which may be full for good or closed. What finds the queue full is counted,
//! and the count is the next line that the place gets.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tracing::Level;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::fmt::writer::{MakeWriter, MakeWriterExt as _};

/// How many bytes may wait for a place.
const WAITING: usize = 1 << 20;

/// How long the end of the server waits for a place that takes nothing. One that takes lines gets them all.
const STALLED: Duration = Duration::from_secs(2);

/// The places that the log goes to.
#[derive(Default)]
pub(crate) struct Log {
    places: Vec<Place>,
}

impl Log {
    /// Waits until every place has got its lines, or stands still.
    pub(crate) fn flush(&self) {
        for place in &self.places {
            place.flush(STALLED);
        }
    }
}

/// Starts logging. A second start in one process changes nothing.
pub(crate) fn start(file: Option<&Path>) -> Result<Log, String> {
    // What goes wrong while a line is written has nowhere to be said: stderr may be the place.
    let builder = tracing_subscriber::fmt()
        .with_ansi(false)
        .log_internal_errors(false);
    let stderr = Place::start("stderr", io::stderr());
    let mut log = Log {
        places: vec![stderr.clone()],
    };
    match file {
        Some(path) => {
            let file = std::fs::OpenOptions::new()
                .create(true)
                .append(true)
                .open(path)
                .map_err(|e| format!("cannot write the log {}: {e}", path.display()))?;
            let file = Place::start("log", file);
            log.places.push(file.clone());
            let _ = builder
                .with_max_level(Level::INFO)
                .with_span_events(FmtSpan::CLOSE)
                .with_writer(file.and(stderr.with_max_level(Level::WARN)))
                .try_init();
        }
        None => {
            let _ = builder
                .with_max_level(Level::WARN)
                .with_writer(stderr)
                .try_init();
        }
    }
    // The hook that programs have writes to stderr itself, and waits there.
    std::panic::set_hook(Box::new(|panic| tracing::error!("{panic}")));
    Ok(log)
}

/// One place with the lines that wait for it.
#[derive(Clone)]
struct Place(Arc<Queue>);

#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    /// Something waits, or was written.
    moved: Condvar,
}

#[derive(Default)]
struct State {
    lines: VecDeque<Vec<u8>>,
    /// The bytes of `lines`.
    bytes: usize,
    /// How many lines found no room since the last that did.
    dropped: u64,
    /// A line is being written.
    busy: bool,
    /// How many lines were written.
    written: u64,
    /// Nobody reads there any more.
    closed: bool,
}

impl Place {
    fn start(name: &str, to: impl Write + Send + 'static) -> Place {
        let place = Place(Arc::default());
        let writer = place.clone();
        let thread = std::thread::Builder::new().name(format!("log-{name}"));
        // Without a thread there is no log; the server is worth more.
        if thread.spawn(move || writer.write_all(to)).is_err() {
            place.lock().closed = true;
        }
        place
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, line: Vec<u8>) {
        let mut state = self.lock();
        if state.closed {
            return;
        }
        let words = match state.dropped {
            0 => Vec::new(),
            dropped => format!("{dropped} lines of the log are left out here\n").into_bytes(),
        };
        if state.bytes + words.len() + line.len() > WAITING {
            state.dropped += 1;
            return;
        }
        state.dropped = 0;
        state.bytes += words.len() + line.len();
        if !words.is_empty() {
            state.lines.push_back(words);
        }
        state.lines.push_back(line);
        self.0.moved.notify_all();
    }

    /// Runs as long as somebody takes what is written.
    fn write_all(&self, mut to: impl Write) {
        loop {
            let mut state = self.lock();
            let line = loop {
                match state.lines.pop_front() {
                    Some(line) => break line,
                    None => state = self.wait(state),
                }
            };
            state.bytes -= line.len();
            state.busy = true;
            drop(state);
            let done = to.write_all(&line).and_then(|()| to.flush());
            let mut state = self.lock();
            state.busy = false;
            state.written += 1;
            if done.is_err_and(|e| e.kind() == io::ErrorKind::BrokenPipe) {
                state.closed = true;
                state.lines.clear();
                state.bytes = 0;
            }
            self.0.moved.notify_all();
            if state.closed {
                return;
            }
        }
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let woken = self.0.moved.wait(state);
        woken.unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all is written, as long as something is within each `patience`.
    fn flush(&self, patience: Duration) {
        let mut state = self.lock();
        while (state.busy || !state.lines.is_empty()) && !state.closed {
            let before = state.written;
            let waited = self
                .0
                .moved
                .wait_timeout_while(state, patience, |s| s.written == before && !s.closed);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if state.written == before {
                return;
            }
        }
    }
}

/// One line as it is made; it goes to its place when it is whole.
struct Line {
    to: Place,
    bytes: Vec<u8>,
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.to.send(std::mem::take(&mut self.bytes));
    }
}

impl<'a> MakeWriter<'a> for Place {
    type Writer = Line;

    fn make_writer(&'a self) -> Line {
        Line {
            to: self.clone(),
            bytes: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, Sender, channel};

    /// Takes a line for each word that it is given, and shows what it took.
    struct Gate {
        open: Receiver<()>,
        took: Sender<String>,
    }

    impl Write for Gate {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
            self.open.recv().map_err(gone)?;
            let _ = self.took.send(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn gate() -> (Sender<()>, Receiver<String>, Place) {
        let (go, open) = channel();
        let (took, taken) = channel();
        (go, taken, Place::start("test", Gate { open, took }))
    }

    fn line(place: &Place, text: &str) {
        let mut line = place.make_writer();
        line.write_all(text.as_bytes()).expect("never fails");
    }

    #[test]
    fn a_place_that_takes_nothing_holds_nobody_up_and_learns_how_much_it_missed() {
        let (go, taken, place) = gate();
        let kilobyte = "x".repeat(1 << 10);
        line(&place, &kilobyte);
        while !place.lock().busy {
            // The writer's thread begins when the machine lets it.
            std::thread::yield_now();
        }
        for _ in 1..3_000 {
            line(&place, &kilobyte);
        }
        assert_eq!(place.lock().bytes, WAITING);
        let dropped = place.lock().dropped;
        assert_eq!(dropped, 3_000 - 1_025);
        let kept = 3_000 - dropped;
        for _ in 0..kept + 2 {
            let _ = go.send(());
        }
        for _ in 0..kept {
            assert_eq!(taken.recv().expect("it writes"), kilobyte);
        }
        line(&place, "again");
        let words = taken.recv().expect("it writes");
        assert_eq!(
            words,
            format!("{dropped} lines of the log are left out here\n")
        );
        assert_eq!(taken.recv().expect("it writes"), "again");
        place.flush(Duration::from_secs(60));
    }

    /// Of what was left out it is told when there is room for that, too.
    #[test]
    fn what_waits_has_a_bound_with_what_is_said_of_the_rest() {
        let (go, taken, place) = gate();
        let kilobyte = "x".repeat(1 << 10);
        line(&place, &kilobyte);
        while !place.lock().busy {
            std::thread::yield_now();
        }
        for _ in 0..1_025 {
            line(&place, &kilobyte);
        }
        assert_eq!(place.lock().dropped, 1);
        for written in 1..=2 {
            let _ = go.send(());
            let _ = taken.recv();
            let has_next = |state: &State| state.written == written && state.busy;
            while !has_next(&place.lock()) {
                std::thread::yield_now();
            }
            line(&place, &kilobyte);
            assert!(place.lock().bytes <= WAITING);
        }
        assert_eq!(place.lock().dropped, 0);
    }

    #[test]
    fn a_place_that_is_gone_is_written_to_no_more() {
        let (go, _taken, place) = gate();
        drop(go);
        line(&place, "one");
        place.flush(Duration::from_secs(60));
        line(&place, "two");
        assert_eq!(place.lock().bytes, 0);
    }

    #[test]
    fn a_place_that_stands_still_is_given_up() {
        let (_go, _taken, place) = gate();
        line(&place, "one");
        place.flush(Duration::from_millis(1));
        assert_eq!(place.lock().written, 0);
    }
}
