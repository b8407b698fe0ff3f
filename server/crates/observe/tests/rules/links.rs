//! The rules of `docs/method.md` §1.2-1.3 between methods: calls, returns, fields, captured variables, and what counts
//! as a black box. Expected edges are derived from the text, as in `edges`.

use super::{Case, check_edges, check_method};

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
    check_method(
        "String s, int p, int q",
        "String x = s.substring(p, q);
            Integer y = unknown(p, s);
            StringBuilder b = new StringBuilder(s);",
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
    check_method(
        "java.util.List<Integer> l, int k",
        "int b = k;
            l.forEach(e -> {
                int q = e + b;
            });",
        "b@3 -> k@2 local 1
         e@4 -> l@2 library 1
         q@5 -> b@3 capture 1
         q@5 -> e@4 local 1",
    );
    check_method(
        "int k, boolean c",
        "int b = k;
            if (c) {
                Runnable r = () -> {
                    if (b > 0) {
                        int q = b;
                    }
                };
            }",
        "b@3 -> k@2 local 1
         q@7 -> b@3 capture 1/4",
    );
    check_method(
        "int k",
        "int b = k;
            Runnable r = new Runnable() {
                public void run() {
                    int q = b;
                }
            };",
        "b@3 -> k@2 local 1
         q@6 -> b@3 capture 1",
    );
    // Who gets a lambda may get what it returns.
    check_method(
        "int k",
        "java.util.function.IntUnaryOperator g =
                y ->
                    y + k;
            int r = g.applyAsInt(2);",
        "return@5 -> y@4 local 1
         return@5 -> k@2 capture 1
         g@3 -> return@5 capture 1
         r@6 -> g@3 library 1",
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
    let java = "class A {
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
    }";
    let all = Case::new(java, |_| true).edges();
    assert!(all.contains("x@6 -> return@3 return 1/2\n"), "{all}");
    let one = Case::new(java, |class| class == "A").edges();
    assert!(one.contains("x@6 -> return@3 return 1\n"), "{one}");
    assert!(!one.contains("q@"), "{one}");
}

#[test]
fn what_a_call_may_run() {
    // A body of the interface counts like any other.
    check_edges(
        "interface I {
            default int f(int y) {
                return y + 1;
            }
        }
        class B implements I { }
        class C implements I {
            public int f(int v) {
                return v * 2;
            }
        }
        class D {
            void m(I i, int p, boolean c) {
                if (c) {
                    int x = i.f(p);
                }
            }
        }",
        "return@3 -> y@2 local 1
         return@9 -> v@8 local 1
         y@2 -> p@13 argument 1/4
         v@8 -> p@13 argument 1/4
         x@15 -> return@3 return 1/2
         x@15 -> return@9 return 1/2",
    );
    // A private method is not overridden by one of its name.
    check_edges(
        "class A {
            private int f(int y) {
                return y + 1;
            }
            void m(int p) {
                int x = f(p);
            }
        }
        class B extends A {
            int f(int v) {
                return v * 2;
            }
        }",
        "return@3 -> y@2 local 1
         return@11 -> v@10 local 1
         y@2 -> p@5 argument 1
         x@6 -> return@3 return 1",
    );
    // Overloads are told apart by their arguments.
    check_edges(
        "class A {
            static int f(int y) { return y + 1; }
            static int f(String s) { return s.length(); }
            void m(int p, String q) {
                int x = A.f(p);
                int z = f(q);
            }
        }",
        "return@2 -> y@2 local 1
         return@3 -> s@3 library 1
         y@2 -> p@4 argument 1
         s@3 -> q@4 argument 1
         x@5 -> return@2 return 1
         z@6 -> return@3 return 1",
    );
    // An anonymous class is a body like any other.
    check_edges(
        "interface I { int f(int y); }
        class A {
            I i = new I() {
                public int f(int y) {
                    return y + 1;
                }
            };
            void m(int p) {
                int x = i.f(p);
            }
        }",
        "return@5 -> y@4 local 1
         y@4 -> p@8 argument 1
         x@9 -> return@5 return 1",
    );
}

#[test]
fn what_comes_back() {
    // A variable that is returned is the parameter itself, or a field's definitions.
    check_edges(
        "class A {
            int id(int y) { return y; }
            void m(int p) {
                int x = id(p);
            }
        }",
        "y@2 -> p@3 argument 1
         x@4 -> y@2 return 1",
    );
    check_edges(
        "class A {
            int f;
            void set(int p) { f = p; }
            void reset(int q) { f = q + 1; }
            int get() { return f; }
            void m(A a) { int x = a.get(); }
            void n(A a) { int z = a.get(); }
        }",
        "f@3 -> p@3 local 1
         f@4 -> q@4 local 1
         x@6 -> f@3 return 1/4
         x@6 -> f@4 return 1/4
         z@7 -> f@3 return 1/4
         z@7 -> f@4 return 1/4",
    );
    // A call that is returned computes: its value is a candidate.
    check_edges(
        "class A {
            int f(int y) { return y + 1; }
            int g(int z) { return f(z); }
        }",
        "return@2 -> y@2 local 1
         y@2 -> z@3 argument 1
         return@3 -> return@2 return 1",
    );
    // Two calls in one statement hold half each, which adds up.
    check_edges(
        "class A {
            int f(int y) { return y + 1; }
            void m(int p, int q) {
                int x = f(p) + f(q);
            }
        }",
        "return@2 -> y@2 local 1
         y@2 -> p@3 argument 1
         y@2 -> q@3 argument 1
         x@4 -> return@2 return 1",
    );
}

#[test]
fn fields_of_other_classes() {
    check_edges(
        "class A { int f; }
        class B extends A {
            void set(int p) { f = p; }
        }
        class C {
            int get(B b) { return b.f + 1; }
        }",
        "f@3 -> p@3 local 1
         return@6 -> b@6 local 1
         return@6 -> f@3 field 1",
    );
    // Every definition elsewhere counts, also the two of the static initialiser.
    check_edges(
        "class A {
            static int s = 3;
            static { s = 4; }
            int get() { return s + 1; }
        }
        interface K { int N = 3; }
        class C { int n = K.N; }",
        "return@4 -> s@2 field 1/2
         return@4 -> s@3 field 1/2
         n@7 -> N@6 field 1",
    );
    // An inner class sees the fields around it.
    check_edges(
        "class A {
            int o;
            void set(int p) { o = p; }
            class B {
                int i = o;
            }
        }",
        "o@3 -> p@3 local 1
         i@5 -> o@3 field 1",
    );
    // What a setter wrote, its caller reads.
    check_edges(
        "class A {
            int f;
            void set(int q) { f = q; }
            static void m(A a, int p) {
                a.set(p);
                int x = a.f;
            }
        }",
        "q@3 -> p@4 argument 1
         f@3 -> q@3 local 1
         x@6 -> f@3 field 1
         x@6 -> a@4 local 1",
    );
}

/// The parameter is defined where the constructor is entered, the field where it is left: both are line 2.
#[test]
fn a_compact_constructor_changes_what_it_is_given() {
    check_edges(
        "record R(int x) {
            R {
                x = x + 1;
            }
        }
        class B {
            void m(int p) {
                R r = new R(p);
                int y = r.x();
            }
        }",
        "x@2 -> p@7 argument 1
         x@3 -> x@2 local 1
         x@2 -> x@3 local 1
         y@9 -> x@2 return 1",
    );
}

/// A lambda that is stored is a body too; its own returns are its own.
#[test]
fn lambdas_return_to_who_holds_them() {
    check_method(
        "int k",
        "java.util.function.IntUnaryOperator g = y -> {
                int u = y;
                if (u > 0) return k;
                return u + 1;
            };",
        "u@4 -> y@3 local 1
         return@6 -> u@4 local 1/2
         g@3 -> return@6 capture 1
         g@3 -> k@2 local 1",
    );
}
