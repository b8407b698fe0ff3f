package kinds;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

public class Slow_ESTest {
    /** Fails on this version: it is kept out. */
    @Test
    public void test0() throws Throwable {
        Span span0 = new Span(9, 1);
        int int0 = span0.length();
        assertEquals(8, int0);
    }
}
