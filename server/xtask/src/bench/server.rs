//! `telltale lsp` as an editor meets it: over its pipes, with ten files open.
//!
//! A time starts before the first byte of an edit is written and ends when the last answer was read. Lenses are asked as
//! editors ask for them: the list, then the words of the first five, which is about what a screen shows.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use program::{FileId, Program};
use serde_json::{Value, json};

use super::edits::{Random, declared, keystrokes};
use super::load::texts;
use super::part::status_kb;
use super::percentile;
use crate::Result;

/// Files that are open.
const OPEN: usize = 10;
/// Lenses whose words are asked.
const SHOWN: usize = 5;
/// How long any answer is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server, and an editor that answers whatever it is asked.
pub(super) struct Editor {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    requests: i64,
    version: i64,
    ready: bool,
    refreshed: bool,
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Editor {
    /// Starts a server on a folder; the answer to `initialize` has come, reading has not begun.
    pub(super) fn start(telltale: &Path, root: &Path) -> Result<Editor> {
        let mut child = Command::new(telltale)
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start {}: {error}", telltale.display()))?;
        let to = child.stdin.take().ok_or("no input")?;
        let out = child.stdout.take().ok_or("no output")?;
        let (send, from) = channel();
        std::thread::spawn(move || {
            let mut out = BufReader::new(out);
            while let Some(message) = read(&mut out) {
                if send.send(message).is_err() {
                    break;
                }
            }
        });
        let mut editor = Editor {
            child,
            to,
            from,
            requests: 0,
            version: 1,
            ready: false,
            refreshed: false,
        };
        editor.request(
            "initialize",
            json!({
                "processId": null,
                "rootUri": uri(root),
                "workspaceFolders": [{ "uri": uri(root), "name": "subject" }],
                "capabilities": {
                    "general": { "positionEncodings": ["utf-8"] },
                    "workspace": { "codeLens": { "refreshSupport": true } },
                    "textDocument": { "codeLens": {}, "hover": { "contentFormat": ["markdown"] } },
                    "experimental": { "telltaleStatus": true },
                },
            }),
        )?;
        Ok(editor)
    }

    fn write(&mut self, message: &Value) -> Result<()> {
        let text = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len())
            .and_then(|()| self.to.flush())
            .map_err(|error| format!("the server takes nothing: {error}"))
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) -> Result<()> {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    fn send(&mut self, method: &str, params: Value) -> Result<i64> {
        self.requests += 1;
        let id = self.requests;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        Ok(id)
    }

    pub(super) fn request(&mut self, method: &str, params: Value) -> Result<Value> {
        let id = self.send(method, params)?;
        Ok(self.answers(&[id])?.remove(0))
    }

    /// The results of requests that were sent, in any order of arrival.
    fn answers(&mut self, ids: &[i64]) -> Result<Vec<Value>> {
        let mut out: Vec<Option<Value>> = vec![None; ids.len()];
        while out.iter().any(Option::is_none) {
            let Some(message) = self.next(PATIENCE)? else {
                return Err("an answer did not come".to_owned());
            };
            let id = message.get("id").and_then(Value::as_i64);
            if let Some(at) = ids.iter().position(|i| Some(*i) == id) {
                if let Some(error) = message.get("error") {
                    return Err(format!("the server answered {error}"));
                }
                out[at] = Some(message.get("result").cloned().unwrap_or_default());
            }
        }
        Ok(out.into_iter().flatten().collect())
    }

    /// The next message that answers us; requests of the server are answered here, what it tells is noted.
    fn next(&mut self, patience: Duration) -> Result<Option<Value>> {
        let Ok(message) = self.from.recv_timeout(patience) else {
            return Ok(None);
        };
        let Some(method) = message.get("method").and_then(Value::as_str) else {
            return Ok(Some(message));
        };
        self.ready |= method == "telltale/status" && message["params"]["state"] == "ready";
        self.refreshed |= method == "workspace/codeLens/refresh";
        if let Some(id) = message.get("id") {
            let answer = json!({ "jsonrpc": "2.0", "id": id, "result": null });
            self.write(&answer)?;
        }
        Ok(Some(Value::Null))
    }

    pub(super) fn wait(&mut self, until: impl Fn(&Editor) -> bool) -> Result<()> {
        while !until(self) {
            if self.next(PATIENCE)?.is_none() {
                return Err("the server says nothing".to_owned());
            }
        }
        Ok(())
    }

    /// True once it has read the folder.
    pub(super) fn is_ready(&self) -> bool {
        self.ready
    }

    pub(super) fn open(&mut self, document: &Document) -> Result<()> {
        let opened = json!({
            "uri": document.uri, "languageId": "java", "version": 1, "text": document.text,
        });
        self.notify("textDocument/didOpen", json!({ "textDocument": opened }))
    }

    /// Gives a document another text, as the one change that differs.
    pub(super) fn edit(&mut self, document: &mut Document, text: &str) -> Result<()> {
        self.version += 1;
        let change = difference(&document.text, text);
        text.clone_into(&mut document.text);
        let params = json!({
            "textDocument": { "uri": document.uri, "version": self.version },
            "contentChanges": [change],
        });
        self.notify("textDocument/didChange", params)
    }

    /// The lenses of a document, the words of the first of them; how many there are.
    pub(super) fn lenses(&mut self, document: &Document) -> Result<usize> {
        let of = json!({ "textDocument": { "uri": document.uri } });
        let lenses = self.request("textDocument/codeLens", of)?;
        let lenses = lenses.as_array().cloned().unwrap_or_default();
        let ids = lenses
            .iter()
            .take(SHOWN)
            .map(|lens| self.send("codeLens/resolve", lens.clone()))
            .collect::<Result<Vec<i64>>>()?;
        self.answers(&ids)?;
        Ok(lenses.len())
    }

    /// Milliseconds that its threads have had of a processor, but for those that have ended.
    pub(super) fn processor(&self) -> f64 {
        let threads = fs::read_dir(format!("/proc/{}/task", self.child.id()));
        let of = |thread: fs::DirEntry| -> Option<f64> {
            let told = fs::read_to_string(thread.path().join("schedstat")).ok()?;
            told.split(' ').next()?.parse().ok()
        };
        let threads = threads.into_iter().flatten().flatten();
        threads.filter_map(of).sum::<f64>() / 1e6
    }

    /// Megabytes of memory of the server, by the name of the line in its status.
    pub(super) fn memory(&self, line: &str) -> f64 {
        status_kb(&self.child.id().to_string(), line) / 1024.0
    }
}

/// One message from the wire.
fn read(from: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

pub(super) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// The one change between two texts, in bytes.
fn difference(old: &str, new: &str) -> Value {
    let same = |a: &mut dyn Iterator<Item = (char, char)>| -> usize {
        a.take_while(|(a, b)| a == b)
            .map(|(c, _)| c.len_utf8())
            .sum()
    };
    let start = same(&mut old.chars().zip(new.chars()));
    let tail = same(&mut old[start..].chars().rev().zip(new[start..].chars().rev()));
    let end = old.len() - tail;
    json!({
        "range": { "start": position(old, start), "end": position(old, end) },
        "text": &new[start..new.len() - tail],
    })
}

fn position(text: &str, at: usize) -> Value {
    let before = &text.as_bytes()[..at];
    let line = before.iter().filter(|b| **b == b'\n').count();
    let start = before
        .iter()
        .rposition(|b| *b == b'\n')
        .map_or(0, |i| i + 1);
    json!({ "line": line, "character": at - start })
}

/// An open file.
pub(super) struct Document {
    pub(super) uri: String,
    pub(super) file: FileId,
    pub(super) is_test: bool,
    pub(super) text: String,
    /// The bytes between the braces of its methods.
    pub(super) blocks: Vec<(usize, usize)>,
}

impl Document {
    fn of(root: &Path, program: &Program, file: FileId) -> Option<Document> {
        let text: &Arc<str> = program.text(file)?;
        let blocks: Vec<(usize, usize)> = program
            .bodies_of_file(file)
            .iter()
            .filter_map(|b| program.body_method(*b))
            .filter_map(|m| program.method_decl(m))
            .filter(|m| !m.implicit)
            .filter_map(|m| {
                let (start, end) = (m.span.start as usize, m.span.end as usize);
                Some((start + text.get(start..end)?.find('{')? + 1, end - 1))
            })
            .collect();
        Some(Document {
            uri: uri(&root.join(&**program.path(file)?)),
            file,
            is_test: program.is_test(file),
            text: text.to_string(),
            blocks,
        })
    }
}

/// Ten files by chance, the larger the likelier; half of them tests.
pub(super) fn documents(root: &Path, program: &Program, random: &mut Random) -> Vec<Document> {
    let bodies: Vec<_> = program.bodies().collect();
    let mut out: Vec<Document> = Vec::new();
    for _ in 0..100_000 {
        if out.len() == OPEN {
            break;
        }
        let Some(file) = program.body_file(bodies[random.below(bodies.len())]) else {
            continue;
        };
        let of_kind = out.iter().filter(|d| d.is_test == program.is_test(file));
        if of_kind.count() == OPEN / 2 || out.iter().any(|d| d.file == file) {
            continue;
        }
        let document = Document::of(root, program, file);
        out.extend(document.filter(|d| !d.blocks.is_empty()));
    }
    out
}

/// Copies all files below a folder.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    let mut work = vec![PathBuf::new()];
    while let Some(folder) = work.pop() {
        fs::create_dir_all(to.join(&folder))?;
        for entry in fs::read_dir(from.join(&folder))? {
            let path = folder.join(entry?.file_name());
            if from.join(&path).is_dir() {
                work.push(path);
            } else {
                fs::copy(from.join(&path), to.join(&path))?;
            }
        }
    }
    Ok(())
}

/// The place of the variable whose definition ends at `end`: the last character before ` = ` on that line.
fn defined_before(text: &str, end: &Value) -> Option<Value> {
    let (line, character) = (end["line"].as_u64()?, end["character"].as_u64()?);
    let before = text.lines().nth(line as usize)?.get(..character as usize)?;
    let name = before.rfind(" = ")?.checked_sub(1)?;
    Some(json!({ "line": line, "character": name }))
}

pub(super) fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

fn row(what: &str, times: &[f64], limit: f64, aim: f64) {
    let p = |percent| percentile(times.to_vec(), percent);
    println!(
        "server: {what}: p50 {:.1} ms, p95 {:.1} ms (at most {limit}, aim {aim}), most {:.1} ms; {} times",
        p(50),
        p(95),
        p(100),
        times.len()
    );
}

pub(super) fn measure(telltale: &Path, subject: &Path, quick: bool, full: bool) -> Result<()> {
    // Files are written to: a copy.
    let folder = tempfile::tempdir().map_err(|error| format!("no folder: {error}"))?;
    let root = folder
        .path()
        .canonicalize()
        .map_err(|error| format!("no folder: {error}"))?;
    copy(subject, &root).map_err(|error| format!("cannot copy the subject: {error}"))?;
    let texts = texts(&root)?;
    let program = texts.program();
    let mut random = Random(7);
    let mut open = documents(&root, &program, &mut random);

    let (mut editor, cold) = indexing(telltale, &root, &open)?;
    for document in &open {
        editor.lenses(document)?;
    }
    println!(
        "server: memory: {:.0} MB with {} files open and asked (at most 200, aim 130), peak {:.0} MB (at most 250, aim 160)",
        editor.memory("VmRSS:"),
        open.len(),
        editor.memory("VmHWM:")
    );
    typing(
        &mut editor,
        &mut open,
        &mut random,
        if quick { 40 } else { 200 },
    )?;
    hovers(
        &mut editor,
        &mut open,
        &mut random,
        if quick { 50 } else { 200 },
    )?;
    declarations(&mut editor, &program, &mut open, &mut random)?;
    println!(
        "server: memory after these edits: {:.0} MB, peak {:.0} MB",
        editor.memory("VmRSS:"),
        editor.memory("VmHWM:")
    );
    if full {
        growth(&mut editor, &mut open, &mut random)?;
    }
    branch(&mut editor, &program, &root, &open[0], cold)
}

/// Starts a server and asks it all the time while it reads the folder. Gives it ready, with the milliseconds from
/// `initialized` on.
fn indexing(telltale: &Path, root: &Path, open: &[Document]) -> Result<(Editor, f64)> {
    let mut editor = Editor::start(telltale, root)?;
    let start = Instant::now();
    editor.notify("initialized", json!({}))?;
    for document in open {
        editor.open(document)?;
    }
    let mut waits = Vec::new();
    let mut at = 0;
    let mut ready = 0.0;
    // A few more, behind the last one that was asked before: the first answers of the whole program.
    let mut after = 20;
    while after > 0 {
        let document = &open[at % open.len()];
        at += 1;
        let asked = Instant::now();
        match at % 2 {
            0 => {
                editor.lenses(document)?;
            }
            _ => {
                let here = position(&document.text, document.blocks[0].0 + 12);
                let at = json!({ "textDocument": { "uri": document.uri }, "position": here });
                editor.request("textDocument/hover", at)?;
            }
        }
        waits.push(ms(asked));
        std::thread::sleep(Duration::from_millis(2));
        if editor.ready {
            if ready == 0.0 {
                ready = ms(start);
            }
            after -= 1;
        }
    }
    println!("server: ready after {ready:.0} ms while it was asked {at} times");
    row("request while indexing", &waits, 50.0, 20.0);
    Ok((editor, ready))
}

/// Edits in bodies, typed character by character; after each the lenses of the file.
fn typing(
    editor: &mut Editor,
    open: &mut [Document],
    random: &mut Random,
    scripts: usize,
) -> Result<()> {
    let (mut tests, mut production) = (Vec::new(), Vec::new());
    for _ in 0..scripts {
        let at = random.below(open.len());
        let document = &mut open[at];
        let (start, end) = document.blocks[random.below(document.blocks.len())];
        let text = document.text.clone();
        for next in keystrokes(random, &text, start, end) {
            let asked = Instant::now();
            editor.edit(document, &next)?;
            editor.lenses(document)?;
            match document.is_test {
                true => tests.push(ms(asked)),
                false => production.push(ms(asked)),
            }
        }
        editor.edit(document, &text)?;
        editor.lenses(document)?;
    }
    let all = [tests.as_slice(), production.as_slice()].concat();
    row("keystroke in a body to fresh lenses", &all, 20.0, 10.0);
    row("  of these in tests", &tests, 20.0, 10.0);
    row("  in production code", &production, 20.0, 10.0);
    Ok(())
}

/// Hovers, each right after a keystroke: at values that are worth observing, and behind the first brace of a method.
fn hovers(
    editor: &mut Editor,
    open: &mut [Document],
    random: &mut Random,
    count: usize,
) -> Result<()> {
    let mut times = Vec::new();
    let mut said = 0;
    let mut at = 0;
    let production: Vec<usize> = (0..open.len()).filter(|i| !open[*i].is_test).collect();
    while at < count && !production.is_empty() {
        let document = &mut open[production[at % production.len()]];
        at += 1;
        let text = document.text.clone();
        let all = json!({
            "textDocument": { "uri": document.uri },
            "range": { "start": position(&text, 0), "end": position(&text, text.len()) },
        });
        let hints = editor.request("textDocument/inlayHint", all)?;
        let hints = hints.as_array().cloned().unwrap_or_default();
        let Some(hint) = hints.get(at % hints.len().max(1)) else {
            continue;
        };
        let Some(here) = defined_before(&text, &hint["position"]) else {
            continue;
        };
        // At the end of a block: what stands before stays where it is.
        let (_, end) = document.blocks[random.below(document.blocks.len())];
        let line = text[..end].matches('\n').count() as u64;
        if here["line"].as_u64().is_some_and(|l| l >= line) {
            continue;
        }
        let mut next = text.clone();
        next.insert_str(end, "int added = 1;\n");
        let asked = Instant::now();
        editor.edit(document, &next)?;
        let params = json!({ "textDocument": { "uri": document.uri }, "position": here });
        let hover = editor.request("textDocument/hover", params)?;
        times.push(ms(asked));
        said += usize::from(!hover.is_null());
        editor.edit(document, &text)?;
    }
    row("hover after an edit", &times, 15.0, 5.0);
    println!("server:   {said} of {} hovers said something", times.len());
    Ok(())
}

/// Fifty edits of declarations; after each the lenses of the file.
fn declarations(
    editor: &mut Editor,
    program: &Program,
    open: &mut [Document],
    random: &mut Random,
) -> Result<()> {
    let mut times = Vec::new();
    for at in 0..1_000 {
        if times.len() == 50 {
            break;
        }
        let which = random.below(open.len());
        let document = &mut open[which];
        let text = document.text.clone();
        let Some(edited) = program
            .summary(document.file)
            .and_then(|s| declared(random, &text, s, at))
        else {
            continue;
        };
        let asked = Instant::now();
        editor.edit(document, &edited)?;
        editor.lenses(document)?;
        times.push(ms(asked));
        editor.edit(document, &text)?;
        editor.lenses(document)?;
    }
    row("edit of a declaration to fresh lenses", &times, 80.0, 40.0);
    Ok(())
}

/// Twenty thousand keystrokes, and what the memory does.
fn growth(editor: &mut Editor, open: &mut [Document], random: &mut Random) -> Result<()> {
    const EDITS: usize = 20_000;
    let mut first = 0.0;
    let mut done = 0;
    while done < EDITS {
        let at = random.below(open.len());
        let document = &mut open[at];
        let (start, end) = document.blocks[random.below(document.blocks.len())];
        let text = document.text.clone();
        for next in keystrokes(random, &text, start, end) {
            editor.edit(document, &next)?;
            done += 1;
            if done % 10 == 0 {
                editor.lenses(document)?;
            }
            if done == EDITS / 20 {
                first = editor.memory("VmRSS:");
            }
        }
        editor.edit(document, &text)?;
    }
    for document in &*open {
        editor.lenses(document)?;
    }
    let last = editor.memory("VmRSS:");
    println!(
        "server: {EDITS} edits: {first:.0} MB after {}, {last:.0} MB at the end: {:+.1} % (at most 5)",
        EDITS / 20,
        (last / first - 1.0) * 100.0
    );
    Ok(())
}

/// Five hundred files change on disk, as when another branch is checked out.
fn branch(
    editor: &mut Editor,
    program: &Program,
    root: &Path,
    asked_for: &Document,
    cold: f64,
) -> Result<()> {
    let mut changes = Vec::new();
    for &file in program.files().iter() {
        let (Some(path), Some(text)) = (program.path(file), program.text(file)) else {
            continue;
        };
        let Some(end) = text.rfind('}').filter(|_| changes.len() < 500) else {
            continue;
        };
        let path = root.join(&**path);
        let new = format!(
            "{}    int added; int added() {{ return added; }}\n}}\n",
            text[..end].replacen("return ", "", 1)
        );
        fs::write(&path, new).map_err(|error| format!("cannot write: {error}"))?;
        changes.push(json!({ "uri": uri(&path), "type": 2 }));
    }
    let count = changes.len();
    editor.refreshed = false;
    let asked = Instant::now();
    editor.notify(
        "workspace/didChangeWatchedFiles",
        json!({ "changes": changes }),
    )?;
    editor.wait(|e| e.refreshed)?;
    editor.lenses(asked_for)?;
    let took = ms(asked);
    println!(
        "server: {count} files change on disk: {took:.0} ms to fresh lenses = {:.2} x cold (at most 1.5); then {:.0} MB, peak {:.0} MB",
        took / cold,
        editor.memory("VmRSS:"),
        editor.memory("VmHWM:")
    );
    Ok(())
}
