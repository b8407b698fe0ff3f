//! Tests and the code that they run with calls that tell values, compiled: as a recording weaves them, but for every value
//! that a test could read.

use ide::Analysis;
use ide::weave::{About, Slot, inside, weave_all, weave_inside};
use program::{FileId, MethodId, Program};
use runner::javac::{Compiled, Problem, Sources, compile};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use text::LineIndex;

/// How often what did not compile is left out and the rest is tried again.
const TRIES: usize = 8;

/// What is asked of a file.
#[derive(Debug)]
enum Asked {
    Tests(Vec<MethodId>),
    Inside(Vec<ide::inner::CandidateId>),
}

/// What was woven.
#[derive(Clone, Debug, Default)]
pub struct Woven {
    /// The lines of a plan that put the classes in place.
    pub swaps: String,
    /// Those that did not compile.
    pub refused: BTreeSet<u32>,
    /// Files that could not be woven.
    pub left_out: Vec<String>,
}

/// Where tests are compiled.
pub struct Workshop<'a> {
    /// What they may use.
    pub class_path: &'a [PathBuf],
    /// The agent.
    pub jar: &'a Path,
    /// Where sources and classes go.
    pub folder: &'a Path,
    /// The release for which the build made a class file, if it asked for one.
    pub release: fn(&Path) -> Option<u16>,
    /// False once it is not wanted any more.
    pub wanted: &'a dyn Fn() -> bool,
}

/// Why nothing was woven.
#[derive(Debug)]
pub enum NotWoven {
    /// A file or folder that could not be read or written.
    Io(PathBuf, io::Error),
    /// The compiler could not be run.
    NoCompiler(io::Error),
    /// It failed: what it said last.
    Failed(String),
}

impl std::fmt::Display for NotWoven {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotWoven::Io(path, e) => write!(out, "{}: {e}", path.display()),
            NotWoven::NoCompiler(e) => write!(out, "the JDK's compiler cannot be run: {e}"),
            NotWoven::Failed(last) => write!(out, "the compiler failed: {last}"),
        }
    }
}

impl std::error::Error for NotWoven {}

#[derive(Debug)]
struct Source {
    file: FileId,
    path: PathBuf,
    asked: Asked,
    first: u32,
    slots: Vec<Slot>,
}

impl Source {
    fn text(&self, analysis: &Analysis, not: &BTreeSet<u32>) -> Option<ide::weave::Woven> {
        let left = |slot: &Slot| not.contains(&slot.number);
        match &self.asked {
            Asked::Tests(tests) => weave_all(analysis, self.file, tests, self.first, &left),
            Asked::Inside(values) => weave_inside(analysis, self.file, values, self.first, &left),
        }
    }
}

/// What is asked, not compiled: numbers hang on the code alone.
#[derive(Debug)]
pub struct Numbered {
    tests: Vec<Source>,
    inside: Vec<Source>,
}

impl Numbered {
    /// The values of tests.
    pub fn tests(&self) -> impl Iterator<Item = &Slot> {
        self.tests.iter().flat_map(|s| &s.slots)
    }

    /// Those of the code that they run.
    pub fn inside(&self) -> impl Iterator<Item = &Slot> {
        self.inside.iter().flat_map(|s| &s.slots)
    }
}

/// Gives every value that these tests could read a number, and the first of the values inside the code that they run.
pub fn numbered(analysis: &Analysis, all: &[MethodId]) -> Numbered {
    let program = analysis.program();
    let mut by_file: BTreeMap<FileId, Vec<MethodId>> = BTreeMap::new();
    for &test in all {
        if let Some(file) = program.method_file(test) {
            by_file.entry(file).or_default().push(test);
        }
    }
    let mut next = 1;
    let tests = by_file.into_iter().map(|(f, t)| (f, Asked::Tests(t)));
    let tests = sources(analysis, tests, &mut next);
    let values = inside(analysis, all).into_iter();
    let values = values.map(|(f, v)| (f, Asked::Inside(v)));
    Numbered {
        tests,
        inside: sources(analysis, values, &mut next),
    }
}

/// Weaves and compiles.
///
/// # Errors
/// See [`NotWoven`].
pub fn woven(
    analysis: &Analysis,
    numbered: &Numbered,
    workshop: &Workshop<'_>,
) -> Result<Woven, NotWoven> {
    let mut out = Woven::default();
    for (name, sources) in [("woven", &numbered.tests), ("inside", &numbered.inside)] {
        let sources = sources.iter().collect();
        group(
            analysis,
            workshop,
            &workshop.folder.join(name),
            sources,
            &mut out,
        )?;
    }
    Ok(out)
}

fn sources(
    analysis: &Analysis,
    asked: impl Iterator<Item = (FileId, Asked)>,
    next: &mut u32,
) -> Vec<Source> {
    let mut out = Vec::new();
    // In the order of paths: files get their own numbers as they are read.
    let mut asked: Vec<(FileId, Asked)> = asked.collect();
    asked.sort_by_key(|(file, _)| analysis.program().path(*file).cloned());
    for (file, asked) in asked {
        let Some(path) = analysis.program().path(file) else {
            continue;
        };
        let mut source = Source {
            file,
            path: PathBuf::from(&**path),
            asked,
            first: *next,
            slots: Vec::new(),
        };
        if let Some(woven) = source.text(analysis, &BTreeSet::new()) {
            *next += u32::try_from(woven.slots.len()).unwrap_or(u32::MAX);
            source.slots = woven.slots;
            out.push(source);
        }
    }
    out
}

fn group(
    analysis: &Analysis,
    workshop: &Workshop<'_>,
    folder: &Path,
    mut sources: Vec<&Source>,
    out: &mut Woven,
) -> Result<(), NotWoven> {
    let failed = |path: &Path, e| NotWoven::Io(path.to_path_buf(), e);
    let (written, classes) = (folder.join("src"), folder.join("classes"));
    let mut path = vec![workshop.jar.to_path_buf()];
    path.extend(workshop.class_path.iter().cloned());
    let files = sources.iter().map(|s| s.file);
    let like = like(analysis.program(), workshop.class_path, files);
    for _ in 0..TRIES {
        if sources.is_empty() {
            return Ok(());
        }
        drop(fs::remove_dir_all(folder));
        let mut files = Vec::new();
        for source in &sources {
            let Some(woven) = source.text(analysis, &out.refused) else {
                continue;
            };
            let file = written.join(&source.path);
            if let Some(parent) = file.parent() {
                fs::create_dir_all(parent).map_err(|e| failed(parent, e))?;
            }
            fs::write(&file, woven.text).map_err(|e| failed(&file, e))?;
            files.push(file);
        }
        let asked = Sources {
            files: &files,
            class_path: &path,
            out: &classes,
            like: like.as_deref(),
            release: like.as_deref().and_then(workshop.release),
            warm: None,
            jdk: None,
        };
        match compile(&asked, workshop.wanted).map_err(NotWoven::NoCompiler)? {
            Compiled::Done => {
                return swaps(&classes, &mut out.swaps).map_err(|e| failed(&classes, e));
            }
            Compiled::Failed(last) => return Err(NotWoven::Failed(last)),
            Compiled::Refused(problems) => {
                leave_out(analysis, &written, &problems, &mut sources, out);
            }
        }
    }
    let rest = sources.iter().map(|s| s.path.display().to_string());
    out.left_out.extend(rest);
    Ok(())
}

/// Which value of a method does not compile is not known. First those go that the test's list does not name, then all
/// that it is asked at its end, then the rest; a file goes where that mends nothing.
fn leave_out(
    analysis: &Analysis,
    written: &Path,
    problems: &[Problem],
    sources: &mut Vec<&Source>,
    out: &mut Woven,
) {
    sources.retain(|source| {
        let file = written.join(&source.path);
        let own: Vec<&Problem> = problems.iter().filter(|p| p.file == file).collect();
        if own.is_empty() {
            return true;
        }
        let text = analysis.program().text(source.file).map_or("", |t| t);
        let lines = LineIndex::new(text);
        let line = |at: u32| lines.position(at, text::Encoding::Utf8).line;
        let mut is_new = false;
        let mut methods: BTreeMap<text::Span, Vec<&Slot>> = BTreeMap::new();
        for slot in &source.slots {
            methods.entry(slot.method).or_default().push(slot);
        }
        for (method, slots) in methods {
            let lines = line(method.start)..=line(method.end);
            let mut own = own.iter();
            if !own.any(|p| lines.contains(&p.line.saturating_sub(1))) {
                continue;
            }
            let is_named = |slot: &Slot| {
                let About::Query(text) = &slot.about else {
                    return true;
                };
                let offered = slot.test.map(|t| analysis.offered(t));
                offered.is_some_and(|o| o.readable.iter().any(|r| r.asked_as == *text))
            };
            let is_query = |slot: &Slot| matches!(slot.about, About::Query(_));
            let stages: [&dyn Fn(&Slot) -> bool; 3] = [&|s| !is_named(s), &is_query, &|_| true];
            for stage in stages {
                let goes = slots.iter().filter(|s| stage(s)).map(|s| s.number);
                let before = out.refused.len();
                out.refused.extend(goes);
                if out.refused.len() > before {
                    is_new = true;
                    break;
                }
            }
        }
        if !is_new {
            out.left_out.push(source.path.display().to_string());
        }
        is_new
    });
}

/// A class of these files as the build made it, which says for which Java.
pub fn like(
    program: &Program,
    class_path: &[PathBuf],
    files: impl Iterator<Item = FileId>,
) -> Option<PathBuf> {
    let types = files.flat_map(|f| program.types_of_file(f));
    let names = types.map(|t| format!("{}.class", program.type_name(*t).replace('.', "/")));
    let mut all = names.flat_map(|name| class_path.iter().map(move |p| p.join(&name)));
    all.find(|f| f.is_file())
}

/// All class files below a folder, in order.
///
/// # Errors
/// If a folder cannot be read.
pub fn class_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut open = vec![folder.to_path_buf()];
    let mut found = Vec::new();
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(at)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|x| x == "class") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A line of the plan for each class file, by whole paths.
fn swaps(classes: &Path, plan: &mut String) -> io::Result<()> {
    for file in class_files(classes)? {
        if let Ok(class) = file.strip_prefix(classes) {
            let name = class
                .with_extension("")
                .to_string_lossy()
                .replace('\\', "/");
            plan.push_str(&format!("swap\t{name}\t{}\n", file.display()));
        }
    }
    Ok(())
}
