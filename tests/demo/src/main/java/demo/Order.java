package demo;

/** A wish to buy or sell some shares at a price or better; filled step by step. */
public class Order {
    private final int id;
    private final Side side;
    private final long price;
    private final int quantity;
    private int filled;

    public Order(int id, Side side, long price, int quantity) {
        if (price <= 0 || quantity <= 0) {
            throw new IllegalArgumentException("price and quantity must be positive");
        }
        this.id = id;
        this.side = side;
        this.price = price;
        this.quantity = quantity;
    }

    public int id() {
        return id;
    }

    public Side side() {
        return side;
    }

    public long price() {
        return price;
    }

    public int remaining() {
        return quantity - filled;
    }

    public boolean isDone() {
        return remaining() == 0;
    }

    /** True if this order's price lets it trade with one of the other side at {@code otherPrice}. */
    public boolean crosses(long otherPrice) {
        return side == Side.BUY ? price >= otherPrice : price <= otherPrice;
    }

    void fill(int amount) {
        if (amount > remaining()) {
            throw new IllegalStateException("order " + id + " has only " + remaining() + " left");
        }
        filled += amount;
    }

    @Override
    public String toString() {
        return side + " " + remaining() + "@" + price;
    }
}
