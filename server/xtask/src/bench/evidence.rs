//! What the language server costs with all that was recorded of a project, beside one that finds nothing recorded.
//!
//! Two copies of the project, a server on each, what was recorded in one of them. They start in turn, and get the same keystrokes
//! in turn, so that a machine that others use too treats them alike; which is first changes each time (ABBA).
//!
//! As somebody has it, one server gets what is typed into one method, key by key, and then the other the same. Measured beside
//! that is what came first: the turn changes with each key, so that each finds the processor's caches full of the other's.

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
    keystrokes: Vec<Key>,
}

/// One keystroke.
struct Key {
    ms: f64,
    /// Milliseconds of processor of the server, of all its threads.
    processor: f64,
    in_test: bool,
}

/// When the other server has its turn.
#[derive(Clone, Copy)]
enum Turn {
    /// Behind all keys that are typed into one method.
    Method,
    /// Behind each key.
    Key,
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
    // The files and the edits of `--only server`.
    let mut random = Random(7);
    documents(&roots[0], &program, &mut random);
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
    for turn in [Turn::Method, Turn::Key] {
        typing(
            &mut sides,
            random.clone(),
            if quick { 40 } else { 200 },
            turn,
        )?;
        println!(
            "evidence: keystrokes in a body to fresh lenses, {}:",
            match turn {
                Turn::Method => "one server at a time",
                Turn::Key => "the servers in turn with each",
            }
        );
        for at in [1, 0] {
            let keys = std::mem::take(&mut sides[at].keystrokes);
            let name = if WITH[at] { "with" } else { "without" };
            row(name, "all", keys.iter());
            row(name, "in tests", keys.iter().filter(|key| key.in_test));
            let production = keys.iter().filter(|key| !key.in_test);
            row(name, "in production code", production);
        }
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
fn typing(sides: &mut [Side; 2], mut random: Random, scripts: usize, turn: Turn) -> Result<()> {
    let mut round = 0;
    for _ in 0..scripts {
        let at = random.below(sides[0].open.len());
        let document = &sides[0].open[at];
        let (start, end) = document.blocks[random.below(document.blocks.len())];
        let text = document.text.clone();
        let keys = keystrokes(&mut random, &text, start, end);
        let runs = match turn {
            Turn::Method => keys.chunks(keys.len().max(1)),
            Turn::Key => keys.chunks(1),
        };
        for run in runs {
            round += 1;
            for which in in_turn(round) {
                let side = &mut sides[which];
                for next in run {
                    let key = side.typed(at, next)?;
                    side.keystrokes.push(key);
                }
            }
        }
        for side in sides.iter_mut() {
            side.typed(at, &text)?;
        }
    }
    Ok(())
}

impl Side {
    /// Gives a document another text and asks for its lenses: how long it takes until they are there.
    fn typed(&mut self, at: usize, text: &str) -> Result<Key> {
        let before = self.editor.processor();
        let asked = Instant::now();
        self.editor.edit(&mut self.open[at], text)?;
        self.editor.lenses(&self.open[at])?;
        Ok(Key {
            ms: ms(asked),
            processor: self.editor.processor() - before,
            in_test: self.open[at].is_test,
        })
    }
}

fn row<'a>(name: &str, what: &str, keys: impl Iterator<Item = &'a Key>) {
    let keys: Vec<&Key> = keys.collect();
    let p = |of: fn(&Key) -> f64, percent| {
        percentile(keys.iter().map(|key| of(key)).collect(), percent)
    };
    let (clock, processor) = (|key: &Key| key.ms, |key: &Key| key.processor);
    println!(
        "evidence: {name}: {what}: p50 {:.1} ms, p95 {:.1} ms (at most 20), most {:.1} ms; of processor {:.1}, {:.1}, {:.1}; {} times",
        p(clock, 50),
        p(clock, 95),
        p(clock, 100),
        p(processor, 50),
        p(processor, 95),
        p(processor, 100),
        keys.len()
    );
}
