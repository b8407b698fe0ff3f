package kinds;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class BagTest {
    @Test
    void removesWhatItHolds() {
        for (int n = 1; n < 4; n++) {
            Bag<Integer> bag = new Bag.Listed<>();
            for (int i = 0; i < n; i++) {
                bag.add(i);
            }
            assertEquals(n - 1, bag.remove(0));
        }
    }

    @Test
    void removesTwice() {
        for (int n = 0; n < 9; n++) {
            Bag<String> bag = new Bag.Listed<>();
            bag.add("a " + n);
            bag.add("b " + n);
            bag.remove("a " + n);
            assertEquals(0, bag.remove("b " + n));
        }
    }
}
