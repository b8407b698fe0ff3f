package kinds;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

public class Span_ESTest {
    @Test
    public void test0() throws Throwable {
        Span span0 = new Span(2, 6);
        int int0 = span0.length();
        assertEquals(4, int0);
    }

    @Test
    public void test1() throws Throwable {
        Span span0 = new Span(5, 3);
        int int0 = span0.length();
        assertEquals((-2), int0);
    }
}
