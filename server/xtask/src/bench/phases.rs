//! Where a keystroke or an edit of a declaration goes: the steps between an edit and the words of five lenses, without protocol and pipes.

use calls::Workspace;
use observe::Settings;
use recommend::Known;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use ide::Analysis;
use ide::lens::{On, lenses};
use ide::title::title;
use program::Change;

use super::edits::{Random, declared, keystrokes};
use super::load::texts;
use super::percentile;
use super::server::documents;
use crate::Result;

/// Lenses whose words are asked.
const SHOWN: usize = 5;

#[derive(Default)]
struct Steps {
    names: Vec<&'static str>,
    times: Vec<Vec<f64>>,
}

impl Steps {
    fn add(&mut self, name: &'static str, ms: f64) {
        let at = self.names.iter().position(|n| *n == name);
        let at = at.unwrap_or_else(|| {
            self.names.push(name);
            self.times.push(Vec::new());
            self.names.len() - 1
        });
        self.times[at].push(ms);
    }

    fn timed<T>(&mut self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let out = work();
        self.add(name, start.elapsed().as_secs_f64() * 1e3);
        out
    }

    fn print(self, what: &str) {
        for (name, times) in self.names.iter().zip(self.times) {
            let p = |percent| percentile(times.clone(), percent);
            println!(
                "{what}{name}: p50 {:.1} ms, p95 {:.1} ms, most {:.1} ms, mean {:.1}; {} times",
                p(50),
                p(95),
                p(100),
                times.iter().sum::<f64>() / times.len() as f64,
                times.len()
            );
        }
    }
}

/// Types scripts into open files, as the measurement of the server does.
pub(super) fn measure(folder: &Path, quick: bool) -> Result<()> {
    let texts = texts(folder)?;
    let workspace = Workspace::new(texts.program());
    let mut random = Random(7);
    let mut open = documents(folder, workspace.program(), &mut random);
    let mut now = Analysis::new(workspace, true, Settings::default());
    now.prepare();
    for document in &open {
        for lens in lenses(&now, document.file) {
            title(&now, lens.on);
        }
    }
    let mut steps = Steps::default();
    for _ in 0..if quick { 40 } else { 200 } {
        let at = random.below(open.len());
        let document = &mut open[at];
        let (start, end) = document.blocks[random.below(document.blocks.len())];
        let text = document.text.clone();
        for next in keystrokes(&mut random, &text, start, end) {
            now = keystroke(&mut steps, &now, document.file, &next);
        }
        now = keystroke(&mut Steps::default(), &now, document.file, &text);
    }
    steps.print("");
    let mut steps = Steps::default();
    let mut done = 0;
    for at in 0..1_000 {
        if done == 50 {
            break;
        }
        let document = &open[random.below(open.len())];
        let program = now.program();
        let edited = program
            .summary(document.file)
            .and_then(|s| declared(&mut random, &document.text, s, at));
        let Some(edited) = edited else { continue };
        done += 1;
        now = keystroke(&mut steps, &now, document.file, &edited);
        now = keystroke(&mut Steps::default(), &now, document.file, &document.text);
    }
    steps.print("declarations: ");
    Ok(())
}

fn keystroke(steps: &mut Steps, now: &Analysis, file: program::FileId, text: &str) -> Analysis {
    let program = now.program();
    let change = program.path(file).zip(program.source_set(file));
    let change = change.map(|(path, source_set)| Change {
        path: Arc::clone(path),
        source_set,
        text: Some(Arc::from(text)),
    });
    let changes: Vec<Change> = change.into_iter().collect();
    // Each step once more on its own: what is left of `after` are callers and offers.
    let next = steps.timed("program", || program.with_changes(changes.clone()));
    let same = next.same_declarations(program);
    let workspace = steps.timed("chains", || {
        let next = now.workspace().with_program(next);
        next.suite();
        next
    });
    steps.timed("known", || {
        Known::update(now.known(), now.workspace(), &workspace)
    });
    drop(workspace);
    let all = Instant::now();
    let next = steps.timed("state: all of these, callers, kept offers", || {
        now.after(changes)
    });
    let list = steps.timed("list of lenses", || lenses(&next, file));
    for lens in list.iter().take(SHOWN) {
        let name = match lens.on {
            On::Test(_) => "words of a test",
            On::Method(_) | On::Checked(_) => "words of a method",
            On::Generated(_) | On::Recorded(_) => "words of a class",
        };
        let start = Instant::now();
        title(&next, lens.on);
        let ms = start.elapsed().as_secs_f64() * 1e3;
        // An offer that was kept takes no time.
        if ms > 0.05 {
            steps.add(name, ms);
        }
    }
    let name = if same {
        "keystroke, declarations the same"
    } else {
        "keystroke, declarations changed"
    };
    let total = all.elapsed().as_secs_f64() * 1e3;
    steps.add(name, total);
    steps.add("keystroke", total);
    next
}
