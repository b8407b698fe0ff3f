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
    }

    /** Two trades happen, and nothing is looked at. */
    @Test
    void sweepsTheBook() {
        book.submit(new Order(5, Side.BUY, 200, 15));
    }

    @Test
    void takesAWholeOrder() {
        book.submit(new Order(7, Side.BUY, 100, 5));
        assertEquals(Optional.of(101L), book.bestAsk());
        assertEquals(new Trade(7, 2, 100, 5), book.trades().get(0));
        assertTrue(book.volume() > 0);
    }
}
