//! *Not this one* as an editor has it: an edit of a file that it makes, saves and undoes; where it makes no files the server makes
//! this one, and adds to none.

use crate::features::{able, lenses};
use crate::folder::Folder;
use crate::peer::{Peer, uri};
use serde_json::{Value, json};
use std::path::PathBuf;

const TEST: &str = "import org.junit.jupiter.api.Test;
class ATest {
    @Test void twice() { int a = A.twice(3); }
}
";

struct Project {
    folder: Folder,
    test: PathBuf,
}

fn project() -> Project {
    let code = "class A { static int twice(int n) { int m = n * 2; return m; } }";
    let folder = Folder::new(&[("src/main/java/A.java", code)]);
    let test = folder.write("src/test/java/ATest.java", TEST.as_bytes());
    Project { folder, test }
}

fn capabilities(edits: Value) -> Value {
    let mut all = able();
    all["workspace"] = json!({ "workspaceEdit": edits });
    all
}

/// The edits of *Not this one* at the test.
async fn offered(peer: &mut Peer, uri: &str) -> Vec<Value> {
    let all = actions(peer, uri).await.into_iter();
    all.map(|a| a["edit"].clone())
        .filter(|e| !e.is_null())
        .collect()
}

/// The actions *Not this one* at the test.
async fn actions(peer: &mut Peer, uri: &str) -> Vec<Value> {
    let at = json!({ "line": 2, "character": 16 });
    let params = json!({ "textDocument": { "uri": uri }, "range": { "start": at, "end": at }, "context": { "diagnostics": [] } });
    let actions = peer.ask("textDocument/codeAction", params).await;
    let actions = actions.as_array().cloned().unwrap_or_default();
    let is_it = |a: &&Value| {
        let title = a["title"].as_str();
        title.is_some_and(|t| t.starts_with("Not this one: "))
    };
    actions.iter().filter(is_it).cloned().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_editor_makes_the_file_and_the_lens_is_gone_and_comes_back() {
    let project = project();
    let able = capabilities(json!({ "documentChanges": true, "resourceOperations": ["create"] }));
    let mut peer = Peer::on(project.folder.path(), able).await;
    peer.ready().await;
    let uri_of_test = uri(&project.test);
    peer.open(&uri_of_test, TEST).await;
    assert_eq!(lenses(&mut peer, &uri_of_test).await[0].1, "next: a");
    let edit = offered(&mut peer, &uri_of_test).await.remove(0);
    let root = project.folder.path();
    let file = root.join("telltale-dismissed.toml");
    let changes = &edit["documentChanges"];
    assert_eq!(changes[0]["kind"], "create");
    assert_eq!(changes[0]["uri"], uri(&file));
    assert_eq!(changes[0]["options"]["ignoreIfExists"], true);
    let text = changes[1]["edits"][0]["newText"].as_str().expect("text");
    assert!(!file.exists(), "nothing is written unasked");
    // As the editor does it, and undoes it.
    let told = json!({ "changes": [{ "uri": uri(&file), "type": 1 }] });
    std::fs::write(&file, text).expect("written");
    peer.notify("workspace/didChangeWatchedFiles", told.clone())
        .await;
    peer.idle().await;
    let later = lenses(&mut peer, &uri_of_test).await;
    assert!(later.iter().all(|l| l.1 != "next: a"), "{later:?}");
    assert!(!offered(&mut peer, &uri_of_test).await.is_empty() || later.is_empty());
    std::fs::remove_file(&file).expect("removed");
    peer.notify("workspace/didChangeWatchedFiles", told).await;
    peer.idle().await;
    assert_eq!(lenses(&mut peer, &uri_of_test).await[0].1, "next: a");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_editor_that_makes_no_files_adds_to_one_that_is_there() {
    for edits in [json!({}), json!({ "documentChanges": true })] {
        let project = project();
        let uri_of_test = uri(&project.test);
        let mut peer = Peer::on(project.folder.path(), capabilities(edits.clone())).await;
        peer.ready().await;
        peer.open(&uri_of_test, TEST).await;
        assert!(offered(&mut peer, &uri_of_test).await.is_empty());
        let root = project.folder.path();
        let file = root.join("telltale-dismissed.toml");
        let other = "[[dismissed]]\nvariable = \"x\"\n";
        std::fs::write(&file, other).expect("written");
        let told = json!({ "changes": [{ "uri": uri(&file), "type": 1 }] });
        peer.notify("workspace/didChangeWatchedFiles", told).await;
        peer.idle().await;
        let edit = offered(&mut peer, &uri_of_test).await.remove(0);
        let change = match edits.get("documentChanges") {
            Some(_) => edit["documentChanges"][0]["edits"][0].clone(),
            None => edit["changes"][uri(&file)][0].clone(),
        };
        assert_eq!(change["range"]["end"], json!({ "line": 0, "character": 0 }));
        let text = change["newText"].as_str().expect("text");
        assert!(
            text.starts_with("[[dismissed]]\nin = \"ATest#twice()\"\n"),
            "{text}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn where_an_editor_makes_no_files_the_server_makes_this_one_and_loses_none() {
    for (applies, edits) in [
        (false, json!({})),
        (true, json!({ "documentChanges": true })),
    ] {
        let project = project();
        let uri_of_test = uri(&project.test);
        let mut able = capabilities(edits);
        able["workspace"]["applyEdit"] = json!(applies);
        let mut peer = Peer::on(project.folder.path(), able).await;
        peer.ready().await;
        peer.open(&uri_of_test, TEST).await;
        assert_eq!(lenses(&mut peer, &uri_of_test).await[0].1, "next: a");
        let root = project.folder.path();
        let file = root.join("telltale-dismissed.toml");
        let action = actions(&mut peer, &uri_of_test).await.remove(0);
        assert!(action["edit"].is_null(), "{action}");
        let command = action["command"].clone();
        assert_eq!(command["command"], "telltale.dismiss", "{action}");
        assert!(!file.exists(), "nothing is written unasked");
        let run = json!({ "command": "telltale.dismiss", "arguments": command["arguments"] });
        peer.ask("workspace/executeCommand", run.clone()).await;
        let said = peer.told("window/showMessage").await;
        let said = said["message"].as_str().expect("a message");
        assert!(said.contains("telltale-dismissed.toml"), "{said}");
        // As an editor would have written it, and nothing is left beside it.
        let text = std::fs::read_to_string(&file).expect("it is made");
        assert!(text.starts_with("# What Telltale names no more"), "{text}");
        assert!(
            text.contains("\n[[dismissed]]\nin = \"ATest#twice()\"\n"),
            "{text}"
        );
        let all = std::fs::read_dir(root).expect("a folder").flatten();
        let all: Vec<_> = all.map(|e| e.file_name()).collect();
        assert_eq!(all.len(), 2, "{all:?}");
        // The client tells nothing of it, and the lens is gone.
        peer.idle().await;
        let later = lenses(&mut peer, &uri_of_test).await;
        assert!(later.iter().all(|l| l.1 != "next: a"), "{later:?}");
        // Chosen again, as where somebody made the file meanwhile: what is there stays.
        let kept = format!("# ours\n{text}");
        std::fs::write(&file, &kept).expect("written");
        peer.ask("workspace/executeCommand", run).await;
        if applies {
            let asked = peer.asked("workspace/applyEdit").await;
            let changes = &asked["params"]["edit"]["documentChanges"];
            assert_eq!(changes.as_array().map(Vec::len), Some(1), "{changes}");
            let new = changes[0]["edits"][0]["newText"].as_str();
            assert!(
                new.is_some_and(|t| t.starts_with("[[dismissed]]\n")),
                "{changes}"
            );
        } else {
            let said = peer.told("window/showMessage").await;
            let said = said["message"].as_str().expect("a message");
            assert!(
                said.ends_with("is there by now: choose it again."),
                "{said}"
            );
        }
        assert_eq!(std::fs::read_to_string(&file).expect("a text"), kept);
        // What is no entry is refused.
        let wrong = json!({ "command": "telltale.dismiss", "arguments": [{ "uri": uri_of_test, "entry": { "in": "ATest" } }] });
        let id = peer.request("workspace/executeCommand", wrong).await;
        let refused = peer.answer(id).await["error"]["message"].to_string();
        assert!(
            refused.contains("telltale.dismiss takes [{ uri, entry }]"),
            "{refused}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mistake_in_the_file_is_told_and_the_rest_counts() {
    let project = project();
    let text =
        "[[dismissed]]\nnonsense\n[[dismissed]]\nin = \"ATest\"\ntype = \"int\"\nquery = \"\"\n";
    std::fs::write(project.folder.path().join("telltale-dismissed.toml"), text).expect("written");
    let mut peer = Peer::on(project.folder.path(), able()).await;
    let said = peer.told("window/showMessage").await;
    let said = said["message"].as_str().expect("a message");
    assert!(said.contains("telltale-dismissed.toml:2: "), "{said}");
    peer.ready().await;
    let uri_of_test = uri(&project.test);
    peer.open(&uri_of_test, TEST).await;
    let later = lenses(&mut peer, &uri_of_test).await;
    assert!(later.iter().all(|l| l.1 != "next: a"), "{later:?}");
}
