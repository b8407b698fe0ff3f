//! Which tests run and check a line, as an editor asks for it: by the command, both ways, and above methods where that is switched on.

use crate::features::able;
use crate::folder::Folder;
use crate::peer::{Peer, uri};
use crate::recording::{cannot_record, record};
use serde_json::{Value, json};

const CODE: &str = "src/main/java/shop/Cart.java";
const TEST: &str = "src/test/java/shop/CartTest.java";
const COMMAND: &str = "telltale.checked";

const CART: &str = "package shop;

import java.util.ArrayList;
import java.util.List;

public class Cart {
    private final List<Integer> prices = new ArrayList<>();
    private int dropped;

    public void add(int price) {
        prices.add(price);
    }

    public int size() {
        return prices.size();
    }

    public void drop() {
        dropped++;
    }

    public int total() {
        return prices.stream().mapToInt(p -> p).sum();
    }
}
";

const CART_TEST: &str = "package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CartTest {
    @Test
    void adds() {
        Cart cart = new Cart();
        cart.add(3);
        assertEquals(1, cart.size());
    }

    @Test
    void runs() {
        Cart cart = new Cart();
        cart.add(2);
        cart.drop();
    }
}
";

fn project() -> Folder {
    let build = include_str!("../../../../tests/demo/pom.xml");
    Folder::new(&[("pom.xml", build), (CODE, CART), (TEST, CART_TEST)])
}

/// Where some words stand.
fn place(text: &str, words: &str) -> Value {
    let at = text.find(words).expect("it occurs");
    let line = text[..at].matches('\n').count();
    let character = at - text[..at].rfind('\n').map_or(0, |n| n + 1);
    json!({ "line": line, "character": character })
}

/// The range of some words on one line.
fn range(text: &str, words: &str) -> Value {
    let start = place(text, words);
    let mut end = start.clone();
    end["character"] = json!(start["character"].as_u64().expect("a column") + words.len() as u64);
    json!({ "start": start, "end": end })
}

/// What is answered of where some words stand.
async fn asked(peer: &mut Peer, uri: &str, text: &str, words: &str) -> Value {
    let argument = json!([{ "uri": uri, "position": place(text, words) }]);
    peer.command(COMMAND, argument).await
}

/// What stands above the methods of a file about tests that run them, with its line from 0 and its command.
async fn above(peer: &mut Peer, uri: &str) -> Vec<(u64, String, Value)> {
    let params = json!({ "textDocument": { "uri": uri } });
    let lenses = peer.ask("textDocument/codeLens", params).await;
    let mut out = Vec::new();
    for lens in lenses.as_array().cloned().unwrap_or_default() {
        let command = lens.get("command").unwrap_or(&Value::Null);
        assert!(command.is_null(), "its words are told when it is asked for");
        let line = lens["range"]["start"]["line"].as_u64().expect("a line");
        let lens = peer.ask("codeLens/resolve", lens).await;
        let title = lens["command"]["title"].as_str().expect("a title");
        if title.contains("run by") {
            out.push((line, title.to_owned(), lens["command"].clone()));
        }
    }
    out
}

async fn switch(peer: &mut Peer, on: bool) {
    let settings = json!({ "settings": { "telltale": { "lens": { "checked": on } } } });
    peer.notify("workspace/didChangeConfiguration", settings)
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nothing_was_recorded_it_says_what_to_do() {
    let project = project();
    let (code, test) = (
        uri(&project.path().join(CODE)),
        uri(&project.path().join(TEST)),
    );
    let mut peer = Peer::on(project.path(), able()).await;
    peer.ready().await;
    switch(&mut peer, true).await;
    assert_eq!(above(&mut peer, &code).await, []);
    let why = "Nobody knows yet which lines tests run: record them first (the command telltale.record, or telltale record in a terminal)";
    let expected = json!({ "said": why });
    assert_eq!(asked(&mut peer, &code, CART, "dropped++").await, expected);
    assert_eq!(
        asked(&mut peer, &test, CART_TEST, "cart.add(3)").await,
        expected
    );
    // Where an editor shows no list it is said.
    let shown = json!([{ "uri": code, "position": place(CART, "dropped++"), "show": true }]);
    peer.command(COMMAND, shown).await;
    let said = peer.told("window/showMessage").await;
    assert_eq!(said["message"], format!("Telltale: {why}"));
    for wrong in [
        json!([]),
        json!([{ "uri": code }]),
        json!([{ "position": place(CART, "dropped++") }]),
        json!([{ "uri": code, "position": "there" }]),
    ] {
        let params = json!({ "command": COMMAND, "arguments": wrong });
        let id = peer.request("workspace/executeCommand", params).await;
        let refused = peer.answer(id).await;
        assert_eq!(refused["error"]["code"], -32602, "{wrong}: {refused}");
    }
    // What is no Java file of the project has no answer.
    let other = json!([{ "uri": uri(&project.path().join("pom.xml")), "position": place(CART, "package") }]);
    assert_eq!(peer.command(COMMAND, other).await, Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_tells_its_tests_and_a_test_its_lines_while_they_are_what_ran() {
    if cannot_record() {
        return;
    }
    let project = project();
    let root = project.path();
    let (code, test) = (uri(&root.join(CODE)), uri(&root.join(TEST)));
    let mut peer = Peer::on(root, able()).await;
    peer.ready().await;
    let answer = record(&mut peer, json!({ "uri": code, "scope": "folder" })).await;
    assert_eq!(answer["tests"], 2, "{answer}");
    peer.idle().await;

    // From a line to its tests, the one that checks it first.
    let tests = json!([
        { "test": "shop.CartTest#adds()", "checks": true, "uri": test, "range": range(CART_TEST, "adds") },
        { "test": "shop.CartTest#runs()", "checks": false, "uri": test, "range": range(CART_TEST, "runs") },
    ]);
    let said = asked(&mut peer, &code, CART, "prices.add(price)").await;
    assert_eq!(
        said,
        json!({ "said": "Run by 2 tests, checked by 1", "run_by": 2, "checked_by": 1, "looked_at": 2,
            "unchecked": false, "stale": 0, "tests": tests })
    );
    let line = place(CART, "        prices.add(price)");
    let again = peer
        .command(COMMAND, json!([{ "uri": code, "position": line }]))
        .await;
    assert_eq!(
        again.to_string(),
        said.to_string(),
        "wherever the cursor is in the line, and in the same order"
    );
    let nobody = asked(&mut peer, &code, CART, "dropped++").await;
    assert_eq!(nobody["said"], "Run by 1 test, checked by nobody");
    assert_eq!(nobody["unchecked"], true);
    // A method by the line of its name, or by its name.
    let expected = json!({ "said": "Cart.add: run by 2 tests, checked by 1", "run_by": 2, "checked_by": 1,
        "looked_at": 2, "unchecked": false, "stale": 0, "tests": tests });
    assert_eq!(
        asked(&mut peer, &code, CART, "public void add").await,
        expected
    );
    let named = json!([{ "uri": code, "name": "shop.Cart#add(int)" }]);
    assert_eq!(peer.command(COMMAND, named).await, expected);
    for (words, why) in [
        (
            "prices.stream()",
            "No test that was recorded runs this line",
        ),
        (
            "public int total",
            "No test that was recorded runs Cart.total",
        ),
        (
            "private int dropped",
            "This line is of no method: of fields and their initialisers nobody knows which tests run them",
        ),
    ] {
        let answer = asked(&mut peer, &code, CART, words).await;
        assert_eq!(answer, json!({ "said": why }), "{words}");
    }
    let gone = json!([{ "uri": code, "name": "shop.Cart#gone()" }]);
    assert_eq!(
        peer.command(COMMAND, gone).await,
        json!({ "said": "That method is not there any more" })
    );

    // From a test to its lines.
    let lines = |line: &str, checked: bool| json!({ "range": range(CART, line), "checked": checked, "text": line });
    let expected = json!({
        "said": "CartTest.runs runs 2 lines and checks 0",
        "test": "shop.CartTest#runs()",
        "files": [{ "uri": code, "path": CODE, "run": 2, "checked": 0,
            "lines": [lines("prices.add(price);", false), lines("dropped++;", false)] }],
    });
    assert_eq!(
        asked(&mut peer, &test, CART_TEST, "cart.drop()").await,
        expected
    );
    let named = json!([{ "uri": test, "name": "shop.CartTest#runs()" }]);
    assert_eq!(peer.command(COMMAND, named).await, expected);
    let adds = asked(&mut peer, &test, CART_TEST, "@Test").await;
    assert_eq!(adds["said"], "CartTest.adds runs 2 lines and checks 2");
    let outside = asked(&mut peer, &test, CART_TEST, "class CartTest").await;
    assert!(
        outside["said"]
            .as_str()
            .is_some_and(|s| s.starts_with("No test stands here")),
        "{outside}"
    );

    // Above methods only where somebody switched it on; what a lens runs is the command.
    assert_eq!(above(&mut peer, &code).await, []);
    switch(&mut peer, true).await;
    let line = |words: &str| place(CART, words)["line"].as_u64().expect("a line");
    let run =
        |name: &str| json!([{ "uri": code, "name": format!("shop.Cart#{name}"), "show": true }]);
    let lenses = above(&mut peer, &code).await;
    let said: Vec<(u64, &str, &Value)> = lenses
        .iter()
        .map(|(line, title, command)| (*line, title.as_str(), &command["arguments"]))
        .collect();
    assert_eq!(
        said,
        [
            (
                line("void add"),
                "run by 2 tests, checked by 1",
                &run("add(int)")
            ),
            (
                line("int size"),
                "run by 1 test, checked by 1",
                &run("size()")
            ),
            (
                line("void drop"),
                "run by 1 test, checked by none",
                &run("drop()")
            ),
        ]
    );
    assert!(lenses.iter().all(|l| l.2["command"] == COMMAND));
    peer.ask("workspace/executeCommand", lenses[0].2.clone())
        .await;
    loop {
        let told = peer.told("window/showMessage").await;
        if told["message"] == "Telltale: Cart.add: run by 2 tests, checked by 1: CartTest.adds" {
            break;
        }
    }

    // Code that changed: no lens, and the answer says what to do. Of the other methods what is fresh stays.
    let edited = CART.replace("dropped++;", "dropped += 1;");
    peer.open(&code, &edited).await;
    let titles: Vec<String> = above(&mut peer, &code)
        .await
        .into_iter()
        .map(|l| l.1)
        .collect();
    assert_eq!(
        titles,
        ["run by 1 test, checked by 1", "run by 1 test, checked by 1"]
    );
    let stale = asked(&mut peer, &code, &edited, "dropped += 1").await;
    assert_eq!(
        stale,
        json!({ "said": "1 test ran this line before the code changed: record again" })
    );
    let partly = asked(&mut peer, &code, &edited, "prices.add(price)").await;
    assert_eq!(
        partly["said"],
        "Run by 1 test, checked by 1; 1 test ran it before the code changed"
    );
    assert_eq!(partly["stale"], 1);
    let stale = asked(&mut peer, &test, CART_TEST, "cart.drop()").await;
    assert_eq!(
        stale,
        json!({ "said": "CartTest.runs was recorded with other code: record it again" })
    );
    // Taken back, all is as before.
    peer.change(&code, 2, json!([{ "text": CART }])).await;
    assert_eq!(above(&mut peer, &code).await.len(), 3);
    switch(&mut peer, false).await;
    assert_eq!(above(&mut peer, &code).await, []);
}
