//! What an edit computes again, and that the result equals building from scratch.
#![allow(clippy::unwrap_used)]
#![allow(clippy::disallowed_methods)] // tests may read the environment

use program::*;
use proptest::prelude::*;
use std::fmt::Write;
use std::sync::Arc;

const MAIN: SourceSetId = SourceSetId(0);

fn build(files: &[(&str, &str)]) -> Program {
    let files = files.iter().map(|(path, text)| FileInput {
        path: Arc::from(*path),
        source_set: set_of(path),
        text: Arc::from(*text),
    });
    Program::build(SourceSetInput::code_and_tests(), files.collect())
}

fn set_of(path: &str) -> SourceSetId {
    SourceSetId(path.starts_with("test").into())
}

fn change(path: &str, text: &str) -> Vec<Change> {
    vec![Change {
        path: Arc::from(path),
        text: Some(Arc::from(text)),
        source_set: set_of(path),
    }]
}

/// Everything that the program says, by names.
fn dump(program: &Program) -> String {
    let mut out = String::new();
    for &file in program.files() {
        writeln!(out, "# {}", program.path(file).unwrap()).unwrap();
        for u in program.occurrences(file) {
            writeln!(
                out,
                "{} {:?} {} {:?} {}",
                u.offset, u.kind, u.name, u.target, u.unknown
            )
            .unwrap();
        }
        for &ty in program.types_of_file(file) {
            let supers = program.supertype_names(ty);
            let subs: Vec<_> = program
                .subtypes(ty)
                .iter()
                .map(|&t| program.type_name(t))
                .collect();
            writeln!(
                out,
                "type {} < {supers:?} > {subs:?}",
                program.type_name(ty)
            )
            .unwrap();
            for &m in program.methods_of_type(ty) {
                let names = |list: &[MethodId]| {
                    list.iter()
                        .map(|&m| program.method_name(m))
                        .collect::<Vec<_>>()
                };
                let (over, above) = (program.overriders(m), program.super_methods(m));
                writeln!(
                    out,
                    "method {} {:?} {:?}",
                    program.method_name(m),
                    names(&over),
                    names(&above)
                )
                .unwrap();
            }
        }
        for &body in program.bodies_of_file(file) {
            let (decl, resolved) = (program.body(body).unwrap(), program.resolved(body).unwrap());
            write!(
                out,
                "body {} at {}",
                program.body_name(body).unwrap(),
                decl.start
            )
            .unwrap();
            for &ty in resolved.types.iter().chain(&resolved.locals) {
                write!(out, " {}", program.display_type(ty)).unwrap();
            }
            for &(def, field) in &resolved.own_fields {
                write!(out, " {}={}", def.0, program.field_name(field)).unwrap();
            }
            for &(e, name) in &resolved.names {
                let name = match name {
                    NameTarget::Type(Some(t)) => program.type_name(t).to_string(),
                    NameTarget::Field(f) => program.field_name(f),
                    NameTarget::Captured { body, local } => {
                        format!("{} {}", program.body_name(body).unwrap(), local.0)
                    }
                    other => format!("{other:?}"),
                };
                write!(out, " {}:{name}", e.0).unwrap();
            }
            writeln!(out, " {:?}", resolved.counts).unwrap();
        }
    }
    out
}

const TWO: [(&str, &str); 2] = [
    (
        "A.java",
        "package p;
public class A {
    int size;
    public int length() { return size; }
    public A next(int i) { return new A(); }
    void other() { next(1).length(); }
}
",
    ),
    (
        "B.java",
        "package p;
class B extends A {
    static int count = 1;
    int twice(A a) { return a.length() * 2; }
    String text(A a) { return \"\" + a.size; }
    A chain(A a) { return a.next(1).next(2); }
    Runnable later(int n) { return () -> twice(chain(this)); }
}
",
    ),
];

/// The bodies that an edit resolves again, by name, with counters that say the same.
fn resolved_again(edits: &[(&str, &str, &str)]) -> Vec<String> {
    let before = build(&TWO);
    let mut changes = Vec::new();
    for (path, from, to) in edits {
        let text = TWO.iter().find(|f| f.0 == *path).unwrap().1;
        assert!(text.contains(from), "{from}");
        changes.extend(change(path, &text.replace(from, to)));
    }
    let after = before.with_changes(changes.clone());
    let (a, b) = (before.counters(), after.counters());
    assert_eq!(b.summarised - a.summarised, edits.len() as u64);
    let mut out: Vec<String> = Vec::new();
    for body in after.bodies() {
        let same = before
            .resolved(body)
            .is_some_and(|r| Arc::ptr_eq(r, after.resolved(body).unwrap()));
        if !same {
            out.push(after.body_name(body).unwrap());
        }
    }
    assert_eq!(b.bodies_resolved - a.bodies_resolved, out.len() as u64);
    let files: Vec<(&str, &str)> = TWO
        .iter()
        .map(|&(path, text)| {
            let new = changes
                .iter()
                .find(|c| &*c.path == path)
                .and_then(|c| c.text.as_deref());
            (path, new.unwrap_or(text))
        })
        .collect();
    assert_eq!(dump(&after), dump(&build(&files)));
    out
}

#[test]
fn a_body_edit_computes_that_body_only() {
    assert_eq!(
        resolved_again(&[("B.java", "* 2", "* size")]),
        ["p.B#twice(p.A)"]
    );
    let before = build(&TWO);
    let after = before.with_changes(change("B.java", &TWO[1].1.replace("* 2", "* 3")));
    assert_eq!(
        before.counters().headers_resolved,
        after.counters().headers_resolved
    );
    let names: Vec<_> = after
        .changed_bodies()
        .iter()
        .map(|&b| after.body_name(b).unwrap())
        .collect();
    assert_eq!(names, ["p.B#twice(p.A)"]);
    let kept = |name: &str| {
        let m = before.find_method(MAIN, name).unwrap();
        let of = |p: &Program| p.body(p.method_body(m).unwrap()).unwrap().body.clone();
        Arc::ptr_eq(&of(&before), &of(&after))
    };
    assert!(kept("p.B#chain(p.A)"));
    assert!(!kept("p.B#twice(p.A)"));
}

#[test]
fn a_line_above_computes_nothing() {
    assert_eq!(
        resolved_again(&[("B.java", "package p;", "// hello\n\npackage p;")]),
        [""; 0]
    );
    assert_eq!(
        resolved_again(&[("A.java", "    void other", "\n    void other")]),
        [""; 0]
    );
    let before = build(&TWO);
    let after = before.with_changes(change("B.java", &format!("// x\n{}", TWO[1].1)));
    let body = after.bodies_of_file(after.file("B.java").unwrap())[0];
    assert_eq!(
        after.body(body).unwrap().start,
        before.body(body).unwrap().start + 5
    );
}

#[test]
fn a_declaration_edit_reaches_who_looked_up_its_name() {
    assert_eq!(
        resolved_again(&[("A.java", "public int length()", "public long length()")]),
        ["p.A#length()", "p.A#other()", "p.B#twice(p.A)"]
    );
    assert_eq!(
        resolved_again(&[("A.java", "int size;", "long size;")]),
        ["p.A#length()", "p.B#text(p.A)"]
    );
    // A new name that nobody uses.
    assert_eq!(
        resolved_again(&[("A.java", "int size;", "int size; int unheard;")]),
        [""; 0]
    );
    // A more specific overload further down.
    assert_eq!(
        resolved_again(&[(
            "B.java",
            "static int count",
            "A next(int... i) { return null; } static int count"
        )]),
        ["p.A#other()", "p.B#next(int[])", "p.B#chain(p.A)"]
    );
}

#[test]
fn a_name_that_was_not_found_is_looked_up_again() {
    let user = (
        "U.java",
        "package p; class U { int f() { return Missing.value() + missing(); } int g() { return 1; } }",
    );
    let before = build(&[user]);
    let after = before.with_changes(change(
        "Missing.java",
        "package p; class Missing { static int value() { return 1; } }",
    ));
    assert_eq!(
        after.counters().bodies_resolved - before.counters().bodies_resolved,
        2
    );
    let uses = after.occurrences(after.file("U.java").unwrap());
    assert_eq!(uses[0].target.as_deref(), Some("p.Missing#value()"));
}

#[test]
fn a_changed_supertype_reaches_users_that_never_name_the_type() {
    let files = [
        ("Base.java", "class Base { int inherited() { return 1; } }"),
        ("Mid.java", "class Mid { }"),
        ("Low.java", "class Low extends Mid { }"),
        (
            "Make.java",
            "class Make { Low make() { return null; } void take(Base b) {} void take(Object o) {} }",
        ),
        (
            "User.java",
            "class User { void f(Make m) { m.take(m.make()); } void g(Make m) { m.make().inherited(); } void h() { g(null); } }",
        ),
    ];
    let before = build(&files);
    let target = |p: &Program| -> Vec<Option<String>> {
        p.occurrences(p.file("User.java").unwrap())
            .into_iter()
            .map(|u| u.target)
            .collect()
    };
    assert!(target(&before).contains(&Some("Make#take(java.lang.Object)".into())));
    let after = before.with_changes(change("Mid.java", "class Mid extends Base { }"));
    assert!(target(&after).contains(&Some("Make#take(Base)".into())));
    assert!(target(&after).contains(&Some("Base#inherited()".into())));
    // `h` and `inherited` have nothing to do with it.
    assert_eq!(
        after.counters().bodies_resolved - before.counters().bodies_resolved,
        2
    );
}

#[test]
fn captured_variables_follow_the_body_that_declares_them() {
    let text = "class A { int n; long m; void f() { var x = n; new Object() { void g() { take(x); } }; } void take(int i) {} void take(long l) {} }";
    let before = build(&[("A.java", text)]);
    let after = before.with_changes(change("A.java", &text.replace("var x = n", "var x = m")));
    let uses = after.occurrences(after.file("A.java").unwrap());
    assert!(
        uses.iter()
            .any(|u| u.target.as_deref() == Some("A#take(long)")),
        "{uses:?}"
    );
    let files = [("A.java", &*text.replace("var x = n", "var x = m"))];
    assert_eq!(dump(&after), dump(&build(&files)));
    // The type of a field, in another file, that gives the variable its type.
    let field = ("F.java", "class F { int n; }");
    let text = "class A { void f(F f) { var x = f.n; new Object() { void g() { take(x); } }; } void take(int i) {} void take(long l) {} }";
    let before = build(&[field, ("A.java", text)]);
    let after = before.with_changes(change("F.java", "class F { long n; }"));
    assert_eq!(
        dump(&after),
        dump(&build(&[
            ("F.java", "class F { long n; }"),
            ("A.java", text)
        ]))
    );
    assert!(dump(&after).contains("A#take(long)\""));
}

#[test]
fn source_sets_see_their_own_types_first() {
    let files = [
        ("main/T.java", "package p; class T { void m() {} }"),
        (
            "test/T.java",
            "package p; class T { void m() {} void n() {} }",
        ),
        (
            "test/U.java",
            "package p; class U { void f(T t) { t.n(); } }",
        ),
        (
            "main/V.java",
            "package p; class V { void f(T t) { t.n(); t.m(); } }",
        ),
    ];
    let program = build(&files);
    let of = |path: &str| -> Vec<Option<String>> {
        program
            .occurrences(program.file(path).unwrap())
            .into_iter()
            .map(|u| u.target)
            .collect()
    };
    assert_eq!(of("test/U.java"), [Some("p.T#n()".into())]);
    assert_eq!(of("main/V.java"), [None, Some("p.T#m()".into())]);
}

/// Small files that depend on each other in many ways; each has variants.
const FILES: [(&str, &[&str]); 6] = [
    (
        "A.java",
        &[
            "package p;\nimport q.*;\npublic class A<T> implements I<T> {\n  protected T value; static int N = 1;\n  public A(T t) { value = t; }\n  public T get() { return value; }\n  void over(Object o) {}\n  void over(String s) { over((Object) s); }\n  class In { T t() { return get(); } }\n  static class Deep extends A<String> { Deep() { super(\"\"); } void d() { over(get()); value.length(); } }\n}\n",
            "package p;\npublic class A<T> {\n  protected T value; static long N = 1;\n  public A() { }\n  public T get() { return value; }\n  static class Deep extends A<Integer> { class C extends Deep {} }\n}\n",
        ],
    ),
    (
        "B.java",
        &[
            "package p;\nimport static p.A.*;\nclass B extends A<String> {\n  B() { super(\"x\"); }\n  int use() { over(get()); over(N); return get().length(); }\n  Object anon() { var v = get(); return new A<String>(v) { void q() { over(v); use(); } void over(Object o) { super.over(o); } }; }\n  void loc() { class L extends A.Deep { void z() { over(value); } } new L().z(); new L().d(); }\n}\n",
            "package p;\nclass B extends C {\n  void loc() { I<String> i = s -> over(s); i.f(\"\"); run(B::new); run(() -> null); }\n  static void run(I<B> i) {} void over(Object o) { N++; }\n}\n",
        ],
    ),
    (
        "C.java",
        &[
            "package p;\nclass C extends B { int use() { return super.use() + N; } static void main(C c) { for (var x : c.all()) x.use(); c.all().forEach(y -> y.use()); } java.util.List<C> all() { return null; } }\n",
            "package p;\nclass C { int N; enum E { X { void e() { g(); } }, Y; void e() {} void g() { switch (this) { case X: Y.e(); } } } }\n",
        ],
    ),
    (
        "q/I.java",
        &[
            "package q;\npublic interface I<T> { default void over(T t) {} T get(); }\n",
            "package q;\npublic interface I<T> { T f(T t); interface In {} }\n",
        ],
    ),
    (
        "p/I.java",
        &[
            "package p;\ninterface I<T> { void f(T t); }\n",
            "package p;\ninterface I<T> { T f(); default void f(T t) {} }\n",
        ],
    ),
    (
        "test/T.java",
        &[
            "package p;\nclass T { void t(B b, C c) { b.use(); c.loc(); new B(); new A<>(c).get().use(); record R(A<B> a, int n) { int s() { return a().get().use() + n; } } new R(null, 1).s(); } }\n",
            "package p;\nclass B { void use(long l) {} B(String... s) {} }\n",
        ],
    ),
];

/// One edit: which file, what, where.
#[derive(Clone, Debug)]
enum Edit {
    /// Another variant, or none.
    Replace(usize, Option<usize>),
    /// Takes a piece out.
    Cut(usize, usize, usize),
    /// Puts a snippet in.
    Insert(usize, usize, usize),
    /// Puts one word in the place of another.
    Word(usize, usize, usize),
}

const SNIPPETS: [&str; 16] = [
    " ",
    "\n",
    "}",
    "{",
    "(",
    ";",
    "int x;",
    "void n() { get(); }",
    "extends A<B>",
    "static ",
    "import q.I;\n",
    "class X { }",
    "new A<B>(null) { void over(Object o) { get(); } };",
    "/*",
    "over(null);",
    "<T>",
];
const WORDS: [&str; 14] = [
    "A", "B", "C", "I", "get", "over", "use", "value", "N", "T", "String", "int", "f", "static",
];

fn edits() -> impl Strategy<Value = Vec<Vec<Edit>>> {
    let edit = prop_oneof![
        2 => (0..FILES.len(), proptest::option::weighted(0.8, 0..2usize)).prop_map(|(f, v)| Edit::Replace(f, v)),
        2 => (0..FILES.len(), 0..1000usize, 1..20usize).prop_map(|(f, at, n)| Edit::Cut(f, at, n)),
        3 => (0..FILES.len(), 0..1000usize, 0..SNIPPETS.len()).prop_map(|(f, at, s)| Edit::Insert(f, at, s)),
        4 => (0..FILES.len(), 0..1000usize, 0..WORDS.len()).prop_map(|(f, at, s)| Edit::Word(f, at, s)),
    ];
    proptest::collection::vec(proptest::collection::vec(edit, 1..3), 1..7)
}

fn apply(text: &str, edit: &Edit) -> String {
    match *edit {
        Edit::Cut(_, at, n) => {
            let at = at % (text.len() + 1);
            let end = (at + n).min(text.len());
            format!("{}{}", &text[..at], &text[end..])
        }
        Edit::Insert(_, at, snippet) => {
            let at = at % (text.len() + 1);
            format!("{}{}{}", &text[..at], SNIPPETS[snippet], &text[at..])
        }
        Edit::Word(_, at, word) => {
            let is_word = |c: char| c.is_alphanumeric();
            let starts: Vec<usize> = text
                .char_indices()
                .filter(|&(i, c)| is_word(c) && !text[..i].ends_with(is_word))
                .map(|c| c.0)
                .collect();
            if starts.is_empty() {
                return text.to_owned();
            }
            let start = starts[at % starts.len()];
            let end = text[start..]
                .find(|c| !is_word(c))
                .map_or(text.len(), |e| start + e);
            format!("{}{}{}", &text[..start], WORDS[word], &text[end..])
        }
        Edit::Replace(..) => text.to_owned(),
    }
}

/// How many random cases: `TELLTALE_CASES`, or few.
fn cases() -> u32 {
    let set = std::env::var("TELLTALE_CASES").ok();
    set.and_then(|n| n.parse().ok()).unwrap_or(96)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    /// After any edits, broken states included, every answer is that of a program built from the same texts.
    #[test]
    fn incremental_equals_from_scratch(edits in edits()) {
        let mut texts: Vec<Option<String>> = FILES.iter().map(|f| Some(f.1[0].to_owned())).collect();
        let listed = |texts: &[Option<String>]| -> Vec<(&'static str, String)> {
            FILES.iter().zip(texts).filter_map(|(f, t)| Some((f.0, t.clone()?))).collect()
        };
        let fresh = |texts: &[Option<String>]| {
            let files = listed(texts);
            build(&files.iter().map(|(p, t)| (*p, t.as_str())).collect::<Vec<_>>())
        };
        let mut program = fresh(&texts);
        for step in &edits {
            let mut changes = Vec::new();
            for edit in step {
                let (Edit::Replace(file, _) | Edit::Cut(file, ..) | Edit::Insert(file, ..) | Edit::Word(file, ..)) = *edit;
                texts[file] = match edit {
                    Edit::Replace(_, variant) => variant.map(|v| FILES[file].1[v % FILES[file].1.len()].to_owned()),
                    _ => texts[file].as_ref().map(|t| apply(t, edit)),
                };
                changes.push(Change {
                    path: Arc::from(FILES[file].0),
                    text: texts[file].as_deref().map(Arc::from),
                    source_set: set_of(FILES[file].0),
                });
            }
            program = program.with_changes(changes);
            let (incremental, fresh) = (dump(&program), dump(&fresh(&texts)));
            // The first line that differs; the whole would be pages.
            let lines = incremental.lines().zip(fresh.lines());
            let differs = lines.into_iter().find(|(a, b)| a != b);
            prop_assert!(incremental == fresh, "incremental, from scratch: {differs:#?}\n{texts:#?}");
        }
    }
}
