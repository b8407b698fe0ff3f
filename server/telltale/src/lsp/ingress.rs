//! The door: every message passes here in the order of the wire, before any of it is answered.
//!
//! The transport calls a service one message after the other but runs what it returns concurrently; so what changes the
//! world is applied in the call itself, and a request takes its snapshot there. A request then sees every edit before it
//! and none after, however long it waits for a thread.

use super::following;
use super::frames::Refused;
use super::wire::Door;
use super::world::{Shared, Snapshot, TRUSTED};
use serde_json::Value;
use std::cell::Cell;
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
    test_notifications: bool,
}

impl<S> Ingress<S> {
    pub(crate) fn new(inner: S, world: Shared, test_notifications: bool) -> Ingress<S> {
        Ingress {
            inner,
            world,
            test_notifications,
        }
    }
}

/// A bug in what a notification does, for tests.
const PANIC: &str = "telltale/test/panic";

/// Where a client says that it takes snippets in edits. The types of the protocol that we use do not know it yet.
const SNIPPETS: &str = "/capabilities/workspace/workspaceEdit/snippetEditSupport";

/// The names under which requests are served whose answers have what the library's types for them do not.
pub(super) const CODE_ACTION: &str = "telltale/codeAction";
/// Likewise.
pub(super) const RESOLVE: &str = "telltale/codeAction/resolve";
const SERVED_AS: &[(&str, &str)] = &[
    ("textDocument/codeAction", CODE_ACTION),
    ("codeAction/resolve", RESOLVE),
];

/// Notifications that change what the server knows.
const CHANGES: &[&str] = &[
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/didSave",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWatchedFiles",
    "workspace/didChangeWorkspaceFolders",
    TRUSTED,
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
        let changes = CHANGES.contains(&request.method())
            || (self.test_notifications && request.method() == PANIC);
        if changes && request.id().is_none() {
            let (method, _, params) = request.into_parts();
            let params = params.unwrap_or_default();
            let saved = (method == "textDocument/didSave").then(|| params.clone());
            let applied = AssertUnwindSafe(|| {
                self.world.apply(&method, params);
                if let Some(saved) = saved {
                    following::saved(&self.world, saved);
                }
            });
            if catch_unwind(applied).is_err() {
                tracing::error!("{method} failed");
            }
            return Box::pin(ready(Ok(None)));
        }
        let span = match request.id() {
            Some(id) => tracing::info_span!("request", method = request.method(), id = %id),
            None => tracing::Span::none(),
        };
        if request.method() == "initialize" {
            let said = request.params().and_then(|p| p.pointer(SNIPPETS));
            let takes = said.and_then(Value::as_bool).unwrap_or(false);
            self.world.declare_snippets(takes);
        }
        let snapshot = self.world.snapshot();
        // Registers the request for `$/cancelRequest`, in the order of the wire.
        let answer = self.inner.call(as_served(request));
        Box::pin(SNAPSHOT.scope(snapshot, answer).instrument(span))
    }
}

/// A request by the name under which it is served.
fn as_served(request: Request) -> Request {
    let own = SERVED_AS.iter().find(|(name, _)| *name == request.method());
    let Some((_, own)) = own else {
        return request;
    };
    let (_, id, params) = request.into_parts();
    let mut out = Request::build(*own);
    if let Some(id) = id {
        out = out.id(id);
    }
    if let Some(params) = params {
        out = out.params(params);
    }
    out.finish()
}

/// What the wire does not let in, and what it has to know before it does.
pub(crate) struct Sill {
    world: Shared,
    /// The user knows that messages are lost.
    said: Cell<bool>,
}

impl Sill {
    pub(crate) fn new(world: Shared) -> Sill {
        Sill {
            world,
            said: Cell::new(false),
        }
    }
}

impl Door for Sill {
    fn kept(&self) -> usize {
        self.world.texts_made()
    }

    fn missed(&self, refused: &Refused) {
        let why = &refused.why;
        let method = refused.method.as_deref().unwrap_or("a message");
        match (method, &refused.uri) {
            ("textDocument/didOpen" | "textDocument/didChange", Some(uri)) => {
                self.world.misses(uri.clone(), why);
            }
            ("workspace/didChangeWatchedFiles", _) => {
                self.world.outbox.warn(format!("{why}: all is read again"));
                self.world.reindex();
            }
            _ => self.world.outbox.warn(format!("{method}: {why}")),
        }
    }

    fn noise(&self, bytes: usize) {
        tracing::warn!("{bytes} bytes that are no message are dropped");
        if !self.said.replace(true) {
            self.world.outbox.inform(
                "Telltale: the editor sent something that is no message. If what is shown is old, close the file and open it again"
                    .to_owned(),
            );
        }
    }
}
