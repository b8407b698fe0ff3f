//! Settings of the client: each surface has its switch, mistakes are said once.

use crate::features::{able, demo, lenses, on_demo};
use crate::peer::{Peer, uri};
use serde_json::{Value, json};

const TEST: &str = "src/test/java/demo/StatsTest.java";
const MAIN: &str = "src/main/java/demo/Stats.java";

async fn set(peer: &mut Peer, settings: Value) {
    peer.notify(
        "workspace/didChangeConfiguration",
        json!({ "settings": { "telltale": settings } }),
    )
    .await;
}

async fn hints(peer: &mut Peer, path: &str) -> usize {
    let range =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9_999, "character": 0 } });
    let document = json!({ "uri": uri(&demo().join(path)) });
    let params = json!({ "textDocument": document, "range": range });
    let hints = peer.ask("textDocument/inlayHint", params).await;
    hints.as_array().map_or(0, Vec::len)
}

/// How much each surface shows: lenses of tests, lenses of methods, hints, twins of lenses, hovers.
async fn shown(peer: &mut Peer, twins: bool) -> Vec<bool> {
    let mut out = Vec::new();
    let text = std::fs::read_to_string(demo().join(MAIN)).expect("text");
    let line = text.lines().position(|l| l.contains("int comparison"));
    let line = line.expect("the line");
    let column = text.lines().nth(line).and_then(|l| l.find("comparison"));
    if !twins {
        for path in [TEST, MAIN] {
            out.push(!lenses(peer, &uri(&demo().join(path))).await.is_empty());
        }
    }
    out.push(hints(peer, MAIN).await > 0);
    if twins {
        out.push(hints(peer, TEST).await > 0);
    }
    let hover = peer
        .ask(
            "textDocument/hover",
            json!({ "textDocument": { "uri": uri(&demo().join(MAIN)) }, "position": { "line": line, "character": column } }),
        )
        .await;
    out.push(!hover.is_null());
    out
}

#[tokio::test(flavor = "multi_thread")]
async fn each_surface_has_its_switch() {
    let mut peer = on_demo(able()).await;
    assert_eq!(shown(&mut peer, false).await, [true; 4]);
    for (at, settings) in [
        json!({ "lens": { "tests": false } }),
        json!({ "lens": { "methods": false } }),
        json!({ "hints": { "observe": false } }),
        json!({ "hover.rank": false }),
    ]
    .into_iter()
    .enumerate()
    {
        set(&mut peer, settings).await;
        let mut expected = [true; 4];
        expected[at] = false;
        assert_eq!(shown(&mut peer, false).await, expected);
    }
    set(&mut peer, json!({})).await;
    assert_eq!(shown(&mut peer, false).await, [true; 4]);
    // Where no lenses are shown, what stands for them has their switch.
    let mut peer = on_demo(json!({ "experimental": { "telltaleStatus": true } })).await;
    assert_eq!(shown(&mut peer, true).await, [true; 3]);
    set(&mut peer, json!({ "lens": { "tests": false } })).await;
    assert_eq!(shown(&mut peer, true).await, [true, false, true]);
}

#[tokio::test(flavor = "multi_thread")]
async fn mistakes_are_said_once() {
    let mut peer = Peer::start();
    let wrong = json!({ "telltale": { "lens": { "test": false }, "hover": { "rank": 3 } } });
    peer.initialize(json!({
        "capabilities": able(),
        "workspaceFolders": [{ "uri": uri(&demo()), "name": "it" }],
        "initializationOptions": wrong,
    }))
    .await;
    peer.ready().await;
    let mut said = vec![peer.told("window/showMessage").await];
    said.push(peer.told("window/showMessage").await);
    let mut words: Vec<&str> = said.iter().filter_map(|s| s["message"].as_str()).collect();
    words.sort_unstable();
    assert!(words[0].contains("telltale.hover.rank"), "{words:?}");
    assert!(words[1].contains("telltale.lens.test: "), "{words:?}");
    // The same again, and read again: nothing new.
    set(
        &mut peer,
        json!({ "lens": { "test": 1, "tests": false }, "hover": { "rank": 3 } }),
    )
    .await;
    peer.command("telltale.reindex", json!([])).await;
    peer.ready().await;
    let file = uri(&demo().join(TEST));
    assert!(lenses(&mut peer, &file).await.is_empty(), "the rest counts");
    assert_eq!(peer.said().await, Vec::<Value>::new());
    // Mended, and made again.
    set(&mut peer, json!({})).await;
    set(&mut peer, json!({ "colour": 1 })).await;
    // What was asked for more than once, to know that all was said, comes more than once.
    let words = loop {
        let said = peer.told("window/showMessage").await;
        let words = said["message"].as_str().expect("words").to_owned();
        if !words.starts_with("Telltale keeps no log") {
            break words;
        }
    };
    assert!(words.contains("telltale.colour"), "{words}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_is_asked_for_its_settings_is_believed() {
    let mut capabilities = able();
    capabilities["workspace"] =
        json!({ "configuration": true, "codeLens": { "refreshSupport": true } });
    let mut peer = Peer::start();
    peer.settings = json!({ "lens": { "tests": false } });
    let folders = json!([{ "uri": uri(&demo()), "name": "it" }]);
    peer.initialize(json!({ "capabilities": capabilities, "workspaceFolders": folders }))
        .await;
    peer.ready().await;
    let file = uri(&demo().join(TEST));
    for expected in [0, 1] {
        if expected == 1 {
            peer.settings = json!({});
        }
        peer.notify(
            "workspace/didChangeConfiguration",
            json!({ "settings": null }),
        )
        .await;
        // They count some time after they were asked for, and then what is shown is old.
        while lenses(&mut peer, &file).await.len().min(1) != expected {
            peer.asked("workspace/codeLens/refresh").await;
        }
    }
}
