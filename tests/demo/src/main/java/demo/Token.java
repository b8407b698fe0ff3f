package demo;

/** A piece of an arithmetic expression. */
public record Token(Kind kind, String text, int position) {
    public enum Kind {
        NUMBER, NAME, PLUS, MINUS, TIMES, DIVIDE, OPEN, CLOSE, END
    }

    public boolean is(Kind other) {
        return kind == other;
    }
}
