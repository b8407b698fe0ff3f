//! After any sequence of edits the tree is that of a fresh parse.

use std::sync::Arc;

use proptest::prelude::*;
use syntax::{Field, Kind, NodeId, SourceFile};
use text::{Edit, Span};

/// A file with most of what Java has, so that edits at random places meet many states of the parser.
const JAVA: &str = r#"package a.b;

import java.util.*;
import static java.lang.Math.max;

/** A stack. */
@SuppressWarnings({"unchecked", "x"})
public abstract class Stack<T extends Comparable<? super T>> extends Base<T>.Inner implements I, J<T[]> {
    private static final int LIMIT = 0x1F, OTHER[] = {1, 2, 3,};
    protected List<Map<String, ? extends T>> items = new ArrayList<>();

    static { System.out.println("start \u0041\n"); }

    public Stack(int size, final T... rest) throws E, F {
        super(size);
        this.items = size > 0 ? null : new ArrayList<>() { @Override public int size() { return 1; } };
    }

    @Test(timeout = 5) public <U> U push(T item, int[] a) {
        for (int i = 0, j = a.length; i < j; i++) { a[i] += i << 2; continue; }
        for (var x : items) if (x == null) break; else { x.clear(); }
        while (true) { do { a[0]--; } while (a[0] > 0 && !flag); }
        label: try (var in = open(); in) { throw new E("a" + 1 + 'c'); }
        catch (A | B e) { return (U) e; } finally { assert a != null : "no"; }
        synchronized (this) { int k = (int) -1L, m; m = k >>> 3; }
        Function<T, Runnable> f = (p) -> () -> q(p -> p, Stack::new, int[]::clone);
        if (o instanceof String s && s.isEmpty() || o instanceof Point(int x, var y)) { yield(); }
        return switch (item) {
            case Circle c when c.r() > 1 -> c;
            case null, default -> { yield null; }
        };
    }

    abstract void none(); // end
    enum Color { RED(1) { void f() {} }, GREEN; Color(int... x) {} }
    record Point(int x, int y) implements I { Point { if (x < 0) throw new E(); } }
    sealed interface Shape permits Circle { default String text() { return """
        a "text" block \
        """; } }
    @interface Mark { int value() default 1; }
}
"#;

/// What may be typed: whole lines, tokens, halves of tokens, what breaks a file and what needs a repair.
const PIECES: &[&str] = &[
    "",
    " ",
    "\n",
    "\r\n",
    "\r",
    "x",
    "1",
    ";",
    "{",
    "}",
    "(",
    ")",
    "\"",
    "\"\"\"",
    "'",
    "/*",
    "*/",
    "//",
    "@",
    "<",
    ">",
    ",",
    ".",
    "=",
    "->",
    "é",
    "😀",
    "\\u0041",
    "int y = 1;",
    "foo(bar, 1);",
    "if (a) { b(); }",
    "return x;",
    "class ",
    "void m() { }",
    "case A.B(int z), C _ -> 1;",
    "0_17",
    "final ",
    " + 2",
    "/* c */",
    "// c\n",
    "import module java.base;",
    "\0",
    "\u{1a}",
];

type Row = (Kind, Field, Span, bool, u32);

fn rows(file: &SourceFile) -> Vec<Row> {
    let nodes = file.nodes();
    (0..nodes.len() as u32)
        .map(NodeId)
        .map(|n| {
            (
                nodes.kind(n),
                nodes.field(n),
                nodes.span(n),
                nodes.is_missing(n),
                nodes.close(n),
            )
        })
        .collect()
}

fn same_as_fresh(file: &SourceFile) {
    let fresh = SourceFile::parse(Arc::clone(file.text()));
    assert_eq!(file.error_count(), fresh.error_count(), "{}", file.text());
    assert_eq!(file.is_repaired(), fresh.is_repaired(), "{}", file.text());
    assert!(
        rows(file) == rows(&fresh),
        "the trees differ:\n{}",
        file.text()
    );
}

/// One edit: where (a part of the text), how many bytes go, what comes.
fn edit() -> impl Strategy<Value = (f64, u32, usize)> {
    (
        0.0..1.0,
        prop_oneof![3 => Just(0u32), 3 => 1u32..4, 1 => 4u32..60],
        0..PIECES.len(),
    )
}

fn placed(text: &str, (at, len, piece): (f64, u32, usize)) -> Edit {
    let start = (at * text.len() as f64) as u32;
    Edit::new(Span::new(start, start + len), PIECES[piece])
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn typing_equals_parsing(edits in prop::collection::vec(edit(), 1..16)) {
        let mut file = SourceFile::parse(Arc::from(JAVA));
        prop_assert!(!file.has_errors());
        for one in edits {
            file = file.edit(&[placed(file.text(), one)]);
            same_as_fresh(&file);
        }
    }

    #[test]
    fn undoing_equals_parsing(edits in prop::collection::vec(edit(), 1..8)) {
        // Each edit is taken back, so the file goes from clean to broken to clean.
        let mut file = SourceFile::parse(Arc::from(JAVA));
        for one in edits {
            let mut edit = placed(file.text(), one);
            let text = Arc::clone(file.text());
            let start = text.floor_char_boundary(edit.span.start as usize);
            let end = text.ceil_char_boundary((edit.span.end as usize).min(text.len())).max(start);
            edit.span = Span::new(start as u32, end as u32);
            let back = Edit::new(Span::new(start as u32, (start + edit.text.len()) as u32), &text[start..end]);
            let broken = file.edit(&[edit]);
            same_as_fresh(&broken);
            file = broken.edit(&[back]);
            prop_assert_eq!(file.text(), &text);
            same_as_fresh(&file);
        }
    }

    #[test]
    fn edits_that_keep_the_file_clean_equal_parsing(
        edits in prop::collection::vec((0.0..1.0, 0..6usize, 0..4usize), 1..24)
    ) {
        // Most of these keep a clean file clean: the one case in which the incremental tree is used.
        let mut file = SourceFile::parse(Arc::from(JAVA));
        for (at, what, word) in edits {
            let text = Arc::clone(file.text());
            let near = text.floor_char_boundary((at * text.len() as f64) as usize);
            let line = text[..near].rfind('\n').map_or(0, |end| end + 1);
            let is_name = |c: char| c.is_ascii_lowercase();
            let start = text[..near].rfind(|c| !is_name(c)).map_or(0, |before| before + 1);
            let start = text.ceil_char_boundary(start);
            let end = text[start..].find(|c| !is_name(c)).map_or(text.len(), |len| start + len);
            let name = ["x", "items", "T", "if"][word];
            let edit = match what {
                0 => Edit::new(Span::new(line as u32, line as u32), ["int y = 1;\n", "/* c */", "// c\n", "\n"][word]),
                1 => Edit::new(Span::new(start as u32, end as u32), name),
                2 => Edit::new(Span::new(start as u32, start as u32), " "),
                3 => Edit::new(Span::new(end as u32, end as u32), [" ", " /* < */ ", "()", "<T>"][word]),
                4 => Edit::new(Span::new(end as u32, end as u32), "\n"),
                _ => Edit::new(Span::new(end as u32, end as u32), ["[]", ".x", " + 1", ", b"][word]),
            };
            let next = file.edit(&[edit]);
            same_as_fresh(&next);
            if !next.has_errors() {
                file = next;
            }
        }
    }

    #[test]
    fn several_edits_at_once_are_applied_in_order(edits in prop::collection::vec(edit(), 2..6)) {
        let file = SourceFile::parse(Arc::from(JAVA));
        let mut one_by_one = file.clone();
        let mut all = Vec::new();
        for one in edits {
            let edit = placed(one_by_one.text(), one);
            one_by_one = one_by_one.edit(std::slice::from_ref(&edit));
            all.push(edit);
        }
        let at_once = file.edit(&all);
        prop_assert_eq!(at_once.text(), one_by_one.text());
        same_as_fresh(&at_once);
    }
}

/// A node inside the last member: its identity survives where the parser reused the member.
fn in_last_member(file: &SourceFile) -> usize {
    let class = file.tree().root_node().child(0).expect("a class");
    let body = class.child_by_field_name("body").expect("a body");
    let member = body.child(body.child_count() - 2).expect("a member");
    let block = member.child_by_field_name("body").expect("its body");
    block.child(1).expect("its statement").id()
}

#[test]
fn an_edit_of_a_clean_file_reuses_its_tree() {
    let text = format!(
        "class A {{\n{}}}\n",
        "    int f(int x) { return x + 1; }\n".repeat(100)
    );
    let file = SourceFile::parse(Arc::from(text));
    let edited = file.edit(&[Edit::new(Span::new(14, 17), "long")]);
    assert!(!edited.has_errors());
    assert_eq!(in_last_member(&edited), in_last_member(&file));
    same_as_fresh(&edited);

    // From a broken file to a clean one nothing is reused.
    let broken = edited.edit(&[Edit::new(Span::new(14, 14), "(")]);
    assert!(broken.has_errors());
    let back = broken.edit(&[Edit::new(Span::new(14, 15), "")]);
    assert!(!back.has_errors());
    assert_ne!(in_last_member(&back), in_last_member(&edited));
    same_as_fresh(&back);
}

#[test]
fn spans_outside_the_text_are_cut() {
    let file = SourceFile::parse(Arc::from("class É {}"));
    let far = file.edit(&[Edit::new(Span::new(u32::MAX - 1, u32::MAX), "x")]);
    assert_eq!(&**far.text(), "class É {}x");
    let inside = file.edit(&[Edit::new(Span::new(7, 7), "B")]);
    same_as_fresh(&inside);
    let reversed = file.edit(&[Edit::new(Span::new(5, 2), "")]);
    same_as_fresh(&reversed);
}
