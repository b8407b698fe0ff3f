package kinds;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

public class BagListed_ESTest {
    @Test
    public void test0() throws Throwable {
        Bag.Listed<Object> listed0 = new Bag.Listed<Object>();
        listed0.add("a");
        int int0 = listed0.place("a");
        assertEquals(1, int0);
    }

    @Test
    public void test1() throws Throwable {
        Bag.Listed<Object> listed0 = new Bag.Listed<Object>();
        listed0.add("a");
        int int0 = listed0.place("b");
        assertEquals(-1, int0);
    }
}
