//! Tests and code under test with calls in them, compiled: what does not compile is left out, value by value, then file by file.

use super::Session;
use crate::failure::Failure;
use ide::Analysis;
use ide::inner::CandidateId;
use ide::weave::{Left, SHARED, Slot, inside, weave, weave_inside};
use program::{FileId, MethodId, Program};
use runner::Place;
use runner::javac::{Compiled, Problem, Sources, compile as javac};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use text::LineIndex;

/// How often a file is compiled, each time without what did not compile of it.
const TRIES: usize = 6;

/// See the module's description.
#[derive(Default)]
pub(super) struct Woven {
    /// The lines of a plan that put the classes in place.
    pub(super) plan: String,
    /// What is asked for.
    pub(super) slots: Vec<Slot>,
    pub(super) left_out: Vec<(String, String)>,
    pub(super) refused: usize,
}

impl Woven {
    /// Leaves files out.
    fn leave(&mut self, sources: impl IntoIterator<Item = Source>, why: &str) {
        let path = |s: Source| (s.path.display().to_string(), why.to_owned());
        self.left_out.extend(sources.into_iter().map(path));
    }
}

/// A file with what is asked in it and what its calls tell of.
struct Source {
    file: FileId,
    path: PathBuf,
    asked: OfFile,
    first: u32,
    slots: Vec<Slot>,
}

/// What is asked of a file.
enum OfFile {
    /// Its tests.
    Tests(Vec<MethodId>),
    /// Values of the code under test.
    Inside(Vec<CandidateId>),
}

impl OfFile {
    fn weave(
        &self,
        analysis: &Analysis,
        file: FileId,
        first: u32,
        left_out: Left<'_>,
    ) -> Option<ide::weave::Woven> {
        match self {
            OfFile::Tests(tests) => weave(analysis, file, tests, first, left_out),
            OfFile::Inside(values) => weave_inside(analysis, file, values, first, left_out),
        }
    }
}

/// What a recording asks for, compiled.
#[derive(Default)]
pub(super) struct Asked {
    /// In the tests.
    pub(super) own: Vec<Slot>,
    /// In what tests share, as set-ups.
    pub(super) shared: Vec<Slot>,
    /// The lines of a plan for both.
    pub(super) plan: String,
    /// In the code under test.
    pub(super) inside: Woven,
    /// The first slot of that.
    pub(super) first_inside: u32,
    pub(super) left_out: Vec<(String, String)>,
    pub(super) refused: usize,
}

/// Weaves and compiles tests and code under test.
pub(super) fn compile(
    analysis: &Analysis,
    tests: &[MethodId],
    session: &Session<'_>,
    places: &[Place],
) -> Result<Asked, Failure> {
    let mut woven = compile_tests(analysis, tests, session, places)?;
    let slots = std::mem::take(&mut woven.slots).into_iter();
    let (shared, own): (Vec<Slot>, Vec<Slot>) = slots.partition(|s| s.number >= SHARED);
    let first_inside = own.iter().map(|s| s.number).max().unwrap_or(0) + 1;
    let mut inside = compile_inside(analysis, tests, first_inside, session, places)?;
    woven.left_out.append(&mut inside.left_out);
    Ok(Asked {
        own,
        shared,
        plan: woven.plan,
        left_out: woven.left_out,
        refused: woven.refused + inside.refused,
        inside,
        first_inside,
    })
}

/// Weaves and compiles the tests.
fn compile_tests(
    analysis: &Analysis,
    tests: &[MethodId],
    session: &Session<'_>,
    places: &[Place],
) -> Result<Woven, Failure> {
    let program = analysis.program();
    let mut by_file: BTreeMap<FileId, Vec<MethodId>> = BTreeMap::new();
    for &test in tests {
        if let Some(file) = program.method_file(test) {
            by_file.entry(file).or_default().push(test);
        }
    }
    let asked = by_file.into_iter().map(|(f, t)| (f, OfFile::Tests(t)));
    compile_all(analysis, asked.collect(), 1, "woven", session, places)
}

/// Weaves and compiles the code under test, for the values in it that are worth a check. Slots are numbered from `first`.
fn compile_inside(
    analysis: &Analysis,
    tests: &[MethodId],
    first: u32,
    session: &Session<'_>,
    places: &[Place],
) -> Result<Woven, Failure> {
    let by_file = inside(analysis, tests).into_iter();
    let asked = by_file.map(|(f, values)| (f, OfFile::Inside(values)));
    compile_all(analysis, asked.collect(), first, "inside", session, places)
}

fn compile_all(
    analysis: &Analysis,
    by_file: Vec<(FileId, OfFile)>,
    first: u32,
    folder: &str,
    session: &Session<'_>,
    places: &[Place],
) -> Result<Woven, Failure> {
    let program = analysis.program();
    let mut out = Woven::default();
    // Those of one class path are compiled together.
    let mut groups: BTreeMap<usize, Vec<Source>> = BTreeMap::new();
    let mut next = first;
    for (file, asked) in by_file {
        super::wanted(session.listener)?;
        let Some(path) = program.path(file) else {
            continue;
        };
        let Some(group) = Place::nearest(places, &session.request.root.join(&**path)) else {
            continue;
        };
        let Some(woven) = asked.weave(analysis, file, next, &|_| false) else {
            continue;
        };
        let count = woven.slots.len() as u32;
        groups.entry(group).or_default().push(Source {
            file,
            path: PathBuf::from(&**path),
            asked,
            first: next,
            slots: woven.slots,
        });
        next += count;
    }
    for (group, sources) in groups {
        let class_path = &places[group].class_path;
        let folder = session.folder.join(format!("{folder}-{group}"));
        compile_group(analysis, session, &folder, class_path, sources, &mut out)?;
    }
    Ok(out)
}

fn compile_group(
    analysis: &Analysis,
    session: &Session<'_>,
    folder: &Path,
    class_path: &[PathBuf],
    sources: Vec<Source>,
    out: &mut Woven,
) -> Result<(), Failure> {
    let refused = |e: std::io::Error| super::unwritten(&e);
    let written = folder.join("src");
    let mut paths = vec![session.jar.clone()];
    paths.extend(class_path.iter().cloned());
    let mut not: FxHashSet<u32> = FxHashSet::default();
    let files = sources.iter().map(|s| s.file);
    let like = verdicts::like(analysis.program(), class_path, files);
    // What is refused is woven again and compiled by itself: the rest may be thousands of files.
    let mut batches = vec![(sources, TRIES)];
    let mut nth = 0;
    while let Some((sources, tries)) = batches.pop() {
        nth += 1;
        let classes = folder.join(format!("classes-{nth}"));
        let mut files = Vec::with_capacity(sources.len());
        for source in &sources {
            let left_out = |slot: &Slot| not.contains(&slot.number);
            let asked = &source.asked;
            let Some(woven) = asked.weave(analysis, source.file, source.first, &left_out) else {
                continue;
            };
            let file = written.join(&source.path);
            if let Some(parent) = file.parent() {
                std::fs::create_dir_all(parent).map_err(refused)?;
            }
            let text = session.instead.as_compiled(source.file, woven.text);
            std::fs::write(&file, text).map_err(refused)?;
            files.push(file);
        }
        if files.is_empty() {
            continue;
        }
        let asked = Sources {
            files: &files,
            class_path: &paths,
            out: &classes,
            like: like.as_deref(),
            release: like.as_deref().and_then(project::release),
            warm: session.compiler(),
            jdk: session.request.jdk,
        };
        let wanted = || session.listener.wanted();
        let compiled = javac(&asked, &wanted).map_err(|e| match e.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                refused(e)
            }
            _ => Failure::usage(
                format!("the JDK's compiler cannot be run: {e}"),
                "install a JDK and name it by --jdk or JAVA_HOME, or put its javac on the path",
            ),
        })?;
        super::wanted(session.listener)?;
        let problems = match compiled {
            Compiled::Done => {
                swaps(&classes, session.folder, &mut out.plan).map_err(refused)?;
                for slot in sources.into_iter().flat_map(|s| s.slots) {
                    match not.contains(&slot.number) {
                        true => out.refused += 1,
                        false => out.slots.push(slot),
                    }
                }
                continue;
            }
            Compiled::Refused(problems) => problems,
            Compiled::Failed(last) => {
                out.leave(sources, &format!("the compiler failed: {last}"));
                continue;
            }
        };
        let mut by_file: FxHashMap<&Path, Vec<&Problem>> = FxHashMap::default();
        for problem in &problems {
            by_file.entry(&problem.file).or_default().push(problem);
        }
        let count = sources.len();
        let (mut mended, mut fine) = (Vec::new(), Vec::with_capacity(count));
        for source in sources {
            let Some(problems) = by_file.get(&*written.join(&source.path)) else {
                fine.push(source);
                continue;
            };
            if tries > 1 && leave_out(analysis.program(), &source, problems, &mut not) {
                mended.push(source);
            } else {
                let first = problems.first();
                let why = first.map(|p| format!("line {}: {}", p.line, p.message));
                out.leave([source], &why.unwrap_or_default());
            }
        }
        if fine.len() == count {
            let first = problems.first().map_or("", |p| &p.message);
            out.leave(
                fine,
                &format!("it did not compile with calls in it: {first}"),
            );
            continue;
        }
        batches.push((mended, tries - 1));
        batches.push((fine, tries));
    }
    Ok(())
}

/// Leaves out the slots of each test, or method, in which there is a problem: which one of them it is is not known. True if
/// that may mend the file, and something is left of it.
fn leave_out(
    program: &Program,
    source: &Source,
    problems: &[&Problem],
    not: &mut FxHashSet<u32>,
) -> bool {
    let lines = LineIndex::new(program.text(source.file).map_or("", |t| t));
    let line = |at: u32| lines.position(at, text::Encoding::Utf8).line;
    let (mut is_mended, mut is_new) = (true, false);
    for problem in problems {
        let at = problem.line.saturating_sub(1);
        let mut found = false;
        for slot in &source.slots {
            if (line(slot.method.start)..=line(slot.method.end)).contains(&at) {
                found = true;
                is_new |= not.insert(slot.number);
            }
        }
        is_mended &= found;
    }
    let is_left = source.slots.iter().any(|s| !not.contains(&s.number));
    is_mended && is_new && is_left
}

/// A line of the plan for each class file.
fn swaps(classes: &Path, folder: &Path, plan: &mut String) -> std::io::Result<()> {
    for file in verdicts::class_files(classes)? {
        let (Ok(class), Ok(relative)) = (file.strip_prefix(classes), file.strip_prefix(folder))
        else {
            continue;
        };
        let name = class
            .with_extension("")
            .to_string_lossy()
            .replace('\\', "/");
        // The plan stands in a folder of the run below.
        plan.push_str(&format!(
            "swap\t{name}\t../{}\n",
            relative.to_string_lossy().replace('\\', "/")
        ));
    }
    Ok(())
}
