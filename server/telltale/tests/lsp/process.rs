//! The server as a process: what it writes, and when it ends.

use crate::peer::{Peer, uri};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;
use tokio::process::{Child, ChildStdin, Command};

const TEXT: &str = "class A { int f(int a) { int b = a + 1; return b; } }";

fn folder() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    std::fs::write(folder.path().join("A.java"), TEXT).expect("written");
    folder
}

fn start(options: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_telltale"))
        .arg("lsp")
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("it starts")
}

/// A client of a process. Every byte of its output has to be a message: the reader of [`Peer`] takes nothing else.
fn peer(mut child: Child) -> Peer {
    let to: ChildStdin = child.stdin.take().expect("piped");
    let from = child.stdout.take().expect("piped");
    let server =
        tokio::spawn(async move { child.wait().await.expect("it ends").code() == Some(0) });
    Peer::over(Box::new(to), from, server)
}

async fn initialize(peer: &mut Peer, folder: &Path, parent: Option<u32>) {
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
    // Longer than it looks once.
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    let text = json!({ "textDocument": { "uri": uri(folder.path()) } });
    let _ = peer.ask("textDocument/codeLens", text).await;
    editor.start_kill().expect("it runs");
    // Not waited for: it is dead, though it has its number still.
    assert!(!peer.ended().await);
    let _ = editor.wait().await;
}
