//! Between the wire and the transport: lets whole, well-formed messages through and nothing else.
//!
//! The transport's reader ends for good at the first message that it cannot decode. Here such a message is dropped with
//! a line in the log, and reading goes on at the next header.

use serde_json::from_slice;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tower_lsp::jsonrpc::{Request, Response};

/// No editor sends a message this long; a header that says so is a mistake.
const LONGEST: usize = 1 << 30;
const LENGTH: &[u8] = b"content-length:";

/// Passes messages on until either end closes.
pub(crate) async fn sift<I, O>(mut from: I, mut to: O)
where
    I: AsyncRead + Unpin,
    O: AsyncWrite + Unpin,
{
    let mut bytes: Vec<u8> = Vec::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        match next(&bytes) {
            Next::Message { start, end } => {
                let body = &bytes[start..end];
                if from_slice::<Request>(body).is_ok() || from_slice::<Response>(body).is_ok() {
                    let head = format!("Content-Length: {}\r\n\r\n", body.len());
                    let sent = async {
                        to.write_all(head.as_bytes()).await?;
                        to.write_all(body).await?;
                        to.flush().await
                    };
                    if sent.await.is_err() {
                        return;
                    }
                } else {
                    tracing::warn!(
                        "a message of {} bytes makes no sense and is dropped",
                        body.len()
                    );
                }
                bytes.drain(..end);
                continue;
            }
            Next::Noise(length) => {
                tracing::warn!("{length} bytes outside any message are dropped");
                bytes.drain(..length);
                continue;
            }
            Next::More(needed) => bytes.reserve(needed),
        }
        match from.read(&mut chunk).await {
            Ok(0) | Err(_) => return,
            Ok(n) => bytes.extend_from_slice(&chunk[..n]),
        }
    }
}

enum Next {
    /// Where the body of the first message lies.
    Message { start: usize, end: usize },
    /// So many bytes belong to no message.
    Noise(usize),
    /// At least so many bytes are missing, as far as one can tell.
    More(usize),
}

fn next(bytes: &[u8]) -> Next {
    let Some(head) = bytes.windows(4).position(|w| w == b"\r\n\r\n") else {
        return Next::More(1);
    };
    let start = head + 4;
    let length = bytes[..head]
        .split(|b| *b == b'\n')
        .filter_map(length_of)
        .next_back()
        .filter(|n| *n <= LONGEST);
    match length {
        Some(length) if bytes.len() >= start + length => Next::Message {
            start,
            end: start + length,
        },
        Some(length) => Next::More(start + length - bytes.len()),
        None => Next::Noise(start),
    }
}

/// The number of a `Content-Length` line.
fn length_of(line: &[u8]) -> Option<usize> {
    let name = line.get(..LENGTH.len())?;
    if !name.eq_ignore_ascii_case(LENGTH) {
        return None;
    }
    std::str::from_utf8(&line[LENGTH.len()..])
        .ok()?
        .trim()
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::sift;
    use tokio::io::AsyncReadExt as _;

    async fn sifted(input: &str) -> String {
        let (to, mut from) = tokio::io::duplex(1 << 20);
        sift(input.as_bytes(), to).await;
        let mut out = String::new();
        from.read_to_string(&mut out).await.expect("text");
        out
    }

    #[tokio::test]
    async fn only_messages_pass() {
        let good = r#"{"jsonrpc":"2.0","method":"x"}"#;
        let framed = format!("Content-Length: {}\r\n\r\n{good}", good.len());
        let typed = format!(
            "content-length:{}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{good}",
            good.len()
        );
        for noise in [
            "",
            "Content-Length: 9\r\n\r\nnot json!",
            "Content-Length: 2\r\n\r\n[]",
            "Content-Length: 2\r\n\r\n{}",
            "Content-Length: many\r\n\r\n",
            "Content-Length: 99999999999999999999999\r\n\r\n",
            "hello\r\n\r\n",
            "\r\n\r\n",
            "Content-Length: 0\r\n\r\n",
        ] {
            assert_eq!(
                sifted(&format!("{noise}{framed}{noise}{typed}")).await,
                format!("{framed}{framed}"),
                "{noise:?}"
            );
        }
        assert_eq!(sifted("Content-Length: 50\r\n\r\n{").await, "");
    }
}
