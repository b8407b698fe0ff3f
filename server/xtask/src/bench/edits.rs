//! Edits of a program that is ready: typed into bodies, made to declarations, and many files at once.
//!
//! An edit is re-analysed when the program, the chains of the bodies that it changes and the list of tests are those of
//! the new text: then a language server can answer anything. What it would be asked first is timed beside that: the
//! ranking of the file if it is production code, the offer for one of its tests otherwise.

use calls::Workspace;
use observe::{Settings, rank};
use recommend::Known;
use recommend::{Switches, offer};
use std::path::Path;
use std::sync::Arc;

use program::{BodyId, Change, FileId, Program};

use super::load::{texts, timed};
use super::percentile;
use crate::Result;

/// SplitMix64: the same edits in every run.
#[derive(Clone)]
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) as usize % end.max(1)
    }
}

/// Milliseconds of the steps of each edit.
#[derive(Default)]
struct Times {
    program: Vec<f64>,
    workspace: Vec<f64>,
    answer: Vec<f64>,
    /// Program and workspace.
    all: Vec<f64>,
    /// The same in processor time of all threads.
    processor: Vec<f64>,
    /// How many bodies each edit resolved anew.
    bodies: Vec<f64>,
    /// How many chains it built.
    chains: Vec<f64>,
}

impl Times {
    fn print(self, what: &str, limit: f64, aim: f64) {
        let p = |v: &Vec<f64>, percent| percentile(v.clone(), percent);
        println!(
            "{what}: p50 {:.1} ms, p95 {:.1} ms (at most {limit}, aim {aim}), most {:.1} ms; processor p50 {:.1}, p95 {:.1}; p95 of program {:.1}, of chains and tests {:.1}; then an answer p50 {:.1}, p95 {:.1}; bodies resolved p50 {}, p95 {}, most {}; chains built p95 {}, most {}",
            p(&self.all, 50),
            p(&self.all, 95),
            p(&self.all, 100),
            p(&self.processor, 50),
            p(&self.processor, 95),
            p(&self.program, 95),
            p(&self.workspace, 95),
            p(&self.answer, 50),
            p(&self.answer, 95),
            p(&self.bodies, 50),
            p(&self.bodies, 95),
            p(&self.bodies, 100),
            p(&self.chains, 95),
            p(&self.chains, 100),
        );
    }
}

/// A workspace under edit.
struct Session {
    workspace: Workspace,
    times: Times,
    random: Random,
}

impl Session {
    fn new(folder: &Path, seed: u64) -> Result<Session> {
        let texts = texts(folder)?;
        Ok(Session {
            workspace: Workspace::new(texts.program()),
            times: Times::default(),
            random: Random(seed),
        })
    }

    fn program(&self) -> &Program {
        self.workspace.program()
    }

    fn change(&self, file: FileId, text: &str) -> Option<Change> {
        Some(Change {
            path: self.program().path(file)?.clone(),
            text: Some(Arc::from(text)),
            source_set: self.program().source_set(file)?,
        })
    }

    /// Gives a file another text and asks what an editor asks.
    fn edit(&mut self, file: FileId, text: &str, timed_edit: bool) {
        let Some(change) = self.change(file, text) else {
            return;
        };
        let before = self.program().counters().bodies_resolved;
        let built = self.workspace.counters().chains_built;
        let processor = if timed_edit { scheduled_ms() } else { 0.0 };
        let (program, a) = timed(|| self.workspace.program().with_changes(vec![change]));
        let (workspace, b) = timed(|| {
            let next = self.workspace.with_program(program);
            next.suite();
            next
        });
        self.workspace = workspace;
        if !timed_edit {
            return;
        }
        let processor = scheduled_ms() - processor;
        let ((), c) = timed(|| answer(&self.workspace, file));
        let times = &mut self.times;
        times.program.push(a);
        times.workspace.push(b);
        times.answer.push(c);
        times.all.push(a + b);
        times.processor.push(processor);
        let resolved = self.workspace.program().counters().bodies_resolved - before;
        times.bodies.push(resolved as f64);
        let built = self.workspace.counters().chains_built - built;
        times.chains.push(built as f64);
    }

    /// A method's body that has a block, anywhere in the program; its file and the bytes between its braces.
    fn some_block(&mut self, bodies: &[BodyId]) -> Option<(FileId, usize, usize)> {
        for _ in 0..1000 {
            let body = bodies[self.random.below(bodies.len())];
            let program = self.workspace.program();
            let (Some(method), Some(file)) = (program.body_method(body), program.body_file(body))
            else {
                continue;
            };
            let Some(decl) = program.method_decl(method).filter(|m| !m.implicit) else {
                continue;
            };
            let Some(text) = program.text(file) else {
                continue;
            };
            let (start, end) = (decl.span.start as usize, decl.span.end as usize);
            if let Some(open) = text[start..end].find('{') {
                return Some((file, start + open + 1, end - 1));
            }
        }
        None
    }
}

/// Milliseconds that all threads of this process ran so far, to the nanosecond; 0 where the system does not say.
fn scheduled_ms() -> f64 {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else {
        return 0.0;
    };
    let ran = threads.flatten().filter_map(|thread| {
        let stat = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        stat.split_whitespace().next()?.parse::<f64>().ok()
    });
    ran.sum::<f64>() / 1e6
}

/// What an editor shows in a file: its ranking, or what the first test in it could check.
fn answer(workspace: &Workspace, file: FileId) {
    let program = workspace.program();
    let settings = Settings::default();
    if program.is_test(file) {
        let bodies = program.bodies_of_file(file);
        let methods = bodies.iter().filter_map(|b| program.body_method(*b));
        let kinds = |m: &_| workspace.suite().kind(*m) == Some(oracle::TestKind::Test);
        if let Some(test) = methods.into_iter().find(kinds) {
            let known = Known::new(workspace);
            let found = offer(
                workspace,
                &known,
                &[workspace.own_run(test)],
                &settings,
                &Switches::default(),
            );
            std::hint::black_box(found.readable.len());
        }
    } else {
        let units = workspace.units(&|of, _, _| of == file);
        std::hint::black_box(rank(workspace, &units, &settings).ranking.len());
    }
}

/// One scripted edit: the texts after each keystroke.
pub(super) fn keystrokes(
    random: &mut Random,
    text: &str,
    open: usize,
    close: usize,
) -> Vec<String> {
    let block = &text[open..close];
    // Behind a statement or at the top.
    let ends: Vec<usize> = std::iter::once(0)
        .chain(block.match_indices(";\n").map(|m| m.0 + 1))
        .collect();
    let at = open + ends[random.below(ends.len())];
    let typed = |at: usize, new: &str| {
        let mut now = text.to_owned();
        let mut end = at;
        let mut out = Vec::new();
        for c in new.chars() {
            now.insert(end, c);
            end += c.len_utf8();
            out.push(now.clone());
        }
        out
    };
    match random.below(5) {
        0 => typed(at, "\n        double probe = Math.max(offset(3), 2);"),
        1 => typed(
            at,
            "\n        if (size() > 0) {\n            log(\"a\" + this);\n        }",
        ),
        2 => typed(at, "\n        // what follows is new\n"),
        3 => retype_call(random, text, open, close).unwrap_or_else(|| typed(at, "\n")),
        _ => erase(text, open, at),
    }
}

/// Another name for some call of the block: the old one goes character by character, the new one comes.
fn retype_call(random: &mut Random, text: &str, open: usize, close: usize) -> Option<Vec<String>> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let calls: Vec<(usize, usize)> = text[open..close]
        .match_indices('(')
        .filter_map(|(at, _)| {
            let end = open + at;
            let start = text[open..end].rfind(|c| !is_name(c)).map_or(open, |i| {
                open + i + text[open + i..].chars().next().map_or(1, char::len_utf8)
            });
            (start < end).then_some((start, end))
        })
        .collect();
    let &(start, end) = calls.get(random.below(calls.len()))?;
    let mut now = text.to_owned();
    let mut out = Vec::new();
    let mut at = end;
    while let Some(last) = now[start..at].chars().next_back() {
        at -= last.len_utf8();
        now.remove(at);
        out.push(now.clone());
    }
    for c in "getValue".chars() {
        now.insert(at, c);
        at += 1;
        out.push(now.clone());
    }
    Some(out)
}

/// Backspace, twenty times at most, from `at` down to the block's start.
fn erase(text: &str, open: usize, at: usize) -> Vec<String> {
    let mut now = text.to_owned();
    let mut out = Vec::new();
    let mut at = at;
    while out.len() < 20
        && let Some(last) = now[open..at].chars().next_back()
    {
        at -= last.len_utf8();
        now.remove(at);
        out.push(now.clone());
    }
    out
}

/// Two hundred scripted edits in bodies, typed character by character.
pub(super) fn typing(folder: &Path, quick: bool) -> Result<()> {
    let mut session = Session::new(folder, 7)?;
    let bodies: Vec<BodyId> = session.program().bodies().collect();
    let scripts = if quick { 40 } else { 200 };
    for _ in 0..scripts {
        let Some((file, open, close)) = session.some_block(&bodies) else {
            break;
        };
        let Some(text) = session.program().text(file).cloned() else {
            continue;
        };
        for next in keystrokes(&mut session.random, &text, open, close) {
            session.edit(file, &next, true);
        }
        session.edit(file, &text, false);
    }
    let count = session.times.all.len();
    session
        .times
        .print(&format!("{count} keystrokes of {scripts} edits"), 20.0, 5.0);
    Ok(())
}

/// Fifty edits of declarations: a method renamed, a parameter, a field, another superclass.
pub(super) fn declarations(folder: &Path, quick: bool) -> Result<()> {
    let mut session = Session::new(folder, 11)?;
    let files: Vec<FileId> = session.program().files().to_vec();
    let count = if quick { 16 } else { 50 };
    let mut done = 0;
    while done < count {
        let file = files[session.random.below(files.len())];
        let program = session.workspace.program();
        let (Some(text), Some(summary)) = (program.text(file).cloned(), program.summary(file))
        else {
            continue;
        };
        let Some(edited) = declared(&mut session.random, &text, summary, done) else {
            continue;
        };
        session.edit(file, &edited, true);
        session.edit(file, &text, false);
        done += 1;
    }
    session
        .times
        .print(&format!("{count} edits of declarations"), 60.0, 25.0);
    Ok(())
}

/// The text with one declaration of its first class changed; which way goes by `kind`.
pub(super) fn declared(
    random: &mut Random,
    text: &str,
    summary: &program::FileSummary,
    kind: usize,
) -> Option<String> {
    let class = summary.types.first()?;
    let methods: Vec<_> = class
        .methods
        .iter()
        .filter(|m| !m.implicit && m.name != "<init>")
        .collect();
    if methods.is_empty() {
        return None;
    }
    let method = methods[random.below(methods.len())];
    let name_end = method.name_span.end as usize;
    let class_end = class.name_span.end as usize;
    let mut edited = text.to_owned();
    match kind % 4 {
        0 => edited.insert_str(name_end, "Again"),
        1 => {
            let paren = text[name_end..].find('(')?;
            let comma = if method.params.is_empty() { "" } else { ", " };
            edited.insert_str(name_end + paren + 1, &format!("int added{comma}"));
        }
        2 => {
            let brace = text[class_end..].find('{')?;
            edited.insert_str(class_end + brace + 1, "\n    private double added;\n");
        }
        _ => {
            let brace = text[class_end..].find('{')?;
            let head = &text[class_end..class_end + brace];
            match head.find(" extends ") {
                Some(at) => edited.insert_str(class_end + at + " extends ".len(), "Base"),
                None if head.starts_with('<') => return None,
                None => edited.insert_str(class_end, " extends Number"),
            }
        }
    }
    Some(edited)
}

/// Five hundred files at once, each with a new field and a new method, and its first `return` gone.
pub(super) fn bulk(folder: &Path) -> Result<()> {
    let texts = texts(folder)?;
    let (workspace, cold) = timed(|| Workspace::new(texts.program()));
    let program = workspace.program();
    let changes: Vec<Change> = program
        .files()
        .iter()
        .filter_map(|&file| {
            let text = program.text(file)?;
            let end = text.rfind('}')?;
            Some(Change {
                path: program.path(file)?.clone(),
                text: Some(Arc::from(format!(
                    "{}    int added; int added() {{ return added; }}\n}}\n",
                    text[..end].replacen("return ", "", 1)
                ))),
                source_set: program.source_set(file)?,
            })
        })
        .take(500)
        .collect();
    let count = changes.len();
    let before = program.counters();
    let (after, ms) = timed(|| {
        let next = workspace.update(changes);
        next.suite();
        next
    });
    let counters = after.program().counters();
    println!(
        "{count} files at once: {ms:.0} ms = {:.2} x cold of the same process (at most 1.5 x); {} files read, {} bodies resolved, {} chains built",
        ms / cold,
        counters.summarised - before.summarised,
        counters.bodies_resolved - before.bodies_resolved,
        after.counters().chains_built - workspace.counters().chains_built
    );
    Ok(())
}
