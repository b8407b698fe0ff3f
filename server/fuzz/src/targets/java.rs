//! Java text, and queries over it.

use std::sync::{Arc, OnceLock};

use calls::Workspace;
use observe::{Settings, rank};
use program::{Change, FileInput, Program, SourceSetId, SourceSetInput};
use syntax::{Queries, SourceFile};

/// One or several files, apart by a line `//-`: parsed with its repairs, declared, resolved, lowered, ranked; then the
/// first half of the first file in the place of it, as while somebody types.
pub fn program(data: &[u8]) {
    let whole = super::text(data);
    let texts: Vec<Arc<str>> = whole.split("\n//-").take(8).map(Arc::from).collect();
    let sets = SourceSetInput::code_and_tests();
    let path = |at: usize| Arc::from(format!("F{at}.java"));
    let files = texts.iter().enumerate().map(|(at, text)| FileInput {
        path: path(at),
        source_set: SourceSetId(u32::from(at == 0)),
        text: Arc::clone(text),
    });
    let workspace = Workspace::new(Program::build(sets, files.collect()));
    let ranked = |workspace: &Workspace| {
        let units = workspace.units(&|_, _, _| true);
        rank(workspace, &units, &Settings::default());
    };
    ranked(&workspace);
    let half = texts.first().map_or("", |text| {
        let end = (0..=text.len() / 2)
            .rev()
            .find(|&end| text.is_char_boundary(end));
        &text[..end.unwrap_or(0)]
    });
    ranked(&workspace.update(vec![Change {
        path: path(0),
        text: Some(Arc::from(half)),
        source_set: SourceSetId(1),
    }]));
}

/// What a text and the edits of it are in the bytes of an input: parts apart by a zero byte, the first the text, each
/// further one two bytes of a place, one of a length, and what is put there.
pub fn parts(data: &[u8]) -> (String, Vec<(usize, usize, String)>) {
    let mut parts = data.split(|byte| *byte == 0);
    let first = super::text(parts.next().unwrap_or_default());
    let edits = parts.take(16).filter_map(|part| {
        let [high, low, length, rest @ ..] = part else {
            return None;
        };
        let at = usize::from(*high) << 8 | usize::from(*low);
        Some((at, usize::from(*length), super::text(rest)))
    });
    (first, edits.collect())
}

/// The nearest boundary of a character at or before `at`, taken round the text.
pub fn boundary(text: &str, at: usize) -> usize {
    let at = at % (text.len() + 1);
    (0..=at)
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}

/// A workspace's own queries, for tests and for assertions, over a text with both: one where there is something to repeat, of
/// which a query that takes too long for its size takes minutes.
pub fn queries(data: &[u8]) {
    const JAVA: &str = "package a; import static org.junit.Assert.*; class ATest extends Base {\n\
        @Test @Tag(\"x\") void f() { int a = g(1, b.c()); assertEquals(1, a); check(() -> a); }\n\
        static class Inner { void testIt() throws E { try { verify(x).y(); } finally { z[0]++; } } } ";
    static FILE: OnceLock<SourceFile> = OnceLock::new();
    let file = FILE.get_or_init(|| {
        let statements = "a++; { b(c(d()), e()); } ".repeat(20);
        SourceFile::parse(Arc::from(format!(
            "{JAVA} void m() {{ {statements} }} }}\n"
        )))
    });
    let query = super::text(data);
    for (tests, assertions) in [(Some(&*query), None), (None, Some(&*query))] {
        if let Ok(queries) = Queries::with_user(tests, assertions) {
            queries.user_tests(file);
            queries.user_assertions(file);
        }
    }
}
