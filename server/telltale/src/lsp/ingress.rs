//! The door: every message passes here in the order of the wire, before any of it is answered.
//!
//! The transport calls a service one message after the other but runs what it returns concurrently; so what changes the
//! world is applied in the call itself, and a request takes its snapshot there. A request then sees every edit before it
//! and none after, however long it waits for a thread.

use super::world::{Shared, Snapshot};
use std::future::{Future, ready};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};
use tower::Service;
use tower_lsp::jsonrpc::{Request, Response};
use tracing::Instrument as _;

tokio::task_local! {
    static SNAPSHOT: Snapshot;
}

/// The world as it was when the request arrived. Only inside a request.
pub(crate) fn snapshot() -> Snapshot {
    SNAPSHOT.with(Clone::clone)
}

/// See the module's description.
pub(crate) struct Ingress<S> {
    inner: S,
    world: Shared,
}

impl<S> Ingress<S> {
    pub(crate) fn new(inner: S, world: Shared) -> Ingress<S> {
        Ingress { inner, world }
    }
}

/// Notifications that change what the server knows.
const CHANGES: &[&str] = &[
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/didSave",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWatchedFiles",
    "workspace/didChangeWorkspaceFolders",
    "window/workDoneProgress/cancel",
];

impl<S> Service<Request> for Ingress<S>
where
    S: Service<Request, Response = Option<Response>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Option<Response>;
    type Error = S::Error;
    type Future =
        Pin<Box<dyn Future<Output = Result<Option<Response>, S::Error>> + Send + 'static>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        if CHANGES.contains(&request.method()) && request.id().is_none() {
            let (method, _, params) = request.into_parts();
            let params = params.unwrap_or_default();
            if catch_unwind(AssertUnwindSafe(|| self.world.apply(&method, params))).is_err() {
                tracing::error!("{method} failed");
            }
            return Box::pin(ready(Ok(None)));
        }
        let span = match request.id() {
            Some(id) => tracing::info_span!("request", method = request.method(), id = %id),
            None => tracing::Span::none(),
        };
        let snapshot = self.world.snapshot();
        // Registers the request for `$/cancelRequest`, in the order of the wire.
        let answer = self.inner.call(request);
        Box::pin(SNAPSHOT.scope(snapshot, answer).instrument(span))
    }
}
