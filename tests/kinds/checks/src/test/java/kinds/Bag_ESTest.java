package kinds;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

public class Bag_ESTest {
    @Test
    public void test0() throws Throwable {
        Bag<Object> bag0 = new Bag.Listed<Object>();
        bag0.add("a");
        int int0 = bag0.remove("a");
        assertEquals(0, int0);
    }

    @Test
    public void test1() throws Throwable {
        Bag<Object> bag0 = new Bag.Listed<Object>();
        bag0.add("a");
        bag0.remove("a");
        int int0 = bag0.remove("b");
        assertEquals(-1, int0);
    }
}
