//! Suspicious assertions as an editor shows them: marks, hover and quick fixes after a recording, as long as they hold.
#![allow(clippy::print_stderr)]

use crate::features::{able, lenses};
use crate::folder::Folder;
use crate::peer::{Peer, uri};
use crate::recording::{cannot_record, record};
use serde_json::{Value, json};

const GENERATED: &str = "src/test/java/algebra/Complex_ESTest.java";
const CODE: &str = "src/main/java/algebra/Complex.java";
const PUBLISH: &str = "textDocument/publishDiagnostics";

fn relating(relates: bool) -> Value {
    let mut all = able();
    all["textDocument"]["publishDiagnostics"] = json!({ "relatedInformation": relates, "codeDescriptionSupport": relates, "tagSupport": { "valueSet": [1, 2] } });
    all["workspace"] =
        json!({ "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create"] } });
    all
}

/// What is told next of a document, of this rule.
async fn told(peer: &mut Peer, uri: &str) -> Vec<Value> {
    loop {
        let told = peer.told(PUBLISH).await;
        if told["uri"] == uri {
            let all = told["diagnostics"].as_array().cloned();
            let mut all = all.expect("diagnostics");
            all.retain(|d| d["code"] == "suspicious-assertion");
            return all;
        }
    }
}

/// A place in a text.
fn place(text: &str, at: usize) -> Value {
    let before = &text[..at];
    let line = before.rfind('\n').map_or(0, |n| n + 1);
    json!({ "line": before.matches('\n').count(), "character": at - line })
}

/// The next message to the user that holds these words.
async fn message(peer: &mut Peer, words: &str) -> String {
    loop {
        let told = peer.told("window/showMessage").await;
        let says = told["message"].as_str().unwrap_or_default();
        if says.contains(words) {
            return says.to_owned();
        }
    }
}

/// The page about the wrong assertion, as an answer and as a file.
async fn evidence(peer: &mut Peer, root: &std::path::Path, command: &Value) {
    let run = |argument: Value| json!({ "command": command["command"], "arguments": [argument] });
    let file = root.join(".telltale/evidence.md");
    let mut only = command["arguments"][0].clone();
    only["show"] = json!(false);
    let page = peer
        .ask("workspace/executeCommand", run(only.clone()))
        .await;
    assert!(!file.exists(), "nobody asked to see it");
    let title = page["title"].as_str().unwrap_or_default();
    assert!(title.starts_with("Complex_ESTest.java:"), "{title}");
    let markdown = page["markdown"].as_str().expect("a text").to_owned();
    for part in [
        "    assertFalse(boolean0)\n",
        "## return.imaginary != 0\n",
        "| algebra.ComplexTest\\#conjugatesAbove() | 20 | -2.0, -3.0, -1.0 |\n",
        "| algebra.Complex\\_ESTest\\#test01() | 1 | **-0.0** |\n",
        "It comes here so: conjugate() gave complex1; equals(complex1) read complex1 and gave boolean0.",
    ] {
        assert!(markdown.contains(part), "{part}: {markdown}");
    }
    let html = page["html"].as_str().expect("a text");
    for part in [
        "<h2>return.imaginary != 0</h2>",
        "<td><strong>-0.0</strong></td>",
        "<title>this test: -0.0</title>",
        "<title>hand-written tests: -3.0, ",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert!(
        !html.contains("<script") && !html.contains("href") && !html.contains("src="),
        "{html}"
    );
    // Opened as a text where the editor shows no page.
    let again = peer
        .ask(
            "workspace/executeCommand",
            run(command["arguments"][0].clone()),
        )
        .await;
    assert_eq!(again, page);
    let shown = peer.asked("window/showDocument").await;
    assert_eq!(shown["params"]["uri"], uri(&file));
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), markdown);
    // Of an assertion that nothing reaches there is none, and that is said.
    only["position"] = json!({ "line": 0, "character": 0 });
    only["show"] = json!(true);
    let none = peer.ask("workspace/executeCommand", run(only)).await;
    assert_eq!(none, Value::Null);
    message(peer, "No violation is known").await;
}

/// The titles of the quick fixes at a range, of those that are linked to a mark or to none.
async fn fixes(peer: &mut Peer, uri: &str, range: &Value, context: Value) -> Vec<String> {
    let is_marked = context["diagnostics"] != json!([]);
    let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": context });
    let actions = peer.ask("textDocument/codeAction", params).await;
    let actions = actions.as_array().cloned().unwrap_or_default();
    let own = actions.iter().filter(|a| a["kind"] == "quickfix");
    let own = own.filter(|a| a["diagnostics"].is_array() == is_marked);
    own.filter_map(|a| a["title"].as_str().map(str::to_owned))
        .collect()
}

/// What can be done about a suspect does not hang on its mark.
async fn without_marks(peer: &mut Peer, test: &str, text: &str, found: &[Value], own: &Value) {
    let mut hovers = Vec::new();
    for (at, _) in text.match_indices("        assert") {
        let params = json!({ "textDocument": { "uri": test }, "position": place(text, at + 8) });
        let hover = peer.ask("textDocument/hover", params).await;
        let says = hover["contents"]["value"].as_str().unwrap_or_default();
        hovers.push((hover["range"].clone(), says.to_owned()));
    }
    let covers = |range: &Value, mark: &Value| {
        let line = |r: &Value| r["start"]["line"].clone();
        line(range) == line(&mark["range"])
    };
    let is_marked = |range: &Value| found.iter().any(|d| covers(range, d));
    let unmarked = |says: &str| {
        let is = |h: &&(Value, String)| h.1.contains(says) && !is_marked(&h.0);
        let first = hovers.iter().find(is);
        first.unwrap_or_else(|| panic!("{says}: {hovers:#?}"))
    };
    let (suspect, _) = unmarked("Not marked: ");
    let (safe, _) = unmarked("Safe, ");
    let none = || json!({ "diagnostics": [] });
    let cursor = json!({ "start": suspect["start"], "end": suspect["start"] });
    let mut line = suspect.clone();
    line["start"]["character"] = json!(0);
    line["end"]["character"] = json!(suspect["end"]["character"].as_u64().expect("one") + 1);
    for range in [suspect, &cursor, &line] {
        let all = fixes(peer, test, range, none()).await;
        let begin = |title: &str| all.iter().filter(|a| a.starts_with(title)).count();
        for title in [
            "Accept this assertion: ",
            "Correct it: ",
            "Remove this assertion",
            "Make it manual: ",
            "Show the evidence",
        ] {
            // *Correct it* may have two ways.
            assert!(matches!(begin(title), 1 | 2), "{title}: {all:#?}");
        }
    }
    let only = |kind: &str| json!({ "diagnostics": [], "only": [kind] });
    let all = fixes(peer, test, suspect, none()).await;
    assert_eq!(fixes(peer, test, suspect, only("quickfix")).await, all);
    let marked = own["range"].clone();
    let nothing = Vec::<String>::new();
    for (range, context) in [
        (suspect, only("refactor")),
        (safe, none()),
        // Of several assertions none is meant.
        (
            &json!({ "start": suspect["start"], "end": { "line": 9999, "character": 0 } }),
            none(),
        ),
    ] {
        assert_eq!(fixes(peer, test, range, context).await, nothing);
    }
    // A client that does not say which mark it asks about gets them, too, and none gets them twice.
    assert_eq!(fixes(peer, test, &marked, none()).await.len(), 5);
    let asked = json!({ "diagnostics": [own] });
    assert_eq!(fixes(peer, test, &marked, asked).await.len(), 5);
}

/// The lens counts the marks, and the list has them for those who see no lens.
async fn listed(peer: &mut Peer, test: &str, found: &[Value]) {
    let of_class = "assertions may be wrong · recorded ";
    let says = format!("{} of 40 {of_class}", found.len());
    let lenses = lenses(peer, test).await.into_iter().map(|l| l.1);
    let own: Vec<String> = lenses.filter(|l| l.contains("wrong")).collect();
    assert_eq!(own.len(), 1, "{own:?}");
    assert!(own[0].starts_with(&says), "{own:?}");
    let list = ranked(peer, json!({ "uri": test })).await;
    let said = list["said"].as_str().unwrap_or_default();
    assert!(said.starts_with(&says), "{said}");
    let all = list["assertions"].as_array().expect("a list");
    assert_eq!(all[0]["rank"], 1);
    let (marks, others) = all.split_at(found.len());
    assert!(marks.iter().all(|a| a["score"].as_f64() >= Some(0.4)));
    for mark in found {
        let is = |a: &&Value| a["range"] == mark["range"] && a["message"] == mark["message"];
        assert_eq!(marks.iter().filter(is).count(), 1, "{all:#?}");
    }
    // What has no mark has its rank, as in a terminal.
    assert_eq!((all.len(), &list["ranked"]), (28, &json!(28)), "{list:#}");
    assert!(said.ends_with(&format!(" · {} more ranked", others.len())));
    for (list, is_marked) in [(marks, true), (others, false)] {
        assert!(list.is_sorted_by_key(|a| a["rank"].as_u64()), "{all:#?}");
        let says = |a: &Value| (&a["marked"], &a["sure"]) == (&json!(is_marked), &json!(false));
        assert!(list.iter().all(says), "{list:#?}");
    }
    let says = |a: &Value| a["message"].as_str().unwrap_or_default().to_owned();
    assert!(
        others.iter().all(|a| says(a).starts_with("Not marked (")),
        "{others:#?}"
    );
    // Fewer, and marks at least.
    let some = ranked(peer, json!({ "uri": test, "most": found.len() + 3 })).await;
    let first: Vec<Value> = all[..found.len() + 3].to_vec();
    assert_eq!(
        (&some["assertions"], &some["ranked"]),
        (&json!(first), &json!(28))
    );
    let said = some["said"].as_str().unwrap_or_default();
    let cut = format!(" · {} more ranked, the first 3 listed", others.len());
    assert!(said.ends_with(&cut), "{said}");
    let none = ranked(peer, json!({ "uri": test, "most": 0 })).await;
    assert_eq!(none["assertions"], json!(marks));
}

async fn ranked(peer: &mut Peer, argument: Value) -> Value {
    let run = json!({ "command": "telltale.suspects", "arguments": [argument] });
    peer.ask("workspace/executeCommand", run).await
}

#[tokio::test(flavor = "multi_thread")]
async fn marks_hover_and_fixes_stand_while_the_code_is_what_ran() {
    if cannot_record() {
        return;
    }
    let project = Folder::of_project("suspects");
    let root = project.path();
    let (test, code) = (uri(&root.join(GENERATED)), uri(&root.join(CODE)));
    let text = std::fs::read_to_string(root.join(GENERATED)).expect("text");
    let marked = text.find("// The one that is wrong").expect("it is marked");
    let wrong = marked
        + text[marked..]
            .find("assertFalse(boolean0)")
            .expect("it is there");
    let at = place(&text, wrong + "assertFalse(".len());

    let mut peer = Peer::on(root, relating(true)).await;
    peer.ready().await;
    peer.open(&test, &text).await;
    let answer = record(&mut peer, json!({ "uri": test, "scope": "folder" })).await;
    assert_eq!(answer["error"], Value::Null, "{answer}");
    let found = told(&mut peer, &test).await;
    let own: Vec<&Value> = found.iter().filter(|d| d["range"]["start"] == at).collect();
    let [own] = own[..] else { panic!("{found:#?}") };
    let message = own["message"].as_str().expect("a message");
    // Few tests are no proof: the faintest mark.
    assert!(
        message.starts_with("Worth a look first (1st of 40): equals() "),
        "{message}"
    );
    assert!(found.iter().all(|d| d["severity"] == 4), "{found:#?}");
    // The code leads to the rule's page.
    let page = root.join(".telltale/rules/suspicious-assertion");
    let page = page.with_extension("md");
    assert_eq!(own["codeDescription"]["href"], uri(&page), "{own:#}");
    assert!(page.is_file());
    let related = own["relatedInformation"].as_array().expect("who taught it");
    let (call, teachers) = related.split_last().expect("both");
    assert_eq!(call["message"], "equals() is called here");
    assert_eq!(call["location"]["uri"], test);
    let line = at["line"].as_u64().map(|line| line - 1);
    assert_eq!(call["location"]["range"]["start"]["line"].as_u64(), line);
    assert!(!teachers.is_empty());
    for r in teachers {
        let path = r["location"]["uri"].as_str().unwrap_or_default();
        assert!(path.ends_with("/algebra/ComplexTest.java"), "{r}");
        let says = r["message"].as_str().unwrap_or_default();
        assert!(says.starts_with("taught by ComplexTest."), "{r}");
    }

    let params = json!({ "textDocument": { "uri": test }, "position": at });
    let hover = peer.ask("textDocument/hover", params).await;
    let said = hover["contents"]["value"].as_str().expect("a text");
    assert!(said.contains("Suspicious: 1st of 40, score "), "{said}");
    assert!(
        said.contains("the result is true exactly when this and other hold the same."),
        "{said}"
    );
    // No name of ours without what it means.
    assert!(!said.contains("alike("), "{said}");
    assert_eq!(
        said.matches("Two objects of one class hold the same if ")
            .count(),
        1,
        "{said}"
    );
    assert!(
        said.contains("It comes here so: equals(complex1) gave boolean0."),
        "{said}"
    );
    // Other constraints are broken elsewhere, which is said beside them, each way once.
    let gave = "conjugate() gave complex1; equals(complex1) read complex1 and gave boolean0.";
    let other = format!(" had run. It comes here so: {gave}");
    assert_eq!(said.matches(&other).count(), 1, "{said}");
    // It changes nothing, and leaves nothing behind.
    assert!(!said.contains(" left it in "), "{said}");
    assert_eq!(said.matches("It comes here so: ").count(), 2, "{said}");

    let params = json!({ "textDocument": { "uri": test }, "range": own["range"], "context": { "diagnostics": [own] } });
    let actions = peer.ask("textDocument/codeAction", params).await;
    let actions = actions.as_array().cloned().unwrap_or_default();
    let edit = |title: &str| {
        let is = |a: &&Value| a["title"].as_str().is_some_and(|t| t.starts_with(title));
        let it = actions.iter().find(is);
        let it = it.unwrap_or_else(|| panic!("{title}: {actions:#?}"));
        assert_eq!(it["kind"], "quickfix");
        it["edit"]["documentChanges"].clone()
    };
    let new_text = |change: &Value| change["edits"][0]["newText"].as_str().map(str::to_owned);
    let correct = edit("Correct it: assertTrue, ");
    assert_eq!(correct[0]["textDocument"]["uri"], test, "{correct}");
    assert_eq!(
        new_text(&correct[0]).as_deref(),
        Some("assertTrue"),
        "{correct}"
    );
    let remove = edit("Remove this assertion");
    let line = at["line"].as_u64().expect("a line");
    let whole = json!({ "start": { "line": line, "character": 0 }, "end": { "line": line + 1, "character": 0 } });
    assert_eq!(remove[0]["edits"][0]["range"], whole);
    assert_eq!(new_text(&remove[0]).as_deref(), Some(""));
    let kinds = actions.iter().filter(|a| a["kind"] == "quickfix");
    // A comment that silences would be gone when the test is generated anew.
    assert_eq!(kinds.count(), 5, "{actions:#?}");
    let has_mark = |a: &&Value| a["diagnostics"] == json!([own]);
    assert_eq!(actions.iter().filter(has_mark).count(), 5, "{actions:#?}");
    without_marks(&mut peer, &test, &text, &found, own).await;
    listed(&mut peer, &test, &found).await;
    // One change of both files.
    let moves = edit("Make it manual: ");
    let files: Vec<&Value> = moves
        .as_array()
        .expect("changes")
        .iter()
        .map(|c| &c["textDocument"]["uri"])
        .collect();
    let manual = uri(&root.join("src/test/java/algebra/ComplexTest.java"));
    assert_eq!(files, [&json!(test), &json!(manual)], "{moves:#}");
    let inserted = moves[1]["edits"].as_array().expect("edits").last();
    let inserted = inserted
        .and_then(|e| e["newText"].as_str())
        .unwrap_or_default();
    assert!(
        inserted.contains("    // The one that is wrong: a real number is its own conjugate.\n    @Test\n    void test01() throws Throwable {\n"),
        "{inserted}"
    );
    let shows = actions.iter().find(|a| a["title"] == "Show the evidence");
    evidence(&mut peer, root, &shows.expect("it is offered")["command"]).await;

    // As an editor accepts it, and takes that back.
    let accept = edit("Accept this assertion");
    let file = root.join("telltale-dismissed.toml");
    assert_eq!(
        (&accept[0]["kind"], &accept[0]["uri"]),
        (&json!("create"), &json!(uri(&file)))
    );
    let entry = new_text(&accept[1]).expect("an entry");
    assert!(
        entry.contains("assertion = \"assertFalse(boolean0)\""),
        "{entry}"
    );
    let changed = json!({ "changes": [{ "uri": uri(&file), "type": 1 }] });
    std::fs::write(&file, &entry).expect("written");
    peer.notify("workspace/didChangeWatchedFiles", changed.clone())
        .await;
    let accepted = told(&mut peer, &test).await;
    assert!(
        accepted.iter().all(|d| d["range"]["start"] != at),
        "{accepted:#?}"
    );
    std::fs::remove_file(&file).expect("removed");
    peer.notify("workspace/didChangeWatchedFiles", changed)
        .await;
    assert_eq!(told(&mut peer, &test).await, found);

    // All that the tests run is other code now.
    let source = std::fs::read_to_string(root.join(CODE)).expect("text");
    let edited = source.replace(
        "this.imaginary = imaginary;",
        "this.imaginary = imaginary + 0;",
    );
    assert_ne!(edited, source);
    peer.open(&code, &edited).await;
    let stale = told(&mut peer, &test).await;
    let places = |all: &[Value]| all.iter().map(|d| d["range"].clone()).collect::<Vec<_>>();
    assert_eq!(places(&stale), places(&found));
    for (old, fresh) in stale.iter().zip(&found) {
        assert_eq!(
            (&old["severity"], &old["tags"]),
            (&json!(4), &json!([1])),
            "{old}"
        );
        let was = fresh["message"].as_str().unwrap_or_default();
        let says = format!("Recorded with other code, record it again to know: {was}");
        assert_eq!(old["message"], says);
    }
    let params = json!({ "textDocument": { "uri": test }, "range": stale[0]["range"], "context": { "diagnostics": [stale[0]] } });
    let actions = peer.ask("textDocument/codeAction", params).await;
    let all = actions.as_array().cloned().unwrap_or_default();
    assert!(all.iter().all(|a| a["kind"] != "quickfix"), "{all:#?}");
    // An assertion that is another has no past.
    let other = text.replace("assertFalse(boolean0)", "assertFalse(!boolean0)");
    assert_ne!(other, text);
    let whole = |text: &str| json!([{ "text": text }]);
    peer.change(&test, 2, whole(&other)).await;
    let less = told(&mut peer, &test).await;
    assert!(!places(&less).contains(&own["range"]), "{less:#?}");
    assert_eq!(less.len() + 1, stale.len(), "{less:#?}");
    // As it ran, all of it is fresh again.
    peer.change(&test, 3, whole(&text)).await;
    peer.change(&code, 2, whole(&source)).await;
    assert_eq!(told(&mut peer, &test).await, found);
    peer.change(&code, 3, whole(&edited)).await;
    told(&mut peer, &test).await;
    let params = json!({ "textDocument": { "uri": test }, "position": at });
    let hover = peer.ask("textDocument/hover", params).await;
    let said = hover["contents"]["value"].as_str().expect("a text");
    assert!(
        said.contains("Not judged: its test was recorded with other code."),
        "{said}"
    );

    // Another client, which finds what was recorded, cannot show what it relates to, and has no lenses.
    let mut less = relating(false);
    let all = less["textDocument"].as_object_mut();
    all.expect("an object").remove("codeLens");
    // Nor does it make files.
    less["workspace"] = json!({});
    let mut other = Peer::on(root, less).await;
    other.ready().await;
    other.open(&test, &text).await;
    let again = told(&mut other, &test).await;
    let starts = |all: &[Value]| all.iter().map(|d| d["range"].clone()).collect::<Vec<_>>();
    assert_eq!(starts(&again), starts(&found));
    for name in ["relatedInformation", "codeDescription"] {
        assert!(again.iter().all(|d| d.get(name).is_none()), "{again:#?}");
    }
    let whole =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9999, "character": 0 } });
    let params = json!({ "textDocument": { "uri": test }, "range": whole });
    let hints = other.ask("textDocument/inlayHint", params).await;
    let says = format!(
        "◂ {} of 40 assertions may be wrong · recorded ",
        found.len()
    );
    let labels = hints.as_array().expect("hints").iter();
    let labels: Vec<&str> = labels.filter_map(|h| h["label"].as_str()).collect();
    let of_class = labels.iter().filter(|l| l.starts_with(&says));
    assert_eq!(of_class.count(), 1, "{labels:#?}");
    // What is accepted there the server remembers.
    let is_own = |d: &&Value| d["range"]["start"] == at;
    let own = again.iter().find(is_own).expect("its mark");
    let params = json!({ "textDocument": { "uri": test }, "range": own["range"], "context": { "diagnostics": [own] } });
    let actions = other.ask("textDocument/codeAction", params).await;
    let actions = actions.as_array().cloned().unwrap_or_default();
    let is_it = |a: &&Value| a["title"] == "Accept this assertion: it is right";
    let accept = actions.iter().find(is_it).expect("it is offered");
    assert_eq!(accept["edit"], Value::Null, "{accept:#}");
    assert!(!file.exists(), "nothing is written unasked");
    let run = json!({ "command": accept["command"]["command"], "arguments": accept["command"]["arguments"] });
    other.ask("workspace/executeCommand", run).await;
    let accepted = told(&mut other, &test).await;
    assert!(!accepted.iter().any(|d| is_own(&d)), "{accepted:#?}");
    assert_eq!(std::fs::read_to_string(&file).expect("it is made"), entry);
}

const CART: &str = "package shop;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
class CartTest {
    @Test void size() { assertEquals(0, new Cart().size()); }
}
";

/// A class that no tool signed counts as generated once its user says so.
#[tokio::test(flavor = "multi_thread")]
async fn a_class_is_reviewed_as_a_generated_one() {
    let code = "package shop; class Cart { int size() { return 0; } }";
    let project = Folder::new(&[
        ("src/main/java/shop/Cart.java", code),
        ("src/test/java/shop/CartTest.java", CART),
    ]);
    let root = project.path();
    let (test, cart) = (
        uri(&root.join("src/test/java/shop/CartTest.java")),
        uri(&root.join("src/main/java/shop/Cart.java")),
    );
    let mut all = relating(false);
    all["workspace"]["applyEdit"] = json!(true);
    let mut peer = Peer::on(root, all).await;
    peer.ready().await;
    peer.open(&test, CART).await;
    peer.open(&cart, code).await;
    let title = "Review the assertions of this class as generated ones";
    async fn offered(peer: &mut Peer, uri: &str, at: Value) -> Vec<Value> {
        let params = json!({ "textDocument": { "uri": uri }, "range": { "start": at, "end": at }, "context": { "diagnostics": [] } });
        let actions = peer.ask("textDocument/codeAction", params).await;
        actions.as_array().cloned().unwrap_or_default()
    }
    let name = place(CART, CART.find("CartTest").expect("a name"));
    let actions = offered(&mut peer, &test, name.clone()).await;
    let action = actions.iter().find(|a| a["title"] == title);
    let command = action.unwrap_or_else(|| panic!("{actions:#?}"))["command"].clone();
    // Not elsewhere, and not of code that is no test.
    let inside = place(CART, CART.find("assertEquals(0").expect("a call"));
    let of_code = place(code, code.find("Cart {").expect("a name"));
    for (uri, at) in [(&test, inside), (&cart, of_code)] {
        let others = offered(&mut peer, uri, at).await;
        assert!(others.iter().all(|a| a["title"] != title), "{others:#?}");
    }
    let run = json!({ "command": "telltale.review", "arguments": [{ "uri": cart }] });
    peer.ask("workspace/executeCommand", run).await;
    message(&mut peer, "There are no tests in this file.").await;
    let why = |uri: &str| json!({ "command": "telltale.suspects", "arguments": [{ "uri": uri }] });
    let list = peer.ask("workspace/executeCommand", why(&test)).await;
    let says = "No test of this file counts as generated";
    assert_eq!(list, json!({ "said": says, "ranked": 0, "assertions": [] }));

    let run = json!({ "command": command["command"], "arguments": command["arguments"] });
    peer.ask("workspace/executeCommand", run.clone()).await;
    let asked = peer.asked("workspace/applyEdit").await;
    let changes = &asked["params"]["edit"]["documentChanges"];
    let file = root.join("telltale.toml");
    assert_eq!(
        (&changes[0]["kind"], &changes[0]["uri"]),
        (&json!("create"), &json!(uri(&file)))
    );
    let text = changes[1]["edits"][0]["newText"].as_str().expect("a text");
    assert_eq!(
        text,
        "[tests]\ngenerated = [\"/src/test/java/shop/CartTest.java\"]\n"
    );
    std::fs::write(&file, text).expect("written");
    let changed = json!({ "changes": [{ "uri": uri(&file), "type": 1 }] });
    peer.notify("workspace/didChangeWatchedFiles", changed)
        .await;
    // The project is read again, in the background.
    peer.idle().await;
    let actions = offered(&mut peer, &test, name).await;
    assert!(actions.iter().all(|a| a["title"] != title), "{actions:#?}");
    peer.ask("workspace/executeCommand", run).await;
    message(&mut peer, "count as generated").await;
    let list = peer.ask("workspace/executeCommand", why(&test)).await;
    assert_eq!(list["said"], "The tests of this file were not recorded");
}

#[tokio::test(flavor = "multi_thread")]
async fn where_an_editor_makes_no_files_the_server_writes_which_class_is_reviewed() {
    let path = "src/test/java/shop/CartTest.java";
    let project = Folder::new(&[(path, CART)]);
    let root = project.path();
    let test = uri(&root.join(path));
    let mut all = relating(false);
    all["workspace"]["applyEdit"] = json!(true);
    all["workspace"]["workspaceEdit"]["resourceOperations"] = json!([]);
    // Nor may it be asked for an edit: then there is only the server.
    {
        let mut all = all.clone();
        all["workspace"]["applyEdit"] = json!(false);
        let mut peer = Peer::on(root, all).await;
        peer.ready().await;
        peer.open(&test, CART).await;
        assert_eq!(reviews(&mut peer, &test).await, 1);
        std::fs::write(root.join("telltale.toml"), "").expect("written");
        assert_eq!(reviews(&mut peer, &test).await, 0);
        std::fs::remove_file(root.join("telltale.toml")).expect("gone");
    }
    let mut peer = Peer::on(root, all).await;
    peer.ready().await;
    peer.open(&test, CART).await;
    let run = json!({ "command": "telltale.review", "arguments": [{ "uri": test }] });
    peer.ask("workspace/executeCommand", run.clone()).await;
    message(&mut peer, "Remembered in telltale.toml").await;
    let file = root.join("telltale.toml");
    let written = std::fs::read_to_string(&file).expect("it is made");
    assert_eq!(written, format!("[tests]\ngenerated = [\"/{path}\"]\n"));
    // The client tells nothing of it.
    peer.idle().await;
    peer.ask("workspace/executeCommand", run.clone()).await;
    message(&mut peer, "count as generated").await;
    // A file that is there is the editor's to change.
    std::fs::write(&file, "# ours\n").expect("written");
    let changed = json!({ "changes": [{ "uri": uri(&file), "type": 2 }] });
    peer.notify("workspace/didChangeWatchedFiles", changed)
        .await;
    peer.idle().await;
    peer.ask("workspace/executeCommand", run).await;
    let asked = peer.asked("workspace/applyEdit").await;
    let changes = &asked["params"]["edit"]["documentChanges"];
    assert_eq!(changes.as_array().map(Vec::len), Some(1), "{changes}");
    let ours = std::fs::read_to_string(&file).expect("it is there");
    assert_eq!(ours, "# ours\n");
}

/// How many actions on the name of the class have it reviewed.
async fn reviews(peer: &mut Peer, uri: &str) -> usize {
    let at = place(CART, CART.find("CartTest").expect("a name"));
    let params = json!({ "textDocument": { "uri": uri }, "range": { "start": at, "end": at }, "context": { "diagnostics": [] } });
    let actions = peer.ask("textDocument/codeAction", params).await;
    let actions = actions.as_array().cloned().unwrap_or_default();
    let of = |a: &&Value| a["command"]["command"] == "telltale.review";
    actions.iter().filter(of).count()
}
