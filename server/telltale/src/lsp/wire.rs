//! Between the wire and the service: what is read is served in its order, what is answered is sent, and neither piles up.
//!
//! While answers are not taken, or too many requests are under way, a request waits here, and all that came behind it:
//! only what takes nothing overtakes, which is answers to our own requests, `$/cancelRequest` and `exit`. When too much
//! waits, nothing more is read.

use super::frames::{Frame, Frames, Limits, Refused};
use super::outgoing::Outgoing;
use futures::future::{BoxFuture, FutureExt as _};
use futures::sink::SinkExt as _;
use futures::stream::{FuturesUnordered, StreamExt as _};
use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tower::Service;
use tower_lsp::Loopback;
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Request, Response};

/// How many requests may be on their way at once.
const CONCURRENT: usize = 16_384;

/// About how much memory the requests may take that are on their way, with the texts that only they remember.
const UNDER_WAY: usize = 256 << 20;

/// About how much memory may wait for its turn.
const HELD: usize = 32 << 20;

/// How long the answers may take that were asked for before the input ended.
const LAST: Duration = Duration::from_secs(10);

/// How long the end waits for a client that takes nothing.
const STALLED: Duration = Duration::from_secs(1);

/// What the wire needs of the server beside its service.
pub(crate) trait Door {
    /// About how much memory a request will keep that arrives now: what was made since the last and may be out of date
    /// before it is answered.
    fn kept(&self) -> usize;
    /// A notification was not taken.
    fn missed(&self, refused: &Refused);
    /// So many bytes were no message.
    fn noise(&self, bytes: usize);
}

/// Serves until the client says `exit`, closes its end or takes nothing any more.
pub(crate) async fn carry<I, O, S, L, D>(
    input: I,
    output: O,
    service: S,
    socket: L,
    outgoing: Arc<Outgoing>,
    door: D,
) where
    I: AsyncRead + Unpin,
    O: AsyncWrite,
    S: Service<Request, Response = Option<Response>>,
    S::Future: Send + 'static,
    L: Loopback,
    D: Door,
{
    let (asked, answered) = socket.split();
    let mut asked = asked.fuse();
    let mut frames = Frames::new(input, Limits::default());
    let mut wire = Wire {
        service,
        answered,
        outgoing: Arc::clone(&outgoing),
        door,
        under_way: FuturesUnordered::new(),
        weight: 0,
        held: VecDeque::new(),
        held_weight: 0,
    };
    let written = outgoing.write_to(output);
    tokio::pin!(written);
    let end = async {
        loop {
            wire.serve_held().await;
            let reads = wire.held_weight < HELD && !outgoing.is_full();
            let waits = !wire.held.is_empty() || !reads;
            tokio::select! {
                Some(done) = wire.under_way.next() => wire.finish(done),
                Some(ask) = asked.next() => outgoing.push(&ask),
                frame = frames.next(), if reads => match frame {
                    Some(frame) => if wire.take(frame).await { return },
                    None => break,
                },
                () = outgoing.room(), if waits && !outgoing.has_room() => {}
            }
        }
        // The input has ended.
        let rest = async {
            loop {
                wire.serve_held().await;
                if wire.under_way.is_empty() && wire.held.is_empty() {
                    return;
                }
                tokio::select! {
                    Some(done) = wire.under_way.next() => wire.finish(done),
                    Some(ask) = asked.next() => outgoing.push(&ask),
                    () = outgoing.room(), if !outgoing.has_room() => {}
                }
            }
        };
        let _ = tokio::time::timeout(LAST, rest).await;
    };
    let all = async {
        end.await;
        outgoing.drain(STALLED).await;
    };
    tokio::select! {
        () = all => {}
        () = &mut written => {}
    }
}

/// What a request came to, and its weight.
struct Done {
    response: Option<Response>,
    weight: usize,
}

struct Wire<S, A, D> {
    service: S,
    answered: A,
    outgoing: Arc<Outgoing>,
    door: D,
    under_way: FuturesUnordered<BoxFuture<'static, Done>>,
    weight: usize,
    held: VecDeque<(Request, usize)>,
    held_weight: usize,
}

impl<S, A, D> Wire<S, A, D>
where
    S: Service<Request, Response = Option<Response>>,
    S::Future: Send + 'static,
    A: futures::Sink<Response> + Unpin,
    D: Door,
{
    /// Takes what was read. True after `exit`.
    async fn take(&mut self, frame: Frame) -> bool {
        match frame {
            Frame::Request(request, weight) => match request.method() {
                "exit" => {
                    self.exit(request).await;
                    return true;
                }
                "$/cancelRequest" if self.cancel_held(&request) => {}
                "$/cancelRequest" => self.serve(request, 0).await,
                _ => {
                    self.held_weight += weight;
                    self.held.push_back((request, weight));
                    self.serve_held().await;
                }
            },
            Frame::Response(response) => self.answer(response).await,
            Frame::Refused(refused) => self.refuse(refused).await,
            Frame::Noise(bytes) => self.door.noise(bytes),
        }
        false
    }

    /// Serves what waits, as far as it may be.
    async fn serve_held(&mut self) {
        while let Some((first, _)) = self.held.front()
            && (first.id().is_none() || self.may_begin())
            && let Some((request, weight)) = self.held.pop_front()
        {
            self.held_weight -= weight;
            self.serve(request, weight).await;
        }
    }

    fn may_begin(&self) -> bool {
        self.under_way.len() < CONCURRENT && self.weight < UNDER_WAY && self.outgoing.has_room()
    }

    async fn serve(&mut self, request: Request, weight: usize) {
        let ready = std::future::poll_fn(|cx| self.service.poll_ready(cx)).await;
        if ready.is_err() {
            return;
        }
        let id = request.id().cloned();
        let weight = match &id {
            Some(_) => weight + self.door.kept(),
            None => weight,
        };
        // What ends the conversation is not cancelled by what follows it. What follows its beginning finds it begun: a client
        // may send `initialized` and more without waiting for the answer.
        let at_once = matches!(request.method(), "initialize" | "shutdown");
        let answer = AssertUnwindSafe(self.service.call(request)).catch_unwind();
        let done = async move {
            let response = match answer.await {
                Ok(Ok(response)) => response,
                Ok(Err(_)) => None,
                Err(_) => id.map(|id| Response::from_error(id, Error::internal_error())),
            };
            Done { response, weight }
        };
        self.weight += weight;
        match at_once {
            true => {
                let done = done.await;
                self.finish(done);
            }
            false => self.under_way.push(done.boxed()),
        }
    }

    fn finish(&mut self, done: Done) {
        self.weight -= done.weight;
        if let Some(response) = done.response {
            self.outgoing.push(&response);
        }
    }

    async fn answer(&mut self, response: Response) {
        // Fails for who does not wait any more.
        let _ = self.answered.send(response).await;
    }

    /// A request that was cancelled before it was served. False if there is none.
    fn cancel_held(&mut self, cancel: &Request) -> bool {
        let id = cancel.params().and_then(|p| p.get("id"));
        let id: Option<Id> = id.and_then(|id| serde_json::from_value(id.clone()).ok());
        let mut held = self.held.iter();
        let Some(at) = held.position(|(r, _)| r.id().is_some() && r.id() == id.as_ref()) else {
            return false;
        };
        if let (Some((_, weight)), Some(id)) = (self.held.remove(at), id) {
            self.held_weight -= weight;
            let error = Error::request_cancelled();
            self.outgoing.push(&Response::from_error(id, error));
        }
        true
    }

    /// Whoever says `exit` waits for nothing; `shutdown` may be among what does.
    async fn exit(&mut self, exit: Request) {
        let held = std::mem::take(&mut self.held).into_iter();
        let mut shutdowns = held.filter(|(r, _)| r.method() == "shutdown");
        if let Some((shutdown, _)) = shutdowns.next() {
            self.serve(shutdown, 0).await;
        }
        self.serve(exit, 0).await;
        // They are cancelled now, and say so at once.
        while let Some(Some(done)) = self.under_way.next().now_or_never() {
            self.finish(done);
        }
    }

    async fn refuse(&mut self, refused: Refused) {
        let error = |refused: Refused| Error {
            message: refused.why.into(),
            ..Error::new(ErrorCode::InvalidRequest)
        };
        match (&refused.method, refused.id.clone()) {
            (Some(method), Some(id)) => {
                tracing::warn!("{method}: {}", refused.why);
                self.outgoing
                    .push(&Response::from_error(id, error(refused)));
            }
            (None, Some(id)) => {
                tracing::warn!("an answer: {}", refused.why);
                self.answer(Response::from_error(id, error(refused))).await;
            }
            (_, None) => self.door.missed(&refused),
        }
    }
}

#[cfg(test)]
mod tests;
