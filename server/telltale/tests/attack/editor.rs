//! The same through the server, as an editor asks: what is open is answered for, again and again.

use crate::peer::{Peer, uri};
use serde_json::{Value, json};
use std::time::Duration;
use tempfile::TempDir;

/// Many times what each takes.
const PATIENCE: Duration = Duration::from_secs(60);

const HEAD: &str = "import org.junit.Test;\npublic class ATest {\n";

/// Asks for all that an editor shows of a document.
async fn all_that_is_shown(peer: &mut Peer, uri: &str, line: u32) -> Vec<Value> {
    let document = json!({ "uri": uri });
    let at = |line: u32, character: u32| json!({ "line": line, "character": character });
    let all = json!({ "start": at(0, 0), "end": at(1_000_000, 0) });
    let mut answers = Vec::new();
    for (method, params) in [
        ("textDocument/codeLens", json!({ "textDocument": document })),
        (
            "textDocument/inlayHint",
            json!({ "textDocument": document, "range": all }),
        ),
        (
            "textDocument/hover",
            json!({ "textDocument": document, "position": at(line, 20) }),
        ),
        (
            "textDocument/codeAction",
            json!({ "textDocument": document, "range": all, "context": { "diagnostics": [] } }),
        ),
    ] {
        answers.push(peer.ask(method, params).await);
    }
    answers
}

/// Comments whose inline tags are never closed: before the code, behind it, around it; and the code says what it says
/// without them.
#[tokio::test(flavor = "multi_thread")]
async fn tags_that_are_never_closed() {
    const N: usize = 20_000;
    let code = "@Test public void adds() {\n int total = sum(1, 2);\n int twice = total + total;\n }\n\
                int sum(int a, int b) { int c = a + b; return c; }\n";
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("ATest.java");
    std::fs::write(&path, format!("{HEAD}{code}}}\n")).expect("written");
    let uri = uri(&path.canonicalize().expect("it is there"));
    let capabilities = json!({ "experimental": { "telltaleStatus": true } });
    let mut peer = Peer::on(folder.path(), capabilities).await;
    peer.ready().await;
    let tags = ["{@code ", "{@link A#m(", "{@code {@link ", "{@code \\u007b"];
    let mut version = 2;
    peer.open(&uri, "").await;
    for tag in tags {
        let tags = tag.repeat(N);
        for text in [
            format!("{HEAD}/** {tags} */\n{code}}}\n"),
            format!("{HEAD}/** {tags}\n{code}}}\n"),
            format!("{HEAD}{code}}} // {tags}"),
            format!("{HEAD}{}{code}}}\n", "/** {@code */\n".repeat(N)),
        ] {
            let asked = async {
                peer.change(&uri, version, json!([{ "text": text }])).await;
                all_that_is_shown(&mut peer, &uri, 4).await;
                // While somebody types in front of it.
                let start = json!({ "line": 2, "character": 0 });
                let range = json!({ "start": start, "end": start });
                for (at, typed) in "int x;\n".chars().enumerate() {
                    let edit = json!([{ "range": range, "text": typed.to_string() }]);
                    peer.change(&uri, version + 1 + at as i32, edit).await;
                }
                all_that_is_shown(&mut peer, &uri, 5).await;
            };
            let asked = tokio::time::timeout(PATIENCE, asked).await;
            assert!(asked.is_ok(), "{tag} goes on and on");
            version += 10;
        }
    }
    // It still answers.
    let plain = format!("{HEAD}{code}}}\n");
    peer.change(&uri, version, json!([{ "text": plain }])).await;
    let answers = all_that_is_shown(&mut peer, &uri, 3).await;
    assert_ne!(answers[0], json!([]), "{answers:?}");
}

/// What a process takes of memory, in MB.
#[cfg(target_os = "linux")]
fn resident(process: u32, which: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("it lives");
    let line = status.lines().find_map(|l| l.strip_prefix(which));
    let kb = line.and_then(|l| l.trim_start_matches(':').trim().strip_suffix(" kB"));
    kb.and_then(|kb| kb.trim().parse::<f64>().ok())
        .expect("a number")
        / 1024.0
}

/// Somebody who types all day: what a program remembers of its past must not grow with it.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn fifty_thousand_edits_stay_in_memory() {
    let folder = TempDir::new().expect("a folder");
    let method = |at: usize| {
        format!(
            "@Test public void t{at}() {{\n int total = sum(1, {at});\n total += 1;\n }}\n\
             int sum{at}(int a, int b) {{ int c = a + b; return c; }}\n"
        )
    };
    let methods: String = (0..100).map(method).collect();
    let text = format!("{HEAD}{methods}}}\n");
    let path = folder.path().join("ATest.java");
    std::fs::write(&path, &text).expect("written");
    let uri = uri(&path.canonicalize().expect("it is there"));
    let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_telltale"));
    let piped = std::process::Stdio::piped;
    let command = command.arg("lsp").stdin(piped()).stdout(piped());
    let mut server = command.kill_on_drop(true).spawn().expect("it starts");
    let process = server.id().expect("it runs");
    let to = Box::new(server.stdin.take().expect("a pipe"));
    let from = server.stdout.take().expect("a pipe");
    let ended = tokio::spawn(async move { server.wait().await.is_ok_and(|s| s.success()) });
    let mut peer = Peer::over(to, from, ended);
    let folders = json!([{ "uri": crate::peer::uri(folder.path()), "name": "it" }]);
    let capabilities = json!({ "experimental": { "telltaleStatus": true } });
    peer.initialize(json!({ "capabilities": capabilities, "workspaceFolders": folders }))
        .await;
    peer.ready().await;
    peer.open(&uri, &text).await;
    let mut first = 0.0;
    for edit in 0..50_000_u32 {
        // Words come and go: names that were never there before, in a hundred places.
        let line = 3 + edit / 2 % 100 * 5;
        let word = format!("int n{} = total; ", edit / 2);
        let (end, put) = match edit % 2 {
            0 => (0, word.as_str()),
            _ => (word.len(), ""),
        };
        let at = |column: usize| json!({ "line": line, "character": column });
        let change = json!([{ "range": { "start": at(0), "end": at(end) }, "text": put }]);
        peer.change(&uri, edit as i32 + 2, change).await;
        if edit % 250 == 0 {
            let document = json!({ "textDocument": { "uri": uri } });
            peer.ask("textDocument/codeLens", document).await;
        }
        if edit == 10_000 {
            first = resident(process, "VmRSS");
        }
    }
    let (last, most) = (resident(process, "VmRSS"), resident(process, "VmHWM"));
    assert!(most < 160.0, "{most:.0} MB");
    assert!(last < first * 1.25, "{first:.0} MB became {last:.0} MB");
}
