//! The language server over its real transport.

use serde_json::{Value, json};
use telltale::lsp::{Options, serve};
use tokio::io::AsyncReadExt as _;

use super::java::{boundary, parts};

/// What a server that reads `input` and then sees its end writes.
fn served(input: Vec<u8>) -> Vec<u8> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime");
    let out = runtime.block_on(async {
        let (to, mut from) = tokio::io::duplex(1 << 20);
        let server = tokio::spawn(async move { serve(&input[..], to, &Options::default()).await });
        let mut out = Vec::new();
        from.read_to_end(&mut out).await.expect("a pipe in memory");
        server.await.expect("the server ends in order");
        out
    });
    runtime.shutdown_background();
    out
}

fn frame(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fn request(id: u32, method: &str, params: Value) -> Vec<u8> {
    frame(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
}

fn notification(method: &str, params: Value) -> Vec<u8> {
    frame(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
}

fn initialize() -> Vec<u8> {
    let params = json!({ "capabilities": {}, "processId": null, "rootUri": null });
    [
        request(1, "initialize", params),
        notification("initialized", json!({})),
    ]
    .concat()
}

/// The bytes as they are, after a handshake: whatever comes, the server ends when its input does.
pub fn frames(data: &[u8]) {
    let mut input = initialize();
    input.extend(data);
    served(input);
}

/// The document at which answers are asked for; nothing of it is on disk.
const URI: &str = "file:///telltale-fuzz/ATest.java";

/// Edits of an open document, then requests: the answers are those of a server that was given the last text at once.
pub fn documents(data: &[u8]) {
    let (first, edits) = parts(data);
    let mut model = first.clone();
    let mut input = open(&first);
    for (version, (at, length, put)) in edits.iter().enumerate() {
        let start = boundary(&model, *at);
        let end = boundary(&model, (start + length).min(model.len())).max(start);
        let (Some(from), Some(to)) = (place(&model, start), place(&model, end)) else {
            continue;
        };
        input.extend(notification(
            "textDocument/didChange",
            json!({
                "textDocument": { "uri": URI, "version": version + 2 },
                "contentChanges": [{ "range": { "start": from, "end": to }, "text": put }],
            }),
        ));
        model.replace_range(start..end, put);
    }
    let edited = answers(input);
    let fresh = answers(open(&model));
    assert_eq!(edited, fresh, "edits lead elsewhere than their text");
}

fn open(text: &str) -> Vec<u8> {
    let document = json!({ "uri": URI, "languageId": "java", "version": 1, "text": text });
    [
        initialize(),
        notification("textDocument/didOpen", json!({ "textDocument": document })),
    ]
    .concat()
}

/// The results of the requests that are asked at the end of `input`.
fn answers(mut input: Vec<u8>) -> Vec<Value> {
    let document = json!({ "uri": URI });
    let all = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 10_000, "character": 0 } });
    let asked = [
        ("textDocument/codeLens", json!({ "textDocument": document })),
        (
            "textDocument/inlayHint",
            json!({ "textDocument": document, "range": all }),
        ),
        (
            "textDocument/hover",
            json!({ "textDocument": document, "position": { "line": 2, "character": 20 } }),
        ),
    ];
    for (id, (method, params)) in asked.iter().enumerate() {
        input.extend(request(10 + id as u32, method, params.clone()));
    }
    let out = served(input);
    let mut rest = &out[..];
    let mut found = vec![Value::Null; asked.len()];
    while let Some(head) = rest.windows(4).position(|four| four == b"\r\n\r\n") {
        let header = std::str::from_utf8(&rest[..head]).expect("headers are ASCII");
        let length: usize = header
            .lines()
            .find_map(|line| line.strip_prefix("Content-Length: ")?.parse().ok())
            .expect("a length");
        let body = &rest[head + 4..head + 4 + length];
        let message: Value = serde_json::from_slice(body).expect("messages are JSON");
        if message.get("method").is_none()
            && let Some(id) = message["id"].as_u64()
            && let Some(slot) = id.checked_sub(10).and_then(|at| found.get_mut(at as usize))
        {
            *slot = message;
        }
        rest = &rest[head + 4 + length..];
    }
    found
}

/// A byte offset as the protocol has it, counted without our own index; `None` between CR and LF.
fn place(text: &str, offset: usize) -> Option<Value> {
    let before = &text[..offset];
    if before.ends_with('\r') && text[offset..].starts_with('\n') {
        return None;
    }
    let (mut line, mut character, mut last) = (0, 0, ' ');
    for c in before.chars() {
        match c {
            '\n' if last == '\r' => {}
            '\n' | '\r' => (line, character) = (line + 1, 0),
            c => character += c.len_utf16(),
        }
        last = c;
    }
    Some(json!({ "line": line, "character": character }))
}
