package kinds;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

public class Level_ESTest {
    @Test
    public void test0() throws Throwable {
        Level level0 = Level.MID;
        int int0 = level0.left(7);
        assertEquals(88, int0);
    }

    @Test
    public void test1() throws Throwable {
        Level level0 = Level.TOP;
        int int0 = level0.left(30);
        assertEquals((-30), int0);
    }
}
