//! What the language server costs with all that was recorded of a project, beside one that finds nothing recorded.
//!
//! Two copies of the project, a server on each, what was recorded in one of them. They start in turn, and get the same keystrokes
//! in turn, so that a machine that others use too treats them alike; which is first changes each time.

use std::fs;
use std::path::Path;
use std::time::Instant;

use project::Store;
use serde_json::{Value, json};

use super::edits::{Random, keystrokes};
use super::load::texts;
use super::server::{Document, Editor, documents, ms};
use super::{median, percentile};
use crate::{Result, subjects};

/// Where the servers are: first without, then with what was recorded.
const WITH: [bool; 2] = [false, true];

/// One server, and what was measured of it.
struct Side {
    editor: Editor,
    open: Vec<Document>,
    keystrokes: Vec<f64>,
    in_tests: Vec<f64>,
}

/// A start of one.
struct Start {
    ready: f64,
    memory: f64,
    peak: f64,
}

pub(super) fn measure(telltale: &Path, recorded: &Path, quick: bool) -> Result<()> {
    let store = Store::open_existing(recorded).map_err(|e| e.to_string())?;
    let store = store.ok_or("nothing was recorded there: `telltale record` does it")?;
    let known = store.facts().map_err(|e| e.to_string())?.len();
    let size = store.size() as f64 / 1e6;
    drop(store);
    let folder = tempfile::tempdir().map_err(|e| format!("no folder: {e}"))?;
    let folder = folder.path().canonicalize().map_err(|e| e.to_string())?;
    let roots = WITH.map(|with| folder.join(if with { "with" } else { "without" }));
    for (root, with) in roots.iter().zip(WITH) {
        subjects::copied(recorded, root)?;
        if with {
            let to = root.join(project::EVIDENCE);
            let own = to.parent().ok_or("no folder")?;
            let copied = fs::create_dir_all(own)
                .and_then(|()| fs::copy(recorded.join(project::EVIDENCE), &to));
            copied.map_err(|e| format!("cannot copy what was recorded: {e}"))?;
        }
    }
    let program = texts(&roots[0])?.program();
    let opened = |root: &Path| documents(root, &program, &mut Random(7));

    let mut starts: [Vec<Start>; 2] = Default::default();
    let mut last = [None, None];
    for round in 0..if quick { 3 } else { 9 } {
        for at in in_turn(round) {
            // Not while the other starts, and no more than two at the end.
            last[at] = None;
            let (start, side) = start(telltale, &roots[at], opened(&roots[at]))?;
            starts[at].push(start);
            last[at] = Some(side);
        }
    }
    let [Some(without), Some(with)] = last else {
        return Err("no server started".to_owned());
    };
    let mut sides = [without, with];
    let values = values(&mut sides[1])?;
    println!(
        "evidence: {size:.0} MB are kept of {known} test methods; {} files open, {values} of what their lenses and hints say has a value",
        sides[1].open.len()
    );
    let of = |figure: fn(&Start) -> f64| {
        let of = |at: usize| starts[at].iter().map(figure).collect::<Vec<f64>>();
        (median(of(0)), median(of(1)))
    };
    let (without, with) = of(|start| start.ready);
    println!(
        "evidence: start to ready: {with:.0} ms, without {without:.0} (median of {})",
        starts[0].len()
    );
    for (what, figure) in [
        (
            "memory, ready and asked",
            (|s| s.memory) as fn(&Start) -> f64,
        ),
        ("peak until then", |s| s.peak),
    ] {
        let (without, with) = of(figure);
        println!(
            "evidence: {what}: {with:.0} MB, without {without:.0}: {:+.0} MB (at most 40, aim 10)",
            with - without
        );
    }
    typing(&mut sides, if quick { 40 } else { 200 })?;
    let name = |at: usize| if WITH[at] { "with" } else { "without" };
    for at in [1, 0] {
        row(
            name(at),
            "keystroke in a body to fresh lenses",
            &sides[at].keystrokes,
        );
        row(name(at), "  of these in tests", &sides[at].in_tests);
    }
    let memory = |side: &Side| side.editor.memory("VmRSS:");
    println!(
        "evidence: memory after these keystrokes: {:.0} MB, without {:.0}",
        memory(&sides[1]),
        memory(&sides[0])
    );
    Ok(())
}

/// Which is first changes.
fn in_turn(round: usize) -> [usize; 2] {
    [round % 2, (round + 1) % 2]
}

/// Starts a server and asks for the lenses of all that is open.
fn start(telltale: &Path, root: &Path, open: Vec<Document>) -> Result<(Start, Side)> {
    let mut editor = Editor::start(telltale, root)?;
    let begun = Instant::now();
    editor.notify("initialized", json!({}))?;
    for document in &open {
        editor.open(document)?;
    }
    editor.wait(|e| e.is_ready())?;
    let ready = ms(begun);
    for document in &open {
        editor.lenses(document)?;
    }
    let start = Start {
        ready,
        memory: editor.memory("VmRSS:"),
        peak: editor.memory("VmHWM:"),
    };
    let side = Side {
        editor,
        open,
        keystrokes: Vec::new(),
        in_tests: Vec::new(),
    };
    Ok((start, side))
}

/// How many of the lenses and hints of the open files name a value.
fn values(side: &mut Side) -> Result<usize> {
    let mut count = 0;
    for document in &side.open {
        let of = json!({ "textDocument": { "uri": document.uri } });
        let lenses = side.editor.request("textDocument/codeLens", of)?;
        for lens in lenses.as_array().into_iter().flatten() {
            let lens = side.editor.request("codeLens/resolve", lens.clone())?;
            let title = lens["command"]["title"].as_str().unwrap_or_default();
            count += usize::from(title.contains(" = "));
        }
        let lines = document.text.lines().count();
        let all = json!({
            "textDocument": { "uri": document.uri },
            "range": { "start": { "line": 0, "character": 0 }, "end": { "line": lines, "character": 0 } },
        });
        let hints = side.editor.request("textDocument/inlayHint", all)?;
        let names = |hint: &&Value| hint["label"].to_string().contains(" = ");
        count += hints.as_array().into_iter().flatten().filter(names).count();
    }
    Ok(count)
}

/// The same edits in bodies, typed character by character, in both; after each the lenses of the file.
fn typing(sides: &mut [Side; 2], scripts: usize) -> Result<()> {
    let mut random = Random(11);
    let mut round = 0;
    for _ in 0..scripts {
        let at = random.below(sides[0].open.len());
        let document = &sides[0].open[at];
        let (start, end) = document.blocks[random.below(document.blocks.len())];
        let text = document.text.clone();
        for next in keystrokes(&mut random, &text, start, end) {
            round += 1;
            for which in in_turn(round) {
                let side = &mut sides[which];
                let asked = Instant::now();
                side.editor.edit(&mut side.open[at], &next)?;
                side.editor.lenses(&side.open[at])?;
                let took = ms(asked);
                side.keystrokes.push(took);
                if side.open[at].is_test {
                    side.in_tests.push(took);
                }
            }
        }
        for side in sides.iter_mut() {
            side.editor.edit(&mut side.open[at], &text)?;
            side.editor.lenses(&side.open[at])?;
        }
    }
    Ok(())
}

fn row(name: &str, what: &str, times: &[f64]) {
    let p = |percent| percentile(times.to_vec(), percent);
    println!(
        "evidence: {name}: {what}: p50 {:.1} ms, p95 {:.1} ms (at most 20), most {:.1} ms; {} times",
        p(50),
        p(95),
        p(100),
        times.len()
    );
}
