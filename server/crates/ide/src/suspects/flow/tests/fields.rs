//! What is strange of one field of an object, and which queries it reaches.

use super::*;

/// Checks the ways of one field of what is strange, in a test of these statements.
#[track_caller]
fn check_field(method: &str, of: Strange, field: &str, statements: &str) {
    let spot = Spot {
        of,
        field: Some(field.into()),
    };
    let test = format!("    @Test void test() {{\n{statements}    }}\n");
    check_ran(method, &[spot], None, &test);
}

#[test]
fn a_field_reaches_what_reads_it() {
    check_field(
        "Complex.conjugate",
        Return,
        "im",
        "        Complex a = new Complex(1, 2);
        Complex b = a.conjugate(); // born
        Complex c = b;
        assertEquals(1.0, b.getReal(), 0.01);
        assertEquals(1.0, b.norm(), 0.01);
        assertEquals(-2.0, b.getImaginary(), 0.01);
        //                 ^^^^^^^^^^^^^^^^ conjugate() gave b, getImaginary() read b
        assertEquals(-2.0, c.getImaginary(), 0.01);
        //                 ^^^^^^^^^^^^^^^^ conjugate() gave b, c was made of b, getImaginary() read c
        assertNotNull(b);
        assertTrue(b != null);
        assertTrue(b instanceof Complex);
        assertEquals(a, b);
        //           ^^^^ conjugate() gave b
        assertNotEquals(a, b);
        //              ^^^^ conjugate() gave b
        assertFalse(a.equals(b));
        //          ^^^^^^^^^^^ conjugate() gave b, equals(b) read b
        assertEquals(\"(1, -2)\", b.toString());
        //                      ^^^^^^^^^^^^ conjugate() gave b, toString() read b
        double d = b.multiply(a).getReal();
        assertEquals(0.0, d, 0.01);
        //                ^ conjugate() gave b, multiply(a) read b, getReal() read it and gave d
",
    );
}

#[test]
fn a_field_of_a_receiver_reaches_what_reads_it() {
    check_field(
        "Box.add",
        Receiver,
        "last",
        "        Box b = new Box();
        b.add(new Complex(1, 2)); // born
        assertEquals(1, b.size());
        assertFalse(b.isEmpty());
        assertNotNull(b.last());
        //            ^^^^^^^^ add(new Complex(1, 2)) left it in b, last() read b
        Complex c = b.last();
        assertEquals(1.0, c.getReal(), 0.01);
        //                ^^^^^^^^^^^ add(new Complex(1, 2)) left it in b, last() read b and gave c, getReal() read c
",
    );
}

#[test]
fn what_hangs_on_a_variable_by_a_field_is_strange_in_that_field() {
    check_field(
        "Box.pop",
        Receiver,
        "count",
        "        Crate crate = new Crate();
        Crate other = new Crate();
        crate.inner.pop(); // born
        assertEquals(0, crate.inner.size());
        //              ^^^^^^^^^^^^^^^^^^ pop() left it in crate, size() read crate
        assertEquals(0, crate.inner().size());
        //              ^^^^^^^^^^^^^^^^^^^^ pop() left it in crate, inner() read crate, size() read it
        assertEquals(0, crate.spare.size());
        assertEquals(0, other.inner.size());
",
    );
    // Who knows which of them a getter gives.
    check_field(
        "Box.pop",
        Receiver,
        "count",
        "        Crate crate = new Crate();
        crate.inner().pop(); // born
        assertEquals(0, crate.inner.size());
        //              ^^^^^^^^^^^^^^^^^^ pop() left it in crate, size() read crate
",
    );
}
