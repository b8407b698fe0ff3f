//! What no test notices, as an editor asks for it: marked with the assertion that would have told, as long as the code is what
//! ran.

use crate::features::able;
use crate::folder::Folder;
use crate::peer::{Peer, uri};
use crate::recording::cannot_record;
use serde_json::{Value, json};

const CODE: &str = "src/main/java/shop/Cart.java";
const TEST: &str = "src/test/java/shop/CartTest.java";
const COMMAND: &str = "telltale.mutants";

const CART: &str = "package shop;

import java.util.ArrayList;
import java.util.List;

public class Cart {
    private final List<Integer> prices = new ArrayList<>();

    public void add(int price) {
        if (price > 0) {
            prices.add(price);
        }
    }

    public int size() {
        return prices.size();
    }

    public void clear() {
        prices.clear();
    }
}
";

const CART_TEST: &str = "package shop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CartTest {
    @Test
    void adds() {
        Cart cart = new Cart();
        cart.add(3);
        assertTrue(cart.size() > 0);
        cart.add(0);
    }

    @Test
    void clears() {
        Cart cart = new Cart();
        cart.add(2);
        cart.clear();
    }
}
";

fn project() -> Folder {
    let build = include_str!("../../../../tests/demo/pom.xml");
    Folder::new(&[("pom.xml", build), (CODE, CART), (TEST, CART_TEST)])
}

/// What is told of the code until it is as wanted: code, line, message, and whether it is greyed.
async fn told(peer: &mut Peer, wanted: impl Fn(&[String]) -> bool) -> Vec<Value> {
    loop {
        let told = peer.told("textDocument/publishDiagnostics").await;
        let all = told["diagnostics"].as_array().cloned().unwrap_or_default();
        let is_of_code = told["uri"]
            .as_str()
            .is_some_and(|u| u.ends_with("/Cart.java"));
        if is_of_code && wanted(&all.iter().map(line).collect::<Vec<_>>()) {
            return all;
        }
    }
}

fn line(d: &Value) -> String {
    let grey = match d["tags"] == json!([1]) {
        true => " (grey)",
        false => "",
    };
    let line = d["range"]["start"]["line"].as_u64().map_or(0, |l| l + 1);
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    format!("{line} {}{grey} {}", text(&d["code"]), text(&d["message"]))
}

async fn actions(peer: &mut Peer, uri: &str, range: &Value, diagnostics: &[Value]) -> Vec<Value> {
    let context = json!({ "diagnostics": diagnostics });
    let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": context });
    let all = peer.ask("textDocument/codeAction", params).await;
    all.as_array().cloned().unwrap_or_default()
}

/// The rules as the client has them from now on.
async fn settings(peer: &mut Peer, rules: Value) {
    let params = json!({ "settings": { "telltale": { "rules": rules } } });
    peer.notify("workspace/didChangeConfiguration", params)
        .await;
}

async fn message(peer: &mut Peer, words: &str) {
    loop {
        let told = peer.told("window/showMessage").await;
        let says = told["message"].as_str().unwrap_or_default();
        if says.contains(words) {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn survivors_are_marked_with_what_would_have_told_while_the_code_is_what_ran() {
    if cannot_record() {
        return;
    }
    let project = project();
    let root = project.path();
    let (code, test) = (uri(&root.join(CODE)), uri(&root.join(TEST)));
    let mut able = able();
    able["window"]["workDoneProgress"] = json!(true);
    able["textDocument"]["publishDiagnostics"] =
        json!({ "tagSupport": { "valueSet": [1] }, "codeDescriptionSupport": true });
    let mut peer = Peer::on(root, able).await;
    peer.ready().await;
    peer.open(&code, CART).await;

    // A method of the code offers it at its name and of what is selected in it, one of tests does not.
    let place = |line: u32| json!({ "line": line, "character": 10 });
    let at = |line: u32| json!({ "start": place(line), "end": place(line) });
    let offered = |a: &&Value| a["command"]["command"] == COMMAND;
    let all = actions(&mut peer, &code, &at(9), &[]).await;
    assert!(!all.iter().any(|a| offered(&a)), "{all:#?}");
    let selected = json!({ "start": place(9), "end": place(10) });
    let all = actions(&mut peer, &code, &selected, &[]).await;
    assert!(all.iter().any(|a| offered(&a)), "{all:#?}");
    let all = actions(&mut peer, &code, &at(8), &[]).await;
    let own = all.iter().find(offered).expect("it is offered");
    assert_eq!(own["title"], "Look for what no test notices in Cart.add");
    let mut argument = own["command"]["arguments"][0].clone();
    let all = actions(&mut peer, &test, &at(10), &[]).await;
    assert!(!all.iter().any(|a| offered(&a)), "{all:#?}");
    let refused = json!([{ "uri": test, "position": place(10), "wait": true }]);
    let answer = peer.command(COMMAND, refused).await;
    assert_eq!(answer["started"], false);

    // As the action asks for it.
    argument["wait"] = json!(true);
    let answer = peer.command(COMMAND, json!([argument])).await;
    assert_eq!(answer["error"], Value::Null, "{answer}");
    assert_eq!(
        (&answer["mutants"], &answer["survived"]),
        (&json!(2), &json!(1))
    );
    let steps: Vec<String> = peer
        .rest()
        .iter()
        .filter_map(|m| Some(m["params"]["value"]["message"].as_str()?.to_owned()))
        .collect();
    for what in ["Running the tests", "Running the tests with a mutant each"] {
        assert!(steps.iter().any(|s| s.starts_with(what)), "{steps:?}");
    }
    let survives = "10 survived No test notices that `>` became `>=` in `price > 0` (2 tests run it). `cart.size()` tells: it is 1, and would be 2, in CartTest.adds";

    // The next method is beside it, the one that can go before all others.
    let answer = peer
        .command(
            COMMAND,
            json!([{ "uri": code, "position": place(19), "wait": true }]),
        )
        .await;
    assert_eq!(answer["pseudo_tested"], 1, "{answer}");
    let found = told(&mut peer, |lines| {
        lines.len() == 3 && lines.iter().all(|l| l.contains(" tells: "))
    })
    .await;
    let lines: Vec<String> = found.iter().map(line).collect();
    assert_eq!(lines[1], survives, "{lines:#?}");
    let pseudo = "19 pseudo-tested Pseudo-tested: all of Cart.clear can be left out, and no test fails (1 test runs it). `cart.size()` tells: it is 0, and would be 1, in CartTest.clears";
    assert_eq!(lines[0], pseudo, "{lines:#?}");
    assert!(found.iter().all(|d| d["severity"] == 4), "{found:#?}");
    // The codes lead to their pages.
    for d in &found {
        let name = d["code"].as_str().expect("a code");
        let page = root.join(".telltale/rules").join(format!("{name}.md"));
        assert_eq!(d["codeDescription"]["href"], uri(&page), "{d:#}");
        let text = std::fs::read_to_string(&page).expect("the page");
        assert!(text.starts_with(&format!("# `{name}`: ")), "{text}");
    }

    // Each has its level, and its switch.
    settings(
        &mut peer,
        json!({ "pseudo-tested": "off", "survived": "warning" }),
    )
    .await;
    let loud = told(&mut peer, |lines| lines.len() == 2).await;
    assert!(loud.iter().all(|d| d["code"] == "survived"), "{loud:#?}");
    assert!(loud.iter().all(|d| d["severity"] == 2), "{loud:#?}");
    settings(&mut peer, json!({ "survived": "off" })).await;
    let one = told(&mut peer, |lines| lines.len() == 1).await;
    assert_eq!(line(&one[0]), pseudo);
    let all = actions(&mut peer, &code, &found[1]["range"], &found[1..2]).await;
    assert!(!all.iter().any(|a| a["kind"] == "quickfix"), "{all:#?}");
    settings(&mut peer, json!({ "survived": "error" })).await;
    told(&mut peer, |lines| lines.len() == 3).await;

    // The fix is an edit of the test.
    let all = actions(&mut peer, &code, &found[1]["range"], &found[1..2]).await;
    let is_fix = |a: &&Value| a["kind"] == "quickfix";
    let fix = all.iter().find(is_fix).expect("a fix");
    assert_eq!(fix["title"], "Assert `cart.size()` is 1 in `CartTest.adds`");
    assert_eq!(fix["diagnostics"], json!([found[1]]));
    let edit = &fix["edit"]["changes"][&test];
    let texts: Vec<&str> = edit
        .as_array()
        .expect("edits of the test")
        .iter()
        .filter_map(|e| e["newText"].as_str())
        .collect();
    assert!(
        texts.concat().contains("assertEquals(1, cart.size());"),
        "{fix:#}"
    );

    // A line above: greyed, and nothing is offered. In the method: gone.
    let above = CART.replace("public class", "\npublic class");
    peer.change(&code, 2, json!([{ "text": above }])).await;
    let stale = told(&mut peer, |lines| lines.len() == 3).await;
    let lines: Vec<String> = stale.iter().map(line).collect();
    let grey = "11 survived (grey) Found with other code, ask again to know: No test notices that";
    assert!(lines[1].starts_with(grey), "{lines:#?}");
    assert!(lines.iter().all(|l| l.contains("(grey)")), "{lines:#?}");
    // However loud it is set.
    assert!(stale.iter().all(|d| d["severity"] == 4), "{stale:#?}");
    let all = actions(&mut peer, &code, &stale[1]["range"], &stale[1..2]).await;
    assert!(!all.iter().any(|a| is_fix(&a)), "{all:#?}");
    let other = above.replace("price > 0", "price > 1");
    peer.change(&code, 3, json!([{ "text": other }])).await;
    told(&mut peer, |lines| {
        lines.len() == 2 && !lines.iter().any(|l| l.contains("price > 0"))
    })
    .await;
    // What is not saved is not what would run.
    let unsaved = json!([{ "uri": code, "wait": true }]);
    let answer = peer.command(COMMAND, unsaved.clone()).await;
    assert_eq!(answer["started"], false);
    message(&mut peer, "save Cart.java first").await;

    // Undone, it is as it was; what runs can be given up.
    peer.change(&code, 4, json!([{ "text": CART }])).await;
    told(&mut peer, |lines| lines.iter().any(|l| l == survives)).await;
    let lines =
        json!({ "start": { "line": 8, "character": 0 }, "end": { "line": 13, "character": 0 } });
    let answer = peer
        .command(COMMAND, json!([{ "uri": code, "range": lines }]))
        .await;
    assert_eq!(answer["started"], true);
    let stopped = peer.command("telltale.record.stop", json!([])).await;
    assert_eq!(stopped, json!(true));
    message(&mut peer, "does not know what no test notices: ").await;
}
