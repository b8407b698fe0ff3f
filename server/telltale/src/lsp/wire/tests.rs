//! Time stands still in these tests and moves when nothing else can: who waits a second there has seen all that happens.

use super::*;
use futures::sink::{Drain, drain};
use futures::stream::{Pending, pending};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Mutex;
use std::task::{Context, Poll};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

const MEGABYTE: usize = 1 << 20;
const TURNS: usize = 4;
const SECOND: Duration = Duration::from_secs(1);

type Log = Arc<Mutex<Vec<String>>>;

/// Answers a request with as many bytes as it asks for, and one that asks for none never.
struct Sizes {
    outgoing: Arc<Outgoing>,
    served: Log,
}

impl Service<Request> for Sizes {
    type Response = Option<Response>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Option<Response>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let (method, id, params) = request.into_parts();
        let word = params
            .as_ref()
            .and_then(|p| p.get("word")?.as_str().map(str::to_owned));
        let said = word.map_or(method.to_string(), |w| format!("{method} {w}"));
        self.served.lock().expect("no panic").push(said);
        let outgoing = Arc::clone(&self.outgoing);
        let served = Arc::clone(&self.served);
        async move {
            let Some(id) = id else { return Ok(None) };
            if method == "initialize" {
                for _ in 0..100 {
                    tokio::task::yield_now().await;
                }
                let said = "initialize is done".to_owned();
                served.lock().expect("no panic").push(said);
            }
            if matches!(&*method, "initialize" | "shutdown") {
                return Ok(Some(Response::from_ok(id, Value::Null)));
            }
            let bytes = params.and_then(|p| p.get("bytes")?.as_u64());
            let Some(bytes) = bytes else {
                return std::future::pending().await;
            };
            let _turn = outgoing.turn().await;
            let answer = Value::from("x".repeat(bytes as usize));
            Ok(Some(Response::from_ok(id, answer)))
        }
        .boxed()
    }
}

struct Nobody;

impl Loopback for Nobody {
    type RequestStream = Pending<Request>;
    type ResponseSink = Drain<Response>;

    fn split(self) -> (Self::RequestStream, Self::ResponseSink) {
        (pending(), drain())
    }
}

struct Watch(Log);

impl Door for Watch {
    fn kept(&self) -> usize {
        0
    }

    fn missed(&self, refused: &Refused) {
        self.0
            .lock()
            .expect("no panic")
            .push(format!("missed {}", refused.why));
    }

    fn noise(&self, bytes: usize) {
        self.0
            .lock()
            .expect("no panic")
            .push(format!("noise {bytes}"));
    }
}

struct Client {
    to: DuplexStream,
    from: DuplexStream,
    outgoing: Arc<Outgoing>,
    served: Log,
    server: JoinHandle<()>,
}

impl Client {
    fn start() -> Client {
        let (to, input) = tokio::io::duplex(1 << 16);
        let (output, from) = tokio::io::duplex(1 << 16);
        let outgoing = Outgoing::new(TURNS);
        let served = Log::default();
        let service = Sizes {
            outgoing: Arc::clone(&outgoing),
            served: Arc::clone(&served),
        };
        let door = Watch(Arc::clone(&served));
        let server = carry(input, output, service, Nobody, Arc::clone(&outgoing), door);
        Client {
            to,
            from,
            outgoing,
            served,
            server: tokio::spawn(server),
        }
    }

    async fn send(&mut self, message: Value) {
        let body = message.to_string();
        let frame = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.to.write_all(frame.as_bytes()).await.expect("it reads");
    }

    async fn ask(&mut self, id: usize, bytes: usize) {
        self.send(
            json!({ "jsonrpc": "2.0", "id": id, "method": "ask", "params": { "bytes": bytes } }),
        )
        .await;
    }

    async fn tell(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }))
            .await;
    }

    /// All that can happen has happened.
    async fn settled(&self) {
        sleep(SECOND / 2).await;
    }

    async fn next(&mut self) -> Value {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(self.from.read_u8().await.expect("it writes"));
        }
        let head = String::from_utf8(head).expect("text");
        let length = head
            .trim()
            .strip_prefix("Content-Length: ")
            .expect("a length");
        let mut body = vec![0; length.parse().expect("a number")];
        self.from.read_exact(&mut body).await.expect("it writes");
        serde_json::from_slice(&body).expect("JSON")
    }

    fn served(&self) -> Vec<String> {
        self.served.lock().expect("no panic").clone()
    }
}

/// The first answer is with the writer and more are not begun.
const MOST: usize = 4 * MEGABYTE + (TURNS + 1) * (MEGABYTE + 100);

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_gets_what_it_asked_for_later() {
    let mut client = Client::start();
    for id in 0..100 {
        client.ask(id, MEGABYTE).await;
    }
    client.settled().await;
    let waiting = client.outgoing.bytes();
    assert!((4 * MEGABYTE..MOST).contains(&waiting), "{waiting}");
    let mut seen = vec![0; 100];
    for _ in 0..100 {
        let answer = client.next().await;
        assert_eq!(answer["result"].as_str().map(str::len), Some(MEGABYTE));
        seen[answer["id"].as_u64().expect("a number") as usize] += 1;
        assert!(client.outgoing.bytes() < MOST);
    }
    assert!(seen.iter().all(|n| *n == 1));
    client.settled().await;
    assert_eq!(client.outgoing.bytes(), 0);
}

#[tokio::test(start_paused = true)]
async fn what_waits_keeps_its_order_and_can_be_cancelled() {
    let mut client = Client::start();
    for id in 0..8 {
        client.ask(id, MEGABYTE).await;
    }
    client.settled().await;
    for id in 100..110 {
        let params = json!({ "bytes": 1, "word": id.to_string() });
        client
            .send(json!({ "jsonrpc": "2.0", "id": id, "method": "ask", "params": params }))
            .await;
        client.tell("edit", json!({ "word": id.to_string() })).await;
    }
    client.tell("$/cancelRequest", json!({ "id": 103 })).await;
    // One that is under way is the service's to cancel.
    client.tell("$/cancelRequest", json!({ "id": 2 })).await;
    client.settled().await;
    let named = |client: &Client| -> Vec<String> {
        let served = client.served().into_iter();
        served.filter(|s| s.contains(' ')).collect()
    };
    assert!(named(&client).is_empty(), "nothing of it is served yet");
    assert!(client.served().contains(&"$/cancelRequest".to_owned()));
    let mut expected = Vec::new();
    let mut cancelled = Vec::new();
    for _ in 0..18 {
        let answer = client.next().await;
        if answer["error"]["code"] == -32_800 {
            cancelled.push(answer["id"].clone());
        }
    }
    assert_eq!(cancelled, [103]);
    for id in 100..110 {
        if id != 103 {
            expected.push(format!("ask {id}"));
        }
        expected.push(format!("edit {id}"));
    }
    assert_eq!(named(&client), expected);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_only_sends_has_to_wait() {
    for method in ["ask", "unheardOf"] {
        let mut client = Client::start();
        for id in 0..8 {
            client.ask(id, MEGABYTE).await;
        }
        client.settled().await;
        let word = "w".repeat(1_000);
        let mut sent = 0;
        let request = json!({ "jsonrpc": "2.0", "id": 9, "method": method, "params": { "bytes": 1, "word": word } });
        while timeout(SECOND / 2, client.send(request.clone()))
            .await
            .is_ok()
        {
            sent += request.to_string().len();
        }
        assert!(sent < HELD + (1 << 18), "{sent}");
    }
}

/// Each of these is answered without being served.
#[tokio::test(start_paused = true)]
async fn what_needs_no_computing_does_not_pile_up_either() {
    let mut client = Client::start();
    for id in 0..8 {
        client.ask(id, MEGABYTE).await;
    }
    client.settled().await;
    let mut sent = 0;
    let asks_and_cancels = async {
        loop {
            client.ask(9, 1).await;
            client.tell("$/cancelRequest", json!({ "id": 9 })).await;
            sent += 1;
        }
    };
    assert!(timeout(SECOND / 2, asks_and_cancels).await.is_err());
    assert!(sent > 1_000);
    assert!(client.outgoing.bytes() < 2 * MOST);
}

#[tokio::test(start_paused = true)]
async fn whoever_says_exit_is_not_held_by_what_it_does_not_read() {
    let mut client = Client::start();
    for id in 0..100 {
        client.ask(id, MEGABYTE).await;
    }
    client
        .send(json!({ "jsonrpc": "2.0", "id": 200, "method": "shutdown" }))
        .await;
    client.settled().await;
    assert!(
        !client.served().contains(&"shutdown".to_owned()),
        "it waits for its turn"
    );
    client.tell("exit", json!({})).await;
    (&mut client.server).await.expect("it ends");
    let served = client.served();
    assert_eq!(served[served.len() - 2..], ["shutdown", "exit"]);
}

#[tokio::test(start_paused = true)]
async fn what_was_asked_before_the_input_ended_is_answered() {
    let mut client = Client::start();
    for id in 0..20 {
        client.ask(id, MEGABYTE).await;
    }
    // This one takes for ever.
    client
        .send(json!({ "jsonrpc": "2.0", "id": 99, "method": "ask" }))
        .await;
    client.to.shutdown().await.expect("it closes");
    for _ in 0..20 {
        client.next().await;
    }
    client.server.await.expect("it ends");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_takes_nothing_any_more_is_gone() {
    let mut client = Client::start();
    client.ask(1, 10).await;
    drop(client.from);
    client
        .server
        .await
        .expect("it ends, though its input is open");
    drop(client.to);
}

#[tokio::test(start_paused = true)]
async fn a_message_that_is_too_long_is_answered_by_the_limit() {
    let mut client = Client::start();
    let long = "x".repeat(Limits::default().longest);
    for (id, method) in [(json!(5), "ask"), (Value::Null, "edit")] {
        let mut message = json!({ "jsonrpc": "2.0", "method": method, "params": long });
        if !id.is_null() {
            message["id"] = id;
        }
        client.send(message).await;
    }
    client.ask(6, 1).await;
    let refused = client.next().await;
    assert_eq!(
        (&refused["id"], &refused["error"]["code"]),
        (&json!(5), &json!(-32_600))
    );
    let words = refused["error"]["message"].as_str().expect("words");
    assert!(words.contains("67108864"), "{words}");
    assert_eq!(client.next().await["id"], 6);
    let served = client.served();
    assert!(
        served[0].starts_with("missed a message of 671089"),
        "{served:?}"
    );
    assert_eq!(served[1], "ask");
}

/// A panic outside of the threads for requests.
#[tokio::test(start_paused = true)]
async fn a_handler_that_panics_fails_its_request() {
    struct Bad;
    impl Service<Request> for Bad {
        type Response = Option<Response>;
        type Error = Infallible;
        type Future = BoxFuture<'static, Result<Option<Response>, Infallible>>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
            Poll::Ready(Ok(()))
        }

        fn call(&mut self, request: Request) -> Self::Future {
            async move { panic!("as asked by {}", request.method()) }.boxed()
        }
    }
    let body = br#"{"jsonrpc":"2.0","id":1,"method":"m"}"#;
    let input = [b"Content-Length: 37\r\n\r\n", &body[..]].concat();
    let mut output = Vec::new();
    let door = Watch(Log::default());
    carry(&input[..], &mut output, Bad, Nobody, Outgoing::new(1), door).await;
    let text = String::from_utf8(output).expect("text");
    assert!(text.contains("-32603"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn nothing_overtakes_the_beginning() {
    let mut client = Client::start();
    client
        .send(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {} }))
        .await;
    client.tell("initialized", json!({})).await;
    client.ask(2, 10).await;
    assert_eq!(client.next().await["id"], 1);
    assert_eq!(client.next().await["id"], 2);
    assert_eq!(
        client.served(),
        ["initialize", "initialize is done", "initialized", "ask"]
    );
}
