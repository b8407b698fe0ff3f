//! Definitions and uses inside a method (`docs/method.md` §1.1-1.2), each rule on the smallest program that shows it. The
//! marks are derived from the text, not from the binary: `x: y#2 local 1/2` says that the definition of `x` above it uses
//! the second of `y` in the text and runs half of the times that that one ran. All edges of a program are compared, so one
//! too many fails too. `branches` and `links` go on with probabilities and with what is between methods.

use super::{check_candidates, check_edges, check_method};

#[test]
fn definitions_and_uses() {
    // A declaration without initialiser defines nothing, and a use defines nothing.
    check_method(
        "int p",
        "
    int y;
    g(p);
    int x = p;
//      ^ x: p local 1
    y = x + 1;
//  ^ y#1: x local 1
    y += x;
//  ^ y#2: x local 1, y#1 local 1
    y++;
//  ^ y#3: y#2 local 1
",
    );
    // A definition replaces the one before.
    check_method(
        "int p, int q",
        "
    int x = p;
//      ^ x#1: p local 1
    x = q;
//  ^ x#2: q local 1
    int y = x;
//      ^ y: x#2 local 1
",
    );
    // An assignment inside an expression lies in between.
    check_method(
        "int p",
        "
    int x;
    int y = (x = p) + 1;
//      ^ y: x local 1
//           ^ x: p local 1
",
    );
}

#[test]
fn what_counts_as_a_candidate() {
    check_candidates(
        "
class A {
    int f = 1;
//      ^ field
    int g;
    void m(int p, int[] a) throws Exception {
//             ^ parameter
//                      ^ parameter
        int l = 1, none;
//          ^ local
        a[0] = 2;
//      ^ array
        for (int e : a) { l += e; }
//               ^ loop
//                        ^ local
        try (java.io.Reader r = open()) { l++; } catch (RuntimeException c) { }
//                          ^ resource
//                                        ^ local
//                                                                       ^ catch
        Object o = null;
//             ^ local
        if (o instanceof String s) { this.g = 3; }
//                              ^ pattern
//                                   ^ field
        Runnable k = () -> { };
//               ^ local
        java.util.function.IntConsumer j = q -> { };
//                                     ^ local
//                                         ^ lambda-parameter
    }
    int computed(int p) { return p + 1; }
//                   ^ parameter
//                        ^^^^^^^^^^^^^ return
    int variable(int p) { return p; }
//                   ^ parameter
    int assigned(int p) { return g = p; }
//                   ^ parameter
//                               ^ field
    int literal() { return 1; }
    A self() { return this; }
    abstract static class B { abstract void none(int p); }
    void unnamed(java.util.List<A> l) {
//                                 ^ parameter
        for (A _ : l) { int _ = 1; }
        try { g(); } catch (Exception _) { }
        l.forEach(_ -> { });
    }
}
",
    );
}

#[test]
fn elements_are_weak() {
    check_method(
        "int i, int v",
        "
    int[] a = new int[9];
    a[0] = v;
//  ^ a#2: v local 1, a#1 local 1
    a[i] = 1;
//  ^ a#3: i local 1, a#1 local 1, a#2 array 1
    int x = a[1];
//      ^ x: a#1 local 1, a#2 array 1, a#3 array 1
    a = new int[i];
//  ^ a#4: i local 1
    int y = a[2];
//      ^ y: a#4 local 1
",
    );
}

#[test]
fn fields_within_a_method() {
    check_edges(
        "
class A {
    int f;
    static int s;
    void m(int p, A o) {
        this.f = p;
//      ^ f#1: p local 1
        f = 2;
        int x = this.f;
//          ^ x: f#2 local 1
        s = p;
//      ^ s#1: p local 1
        A.s = 3;
        int y = s;
//          ^ y: s#2 local 1
        o.f = p;
//      ^ f#3: p local 1, o local 1
        int z = f;
//          ^ z: f#2 local 1, f#3 local 1
    }
}
",
    );
    // A call replaces no field, and a use that own definitions reach takes none from elsewhere.
    check_edges(
        "
class A {
    int f;
    void m(int p) {
        f = p;
//      ^ f#1: p local 1
        other();
        int x = f;
//          ^ x: f#1 local 1
    }
    void other() {
        f = 7;
    }
}
",
    );
}

/// A binding is defined where it is tested, which runs anyway; what it guards runs half of the times.
#[test]
fn patterns() {
    check_method(
        "Object o",
        "
    if (o instanceof String s) {
//                          ^ s: o local 1
        int n = s.length();
//          ^ n: s library 1/2
    }
",
    );
    check_method(
        "Object o",
        "
    if (!(o instanceof String s)) return;
//                            ^ s: o local 1
    int n = s.length();
//      ^ n: s library 1/2
",
    );
    check_edges(
        "
class A {
    record P(int x, int y) { }
//               ^ x#2: x#1 local 1
//                      ^ y#2: y#1 local 1
    int m(Object o) {
        return switch (o) {
//      ^^^^^^^^^^^^^^^^^^^ return: o local 1, s library 1, u local 1
            case String s -> s.length();
//                      ^ s: o local 1/3
            case P(int x, int y) -> {
//                     ^ x#3: o local 1/3
//                            ^ y#3: o local 1/3
                int u = x;
//                  ^ u: x#3 local 1
                yield u;
            }
            default -> 0;
        };
    }
}
",
    );
}

#[test]
fn assignments_in_odd_places() {
    check_method(
        "int p",
        "
    int x, y;
    x = y = p;
//  ^ x: y local 1
//      ^ y: p local 1
    int a = p,
//      ^ a: p local 1
        b = a;
//      ^ b: a local 1
    long c = (long) (a + b);
//       ^ c: a local 1, b local 1
    int[] d = { a, b };
//        ^ d: a local 1, b local 1
",
    );
    check_edges(
        "
class A {
    int f;
    void m(int p) {
        f = p;
//      ^ f#1: p local 1
        f += 2;
//      ^ f#2: f#1 local 1
        this.f++;
//      ^ f#3: f#2 local 1
        int x = f;
//          ^ x: f#3 local 1
    }
}
",
    );
    check_method(
        "int[] a, int i, int v",
        "
    a[i] += v;
//  ^ a#2: a#1 local 1, i local 1, v local 1
    a[0]++;
//  ^ a#3: a#1 local 1, a#2 array 1
    int x = a[1];
//      ^ x: a#1 local 1, a#2 array 1, a#3 array 1
",
    );
    check_method(
        "int x",
        "
    int y, z;
    while (x > 0 && (y = x) > 1) {
//                   ^ y: x local 1/2
        z = y;
//      ^ z: y local 1/2
    }
",
    );
}

/// The two halves of `&&` meet before the branch: what the left one binds runs anyway, what both guard half the times.
#[test]
fn a_pattern_before_a_condition() {
    check_method(
        "Object o",
        "
    if (o instanceof Integer i && i > 3) {
//                           ^ i: o local 1
        int k = i;
//          ^ k: i local 1/2
    }
    if (o instanceof A a) {
//                     ^ a: o local 1
        int u = a.hashCode();
//          ^ u: a library 1/2
    } else if (o instanceof String s) {
//                                 ^ s: o local 1/2
        int v = s.length();
//          ^ v: s library 1/2
    }
",
    );
}
