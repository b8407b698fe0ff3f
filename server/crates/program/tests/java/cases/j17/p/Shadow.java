package p;

import java.util.function.IntUnaryOperator;
import java.util.function.IntSupplier;

class Shadow {
    int x = 1;
    static int y = 2;
    String Shadow = "field of the type's name";
    int length;

    int x() { return x; }
    int x(int x) { return x + this.x + x(); }

    int scopes(int p) {
        { int x = 3; y += x; }
        int q = x;
        for (int x = 0; x < p; x++) { q += x; }
        for (int i = 0, x = 5; i < x; i++) { q += x; }
        try { q += x; } catch (RuntimeException x) { x.getMessage(); }
        IntUnaryOperator f = y -> y + x;
        IntSupplier g = () -> { int y = x; return y; };
        int[] a = {x, q};
        q += a.length + length + Shadow.length() + p2.Inside.y;
        Object o = new Object() {
            int x = q();
            int q() { return x + y; }
            int outer() { return Shadow.this.x + length; }
        };
        if (o instanceof String s && s.length() > 0) { q += s.length(); } else { String s = "a"; q += s.length(); }
        if (!(o instanceof Shadow t)) { return q; }
        assert t.x > 0 : "not " + t.x + x() + f.applyAsInt(q);
        assert (t.x
            == q) : "not " + t.x() + " in " + t.length;
        return t.x + t.x(t.y) + f.applyAsInt(2) + g.getAsInt();
    }

    private static class p2 { static class Inside { static int y = 1; } }

    static int init = y + Shadow2.z;
    int late = x(1);
    static class Shadow2 { static int z = y; int w = z; }

    class Child extends Shadow2 { int sum() { return z + w + x + y; } class y { } }
}
