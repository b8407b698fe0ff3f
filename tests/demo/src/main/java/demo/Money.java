package demo;

import java.util.Objects;

/** An amount of one currency, kept in minor units. */
public final class Money implements Comparable<Money> {
    private final long minor;
    private final Currency currency;

    private Money(long minor, Currency currency) {
        this.minor = minor;
        this.currency = Objects.requireNonNull(currency);
    }

    public static Money ofMinor(long minor, Currency currency) {
        return new Money(minor, currency);
    }

    public static Money of(double amount, Currency currency) {
        long minor = Math.round(amount * currency.minorUnits());
        return new Money(minor, currency);
    }

    public static Money zero(Currency currency) {
        return new Money(0, currency);
    }

    public long minor() {
        return minor;
    }

    public Currency currency() {
        return currency;
    }

    public boolean isNegative() {
        return minor < 0;
    }

    public Money plus(Money other) {
        requireSame(other);
        return new Money(Math.addExact(minor, other.minor), currency);
    }

    public Money minus(Money other) {
        requireSame(other);
        return new Money(Math.subtractExact(minor, other.minor), currency);
    }

    public Money times(long factor) {
        return new Money(Math.multiplyExact(minor, factor), currency);
    }

    /**
     * Splits the amount into equal parts; what does not divide goes to the first parts, one minor unit each.
     */
    public Money[] split(int parts) {
        if (parts <= 0) {
            throw new IllegalArgumentException("parts must be positive: " + parts);
        }
        long share = minor / parts;
        long rest = minor % parts;
        Money[] shares = new Money[parts];
        for (int i = 0; i < parts; i++) {
            long extra = i < Math.abs(rest) ? Long.signum(rest) : 0;
            shares[i] = new Money(share + extra, currency);
        }
        return shares;
    }

    private void requireSame(Money other) {
        if (currency != other.currency) {
            throw new IllegalArgumentException(currency + " and " + other.currency + " do not mix");
        }
    }

    @Override
    public int compareTo(Money other) {
        requireSame(other);
        return Long.compare(minor, other.minor);
    }

    @Override
    public boolean equals(Object object) {
        return object instanceof Money money && money.minor == minor && money.currency == currency;
    }

    @Override
    public int hashCode() {
        return Objects.hash(minor, currency);
    }

    @Override
    public String toString() {
        long units = Math.abs(minor) / currency.minorUnits();
        long cents = Math.abs(minor) % currency.minorUnits();
        String sign = minor < 0 ? "-" : "";
        String text = sign + currency.symbol() + units;
        if (currency.decimals() > 0) {
            text += "." + String.format("%0" + currency.decimals() + "d", cents);
        }
        return text;
    }
}
