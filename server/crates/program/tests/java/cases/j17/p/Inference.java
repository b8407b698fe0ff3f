package p;

import java.util.*;
import java.util.function.*;
import java.util.stream.*;

/** Calls whose arguments are calls and lambdas that only their context, or only their own arguments, explain. */
class Inference {
    interface Pattern<T, R> { }
    interface Pattern0<T> extends Pattern<T, T> { }
    interface Pattern1<T, T1> extends Pattern<T, T1> { }
    interface Case<T, R> { R apply(T t); }
    record One<A>(A a) { }

    static <T> Pattern0<T> $() { return null; }
    static <T> Pattern0<T> $(T prototype) { return null; }
    static <T> Pattern0<T> $(Predicate<? super T> predicate) { return null; }
    static <T1, A> Pattern1<One<T1>, A> $One(Pattern<A, ?> p) { return null; }

    static <T, R> Case<T, R> on(Pattern0<T> p, Function<? super T, ? extends R> f) { return null; }
    static <T, R> Case<T, R> on(Pattern0<T> p, Supplier<? extends R> f) { return null; }
    static <T, R> Case<T, R> on(Pattern0<T> p, R value) { return null; }
    static <T, T1, R> Case<T, R> on(Pattern1<T, T1> p, Function<? super T1, ? extends R> f) { return null; }
    static <T, T1, R> Case<T, R> on(Pattern1<T, T1> p, Supplier<? extends R> f) { return null; }
    static <T, T1, R> Case<T, R> on(Pattern1<T, T1> p, R value) { return null; }

    static class Match<T> {
        @SafeVarargs
        final <R> R of(Case<? extends T, ? extends R>... cases) { return null; }
    }

    static <T> Match<T> match(T value) { return null; }

    void patterns(One<Integer> one) {
        String a = match(one).of(on($One($(0)), x -> "f"), on($One($()), x -> "g"));
        String b = match(one).of(on($One($(0)), () -> "f"), on($One($()), () -> "g"));
        String c = match(one).of(on($One($(0)), "f"), on($One($()), "g"));
        String d = match(1).of(on($(0), "zero"), on($(n -> n > 0), "positive"), on($(), () -> "other"));
    }

    // What decides is what an argument gives by itself.
    void say(Integer i) { }
    void say(String s) { }
    <T> void say(T t) { }
    static <U> U fold(Supplier<? extends U> none, Function<? super String, ? extends U> some) { return null; }
    static <T> Optional<T> wrap(T t) { return null; }

    void byThemselves(List<String> list) {
        say(fold(() -> -1, Integer::valueOf));
        say(fold(() -> "none", s -> s));
        say(list.stream().collect(Collectors.toMap(Function.identity(), String::length)));
        say(wrap("a").get());
    }

    // Lambdas of expressions that give nothing.
    interface Action { void run() throws Exception; }
    interface Giving<T> { T get() throws Exception; }
    void timed(Action a) { }
    <T> T timed(Giving<T> a) { return null; }
    void nothing() { }
    int number() { return 1; }
    interface ToInt { int get(); }
    interface ToObject<T> { T get(); }
    void kind(ToInt f) { }
    <T> void kind(ToObject<T> f) { }

    void voidOrNot() {
        timed(() -> nothing());
        timed(() -> number());
        timed(() -> { nothing(); });
        timed(() -> { return number(); });
        timed(this::nothing);
        kind(() -> 1);
        kind(() -> "a");
        kind(() -> number());
    }

    // The type arguments of an argument.
    static <T> void cat(Iterable<? extends Iterable<? extends T>> all) { }
    @SafeVarargs
    static <T> void cat(Iterable<? extends T>... all) { }

    void arguments(List<Integer> flat, List<List<Integer>> nested) {
        cat(flat);
        cat(nested);
        cat(flat, flat);
    }

    // What two values have in common.
    static <T> T any(T a, T b) { return a; }
    void common(Object o) { }
    void common(Comparable<?> c) { }

    void inCommon(List<String> a, Set<String> b) {
        common(any("a", 1));
        any(a, b).iterator().next().length();
        any(new StringBuilder(), "a").length();
        var runnable = (Runnable & java.io.Serializable) () -> nothing();
        runnable.run();
    }

    // An interface that declares a default method abstract again.
    interface Top { default Top init() { return this; } }
    interface Middle extends Top { Middle init(); }
    static abstract class Bottom implements Middle { }
    static class Leaf extends Bottom { public Leaf init() { return this; } }

    void again(Top t, Middle m, Bottom b) {
        t.init();
        m.init();
        b.init();
    }

    <L> void listen(Class<L> type, L listener) { }
    interface Listener { void heard(String what); }

    void listening() {
        listen(Listener.class, what -> what.length());
        Inference.<Integer, String>twice(x -> x.toString(), x -> x.intValue());
        getClass().getSimpleName().length();
        "a".getClass().cast("b").length();
    }

    static <A, B> void twice(Function<A, B> f, Function<A, A> g) { }

    // A result that no argument says is what is asked for.
    static <T> T find(String name) { return null; }
    static <K, V> V look(Map<? super K, V> map, K key) { return null; }
    void same(int a, int b) { }
    void same(Object a, Object b) { }
    void same(Object[] a, Object[] b) { }
    void same(Integer a, Integer b) { }
    void same(String a, String b) { }
    void pair(Object a, Object b) { }
    void pair(Object[] a, Object[] b) { }
    void every(Object... all) { }
    void every(String one, Object... all) { }

    void free(Integer one, boolean flag) {
        same(one, find("a"));
        same("a", find("a"));
        pair(null, look(null, "key"));
        every(find("a"));
        same(one, flag ? 'c' : "text");
    }

    // A type parameter that is bound by another.
    static <E> void equal(Iterable<E> all, E one) { }
    static <E> void equal(E[] all, E one) { }
    static <E, T extends E> void bound(Iterable<E> all, T one) { Inference.<E>equal(all, one); }

    // A reference in a lambda that is read before its call is chosen.
    interface Merged<R> { R merge(R a, R b); }
    static <A, R> R reduce(Supplier<A> first, Function<A, R> last) { return null; }
    static <A, R> R reduce(Supplier<A> first, Merged<A> merge, Function<A, R> last) { return null; }
    static StringBuilder both(StringBuilder a, StringBuilder b) { return a; }
    static String end(StringBuilder b) { return ""; }

    void references() {
        reduce(() -> wrap(new StringBuilder()).map(StringBuilder::reverse).get(), Inference::both, Inference::end).length();
    }
}
