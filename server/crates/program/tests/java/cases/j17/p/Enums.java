package p;

import static p.Enums.Color.GREEN;
import static p.Enums.Color.*;

class Enums {
    static final int LIMIT = 3;
    static final String WORD = "w";
    static int BLUE = 9;

    enum Color {
        RED(1), GREEN(2) {
            @Override int code() { return super.code() + own(); }
            int own() { return n; }
        }, BLUE("b");

        final int n;

        Color(int n) { this.n = n; }
        Color(String s) { this(s.length()); }
        int code() { return n; }
    }

    enum Shade { RED, DARK }

    int old(Color c, Shade s, int i, String w) {
        int RED = 7;
        switch (c) {
            case RED:
                return RED + Color.RED.code();
            case GREEN:
                break;
            default:
                return c.n;
        }
        switch (s) {
            case RED: return s.ordinal();
            case DARK: break;
        }
        switch (i) {
            case LIMIT: return LIMIT;
            case 1 + LIMIT: return BLUE;
            default:
        }
        switch (w) {
            case WORD: return 2;
            default: return GREEN.code();
        }
    }

    int arrows(Color c) {
        return switch (c) {
            case RED, GREEN -> c.code();
            case BLUE -> {
                Color d = Color.valueOf("RED");
                yield d.code() + Color.values().length + Color.values()[0].n;
            }
        };
    }
}
