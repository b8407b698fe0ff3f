package p;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

class Overloads {
    void a(int i) { }
    void a(long l) { }
    void a(Integer i) { }
    void a(Object o) { }
    void a(int... all) { }
    void b(Object o) { }
    void b(Object... all) { }
    void b(String s, Object... all) { }
    void c(long l) { }
    void c(Object o) { }
    void d(Runnable r) { }
    <T> T d(Callable<T> c) { return null; }
    void e(Object o, String s) { }
    void e(String s, Object o) { }
    void f(char c) { }
    void f(int i) { }
    void g(double d) { }
    void g(float f) { }
    void h(List<String> l) { }
    void h(Iterable<String> l) { }
    <T> void i(T t) { }
    <T extends Number> void i(T t) { }
    void j(Supplier<String> s) { }
    void j(String s) { }
    <T> T k(T t, T u) { return t; }
    <T> T k(T t, Supplier<T> s) { return t; }
    void l(Function<String, Integer> f) { }
    void l(ToIntFunction<String> f, int i) { }
    void m(IntFunction<String> f) { }
    <T> void n(Function<T, String> f, T t) { }
    void n(IntFunction<String> f, int t) { }
    void o(StringBuilder b) { }
    void o(CharSequence c) { }
    void o(String s) { }

    String text(int i) { return ""; }
    static String boxed(Integer i) { return ""; }

    void calls(byte by, short sh, char ch, long lo, Integer in, Object ob, int[] ints, Object[] obs, String st) {
        a(1); a(1L); a(by); a(ch); a(in); a(st); a(); a(1, 2); a(ints); a(1.0f); a(null == ob ? 1 : 2);
        b(1); b(null, 1); b(obs); b("x"); b("x", 1); b((Object) "x"); b(); b(st, obs);
        c(1); c(in); c('x'); c(true);
        d(() -> { }); d(() -> 1); d(() -> { throw new IllegalStateException(); }); d(() -> ob.hashCode());
        e("a", ob); e(ob, "a");
        f('a'); f(1); f(by); f(ch + 1); f((char) 97); f(ch++);
        g(1); g(1.0); g(lo); g(1f);
        h(List.of()); h(null); h((Iterable<String>) null);
        i(1); i("s"); i(in);
        j("s"); j(() -> "s"); j(st::trim);
        k("a", "b"); k("a", () -> "b"); k(st, String::new);
        l(s -> s.length()); l(String::length); l(s -> s.length(), 1);
        m(this::text); m(i -> text(i)); m(Overloads::boxed); m(Integer::toString);
        n(this::text, 1); n(Overloads::boxed, in);
        o(new StringBuilder()); o("s"); o(st == null ? "a" : "b"); o(st + 1); o((CharSequence) st); o(st + ob);
    }
}

class ExactReferences {
    interface IntTaker { void take(int i); }
    interface LongTaker { void take(long l); }
    static void run(IntTaker t, int i) { }
    static void run(LongTaker t, long l) { }
    <T> void run(java.util.function.Consumer<T> t, T o) { }
    void ofInt(int i) { }
    void ofLong(long l) { }
    void ofText(String s) { }
    void use() { run(this::ofInt, 1); run(this::ofLong, 1L); run(this::ofText, "a"); }
}
