package kinds;

public enum Level {
    LOW(1), MID(5), HIGH(9), TOP(20);

    private final int weight;

    Level(int weight) {
        this.weight = weight;
    }

    /** How much is left up to the next; nobody thought of the last. */
    public int left(int used) {
        return this == TOP ? -used : 100 - weight - used;
    }
}
