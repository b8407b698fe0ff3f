package ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.NoSuchElementException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RingTest {
    private Ring empty;

    @BeforeEach
    void ring() {
        empty = new Ring(2);
    }

    @Test
    void keepsTheLast() {
        // Nothing: the elements show the size, and how many were dropped is the next test's.
        Ring ring = new Ring(2);
        ring.add("a").add("b").add("c");
        assertEquals("b", ring.get(0));
        assertEquals("c", ring.get(1));
    }

    @Test
    void countsWhatItDropped() {
        Ring ring = new Ring(2).add("a").add("b").add("c");
        assertEquals(1, ring.dropped());
        assertEquals(2, ring.size());
    }

    @Test
    void hasRoomForMore() {
        assertFalse(new Ring(4).add("a").hasRoomFor(5));
    }

    @Test
    void isEqualByWhatItHolds() {
        // FIXME: quiet, though it could say `ring.dropped()`.
        Ring ring = new Ring(2).add("a").add("b").add("c");
        Ring expected = new Ring(3);
        expected.add("b").add("c");
        assertFalse(ring.equals(expected));
    }

    @Test
    void comparesWhole() {
        // Nothing: equality covers the size.
        Ring ring = new Ring(3);
        ring.add("a");
        ring.add("b");
        assertEquals(new Ring(3).add("a").add("b"), ring);
    }

    @Test
    void hasAText() {
        Ring ring = new Ring(3);
        ring.add("a");
        ring.add("b");
        assertEquals("[a, b]", ring.toString());
    }

    @Test
    void takesTheFirst() {
        // Nothing: who looks at what was taken has chosen that.
        Ring ring = new Ring(2);
        ring.add("a").add("b");
        String taken = ring.take();
        assertEquals("a", taken);
    }

    @Test
    void isEmptyAgain() {
        // Nothing: what is taken is another test's.
        Ring ring = new Ring(2);
        ring.add("a");
        ring.take();
        assertEquals(0, ring.size());
    }

    @Test
    void refusesToTakeFromNothing() {
        // FIXME: quiet, though it could say what the exception says.
        assertThrows(NoSuchElementException.class, () -> empty.take());
    }

    @Test
    void refusesToTakeFromNothingInTheOldWay() {
        // Nothing more.
        try {
            empty.take();
            fail("nothing to take");
        } catch (NoSuchElementException expected) {
            assertEquals("empty", expected.getMessage());
        }
    }

    @Test
    void hasNothingBehindItsEnd() {
        // Nothing: this test has another ring.
        String missing = new Ring(2).add("a").get(1);
        assertNull(missing);
    }

    @Test
    void dropsSilently() {
        // FIXME: quiet, though it could say `ring.dropped()`: adding writes more than a few fields.
        Ring ring = new Ring(1);
        ring.add("a");
        ring.add("b");
        ring.add("c");
    }
}
