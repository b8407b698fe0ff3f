//! The rules of `docs/method.md` §1.2-1.3 between methods: calls, returns, fields, captured variables, and what counts
//! as a black box. Marks are derived from the text, as in `edges`.

use super::{check_edges, check_edges_among, check_method};

/// A use that takes definitions from elsewhere: its chance given its method's entry, divided by their number.
#[test]
fn fields_between_methods() {
    check_edges(
        "
class A {
    int f = 1;
    void a(int p) {
        f = p;
//      ^ f#2: p#1 local 1
    }
    void b(int p) {
        f = p + 1;
//      ^ f#3: p#2 local 1
    }
    void c(boolean k) {
        int y = f;
//          ^ y: f#1 field 1/3, f#2 field 1/3, f#3 field 1/3
        if (k) {
            int x = f;
//              ^ x: f#1 field 1/6, f#2 field 1/6, f#3 field 1/6
        }
    }
}
",
    );
}

#[test]
fn calls_of_the_program() {
    // Formals take actuals, and what the call's value is assigned to takes what is returned.
    check_edges(
        "
class A {
    int f(int y) {
//            ^ y: p argument 1
        int r = y;
//          ^ r: y local 1
        return r;
    }
    void m(int p) {
        int x = f(p);
//          ^ x: r return 1
    }
}
",
    );
    // A computed value is a candidate; the call and the return have their own chances.
    check_edges(
        "
class A {
    int f(int y) {
//            ^ y: p argument 1/2
        int r = y;
//          ^ r: y local 1
        if (y > 0) return r;
        return r + 1;
//      ^^^^^^^^^^^^^ return: r local 1/2
    }
    void m(int p, boolean c) {
        if (c) {
            int x = f(p);
//              ^ x: r return 1/2, return return 1
        }
    }
}
",
    );
    // Neither `this` nor a literal passes a value on.
    check_edges(
        "
class A {
    A self(int y) { return this; }
//             ^ y#1: p argument 1
    int one(int y) { return 1; }
//              ^ y#2: p argument 1
    void m(int p) {
        A a = self(p);
        int x = one(p);
    }
}
",
    );
    // Nested: the outer formal takes what the inner one returns.
    check_edges(
        "
class A {
    int f(int y) { return y + 1; }
//            ^ y: return#2 argument 1
//                 ^^^^^^^^^^^^^ return#1: y local 1
    int g(int z) { return z * 2; }
//            ^ z: p argument 1
//                 ^^^^^^^^^^^^^ return#2: z local 1
    void m(int p) {
        int x = f(g(p));
//          ^ x: return#1 return 1
    }
}
",
    );
    // Arguments beyond the last parameter go into its array.
    check_edges(
        "
class A {
    int f(int y, int... rest) { return y + rest[0]; }
//            ^ y: p argument 1
//                      ^^^^ rest: q argument 1, r argument 1
//                              ^^^^^^^^^^^^^^^^^^^ return: y local 1, rest local 1
    void m(int p, int q, int r) {
        int x = f(p, q, r);
//          ^ x: return return 1
    }
}
",
    );
}

/// A returned value is divided by the call sites that it can return to, an argument is not.
#[test]
fn callers_share_what_is_returned() {
    check_edges(
        "
class A {
    int f(int y) {
//            ^ y: p argument 1, q argument 1
        return y + 1;
//      ^^^^^^^^^^^^^ return: y local 1
    }
    void m(int p) {
        int x = f(p);
//          ^ x: return return 1/2
    }
    void n(int q) {
        int z = f(q);
//          ^ z: return return 1/2
    }
}
",
    );
}

#[test]
fn dispatch_to_several_bodies() {
    check_edges(
        "
interface I { int f(int y); }
class B implements I {
    public int f(int y) {
//                   ^ y#1: p argument 1/2
        return y + 1;
//      ^^^^^^^^^^^^^ return#1: y#1 local 1
    }
}
class C implements I {
    public int f(int y) {
//                   ^ y#2: p argument 1/2
        return y * 2;
//      ^^^^^^^^^^^^^ return#2: y#2 local 1
    }
}
class D {
    void m(I i, int p) {
        int x = i.f(p);
//          ^ x: return#1 return 1/2, return#2 return 1/2
    }
}
",
    );
    // `super.f` runs one body. f of A is called for `r` and `x`, f of B for `x` and `z`; the call for `x` runs either.
    check_edges(
        "
class A {
    int f(int y) {
//            ^ y: v argument 1, p argument 1/2
        return y + 1;
//      ^^^^^^^^^^^^^ return: y local 1
    }
}
class B extends A {
    int f(int v) {
//            ^ v: p argument 1/2, q argument 1
        int r = super.f(v);
//          ^ r: return return 1/2
        return r;
    }
}
class C {
    void m(A a, B b, int p, int q) {
        int x = a.f(p);
//          ^ x: return return 1/4, r return 1/4
        int z = b.f(q);
//          ^ z: r return 1/2
    }
}
",
    );
}

#[test]
fn black_boxes() {
    // A library's value comes of the receiver and all arguments.
    check_method(
        "String s, int p, int q",
        "
    String x = s.substring(p, q);
//         ^ x: s library 1, p library 1, q library 1
    Integer y = unknown(p, s);
//          ^ y: s library 1, p library 1
    StringBuilder b = new StringBuilder(s);
//                ^ b: s library 1
",
    );
    // So does that of an abstract method that nobody in the workspace implements.
    check_edges(
        "
abstract class A {
    abstract int f(int y);
    void m(A a, int p) {
        int x = a.f(p);
//          ^ x: a library 1, p library 1
    }
}
",
    );
}

#[test]
fn constructors() {
    // The new reference itself carries none of the members.
    check_edges(
        "
class A {
    int v;
    A(int w) {
//        ^ w: p argument 1
        v = w;
//      ^ v: w local 1
    }
    void m(int p) {
        A x = new A(p);
        int y = x.v;
//          ^ y: v field 1, x local 1
    }
}
",
    );
    check_edges(
        "
class A {
    int v;
    A(int w) {
//        ^ w: u argument 1
        v = w;
//      ^ v: w local 1
    }
}
class B extends A {
    B(int u) {
//        ^ u: s argument 1
        super(u + 1);
    }
    B(int s, int t) {
        this(s);
    }
}
",
    );
    check_edges(
        "
enum E {
    ONE(1);
    final int v;
    E(int w) {
        v = w;
//      ^ v: w local 1
    }
    int twice() {
        return v * 2;
//      ^^^^^^^^^^^^^ return: v field 1
    }
}
",
    );
}

/// A lambda's body is entered with 1 given the statement that gives it away.
#[test]
fn lambdas_and_local_classes() {
    check_method(
        "java.util.List<Integer> l, int k",
        "
    int b = k;
//      ^ b: k local 1
    l.forEach(e -> {
//            ^ e: l library 1
        int q = e + b;
//          ^ q: b capture 1, e local 1
    });
",
    );
    check_method(
        "int k, boolean c",
        "
    int b = k;
//      ^ b: k local 1
    if (c) {
        Runnable r = () -> {
            if (b > 0) {
                int q = b;
//                  ^ q: b capture 1/4
            }
        };
    }
",
    );
    check_method(
        "int k",
        "
    int b = k;
//      ^ b: k local 1
    Runnable r = new Runnable() {
        public void run() {
            int q = b;
//              ^ q: b capture 1
        }
    };
",
    );
    // Who gets a lambda may get what it returns.
    check_method(
        "int k",
        "
    java.util.function.IntUnaryOperator g =
//                                      ^ g: return capture 1
        y ->
            y + k;
//          ^^^^^ return: k capture 1, y local 1
    int r = g.applyAsInt(2);
//      ^ r: g library 1
",
    );
}

/// A record has a constructor that gives each field its parameter's value, and accessors that hand it back.
#[test]
fn records() {
    check_edges(
        "
record P(int x,
//           ^ x#1: p argument 1
//           ^ x#2: x#1 local 1
          int y) {
//            ^ y#1: q argument 1
//            ^ y#2: y#1 local 1
    int sum() {
        return x + y;
//      ^^^^^^^^^^^^^ return: x#2 field 1, y#2 field 1
    }
}
class B {
    void m(int p, int q) {
        P r = new P(p, q);
        int s = r.x();
//          ^ s: x#2 return 1
        int t = r.sum();
//          ^ t: return return 1
    }
}
",
    );
}

/// Edges between methods that close a cycle are marked: those that do not lead from a later to an earlier candidate.
/// No value stands in for itself, so `n` of the recursion has no edge to `n`.
#[test]
fn cycles_between_methods_are_cut() {
    check_edges(
        "
class A {
    int n;
    void inc() { n = n + 1; }
//               ^ n#1: n#2 field 1 cut
    void dec() { n = n - 1; }
//               ^ n#2: n#1 field 1
}
",
    );
    check_edges(
        "
class A {
    int f(int n) {
        if (n < 2) return 1;
        int r = f(n - 1);
//          ^ r: return return 1 cut
        return n * r;
//      ^^^^^^^^^^^^^ return: n local 1/2, r local 1
    }
}
",
    );
}

/// Divisors count within the scope that is ranked.
#[test]
fn a_narrow_scope_has_fewer_callers() {
    let java = |y: &str, x: &str, z: &str| {
        format!(
            "
class A {{
    int f(int y) {{
//            ^ y: {y}
        return y + 1;
//      ^^^^^^^^^^^^^ return: y local 1
    }}
    void m(int p) {{
        int x = f(p);
//          ^ x: {x}
    }}
}}
class B {{
    void n(A a, int q) {{
        int z = a.f(q);
{z}
    }}
}}
"
        )
    };
    check_edges(&java(
        "p argument 1, q argument 1",
        "return return 1/2",
        "//          ^ z: return return 1/2",
    ));
    let one = java("p argument 1", "return return 1", "");
    check_edges_among(&one, |class| class == "A");
}

#[test]
fn what_a_call_may_run() {
    // A body of the interface counts like any other.
    check_edges(
        "
interface I {
    default int f(int y) {
//                    ^ y: p argument 1/4
        return y + 1;
//      ^^^^^^^^^^^^^ return#1: y local 1
    }
}
class B implements I { }
class C implements I {
    public int f(int v) {
//                   ^ v: p argument 1/4
        return v * 2;
//      ^^^^^^^^^^^^^ return#2: v local 1
    }
}
class D {
    void m(I i, int p, boolean c) {
        if (c) {
            int x = i.f(p);
//              ^ x: return#1 return 1/2, return#2 return 1/2
        }
    }
}
",
    );
    // A private method is not overridden by one of its name.
    check_edges(
        "
class A {
    private int f(int y) {
//                    ^ y: p argument 1
        return y + 1;
//      ^^^^^^^^^^^^^ return#1: y local 1
    }
    void m(int p) {
        int x = f(p);
//          ^ x: return#1 return 1
    }
}
class B extends A {
    int f(int v) {
        return v * 2;
//      ^^^^^^^^^^^^^ return#2: v local 1
    }
}
",
    );
    // Overloads are told apart by their arguments.
    check_edges(
        "
class A {
    static int f(int y) { return y + 1; }
//                   ^ y: p argument 1
//                        ^^^^^^^^^^^^^ return#1: y local 1
    static int f(String s) { return s.length(); }
//                      ^ s: q argument 1
//                           ^^^^^^^^^^^^^^^^^^ return#2: s library 1
    void m(int p, String q) {
        int x = A.f(p);
//          ^ x: return#1 return 1
        int z = f(q);
//          ^ z: return#2 return 1
    }
}
",
    );
    // An anonymous class is a body like any other.
    check_edges(
        "
interface I { int f(int y); }
class A {
    I i = new I() {
        public int f(int y) {
//                       ^ y: p argument 1
            return y + 1;
//          ^^^^^^^^^^^^^ return: y local 1
        }
    };
    void m(int p) {
        int x = i.f(p);
//          ^ x: return return 1
    }
}
",
    );
}

#[test]
fn what_comes_back() {
    // A variable that is returned is the parameter itself, or a field's definitions.
    check_edges(
        "
class A {
    int id(int y) { return y; }
//             ^ y: p argument 1
    void m(int p) {
        int x = id(p);
//          ^ x: y return 1
    }
}
",
    );
    check_edges(
        "
class A {
    int f;
    void set(int p) { f = p; }
//                    ^ f#1: p local 1
    void reset(int q) { f = q + 1; }
//                      ^ f#2: q local 1
    int get() { return f; }
    void m(A a) { int x = a.get(); }
//                    ^ x: f#1 return 1/4, f#2 return 1/4
    void n(A a) { int z = a.get(); }
//                    ^ z: f#1 return 1/4, f#2 return 1/4
}
",
    );
    // A call that is returned computes: its value is a candidate.
    check_edges(
        "
class A {
    int f(int y) { return y + 1; }
//            ^ y: z argument 1
//                 ^^^^^^^^^^^^^ return#1: y local 1
    int g(int z) { return f(z); }
//                 ^^^^^^^^^^^^ return#2: return#1 return 1
}
",
    );
    // Two calls in one statement hold half each, which adds up.
    check_edges(
        "
class A {
    int f(int y) { return y + 1; }
//            ^ y: p argument 1, q argument 1
//                 ^^^^^^^^^^^^^ return: y local 1
    void m(int p, int q) {
        int x = f(p) + f(q);
//          ^ x: return return 1
    }
}
",
    );
}

#[test]
fn fields_of_other_classes() {
    check_edges(
        "
class A { int f; }
class B extends A {
    void set(int p) { f = p; }
//                    ^ f: p local 1
}
class C {
    int get(B b) { return b.f + 1; }
//                 ^^^^^^^^^^^^^^^ return: f field 1, b local 1
}
",
    );
    // Every definition elsewhere counts, also the two of the static initialiser.
    check_edges(
        "
class A {
    static int s = 3;
    static { s = 4; }
    int get() { return s + 1; }
//              ^^^^^^^^^^^^^ return: s#1 field 1/2, s#2 field 1/2
}
interface K { int N = 3; }
class C { int n = K.N; }
//            ^ n: N field 1
",
    );
    // An inner class sees the fields around it.
    check_edges(
        "
class A {
    int o;
    void set(int p) { o = p; }
//                    ^ o: p local 1
    class B {
        int i = o;
//          ^ i: o field 1
    }
}
",
    );
    // What a setter wrote, its caller reads.
    check_edges(
        "
class A {
    int f;
    void set(int q) { f = q; }
//               ^ q: p argument 1
//                    ^ f: q local 1
    static void m(A a, int p) {
        a.set(p);
        int x = a.f;
//          ^ x: f field 1, a local 1
    }
}
",
    );
}

/// The parameter is defined where the constructor is entered, the field where it is left: both are marked at its name.
#[test]
fn a_compact_constructor_changes_what_it_is_given() {
    check_edges(
        "
record R(int x) {
    R {
//  ^ x#1: p argument 1
//  ^ x#2: x#3 local 1
        x = x + 1;
//      ^ x#3: x#1 local 1
    }
}
class B {
    void m(int p) {
        R r = new R(p);
        int y = r.x();
//          ^ y: x#2 return 1
    }
}
",
    );
}

/// A lambda that is stored is a body too; its own returns are its own.
#[test]
fn lambdas_return_to_who_holds_them() {
    check_method(
        "int k",
        "
    java.util.function.IntUnaryOperator g = y -> {
//                                      ^ g: k local 1, return capture 1
        int u = y;
//          ^ u: y local 1
        if (u > 0) return k;
        return u + 1;
//      ^^^^^^^^^^^^^ return: u local 1/2
    };
",
    );
}
