//! A question whose answer nobody wants any more ends where it is.
//!
//! Whoever asks lends the workspace a [`Cancellation`] ([`Workspace::under`](crate::Workspace::under)). Every walk over
//! bodies asks for the chains of each that it comes to, and that is where it is polled; loops that are long without it
//! poll themselves ([`Workspace::poll`](crate::Workspace::poll)). They end by unwinding with [`Cancelled`], not by a
//! result that everything on the way would have to hand on: what is computed once and shared then stays uncomputed, and
//! whoever waits for it, or asks next, computes it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Nobody counts.
const UNBOUNDED: u64 = u64::MAX;

/// Whether an answer is still wanted. Copies are one.
#[derive(Clone, Debug)]
pub struct Cancellation {
    /// How many steps are granted: none once the answer is not wanted.
    left: Arc<AtomicU64>,
}

/// What a cancelled question unwinds with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl Default for Cancellation {
    fn default() -> Cancellation {
        Cancellation::after(UNBOUNDED)
    }
}

impl Cancellation {
    /// One that cancels itself after so many steps: a bound that hangs on no clock.
    pub fn after(steps: u64) -> Cancellation {
        Cancellation {
            left: Arc::new(AtomicU64::new(steps)),
        }
    }

    /// The answer is not wanted any more.
    pub fn cancel(&self) {
        self.left.store(0, Ordering::Relaxed);
    }

    /// True if nobody wants the answer.
    pub fn is_cancelled(&self) -> bool {
        self.left() == 0
    }

    /// How many of the steps are left.
    pub fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// A step. Unwinds if the answer is not wanted any more; costs a look at one number.
    pub fn poll(&self) {
        if self.left() == UNBOUNDED {
            return;
        }
        let less = |left: u64| left.checked_sub(1);
        let step = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        if step.is_err() {
            // No panic: nothing is wrong, and no hook is to say so.
            std::panic::resume_unwind(Box::new(Cancelled));
        }
    }
}
