//! Takes the assertions out of the tests of a copy, so that what they checked is what the lists offer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use ide::Analysis;
use ide::suspects::flow::TestFlow;
use observe::Settings;
use program::FileId;
use syntax::{Kind, SourceFile};
use text::Span;
use tree_sitter::Node;

use super::TRIES;
use super::build::Build;
use crate::Result;
use crate::bench::load;

/// How many assertions were taken out, and how many files keep theirs since they do not compile without.
pub(in crate::evaluate) struct Bare {
    assertions: usize,
    kept: usize,
}

impl fmt::Display for Bare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} assertions were taken out; {} files do not compile without theirs, and keep them",
            self.assertions, self.kept
        )
    }
}

/// Removes the statements that are assertions from all tests of the project that is built, but where it does not compile without
/// them: what nothing throws any more must not be caught.
pub(in crate::evaluate) fn bare(build: &Build<'_>) -> Result<Bare> {
    let workspace = calls::Workspace::new(load::texts(build.root)?.program());
    let analysis = Analysis::new(workspace, true, Settings::default());
    let program = analysis.program();
    let mut files: BTreeMap<FileId, BTreeSet<Span>> = BTreeMap::new();
    for &test in analysis.workspace().suite().tests() {
        let (Some(flow), Some(file)) = (TestFlow::new(&analysis, test), program.method_file(test))
        else {
            continue;
        };
        let own = flow.assertions().iter().map(|a| a.statement);
        files.entry(file).or_default().extend(own);
    }
    for (&file, spans) in &mut files {
        let read = SourceFile::parse(program.text(file).map_or("", |t| t).into());
        spans.retain(|s| is_statement(read.text(), *s) && !may_end_a_loop(&read, *s));
    }
    let mut texts: BTreeMap<FileId, (String, Arc<str>)> = BTreeMap::new();
    for (&file, spans) in &files {
        if let (Some(path), Some(text)) = (program.path(file), program.text(file)) {
            let without = without(text, spans);
            write(build, path, &without)?;
            texts.insert(file, (path.to_string(), Arc::from(&**text)));
        }
    }
    let mut kept = 0;
    for _ in 0..TRIES {
        let said = build.compile()?;
        let errors = Build::errors(&said);
        if errors.is_empty() {
            let assertions = texts.keys().map(|f| files[f].len()).sum();
            return Ok(Bare { assertions, kept });
        }
        let before = texts.len();
        let is_wrong = |path: &str| errors.iter().any(|e| e.file.ends_with(path));
        for (path, text) in texts.values().filter(|(path, _)| is_wrong(path)) {
            write(build, path, text)?;
        }
        texts.retain(|_, (path, _)| !is_wrong(path));
        kept += before - texts.len();
        if texts.len() == before {
            let first = errors.first();
            return Err(format!("does not compile for another reason: {first:?}"));
        }
    }
    Err("does not compile however many files keep their assertions".to_owned())
}

/// True for a statement of a block: not for a part of one, nor for the only one of an `if`.
fn is_statement(text: &str, span: Span) -> bool {
    let before = text[..span.start as usize].trim_end();
    text[span.start as usize..span.end as usize].ends_with(';') && before.ends_with([';', '{', '}'])
}

/// True in a loop that ends by what stands in it: without `assertEquals(1, it.next())` it may go on for ever.
fn may_end_a_loop(file: &SourceFile, span: Span) -> bool {
    let root = file.tree().root_node();
    let node = root.descendant_for_byte_range(span.start as usize, span.end as usize);
    std::iter::successors(node, Node::parent).any(|n| match Kind::of(&n) {
        Kind::WhileStatement | Kind::DoStatement => true,
        Kind::ForStatement => n.child_by_field_name("update").is_none(),
        _ => false,
    })
}

/// A text without some of its spans, which are ascending; what lies in another goes with it.
fn without(text: &str, spans: &BTreeSet<Span>) -> String {
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    for span in spans {
        if span.start as usize >= from {
            out.push_str(&text[from..span.start as usize]);
            from = span.end as usize;
        }
    }
    out + &text[from..]
}

fn write(build: &Build<'_>, path: &str, text: &str) -> Result<()> {
    std::fs::write(build.root.join(path), text).map_err(|e| format!("{path}: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_statements_of_blocks_go() {
        let text = "{ a(); assertTrue(x); if (y) assertTrue(z); T t = assertThrows(f); assertAll(() -> assertTrue(w)); }";
        let of = |what: &str| {
            let at = text.find(what).expect("it is there");
            Span::new(at as u32, (at + what.len()) as u32)
        };
        let all = [
            "assertTrue(x);",
            "assertTrue(z);",
            "assertThrows(f);",
            "assertTrue(w)",
            "assertAll(() -> assertTrue(w));",
        ];
        let own: BTreeSet<Span> = all
            .map(of)
            .into_iter()
            .filter(|s| is_statement(text, *s))
            .collect();
        let left = without(text, &own);
        assert_eq!(
            left,
            "{ a();  if (y) assertTrue(z); T t = assertThrows(f);  }"
        );
    }

    #[test]
    fn what_may_end_a_loop_stays() {
        let text = "class T { void t() { assertTrue(a); while (i.hasNext()) { if (b) { assertEquals(1, i.next()); } } \
                    do { assertTrue(c); } while (n++ < 3); for (; i.hasNext(); ) { assertTrue(d); } \
                    for (int k = 0; k < 3; k++) { assertTrue(e); } for (int f : g) { assertTrue(f); } } }";
        let file = SourceFile::parse(text.into());
        let of = |what: &&str| {
            let at = text.find(what).expect("it is there");
            may_end_a_loop(&file, Span::new(at as u32, (at + what.len()) as u32))
        };
        let stay = [
            "assertEquals(1, i.next());",
            "assertTrue(c);",
            "assertTrue(d);",
        ];
        let go = ["assertTrue(a);", "assertTrue(e);", "assertTrue(f);"];
        assert!(stay.iter().all(of));
        assert!(!go.iter().any(of));
    }
}
