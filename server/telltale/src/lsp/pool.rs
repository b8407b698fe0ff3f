//! Threads for analysis. Requests and indexing have lanes of their own, so that no request waits behind a folder.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};

/// Deep trees are walked by loops, but libraries may recurse a little.
const STACK: usize = 8 << 20;

/// The two lanes.
#[derive(Clone, Debug)]
pub(crate) struct Pools {
    requests: Arc<rayon::ThreadPool>,
    background: Arc<rayon::ThreadPool>,
}

/// Set when the client does not want an answer any more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Release);
    }
}

/// The transport drops a handler when its request is cancelled.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

impl Pools {
    pub(crate) fn new() -> Pools {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
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
        Pools {
            requests: pool("request", cores.max(2)),
            background: pool("index", cores),
        }
    }

    /// Runs the analysis for a request. A panic fails this request only, with a line in the log.
    pub(crate) async fn answer<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> T + Send + 'static,
    ) -> Result<T> {
        let cancel = Cancel::default();
        let guard = CancelOnDrop(cancel.clone());
        let (send, receive) = oneshot::channel();
        let span = tracing::Span::current();
        self.requests.spawn(move || {
            let _in = span.enter();
            if cancel.is_set() {
                return;
            }
            let done = catch_unwind(AssertUnwindSafe(|| work(&cancel)));
            let _ = send.send(done);
        });
        let done = receive.await;
        drop(guard);
        match done {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(panic)) => Err(internal(&panic)),
            Err(_) => Err(Error::request_cancelled()),
        }
    }

    /// Runs what nobody waits for.
    pub(crate) fn background(&self, work: impl FnOnce() + Send + 'static) {
        self.background.spawn(move || {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
                tracing::error!("background work failed: {}", words(&panic));
            }
        });
    }
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
