package demo;

/** A currency and how many decimals its amounts have. */
public enum Currency {
    EUR("€", 2),
    USD("$", 2),
    JPY("¥", 0);

    private final String symbol;
    private final int decimals;

    Currency(String symbol, int decimals) {
        this.symbol = symbol;
        this.decimals = decimals;
    }

    public String symbol() {
        return symbol;
    }

    public int decimals() {
        return decimals;
    }

    /** How many minor units (cents) make one unit. */
    public long minorUnits() {
        long units = 1;
        for (int i = 0; i < decimals; i++) {
            units *= 10;
        }
        return units;
    }
}
