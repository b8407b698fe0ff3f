//! A workspace after edits equals one built from the same texts, and an edit computes what it changes. The
//! files are those of `tests/demo` and, where `TELLTALE_SUBJECTS` names a folder, some of a subject.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::disallowed_macros
)] // tests may read files and the environment

use calls::{Technique, Workspace};
use chains::{Source, Use};
use observe::{Settings, rank};
use oracle::TestKind;
use program::{Asked, BodyId, Change, FileInput, Program, SourceSetId, SourceSetInput};
use proptest::prelude::*;
use recommend::Known;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files by path.
type Texts = Vec<(String, String)>;

fn read(root: &Path, most: usize) -> Texts {
    let mut out = Texts::new();
    let mut work = vec![root.to_path_buf()];
    while let Some(folder) = work.pop() {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut entries: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                work.push(path);
            } else if path.extension().is_some_and(|e| e == "java")
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                let path = path.strip_prefix(root).unwrap();
                out.push((path.to_string_lossy().replace('\\', "/"), text));
            }
        }
    }
    out.sort();
    out.truncate(most);
    out
}

fn demo() -> Texts {
    read(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/demo/src"),
        100,
    )
}

fn set_of(path: &str) -> SourceSetId {
    SourceSetId(path.contains("test/").into())
}

fn fresh(texts: &Texts) -> Workspace {
    let sets = SourceSetInput::code_and_tests();
    let files = texts.iter().map(|(path, text)| FileInput {
        path: Arc::from(&**path),
        source_set: set_of(path),
        text: Arc::from(&**text),
    });
    Workspace::new(Program::build(sets, files.collect()))
}

fn change(path: &str, text: Option<&str>) -> Change {
    Change {
        path: Arc::from(path),
        text: text.map(Arc::from),
        source_set: set_of(path),
    }
}

fn name(program: &Program, body: BodyId) -> String {
    program.body_name(body).unwrap_or_default()
}

/// Everything that a workspace says, by names: chains, loose ends, tests, and the graph and ranking of all of it.
fn dump(workspace: &Workspace) -> String {
    let program = workspace.program();
    let mut out = String::new();
    let used = |u: &Use| {
        let source = match u.source {
            Source::Field { field, probability } => {
                format!("{} {probability}", program.field_name(field))
            }
            Source::Captured {
                body,
                local,
                probability,
            } => format!("{} {} {probability}", name(program, body), local.0),
            other => format!("{other:?}"),
        };
        format!("{source} {} {}", u.copy, u.library)
    };
    let list = |uses: &[Use]| uses.iter().map(used).collect::<Vec<_>>().join(", ");
    for body in program.bodies() {
        let chains = workspace.chains(body).unwrap();
        writeln!(out, "# {}", name(program, body)).unwrap();
        for c in &chains.candidates {
            let field = c.field.map(|f| program.field_name(f));
            writeln!(
                out,
                "{} {:?} {}..{} {:?} {} {field:?}",
                c.variable, c.kind, c.start, c.end, c.callable, c.entry
            )
            .unwrap();
        }
        for c in &chains.chains {
            writeln!(out, "{} <- {}", c.from, used(&c.used)).unwrap();
        }
        for a in &chains.askings {
            let asked = match a.asked {
                Asked::Method(m) => program.method_name(m),
                Asked::Any(class) => program.type_name(class).to_string(),
                Asked::Iteration => "for".to_owned(),
            };
            let on = program.display_type(a.on);
            writeln!(
                out,
                "asks {on} {asked} {:?} {} {}",
                a.expr, a.is_sure, a.entry
            )
            .unwrap();
        }
        for c in &chains.calls {
            let target = program.method_name(c.target);
            let args: Vec<String> = c.args.iter().map(|a| list(a)).collect();
            writeln!(
                out,
                "{target} {} [{}] {args:?} {}",
                c.dispatches,
                list(&c.receiver),
                c.entry
            )
            .unwrap();
        }
        for r in &chains.returns {
            writeln!(out, "returns {} {:?}", used(&r.used), r.callable).unwrap();
        }
        for reads in &chains.reads {
            writeln!(out, "asserts {}", list(reads)).unwrap();
        }
        writeln!(out, "{:?} {:?}", chains.params, chains.captures).unwrap();
        if let Some(m) = program.body_method(body)
            && let Some(kind) = workspace.suite().kind(m)
        {
            writeln!(out, "{kind:?}").unwrap();
            if kind == TestKind::Test {
                let mut reached: Vec<String> = Vec::new();
                for body in workspace
                    .reached_by(&[workspace.own_run(m)], Technique::RapidTypes)
                    .iter()
                {
                    reached.push(name(program, body));
                }
                reached.sort();
                writeln!(out, "reaches {reached:?}").unwrap();
            }
        }
    }
    let units = workspace.units(&|_, _, _| true);
    let ranking = rank(workspace, &units, &Settings::default());
    for e in ranking.graph.psg.edges() {
        writeln!(out, "{e:?}").unwrap();
    }
    for r in &ranking.ranking {
        writeln!(out, "{r:?}").unwrap();
    }
    out
}

/// Which methods are pure, which arguments they change, and what the suite asks, by names.
fn dump_known(workspace: &Workspace, known: &Known) -> String {
    let program = workspace.program();
    let mut out = String::new();
    for &file in program.files() {
        for &class in program.types_of_file(file) {
            for &m in program.methods_of_type(class) {
                let pure = known.purity().is_pure(workspace, m);
                let changes = [0, 1, 2].map(|at| known.purity().changes_argument(workspace, m, at));
                let name = program.method_name(m);
                writeln!(out, "{name} {pure} {changes:?}").unwrap();
            }
        }
    }
    for (ask, n) in known.statistics().all() {
        writeln!(out, "{n} {} {}", ask.ty, ask.query).unwrap();
    }
    out
}

/// Fails with the first line that differs: all of them would be pages.
fn same(incremental: &Workspace, texts: &Texts) -> Result<(), TestCaseError> {
    let (a, b) = (dump(incremental), dump(&fresh(texts)));
    let differs = a.lines().zip(b.lines()).find(|(a, b)| a != b);
    prop_assert!(a == b, "incremental, from scratch: {differs:#?}");
    Ok(())
}

const SNIPPETS: [&str; 16] = [
    " ",
    "\n",
    "}",
    "{",
    "(",
    ";",
    "\"",
    "/*",
    "int added = 1;",
    "this.",
    "if (size() > 0) {",
    "void added() { toString(); }",
    "return null;",
    "static ",
    "new Object() { int z = hashCode(); };",
    "// x\n",
];

/// One edit of the `file`-th file at about `at`.
#[derive(Clone, Debug)]
enum Edit {
    Cut {
        file: usize,
        at: usize,
        len: usize,
    },
    Insert {
        file: usize,
        at: usize,
        snippet: usize,
    },
    /// All words like the one there get a letter more: a declaration with its uses in the file, or some of them.
    Rename {
        file: usize,
        at: usize,
    },
    Remove {
        file: usize,
    },
    /// As it was at the start.
    Restore {
        file: usize,
    },
}

fn edits() -> impl Strategy<Value = Vec<Vec<Edit>>> {
    let (file, at) = (0..1000usize, 0..100_000usize);
    let edit = prop_oneof![
        3 => (file.clone(), at.clone(), 1..30usize).prop_map(|(file, at, len)| Edit::Cut { file, at, len }),
        4 => (file.clone(), at.clone(), 0..SNIPPETS.len()).prop_map(|(file, at, snippet)| Edit::Insert { file, at, snippet }),
        4 => (file.clone(), at).prop_map(|(file, at)| Edit::Rename { file, at }),
        1 => file.clone().prop_map(|file| Edit::Remove { file }),
        2 => file.prop_map(|file| Edit::Restore { file }),
    ];
    proptest::collection::vec(proptest::collection::vec(edit, 1..4), 1..6)
}

fn boundary(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at % (text.len() + 1))
}

/// The word at `at`, or the next one.
fn word(text: &str, at: usize) -> Option<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let start = boundary(text, at);
    let start = start + text[start..].find(is_word)?;
    let before = text[..start].chars().rev();
    let start = start
        - before
            .take_while(|c| is_word(*c))
            .map(char::len_utf8)
            .sum::<usize>();
    let end = text[start..]
        .find(|c| !is_word(c))
        .map_or(text.len(), |e| start + e);
    text.get(start..end)
}

/// The position of the file that is edited, and its new text; `None` takes it away.
fn apply(edit: &Edit, texts: &Texts, first: &Texts) -> (String, Option<String>) {
    let of = |file: usize| &first[file % first.len()].0;
    let text = |path: &str| {
        let now = texts.iter().find(|t| t.0 == *path);
        now.map_or("", |t| &t.1).to_owned()
    };
    match *edit {
        Edit::Cut { file, at, len } => {
            let mut text = text(of(file));
            let start = boundary(&text, at);
            let end = text.floor_char_boundary((start + len).min(text.len()));
            text.replace_range(start..end.max(start), "");
            (of(file).clone(), Some(text))
        }
        Edit::Insert { file, at, snippet } => {
            let mut text = text(of(file));
            text.insert_str(boundary(&text, at), SNIPPETS[snippet]);
            (of(file).clone(), Some(text))
        }
        Edit::Rename { file, at } => {
            let text = text(of(file));
            let new = word(&text, at).map(|w| text.replace(w, &format!("{w}x")));
            (of(file).clone(), Some(new.unwrap_or(text)))
        }
        Edit::Remove { file } => (of(file).clone(), None),
        Edit::Restore { file } => {
            let (path, text) = &first[file % first.len()];
            (path.clone(), Some(text.clone()))
        }
    }
}

/// Applies all edits, each list at once, and compares after each.
fn check(first: &Texts, edits: &[Vec<Edit>]) -> Result<(), TestCaseError> {
    let mut texts = first.clone();
    let mut workspace = fresh(&texts);
    let mut known = Known::new(&workspace);
    for step in edits {
        let mut changes = Vec::new();
        for edit in step {
            let (path, text) = apply(edit, &texts, first);
            texts.retain(|t| t.0 != path);
            changes.push(change(&path, text.as_deref()));
            texts.extend(text.map(|text| (path, text)));
            texts.sort();
        }
        let next = workspace.update(changes);
        known = known.update(&workspace, &next);
        workspace = next;
        same(&workspace, &texts)?;
        let scratch = fresh(&texts);
        let (a, b) = (
            dump_known(&workspace, &known),
            dump_known(&scratch, &Known::new(&scratch)),
        );
        let differs = a.lines().zip(b.lines()).find(|(a, b)| a != b);
        prop_assert!(a == b, "incremental, from scratch: {differs:#?}");
    }
    Ok(())
}

/// How many random cases: `TELLTALE_CASES`, or few.
fn cases() -> u32 {
    let set = std::env::var("TELLTALE_CASES").ok();
    set.and_then(|n| n.parse().ok()).unwrap_or(12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn incremental_equals_from_scratch(edits in edits()) {
        check(&demo(), &edits)?;
    }

    #[test]
    fn incremental_equals_from_scratch_on_a_subject(edits in edits()) {
        if let Some(root) = std::env::var_os("TELLTALE_SUBJECTS") {
            let texts = read(&Path::new(&root).join("commons-cli"), 60);
            if !texts.is_empty() {
                check(&texts, &edits)?;
            }
        }
    }
}

/// What an edit of `path` computes: bodies resolved, chains built, bodies looked at.
fn cost(path: &str, from: &str, to: &str) -> (u64, u64, u64) {
    let mut texts = demo();
    let before = fresh(&texts);
    let file = texts.iter_mut().find(|t| t.0.ends_with(path)).unwrap();
    assert!(file.1.contains(from), "{from}");
    file.1 = file.1.replacen(from, to, 1);
    let after = before.update(vec![change(&file.0, Some(&file.1))]);
    same(&after, &texts).unwrap();
    let resolved = |w: &Workspace| w.program().counters().bodies_resolved;
    let (a, b) = (before.counters(), after.counters());
    (
        resolved(&after) - resolved(&before),
        b.chains_built - a.chains_built,
        b.bodies_visited - a.bodies_visited,
    )
}

#[test]
fn an_edit_in_a_body_builds_the_chains_of_one_body() {
    let edit = cost(
        "Stats.java",
        "int pos = 0;",
        "int pos = list.size() - list.size();",
    );
    assert_eq!(edit, (1, 1, 1));
    // A line above moves everything and changes nothing.
    assert_eq!(
        cost("Stats.java", "package demo;", "\n\npackage demo;"),
        (0, 0, 0)
    );
    // Many bodies are there to be left alone.
    assert!(fresh(&demo()).program().bodies().count() > 80);
}

#[test]
fn a_declaration_that_nobody_names_builds_nothing_but_itself() {
    let added = cost(
        "Stats.java",
        "private Stats() {",
        "static int unheard() { return 1; }\n    private Stats() {",
    );
    assert_eq!(added, (1, 1, 1));
}

/// How many bodies the statistics of assertions read anew when `path` changes.
fn statistics_read(path: &str, from: &str, to: &str, times: usize) -> u64 {
    let mut texts = demo();
    let before = fresh(&texts);
    let known = Known::new(&before);
    assert!(known.statistics().bodies_read() > 10);
    let file = texts.iter_mut().find(|t| t.0.ends_with(path)).unwrap();
    assert!(file.1.contains(from), "{from}");
    file.1 = file.1.replacen(from, to, times);
    let after = before.update(vec![change(&file.0, Some(&file.1))]);
    let updated = known.update(&before, &after);
    let scratch = fresh(&texts);
    assert_eq!(
        dump_known(&after, &updated),
        dump_known(&scratch, &Known::new(&scratch))
    );
    updated.statistics().bodies_read() - known.statistics().bodies_read()
}

#[test]
fn what_a_suite_asks_is_read_again_only_where_it_changed() {
    // Nothing that a test says.
    assert_eq!(
        statistics_read("Stats.java", "int pos = 0;", "int pos = 1 + 0;", 1),
        0
    );
    // One test.
    assert_eq!(
        statistics_read("StatsTest.java", "assertEquals(", "assertEquals(1 + ", 1),
        1
    );
    // The order of arguments hangs on an import: every test of the file.
    assert!(statistics_read("StatsTest.java", "org.junit.jupiter", "org.junit.other", 99) > 1);
}

/// The same assertions in more tests are not the same: what a part is worth hangs on how many others look at its object. Two tests
/// that change places are, since both of them differ.
#[test]
fn what_two_tests_ask_instead_of_one_is_seen() {
    let test = |one: &str, two: &str| {
        let text = format!(
            "import static org.junit.Assert.*; import org.junit.Test; public class ATest {{ \
            @Test public void one() {{ A a = new A(); {one} }} @Test public void two() {{ A a = new A(); {two} }} }}"
        );
        ("src/test/java/ATest.java".to_owned(), text)
    };
    let class = "public class A { int x; public int x() { return x; } }";
    let looks = "assertEquals(0, a.x());";
    let twice = format!("{looks} {looks}");
    let texts = vec![
        ("src/main/java/A.java".to_owned(), class.to_owned()),
        test(&twice, ""),
    ];
    let before = fresh(&texts);
    let known = Known::new(&before);
    let answers_as = |one: &str, two: &str| {
        let (path, text) = test(one, two);
        let after = before.update(vec![change(&path, Some(&text))]);
        known.update(&before, &after).answers_as(&known)
    };
    assert!(answers_as(&twice, "a.x();"));
    assert!(answers_as("", &twice));
    assert!(!answers_as(looks, looks));
}
