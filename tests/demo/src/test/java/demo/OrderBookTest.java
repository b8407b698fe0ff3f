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
        book.submit(buy);
        book.open();
    }

    @Test
    void keepsWhatDoesNotCross() {
        Order buy = new Order(4, Side.BUY, 99, 1);
        book.submit(buy);
        assertFalse(buy.isDone());
        assertEquals(Optional.of(100L), book.bestAsk());
        assertEquals(Optional.of(99L), book.bestBid());
        assertTrue(book.trades().isEmpty());
    }

    /** Two trades happen, and nothing is looked at. */
    @Test
    void sweepsTheBook() {
        book.submit(new Order(5, Side.BUY, 200, 15));
    }
}
