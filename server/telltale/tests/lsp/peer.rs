//! A client over an in-memory pipe to the real server.

use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use telltale::lsp::{Options, serve};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Long enough for a busy machine; a test that waits this long has failed.
const PATIENCE: Duration = Duration::from_secs(180);

/// See [`Peer::behind_a_gate`].
pub(crate) struct Gate(watch::Sender<bool>);

impl Gate {
    pub(crate) fn shut(&self) {
        self.0.send_replace(false);
    }

    pub(crate) fn open(&self) {
        self.0.send_replace(true);
    }
}

pub(crate) struct Peer {
    to: Option<Box<dyn AsyncWrite + Send + Unpin>>,
    from: UnboundedReceiver<Value>,
    /// Messages that nobody asked for yet.
    kept: Vec<Value>,
    next: i64,
    server: JoinHandle<bool>,
    /// What `configuration` requests are answered with.
    pub(crate) settings: Value,
    /// Whether requests of the server are answered.
    pub(crate) answers: bool,
}

impl Peer {
    /// A server that was just started.
    pub(crate) fn start() -> Peer {
        Peer::behind_a_gate().0
    }

    /// The same, with a gate behind the server: while it is shut, nothing is read of what the server writes.
    pub(crate) fn behind_a_gate() -> (Peer, Gate) {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (their_output, mut output) = tokio::io::duplex(1 << 16);
        let (mut relay, our_input) = tokio::io::duplex(1 << 16);
        let (gate, mut open) = watch::channel(true);
        let server = tokio::spawn(async move {
            let options = Options {
                log: None,
                test_commands: true,
            };
            serve(theirs, their_output, &options).await
        });
        tokio::spawn(async move {
            let mut chunk = vec![0; 1 << 16];
            // Without a gate it is open.
            while open.wait_for(|open| *open).await.is_ok() || *open.borrow() {
                match output.read(&mut chunk).await {
                    Ok(count) if count > 0 => {
                        if relay.write_all(&chunk[..count]).await.is_err() {
                            return;
                        }
                    }
                    _ => return,
                }
            }
        });
        let peer = Peer::over(Box::new(ours), our_input, server);
        (peer, Gate(gate))
    }

    /// A client of what reads and writes there; `server` says whether it ended in order.
    pub(crate) fn over(
        to: Box<dyn AsyncWrite + Send + Unpin>,
        from: impl AsyncRead + Send + Unpin + 'static,
        server: JoinHandle<bool>,
    ) -> Peer {
        Peer {
            to: Some(to),
            from: pump(from),
            kept: Vec::new(),
            next: 1,
            server,
            settings: Value::Null,
            answers: true,
        }
    }

    /// A server on a folder, initialized with these capabilities.
    pub(crate) async fn on(root: &Path, capabilities: Value) -> Peer {
        let mut peer = Peer::start();
        let folders = json!([{ "uri": uri(root), "name": "it" }]);
        peer.initialize(json!({ "capabilities": capabilities, "workspaceFolders": folders }))
            .await;
        peer
    }

    pub(crate) async fn initialize(&mut self, params: Value) -> Value {
        let id = self.request("initialize", params).await;
        let answer = self.answer(id).await;
        self.notify("initialized", json!({})).await;
        answer
    }

    pub(crate) async fn raw(&mut self, bytes: &[u8]) {
        let to = self.to.as_mut().expect("the pipe is open");
        tokio::time::timeout(PATIENCE, to.write_all(bytes))
            .await
            .expect("the server reads on")
            .expect("the server reads");
    }

    async fn send(&mut self, message: Value) {
        let body = message.to_string();
        let frame = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.raw(frame.as_bytes()).await;
    }

    pub(crate) async fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }))
            .await;
    }

    /// Sends a request; its number.
    pub(crate) async fn request(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next;
        self.next += 1;
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
            .await;
        id
    }

    /// The whole response to a request.
    pub(crate) async fn answer(&mut self, id: i64) -> Value {
        self.find(|m| m["id"] == id && m.get("method").is_none())
            .await
    }

    /// The result of a request.
    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params).await;
        let answer = self.answer(id).await;
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The next notification of a method.
    pub(crate) async fn told(&mut self, method: &str) -> Value {
        self.find(|m| m["method"] == method).await["params"].clone()
    }

    /// The response to a message that was sent by hand.
    pub(crate) async fn answered(&mut self, id: &str) -> Value {
        self.find(|m| m["id"] == id).await
    }

    /// The next request of the server, of a method.
    pub(crate) async fn asked(&mut self, method: &str) -> Value {
        self.find(|m| m.get("id").is_some() && m["method"] == method)
            .await
    }

    /// Waits until everything was read.
    pub(crate) async fn ready(&mut self) {
        loop {
            if self.told("telltale/status").await["state"] == "ready" {
                return;
            }
        }
    }

    /// Waits for a state; its whole status.
    pub(crate) async fn state(&mut self, state: &str) -> Value {
        loop {
            let status = self.told("telltale/status").await;
            if status["state"] == state {
                return status;
            }
        }
    }

    async fn find(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&wanted) {
            return self.kept.remove(at);
        }
        loop {
            let message = tokio::time::timeout(PATIENCE, self.from.recv())
                .await
                .expect("the server answers")
                .expect("the server lives");
            let is_request = message.get("method").is_some() && message.get("id").is_some();
            if is_request && self.answers {
                let result = match message["method"].as_str() {
                    Some("workspace/configuration") => json!([self.settings]),
                    Some("workspace/applyEdit") => json!({ "applied": true }),
                    _ => Value::Null,
                };
                self.send(json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }))
                    .await;
            }
            if wanted(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    /// All messages that have arrived and were not asked for.
    pub(crate) fn rest(&mut self) -> Vec<Value> {
        while let Ok(message) = self.from.try_recv() {
            self.kept.push(message);
        }
        std::mem::take(&mut self.kept)
    }

    /// What the user was told so far, shown or written down: messages go out one behind the other, so when one comes that
    /// is asked for now, those before it have come. One that finds no place to wait is asked for again.
    pub(crate) async fn said(&mut self) -> Vec<Value> {
        let is_last = |m: &Value| {
            let text = m["params"]["message"].as_str();
            text.is_some_and(|t| t.starts_with("Telltale keeps no log"))
        };
        let (mut said, mut is_over) = (Vec::new(), false);
        while !is_over {
            self.command("telltale.showLog", json!([])).await;
            let rest = self.rest().into_iter();
            let told = rest.filter(|m| {
                m["method"] == "window/logMessage" || m["method"] == "window/showMessage"
            });
            said.extend(told);
            is_over = said.iter().any(is_last);
        }
        said.retain(|m| !is_last(m));
        said
    }

    pub(crate) async fn open(&mut self, uri: &str, text: &str) {
        self.notify(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": uri, "languageId": "java", "version": 1, "text": text } }),
        )
        .await;
    }

    pub(crate) async fn change(&mut self, uri: &str, version: i32, changes: Value) {
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": changes }),
        )
        .await;
    }

    /// What the server takes a document to say, for a request that is sent now.
    pub(crate) async fn text(&mut self, uri: &str) -> Value {
        self.command("telltale.test.text", json!([{ "uri": uri }]))
            .await
    }

    /// Waits until the server has nothing left to do in the background; how often it had told how far it is.
    pub(crate) async fn idle(&mut self) -> u64 {
        let told = self.command("telltale.test.idle", json!([])).await;
        told.as_u64().expect("a number")
    }

    pub(crate) async fn command(&mut self, command: &str, arguments: Value) -> Value {
        self.ask(
            "workspace/executeCommand",
            json!({ "command": command, "arguments": arguments }),
        )
        .await
    }

    /// Closes our end and waits for the server's; whether it was an orderly end.
    pub(crate) async fn end(mut self) -> bool {
        self.to = None;
        tokio::time::timeout(PATIENCE, self.server)
            .await
            .expect("the server ends")
            .expect("it does not die")
    }

    /// Waits for the server to end by itself.
    pub(crate) async fn ended(self) -> bool {
        let open = self.to;
        let done = tokio::time::timeout(PATIENCE, self.server)
            .await
            .expect("the server ends")
            .expect("it does not die");
        drop(open);
        done
    }
}

pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

fn pump(mut from: impl AsyncRead + Send + Unpin + 'static) -> UnboundedReceiver<Value> {
    let (send, receive) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        let mut bytes: Vec<u8> = Vec::new();
        let mut chunk = vec![0; 1 << 16];
        while let Ok(n) = from.read(&mut chunk).await {
            if n == 0 {
                break;
            }
            bytes.extend_from_slice(&chunk[..n]);
            while let Some((start, end)) = frame(&bytes) {
                let message = serde_json::from_slice(&bytes[start..end]).expect("JSON");
                bytes.drain(..end);
                if send.send(message).is_err() {
                    return;
                }
            }
        }
    });
    receive
}

/// Where the first whole message's body lies.
fn frame(bytes: &[u8]) -> Option<(usize, usize)> {
    let head = bytes.windows(4).position(|w| w == b"\r\n\r\n")?;
    let text = std::str::from_utf8(&bytes[..head]).expect("a header");
    let length: usize = text
        .lines()
        .find_map(|l| l.strip_prefix("Content-Length: "))
        .and_then(|n| n.trim().parse().ok())
        .expect("a length");
    (bytes.len() >= head + 4 + length).then_some((head + 4, head + 4 + length))
}
