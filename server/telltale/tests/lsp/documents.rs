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

/// As in editors that do not tell of files, which are most.
#[tokio::test(flavor = "multi_thread")]
async fn without_watching_a_save_finds_what_changed_outside() {
    let folder = project(&[
        ("A.java", "class A { }"),
        ("B.java", "class B { }"),
        ("C.java", "class C { }"),
    ]);
    let mut peer = Peer::on(folder.path(), status()).await;
    peer.ready().await;
    let a = real(&folder, "A.java");
    peer.open(&a, "class A { }").await;
    let save = json!({ "textDocument": { "uri": a } });
    let write = |path: &str, text: &str| {
        std::fs::write(folder.path().join(path), text).expect("written");
    };
    // A text, a second time, and one of the same length.
    for (text, seconds) in [("class B { int x; }", 1), ("class B { int y; }", 2)] {
        write("B.java", text);
        // The clock of a file system may be too coarse to tell the two apart.
        let file = std::fs::File::options()
            .append(true)
            .open(folder.path().join("B.java"));
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(seconds);
        file.and_then(|file| file.set_modified(later))
            .expect("its time is set");
        peer.notify("textDocument/didSave", save.clone()).await;
        until(&mut peer, &real(&folder, "B.java"), json!(text)).await;
    }
    // Files that come and go.
    write("D.java", "class D { }");
    std::fs::remove_file(folder.path().join("C.java")).expect("removed");
    peer.notify("textDocument/didSave", save.clone()).await;
    until(&mut peer, &real(&folder, "D.java"), json!("class D { }")).await;
    until(&mut peer, &real(&folder, "C.java"), Value::Null).await;
    // Settings.
    write("telltale.toml", "[sources]\nexclude = [\"B.java\"]\n");
    peer.notify("textDocument/didSave", save.clone()).await;
    until(&mut peer, &real(&folder, "B.java"), Value::Null).await;
    assert_eq!(peer.text(&a).await, "class A { }");
    // Nothing changed: the folder is not read.
    let told = peer.idle().await;
    peer.notify("textDocument/didSave", save).await;
    assert_eq!(peer.idle().await, told);
    assert_eq!(peer.text(&a).await, "class A { }");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_watches_is_believed() {
    let folder = project(&[("A.java", "class A { }"), ("B.java", "class B { }")]);
    let mut capabilities = status();
    capabilities["workspace"] = json!({ "didChangeWatchedFiles": { "dynamicRegistration": true } });
    let mut peer = Peer::on(folder.path(), capabilities).await;
    peer.ready().await;
    let a = real(&folder, "A.java");
    peer.open(&a, "class A { }").await;
    std::fs::write(folder.path().join("B.java"), "class B { int x; }").expect("written");
    peer.notify(
        "textDocument/didSave",
        json!({ "textDocument": { "uri": a } }),
    )
    .await;
    peer.idle().await;
    assert_eq!(
        peer.text(&real(&folder, "B.java")).await,
        "class B { }",
        "it did not say so"
    );
}

/// An editor that shows the mark at the start of a file counts it as a character.
#[tokio::test(flavor = "multi_thread")]
async fn a_byte_order_mark_moves_no_position() {
    let plain = "class A { int f(int a) { int b = a * 2; return b; } }";
    let marked = format!("\u{feff}{plain}");
    for (encoding, mark) in [("utf-8", 3), ("utf-16", 1), ("utf-32", 1)] {
        let folder = project(&[("A.java", &marked)]);
        let mut peer = Peer::start();
        let mut capabilities = status();
        capabilities["general"] = json!({ "positionEncodings": [encoding] });
        let folders = json!([{ "uri": uri(folder.path()), "name": "it" }]);
        peer.initialize(json!({ "capabilities": capabilities, "workspaceFolders": folders }))
            .await;
        peer.ready().await;
        let uri = real(&folder, "A.java");
        let hover = async |peer: &mut Peer, ahead: usize| {
            let at = json!({ "line": 0, "character": plain.find("b =").expect("b") + ahead });
            let params = json!({ "textDocument": { "uri": uri }, "position": at });
            let hover = peer.ask("textDocument/hover", params).await;
            let range = hover["range"].clone();
            assert_eq!(range["start"], at, "{encoding} {hover}");
        };
        hover(&mut peer, 0).await;
        // As the editor has it, with and without the mark.
        peer.open(&uri, &marked).await;
        assert_eq!(peer.text(&uri).await, plain);
        hover(&mut peer, mark).await;
        let at = json!({ "line": 0, "character": mark + plain.len() - 2 });
        let edit = json!([{ "range": { "start": at, "end": at }, "text": "/**/" }]);
        peer.change(&uri, 2, edit).await;
        assert_eq!(peer.text(&uri).await, plain.replace("} }", "}/**/ }"));
        hover(&mut peer, mark).await;
        let close = json!({ "textDocument": { "uri": uri } });
        peer.notify("textDocument/didClose", close).await;
        assert_eq!(peer.text(&uri).await, plain, "the disk's");
        peer.open(&uri, plain).await;
        hover(&mut peer, 0).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_shows_what_the_disk_says_now() {
    let folder = project(&[("A.java", "class A { }")]);
    let mut peer = Peer::on(folder.path(), status()).await;
    peer.ready().await;
    let uri = real(&folder, "A.java");
    peer.open(&uri, "class Changed { }").await;
    std::fs::write(folder.path().join("A.java"), "class Other { }").expect("written");
    assert_eq!(peer.text(&uri).await, "class Changed { }");
    let close = json!({ "textDocument": { "uri": uri } });
    peer.notify("textDocument/didClose", close).await;
    until(&mut peer, &uri, json!("class Other { }")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_status_says_how_far_one_is() {
    let folder = project(&[("A.java", "class A { }"), ("B.java", "class B { }")]);
    std::fs::write(folder.path().join("C.java"), b"class C { /* \xff */ }").expect("written");
    let mut peer = Peer::on(folder.path(), status()).await;
    let mut states = Vec::new();
    loop {
        let status = peer.told("telltale/status").await;
        let of = |key: &str| status[key].as_u64().expect("a number");
        let state = status["state"].as_str().expect("a state").to_owned();
        let last = state == "ready";
        states.push((state, of("indexed"), of("total")));
        if last {
            assert_eq!(status["message"], "1 file cannot be read");
            break;
        }
    }
    let known = |state: &str, indexed, total| (state.to_owned(), indexed, total);
    let first = [
        known("starting", 0, 0),
        known("indexing", 0, 0),
        known("indexing", 0, 3),
    ];
    assert_eq!(states[..3], first);
    assert_eq!(states.last(), Some(&known("ready", 2, 3)));
    // Files are told as they are read, never backwards.
    let further = &states[3..states.len() - 1];
    assert!(
        further.iter().all(|s| s.0 == "indexing" && s.2 == 3),
        "{states:?}"
    );
    assert!(states.is_sorted_by_key(|s| s.1), "{states:?}");
    assert!(further.last().is_some_and(|s| s.1 == 2), "{states:?}");
    // What cannot be read again stays as it was.
    std::fs::write(folder.path().join("telltale.toml"), b"\xff").expect("written");
    peer.command("telltale.reindex", json!([])).await;
    let status = peer.state("degraded").await;
    assert_eq!(
        (&status["indexed"], &status["total"]),
        (&json!(2), &json!(3))
    );
    let words = status["message"].as_str().expect("a reason");
    assert!(words.contains("telltale.toml"), "{words}");
    assert_eq!(peer.text(&real(&folder, "A.java")).await, "class A { }");
}

/// Of files that were deleted, or that nobody can read any more, or again.
#[tokio::test(flavor = "multi_thread")]
async fn the_counts_are_those_of_the_disk() {
    let folder = project(&[
        ("A.java", "class A { }"),
        ("B.java", "class B { }"),
        ("C.java", "class C { }"),
    ]);
    let mut peer = Peer::on(folder.path(), status()).await;
    let counts = async |peer: &mut Peer, indexed: u32, total: u32, message: Value| {
        loop {
            let status = peer.told("telltale/status").await;
            if status["state"] == "ready" {
                assert_eq!(status["indexed"], indexed, "{status}");
                assert_eq!(status["total"], total, "{status}");
                assert_eq!(status["message"], message, "{status}");
                return;
            }
        }
    };
    counts(&mut peer, 3, 3, Value::Null).await;
    let path = |path: &str| folder.path().join(path);
    let tell = async |peer: &mut Peer, path: &str, kind: u32| {
        let changes = json!([{ "uri": real(&folder, path), "type": kind }]);
        let changes = json!({ "changes": changes });
        peer.notify("workspace/didChangeWatchedFiles", changes)
            .await;
    };
    std::fs::write(path("B.java"), b"class B { /* \xff */ }").expect("written");
    tell(&mut peer, "B.java", 2).await;
    counts(&mut peer, 2, 3, json!("1 file cannot be read")).await;
    assert_eq!(peer.text(&real(&folder, "B.java")).await, Value::Null);
    std::fs::remove_file(path("C.java")).expect("removed");
    tell(&mut peer, "C.java", 3).await;
    counts(&mut peer, 1, 2, json!("1 file cannot be read")).await;
    std::fs::write(path("B.java"), "class B { int x; }").expect("written");
    tell(&mut peer, "B.java", 2).await;
    counts(&mut peer, 2, 2, Value::Null).await;
    assert_eq!(
        peer.text(&real(&folder, "B.java")).await,
        "class B { int x; }"
    );
    std::fs::write(path("D.java"), "class D { }").expect("written");
    tell(&mut peer, "D.java", 1).await;
    counts(&mut peer, 3, 3, Value::Null).await;
}

/// A test of the outer folder calls what the inner one has.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_reaches_every_folder_that_holds_the_file() {
    const TEST: &str = "import org.junit.Test; public class UseTest { @Test public void t() { int r = new In().f(2); } }";
    let with =
        |method: &str| format!("public class In {{ public int {method}(int a) {{ return a; }} }}");
    let folder = project(&[
        ("src/main/java/In.java", &with("f")),
        ("src/test/java/UseTest.java", TEST),
    ]);
    let mut peer = Peer::start();
    let inner = folder.path().join("src/main/java");
    peer.initialize(json!({
        "capabilities": status(),
        "workspaceFolders": [
            { "uri": uri(folder.path()), "name": "outer" },
            { "uri": uri(&inner), "name": "inner" },
        ],
    }))
    .await;
    peer.ready().await;
    let (used, test) = (
        real(&folder, "src/main/java/In.java"),
        real(&folder, "src/test/java/UseTest.java"),
    );
    // How many calls of the test mean nothing that is known.
    let unknown = async |peer: &mut Peer, expected: u32| {
        peer.idle().await;
        let arguments = json!([{ "uri": test }]);
        let answer = peer.command("telltale.observe", arguments).await;
        assert_eq!(answer["counts"]["calls_unresolved"], expected, "{answer}");
    };
    unknown(&mut peer, 0).await;
    // In the editor.
    peer.open(&used, &with("g")).await;
    unknown(&mut peer, 1).await;
    peer.notify(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": used } }),
    )
    .await;
    unknown(&mut peer, 0).await;
    // On disk.
    std::fs::write(inner.join("In.java"), with("h")).expect("written");
    let changes = json!({ "changes": [{ "uri": used, "type": 2 }] });
    peer.notify("workspace/didChangeWatchedFiles", changes)
        .await;
    unknown(&mut peer, 1).await;
}

/// As of a file on disk, of which no more is analysed.
#[tokio::test(flavor = "multi_thread")]
async fn a_document_beyond_the_limit_is_not_analysed_and_that_is_said_once() {
    let folder = project(&[("A.java", "class A { }")]);
    let mut peer = Peer::on(folder.path(), status()).await;
    peer.ready().await;
    let uri = real(&folder, "B.java");
    let big = format!(
        "class B {{ int x; }}\n// {}\n",
        "so on ".repeat(47_000_000 / 6)
    );
    peer.open(&uri, &big).await;
    assert_eq!(peer.text(&uri).await, Value::Null);
    let start = json!({ "line": 0, "character": 0 });
    for version in 2..5 {
        let edit = json!([{ "range": { "start": start, "end": start }, "text": "//\n" }]);
        peer.change(&uri, version, edit).await;
        assert_eq!(peer.text(&uri).await, Value::Null);
    }
    let said = peer.said().await;
    assert_eq!(said.len(), 1, "{said:?}");
    let words = said[0]["params"]["message"].as_str().expect("words");
    assert!(words.contains("B.java: more than 2.5 MB"), "{words}");
    // What is left of it is analysed again.
    let range = json!({ "start": { "line": 4, "character": 0 }, "end": { "line": 900_000, "character": 0 } });
    peer.change(&uri, 5, json!([{ "range": range, "text": "" }]))
        .await;
    let rest = "//\n//\n//\nclass B { int x; }\n";
    assert_eq!(peer.text(&uri).await, rest);
}

/// A file of one line that nobody wrote: parsing takes a hundred times its size.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_beyond_the_limit_is_counted_and_not_analysed() {
    let line = "int a = f(b) + 3; ".repeat(4_000_000 / 18);
    let huge = format!("class Huge {{ void m() {{ {line} }} }}");
    let folder = project(&[("Huge.java", &huge), ("A.java", "class A { }")]);
    let mut peer = Peer::on(folder.path(), status()).await;
    let status = peer.state("ready").await;
    assert_eq!(
        status["message"],
        "1 file cannot be read; something is left out, the log says what"
    );
    let uri = real(&folder, "Huge.java");
    assert_eq!(peer.text(&uri).await, Value::Null);
    peer.open(&uri, &huge).await;
    assert_eq!(peer.text(&uri).await, Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_folder_one_is_ready_at_once() {
    let mut peer = Peer::start();
    peer.initialize(json!({ "capabilities": status(), "rootUri": null }))
        .await;
    assert_eq!(peer.state("ready").await["total"], 0);
}

/// Asks until the background has done its work.
/// What a document says once all that was told so far is dealt with.
async fn until(peer: &mut Peer, uri: &str, expected: Value) {
    peer.idle().await;
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

/// A folder can come while a file of it is open on its own, or come back while it still is.
#[tokio::test(flavor = "multi_thread")]
async fn a_lone_file_joins_the_folder_that_comes() {
    let folder = project(&[("p/A.java", "class A { }"), ("p/B.java", "class B { }")]);
    let mut peer = Peer::start();
    peer.initialize(json!({ "capabilities": status(), "workspaceFolders": [] }))
        .await;
    let (a, b) = (real(&folder, "p/A.java"), real(&folder, "p/B.java"));
    let files = json!([{ "uri": uri(folder.path()), "name": "it" }]);
    let event =
        |added: Value, removed: Value| json!({ "event": { "added": added, "removed": removed } });
    peer.open(&a, "class A { int x; }").await;
    for _ in 0..2 {
        peer.notify(
            "workspace/didChangeWorkspaceFolders",
            event(files.clone(), json!([])),
        )
        .await;
        until(&mut peer, &b, json!("class B { }")).await;
        assert_eq!(peer.text(&a).await, "class A { int x; }");
        let told = async |peer: &mut Peer, total: u32| {
            while peer.told("telltale/status").await["total"] != total {}
        };
        told(&mut peer, 2).await;
        // Only a folder as a whole is told of files that change outside.
        let changed = json!({ "changes": [{ "uri": b, "type": 2 }] });
        std::fs::write(folder.path().join("p/B.java"), "class B { int y; }").expect("written");
        peer.notify("workspace/didChangeWatchedFiles", changed.clone())
            .await;
        until(&mut peer, &b, json!("class B { int y; }")).await;
        std::fs::write(folder.path().join("p/B.java"), "class B { }").expect("written");
        peer.notify("workspace/didChangeWatchedFiles", changed)
            .await;
        until(&mut peer, &b, json!("class B { }")).await;
        peer.notify(
            "workspace/didChangeWorkspaceFolders",
            event(json!([]), files.clone()),
        )
        .await;
        assert_eq!(peer.text(&b).await, Value::Null);
        assert_eq!(peer.text(&a).await, "class A { int x; }");
        told(&mut peer, 0).await;
    }
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
    let told = peer.idle().await;
    peer.notify("textDocument/didSave", save.clone()).await;
    assert_eq!(peer.idle().await, told, "nothing changed");
    std::fs::write(&jar, b"another file, no archive either").expect("written");
    peer.notify("textDocument/didSave", save).await;
    peer.ready().await;
    assert_eq!(
        peer.text(&java).await,
        "class A { p.q.B b; int m() { return b.c(); } }"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_around_the_home_folder_is_not_read() {
    let folder = project(&[("A.java", "class A { }")]);
    let home = std::env::home_dir().expect("a home");
    let root = home.ancestors().last().expect("a root");
    let mut peer = Peer::on(root, status()).await;
    let said = peer.told("window/showMessage").await;
    let words = said["message"].as_str().expect("words");
    assert!(words.contains("open the folder of a project"), "{words}");
    peer.ready().await;
    let uri = real(&folder, "A.java");
    peer.open(&uri, "class Alone { }").await;
    assert_eq!(peer.text(&uri).await, "class Alone { }");
}
