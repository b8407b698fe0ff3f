package demo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MoneyTest {
    @Test
    void addsAndSubtracts() {
        Money price = Money.of(19.99, Currency.EUR);
        Money shipping = Money.of(4.50, Currency.EUR);
        Money total = price.plus(shipping);
        assertEquals(Money.ofMinor(2449, Currency.EUR), total);
        assertEquals(price, total.minus(shipping));
    }

    @Test
    void currenciesDoNotMix() {
        Money euro = Money.of(1, Currency.EUR);
        Money yen = Money.of(100, Currency.JPY);
        assertThrows(IllegalArgumentException.class, () -> euro.plus(yen));
    }

    @Test
    void splitsWithoutLosingACent() {
        Money[] shares = Money.of(1.00, Currency.USD).split(3);
        long[] minor = Arrays.stream(shares).mapToLong(Money::minor).toArray();
        assertArrayEquals(new long[] {34, 33, 33}, minor);
    }

    @Test
    void splitsADebt() {
        Money[] shares = Money.of(-1.00, Currency.USD).split(3);
        assertEquals(3, shares.length);
    }

    @Test
    void printsSymbolAndCents() {
        assertEquals("-€0.05", Money.ofMinor(-5, Currency.EUR).toString());
        assertEquals("¥120", Money.of(120, Currency.JPY).toString());
        assertTrue(Money.ofMinor(-5, Currency.EUR).isNegative());
    }
}
