package kinds;

public record Span(int from, int to) {
    /** Of a span that is the wrong way round it is negative. */
    public int length() {
        return to - from;
    }
}
