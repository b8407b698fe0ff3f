package demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class StatsTest {
    @Test
    void morePositiveThanNegative() {
        List<Integer> list = List.of(3, -1, 4, 0);
        int comparison = Stats.compare(list);
        assertEquals(1, comparison);
    }

    @Test
    void sameNumberOfBoth() {
        assertEquals(0, Stats.compare(List.of(-2, 0, 7)));
    }

    @Test
    void meanOfNothing() {
        assertThrows(IllegalArgumentException.class, () -> Stats.mean(List.of()));
    }

    @Test
    void varianceOfEqualNumbers() {
        double variance = Stats.variance(List.of(5, 5, 5));
        assertEquals(0.0, variance);
    }

    /** Runs the code and looks at nothing. */
    @Test
    void longestRun() {
        int length = Stats.longestRun(List.of(1, 2, 2, 1, 5));
    }
}
