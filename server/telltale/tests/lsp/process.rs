//! The server as a process: what it writes, and when it ends.

use crate::peer::{Peer, uri};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, ChildStderr, ChildStdin, Command};

const TEXT: &str = "class A { int f(int a) { int b = a + 1; return b; } }";

fn folder() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    std::fs::write(folder.path().join("A.java"), TEXT).expect("written");
    folder
}

fn start(options: &[&str]) -> Child {
    command(options).spawn().expect("it starts")
}

/// Whose standard error is a pipe, as in every editor.
fn start_with_stderr() -> (Child, ChildStderr) {
    let mut child = command(&[]);
    let mut child = child.stderr(Stdio::piped()).spawn().expect("it starts");
    let stderr = child.stderr.take().expect("piped");
    (child, stderr)
}

pub(crate) fn command(options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_telltale"));
    command
        .arg("lsp")
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    command
}

/// Each of these is a line of the log.
const NONSENSE: &[u8] = b"Content-Length: 2\r\n\r\n{}";

/// Makes the server warn so often that no pipe holds it.
async fn have_it_warn(peer: &mut Peer) {
    for _ in 0..3_000 {
        peer.raw(NONSENSE).await;
    }
}

/// The file is answered about.
async fn answers(peer: &mut Peer, folder: &Path) {
    let file = uri(&folder.canonicalize().expect("there").join("A.java"));
    let document = json!({ "textDocument": { "uri": file } });
    let lenses = peer.ask("textDocument/codeLens", document).await;
    assert!(lenses.is_array(), "{lenses}");
}

/// A client of a process. Every byte of its output has to be a message: the reader of [`Peer`] takes nothing else.
pub(crate) fn peer(mut child: Child) -> Peer {
    let to: ChildStdin = child.stdin.take().expect("piped");
    let from = child.stdout.take().expect("piped");
    let server =
        tokio::spawn(async move { child.wait().await.expect("it ends").code() == Some(0) });
    Peer::over(Box::new(to), from, server)
}

pub(crate) async fn initialize(peer: &mut Peer, folder: &Path, parent: Option<u32>) {
    peer.initialize(json!({
        "processId": parent,
        "capabilities": { "experimental": { "telltaleStatus": true } },
        "workspaceFolders": [{ "uri": uri(folder), "name": "it" }],
    }))
    .await;
    peer.ready().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_has_a_line_for_each_request() {
    let folder = folder();
    let logs = TempDir::new().expect("a folder");
    let log = logs.path().join("server.log");
    let mut peer = peer(start(&["--log", log.to_str().expect("UTF-8")]));
    initialize(&mut peer, folder.path(), None).await;
    let file = uri(&folder.path().canonicalize().expect("there").join("A.java"));
    peer.open(&file, TEXT).await;
    let hover = peer
        .request(
            "textDocument/hover",
            json!({ "textDocument": { "uri": file }, "position": { "line": 0, "character": 29 } }),
        )
        .await;
    peer.answer(hover).await;
    let unknown = peer.request("telltale/unheardOf", json!({})).await;
    peer.answer(unknown).await;
    let shown = peer.command("telltale.showLog", json!([])).await;
    assert_eq!(
        shown["path"].as_str().map(Path::new),
        Some(&*log.canonicalize().expect("it is there"))
    );
    let said = peer.told("window/showMessage").await;
    let words = said["message"].as_str().expect("words");
    assert!(words.contains("server.log"), "{words}");
    peer.ask("shutdown", Value::Null).await;
    peer.notify("exit", Value::Null).await;
    assert!(peer.ended().await);
    let log = std::fs::read_to_string(log).expect("a log");
    for (method, id) in [
        ("initialize", 1),
        ("textDocument/hover", hover),
        ("telltale/unheardOf", unknown),
        ("workspace/executeCommand", unknown + 1),
        ("shutdown", unknown + 2),
    ] {
        let request = format!("request{{method=\"{method}\" id={id}}}");
        let lines = log.lines().filter(|l| l.contains(&request));
        let closed: Vec<&str> = lines.filter(|l| l.contains("time.busy=")).collect();
        assert_eq!(closed.len(), 1, "{method}: {log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_log_one_is_told_how_to_get_one() {
    let folder = folder();
    let mut peer = peer(start(&[]));
    initialize(&mut peer, folder.path(), None).await;
    assert!(peer.command("telltale.showLog", json!([])).await.is_null());
    let said = peer.told("window/showMessage").await;
    let words = said["message"].as_str().expect("words");
    assert!(words.contains("telltale lsp --log FILE"), "{words}");
    peer.notify("exit", Value::Null).await;
    assert!(!peer.ended().await, "exit without shutdown");
}

/// Its end of the pipe stays open, as when an editor's other child has it too.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn the_server_ends_after_its_editor() {
    let folder = folder();
    let mut editor = Command::new("sleep")
        .arg("600")
        .kill_on_drop(true)
        .spawn()
        .expect("it starts");
    let mut peer = peer(start(&[]));
    initialize(&mut peer, folder.path(), editor.id()).await;
    answers(&mut peer, folder.path()).await;
    editor.start_kill().expect("it runs");
    // Not waited for: it is dead, though it has its number still.
    assert!(!peer.ended().await);
    let _ = editor.wait().await;
}

/// Before its editor ended it wrote more than anybody reads.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn the_server_ends_after_its_editor_though_nobody_reads_its_log() {
    let folder = folder();
    let mut editor = Command::new("sleep")
        .arg("600")
        .kill_on_drop(true)
        .spawn()
        .expect("it starts");
    let (child, _unread) = start_with_stderr();
    let mut peer = peer(child);
    initialize(&mut peer, folder.path(), editor.id()).await;
    have_it_warn(&mut peer).await;
    editor.start_kill().expect("it runs");
    assert!(!peer.ended().await);
    let _ = editor.wait().await;
}

/// It answers though it has much to log, and ends when it is asked to.
async fn answers_to_the_end(child: Child) {
    let folder = folder();
    let mut peer = peer(child);
    initialize(&mut peer, folder.path(), None).await;
    have_it_warn(&mut peer).await;
    answers(&mut peer, folder.path()).await;
    peer.ask("shutdown", Value::Null).await;
    peer.notify("exit", Value::Null).await;
    assert!(peer.ended().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_nobody_reads_holds_nothing_up() {
    let (child, _unread) = start_with_stderr();
    answers_to_the_end(child).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_is_closed_fails_nothing() {
    let (child, closed) = start_with_stderr();
    drop(closed);
    answers_to_the_end(child).await;
}

/// What it wrote last is there to be read; a pipe holds so much of it.
#[tokio::test(flavor = "multi_thread")]
async fn the_log_is_whole_at_the_end() {
    let folder = folder();
    let (child, mut stderr) = start_with_stderr();
    let mut peer = peer(child);
    initialize(&mut peer, folder.path(), None).await;
    for _ in 0..300 {
        peer.raw(NONSENSE).await;
    }
    peer.notify("exit", Value::Null).await;
    assert!(!peer.ended().await);
    let mut all = String::new();
    stderr.read_to_string(&mut all).await.expect("text");
    let lines = all.lines().filter(|l| l.contains("no message")).count();
    assert_eq!(lines, 300, "{all}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_ends_when_nobody_takes_its_answers() {
    let mut child = start(&[]);
    drop(child.stdout.take());
    let mut to = child.stdin.take().expect("piped");
    let request = br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#;
    let frame = format!("Content-Length: {}\r\n\r\n", request.len());
    to.write_all(frame.as_bytes()).await.expect("it reads");
    to.write_all(request).await.expect("it reads");
    to.flush().await.expect("it reads");
    let ended = child.wait().await.expect("it ends");
    assert_eq!(ended.code(), Some(1));
    drop(to);
}
