//! What calls and names mean, in small programs.
#![allow(clippy::unwrap_used)]

use program::*;
use std::fmt::Write;
use std::sync::Arc;

/// `//- /path` starts a file; a path with `test` belongs to a test source set that sees the main one.
fn build(text: &str) -> Program {
    let sets = SourceSetInput::code_and_tests();
    let files = text.split("//- ").skip(1).map(|part| {
        let (path, text) = part.split_once('\n').unwrap();
        let path = path.trim();
        FileInput {
            path: Arc::from(path),
            source_set: SourceSetId(path.contains("test").into()),
            text: Arc::from(text),
        }
    });
    Program::build(sets, files.collect())
}

/// `name -> target` of every use in order; `-` for a library's, `?` for unknown.
fn uses(text: &str) -> String {
    let program = build(text);
    let mut out = String::new();
    for &file in program.files() {
        for u in program.occurrences(file) {
            let target = u.target.as_deref().filter(|_| u.in_workspace);
            let target = target.unwrap_or(if u.unknown { "?" } else { "-" });
            writeln!(out, "{} -> {}", u.name, target).unwrap();
        }
    }
    out
}

fn check(text: &str, expected: &str) {
    let expected: String = expected
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .map(|l| format!("{l}\n"))
        .collect();
    assert_eq!(uses(text), expected);
}

#[test]
fn calls_fields_and_constructors() {
    check(
        "//- A.java
package p;
class A {
    int x; static A make(int i) { return new A(); }
    void f(A other) { x = other.x + make(1).g(); this.x++; B.make().h(\"s\"); }
    int g() { return x; }
}
//- B.java
package p;
class B { B(int i) {} static B make() { return new B(2); } void h(Object o) {} void h(String s) {} }
",
        "A -> p.A#<init>()
        x -> p.A#x
        x -> p.A#x
        make -> p.A#make(int)
        g -> p.A#g()
        x -> p.A#x
        make -> p.B#make()
        h -> p.B#h(java.lang.String)
        x -> p.A#x
        B -> p.B#<init>(int)",
    );
}

#[test]
fn generics_flow_through_library_and_own_types() {
    check(
        "//- A.java
import java.util.*;
import java.util.function.Function;
class A<T extends A<T>> {
    T self; String name() { return null; }
    void f(List<B> list, Map<String, B> map) {
        for (var b : list) b.only();
        val v = list.get(0);
        v.only();
        map.get(\"\").only();
        map.entrySet().stream().map(e -> e.getValue()).filter(b -> b.only() > 0).forEach(B::only);
        list.stream().map(B::only).map(i -> g(i));
        Optional.of(new B()).get().self.only();
        for (Map.Entry<String, B> e : map.entrySet()) { e.getValue().only(); take(e.getKey()); }
    }
    String g(Integer i) { return null; } String g(Object i) { return null; }
    void take(String s) {} void take(B b) {}
}
class B extends A<B> { int only() { return 0; } }
",
        "only -> B#only()
        get -> -
        only -> B#only()
        get -> -
        only -> B#only()
        entrySet -> -
        stream -> -
        map -> -
        getValue -> -
        filter -> -
        only -> B#only()
        forEach -> -
        only -> B#only()
        stream -> -
        map -> -
        only -> B#only()
        map -> -
        g -> A#g(java.lang.Integer)
        of -> -
        B -> B#<init>()
        get -> -
        self -> A#self
        only -> B#only()
        entrySet -> -
        getValue -> -
        only -> B#only()
        take -> A#take(java.lang.String)
        getKey -> -",
    );
}

#[test]
fn overloads_by_phase() {
    check(
        "//- A.java
class A {
    void f(int i) {} void f(long l) {} void f(Object o) {} void f(Integer... o) {}
    void g(double d) {} void g(Object o) {}
    void h(String s) {} void h(String s, Object... o) {}
    void t() { byte b = 1; f(b); f(1L); f(Integer.valueOf(3)); f(1, 2); g('c'); g(\"\"); h(\"\"); h(\"\", 1); f(unknown()); }
}
",
        "f -> A#f(int)
        f -> A#f(long)
        f -> A#f(java.lang.Object)
        valueOf -> -
        f -> A#f(java.lang.Integer[])
        g -> A#g(double)
        g -> A#g(java.lang.Object)
        h -> A#h(java.lang.String)
        h -> A#h(java.lang.String,java.lang.Object[])
        f -> ?
        unknown -> ?",
    );
}

#[test]
fn anonymous_local_and_captured() {
    let text = "//- A.java
class A {
    Runnable r = new Runnable() { public void run() { a(); } };
    void a() {
        A captured = this; int n = 1;
        class L { void m() { captured.a(); new L().m(); } }
        new L().m();
        new Object() { void z() { captured.b(n); inner(); } void inner() {} };
    }
    void b(int i) { class L {} new L(); }
}
";
    check(
        text,
        "Runnable -> -
        a -> A#a()
        a -> A#a()
        L -> A$1L#<init>()
        m -> A$1L#m()
        L -> A$1L#<init>()
        m -> A$1L#m()
        Object -> -
        b -> A#b(int)
        inner -> A$2#inner()
        L -> A$2L#<init>()",
    );
    let program = build(text);
    let z = program.find_method(SourceSetId(0), "A$2#z()").unwrap();
    let resolved = program.resolved(program.method_body(z).unwrap()).unwrap();
    assert!(
        resolved
            .names
            .iter()
            .all(|n| matches!(n.1, NameTarget::Captured { .. })),
        "{:?}",
        resolved.names
    );
}

#[test]
fn enums_records_and_switch_labels() {
    check(
        "//- E.java
enum E { A(1) { int v() { return f; } }, B(2); final int f = 1; E(int i) {} int v() { return 0; }
  static int of(E e) { switch (e) { case A: return A.v(); default: return values()[0].v() + valueOf(\"\").ordinal(); } } }
record R(int a, String... rest) { R { if (a < 0) throw new IllegalArgumentException(); } int twice() { return a() + a + rest().length; } }
",
        "E -> E#<init>(int)
        f -> E#f
        E -> E#<init>(int)
        A -> E#A
        A -> E#A
        v -> E#v()
        values -> E#values()
        v -> E#v()
        valueOf -> E#valueOf(java.lang.String)
        ordinal -> -
        IllegalArgumentException -> -
        a -> R#a()
        a -> R#a
        rest -> R#rest()",
    );
}

#[test]
fn inherited_static_and_imported() {
    check(
        "//- p/A.java
package p;
public class A { public static int N = 1; public static void s(int i) {} protected void m() {} private void hidden() {} static class In {} public interface I { int C = 2; default void d() {} } }
//- q/B.java
package q;
import static p.A.s;
import static p.A.*;
import p.A;
import org.lib.Unknown;
class B extends A implements A.I { void t() { s(N); m(); hidden(); d(); int c = C; Outer.super.toString(); }
  class X extends Unknown { void u() { m(); foreign(); String q = field; } } }
//- test/BTest.java
package q;
class BTest { void t() { new B().t(); } }
",
        "s -> p.A#s(int)
        N -> p.A#N
        m -> p.A#m()
        hidden -> ?
        d -> p.A$I#d()
        C -> p.A$I#C
        Outer -> ?
        toString -> ?
        m -> p.A#m()
        foreign -> -
        field -> -
        B -> q.B#<init>()
        t -> q.B#t()",
    );
}

#[test]
fn hierarchy_of_a_generic_interface() {
    let program = build(
        "//- A.java
interface I<T> { void f(T t); default int d() { return 0; } }
abstract class A implements I<String> { public void f(String s) {} }
class B extends A { public int d() { return 1; } public void f(Object o) {} }
class C implements I<Integer> { public void f(Integer i) {} }
",
    );
    let names = |m: &str| -> Vec<String> {
        let m = program.find_method(SourceSetId(0), m).unwrap();
        program
            .overriders(m)
            .iter()
            .map(|&m| program.method_name(m))
            .collect()
    };
    assert_eq!(
        names("I#f(java.lang.Object)"),
        [
            "A#f(java.lang.String)",
            "B#f(java.lang.Object)",
            "C#f(java.lang.Integer)"
        ]
    );
    assert_eq!(names("I#d()"), ["I#d()", "B#d()"]);
    let own = program
        .find_method(SourceSetId(0), "A#f(java.lang.String)")
        .unwrap();
    let supers: Vec<String> = program
        .super_methods(own)
        .iter()
        .map(|&m| program.method_name(m))
        .collect();
    assert_eq!(supers, ["I#f(java.lang.Object)"]);
}

#[test]
fn cyclic_and_broken_declarations_end() {
    uses(
        "//- A.java\nclass A extends B {} class B extends A { void f() { f(); g(); this.x = x; } } interface I extends I {} class C<T extends T> { T t; void f() { t.f(); } } class D extends D.E { class E {} }\n",
    );
    uses(
        "//- A.java\nclass A { void f( { } int x = ; class { } void ( ) { x. } enum E { A, A, ; E() } record R( {} }\n",
    );
}

#[test]
fn deep_code_does_not_overflow() {
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(|| {
            let sum = vec!["x"; 5000].join(" + ");
            let parens = format!("{}x{}", "(".repeat(4000), ")".repeat(4000));
            let blocks = format!("{}x();{}", "{".repeat(4000), "}".repeat(4000));
            let lambdas = format!("{}1", "a -> ".repeat(3000));
            let chain = ".m()".repeat(5000);
            let classes = format!("{}{}", "class A { ".repeat(1500), "}".repeat(1500));
            let anonymous = format!("{}{}", "new A() { void f() { ".repeat(500), "}}".repeat(500));
            let array = format!("int{} z;", "[]".repeat(5000));
            uses(&format!("//- A.java\nclass A {{ int x = {sum}; int y = {parens}; void x() {blocks} Object l = {lambdas}; Object c = x{chain}; Object n = {anonymous}; {array} }}\n"));
            uses(&format!("//- A.java\n{classes}\n"));
        })
        .unwrap()
        .join()
        .unwrap();
}

/// `//- SET /path` starts a file of the source set of that number; each row of `sees` is a source set.
fn build_sets(visible: &[&[u32]], text: &str) -> Program {
    let sets = visible.iter().map(|own| SourceSetInput {
        is_test: false,
        visible: own.iter().map(|&s| SourceSetId(s)).collect(),
    });
    let files = text.split("//- ").skip(1).map(|part| {
        let (head, text) = part.split_once('\n').unwrap();
        let (set, path) = head.trim().split_once(' ').unwrap();
        FileInput {
            path: Arc::from(path),
            source_set: SourceSetId(set.parse().unwrap()),
            text: Arc::from(text),
        }
    });
    Program::build(sets.collect(), files.collect())
}

/// The files of the targets of all calls in a file.
fn target_files(program: &Program, path: &str) -> Vec<String> {
    let file = program.file(path).unwrap();
    let mut out = Vec::new();
    for &body in program.bodies_of_file(file) {
        for call in &program.resolved(body).unwrap().calls {
            out.push(match call {
                CallTarget::Workspace(m) => {
                    let file = program.method_file(*m).unwrap();
                    program.path(file).unwrap().to_string()
                }
                CallTarget::Library => "-".to_owned(),
                CallTarget::Unknown => "?".to_owned(),
            });
        }
    }
    out
}

#[test]
fn a_type_is_a_source_set_and_a_name() {
    // Two modules with a main and a test source set each; the second module sees the first.
    let program = build_sets(
        &[&[], &[0], &[0], &[2, 0]],
        "//- 0 /a/main/T.java
package p; public class T { public void m() { } void mine() { } }
//- 1 /a/test/T.java
package p; public class T { public void m() { } }
//- 1 /a/test/U.java
package p; class U { void u(T t, Only o) { t.m(); } }
//- 2 /b/main/Only.java
package p; class Only extends T { public void m() { super.m(); mine(); } }
//- 2 /b/main/V.java
package p; class V { void v(T t, Only o) { t.m(); o.m(); } }
//- 3 /b/test/T.java
package p; public class T { public void m() { } }
//- 3 /b/test/W.java
package p; class W { void w(T t, Only o, W2 w) { t.m(); o.m(); o.mine(); w.m(); } }
//- 3 /b/test/W2.java
package p; class W2 extends T { public void m() { super.m(); } }
",
    );
    assert_eq!(target_files(&program, "/a/test/U.java"), ["/a/test/T.java"]);
    assert_eq!(
        target_files(&program, "/b/main/Only.java"),
        ["/a/main/T.java", "/a/main/T.java"]
    );
    assert_eq!(
        target_files(&program, "/b/main/V.java"),
        ["/a/main/T.java", "/b/main/Only.java"]
    );
    assert_eq!(
        target_files(&program, "/b/test/W.java"),
        [
            "/b/test/T.java",
            "/b/main/Only.java",
            "/a/main/T.java",
            "/b/test/W2.java"
        ]
    );
    assert_eq!(
        target_files(&program, "/b/test/W2.java"),
        ["/b/test/T.java"]
    );
    // Who extends `p.T` of the first module does not extend those of the tests.
    let overriders = |set: u32| -> Vec<String> {
        let m = program.find_method(SourceSetId(set), "p.T#m()").unwrap();
        let file = |m: &MethodId| {
            let file = program.method_file(*m).unwrap();
            program.path(file).unwrap().to_string()
        };
        program.overriders(m).iter().map(file).collect()
    };
    assert_eq!(overriders(0), ["/a/main/T.java", "/b/main/Only.java"]);
    assert_eq!(overriders(1), ["/a/test/T.java"]);
    assert_eq!(overriders(3), ["/b/test/T.java", "/b/test/W2.java"]);
}

#[test]
fn calls_that_wait_within_calls_need_no_stack() {
    let depth = 4000;
    let text = format!(
        "//- /A.java
class A {{ static <T> java.util.List<T> id(java.util.List<T> t, java.util.function.Predicate<T> p) {{ return t; }}
static <T> java.util.List<T> none() {{ return null; }}
void m() {{ java.util.List<A> l = {}none(){}; }} }}",
        "id(".repeat(depth),
        ", x -> x.equals(null))".repeat(depth)
    );
    let run = std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(move || build(&text).counts())
        .unwrap();
    assert!(run.join().unwrap().calls > 0);
}

/// Java 25: a file without a class around its methods is a class of the file's name.
#[test]
fn a_compact_source_file_is_a_class() {
    check(
        "//- /demo/Main.java
         int count = 1;
         record Pair(int a) { int twice() { return a + count(); } static int count() { return 2; } }
         void main() { helper(new Pair(count)); }
         int helper(Pair p) { return p.twice() + count; }
        ",
        "a -> Main$Pair#a
         count -> Main$Pair#count()
         helper -> Main#helper(Main$Pair)
         Pair -> Main$Pair#<init>(int)
         count -> Main#count
         twice -> Main$Pair#twice()
         count -> Main#count",
    );
    // A brace too many makes no such class: one of the name is there, or a package is named.
    for text in [
        "//- /demo/Main.java\nclass Main { int a; } } int b() { return 1; }",
        "//- /demo/Other.java\npackage demo; class Main { int a; } } int b() { return 1; }",
    ] {
        let program = build(text);
        let types = program.types_of_file(program.files()[0]);
        assert_eq!(types.len(), 1, "{text}");
        assert!(program.type_name(types[0]).ends_with("Main"), "{text}");
    }
}

#[test]
fn what_lombok_adds_is_declared() {
    check(
        "//- A.java
import lombok.*;
import lombok.extern.slf4j.Slf4j;
@Data @Slf4j class A {
    private final int id;
    private boolean open;
    private boolean isDone;
    @Getter(AccessLevel.NONE) private String secret;
    static int count;
    void m(A a) {
        new A(1).setOpen(a.isOpen());
        a.setDone(a.isDone());
        a.getId(); a.getSecret(); a.getCount();
        a.equals(a); a.hashCode(); a.toString();
        log.info(\"x\");
    }
}
@Value @Builder(toBuilder = true) class V<T> {
    T one;
    @With int two;
    @Singular java.util.List<String> names;
    static <U> V<U> of(U u) { return V.<U>builder().one(u).two(2).name(\"a\").names(java.util.List.of()).build(); }
    void n(V<A> v) {
        v.getOne().getId();
        v.withTwo(3).toBuilder().clearNames().build().getOne().isOpen();
    }
}
@RequiredArgsConstructor(staticName = \"of\") class R {
    private final String name;
    private int other;
    void r() { R.of(\"a\").hashCode(); }
}
class Plain { int id; void p(Plain p) { p.getId(); } }
//- B.java
import org.springframework.beans.factory.annotation.Value;
@Value class B { int id; void b() { getId(); } }
",
        "A -> A#<init>(int)
         setOpen -> A#setOpen(boolean)
         isOpen -> A#isOpen()
         setDone -> A#setDone(boolean)
         isDone -> A#isDone()
         getId -> A#getId()
         getSecret -> ?
         getCount -> ?
         equals -> A#equals(java.lang.Object)
         hashCode -> A#hashCode()
         toString -> A#toString()
         log -> A#log
         info -> -
         builder -> V#builder()
         one -> V$VBuilder#one(java.lang.Object)
         two -> V$VBuilder#two(int)
         name -> V$VBuilder#name(java.lang.String)
         names -> V$VBuilder#names(java.util.Collection)
         of -> -
         build -> V$VBuilder#build()
         getOne -> V#getOne()
         getId -> A#getId()
         withTwo -> V#withTwo(int)
         toBuilder -> V#toBuilder()
         clearNames -> V$VBuilder#clearNames()
         build -> V$VBuilder#build()
         getOne -> V#getOne()
         isOpen -> A#isOpen()
         of -> R#of(java.lang.String)
         hashCode -> -
         getId -> ?
         getId -> ?
",
    );
}

#[test]
fn a_builder_that_lombok_adds_extends_that_of_the_class_above() {
    check(
        "//- A.java
import lombok.experimental.SuperBuilder;
@SuperBuilder abstract class A { private final int id; @lombok.Singular private java.util.List<String> tags; }
//- B.java
import lombok.experimental.SuperBuilder;
@SuperBuilder(toBuilder = true) @lombok.Getter class B extends A {
    private final String name;
    void b() { B.builder().id(1).tag(\"a\").name(\"b\").clearTags().build().getName(); toBuilder().name(\"c\").id(2).build().b(); }
}
",
        "builder -> B#builder()
         id -> A$ABuilder#id(int)
         tag -> A$ABuilder#tag(java.lang.String)
         name -> B$BBuilder#name(java.lang.String)
         clearTags -> A$ABuilder#clearTags()
         build -> B$BBuilder#build()
         getName -> B#getName()
         toBuilder -> B#toBuilder()
         name -> B$BBuilder#name(java.lang.String)
         id -> A$ABuilder#id(int)
         build -> B$BBuilder#build()
         b -> B#b()
",
    );
}

#[test]
fn a_record_may_have_a_builder_of_lombok() {
    check(
        "//- R.java
import lombok.*;
@Builder(toBuilder = true) @With @Getter record R<T>(T one, int[] two, @Singular java.util.List<String> names) {
    static R<String> of() { return R.<String>builder().one(\"a\").two(new int[1]).name(\"b\").build(); }
    void r(R<String> r) { r.withTwo(null).toBuilder().clearNames().build().one().length(); r.getOne(); }
}
",
        "builder -> R#builder()
         one -> R$RBuilder#one(java.lang.Object)
         two -> R$RBuilder#two(int[])
         name -> R$RBuilder#name(java.lang.String)
         build -> R$RBuilder#build()
         withTwo -> R#withTwo(int[])
         toBuilder -> R#toBuilder()
         clearNames -> R$RBuilder#clearNames()
         build -> R$RBuilder#build()
         one -> R#one()
         length -> -
         getOne -> ?
",
    );
}

#[test]
fn lombok_completes_a_builder_that_is_written() {
    check(
        "//- A.java
import lombok.*;
@Builder class A {
    String name; int count;
    static class ABuilder {
        ABuilder twice() { count(2); return this; }
        ABuilder name(String name) { this.twice(); return this; }
    }
    void m() { A.builder().name(\"a\").twice().count(1).build().m(); new ABuilder().build(); }
}
@Data(staticConstructor = \"of\") class D { final int id; void d() { D.of(1).getId(); } }
",
        "count -> A$ABuilder#count(int)
         twice -> A$ABuilder#twice()
         builder -> A#builder()
         name -> A$ABuilder#name(java.lang.String)
         twice -> A$ABuilder#twice()
         count -> A$ABuilder#count(int)
         build -> A$ABuilder#build()
         m -> A#m()
         ABuilder -> A$ABuilder#<init>()
         build -> A$ABuilder#build()
         of -> D#of(int)
         getId -> D#getId()
",
    );
}
