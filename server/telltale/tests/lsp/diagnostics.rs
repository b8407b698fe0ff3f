//! What the rules find, as an editor is told: without asking, for open files, for the newest text; and what mends it.

use crate::features::able;
use crate::folder::Folder;
use crate::peer::{Peer, uri};
use serde_json::{Value, json};

const TEST: &str = "package shop;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;
class CartTest extends Base {
    @Test void adds() {
        int size = new Cart().add(\"a\");
    }
    @Test void held() { new Cart().add(\"b\"); holds(); }
}
";
const RIGHT: &str = "package shop;
class CartTest { @org.junit.jupiter.api.Test void adds() { assert new Cart().add(\"a\") == 1; } }
";

struct Project {
    folder: Folder,
    test: String,
}

fn project() -> Project {
    let folder = Folder::new(&[
        (
            "pom.xml",
            "<project><artifactId>shop</artifactId></project>",
        ),
        (
            "src/main/java/shop/Cart.java",
            "package shop; class Cart { private int n; int add(String item) { n = n + item.length(); return n; } }",
        ),
        (
            "src/test/java/shop/Base.java",
            "package shop; class Base { void holds() { org.junit.jupiter.api.Assertions.assertTrue(System.nanoTime() > 0); } }",
        ),
    ]);
    let test = uri(&folder.write("src/test/java/shop/CartTest.java", TEST.as_bytes()));
    Project { folder, test }
}

const PUBLISH: &str = "textDocument/publishDiagnostics";

async fn start(project: &Project) -> Peer {
    let mut peer = Peer::on(project.folder.path(), able()).await;
    peer.ready().await;
    peer
}

/// The rules that are told next, with what it is about.
async fn told(peer: &mut Peer) -> (Value, Vec<String>) {
    let told = peer.told(PUBLISH).await;
    let all = told["diagnostics"].as_array().expect("diagnostics");
    let of = |d: &Value| {
        format!(
            "{} {}",
            d["range"]["start"]["line"],
            d["code"].as_str().expect("a code")
        )
    };
    (told["version"].clone(), all.iter().map(of).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_file_is_told_and_a_closed_one_is_cleared() {
    let project = project();
    let mut peer = start(&project).await;
    peer.open(&project.test, TEST).await;
    let first = peer.told(PUBLISH).await;
    assert_eq!(first["uri"], project.test);
    assert_eq!(first["version"], 1);
    let found = &first["diagnostics"][0];
    assert_eq!(
        first["diagnostics"].as_array().map(Vec::len),
        Some(1),
        "{first}"
    );
    assert_eq!(found["code"], "no-oracle");
    assert_eq!(found["source"], "telltale");
    assert_eq!(found["severity"], 2);
    assert_eq!(
        found["range"]["start"],
        json!({ "line": 4, "character": 15 })
    );
    assert_eq!(
        found["message"],
        "adds checks nothing: it fails only if something is thrown"
    );
    assert!(
        found.get("codeDescription").is_none(),
        "the project has no public address"
    );
    let closed = json!({ "textDocument": { "uri": project.test } });
    peer.notify("textDocument/didClose", closed).await;
    assert_eq!(told(&mut peer).await.1, Vec::<String>::new());
}

/// The newest text wins, whatever came in between; a right file is cleared.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_told_is_of_the_newest_text() {
    let project = project();
    let mut peer = start(&project).await;
    peer.open(&project.test, TEST).await;
    assert_eq!(
        told(&mut peer).await,
        (json!(1), vec!["4 no-oracle".to_owned()])
    );
    for version in 2..40 {
        let text = match version {
            39 => TEST.replace("    @Test void adds", "\n\n    @Test void adds"),
            _ => RIGHT.to_owned(),
        };
        peer.change(&project.test, version, json!([{ "text": text }]))
            .await;
    }
    // Whatever is told in between is of the text that it names.
    loop {
        let (version, found) = told(&mut peer).await;
        if version == 39 {
            assert_eq!(found, ["6 no-oracle"]);
            break;
        }
        assert!(found.is_empty(), "{version} {found:?}");
    }
    peer.change(&project.test, 40, json!([{ "text": RIGHT }]))
        .await;
    assert_eq!(told(&mut peer).await, (json!(40), vec![]));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_file_checks_counts() {
    let project = project();
    let mut peer = start(&project).await;
    peer.open(&project.test, TEST).await;
    assert_eq!(told(&mut peer).await.1, ["4 no-oracle"]);
    let root = project.folder.path().canonicalize().expect("there");
    let base = uri(&root.join("src/test/java/shop/Base.java"));
    // The helper does not check any more.
    peer.open(&base, "package shop; class Base { void holds() { } }")
        .await;
    assert_eq!(told(&mut peer).await.1, ["4 no-oracle", "7 no-oracle"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_decide_what_is_told() {
    let project = project();
    let mut peer = start(&project).await;
    peer.open(&project.test, TEST).await;
    assert_eq!(told(&mut peer).await.1, ["4 no-oracle"]);
    let mut set = async |settings: Value| {
        let settings = json!({ "settings": { "telltale": settings } });
        peer.notify("workspace/didChangeConfiguration", settings)
            .await;
        let told = peer.told(PUBLISH).await;
        told["diagnostics"][0]["severity"].clone()
    };
    assert_eq!(
        set(json!({ "rules": { "no-oracle": "off" } })).await,
        Value::Null
    );
    assert_eq!(set(json!({ "rules": { "no-oracle": "hint" } })).await, 4);
    assert_eq!(set(json!({ "tests.smoke": ["adds"] })).await, Value::Null);
    assert_eq!(set(json!({ "rules.no-oracle": "error" })).await, 1);
}

/// As an editor sends it: with the diagnostic under the cursor.
#[tokio::test(flavor = "multi_thread")]
async fn a_finding_is_mended_or_silenced_by_a_quick_fix() {
    let project = project();
    let mut peer = start(&project).await;
    peer.open(&project.test, TEST).await;
    let found = peer.told(PUBLISH).await["diagnostics"][0].clone();
    let mut actions = async |context: Value| {
        let params = json!({ "textDocument": { "uri": project.test }, "range": found["range"], "context": { "diagnostics": context } });
        let all = peer.ask("textDocument/codeAction", params).await;
        let all = all.as_array().cloned().unwrap_or_default();
        let fixes = all.into_iter().filter(|a| a["kind"] == "quickfix");
        fixes.collect::<Vec<Value>>()
    };
    assert!(actions(json!([])).await.is_empty());
    let foreign = json!([{ "range": found["range"], "code": "no-oracle", "source": "another", "message": "x" }]);
    assert!(actions(foreign).await.is_empty());
    let fixes = actions(json!([found])).await;
    let titles: Vec<&str> = fixes.iter().filter_map(|a| a["title"].as_str()).collect();
    assert_eq!(
        titles,
        ["Assert size", "Silence no-oracle here by a comment"]
    );
    assert!(fixes.iter().all(|f| f["diagnostics"][0] == found));
    let edit = &fixes[1]["edit"]["changes"][&project.test][0];
    assert_eq!(edit["newText"], "    // telltale:ignore no-oracle\n");
    let at = json!({ "line": 4, "character": 0 });
    assert_eq!(edit["range"], json!({ "start": at, "end": at }));
}
