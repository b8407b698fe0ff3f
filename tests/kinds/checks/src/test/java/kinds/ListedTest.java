package kinds;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class ListedTest {
    @Test
    void placesAreCountedFromOne() {
        Bag.Listed<Integer> bag = new Bag.Listed<>();
        for (int i = 0; i < 9; i++) {
            bag.add(i);
            assertEquals(i + 1, bag.place(i));
        }
    }

    @Test
    void theFirstOfEqualsCounts() {
        Bag.Listed<String> bag = new Bag.Listed<>();
        for (int i = 0; i < 9; i++) {
            bag.add("a " + i / 2);
            assertEquals(i / 2 * 2 + 1, bag.place("a " + i / 2));
        }
    }
}
