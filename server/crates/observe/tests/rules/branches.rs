//! How likely a statement runs given another of its method (`docs/method.md` §1.3): branches, loops, switches, exceptions.
//! Expected edges are derived from the text, as in `edges`.

use super::{check_edges, check_method};

#[test]
fn branches_are_equally_likely() {
    check_method(
        "int p, boolean c, boolean d",
        "int x = p;
            int y = 0;
            if (c) {
                y = x;
            } else if (d) {
                y = x + 1;
            } else {
                int u = x;
            }
            int z = y;",
        "x@3 -> p@2 local 1
         y@6 -> x@3 local 1/2
         y@8 -> x@3 local 1/4
         u@10 -> x@3 local 1/4
         z@12 -> y@4 local 1
         z@12 -> y@6 local 1
         z@12 -> y@8 local 1",
    );
    // What always runs together has 1, however unlikely both are.
    check_method(
        "int p, boolean c",
        "if (c) {
                int x = p;
                int y = x;
            }",
        "x@4 -> p@2 local 1/2
         y@5 -> x@4 local 1",
    );
    // A method that was left does not go on.
    check_method(
        "int p, boolean c",
        "int x = p;
            if (c) return;
            int y = x;
            if (c) throw new IllegalStateException();
            int z = x;",
        "x@3 -> p@2 local 1
         y@5 -> x@3 local 1/2
         z@7 -> x@3 local 1/4",
    );
}

/// They have no other way out: no definition gets past what they guard. As `while (c) b` is `if (c) b`, the end of the
/// body leads on.
#[test]
fn literal_true_conditions() {
    check_method(
        "int p",
        "int x = p;
            if (true) {
                x = x + 1;
            }
            while (true) {
                x = x + 2;
                if (x > 9) break;
            }
            for (;;) {
                x = x + 3;
                if (x > 9) break;
            }
            int y = x;",
        "x@3 -> p@2 local 1
         x@5 -> x@3 local 1
         x@8 -> x@5 local 1
         x@12 -> x@8 local 1
         y@15 -> x@12 local 1",
    );
}

#[test]
fn loops_run_once() {
    check_method(
        "int p, int k",
        "int x = p;
            while (k > 0) {
                x = x + p;
                k = k - 1;
            }
            int y = x;",
        "x@3 -> p@2 local 1
         x@5 -> p@2 local 1/2
         x@5 -> x@3 local 1/2
         k@6 -> k@2 local 1/2
         y@8 -> x@3 local 1
         y@8 -> x@5 local 1",
    );
    check_method(
        "int k",
        "int s = 0;
            for (int i = k;
                 i < 9;
                 i++) {
                s = s + i;
            }
            int y = s;",
        "i@4 -> k@2 local 1
         i@6 -> i@4 local 1/2
         s@7 -> i@4 local 1/2
         s@7 -> s@3 local 1/2
         y@9 -> s@3 local 1
         y@9 -> s@7 local 1",
    );
    check_method(
        "int[] a",
        "int s = 0;
            for (int e : a) {
                if (e < 0) continue;
                s = s + e;
            }",
        "e@4 -> a@2 local 1/2
         s@6 -> e@4 local 1/2
         s@6 -> s@3 local 1/4",
    );
    check_method(
        "int p",
        "int x = p;
            do {
                x = x + 1;
            } while (x < 9);
            int y = x;",
        "x@3 -> p@2 local 1
         x@5 -> x@3 local 1
         y@7 -> x@5 local 1",
    );
}

/// Line 9 runs after line 3 if the outer loop is entered (1/2) and the inner one not (1/2), or entered and not left by
/// the labelled break (1/4): 3/8.
#[test]
fn a_labelled_break_leaves_both_loops() {
    check_method(
        "int p",
        "int x = p;
            outer: while (p > 0) {
                while (p > 1) {
                    x = x + 1;
                    if (x > 9) break outer;
                }
                x = x + 2;
            }
            int y = x;",
        "x@3 -> p@2 local 1
         x@6 -> x@3 local 1/4
         x@9 -> x@3 local 3/8
         x@9 -> x@6 local 1/2
         y@11 -> x@3 local 1
         y@11 -> x@6 local 1
         y@11 -> x@9 local 1",
    );
    check_method(
        "int p",
        "int x = p;
            block: {
                if (x > 0) break block;
                x = x + 1;
            }
            int y = x;",
        "x@3 -> p@2 local 1
         x@6 -> x@3 local 1/2
         y@8 -> x@3 local 1
         y@8 -> x@6 local 1",
    );
}

#[test]
fn a_switch_divides_by_its_ways() {
    // With a default: as many ways as groups; nothing passes by.
    check_method(
        "int p",
        "int x = p;
            switch (p) {
                case 1: x = x + 1; break;
                case 2: x = x + 2; break;
                default: x = x + 3;
            }
            int y = x;",
        "x@3 -> p@2 local 1
         x@5 -> x@3 local 1/3
         x@6 -> x@3 local 1/3
         x@7 -> x@3 local 1/3
         y@9 -> x@5 local 1
         y@9 -> x@6 local 1
         y@9 -> x@7 local 1",
    );
    // Without one there is one way more, and what was before passes by.
    check_method(
        "int p",
        "int x = p;
            switch (p) {
                case 1 -> x = x + 1;
                case 2, 3 -> x = x + 2;
            }
            int y = x;",
        "x@3 -> p@2 local 1
         x@5 -> x@3 local 1/3
         x@6 -> x@3 local 1/3
         y@8 -> x@3 local 1
         y@8 -> x@5 local 1
         y@8 -> x@6 local 1",
    );
    // Falling through: line 6 is reached from its own label and from the one before.
    check_method(
        "int p",
        "int x = p;
            switch (p) {
                case 1: x = x + 1;
                case 2: x = x + 2;
            }
            int y = x;",
        "x@3 -> p@2 local 1
         x@5 -> x@3 local 1/3
         x@6 -> x@3 local 2/3
         x@6 -> x@5 local 1
         y@8 -> x@3 local 1
         y@8 -> x@6 local 1",
    );
    // As an expression: its arms are alternatives, the statement runs anyway.
    check_method(
        "int p, int q, int r",
        "int x = switch (p) {
                case 1 -> q;
                default -> {
                    int u = r;
                    yield u;
                }
            };",
        "u@6 -> r@2 local 1/2
         x@3 -> p@2 local 1
         x@3 -> q@2 local 1
         x@3 -> u@6 local 1",
    );
}

/// A catch clause among k is entered with 1/(k+1); an exception does not weaken what follows.
#[test]
fn exceptions() {
    check_method(
        "int p",
        "int x = p;
            try {
                x = g(p);
                h(p);
            } catch (IllegalStateException e) {
                x = x + 2;
            } catch (RuntimeException e) {
                int y = x;
            }
            int z = x;",
        "x@3 -> p@2 local 1
         x@5 -> p@2 library 1
         x@8 -> x@3 local 1/3
         x@8 -> x@5 local 1/3
         y@10 -> x@3 local 1/3
         y@10 -> x@5 local 1/3
         z@12 -> x@3 local 1
         z@12 -> x@5 local 1
         z@12 -> x@8 local 1",
    );
    // A clause that leaves does not make what follows less likely.
    check_method(
        "int p",
        "try {
                g(p);
            } catch (RuntimeException e) {
                return;
            }
            int z = p;",
        "z@8 -> p@2 local 1",
    );
    check_method(
        "int p",
        "int x = p;
            try {
                h(p);
                x = g(p);
            } finally {
                int y = x;
            }",
        "x@3 -> p@2 local 1
         x@6 -> p@2 library 1
         y@8 -> x@3 local 1
         y@8 -> x@6 local 1",
    );
    // What was caught is a definition of its own.
    check_method(
        "int p",
        "try {
                g(p);
            } catch (RuntimeException e) {
                String s = e.getMessage();
            }",
        "s@6 -> e@5 library 1",
    );
    check_edges(
        "class A {
            void m(String p) throws Exception {
                try (java.io.Reader r = open(p)) {
                    int c = r.read();
                }
            }
        }",
        "r@3 -> p@2 library 1
         c@4 -> r@3 library 1",
    );
}

#[test]
fn short_circuits_and_conditionals_are_branches() {
    check_method(
        "int p, boolean c, boolean d",
        "int x = 0;
            boolean b = c && (x = p) > 0;
            int y = x;
            if (c || d) {
                int z = p;
            }
            if (c && d) {
                int z = p;
            }",
        "x@4 -> p@2 local 1/2
         b@4 -> c@2 local 1
         b@4 -> x@4 local 1
         y@5 -> x@3 local 1
         y@5 -> x@4 local 1
         z@7 -> p@2 local 1/2
         z@10 -> p@2 local 1/2",
    );
    check_edges(
        "class A {
            void m(int p, int q, boolean c) {
                int x;
                int y = c ? (x = p) : f(q);
            }
            int f(int a) {
                return a + 1;
            }
        }",
        "x@4 -> p@2 local 1/2
         y@4 -> c@2 local 1
         y@4 -> x@4 local 1
         y@4 -> return@7 return 1
         a@6 -> q@2 argument 1/2
         return@7 -> a@6 local 1",
    );
}

/// Line 11 follows unless the inner loop is entered (1/2) and left by the labelled continue (1/2): 3/4 of the half in
/// which the outer loop runs.
#[test]
fn a_labelled_continue_takes_the_outer_turn() {
    check_method(
        "int p",
        "int x = p;
            outer: for (int i = p; i < 9;
                        i++) {
                for (int j = i; j < 9;
                     j++) {
                    if (j == 3) continue outer;
                    x = j;
                }
                x = i;
            }
            int y = x;",
        "x@3 -> p@2 local 1
         i@4 -> p@2 local 1
         i@5 -> i@4 local 1/2
         j@6 -> i@4 local 1/2
         j@7 -> j@6 local 1/4
         x@9 -> j@6 local 1/4
         x@11 -> i@4 local 3/8
         y@13 -> x@3 local 1
         y@13 -> x@11 local 1",
    );
    check_method(
        "int p",
        "int x = p;
            do {
                x = x + 1;
                if (x > 9) break;
                x = x + 2;
            } while (true);
            int y = x;",
        "x@3 -> p@2 local 1
         x@5 -> x@3 local 1
         x@7 -> x@5 local 1/2
         y@9 -> x@5 local 1
         y@9 -> x@7 local 1",
    );
}

#[test]
fn a_switch_that_gives_a_value_has_no_way_past_its_labels() {
    check_edges(
        "class A {
            enum E { ONE, TWO }
            int m(E e, int p) {
                int x = switch (e) {
                    case ONE -> {
                        int t = p;
                        yield t;
                    }
                    case TWO -> p;
                };
                return x;
            }
        }",
        "t@6 -> p@3 local 1/2
         x@4 -> e@3 local 1
         x@4 -> p@3 local 1
         x@4 -> t@6 local 1",
    );
}

#[test]
fn a_default_in_the_middle() {
    check_method(
        "int p",
        "int x = p;
            switch (p) {
                case 1: x = x + 1; break;
                default: x = x + 2;
                case 2: x = x + 3;
            }
            int y = x;",
        "x@3 -> p@2 local 1
         x@5 -> x@3 local 1/3
         x@6 -> x@3 local 1/3
         x@7 -> x@3 local 2/3
         x@7 -> x@6 local 1
         y@9 -> x@5 local 1
         y@9 -> x@7 local 1",
    );
    // A switch in a way of another: one of four (three and none) of one of two.
    check_method(
        "int p, int q",
        "switch (p) {
                case 1 -> {
                    switch (q) {
                        case 1, 2 -> { int x = p; }
                        case 3 -> { int y = p; }
                        case 4 -> { int z = p; }
                    }
                }
                default -> { }
            }",
        "x@6 -> p@2 local 1/8
         y@7 -> p@2 local 1/8
         z@8 -> p@2 local 1/8",
    );
}

#[test]
fn clauses_of_a_try() {
    // One clause for several types is one clause.
    check_method(
        "int p",
        "try {
                g(p);
            } catch (IllegalStateException | IllegalArgumentException e) {
                int y = p;
            }
            try {
                try {
                    g(p);
                } catch (IllegalStateException e) {
                    int u = p;
                }
                int v = p;
            } catch (RuntimeException e) {
                int w = p;
            } finally {
                int z = p;
            }",
        "y@6 -> p@2 local 1/2
         u@12 -> p@2 local 1/2
         v@14 -> p@2 local 1
         w@16 -> p@2 local 1/2
         z@18 -> p@2 local 1",
    );
}

/// Where one way out of a branch leaves the method, the other alone says what reaches the rest.
#[test]
fn what_one_way_leaves_the_other_defines() {
    check_method(
        "int p, boolean c",
        "int x = p;
            if (c) {
                x = x + 1;
            } else {
                return;
            }
            int y = x;",
        "x@3 -> p@2 local 1
         x@5 -> x@3 local 1/2
         y@9 -> x@5 local 1",
    );
    check_method(
        "int p, boolean c",
        "int x = p;
            while (c) {
                switch (x) {
                    case 1: x = x + 1; continue;
                    case 2: x = x + 2; break;
                    default: return;
                }
                x = x + 3;
            }
            int y = x;",
        "x@3 -> p@2 local 1
         x@6 -> x@3 local 1/6
         x@7 -> x@3 local 1/6
         x@10 -> x@7 local 1
         y@12 -> x@3 local 5/6
         y@12 -> x@6 local 1
         y@12 -> x@10 local 1",
    );
    // Line 4 ends for case 1 (1/3), and for case 2 unless it throws (1/3 · 3/4).
    check_method(
        "int p",
        "int x = p;
            int z = switch (p) {
                case 1 -> {
                    x = x + 1;
                    yield 1;
                }
                case 2 -> {
                    int v = x;
                    if (v > 0) {
                        x = v;
                    } else if (v < 0) {
                        throw new IllegalStateException();
                    }
                    yield x;
                }
                default -> throw new IllegalArgumentException();
            };
            int y = x;",
        "x@3 -> p@2 local 1
         x@6 -> x@3 local 1/3
         v@10 -> x@3 local 1/3
         x@12 -> v@10 local 1/2
         z@4 -> p@2 local 7/12
         z@4 -> x@3 local 7/12
         z@4 -> x@12 local 1
         y@20 -> x@3 local 7/12
         y@20 -> x@6 local 1
         y@20 -> x@12 local 1",
    );
    // Deeper, with a dead end behind it: both ways of the inner branch leave.
    check_edges(
        "class A {
            int m(int p, boolean c, boolean d) {
                int x = p;
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
                return y;
            }
        }",
        "x@3 -> p@2 local 1
         y@18 -> x@7 local 1",
    );
    check_method(
        "int p",
        "int x = p;
            try {
                x = g(x);
            } catch (RuntimeException e) {
                return;
            }
            int y = x;",
        "x@3 -> p@2 local 1
         x@5 -> x@3 library 1
         y@9 -> x@5 local 1",
    );
}
