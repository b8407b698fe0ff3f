package kinds;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class SpanTest {
    @Test
    void isAsLong() {
        for (int n = 0; n < 20; n++) {
            assertEquals(n * n, new Span(n, n + n * n).length());
        }
    }

    @Test
    void mayBeEmpty() {
        for (int n = 3; n < 9; n++) {
            assertEquals(0, new Span(n, n).length());
        }
    }
}
