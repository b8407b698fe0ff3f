//! How far a run is, and how long the rest may take.

use super::seen::Segments;
use super::{At, Listener};
use std::time::{Duration, Instant};

/// From when on it is said how long a run will take.
const SETTLED: Duration = Duration::from_secs(3);

/// How often it is said how far a run is.
const OFTEN: Duration = Duration::from_millis(200);

/// How fast tests end.
#[derive(Default)]
pub(super) struct Pace {
    /// When the first were seen, and how many had ended by then.
    begun: Option<(Instant, usize)>,
    told: Option<Instant>,
}

impl Pace {
    /// Says how far a run is.
    pub(super) fn tell(
        &mut self,
        what: &str,
        all: usize,
        segments: &Segments<'_>,
        to: &dyn Listener,
    ) {
        if self.told.is_some_and(|at| at.elapsed() < OFTEN) {
            return;
        }
        let ended = segments.ended();
        let running = segments.running();
        if ended == 0 && running.is_none() {
            return;
        }
        self.told = Some(Instant::now());
        let name = running.map(|((class, method, _), since)| {
            let class = class.rsplit('.').next().unwrap_or(class);
            (format!("{class}#{method}"), since.elapsed())
        });
        to.tests(&At {
            what,
            ended,
            all: all.max(ended),
            running: name.as_ref().map(|(test, time)| (&**test, *time)),
            left: self.left(ended, all),
        });
    }

    /// How long the rest takes if it goes on like that; nothing at first.
    fn left(&mut self, ended: usize, all: usize) -> Option<Duration> {
        let (begun, before) = *self.begun.get_or_insert((Instant::now(), ended));
        let (took, done) = (begun.elapsed(), ended - before);
        let rest = all
            .checked_sub(ended)
            .filter(|_| took > SETTLED && done > 0)?;
        Some(took.mul_f64(rest as f64 / done as f64))
    }
}
