//! After any interleaving of what clients tell, of changes on disk and of the steps of readings, the server says what
//! one says that was just started: random histories, each step of a reading held until the history goes on with it.

use super::Shared;
use crate::lsp::Options;
use crate::lsp::abilities::ClientCapabilities;
use crate::lsp::backend::Backend;
use crate::lsp::client::Outbox;
use crate::lsp::convert::Coding;
use crate::lsp::outgoing::Outgoing;
use crate::lsp::pool::{Held, Pools};
use crate::lsp::status::{Reading, Status};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use tempfile::TempDir;
use text::Span;
use tower_lsp::{LspService, ls_types as lsp};

/// A server whose readings go on when they are told to.
struct Server {
    world: Shared,
    jobs: Held,
    version: i32,
}

impl Server {
    /// As a client starts it that watches files, or does not.
    fn start(folders: Vec<PathBuf>, settings: Value, watches: bool) -> Server {
        let jobs = Held::default();
        let pools = Pools::held(jobs.clone());
        let mut world = None;
        let _ = LspService::new(|client| {
            let outbox = Outbox::new(client, Outgoing::new(1));
            let (stale, _) = tokio::sync::mpsc::channel(1);
            let shared = Shared::new(outbox, pools, stale);
            world = Some(shared.clone());
            let (gone, _) = tokio::sync::mpsc::channel(1);
            Backend::new(shared, gone, &Options::default())
        });
        let world = world.expect("a backend was made");
        world.outbox.declare(ClientCapabilities {
            watchers: watches,
            ..ClientCapabilities::default()
        });
        world.begin(Coding::default(), folders, settings);
        world.index();
        Server {
            world,
            jobs,
            version: 0,
        }
    }

    fn tell(&self, method: &str, params: Value) {
        self.world.apply(method, params);
    }

    /// Goes on with one of the readings. False if there is none.
    fn step(&self, which: usize) -> bool {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        if jobs.is_empty() {
            return false;
        }
        let at = which % jobs.len();
        let job = jobs.remove(at);
        drop(jobs);
        job();
        true
    }

    fn settle(&self) {
        for _ in 0..10_000 {
            if !self.step(0) {
                return;
            }
        }
        panic!("the readings never end");
    }

    fn open(&mut self, path: &Path, text: &str) {
        self.version += 1;
        let document = json!({ "uri": uri(path), "languageId": "java", "version": self.version, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn edit(&mut self, path: &Path, changes: Value) {
        self.version += 1;
        let document = json!({ "uri": uri(path), "version": self.version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", params);
    }

    fn of_document(&self, method: &str, path: &Path) {
        self.tell(method, json!({ "textDocument": { "uri": uri(path) } }));
    }

    fn watched(&self, paths: &[PathBuf]) {
        // Which kind of change it was is not looked at.
        let changes: Vec<Value> = paths
            .iter()
            .map(|p| json!({ "uri": uri(p), "type": 2 }))
            .collect();
        self.tell(
            "workspace/didChangeWatchedFiles",
            json!({ "changes": changes }),
        );
    }

    fn folders(&self, added: &[&Path], removed: &[&Path]) {
        let list = |paths: &[&Path]| -> Vec<Value> {
            paths
                .iter()
                .map(|p| json!({ "uri": uri(p), "name": "it" }))
                .collect()
        };
        let event = json!({ "added": list(added), "removed": list(removed) });
        self.tell(
            "workspace/didChangeWorkspaceFolders",
            json!({ "event": event }),
        );
    }

    fn status(&self) -> Status {
        self.world.lock().status()
    }

    /// All that it says.
    fn says(&self, files: &[PathBuf]) -> Vec<String> {
        let snapshot = self.world.snapshot();
        let mut out = vec![format!("{:?}", self.status())];
        for folder in snapshot.folders.iter() {
            let program = folder.revision.analysis().program();
            let mut texts: Vec<String> = program
                .files()
                .iter()
                .map(|&f| format!("{:?} says {:?}", program.path(f), program.text(f)))
                .collect();
            texts.sort();
            out.extend(
                texts
                    .iter()
                    .map(|text| format!("{}: {text}", folder.root.display())),
            );
        }
        out.sort();
        for path in files {
            out.extend(answers(&snapshot, path));
        }
        out
    }
}

/// Lenses, hints and hovers of a file.
fn answers(snapshot: &super::Snapshot, path: &Path) -> Vec<String> {
    let at = path.display();
    let uri: lsp::Uri = uri(path).parse().expect("a URI");
    let Some(found) = snapshot.find(&uri) else {
        return vec![format!("{at}: nothing")];
    };
    let (analysis, file) = (&found.analysis, found.file);
    let program = analysis.program();
    let text = program.text(file).expect("it has a text");
    let mut out = vec![format!("{at}: complete: {}", analysis.is_complete())];
    for lens in ide::lens::lenses(analysis, file) {
        let title = ide::title::title(analysis, lens.on).map(|title| {
            let target = title
                .target
                .map(|t| (program.path(t.file).cloned(), t.span));
            (title.text, target)
        });
        out.push(format!("{at}: lens {:?} {title:?}", lens.span));
    }
    let all = Span::new(0, text.len() as u32);
    for hint in ide::hint::hints(analysis, file, all, true) {
        out.push(format!("{at}: {hint:?}"));
    }
    let starts_word = |&(at, c): &(usize, char)| {
        let before = text[..at].chars().next_back();
        c.is_alphabetic() && !before.is_some_and(char::is_alphanumeric)
    };
    for (offset, _) in text.char_indices().filter(starts_word) {
        if let Some(hover) = ide::hover::hover(analysis, file, offset as u32) {
            out.push(format!("{at}: {:?} {}", hover.span, hover.plain));
        }
    }
    out
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

const FOLDERS: &[&str] = &["a", "a/inner", "b"];

const FILES: &[&str] = &[
    "a/src/main/java/p/Stats.java",
    "a/src/main/java/p/Util.java",
    "a/src/test/java/p/StatsTest.java",
    "a/inner/src/main/java/q/In.java",
    "a/inner/src/test/java/q/InTest.java",
    "a/node_modules/m/Made.java",
    "b/B.java",
    "b/BTest.java",
    "lone/L.java",
    "lone/M.java",
];

/// Files that say how a folder is read.
const BUILDS: &[&str] = &[
    "a/pom.xml",
    "a/inner/pom.xml",
    "a/telltale.toml",
    "a/.gitignore",
];

fn java(file: &str, v: u8) -> String {
    let name = file
        .rsplit('/')
        .next()
        .and_then(|name| name.strip_suffix(".java"));
    let name = name.expect("a Java file");
    match name {
        "Stats" => format!(
            "package p; public class Stats {{ public static int m{v}(int a) {{ int n{v} = a * 2; int k = n{v} + Util.u(a); return k; }}\n\
             public static int same(int a) {{ int s = m{v}(a) + 1; int t = s * s; return t; }} }}"
        ),
        "Util" => format!(
            "package p; public class Util {{ public static int u(int a) {{ int w{v} = a + {v}; int x = w{v} * w{v}; return x; }} }}"
        ),
        "StatsTest" => format!(
            "package p; import org.junit.Test; import static org.junit.Assert.*; public class StatsTest {{\n\
             @Test public void t() {{ int r = Stats.same(3); int q = Util.u(r); assertEquals({v}, q); }}\n\
             @Test public void n{v}() {{ int r = Stats.m{v}(2); }} }}"
        ),
        "In" => format!(
            "package q; public class In {{ public int f(int a) {{ int z{v} = a + 1; int y = p.Util.u(z{v}) + z{v}; return y; }} }}"
        ),
        "InTest" => format!(
            "package q; import org.junit.Test; public class InTest {{ @Test public void t{v}() {{ int r = new In().f({v}); int s = p.Stats.same(r); }} }}"
        ),
        name => format!(
            "public class {name} {{ int f{v}(int a) {{ int b{v} = a + 1; int c = b{v} * b{v}; return c; }}\n\
             int g(int a) {{ return new B().f{v}(a) + new L().f{v}(a); }} @org.junit.Test public void t() {{ int r = f{v}(2); }} }}"
        ),
    }
}

/// What a build file says; nothing if it is gone.
fn build(file: &str, v: u8) -> Option<Vec<u8>> {
    let name = file.rsplit('/').next()?;
    Some(match (name, v % 4) {
        (_, 0) => return None,
        ("pom.xml", v) => format!("<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>x{v}</artifactId><version>1</version></project>").into_bytes(),
        (".gitignore", 1) => b"Util.java\n".to_vec(),
        (".gitignore", _) => b"inner\n".to_vec(),
        (_, 1) => b"[sources]\nexclude = [\"Util.java\"]\n".to_vec(),
        (_, 2) => b"[observe]\ntop = 1\n".to_vec(),
        (_, _) => b"\xff".to_vec(),
    })
}

fn settings(v: u8) -> Value {
    match v % 3 {
        0 => json!({}),
        1 => json!({ "observe": { "top": 2 } }),
        _ => json!({ "sources": { "exclude": ["StatsTest.java"] } }),
    }
}

/// A step of a history.
#[derive(Clone, Debug)]
enum Op {
    /// A file on disk changes: 0 to 3 are texts, 4 is none in UTF-8, all else removes it.
    Write(usize, u8),
    /// A build file changes.
    Build(usize, u8),
    /// All files change, as when another branch is checked out; some are gone there.
    Checkout(u8),
    /// So many of the changes that the client does not know yet are told in one message.
    Tell(usize),
    Open(usize, u8),
    /// The whole text, or a part of it.
    Edit(usize, u8, bool),
    Save(usize),
    Close(usize),
    AddFolder(usize),
    RemoveFolder(usize),
    Configure(u8),
    Reindex,
    Cancel,
    /// So many steps of the readings that are under way.
    Read(usize, usize),
}

fn op() -> impl Strategy<Value = Op> {
    let file = 0..FILES.len();
    prop_oneof![
        6 => (file.clone(), 0..6_u8).prop_map(|(f, v)| Op::Write(f, v)),
        2 => (0..BUILDS.len(), 0..4_u8).prop_map(|(f, v)| Op::Build(f, v)),
        2 => (0..8_u8).prop_map(Op::Checkout),
        6 => (1..12_usize).prop_map(Op::Tell),
        3 => (file.clone(), 0..4_u8).prop_map(|(f, v)| Op::Open(f, v)),
        3 => (file.clone(), 0..4_u8, any::<bool>()).prop_map(|(f, v, w)| Op::Edit(f, v, w)),
        3 => file.clone().prop_map(Op::Save),
        3 => file.prop_map(Op::Close),
        1 => (0..FOLDERS.len()).prop_map(Op::AddFolder),
        1 => (0..FOLDERS.len()).prop_map(Op::RemoveFolder),
        1 => (0..3_u8).prop_map(Op::Configure),
        1 => Just(Op::Reindex),
        1 => Just(Op::Cancel),
        12 => (0..4_usize, 1..6_usize).prop_map(|(w, n)| Op::Read(w, n)),
    ]
}

/// A disk, a client and its server.
struct Session {
    _disk: TempDir,
    root: PathBuf,
    server: Server,
    watches: bool,
    open: BTreeMap<usize, String>,
    folders: BTreeSet<usize>,
    settings: Value,
    /// Changes that the client was not told of by its system yet.
    untold: Vec<PathBuf>,
}

impl Session {
    fn start(first: u8, watches: bool) -> Session {
        let disk = TempDir::new().expect("a folder");
        let root = disk.path().canonicalize().expect("it is there");
        for folder in FOLDERS.iter().chain(&["lone"]) {
            std::fs::create_dir_all(root.join(folder)).expect("a folder");
        }
        for (at, file) in FILES.iter().enumerate() {
            write(
                &root.join(file),
                content(file, first.wrapping_add(at as u8) % 4),
            );
        }
        let server = Server::start(vec![root.join("a")], json!({}), watches);
        Session {
            _disk: disk,
            root,
            server,
            watches,
            open: BTreeMap::new(),
            folders: BTreeSet::from([0]),
            settings: json!({}),
            untold: Vec::new(),
        }
    }

    fn path(&self, file: usize) -> PathBuf {
        self.root.join(FILES[file])
    }

    fn write(&mut self, path: PathBuf, content: Option<Vec<u8>>) {
        write(&path, content);
        self.untold.push(path);
    }

    fn go(&mut self, op: &Op) {
        match *op {
            Op::Write(file, v) => self.write(self.path(file), content(FILES[file], v)),
            Op::Build(file, v) => self.write(self.root.join(BUILDS[file]), build(BUILDS[file], v)),
            Op::Checkout(v) => {
                for (at, file) in FILES.iter().enumerate() {
                    self.write(
                        self.root.join(file),
                        content(file, v.wrapping_add(at as u8) % 6),
                    );
                }
            }
            Op::Tell(n) => {
                let n = n.min(self.untold.len());
                let told: Vec<PathBuf> = self.untold.drain(..n).collect();
                if self.watches && n > 0 {
                    self.server.watched(&told);
                }
            }
            Op::Open(file, v) => {
                let text = java(FILES[file], v);
                self.server.open(&self.path(file), &text);
                self.open.insert(file, text);
            }
            Op::Edit(file, v, whole) => {
                let path = self.path(file);
                let Some(text) = self.open.get_mut(&file) else {
                    return;
                };
                let change = match whole {
                    true => {
                        *text = java(FILES[file], v);
                        json!([{ "text": text }])
                    }
                    false => {
                        text.insert_str(0, "/**/");
                        let start = json!({ "line": 0, "character": 0 });
                        json!([{ "range": { "start": start, "end": start }, "text": "/**/" }])
                    }
                };
                self.server.edit(&path, change);
            }
            Op::Save(file) => {
                if let Some(text) = self.open.get(&file) {
                    let text = text.clone().into_bytes();
                    self.write(self.path(file), Some(text));
                    self.server
                        .of_document("textDocument/didSave", &self.path(file));
                }
            }
            Op::Close(file) => {
                if self.open.remove(&file).is_some() {
                    self.server
                        .of_document("textDocument/didClose", &self.path(file));
                }
            }
            Op::AddFolder(folder) => {
                if self.folders.insert(folder) {
                    self.server
                        .folders(&[&self.root.join(FOLDERS[folder])], &[]);
                }
            }
            Op::RemoveFolder(folder) => {
                if self.folders.remove(&folder) {
                    self.server
                        .folders(&[], &[&self.root.join(FOLDERS[folder])]);
                }
            }
            Op::Configure(v) => {
                self.settings = settings(v);
                self.server.world.configure(self.settings.clone());
            }
            Op::Reindex => self.server.world.reindex(),
            Op::Cancel => self
                .server
                .tell("window/workDoneProgress/cancel", json!({ "token": "t" })),
            Op::Read(which, steps) => {
                for _ in 0..steps {
                    self.server.step(which);
                }
            }
        }
    }

    /// Everything is told, and read. What says it all anew masks nothing: it is done only where the user has to.
    fn end(&mut self) {
        // A reading that cannot succeed keeps what was read before, which a new server does not have.
        let toml = self.root.join(BUILDS[2]);
        if std::fs::read(&toml).is_ok_and(|bytes| bytes == b"\xff") {
            self.write(toml, None);
        }
        if self.watches {
            let told = std::mem::take(&mut self.untold);
            self.server.watched(&told);
        } else {
            for folder in FOLDERS {
                let path = self.root.join(folder).join("Any.java");
                self.server.of_document("textDocument/didSave", &path);
            }
        }
        self.server.settle();
        let snapshot = self.server.world.snapshot();
        let was_cancelled = |f: &super::Folder| {
            matches!(
                f.reading,
                Reading::Failed {
                    is_wanted: false,
                    ..
                }
            )
        };
        if snapshot.folders.iter().any(was_cancelled) {
            self.server.world.reindex();
            self.server.settle();
        }
    }

    /// A server that is started now, with the same documents open.
    fn fresh(&self) -> Server {
        let folders = self
            .folders
            .iter()
            .map(|f| self.root.join(FOLDERS[*f]))
            .collect();
        let mut server = Server::start(folders, self.settings.clone(), self.watches);
        server.settle();
        for (file, text) in &self.open {
            server.open(&self.path(*file), text);
        }
        server.settle();
        server
    }

    fn files(&self) -> Vec<PathBuf> {
        FILES.iter().map(|file| self.root.join(file)).collect()
    }
}

fn content(file: &str, v: u8) -> Option<Vec<u8>> {
    match v {
        0..4 => Some(java(file, v).into_bytes()),
        4 => Some(b"class X { /* \xff */ }".to_vec()),
        _ => None,
    }
}

fn write(path: &Path, content: Option<Vec<u8>>) {
    match content {
        Some(bytes) => {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, bytes).expect("written");
        }
        None => {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// The first lines that differ.
fn compared(ours: &[String], fresh: &[String]) -> Result<(), TestCaseError> {
    let only = |these: &[String], those: &[String]| -> Vec<String> {
        let those: BTreeSet<&String> = those.iter().collect();
        these
            .iter()
            .filter(|line| !those.contains(line))
            .take(4)
            .cloned()
            .collect()
    };
    let (more, less) = (only(ours, fresh), only(fresh, ours));
    prop_assert!(
        ours == fresh,
        "it says\n{more:#?}\na new server says\n{less:#?}"
    );
    Ok(())
}

/// `TELLTALE_HISTORIES=10000` tries more of them.
#[test]
fn after_any_history_the_server_says_what_a_new_one_says() {
    let cases = std::env::var("TELLTALE_HISTORIES").ok();
    let cases = cases.and_then(|n| n.parse().ok()).unwrap_or(100);
    let mut runner = TestRunner::new(Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 500,
        ..Config::default()
    });
    let history = (0..4_u8, any::<bool>(), prop::collection::vec(op(), 1..40));
    let result = runner.run(&history, |(first, watches, ops)| {
        let mut session = Session::start(first, watches);
        for op in &ops {
            session.go(op);
        }
        session.end();
        let files = session.files();
        compared(&session.server.says(&files), &session.fresh().says(&files))
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// Told at each step of a reading: another branch is checked out, a file is saved and closed, one is deleted.
#[test]
fn what_is_told_while_a_folder_is_read_wins_over_what_was_read() {
    let histories: [&[Op]; 3] = [
        &[Op::Checkout(1), Op::Tell(FILES.len())],
        &[
            Op::Open(0, 1),
            Op::Edit(0, 2, true),
            Op::Save(0),
            Op::Close(0),
        ],
        &[Op::Write(0, 5), Op::Tell(1)],
    ];
    for history in histories {
        for (steps, again) in (0..8).flat_map(|n| [(n, false), (n, true)]) {
            let mut session = Session::start(0, true);
            if again {
                session.server.settle();
                session.go(&Op::Reindex);
            }
            session.go(&Op::Read(0, steps));
            for op in history {
                session.go(op);
            }
            session.end();
            let files = session.files();
            let (ours, fresh) = (session.server.says(&files), session.fresh().says(&files));
            assert_eq!(ours, fresh, "{history:?} after {steps} steps");
        }
    }
}

/// More than files: what a build takes, where it looks, and a folder that went with all that was in it.
#[test]
fn what_is_told_of_a_build_is_looked_at_and_nothing_else() {
    for (path, steps, is_read) in [
        ("a/gradle.properties", 1, true),
        ("a/gradle/libs.versions.toml", 1, true),
        ("a/core/gradle.lockfile", 1, true),
        ("a/node_modules/m/pom.xml", 4, false),
        ("a/telltale.toml", 4, false),
        ("a/notes.txt", 0, false),
        ("b/gradle.properties", 0, false),
    ] {
        let session = Session::start(0, true);
        let server = &session.server;
        server.settle();
        server.watched(&[session.root.join(path)]);
        let mut states = Vec::new();
        while server.step(0) {
            states.push(server.status().state);
        }
        let is_reading = states.iter().any(|state| state == "indexing");
        assert_eq!(is_reading, is_read, "{path}: {states:?}");
        assert!(states.len() >= steps, "{path}: {states:?}");
        assert_eq!(states.is_empty(), steps == 0, "{path}: {states:?}");
    }
    let session = Session::start(0, true);
    let server = &session.server;
    server.settle();
    std::fs::remove_dir_all(session.root.join("a/src/test")).expect("removed");
    server.watched(&[session.root.join("a/src/test")]);
    server.settle();
    let files = session.files();
    assert_eq!(server.says(&files), session.fresh().says(&files));
}

/// What was told before a reading that comes to nothing is not lost with it, and does not start it again.
#[test]
fn a_reading_that_fails_takes_nothing_with_it() {
    for cancels in [true, false] {
        let mut session = Session::start(0, true);
        session.server.settle();
        session.write(session.path(0), content(FILES[0], 2));
        session.go(&Op::Build(0, 1));
        if !cancels {
            session.go(&Op::Build(2, 3));
        }
        session.go(&Op::Tell(9));
        if cancels {
            // Looked at: it takes a reading of the whole folder, which has begun.
            session.go(&Op::Read(0, 2));
            session.go(&Op::Cancel);
        } else {
            session.go(&Op::Reindex);
        }
        session.server.settle();
        assert_eq!(session.server.status().state, "degraded");
        let says = session.server.says(&[]).concat();
        assert!(says.contains("int m2("), "{says}");
        // The next change of the build is read.
        if !cancels {
            session.go(&Op::Build(2, 2));
        }
        session.go(&Op::Build(0, 2));
        session.go(&Op::Tell(9));
        session.server.settle();
        assert_eq!(session.server.status().state, "ready");
        let files = session.files();
        assert_eq!(session.server.says(&files), session.fresh().says(&files));
    }
}

/// Opened and closed one after another, as by who searches through other people's code.
#[test]
fn what_is_closed_outside_of_every_folder_goes() {
    let mut server = Server::start(Vec::new(), json!({}), true);
    let kept = |server: &Server| {
        let snapshot = server.world.snapshot();
        (snapshot.folders.len(), snapshot.documents.len())
    };
    let stays = Path::new("/elsewhere/Stays.java");
    server.open(stays, "class Stays { int f() { return new C17().f(); } }");
    for at in 0..500 {
        // Beside the one that stays, and each in a folder of its own.
        for path in [
            format!("/elsewhere/C{at}.java"),
            format!("/there/{at}/C.java"),
        ] {
            let path = Path::new(&path);
            server.open(
                path,
                &format!("class C{at} {{ int f() {{ return {at}; }} }}"),
            );
            let _ = answers(&server.world.snapshot(), path);
            server.of_document("textDocument/didClose", path);
            assert_eq!(answers(&server.world.snapshot(), path).len(), 1, "nothing");
        }
        assert_eq!(kept(&server), (1, 1));
    }
    let snapshot = server.world.snapshot();
    let program = snapshot.folders[0].revision.analysis().program();
    assert_eq!(program.files().len(), 1);
    // Files are numbered in the order in which a program met them.
    assert_eq!(program.files()[0].0, 0, "a program that met no other");
    server.of_document("textDocument/didClose", stays);
    assert_eq!(kept(&server), (0, 0));
}

#[test]
fn readings_under_way_end_when_the_client_is_gone() {
    let mut steps = 0;
    loop {
        let session = Session::start(0, true);
        let server = &session.server;
        for _ in 0..steps {
            server.step(0);
        }
        if server.status().state == "ready" {
            break;
        }
        let before = server.status();
        server.world.close();
        server.step(0);
        server.step(0);
        assert!(!server.step(0), "it goes on after {steps} steps");
        assert_eq!(server.status(), before, "after {steps} steps");
        steps += 1;
    }
    assert!(steps > 4, "there is something to end");
}
