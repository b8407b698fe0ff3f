//! Inner oracles as an editor has them: one change of both files, made when it is chosen, and its inverse.

use crate::features::able;
use crate::folder::Folder;
use crate::peer::{Peer, uri};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const CODE: &str = "class Stats {
    int compare(int[] list) {
        int neg = 0;
        for (int x : list) {
            if (x < 0) neg++;
        }
        return neg > 1 ? -1 : 1;
    }
}
";

const TEST: &str = "import org.junit.jupiter.api.Test;
class StatsTest {
    @Test void mixedSigns() {
        new Stats().compare(new int[] {-1, 2, 3});
    }
}
";

struct Project {
    _folder: Folder,
    root: PathBuf,
    code: PathBuf,
    test: PathBuf,
}

fn project() -> Project {
    let folder = Folder::new(&[]);
    Project {
        code: folder.write("src/main/java/Stats.java", CODE.as_bytes()),
        test: folder.write("src/test/java/StatsTest.java", TEST.as_bytes()),
        root: folder.path().to_owned(),
        _folder: folder,
    }
}

fn capabilities(edits: Value, resolves: bool) -> Value {
    let mut all = able();
    all["workspace"] = json!({ "workspaceEdit": edits, "applyEdit": true });
    if resolves {
        all["textDocument"]["codeAction"] = json!({ "resolveSupport": { "properties": ["edit"] } });
    }
    all
}

/// The texts of a folder's files, by path.
fn files(root: &Path) -> BTreeMap<String, String> {
    let files = crate::folder::files(root).into_iter();
    files
        .map(|(path, bytes)| (path, String::from_utf8(bytes).expect("text")))
        .collect()
}

/// Does what an edit says, on disk, and tells the server.
async fn apply(peer: &mut Peer, edit: &Value) {
    let mut told = Vec::new();
    let path = |uri: &Value| {
        let path = uri.as_str().and_then(|u| u.strip_prefix("file://"));
        PathBuf::from(path.expect("a file"))
    };
    for change in edit["documentChanges"].as_array().expect("changes") {
        match change["kind"].as_str() {
            Some("create") => {
                std::fs::write(path(&change["uri"]), "").expect("written");
                told.push(json!({ "uri": change["uri"], "type": 1 }));
            }
            Some("delete") => {
                std::fs::remove_file(path(&change["uri"])).expect("removed");
                told.push(json!({ "uri": change["uri"], "type": 3 }));
            }
            _ => {
                let uri = &change["textDocument"]["uri"];
                let mut text = std::fs::read_to_string(path(uri)).expect("text");
                let mut edits = change["edits"].as_array().expect("edits").clone();
                let at = |text: &str, p: &Value| {
                    let (line, column) = (p["line"].as_u64(), p["character"].as_u64());
                    let lines = text.split_inclusive('\n');
                    let before: usize = lines
                        .take(line.expect("a line") as usize)
                        .map(str::len)
                        .sum();
                    before + column.expect("a column") as usize
                };
                edits.sort_by_key(|e| std::cmp::Reverse(at(&text, &e["range"]["start"])));
                for e in edits {
                    let (start, end) = (
                        at(&text, &e["range"]["start"]),
                        at(&text, &e["range"]["end"]),
                    );
                    text.replace_range(start..end, e["newText"].as_str().expect("text"));
                }
                std::fs::write(path(uri), text).expect("written");
                told.push(json!({ "uri": uri, "type": 2 }));
            }
        }
    }
    peer.notify(
        "workspace/didChangeWatchedFiles",
        json!({ "changes": told }),
    )
    .await;
    peer.idle().await;
}

/// The actions at a line and column that begin with a word.
async fn actions(peer: &mut Peer, file: &Path, at: (u32, u32), word: &str) -> Vec<Value> {
    let at = json!({ "line": at.0, "character": at.1 });
    let params = json!({ "textDocument": { "uri": uri(file) }, "range": { "start": at, "end": at }, "context": { "diagnostics": [] } });
    let actions = peer.ask("textDocument/codeAction", params).await;
    let mut actions = actions.as_array().cloned().unwrap_or_default();
    actions.retain(|a| a["title"].as_str().is_some_and(|t| t.starts_with(word)));
    actions
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_is_checked_by_one_change_of_both_files_and_the_way_back() {
    let project = project();
    let before = files(&project.root);
    let able = capabilities(
        json!({ "documentChanges": true, "resourceOperations": ["create", "delete"], "changeAnnotationSupport": {} }),
        true,
    );
    let mut peer = Peer::on(&project.root, able).await;
    peer.ready().await;
    let action = actions(&mut peer, &project.code, (4, 24), "Check")
        .await
        .remove(0);
    assert_eq!(
        action["title"],
        "Check neg here in test StatsTest.mixedSigns"
    );
    assert_eq!(
        action["edit"],
        Value::Null,
        "the light bulb computes no edit"
    );
    let action = peer.ask("codeAction/resolve", action).await;
    let edit = &action["edit"];
    assert_eq!(
        edit["changeAnnotations"]["telltale"],
        json!({ "label": "Insert an inner oracle", "needsConfirmation": false })
    );
    let id = &edit["documentChanges"][2]["edits"][0]["annotationId"];
    assert_eq!(id, "telltale");
    assert_eq!(files(&project.root), before, "nothing is written unasked");
    apply(&mut peer, edit).await;
    let after = files(&project.root);
    assert!(
        after["src/main/java/Stats.java"].contains(
            "        }
        InnerOracle.tell(\"StatsTest.mixedSigns: neg\", neg);
        return neg > 1 ? -1 : 1;"
        ),
        "{after:?}"
    );
    let own = &after["src/test/java/StatsTest.java"];
    assert!(
        own.contains(
            "        try (InnerOracle inner = InnerOracle.on(\"StatsTest.mixedSigns: neg\")) {
            new Stats().compare(new int[] {-1, 2, 3});
        }"
        ),
        "{own}"
    );
    assert!(after.contains_key("src/main/java/InnerOracle.java"));

    // What there is, both ways, and back to the byte.
    let list = peer
        .command(
            "telltale.inner.list",
            json!([{ "uri": uri(&project.code) }]),
        )
        .await;
    assert_eq!(list[0]["name"], "StatsTest.mixedSigns: neg");
    assert_eq!(list[0]["tests"][0]["uri"], uri(&project.test));
    let again = actions(&mut peer, &project.code, (4, 24), "Check")
        .await
        .remove(0);
    let again = peer.ask("codeAction/resolve", again).await;
    assert_eq!(again["edit"], Value::Null);
    let why = peer.told("window/showMessage").await;
    assert_eq!(
        why["message"],
        "Telltale: This test checks the value already."
    );
    let gone = actions(&mut peer, &project.test, (3, 40), "Remove")
        .await
        .remove(0);
    let gone = peer.ask("codeAction/resolve", gone).await;
    apply(&mut peer, &gone["edit"]).await;
    assert_eq!(files(&project.root), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_editor_that_resolves_nothing_has_it_as_a_command() {
    let project = project();
    let able = capabilities(
        json!({ "documentChanges": true, "resourceOperations": ["create"] }),
        false,
    );
    let mut peer = Peer::on(&project.root, able).await;
    peer.ready().await;
    let action = actions(&mut peer, &project.test, (2, 16), "Check")
        .await
        .remove(0);
    assert_eq!(action["title"], "Check neg in Stats.compare in this test");
    let command = &action["command"];
    peer.command("telltale.inner", command["arguments"].clone())
        .await;
    let asked = peer.asked("workspace/applyEdit").await;
    let changes = asked["params"]["edit"]["documentChanges"]
        .as_array()
        .expect("changes");
    assert_eq!(changes.len(), 4, "{changes:?}");
}

/// Neovim makes files, and says nothing of the form in which such an edit comes.
#[tokio::test(flavor = "multi_thread")]
async fn an_editor_that_makes_files_takes_them_in_the_one_form_that_there_is() {
    let project = project();
    let able = capabilities(
        json!({ "resourceOperations": ["rename", "create", "delete"] }),
        true,
    );
    let mut peer = Peer::on(&project.root, able).await;
    peer.ready().await;
    let action = actions(&mut peer, &project.code, (4, 24), "Check")
        .await
        .remove(0);
    let action = peer.ask("codeAction/resolve", action).await;
    let changes = action["edit"]["documentChanges"]
        .as_array()
        .expect("changes");
    assert_eq!(changes[0]["kind"], "create");
    assert_eq!(changes.len(), 4, "{changes:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_editor_that_makes_no_files_is_told_who_does() {
    let project = project();
    let mut peer = Peer::on(&project.root, capabilities(json!({}), true)).await;
    peer.ready().await;
    let action = actions(&mut peer, &project.code, (4, 24), "Check")
        .await
        .remove(0);
    let action = peer.ask("codeAction/resolve", action).await;
    assert_eq!(action["edit"], Value::Null);
    let why = peer.told("window/showMessage").await;
    let why = why["message"].as_str().expect("words");
    assert!(why.contains("telltale inner add"), "{why}");
}

/// What stands on the disk does not count for files that are open: the edit fits the text that is not saved.
#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_not_saved_are_changed_as_they_are() {
    let project = project();
    let mut peer = Peer::on(&project.root, whole()).await;
    peer.ready().await;
    let code = format!("// one line more\n{CODE}");
    let test = format!("// one\n// two\n{TEST}");
    peer.open(&uri(&project.code), &code).await;
    peer.open(&uri(&project.test), &test).await;
    let action = actions(&mut peer, &project.code, (5, 24), "Check")
        .await
        .remove(0);
    let action = peer.ask("codeAction/resolve", action).await;
    let changes = action["edit"]["documentChanges"]
        .as_array()
        .expect("changes");
    for (file, line) in [(&project.code, 6), (&project.test, 5)] {
        let own = changes
            .iter()
            .find(|c| c["textDocument"]["uri"] == uri(file))
            .expect("it is changed");
        assert!(own["textDocument"]["version"].is_i64(), "{own}");
        assert_eq!(own["edits"][0]["range"]["start"]["line"], line, "{own}");
    }
}

/// The kinds that a client asks for, and the titles that it gets.
async fn of_kind(peer: &mut Peer, file: &Path, at: (u32, u32), only: &[&str]) -> Vec<Value> {
    let at = json!({ "line": at.0, "character": at.1 });
    let params = json!({ "textDocument": { "uri": uri(file) }, "range": { "start": at, "end": at }, "context": { "diagnostics": [], "only": only } });
    let actions = peer.ask("textDocument/codeAction", params).await;
    actions.as_array().cloned().unwrap_or_default()
}

fn titles(actions: &[Value]) -> Vec<&str> {
    let titles = actions.iter().map(|a| a["title"].as_str());
    titles.map(|t| t.expect("a title")).collect()
}

fn whole() -> Value {
    capabilities(
        json!({ "documentChanges": true, "resourceOperations": ["create", "delete"] }),
        true,
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn all_ways_come_to_who_asks_for_them_and_fill_no_light_bulb() {
    let project = project();
    let mut peer = Peer::on(&project.root, whole()).await;
    peer.ready().await;
    let (code, neg) = (&project.code, (4, 24));
    let bulb = actions(&mut peer, code, neg, "Check").await;
    assert_eq!(
        titles(&bulb),
        ["Check neg here in test StatsTest.mixedSigns"]
    );
    // A menu of all that is a refactoring has no more than the light bulb.
    for above in ["refactor", ""] {
        let all = of_kind(&mut peer, code, neg, &[above]).await;
        let checks = titles(&all).into_iter().filter(|t| t.starts_with("Check"));
        assert_eq!(checks.count(), 1, "{above}");
    }
    assert!(
        of_kind(&mut peer, code, neg, &["refactor.rewrite"])
            .await
            .is_empty()
    );
    assert!(
        of_kind(&mut peer, code, neg, &["quickfix"])
            .await
            .is_empty()
    );
    let all = of_kind(&mut peer, code, neg, &["refactor.rewrite.telltale"]).await;
    assert_eq!(
        titles(&all),
        [
            "Check neg here in test StatsTest.mixedSigns",
            "Check that neg >= 0 here in test StatsTest.mixedSigns",
            "Check that this place runs in test StatsTest.mixedSigns",
            "Check that this place does not run in test StatsTest.mixedSigns",
        ],
        "behind the loop it is passed once"
    );
    for (at, writes, on) in [
        (
            1,
            "if (InnerOracle.isOn(\"StatsTest.mixedSigns: neg\")) InnerOracle.that(\"StatsTest.mixedSigns: neg\", neg >= 0, neg);",
            "neg\"))",
        ),
        (
            2,
            "InnerOracle.ran(\"StatsTest.mixedSigns: neg\");",
            "neg\"))",
        ),
        (
            3,
            "InnerOracle.never(\"StatsTest.mixedSigns: neg\");",
            "neg\").never())",
        ),
    ] {
        let action = peer.ask("codeAction/resolve", all[at].clone()).await;
        let edit = action["edit"].to_string().replace("\\\"", "\"");
        assert!(edit.contains(writes) && edit.contains(on), "{edit}");
    }
    let looped = CODE
        .replace("int neg = 0;", "int neg = 0; int last = 0;")
        .replace(
            "if (x < 0) neg++;",
            "int twice = x * 2; if (twice < 0) neg++;",
        );
    peer.open(&uri(code), &looped).await;
    let all = of_kind(&mut peer, code, (4, 20), &["refactor.rewrite.telltale"]).await;
    let times = [
        "",
        " each time",
        " the first time",
        " the 2nd time",
        " the last time",
    ];
    for (action, (words, turn)) in all.iter().zip(times.iter().zip([
        ".last())",
        "twice\"))",
        ".first())",
        ".turn(2))",
        ".last())",
    ])) {
        let title = format!("Check twice here{words} in test StatsTest.mixedSigns");
        assert_eq!(action["title"], title);
        let action = peer.ask("codeAction/resolve", action.clone()).await;
        let edit = action["edit"].to_string().replace("\\\"", "\"");
        assert!(edit.contains(turn), "{title}: {edit}");
    }
}

const UNTESTED: &str = "class Other {
    int twice(int n) {
        int all = n * 2;
        return all;
    }
}
";

#[tokio::test(flavor = "multi_thread")]
async fn where_no_test_runs_it_somebody_chooses_one_or_is_told_how() {
    let project = project();
    let other = project.root.join("src/main/java/Other.java");
    std::fs::write(&other, UNTESTED).expect("written");
    let at = (2, 13);
    // An editor that can have somebody choose.
    let mut choosing = whole();
    choosing["experimental"]["telltaleChoices"] = json!(true);
    let mut peer = Peer::on(&project.root, choosing).await;
    peer.ready().await;
    let offered = actions(&mut peer, &other, at, "Check").await;
    assert_eq!(titles(&offered), ["Check all here: choose a test"]);
    let command = &offered[0]["command"];
    assert_eq!(command["command"], "telltale.chooseOracle");
    let choices = peer
        .command("telltale.inner.choices", command["arguments"].clone())
        .await;
    assert_eq!(choices["name"], "all");
    assert_eq!(choices["condition"], "all >= 0");
    assert_eq!(choices["tests"][0]["runs"], false);
    let mut check = choices["check"].clone();
    check["test"] = choices["tests"][0]["test"].clone();
    check["what"] = json!({ "that": "all > 1" });
    check["turn"] = json!("first");
    peer.command("telltale.inner", json!([check])).await;
    let asked = peer.asked("workspace/applyEdit").await;
    let edit = &asked["params"]["edit"];
    let words = edit.to_string().replace("\\\"", "\"");
    assert!(
        words.contains(", all > 1, all)") && words.contains(".first())"),
        "{words}"
    );
    // What ends the call, a time that there is none of.
    for (what, turn, why) in [
        (
            json!({ "that": "all) + (1" }),
            "first",
            "no Java expression",
        ),
        (json!("tell"), "0", "every, first, last"),
    ] {
        check["what"] = what;
        check["turn"] = json!(turn);
        peer.command("telltale.inner", json!([check])).await;
        let said = peer.told("window/showMessage").await;
        let said = said["message"].as_str().expect("words");
        assert!(said.contains(why), "{said}");
    }
    // Where a test runs it, it is offered first.
    let choices =
        json!([{ "uri": uri(&project.code), "position": { "line": 4, "character": 24 } }]);
    let choices = peer.command("telltale.inner.choices", choices).await;
    assert_eq!(choices["tests"][0]["runs"], true);
    assert_eq!(choices["inLoop"], false);
    let nothing = json!([{ "uri": uri(&other), "position": { "line": 0, "character": 0 } }]);
    let nothing = peer.command("telltale.inner.choices", nothing).await;
    assert_eq!(nothing, Value::Null);

    // Others are told what to do, where they show what is out of reach or when it is chosen.
    let mut peer = Peer::on(&project.root, whole()).await;
    peer.ready().await;
    let offered = actions(&mut peer, &other, at, "Check").await;
    assert_eq!(
        titles(&offered),
        ["Check all here: no test is known to run it"]
    );
    let action = peer.ask("codeAction/resolve", offered[0].clone()).await;
    assert_eq!(action["edit"], Value::Null);
    let said = peer.told("window/showMessage").await;
    let how = "`telltale inner add --test Class#method --at src/main/java/Other.java:3:13`";
    let said = said["message"].as_str().expect("words");
    assert!(said.contains(how), "{said}");
    let mut showing = whole();
    showing["textDocument"]["codeAction"]["disabledSupport"] = json!(true);
    let mut peer = Peer::on(&project.root, showing).await;
    peer.ready().await;
    let offered = actions(&mut peer, &other, at, "Check").await;
    let reason = offered[0]["disabled"]["reason"].as_str().expect("a reason");
    assert!(reason.contains(how), "{reason}");
}
