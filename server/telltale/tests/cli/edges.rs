//! Every rule of the algorithms' §1.1-1.3 on the smallest program that shows it. The expected edges are derived from
//! the text, not from the binary: `x@5 -> y@3 local 1/2` says that the definition of `x` in line 5 uses that of `y` in
//! line 3 and runs half of the times that line 3 ran. All edges of a program are compared, so one too many fails too.

use crate::support::{Project, candidates_of, check_edges};

#[test]
fn definitions_and_uses() {
    // A declaration without initialiser defines nothing, and a use defines nothing.
    check_edges(
        "class A {
            void m(int p) {
                int y;
                g(p);
                int x = p;
                y = x + 1;
                y += x;
                y++;
            }
        }",
        "x@5 -> p@2 local 1
         y@6 -> x@5 local 1
         y@7 -> x@5 local 1
         y@7 -> y@6 local 1
         y@8 -> y@7 local 1",
    );
    // A definition replaces the one before.
    check_edges(
        "class A {
            void m(int p, int q) {
                int x = p;
                x = q;
                int y = x;
            }
        }",
        "x@3 -> p@2 local 1
         x@4 -> q@2 local 1
         y@5 -> x@4 local 1",
    );
    // An assignment inside an expression lies in between.
    check_edges(
        "class A {
            void m(int p) {
                int x;
                int y = (x = p) + 1;
            }
        }",
        "x@4 -> p@2 local 1
         y@4 -> x@4 local 1",
    );
}

#[test]
fn what_counts_as_a_candidate() {
    let is = candidates_of(
        "class A {
            int f = 1;
            int g;
            void m(int p, int[] a) throws Exception {
                int l = 1, none;
                a[0] = 2;
                for (int e : a) { l += e; }
                try (java.io.Reader r = open()) { l++; } catch (RuntimeException c) { }
                Object o = null;
                if (o instanceof String s) { this.g = 3; }
                Runnable k = () -> { };
                java.util.function.IntConsumer j = q -> { };
            }
            int computed(int p) { return p + 1; }
            int variable(int p) { return p; }
            int assigned(int p) { return g = p; }
            int literal() { return 1; }
            A self() { return this; }
            abstract static class B { abstract void none(int p); }
        }",
    );
    assert_eq!(
        is,
        "f@2 field
p@4 parameter
a@4 parameter
l@5 local
a@6 array
e@7 loop
l@7 local
r@8 resource
l@8 local
c@8 catch
o@9 local
s@10 pattern
g@10 field
k@11 local
j@12 local
q@12 lambda-parameter
p@14 parameter
return@14 return
p@15 parameter
p@16 parameter
g@16 field
"
    );
}

#[test]
fn branches_are_equally_likely() {
    check_edges(
        "class A {
            void m(int p, boolean c, boolean d) {
                int x = p;
                int y = 0;
                if (c) {
                    y = x;
                } else if (d) {
                    y = x + 1;
                } else {
                    int u = x;
                }
                int z = y;
            }
        }",
        "x@3 -> p@2 local 1
         y@6 -> x@3 local 1/2
         y@8 -> x@3 local 1/4
         u@10 -> x@3 local 1/4
         z@12 -> y@4 local 1
         z@12 -> y@6 local 1
         z@12 -> y@8 local 1",
    );
    // What always runs together has 1, however unlikely both are.
    check_edges(
        "class A {
            void m(int p, boolean c) {
                if (c) {
                    int x = p;
                    int y = x;
                }
            }
        }",
        "x@4 -> p@2 local 1/2
         y@5 -> x@4 local 1",
    );
    // A method that was left does not go on.
    check_edges(
        "class A {
            void m(int p, boolean c) {
                int x = p;
                if (c) return;
                int y = x;
                if (c) throw new IllegalStateException();
                int z = x;
            }
        }",
        "x@3 -> p@2 local 1
         y@5 -> x@3 local 1/2
         z@7 -> x@3 local 1/4",
    );
}

/// They have no other way out: no definition gets past what they guard. As `while (c) b` is `if (c) b`, the end of the
/// body leads on.
#[test]
fn literal_true_conditions() {
    check_edges(
        "class A {
            void m(int p) {
                int x = p;
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
                int y = x;
            }
        }",
        "x@3 -> p@2 local 1
         x@5 -> x@3 local 1
         x@8 -> x@5 local 1
         x@12 -> x@8 local 1
         y@15 -> x@12 local 1",
    );
}

#[test]
fn loops_run_once() {
    check_edges(
        "class A {
            void m(int p, int k) {
                int x = p;
                while (k > 0) {
                    x = x + p;
                    k = k - 1;
                }
                int y = x;
            }
        }",
        "x@3 -> p@2 local 1
         x@5 -> p@2 local 1/2
         x@5 -> x@3 local 1/2
         k@6 -> k@2 local 1/2
         y@8 -> x@3 local 1
         y@8 -> x@5 local 1",
    );
    check_edges(
        "class A {
            void m(int k) {
                int s = 0;
                for (int i = k;
                     i < 9;
                     i++) {
                    s = s + i;
                }
                int y = s;
            }
        }",
        "i@4 -> k@2 local 1
         i@6 -> i@4 local 1/2
         s@7 -> i@4 local 1/2
         s@7 -> s@3 local 1/2
         y@9 -> s@3 local 1
         y@9 -> s@7 local 1",
    );
    check_edges(
        "class A {
            void m(int[] a) {
                int s = 0;
                for (int e : a) {
                    if (e < 0) continue;
                    s = s + e;
                }
            }
        }",
        "e@4 -> a@2 local 1/2
         s@6 -> e@4 local 1/2
         s@6 -> s@3 local 1/4",
    );
    check_edges(
        "class A {
            void m(int p) {
                int x = p;
                do {
                    x = x + 1;
                } while (x < 9);
                int y = x;
            }
        }",
        "x@3 -> p@2 local 1
         x@5 -> x@3 local 1
         y@7 -> x@5 local 1",
    );
}

/// Line 9 runs after line 3 if the outer loop is entered (1/2) and the inner one not (1/2), or entered and not left by
/// the labelled break (1/4): 3/8.
#[test]
fn a_labelled_break_leaves_both_loops() {
    check_edges(
        "class A {
            void m(int p) {
                int x = p;
                outer: while (p > 0) {
                    while (p > 1) {
                        x = x + 1;
                        if (x > 9) break outer;
                    }
                    x = x + 2;
                }
                int y = x;
            }
        }",
        "x@3 -> p@2 local 1
         x@6 -> x@3 local 1/4
         x@9 -> x@3 local 3/8
         x@9 -> x@6 local 1/2
         y@11 -> x@3 local 1
         y@11 -> x@6 local 1
         y@11 -> x@9 local 1",
    );
    check_edges(
        "class A {
            void m(int p) {
                int x = p;
                block: {
                    if (x > 0) break block;
                    x = x + 1;
                }
                int y = x;
            }
        }",
        "x@3 -> p@2 local 1
         x@6 -> x@3 local 1/2
         y@8 -> x@3 local 1
         y@8 -> x@6 local 1",
    );
}

#[test]
fn a_switch_divides_by_its_ways() {
    // With a default: as many ways as groups; nothing passes by.
    check_edges(
        "class A {
            void m(int p) {
                int x = p;
                switch (p) {
                    case 1: x = x + 1; break;
                    case 2: x = x + 2; break;
                    default: x = x + 3;
                }
                int y = x;
            }
        }",
        "x@3 -> p@2 local 1
         x@5 -> x@3 local 1/3
         x@6 -> x@3 local 1/3
         x@7 -> x@3 local 1/3
         y@9 -> x@5 local 1
         y@9 -> x@6 local 1
         y@9 -> x@7 local 1",
    );
    // Without one there is one way more, and what was before passes by.
    check_edges(
        "class A {
            void m(int p) {
                int x = p;
                switch (p) {
                    case 1 -> x = x + 1;
                    case 2, 3 -> x = x + 2;
                }
                int y = x;
            }
        }",
        "x@3 -> p@2 local 1
         x@5 -> x@3 local 1/3
         x@6 -> x@3 local 1/3
         y@8 -> x@3 local 1
         y@8 -> x@5 local 1
         y@8 -> x@6 local 1",
    );
    // Falling through: line 6 is reached from its own label and from the one before.
    check_edges(
        "class A {
            void m(int p) {
                int x = p;
                switch (p) {
                    case 1: x = x + 1;
                    case 2: x = x + 2;
                }
                int y = x;
            }
        }",
        "x@3 -> p@2 local 1
         x@5 -> x@3 local 1/3
         x@6 -> x@3 local 2/3
         x@6 -> x@5 local 1
         y@8 -> x@3 local 1
         y@8 -> x@6 local 1",
    );
    // As an expression: its arms are alternatives, the statement runs anyway.
    check_edges(
        "class A {
            void m(int p, int q, int r) {
                int x = switch (p) {
                    case 1 -> q;
                    default -> {
                        int u = r;
                        yield u;
                    }
                };
            }
        }",
        "u@6 -> r@2 local 1/2
         x@3 -> p@2 local 1
         x@3 -> q@2 local 1
         x@3 -> u@6 local 1",
    );
}

/// A catch clause among k is entered with 1/(k+1); an exception does not weaken what follows.
#[test]
fn exceptions() {
    check_edges(
        "class A {
            void m(int p) {
                int x = p;
                try {
                    x = g(p);
                    h(p);
                } catch (IllegalStateException e) {
                    x = x + 2;
                } catch (RuntimeException e) {
                    int y = x;
                }
                int z = x;
            }
        }",
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
    check_edges(
        "class A {
            void m(int p) {
                try {
                    g(p);
                } catch (RuntimeException e) {
                    return;
                }
                int z = p;
            }
        }",
        "z@8 -> p@2 local 1",
    );
    check_edges(
        "class A {
            void m(int p) {
                int x = p;
                try {
                    h(p);
                    x = g(p);
                } finally {
                    int y = x;
                }
            }
        }",
        "x@3 -> p@2 local 1
         x@6 -> p@2 library 1
         y@8 -> x@3 local 1
         y@8 -> x@6 local 1",
    );
    // What was caught is a definition of its own.
    check_edges(
        "class A {
            void m(int p) {
                try {
                    g(p);
                } catch (RuntimeException e) {
                    String s = e.getMessage();
                }
            }
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
    check_edges(
        "class A {
            void m(int p, boolean c, boolean d) {
                int x = 0;
                boolean b = c && (x = p) > 0;
                int y = x;
                if (c || d) {
                    int z = p;
                }
                if (c && d) {
                    int z = p;
                }
            }
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

#[test]
fn elements_are_weak() {
    check_edges(
        "class A {
            void m(int i, int v) {
                int[] a = new int[9];
                a[0] = v;
                a[i] = 1;
                int x = a[1];
                a = new int[i];
                int y = a[2];
            }
        }",
        "a@4 -> a@3 local 1
         a@4 -> v@2 local 1
         a@5 -> a@3 local 1
         a@5 -> a@4 array 1
         a@5 -> i@2 local 1
         x@6 -> a@3 local 1
         x@6 -> a@4 array 1
         x@6 -> a@5 array 1
         a@7 -> i@2 local 1
         y@8 -> a@7 local 1",
    );
}

#[test]
fn fields_within_a_method() {
    check_edges(
        "class A {
            int f;
            static int s;
            void m(int p, A o) {
                this.f = p;
                f = 2;
                int x = this.f;
                s = p;
                A.s = 3;
                int y = s;
                o.f = p;
                int z = f;
            }
        }",
        "f@5 -> p@4 local 1
         x@7 -> f@6 local 1
         s@8 -> p@4 local 1
         y@10 -> s@9 local 1
         f@11 -> p@4 local 1
         f@11 -> o@4 local 1
         z@12 -> f@6 local 1
         z@12 -> f@11 local 1",
    );
    // A call replaces no field, and a use that own definitions reach takes none from elsewhere.
    check_edges(
        "class A {
            int f;
            void m(int p) {
                f = p;
                other();
                int x = f;
            }
            void other() {
                f = 7;
            }
        }",
        "f@4 -> p@3 local 1
         x@6 -> f@4 local 1",
    );
}

/// A use that takes definitions from elsewhere: its chance given its method's entry, divided by their number.
#[test]
fn fields_between_methods() {
    check_edges(
        "class A {
            int f = 1;
            void a(int p) {
                f = p;
            }
            void b(int p) {
                f = p + 1;
            }
            void c(boolean k) {
                int y = f;
                if (k) {
                    int x = f;
                }
            }
        }",
        "f@4 -> p@3 local 1
         f@7 -> p@6 local 1
         y@10 -> f@2 field 1/3
         y@10 -> f@4 field 1/3
         y@10 -> f@7 field 1/3
         x@12 -> f@2 field 1/6
         x@12 -> f@4 field 1/6
         x@12 -> f@7 field 1/6",
    );
}

#[test]
fn calls_of_the_program() {
    // Formals take actuals, and what the call's value is assigned to takes what is returned.
    check_edges(
        "class A {
            int f(int y) {
                int r = y;
                return r;
            }
            void m(int p) {
                int x = f(p);
            }
        }",
        "r@3 -> y@2 local 1
         y@2 -> p@6 argument 1
         x@7 -> r@3 return 1",
    );
    // A computed value is a candidate; the call and the return have their own chances.
    check_edges(
        "class A {
            int f(int y) {
                int r = y;
                if (y > 0) return r;
                return r + 1;
            }
            void m(int p, boolean c) {
                if (c) {
                    int x = f(p);
                }
            }
        }",
        "r@3 -> y@2 local 1
         return@5 -> r@3 local 1/2
         y@2 -> p@7 argument 1/2
         x@9 -> r@3 return 1/2
         x@9 -> return@5 return 1",
    );
    // Neither `this` nor a literal passes a value on.
    check_edges(
        "class A {
            A self(int y) { return this; }
            int one(int y) { return 1; }
            void m(int p) {
                A a = self(p);
                int x = one(p);
            }
        }",
        "y@2 -> p@4 argument 1
         y@3 -> p@4 argument 1",
    );
    // Nested: the outer formal takes what the inner one returns.
    check_edges(
        "class A {
            int f(int y) { return y + 1; }
            int g(int z) { return z * 2; }
            void m(int p) {
                int x = f(g(p));
            }
        }",
        "return@2 -> y@2 local 1
         return@3 -> z@3 local 1
         z@3 -> p@4 argument 1
         y@2 -> return@3 argument 1
         x@5 -> return@2 return 1",
    );
    // Arguments beyond the last parameter go into its array.
    check_edges(
        "class A {
            int f(int y, int... rest) { return y + rest[0]; }
            void m(int p, int q, int r) {
                int x = f(p, q, r);
            }
        }",
        "return@2 -> y@2 local 1
         return@2 -> rest@2 local 1
         y@2 -> p@3 argument 1
         rest@2 -> q@3 argument 1
         rest@2 -> r@3 argument 1
         x@4 -> return@2 return 1",
    );
}

/// A returned value is divided by the call sites that it can return to, an argument is not.
#[test]
fn callers_share_what_is_returned() {
    check_edges(
        "class A {
            int f(int y) {
                return y + 1;
            }
            void m(int p) {
                int x = f(p);
            }
            void n(int q) {
                int z = f(q);
            }
        }",
        "return@3 -> y@2 local 1
         y@2 -> p@5 argument 1
         y@2 -> q@8 argument 1
         x@6 -> return@3 return 1/2
         z@9 -> return@3 return 1/2",
    );
}

#[test]
fn dispatch_to_several_bodies() {
    check_edges(
        "interface I { int f(int y); }
        class B implements I {
            public int f(int y) {
                return y + 1;
            }
        }
        class C implements I {
            public int f(int y) {
                return y * 2;
            }
        }
        class D {
            void m(I i, int p) {
                int x = i.f(p);
            }
        }",
        "return@4 -> y@3 local 1
         return@9 -> y@8 local 1
         y@3 -> p@13 argument 1/2
         y@8 -> p@13 argument 1/2
         x@14 -> return@4 return 1/2
         x@14 -> return@9 return 1/2",
    );
    // `super.f` runs one body. f of A is called from lines 8 and 14, f of B from lines 14 and 15; line 14 runs either.
    check_edges(
        "class A {
            int f(int y) {
                return y + 1;
            }
        }
        class B extends A {
            int f(int v) {
                int r = super.f(v);
                return r;
            }
        }
        class C {
            void m(A a, B b, int p, int q) {
                int x = a.f(p);
                int z = b.f(q);
            }
        }",
        "return@3 -> y@2 local 1
         y@2 -> v@7 argument 1
         y@2 -> p@13 argument 1/2
         v@7 -> p@13 argument 1/2
         v@7 -> q@13 argument 1
         r@8 -> return@3 return 1/2
         x@14 -> return@3 return 1/4
         x@14 -> r@8 return 1/4
         z@15 -> r@8 return 1/2",
    );
}

#[test]
fn black_boxes() {
    // A library's value comes of the receiver and all arguments.
    check_edges(
        "class A {
            void m(String s, int p, int q) {
                String x = s.substring(p, q);
                Integer y = unknown(p, s);
                StringBuilder b = new StringBuilder(s);
            }
        }",
        "x@3 -> s@2 library 1
         x@3 -> p@2 library 1
         x@3 -> q@2 library 1
         y@4 -> p@2 library 1
         y@4 -> s@2 library 1
         b@5 -> s@2 library 1",
    );
    // So does that of an abstract method that nobody in the workspace implements.
    check_edges(
        "abstract class A {
            abstract int f(int y);
            void m(A a, int p) {
                int x = a.f(p);
            }
        }",
        "x@4 -> a@3 library 1
         x@4 -> p@3 library 1",
    );
}

#[test]
fn constructors() {
    // The new reference itself carries none of the members.
    check_edges(
        "class A {
            int v;
            A(int w) {
                v = w;
            }
            void m(int p) {
                A x = new A(p);
                int y = x.v;
            }
        }",
        "v@4 -> w@3 local 1
         w@3 -> p@6 argument 1
         y@8 -> v@4 field 1
         y@8 -> x@7 local 1",
    );
    check_edges(
        "class A {
            int v;
            A(int w) {
                v = w;
            }
        }
        class B extends A {
            B(int u) {
                super(u + 1);
            }
            B(int s, int t) {
                this(s);
            }
        }",
        "v@4 -> w@3 local 1
         w@3 -> u@8 argument 1
         u@8 -> s@11 argument 1",
    );
    check_edges(
        "enum E {
            ONE(1);
            final int v;
            E(int w) {
                v = w;
            }
            int twice() {
                return v * 2;
            }
        }",
        "v@5 -> w@4 local 1
         return@8 -> v@5 field 1",
    );
}

/// A lambda's body is entered with 1 given the statement that gives it away.
#[test]
fn lambdas_and_local_classes() {
    check_edges(
        "class A {
            void m(java.util.List<Integer> l, int k) {
                int b = k;
                l.forEach(e -> {
                    int q = e + b;
                });
            }
        }",
        "b@3 -> k@2 local 1
         e@4 -> l@2 library 1
         q@5 -> b@3 capture 1
         q@5 -> e@4 local 1",
    );
    check_edges(
        "class A {
            void m(int k, boolean c) {
                int b = k;
                if (c) {
                    Runnable r = () -> {
                        if (b > 0) {
                            int q = b;
                        }
                    };
                }
            }
        }",
        "b@3 -> k@2 local 1
         q@7 -> b@3 capture 1/4",
    );
    check_edges(
        "class A {
            void m(int k) {
                int b = k;
                Runnable r = new Runnable() {
                    public void run() {
                        int q = b;
                    }
                };
            }
        }",
        "b@3 -> k@2 local 1
         q@6 -> b@3 capture 1",
    );
    // Who gets a lambda may get what it returns.
    check_edges(
        "class A {
            void m(int k) {
                java.util.function.IntUnaryOperator g =
                    y ->
                        y + k;
                int r = g.applyAsInt(2);
            }
        }",
        "return@5 -> y@4 local 1
         return@5 -> k@2 capture 1
         g@3 -> return@5 capture 1
         r@6 -> g@3 library 1",
    );
}

/// A binding is defined where it is tested, which runs anyway; what it guards runs half of the times.
#[test]
fn patterns() {
    check_edges(
        "class A {
            void m(Object o) {
                if (o instanceof String s) {
                    int n = s.length();
                }
            }
        }",
        "s@3 -> o@2 local 1
         n@4 -> s@3 library 1/2",
    );
    check_edges(
        "class A {
            void m(Object o) {
                if (!(o instanceof String s)) return;
                int n = s.length();
            }
        }",
        "s@3 -> o@2 local 1
         n@4 -> s@3 library 1/2",
    );
    check_edges(
        "class A {
            record P(int x, int y) { }
            int m(Object o) {
                return switch (o) {
                    case String s -> s.length();
                    case P(int x, int y) -> {
                        int u = x;
                        yield u;
                    }
                    default -> 0;
                };
            }
        }",
        "x@2 -> x@2 local 1
         y@2 -> y@2 local 1
         s@5 -> o@3 local 1/3
         x@6 -> o@3 local 1/3
         y@6 -> o@3 local 1/3
         u@7 -> x@6 local 1
         return@4 -> o@3 local 1
         return@4 -> s@5 library 1
         return@4 -> u@7 local 1",
    );
}

/// A record has a constructor that gives each field its parameter's value, and accessors that hand it back.
#[test]
fn records() {
    check_edges(
        "record P(int x,
                  int y) {
            int sum() {
                return x + y;
            }
        }
        class B {
            void m(int p, int q) {
                P r = new P(p, q);
                int s = r.x();
                int t = r.sum();
            }
        }",
        "x@1 -> p@8 argument 1
         y@2 -> q@8 argument 1
         x@1 -> x@1 local 1
         y@2 -> y@2 local 1
         return@4 -> x@1 field 1
         return@4 -> y@2 field 1
         s@10 -> x@1 return 1
         t@11 -> return@4 return 1",
    );
}

/// Edges between methods that close a cycle are marked: those that do not lead from a later to an earlier candidate.
/// No value stands in for itself, so `n` of the recursion has no edge to `n`.
#[test]
fn cycles_between_methods_are_cut() {
    check_edges(
        "class A {
            int n;
            void inc() { n = n + 1; }
            void dec() { n = n - 1; }
        }",
        "n@3 -> n@4 field 1 cut
         n@4 -> n@3 field 1",
    );
    check_edges(
        "class A {
            int f(int n) {
                if (n < 2) return 1;
                int r = f(n - 1);
                return n * r;
            }
        }",
        "r@4 -> return@5 return 1 cut
         return@5 -> n@2 local 1/2
         return@5 -> r@4 local 1",
    );
}

/// Divisors count within the scope that is ranked.
#[test]
fn a_narrow_scope_has_fewer_callers() {
    let project = Project::new(&[(
        "A.java",
        "class A {
            int f(int y) {
                return y + 1;
            }
            void m(int p) {
                int x = f(p);
            }
        }
        class B {
            void n(A a, int q) {
                int z = a.f(q);
            }
        }",
    )]);
    let all = project.edges(&[]);
    assert!(all.contains("x@6 -> return@3 return 1/2\n"), "{all}");
    let one = project.edges(&["--class", "A"]);
    assert!(one.contains("x@6 -> return@3 return 1\n"), "{one}");
    assert!(!one.contains("q@"), "{one}");
}
