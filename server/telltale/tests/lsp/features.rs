//! What an editor shows of the demo project.

use crate::peer::{Peer, uri};
use serde_json::{Value, json};
use std::path::PathBuf;

const TEST: &str = "src/test/java/demo/StatsTest.java";

fn demo() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/demo")
        .canonicalize()
        .expect("the demo is there")
}

async fn on_demo(capabilities: Value) -> Peer {
    let mut peer = Peer::on(&demo(), capabilities).await;
    peer.ready().await;
    peer
}

fn able() -> Value {
    json!({
        "experimental": { "telltaleStatus": true },
        "textDocument": { "codeLens": {}, "hover": { "contentFormat": ["markdown"] } },
        "window": { "showDocument": { "support": true } },
    })
}

/// The title of each lens of a file, by line, resolved.
async fn lenses(peer: &mut Peer, uri: &str) -> Vec<(u64, String)> {
    let lenses = peer
        .ask(
            "textDocument/codeLens",
            json!({ "textDocument": { "uri": uri } }),
        )
        .await;
    let mut out = Vec::new();
    for lens in lenses.as_array().expect("lenses") {
        let line = lens["range"]["start"]["line"].as_u64().expect("a line");
        let lens = peer.ask("codeLens/resolve", lens.clone()).await;
        let title = lens["command"]["title"].as_str().expect("a title");
        out.push((line, title.to_owned()));
    }
    out
}

#[tokio::test(flavor = "multi_thread")]
async fn tests_say_what_to_observe_next() {
    let mut peer = on_demo(able()).await;
    let uri = uri(&demo().join(TEST));
    let lenses = lenses(&mut peer, &uri).await;
    eprintln!("{lenses:#?}");
    assert!(!lenses.is_empty());
    assert!(
        lenses
            .iter()
            .any(|l| l.1.contains("inside: ") || l.1.contains("next: ")),
        "{lenses:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_action_inserts_an_assertion_that_the_next_lens_knows() {
    let mut peer = on_demo(able()).await;
    let file = demo().join("src/test/java/demo");
    let mut inserted = 0;
    for entry in std::fs::read_dir(file).expect("tests") {
        let path = entry.expect("an entry").path();
        let (uri, text) = (uri(&path), std::fs::read_to_string(&path).expect("text"));
        peer.open(&uri, &text).await;
        let asked = peer
            .ask(
                "textDocument/codeLens",
                json!({ "textDocument": { "uri": uri } }),
            )
            .await;
        for lens in asked.as_array().expect("lenses") {
            let actions = peer
                .ask(
                    "textDocument/codeAction",
                    json!({ "textDocument": { "uri": uri }, "range": lens["range"], "context": { "diagnostics": [] } }),
                )
                .await;
            for action in actions.as_array().into_iter().flatten() {
                let Some(edits) = action["edit"]["changes"][&uri].as_array() else {
                    continue;
                };
                let new = edits[0]["newText"].as_str().expect("text");
                let title = action["title"].as_str().expect("a title");
                let value = title.strip_prefix("Assert ").expect("an assertion");
                assert!(new.contains(value) && new.contains("assert"), "{new}");
                inserted += 1;
            }
        }
    }
    assert!(inserted > 5, "{inserted}");
}

#[tokio::test(flavor = "multi_thread")]
async fn production_code_has_hints_and_hovers() {
    let mut peer = on_demo(able()).await;
    let mut hints = 0;
    let main = demo().join("src/main/java/demo");
    for entry in std::fs::read_dir(main).expect("sources") {
        let path = entry.expect("an entry").path();
        let (uri, text) = (uri(&path), std::fs::read_to_string(&path).expect("text"));
        let end = text.lines().count();
        let found = peer
            .ask(
                "textDocument/inlayHint",
                json!({ "textDocument": { "uri": uri }, "range": {
                    "start": { "line": 0, "character": 0 }, "end": { "line": end, "character": 0 } } }),
            )
            .await;
        for hint in found.as_array().into_iter().flatten() {
            hints += 1;
            let label = hint["label"].as_str().expect("a label");
            assert!(label.starts_with("◂ observe ("), "{label}");
            let line = hint["position"]["line"].as_u64().expect("a line");
            let code = text.lines().nth(line as usize).expect("the line");
            assert!(!code.trim().is_empty());
        }
        for lens in lenses(&mut peer, &uri).await {
            assert!(lens.1.contains("call"), "{lens:?}");
        }
    }
    assert!(hints > 5, "{hints}");
}
