package lending;

/** A record is what it holds. */
public record Fee(int cents, String reason) {
    public Fee plus(Fee other) {
        return new Fee(cents + other.cents, reason + ", " + other.reason);
    }
}
