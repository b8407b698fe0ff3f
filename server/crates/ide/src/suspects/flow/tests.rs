//! What reaches which assertion, and where nothing does. The line of birth has the comment `born`; a mark stands under what
//! is reached, with the way.

#![allow(clippy::expect_used)]

use super::*;
use crate::checked::RanLines;
use crate::tests::analysis;
use std::sync::Arc;
use suspects::Strange::{self, Entry, Parameter, Receiver, Return};
use testkit::{Fixture, Mark, check_marks};
use text::{Encoding, LineIndex, LineSet};

mod fields;

const MAIN: &str = "//- /src/main/java/Complex.java
class Complex {
    static final Complex I = new Complex(0, 1);
    private final double re, im;
    Complex(double re, double im) { this.re = re; this.im = im; }
    double getReal() { return re; }
    double getImaginary() { return im; }
    Complex conjugate() { return new Complex(re, -im); }
    Complex multiply(Complex other) {
        double a = re * other.re;
        return new Complex(a, im * other.im);
    }
    double norm() { double n = getReal() * re; return n; }
    String describe() { double unused = getReal(); return \"complex\"; }
    static Complex of(double re) { return new Complex(re, 0); }
    public boolean equals(Object o) { return o instanceof Complex && ((Complex) o).re == re; }
}
class Box {
    private int count;
    private Complex last;
    private final Limits limits = new Limits();
    Box add(Complex c) { last = c; count = limits.cut(count + 1); return this; }
    void fill(Box other) { other.count = count; }
    int size() { return count; }
    Complex last() { return last; }
    boolean isEmpty() { return count == 0; }
    int pop() { count--; return 1; }
}
class Limits {
    int most = 9;
    Complex best;
    int cut(int n) { int m = n; return m; }
    int unused(int n) { int m = n; return m; }
}
class Crate { Box inner = new Box(); Box spare = new Box(); Box inner() { return inner; } }
";

/// Checks the ways from what `method` did on the line that is marked `born`, in a test of these statements.
#[track_caller]
fn check(method: &str, strange: &[Strange], statements: &str) {
    let test = format!("    @Test void test() {{\n{statements}    }}\n");
    check_ran(method, &whole(strange), None, &test);
}

fn whole(strange: &[Strange]) -> Vec<Spot> {
    let whole = |of: &Strange| Spot {
        of: *of,
        field: None,
    };
    strange.iter().map(whole).collect()
}

/// The same in the last test of these members.
#[track_caller]
fn check_class(method: &str, strange: &[Strange], members: &str) {
    check_ran(method, &whole(strange), None, members);
}

#[track_caller]
fn check_ran(method: &str, strange: &[Spot], ran: Option<(&str, &[u32])>, test: &str) {
    let text = format!(
        "{MAIN}//- /src/test/java/T.java
class T {{
    private Box box = new Box();
{test}}}
"
    );
    let fixture = Fixture::parse(&text);
    let analysis = analysis(&fixture);
    let program = analysis.program();
    let named = |name: &str| {
        let (class, method) = name.split_once('.').expect("Class.method");
        let all = program
            .files()
            .iter()
            .flat_map(|f| program.types_of_file(*f));
        let mut methods = all
            .filter(|t| program.type_name(**t) == class)
            .flat_map(|t| program.methods_of_type(*t));
        let is = |m: &&MethodId| program.method_decl(**m).is_some_and(|d| d.name == method);
        *methods.find(is).expect("it is there")
    };
    let tests = analysis.workspace().suite().tests();
    let test = *tests.last().expect("a test");
    let flow = TestFlow::new(&analysis, test).expect("it has code");
    let (at, file) = fixture
        .files
        .iter()
        .enumerate()
        .find(|(_, f)| f.path.ends_with("T.java"))
        .expect("it was given");
    let line = file.text.lines().position(|l| l.contains("born"));
    let born = Born {
        line: line.map_or(1, |l| l as u32 + 1),
        method: named(method),
        strange: strange.to_vec(),
    };
    let known = ran.map(|(m, lines)| {
        let method = named(m);
        let (file, decl) = (program.method_file(method), program.method_decl(method));
        let (file, span) = (file.expect("a file"), decl.expect("declared").span);
        let index = LineIndex::new(program.text(file).expect("its text"));
        let line = |at: u32| index.position(at, Encoding::Utf8).line + 1;
        let of = |lines: LineSet| [(file, lines)].into_iter().collect();
        let code = of((line(span.start)..=line(span.end)).collect());
        RanLines::new(Arc::new(code), of(lines.iter().copied().collect()))
    });
    flow.ran.set(known).expect("nobody asked yet");
    let found = flow.assertions().iter().zip(flow.reached(&born));
    let found = found.filter_map(|(a, steps)| {
        let words: Vec<String> = steps?.into_iter().map(|s| s.words).collect();
        Some((at, file.mark(a.condition, words.join(", "))))
    });
    let found: Vec<(usize, Mark)> = found.collect();
    check_marks(&fixture, found);
}

#[test]
fn the_example_of_the_paper_is_reached_two_lines_below() {
    check_class(
        "Complex.conjugate",
        &[Return],
        "    @Test public void test() {
        Complex complex0 = Complex.I;
        Complex complex1 = complex0.multiply(complex0);
        Complex complex2 = complex1.conjugate(); // born
        boolean boolean0 = complex2.equals(complex1);
        assertEquals(0.0, complex0.getReal(), 0.01);
        assertFalse(boolean0);
        //          ^^^^^^^^ conjugate() gave complex2, equals(complex1) read complex2 and gave boolean0
        assertFalse(complex2.equals((Object) complex1));
        //          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ conjugate() gave complex2, equals((Object) complex1) read complex2
        assertEquals(-0.0, complex2.getImaginary(), 0.01);
        //                 ^^^^^^^^^^^^^^^^^^^^^^^ conjugate() gave complex2, getImaginary() read complex2
        assertEquals(1.0, complex1.getReal(), 0.01);
    }
",
    );
}

#[test]
fn what_was_asserted_before_is_not_reached() {
    check(
        "Complex.conjugate",
        &[Return],
        "        Complex a = new Complex(1, 2);
        assertEquals(1.0, a.getReal(), 0.01);
        Complex b = a.conjugate(); // born
",
    );
}

#[test]
fn in_a_loop_what_comes_later_comes_before() {
    check(
        "Complex.conjugate",
        &[Return],
        "        Complex a = new Complex(1, 2);
        for (int i = 0; i < 2; i++) {
            assertEquals(1.0, a.getReal(), 0.01);
            //                ^^^^^^^^^^^ conjugate() gave a, getReal() read a
            a = a.conjugate(); // born
        }
",
    );
}

#[test]
fn a_variable_that_is_overwritten_stops() {
    check(
        "Complex.conjugate",
        &[Return],
        "        Complex a = new Complex(1, 2);
        Complex b = a.conjugate(); // born
        b = new Complex(3, 4);
        assertEquals(3.0, b.getReal(), 0.01);
",
    );
}

#[test]
fn where_ways_join_either_may_have_been_taken() {
    check_class(
        "Complex.conjugate",
        &[Return],
        "    @Test void test(boolean own) {
        Complex b = new Complex(1, 2);
        if (own) {
            b = b.conjugate(); // born
        }
        assertEquals(3.0, b.getReal(), 0.01);
        //                ^^^^^^^^^^^ conjugate() gave b, getReal() read b
    }
",
    );
}

#[test]
fn a_call_within_a_condition_reaches_that_one_alone() {
    check(
        "Box.size",
        &[Return],
        "        Box b = new Box();
        assertEquals(3, b.size()); // born
        //              ^^^^^^^^ size() gave what is asserted
        assertEquals(3, b.size());
",
    );
}

#[test]
fn a_receiver_is_strange_only_from_the_call_on() {
    check(
        "Box.pop",
        &[Receiver],
        "        Box b = new Box();
        Box other = new Box();
        assertEquals(1, b.pop()); // born
        assertEquals(0, b.size());
        //              ^^^^^^^^ pop() left it in b, size() read b
        assertEquals(0, other.size());
",
    );
}

#[test]
fn a_query_leaves_nothing_behind() {
    check(
        "Box.size",
        &[Receiver],
        "        Box b = new Box();
        b.size(); // born
        assertEquals(1, b.pop());
        assertEquals(0, b.size());
",
    );
}

#[test]
fn a_constructor_makes_its_object_and_what_it_is_made_of() {
    check(
        "Complex.<init>",
        &[Receiver],
        "        Complex a = new Complex(1, 2); // born
        Complex b = new Complex(3, 4);
        assertEquals(1.0, a.getReal(), 0.01);
        //                ^^^^^^^^^^^ new Complex(1, 2) gave a, getReal() read a
        assertEquals(3.0, b.getReal(), 0.01);
",
    );
}

#[test]
fn an_object_that_takes_it_is_strange_too() {
    check(
        "Complex.conjugate",
        &[Return],
        "        Complex a = new Complex(1, 2);
        Box b = new Box();
        Box other = new Box();
        Complex c = a.conjugate(); // born
        b.add(c);
        other.add(a);
        assertSame(a, other.last());
        assertFalse(b.isEmpty());
        //          ^^^^^^^^^^^ conjugate() gave c, add(c) read c and changed b, isEmpty() read b
",
    );
}

#[test]
fn a_list_of_a_library_takes_it_too() {
    check(
        "Complex.conjugate",
        &[Return],
        "        Complex a = new Complex(1, 2);
        java.util.List<Complex> all = new java.util.ArrayList<>();
        java.util.List<Complex> none = new java.util.ArrayList<>();
        all.add(a.conjugate()); // born
        assertEquals(1, all.size());
        //              ^^^^^^^^^^ conjugate() gave a value, add(a.conjugate()) read it and changed all, size() read all
        assertEquals(0, none.size());
",
    );
}

#[test]
fn an_argument_that_a_call_changed_is_strange() {
    let test = "    @Test void test() {
        Box a = new Box();
        Box b = new Box();
        a.fill(b); // born
        assertEquals(0, b.size());
        //              ^^^^^^^^ fill(b) left it in b, size() read b
        assertEquals(0, a.size());
    }
";
    check_class("Box.fill", &[Parameter(0)], test);
}

#[test]
fn of_a_strange_entry_result_and_changed_receiver_are_strange() {
    check(
        "Box.pop",
        &[Entry],
        "        Box b = new Box();
        int n = b.pop(); // born
        assertEquals(1, n);
        //              ^ pop() gave n
        assertEquals(0, b.size());
        //              ^^^^^^^^ pop() left it in b, size() read b
",
    );
    // A query changes nothing.
    check(
        "Box.size",
        &[Entry],
        "        Box b = new Box();
        int n = b.size(); // born
        assertEquals(1, n);
        //              ^ size() gave n
        assertTrue(b.isEmpty());
",
    );
}

#[test]
fn what_is_dropped_reaches_nothing() {
    check(
        "Complex.conjugate",
        &[Return],
        "        Complex a = new Complex(1, 2);
        a.conjugate(); // born
        assertEquals(1.0, a.getReal(), 0.01);
        assertNotNull(a);
",
    );
}

#[test]
fn a_method_that_gives_its_object_gives_it_strange() {
    check(
        "Box.add",
        &[Receiver],
        "        Box a = new Box();
        Box b = a.add(new Complex(1, 2)); // born
        assertEquals(1, b.size());
        //              ^^^^^^^^ add(new Complex(1, 2)) gave b, size() read b
        assertEquals(1, a.size());
        //              ^^^^^^^^ add(new Complex(1, 2)) left it in a, size() read a
",
    );
}

#[test]
fn another_name_is_the_same_object() {
    check(
        "Box.pop",
        &[Receiver],
        "        Box a = new Box();
        Box b = a;
        Box c = new Box();
        b.pop(); // born
        assertEquals(1, a.size());
        //              ^^^^^^^^ pop() left it in a, size() read a
        assertEquals(1, c.size());
",
    );
}

#[test]
fn computing_with_it_is_strange_and_a_constant_is_not() {
    check(
        "Complex.getReal",
        &[Return],
        "        Complex a = new Complex(1, 2);
        double x = a.getReal(); // born
        double y = x * 2 + 1;
        double z = 5;
        z += y;
        double fine = 7;
        assertEquals(5, z, 0.1);
        //              ^ getReal() gave x, y was made of x, z was made of y
        assertEquals(7, fine, 0.1);
",
    );
}

#[test]
fn an_array_is_one_object() {
    check(
        "Complex.conjugate",
        &[Return],
        "        Complex a = new Complex(1, 2);
        Complex[] all = new Complex[2];
        Complex[] none = new Complex[2];
        all[0] = a.conjugate(); // born
        all[1] = a;
        assertNotNull(all[1]);
        //            ^^^^^^ conjugate() gave all
        assertNull(none[0]);
",
    );
}

#[test]
fn a_field_of_an_object_is_a_part_of_it() {
    check(
        "Complex.conjugate",
        &[Return],
        "        Complex a = new Complex(1, 2);
        Limits b = new Limits();
        Limits c = new Limits();
        b.best = a.conjugate(); // born
        assertNotNull(b);
        //            ^ conjugate() gave a value, b was given it
        assertEquals(9, b.most);
        //              ^^^^^^ conjugate() gave a value, b was given it
        assertNotNull(c.best);
",
    );
}

#[test]
fn a_field_of_the_test_is_a_variable() {
    check(
        "Box.pop",
        &[Receiver],
        "        Box other = new Box();
        box.pop(); // born
        assertEquals(0, box.size());
        //              ^^^^^^^^^^ pop() left it in box, size() read box
        assertEquals(0, other.size());
",
    );
}

#[test]
fn static_members_through_an_object_are_not_its_own() {
    check(
        "Complex.conjugate",
        &[Return],
        "        Complex a = Complex.I.conjugate(); // born
        Complex b = a.I;
        Complex c = a.of(1);
        assertEquals(1.0, b.getImaginary(), 0.01);
        assertEquals(1.0, c.getReal(), 0.01);
        assertEquals(Complex.class, a.getClass());
",
    );
}

#[test]
fn what_was_called_on_a_static_field_leaves_nothing_in_the_object_before_it() {
    check(
        "Complex.conjugate",
        &[Receiver],
        "        Complex a = new Complex(1, 2);
        Complex b = a.I.conjugate(); // born
        assertEquals(1.0, a.getReal(), 0.01);
        assertEquals(1.0, b.getReal(), 0.01);
",
    );
}

#[test]
fn deeper_calls_count_where_the_value_comes_from_them() {
    check(
        "Limits.cut",
        &[Return],
        "        Box a = new Box();
        Complex c = new Complex(1, 2);
        a.add(c); // born
        assertEquals(1, a.size());
        //              ^^^^^^^^ add(c) ran cut() and changed a, size() read a
        assertEquals(1.0, c.getReal(), 0.01);
",
    );
    check(
        "Complex.getReal",
        &[Return],
        "        Complex c = new Complex(1, 2);
        double n = c.norm(); // born
        assertEquals(1.0, n, 0.01);
        //                ^ norm() ran getReal() and gave n
        assertNotNull(c);
",
    );
    check(
        "Complex.getReal",
        &[Return],
        "        Complex c = new Complex(1, 2);
        assertEquals(1.0, c.norm(), 0.01); // born
        //                ^^^^^^^^ norm() ran getReal() and gave what is asserted
        assertEquals(1.0, c.norm(), 0.01);
",
    );
}

#[test]
fn deeper_calls_do_not_count_where_it_comes_from_elsewhere() {
    // getReal() has no definition of its own: what is asked is whether control comes there.
    check(
        "Limits.unused",
        &[Return],
        "        Box a = new Box();
        a.add(new Complex(1, 2)); // born
        assertEquals(1, a.size());
",
    );
    check(
        "Complex.multiply",
        &[Return],
        "        Complex c = new Complex(1, 2);
        assertEquals(1.0, c.norm(), 0.01); // born
",
    );
}

#[test]
fn lines_that_did_not_run_lead_nowhere() {
    let test = "    @Test void test() {
        Complex c = new Complex(1, 2);
        Complex d = c.multiply(c); // born
        assertNotNull(d);
        //            ^ multiply(c) ran new Complex() and gave d
    }
";
    check_ran(
        "Complex.<init>",
        &whole(&[Receiver]),
        Some(("Complex.multiply", &[9, 10])),
        test,
    );
    let not = test.replace(
        "        //            ^ multiply(c) ran new Complex() and gave d\n",
        "",
    );
    check_ran(
        "Complex.<init>",
        &whole(&[Receiver]),
        Some(("Complex.multiply", &[9])),
        &not,
    );
}

#[test]
fn what_an_assertion_asks_itself_reaches_it() {
    check(
        "Complex.equals",
        &[Return],
        "        Complex a = new Complex(1, 2);
        Complex b = new Complex(1, 2);
        assertEquals(a, b); // born
        //           ^^^^ assertEquals(a, b) asked equals()
        assertEquals(a, b);
",
    );
    // Numbers have no such method here.
    check(
        "Complex.equals",
        &[Return],
        "        Complex a = new Complex(1, 2);
        assertEquals(1.0, a.getReal(), 0.1); // born
",
    );
}

#[test]
fn a_statement_over_several_lines_is_found_by_any_of_them() {
    check(
        "Complex.conjugate",
        &[Return],
        "        Complex a = new Complex(1, 2);
        Complex b = a
            .conjugate(); // born
        assertEquals(1.0,
            b.getReal(), 0.01);
        //  ^^^^^^^^^^^ conjugate() gave b, getReal() read b
        Complex c = a.conjugate();
        assertNotNull(c);
",
    );
    // Of a compiler that counts statements.
    check(
        "Complex.conjugate",
        &[Return],
        "        Complex a = new Complex(1, 2);
        Complex b = a // born
            .conjugate();
        assertNotNull(b);
        //            ^ conjugate() gave b
",
    );
}

#[test]
fn a_line_without_calls_of_it_reaches_nothing() {
    check(
        "Complex.conjugate",
        &[Return],
        "        Complex a = new Complex(1, 2);
        Complex b = a.conjugate();
        double x = a.getReal(); // born
        assertNotNull(b);
        assertEquals(1.0, x, 0.01);
",
    );
}

#[test]
fn an_assertion_in_a_try_of_evosuite_is_one_as_any_other() {
    check(
        "Complex.conjugate",
        &[Return],
        "        Complex a = new Complex(1, 2);
        Complex b = a.conjugate(); // born
        try {
            b.multiply((Complex) null);
            fail(\"Expecting exception: NullPointerException\");
        } catch (NullPointerException e) {
            verifyException(\"Complex\", e);
            assertEquals(1.0, b.getReal(), 0.01);
            //                ^^^^^^^^^^^ conjugate() gave b, getReal() read b
        }
        assertEquals(1.0, a.getReal(), 0.01);
",
    );
}

#[test]
fn chained_assertions_and_assert_statements_are_read_whole() {
    check(
        "Complex.getReal",
        &[Return],
        "        Complex a = new Complex(1, 2);
        double x = a.getReal(); // born
        assertThat(2.0).isEqualTo(x);
        //                        ^ getReal() gave x
        assertThat(a.getImaginary()).isEqualTo(2.0);
        assert x > 0 : \"no\";
        //     ^^^^^ getReal() gave x
",
    );
}

#[test]
fn a_helper_of_the_test_is_a_call_of_it() {
    check_class(
        "Complex.conjugate",
        &[Return],
        "    private Complex turned(Complex c) {
        return c.conjugate(); // born
    }
    @Test void test() {
        Complex a = new Complex(1, 2);
        Complex b = turned(a);
        assertNotNull(b);
        //            ^ turned(a) ran conjugate() and gave b
        assertNotNull(a);
    }
",
    );
}

#[test]
fn a_test_without_code_or_assertions_says_nothing() {
    check(
        "Complex.conjugate",
        &[Return, Receiver, Entry, Parameter(3)],
        "        new Complex(1, 2).conjugate(); // born
",
    );
}

#[test]
fn statements_conditions_and_lines_are_told() {
    let text = format!(
        "{MAIN}//- /src/test/java/T.java
class T {{
    @Test void test() {{
        Complex a = new Complex(1, 2);
        assertEquals(\"text\", (-1.5), a.getReal(), 0.01);
        assertEquals(Double.NaN, a.getImaginary());
        assertThat(a.getReal()).isEqualTo(2.0);
        assert a != null;
        assertTrue(true);
    }}
}}
"
    );
    let fixture = Fixture::parse(&text);
    let analysis = analysis(&fixture);
    let test = analysis.workspace().suite().tests()[0];
    let flow = TestFlow::new(&analysis, test).expect("it has code");
    let file = &fixture.files[1].text;
    let told: Vec<String> = flow
        .assertions()
        .iter()
        .map(|a| {
            format!(
                "{} {} | {}",
                a.line,
                &file[a.condition.range()],
                &file[a.statement.range()]
            )
        })
        .collect();
    expect_test::expect![[r#"
        4 a.getReal() | assertEquals("text", (-1.5), a.getReal(), 0.01);
        5 a.getImaginary() | assertEquals(Double.NaN, a.getImaginary());
        6 a.getReal() | assertThat(a.getReal()).isEqualTo(2.0);
        8 true | assertTrue(true);
        7 a != null | assert a != null;"#]]
    .assert_eq(&told.join("\n"));
}

/// Reaching definitions keep the latest changes of an object only; what was strange before them still is.
#[test]
fn what_an_object_was_given_long_ago_is_still_in_it() {
    let more = "        b.add(c);\n        c.getReal();\n".repeat(2000);
    check(
        "Complex.conjugate",
        &[Return],
        &format!(
            "    @Test void test() {{
        Complex c = new Complex(1, 2);
        Box b = new Box();
        Box other = new Box();
        b.add(c.conjugate()); // born
{more}        other.add(c);
        assertEquals(1, b.size());
        //              ^^^^^^^^ conjugate() gave a value, add(c.conjugate()) read it and changed b, size() read b
        assertEquals(1, other.size());
    }}
"
        ),
    );
}
