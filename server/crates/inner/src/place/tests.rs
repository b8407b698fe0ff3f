//! Each case is a method with its definition between « and », and what it becomes; taking the check out again gives the
//! text of before, to the byte.

use super::{Definition, place};
use crate::{Refusal, found, taken_out};
use flow::VariableKind::{self, *};
use std::sync::Arc;
use syntax::SourceFile;
use text::{Span, apply_disjoint};

fn parsed(text: &str) -> SourceFile {
    SourceFile::parse(Arc::from(text))
}

/// The class with a definition, and the definition.
fn definition(members: &str, kind: VariableKind, variable: &str) -> (SourceFile, Definition) {
    let marked = format!("class A {{\n{members}\n}}\n");
    let start = marked.find('«').unwrap();
    let end = marked.find('»').unwrap() - '«'.len_utf8();
    let text = marked.replace(['«', '»'], "");
    let definition = Definition {
        span: Span::new(start as u32, end as u32),
        variable: variable.to_owned(),
        kind,
    };
    (parsed(&text), definition)
}

fn written(members: &str, kind: VariableKind, variable: &str) -> Result<String, Refusal> {
    let (file, definition) = definition(members, kind, variable);
    let place = place(&file, &definition)?;
    let call = |value: &str| format!("InnerOracle.tell(\"T.t: v\", {value})");
    let edits = place.edits(&file, &call);
    let text = apply_disjoint(file.text(), &edits).unwrap();
    let after = parsed(&text);
    assert!(!after.has_errors(), "{text}");
    let checks = found(&after);
    assert_eq!(checks.len(), 1, "{text}");
    let back = taken_out(&after, &checks[0]);
    assert_eq!(
        apply_disjoint(&text, &back).as_deref(),
        Some(&**file.text()),
        "{text}"
    );
    assert_eq!(crate::checks_at(&file, &place), Vec::<String>::new());
    let inner = text.strip_prefix("class A {\n").unwrap();
    let inner = inner.strip_suffix("\n}\n").unwrap();
    Ok(inner.replace("InnerOracle.tell(\"T.t: v\", ", "TELL("))
}

/// What becomes of it.
#[track_caller]
fn becomes(kind: VariableKind, variable: &str, members: &str, expected: &str) {
    assert_eq!(written(members, kind, variable).as_deref(), Ok(expected));
}

#[track_caller]
fn is_refused(kind: VariableKind, variable: &str, members: &str, why: Refusal) {
    assert_eq!(written(members, kind, variable), Err(why));
}

#[test]
fn behind_the_statement() {
    becomes(
        Local,
        "a",
        "  void m() {\n    int «a = f()»; // why\n    g(a);\n  }",
        "  void m() {\n    int a = f(); // why\n    TELL(a);\n    g(a);\n  }",
    );
    becomes(
        Field,
        "a",
        "\tvoid m() {\n\t\t«this.a = f()»;\n\t}",
        "\tvoid m() {\n\t\tthis.a = f();\n\t\tTELL(this.a);\n\t}",
    );
    becomes(
        Local,
        "a",
        "  void m() { int «a = f()»; g(a); }",
        "  void m() { int a = f(); TELL(a); g(a); }",
    );
    becomes(
        Local,
        "i",
        "  void m(int i) {\n    g(«i++», 1);\n    g(i);\n  }",
        "  void m(int i) {\n    g(i++, 1);\n    TELL(i);\n    g(i);\n  }",
    );
    becomes(
        Local,
        "a",
        "  void m(int x) {\n    switch (x) {\n      case 1:\n        «a = 2»;\n        break;\n    }\n  }",
        "  void m(int x) {\n    switch (x) {\n      case 1:\n        a = 2;\n        TELL(a);\n        break;\n    }\n  }",
    );
}

#[test]
fn lines_end_as_those_of_the_file() {
    let (file, definition) = definition("  void m() {\r\n    int «a = f()»;\r\n  }", Local, "a");
    let edits = place(&file, &definition)
        .unwrap()
        .edits(&file, &|v| v.to_owned());
    assert_eq!(edits[0].text, "\r\n    a;");
}

#[test]
fn behind_the_outermost_loop_in_which_it_lives() {
    becomes(
        Local,
        "neg",
        "  int m(int[] xs) {\n    int neg = 0;\n    for (int x : xs) {\n      if (x < 0) {\n        «neg++»;\n      }\n    }\n    return neg;\n  }",
        "  int m(int[] xs) {\n    int neg = 0;\n    for (int x : xs) {\n      if (x < 0) {\n        neg++;\n      }\n    }\n    TELL(neg);\n    return neg;\n  }",
    );
    // Declared in the outer loop, used in it behind the inner one.
    becomes(
        Local,
        "n",
        "  void m(int[][] xs) {\n    for (int[] row : xs) {\n      int n = 0;\n      for (int x : row)\n        «n += x»;\n      g(n);\n    }\n  }",
        "  void m(int[][] xs) {\n    for (int[] row : xs) {\n      int n = 0;\n      for (int x : row)\n        n += x;\n      TELL(n);\n      g(n);\n    }\n  }",
    );
    // Not used behind the loop, or without a value there: where it is defined.
    becomes(
        Local,
        "n",
        "  void m() {\n    int n = 0;\n    while (g(n)) {\n      «n = f()»;\n    }\n  }",
        "  void m() {\n    int n = 0;\n    while (g(n)) {\n      n = f();\n      TELL(n);\n    }\n  }",
    );
    becomes(
        Local,
        "n",
        "  void m() {\n    int n;\n    while (g()) {\n      «n = f()»;\n    }\n    n = 2;\n    g(n);\n  }",
        "  void m() {\n    int n;\n    while (g()) {\n      n = f();\n      TELL(n);\n    }\n    n = 2;\n    g(n);\n  }",
    );
    // Nothing can be reached behind a loop that does not end.
    becomes(
        Field,
        "n",
        "  void m() {\n    while (true) {\n      «n = f()»;\n      for (;;) { break; }\n    }\n  }",
        "  void m() {\n    while (true) {\n      n = f();\n      TELL(n);\n      for (;;) { break; }\n    }\n  }",
    );
    becomes(
        Field,
        "n",
        "  void m() {\n    out: while (true) {\n      «n = f()»;\n      for (;;) { break out; }\n    }\n  }",
        "  void m() {\n    out: while (true) {\n      n = f();\n      for (;;) { break out; }\n    }\n    TELL(n);\n  }",
    );
    // The place that is found by the loop's variable is another in each turn.
    becomes(
        Array,
        "a",
        "  void m(int[] a) {\n    for (int i = 0; i < 3; i++) {\n      «a[i] = f()»;\n    }\n  }",
        "  void m(int[] a) {\n    for (int i = 0; i < 3; i++) {\n      a[i] = f();\n      TELL(a[i]);\n    }\n  }",
    );
}

#[test]
fn at_the_start_of_a_block() {
    becomes(
        Parameter,
        "a",
        "  void m(int «a») {\n    g();\n  }",
        "  void m(int a) {\n    TELL(a);\n    g();\n  }",
    );
    becomes(
        Parameter,
        "a",
        "  A(int «a») {\n    super(a);\n  }",
        "  A(int a) {\n    super(a);\n    TELL(a);\n  }",
    );
    becomes(
        Parameter,
        "a",
        "  void m(int «a») {}",
        "  void m(int a) { TELL(a);}",
    );
    becomes(
        Parameter,
        "a",
        "    void m(int «a») {\n    }",
        "    void m(int a) {\n        TELL(a);\n    }",
    );
    becomes(
        Loop,
        "x",
        "  void m() {\n    for (int «x» : xs) {\n      g(x);\n    }\n  }",
        "  void m() {\n    for (int x : xs) {\n      TELL(x);\n      g(x);\n    }\n  }",
    );
    becomes(
        Catch,
        "e",
        "  void m() {\n    try {\n      g();\n    } catch (E «e») {\n      throw e;\n    }\n  }",
        "  void m() {\n    try {\n      g();\n    } catch (E e) {\n      TELL(e);\n      throw e;\n    }\n  }",
    );
    becomes(
        Resource,
        "r",
        "  void m() {\n    try («R r = open()») {\n      g(r);\n    }\n  }",
        "  void m() {\n    try (R r = open()) {\n      TELL(r);\n      g(r);\n    }\n  }",
    );
    becomes(
        LambdaParameter,
        "x",
        "  void m() {\n    xs.forEach(«x» -> {\n      g(x);\n    });\n  }",
        "  void m() {\n    xs.forEach(x -> {\n      TELL(x);\n      g(x);\n    });\n  }",
    );
    becomes(
        Pattern,
        "b",
        "  void m(Object o) {\n    if («o instanceof B b» && b.ok()) {\n      g(b);\n    }\n  }",
        "  void m(Object o) {\n    if (o instanceof B b && b.ok()) {\n      TELL(b);\n      g(b);\n    }\n  }",
    );
    is_refused(
        LambdaParameter,
        "x",
        "  void m() { xs.map(«x» -> x + 1); }",
        Refusal::LambdaExpression,
    );
}

#[test]
fn around_an_expression_where_no_statement_can_stand() {
    becomes(
        Return,
        "",
        "  int m() {\n    «return a + b;»\n  }",
        "  int m() {\n    return TELL(a + b);\n  }",
    );
    // Two words stay two.
    becomes(
        Return,
        "",
        "  int m() {\n    «return(a + b);»\n  }",
        "  int m() {\n    return(TELL(a + b));\n  }",
    );
    becomes(
        Local,
        "a",
        "  void m(int a) {\n    if ((«a = f()») > 0) g(a);\n  }",
        "  void m(int a) {\n    if ((TELL(a = f())) > 0) g(a);\n  }",
    );
    becomes(
        Local,
        "a",
        "  void m(int a) {\n    if (g()) «a = f()»;\n  }",
        "  void m(int a) {\n    if (g()) TELL(a = f());\n  }",
    );
    becomes(
        Local,
        "a",
        "  void m(int a) {\n    switch (g()) {\n      case 1 -> «a = 2»;\n    }\n  }",
        "  void m(int a) {\n    switch (g()) {\n      case 1 -> TELL(a = 2);\n    }\n  }",
    );
    becomes(
        Array,
        "a",
        "  void m(int[] a, int i) {\n    «a[i++] = 2»;\n  }",
        "  void m(int[] a, int i) {\n    TELL(a[i++] = 2);\n  }",
    );
    becomes(Field, "a", "  int «a = f()»;", "  int a = TELL(f());");
    // Only sometimes: behind the statement it may have another value.
    becomes(
        Local,
        "a",
        "  void m(int a) {\n    boolean b = g() && («a = f()») > 1;\n    g(a);\n  }",
        "  void m(int a) {\n    boolean b = g() && (TELL(a = f())) > 1;\n    g(a);\n  }",
    );
    becomes(
        Return,
        "",
        "  void m() { xs.map(x -> «x.f()»); }",
        "  void m() { xs.map(x -> TELL(x.f())); }",
    );
}

#[test]
fn steps_without_a_block() {
    becomes(
        Local,
        "a",
        "  void m(int a) {\n    if (g()) «a++»;\n  }",
        "  void m(int a) {\n    if (g()) {a++; TELL(a);}\n  }",
    );
    becomes(
        Local,
        "i",
        "  void m() { for (int i = 0; i < 3; «i++») g(i); }",
        "  void m() { for (int i = 0; i < 3; i++, TELL(i)) g(i); }",
    );
    is_refused(
        Local,
        "i",
        "  void m(int i) { while («i++» < 3) g(); }",
        Refusal::OldValue,
    );
}

#[test]
fn what_has_no_place_is_refused_by_name() {
    is_refused(Field, "a", "  static final int «a = 5»;", Refusal::Constant);
    is_refused(Field, "a", "  byte «a = f()»;", Refusal::NarrowType);
    is_refused(
        Field,
        "a",
        "  int[] «a = {1, 2}»;",
        Refusal::ArrayInitializer,
    );
    is_refused(
        Return,
        "",
        "  R m() { «return x -> x;» }",
        Refusal::Functional,
    );
    is_refused(
        Return,
        "",
        "  char m() { «return b ? 'a' : 98;» }",
        Refusal::NarrowType,
    );
    is_refused(
        Pattern,
        "b",
        "  void m() { return «o instanceof B b» && b.ok(); }",
        Refusal::Pattern,
    );
}

#[test]
fn a_check_that_stands_there_is_seen() {
    for (text, kind) in [
        (
            "  void m() {\n    int «a = f()»;\n    InnerOracle.equal(\"T.t: a\", 2, a);\n    if (InnerOracle.isOn(\"T.u: a\")) InnerOracle.that(\"T.u: a\", a > 0, a);\n  }",
            Local,
        ),
        (
            "  int m() {\n    «return InnerOracle.equal(\"T.t: a\", 2, InnerOracle.tell(\"T.u: a\", a + b));»\n  }",
            Return,
        ),
    ] {
        let (file, definition) = definition(text, kind, "a");
        let place = place(&file, &definition).unwrap();
        assert_eq!(crate::checks_at(&file, &place), ["T.t: a", "T.u: a"]);
    }
}

/// All of a text's checks can be taken out at once.
#[test]
fn several_around_one_value_go_together() {
    let text = "class A {\n  int m() {\n    return InnerOracle.equal(\"a\", 2, InnerOracle.tell(\"b\", a + b));\n  }\n}\n";
    let file = parsed(text);
    let edits: Vec<_> = found(&file)
        .iter()
        .flat_map(|f| taken_out(&file, f))
        .collect();
    let mut edits = edits;
    edits.sort_by_key(|e| e.span);
    let after = apply_disjoint(text, &edits).unwrap();
    assert_eq!(after, "class A {\n  int m() {\n    return a + b;\n  }\n}\n");
}

#[test]
fn what_is_put_in_is_no_part_of_the_word_before() {
    use super::super::{Insert, Nest};
    let insert = |at: u32, text: &str| Insert {
        at,
        nest: Nest::Between,
        text: text.to_owned(),
    };
    let all = vec![insert(6, "call("), insert(9, ")")];
    assert_eq!(Insert::all_into("return(1);", all), "return call((1));");
    let all = vec![insert(7, "call("), insert(8, ")")];
    assert_eq!(Insert::all_into("return 1;", all), "return call(1);");
}
