//! Threads for analysis. Requests and indexing have lanes of their own, so that no request waits behind a folder.
//!
//! Requests run on plain threads. On a thread of a rayon pool, a request that computes in parallel would take up another
//! request while it waits for its own parts, and if that one needs what is just being computed, both wait for ever.

use super::outgoing::Outgoing;
use calls::{Cancellation, Cancelled};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{oneshot, watch};
use tower_lsp::jsonrpc::{Error, Result};

/// Deep trees are walked by loops, but libraries may recurse a little.
const STACK: usize = 8 << 20;

pub(crate) type Job = Box<dyn FnOnce() + Send>;

/// The two lanes.
#[derive(Clone, Debug)]
pub(crate) struct Pools {
    requests: Sender<Job>,
    outgoing: Arc<Outgoing>,
    background: Background,
    jobs: Arc<watch::Sender<Jobs>>,
}

/// What runs in the background.
#[derive(Clone, Copy, Debug, Default)]
struct Jobs {
    /// How many were given, from the beginning.
    given: u64,
    done: u64,
}

/// Where runs what nobody waits for.
#[derive(Clone)]
enum Background {
    Threads(Arc<rayon::ThreadPool>),
    /// Nowhere, until a test takes it.
    #[cfg(test)]
    Held(Held),
}

/// Work that waits for a test to run it.
#[cfg(test)]
pub(crate) type Held = Arc<Mutex<Vec<Job>>>;

impl std::fmt::Debug for Background {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the background")
    }
}

/// The transport drops a handler when its request is cancelled.
struct CancelOnDrop(Option<Cancellation>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.iter().for_each(Cancellation::cancel);
    }
}

impl Pools {
    /// With a bound for what is computed and not taken.
    pub(crate) fn new(outgoing: Arc<Outgoing>) -> Pools {
        let cores = cores();
        let pool = |name: &'static str, threads: usize| {
            let builder = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .stack_size(STACK)
                .thread_name(move |i| format!("{name}-{i}"));
            // Fails only where no thread can be started at all; one on the caller's is the rest.
            Arc::new(builder.build().unwrap_or_else(|_| {
                #[allow(clippy::expect_used)]
                rayon::ThreadPoolBuilder::new()
                    .num_threads(1)
                    .use_current_thread()
                    .build()
                    .expect("a pool of the current thread needs no other")
            }))
        };
        // What requests compute in parallel. Fails if the process has such a pool already, which serves as well.
        let _ = rayon::ThreadPoolBuilder::new()
            .stack_size(STACK)
            .thread_name(|i| format!("compute-{i}"))
            .build_global();
        Pools {
            requests: lane(lanes()),
            outgoing,
            jobs: Arc::default(),
            background: Background::Threads(pool("index", cores)),
        }
    }

    /// Nothing runs but what a test takes from there.
    #[cfg(test)]
    pub(crate) fn held(jobs: Held) -> Pools {
        Pools {
            requests: lane(0),
            outgoing: Outgoing::new(1),
            jobs: Arc::default(),
            background: Background::Held(jobs),
        }
    }

    /// Runs the analysis for a request, as long as the client wants its answer. A panic fails this request only, with a
    /// line in the log.
    pub(crate) async fn answer<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancellation) -> T + Send + 'static,
    ) -> Result<T> {
        let cancellation = Cancellation::default();
        let mut guard = CancelOnDrop(Some(cancellation.clone()));
        let _turn = self.outgoing.turn().await;
        let (send, receive) = oneshot::channel();
        let span = tracing::Span::current();
        let job: Job = Box::new(move || {
            if cancellation.is_cancelled() {
                return;
            }
            let done = span.in_scope(|| catch_unwind(AssertUnwindSafe(|| work(&cancellation))));
            // The line of a request is written before its answer, so that an `exit` behind the answer loses no line.
            drop(span);
            let _ = send.send(done);
        });
        // Without a thread to take it, the job is dropped, and with it `send`: the request is cancelled.
        let _ = self.requests.send(job);
        let done = receive.await;
        guard.0 = None;
        match done {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(panic)) if panic.is::<Cancelled>() => Err(Error::request_cancelled()),
            Ok(Err(panic)) => Err(internal(&panic)),
            Err(_) => Err(Error::request_cancelled()),
        }
    }

    /// Runs what nobody waits for.
    pub(crate) fn background(&self, work: impl FnOnce() + Send + 'static) {
        let jobs = Arc::clone(&self.jobs);
        jobs.send_modify(|jobs| jobs.given += 1);
        let job = move || {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
                tracing::error!("background work failed: {}", words(&panic));
            }
            jobs.send_modify(|jobs| jobs.done += 1);
        };
        match &self.background {
            Background::Threads(threads) => threads.spawn(job),
            #[cfg(test)]
            Background::Held(jobs) => {
                let mut jobs = jobs.lock().unwrap_or_else(PoisonError::into_inner);
                jobs.push(Box::new(job));
            }
        }
    }

    /// Waits until nothing is left to do in the background.
    pub(crate) async fn idle(&self) {
        let mut jobs = self.jobs.subscribe();
        let _ = jobs.wait_for(|jobs| jobs.given == jobs.done).await;
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}

/// How many requests are computed at once.
pub(crate) fn lanes() -> usize {
    cores().max(2) + 2
}

/// Threads that take jobs in the order in which they came. They end when nobody can send any more.
fn lane(threads: usize) -> Sender<Job> {
    let (send, jobs) = channel::<Job>();
    let jobs = Arc::new(Mutex::new(jobs));
    for at in 0..threads {
        let jobs = Arc::clone(&jobs);
        let run = move || {
            loop {
                let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
                match job {
                    // A job catches its own panics.
                    Ok(job) => job(),
                    Err(_) => break,
                }
            }
        };
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .name(format!("request-{at}"));
        if let Err(error) = thread.spawn(run) {
            tracing::error!("a thread for requests cannot be started: {error}");
        }
    }
    send
}

fn internal(panic: &(dyn Any + Send)) -> Error {
    let words = words(panic);
    tracing::error!("a request failed: {words}");
    let mut error = Error::internal_error();
    error.message = format!("this request failed inside: {words}; the log says more").into();
    error
}

fn words(panic: &(dyn Any + Send)) -> String {
    let inner = panic
        .downcast_ref::<Box<dyn Any + Send>>()
        .map_or(panic, |b| &**b);
    inner
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| inner.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;
    use std::sync::OnceLock;
    use std::time::Duration;

    #[tokio::test(flavor = "multi_thread")]
    async fn requests_that_need_what_another_computes_in_parallel_do_not_lock_up() {
        let pools = Pools::new(Outgoing::new(64));
        let shared: Arc<OnceLock<u64>> = Arc::default();
        let all: Vec<_> = (0..64)
            .map(|_| {
                let (pools, shared) = (pools.clone(), Arc::clone(&shared));
                tokio::spawn(async move {
                    let compute = || {
                        let parts = (0..64u64).into_par_iter();
                        let slow = |i| {
                            std::thread::sleep(Duration::from_millis(1));
                            i
                        };
                        parts.map(slow).sum()
                    };
                    pools.answer(move |_| *shared.get_or_init(compute)).await
                })
            })
            .collect();
        for one in all {
            let answer = tokio::time::timeout(Duration::from_secs(20), one).await;
            let answer = answer.ok().and_then(std::result::Result::ok);
            assert_eq!(answer.and_then(Result::ok), Some(2016));
        }
    }

    /// Nothing of it is computed before there is room for what it comes to.
    #[tokio::test(start_paused = true)]
    async fn an_answer_that_nobody_would_take_is_not_computed() {
        let outgoing = Outgoing::new(4);
        let pools = Pools::new(Arc::clone(&outgoing));
        outgoing.push(&"x".repeat(5 << 20));
        let answer = pools.answer(|_| 1);
        tokio::pin!(answer);
        // Time moves only where nothing else does.
        let waited = tokio::time::timeout(Duration::from_secs(1), &mut answer).await;
        assert!(waited.is_err());
        let mut taken = Vec::new();
        tokio::select! {
            () = outgoing.write_to(&mut taken) => {}
            answer = answer => assert_eq!(answer.ok(), Some(1)),
        }
        assert!(taken.len() > 5 << 20);
    }
}
