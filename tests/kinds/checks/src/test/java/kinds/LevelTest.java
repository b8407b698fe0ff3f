package kinds;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class LevelTest {
    @Test
    void leaves() {
        for (int used = 0; used < 20; used++) {
            assertEquals(99 - used, Level.LOW.left(used));
            assertEquals(95 - used, Level.MID.left(used));
        }
    }

    @Test
    void leavesLess() {
        for (int used = 20; used < 40; used++) {
            assertTrue(Level.HIGH.left(used) < Level.MID.left(used));
        }
    }
}
