//! Recording as an editor asks for it: refused where it would tell of other code, and afterwards in lens and action.
#![allow(clippy::print_stderr)]

use crate::features::able;
use crate::folder::Folder;
use crate::peer::{Peer, uri};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// True, and said, where nothing can be recorded.
pub(crate) fn cannot_record() -> bool {
    let maven = std::process::Command::new("mvn").arg("--version").output();
    let missing = runner::AGENT.is_empty() || maven.is_err();
    if missing {
        eprintln!("skipped: no JDK or no Maven, so no agent");
    }
    missing
}

const TEST: &str = "src/test/java/demo/OrderBookTest.java";

async fn lenses(peer: &mut Peer, file: &Path) -> Vec<String> {
    let params = json!({ "textDocument": { "uri": uri(file) } });
    let lenses = peer.ask("textDocument/codeLens", params).await;
    let mut out = Vec::new();
    for lens in lenses.as_array().cloned().unwrap_or_default() {
        let lens = peer.ask("codeLens/resolve", lens).await;
        out.extend(lens["command"]["title"].as_str().map(str::to_owned));
    }
    out
}

/// What the lens above a class says, of those that are about recording.
async fn of_class(peer: &mut Peer, file: &Path) -> Vec<String> {
    let mut all = lenses(peer, file).await;
    all.retain(|l| l.contains("record"));
    all
}

/// What the hover says where some words stand in a file.
async fn hover_at(peer: &mut Peer, file: &Path, words: &str) -> String {
    let text = std::fs::read_to_string(file).expect("text");
    let at = text.find(words).expect("it occurs");
    let line = text[..at].matches('\n').count();
    let character = at - text[..at].rfind('\n').map_or(0, |n| n + 1);
    let at = json!({ "line": line, "character": character });
    let params = json!({ "textDocument": { "uri": uri(file) }, "position": at });
    let hover = peer.ask("textDocument/hover", params).await;
    hover["contents"]["value"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

pub(crate) async fn record(peer: &mut Peer, more: Value) -> Value {
    let mut argument = more;
    argument["wait"] = json!(true);
    peer.command("telltale.record", json!([argument])).await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_recorded_stands_in_lens_and_action_until_the_code_changes() {
    if cannot_record() {
        return;
    }
    let project = Folder::of_project("demo");
    let root = project.path();
    let file = root.join(TEST);
    let mut able = able();
    able["window"]["workDoneProgress"] = json!(true);
    let mut peer = Peer::on(root, able).await;
    peer.ready().await;
    let before = lenses(&mut peer, &file).await;
    assert!(before.iter().all(|l| !l.contains(" = ")), "{before:?}");
    let test = "demo.OrderBookTest#takesTheBestPriceFirst()";
    let answer = record(&mut peer, json!({ "uri": uri(&file), "test": test })).await;
    assert_eq!(answer["error"], Value::Null, "{answer}");
    assert_eq!(answer["tests"], 1, "{answer}");
    let steps = peer.rest().into_iter();
    let steps = steps.filter_map(|m| Some(m["params"]["value"]["message"].as_str()?.to_owned()));
    let steps: Vec<String> = steps.collect();
    for what in ["Running the tests", "Recording", "Recording again"] {
        // Which of the two depends on when somebody looked.
        let lines = [0, 1].map(|n| format!("{what}: {n} of 1"));
        let counted = |step: &String| lines.iter().any(|line| step.starts_with(line));
        assert!(steps.iter().any(counted), "{what}: {steps:?}");
    }
    peer.idle().await;
    let after = lenses(&mut peer, &file).await;
    assert!(
        after.iter().any(|l| l == "next: book.open() = 1"),
        "{after:?}"
    );
    let code = root.join("src/main/java/demo/OrderBook.java");
    let inside = hover_at(&mut peer, &code, "others = order").await;
    assert!(
        inside.contains("OrderBookTest.takesTheBestPriceFirst"),
        "{inside}"
    );
    // Of another class nothing is known yet; whoever begins to record it may stop.
    let other = root.join("src/test/java/demo/AccountTest.java");
    assert_eq!(of_class(&mut peer, &other).await, ["▷ record"]);
    let argument = json!({ "uri": uri(&other), "scope": "file" });
    let answer = peer.command("telltale.record", json!([argument])).await;
    assert_eq!(answer["started"], true, "{answer}");
    assert_eq!(of_class(&mut peer, &other).await, ["recording… (stop)"]);
    let stopped = peer.command("telltale.record.stop", json!([])).await;
    assert_eq!(stopped, true);
    for _ in 0..200 {
        if of_class(&mut peer, &other).await == ["▷ record"] {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(of_class(&mut peer, &other).await, ["▷ record"]);
    let stopped = peer.command("telltale.record.stop", json!([])).await;
    assert_eq!(stopped, false, "nothing runs any more");
    let text = std::fs::read_to_string(&file).expect("text");
    let line = text
        .lines()
        .position(|l| l.contains("void takesTheBestPriceFirst"));
    let at = json!({ "line": line, "character": 10 });
    let params = json!({ "textDocument": { "uri": uri(&file) }, "range": { "start": at, "end": at }, "context": { "diagnostics": [] } });
    let actions = peer.ask("textDocument/codeAction", params).await;
    let titles: Vec<&str> = actions
        .as_array()
        .map_or(&[][..], Vec::as_slice)
        .iter()
        .filter_map(|a| a["title"].as_str())
        .collect();
    assert!(titles.contains(&"Assert book.open() is 1"), "{titles:?}");
    assert!(
        !titles.iter().any(|t| t.starts_with("Record")),
        "{titles:?}"
    );
    let text = std::fs::read_to_string(&code).expect("text");
    peer.open(
        &uri(&code),
        &text.replace(
            "return trades.size() - before;",
            "return trades.size() - before + 0;",
        ),
    )
    .await;
    let edited = lenses(&mut peer, &file).await;
    assert!(edited.iter().all(|l| !l.contains(" = ")), "{edited:?}");
    // What is not saved is not what would run.
    let answer = record(&mut peer, json!({ "uri": uri(&file), "test": test })).await;
    assert_eq!(answer["started"], false, "{answer}");
    let said = peer.said().await;
    let words = |m: &Value| {
        m["params"]["message"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let said: Vec<String> = said.iter().map(words).collect();
    assert!(
        said.iter().any(|m| m.contains("save OrderBook.java first")),
        "{said:?}"
    );
    // Once it is, no build is needed to know what it does.
    let edited = "return trades.size() - before + 0;";
    std::fs::write(
        &code,
        text.replace("return trades.size() - before;", edited),
    )
    .expect("written");
    let saved = json!({ "textDocument": { "uri": uri(&code) } });
    for _ in 0..2 {
        peer.notify("textDocument/didSave", saved.clone()).await;
        let answer = record(&mut peer, json!({ "uri": uri(&file), "test": test })).await;
        assert_eq!(answer["tool"], "a JVM of our own", "{answer}");
        peer.idle().await;
        let after = lenses(&mut peer, &file).await;
        assert!(
            after.iter().any(|l| l == "next: book.open() = 1"),
            "{after:?}"
        );
    }
}

/// Saves a file with another text.
async fn save(peer: &mut Peer, file: &Path, version: i32, text: &str) {
    peer.change(&uri(file), version, json!([{ "text": text }]))
        .await;
    std::fs::write(file, text).expect("written");
    let saved = json!({ "textDocument": { "uri": uri(file) } });
    peer.notify("textDocument/didSave", saved).await;
}

/// The lenses, once one is as it is expected to be.
async fn lenses_with(peer: &mut Peer, file: &Path, expected: &str) -> Vec<String> {
    let mut last = Vec::new();
    for _ in 0..600 {
        last = lenses(peer, file).await;
        if last.iter().any(|l| l == expected) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    last
}

#[tokio::test(flavor = "multi_thread")]
async fn values_follow_what_is_saved_where_the_user_says_so() {
    if cannot_record() {
        return;
    }
    let project = Folder::of_project("demo");
    let root = project.path();
    let file = root.join(TEST);
    let mut peer = Peer::on(root, able()).await;
    peer.ready().await;
    let test = "demo.OrderBookTest#takesTheBestPriceFirst()";
    let answer = record(&mut peer, json!({ "uri": uri(&file), "test": test })).await;
    assert_eq!(answer["error"], Value::Null, "{answer}");
    let code = root.join("src/main/java/demo/OrderBook.java");
    let text = std::fs::read_to_string(&code).expect("text");
    let counted = "return bids.size() + asks.size();";
    let more = |n: u32| text.replace(counted, &format!("return bids.size() + asks.size() + {n};"));
    peer.open(&uri(&code), &text).await;
    let tests = std::fs::read_to_string(&file).expect("text");
    peer.open(&uri(&file), &tests).await;

    // Nobody said so.
    save(&mut peer, &code, 2, &more(1)).await;
    peer.idle().await;
    let stopped = peer.command("telltale.record.stop", json!([])).await;
    assert_eq!(stopped, json!(false));
    let own = lenses(&mut peer, &file).await;
    assert!(own.iter().all(|l| !l.contains(" = ")), "{own:?}");

    let setting = json!({ "settings": { "telltale": { "record": { "on_save": true } } } });
    peer.notify("workspace/didChangeConfiguration", setting)
        .await;
    save(&mut peer, &code, 3, &more(1)).await;
    let own = lenses_with(&mut peer, &file, "next: book.open() = 2").await;
    assert!(own.contains(&"next: book.open() = 2".to_owned()), "{own:?}");
    // Of several texts that are saved one after the other the last counts.
    save(&mut peer, &code, 4, &more(2)).await;
    save(&mut peer, &code, 5, &more(3)).await;
    let own = lenses_with(&mut peer, &file, "next: book.open() = 4").await;
    assert!(own.contains(&"next: book.open() = 4".to_owned()), "{own:?}");
    #[cfg(target_os = "linux")]
    waiting_jvms_run_once(&mut peer, root, &code, &file, &more).await;
    // A server that nobody asked runs nothing, whatever the folder brings.
    let mut other = Peer::on(root, able()).await;
    other.ready().await;
    let setting = json!({ "settings": { "telltale": { "record": { "on_save": true } } } });
    other
        .notify("workspace/didChangeConfiguration", setting)
        .await;
    other.open(&uri(&code), &more(3)).await;
    other.open(&uri(&file), &tests).await;
    save(&mut other, &code, 2, &more(2)).await;
    other.idle().await;
    let stopped = other.command("telltale.record.stop", json!([])).await;
    assert_eq!(stopped, json!(false));
    let own = lenses(&mut other, &file).await;
    assert!(own.iter().all(|l| !l.contains(" = ")), "{own:?}");
    other.end().await;

    // What needs the build waits for somebody to ask.
    let class = root.join("target/classes/demo/OrderBook.class");
    let built = std::fs::read(&class).expect("a class");
    let other = more(3).replace("public int open()", "public long open()");
    save(&mut peer, &code, 20, &other).await;
    peer.idle().await;
    let own = lenses(&mut peer, &file).await;
    assert!(own.iter().all(|l| !l.contains(" = ")), "{own:?}");
    save(&mut peer, &code, 21, &more(4)).await;
    let own = lenses_with(&mut peer, &file, "next: book.open() = 5").await;
    assert!(own.contains(&"next: book.open() = 5".to_owned()), "{own:?}");
    assert_eq!(std::fs::read(&class).expect("a class"), built);
    // Of what nobody asked for nothing is said.
    let said = peer.said().await;
    let told = |m: &&Value| m.to_string().contains("Telltale recorded");
    assert_eq!(said.iter().filter(told).count(), 1, "{said:?}");
    peer.end().await;
    #[cfg(target_os = "linux")]
    assert_eq!(waiting_jvms(root), [0; 0]);
}

/// The next recording is told to JVMs that have come up before; where one is gone meanwhile another is started.
#[cfg(target_os = "linux")]
async fn waiting_jvms_run_once(
    peer: &mut Peer,
    root: &Path,
    code: &Path,
    file: &Path,
    more: &impl Fn(u32) -> String,
) {
    let mut known: Vec<u32> = Vec::new();
    for (version, n, kills) in [(10, 5_u32, 0), (11, 6, 2)] {
        let begun = Instant::now();
        let waiting = loop {
            let waiting = waiting_jvms(root);
            if waiting.len() == 3 && waiting.iter().all(|pid| !known.contains(pid)) {
                break waiting;
            }
            let is_late = begun.elapsed() > Duration::from_secs(60);
            assert!(!is_late, "{waiting:?} wait, after {known:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        for pid in &waiting[..kills] {
            let mut shell = std::process::Command::new("/bin/sh");
            let killed = shell.args(["-c", &format!("kill -s KILL {pid}")]).status();
            assert!(killed.is_ok_and(|status| status.success()));
        }
        let over = Arc::new(AtomicBool::new(false));
        let watch = {
            let (root, over) = (root.to_path_buf(), Arc::clone(&over));
            std::thread::spawn(move || {
                let mut begun = BTreeSet::new();
                while !over.load(Ordering::SeqCst) {
                    begun.extend(jvms(&root, "/"));
                    std::thread::sleep(Duration::from_millis(5));
                }
                begun
            })
        };
        save(peer, code, version, &more(n)).await;
        let expected = format!("next: book.open() = {}", n + 1);
        let own = lenses_with(peer, file, &expected).await;
        assert!(own.contains(&expected), "{own:?}");
        over.store(true, Ordering::SeqCst);
        let begun = watch.join().expect("watched");
        // The third is started once the others are up, and may not be yet.
        let new = kills..=kills + 1;
        assert!(
            new.contains(&begun.len()),
            "{begun:?} of three that ran had not waited, {kills} were killed"
        );
        known = waiting;
    }
}

/// The JVMs that wait to run tests of a project, by their numbers.
#[cfg(target_os = "linux")]
fn waiting_jvms(root: &Path) -> Vec<u32> {
    jvms(root, "-\0")
}

/// The JVMs of our own that were told this first.
#[cfg(target_os = "linux")]
fn jvms(root: &Path, first: &str) -> Vec<u32> {
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let waits = |pid: &u32| {
        let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let words = String::from_utf8_lossy(&words);
        let main = format!("dev.telltale.agent.Run\0{first}");
        words.contains(&main) && words.contains(&*root.to_string_lossy())
    };
    let mut out: Vec<u32> = numbers.filter(waits).collect();
    out.sort_unstable();
    out
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_without_a_build_says_what_to_do() {
    let folder = TempDir::new().expect("a folder");
    let root = folder.path().canonicalize().expect("there");
    let file = root.join("ATest.java");
    let text = "class ATest { @org.junit.jupiter.api.Test void a() { int n = 1; } }\n";
    std::fs::write(&file, text).expect("written");
    let mut peer = Peer::on(&root, able()).await;
    peer.ready().await;
    let answer = record(&mut peer, json!({ "uri": uri(&file), "scope": "file" })).await;
    assert_eq!(answer["started"], false, "{answer}");
    assert!(!root.join(".telltale").exists());
    let stopped = peer.command("telltale.record.stop", json!([])).await;
    assert_eq!(stopped, json!(false));
}

/// Until its client says that the user trusts the folder, which one that knows no trust need not.
#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_not_trusted_is_offered_nothing_that_runs_tests() {
    let project = Folder::of_project("demo");
    let root = project.path();
    keep_something(root);
    let file = root.join(TEST);
    let mut able = able();
    able["experimental"]["telltaleTrusted"] = json!(false);
    let mut peer = Peer::on(root, able.clone()).await;
    peer.ready().await;
    let text = std::fs::read_to_string(&file).expect("text");
    let line = text
        .lines()
        .position(|l| l.contains("takesTheBestPriceFirst"));
    let at = json!({ "line": line.expect("the test"), "character": 10 });
    let range = json!({ "start": at, "end": at });
    let params = json!({
        "textDocument": { "uri": uri(&file) },
        "range": range,
        "context": { "diagnostics": [] },
    });
    let code = root.join("src/main/java/demo/Account.java");
    let text = std::fs::read_to_string(&code).expect("text");
    let line = text
        .lines()
        .position(|l| l.contains("public boolean withdraw"));
    let at = json!({ "line": line.expect("the method"), "character": 20 });
    let of_code = json!({
        "textDocument": { "uri": uri(&code) },
        "range": { "start": at, "end": at },
        "context": { "diagnostics": [] },
    });
    let mut seen = Vec::new();
    for is_trusted in [false, true] {
        if is_trusted {
            peer.notify("telltale/trusted", Value::Null).await;
        }
        let lens = of_class(&mut peer, &file).await;
        let mut titles = BTreeSet::new();
        for params in [&params, &of_code] {
            let actions = peer.ask("textDocument/codeAction", params.clone()).await;
            let all = actions.as_array().cloned().unwrap_or_default();
            titles.extend(
                all.iter()
                    .filter_map(|a| a["title"].as_str().map(str::to_owned)),
            );
        }
        let runs = |t: &&String| t.starts_with("Record ") || t.starts_with("Look for what no test");
        seen.push((lens.len(), titles.iter().filter(runs).count()));
        assert!(
            titles.iter().any(|t| t.starts_with("Assert ")),
            "{titles:?}"
        );
    }
    assert_eq!(seen, [(0, 0), (1, 2)]);
    let mut peer = Peer::on(root, able).await;
    peer.ready().await;
    for (command, file) in [("telltale.record", &file), ("telltale.mutants", &code)] {
        let answer = peer.command(command, json!([{ "uri": uri(file) }])).await;
        assert_eq!(answer["started"], false, "{command}: {answer}");
    }
    let said = peer.said().await;
    let why = "Telltale: tests run only in a folder that you trust";
    let is_it = |m: &&Value| m["params"]["message"] == why;
    assert_eq!(said.iter().filter(is_it).count(), 2, "{said:?}");
}

/// Something is known of the folder, so that its classes of tests have a lens.
fn keep_something(root: &Path) {
    let mut store = project::Store::open(root).expect("a store");
    let told = evidence::Told {
        passed: true,
        ..evidence::Told::default()
    };
    let run = project::Run {
        at: 1,
        tool: "Maven".to_owned(),
        java: "17".to_owned(),
        tests: 1,
        failed: 0,
    };
    let told = [("demo.AccountTest#withdraws()".into(), told)];
    store.save(&run, &told).expect("kept");
}

/// One that is told of files sees it at once, one that is not when somebody saves.
#[tokio::test(flavor = "multi_thread")]
async fn what_one_server_records_another_one_shows() {
    if cannot_record() {
        return;
    }
    let project = Folder::of_project("demo");
    let root = project.path();
    let file = root.join(TEST);
    let mut watching = able();
    watching["workspace"]["didChangeWatchedFiles"] = json!({ "dynamicRegistration": true });
    let mut first = Peer::on(root, able()).await;
    let mut told = Peer::on(root, watching).await;
    let mut saving = Peer::on(root, able()).await;
    for peer in [&mut first, &mut told, &mut saving] {
        peer.ready().await;
        let text = std::fs::read_to_string(&file).expect("text");
        peer.open(&uri(&file), &text).await;
        peer.idle().await;
    }
    let test = "demo.OrderBookTest#takesTheBestPriceFirst()";
    let answer = record(&mut first, json!({ "uri": uri(&file), "test": test })).await;
    assert_eq!(answer["tests"], 1, "{answer}");
    let is_value = |l: &String| l == "next: book.open() = 1";
    for peer in [&mut told, &mut saving] {
        let before = lenses(peer, &file).await;
        assert!(!before.iter().any(is_value), "{before:?}");
    }
    let changed = uri(&root.join(project::EVIDENCE));
    let changes = json!({ "changes": [{ "uri": changed, "type": 2 }] });
    told.notify("workspace/didChangeWatchedFiles", changes)
        .await;
    let saved = json!({ "textDocument": { "uri": uri(&file) } });
    saving.notify("textDocument/didSave", saved).await;
    for peer in [&mut first, &mut told, &mut saving] {
        peer.idle().await;
        let after = lenses(peer, &file).await;
        assert!(after.iter().any(is_value), "{after:?}");
    }
}

/// It costs itself: its JVM ends with what it started, what its threads did stands in a file, and the others have values.
#[tokio::test(flavor = "multi_thread")]
async fn a_test_that_hangs_ends_and_the_others_are_recorded() {
    if cannot_record() {
        return;
    }
    let project = Folder::of_project("demo");
    let root = project.path();
    let class = |last: &str| {
        format!(
            "package demo;
import org.junit.jupiter.api.Test;
class HangsTest {{
    @Test void hangs() throws Exception {{
        new ProcessBuilder(\"sleep\", \"4242\").directory(new java.io.File(\"target\")).start();
        Object lock = new Object();
        synchronized (lock) {{ lock.wait(); }}
    }}
    @Test void takes() throws Exception {{
        OrderBook book = new OrderBook();
        book.submit(new Order(1, Side.SELL, 101, 10));
        book.open();
        {last}
    }}
}}
"
        )
    };
    let file = project.write("src/test/java/demo/HangsTest.java", class("").as_bytes());
    let mut able = able();
    able["window"]["workDoneProgress"] = json!(true);
    let mut peer = Peer::on(root, able).await;
    let setting = |more: Value| {
        let mut record = json!({ "timeout": 3 });
        record["on_save"] = more;
        json!({ "settings": { "telltale": { "record": record } } })
    };
    let settings = "workspace/didChangeConfiguration";
    peer.notify(settings, setting(json!(false))).await;
    peer.ready().await;
    peer.open(&uri(&file), &class("")).await;
    let answer = record(&mut peer, json!({ "uri": uri(&file), "scope": "file" })).await;
    assert_eq!(answer["error"], Value::Null, "{answer}");
    assert_eq!(answer["tests"], 1, "{answer}");
    assert_eq!(running(root, &BUILD), Vec::<String>::new());
    let said = peer.said().await;
    let left_out = "of 1 test; left out: 1 test that took longer than 3 s";
    let is_it = |m: &&Value| {
        m["params"]["message"]
            .as_str()
            .is_some_and(|m| m.ends_with(left_out))
    };
    assert_eq!(said.iter().filter(is_it).count(), 1, "{said:?}");
    let threads = root.join(".telltale/threads/demo.HangsTest.hangs.txt");
    let threads = std::fs::read_to_string(threads).expect("what its threads did");
    assert!(
        threads.contains("at demo.HangsTest.hangs(HangsTest.java:7)"),
        "{threads}"
    );
    peer.idle().await;
    let value = "next: book.open() = 1";
    let own = lenses(&mut peer, &file).await;
    assert!(own.iter().any(|l| l == value), "{own:?}");

    // By itself it is an error that says why, and what is known of the other stays.
    let asked = json!({ "uri": uri(&file), "test": "demo.HangsTest#hangs()" });
    let answer = record(&mut peer, asked).await;
    let error = answer["error"].as_str().unwrap_or_default();
    assert!(
        error.contains("demo.HangsTest#hangs took longer than 3 s"),
        "{answer}"
    );
    assert_eq!(running(root, &BUILD), Vec::<String>::new());

    // Nor does what follows a save run for ever.
    peer.notify(settings, setting(json!(true))).await;
    let test = "demo.HangsTest#takes()";
    let answer = record(&mut peer, json!({ "uri": uri(&file), "test": test })).await;
    assert_eq!(answer["tests"], 1, "{answer}");
    peer.idle().await;
    save(
        &mut peer,
        &file,
        2,
        &class("while (book.open() == 1) Thread.sleep(1);"),
    )
    .await;
    let mut follows = Value::Null;
    loop {
        let progress = peer.told("$/progress").await;
        if progress["value"]["title"] == "Telltale: recording again what was saved" {
            follows = progress["token"].clone();
        }
        if progress["value"]["kind"] == "end" && progress["token"] == follows {
            break;
        }
    }
    let own = lenses(&mut peer, &file).await;
    assert!(own.iter().all(|l| !l.contains(" = ")), "{own:?}");
    peer.end().await;
    assert_eq!(running(root, &[""]), Vec::<String>::new());
}

/// What a build and its tests are known by, and what the test that hangs has started.
const BUILD: [&str; 3] = ["classworlds", "surefire", "sleep 4242"];

/// What runs in a folder or below and has one of some words in its command; only Linux says.
fn running(root: &Path, words: &[&str]) -> Vec<String> {
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    all.filter(|process| {
        let folder = std::fs::read_link(process.path().join("cwd"));
        folder.is_ok_and(|folder| folder.starts_with(root))
    })
    .map(|process| std::fs::read(process.path().join("cmdline")).unwrap_or_default())
    .map(|command| String::from_utf8_lossy(&command).replace('\0', " "))
    .filter(|command| words.iter().any(|word| command.contains(word)))
    .collect()
}
