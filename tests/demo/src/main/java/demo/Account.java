package demo;

import java.util.ArrayList;
import java.util.List;

/** An account that may go into the red up to a limit, against a fee. */
public class Account {
    private static final Money FEE = Money.of(1.50, Currency.EUR);

    private final String owner;
    private final Money limit;
    private final List<String> history = new ArrayList<>();
    private Money balance = Money.zero(Currency.EUR);
    private int overdrafts;

    public Account(String owner, Money limit) {
        this.owner = owner;
        this.limit = limit;
    }

    public String owner() {
        return owner;
    }

    public Money balance() {
        return balance;
    }

    public int overdrafts() {
        return overdrafts;
    }

    public List<String> history() {
        return List.copyOf(history);
    }

    public void deposit(Money amount) {
        requirePositive(amount);
        balance = balance.plus(amount);
        history.add("+" + amount);
    }

    public boolean withdraw(Money amount) {
        requirePositive(amount);
        Money after = balance.minus(amount);
        boolean overdrawn = after.isNegative();
        if (overdrawn) {
            after = after.minus(FEE);
        }
        if (after.plus(limit).isNegative()) {
            history.add("refused " + amount);
            return false;
        }
        if (overdrawn) {
            overdrafts++;
        }
        balance = after;
        history.add("-" + amount);
        return true;
    }

    public boolean transfer(Account to, Money amount) {
        if (!withdraw(amount)) {
            return false;
        }
        to.deposit(amount);
        return true;
    }

    private static void requirePositive(Money amount) {
        if (amount.minor() <= 0) {
            throw new IllegalArgumentException("not a positive amount: " + amount);
        }
    }
}
