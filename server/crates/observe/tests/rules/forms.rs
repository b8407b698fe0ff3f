//! Rare and new forms of Java.

use super::check_edges;

/// Java that the grammar does not know alone (`docs/user/java-support.md`): values flow through it all the same.
#[test]
fn new_and_rare_forms_of_java_are_read() {
    check_edges(
        "class A { void m(int p) {
             int x;
             (x) = p;
             int[] a = { x };
             (a[0]) += 1;
         } }",
        "x@3 -> p@1 local 1
         a@4 -> x@3 local 1
         a@5 -> a@4 local 1",
    );
    check_edges(
        "class A { void m(int p) {
             int \\u0078 = p;
             int y€ = x + 0_17 + 0xF__F;
         } }",
        "x@2 -> p@1 local 1
         y€@3 -> x@2 local 1",
    );
    check_edges(
        "int x = 1;
         record P(int a) { }
         void main() {
             int y = x + new P(x).a();
         }",
        "a@2 -> a@2 local 1
         a@2 -> x@1 argument 1
         y@4 -> a@2 return 1
         y@4 -> x@1 field 1",
    );
    check_edges(
        "class A {
             A(int x) {
                 int y = x;
                 super();
                 int z = y;
             }
         }",
        "y@3 -> x@2 local 1
         z@5 -> y@3 local 1",
    );
    check_edges(
        "class A { int m(Object o) {
             return switch (o) {
                 case Integer _, Long _ -> 1;
                 case String when -> when.length();
                 case null, default -> 0;
             };
         } }",
        "when@4 -> o@1 local 1/3
         return@2 -> o@1 local 1
         return@2 -> when@4 library 1",
    );
    check_edges(
        "interface S { record C(int r) implements S { } }
         class A { void m(Object o) {
             if (o instanceof S.C(var r)) {
                 int y = r;
             }
         } }",
        "r@1 -> r@1 local 1
         r@3 -> o@2 local 1
         y@4 -> r@3 local 1/2",
    );
}
