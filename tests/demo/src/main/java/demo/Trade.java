package demo;

/** What two orders exchanged. */
public record Trade(int buyer, int seller, long price, int quantity) {
    public long value() {
        return price * quantity;
    }
}
