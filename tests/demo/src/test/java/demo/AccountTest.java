package demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class AccountTest {
    private final Account account = new Account("Ada", Money.of(50, Currency.EUR));

    @Test
    void withdrawsWithinTheBalance() {
        account.deposit(Money.of(30, Currency.EUR));
        boolean done = account.withdraw(Money.of(10, Currency.EUR));
        assertTrue(done);
        assertEquals(Money.of(20, Currency.EUR), account.balance());
        assertEquals(List.of("+€30.00", "-€10.00"), account.history());
    }

    /** Weak: the fee that the overdraft costs is in the balance, which nobody looks at. */
    @Test
    void goesIntoTheRed() {
        account.deposit(Money.of(5, Currency.EUR));
        assertTrue(account.withdraw(Money.of(20, Currency.EUR)));
    }

    @Test
    void refusesBeyondTheLimit() {
        assertFalse(account.withdraw(Money.of(49, Currency.EUR)));
    }

    @Test
    void transfers() {
        Account other = new Account("Bob", Money.zero(Currency.EUR));
        account.deposit(Money.of(100, Currency.EUR));
        account.transfer(other, Money.of(40, Currency.EUR));
        assertEquals(Money.of(40, Currency.EUR), other.balance());
    }
}
