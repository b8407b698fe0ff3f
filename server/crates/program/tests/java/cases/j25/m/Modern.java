package m;

sealed interface Expr permits Num, Add, Neg { }
record Num(int value) implements Expr { int twice() { return value * 2; } }
record Add(Expr left, Expr right) implements Expr { }
record Neg(Expr inner) implements Expr { Neg { check(inner); } static void check(Expr e) { } }
record Wrap<T>(T held, int n) { }
enum Level { LOW, HIGH { int rank() { return 2; } }; int rank() { return 1; } }

class Base {
    final int n;
    Base(int n) { this.n = n; }
}

class Modern extends Base {
    final String name;

    Modern(String name) {
        int size = measure(name);
        this.name = name;
        super(size + Level.HIGH.rank());
    }

    static int measure(String s) { return s.length(); }

    int eval(Expr e) {
        return switch (e) {
            case Num(int v) when v > Limits.MAX -> v;
            case Num n -> n.value() + n.twice();
            case Add(Num(var a), Num b) -> a + b.value() + eval(b);
            case Add(var l, Expr r) -> eval(l) + eval(r);
            case Neg(Expr inner) -> -eval(inner);
        };
    }

    int more(Object o, Level level) {
        if (o instanceof Wrap(Num(int v), int n) && v > n) { return v + n; }
        if (o instanceof Wrap<?>(String s, var n)) { return s.length() + n; }
        int out = switch (o) {
            case null -> 0;
            case Level l when l == Level.HIGH -> l.rank();
            case Level.LOW -> 3;
            case String s -> measure(s);
            case Wrap(Add(var l, var r), _) -> eval(l) + eval(r);
            case Wrap(_, int n) -> n;
            default -> 1;
        };
        return out + switch (level) { case LOW -> level.rank(); case HIGH -> Level.LOW.rank(); };
    }

    int generic(Wrap<Num> w) {
        if (w instanceof Wrap<Num>(var num, var n)) { return num.twice() + n; }
        if (w instanceof Wrap<Num>(_, var n) && n > 1) { return n; }
        return switch (w) { case Wrap<Num>(var num, int n) -> num.value() + n; };
    }

    static class Limits { static final int MAX = 5; }
}
