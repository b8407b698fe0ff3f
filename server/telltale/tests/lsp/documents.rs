//! Documents: encodings, identity, closing, folders, files that change outside.

use crate::peer::{Peer, uri};
use serde_json::{Value, json};
use std::path::Path;
use tempfile::TempDir;

fn status() -> Value {
    json!({ "experimental": { "telltaleStatus": true } })
}

fn project(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(path, text).expect("written");
    }
    folder
}

fn real(folder: &TempDir, path: &str) -> String {
    uri(&folder
        .path()
        .canonicalize()
        .expect("it is there")
        .join(path))
}

#[tokio::test(flavor = "multi_thread")]
async fn columns_count_as_was_agreed() {
    let text = "class A { String s = \"🙂ä\"; }\r\n";
    // The column behind the quote that ends the literal.
    for (wish, column) in [("utf-8", 29), ("utf-16", 26), ("utf-32", 25)] {
        let folder = project(&[("A.java", text)]);
        let mut peer = Peer::start();
        let answer = peer
            .initialize(json!({
                "capabilities": { "general": { "positionEncodings": ["utf-7", wish, "utf-16"] } },
                "workspaceFolders": [{ "uri": uri(folder.path()), "name": "it" }],
            }))
            .await;
        assert_eq!(answer["result"]["capabilities"]["positionEncoding"], wish);
        let uri = real(&folder, "A.java");
        peer.open(&uri, text).await;
        let at = json!({ "line": 0, "character": column });
        peer.change(
            &uri,
            2,
            json!([{ "range": { "start": at, "end": at }, "text": " + 1" }]),
        )
        .await;
        assert_eq!(
            peer.text(&uri).await,
            "class A { String s = \"🙂ä\" + 1; }\r\n",
            "{wish}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_one_however_it_is_spelled() {
    let folder = project(&[("a:b/A.java", "class A { }")]);
    let mut peer = Peer::on(folder.path(), status()).await;
    peer.ready().await;
    let plain = real(&folder, "a:b/A.java");
    let escaped = plain.replace("a:b", "a%3Ab");
    peer.open(&escaped, "class Open { }").await;
    assert_eq!(peer.text(&plain).await, "class Open { }");
    #[cfg(unix)]
    {
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(folder.path().join("a:b"), &link).expect("a link");
        assert_eq!(
            peer.text(&uri(&link.join("A.java"))).await,
            "class Open { }"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn other_schemes_get_empty_answers() {
    let folder = project(&[("A.java", "class A { }")]);
    let mut peer = Peer::on(folder.path(), status()).await;
    for uri in [
        "git:/x/A.java",
        "untitled:Untitled-1",
        "jdt://contents/java.base/A.class",
        "file:///",
        "file:relative/A.java",
    ] {
        peer.open(uri, "class B { }").await;
        assert_eq!(peer.text(uri).await, Value::Null, "{uri}");
        let lens = peer
            .ask(
                "textDocument/codeLens",
                json!({ "textDocument": { "uri": uri } }),
            )
            .await;
        assert!(lens.is_null(), "{uri}: {lens}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_without_saving_brings_back_the_disk() {
    let folder = project(&[("A.java", "class A { }"), ("B.java", "class B { }")]);
    let mut peer = Peer::on(folder.path(), status()).await;
    peer.ready().await;
    let uri = real(&folder, "A.java");
    peer.open(&uri, "class Changed { }").await;
    assert_eq!(peer.text(&uri).await, "class Changed { }");
    peer.notify(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": uri } }),
    )
    .await;
    assert_eq!(peer.text(&uri).await, "class A { }");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_document_wins_over_the_disk_while_the_folder_is_read() {
    let folder = project(&[("A.java", "class A { }")]);
    let mut peer = Peer::start();
    let folders = json!([{ "uri": uri(folder.path()), "name": "it" }]);
    peer.initialize(json!({ "capabilities": status(), "workspaceFolders": folders }))
        .await;
    let uri = real(&folder, "A.java");
    peer.open(&uri, "class Early { }").await;
    assert_eq!(peer.text(&uri).await, "class Early { }");
    peer.ready().await;
    assert_eq!(peer.text(&uri).await, "class Early { }");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lone_file_is_read_alone() {
    let folder = project(&[("A.java", "class A { }"), ("B.java", "class B { }")]);
    let mut peer = Peer::start();
    peer.initialize(json!({ "capabilities": {}, "rootUri": null }))
        .await;
    let uri = real(&folder, "A.java");
    peer.open(&uri, "class A { int x; }").await;
    assert_eq!(peer.text(&uri).await, "class A { int x; }");
    assert_eq!(peer.text(&real(&folder, "B.java")).await, Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_change_outside_are_read_again() {
    let folder = project(&[("A.java", "class A { }"), ("B.java", "class B { }")]);
    let mut peer = Peer::on(folder.path(), status()).await;
    peer.ready().await;
    let watched = async |peer: &mut Peer, path: &str, kind: u32| {
        let changes = json!([{ "uri": real(&folder, path), "type": kind }]);
        peer.notify(
            "workspace/didChangeWatchedFiles",
            json!({ "changes": changes }),
        )
        .await;
    };
    std::fs::write(folder.path().join("A.java"), "class A { int more; }").expect("written");
    watched(&mut peer, "A.java", 2).await;
    until(
        &mut peer,
        &real(&folder, "A.java"),
        json!("class A { int more; }"),
    )
    .await;
    std::fs::write(folder.path().join("C.java"), "class C { }").expect("written");
    watched(&mut peer, "C.java", 1).await;
    until(&mut peer, &real(&folder, "C.java"), json!("class C { }")).await;
    std::fs::remove_file(folder.path().join("B.java")).expect("removed");
    watched(&mut peer, "B.java", 3).await;
    until(&mut peer, &real(&folder, "B.java"), Value::Null).await;
}

/// Asks until the background has done its work.
async fn until(peer: &mut Peer, uri: &str, expected: Value) {
    for _ in 0..3_000 {
        if peer.text(uri).await == expected {
            return;
        }
    }
    assert_eq!(peer.text(uri).await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn folders_come_and_go() {
    let (one, two) = (
        project(&[("A.java", "class A { }")]),
        project(&[("B.java", "class B { }")]),
    );
    let mut peer = Peer::on(one.path(), status()).await;
    peer.ready().await;
    assert_eq!(peer.text(&real(&two, "B.java")).await, Value::Null);
    let folder = |f: &Path| json!([{ "uri": uri(f), "name": "it" }]);
    peer.notify(
        "workspace/didChangeWorkspaceFolders",
        json!({ "event": { "added": folder(two.path()), "removed": folder(one.path()) } }),
    )
    .await;
    peer.ready().await;
    assert_eq!(peer.text(&real(&two, "B.java")).await, "class B { }");
    assert_eq!(peer.text(&real(&one, "A.java")).await, Value::Null);
}

/// A jar lies where no client watches: who saves makes the server look, and what came since is read.
#[tokio::test(flavor = "multi_thread")]
async fn libraries_that_change_are_read_again_after_a_save() {
    let folder = project(&[("A.java", "class A {}")]);
    let jar = folder.path().join("lib.jar");
    let setting = json!({ "java": { "classpath": [jar.to_str().expect("UTF-8")] } });
    std::fs::write(&jar, b"no archive").expect("written");
    let mut peer = Peer::start();
    peer.initialize(json!({
        "capabilities": status(),
        "workspaceFolders": [{ "uri": uri(folder.path()), "name": "it" }],
        "initializationOptions": setting,
    }))
    .await;
    peer.ready().await;
    let java = real(&folder, "A.java");
    peer.open(&java, "class A {}").await;
    let save = json!({ "textDocument": { "uri": java } });
    // Jars are opened when a name is looked for that no JDK has.
    peer.change(
        &java,
        2,
        json!([{ "text": "class A { p.q.B b; int m() { return b.c(); } }" }]),
    )
    .await;
    let _ = peer
        .ask(
            "textDocument/codeLens",
            json!({ "textDocument": { "uri": java } }),
        )
        .await;
    peer.notify("textDocument/didSave", save.clone()).await;
    let _ = peer.text(&java).await;
    let states = |messages: Vec<Value>| {
        let of = |m: &Value| m["method"] == "telltale/status" && m["params"]["state"] == "indexing";
        messages.iter().filter(|m| of(m)).count()
    };
    assert_eq!(states(peer.rest()), 0, "nothing changed");
    std::fs::write(&jar, b"another file, no archive either").expect("written");
    peer.notify("textDocument/didSave", save).await;
    peer.ready().await;
    assert_eq!(
        peer.text(&java).await,
        "class A { p.q.B b; int m() { return b.c(); } }"
    );
}
