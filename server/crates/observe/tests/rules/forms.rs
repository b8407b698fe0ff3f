//! Rare and new forms of Java.

use super::check_edges;

/// Java that the grammar does not know alone (`docs/user/java-support.md`): values flow through it all the same.
#[test]
fn new_and_rare_forms_of_java_are_read() {
    check_edges(
        "
class A { void m(int p) {
    int x;
    (x) = p;
//   ^ x: p local 1
    int[] a = { x };
//        ^ a#1: x local 1
    (a[0]) += 1;
//   ^ a#2: a#1 local 1
} }
",
    );
    check_edges(
        r#"
class A { void m(int p) {
    int \u0078 = p;
//      ^ x: p local 1
    int y€ = x + 0_17 + 0xF__F;
//      ^^ y€: x local 1
} }
"#,
    );
    check_edges(
        "
int x = 1;
record P(int a) { }
//           ^ a#1: x argument 1
//           ^ a#2: a#1 local 1
void main() {
    int y = x + new P(x).a();
//      ^ y: x field 1, a#2 return 1
}
",
    );
    check_edges(
        "
class A {
    A(int x) {
        int y = x;
//          ^ y: x local 1
        super();
        int z = y;
//          ^ z: y local 1
    }
}
",
    );
    check_edges(
        "
class A { int m(Object o) {
    return switch (o) {
//  ^^^^^^^^^^^^^^^^^^^ return: o local 1, when library 1
        case Integer _, Long _ -> 1;
        case String when -> when.length();
//                  ^^^^ when: o local 1/3
        case null, default -> 0;
    };
} }
",
    );
    check_edges(
        "
interface S { record C(int r) implements S { } }
//                         ^ r#2: r#1 local 1
class A { void m(Object o) {
    if (o instanceof S.C(var r)) {
//                           ^ r#3: o local 1
        int y = r;
//          ^ y: r#3 local 1/2
    }
} }
",
    );
}
