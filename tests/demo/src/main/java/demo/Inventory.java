package demo;

import java.util.HashMap;
import java.util.Map;

/** What lies in the shop: how many of each item, and which of them are promised to somebody. */
public class Inventory {
    private final Map<String, Integer> stock = new HashMap<>();
    private final Map<String, Integer> reserved = new HashMap<>();
    private final int reorderLevel;
    private int movements;

    public Inventory(int reorderLevel) {
        this.reorderLevel = reorderLevel;
    }

    public void receive(String item, int count) {
        int total = stock.getOrDefault(item, 0) + count;
        stock.put(item, total);
        movements++;
    }

    /** Promises {@code count} pieces if that many are free. */
    public boolean reserve(String item, int count) {
        int free = available(item);
        if (count > free) {
            return false;
        }
        int promised = reserved.getOrDefault(item, 0) + count;
        reserved.put(item, promised);
        return true;
    }

    /** Hands out pieces that were promised before; how many are left in the shop. */
    public int ship(String item, int count) {
        int promised = reserved.getOrDefault(item, 0);
        if (count > promised) {
            throw new IllegalStateException("only " + promised + " of " + item + " reserved");
        }
        int left = stock.get(item) - count;
        reserved.put(item, promised - count);
        stock.put(item, left);
        movements++;
        return left;
    }

    public int available(String item) {
        return stock.getOrDefault(item, 0) - reserved.getOrDefault(item, 0);
    }

    public boolean needsReorder(String item) {
        return available(item) < reorderLevel;
    }

    public int movements() {
        return movements;
    }
}
