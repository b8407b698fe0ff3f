//! How places in Java are named: binary class names, erased declared parameters, lambdas by number.

use crate::support::{Project, telltale};

#[test]
fn methods_are_named_as_byte_code_names_them() {
    let project = Project::new(&[(
        "p/A.java",
        "package p;
import java.util.*;
class A<T extends Comparable<T>> {
    int f = 1;
    static int s = 2;
    { f = 3; }
    static { s = 4; }
    A(T t) { int c = 5; }
    <U> void m(T t, U u, List<String>[] l, int... r) { }
    class Inner {
        Inner(String n) { int i = 6; }
    }
    enum E { ONE(1); E(int k) { } }
    record R(int... x) { }
    void anonymous() {
        Object o = new Object() { int g = 7; };
        class L { int h = 8; }
        Runnable a = () -> { int i = 9; Runnable b = () -> { int j = 10; }; };
        Runnable c = () -> { int k = 11; };
    }
}
",
    )]);
    let graph = project.run(&["graph", "--format", "json"]).json();
    let nodes = graph["nodes"].as_array().expect("nodes").iter();
    let names: Vec<String> = nodes
        .map(|n| {
            let text = |key: &str| n[key].as_str().expect("a text");
            format!("{}@{} {}", text("variable"), n["line"], text("method"))
        })
        .collect();
    let m = "p.A#m(java.lang.Comparable,java.lang.Object,java.util.List[],int[])";
    let expected = [
        "f@4 p.A#<init>".to_owned(),
        "s@5 p.A#<clinit>".to_owned(),
        "f@6 p.A#<init>".to_owned(),
        "s@7 p.A#<clinit>".to_owned(),
        "t@8 p.A#<init>(java.lang.Comparable)".to_owned(),
        "c@8 p.A#<init>(java.lang.Comparable)".to_owned(),
        format!("t@9 {m}"),
        format!("u@9 {m}"),
        format!("l@9 {m}"),
        format!("r@9 {m}"),
        "n@11 p.A$Inner#<init>(java.lang.String)".to_owned(),
        "i@11 p.A$Inner#<init>(java.lang.String)".to_owned(),
        "ONE@13 p.A$E#<clinit>".to_owned(),
        "k@13 p.A$E#<init>(int)".to_owned(),
        // The parameter of the constructor, and the field.
        "x@14 p.A$R#<init>(int[])".to_owned(),
        "x@14 p.A$R#<init>(int[])".to_owned(),
        "o@16 p.A#anonymous()".to_owned(),
        "g@16 p.A$1#<init>".to_owned(),
        "h@17 p.A$1L#<init>".to_owned(),
        "a@18 p.A#anonymous()".to_owned(),
        "i@18 p.A#anonymous()$lambda1".to_owned(),
        "b@18 p.A#anonymous()$lambda1".to_owned(),
        "j@18 p.A#anonymous()$lambda2".to_owned(),
        "c@19 p.A#anonymous()".to_owned(),
        "k@19 p.A#anonymous()$lambda3".to_owned(),
    ];
    assert_eq!(names, expected);
    // What is printed can be given back.
    for name in [
        m,
        "p.A#<init>(java.lang.Comparable)",
        "p.A$Inner#<init>(java.lang.String)",
    ] {
        let ran = project.run(&["observe", "--method", name, "--format", "json"]);
        assert_eq!(ran.json()["scope"]["name"], name);
    }
}

/// In sentences a constructor is `new A`, an initialiser of the class `static A`, a lambda is in its method.
#[test]
fn sentences_name_places_as_people_do() {
    let project = Project::new(&[(
        "A.java",
        "class A {
    static int s = 1;
    int f;
    A(int p) { f = p; }
    int sum(int q) { return f + s + q; }
    java.util.function.IntSupplier held(int r) {
        java.util.function.IntSupplier g = () -> r + 1;
        return g;
    }
    int twice(int t) {
        int u = sum(t);
        return u * 2;
    }
}
",
    )]);
    let ran = telltale(
        project.path(),
        &["observe", "--offer", "all", "--top", "20"],
    );
    for says in [
        "would also reveal a wrong s in static A, f in new A or q (line 5)",
        "would also reveal a wrong return value of a lambda in A.held (line 7)",
        "would also reveal a wrong t in A.twice",
        "return value of A.sum  ",
        "What to observe in this project\n",
    ] {
        assert!(ran.stdout.contains(says), "{says}\n{}", ran.stdout);
    }
}

#[test]
fn the_text_gives_reasons_and_figures_on_request() {
    let project = Project::new(&[(
        "A.java",
        "class A {
    int f(boolean c, int a) {
        int b = 1;
        if (c) { b = a + 1; }
        int d = b * 2;
        return d;
    }
}
",
    )]);
    let run = |more: &[&str]| {
        let ran = telltale(
            project.path(),
            &[&["observe", "--lambda", "1"], more].concat(),
        );
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout
    };
    let (plain, verbose) = (run(&[]), run(&["--verbose"]));
    for figure in [" %)", "flows through", " candidates", "The number says"] {
        assert!(!plain.contains(figure), "{figure}\n{plain}");
        assert!(verbose.contains(figure), "{figure}\n{verbose}");
    }
    assert!(plain.contains("would also reveal a wrong "), "{plain}");
    // What is said is the same otherwise, in the same order.
    let places = |text: &str| {
        let lines = text.lines().filter(|l| l.contains("A.java:"));
        let places = lines.filter_map(|l| l.split_whitespace().last().map(str::to_owned));
        places.collect::<Vec<String>>()
    };
    assert_eq!(places(&plain), places(&verbose));
}
