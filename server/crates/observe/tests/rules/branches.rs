//! How likely a statement runs given another of its method (`docs/method.md` §1.3): branches, loops, switches, exceptions.
//! Marks are derived from the text, as in `edges`.

use super::{check_edges, check_method};

#[test]
fn branches_are_equally_likely() {
    check_method(
        "int p, boolean c, boolean d",
        "
    int x = p;
//      ^ x: p local 1
    int y = 0;
    if (c) {
        y = x;
//      ^ y#2: x local 1/2
    } else if (d) {
        y = x + 1;
//      ^ y#3: x local 1/4
    } else {
        int u = x;
//          ^ u: x local 1/4
    }
    int z = y;
//      ^ z: y#1 local 1, y#2 local 1, y#3 local 1
",
    );
    // What always runs together has 1, however unlikely both are.
    check_method(
        "int p, boolean c",
        "
    if (c) {
        int x = p;
//          ^ x: p local 1/2
        int y = x;
//          ^ y: x local 1
    }
",
    );
    // A method that was left does not go on.
    check_method(
        "int p, boolean c",
        "
    int x = p;
//      ^ x: p local 1
    if (c) return;
    int y = x;
//      ^ y: x local 1/2
    if (c) throw new IllegalStateException();
    int z = x;
//      ^ z: x local 1/4
",
    );
}

/// They have no other way out: no definition gets past what they guard. As `while (c) b` is `if (c) b`, the end of the
/// body leads on.
#[test]
fn literal_true_conditions() {
    check_method(
        "int p",
        "
    int x = p;
//      ^ x#1: p local 1
    if (true) {
        x = x + 1;
//      ^ x#2: x#1 local 1
    }
    while (true) {
        x = x + 2;
//      ^ x#3: x#2 local 1
        if (x > 9) break;
    }
    for (;;) {
        x = x + 3;
//      ^ x#4: x#3 local 1
        if (x > 9) break;
    }
    int y = x;
//      ^ y: x#4 local 1
",
    );
}

#[test]
fn loops_run_once() {
    check_method(
        "int p, int k",
        "
    int x = p;
//      ^ x#1: p local 1
    while (k > 0) {
        x = x + p;
//      ^ x#2: p local 1/2, x#1 local 1/2
        k = k - 1;
//      ^ k#2: k#1 local 1/2
    }
    int y = x;
//      ^ y: x#1 local 1, x#2 local 1
",
    );
    check_method(
        "int k",
        "
    int s = 0;
    for (int i = k;
//           ^ i#1: k local 1
         i < 9;
         i++) {
//       ^ i#2: i#1 local 1/2
        s = s + i;
//      ^ s#2: s#1 local 1/2, i#1 local 1/2
    }
    int y = s;
//      ^ y: s#1 local 1, s#2 local 1
",
    );
    check_method(
        "int[] a",
        "
    int s = 0;
    for (int e : a) {
//           ^ e: a local 1/2
        if (e < 0) continue;
        s = s + e;
//      ^ s#2: s#1 local 1/4, e local 1/2
    }
",
    );
    check_method(
        "int p",
        "
    int x = p;
//      ^ x#1: p local 1
    do {
        x = x + 1;
//      ^ x#2: x#1 local 1
    } while (x < 9);
    int y = x;
//      ^ y: x#2 local 1
",
    );
}

/// `x#3` runs after `x#1` if the outer loop is entered (1/2) and the inner one not (1/2), or entered and not left by
/// the labelled break (1/4): 3/8.
#[test]
fn a_labelled_break_leaves_both_loops() {
    check_method(
        "int p",
        "
    int x = p;
//      ^ x#1: p local 1
    outer: while (p > 0) {
        while (p > 1) {
            x = x + 1;
//          ^ x#2: x#1 local 1/4
            if (x > 9) break outer;
        }
        x = x + 2;
//      ^ x#3: x#1 local 3/8, x#2 local 1/2
    }
    int y = x;
//      ^ y: x#1 local 1, x#2 local 1, x#3 local 1
",
    );
    check_method(
        "int p",
        "
    int x = p;
//      ^ x#1: p local 1
    block: {
        if (x > 0) break block;
        x = x + 1;
//      ^ x#2: x#1 local 1/2
    }
    int y = x;
//      ^ y: x#1 local 1, x#2 local 1
",
    );
}

#[test]
fn a_switch_divides_by_its_ways() {
    // With a default: as many ways as groups; nothing passes by.
    check_method(
        "int p",
        "
    int x = p;
//      ^ x#1: p local 1
    switch (p) {
        case 1: x = x + 1; break;
//              ^ x#2: x#1 local 1/3
        case 2: x = x + 2; break;
//              ^ x#3: x#1 local 1/3
        default: x = x + 3;
//               ^ x#4: x#1 local 1/3
    }
    int y = x;
//      ^ y: x#2 local 1, x#3 local 1, x#4 local 1
",
    );
    // Without one there is one way more, and what was before passes by.
    check_method(
        "int p",
        "
    int x = p;
//      ^ x#1: p local 1
    switch (p) {
        case 1 -> x = x + 1;
//                ^ x#2: x#1 local 1/3
        case 2, 3 -> x = x + 2;
//                   ^ x#3: x#1 local 1/3
    }
    int y = x;
//      ^ y: x#1 local 1, x#2 local 1, x#3 local 1
",
    );
    // Falling through: `x#3` is reached from its own label and from the one before.
    check_method(
        "int p",
        "
    int x = p;
//      ^ x#1: p local 1
    switch (p) {
        case 1: x = x + 1;
//              ^ x#2: x#1 local 1/3
        case 2: x = x + 2;
//              ^ x#3: x#1 local 2/3, x#2 local 1
    }
    int y = x;
//      ^ y: x#1 local 1, x#3 local 1
",
    );
    // As an expression: its arms are alternatives, the statement runs anyway.
    check_method(
        "int p, int q, int r",
        "
    int x = switch (p) {
//      ^ x: p local 1, q local 1, u local 1
        case 1 -> q;
        default -> {
            int u = r;
//              ^ u: r local 1/2
            yield u;
        }
    };
",
    );
}

/// A catch clause among k is entered with 1/(k+1); an exception does not weaken what follows.
#[test]
fn exceptions() {
    check_method(
        "int p",
        "
    int x = p;
//      ^ x#1: p local 1
    try {
        x = g(p);
//      ^ x#2: p library 1
        h(p);
    } catch (IllegalStateException e) {
        x = x + 2;
//      ^ x#3: x#1 local 1/3, x#2 local 1/3
    } catch (RuntimeException e) {
        int y = x;
//          ^ y: x#1 local 1/3, x#2 local 1/3
    }
    int z = x;
//      ^ z: x#1 local 1, x#2 local 1, x#3 local 1
",
    );
    // A clause that leaves does not make what follows less likely.
    check_method(
        "int p",
        "
    try {
        g(p);
    } catch (RuntimeException e) {
        return;
    }
    int z = p;
//      ^ z: p local 1
",
    );
    check_method(
        "int p",
        "
    int x = p;
//      ^ x#1: p local 1
    try {
        h(p);
        x = g(p);
//      ^ x#2: p library 1
    } finally {
        int y = x;
//          ^ y: x#1 local 1, x#2 local 1
    }
",
    );
    // What was caught is a definition of its own.
    check_method(
        "int p",
        "
    try {
        g(p);
    } catch (RuntimeException e) {
        String s = e.getMessage();
//             ^ s: e library 1
    }
",
    );
    check_edges(
        "
class A {
    void m(String p) throws Exception {
        try (java.io.Reader r = open(p)) {
//                          ^ r: p library 1
            int c = r.read();
//              ^ c: r library 1
        }
    }
}
",
    );
}

#[test]
fn short_circuits_and_conditionals_are_branches() {
    check_method(
        "int p, boolean c, boolean d",
        "
    int x = 0;
    boolean b = c && (x = p) > 0;
//          ^ b: c local 1, x#2 local 1
//                    ^ x#2: p local 1/2
    int y = x;
//      ^ y: x#1 local 1, x#2 local 1
    if (c || d) {
        int z = p;
//          ^ z#1: p local 1/2
    }
    if (c && d) {
        int z = p;
//          ^ z#2: p local 1/2
    }
",
    );
    check_edges(
        "
class A {
    void m(int p, int q, boolean c) {
        int x;
        int y = c ? (x = p) : f(q);
//          ^ y: c local 1, x local 1, return return 1
//                   ^ x: p local 1/2
    }
    int f(int a) {
//            ^ a: q argument 1/2
        return a + 1;
//      ^^^^^^^^^^^^^ return: a local 1
    }
}
",
    );
}

/// `x#3` follows unless the inner loop is entered (1/2) and left by the labelled continue (1/2): 3/4 of the half in
/// which the outer loop runs.
#[test]
fn a_labelled_continue_takes_the_outer_turn() {
    check_method(
        "int p",
        "
    int x = p;
//      ^ x#1: p local 1
    outer: for (int i = p; i < 9;
//                  ^ i#1: p local 1
                i++) {
//              ^ i#2: i#1 local 1/2
        for (int j = i; j < 9;
//               ^ j#1: i#1 local 1/2
             j++) {
//           ^ j#2: j#1 local 1/4
            if (j == 3) continue outer;
            x = j;
//          ^ x#2: j#1 local 1/4
        }
        x = i;
//      ^ x#3: i#1 local 3/8
    }
    int y = x;
//      ^ y: x#1 local 1, x#3 local 1
",
    );
    check_method(
        "int p",
        "
    int x = p;
//      ^ x#1: p local 1
    do {
        x = x + 1;
//      ^ x#2: x#1 local 1
        if (x > 9) break;
        x = x + 2;
//      ^ x#3: x#2 local 1/2
    } while (true);
    int y = x;
//      ^ y: x#2 local 1, x#3 local 1
",
    );
}

#[test]
fn a_switch_that_gives_a_value_has_no_way_past_its_labels() {
    check_edges(
        "
class A {
    enum E { ONE, TWO }
    int m(E e, int p) {
        int x = switch (e) {
//          ^ x: e local 1, p local 1, t local 1
            case ONE -> {
                int t = p;
//                  ^ t: p local 1/2
                yield t;
            }
            case TWO -> p;
        };
        return x;
    }
}
",
    );
}

#[test]
fn a_default_in_the_middle() {
    check_method(
        "int p",
        "
    int x = p;
//      ^ x#1: p local 1
    switch (p) {
        case 1: x = x + 1; break;
//              ^ x#2: x#1 local 1/3
        default: x = x + 2;
//               ^ x#3: x#1 local 1/3
        case 2: x = x + 3;
//              ^ x#4: x#1 local 2/3, x#3 local 1
    }
    int y = x;
//      ^ y: x#2 local 1, x#4 local 1
",
    );
    // A switch in a way of another: one of four (three and none) of one of two.
    check_method(
        "int p, int q",
        "
    switch (p) {
        case 1 -> {
            switch (q) {
                case 1, 2 -> { int x = p; }
//                                 ^ x: p local 1/8
                case 3 -> { int y = p; }
//                              ^ y: p local 1/8
                case 4 -> { int z = p; }
//                              ^ z: p local 1/8
            }
        }
        default -> { }
    }
",
    );
}

#[test]
fn clauses_of_a_try() {
    // One clause for several types is one clause.
    check_method(
        "int p",
        "
    try {
        g(p);
    } catch (IllegalStateException | IllegalArgumentException e) {
        int y = p;
//          ^ y: p local 1/2
    }
    try {
        try {
            g(p);
        } catch (IllegalStateException e) {
            int u = p;
//              ^ u: p local 1/2
        }
        int v = p;
//          ^ v: p local 1
    } catch (RuntimeException e) {
        int w = p;
//          ^ w: p local 1/2
    } finally {
        int z = p;
//          ^ z: p local 1
    }
",
    );
}

/// Where one way out of a branch leaves the method, the other alone says what reaches the rest.
#[test]
fn what_one_way_leaves_the_other_defines() {
    check_method(
        "int p, boolean c",
        "
    int x = p;
//      ^ x#1: p local 1
    if (c) {
        x = x + 1;
//      ^ x#2: x#1 local 1/2
    } else {
        return;
    }
    int y = x;
//      ^ y: x#2 local 1
",
    );
    check_method(
        "int p, boolean c",
        "
    int x = p;
//      ^ x#1: p local 1
    while (c) {
        switch (x) {
            case 1: x = x + 1; continue;
//                  ^ x#2: x#1 local 1/6
            case 2: x = x + 2; break;
//                  ^ x#3: x#1 local 1/6
            default: return;
        }
        x = x + 3;
//      ^ x#4: x#3 local 1
    }
    int y = x;
//      ^ y: x#1 local 5/6, x#2 local 1, x#4 local 1
",
    );
    // `z` is defined for case 1 (1/3), and for case 2 unless it throws (1/3 · 3/4).
    check_method(
        "int p",
        "
    int x = p;
//      ^ x#1: p local 1
    int z = switch (p) {
//      ^ z: p local 7/12, x#1 local 7/12, x#3 local 1
        case 1 -> {
            x = x + 1;
//          ^ x#2: x#1 local 1/3
            yield 1;
        }
        case 2 -> {
            int v = x;
//              ^ v: x#1 local 1/3
            if (v > 0) {
                x = v;
//              ^ x#3: v local 1/2
            } else if (v < 0) {
                throw new IllegalStateException();
            }
            yield x;
        }
        default -> throw new IllegalArgumentException();
    };
    int y = x;
//      ^ y: x#1 local 7/12, x#2 local 1, x#3 local 1
",
    );
    // Deeper, with a dead end behind it: both ways of the inner branch leave.
    check_edges(
        "
class A {
    int m(int p, boolean c, boolean d) {
        int x = p;
//          ^ x#1: p local 1
        if (c) {
            x = 1;
            if (d) {
                x = 2;
            } else {
                return 0;
            }
        } else {
            if (d) {
                return 1;
            } else {
                return 2;
            }
        }
        int y = x;
//          ^ y: x#3 local 1
        return y;
    }
}
",
    );
    check_method(
        "int p",
        "
    int x = p;
//      ^ x#1: p local 1
    try {
        x = g(x);
//      ^ x#2: x#1 library 1
    } catch (RuntimeException e) {
        return;
    }
    int y = x;
//      ^ y: x#2 local 1
",
    );
}
