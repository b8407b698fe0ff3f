use super::*;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::ReadBuf;

const LIMITS: Limits = Limits {
    longest: 1 << 20,
    heaviest: 4 << 20,
};

/// Gives what it has in pieces of one size.
struct Pieces<'a>(&'a [u8], usize);

impl AsyncRead for Pieces<'_> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        to: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let count = self.0.len().min(self.1).min(to.remaining());
        let (piece, rest) = self.0.split_at(count);
        to.put_slice(piece);
        self.0 = rest;
        Poll::Ready(Ok(()))
    }
}

/// What is read, in words: methods, `answer ID`, `refused ID`; noise is left out.
async fn read(input: &[u8], piece: usize) -> Vec<String> {
    let mut frames = Frames::new(Pieces(input, piece), LIMITS);
    let mut out = Vec::new();
    while let Some(frame) = frames.next().await {
        match frame {
            Frame::Request(request, _) => out.push(request.method().to_owned()),
            Frame::Response(response) => out.push(format!("answer {}", response.id())),
            Frame::Refused(r) => out.push(match &r.id {
                Some(id) => format!("refused {id}"),
                None => format!("refused {}", r.method.unwrap_or_default()),
            }),
            Frame::Noise(bytes) => assert!(bytes > 0),
        }
    }
    out
}

async fn quiet(input: &[u8]) -> bool {
    let mut frames = Frames::new(input, LIMITS);
    while let Some(frame) = frames.next().await {
        if matches!(frame, Frame::Noise(_)) {
            return false;
        }
    }
    true
}

fn message(method: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{{"a":[1,"}}"]}}}}"#)
}

fn framed(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

/// Frames with one slip, and what is read of each; `x` is the message that it is about.
fn broken() -> Vec<(String, &'static [&'static str])> {
    let x = message("x");
    let n = x.len();
    let pretty = x.replace(',', ",\r\n  ").replace('{', "{\n");
    vec![
        // Nothing wrong: what a client may send.
        (framed(&x), &["x"]),
        (format!("content-length:{n}\r\n\r\n{x}"), &["x"]),
        (format!("CONTENT-LENGTH:  {n} \r\n\r\n{x}"), &["x"]),
        (
            format!(
                "Content-Length: {n}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{x}"
            ),
            &["x"],
        ),
        (
            format!("Content-Type: a/b; charset=utf8\r\nContent-Length: {n}\r\n\r\n{x}"),
            &["x"],
        ),
        (framed(&pretty), &["x"]),
        (
            framed(r#"{"jsonrpc":"2.0","id":4,"result":null}"#),
            &["answer 4"],
        ),
        // Lengths.
        (format!("Content-Length: {}\r\n\r\n{x}", n + 1), &["x"]),
        (format!("Content-Length: {}\r\n\r\n{x}", n + 17), &["x"]),
        (format!("Content-Length: {}\r\n\r\n{x}", n - 1), &["x"]),
        (format!("Content-Length: {}\r\n\r\n{x}", n - 9), &["x"]),
        (format!("Content-Length: 1\r\n\r\n{x}"), &["x"]),
        (format!("Content-Length: 0\r\n\r\n{x}"), &["x"]),
        ("Content-Length: 0\r\n\r\n".to_owned(), &[]),
        (format!("Content-Length: 1000000\r\n\r\n{x}"), &["x"]),
        (format!("Content-Length: 900000000\r\n\r\n{x}"), &[]),
        (
            format!("Content-Length: 99999999999999999999999\r\n\r\n{x}"),
            &["x"],
        ),
        (format!("Content-Length: many\r\n\r\n{x}"), &["x"]),
        (format!("Content-Length: -5\r\n\r\n{x}"), &["x"]),
        (format!("Content-Length:\r\n\r\n{x}"), &["x"]),
        (
            format!("Content-Length: 7\r\nContent-Length: {n}\r\n\r\n{x}"),
            &["x"],
        ),
        // Headers.
        (x.clone(), &["x"]),
        (format!("\r\n\r\n{x}"), &["x"]),
        (format!("Content-Length: {n}\n\n{x}"), &["x"]),
        (format!("Content-Length: {n}\r\n{x}"), &["x"]),
        (format!("Content-Length: {n}\n{x}"), &["x"]),
        (format!("ontent-Length: {n}\r\n\r\n{x}"), &["x"]),
        (format!("Content-Type: a/b\r\n\r\n{x}"), &["x"]),
        (format!("GET / HTTP/1.1\r\n\r\n{}", framed(&x)), &["x"]),
        ("hello\r\n\r\n".to_owned(), &[]),
        (format!("{x}{x}"), &["x", "x"]),
        // Bodies.
        ("Content-Length: 9\r\n\r\nnot json!".to_owned(), &[]),
        ("Content-Length: 2\r\n\r\n[]".to_owned(), &[]),
        ("Content-Length: 2\r\n\r\n{}".to_owned(), &[]),
        ("Content-Length: 4\r\n\r\nnull".to_owned(), &[]),
        (framed(r#"{"jsonrpc":"2.0"}"#), &[]),
        (
            framed(r#"{"jsonrpc":"1.0","id":5,"method":"m"}"#),
            &["refused 5"],
        ),
        (
            framed(&format!(
                r#"{{"jsonrpc":"2.0","id":6,"method":"m","params":{}1{}}}"#,
                "[".repeat(300),
                "]".repeat(300)
            )),
            &["refused 6"],
        ),
        (framed(&x[..n - 5]), &[]),
        (framed("{\"jsonrpc\":\"2.0\",\"method\":\"a\nb\"}"), &[]),
    ]
}

#[tokio::test]
async fn a_slip_costs_one_message_at_most() {
    let good = framed(&message("good"));
    for (slip, expected) in broken() {
        for piece in [1, 7, usize::MAX] {
            let input = format!("{good}{slip}{good}{slip}{good}{good}");
            let mut all = vec!["good"];
            all.extend(expected);
            all.push("good");
            all.extend(expected);
            all.extend(["good", "good"]);
            assert_eq!(
                read(input.as_bytes(), piece).await,
                all,
                "{slip:?} by {piece}"
            );
        }
    }
    let not_text = [
        b"Content-Length: 3\r\n\r\n{\xff}".as_slice(),
        good.as_bytes(),
    ]
    .concat();
    assert_eq!(read(&not_text, usize::MAX).await, ["good"]);
    let lone = [b"\xff\xfe\x00\r\n\r\n".as_slice(), good.as_bytes()].concat();
    assert_eq!(read(&lone, usize::MAX).await, ["good"]);
}

/// A client that waits for its answer sends nothing behind it.
#[tokio::test]
async fn the_last_message_needs_no_other_behind_it() {
    let x = message("x");
    for slip in [
        x.clone(),
        format!("Content-Length: {}\r\n\r\n{x}", x.len() - 1),
        format!("Content-Length: {}\n{x}", x.len()),
    ] {
        let (mut to, from) = tokio::io::duplex(1 << 12);
        let mut frames = Frames::new(from, LIMITS);
        tokio::io::AsyncWriteExt::write_all(&mut to, slip.as_bytes())
            .await
            .expect("room");
        let frame = frames.next().await;
        assert!(
            matches!(frame, Some(Frame::Request(..))),
            "{slip:?}: {frame:?}"
        );
    }
}

#[tokio::test]
async fn what_is_right_makes_no_noise() {
    let x = message("x");
    let typed = format!(
        "Content-Type: a/b; charset=utf-8\r\nContent-Length: {}\r\n\r\n{x}",
        x.len()
    );
    assert!(quiet(format!("{typed}{}{typed}", framed(&x)).as_bytes()).await);
    assert!(!quiet(format!("{typed}?{typed}").as_bytes()).await);
}

/// Its text may say anything, in another message too.
#[tokio::test]
async fn a_header_in_a_text_is_text() {
    let inner = framed(&message("inner"));
    let text = serde_json::to_string(&format!("\r\n\r\n{inner}\n")).expect("JSON");
    let body = format!(r#"{{"jsonrpc":"2.0","method":"outer","params":{{"text":{text}}}}}"#);
    assert_eq!(
        read(framed(&body).repeat(3).as_bytes(), 5).await,
        ["outer"; 3]
    );
}

#[tokio::test]
async fn a_message_that_is_too_long_is_refused_by_its_id_and_not_kept() {
    let good = framed(&message("good"));
    let text = "x".repeat(LIMITS.longest);
    let id_last =
        format!(r#"{{"jsonrpc":"2.0","method":"m","params":{{"text":"{text}"}},"id":"me"}}"#);
    let none = format!(
        r#"{{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{{"textDocument":{{"text":"{text}","uri":"file:///a"}}}}}}"#
    );
    let input = format!("{}{good}{}{good}", framed(&id_last), framed(&none));
    let mut frames = Frames::new(input.as_bytes(), LIMITS);
    let mut seen = Vec::new();
    while let Some(frame) = frames.next().await {
        assert!(
            frames.bytes.capacity() < 4 * CHUNK,
            "{}",
            frames.bytes.capacity()
        );
        seen.push(frame);
    }
    let [
        Frame::Refused(one),
        Frame::Request(..),
        Frame::Refused(two),
        Frame::Request(..),
    ] = &seen[..]
    else {
        panic!("{seen:?}");
    };
    assert_eq!(one.id, Some(Id::String("me".to_owned())));
    assert!(one.why.contains(&LIMITS.longest.to_string()), "{}", one.why);
    assert_eq!(two.id, None);
    assert_eq!(two.method.as_deref(), Some("textDocument/didOpen"));
    assert_eq!(two.uri, Some("file:///a".into()));
}

#[tokio::test]
async fn a_message_of_too_many_values_is_refused() {
    let numbers = "1,".repeat(1 << 17);
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":[{numbers}1]}}"#);
    assert!(body.len() < LIMITS.longest);
    let input = format!("{}{}", framed(&body), framed(&message("good")));
    assert_eq!(
        read(input.as_bytes(), usize::MAX).await,
        ["refused 1", "good"]
    );
}

/// Noise without end is not kept.
#[tokio::test]
async fn what_never_becomes_a_message_is_dropped() {
    let mut noise = "no header, no end. ".repeat(3 * LIMITS.longest / 19);
    noise.push_str(&framed(&message("good")));
    let mut frames = Frames::new(noise.as_bytes(), LIMITS);
    let mut good = 0;
    while let Some(frame) = frames.next().await {
        assert!(frames.bytes.len() <= LIMITS.longest + 2 * CHUNK);
        good += usize::from(matches!(frame, Frame::Request(..)));
    }
    assert_eq!(good, 1);
}

mod random {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever is changed in one message, the others arrive.
        #[test]
        fn any_damage_costs_the_messages_that_it_touches(
            cuts in proptest::collection::vec((0..400usize, 0..6usize, "[ -~\r\n]{0,6}"), 1..4),
            piece in 1..100usize,
        ) {
            let mut damaged = (0..4).map(|_| framed(&message("x"))).collect::<String>().into_bytes();
            for (at, gone, new) in cuts {
                let at = at % damaged.len();
                let end = (at + gone).min(damaged.len());
                damaged.splice(at..end, new.into_bytes());
            }
            let good = framed(&message("good"));
            // A number that grew hides what follows until it is seen to be wrong: at the header of the next.
            let input = [&damaged, good.as_bytes(), good.as_bytes()].concat();
            let runtime = tokio::runtime::Builder::new_current_thread().build().expect("it starts");
            let seen = runtime.block_on(read(&input, piece));
            let good = seen.iter().filter(|s| *s == "good").count();
            prop_assert_eq!(good, 2, "{:?}", seen);
        }
    }
}
