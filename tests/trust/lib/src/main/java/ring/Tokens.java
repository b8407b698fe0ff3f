package ring;

/** Words and numbers of a text, one after the other. */
public final class Tokens {
    private final String text;
    private int at;
    private int line = 1;

    public Tokens(String text) {
        this.text = text;
    }

    /** The next token: to ask is to move on. */
    public String next() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            if (text.charAt(at) == '\n') {
                line = line + 1;
            }
            at = at + 1;
        }
        int start = at;
        while (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
            at = at + 1;
        }
        return text.substring(start, at);
    }

    public int line() {
        return line;
    }

    public Kind kind(String token) {
        if (token.isEmpty()) {
            return Kind.END;
        }
        switch (token.charAt(0)) {
            case '-':
                return Kind.MINUS;
            case '+':
                return Kind.PLUS;
            case '#':
                return Kind.COMMENT;
            default:
                return Character.isDigit(token.charAt(0)) ? Kind.NUMBER : Kind.WORD;
        }
    }

    public enum Kind { END, MINUS, PLUS, COMMENT, NUMBER, WORD }
}
