//! Offers and lenses after edits equal those of an analysis from the same texts, and most are not computed anew.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::disallowed_macros
)] // tests may read files and the environment

use calls::Workspace;
use ide::{Analysis, Offered};
use observe::Settings;
use program::{Change, FileInput, Program, SourceSetId, SourceSetInput};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

type Texts = Vec<(String, String)>;

/// The demo, or as many files of the folder that `TELLTALE_KEPT` names as make it slow.
fn texts() -> Texts {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/demo/src");
    let root = std::env::var_os("TELLTALE_KEPT").map_or(demo, PathBuf::from);
    let mut out = Texts::new();
    let mut work = vec![root.clone()];
    while let Some(folder) = work.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                work.push(path);
            } else if path.extension().is_some_and(|e| e == "java")
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                let path = path.strip_prefix(&root).unwrap();
                out.push((path.to_string_lossy().replace('\\', "/"), text));
            }
        }
    }
    out.sort();
    out
}

fn set_of(path: &str) -> SourceSetId {
    SourceSetId(path.contains("test/").into())
}

fn fresh(texts: &Texts) -> Analysis {
    let files = texts.iter().map(|(path, text)| FileInput {
        path: Arc::from(&**path),
        source_set: set_of(path),
        text: Arc::from(&**text),
    });
    let sets = SourceSetInput::code_and_tests();
    let workspace = Workspace::new(Program::build(sets, files.collect()));
    Analysis::new(workspace, true, Settings::default())
}

/// All lenses and offers, by names and places.
fn dump(analysis: &Analysis) -> String {
    let program = analysis.program();
    let mut out = String::new();
    // The lenses first, which ask before they have an offer made whether there is anything to say.
    for &file in program.files() {
        for lens in ide::lens::lenses(analysis, file) {
            let title = ide::title::title(analysis, lens.on).map(|t| t.text);
            writeln!(out, "{:?} {title:?}", lens.span).unwrap();
        }
    }
    for &test in analysis.workspace().suite().tests() {
        let offered: Arc<Offered> = analysis.offered(test);
        let keys = (analysis.key(test), analysis.asked(test));
        writeln!(out, "# {} {keys:x?}", program.method_name(test)).unwrap();
        for r in &offered.readable {
            writeln!(
                out,
                "{} {} {:?} {} {:?} {:?}",
                r.expression, r.ty, r.span, r.gain, r.tells_on, r.doubt
            )
            .unwrap();
        }
        for i in &offered.inside {
            let path = program.path(i.place.file).unwrap();
            writeln!(out, "{} {path} {:?} {}", i.name, i.place.span, i.gain).unwrap();
        }
    }
    out
}

/// The state after an edit of one of some texts.
fn edited(analysis: &Analysis, now: &mut Texts, at: usize, from: &str, to: &str) -> Analysis {
    let (path, text) = &mut now[at];
    assert!(text.contains(from), "{from}");
    *text = text.replacen(from, to, 1);
    analysis.after(vec![Change {
        path: Arc::from(&**path),
        source_set: set_of(path),
        text: Some(Arc::from(&**text)),
    }])
}

/// SplitMix64.
fn next(state: &mut u64, end: usize) -> usize {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) as usize % end.max(1)
}

/// What a test alone says is kept while the code under test changes, so it must say nothing of that code: here how many
/// fields a method writes.
#[test]
fn what_a_test_says_alone_outlives_the_code_under_test() {
    let test = "import static org.junit.jupiter.api.Assertions.assertEquals;
        import org.junit.jupiter.api.Test;
        class BookTest {
            @Test void asks() { Book b = Book.any(); assertEquals(0, b.first()); }
            @Test void works() { Book k = Book.any(); k.put(2); }
        }";
    // What is put into a novel is looked at by nobody who only asks whether an object changes: that of a book does it.
    let books = |writes: &str| {
        format!(
            "class Book {{ int a; int b; int c; int d; static Book any() {{ return new Novel(); }}
             void put(int x) {{ a += x; b += x; }}
             int first() {{ return a; }} int second() {{ return b; }} int third() {{ return c; }} }}
             class Novel extends Book {{ void put(int x) {{ {writes} }} }}"
        )
    };
    let many = books("c += x; d += x;");
    let few = books("a += x; b += x;");
    let texts = |book: &str| {
        let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        vec![
            file("main/java/Book.java", book),
            file("test/java/BookTest.java", test),
        ]
    };
    let before = fresh(&texts(&many));
    let was = dump(&before);
    let after = before.after(vec![Change {
        path: Arc::from("main/java/Book.java"),
        source_set: set_of("main/java/Book.java"),
        text: Some(Arc::from(&*few)),
    }]);
    let now = dump(&after);
    assert_ne!(was, now);
    assert!(now.contains("next: k.first()"), "{now}");
    assert_eq!(now, dump(&fresh(&texts(&few))));
}

/// Whether the value of a dropped call is wanted hangs on what other tests of the file assert, to the letter.
#[test]
fn what_a_sibling_asserts_is_read_again() {
    let book = "class Book { int a; static Book any() { return new Book(); }
         int put(int x) { if (x > 1) { a = a + x * 2; } else { a = a - x; } return a; } }";
    let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let texts = |sibling: &str| {
        let test = format!(
            "import static org.junit.jupiter.api.Assertions.assertEquals;
        import org.junit.jupiter.api.Test;
        class BookTest {{
            @Test void stack() {{ Book.any().stack(2); }}
            @Test void other() {{ {sibling} }}
        }}"
        );
        vec![
            file("main/java/Book.java", &book.replace("put", "stack")),
            file("test/java/BookTest.java", &test),
        ]
    };
    let asserted = |of: usize| texts(&format!("assertEquals(4, Book.any().stack({of}));"));
    let mut analysis = fresh(&texts(""));
    let mut said = Vec::new();
    for now in [asserted(2), asserted(3), texts(""), asserted(2)] {
        dump(&analysis);
        analysis = analysis.after(vec![Change {
            path: Arc::from("test/java/BookTest.java"),
            source_set: set_of("test/java/BookTest.java"),
            text: Some(Arc::from(&*now[1].1)),
        }]);
        let incremental = dump(&analysis);
        assert_eq!(incremental, dump(&fresh(&now)));
        said.push(incremental.contains("next: Book.any().stack(2)"));
    }
    assert_eq!(said, [false, true, true, false]);
}

/// Who makes an object runs its initialisers, and names them nowhere: what had none before is another key's.
#[test]
fn an_initialiser_that_comes_or_goes_is_of_those_who_make_the_object() {
    let book = "class Book { int most; static int all; int put(int x) { if (x > 1) { most = x * 2; } return most; } }";
    let test = "import static org.junit.jupiter.api.Assertions.assertEquals;
        import org.junit.jupiter.api.Test;
        class BookTest {
            int given;
            @Test void puts() { Book book = new Book(); book.put(2); }
            @Test void asserts() { Book book = new Book(); assertEquals(given, book.put(1)); }
        }";
    let paths = ["main/java/Book.java", "test/java/BookTest.java"];
    let mut now: Texts = vec![
        (paths[0].to_owned(), book.to_owned()),
        (paths[1].to_owned(), test.to_owned()),
    ];
    let edits = [
        (0, "int most;", "int most = 5;"),
        (0, "int most = 5;", "int most = 6;"),
        (0, "int most = 6;", "int most;"),
        (0, "int put", "{ most = 7; } int put"),
        (0, "{ most = 7; } ", ""),
        (0, "static int all;", "static int all = 8;"),
        (
            0,
            "static int all = 8;",
            "static int all; static { all = 9; }",
        ),
        (1, "int given;", "int given = 4;"),
        (1, "int given = 4;", "int given;"),
    ];
    let mut analysis = fresh(&now);
    let mut before = dump(&analysis);
    for (at, from, to) in edits {
        analysis = edited(&analysis, &mut now, at, from, to);
        let incremental = dump(&analysis);
        assert_ne!(incremental, before, "{from} → {to}");
        assert_eq!(incremental, dump(&fresh(&now)), "{from} → {to}");
        before = incremental;
    }
}

/// What a request leads to hangs on texts that are no part of what bodies compute: a path, a view, an annotation.
#[test]
fn what_requests_lead_to_is_read_again() {
    let controller = "package own;
        @Controller @RequestMapping(Paths.ROOT) class Owners {
            int asked;
            @GetMapping(\"/new\") String form(int many) { int twice = many * 2; asked += twice; return \"form\"; }
            @GetMapping(\"/old\") String last(int many) { int half = many / 2; asked += half; return \"last\"; }
        }
        class Paths { static final String ROOT = \"/a\"; }";
    let test = "package own;
        import org.springframework.test.web.servlet.MockMvc;
        class OwnersTest {
            static final String BASE = \"/a\";
            MockMvc mvc;
            String path() { return \"x\"; }
            @Test void form() throws Exception { mvc.perform(get(BASE + \"/new\")).andExpect(status().isOk()); }
            @Test void last() throws Exception { mvc.perform(get(\"/a/old\")).andExpect(view().name(\"last\")); }
        }";
    let paths = ["main/java/own/Owners.java", "test/java/own/OwnersTest.java"];
    let mut now: Texts = vec![
        (paths[0].to_owned(), controller.to_owned()),
        (paths[1].to_owned(), test.to_owned()),
    ];
    let edits = [
        (0, "return \"form\"", "return \"firm\""),
        (1, "BASE + \"/new\"", "BASE + \"/old\""),
        (1, "view().name(\"last\")", "status().isOk()"),
        (
            1,
            "(\"/a/old\")).andExpect(status().isOk())",
            "(\"/a/old\")).andExpect(view().name(\"x\"))",
        ),
        (0, "\"/old\")", "\"/odd\")"),
        (1, "BASE + \"/old\"", "BASE + \"/new\""),
        (0, "ROOT = \"/a\"", "ROOT = \"/b\""),
        (1, "BASE = \"/a\"", "BASE = \"/b\""),
        (0, "@Controller ", ""),
        (
            0,
            "@RequestMapping(Paths.ROOT)",
            "@Controller @RequestMapping(Paths.ROOT)",
        ),
    ];
    let all = |analysis: &Analysis| {
        let mut out = dump(analysis);
        let mut tests = analysis.workspace().suite().tests().to_vec();
        tests.sort_by_key(|t| analysis.program().method_name(*t));
        for test in tests {
            let requests = analysis.requests(test);
            writeln!(
                out,
                "{:?}",
                requests.map(|r| {
                    let texts: Vec<String> = r.expectations.iter().map(|e| e.text()).collect();
                    (texts, r.hidden)
                })
            )
            .unwrap();
        }
        out
    };
    let mut analysis = fresh(&now);
    let mut said = vec![all(&analysis)];
    assert!(
        said[0].contains("next: view().name(\\\"form\\\")"),
        "{}",
        said[0]
    );
    assert!(said[0].contains("1 test calls this"), "{}", said[0]);
    for (at, old, new) in edits {
        analysis = edited(&analysis, &mut now, at, old, new);
        let incremental = all(&analysis);
        assert_eq!(incremental, all(&fresh(&now)), "{new}");
        said.push(incremental);
    }
    let before = said.len();
    said.dedup();
    assert!(said.len() + 1 >= before, "the edits mean something");
}

#[test]
fn what_is_kept_is_what_would_be_computed() {
    let first = texts();
    let snippets = [
        " ",
        "\n",
        ";",
        "7",
        "(",
        "}",
        "x",
        "int added = 1;",
        "toString();",
        "this.hashCode();",
        "new StringBuilder().append(1);",
        "// org.junit.jupiter\n",
        "return null;",
        "++",
    ];
    let (mut random, mut kept, mut all) = (3, 0, 0);
    let rounds = if first.len() > 40 { 40 } else { 100 };
    let mut now = first.clone();
    let mut analysis = fresh(&now);
    let mut said = dump(&analysis);
    for round in 0..rounds {
        let at = next(&mut random, now.len());
        let text = &mut now[at].1;
        match next(&mut random, 5) {
            0 => text.clone_from(&first[at].1),
            1 => {
                let start = text.floor_char_boundary(next(&mut random, text.len()));
                let end =
                    text.floor_char_boundary((start + 1 + next(&mut random, 6)).min(text.len()));
                text.replace_range(start..end, "");
            }
            _ => {
                // Mostly between statements.
                let ends: Vec<usize> = text.match_indices(";\n").map(|m| m.0 + 1).collect();
                let mut place = next(&mut random, text.len());
                if !ends.is_empty() && next(&mut random, 4) > 0 {
                    place = ends[next(&mut random, ends.len())];
                }
                let place = text.floor_char_boundary(place);
                text.insert_str(place, snippets[next(&mut random, snippets.len())]);
            }
        }
        let path = now[at].0.clone();
        let before: Vec<_> = analysis
            .workspace()
            .suite()
            .tests()
            .iter()
            .map(|t| (*t, analysis.offered(*t)))
            .collect();
        analysis = analysis.after(vec![Change {
            path: Arc::from(&*path),
            source_set: set_of(&path),
            text: Some(Arc::from(&*now[at].1)),
        }]);
        for (test, old) in before {
            all += 1;
            kept += usize::from(Arc::ptr_eq(&old, &analysis.offered(test)));
        }
        let (incremental, scratch) = (dump(&analysis), dump(&fresh(&now)));
        let differs = incremental
            .lines()
            .zip(scratch.lines())
            .find(|(a, b)| a != b);
        assert!(
            incremental == scratch,
            "round {round}, {path}: {differs:#?}"
        );
        said = scratch;
        // Back before nothing is left of the program.
        if round % 12 == 11 {
            let changes = first.iter().map(|(path, text)| Change {
                path: Arc::from(&**path),
                source_set: set_of(path),
                text: Some(Arc::from(&**text)),
            });
            analysis = analysis.after(changes.collect());
            now.clone_from(&first);
        }
    }
    assert!(said.lines().count() > 20);
    assert!(kept * 5 > all, "{kept} of {all} kept");
}
