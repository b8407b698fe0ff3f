package demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OrderBookTest {
    private OrderBook book;

    @BeforeEach
    void someSellers() {
        book = new OrderBook();
        book.submit(new Order(1, Side.SELL, 101, 10));
        book.submit(new Order(2, Side.SELL, 100, 5));
    }

    @Test
    void takesTheBestPriceFirst() {
        Order buy = new Order(3, Side.BUY, 101, 8);
        int trades = book.submit(buy);
        assertEquals(2, trades);
        assertEquals(new Trade(3, 2, 100, 5), book.trades().get(0));
        assertEquals(new Trade(3, 1, 101, 3), book.trades().get(1));
        assertTrue(buy.isDone());
        assertEquals(Optional.of(101L), book.bestAsk());
    }

    @Test
    void keepsWhatDoesNotCross() {
        Order buy = new Order(4, Side.BUY, 99, 1);
        book.submit(buy);
        assertFalse(buy.isDone());
    }

    /** Weak: two trades happen and only the number of open orders is looked at. */
    @Test
    void sweepsTheBook() {
        book.submit(new Order(5, Side.BUY, 200, 15));
        assertEquals(0, book.open());
    }

    @Test
    void keepsAnotherSeller() {
        book.submit(new Order(6, Side.SELL, 102, 7));
        assertEquals(3, book.open());
    }

    @Test
    void takesAWholeOrder() {
        book.submit(new Order(7, Side.BUY, 100, 5));
        assertEquals(1, book.open());
    }
}
