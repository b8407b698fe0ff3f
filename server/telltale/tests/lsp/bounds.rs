//! What goes beyond the bounds of a project is said in the editor, once a folder and not once a file.

use crate::peer::{Peer, uri};
use serde_json::{Value, json};
use std::path::Path;
use tempfile::TempDir;

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    std::fs::write(path, text).expect("written");
}

/// The status when all is read, and what was said where nobody is disturbed or where somebody is.
async fn said(peer: &mut Peer) -> (Value, Vec<Value>) {
    let status = peer.state("ready").await;
    peer.idle().await;
    let said = peer.said().await.into_iter();
    (status, said.map(|m| m["params"].clone()).collect())
}

async fn on(folder: &TempDir) -> Peer {
    let capabilities = json!({ "experimental": { "telltaleStatus": true } });
    Peer::on(folder.path(), capabilities).await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_out_is_said_once_a_folder() {
    let folder = TempDir::new().expect("a folder");
    let root = folder.path();
    let long = format!("class Long {{}} // {}", "x".repeat(3_000_000));
    for n in 0..7 {
        write(root, &format!("Long{n}.java"), &long);
    }
    let deep = format!("{}{}", "class A { ".repeat(80), "}".repeat(80));
    write(root, "a/Deep.java", &deep);
    write(root, ".gitignore", &"# much\n".repeat(40_000));
    let query = "(_ (_) @a (_) @a) @b\n".repeat(128);
    write(root, ".telltale/queries/java/tests.scm", &query);
    let wide = format!(
        "class B {{ void m(int p) {{ {} }} }}",
        "p++; ".repeat(2_000)
    );
    write(root, "b/Wide.java", &wide);

    let mut peer = on(&folder).await;
    let (status, messages) = said(&mut peer).await;
    let left_out = "7 files cannot be read; something is left out, the log says what";
    assert_eq!(status["message"], left_out);
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert_eq!(messages[0]["type"], 2);
    let text = messages[0]["message"].as_str().expect("a text");
    for line in [
        "more than 2.5 MB are not read (7 files: Long0.java, Long1.java, Long2.java, Long3.java, Long4.java, …)",
        "types nested deeper than 64 are left out (1 file: a/Deep.java)",
        "the queries of .telltale/queries take too much: there may be more to find (2 files: a/Deep.java, b/Wide.java)",
        ".gitignore: it does not count: 280000 bytes are too many, at most 200000 count",
    ] {
        assert!(text.lines().any(|l| l == line), "{line}\n{text}");
    }
    assert_eq!(text.lines().count(), 5, "{text}");

    // It is known.
    peer.command("telltale.reindex", json!([])).await;
    let (status, messages) = said(&mut peer).await;
    assert_eq!(status["message"], left_out);
    assert_eq!(messages, Vec::<Value>::new());

    // What is mended is not said any more.
    for n in 0..7 {
        std::fs::remove_file(root.join(format!("Long{n}.java"))).expect("removed");
    }
    for path in ["a/Deep.java", "b/Wide.java", ".gitignore"] {
        std::fs::remove_file(root.join(path)).expect("removed");
    }
    peer.command("telltale.reindex", json!([])).await;
    let (status, messages) = said(&mut peer).await;
    assert_eq!(status.get("message"), None);
    assert_eq!(messages, Vec::<Value>::new());
}

/// A query that is refused is worth somebody's attention: nothing is read without it.
#[tokio::test(flavor = "multi_thread")]
async fn a_query_that_is_refused_is_shown() {
    let folder = TempDir::new().expect("a folder");
    write(folder.path(), "A.java", "class A {}");
    write(
        folder.path(),
        ".telltale/queries/java/tests.scm",
        "(block ((_)?)+)",
    );
    let mut peer = on(&folder).await;
    let why = ".telltale/queries/java/tests.scm:1:14: what is repeated may not be captured, nor hold a capture, ?, * or +";
    assert_eq!(peer.state("degraded").await["message"], why);
    let shown = peer.told("window/showMessage").await;
    assert_eq!(shown["message"], format!("Telltale: {why}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_usual_folder_says_nothing() {
    let folder = TempDir::new().expect("a folder");
    write(folder.path(), "A.java", "class A { class B {} }");
    write(folder.path(), ".gitignore", "target\n");
    write(
        folder.path(),
        "pom.xml",
        "<project><artifactId>${nobody}</artifactId>",
    );
    let mut peer = on(&folder).await;
    let (status, messages) = said(&mut peer).await;
    assert_eq!(status.get("message"), None, "{status}");
    assert_eq!(messages, Vec::<Value>::new());
    peer.open(&uri(&folder.path().join("A.java")), "class A {}")
        .await;
}
