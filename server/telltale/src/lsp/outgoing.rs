//! What waits to be taken by the client: all that is sent goes through here, and has a bound in bytes.
//!
//! A client may send and not read. What it asked for is then computed up to the bound, and no further: a request waits
//! for its [turn](Outgoing::turn), what we send on our own for [room](Outgoing::room).

use serde::Serialize;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::{Notify, Semaphore, SemaphorePermit};

/// Behind so many bytes that wait, nothing more is computed.
const ROOM: usize = 4 << 20;

/// Behind so many, nothing more is read: what needs no computing is answered all the same, and could pile up.
const FULL: usize = 8 << 20;

/// See the module's description.
#[derive(Debug)]
pub(crate) struct Outgoing {
    waiting: Mutex<Waiting>,
    /// Something waits.
    some: Notify,
    /// Something was taken.
    taken: Notify,
    /// How many answers are computed at once: each may be long.
    turns: Semaphore,
}

#[derive(Debug, Default)]
struct Waiting {
    messages: VecDeque<Vec<u8>>,
    /// With the one that is being written.
    bytes: usize,
    /// How many were taken.
    taken: u64,
}

impl Outgoing {
    /// With so many answers computed at once.
    pub(crate) fn new(turns: usize) -> Arc<Outgoing> {
        Arc::new(Outgoing {
            waiting: Mutex::default(),
            some: Notify::new(),
            taken: Notify::new(),
            turns: Semaphore::new(turns),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a message behind the others.
    pub(crate) fn push(&self, message: &impl Serialize) {
        let body = match serde_json::to_vec(message) {
            Ok(body) => body,
            Err(e) => {
                tracing::error!("a message cannot be written: {e}");
                return;
            }
        };
        let mut bytes = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
        bytes.extend_from_slice(&body);
        let mut waiting = self.lock();
        waiting.bytes += bytes.len();
        waiting.messages.push_back(bytes);
        self.some.notify_one();
    }

    pub(crate) fn bytes(&self) -> usize {
        self.lock().bytes
    }

    pub(crate) fn has_room(&self) -> bool {
        self.bytes() < ROOM
    }

    pub(crate) fn is_full(&self) -> bool {
        self.bytes() >= FULL
    }

    /// Waits until the client has taken enough.
    pub(crate) async fn room(&self) {
        self.until(|bytes| bytes < ROOM).await;
    }

    /// Waits until this is true of the bytes that wait; looks each time that something was taken.
    pub(crate) async fn until(&self, enough: impl Fn(usize) -> bool) {
        loop {
            let taken = self.taken.notified();
            tokio::pin!(taken);
            taken.as_mut().enable();
            if enough(self.bytes()) {
                return;
            }
            taken.await;
        }
    }

    /// Waits until an answer may be computed; others wait until what this gives is dropped.
    pub(crate) async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        let turn = self.turns.acquire().await.ok();
        self.room().await;
        turn
    }

    /// Waits until all was taken, as long as something is within each `patience`.
    pub(crate) async fn drain(&self, patience: Duration) {
        loop {
            let before = self.lock().taken;
            let all = self.until(|bytes| bytes == 0 || self.lock().taken != before);
            if tokio::time::timeout(patience, all).await.is_err() || self.bytes() == 0 {
                return;
            }
        }
    }

    /// Writes what comes. Ends when it cannot.
    pub(crate) async fn write_to(&self, output: impl AsyncWrite) {
        tokio::pin!(output);
        loop {
            let Some(message) = self.next() else {
                self.some.notified().await;
                continue;
            };
            let written = async {
                output.write_all(&message).await?;
                output.flush().await
            };
            if let Err(e) = written.await {
                tracing::warn!("the client takes no messages any more: {e}");
                return;
            }
            let mut waiting = self.lock();
            waiting.bytes -= message.len();
            waiting.taken += 1;
            drop(waiting);
            self.taken.notify_waiters();
        }
    }

    fn next(&self) -> Option<Vec<u8>> {
        self.lock().messages.pop_front()
    }
}
