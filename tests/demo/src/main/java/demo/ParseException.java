package demo;

/** The text is no expression; says where. */
public class ParseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int position;

    public ParseException(String message, int position) {
        super(message + " at " + position);
        this.position = position;
    }

    public int position() {
        return position;
    }
}
