//! Definitions and uses inside a method (`docs/method.md` §1.1-1.2), each rule on the smallest program that shows it. The
//! expected edges are derived from the text, not from the binary: `x@5 -> y@3 local 1/2` says that the definition of `x`
//! in line 5 uses that of `y` in line 3 and runs half of the times that line 3 ran. All edges of a program are compared,
//! so one too many fails too. `branches` and `links` go on with probabilities and with what is between methods.

use super::{candidates_of, check_edges, check_method};

#[test]
fn definitions_and_uses() {
    // A declaration without initialiser defines nothing, and a use defines nothing.
    check_method(
        "int p",
        "int y;
            g(p);
            int x = p;
            y = x + 1;
            y += x;
            y++;",
        "x@5 -> p@2 local 1
         y@6 -> x@5 local 1
         y@7 -> x@5 local 1
         y@7 -> y@6 local 1
         y@8 -> y@7 local 1",
    );
    // A definition replaces the one before.
    check_method(
        "int p, int q",
        "int x = p;
            x = q;
            int y = x;",
        "x@3 -> p@2 local 1
         x@4 -> q@2 local 1
         y@5 -> x@4 local 1",
    );
    // An assignment inside an expression lies in between.
    check_method(
        "int p",
        "int x;
            int y = (x = p) + 1;",
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
            void unnamed(java.util.List<A> l) {
                for (A _ : l) { int _ = 1; }
                try { g(); } catch (Exception _) { }
                l.forEach(_ -> { });
            }
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
l@20 parameter
"
    );
}

#[test]
fn elements_are_weak() {
    check_method(
        "int i, int v",
        "int[] a = new int[9];
            a[0] = v;
            a[i] = 1;
            int x = a[1];
            a = new int[i];
            int y = a[2];",
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

/// A binding is defined where it is tested, which runs anyway; what it guards runs half of the times.
#[test]
fn patterns() {
    check_method(
        "Object o",
        "if (o instanceof String s) {
                int n = s.length();
            }",
        "s@3 -> o@2 local 1
         n@4 -> s@3 library 1/2",
    );
    check_method(
        "Object o",
        "if (!(o instanceof String s)) return;
            int n = s.length();",
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

#[test]
fn assignments_in_odd_places() {
    check_method(
        "int p",
        "int x, y;
            x = y = p;
            int a = p,
                b = a;
            long c = (long) (a + b);
            int[] d = { a, b };",
        "y@4 -> p@2 local 1
         x@4 -> y@4 local 1
         a@5 -> p@2 local 1
         b@6 -> a@5 local 1
         c@7 -> a@5 local 1
         c@7 -> b@6 local 1
         d@8 -> a@5 local 1
         d@8 -> b@6 local 1",
    );
    check_edges(
        "class A {
            int f;
            void m(int p) {
                f = p;
                f += 2;
                this.f++;
                int x = f;
            }
        }",
        "f@4 -> p@3 local 1
         f@5 -> f@4 local 1
         f@6 -> f@5 local 1
         x@7 -> f@6 local 1",
    );
    check_method(
        "int[] a, int i, int v",
        "a[i] += v;
            a[0]++;
            int x = a[1];",
        "a@3 -> a@2 local 1
         a@3 -> i@2 local 1
         a@3 -> v@2 local 1
         a@4 -> a@2 local 1
         a@4 -> a@3 array 1
         x@5 -> a@2 local 1
         x@5 -> a@3 array 1
         x@5 -> a@4 array 1",
    );
    check_method(
        "int x",
        "int y, z;
            while (x > 0 && (y = x) > 1) {
                z = y;
            }",
        "y@4 -> x@2 local 1/2
         z@5 -> y@4 local 1/2",
    );
}

/// The two halves of `&&` meet before the branch: what the left one binds runs anyway, what both guard half the times.
#[test]
fn a_pattern_before_a_condition() {
    check_method(
        "Object o",
        "if (o instanceof Integer i && i > 3) {
                int k = i;
            }
            if (o instanceof A a) {
                int u = a.hashCode();
            } else if (o instanceof String s) {
                int v = s.length();
            }",
        "i@3 -> o@2 local 1
         k@4 -> i@3 local 1/2
         a@6 -> o@2 local 1
         u@7 -> a@6 library 1/2
         s@8 -> o@2 local 1/2
         v@9 -> s@8 library 1/2",
    );
}
