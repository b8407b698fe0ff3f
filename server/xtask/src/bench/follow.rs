//! From a save to the value in the lens: a test of the demo whose code is edited, where values follow what is saved, and beside it
//! the same by Maven.
//!
//! The clock starts before the edit is written to the disk and stops when the answer was read in which the lens has the value that
//! the edit makes. Saves come in bursts: the first after a pause, in which the JVMs of the next recording come up, the others each
//! as soon as the lens has the value of the one before, so that none has. Needs `mvn`.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::percentile;
use super::server::{Editor, uri};
use crate::{Result, subjects};

/// What the command calls it.
pub(super) const NAME: &str = "follow";

const CODE: &str = "src/main/java/demo/OrderBook.java";
const TEST: &str = "src/test/java/demo/OrderBookTest.java";
const NAME_OF_TEST: &str = "demo.OrderBookTest#takesTheBestPriceFirst()";
const COUNTED: &str = "return bids.size() + asks.size();";

/// How long the lens is looked at for its value, and how often.
const PATIENCE: Duration = Duration::from_secs(60);
const GLANCE: Duration = Duration::from_millis(5);

/// How many saves follow each other.
const BURST: usize = 4;

/// How long somebody thinks before them.
const PAUSE: Duration = Duration::from_secs(6);

pub(super) fn measure(telltale: &Path, quick: bool) -> Result<()> {
    let (times, few) = if quick { (5, 1) } else { (20, 5) };
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let root = folder.path().join("demo");
    subjects::copied(&crate::root().join("tests/demo"), &root)?;
    let text = |path: &str| fs::read_to_string(root.join(path)).map_err(|e| e.to_string());
    let (code, test) = (text(CODE)?, text(TEST)?);
    let mut editor = Editor::start(telltale, &root)?;
    editor.notify("initialized", json!({}))?;
    let setting = json!({ "settings": { "telltale": { "record": { "on_save": true } } } });
    editor.notify("workspace/didChangeConfiguration", setting)?;
    for (path, text) in [(CODE, &code), (TEST, &test)] {
        let uri = uri(&root.join(path));
        let document = json!({ "uri": uri, "languageId": "java", "version": 1, "text": text });
        editor.notify("textDocument/didOpen", json!({ "textDocument": document }))?;
    }
    editor.wait(|e| e.is_ready())?;
    let record = |editor: &mut Editor| -> Result<f64> {
        let asked = json!({ "uri": uri(&root.join(TEST)), "test": NAME_OF_TEST, "wait": true });
        let began = Instant::now();
        let command = json!({ "command": "telltale.record", "arguments": [asked] });
        let answer = editor.request("workspace/executeCommand", command)?;
        match answer.get("error") {
            None => Ok(began.elapsed().as_secs_f64() * 1e3),
            Some(error) => Err(error.to_string()),
        }
    };
    let mut version = 1;
    let mut by_maven = vec![record(&mut editor)?];
    let mut next = |editor: &mut Editor| -> Result<f64> {
        version += 1;
        let n = version;
        let edited = code.replace(
            COUNTED,
            &format!("{COUNTED} /* {n} */").replace(';', &format!(" + {n};")),
        );
        let expected = format!("next: book.open() = {}", n + 1);
        save(editor, &root, n, &edited, &expected)
    };
    // The first of all tells which classes a run needs.
    next(&mut editor)?;
    // By how many there were since the pause.
    let mut shown: [Vec<f64>; BURST] = Default::default();
    for _ in 0..times {
        std::thread::sleep(PAUSE);
        for shown in &mut shown {
            shown.push(next(&mut editor)?);
        }
    }
    // What was kept of the build goes, so that it runs.
    for _ in 0..few {
        let _ = fs::remove_file(root.join(".telltale/build"));
        by_maven.push(record(&mut editor)?);
    }
    let p = |times: &[f64], percent| percentile(times.to_vec(), percent);
    let [first, second, later @ ..] = shown;
    for (times, when) in [
        (&first, "after a pause (at most 1500, aim 400)"),
        (&second, "the second in a row (at most 1500, aim 400)"),
        (&later.concat(), "those behind it"),
    ] {
        println!(
            "follow: save to value in the lens, one test of the demo, {when}: p50 {:.0} ms, p95 {:.0} ms, most {:.0} ms; {} times",
            p(times, 50),
            p(times, 95),
            p(times, 100),
            times.len()
        );
    }
    println!(
        "follow: the same by Maven, command to answer: {:.0} ms ({} times), {:.1} x",
        p(&by_maven, 50),
        by_maven.len(),
        p(&by_maven, 50) / p(&first, 50)
    );
    Ok(())
}

/// Saves a text, and waits until the lens has what comes of it.
fn save(editor: &mut Editor, root: &Path, version: i64, text: &str, expected: &str) -> Result<f64> {
    let file = root.join(CODE);
    let document = json!({ "uri": uri(&file), "version": version });
    let change = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
    editor.notify("textDocument/didChange", change)?;
    let began = Instant::now();
    fs::write(&file, text).map_err(|e| e.to_string())?;
    let saved = json!({ "textDocument": { "uri": uri(&file) } });
    editor.notify("textDocument/didSave", saved)?;
    while began.elapsed() < PATIENCE {
        let of = json!({ "textDocument": { "uri": uri(&root.join(TEST)) } });
        let lenses = editor.request("textDocument/codeLens", of)?;
        for lens in lenses.as_array().into_iter().flatten() {
            let lens = match lens.get("command") {
                Some(Value::Object(_)) => lens.clone(),
                _ => editor.request("codeLens/resolve", lens.clone())?,
            };
            if lens["command"]["title"] == expected {
                return Ok(began.elapsed().as_secs_f64() * 1e3);
            }
        }
        std::thread::sleep(GLANCE);
    }
    Err(format!("the lens did not come to {expected}"))
}
