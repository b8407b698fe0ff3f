//! `cargo xtask evaluate uses`: every use of a name in the subjects, as the analysis and as javac understand it.
//!
//! `server/crates/program/tests/java/Uses.java` runs javac over a subject and prints each use with its target. Here the
//! same uses are taken from a [`Program`] of the same files and class files and compared by position. What javac cannot
//! resolve either (a missing library) is left out.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use program::{ClassSource, Program, ProgramInput};

use super::libraries::{classes, classpath, java};
use crate::bench::load;
use crate::{Result, subjects};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only these subjects (default: all)
    #[arg(long = "subject", value_name = "NAME")]
    subjects: Vec<String>,
    /// Also print the N most frequent differences of each kind, with a place of each
    #[arg(long, value_name = "N", default_value_t = 0)]
    differences: usize,
    /// The `java` to run javac in (default: of JAVA_HOME, else the one on the path)
    #[arg(long, value_name = "FILE")]
    java: Option<PathBuf>,
    /// The analysis reads neither the JDK nor a jar
    #[arg(long)]
    no_libraries: bool,
    /// Compare this folder instead of subjects
    #[arg(long, value_name = "FOLDER", conflicts_with = "subjects")]
    folder: Option<PathBuf>,
    /// The jars and class folders that the sources of `--folder` need, as `javac -cp` takes them
    #[arg(long, value_name = "PATHS", requires = "folder", default_value = "")]
    class_path: String,
}

/// In order of the columns of the table, as `Uses.java` prints them.
const KINDS: [&str; 9] = [
    "call",
    "new",
    "reference",
    "field",
    "local",
    "type",
    "declared",
    "extends",
    "dispatch",
];

/// What came out for one kind of use.
#[derive(Clone, Copy, Default)]
struct Counts {
    right: u64,
    /// Another target.
    wrong: u64,
    /// No target.
    open: u64,
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.open += other.open;
    }
}

/// The columns of the table of library targets: types and hierarchies are compared within the workspace only.
const LIBRARY_KINDS: [&str; 5] = ["call", "new", "reference", "field", "declared"];

/// Counts of targets in the workspace, and of those in libraries.
type Table = [[Counts; KINDS.len()]; 2];

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Verdict {
    Wrong,
    WrongInLibrary,
    Open,
    OpenInLibrary,
}

/// Differences by kind: how many, and one place.
type Differences = BTreeMap<(usize, Verdict, String), (u64, String)>;

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let java = arguments.java.clone().unwrap_or_else(java);
    let mut rows: Vec<(String, Table)> = Vec::new();
    let mut differences = Differences::new();
    let mut add = |name: &str, root: &Path, classpath: &str| -> Result<()> {
        let expected = javac(&java, root, classpath)?;
        let classes = if arguments.no_libraries {
            None
        } else {
            Some(classes(&java, root, classpath)?)
        };
        let counts = compare(root, classes, &expected, &mut differences)?;
        rows.push((name.to_owned(), counts));
        Ok(())
    };
    if let Some(folder) = &arguments.folder {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        add(&name, folder, &arguments.class_path)?;
    } else {
        let names = if arguments.subjects.is_empty() {
            subjects::names()?
        } else {
            arguments.subjects.clone()
        };
        for name in names {
            let root = subjects::one(&name)?;
            let classpath = classpath(&name, &root)?;
            add(&name, &root, &classpath)?;
        }
    }
    if rows.len() > 1 {
        let mut total = Table::default();
        for (_, row) in &rows {
            for (sum, counts) in total.iter_mut().flatten().zip(row.iter().flatten()) {
                sum.add(*counts);
            }
        }
        rows.push(("**all**".to_owned(), total));
    }
    for (library, title) in ["in the workspace", "in a library"].iter().enumerate() {
        println!(
            "Uses whose target is {title}; of them wrong / not resolved, where there are any:"
        );
        println!();
        let kinds = if library == 0 {
            &KINDS[..]
        } else {
            &LIBRARY_KINDS
        };
        println!("| subject | {} | same | other |", kinds.join(" | "));
        println!("| --- |{}", " --- |".repeat(kinds.len() + 2));
        for (name, table) in &rows {
            row(name, &table[library], kinds);
        }
        println!();
    }
    for (kind, name) in KINDS.iter().enumerate() {
        for verdict in [
            Verdict::Wrong,
            Verdict::WrongInLibrary,
            Verdict::Open,
            Verdict::OpenInLibrary,
        ] {
            let mut found: Vec<_> = differences
                .iter()
                .filter(|((k, v, _), _)| *k == kind && *v == verdict)
                .collect();
            found.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
            for ((_, _, what), (count, place)) in found.into_iter().take(arguments.differences) {
                println!("{name} {verdict:?} {count} × {what} ({place})");
            }
        }
    }
    Ok(())
}

fn row(name: &str, counts: &[Counts; KINDS.len()], kinds: &[&str]) {
    let mut sum = Counts::default();
    let cells: Vec<String> = kinds
        .iter()
        .map(|kind| {
            let c = counts[number(kind)];
            sum.add(c);
            let all = c.right + c.wrong + c.open;
            if c.wrong + c.open == 0 {
                all.to_string()
            } else {
                format!("{all}: {} / {}", c.wrong, c.open)
            }
        })
        .collect();
    let all = (sum.right + sum.wrong + sum.open).max(1) as f64;
    let share = |part: u64| format!("{:.2} %", part as f64 * 100.0 / all);
    println!(
        "| {name} | {} | {} | {} |",
        cells.join(" | "),
        share(sum.right),
        share(sum.wrong)
    );
}

/// The position of a kind in [`KINDS`].
fn number(kind: &str) -> usize {
    KINDS.iter().position(|k| *k == kind).unwrap_or(0)
}

/// Runs `Uses.java` over a folder.
fn javac(java: &Path, root: &Path, classpath: &str) -> Result<String> {
    let tool = crate::root().join("server/crates/program/tests/java/Uses.java");
    let mut command = Command::new(java);
    for package in ["api", "code", "tree", "util"] {
        command.arg("--add-exports");
        command.arg(format!(
            "jdk.compiler/com.sun.tools.javac.{package}=ALL-UNNAMED"
        ));
    }
    command.arg(tool).arg(root);
    if !classpath.is_empty() {
        command.arg(classpath);
    }
    let output = command
        .output()
        .map_err(|error| format!("cannot start {}: {error}", java.display()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let lines: Vec<&str> = said.lines().take(5).collect();
        return Err(format!("Uses.java failed\n{}", lines.join("\n")));
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

/// What the analysis says at a place.
#[derive(Clone)]
struct Here {
    target: Option<String>,
}

fn compare(
    root: &Path,
    classes: Option<Arc<dyn ClassSource>>,
    expected: &str,
    differences: &mut Differences,
) -> Result<Table> {
    let texts = load::texts(root)?;
    let program = Program::build_with(ProgramInput {
        source_sets: texts.sets,
        files: texts.files,
        classes,
        ..ProgramInput::default()
    });
    let mut counts = Table::default();
    let mut lines = expected.lines().peekable();
    while let Some(first) = lines.peek() {
        let path = first.split(' ').next().unwrap_or_default();
        let file = program.file(path);
        let here = file.map_or_else(HashMap::new, |f| places(&program, f));
        let text = file.and_then(|f| program.text(f));
        let offsets = Offsets::new(text.map_or("", |t| t));
        while let Some(line) = lines.next_if(|l| l.split(' ').next() == Some(path)) {
            let mut parts = line.splitn(5, ' ').skip(1);
            let mut part = || parts.next().unwrap_or_default();
            let (at, kind, name, target) = (part(), part(), part(), part());
            let Some(kind) = KINDS.iter().position(|k| *k == kind) else {
                continue;
            };
            if file.is_none() || target.contains('!') {
                continue;
            }
            let at = offsets.byte(at.parse().unwrap_or(0));
            let here = here.get(&(at, kind));
            let wanted = wanted(kind, target, &offsets);
            let Some((wanted, in_workspace)) = wanted else {
                continue;
            };
            let count = &mut counts[usize::from(!in_workspace)][kind];
            let found = here.and_then(|h| h.target.as_deref());
            // Of several equal declarations of one method any may be named.
            if let Some((_, equal)) = target.split_once('=')
                && found.is_some_and(|f| equal.split(';').any(|e| e == f))
            {
                continue;
            }
            // Types are named in many places that are no expression.
            if KINDS[kind] == "type" && (here.is_none() || !in_workspace) {
                continue;
            }
            if found.is_some_and(|f| same(f, &wanted)) {
                count.right += 1;
                continue;
            }
            let wrong = found.is_some();
            if wrong {
                count.wrong += 1;
            } else {
                count.open += 1;
            }
            let verdict = match (wrong, in_workspace) {
                (true, true) => Verdict::Wrong,
                (true, false) => Verdict::WrongInLibrary,
                (false, true) => Verdict::Open,
                (false, false) => Verdict::OpenInLibrary,
            };
            let (line, _) = position(text.map_or("", |t| t), at);
            let what = format!(
                "{name}: javac {wanted}, here {}",
                found.unwrap_or(if here.is_some() { "none" } else { "absent" })
            );
            let entry = differences
                .entry((kind, verdict, what))
                .or_insert_with(|| (0, format!("{}:{line}", root.join(path).display())));
            entry.0 += 1;
        }
    }
    Ok(counts)
}

/// What javac's target is in the words of the analysis, and whether it is in the workspace.
fn wanted(kind: usize, target: &str, offsets: &Offsets) -> Option<(String, bool)> {
    Some(match KINDS[kind] {
        "local" => (
            format!("@{}", offsets.byte(target.strip_prefix('@')?.parse().ok()?)),
            true,
        ),
        "declared" => match target.strip_prefix('-') {
            Some(library) => (library.to_owned(), false),
            None => (target.to_owned(), true),
        },
        "extends" | "dispatch" => {
            let set: BTreeSet<&str> = target
                .split(';')
                .filter(|t| !t.is_empty() && !t.starts_with('-'))
                .collect();
            let set: Vec<&str> = set.into_iter().collect();
            (set.join(";"), true)
        }
        _ => match target.strip_prefix('-') {
            Some(library) => {
                let declared = library.split('=').next().unwrap_or(library);
                (declared.to_owned(), false)
            }
            None => (target.to_owned(), true),
        },
    })
}

/// True if both name the same declaration. Where a type of a missing library is imported by one of several `import x.*`
/// its package is not known, so parameters are also compared by their simple names.
fn same(found: &str, wanted: &str) -> bool {
    let simple = |name: &str| -> Option<String> {
        let (method, params) = name.split_once('(')?;
        let params = params.split(',').map(|p| p.rsplit('.').next().unwrap_or(p));
        Some(format!("{method}({}", params.collect::<Vec<_>>().join(",")))
    };
    found == wanted || simple(found).is_some_and(|f| Some(f) == simple(wanted))
}

/// Everything that the analysis says about a file, by offset and kind.
fn places(program: &Program, file: program::FileId) -> HashMap<(u32, usize), Here> {
    let mut out = HashMap::new();
    for u in program.all_occurrences(file) {
        let kind = number(u.kind.name());
        let here = Here { target: u.target };
        out.entry((u.offset, kind)).or_insert(here);
    }
    let mut set = |at: u32, kind: &str, names: BTreeSet<String>| {
        let names: Vec<String> = names.into_iter().collect();
        let here = Here {
            target: Some(names.join(";")),
        };
        out.insert((at, number(kind)), here);
    };
    for &ty in program.types_of_file(file) {
        let Some(decl) = program.type_decl(ty) else {
            continue;
        };
        let supers = program.direct_supertypes(ty).into_iter();
        set(
            decl.name_span.start,
            "extends",
            supers.map(|t| program.type_name(t).to_string()).collect(),
        );
        for &method in program.methods_of_type(ty) {
            let Some(decl) = program.method_decl(method) else {
                continue;
            };
            if decl.implicit || decl.name == "<init>" {
                continue;
            }
            let bodies = program.overriders(method);
            set(
                decl.name_span.start,
                "dispatch",
                bodies.iter().map(|&m| program.method_name(m)).collect(),
            );
        }
    }
    out
}

/// 1-based line and column of a byte offset.
fn position(text: &str, at: u32) -> (usize, usize) {
    let before = &text[..(at as usize).min(text.len())];
    let line = before.matches('\n').count() + 1;
    (
        line,
        before.len() - before.rfind('\n').map_or(0, |n| n + 1) + 1,
    )
}

/// From UTF-16 offsets, which Java counts in, to bytes.
struct Offsets {
    /// By UTF-16 offset; empty if the text is ASCII, where both are the same.
    bytes: Vec<u32>,
}

impl Offsets {
    fn new(text: &str) -> Offsets {
        let mut bytes = Vec::new();
        if !text.is_ascii() {
            for (at, c) in text.char_indices() {
                bytes.extend(std::iter::repeat_n(at as u32, c.len_utf16()));
            }
            bytes.push(text.len() as u32);
        }
        Offsets { bytes }
    }

    fn byte(&self, utf16: usize) -> u32 {
        if self.bytes.is_empty() {
            utf16 as u32
        } else {
            self.bytes.get(utf16).copied().unwrap_or(u32::MAX)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_count_as_java_does() {
        let offsets = Offsets::new("aä€😀b");
        let all: Vec<u32> = (0..7).map(|at| offsets.byte(at)).collect();
        assert_eq!(all, [0, 1, 3, 6, 6, 10, 11]);
        assert_eq!(Offsets::new("abc").byte(2), 2);
    }

    #[test]
    fn targets_are_put_into_the_words_of_the_analysis() {
        let offsets = Offsets::new("ä");
        let at = |kind: &str| KINDS.iter().position(|k| *k == kind).expect("a kind");
        let set = wanted(at("dispatch"), "b.B#m();a.A#m()", &offsets);
        assert_eq!(set, Some(("a.A#m();b.B#m()".to_owned(), true)));
        let supers = wanted(at("extends"), "-java.lang.Object;a.A", &offsets);
        assert_eq!(supers, Some(("a.A".to_owned(), true)));
        assert!(same("a.A#m(x.T,int)", "a.A#m(T,int)"));
        assert!(!same("a.A#m(x.T)", "a.A#m(x.S)") && !same("b.A#f", "A#f"));
        let local = wanted(at("local"), "@1", &offsets);
        assert_eq!(local, Some(("@2".to_owned(), true)));
        assert_eq!(
            wanted(at("call"), "-a.I#m()=b.J#m()", &offsets),
            Some(("a.I#m()".to_owned(), false))
        );
    }
}
