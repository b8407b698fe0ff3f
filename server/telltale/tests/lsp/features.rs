//! What an editor shows of the demo project.

use crate::peer::{Peer, uri};
use serde_json::{Value, json};
use std::path::PathBuf;

const TEST: &str = "src/test/java/demo/StatsTest.java";

pub(crate) fn demo() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/demo")
        .canonicalize()
        .expect("the demo is there")
}

pub(crate) async fn on_demo(capabilities: Value) -> Peer {
    let mut peer = Peer::on(&demo(), capabilities).await;
    peer.ready().await;
    peer
}

pub(crate) fn able() -> Value {
    json!({
        "experimental": { "telltaleStatus": true },
        "textDocument": { "codeLens": {}, "hover": { "contentFormat": ["markdown"] } },
        "window": { "showDocument": { "support": true } },
    })
}

/// The title of each lens of a file, by line, resolved.
pub(crate) async fn lenses(peer: &mut Peer, uri: &str) -> Vec<(u64, String)> {
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
                // The imports come before it.
                let new = edits.last().expect("an edit")["newText"].as_str();
                let new = new.expect("text");
                let title = action["title"].as_str().expect("a title");
                let value = title.strip_prefix("Assert ").expect("an assertion");
                assert!(new.contains(value) && new.contains("assert"), "{new}");
                inserted += 1;
            }
        }
    }
    // Above tests that check something nearly nothing is offered; the demo has few others.
    assert!(inserted > 2, "{inserted}");
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

#[tokio::test(flavor = "multi_thread")]
async fn a_lens_is_known_to_the_server_though_its_client_has_no_false() {
    let mut peer = on_demo(able()).await;
    let uri = uri(&demo().join("src/main/java/demo/Stats.java"));
    let params = json!({ "textDocument": { "uri": uri } });
    let lenses = peer.ask("textDocument/codeLens", params).await;
    let mut lens = lenses[0].clone();
    // As Emacs' lsp-mode sends them back.
    let data = lens["data"].as_object_mut().expect("data");
    for value in data.values_mut().filter(|v| **v == json!(false)) {
        *value = Value::Null;
    }
    let lens = peer.ask("codeLens/resolve", lens).await;
    let title = lens["command"]["title"].as_str().unwrap_or_default();
    assert!(title.contains("call this"), "{lens}");
}

/// The lens of a test of the demo, resolved, as a command.
async fn command_of(peer: &mut Peer, uri: &str, line: u64) -> Value {
    let params = json!({ "textDocument": { "uri": uri } });
    let lenses = peer.ask("textDocument/codeLens", params).await;
    let lenses = lenses.as_array().expect("lenses");
    let of = |l: &&Value| l["range"]["start"]["line"] == line;
    let lens = lenses.iter().find(of).expect("a lens").clone();
    peer.ask("codeLens/resolve", lens).await["command"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_editor_that_takes_snippets_gets_them() {
    let path = demo().join(TEST);
    let text = std::fs::read_to_string(&path).expect("text");
    let line = text.lines().position(|l| l.contains("void longestRun"));
    let line = line.expect("the test") as u64;
    let statement = "        assertEquals(Integer.MIN_VALUE, length);\n";
    let snippet = "        assertEquals(${1:Integer.MIN_VALUE}, length);$0\n";
    for (says, takes) in [
        (
            json!({ "documentChanges": true, "snippetEditSupport": true }),
            true,
        ),
        (json!({ "documentChanges": true }), false),
        // Snippets stand in `documentChanges` alone.
        (json!({ "snippetEditSupport": true }), false),
    ] {
        let mut capabilities = able();
        capabilities["workspace"] = json!({ "workspaceEdit": says, "applyEdit": true });
        let mut peer = on_demo(capabilities).await;
        let uri = uri(&path);
        peer.open(&uri, &text).await;
        let range = json!({ "start": { "line": line, "character": 9 }, "end": { "line": line, "character": 9 } });
        let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [] } });
        let actions = peer.ask("textDocument/codeAction", params).await;
        let from_action = actions[0]["edit"].clone();
        let command = command_of(&mut peer, &uri, line).await;
        assert_eq!(command["command"], "telltale.assert");
        peer.ask("workspace/executeCommand", command).await;
        let applied = peer.told("workspace/applyEdit").await;
        assert_eq!(applied["edit"], from_action, "the lens does the same");
        let edit = match says.get("documentChanges") {
            Some(_) => &from_action["documentChanges"][0]["edits"][0],
            None => &from_action["changes"][&uri][0],
        };
        let at = json!({ "line": line + 2, "character": 0 });
        let range = json!({ "start": at, "end": at });
        let expected = match takes {
            true => json!({ "range": range, "snippet": { "kind": "snippet", "value": snippet } }),
            false => json!({ "range": range, "newText": statement }),
        };
        assert_eq!(*edit, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_imports_that_an_assertion_needs_come_with_it() {
    let path = demo().join(TEST);
    let text = std::fs::read_to_string(&path).expect("text");
    let import = "import static org.junit.jupiter.api.Assertions.assertEquals;\n";
    let text = text.replace(import, "").replace("assertEquals(", "check(");
    let line = text.lines().position(|l| l.contains("void longestRun"));
    let line = line.expect("the test") as u64;
    let mut capabilities = able();
    capabilities["workspace"] =
        json!({ "workspaceEdit": { "documentChanges": true, "snippetEditSupport": true } });
    let mut peer = on_demo(capabilities).await;
    let uri = uri(&path);
    peer.open(&uri, &text).await;
    let at = json!({ "line": line, "character": 9 });
    let params = json!({ "textDocument": { "uri": uri }, "range": { "start": at, "end": at }, "context": { "diagnostics": [] } });
    let actions = peer.ask("textDocument/codeAction", params).await;
    let edits = &actions[0]["edit"]["documentChanges"][0]["edits"];
    assert_eq!(edits.as_array().map(Vec::len), Some(2), "{edits}");
    assert_eq!(edits[0]["newText"], import);
    let start = &edits[0]["range"]["start"];
    assert_eq!(start["character"], 0);
    let before = start["line"].as_u64().expect("a line") as usize;
    assert!(
        text.lines()
            .nth(before)
            .expect("it")
            .starts_with("import static org.junit")
    );
    assert!(edits[1]["snippet"].is_object(), "{edits}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lens_that_has_nothing_to_say_is_left_out() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let sources = folder.path().canonicalize().expect("there");
    let sources = sources.join("src/test/java");
    std::fs::create_dir_all(&sources).expect("folders");
    let path = sources.join("ATest.java");
    let text = "import org.junit.jupiter.api.Test;
class ATest {
    @Test void nothing() { }
    @Test void something() { int a = A.twice(3); }
}
";
    std::fs::write(&path, text).expect("written");
    let production = "class A { static int twice(int n) { int m = n * 2; return m; } }";
    let main = sources.join("../../main/java");
    std::fs::create_dir_all(&main).expect("folders");
    std::fs::write(main.join("A.java"), production).expect("written");
    let uri = uri(&path);
    let mut peer = Peer::on(folder.path(), able()).await;
    peer.ready().await;
    peer.open(&uri, text).await;
    let first = lenses(&mut peer, &uri).await;
    let titles: Vec<&str> = first.iter().map(|l| l.1.as_str()).collect();
    assert_eq!(titles, ["next: a"]);
    // Who draws lenses as they come never sees it.
    let mut peer = Peer::start();
    peer.initialize(json!({
        "capabilities": able(),
        "clientInfo": { "name": "kakoune-lsp" },
        "workspaceFolders": [{ "uri": crate::peer::uri(folder.path()), "name": "it" }],
    }))
    .await;
    peer.ready().await;
    let params = json!({ "textDocument": { "uri": uri } });
    let lenses = peer.ask("textDocument/codeLens", params).await;
    let lenses = lenses.as_array().expect("lenses");
    assert_eq!(lenses.len(), 1);
    assert_eq!(lenses[0]["command"]["title"], "next: a");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_is_about_what_is_around_its_place() {
    let mut peer = on_demo(able()).await;
    for (path, text, kind, name) in [
        (
            TEST,
            "assertEquals(1, comparison)",
            "test",
            "StatsTest#morePositiveThanNegative()",
        ),
        (TEST, "class StatsTest", "file", "StatsTest.java"),
        (
            "src/main/java/demo/Stats.java",
            "int comparison",
            "method",
            "Stats#compare(",
        ),
        (
            "src/main/java/demo/Stats.java",
            "package demo",
            "file",
            "Stats.java",
        ),
    ] {
        let path = demo().join(path);
        let source = std::fs::read_to_string(&path).expect("text");
        let line = source.lines().position(|l| l.contains(text)).expect(text);
        let place = json!({ "uri": uri(&path), "position": { "line": line, "character": 12 } });
        let said = peer.command("telltale.observe", json!([place])).await;
        assert_eq!(said["scope"]["kind"], kind, "{text}: {}", said["scope"]);
        let said = said["scope"]["name"].as_str().expect("a name");
        assert!(said.contains(name), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_weakest_tests_are_those_of_the_command_line() {
    let mut peer = on_demo(able()).await;
    let file = |path: &str| uri(&demo().join(path));
    let all = json!([{ "uri": file("src/main/java/demo/Stats.java") }]);
    let said = peer.command("telltale.weakest", all).await;
    assert_eq!(said["schema"], "telltale.weakest/1");
    assert_eq!(said["scope"]["kind"], "suite");
    assert_eq!(said["counts"], json!({ "tests": 27, "with_value": 3 }));
    let names = |said: &Value| -> Vec<String> {
        let tests = said["tests"].as_array().expect("tests").iter();
        let name = |t: &Value| t["test"].as_str().expect("a name").to_owned();
        tests.map(name).collect()
    };
    let book = "demo.OrderBookTest#takesTheBestPriceFirst()";
    let stats = "demo.StatsTest#longestRun()";
    assert_eq!(
        names(&said),
        [book, "demo.OrderBookTest#sweepsTheBook()", stats]
    );
    let one = json!([{ "uri": file(TEST), "most": 1 }]);
    let said = peer.command("telltale.weakest", one).await;
    assert_eq!(names(&said), [book]);
    let own = json!([{ "uri": file(TEST), "scope": "file" }]);
    let said = peer.command("telltale.weakest", own).await;
    assert_eq!(names(&said), [stats]);
    // Code has no tests, and what is asked for in another way is refused.
    let code = json!([{ "uri": file("src/main/java/demo/Stats.java"), "scope": "file" }]);
    let said = peer.command("telltale.weakest", code).await;
    assert_eq!(said["counts"], json!({ "tests": 0, "with_value": 0 }));
    for wrong in [
        json!([]),
        json!([{ "uri": file(TEST), "most": 0 }]),
        json!([{ "uri": file(TEST), "most": "all" }]),
        json!([{ "uri": file(TEST), "scope": "class" }]),
    ] {
        let params = json!({ "command": "telltale.weakest", "arguments": wrong });
        let id = peer.request("workspace/executeCommand", params).await;
        let refused = peer.answer(id).await;
        assert_eq!(refused["error"]["code"], -32602, "{wrong}: {refused}");
    }
}
