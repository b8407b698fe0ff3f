package p;

import java.util.List;
import java.util.function.Function;

interface Named { String name(); default String hello() { return "hi " + name(); } }

record Point(int x, int y) implements Named {
    static final Point ORIGIN = new Point(0, 0);

    Point {
        if (x < 0) { throw new IllegalArgumentException("x " + x); }
        y = Math.abs(y);
    }

    Point(int both) { this(both, both); }

    public int x() { return x + 0; }
    public String name() { return "p" + x() + y(); }
    double length() { return Math.hypot(x, y); }
}

record Pair<A, B>(A first, B second) {
    <C> Pair<C, B> map(Function<? super A, ? extends C> f) { return new Pair<>(f.apply(first), second); }
    static <T> Pair<T, T> twice(T t) { return new Pair<>(t, t); }
}

record Varied(int... values) {
    int sum() { int s = 0; for (int v : values) { s += v; } return s + values().length; }
}

class UsesRecords {
    int use(Named n) {
        Point p = new Point(1, 2);
        var q = new Pair<>(p, List.of(p));
        int a = q.first().x() + q.second().get(0).y();
        a += q.map(Point::name).first().length();
        a += Pair.twice(p).map(it -> it.length()).second().x();
        record Local(Point p, int k) { int far() { return p.x() + k() + this.p.y(); } }
        Local l = new Local(p, a);
        if (n instanceof Point r && r.x() > 0) { a += r.y(); }
        return l.far() + l.p().x() + l.k() + new Varied(1, 2).sum() + new Point(3).hello().length() + Point.ORIGIN.y();
    }
}
