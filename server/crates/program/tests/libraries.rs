//! Classes that come from a class source: what their signatures say, and what is missing, broken or cyclic.
#![allow(clippy::unwrap_used)]

use program::*;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// Classes written down: `flags name signature-or-dash superclass interface,interface`, then one member a line:
/// `flags name descriptor [signature]`.
#[derive(Debug)]
struct Written(BTreeMap<String, Arc<ClassRecord>>);

fn written(text: &str) -> Arc<Written> {
    let mut out = BTreeMap::new();
    for block in text.split("class ").skip(1) {
        let mut lines = block.lines().map(str::trim).filter(|l| !l.is_empty());
        let head: Vec<&str> = lines.next().unwrap().split(' ').collect();
        let member = |line: &str| {
            let parts: Vec<&str> = line.split(' ').collect();
            MemberRecord {
                access: u16::from_str_radix(parts[0], 16).unwrap(),
                name: parts[1].into(),
                descriptor: parts[2].into(),
                signature: parts.get(3).map(|s| (*s).into()),
                is_deprecated: false,
            }
        };
        let members: Vec<MemberRecord> = lines.map(member).collect();
        let (methods, fields) = members
            .into_iter()
            .partition(|m| m.descriptor.starts_with('('));
        let (methods, fields): (Vec<_>, Vec<_>) = (methods, fields);
        let record = ClassRecord {
            access: u16::from_str_radix(head[0], 16).unwrap(),
            name: head[1].into(),
            signature: (head[2] != "-").then(|| head[2].into()),
            superclass: (head[3] != "-").then(|| head[3].into()),
            interfaces: head[4..]
                .iter()
                .flat_map(|i| i.split(','))
                .map(Into::into)
                .collect(),
            fields: fields.into(),
            methods: methods.into(),
            ..ClassRecord::default()
        };
        out.insert(head[1].to_owned(), record);
    }
    let names: Vec<String> = out.keys().cloned().collect();
    for (name, record) in &mut out {
        let inner = names.iter().filter(|n| {
            let rest = n
                .strip_prefix(name.as_str())
                .and_then(|r| r.strip_prefix('$'));
            rest.is_some_and(|r| !r.contains('$'))
        });
        record.members = inner.map(|n| n.as_str().into()).collect();
    }
    Arc::new(Written(
        out.into_iter().map(|(k, v)| (k, Arc::new(v))).collect(),
    ))
}

impl ClassSource for Written {
    fn class(&self, name: &str) -> Option<Arc<ClassRecord>> {
        self.0.get(name).cloned()
    }
    fn has_class(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
    fn has_package(&self, package: &str) -> bool {
        self.0
            .keys()
            .any(|k| k.rsplit_once('.').is_some_and(|p| p.0 == package))
    }
    fn classes_of(&self, package: &str) -> Vec<String> {
        let in_package = |k: &&String| k.rsplit_once('.').is_some_and(|p| p.0 == package);
        self.0.keys().filter(in_package).cloned().collect()
    }
    fn packages_of_module(&self, module: &str) -> Vec<String> {
        if module == "m" {
            vec!["q".to_owned()]
        } else {
            Vec::new()
        }
    }
}

fn program(classes: &str, source: &str) -> Program {
    Program::build_with(ProgramInput {
        source_sets: vec![SourceSetInput::default()],
        files: vec![FileInput {
            path: "A.java".into(),
            source_set: SourceSetId(0),
            text: source.into(),
        }],
        queries: None,
        generated: Default::default(),
        classes: Some(written(classes)),
    })
}

fn uses(program: &Program) -> String {
    let mut out = String::new();
    for &file in program.files() {
        for u in program.occurrences(file) {
            let target = u
                .target
                .as_deref()
                .unwrap_or(if u.unknown { "?" } else { "-" });
            writeln!(out, "{} -> {target}", u.name).unwrap();
        }
    }
    out
}

/// As much of a JDK as the tests need.
const JDK: &str = "
class 1 java.lang.Object - -
  1 <init> ()V
  1 equals (Ljava/lang/Object;)Z
  1 hashCode ()I
  1 toString ()Ljava/lang/String;
  111 getClass ()Ljava/lang/Class; ()Ljava/lang/Class<*>;
class 11 java.lang.String - java.lang.Object
  1 length ()I
class 11 java.lang.Class <T:Ljava/lang/Object;>Ljava/lang/Object; java.lang.Object
class 601 java.lang.Iterable <T:Ljava/lang/Object;>Ljava/lang/Object; java.lang.Object
class 401 java.lang.Enum <E:Ljava/lang/Enum<TE;>;>Ljava/lang/Object; java.lang.Object
class 601 java.util.function.Function <T:Ljava/lang/Object;R:Ljava/lang/Object;>Ljava/lang/Object; java.lang.Object
  401 apply (Ljava/lang/Object;)Ljava/lang/Object; (TT;)TR;
class 601 java.util.function.Supplier <T:Ljava/lang/Object;>Ljava/lang/Object; java.lang.Object
  401 get ()Ljava/lang/Object; ()TT;
";

fn check(classes: &str, source: &str, expected: &[&str]) {
    let program = program(&format!("{JDK}{classes}"), source);
    let found = uses(&program);
    let expected: String = expected.iter().map(|l| format!("{l}\n")).collect();
    assert_eq!(found, expected);
}

#[test]
fn signatures_give_types() {
    check(
        "
class 1 q.Box <T:Ljava/lang/Object;U::Ljava/lang/Iterable<TT;>;>Ljava/lang/Object; java.lang.Object
  1 <init> (Ljava/lang/Object;)V (TT;)V
  1 value Ljava/lang/Object; TT;
  1 map (Ljava/util/function/Function;)Lq/Box; <R:Ljava/lang/Object;>(Ljava/util/function/Function<-TT;+TR;>;)Lq/Box<TR;*>;
  89 all ([Ljava/lang/Object;)Lq/Box; <E:Ljava/lang/Object;>([TE;)Lq/Box<TE;*>;
  2 hidden ()V
  1 inner ()Lq/Box$Inner; ()Lq/Box<TT;TU;>.Inner;
class 1 q.Box$Inner Ljava/lang/Object; java.lang.Object
  1 <init> (Lq/Box;)V
  1 plain ()Ljava/lang/String;
",
        "import q.*;
class A {
    void m(Box<String, ?> b, Box<String, ?>.Inner i) {
        b.value.length();
        b.map(s -> s.length()).value.hashCode();
        Box.all(\"a\", \"b\").value.length();
        b.hidden();
        b.inner().plain().length();
        i.plain();
        b.new Inner();
        new Box<>(\"a\").value.length();
    }
}",
        &[
            "value -> q.Box#value",
            "length -> java.lang.String#length()",
            "map -> q.Box#map(java.util.function.Function)",
            "length -> java.lang.String#length()",
            "value -> q.Box#value",
            "hashCode -> java.lang.Object#hashCode()",
            "all -> q.Box#all(java.lang.Object[])",
            "value -> q.Box#value",
            "length -> java.lang.String#length()",
            "hidden -> -",
            "inner -> q.Box#inner()",
            "plain -> q.Box$Inner#plain()",
            "length -> java.lang.String#length()",
            "plain -> q.Box$Inner#plain()",
            "Inner -> q.Box$Inner#<init>()",
            "Box -> q.Box#<init>(java.lang.Object)",
            "value -> q.Box#value",
            "length -> java.lang.String#length()",
        ],
    );
}

#[test]
fn packages_access_and_modules() {
    check(
        "
class 1 q.Shown - java.lang.Object
  4 near ()V
  0 own ()V
  9 of ()Lq/Shown;
class 0 q.Own - java.lang.Object
",
        "import module m;
class A extends Shown { void m(Shown s) { near(); s.own(); Shown.of(); Own o = null; o.toString(); } }",
        &["near -> q.Shown#near()", "own -> -", "of -> q.Shown#of()", "toString -> ?"],
    );
}

#[test]
fn what_is_missing_broken_or_cyclic_ends() {
    // A supertype that is not there, a circle of supertypes and of bounds, and signatures cut short everywhere.
    check(
        "
class 1 q.Gap - q.Missing
  1 known ()V
class 1 q.C1 - q.C2
class 1 q.C2 - q.C1
  1 up ()V
class 1 q.Bound <A:TB;B:TA;>Ljava/lang/Object; java.lang.Object
  1 a ()Ljava/lang/Object; ()TA;
",
        "import q.*;
class A { void m(Gap g, C1 c, Bound<?, ?> b, Bound raw) { g.known(); g.other(); c.up(); c.no(); b.a(); raw.a().hashCode(); } }",
        &[
            "known -> q.Gap#known()",
            "other -> -",
            "up -> q.C2#up()",
            "no -> -",
            "a -> q.Bound#a()",
            "a -> q.Bound#a()",
            "hashCode -> java.lang.Object#hashCode()",
        ],
    );
    let signature =
        "<T:Ljava/lang/Object;U::Ljava/lang/Iterable<-[TT;>;>(TT;[[Lq/X<*+TU;>.Y<TT;>;)Lq/X<TZ;>;";
    for end in 0..=signature.len() {
        let cut = &signature[..end];
        let class = format!(
            "class 1 q.X {} java.lang.Object\n  1 m (Ljava/lang/Object;)V {}\n",
            if cut.is_empty() { "-" } else { cut },
            if cut.is_empty() { "x" } else { cut },
        );
        let program = program(
            &format!("{JDK}{class}"),
            "class A { void m(q.X x) { x.m(null); x.m(null, null); } }",
        );
        uses(&program);
    }
    let deep = format!(
        "class 1 q.X - java.lang.Object\n  1 f Lq/X; {}TT;{}\n",
        "Lq/X<".repeat(5000),
        ">;".repeat(5000)
    );
    uses(&program(
        &format!("{JDK}{deep}"),
        "class A { Object m(q.X x) { return x.f; } }",
    ));
}

#[test]
fn without_a_jdk_the_table_stands_in() {
    let jar = "class 1 q.Lib - java.lang.Object\n  1 list ()Ljava/util/List; ()Ljava/util/List<Ljava/lang/String;>;\n";
    let program = program(
        jar,
        "class A { void m(q.Lib l) { l.list().get(0).length(); } }",
    );
    assert_eq!(
        uses(&program),
        "list -> q.Lib#list()\nget -> java.util.List#get(java.lang.Object)\nlength -> java.lang.String#length()\n"
            .replace("get(java.lang.Object)", "get(int)")
    );
}

#[test]
fn classes_are_kept_over_changes() {
    let program = program(JDK, "class A { int m(String s) { return 1; } }");
    let change = Change {
        path: "A.java".into(),
        text: Some("class A { int m(String s) { return s.length(); } }".into()),
        source_set: SourceSetId(0),
    };
    let after = program.with_changes(vec![change]);
    assert_eq!(uses(&after), "length -> java.lang.String#length()\n");
}

/// Each lambda is read once, so calls in each other cost as many reads as there are lambdas and not two to the power of
/// their depth.
#[test]
fn nested_calls_with_lambdas_are_not_exponential() {
    let classes = "
class 1 q.F - java.lang.Object
  9 of (Ljava/util/function/Supplier;)Ljava/lang/Object; <T:Ljava/lang/Object;>(Ljava/util/function/Supplier<+TT;>;)TT;
  9 of (Ljava/util/function/Function;)Ljava/lang/Object; <A:Ljava/lang/Object;T:Ljava/lang/Object;>(Ljava/util/function/Function<-TA;+TT;>;)TT;
";
    for (open, target) in [("q.F.of(() -> ", "Supplier"), ("q.F.of(x -> ", "Function")] {
        for depth in [12, 300] {
            let nested = open.repeat(depth) + "\"a\"" + &")".repeat(depth);
            let source = format!("class A {{ Object m() {{ return {nested}; }} }}");
            let program = program(&format!("{JDK}{classes}"), &source);
            let expected = format!("of -> q.F#of(java.util.function.{target})\n").repeat(depth);
            assert_eq!(uses(&program), expected, "{depth} × {open}");
        }
    }
}

/// The library's classes of the file's own package are in scope in it before those of `import x.*` and `java.lang`
/// (JLS 6.4.1), public or not; the workspace's own come before them, also when they are added later.
#[test]
fn a_package_of_both_a_library_and_the_workspace() {
    let classes = format!(
        "{JDK}
class 0 p.Own - java.lang.Object
  0 near ()V
class 1 p.String - java.lang.Object
  1 mine ()V
class 1 q.Own - java.lang.Object
  1 far ()V
"
    );
    let source =
        "package p; import q.*; class A { void m(Own o, String s) { o.near(); s.mine(); } }";
    let program = program(&classes, source);
    assert_eq!(
        uses(&program),
        "near -> p.Own#near()\nmine -> p.String#mine()\n"
    );
    let own = Change {
        path: "Own.java".into(),
        text: Some("package p; class Own { void near() {} }".into()),
        source_set: SourceSetId(0),
    };
    let target = |program: &Program| {
        let file = program.files().iter().copied();
        let mut uses = file.flat_map(|f| program.occurrences(f));
        uses.any(|u| u.name == "near" && u.in_workspace)
    };
    let after = program.with_changes(vec![own.clone()]);
    assert!(!target(&program) && target(&after));
    let gone = Change { text: None, ..own };
    assert!(!target(&after.with_changes(vec![gone])));
}

/// A type is read as if it were written out, so one that doubles with every supertype is given up in time.
#[test]
fn types_that_double_are_bounded() {
    let mut classes = String::from(
        "class 1 q.P <A:Ljava/lang/Object;B:Ljava/lang/Object;>Ljava/lang/Object; java.lang.Object\n",
    );
    let mut sources = String::new();
    for at in 0..60 {
        let next = at + 1;
        writeln!(
            classes,
            "class 1 q.C{at} <T:Ljava/lang/Object;>Lq/C{next}<Lq/P<TT;TT;>;>; q.C{next}"
        )
        .unwrap();
        writeln!(sources, "class D{at}<T> extends D{next}<q.P<T, T>> {{}}").unwrap();
    }
    classes.push_str("class 1 q.C60 <T:Ljava/lang/Object;>Ljava/lang/Object; java.lang.Object\n  1 get ()Ljava/lang/Object; ()TT;\n");
    sources.push_str("class D60<T> { T get() { return null; } }\n");
    sources.push_str(
        "class A { void m(q.C0<String> c, D0<String> d, q.C59<String> e) { c.get().hashCode(); d.get().hashCode(); e.get(); } }",
    );
    assert_eq!(
        uses(&program(&format!("{JDK}{classes}"), &sources)),
        "get -> q.C60#get()\nhashCode -> java.lang.Object#hashCode()\nget -> D60#get()\nhashCode -> java.lang.Object#hashCode()\nget -> q.C60#get()\n"
    );
}
