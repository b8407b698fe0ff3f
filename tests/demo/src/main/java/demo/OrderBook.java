package demo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/** Matches orders by price, then by time of arrival. */
public class OrderBook {
    private record Entry(Order order, int arrival) {
    }

    private final PriorityQueue<Entry> bids = new PriorityQueue<>(
            Comparator.comparingLong((Entry e) -> -e.order().price()).thenComparingInt(Entry::arrival));
    private final PriorityQueue<Entry> asks = new PriorityQueue<>(
            Comparator.comparingLong((Entry e) -> e.order().price()).thenComparingInt(Entry::arrival));
    private final List<Trade> trades = new ArrayList<>();
    private int arrivals;
    private long volume;

    /** Trades what crosses, keeps what is left; the number of trades that came of it. */
    public int submit(Order order) {
        PriorityQueue<Entry> others = order.side() == Side.BUY ? asks : bids;
        int before = trades.size();
        while (!order.isDone() && !others.isEmpty()) {
            Order best = others.peek().order();
            if (!order.crosses(best.price())) {
                break;
            }
            int amount = Math.min(order.remaining(), best.remaining());
            order.fill(amount);
            best.fill(amount);
            Trade trade = order.side() == Side.BUY
                    ? new Trade(order.id(), best.id(), best.price(), amount)
                    : new Trade(best.id(), order.id(), best.price(), amount);
            trades.add(trade);
            volume += trade.value();
            if (best.isDone()) {
                others.poll();
            }
        }
        if (!order.isDone()) {
            PriorityQueue<Entry> own = order.side() == Side.BUY ? bids : asks;
            own.add(new Entry(order, arrivals++));
        }
        return trades.size() - before;
    }

    public Optional<Long> bestBid() {
        return Optional.ofNullable(bids.peek()).map(e -> e.order().price());
    }

    public Optional<Long> bestAsk() {
        return Optional.ofNullable(asks.peek()).map(e -> e.order().price());
    }

    /** The gap between the best prices of both sides, or -1 if a side is empty. */
    public long spread() {
        if (bids.isEmpty() || asks.isEmpty()) {
            return -1;
        }
        long ask = asks.peek().order().price();
        long bid = bids.peek().order().price();
        return ask - bid;
    }

    public List<Trade> trades() {
        return List.copyOf(trades);
    }

    public long volume() {
        return volume;
    }

    public int open() {
        return bids.size() + asks.size();
    }
}
