//! What kills or confuses servers on this transport; one test a hazard.

use crate::peer::{Gate, Peer, uri};
use serde_json::{Value, json};
use tempfile::TempDir;

const EMPTY: &str = "class A {\n}\n";

async fn server() -> (TempDir, String, Peer) {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("A.java");
    std::fs::write(&file, EMPTY).expect("written");
    let peer = Peer::on(
        folder.path(),
        json!({ "experimental": { "telltaleStatus": true } }),
    )
    .await;
    let uri = uri(&file.canonicalize().expect("it is there"));
    (folder, uri, peer)
}

fn insert(line: u32, column: u32, text: &str) -> Value {
    replace((line, column), (line, column), text)
}

fn replace(start: (u32, u32), end: (u32, u32), text: &str) -> Value {
    let [start, end] =
        [start, end].map(|(line, column)| json!({ "line": line, "character": column }));
    json!([{ "range": { "start": start, "end": end }, "text": text }])
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_edits_keep_their_order_and_requests_see_what_was_before_them() {
    let (_folder, uri, mut peer) = server().await;
    peer.open(&uri, EMPTY).await;
    let mut expected = EMPTY.to_owned();
    let mut asked = Vec::new();
    for i in 0..10_000u32 {
        let word = format!("{};", i % 10);
        peer.change(&uri, i as i32 + 2, insert(1, 0, &word)).await;
        expected.insert_str(10, &word);
        if i % 1_000 == 7 {
            let params = json!({ "command": "telltale.test.text", "arguments": [{ "uri": uri }] });
            asked.push((
                peer.request("workspace/executeCommand", params).await,
                expected.clone(),
            ));
        }
    }
    for (id, text) in asked {
        assert_eq!(peer.answer(id).await["result"], text);
    }
    assert_eq!(peer.text(&uri).await, expected);
}

/// Each of them is where the ones before it have left the text, which took time by the length of the text for each.
#[tokio::test(flavor = "multi_thread")]
async fn many_edits_of_a_long_document_in_one_message() {
    let (_folder, uri, mut peer) = server().await;
    let lines = 40_000;
    let mut expected: Vec<String> = (0..lines)
        .map(|n| format!("// é {n} {}", "x".repeat(40)))
        .collect();
    peer.open(&uri, &expected.join("\r\n")).await;
    let mut changes = Vec::new();
    for edit in 0..10_000_u32 {
        // All over the text, and some of them in one place.
        let line = (edit * 7_919 % 10) * 4_000 + edit % 7;
        changes.extend(insert(line, 4, "𝒳").as_array().cloned());
        expected[line as usize].insert("// é".len(), '𝒳');
    }
    let changes = Value::Array(changes.concat());
    peer.change(&uri, 2, changes).await;
    assert!(peer.text(&uri).await == expected.join("\r\n"));
}

/// A client that waits for no answer, not even the first.
#[tokio::test(flavor = "multi_thread")]
async fn all_may_be_said_at_once() {
    for _ in 0..20 {
        let folder = TempDir::new().expect("a folder");
        let file = folder.path().join("A.java");
        std::fs::write(&file, EMPTY).expect("written");
        let uri = uri(&file.canonicalize().expect("it is there"));
        let root = crate::peer::uri(folder.path());
        let mut peer = Peer::start();
        let params = json!({
            "capabilities": { "experimental": { "telltaleStatus": true } },
            "workspaceFolders": [{ "uri": root, "name": "it" }],
        });
        let first = peer.request("initialize", params).await;
        peer.notify("initialized", json!({})).await;
        peer.open(&uri, "class A { int x; }\n").await;
        assert_eq!(peer.text(&uri).await, "class A { int x; }\n");
        assert!(peer.answer(first).await["result"]["capabilities"].is_object());
        peer.ready().await;
    }
}

/// A client of which all can be asked that we ask, once the folder is read.
async fn ready_for_all(peer: &mut Peer, folder: &TempDir) {
    let capabilities = json!({
        "workspace": {
            "codeLens": { "refreshSupport": true },
            "inlayHint": { "refreshSupport": true },
            "configuration": true,
            "didChangeWatchedFiles": { "dynamicRegistration": true },
        },
        "window": { "workDoneProgress": true },
        "experimental": { "telltaleStatus": true },
    });
    let folders = json!([{ "uri": uri(folder.path()), "name": "it" }]);
    peer.initialize(json!({ "capabilities": capabilities, "workspaceFolders": folders }))
        .await;
    peer.ready().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_never_answers_holds_nothing_up() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("A.java");
    std::fs::write(&file, EMPTY).expect("written");
    let mut peer = Peer::start();
    peer.answers = false;
    ready_for_all(&mut peer, &folder).await;
    let uri = uri(&file.canonicalize().expect("it is there"));
    for _ in 0..64 {
        peer.notify(
            "workspace/didChangeConfiguration",
            json!({ "settings": null }),
        )
        .await;
    }
    peer.open(&uri, EMPTY).await;
    assert_eq!(peer.text(&uri).await, EMPTY);
    // One of them is on its way until it is given up; the others would ask the same.
    peer.asked("workspace/configuration").await;
    assert_eq!(peer.text(&uri).await, EMPTY);
    let more = peer.rest();
    let asks = |m: &&Value| m["method"] == "workspace/configuration";
    assert!(more.iter().filter(asks).count() < 32, "{more:?}");
}

/// A server that stops reading while so many wait never learns that one is not wanted any more.
#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_requests_wait_and_each_can_be_cancelled() {
    let (_folder, uri, mut peer) = server().await;
    let mut ids = Vec::new();
    for _ in 0..1_000 {
        let params = json!({ "command": "telltale.test.sleep", "arguments": [600_000] });
        ids.push(peer.request("workspace/executeCommand", params).await);
    }
    let mut order = vec![900];
    order.extend((0..1_000).filter(|at| *at != 900));
    for at in order {
        peer.notify("$/cancelRequest", json!({ "id": ids[at] }))
            .await;
        let answer = peer.answer(ids[at]).await;
        assert_eq!(answer["error"]["code"], -32_800, "{answer}");
    }
    peer.open(&uri, EMPTY).await;
    assert_eq!(peer.text(&uri).await, EMPTY);
    let more: Vec<Value> = peer.rest();
    assert!(
        more.iter().all(|m| m.get("method").is_some()),
        "nothing is answered twice: {more:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_requests_are_each_answered_once() {
    let (_folder, _, mut peer) = server().await;
    let mut ids = Vec::new();
    for at in 0..1_000 {
        let params = json!({ "command": "telltale.test.sleep", "arguments": [at % 3] });
        ids.push(peer.request("workspace/executeCommand", params).await);
    }
    for (at, id) in ids.iter().enumerate() {
        let answer = peer.answer(*id).await;
        assert_eq!(answer["result"], at % 3, "{answer}");
    }
    let more: Vec<Value> = peer.rest();
    assert!(
        more.iter().all(|m| m.get("method").is_some()),
        "nothing is answered twice: {more:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_stops_what_is_being_computed() {
    let (_folder, uri, mut peer) = server().await;
    let one = "class A { int a; int one(int b) { a = b + 1; return a * 2; } }";
    peer.open(&uri, one).await;
    let arguments = json!([{ "uri": uri }]);
    let params = json!({ "command": "telltale.test.endless", "arguments": arguments });
    let mut ids = Vec::new();
    for _ in 0..8 {
        ids.push(
            peer.request("workspace/executeCommand", params.clone())
                .await,
        );
    }
    for id in &ids {
        peer.notify("$/cancelRequest", json!({ "id": id })).await;
    }
    for id in ids {
        assert_eq!(peer.answer(id).await["error"]["code"], -32_800);
    }
    // The threads are free again.
    assert_eq!(peer.text(&uri).await, one);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_fails_no_request() {
    let (_folder, uri, mut peer) = server().await;
    peer.open(&uri, EMPTY).await;
    let params = json!({ "command": "telltale.test.sleep", "arguments": [200] });
    let slow = peer.request("workspace/executeCommand", params).await;
    // An answer to a later request says that the slow one is under way.
    for version in 2..12 {
        let _ = peer.text(&uri).await;
        peer.change(&uri, version, insert(1, 0, "int x;")).await;
    }
    assert_eq!(peer.answer(slow).await["result"], 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_fails_one_request() {
    let (_folder, uri, mut peer) = server().await;
    let params = json!({ "command": "telltale.test.panic", "arguments": [] });
    // More than there are threads.
    for _ in 0..64 {
        let id = peer
            .request("workspace/executeCommand", params.clone())
            .await;
        let answer = peer.answer(id).await;
        assert_eq!(answer["error"]["code"], -32_603, "{answer}");
    }
    peer.open(&uri, EMPTY).await;
    assert_eq!(peer.text(&uri).await, EMPTY);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_while_the_world_changes_is_survived() {
    let (_folder, uri, mut peer) = server().await;
    peer.notify("telltale/test/panic", json!({})).await;
    peer.open(&uri, EMPTY).await;
    peer.notify("telltale/test/panic", json!({})).await;
    peer.change(&uri, 2, insert(1, 0, "int x;")).await;
    assert_eq!(peer.text(&uri).await, "class A {\nint x;}\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_messages_are_answered_and_survived() {
    let (_folder, uri, mut peer) = server().await;
    peer.raw(b"Content-Length: 9\r\n\r\nnot json!").await;
    peer.raw(b"Content-Length: 2\r\n\r\n[]").await;
    peer.raw(b"Content-Length: 17\r\n\r\n{\"jsonrpc\":\"2.0\"}")
        .await;
    let id = peer.request("telltale/unheardOf", json!({})).await;
    assert_eq!(peer.answer(id).await["error"]["code"], -32_601);
    let id = peer
        .request("textDocument/hover", json!({ "position": "here" }))
        .await;
    assert_eq!(peer.answer(id).await["error"]["code"], -32_602);
    peer.notify("telltale/unheardOf", json!({})).await;
    peer.notify("textDocument/didChange", json!({ "no": "sense" }))
        .await;
    peer.open(&uri, EMPTY).await;
    assert_eq!(peer.text(&uri).await, EMPTY);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_past_the_end_means_the_end() {
    let (_folder, uri, mut peer) = server().await;
    let text = "class A {\n  int a;\n}";
    for (start, end, expected) in [
        ((700, 3), (701, 0), "class A {\n  int a;\n}x"),
        ((1, 900), (1, 901), "class A {\n  int a;x\n}"),
        ((1, 2), (1, 900), "class A {\n  x\n}"),
        ((1, 2), (900, 900), "class A {\n  x"),
        ((0, 0), (u32::MAX, u32::MAX), "x"),
        // The line behind the last one, which editors name when they replace a whole text.
        ((2, 1), (3, 0), "class A {\n  int a;\n}x"),
    ] {
        peer.open(&uri, text).await;
        peer.change(&uri, 2, replace(start, end, "x")).await;
        assert_eq!(peer.text(&uri).await, expected, "{start:?} to {end:?}");
    }
    assert_eq!(peer.said().await, Vec::<Value>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_whose_edit_makes_no_sense_waits_for_a_full_text() {
    let (_folder, uri, mut peer) = server().await;
    for (version, changes) in [
        (2, replace((1, 1), (0, 0), "")),
        // Where both ends mean the same place, too.
        (2, replace((9, 9), (9, 8), "x")),
        (1, insert(0, 0, "x")),
        (-5, insert(0, 0, "x")),
    ] {
        peer.open(&uri, EMPTY).await;
        peer.change(&uri, version, changes).await;
        assert_eq!(peer.text(&uri).await, Value::Null, "no guess is kept");
        let said = peer.told("window/showMessage").await;
        let words = said["message"].as_str().expect("a message");
        assert!(words.contains("whole text"), "{words}");
        // Another small edit does not mend it, a full text does.
        peer.change(&uri, 8, insert(0, 0, "x")).await;
        assert_eq!(peer.text(&uri).await, Value::Null);
        peer.change(&uri, 9, json!([{ "text": "class B { }" }]))
            .await;
        assert_eq!(peer.text(&uri).await, "class B { }");
        peer.change(&uri, 10, insert(0, 9, "int i;")).await;
        assert_eq!(peer.text(&uri).await, "class B {int i; }");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_ends_when_it_should() {
    let (_folder, _, mut peer) = server().await;
    peer.ask("shutdown", Value::Null).await;
    peer.notify("exit", Value::Null).await;
    assert!(peer.ended().await, "shutdown, then exit");

    let (_folder, _, mut peer) = server().await;
    peer.notify("exit", Value::Null).await;
    assert!(!peer.ended().await, "exit without shutdown is a failure");

    let (_folder, _, peer) = server().await;
    assert!(!peer.end().await, "a client that vanished");

    let (_folder, _, mut peer) = server().await;
    let params = json!({ "command": "telltale.test.sleep", "arguments": [600_000] });
    for _ in 0..8 {
        peer.request("workspace/executeCommand", params.clone())
            .await;
    }
    peer.ask("shutdown", Value::Null).await;
    peer.notify("exit", Value::Null).await;
    assert!(peer.ended().await, "whatever is under way");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_on_one_folder_do_not_meet() {
    let (folder, uri, mut one) = server().await;
    let status = json!({ "experimental": { "telltaleStatus": true } });
    let mut two = Peer::on(folder.path(), status).await;
    one.ready().await;
    two.ready().await;
    one.open(&uri, "class One { }").await;
    assert_eq!(one.text(&uri).await, "class One { }");
    assert_eq!(two.text(&uri).await, EMPTY);
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("readable").count(),
        1,
        "nothing was written"
    );
}

/// Ready, behind a gate that is shut, and a client of this can be asked for all that we ask.
async fn behind_a_shut_gate() -> (TempDir, Peer, Gate) {
    let folder = TempDir::new().expect("a folder");
    std::fs::write(folder.path().join("A.java"), EMPTY).expect("written");
    let (mut peer, gate) = Peer::behind_a_gate();
    ready_for_all(&mut peer, &folder).await;
    gate.shut();
    (folder, peer, gate)
}

/// All that came while nobody read.
async fn piled_up(mut peer: Peer, gate: &Gate) -> Vec<Value> {
    let last = peer.request("telltale/unheardOf", json!({})).await;
    gate.open();
    peer.answer(last).await;
    peer.rest()
}

/// What can be said once is.
#[tokio::test(flavor = "multi_thread")]
async fn twenty_thousand_changes_of_settings_come_to_a_few_messages() {
    let (_folder, mut peer, gate) = behind_a_shut_gate().await;
    for at in 0..20_000 {
        let settings = json!({ "telltale": { "lens": { "tests": at % 2 == 0 } } });
        let params = json!({ "settings": settings });
        peer.notify("workspace/didChangeConfiguration", params)
            .await;
    }
    let all = piled_up(peer, &gate).await;
    assert!(all.len() < 1_000, "{}", all.len());
}

/// Each of them has the folder read.
#[tokio::test(flavor = "multi_thread")]
async fn five_thousand_changes_of_build_files_come_to_a_few_messages() {
    let (folder, mut peer, gate) = behind_a_shut_gate().await;
    let root = folder.path().canonicalize().expect("it is there");
    let pom = uri(&root.join("pom.xml"));
    for _ in 0..5_000 {
        let params = json!({ "changes": [{ "uri": pom, "type": 2 }] });
        peer.notify("workspace/didChangeWatchedFiles", params).await;
    }
    let all = piled_up(peer, &gate).await;
    assert!(all.len() < 2_500, "{}", all.len());
    let tokens = all
        .iter()
        .filter(|m| m["method"] == "window/workDoneProgress/create");
    assert!(tokens.count() < 2_000);
}

/// What cannot is left out at some point.
#[tokio::test(flavor = "multi_thread")]
async fn messages_to_the_user_have_a_bound_while_nobody_reads_them() {
    let (_folder, mut peer, gate) = behind_a_shut_gate().await;
    // Each says it twice: all that may wait to be shown is more than may wait to be taken before nothing is read.
    let long = "x".repeat(20_000);
    for at in 0..1_200 {
        // Mended, and made again.
        let settings = match at % 2 {
            0 => json!({ "telltale": { "lens": { "tests": true } } }),
            _ => json!({ "telltale": { &long: at } }),
        };
        let params = json!({ "settings": settings });
        peer.notify("workspace/didChangeConfiguration", params)
            .await;
    }
    gate.open();
    let said = peer.said().await.len();
    assert!((100..550).contains(&said), "{said} of 600 at 40 kB");
}

/// Each is answered once, whichever is first; no edit is lost on the way.
#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_cancels_among_edits() {
    let (_folder, uri, mut peer) = server().await;
    peer.open(&uri, EMPTY).await;
    let mut expected = EMPTY.to_owned();
    let mut ids = Vec::new();
    for i in 0..200 {
        let word = format!("{};", i % 10);
        peer.change(&uri, i + 2, insert(1, 0, &word)).await;
        expected.insert_str(10, &word);
        let params = match i % 3 {
            0 => json!({ "command": "telltale.test.sleep", "arguments": [600_000] }),
            1 => json!({ "command": "telltale.test.text", "arguments": [{ "uri": uri }] }),
            _ => json!({ "command": "telltale.observe", "arguments": [{ "uri": uri }] }),
        };
        let id = peer.request("workspace/executeCommand", params).await;
        peer.notify("$/cancelRequest", json!({ "id": id })).await;
        ids.push((id, expected.clone(), i % 3));
    }
    for (id, text, kind) in ids {
        let answer = peer.answer(id).await;
        match (kind, answer.get("error")) {
            (0, None) => panic!("{answer}"),
            (_, Some(error)) => assert_eq!(error["code"], -32_800, "{answer}"),
            (1, None) => assert_eq!(answer["result"], text),
            _ => {}
        }
    }
    assert_eq!(peer.text(&uri).await, expected);
    let more: Vec<Value> = peer.rest();
    assert!(more.iter().all(|m| m.get("method").is_some()), "{more:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_is_added_and_removed_two_hundred_times() {
    let (_folder, uri_a, mut peer) = server().await;
    peer.ready().await;
    let other = TempDir::new().expect("a folder");
    std::fs::write(other.path().join("B.java"), "class B { }").expect("written");
    let root = other.path().canonicalize().expect("it is there");
    let folder = json!([{ "uri": uri(&root), "name": "other" }]);
    let uri_b = uri(&root.join("B.java"));
    for at in 0..200 {
        let change = |added: &Value, removed: &Value| json!({ "event": { "added": added, "removed": removed } });
        let none = json!([]);
        peer.notify(
            "workspace/didChangeWorkspaceFolders",
            change(&folder, &none),
        )
        .await;
        // Now and then it is there to the end of its reading.
        if at % 50 == 7 {
            peer.idle().await;
            assert_eq!(peer.text(&uri_b).await, "class B { }");
        }
        peer.notify(
            "workspace/didChangeWorkspaceFolders",
            change(&none, &folder),
        )
        .await;
    }
    peer.idle().await;
    assert_eq!(peer.text(&uri_b).await, Value::Null);
    assert_eq!(peer.text(&uri_a).await, EMPTY);
    let added = json!({ "event": { "added": folder, "removed": [] } });
    peer.notify("workspace/didChangeWorkspaceFolders", added)
        .await;
    peer.idle().await;
    assert_eq!(peer.text(&uri_b).await, "class B { }");
}

/// A client that sends what cannot be read is told so where it asked, and nothing is shown of a file whose text is lost.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_long_is_said_and_survived() {
    let (_folder, uri, mut peer) = server().await;
    peer.ready().await;
    let long = "x".repeat(65 << 20);
    let id = peer
        .request("workspace/executeCommand", json!({ "command": long }))
        .await;
    let answer = peer.answer(id).await;
    assert_eq!(answer["error"]["code"], -32_600, "{answer}");
    let words = answer["error"]["message"].as_str().expect("words");
    assert!(words.contains("67108864"), "{words}");
    peer.open(&uri, &long).await;
    let said = peer.told("window/showMessage").await;
    let words = said["message"].as_str().expect("words");
    assert!(
        words.contains("A.java") && words.contains("67108864"),
        "{words}"
    );
    assert_eq!(peer.text(&uri).await, Value::Null);
    peer.notify(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": uri } }),
    )
    .await;
    assert_eq!(peer.text(&uri).await, EMPTY);
    peer.open(&uri, "class B { }").await;
    assert_eq!(peer.text(&uri).await, "class B { }");
    // A hundred megabytes of numbers.
    let mut body = br#"{"jsonrpc":"2.0","method":"m","params":["#.to_vec();
    body.extend(b"1,".repeat(50 << 20));
    body.extend(br#"1],"id":"numbers"}"#);
    peer.raw(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes())
        .await;
    peer.raw(&body).await;
    let answer = peer.answered("numbers").await;
    assert_eq!(answer["error"]["code"], -32_600, "{answer}");
    assert_eq!(peer.text(&uri).await, "class B { }");
}

/// Each of these cost every later message.
#[tokio::test(flavor = "multi_thread")]
async fn one_slip_in_a_frame_costs_one_message_at_most() {
    let (_folder, uri, mut peer) = server().await;
    peer.open(&uri, EMPTY).await;
    let body = r#"{"jsonrpc":"2.0","method":"telltale/unheardOf","params":{}}"#;
    let n = body.len();
    for slip in [
        format!("Content-Length: {}\r\n\r\n{body}", n + 1),
        format!("Content-Length: {}\r\n\r\n{body}", n - 1),
        format!("Content-Length: {n}\n\n{body}"),
        body.to_owned(),
        format!("Content-Length: {n}\r\n{body}"),
        format!("Content-Length: {}\r\n\r\n{body}", 1u64 << 40),
    ] {
        peer.raw(slip.as_bytes()).await;
        assert_eq!(peer.text(&uri).await, EMPTY, "{slip:?}");
    }
}
