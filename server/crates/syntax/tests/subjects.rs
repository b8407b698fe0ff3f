//! Every Java file of the subjects under `TELLTALE_SUBJECTS`: whole, cut at random offsets, edited at random. Nothing
//! panics, and repairs do no harm. `TELLTALE_SUBJECT_CASES` is the number of cuts and
//! of edits for each file (default 4).
// Tests may read files and say what they skip.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::print_stderr
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use syntax::{Field, Kind, NodeId, Queries, SourceFile};
use text::{Encoding, LineIndex};

/// The built-in queries, as the workspace's own.
const TESTS: &str = include_str!("../../../../queries/java/tests.scm");
const ASSERTIONS: &str = include_str!("../../../../queries/java/assertions.scm");

fn collect(root: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder)
            .into_iter()
            .flatten()
            .filter_map(Result::ok)
        {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "java")
            {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A small deterministic generator (SplitMix64), seeded with the file's number, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) as usize % end.max(1)
    }
}

/// Uses everything that a file offers and checks that its parts agree.
fn exercise(queries: &Queries, file: &SourceFile) {
    let nodes = file.nodes();
    let len = file.text().len() as u32;
    for at in 0..nodes.len() as u32 {
        let n = NodeId(at);
        assert!(nodes.span(n).end <= len);
        nodes.name(n);
        let last = nodes
            .children(n)
            .last()
            .map_or(at + 1, |child| nodes.close(child));
        assert_eq!(last, nodes.close(n));
    }
    queries.tests(file);
    queries.assertions(file);
}

#[test]
fn every_file_of_the_subjects() {
    let Some(root) = std::env::var_os("TELLTALE_SUBJECTS") else {
        eprintln!("skipped: TELLTALE_SUBJECTS is not set; no real Java was cut and edited");
        return;
    };
    let cases: usize = std::env::var("TELLTALE_SUBJECT_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(4);
    let files = collect(Path::new(&root));
    assert!(!files.is_empty(), "no Java file under {}", root.display());
    let queries = Queries::builtin();
    let own = Queries::with_user(Some(TESTS), Some(ASSERTIONS)).expect("they compile");
    let mut broken = Vec::new();
    for (number, path) in files.iter().enumerate() {
        let bytes = std::fs::read(path).unwrap_or_default();
        let text: Arc<str> = String::from_utf8_lossy(&bytes).into();
        let file = SourceFile::parse(Arc::clone(&text));
        exercise(&queries, &file);
        let (tests, assertions) = (own.user_tests(&file), own.user_assertions(&file));
        assert!(
            !tests.is_cut && !assertions.is_cut,
            "{}: a usual query is cut",
            path.display()
        );
        assert_eq!(assertions.captures, queries.assertions(&file));
        assert_eq!(tests.captures, queries.tests(&file));
        if file.has_errors() {
            broken.push(path);
        }
        let mut random = Random(number as u64);
        let mut edited = text.to_string();
        for _ in 0..cases {
            let cut = text.floor_char_boundary(random.below(text.len()));
            exercise(&queries, &SourceFile::parse(Arc::from(&text[..cut])));
            exercise(&queries, &SourceFile::parse(Arc::from(&text[cut..])));
            let pieces = [
                "",
                " ",
                "x",
                ";",
                "}",
                "\"",
                "int y = 1;",
                "/* c */",
                "\n",
                "(",
                "é",
            ];
            let start = edited.floor_char_boundary(random.below(edited.len()));
            let gone = random.below(4) * random.below(3);
            let end = edited.floor_char_boundary((start + gone).min(edited.len()));
            edited.replace_range(start..end.max(start), pieces[random.below(pieces.len())]);
            exercise(&queries, &SourceFile::parse(Arc::from(edited.as_str())));
        }
        let index = LineIndex::new(&text);
        for _ in 0..cases {
            let offset = text.floor_char_boundary(random.below(text.len())) as u32;
            let (before, behind) = text.split_at(offset as usize);
            // Between CR and LF no position is.
            if !(before.ends_with('\r') && behind.starts_with('\n')) {
                let position = index.position(offset, Encoding::Utf16);
                assert_eq!(
                    index.try_offset(position, Encoding::Utf16),
                    Some(offset),
                    "{}",
                    path.display()
                );
            }
        }
    }
    eprintln!("{} files; with errors: {broken:#?}", files.len());
}

/// What a file declares: kinds and names in order.
fn declared(file: &SourceFile) -> Vec<(Kind, String)> {
    let nodes = file.nodes();
    let named = (0..nodes.len() as u32).map(NodeId).filter(|&n| {
        matches!(
            nodes.kind(n),
            Kind::ClassDeclaration
                | Kind::InterfaceDeclaration
                | Kind::EnumDeclaration
                | Kind::RecordDeclaration
                | Kind::AnnotationTypeDeclaration
                | Kind::EnumConstant
                | Kind::MethodDeclaration
                | Kind::ConstructorDeclaration
        )
    });
    let name = |n| {
        nodes
            .child(n, Field::Name)
            .map_or(String::new(), |name| nodes.name(name).to_string())
    };
    named.map(|n| (nodes.kind(n), name(n))).collect()
}

/// A closing brace is missing while somebody types. What the file declares should not depend on it.
#[test]
fn one_closing_less_leaves_the_declarations() {
    let Some(root) = std::env::var_os("TELLTALE_SUBJECTS") else {
        eprintln!("skipped: TELLTALE_SUBJECTS is not set; no brace was taken from real Java");
        return;
    };
    let (mut same, mut all) = (0, 0);
    for (number, path) in collect(Path::new(&root)).iter().enumerate() {
        let bytes = std::fs::read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut random = Random(number as u64);
        let braces: Vec<usize> = text.match_indices('}').map(|m| m.0).collect();
        if braces.len() < 4 {
            continue;
        }
        let whole = declared(&SourceFile::parse(text.as_str().into()));
        // Not that of the class itself.
        let at = braces[random.below(braces.len() - 1)];
        let mut less = text.clone();
        less.replace_range(at..=at, "");
        all += 1;
        same += usize::from(declared(&SourceFile::parse(less.into())) == whole);
    }
    eprintln!("{same} of {all} files declare the same with a closing brace less");
    assert!(same * 100 >= all * 93, "only {same} of {all}");
}

/// A statement is not finished while somebody types. What the file declares should not depend on it.
#[test]
fn an_unfinished_statement_leaves_the_declarations() {
    let Some(root) = std::env::var_os("TELLTALE_SUBJECTS") else {
        eprintln!("skipped: TELLTALE_SUBJECTS is not set; nothing was typed into real Java");
        return;
    };
    const TYPED: [&str; 8] = [
        "double probe = Math.max(offset(",
        "Object probe = other.",
        "log(\"",
        "log(\"a\" +",
        "if (size(",
        "for (int i = 0; i <",
        "values[",
        "probe = new",
    ];
    let (mut same, mut all) = ([0; TYPED.len()], [0; TYPED.len()]);
    for (number, path) in collect(Path::new(&root)).iter().enumerate() {
        let bytes = std::fs::read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut random = Random(number as u64);
        // Behind a statement of a method: below it, as deep as it.
        let ends: Vec<usize> = text.match_indices(";\n        ").map(|m| m.0 + 2).collect();
        if ends.is_empty() {
            continue;
        }
        let whole = declared(&SourceFile::parse(text.as_str().into()));
        let at = ends[random.below(ends.len())];
        let before = text[..at - 1].rfind('\n').map_or(0, |n| n + 1);
        let depth = text[before..].len() - text[before..].trim_start_matches(' ').len();
        let which = number % TYPED.len();
        let mut typed = text.clone();
        typed.insert_str(at, &format!("{}{}\n", " ".repeat(depth), TYPED[which]));
        all[which] += 1;
        let now = declared(&SourceFile::parse(typed.into()));
        // What is typed may itself declare a variable.
        same[which] += usize::from(now == whole);
    }
    for ((typed, same), all) in TYPED.iter().zip(same).zip(all) {
        eprintln!("{same} of {all} files declare the same behind `{typed}`");
    }
    let (same, all) = (same.iter().sum::<usize>(), all.iter().sum::<usize>());
    assert!(same * 100 >= all * 90, "only {same} of {all}");
}
